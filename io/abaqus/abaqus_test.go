package abaqus_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"fdem/io/abaqus"
	"fdem/mesh"
)

// Two quadrilaterals and a triangle on a beam, as CalculiX has them.
const flat = `** a comment
*HEADING
three elements
*Node, NSET=all nodes
10, 0., 0.
11, 1., 0., 0.
12, 2., 0., 0.
20, 0., 1.
21, 1., 1.
22, 2., 1.
30, 1., 2.
40, 2., 2.
*Element, type=CPS4R, elset=Plate
1, 10, 11, 21, 20
2, 11, 12, 22,
21
*ELEMENT, TYPE=CPE3
5, 20, 21, 30
*ELSET, ELSET=plate
5
*ELEMENT, TYPE=B21, ELSET=mast
7, 22, 40
*NSET, NSET=foot, GENERATE
10, 12, 1
*NSET, NSET=both
foot, 40
*ELSET, ELSET=quads, GENERATE
1, 2
*SURFACE, NAME=bottom
quads, S1
*SURFACE, NAME=outline, TYPE=ELEMENT
plate
*SURFACE, NAME=corner
5, S2
*MATERIAL, NAME=steel
*ELASTIC
210e9, 0.3
*STEP
*END STEP
`

func groups(src *mesh.Source) map[string]int {
	out := map[string]int{}
	for _, g := range src.Groups {
		out[fmt.Sprintf("%s %d", g.Name, g.Dim)] = len(g.Elements)
	}
	return out
}

func TestFlat(t *testing.T) {
	src, err := abaqus.Parse("a.inp", []byte(flat), nothing)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"Plate 2": 5, "mast 1": 1, "all nodes 0": 8, "foot 0": 3, "both 0": 4, "quads 2": 4, "bottom 1": 2, "outline 1": 7, "corner 1": 1}
	got := groups(src)
	for name, n := range want {
		if got[name] != n {
			t.Errorf("group %s has %d elements, want %d", name, got[name], n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("groups %v", got)
	}
	if warned := strings.Join(src.Warnings, "\n"); !strings.Contains(warned, "2 quadrilaterals were split") || !strings.Contains(warned, "these keywords were ignored: *ELASTIC, *MATERIAL, *STEP") {
		t.Errorf("warnings: %s", warned)
	}
	m, err := mesh.Build(src, []string{"Plate"}, "mast")
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Triangles) != 5 || len(m.Beams) != 1 {
		t.Errorf("%d triangles, %d beams", len(m.Triangles), len(m.Beams))
	}
}

// A part that is put twice: moved, and turned by 90 degrees about a point.
func TestInstances(t *testing.T) {
	src, err := abaqus.Parse("a.inp", []byte(`*Part, name=Block
*Node
1, 0., 0.
2, 2., 0.
3, 0., 1.
*Element, type=CPS6, elset=all
1, 1, 2, 3, 4, 5, 6
*Elset, elset=front
1
*End Part
`), nothing)
	if err == nil || !strings.Contains(err.Error(), "a.inp:7: element 1 has node 4, which is not in the file") {
		t.Fatalf("%v %v", src, err)
	}
	src, err = abaqus.Parse("a.inp", []byte(`*Part, name=Block
*Node
1, 0., 0.
2, 2., 0.
3, 0., 1.
*Element, type=CPS3, elset=all
1, 1, 2, 3
*End Part
*Assembly, name=A
*Instance, name=one, part=BLOCK
*End Instance
*Instance, name=two, part=Block
5., 0., 0.
5., 0., -1., 5., 0., 1., 90.
*End Instance
*Nset, nset=tips, instance=one
3,
*Nset, nset=tips, instance=two
3
*Elset, elset=body, instance=two
1
*Surface, type=ELEMENT, name=face
body, S1
*End Assembly
`), nothing)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"one.all 2": 1, "two.all 2": 1, "tips 0": 2, "body 2": 1, "face 1": 1}
	if got := groups(src); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("groups %v, want %v", got, want)
	}
	if x := src.X[4]; math.Abs(x.X-5) > 1e-12 || math.Abs(x.Y-2) > 1e-12 { // (2, 0) moved and turned
		t.Errorf("node 2 of the second is at %v", x)
	}
	if l := src.Lines[0]; l != [2]int32{3, 4} {
		t.Errorf("the face is %v", l)
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"1, 2":                          "a.inp:1: expected a keyword such as *NODE",
		"*NODE\n1, x":                   `a.inp:2: expected a coordinate, found "x"`,
		"*NODE\n1, 0, 0\n1, 0, 1":       "a.inp:3: node 1 is listed twice, at (0, 0) and at (0, 1)",
		"*NODE, SYSTEM=Q\n1, 0, 0":      "expected SYSTEM=R, C or S",
		"*NODE\n1, 0, 0\n2, 1, 0\n3, 1": "a.inp:4: the file ends in its nodes, without an *ELEMENT: is it incomplete?",
		"*NODE\n1, 0, 0\n*STEP":         "a.inp:3: the file ends without an *ELEMENT",
		"*ELEMENT, TYPE=C3D4\n":         `element type "C3D4" is not supported`,
		"*ELEMENT, TYPE=CPS3R9\n":       "is not supported",
		"*ELEMENT, TYPE=CPS3\n1, 1,2,3": "has node 1, which is not in the file",
		"*NODE\n1,0,0\n2,1,0\n3,0,1\n*ELEMENT, TYPE=CPS3\n1,1,2":     "has 2 nodes, want 3",
		"*NODE\n1,0,0\n2,1,0\n3,0,1,2\n*ELEMENT, TYPE=CPS3\n1,1,2,3": "node 3 lies at z = 2",
		"*NSET, NSET=a\na":            `set "a" includes itself`,
		"*NSET, NSET=a, GENERATE\n7":  "GENERATE needs",
		"*ELSET\n7":                   "*ELSET needs ELSET=",
		"*SURFACE, NAME=a\n1, TOP":    "expected a face S1 to S4",
		"*INCLUDE":                    "a.inp:1: *INCLUDE needs INPUT=",
		"\n*INCLUDE, INPUT=b":         "a.inp:2: the file named by *INCLUDE cannot be read: file does not exist",
		"*NODE, INPUT=b":              "a.inp:1: the file named by *NODE cannot be read",
		"*INSTANCE, NAME=a, PART=b\n": `instance "a" has the part "b", which is not in the file`,
	} {
		if _, err := abaqus.Parse("a.inp", []byte(text), nothing); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// nothing stands beside a file.
func nothing(string) ([]byte, error) { return nil, os.ErrNotExist }

// Exporters put nodes, elements and sets into files of their own.
func TestOtherFiles(t *testing.T) {
	files := map[string]string{
		"nodes.txt": "1,0,0\n2,1,0\n3,1,1\n4,0,1\n",
		"more.txt":  "5,2,0\n",
		"sets.inc":  "*NSET, NSET=top\n3, 4\n*SURFACE, NAME=right\n1, S2\n",
		"loop.inp":  "*INCLUDE, INPUT=loop.inp\n",
		"bad.inc":   "*NSET, NSET=top\n\n3, top\n",
	}
	other := func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}
	src, err := abaqus.Parse("a.inp", []byte("*NODE, NSET=all, INPUT=nodes.txt\n*INCLUDE, INPUT=more.txt\n*ELEMENT, TYPE=CPS4, ELSET=block\n1, 1, 2, 3, 4\n2, 2, 5, 3, 3\n*INCLUDE, INPUT=\"sets.inc\"\n"), other)
	if err != nil {
		t.Fatal(err)
	}
	if len(src.X) != 5 || len(src.Triangles) != 3 { // a quadrilateral, and one that is a triangle
		t.Errorf("%d nodes, %d triangles", len(src.X), len(src.Triangles))
	}
	var names []string
	for _, g := range src.Groups {
		names = append(names, fmt.Sprint(g.Name, " ", g.Dim, " ", len(g.Elements)))
	}
	if got, want := strings.Join(names, ", "), "all 0 5, top 0 2, right 1 1, block 2 3"; got != want {
		t.Errorf("groups %s, want %s", got, want)
	}
	for text, want := range map[string]string{
		"*INCLUDE, INPUT=loop.inp": "loop.inp:1: \"loop.inp\" includes itself",
		"*INCLUDE, INPUT=bad.inc":  `bad.inc:1: set "top" includes itself`,
		"*NODE, INPUT=nodes.txt\n*ELEMENT, TYPE=CPS3\n*INCLUDE, INPUT=more.txt": "more.txt:1: element 5 has 2 nodes, want 3",
	} {
		if _, err := abaqus.Parse("a.inp", []byte(text), other); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(flat))
	f.Add([]byte("*PART, NAME=a\n*NODE\n1,0,0\n*END PART\n*INSTANCE, NAME=b, PART=a\n1,2\n0,0,0,0,0,1,30\n*END INSTANCE\n*NSET,NSET=c\nb.1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		src, err := abaqus.Parse("a.inp", data, nothing)
		if err != nil {
			return
		}
		for _, g := range src.Groups {
			n := []int{len(src.Points), len(src.Lines), len(src.Triangles)}[g.Dim]
			for _, e := range g.Elements {
				if e < 0 || int(e) >= n {
					t.Fatalf("group %q of dimension %d has element %d of %d", g.Name, g.Dim, e, n)
				}
			}
		}
	})
}
