package contacts_test

import (
	"fmt"
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// materials of blocks, by the keys of a deck.
var bouncing = map[string]string{
	"rubber": "young = \"100 MPa\"\npoisson = 0.3\ndensity = 2000",
	"rock":   "young = \"10 GPa\"\npoisson = 0.2\ndensity = 2600",
	"steel":  "young = \"200 GPa\"\npoisson = 0.3\ndensity = 7800",
}

// Meshed blocks that land flat, on a corner or on one another, and discs, rebound with their coefficient of
// restitution within 2 %, of whatever shape and material: the contact stores the energy, and its law makes up for
// what they store themselves.
func TestRestitutionOfMeshedBodies(t *testing.T) {
	const square, turned, disc = 0.1, -1, 0 // or the height of a block, 0.1 m wide
	for _, c := range []struct {
		upper, lower float64 // lower NaN for a rigid floor
		of, on       string
		restitution  float64
	}{
		{square, math.NaN(), "rubber", "", 0.3}, {square, math.NaN(), "rubber", "", 0.8}, {square, math.NaN(), "rock", "", 0.05},
		{0.3, math.NaN(), "rubber", "", 0.5}, {0.3, math.NaN(), "rock", "", 0.3}, {0.3, math.NaN(), "steel", "", 0.8},
		{0.6, math.NaN(), "rock", "", 0.3}, {0.025, math.NaN(), "rock", "", 0.5},
		{turned, math.NaN(), "rock", "", 0.5}, {disc, math.NaN(), "steel", "", 0.3},
		{square, square, "rock", "rock", 0.3}, {square, 0.3, "rock", "steel", 0.5}, {0.3, square, "rock", "rock", 0.5}, {disc, disc, "rock", "rock", 0.5},
	} {
		src := &mesh.Source{Name: "bodies.msh"}
		put := func(name string, height, top float64) {
			across := max(4, int(math.Round(80*height)))
			switch {
			case height == turned:
				scenes.Block(src, name, r2.Vec{}, math.Pi/4, 0.1, 0.1, 8, 8)
			case height == disc:
				scenes.Disc(src, name, r2.Vec{Y: top - 0.05}, 0.05, 8)
			default:
				scenes.Block(src, name, r2.Vec{X: -0.05, Y: top - height}, 0, 0.1, height, 8, across)
			}
		}
		height := c.upper
		if height == disc {
			height = 0.1
		}
		put("upper", c.upper, height)
		lower := "[[rigid]]\nname = \"lower\"\nshape = \"line\"\nfrom = [-1, \"-0.1 mm\"]\nto = [1, \"-0.1 mm\"]"
		if !math.IsNaN(c.lower) {
			put("lower", c.lower, -1e-4)
			lower = fmt.Sprintf("[[material]]\nname = \"on\"\n%s\n[[body]]\nname = \"lower\"\nmaterial = \"on\"", bouncing[c.on])
		}
		s, err := scenes.Start("bodies.toml", fmt.Sprintf(`[analysis]
duration = 0.02
[output]
checkpoint_every = 0
[[material]]
name = "of"
%s
[[body]]
name = "upper"
material = "of"
velocity = [0, -1]
%s
[[contact]]
contactor = "upper"
opposite = "lower"
restitution = %v
`, bouncing[c.of], lower, c.restitution), src)
		if err != nil {
			t.Fatal(err)
		}
		for on := true; on; {
			if err := s.Step(0, func(dt float64) (bool, error) { on = dt > 0; return on, nil }); err != nil {
				t.Fatal(err)
			}
		}
		v := s.Motions()[0].Velocity.Y
		if !math.IsNaN(c.lower) {
			v -= s.Motions()[1].Velocity.Y
		}
		t.Logf("%s %g m on %g m %s: rebounds with %.4f for %g, %+.2f %%", c.of, c.upper, c.lower, c.on, v, c.restitution, 100*(v/c.restitution-1))
		if !(math.Abs(v-c.restitution) <= 0.02*c.restitution) {
			t.Errorf("%s %g m on %g m %s: rebounds with %g, want %g", c.of, c.upper, c.lower, c.on, v, c.restitution)
		}
	}
}
