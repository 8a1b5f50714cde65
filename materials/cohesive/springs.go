package cohesive

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// Springs is the law of a joint with stiffness of its own that nothing holds together:
// linear springs across and along, Coulomb's friction, and dilation of what slides
// (P. A. Cundall, R. D. Hart, Engng Comput. 9 (1992) 101). With opening D_n, slip D_s and
// the slip s that friction has let go, all from the start,
//
//	c = D_n - p0/k_n - h(s)             the gap: it presses below 0
//	p = k_n <-c>                        pressure
//	T_s = k_s (D_s - s), |T_s| <= mu p  shear traction
//	h(s) = tan(psi) min(|s|, s_max)     by which what slides rides up
//
// The energy is k_n <-c>^2/2 + T_s^2/(2 k_s). Friction dissipates (|T_s| - p h'(s)) |ds|:
// what is left of the work in shear lifts the load, and comes back as it slides back.
type Springs struct {
	Normal, Shear float64 // k_n and k_s [Pa/m]; 0 for the stiffness of a closed crack
	Friction      float64 // mu
	Dilation      float64 // tan(psi), below mu
	Until         float64 // s_max [m]
}

// NewSprings checks the law.
func NewSprings(s Springs) (*Springs, error) {
	switch {
	case s.Normal < 0 || s.Shear < 0 || s.Friction < 0 || s.Dilation < 0 || s.Until < 0:
		return nil, fmt.Errorf("stiffness, friction and dilation must not be negative, got %+v", s)
	case s.Dilation > s.Friction:
		return nil, fmt.Errorf("dilation must not exceed the angle of friction, %.4g degrees, or what slides would make energy; got %.4g degrees", degrees(s.Friction), degrees(s.Dilation))
	}
	return &s, nil
}

// degrees returns the angle with a tangent.
func degrees(tangent float64) float64 { return 180 / math.Pi * elementary.Atan2(tangent, 1) }

// Open makes a point with the traction at first [Pa], of which what pulls and what
// friction does not bear is let go, and the stiffness that takes the place of what is not
// given [Pa/m]; mem receives its first memory. In the place of what else a point has stand
// k_n in Stiffness, k_s in Onset.
func (l *Springs) Open(normal, shear, stiffness float64, mem []float64) Point {
	p := Point{Stiffness: l.Normal, Onset: l.Shear, Pressure: max(-normal, 0)}
	if p.Stiffness == 0 {
		p.Stiffness = stiffness
	}
	if p.Onset == 0 {
		p.Onset = stiffness
	}
	p.Rub = math.Copysign(min(math.Abs(shear), l.Friction*p.Pressure), shear)
	mem[0], mem[1], mem[2], mem[3], mem[4] = p.Pressure, p.start(), p.Rub, 0, 0
	return p
}

// start returns the slip that friction has let go when the point begins [m].
func (p *Point) start() float64 { return -p.Rub / p.Onset }

// Stiffest returns the greater stiffness of a point that Open has made [Pa/m].
func (l *Springs) Stiffest(p *Point) float64 { return max(p.Stiffness, p.Onset) }

// Began returns the energy that a point stores as it begins [J/m2].
func (l *Springs) Began(p *Point) float64 {
	return 0.5*p.Pressure*p.Pressure/p.Stiffness + float64(0.5*p.Rub*p.Rub/p.Onset)
}

// Advance is Law.Advance. Memory has the pressure in the place of kappa, and no more
// integrity and loss than a broken point.
func (l *Springs) Advance(p *Point, mem *[Memories]float64, opening, slip float64) (normal, shear, stored, rubbed float64) {
	c := opening - p.Pressure/p.Stiffness
	pressed, from, rub := mem[0], mem[1], mem[2]
	slid := l.slide(p, c, slip, from)
	normal, shear, stored = l.bear(p, c, slip, slid)
	rubbed = float64(0.5 * (rub + shear) * (slid - from))
	if l.Dilation > 0 {
		rubbed -= float64(0.5 * (pressed - normal) * (l.rise(slid-p.start()) - l.rise(from-p.start())))
	}
	mem[0], mem[1], mem[2] = 0-normal, slid, shear // no -0
	return normal, shear, stored, rubbed
}

// Tell is Law.Tell.
func (l *Springs) Tell(p *Point, mem *[Memories]float64, opening, slip float64) (normal, shear, stored float64) {
	return l.bear(p, opening-p.Pressure/p.Stiffness, slip, mem[1])
}

// bear returns traction [Pa] and stored energy [J/m2] at the gap c without dilation.
func (l *Springs) bear(p *Point, c, slip, slid float64) (normal, shear, stored float64) {
	deep := l.rise(slid-p.start()) - c
	if !(deep > 0) {
		return 0, 0, 0
	}
	press, stretch := float64(p.Stiffness*deep), slip-slid
	shear = float64(p.Onset * stretch)
	return -press, shear, float64(0.5*press*deep) + float64(0.5*shear*stretch)
}

// rise returns by how much faces ride up that have slid by s [m].
func (l *Springs) rise(s float64) float64 { return float64(l.Dilation * min(math.Abs(s), l.Until)) }

// slide returns the slip that friction has let go once the point has come to the gap c
// without dilation and a slip: the first from the one before on at which friction bears the
// rest. Between the ends of dilation what it may bear is linear.
func (l *Springs) slide(p *Point, c, slip, from float64) float64 {
	way := slip - from
	sign := math.Copysign(1, way)
	x, start := from, p.start()
	for range 4 {
		left, place := math.Abs(slip-x), float64(sign*(x-start))
		steep, end := 0.0, math.Inf(1) // of rise along the way, and how far it goes on so
		switch {
		case l.Dilation == 0 || place >= l.Until:
		case place >= 0:
			steep, end = l.Dilation, l.Until-place
		case place >= -l.Until:
			steep, end = -l.Dilation, -place
		default:
			end = -l.Until - place
		}
		deep := l.rise(x-start) - c
		over := float64(p.Onset*left) - float64(l.Friction*p.Stiffness*max(deep, 0))
		if !(over > 0) {
			return x
		}
		ahead, soft := left, p.Onset+float64(l.Friction*p.Stiffness*steep)
		if w := (float64(p.Onset*left) - float64(l.Friction*p.Stiffness*deep)) / soft; soft > 0 {
			ahead = min(w, left)
		} else if steep < 0 && deep > 0 && -deep/steep < left {
			ahead = left // it opens on the way
		}
		if ahead <= end {
			return x + float64(sign*ahead)
		}
		x += float64(sign * end)
	}
	return slip
}
