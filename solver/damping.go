package solver

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/fem/fracture"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// damping is Rayleigh damping: its forces are those of the masses, which the
// nodes' update begins, of the triangles, computed with their stresses, and of
// the beams. Here are the books of the work it takes: over a step, half that of
// the forces at its start and half that of those at its end.
type damping struct {
	idle
	s      *Solver
	Moment []float64 // on nodes that can turn [N m]
	taken  float64   // power of the forces and moments of the last step's start on the velocities since [W]

	light       bool    // nobody has asked for it: it fades, see fade
	Fade        float64 // factor of the stiffness, 1 or less; 1 of what was asked for
	restingRate float64 // energy that light damping may take of what lies, in time [W]
	budget      budget
}

// budget keeps what light damping may take of what lies or slides under its weight.
type budget struct {
	Allowed float64 // so far [J]
	Rubbed  float64 // heat of friction when it was last looked at [J]
	At      float64 // the time then [s]
}

// addRayleigh makes the damping where the model has it.
func (s *Solver) addRayleigh() {
	s.lighten()
	if d := s.Model.Damping; d.Mass == 0 && d.Stiffness == 0 {
		return
	}
	s.damping = &damping{s: s, light: s.Model.Damping.Light, Fade: 1}
	s.damping.restingRate = s.restingRate()
	if s.Turning != nil {
		s.damping.Moment = make([]float64, len(s.X))
	}
	s.Damp(s.Model.Damping.Mass)
	s.triangles.Damp(s.Model.Damping.Stiffness)
	s.systems = append(s.systems, s.damping)
}

func (k *damping) name() string { return "damping" }

func (k *damping) balance() error { return errors.New("damping" + withoutMotion) }

func (k *damping) gather() { k.s.Given = k.turning() }

// turning returns the power of the moments on the spins [W].
func (k *damping) turning() float64 {
	p := 0.0
	for i, m := range k.Moment {
		p += float64(m * k.s.Spin[i])
	}
	return p
}

// move books the work of the step that has led to Time, when nodes and beams
// have been moved on.
func (k *damping) move(_, _ float64) {
	given, taken := k.s.Motion.Booked()
	k.s.Ledger.Damping -= k.work(given)
	k.taken = taken + k.turning()
	k.fade()
}

// work returns the work of the step that has led to Time, of whose forces at its
// end the power on its velocities is given [W], without that of moments [J].
func (k *damping) work(given float64) float64 {
	return float64(0.5 * k.s.Last * (k.taken + (given + k.s.Given)))
}

// energies adds the work of the step that has led to Time, which is not booked
// before the nodes move on.
func (k *damping) energies(e *Energies) {
	e.DampingDissipated -= k.work(k.s.triangles.Power(&k.s.Motion))
}

// DampingPart is the part of the state that runs with Rayleigh damping have.
const DampingPart = "damping_power"

func (k *damping) parts() []Part {
	return []Part{{DampingPart, &k.taken}, {"damping_fade", &k.Fade},
		{"damping_allowed", &k.budget.Allowed}, {"damping_rubbed", &k.budget.Rubbed}, {"damping_looked", &k.budget.At}}
}

func (k *damping) restore() error {
	if !k.light {
		k.Fade = 1
	}
	k.s.triangles.Damp(k.stiffness())
	return nil
}

// stiffness returns the factor of stiffness-proportional damping now [s].
func (k *damping) stiffness() float64 { return float64(k.Fade * k.s.Model.Damping.Stiffness) }

// costlyDamping is how many times shorter a step damping may make without a word.
const costlyDamping = 1.5

// DampingCost says what Rayleigh damping makes of the step, with what to take
// instead; nothing where it costs little or the step is given. Leapfrog takes
// the damping forces of half a step ago, so that the longest step is
// (sqrt(d^2 + 4 omega^2) - d)/omega^2 with d = mass + stiffness omega^2.
func (s *Solver) DampingCost() string {
	omega2 := s.elements()
	if s.Static != nil || omega2 == 0 {
		return ""
	}
	d := s.Model.Damping.Mass + float64(s.Model.Damping.Stiffness*omega2)
	omega := math.Sqrt(omega2)
	x := d / (2 * omega) // of the critical damping
	times := math.Sqrt(1+float64(x*x)) + x
	if times <= costlyDamping {
		return ""
	}
	safety := s.Safety
	if s.FixedStep > 0 {
		safety = 1 // the longest that may be asked for
	}
	most := 0.5 * (costlyDamping - 1/costlyDamping) // x that makes it costly
	text := fmt.Sprintf("damping makes the step %.3g times shorter: %.4g s of %.4g s without it, contact apart; ",
		times, safety*2/(omega*times), safety*2/omega)
	if float64(2*most*omega) <= s.Model.Damping.Mass {
		return text + fmt.Sprintf("take damping.mass below %.2g 1/s", 2*most*omega)
	}
	return text + fmt.Sprintf("take damping.stiffness below %.2g s, or damping.mass, which costs next to nothing and brakes slow motion most",
		(float64(2*most*omega)-s.Model.Damping.Mass)/omega2)
}

// lightDamping is the part of the critical damping that the fastest vibration of the
// elements gets where friction feeds it: slower ones get less in proportion.
const lightDamping = 0.4

// lighten gives the bodies light damping where they rub under their weight and the
// model asks for it. Sliding elastic bodies are unstable under Coulomb's law: friction
// feeds their vibrations, the shortest most (G. G. Adams, J. Appl. Mech. 62, 1995;
// K. Ranjith and J. R. Rice, J. Mech. Phys. Solids 49, 2001).
func (s *Solver) lighten() {
	d := &s.Model.Damping
	rubs := s.Model.Gravity != (r2.Vec{}) && (slices.ContainsFunc(s.Surfaces, rubs) || s.Fracture.rubs())
	if !d.Light || s.Static != nil || !rubs && !d.Kept {
		return
	}
	var b bounds
	s.triangles.bound(&b)
	if s.beams != nil {
		s.beams.bound(&b)
	}
	if b.elements.of > 0 {
		d.Stiffness = 2 * lightDamping / math.Sqrt(b.elements.of)
	}
}

// Light damping is there for what friction feeds, and for what lies to come to rest. It may
// take a part of the greatest kinetic energy that there was; of the heat of what slides under
// its weight as much as keeps it from squealing; and of what lies as much as of vibrations of
// a few times those by which weight comes at once: g times the time of sound through the body
// is their speed, and beta m g^2 the power of damping on them, whatever the body's size. When
// it has taken that it fades: impacts, falls and what breaks keep their energy.
const (
	lightShare   = 0.004 // of the kinetic energy
	lightSliding = 0.3   // of the heat of what slides
	slidingPower = 2     // times the weight's power bound the heat that counts: an impact's is far more
	lightResting = 4     // times the power on vibrations of the weight
	fadesFrom    = 0.5   // part of what it may take from which on it fades
)

// restingRate returns the energy that light damping may take of what lies, in time [W].
func (s *Solver) restingRate() float64 {
	mass := 0.0
	for _, m := range s.Mass {
		mass += m
	}
	g := elementary.Norm(s.Model.Gravity)
	return lightResting * s.Model.Damping.Stiffness * mass * g * g
}

// fade finds by how much light damping acts in the coming step.
func (k *damping) fade() {
	if !k.light {
		return
	}
	s := k.s
	k.allow()
	allowed := float64(lightShare*s.Moving) + k.budget.Allowed
	fade := 1.0
	if taken := s.Ledger.Damping; taken > fadesFrom*allowed {
		fade = max(0, allowed-taken) / ((1 - fadesFrom) * allowed)
	}
	if fade != k.Fade {
		k.Fade = fade
		s.triangles.Damp(k.stiffness())
	}
}

// allow finds what light damping may take of what lies and, now and then, of what slides.
// What slides under its weight turns to heat at most the power that its weight would have if
// it fell with its speed, times the coefficient of friction; what strikes rubs with far more.
func (k *damping) allow() {
	s, b := k.s, &k.budget
	b.Allowed += float64(k.restingRate * s.Last)
	if s.N%calmSteps != 0 {
		return
	}
	rubbed := s.contacts.frictionLoss()
	heat := min(rubbed-b.Rubbed, float64(slidingPower*s.weightPower()*(s.Time-b.At)))
	b.Allowed += float64(lightSliding * max(0, heat))
	b.Rubbed, b.At = rubbed, s.Time
}

// weightPower returns the power that the weight of all that moves would have if each part
// fell with its speed, and that of all where something is driven below or beside it [W].
func (s *Solver) weightPower() float64 {
	_, momentum, mass := s.StepMotion()
	driven := 0.0
	for i := range s.RigidMotions {
		speed := elementary.Norm(s.RigidMotions[i].Velocity)
		if m := s.Rigids[i].Mass; m > 0 {
			momentum += float64(m * speed)
			mass += m
		} else {
			driven = max(driven, speed)
		}
	}
	return elementary.Norm(s.Model.Gravity) * (momentum + float64(mass*driven))
}

// frictionLoss returns what friction of contacts has turned to heat so far [J].
func (k *contacts) frictionLoss() (sum float64) {
	for _, g := range k.engines {
		k.account = g.accounts(k.account[:0])
		for _, a := range k.account {
			sum += max(0, a.FrictionLoss())
		}
	}
	return sum
}

// lightToldFrom is the part of the greatest energy that light damping takes without a word.
const lightToldFrom = 0.005

// LightDampingTook says what light damping has taken where that is not little; nothing
// elsewhere.
func (s *Solver) LightDampingTook() string {
	if s.damping == nil || !s.damping.light || !(s.Ledger.Damping > lightToldFrom*s.Ledger.Entered) {
		return ""
	}
	return fmt.Sprintf("light damping took %.3g J, %.2g %% of the greatest energy held or moved", s.Ledger.Damping, 100*s.Ledger.Damping/s.Ledger.Entered)
}

// rubs tells whether a contact has friction.
func rubs(c *contactnodes.Contact) bool { return c.Friction.Kinetic > 0 || c.Friction.Static > 0 }

// rubs tells whether joints and seams have friction: what a curve parts slides on it.
func (f *Fracture) rubs() bool {
	return f != nil && slices.ContainsFunc(f.Regions, func(r fracture.Region) bool { return r.Led && r.Law.Rubbing > 0 })
}

// LightDamping says how much damping the bodies have because they rub and nothing is
// said of it; nothing elsewhere.
func (s *Solver) LightDamping() string {
	d := s.Model.Damping
	if !d.Light || s.damping == nil {
		return ""
	}
	return fmt.Sprintf("light damping, of stiffness %.2g s, keeps what friction feeds from squealing; damping = { stiffness = 0 } in [analysis] goes without", d.Stiffness)
}
