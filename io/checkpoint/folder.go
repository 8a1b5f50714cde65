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

// Keep is the number of checkpoints in a folder. Older ones are removed.
const Keep = 3

const (
	extension  = ".ckpt"
	unfinished = ".writing-" // beginning of the name of a file that is not complete
)

// Name returns the name of the checkpoint of a step.
func Name(step int64) string { return fmt.Sprintf("%09d%s", step, extension) }

// stepOf returns the step in a name, false if it is not the name of a checkpoint.
func stepOf(path string) (int64, bool) {
	digits, ok := strings.CutSuffix(filepath.Base(path), extension)
	if !ok {
		return 0, false
	}
	step, err := strconv.ParseInt(digits, 10, 64)
	return step, err == nil && step >= 0
}

// List returns the paths of a folder's checkpoints, the newest first, without
// folders, pipes and symbolic links.
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

// Newest opens the newest undamaged checkpoint of a folder. skipped has the
// errors of newer ones. It fails if there is none, and if the newest undamaged
// one has another format.
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
		return nil, skipped, fmt.Errorf("%s: all checkpoints are damaged: %w", dir, errors.Join(skipped...))
	}
	return nil, nil, fmt.Errorf("%s: there is no checkpoint", dir)
}

// Clear prepares a folder for a run that is resumed from step. Newer checkpoints
// are renamed, so that they are not mistaken for those of this run, and
// unfinished files are removed.
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

// Sweep removes unfinished files of a killed program.
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
