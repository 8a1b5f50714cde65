package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

const someShapes = `edge = "2 mm"

[[rectangle]]
name = "block"
from = [0, 0]
to = ["40 mm", "20 mm"]
bottom = "clamp"

[[disc]]
name = "ball"
centre = ["20 mm", "30 mm"]
radius = "10 mm"
edge = "1 mm"
rim = "skin"

[[polygon]]
name = "rock"
corners = [["60 mm", 0], ["80 mm", 0], ["75 mm", "15 mm"]]
sides = ["", "slope", ""]

[[polygon]]                 # a second piece of the same body
name = "rock"
corners = [["90 mm", 0], ["110 mm", 0], ["105 mm", "15 mm"]]

[[line]]
name = "bar"
from = [0, "50 mm"]
to = ["100 mm", "50 mm"]
start = "hinge"
end = "tip"

[[point]]
name = "axle"
body = "ball"
at = ["20.3 mm", "29.8 mm"]

[[point]]
name = "heel"
body = "block"
at = [0, 0]
`

func TestShapesFile(t *testing.T) {
	src, err := ParseShapes("a.shapes.toml", []byte(someShapes))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, g := range src.Groups {
		names = append(names, g.Name)
	}
	if want := []string{"block", "clamp", "ball", "skin", "rock", "slope", "bar", "hinge", "tip", "axle", "heel"}; !slices.Equal(names, want) {
		t.Errorf("groups %q, want %q", names, want)
	}
	m, err := mesh.Build(src, []string{"block", "ball", "rock"})
	if err != nil {
		t.Fatal(err)
	}
	if m.Components != 4 {
		t.Errorf("%d pieces, want 4", m.Components)
	}
	for i, want := range []r2.Vec{{X: 20.3e-3, Y: 29.8e-3}, {}} { // after the ends of the line
		if got := src.X[src.Points[2+i]]; r2.Norm(r2.Sub(got, want)) > 1e-15 {
			t.Errorf("a point is at %v, want %v", got, want)
		}
	}
	if q := m.Quality(); q.Worst < 0.5 {
		t.Errorf("a triangle has the quality %g", q.Worst)
	}
}

func TestShapesFileErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`edge = "2 mm"`, ``, `a.shapes.toml:3:3: rectangle "block": edge is missing, here or at the top of the file`},
		{`edge = "2 mm"`, `edge = "2 kg"`, `a.shapes.toml:1:8: edge: expected a length`},
		{`radius = "10 mm"`, ``, `disc "ball": radius is missing`},
		{`radius`, `radus`, `disc "ball": unknown key "radus": did you mean "radius"?`},
		{`rim`, `rum`, `a.shapes.toml:14:1: disc "ball": unknown key "rum": did you mean "rim"?`},
		{`bottom`, `botom`, `unknown key "botom": did you mean "bottom"?`},
		{`to = ["40 mm"`, `to = ["-40 mm"`, `a.shapes.toml:6:6: rectangle "block": to must lie to the right of`},
		{`["75 mm", "15 mm"]`, `["75 mm", "-15 mm"]`, `polygon "rock": the polygon is not convex`},
		{`sides = [""`, `sides = ["", ""`, `sides must name the 3 sides`},
		{`name = "ball"`, `name = ""`, `the name is empty`},
		{`"29.8 mm"`, `"49.8 mm"`, `point "axle": (0.0203, 0.0498) m is not in the body "ball": its nearest node is at`},
		{`"29.8 mm"`, `"39.8 mm"`, `is so near to a side of "ball" that its nearest node is one of the side`},
		{`body = "ball"`, `body = "bell"`, `there is no shape of the body "bell"`},
		{`[[disc]]`, `[[dics]]`, `unknown key "dics": did you mean "disc"?`},
	} {
		_, err := ParseShapes("a.shapes.toml", []byte(strings.Replace(someShapes, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: error %v, want %s", c.new, c.old, err, c.want)
		}
	}
	if _, err := ParseShapes("a.shapes.toml", []byte(`edge = 1`)); err == nil {
		t.Error("no shape is no error")
	}
}

// Rectangles in rows and columns are joined whatever their heights are: a frame of
// eight round a ninth, as for a tunnel.
func TestJoinedRectangles(t *testing.T) {
	at := []float64{0, 1, 1.7, 4.2}
	for _, edge := range []float64{0.1, 0.13, 0.2, 0.31, 0.5} {
		text := fmt.Sprintf("edge = %g\njoin = [\"frame\", \"core\"]\n", edge)
		for i := range 3 {
			for j := range 3 {
				name := "frame"
				if i == 1 && j == 1 {
					name = "core"
				}
				text += fmt.Sprintf("[[rectangle]]\nname = %q\nfrom = [%g, %g]\nto = [%g, %g]\n", name, at[i], at[j], at[i+1], at[j+1])
			}
		}
		src, err := ParseShapes("frame.shapes.toml", []byte(text))
		if err != nil {
			t.Fatalf("edge %g: %v", edge, err)
		}
		m, err := mesh.Build(src, nil)
		if err != nil {
			t.Fatal(err)
		}
		around := 0.0
		for _, e := range m.Edges {
			around += r2.Norm(r2.Sub(m.X[e.B], m.X[e.A]))
		}
		if math.Abs(around-4*4.2) > 1e-9 {
			t.Errorf("edge %g: %g m of outline, want %g m", edge, around, 4*4.2)
		}
	}
}
