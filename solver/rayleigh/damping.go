// Package rayleigh is Rayleigh damping, and the light damping of bodies that acts where the deck gives
// none.
package rayleigh

import (
	"errors"
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/solver/bodies"
	"fdem/solver/contacts"
	"fdem/solver/forces"
	models "fdem/solver/model"
	"fdem/solver/processes"
	"fdem/solver/rest"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Damping is Rayleigh damping. It acts on masses in the update of the nodes, on triangles together
// with their stresses, and on beams. This file records its work: over a step, half of the work of
// the forces at the start of the step and half of the work of those at its end.
type Damping struct {
	system.Idle
	system.View
	*system.RigidState
	triangles *bodies.Continuum
	beams     *bodies.Beams
	contacts  *contacts.Contacts
	moment    []float64 // on nodes with rotations [N m]
	taken     float64   // power of the forces and moments at the start of the last step, with the velocities after it [W]

	Relaxes bool    // bodies settle before the first step: damping of whole bodies acts wholly
	Light   bool    // light damping: the deck gives none, and it fades, see fade
	Fade    float64 // factor of the stiffness damping, at most 1; always 1 if the deck gives damping
	quiet   rest.Quiet
	Whole   *bodyDamping
	grant
}

// grant is the energy that light damping may take from bodies that slide under their weight. Its
// sums tell whether bodies slide. They are recent sums: a value slidingChecks ago has the weight
// 1/e.
type grant struct {
	granted      float64 // so far [J]
	Rate         float64 // power granted from now on [W]
	frictionHeat float64 // frictional heat at the last check [J]
	at           float64 // time of the last check [s]
	heat         float64 // recent frictional heat [J]
	falling      float64 // recent work of weight if all that moves fell with its speed [J]
	lost         float64 // recent energy that light damping would have taken without fading [J]
	late         float64 // length of the recent time [s]
	Spare        float64 // what it may still take of the recent frictional heat [J]
	Taken        float64 // what it has taken of frictional heat [J]
	since        float64 // the last check at which nothing had slid since the check before [s]
}

// NewDamping makes the damping.
func NewDamping(of system.View, state *system.RigidState, solids *bodies.Continuum, beams *bodies.Beams, touching *contacts.Contacts, shared *processes.Division, laying *rest.RestFinder) *Damping {
	k := &Damping{View: of, RigidState: state, triangles: solids, beams: beams, contacts: touching, Whole: &bodyDamping{breaking: contacts.Whole{}}, Light: of.Model.Damping.Light, Fade: 1}
	k.addLight(beams)
	if k.Empty() {
		return k
	}
	k.quiet = laying.QuietVibrations()
	if k.Light && (k.Model.Damping.Bodies || !k.Model.Damping.Kept && k.Model.Gravity != (r2.Vec{})) {
		supports, joints := laying.Supports()
		k.Whole = newBodyDamping(k.View, k.triangles, shared, 2*LightDamping/k.Model.Damping.Stiffness, supports, joints)
	}
	if k.InverseInertias != nil {
		k.moment = make([]float64, len(k.X))
	}
	if k.Light && k.quiet.Energy == 0 {
		k.Fade = 0 // until something slides
	}
	k.Damp(k.Model.Damping.Mass)
	k.DampElements()
	return k
}

// Break adds the bodies that break. What bodies are damped as before is known by then.
func (k *Damping) Break(b contacts.Broken) { k.Whole.breaking = b }

func (k *Damping) Name() string { return "damping" }

// NodesRead tells that nodes are damped one by one, by the process that moves them.
func (k *Damping) NodesRead(func(n int32)) bool { return true }

// DampElements sets the present damping of triangles.
func (k *Damping) DampElements() {
	if k.Light {
		k.triangles.DampFastest(LightDamping * k.Fade)
	} else {
		k.triangles.Damp(k.Model.Damping.Stiffness)
	}
}

// Bound adds the greatest rate at which whole bodies' damping acts on nodes, and the factor of
// stiffness-proportional damping.
func (k *Damping) Bound(b *system.Bounds) {
	b.Bodies, b.Viscous = k.Whole.rate, k.Model.Damping.Stiffness
	if k.quiet.Energy == 0 {
		b.Viscous = k.stiffness()
	}
}

// OfBodies returns the light damping of whole bodies, as a system.
func (k *Damping) OfBodies() system.System { return dampedBodies{of: k} }

// dampedBodies adds the damping of whole bodies to that of the triangles, once all other forces are
// known.
type dampedBodies struct {
	system.Idle
	of *Damping
}

func (k dampedBodies) Name() string { return "damping of bodies" }

func (k dampedBodies) Empty() bool { return !k.of.Whole.acts }

// NodesRead names the nodes through which whole bodies are damped.
func (k dampedBodies) NodesRead(each func(n int32)) bool {
	for _, n := range k.of.Whole.nodes {
		each(n)
	}
	return true
}

func (k dampedBodies) ApplyForces(commit bool) error {
	d := k.of
	if d.quiet.Energy == 0 { // a branch without weight
		return d.Whole.addForces(0, 0, commit)
	}
	if d.Relaxes {
		return d.Whole.addForces(1, math.Inf(1), commit)
	}
	spare := d.spareOf(quietBodies, quietBodiesTimes)
	return d.Whole.addForces(min(d.Fade, max(0, spare/float64(fadesFrom*quietBodies*d.quiet.Energy))), float64(maxOfSpare*spare), commit)
}

// OfBeams returns the damping of beams, as a system that acts before them.
func (k *Damping) OfBeams() system.System { return dampedBeams{of: k} }

// dampedBeams adds to the nodes of beams the moments of mass- and stiffness-proportional damping, and the forces of
// stiffness-proportional damping.
type dampedBeams struct {
	system.Idle
	of *Damping
}

func (k dampedBeams) Name() string { return "damping of beams" }

func (k dampedBeams) Empty() bool { return k.of.Empty() || k.of.beams.Empty() }

// NodesRead tells that nodes are damped one by one; beams name them.
func (k dampedBeams) NodesRead(func(n int32)) bool { return true }

func (k dampedBeams) AfterForces() { k.of.turn() }

func (k *Damping) Empty() bool { return k.Model.Damping.Mass == 0 && k.Model.Damping.Stiffness == 0 }

func (k *Damping) Dissipates() bool { return !k.Empty() }

func (k *Damping) Balance() error { return errors.New("damping" + forces.WithoutMotion) }

func (k *Damping) AfterForces() {
	k.Given = k.turning()
	k.Whole.Follow(false)
}

// turn adds the damping of beams.
func (k *Damping) turn() {
	of := k.beams
	clear(k.moment)
	if a := k.Model.Damping.Mass; a > 0 {
		for _, n := range of.BeamNodes {
			k.moment[n] -= float64(float64(a*of.Inertia[n]) * k.Spin[n])
		}
	}
	if beta := k.stiffness(); beta > 0 {
		of.AddDamping(k.Motion.Damping, k.moment, k.X, k.V, k.Spin, beta)
	}
	for _, n := range of.BeamNodes {
		k.View.Moment[n] += k.moment[n]
	}
}

// turning returns the power of the moments with the angular velocities [W].
func (k *Damping) turning() float64 {
	p := 0.0
	for i, m := range k.moment {
		if m != 0 {
			p += float64(m * k.Spin[i])
		}
	}
	return p
}

// MoveBy records the work of the step that led to Time, after nodes and beams have moved.
func (k *Damping) MoveBy(_, _ float64) {
	given, taken := k.Powers()
	work := k.work(given)
	k.Ledger.Damping -= work
	k.taken = taken + k.turning()
	k.fade(-work)
}

// work returns the work of the step that led to Time, without the work of moments [J]. given is the
// power of the forces at the end of the step with its velocities [W].
func (k *Damping) work(given float64) float64 {
	return float64(0.5 * k.Last * (k.taken + (given + k.Given)))
}

// AddEnergies adds the work of the step that led to Time. The ledger gets it only when the nodes move
// again.
func (k *Damping) AddEnergies(e *system.Energies) {
	e.DampingDissipated -= k.work(k.Power())
}

// Names of checkpoint parts: only runs with Rayleigh damping have the first, only those with light
// damping of whole bodies the second.
const (
	dampingPart      = "damping_power"
	dampedBodiesPart = "damping_bodies"
)

// KeepDamping sets the light damping of a model that goes on from a checkpoint as the run had it at
// its start, whatever has been changed since. has tells whether the checkpoint has a part.
func KeepDamping(m *models.Model, has func(part string) bool) {
	if d := &m.Damping; d.Light {
		d.Kept = has(dampingPart)
		d.Light, d.Bodies = d.Kept, has(dampedBodiesPart)
	}
}

func (k *Damping) StateParts() []system.Part {
	return append(k.Whole.Parts(), []system.Part{{Name: dampingPart, Values: &k.taken}, {Name: "damping_fade", Values: &k.Fade},
		{Name: "damping_granted", Values: &k.granted}, {Name: "damping_rate", Values: &k.Rate}, {Name: "damping_rubbed", Values: &k.frictionHeat}, {Name: "damping_looked", Values: &k.at},
		{Name: "damping_heat", Values: &k.heat}, {Name: "damping_falling", Values: &k.falling}, {Name: "damping_lost", Values: &k.lost}, {Name: "damping_late", Values: &k.late},
		{Name: "damping_spare", Values: &k.Spare}, {Name: "damping_taken", Values: &k.Taken}, {Name: "damping_since", Values: &k.since}}...)
}

func (k *Damping) Recompute() error {
	if !k.Light {
		k.Fade = 1
	}
	k.DampElements()
	k.Whole.resumed = k.Whole.acts
	return nil
}

// stiffness returns the present coefficient of stiffness-proportional damping [s].
func (k *Damping) stiffness() float64 { return float64(k.Fade * k.Model.Damping.Stiffness) }

// CostlyDamping is the ratio by which damping may shorten a step without a message.
const CostlyDamping = 1.5

// LightDamping is the fraction of critical damping for the fastest vibration of the elements, in
// models with friction that drives vibrations. Slower vibrations get proportionally less.
const LightDamping = 0.4

// addLight gives bodies light damping if they have friction and the model allows it. Sliding of elastic bodies is unstable under Coulomb's law: friction drives their vibrations,
// the shortest most (G. G. Adams, J. Appl. Mech. 62, 1995; K. Ranjith and J. R. Rice, J. Mech.
// Phys. Solids 49, 2001).
func (s *Damping) addLight(beams *bodies.Beams) {
	d := &s.Model.Damping
	friction := slices.ContainsFunc(s.contacts.Surfaces, hasFriction) || s.Fracture.HasFriction()
	if !d.Light || s.Static != nil || !friction && !d.Kept {
		return
	}
	var b system.Bounds
	s.triangles.Bound(&b)
	beams.Bound(&b)
	if b.Elements.Of > 0 {
		d.Stiffness = 2 * LightDamping / math.Sqrt(b.Elements.Of)
	}
}

// Light damping removes the vibrations that friction drives, and lets resting bodies come to rest.
// While bodies slide, with or without weight, it may take slidingShare of the heat of friction.
// Friction feeds vibrations by its work, and their damping takes far less as long as they are
// small. What it has not taken expires within slidingChecks, so bodies that have slid and vibrate
// freely keep their energy. Where a contact chatters, it acts wholly: damping that has run out lets chatter grow, which then takes more. Without weight it begins when something has slid for longer than an
// impact lasts, in which bodies vibrate by the impact and not by friction. Besides, under weight, the energy that it may take is limited to a part of the greatest kinetic energy so far, plus the
// energy of the vibrations that weight causes if it acts suddenly. The speed of these vibrations is
// g times the travel time of sound through a body. The power of damping on them is beta m g^2,
// whatever the size of the body. Both amounts are granted once. Bodies that slide under their
// weight, and vibrate no more than friction makes them, are granted the second energy again and
// again. When light damping has taken what it may, it fades. Bodies in an impact, or that fall,
// rock, roll or break, vibrate far more. They keep their energy.
const (
	lightShare       = 0.004    // part of the kinetic energy that is granted
	quietTimes       = 4        // the energy of quiet vibrations is granted while the kinetic energy is at most this many times as large
	quietBodies      = 0.2      // part of the energy of quiet vibrations for damping of whole bodies
	quietBodiesTimes = 1.0 / 64 // the same limit as quietTimes, for damping of whole bodies
	fadesFrom        = 0.5      // light damping fades when less than this part of that energy is left
	maxOfSpare       = 0.25     // greatest part of the energy left that one step may take
	leastFade        = 1e-6     // least factor; it still shows how bodies vibrate
	slidingShare     = 0.003    // part of the frictional heat that light damping may take
	impactPasses     = 4        // longest impact in units of the longest four travel times of sound
	slidingChecks    = 16       // number of checks over which sliding is judged
	minChecks        = 4        // number of checks before the first judgement
	slidesFrom       = 0.15     // ratio of frictional heat to the work of weight if all fell, above which bodies slide
	slidingPower     = 40       // ratio of the power granted to sliding bodies to the power on quiet vibrations; a block on a slope needs 20
	slidingSpare     = 2        // greatest energy left to take, in units of the energy of quiet vibrations
)

// fade finds the factor of light damping in the coming step, from the energy that it took in the
// last step [J].
func (k *Damping) fade(took float64) {
	if !k.Light {
		return
	}
	all := 0.0
	if k.Fade > 0 {
		all = max(0, took/k.Fade)
	}
	k.lost += all
	q := k.quiet.Energy
	fed := slices.ContainsFunc(k.contacts.Surfaces, func(c *contactnodes.Contact) bool { return c.Fed > 0 })
	slid := min(max(0, took), k.Spare)
	if fed {
		slid = max(0, took)
	}
	k.Spare, k.Taken = max(0, k.Spare-slid), k.Taken+slid
	k.granted += max(0, min(float64(k.Rate*k.Last), float64(slidingSpare*q)-k.spare()))
	spare, fade := k.spare(), 1.0
	if full := fadesFrom * q; spare < full {
		fade = spare / full
	}
	if most := maxOfSpare * spare; all > most {
		fade = min(fade, most/all)
	}
	switch fade = max(fade, leastFade); {
	case fed:
		fade = 1
	case q == 0 && (spare == 0 || k.Time-k.since < float64(impactPasses*k.GrowthDelay)): // nothing slides, or not for longer than an impact
		fade = 0
	case k.Fade == 0: // the first step shows what damping would take
		fade = leastFade
	}
	if fade != k.Fade {
		k.Fade = fade
		k.DampElements()
	}
	if k.N%contacts.WaitSteps == 0 {
		k.checkSpare()
	}
}

// DampWhole lets light damping act wholly until it fades again.
func (k *Damping) DampWhole() {
	if k.Light && k.Fade != 1 {
		k.Fade = 1
		k.DampElements()
	}
}

// Slides tells whether light damping acts because something slides without weight.
func (k *Damping) Slides() bool { return k.Light && k.quiet.Energy == 0 && k.Fade > 0 }

// spare returns what light damping may still take [J].
func (k *Damping) spare() float64 { return k.spareOf(1, quietTimes) }

// spareOf returns the energy that light damping may still take [J], if only the part quiet of the
// energy of quiet vibrations is granted, and only while the kinetic energy is at most times this
// energy.
func (k *Damping) spareOf(quiet, times float64) float64 {
	if k.quiet.Energy == 0 {
		return k.Spare
	}
	return k.Spare + float64(lightShare*k.Moving) + float64(quiet*max(0, k.quiet.Energy-float64(k.Moving/times))) + k.granted - (k.Ledger.Damping - k.Taken)
}

// checkSpare finds whether bodies slide under their weight and vibrate no more than friction makes
// them.
func (k *Damping) checkSpare() {
	const kept = 1 - 1.0/slidingChecks
	since, heat := k.Time-k.at, k.frictionLoss()
	if heat <= k.frictionHeat {
		k.since = k.Time
	}
	k.Spare = float64(kept*k.Spare) + float64(slidingShare*max(0, heat-k.frictionHeat))
	k.heat = float64(kept*k.heat) + (heat - k.frictionHeat)
	k.falling = float64(kept*k.falling) + float64(k.weightPower()*since)
	k.late = float64(kept*k.late) + since
	k.frictionHeat, k.at, k.Rate = heat, k.Time, 0
	power := slidingPower * k.quiet.Power
	if k.N >= minChecks*contacts.WaitSteps && k.heat > slidesFrom*k.falling && k.lost <= power*k.late {
		k.Rate = power
	}
	k.lost *= kept
}

// weightPower returns the power that weight would have if every part fell with its speed [W]. If a
// rigid body is driven, all parts count with its speed in addition.
func (k *Damping) weightPower() float64 {
	_, momentum, mass := k.StepMotion()
	driven := 0.0
	for i := range k.RigidMotions {
		speed := elementary.Norm(k.RigidMotions[i].Velocity)
		if m := k.Rigids[i].Mass; m > 0 {
			momentum += float64(m * speed)
			mass += m
		} else {
			driven = max(driven, speed)
		}
	}
	return elementary.Norm(k.Model.Gravity) * (momentum + float64(mass*driven))
}

// frictionLoss returns the frictional heat so far [J].
func (k *Damping) frictionLoss() (sum float64) {
	sum = max(0, k.Whole.breaking.Zone().Energies().Friction)
	c := k.contacts
	for _, g := range c.Engines {
		c.Account = g.Accounts(c.Account[:0])
		for _, a := range c.Account {
			sum += max(0, a.FrictionLoss())
		}
	}
	return sum
}

// LightReportedFrom is the part of the greatest energy above which the energy taken by light
// damping is reported.
const LightReportedFrom = 0.005

// hasFriction tells whether a contact has friction.
func hasFriction(c *contactnodes.Contact) bool {
	return c.Friction.Acts()
}
