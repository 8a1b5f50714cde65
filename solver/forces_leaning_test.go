package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/solver"
)

// leaningSlab is a slab at an angle to a floor, on whose edge it stands, with a smooth wall at its top.
type leaningSlab struct {
	name                string
	degrees, long, wide float64
	rigid, lines        bool
	duration            float64 // [s]
	analysis            string
}

// build returns its model, its weight, and the force that the wall needs to hold it [N].
func (c *leaningSlab) build(t *testing.T) (s *solver.Solver, weight, push float64) {
	t.Helper()
	const g, density, thick = 9.81, 2000.0, 0.1
	sin, cos := math.Sincos(c.degrees * math.Pi / 180)
	l, w := c.long, c.wide
	corners := [4][2]float64{{0, 0}, {w * sin, w * cos}, {w*sin - l*cos, w*cos + l*sin}, {-l * cos, l * sin}}
	weight = l * w * thick * density * g
	push = weight * -(w*sin - l*cos) / 2 / (l * sin)
	polygon := fmt.Sprintf("corners = %s\n", strings.ReplaceAll(fmt.Sprint(corners), " ", ", "))
	var deck, shapes strings.Builder
	fmt.Fprintf(&deck, "[analysis]\nduration = %g\nthickness = %g\ngravity = [0, %g]\n%s\n[output]\nhistory_every = \"1 ms\"\n[[material]]\nname = \"soft\"\nyoung = \"200 MPa\"\npoisson = 0.3\ndensity = %g\n", c.duration, thick, -g, c.analysis, density)
	fmt.Fprintf(&shapes, "edge = %g\n", math.Min(0.02, w))
	if c.rigid {
		fmt.Fprintf(&deck, "[[rigid]]\nname = \"slab\"\nshape = \"polygon\"\ndensity = %g\n%s", density, polygon)
	} else {
		deck.WriteString("[[body]]\nname = \"slab\"\nmaterial = \"soft\"\n")
		shapes.WriteString("[[polygon]]\nname = \"slab\"\n" + polygon)
	}
	x, y := corners[3][0], corners[3][1]
	if c.lines {
		fmt.Fprintf(&deck, "[[rigid]]\nname = \"ground\"\nshape = \"line\"\nfrom = [-1, 0]\nto = [1, 0]\n[[rigid]]\nname = \"wall\"\nshape = \"line\"\nfrom = [%[1]g, 1]\nto = [%[1]g, -1]\n", x)
	} else {
		deck.WriteString("[[body]]\nname = \"ground\"\nmaterial = \"soft\"\n[[body]]\nname = \"wall\"\nmaterial = \"soft\"\n[[fix]]\non = \"base\"\n[[fix]]\non = \"back\"\n")
		fmt.Fprintf(&shapes, "[[rectangle]]\nname = \"ground\"\nfrom = [-0.06, -0.06]\nto = [0.12, 0]\nbottom = \"base\"\n[[rectangle]]\nname = \"wall\"\nfrom = [%g, %g]\nto = [%g, %g]\nleft = \"back\"\n", x-0.06, y-0.07, x, y+0.09)
	}
	fmt.Fprintf(&deck, "[[contact]]\ncontactor = \"slab\"\nopposite = \"ground\"\nfriction = %g\n[[contact]]\ncontactor = \"slab\"\nopposite = \"wall\"\n", 1.5*push/weight+0.1)
	text, of := deck.String(), shapes.String()
	if c.rigid && c.lines {
		of = ""
	} else {
		text = "mesh = \"model.msh\"\n" + text
	}
	return built(t, text, of), weight, push
}

// A slab leans on a smooth wall. Friction at its foot holds it. It starts in equilibrium on its corners
// and stays there, meshed or rigid, on meshes or lines, whatever damping the deck gives, and the normal forces of
// its contacts are its weight and the force that its moment about the foot needs.
func TestSlabLeans(t *testing.T) {
	t.Parallel()
	for _, c := range []leaningSlab{
		{name: "meshed", degrees: 60, long: 0.2, wide: 0.02},
		{name: "rigid", degrees: 60, long: 0.2, wide: 0.02, rigid: true},
		{name: "on lines", degrees: 45, long: 0.3, wide: 0.03, lines: true},
		{name: "rigid on lines", degrees: 75, long: 0.25, wide: 0.02, rigid: true, lines: true},
		{name: "with local damping", degrees: 60, long: 0.2, wide: 0.02, analysis: "damping = { local = 0.7 }"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.duration = 0.01
			s, weight, push := c.build(t)
			through(t, s, func() {
				floor, wall := s.Surfaces[0], s.Surfaces[1]
				if math.Abs(floor.Normal/weight-1) > 5e-4 || math.Abs(wall.Normal/push-1) > 4e-3 { // its corners give way
					t.Errorf("at %g s the floor carries %.5g and the wall %.5g N, want %.5g and %.5g", s.Time, floor.Normal, wall.Normal, weight, push)
				}
				if math.Abs(math.Abs(floor.Tangential)-wall.Normal) > 2e-3*wall.Normal || math.Abs(wall.Tangential) > 1e-9*weight {
					t.Errorf("at %g s friction is %.5g N on the floor and %.5g N on the wall, which presses with %.5g", s.Time, floor.Tangential, wall.Tangential, wall.Normal)
				}
			})
		})
	}
}

// Local damping brings a slab to rest that falls against a wall, although friction brakes the slip of its
// corner, too: the two together reversed it in every step.
func TestLocalDampingBringsToRest(t *testing.T) {
	c := leaningSlab{degrees: 45, long: 0.3, wide: 0.03, lines: true, duration: 0.3, analysis: "damping = { local = 0.8 }\nstart = \"sudden\""}
	s, weight, push := c.build(t)
	through(t, s, nil)
	if floor, wall := s.Surfaces[0], s.Surfaces[1]; math.Abs(floor.Normal/weight-1) > 1e-6 || math.Abs(wall.Normal/push-1) > 4e-3 || s.Energies().Kinetic > 1e-18 {
		t.Errorf("the floor carries %.7g and the wall %.7g N, want %.7g and %.7g; kinetic energy %.2g J", floor.Normal, wall.Normal, weight, push, s.Energies().Kinetic)
	}
}
