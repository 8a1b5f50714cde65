package contactnodes

import (
	"math"
	"math/rand"
	"testing"

	"pgregory.net/rapid"
)

// A stick spring holds up to the static limit, then slides under the kinetic
// one, and holds again when the slip turns.
func TestStickSpring(t *testing.T) {
	f := Friction{Kinetic: 0.2, Static: 0.3, Stiffness: 1e12}
	const p, step = 1e6, 1e-8 // the static limit is 0.3e-6 m of stretch
	stretch, slides, traction := 0.0, false, 0.0
	for i := range 29 {
		traction, stretch, slides = f.stick(p, stretch, step, slides)
		if slides || math.Abs(traction+f.Stiffness*float64(i+1)*step) > 1e-3 {
			t.Fatalf("step %d: traction %g, slides %v", i, traction, slides)
		}
	}
	for range 5 { // the first of these reaches the limit
		_, stretch, slides = f.stick(p, stretch, 2*step, slides)
		traction, stretch, slides = f.stick(p, stretch, step, slides)
		if !slides || math.Abs(traction+0.2*p) > 1e-6*p {
			t.Fatalf("sliding: traction %g, slides %v", traction, slides)
		}
	}
	traction, stretch, slides = f.stick(p, stretch, -step, slides)
	if slides || math.Abs(traction+f.Stiffness*(0.2e-6-step)) > 1 {
		t.Fatalf("turned round: traction %g, slides %v", traction, slides)
	}
	if traction, stretch, _ = f.stick(0, stretch, step, slides); traction != 0 || stretch != 0 {
		t.Fatalf("without pressure: traction %g, stretch %g", traction, stretch)
	}
}

// Whatever the history, in steps short against the spring's stretch, the
// traction stays within the static limit and friction makes no energy.
func TestStickSpringMakesNoEnergy(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewSource(rapid.Int64().Draw(rt, "seed")))
		f := Friction{Kinetic: 0.1 + 0.4*rng.Float64(), Stiffness: math.Pow(10, 10+4*rng.Float64())}
		f.Static = f.Kinetic + 0.3*rng.Float64()
		stretch, slides, last, loss, blur := 0.0, false, 0.0, 0.0, 0.0
		for range 200 {
			p, slip := 1e6*max(0, rng.NormFloat64()), 0.005*f.Kinetic*1e6/f.Stiffness*rng.NormFloat64()
			before := stretch
			var traction float64
			traction, stretch, slides = f.stick(p, stretch, slip, slides)
			if math.Abs(traction) > f.Static*p*(1+1e-12) {
				rt.Fatalf("traction %g under pressure %g", traction, p)
			}
			loss += -0.5*(traction+last)*slip - 0.5*f.Stiffness*(stretch*stretch-before*before)
			last = traction
			blur += 0.5 * f.Stiffness * slip * slip // what the trapezoidal rule may miss where a spring goes slack
			if loss < -blur {
				rt.Fatalf("friction has made %g J/m2", -loss)
			}
		}
	})
}

// Without a speed below which it is linear, regularised friction is Coulomb's
// own: nothing holds it at rest, all of it in motion.
func TestRegularisedWithoutSpeed(t *testing.T) {
	f := Friction{Kinetic: 0.5}
	for slip, want := range map[float64]float64{0: 0, 1e-300: -1, -1: 1} {
		if got := f.regularised(2, slip, 0, 0); got != want {
			t.Errorf("slip %g m/s: %g Pa, want %g Pa", slip, got, want)
		}
	}
}
