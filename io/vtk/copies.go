package vtk

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fdem/io/hdf5"
	"fdem/io/whole"

	"gonum.org/v1/gonum/spatial/r2"
)

// renamed returns a path with another extension.
func renamed(path, ext string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ext }

// CopyOf returns the path of a file's copy by a Writer with an extension for copies, "" if
// there is no extension or the file itself has it.
func CopyOf(path, ext string) string {
	if ext == "" || filepath.Ext(path) == ext {
		return ""
	}
	return renamed(path, ext)
}

// Files returns the number of files of a frame with an extension.
func (w *Writer) Files(ext string) int {
	if CopyOf(ext, w.Copy) == "" {
		return 1
	}
	return 2
}

// copy writes a file's copy, if the Writer makes copies. A .vtu file without cells is
// left out, since meshio, for which it is intended, fails for such a file.
func (w *Writer) copy(path string, g *Grid) error {
	to := CopyOf(path, w.Copy)
	switch {
	case to == "":
		return nil
	case w.Copy == ".vtkhdf":
		return w.writeHDF(to, g)
	case g.cells() == 0:
		return nil
	}
	if err := w.grid(*g); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return w.close(to, "UnstructuredGrid")
}

// copySize returns the size of the copy of a file with an extension [bytes]. For a .vtu
// file it is approximately the measured size of the file itself.
func (w *Writer) copySize(g *Grid, ext string) int {
	switch {
	case CopyOf(ext, w.Copy) == "":
		return 0
	case w.Copy == ".vtkhdf":
		n, _ := hdf5.Size(w.hdf(g)) // writing reports errors
		return int(n)
	}
	return w.size + w.xml.Len()
}

// writeHDF writes a .vtkhdf file of an unstructured grid: VTK's layout, version 1.0, in one
// partition, which all its readers know.
func (w *Writer) writeHDF(path string, g *Grid) error {
	for _, part := range []struct {
		of []Array
		n  int
	}{{g.PointData, len(g.Points)}, {g.CellData, g.cells()}} {
		for i := range part.of {
			if err := part.of[i].check(part.n); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return whole.Write(path, func(f io.Writer) error {
		if err := hdf5.Write(f, w.hdf(g)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
}

// hdf returns the groups of a .vtkhdf file.
func (w *Writer) hdf(g *Grid) *hdf5.Group {
	nodes, ends, types := g.sources()
	at := Vectors("Points", func(k int) r2.Vec { return g.Points[k] })
	kind, points := "Float64", w.fill(&at, len(g.Points))
	if !g.changing {
		kind, points = w.floats(points)
	}
	one := func(name string, n int) hdf5.Dataset {
		return hdfDataset(name, "Int64", 1, each([]int64{int64(n)}, 1))
	}
	offsets := hdfDataset("Offsets", "Int64", 1, ends)
	write := offsets.Write
	offsets.Shape[0]++ // where the first cell begins, too
	offsets.Write = func(to io.Writer) error {
		if _, err := to.Write(make([]byte, 8)); err != nil {
			return err
		}
		return write(to)
	}
	arrays := func(name string, of []Array, n int) hdf5.Group {
		to := hdf5.Group{Name: name}
		for i := range of {
			kind, _, values := w.values(&of[i], n)
			to.Datasets = append(to.Datasets, hdfDataset(of[i].Name, kind, of[i].Components, values))
		}
		return to
	}
	return &hdf5.Group{Groups: []hdf5.Group{{
		Name:       "VTKHDF",
		Attributes: []hdf5.Attribute{{Name: "Version", Numbers: []int64{1, 0}}, {Name: "Type", Text: "UnstructuredGrid"}},
		Datasets: []hdf5.Dataset{
			one("NumberOfPoints", len(g.Points)), one("NumberOfCells", g.cells()), one("NumberOfConnectivityIds", nodes.n),
			hdfDataset("Points", kind, 3, points), hdfDataset("Connectivity", "Int64", 1, nodes), offsets, hdfDataset("Types", "UInt8", 1, types),
		},
		Groups: []hdf5.Group{
			arrays("PointData", g.PointData, len(g.Points)), arrays("CellData", g.CellData, g.cells()),
			{Name: "FieldData", Datasets: []hdf5.Dataset{hdfDataset("TimeValue", "Float64", 1, each([]float64{g.Time}, 1))}},
		},
	}}}
}

// hdfDataset returns the dataset of a source of numbers of a type, so many components each.
func hdfDataset(name, kind string, components int, values source) hdf5.Dataset {
	types := map[string]hdf5.Type{"Float64": hdf5.Float64, "Float32": hdf5.Float32, "Int64": hdf5.Int64, "Int32": hdf5.Int32, "UInt8": hdf5.Uint8}
	d := hdf5.Dataset{Name: name, Type: types[kind], Shape: []int{values.n}, Write: func(to io.Writer) error {
		per := max(1, blockSize/values.width)
		for i := 0; i < values.n; i += per {
			if _, err := to.Write(values.bytes(i, min(i+per, values.n))); err != nil {
				return err
			}
		}
		return nil
	}}
	if components > 1 {
		d.Shape = append(d.Shape, components)
	}
	return d
}

// SeriesOf returns the paths of the files that list the copies of the frames in a .pvd
// file, with their times. The file for VTKHDF has a second name, since ParaView up to 5.11
// opens only .hdf.
func SeriesOf(path, ext string) []string {
	if ext == ".vtkhdf" {
		return []string{renamed(path, ext+".series"), renamed(path, ".hdf.series")}
	}
	return []string{renamed(path, ext+".series")}
}

// writeCopies writes that file, in ParaView's form (file-series-version 1.0).
func (s *Series) writeCopies() error {
	if s.Copy == "" {
		return nil
	}
	type file struct {
		Name string  `json:"name"`
		Time float64 `json:"time"`
	}
	list := struct {
		Version string `json:"file-series-version"`
		Files   []file `json:"files"`
	}{"1.0", make([]file, 0, len(s.frames))}
	for _, v := range s.frames {
		of := renamed(v.File, s.Copy)
		if s.Copy == ".vtu" { // some copies do not exist
			if _, err := os.Stat(filepath.Join(filepath.Dir(s.Path), filepath.FromSlash(of))); err != nil {
				continue
			}
		}
		list.Files = append(list.Files, file{of, v.Time})
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetIndent("", " ")
	err := e.Encode(list)
	for _, path := range SeriesOf(s.Path, s.Copy) {
		err = errors.Join(err, whole.WriteBytes(path, text.Bytes()))
	}
	return err
}
