package deck

import (
	"context"
	"math"
	"strings"
	"testing"

	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/statics"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fixes may share nodes: what holds first has the reaction, and whatever their
// order the reactions add up to the load and the body gives way alike.
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
		warned := strings.Contains(strings.Join(warnings, ""), `the fix on "ends" holds nothing that fixes before it do not hold`)
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

// What looks like a group and is none is refused with what to do instead.
func TestWhatIsNoGroup(t *testing.T) {
	for text, want := range map[string]string{
		"[[fix]]\non = \"grain\"\n":                                                   `"grain" is a [[particle]], and [[fix]] takes a group of the mesh: fixed = true in its own block holds it`,
		"[[fix]]\non = \"plate\"\n":                                                   `"plate" is a [[rigid]], and [[fix]] takes a group of the mesh: a rigid body without a mass stays where it is`,
		"[[tie]]\non = \"face\"\nto = \"grain\"\n":                                    `"grain" is a [[particle]], and [[tie]] takes a group of the mesh`,
		"[[tie]]\non = \"face\"\nto = \"face\"\n":                                     `a tie is of two curves, and both are "face"`,
		"[[tie]]\non = \"striker\"\nto = \"target\"\n":                                `"striker" is a body, all of whose outline would have to meet the other`,
		"[[spring]]\non = \"top\"\nto_at = [9, 9]\n":                                  "a spring needs a stiffness, a damping or a curve",
		"[[contact]]\ncontactor = \"grain\"\nopposite = \"target\"\n":                 `there is no group or body "grain": it is a [[particle]], which meets others by an [[interaction]]`,
		point + "[[interaction]]\nbetween = [\"grain\", \"face\"]\nlaw = \"point\"\n": `"face" is a group of the mesh and no body: particles meet all of a body`,
		"[[interaction]]\npair = [\"grain\", \"striker\"]\n":                          `unknown key "pair": it is a key of [[fracture]]; here there are "between", "friction"`,
	} {
		if _, err := made(inTimeDeck + steelBlock + twoBodies + plate + grain + text); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}
