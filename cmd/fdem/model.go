package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"fdem/io/curves"
	"fdem/io/deck"
	"fdem/io/lawtables"
	"fdem/io/results"
	"fdem/io/tables"
	"fdem/solver"
	models "fdem/solver/model"
	"fdem/solver/statics"
)

// input is all data that a run reads.
type input struct {
	stem     string // path of the deck or mesh without its extension
	deckPath string
	meshPath string
	deck     *deck.Deck
	model    *models.Model
	warnings []string
	text     []byte // text of the deck, if it differs from the file
}

// read resolves MODEL, a mesh or a deck, to a validated model. deckPath is
// empty for the deck beside the mesh.
func read(model, deckPath string) (*input, error) { return readWith(model, deckPath, deck.Read) }

// readChanged is read with key=value assignments in the deck.
func readChanged(model, deckPath string, set []string) (*input, error) {
	if len(set) == 0 {
		return read(model, deckPath)
	}
	var text []byte
	in, err := readWith(model, deckPath, func(path string) (*deck.Deck, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if text, err = deck.Assign(path, data, set); err != nil {
			return nil, err
		}
		return deck.Parse(path, text)
	})
	if err == nil {
		in.text = text
	}
	return in, err
}

// noModel returns an error for a path that is neither a deck nor a mesh, with a
// suggestion.
func noModel(path string) error {
	ext := filepath.Ext(path)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: a model is a Gmsh mesh (.msh) or a deck (.toml), got %q", path, ext)
	}
	for _, named := range []string{path + ".toml", path + ".msh", strings.TrimSuffix(path, ext) + strings.ToLower(ext)} {
		if named != path && exists(named) {
			return fmt.Errorf("there is no %s: did you mean %s?", path, named)
		}
	}
	return fmt.Errorf("there is no %s: a model is a Gmsh mesh (.msh), a deck (.toml) or a folder with one deck", path)
}

// noMesh returns an error if the mesh's path cannot be that of a mesh.
func (in *input) noMesh() error {
	if info, err := os.Stat(in.meshPath); err == nil && !info.Mode().IsRegular() {
		kind := "no file"
		if info.IsDir() {
			kind = "a folder"
		}
		return in.deck.ErrorAt("mesh", "the mesh %s is %s: name a Gmsh mesh, mesh = \"model.msh\"", in.meshPath, kind)
	}
	if filepath.Ext(in.meshPath) == ".geo" {
		return in.deck.ErrorAt("mesh", "%s is a geometry: make a mesh from it with gmsh -2 %s", in.meshPath, in.meshPath)
	}
	return nil
}

// readWith is read with a reader of the deck.
func readWith(model, deckPath string, readDeck func(path string) (*deck.Deck, error)) (*input, error) {
	model, err := findModel(model)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(model, shapesSuffix) {
		return nil, fmt.Errorf("%s has shapes and is not a deck: make a mesh from them with fdem mesh %s", model, model)
	}
	in := &input{stem: strings.TrimSuffix(model, filepath.Ext(model))}
	switch ext := filepath.Ext(model); ext {
	case ".msh", ".inp":
		in.meshPath, in.deckPath = model, in.stem+".toml"
		if deckPath != "" {
			in.deckPath = deckPath
		}
	case ".toml":
		if deckPath != "" {
			return nil, fmt.Errorf("%s is a deck already: leave --deck out", model)
		}
		in.deckPath = model
	default:
		return nil, noModel(model)
	}
	if err := lawtables.Read(tablesBeside(in.stem)); err != nil {
		return nil, err
	}
	if info, err := os.Stat(in.deckPath); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file: name a deck (.toml)", in.deckPath)
	}
	if in.deck, err = readDeck(in.deckPath); err != nil {
		if errors.Is(err, fs.ErrNotExist) && in.meshPath != "" && deckPath == "" {
			return nil, fmt.Errorf("%s: there is no deck %s beside it: write one, or name one with --deck", model, in.deckPath)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no deck %s", in.deckPath)
		}
		return nil, err
	}
	named := in.deck.MeshPath()
	switch {
	case named == "": // rigid bodies need no mesh
		in.meshPath = ""
	case in.meshPath == "":
		in.meshPath = named
	case in.deck.Mesh != "" && filepath.Clean(named) != filepath.Clean(in.meshPath):
		in.warnings = append(in.warnings, fmt.Sprintf("%s names the mesh %s; %s is used, as on the command line", in.deckPath, in.deck.Mesh, in.meshPath))
	}
	if err := in.noMesh(); err != nil {
		return nil, err
	}
	m, warnings, err := in.deck.Load(in.meshPath)
	if err != nil {
		return nil, in.withoutMesh(err)
	}
	in.model = m
	in.warnings = append(in.warnings, warnings...)
	return in, nil
}

// withoutMesh returns an error for a missing mesh, with the ways to make it.
func (in *input) withoutMesh(err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	stem := strings.TrimSuffix(in.meshPath, filepath.Ext(in.meshPath))
	hint := "name it in the deck, mesh = \"...\", or make it with Gmsh or fdem mesh"
	if shapes := stem + shapesSuffix; exists(shapes) {
		hint = "make it with: fdem mesh " + shapes
	} else if geo := stem + ".geo"; exists(geo) {
		hint = "make it with: gmsh -2 " + geo
	} else if mesh := stem + ".msh"; mesh != in.meshPath && exists(mesh) {
		hint = "did you mean " + mesh + "?"
	}
	return in.deck.ErrorAt("mesh", "there is no mesh %s; %s", in.meshPath, hint)
}

// outside returns an error if an input of a run is in the folder that the run
// would empty.
func (in *input) outside(dir string) error {
	for _, path := range append([]string{in.deckPath, in.meshPath}, in.deck.Files...) {
		if path == "" {
			continue
		}
		rel, err := filepath.Rel(resolved(dir), resolved(path))
		if err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("%s lies in %s, which the run would empty: name another results folder with -o", path, dir)
		}
	}
	return nil
}

// resolved returns an absolute path without symbolic links, as far as it exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// usable returns an error if a folder cannot be made because a part of its path is
// a file.
func usable(dir string) error {
	for path := filepath.Clean(dir); ; path = filepath.Dir(path) {
		info, err := os.Stat(path)
		switch {
		case err == nil && !info.IsDir() && path != filepath.Clean(dir):
			return fmt.Errorf("the folder %s cannot be made: %s is a file", dir, path)
		case err == nil || path == filepath.Dir(path):
			return nil
		case isLink(path):
			return fmt.Errorf("the folder %s cannot be made: %s is a symbolic link to a missing file", dir, path)
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
			return fmt.Errorf("the results folder cannot be made: %w", errors.Unwrap(err))
		}
	}
}

// curves compiles the curves and results of the deck for the columns of a solver's history.
func (in *input) curves(s *solver.Solver) (*curves.Set, error) {
	return in.deck.Curves(results.Columns(s), results.Constants(s))
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// locate returns an error of the solver with its position in the deck.
func (in *input) locate(err error) error {
	var placed *tables.Error
	if err = in.deck.Locate(err); errors.As(err, &placed) {
		return err
	}
	return fmt.Errorf("%s: %w", in.deckPath, err)
}

// held returns an error if loads of a static analysis move what nothing holds.
func (in *input) held(s *solver.Solver) error {
	if s.Static == nil {
		return nil
	}
	other, err := solver.New(in.model)
	if err == nil {
		err = statics.Held(other)
	}
	if err != nil {
		return in.locate(err)
	}
	return nil
}

// warned returns all warnings, with those that need the step.
func (in *input) warned(s *solver.Solver) []string {
	if s.Static != nil {
		return in.warnings
	}
	return slices.Concat(in.warnings, in.deck.Unresolved(s.Limit), impulsesCannotTell(s))
}
