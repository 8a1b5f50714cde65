package contactnodes

import (
	"math"
	"testing"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// tile is a square of a side around a centre.
func tile(name string, centre r2.Vec, side float64) *mesh.Source {
	s := &mesh.Source{Name: name, X: []r2.Vec{centre}, NodeID: []int64{1}, Groups: []mesh.SourceGroup{{Name: name, Dim: 2, Number: 1}}}
	for i, d := range []r2.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
		s.X, s.NodeID = append(s.X, r2.Add(centre, r2.Scale(0.5*side, d))), append(s.NodeID, int64(i)+2)
		s.Triangles, s.TriID = append(s.Triangles, [3]int32{0, int32(i) + 1, int32(i+1)%4 + 1}), append(s.TriID, int64(i)+1)
		s.Groups[0].Elements = append(s.Groups[0].Elements, int32(i))
	}
	return s
}

// newSquares is two rigid squares of such sides, the second one in the middle on the first.
func newSquares(t testing.TB, k, lower, upper float64) *pair {
	p := newPair(t, penalty(t, k), 0, tile("lower", r2.Vec{Y: -0.5 * lower}, lower), tile("upper", r2.Vec{Y: 0.5 * upper}, upper))
	config := p.contacts[0].Config
	config.Nodes, config.Corners, config.Rigid = 6, true, make([]Rigidity, len(p.m.Edges))
	for i := range config.Rigid {
		config.Rigid[i] = Free
	}
	p.contacts[0] = New(config, p.o, p.m.X, make([]float64, len(p.m.X)))
	return p
}

// place returns the nodes with the upper square moved, and turned about where it stands.
func (p *pair) place(move r2.Vec, turn float64) []r2.Vec {
	x := append([]r2.Vec(nil), p.m.X...)
	for _, n := range p.m.Bodies[1].Nodes {
		x[n] = r2.Add(r2.Rotate(p.m.X[n], turn, r2.Vec{}), move)
	}
	return x
}

// A flat face of a rigid body bears what the law says over its length, be it sunk in by less
// than the strips at its corners are long, or by more: on a plate, and half a length beside
// its like on that.
func TestFlatFaceBearsAsTheLawSays(t *testing.T) {
	const k = 1e9
	for _, c := range []struct{ lower, beside, over float64 }{{4, 0, 1}, {4, 0.7, 1}, {1, 0.5, 0.5}} {
		p := newSquares(t, k, c.lower, 1)
		for _, depth := range []float64{1e-7, 1e-5, 1e-3, 1e-2} {
			x := p.place(r2.Vec{X: c.beside, Y: -depth}, 0)
			p.evaluate(t, x, make([]r2.Vec, len(x)), 1e-6)
			if got := math.Abs(p.contacts[0].Normal) / (k * depth * c.over); math.Abs(got-1) > 0.01 {
				t.Errorf("on %g times its size, %g beside, %g m deep: %g of what the law says", c.lower, c.beside, depth, got)
			}
		}
	}
}

// Corners that turn keep energy: forces on a rigid square, in all and about a place, are the
// gradient of what contact stores.
func TestTurningCornersKeepEnergy(t *testing.T) {
	const h = 1e-7
	for _, lower := range []float64{0.5, 1, 4} {
		p := newSquares(t, 1e9, lower, 1)
		for _, turn := range []float64{1e-4, 0.03, 0.4, math.Pi / 4, 1.2, -0.3} {
			on := r2.Rotate(r2.Vec{X: math.Copysign(0.5, -turn)}, turn, r2.Vec{}) // the corner on which it stands
			move := r2.Vec{X: 0.2*lower - on.X, Y: -0.01 - on.Y}
			stored := func(d r2.Vec, a float64) float64 {
				x := p.place(r2.Add(move, d), turn+a)
				p.contacts[0] = New(p.contacts[0].Config, p.o, p.m.X, make([]float64, len(p.m.X)))
				e, _ := p.evaluate(t, x, make([]r2.Vec, len(x)), 1e-6)
				return e
			}
			slope := func(d r2.Vec, a float64) float64 {
				return (stored(r2.Scale(h, d), a*h) - stored(r2.Scale(-h, d), -a*h)) / (2 * h)
			}
			want := [3]float64{-slope(r2.Vec{X: 1}, 0), -slope(r2.Vec{Y: 1}, 0), -slope(r2.Vec{}, 1)}
			stored(r2.Vec{}, 0)
			x := p.place(move, turn)
			var got [3]float64
			for _, n := range p.m.Bodies[1].Nodes {
				f := p.out.At(n).F
				got[0], got[1] = got[0]+f.X, got[1]+f.Y
				got[2] += elementary.Cross(r2.Sub(x[n], move), f)
			}
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-5*math.Abs(want[1]) {
					t.Errorf("on %g times its size, turned by %g: %g, the gradient is %g", lower, turn, got, want)
					break
				}
			}
		}
	}
}
