package fem

import (
	"math"
	"slices"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// deformation returns F = R(turn) Q(at) diag(s1, s2) Q(at)^T.
func deformation(turn, at, s1, s2 float64) tensor {
	c, s := math.Cos(at), math.Sin(at)
	u := tensor{c*c*s1 + s*s*s2, c * s * (s1 - s2), c * s * (s1 - s2), s*s*s1 + c*c*s2}
	c, s = math.Cos(turn), math.Sin(turn)
	return tensor{c*u.xx - s*u.yx, c*u.xy - s*u.yy, s*u.xx + c*u.yx, s*u.xy + c*u.yy}
}

// One comparison tells that a triangle is below all thresholds and is not inverted. Every kernel
// agrees with AboveThreshold, however close the triangle is to the threshold, however much it is
// rotated, stretched or compressed, and for any material.
func TestTrianglesBelowThresholdsPassTheTest(t *testing.T) {
	strain := rapid.Custom(func(t *rapid.T) float64 { // of all sizes, up to collapse
		e := math.Pow(10, rapid.Float64Range(-9, 0.3).Draw(t, "size"))
		if rapid.Bool().Draw(t, "squeezed") {
			e = -e
		}
		return e
	})
	test := t
	rapid.Check(t, func(t *rapid.T) {
		m := steel
		m.Poisson = rapid.Float64Range(-0.9, 0.49).Draw(t, "poisson")
		plane := rapid.SampledFrom([]bulk.Plane{bulk.PlaneStress, bulk.PlaneStrain}).Draw(t, "plane")
		p := newPatch(1, 2, 1, 1, 0.4)
		s := p.triangles(test, m, plane, 1)
		s1, s2 := 1+strain.Draw(t, "first"), 1+strain.Draw(t, "second")
		f := deformation(rapid.Float64Range(-4, 4).Draw(t, "turn"), rapid.Float64Range(-2, 2).Draw(t, "direction"), s1, s2)
		x := make([]r2.Vec, len(p.x))
		for i, q := range p.x {
			x[i] = r2.Vec{X: f.xx*q.X + f.xy*q.Y, Y: f.yx*q.X + f.yy*q.Y}
		}
		bad := rapid.SampledFrom([]float64{0, 0, 0, 0, 0, 0, math.NaN(), math.Copysign(math.NaN(), -1), math.Inf(1), math.Inf(-1)}).Draw(t, "no number")
		x[rapid.IntRange(0, len(x)-1).Draw(t, "node")].X += bad
		c := s.constants[0]
		exx, eyy := 0.5*(s1*s1-1), 0.5*(s2*s2-1)
		mean, radius := 0.5*(c.c11[0]+c.c12[0])*(exx+eyy), 0.5*(c.c11[0]-c.c12[0])*math.Abs(exx-eyy)
		a := StressThreshold{First: 0, End: int32(s.count), Slope: 1e-3 * float64(rapid.IntRange(0, 1000).Draw(t, "slope"))}
		near := func(of float64, name string) float64 { // a limit close to what there is, or any
			if v := of * (1 + strain.Draw(t, name)); v > 1 {
				return v
			}
			return 1 + 1e11*math.Abs(strain.Draw(t, name+" of any size"))
		}
		a.Tension, a.Shear = near(mean+radius, "tension"), near(radius+a.Slope*mean, "shear")
		want := s.AboveThreshold(x, []StressThreshold{a}, nil)
		s.Watch([]StressThreshold{a})
		for _, s.kernel = range kernels() {
			parts := s.Subdomains(1)
			upright := s.AddForces(make([]r2.Vec, len(x)), x) == nil
			if ok := parts[0].SetForces(&Leapfrog{X: x, F: make([]r2.Vec, len(x))}); ok != upright {
				t.Fatalf("%s: no triangle is turned inside out: %v, want %v", s.kernel.name, ok, upright)
			}
			if got := s.Passed(parts, nil, nil); upright && bad == 0 && !slices.Equal(got, want) {
				t.Fatalf("%s passes %v, want %v", s.kernel.name, got, want)
			}
		}
		if a.belowTest(c).holds(f) && len(want) > 0 && bad == 0 {
			t.Fatalf("below, and above %v", want)
		}
	})
}

// holds is what the kernel in assembly asks.
func (m belowTest) holds(f tensor) bool {
	t := f.xx*f.xx + f.xy*f.xy + f.yx*f.yx + f.yy*f.yy - 2
	return f.xx*f.yy-f.xy*f.yx-m.level-m.rise*max(t, m.least) >= 0
}

// The test excludes nearly all that a threshold allows, so that few triangles have to be checked:
// nothing up to the limit of tension along one direction, three quarters of it along all, three
// limits of pressure along one, and rock with friction under any pressure along all.
func TestDeterminantTestReachesTheThreshold(t *testing.T) {
	const limit = 1e7 // [Pa]
	m := bulk.Elastic{Young: 4e10, Poisson: 0.25, Density: 1}.Moduli(bulk.PlaneStress)
	c := newConstants(m)
	a := StressThreshold{Tension: limit, Shear: 3 * limit, Slope: 0.5}
	below := a.belowTest(c)
	for _, v := range []struct {
		name         string
		first, other float64 // principal stresses over the limit
		want         bool
	}{
		{"free", 0, 0, true},
		{"tension", 0.99, 0, true}, {"too much tension", 1.001, 0, false},
		{"tension all round", 0.74, 0.74, true}, {"too much all round", 1.001, 1.001, false},
		{"shear", 0.85, -0.85, true}, {"too much shear", 1.001, -1.001, false},
		{"pressure", -2.9, 0, true}, {"pressure all round", -100, -100, true}, {"and shear", -100, -98, true},
	} {
		det := m.C11*m.C11 - m.C12*m.C12
		e1, e2 := limit*(m.C11*v.first-m.C12*v.other)/det, limit*(m.C11*v.other-m.C12*v.first)/det
		if got := below.holds(deformation(0.7, 0.3, math.Sqrt(1+2*e1), math.Sqrt(1+2*e2))); got != v.want {
			t.Errorf("%s: below %v, want %v", v.name, got, v.want)
		}
	}
}
