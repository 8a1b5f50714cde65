// Package preview shows a model before its run in the page of fdem view: bodies by material, the
// mesh's quality, symbols of what holds, drives and loads it, and what fdem check says, each line
// with its place. The picture is the first frame that a run would write. It follows the files as
// they are edited.
package preview

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"fdem/io/results"
	"fdem/io/view"
	"fdem/materials/elementary"
	"fdem/solver"
	models "fdem/solver/model"
	"fdem/solver/statics"

	"gonum.org/v1/gonum/spatial/r2"
)

// Read is a model as its files are now.
type Read struct {
	Title    string
	Deck     string          // its path
	Files    []string        // paths of all files that it has been read from
	Solver   *solver.Solver  // at the start
	Said     []string        // what check says
	Overlaps bool            // bodies overlap, so that the solver has no forces
	Predict  func() []string // what it says of a run, which takes some time; called once, beside others
}

// Preview is a model that is shown. It is a view.Source.
type Preview struct {
	read  func() (*Read, error)
	dir   string   // of the folders of frames
	files []string // of the last reading
	seen  string   // sizes and times of the files then

	mu     sync.Mutex
	folder *view.Folder
	meta   view.Meta
	blobs  map[string]view.Blob
	count  int // of readings
	places *places
}

// Open reads a model, and keeps its frames in a folder of temporary files until Close.
func Open(files []string, read func() (*Read, error)) (*Preview, error) {
	dir, err := os.MkdirTemp("", "fdem-view-")
	if err != nil {
		return nil, err
	}
	p := &Preview{read: read, dir: dir, files: files}
	p.seen = p.stamp()
	if err := p.reread(); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// Close removes the temporary files.
func (p *Preview) Close() error { return os.RemoveAll(p.dir) }

// stamp is sizes and times of the files.
func (p *Preview) stamp() string {
	text := ""
	for _, path := range p.files {
		if info, err := os.Stat(path); err == nil {
			text += fmt.Sprint(info.Size(), info.ModTime().UnixNano(), ";")
		} else {
			text += "none;"
		}
	}
	return text
}

// Refresh reads the model again if its files have changed. If they cannot be read, the page says
// why and shows the model as it was.
func (p *Preview) Refresh() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.stamp()
	if now == p.seen {
		return nil
	}
	p.seen = now
	if err := p.reread(); err != nil {
		m := *p.meta.Model
		m.Error, m.Text = err.Error(), text(m.Deck)
		m.Said = append([]view.Said{p.places.said(err.Error(), "error")}, m.Said...)
		if old := p.meta.Model.Error; old != "" {
			m.Said = append(m.Said[:1], m.Said[2:]...)
		}
		p.meta.Model = &m
	}
	return nil
}

// reread makes everything anew.
func (p *Preview) reread() error {
	r, err := p.read()
	if err != nil {
		return err
	}
	dir := filepath.Join(p.dir, strconv.Itoa(p.count+1))
	if err := frame(dir, r); err != nil {
		return err
	}
	folder, err := view.Open(dir)
	if err != nil {
		return err
	}
	for more := true; more; {
		if more, err = folder.Scan(); err != nil {
			return err
		}
	}
	p.count++
	p.folder, p.files = folder, r.Files
	p.seen = p.stamp()
	p.meta = folder.Meta()
	m := &p.meta
	m.Title, m.Status, m.Live, m.Generation = r.Title, "model", true, "model "+strconv.Itoa(p.count)
	m.Columns, m.Lines, m.Plots, m.Rows, m.Summary = nil, nil, nil, 0, nil
	p.blobs = map[string]view.Blob{}
	p.fields(r)
	_, _, nodes := folder.Numbering()
	index := indices(r.Solver.Mesh.NodeID, nodes)
	centre := r2.Vec{X: m.Centre[0], Y: m.Centre[1]}
	m.Model = &view.Model{Deck: r.Deck, Text: text(r.Deck), Said: []view.Said{}, Groups: groups(r.Solver.Mesh, index), Symbols: symbols(r.Solver.Model, centre)}
	p.places = newPlaces(m.Model, r.Solver.Mesh, centre)
	m.Model.Said = append(m.Model.Said, p.places.all(r.Said)...)
	if r.Predict != nil {
		go p.predict(r, p.count)
	}
	return os.RemoveAll(filepath.Join(p.dir, strconv.Itoa(p.count-1)))
}

// predict adds what check predicts of a run, if the model is still shown.
func (p *Preview) predict(r *Read, count int) {
	lines := r.Predict()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.count != count {
		return
	}
	m := *p.meta.Model
	m.Said = append(append([]view.Said{}, m.Said...), p.places.all(lines)...)
	p.meta.Model = &m
}

// text returns a deck's text, unless it is too long to be shown.
func text(path string) string {
	const longest = 1 << 18
	data, err := os.ReadFile(path)
	if err != nil || len(data) > longest {
		return ""
	}
	return string(data)
}

// frame writes the first frame of a run into dir.
func frame(dir string, r *Read) error {
	if err := results.Prepare(dir); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "deck.toml"), []byte(text(r.Deck)), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "summary.json"), []byte(`{"status": "model"}`), 0o644); err != nil { // no more follows
		return err
	}
	w, err := results.Open(dir, "", r.Solver, nil)
	if err != nil {
		return err
	}
	w.Shape(results.Form{Single: true, Plain: true})
	if r.Overlaps {
		return errors.Join(w.Frame(), w.Wait())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // at the start
	err = statics.Run(ctx, r.Solver, solver.Observer{Row: w.Row, Frame: w.Frame, Contact: w.Contact, Checkpoint: func(bool) error { return nil }})
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return w.Wait()
}

// indices returns for each node of a mesh its place among numbers, -1 for none.
func indices(ids []int32, numbers []int64) []int32 {
	at := make(map[int64]int32, len(numbers)) // looked up only
	for i, n := range numbers {
		at[n] = int32(i)
	}
	out := make([]int32, len(ids))
	for i, n := range ids {
		out[i] = -1
		if k, known := at[int64(n)]; known && n != 0 {
			out[i] = k
		}
	}
	return out
}

// comesAndGoes returns words for when bodies are excavated or installed, first for those that stay, and
// which belong to a body.
func comesAndGoes(m *models.Model) (times []string, of map[int32]float32) {
	times, of = []string{"stays"}, map[int32]float32{} // looked up only
	add := func(body int32, text string) {
		of[body] = float32(len(times))
		times = append(times, text)
	}
	for _, x := range m.Excavations {
		add(x.Body, "excavated at "+when(m, x.At))
	}
	for i := range m.Bodies {
		if from := m.Bodies[i].From; from > 0 {
			add(int32(i), "installed at "+when(m, from))
		}
	}
	return times, of
}

// fields adds the fields of a model before its run: material, quality, the time in which a wave
// crosses a triangle, and when what is excavated or installed.
func (p *Preview) fields(r *Read) {
	s := r.Solver
	elements, bodies, _ := p.folder.Numbering()
	cell := make(map[int64]int32, len(s.Mesh.Triangles)) // looked up only
	for i, id := range s.Mesh.TriID {
		cell[int64(id)] = int32(i)
	}
	n := len(elements)
	material, excavated := make([]float32, n), make([]float32, n)
	quality, crossing := make([]float32, n), make([]float32, n)
	names := []string{}
	for _, row := range p.meta.Deck {
		if row.Section == "material" && row.Key == "name" && len(names) < len(s.Model.Materials) {
			names = append(names, strings.Trim(row.Value, `"'`))
		}
	}
	for len(names) < len(s.Model.Materials) { // of moduli that vary, or without a deck's text
		names = append(names, fmt.Sprintf("material %d", len(names)+1))
	}
	names = append(names, "rigid or particles")
	times, of := comesAndGoes(s.Model)
	for k := range elements {
		material[k] = float32(len(names) - 1)
		quality[k], crossing[k] = float32(math.NaN()), float32(math.NaN())
		b := bodies[k]
		if int(b) < len(s.Model.Bodies) {
			material[k] = float32(s.Model.Bodies[b].Material)
			if t, known := cell[elements[k]]; known && t >= s.Mesh.Bodies[b].First && t < s.Mesh.Bodies[b].End {
				quality[k], crossing[k] = measures(s, t, s.Model.Bodies[b].Material)
			}
		}
		excavated[k] = of[b]
	}
	add := func(name, label, unit string, names []string, values []float32) view.Field {
		f, span := view.CellField(name, label, unit, names, values)
		p.blobs["frames/0/"+name], p.meta.Ranges[name] = view.Numbers(values), span
		return f
	}
	var fields []view.Field
	if n > 0 {
		fields = append(fields, add("material", "material", "", names, material))
	}
	if len(s.Mesh.Triangles) > 0 {
		fields = append(fields, add("quality", "quality of triangles", "", nil, quality), add("crossing", "time for a wave to cross", "s", nil, crossing))
	}
	if len(times) > 1 {
		fields = append(fields, add("excavated_at", "what comes and goes", "", times, excavated))
	}
	for _, f := range p.meta.Fields {
		if keep := f.Name == "stress" && len(s.Model.InitialStresses) > 0 || f.Name == "displacement" || f.Name == "velocity" || f.Name == "temperature" || f.Name == "body_id"; keep {
			if f.Name == "stress" {
				f.Label = "initial stress"
			}
			fields = append(fields, f)
		}
	}
	p.meta.Fields = fields
}

// measures returns a triangle's quality (as mesh.Quality has it), and the time in which the fastest
// wave crosses its least height [s].
func measures(s *solver.Solver, t, material int32) (quality, crossing float32) {
	n := s.Mesh.Triangles[t]
	x := [3]r2.Vec{s.Mesh.X[n[0]], s.Mesh.X[n[1]], s.Mesh.X[n[2]]}
	var side [3]float64
	longest, around, product := 0.0, 0.0, 1.0
	for k := range 3 {
		side[k] = elementary.Norm(r2.Sub(x[(k+1)%3], x[k]))
		longest, around, product = max(longest, side[k]), around+side[k], product*side[k]
	}
	area := 0.5 * math.Abs((x[1].X-x[0].X)*(x[2].Y-x[0].Y)-(x[2].X-x[0].X)*(x[1].Y-x[0].Y))
	of := &s.Model.Materials[material]
	if s.Model.Spread != nil {
		if k := s.Model.Spread.Of[t]; k >= 0 {
			of = &s.Model.Spread.Materials[k]
		}
	}
	speed := math.Sqrt(of.Stiffest(s.Model.Plane).C11 / of.Density)
	return float32(16 * area * area / (product * around)), float32(2 * area / longest / speed)
}

// Meta describes what is shown.
func (p *Preview) Meta() view.Meta {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.meta
}

// Blob returns numbers by name, see view.Folder.
func (p *Preview) Blob(name string) (view.Blob, error) {
	p.mu.Lock()
	b, own := p.blobs[name]
	folder := p.folder
	p.mu.Unlock()
	if own {
		return b, nil
	}
	return folder.Blob(name)
}

// Scan has nothing to do: the one frame is read at once.
func (p *Preview) Scan() (more bool, err error) { return false, nil }
