package forces

import (
	"fmt"
	"math"
	"slices"

	"fdem/materials/elementary"
	bodiess "fdem/solver/bodies"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// The senses.
const (
	Both        models.Sense = 0
	Tension     models.Sense = 1  // a cable
	Compression models.Sense = -1 // a bumper
)

// NewForceCurve makes a curve through points.
func NewForceCurve(stretch, force []float64) *models.ForceCurve {
	c := &models.ForceCurve{Stretch: stretch, Force: force, Energy: make([]float64, len(force))}
	for i := 1; i < len(force); i++ {
		c.Energy[i] = c.Energy[i-1] + float64(0.5*(stretch[i]-stretch[i-1])*(force[i]+force[i-1]))
	}
	return c
}

// Springs are all springs of a model.
type Springs struct {
	system.Idle
	system.View
	list     []models.Spring
	bodies   *bodiess.Rigids
	Units    []unit
	torsions []torsion
	results  []springResult // per Spring
	omega2   float64        // bound of the squared frequency, with the stiffness along their lines in all directions [1/s2]
	worst    int32          // the Spring with the greatest bound
	rate     float64        // bound of damping divided by mass [1/s]
	damped   int32
	natural  float64 // the same for springs that move rigid bodies, each by itself [1/s2]
	single   int32
	whole    []float64 // per Spring: stored energy at the last evaluation without its factor [J]

	state springState
}

// springState is the state of the springs.
type springState struct {
	rates      []r2.Vec  // rates of extension of the units, half a step ago [m/s]
	pulls      []r2.Vec  // force of each unit without its elastic part, at the last evaluation [N]
	spins      []float64 // rates of rotation of the torsions, half a step ago [rad/s]
	twists     []float64 // their moments without the elastic part [N m]
	before     float64   // length of the step before the last [s]
	dissipated []float64 // energy dissipated by each Spring so far [J]
	system.Stages
	installedState
}

// unit is one direction of a link.
type unit struct {
	*models.Link
	Of        int32   // index of the Spring
	axis      r2.Vec  // direction of the component; zero for a unit along its line
	stiffness float64 // greatest stiffness [N/m]
	damping   float64 // [N s/m]
	rest      float64 // unloaded length of a unit along its line [m]
	preload   float64 // [N]
	least     float64 // least length of the line in the stability bound [m]

	Force   float64 // at the last evaluation; positive pulls the ends together [N]
	elastic float64 // elastic part of it [N]
	slope   float64 // of the elastic force [N/m]
	length  float64 // length of the line [m]
	Normal  r2.Vec  // from the first end to the second, or the component
	extent  float64 // extension [m]
	stored  float64 // stored energy [J]
}

// torsion is the rotation spring of a link.
type torsion struct {
	*models.Link
	of                 int32
	stiffness, damping float64 // [N m], [N m s]
	moment, angle      float64 // at the last evaluation [N m], [rad]
}

// springResult has the indices of a Spring for results.
type springResult struct {
	units, turns [2]int // ranges
}

// accuracy is the stable step divided by the longest step with a spring on a free
// rigid body. Nothing else may limit that step, and the period in leapfrog should be
// accurate to 1e-4.
const accuracy = 32

// NewSprings makes the springs.
func NewSprings(of system.View, list []models.Spring, bodies *bodiess.Rigids) *Springs {
	k := &Springs{View: of, list: list, bodies: bodies}
	if len(k.list) == 0 {
		return k
	}
	for i := range k.list {
		p := &k.list[i]
		b := springResult{}
		b.units[0], b.turns[0] = len(k.Units), len(k.torsions)
		for j := range p.Links {
			k.link(int32(i), p, &p.Links[j])
		}
		b.units[1], b.turns[1] = len(k.Units), len(k.torsions)
		k.results = append(k.results, b)
	}
	k.state = springState{
		rates: make([]r2.Vec, len(k.Units)), pulls: make([]r2.Vec, len(k.Units)),
		spins: make([]float64, len(k.torsions)), twists: make([]float64, len(k.torsions)),
		dissipated: make([]float64, len(k.list)),
	}
	k.whole = make([]float64, len(k.list))
	k.makeStages()
	k.predict()
	return k
}

func (k *Springs) Empty() bool { return len(k.results) == 0 }

// link adds the units of a link.
func (k *Springs) link(of int32, p *models.Spring, l *models.Link) {
	u := unit{Link: l, Of: of, stiffness: l.Share * p.Stiffness, damping: l.Share * p.Damping, preload: l.Share * p.Preload}
	if k.Static != nil {
		u.damping = 0
	}
	constant := u.preload // a constant force without stiffness, which rotates with its line
	if p.Curve != nil {
		u.stiffness = l.Share * p.Curve.Steepest()
		constant += float64(l.Share * p.Curve.Force[0])
	}
	switch {
	case p.Axial:
		length := elementary.Norm(r2.Sub(l.Ends[1].At, l.Ends[0].At))
		if u.rest = p.Free; math.IsNaN(p.Free) {
			u.rest = length
		}
		if u.least = max(u.rest, length) / 20; u.stiffness == 0 && constant != 0 {
			u.stiffness = math.Abs(constant) / length
		}
		k.Units = append(k.Units, u)
	default:
		if p.X {
			u.axis = r2.Vec{X: 1}
			k.Units = append(k.Units, u)
		}
		if p.Y {
			u.axis = r2.Vec{Y: 1}
			k.Units = append(k.Units, u)
		}
	}
	if p.RotationStiffness > 0 || p.RotationDamping > 0 {
		t := torsion{Link: l, of: of, stiffness: l.Share * p.RotationStiffness, damping: l.Share * p.RotationDamping}
		if k.Static != nil {
			t.damping = 0
		}
		k.torsions = append(k.torsions, t)
	}
}

func (k *Springs) Name() string { return "springs" }

func (k *Springs) NodesRead(each func(n int32)) bool {
	for i := range k.list {
		for _, l := range k.list[i].Links {
			for i := range l.Ends {
				for _, n := range l.Ends[i].Nodes {
					each(n)
				}
			}
		}
	}
	return true
}

// endPosition returns the position of an end [m].
func (k *Springs) endPosition(e *models.End) r2.Vec {
	if len(e.Nodes) == 0 {
		return e.At
	}
	return meanAt(e, k.PositionAt)
}

// velocity returns the velocity of an end, half a step ago [m/s].
func (k *Springs) velocity(e *models.End) r2.Vec { return meanAt(e, k.StepVelocityAt) }

// meanAt returns the mean over an end of a value per vertex.
func meanAt(e *models.End, of func(nodes.Vertex, []nodes.Corner) r2.Vec) (p r2.Vec) {
	for i, n := range e.Nodes {
		v := of(nodes.Vertex(n), e.Corners.At(i))
		p.X += float64(e.Weights[i] * v.X)
		p.Y += float64(e.Weights[i] * v.Y)
	}
	return p
}

// between returns the vector from the first end of a unit to its second [m].
func (k *Springs) between(u *unit) r2.Vec {
	return r2.Sub(k.endPosition(&u.Ends[1]), k.endPosition(&u.Ends[0]))
}

// pushAt adds a force to an end.
func pushAt(on *nodes.Field, e *models.End, f r2.Vec) {
	for i, n := range e.Nodes {
		w := e.Weights[i]
		g := r2.Vec{X: float64(w * f.X), Y: float64(w * f.Y)}
		on.AddForceAt(nodes.Vertex(n), e.Corners.At(i), g)
	}
}

// angle returns the rotation of an end [rad], and spin its angular velocity
// [rad/s].
func (k *Springs) angle(e *models.End) float64 {
	switch {
	case len(e.Nodes) == 0:
		return 0
	case e.Rigid >= 0:
		return k.bodies.List[e.Rigid].RigidMotion.Angle
	}
	return k.Theta[e.Nodes[0]]
}

func (k *Springs) spin(e *models.End) float64 {
	switch {
	case len(e.Nodes) == 0:
		return 0
	case e.Rigid >= 0:
		return k.bodies.List[e.Rigid].RigidMotion.Spin
	}
	return k.Spin[e.Nodes[0]]
}

// turned returns the mean spin of an end in the last step [rad/s].
func (k *Springs) turned(e *models.End) float64 {
	if e.Rigid >= 0 {
		return k.bodies.StepSpin(e.Rigid)
	}
	return k.spin(e)
}

// addMoment adds a moment to an end.
func (k *Springs) addMoment(e *models.End, moment float64) {
	switch {
	case len(e.Nodes) == 0:
	case e.Rigid >= 0:
		k.bodies.List[e.Rigid].Couple += moment
	default:
		k.Moment[e.Nodes[0]] += moment
	}
}

// ahead extrapolates a rate to Time. now is the rate half a step ago, before the
// rate in the step before that. Without this, a dashpot would have an error of first
// order, because leapfrog's velocities are half a step behind.
func (k *Springs) ahead(now, before float64) float64 {
	span := k.Last + k.state.before
	if span == 0 {
		return now
	}
	return now + float64(k.Last*(now-before)/span)
}

// ApplyForces adds the forces at the ends. With commit it records the energy of the
// dashpots in the last step.
func (k *Springs) ApplyForces(commit bool) error {
	k.choose(commit)
	clear(k.whole)
	for i := range k.Units {
		u := &k.Units[i]
		a, b := &u.Ends[0], &u.Ends[1]
		k.measure(i, u, k.between(u))
		rate := r2.Sub(k.velocity(b), k.velocity(a))
		u.Force = u.elastic
		if u.damping > 0 {
			was := k.state.rates[i]
			v := r2.Vec{X: k.ahead(rate.X, was.X), Y: k.ahead(rate.Y, was.Y)}
			u.damp(k.list[u.Of].Only, float64(u.damping*elementary.Dot(v, u.Normal)))
		}
		k.whole[u.Of] += u.stored
		u.fade(k.state.Now[u.Of])
		f := r2.Vec{X: u.Force * u.Normal.X, Y: u.Force * u.Normal.Y}
		pushAt(k.Field, a, f)
		pushAt(k.Field, b, r2.Vec{X: -f.X, Y: -f.Y})
		if commit {
			viscous := u.Force - u.elastic
			pull, taken := r2.Vec{X: float64(viscous * u.Normal.X), Y: float64(viscous * u.Normal.Y)}, r2.Vec{}
			taken.X, taken.Y = k.state.pulls[i].X+pull.X, k.state.pulls[i].Y+pull.Y
			if k.Model.Impulses != nil { // the pull was that in the middle of the step
				pull = k.state.pulls[i]
				taken = r2.Scale(2, pull)
			}
			k.state.dissipated[u.Of] += float64(0.5 * k.Last * elementary.Dot(taken, rate))
			k.state.pulls[i], k.state.rates[i] = pull, rate
		}
	}
	for i := range k.torsions {
		t := &k.torsions[i]
		a, b := &t.Ends[0], &t.Ends[1]
		t.angle = k.angle(b) - k.angle(a) - k.state.Turned[i]
		rate := k.turned(b) - k.turned(a)
		share := k.state.Now[t.of]
		k.whole[t.of] += t.energy()
		twist := float64(share * t.damping * k.ahead(rate, k.state.spins[i]))
		t.moment = float64(share*t.stiffness*t.angle) + twist
		k.addMoment(a, t.moment)
		k.addMoment(b, -t.moment)
		if commit {
			if k.Model.Impulses != nil {
				twist = k.state.twists[i]
			}
			k.state.dissipated[t.of] += float64(0.5 * k.Last * rate * (k.state.twists[i] + twist))
			k.state.twists[i], k.state.spins[i] = twist, rate
		}
	}
	if commit {
		k.state.before = k.Last
		for i, stored := range k.whole {
			k.state.Advance(i, stored)
		}
	}
	return nil
}

// energy returns the energy that a torsion stores without the factor of its spring [J].
func (t *torsion) energy() float64 { return float64(0.5 * t.stiffness * t.angle * t.angle) }

// measure finds the elastic force of unit i. d is the vector from its first end to
// its second.
func (k *Springs) measure(i int, u *unit, d r2.Vec) {
	p := &k.list[u.Of]
	if p.Axial {
		u.length = elementary.Norm(d)
		if u.Normal = (r2.Vec{}); u.length > 0 {
			u.Normal = r2.Vec{X: d.X / u.length, Y: d.Y / u.length}
		}
		u.extent = u.length - u.rest
	} else {
		u.Normal = u.axis
		u.extent = elementary.Dot(u.axis, r2.Sub(d, r2.Sub(u.Ends[1].At, u.Ends[0].At)))
	}
	u.extent -= k.state.origins[i]
	if p.Curve != nil {
		u.elastic, u.slope, u.stored = p.Curve.At(u.extent)
		u.elastic, u.slope, u.stored = u.Share*u.elastic, u.Share*u.slope, u.Share*u.stored
		return
	}
	u.slope = u.Share * p.Stiffness
	u.elastic = u.preload + float64(u.slope*u.extent)
	if float64(p.Only)*u.elastic < 0 {
		u.elastic, u.slope, u.stored = 0, 0, 0
		return
	}
	if u.stored = u.preload * u.extent; u.slope > 0 {
		u.stored = 0.5 * u.elastic * u.elastic / u.slope
	}
}

// damp adds the force f of the dashpot. The dashpot of a cable acts only while the
// cable is taut, and the total force is never compressive. With Compression the same
// holds with the opposite sign.
func (u *unit) damp(only models.Sense, f float64) {
	switch {
	case only == Both:
		u.Force += f
	case u.elastic != 0:
		u.Force = float64(only) * max(0, float64(float64(only)*(u.elastic+f)))
	}
}

func (k *Springs) AddEnergies(e *system.Energies) {
	for i := range k.Units {
		e.SpringStored += k.Units[i].stored
	}
	for i := range k.torsions {
		t := &k.torsions[i]
		e.SpringStored += float64(k.state.Now[t.of] * t.energy())
	}
	for _, d := range k.state.dissipated {
		e.SpringDissipated += d
	}
}

func (k *Springs) StateParts() []system.Part {
	p := &k.state
	return append(k.state.Stages.StateParts("spring"), []system.Part{
		{Name: "spring.rates", Values: p.rates}, {Name: "spring.pulls", Values: p.pulls}, {Name: "spring.spins", Values: p.spins}, {Name: "spring.twists", Values: p.twists},
		{Name: "spring.before", Values: &p.before}, {Name: "spring.dissipated", Values: p.dissipated},
		{Name: "spring.origins", Values: p.origins}, {Name: "spring.turned", Values: p.Turned},
	}...)
}

// Stiffen adds the tangent of the springs for a static analysis. Along a line it is
// the slope of the law, across it the force divided by the length. The effect of the
// force on the arms of rigid bodies is included.
func (k *Springs) Stiffen(f *system.Freedoms, add func(stiffness float64, freedom []int32, g []float64)) {
	var freedom []int32
	var g []float64
	put := func(i int32, v float64) {
		f.Each(i, func(i int32, weight float64) {
			v := float64(weight * v)
			if j := slices.Index(freedom, i); j >= 0 {
				g[j] += v
				return
			}
			freedom, g = append(freedom, i), append(g, v)
		})
	}
	along := func(u *unit, stiffness float64, direction r2.Vec) {
		freedom, g = freedom[:0], g[:0]
		for j, sign := range [2]float64{-1, 1} {
			e := &u.Ends[j]
			for m, n := range e.Nodes {
				w, to, a := sign*e.Weights[m], &f.Moves[n], f.Arm(n)
				put(to[0], w*direction.X)
				put(to[1], w*direction.Y)
				put(to[2], w*(float64(a.X*direction.Y)-float64(a.Y*direction.X)))
			}
		}
		add(stiffness, freedom, g)
	}
	for i := range k.Units {
		u := &k.Units[i]
		along(u, u.slope, u.Normal)
		if u.axis == (r2.Vec{}) {
			across := 0.0
			if u.length > 0 {
				across = u.elastic / u.length
			}
			along(u, across, r2.Vec{X: -u.Normal.Y, Y: u.Normal.X})
		}
		for j, sign := range [2]float64{-1, 1} {
			if e := &u.Ends[j]; e.Rigid >= 0 && f.Moves[e.Nodes[0]][2] >= 0 {
				arm := r2.Sub(k.endPosition(e), k.bodies.List[e.Rigid].RigidMotion.Centre)
				add(-sign*u.elastic*elementary.Dot(arm, u.Normal), []int32{f.Moves[e.Nodes[0]][2]}, []float64{1})
			}
		}
	}
	for i := range k.torsions {
		t := &k.torsions[i]
		freedom, g = freedom[:0], g[:0]
		for j, sign := range [2]float64{-1, 1} {
			switch e := &t.Ends[j]; {
			case len(e.Nodes) == 0:
			case e.Rigid >= 0:
				put(f.Moves[e.Nodes[0]][2], sign)
			default:
				put(f.Rotation[e.Nodes[0]], sign)
			}
		}
		add(k.state.Now[t.of]*t.stiffness, freedom, g)
	}
}

func (k *Springs) Balance() error {
	for i := range k.list {
		if p := &k.list[i]; p.Damping > 0 || p.RotationDamping > 0 {
			return fmt.Errorf("spring %q: a dashpot does nothing in a static analysis: leave damping and rotation_damping out", p.Name)
		}
	}
	return nil
}

// EachHeld marks the nodes and bodies that springs hold in a static analysis.
func (k *Springs) EachHeld(node func(n int32), body func(i int32)) {
	for i := range k.list {
		p := &k.list[i]
		if p.Staged() {
			continue // not for the whole run
		}
		for j := range p.Links {
			for _, e := range p.Links[j].Ends {
				if e.Rigid >= 0 {
					body(e.Rigid)
				} else if len(e.Nodes) > 0 {
					node(e.Nodes[0])
				}
			}
		}
	}
}
