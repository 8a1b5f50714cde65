package main

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"fdem/io/checkpoint"
	"fdem/mesh"
)

// The output of fdem info --json, in SI units.
type (
	meshInfo struct {
		File      string      `json:"file"`
		Nodes     int         `json:"nodes"`
		Points    int         `json:"points"`
		Lines     int         `json:"lines"`
		Triangles int         `json:"triangles"`
		Groups    []groupInfo `json:"groups"`
		Warnings  []string    `json:"warnings"`
	}
	groupInfo struct {
		Name     string `json:"name"`
		Kind     string `json:"kind"` // "points", "curve" or "surface"
		Elements int    `json:"elements"`
	}
	checkpointInfo struct {
		File     string  `json:"file"`
		Title    string  `json:"title"`
		Program  string  `json:"program"`
		Step     int64   `json:"step"`
		Time     float64 `json:"time"`
		Duration float64 `json:"duration"`
		Size     int64   `json:"size"` // [bytes]
	}
	resultsInfo struct {
		Folder      string           `json:"folder"`
		Summary     json.RawMessage  `json:"summary"`
		Checkpoints []checkpointInfo `json:"checkpoints"`
	}
)

func meshJSON(out io.Writer, path string, src *mesh.Source) error {
	m := meshInfo{path, len(src.X), len(src.Points), len(src.Lines), len(src.Triangles), []groupInfo{}, append([]string{}, src.Warnings...)}
	for _, g := range src.Groups {
		m.Groups = append(m.Groups, groupInfo{g.Name, [3]string{"points", "curve", "surface"}[g.Dim], len(g.Elements)})
	}
	return writeJSON(out, m)
}

func described(f *checkpoint.File) checkpointInfo {
	return checkpointInfo{f.Path, f.Title, f.Program, f.Step, f.Time, f.Duration, f.Size}
}

func checkpointJSON(out io.Writer, f *checkpoint.File) error { return writeJSON(out, described(f)) }

func resultsJSON(out io.Writer, dir string, summary []byte) error {
	r := resultsInfo{dir, summary, []checkpointInfo{}}
	paths, err := checkpoint.List(filepath.Join(dir, "checkpoints"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, path := range paths {
		if f, err := checkpoint.Open(path); err == nil { // a damaged one is no use to a program
			r.Checkpoints = append(r.Checkpoints, described(f))
		}
	}
	return writeJSON(out, r)
}
