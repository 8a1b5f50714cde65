package solver

import (
	"math"

	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// A monitor of the energy error, for numerical instability. A run that goes wrong is to be stopped
// at once, and the whole ledger takes a pass over all triangles. Between its checks a watch
// examines the few nodes that contact presses: the energy that contacts have created, and their
// impulses. If one of these, or the speed of the fastest node, exceeds the greatest value at any
// check so far, the whole ledger is checked at once. The watch never says that a run is wrong: only
// the ledger does.

// Watch has the data on the ledger between its checks.
type Watch struct {
	// Made is the energy that contacts have added to the residual so far: the work in their
	// accounts, less the work of their forces on the nodes [J].
	Made float64
	// Owed is the work of the contact forces in the first half of the step
	// being taken, less the ledger at its start [J].
	Owed    float64
	Alarm   float64 // greatest part of contact in the residual that a check has seen [J]
	Fastest float64 // greatest squared speed that a check has seen [m2/s2]
	Over    int64   // steps in a row whose residual is above the limit
}

// stepsAboveLimit is for how many more steps the residual must stay above the
// limit. A node that bounces off something stiff within a few steps is kicked
// hard there and then no more, and leapfrog's energies at whole steps show the
// kick; energy out of nothing stays.
const stepsAboveLimit = 5

const (
	warnGrowth  = 1.1 // times the last alarm of contact is a new one
	speedGrowth = 2   // times the squared speed at the last alarm is a new one
)

// energyBalance keeps the account of energy, and watches whether it closes.
type energyBalance struct {
	view
	*State
	*stepLimits
	fast           []fast
	roundingEnergy float64 // energy that rounding of the nodes' positions may make in each step [J]
}

// watch updates the energy balance of contact up to Time, with its effect on nodes, and tells
// whether the ledger must be checked now.
func (k *energyBalance) watch(of acts) bool {
	w := &k.Ledger.Watch
	if k.N > 0 {
		w.Made += (k.contacts.done + w.Owed) + float64(0.5*k.Last*of.power)
	}
	w.Owed = 0
	warned := math.Abs(w.Made + float64(0.125*k.Last*k.Last*of.kick))
	level := max(warnGrowth*w.Alarm, k.ResidualLimit*max(k.Ledger.Entered, k.Ledger.OneStep, k.noise))
	return w.Over > 0 || !(warned <= level) || !(k.speed2() <= speedGrowth*w.Fastest)
}

// beginContactAccount begins the account of contact for the step that move has taken.
func (k *energyBalance) beginContactAccount() {
	k.Ledger.Watch.Owed = float64(0.5*k.Last*k.contacts.power()) - k.contacts.done
}

// audit checks the ledger when the watch needs it, at intervals, and at the end, dt = 0.
func (k *energyBalance) audit(dt float64) error {
	last := dt == 0
	if k.watch(k.limits.contact) || k.N%checkEvery == 0 || last {
		return k.check(last)
	}
	return nil
}

// updateAlarm stores the values of the watch at a check of the whole ledger.
func (k *energyBalance) updateAlarm() {
	w := &k.Ledger.Watch
	w.Alarm = max(w.Alarm, math.Abs(w.Made+float64(0.125*k.Last*k.Last*k.contacts.act().kick)))
	w.Fastest = max(w.Fastest, k.speed2())
}

// speed2 returns the square of the fastest speed of a node of the outline, a
// rigid body's centre or a particle [m2/s2].
func (k *energyBalance) speed2() float64 {
	most := 0.0
	for _, k := range k.fast {
		most = max(most, k.speed2())
	}
	return most
}

// contactMass returns the mass of all that contact presses now [kg].
func (k *energyBalance) contactMass() float64 {
	sum := 0.0
	for k := range all[massed](k.kinds) {
		sum += k.contactMass()
	}
	return sum
}

// outsideEnergy returns the greater of the energies that have come in and that have
// gone out so far, of all that works from outside [J]: a load that is slowly let
// down does work, and a drive takes it, however little is held meanwhile.
func (k *energyBalance) outsideEnergy() float64 {
	_, in, out := k.weight.total()
	account := func(w float64) {
		if w > 0 {
			in += w
		} else {
			out -= w
		}
	}
	for _, w := range k.Ledger.Sources {
		account(w)
	}
	k.ramps(account)
	return max(in, out)
}

const (
	// openingSteps is a number of steps that say nothing of a run: where loads and
	// weight have acted no longer, a step is no small part of what is held.
	openingSteps = 10
	// drivenFactor is how many times the energy of what a driven body throws off the
	// residual is measured by at least: 5 % of it leave room for five times that
	// energy, which is soon little of what the drive has done.
	drivenFactor = 100
)

// oneStepEnergy returns the energy that a residual is measured by where less is
// held [J]. Weight, loads and fluids move what they act on for few steps; and what a
// driven body touches it throws off at up to twice its speed.
func (k *energyBalance) oneStepEnergy() float64 {
	if k.Static != nil {
		return 0
	}
	dt := openingSteps * k.Limit
	sum := 0.0
	for _, l := range k.loads.list {
		for i, n := range l.nodes {
			f, w := l.force[i], k.Inverse(k.Mesh.PositionNode(n))
			sum += float64(0.5 * dt * dt * (float64(w.X*f.X*f.X) + float64(w.Y*f.Y*f.Y)))
		}
		for i, m := range l.moment {
			turns := 0.0
			if !l.OnRigid {
				turns = k.InverseInertia(nodes.Vertex(l.nodes[i]))
			} else if of := &k.Rigids[l.Rigid]; of.Mass > 0 {
				turns = 1 / of.Inertia
			}
			sum += float64(0.5 * dt * dt * turns * m * m)
		}
	}
	sum += k.fluids.oneStepEnergy(dt)
	if g := k.Model.Gravity; g != (r2.Vec{}) { // in full: a schedule that begins with nothing would leave only rounding to measure by
		sum += float64(0.5 * dt * dt * k.weights().Mass * (float64(g.X*g.X) + float64(g.Y*g.Y)))
	}
	if v := max(k.rigids.driven(), k.ramping(), k.drives.fastest()); v > 0 {
		sum += float64(drivenFactor * 2 * v * v * k.contactMass())
	}
	return sum
}
