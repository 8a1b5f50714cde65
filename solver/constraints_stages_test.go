package solver_test

import (
	"math"
	"strings"
	"testing"

	"fdem/fem"
)

// bars is two bars of 1 m, each of 1 MN/m, with a gap of 0.1 mm between them; the outer ends are held.
const bars = `
[[rectangle]]
name = "left"
from = [0, 0]
to = ["1 m", "0.1 m"]
edge = "50 mm"
left = "far left"
right = "end"
[[rectangle]]
name = "other"
from = ["1.0001 m", 0]
to = ["2.0001 m", "0.1 m"]
edge = "50 mm"
left = "opposite"
right = "far right"
`

// onBars is their deck, with a load on the end of the left one that is 10 N at 0.5 s and then LATER times that.
const onBars = `analysis = { type = "static", increments = 8, thickness = "10 mm" }
[[material]]
name = "bar"
young = "1 GPa"
poisson = 0
density = 1000
[[body]]
name = "left"
material = "bar"
[[body]]
name = "other"
material = "bar"
[[fix]]
on = "far left"
[[fix]]
on = "far right"
[[load]]
on = "end"
force = ["10 N", 0]
schedule = [[0, 0], [0.5, 1], [0.75, LATER], [1, LATER]]
`

// Supports of a static analysis that come take what they find as free of load, and those that go leave
// the rest to others.
func TestSupportsComeAndGoInBalance(t *testing.T) {
	for name, c := range map[string]struct {
		deck, later string
		at          map[float64]float64 // displacement of the end at some times [10 um]
		reaction    float64             // of "grip" at the end [N]
	}{
		"a fix comes":  {"[[fix]]\non = \"end\"\nname = \"grip\"\ntime = 0.5\n", "0", map[float64]float64{0.5: 1, 0.75: 1, 1: 1}, 10},
		"a fix goes":   {"[[fix]]\non = \"end\"\nname = \"grip\"\nuntil = 0.5\nramp = 0.5\n", "1", map[float64]float64{0.5: 0, 0.75: 0.5, 1: 1}, 0},
		"a tie comes":  {"[[tie]]\non = \"end\"\nto = \"opposite\"\ngap = \"2 mm\"\ntime = 0.5\n", "2", map[float64]float64{0.5: 1, 0.75: 1.5, 1: 1.5}, 0},
		"and goes":     {"[[tie]]\non = \"end\"\nto = \"opposite\"\ngap = \"2 mm\"\ntime = 0.5\nuntil = 0.75\nramp = 0.25\n", "2", map[float64]float64{0.5: 1, 0.75: 1.5, 1: 2}, 0},
		"a bolt comes": {"[[bolt]]\nname = \"anchor\"\nfrom = [\"0.51 m\", \"52 mm\"]\nto = [\"1.5001 m\", \"52 mm\"]\narea = 1e-4\nyoung = \"10 GPa\"\nbond_stiffness = 1e12\nfree_length = \"0.4902 m\"\ntime = 0.5\nuntil = 0.75\nramp = 0.25\n", "2", map[float64]float64{0.5: 1, 1: 2}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := built(t, strings.ReplaceAll(onBars, "LATER", c.later)+c.deck, bars)
			end := 0
			for n, x := range s.Mesh.X {
				if x.X == 1 && x.Y == 0 {
					end = n
				}
			}
			seen := 0
			through(t, s, func() {
				want, is := c.at[s.Time]
				if !is {
					return
				}
				seen++
				got := 1e5 * (s.X[end].X - 1)
				t.Logf("%.4g s: the end has moved by %.6g times 10 um, want %.6g", s.Time, got, want)
				if math.Abs(got-want) > 2e-3 {
					t.Errorf("at %g s the end has moved by %g times 10 um, want %g", s.Time, got, want)
				}
			})
			var reaction float64
			for _, r := range s.MeanReactions() {
				if r.Name == "grip" {
					reaction = r.Force.X
				}
			}
			if seen != len(c.at) || math.Abs(reaction-c.reaction) > 2e-2 {
				t.Errorf("%d of %d times seen; reaction %g N, want %g", seen, len(c.at), reaction, c.reaction)
			}
			if r := s.Relative(s.Energies()); r > 1e-3 {
				t.Errorf("residual %g", r)
			}
		})
	}
}

// props is a strut of beams, a prop behind it that comes and goes, and loads on the point between them.
const props = `analysis = ANALYSIS
[[material]]
name = "steel"
young = "1 GPa"
poisson = 0
density = 1000
[[beam]]
name = "strut"
material = "steel"
height = "100 mm"
width = "10 mm"
[[beam]]
name = "prop"
material = "steel"
height = "50 mm"
width = "10 mm"
time = 0.5
until = 0.75
ramp = 0.125
[[fix]]
on = "near"
components = ["x", "y", "rotation"]
[[fix]]
on = "far"
components = ["x", "y", "rotation"]
[[load]]
on = "between"
force = ["1 kN", 0]
schedule = SCHEDULE
`

// A prop of a beam carries its share of what comes after it, and nothing after it has been taken out; in
// balance and in slow motion.
func TestBeamsComeAndGo(t *testing.T) {
	for name, c := range map[string]struct {
		analysis, schedule string
		allowed            float64
	}{
		"in balance": {`{ type = "static", increments = 64 }`, "[[0, 0], [0.5, 1], [0.75, 1.6]]", 1e-3},
		"in motion":  {`{ duration = "1 s", damping = { mass = "200 1/s" } }`, `"min(t / 0.4, 1) + 0.6 * min(max(t - 0.5, 0) / 0.2, 1)"`, 1e-2},
	} {
		t.Run(name, func(t *testing.T) {
			shapes := "[[line]]\nname = \"strut\"\nfrom = [0, 0]\nto = [\"1 m\", 0]\nedge = \"0.25 m\"\nstart = \"near\"\nend = \"between\"\n[[line]]\nname = \"prop\"\nfrom = [\"1 m\", 0]\nto = [\"2 m\", 0]\nedge = \"0.25 m\"\nstart = \"between\"\nend = \"far\"\n"
			s := built(t, strings.NewReplacer("ANALYSIS", c.analysis, "SCHEDULE", c.schedule).Replace(props), shapes)
			forces := make([]fem.BeamForces, len(s.Mesh.Beams))
			most := 0.0
			through(t, s, func() {
				s.Kinds.Beams.ForcesNow(forces)
				if s.Time <= 0.75 {
					most = forces[len(forces)-1].N
				}
			})
			strut, prop := forces[0].N, forces[len(forces)-1].N
			e := s.Energies()
			t.Logf("prop %.6g N, then %.6g; strut %.6g; residual %.2g", most, prop, strut, s.Relative(e))
			if want := -600 / 3.0; math.Abs(most-want) > c.allowed*1600 || prop != 0 || math.Abs(strut-1600) > c.allowed*1600 {
				t.Errorf("the prop carries %g N, want %g, then %g; the strut %g N, want 1600", most, want, prop, strut)
			}
			if s.Relative(e) > c.allowed {
				t.Errorf("residual %g", s.Relative(e))
			}
		})
	}
}
