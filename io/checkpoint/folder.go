package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fdem/io/guard"
)

// Keep is how many checkpoints a folder holds; older ones are removed.
const Keep = 3

const (
	extension  = ".ckpt"
	unfinished = ".writing-" // begins the name of a file that is not whole yet
)

// Name returns the name of the checkpoint of a step.
func Name(step int64) string { return fmt.Sprintf("%09d%s", step, extension) }

// stepOf returns the step that a name holds; false for the name of something else.
func stepOf(path string) (int64, bool) {
	digits, ok := strings.CutSuffix(filepath.Base(path), extension)
	if !ok {
		return 0, false
	}
	step, err := strconv.ParseInt(digits, 10, 64)
	return step, err == nil && step >= 0
}

// List returns the paths of a folder's checkpoints, the newest first. What is no
// file, such as a folder, a pipe or a symbolic link, is none.
func List(dir string) ([]string, error) {
	if err := guard.Folder(filepath.Dir(dir), []string{filepath.Base(dir) + "/"}); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if _, ok := stepOf(path); !ok {
			continue
		}
		if e.Type().IsRegular() {
			out = append(out, path)
		}
	}
	slices.SortFunc(out, func(a, b string) int {
		i, _ := stepOf(a)
		j, _ := stepOf(b)
		return cmp.Compare(j, i)
	})
	return out, nil
}

// Newest opens the newest checkpoint of a folder that is whole; skipped says
// what was wrong with newer ones. It fails where there is none, and where the
// newest whole one is of another format.
func Newest(dir string) (f *File, skipped []error, err error) {
	paths, err := List(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, path := range paths {
		f, err := Open(path)
		var damaged *DamagedError
		switch {
		case err == nil:
			return f, skipped, nil
		case !errors.As(err, &damaged):
			return nil, skipped, err
		}
		skipped = append(skipped, err)
	}
	if len(skipped) > 0 {
		return nil, skipped, fmt.Errorf("%s: no checkpoint is whole: %w", dir, errors.Join(skipped...))
	}
	return nil, nil, fmt.Errorf("%s: there is no checkpoint", dir)
}

// Clear prepares a folder for a run that goes on from step: newer checkpoints are
// renamed, so that nobody takes them for those of this run, and unfinished files
// are removed.
func Clear(dir string, step int64) error {
	paths, err := List(dir)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if k, _ := stepOf(path); k > step {
			if err := os.Rename(path, path+".dropped"); err != nil {
				return err
			}
		}
	}
	return Sweep(dir)
}

// Sweep removes what a killed program had not finished writing.
func Sweep(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, unfinished+"*"))
	if err != nil {
		return err
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
