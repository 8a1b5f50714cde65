package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fdem/io/deck"

	"github.com/spf13/cobra"
)

// findModel returns the deck of a folder with one model, and any other path
// unchanged.
func findModel(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, nil
	}
	if exists(filepath.Join(path, "history.csv")) {
		return "", fmt.Errorf("%s is a results folder: show it with fdem view, or give the path of its model", path)
	}
	decks, err := filepath.Glob(filepath.Join(globbed(path), "*.toml"))
	if err != nil {
		return "", err
	}
	var found []string
	for _, d := range decks {
		if !strings.HasSuffix(d, shapesSuffix) && !strings.HasSuffix(d, deck.StudySuffix) {
			found = append(found, d)
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("there is no deck (.toml) in %s", path)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("there are %d decks in %s: name one, for instance %s", len(found), path, found[0])
}

// globbed escapes the special characters of a pattern in a path.
func globbed(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// findResults returns the results folder for a path, which may be the folder
// itself, a model's folder, its deck or its mesh.
func findResults(path string) (string, error) {
	for _, file := range []string{"log.txt", "history.csv", "fields.pvd", "summary.json"} {
		if exists(filepath.Join(path, file)) {
			return path, nil
		}
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if base := strings.TrimSuffix(path, ".out"); base != path && (exists(base+".msh") || exists(base+".toml")) {
			return "", fmt.Errorf("there is no %s yet: make it with fdem run %s", path, runnable(base))
		}
		return path, nil // the reader has a message of its own
	}
	if err != nil {
		return path, nil
	}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	if info.IsDir() {
		deck, err := findModel(path)
		if err != nil {
			return path, nil
		}
		stem = strings.TrimSuffix(deck, ".toml")
	} else if !isMesh(path) && filepath.Ext(path) != ".toml" {
		return path, nil
	}
	if dir := stem + ".out"; exists(dir) {
		return dir, nil
	}
	return "", fmt.Errorf("there are no results of %s yet: make them with fdem run %s", path, runnable(stem))
}

// findAll returns the results folders for some paths.
func findAll(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		dir, err := findResults(path)
		if err != nil {
			return nil, err
		}
		out = append(out, dir)
	}
	return out, nil
}

// isMesh tells whether a path is that of a mesh, by its extension.
func isMesh(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".msh" || ext == ".inp"
}

// runnable returns the mesh of a stem, or its deck if there is no mesh.
func runnable(stem string) string {
	if exists(stem + ".msh") {
		return stem + ".msh"
	}
	return stem + ".toml"
}

// completeFiles completes one argument by files with an extension, and
// folders.
func completeFiles(extensions ...string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// completeFolder completes one argument by folders.
func completeFolder(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}
