package deck

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/materials/contact"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// square is a body of two triangles with edges of h, its lower left corner at
// (x, 0).
func squareMesh(t *testing.T, bodies ...struct {
	name string
	x, h float64
}) *mesh.Mesh {
	t.Helper()
	src := &mesh.Source{Name: "squares.msh"}
	for i, b := range bodies {
		n := int32(len(src.X))
		for _, p := range []r2.Vec{{}, {X: b.h}, {X: b.h, Y: b.h}, {Y: b.h}} {
			src.X = append(src.X, r2.Vec{X: b.x + p.X, Y: p.Y})
			src.NodeID = append(src.NodeID, int64(len(src.X)))
		}
		src.Triangles = append(src.Triangles, [3]int32{n, n + 1, n + 2}, [3]int32{n, n + 2, n + 3})
		src.TriID = append(src.TriID, int64(2*i+1), int64(2*i+2))
		src.Groups = append(src.Groups, mesh.SourceGroup{Name: b.name, Dim: 2, Number: i + 1, Elements: []int32{int32(2 * i), int32(2*i + 1)}})
	}
	var names []string
	for _, b := range bodies {
		names = append(names, b.name)
	}
	m, err := mesh.Build(src, names)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type placed = struct {
	name string
	x, h float64
}

const gelAndRock = `
[analysis]
duration = 1
thickness = "10 mm"
[[material]]
name = "gel"
young = "5 MPa"
poisson = 0.4
density = 1000
[[material]]
name = "rock"
young = "50 GPa"
poisson = 0.2
density = 2500
[[body]]
name = "a"
material = "gel"
[[body]]
name = "b"
material = "%s"
`

const floor = `
[[rigid]]
name = "floor"
shape = "line"
from = [-1, -1]
to = [1, -1]
`

func contacts(t *testing.T, text string, m *mesh.Mesh) []models.SurfaceContact {
	t.Helper()
	d, err := Parse("auto.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	model, _, err := Model(d, m)
	if err != nil {
		t.Fatal(err)
	}
	return model.Contacts
}

func stiffnessOf(t *testing.T, c models.SurfaceContact) float64 {
	t.Helper()
	l, ok := c.Law.(contact.Linear)
	if !ok {
		t.Fatalf("contact %q has the law %T", c.Name, c.Law)
	}
	return l.K
}

// Without a law, without k and with k = "auto" a contact is as stiff as some
// layers of the softer material's elements over the finer edge.
func TestStiffnessFromTheBodies(t *testing.T) {
	m := squareMesh(t, placed{"a", 0, 0.02}, placed{"b", 0.5, 0.005})
	want := layers * 5e6 / 0.005
	between := "[[contact]]\ncontactor = \"a\"\nopposite = \"b\"\n"
	for name, text := range map[string]string{
		"no law": between,
		"no k":   between + "law = \"l\"\n[[law]]\nname = \"l\"\nmodel = \"linear\"\n",
		"auto":   between + "law = \"l\"\n[[law]]\nname = \"l\"\nmodel = \"linear\"\nk = \"auto\"\nc = 3\n",
		"factor": between + "law = \"l\"\n[[law]]\nname = \"l\"\nmodel = \"linear\"\nk_factor = 2.5\n",
		"pairs":  between + "law = [[\"gel\", \"rock\", \"l\"], [\"gel\", \"gel\", \"l\"], [\"rock\", \"rock\", \"l\"]]\n[[law]]\nname = \"l\"\nmodel = \"linear\"\n",
	} {
		got := contacts(t, fmt.Sprintf(gelAndRock, "rock")+text, m)
		if len(got) != 1 {
			t.Fatalf("%s: %d contacts, want 1: materials that do not meet need none", name, len(got))
		}
		factor := 1.0
		if name == "factor" {
			factor = 2.5
		}
		if k := stiffnessOf(t, got[0]); math.Abs(k/(factor*want)-1) > 1e-12 || got[0].Factor != factor || got[0].Young != 5e6 || math.Abs(got[0].Edge-0.005) > 1e-15 {
			t.Errorf("%s: k = %g of %+v, want %g", name, k, got[0], factor*want)
		}
	}
}

// Against a rigid body the elastic side counts alone; one contact serves bodies
// of one material and very different size, by the finest.
func TestStiffnessBySize(t *testing.T) {
	m := squareMesh(t, placed{"a", 0, 0.1}, placed{"b", 0.5, 0.001})
	got := contacts(t, fmt.Sprintf(gelAndRock, "gel")+floor+"[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\n", m)
	if len(got) != 1 || got[0].Name != "all-all" || got[0].Of != "" || math.Abs(stiffnessOf(t, got[0])/(layers*5e6/0.001)-1) > 1e-12 {
		t.Errorf("%+v", got)
	}
	got = contacts(t, fmt.Sprintf(gelAndRock, "gel")+floor+"[[contact]]\ncontactor = \"a\"\nopposite = \"floor\"\n", m)
	if len(got) != 1 || math.Abs(stiffnessOf(t, got[0])/(layers*5e6/0.1)-1) > 1e-12 {
		t.Errorf("%+v", got)
	}
}

// Of pairs of materials that are too unlike each has a stiffness of its own;
// the results know one contact.
func TestStiffnessOfUnlikePairs(t *testing.T) {
	m := squareMesh(t, placed{"a", 0, 0.01}, placed{"b", 0.5, 0.01})
	got := contacts(t, fmt.Sprintf(gelAndRock, "rock")+floor+"[[contact]]\nname = \"c\"\ncontactor = \"all\"\nopposite = \"all\"\n", m)
	want := map[string]float64{"c.gel-rock": 5e6, "c.gel-rigid": 5e6, "c.rock-rigid": 50e9}
	if len(got) != len(want) {
		t.Fatalf("%d contacts, want %d", len(got), len(want))
	}
	for _, c := range got {
		if e, ok := want[c.Name]; !ok || c.Of != "c" || math.Abs(stiffnessOf(t, c)/(layers*e/0.01)-1) > 1e-12 {
			t.Errorf("%q of %q: k = %g", c.Name, c.Of, stiffnessOf(t, c))
		}
	}
}

// Rigid bodies among themselves take it from their density and size; a pair without density and
// size is refused and must give the stiffness.
func TestStiffnessOfRigidBodies(t *testing.T) {
	const disc = "[[rigid]]\nname = \"disc\"\nshape = \"disc\"\ncentre = [0, 0]\nradius = 0.05\ndensity = 2000\n"
	const meets = "[[contact]]\ncontactor = \"disc\"\nopposite = \"floor\"\n"
	got := contacts(t, "[analysis]\nduration = 1\n"+floor+disc+meets, &mesh.Mesh{})
	if k, want := stiffnessOf(t, got[0]), layers*math.Pi*2000*rigidSpeed*rigidSpeed/0.05; math.Abs(k/want-1) > 1e-12 {
		t.Errorf("k = %g, want %g", k, want)
	}
	for name, text := range map[string]string{
		"held":     "[analysis]\nduration = 1\n" + floor + strings.Replace(disc, "density = 2000", "", 1) + meets,
		"released": "[analysis]\ntype = \"static\"\n" + floor + strings.Replace(disc, "density = 2000", `motion = ["0", "free"]`, 1) + meets,
	} {
		d, err := Parse("rigid.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = Model(d, &mesh.Mesh{})
		if err == nil || !strings.Contains(err.Error(), "rigid.toml:") || !strings.Contains(err.Error(), `contact "disc-floor"`) || !strings.Contains(err.Error(), "give k") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A long beam is soft in bending, and its elements are slow: E H/(2 L)^2.
func TestStiffnessOfBeams(t *testing.T) {
	src := &mesh.Source{
		Name: "beam.msh", X: []r2.Vec{{}, {X: 0.02}, {X: 0.04}}, NodeID: []int64{1, 2, 3},
		Lines: [][2]int32{{0, 1}, {1, 2}}, LineID: []int64{1, 2},
		Groups: []mesh.SourceGroup{{Name: "strip", Dim: 1, Number: 1, Elements: []int32{0, 1}}},
	}
	m, err := mesh.Build(src, nil, "strip")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Split(fmt.Sprintf(gelAndRock, "gel"), "[[body]]")[0] + floor +
		"[[beam]]\nname = \"strip\"\nmaterial = \"rock\"\nheight = \"2 mm\"\n[[contact]]\ncontactor = \"strip\"\nopposite = \"floor\"\n"
	got := contacts(t, text, m)
	if k, want := stiffnessOf(t, got[0]), layers*50e9*0.002/(0.04*0.04); math.Abs(k/want-1) > 1e-9 {
		t.Errorf("k = %g, want %g", k, want)
	}
}

// Values of a stiffness that are refused.
func TestStiffnessMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`k = "automatic"`:       `k: `,
		`k = "5 mm"`:            `or "auto"`,
		`k = true`:              `k must be`,
		`k = 0`:                 `k must be greater than 0`,
		"k = 1e9\nk_factor = 2": `k_factor goes with k = "auto"`,
		`k_factor = 0`:          `k_factor must be positive`,
		`k_factor = "2 m"`:      `k_factor`,
		"k = \"auto\"\nc = -1":  `c must be at least 0`,
		`c = "auto"`:            `c: `,
		`m = 1`:                 `unknown key "m"`,
	} {
		_, err := Parse("law.toml", []byte("[analysis]\nduration = 1\n"+floor+"[[law]]\nname = \"l\"\nmodel = \"linear\"\n"+text+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "law.toml:") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := Parse("law.toml", []byte("[analysis]\nduration = 1\n"+floor+"[[law]]\nname = \"l\"\nmodel = \"volumetric\"\nk_f = \"auto\"\nh_f = 1\n")); err == nil {
		t.Error(`only k of a linear law may be "auto"`)
	}
	held := "[analysis]\nduration = 1\n" + floor + "[[rigid]]\nname = \"lid\"\nshape = \"box\"\ncentre = [0, 1]\nwidth = 1\nheight = 1\n[[contact]]\ncontactor = \"lid\"\nopposite = \"floor\"\n"
	for law, want := range map[string]string{"": "or give k in a [[law]] of the contact", "law = \"l\"\n[[law]]\nname = \"l\"\nmodel = \"linear\"\n": `or give k of law "l"`} {
		if _, _, err := unmeshed("law.toml", held+law); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "say fixed = false") {
			t.Errorf("two fixed bodies: %v, want %s", err, want)
		}
	}
}

// A penetration p of bodies of density rho makes k = 2 rho g/p^2, whatever their size, and rho
// v^2/(p^2 L) where they start faster than they would fall.
func TestStiffnessByPenetration(t *testing.T) {
	boxes := func(velocity float64) string {
		return fmt.Sprintf("[[rigid]]\nname = \"large\"\nshape = \"box\"\ncentre = [0, 0.5]\nwidth = 1\nheight = 1\ndensity = 2000\n"+
			"[[rigid]]\nname = \"small\"\nshape = \"box\"\ncentre = [0, 1.5]\nwidth = 0.1\nheight = 0.4\ndensity = 2000\nvelocity = [0, %g]\n", -velocity) +
			"[[rigid]]\nname = \"floor\"\nshape = \"line\"\nfrom = [-1, 0]\nto = [1, 0]\n"
	}
	const begin = "[analysis]\nduration = 1\nthickness = 0.1\ngravity = [0, -9.81]\n"
	for _, c := range []struct {
		text string
		want float64
	}{
		{boxes(0) + "[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\npenetration = \"0.1 %\"\n", 2 * 2000 * 9.81 * 1e6},
		{boxes(0) + "[[contact]]\ncontactor = \"large\"\nopposite = \"floor\"\npenetration = 0.001\n", 2 * 2000 * 9.81 * 1e6},
		{boxes(0) + "[[law]]\nname = \"l\"\nmodel = \"linear\"\nk_factor = 3\n[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\nlaw = \"l\"\npenetration = \"1 %\"\n", 6 * 2000 * 9.81 * 1e4},
		{boxes(30) + "[[contact]]\ncontactor = \"small\"\nopposite = \"floor\"\npenetration = \"1 %\"\n", 2000 * 900 / 0.2 * 1e4},
	} {
		d, err := Parse("p.toml", []byte(begin+c.text))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := d.Build(nil)
		if err != nil {
			t.Fatal(err)
		}
		if k := stiffnessOf(t, m.Contacts[0]); math.Abs(k/c.want-1) > 1e-9 {
			t.Errorf("%s\nk = %g, want %g", c.text, k, c.want)
		}
	}
	for text, want := range map[string]string{
		begin + boxes(0) + "[[law]]\nname = \"l\"\nmodel = \"linear\"\nk = 1e9\n[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\nlaw = \"l\"\npenetration = \"1 %\"\n": `takes the place of k, and law "l" has a k`,
		begin + boxes(0) + "[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\npenetration = \"20 %\"\n":                                                                 "must not exceed 5 %",
		begin + boxes(0) + "[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\npenetration = \"1 mm\"\n":                                                                 "penetration",
		"[analysis]\nduration = 1\n" + boxes(0) + "[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\npenetration = \"1 %\"\n":                                           "neither gravity nor",
	} {
		d, err := Parse("p.toml", []byte(text))
		if err == nil {
			_, _, err = d.Build(nil)
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "p.toml:") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	d, err := Parse("p.toml", []byte(fmt.Sprintf(gelAndRock, "rock")+"[[contact]]\ncontactor = \"a\"\nopposite = \"b\"\npenetration = \"1 %\"\n"))
	if err == nil {
		_, _, err = Model(d, squareMesh(t, placed{"a", 0, 0.02}, placed{"b", 0.5, 0.005}))
	}
	if err == nil || !strings.Contains(err.Error(), "penetration is for rigid bodies") {
		t.Errorf("between elastic bodies: %v", err)
	}
}

// Straight edges of rigid bodies need few contact nodes under a linear law in time; elements,
// arcs, laws with memory, static analyses and a deck that says so have more.
func TestSuitedNodes(t *testing.T) {
	const box = "[[rigid]]\nname = \"box\"\nshape = \"box\"\ncentre = [0, 0.05]\nwidth = 0.1\nheight = 0.1\nmass = 1\n"
	const line = "[[rigid]]\nname = \"floor\"\nshape = \"line\"\nfrom = [-1, 0]\nto = [1, 0]\n"
	const disc = "[[rigid]]\nname = \"disc\"\nshape = \"disc\"\ncentre = [0, 0.3]\nradius = 0.1\nmass = 1\n"
	for _, c := range []struct {
		bodies, key string
		nodes       int
	}{
		{box + line, "", 4}, {box + line, "nodes_per_element = \"auto\"\n", 4}, {box + line, "nodes_per_element = 7\n", 7}, {box + line + disc, "", 20},
	} {
		d, err := Parse("model.toml", []byte("[analysis]\nduration = 1\n"+c.bodies+"[[contact]]\ncontactor = \"all\"\nopposite = \"all\"\n"+c.key))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := d.Build(nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Contacts {
			if got := m.Contacts[i].NodesPerElement; got != c.nodes {
				t.Errorf("%s%s: %d contact nodes on an edge, want %d", c.bodies, c.key, got, c.nodes)
			}
		}
	}
	text := fmt.Sprintf(gelAndRock, "rock") + "[[contact]]\ncontactor = \"a\"\nopposite = \"b\"\n"
	const memory = "law = \"l\"\n[[law]]\nname = \"l\"\nmodel = \"kostek\"\ne_p = 1e-12\nm_p = 0.7\ne_e = 1e-12\nm_e = 0.5\ne_l = 1e-12\ne_u = 1e-12\nm_ep = 0.5\n"
	for _, c := range []struct {
		text  string
		nodes int
	}{
		{text, 20}, {text + memory, 20}, {strings.Replace(text, "duration = 1", "type = \"static\"", 1), 20},
	} {
		for _, got := range contacts(t, c.text, squareMesh(t, placed{"a", 0, 0.02}, placed{"b", 0.5, 0.005})) {
			if got.NodesPerElement != c.nodes {
				t.Errorf("%s: %d contact nodes on an edge, want %d", c.text, got.NodesPerElement, c.nodes)
			}
		}
	}
}
