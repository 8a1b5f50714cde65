package deck

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"fdem/materials/elementary"
)

// StudySuffix ends the names of study files.
const StudySuffix = ".study.toml"

// Study is a study file: one deck run again and again with other values.
type Study struct {
	File       string
	Text       []byte
	Title      string
	Deck       string // path of the base deck
	Until      string // as fdem run takes it; "" for the deck's duration
	Samples    int    // of the Latin hypercube; 0 for none
	Seed       uint64
	Mesh       *StudyMesh // nil where every case has the base deck's mesh
	Parameters []StudyParameter
	Quantities []StudyQuantity
}

// StudyMesh makes a mesh for every case: the template, "{{name}}" standing for
// a parameter in SI or "{{name mm}}" in a unit, is written to the case's folder
// and the command run there.
type StudyMesh struct {
	Template string // path
	Command  []string
	Result   string // file in the case's folder
}

// StudyParameter is what varies.
type StudyParameter struct {
	Name        string
	Unit        string // of the numbers; "" for plain numbers
	Set, Scale  []string
	Numbers     []float64 // of a grid or a list
	Texts       []string  // instead of numbers
	Low, High   float64   // where the hypercube chooses
	Sampled     bool      // by the hypercube
	Logarithmic bool
}

// StudyQuantity is what is collected from a case's results: from the summary,
// from a column of the history, or computed.
type StudyQuantity struct {
	Name, Unit string
	Summary    string  // path: "bodies.striker.velocity.x"
	History    string  // column
	Take       string  // first, last, min, max, mean or at
	At         float64 // [s]
	Expression string
	at         *table
}

// Complain returns an error at the quantity's line.
func (q *StudyQuantity) Complain(key, format string, args ...any) error {
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

// ParseStudy reads a study file's text. name is its file name, for messages and
// for the paths in it.
func ParseStudy(name string, data []byte) (s *Study, err error) {
	defer catch(&err)
	doc, values, err := open(name, data)
	if err != nil {
		return nil, err
	}
	root := &table{document: doc, values: values}
	s = &Study{File: name, Text: data}
	s.Title = root.text("title", "")
	root.need("deck", `"model.toml"`)
	s.Deck = Beside(name, root.text("deck", ""))
	if s.Until = root.text("until", ""); s.Until != "" {
		root.positive("until", Time, 0, "s")
	}
	sampling := root.sub("sampling")
	s.Samples = sampling.whole("latin_hypercube", 0, 1, maxCases)
	s.Seed = uint64(sampling.whole("seed", 1, 0, math.MaxInt32))
	sampling.done()
	if root.has("mesh") {
		s.readMesh(root.sub("mesh"))
	}
	taken := []string{"case", "status", "seconds", "error"}
	for _, t := range root.blocks("parameter") {
		s.Parameters = append(s.Parameters, s.readParameter(t, &taken))
	}
	for _, t := range root.blocks("collect") {
		s.Quantities = append(s.Quantities, readQuantity(t, &taken))
	}
	root.done()
	if len(s.Parameters) == 0 {
		doc.fail(len(data), "the study has no [[parameter]]: name what varies, and where the deck has it")
	}
	if len(s.Quantities) == 0 {
		doc.fail(len(data), "the study has no [[collect]]: name what to take from the results")
	}
	sampled := slices.ContainsFunc(s.Parameters, func(p StudyParameter) bool { return p.Sampled })
	if s.Samples > 0 && !sampled {
		sampling.bad("latin_hypercube", "there is no [[parameter]] with from and to and without number for the hypercube to choose")
	}
	n := max(s.Samples, 1)
	for _, p := range s.Parameters {
		if !p.Sampled {
			n *= p.Count()
		}
		if n > maxCases {
			doc.fail(0, "the study has more than %d cases", maxCases)
		}
	}
	return s, nil
}

// maxCases bounds a study.
const maxCases = 100_000

// Count returns how many values a grid or a list has.
func (p *StudyParameter) Count() int { return max(len(p.Numbers), len(p.Texts)) }

func (s *Study) readMesh(t *table) {
	t.need("template", `"plate.shapes.toml"`)
	t.need("command", `["fdem", "mesh", "plate.shapes.toml", "-o", "plate.msh"]`)
	t.need("result", `"plate.msh"`)
	s.Mesh = &StudyMesh{Template: Beside(s.File, t.text("template", "")), Result: t.text("result", "")}
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
	t.done()
}

// label reads the name of a parameter or quantity, which expressions use.
func label(t *table, taken *[]string) string {
	t.need("name", `"speed"`)
	name := t.text("name", "")
	if !identifier.MatchString(name) {
		t.bad("name", "name must be of letters, digits and underscores, for expressions use it, got %q", name)
	}
	if slices.Contains(*taken, name) {
		t.bad("name", "the name %q is taken", name)
	}
	*taken = append(*taken, name)
	return name
}

func (s *Study) readParameter(t *table, taken *[]string) StudyParameter {
	p := StudyParameter{Name: label(t, taken), Unit: t.text("unit", "")}
	if p.Unit != "" {
		if _, _, err := parseUnit(p.Unit, nil); err != nil {
			t.bad("unit", "%v", err)
		}
	}
	paths := func(key string) (out []string) {
		for _, v := range t.list(key, 0) {
			path, ok := v.(string)
			if !ok {
				t.bad(key, "%s must be a list of paths such as \"body.striker.velocity.x\", got %s in it", key, describe(v))
			}
			if _, err := splitPath(path); err != nil {
				t.bad(key, "%v", err)
			}
			out = append(out, path)
		}
		return out
	}
	p.Set, p.Scale = paths("set"), paths("scale")
	if len(p.Set)+len(p.Scale) == 0 && s.Mesh == nil {
		t.bad("name", "nothing depends on it: give set or scale, lists of paths such as \"body.striker.velocity.x\", or a [mesh] with a template")
	}
	if p.Unit != "" && len(p.Scale) > 0 {
		t.bad("unit", "a parameter that scales values is a plain number and has no unit")
	}
	switch spacing := t.word("spacing", "linear", "linear", "logarithmic"); {
	case t.has("values"):
		for _, key := range []string{"from", "to", "number"} {
			if t.has(key) {
				t.bad(key, "%s does not go with values", key)
			}
		}
		p.Logarithmic = spacing == "logarithmic" // of the plot
		s.readValues(t, &p)
	default:
		p.Logarithmic = spacing == "logarithmic"
		s.readRange(t, &p)
	}
	t.done()
	return p
}

func (s *Study) readValues(t *table, p *StudyParameter) {
	for _, v := range t.list("values", 0) {
		if text, ok := v.(string); ok {
			p.Texts = append(p.Texts, text)
			continue
		}
		p.Numbers = append(p.Numbers, t.number("values", v, None))
	}
	switch {
	case p.Count() == 0:
		t.bad("values", "the list of values is empty")
	case len(p.Numbers) > 0 && len(p.Texts) > 0:
		t.bad("values", "values must be all numbers or all texts; a unit goes to unit")
	case len(p.Texts) > 0 && (p.Unit != "" || len(p.Scale) > 0):
		t.bad("values", "values must be numbers in the parameter's unit")
	case p.Logarithmic && slices.ContainsFunc(p.Numbers, func(v float64) bool { return !(v > 0) }):
		t.bad("spacing", "logarithmic values must be positive")
	}
}

func (s *Study) readRange(t *table, p *StudyParameter) {
	t.need("from", "0.1, or values = [...]")
	t.need("to", "1")
	p.Low, p.High = t.quantity("from", None, 0), t.quantity("to", None, 0)
	if !(p.Low < p.High) {
		t.bad("to", "to must be above from, %g, got %g", p.Low, p.High)
	}
	if p.Logarithmic && !(p.Low > 0) {
		t.bad("from", "from must be positive where the spacing is logarithmic, got %g", p.Low)
	}
	n := t.whole("number", 0, 2, maxCases)
	if n == 0 {
		if p.Sampled = s.Samples > 0; !p.Sampled {
			t.need("number", "10, or [sampling] with latin_hypercube = 40 above")
		}
		return
	}
	for i := range n {
		p.Numbers = append(p.Numbers, p.Between(float64(i)/float64(n-1)))
	}
}

// Between returns the value at part x, 0 to 1, of the range.
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

func readQuantity(t *table, taken *[]string) StudyQuantity {
	q := StudyQuantity{Name: label(t, taken), Unit: t.text("unit", ""), at: t}
	q.Summary, q.History, q.Expression = t.text("summary", ""), t.text("history", ""), t.text("expression", "")
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
		for _, key := range []string{"take", "at"} {
			if t.has(key) {
				t.bad(key, "%s goes with history", key)
			}
		}
		t.known = append(t.known, "take", "at")
		t.done()
		return q
	}
	fallback := "last"
	if t.has("at") {
		fallback = "at"
	}
	q.Take = t.word("take", fallback, "first", "last", "min", "max", "mean", "at")
	if q.Take == "at" {
		t.need("at", `"94 us"`)
	} else if t.has("at") {
		t.bad("take", "at is given, so take cannot be %q", q.Take)
	}
	q.At = t.notNegative("at", Time, 0, "s")
	t.done()
	return q
}

// SplitPath parts a path such as "bodies.striker.velocity.x" at its dots.
func SplitPath(path string) ([]string, error) { return splitPath(path) }
