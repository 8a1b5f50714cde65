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
	"io/traces":               {"io/columns"},
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
	"contactnodes/coulomb":    {},
	"contactnodes/motion":     {},
	"contactnodes/work":       {},
	"contactnodes":            {"mesh", "boundingbox", "contactnodes/coulomb", "contactnodes/work", "materials/contact", "materials/elementary"},
	"contactnodes/overlap":    {"materials/elementary"},
	"contactnodes/volume":     {"boundingbox", "mesh", "contactnodes", "contactnodes/coulomb", "contactnodes/motion", "contactnodes/overlap", "contactnodes/work", "materials/contact", "materials/elementary"},
	"contactnodes/potential":  {"boundingbox", "contactnodes", "contactnodes/coulomb", "contactnodes/motion", "contactnodes/work", "materials/contact", "materials/elementary"},
	"contactnodes/spheres":    {"boundingbox", "contactnodes/coulomb", "contactnodes/motion", "contactnodes/overlap", "contactnodes/work", "materials/contact", "materials/restitution", "materials/elementary"},
	"ranks":                   {},
	"ranks/mpi":               {"ranks"},
	"solver/cholesky":         {},
	"solver/nodes":            {"mesh", "fem", "contactnodes/motion", "materials/elementary"},
	"solver/quantity":         {},
	"solver/statics":          {"mesh", "boundingbox", "fem", "contactnodes", "solver", "solver/cholesky", "materials/elementary"},
	"solver":                  {"ranks", "materials/fluid", "materials/restitution", "solver/cholesky", "solver/nodes", "solver/quantity", "mesh", "materials/bulk", "materials/contact", "boundingbox", "fem", "fem/fracture", "fem/mortar", "contactnodes", "contactnodes/motion", "contactnodes/potential", "contactnodes/spheres", "contactnodes/volume", "contactnodes/work", "materials/elementary"},
	"io/gmsh":                 {"mesh", "mesh/network"},
	"io/abaqus":               {"mesh", "materials/elementary"},
	"io/hdf5":                 {},
	"io/vtk":                  {"io/guard", "io/hdf5", "io/whole"},
	"io/history":              {},
	"io/columns":              {},
	"io/expression":           {"materials/elementary"},
	"io/curves":               {"io/expression"},
	"io/guard":                {},
	"io/study":                {"io/guard", "io/curves", "io/deck", "io/expression", "io/history", "io/lock", "io/whole"},
	"io/view":                 {"io/seismicity", "io/guard", "io/whole", "io/throw", "solver/quantity", "io/vtk", "io/history"},
	"io/deck":                 {"io/abaqus", "io/traces", "io/curves", "io/expression", "io/throw", "solver/quantity", "io/columns", "io/gmsh", "fem/fracture", "fem/mortar", "materials/cohesive", "materials/fluid", "mesh", "mesh/network", "mesh/shapes", "materials/bulk", "materials/parameter", "materials/contact", "contactnodes", "contactnodes/spheres", "contactnodes/volume", "solver", "materials/elementary"},
	"io/background":           {},
	"io/seismicity":           {"materials/elementary"},
	"io/lock":                 {"io/guard"},
	"io/throw":                {},
	"io/whole":                {},
	"io/lawtables":            {"io/guard", "io/whole", "materials/contact", "materials/contact/rough"},
	"io/checkpoint":           {"io/guard", "materials/contact", "solver", "io/background", "materials/elementary"},
	"io/results":              {"io/seismicity", "io/guard", "io/curves", "solver/quantity", "contactnodes", "contactnodes/potential", "fem", "fem/fracture", "solver", "io/vtk", "io/history", "io/checkpoint", "io/background", "io/lock", "io/whole", "materials/elementary", "materials/restitution"},
}

// otherBits names functions that round otherwise on other machines.
var otherBits = map[string][]string{
	"math": {"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atan2", "Atanh", "Cbrt", "Cos", "Cosh", "Erf", "Erfc", "Exp", "Exp2", "Expm1", "Gamma", "Hypot", "Log", "Log10", "Log1p", "Log2", "Pow", "Sin", "Sincos", "Sinh", "Tan", "Tanh"},
	"r2":   {"Cos", "Cross", "Dot", "Norm", "Norm2", "Rotate", "Unit"},
}

// beside are the packages that make no numbers of a run: what they make has
// the bits of the machine.
var beside = []string{"materials/elementary", "materials/fit", "io/study", "io/view"}

// The packages stand in README's tree, import all that the house allows and nothing
// else, tests aside, take
// no function that has other bits on other machines, and no Go file stands
// directly in io, where it would shadow the standard library's io.
func TestHouse(t *testing.T) {
	seen := map[string]map[string]bool{} // what each package imports
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
		if seen[dir] == nil {
			seen[dir] = map[string]bool{}
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			own, ok := strings.CutPrefix(imported, "fdem/")
			if ok && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s, which the house does not allow", path, own)
			}
			seen[dir][own] = true
		}
		if slices.Contains(beside, dir) {
			return nil
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok {
				if of, ok := call.X.(*ast.Ident); ok && slices.Contains(otherBits[of.Name], call.Sel.Name) {
					t.Errorf("%s: %s.%s has other bits on other machines: take materials/elementary", files.Position(n.Pos()), of.Name, call.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
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

// Few files name a kind, by an identifier or in a text, besides its own files. The deck, manual,
// examples, benchmarks and tests may.
func TestKindsAreRooms(t *testing.T) {
	for _, kind := range []struct {
		name  string
		named *regexp.Regexp
		room  *regexp.Regexp
		most  int // files outside
	}{
		{"beams", regexp.MustCompile(`(?i)beam`), regexp.MustCompile(`beam[^/]*\.go$|^mesh/faces\.go$`), 5},
		{"spheres", regexp.MustCompile(`(?i)sphere|particle`), regexp.MustCompile(`(sphere|particle)[^/]*\.go$|^contactnodes/spheres/|^materials/|^io/lawtables/|^cmd/fdem/bench`), 6},
	} {
		var outside []string
		rooms := 0
		err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			path = filepath.ToSlash(path)
			if d.IsDir() && path != "." {
				_, err := os.Stat(filepath.Join(path, "go.mod"))
				if err == nil || strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"docs", "examples", "benchmarks", "io/deck"}, path) {
					return filepath.SkipDir
				}
			}
			if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			named := false
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					named = named || kind.named.MatchString(n.Name)
				case *ast.BasicLit:
					named = named || n.Kind == token.STRING && kind.named.MatchString(n.Value)
				}
				return !named
			})
			switch {
			case named && kind.room.MatchString(path):
				rooms++
			case named:
				outside = append(outside, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if rooms == 0 {
			t.Errorf("no file is a room of %s", kind.name)
		}
		if len(outside) > kind.most {
			t.Errorf("%s are named by %d files outside their room, at most %d may: %s", kind.name, len(outside), kind.most, strings.Join(outside, ", "))
		}
		t.Logf("%s: %d files outside their room: %s", kind.name, len(outside), strings.Join(outside, ", "))
	}
}

// rooms are what names of files in package solver begin with in which kinds stand.
var rooms = regexp.MustCompile(`^(bodies|constraints|forces|contact|fracture)(_\w+)?\.go$`)

// What takes part in a step stands in a room that the tree shows.
func TestKindsStandInRooms(t *testing.T) {
	files, err := filepath.Glob("solver/*.go")
	if err != nil {
		t.Fatal(err)
	}
	takesPart, found := regexp.MustCompile(`(?m)^func \(\w+ \*?\w+\) (addForces|afterForces)\(`), 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch name := filepath.Base(path); {
		case strings.HasSuffix(name, "_test.go") || name == "system.go" || !takesPart.Match(text):
		case rooms.MatchString(name):
			found++
		default:
			t.Errorf("%s takes part in a step: its name must begin with its room: bodies, constraints, forces, contact or fracture", path)
		}
	}
	if found == 0 {
		t.Error("no kind found")
	}
}

// A kind gets the nodal field and the analysis, never the solver, what one kind uses is
// its own, and nobody asks whether a kind is there: the numbers may only fall.
func TestSolverIsALoop(t *testing.T) {
	const mostMethods, mostFields, mostHolders = 29, 12, 0
	files, err := filepath.Glob("solver/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var parsed []*ast.File
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	isSolver := func(of ast.Expr) bool {
		p, is := of.(*ast.StarExpr)
		if !is {
			return false
		}
		name, is := p.X.(*ast.Ident)
		return is && name.Name == "Solver"
	}
	methods, fields := 0, 0
	var holders, asked []string
	kinds := map[string]bool{"damping": true} // by the names of the fields that have them
	for _, f := range parsed {
		ast.Inspect(f, func(n ast.Node) bool {
			of, is := n.(*ast.TypeSpec)
			if !is || of.Name.Name != "kinds" && of.Name.Name != "breaking" {
				return true
			}
			for _, field := range of.Type.(*ast.StructType).Fields.List {
				for _, name := range field.Names {
					kinds[name.Name] = true
				}
			}
			return false
		})
	}
	for _, f := range parsed {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				of, is := n.X.(*ast.SelectorExpr)
				if to, isName := n.Y.(*ast.Ident); is && isName && to.Name == "nil" && kinds[of.Sel.Name] {
					asked = append(asked, of.Sel.Name)
				}
			case *ast.FuncDecl:
				if n.Recv != nil && isSolver(n.Recv.List[0].Type) {
					methods++
				}
			case *ast.TypeSpec:
				s, is := n.Type.(*ast.StructType)
				if !is {
					break
				}
				for _, field := range s.Fields.List {
					if n.Name.Name == "Solver" {
						fields += max(1, len(field.Names))
					}
					if isSolver(field.Type) {
						holders = append(holders, n.Name.Name)
					}
				}
			}
			return true
		})
	}
	if methods == 0 || fields == 0 {
		t.Error("package solver has no Solver")
	}
	if methods > mostMethods || fields > mostFields || len(holders) > mostHolders {
		t.Errorf("Solver has %d methods and %d fields, %d types hold it (%s), at most %d, %d and %d may", methods, fields, len(holders), strings.Join(holders, ", "), mostMethods, mostFields, mostHolders)
	}
	if len(asked) > 0 || len(kinds) < 10 {
		t.Errorf("%d lines ask whether one of %d kinds is there: %s", len(asked), len(kinds), strings.Join(asked, ", "))
	}
	t.Logf("Solver has %d methods and %d fields, %d types hold it", methods, fields, len(holders))
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
		source, err := parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
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

// private are words of this program only, each with the usual word of the field.
var private = map[string]string{
	"alarm": "threshold", "bear": "carry a load", "bears": "carries",
	"calm": "quasi-static", "dead": "removed", "debt": "offset, balance",
	"dig": "excavate", "dozing": "sleeping", "fate": "history", "foothold": "support contact", "footholds": "support contact", "foresee": "predict",
	"glue": "internal force", "glued": "internal force", "handed": "transferred", "hasten": "speed up", "heed": "warning", "laid": "resting",
	"lend": "share", "lent": "share", "lever": "arm", "lonely": "single", "loose": "unrestrained", "owe": "balance", "owed": "balance", "paid": "balanced", "puller": "worker",
	"reckon": "compute", "remedy": "advice", "ripe": "ready", "rub": "friction", "rubbing": "friction", "rubs": "has friction",
	"sight": "range, closest-point query", "sprung": "with springs", "stray": "move away", "strayed": "moved away", "sunk": "penetrated", "tether": "attachment",
	"tethers": "attachments", "thorn": "spike", "unborn": "not inserted", "unpaid": "unbalanced", "weigh": "weight", "wet": "with fluid",
}

// kept are names with such a word all the same, of package materials/contact.
var kept = []string{"EvalSprung", "Sprung"}

// Neither names nor messages have a word that only this program uses for a known thing.
func TestWordsAreTheFields(t *testing.T) {
	split, word := regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`), regexp.MustCompile(`[a-z]+`)
	names, messages := 0, 0
	eachSource(t, func(_ string, files *token.FileSet, source *ast.File) {
		if ast.IsGenerated(source) { // with the names of its generator
			return
		}
		ast.Inspect(source, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				names++
				for _, w := range split.FindAllString(n.Name, -1) {
					if instead, is := private[strings.ToLower(w)]; is && !slices.Contains(kept, n.Name) {
						t.Errorf("%s: the name %s has the word %q, take %s", files.Position(n.Pos()), n.Name, w, instead)
					}
				}
			case *ast.BasicLit:
				if n.Kind != token.STRING || !strings.Contains(n.Value, " ") {
					return true
				}
				messages++
				for _, w := range word.FindAllString(n.Value, -1) {
					if instead, is := private[w]; is {
						t.Errorf("%s: the text %s has the word %q, take %s", files.Position(n.Pos()), n.Value, w, instead)
					}
				}
			}
			return true
		})
	})
	if names == 0 || messages == 0 {
		t.Errorf("%d names, %d messages", names, messages)
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
