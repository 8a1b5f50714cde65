// Package view is the post-processing of a results folder: blocks of numbers for
// the page in the browser, the same page as one HTML file (fdem report), and
// pictures. It reads files and simulates nothing.
package view

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fdem/io/guard"
	"fdem/io/history"
	"fdem/io/throw"
	"fdem/io/vtk"
	"fdem/solver/quantity"
)

// Folder is a results folder, which a running simulation may be filling.
type Folder struct {
	dir string

	mu        sync.Mutex
	meta      Meta
	frames    []vtk.Frame // of fields
	contact   []vtk.Frame
	contactAt []int       // per frame of fields, of those that have one: the frame of contact nodes nearest to it
	spheres   []vtk.Frame // of particles
	cracks    []vtk.Frame
	springs   []vtk.Frame
	static    *static       // nil before the first frame
	past      *history.Tail // of history.csv; nil before there is one
	history   history.Table // of it
	scanned   int           // frames that are in the ranges
}

// Meta says what a folder holds; the page reads it first.
type Meta struct {
	Title      string            `json:"title"`
	Status     string            `json:"status"`           // "running" before there is a summary
	Generation string            `json:"generation"`       // changes when the folder is filled anew
	Live       bool              `json:"live"`             // there may be more to come
	Times      []float64         `json:"times"`            // of the frames [s]
	Contact    int               `json:"contact"`          // how many frames have contact nodes
	Static     bool              `json:"static,omitempty"` // a static analysis: times are pseudo-times
	Start      int               `json:"start"`            // the frame to begin with: of the greatest strain energy, or change of that at the start, or else of the greatest contact force
	Nodes      int               `json:"nodes"`
	Triangles  int               `json:"triangles"` // but for those that fill beams
	Beams      int               `json:"beams,omitempty"`
	Particles  int               `json:"particles"`
	Centre     [2]float64        `json:"centre"` // what positions are relative to [m]
	Size       [2]float64        `json:"size"`   // of the box around the nodes [m]
	Bodies     []Body            `json:"bodies"`
	Fields     []Field           `json:"fields"`
	Scanned    int               `json:"scanned"` // how many frames the ranges are of
	Ranges     map[string]Range  `json:"ranges"`  // by field, "contact/" before those of contact nodes
	Surfaces   []Surface         `json:"surfaces"`
	Columns    []string          `json:"columns"` // of the history
	Lines      []Line            `json:"lines"`   // what each of these is
	Plots      []string          `json:"plots"`   // in which they are shown
	Units      map[string]string `json:"units"`   // of what the summary holds
	Rows       int               `json:"rows"`
	Deck       []DeckRow         `json:"deck"`
	Summary    json.RawMessage   `json:"summary,omitempty"`
	Notes      []string          `json:"notes"`
	Maps       [4]string         `json:"maps"`             // sequential and diverging colours, those of cracks and of fragments, 256 times six hexadecimal digits
	Cracks     []Field           `json:"cracks,omitempty"` // what cracks can be coloured by
	Springs    int               `json:"springs,omitempty"`
	Magnitudes *Magnitudes       `json:"magnitudes,omitempty"` // of a run that has ended
}

// Body is a body as the fields number them.
type Body struct {
	Name      string `json:"name"`
	Triangles int    `json:"triangles"`
}

// Field is an array of the frames that can be shown.
type Field struct {
	Name       string   `json:"name"`
	Label      string   `json:"label"`
	Unit       string   `json:"unit"`
	On         string   `json:"on"` // "node", "cell" or "contact"
	Components []string `json:"components,omitempty"`
	Signed     bool     `json:"signed,omitempty"` // of one component that may be negative
	Pieces     bool     `json:"pieces,omitempty"` // numbers of what triangles belong to

	pick  []int // which components of the array
	width int   // how many the array has
	basic bool  // stays in the smallest report
}

// Range is how large the values of a field get over all frames so far: Peak
// bounds them all, Top all but a few cells'. Vectors count by their length. Colours of
// temperatures begin at Low, the least that any triangle with one has.
type Range struct {
	Peak float64 `json:"peak"`
	Top  float64 `json:"top"`
	Low  float64 `json:"low,omitempty"` // [K]; 0 of all other fields
	Most []Most  `json:"most"`          // of a vector its length, then every component; of others every component
}

// Most is the value of a field that is greatest by magnitude.
type Most struct {
	Value float64 `json:"value"`
	Frame int     `json:"frame"`
	At    int     `json:"at"` // node, cell or contact node; -1 for none
}

// Surface is a run of contact nodes along an outline.
type Surface struct {
	Name    string      `json:"name"`
	Contact int         `json:"contact"`          // of which contact
	Loaded  *[2]float64 `json:"loaded,omitempty"` // the part of it under pressure in any frame so far [m]
}

// knownFields are the fields that can be shown, as the table of quantities has them;
// others are shown by their name.
var knownFields = func() (out []Field) {
	on := map[quantity.Where]string{quantity.Node: "node", quantity.Cell: "cell", quantity.ContactNode: "contact"}
	for _, q := range quantity.All {
		if place, ok := on[q.On]; ok {
			out = append(out, Field{Name: q.Name, Label: q.Label, Unit: q.Unit, On: place, Signed: q.Signed, basic: q.Basic})
		}
	}
	return out
}()

// Fields that are read whether or not they can be shown.
var (
	moveField     = Field{Name: "displacement", On: "node", pick: []int{0, 1}, width: 3}
	pressureField = Field{Name: "pressure", On: "contact", pick: []int{0}, width: 1}
)

// Line says what a column of the history is: how it is called beside others of
// its plot, its unit, and the plot.
type Line struct {
	Label string `json:"label"`
	Unit  string `json:"unit"`
	Plot  string `json:"plot"`
}

// lines tells it of columns.
func lines(deck []DeckRow, columns []string) []Line {
	out := make([]Line, len(columns))
	for i, c := range columnsOf(deck, columns) {
		out[i] = Line{c.Line(), c.Unit, c.Plot}
	}
	return out
}

// units returns those of what summaries hold.
func units() map[string]string {
	out := map[string]string{}
	for _, q := range quantity.All {
		if q.On == quantity.Summary {
			out[q.Name] = q.Unit
		}
	}
	return out
}

// Open opens a results folder. It fails where there are no results.
func Open(dir string) (*Folder, error) {
	f := &Folder{dir: dir}
	if err := f.Refresh(); err != nil {
		return nil, err
	}
	return f, nil
}

// cracksName is the series of cracks, of runs in which something can break.
const cracksName = "cracks.pvd"

// holds says whether there is a file of that name in the folder.
func (f *Folder) holds(name string) bool {
	_, err := os.Stat(filepath.Join(f.dir, name))
	return err == nil
}

// Refresh reads what is new in the folder.
func (f *Folder) Refresh() (err error) {
	defer throw.Catch(&err)
	f.mu.Lock()
	defer f.mu.Unlock()
	some := false
	for _, name := range []string{"log.txt", "history.csv", "fields.pvd", "summary.json"} {
		some = some || f.holds(name)
	}
	if !some {
		return fmt.Errorf("%s is no results folder: it holds neither log.txt nor history.csv nor fields.pvd", f.dir)
	}
	frames, contact, particles := f.series("fields.pvd"), f.series("contact.pvd"), f.series("particles.pvd")
	cracks, springs := f.series(cracksName), f.series("springs.pvd")
	generation := ""
	if len(frames) > 0 {
		info := throw.Must(os.Stat(f.path(frames[0])))
		generation = strconv.FormatInt(info.ModTime().UnixNano(), 36)
		if f.holds(cracksName) && f.holds("summary.json") { // cracks may have added nodes since the first look
			generation += "-ended"
		}
	}
	if generation != f.meta.Generation || f.static == nil {
		f.meta, f.static, f.scanned, f.past, f.history = Meta{Generation: generation}, nil, 0, nil, history.Table{}
	}
	m := &f.meta
	f.frames, f.contact, f.spheres, f.cracks, f.springs = frames, contact, particles[:min(len(particles), len(frames))], cracks, springs
	m.Times = make([]float64, len(frames))
	for i, v := range frames {
		m.Times[i] = v.Time
	}
	if m.Deck == nil {
		m.Deck = readDeck(f.dir)
		m.Static = deckText(m.Deck, "analysis", "type") == "static"
	}
	f.readHistory()
	f.readSummary()
	f.contactAt = match(frames, contact, m.Live)
	m.Contact = len(f.contactAt)
	m.Start = f.busiest(false)
	if f.static == nil && len(frames) > 0 && (len(f.contact)+len(f.spheres) > 0 || !hasContact(m.Columns) || !m.Live) {
		f.readStatic()
	}
	m.Maps = [4]string{hexMap(sequential), hexMap(diverging), hexMap(warmToCold), hexMap(hues)}
	return nil
}

// match finds for every frame of fields the frame of contact nodes that is
// nearest in time: for all of them, or of a run that goes on as far as it is
// known.
func match(fields, contact []vtk.Frame, live bool) []int {
	var out []int
	k, n := 0, len(contact)
	for i, v := range fields {
		if n == 0 || live && contact[n-1].Time < v.Time {
			break
		}
		if i < n && contact[i].Time == v.Time {
			k = i
		}
		for k+1 < n && math.Abs(contact[k+1].Time-v.Time) < math.Abs(contact[k].Time-v.Time) {
			k++
		}
		out = append(out, k)
	}
	return out
}

// lastUntil returns the last frame that is not later than a time [s], -1 for none.
func lastUntil(frames []vtk.Frame, time float64) int {
	at := -1
	for k, v := range frames {
		if v.Time <= time {
			at = k
		}
	}
	return at
}

// nearestTo returns the index of the number nearest to at.
func nearestTo(numbers []float64, at float64) int {
	best := 0
	for i, v := range numbers {
		if math.Abs(v-at) < math.Abs(numbers[best]-at) {
			best = i
		}
	}
	return best
}

func hasContact(columns []string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return strings.HasSuffix(c, ".normal") })
}

// series reads a .pvd file; without the file there are no frames.
func (f *Folder) series(name string) []vtk.Frame {
	path, err := guard.Path(f.dir, name, guard.Text)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	throw.If(err)
	frames := throw.Must(vtk.ReadSeries(path))
	for _, v := range frames {
		if !filepath.IsLocal(filepath.FromSlash(v.File)) {
			throw.If(fmt.Errorf("%s: the frame %q lies outside the folder", path, v.File))
		}
	}
	return frames
}

// path returns the path of a frame, which must be a file in the folder.
func (f *Folder) path(v vtk.Frame) string {
	return throw.Must(guard.Path(f.dir, v.File, guard.Large))
}

// readHistory reads what is new in history.csv up to its last whole line. A file that
// has become shorter is read anew.
func (f *Folder) readHistory() {
	path, err := guard.Path(f.dir, "history.csv", guard.Large)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	throw.If(err)
	size := throw.Must(os.Stat(path)).Size()
	if f.past == nil || size < f.past.Size() {
		f.past = history.NewTail(path, func(columns int) int { return rowsOf(columns, 2_500_000, 100_000) })
	} else if size == f.past.Size() {
		return
	}
	if err := f.past.Read(); err != nil {
		f.past = nil
		throw.If(err)
	}
	t, rows := f.past.Table()
	f.history = t
	f.meta.Columns, f.meta.Rows, f.meta.Lines, f.meta.Plots, f.meta.Units = t.Columns, rows, lines(f.meta.Deck, t.Columns), quantity.Plots, units()
}

// readSummary reads summary.json, which only an ended run has.
func (f *Folder) readSummary() {
	path := filepath.Join(f.dir, "summary.json")
	data, err := guard.Read(f.dir, "summary.json", guard.Text)
	m := &f.meta
	if errors.Is(err, fs.ErrNotExist) {
		m.Status, m.Summary, m.Live = "running", nil, true
		m.Title = cmp.Or(deckText(m.Deck, "", "title"), filepath.Base(f.dir))
		return
	}
	throw.If(err)
	var sum struct{ Title, Status string }
	if err := json.Unmarshal(data, &sum); err != nil {
		throw.If(fmt.Errorf("%s: %w", path, err))
	}
	m.Title, m.Status, m.Summary, m.Live = cmp.Or(sum.Title, deckText(m.Deck, "", "title"), filepath.Base(f.dir)), sum.Status, data, false
	if m.Magnitudes == nil {
		m.Magnitudes = f.magnitudes()
	}
}

// names lists what stands before a suffix of the history's columns.
func names(columns []string, suffix string) []string {
	var out []string
	for _, c := range columns {
		if name, ok := strings.CutSuffix(c, suffix); ok {
			out = append(out, name)
		}
	}
	return out
}

// fields lists what the arrays of a file can show, in the order of
// knownFields.
func fields(arrays []vtk.Declared, on string) []Field {
	var out []Field
	for _, a := range arrays {
		pieces := a.Name == "fragment" || a.Name == "excavated"
		if a.Type != "Float64" && a.Type != "Float32" && !pieces || a.Name == "normal" || on == "contact" && a.Name == "displacement" {
			continue
		}
		v := Field{Name: a.Name, Label: strings.ReplaceAll(a.Name, "_", " "), On: on, Signed: a.Components == 1}
		if i := slices.IndexFunc(knownFields, func(k Field) bool { return k.Name == a.Name && k.On == on }); i >= 0 {
			v = knownFields[i]
		}
		v.width, v.Pieces = a.Components, pieces
		switch a.Components {
		case 1:
			v.pick = []int{0}
		case 3:
			v.pick, v.Components = []int{0, 1}, []string{"x", "y"}
		case 6:
			v.pick, v.Components = []int{0, 1, 2, 3}, []string{"xx", "yy", "zz", "xy"}
		default:
			continue
		}
		out = append(out, v)
	}
	return out
}

func fieldOrder(v Field) int {
	i := slices.IndexFunc(knownFields, func(k Field) bool { return k.Name == v.Name && k.On == v.On })
	if i < 0 {
		return len(knownFields)
	}
	return i
}

// Key names a field in Meta.Ranges.
func (v Field) Key() string {
	if v.On == "contact" {
		return "contact/" + v.Name
	}
	return v.Name
}

// Meta returns what the folder holds as last refreshed.
func (f *Folder) Meta() Meta {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.meta
	m.Scanned = f.scanned
	m.Ranges, m.Surfaces = maps.Clone(m.Ranges), slices.Clone(m.Surfaces)
	return m
}

// History returns the history as last refreshed.
func (f *Folder) History() history.Table {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.history
}

// Scan takes one more frame into the ranges and says whether there was one.
func (f *Folder) Scan() (more bool, err error) {
	defer throw.Catch(&err)
	f.mu.Lock()
	i, static := f.scanned, f.static
	more = static != nil && i < len(f.frames)
	if more && len(static.contact) > 0 && i >= len(f.contactAt) && f.meta.Live {
		more = false // its contact nodes are still to come
	}
	if more && static.spheres != nil && i >= len(f.spheres) && f.meta.Live {
		more = false
	}
	f.mu.Unlock()
	if !more {
		return false, nil
	}
	seen := extent{}
	defer func() { // a frame that cannot be read is done with, too
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.static == static && f.scanned == i { // not filled anew meanwhile
			f.scanned++
			f.meta.include(seen, i)
		}
	}()
	seen = f.measure(i)
	return true, nil
}

// extent is what a frame adds to the ranges.
type extent struct {
	ranges map[string]Range
	loaded []*[2]float64 // per surface
}

// count counts the elements of a mesh: two triangles of one number in a row fill one
// of beams.
func (m *Meta) count(s *static) {
	m.Triangles, m.Beams = len(s.triangles), 0
	for i := 1; i < len(s.triangles); i++ {
		if s.elementID[i] == s.elementID[i-1] && s.body[i] == s.body[i-1] {
			m.Beams++
			m.Triangles -= 2
		}
	}
}

// include takes a frame into the ranges, as that of a number.
func (m *Meta) include(e extent, frame int) {
	for k, v := range e.ranges {
		was := m.Ranges[k]
		now := Range{max(was.Peak, v.Peak), max(was.Top, v.Top), max(was.Low, v.Low), slices.Clone(was.Most)}
		if was.Low > 0 && v.Low > 0 {
			now.Low = min(was.Low, v.Low)
		}
		for i, most := range v.Most {
			most.Frame = frame
			if i >= len(now.Most) {
				now.Most = append(now.Most, most)
			} else if math.Abs(most.Value) > math.Abs(now.Most[i].Value) || now.Most[i].At < 0 {
				now.Most[i] = most
			}
		}
		m.Ranges[k] = now
	}
	for i, v := range e.loaded {
		if was := m.Surfaces[i].Loaded; v != nil && was != nil {
			m.Surfaces[i].Loaded = &[2]float64{min(was[0], v[0]), max(was[1], v[1])}
		} else if v != nil {
			m.Surfaces[i].Loaded = v
		}
	}
}

// measure returns the extent of one frame.
func (f *Folder) measure(i int) extent {
	f.mu.Lock()
	fields, static := f.meta.Fields, f.static
	floor := 1e-6 * f.meta.Ranges["contact/pressure"].Peak
	f.mu.Unlock()
	e := extent{map[string]Range{}, make([]*[2]float64, len(static.order))}
	for _, v := range fields {
		if v.Pieces {
			continue
		}
		values := f.values(i, v)
		if values == nil {
			continue
		}
		e.ranges[v.Key()] = rangeOf(v, values)
		if v.Key() != "contact/pressure" {
			continue
		}
		for s, order := range static.order {
			for k, at := range order {
				if float64(values[at]) <= floor {
					continue
				}
				x := static.along[s][k]
				if e.loaded[s] == nil {
					e.loaded[s] = &[2]float64{x, x}
				}
				e.loaded[s][1] = x
			}
		}
	}
	return e
}
