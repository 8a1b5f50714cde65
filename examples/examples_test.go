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

	"fdem/examples/cases"
)

// Every mesh of an example comes out again, to the byte, of the command that
// its README gives for it.
func TestMeshesAreMadeAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs that write the meshes")
	}
	if !cases.All() {
		t.Skip("takes seconds: go test ./examples -all -run TestMeshesAreMadeAgain")
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
		if gmsh := regexp.MustCompile(`(?m)^    gmsh -2 .*-o examples/` + regexp.QuoteMeta(path) + ` examples/\S+\.geo$`); gmsh.Match(readme) {
			continue // other versions of Gmsh make other meshes
		}
		command := regexp.MustCompile(`(?m)^    go run \./(\S+)(.*) > examples/` + regexp.QuoteMeta(path) + `$`).FindStringSubmatch(string(readme))
		if command == nil {
			t.Errorf("README.md beside %s does not say how the mesh is made: go run ./... > examples/%s, or gmsh -2 ... -o examples/%s MODEL.geo", path, path, path)
			continue
		}
		program, done := built[command[1]]
		if !done {
			program = filepath.Join(bin, strings.ReplaceAll(command[1], "/", "-"))
			if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "fdem/"+command[1]).CombinedOutput(); err != nil {
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

// Every picture that a page shows is there, and pictures.sh makes it; it makes
// no other.
func TestPicturesAreMade(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash, which pictures.sh needs")
	}
	out, err := exec.Command(bash, "pictures.sh", "--list").Output()
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]bool{}
	for _, p := range strings.Fields(string(out)) {
		made[p] = true
	}
	shown := map[string]bool{}
	link := regexp.MustCompile(`!\[[^\]]*\]\(([^)]+)\)`)
	for _, pattern := range []string{"../*.md", "../docs/*.md", "*/README.md"} {
		pages, err := filepath.Glob(pattern)
		if err != nil || len(pages) == 0 {
			t.Fatalf("no pages %s: %v", pattern, err)
		}
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range link.FindAllStringSubmatch(string(text), -1) {
				path := filepath.Join("examples", filepath.Dir(page), m[1])
				shown[filepath.ToSlash(path)] = true
				if _, err := os.Stat(filepath.Join("..", path)); err != nil {
					t.Errorf("%s shows %s: %v", page, m[1], err)
				}
				if !made[filepath.ToSlash(path)] {
					t.Errorf("%s shows %s, which pictures.sh does not make", page, m[1])
				}
			}
		}
	}
	for p := range made {
		if !shown[p] {
			t.Errorf("pictures.sh makes %s, which no page shows", p)
		}
	}
}
