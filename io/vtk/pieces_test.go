package vtk

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// strip is a strip of 45 triangles, whose nodes are not in the order of the triangles, two
// lines and a point of neither, with a field of every kind at an instant.
func strip(time float64) Grid {
	const triangles = 45
	g := Grid{Time: time}
	n := triangles + 2
	permuted := func(k int) int32 { return int32(7 * k % n) }
	g.Points = make([]r2.Vec, n+1)
	for k := range n {
		g.Points[permuted(k)] = r2.Vec{X: float64(k / 2), Y: float64(k % 2)}
	}
	for k := range triangles {
		g.Triangles = append(g.Triangles, [3]int32{permuted(k), permuted(k + 1), permuted(k + 2)})
	}
	g.Lines = [][2]int32{{permuted(3), permuted(5)}, {permuted(5), permuted(7)}}
	id, turn, body := make([]int64, n+1), make([]float64, n+1), make([]int32, triangles+2)
	for i := range id {
		id[i], turn[i] = int64(100+i), time*float64(i)
	}
	for i := range body {
		body[i] = int32(i / 9)
	}
	g.PointData = []Array{
		Vectors("displacement", func(k int) r2.Vec { return r2.Vec{X: time * float64(k), Y: math.Cos(float64(k))} }),
		{Name: "rotation", Components: 1, Float64: turn},
		{Name: "node_id", Components: 1, Int64: id, Constant: true},
	}
	g.CellData = []Array{
		{Name: "stress", Components: 2, Fill: func(first, end int, out []float64) {
			for k := first; k < end; k++ {
				out[2*(k-first)], out[2*(k-first)+1] = time*float64(k), float64(-k)
			}
		}},
		{Name: "body_id", Components: 1, Int32: body, Constant: true},
	}
	return g
}

// inPieces writes two instants of the strip whole and in pieces of ten triangles.
func inPieces(t *testing.T, w Writer) (whole, pieces [2]string) {
	t.Helper()
	dir := t.TempDir()
	w.Piece = 10
	one, two := strip(1), strip(2)
	two.Triangles, two.PointData[2], two.CellData[1] = one.Triangles, one.PointData[2], one.CellData[1] // these do not change
	for i, g := range []Grid{one, two} {
		whole[i], pieces[i] = filepath.Join(dir, string(rune('a'+i))+".vtu"), filepath.Join(dir, string(rune('a'+i))+w.Ext(g))
		var other Writer
		other.Single = w.Single
		if err := other.WriteGrid(whole[i], g); err != nil {
			t.Fatal(err)
		}
		if err := w.WriteGrid(pieces[i], g); err != nil {
			t.Fatal(err)
		}
	}
	return whole, pieces
}

// A large grid in pieces reads as the whole one, here and in VTK.
func TestPieces(t *testing.T) {
	for _, w := range []Writer{{}, {Single: true}, {Uncompressed: true}} {
		whole, pieces := inPieces(t, w)
		for i, path := range pieces {
			if made, err := Pieces(path); err != nil || len(made) != 5 || filepath.Ext(path) != ".pvtu" {
				t.Fatalf("%s: pieces %v, %v", path, made, err)
			}
			want, err := readGrid(whole[i])
			if err != nil {
				t.Fatal(err)
			}
			f, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := everything(f)
			if diff := difference(want, got); err != nil || diff != "" {
				t.Errorf("%s: %v: %s", path, err, diff)
			}
		}
		all := readers(t, append(whole[:], pieces[:]...)...)
		for i := range whole {
			want, got := decode(t, all[i]), decode(t, all[2+i])
			of := got.PointData["point"]
			if len(got.Points) != len(of) || len(of) <= len(want.Points) {
				t.Fatalf("%d points with %d numbers, %d in one file", len(got.Points), len(of), len(want.Points))
			}
			for k, n := range of {
				same := got.Points[k] == want.Points[int(n)]
				for name, values := range want.PointData {
					c := len(values) / len(want.Points)
					same = same && slices.Equal(values[int(n)*c:][:c], got.PointData[name][k*c:][:c])
				}
				if !same {
					t.Errorf("%s: point %d of the whole is another", pieces[i], int(n))
				}
			}
			for k, c := range got.Cells {
				for j := range c {
					c[j] = int(of[c[j]])
				}
				if !slices.Equal(c, want.Cells[k]) {
					t.Errorf("%s: cell %d is %v, want %v", pieces[i], k, c, want.Cells[k])
				}
			}
			if diff := difference(want.CellData, got.CellData); diff != "" || len(got.Cells) != len(want.Cells) {
				t.Errorf("%s: %s", pieces[i], diff)
			}
		}
	}
}

// Pieces that are missing, or that do not belong to one grid, are reported.
func TestDamagedPieces(t *testing.T) {
	for want, damage := range map[string]func(list, folder string) error{
		"3.vtu": func(_, folder string) error { return os.Remove(filepath.Join(folder, "3.vtu")) },
		"points": func(_, folder string) error {
			data, err := os.ReadFile(filepath.Join(folder, "1.vtu"))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(folder, "0.vtu"), data, 0o644)
		},
		"outside": func(list, _ string) error {
			text, err := os.ReadFile(list)
			if err != nil {
				return err
			}
			return os.WriteFile(list, []byte(strings.Replace(string(text), "a/1.vtu", "../../a/1.vtu", 1)), 0o644)
		},
		"no pieces": func(list, _ string) error { return os.WriteFile(list, []byte("<VTKFile></VTKFile>"), 0o644) },
	} {
		_, pieces := inPieces(t, Writer{})
		if err := damage(pieces[0], strings.TrimSuffix(pieces[0], ".pvtu")); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(pieces[0]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
