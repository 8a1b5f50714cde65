package solver

import (
	"math"
	"slices"

	"fdem/solver/nodes"
	"fdem/solver/processes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

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
	system.View
	*State
	*stepLimits
	fast           []system.Fast
	roundingEnergy float64 // energy that rounding of the nodes' positions may create in each step [J]
}

func newEnergyBalance(of system.View, state *State, limits *stepLimits) *energyBalance {
	k := &energyBalance{View: of, State: state, stepLimits: limits, fast: slices.Collect(system.All[system.Fast](limits.kinds.systems))}
	k.roundingEnergy = k.positionEnergy()
	return k
}

// watch updates the energy balance of contact up to Time, with its effect on nodes. It tells
// whether the ledger must be checked now.
func (k *energyBalance) watch(of system.Acts) bool {
	w := &k.Ledger.Watch
	if k.N > 0 {
		w.Made += (k.contacts.Done + w.HalfWork) + float64(0.5*k.Last*of.Power)
	}
	w.HalfWork = 0
	warned := math.Abs(w.Made + float64(0.125*k.Last*k.Last*of.Kick))
	level := max(warnGrowth*w.Threshold, k.ResidualLimit*max(k.yardstick(), k.RoundingNoise))
	return w.Over > 0 || !(warned <= level) || !(k.Speed2() <= speedGrowth*w.Fastest)
}

// beginContactAccount starts the contact account of the next step.
func (k *energyBalance) beginContactAccount() {
	k.Ledger.Watch.HalfWork = float64(0.5*k.Last*k.contacts.PowerOf()) - k.contacts.Done
}

// audit checks the ledger when the watch needs it, at intervals, and at the end, where dt is 0.
func (k *energyBalance) audit(dt float64) error {
	last := dt == 0
	if k.watch(k.limits.Contact) || k.N%processes.CheckEvery == 0 || last {
		return k.check(last)
	}
	return nil
}

// updateWatch stores the values of the watch at a check of the whole ledger.
func (k *energyBalance) updateWatch() {
	w := &k.Ledger.Watch
	w.Threshold = max(w.Threshold, math.Abs(w.Made+float64(0.125*k.Last*k.Last*k.contacts.Act().Kick)))
	w.Fastest = max(w.Fastest, k.Speed2())
}

// Speed2 returns the square of the greatest speed of an outline node, a rigid body's centre or a
// particle [m2/s2].
func (k *energyBalance) Speed2() float64 {
	most := 0.0
	for _, k := range k.fast {
		most = max(most, k.Speed2())
	}
	return most
}

// ContactMass returns the mass on which contact acts now [kg].
func (k *energyBalance) ContactMass() float64 {
	sum := 0.0
	for k := range system.All[system.Massed](k.kinds.systems) {
		sum += k.ContactMass()
	}
	return sum
}

// outsideEnergy returns the greater of the energies that all external work has added and removed so
// far [J]. For example a load that is slowly lowered does work, and a drive takes it, although
// little energy is stored meanwhile.
func (k *energyBalance) outsideEnergy() float64 {
	_, in, out := k.weight.Total()
	account := func(w float64) {
		if w > 0 {
			in += w
		} else {
			out -= w
		}
	}
	k.Ledger.EachSource(func(_ string, w float64) { account(w) })
	k.Ramps(account)
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
	for _, l := range k.loads.List {
		for i, count := 0, 0; i < len(l.LoadNodes); i += count {
			var f r2.Vec
			f, count = l.At(k.Field, l.LoadForce, i)
			w := k.Inverse(k.Mesh.PositionNode(l.LoadNodes[i]))
			sum += float64(0.5 * dt * dt * (float64(w.X*f.X*f.X) + float64(w.Y*f.Y*f.Y)))
		}
		for i, m := range l.LoadMoment {
			turns := 0.0
			if !l.OnRigid {
				turns = k.InverseInertia(nodes.Vertex(l.LoadNodes[i]))
			} else if of := &k.Rigids[l.Rigid]; of.Mass > 0 {
				turns = 1 / of.Inertia
			}
			sum += float64(0.5 * dt * dt * turns * m * m)
		}
	}
	sum += k.fluids.OneStepEnergy(dt)
	if g := k.Model.Gravity; g != (r2.Vec{}) { // full gravity, since a schedule that begins at zero would leave only rounding as the measure
		sum += float64(0.5 * dt * dt * k.weights().Mass * (float64(g.X*g.X) + float64(g.Y*g.Y)))
	}
	if v := max(k.rigids.IsDriven(), k.drives.Fastest()); v > 0 {
		sum += float64(drivenFactor * 2 * v * v * k.ContactMass())
	}
	return sum
}

// rampEnergy returns the same for the bodies that an overlap throws off while it is ramped in [J].
// A ramp ends, and the work of what it began is all that there is afterwards: so this energy counts
// only as long as the ramp lasts.
func (k *energyBalance) rampEnergy() float64 {
	v := 0.0
	if k.Static == nil {
		v = k.ramping()
	}
	if v == 0 {
		return 0
	}
	return drivenFactor * 2 * v * v * k.ContactMass()
}

// yardstick returns the energy by which the residual is judged [J].
func (k *energyBalance) yardstick() float64 {
	return max(k.Ledger.Entered, k.Ledger.OneStep, k.rampEnergy())
}
