package coulomb

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
	var g Stick
	move := func(slip float64) { g = f.Advance(g, p, f.Follow(7, g), slip, 0) }
	for i := range 29 {
		move(step)
		if g.Sliding || math.Abs(g.Friction+f.Stiffness*float64(i+1)*step) > 1e-3 {
			t.Fatalf("step %d: %+v", i, g)
		}
	}
	for range 5 { // the first of these reaches the limit
		move(2 * step)
		move(step)
		if !g.Sliding || math.Abs(g.Friction+0.2*p) > 1e-6*p {
			t.Fatalf("sliding: %+v", g)
		}
	}
	if move(-step); g.Sliding || math.Abs(g.Friction+f.Stiffness*(0.2e-6-step)) > 1 {
		t.Fatalf("turned round: %+v", g)
	}
	if g = f.Advance(g, 0, f.Stiffness, step, 0); g != (Stick{}) {
		t.Fatalf("without pressure: %+v", g)
	}
}

// A stick spring takes its stiffness from the law. It follows a tangent that changes much. It does
// not follow small changes to and fro.
func TestFollow(t *testing.T) {
	f := Friction{Kinetic: 0.2, Static: 0.2, Ratio: 0.8}
	for _, c := range []struct{ before, k, want float64 }{
		{0, 10, 8}, {8, 10, 8}, {8, 11, 8}, {8, 19, 8}, {8, 40, 16}, {8, 9, 7.2}, {6, 9, 6}, {8, 0, 0},
	} {
		if got := f.Follow(c.k, Stick{Stiffness: c.before}); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("from %g under %g: %g, want %g", c.before, c.k, got, c.want)
		}
	}
	if f = (Friction{Kinetic: 0.2, Stiffness: 3}); f.Follow(10, Stick{Stiffness: 3}) != 3 || f.Stiffest(10) != 10 || f.Stiffest(1) != 3 {
		t.Errorf("a constant stiffness: %g, at most %g and %g", f.Follow(10, Stick{}), f.Stiffest(10), f.Stiffest(1))
	}
	if f = (Friction{Stiffness: 30}); f.Stiffest(10) != 10 {
		t.Errorf("no friction has a stiffness of %g", f.Stiffest(10))
	}
}

// Whatever the history, in steps short against the spring's stretch, the traction stays within the
// static limit and friction creates no energy, with a constant spring and with one that follows a
// law that stiffens.
func TestStickSpringMakesNoEnergy(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewSource(rapid.Int64().Draw(rt, "seed")))
		f := Friction{Kinetic: 0.1 + 0.4*rng.Float64()}
		stiffness := math.Pow(10, 10+4*rng.Float64())
		if rng.Intn(2) == 0 {
			f.Stiffness = stiffness
		} else {
			f.Ratio = 1
		}
		f.Static = f.Kinetic + 0.3*rng.Float64()
		var g Stick
		last, loss, blur := 0.0, 0.0, 0.0
		for range 200 {
			p := 1e6 * max(0, rng.NormFloat64())
			slip := 0.005 * f.Kinetic * 1e6 / stiffness * rng.NormFloat64()
			before := g.Energy()
			spring := f.Follow(stiffness*math.Sqrt(p/1e6), g)
			g = f.Advance(g, p, spring, slip, 0)
			if math.Abs(g.Friction) > f.Static*p*(1+1e-12) {
				rt.Fatalf("traction %g under pressure %g", g.Friction, p)
			}
			loss += -0.5*(g.Friction+last)*slip - (g.Energy() - before)
			last = g.Friction
			blur += 0.5 * max(stiffness, spring) * slip * slip // what the trapezoidal rule may miss where a spring goes slack
			if loss < -blur {
				rt.Fatalf("friction has made %g J/m2", -loss)
			}
		}
	})
}

// Regularised friction whose range of linear speeds is zero is Coulomb's friction: it is zero at
// rest and has its full size in motion.
func TestRegularisedWithoutSpeed(t *testing.T) {
	f := Friction{Kinetic: 0.5}
	for slip, want := range map[float64]float64{0: 0, 1e-300: -1, -1: 1} {
		if got, _ := f.Regularised(2, slip, 0); got != want {
			t.Errorf("slip %g m/s: %g Pa, want %g Pa", slip, got, want)
		}
	}
}

// The law returns the speed below which friction is linear, which is the given one or greater, and
// the speed of the slip.
func TestRegularisedSpeed(t *testing.T) {
	f := Friction{Kinetic: 0.5, Speed: 1e-3}
	for _, c := range []struct{ least, speed, drag float64 }{{0, 1e-3, -0.5}, {4e-3, 4e-3, -0.125}} {
		if drag, at := f.Regularised(2, -0.5e-3, c.least); drag != -c.drag || at != (Speeds{c.speed, 0.5e-3}) {
			t.Errorf("not below %g m/s: %g Pa at %v m/s, want %g Pa and %g m/s", c.least, drag, at, -c.drag, c.speed)
		}
	}
}
