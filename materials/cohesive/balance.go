package cohesive

import "math"

// A point begins with the traction t of cohesion, and with the potential 0. One that unloads
// before it has softened gives up to t^2/(2 k) to bodies, and they give it back when they load
// it again: as if cohesion had been a spring, stretched by t/k, that nobody had stretched.
// Bodies supply that energy as they supply that of faces that press (see BalanceContact): the
// position from which cohesion's stretch counts moves with the traction, slowly,
//
//	d(Shift)/dt = Rate f(x) e(r) T/k,   f = 2 sqrt(x (1.05 - x)),   x = unbalanced/(t^2/(2 k)),
//
// and by release times as much as the traction falls, where Release says so. The work of bodies on
// that way is supplied. r = (T/t)^2, and e = 32 (1 - r), at most 1 and at least 0: a point that is
// loaded beyond t is supplied with nothing. While it is whole, unbalanced is
//
//	t^2/(2 k) (1 - r) (1 + r <cos(T,t)>) - supplied:
//
// what it has given out, and, where it is pulled as at first and unloads, some of what it is
// about to give. What is supplied then is fracture energy. Softening has the rest, so that G stays as
// it is given. A point that softens at once is supplied with nothing: damage takes what would remain
// unbalanced. Once a point softens, unbalanced is what it has given out beyond all that it has
// taken.
//
// The way is within t/k, traction does not jump, and the stiffness is k all the while.

// elasticFade is e over 1 - r, see above.
const elasticFade = 32

// minSoftening is the share of the energy of a point that softening has at least,
// whatever has been supplied before.
const minSoftening = 0.1

// BalanceCohesion lets bodies supply what cohesion gives out, in a time [s], at an opening and a slip
// [m] to which Advance is about to take the memory of a point whose friction has made heat
// [J/m2]. It tells whether the point's energy has changed, of what is supplied.
func (p *Point) BalanceCohesion(mem *[Memories]float64, opening, slip, heat, time, release float64) (changed bool) {
	if p.Size == 0 || mem[Integrity] == 0 {
		return false
	}
	k, _ := p.springs()
	n, s := p.stretched(mem, opening, slip)
	rest := 1 - (float64(n*n)+float64(s*s))/float64(p.Size*p.Size)
	if unbalanced := p.unbalancedNow(mem, n, s, rest, opening, slip, heat); unbalanced > 0 && time > 0 {
		most := p.Size / k
		x := min(1, unbalanced/p.stretch())
		rate := float64(p.Rate*time) * 2 * math.Sqrt(float64(x*(1.05-x)))
		a := float64(rate * min(1, elasticFade*rest))
		if now, was := size(n, s), size(mem[WasNormal], mem[WasShear]); was > now && p.releases() {
			a += float64(release * (was - now) / now)
		}
		a = min(0.5, a) / k
		wn, ws := clampedChange(mem[ShiftNormal], float64(a*n), most), clampedChange(mem[ShiftShear], float64(a*s), most)
		first, second := p.works(mem, n, s, wn, ws)
		supplied := first - second
		if supplied > unbalanced { // the rest of the way: of the quadratic equation the root that does not cancel
			supplied = unbalanced
			part := 2 * unbalanced / (first + math.Sqrt(max(0, float64(first*first)-float64(4*second*unbalanced))))
			wn, ws = part*wn, part*ws
		}
		if supplied > 0 {
			changed = p.supply(mem, supplied)
			mem[ShiftNormal] += wn
			mem[ShiftShear] += ws
			n, s = p.stretched(mem, opening, slip) // as whoever resumes finds it
		}
	}
	mem[WasNormal], mem[WasShear] = n, s
	return changed
}

// stretch is the energy that cohesion's spring would have at first [J/m2].
func (p *Point) stretch() float64 {
	k, _ := p.springs()
	return p.Size * p.Size / (2 * k)
}

// stretched returns the traction of cohesion without damage [Pa], of which contact has what is
// normal where a point began under pressure.
func (p *Point) stretched(mem *[Memories]float64, opening, slip float64) (normal, shear float64) {
	k, _ := p.springs()
	if p.Pressure == 0 {
		normal = p.Normal + float64(k*(opening-mem[ShiftNormal]))
	}
	return normal, p.Shear + float64(k*(slip-mem[ShiftShear]))
}

// unbalancedNow returns what is to be supplied now [J/m2] with the traction n and s of cohesion without
// damage, of which rest is 1 - r.
func (p *Point) unbalancedNow(mem *[Memories]float64, n, s, rest, opening, slip, heat float64) float64 {
	if rest <= 0 || p.Balanced(mem, heat) {
		return 0
	}
	if mem[Integrity] < 1 {
		return p.given(mem, opening, slip, heat)
	}
	inTension := max(0, float64(n*p.Normal)+float64(s*p.Shear)) * math.Sqrt(1-rest) / (p.Size * p.Size) // r cos(T,t)
	return float64(p.stretch()*rest*(1+inTension)) - mem[Supplied] - heat
}

// ForGood stands for WasShear once a point is balanced. Its friction heat may fall again, by the
// error of a step.
var ForGood = math.Inf(1)

// Balanced tells whether all that cohesion could give out has been supplied, by fracture and
// friction, too: then nothing more ever is, see ForGood.
func (p *Point) Balanced(mem *[Memories]float64, heat float64) bool {
	return mem[WasShear] == ForGood || mem[Supplied]+mem[Lost]+heat >= mem[Integrity]*p.stretch()
}

// given returns what cohesion has given out beyond all that the point has taken [J/m2].
func (p *Point) given(mem *[Memories]float64, opening, slip, heat float64) float64 {
	k, _ := p.springs()
	sheared := slip - mem[ShiftShear]
	stored := float64((p.Shear + float64(0.5*k*sheared)) * sheared)
	c := opening - mem[ShiftNormal]
	if p.Pressure > 0 { // faces that press are contact's
		c = max(0, opening-mem[Offset])
	}
	stored += float64((p.Normal + float64(0.5*p.Stiffness*c)) * c)
	return max(0, -float64(mem[Integrity]*stored)-mem[Lost]-mem[Supplied]-heat)
}

// works returns what bodies do on a way [J/m2], the first less the second, which go with the
// way and with its square: by the mean traction of both ends of the step, as the work of
// leapfrog is.
func (p *Point) works(mem *[Memories]float64, n, s, wn, ws float64) (first, second float64) {
	k, _ := p.springs()
	half := 0.5 * mem[Integrity]
	first = float64(half * (float64((mem[WasNormal]+n)*wn) + float64((mem[WasShear]+s)*ws)))
	return first, float64(half * k * (float64(wn*wn) + float64(ws*ws)))
}

// supply adds what has been supplied to the memory [J/m2]: while the point is whole softening has that much less.
func (p *Point) supply(mem *[Memories]float64, supplied float64) (changed bool) {
	left := p.Energy - supplied
	if mem[Integrity] == 1 && p.Onset == p.Size && left >= minSoftening*(p.Energy+mem[Supplied]) {
		p.Energy, changed = left, true
	}
	mem[Supplied] += supplied
	return changed
}

// clampedChange returns the way from a place that is no farther from 0 than most.
func clampedChange(from, way, most float64) float64 { return max(-most, min(most, from+way)) - from }

// size returns that of a traction [Pa].
func size(normal, shear float64) float64 {
	return math.Sqrt(float64(normal*normal) + float64(shear*shear))
}

// releases tells whether cohesion unloads farther than the faces move while it is unbalanced, see Release.
func (p *Point) releases() bool { return p.Pressure > 0 || p.stretch() > p.Energy }
