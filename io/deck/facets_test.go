package deck

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// A band over half a drum, drawn so that its inner face touches the drum, lies there without
// pressure although the chords of its edges overlap those of the drum: no warning. All round the
// chords press, and so does a half that overlaps the drum.
func TestChordsOfABand(t *testing.T) {
	const deck = `
[analysis]
type = "static"
[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = 7850
[[beam]]
name = "band"
material = "steel"
height = "0.5 mm"
[[rigid]]
name = "drum"
shape = "disc"
centre = [0, 0]
radius = "50 mm"
[[contact]]
contactor = "band"
opposite = "drum"
overlap = "allow"
`
	for _, c := range []struct {
		name       string
		turn, over float64 // angle of the band [rad], overlap [m]
		warns      bool
	}{
		{"half, in touch", math.Pi, 1e-8, false},
		{"a quarter, in touch", 0.5 * math.Pi, 1e-8, false},
		{"all round, in touch", 2 * math.Pi, 1e-8, true},
		{"half, with an overlap", math.Pi, 3e-6, true},
	} {
		const step = 0.01 // [rad]
		src := &mesh.Source{Name: "band.msh"}
		n := int(c.turn/step + 0.5)
		group := mesh.SourceGroup{Name: "band", Dim: 1, Number: 1}
		whole := c.turn > 6
		for i := range n + 1 {
			if i == n && whole {
				break
			}
			angle := c.turn * float64(i) / float64(n)
			src.X = append(src.X, r2.Scale(0.05025-c.over, r2.Vec{X: elementary.Cos(angle), Y: elementary.Sin(angle)}))
			src.NodeID = append(src.NodeID, int64(i+1))
		}
		for i := range n {
			group.Elements = append(group.Elements, src.AddLine(int32(i), int32((i+1)%len(src.X))))
		}
		src.Groups = append(src.Groups, group)
		d, err := Parse("deck.toml", []byte(deck))
		if err != nil {
			t.Fatal(err)
		}
		_, warnings, err := d.Build(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(fmt.Sprint(warnings), "edges are chords of arcs"); got != c.warns {
			t.Errorf("%s: warned %v: %q", c.name, got, warnings)
		}
	}
}
