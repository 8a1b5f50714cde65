package fem

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
)

var planes = []bulk.Plane{bulk.PlaneStress, bulk.PlaneStrain}

// addOracle adds triangle i's forces by matrices: with the edge matrices Ds
// and Dm, F = Ds Dm^-1, P = F S, and -V P Dm^-T holds the forces on the second
// and third corner.
func addOracle(f []r2.Vec, p patch, i int, m bulk.Elastic, plane bulk.Plane, thickness float64, x []r2.Vec) {
	edges := func(x []r2.Vec) *mat.Dense {
		n := p.tri[i]
		b, c := r2.Sub(x[n[1]], x[n[0]]), r2.Sub(x[n[2]], x[n[0]])
		return mat.NewDense(2, 2, []float64{b.X, c.X, b.Y, c.Y})
	}
	var inverse, F, E, S, P, H mat.Dense
	dm := edges(p.x)
	if err := inverse.Inverse(dm); err != nil {
		panic(err)
	}
	F.Mul(edges(x), &inverse)
	E.Mul(F.T(), &F)
	E.Sub(&E, mat.NewDense(2, 2, []float64{1, 0, 0, 1}))
	E.Scale(0.5, &E)
	lambda := m.Young * m.Poisson / ((1 + m.Poisson) * (1 - 2*m.Poisson))
	mu := m.Young / (2 * (1 + m.Poisson))
	if plane == bulk.PlaneStress {
		lambda = 2 * lambda * mu / (lambda + 2*mu)
	}
	S.Scale(2*mu, &E)
	tr := lambda * mat.Trace(&E)
	S.Add(&S, mat.NewDense(2, 2, []float64{tr, 0, 0, tr}))
	P.Mul(&F, &S)
	H.Mul(&P, inverse.T())
	H.Scale(-thickness*mat.Det(dm)/2, &H)
	n := p.tri[i]
	b, c := r2.Vec{X: H.At(0, 0), Y: H.At(1, 0)}, r2.Vec{X: H.At(0, 1), Y: H.At(1, 1)}
	f[n[0]] = r2.Sub(f[n[0]], r2.Add(b, c))
	f[n[1]] = r2.Add(f[n[1]], b)
	f[n[2]] = r2.Add(f[n[2]], c)
}

func TestForcesAgainstMatrices(t *testing.T) {
	p := newPatch(5, 4, 0.5, 0.3, 0.4)
	x := p.shaken(0.01)
	for _, plane := range planes {
		f := forces(t, p.triangles(t, steel, plane, 0.02), x)
		want := make([]r2.Vec, len(x))
		for i := range p.tri {
			addOracle(want, p, i, steel, plane, 0.02, x)
		}
		scale := largest(want)
		for i := range f {
			if d := r2.Norm(r2.Sub(f[i], want[i])); d > 1e-13*scale {
				t.Fatalf("plane %d, node %d: force %v, want %v", plane, i, f[i], want[i])
			}
		}
	}
}

func TestForcesAreEnergyGradient(t *testing.T) {
	p := newPatch(4, 3, 0.4, 0.3, 0.4)
	x := p.shaken(0.015) // strains of some 15 percent
	for _, plane := range planes {
		s := p.triangles(t, steel, plane, 0.02)
		f := forces(t, s, x)
		scale, h := largest(f), 1e-6
		slope := func(v *float64) float64 {
			old := *v
			*v = old + h
			up := s.StrainEnergy(x)
			*v = old - h
			down := s.StrainEnergy(x)
			*v = old
			return (up - down) / (2 * h)
		}
		for i := range x {
			if d := math.Abs(f[i].X+slope(&x[i].X)) + math.Abs(f[i].Y+slope(&x[i].Y)); d > 1e-7*scale {
				t.Errorf("plane %d, node %d: force %v misses the gradient by %g of %g N", plane, i, f[i], d, scale)
			}
		}
	}
}

// A linear displacement field puts the same stress into every triangle of an
// irregular mesh and leaves no force on an inner node.
func TestPatch(t *testing.T) {
	p := newPatch(8, 6, 0.4, 0.3, 0.5)
	for _, plane := range planes {
		s := p.triangles(t, steel, plane, 0.02)
		for _, size := range []float64{1e-4, 0.1} {
			x := p.moved(linear(size, 0.4*size, -0.7*size, -0.5*size, r2.Vec{X: 0.01, Y: -0.02}))
			f := forces(t, s, x)
			scale := largest(f)
			if scale < 1e6*size {
				t.Fatalf("largest force %g N: the boundary should be loaded", scale)
			}
			for i, v := range f {
				// a strain loses its digits below 1e-16
				if !p.boundary(i) && r2.Norm(v) > 1e-14*scale*(1+1/size) {
					t.Errorf("plane %d, size %g: inner node %d carries %v of %g N", plane, size, i, v, scale)
				}
			}
			out := make([]Stress, len(p.tri))
			s.Stresses(x, plane, out)
			for i, v := range out {
				d := math.Abs(v.XX-out[0].XX) + math.Abs(v.YY-out[0].YY) + math.Abs(v.ZZ-out[0].ZZ) + math.Abs(v.XY-out[0].XY)
				if d > 1e-13*(1+1/size)*out[0].VonMises() {
					t.Errorf("plane %d, size %g: triangle %d has %v, the first %v", plane, size, i, v, out[0])
				}
			}
		}
	}
}

func TestRigidMotionMakesNoForce(t *testing.T) {
	p := newPatch(8, 6, 0.4, 0.3, 0.5)
	s := p.triangles(t, steel, bulk.PlaneStress, 0.02)
	stretched := largest(forces(t, s, p.moved(linear(1, 0, 0, 1, r2.Vec{}))))
	for _, degrees := range []float64{0, 30, 90, 180, 270} {
		x := p.moved(turned(degrees*math.Pi/180, r2.Vec{X: 0.2, Y: -0.1}))
		for i := range x {
			x[i] = r2.Add(x[i], r2.Vec{X: 0.5, Y: -0.25})
		}
		if f := largest(forces(t, s, x)); f > 1e-14*stretched {
			t.Errorf("turned by %g degrees: force %g N; a strain of order one makes %g N", degrees, f, stretched)
		}
		volume := 0.4 * 0.3 * 0.02
		if u := s.StrainEnergy(x); !(u >= 0 && u < 1e-26*steel.Young*volume) {
			t.Errorf("turned by %g degrees: strain energy %g J", degrees, u)
		}
	}
}

// Internal forces have no resultant and no moment.
func TestForcesBalance(t *testing.T) {
	p := newPatch(8, 6, 0.4, 0.3, 0.5)
	s := p.triangles(t, steel, bulk.PlaneStrain, 0.02)
	x := p.shaken(0.005)
	f := forces(t, s, x)
	var sum r2.Vec
	moment := 0.0
	for i := range f {
		sum = r2.Add(sum, f[i])
		moment += r2.Cross(x[i], f[i])
	}
	if scale := largest(f); r2.Norm(sum) > 1e-13*scale || math.Abs(moment) > 1e-13*scale {
		t.Errorf("net force %v N, moment %g Nm of forces up to %g N", sum, moment, scale)
	}
}

func TestForcesAreAdded(t *testing.T) {
	p := newPatch(2, 2, 0.1, 0.1, 0)
	s := p.triangles(t, steel, bulk.PlaneStress, 0.01)
	x := p.shaken(0.001)
	once := forces(t, s, x)
	f := slices.Clone(once)
	if err := s.AddForces(f, x); err != nil {
		t.Fatal(err)
	}
	for i := range f {
		if r2.Norm(r2.Sub(f[i], r2.Scale(2, once[i]))) > 1e-12*largest(once) {
			t.Fatalf("node %d: %v after two calls, %v after one", i, f[i], once[i])
		}
	}
}

func TestInversion(t *testing.T) {
	p := newPatch(6, 4, 0.6, 0.4, 0)
	s := p.triangles(t, steel, bulk.PlaneStress, 0.01)
	middle := 3*(p.ny+1) + 2
	for name, position := range map[string]r2.Vec{
		"pulled over": {X: 0.6, Y: 0.2},
		"flat":        {X: 0.4, Y: 0.2}, // moved onto its neighbour: no area
		"NaN":         {X: math.NaN(), Y: 0.2},
	} {
		x := slices.Clone(p.x)
		x[middle] = position
		err := s.AddForces(make([]r2.Vec, len(x)), x)
		var inverted *InversionError
		if !errors.As(err, &inverted) {
			t.Errorf("%s: error %v, want an InversionError", name, err)
			continue
		}
		if inverted.Det > 0 || inverted.Element != int32(1001+inverted.Index) {
			t.Errorf("%s: %+v", name, inverted)
		}
		n := p.tri[inverted.Index]
		if !slices.Contains(n[:], int32(middle)) {
			t.Errorf("%s: triangle %d does not touch node %d", name, inverted.Index, middle)
		}
		centroid := r2.Scale(1./3, r2.Add(x[n[0]], r2.Add(x[n[1]], x[n[2]])))
		if r2.Norm(r2.Sub(centroid, inverted.Position)) > 1e-15 {
			t.Errorf("%s: position %v, want %v", name, inverted.Position, centroid)
		}
		if !strings.Contains(err.Error(), "turned inside out") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBadTrianglesAreRefused(t *testing.T) {
	x := []r2.Vec{{}, {X: 1}, {Y: 1}, {X: 2}, {X: math.NaN()}}
	for name, tri := range map[string][3]int32{
		"clockwise": {0, 2, 1}, "flat": {0, 1, 3}, "twice the same node": {0, 1, 1}, "NaN": {0, 1, 4},
	} {
		_, err := NewTriangles(x, [][3]int32{{0, 1, 2}, tri}, []int32{7, 8}, []int32{0, 0},
			[]bulk.Moduli{steel.Moduli(bulk.PlaneStress)}, []float64{steel.Density}, 0.01)
		if err == nil || !strings.Contains(err.Error(), "triangle 8: area must be positive") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestMasses(t *testing.T) {
	p := newPatch(7, 5, 0.7, 0.5, 0.5)
	s := p.triangles(t, steel, bulk.PlaneStress, 0.02)
	sum := 0.0
	for i, m := range s.Masses() {
		if m <= 0 {
			t.Errorf("node %d has mass %g kg", i, m)
		}
		sum += m
	}
	if want := 7860 * 0.7 * 0.5 * 0.02; math.Abs(sum-want) > 1e-13*want {
		t.Errorf("mass %g kg, want %g kg", sum, want)
	}
}

// Two materials: each triangle uses its own moduli and density.
func TestTwoMaterials(t *testing.T) {
	x := []r2.Vec{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}
	tri, id := [][3]int32{{0, 1, 2}, {0, 2, 3}}, []int32{1, 2}
	c := bulk.Moduli{C11: 8, C12: 2, G: 3}
	s, err := NewTriangles(x, tri, id, []int32{1, 0}, []bulk.Moduli{{C11: 16, C12: 4, G: 6}, c}, []float64{12, 6}, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{3, 1, 3, 2}
	for i, m := range s.Masses() {
		if math.Abs(m-want[i]) > 1e-14 {
			t.Errorf("node %d: mass %g kg, want %g kg", i, m, want[i])
		}
	}
	// stretched along x by d: u = C11 Exx^2/2 times the volume of each
	y := []r2.Vec{{}, {X: 1.1}, {X: 1.1, Y: 1}, {Y: 1}}
	e := (1.1*1.1 - 1) / 2
	if u, want := s.StrainEnergy(y), 0.5*(8+16)/2*e*e; math.Abs(u-want) > 1e-14 {
		t.Errorf("strain energy %g J, want %g J", u, want)
	}
}

func TestNoAllocation(t *testing.T) {
	p := newPatch(8, 6, 0.4, 0.3, 0.5)
	s := p.triangles(t, steel, bulk.PlaneStress, 0.02)
	x, f, out := p.shaken(1e-3), make([]r2.Vec, len(p.x)), make([]Stress, len(p.tri))
	parts := s.Subdomains(2)
	m := Leapfrog{X: slices.Clone(x), V: make([]r2.Vec, len(x)), F: make([]r2.Vec, len(x)), Damping: make([]r2.Vec, len(x)),
		Mass: make([]float64, len(x)), Held: slices.Repeat([]uint8{3}, len(x)), End: int32(len(x)), Powers: make([]Power, Groups(len(x)))}
	n := testing.AllocsPerRun(10, func() {
		if err := s.AddForces(f, x); err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if !p.SetForces(&m) {
				t.Fatal("a part finds a triangle turned inside out")
			}
			p.Move(&m, 1e-9, 1e-9)
		}
		s.Stresses(x, bulk.PlaneStrain, out)
		s.StrainEnergy(x)
		s.MaxFrequencySquared(x)
	})
	if n != 0 {
		t.Errorf("%g allocations", n)
	}
}
