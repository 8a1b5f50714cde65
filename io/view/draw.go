package view

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fdem/io/guard"
	"fdem/io/history"
	"fdem/io/throw"
	"fdem/io/whole"
	"fdem/solver/quantity"
	"gonum.org/v1/gonum/spatial/r2"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Pictures is the options of Draw.
type Pictures struct {
	At            float64   // time of the frame [s]; NaN for the frame of the greatest contact force, or else of the greatest strain energy
	Field         string    // of the mesh, "von_mises" if empty
	Magnify       float64   // factor on the deformation, in a static analysis on displacements
	Displacements bool      // Magnify is a factor on displacements in a run in time, too
	Window        [2]r2.Vec // lower left and upper right corner of the drawn part of the mesh; both zero for all [m]
	Charts        []string  // names of charts, to draw these alone
	Stages        int       // number of frames in a further picture; 0 for none
	// Tell is called with the numbers of frames read and of all frames; may be
	// nil.
	Tell func(done, of int)
}

// Draw writes energy, velocity, force and cracks over time, force over deflection, the
// contact pressure along every surface and the mesh at one time into dir, each
// as PNG and SVG. It returns the paths.
func Draw(f *Folder, dir string, o Pictures) (out []string, err error) {
	defer throw.Catch(&err)
	m, at := f.Meta(), -1
	if f.static != nil && len(m.Times) > 0 {
		at = f.busiest(true)
		if !math.IsNaN(o.At) {
			at = nearestTo(m.Times, o.At)
		}
		for _, i := range append(stagesOf(m, o.Stages), at) { // the drawn frames determine the scales
			m.include(f.measure(i), i)
		}
	}
	if o.Field != "" {
		m.named(o.Field, f.dir) // fails before anything is written
	}
	for _, name := range drawnNames {
		for _, format := range drawnFormats {
			throw.If(guard.Replace(filepath.Join(dir, name+"."+format), guard.Pictures[format]))
		}
	}
	throw.If(os.MkdirAll(dir, 0o755))
	save := func(name string, w, h vg.Length, paint func(draw.Canvas)) {
		for _, format := range drawnFormats {
			path := filepath.Join(dir, name+"."+format)
			throw.If(saveCanvas(path, format, w, h, paint))
			out = append(out, path)
		}
	}
	if len(o.Charts) > 0 && at < 0 {
		throw.If(fmt.Errorf("%s has no frame yet", f.dir))
	}
	f.drawCurves(m, at, save)
	if at < 0 {
		return out, nil
	}
	drawn := f.drawCharts(at, o.Charts, save)
	for _, name := range o.Charts {
		if !slices.Contains(drawn, name) {
			throw.If(fmt.Errorf("%s has nothing for the chart %q at %s", f.dir, name, m.instant(at, 5)))
		}
	}
	if len(o.Charts) > 0 {
		return out, nil
	}
	f.drawDeflection(m, o.Tell, save)
	f.drawPressure(m, at, save)
	f.drawFragments(save)
	f.drawMagnitudes(save)
	if o.Field == "" && !slices.ContainsFunc(m.Fields, func(v Field) bool { return v.On != "contact" }) {
		return out, nil // there is no mesh
	}
	field := m.named(o.Field, f.dir)
	if o.Stages > 0 {
		f.drawStages(m, field, o, save)
	}
	f.drawMesh(m, at, field, o, save)
	f.drawTouches(m, at, o, save)
	return out, nil
}

// drawCurves draws what the history has over time, with a mark at a frame, -1 for none.
func (f *Folder) drawCurves(m Meta, at int, save saver) {
	table := f.History()
	table.Rows = history.Thin(table.Rows, drawnRows)
	time, _ := table.Column("time")
	kinetic, _ := table.Column("kinetic")
	entered := 0.0
	columns := columnsOf(m.Deck, table.Columns)
	for i, c := range columns {
		if c.Plot == quantity.Energies {
			y, _ := table.Column(table.Columns[i])
			entered = max(entered, peak(y))
		}
	}
	still := peak(kinetic) <= roundoff*roundoff*entered // all velocities are rounding
	for _, g := range []struct{ name, plot, title string }{
		{"energy", quantity.Energies, quantity.Energies},
		{"velocity", quantity.Velocities, quantity.Velocities + ", averaged over their mass"},
		{"force", quantity.Forces, quantity.Forces},
		{"reaction", quantity.Reactions, quantity.Reactions},
		{"moment", quantity.Couples, quantity.Couples + " about the origin"},
		{"cracks", quantity.Cracks, quantity.Cracks},
		{"events", quantity.Breakages, quantity.Breakages},
	} {
		var lines []line
		unit := ""
		for i, name := range table.Columns {
			c := columns[i]
			if c.Plot != g.plot {
				continue
			}
			unit = c.Unit
			y, _ := table.Column(name)
			if peak(y) > 0 && !(g.plot == quantity.Velocities && still) {
				lines = append(lines, line{name: c.Line(), x: time, y: y})
			}
		}
		if len(lines) == 0 {
			continue
		}
		top := 0.0
		for _, l := range lines {
			top = max(top, peak(l.y))
		}
		lines = slices.DeleteFunc(lines, func(l line) bool { return peak(l.y) <= 1e-9*top }) // rounding against the others
		if all := len(lines); all > maxLines {
			slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(peak(b.y), peak(a.y)) })
			lines = lines[:maxLines]
			g.title = fmt.Sprintf("%s, the largest %d of %d", g.title, maxLines, all)
		}
		mark := math.NaN()
		if at >= 0 {
			mark = m.Times[at]
		}
		name, of := m.time()
		p := curves(g.title, name, of, unit, lines, mark)
		save(g.name, curvesWidth, curvesHeight, p.Draw)
	}
}

// The pictures that Draw may make of any results; contacts of several surfaces have a
// pressure-1 and so on.
var (
	drawnNames   = []string{"energy", "velocity", "force", "reaction", "moment", "cracks", "events", "magnitudes", "deflection", "pressure", "fragments", "stages", "mesh", "contact_points", "bolts", "bond", "capacity", "stress-path", "mohr", "rose", "convergence", "ground-reaction"}
	drawnFormats = []string{"png", "svg"}
)

// drawnRows is the greatest number of rows of the history in a curve: more than a
// picture can show.
const drawnRows = 8000

// saver writes a picture of a size.
type saver func(name string, w, h vg.Length, paint func(draw.Canvas))

// time returns the name and the unit of times.
func (m Meta) time() (name, unit string) {
	if m.Pseudo {
		return "pseudo-time", ""
	}
	return "time", "s"
}

// instant returns the time of a frame as text.
func (m Meta) instant(i, digits int) string {
	_, unit := m.time()
	factor, unit := prefixed(m.Times[len(m.Times)-1], unit)
	if unit == "" {
		return fmt.Sprintf("pseudo-time %.*g", digits, m.Times[i])
	}
	return fmt.Sprintf("%.*g %s", digits, m.Times[i]/factor, unit)
}

// maxLines is the greatest number of curves in a plot.
const maxLines = 12

// line is a curve with its name.
type line struct {
	name  string
	x, y  []float64
	limit bool // an envelope of a strength
}

var lineColours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xb0, 0x56, 0x8f, 0xff},
	{0xc9, 0x8a, 0x00, 0xff}, {0x3a, 0xa0, 0xdc, 0xff}, {0x6b, 0x4f, 0xc4, 0xff}, {0x7a, 0x7a, 0x7a, 0xff},
	{0x8c, 0x2d, 0x04, 0xff}, {0x00, 0x4d, 0x40, 0xff}, {0xe3, 0x42, 0x8d, 0xff}, {0x9e, 0xb1, 0x1b, 0xff},
}

// The size of a plot of curves.
const curvesWidth, curvesHeight = 16 * vg.Centimeter, 9 * vg.Centimeter

// curves plots lines in units with suitable prefixes, with a mark at an x, NaN
// for none.
func curves(title, x, xUnit, yUnit string, lines []line, mark float64) *plot.Plot {
	px, py := 0.0, 0.0
	for _, l := range lines {
		px, py = max(px, peak(l.x)), max(py, peak(l.y))
	}
	fx, ux := prefixed(px, xUnit)
	fy, uy := prefixed(py, yUnit)
	p := newPlot(title)
	p.X.Label.Text, p.Y.Label.Text = x, uy
	if ux != "" {
		p.X.Label.Text = fmt.Sprintf("%s (%s)", x, ux)
	}
	addGrid(p)
	p.Legend.Top, p.Legend.Padding = true, vg.Points(1)
	var drawn []plotter.XYs
	for i, l := range lines {
		xy := plotter.XYs{}
		for k := range l.x {
			if v := l.y[k]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				xy = append(xy, plotter.XY{X: l.x[k] / fx, Y: v / fy})
			}
		}
		c := throw.Must(plotter.NewLine(xy))
		c.Color, c.Width = lineColours[i%len(lineColours)], vg.Points(1.4)
		if l.limit {
			c.Color, c.Dashes = color.Gray{0x40}, []vg.Length{vg.Points(6), vg.Points(3)}
		} else if i >= len(lineColours) {
			c.Dashes = []vg.Length{vg.Points(4), vg.Points(2)}
		}
		p.Add(c)
		drawn = append(drawn, xy)
		if l.name != "" {
			p.Legend.Add(l.name, c)
		}
	}
	p.Y.Max += 0.04 * (p.Y.Max - p.Y.Min)
	placeLegend(p, drawn, curvesWidth, curvesHeight)
	if !math.IsNaN(mark) {
		v := throw.Must(plotter.NewLine(plotter.XYs{{X: mark / fx, Y: p.Y.Min}, {X: mark / fx, Y: p.Y.Max}}))
		v.Color, v.Dashes = color.Gray{0x60}, []vg.Length{vg.Points(3), vg.Points(3)}
		p.Add(v)
	}
	return p
}

func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks{}, ticks{}
	p.Title.Text = title
	p.Title.TextStyle.Font.Size = vg.Points(11)
	p.Title.Padding = vg.Points(4)
	for _, s := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		s.Font.Variant = "Sans"
	}
	return p
}

func peak(v []float64) float64 {
	most := 0.0
	for _, x := range v {
		if a := math.Abs(x); a > most && !math.IsInf(a, 0) {
			most = a
		}
	}
	return most
}

// prefixable are the units that take prefixes.
var prefixable = map[string]bool{"s": true, "m": true, "m/s": true, "Pa": true, "N": true, "J": true, "Nm": true, "N/m": true, "Pa/m": true, "W": true, "Pa s": true, "J/m2": true, "Hz": true}

// long are units of long times [s].
var long = []struct {
	seconds float64
	name    string
}{{31557600, "years"}, {86400, "days"}, {3600, "h"}}

// prefixed returns a factor and a unit with a prefix that suits a size.
func prefixed(size float64, unit string) (float64, string) {
	if !prefixable[unit] {
		return 1, unit
	}
	for _, p := range long {
		if unit == "s" && size >= 2*p.seconds {
			return p.seconds, p.name
		}
	}
	for _, p := range []struct {
		factor float64
		name   string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}} {
		if size >= 0.9999999*p.factor && (p.factor <= 1 || unit != "s") {
			return p.factor, p.name + unit
		}
	}
	return 1, unit
}

// drawPressure draws the pressure along every surface that was under pressure
// at some time.
func (f *Folder) drawPressure(m Meta, at int, save saver) {
	v := f.values(at, pressureField)
	if v == nil {
		return
	}
	for i, s := range m.Surfaces {
		if s.Loaded == nil {
			continue
		}
		margin := 0.06*(s.Loaded[1]-s.Loaded[0]) + 1e-3*f.static.along[i][len(f.static.along[i])-1]
		l := line{}
		for k, n := range f.static.order[i] {
			if x := f.static.along[i][k]; x >= s.Loaded[0]-margin && x <= s.Loaded[1]+margin {
				l.x, l.y = append(l.x, x), append(l.y, float64(v[n]))
			}
		}
		p := curves(fmt.Sprintf("Contact pressure of %s at %s", s.Name, m.instant(at, 5)), "distance along the surface", "m", "Pa", []line{l}, math.NaN())
		p.Y.Min = 0
		name := "pressure"
		if len(m.Surfaces) > 1 {
			name = fmt.Sprintf("pressure-%d", i+1)
		}
		if i >= maxLines {
			break
		}
		save(name, curvesWidth, curvesHeight, p.Draw)
	}
}

// named finds the field for the colours of the mesh.
func (m Meta) named(name, dir string) Field {
	for _, usual := range []string{"von_mises", "velocity", "displacement"} { // particles have no stress, and a deck may leave out further fields
		if name == "" && slices.ContainsFunc(m.Fields, func(v Field) bool { return v.Name == usual }) {
			name = usual
		}
	}
	i := slices.IndexFunc(m.Fields, func(v Field) bool { return v.Name == name && v.On != "contact" })
	if i >= 0 {
		return m.Fields[i]
	}
	var known []string
	for _, v := range m.Fields {
		if v.On != "contact" {
			known = append(known, v.Name)
		}
	}
	throw.If(fmt.Errorf("no field %q in %s: there are %s", name, dir, strings.Join(known, ", ")))
	return Field{}
}

// drawMesh draws a field on the mesh with its scale beside it.
func (f *Folder) drawMesh(m Meta, at int, field Field, o Pictures, save saver) {
	values := f.all(at, field)
	moved := f.all(at, moveField)
	x := f.drawnAt(&m, moved, &o)
	size := field.shown(values)
	label := field.Label
	if len(field.pick) > 2 {
		label += " " + field.Components[0]
	}
	stops, low, top := m.scale(field)
	springs := f.springLines(at, o.factor(&m))
	s := o.sheetOf(slices.Concat(x, springs))
	fl := s.unit
	cracks, thrust := f.crackFaces(at, x, fl), f.thrustsAt(at, o.factor(&m), fl)
	ft, ut := prefixed(top, field.Unit)
	save("mesh", s.width, s.height, func(c draw.Canvas) {
		p := newPlot(m.instant(at, 5))
		if o.Magnify != 1 {
			what := "displacements"
			if o.apart(&m) {
				what = "deformation"
			}
			p.Title.Text += fmt.Sprintf(", %s ×%g", what, o.Magnify)
		}
		if thrust.most > 0 {
			p.Title.Text += fmt.Sprintf(", lines of thrust up to %.3g N", thrust.most)
		}
		p.Title.Text += f.greatest(field, values, displaced(f.static.points, moved, 1))
		bar := newPlot("")
		bar.Title.Text = ut
		if r := m.Ranges[field.Key()]; r.Peak > r.Top {
			bar.Title.Text = fmt.Sprintf("≥ %.3g %s", top/ft, ut)
		}
		bar.HideX()
		bar.Y.Min, bar.Y.Max = low/ft, top/ft
		bar.Y.Label.Text = label
		left, right := c, c
		split, barred := c.Max.X-3*vg.Centimeter, !field.Pieces && len(f.static.triangles) > 0
		if barred || field.Pieces {
			left.Max.X, right.Min.X = split, split+0.3*vg.Centimeter
		}
		right.Min.Y += (c.Max.Y - c.Min.Y) / 5
		right.Max.Y -= (c.Max.Y - c.Min.Y) / 5
		bar.Add(scaleBar{stops, low / ft, top / ft})
		s.scale(p, left)
		p.Add(f.paintMesh(field, x, size, f.away(m, at), fl, m.colours(field)), f.outlines(x, fl), cracks, springs.in(fl), thrust)
		p.Draw(left)
		if barred {
			bar.Draw(right)
		}
	})
}

// sheet is the size of a picture, and what it shows.
type sheet struct {
	x             []r2.Vec // [m]
	lo, hi        r2.Vec   // [m]
	unit          float64  // of its axes [m]
	name          string   // of the unit
	width, height vg.Length
}

// sheetOf returns that of a picture with points [m].
func (o *Pictures) sheetOf(x []r2.Vec) (s sheet) {
	s.x = x
	s.lo, s.hi = o.window(box(x))
	wide, high := s.hi.X-s.lo.X, s.hi.Y-s.lo.Y
	s.unit, s.name = prefixed(max(wide, high), "m")
	s.height = 15 * vg.Centimeter
	s.width = max(7*vg.Centimeter, min(26*vg.Centimeter, vg.Length(float64(s.height)*wide/max(high, 1e-30))+4.5*vg.Centimeter))
	if wide > 1.5*high {
		s.width = 24 * vg.Centimeter
		s.height = max(6*vg.Centimeter, min(15*vg.Centimeter, vg.Length(float64(s.width)*high/wide)+3*vg.Centimeter))
	}
	return s
}

// scale gives a plot the axes of the picture, with the same scale on both.
func (s *sheet) scale(p *plot.Plot, c draw.Canvas) {
	p.X.Label.Text, p.Y.Label.Text = s.name, s.name
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = s.lo.X/s.unit, s.hi.X/s.unit, s.lo.Y/s.unit, s.hi.Y/s.unit
	even(p, c, s.lo.X, s.hi.X, s.lo.Y, s.hi.Y, s.unit)
}

// window returns the corners of the drawn part of a mesh between lo and hi.
func (o *Pictures) window(lo, hi r2.Vec) (r2.Vec, r2.Vec) {
	if o.Window != [2]r2.Vec{} {
		return o.Window[0], o.Window[1]
	}
	return lo, hi
}

// inView tells whether a line lies in the range of a plot.
func inView(p *plot.Plot, l [2]r2.Vec) bool {
	for _, v := range l {
		if v.X < p.X.Min || v.X > p.X.Max || v.Y < p.Y.Min || v.Y > p.Y.Max {
			return false
		}
	}
	return true
}

// greatest returns the greatest value of a field and its position as text.
func (f *Folder) greatest(field Field, values []float32, x []r2.Vec) string {
	if field.Pieces {
		return ""
	}
	most := rangeOf(field, values).Most[0]
	if most.At < 0 || most.Value == 0 {
		return ""
	}
	at := x[0]
	switch {
	case field.On == "node":
		at = x[most.At]
	case most.At < len(f.static.triangles):
		t := f.static.triangles[most.At]
		at = r2.Scale(1.0/3, r2.Add(x[t[0]], r2.Add(x[t[1]], x[t[2]])))
	}
	lo, hi := box(x)
	fv, uv := prefixed(math.Abs(most.Value), field.Unit)
	size := max(hi.X-lo.X, hi.Y-lo.Y)
	fl, ul := prefixed(size, "m")
	what := "greatest"
	if len(f.static.triangles) == 0 { // nothing has colours, nor a bar that names the field
		what += " " + field.Label
	}
	return fmt.Sprintf("\n%s %.4g %s\nat (%s, %s) %s", what, most.Value/fv, uv, coordinate(at.X, size, fl), coordinate(at.Y, size, fl), ul)
}

// coordinate returns a coordinate v [m] in a unit as text, with three digits, or more if the
// model's size [m] is small against its distance from the origin.
func coordinate(v, size, unit float64) string {
	more := math.Ceil(math.Log10(math.Abs(v) / size))
	if !(more > 0) || math.IsInf(more, 1) {
		more = 0
	}
	return strconv.FormatFloat(v/unit, 'g', 3+int(more), 64)
}

// painter paints pixels over the data area of a plot, given where data lie.
type painter func(img *image.RGBA, toImage func(r2.Vec) r2.Vec)

// Plot implements plot.Plotter.
func (paint painter) Plot(c draw.Canvas, p *plot.Plot) {
	const fine = 3 // pixels per point: 216 to the inch
	x, y := p.Transforms(&c)
	img := image.NewRGBA(image.Rect(0, 0, int(math.Round(fine*float64(c.Max.X-c.Min.X))), int(math.Round(fine*float64(c.Max.Y-c.Min.Y)))))
	paint(img, func(v r2.Vec) r2.Vec {
		return r2.Vec{X: fine * float64(x(v.X)-c.Min.X), Y: fine * float64(c.Max.Y-y(v.Y))}
	})
	c.DrawImage(c.Rectangle, img)
}

// edges draws lines from point to point.
type edges [][2]r2.Vec

// Plot implements plot.Plotter.
func (e edges) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, l := range e {
		if !inView(p, l) {
			continue
		}
		c.StrokeLine2(draw.LineStyle{Color: color.Gray{0x30}, Width: vg.Points(0.8)}, x(l[0].X), y(l[0].Y), x(l[1].X), y(l[1].Y))
	}
}

// scaleBar draws colours from low to high over the data area.
type scaleBar struct {
	stops     []uint32
	low, high float64
}

// Plot implements plot.Plotter.
func (s scaleBar) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	const n = 128
	for k := range n {
		from, to := float64(k)/n, min(1, float64(k+2)/n) // overlaps the next one, so that no gap is visible
		a, b := y(s.low+float64(from*(s.high-s.low))), y(s.low+float64(to*(s.high-s.low)))
		c.FillPolygon(colourAt(s.stops, (float64(k)+0.5)/n), []vg.Point{{X: c.Min.X, Y: a}, {X: c.Max.X, Y: a}, {X: c.Max.X, Y: b}, {X: c.Min.X, Y: b}})
	}
}

// fill paints a triangle with values that are linear between its corners. A
// pixel belongs to it if the pixel's centre is inside or on an edge.
func fill(img *image.RGBA, c [3]r2.Vec, v [3]float64, colour func(float64) color.RGBA) {
	lo, hi := box(c[:])
	area := r2.Cross(r2.Sub(c[1], c[0]), r2.Sub(c[2], c[0]))
	if area == 0 || math.IsNaN(area) {
		return
	}
	b := img.Bounds()
	flat := v[0] == v[1] && v[1] == v[2]
	one := colour(v[0])
	for y := max(b.Min.Y, int(math.Floor(lo.Y))); y < min(b.Max.Y, int(math.Ceil(hi.Y))+1); y++ {
		for x := max(b.Min.X, int(math.Floor(lo.X))); x < min(b.Max.X, int(math.Ceil(hi.X))+1); x++ {
			at := r2.Vec{X: float64(x) + 0.5, Y: float64(y) + 0.5}
			u := r2.Cross(r2.Sub(c[2], c[1]), r2.Sub(at, c[1])) / area
			w := r2.Cross(r2.Sub(c[0], c[2]), r2.Sub(at, c[2])) / area
			if u < 0 || w < 0 || u+w > 1 {
				continue
			}
			if flat {
				img.SetRGBA(x, y, one)
			} else {
				img.SetRGBA(x, y, colour(float64(u*v[0])+float64(w*v[1])+float64((1-u-w)*v[2])))
			}
		}
	}
}

// saveCanvas writes a picture; it replaces pictures of the format only.
func saveCanvas(path, format string, w, h vg.Length, paint func(draw.Canvas)) error {
	if err := guard.Replace(path, guard.Pictures[format]); err != nil {
		return err
	}
	return whole.Write(path, func(out io.Writer) error { return writeCanvas(out, format, w, h, paint) })
}

func writeCanvas(out io.Writer, format string, w, h vg.Length, paint func(draw.Canvas)) error {
	var c vg.CanvasWriterTo = vgsvg.New(w, h)
	if format == "png" {
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(192))}
	}
	paint(draw.New(c))
	_, err := c.WriteTo(out)
	return err
}
