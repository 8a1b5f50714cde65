package solver_test

import (
	"math"
	"strings"
	"testing"
)

const slab = `
[[rectangle]]
name = "block"
from = [0, 0]
to = ["100 mm", "100 mm"]
edge = "20 mm"
bottom = "foot"
top = "head"
`

// A block on a spring with local damping a oscillates with the stiffness (1 + a) k while the spring
// acts against its motion, and (1 - a) k while it acts along it. Every amplitude is the previous
// one times sqrt((1 - a)/(1 + a)), and every half oscillation takes a quarter of both periods. The
// ledger has the dissipated energy.
func TestLocalDampingOfASwing(t *testing.T) {
	for _, a := range []float64{0.3, 0.8} {
		s := built(t, `
[analysis]
duration = "60 ms"
thickness = "10 mm"
damping = { local = `+map[float64]string{0.3: "0.3", 0.8: "0.8"}[a]+` }
[output]
history_every = "10 us"
[[material]]
name = "steel"
young = "2 GPa"
poisson = 0.3
density = 7850
[[body]]
name = "block"
material = "steel"
velocity = [0, "0.1 m/s"]
[[spring]]
on = "block"
stiffness = "31 kN/m"
`, slab)
		const v0, k = 0.1, 31e3
		m := s.Motions()[0]
		omega, home := math.Sqrt(k/m.Mass), m.Centre.Y
		var ends, at []float64 // the turning points, and when
		before, furthest, when := 1.0, 0.0, 0.0
		through(t, s, func() {
			m := s.Motions()[0]
			if m.Velocity.Y*before < 0 {
				ends, at, furthest = append(ends, furthest), append(at, when), 0
				before = m.Velocity.Y
			}
			if y := math.Abs(m.Centre.Y - home); y > furthest && len(ends) == 0 || (m.Centre.Y-home)*before > 0 && y > furthest {
				furthest, when = y, s.Time
			}
		})
		want, swing := v0/omega/math.Sqrt(1+a), 0.5*math.Pi/omega*(1/math.Sqrt(1-a)+1/math.Sqrt(1+a))
		if len(ends) < 2 {
			t.Fatalf("%g: %d turning points", a, len(ends))
		}
		for i := range min(3, len(ends)) {
			if math.Abs(ends[i]-want) > 5e-3*want {
				t.Errorf("%g: turning point %d at %g m, want %g", a, i, ends[i], want)
			}
			if i > 0 && math.Abs(at[i]-at[i-1]-swing) > 0.01*swing {
				t.Errorf("%g: swing %d took %g s, want %g", a, i, at[i]-at[i-1], swing)
			}
			want *= math.Sqrt((1 - a) / (1 + a))
		}
		e := s.Energies()
		if r := s.Relative(e); r > 1e-3 {
			t.Errorf("%g: the ledger is off by %g", a, r)
		}
		if left := e.Kinetic + e.Strain + e.SpringStored; math.Abs(0.5*m.Mass*v0*v0-left-e.DampingDissipated) > 1e-3*0.5*m.Mass*v0*v0 {
			t.Errorf("%g: of %g J %g are left and %g damped", a, 0.5*m.Mass*v0*v0, left, e.DampingDissipated)
		}
	}
}

// pressed is a block on a foot with a pressure on its top.
func pressed(schedule, more string) string {
	return `
[analysis]
duration = "10 ms"
plane = "stress"
` + more + `
[[material]]
name = "stone"
young = "20 GPa"
poisson = 0
density = 2500
[[body]]
name = "block"
material = "stone"
[[fix]]
on = "foot"
[[load]]
on = "head"
pressure = "1 MPa"
` + schedule
}

// A sudden load makes the block oscillate, and a run that is declared quasi-static reports it.
// Strong local damping brings the block to rest at Hooke's law, with the longest step that it
// allows. A slow load needs no damping.
func TestQuasiStatic(t *testing.T) {
	const want = 0.5 * 1e6 / 20e9 * 1e6 * 0.1 * 0.1 // strain energy of 1 MPa in 0.01 m3
	for _, c := range []struct {
		schedule, more string
		rest, says     string
	}{
		{"", "quasi_static = true", "", "more slowly"},
		{"", "quasi_static = false", "", ""},
		{"", "quasi_static = true\ndamping = { local = 0.9 }", "rests", ""},
		{"schedule = \"min(t/5e-3, 1)\"", "quasi_static = true\ndamping = { local = 0.7 }", "rests", ""},
	} {
		s := built(t, pressed(c.schedule, c.more), slab)
		through(t, s, nil)
		e, says := s.Energies(), s.TooFast()
		if (c.says == "") != (says == "") || !strings.Contains(says, c.says) {
			t.Errorf("%q %q: says %q, want %q", c.schedule, c.more, says, c.says)
		}
		if r := s.Relative(e); r > 1e-2 {
			t.Errorf("%q %q: the ledger is off by %g", c.schedule, c.more, r)
		}
		if c.rest != "" && (e.Kinetic > 1e-9*e.Strain || math.Abs(e.Strain-want) > 1e-3*want) {
			t.Errorf("%q %q: it ends with %g J of motion and %g J of strain, want %g", c.schedule, c.more, e.Kinetic, e.Strain, want)
		}
		t.Logf("%q %q: %d steps, %g J of %g, residual %g; %s", c.schedule, c.more, s.N, e.Kinetic, e.Strain, s.Relative(e), says)
	}
}
