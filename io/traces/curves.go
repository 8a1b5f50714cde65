package traces

import (
	"math"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// curve adds a curve as chords: some of its points, so that no point lies farther from
// the chords than Chord.
func (r *reader) curve(kind string, points []r2.Vec) {
	if len(points) < 2 {
		return
	}
	tolerance := r.Chord
	if tolerance <= 0 {
		low, high := points[0], points[0]
		for _, p := range points {
			low, high = r2.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y)}, r2.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y)}
		}
		tolerance = 1e-3 * elementary.Norm(r2.Sub(high, low))
	}
	before := len(r.traces)
	r.line(simplified(points, tolerance), false)
	r.chords[kind]++
	r.pieces += len(r.traces) - before
}

// simplified leaves points of a polyline out that lie within a distance of what is left
// (Ramer 1972, Douglas and Peucker 1973).
func simplified(points []r2.Vec, tolerance float64) []r2.Vec {
	keep := make([]bool, len(points))
	keep[0], keep[len(points)-1] = true, true
	parts := [][2]int{{0, len(points) - 1}}
	for len(parts) > 0 {
		p := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		far, at := tolerance, -1
		for i := p[0] + 1; i < p[1]; i++ {
			if d := beside(points[i], points[p[0]], points[p[1]]); d > far {
				far, at = d, i
			}
		}
		if at >= 0 {
			keep[at] = true
			parts = append(parts, [2]int{p[0], at}, [2]int{at, p[1]})
		}
	}
	var out []r2.Vec
	for i, k := range keep {
		if k {
			out = append(out, points[i])
		}
	}
	return out
}

// beside returns the distance of a point from the line between two others.
func beside(p, a, b r2.Vec) float64 {
	d, v := r2.Sub(b, a), r2.Sub(p, a)
	s := 0.0
	if n := elementary.Dot(d, d); n > 0 {
		s = min(1, max(0, elementary.Dot(v, d)/n))
	}
	return elementary.Norm(elementary.Along(v, d, -s))
}

// samples is the number of points on a turn of an arc, and on each span of a spline.
const samples = 256

// arc returns points of an ellipse about a centre, from one parameter to another [rad], with
// its half axes.
func arc(centre, one, two r2.Vec, from, to float64) (out []r2.Vec) {
	n := max(8, int(samples*math.Abs(to-from)/(2*math.Pi)))
	for k := range n + 1 {
		sin, cos := elementary.Sincos(from + float64((to-from)*float64(k)/float64(n)))
		out = append(out, r2.Vec{
			X: centre.X + float64(cos*one.X) + float64(sin*two.X),
			Y: centre.Y + float64(cos*one.Y) + float64(sin*two.Y),
		})
	}
	return out
}

// bulged returns points of the arc between two points whose bulge is the tangent of a quarter
// of its angle, positive to the right of the way.
func bulged(a, b r2.Vec, bulge float64) []r2.Vec {
	chord := r2.Sub(b, a)
	// the centre lies on the bisector, to the left for a small positive bulge
	h := (1 - float64(bulge*bulge)) / (4 * bulge)
	centre := r2.Vec{X: float64(0.5*(a.X+b.X)) - float64(h*chord.Y), Y: float64(0.5*(a.Y+b.Y)) + float64(h*chord.X)}
	v := r2.Sub(a, centre)
	angle := 4 * elementary.Atan2(bulge, 1)
	out := arc(centre, v, r2.Vec{X: -v.Y, Y: v.X}, 0, angle)
	out[0], out[len(out)-1] = a, b
	return out
}

// spline returns points of a rational B-spline by de Boor's algorithm. It returns nil for
// knots that do not suit.
func spline(degree int, knots, weights []float64, control []r2.Vec) (out []r2.Vec) {
	n := len(control)
	if degree < 1 || degree > 10 || n <= degree || len(knots) != n+degree+1 {
		return nil
	}
	if len(weights) != n {
		weights = nil
	}
	for span := degree; span < n; span++ {
		from, to := knots[span], knots[span+1]
		if !(to > from) {
			continue
		}
		steps := max(8, samples/(n-degree))
		for k := range steps + 1 {
			if k == 0 && len(out) > 0 {
				continue
			}
			out = append(out, deBoor(degree, span, from+float64((to-from)*float64(k)/float64(steps)), knots, weights, control))
		}
	}
	return out
}

// deBoor returns the point of a spline at a parameter within a span of knots.
func deBoor(degree, span int, t float64, knots, weights []float64, control []r2.Vec) r2.Vec {
	var p [11][3]float64 // weighted, with the weight
	for j := range degree + 1 {
		c, w := control[span-degree+j], 1.0
		if weights != nil {
			w = weights[span-degree+j]
		}
		p[j] = [3]float64{w * c.X, w * c.Y, w}
	}
	for k := 1; k <= degree; k++ {
		for j := degree; j >= k; j-- {
			low, high := knots[span-degree+j], knots[span+1+j-k]
			s := 0.0
			if high > low {
				s = (t - low) / (high - low)
			}
			for c := range p[j] {
				p[j][c] = float64((1-s)*p[j-1][c]) + float64(s*p[j][c])
			}
		}
	}
	q := p[degree]
	return r2.Vec{X: q[0] / q[2], Y: q[1] / q[2]}
}
