package impulses_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// What a lift or a table carries along, and what a wall pushes, follows a motion that accelerates without being lost or
// left in it, under the force of its mass.
func TestCarriedAlong(t *testing.T) {
	for _, c := range []struct {
		what     string
		at       r2.Vec
		x, y     string
		friction float64
	}{
		{"lift", r2.Vec{Y: -0.5}, "0", "-0.5 + 0.05*(1 - cos(4*pi*t))", 0.3},
		{"table", r2.Vec{Y: -0.5}, "0.01*(1 - cos(4*pi*t))", "-0.5", 0.3},
		{"wall", r2.Vec{X: -0.7, Y: 0.5}, "-0.7 + 2*t^2", "0.5", 0},
	} {
		s := begin(1, under(0), "")
		fmt.Fprintf(s, "[[rigid]]\nname = \"drive\"\nshape = \"box\"\ncentre = [%v, %v]\nwidth = 1\nheight = 1\nmotion = [\"%s\", \"%s\"]\n", c.at.X, c.at.Y, c.x, c.y)
		if c.what == "wall" {
			s.floor(-2, 5)
		}
		r := start(t, s.box(0, 0.1, 0.4, 0.2, 0, 1500).contact(c.friction, 0))
		worst, force := 0.0, 0.0
		r.to(1, func() bool {
			off := r2.Sub(r2.Sub(r.body(0).Centre, r.Motions()[0].Centre), r2.Sub(r2.Vec{Y: 0.1}, c.at))
			if c.what == "wall" {
				off.Y = 0
			}
			worst = max(worst, r2.Norm(off))
			if c.what == "lift" { // the mean of a step, in its middle
				want := 120 * (g + 0.05*16*math.Pi*math.Pi*math.Cos(4*math.Pi*(r.Time-0.5*r.Last)))
				force = max(force, math.Abs(r.ContactForces()[0].Normal-want))
			}
			return false
		})
		e := r.Energies()
		t.Logf("%s: the box is off by %.2g m and %.2g N; errors of solver %.2g J, positions %.2g J, work %.4g J", c.what, worst, force, e.SolverError, e.PositionError, e.ExternalWork)
		if !(worst < 3e-6) || !(force < 4) {
			t.Errorf("%s: the box is off by %g m, its force by %g N", c.what, worst, force)
		}
		if !(math.Abs(e.SolverError)+math.Abs(e.PositionError) < 2e-4*120*g) {
			t.Errorf("%s: errors of %g and %g J", c.what, e.SolverError, e.PositionError)
		}
		closes(t, r.Solver, 120)
	}
}
