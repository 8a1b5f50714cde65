package abaqus_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fdem/io/abaqus"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// read reads a file that must be right.
func read(t *testing.T, text string) *mesh.Source {
	t.Helper()
	src, err := abaqus.Parse("a.inp", []byte(text), nothing)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// area returns the area of all triangles; none may be clockwise or flat.
func area(t *testing.T, src *mesh.Source) float64 {
	t.Helper()
	sum := 0.0
	for i, n := range src.Triangles {
		a, b, c := src.X[n[0]], src.X[n[1]], src.X[n[2]]
		one := r2.Cross(r2.Sub(b, a), r2.Sub(c, a)) / 2
		if math.Abs(one) < 1e-9 {
			t.Errorf("triangle %d has the area %g", i, one)
		}
		sum += math.Abs(one)
	}
	return sum
}

// A block of four by four elements, whose nodes and elements are generated.
func TestGenerated(t *testing.T) {
	src := read(t, `*NODE
1, 0, 0
5, 4, 0
101, 0, 4
105, 4, 4
*NGEN, NSET=BOTTOM
1, 5
*NGEN, NSET=TOP
101, 105, 1
*NFILL, NSET=ALL
BOTTOM, TOP, 4, 25
*ELEMENT, TYPE=CPE4R
1, 1, 2, 27, 26
*ELGEN, ELSET=BLOCK
1, 4, 1, 1, 4, 25, 10
*SURFACE, NAME=LOAD
BLOCK, S3
`)
	if got := groups(src); got["BLOCK 2"] != 32 || got["BOTTOM 0"] != 5 || got["TOP 0"] != 5 || got["ALL 0"] != 25 || got["LOAD 1"] != 16 {
		t.Errorf("groups %v", got)
	}
	if a := area(t, src); math.Abs(a-16) > 1e-12 {
		t.Errorf("area %g", a)
	}
}

// A ring: arcs by NGEN about a centre, filled with a bias, and a quarter that is copied.
func TestGeneratedRing(t *testing.T) {
	src := read(t, `*ELEMENT, TYPE=CPS4
1, 1, 101, 102, 2
*NODE, SYSTEM=C
1, 1, 0
11, 1, 90
401, 4, 0.
411, 4, 90
*NGEN, LINE=C, NSET=IN
1, 11, 1, , 0, 0, 0
*NGEN, LINE=C, NSET=OUT
401, 411, 1, , 0, 0, 0
*NFILL, BIAS=0.5, NSET=QUARTER
IN, OUT, 4, 100
*ELGEN, ELSET=QUARTER
1, 4, 100, 100, 10, 1, 1
*NCOPY, CHANGE NUMBER=1000, OLD SET=QUARTER, NEW SET=SECOND, SHIFT
0, 0, 0
0, 0, 0, 0, 0, 1, 90
*ELCOPY, ELEMENT SHIFT=1000, SHIFT NODES=1000, OLD SET=QUARTER, NEW SET=SECOND
*NCOPY, CHANGE NUMBER=2000, OLD SET=QUARTER, NEW SET=LOWER, REFLECT=LINE
0, 0, 0, 1, 0, 0
*ELCOPY, ELEMENT SHIFT=2000, SHIFT NODES=2000, OLD SET=QUARTER, NEW SET=LOWER, REFLECT
`)
	ring := 5 * math.Sin(math.Pi/20) // area of a quarter of a polygon, over the square of the radius
	if a := area(t, src); math.Abs(a-3*15*ring) > 1e-9 {
		t.Errorf("area %g, want %g", a, 3*15*ring)
	}
	if got := groups(src); got["QUARTER 2"] != 80 || got["SECOND 2"] != 80 || got["LOWER 2"] != 80 || got["QUARTER 0"] != 55 || got["LOWER 0"] != 55 {
		t.Errorf("groups %v", got)
	}
	// with BIAS 0.5 each interval is twice the one before: 0.2, 0.4, 0.8, 1.6
	for n, id := range src.NodeID {
		if want := map[int64]float64{101: 1.2, 201: 1.6, 301: 2.4}[id]; want != 0 && math.Abs(src.X[n].X-want) > 1e-12 {
			t.Errorf("node %d at %v, want x %g", id, src.X[n], want)
		}
		if id == 1306 || id == 2306 {
			c := 2.4 / math.Sqrt2
			if want := (r2.Vec{X: c, Y: -c}); id == 2306 && r2.Norm(r2.Sub(src.X[n], want)) > 1e-12 {
				t.Errorf("node %d at %v, want %v", id, src.X[n], want)
			}
			if want := (r2.Vec{X: -c, Y: c}); id == 1306 && r2.Norm(r2.Sub(src.X[n], want)) > 1e-12 {
				t.Errorf("node %d at %v, want %v", id, src.X[n], want)
			}
		}
	}
}

const corners = "1, 0, 0\n2, 1, 0\n3, 1, 1\n4, 0, 1\n"

// Local axes, other coordinates and other ways to generate.
func TestPlaces(t *testing.T) {
	for text, want := range map[string]string{
		"*SYSTEM\n10, 20\n*NODE\n" + corners:                                                      "10 20, 11 20, 11 21, 10 21",
		"*SYSTEM\n10, 20, 0, 10, 25, 0\n*NODE\n" + corners:                                        "10 20, 10 21, 9 21, 9 20",
		"*SYSTEM\n0, 0, 0, 0, -2, 0\n3, 0, 0\n*NODE\n1,0,0\n2,1,0\n*SYSTEM\n*NODE\n3,1,-1\n4,1,0": "0 0, 0 -1, 1 -1, 1 0",
		"*NODE, SYSTEM=C\n1,0,77\n2,1,0\n3,2,90\n4,3,180":                                         "0 0, 1 0, 0 2, -3 0",
		"*NODE, SYSTEM=S\n1,0,77\n2,1,0,0\n3,2,90,0\n4,3,180":                                     "0 0, 1 0, 0 2, -3 0",
		"*NODE\n1,0,0\n2,1,0\n4,0,1\n3,1,1\n1,0.,0.0\n":                                           "0 0, 1 0, 0 1, 1 1",
		"*NODE\n1,0,0\n2,1,0\n*NCOPY, CHANGE NUMBER=2, OLD SET=1, SHIFT\n0, 1\n*NCOPY, CHANGE NUMBER=2, OLD SET=2, REFLECT=POINT\n0.5, 0.5": "0 0, 1 0, 0 1, 0 1",
		"*NODE\n1,0,0\n2,1,0\n*NSET, NSET=A\n1,2\n*NCOPY, CHANGE NUMBER=2, OLD SET=A, REFLECT=MIRROR\n0, 2, 0, 1, 2, 0\n0, 2, 1":            "0 0, 1 0, 0 4, 1 4",
		"*NODE\n1,0,0\n4,3,0\n*NGEN, LINE=P\n1, 4, 1, , 1.5, 1.5, 0":                                                                        "0 0, 3 0, 1 1.33333, 2 1.33333",
		"*NODE\n1,-1,0\n4,1,0\n*NGEN, LINE=C\n1, 4, 1, , 0, 0, 0, 0, 0, 1":                                                                  "-1 0, 1 0, -0.5 -0.866025, 0.5 -0.866025",
	} {
		src := read(t, text+"\n*ELEMENT, TYPE=CPS3\n1, 1, 2, 3\n2, 1, 3, 4\n")
		var at []string
		for _, x := range src.X {
			at = append(at, fmt.Sprintf("%.6g %.6g", x.X+0, x.Y+0))
		}
		if got := strings.ReplaceAll(strings.Join(at, ", "), "-0 ", "0 "); got != want {
			t.Errorf("%s: nodes at %s, want %s", text, got, want)
		}
	}
}

func TestNotGenerated(t *testing.T) {
	for text, want := range map[string]string{
		"*NGEN\n1, 4, 2": "a.inp:7: *NGEN from node 1 to 4 by 2 does not end at node 4",
		"*SURFACE, NAME=S, TYPE=SEGMENTS\nSTART, 0, 0\n*SURFACE, NAME=C, COMBINE=UNION\nS, S": `surface "C" is combined of the surface "S", which is analytical`,
		"*NGEN\n1, 9":                         "a.inp:7: *NGEN begins from node 9, which is not in the file",
		"*NGEN, LINE=C\n1, 3, 1, , 0.2, 0, 0": "its ends have the distances",
		"*NGEN, LINE=C\n1, 3":                 "*NGEN with LINE=C needs a third point",
		"*NGEN\n1, 900000000, 1":              "generates more than 20000000",
		"*NFILL\nA, B, 2":                     `a.inp:7: *NFILL names the set "A", which is not in the file`,
		"*NSET, NSET=A\n1,2\n*NFILL\nA, 3, 2": `set "A" has 2 nodes and set "3" 1`,
		"*ELGEN\n7, 2":                        "a.inp:7: *ELGEN begins from element 7",
		"*ELGEN\n1, 2":                        "a.inp:7: element 2 is listed twice",
		"*ELGEN\n1, 3, 1, 10":                 "element 21 has node 5, which is not in the file",
		"*ELGEN\n1, 20000000, 1, 1, 20000000": "generates more than",
		"*ELCOPY, ELEMENT SHIFT=5, OLD SET=Q": `*ELCOPY names the set "Q"`,
		"*ELCOPY, OLD SET=Q":                  "*ELCOPY needs ELEMENT SHIFT=",
		"*NCOPY, CHANGE NUMBER=5, OLD SET=1":  "*NCOPY needs SHIFT or REFLECT",
		"*NMAP, NSET=A":                       "*NMAP is not supported",
		"*NODE\n1, 0, 5":                      "a.inp:7: node 1 is listed twice, at (0, 0) and at (0, 5)",
		"*ELEMENT, TYPE=CPS4\n2, 1, 2, 3":     "a.inp:7: element 2 has 3 nodes, want 4",
		"*ELEMENT, TYPE=CPS4\n2, 1, 2,\n":     "a.inp:7: element 2 has 2 nodes, want 4",
		"*ELEMENT\n2, 1, 2":                   "a.inp:6: *ELEMENT needs TYPE=",
		"*ELEMENT, TYPE=CPX4\n2, 1, 2, 3, 4":  `a.inp:6: element type "CPX4" is not supported`,
	} {
		text := "*ELEMENT, TYPE=CPS3\n1, 1, 2, 3\n*NODE, INPUT=nodes\n*ELEMENT, TYPE=CPS3\n2, 1, 3, 4\n" + text
		_, err := abaqus.Parse("a.inp", []byte(text), func(string) ([]byte, error) { return []byte(corners), nil })
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// plate is a square of two elements, with what a file has beside.
func plate(more string) string {
	return "*NODE\n" + corners + "5, 2, 0\n6, 2, 1\n*ELEMENT, TYPE=CPS4, ELSET=plate\n1, 1, 2, 3, 4\n2, 2, 5, 6, 3\n" + more
}

// What is no plane solid is left out, with one note; plane elements of coupled fields are read.
func TestOtherElements(t *testing.T) {
	for _, kind := range []string{"MASS", "ROTARYI", "SPRING1", "SPRING2", "SPRINGA", "DASHPOTA", "CONN2D2", "GAPUNI", "B22", "B32", "B31OS", "PIPE21", "COH2D4", "CINPE4", "DC2D4", "CAX4", "CAX8R", "U1", "ITT21", "T2D3", "R3D4", "AC2D4", "DCOUP2D", "JOINTC"} {
		src := read(t, plate("*ELEMENT, TYPE="+kind+", ELSET=EXTRA\n101, 1, 5,\n6\n102, part.4\n*MASS, ELSET=EXTRA\n1\n*ELSET, ELSET=both\nEXTRA, plate\n*NSET, NSET=of, ELSET=both\n"))
		if got := groups(src); got["plate 2"] != 4 || got["both 2"] != 4 || got["of 0"] != 6 || len(got) != 3 {
			t.Errorf("%s: groups %v", kind, got)
		}
		if w := strings.Join(src.Warnings, "\n"); !strings.Contains(w, "left out: 2 "+kind) || strings.Contains(w, "empty") || strings.Contains(w, "not in the file") {
			t.Errorf("%s: %s", kind, w)
		}
	}
	for _, kind := range []string{"CPE4P", "CPE4RP", "CPE4RPH", "CPS4T", "CPE4RT", "CPE4RHT", "CPEG4", "CPEG4R", "CPEG4I", "CPEG4HT", "CPS4E", "CPE4PT", "CPE4RPT", "S4R", "S4RS", "M3D4R", "CPE4I"} {
		src := read(t, plate("*NODE\n11,3,0\n12,3,1\n*ELEMENT, TYPE="+kind+", ELSET=EXTRA\n101, 5, 11, 12, 6\n"))
		if got := groups(src); got["EXTRA 2"] != 2 {
			t.Errorf("%s: groups %v, warnings %v", kind, got, src.Warnings)
		}
	}
	for _, kind := range []string{"CPE8RP", "CPE8P", "CPE8RPH", "CPEG8R", "CPS8RT", "S8R5", "M3D8R"} {
		src := read(t, plate("*NODE\n11,3,0\n12,3,1\n13,0,0\n*ELEMENT, TYPE="+kind+", ELSET=EXTRA\n101, 5, 11, 12, 6, 13, 13, \n13, 13\n"))
		if got := groups(src); got["EXTRA 2"] != 2 {
			t.Errorf("%s: groups %v, warnings %v", kind, got, src.Warnings)
		}
	}
	for text, want := range map[string]string{
		"*NODE\n" + corners + "*ELEMENT, TYPE=CAX4\n1,1,2,3,4":    "nothing of a plane solid, such as CPS3 or CPE4: its elements are 1 CAX4",
		plate("*ELEMENT, TYPE=C3D8\n101, 1, 2, 3, 4, 5, 6, 7, 8"): `element type "C3D8" is not supported, being a solid in space`,
		plate("*ELEMENT, TYPE=MASS\n1, 1"):                        "element 1 is listed twice",
	} {
		if _, err := abaqus.Parse("a.inp", []byte(text), nothing); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Faces of solids and of shells, in the words of Abaqus and of CalculiX; combined surfaces.
func TestFaces(t *testing.T) {
	src := read(t, plate(`*NODE
7, 3, 0
8, 3, 1
*ELEMENT, TYPE=S4R, ELSET=shell
10, 5, 7, 8, 6
*NSET, NSET=plate, ELSET=plate
*SURFACE, NAME=a
plate, S1
*SURFACE, NAME=b, TYPE=ELEMENT
2, S3
*SURFACE, NAME=ab, COMBINE=UNION
a, b
*SURFACE, NAME=out
plate,
*SURFACE, NAME=rest, COMBINE=DIFFERENCE
out, ab
*SURFACE, NAME=both, COMBINE=INTERSECTION
out, a
*SURFACE, NAME=tool, TYPE=SEGMENTS
START, 0., 2.
LINE, 1., 2.
CIRCL, 2., 3., 1., 3.
*SURFACE, NAME=n, TYPE=NODE
plate,
1, 0.5
*SURFACE, NAME=every
,
*SURFACE, NAME=e
shell, E2
*SURFACE, NAME=c
shell, S4
*SURFACE, NAME=top
shell, SPOS
*SURFACE, NAME=below
shell, SNEG
`))
	want := map[string]int{"plate 2": 4, "plate 0": 6, "shell 2": 2, "a 1": 2, "b 1": 1, "ab 1": 3, "out 1": 5, "rest 1": 2, "both 1": 2, "n 0": 6, "every 1": 8, "e 1": 1, "c 1": 1, "top 2": 2, "below 2": 2}
	if got := groups(src); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("groups %v, want %v", got, want)
	}
	if w := strings.Join(src.Warnings, "\n"); !strings.Contains(w, `analytical surfaces were left out: "tool" (TYPE=SEGMENTS)`) || strings.Contains(w, "empty") {
		t.Error(w)
	}
	for _, g := range src.Groups {
		if g.Name == "e" || g.Name == "c" {
			if l := src.Lines[g.Elements[0]]; src.X[l[0]].X != 3 || src.X[l[1]].X != 3 {
				t.Errorf("edge %s is at %v, %v", g.Name, src.X[l[0]], src.X[l[1]])
			}
		}
	}
}

// Members that are not in the file, and nodes and elements that are given twice, are notes.
func TestNotes(t *testing.T) {
	src := read(t, plate("*NODE\n1, 0., 0.0\n*ELEMENT, TYPE=CPS4, ELSET=plate\n2, 2, 5, 6, 3\n*NSET, NSET=x\n1, 2, 999\n*NSET, NSET=v\n1, gone\n*NSET, NSET=u\nv\n*ELSET, ELSET=y\n1, 77, 78\n*NSET, NSET=z, GENERATE\n1, 100000000000, 1\n* NSET , NSET = \"with, comma\"\n1\n*nset, nset=gen, gen\n1, 5, 2\n"))
	want := map[string]int{"plate 2": 4, "x 0": 2, "v 0": 1, "u 0": 1, "y 2": 2, "z 0": 6, "with, comma 0": 1, "gen 0": 3}
	if got := groups(src); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("groups %v, want %v", got, want)
	}
	w := strings.Join(src.Warnings, "\n")
	for _, say := range []string{`set "x" has nodes that are not in the file: 999`, `set "y" has elements that are not in the file: 77, 78`, `set "v" names sets that are not in the file: "gone"`, "2 nodes and elements are listed twice, alike"} {
		if !strings.Contains(w, say) {
			t.Errorf("%q is missing in %s", say, w)
		}
	}
	if strings.Count(w, "set ") != 4 {
		t.Error(w)
	}
}

// Sets of equal names in different parts are different things.
func TestSetsOfParts(t *testing.T) {
	part := func(name, more string) string {
		return "*Part, name=" + name + "\n*Node\n" + corners + "*Element, type=CPS4\n1, 1, 2, 3, 4\n*Elset, elset=Set-1\n1\n*Nset, nset=Set-2\n1, 2\n" + more + "*End Part\n"
	}
	text := part("Part-1", "*Elset, elset=Own\n1\n") + part("Part-2", "") + `*Assembly, name=A
*Instance, name=Part-1-1, part=Part-1
*End Instance
*Instance, name=Part-2-1, part=Part-2
0., 1.5
*End Instance
*Nset, nset=Set-2, instance=Part-1-1
3, 4
*Nset, nset=top, instance=Part-2-1
3, 4
*Elset, elset=all
Part-1-1.Set-1, Part-2-1.Set-1
*Nset, nset=two
Part-1-1.1, Part-2-1.2
*Surface, name=S
Part-2-1.Set-1, S1
*End Assembly
`
	src := read(t, text)
	want := map[string]int{"Part-1-1.Set-1 2": 2, "Part-2-1.Set-1 2": 2, "Own 2": 2, "Part-1-1.Set-2 0": 2, "Part-2-1.Set-2 0": 2, "Set-2 0": 2, "top 0": 2, "all 2": 4, "two 0": 2, "S 1": 1}
	if got := groups(src); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("groups %v, want %v", got, want)
	}
	if of := src.Ambiguous("Set-1"); fmt.Sprint(of) != "[Part-1-1.Set-1 Part-2-1.Set-1]" {
		t.Errorf("Set-1 may be %v", of)
	}
	for _, used := range []string{"Part-1-1.Own", "Own"} {
		src := read(t, text)
		src.Use(func(name string) bool { return name == used })
		if got := groups(src); got[used+" 2"] != 2 || len(got) != len(want) {
			t.Errorf("%s: groups %v", used, got)
		}
	}
	src.Use(func(name string) bool { return true })
	if got := groups(src); got["Part-1-1.Own 2"] != 2 || got["Own 2"] != 2 || got["Set-1 2"] != 0 {
		t.Errorf("groups %v", got)
	}
}

// Nodes beside the plane by rounding are put into it.
func TestNearlyFlat(t *testing.T) {
	for _, c := range []struct {
		z    string
		want string
	}{{"1e-12", ""}, {"1e-8", "z = 0 is taken for all"}, {"-1e-6", "z = 0 is taken for all"}, {"1e-5", "fdem needs a mesh in the plane"}} {
		text := "*NODE\n1, 100, 100\n2, 101, 100\n3, 101, 101, " + c.z + "\n*ELEMENT, TYPE=CPS3\n1, 1, 2, 3\n"
		src, err := abaqus.Parse("a.inp", []byte(text), nothing)
		got := fmt.Sprint(err)
		if err == nil {
			got = strings.Join(src.Warnings, "\n")
		}
		if got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("z = %s: %q, want %q", c.z, got, c.want)
		}
	}
	src := read(t, "*PART, NAME=P\n*NODE\n"+corners+"*ELEMENT, TYPE=CPS4\n1,1,2,3,4\n*END PART\n*INSTANCE, NAME=I, PART=P\n0,0\n1, 1, 0, 1.00000001, 1, 1, 90\n*END INSTANCE\n")
	if a := area(t, src); math.Abs(a-1) > 1e-12 || src.X[0] != (r2.Vec{X: 2, Y: 0}) {
		t.Errorf("area %g, node at %v", a, src.X[0])
	}
}

// Ten files that each include the next ten times are no more than ten thousand files.
func TestManyIncludes(t *testing.T) {
	other := func(name string) ([]byte, error) {
		k := int(name[0] - '0')
		return []byte(strings.Repeat(fmt.Sprintf("*INCLUDE, INPUT=%d\n", k+1), 10)), nil
	}
	if _, err := abaqus.Parse("a.inp", []byte("*INCLUDE, INPUT=1"), func(name string) ([]byte, error) {
		if name == "9" {
			return []byte("** x\n"), nil
		}
		return other(name)
	}); err == nil || !strings.Contains(err.Error(), "include more than 10000 others") {
		t.Error(err)
	}
}

// Ends of lines of any system, folders by backslashes.
func TestForeignLines(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sub", "n.txt"), []byte(strings.ReplaceAll(corners, "\n", "\r")), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := strings.ReplaceAll("*NODE, INPUT=sub\\n.txt\n*ELEMENT, TYPE=CPS4, ELSET=a\n1, 1, 2, 3,\n4\n\x1a", "\n", end)
		src, err := abaqus.Parse("a.inp", []byte(text), abaqus.Beside(filepath.Join(dir, "a.inp")))
		if err != nil || len(src.Triangles) != 2 {
			t.Errorf("%q: %v", end, err)
		}
	}
	if _, err := abaqus.Beside(filepath.Join(dir, "a.inp"))(`sub\none.txt`); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
