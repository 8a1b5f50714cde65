package deck

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fdem/io/curves"
	"fdem/io/tables"
	"fdem/solver/quantity"
)

var curveBlock = tables.Block{Name: "curve", Many: true, Doc: "A further column of history.csv, computed from the others: a stress, a strain, a ratio.", Read: ofDeck((*Deck).readCurve), Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"stress"`, Doc: "name of the column: letters, digits and underscores. A curve \"strain\" takes the name of the strain energy's column, which is then strain_energy"},
	{Name: "unit", Kind: tables.Text, Default: "-", Doc: "unit of the value, \"Pa\", for plots and the page. Columns are in SI, so for \"MPa\" divide the value by 1e6"},
	{Name: "value", Kind: tables.Text, Example: `"-top.fy / (rock.width * thickness)"`, Doc: "an expression of columns of history.csv, of curves above, pi, the thickness [m], and of the <body>.width [m], <body>.height [m], <body>.area [m2] and <body>.mass [kg] of meshed bodies at the start"},
}}

var resultBlock = tables.Block{Name: "result", Many: true, Doc: "A number of the whole run under results in summary.json: a strength, a modulus, a time.", Read: ofDeck((*Deck).readResult), Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"strength"`, Doc: "name of the result: letters, digits and underscores"},
	{Name: "unit", Kind: tables.Text, Default: "-", Doc: "unit of the result, \"Pa\""},
	{Name: "of", Kind: tables.Text, Example: `"stress"`, Doc: "a column, a curve, or an expression as for a curve; it may use results above"},
	{Name: "take", Kind: tables.Word, Words: curves.Takes, Default: `"end"`, Doc: "what to take of the curve: its \"max\" or \"min\", its value at the \"end\", its \"mean\", its \"slope\" against over by least squares, the \"area\" under it, its value \"at\" the row in which over first reaches from, or the \"count\" of the times that it rises through from"},
	{Name: "over", Kind: tables.Text, Default: `"time"`, Doc: "column, curve or expression along the other axis"},
	{Name: "from", Kind: tables.Quantity, Unit: "of over", Default: "-", Doc: "start of the part of the curve: a value of over, or a fraction of the peak of the curve, \"40 %\", which it reaches on its rise. With take = \"at\" it is a fraction of the peak of over"},
	{Name: "to", Kind: tables.Quantity, Unit: "of over", Default: "-", With: []tables.With{tables.Unless("take", "that is one point: give from", "at", "count")}, Doc: "end of the part of the curve, as from"},
	{Name: "share_of", Kind: tables.Text, Else: "of", With: []tables.With{tables.Unless("take", "the fraction is one of the peak of over with take = \"at\", and of the column itself with \"count\"", "at", "count")}, Doc: "column, curve or expression of whose peak from and to are fractions. For example, Poisson's ratio is taken while the stress is between two fractions of the strength"},
}}

// tabled is a curve or a result with its position in the deck.
type tabled struct {
	curves.Text
	at *tables.Reader
	of map[string]tables.Dimension // of from and to, if they are texts with a unit
}

func (d *Deck) readCurve(t *tables.Reader) {
	c := tabled{Text: curves.Text{Name: t.Text("name"), Unit: t.Text("unit"), Of: t.Text("value")}, at: t}
	d.columnName(t, "a curve", c.Text)
	d.curves = append(d.curves, c)
}

func (d *Deck) readResult(t *tables.Reader) {
	c := tabled{Text: curves.Text{Name: t.Text("name"), Unit: t.Text("unit"), Of: t.Text("of"), Over: t.Text("over"), ShareOf: t.Text("share_of")}, at: t, of: map[string]tables.Dimension{}}
	d.columnName(t, "a result", c.Text)
	c.Reading = curves.Reading{Take: t.Word("take"), From: c.limit("from"), To: c.limit("to")}
	if from, to := c.Reading.From, c.Reading.To; from.Given && to.Given && from.Share == to.Share && from.Value >= to.Value {
		t.Bad("to", "the part of the curve begins at %[2]s and ends at %[1]s, so that it is empty: to must be above from", to, from)
	}
	if take := c.Reading.Take; take == "at" || take == "count" {
		t.Need("from", `0.01, a value of over, or "50 %" of its peak`)
	}
	if c.ShareOf != "" && !c.Reading.From.Share && !c.Reading.To.Share {
		t.Bad("share_of", `share_of needs a from or a to that is a fraction of its peak, such as "40 %%"`)
	}
	d.results = append(d.results, c)
}

// columnName checks the name and the unit of a curve or a result.
func (d *Deck) columnName(t *tables.Reader, what string, c curves.Text) {
	if !identifier.MatchString(c.Name) {
		t.Bad("name", "name must be of letters, digits and underscores, for expressions use it, got %q", c.Name)
	}
	d.unique(t, what, c.Name)
	if c.Unit == "" {
		return
	}
	if _, _, err := tables.ParseUnit(c.Unit, nil); err != nil {
		t.Bad("unit", "%v", err)
	}
}

// share is a fraction of a peak, such as "40 %".
var share = regexp.MustCompile(`^\s*([-+0-9.eE]+)\s*%\s*$`)

// limit reads a limit of a result: a number, a text with any unit, or a
// fraction of a peak.
func (c *tabled) limit(key string) curves.Limit {
	t := c.at
	v, given := t.Raw(key)
	if !given {
		return curves.Limit{}
	}
	text, ok := v.(string)
	if !ok {
		return curves.Limit{Value: t.Value(key, v, tables.None), Given: true}
	}
	if m := share.FindStringSubmatch(text); m != nil {
		part, err := strconv.ParseFloat(m[1], 64)
		if err != nil || part < 0 || part > 100 {
			t.Bad(key, "%s: a fraction of the peak must lie between 0 %% and 100 %%, got %q", key, text)
		}
		return curves.Limit{Value: part / 100, Share: true, Given: true}
	}
	_, unit := tables.SplitQuantity(text)
	_, dim, err := tables.ParseUnit(unit, nil)
	if err != nil {
		t.Bad(key, "%s: %v", key, err)
	}
	c.of[key] = dim
	return curves.Limit{Value: t.Value(key, text, dim), Given: true}
}

// numeral is a number in an expression.
var numeral = regexp.MustCompile(`(^|[\s(*/+,-])\.?[0-9]`)

// plain stops at a unit outside SI if the expression cannot have that unit. Columns are in
// SI, so the expression must have a number, or a curve or result in such a unit.
func (d *Deck) plain(c *tabled, text string) error {
	scale, _, err := tables.ParseUnit(c.Unit, nil)
	if err != nil || scale == 1 || c.Reading.Take == "count" || numeral.MatchString(text) {
		return nil
	}
	for _, other := range slices.Concat(d.curves, d.results) {
		if other.Name != c.Name && regexp.MustCompile(`\b`+other.Name+`\b`).MatchString(text) && (other.Unit == "" && numeral.MatchString(other.Of) || d.scaled(other.Unit)) {
			return nil
		}
	}
	return c.errorAt("unit", fmt.Errorf("the value is in SI, not in %s: give the unit without its prefix, since plots choose one themselves, or divide the value by %g", c.Unit, scale))
}

// scaled tells whether a unit is outside SI.
func (d *Deck) scaled(unit string) bool {
	scale, _, err := tables.ParseUnit(unit, nil)
	return err == nil && scale != 1
}

// measured stops if from and to have another dimension than the column whose values they
// are, if its unit is known. It converts them to the column's unit.
func (d *Deck) measured(c *tabled, columns []string) error {
	over := cmp.Or(c.Over, "time")
	unit, found := "", false
	for _, other := range d.curves {
		if other.Name == over {
			unit, found = other.Unit, other.Unit != ""
		}
	}
	if k := slices.Index(columns, over); k >= 0 && !found {
		q := quantity.Read(columns)[k]
		unit, found = q.Unit, q.Unit != ""
	}
	scale, dim, err := tables.ParseUnit(unit, nil)
	if !found || err != nil || c.Reading.Take == "count" {
		return nil
	}
	for _, key := range []string{"from", "to"} {
		limit := map[string]*curves.Limit{"from": &c.Reading.From, "to": &c.Reading.To}[key]
		if of, is := c.of[key]; is && of != tables.None && of != dim {
			text, _ := c.at.Raw(key)
			return c.errorAt(key, fmt.Errorf("%s must have the dimension of %s, whose unit is %s, got %q", key, over, unit, text))
		}
		if c.of[key] == dim && dim != tables.None {
			limit.Value /= scale
		}
	}
	return nil
}

// Curves compiles the curves and results of the deck for a history with the given
// columns, and further constants for expressions. A name that is unknown or used twice
// is an *Error.
func (d *Deck) Curves(columns []string, constants map[string]float64) (*curves.Set, error) {
	if k := slices.Index(columns, "strain"); k >= 0 && slices.ContainsFunc(d.curves, func(c tabled) bool { return c.Name == "strain" }) {
		columns = slices.Clone(columns)
		columns[k] = quantity.StrainEnergy
	}
	b := curves.Begin(columns, constants)
	for _, c := range d.curves {
		if slices.Contains(columns, c.Name) {
			return nil, c.errorAt("name", fmt.Errorf("history.csv has a column %q: give the curve another name", c.Name))
		}
		if err := d.plain(&c, c.Of); err != nil {
			return nil, err
		}
		if err := b.Curve(c.Text); err != nil {
			return nil, c.errorAt("value", err)
		}
	}
	for _, c := range d.results {
		if slices.Contains(b.Header(), c.Name) {
			return nil, c.errorAt("name", fmt.Errorf("history.csv has a column %q: give the result another name", c.Name))
		}
		if err := d.measured(&c, columns); err != nil {
			return nil, err
		}
		if err := d.plain(&c, c.Of+" "+c.Over); err != nil {
			return nil, err
		}
		if key, err := b.Result(c.Text); err != nil {
			return nil, c.errorAt(key, err)
		}
	}
	return b, nil
}

// errorAt returns an error with its position.
func (c *tabled) errorAt(key string, err error) error {
	return c.at.ErrorAt(c.at.At(key), fmt.Sprintf("%s: %s", c.at.Title, strings.TrimSpace(err.Error())))
}
