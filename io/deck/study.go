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
	at       *table
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
	at         *table
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
	return q.at.errorAt(q.at.at(key), fmt.Sprintf("%s: %s", q.at.title, fmt.Sprintf(format, args...)))
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

// The keys of a study, see docs/studies.md.
var (
	ofRange     = without("values", "they give the value")
	ofHistory   = with("history")
	ofTemplate  = without("shapes", "fdem mesh makes the mesh from them")
	taking      = []string{"first", "last", "min", "max", "mean", "at"}
	studySchema = []*Block{{Keys: []Key{
		{Name: "title", Kind: Text, Default: "-"},
		{Name: "deck", Kind: Text, Example: `"model.toml"`},
		{Name: "until", Kind: Text, Default: "-"},
	}}, {Name: "sampling", Keys: []Key{
		{Name: "latin_hypercube", Kind: Whole, Bounds: within(1, maxCases), Default: "-"},
		{Name: "seed", Kind: Whole, Bounds: within(0, math.MaxInt32), Default: "1"},
	}}, {Name: "mesh", Keys: []Key{
		{Name: "shapes", Kind: Text, Default: "-"},
		{Name: "template", Kind: Text, Example: `"plate.geo", or shapes = "plate.shapes.toml"`, With: []With{ofTemplate}},
		{Name: "command", Kind: List, Example: `["gmsh", "-2", "plate.geo", "-o", "plate.msh"]`, With: []With{ofTemplate}},
		{Name: "result", Kind: Text, Example: `"plate.msh"`, With: []With{ofTemplate}},
	}}, {Name: "parameter", Many: true, Keys: []Key{
		{Name: "name", Kind: Text, Example: `"speed"`},
		{Name: "unit", Kind: Text, Default: "-"},
		{Name: "set", Kind: List, Default: "-"},
		{Name: "scale", Kind: List, Default: "-"},
		{Name: "repeat", Kind: Flag, Default: "false"},
		{Name: "spacing", Kind: Word, Words: []string{"linear", "logarithmic"}, Default: `"linear"`},
		{Name: "values", Kind: List, Default: "-"},
		{Name: "from", Kind: Quantity, Angle: true, Example: "0.1, or values = [...]", With: []With{ofRange}},
		{Name: "to", Kind: Quantity, Angle: true, Example: "1", With: []With{ofRange}},
		{Name: "number", Kind: Whole, Bounds: within(2, maxCases), Default: "-", With: []With{ofRange}},
	}}, {Name: "collect", Many: true, Keys: []Key{
		{Name: "name", Kind: Text, Example: `"speed"`},
		{Name: "unit", Kind: Text, Default: "-"},
		{Name: "summary", Kind: Text, Default: "-"},
		{Name: "history", Kind: Text, Default: "-"},
		{Name: "expression", Kind: Text, Default: "-"},
		{Name: "take", Kind: Word, Words: taking, Default: `"at"`, With: []With{ofHistory, with("at")}},
		{Name: "take", Kind: Word, Words: taking, Default: `"last"`, With: []With{ofHistory}},
		{Name: "at", Kind: Quantity, Dim: Time, Bounds: notNegative, Default: "-", With: []With{ofHistory}},
	}}, {Name: "envelope", Many: true, Keys: []Key{
		{Name: "name", Kind: Text, Example: `"rock"`},
		{Name: "strength", Kind: Text, Default: `"strength"`},
		{Name: "pressure", Kind: Text, Example: `"pressure", a parameter or a quantity; or normal_stress for a strength in shear`, With: []With{without("normal_stress", "normal_stress is for a strength in shear, pressure for one in compression")}},
		{Name: "normal_stress", Kind: Text, Default: "-"},
	}}}
)

// ParseStudy reads a study file's text. name is its file name, for messages and
// for the paths in it.
func ParseStudy(name string, data []byte) (s *Study, err error) {
	defer throw.Catch(&err)
	doc, err := open(name, data)
	if err != nil {
		return nil, err
	}
	root := doc.top(studySchema)
	s = &Study{File: name, Text: data}
	s.Title = root.text("title")
	s.Deck = Beside(name, root.text("deck"))
	if s.Until = root.text("until"); s.Until != "" && !(root.value("until", s.Until, Time) > 0) {
		root.bad("until", "until must be positive, got %s", s.Until)
	}
	sampling := root.single(studySchema[1])
	s.Samples, s.Seed = sampling.whole("latin_hypercube"), uint64(sampling.whole("seed"))
	if root.has("mesh") {
		t := root.single(studySchema[2])
		t.check(nil)
		s.readMesh(t)
	}
	taken := []string{"case", "status", "seconds", "error"}
	for _, t := range root.blocks(studySchema[3]) {
		t.check(nil)
		s.Parameters = append(s.Parameters, s.readParameter(t, &taken))
		t.done()
	}
	for _, t := range root.blocks(studySchema[4]) {
		t.check(nil)
		s.Quantities = append(s.Quantities, readQuantity(t, &taken))
		t.done()
	}
	for _, t := range root.blocks(studySchema[5]) {
		t.check(nil)
		s.Envelopes = append(s.Envelopes, readEnvelope(t))
		t.done()
	}
	root.done()
	if len(s.Parameters) == 0 {
		doc.fail(len(data), "the study has no [[parameter]]: name at least one parameter, and where it is in the deck")
	}
	sampled := slices.ContainsFunc(s.Parameters, func(p StudyParameter) bool { return p.Sampled })
	if s.Samples > 0 && !sampled {
		sampling.bad("latin_hypercube", "the Latin hypercube needs a [[parameter]] with from and to, and without number")
	}
	n := max(s.Samples, 1)
	for _, p := range s.Parameters {
		if !p.Sampled {
			n *= p.Count()
		}
		if n > maxCases {
			doc.fail(0, "the study has more than %d cases: give fewer values", maxCases)
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

func (s *Study) readMesh(t *table) {
	if path := t.text("shapes"); path != "" {
		s.Mesh = &StudyMesh{Template: Beside(s.File, path), Result: shapesMesh, Shapes: true}
		s.Mesh.Command = []string{"fdem", "mesh", filepath.Base(path), "-o", shapesMesh}
		if _, err := os.Stat(s.Mesh.Template); err != nil {
			t.bad("shapes", "%v", err)
		}
		return
	}
	s.Mesh = &StudyMesh{Template: Beside(s.File, t.text("template")), Result: t.text("result")}
	for _, v := range t.list("command", 0) {
		word, ok := v.(string)
		if !ok {
			t.bad("command", "command must be a list of texts, got %s in it", describe(v))
		}
		s.Mesh.Command = append(s.Mesh.Command, word)
	}
	if len(s.Mesh.Command) == 0 {
		t.bad("command", "the command is empty")
	}
	if filepath.Base(s.Mesh.Result) != s.Mesh.Result {
		t.bad("result", "result must be a file in the case's folder, got %q", s.Mesh.Result)
	}
	if info, err := os.Stat(s.Mesh.Template); err != nil {
		t.bad("template", "%v", err)
	} else if info.IsDir() {
		t.bad("template", "%s is a folder", s.Mesh.Template)
	}
}

// label reads the name of a parameter or quantity, which expressions use.
func label(t *table, taken *[]string) string {
	name := t.text("name")
	if !identifier.MatchString(name) {
		t.bad("name", "name must be of letters, digits and underscores, for expressions use it, got %q", name)
	}
	if slices.Contains(*taken, name) {
		t.bad("name", "the name %q is used already", name)
	}
	*taken = append(*taken, name)
	return name
}

func (s *Study) readParameter(t *table, taken *[]string) StudyParameter {
	p := StudyParameter{Name: label(t, taken), Unit: t.text("unit")}
	if p.Unit != "" {
		if _, _, err := parseUnit(p.Unit, nil); err != nil {
			t.bad("unit", "%v", err)
		}
	}
	p.Repeat = t.flag("repeat")
	paths := func(key string) (out []string) {
		for _, v := range t.list(key, 0) {
			path, ok := v.(string)
			if !ok {
				t.bad(key, "%s must be a list of paths such as \"body.striker.velocity.x\", got %s in it", key, describe(v))
			}
			if _, err := splitPath(path); err != nil {
				t.bad(key, "%v", err)
			}
			if strings.HasPrefix(path, ShapesPath) && (s.Mesh == nil || !s.Mesh.Shapes) {
				t.bad(key, "%s is in a shapes file: name the file, mesh = { shapes = \"model.shapes.toml\" }", path)
			}
			out = append(out, path)
		}
		return out
	}
	p.Set, p.Scale = paths("set"), paths("scale")
	if len(p.Set)+len(p.Scale) == 0 && s.Mesh == nil {
		t.bad("name", "the parameter changes nothing: give set or scale, lists of paths such as \"body.striker.velocity.x\", or a [mesh] with a template")
	}
	if p.Unit != "" && len(p.Scale) > 0 {
		t.bad("unit", "a parameter that scales values is a plain number and has no unit")
	}
	p.Logarithmic = t.word("spacing") == "logarithmic" // for a list of values only in the plot
	if t.has("values") {
		s.readValues(t, &p)
	} else {
		s.readRange(t, &p)
	}
	return p
}

func (s *Study) readValues(t *table, p *StudyParameter) {
	for _, v := range t.list("values", 0) {
		if text, ok := v.(string); ok {
			if strings.ContainsFunc(text, unicode.IsControl) {
				t.bad("values", "%q has a line break or another control character: a value is a text of one line", text)
			}
			p.Texts = append(p.Texts, text)
			continue
		}
		p.Numbers = append(p.Numbers, t.value("values", v, None))
	}
	switch {
	case p.Count() == 0:
		t.bad("values", "the list of values is empty")
	case len(p.Numbers) > 0 && len(p.Texts) > 0:
		t.bad("values", "values must be all numbers or all texts; give the unit of numbers in the key unit")
	case len(p.Texts) > 0 && (p.Unit != "" || len(p.Scale) > 0):
		t.bad("values", "values must be numbers in the parameter's unit")
	case p.Logarithmic && slices.ContainsFunc(p.Numbers, func(v float64) bool { return !(v > 0) }):
		t.bad("spacing", "logarithmic values must be positive")
	}
}

func (s *Study) readRange(t *table, p *StudyParameter) {
	p.Low, p.High = t.number("from"), t.number("to")
	if !(p.Low < p.High) {
		t.bad("to", "to must be above from, %g, got %g", p.Low, p.High)
	}
	if p.Logarithmic && !(p.Low > 0) {
		t.bad("from", "from must be positive where the spacing is logarithmic, got %g", p.Low)
	}
	n := t.whole("number")
	if n == 0 {
		if p.Sampled = s.Samples > 0; !p.Sampled {
			t.need("number", "10, or [sampling] with latin_hypercube = 40")
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

func readEnvelope(t *table) StudyEnvelope {
	e := StudyEnvelope{Name: t.text("name"), Strength: t.text("strength"), at: t}
	if e.Over = t.text("normal_stress"); e.Over != "" {
		e.Shear = true
		return e
	}
	e.Over = t.text("pressure")
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
				return e.at.errorAt(e.at.at(key), fmt.Sprintf("%s: the study has no %q%s", e.at.title, name, nearest(name, slices.Sorted(maps.Keys(units)))))
			}
			if _, err := ParseScale(unit, Pressure, nil); err != nil || unit == "" {
				return e.at.errorAt(e.at.at(key), fmt.Sprintf("%s: %s must be a stress, such as in Pa, and %q has the unit %q", e.at.title, key, name, unit))
			}
		}
	}
	return nil
}

func readQuantity(t *table, taken *[]string) StudyQuantity {
	q := StudyQuantity{Name: label(t, taken), Unit: t.text("unit"), at: t}
	q.Summary, q.History, q.Expression = t.text("summary"), t.text("history"), t.text("expression")
	given := 0
	for _, s := range []string{q.Summary, q.History, q.Expression} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		t.bad("name", `give one of summary (a path such as "bodies.striker.velocity.x"), history (a column) and expression`)
	}
	if q.Summary != "" {
		if _, err := splitPath(q.Summary); err != nil {
			t.bad("summary", "%v", err)
		}
	}
	if q.History == "" {
		return q
	}
	if q.Take, q.At = t.word("take"), t.number("at"); q.Take == "at" {
		t.need("at", `"94 us"`)
	} else if t.has("at") {
		t.bad("take", "at is given, so take cannot be %q", q.Take)
	}
	return q
}

// SplitPath splits a path such as "bodies.striker.velocity.x" at its dots.
func SplitPath(path string) ([]string, error) { return splitPath(path) }
