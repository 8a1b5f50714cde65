package view

import (
	"math"
	"slices"
)

// maxPoints is the greatest number of frames that are read for a curve.
const maxPoints = 400

// evenly returns about most of n frames, with the last one.
func evenly(n, most int) []int {
	every := max(1, (n+most-1)/most)
	var out []int
	for i := range n {
		if i%every == 0 || i == n-1 {
			out = append(out, i)
		}
	}
	return out
}

// drawDeflection draws the normal force of every contact of surfaces over the
// greatest deflection of its contact nodes, for every frame, or for some frames
// if there are very many.
func (f *Folder) drawDeflection(m Meta, tell func(done, of int), save saver) {
	if !slices.ContainsFunc(m.Fields, func(v Field) bool { return v.On == "contact" && v.Name == "deflection" }) {
		return
	}
	table := f.History()
	time, _ := table.Column("time")
	var lines []line
	var forces [][]float64
	for _, name := range names(m.Columns, ".normal") {
		force, _ := table.Column(name + ".normal")
		lines, forces = append(lines, line{name: name}), append(forces, force)
	}
	frames := evenly(m.Contact, maxPoints)
	for k, i := range frames {
		if tell != nil {
			tell(k, len(frames))
		}
		v := f.values(i, Field{Name: "deflection", On: "contact", pick: []int{0}, width: 1})
		if v == nil {
			return
		}
		deepest := make([]float64, len(lines))
		for k, s := range m.Surfaces {
			if s.Contact >= len(deepest) { // the history does not have it
				continue
			}
			for _, n := range f.static.order[k] {
				deepest[s.Contact] = max(deepest[s.Contact], float64(v[n]))
			}
		}
		row, _ := slices.BinarySearch(time, m.Times[i]*(1-1e-9))
		if row == len(time) {
			break
		}
		for k := range lines {
			lines[k].x, lines[k].y = append(lines[k].x, deepest[k]), append(lines[k].y, forces[k][row])
		}
	}
	lines = slices.DeleteFunc(lines, func(l line) bool { return peak(l.x) == 0 || peak(l.y) == 0 })
	if len(lines) == 0 {
		return
	}
	p := curves("Contact force over the greatest deflection", "deflection", "m", "N", lines[:min(len(lines), maxLines)], math.NaN())
	save("deflection", curvesWidth, curvesHeight, p.Draw)
}
