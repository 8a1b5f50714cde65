package fem

import (
	"math"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// hooke returns the stress of small strains by the textbook's law.
func hooke(m bulk.Elastic, plane bulk.Plane, xx, yy, gamma float64) Stress {
	e, nu := m.Young, m.Poisson
	s := Stress{XY: e / (2 * (1 + nu)) * gamma}
	if plane == bulk.PlaneStress {
		s.XX = e / (1 - nu*nu) * (xx + nu*yy)
		s.YY = e / (1 - nu*nu) * (yy + nu*xx)
		return s
	}
	k := e / ((1 + nu) * (1 - 2*nu))
	s.XX = k * ((1-nu)*xx + nu*yy)
	s.YY = k * ((1-nu)*yy + nu*xx)
	s.ZZ = nu * (s.XX + s.YY)
	return s
}

func difference(a, b Stress) float64 {
	return max(math.Abs(a.XX-b.XX), math.Abs(a.YY-b.YY), math.Abs(a.ZZ-b.ZZ), math.Abs(a.XY-b.XY))
}

func TestSmallStrainIsHooke(t *testing.T) {
	const size = 1e-6
	p := newPatch(5, 4, 0.4, 0.3, 0.5)
	out := make([]Stress, len(p.tri))
	for _, plane := range planes {
		s := p.triangles(t, steel, plane, 0.02)
		for _, strain := range [][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.3, -0.8, 0.5}} {
			xx, yy, g := size*strain[0], size*strain[1], size*strain[2]
			// with a small rotation
			u := linear(xx, 0.5*g-0.3*size, 0.5*g+0.3*size, yy, r2.Vec{})
			want := hooke(steel, plane, xx, yy, g)
			s.Stresses(p.moved(u), plane, out)
			for i := range out {
				if one := s.Stress(i, p.moved(u), plane); one != out[i] {
					t.Errorf("triangle %d by itself: %v, among all %v", i, one, out[i])
				}
				if d := difference(out[i], want); d > 5*size*want.VonMises() {
					t.Errorf("plane %d, strain %v, triangle %d: %v, want %v", plane, strain, i, out[i], want)
				}
			}
			volume := 0.4 * 0.3 * 0.02
			energy := 0.5 * volume * (want.XX*xx + want.YY*yy + want.XY*g)
			if u := s.StrainEnergy(p.moved(u)); math.Abs(u-energy) > 5*size*energy {
				t.Errorf("plane %d, strain %v: energy %g J, want %g J", plane, strain, u, energy)
			}
		}
	}
}

// Stretched by a and b along the axes and then turned by 90 degrees, the
// Cauchy stress is S a/b and S b/a on the exchanged axes.
func TestCauchyStressOfLargeStretch(t *testing.T) {
	const a, b = 1.3, 0.9
	p := newPatch(3, 3, 0.3, 0.3, 0.5)
	x := make([]r2.Vec, len(p.x))
	for i, q := range p.x {
		x[i] = r2.Vec{X: -b * q.Y, Y: a * q.X}
	}
	exx, eyy := (a*a-1)/2, (b*b-1)/2
	out := make([]Stress, len(p.tri))
	for _, plane := range planes {
		m := steel.Moduli(plane)
		p.triangles(t, steel, plane, 0.02).Stresses(x, plane, out)
		want := Stress{XX: (m.C12*exx + m.C11*eyy) * b / a, YY: (m.C11*exx + m.C12*eyy) * a / b}
		if plane == bulk.PlaneStrain {
			want.ZZ = m.C12 * (exx + eyy) / (a * b)
		}
		for i := range out {
			if d := difference(out[i], want); d > 1e-12*want.VonMises() {
				t.Errorf("plane %d, triangle %d: %v, want %v", plane, i, out[i], want)
			}
		}
	}
}

func TestVonMises(t *testing.T) {
	for _, c := range []struct {
		s    Stress
		want float64
	}{
		{Stress{}, 0},
		{Stress{XX: -3}, 3},
		{Stress{ZZ: 5}, 5},
		{Stress{XY: 2}, 2 * math.Sqrt(3)},
		{Stress{XX: 4, YY: 4, ZZ: 4}, 0},
		{Stress{XX: 4, YY: 4}, 4},
		{Stress{XX: 10, YY: 4, ZZ: -2, XY: 1}, math.Sqrt(0.5*(36+36+144) + 3)},
	} {
		if got := c.s.VonMises(); math.Abs(got-c.want) > 1e-14 {
			t.Errorf("%+v: %g, want %g", c.s, got, c.want)
		}
	}
}
