package solver

import (
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
	Least   float64 // shortest limit since the last multiple of calmSteps [s]
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
	calmSteps      = 64
	rigidCalmSteps = 16 // where all is rigid and straight
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

// loggedDrop is how much the step must have been lowered since the log last told
// of it.
const loggedDrop = 0.7

// nextStep returns the length of the next step: at most Limit, and such that a
// whole number of steps leads to Duration; 0 there.
func (s *Solver) nextStep() float64 {
	limit := s.longest()
	s.Least = min(s.Least, limit)
	if delay := s.Wait * s.growthDelay; math.Floor(s.Time/delay) != math.Floor((s.Time-s.Last)/delay) {
		s.Allowed, s.Least = s.Least, limit
	}
	switch {
	case limit < s.Limit:
		if s.elastic && s.Limit > risenAgain*s.Lowest {
			s.Wait *= waitsLonger
		}
		s.Limit = stepMargin * limit
		s.Lowest = s.Limit
		s.Planned, s.Allowed = 0, s.Limit
		if s.Limit < loggedDrop*s.Told {
			why := "contact has become stiffer or faster"
			if s.cracked {
				why = "cracks have opened"
				if where := s.place(s.limits.cracks.by); where != "" {
					why += ", " + where
				}
			} else if s.cause.What == ofTriangles {
				why = "triangles have been flattened or sheared"
			} else if s.cause.What == ofSpring {
				why = "a spring has become stiffer"
			}
			s.Note("step lowered to %.4g s at t = %.6g s: %s", s.Limit, s.Time, why)
			s.Told = s.Limit
		}
	case stepMargin*min(limit, s.Allowed) > s.Limit:
		s.Limit = min(stepGrowth*s.Limit, stepMargin*min(limit, s.Allowed))
		s.Planned = 0
	}
	left := s.Duration - s.Time
	if s.Planned == 0 || left < 1.5*s.Planned {
		n := math.Ceil(left/s.Limit - timeRounding)
		if n < 1 {
			return 0
		}
		s.Planned = left / n
	}
	s.clock.limit(s.cause)
	return s.Planned
}

// longest returns the longest step that may be taken now [s].
func (s *Solver) longest() float64 {
	b := s.bounds()
	limit := b.stable(s)
	if b.cracks.of > 0 {
		s.Cracked = max(s.Cracked, b.cracks.of/b.elements.of)
	}
	cause := b.strictest(felt)
	if s.FixedStep == 0 {
		limit *= s.Safety
	}
	if b.elements.of == 0 { // nothing but rigid bodies
		b.step.lower(s.Duration/1000, Cause{What: "duration"})
	}
	if s.FixedStep > 0 {
		b.step.lower(s.FixedStep/stepMargin, Cause{What: "the deck's step"})
	} else {
		impact := b.impact.of
		if s.N > 0 && !(s.rigids.straight && b.elements.of == 0) {
			impact = max(impact, gentleFall*s.Limit/s.share)
		}
		b.step.lower(impact, b.impact.by)
		b.step.lower(b.period.of, b.period.by)
	}
	if b.step.of < limit {
		limit, cause = b.step.of, b.step.by
	}
	s.cause, s.cracked = cause, b.cracks.of > b.stiffness.of
	return limit * s.share
}

// placeRounding is the relative rounding of a place.
const placeRounding = 1e-16

// firstLimit returns the longest step before any contact is known [s].
func (s *Solver) firstLimit() float64 {
	b := s.bounds()
	limit := min(s.Safety*b.stable(s), s.rigids.firstStep, s.Duration/2)
	for k := range all[meetingFar](s.kinds) {
		limit = min(limit, k.nearLimit())
	}
	if b.elements.of == 0 {
		limit = min(limit, s.Duration/1000)
	}
	return limit
}

// keepsEnergy tells whether nothing in the run takes energy, and vibrations are in it.
func (s *Solver) keepsEnergy() bool {
	if s.Yields() || s.damping != nil || s.Model.Damping.Local > 0 || s.cracks != nil || s.absorbers != nil || len(s.Volumes) > 0 || s.Elements() == 0 {
		return false
	}
	for _, c := range s.Surfaces {
		if !c.Elastic() {
			return false
		}
	}
	return len(s.Surfaces) > 0
}

// findGrowthDelay returns for how long the limit must have been longer before the step
// grows [s].
func (s *Solver) findGrowthDelay() float64 {
	type span struct{ lo, hi r2.Vec }
	spans := make([]span, s.Mesh.Pieces)
	for i := range spans {
		spans[i] = span{r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}}
	}
	longest := 0.0
	for _, e := range s.Mesh.Edges {
		if s.Mesh.Bodies[e.Body].Kind == mesh.OfOutline {
			break
		}
		b, x := &spans[e.Piece], s.Mesh.X[e.A]
		b.lo.X, b.lo.Y = min(b.lo.X, x.X), min(b.lo.Y, x.Y)
		b.hi.X, b.hi.Y = max(b.hi.X, x.X), max(b.hi.Y, x.Y)
		m := &s.Materials[s.Model.Bodies[e.Body].Material]
		longest = max(longest, max(b.hi.X-b.lo.X, b.hi.Y-b.lo.Y)*math.Sqrt(m.Density/m.Young))
	}
	if longest == 0 && s.rigids.straight { // rigid bodies have no vibrations that contact could go with
		return rigidCalmSteps * s.firstLimit()
	}
	return max(soundPasses*longest, calmSteps*s.firstLimit())
}

// maxTouchLoss is the part of the greatest energy of motion that leapfrog may lose
// for the time of an impact, because contact nodes touch in the middle of a
// step.
const maxTouchLoss = 1e-4

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
	return math.Sqrt(12 * maxTouchLoss / loss)
}

// measure keeps the greatest energy of motion so far, now and then.
func (s *Solver) measure() {
	if s.N%calmSteps != 0 {
		return
	}
	moving, _, _ := s.StepMotion()
	for i := range s.RigidMotions {
		v := s.RigidMotions[i].Velocity
		moving += float64(0.5 * s.Rigids[i].Mass * (float64(v.X*v.X) + float64(v.Y*v.Y)))
	}
	s.Moving = max(s.Moving, moving)
}
