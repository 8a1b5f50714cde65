package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// blockOnSlope is a slope of 5 m by 1 m at an angle [rad] with a block of 2 m by 1 m on it: one
// body or two on a joint, or with contact between them for none.
func blockOnSlope(angle, edge float64, joined int) *mesh.Source {
	src := &mesh.Source{Name: "block"}
	n := int(math.Round(1 / edge))
	cos, sin := math.Cos(angle), math.Sin(angle)
	grid := func(ids map[[2]int]int32, g *mesh.SourceGroup, from, to, low, high int) {
		node := func(i, j int) int32 {
			id, ok := ids[[2]int{i, j}]
			if !ok {
				x, y := float64(i)*edge, float64(j-n)*edge
				id = src.AddNode(r2.Vec{X: x*cos - y*sin, Y: x*sin + y*cos})
				ids[[2]int{i, j}] = id
			}
			return id
		}
		for j := low; j < high; j++ {
			for i := from; i < to; i++ {
				a, b, c, d := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
				if (i+j)%2 == 1 {
					a, b, c, d = b, c, d, a
				}
				g.Elements = append(g.Elements, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
			}
		}
	}
	slope, block := mesh.SourceGroup{Name: "slope", Dim: 2, Number: 1}, mesh.SourceGroup{Name: "block", Dim: 2, Number: 2}
	below := map[[2]int]int32{}
	above := below
	if joined == 0 {
		above = map[[2]int]int32{}
	}
	grid(below, &slope, 0, 5*n, 0, n)
	grid(above, &block, 2*n, 4*n, n, 2*n)
	if src.Groups = []mesh.SourceGroup{slope, block}; joined == 1 {
		slope.Name, slope.Elements = "rock", append(slope.Elements, block.Elements...)
		src.Groups = []mesh.SourceGroup{slope}
	}
	line := func(ids map[[2]int]int32, name string, from, to, j int) {
		g := mesh.SourceGroup{Name: name, Dim: 1, Number: 3 + len(src.Groups)}
		for i := from; i < to; i++ {
			g.Elements = append(g.Elements, src.AddLine(ids[[2]int{i, j}], ids[[2]int{i + 1, j}]))
		}
		src.Groups = append(src.Groups, g)
	}
	line(below, "bottom", 0, 5*n, 0)
	line(above, "top", 2*n, 4*n, 2*n)
	if joined > 0 {
		line(below, "joint", 2*n, 4*n, n)
	}
	return src
}

// A block on elastic rock rests up to 0.99 of what friction holds, and slides as Coulomb says
// from 1.02 on, whether it lies on a joint or on a contact, and however its weight comes. It
// hopped and crept by 20 to 150 mm before whole bodies were damped.
func TestBlockNearItsLimit(t *testing.T) {
	const g, time = 9.81, 0.5
	for _, c := range []struct {
		angle, share, edge, ramp float64
		joined                   int // bodies on a joint, 0 for contact
	}{
		{15, 0.99, 0.25, 0, 0}, {15, 0.99, 0.25, 0.05, 1}, {30, 0.98, 0.25, 0.2, 2}, {30, 0.99, 0.25, 0, 1}, {30, 0.99, 0.25, 0.02, 0},
		{30, 0.98, 0.125, 0, 0}, {45, 0.95, 0.25, 0.05, 1}, {45, 0.98, 0.25, 0, 0}, {45, 0.99, 0.25, 0.2, 2}, {50, 0.98, 0.25, 0, 1},
		{15, 1.02, 0.25, 0, 0}, {15, 1.05, 0.25, 0.05, 2}, {30, 1.02, 0.25, 0.2, 1}, {30, 1.05, 0.25, 0, 0}, {30, 1.05, 0.125, 0.2, 0}, {45, 1.05, 0.25, 0.02, 1}, {50, 1.05, 0.25, 0, 0},
	} {
		a := c.angle * math.Pi / 180
		friction := math.Tan(a) / c.share
		text := onJoint(max(c.joined, 1), friction, "")
		if c.joined == 0 {
			text = strings.Replace(onJoint(2, friction, ""), "[[joint]]\non = \"joint\"\n", "[[contact]]\ncontactor = \"block\"\nopposite = \"slope\"\n", 1)
		}
		if c.ramp > 0 {
			text = strings.Replace(text, "gravity = ", fmt.Sprintf("gravity_schedule = [[0, 0], [%g, 1]]\ngravity = ", c.ramp), 1)
		}
		s := meshed(t, text, blockOnSlope(a, c.edge, c.joined))
		half := 0.0
		through(t, s, func() {
			if s.Time <= time/2 {
				half = moved(s)
			}
		})
		rest := time - c.ramp
		want := max(0, g*(math.Sin(a)-friction*math.Cos(a))) * (c.ramp*c.ramp/6 + 0.5*c.ramp*rest + 0.5*rest*rest)
		got, took := moved(s), s.Energies().DampingDissipated/s.Ledger.Entered
		t.Logf("%g degrees, %g of the limit, %d bodies on a joint, edges of %g m, weight within %g s: moved by %.3f mm, %.3f of these in the second half, want %.3f; damping took %.2g of the energy",
			c.angle, c.share, c.joined, c.edge, c.ramp, 1e3*got, 1e3*(got-half), 1e3*want, took)
		switch {
		case want == 0 && (got > 1e-4 || got-half > 1e-6):
			t.Errorf("%g degrees, %g of the limit, %d bodies on a joint, weight within %g s: creeps by %g m, %g m of these in the second half", c.angle, c.share, c.joined, c.ramp, got, got-half)
		case want > 0 && math.Abs(got-want) > (0.02+0.001/(c.share-1))*want:
			t.Errorf("%g degrees, %g of the limit, %d bodies on a joint, weight within %g s: slid by %g m, want %g", c.angle, c.share, c.joined, c.ramp, got, want)
		}
	}
}
