package abaqus

import (
	"math"
	"strconv"
	"strings"

	"fdem/materials/elementary"
)

// row reads a data line of the keyword.
func (p *parser) row(line string) {
	if !p.took {
		return
	}
	fields := words(strings.TrimSuffix(line, ","))
	switch p.keyword {
	case "*NODE":
		p.node(fields)
	case "*SYSTEM":
		p.axes.add(p, fields)
	case "*ELEMENT":
		p.elementRow(line, fields)
	case "*NSET", "*ELSET":
		p.members(fields)
	case "*SURFACE":
		p.face(fields)
	case "*INSTANCE":
		p.moving(fields)
	case "*NGEN", "*NFILL", "*ELGEN":
		p.at.later = append(p.at.later, generation{keyword: p.keyword, options: p.options, fields: fields, at: p.line})
	case "*NCOPY":
		last := &p.at.later[len(p.at.later)-1]
		last.rows = append(last.rows, p.numbers(fields, 9))
	}
}

func (p *parser) whole(text, what string) int64 {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		p.fail("expected %s, found %.40q", what, text)
	}
	return v
}

func (p *parser) number(text, what string) float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(strings.ToUpper(text), "D", "E"), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		p.fail("expected %s, found %.40q", what, text)
	}
	return v
}

// numbers reads at most n numbers; absent ones are 0.
func (p *parser) numbers(fields []string, n int) []float64 {
	out := make([]float64, n)
	for i := range min(n, len(fields)) {
		if fields[i] != "" {
			out[i] = p.number(fields[i], "a number")
		}
	}
	return out
}

// node reads a node. One that is given twice at the same place is one.
func (p *parser) node(fields []string) {
	id := p.whole(fields[0], "the number of a node")
	var x [3]float64
	for c := range min(3, len(fields)-1) {
		if fields[c+1] != "" {
			x[c] = p.number(fields[c+1], "a coordinate")
		}
	}
	p.addNode(p.at, id, p.axes.global(p, p.cartesian(x)))
	p.put("NSET", nodes, id)
}

func (p *parser) addNode(in *part, id int64, x [3]float64) {
	if k, twice := in.nodes[id]; twice {
		if !close(in.x[k], x) {
			p.fail("node %d is listed twice, at (%g, %g) and at (%g, %g)", id, in.x[k][0], in.x[k][1], x[0], x[1])
		}
		p.again++
		return
	}
	in.nodes[id] = len(in.id)
	in.id, in.x = append(in.id, id), append(in.x, x)
}

// close tells whether two positions are the same but for rounding.
func close(a, b [3]float64) bool {
	for c := range a {
		if math.Abs(a[c]-b[c]) > 1e-9*(math.Abs(a[c])+math.Abs(b[c])) {
			return false
		}
	}
	return true
}

// systemOf checks the kind of coordinates that an option names: R, C or S.
func (p *parser) systemOf() {
	switch strings.ToUpper(p.options["SYSTEM"]) {
	case "", "R", "C", "S":
	default:
		p.fail("expected SYSTEM=R, C or S, found %.20q", p.options["SYSTEM"])
	}
}

// cartesian returns x, y, z of a position given as such, or in cylindrical (radius, angle, z)
// or spherical coordinates (radius, angle, angle above the plane), angles in degrees.
func (p *parser) cartesian(x [3]float64) [3]float64 {
	kind := strings.ToUpper(p.options["SYSTEM"])
	if kind != "C" && kind != "S" {
		return x
	}
	radius, z := x[0], x[2]
	if kind == "S" {
		s, c := sincos(x[2])
		radius, z = x[0]*c, x[0]*s
	}
	s, c := sincos(x[1])
	return [3]float64{radius * c, radius * s, z}
}

// sincos returns sine and cosine of an angle [degrees], exact at right angles.
func sincos(degrees float64) (sin, cos float64) {
	switch turn := math.Mod(degrees, 360); turn {
	case 90, -270:
		return 1, 0
	case 180, -180:
		return 0, -1
	case 270, -90:
		return -1, 0
	case 0:
		return 0, 1
	default:
		return elementary.Sincos(turn * math.Pi / 180)
	}
}

// axes are those of *SYSTEM: origin, a point on the x axis, a point in the plane of x and y.
type axes struct {
	given            int // points
	origin, on, over [3]float64
}

// add reads a line of *SYSTEM.
func (a *axes) add(p *parser, fields []string) {
	v := p.numbers(fields, 6)
	switch p.rows {
	case 1:
		a.given, a.origin = 1, [3]float64(v[:3])
		if len(fields) > 3 {
			a.given, a.on = 2, [3]float64(v[3:])
		}
	case 2:
		a.given, a.over = 3, [3]float64(v[:3])
	}
}

// global returns the position of local coordinates. Without a third point z stays z.
func (a *axes) global(p *parser, x [3]float64) [3]float64 {
	if a.given == 0 {
		return x
	}
	base := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	if a.given > 1 {
		base[0] = unit(minus(a.on, a.origin))
		if a.given == 3 {
			base[2] = unit(cross(base[0], minus(a.over, a.origin)))
		}
		base[1] = unit(cross(base[2], base[0]))
		if dot(base[0], base[0]) < 0.5 || dot(base[1], base[1]) < 0.5 || dot(base[2], base[2]) < 0.5 {
			p.fail("the points of *SYSTEM span no axes")
		}
	}
	out := a.origin
	for k := range base {
		for c := range out {
			out[c] += float64(x[k] * base[k][c])
		}
	}
	return out
}

func minus(a, b [3]float64) [3]float64 {
	return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]}
}

func dot(a, b [3]float64) float64 {
	return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2])
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{
		float64(a[1]*b[2]) - float64(a[2]*b[1]),
		float64(a[2]*b[0]) - float64(a[0]*b[2]),
		float64(a[0]*b[1]) - float64(a[1]*b[0]),
	}
}

// unit returns a vector of length 1, or 0 where it has none.
func unit(v [3]float64) [3]float64 {
	n := math.Sqrt(dot(v, v))
	if n == 0 {
		return v
	}
	return [3]float64{v[0] / n, v[1] / n, v[2] / n}
}

// moving reads the position of an instance: a translation, then a rotation about an
// axis through two points by an angle. Its own nodes and elements come after keywords.
func (p *parser) moving(fields []string) {
	v := p.numbers(fields, 7)
	if p.rows == 1 {
		p.instance.move = [3]float64(v[:3])
		return
	}
	a, b := [3]float64(v[:3]), [3]float64(v[3:6])
	p.instance.axis, p.instance.angle = [2][3]float64{a, b}, v[6]
	d := minus(b, a)
	if length := math.Sqrt(dot(d, d)); v[6] != 0 && (length == 0 || math.Abs(d[0])+math.Abs(d[1]) > flatness*length) {
		p.fail("instance %q is rotated out of the plane z = 0", p.instance.name)
	}
}
