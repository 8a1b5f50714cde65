package contactnodes

import (
	"math"
	"testing"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// tile is a square of a side around a centre.
func tile(name string, centre r2.Vec, width, height float64) *mesh.Source {
	s := &mesh.Source{Name: name, X: []r2.Vec{centre}, NodeID: []int64{1}, Groups: []mesh.SourceGroup{{Name: name, Dim: 2, Number: 1}}}
	for i, d := range []r2.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
		s.X, s.NodeID = append(s.X, r2.Add(centre, r2.Vec{X: 0.5 * width * d.X, Y: 0.5 * height * d.Y})), append(s.NodeID, int64(i)+2)
		s.Triangles, s.TriID = append(s.Triangles, [3]int32{0, int32(i) + 1, int32(i+1)%4 + 1}), append(s.TriID, int64(i)+1)
		s.Groups[0].Elements = append(s.Groups[0].Elements, int32(i))
	}
	return s
}

// newSquares is two rigid squares of such sides, the second one in the middle on the first,
// with corners that carry a part of the stiffness or without.
func newSquares(t testing.TB, k, lower, upper float64, corners bool) *pair {
	return newRigidPair(t, k, tile("lower", r2.Vec{Y: -0.5 * lower}, lower, lower), tile("upper", r2.Vec{Y: 0.5 * upper}, upper, upper), corners)
}

// newRigidPair is two rigid bodies.
func newRigidPair(t testing.TB, k float64, lower, upper *mesh.Source, corners bool) *pair {
	p := newPair(t, penalty(t, k), 0, lower, upper)
	config := p.contacts[0].Config
	config.Nodes, config.TwoSided, config.Corners, config.Rigid = 4, true, corners, make([]Rigidity, len(p.m.Edges))
	for i := range config.Rigid {
		config.Rigid[i] = Free
	}
	p.contacts[0] = New(config, p.o, p.m.X, make([]float64, len(p.m.X)))
	return p
}

// position returns the nodes with the upper square moved, and turned about where it stands.
func (p *pair) position(move r2.Vec, turn float64) []r2.Vec {
	x := append([]r2.Vec(nil), p.m.X...)
	for _, n := range p.m.Bodies[1].Nodes {
		x[n] = r2.Add(r2.Rotate(p.m.X[n], turn, r2.Vec{}), move)
	}
	return x
}

// A flat face of a rigid body carries what the law says over its length, on a plate, and half a length beside an equal
// face on the plate.
func TestFlatFacePressesAsTheLawSays(t *testing.T) {
	const k = 1e9
	for _, c := range []struct{ lower, beside, over float64 }{{4, 0, 1}, {4, 0.7, 1}, {1, 0.5, 0.5}} {
		p := newSquares(t, k, c.lower, 1, true)
		for _, depth := range []float64{1e-7, 1e-5, 1e-3, 1e-2} {
			x := p.position(r2.Vec{X: c.beside, Y: -depth}, 0)
			p.evaluate(t, x, make([]r2.Vec, len(x)), 1e-6)
			if got := math.Abs(p.contacts[0].Normal) / (k * depth * c.over); math.Abs(got-1) > 0.01 {
				t.Errorf("on %g times its size, %g beside, %g m deep: %g of what the law says", c.lower, c.beside, depth, got)
			}
		}
	}
}

// Corners that turn, slide along an edge or pass over a corner of the other keep energy:
// forces on a rigid square, in all and about a position, are the gradient of what contact
// stores, with corners that carry a part of the
// stiffness and without, also just before and behind the corner of the other.
func TestTurningCornersKeepEnergy(t *testing.T) {
	for _, corners := range []bool{true, false} {
		for _, lower := range []float64{0.5, 1, 4} {
			p := newSquares(t, 1e9, lower, 1, corners)
			for _, turn := range []float64{1e-4, 0.03, 0.4, math.Pi / 4, 1.2, -0.3} {
				on := r2.Rotate(r2.Vec{X: math.Copysign(0.5, -turn)}, turn, r2.Vec{}) // the corner on which it stands
				p.keepsEnergy(t, r2.Vec{X: 0.2*lower - on.X, Y: -0.01 - on.Y}, turn)
				p.keepsEnergy(t, r2.Vec{X: 0.5*lower - 0.012 - on.X, Y: -0.01 - on.Y}, turn)
				p.keepsEnergy(t, r2.Vec{X: 0.5*lower - 0.009 - on.X, Y: -0.01 - on.Y}, turn)
				for _, past := range []float64{-0.005, -0.001, 0.004} {
					p.keepsEnergy(t, r2.Vec{X: 0.5*lower + past - on.X, Y: -0.01 - on.Y}, turn)
				}
			}
		}
	}
}

// keepsEnergy fails unless forces on the upper square there are the gradient of the energy.
func (p *pair) keepsEnergy(t *testing.T, move r2.Vec, turn float64) {
	const h = 1e-7
	stored := func(d r2.Vec, a float64) float64 {
		x := p.position(r2.Add(move, d), turn+a)
		p.contacts[0] = New(p.contacts[0].Config, p.o, p.m.X, make([]float64, len(p.m.X)))
		e, _ := p.evaluate(t, x, make([]r2.Vec, len(x)), 1e-6)
		return e
	}
	slope := func(d r2.Vec, a float64) float64 {
		return (stored(r2.Scale(h, d), a*h) - stored(r2.Scale(-h, d), -a*h)) / (2 * h)
	}
	want := [3]float64{-slope(r2.Vec{X: 1}, 0), -slope(r2.Vec{Y: 1}, 0), -slope(r2.Vec{}, 1)}
	stored(r2.Vec{}, 0)
	x := p.position(move, turn)
	var got [3]float64
	for _, n := range p.m.Bodies[1].Nodes {
		f := p.out.At(n).F
		got[0], got[1] = got[0]+f.X, got[1]+f.Y
		got[2] += elementary.Cross(r2.Sub(x[n], move), f)
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-5*max(math.Abs(want[0]), math.Abs(want[1])) {
			t.Errorf("corners %v, at %v, turned by %g: %g, the gradient is %g", p.contacts[0].Corners, move, turn, got, want)
			return
		}
	}
}

// Two bodies of unlike size press on one strip, one after the other. The stored energy is the work
// of the forces: the load of one does not depend on the other.
func TestBodiesOnOneStripKeepEnergy(t *testing.T) {
	const steps = 1000
	both, second := tile("upper", r2.Vec{X: -0.5, Y: 0.35}, 0.7, 0.7), tile("upper", r2.Vec{X: -0.04, Y: 0.1005}, 0.2, 0.2)
	for i, triangle := range second.Triangles {
		for j := range triangle {
			triangle[j] += int32(len(both.X))
		}
		both.Groups[0].Elements = append(both.Groups[0].Elements, int32(len(both.Triangles)))
		both.Triangles, both.TriID = append(both.Triangles, triangle), append(both.TriID, int64(i)+10)
	}
	for i, x := range second.X {
		both.X, both.NodeID = append(both.X, x), append(both.NodeID, int64(i)+10)
	}
	p := newRigidPair(t, 1e9, tile("lower", r2.Vec{Y: -0.2}, 1, 0.4), both, false)
	at := func(depth float64) (stored, force float64) {
		x := p.position(r2.Vec{Y: -depth}, 0)
		p.contacts[0] = New(p.contacts[0].Config, p.o, p.m.X, make([]float64, len(p.m.X)))
		stored, _ = p.evaluate(t, x, make([]r2.Vec, len(x)), 1e-6)
		for _, n := range p.m.Bodies[1].Nodes {
			force += p.out.At(n).F.Y
		}
		return stored, force
	}
	work, force := 0.0, 0.0
	for i := 1; i <= steps; i++ {
		stored, next := at(1e-3 * float64(i) / steps)
		work += 0.5 * (force + next) * 1e-3 / steps
		if force = next; math.Abs(work-stored) > 1e-6*work+1e-9 {
			t.Fatalf("%d um deep: it stores %g J, forces have done %g J", i, stored, work)
		}
	}
	if want := 0.5e9 * (0.35e-6 + 0.2*0.25e-6); math.Abs(work-want) > 5e-3*want {
		t.Errorf("forces have done %g J, the law says %g J", work, want)
	}
}
