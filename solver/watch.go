package solver

import (
	"math"

	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// A monitor of the energy error, for numerical instability. A run that becomes unstable must stop
// at once, but the whole ledger takes a loop over all triangles. Between checks of the ledger a
// watch examines the few nodes with contact forces: the energy that contacts have created, and
// their impulses. If one of these, or the greatest speed of a node, exceeds the greatest value at
// any check so far, the whole ledger is checked at once. The watch never stops a run; only the
// ledger does.

// Watch has the data that a watch needs between checks of the ledger.
type Watch struct {
	// Made is the energy that contacts have added to the residual so far: the work in their
	// accounts minus the work of their forces on the nodes [J].
	Made float64
	// HalfWork is the work of the contact forces in the first half of the present step minus the
	// account at its start [J].
	HalfWork  float64
	Threshold float64 // greatest contact part of the residual at any check [J]
	Fastest   float64 // greatest squared speed at any check [m2/s2]
	Over      int64   // number of consecutive steps whose residual is above the limit
}

// stepsAboveLimit is the number of further steps for which the residual must stay above the limit.
// A node that hits something stiff gets a large impulse within a few steps, and leapfrog's energies
// at whole steps show it only then. Energy that an instability creates stays.
const stepsAboveLimit = 5

const (
	warnGrowth  = 1.1 // ratio to the last threshold of contact energy above which a check is made
	speedGrowth = 2   // ratio to the squared speed at the last check above which a check is made
)

// energyBalance computes the energy balance and watches whether it closes.
type energyBalance struct {
	view
	*State
	*stepLimits
	fast           []fast
	roundingEnergy float64 // energy that rounding of the nodes' positions may create in each step [J]
}

// watch updates the energy balance of contact up to Time, with its effect on nodes. It tells
// whether the ledger must be checked now.
func (k *energyBalance) watch(of acts) bool {
	w := &k.Ledger.Watch
	if k.N > 0 {
		w.Made += (k.contacts.done + w.HalfWork) + float64(0.5*k.Last*of.power)
	}
	w.HalfWork = 0
	warned := math.Abs(w.Made + float64(0.125*k.Last*k.Last*of.kick))
	level := max(warnGrowth*w.Threshold, k.ResidualLimit*max(k.Ledger.Entered, k.Ledger.OneStep, k.noise))
	return w.Over > 0 || !(warned <= level) || !(k.speed2() <= speedGrowth*w.Fastest)
}

// beginContactAccount starts the contact account of the next step.
func (k *energyBalance) beginContactAccount() {
	k.Ledger.Watch.HalfWork = float64(0.5*k.Last*k.contacts.power()) - k.contacts.done
}

// audit checks the ledger when the watch needs it, at intervals, and at the end, where dt is 0.
func (k *energyBalance) audit(dt float64) error {
	last := dt == 0
	if k.watch(k.limits.contact) || k.N%checkEvery == 0 || last {
		return k.check(last)
	}
	return nil
}

// updateWatch stores the values of the watch at a check of the whole ledger.
func (k *energyBalance) updateWatch() {
	w := &k.Ledger.Watch
	w.Threshold = max(w.Threshold, math.Abs(w.Made+float64(0.125*k.Last*k.Last*k.contacts.act().kick)))
	w.Fastest = max(w.Fastest, k.speed2())
}

// speed2 returns the square of the greatest speed of an outline node, a rigid body's centre or a
// particle [m2/s2].
func (k *energyBalance) speed2() float64 {
	most := 0.0
	for _, k := range k.fast {
		most = max(most, k.speed2())
	}
	return most
}

// contactMass returns the mass on which contact acts now [kg].
func (k *energyBalance) contactMass() float64 {
	sum := 0.0
	for k := range all[massed](k.kinds.systems) {
		sum += k.contactMass()
	}
	return sum
}

// outsideEnergy returns the greater of the energies that all external work has added and removed so
// far [J]. For example a load that is slowly lowered does work, and a drive takes it, although
// little energy is stored meanwhile.
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
	// openingSteps is a number of steps at the start. While loads and weight have acted for fewer
	// steps, the energy of a step is not small compared with the energy in the system.
	openingSteps = 10
	// drivenFactor is a factor on the energy that a driven body gives to a body that it hits. The
	// residual is measured by at least this product: 5 % of it allow five times that energy, which
	// is soon small compared with the work of the drive.
	drivenFactor = 100
)

// oneStepEnergy returns the energy by which a residual is measured if less energy is in the system
// [J]. It is the energy of openingSteps under weight, loads and fluids, and of bodies that driven
// bodies throw off at up to twice their speed.
func (k *energyBalance) oneStepEnergy() float64 {
	if k.Static != nil {
		return 0
	}
	dt := openingSteps * k.Limit
	sum := 0.0
	for _, l := range k.loads.list {
		for i, count := 0, 0; i < len(l.nodes); i += count {
			var f r2.Vec
			f, count = l.at(k.Field, l.force, i)
			w := k.Inverse(k.Mesh.PositionNode(l.nodes[i]))
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
	if g := k.Model.Gravity; g != (r2.Vec{}) { // full gravity, since a schedule that begins at zero would leave only rounding as the measure
		sum += float64(0.5 * dt * dt * k.weights().Mass * (float64(g.X*g.X) + float64(g.Y*g.Y)))
	}
	if v := max(k.rigids.driven(), k.ramping(), k.drives.fastest()); v > 0 {
		sum += float64(drivenFactor * 2 * v * v * k.contactMass())
	}
	return sum
}
