package nodes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"fdem/fem"
	"fdem/materials/bulk"
	"fdem/mesh"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// field makes the nodes of two triangles that share vertices 1 and 2, with room for
// three nodes more.
func field(t *testing.T) *nodes.Field {
	f, _ := fieldOn(t)
	return f
}

// fieldOn is field with its mesh.
func fieldOn(t *testing.T) (*nodes.Field, *mesh.Mesh) {
	m := &mesh.Mesh{
		X:         []r2.Vec{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {X: 1}, {Y: 1}, {X: 1}},
		Triangles: [][3]int32{{0, 1, 2}, {1, 3, 2}},
		Bodies:    []mesh.Body{{First: 0, End: 1}, {First: 1, End: 2}},
	}
	e, err := fem.NewTriangles(m.X, m.Triangles, []int32{1, 2}, []int32{0, 0}, []bulk.Moduli{{C11: 3, C12: 1, G: 1}}, []float64{6}, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := nodes.New(m, e)
	f.MaySplit()
	return f, m
}

// split gives vertex 1 its second node, which takes a part of its mass.
func split(f *nodes.Field, part float64) {
	f.Split(1, 4)
	f.Mass[4] = part * f.Mass[1]
	f.Mass[1] -= f.Mass[4]
	f.HoldMassless()
	f.Held[4] = f.Held[1]
}

// A vertex that has been split into nodes acts as one point with its whole mass: a force moves the
// mean by f/m, does the work that the mean's velocity says, and loses no momentum.
func TestVertexIsOnePoint(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		f := field(t)
		total := f.Mass[1]
		split(f, 0.05+0.9*random.Float64())
		for _, n := range []int{1, 4} {
			f.X[n] = r2.Vec{X: random.NormFloat64(), Y: random.NormFloat64()}
			f.V[n] = r2.Vec{X: random.NormFloat64(), Y: random.NormFloat64()}
		}
		g := r2.Vec{X: random.NormFloat64(), Y: random.NormFloat64()}
		f.AddForce(1, g)
		if sum := r2.Add(f.F[1], f.F[4]); r2.Norm(r2.Sub(sum, g)) > 1e-15 {
			t.Fatalf("the nodes get %v of %v N", sum, g)
		}
		work := r2.Dot(f.F[1], f.V[1]) + r2.Dot(f.F[4], f.V[4])
		if want := r2.Dot(g, f.StepVelocity(1)); math.Abs(work-want) > 1e-14 {
			t.Errorf("a power of %g W on the nodes, of %g W on the vertex", work, want)
		}
		f.Last = 0.3 // Velocity is half of it ahead
		ahead := r2.Add(f.StepVelocity(1), r2.Scale(0.15/total, g))
		if v := f.Velocity(1); r2.Norm(r2.Sub(v, ahead)) > 1e-14 {
			t.Errorf("moves at %v m/s, want %v", v, ahead)
		}
		if w := f.InverseMass(1); math.Abs(w.X*total-1) > 1e-14 || w.X != w.Y {
			t.Errorf("a unit impulse gives %v m/s, want %g", w, 1/total)
		}
	}
}

// A node that is split off is held like the original node, and shares the forces on it, including
// those of kinds.
func TestDivide(t *testing.T) {
	f := field(t)
	own := f.Forces()
	f.Hold(1, true, false, false)
	f.F[1], own[1] = r2.Vec{X: 3, Y: 1}, r2.Vec{Y: 6}
	split(f, 0.25)
	f.ShareForces(1, 4, f.Mass[1], f.Mass[4])
	if w := f.Inverse(4); w.X != 0 || w.Y == 0 {
		t.Errorf("node 4 has inverse masses %v", w)
	}
	for _, g := range [][]r2.Vec{f.F, own} {
		if d := r2.Sub(r2.Scale(1/f.Mass[1], g[1]), r2.Scale(1/f.Mass[4], g[4])); r2.Norm(d) > 1e-15 {
			t.Errorf("accelerations differ by %v", d)
		}
	}
	if v := f.VertexOf(4); v != 1 {
		t.Errorf("node 4 is of vertex %d", v)
	}
}

// A force on a corner at a vertex acts on the vertex, and once it has split on the node of that
// corner. Positions and velocities are those of the same node.
func TestCorners(t *testing.T) {
	f, m := fieldOn(t)
	var c nodes.Corners
	c.Add(nodes.Corner{Triangle: 0, Fraction: 0.75}, nodes.Corner{Triangle: 1, Fraction: 0.25})
	c.Add()
	c.Add(nodes.Corner{Triangle: 1, Fraction: 1})
	if last := c.Of(2); len(c.At(1)) != 0 || len(last.At(0)) != 1 || last.At(0)[0].Triangle != 1 {
		t.Fatalf("%+v", c)
	}
	f.AddForceAt(1, c.At(0), r2.Vec{X: 4})
	if f.F[1] != (r2.Vec{X: 4}) {
		t.Errorf("before the split the vertex gets %v N", f.F[1])
	}
	f.F[1] = r2.Vec{}
	split(f, 0.25)
	m.Triangles[1][0] = 4
	f.X[4], f.V[4] = r2.Vec{X: 8}, r2.Vec{Y: 8}
	f.X[1], f.V[1] = r2.Vec{}, r2.Vec{}
	f.AddForceAt(1, c.At(0), r2.Vec{X: 4})
	f.AddForceAt(1, c.At(2), r2.Vec{Y: 1})
	if f.F[1] != (r2.Vec{X: 3}) || f.F[4] != (r2.Vec{X: 1, Y: 1}) {
		t.Errorf("the nodes get %v and %v N", f.F[1], f.F[4])
	}
	if x, v := f.PositionAt(1, c.At(0)), f.StepVelocityAt(1, c.At(2)); x != (r2.Vec{X: 2}) || v != (r2.Vec{Y: 8}) {
		t.Errorf("a position of %v and a velocity of %v", x, v)
	}
}

// A group has the nodes that its vertices have been split into, and where corners are
// named those with these.
func TestGroup(t *testing.T) {
	f := field(t)
	all, left := nodes.Group{Of: []int32{1, 3}}, nodes.Group{Of: []int32{1}}
	left.Corners.Add(nodes.Corner{Triangle: 0})
	for _, g := range []*nodes.Group{&all, &left} {
		if n := f.Nodes(g); len(n) != len(g.Of) {
			t.Errorf("%v before anything is split", n)
		}
	}
	split(f, 0.5)
	if n := f.Nodes(&all); len(n) != 3 || n[0] != 1 || n[1] != 4 || n[2] != 3 {
		t.Errorf("all are %v", n)
	}
	if n := f.Nodes(&left); len(n) != 1 || n[0] != 1 { // its triangle has kept node 1
		t.Errorf("those of the left triangle are %v", n)
	}
}

// Held nodes stop, driven nodes go on.
func TestStopHeld(t *testing.T) {
	f := field(t)
	for i := range f.V {
		f.V[i] = r2.Vec{X: 1, Y: 1}
	}
	f.Hold(0, true, false, false)
	f.Drive(3, false, true, false)
	f.StopHeld()
	if f.V[0] != (r2.Vec{Y: 1}) || f.V[3] != (r2.Vec{X: 1, Y: 1}) {
		t.Errorf("held: %v, driven: %v", f.V[0], f.V[3])
	}
	if x, y, rotation := f.Driven(3); x || !y || rotation {
		t.Errorf("driven: %t, %t, %t", x, y, rotation)
	}
}
