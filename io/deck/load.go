package deck

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"fdem/io/expression"
	"fdem/io/tables"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

var loadBlock = tables.Block{Name: "load", Many: true, Doc: "A force, a pressure or a moment, which may change with time.", Read: ofDeck((*Deck).readLoad), Keys: slices.Concat([]tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"tip"`, Doc: "a physical point, curve or surface, over which a force is distributed by length or area; or a rigid body, at whose centre it acts"},
	{Name: "force", Kind: tables.Pair, Also: []tables.Kind{tables.Expression}, Dim: tables.Force, Default: "-", Branch: true, Doc: "the total force. Each component may be an expression of t in newtons and seconds, \"-2e3 * min(t/0.01, 1)\""},
	{Name: "pressure", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression}, Dim: tables.Pressure, Default: "-", Branch: true, Doc: "pressure on a boundary curve or on a side of beams; it follows the surface. It may be an expression of t, and of the position x and y of the curve at the start: \"9810*max(10 - y, 0)\""},
	{Name: "side", Kind: tables.Word, Words: []string{"left", "right"}, Default: "-", With: []tables.With{tables.If("pressure")}, Doc: `side of beams on which the pressure acts: "left" or "right" of the direction in which their curve is drawn`},
	{Name: "line_load", Kind: tables.Pair, Also: []tables.Kind{tables.Expression}, Dim: tables.SurfaceEnergy, Default: "-", Branch: true, Doc: "force per length along beams, with a constant direction. Each component may be an expression of t, and of the position x and y of the beams at the start"},
	{Name: "moment", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression}, Dim: tables.Moment, Default: "-", Doc: "moment on nodes of beams or on a rigid body, anticlockwise; or an expression of t"},
	{Name: "beam", Kind: tables.Text, Default: "-", With: []tables.With{tables.If("moment")}, Doc: "name of the [[beam]] on which the moment acts, at a [[hinge]]"},
	{Name: "acceleration", Kind: tables.Pair, Also: []tables.Kind{tables.Expression}, Dim: tables.Acceleration, Default: "-", Branch: true, Doc: "acceleration of one body, as by gravity: meshed, beam or rigid. Each component may be an expression of t, and of the position x and y, in SI"},
	{Name: "body_force", Kind: tables.Pair, Also: []tables.Kind{tables.Expression}, Dim: perVolume, Default: "-", Branch: true, Doc: "force per volume of a body, given as acceleration is"},
	{Name: "schedule", Kind: tables.Schedule, Default: "-", Branch: true, Doc: "factor over time: a list of [time, factor], linear between the rows (times may be \"50 %\" of the duration), or an expression of t. Without it a load is constant; in a static analysis it grows linearly from zero"},
}, coming("when it begins to act. A schedule has the times of the run; in a static analysis a load without one grows from then on"), goingKeys)}

// readLoad reads a load. A force whose components are expressions of time
// becomes one load for each component.
func (d *Deck) readLoad(t *tables.Reader) {
	whole := model.Load{On: t.Text("on")}
	t.Word("side")
	t.Text("beam")
	given := 0
	for _, key := range []string{"force", "pressure", "moment", "line_load", "acceleration", "body_force"} {
		if t.Has(key) {
			given++
		}
	}
	if given != 1 {
		t.Bad("on", "a load needs one of force, pressure, moment, line_load, acceleration and body_force")
	}
	usual, stage := d.schedule(t), d.readStage(t, t.Text("on"))
	if whole.When = stage.When; usual != nil && whole.From > 0 && greatest(usual, d.model.Duration, samples) > 0 && greatest(product(usual, whole.Share), d.model.Duration, finely) == 0 {
		d.warnLater("%s: schedule is 0 from %g s on, when the load begins to act, so that it has no effect", t.Title, whole.From)
	}
	if d.readBodyForce(t, whole, usual, stage) {
		return
	}
	add := func(key string, v any, list []any, set func(l *model.Load, amount float64)) bool {
		if s, ok := v.(string); ok && (key == "pressure" || key == "line_load") && ofPosition(s) {
			l := whole
			set(&l, 1)
			l.ByPosition, l.Of, l.Schedule = d.compiledAt(t, key, s), expressionName(t, key, s), d.rampedIfConstant(usual, s, stage)
			d.addLoad(stage, func(r *resolver) model.Load {
				l := r.loaded(t, l)
				r.checkValues(t, key, s, &l)
				return l
			})
			return true
		}
		amount, s := d.amount(t, key, v, t.EntryOf(key, tables.Pair, tables.Quantity).Dim, list)
		if amount == 0 && s == nil && key != "pressure" {
			return false
		}
		l := whole
		set(&l, amount)
		l.Schedule = d.ramped(product(usual, s), stage)
		d.addLoad(stage, func(r *resolver) model.Load { return r.loaded(t, l) })
		return true
	}
	if v, ok := t.Raw("moment"); ok && !add("moment", v, nil, func(l *model.Load, m float64) { l.Moment = m }) {
		t.Bad("moment", "the moment is zero")
	}
	if v, ok := t.Raw("pressure"); ok {
		add("pressure", v, nil, func(l *model.Load, p float64) { l.Pressure = p })
	}
	for _, key := range []string{"force", "line_load"} {
		if list := t.List(key, 2); list != nil {
			x := add(key, list[0], list, func(l *model.Load, f float64) { l.Force.X = f })
			if y := add(key, list[1], list, func(l *model.Load, f float64) { l.Force.Y = f }); !x && !y {
				t.Bad(key, "the %s is zero", strings.ReplaceAll(key, "_", " "))
			}
		}
	}
}

// addLoad adds a load, with when it acts, once the mesh is known.
func (d *Deck) addLoad(when stage, of func(r *resolver) model.Load) {
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		l := of(r)
		l.When = when.at(r)
		m.Loads = append(m.Loads, l)
	})
}

// loaded resolves a load. A force on a curve is distributed by length, on a
// body by area. On a rigid body it acts at its centre.
func (r *resolver) loaded(t *tables.Reader, l model.Load) model.Load {
	if slices.ContainsFunc(r.rigids, func(b rigid) bool { return b.Name == l.On }) {
		if t.Has("pressure") {
			t.Bad("pressure", "a pressure needs a curve of a meshed body; a rigid body takes a force")
		}
		if t.Has("moment") {
			return r.turned(t, l)
		}
		l.Nodes, l.Weights = r.throughCentre(l.On)
		return l
	}
	g := r.group(t, "on", l.On)
	beams, length := r.beamsOn(g)
	switch {
	case len(beams) == 0 && (t.Has("line_load") || t.Has("side")):
		t.Bad("on", "a line_load, or a pressure with a side, needs a curve of beams, and %q is not one", l.On)
	case t.Has("line_load"):
		l.Line, l.Force = &model.LineLoad{Elements: beams, Force: l.Force}, r2.Vec{}
		return l
	case t.Has("side"):
		l.Line = &model.LineLoad{Elements: beams, Side: r.sides(t, beams)}
		return l
	case len(beams) > 0 && t.Has("force") && len(g.Edges) == 0:
		l.Line, l.Force = &model.LineLoad{Elements: beams, Force: r2.Scale(1/length, l.Force)}, r2.Vec{}
		return l
	case len(beams) > 0 && t.Has("pressure") && len(g.Edges) == 0:
		t.Bad("pressure", "a pressure on beams acts on one side: say on which one, side = \"left\" or \"right\" of the direction in which the curve is drawn")
	}
	if t.Has("pressure") {
		if l.Edges = g.Edges; len(g.Edges) == 0 {
			t.Bad("on", "a pressure needs a curve on the boundary of a body, and %q has no boundary edge", l.On)
		}
		return l
	}
	if n := r.ofBeams(g.Nodes); t.Has("moment") && len(n) < len(g.Nodes) {
		t.Bad("on", "a moment acts on nodes of a beam, and %d of the %d nodes of %q are not of one", len(g.Nodes)-len(n), len(g.Nodes), l.On)
	}
	return r.spread(t, l, g, beams)
}

// spread distributes a load on a group to its nodes: a moment to nodes of beams, a
// force by length or area.
func (r *resolver) spread(t *tables.Reader, l model.Load, g *mesh.Group, beams []int32) model.Load {
	weight := r.newWeights()
	nodes, x := g.Nodes, r.mesh.X
	length := func(a, b int32) float64 { return elementary.Norm(r2.Sub(x[b], x[a])) }
	switch {
	case t.Has("moment"):
		nodes = r.rotating(t, g.Nodes)
		for _, e := range beams {
			b := r.mesh.Beams[e]
			for _, n := range r.hinged(b) {
				i, _ := slices.BinarySearch(g.Nodes, n)
				weight.share(length(b[0], b[1]), -1, nodes[i])
			}
		}
		if beams == nil {
			weight.share(1, -1, nodes...)
		}
	case len(beams) > 0 && len(g.Edges) == 0: // only for a spring
		for _, e := range beams {
			b := r.mesh.Beams[e]
			weight.share(length(b[0], b[1]), -1, r.hinged(b)...)
		}
	case len(g.Edges) > 0:
		for _, i := range g.Edges {
			e := r.mesh.Edges[i]
			weight.share(length(e.A, e.B), e.Tri, e.A, e.B)
		}
	case g.Dim == 2:
		for i, t := range r.mesh.Triangles {
			if inGroup(g, t[:]) {
				a, b, c := x[t[0]], x[t[1]], x[t[2]]
				weight.share(elementary.Cross(r2.Sub(b, a), r2.Sub(c, a)), int32(i), t[:]...)
			}
		}
	default:
		weight.share(1, -1, g.Nodes...)
	}
	total := weight.put(&l, nodes)
	for i := range l.Weights {
		l.Weights[i] /= total
	}
	return l
}

// product returns the product of two schedules; nil is 1.
func product(a, b model.Schedule) model.Schedule {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return func(t float64) float64 { return a(t) * b(t) }
}

// amount reads a quantity, or an expression of t in SI, for which it returns 1
// and the schedule. In a list with an expression of t a number in quotes is an
// expression, too.
func (d *Deck) amount(t *tables.Reader, key string, v any, dim tables.Dimension, list []any) (float64, model.Schedule) {
	if s, ok := v.(string); ok {
		_, err := tables.ParseQuantity(s, dim)
		if _, unit := tables.SplitQuantity(s); err == nil && unit == "" && slices.ContainsFunc(list, func(v any) bool {
			s, ok := v.(string)
			return ok && slices.Contains(names.FindAllString(s, -1), "t")
		}) {
			return t.Component(key, strings.TrimSpace(s)+" "+dim.Unit(), dim), nil
		}
		if err != nil {
			f, wrong := d.expression(t, key, s)
			switch {
			case wrong == nil:
				d.warnSchedule(t, key, f, nil, false)
				return 1, f
			case key == "force" && ofPosition(s):
				t.Bad(key, "%s: %q depends on x or y, but a total force cannot: for a load that varies with the position use a pressure, a line_load, an acceleration or a body_force", key, s)
			case ofTime(s):
				t.Bad(key, "%s: %v", key, wrong)
			case strings.TrimSpace(s) == "":
				t.Bad(key, "%s: %v", key, err)
			}
			t.Bad(key, "%s: %v; read as an expression of t: %v", key, err, wrong)
		}
	}
	return t.Component(key, v, dim), nil
}

// A word of an expression: a name without a digit before it.
var names = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// ofTime tells whether a text that is not a quantity is meant as an expression:
// it has the time, a comparison, a call or a choice.
func ofTime(s string) bool {
	return slices.Contains(names.FindAllString(s, -1), "t") || strings.ContainsAny(s, "(?<>+")
}

// schedule reads a list of [time, factor] or an expression of t, nil if there
// is none.
func (d *Deck) schedule(t *tables.Reader) model.Schedule { return d.scheduleOf(t, "schedule") }

func (d *Deck) scheduleOf(t *tables.Reader, key string) model.Schedule {
	v, ok := t.Raw(key)
	if !ok {
		return nil
	}
	if s, ok := v.(string); ok {
		if _, err := tables.ParseQuantity(s, tables.None); err == nil {
			t.Bad(key, "%s must be a list of [time, factor] or an expression of t, got %q", key, s)
		}
		f, err := d.expression(t, key, s)
		if err != nil {
			t.Bad(key, "%s: %v", key, err)
		}
		d.warnSchedule(t, key, f, nil, true)
		return f
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		t.Bad(key, "%s must be a list of [time, factor] or an expression of t, got %s", key, tables.Describe(v))
	}
	var times, factors []float64
	for _, e := range list {
		pair, ok := e.([]any)
		if !ok || len(pair) != 2 {
			t.Bad(key, "%s must be a list of [time, factor], got %s in it", key, tables.Describe(e))
		}
		times = append(times, d.instant(t, key, pair[0]))
		factors = append(factors, t.Value(key, pair[1], tables.None))
	}
	if !slices.IsSorted(times) {
		t.Bad(key, "the times of a schedule must not decrease")
	}
	d.breaks(times)
	of := func(at float64) float64 { return (&model.Curve{X: times, Value: factors}).At(at) }
	d.warnSchedule(t, key, of, times, true)
	return of
}

// instant reads a time, or a fraction of the duration such as "50 %".
func (d *Deck) instant(t *tables.Reader, key string, v any) float64 {
	if s, ok := v.(string); ok {
		if _, unit := tables.SplitQuantity(s); unit != "" {
			if f, err := tables.ParseQuantity(s, tables.None); err == nil {
				return f * d.model.Duration
			}
		}
	}
	return t.Value(key, v, tables.Time)
}

// samples is the number of times at which an expression is checked over the
// duration before a run.
const samples = 1000

// expressionName returns the name of an expression for messages of the run.
func expressionName(t *tables.Reader, key, s string) string {
	return fmt.Sprintf("%s: %s = %q", t.Title, key, s)
}

// compiledAt compiles an expression of the time t and the position x, y under a
// key.
func (d *Deck) compiledAt(t *tables.Reader, key, s string) func(at float64, x r2.Vec) float64 {
	f, err := compiled(s, true)
	if err != nil {
		t.Bad(key, "%s: %v", key, err)
	}
	return f
}

// rampedIfConstant is ramped for a load that is an expression of the position. An expression of
// t needs no ramp.
func (d *Deck) rampedIfConstant(usual model.Schedule, s string, when stage) model.Schedule {
	if slices.Contains(names.FindAllString(s, -1), "t") {
		return usual
	}
	return d.ramped(usual, when)
}

// checkValues stops if an expression of the position has no value on the loaded nodes, at
// the start, in the middle or at the end of the time.
func (r *resolver) checkValues(t *tables.Reader, key, s string, l *model.Load) {
	check := func(a, b int32) {
		middle := elementary.Between(r.mesh.X[a], r.mesh.X[b], 0.5)
		for _, at := range []float64{0, 0.5, 1} {
			at *= r.model.Duration
			if v := l.ByPosition(at, middle); math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e30 {
				t.Bad(key, "%s: %q is %g at t = %.6g s, x = %.6g m, y = %.6g m: it must be a number of at most 1e30", key, s, v, at, middle.X, middle.Y)
			}
		}
	}
	for _, i := range l.Edges {
		check(r.mesh.Edges[i].A, r.mesh.Edges[i].B)
	}
	if l.Line != nil {
		for _, e := range l.Line.Elements {
			check(r.mesh.Beams[e][0], r.mesh.Beams[e][1])
		}
	}
}

// expression compiles an expression of the time t in seconds under a key.
func (d *Deck) expression(table *tables.Reader, key, s string) (model.Schedule, error) {
	f, err := compiled(s, false)
	if err != nil {
		return nil, err
	}
	at := func(t float64) float64 { return f(t, r2.Vec{}) }
	if err := d.finite(s, at); err != nil {
		return nil, err
	}
	d.model.Expressions = append(d.model.Expressions, model.Expression{Of: expressionName(table, key, s), At: at})
	return at, nil
}

// finite returns an error for an expression that has no plausible value at one of some
// times of the run, or that has a pole between two of them.
func (d *Deck) finite(s string, at model.Schedule) error {
	var value [samples + 1]float64
	time := func(i int) float64 { return d.model.Duration * (float64(i) / samples) }
	for i := range value {
		t := time(i)
		switch v := at(t); {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return fmt.Errorf("%q has no finite value at t = %.6g s", shortened(s), t)
		case math.Abs(v) > 1e30:
			return fmt.Errorf("%q is %g at t = %.6g s: at most 1e30", shortened(s), v, t)
		default:
			value[i] = math.Abs(v)
		}
	}
	for i := 1; i < samples; i++ {
		if before, v, after := value[i-1], value[i], value[i+1]; v < before || v < after || v == before && v == after {
			continue
		}
		if t, is := model.FindPole(at, time(i-1), time(i+1)); is {
			return fmt.Errorf("%q has a pole at t = %.9g s: it grows without bound there", shortened(s), t)
		}
	}
	return nil
}

// shortened returns a text for a message, cut if it is long.
func shortened(s string) string {
	const most = 200 // letters
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}

// compiled compiles an expression of the time t [s], and of the position x, y
// [m] if that is allowed.
func compiled(s string, ofPosition bool) (func(t float64, x r2.Vec) float64, error) {
	names := []string{"t"}
	if ofPosition {
		names = []string{"t", "x", "y"}
	}
	e, err := expression.Compile(s, names)
	if err != nil {
		return nil, misunderstood(s, err)
	}
	return func(t float64, x r2.Vec) float64 {
		args := [3]float64{t, x.X, x.Y}
		return e.Value(args[:len(names)])
	}, nil
}

// unitInside finds a number with a unit in an expression.
var unitInside = regexp.MustCompile(`(?:^|[^A-Za-z0-9_.])([0-9.]+(?:[eE][-+]?[0-9]+)?) ?([A-Za-zµμ%]+)`)

// misunderstood returns the error of an expression in one line.
func misunderstood(s string, err error) error {
	for _, m := range unitInside.FindAllStringSubmatch(s, -1) {
		if _, is := tables.LookupUnit(m[2]); is && m[2] != "t" || m[2] == "%" {
			return fmt.Errorf("%q contains the unit %s: write an expression with plain numbers in SI, t in seconds", shortened(s), m[2])
		}
	}
	return fmt.Errorf("%q is not an expression of t: %w", shortened(s), err)
}
