package solver

import (
	"fmt"
	"math"

	"fdem/mesh"
	"fdem/solver/bodies"
	"fdem/solver/contacts"
	"fdem/solver/cracks"
	"fdem/solver/forces"
	"fdem/solver/impulses"
	"fdem/solver/processes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// stepMargin is the ratio of the step to a new limit. With this margin a contact that becomes
// stiffer does not lower the step again at once.
const stepMargin = 0.98

// gentleFall is the least ratio of a step to the one before, if the energy at impact
// limits the step. The difference between leapfrog's energies of a vibration and the
// energy that it conserves oscillates with the vibration. If the step falls at once, the
// present value of this difference becomes permanent. If the step falls slowly, the mean
// does. In models of rigid bodies alone the step falls at once: they have no such
// vibrations, and a single body would land in steps that are still too long.
const gentleFall = 0.97

// risenAgain is the growth of a step since its last reduction from which the next reduction
// counts as a repeated one. The effects on vibrations of a step that falls and rises with
// impacts add up. So in models without dissipation the step waits waitsLonger times as long
// before each rise, until it stays constant.
const (
	risenAgain  = 1.1
	waitsLonger = 4
)

// The error left by the correction of first contacts falls with the third power of the step.
// In models without dissipation it adds up: in sixteen discs to 1e-3 of the energy in a
// million steps. A run of such bodies with more than longRun steps takes steps of
// carefulShare of the length.
const (
	longRun      = 1e5
	carefulShare = 0.55
)

// Fragments without friction and damping keep vibrating against each other. Each time that
// faces come into contact and separate, leapfrog has an error proportional to more than the
// fourth power of the step. Discs of 6 to 12 edges across that collide at 5 and 50 m/s gain up
// to 1.0 % of their energy in this way. With rattleShare of the step they gain at most 0.4 %.
const rattleShare = 0.7

// loggedDrop is the ratio of the step to the last reported one below which the
// log reports it.
const loggedDrop = 0.7

// stepLimits finds the length of the step.
type stepLimits struct {
	system.View
	*State
	*kinds
	*processes.Division
	*cracks.Breaking
	elastic  bool          // the run has no dissipation, see conservesEnergy
	share    float64       // ratio of the step to its limit, see longRun
	rattling bool          // fragments may vibrate against each other, see rattleShare
	cause    system.Cause  // reason for the length of the step
	limits   system.Bounds // limits of the step, from all systems
	cracked  bool          // cracks limit the step, more than contact does
}

// nextStep returns the length of the next step. It is at most Limit, and a
// whole number of such steps leads to Duration. It is 0 at Duration.
func (k *stepLimits) nextStep() float64 {
	whole := k.Cracked == 0
	limit := k.longest()
	k.Least = min(k.Least, limit)
	if delay := k.Wait * k.GrowthDelay; math.Floor(k.Time/delay) != math.Floor((k.Time-k.Last)/delay) {
		k.Allowed, k.Least = k.Least, limit
	}
	switch {
	case limit < k.Limit:
		if k.elastic && k.Limit > risenAgain*k.Lowest {
			k.Wait *= waitsLonger
		}
		k.Limit = stepMargin * limit
		k.Lowest = k.Limit
		k.Planned, k.Allowed = 0, k.Limit
		if k.Limit < loggedDrop*k.Told {
			k.Note("step lowered to %.4g s at t = %.6g s: %s", k.Limit, k.Time, k.whyLower(whole))
			k.Told = k.Limit
		}
	case stepMargin*min(limit, k.Allowed) > k.Limit:
		k.Limit = min(bodies.StepGrowth*k.Limit, stepMargin*min(limit, k.Allowed))
		k.Planned = 0
	}
	if k.AtRest > 0 {
		return 0
	}
	left := k.Duration - k.Time
	if k.Planned == 0 || left < 1.5*k.Planned {
		n := math.Ceil(left/k.Limit - system.TimeRounding)
		if n < 1 {
			return 0
		}
		k.Planned = left / n
	}
	k.Timer.Limit(k.cause)
	return k.Planned
}

// whyLower returns the reason for a lower step as text. whole tells that no crack
// had opened before.
func (k *stepLimits) whyLower(whole bool) string {
	rattle := whole && k.Cracked > 0 && k.RattleShare() < 1
	switch {
	case k.cracked || rattle:
		why := "cracks have opened"
		if rattle {
			why = fmt.Sprintf("a crack has opened, and steps take %.2g of their length where crack faces have no friction and nothing damps", k.RattleShare())
		}
		if where := k.Where(k.limits.Cracks.By); where != "" {
			why += ", " + where
		}
		return why
	case k.cause.What == bodies.OfTriangles && k.damping.Slides():
		return "bodies slide, and light damping acts"
	case k.cause.What == bodies.OfTriangles:
		return "triangles have been flattened or sheared"
	case k.cause.What == forces.OfSpring:
		return "a spring has become stiffer"
	case k.cause.What == impulses.OfSpeed:
		return "bodies move so fast that they would move by a quarter of the smallest one in a step"
	}
	return "contact has become stiffer or faster"
}

// longest returns the longest step that is now allowed [s].
func (k *stepLimits) longest() float64 {
	b := k.bounds()
	limit := b.Stable(k.Model)
	k.noteCracks(b)
	cause := b.Strictest(system.Felt)
	if k.FixedStep == 0 {
		limit *= k.Safety
	}
	if b.Elements.Of == 0 && k.Model.Impulses == nil { // only rigid bodies
		b.Step.Lower(k.Duration/1000, system.Cause{What: "duration"})
	}
	if k.FixedStep > 0 {
		b.Step.Lower(k.FixedStep/stepMargin, system.Cause{What: "the deck's step"})
	} else {
		impact := b.Impact.Of
		if k.N > 0 && !(k.rigids.Straight && b.Elements.Of == 0) {
			impact = max(impact, gentleFall*k.Limit/k.share)
		}
		b.Step.Lower(impact, b.Impact.By)
		b.Step.Lower(b.Period.Of, b.Period.By)
	}
	k.cracked = b.Cracks.Of > b.Stiffness.Of
	if b.Step.Of < limit {
		limit, cause, k.cracked = b.Step.Of, b.Step.By, false
	}
	rattle := 1.0
	if k.Zone().Cracks() > 0 {
		rattle = k.RattleShare()
	}
	if rattle < 1 && cause.What == b.Elements.By.What {
		cause = b.Cracks.By
	}
	k.cause = cause
	return limit * k.share * rattle
}

// longestStable returns the longest step in which nothing blows up, whatever energy impacts lose, for
// what comes to rest before the start [s].
func (k *stepLimits) longestStable() float64 {
	b := k.bounds()
	k.noteCracks(b)
	return min(k.Safety*b.Stable(k.Model), b.Step.Of)
}

// noteCracks keeps the greatest frequency that cracks add.
func (k *stepLimits) noteCracks(b *system.Bounds) {
	if b.Cracks.Of > 0 {
		k.Cracked = max(k.Cracked, b.Cracks.Of/b.Elements.Of)
	}
}

// RattleShare returns the factor on the step after the first crack, see rattleShare. It is 1 if
// fragments cannot vibrate against each other.
func (k *stepLimits) RattleShare() float64 {
	if !k.rattling {
		return 1
	}
	return min(k.share, rattleShare) / k.share
}

// CrackStep returns the least stable step with cracks of a region of Fracture, whatever breaks,
// as a fraction of that of the intact model. It is 0 if there is no bound.
func (k *stepLimits) CrackStep(region int) float64 {
	return k.RattleShare() * k.Fracture.Regions[region].Step(k.Mesh.Quality().ShortestEdge)
}

// CracksStep returns the same for cracks of all regions.
func (k *stepLimits) CracksStep() float64 {
	return k.RattleShare() * k.Fracture.Step(k.Mesh.Quality().ShortestEdge)
}

// firstLimit returns the longest step before any contact is known [s].
func (k *stepLimits) firstLimit() float64 {
	b := k.bounds()
	limit := min(k.Safety*b.Stable(k.Model), k.rigids.FirstStep, k.Duration/2)
	for k := range system.All[system.Approaching](k.kinds.systems) {
		limit = min(limit, k.NearLimit())
	}
	if b.Elements.Of == 0 && k.Model.Impulses == nil {
		limit = min(limit, k.Duration/1000)
	}
	return limit
}

// conservesEnergy tells whether the run has vibrations but no dissipation.
func (k *stepLimits) conservesEnergy() bool {
	for of := range system.All[system.Dissipating](k.kinds.systems) {
		if of.Dissipates() {
			return false
		}
	}
	return len(k.Surfaces) > 0 && k.Elements() > 0
}

// rattles tells whether fragments may vibrate undamped against each other and other bodies, see
// rattleShare.
func (k *stepLimits) rattles() bool {
	d := k.Damping // light damping has been found, or there is none
	return d.Mass == 0 && d.Stiffness == 0 && d.Local == 0 && k.FixedStep == 0 && len(k.Surfaces) > 0 && k.Fracture != nil && k.Fracture.Smooth()
}

// findGrowthDelay returns the time for which the limit must be longer before the step
// grows [s].
func (k *stepLimits) findGrowthDelay() float64 {
	type span struct{ lo, hi r2.Vec }
	spans := make([]span, k.Mesh.Components)
	for i := range spans {
		spans[i] = span{r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}}
	}
	longest := 0.0
	for _, e := range k.Mesh.Edges {
		if k.Mesh.Bodies[e.Body].Kind == mesh.OfOutline {
			break
		}
		b, x := &spans[e.Component], k.Mesh.X[e.A]
		b.lo.X, b.lo.Y = min(b.lo.X, x.X), min(b.lo.Y, x.Y)
		b.hi.X, b.hi.Y = max(b.hi.X, x.X), max(b.hi.Y, x.Y)
		m := &k.Materials[k.Model.Bodies[e.Body].Material]
		longest = max(longest, max(b.hi.X-b.lo.X, b.hi.Y-b.lo.Y)*math.Sqrt(m.Density/m.Young))
	}
	if longest == 0 && k.rigids.Straight { // rigid bodies have no vibrations with which a contact could open and close
		return contacts.RigidWaitSteps * k.firstLimit()
	}
	return max(contacts.SoundPasses*longest, contacts.WaitSteps*k.firstLimit())
}

// Where returns the location of a cause as text.
func (k *stepLimits) Where(by system.Cause) string { return system.Where(k.systems, by) }

// measure updates the greatest kinetic energy from time to time. For rigid bodies it includes
// the energy of contact, which is most of their energy when they come to rest.
func (k *stepLimits) measure() {
	if k.N%contacts.WaitSteps != 0 {
		return
	}
	moving, _, _ := k.StepMotion()
	for i := range k.RigidMotions {
		v := k.RigidMotions[i].Velocity
		moving += float64(0.5 * k.Rigids[i].Mass * (float64(v.X*v.X) + float64(v.Y*v.Y)))
	}
	if k.rigids.Straight { // a body counts as at rest if its motion is small compared with its weight on the contact
		for _, c := range k.Surfaces {
			moving += c.Stored
		}
	}
	k.Moving = max(k.Moving, moving)
}

// bounds gathers the bounds of all systems. The result is valid until the next call.
func (k *stepLimits) bounds() *system.Bounds {
	b := &k.limits
	*b = system.Bounds{}
	b.Step.Of, b.Impact.Of, b.Period.Of = math.Inf(1), math.Inf(1), math.Inf(1)
	k.rigids.Clear.Follow()
	for _, k := range k.systems {
		k.Bound(b)
	}
	return b
}

// elements bounds the highest squared frequency of the bodies [1/s2].
func (k *stepLimits) elements() float64 {
	b := k.bounds()
	return b.Elements.Of
}

// NearLimit returns the longest step with which bodies may come into contact at their present
// speeds [s]. While they are far apart, steps are longer.
func (k *stepLimits) NearLimit() float64 {
	limit := math.Inf(1)
	if k.rigids.Clear.Spans != nil {
		limit = min(k.rigids.FirstStep, contacts.MaxApproach*k.Tracked.Shallow/k.Tracked.ApproachSpeed())
	}
	for k := range system.All[system.Approaching](k.kinds.systems) {
		limit = min(limit, k.NearLimit())
	}
	return limit
}
