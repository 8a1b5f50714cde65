package deck

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fdem/materials/contact"
)

// seldom visits the keys that the decks of the repository leave out.
const seldom = `
mesh = "a.msh"
[analysis]
duration = 1
damping = { mass = 1, stiffness = 1 }
[[material]]
name = "m"
young = 1
poisson = 0.2
density = 1
[[rigid]]
name = "line"
shape = "line"
from = [0, 0]
to = [1, 0]
solid = "left"
[[rigid]]
name = "box"
shape = "box"
centre = [0, 5]
width = 1
height = 1
mass = 1
inertia = 1
velocity = [1, 0]
[[rigid]]
name = "disc"
shape = "disc"
centre = [0, 9]
radius = 1
motion = { velocity = [1, 0] }
[[rigid]]
name = "hollow"
shape = "hollow"
centre = [0, 9]
radius = 8
motion = [[0, 0, 9], [1, 1, 9]]
[[rigid]]
name = "free"
shape = "disc"
centre = [0, 19]
radius = 1
density = 1
[[beam]]
name = "beam"
material = "m"
width = 1
height = 1
[[fix]]
on = "a"
[[load]]
on = "a"
force = [1, 0]
schedule = [[0, 1]]
[[load]]
on = "b"
pressure = 1
[[load]]
on = "b"
moment = 1
[[law]]
name = "l"
model = "linear"
k = 1
[[law]]
name = "found"
model = "linear"
k = "auto"
k_factor = 2
[[contact]]
contactor = "a"
opposite = "b"
law = "l"
friction = 0.1
friction_model = "stick"
stick_stiffness = 1
`

// The reference has a line for every key that the reader asks for, of the same
// dimension, and none besides.
func TestReference(t *testing.T) {
	const mend = "the manual and fdem deck are made of io/deck/reference.go: put a line there"
	blocks := map[string]Block{}
	for _, b := range reference {
		blocks[b.Name] = b
		if b.Doc == "" {
			t.Errorf("%s has no description", b.Header())
		}
	}
	asked := map[[2]string]Dimension{}
	read := func(name string, data []byte) {
		doc, values, err := open(name, data)
		if err != nil {
			t.Fatal(err)
		}
		doc.asked = asked
		if _, err := parse(doc, values); err != nil {
			t.Fatal(err)
		}
	}
	read("seldom.toml", []byte(seldom))
	for _, root := range []string{"../../examples", "../../cmd/fdem/templates", "../../docs"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".toml") || strings.HasSuffix(path, "shapes.toml") || strings.HasSuffix(path, StudySuffix) || strings.Contains(path, ".out/") {
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil {
				read(path, data)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for at, dim := range asked {
		b, known := blocks[at[0]]
		if !known {
			t.Errorf("block %q is not in the reference: %s", at[0], mend)
			continue
		}
		if slices.ContainsFunc(reference, func(b Block) bool { return at[0] == "" && b.Name == at[1] }) {
			continue // a block
		}
		i := slices.IndexFunc(b.Keys, func(k Key) bool { return k.Name == at[1] })
		switch {
		case i >= 0 && !b.Keys[i].Dim.equals(dim) && dim != None:
			t.Errorf("key %q of %s is read as %s, and the reference says %s: mend io/deck/reference.go", at[1], b.Header(), dim, b.Keys[i].Dim)
		case i < 0 && !isParameter(at[0], at[1]):
			t.Errorf("key %q of %s is not in the reference: %s", at[1], b.Header(), mend)
		}
	}
	literals := keysInSource(t)
	for _, b := range reference {
		for _, k := range b.Keys {
			if _, visited := asked[[2]string{b.Name, k.Name}]; !visited && !literals[k.Name] {
				t.Errorf("key %q of %s is in the reference, but the reader does not ask for it: take it out of io/deck/reference.go", k.Name, b.Header())
			}
			if k.Doc == "" {
				t.Errorf("key %q of %s has no description", k.Name, b.Header())
			}
		}
	}
	for name := range literals {
		if !slices.ContainsFunc(reference, func(b Block) bool {
			return b.Name == name || strings.HasSuffix(b.Name, "."+name) || slices.ContainsFunc(b.Keys, func(k Key) bool { return k.Name == name })
		}) {
			t.Errorf("the reader asks for %q, which is in no block of the reference: %s", name, mend)
		}
	}
}

func isParameter(block, key string) bool {
	if block != "law" && block != "interaction" {
		return false
	}
	return slices.ContainsFunc(contact.Names(), func(name string) bool {
		m, _ := contact.Lookup(name)
		_, ok := m.Parameter(key)
		return ok
	})
}

// keysInSource returns the texts that the reader's source passes to the readers
// of a table as a key.
func keysInSource(t *testing.T) map[string]bool {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	readers := []string{"text", "word", "flag", "whole", "quantity", "positive", "notNegative", "list", "vector", "sub", "blocks", "need", "has"}
	found := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || name == "shapes.go" || name == "study.go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			method, isMethod := call.Fun.(*ast.SelectorExpr)
			key, isText := call.Args[0].(*ast.BasicLit)
			if !isMethod || !isText || key.Kind != token.STRING || !slices.Contains(readers, method.Sel.Name) {
				return true
			}
			if receiver, ok := method.X.(*ast.Ident); ok && slices.Contains([]string{"strings", "slices"}, receiver.Name) {
				return true
			}
			text, err := strconv.Unquote(key.Value)
			if err != nil {
				t.Fatal(err)
			}
			found[text] = true
			return true
		})
	}
	return found
}

func TestUnit(t *testing.T) {
	for d, want := range map[Dimension]string{
		None: "1", Length: "m", Density: "kg/m3", Frequency: "1/s", Acceleration: "m/s2", {Length: -2, Mass: 1, Time: -2}: "Pa/m", {Length: 2, Mass: 1}: "kg m2", Velocity: "m/s",
	} {
		if got := d.Unit(); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
