package deck

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fdem/io/tables"
	"fdem/io/throw"
	"fdem/materials/elementary"
)

// StudySuffix ends the names of study files.
const StudySuffix = ".study.toml"

// Study is a study file: one deck that runs several times with different
// values.
type Study struct {
	File       string
	Text       []byte
	Title      string
	Deck       string // path of the base deck
	Until      string // as in fdem run; "" for the deck's duration
	Samples    int    // of the Latin hypercube; 0 for none
	Seed       uint64
	Mesh       *StudyMesh // nil if every case has the base deck's mesh
	Parameters []StudyParameter
	Quantities []StudyQuantity
	Envelopes  []StudyEnvelope
}

// StudyMesh makes a mesh for every case. The template is written to the case's
// folder, and the command runs there. In the template "{{name}}" is a parameter
// in SI, and "{{name mm}}" a parameter in a unit.
type StudyMesh struct {
	Template string // path
	Command  []string
	Result   string // file in the case's folder
	Shapes   bool   // the template is a shapes file, changed by paths that begin with "shapes."
}

// StudyParameter is a parameter that varies.
type StudyParameter struct {
	Name        string
	Unit        string // of the numbers; "" for plain numbers
	Set, Scale  []string
	Numbers     []float64 // of a grid or a list
	Texts       []string  // instead of numbers
	Low, High   float64   // range of the hypercube
	Sampled     bool      // by the hypercube
	Logarithmic bool
	Repeat      bool // its values are repetitions of one case: seeds
}

// StudyEnvelope is a line of Mohr and Coulomb fitted to strengths.
type StudyEnvelope struct {
	Name     string
	Strength string // a quantity
	Over     string // the quantity or parameter along the other axis
	Shear    bool   // strength in shear over a normal stress; else in compression over a confining pressure
	at       *tables.Reader
}

// StudyQuantity is a quantity from a case's results: from the summary, from a
// column of the history, or computed.
type StudyQuantity struct {
	Name, Unit string
	Summary    string  // path: "bodies.striker.velocity.x"
	History    string  // column
	Take       string  // first, last, min, max, mean or at
	At         float64 // [s]
	Expression string
	Optional   bool // a case may have none
	at         *tables.Reader
}

// Results adds the [[result]] blocks of the base deck to the study's quantities, before
// its own ones, except those with a name that the study has itself.
func (s *Study) Results(d *Deck) error {
	var out []StudyQuantity
	for _, r := range d.results {
		taken := slices.ContainsFunc(s.Parameters, func(p StudyParameter) bool { return p.Name == r.Name }) ||
			slices.ContainsFunc(s.Quantities, func(q StudyQuantity) bool { return q.Name == r.Name })
		if !taken {
			out = append(out, StudyQuantity{Name: r.Name, Unit: r.Unit, Summary: "results." + r.Name, Optional: true})
		}
	}
	s.Quantities = append(out, s.Quantities...)
	if err := s.checkEnvelopes(); err != nil {
		return err
	}
	if len(s.Quantities) == 0 {
		return fmt.Errorf("%s: the study has no [[collect]] and its deck has no [[result]]: name the values to take from the results", s.File)
	}
	return nil
}

// ErrorAt returns an error at the quantity's line.
func (q *StudyQuantity) ErrorAt(key, format string, args ...any) error {
	return q.at.ErrorAt(q.at.At(key), fmt.Sprintf("%s: %s", q.at.Title, fmt.Sprintf(format, args...)))
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// ReadStudy reads a study file. Mistakes are *Error with file, line and column.
func ReadStudy(path string) (*Study, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseStudy(path, data)
}

// The keys of a study, see docs/sweep.md.
var (
	ofRange     = tables.Unless("values", "they give the value")
	ofHistory   = tables.If("history")
	ofTemplate  = tables.Unless("shapes", "fdem mesh makes the mesh from them")
	taking      = []string{"first", "last", "min", "max", "mean", "at"}
	studySchema = []*tables.Block{{Keys: []tables.Key{
		{Name: "title", Kind: tables.Text, Default: "-"},
		{Name: "deck", Kind: tables.Text, Example: `"model.toml"`},
		{Name: "until", Kind: tables.Text, Default: "-"},
	}}, {Name: "sampling", Keys: []tables.Key{
		{Name: "latin_hypercube", Kind: tables.Whole, Bounds: tables.Within(1, maxCases), Default: "-"},
		{Name: "seed", Kind: tables.Whole, Bounds: tables.Within(0, math.MaxInt32), Default: "1"},
	}}, {Name: "mesh", Keys: []tables.Key{
		{Name: "shapes", Kind: tables.Text, Default: "-"},
		{Name: "template", Kind: tables.Text, Example: `"plate.geo", or shapes = "plate.shapes.toml"`, With: []tables.With{ofTemplate}},
		{Name: "command", Kind: tables.List, Example: `["gmsh", "-2", "plate.geo", "-o", "plate.msh"]`, With: []tables.With{ofTemplate}},
		{Name: "result", Kind: tables.Text, Example: `"plate.msh"`, With: []tables.With{ofTemplate}},
	}}, {Name: "parameter", Many: true, Keys: []tables.Key{
		{Name: "name", Kind: tables.Text, Example: `"speed"`},
		{Name: "unit", Kind: tables.Text, Default: "-"},
		{Name: "set", Kind: tables.List, Default: "-"},
		{Name: "scale", Kind: tables.List, Default: "-"},
		{Name: "repeat", Kind: tables.Flag, Default: "false"},
		{Name: "spacing", Kind: tables.Word, Words: []string{"linear", "logarithmic"}, Default: `"linear"`},
		{Name: "values", Kind: tables.List, Default: "-"},
		{Name: "from", Kind: tables.Quantity, Angle: true, Example: "0.1, or values = [...]", With: []tables.With{ofRange}},
		{Name: "to", Kind: tables.Quantity, Angle: true, Example: "1", With: []tables.With{ofRange}},
		{Name: "number", Kind: tables.Whole, Bounds: tables.Within(2, maxCases), Default: "-", With: []tables.With{ofRange}},
	}}, {Name: "collect", Many: true, Keys: []tables.Key{
		{Name: "name", Kind: tables.Text, Example: `"speed"`},
		{Name: "unit", Kind: tables.Text, Default: "-"},
		{Name: "summary", Kind: tables.Text, Default: "-"},
		{Name: "history", Kind: tables.Text, Default: "-"},
		{Name: "expression", Kind: tables.Text, Default: "-"},
		{Name: "take", Kind: tables.Word, Words: taking, Default: `"at"`, With: []tables.With{ofHistory, tables.If("at")}},
		{Name: "take", Kind: tables.Word, Words: taking, Default: `"last"`, With: []tables.With{ofHistory}},
		{Name: "at", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.NotNegative, Default: "-", With: []tables.With{ofHistory}},
	}}, {Name: "envelope", Many: true, Keys: []tables.Key{
		{Name: "name", Kind: tables.Text, Example: `"rock"`},
		{Name: "strength", Kind: tables.Text, Default: `"strength"`},
		{Name: "pressure", Kind: tables.Text, Example: `"pressure", a parameter or a quantity; or normal_stress for a strength in shear`, With: []tables.With{tables.Unless("normal_stress", "normal_stress is for a strength in shear, pressure for one in compression")}},
		{Name: "normal_stress", Kind: tables.Text, Default: "-"},
	}}}
)

// ParseStudy reads a study file's text. name is its file name, for messages and
// for the paths in it.
func ParseStudy(name string, data []byte) (s *Study, err error) {
	defer throw.Catch(&err)
	doc, err := tables.Open(name, data)
	if err != nil {
		return nil, err
	}
	root := doc.Top(studySchema)
	s = &Study{File: name, Text: data}
	s.Title = root.Text("title")
	s.Deck = tables.Beside(name, root.Text("deck"))
	if s.Until = root.Text("until"); s.Until != "" && !(root.Value("until", s.Until, tables.Time) > 0) {
		root.Bad("until", "until must be positive, got %s", s.Until)
	}
	sampling := root.Single(studySchema[1])
	s.Samples, s.Seed = sampling.Whole("latin_hypercube"), uint64(sampling.Whole("seed"))
	if root.Has("mesh") {
		t := root.Single(studySchema[2])
		t.Check(nil)
		s.readMesh(t)
	}
	taken := []string{"case", "status", "seconds", "error"}
	for _, t := range root.Blocks(studySchema[3]) {
		t.Check(nil)
		s.Parameters = append(s.Parameters, s.readParameter(t, &taken))
		t.Done()
	}
	for _, t := range root.Blocks(studySchema[4]) {
		t.Check(nil)
		s.Quantities = append(s.Quantities, readQuantity(t, &taken))
		t.Done()
	}
	for _, t := range root.Blocks(studySchema[5]) {
		t.Check(nil)
		s.Envelopes = append(s.Envelopes, readEnvelope(t))
		t.Done()
	}
	root.Done()
	if len(s.Parameters) == 0 {
		doc.Fail(len(data), "the study has no [[parameter]]: name at least one parameter, and where it is in the deck")
	}
	sampled := slices.ContainsFunc(s.Parameters, func(p StudyParameter) bool { return p.Sampled })
	if s.Samples > 0 && !sampled {
		sampling.Bad("latin_hypercube", "the Latin hypercube needs a [[parameter]] with from and to, and without number")
	}
	n := max(s.Samples, 1)
	for _, p := range s.Parameters {
		if !p.Sampled {
			n *= p.Count()
		}
		if n > maxCases {
			doc.Fail(0, "the study has more than %d cases: give fewer values", maxCases)
		}
	}
	return s, nil
}

// maxCases is the greatest number of cases of a study.
const maxCases = 100_000

// Count returns how many values a grid or a list has.
func (p *StudyParameter) Count() int { return max(len(p.Numbers), len(p.Texts)) }

// ShapesPath begins the path of a value in the shapes file of a study.
const ShapesPath = "shapes."

// shapesMesh is the mesh that a study makes of a shapes file, in a case's folder.
const shapesMesh = "mesh.msh"

func (s *Study) readMesh(t *tables.Reader) {
	if path := t.Text("shapes"); path != "" {
		s.Mesh = &StudyMesh{Template: tables.Beside(s.File, path), Result: shapesMesh, Shapes: true}
		s.Mesh.Command = []string{"fdem", "mesh", filepath.Base(path), "-o", shapesMesh}
		if _, err := os.Stat(s.Mesh.Template); err != nil {
			t.Bad("shapes", "%v", err)
		}
		return
	}
	s.Mesh = &StudyMesh{Template: tables.Beside(s.File, t.Text("template")), Result: t.Text("result")}
	for _, v := range t.List("command", 0) {
		word, ok := v.(string)
		if !ok {
			t.Bad("command", "command must be a list of texts, got %s in it", tables.Describe(v))
		}
		s.Mesh.Command = append(s.Mesh.Command, word)
	}
	if len(s.Mesh.Command) == 0 {
		t.Bad("command", "the command is empty")
	}
	if filepath.Base(s.Mesh.Result) != s.Mesh.Result {
		t.Bad("result", "result must be a file in the case's folder, got %q", s.Mesh.Result)
	}
	if info, err := os.Stat(s.Mesh.Template); err != nil {
		t.Bad("template", "%v", err)
	} else if info.IsDir() {
		t.Bad("template", "%s is a folder", s.Mesh.Template)
	}
}

// label reads the name of a parameter or quantity, which expressions use.
func label(t *tables.Reader, taken *[]string) string {
	name := t.Text("name")
	if !identifier.MatchString(name) {
		t.Bad("name", "name must be of letters, digits and underscores, for expressions use it, got %q", name)
	}
	if slices.Contains(*taken, name) {
		t.Bad("name", "the name %q is used already", name)
	}
	*taken = append(*taken, name)
	return name
}

func (s *Study) readParameter(t *tables.Reader, taken *[]string) StudyParameter {
	p := StudyParameter{Name: label(t, taken), Unit: t.Text("unit")}
	if p.Unit != "" {
		if _, _, err := tables.ParseUnit(p.Unit, nil); err != nil {
			t.Bad("unit", "%v", err)
		}
	}
	p.Repeat = t.Flag("repeat")
	paths := func(key string) (out []string) {
		for _, v := range t.List(key, 0) {
			path, ok := v.(string)
			if !ok {
				t.Bad(key, "%s must be a list of paths such as \"body.striker.velocity.x\", got %s in it", key, tables.Describe(v))
			}
			if _, err := tables.SplitPath(path); err != nil {
				t.Bad(key, "%v", err)
			}
			if strings.HasPrefix(path, ShapesPath) && (s.Mesh == nil || !s.Mesh.Shapes) {
				t.Bad(key, "%s is in a shapes file: name the file, mesh = { shapes = \"model.shapes.toml\" }", path)
			}
			out = append(out, path)
		}
		return out
	}
	p.Set, p.Scale = paths("set"), paths("scale")
	if len(p.Set)+len(p.Scale) == 0 && s.Mesh == nil {
		t.Bad("name", "the parameter changes nothing: give set or scale, lists of paths such as \"body.striker.velocity.x\", or a [mesh] with a template")
	}
	if p.Unit != "" && len(p.Scale) > 0 {
		t.Bad("unit", "a parameter that scales values is a plain number and has no unit")
	}
	p.Logarithmic = t.Word("spacing") == "logarithmic" // for a list of values only in the plot
	if t.Has("values") {
		s.readValues(t, &p)
	} else {
		s.readRange(t, &p)
	}
	return p
}

func (s *Study) readValues(t *tables.Reader, p *StudyParameter) {
	for _, v := range t.List("values", 0) {
		if text, ok := v.(string); ok {
			if strings.ContainsFunc(text, unicode.IsControl) {
				t.Bad("values", "%q has a line break or another control character: a value is a text of one line", text)
			}
			p.Texts = append(p.Texts, text)
			continue
		}
		p.Numbers = append(p.Numbers, t.Value("values", v, tables.None))
	}
	switch {
	case p.Count() == 0:
		t.Bad("values", "the list of values is empty")
	case len(p.Numbers) > 0 && len(p.Texts) > 0:
		t.Bad("values", "values must be all numbers or all texts; give the unit of numbers in the key unit")
	case len(p.Texts) > 0 && (p.Unit != "" || len(p.Scale) > 0):
		t.Bad("values", "values must be numbers in the parameter's unit")
	case p.Logarithmic && slices.ContainsFunc(p.Numbers, func(v float64) bool { return !(v > 0) }):
		t.Bad("spacing", "logarithmic values must be positive")
	}
}

func (s *Study) readRange(t *tables.Reader, p *StudyParameter) {
	p.Low, p.High = t.Number("from"), t.Number("to")
	if !(p.Low < p.High) {
		t.Bad("to", "to must be above from, %g, got %g", p.Low, p.High)
	}
	if p.Logarithmic && !(p.Low > 0) {
		t.Bad("from", "from must be positive where the spacing is logarithmic, got %g", p.Low)
	}
	n := t.Whole("number")
	if n == 0 {
		if p.Sampled = s.Samples > 0; !p.Sampled {
			t.Need("number", "10, or [sampling] with latin_hypercube = 40")
		}
		return
	}
	for i := range n {
		p.Numbers = append(p.Numbers, p.Between(float64(i)/float64(n-1)))
	}
}

// Between returns the value at the fraction x, 0 to 1, of the range.
func (p *StudyParameter) Between(x float64) float64 {
	switch {
	case x == 0:
		return p.Low
	case x == 1:
		return p.High
	case p.Logarithmic:
		return rounded(p.Low * elementary.Pow(p.High/p.Low, x))
	}
	return rounded(p.Low + float64((p.High-p.Low)*x))
}

// rounded returns v to twelve digits: 1, not 0.9999999999999999.
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return r
}

func readEnvelope(t *tables.Reader) StudyEnvelope {
	e := StudyEnvelope{Name: t.Text("name"), Strength: t.Text("strength"), at: t}
	if e.Over = t.Text("normal_stress"); e.Over != "" {
		e.Shear = true
		return e
	}
	e.Over = t.Text("pressure")
	return e
}

// checkEnvelopes stops at an envelope of a quantity that the study does not have, or
// that is not a stress.
func (s *Study) checkEnvelopes() error {
	units := map[string]string{}
	for _, p := range s.Parameters {
		if len(p.Texts) == 0 {
			units[p.Name] = p.Unit
		}
	}
	strengths := map[string]bool{}
	for _, q := range s.Quantities {
		units[q.Name], strengths[q.Name] = q.Unit, true
	}
	for _, e := range s.Envelopes {
		over := "pressure"
		if e.Shear {
			over = "normal_stress"
		}
		for _, of := range [][2]string{{"strength", e.Strength}, {over, e.Over}} {
			key, name := of[0], of[1]
			unit, known := units[name]
			if !known || key == "strength" && !strengths[name] {
				return e.at.ErrorAt(e.at.At(key), fmt.Sprintf("%s: the study has no %q%s", e.at.Title, name, tables.Nearest(name, slices.Sorted(maps.Keys(units)))))
			}
			if _, err := tables.ParseScale(unit, tables.Pressure, nil); err != nil || unit == "" {
				return e.at.ErrorAt(e.at.At(key), fmt.Sprintf("%s: %s must be a stress, such as in Pa, and %q has the unit %q", e.at.Title, key, name, unit))
			}
		}
	}
	return nil
}

func readQuantity(t *tables.Reader, taken *[]string) StudyQuantity {
	q := StudyQuantity{Name: label(t, taken), Unit: t.Text("unit"), at: t}
	q.Summary, q.History, q.Expression = t.Text("summary"), t.Text("history"), t.Text("expression")
	given := 0
	for _, s := range []string{q.Summary, q.History, q.Expression} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		t.Bad("name", `give one of summary (a path such as "bodies.striker.velocity.x"), history (a column) and expression`)
	}
	if q.Summary != "" {
		if _, err := tables.SplitPath(q.Summary); err != nil {
			t.Bad("summary", "%v", err)
		}
	}
	if q.History == "" {
		return q
	}
	if q.Take, q.At = t.Word("take"), t.Number("at"); q.Take == "at" {
		t.Need("at", `"94 us"`)
	} else if t.Has("at") {
		t.Bad("take", "at is given, so take cannot be %q", q.Take)
	}
	return q
}

// SplitPath splits a path such as "bodies.striker.velocity.x" at its dots.
func SplitPath(path string) ([]string, error) { return tables.SplitPath(path) }
