package deck

import (
	"context"
	"math"
	"strings"
	"testing"

	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/model"
	"fdem/solver/statics"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fixes may share nodes: the first fix has the reaction, and whatever their order the reactions add
// up to the load and the body deforms alike.
func TestFixesShareNodes(t *testing.T) {
	const load = "[[load]]\non = \"tip\"\nforce = [300, -400]\n"
	fixes := map[string]string{
		"wall": "[[fix]]\non = \"wall\"\n",
		"axis": "[[fix]]\non = \"axis\"\ncomponents = [\"y\"]\n",
		"ends": "[[fix]]\non = \"ends\"\ncomponents = [\"x\"]\n",
	}
	nothing := func() error { return nil }
	var first []r2.Vec
	for _, order := range [][]string{{"wall", "axis", "ends"}, {"axis", "wall", "ends"}, {"ends", "axis", "wall"}} {
		src := squares()
		src.X, src.NodeID, src.Triangles, src.TriID = src.X[:4], src.NodeID[:4], src.Triangles[:2], src.TriID[:2]
		src.Lines, src.LineID = [][2]int32{{0, 3}, {0, 1}}, []int64{5, 6}
		src.Points = []int32{0, 3, 2}
		src.Groups = []mesh.SourceGroup{
			{Name: "striker", Dim: 2, Number: 1, Elements: []int32{0, 1}},
			{Name: "wall", Dim: 1, Number: 2, Elements: []int32{0}}, {Name: "axis", Dim: 1, Number: 3, Elements: []int32{1}},
			{Name: "ends", Dim: 0, Number: 4, Elements: []int32{0, 1}}, {Name: "tip", Dim: 0, Number: 5, Elements: []int32{2}},
		}
		text := inStaticDeck + steelBlock + "[[body]]\nname = \"striker\"\nmaterial = \"steel\"\n" + load
		for _, name := range order {
			text += fixes[name]
		}
		d, err := Parse("deck.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		m, warnings, err := d.Build(src)
		if err != nil {
			t.Fatal(err)
		}
		warned := strings.Contains(strings.Join(warnings, ""), `earlier fixes already hold all that the fix on "ends" holds`)
		if want := order[2] == "ends"; want != warned {
			t.Errorf("%v: warned %v, want %v", order, warned, want)
		}
		s, err := solver.New(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := statics.Run(context.Background(), s, solver.Observer{Row: nothing, Frame: nothing}); err != nil {
			t.Fatal(err)
		}
		sum := r2.Vec{X: 300, Y: -400}
		force := map[string]r2.Vec{}
		for _, r := range s.Reactions() {
			sum, force[r.Name] = r2.Add(sum, r.Force), r.Force
		}
		if len(force) != 3 || r2.Norm(sum) > 1e-7*500 { // as well as the analysis balances
			t.Errorf("%v: reactions %v are off by %v", order, force, sum)
		}
		if held := force[order[0]]; r2.Norm(held) < 1 || order[2] == "ends" && force["ends"] != (r2.Vec{}) {
			t.Errorf("%v: reactions %v", order, force)
		}
		if first == nil {
			first = s.X
		}
		for n, x := range s.X {
			if d := r2.Norm(r2.Sub(x, first[n])); d > 1e-15 || math.IsNaN(d) {
				t.Errorf("%v: node %d is %g m off", order, n, d)
			}
		}
	}
}

// A name that looks like a group but is none is refused, with the remedy.
func TestNamesThatAreNoGroups(t *testing.T) {
	for text, want := range map[string]string{
		"[[fix]]\non = \"grain\"\n":                                                   `"grain" is a [[particle]], and [[fix]] needs a group of the mesh: fixed = true in its own block fixes it`,
		"[[fix]]\non = \"plate\"\n":                                                   `"plate" is a [[rigid]], and [[fix]] needs a group of the mesh: a rigid body without a mass does not move`,
		"[[tie]]\non = \"face\"\nto = \"grain\"\n":                                    `"grain" is a [[particle]], and [[tie]] needs a group of the mesh`,
		"[[tie]]\non = \"face\"\nto = \"face\"\n":                                     `a tie needs two different curves, and both are "face"`,
		"[[tie]]\non = \"striker\"\nto = \"target\"\n":                                `"striker" is a body, and only "to" may be a body`,
		"[[spring]]\non = \"top\"\nto_at = [9, 9]\n":                                  "a spring needs a stiffness, a damping or a curve",
		"[[contact]]\ncontactor = \"grain\"\nopposite = \"target\"\n":                 `"grain" is a [[particle]]: for its contacts use an [[interaction]]`,
		point + "[[interaction]]\nbetween = [\"grain\", \"face\"]\nlaw = \"point\"\n": `"face" is a group of the mesh but not a body: particles are in contact with whole bodies`,
		"[[interaction]]\npair = [\"grain\", \"striker\"]\n":                          `unknown key "pair": it is a key of [[fracture]]; here there are "between", "friction"`,
	} {
		if _, err := made(inTimeDeck + steelBlock + twoBodies + plate + grain + text); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// A fix may hold the node that is nearest to a position: in results it is known by its number
// in the mesh, or by its name.
func TestFixOfANode(t *testing.T) {
	const deck = inTimeDeck + steelBlock + twoBodies
	build := func(fixes string) (*model.Model, []string, error) {
		d, err := Parse("deck.toml", []byte(deck+fixes))
		if err != nil {
			return nil, nil, err
		}
		return d.Build(squares())
	}
	m, warnings, err := build("[[fix]]\nnode_near = [\"1100 mm\", 0.9]\ncomponents = [\"y\"]\n[[fix]]\nnode_near = [40, 0]\nname = \"corner\"\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		name string
		id   int32
		x    bool
	}{{"node 3", 3, false}, {"corner", 6, true}} {
		f := &m.Fixes[i]
		if len(f.Nodes) != 1 || m.Mesh.NodeID[f.Nodes[0]] != want.id || f.Name != want.name || f.X != want.x || !f.Y {
			t.Errorf("fix %+v, want node %d as %q, x %v", f, want.id, want.name, want.x)
		}
	}
	if said := strings.Join(warnings, "\n"); !strings.Contains(said, "the fix on node 6: (40, 0) m lies outside of the mesh") || strings.Contains(said, "node 3") {
		t.Errorf("warnings: %s", said)
	}
	for name, c := range map[string]struct{ fixes, want string }{
		"a group, too":   {"[[fix]]\non = \"clamp\"\nnode_near = [0, 0]\n", "fix \"clamp\": on does not go with node_near: a fix holds a group or a single node"},
		"neither":        {"[[fix]]\ncomponents = [\"x\"]\n", `on is missing, for instance on = "clamp", or node_near = [x, y]`},
		"one number":     {"[[fix]]\nnode_near = 3\n", "node_near must be a list in brackets"},
		"a pressure":     {"[[fix]]\nnode_near = [\"1 MPa\", 0]\n", "a pressure such as"},
		"not a number":   {"[[fix]]\nnode_near = [nan, 0]\n", "node_near"},
		"no beam turns":  {"[[fix]]\nnode_near = [0, 0]\ncomponents = [\"rotation\"]\n", "only nodes of beams have a rotation, and \"node 1\" has none"},
		"driven already": {"[[drive]]\non = \"clamp\"\nvelocity = [0, 1]\n[[fix]]\nnode_near = [0, 0]\n", "is already fixed in x by fix \"node 1\""},
	} {
		if _, _, err := build(c.fixes); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: error %v, want %q with its position", name, err, c.want)
		}
	}
}

// Fixes that come and go may share nodes if they hold them at the same time, or one after the other.
func TestFixesThatComeAndGo(t *testing.T) {
	const tie = "[[tie]]\non = \"face\"\nto = \"target\"\ngap = 1.5\n"
	for _, c := range []struct{ fixes, rest, want string }{
		{"on = \"clamp\"\ntime = 0.2\nuntil = 0.4\nramp = 0.1\n[[fix]]\non = \"clamp\"\ntime = 0.4", "", ""},
		{"on = \"clamp\"\nuntil = 0.4\n[[fix]]\non = \"clamp\"\ncomponents = [\"x\"]\nuntil = 0.4", "", ""},
		{"on = \"clamp\"\n[[fix]]\non = \"clamp\"\nuntil = 0.4", "", ""},
		{"on = \"clamp\"\nuntil = 0.4\n[[fix]]\non = \"clamp\"\ntime = 0.3", "", "one begin as the other ends"},
		{"on = \"clamp\"\ntime = 0.4\n[[fix]]\non = \"clamp\"", "", "let that block follow those that hold all the time"},
		{"on = \"clamp\"\nuntil = 0.4\n[[drive]]\non = \"clamp\"\nvelocity = [1, 0]", "", "let that block follow"},
		{"on = \"clamp\"\ntime = 9", "", "it would be installed at 9 s, and the run ends at"},
		{"on = \"clamp\"\ntime = 0.4\nuntil = 0.3", "", "until must be later"},
		{"on = \"clamp\"\nramp = 0.3", "", "ramp goes with until"},
		{"on = \"clamp\"\nafter = \"strker\"", "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n", "did you mean \"striker\""},
		{"on = \"clamp\"\nafter = \"striker\"\nuntil = 0.2", "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n", "until must be later"},
		{"on = \"face\"\nuntil = 0.4", tie, "of the tie is held for a part of the run"},
	} {
		_, err := made(inTimeDeck + steelBlock + twoBodies + c.rest + "[[fix]]\n" + c.fixes + "\n")
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n\tgot  %v\n\twant %s", c.fixes, err, c.want)
		}
	}
	if _, err := made(inStaticDeck + steelBlock + twoBodies + "[[fix]]\non = \"clamp\"\ntime = 0.2\ndisplacement = [0, 0.1]\n"); err == nil || !strings.Contains(err.Error(), "time does not go with displacement") {
		t.Errorf("in statics: %v", err)
	}
}
