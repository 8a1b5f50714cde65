package impulses_test

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/io/deck"
	"fdem/materials/elementary"
	"fdem/solver"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

var whole = flag.Bool("whole", false, "runs TestHopper and TestAngleOfRepose, minutes")

const g = 9.81

// scene is a deck of rigid bodies under construction.
type scene struct {
	strings.Builder
	blocks int
}

// begin returns a deck with a duration and gravity; more has further keys of [analysis].
func begin(duration float64, gravity r2.Vec, more string) *scene {
	s := &scene{}
	fmt.Fprintf(s, "[analysis]\nintegrator = \"impulses\"\nduration = %v\ngravity = [%v, %v]\n%s\n[output]\ncheckpoint_every = 0\n", duration, gravity.X, gravity.Y, more)
	return s
}

// under is weight on a slope of an angle.
func under(angle float64) r2.Vec { return r2.Vec{X: g * math.Sin(angle), Y: -g * math.Cos(angle)} }

func (s *scene) floor(from, to float64) *scene {
	fmt.Fprintf(s, "[[rigid]]\nname = \"floor\"\nshape = \"line\"\nfrom = [%v, 0]\nto = [%v, 0]\n", from, to)
	return s
}

// box adds a box, fixed with a density of 0.
func (s *scene) box(x, y, width, height, angle, density float64, more ...string) *scene {
	fmt.Fprintf(s, "[[rigid]]\nname = \"b%d\"\nshape = \"box\"\ncentre = [%v, %v]\nwidth = %v\nheight = %v\nangle = %v\n", s.blocks, x, y, width, height, angle)
	return s.free(density, more)
}

func (s *scene) disc(x, y, radius, density float64, more ...string) *scene {
	fmt.Fprintf(s, "[[rigid]]\nname = \"b%d\"\nshape = \"disc\"\ncentre = [%v, %v]\nradius = %v\n", s.blocks, x, y, radius)
	return s.free(density, more)
}

func (s *scene) polygon(corners []r2.Vec, density float64) *scene {
	var list []string
	for _, c := range corners {
		list = append(list, fmt.Sprintf("[%v, %v]", c.X, c.Y))
	}
	fmt.Fprintf(s, "[[rigid]]\nname = \"b%d\"\nshape = \"polygon\"\ncorners = [%s]\n", s.blocks, strings.Join(list, ", "))
	return s.free(density, nil)
}

func (s *scene) free(density float64, more []string) *scene {
	s.blocks++
	if density > 0 {
		fmt.Fprintf(s, "density = %v\n", density)
	}
	s.WriteString(strings.Join(more, "\n") + "\n")
	return s
}

func (s *scene) contact(friction, restitution float64) *scene {
	fmt.Fprintf(s, "[[contact]]\nname = \"all\"\ncontactor = \"all\"\nopposite = \"all\"\nfriction = %v\nrestitution = %v\n", friction, restitution)
	return s
}

// built returns a solver of a deck.
func built(t testing.TB, text string) *solver.Solver {
	t.Helper()
	d, err := deck.Parse("model.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Build(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run is a run with its bodies by name.
type run struct {
	*solver.Solver
	t     testing.TB
	first map[string]system.BodyMotion
}

func start(t testing.TB, s *scene) *run {
	r := &run{Solver: built(t, s.String()), t: t, first: map[string]system.BodyMotion{}}
	for _, m := range r.Motions() {
		r.first[m.Name] = m
	}
	return r
}

// to steps until a time, or until look returns true; it tells whether it did.
func (r *run) to(end float64, look func() bool) (met bool) {
	r.t.Helper()
	for r.Time < end-1e-9 {
		done := false
		if err := r.Step(0, func(dt float64) (bool, error) { done = dt == 0; return true, nil }); err != nil {
			r.t.Fatal(err)
		}
		if look != nil && look() {
			return true
		}
		if done {
			break
		}
	}
	return false
}

func (r *run) body(i int) system.BodyMotion {
	r.t.Helper()
	name := fmt.Sprintf("b%d", i)
	for k := range r.Rigids {
		if r.Rigids[k].Name == name {
			return r.Motions()[k]
		}
	}
	r.t.Fatalf("no body %s", name)
	return system.BodyMotion{}
}

// angle returns the rotation of a body since the start [rad].
func (r *run) angle(i int) float64 {
	for k := range r.Rigids {
		if r.Rigids[k].Name == fmt.Sprintf("b%d", i) {
			return r.RigidMotions[k].Angle
		}
	}
	return math.NaN()
}

// moved returns the greatest displacement of a centre [m].
func (r *run) moved() (most float64) {
	for _, m := range r.Motions() {
		most = max(most, elementary.Norm(r2.Sub(m.Centre, r.first[m.Name].Centre)))
	}
	return most
}

// within fails if a number is farther from what it should be than a share of that.
func within(t testing.TB, what string, got, want, share float64) {
	t.Helper()
	t.Logf("%s: %.6g, theory %.6g, difference %+.3g %%", what, got, want, 100*(got/want-1))
	if !(math.Abs(got-want) <= share*math.Abs(want)) {
		t.Errorf("%s is %g, want %g within %g %%", what, got, want, 100*share)
	}
}

// closes fails unless the residual of the ledger is the errors of solver and positions, to rounding.
func closes(t testing.TB, s *solver.Solver, moved float64) {
	t.Helper()
	// the ledger is up to date only at the instant of a step's forces
	if err := s.Step(0, func(float64) (bool, error) { return false, nil }); err != nil {
		t.Fatal(err)
	}
	e := s.Energies()
	left := e.Residual + e.SolverError + e.PositionError
	t.Logf("ledger: kinetic %.4g, work %.4g, heat %.4g, impacts %.4g, solver %.3g, positions %.3g, left %.2g of %.4g J", e.Kinetic, e.ExternalWork, e.FrictionDissipated, e.ImpactLoss, e.SolverError, e.PositionError, left, moved)
	if !(math.Abs(left) < 1e-9*moved) {
		t.Errorf("%g J of %g J are missing in the ledger", left, moved)
	}
}

// fallTime returns the time in which th” = p2 sin(from + th) goes from rest at 0 to an angle.
func fallTime(p2, from, to float64) float64 {
	t, th, om := 0.0, 0.0, 0.0
	const h = 1e-5
	f := func(x float64) float64 { return p2 * math.Sin(from+x) }
	for th < to {
		k1, l1 := om, f(th)
		k2, l2 := om+h/2*l1, f(th+h/2*k1)
		k3, l3 := om+h/2*l2, f(th+h/2*k2)
		k4, l4 := om+h*l3, f(th+h*k3)
		th, om, t = th+h/6*(k1+2*k2+2*k3+k4), om+h/6*(l1+2*l2+2*l3+l4), t+h
	}
	return t
}
