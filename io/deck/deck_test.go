package deck

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fdem/contactnodes"
	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// full is a deck with most features of the interface.
const full = `title = "Collision"
mesh = "collision.msh"

[analysis]
type = "dynamic"
duration = "385 us"
step = "auto"
safety = 0.7
plane = "strain"
thickness = "10 mm"
gravity = [0.0, "-9.81 m/s2"]
damping = { mass = 2.0, stiffness = "1 ns" }

[output]
fields_every = "5 us"
history_every = "0.5 us"
checkpoint_every = "50 us"

[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = "7860 kg/m3"

[[body]]
name = "striker"
material = "steel"
velocity = ["0.5 m/s", 0.0]
angular_velocity = "10 rad/s"

[[body]]
name = "target"
material = "steel"

[[fix]]
on = "clamp"
components = ["x"]

[[load]]
on = "top"
force = ["1 kN", 0]
schedule = [["0 us", 0], ["50 %", 1.0]]

[[load]]
on = "top"
force = ["-2e3 * min(t/1e-4, 1)", "2 N"]

[[load]]
on = "top"
pressure = "3 MPa"
schedule = "sin(pi * t / 385e-6)"

[[law]]
name = "blasted steel"
model = "kostek"
e_p = "0.534 um/MPa^0.653"
m_p = 0.653
e_e = "1.148 um/MPa^0.462"
m_e = 0.462
e_l = "0.302 um/MPa^0.462"
e_u = "0.523 um/MPa^0.462"
m_ep = 0.462

[[contact]]
contactor = "target"
opposite = "all"
law = "blasted steel"
nodes_per_element = 10
friction = 0.1
friction_speed = "2 mm/s"
two_sided = true

[[probe]]
name = "tip"
node_near = ["0 mm", "0.9 m"]
quantity = "velocity"
`

// twoSquares is the mesh of the deck above: bodies striker and target, curves
// clamp (left of the striker) and top (of the target).
func twoSquares(t testing.TB, d *Deck) *mesh.Mesh {
	t.Helper()
	m, err := mesh.Build(squares(), d.BodyNames())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func squares() *mesh.Source {
	return &mesh.Source{
		Name:      "collision.msh",
		X:         []r2.Vec{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}, {X: 2, Y: 0}, {X: 4, Y: 0}, {X: 4, Y: 1}, {X: 2, Y: 1}},
		NodeID:    []int64{1, 2, 3, 4, 5, 6, 7, 8},
		Triangles: [][3]int32{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}},
		TriID:     []int64{1, 2, 3, 4},
		Lines:     [][2]int32{{0, 3}, {6, 7}},
		LineID:    []int64{5, 6},
		Groups: []mesh.SourceGroup{
			{Name: "striker", Dim: 2, Number: 1, Elements: []int32{0, 1}},
			{Name: "target", Dim: 2, Number: 2, Elements: []int32{2, 3}},
			{Name: "clamp", Dim: 1, Number: 3, Elements: []int32{0}},
			{Name: "top", Dim: 1, Number: 4, Elements: []int32{1}},
		},
	}
}

func TestFullDeck(t *testing.T) {
	d, err := Parse("full.toml", []byte(full))
	if err != nil {
		t.Fatal(err)
	}
	m, warnings, err := Model(d, twoSquares(t, d))
	if err != nil {
		t.Fatal(err)
	}
	if len(warnings) != 0 {
		t.Errorf("warnings: %v", warnings)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s is %g, want %g", what, got, want)
		}
	}
	near("duration", m.Duration, 385e-6)
	near("safety", m.Safety, 0.7)
	near("thickness", m.Thickness, 0.01)
	near("gravity", m.Gravity.Y, -9.81)
	near("mass damping", m.Damping.Mass, 2)
	near("stiffness damping", m.Damping.Stiffness, 1e-9)
	near("fields", m.FieldsEvery, 5e-6)
	near("history", m.HistoryEvery, 5e-7)
	near("checkpoints", d.model.CheckpointEvery, 5e-5)
	near("residual limit", m.ResidualLimit, 0.05)
	near("Young's modulus", m.Materials[0].Young, 210e9)
	near("velocity", m.Bodies[0].Velocity.X, 0.5)
	near("angular velocity", m.Bodies[0].AngularVelocity, 10)
	if m.Plane != bulk.PlaneStrain || m.FixedStep != 0 || d.Mesh != "collision.msh" || m.Title != "Collision" {
		t.Errorf("plane %v, step %g, mesh %q, title %q", m.Plane, m.FixedStep, d.Mesh, m.Title)
	}
	if f := m.Fixes[0]; len(f.Nodes) != 2 || !f.X || f.Y {
		t.Errorf("fix %+v", f)
	}
	c := m.Contacts[0]
	if c.Name != "target-all" || len(c.Contactor) != 4 || len(c.Opposite) != 4 || c.NodesPerElement != 10 || c.Friction != (contactnodes.Friction{Kinetic: 0.1, Static: 0.1, Speed: 2e-3}) || !c.TwoSided {
		t.Errorf("contact %+v", c)
	}
	if p := m.Probes[0]; m.Mesh.NodeID[p.Node] != 4 || p.Quantity != "velocity" {
		t.Errorf("probe %+v at node %d", p, m.Mesh.NodeID[p.Node])
	}
	if len(m.Loads) != 4 {
		t.Fatalf("%d loads, want 4: a force by expression is one for each component", len(m.Loads))
	}
	for _, l := range m.Loads[:3] {
		near("share", l.Weights[0]+l.Weights[1], 1)
		near("half", l.Weights[0], 0.5)
	}
	near("force", m.Loads[0].Force.X, 1000)
	near("schedule", m.Loads[0].Schedule(385e-6/4), 0.5)
	near("schedule's end", m.Loads[0].Schedule(385e-6), 1)
	near("expression", m.Loads[1].Force.X*m.Loads[1].Schedule(5e-5), -1000)
	near("constant component", m.Loads[2].Force.Y, 2)
	near("pressure", m.Loads[3].Pressure*m.Loads[3].Schedule(385e-6/2), 3e6)
	if len(m.Loads[3].Edges) != 1 {
		t.Errorf("the pressure acts on %d edges, want 1", len(m.Loads[3].Edges))
	}
}

func TestDefaults(t *testing.T) {
	d, err := Parse("small.toml", []byte("[analysis]\nduration = 1.0\n[[material]]\nname = \"m\"\nyoung = 1\npoisson = 0\ndensity = 1\n[[body]]\nname = \"striker\"\nmaterial = \"m\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := d.model
	if m.Safety != 0.8 || m.Plane != bulk.PlaneStress || m.Thickness != 1 || m.ResidualLimit != 0.05 || m.FixedStep != 0 || m.FieldsEvery != 0.01 || m.HistoryEvery != 0.001 {
		t.Errorf("defaults are %+v", m)
	}
}

// Every mistake is shown at its position, and nearly always with the remedy.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		old, new string
		at       string // line:column
		want     string
	}{
		{"duration =", "durration =", "6:1", `analysis: unknown key "durration": did you mean "duration"?`},
		{"duration =", "Duration =", "6:1", `analysis: unknown key "Duration": did you mean "duration"?`},
		{"duration = \"385 us\"", "", "4:2", "analysis: duration is missing, for instance duration"},
		{"safety = 0.7", "safty = 0.7", "8:1", `analysis: unknown key "safty": did you mean "safety"?`},
		{"safety = 0.7", "safety = 1.7", "8:10", "safety must be above 0 and at most 1, got 1.7"},
		{"safety = 0.7", `safety = "0.7 m"`, "8:10", "expected a plain number"},
		{`step = "auto"`, `step = "-1 us"`, "7:8", `step must be positive, or "auto", got -1e-06 s`},
		{`step = "auto"`, `step = "automatic"`, "7:8", "expected a time"},
		{`plane = "strain"`, `plane = "stain"`, "9:9", `plane must be one of "stress", "strain", got "stain": did you mean "strain"?`},
		{"friction = 0.1", "restitution = 0.5", "69:15", "restitution does not go with law: the law decides what an impact loses"},
		{`type = "dynamic"`, `type = "static"`, "7:8", `step goes with type = "dynamic"`},
		{`type = "dynamic"`, "type = \"dynamic\"\nincrements = 5", "6:14", `increments goes with type = "static"`},
		{`"10 mm"`, `"10 kg"`, "10:13", `expected a length such as "10 mm", got "10 kg", a mass`},
		{`[0.0, "-9.81 m/s2"]`, `[0.0]`, "11:11", "gravity must have 2 entries, got 1"},
		{`[0.0, "-9.81 m/s2"]`, `9.81`, "11:11", "gravity must be a list"},
		{"damping = { mass = 2.0,", "damping = { mas = 2.0,", "12:13", `damping: unknown key "mas": did you mean "mass"?`},
		{"mass = 2.0", "mass = -2.0", "12:20", "mass must not be negative, got -2 1/s"},
		{`"385 us"`, `"0 us"`, "6:12", "duration must be positive, got 0 s"},
		{"[[material]]", "[material]", "19:2", "double brackets"},
		{`young = "210 GPa"`, "", "19:3", `material "steel": young is missing, for instance young = "210 GPa"`},
		{`"7860 kg/m3"`, `"-7860 kg/m3"`, "23:11", `material "steel": density must be positive, got -7860 kg/m3`},
		{"poisson = 0.3", "poisson = true", "22:11", "poisson must be a plain number, got true"},
		{"[[body]]\nname = \"target\"", "[[body]]\nname = \"striker\"", "32:8", "there is a body of this name already"},
		{`material = "steel"`, `material = "stele"`, "27:12", `there is no material "stele": did you mean "steel"?`},
		{`components = ["x"]`, `components = ["z"]`, "37:14", `components must be "x" and "y", and "rotation" for beams, got the text "z"`},
		{`components = ["x"]`, `components = []`, "37:14", "at least one"},
		{`on = "clamp"`, `on = "clmap"`, "36:6", `there is no group "clmap" in the mesh: did you mean "clamp"?`},
		{"force = [\"1 kN\", 0]", "", "40:6", "a load needs one of force, pressure, moment, line_load, acceleration and body_force"},
		{"force = [\"1 kN\", 0]", "force = [0, 0]", "41:9", "the force is zero"},
		{`[["0 us", 0], ["50 %", 1.0]]`, `[["9 us", 0], ["1 us", 1.0]]`, "42:12", "must not decrease"},
		{`[["0 us", 0], ["50 %", 1.0]]`, `[1, 2]`, "42:12", "list of [time, factor]"},
		{`"sin(pi * t / 385e-6)"`, `"sin(x)"`, "51:12", "not an expression of t"},
		{`"sin(pi * t / 385e-6)"`, `"log(t)"`, "51:12", "no finite value at t = 0 s"},
		{`"-2e3 * min(t/1e-4, 1)"`, `"2 parsec"`, "46:9", "not an expression of t"},
		{`model = "kostek"`, `model = "kosteck"`, "55:9", `there is no contact law "kosteck": did you mean "kostek"?`},
		{`e_p = "0.534 um/MPa^0.653"`, `e_p = "0.534 um/MPa^0.5"`, "56:7", "expected a quantity in"},
		{`e_p = "0.534 um/MPa^0.653"`, `e_p = "-0.534 um/MPa^0.653"`, "56:7", "e_p must be greater than 0"},
		{"m_p = 0.653\n", "", "55:9", "m_p"},
		{"m_ep = 0.462\n", "m_ep = 0.462\nm_q = 1\n", "63:1", `unknown key "m_q"`},
		{`name = "blasted steel"`, "name = \"blasted steel\"\nmodel = \"ristow\"\nradius = \"1 mm\"\nmodulus = \"1 GPa\"\nchi = \"1 kN s/m2\"\n[[law]]\nname = \"other\"", "73:7", "a [[contact]] needs a surface law"},
		{`opposite = "all"`, `opposite = "target"`, "66:12", "same body"},
		{`contactor = "target"`, `contactor = "targte"`, "65:13", `no group or body "targte": did you mean "target"?`},
		{"nodes_per_element = 10", "nodes_per_element = 0", "68:21", "between 1 and 1000, got 0"},
		{"nodes_per_element = 10", "nodes_per_element = 2.5", "68:21", `whole number, or "auto", got 2.5`},
		{"two_sided = true", `two_sided = "yes"`, "71:13", "true or false"},
		{`quantity = "velocity"`, `quantity = "speed"`, "76:12", "quantity must be one of"},
		{`node_near = ["0 mm", "0.9 m"]`, "", "73:3", "node_near is missing"},
		{"[[probe]]", "[[particle]]\nradius = 1\n[[probe]]", "73:3", "particle 1: name is missing"},
		{"[[probe]]", "[[particle]]\nname = \"b\"\ndensity = 1\nposition = [0, 0]\n[[probe]]", "73:3", "particle \"b\": radius is missing, for instance radius = \"10 mm\", or file = \"...\""},
		{"[[probe]]", "[[particle]]\nname = \"b\"\nradius = 1\nposition = [0, 0]\n[[probe]]", "74:8", "needs a material, a density or a mass"},
		{"[[probe]]", "[[particle]]\nname = \"b\"\ndensity = 1\nradius = [2, 1]\nposition = [0, 0]\n[[probe]]", "76:10", "radius = [from, to] needs from above 0 and to above from, got 2 and 1 m"},
		{"[[probe]]", "[[particle]]\nname = \"b\"\ndensity = 1\nradius = 1\nposition = [0, 0]\ngrid = [2, 2]\n[[probe]]", "73:3", "spacing is missing"},
		{"[[probe]]", "[[particle]]\nname = \"b\"\ndensity = 1\nfile = \"no.csv\"\n[[probe]]", "76:8", "no.csv"},
		{"[[probe]]", "[[particle]]\nname = \"striker\"\ndensity = 1\nradius = 1\nposition = [0, 0]\n[[probe]]", "74:8", "of this name already"},
		{"two_sided = true", "overlap = 3\noverlap_ramp = 2", "71:11", `overlap must be a text in quotes, got 3`},
		{"[[probe]]", "[[rigid]]\nname = \"r\"\nshape = \"disc\"\ncentre = [0, 0]\nradius = 1\n[rigid.motion]\nspeed = 1\n[[probe]]", "79:1", `motion: unknown key "speed"`},
		{"[[probe]]", "[[prob]]", "73:3", `unknown key "prob": did you mean "probe"?`},
		{"[[probe]]", "[[probe]", "73:8", ""},
		{"title = \"Collision\"", "title = 5", "1:9", "title must be a text in quotes, got 5"},
	} {
		if strings.Count(full, c.old) == 0 {
			t.Fatalf("the deck has no %q", c.old)
		}
		text := strings.Replace(full, c.old, c.new, 1)
		d, err := Parse("full.toml", []byte(text))
		if err == nil {
			_, _, err = Model(d, twoSquares(t, d))
		}
		var e *tables.Error
		if !errors.As(err, &e) {
			t.Errorf("%q for %q: got error %v, want one with a position", c.new, c.old, err)
			continue
		}
		if !strings.HasPrefix(err.Error(), "full.toml:"+c.at+": ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got\n%v\nwant %s: ... %s", c.new, c.old, err, c.at, c.want)
		}
	}
}

func TestQuoteShowsThePosition(t *testing.T) {
	_, err := Parse("d.toml", []byte("[analysis]\n\tduration = \"1 kg\"\n"))
	var e *tables.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if want := "\tduration = \"1 kg\"\n\t           ^"; e.Quote() != want {
		t.Errorf("got\n%s\nwant\n%s", e.Quote(), want)
	}
}

func TestUnusedIsWarnedOf(t *testing.T) {
	text := strings.Replace(full, "[[probe]]", "[[material]]\nname = \"brass\"\nyoung = 1e11\npoisson = 0\ndensity = 8000\n[[law]]\nname = \"soft\"\nmodel = \"linear\"\nk = 1\n[[probe]]", 1)
	text = strings.Replace(text, "on = \"clamp\"", "on = \"striker\"", 1)
	text = strings.Replace(text, "velocity = [\"0.5 m/s\", 0.0]\nangular_velocity = \"10 rad/s\"\n", "", 1)
	d, err := Parse("d.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	_, warnings, err := Model(d, twoSquares(t, d))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`material "brass" is not used`, `law "soft" is not used`}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
}

// Particles and meshed bodies: those that no interaction joins are warned of,
// and names that are none refused.
func TestParticlesBesideAMesh(t *testing.T) {
	const ball = "\n[[particle]]\nname = \"ball\"\nradius = 1\nposition = [9, 9]\nmaterial = \"steel\"\n[[law]]\nname = \"point\"\nmodel = \"hertz\"\n[[interaction]]\nlaw = \"point\"\n"
	for _, tt := range []struct{ text, want string }{
		{full + ball, "warning: "},
		{full + ball + "between = [\"ball\", \"striker\"]\n", `warning: particles pass through "target": no [[interaction]] joins them`},
		{full + ball + "between = [\"ball\", \"strikr\"]\n", `there is no particle or body "strikr": did you mean "striker"?`},
		{full + ball + "between = [\"target\", \"striker\"]\n", `an interaction needs a particle, and neither "target" nor "striker" is one`},
		{strings.Replace(full, "opposite = \"all\"", "opposite = \"ball\"", 1) + ball, `"ball" is a [[particle]]`},
	} {
		d, err := Parse("d.toml", []byte(tt.text))
		var warnings []string
		if err == nil {
			_, warnings, err = Model(d, twoSquares(t, d))
		}
		got := fmt.Sprint(err)
		if err == nil {
			got = "warning: " + strings.Join(warnings, "; ")
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte(walls))
	f.Add([]byte(beams))
	f.Add([]byte("[analysis]\nduration = 1\n[[body]]\n"))
	f.Add([]byte("a.b = {c = [1, \"2 m\"]}\n[[law]]\nmodel = \"kostek\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Parse("fuzz.toml", data)
		if err == nil && len(d.bodies)+len(d.rigids) == 0 {
			t.Error("a deck without bodies was taken")
		}
	})
}
