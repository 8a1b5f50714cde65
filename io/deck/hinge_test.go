package deck

import (
	"errors"
	"strings"
	"testing"

	"fdem/io/tables"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

const jointed = `[analysis]
duration = "1 ms"
thickness = "20 mm"
[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = "7860 kg/m3"
[[body]]
name = "block"
material = "steel"
[[beam]]
name = "girder"
material = "steel"
height = "100 mm"
[[beam]]
name = "drop"
material = "steel"
width = "5 mm"
height = "50 mm"
[[hinge]]
on = "pin"
[[hinge]]
on = "crown"
[[clamp]]
on = "root"
[[load]]
on = "girder"
line_load = [0, "-2 kN/m"]
[[load]]
on = "drop"
pressure = "3 Pa"
side = "right"
[[load]]
on = "crown"
moment = "7 N m"
beam = "drop"
[[fix]]
on = "end"
components = ["y", "rotation"]
`

// parse and build the deck above with one change: a unit square, a girder of
// three elements from one of its corners with a pin after the first, and a drop of
// two that hangs on at its crown.
func buildJointed(t *testing.T, old, new string, change ...func(*mesh.Source)) (*model.Model, error) {
	t.Helper()
	if !strings.Contains(jointed, old) {
		t.Fatalf("the deck has no %q", old)
	}
	d, err := Parse("joints.toml", []byte(strings.Replace(jointed, old, new, 1)))
	if err != nil {
		return nil, err
	}
	src := &mesh.Source{
		Name: "joints.msh",
		X: []r2.Vec{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1},
			{X: 2, Y: 1}, {X: 3, Y: 1}, {X: 4, Y: 1}, {X: 4, Y: 0}, {X: 4, Y: -1}},
		NodeID:    []int64{1, 2, 3, 4, 5, 6, 7, 8, 9},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}},
		TriID:     []int64{1, 2},
		Lines:     [][2]int32{{2, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}},
		LineID:    []int64{3, 4, 5, 6, 7},
		Points:    []int32{4, 6, 2, 8, 0},
		Groups: []mesh.SourceGroup{
			{Name: "block", Dim: 2, Number: 1, Elements: []int32{0, 1}},
			{Name: "girder", Dim: 1, Number: 2, Elements: []int32{0, 1, 2}},
			{Name: "drop", Dim: 1, Number: 3, Elements: []int32{3, 4}},
			{Name: "pin", Dim: 0, Number: 4, Elements: []int32{0}},
			{Name: "crown", Dim: 0, Number: 5, Elements: []int32{1}},
			{Name: "root", Dim: 0, Number: 6, Elements: []int32{2}},
			{Name: "end", Dim: 0, Number: 7, Elements: []int32{3}},
			{Name: "corner", Dim: 0, Number: 8, Elements: []int32{4}},
		},
	}
	for _, f := range change {
		f(src)
	}
	m, _, err := d.Build(src)
	return m, err
}

func TestJoints(t *testing.T) {
	m, err := buildJointed(t, "", "")
	if err != nil {
		t.Fatal(err)
	}
	at := func(h mesh.Hinge) r2.Vec { return m.Mesh.X[h.Of] }
	if h := m.Mesh.Hinges; len(h) != 2 || at(h[0]) != (r2.Vec{X: 2, Y: 1}) && at(h[1]) != (r2.Vec{X: 2, Y: 1}) || m.Mesh.X[h[0].Node] != at(h[0]) {
		t.Fatalf("hinges are %+v", h)
	}
	if c := m.Clamps; len(c) != 1 || m.Mesh.X[c[0].Node] != (r2.Vec{X: 1, Y: 1}) {
		t.Errorf("clamps are %+v", c)
	}
	if l := m.Loads[0].Line; l == nil || len(l.Elements) != 3 || l.Force.Y != -2000 {
		t.Errorf("the line load is %+v", m.Loads[0])
	}
	if l := m.Loads[1]; l.Line == nil || len(l.Line.Side) != 2 || l.Line.Side[0] != -0.005 || l.Pressure != 3 {
		t.Errorf("the pressure is %+v", l)
	}
	drop := m.Mesh.Bodies[2]
	if l := m.Loads[2]; l.Moment != 7 || len(l.Nodes) != 1 || l.Nodes[0] != m.Mesh.Beams[drop.FirstBeam][0] && l.Nodes[0] != m.Mesh.Beams[drop.FirstBeam][1] && l.Nodes[0] != m.Mesh.Beams[drop.EndBeam-1][0] && l.Nodes[0] != m.Mesh.Beams[drop.EndBeam-1][1] {
		t.Errorf("the moment is %+v, the drop has %v", l, m.Mesh.Beams[drop.FirstBeam:drop.EndBeam])
	}
	other, err := buildJointed(t, `beam = "drop"`, `beam = "girder"`)
	if err != nil || other.Loads[2].Nodes[0] == m.Loads[2].Nodes[0] {
		t.Errorf("the moment turns node %v of the girder and of the drop: %v", other.Loads[2].Nodes, err)
	}
	all, err := buildJointed(t, `on = "pin"`, `on = "drop"`) // all of its nodes where elements meet, but for the crown
	if err == nil || !strings.Contains(err.Error(), "is a hinge already") {
		t.Errorf("the crown is a hinge twice: %v, %v", all, err)
	}
	if all, err = buildJointed(t, "[[hinge]]\non = \"pin\"\n[[hinge]]\non = \"crown\"", "[[hinge]]\non = \"drop\""); err != nil || len(all.Mesh.Hinges) != 2 {
		t.Errorf("along a curve of three nodes, one of them an end, are two hinges, got %v, %v", all, err)
	}
}

func TestJointMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, at, want string }{
		{`on = "pin"`, `on = "pni"`, "22:6", `there is no group "pni" in the mesh: did you mean "pin"?`},
		{`on = "pin"`, `on = "end"`, "22:6", `node 9 at (4, -1) m cannot be a hinge: only one beam ends there`},
		{`on = "pin"`, `on = "root"`, "22:6", `a node that a beam and a body share is a hinge anyway; [[clamp]]`},
		{`on = "pin"`, `on = "corner"`, "22:6", `cannot be a hinge: no beam has it`},
		{`on = "pin"`, `on = "block"`, "22:6", `a hinge is at points or along a curve, and "block" is a surface`},
		{`on = "pin"`, `on = "crown"`, "24:6", `node 7 at (4, 1) m is a hinge already`},
		{`on = "root"`, `on = "pin"`, "26:6", `node 5 at (2, 1) m cannot be a clamp: no body shares it`},
		{`on = "root"`, `on = "corner"`, "26:6", `cannot be a clamp: no beam has it`},
		{`on = "root"`, `on = "drop"`, "26:6", `a clamp needs nodes that a beam and a body share, and "drop" has none`},
		{`on = "end"`, `on = "root"`, "40:14", `node 3 turns with a body, by the clamp on "root": leave "rotation" out of the components`},
		{`beam = "drop"`, ``, "35:6", `node 7 of "crown" is a hinge, where each beam has its own rotation: say on which beam the moment acts, beam = "girder"`},
		{`beam = "drop"`, `beam = "dorp"`, "37:8", `there is no [[beam]] "dorp": did you mean "drop"?`},
		{`on = "crown"
moment`, `on = "pin"
moment`, "37:8", `beam "drop" does not have node 5 of "pin"`},
		{`moment = "7 N m"
beam = "drop"`, `force = [1, 0]
beam = "drop"`, "37:8", "beam goes with moment"},
		{`moment = "7 N m"`, `moment = "7 N"`, "36:10", "expected a moment"},
		{`on = "crown"
moment = "7 N m"
beam = "drop"`, `on = "corner"
moment = 1`, "35:6", `a moment acts on nodes of a beam, and 1 of the 1 nodes of "corner" are not of one`},
		{`line_load = [0, "-2 kN/m"]`, `line_load = [0, "-2 kN"]`, "29:13", "expected an energy per area or a force per length"},
		{`line_load = [0, "-2 kN/m"]`, `line_load = [0, 0]`, "29:13", "the line load is zero"},
		{`on = "girder"`, `on = "block"`, "28:6", `a line_load, or a pressure with a side, needs a curve of beams, and "block" is not one`},
		{`on = "drop"
pressure`, `on = "end"
pressure`, "31:6", `needs a curve of beams, and "end" is not one`},
		{`side = "right"`, `side = "above"`, "33:8", `side must be one of "left", "right", got "above"`},
		{`side = "right"`, ``, "32:12", `a pressure on beams acts on one side: say on which one, side = "left" or "right"`},
		{`line_load = [0, "-2 kN/m"]`, `force = [0, 1]
side = "left"`, "30:8", "side goes with pressure"},
	} {
		_, err := buildJointed(t, c.old, c.new)
		var e *tables.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "joints.toml:"+c.at+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got\n%v\nwant %s: ... %s", c.new, c.old, err, c.at, c.want)
		}
	}
	_, err := buildJointed(t, "", "", func(src *mesh.Source) { src.Lines[4] = [2]int32{8, 7} })
	if want := `joints.toml:33:8: load "drop": the curves of "drop" are drawn in opposite directions, towards or away from node 8`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
