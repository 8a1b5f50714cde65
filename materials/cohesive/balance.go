package cohesive

import "math"

// A point begins with the traction t of cohesion, and with the potential 0. A point that
// unloads before it has softened gives up to t^2/(2 k) to the bodies, and takes it back when
// they load it again. So cohesion acts as a spring that is stretched by t/k at first, without
// any work. The bodies do this work later, as for faces under pressure (see BalanceContact):
// the position from which cohesion's stretch counts moves slowly in the direction of the
// traction T,
//
//	d(Shift)/dt = Rate f(x) e(r) T/k,   f = 2 sqrt(x (1.05 - x)),   x = unbalanced/(t^2/(2 k)),
//
// and, in the cases named at Release, also by release times the fall of the traction. The work
// of the bodies on this displacement is supplied. r is (T/t)^2, and e is 32 (1 - r), at most 1
// and at least 0: a point that is loaded beyond t gets no supply. While a point is whole,
// unbalanced is
//
//	t^2/(2 k) (1 - r) (1 + r <cos(T,t)>) - supplied:
//
// the energy that it has given out and, if it unloads under tension in the first direction, a
// part of the energy that it is about to give out. The energy supplied in this phase is stored
// in the spring, and softening dissipates it with the rest, so that the total is G. A point that softens at
// once gets no supply: damage takes the energy that would remain unbalanced. Once a point
// softens, unbalanced is the energy that it has given out beyond all that it has taken.
//
// The displacement stays within t/k, the traction does not jump, and the stiffness is
// always k.

// elasticFade is e over 1 - r, see above.
const elasticFade = 32

// minSoftening is the least part of a point's energy that is left for softening,
// whatever the supply before.
const minSoftening = 0.1

// BalanceCohesion balances the energy that cohesion gives out, in a time [s], at the opening
// and the slip [m] of the next call of Advance. heat is the heat of the point's friction so far
// [J/m2]. The result tells whether the supply has changed the point's fracture energy.
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
		if supplied > unbalanced { // part of the displacement: the root of the quadratic equation without cancellation
			supplied = unbalanced
			part := 2 * unbalanced / (first + math.Sqrt(max(0, float64(first*first)-float64(4*second*unbalanced))))
			wn, ws = part*wn, part*ws
		}
		if supplied > 0 {
			changed = p.supply(mem, supplied)
			mem[ShiftNormal] += wn
			mem[ShiftShear] += ws
			n, s = p.stretched(mem, opening, slip) // computed as after a resume
		}
	}
	mem[WasNormal], mem[WasShear] = n, s
	return changed
}

// stretch returns the energy of cohesion's spring at its first stretch [J/m2].
func (p *Point) stretch() float64 {
	k, _ := p.springs()
	return p.Size * p.Size / (2 * k)
}

// stretched returns the traction of cohesion without damage [Pa]. For a point that began under
// pressure the normal part belongs to contact and is 0 here.
func (p *Point) stretched(mem *[Memories]float64, opening, slip float64) (normal, shear float64) {
	k, _ := p.springs()
	if p.Pressure == 0 {
		normal = p.Normal + float64(k*(opening-mem[ShiftNormal]))
	}
	return normal, p.Shear + float64(k*(slip-mem[ShiftShear]))
}

// unbalancedNow returns the energy that remains to be supplied [J/m2]. n and s are the traction
// of cohesion without damage, and rest is 1 - r of it.
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

// Balanced tells whether the supply, with fracture and friction, has reached all the energy
// that cohesion could give out. Then the point gets no further supply, see ForGood.
func (p *Point) Balanced(mem *[Memories]float64, heat float64) bool {
	return mem[WasShear] == ForGood || mem[Supplied]+mem[Lost]+heat >= mem[Integrity]*p.stretch()
}

// given returns the energy that cohesion has given out beyond all that the point has
// taken [J/m2].
func (p *Point) given(mem *[Memories]float64, opening, slip, heat float64) float64 {
	k, _ := p.springs()
	sheared := slip - mem[ShiftShear]
	stored := float64((p.Shear + float64(0.5*k*sheared)) * sheared)
	c := opening - mem[ShiftNormal]
	if p.Pressure > 0 { // pressure belongs to contact
		c = max(0, opening-mem[Offset])
	}
	stored += float64((p.Normal + float64(0.5*p.Stiffness*c)) * c)
	return max(0, -float64(mem[Integrity]*stored)-mem[Lost]-mem[Supplied]-heat)
}

// works returns the two parts of the work of the bodies on a displacement [J/m2], which is
// the first less the second. The first is proportional to the displacement, the second to
// its square. The work is by the mean traction of both ends of the step, as in the leapfrog
// scheme.
func (p *Point) works(mem *[Memories]float64, n, s, wn, ws float64) (first, second float64) {
	k, _ := p.springs()
	half := 0.5 * mem[Integrity]
	first = float64(half * (float64((mem[WasNormal]+n)*wn) + float64((mem[WasShear]+s)*ws)))
	return first, float64(half * k * (float64(wn*wn) + float64(ws*ws)))
}

// supply adds supplied energy to the memory [J/m2]. While the point is whole, softening gets
// less by that energy.
func (p *Point) supply(mem *[Memories]float64, supplied float64) (changed bool) {
	left := p.Energy - supplied
	if mem[Integrity] == 1 && p.Onset == p.Size && left >= minSoftening*(p.Energy+mem[Supplied]) {
		p.Energy, changed = left, true
	}
	mem[Supplied] += supplied
	return changed
}

// clampedChange returns the displacement from a position, limited so that it ends
// within most of 0.
func clampedChange(from, displacement, most float64) float64 {
	return max(-most, min(most, from+displacement)) - from
}

// size returns the size of a traction [Pa].
func size(normal, shear float64) float64 {
	return math.Sqrt(float64(normal*normal) + float64(shear*shear))
}

// releases tells whether unbalanced cohesion unloads by more than the displacement of the
// faces, see Release.
func (p *Point) releases() bool { return p.Pressure > 0 || p.stretch() > p.Energy }
