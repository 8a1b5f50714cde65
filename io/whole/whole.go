// Package whole writes files that get their names only when they are complete:
// it writes a temporary file beside the final one and renames it. Until then a
// reader finds the former file, or none.
package whole

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write writes a file by a function. If that or the disk fails, no file remains.
func Write(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".writing-*")
	if err != nil {
		return err
	}
	if err = errors.Join(write(f), f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // if the folder still exists
	}
	return err
}

// WriteBytes writes a file of data.
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}
