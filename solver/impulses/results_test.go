package impulses_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/solver/quantity"
	"fdem/solver/system"
)

// columns returns the row of the history at the present time.
func (r *run) columns() map[string]float64 {
	r.t.Helper()
	var e system.Energies
	if err := r.Step(0, func(float64) (bool, error) { e = r.Energies(); return false, nil }); err != nil {
		r.t.Fatal(err)
	}
	out := map[string]float64{}
	r.Row(&e, func(c quantity.Column, v float64) { out[c.Name()] = v })
	return out
}

// Columns of contacts and probes have the values and signs of explicit runs: of a block that rests on a floor under a
// force along it, whichever of the two is the contactor.
func TestColumnsAreThoseOfExplicitRuns(t *testing.T) {
	for _, sides := range [][2]string{{"b0", "floor"}, {"floor", "b0"}, {"all", "all"}, {"all", "floor"}} {
		for _, push := range []float64{100, -150} {
			s := begin(0.1, under(0), "").floor(-2, 2).box(0.5, 0.15, 0.2, 0.3, 0, 2000)
			fmt.Fprintf(s, "[[load]]\non = \"b0\"\nforce = [%v, 0]\n[[contact]]\nname = \"c\"\ncontactor = %q\nopposite = %q\nfriction = 0.4\n", push, sides[0], sides[1])
			s.WriteString("[[probe]]\nname = \"p\"\non = \"b0\"\nquantity = \"contact_force\"\n")
			by := start(t, s)
			by.to(0.1, nil)
			explicit := &run{Solver: built(t, strings.Replace(s.String(), "integrator = \"impulses\"\n", "", 1)), t: t}
			explicit.to(0.1, nil)
			got, want := by.columns(), explicit.columns()
			for _, name := range []string{"c.normal", "c.tangential", "c.fx", "c.fy", "c.moment", "floor.fx", "floor.fy", "floor.moment"} {
				if _, there := got[name]; !there || math.Abs(got[name]-want[name]) > 1e-4*120*g {
					t.Errorf("%s on %s, %g N: %s is %g, explicit %g", sides[0], sides[1], push, name, got[name], want[name])
				}
			}
			if math.Abs(got["p.x"]+push) > 1e-3 || math.Abs(got["p.y"]-120*g) > 1e-3 {
				t.Errorf("%s on %s: the probe has (%g, %g) N", sides[0], sides[1], got["p.x"], got["p.y"])
			}
		}
	}
}

// A probe of a particle as a disc has its motion and the force of contact on it.
func TestProbeOfAParticle(t *testing.T) {
	s := begin(1, under(0.2), "").floor(-1, 10)
	s.WriteString("[[particle]]\nname = \"p\"\nposition = [0, 0.01]\nradius = 0.01\ngrid = [3, 1]\nspacing = 0.05\ndensity = 2500\n")
	for _, q := range []string{"position", "displacement", "velocity", "rotation", "contact_force"} {
		fmt.Fprintf(s, "[[probe]]\nname = %q\nparticle_near = [0.06, 0]\nquantity = %q\n", q, q)
	}
	r := start(t, s.contact(0.5, 0))
	r.to(1, nil)
	got, speed, weight := r.columns(), g*math.Sin(0.2)/1.4, 2500*4./3*math.Pi*1e-6*g
	within(t, "velocity", got["velocity.x"], speed, 1e-3)
	within(t, "way", got["displacement.x"], speed/2, 2e-3)
	within(t, "position", got["position.x"], 0.05+got["displacement.x"], 1e-9)
	within(t, "angle", got["rotation.angle"], -got["displacement.x"]/0.01, 1e-3)
	within(t, "force", got["contact_force.y"], weight*math.Cos(0.2), 1e-3)
	within(t, "friction", got["contact_force.x"], -weight*math.Sin(0.2)*2/7, 2e-3)
}
