package view

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"fdem/io/guard"
	"fdem/io/throw"
	"fdem/io/vtk"
	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Charts that engineers draw of ground and its supports: forces along bolts, stress paths, Mohr's circles
// with the envelope of the strength, a rose of cracks, convergence and ground reaction curves. The page draws
// the same curves as fdem plot.

// Chart is curves at one time of a run.
type Chart struct {
	Name  string       `json:"name"` // of its picture
	Title string       `json:"title"`
	X     string       `json:"x"`
	Y     string       `json:"y"`
	UnitX string       `json:"unit_x"`
	UnitY string       `json:"unit_y"`
	Even  bool         `json:"even,omitempty"` // equal scales on both axes
	Lines []ChartCurve `json:"lines"`
}

// ChartCurve is a line of a chart.
type ChartCurve struct {
	Label string    `json:"label"`
	X     []float64 `json:"x"`
	Y     []float64 `json:"y"`
	Limit bool      `json:"limit,omitempty"` // an envelope of a strength
}

const convergenceChart = "convergence"

// chartKinds are the charts in their order, with what makes them at frame i of the fields. A chart without lines is none.
var chartKinds = []struct {
	name string
	now  bool // it is of one time
	of   func(f *Folder, i int) Chart
}{
	{"bolts", true, func(f *Folder, i int) Chart { return f.alongBolts(i, "axial_force") }},
	{"bond", true, func(f *Folder, i int) Chart { return f.alongBolts(i, "bond_force") }},
	{"capacity", true, (*Folder).capacities},
	{"stress-path", true, (*Folder).stressPaths},
	{"mohr", true, (*Folder).mohrCircles},
	{"rose", true, (*Folder).rose},
	{convergenceChart, false, func(f *Folder, _ int) Chart { return f.convergence() }},
	{"ground-reaction", false, func(f *Folder, _ int) Chart { return f.groundReaction() }},
}

// ChartNames returns the names of all charts.
func ChartNames() (out []string) {
	for _, k := range chartKinds {
		out = append(out, k.name)
	}
	return out
}

// chartRows is the greatest number of rows of the history in a chart, chartMost that of bolts.
const (
	chartRows = 500
	chartMost = 24
)

// Charts returns the charts at frame i of the fields.
func (f *Folder) Charts(i int) (out []Chart, err error) {
	defer throw.Catch(&err)
	m := f.Meta()
	for _, k := range chartKinds {
		if c := k.of(f, i); len(c.Lines) > 0 {
			if c.Name = k.name; k.now {
				c.Title += " at " + m.instant(i, 5)
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// chartBlob returns the charts at a frame as text.
func (f *Folder) chartBlob(i int) Blob {
	f.mu.Lock()
	n := len(f.frames)
	f.mu.Unlock()
	if i >= n {
		throw.If(errNone)
	}
	all := throw.Must(f.Charts(i))
	all = slices.DeleteFunc(all, func(c Chart) bool { return c.Name == convergenceChart }) // the page draws its columns
	if len(all) == 0 {
		all = []Chart{}
	}
	return Blob{throw.Must(json.Marshal(all)), 1}
}

// alongBolts draws a quantity along the bolts.
func (f *Folder) alongBolts(i int, name string) (c Chart) {
	file, _ := f.frameOf(i, func() []vtk.Frame { return f.bolts })
	if file == nil {
		return c
	}
	q := quantity.Must(quantity.BoltLine, name)
	c = Chart{Title: "Axial force along bolts", X: "distance from the head", UnitX: "m", Y: "axial force", UnitY: q.Unit}
	if name != "axial_force" {
		c.Title, c.Y = "Bond force along bolts", "force per length"
	}
	names, along, of := f.boltNames(), throw.Must(file.PointData("along")).Float64, throw.Must(file.CellData("bolt_id")).Int32
	there, err := file.CellData("installed") // where some come or go
	values, perCell := vtk.Array{}, name == "axial_force"
	if perCell {
		values = throw.Must(file.CellData(name))
	} else {
		values = throw.Must(file.PointData(name))
	}
	last := int32(-1)
	for k, b := range of {
		if err == nil && k < len(there.Int32) && there.Int32[k] == 0 || 2*k+1 >= len(along) {
			continue
		}
		if b != last {
			if len(c.Lines) == chartMost {
				break
			}
			c.Lines, last = append(c.Lines, ChartCurve{Label: names(b)}), b
		}
		l := &c.Lines[len(c.Lines)-1]
		for e := range 2 {
			at := 2*k + e
			if perCell {
				at = k
			}
			l.X, l.Y = append(l.X, along[2*k+e]), append(l.Y, values.Float64[at])
		}
	}
	return c
}

// capacities draws the greater moment at the ends of the elements of beams with a strength over their thrust, with
// what a section bears whose fibres reach the strength in compression or in tension.
func (f *Folder) capacities(i int) (c Chart) {
	var sections []struct {
		Name                                string
		Body                                int32
		Width, Height, Compression, Tension float64
	}
	data, err := guard.Read(f.dir, "sections.json", guard.Text)
	if err != nil || json.Unmarshal(data, &sections) != nil || len(sections) == 0 {
		return c
	}
	file, _ := f.frameOf(i, func() []vtk.Frame { return f.frames })
	if file == nil {
		return c
	}
	c = Chart{Title: "Moment and thrust of beams", X: "thrust, compression", UnitX: "N", Y: "bending moment", UnitY: "Nm"}
	body, n, m := throw.Must(file.CellData("body_id")).Int32, throw.Must(file.CellData("axial_force")).Float64, throw.Must(file.CellData("end_moment")).Float64
	there, err := file.CellData("installed") // where some come or go
	for _, s := range sections {
		l := ChartCurve{Label: s.Name}
		for k, b := range body {
			if k >= len(n) || b != s.Body || err == nil && k < len(there.Int32) && there.Int32[k] == 0 {
				continue
			}
			if last := len(l.X) - 1; last < 0 || l.X[last] != -n[k] || l.Y[last] != m[k] { // several cells show one element
				l.X, l.Y = append(l.X, -n[k]), append(l.Y, m[k])
			}
		}
		if len(l.X) == 0 {
			continue
		}
		area, modulus := s.Width*s.Height, s.Width*s.Height*s.Height/6
		c.Lines = append(c.Lines, l, ChartCurve{Label: "strength of " + s.Name, Limit: true,
			X: []float64{-s.Tension * area, 0.5 * (s.Compression - s.Tension) * area, s.Compression * area},
			Y: []float64{0, 0.5 * (s.Compression + s.Tension) * modulus, 0}})
	}
	return c
}

// boltNames returns a function with the names of the bolts, from the columns of the history.
func (f *Folder) boltNames() func(b int32) string {
	f.mu.Lock()
	all := names(f.meta.Columns, ".bond_slip")
	f.mu.Unlock()
	return func(b int32) string {
		if int(b) < len(all) {
			return all[b]
		}
		return ""
	}
}

// rowsUntil returns the history up to frame i of the fields, with at most chartRows rows. These are whole rows, the
// last one too: history.Thin keeps extremes of each column, of which no stress can be made.
func (f *Folder) rowsUntil(i int) (columns []string, rows [][]float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	end := math.Inf(1)
	if i < len(f.frames) {
		end = f.frames[i].Time
	}
	time := slices.Index(f.history.Columns, "time")
	for _, r := range f.history.Rows {
		if time < 0 || time >= len(r) || r[time] > end+1e-9*math.Abs(end) {
			break
		}
		rows = append(rows, r)
	}
	if every := 1 + len(rows)/chartRows; every > 1 {
		kept := [][]float64{}
		for k := len(rows) - 1; k >= 0; k -= every {
			kept = append(kept, rows[k])
		}
		slices.Reverse(kept)
		rows = kept
	}
	return f.history.Columns, rows
}

// stressed is the stress at a probe: half sums and half differences of the greatest and the least principal stress,
// compression positive [Pa].
type stressed struct {
	name string
	p, q []float64
	of   *strength
}

// stresses returns the stresses of all probes of stress up to frame i.
func (f *Folder) stresses(i int) (out []stressed) {
	columns, rows := f.rowsUntil(i)
	var known map[string]*strength
	if data, err := guard.Read(f.dir, "probes.json", guard.Text); err == nil {
		_ = json.Unmarshal(data, &known)
	}
	for k, name := range columns {
		name, is := strings.CutSuffix(name, ".xx")
		if !is || k+3 >= len(columns) || columns[k+2] != name+".zz" || columns[k+3] != name+".xy" {
			continue
		}
		s := stressed{name: name, of: known[name]}
		for _, r := range rows {
			m, d := 0.5*(r[k]+r[k+1]), math.Hypot(0.5*(r[k]-r[k+1]), r[k+3])
			high, low := max(m+d, r[k+2]), min(m-d, r[k+2])
			s.p, s.q = append(s.p, -0.5*(high+low)), append(s.q, 0.5*(high-low))
		}
		if len(s.p) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// atMost returns the half difference of the greatest and the least principal stress at which the strength is
// reached with a half sum p, compression positive, and the one between at their mean; 0 where there is none [Pa].
func (s *strength) atMost(p, far float64) float64 {
	used := func(q float64) float64 { return s.share(-(p - q), -(p + q), -p, 0) }
	low, high := 0.0, far
	if used(0) >= 1 {
		return 0
	}
	for range 60 {
		if mid := 0.5 * (low + high); used(mid) >= 1 {
			high = mid
		} else {
			low = mid
		}
	}
	return low
}

// limits returns the half differences at the strength over half sums from one to another, none for a material
// without a strength.
func (s *strength) limits(from, to float64) (p, q []float64) {
	const parts = 80
	far := 100 * max(math.Abs(from), math.Abs(to), 1)
	for k := range parts + 1 {
		at := from + (to-from)*float64(k)/parts
		if v := s.atMost(at, far); v > 0 && v < 0.99*far {
			p, q = append(p, at), append(q, v)
		}
	}
	return p, q
}

// reach returns the half sums that a chart of stresses shows.
func reach(of []stressed, whole bool) (low, high float64) {
	for _, s := range of {
		if s.of == nil {
			continue
		}
		for k := range s.p {
			if whole || k == 0 || k == len(s.p)-1 {
				low, high = min(low, s.p[k]-0.5*s.q[k]), max(high, s.p[k]+s.q[k])
			}
		}
	}
	margin := 0.1 * (high - low)
	return low - margin, high + margin
}

// stressPaths draws the stress paths of probes with the strength of their materials.
func (f *Folder) stressPaths(i int) Chart {
	c := Chart{Title: "Stress paths", X: "(σ₁ + σ₃)/2, compression", UnitX: "Pa", Y: "(σ₁ − σ₃)/2", UnitY: "Pa"}
	all := f.stresses(i)
	low, high := reach(all, true)
	for _, s := range all {
		c.Lines = append(c.Lines, ChartCurve{Label: s.name, X: s.p, Y: s.q})
	}
	for k, s := range all {
		if s.of == nil || slices.ContainsFunc(all[:k], func(o stressed) bool { return o.of.same(s.of) }) {
			continue
		}
		if p, q := s.of.limits(low, high); len(p) > 1 {
			c.Lines = append(c.Lines, ChartCurve{Label: "strength at " + s.name, X: p, Y: q, Limit: true})
		}
	}
	return c
}

// mohrCircles draws the circles of stress at probes, and the envelope of the circles at the strength.
func (f *Folder) mohrCircles(i int) Chart {
	c := Chart{Title: "Mohr's circles", X: "normal stress, compression", UnitX: "Pa", Y: "shear stress", UnitY: "Pa", Even: true}
	all := f.stresses(i)
	low, high := reach(all, false)
	for _, s := range all {
		const parts = 60
		l, p, q := ChartCurve{Label: s.name}, s.p[len(s.p)-1], s.q[len(s.q)-1]
		for k := range parts + 1 {
			sin, cos := math.Sincos(math.Pi * float64(k) / parts)
			l.X, l.Y = append(l.X, p-q*cos), append(l.Y, q*sin)
		}
		c.Lines = append(c.Lines, l)
	}
	for k, s := range all {
		if s.of == nil || slices.ContainsFunc(all[:k], func(o stressed) bool { return o.of.same(s.of) }) {
			continue
		}
		if x, y := envelope(s.of.limits(low, high)); len(x) > 1 {
			c.Lines = append(c.Lines, ChartCurve{Label: "strength at " + s.name, X: x, Y: y, Limit: true})
		}
	}
	return c
}

// envelope returns the envelope of circles with middles p and radii q(p): normal stress p - q q', shear stress
// q sqrt(1 - q'^2).
func envelope(p, q []float64) (x, y []float64) {
	for k := 0; k+1 < len(p); k++ {
		slope, m, r := (q[k+1]-q[k])/(p[k+1]-p[k]), 0.5*(p[k]+p[k+1]), 0.5*(q[k]+q[k+1])
		if math.Abs(slope) < 1 {
			x, y = append(x, m-r*slope), append(y, r*math.Sqrt(1-slope*slope))
		}
	}
	return x, y
}

// rose draws the directions of the cracks that have opened, by their length, in bins of ten degrees. The distance
// from the middle is the share of the length.
func (f *Folder) rose(i int) (c Chart) {
	if !f.holds(cracksName) {
		return c
	}
	file, _ := f.frameOf(i, func() []vtk.Frame { return f.cracks })
	if file == nil {
		return c
	}
	const bins = 18
	var length [bins]float64
	all, x := 0.0, throw.Must(file.Positions())
	damage, since := throw.Must(file.CellData("damage")).Float64, throw.Must(file.CellData("inserted_at")).Float64
	for k := 0; 2*k+1 < len(x) && k < len(damage); k++ {
		d := r2.Sub(x[2*k+1], x[2*k])
		l := r2.Norm(d)
		if !(damage[k] > 0 && since[k] > 0 && l > 0) { // joints are there from the start
			continue
		}
		at := math.Atan2(d.Y, d.X)
		if at < 0 {
			at += math.Pi
		}
		length[int(at/math.Pi*bins)%bins] += l
		all += l
	}
	if all == 0 {
		return c
	}
	c = Chart{Title: "Directions of cracks", X: "share of their length along x", UnitX: "%", Y: "along y", UnitY: "%", Even: true}
	l := ChartCurve{Label: "cracks"}
	for k := range 2 * bins {
		share := 100 * length[k%bins] / all
		for _, a := range []float64{0, 0.5, 1} {
			sin, cos := math.Sincos(math.Pi * (float64(k) + a) / bins)
			l.X, l.Y = append(l.X, share*cos), append(l.Y, share*sin)
		}
	}
	l.X, l.Y = append(l.X, l.X[0]), append(l.Y, l.Y[0])
	c.Lines = []ChartCurve{l}
	return c
}

// convergence draws the convergence of pairs of nodes over time.
func (f *Folder) convergence() Chart {
	c := Chart{Title: "Convergence", X: "time", UnitX: "s", Y: "convergence", UnitY: "m"}
	if f.Meta().Pseudo {
		c.X, c.UnitX = "pseudo-time", ""
	}
	time, all := f.converging()
	for _, v := range all {
		c.Lines = append(c.Lines, ChartCurve{Label: v.name, X: time, Y: v.y})
	}
	return c
}

// groundReaction draws the forces that hold an excavated body's walls, as a share of those before, over convergence.
func (f *Folder) groundReaction() Chart {
	c := Chart{Title: "Ground reaction curve", X: "convergence", UnitX: "m", Y: "share of the wall's forces left", UnitY: "%"}
	_, all := f.converging()
	columns, rows := f.rowsUntil(math.MaxInt)
	for k, name := range columns {
		body, is := strings.CutSuffix(name, ".relaxation")
		if !is {
			continue
		}
		for _, v := range all {
			l := ChartCurve{Label: v.name + ", " + body, X: v.y}
			for _, r := range rows {
				l.Y = append(l.Y, 100*(1-r[k]))
			}
			c.Lines = append(c.Lines, l)
		}
	}
	return c
}

// converging returns the times and all convergences of the history [m].
func (f *Folder) converging() (time []float64, all []line) {
	columns, rows := f.rowsUntil(math.MaxInt)
	for k, name := range columns {
		probe, is := strings.CutSuffix(name, ".convergence")
		if name != "time" && !is {
			continue
		}
		v := make([]float64, len(rows))
		for n, r := range rows {
			v[n] = r[k]
		}
		if is {
			all = append(all, line{name: probe, y: v})
		} else {
			time = v
		}
	}
	return time, all
}

// drawCharts draws the charts at a frame, those of some names alone if there are any.
func (f *Folder) drawCharts(at int, only []string, save saver) (drawn []string) {
	for _, c := range throw.Must(f.Charts(at)) {
		if len(only) > 0 && !slices.Contains(only, c.Name) {
			continue
		}
		drawn = append(drawn, c.Name)
		lines := make([]line, 0, len(c.Lines))
		for _, l := range c.Lines {
			lines = append(lines, line{l.Label, l.X, l.Y, l.Limit})
		}
		p := curves(c.Title, c.X, c.UnitX, c.UnitY, lines, math.NaN())
		if !c.Even {
			p.Y.Min, p.Y.Max = min(0, p.Y.Min), max(0, p.Y.Max)
		}
		if c.UnitY != "" {
			p.Y.Label.Text = c.Y + " (" + p.Y.Label.Text + ")"
		}
		width, height := vg.Length(curvesWidth), vg.Length(curvesHeight)
		if c.Even {
			width, height = alike(p, width)
		}
		save(c.Name, width, height, p.Draw)
	}
	return drawn
}

// alike returns a size in which both axes of a plot have nearly the same scale.
func alike(p *plot.Plot, width vg.Length) (w, h vg.Length) {
	const room = 2 * vg.Centimeter // for the axes and the title
	ratio := (p.Y.Max - p.Y.Min) / (p.X.Max - p.X.Min)
	h = min(24*vg.Centimeter, max(6*vg.Centimeter, vg.Length(float64(width-room)*ratio)+room))
	return min(width, vg.Length(float64(h-room)/ratio)+room), h
}

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
