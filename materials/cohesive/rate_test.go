package cohesive

import (
	"math"
	"testing"
)

// ofSpeed is a law with a power of the opening speed.
func ofSpeed(t testing.TB, softening string, r Rate) *Law {
	t.Helper()
	l, err := New(Parameters{TensileStrength: 5e6, Cohesion: 15e6, Friction: 0.5, EnergyTension: 20, EnergyShear: 80, Mixed: 2, Softening: softening})
	if err != nil {
		t.Fatal(err)
	}
	if l.Rate, err = NewRate(r); err != nil {
		t.Fatal(err)
	}
	return l
}

// A point that opens at a speed carries so many times the strength and takes so many times the
// energy; the work on it is stored or dissipated.
func TestRate(t *testing.T) {
	const k, v0 = 1e13, 0.5
	for _, softening := range []string{"linear", "bilinear", "exponential", "concrete"} {
		for _, v := range []float64{0, 1e-3, 0.05, 0.5, 2} {
			l := ofSpeed(t, softening, Rate{Speed: v0, Exponent: 0.4})
			want := 1 + math.Pow(v/v0, 0.4)
			var mem [Memories]float64
			p := l.Open(Start{Normal: 5e6, Stiffness: k, Energy: 20}, mem[:])
			const n = 40000
			end := 1.01 * l.Broken(&p)
			dt := 1e30
			if v > 0 {
				dt = end / n / v
			}
			peak, work, before := 0.0, 0.0, 5e6
			for i := 1; i <= n; i++ {
				normal, _, stored, frictionWork := l.AdvanceIn(&p, &mem, end*float64(i)/n, 0, dt, nil)
				work += 0.5 * (before + normal) * end / n
				before, peak = normal, max(peak, normal)
				if math.Abs(work-stored-mem[Lost]) > 2e-4*20*want || frictionWork != 0 {
					t.Fatalf("%s at %g m/s: work %g, stored %g, lost %g J/m2", softening, v, work, stored, mem[Lost])
				}
			}
			near(t, softening+" peak", peak, want*5e6, 1e-3*want*5e6)
			near(t, softening+" energy", mem[Lost], want*20, 2e-3*want*20)
			if mem[Integrity] != 0 {
				t.Errorf("%s at %g m/s: integrity %g at the end", softening, v, mem[Integrity])
			}
		}
	}
}

// A point that slows down falls to the curve of its speed and never heals; without time it
// keeps what it has.
func TestRateSlowsDown(t *testing.T) {
	l := ofSpeed(t, "linear", Rate{Table: [][2]float64{{0, 1}, {1, 2}}})
	slow := ofSpeed(t, "linear", Rate{Table: [][2]float64{{0, 1}, {1, 1}}})
	var mem, rest [Memories]float64
	p := l.Open(Start{Normal: 5e6, Stiffness: 1e13, Energy: 20}, mem[:])
	q := slow.Open(Start{Normal: 5e6, Stiffness: 1e13, Energy: 20}, rest[:])
	for i := 1; i <= 100; i++ {
		l.AdvanceIn(&p, &mem, 4e-8*float64(i), 0, 4e-8, nil) // 1 m/s
	}
	fast, _, _, _ := l.AdvanceIn(&p, &mem, 4e-6, 0, 0, nil)
	whole := mem[Integrity]
	slowly, _, _, _ := slow.AdvanceIn(&q, &rest, 4e-6, 0, 1e9, nil)
	near(t, "fast", fast, 2*5e6*(1-(4e-6-5e6/1e13)/(8e-6-0.0)), 0.12*5e6)
	if fast < 1.5*slowly {
		t.Errorf("at 1 m/s it carries %g Pa, at rest %g Pa", fast, slowly)
	}
	at, _, _, _ := l.AdvanceIn(&p, &mem, 4e-6, 0, 1e-6, nil) // at rest now
	near(t, "at rest", at, slowly, 1e-9*slowly)
	if mem[Integrity] >= whole {
		t.Error("it has not lost integrity")
	}
	again, _, _, _ := l.AdvanceIn(&p, &mem, 4e-6+4e-8, 0, 4e-8, nil)
	if again > at+1e13*4e-8 {
		t.Errorf("it heals: from %g to %g Pa", at, again)
	}
}

func TestRateTable(t *testing.T) {
	r, err := NewRate(Rate{Table: [][2]float64{{0, 1}, {1, 2}, {3, 5}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range [][2]float64{{-1, 1}, {0, 1}, {0.5, 1.5}, {1, 2}, {2, 3.5}, {3, 5}, {9, 5}} {
		near(t, "factor", r.At(at[0]), at[1], 1e-12)
	}
	for name, bad := range map[string]Rate{
		"nothing": {}, "no exponent": {Speed: 1}, "one row": {Table: [][2]float64{{0, 1}}}, "no rest": {Table: [][2]float64{{1, 1}, {2, 2}}},
		"another at rest": {Table: [][2]float64{{0, 2}, {2, 3}}}, "falls": {Table: [][2]float64{{0, 1}, {2, 0.5}}}, "no order": {Table: [][2]float64{{0, 1}, {2, 2}, {2, 3}}},
	} {
		if _, err := NewRate(bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
