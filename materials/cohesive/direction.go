package cohesive

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// Bedding is strength that depends on direction (anisotropic strength, critical plane).
// Tensile strength, cohesion, friction and fracture energies of a plane at an angle g to the
// bedding are
//
//	along + (across - along) (1 - cos(g)^(2 n))
//
// With n = 1 that is A - B cos(2 g) (J. C. Jaeger, Geological Magazine 97 (1960) 65, for
// cohesion), the linear form of S. Pietruszczak and Z. Mroz, Computers and Geotechnics 26
// (2000) 105. A greater n makes the range of weak directions narrower, as their higher
// powers do.
type Bedding struct {
	Across, Along *Law    // of planes at 90 and at 0 degrees
	Sharpness     float64 // n
	X, Y          float64 // unit normal of the bedding in the initial positions
}

// NewBedding returns the bedding of two laws made by New. direction is the angle of the
// bedding to x [rad].
func NewBedding(across, along *Law, sharpness, direction float64) (*Bedding, error) {
	if !(sharpness > 0) || math.IsInf(sharpness, 1) {
		return nil, fmt.Errorf("sharpness must be greater than 0 and finite, got %g", sharpness)
	}
	s, c := elementary.Sincos(direction)
	return &Bedding{Across: across, Along: along, Sharpness: sharpness, X: -s, Y: c}, nil
}

// CosineSquared returns cos(g)^2 of a plane from its unit normal in the initial positions.
func (b *Bedding) CosineSquared(x, y float64) float64 {
	c := float64(b.X*x) + float64(b.Y*y)
	return min(1, float64(c*c))
}

// between returns the value at an angle to the bedding, between the values along and across. cos2
// is the squared cosine of the angle, see CosineSquared.
func (b *Bedding) between(cos2 float64) func(across, along float64) float64 {
	part := cos2
	if b.Sharpness != 1 {
		part = elementary.Pow(cos2, b.Sharpness)
	}
	return func(across, along float64) float64 { return along + float64((across-along)*(1-part)) }
}

// Strength returns the strength of planes with a squared cosine, see CosineSquared.
func (b *Bedding) Strength(cos2 float64) Strength {
	of, p, q := b.between(cos2), &b.Across.Strength, &b.Along.Strength
	return Strength{Tension: of(p.Tension, q.Tension), Cohesion: of(p.Cohesion, q.Cohesion), Friction: of(p.Friction, q.Friction)}
}

// Law returns the law of planes with a squared cosine, see CosineSquared.
func (b *Bedding) Law(cos2 float64) *Law {
	of, l := b.between(cos2), *b.Across
	l.Strength = b.Strength(cos2)
	l.Energy.Tension = of(l.Energy.Tension, b.Along.Energy.Tension)
	l.Energy.Shear = of(l.Energy.Shear, b.Along.Energy.Shear)
	l.ResidualFriction = l.Friction
	return &l
}

// lawCount is the number of laws that Laws returns, for every half degree.
const lawCount = 181

// Laws returns the laws of planes at 0 to 90 degrees to the bedding, for every half degree.
func (b *Bedding) Laws() []*Law {
	laws := make([]*Law, lawCount)
	for i := range laws {
		_, c := elementary.Sincos(math.Pi / 2 * float64(i) / (lawCount - 1))
		cos2 := c * c
		laws[i] = b.Law(cos2)
	}
	return laws
}

// LawIndex returns the index of the law for a squared cosine in the result of Laws.
func LawIndex(cos2 float64) uint8 {
	angle := elementary.Atan2(math.Sqrt(max(0, 1-cos2)), math.Sqrt(cos2))
	return uint8(math.Floor(float64(angle*((lawCount-1)/(math.Pi/2))) + 0.5))
}

// Bound returns a law with at most the strength and at least the energies of any plane.
// If any plane breaks at a traction, this law breaks at it, too.
func (b *Bedding) Bound() *Law {
	l, o := *b.Across, b.Along
	l.Strength = Strength{min(l.Tension, o.Tension), min(l.Cohesion, o.Cohesion), min(l.Friction, o.Friction)}
	l.Energy.Tension, l.Energy.Shear = max(l.Energy.Tension, o.Energy.Tension), max(l.Energy.Shear, o.Energy.Shear)
	l.ResidualFriction = l.Friction
	return &l
}
