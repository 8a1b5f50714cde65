package view

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// ticks labels an axis at round intervals, four to nine times, and has marks between
// them.
type ticks struct{}

// Ticks implements plot.Ticker.
func (ticks) Ticks(low, high float64) (out []plot.Tick) {
	span := high - low
	if !(span > 1e-9*max(math.Abs(low), math.Abs(high))) || math.IsInf(span, 0) {
		return []plot.Tick{{Value: low, Label: strconv.FormatFloat(low, 'g', 6, 64)}}
	}
	power := math.Pow(10, math.Floor(math.Log10(span/4)))
	step, between := power, 5 // power is at most a quarter of the axis, and more than a fortieth
	for _, c := range []struct {
		step    float64
		between int
	}{{2, 4}, {2.5, 5}, {5, 5}} {
		if span/(c.step*power) >= 4 {
			step, between = c.step*power, c.between
		}
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	if step/math.Pow(10, float64(-digits)) != math.Round(step/math.Pow(10, float64(-digits))) {
		digits++ // 2.5
	}
	fine := step / float64(between)
	for k := math.Ceil(low/fine - 1e-9); k*fine <= high+1e-9*span; k++ {
		t := plot.Tick{Value: min(max(k*fine, low), high)} // there is no room for a number beyond the end
		if n := math.Round(k / float64(between)); n*float64(between) == k {
			t.Label = numbered(n*step, digits)
		}
		out = append(out, t)
	}
	return out
}

// numbered sets the label of a tick.
func numbered(v float64, digits int) string {
	switch size := math.Abs(v); {
	case v == 0:
		return "0"
	case size >= 1e6 || digits > 5:
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	text := strconv.FormatFloat(v, 'f', digits, 64)
	if digits > 0 && strings.ContainsRune(text, '.') {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
