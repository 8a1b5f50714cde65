package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/examples/cases"
)

// A lining on nodes of its own, joined to the wall by an interface, carries what Einstein and Schwartz give
// for a lining that cannot slip and for one that slips freely, with the moment of straight beams.
func TestLiningOnInterface(t *testing.T) {
	for _, c := range []struct {
		name, keys    string
		want, allowed [3]float64
	}{
		{"bonded", "interface = {}", [3]float64{1.03294e6, 3.22601e5, 1.68176e4}, [3]float64{0.01, 0.02, 0.03}},
		{"slips", "interface = { friction = 0 }", [3]float64{1.03294e6, 7115.61, 2.13468e4}, [3]float64{0.01, 0.03, 0.03}},
	} {
		for _, in := range []struct{ name, analysis, dig string }{
			{"in balance", `type = "static", increments = 4`, "time = 0.1\nramp = 0.8"},
			{"in motion", `duration = "1.3 s", damping = { mass = "20 1/s" }`, `ramp = "0.8 s"`},
		} {
			t.Run(c.name+" "+in.name, func(t *testing.T) {
				if in.name == "in motion" {
					cases.WithAll(t)
				}
				s := onMesh(t, fmt.Sprintf(linedTunnel, in.analysis, "after = \"tunnel\"\nrelaxation = \"40 %\"\n"+c.keys, in.dig), linedMesh())
				through(t, s, nil)
				checkLining(t, s, c.want, c.allowed)
			})
		}
	}
}

// skinned is a block with a skin of beams along its top on a soft interface, which a support moves.
const skinned = `analysis = { %s, thickness = 0.1 }
` + granite + `
[[body]]
name = "block"
material = "granite"
[[beam]]
name = "skin"
material = "granite"
height = "20 mm"
interface = { friction = 0.5, cohesion = "2 MPa", tensile_strength = "1 MPa", normal_stiffness = "5 GPa/m" }
[[fix]]
on = "bottom"
[[drive]]
on = "skin"
displacement = [%s]
`

const skinnedBlock = `
[[rectangle]]
name = "block"
from = [0, 0]
to = ["0.4 m", "0.1 m"]
edge = "50 mm"
bottom = "bottom"
top = "skin"
`

// The bond of a lining holds to its tensile strength, or to cohesion and friction; what is left then
// is friction. What it takes is what slips and breaks.
func TestBondOfLining(t *testing.T) {
	const area, stiffness = 0.4 * 0.1, 5e9 // m2, Pa/m
	for _, c := range []struct {
		name, way        string
		most, left, lost float64 // of the force [N], [J]
	}{
		{"drawn off", `0, "4e-4*t/T"`, 1e6 * area, 0, 0.5 * 1e6 * 1e6 / stiffness * area},
		{"sheared", `"1e-3*max(0, t/T - 0.2)", "-2e-4*min(1, 5*t/T)"`, 2.5e6 * area, 0.5e6 * area, 0.5*(2.5e6*2.5e6-0.5e6*0.5e6)/stiffness*area + 0.5e6*area*(8e-4-2.5e6/stiffness)},
	} {
		for _, in := range []struct{ name, analysis, end string }{
			{"in balance", `type = "static", increments = 100`, "1"},
			{"in motion", `duration = "20 ms", damping = { mass = "500 1/s" }`, "0.02"},
		} {
			t.Run(c.name+" "+in.name, func(t *testing.T) {
				s := built(t, fmt.Sprintf(skinned, in.analysis, strings.ReplaceAll(c.way, "T", in.end)), skinnedBlock)
				along := 0
				if c.name == "drawn off" {
					along = 1
				}
				most, last := 0.0, 0.0
				through(t, s, func() {
					for _, r := range s.Reactions() {
						if r.Name == "skin" {
							last = math.Abs([2]float64{r.Force.X, r.Force.Y}[along])
							most = max(most, last)
						}
					}
				})
				e := s.Energies()
				t.Logf("greatest %.6g N of %.6g, last %.6g N of %.6g; dissipated %.4g J of %.4g, residual %.3g", most, c.most, last, c.left, e.LiningDissipated, c.lost, s.Relative(e))
				if math.Abs(most/c.most-1) > 0.01 || math.Abs(last-c.left) > 0.01*c.most || math.Abs(e.LiningDissipated/c.lost-1) > 0.02 || s.Relative(e) > 1e-6 {
					t.Errorf("the bond bears %g N and then %g N, and takes %g J; residual %g", most, last, e.LiningDissipated, s.Relative(e))
				}
			})
		}
	}
}
