package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fdem/io/deck"
	"fdem/io/plan"

	"github.com/spf13/cobra"
)

//go:embed templates
var templates embed.FS

// templateNames returns the names of the templates.
func templateNames() []string {
	entries, err := templates.ReadDir("templates")
	if err != nil {
		panic(err) // the templates are compiled in
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func newNewCommand() *cobra.Command {
	var template string
	var runs bool
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a model: a commented deck, its mesh and a README in a new folder",
		Long: `Make the folder NAME with a model that is ready to run: a commented deck, the
shapes of its mesh, the mesh, and a README that says what to try. With --run it
is run at once, and its page written as a file for the browser.
Templates: ` + strings.Join(templateNames(), ", ") + ".",
		Example: `  fdem new first
  fdem run first
  fdem view first --open

  fdem new slope --template rockfall --run`,
		Args:              exactly("NAME"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, args []string) error {
			if err := begin(c, args[0], template, !runs); err != nil || !runs {
				return err
			}
			return runNew(c, args[0])
		},
	}
	c.Flags().StringVar(&template, "template", "collision", "template: "+strings.Join(templateNames(), ", "))
	c.Flags().BoolVar(&runs, "run", false, "run the model, and write the page of its results as report.html")
	_ = c.RegisterFlagCompletionFunc("template", cobra.FixedCompletions(templateNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// copyTemplate makes the folder dir and writes the files of a template into it,
// with the model's name in them.
func copyTemplate(sources fs.FS, dir, name string) error {
	files := map[string]string{"deck.toml": name + ".toml", "shapes.toml": name + shapesSuffix, "README.md": "README.md"}
	studies, err := fs.Glob(sources, "*"+deck.StudySuffix)
	if err != nil {
		return err
	}
	for _, study := range studies {
		files[study] = study
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &exitError{exitFailed, err}
	}
	if err := writeSchemas(filepath.Join(dir, schemaFolder)); err != nil {
		return &exitError{exitFailed, err}
	}
	for from, to := range files {
		text, err := fs.ReadFile(sources, from)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a model without a mesh has no shapes
		}
		if err != nil {
			return &exitError{exitFailed, err}
		}
		text = append([]byte(schemaLine(to)), text...)
		if err := os.WriteFile(filepath.Join(dir, to), []byte(strings.ReplaceAll(string(text), "@NAME@", name)), 0o644); err != nil {
			return &exitError{exitFailed, err}
		}
	}
	return nil
}

// schemaFolder is the folder of a new model with the JSON Schemas of its files.
const schemaFolder = ".schema"

// writeSchemas writes the JSON Schemas into a new folder.
func writeSchemas(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, kind := range schemaKinds {
		text, err := schemaText(kind)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, kind+".json"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// schemaLine returns the line by which editors find the schema of a file of a new model, ""
// for a file without one.
func schemaLine(file string) string {
	kind := "deck"
	switch {
	case !strings.HasSuffix(file, ".toml"):
		return ""
	case strings.HasSuffix(file, shapesSuffix):
		kind = "shapes"
	case strings.HasSuffix(file, deck.StudySuffix):
		kind = "study"
	}
	return "#:schema " + schemaFolder + "/" + kind + ".json\n"
}

// runNew runs a new model, and writes the report of its results.
func runNew(c *cobra.Command, dir string) error {
	if err := run(c, dir, runOptions{jobOptions: jobOptions{hung: longHung}}); err != nil {
		return err
	}
	return writeReport(c, []string{dir}, "", reportMegabytes, false)
}

// begin writes the template's files into the folder dir, with its name, and says what is next if
// tell.
func begin(c *cobra.Command, dir, template string, tell bool) error {
	name := filepath.Base(filepath.Clean(dir))
	if strings.TrimSpace(dir) == "" || name == "." || name == ".." || name == string(filepath.Separator) {
		return fmt.Errorf("NAME must name a new folder, got %q", dir)
	}
	if strings.ContainsAny(name, "\"\\\n") || strings.HasPrefix(name, "-") {
		return fmt.Errorf("NAME must not begin with - or have quotes or backslashes, since the deck has it in the name of its mesh, got %q", name)
	}
	sources, err := fs.Sub(templates, "templates/"+template)
	if err == nil {
		_, err = fs.Stat(sources, ".")
	}
	if err != nil {
		return fmt.Errorf("there is no template %q: there are %s", template, strings.Join(templateNames(), ", "))
	}
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s exists already: choose another name", dir)
	}
	if err := copyTemplate(sources, dir, name); err != nil {
		return err
	}
	model := filepath.Join(dir, name+".toml")
	if shapes := filepath.Join(dir, name+shapesSuffix); exists(shapes) {
		src, err := plan.ReadShapes(shapes)
		if err != nil {
			return err
		}
		model = filepath.Join(dir, name+".msh")
		if err := writeMesh(model, src, false); err != nil {
			return err
		}
	}
	if !tell {
		fmt.Fprintf(c.OutOrStdout(), "%s is ready: its README.md describes it.\n", dir)
		return nil
	}
	quote := func(s string) string {
		if strings.ContainsAny(s, " '$&;()*?[]<>|#") {
			return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		}
		return s
	}
	fmt.Fprintf(c.OutOrStdout(), "%s is ready: its README.md describes it. Next:\n\n  %[2]s run %[3]s\n  %[2]s view %[4]s --open\n",
		dir, called(os.Args[0], quote), quote(model), quote(filepath.Join(dir, name+".out")))
	return nil
}

// called returns how the program was called, so that what is printed can be copied: by its
// path, by go run, or by its name.
func called(as string, quote func(string) string) string {
	switch base := strings.TrimSuffix(filepath.Base(as), ".exe"); {
	case base != "fdem":
		return "fdem" // of a test
	case strings.Contains(as, "go-build") && strings.Contains(filepath.ToSlash(as), "/exe/"):
		return "go run ./cmd/fdem"
	}
	return quote(as)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
