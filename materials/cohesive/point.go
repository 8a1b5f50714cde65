package cohesive

import "math"

// Start is the initial state of a point of a crack.
type Start struct {
	Normal, Shear float64 // traction of one face on the other [Pa]; tension for Normal > 0
	Stiffness     float64 // [Pa/m]; see Stiffness
	Energy        float64 // fracture energy G of the point [J/m2], for its mixity and its part of the chord
	// Onset is the size of cohesion's traction at which softening begins [Pa].
	// The point is elastic until then. If Onset is not above the size of the
	// first traction, softening begins at once. It must be above 0 if cohesion
	// carries no traction at first.
	Onset float64
	// Rate is the rate at which the work of the bodies balances the first energy of a
	// point [1/s], see BalanceContact; 0 for no balance.
	Rate float64
	// Charge is the pressure of the initial stress on a joint, which charges the contact spring of
	// the point from the start [Pa]; 0 for none.
	Charge float64
}

// Point holds the constants of a point of a crack, made by Law.Open.
type Point struct {
	Stiffness     float64 // K [Pa/m]: no tangent of the point is above it, whatever its damage
	Normal, Shear float64 // first traction of cohesion [Pa]; Normal >= 0
	Size          float64 // size of that traction [Pa]
	Pressure      float64 // first pressure, carried by contact [Pa]
	FrictionShear float64 // first shear traction of friction [Pa]
	Onset         float64 // cohesion's traction at which softening begins [Pa], at least Size
	Energy        float64 // G [J/m2]
	Rate          float64 // see Start [1/s]
	Smooth        bool    // its faces have no friction
}

// Open returns the point, and sets its first memory mem, of length Memories.
//
// Cohesion carries tension. Under pressure contact carries the normal part, and
// friction carries as much of the shear as it can. Cohesion carries the rest of
// the shear. So the strength falls from cohesion plus friction to friction alone,
// and the area between the two is the fracture energy (A. C. Palmer, J. R. Rice,
// Proc. R. Soc. Lond. A 332 (1973) 527). The onset is lowered if more than half
// of the energy would be taken before softening begins.
func (l *Law) Open(s Start, mem []float64) Point {
	p := Point{Stiffness: s.Stiffness, Energy: s.Energy, Rate: s.Rate, Normal: max(s.Normal, 0), Pressure: max(-s.Normal, 0), Shear: s.Shear, Smooth: l.Smooth()}
	if p.Pressure > 0 {
		p.FrictionShear = math.Copysign(min(math.Abs(s.Shear), l.ResidualFriction*p.Pressure), s.Shear)
		p.Shear = s.Shear - p.FrictionShear
	}
	p.Size = math.Sqrt(float64(p.Normal*p.Normal) + float64(p.Shear*p.Shear))
	k, frictionStiffness := p.springs()
	p.Onset = max(p.Size, min(s.Onset, math.Sqrt(float64(p.Size*p.Size)+float64(k*p.Energy))))
	mem[0], mem[1], mem[2], mem[3], mem[4] = 0, -p.FrictionShear/frictionStiffness, p.FrictionShear, 1, 0
	mem[Offset], mem[Compression] = p.Pressure/p.Stiffness, p.Pressure/p.Stiffness
	mem[Unbalanced], mem[UnbalancedFriction] = p.contactEnergy()-p.Charged(s.Charge), 0.5*p.FrictionShear*p.FrictionShear/frictionStiffness
	mem[ShiftNormal], mem[ShiftShear], mem[Supplied], mem[WasNormal], mem[WasShear] = 0, 0, 0, p.Normal, p.Shear
	return p
}

// contactEnergy returns the first energy of the contact spring [J/m2].
func (p *Point) contactEnergy() float64 { return float64(0.5*p.Pressure*p.Pressure) / p.Stiffness }

// Charged returns the part of the first energy of the contact spring that an initial stress has
// given it by a pressure on the joint [J/m2]. No work of the bodies has to balance it.
func (p *Point) Charged(pressure float64) float64 {
	pressure = min(pressure, p.Pressure)
	return float64(0.5*pressure*pressure) / p.Stiffness
}

// Smooth tells whether faces have no friction.
func (l *Law) Smooth() bool { return l.ResidualFriction == 0 }

// springs returns two stiffnesses in shear [Pa/m]: of cohesion, and of friction over the
// whole area. A point that begins under pressure and has friction has both from the start,
// each with half of its stiffness. Else friction takes over from cohesion as damage grows.
func (p *Point) springs() (cohesion, friction float64) {
	if p.Pressure > 0 && !p.Smooth {
		return 0.5 * p.Stiffness, 0.5 * p.Stiffness
	}
	return p.Stiffness, p.Stiffness
}

// elastic returns the kappa [m] at which the elastic range ends, and the energy
// [J/m2] that softening takes after it.
func (p *Point) elastic() (kappa, energy float64) {
	k, _ := p.springs()
	return (p.Onset - p.Size) / k, p.Energy - (p.Onset-p.Size)*(p.Onset+p.Size)/(2*k)
}

// Broken returns the kappa [m] at which a point has lost all cohesion. On a
// straight path it is the opening.
func (l *Law) Broken(p *Point) float64 {
	elastic, energy := p.elastic()
	return elastic + float64(l.Curve.End()*energy/p.Onset)
}

// Insertion returns the energy [J/m2] that a new point stores in its contact and friction
// springs, which is 0 without pressure. No work has been done for it, see BalanceContact
// and FrictionHeat.
func (p *Point) Insertion() float64 {
	_, frictionStiffness := p.springs()
	return p.contactEnergy() + float64(0.5*p.FrictionShear*p.FrictionShear/frictionStiffness)
}

// Memories is the length of a point's memory: kappa [m], which is the greatest effective
// opening and never falls; the slip that friction has released [m]; the traction of friction
// [Pa]; the integrity, 1 less damage, and the dissipated energy [J/m2], both functions of
// kappa; and the values of BalanceContact, FrictionHeat and BalanceCohesion.
const Memories = 14

// Indices in the memory of the values of BalanceContact and FrictionHeat.
const (
	Offset             = 5 + iota // opening at which the faces separate [m]
	Unbalanced                    // first energy of the contact spring that work has not balanced yet [J/m2]
	UnbalancedFriction            // first energy of the friction spring, likewise [J/m2]
	Compression                   // compression of the contact spring at the last call of BalanceContact [m]
	// Values of BalanceCohesion.
	ShiftNormal // opening from which cohesion's stretch counts [m]
	ShiftShear  // slip from which cohesion's stretch counts [m]
	Supplied    // energy of cohesion's first stretch that work has balanced [J/m2]
	WasNormal   // traction of cohesion without damage at the last call of BalanceCohesion [Pa]
	WasShear
)

// Release is the additional unloading of an unbalanced spring, as a multiple of the bodies'
// displacement. It applies under pressure. It also applies in tension if the spring stores more
// than the fracture energy of the point, as in coarse meshes of brittle bodies. With 2 a spring
// gives back a third of its energy. No spring becomes stiffer: at least half of the traction
// stays in a step, and reloading is with the spring's own stiffness. With 4 a spring would give
// back as much, since half of the traction is gone in two steps. If Release applied to all
// points in tension, slow cracks would leave their path.
const Release = 2

// BalanceContact balances the first energy of the contact spring of a point that began under
// pressure, in a time [s], at the opening [m] of the next call of Advance. The spring is
// compressed by p/K from the first instant, although no work p^2/(2 K) has been done on it.
// While the faces press on each other, the opening at which they separate falls. So they close
// a little, and the work of the bodies on that displacement is subtracted from the unbalanced
// energy. With the compression q and the unbalanced part x of the energy
//
//	d(Offset)/dt = -Rate q f(x) + release min(0, dq/dt),   f = 2 sqrt(x (1.05 - x))
//
// with dq/dt of the faces' motion. At constant pressure the faces close by p/(2 K). Faces that
// unload at once release p^2/(2 K (1 + release)). The traction does not jump, and the
// displacement begins and ends slowly. The stiffness is always K. The work of a step is the
// displacement times the mean pressure of its ends, as in the leapfrog scheme. Faces that
// separate before the balance is complete continue it when they press on each other again.
// Offset stays between p/K and -p/K.
func (p *Point) BalanceContact(mem *[Memories]float64, opening, time, release float64) {
	q := mem[Offset] - opening
	if unbalanced := mem[Unbalanced]; unbalanced > 0 && time > 0 && q > 0 {
		x := min(1, float64(unbalanced/p.contactEnergy()))
		displacement := float64(q*float64(float64(p.Rate*time)*2*math.Sqrt(float64(x*(1.05-x))))) + float64(release*max(0, mem[Compression]-q))
		displacement = min(0.5*q, displacement)
		displacement = max(0, min(displacement, mem[Offset]+p.Pressure/p.Stiffness))
		both := max(0, mem[Compression]) + q // sum of the compressions at the step's ends, before the displacement
		supplied := float64(0.5 * p.Stiffness * (both - displacement) * displacement)
		if supplied > unbalanced { // for the rest of the displacement: the root of the quadratic equation that does not cancel
			supplied = unbalanced
			displacement = 4 * unbalanced / (p.Stiffness * (both + math.Sqrt(max(0, float64(both*both)-8*unbalanced/p.Stiffness))))
		}
		mem[Offset] -= displacement
		mem[Unbalanced] = unbalanced - supplied
		q = mem[Offset] - opening // as whoever resumes finds it
	}
	mem[Compression] = q
}

// FrictionHeat returns the heat that friction makes in a step [J/m2]. The first part of
// friction's work is no heat: it balances the energy of the friction spring, which is
// stretched from the first instant, as the contact spring is compressed (see BalanceContact).
func FrictionHeat(mem *[Memories]float64, frictionWork float64) float64 {
	supplied := min(mem[UnbalancedFriction], max(0, frictionWork))
	mem[UnbalancedFriction] -= supplied
	return frictionWork - supplied
}

// Input is a slice of points. All slices have the same length n. Mem has n
// times Memories, a point's values side by side.
type Input struct {
	Points  []Point
	Opening []float64 // D_n [m]; negative if the faces overlap
	Slip    []float64 // D_s [m]
	Mem     []float64 // committed memory
}

// Output is the output of the law, laid out as Input. Traction acts against
// positive opening and slip.
type Output struct {
	Normal, Shear []float64 // traction [Pa]
	Stored        []float64 // recoverable energy [J/m2]: cohesion, contact, friction spring
	Dissipated    []float64 // fracture energy used so far [J/m2], a function of kappa alone; G at the end
	FrictionWork  []float64 // energy dissipated in this step by friction, by the mean traction of both its ends, and by crushing of faces [J/m2]
	Damage        []float64 // d, from 0 to 1
	Mem           []float64 // next memory; may alias Input.Mem
	// Tangent holds dNormal/dOpening, dNormal/dSlip, dShear/dOpening and
	// dShear/dSlip [Pa/m] side by side, point after point; nil if it is not
	// needed.
	Tangent []float64
}

// Eval fills out for every point of in by Advance. It does not allocate. It is
// idempotent: with out.Mem as the next in.Mem and the same opening and slip it
// returns the same to rounding, except FrictionWork, which then is 0, and
// Tangent, which then is that of unloading.
func (l *Law) Eval(in Input, out Output) {
	for i := range in.Points {
		mem := (*[Memories]float64)(out.Mem[Memories*i:])
		copy(mem[:], in.Mem[Memories*i:Memories*i+Memories])
		var tangent []float64
		if out.Tangent != nil {
			tangent = out.Tangent[4*i : 4*i+4]
		}
		out.Normal[i], out.Shear[i], out.Stored[i], out.FrictionWork[i] = l.Advance(&in.Points[i], mem, in.Opening[i], in.Slip[i], tangent)
		out.Damage[i], out.Dissipated[i] = 1-mem[3], mem[4]
	}
}

// Advance returns the traction of a point [Pa] and its energies as in Output [J/m2], at
// an opening and a slip [m], and updates its memory. It fills tangent as in Output,
// unless that is nil. It does not allocate.
//
// The law has a potential. With D the opening and slip, t the initial traction
// of cohesion, s the stretch of the friction spring, and phi(q) the energy of
// closed faces with the overlap q = <-D_n> (see contact), whose slope is at
// most K q, it is
//
//	Psi = (1-d) (t.D + K D^2/2) + d (phi(q) + K s^2/2)
//
// It is 0 when the point begins, and when the point is broken and its faces are
// separated. At fixed d and without slip of friction the law is conservative,
// and its second derivatives are within K. No tangent is above K, unless faces
// slide while damage grows. The force that drives damage is Y = -dPsi/dd. kappa
// is the greatest opening of a straight path along t with the same Y,
//
//	Y = |t| kappa + K kappa^2/2,
//
// and 1 - d = T(kappa)/(|t| + K kappa), with T the softening curve. So a straight path
// follows the curve for any K, and all paths dissipate G. Y does not count the energy
// that pressure alone would release, since phi < K q^2/2. If shear damages a closed
// point, that energy goes into FrictionWork. Friction is Coulomb's, on the part d of the
// area that carries contact pressure (G. Alfano, E. Sacco, Int. J. Numer. Meth. Engng 68
// (2006) 542). For a point that begins under pressure, D_n counts from the opening at
// which the faces would separate (Offset). Then cohesion and friction each have half of
// K in shear from the start, so that they add up to c + mu p at first.
func (l *Law) Advance(p *Point, mem *[Memories]float64, opening, slip float64, tangent []float64) (normal, shear, stored, frictionWork float64) {
	return l.AdvanceIn(p, mem, opening, slip, 0, tangent)
}

// AdvanceIn is Advance within a time [s], which matters if the law has a Rate. With a time
// of zero such a point keeps its damage.
func (l *Law) AdvanceIn(p *Point, mem *[Memories]float64, opening, slip, time float64, tangent []float64) (normal, shear, stored, frictionWork float64) {
	kappa, slid, friction, g := mem[0], mem[1], mem[2], mem[3]
	c := opening
	if p.Pressure > 0 {
		c -= mem[Offset]
	}
	if g == 0 && c >= 0 && friction == 0 && tangent == nil { // the point is broken, and its faces are separated
		mem[1], mem[2] = slip, 0
		return 0, 0, 0, 0
	}
	k, frictionStiffness := p.springs()

	// Contact of broken faces, and their friction, which is a spring that slips at
	// its limit.
	press, pressed, hard, limit := 0.0, 0.0, 0.0, 0.0
	if c < 0 {
		press, pressed, hard = l.contact(p, c)
		limit = l.ResidualFriction * press / frictionStiffness
	}
	if s := slip - slid; math.Abs(s) > limit {
		slid = slip - math.Copysign(limit, s)
	}
	s := slip - slid

	// The force that drives damage. Pressure alone does not.
	stretch, sheared := c-mem[ShiftNormal], slip-mem[ShiftShear]
	bulk, bond := float64(k*sheared), float64(p.Stiffness*stretch)
	pull, slide := float64((p.Normal+float64(0.5*bond))*stretch), float64((p.Shear+float64(0.5*bulk))*sheared)
	crush := 0.0
	if c < 0 {
		crush = max(0, pull-pressed)
	}
	y := pull - pressed - crush + slide
	if p.Pressure == 0 {
		y -= float64(0.5 * frictionStiffness * s * s)
	}
	if y > p.Drive(kappa) {
		kappa = max(kappa, 2*y/(p.Size+math.Sqrt(float64(p.Size*p.Size)+float64(2*k*y))))
	}
	grown, whole := false, g
	var slope float64
	if l.Rate != nil {
		g = l.rateDamage(p, mem, kappa, time)
	} else if kappa > mem[0] {
		if elastic, energy := p.elastic(); kappa > elastic {
			grown = true
			g, mem[4], slope = l.soften(p, kappa, elastic, energy, mem[3:4], mem[4:5], tangent)
		}
	}

	rough := frictionStiffness
	if p.Pressure == 0 {
		rough *= 1 - g
	}
	now := float64(rough * s)
	if tangent != nil {
		l.tangent(p, tangent, slope, g, grown, slid != mem[1], crush > 0, kappa, press, hard, rough, stretch, sheared, s)
	}
	frictionWork = float64(0.5*(friction+now)*(slid-mem[1])) + float64(crush*(whole-g))
	mem[0], mem[1], mem[2], mem[3] = kappa, slid, now, g
	normal, shear, stored = p.response(mem, c, slip, press, pressed)
	return normal, shear, stored, frictionWork
}

// Current returns the traction [Pa] and the stored energy [J/m2] of the last Advance of a
// point, from the same opening and slip [m].
func (l *Law) Current(p *Point, mem *[Memories]float64, opening, slip float64) (normal, shear, stored float64) {
	c := opening
	if p.Pressure > 0 {
		c -= mem[Offset]
	}
	if mem[3] == 0 && c >= 0 && mem[2] == 0 {
		return 0, 0, 0
	}
	press, pressed := 0.0, 0.0
	if c < 0 {
		press, pressed, _ = l.contact(p, c)
	}
	return p.response(mem, c, slip, press, pressed)
}

// response returns the traction [Pa] and stored energy [J/m2] for a memory, an opening c and
// a slip [m]. press and pressed are the pressure and energy of the faces from contact.
func (p *Point) response(mem *[Memories]float64, c, slip, press, pressed float64) (normal, shear, stored float64) {
	k, _ := p.springs()
	slid, now, g := mem[1], mem[2], mem[3]
	stretch, sheared := c-mem[ShiftNormal], slip-mem[ShiftShear]
	bulk, bond := float64(k*sheared), float64(p.Stiffness*stretch)
	pull, slide := float64((p.Normal+float64(0.5*bond))*stretch), float64((p.Shear+float64(0.5*bulk))*sheared)
	normal = float64(g*(p.Normal+bond)) - float64((1-g)*press)
	shear = float64(g*(p.Shear+bulk)) + now
	stored = float64(g*(pull+slide)) + float64((1-g)*pressed) + float64(0.5*now*(slip-slid))
	return normal, shear, stored
}

// contact returns the pressure phi' [Pa] of the point's broken faces at the
// opening c < 0, its energy phi [J/m2] and its tangent [Pa/m]. With q = -c and
// the tensile strength f:
//
//	phi' = K q^2/(2 q_0) up to q_0 = 6 f/K, then K (q - q_0/2)
//
// If the stiffness of a closing crack jumped from 0 to K, each impact of the
// faces would create energy in explicit steps near the stable one (see the test
// of fragments). Faces that began under pressure have never separated and have
// the stiffness K.
func (l *Law) contact(p *Point, c float64) (pressure, energy, tangent float64) {
	q, k := -c, p.Stiffness
	soft := l.ClosureLength(p)
	if q < soft {
		tangent = k * q / soft
		pressure = 0.5 * tangent * q
		return pressure, pressure * q / 3, tangent
	}
	r := q - float64(0.5*soft)
	return k * r, float64(0.5*k*r*r) + float64(k*soft*soft/24), k
}

// ClosureLength returns the overlap q_0 [m] at which the faces of a point reach their full
// stiffness, see contact.
func (l *Law) ClosureLength(p *Point) float64 {
	if p.Pressure > 0 {
		return 0
	}
	return 6 * l.Tension / p.Stiffness
}

// Drive returns the force Y [J/m2] beyond which damage grows at a kappa, see
// Advance.
func (p *Point) Drive(kappa float64) float64 {
	k, _ := p.springs()
	return (p.Size + float64(0.5*k*kappa)) * kappa
}

// soften returns the integrity g, the dissipated energy and, if slope is not
// nil, dg/dkappa, for a kappa beyond the elastic range. energy is the energy
// left for softening. The slices have one value each, for the curve to write to.
func (l *Law) soften(p *Point, kappa, elastic, energy float64, s, lost, slope []float64) (g, dissipated, dg float64) {
	k, _ := p.springs()
	open, whole := kappa-elastic, p.Size+float64(k*kappa)
	s[0] = open * p.Onset / energy
	if slope != nil {
		slope = slope[:1]
	}
	l.Curve.Eval(s, s, slope, lost)
	curve := s[0]
	g = min(1, p.Onset*curve/whole)
	// The integral of the traction less the stored energy, in an order without
	// cancellation.
	dissipated = float64(energy*lost[0]) +
		float64((p.Energy-energy)*(1-curve)) +
		float64(0.5*curve*open*(p.Onset-float64(p.Size*p.Size/(p.Onset+float64(k*open)))))
	if slope != nil {
		dg = (float64(p.Onset*p.Onset/energy*slope[0]) - float64(g*k)) / whole
	}
	return g, dissipated, dg
}

// tangent fills t. dg is dg/dkappa; the other arguments are as in AdvanceIn.
func (l *Law) tangent(p *Point, t []float64, dg, g float64, grown, slips, crushed bool, kappa, press, hard, rough, c, slip, s float64) {
	k, frictionStiffness := p.springs()
	// Derivatives of the friction spring's stretch, by opening and by slip.
	sc, ss := 0.0, 1.0
	if slips {
		ss, sc = 0, -math.Copysign(l.ResidualFriction*hard/frictionStiffness, s)
	}
	// Derivatives of traction by g. They are those of Y by opening and slip, except for
	// slipping friction.
	gn, gs := p.Normal+float64(p.Stiffness*c)+press, p.Shear+float64(k*slip)
	yn, ys := gn, gs
	if crushed {
		yn = 0
	}
	if p.Pressure == 0 {
		gs -= float64(frictionStiffness * s)
		yn -= float64(frictionStiffness * s * sc)
		ys -= float64(frictionStiffness * s * ss)
	}
	if grown {
		dg /= p.Size + float64(k*kappa)
	} else {
		dg = 0
	}
	t[0] = float64(g*p.Stiffness) + float64((1-g)*hard) + float64(gn*dg*yn)
	t[1] = gn * dg * ys
	t[2] = float64(rough*sc) + float64(gs*dg*yn)
	t[3] = float64(g*k) + float64(rough*ss) + float64(gs*dg*ys)
}
