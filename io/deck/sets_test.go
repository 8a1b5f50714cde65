package deck

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const twoParts = `*Part, name=Part-1
*Node
1, 0, 0
2, 1, 0
3, 1, 1
4, 0, 1
*Element, type=CPS4
1, 1, 2, 3, 4
*Elset, elset=Set-1
1
*Nset, nset=Set-2
1, 2
*End Part
*Part, name=Part-2
*Node
1, 0, 0
2, 1, 0
3, 1, 1
4, 0, 1
*Element, type=CPS4
1, 1, 2, 3, 4
*Elset, elset=Set-1
1
*Elset, elset=Upper
1
*Nset, nset=Set-2
1, 2
*End Part
*Assembly, name=A
*Instance, name=Part-1-1, part=Part-1
*End Instance
*Instance, name=Part-2-1, part=Part-2
0, 1.5
*End Instance
*End Assembly
`

// Sets of Abaqus are named with their instance, or by the short name where it is unique.
func TestSetsOfInstances(t *testing.T) {
	for _, c := range []struct{ lower, upper, fix, want string }{
		{"Part-1-1.Set-1", "Part-2-1.Set-1", "Part-1-1.Set-2", ""},
		{"Part-1-1.Set-1", "Upper", "Part-1-1.Set-2", ""},
		{"Part-1-1.Set-1", "Part-2-1.Upper", "Part-1-1.Set-2", ""},
		{"Set-1", "Upper", "Part-1-1.Set-2", `deck.toml:9:8: body "Set-1" is not in the mesh a.inp: several instances have a set of this name: "Part-1-1.Set-1", "Part-2-1.Set-1"`},
		{"Part-1-1.Set-1", "Upper", "Set-2", `deck.toml:15:6: fix "Set-2": the mesh has no group "Set-2", but several instances have a set of this name: "Part-1-1.Set-2", "Part-2-1.Set-2"`},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.inp")
		if err := os.WriteFile(path, []byte(twoParts), 0o644); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("[analysis]\nduration = 1\n[[material]]\nname = \"m\"\nyoung = 1e9\npoisson = 0.2\ndensity = 1000\n[[body]]\nname = %q\nmaterial = \"m\"\n[[body]]\nname = %q\nmaterial = \"m\"\n[[fix]]\non = %q\n[[contact]]\ncontactor = %q\nopposite = \"all\"\n", c.lower, c.upper, c.fix, c.lower)
		d, err := Parse("deck.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := d.Load(path)
		if got := strings.ReplaceAll(fmt.Sprint(err), dir+"/", ""); c.want != "" && !strings.HasPrefix(got, c.want) || c.want == "" && err != nil {
			t.Errorf("%v: %v, want %q", c, err, c.want)
		}
		if err == nil && (len(m.Bodies) != 2 || len(m.Mesh.Triangles) != 4) {
			t.Errorf("%v: %d bodies of %d triangles", c, len(m.Bodies), len(m.Mesh.Triangles))
		}
	}
}

// A body ungrouped is of the triangles in no group, as info names it.
func TestUngrouped(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.inp")
	inp := "*NODE\n1,0,0\n2,1,0\n3,0,1\n*ELEMENT, TYPE=CPS3\n1,1,2,3\n"
	deck := "[analysis]\nduration = 1\n[[material]]\nname = \"m\"\nyoung = 1e9\npoisson = 0.2\ndensity = 1000\n[[body]]\nname = %q\nmaterial = \"m\"\n"
	if err := os.WriteFile(path, []byte(inp), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"ungrouped": "<nil>", "plate": "which has no named surface: give it one by *ELSET"} {
		d, err := Parse("deck.toml", []byte(fmt.Sprintf(deck, name)))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := d.Load(path); !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// A file of another kind is named as what it is.
func TestForeignMeshes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.inp")
	for text, want := range map[string]string{
		"\x1f\x8b\x08\x00": "compressed by gzip: unpack it with gunzip",
		"PK\x03\x04aa":     "a zip archive",
		"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n": "a pointer of Git LFS, not the file itself",
		"<!DOCTYPE html>\n<html>":                   "a page of HTML",
		"# made by LaGriT\n4 2 0 0 0\n1 0. 0. 0.\n": "in AVS UCD",
		"4 2 0 0 0\n  1  0.0 0.0 0.0\n":             "in AVS UCD",
		"<?xml version=\"1.0\"?>\n<VTKFile type=":   "a file of VTK in XML",
		"\xff\xfe*\x00N\x00":                        "in UTF-16: save it in UTF-8",
		"%PDF-1.4":                                  "a PDF document",
		"\x89HDF\r\n":                               "in HDF5, such as a mesh of Salome",
		"(0 \"GAMBIT to Fluent File\")\n(2 2)\n":    "a mesh of Fluent",
		"// a plate\nPoint(1) = {0, 0, 0, 1};\n":    "a geometry of Gmsh (.geo), not its mesh",
		"BEGIN BULK\nGRID,1,,0.,0.,0.\n":            "a deck of Nastran",
		"NDIME= 2\n":                                "a mesh of SU2",
		" \n\n":                                     "empty",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadMesh(path); err == nil || !strings.Contains(err.Error(), "a.inp: the file is "+want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
