package deck

import (
	"fmt"
	"math"
	"slices"

	"fdem/materials/elementary"
	"fdem/solver"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm/runtime"
	"gonum.org/v1/gonum/spatial/r2"
)

// readLoads reads loads. A force whose components are expressions of time
// becomes one load for each component.
func (d *Deck) readLoads(blocks []*table) {
	for _, t := range blocks {
		t.need("on", `"tip"`)
		l := load{table: t}
		l.On = t.text("on", "")
		given := 0
		for _, key := range []string{"force", "pressure", "moment"} {
			if t.has(key) {
				given++
			}
		}
		if given != 1 {
			t.bad("on", "a load has either a force or a pressure, or a moment on a beam")
		}
		l.Schedule = d.schedule(t)
		before := len(d.loads)
		switch {
		case t.has("moment"):
			d.moment(t, l)
		case t.has("pressure"):
			v, _ := t.get("pressure")
			var s solver.Schedule
			if l.Pressure, s = d.amount(t, "pressure", v, Pressure); s != nil {
				l.Schedule = product(l.Schedule, s)
			}
			d.loads = append(d.loads, l)
		default:
			for i, v := range t.list("force", 2) {
				part := l
				f, s := d.amount(t, "force", v, Force)
				if f == 0 && s == nil {
					continue
				}
				part.Force = r2.Vec{X: f}
				if i == 1 {
					part.Force = r2.Vec{Y: f}
				}
				part.Schedule = product(l.Schedule, s)
				d.loads = append(d.loads, part)
			}
		}
		t.done()
		if len(d.loads) == before {
			t.bad("force", "the force is zero")
		}
		for i := before; i < len(d.loads); i++ {
			d.loads[i].Schedule = d.ramped(d.loads[i].Schedule)
		}
	}
}

// product multiplies two factors in time; nil is 1.
func product(a, b solver.Schedule) solver.Schedule {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return func(t float64) float64 { return a(t) * b(t) }
}

// amount reads a quantity, or an expression of t in SI, for which it returns 1
// and the schedule.
func (d *Deck) amount(t *table, key string, v any, dim Dimension) (float64, solver.Schedule) {
	if s, ok := v.(string); ok {
		if _, err := ParseQuantity(s, dim); err != nil {
			if f, compileErr := d.expression(s); compileErr == nil {
				return 1, f
			}
			t.bad(key, "%s: %v, and no expression of t", key, err)
		}
	}
	return t.number(key, v, dim), nil
}

// schedule reads a list of [time, factor] or an expression of t; nil where
// there is none.
func (d *Deck) schedule(t *table) solver.Schedule {
	v, ok := t.get("schedule")
	if !ok {
		return nil
	}
	if s, ok := v.(string); ok {
		f, err := d.expression(s)
		if err != nil {
			t.bad("schedule", "schedule: %v", err)
		}
		return f
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		t.bad("schedule", "schedule must be a list of [time, factor] or an expression of t, got %s", describe(v))
	}
	var times, factors []float64
	for _, e := range list {
		pair, ok := e.([]any)
		if !ok || len(pair) != 2 {
			t.bad("schedule", "schedule must be a list of [time, factor], got %s in it", describe(e))
		}
		times = append(times, d.instant(t, "schedule", pair[0]))
		factors = append(factors, t.number("schedule", pair[1], None))
	}
	if !slices.IsSorted(times) {
		t.bad("schedule", "the times of a schedule must not decrease")
	}
	d.breaks(times)
	return func(at float64) float64 { return interpolate(times, factors, at) }
}

// instant reads a time, or a fraction of the duration such as "50 %".
func (d *Deck) instant(t *table, key string, v any) float64 {
	if s, ok := v.(string); ok {
		if f, err := ParseQuantity(s, None); err == nil {
			return f * d.model.Duration
		}
	}
	return t.number(key, v, Time)
}

// interpolate is linear between the points and constant outside.
func interpolate(x, y []float64, at float64) float64 {
	i, _ := slices.BinarySearch(x, at)
	switch {
	case i == 0:
		return y[0]
	case i == len(x):
		return y[len(y)-1]
	case x[i] == x[i-1]:
		return y[i]
	}
	s := (at - x[i-1]) / (x[i] - x[i-1])
	return y[i-1] + float64(s*(y[i]-y[i-1]))
}

// expression compiles an expression of the time t in seconds.
func (d *Deck) expression(s string) (solver.Schedule, error) {
	one := func(f func(float64) float64) func(...any) (any, error) {
		return func(args ...any) (any, error) {
			switch x := args[0].(type) {
			case float64:
				return f(x), nil
			case int:
				return f(float64(x)), nil
			}
			return nil, fmt.Errorf("expected a number, got %v", args[0])
		}
	}
	options := []expr.Option{expr.Env(map[string]any{"t": 0.0, "pi": math.Pi}), expr.AsFloat64(), expr.MaxNodes(1000)}
	for name, f := range map[string]func(float64) float64{
		"sin": elementary.Sin, "cos": elementary.Cos, "tan": elementary.Tan, "exp": elementary.Exp, "log": elementary.Log, "sqrt": math.Sqrt,
	} {
		options = append(options, expr.Function(name, one(f), new(func(float64) float64), new(func(int) float64)))
	}
	if _, err := expr.Compile(s, options...); err != nil { // with operators of our own, unknown names pass
		return nil, fmt.Errorf("%q is no expression of t: %w", s, err)
	}
	options = append(options, expr.Operator("^", "pow"), expr.Operator("**", "pow"), expr.Function("pow", func(args ...any) (any, error) {
		return elementary.Pow(runtime.ToFloat64(args[0]), runtime.ToFloat64(args[1])), nil
	}, new(func(any, any) float64)))
	program, err := expr.Compile(s, options...)
	if err != nil {
		return nil, fmt.Errorf("%q is no expression of t: %w", s, err)
	}
	at := func(t float64) float64 {
		v, err := expr.Run(program, map[string]any{"t": t, "pi": math.Pi})
		if f, ok := v.(float64); ok && err == nil {
			return f
		}
		return math.NaN()
	}
	for _, t := range []float64{0, d.model.Duration / 2, d.model.Duration} {
		if v := at(t); math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%q has no finite value at t = %g s", s, t)
		}
	}
	return at, nil
}
