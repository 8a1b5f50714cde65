package fem

import (
	"math"
	"math/rand/v2"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

const beta = 1e-7 // [s]

// viscous returns the forces of stiffness-proportional damping.
func viscous(s *Triangles, x, v []r2.Vec) []r2.Vec {
	m := Leapfrog{X: x, V: v, F: make([]r2.Vec, len(x)), Damping: make([]r2.Vec, len(x)), Mass: make([]float64, len(x))}
	s.Damp(beta)
	if !s.Subdomains(1)[0].SetForces(&m) {
		panic("a triangle is turned inside out")
	}
	return m.Damping
}

func random(n int, seed uint64) []r2.Vec {
	rng := rand.New(rand.NewPCG(seed, 0))
	v := make([]r2.Vec, n)
	for i := range v {
		v[i] = r2.Vec{X: 2*rng.Float64() - 1, Y: 2*rng.Float64() - 1}
	}
	return v
}

// A deformed body that moves and turns as a whole is not damped.
func TestDampingSparesRigidMotion(t *testing.T) {
	p := newPatch(6, 4, 0.4, 0.3, 0.5)
	s := p.triangles(t, steel, bulk.PlaneStrain, 0.02)
	x := p.shaken(0.01)
	v := make([]r2.Vec, len(x))
	for i := range v {
		v[i] = r2.Vec{X: 3 - 50*x[i].Y, Y: -2 + 50*x[i].X}
	}
	stretching := make([]r2.Vec, len(x))
	for i := range v {
		stretching[i] = r2.Scale(50, x[i])
	}
	if f, scale := largest(viscous(s, x, v)), largest(viscous(s, x, stretching)); f > 1e-13*scale {
		t.Errorf("force %g N; stretching at the same rate makes %g N", f, scale)
	}
}

func TestDampingDissipates(t *testing.T) {
	p := newPatch(6, 4, 0.4, 0.3, 0.5)
	x := p.shaken(0.01)
	for _, plane := range planes {
		s := p.triangles(t, steel, plane, 0.02)
		for seed := range uint64(20) {
			v := random(len(x), seed)
			f := viscous(s, x, v)
			power := 0.0
			var sum r2.Vec
			for i := range f {
				power += r2.Dot(f[i], v[i])
				sum = r2.Add(sum, f[i])
			}
			if !(power < 0) {
				t.Errorf("plane %d, seed %d: power %g W, want less than 0", plane, seed, power)
			}
			if r2.Norm(sum) > 1e-12*largest(f) {
				t.Errorf("plane %d, seed %d: net force %v N", plane, seed, sum)
			}
		}
	}
}

// In the undeformed state the damping force is beta times the change of the
// internal force along the velocity: Rayleigh's beta K v.
func TestDampingIsProportionalToStiffness(t *testing.T) {
	p := newPatch(6, 4, 0.4, 0.3, 0.5)
	s := p.triangles(t, steel, bulk.PlaneStress, 0.02)
	v := random(len(p.x), 1)
	const h = 1e-6
	along := func(h float64) []r2.Vec {
		x := make([]r2.Vec, len(p.x))
		for i := range x {
			x[i] = r2.Add(p.x[i], r2.Scale(h, v[i]))
		}
		return forces(t, s, x)
	}
	up, down, got := along(h), along(-h), viscous(s, p.x, v)
	scale := largest(got)
	for i := range got {
		want := r2.Scale(beta/(2*h), r2.Sub(up[i], down[i]))
		if d := r2.Norm(r2.Sub(got[i], want)); d > 1e-8*scale {
			t.Errorf("node %d: %v, want %v", i, got[i], want)
		}
	}
}

// Turning body and velocity turns the force.
func TestDampingIsObjective(t *testing.T) {
	p := newPatch(6, 4, 0.4, 0.3, 0.5)
	s := p.triangles(t, steel, bulk.PlaneStress, 0.02)
	x := p.shaken(0.01)
	v := random(len(x), 1)
	want := viscous(s, x, v)
	const angle = 100 * math.Pi / 180
	for i := range x {
		x[i], v[i] = r2.Rotate(x[i], angle, r2.Vec{}), r2.Rotate(v[i], angle, r2.Vec{})
	}
	got := viscous(s, x, v)
	for i := range got {
		if d := r2.Norm(r2.Sub(got[i], r2.Rotate(want[i], angle, r2.Vec{}))); d > 1e-12*largest(want) {
			t.Errorf("node %d: %v, unturned %v", i, got[i], want[i])
		}
	}
}
