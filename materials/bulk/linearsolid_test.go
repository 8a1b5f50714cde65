package bulk

import (
	"math"
	"testing"
)

// A shear that is held relaxes as the branches say.
func TestStandardLinearSolid(t *testing.T) {
	var of struct {
		G0, Ginf, Tau, Gamma float64
		Rows                 []struct{ T, Stress float64 }
	}
	reference(t, "standard_linear_solid", &of)
	e := Elastic{Young: 2 * of.G0 * 1.3, Poisson: 0.3}
	for _, plane := range []Plane{PlaneStress, PlaneStrain} {
		p := newPoint(build(t, "linear-solid", sample{e, Constants{Curve: map[string][][2]float64{"branches": {{1 - of.Ginf/of.G0, of.Tau}}}}}), plane)
		// pure shear: diag(exp g/2, exp -g/2) in axes at 45 degrees has a stress G g
		a := math.Exp(of.Gamma / 2)
		at := 0.0
		for _, r := range of.Rows {
			for k := 0; at < r.T; k++ {
				p.in.Step = min(of.Tau/37, r.T-at)
				at += p.in.Step
				p.to([4]float64{a, 0, 0, 1 / a})
			}
			if r.T == 0 {
				p.to([4]float64{a, 0, 0, 1 / a})
			}
			near(t, "stress", p.out.TXX[0], r.Stress, 1e-9)
		}
	}
}

// Slow strain has the long-term modulus, fast strain the instantaneous one. A closed cycle of
// strain dissipates the energy of the dashpots.
func TestLinearSolidByRate(t *testing.T) {
	l := build(t, "linear-solid", sample{metal, Constants{Curve: map[string][][2]float64{"branches": {{0.5, 1e-3}}}}})
	for _, c := range []struct{ step, share float64 }{{1e-12, 1}, {1e6, 0.5}} {
		p := newPoint(l, PlaneStrain)
		p.in.Step = c.step
		p.to([4]float64{1, 1e-6, 0, 1})
		_, g := metal.BulkShear()
		near(t, "shear", p.out.TXY[0], 1e-6*g*c.share, 1e-5)
	}
}

func TestRefusedBranches(t *testing.T) {
	m, _ := Lookup("linear-solid")
	for _, b := range [][][2]float64{nil, {{0.5, 0}}, {{-0.1, 1}}, {{0.6, 1}, {0.6, 2}}} {
		if _, err := m.Build(metal, Constants{Curve: map[string][][2]float64{"branches": b}}); err == nil {
			t.Errorf("%v is taken", b)
		}
	}
}
