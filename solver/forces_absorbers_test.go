package solver

import (
	"math"
	"math/cmplx"
	"testing"

	"fdem/materials/bulk"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

var rock = bulk.Elastic{Name: "rock", Young: 50e9, Poisson: 0.25, Density: 2600}

// viscousReflection returns the part of the energy flux that comes back from a
// viscous edge when a plane wave meets it at an angle from its normal: the
// waves' tractions and velocities at the edge, solved for the two that return.
func viscousReflection(m bulk.Elastic, shear bool, degrees float64) float64 {
	mod := m.Moduli(bulk.PlaneStrain)
	cp, cs := math.Sqrt(mod.C11/m.Density), math.Sqrt(mod.G/m.Density)
	c := cp
	if shear {
		c = cs
	}
	slow := math.Sin(degrees*math.Pi/180) / c // along the edge [s/m]
	// a wave of speed v going along (x, slow) with displacement d: what it leaves of
	// sigma n + rho (c_p v_n n + c_s v_t t), over i omega
	left := func(ux complex128, d [2]complex128) [2]complex128 {
		uy := complex(slow, 0)
		return [2]complex128{
			complex(mod.C11, 0)*ux*d[0] + complex(mod.C12, 0)*uy*d[1] - complex(m.Density*cp, 0)*d[0],
			complex(mod.G, 0)*(ux*d[1]+uy*d[0]) - complex(m.Density*cs, 0)*d[1],
		}
	}
	normal := func(v float64) complex128 { return cmplx.Sqrt(complex(1/(v*v)-slow*slow, 0)) }
	p, s := normal(cp), normal(cs)
	along := func(v float64, x complex128, across bool) [2]complex128 { // unit displacement
		d := [2]complex128{x * complex(v, 0), complex(slow*v, 0)}
		if across {
			d = [2]complex128{-d[1], d[0]}
		}
		return d
	}
	x, in, flux := p, along(cp, p, false), cp*cp*real(p) // energy flux: rho v^2 times the slowness across
	if shear {
		x, in, flux = s, along(cs, s, true), cs*cs*real(s)
	}
	a, b, r := left(-p, along(cp, -p, false)), left(-s, along(cs, -s, true)), left(x, in)
	det := a[0]*b[1] - a[1]*b[0]
	back := [2]float64{cmplx.Abs((r[1]*b[0] - r[0]*b[1]) / det), cmplx.Abs((r[0]*a[1] - r[1]*a[0]) / det)}
	return (back[0]*back[0]*cp*cp*real(p) + back[1]*back[1]*cs*cs*real(s)) / flux
}

// packetReflection is that of a packet whose envelope has the standard deviation
// wide: the mean over the directions that such a packet is made of.
func packetReflection(m bulk.Elastic, shear bool, degrees, k, wide float64) float64 {
	sum, weights := 0.0, 0.0
	for across := -4.0; across <= 4; across += 0.05 { // standard deviations
		aside := across / (math.Sqrt2 * wide * k)
		w := math.Exp(-across * across / 2)
		sum += w * viscousReflection(m, shear, degrees+math.Atan(aside)*180/math.Pi)
		weights += w
	}
	return sum / weights
}

// A packet of plane waves meets an absorbing edge. The reflected part is that of theory for a
// viscous edge: nothing at normal incidence, little at oblique incidence. The ledger has the energy
// that left.
func TestAbsorbingEdgeLetsWavesOut(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range []struct {
		name    string
		shear   bool
		degrees float64
		most    float64 // of the amplitude that may be reflected
	}{{"P, 0", false, 0, 0.03}, {"P, 30", false, 30, 0.06}, {"P, 60", false, 60, 0.25}, {"S, 0", true, 0, 0.03}, {"S, 25", true, 25, 0.2}, {"S, 45", true, 45, 0.22}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			const wave, fine, far, wide = 1.0, 24, 5.0, 1.6 // length, edges in it, distance at first, standard deviation of the packet [m]
			mod := rock.Moduli(bulk.PlaneStrain)
			speed := math.Sqrt(mod.C11 / rock.Density)
			if c.shear {
				speed = math.Sqrt(mod.G / rock.Density)
			}
			sin, cos := math.Sincos(c.degrees * math.Pi / 180)
			path := 2 * far / cos
			low, high := -3.3*wide, 3.3*wide+path*sin
			src := &mesh.Source{Name: "rock"}
			deep := far + 3.3*wide
			rectangle(src, "rock", -deep, low, deep, high-low, int(fine*deep), int(fine*(high-low)))
			m := model(t, src, rock)
			m.Plane, m.Duration = bulk.PlaneStrain, path/speed
			_, e := side(m.Mesh, 0)
			m.Absorbs = []models.Absorb{{Edges: e}}
			s := start(t, m)
			const k, spread = 2 * math.Pi / wave, wide * wide
			for i, p := range s.Mesh.X {
				x, y := p.X+far, p.Y
				a, b := x*cos+y*sin, -x*sin+y*cos // along and across the way
				// the potential is g sin(k a)/k: its gradient has no shear, its curl nothing else
				g := 1e-7 * math.Exp(-(a*a+b*b)/(2*spread))
				sine, cosine := math.Sincos(k * a)
				fa := g * (cosine - a/spread*sine/k)
				fb := -b / spread * g * sine / k
				faa := g * ((a*a/spread-1)/spread*sine/k - 2*a/spread*cosine - k*sine)
				fab := -b / spread * fa
				u, v := r2.Vec{X: fa, Y: fb}, r2.Vec{X: faa, Y: fab}
				if c.shear {
					u, v = r2.Vec{X: -u.Y, Y: u.X}, r2.Vec{X: -v.Y, Y: v.X}
				}
				turn := func(v r2.Vec) r2.Vec { return r2.Vec{X: v.X*cos - v.Y*sin, Y: v.X*sin + v.Y*cos} }
				s.X[i] = r2.Add(p, turn(u))
				s.V[i] = r2.Scale(-speed, turn(v))
			}
			noError(t, s.forces(true))
			first := s.Energies()
			for s.Time < m.Duration*(1-1e-9) {
				noError(t, s.Step(min(s.Limit, m.Duration-s.Time), nil))
			}
			noError(t, s.forces(true))
			last := s.Energies()
			total := first.Kinetic + first.Strain
			back := math.Sqrt((last.Kinetic + last.Strain) / total)
			theory := math.Sqrt(packetReflection(rock, c.shear, c.degrees, k, wide))
			t.Logf("%.4f of the amplitude comes back, theory %.4f, of a plane wave %.4f", back, theory, math.Sqrt(viscousReflection(rock, c.shear, c.degrees)))
			if math.Abs(back-theory) > 0.025 || back > c.most { // 0.015 off at 32 edges a wave
				t.Errorf("%.4f of the amplitude comes back, theory %.4f", back, theory)
			}
			if gone := last.Absorbed + last.Kinetic + last.Strain; math.Abs(gone-total) > 4e-3*total { // of a wave in steps, by its frequency squared
				t.Errorf("%g J of %g J are in the body and let out", gone, total)
			}
		})
	}
}

// A pulse at normal incidence is absorbed: less than a hundredth of its amplitude is reflected.
func TestAbsorbingEdgeStraightOn(t *testing.T) {
	src := &mesh.Source{Name: "bar"}
	rectangle(src, "bar", -10, 0, 10, 0.1, 800, 8)
	m := model(t, src, rock)
	mod := rock.Moduli(bulk.PlaneStrain)
	speed := math.Sqrt(mod.C11 / rock.Density)
	m.Plane, m.Duration = bulk.PlaneStrain, 10/speed
	_, e := side(m.Mesh, 0)
	m.Absorbs = []models.Absorb{{Edges: e}}
	fix := models.Fix{Y: true}
	for i := range m.Mesh.X {
		fix.Nodes = append(fix.Nodes, int32(i))
	}
	m.Fixes = []models.Fix{fix}
	s := start(t, m)
	for i, p := range s.Mesh.X {
		x := (p.X + 5) / 0.8
		s.X[i].X += 1e-6 * math.Exp(-x*x)
		s.V[i].X = 1e-6 * speed * 2 * x / 0.8 * math.Exp(-x*x)
	}
	greatest := func() (v float64) {
		for i := range s.V {
			v = max(v, math.Abs(s.V[i].X))
		}
		return v
	}
	first := greatest()
	run(t, s, nil)
	if back := greatest() / first; back > 0.01 {
		t.Errorf("%.4f of the velocity comes back", back)
	} else {
		t.Logf("%.4f of the velocity comes back", back)
	}
}
