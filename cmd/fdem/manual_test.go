package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fdem/examples/cases"
	"fdem/io/deck"
	"fdem/io/view/preview"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// sample is a block of code of a page.
type sample struct {
	language, code string
	prelude        string // what stands before it if it is a fragment of a deck
}

// usualPrelude stands before fragments of pages without a prelude of their own.
const usualPrelude = `
[analysis]
duration = "1 ms"
[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = "7860 kg/m3"
`

// samplesOf returns the blocks of code of a page. What stands before a fragment of
// a deck is in a hidden comment, <!-- prelude ... -->: the last one above it, or the
// first of the page.
// The commands of another, <!-- setup ... -->, are the first block, and what
// stands in <!-- file NAME ... --> is put into a file.
func samplesOf(t *testing.T, path string) (blocks []sample) {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	preludes := regexp.MustCompile(`(?s)<!-- prelude\n(.*?)-->`).FindAllSubmatchIndex(source, -1)
	above := func(at int) string {
		prelude := usualPrelude
		for i, m := range preludes {
			if i == 0 || m[0] < at {
				prelude = string(source[m[2]:m[3]])
			}
		}
		return prelude
	}
	if m := regexp.MustCompile(`(?s)<!-- setup\n(.*?)-->`).FindSubmatch(source); m != nil {
		blocks = append(blocks, sample{language: "sh", code: string(m[1])})
	}
	for _, m := range regexp.MustCompile(`(?s)<!-- file (\S+)\n(.*?)-->`).FindAllSubmatch(source, -1) {
		blocks = append(blocks, sample{language: "file " + string(m[1]), code: string(m[2])})
	}
	lines := func(n ast.Node) string {
		var b strings.Builder
		for i := range n.Lines().Len() {
			s := n.Lines().At(i)
			b.Write(s.Value(source))
		}
		return b.String()
	}
	err = ast.Walk(goldmark.DefaultParser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			at := 0
			if n.Lines().Len() > 0 {
				at = n.Lines().At(0).Start
			}
			blocks = append(blocks, sample{string(n.Language(source)), lines(n), above(at)})
		case *ast.CodeBlock:
			if code := lines(n); regexp.MustCompile(`(?m)^(\./fdem|fdem|go) `).MatchString(code) { // or a drawing
				blocks = append(blocks, sample{language: "sh", code: code})
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// manualPages are the pages whose commands and decks are tried.
func manualPages(t *testing.T) []string {
	t.Helper()
	pages := []string{"../../README.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../examples/*/README.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	// an exercise that changes the program: TestExercises does it
	return slices.DeleteFunc(pages, func(page string) bool { return strings.HasPrefix(filepath.Base(page), "new") })
}

// longPages are READMEs of examples whose runs take seconds, and which the examples' own tests
// make: their commands run with -whole, which .ci/long sets.
var longPages = []string{
	"examples/branching-plate/README.md", "examples/double-cantilever/README.md", "examples/hydraulic-fracture/README.md",
	"examples/kalthoff/README.md", "examples/notched-beam/README.md", "examples/tunnel/README.md",
}

// firstPages are those whose commands run without -all; decks are read of all pages.
var firstPages = []string{"README.md", "docs/start.md"}

// Every command and every deck in README, manual and READMEs of the examples
// works: the commands of a page one after the other in one folder, long runs
// shortened.
func TestManualWorks(t *testing.T) {
	if testing.Short() {
		t.Skip("runs what the manual says")
	}
	rehearseLess(t)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	fits := map[string]bool{} // that were tried on an earlier page: they take long
	for _, page := range manualPages(t) {
		blocks := samplesOf(t, page)
		name, err := filepath.Rel("../..", page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			dir, part := t.TempDir(), 0.25 // the manual looks at the results
			if name == "docs/laboratory.md" && !*toTheEnd {
				part = 0.02 // TestLaboratory does, at the whole
			}
			commands := slices.Contains(firstPages, name) || cases.All() || *toTheEnd
			for _, example := range examplesOf(t, page) {
				copyExamples(t, filepath.Join(root, "examples", example), filepath.Join(dir, "examples", example))
			}
			t.Chdir(dir)
			for _, b := range blocks {
				if file, ok := strings.CutPrefix(b.language, "file "); ok {
					if err := os.WriteFile(file, []byte(b.code), 0o644); err != nil {
						t.Error(err)
					}
					continue
				}
				switch b.language {
				case "sh":
					if !commands || slices.Contains(longPages, name) && !*toTheEnd {
						continue
					}
					for _, line := range commandLines(b.code) {
						if fit := strings.HasPrefix(line, "fdem fit examples/"); !fit || !fits[line] {
							try(t, root, line, part)
							fits[line] = fit
						}
					}
				case "toml":
					whole := b.code
					if !regexp.MustCompile(`(?m)^\[analysis\]`).MatchString(whole) {
						whole = b.prelude + "\n" + whole
					}
					if _, err := deck.Parse("deck.toml", []byte(whole)); err != nil && !strings.HasPrefix(b.code, "# shapes") {
						t.Errorf("a deck in %s: %v\nA fragment needs the rest of a deck in <!-- prelude ... --> on its page.\n%s", name, err, whole)
					}
				case "python":
					if !commands { // that make what it reads
						continue
					}
					t.Run("python", func(t *testing.T) { python(t, root, b.code) })
				case "go":
					if commands {
						compiles(t, root, b.code)
					}
				case "", "text", "math":
				default:
					t.Errorf("a block of %q in %s: this test does not know how to try it", b.language, name)
				}
			}
			if !commands {
				withAll(t)
			}
		})
	}
}

// examplesOf returns the examples that a page names, and its own.
func examplesOf(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`examples/([a-z0-9-]+)/`).FindAllStringSubmatch(filepath.ToSlash(page)+"\n"+string(text), -1) {
		if _, err := os.Stat(filepath.Join("../../examples", m[1])); err == nil {
			named[m[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(named))
}

// copyExamples copies decks, meshes and data.
func copyExamples(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".toml", ".msh", ".csv"}, filepath.Ext(path)) || strings.Contains(path, ".out/") {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		return errors.Join(os.MkdirAll(filepath.Dir(target), 0o755), os.WriteFile(target, data, 0o644))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// commandLines returns a block's commands, lines that end in \ joined and
// remarks taken off.
func commandLines(code string) []string {
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(code, "\\\n", " ")) {
		line, _, _ = strings.Cut(line, " #")
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines
}

// others are programs whose lines are not tried.
var others = []string{"go", "gmsh", "git", "cd", "export", "source", "man", "mpirun", ".ci/lint", ".ci/run", "examples/pictures.sh"}

// try runs one command line of the manual, of runs of the manual's own models a part.
func try(t *testing.T, root, line string, part float64) {
	t.Helper()
	args := words(t, line)
	for _, a := range args {
		if regexp.MustCompile(`^[A-Z]{3,}(/|$)`).MatchString(a) {
			return // DIR and NAME stand for something else
		}
	}
	if rest, ok := strings.CutPrefix(line, "go run ./"); ok && !strings.HasPrefix(rest, "cmd/fdem") {
		program, _, _ := strings.Cut(rest, " ")
		if _, err := os.Stat(filepath.Join(root, program)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		return
	}
	if args[0] == "cp" && len(args) == 3 {
		data, err := os.ReadFile(args[1])
		if err = errors.Join(err, os.WriteFile(args[2], data, 0o644)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		return
	}
	to := "" // where standard output goes
	if n := len(args); n > 2 && args[n-2] == ">" {
		args, to = args[:n-2], args[n-1]
	}
	switch {
	case len(args) > 2 && args[0] == "go" && args[1] == "run" && args[2] == "./cmd/fdem":
		args = args[3:]
	case args[0] == "fdem" || args[0] == "./fdem":
		args = args[1:]
	case slices.Contains(others, args[0]):
		return
	default:
		t.Errorf("%s: this test does not know how to try %s", line, args[0])
		return
	}
	if len(args) > 1 {
		switch args[0] {
		case "view": // would serve for ever
			source, _, err := sourceOf([]string{args[1]})
			if p, is := source.(*preview.Preview); is && err == nil {
				err = p.Close()
			}
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
			return
		case "run":
			args = shortened(t, args, part)
		}
	}
	if args[0] == "verify" || args[0] == "sweep" {
		return // problems and studies are tests of their own
	}
	status, stdout, stderr := command(args...)
	if status != 0 {
		t.Errorf("%s: exit status %d\n%s\nWhat it needs can be made in <!-- setup ... --> on its page, by cp and fdem.", line, status, stderr)
	}
	if to != "" {
		if err := os.WriteFile(to, []byte(stdout), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// shortened ends a run early.
func shortened(t *testing.T, args []string, part float64) []string {
	t.Helper()
	if slices.Contains(args, "--until") {
		return args
	}
	if strings.HasPrefix(args[1], "examples/") {
		part = 0.01
	}
	in, err := read(args[1], "")
	if err != nil {
		t.Error(err)
		return args
	}
	if in.model.Static != nil {
		return []string{"check", args[1]}
	}
	if in.model.Duration > 0 {
		args = append(args, "--until", fmt.Sprintf("%g s", part*in.model.Duration))
	}
	return append(args, "--force")
}

// words splits a command line as a shell does that knows quotes.
func words(t *testing.T, line string) []string {
	t.Helper()
	var out []string
	word, within, open := "", false, rune(0)
	for _, r := range line {
		switch {
		case open != 0 && r == open:
			open = 0
		case open == 0 && (r == '\'' || r == '"'):
			open, within = r, true
		case open == 0 && (r == ' ' || r == '\t'):
			if within {
				out = append(out, word)
			}
			word, within = "", false
		default:
			word, within = word+string(r), true
		}
	}
	if open != 0 {
		t.Fatalf("%s: a quote is left open", line)
	}
	if within {
		out = append(out, word)
	}
	return out
}

// python runs a piece of Python, with the package fdem of the repository.
func python(t *testing.T, root, code string) {
	t.Helper()
	t.Setenv("PYTHONPATH", filepath.Join(root, "python"))
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	if regexp.MustCompile(`(?m)^(import|from) (vtk|pandas|meshio|numpy)`).MatchString(code) {
		withAll(t)
	}
	program := "/usr/bin/python3" // where Debian's VTK is
	if _, err := os.Stat(program); err != nil {
		if program, err = exec.LookPath("python3"); err != nil {
			t.Skip("no python3: not tried")
		}
	}
	if strings.Contains(code, "vtk") && exec.Command(program, "-c", "import vtk, numpy").Run() != nil {
		t.Skip("no VTK and numpy for Python (Debian: python3-vtk9, python3-numpy): not tried")
	}
	for _, module := range []string{"pandas", "meshio"} {
		if strings.Contains(code, "import "+module) && exec.Command(program, "-c", "import "+module).Run() != nil {
			t.Skipf("no %s for Python (Debian: python3-%s): not tried", module, module)
		}
	}
	if out, err := exec.Command(program, "-c", code).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s%s", err, code, out)
	}
}

// compiles fails if a file of the manual is neither one of package contact nor a program.
func compiles(t *testing.T, root, code string) {
	t.Helper()
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "manual.go"), filepath.Join(dir, "overlay.json")
	in := filepath.Join("materials", "contact")
	if strings.Contains(code, "package main\n") { // a program: a folder of its own
		in = "manual"
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, in, "manual.go"): file}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(file, []byte(code), 0o644), os.WriteFile(overlay, list, 0o644)); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", os.DevNull, "-overlay", overlay, "./"+filepath.ToSlash(in))
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// README's table, which is also the manual's, names every command.
func TestCommandsAreNamed(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range newRoot().Commands() {
		if c.Name() != "help" && !strings.Contains(string(data), "`fdem "+c.Name()) {
			t.Errorf("README.md does not name fdem %s: put a line into its table of commands", c.Name())
		}
	}
}
