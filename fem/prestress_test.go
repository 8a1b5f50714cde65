package fem

import (
	"math"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// An initial stress is exact to the last digits, keeps masses, has the forces of its definition,
// and rotates with the body. Its stored energy is that of the strain. A released body moves to its
// stress-free shape.
func TestPrestress(t *testing.T) {
	m := bulk.Elastic{Name: "rock", Young: 20e9, Poisson: 0.25, Density: 2700}
	x := []r2.Vec{{X: 0, Y: 0}, {X: 1.2, Y: 0.1}, {X: 1, Y: 1}, {X: -0.1, Y: 0.9}, {X: 0.5, Y: 0.6}}
	tri := [][3]int32{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}
	for _, plane := range []bulk.Plane{bulk.PlaneStress, bulk.PlaneStrain} {
		make4 := func() *Triangles {
			tr, err := NewTriangles(x, tri, []int32{1, 2, 3, 4}, make([]int32, 4), []bulk.Moduli{m.Moduli(plane)}, []float64{m.Density}, 0.1)
			if err != nil {
				t.Fatal(err)
			}
			return tr
		}
		free, tr := make4(), make4()
		given := Stress{XX: -30e6, YY: -80e6, XY: 25e6}
		for i := range tri {
			if err := tr.Prestress(i, given); err != nil {
				t.Fatal(err)
			}
		}
		for i, w := range free.Masses() {
			if got := tr.Masses()[i]; math.Abs(got-w) > 1e-14*w {
				t.Errorf("mass %g, was %g", got, w)
			}
		}
		near := func(what string, got, want, of float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-9*of {
				t.Errorf("plane %v: %s is %.12g, want %.12g", plane, what, got, want)
			}
		}
		sin, cos := math.Sincos(0.7)
		turned := make([]r2.Vec, len(x))
		for i, p := range x {
			turned[i] = r2.Vec{X: cos*p.X - sin*p.Y + 3, Y: sin*p.X + cos*p.Y}
		}
		of := make([]Stress, 4)
		tr.Stresses(x, plane, of)
		for _, s := range of {
			near("xx", s.XX, given.XX, 80e6)
			near("yy", s.YY, given.YY, 80e6)
			near("xy", s.XY, given.XY, 80e6)
		}
		tr.Stresses(turned, plane, of)
		want := cos*cos*given.XX + sin*sin*given.YY - 2*sin*cos*given.XY
		near("xx of the turned body", of[2].XX, want, 80e6)
		// forces: the middle is in balance; an edge's two ends share stress times length
		f := make([]r2.Vec, len(x))
		if err := tr.AddForces(f, x); err != nil {
			t.Fatal(err)
		}
		near("force in the middle", math.Hypot(f[4].X, f[4].Y), 0, 80e6*0.1)
		pull := func(a, b r2.Vec) r2.Vec { // half of the traction on the edge from a to b, outside on its right
			n := r2.Vec{X: 0.05 * (b.Y - a.Y), Y: -0.05 * (b.X - a.X)}
			return r2.Vec{X: given.XX*n.X + given.XY*n.Y, Y: given.XY*n.X + given.YY*n.Y}
		}
		w := r2.Add(pull(x[0], x[1]), pull(x[1], x[2]))
		near("force at a corner along x", f[1].X, -w.X, 80e6*0.1)
		near("force at a corner along y", f[1].Y, -w.Y, 80e6*0.1)
		// energy: half of stress times strain, a little more for the second order
		mod := m.Moduli(plane)
		d := mod.C11*mod.C11 - mod.C12*mod.C12
		exx, eyy := (mod.C11*given.XX-mod.C12*given.YY)/d, (mod.C11*given.YY-mod.C12*given.XX)/d
		density := 0.5 * (given.XX*exx + given.YY*eyy + given.XY*given.XY/mod.G)
		volume := 0.0
		for i := range tri {
			volume += free.Volume(i)
		}
		if u := tr.StrainEnergy(x); math.Abs(u-density*volume) > 0.02*u {
			t.Errorf("energy %g J, want about %g", u, density*volume)
		}
		// the highest frequency is that of the mass in place: small strains change it little
		if a, b := tr.MaxFrequencySquared(x), free.MaxFrequencySquared(x); math.Abs(a-b) > 0.05*b {
			t.Errorf("frequency squared %g, without stress %g", a, b)
		}
		one := make4()
		if err := one.Prestress(3, given); err != nil { // the triangle that fills the block
			t.Fatal(err)
		}
		one.Stresses(x, plane, of)
		near("a triangle without", of[0].YY, 0, 80e6)
		near("the only one", of[3].YY, given.YY, 80e6)
	}
	soft, _ := NewTriangles(x, tri, []int32{1, 2, 3, 4}, make([]int32, 4), []bulk.Moduli{{C11: 1e6, C12: 2e5, G: 4e5}}, []float64{1000}, 0.1)
	if err := soft.Prestress(1, Stress{YY: -5e6}); err == nil {
		t.Error("a stress of five moduli is accepted")
	}
}

// Triangles with a law have an initial stress as those without do, on the yield surface at
// most.
func TestPrestressOfLaws(t *testing.T) {
	m := bulk.Elastic{Name: "rock", Young: 20e9, Poisson: 0.25, Density: 2700}
	x := []r2.Vec{{X: 0, Y: 0}, {X: 1.2, Y: 0.1}, {X: 1, Y: 1}, {X: -0.1, Y: 0.9}, {X: 0.5, Y: 0.6}}
	tri := [][3]int32{{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}
	given := Stress{XX: -30e6, YY: -80e6, XY: 25e6}
	build := func(name string, values map[string]float64, plane bulk.Plane) *Triangles {
		tr, err := NewTriangles(x, tri, []int32{1, 2, 3, 4}, make([]int32, 4), []bulk.Moduli{m.Moduli(plane)}, []float64{m.Density}, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		of, _ := bulk.Lookup(name)
		law, err := of.Build(m, bulk.Constants{Value: values})
		if err != nil {
			t.Fatal(err)
		}
		tr.Follow([]bulk.Law{law}, plane)
		return tr
	}
	for _, plane := range []bulk.Plane{bulk.PlaneStress, bulk.PlaneStrain} {
		// von Mises' stress of the given one
		zz := 0.0
		if plane == bulk.PlaneStrain {
			zz = m.Poisson * (given.XX + given.YY)
		}
		mises := Stress{XX: given.XX, YY: given.YY, ZZ: zz, XY: given.XY}.VonMises()
		for _, law := range []struct {
			name   string
			values map[string]float64
		}{{"neo-hooke", nil}, {"j2", map[string]float64{"yield_stress": 1.01 * mises}}} {
			tr := build(law.name, law.values, plane)
			for i := range tri {
				if err := tr.Prestress(i, given); err != nil {
					t.Fatal(err)
				}
			}
			f := make([]r2.Vec, len(x))
			parts := tr.Subdomains(1)
			tr.Advance(0, 0, true, false)
			if !parts[0].SetForces(&Leapfrog{X: x, F: f}) {
				t.Fatal("inverted")
			}
			for i := range tri {
				s := tr.Stress(i, x, plane)
				if math.Abs(s.XX-given.XX)+math.Abs(s.YY-given.YY)+math.Abs(s.XY-given.XY) > 1e-9*80e6 {
					t.Errorf("%s in plane %v: %+v", law.name, plane, s)
				}
				if math.Abs(s.ZZ-zz) > 0.02*80e6 {
					t.Errorf("%s in plane %v: out of the plane %g Pa, want about %g", law.name, plane, s.ZZ, zz)
				}
			}
			if h := math.Hypot(f[4].X, f[4].Y); h > 1e-9*80e6*0.1 {
				t.Errorf("%s in plane %v: force in the middle %g N", law.name, plane, h)
			}
		}
		if err := build("j2", map[string]float64{"yield_stress": 0.99 * mises}, plane).Prestress(0, given); err == nil {
			t.Errorf("plane %v: a stress beyond the yield surface is accepted", plane)
		}
	}
}

// An initial stress lies on the yield surface or inside: the greatest that is taken, in parts of a
// given one, has a Kirchhoff stress on it, to rounding.
func TestPrestressOnYieldSurface(t *testing.T) {
	m := bulk.Elastic{Name: "rock", Young: 20e9, Poisson: 0.25, Density: 2700}
	x := []r2.Vec{{}, {X: 1.2, Y: 0.1}, {X: 1, Y: 1}}
	for _, c := range []struct {
		law    string
		values map[string]float64
		used   func(s Stress) float64 // of the strength
	}{
		{"j2", map[string]float64{"yield_stress": 60e6}, func(s Stress) float64 { return s.VonMises() / 60e6 }},
		{"mohr-coulomb", map[string]float64{"cohesion": 10e6, "friction_angle": 30, "dilation_angle": 10}, func(s Stress) float64 {
			p, r := 0.5*(s.XX+s.YY), math.Hypot(0.5*(s.XX-s.YY), s.XY)
			return (max(p+r, s.ZZ)*1.5 - min(p-r, s.ZZ)*0.5) / (20e6 * math.Cos(math.Pi/6))
		}},
	} {
		of, _ := bulk.Lookup(c.law)
		law, err := of.Build(m, bulk.Constants{Value: c.values})
		if err != nil {
			t.Fatal(err)
		}
		for _, plane := range []bulk.Plane{bulk.PlaneStress, bulk.PlaneStrain} {
			taken, refused, used := 0.0, 2.0, 0.0
			for refused-taken > 1e-13 {
				at := 0.5 * (taken + refused)
				tr, err := NewTriangles(x, [][3]int32{{0, 1, 2}}, []int32{1}, []int32{0}, []bulk.Moduli{m.Moduli(plane)}, []float64{m.Density}, 0.1)
				if err != nil {
					t.Fatal(err)
				}
				tr.Follow([]bulk.Law{law}, plane)
				if tr.Prestress(0, Stress{XX: -30e6 * at, YY: -80e6 * at, XY: 25e6 * at}) != nil {
					refused = at
					continue
				}
				taken = at
				tr.Advance(0, 0, true, false)
				if !tr.Subdomains(1)[0].SetForces(&Leapfrog{X: x, F: make([]r2.Vec, len(x))}) {
					t.Fatal("inverted")
				}
				l := tr.lawful
				used = c.used(Stress{XX: l.xx[0], YY: l.yy[0], ZZ: l.zz[0], XY: l.xy[0]})
				if flowed := tr.Value(bulk.PlasticStrain, 0); flowed > 1e-15 { // rounding of a strain
					t.Fatalf("%s in plane %v: plastic strain %g at the start", c.law, plane, flowed)
				}
			}
			if math.Abs(used-1) > 1e-11 {
				t.Errorf("%s in plane %v: %g of the strength is taken", c.law, plane, used)
			}
		}
	}
}

// A triangle that expands keeps the mass of its corners to the bit.
func TestSwellingKeepsMass(t *testing.T) {
	m := bulk.Elastic{Name: "rock", Young: 20e9, Poisson: 0.25, Density: 2700}
	x := []r2.Vec{{X: 0, Y: 0}, {X: 1.2, Y: 0.1}, {X: 1, Y: 1}}
	tr, err := NewTriangles(x, [][3]int32{{0, 1, 2}}, []int32{1}, make([]int32, 1), []bulk.Moduli{m.Moduli(bulk.PlaneStrain)}, []float64{m.Density}, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	mass := tr.CornerMass(0)
	tr.MaySwell()
	for i := range 1000 {
		tr.Swell(0, 0, 1.23e-6*float64(i), 0)
		if got := tr.CornerMass(0); got != mass {
			t.Fatalf("mass %.17g, was %.17g", got, mass)
		}
	}
}
