package contactnodes

import (
	"math"
	"testing"

	"fdem/boundingbox"
	"fdem/contactnodes/onnodes"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// arcScene is a contact of the first outline, or of the second one if reversed, with the other.
type arcScene struct {
	c      *Contact
	x      []r2.Vec
	first  int // nodes of the first outline
	search *boundingbox.Search
}

func newArcScene(t *testing.T, a, b mesh.Outline, nodes int, reversed bool) *arcScene {
	t.Helper()
	m := (&mesh.Mesh{}).With([]mesh.Outline{a, b})
	o := NewOutline(m)
	search := make([]boundingbox.Edge, len(m.Edges))
	var of [2][]int32
	for i, e := range m.Edges {
		search[i] = boundingbox.Edge{A: e.A, B: e.B, Component: e.Component, Contactor: 1, Opposite: 1}
		of[e.Component] = append(of[e.Component], int32(i))
	}
	if reversed {
		of[0], of[1] = of[1], of[0]
	}
	c := New(Config{Name: "t", Contactor: of[0], Opposite: of[1], Law: penalty(t, 1e6), Nodes: nodes, Thickness: 1, Static: true}, o, m.X, make([]float64, len(m.X)))
	return &arcScene{c, m.X, len(a.Points), boundingbox.New(search, o.Reach, 0)}
}

// at returns energy and normal force, and the force and moment about the origin on the first outline,
// with that outline moved and turned about its first node.
func (s *arcScene) at(t *testing.T, move r2.Vec, turn float64) (energy, normal float64, force r2.Vec, moment float64) {
	t.Helper()
	x := append([]r2.Vec(nil), s.x...)
	for i := range s.first {
		x[i] = r2.Add(move, r2.Rotate(x[i], turn, s.x[0]))
	}
	out := onnodes.New(len(x), false)
	if err := s.c.Try(out, x, make([]r2.Vec, len(x)), s.search.Pairs(x), 0, 1e-6); err != nil {
		t.Fatal(err)
	}
	var all r2.Vec
	turned := 0.0
	for i := range x {
		f := out.At(int32(i)).F
		all, turned = r2.Add(all, f), turned+r2.Cross(x[i], f)
		if i < s.first {
			force, moment = r2.Add(force, f), moment+r2.Cross(x[i], f)
		}
	}
	if n := s.c.Normal; r2.Norm(all) > 1e-9*n || math.Abs(turned) > 1e-9*n {
		t.Fatalf("forces sum to %v and moments to %g of a normal force of %g", all, turned, n)
	}
	return s.c.Stored, s.c.Normal, force, moment
}

func tip(depth float64) mesh.Outline { // a square on its corner, the tip at y = -depth
	return mesh.Outline{Name: "box", Depth: 0.3, Closed: true, Points: []r2.Vec{{Y: -depth}, {X: 0.5, Y: 0.5 - depth}, {Y: 1 - depth}, {X: -0.5, Y: 0.5 - depth}}}
}

// A corner presses on the circle of a hollow from the first contact on, as on a line.
func TestCornerPressesOnArcsAtOnce(t *testing.T) {
	line := mesh.Outline{Name: "line", Points: []r2.Vec{{X: 3}, {X: -3}}, Depth: 0.5}
	for _, nodes := range []int{1, 4, 20} {
		strip := math.Sqrt(0.5) / float64(nodes) / 5 // relative to the radius
		for _, depth := range []float64{1e-9, 1e-6, 1e-4, 1e-3} {
			_, want, _, _ := newArcScene(t, tip(depth), line, nodes, false).at(t, r2.Vec{}, 0)
			for _, turn := range []float64{0, 0.013, 0.05} {
				hollow := circle("hollow", r2.Vec{Y: 5}, -5, 60, turn)
				if _, got, _, _ := newArcScene(t, tip(depth), hollow, nodes, false).at(t, r2.Vec{}, 0); math.Abs(got-want) > (0.2*strip*strip+depth)*want {
					t.Errorf("%d contact nodes, depth %g: normal force %g, %g on a line", nodes, depth, got, want)
				}
			}
		}
	}
}

// A disc presses with 4/3 k d a on a straight edge, wherever along it and whichever has the contact
// nodes.
func TestDiscIsACircleEverywhere(t *testing.T) {
	const depth, radius = 1e-3, 1.0
	half := math.Sqrt(2*radius*depth - depth*depth)
	want := 1e6 * (radius*radius*math.Asin(half/radius) - (radius-depth)*half) // the area of the segment
	floor := mesh.Outline{Name: "floor", Depth: 0.5, Points: []r2.Vec{{X: 3.2}, {X: 0.4}, {X: -0.03}, {X: -0.1}, {X: -3}}}
	for _, reversed := range []bool{false, true} {
		for _, nodes := range []int{4, 20} {
			least, most := math.Inf(1), 0.0
			for i := range 40 {
				disc := circle("disc", r2.Vec{X: -0.5 + 0.02371*float64(i), Y: radius - depth}, radius, 40, 0.01*float64(i))
				_, _, f, _ := newArcScene(t, disc, floor, nodes, reversed).at(t, r2.Vec{}, 0)
				n := r2.Norm(f)
				least, most = min(least, n), max(most, n)
			}
			// relative to the sagitta of an edge of the disc
			sagitta := radius * (1 - math.Cos(math.Pi/40))
			if scatter := (most - least) / (1e6 * 2 * half * sagitta); scatter > 1e-6 || math.Abs(most/want-1) > 1e-3 {
				t.Errorf("reversed %v, %d contact nodes: normal force %.8g to %.8g (%.2g of the sagitta), want %.8g", reversed, nodes, least, most, scatter, want)
			}
		}
	}
}

// The force between a body and an arc is the gradient of the energy, also where a corner or an edge
// of the circle lies within a strip.
func TestForceOnArcsIsAGradient(t *testing.T) {
	flat := mesh.Outline{Name: "box", Depth: 0.3, Closed: true, Points: []r2.Vec{{X: -0.2, Y: -0.01}, {X: 0.3, Y: -0.012}, {X: 0.3, Y: 0.6}, {X: -0.2, Y: 0.6}}}
	step := mesh.Outline{Name: "step", Depth: 0.3, Points: []r2.Vec{{X: 2, Y: -0.3}, {X: 0.01, Y: -0.3}, {X: 0, Y: 0}, {X: -2, Y: 0}}}
	nook := mesh.Outline{Name: "nook", Depth: 0.3, Points: []r2.Vec{{X: 2, Y: 0.9}, {X: 0, Y: 0}, {X: -2, Y: 0.9}}}
	for name, two := range map[string][2]mesh.Outline{
		"tip in hollow":        {tip(0.004), circle("hollow", r2.Vec{Y: 5}, -5, 60, 0.02)},
		"box in hollow":        {flat, circle("hollow", r2.Vec{Y: 1}, -1.02, 60, 0.02)},
		"disc in hollow":       {circle("disc", r2.Vec{X: 0.1, Y: 0.99}, 1, 40, 0.3), circle("hollow", r2.Vec{Y: 1.2}, -1.2, 60, 0.02)},
		"disc on an edge":      {circle("disc", r2.Vec{X: 0.3, Y: 0.95}, 1, 40, 0.3), step},
		"disc in a nook":       {circle("disc", r2.Vec{Y: 1.05}, 1, 40, 0.3), nook},
		"disc on disc":         {circle("disc", r2.Vec{X: 0.2, Y: 0.96}, 1, 40, 0.3), circle("other", r2.Vec{Y: -0.7}, 0.7, 30, 0.1)},
		"tip on disc":          {tip(0.004), circle("other", r2.Vec{X: 0.01, Y: -0.7}, 0.7, 30, 0.1)},
		"edge of disc on nook": {circle("disc", r2.Vec{Y: 0.1}, 0.15, 16, 0.3), nook},
	} {
		for _, reversed := range []bool{false, true} {
			s := newArcScene(t, two[0], two[1], 20, reversed)
			_, normal, force, moment := s.at(t, r2.Vec{}, 0)
			if normal == 0 {
				t.Errorf("%s, reversed %v: no contact", name, reversed)
				continue
			}
			const h = 1e-7
			of := func(move r2.Vec, turn float64) float64 { e, _, _, _ := s.at(t, move, turn); return e }
			got := r2.Vec{X: -(of(r2.Vec{X: h}, 0) - of(r2.Vec{X: -h}, 0)) / (2 * h), Y: -(of(r2.Vec{Y: h}, 0) - of(r2.Vec{Y: -h}, 0)) / (2 * h)}
			turning := -(of(r2.Vec{}, h) - of(r2.Vec{}, -h)) / (2 * h)
			wantTurning := moment - r2.Cross(s.x[0], force)
			if d := r2.Norm(r2.Sub(got, force)); d > 2e-6*normal || math.Abs(turning-wantTurning) > 2e-6*normal {
				t.Errorf("%s, reversed %v: force %v, gradient %v (%.2g); moment %g, %g (%.2g)", name, reversed, force, got, d/normal, wantTurning, turning, math.Abs(turning-wantTurning)/normal)
			}
		}
	}
}
