package potential

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/spatial/r2"
)

// Meeting is a contact point of fragments, for what bodies exchange there besides forces.
type Meeting struct {
	Own, Opposite int32      // triangles; -1 opposite for an edge without one
	Ends          [2]int32   // nodes of the face
	At            float64    // position along the face, 0 at its first node, 1 at its second
	Corners       [3]int32   // nodes of the opposite triangle
	Weights       [3]float64 // their shares of the point
	Area          float64    // that it stands for [m2]
	Pressure      float64    // [Pa]
	Heat          float64    // of friction per time [W]
	Rule          int32
}

// EachMeeting calls the function with every contact point in contact at the last evaluation.
func (c *Contact) EachMeeting(each func(m *Meeting)) {
	for i := range c.pairs() {
		p := c.pairAt(i)
		a, b := c.ends(p.face)
		for in := p.points; in != 0; in &= in - 1 {
			point := int32(bits.TrailingZeros32(in))
			v := c.Values[int(p.of(point, 0))*c.stride:]
			m := Meeting{Own: c.Faces[p.face].Triangle, Opposite: -1, Ends: [2]int32{a, b}, At: positionOf(point), Rule: c.ruleOf(p), Area: v[area], Pressure: v[pressure]}
			between := func(x []r2.Vec) r2.Vec {
				return r2.Vec{X: x[a].X + float64(m.At*(x[b].X-x[a].X)), Y: x[a].Y + float64(m.At*(x[b].Y-x[a].Y))}
			}
			slip := between(c.v)
			if int(p.target) < len(c.Triangles) {
				m.Opposite, m.Corners = p.target, c.Triangles[p.target]
				of := [3]r2.Vec{c.x[m.Corners[0]], c.x[m.Corners[1]], c.x[m.Corners[2]]}
				m.Weights, _ = coordinates(&of, between(c.x))
				for k, n := range m.Corners {
					m.Weights[k] = min(max(m.Weights[k], 0), 1)
					slip.X -= float64(m.Weights[k] * c.v[n].X)
					slip.Y -= float64(m.Weights[k] * c.v[n].Y)
				}
			}
			m.Heat = math.Abs(v[friction]) * m.Area * math.Abs(float64(slip.X*v[alongX])+float64(slip.Y*v[alongY]))
			each(&m)
		}
	}
}
