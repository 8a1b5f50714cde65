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
	mobility  float64 // [1/kg]
	before    int32   // index in the patches of the last step, -1 for none
}

// facePatches are the patches of an evaluation.
type facePatches struct {
	all    []facePatch
	force  []float64 // per connected component: normal force on it [N]
	loaded []int32   // components with an entry in force
	speeds coulomb.Speeds
}

// restart removes all patches.
func (k *facePatches) restart() { k.all, k.speeds = k.all[:0], coulomb.Speeds{} }

// gather adds a touch to its patch, whose index it returns. before are the patches of the last step.
func (k *facePatches) gather(l faceLoad, before []PatchState) int32 {
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
	for i := range k.all {
		if p := &k.all[i]; p.Components == of && elementary.Dot(p.Inward, inward) > patchAngle {
			return int32(i)
		}
	}
	p := facePatch{PatchState: PatchState{Components: of, Inward: inward}, before: -1}
	for i := range before {
		taken := func(p facePatch) bool { return p.before == int32(i) }
		if q := &before[i]; q.Components == of && elementary.Dot(q.Inward, inward) > patchAngle && !slices.ContainsFunc(k.all, taken) {
			p.before = int32(i)
			break
		}
	}
	k.all = append(k.all, p)
	return int32(len(k.all) - 1)
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
	brake := 0.0
	if eased := float64((k.force[p.Components[0]] + k.force[p.Components[1]]) * p.mobility); f.Brake > 0 && dt > 0 && eased > 0 {
		brake = -f.Brake * (p.normal / eased) * (p.Slip / dt)
	}
	spring := f.Ratio * p.stiffness
	if f.Ratio == 0 { // per area
		spring = f.Stiffness * p.stiffness / law
	}
	p.Stick = f.TryWhole(was, p.normal, max(spring, was.Stiffness), float64(p.Slip*dt), brake)
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
