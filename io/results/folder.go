// Package results writes the results folder during a run: history.csv, VTK
// frames of fields, contact nodes and particles, and summary.json. Package
// io/view displays them.
package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fdem/io/guard"
	"fdem/io/lock"
)

// ExistsError reports that a results folder exists already, or that another
// file has its path.
type ExistsError struct {
	Dir     string
	Results bool // it holds results
}

func (e *ExistsError) Error() string {
	if e.Results {
		return fmt.Sprintf("results folder %s exists: name another with -o or overwrite it with --force", e.Dir)
	}
	return fmt.Sprintf("%s exists and is not a results folder: name another with -o", e.Dir)
}

// Check returns an error unless a run may write to dir: if dir does not exist,
// is empty, or has results that force allows to overwrite.
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
	if ours := isResults(dir); !ours || !force {
		return &ExistsError{dir, ours}
	}
	return CheckFolder(dir)
}

// isResults tells whether a folder has the results of a run: its log, or the files that
// exist before a log.
func isResults(dir string) bool {
	has := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	if is, err := guard.Is(filepath.Join(dir, logName), guard.Log); err == nil {
		return is
	}
	return has(lock.Name) && (has("checkpoints") || has(fieldFrames.name)) && !has(logName) // killed right after Prepare
}

// logName is the file to which cmd/fdem writes the messages of a run.
const logName = "log.txt"

// CheckFolder returns an error if a file or folder of results is a symbolic link, or of a
// type that no run writes. Writing there would change files elsewhere.
func CheckFolder(dir string) error {
	names := []string{lock.Name, "checkpoints/", "history.csv", logName}
	for _, k := range kinds {
		names = append(append(names, k.name+"/"), k.lists()...)
	}
	if err := guard.Folder(dir, append(names, files...)); err != nil {
		return err
	}
	for _, k := range kinds { // they are read whole
		if _, err := guard.Path(dir, k.name+".pvd", guard.Text); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// files are the other files of a results folder.
var files = []string{"summary.json", insertionsName, eventsName, clustersName, fragmentsName, strengthsName, probesName, sectionsName, "request", "paused", "deck.toml", "report.html"}

// Prepare empties dir for Open, after Check allowed it. The checkpoints are removed
// first: a program killed in between leaves no checkpoint without its results.
func Prepare(dir string) error {
	names := []string{"checkpoints", "summary.json", "history.csv"}
	for _, k := range kinds {
		names = append(append(names, k.lists()...), k.name)
	}
	for _, name := range append(append(names, files...), "plots", logName) {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return os.MkdirAll(filepath.Join(dir, "checkpoints"), 0o755)
}
