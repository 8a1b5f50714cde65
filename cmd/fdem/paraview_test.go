package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// openInParaView opens each file as a user of ParaView does, by its name, and says how many
// instants, cells and points it has at the last.
const openInParaView = `import sys
from paraview.simple import OpenDataFile
for name in sys.argv[1:]:
    reader = OpenDataFile(name)
    times = list(reader.TimestepValues)
    reader.UpdatePipeline(times[-1])
    holds = reader.GetDataInformation()
    print(len(times), holds.GetNumberOfCells() > 0, holds.GetNumberOfPoints() > 0)
`

// ParaView itself opens frames of triangles, beams, particles and cracks in time, those of
// VTK and of VTKHDF.
func TestParaViewOpens(t *testing.T) {
	t.Parallel()
	withAll(t)
	program, err := exec.LookPath("pvpython")
	if err != nil {
		t.Skip("no pvpython (Debian: python3-paraview): not tried")
	}
	dir := t.TempDir()
	var files []string
	for _, c := range []struct {
		model, until string
		series       []string
	}{
		{"../../examples/spall-bar/spall-bar.toml", "", []string{"fields", "cracks"}},
		{"../../examples/portal-frame/portal-sway.toml", "", []string{"fields"}},
		{"../../examples/sphere-chain/sphere-chain.toml", "0.2 ms", []string{"particles"}},
	} {
		out := filepath.Join(dir, filepath.Base(c.model))
		args := []string{"run", c.model, "-o", out, "--quiet", "--set", "output.format=vtkhdf"}
		if c.until != "" {
			args = append(args, "--until", c.until)
		}
		succeed(t, args...)
		for _, s := range c.series {
			files = append(files, filepath.Join(out, s+".pvd"), filepath.Join(out, s+".hdf.series"))
		}
	}
	script := filepath.Join(dir, "open.py")
	if err := os.WriteFile(script, []byte(openInParaView), 0o644); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(program, append([]string{"--force-offscreen-rendering", script}, files...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	t.Logf("%s", said)
	opened := 0
	for line := range strings.Lines(string(said)) {
		if strings.HasSuffix(strings.TrimSpace(line), " True True") {
			opened++
		}
	}
	if opened != len(files) {
		t.Errorf("%d of %d files hold cells and points:\n%s", opened, len(files), said)
	}
}
