// Package whole writes files that appear under their names once they are whole:
// into a temporary file beside them, which is then renamed. Whoever reads in
// between finds the file as it was before, or none.
package whole

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write writes a file by the function. Where that or the disk fails nothing is left
// behind.
func Write(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".writing-*")
	if err != nil {
		return err
	}
	if err = errors.Join(write(f), f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // as far as a full or vanished folder lets us
	}
	return err
}

// WriteBytes writes a file of data.
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}
