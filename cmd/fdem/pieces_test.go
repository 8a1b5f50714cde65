package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fdem/examples/scenes"
	"fdem/io/results"
	"fdem/solver"
)

// ranInPieces runs a model twice as fdem run does, with fields whole and in pieces of fifty
// triangles, as those of millions are.
func ranInPieces(t *testing.T) (whole, pieces string) {
	t.Helper()
	run := func(piece int) string {
		dir := filepath.Join(t.TempDir(), "out")
		m, err := scenes.Load("../../examples/elastic-collision/elastic-collision.toml")
		if err != nil {
			t.Fatal(err)
		}
		m.Duration, m.FieldsEvery = 20e-6, 10e-6
		s, err := solver.New(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := results.Prepare(dir); err != nil {
			t.Fatal(err)
		}
		w, err := results.Open(dir, "test", s, nil)
		if err != nil {
			t.Fatal(err)
		}
		w.Shape(results.Form{Piece: piece})
		if err := s.Run(t.Context(), solver.Observer{Row: w.Row, Frame: w.Frame, Contact: w.Contact}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Close("done", nil); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	return run(0), run(50)
}

// All readers of frames read those in pieces, too: pictures and pages have the same bytes.
func TestPiecesAreRead(t *testing.T) {
	withAll(t)
	t.Parallel()
	whole, pieces := ranInPieces(t)
	if n, m := count(t, whole, "fields", "*.vtu"), count(t, pieces, "fields", "*.pvtu"); n != 3 || m != 3 {
		t.Fatalf("%d frames, and %d in pieces", n, m)
	}
	summary, err := os.ReadFile(filepath.Join(whole, "summary.json")) // has the time that a run took
	if err == nil {
		err = os.WriteFile(filepath.Join(pieces, "summary.json"), summary, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{whole, pieces} {
		succeed(t, "plot", dir)
		succeed(t, "report", dir)
	}
	pictures, err := filepath.Glob(filepath.Join(whole, "plots", "*"))
	if err != nil || !slices.ContainsFunc(pictures, func(p string) bool { return strings.Contains(p, "mesh") }) {
		t.Fatalf("%v, %v", pictures, err)
	}
	for _, path := range append(pictures, filepath.Join(whole, "report.html")) {
		name, err := filepath.Rel(whole, path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		run := regexp.MustCompile(`"generation":"[^"]*"`) // of a page, by when the run began
		if got, err := os.ReadFile(filepath.Join(pieces, name)); err != nil || !bytes.Equal(run.ReplaceAll(want, nil), run.ReplaceAll(got, nil)) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
	if _, said, _ := command("info", pieces); !strings.Contains(said, "3 files fields/*.pvtu") {
		t.Errorf("info says %s", said)
	}
}

// ParaView opens fields in pieces as it opens whole ones.
func TestParaViewOpensPieces(t *testing.T) {
	t.Parallel()
	withAll(t)
	program, err := exec.LookPath("pvpython")
	if err != nil {
		t.Skip("no pvpython (Debian: python3-paraview): not tried")
	}
	whole, pieces := ranInPieces(t)
	script := filepath.Join(t.TempDir(), "open.py")
	const read = `import sys
from paraview.simple import OpenDataFile, IntegrateVariables
for name in sys.argv[1:]:
    reader = OpenDataFile(name)
    times = list(reader.TimestepValues)
    sums = IntegrateVariables(Input=reader)
    sums.UpdatePipeline(times[-1])
    area = sums.CellData["Area"].GetRange()[0]
    print("%d times, %d cells, %.9g m2, von Mises %.6g" % (len(times), reader.GetDataInformation().GetNumberOfCells(), area, sums.CellData["von_mises"].GetRange()[0]))
`
	if err := os.WriteFile(script, []byte(read), 0o644); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(program, "--force-offscreen-rendering", script, filepath.Join(whole, "fields.pvd"), filepath.Join(pieces, "fields.pvd")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	lines := bytes.Split(bytes.TrimSpace(said), []byte("\n"))
	if len(lines) != 2 || !bytes.Equal(lines[0], lines[1]) || !bytes.HasPrefix(lines[0], []byte("3 times, ")) {
		t.Errorf("whole and in pieces: %s", said)
	}
	t.Logf("%s", said)
}
