package results

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"fdem/io/background"
	"fdem/io/curves"
	"fdem/io/history"
	"fdem/io/vtk"
	"fdem/solver"
	"fdem/solver/quantity"
	"fdem/solver/system"
)

// Writer writes the results folder during a run.
type Writer struct {
	dir     string
	version string
	solver  *solver.Solver
	began   time.Time
	from    int64 // the step it began with
	start   system.Energies
	motions []system.BodyMotion // at the start

	history  *history.Writer
	row      []float64
	curves   *curves.Set // columns and numbers computed from the history; nil for none
	vtk      vtk.Writer
	series   []*series
	writer   background.Writer
	jobs     []func() error // of the frame being collected, in order
	only     []string       // names of the fields that are written; nil for all
	written  []string       // files of frames that are not yet on the disk for a checkpoint
	copies   []string       // copies of frames; those without cells do not exist
	nodes    []int32        // in the file's order
	cells    []int32
	lines    []int32  // elements between two nodes, in the file's order
	ofLine   []int32  // body of each
	grid     vtk.Grid // what does not change from frame to frame
	now      instant
	fixed    []vtk.Array // what does not change of the points of a kind that has such
	onEdges  contactNodes
	openings int      // vertices opened when the grid was made
	Gaps     []string // messages about frames before a checkpoint that are missing, of Reopen
}

// Open prepares the results of s in dir, which must be ready (Prepare), with the curves
// of its deck, nil for none.
func Open(dir, version string, s *solver.Solver, curves *curves.Set) (*Writer, error) {
	r := prepare(dir, version, s, curves)
	for _, of := range r.series {
		if err := os.MkdirAll(of.folder, 0o755); err != nil {
			return nil, err
		}
	}
	var err error
	if r.history, err = history.Create(filepath.Join(dir, "history.csv"), r.header()); err != nil {
		return nil, err
	}
	return r, writeStrengths(dir, s)
}

// Form is the form of frames.
type Form struct {
	Fields []string // names of the fields in addition to displacements, nil for all
	Single bool     // in single precision
	Plain  bool     // not compressed
	Copy   string   // extension of the copy of each frame, ".vtu" or ".vtkhdf"; "" for none
	Piece  int      // triangles in a piece of large fields; 0 for the default of vtk
}

// Shape sets the form of frames, by default the zero Form.
func (r *Writer) Shape(f Form) {
	r.only, r.vtk.Single, r.vtk.Uncompressed, r.vtk.Copy = f.Fields, f.Single, f.Plain, f.Copy
	r.vtk.Piece = f.Piece
	r.name()
	for _, of := range r.series {
		if vtk.CopyOf(of.ext, f.Copy) != "" {
			of.Copy = f.Copy
		}
	}
}

func prepare(dir, version string, s *solver.Solver, curves *curves.Set) *Writer {
	r := &Writer{dir: dir, version: version, solver: s, began: time.Now(), from: s.N, series: begun(dir, s), curves: curves}
	r.arrange()
	r.name()
	return r
}

// name chooses the extension of the fields; large fields are in pieces.
func (r *Writer) name() {
	for _, of := range r.series {
		if of.kind == &fieldFrames {
			of.ext = r.vtk.Ext(r.grid)
		}
	}
}

// header returns the names of the history's columns.
func (r *Writer) header() []string {
	if r.curves == nil {
		return Columns(r.solver)
	}
	return r.curves.Header()
}

// arrange puts nodes and triangles back into the order of the mesh file.
func (r *Writer) arrange() {
	m := r.solver.Mesh
	r.nodes, r.cells = byID(m.NodeID), byID(m.TriID)
	for len(r.nodes) > 0 && m.NodeID[r.nodes[0]] == 0 { // room for the nodes that cracks add
		r.nodes = r.nodes[1:]
	}
	position := make([]int32, len(m.X))
	ids := make([]int64, len(r.nodes))
	r.grid.Points, r.grid.Triangles = slices.Grow(r.grid.Points, len(r.nodes)), slices.Grow(r.grid.Triangles, len(r.cells))
	for k, n := range r.nodes {
		position[n] = int32(k)
		ids[k] = int64(m.NodeID[n])
		r.grid.Points = append(r.grid.Points, m.X[n])
	}
	r.grid.PointData = []vtk.Array{{Name: "node_id", Components: 1, Int64: ids, Constant: true}}
	body := make([]int32, len(m.Triangles))
	material := make([]int32, len(m.Triangles))
	for i, b := range m.Bodies {
		for t := b.First; t < b.End; t++ {
			body[t], material[t] = int32(i), r.solver.Bodies[i].Material
		}
	}
	bodyOf, materialOf, element := make([]int32, len(r.cells)), make([]int32, len(r.cells)), make([]int64, len(r.cells))
	for k, c := range r.cells {
		t := m.Triangles[c]
		r.grid.Triangles = append(r.grid.Triangles, [3]int32{position[t[0]], position[t[1]], position[t[2]]})
		bodyOf[k], materialOf[k], element[k] = body[c], material[c], int64(m.TriID[c])
	}
	add := func(body int32, id int64) { // data of a cell
		material := int32(-1)
		if k := int(body) - len(r.solver.Bodies); k >= 0 {
			material = r.solver.Rigids[k].Material
		} else {
			material = r.solver.Bodies[body].Material
		}
		bodyOf, materialOf, element = append(bodyOf, body), append(materialOf, material), append(element, id)
	}
	r.arrangeLines(position, add)
	for i := range r.solver.Rigids { // rigid outlines
		rigid := m.Bodies[len(r.solver.Bodies)+i]
		for _, e := range m.Edges[rigid.FirstEdge:rigid.EndEdge] {
			r.grid.Lines = append(r.grid.Lines, [2]int32{position[e.A], position[e.B]})
			add(e.Body, 0)
		}
	}
	r.grid.CellData = []vtk.Array{
		{Name: "body_id", Components: 1, Int32: bodyOf, Constant: true},
		{Name: "material_id", Components: 1, Int32: materialOf, Constant: true},
		{Name: "element_id", Components: 1, Int64: element, Constant: true},
	}
}

// byID returns the indices of id in ascending order of its values.
func byID(id []int32) []int32 {
	order := make([]int32, len(id))
	if len(id) == 0 {
		return order
	}
	low, high := slices.Min(id), slices.Max(id)
	if span := int64(high) - int64(low); span < 8*int64(len(id)) { // as of most meshes: count
		at := make([]int32, span+2)
		for _, n := range id {
			at[n-low+1]++
		}
		for k := range span {
			at[k+1] += at[k]
		}
		for i, n := range id {
			order[at[n-low]] = int32(i)
			at[n-low]++
		}
		return order
	}
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(id[a], id[b]) })
	return order
}

// Row writes a history row.
func (r *Writer) Row() error {
	s := r.solver
	e := s.Energies()
	if r.motions == nil {
		r.start, r.motions = e, s.Motions()
	}
	r.row = r.row[:0]
	s.Row(&e, func(_ quantity.Column, v float64) { r.row = append(r.row, v) })
	return r.history.Row(r.curves.Append(r.row))
}

func frameName(i int) string { return fmt.Sprintf("%06d", i) }

// Frame writes a frame of all kinds, except contact nodes with an interval of
// their own, in the background from a copy. It returns the error of the
// previous frame.
func (r *Writer) Frame() error {
	return r.write(func(of *series) bool { return !of.ownInterval || !r.solver.OwnContactInterval })
}

// Contact writes a frame of contact nodes that have an interval of their own.
func (r *Writer) Contact() error { return r.write(func(of *series) bool { return of.ownInterval }) }

func (r *Writer) write(wanted func(of *series) bool) error {
	if err := errors.Join(r.history.Flush(), r.writer.Wait()); err != nil {
		return err
	}
	r.jobs = nil
	for _, of := range r.series {
		if wanted(of) {
			r.frame(of)
		}
	}
	return r.begin()
}

// begin writes the collected frame in the background.
func (r *Writer) begin() error {
	s, jobs := r.solver, r.jobs
	return r.writer.Start(func() error {
		s.ReserveCores(1)
		defer s.ReserveCores(-1)
		for _, do := range jobs {
			if err := do(); err != nil {
				return err
			}
		}
		return nil
	})
}

// Wait returns when every frame is written and listed, with the error of the last.
func (r *Writer) Wait() error {
	err := r.writer.Wait()
	for _, of := range r.series {
		err = errors.Join(err, of.Flush())
	}
	return err
}

// LastFrame returns the path of the fields written last.
func (r *Writer) LastFrame() string {
	fields, _ := r.counts()
	return filepath.Join(r.dir, fieldFrames.name, frameName(fields-1)+r.vtk.Ext(r.grid))
}

// Close closes the files, and writes and returns the summary. failure is the
// reason why the run ended early, else nil.
func (r *Writer) Close(status string, failure error) (Summary, error) {
	sum := r.summarise(status, failure)
	err := errors.Join(r.Wait(), r.history.Close())
	if err == nil {
		sum.Results, err = r.read()
	}
	if err == nil {
		sum.Stages, err = r.stages()
	}
	return sum, errors.Join(err, sum.write(r.dir))
}
