package view

import (
	"math"
	"slices"
)

// busiest returns the frame of the greatest strain energy in the history (for bodies
// stressed at the start, of its greatest change) or of the greatest contact force. If
// the preferred one of the two does not exist it takes the other, and without both the
// first frame.
func (f *Folder) busiest(contact bool) int {
	t := &f.history
	time, ok := t.Column("time")
	if !ok || len(f.frames) == 0 {
		return 0
	}
	force := make([]float64, len(time)) // of all contacts
	for _, name := range names(t.Columns, ".normal") {
		column, _ := t.Column(name + ".normal")
		for i, v := range column {
			force[i] += math.Abs(v)
		}
	}
	strain, _ := t.Column("strain")
	kinetic, _ := t.Column("kinetic")
	change := slices.Clone(strain)
	if len(strain) > 0 && time[0] == 0 {
		for i := range change {
			change[i] -= strain[0]
		}
	}
	if peak(change) <= roundoff*max(peak(kinetic), peak(strain)) {
		change = nil
	}
	order := [][]float64{change, force}
	if contact {
		slices.Reverse(order)
	}
	for _, values := range order {
		if most := peak(values); most > 0 {
			return f.showing(time, values, most)
		}
	}
	return 0
}

// showing returns the frame at whose time values of the history are greatest. most is the
// greatest of all values. If an event between two frames has left no value at any frame,
// it returns the frame nearest to the event.
func (f *Folder) showing(time, values []float64, most float64) int {
	best, found := -1, roundoff*most
	k := 0 // the row nearest to a frame
	for i, t := range f.meta.Times {
		for k+1 < len(time) && math.Abs(time[k+1]-t) <= math.Abs(time[k]-t) {
			k++
		}
		if v := math.Abs(values[k]); v > found && v <= most {
			best, found = i, v
		}
	}
	if best >= 0 {
		return best
	}
	at := slices.IndexFunc(values, func(v float64) bool { return math.Abs(v) == most })
	return nearestTo(f.meta.Times, time[at])
}

// roundoff is the relative size below which a number counts as zero against
// another.
const roundoff = 1e-9

// kelvin is the unit of fields whose colours need not begin at 0.
const kelvin = "K"

// rangeOf returns the range of a field's values. Stresses peak in a few cells,
// so Top leaves out one cell in 200.
func rangeOf(v Field, values []float32) Range {
	w := len(v.pick)
	parts := w // of Most
	if w == 2 {
		parts = 3
	}
	r := Range{Most: make([]Most, parts+len(v.Derived))}
	for i := range r.Most {
		r.Most[i].At = -1
	}
	keep := func(part int, value float64, at int) {
		if m := &r.Most[part]; m.At < 0 || math.Abs(value) > math.Abs(m.Value) {
			m.Value, m.At = value, at
		}
	}
	var sample []float64
	every := max(1, len(values)/w/20000)
	for k := 0; k+w <= len(values); k += w {
		size := 0.0
		for _, c := range values[k : k+w] {
			if len(v.Derived) > 0 || v.Name == "stress" {
				size = max(size, math.Abs(float64(c)))
			} else {
				size = math.Hypot(size, float64(c))
			}
		}
		if math.IsNaN(size) || math.IsInf(size, 0) {
			continue
		}
		for c, value := range values[k : k+w] {
			keep(parts-w+c, float64(value), k/w)
		}
		if w == 2 {
			keep(0, size, k/w)
		}
		if len(v.Derived) > 0 {
			for c, value := range derivedParts(values[k : k+w]) {
				keep(parts+c, value, k/w)
			}
		}
		r.Peak = max(r.Peak, size)
		if v.Unit == kelvin && size > 0 && (r.Low == 0 || size < r.Low) { // bodies without a temperature have 0
			r.Low = size
		}
		if v.On == "cell" && k/w%every == 0 {
			sample = append(sample, size)
		}
	}
	r.Top = r.Peak
	if n := len(sample); n >= 200 {
		slices.Sort(sample)
		r.Top = sample[n-1-n/200]
	}
	return r
}
