package fdem_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// may says which of our packages each package may import. Commands, manual, benchmarks and
// examples may import all.
var may = map[string][]string{
	"materials/elementary":    {},
	"mesh":                    {"materials/elementary"},
	"mesh/shapes":             {"mesh", "materials/elementary"},
	"mesh/network":            {"materials/elementary"},
	"io/traces":               {"io/columns", "io/guard", "materials/elementary"},
	"materials/parameter":     {},
	"materials/bulk":          {"materials/elementary", "materials/parameter"},
	"materials/contact":       {"materials/contact/rough", "materials/elementary", "materials/parameter"},
	"materials/contact/rough": {"materials/elementary"},
	"materials/cohesive":      {"materials/elementary"},
	"materials/fluid":         {"materials/elementary"},
	"materials/restitution":   {"materials/elementary"},
	"materials/fit":           {"materials/contact"},
	"boundingbox":             {"materials/elementary"},
	"fem":                     {"materials/bulk", "materials/elementary"},
	"fem/fracture":            {"fem", "materials/cohesive", "materials/elementary"},
	"fem/mortar":              {"materials/elementary"},
	"fem/bolt":                {},
	"contactnodes/coulomb":    {},
	"contactnodes/motion":     {},
	"contactnodes/rolling":    {"contactnodes/coulomb"},
	"contactnodes/work":       {},
	"contactnodes/onnodes":    {},
	"contactnodes/pairs":      {"materials/elementary"},
	"contactnodes/halves":     {"contactnodes/onnodes", "contactnodes/pairs"},
	"contactnodes":            {"contactnodes/halves", "contactnodes/onnodes", "mesh", "boundingbox", "contactnodes/coulomb", "contactnodes/pairs", "contactnodes/rolling", "contactnodes/work", "materials/contact", "materials/elementary"},
	"contactnodes/overlap":    {"materials/elementary"},
	"contactnodes/volume":     {"boundingbox", "contactnodes/onnodes", "mesh", "contactnodes", "contactnodes/coulomb", "contactnodes/motion", "contactnodes/overlap", "contactnodes/work", "materials/contact", "materials/elementary"},
	"contactnodes/potential":  {"boundingbox", "contactnodes", "contactnodes/coulomb", "contactnodes/motion", "contactnodes/onnodes", "contactnodes/work", "materials/contact", "materials/elementary"},
	"contactnodes/spheres":    {"boundingbox", "contactnodes/coulomb", "contactnodes/motion", "contactnodes/overlap", "contactnodes/rolling", "contactnodes/work", "materials/contact", "materials/restitution", "materials/elementary"},
	"ranks":                   {},
	"ranks/mpi":               {"ranks"},
	"solver/cholesky":         {},
	"solver/nodes":            {"mesh", "fem", "contactnodes/motion", "materials/elementary"},
	"solver/quantity":         {},
	"solver/statics":          {"mesh", "boundingbox", "fem", "contactnodes", "solver", "solver/cholesky", "materials/elementary", "solver/system", "solver/constraints"},
	"solver/flow":             {"fem/fracture", "materials/elementary", "materials/fluid", "mesh", "solver/cholesky", "solver/model", "solver/nodes", "solver/quantity", "solver/system"},
	"solver/diffusion":        {"contactnodes", "contactnodes/potential", "fem", "fem/fracture", "materials/bulk", "materials/elementary", "mesh", "solver/bodies", "solver/cholesky", "solver/model", "solver/nodes", "solver/quantity", "solver/system"},
	"solver/model":            {"contactnodes", "contactnodes/spheres", "fem", "fem/bolt", "fem/fracture", "fem/mortar", "materials/bulk", "materials/contact", "materials/elementary", "materials/fluid", "mesh", "solver/nodes"},
	"solver/system":           {"contactnodes", "contactnodes/motion", "contactnodes/onnodes", "contactnodes/work", "fem", "materials/elementary", "materials/restitution", "solver/cholesky", "solver/model", "solver/nodes", "solver/quantity"},
	"solver/bodies":           {"boundingbox", "contactnodes", "contactnodes/motion", "contactnodes/onnodes", "contactnodes/volume", "fem", "materials/bulk", "materials/contact", "materials/elementary", "mesh", "solver/model", "solver/nodes", "solver/quantity", "solver/system"},
	"solver/constraints":      {"contactnodes/motion", "fem/mortar", "materials/elementary", "mesh", "solver/model", "solver/nodes", "solver/system"},
	"solver/forces":           {"contactnodes/motion", "fem/bolt", "materials/elementary", "mesh", "solver/bodies", "solver/constraints", "solver/model", "solver/nodes", "solver/quantity", "solver/system"},
	"solver/threads":          {"boundingbox", "fem"},
	"solver/contacts":         {"boundingbox", "contactnodes", "contactnodes/onnodes", "contactnodes/volume", "contactnodes/work", "fem/fracture", "materials/contact", "materials/elementary", "mesh", "solver/bodies", "solver/model", "solver/nodes", "solver/system", "solver/threads"},
	"solver/impulses":         {"boundingbox", "materials/elementary", "mesh", "solver/bodies", "solver/cholesky", "solver/model", "solver/quantity", "solver/system", "solver/threads"},
	"solver/particles":        {"boundingbox", "contactnodes/motion", "contactnodes/spheres", "fem/fracture", "materials/elementary", "mesh", "solver/bodies", "solver/contacts", "solver/model", "solver/nodes", "solver/system", "solver/threads"},
	"solver/cracks":           {"boundingbox", "contactnodes", "contactnodes/motion", "contactnodes/potential", "contactnodes/work", "fem", "fem/fracture", "materials/bulk", "materials/contact", "materials/elementary", "mesh", "solver/bodies", "solver/constraints", "solver/contacts", "solver/model", "solver/nodes", "solver/quantity", "solver/system", "solver/threads"},
	"solver/atrest":           {"materials/elementary", "solver/model", "solver/nodes", "solver/particles", "solver/system"},
	"solver/output":           {"contactnodes", "contactnodes/spheres", "materials/bulk", "materials/elementary", "ranks", "solver/bodies", "solver/constraints", "solver/contacts", "solver/impulses", "solver/flow", "solver/forces", "solver/diffusion", "solver/model", "solver/nodes", "solver/particles", "solver/quantity", "solver/system"},
	"solver/processes":        {"contactnodes", "contactnodes/onnodes", "contactnodes/potential", "fem", "materials/elementary", "ranks", "solver/bodies", "solver/contacts", "solver/cracks", "solver/system", "solver/threads"},
	"solver/rest":             {"contactnodes", "contactnodes/motion", "materials/elementary", "mesh", "solver/bodies", "solver/contacts", "solver/forces", "solver/model", "solver/nodes", "solver/system"},
	"solver/rayleigh":         {"contactnodes", "materials/elementary", "mesh", "solver/bodies", "solver/contacts", "solver/forces", "solver/model", "solver/nodes", "solver/processes", "solver/rest", "solver/system"},
	"solver":                  {"contactnodes/onnodes", "ranks", "solver/nodes", "solver/processes", "solver/rest", "solver/rayleigh", "mesh", "materials/bulk", "materials/contact", "boundingbox", "fem", "contactnodes", "contactnodes/motion", "materials/elementary", "solver/flow", "solver/diffusion", "solver/model", "solver/system", "solver/bodies", "solver/constraints", "solver/forces", "solver/threads", "solver/contacts", "solver/impulses", "solver/particles", "solver/cracks", "solver/output", "solver/atrest"},
	"io/gmsh":                 {"mesh", "mesh/network"},
	"io/abaqus":               {"mesh", "materials/elementary"},
	"io/hdf5":                 {},
	"io/vtk":                  {"io/guard", "io/hdf5", "io/whole"},
	"io/history":              {},
	"io/columns":              {},
	"io/expression":           {"materials/elementary"},
	"io/curves":               {"io/expression"},
	"io/guard":                {},
	"io/safety":               {"io/tables", "materials/elementary"},
	"io/study":                {"io/guard", "io/curves", "io/deck", "io/expression", "io/history", "io/lock", "io/whole", "io/plan", "io/tables"},
	"io/view":                 {"materials/bulk", "materials/cohesive", "io/seismicity", "io/guard", "io/whole", "io/throw", "solver/quantity", "io/vtk", "io/history"},
	"io/view/preview":         {"io/results", "io/view", "materials/elementary", "mesh", "solver", "solver/model", "solver/statics"},
	"io/plan":                 {"io/gmsh", "io/tables", "io/throw", "io/traces", "materials/elementary", "mesh", "mesh/network", "mesh/shapes"},
	"io/tables":               {"io/throw", "materials/cohesive", "materials/elementary"},
	"io/deck":                 {"io/abaqus", "io/guard", "io/curves", "io/expression", "io/throw", "solver/quantity", "io/columns", "io/gmsh", "fem/fracture", "fem/mortar", "materials/cohesive", "materials/fluid", "mesh", "materials/bulk", "materials/parameter", "materials/contact", "contactnodes", "contactnodes/spheres", "contactnodes/volume", "solver", "materials/elementary", "io/plan", "io/tables", "fem/bolt", "solver/flow", "solver/atrest", "solver/model", "solver/system", "solver/constraints", "solver/forces", "solver/contacts", "solver/impulses", "solver/particles"},
	"io/background":           {},
	"io/seismicity":           {"materials/elementary"},
	"io/lock":                 {"io/guard"},
	"io/throw":                {},
	"python":                  {},
	"python/wheel":            {"python"},
	"io/whole":                {},
	"io/lawtables":            {"io/guard", "io/whole", "materials/contact", "materials/contact/rough"},
	"io/checkpoint":           {"io/guard", "materials/contact", "io/background", "materials/elementary", "solver/model", "solver/system"},
	"io/results":              {"materials/bulk", "materials/cohesive", "io/seismicity", "io/guard", "io/curves", "solver/quantity", "contactnodes", "contactnodes/potential", "fem", "fem/fracture", "solver", "io/vtk", "io/history", "io/checkpoint", "io/background", "io/lock", "io/whole", "materials/elementary", "materials/restitution", "solver/system", "solver/forces", "solver/cracks"},
}

// otherBits names functions that round otherwise on other machines.
var otherBits = map[string][]string{
	"math": {"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atan2", "Atanh", "Cbrt", "Cos", "Cosh", "Erf", "Erfc", "Exp", "Exp2", "Expm1", "Gamma", "Hypot", "Log", "Log10", "Log1p", "Log2", "Pow", "Sin", "Sincos", "Sinh", "Tan", "Tanh"},
	"r2":   {"Cos", "Cross", "Dot", "Norm", "Norm2", "Rotate", "Unit"},
}

// beside are the packages that make no numbers of a run: what they make has
// the bits of the machine.
var beside = []string{"materials/elementary", "materials/fit", "io/study", "io/view", "io/view/preview"}

// The packages stand in README's tree, import all that the house allows and nothing
// else, tests aside, take
// no function that has other bits on other machines, and no Go file stands
// directly in io, where it would shadow the standard library's io.
func TestHouse(t *testing.T) {
	seen := map[string]map[string]bool{} // what each package imports
	eachSource(t, func(path string, files *token.FileSet, source *ast.File) {
		dir := filepath.ToSlash(filepath.Dir(path))
		if dir == "io" {
			t.Errorf("%s stands directly in io", path)
		}
		if dir == "." || strings.HasPrefix(dir, "cmd/") || strings.HasPrefix(dir, "examples/") || strings.HasPrefix(dir, "docs/") || dir == "benchmarks" {
			return
		}
		if seen[dir] == nil {
			seen[dir] = map[string]bool{}
		}
		checkImports(t, dir, path, source, seen[dir])
		if !slices.Contains(beside, dir) {
			checkBits(t, files, source)
		}
	})
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for dir, allowed := range may {
		if !strings.Contains(string(readme), "`"+dir+"`") {
			t.Errorf("README's tree does not name %s", dir)
		}
		if seen[dir] == nil {
			t.Errorf("the house's table has a package %s, which is not there", dir)
			continue
		}
		for _, own := range allowed {
			if !seen[dir][own] {
				t.Errorf("the house allows %s to import %s, which no file of it does", dir, own)
			}
		}
	}
}

// checkImports fails where a file imports what the house does not allow, and notes what it imports.
func checkImports(t *testing.T, dir, path string, source *ast.File, seen map[string]bool) {
	allowed, known := may[dir]
	if !known {
		t.Errorf("package %s is not in the house's table", dir)
		return
	}
	for _, spec := range source.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Error(err)
		}
		own, ok := strings.CutPrefix(imported, "fdem/")
		if ok && !slices.Contains(allowed, own) {
			t.Errorf("%s imports %s, which the house does not allow", path, own)
		}
		seen[own] = true
	}
}

// checkBits fails where a file takes a function that has other bits on other machines.
func checkBits(t *testing.T, files *token.FileSet, source *ast.File) {
	ast.Inspect(source, func(n ast.Node) bool {
		if call, ok := n.(*ast.SelectorExpr); ok {
			if of, ok := call.X.(*ast.Ident); ok && slices.Contains(otherBits[of.Name], call.Sel.Name) {
				t.Errorf("%s: %s.%s has other bits on other machines: take materials/elementary", files.Position(n.Pos()), of.Name, call.Sel.Name)
			}
		}
		return true
	})
}

// A processor with AVX2 alone has sixteen vector registers: the assembler would
// quietly take instructions of AVX-512 for any more, which it does not know.
func TestAssemblyNeedsNoMoreThanAVX2(t *testing.T) {
	more, files := regexp.MustCompile(`.*\b([XY](1[6-9]|[23]\d)|Z\d+|K\d)\b.*`), 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_amd64.s") {
			return err
		}
		text, err := os.ReadFile(path)
		if found := more.Find(text); found != nil {
			t.Errorf("%s: %s", path, found)
		}
		files++
		return err
	})
	if err != nil || files < 4 {
		t.Errorf("%d files of assembly, %v", files, err)
	}
}

// eachSource calls do with every file of Go that is neither a test nor a generator of assembly.
func eachSource(t *testing.T, do func(path string, files *token.FileSet, source *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (path == "fem/asm" || path != "." && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		source, err := parser.ParseFile(files, path, nil, parser.ParseComments) // with objects: Unresolved has the names of other files
		if err == nil {
			do(path, files, source)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// mostLong is how many functions may be longer than a page of 60 lines: half of those of the first
// count. A new one is allowed only if another one gets shorter.
const mostLong = 32

// Functions fit on a page, generators of assembly aside.
func TestFunctionsFitOnAPage(t *testing.T) {
	var long []string
	eachSource(t, func(path string, files *token.FileSet, source *ast.File) {
		for _, d := range source.Decls {
			if f, is := d.(*ast.FuncDecl); is {
				if lines := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; lines > 60 {
					long = append(long, path+": "+f.Name.Name+", "+strconv.Itoa(lines)+" lines")
				}
			}
		}
	})
	t.Logf("%d functions of more than 60 lines", len(long))
	if len(long) > mostLong {
		t.Errorf("%d functions of more than 60 lines, at most %d may be:\n%s", len(long), mostLong, strings.Join(long, "\n"))
	}
}

// A comment on a function that begins with the name of another one was left behind by a renaming.
func TestCommentsNameTheirFunction(t *testing.T) {
	named := map[string]map[string]bool{} // by folder
	eachSource(t, func(path string, _ *token.FileSet, source *ast.File) {
		folder := filepath.Dir(path)
		if named[folder] == nil {
			named[folder] = map[string]bool{}
		}
		for _, d := range source.Decls {
			if f, is := d.(*ast.FuncDecl); is {
				named[folder][f.Name.Name] = true
			}
		}
	})
	commented := 0
	eachSource(t, func(path string, files *token.FileSet, source *ast.File) {
		for _, d := range source.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Doc == nil {
				continue
			}
			commented++
			if first, _, _ := strings.Cut(f.Doc.Text(), " "); first != f.Name.Name && named[filepath.Dir(path)][first] {
				t.Errorf("%s: the comment on %s begins with the name %s", files.Position(f.Pos()), f.Name.Name, first)
			}
		}
	})
	if commented == 0 {
		t.Error("no function has a comment")
	}
}

// Exported names are documented: each by a comment, or with its group. A method may leave that to an
// interface of the program that declares it.
func TestExportedNamesAreDocumented(t *testing.T) {
	declared := map[string]bool{} // by interfaces, Go's own first
	for _, name := range []string{"Error", "Unwrap", "String", "Write", "Len", "Less", "Swap"} {
		declared[name] = true
	}
	eachSource(t, func(_ string, _ *token.FileSet, source *ast.File) {
		ast.Inspect(source, func(n ast.Node) bool {
			if of, is := n.(*ast.InterfaceType); is {
				for _, m := range of.Methods.List {
					for _, name := range m.Names {
						declared[name.Name] = true
					}
				}
			}
			return true
		})
	})
	checked := 0
	eachSource(t, func(_ string, files *token.FileSet, source *ast.File) {
		check := func(name *ast.Ident, comments ...*ast.CommentGroup) {
			checked++
			if name.IsExported() && !slices.ContainsFunc(comments, func(c *ast.CommentGroup) bool { return c != nil }) {
				t.Errorf("%s: %s has no comment", files.Position(name.Pos()), name.Name)
			}
		}
		for _, d := range source.Decls {
			eachName(d, declared, check)
		}
	})
	if checked == 0 {
		t.Error("no name has been found")
	}
}

// eachName calls the function with every name that a declaration gives, and with the comments that
// may be on it; not with methods that an interface declares.
func eachName(d ast.Decl, declared map[string]bool, do func(name *ast.Ident, comments ...*ast.CommentGroup)) {
	if f, is := d.(*ast.FuncDecl); is {
		if f.Recv == nil || !declared[f.Name.Name] {
			do(f.Name, f.Doc)
		}
		return
	}
	group := d.(*ast.GenDecl)
	for _, s := range group.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			do(s.Name, s.Doc, s.Comment, group.Doc)
		case *ast.ValueSpec:
			for _, name := range s.Names {
				do(name, s.Doc, s.Comment, group.Doc)
			}
		}
	}
}
