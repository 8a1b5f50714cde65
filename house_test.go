package fdem_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// may says which of our packages each package may import. Commands, manual, benchmarks and
// examples may import all.
var may = map[string][]string{
	"mesh":                    {},
	"mesh/shapes":             {"mesh"},
	"materials/bulk":          {},
	"materials/contact":       {"materials/contact/rough"},
	"materials/contact/rough": {},
	"materials/restitution":   {},
	"materials/fit":           {"materials/contact"},
	"boundingbox":             {"mesh"},
	"fem":                     {"mesh", "materials/bulk"},
	"contactnodes":            {"mesh", "boundingbox", "materials/contact"},
	"contactnodes/overlap":    {},
	"contactnodes/volume":     {"mesh", "contactnodes", "contactnodes/overlap"},
	"contactnodes/spheres":    {"boundingbox", "materials/contact"},
	"solver":                  {"mesh", "materials/bulk", "materials/contact", "materials/restitution", "boundingbox", "fem", "contactnodes", "contactnodes/overlap", "contactnodes/spheres", "contactnodes/volume"},
	"io/gmsh":                 {"mesh"},
	"io/vtk":                  {},
	"io/history":              {},
	"io/table":                {"io/deck"},
	"io/study":                {"io/deck", "io/history", "io/lock"},
	"io/view":                 {"io/vtk", "io/history"},
	"io/deck":                 {"mesh", "mesh/shapes", "materials/bulk", "materials/contact", "contactnodes", "contactnodes/spheres", "contactnodes/volume", "solver"},
	"io/background":           {},
	"io/lock":                 {},
	"io/checkpoint":           {"materials/contact", "solver", "io/background"},
	"io/report":               {"mesh", "materials/bulk", "materials/contact", "contactnodes", "contactnodes/spheres", "fem", "solver", "io/vtk", "io/history", "io/checkpoint", "io/background", "io/lock"},
}

// The packages import what the house allows and nothing else, tests aside, and
// no Go file stands directly in io, where it would shadow the standard
// library's io.
func TestHouse(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != "." {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && d.IsDir() && path != "." {
			return filepath.SkipDir // a module of its own, no part of the program
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		if dir == "io" {
			t.Errorf("%s stands directly in io", path)
		}
		if dir == "." || strings.HasPrefix(dir, "cmd/") || strings.HasPrefix(dir, "examples/") || strings.HasPrefix(dir, "docs/") || dir == "benchmarks" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		allowed, known := may[dir]
		if !known {
			t.Errorf("package %s is not in the house's table", dir)
			return nil
		}
		seen[dir] = true
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if own, ok := strings.CutPrefix(imported, "fdem/"); ok && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s, which the house does not allow", path, own)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) < 10 {
		t.Errorf("only %d packages were found: the test looks in the wrong place", len(seen))
	}
}
