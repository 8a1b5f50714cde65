package impulses_test

import (
	"fmt"
	"math"
	"testing"
)

// spring adds a spring with keys.
func (s *scene) spring(keys string) *scene {
	fmt.Fprintf(s, "[[spring]]\n%s\n", keys)
	return s
}

// period steps until a value has passed zero upwards a number of times, and returns the mean time between.
func (r *run) period(times int, value func() float64) float64 {
	last, first, n := value(), 0.0, 0
	r.to(r.Duration, func() bool {
		v := value()
		if last < 0 && v >= 0 {
			at := r.Time - r.Last*v/(v-last)
			if n++; n == 1 {
				first = at
			} else if n > times {
				first = (at - first) / float64(times)
				return true
			}
		}
		last = v
		return false
	})
	return first
}

// Two blocks joined by a spring, and a body on a rotational one, have the periods of theory, with the automatic
// step and with long ones, and their energy does not drift.
func TestSpringPeriods(t *testing.T) {
	for _, step := range []string{"", "step = 2e-3"} {
		s := begin(3, under(0), step)
		s.box(0, 0, 0.2, 0.2, 0, 1000, "velocity = [0.1, 0]").box(1, 0, 0.2, 0.2, 0, 2000).box(3, 0, 0.4, 0.1, 0, 1000, "angular_velocity = 1")
		s.contact(0.5, 0).spring("name = \"pair\"\non = \"b0\"\nto = \"b1\"\nstiffness = 1e5").spring("name = \"turn\"\non = \"b2\"\nrotation_stiffness = 1e3")
		r := start(t, s)
		share := 2e-4
		if step != "" {
			share = 6e-3 // leapfrog: (omega h)^2/24
		}
		y := r.body(0).Centre.Y
		got := r.period(8, func() float64 { return r.body(0).Centre.X - r.body(1).Centre.X + 1 })
		within(t, "period of the pair", got, 2*math.Pi/math.Sqrt(1e5/(40.*80/120)), share)
		within(t, "fall", y-r.body(0).Centre.Y, 0.5*g*r.Time*r.Time, 1e-6)
		r = start(t, s)
		inertia := 40. / 12 * (0.16 + 0.01)
		got = r.period(8, func() float64 { return r.angle(2) })
		within(t, "period of rotation", got, 2*math.Pi*math.Sqrt(inertia/1e3), share)
		r.to(3, nil)
		if err := r.Step(0, func(float64) (bool, error) { return false, nil }); err != nil {
			t.Fatal(err)
		}
		e := r.Energies()
		moved := 0.2 + 0.5*inertia
		t.Logf("stored %.4g J, residual %.3g of %.3g J", e.SpringStored, e.Residual, moved)
		if !(math.Abs(e.Residual) < share*moved) {
			t.Errorf("the energy drifts by %g J", e.Residual)
		}
	}
}

// A block on a floor that is drawn by a spring with a dashpot slides when the spring has the force of
// friction; a block on a cable hangs at rest with its weight in it, and a slack cable has no force.
func TestSpringAndFriction(t *testing.T) {
	s := begin(2, under(0), "").floor(-10, 10).box(0, 0.1, 0.2, 0.2, 0, 1000)
	s.box(1, 2, 0.1, 0.1, 0, 1000).box(-2, 0.1, 0.2, 0.2, 0, 1000)
	s.WriteString("[[rigid]]\nname = \"hand\"\nshape = \"disc\"\ncentre = [3, 0.1]\nradius = 0.01\nmotion = { velocity = [0.1, 0] }\n")
	s.contact(0.5, 0).spring("name = \"drawn\"\non = \"b0\"\nto = \"hand\"\nstiffness = 2e3\ndamping = 100")
	s.spring("name = \"cable\"\non = \"b1\"\nto_at = [1, 3]\nstiffness = 1e5\nonly = \"tension\"\ndamping = 500")
	s.spring("name = \"slack\"\non = \"b2\"\nto_at = [-2, 1]\nstiffness = 1e5\nonly = \"tension\"\nfree_length = 2")
	r := start(t, s)
	moved := -1.0
	r.to(2, func() bool {
		if moved < 0 && r.body(0).Centre.X > 1e-6 {
			moved = r.Time
		}
		return false
	})
	within(t, "time of the first slip", moved, (0.5*40*g-100*0.1)/(2e3*0.1), 0.01)
	within(t, "sag", 2-r.body(1).Centre.Y, 10*g/1e5, 1e-3)
	if r.moved() > 1 || math.Abs(r.body(2).Centre.Y-0.1) > 1e-6 {
		t.Errorf("the block below the slack cable is at %g m", r.body(2).Centre.Y)
	}
	if err := r.Step(0, func(float64) (bool, error) { return false, nil }); err != nil {
		t.Fatal(err)
	}
	e := r.Energies()
	t.Logf("residual %.3g J of %.3g J", e.Residual, e.ExternalWork)
	if !(math.Abs(e.Residual) < 0.01*e.ExternalWork) {
		t.Errorf("residual %g J of %g J", e.Residual, e.ExternalWork)
	}
	forces := map[string]float64{}
	for _, f := range r.Results.Kinds.Springs.Forces() {
		forces[f.Name] = f.Force
	}
	within(t, "cable", forces["cable"], 10*g, 1e-3)
}
