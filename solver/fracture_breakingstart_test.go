package solver

import (
	"math"
	"reflect"
	"testing"

	"fdem/materials/bulk"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// twoJoined makes two blocks that a seam of a strength joins [Pa], turned by an angle.
func twoJoined(t testing.TB, strength, angle float64) *models.Model {
	const h = 5e-3
	src := &mesh.Source{Name: "joined"}
	rectangle(src, "left", 0, 0, 8*h, 4*h, 8, 4)
	all := &src.Groups[0]
	right := mesh.SourceGroup{Name: "right", Dim: 2, Number: 2}
	kept := all.Elements[:0]
	for _, e := range all.Elements {
		x := 0.0
		for _, n := range src.Triangles[e] {
			x += src.X[n].X / 3
		}
		if x > 4*h {
			right.Elements = append(right.Elements, e)
		} else {
			kept = append(kept, e)
		}
	}
	all.Elements = kept
	src.Groups = append(src.Groups, right)
	c, sn := math.Cos(angle), math.Sin(angle)
	for i, x := range src.X {
		src.X[i] = r2.Vec{X: c*x.X - sn*x.Y, Y: sn*x.X + c*x.Y}
	}
	m := model(t, src, bulk.Elastic{Name: "rock", Young: 4e9, Poisson: 0.2, Density: 2500})
	seam(t, m, strength, 0.3, func(p r2.Vec) bool { return math.Abs(c*p.X+sn*p.Y-4*h) < 1e-9 })
	m.Fracture.Sizes = []models.FractureSize{{Where: "seam"}}
	m.Duration = 0.2e-3
	return m
}

// Two joined bodies move away from one another. If the traction of their speed, by the impedance of
// waves, exceeds the strength of the seam, they keep their velocities and the energy. If they are
// slower, or move towards one another, the seam holds.
func TestThrownFromOneAnother(t *testing.T) {
	const angle = 0.3
	rock := bulk.Elastic{Young: 4e9, Poisson: 0.2, Density: 2500}
	impedance := math.Sqrt(rock.Density * rock.Moduli(bulk.PlaneStress).C11)
	for _, c := range []struct {
		speed    float64 // of each body, apart [m/s]
		strength float64 // over the traction that it makes
		parts    bool
	}{{1, 1e-3, true}, {1, 0.99, true}, {1, 1.01, false}, {-1, 1e-3, false}} {
		m := twoJoined(t, c.strength*impedance, angle) // Z v/2, by 2 v
		out := r2.Vec{X: c.speed * math.Cos(angle), Y: c.speed * math.Sin(angle)}
		m.Bodies[0].Velocity, m.Bodies[1].Velocity = r2.Scale(-1, out), out
		s := start(t, m)
		var first system.Energies
		noError(t, s.Step(0, func(float64) (bool, error) { first = s.Energies(); return true, nil }))
		if open := s.Cracks().Openings(); (open == 5) != c.parts || !c.parts && open > 0 {
			t.Errorf("%+v: %d vertices open in the first step", c, open)
		}
		if !c.parts {
			continue
		}
		mass := s.BodyMass[0]
		if math.Abs(first.Kinetic-mass) > 1e-12*mass {
			t.Errorf("%+v: %g J at first, want %g", c, first.Kinetic, mass)
		}
		if c.strength > 0.1 {
			continue
		}
		run(t, s, nil)
		motions, e := s.Motions(), s.Energies()
		for i, want := range [2]r2.Vec{r2.Scale(-1, out), out} {
			if d := r2.Norm(r2.Sub(motions[i].Velocity, want)); d > 1e-3 {
				t.Errorf("%+v: body %d moves at %v, want %v", c, i, motions[i].Velocity, want)
			}
		}
		if sum := r2.Norm(r2.Add(motions[0].Momentum, motions[1].Momentum)); sum > 1e-12*mass {
			t.Errorf("%+v: a momentum of %g kg m/s", c, sum)
		}
		if math.Abs(e.Residual) > 1e-3*first.Kinetic {
			t.Errorf("%+v: residual %g J of %g J", c, e.Residual, first.Kinetic)
		}
	}
}

// A run with such a start resumes to the bit.
func TestThrownFromOneAnotherResumed(t *testing.T) {
	make := func() *Solver {
		m := twoJoined(t, 2e4, 0)
		m.Bodies[0].Velocity, m.Bodies[1].Velocity = r2.Vec{X: -1}, r2.Vec{X: 1, Y: 0.2}
		return start(t, m)
	}
	s := make()
	for range 3 {
		noError(t, s.Step(0, nil))
	}
	held := hold(s.Parts())
	run(t, s, nil)
	again := make()
	fill(again.Parts(), held)
	noError(t, again.Restore())
	run(t, again, nil)
	if !reflect.DeepEqual(s.Motions(), again.Motions()) || s.N != again.N {
		t.Errorf("%+v, without a break %+v", again.Motions(), s.Motions())
	}
}
