package results

import (
	"math"
	"testing"

	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// A remainder of rounding is reported as 0. A small number that is no remainder is kept.
func TestFloor(t *testing.T) {
	f := noiseFloor{least: 1e-15, kinetic: 1e-23, size: 0.1}
	for e, want := range map[float64]float64{-2.7e-18: 0, 1e-15: 0, 2e-15: 2e-15, -1e-9: -1e-9, 0: 0} {
		if got := f.energy(e); got != want {
			t.Errorf("an energy of %g is %g, want %g", e, got, want)
		}
	}
	if got := f.energy(math.NaN()); !math.IsNaN(got) {
		t.Errorf("no number becomes %g", got)
	}
	b := f.motion(system.BodyMotion{Mass: 0.05, Velocity: r2.Vec{X: 1.1e-17, Y: 0.25}, AngularVelocity: 1e-13, Momentum: r2.Vec{X: 5e-19, Y: 0.0125}})
	if b.Velocity != [2]float64{0, 0.25} || b.Momentum != [2]float64{0, 0.0125} || b.AngularVelocity != 0 {
		t.Errorf("the body does %+v", b)
	}
	if b := f.motion(system.BodyMotion{Mass: 0.05, Velocity: r2.Vec{X: 1e-6}, AngularVelocity: 1e-6}); b.Velocity[0] != 1e-6 || b.AngularVelocity != 1e-6 {
		t.Errorf("a slow body does %+v", b)
	}
	if b := f.motion(system.BodyMotion{Velocity: r2.Vec{X: 1e-30}}); b.Velocity[0] != 1e-30 {
		t.Errorf("a driven body does %+v", b)
	}
}
