package contactnodes

import (
	"slices"

	"fdem/contactnodes/coulomb"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Friction of the pairs of rigid bodies. All points of a rigid face slip by the same amount, so there
// is one friction for each patch: the touches of two bodies whose normals differ by less than
// patchAngle. It has one spring, and one limit, Coulomb's for the sum of the normal forces. Touches
// carry it in proportion to their normal forces. The spring keeps its greatest stiffness until the
// bodies separate: a face that lifts off at one end does not let go at the other.

// patchAngle is the cosine of the greatest angle between the normals of contact points of one
// patch.
const patchAngle = 0.9

// faceLoad is what a touch adds to its patch.
type faceLoad struct {
	a, b      int32   // components
	inward    r2.Vec  // from the first into the second one
	normal    float64 // [N]
	slip      float64 // [m/s]
	stiffness float64 // along the normal [N/m]
	mobility  float64 // [1/kg]
}

// facePatch is a patch at this evaluation.
type facePatch struct {
	PatchState
	normal    float64 // [N]
	slipped   float64 // sum of normal forces times slips [W]
	stiffness float64 // along the normal [N/m]
	ahead     float64 // the same now and in the next steps [N/m]
	mobility  float64 // [1/kg]
	before    int32   // index in the patches of the last step, -1 for none
}

// facePatches are the patches of an evaluation.
type facePatches struct {
	all    []facePatch
	of     chains    // of all
	last   chains    // of those of the last step
	taken  []bool    // per patch of the last step: it goes on
	force  []float64 // per connected component: normal force on it [N]
	loaded []int32   // components with an entry in force
	speeds coulomb.Speeds
}

// chains lists patches by the first of their two components, in their order.
type chains struct {
	first, end []int32 // per connected component, -1 for none
	next       []int32 // per patch
	used       []int32 // components with patches
}

// empty removes all patches.
func (c *chains) empty() {
	for _, p := range c.used {
		c.first[p] = -1
	}
	c.next, c.used = c.next[:0], c.used[:0]
}

// add adds the next patch, to those of a component.
func (c *chains) add(component int32) {
	at := int32(len(c.next))
	if c.next = append(c.next, -1); c.first[component] < 0 {
		c.first[component], c.used = at, append(c.used, component)
	} else {
		c.next[c.end[component]] = at
	}
	c.end[component] = at
}

func newChains(components int32) chains {
	return chains{first: slices.Repeat([]int32{-1}, int(components)), end: make([]int32, components)}
}

func newFacePatches(components int32) facePatches {
	return facePatches{of: newChains(components), last: newChains(components), force: make([]float64, components)}
}

// restart removes all patches. before are those of the last step.
func (k *facePatches) restart(before []PatchState) {
	k.all, k.taken, k.speeds = k.all[:0], k.taken[:0], coulomb.Speeds{}
	k.of.empty()
	k.last.empty()
	for i := range before {
		k.last.add(before[i].Components[0])
		k.taken = append(k.taken, false)
	}
}

// gather adds a touch to its patch, whose index it returns. before are the patches of the last step.
func (k *facePatches) gather(l *faceLoad, before []PatchState) int32 {
	if l.a > l.b {
		l.a, l.b, l.inward = l.b, l.a, r2.Vec{X: -l.inward.X, Y: -l.inward.Y}
	}
	at := k.patchOf([2]int32{l.a, l.b}, l.inward, before)
	p := &k.all[at]
	p.normal += l.normal
	p.slipped += float64(l.normal * l.slip)
	p.stiffness += l.stiffness
	p.mobility = max(p.mobility, l.mobility)
	return at
}

// patchOf returns the patch of two components for a normal, and makes it if there is none.
func (k *facePatches) patchOf(of [2]int32, inward r2.Vec, before []PatchState) int32 {
	for i := k.of.first[of[0]]; i >= 0; i = k.of.next[i] {
		if k.all[i].isOf(of, inward) {
			return i
		}
	}
	p := facePatch{PatchState: PatchState{Components: of, Inward: inward}, before: -1}
	for i := k.last.first[of[0]]; i >= 0; i = k.last.next[i] {
		if !k.taken[i] && before[i].isOf(of, inward) {
			p.before, k.taken[i] = i, true
			break
		}
	}
	k.of.add(of[0])
	k.all = append(k.all, p)
	return int32(len(k.all) - 1)
}

// isOf tells whether the patch is that of two components with about this normal.
func (p *PatchState) isOf(components [2]int32, inward r2.Vec) bool {
	return p.Components == components && elementary.Dot(p.Inward, inward) > patchAngle
}

// rub finds the friction of all patches after a step dt [s]. law is the stiffness of the law [Pa/m].
func (k *facePatches) rub(f *coulomb.Friction, law float64, before []PatchState, dt float64) {
	k.sumForces()
	for i := range k.all {
		p := &k.all[i]
		if p.normal > 0 {
			p.Slip = p.slipped / p.normal
		}
		if !f.Sticks() {
			var at coulomb.Speeds
			p.Stick.Friction, at = f.Regularised(p.normal, p.Slip, f.Kinetic*(p.normal*dt)*p.mobility)
			k.speeds.Raise(at)
			continue
		}
		k.hold(f, p, law, before, dt)
	}
}

// sumForces sums the normal forces on each component.
func (k *facePatches) sumForces() {
	for _, p := range k.loaded {
		k.force[p] = 0
	}
	k.loaded = k.loaded[:0]
	for i := range k.all {
		p := &k.all[i]
		for _, of := range p.Components {
			k.force[of] += p.normal
			k.loaded = append(k.loaded, of)
		}
	}
}

// hold finds the friction of a patch with a spring.
func (k *facePatches) hold(f *coulomb.Friction, p *facePatch, law float64, before []PatchState, dt float64) {
	var was coulomb.Stick
	if p.before >= 0 {
		was = before[p.before].Stick
	}
	brake := f.BrakeOf(p.normal, (k.force[p.Components[0]]+k.force[p.Components[1]])*p.mobility, p.Slip, dt)
	p.Stick = f.TryWhole(was, p.normal, max(f.SpringOf(p.stiffness, law), was.Stiffness), float64(p.Slip*dt), brake)
}

// part returns the friction of a touch with a normal force in a patch [N].
func (k *facePatches) part(of int32, normal float64) float64 {
	if p := &k.all[of]; p.normal > 0 {
		return p.Stick.Friction * (normal / p.normal)
	}
	return 0
}

// settle returns the patches to keep, in the place of those of the last step, the heat of that step
// [J] by the trapezoidal rule, and the change of the energy of the springs [J]. On a patch that has
// ended friction acts over the first half of the step, with about its last slip.
func (k *facePatches) settle(before []PatchState, dt float64) (kept []PatchState, heat, energy float64) {
	for i := range k.all {
		p := &k.all[i]
		was := 0.0
		if p.before >= 0 {
			q := &before[p.before]
			was = q.Stick.Friction
			energy -= q.Stick.Energy()
			q.Stick = coulomb.Stick{}
		}
		energy += p.Stick.Energy()
		heat -= float64(0.5 * (p.Stick.Friction + was) * p.Slip * dt)
	}
	for i := range before {
		q := &before[i]
		energy -= q.Stick.Energy()
		heat -= float64(0.5 * q.Stick.Friction * q.Slip * dt)
	}
	kept = before[:0]
	for i := range k.all {
		kept = append(kept, k.all[i].PatchState)
	}
	return kept, heat, energy
}
