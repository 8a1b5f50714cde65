package deck

import (
	"errors"
	"math"
	"strings"
	"testing"

	"fdem/io/tables"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

const beams = `[analysis]
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
name = "strip"
material = "steel"
height = "100 mm"
velocity = ["1 m/s", 0]
angular_velocity = "2 rad/s"

[[beam]]
name = "wire"
material = "steel"
width = "5 mm"
height = "2 mm"

[[fix]]
on = "root"
components = ["x", "y", "rotation"]

[[load]]
on = "tip"
moment = "10 N m"
schedule = "t / 1e-3"

[[load]]
on = "strip"
force = [0, "-6 N"]

[[law]]
name = "penalty"
model = "linear"
k = "1e12 Pa/m"

[[contact]]
contactor = "part"
opposite = "block"
law = "penalty"

[[probe]]
name = "end"
node_near = ["3 m", "2 m"]
quantity = "rotation"
`

// blockAndBeams is the mesh of the deck above: a unit square, a strip of three
// elements over it and a wire beside.
func blockAndBeams(t testing.TB, d *Deck) (*mesh.Mesh, error) {
	t.Helper()
	src := &mesh.Source{
		Name: "beams.msh",
		X: []r2.Vec{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1},
			{X: 0, Y: 2}, {X: 1, Y: 2}, {X: 2, Y: 2}, {X: 3, Y: 2}, {X: 5, Y: 0}, {X: 5, Y: 1}},
		NodeID:    []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}},
		TriID:     []int64{1, 2},
		Lines:     [][2]int32{{4, 5}, {5, 6}, {6, 7}, {8, 9}},
		LineID:    []int64{3, 4, 5, 6},
		Points:    []int32{4, 7},
		Groups: []mesh.SourceGroup{
			{Name: "block", Dim: 2, Number: 1, Elements: []int32{0, 1}},
			{Name: "strip", Dim: 1, Number: 2, Elements: []int32{0, 1, 2}},
			{Name: "part", Dim: 1, Number: 3, Elements: []int32{1}},
			{Name: "wire", Dim: 1, Number: 4, Elements: []int32{3}},
			{Name: "root", Dim: 0, Number: 5, Elements: []int32{0}},
			{Name: "tip", Dim: 0, Number: 6, Elements: []int32{1}},
		},
	}
	return mesh.Build(src, d.BodyNames(), d.BeamNames()...)
}

func TestBeamDeck(t *testing.T) {
	d, err := Parse("beams.toml", []byte(beams))
	if err != nil {
		t.Fatal(err)
	}
	built, err := blockAndBeams(t, d)
	if err != nil {
		t.Fatal(err)
	}
	m, warnings, err := Model(d, built)
	if err != nil {
		t.Fatal(err)
	}
	if want := `body "wire": no contact names it, so it passes through the others`; len(warnings) != 1 || warnings[0] != want {
		t.Errorf("warnings: %q, want %q", warnings, want)
	}
	if len(m.Bodies) != 3 || m.Bodies[1].Width != 0.02 || m.Bodies[1].Height != 0.1 || m.Bodies[2].Width != 0.005 ||
		m.Bodies[1].Velocity.X != 1 || m.Bodies[1].AngularVelocity != 2 {
		t.Errorf("bodies are %+v", m.Bodies)
	}
	if f := m.Fixes[0]; !f.X || !f.Y || !f.Rotation || len(f.Nodes) != 1 {
		t.Errorf("fix is %+v", f)
	}
	if l := m.Loads[0]; l.Moment != 10 || l.Schedule(5e-4) != 0.5 || len(l.Nodes) != 1 {
		t.Errorf("moment is %+v", l)
	}
	if l := m.Loads[1]; l.Line == nil || len(l.Line.Elements) != 3 || math.Abs(l.Line.Force.Y+2) > 1e-15 {
		t.Errorf("a force on a beam goes by length: %+v", l)
	}
	if c := m.Contacts[0]; len(c.Contactor) != 2 || len(c.Opposite) != 4 {
		t.Errorf("the part of the beam has %d edges, want its two faces; opposite %d", len(c.Contactor), len(c.Opposite))
	}
	if m.Probes[0].Quantity != "rotation" || m.Mesh.X[m.Probes[0].Node] != (r2.Vec{X: 3, Y: 2}) {
		t.Errorf("probe is %+v", m.Probes[0])
	}
}

func TestBeamMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, at, want string }{
		{`height = "100 mm"`, "", "15:3", `beam "strip": height is missing, for instance height = "5 mm"`},
		{`height = "100 mm"`, `height = "0 mm"`, "18:10", "height must be positive, got 0 m"},
		{`height = "100 mm"`, `height = "4 m"`, "18:10", "height must not exceed the length of the beam, 3 m, got 4 m"},
		{`width = "5 mm"`, `width = "-5 mm"`, "25:9", "width must be positive, got -0.005 m"},
		{`width = "5 mm"`, `widht = "5 mm"`, "25:1", `unknown key "widht": did you mean "width"?`},
		{`name = "wire"`, `name = "strip"`, "23:8", "there is a body of this name already"},
		{`on = "root"`, `on = "block"`, "30:14", `only nodes of beams have a rotation, and "block" has none`},
		{`on = "tip"`, `on = "block"`, "33:6", `a moment acts on nodes of a beam, and 4 of the 4 nodes of "block" are not of one`},
		{`moment = "10 N m"`, `moment = "10 N"`, "34:10", `expected a moment such as "10 N m"`},
		{`moment = "10 N m"`, `moment = 0`, "34:10", "the moment is zero"},
		{`force = [0, "-6 N"]`, `pressure = "1 Pa"`, "39:12", `a pressure on beams acts on one side: say on which one, side = "left" or "right"`},
		{`["3 m", "2 m"]`, `[0, 0]`, "54:12", "only nodes of beams have a rotation, and the nearest node"},
	} {
		if strings.Count(beams, c.old) == 0 {
			t.Fatalf("the deck has no %q", c.old)
		}
		d, err := Parse("beams.toml", []byte(strings.Replace(beams, c.old, c.new, 1)))
		if err == nil {
			var m *mesh.Mesh
			if m, err = blockAndBeams(t, d); err == nil {
				_, _, err = Model(d, m)
			}
		}
		var e *tables.Error
		if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), "beams.toml:"+c.at+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got\n%v\nwant %s: ... %s", c.new, c.old, err, c.at, c.want)
		}
	}
}

// Rock does not part at nodes of beams: it is warned of a bolt that would glue a joint.
func TestBoltAcrossJoint(t *testing.T) {
	src := &mesh.Source{Name: "rock"}
	const columns = 4
	for j := range 5 {
		for i := range columns + 1 {
			src.AddNode(r2.Vec{X: float64(i), Y: float64(j)})
		}
	}
	at := func(i, j int) int32 { return int32(j*(columns+1) + i) }
	rock, joint := mesh.SourceGroup{Name: "rock", Dim: 2, Number: 1}, mesh.SourceGroup{Name: "bed", Dim: 1, Number: 2}
	for i := range columns {
		for j := range 4 {
			rock.Elements = append(rock.Elements, src.AddTriangle(at(i, j), at(i+1, j), at(i+1, j+1)), src.AddTriangle(at(i, j), at(i+1, j+1), at(i, j+1)))
		}
		joint.Elements = append(joint.Elements, src.AddLine(at(i, 2), at(i+1, 2)))
	}
	bolt := mesh.SourceGroup{Name: "bolt", Dim: 1, Number: 3, Elements: []int32{src.AddLine(at(1, 1), at(1, 2)), src.AddLine(at(1, 2), at(1, 3))}}
	short := mesh.SourceGroup{Name: "short", Dim: 1, Number: 4, Elements: []int32{src.AddLine(at(3, 3), at(3, 4))}}
	src.Groups = []mesh.SourceGroup{rock, joint, bolt, short}
	for name, want := range map[string]string{
		"bolt":  `joint "bed": 2 of its 4 edges end at nodes of beams, the first at (1, 2) m, and never open`,
		"short": "",
	} {
		d, err := Parse("rock.toml", []byte(`mesh = "rock.msh"
analysis = { duration = 1 }
material = [{ name = "stone", young = "50 GPa", poisson = 0.25, density = 2500 }, { name = "steel", young = "200 GPa", poisson = 0.3, density = 7800 }]
body = [{ name = "rock", material = "stone" }]
joint = [{ on = "bed", friction = 0.6 }]
beam = [{ name = "`+name+`", material = "steel", height = "30 mm" }]
`))
		if err != nil {
			t.Fatal(err)
		}
		_, warnings, err := d.Build(src)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(warnings, "\n")
		if strings.Contains(got, "nodes of beams") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%s: warned of %q, want %q", name, got, want)
		}
	}
}
