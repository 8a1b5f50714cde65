package solver

import (
	"fmt"
	"math"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// The adaptive time step. Leapfrog is stable up to a limit (the critical time
// step) that the bodies and the contacts set; the step follows it down at once,
// and up again slowly: for leapfrog the energy of a vibration depends on the
// step, a little, and follows a step that changes slowly without a loss or a
// gain.

// StepState is what the length of the next step depends on.
type StepState struct {
	Limit   float64 // longest step allowed at present, safety included [s]
	Planned float64 // step being taken, a whole number of which leads to Duration; 0 to choose anew [s]
	First   float64 // Limit at the start [s]
	Told    float64 // the step of which the log last told [s]
	Least   float64 // shortest limit since the last multiple of waitSteps [s]
	Allowed float64 // and between the last two of them: what the step may grow to [s]
	Moving  float64 // greatest energy of motion so far [J]
	Lowest  float64 // Limit when it was lowered last [s]
	Wait    float64 // how many times as long as at first the limit must be longer before the step grows
	Cracked float64 // the greatest squared frequency of cracks so far, over that of the bodies
}

func (p *StepState) parts() []Part {
	return []Part{
		{"limit", &p.Limit}, {"planned", &p.Planned}, {"first", &p.First}, {"told", &p.Told},
		{"least", &p.Least}, {"allowed", &p.Allowed}, {"moving", &p.Moving},
		{"lowest", &p.Lowest}, {"wait", &p.Wait}, {"cracked", &p.Cracked},
	}
}

// maxApproach is the part of the shallowest edge's depth that two nodes may
// close in on each other in one step: a body is caught before it can cross an
// element.
const maxApproach = 0.1

// stepMargin is how far below a new limit the step is put, so that a contact that
// stiffens does not lower it again at once.
const stepMargin = 0.98

// stepGrowth is by how much the step grows at most from one to the next.
const stepGrowth = 1.005

// gentleFall is the part of the step that the energy at impact may leave of it
// from one step to the next. What leapfrog's energies of a vibration differ by
// from what it keeps swings with the vibration: a step that falls at once makes
// what the swing is at that moment last, one that falls slowly takes its mean.
// Where rigid bodies are all that there is the step falls as it has to: they have no such
// vibrations, and a body that comes alone would land in steps that are still too long.
const gentleFall = 0.97

// The step grows only after the limit has been longer for so many steps, and for
// as long as sound takes so often along the largest piece: what makes contact
// come again and again with a vibration of a body must not move the step in time
// with it, or the vibration takes energy from that.
const (
	waitSteps      = 64
	rigidWaitSteps = 16 // where all is rigid and straight
	soundPasses    = 4
)

// risenAgain is how many times as long as after its last fall a step has become where the
// next fall counts as one that comes again. What a step that goes up and down with impacts
// does to vibrations adds up. So where nothing takes energy the step waits waitsLonger
// times as long each time before it rises, until it stays.
const (
	risenAgain  = 1.1
	waitsLonger = 4
)

// What the correction of first touches leaves falls as the third power of the step, and adds
// up where nothing takes energy: in sixteen discs 1e-3 of it in a million steps. A run of
// more than longRun steps of such bodies takes them carefulShare times as long.
const (
	longRun      = 1e5
	carefulShare = 0.55
)

// Pieces whose faces do not rub rattle on each other where nothing damps them: each time faces
// meet and part leapfrog errs by some power of the step, above the fourth. Discs of 6 to 12
// edges across that strike at 5 and 50 m/s make up to 1.0 % of their energy so; with rattleShare
// of the step at most 0.4 %.
const rattleShare = 0.7

// loggedDrop is how much the step must have been lowered since the log last told
// of it.
const loggedDrop = 0.7

// stepLimits find the length of the step.
type stepLimits struct {
	view
	*State
	*kinds
	*workers
	*breaking
	clear       *clearances
	growthDelay float64 // for how long the limit must be longer before the step grows [s]
	elastic     bool    // nothing takes energy, see conservesEnergy
	share       float64 // of its limit that the step is, see longRun
	rattling    bool    // pieces of what breaks rattle, see rattleShare
	cause       Cause   // what limits the step
	limits      bounds  // of the step, for all systems to fill
	cracked     bool    // cracks make it shorter, more than contact does
}

// nextStep returns the length of the next step: at most Limit, and such that a
// whole number of steps leads to Duration; 0 there.
func (k *stepLimits) nextStep() float64 {
	whole := k.Cracked == 0
	limit := k.longest()
	k.Least = min(k.Least, limit)
	if delay := k.Wait * k.growthDelay; math.Floor(k.Time/delay) != math.Floor((k.Time-k.Last)/delay) {
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
		k.Limit = min(stepGrowth*k.Limit, stepMargin*min(limit, k.Allowed))
		k.Planned = 0
	}
	left := k.Duration - k.Time
	if k.Planned == 0 || left < 1.5*k.Planned {
		n := math.Ceil(left/k.Limit - timeRounding)
		if n < 1 {
			return 0
		}
		k.Planned = left / n
	}
	k.clock.limit(k.cause)
	return k.Planned
}

// whyLower says what has lowered the step; whole where nothing had opened before.
func (k *stepLimits) whyLower(whole bool) string {
	rattle := whole && k.Cracked > 0 && k.RattleShare() < 1
	switch {
	case k.cracked || rattle:
		why := "cracks have opened"
		if rattle {
			why = fmt.Sprintf("a crack has opened, and steps take %.2g of their length where crack faces have no friction and nothing damps", k.RattleShare())
		}
		if where := k.where(k.limits.cracks.by); where != "" {
			why += ", " + where
		}
		return why
	case k.cause.What == ofTriangles:
		return "triangles have been flattened or sheared"
	case k.cause.What == ofSpring:
		return "a spring has become stiffer"
	}
	return "contact has become stiffer or faster"
}

// longest returns the longest step that may be taken now [s].
func (k *stepLimits) longest() float64 {
	b := k.bounds()
	limit := b.stable(k.Model)
	if b.cracks.of > 0 {
		k.Cracked = max(k.Cracked, b.cracks.of/b.elements.of)
	}
	cause := b.strictest(felt)
	if k.FixedStep == 0 {
		limit *= k.Safety
	}
	if b.elements.of == 0 { // nothing but rigid bodies
		b.step.lower(k.Duration/1000, Cause{What: "duration"})
	}
	if k.FixedStep > 0 {
		b.step.lower(k.FixedStep/stepMargin, Cause{What: "the deck's step"})
	} else {
		impact := b.impact.of
		if k.N > 0 && !(k.rigids.straight && b.elements.of == 0) {
			impact = max(impact, gentleFall*k.Limit/k.share)
		}
		b.step.lower(impact, b.impact.by)
		b.step.lower(b.period.of, b.period.by)
	}
	k.cracked = b.cracks.of > b.stiffness.of
	if b.step.of < limit {
		limit, cause, k.cracked = b.step.of, b.step.by, false
	}
	rattle := 1.0
	if k.cracks.Cracks() > 0 {
		rattle = k.RattleShare()
	}
	if rattle < 1 && cause.What == b.elements.by.What {
		cause = b.cracks.by
	}
	k.cause = cause
	return limit * k.share * rattle
}

// RattleShare returns which share of its other length the step has as soon as a crack is open,
// see rattleShare: 1 where pieces do not rattle.
func (k *stepLimits) RattleShare() float64 {
	if !k.rattling {
		return 1
	}
	return min(k.share, rattleShare) / k.share
}

// positionRounding is the relative rounding of a position.
const positionRounding = 1e-16

// firstLimit returns the longest step before any contact is known [s].
func (k *stepLimits) firstLimit() float64 {
	b := k.bounds()
	limit := min(k.Safety*b.stable(k.Model), k.rigids.firstStep, k.Duration/2)
	for k := range all[approaching](k.kinds) {
		limit = min(limit, k.nearLimit())
	}
	if b.elements.of == 0 {
		limit = min(limit, k.Duration/1000)
	}
	return limit
}

// conservesEnergy tells whether nothing in the run takes energy, and vibrations are in it.
func (k *stepLimits) conservesEnergy() bool {
	for of := range all[dissipating](k.kinds) {
		if of.dissipates() {
			return false
		}
	}
	return len(k.Surfaces) > 0 && k.Elements() > 0
}

// rattles tells whether pieces may rattle on each other and on other bodies, undamped, see rattleShare.
func (k *stepLimits) rattles() bool {
	return k.Damping == Damping{} && k.FixedStep == 0 && len(k.Surfaces) > 0 && k.Fracture != nil && k.Fracture.smooth()
}

// findGrowthDelay returns for how long the limit must have been longer before the step
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
	if longest == 0 && k.rigids.straight { // rigid bodies have no vibrations that contact could go with
		return rigidWaitSteps * k.firstLimit()
	}
	return max(soundPasses*longest, waitSteps*k.firstLimit())
}

// maxContactLoss is the part of the greatest energy of motion that leapfrog may lose
// for the time of an impact, because contact nodes touch in the middle of a
// step.
const maxContactLoss = 1e-4

// impactStep returns the longest step with which the impacts at hand keep the
// energy, see contactnodes.Prediction.
func (k *ContactState) impactStep() float64 {
	loss := 0.0
	for _, c := range k.Surfaces {
		loss += c.ImpactLoss
	}
	for _, c := range k.Volumes {
		loss += c.ImpactLoss
	}
	if loss == 0 {
		return math.Inf(1)
	}
	return math.Sqrt(12 * maxContactLoss / loss)
}

// measure keeps the greatest energy of motion so far, now and then, of rigid bodies with what
// contact holds: most of all of those that come to rest.
func (k *stepLimits) measure() {
	if k.N%waitSteps != 0 {
		return
	}
	moving, _, _ := k.StepMotion()
	for i := range k.RigidMotions {
		v := k.RigidMotions[i].Velocity
		moving += float64(0.5 * k.Rigids[i].Mass * (float64(v.X*v.X) + float64(v.Y*v.Y)))
	}
	if k.rigids.straight { // what lies is at rest but for what is little beside its weight on the contact
		for _, c := range k.Surfaces {
			moving += c.Stored
		}
	}
	k.Moving = max(k.Moving, moving)
}
