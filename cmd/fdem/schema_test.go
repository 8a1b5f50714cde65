package main

import (
	"bytes"
	"encoding/json"
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

	"fdem/io/deck"

	"github.com/pelletier/go-toml/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemaOf returns a validator of the JSON Schema of a kind of files, as the command
// prints it.
func schemaOf(t *testing.T, kind string) *jsonschema.Schema {
	t.Helper()
	status, stdout, stderr := command("deck", "--schema="+kind)
	if status != 0 {
		t.Fatal(stderr)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(kind+".json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(kind + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// against returns what a schema says of a text, nil if it is right.
func against(t *testing.T, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	var values map[string]any
	if err := toml.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	plain, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
	if err != nil {
		t.Fatal(err)
	}
	return schema.Validate(doc)
}

// kindOf returns the kind of a file of keys and values.
func kindOf(path string, text []byte) string {
	switch {
	case strings.HasSuffix(path, strings.TrimPrefix(shapesSuffix, ".")), bytes.HasPrefix(text, []byte("# shapes")):
		return "shapes"
	case strings.HasSuffix(path, deck.StudySuffix):
		return "study"
	}
	return "deck"
}

// written collects the decks, shapes and studies of the repository and those of the manual, by
// a name for each.
func written(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, root := range []string{"../../examples", "../../testdata", "templates"} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(path) != ".toml" {
				return err
			}
			text, err := os.ReadFile(path)
			files[strings.TrimPrefix(filepath.ToSlash(path), "../../")] = text
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, page := range manualPages(t) {
		blocks := samplesOf(t, page)
		for i, b := range blocks {
			name := fmt.Sprintf("%s.%d.toml", filepath.Base(filepath.Dir(page))+"-"+filepath.Base(page), i)
			if file, ok := strings.CutPrefix(b.language, "file "); ok && filepath.Ext(file) == ".toml" {
				name = fmt.Sprintf("%s.%d.%s", filepath.Base(page), i, file)
			} else if b.language != "toml" {
				continue
			}
			text := b.code
			if kindOf(name, []byte(text)) == "deck" && !regexp.MustCompile(`(?m)^\[analysis\]`).MatchString(text) {
				text = b.prelude + "\n" + text
			}
			files[name] = []byte(text)
		}
	}
	return files
}

// Every deck, shapes file and study of the examples, the templates, the trials and the manual
// that the program reads is right by the schema, and those that it refuses for an unknown key
// are wrong by it.
func TestSchemaOfWhatIsWritten(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for _, kind := range schemaKinds {
		schemas[kind] = schemaOf(t, kind)
	}
	counted := map[string]int{}
	for name, text := range written(t) {
		kind := kindOf(name, text)
		if kind == "deck" {
			if _, err := deck.Parse(name, text); err != nil && !strings.Contains(err.Error(), "no such file") {
				t.Logf("%s: the reader refuses it: %v", name, err)
				continue
			}
		}
		counted[kind]++
		if err := against(t, schemas[kind], text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Log(counted)
	if counted["deck"] < 150 || counted["shapes"] < 50 || counted["study"] < 5 {
		t.Errorf("only %v were found", counted)
	}
}

// What fdem new writes names its schema, and the schema is there.
func TestNewNamesItsSchema(t *testing.T) {
	t.Chdir(t.TempDir())
	if status, _, stderr := command("new", "first"); status != 0 {
		t.Fatal(stderr)
	}
	for file, kind := range map[string]string{"first.toml": "deck", "first.shapes.toml": "shapes"} {
		text, err := os.ReadFile(filepath.Join("first", file))
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		path, ok := strings.CutPrefix(line, "#:schema ")
		if _, err := os.Stat(filepath.Join("first", path)); !ok || err != nil {
			t.Errorf("%s begins with %q: %v", file, line, err)
		}
		if err := against(t, schemaOf(t, kind), text); err != nil {
			t.Error(err)
		}
	}
	for _, args := range [][]string{{"deck", "--schema=mesh"}, {"deck", "contact", "--schema"}} {
		if status, _, stderr := command(args...); status != exitUsage {
			t.Errorf("%v: status %d: %s", args, status, stderr)
		}
	}
}

// Taplo, which stands behind editors, finds the schema by the line and says the same: of one in eight
// files of each kind, since TestSchemaOfWhatIsWritten looks at all, or with -whole of all.
func TestTaplo(t *testing.T) {
	taplo, err := exec.LookPath("taplo")
	if err != nil {
		t.Skip("there is no taplo: npm install -g @taplo/cli")
	}
	withAll(t)
	texts := written(t)
	t.Chdir(t.TempDir())
	if status, _, stderr := command("new", "model"); status != 0 {
		t.Fatal(stderr)
	}
	var names []string
	n, of := 0, map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		kind := kindOf(name, text)
		if of[kind]++; of[kind]%8 != 1 && !*toTheEnd {
			continue
		}
		if kind == "deck" {
			if _, err := deck.Parse(name, text); err != nil && !strings.Contains(err.Error(), "no such file") {
				continue
			}
		}
		n++
		file := filepath.Join("model", fmt.Sprintf("%d.toml", n))
		line := "#:schema " + schemaFolder + "/" + kind + ".json\n"
		if err := os.WriteFile(file, append([]byte(line), text...), 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, file)
	}
	if out, err := exec.Command(taplo, append([]string{"check"}, names...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	wrong := "#:schema " + schemaFolder + "/deck.json\n[analysis]\nduration = \"1 mn\"\ngravitiy = [0, -9.81]\n"
	if err := os.WriteFile("model/wrong.toml", []byte(wrong), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(taplo, "check", "model/wrong.toml").CombinedOutput(); err == nil || !strings.Contains(string(out), "gravitiy") {
		t.Errorf("taplo finds no mistake: %v\n%s", err, out)
	}
}
