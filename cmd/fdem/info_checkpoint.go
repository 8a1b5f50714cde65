package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"fdem/io/checkpoint"
)

// infoCheckpoint prints the contents of a checkpoint. A damaged one is an
// error.
func infoCheckpoint(out io.Writer, path string, asJSON bool) error {
	f, err := checkpoint.Open(path)
	if err != nil {
		return err
	}
	if asJSON {
		return checkpointJSON(out, f)
	}
	packed := ""
	if f.Compressed {
		packed = ", compressed"
	}
	fmt.Fprintf(out, "%s: checkpoint of format %d, %d bytes%s, checksum good\n", path, checkpoint.Version, f.Size, packed)
	fmt.Fprintf(out, "%s, by fdem %s\n", orStem(f.Title, "no title"), f.Program)
	fmt.Fprintf(out, "step %d, t = %.9g s of %.9g s; %d bytes of history.csv, %d frames\n", f.Step, f.Time, f.Duration, f.Results.History, f.Results.Frames)
	fmt.Fprintf(out, "deck %.12s, mesh %.12s\n", f.Deck, orStem(f.Mesh, "none"))
	for _, l := range f.Laws {
		fmt.Fprintf(out, "%q: law %.12s\n", l.Contact, l.Answers)
	}
	for _, b := range f.Blocks {
		fmt.Fprintf(out, "%-34s %9d x %d %s\n", b.Name, b.Count, b.Width, b.Kind)
	}
	return nil
}

// infoCheckpoints lists the checkpoints of a results folder.
func infoCheckpoints(out io.Writer, dir string) error {
	paths, err := checkpoint.List(filepath.Join(dir, "checkpoints"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, path := range paths {
		if f, err := checkpoint.Open(path); err != nil {
			fmt.Fprintf(out, "checkpoint %v\n", err)
		} else {
			fmt.Fprintf(out, "checkpoint %s: step %d, t = %.6g s, %d bytes\n", path, f.Step, f.Time, f.Size)
		}
	}
	return nil
}
