package gmsh

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fdem/mesh"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r2"
)

const folder = "../../testdata/meshes"

// count is what a file holds.
type count struct{ nodes, points, lines, triangles, groups, bodies, edges int }

// The real files, each read with these counts or refused with these words.
var (
	collision = count{181, 0, 54, 304, 4, 2, 54}
	beamFlat  = count{442, 1, 124, 707, 6, 2, 173}
	plate     = count{350, 0, 46, 616, 5, 2, 86}
	disc      = count{493, 0, 13, 896, 5, 3, 84}
	bare      = count{12, 4, 8, 14, 0, 1, 8}
	reversed  = count{30, 0, 16, 42, 2, 1, 16}
	blocks    = count{457, 1, 63, 768, 6, 2, 142}
	holes     = count{665, 0, 128, 1204, 2, 1, 128}
	discs     = count{2953, 0, 0, 4694, 60, 60, 1092}
	mixed     = count{125, 0, 14, 206, 3, 2, 42}
	line      = count{nodes: 21, points: 2, lines: 20, groups: 3}

	read = map[string]count{
		"collision.v22": collision, "collision.v22b": collision, "collision.v41": collision, "collision.v41b": collision,
		"beam_on_flat.v22": beamFlat, "beam_on_flat.v22b": beamFlat, "beam_on_flat.v41": beamFlat, "beam_on_flat.v41b": beamFlat,
		"plate_hole.v22": plate, "plate_hole.v22b": plate, "plate_hole.v41": plate, "plate_hole.v41b": plate,
		"plate_hole.param.v41": plate, "plate_hole.part3.v22": plate,
		// Gmsh adds points and lines of its own for the borders of partitions
		"plate_hole.part3.v41":          {350, 5, 75, 616, 5, 2, 86},
		"plate_partitioned_msh41_ascii": {665, 8, 161, 1204, 2, 1, 128},
		// everything saved: 2.2 then drops the groups
		"plate_hole.all.v22": {350, 7, 94, 616, 0, 1, 86},
		"plate_hole.all.v41": {350, 7, 94, 616, 5, 2, 86},
		"jointed_disc.v22":   disc, "jointed_disc.v22b": disc, "jointed_disc.v41": disc, "jointed_disc.v41b": disc,
		"nophys.v22": bare, "nophys.v22b": bare, "nophys.v41": bare, "nophys.v41b": bare,
		"reversed.v22": reversed, "reversed.v22b": reversed, "reversed.v41": reversed, "reversed.v41b": reversed,
		"edge_comments.v22": reversed, "edge_crlf.v22": reversed,
		"two_blocks_msh22_ascii": blocks, "two_blocks_msh22_bin": blocks, "two_blocks_msh41_ascii": blocks, "two_blocks_msh41_bin": blocks,
		"plate_with_holes_msh22_ascii": holes, "plate_with_holes_msh22_bin": holes,
		"plate_with_holes_msh41_ascii": holes, "plate_with_holes_msh41_bin": holes,
		"discs_msh22_bin": discs, "discs_msh41_bin": discs,
		"beam_line_msh22_ascii": line, "beam_line_msh41_ascii": line,
		"quads_mixed.v22": mixed, "quads_mixed.v22b": mixed, "quads_mixed.v41": mixed, "quads_mixed.v41b": mixed, // 16 quadrilaterals
		"plate_hole.o2.v22": plate, "plate_hole.o2.v41b": plate,
		"unsupported_second_order_msh41_ascii": blocks, "unsupported_quads_msh41_ascii": {470, 1, 64, 792, 6, 2, 144},
	}
	refused = map[string]string{
		"plate_hole.v40": "version 4", "edge_v50": "version 5.0",
		"edge_truncated.v22": "declares 58 elements", "edge_badnode.v22": "node 424242, which is not in the file",
		"edge_nan.v22": "finite number, found NaN", "edge_3d.v22": "z = 0.25",
	}
)

func TestRealFiles(t *testing.T) {
	paths, err := filepath.Glob(folder + "/*.msh")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) != len(read)+len(refused) {
		t.Errorf("there are %d files, and the table holds %d", len(paths), len(read)+len(refused))
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".msh")
		t.Run(name, func(t *testing.T) {
			src, err := Read(path)
			if words, ok := refused[name]; ok {
				if err == nil || !strings.Contains(err.Error(), words) || !strings.HasPrefix(err.Error(), path+":") {
					t.Fatalf("got error %v, want one at a place in the file that says %q", err, words)
				}
				return
			}
			want, ok := read[name]
			if !ok {
				t.Fatal("the file is not in the table")
			}
			if err != nil {
				t.Fatal(err)
			}
			got := count{nodes: len(src.X), points: len(src.Points), lines: len(src.Lines), triangles: len(src.Triangles), groups: len(src.Groups)}
			if want.triangles > 0 {
				m, err := mesh.Build(src, nil)
				if err != nil {
					t.Fatal(err)
				}
				got.bodies, got.edges = len(m.Bodies), len(m.Edges)
				if (m.Turned == 42) != (want == reversed) {
					t.Errorf("%d triangles turned round", m.Turned)
				}
			}
			if got != want {
				t.Errorf("read %+v, want %+v", got, want)
			}
		})
	}
}

// Meshes that are read with changes give a message, and meshes that cannot be read give the remedy:
// quadrilaterals, elements of higher order, other planes.
func TestUnusualMeshes(t *testing.T) {
	const head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
	file := func(nodes, elements string) string {
		count := func(s string) int { return strings.Count(s, "\n") }
		return fmt.Sprintf("%s$Nodes\n%d\n%s$EndNodes\n$Elements\n%d\n%s$EndElements\n", head, count(nodes), nodes, count(elements), elements)
	}
	const square = "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n"
	const triangle = "1 2 2 1 1 1 2 3\n"
	for _, c := range []struct{ name, data, warning, failure string }{
		{"a quadrilateral", file(square, "7 3 2 1 1 1 2 3 4\n"), "1 quadrilaterals were split into two triangles each (in Gmsh: Mesh.RecombineAll = 0", ""},
		{"a six-node triangle", file(square+"5 0.5 0 0\n6 1 0.5 0\n7 0.5 0.5 0\n", "1 9 2 1 1 1 2 3 5 6 7\n"), "1 elements of higher order were read as their corners only, and 3 other nodes were left out (in Gmsh: -order 1)", ""},
		{"a nine-node quadrilateral", file(square+"5 0.5 0 0\n6 1 0.5 0\n7 0.5 1 0\n8 0 0.5 0\n9 0.5 0.5 0\n", "1 10 2 1 1 1 2 3 4 5 6 7 8 9\n"), "5 other nodes were left out", ""},
		{"another height", file(strings.ReplaceAll(square, " 0\n", " 5\n"), triangle), "the mesh lies in the plane z = 5: z = 0 is taken instead", ""},
		{"a node of no element at another height", file(square+"9 1 1 7\n", triangle), "", ""},
		{"a solid", file(square+"5 0 0 1\n", "1 4 2 1 1 1 2 3 5\n"), "", ":14: found a tetrahedron (Gmsh type 4), and fdem needs a plane mesh: mesh only surfaces, gmsh -2"},
		{"an upright plane", file("1 0 0 0\n2 1 0 0\n3 1 0 1\n", triangle), "", ":8: node 3 lies at z = 1: the mesh lies in the plane y = 0, and fdem needs the plane z = 0: rotate it in Gmsh"},
		{"a warped plane", file(strings.Replace(square, "1 1 0", "1 1 0.5", 1), triangle), "", ":8: node 3 lies at z = 0.5 and node 1 at z = 0"},
		{"far away", file(strings.Replace(square, "2 1 0", "2 1e300 0", 1), triangle), "", ":7: node 2 has a coordinate of 1e+300: at most 1e+15"},
		{"a byte-order mark", "\ufeff" + file(square, triangle), "", ""},
		{"UTF-16", "\xff\xfe$\x00M\x00", "", ": the file is in UTF-16: save it as Gmsh does"},
		{"an unknown element", file(square, "1 77 2 1 1 1 2 3\n"), "", "found an element (Gmsh type 77)"},
	} {
		src, err := Parse("odd.msh", []byte(c.data))
		if c.failure != "" {
			if err == nil || !strings.Contains(err.Error(), "odd.msh"+c.failure) && !strings.Contains(err.Error(), c.failure) {
				t.Errorf("%s: error %v, want %s", c.name, err, c.failure)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := strings.Join(src.Warnings, "; "); !strings.Contains(got, c.warning) || c.warning == "" && got != "" {
			t.Errorf("%s: warnings %q, want %q", c.name, got, c.warning)
		}
		if _, err := mesh.Build(src, nil); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A quadrilateral is divided where the halves are best, in whichever direction it turns;
// both halves keep its number and are in its groups.
func TestQuadrilaterals(t *testing.T) {
	for _, c := range []struct {
		name string
		x    [4]r2.Vec
		want [2][3]int32
	}{
		{"kite", [4]r2.Vec{{X: 0, Y: 0}, {X: 5, Y: -1}, {X: 10, Y: 0}, {X: 5, Y: 1}}, [2][3]int32{{0, 1, 3}, {1, 2, 3}}},
		{"arrowhead", [4]r2.Vec{{X: 0, Y: 0}, {X: 2, Y: -2}, {X: 0.5, Y: 0}, {X: 2, Y: 2}}, [2][3]int32{{0, 1, 2}, {0, 2, 3}}},
		{"clockwise arrowhead", [4]r2.Vec{{X: 2, Y: 2}, {X: 0.5, Y: 0}, {X: 2, Y: -2}, {X: 0, Y: 0}}, [2][3]int32{{0, 1, 3}, {1, 2, 3}}},
	} {
		p := &parser{src: &mesh.Source{X: c.x[:]}}
		p.index = index{[]int32{0, 1, 2, 3, 4}, nil}
		p.element(7, elementTypes[3], []int64{1, 2, 3, 4}, []int{5})
		if got := [2][3]int32(p.src.Triangles); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if !slices.Equal(p.src.TriID, []int64{7, 7}) || len(p.member) != 2 {
			t.Errorf("%s: numbers %v, %d in groups", c.name, p.src.TriID, len(p.member))
		}
	}
}

// Versions and encodings of one mesh hold the same: nodes, triangles and
// groups. Gmsh numbers alike in all of them.
func TestVersionsAgree(t *testing.T) {
	for _, same := range [][]string{
		{"collision.v22", "collision.v22b", "collision.v41", "collision.v41b"},
		{"beam_on_flat.v22", "beam_on_flat.v22b", "beam_on_flat.v41", "beam_on_flat.v41b"},
		{"plate_hole.v22", "plate_hole.v22b", "plate_hole.v41", "plate_hole.v41b", "plate_hole.param.v41", "plate_hole.part3.v22"},
		{"jointed_disc.v22", "jointed_disc.v22b", "jointed_disc.v41", "jointed_disc.v41b"},
		{"two_blocks_msh22_ascii", "two_blocks_msh22_bin", "two_blocks_msh41_ascii", "two_blocks_msh41_bin"},
		{"reversed.v22", "reversed.v22b", "reversed.v41", "reversed.v41b", "edge_comments.v22", "edge_crlf.v22"},
	} {
		first := digest(t, same[0])
		for _, name := range same[1:] {
			if diff := cmp.Diff(first, digest(t, name)); diff != "" {
				t.Errorf("%s differs from %s: %.1000s", name, same[0], diff)
			}
		}
	}
}

// summary is what should not depend on how a mesh was saved.
type summary struct {
	Bodies []string
	Areas  []float64 // rounded
	Groups map[string]int
	Corner [4]float64
}

func digest(t *testing.T, name string) summary {
	t.Helper()
	src, err := Read(filepath.Join(folder, name+".msh"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := mesh.Build(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := summary{Groups: map[string]int{}}
	round := func(v float64) float64 { return math.Round(v*1e10) / 1e10 }
	for _, b := range m.Bodies {
		area := 0.0
		for _, tri := range m.Triangles[b.First:b.End] {
			p, q, r := m.X[tri[0]], m.X[tri[1]], m.X[tri[2]]
			area += 0.5 * ((q.X-p.X)*(r.Y-p.Y) - (q.Y-p.Y)*(r.X-p.X))
		}
		lo, hi := b.Extent(m)
		s.Bodies = append(s.Bodies, b.Name)
		s.Areas = append(s.Areas, round(area))
		s.Corner = [4]float64{round(lo.X), round(lo.Y), round(hi.X), round(hi.Y)}
	}
	for _, g := range m.Groups {
		s.Groups[g.Name] = len(g.Nodes)*1000 + len(g.Edges)
	}
	return s
}

// text builds a .msh 2.2 file of the nodes 1 to 4 of a square and two
// triangles, with changes.
func text(change ...string) string {
	return strings.NewReplacer(change...).Replace(`$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
2 1 "plate"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
$EndNodes
$Elements
2
1 2 2 1 1 1 2 3
2 2 2 1 1 1 3 4
$EndElements
`)
}

func TestOddFiles(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       string // groups as name:elements, or the error
	}{
		{"as it is", text(), "plate:2"},
		{"sparse numbers, orphan node", text("4\n1 0", "5\n7000000 9 9 0\n1 0", "4 0 1", "900000 0 1", "3 4", "3 900000"), "plate:2"},
		{"duplicate node numbers", text("\n4 0 1 0", "\n3 0 1 0"), "odd.msh:13: node 3 is listed twice"},
		{"count larger than the file", text("$Nodes\n4", "$Nodes\n1000000000"), "declares 1000000000 nodes"},
		{"count smaller than the list", text("$Nodes\n4", "$Nodes\n3"), "expected $EndNodes"},
		{"negative count", text("$Nodes\n4", "$Nodes\n-4"), "declares -4 nodes"},
		{"group without a name", text("2 1 \"plate\"", "2 5 \"other\""), "1:2"},
		{"name in UTF-8 with blanks", text("plate", "płyta górna"), "płyta górna:2"},
		{"listed once for each group", text("\n2\n1 2 2 1", "\n3\n3 2 2 9 1 1 3 2\n1 2 2 1"), "plate:2 9:1"},
		{"listed twice in one group", text("\n2\n1 2 2 1", "\n3\n3 2 2 1 1 1 3 2\n1 2 2 1"), "triangles 3 and 1 have the same three nodes"},
		{"unknown section", text("$Nodes\n", "$Periodic\n0\n$EndPeriodic\n$Nodes\n"), "plate:2"},
		{"results in it", text() + "$NodeData\n1\n\"T\"\n$EndNodeData\n", "plate:2"},
		{"section without an end", text("$Nodes\n", "$Bogus\n$Nodes\n"), "section $Bogus has no end"},
		{"no elements", strings.Split(text(), "$Elements")[0], "no $Elements"},
		{"elements first", text("$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n", ""), "$Elements comes before $Nodes"},
		{"twice the nodes", text("$Elements", "$Nodes\n0\n$EndNodes\n$Elements"), "$Nodes twice"},
		{"words for numbers", text("3 1 1 0", "3 one 1 0"), `odd.msh:12: expected x, a number, found "one"`},
		{"infinite", text("3 1 1 0", "3 1e999 1 0"), "expected x, a number"},
		{"tetrahedron", text("2 2 2 1 1 1 3 4", "2 4 2 1 1 1 2 3 4"), "odd.msh:18: found a tetrahedron (Gmsh type 4)"},
		{"unknown element", text("2 2 2 1 1 1 3 4", "2 99 2 1 1 1 3 4"), "found an element (Gmsh type 99)"},
		{"empty", "", "begins with $MeshFormat"},
		{"not a mesh", "solid cube\n", "expected the start of a section"},
		{"no format", "$Nodes\n", "begins with $MeshFormat"},
		{"two groups of one name", text("1\n2 1 \"plate\"", "2\n2 1 \"plate\"\n2 2 \"plate\"", "2 2 2 1 1 1 3 4", "2 2 2 2 1 1 3 4"), "both named \"plate\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			src, err := Parse("odd.msh", []byte(c.text))
			if err == nil {
				_, err = mesh.Build(src, nil)
			}
			if err != nil {
				if strings.HasPrefix(c.want, "plate:") || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got error %v, want %s", err, c.want)
				}
				return
			}
			for _, g := range src.Groups {
				got += " " + g.Name + ":" + string(rune('0'+len(g.Elements)))
			}
			if got = strings.TrimSpace(got); got != c.want {
				t.Errorf("got groups %s, want %s", got, c.want)
			}
		})
	}
}

// A curve in two groups, in 4.1, where one entity lists both.
func TestEntityInTwoGroups(t *testing.T) {
	src, err := Parse("two.msh", []byte(`$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
1
1 5 "rim"
$EndPhysicalNames
$Entities
0 1 1 0
1 0 0 0 1 0 0 2 5 -6 0
1 0 0 0 1 1 0 0 0
$EndEntities
$Nodes
1 3 1 3
2 1 0 3
1
2
3
0 0 0
1 0 0
0 1 0
$EndNodes
$Elements
2 2 1 2
1 1 1 1
1 1 2
2 1 2 1
2 1 2 3
$EndElements
$GhostElements
1
2 1 1 2
$EndGhostElements
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []mesh.SourceGroup{{Name: "rim", Dim: 1, Number: 5, Elements: []int32{0}}, {Name: "6", Dim: 1, Number: 6, Elements: []int32{0}}}
	if diff := cmp.Diff(want, src.Groups); diff != "" {
		t.Error(diff)
	}
}

// A big-endian file is read like a little-endian one.
func TestBigEndian(t *testing.T) {
	var b bytes.Buffer
	put := func(v any) {
		if err := binary.Write(&b, binary.BigEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	b.WriteString("$MeshFormat\n2.2 1 8\n")
	put(int32(1))
	b.WriteString("\n$EndMeshFormat\n$Nodes\n3\n")
	for i, x := range [][3]float64{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}} {
		put(int32(i + 1))
		put(x)
	}
	b.WriteString("\n$EndNodes\n$Elements\n1\n")
	put([]int32{2, 1, 2, 1, 7, 1, 1, 2, 3})
	b.WriteString("\n$EndElements\n")
	src, err := Parse("big.msh", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(src.X) != 3 || src.X[1].X != 1 || src.X[2].Y != 1 || len(src.Triangles) != 1 || src.Groups[0].Name != "7" {
		t.Errorf("read %+v", src)
	}
}

// A written mesh is read back unchanged.
func TestWriteRoundTrip(t *testing.T) {
	for _, name := range []string{"two_blocks_msh41_bin", "plate_hole.v22", "jointed_disc.v41"} {
		src, err := Read(filepath.Join(folder, name+".msh"))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Write(&b, src); err != nil {
			t.Fatal(err)
		}
		again, err := Parse(src.Name, b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*mesh.Source{src, again} { // elements are numbered anew
			s.LineID, s.TriID, s.Warnings = nil, nil, nil
		}
		if diff := cmp.Diff(src, again); diff != "" {
			t.Errorf("%s: %.1000s", name, diff)
		}
	}
}

// Whatever the bytes, the reader returns, with a mesh or an error.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"reversed.v22", "reversed.v22b", "reversed.v41", "reversed.v41b", "nophys.v41b", "edge_comments.v22", "beam_line_msh41_ascii"} {
		data, err := os.ReadFile(filepath.Join(folder, name+".msh"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		src, err := Parse("fuzz.msh", data)
		if err != nil {
			return
		}
		if m, err := mesh.Build(src, nil); err == nil {
			m.Quality()
		}
	})
}
