package cohesive

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// Springs is the law of a joint with stiffness of its own: linear springs across and along,
// Coulomb's friction, and dilation by slip (P. A. Cundall, R. D. Hart, Engng Comput. 9 (1992)
// 101). With the opening D_n, the slip D_s and the slip s that friction has released, all from
// the start,
//
//	c = D_n - p0/k_n - h(s)             the gap: it presses below 0
//	p = k_n <-c>                        pressure
//	T_s = k_s (D_s - s), |T_s| <= mu p  shear traction
//	h(s) = tan(psi) min(|s|, s_max)     by which what slides rides up
//
// The energy is k_n <-c>^2/2 + T_s^2/(2 k_s). Friction dissipates (|T_s| - p h'(s)) |ds|. The
// rest of the work in shear lifts the load, and is recovered as the joint slides back. For a
// bonded joint see bond.go.
type Springs struct {
	Normal, Shear float64 // k_n and k_s [Pa/m]; 0 for the stiffness of a closed crack
	Friction      float64 // mu
	Dilation      float64 // tan(psi), below mu
	Until         float64 // s_max [m]
	Bond          *Law    // bond, nil for none; its friction is that of the springs
	Faces         *Faces  // other laws of the faces, nil for none; not with a bond
}

// NewSprings returns the law, or an error that names the violated rule.
func NewSprings(s Springs) (*Springs, error) {
	switch {
	case s.Normal < 0 || s.Shear < 0 || s.Friction < 0 || s.Dilation < 0 || s.Until < 0:
		return nil, fmt.Errorf("stiffness, friction and dilation must not be negative, got %+v", s)
	case s.Bond != nil && s.Normal > 0 && s.Bond.minStiffness(0, s.Normal, s.Normal) > 0:
		return nil, fmt.Errorf("normal_stiffness must be at least %.4g Pa/m, since otherwise its spring stores more than energy_tension before the joint breaks; got %.4g Pa/m", s.Bond.minStiffness(0, s.Normal, s.Normal), s.Normal)
	case s.Bond != nil && s.Shear > 0 && s.Bond.minStiffness(1, s.Shear, s.Shear) > 0:
		return nil, fmt.Errorf("shear_stiffness must be at least %.4g Pa/m, since otherwise its spring stores more than energy_shear before the joint breaks; got %.4g Pa/m", s.Bond.minStiffness(1, s.Shear, s.Shear), s.Shear)
	case s.Dilation > s.Friction:
		return nil, fmt.Errorf("dilation must not exceed the friction angle, %.4g degrees, since otherwise sliding would create energy; got %.4g degrees", degrees(s.Friction), degrees(s.Dilation))
	}
	return &s, nil
}

// degrees returns the angle with a tangent [degrees].
func degrees(tangent float64) float64 { return 180 / math.Pi * elementary.Atan2(tangent, 1) }

// Open returns a point with a first traction [Pa], and sets its first memory mem. The part of
// the traction that neither friction nor a bond carries is released. stiffness replaces a k_n
// or k_s that is not given [Pa/m]. In the point, Stiffness is k_n, Onset is k_s, and Normal and
// Shear are the first traction of the bond.
func (l *Springs) Open(normal, shear, stiffness float64, mem []float64) Point {
	p := Point{Pressure: max(-normal, 0)}
	p.Stiffness, p.Onset = l.stiffnesses(stiffness)
	if l.Faces != nil {
		l.openFaces(&p, shear, mem)
	} else {
		p.FrictionShear = math.Copysign(min(math.Abs(shear), l.Friction*p.Pressure), shear)
	}
	mem[Kappa], mem[Slid], mem[FrictionTraction], mem[Integrity], mem[Lost] = 0, -p.FrictionShear/p.Onset, p.FrictionShear, 0, 0
	if l.Bond != nil {
		p.Normal, p.Shear, mem[Integrity] = max(normal, 0), shear-p.FrictionShear, 1
		if used := l.Bond.Used(p.Normal, p.Shear); used > 1 {
			p.Normal, p.Shear = p.Normal/used, p.Shear/used
		}
	}
	mem[Pressed], mem[PressedRise] = p.Pressure, 0
	return p
}

// start returns the released slip of the state without shear [m].
func (p *Point) start() float64 { return -(p.FrictionShear + p.Shear) / p.Onset }

// Stiffest returns the greater of a point's two stiffnesses [Pa/m].
func (l *Springs) Stiffest(p *Point) float64 { return max(p.Stiffness, p.Onset) }

// InitialEnergy returns the energy that a new point stores [J/m2].
func (l *Springs) InitialEnergy(p *Point) float64 {
	normal, shear := p.Pressure+p.Normal, p.FrictionShear+p.Shear // Pressure or Normal is 0
	if l.Faces != nil {
		_, pressed := l.press(p, l.closureOf(p, p.Pressure))
		return pressed + float64(0.5*shear*shear/p.Onset)
	}
	return 0.5*normal*normal/p.Stiffness + float64(0.5*shear*shear/p.Onset)
}

// Advance is Law.Advance without a tangent, in a time [s] that Faces alone need. The fracture energy is in the memory (Lost) and
// in neither of the returned energies.
func (l *Springs) Advance(p *Point, mem *[Memories]float64, opening, slip, time float64) (normal, shear, stored, frictionWork float64) {
	if l.Faces != nil {
		return l.advanceFaces(p, mem, opening, slip, time)
	}
	c := opening + (p.Normal-p.Pressure)/p.Stiffness
	pressed, from, friction, whole := mem[Pressed], mem[Slid], mem[FrictionTraction], mem[Integrity]
	slid := l.slide(p, c, slip, from, whole)
	mem[Slid] = slid
	if whole > 0 {
		l.growDamage(p, mem, c)
	}
	g := mem[Integrity]
	normal, shear, stored = l.response(p, mem, c, slip)
	rise := l.rise(p, slid, g)
	if mem[Pressed], mem[FrictionTraction] = 0, 0; rise > c {
		mem[Pressed], mem[FrictionTraction] = float64(p.Stiffness*(rise-c)), float64(p.Onset*(slip-slid))
	}
	// The slip that friction has released, on the part of the area that is no longer
	// bonded.
	released := float64((1-g)*(slid-from)) + float64((whole-g)*(from-p.start()))
	frictionWork = float64(0.5 * (friction + mem[FrictionTraction]) * released)
	if l.Dilation > 0 {
		frictionWork -= float64(0.5 * (pressed + mem[Pressed]) * (rise - l.rise(p, from, whole)))
		if c <= min(rise, mem[PressedRise]) {
			mem[PressedRise] = rise
		}
	}
	return normal, shear, stored, frictionWork
}

// Current is Law.Current.
func (l *Springs) Current(p *Point, mem *[Memories]float64, opening, slip float64) (normal, shear, stored float64) {
	if l.Faces != nil {
		return l.faceResponse(p, mem, opening-l.closureOf(p, p.Pressure), slip)
	}
	return l.response(p, mem, opening+(p.Normal-p.Pressure)/p.Stiffness, slip)
}

// response returns the traction [Pa] and stored energy [J/m2] at the gap c without dilation.
func (l *Springs) response(p *Point, mem *[Memories]float64, c, slip float64) (normal, shear, stored float64) {
	slid, g := mem[Slid], mem[Integrity]
	if deep := l.rise(p, slid, g) - c; deep > 0 {
		press, stretch := float64(p.Stiffness*deep), slip-slid
		shear = float64(p.Onset * stretch)
		normal, stored = -press, float64(0.5*press*deep)+float64((1-g)*0.5*shear*stretch)
	}
	if g > 0 {
		pull, whole := max(0, c-mem[PressedRise]), slip-p.start()
		normal += float64(g * p.Stiffness * pull)
		shear += float64(g * p.Onset * (slid - p.start()))
		stored += float64(g * 0.5 * (float64(p.Stiffness*pull*pull) + float64(p.Onset*whole*whole)))
	}
	return normal, shear, stored
}

// rise returns the dilation of the faces [m] for a released slip and a bond's integrity g.
func (l *Springs) rise(p *Point, slid, g float64) float64 {
	if l.Dilation == 0 {
		return 0
	}
	return float64(l.Dilation * min(float64((1-g)*math.Abs(slid-p.start())), l.Until))
}

// DilationRise returns the dilation of a point's faces for a memory [m].
func (l *Springs) DilationRise(p *Point, mem *[Memories]float64) float64 {
	if l.Faces != nil {
		return mem[Risen]
	}
	return l.rise(p, mem[Slid], mem[Integrity])
}

// slide returns the released slip at the gap c without dilation, a slip and an integrity
// g. It is the first value from the former one on at which friction carries the remaining
// shear. Between the ends of dilation the limit of friction is linear.
func (l *Springs) slide(p *Point, c, slip, from, g float64) float64 {
	travel := slip - from
	sign := math.Copysign(1, travel)
	x, start, damage := from, p.start(), 1-g
	until := l.Until / damage
	for range 4 {
		left, position := math.Abs(slip-x), float64(sign*(x-start))
		steep, end := 0.0, math.Inf(1) // slope of the rise along the slip, and where that ends
		switch {
		case l.Dilation == 0 || damage == 0 || position >= until:
		case position >= 0:
			steep, end = float64(l.Dilation*damage), until-position
		case position >= -until:
			steep, end = float64(-l.Dilation*damage), -position
		default:
			end = -until - position
		}
		deep := l.rise(p, x, g) - c
		over := float64(p.Onset*left) - float64(l.Friction*p.Stiffness*max(deep, 0))
		if !(over > 0) {
			return x
		}
		ahead, soft := left, p.Onset+float64(l.Friction*p.Stiffness*steep)
		if w := (float64(p.Onset*left) - float64(l.Friction*p.Stiffness*deep)) / soft; soft > 0 {
			ahead = min(w, left)
		} else if steep < 0 && deep > 0 && -deep/steep < left {
			ahead = left // the joint opens before
		}
		if ahead <= end {
			return x + float64(sign*ahead)
		}
		x += float64(sign * end)
	}
	return slip
}
