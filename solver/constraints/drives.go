package constraints

import (
	"fmt"
	"math"
	"slices"

	"fdem/contactnodes/motion"
	"fdem/materials/elementary"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Drives are the prescribed motions.
type Drives struct {
	system.Idle
	system.View
	list []drive
	of   [][3]int32 // per node: the drives of its x, y and rotation, -1 for none
	// Inertia of the nodes whose rotation is driven [kg m2].
	inertia []float64
}

// drive is a Drive with its state.
type drive struct {
	*models.Drive
	nodes    nodes.Group
	source   system.Source // of the work of the drive
	integral []float64     // x, y and angle so far of motions that are given as rates
	given    float64       // kinetic energy of its nodes at the start [J]
	before   []r2.Vec      // velocities of Nodes at the start, before it moves them; nil if it moves whole vertices [m/s]
	begun    system.Wrench // momentum at the start, and angular momentum about About [kg m/s], [kg m2/s]
	released []float64     // kinetic energy [J], momentum and angular momentum of released nodes
	was      []r2.Vec      // in a static analysis: the forces on Nodes at the last increment [N]
	moments  []float64     // and the moments, nil if no rotation is driven [N m]
	motion   motionState
}

// motionState is the motion of a drive at a time. It is stored because expressions take time to
// evaluate.
type motionState struct {
	time, last             float64 // [s]
	at                     pose
	velocity, acceleration pose // velocity and acceleration
}

// pose is the displacement and angle of a drive, or their rates.
type pose struct {
	shift r2.Vec
	angle float64
}

// NewDrives makes the drives, holds the driven nodes for them and sets their velocities at the start.
func NewDrives(of system.View, list []models.Drive) *Drives {
	k := &Drives{View: of}
	if len(list) == 0 {
		return k
	}
	k.of, k.inertia = make([][3]int32, len(k.X)), make([]float64, len(k.X))
	for n := range k.of {
		k.of[n] = [3]int32{-1, -1, -1}
	}
	for i := range list {
		d := drive{Drive: &list[i], integral: make([]float64, 3), released: make([]float64, 4), source: k.Ledger.Source(fmt.Sprintf("drive %d", i))}
		d.nodes, d.motion.time = nodes.Group{Of: d.Nodes, Corners: d.Corners}, -1
		if k.Static != nil {
			d.source = k.Ledger.Source("supports")
			d.was = make([]r2.Vec, len(d.Nodes))
			if d.Rotation {
				d.moments = make([]float64, len(d.Nodes))
			}
		}
		for _, n := range d.Nodes {
			if d.X {
				k.of[n][0] = int32(i)
			}
			if d.Y {
				k.of[n][1] = int32(i)
			}
			turns := d.Rotation && k.InverseInertias[n] > 0
			if turns {
				k.inertia[n] = 1 / k.InverseInertias[n]
				k.of[n][2] = int32(i)
			}
			k.Drive(nodes.Vertex(n), d.X, d.Y, turns)
		}
		k.list = append(k.list, d)
	}
	if k.Static == nil {
		k.Ahead(k.ahead, k.spin, k.ready, k.release)
		k.start()
	}
	return k
}

func (k *Drives) Empty() bool { return len(k.list) == 0 }

func (k *Drives) NodesRead(each func(n int32)) bool {
	for i := range k.list {
		for _, n := range k.list[i].Nodes {
			each(n)
		}
	}
	return true
}

func (k *Drives) Name() string { return "drives" }

func (k *Drives) Balance() error {
	for i := range k.list {
		for _, c := range k.list[i].Motion {
			if c.Rate {
				return fmt.Errorf("drive %q: a static analysis knows no speed: give the displacement or the angle", k.list[i].Name)
			}
		}
	}
	return nil
}

// start replaces the initial velocities of the nodes, which are those of their bodies, by the
// velocities of their drives. The change of kinetic energy is work of the drives.
func (k *Drives) start() {
	for i := range k.list {
		d := &k.list[i]
		for _, n := range d.Nodes {
			if d.Corners.First != nil {
				d.before = append(d.before, k.V[n])
			}
			d.given += k.held(d, n, k.V[n], k.spinBefore(n))
			var p r2.Vec
			if d.X {
				p.X = k.Mass[n] * k.V[n].X
			}
			if d.Y {
				p.Y = k.Mass[n] * k.V[n].Y
			}
			d.begun.Add(r2.Sub(k.X[n], d.About), p)
			if d.Rotation {
				d.begun.Moment += float64(k.inertia[n] * k.Spin[n])
			}
		}
	}
	for i := range k.list {
		d := &k.list[i]
		c := d.now(k)
		for _, n := range d.Nodes {
			k.put(d, n, d.velocity(k, n, c), c.velocity.angle)
		}
	}
}

// spinBefore returns the angular velocity of a node half a step ago, 0 if nodes have no rotations.
func (k *Drives) spinBefore(n int32) float64 {
	if k.Spin == nil {
		return 0
	}
	return k.Spin[n]
}

// put sets the driven components of a node's velocity and angular velocity.
func (k *Drives) put(d *drive, n int32, v r2.Vec, spin float64) {
	if d.X {
		k.V[n].X = v.X
	}
	if d.Y {
		k.V[n].Y = v.Y
	}
	if d.Rotation {
		k.Spin[n] = spin
	}
}

// held returns the kinetic energy that a node has in the driven directions, for a velocity and an
// angular velocity [J].
func (k *Drives) held(d *drive, n int32, v r2.Vec, spin float64) float64 {
	sum := 0.0
	if d.X {
		sum += float64(v.X * v.X)
	}
	if d.Y {
		sum += float64(v.Y * v.Y)
	}
	sum = float64(0.5 * k.Mass[n] * sum)
	if d.Rotation {
		sum += float64(0.5 * k.inertia[n] * spin * spin)
	}
	return sum
}

// pose returns displacement and angle of the drive at time t. gone holds the integrals of those
// that are given as rates.
func (d *drive) pose(t float64, gone []float64) pose {
	var at [3]float64
	for c, course := range d.Motion {
		switch {
		case course.Rate:
			at[c] = gone[c]
		case course.At != nil:
			at[c] = course.At(t)
		}
	}
	return pose{r2.Vec{X: at[0], Y: at[1]}, at[2]}
}

// on returns the integrals of the rates up to t + dt, from their values at time t.
func (d *drive) on(t, dt float64) (gone [3]float64) {
	for c, course := range d.Motion {
		if course.Rate {
			gone[c] = d.integral[c] + d.displacement(course.At, t, t+dt)
		}
	}
	return gone
}

// displacement integrates a rate by three Gauss points in each interval between breaks. This is
// exact for ramps.
func (d *drive) displacement(rate models.Schedule, from, to float64) float64 {
	sum := 0.0
	between := func(a, b float64) {
		const outer = 0.7745966692414834 // sqrt(3/5)
		m, h := float64(0.5*(a+b)), float64(0.5*(b-a))
		sum += float64(h * (float64(5*(rate(m-float64(outer*h))+rate(m+float64(outer*h)))) + float64(8*rate(m))) / 9)
	}
	for _, b := range d.Breaks {
		if b > from && b < to {
			between(from, b)
			from = b
		}
	}
	between(from, to)
	return sum
}

// now returns the motion of the drive at Time. The velocity of a given displacement is the central
// difference over the last step and a next step of equal length.
func (d *drive) now(k *Drives) *motionState {
	c := &d.motion
	if c.time != k.Time || c.last != k.Last {
		*c = motionState{k.Time, k.Last, d.pose(k.Time, d.integral), d.slope(k, false), d.slope(k, true)}
	}
	return c
}

// slope returns the first or the second derivative of the motion at Time by central differences. At
// the start and the end these are one-sided differences, of second order for the first derivative
// and of first order for the second.
func (d *drive) slope(k *Drives, second bool) pose {
	h, t := k.Last, k.Time
	if h == 0 {
		h = float64(startingSlope * k.Duration)
	}
	side := 0.0 // direction in time in which the motion continues
	switch {
	case t-h < 0:
		side, h = 1, min(h, float64(0.5*(k.Duration-t)))
	case t+h > k.Duration:
		side, h = -1, min(h, float64(0.5*t))
	}
	if h == 0 {
		return pose{}
	}
	var out [3]float64
	for c, course := range d.Motion {
		at := course.At
		switch {
		case at == nil:
		case course.Rate && !second:
			out[c] = at(t)
		case second && !course.Rate:
			m := t + float64(side*h) // the middle of the three times
			out[c] = ((at(m+h) - at(m)) - (at(m) - at(m-h))) / float64(h*h)
		case side == 0:
			out[c] = (at(t+h) - at(t-h)) / (2 * h)
		default:
			out[c] = side * (float64(4*(at(t+float64(side*h))-at(t))) - (at(t+float64(2*side*h)) - at(t))) / (2 * h)
		}
	}
	return pose{r2.Vec{X: out[0], Y: out[1]}, out[2]}
}

// startingSlope is the part of the duration over which the velocity at the start is found.
const startingSlope = 1e-6

// position returns the prescribed position of node n.
func (d *drive) position(k *Drives, n int32, at pose, sin, cos float64) r2.Vec {
	x := k.Mesh.X[n]
	if !d.Rotates {
		return r2.Vec{X: x.X + at.shift.X, Y: x.Y + at.shift.Y}
	}
	a := r2.Sub(x, d.Centre)
	return r2.Vec{
		X: d.Centre.X + at.shift.X + (float64(cos*a.X) - float64(sin*a.Y)),
		Y: d.Centre.Y + at.shift.Y + (float64(sin*a.X) + float64(cos*a.Y)),
	}
}

// arm returns the arm from the centre to node n at Time [m], 0 if the drive does not rotate
// positions.
func (d *drive) arm(k *Drives, n int32, c *motionState) r2.Vec {
	if !d.Rotates {
		return r2.Vec{}
	}
	x := k.X[n]
	return r2.Vec{X: x.X - (d.Centre.X + c.at.shift.X), Y: x.Y - (d.Centre.Y + c.at.shift.Y)}
}

// velocity returns the prescribed velocity of node n at Time.
func (d *drive) velocity(k *Drives, n int32, c *motionState) r2.Vec {
	a, w := d.arm(k, n, c), c.velocity.angle
	return r2.Vec{X: c.velocity.shift.X - float64(w*a.Y), Y: c.velocity.shift.Y + float64(w*a.X)}
}

// acceleration returns the prescribed acceleration of node n at Time.
func (d *drive) acceleration(k *Drives, n int32, c *motionState) r2.Vec {
	a, w := d.arm(k, n, c), c.velocity.angle
	return r2.Vec{
		X: c.acceleration.shift.X - float64(c.acceleration.angle*a.Y) - float64(w*w*a.X),
		Y: c.acceleration.shift.Y + float64(c.acceleration.angle*a.X) - float64(w*w*a.Y),
	}
}

// MoveBy gives the nodes the velocities that lead to their positions at the end of the step. It
// records half of the work of that displacement.
func (k *Drives) MoveBy(_, dt float64) {
	for i := range k.list {
		d := &k.list[i]
		gone := d.on(k.Time, dt)
		at := d.pose(k.Time+dt, gone[:])
		copy(d.integral, gone[:])
		sin, cos := elementary.Sincos(at.angle)
		for _, n := range k.Nodes(&d.nodes) {
			to, x, was := d.position(k, n, at, sin, cos), k.X[n], k.V[n]
			spin := 0.0
			if d.Rotation {
				spin = (at.angle - k.Theta[n]) / dt
			}
			k.put(d, n, r2.Vec{X: (to.X - x.X) / dt, Y: (to.Y - x.Y) / dt}, spin)
			k.Replaced(nodes.Node(n), was)
			k.recordWork(d, n, k.Force(nodes.Node(n)), k.momentOn(n), dt)
		}
	}
}

// momentOn returns the moment on a node, 0 if nodes have no rotations [N m].
func (k *Drives) momentOn(n int32) float64 {
	if k.Moment == nil {
		return 0
	}
	return k.Moment[n]
}

// recordWork adds the work of the drive against a force and a moment on a node, over half of dt
// with its velocity.
func (k *Drives) recordWork(d *drive, n int32, f r2.Vec, moment, dt float64) {
	v, work := k.V[n], 0.0
	if d.X {
		work += float64(f.X * v.X)
	}
	if d.Y {
		work += float64(f.Y * v.Y)
	}
	if d.Rotation {
		work += float64(moment * k.Spin[n])
	}
	k.Ledger.Record(d.source, -float64(0.5*dt*work))
}

// AddEnergies adds the work that has become kinetic energy of the driven nodes.
func (k *Drives) AddEnergies(e *system.Energies) {
	if k.Static != nil {
		return
	}
	for i := range k.list {
		d, sum := &k.list[i], 0.0
		c := d.now(k)
		for _, n := range k.Nodes(&d.nodes) {
			sum += k.held(d, n, d.velocity(k, n, c), c.velocity.angle)
		}
		e.ExternalWork += sum + d.released[0] - d.given
	}
}

func (k *Drives) StateParts() (parts []system.Part) {
	for i := range k.list {
		parts = append(parts, system.Part{Name: fmt.Sprintf("drive.%d.gone", i), Values: k.list[i].integral}, system.Part{Name: fmt.Sprintf("drive.%d.released", i), Values: k.list[i].released})
	}
	return parts
}

// StartingVelocity returns the velocity at the start of a point on an edge of a triangle. It is that
// of drives that drive this side of both ends, and otherwise own, that of the triangle's body.
func (k *Drives) StartingVelocity(triangle int32, ends [2]int32, x, own r2.Vec) r2.Vec {
	for i := range k.list {
		d := &k.list[i]
		drives := func(n int32) bool {
			at := slices.Index(d.Nodes, n)
			return at >= 0 && slices.ContainsFunc(d.Corners.At(at), func(c models.Corner) bool { return c.Triangle == triangle })
		}
		if d.Corners.First == nil || !drives(ends[0]) || !drives(ends[1]) {
			continue
		}
		c := d.now(k)
		v := c.velocity.shift
		if d.Rotates {
			arm := r2.Sub(x, r2.Add(d.Centre, c.at.shift))
			v.X -= float64(c.velocity.angle * arm.Y)
			v.Y += float64(c.velocity.angle * arm.X)
		}
		if d.X {
			own.X = v.X
		}
		if d.Y {
			own.Y = v.Y
		}
	}
	return own
}

// release records what a mass keeps that drives release in some directions at a node: it is on the
// other side of a joint. At the start it keeps the velocity that it had before the drives moved it.
func (k *Drives) release(n nodes.Node, directions uint8, mass float64) {
	if !k.Stepping {
		return // a resumed run has the record
	}
	vertex, f := k.VertexOf(n), k.Force(n)
	of := k.of[vertex]
	for c, direction := range [2]uint8{motion.HeldX, motion.HeldY} {
		if of[c] < 0 || directions&direction == 0 {
			continue
		}
		d := &k.list[of[c]]
		v, arm := d.velocity(k, int32(n), d.now(k)), r2.Sub(k.X[n], d.About)
		if k.N == 0 {
			v = d.before[slices.Index(d.Nodes, int32(vertex))]
		}
		u, force, moved, a := v.X, f.X, k.V[n].X, -arm.Y
		if c == 1 {
			u, force, moved, a = v.Y, f.Y, k.V[n].Y, arm.X
		}
		d.released[0] += float64(0.5 * mass * u * u)
		d.released[1+c] += float64(mass * u)
		d.released[3] += float64(a * mass * u)
		k.Ledger.Record(d.source, -float64(math.Copysign(0.5*k.Last, mass)*force*moved)) // of the step that led here
	}
}

// drivesOf returns the drives of a node's x, y and rotation, -1 for none.
func (k *Drives) drivesOf(n nodes.Node) [3]int32 {
	of := k.of[k.VertexOf(n)]
	for c, held := range [2]uint8{motion.HeldX, motion.HeldY} {
		if k.Held[n]&held == 0 { // released
			of[c] = -1
		}
	}
	return of
}

// ahead returns the velocity of node n at Time. It is v in directions that nothing drives.
func (k *Drives) ahead(n nodes.Node, v r2.Vec) r2.Vec {
	of := k.drivesOf(n)
	if of[0] >= 0 {
		d := &k.list[of[0]]
		v.X = d.velocity(k, int32(n), d.now(k)).X
	}
	if of[1] >= 0 {
		d := &k.list[of[1]]
		v.Y = d.velocity(k, int32(n), d.now(k)).Y
	}
	return v
}

// ready finds the motions of the drives at Time before several workers need them.
func (k *Drives) ready() {
	for i := range k.list {
		k.list[i].now(k)
	}
}

// spin returns the angular velocity at Time of a node whose rotation is driven [rad/s].
func (k *Drives) spin(n nodes.Node) float64 {
	d := &k.list[k.of[n][2]]
	return d.now(k).velocity.angle
}

// nextRates returns the mean acceleration over a step like the last that leads a driven node to its
// next prescribed position, and at the start the prescribed acceleration. Directions that are not
// driven keep rate [m/s2].
func (k *Drives) nextRates(n int32, rate r2.Vec) r2.Vec {
	of := k.drivesOf(nodes.Node(n))
	at := func(d *drive) r2.Vec {
		c := d.now(k)
		v, a := d.velocity(k, n, c), d.acceleration(k, n, c)
		if h := k.Last; h > 0 {
			return r2.Vec{X: v.X/h + float64(0.5*a.X), Y: v.Y/h + float64(0.5*a.Y)}
		}
		return a
	}
	if of[0] >= 0 {
		rate.X = at(&k.list[of[0]]).X
	}
	if of[1] >= 0 {
		rate.Y = at(&k.list[of[1]]).Y
	}
	return rate
}

// Fastest returns the greatest speed of a driven node [m/s].
func (k *Drives) Fastest() (speed float64) {
	for i := range k.list {
		d, far := &k.list[i], 0.0
		c := d.now(k)
		if d.Rotates {
			for _, n := range d.Nodes {
				far = max(far, elementary.Norm(d.arm(k, n, c)))
			}
		}
		speed = max(speed, elementary.Norm(c.velocity.shift)+float64(math.Abs(c.velocity.angle)*far))
	}
	return speed
}

// addSecondHalfWork records the second half of the work of the step that led to Time, once all
// forces are known. A static analysis finds its increments as a whole and records both halves here.
func (k *Drives) addSecondHalfWork() {
	for i := range k.list {
		d := &k.list[i]
		if k.Static == nil {
			for _, n := range k.Nodes(&d.nodes) {
				k.recordWork(d, n, k.Force(nodes.Node(n)), k.momentOn(n), k.Last)
			}
			continue
		}
		for j, n := range d.Nodes {
			g, m := k.F[n], 0.0
			if d.Rotation {
				m, d.moments[j] = d.moments[j]+k.Moment[n], k.Moment[n]
			}
			k.recordWork(d, n, r2.Add(d.was[j], g), m, k.Last)
			d.was[j] = g
		}
	}
}

// Undriven returns a velocity of a node without its driven components.
func (k *Drives) Undriven(n int32, v r2.Vec) r2.Vec {
	x, y, _ := k.Driven(nodes.Vertex(n))
	if x {
		v.X = 0
	}
	if y {
		v.Y = 0
	}
	return v
}

// FinishNode records the second half of the work on a node that is about to be removed.
func (k *Drives) FinishNode(n int32) {
	if k.of == nil {
		return
	}
	last := int32(-1)
	for _, i := range k.drivesOf(nodes.Node(n)) {
		if i >= 0 && i != last {
			k.recordWork(&k.list[i], n, k.Force(nodes.Node(n)), k.momentOn(n), k.Last)
			last = i
		}
	}
}

func (k *Drives) Freedoms(f *system.Freedoms) {
	for i := range k.list {
		if d := &k.list[i]; d.Motion[0].At != nil || d.Motion[1].At != nil || d.Motion[2].At != nil {
			f.Driven = append(f.Driven, d.Nodes...)
		}
	}
}

func (k *Drives) Displace(*system.Freedoms, *system.Positions, func(int32) float64) {}

func (k *Drives) Prescribe(*system.Freedoms) (moved bool) {
	for i := range k.list {
		d := &k.list[i]
		at := d.pose(k.Time, d.integral)
		sin, cos := elementary.Sincos(at.angle)
		for _, n := range d.Nodes {
			to, was := d.position(k, n, at, sin, cos), k.X[n]
			if d.X {
				k.X[n].X = to.X
			}
			if d.Y {
				k.X[n].Y = to.Y
			}
			moved = moved || k.X[n] != was
			if d.Rotation && k.Theta[n] != at.angle {
				k.Theta[n], moved = at.angle, true
			}
		}
	}
	return moved
}
