// Package examples holds what all examples have in common to a test.
package examples

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// Every mesh of an example comes out again, to the byte, of the command that
// its README gives for it.
func TestMeshesAreMadeAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs that write the meshes")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("elsewhere the compiler may fuse products and sums of the coordinates")
	}
	meshes, err := filepath.Glob("*/*.msh")
	if err != nil || len(meshes) == 0 {
		t.Fatalf("no meshes: %v", err)
	}
	built := map[string]string{} // programs by their folders
	bin := t.TempDir()
	for _, path := range meshes {
		path = filepath.ToSlash(path)
		readme, err := os.ReadFile(filepath.Join(filepath.Dir(path), "README.md"))
		if err != nil {
			t.Fatal(err)
		}
		command := regexp.MustCompile(`(?m)^    go run \./(\S+)(.*) > examples/` + regexp.QuoteMeta(path) + `$`).FindStringSubmatch(string(readme))
		if command == nil {
			t.Errorf("README.md beside %s does not say how the mesh is made: go run ./... > examples/%s", path, path)
			continue
		}
		program, done := built[command[1]]
		if !done {
			program = filepath.Join(bin, strings.ReplaceAll(command[1], "/", "-"))
			if out, err := exec.Command("go", "build", "-o", program, "fdem/"+command[1]).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			built[command[1]] = program
		}
		got, err := exec.Command(program, strings.Fields(command[2])...).Output()
		if err != nil {
			t.Errorf("%s: %v", command[0], err)
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s writes another mesh than the one in the repository", strings.TrimSpace(command[0]))
		}
	}
}
