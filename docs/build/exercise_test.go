package main

import (
	"encoding/json"
	"go/parser"
	gotoken "go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fdem/io/history"
)

// exercise is a page that adds something to the program, applied to the sources word for word.
type exercise struct {
	t         *testing.T
	root, dir string            // the sources; a folder with the page's files
	overlay   map[string]string // files in place of those of the sources
	lines     int               // that the page changes in them
}

// exerciseOf applies pages. A block of a page names its file: go is a new file of the sources, diff
// changes one at the only place that has the lines it keeps or removes, toml is a file of a model.
func exerciseOf(t *testing.T, pages ...string) *exercise {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	e := &exercise{t, root, t.TempDir(), map[string]string{}, 0}
	block := regexp.MustCompile("(?ms)^```(\\w+) file=(\\S+)\n(.*?)^```$")
	for _, page := range pages {
		blocks := block.FindAllStringSubmatch(e.read(filepath.Join("..", page)), -1)
		if len(blocks) == 0 {
			t.Fatalf("%s has no block with a file", page)
		}
		for _, m := range blocks {
			switch kind, path := m[1], filepath.Join(root, m[2]); kind {
			case "go":
				e.overlay[path] = e.write(m[2], m[3])
			case "diff":
				e.overlay[path] = e.write(m[2], e.changed(path, m[3]))
			default:
				e.write(m[2], m[3])
			}
		}
	}
	for path, text := range e.overlay {
		if _, err := parser.ParseFile(gotoken.NewFileSet(), path, e.read(text), 0); err != nil {
			t.Errorf("with what the pages give: %v", err)
		}
	}
	return e
}

// changed returns a file of the sources, as the pages before have it, with a change.
func (e *exercise) changed(path, change string) string {
	var before, after strings.Builder
	for line := range strings.Lines(change) {
		if line[0] != '+' {
			before.WriteString(line[1:])
		}
		if line[0] != '-' {
			after.WriteString(line[1:])
		}
		if line[0] == '+' {
			e.lines++
		}
	}
	was := path
	if by, is := e.overlay[path]; is {
		was = by
	}
	old := e.read(was)
	if strings.Count(old, before.String()) != 1 {
		e.t.Fatalf("%s does not have once:\n%s", path, before.String())
	}
	return strings.Replace(old, before.String(), after.String(), 1)
}

func (e *exercise) read(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		e.t.Fatal(err)
	}
	return string(text)
}

func (e *exercise) write(name, text string) string {
	path := filepath.Join(e.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		e.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		e.t.Fatal(err)
	}
	return path
}

// run runs a command in a folder and returns what it prints.
func (e *exercise) run(in, name string, args ...string) string {
	c := exec.Command(name, args...)
	c.Dir = in
	out, err := c.CombinedOutput()
	if err != nil {
		e.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// replaced returns the file that tells go what stands in place of the sources.
func (e *exercise) replaced() string {
	text, err := json.Marshal(map[string]any{"Replace": e.overlay})
	if err != nil {
		e.t.Fatal(err)
	}
	return e.write("overlay.json", string(text))
}

// program builds the program with what the pages add.
func (e *exercise) program() string {
	path := filepath.Join(e.dir, "fdem")
	e.run(e.root, "go", "build", "-overlay", e.replaced(), "-ldflags=-s -w", "-o", path, "./cmd/fdem")
	return path
}

// last returns the last value of a column of a run's history.
func (e *exercise) last(results, column string) float64 {
	h, err := history.Read(filepath.Join(e.dir, results, "history.csv"))
	if err != nil {
		e.t.Fatal(err)
	}
	c, ok := h.Column(column)
	if !ok {
		e.t.Fatalf("no column %s", column)
	}
	return c[len(c)-1]
}
