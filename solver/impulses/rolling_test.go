package impulses_test

import (
	"fmt"
	"math"
	"testing"
)

// rolling adds the contact of all bodies with friction, restitution and a coefficient of rolling resistance.
func (s *scene) rolling(friction, restitution, coefficient float64) *scene {
	s.contact(friction, restitution)
	fmt.Fprintf(s, "rolling_friction = %v\n", coefficient)
	return s
}

// A ball and a disc that roll on a floor stop after the way of theory, and the heat is their energy. On a
// slope they rest below the coefficient, and roll as theory says above it.
func TestRollingResistance(t *testing.T) {
	const radius, coefficient, speed = 0.01, 0.1, 0.4
	for _, c := range []struct {
		what    string
		inertia float64 // over the mass and the square of the radius
	}{{"particle", 0.4}, {"disc", 0.5}} {
		scene := func(end, slope, speed float64) *run {
			s := begin(end, under(slope), "").floor(-1, 9)
			more := fmt.Sprintf("velocity = [%v, 0]\nangular_velocity = %v", speed, -speed/radius)
			if c.what == "disc" {
				s.disc(0, radius, radius, 2500, more)
			} else {
				fmt.Fprintf(s, "[[particle]]\nname = \"b0\"\nposition = [0, %v]\nradius = %v\ndensity = 2500\n%s\n", radius, radius, more)
			}
			r := start(t, s.rolling(0.8, 0, coefficient))
			r.to(end, nil)
			return r
		}
		stop := (1 + c.inertia) * speed / (coefficient * g)
		r := scene(1.05*stop, 0, speed)
		within(t, c.what+" stops after", r.body(0).Centre.X, 0.5*speed*stop, 1e-6)
		if turns := r.body(0).AngularVelocity; math.Abs(turns) > 1e-9 {
			t.Errorf("the %s still turns with %g rad/s", c.what, turns)
		}
		heat := 0.5 * (1 + c.inertia) * r.body(0).Mass * speed * speed
		within(t, "heat", r.Energies().FrictionDissipated, heat, 1e-6)
		closes(t, r.Solver, heat)
		for _, k := range []float64{0.99, 2} {
			slope := math.Atan(k * coefficient)
			r := scene(0.2, slope, 0)
			if k < 1 {
				if !(r.moved() < 1e-9) {
					t.Errorf("at %g of the limit the %s rolls by %g m", k, c.what, r.moved())
				}
				continue
			}
			within(t, c.what+" rolls", r.body(0).Centre.X, 0.5*g*(math.Sin(slope)-coefficient*math.Cos(slope))/(1+c.inertia)*0.04, 1e-6)
		}
	}
}

// The radius of rolling of two discs is R1 R2/(R1 + R2), in a hollow R1 R2/(R2 - R1): what turns on the spot
// between frictionless walls or in a bowl stops after the time of theory.
func TestRadiusOfRolling(t *testing.T) {
	const coefficient, spin = 0.1, 5.0
	for _, c := range []struct {
		what   string
		below  string
		radius float64
	}{
		{"disc", "shape = \"disc\"\ncentre = [0, -0.3]\nradius = 0.3\n", 0.1 * 0.3 / 0.4},
		{"hollow", "shape = \"hollow\"\ncentre = [0, 0.3]\nradius = 0.3\n", 0.1 * 0.3 / 0.2},
		{"line", "shape = \"line\"\nfrom = [-1, 0]\nto = [1, 0]\n", 0.1},
	} {
		s := begin(1, under(0), "")
		s.WriteString("[[rigid]]\nname = \"below\"\n" + c.below)
		s.disc(0, 0.1, 0.1, 1000, fmt.Sprintf("angular_velocity = %v", spin))
		r := start(t, s.rolling(0, 0, coefficient))
		mass := r.body(0).Mass
		r.to(0.05, nil)
		brake := coefficient * c.radius * mass * g / (0.5 * mass * 0.01)
		within(t, "spin over a "+c.what, r.body(0).AngularVelocity, spin-brake*r.Time, 1e-6)
	}
}

// A tower of discs leans in weight on a slope: it stands below the slope at which the weight of the n discs above
// its lowest joint has the moment of rolling there, mu_r/(2 n), and falls above it. Its forces are found directly.
func TestTowerOfDiscs(t *testing.T) {
	const n, coefficient = 20, 0.2
	for _, k := range []float64{0.99, 1.01} {
		s := begin(3, under(k*coefficient/(2*(n-1))), "impulses = { tolerance = 1e-5 }").floor(-2, 2)
		for i := range n {
			s.disc(0, 0.05+0.1*float64(i), 0.05, 1000)
		}
		r := start(t, s.rolling(0.3, 0, coefficient))
		fell := r.to(3, func() bool { return r.moved() > 0.05 })
		t.Logf("at %g of the limit: falls %v at %.3f s, moves %.3g m, %.1f sweeps and factorisations a step, %d unconverged", k, fell, r.Time, r.moved(), float64(r.Sweeps())/float64(r.N), r.UnconvergedSteps())
		if fell != (k > 1) || k < 1 && r.moved() > 1e-5 || r.UnconvergedSteps() > 0 {
			t.Errorf("at %g of the limit: falls %v, moves %g m", k, fell, r.moved())
		}
	}
}

// A column of balls on a smooth floor collapses when its gate is drawn up, and comes to rest as a heap with
// rolling resistance. Without it the balls roll away for ever.
func TestHeapComesToRest(t *testing.T) {
	for _, coefficient := range []float64{0.1, 0} {
		s := begin(1.2, under(0), "step = 4e-4\nimpulses = { sweeps = 30 }").floor(-1, 9)
		s.WriteString(`[[particle]]
name = "p"
radius = ["4.2 mm", "5.2 mm"]
position = [0.0055, 0.006]
grid = [6, 8]
packing = "hexagonal"
spacing = "10.45 mm"
density = 2500
[[rigid]]
name = "wall"
shape = "line"
from = [0, 2]
to = [0, -0.1]
[[rigid]]
name = "gate"
shape = "line"
from = [0.071, -0.1]
to = [0.071, 1.2]
motion = [[0, 0.071, 0.55], [0.1, 0.071, 0.55], [0.2, 0.071, 2.2], [3, 0.071, 2.2]]
`)
		s.rolling(0.5, 0.2, coefficient)
		s.WriteString("[[contact]]\ncontactor = \"p\"\nopposite = \"gate\"\n")
		r := start(t, s)
		most := 0.0
		left := 0.0
		r.to(1.2, func() bool {
			left = 0
			for i := range r.RigidMotions {
				m := &r.RigidMotions[i]
				left += 0.5 * r.Rigids[i].Mass * (m.Velocity.X*m.Velocity.X + m.Velocity.Y*m.Velocity.Y)
			}
			most = max(most, left)
			return false
		})
		t.Logf("with %g it had %.3g J and has %.3g J", coefficient, most, left)
		if rests := left < 1e-6*most; rests != (coefficient > 0) {
			t.Errorf("with a coefficient of %g the heap rests: %v", coefficient, rests)
		}
	}
}
