package fracture

import (
	"math"
	"testing"

	"fdem/fem"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// The stress threshold of several regions is passed wherever that of one of them is, at any stress; the
// same region again changes nothing.
func TestThresholdOfSeveralRegions(t *testing.T) {
	above := func(a fem.StressThreshold, p, r float64) bool { return p+r > a.Tension || r+a.Slope*p > a.Shear }
	rapid.Check(t, func(t *rapid.T) {
		var own []fem.StressThreshold
		var all fem.StressThreshold
		for range rapid.IntRange(1, 4).Draw(t, "regions") {
			r := region{weakest: rapid.Float64Range(0.3, 1).Draw(t, "weakest")}
			r.Law = &cohesive.Law{Strength: cohesive.Strength{
				Tension: rapid.Float64Range(1e-3, 10).Draw(t, "tension"), Cohesion: rapid.Float64Range(1e-3, 10).Draw(t, "cohesion"), Friction: rapid.Float64Range(0, 3).Draw(t, "friction"),
			}}
			r.Prescribed = rapid.Bool().Draw(t, "led")
			own = append(own, r.stressThreshold())
			all = either(all, r.stressThreshold())
			if again := either(all, r.stressThreshold()); again != all {
				t.Fatalf("%+v with the same region again is %+v", all, again)
			}
		}
		if all.Tension <= 0 || all.Shear <= 0 {
			t.Fatalf("limits must be positive: %+v", all)
		}
		if len(own) == 1 && all != own[0] {
			t.Fatalf("%+v of one region is %+v", own[0], all)
		}
		p, r := rapid.Float64Range(-30, 10).Draw(t, "p"), rapid.Float64Range(0, 30).Draw(t, "r")
		for _, a := range own {
			if above(a, p, r) && !above(all, p, r*(1+1e-12)) {
				t.Fatalf("%+v is passed at p = %g, r = %g, %+v is not", a, p, r, all)
			}
		}
	})
}

// A layer one triangle thick between joints that are weaker in tension but stronger in
// shear shears under pressure as soon as its own strength is reached.
func TestThinLayerUnderPressure(t *testing.T) {
	const h, cohesion = 10e-3, 2e6
	s := bar()
	s.plane = bulk.PlaneStress
	n := inclined(8*h, 3*h, 8, 3, 0)
	joint, layer := s.law, s.law
	joint.TensileStrength, joint.Cohesion, joint.Friction = 1e6, 50e6, 1
	layer.TensileStrength, layer.Cohesion, layer.Friction = 10e6, cohesion, 0
	within := func(p r2.Vec) bool { return math.Abs(p.Y-1.5*h) < 0.6*h }
	for _, used := range []float64{0.95, 1.05} {
		b := newLayered(t, n, s, []cohesive.Parameters{joint, layer}, func(p, q r2.Vec) int32 {
			switch {
			case !within(p) || !within(q):
				return -1
			case math.Abs(p.Y-q.Y) < 1e-9:
				return 0
			}
			return 1
		})
		e := -2 * used * cohesion / s.young // shear of half the pressure on the diagonals
		for i := range b.x {
			b.x[i] = r2.Vec{X: b.x0[i].X * (1 - s.poisson*e), Y: b.x0[i].Y * (1 + e)}
		}
		b.AddForces(b.f, b.x, 0)
		if opens := b.Open(b.x, b.v, b.mass, 0) > 0; opens != (used > 1) {
			t.Errorf("at %g of the layer's shear strength: vertices open is %v", used, opens)
		}
	}
}
