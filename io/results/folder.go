// Package results writes the results folder of a run as the run goes on:
// history.csv, VTK frames of fields, contact nodes and particles, summary.json.
// What shows them is io/view.
package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fdem/io/lock"
)

// ExistsError reports a results folder that is there already, or something
// else in its place.
type ExistsError struct {
	Dir  string
	Ours bool // it holds results
}

func (e *ExistsError) Error() string {
	if e.Ours {
		return fmt.Sprintf("results folder %s exists: name another with -o or overwrite it with --force", e.Dir)
	}
	return fmt.Sprintf("%s exists and is no results folder: name another with -o", e.Dir)
}

// Check tells whether a run may write to dir: it does not exist, is empty, or
// holds results that force allows to overwrite.
func Check(dir string, force bool) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		if info, statErr := os.Stat(dir); statErr == nil && !info.IsDir() {
			return &ExistsError{dir, false}
		}
		return err
	case len(entries) == 0 || len(entries) == 1 && entries[0].Name() == lock.Name:
		return nil
	}
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	ours := has("summary.json") || has("log.txt") || has("history.csv") ||
		has(lock.Name) && has(fieldFrames.name) // killed right after Prepare
	if !ours || !force {
		return &ExistsError{dir, ours}
	}
	return nil
}

// Prepare empties dir for Open, after Check allowed it. The checkpoints are removed
// first: a program killed in between leaves no checkpoint without its results.
func Prepare(dir string) error {
	names := []string{"checkpoints", "summary.json", "history.csv"}
	for _, k := range kinds {
		names = append(names, k.name+".pvd", k.name)
	}
	for _, name := range append(names, eventsName, "deck.toml", "report.html", "plots", "log.txt") {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return os.MkdirAll(filepath.Join(dir, "checkpoints"), 0o755)
}
