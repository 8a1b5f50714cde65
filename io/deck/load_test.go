package deck

import (
	"testing"

	"fdem/io/tables"
	"fdem/materials/elementary"
)

// Expressions take the functions that have the same bits on every machine,
// powers too, whatever the types of their operands.
func TestExpressionsTakeElementaryFunctions(t *testing.T) {
	for text, want := range map[string]func(t float64) float64{
		"t^0.653":         func(t float64) float64 { return elementary.Pow(t, 0.653) },
		"2 ** t":          func(t float64) float64 { return elementary.Pow(2, t) },
		"3^0.3 * t":       func(t float64) float64 { return elementary.Pow(3, 0.3) * t },
		"min(t, 2)^0.653": func(t float64) float64 { return elementary.Pow(min(t, 2), 0.653) },
		"(t > 1 ? t : 2) ** 1.1": func(t float64) float64 {
			if t <= 1 {
				t = 2
			}
			return elementary.Pow(t, 1.1)
		},
		"sin(t) * exp(t)^0.2 + 1": func(t float64) float64 { return float64(elementary.Sin(t)*elementary.Pow(elementary.Exp(t), 0.2)) + 1 },
		"cos(t) + tan(t)":         func(t float64) float64 { return elementary.Cos(t) + elementary.Tan(t) },
		"log(1 + t)":              func(t float64) float64 { return elementary.Log(1 + t) },
	} {
		d := &Deck{}
		d.model.Duration = 1
		at, err := d.expression(&tables.Reader{Title: "load 1"}, "schedule", text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		for i := range 500 {
			if x := float64(i)/300 + 1e-3; at(x) != want(x) {
				t.Errorf("%s at %g is %v, not %v", text, x, at(x), want(x))
				break
			}
		}
	}
}
