package cohesive

import "math"

// Faces are laws of the faces of a joint in place of those of Springs: a closure that is not linear,
// and a friction that changes with slip. One of the frictions is given, or none for Coulomb's. The
// gap is c = D_n - d(p0) - h with the closure d under the first pressure, and the rise h grows by
// tan(psi) |ds| as the faces slide away from where they were at the start, and falls as they slide
// back.
type Faces struct {
	Closure   *Closure // nil for a linear one
	Barton    *BartonBandis
	Weakening *SlipWeakening
	RateState *RateState
}

// Indices in the memory of a point of Faces, in place of those of BalanceCohesion.
const (
	Path  = ShiftNormal // path of released slip; of BartonBandis the width of the range in which it has been [m]
	Risen = ShiftShear  // rise of the faces by dilation [m]
	Age   = Supplied    // state of RateState [s]; of BartonBandis the greatest released slip [m]
	Speed = WasNormal   // speed of slip in the last step [m/s]
)

// stiffnesses returns the greatest stiffness across and along a joint if a closed crack has a usual
// one [Pa/m].
func (l *Springs) stiffnesses(usual float64) (normal, shear float64) {
	if normal, shear = l.Normal, l.Shear; normal == 0 {
		normal = usual
	}
	if shear == 0 {
		shear = usual
	}
	if l.Faces != nil && l.Faces.Closure != nil {
		normal = max(normal, usual)
	}
	return normal, shear
}

// Greatest returns the greatest stiffness of a point [Pa/m] if a closed crack has a usual one.
func (l *Springs) Greatest(usual float64) float64 { return max(l.stiffnesses(usual)) }

// closureOf returns the closure of a point under a pressure [m].
func (l *Springs) closureOf(p *Point, pressure float64) float64 {
	if c := l.Faces.Closure; c != nil {
		return c.Of(pressure, p.Stiffness)
	}
	return pressure / p.Stiffness
}

// press returns pressure [Pa] and stored energy [J/m2] of a point at a closure [m].
func (l *Springs) press(p *Point, closure float64) (pressure, stored float64) {
	if c := l.Faces.Closure; c != nil {
		return c.At(closure, p.Stiffness)
	}
	closure = max(closure, 0)
	return float64(p.Stiffness * closure), float64(0.5 * p.Stiffness * closure * closure)
}

// negligible is an elastic slip that is rounding [m].
const negligible = 1e-12

// openFaces sets the first memory of a point with a first shear [Pa].
func (l *Springs) openFaces(p *Point, shear float64, mem []float64) {
	size := math.Abs(shear)
	switch f := l.Faces; {
	case p.Pressure <= negligible*p.Onset:
		size = 0 // whose ratio to the pressure is that of two roundings
	case f.Barton != nil:
		most, _ := f.Barton.Limit(f.Barton.peak, p.Pressure)
		size = min(size, most)
	case f.RateState == nil:
		size = min(size, l.Friction*p.Pressure)
	}
	p.FrictionShear = math.Copysign(size, shear)
	mem[Path], mem[Risen], mem[Age], mem[Speed] = 0, 0, 0, 0
	if f := l.Faces; f.Barton != nil && size > 0 {
		if mem[Path] = max(0, f.Barton.pathOf(size, p.Pressure)-size/p.Onset); shear < 0 {
			mem[Age] = mem[Path]
		}
	} else if f.RateState != nil {
		mem[Age] = f.RateState.First(size, p.Pressure)
	}
}

// slideFaces returns how far faces slide [m] in a time [s] under a pressure, if springs pull them by
// some traction [Pa], and the tangent of the angle at which they rise.
func (l *Springs) slideFaces(p *Point, mem *[Memories]float64, traction, pressure, time float64) (by, steep float64) {
	path := mem[Path]
	switch f := l.Faces; {
	case f.Barton != nil:
		limit, dilation := f.Barton.Limit(path+traction/p.Onset, pressure)
		return max(0, traction-limit) / p.Onset, dilation
	case f.Weakening != nil:
		return f.Weakening.slide(traction, pressure, p.Onset, path), 0
	case f.RateState != nil:
		speed := 0.0
		speed, mem[Age] = f.RateState.Advance(traction, pressure, p.Onset, mem[Age], time)
		return min(float64(speed*time), traction/p.Onset), 0
	}
	return max(0, traction-float64(l.Friction*pressure)) / p.Onset, l.Dilation
}

// advanceFaces is Advance for faces, after a time [s]. Without time nothing slides.
func (l *Springs) advanceFaces(p *Point, mem *[Memories]float64, opening, slip, time float64) (normal, shear, stored, frictionWork float64) {
	c := opening - l.closureOf(p, p.Pressure)
	pressed, from, friction, rise := mem[Pressed], mem[Slid], mem[FrictionTraction], mem[Risen]
	pressure, _ := l.press(p, rise-c)
	switch pull := float64(p.Onset * (slip - from)); {
	case pressure == 0:
		mem[Slid], mem[Speed] = slip, 0
	case time > 0:
		by, steep := l.slideFaces(p, mem, math.Abs(pull), pressure, time)
		mem[Slid], mem[Speed] = from+math.Copysign(by, pull), by/time
		l.travel(p, mem, by)
		if steep > 0 && by > 0 {
			outward := math.Abs(mem[Slid]-p.start()) - math.Abs(from-p.start())
			if mem[Risen] = max(0, rise+float64(steep*outward)); l.Until > 0 {
				mem[Risen] = min(mem[Risen], float64(l.Dilation*l.Until))
			}
		}
	}
	if normal, shear, stored = l.faceResponse(p, mem, c, slip); normal == 0 {
		mem[Slid], mem[Speed] = slip, 0
	}
	mem[Pressed], mem[FrictionTraction] = -normal, shear
	frictionWork = float64(0.5*(friction+shear)*(mem[Slid]-from)) - float64(0.5*(pressed-normal)*(mem[Risen]-rise))
	return normal, shear, stored, frictionWork
}

// travel adds a released slip to the path. Asperities that have been sheared by faces that go to and fro
// are not sheared again: roughness is mobilised by the range of slip.
func (l *Springs) travel(p *Point, mem *[Memories]float64, by float64) {
	if l.Faces.Barton == nil {
		mem[Path] += by
		return
	}
	at := mem[Slid] - p.start()
	low := min(mem[Age]-mem[Path], at)
	mem[Age] = max(mem[Age], at)
	mem[Path] = mem[Age] - low
}

// faceResponse returns the traction [Pa] and stored energy [J/m2] at the gap c without dilation.
func (l *Springs) faceResponse(p *Point, mem *[Memories]float64, c, slip float64) (normal, shear, stored float64) {
	pressure, stored := l.press(p, mem[Risen]-c)
	if pressure == 0 {
		return 0, 0, 0
	}
	stretch := slip - mem[Slid]
	shear = float64(p.Onset * stretch)
	return -pressure, shear, stored + float64(0.5*shear*stretch)
}

// FaceFriction returns the coefficient of friction that faces with a pressure have mobilised now.
func (l *Springs) FaceFriction(mem *[Memories]float64) float64 {
	if !(mem[Pressed] > 0) {
		return 0
	}
	return math.Abs(mem[FrictionTraction]) / mem[Pressed]
}
