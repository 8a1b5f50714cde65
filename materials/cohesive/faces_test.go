package cohesive

import (
	"math"
	"math/rand/v2"
	"testing"
)

const degree = math.Pi / 180

// within tells whether two numbers agree within a share of the second.
func within(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }

// Bandis, Lumsden and Barton's hyperbola: closure, tangent and energy of a joint of 20 GPa/m and
// 0.2 mm; beyond the limit of the tangent it goes on straight.
func TestClosure(t *testing.T) {
	c, err := NewClosure(Closure{Stiffness: 20e9, Greatest: 0.2e-3})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range [][3]float64{{0.5e6, 2.22222e-05, 25.3125e9}, {1e6, 4e-05, 31.25e9}, {2e6, 6.66667e-05, 45e9}, {5e6, 1.11111e-4, 101.25e9}, {10e6, 1.42857e-4, 245e9}} {
		d := c.Of(v[0], 1e15)
		p, _ := c.At(d, 1e15)
		more, _ := c.At(d+1e-10, 1e15)
		if !within(d, v[1], 1e-5) || !within(p, v[0], 1e-12) || !within((more-p)/1e-10, v[2], 1e-4) {
			t.Errorf("%g Pa: closure %g, want %g; back %g; tangent %g, want %g", v[0], d, v[1], p, (more-p)/1e-10, v[2])
		}
	}
	if _, stored := c.At(c.Of(5e6, 1e15), 1e15); !within(stored, 204.3, 1e-4) {
		t.Errorf("stored at 5 MPa %g J/m2, want 204.3", stored)
	}
	work, before := 0.0, 0.0
	const most, n = 60e9, 20000
	for k := range n + 1 {
		d := 0.3e-3 * float64(k) / n
		p, stored := c.At(d, most)
		if k > 0 {
			work += 0.5 * (p + before) * 0.3e-3 / n
			if slope := (p - before) / (0.3e-3 / n); slope > most*(1+1e-6) || slope < 0 {
				t.Fatalf("tangent %g at %g m", slope, d)
			}
		}
		before = p
		if math.Abs(stored-work) > 1e-6*(work+1e-3) || !within(c.Of(p, most), d, 1e-9) {
			t.Fatalf("at %g m: stored %g, work %g; closure of %g Pa is %g", d, stored, work, p, c.Of(p, most))
		}
	}
}

// Barton and Choubey's strength and its mobilisation, for JRC 9, JCS 100 MPa, phi_r 28 degrees and
// 0.1 m.
func TestBartonBandis(t *testing.T) {
	b, err := NewBartonBandis(BartonBandis{Roughness: 9, Strength: 100e6, Residual: 28 * degree, Length: 0.1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !within(b.Peak(), 0.000882938, 1e-5) {
		t.Errorf("slip at the peak %g", b.Peak())
	}
	at := []float64{1, 0.3, 0.6, 1, 2, 4, 10, 100}
	for _, row := range [][]float64{
		{200e3, 258683, 106342, 208690, 258683, 227232, 200025, 168686, 106342},
		{1e6, 1035530, 531709, 884725, 1035530, 942352, 857104, 753554, 531709},
		{5e6, 4152450, 2658550, 3738020, 4152450, 3899810, 3658980, 3354120, 2658550},
	} {
		for k, x := range at {
			if got, _ := b.Limit(x*b.Peak(), row[0]); !within(got, row[1+k], 1e-5) {
				t.Errorf("%g Pa, %g of the slip at the peak: %g Pa, want %g", row[0], x, got, row[1+k])
			}
		}
	}
	if _, rise := b.Limit(b.Peak(), 1e6); !within(rise, math.Tan(9*degree), 1e-9) {
		t.Errorf("dilation at the peak %g degrees, want 9", math.Atan(rise)/degree)
	}
	large, err := NewBartonBandis(BartonBandis{Roughness: 9, Strength: 100e6, Residual: 28 * degree, Length: 1}, 0.1)
	if err != nil || !within(large.Roughness, 5.94624, 1e-5) || !within(large.Strength, 53703200, 1e-5) {
		t.Errorf("of ten times the length: JRC %g, JCS %g, %v", large.Roughness, large.Strength, err)
	}
	for p := 1e3; p < 1e9; p *= 1.3 { // no jump over slip, no more than 70 degrees; beyond JCS the residual angle
		before := 0.0
		for x := 0.0; x < 120; x += 0.01 {
			got, rise := b.Limit(x*b.Peak(), p)
			if math.Abs(got-before) > 0.1*p || got > p*math.Tan(70.001*degree) || rise > got/p {
				t.Fatalf("%g Pa, %g: limit %g after %g, dilation %g", p, x, got, before, rise)
			}
			before = got
		}
		if got, _ := b.Limit(b.Peak(), p); p > 100e6 && !within(got, p*math.Tan(28*degree), 1e-9) {
			t.Errorf("%g Pa: %g", p, got)
		}
	}
	if e := b.Hydraulic(100e-6); !within(e, 1e4/math.Pow(9, 2.5)*1e-6, 1e-9) || b.Hydraulic(1e-3) != 1e-3 {
		t.Errorf("hydraulic aperture %g of 100 um", e)
	}
}

// Dieterich's and Ruina's friction after a step of the speed of slip, and at rest.
func TestRateState(t *testing.T) {
	slips := []float64{0, 2.5e-6, 5e-6, 1e-5, 2e-5, 5e-5}
	for slip, want := range map[bool][]float64{
		false: {0.623026, 0.619696, 0.616469, 0.610404, 0.600436, 0.58937}, true: {0.623026, 0.615386, 0.609436, 0.601193, 0.593161, 0.58872},
	} {
		r, err := NewRateState(RateState{Direct: 0.01, Evolution: 0.015, Distance: 1e-5, Friction: 0.6, Speed: 1e-6, Slip: slip, Start: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		theta := 10.0 // of steady slip at 1 um/s
		if got := r.Coefficient(1e-6, theta); math.Abs(got-0.6) > 1e-6 {
			t.Errorf("steady friction %g", got)
		}
		for k, s := range slips {
			if got := r.Coefficient(1e-5, r.Evolve(theta, 1e-5, s/1e-5)); math.Abs(got-want[k]) > 2e-6 {
				t.Errorf("slip law %v, after %g m: %g, want %g", slip, s, got, want[k])
			}
			fine := theta
			for range 100 {
				fine = r.Evolve(fine, 1e-5, s/1e-5/100)
			}
			if !within(fine, r.Evolve(theta, 1e-5, s/1e-5), 1e-10) {
				t.Errorf("slip law %v: a hundred parts of a time give %g, the whole %g", slip, fine, r.Evolve(theta, 1e-5, s/1e-5))
			}
		}
		for _, p := range []float64{1e4, 1e6, 1e8} {
			for _, traction := range []float64{0.1, 0.5, 0.6, 0.7} {
				theta := r.First(traction*p, p)
				if got := r.Coefficient(r.Start, theta); !within(got, traction, 1e-9) && theta != r.Distance/r.Start {
					t.Errorf("a first friction of %g is %g", traction, got)
				}
				for _, time := range []float64{1e-8, 1e-3, 10} {
					v := r.slide(traction*p, p, 1e11, theta, time)
					if got := r.Coefficient(v, theta)*p + 1e11*v*time; !within(got, traction*p, 1e-9) {
						t.Errorf("slides at %g m/s: carries %g of %g Pa", v, got, traction*p)
					}
				}
			}
		}
	}
	r := &RateState{Direct: 0.01, Evolution: 0.015, Distance: 1e-5, Friction: 0.6, Speed: 1e-6}
	if a, b := r.Coefficient(0, 1), r.Coefficient(1e-60, 1); a != 0 || !(b < 1e-20) {
		t.Errorf("at rest %g, hardly moving %g", a, b)
	}
}

// A slider on a spring with radiation damping sticks and slips with the period and the drop of the
// reference, below the critical stiffness, and settles above it.
func TestRateStateSlider(t *testing.T) {
	const p, g = 10e6, 30e9 / (2 * 3464)
	r := &RateState{Direct: 0.01, Evolution: 0.015, Distance: 1e-5, Friction: 0.6, Speed: 1e-6, Start: 1e-6}
	critical := (r.Evolution - r.Direct) * p / r.Distance
	for _, of := range [][3]float64{{0.2, 894.036, 862964}, {0.5, 363.398, 842713}} {
		k := of[0] * critical
		theta, slip, time, traction := r.Distance/r.Speed*1.1, 0.0, 0.0, 0.6*p
		var peaks, highs, lows []float64
		high, low, rising := 0.0, 1e99, true
		for time < 12*of[1] && len(peaks) < 6 {
			pull := func() float64 { return 0.6*p + k*(1e-6*time-slip) }
			v, x := 0.0, 0.0
			dt := 0.01
			for range 2 { // traction less radiation damping in series: T + g V = pull
				lo, hi := -80.0, 5.0
				for range 60 {
					x = 0.5 * (lo + hi)
					if p*r.Coefficient(math.Exp(x), theta)+g*math.Exp(x) < pull() {
						lo = x
					} else {
						hi = x
					}
				}
				v = math.Exp(x)
				dt = min(0.05*r.Distance/v, 1.0)
			}
			traction = pull()
			theta = r.Evolve(theta, v, dt)
			slip, time = slip+v*dt, time+dt
			if traction > high {
				high = traction
			}
			if traction < low {
				low = traction
			}
			if rising && traction < high-0.5e6 {
				peaks, highs, rising, low = append(peaks, time), append(highs, high), false, traction
			} else if !rising && traction > low+0.4e6 {
				lows, rising, high = append(lows, low), true, traction
			}
		}
		n := len(peaks)
		period, drop := peaks[n-1]-peaks[n-2], highs[n-1]-lows[n-2]
		t.Logf("%g of the critical stiffness: period %.5g s, want %.5g; drop %.5g Pa, want %.5g", of[0], period, of[1], drop, of[2])
		if !within(period, of[1], 0.03) || !within(drop, of[2], 0.03) {
			t.Errorf("period %g s, drop %g Pa", period, drop)
		}
	}
}

// faced returns joints with each law of faces.
func faced(t *testing.T) map[string]*Springs {
	t.Helper()
	b, err := NewBartonBandis(BartonBandis{Roughness: 9, Strength: 100e6, Residual: 28 * degree, Length: 0.1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*Springs{
		"closure": {Normal: 20e9, Shear: 50e9, Friction: 0.6, Dilation: 0.1, Until: 1e-3, Faces: &Faces{Closure: &Closure{20e9, 0.2e-3}}},
		"barton":  {Normal: 20e9, Shear: 50e9, Friction: 0.53, Faces: &Faces{Closure: &Closure{20e9, 0.2e-3}, Barton: b}},
		"weaken":  {Normal: 50e9, Shear: 50e9, Friction: 0.6, Faces: &Faces{Weakening: &SlipWeakening{0.6, 0.3, 1e-3}}},
		"state":   {Normal: 50e9, Shear: 50e9, Friction: 0.6, Faces: &Faces{RateState: &RateState{Direct: 0.01, Evolution: 0.015, Distance: 1e-5, Friction: 0.6, Speed: 1e-6, Start: 1e-6}}},
	}
}

// On any path what the faces have taken is stored or dissipated, friction never gives, the forces are
// the gradient of what is stored, and a second look without time changes nothing.
func TestFacesBalance(t *testing.T) {
	for name, l := range faced(t) {
		random := rand.New(rand.NewPCG(3, 4))
		var mem [Memories]float64
		p := l.Open(-2e6, 0.4e6, 80e9, mem[:])
		if got := math.Abs(p.FrictionShear); !within(got, 0.4e6, 1e-12) {
			t.Errorf("%s: the first shear is %g Pa", name, got)
		}
		normal, shear, stored, _ := l.Advance(&p, &mem, 0, 0, 0)
		if !within(normal, -2e6, 1e-9) || !within(shear, 0.4e6, 1e-9) || !within(stored, l.InitialEnergy(&p), 1e-9) {
			t.Errorf("%s: begins with %g, %g Pa, %g J/m2, want %g", name, normal, shear, stored, l.InitialEnergy(&p))
		}
		first, done, lost, opening, slip, most := stored, 0.0, 0.0, 0.0, 0.0, 0.0
		for k := range 40000 {
			do := 1e-9 * (random.Float64() - 0.5)
			ds := 1e-7 * math.Sin(float64(k)/6000)
			if k > 30000 {
				do += 2e-8 // it opens in the end
			}
			opening, slip = opening+do, slip+ds
			n, s, now, work := l.Advance(&p, &mem, opening, slip, 1e-5)
			done += 0.5*(n+normal)*do + 0.5*(s+shear)*ds
			lost += work
			if work < -1e-9*(lost+1e-6) {
				t.Fatalf("%s: step %d: friction gives %g J/m2 of %g", name, k, -work, lost)
			}
			again := mem
			n2, s2, now2, work2 := l.Advance(&p, &again, opening, slip, 0)
			if n2 != n || s2 != s || now2 != now || work2 != 0 || again != mem {
				t.Fatalf("%s: step %d: a second look gives %g, %g, %g after %g, %g, %g", name, k, n2, s2, now2, n, s, now)
			}
			normal, shear, stored, most = n, s, now, max(most, now)
		}
		left := done + first - stored - lost
		t.Logf("%s: work %.6g, stored %.6g, friction %.6g, left %.2g J/m2", name, done, stored, lost, left)
		if math.Abs(left) > 2e-5*(lost+most) {
			t.Errorf("%s: %g J/m2 of %g are left", name, left, lost)
		}
		if normal != 0 || shear != 0 {
			t.Errorf("%s: open faces carry %g, %g Pa", name, normal, shear)
		}
	}
}

// Slip weakening takes (mu_s - mu_d) p D/2 beyond dynamic friction, and on a spring that is stiffer
// than it weakens the traction follows it.
func TestSlipWeakening(t *testing.T) {
	l := faced(t)["weaken"]
	var mem [Memories]float64
	p := l.Open(-5e6, 0, 50e9, mem[:])
	lost := 0.0
	for k := 1; k <= 4000; k++ {
		_, shear, _, work := l.Advance(&p, &mem, 0, 1e-6*float64(k), 1e-5)
		lost += work
		want := 5e6 * l.Faces.Weakening.Coefficient(mem[Path])
		if mem[Path] > 0 && !within(shear, want, 1e-9) {
			t.Fatalf("after %g m: %g Pa, want %g", mem[Path], shear, want)
		}
	}
	if got, want := lost-5e6*0.3*mem[Path], 0.5*0.3*5e6*1e-3; !within(got, want, 1e-3) {
		t.Errorf("takes %g J/m2 beyond dynamic friction, want %g", got, want)
	}
}
