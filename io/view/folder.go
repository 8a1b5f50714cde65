// Package view is the post-processing of a results folder: blocks of numbers for
// the page in the browser, the same page as one HTML file (fdem report), and
// pictures. It only reads files.
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
	contactAt []int       // per frame of fields that has one: the nearest frame of contact nodes
	spheres   []vtk.Frame // of particles
	cracks    []vtk.Frame
	springs   []vtk.Frame
	thrust    []vtk.Frame // of contact by impulses, as the next
	touching  []vtk.Frame
	bolts     []vtk.Frame
	static    *static       // nil before the first frame
	past      *history.Tail // of history.csv; nil before it exists
	history   history.Table // the history
	scanned   int           // number of frames included in the ranges
}

// Meta describes the contents of a folder. The page reads it first.
type Meta struct {
	Title      string            `json:"title"`
	Status     string            `json:"status"`     // "running" before there is a summary
	Generation string            `json:"generation"` // changes when the folder is filled anew
	Live       bool              `json:"live"`       // further frames may follow
	Paused     bool              `json:"paused,omitempty"`
	Times      []float64         `json:"times"`            // of the frames [s]
	Contact    int               `json:"contact"`          // number of frames with contact nodes
	Static     bool              `json:"static,omitempty"` // a static analysis
	Pseudo     bool              `json:"pseudo,omitempty"` // one without a duration: times are pseudo-times
	Start      int               `json:"start"`            // the first displayed frame: that of the greatest strain energy, or of its greatest change, or else of the greatest contact force
	Nodes      int               `json:"nodes"`
	Triangles  int               `json:"triangles"` // except those that fill beams
	Beams      int               `json:"beams,omitempty"`
	Particles  int               `json:"particles"`
	Centre     [2]float64        `json:"centre"` // origin of positions [m]
	Size       [2]float64        `json:"size"`   // of the box around the nodes [m]
	Bodies     []Body            `json:"bodies"`
	Fields     []Field           `json:"fields"`
	Scanned    int               `json:"scanned"` // number of frames included in the ranges
	Ranges     map[string]Range  `json:"ranges"`  // by field, "contact/" before those of contact nodes
	Surfaces   []Surface         `json:"surfaces"`
	Columns    []string          `json:"columns"` // of the history
	Lines      []Line            `json:"lines"`   // description of each column
	Plots      []string          `json:"plots"`   // plots of the columns
	Units      map[string]string `json:"units"`   // units of the summary's values
	Rows       int               `json:"rows"`
	Deck       []DeckRow         `json:"deck"`
	Summary    json.RawMessage   `json:"summary,omitempty"`
	Notes      []string          `json:"notes"`
	Maps       [4]string         `json:"maps"`             // sequential and diverging colours, those of cracks and of fragments, 256 times six hexadecimal digits
	Cracks     []Field           `json:"cracks,omitempty"` // fields for the colour of cracks
	Springs    int               `json:"springs,omitempty"`
	Charts     bool              `json:"charts,omitempty"`     // there may be charts of ground and supports
	Thrust     bool              `json:"thrust,omitempty"`     // there are lines of thrust, and forces of contact points
	Others     []Other           `json:"others,omitempty"`     // other runs, whose history is drawn, too
	Magnitudes *Magnitudes       `json:"magnitudes,omitempty"` // of a run that has ended
	Model      *Model            `json:"model,omitempty"`      // before a run
}

// Body is a body, in the numbering of the fields.
type Body struct {
	Name      string `json:"name"`
	Triangles int    `json:"triangles"`
}

// Field is an array of the frames that can be displayed.
type Field struct {
	Name       string   `json:"name"`
	Label      string   `json:"label"`
	Unit       string   `json:"unit"`
	On         string   `json:"on"` // "node", "cell" or "contact"
	Components []string `json:"components,omitempty"`
	Derived    []string `json:"derived,omitempty"` // parts that follow from the components
	Signed     bool     `json:"signed,omitempty"`  // of one component that may be negative
	Pieces     bool     `json:"pieces,omitempty"`  // numbers of the triangles' fragments, or of Names
	Names      []string `json:"names,omitempty"`

	pick  []int  // chosen components of the array
	width int    // number of the array's components
	basic bool   // included in the smallest report
	from  string // the array from which it follows, "" for one of the frames
}

// Range is the range of a field's values over all frames so far. Peak is the greatest
// magnitude, and Top the greatest without a few cells. Vectors count by their length.
// Colours of temperatures begin at Low, the least temperature of any triangle.
type Range struct {
	Peak float64 `json:"peak"`
	Top  float64 `json:"top"`
	Low  float64 `json:"low,omitempty"` // [K]; 0 of all other fields
	Most []Most  `json:"most"`          // for a vector its length, then every component; for other fields every component
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
	Contact int         `json:"contact"`          // number of the contact
	Loaded  *[2]float64 `json:"loaded,omitempty"` // the part that was under pressure in any frame so far [m]
}

// knownFields are the fields that can be displayed, from the table of quantities.
// Others are displayed with their name.
var knownFields = func() (out []Field) {
	on := map[quantity.Where]string{quantity.Node: "node", quantity.Cell: "cell", quantity.ContactNode: "contact"}
	for _, q := range quantity.All {
		if index, ok := on[q.On]; ok {
			out = append(out, Field{Name: q.Name, Label: q.Label, Unit: q.Unit, On: index, Signed: q.Signed, basic: q.Basic})
		}
	}
	return out
}()

// Fields that are always read.
var (
	moveField     = Field{Name: "displacement", On: "node", pick: []int{0, 1}, width: 3}
	pressureField = Field{Name: "pressure", On: "contact", pick: []int{0}, width: 1}
)

// Line describes a column of the history: its name among others of its plot, its unit, and
// the plot.
type Line struct {
	Label string `json:"label"`
	Unit  string `json:"unit"`
	Plot  string `json:"plot"`
}

// lines returns the descriptions of columns.
func lines(deck []DeckRow, columns []string) []Line {
	out := make([]Line, len(columns))
	for i, c := range columnsOf(deck, columns) {
		out[i] = Line{c.Line(), c.Unit, c.Plot}
	}
	return out
}

// units returns the units of the summaries' values.
func units() map[string]string {
	out := map[string]string{}
	for _, q := range quantity.All {
		if q.On == quantity.Summary {
			out[q.Name] = q.Unit
		}
	}
	return out
}

// Open opens a results folder. It fails if there are no results.
func Open(dir string) (*Folder, error) {
	f := &Folder{dir: dir}
	if err := f.Refresh(); err != nil {
		return nil, err
	}
	return f, nil
}

// cracksName is the series of cracks, in runs with bodies that can break.
const cracksName = "cracks.pvd"

// holds tells whether there is a file of that name in the folder.
func (f *Folder) holds(name string) bool {
	_, err := os.Stat(filepath.Join(f.dir, name))
	return err == nil
}

// Refresh reads the new data in the folder.
func (f *Folder) Refresh() (err error) {
	defer throw.Catch(&err)
	f.mu.Lock()
	defer f.mu.Unlock()
	some := false
	for _, name := range []string{"log.txt", "history.csv", "fields.pvd", "summary.json"} {
		some = some || f.holds(name)
	}
	if !some {
		return fmt.Errorf("%s is not a results folder: it has no log.txt, history.csv or fields.pvd", f.dir)
	}
	frames, contact, particles := f.series("fields.pvd"), f.series("contact.pvd"), f.series("particles.pvd")
	cracks, springs, bolts := f.series(cracksName), f.series("springs.pvd"), f.series("bolts.pvd")
	thrust, touching := f.series("thrust.pvd"), f.series("contact_points.pvd")
	generation := ""
	if len(frames) > 0 {
		info := throw.Must(os.Stat(f.path(frames[0])))
		generation = strconv.FormatInt(info.ModTime().UnixNano(), 36)
		if f.holds(cracksName) && f.holds("summary.json") { // cracks may have added nodes since the first call
			generation += "-ended"
		}
	}
	if generation != f.meta.Generation || f.static == nil {
		f.meta, f.static, f.scanned, f.past, f.history = Meta{Generation: generation}, nil, 0, nil, history.Table{}
	}
	m := &f.meta
	f.frames, f.contact, f.spheres, f.cracks, f.springs, f.bolts = frames, contact, particles[:min(len(particles), len(frames))], cracks, springs, bolts
	f.thrust, f.touching, m.Thrust = thrust, touching, len(thrust) > 0
	m.Times = make([]float64, len(frames))
	for i, v := range frames {
		m.Times[i] = v.Time
	}
	if m.Deck == nil {
		m.Deck = readDeck(f.dir)
		m.Static = deckText(m.Deck, "analysis", "type") == "static"
		m.Pseudo = m.Static && deckText(m.Deck, "analysis", "duration") == ""
	}
	f.readHistory()
	f.readSummary()
	m.Charts = len(bolts)+len(cracks) > 0 || slices.ContainsFunc(m.Columns, func(c string) bool { return strings.HasSuffix(c, ".convergence") || strings.HasSuffix(c, ".zz") })
	f.contactAt = match(frames, contact, m.Live)
	m.Contact = len(f.contactAt)
	m.Paused = m.Live && f.holds(PausedName)
	m.Start = f.busiest(false)
	if f.static == nil && len(frames) > 0 && (len(f.contact)+len(f.spheres) > 0 || !hasContact(m.Columns) || !m.Live) {
		f.readStatic()
	}
	m.Maps = [4]string{hexMap(sequential), hexMap(diverging), hexMap(warmToCold), hexMap(hues)}
	return nil
}

// match finds for every frame of fields the frame of contact nodes that is
// nearest in time. For a running simulation it does so as far as the nearest
// one is known.
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

// series reads a .pvd file. A missing file has no frames.
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

// readHistory reads the new rows of history.csv up to its last complete line. If the
// file has become shorter it is read anew.
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

// readSummary reads summary.json, which exists after the end of a run.
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

// names returns the names before a suffix of the history's columns.
func names(columns []string, suffix string) []string {
	var out []string
	for _, c := range columns {
		if name, ok := strings.CutSuffix(c, suffix); ok {
			out = append(out, name)
		}
	}
	return out
}

// fields returns the fields of a file's arrays, in the order of knownFields.
func fields(arrays []vtk.Declared, on string) []Field {
	var out []Field
	for _, a := range arrays {
		numbers := a.Name == "fragment" || a.Name == "excavated" || a.Name == "installed"
		if a.Type != "Float64" && a.Type != "Float32" && !numbers || a.Name == "normal" || on == "contact" && a.Name == "displacement" {
			continue
		}
		v := Field{Name: a.Name, Label: strings.ReplaceAll(a.Name, "_", " "), On: on, Signed: a.Components == 1}
		if i := slices.IndexFunc(knownFields, func(k Field) bool { return k.Name == a.Name && k.On == on }); i >= 0 {
			v = knownFields[i]
		}
		v.width, v.Pieces = a.Components, numbers
		switch a.Components {
		case 1:
			v.pick = []int{0}
		case 3:
			v.pick, v.Components = []int{0, 1}, []string{"x", "y"}
		case 6:
			v.pick, v.Components = []int{0, 1, 2, 3}, []string{"xx", "yy", "zz", "xy"}
			if v.Name == "stress" {
				v.Derived = stressParts
			}
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

// Key returns the key of a field in Meta.Ranges.
func (v Field) Key() string {
	if v.On == "contact" {
		return "contact/" + v.Name
	}
	return v.Name
}

// Meta returns the contents of the folder at the last refresh.
func (f *Folder) Meta() Meta {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.meta
	m.Scanned = f.scanned
	m.Ranges, m.Surfaces = maps.Clone(m.Ranges), slices.Clone(m.Surfaces)
	return m
}

// History returns the history at the last refresh.
func (f *Folder) History() history.Table {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.history
}

// Scan includes one more frame in the ranges, and tells whether there was one.
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
	defer func() { // a frame that cannot be read is also finished
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.static == static && f.scanned == i { // the folder has not been filled anew
			f.scanned++
			f.meta.include(seen, i)
		}
	}()
	seen = f.measure(i)
	return true, nil
}

// extent is a frame's contribution to the ranges.
type extent struct {
	ranges map[string]Range
	loaded []*[2]float64 // per surface
}

// count counts the elements of a mesh. Two consecutive triangles of one number fill
// a beam element.
func (m *Meta) count(s *static) {
	m.Triangles, m.Beams = len(s.triangles), 0
	for i := 1; i < len(s.triangles); i++ {
		if s.elementID[i] == s.elementID[i-1] && s.body[i] == s.body[i-1] {
			m.Beams++
			m.Triangles -= 2
		}
	}
}

// include includes a frame in the ranges, with its number.
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

// Several is results with those of other runs of the same kind, whose history is drawn beside theirs.
type Several struct {
	*Folder
	Name   string // of the first run
	Others []Run
}

// Run is the results of another run.
type Run struct {
	*Folder
	Name string
}

// all returns all runs, the first one first.
func (s *Several) all() []Run { return append([]Run{{s.Folder, s.Name}}, s.Others...) }

// Together returns the results of several folders, of which the first is shown.
func Together(folders []string) (*Several, error) {
	first, err := Open(folders[0])
	if err != nil {
		return nil, err
	}
	s, names := &Several{Folder: first}, runNames(folders)
	for i, dir := range folders[1:] {
		f, err := Open(dir)
		if err != nil {
			return nil, err
		}
		s.Others = append(s.Others, Run{f, names[i+1]})
	}
	s.Name = names[0]
	return s, nil
}

// Refresh reads the new data in all folders.
func (s *Several) Refresh() error {
	for _, r := range s.Others {
		if err := r.Refresh(); err != nil {
			return err
		}
	}
	return s.Folder.Refresh()
}

// Meta describes the first folder, and the history of the others.
func (s *Several) Meta() Meta {
	m := s.Folder.Meta()
	for _, r := range s.Others {
		of := r.Meta()
		m.Others = append(m.Others, Other{r.Name, of.Columns, of.Rows})
		m.Live = m.Live || of.Live
	}
	return m
}

// Blob returns numbers by name, with those of the Kth other run as other/K/history.
func (s *Several) Blob(name string) (Blob, error) {
	rest, is := strings.CutPrefix(name, "other/")
	if !is {
		return s.Folder.Blob(name)
	}
	number, what, _ := strings.Cut(rest, "/")
	k, err := strconv.Atoi(number)
	if err != nil || k < 0 || k >= len(s.Others) || what != "history" {
		return Blob{}, errNone
	}
	return s.Others[k].Blob(what)
}

// Scan includes one more frame of any of the folders in the ranges.
func (s *Several) Scan() (more bool, err error) {
	if more, err = s.Folder.Scan(); more || err != nil {
		return more, err
	}
	for _, r := range s.Others {
		if more, err = r.Scan(); more || err != nil {
			return more, err
		}
	}
	return false, nil
}
