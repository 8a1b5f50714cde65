package solver

import (
	"math"
	"testing"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// A square that turns tears along a line at a quarter of its side: the two fragments go
// on with its spin and with the velocities of their centres, and have the masses,
// areas and perimeters of rectangles.
func TestFragmentsOfATurningSquare(t *testing.T) {
	const side, spin, cut = 0.02, 2000.0, 0.005
	src := &mesh.Source{Name: "square"}
	rectangle(src, "square", 0, 0, side, side, 16, 16)
	m := model(t, src, steel)
	m.Bodies[0].AngularVelocity, m.Bodies[0].Velocity = spin, r2.Vec{X: 3, Y: -4}
	m = brittle(t, m, 1e6, 0)
	for i := range m.Fracture.Edges {
		e := &m.Fracture.Edges[i]
		if math.Abs(m.Mesh.X[e.From].X-cut) > 1e-9 || math.Abs(m.Mesh.X[e.To].X-cut) > 1e-9 {
			e.Region = -1
		}
	}
	m.Duration = 100e-6
	s := start(t, m)
	if one := s.FragmentList(); len(one) != 1 || math.Abs(one[0].Perimeter-4*side) > 1e-12 || math.Abs(one[0].Spin-spin) > 1e-9*spin {
		t.Fatalf("the whole square is %+v", one)
	}
	run(t, s, nil)
	got := s.FragmentList()
	if len(got) != 2 {
		t.Fatalf("%d fragments, want 2: %+v", len(got), got)
	}
	close := func(what string, got, want, tolerance float64) {
		t.Helper()
		if math.Abs(got-want) > tolerance {
			t.Errorf("%s is %g, want %g", what, got, want)
		}
	}
	of := s.Motions()[0]
	var momentum r2.Vec
	for _, f := range got {
		wide, middle := cut, 0.5*cut
		if f.Area > 0.5*side*side {
			wide, middle = side-cut, 0.5*(side+cut)
		}
		close("the area", f.Area, wide*side, 1e-12)
		close("the perimeter", f.Perimeter, 2*(wide+side), 1e-12)
		close("the mass", f.Mass, steel.Density*m.Thickness*wide*side, 1e-12)
		close("the number of triangles", float64(f.Triangles), 2*16*16*wide/side, 0)
		// what fracture takes and strain holds is less than a thousandth
		close("the spin", f.Spin, spin, 5e-3*spin)
		arm := middle - 0.5*side                        // from the square's centre, along x before it turned
		own := r2.Sub(f.Velocity, m.Bodies[0].Velocity) // along y before it turned
		close("the speed about the square's centre", r2.Norm(own), spin*math.Abs(arm), 2e-3*spin*math.Abs(arm))
		if at := math.Atan(-own.X / own.Y); at < 0 || at > 0.5*spin*s.Time {
			t.Errorf("a fragment left at an angle of %g", at)
		}
		momentum = r2.Add(momentum, r2.Scale(f.Mass, f.Velocity))
	}
	if d := r2.Norm(r2.Sub(momentum, of.Momentum)); d > 1e-12*r2.Norm(of.Momentum) {
		t.Errorf("the fragments' momenta add up to %v, the body has %v", momentum, of.Momentum)
	}
}
