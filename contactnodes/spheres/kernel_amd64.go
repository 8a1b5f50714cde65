package spheres

import (
	"math"

	"fdem/materials/contact"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C ../../fem/asm ./spheres -out ../../contactnodes/spheres/contactpoints_amd64.s -stubs ../../contactnodes/spheres/contactpoints_amd64.go -pkg spheres

// newKernel returns the fastest kernel of this machine, or the generic one.
func newKernel(plain bool) kernel {
	if x := &cpu.X86; plain || !x.HasAVX2 || !x.HasBMI1 || !x.HasBMI2 || !x.HasPOPCNT {
		return generic
	}
	return kernel{(*Spheres).findPointsVector, evalVector, (*Spheres).addForcesVector}
}

// findPointsVector is findPoints in assembly.
func (s *Spheres) findPointsVector(b *batch, q *contactPoints) {
	n := int(b.end - b.first)
	if n < lanes {
		s.findPoints(b, q)
		return
	}
	q.grow(n)
	if len(q.near) < n+lanes {
		q.near = make([]int32, n+lanes)
	}
	t, near := &s.slots, q.near
	q.n = findNearAVX2(&near[0], int(b.first), int(b.end), &t.pair[0].I, &t.reach[0].radii, &s.motion[0].x.X, &t.pairMemory[0].d, &t.awake[0])
	if q.n == 0 {
		return
	}
	for k := q.n; k%lanes > 0; k++ { // repeats the last one, without effect
		near[k] = near[q.n-1]
	}
	if measureAVX2(&q.points[0].slot, &near[0], (q.n+lanes-1)/lanes, &t.pair[0].I, &t.load[0], &s.motion[0].x.X, &t.pairMemory[0].d, &t.reach[0].radii, &q.d[0], &q.rate[0]) > 0 {
		q.dropMissed(t)
	}
}

// dropMissed removes the pairs that became candidates by rounding although they are
// not in contact.
func (q *contactPoints) dropMissed(t *slots) {
	n := q.n
	q.n = 0
	for k := range n {
		if q.d[k] <= 0 && t.pairMemory[q.points[k].slot].d <= 0 {
			continue
		}
		q.points[q.n], q.d[q.n], q.rate[q.n] = q.points[k], q.d[k], q.rate[k]
		q.n++
	}
}

// viscous is the parameters of a contact.Viscous for the kernel in assembly,
// each number once per lane. The assembly depends on the order of these fields.
type viscous struct {
	stiffness, slope, share, chi [lanes]float64 // K, N K, N+1 and Chi
	root                         [lanes]uint64  // all bits set if the spring's force goes with d^1.5
	unit                         [lanes]float64 // 1 if it goes with d
	separating, pushing          [lanes]uint64  // all bits set if the damper acts after the turn, and if no force pulls
}

// evalVector is eval with the law Viscous in assembly.
func evalVector(law contact.Law) func(contact.Input, contact.Output) {
	l, ok := law.(contact.Viscous)
	power := int(4 * l.M)
	if !ok || power != 0 && power != 1 && power != 2 && power != 4 || float64(power) != 4*l.M {
		return eval(law)
	}
	c := &viscous{}
	for i := range lanes {
		c.stiffness[i], c.slope[i], c.share[i], c.chi[i] = l.K, l.N*l.K, l.N+1, l.Chi
		if l.N == 1.5 {
			c.root[i] = math.MaxUint64
		} else {
			c.unit[i] = 1
		}
		if !l.ApproachOnly {
			c.separating[i] = math.MaxUint64
		}
		if !l.Raw {
			c.pushing[i] = math.MaxUint64
		}
	}
	return func(in contact.Input, out contact.Output) {
		if n := len(in.D); n >= lanes {
			viscousAVX2(n, &in.D[0], &in.Rate[0], &out.P[0], &out.K[0], &out.W[0], &c.stiffness[0], power)
			return
		}
		l.EvalSprung(in, out)
	}
}

// lanes is how many contact points the kernel in assembly evaluates at once.
const lanes = 4

// adding is the rule, the step and the sums of the kernel in assembly. The
// assembly depends on the order of these fields.
type adding struct {
	ratio, static, kinetic float64 // of the rule's friction
	last, halfLast         float64 // step [s]
	active                 int64
	done                   [lanes]float64 // work against normal forces and friction [J], sums of both forces [N]
	stored                 [lanes]float64 // by the law and by friction springs [J]
	compressed, restored   [lanes / 2]float64
	force, deflection      [lanes]float64 // peaks
}

// addForcesVector is addForces in assembly, for pairs of spheres that stick and do not
// resist rolling; others are left to Go.
func (s *Spheres) addForcesVector(rule *Rule, q *contactPoints, e *blockSums) {
	f := &rule.Friction
	if !f.Sticks() || rule.resistsRolling() {
		s.addForces(rule, q, 0, q.n, nil, e)
		return
	}
	for k := q.n; k%lanes > 0; k++ { // read, without effect
		q.points[k] = q.points[q.n-1]
	}
	ratio := f.Ratio
	if f.Kinetic <= 0 && f.Static <= 0 { // there is none
		ratio = 0
	}
	c := adding{
		ratio: ratio, static: f.Static, kinetic: f.Kinetic, last: s.pastStep, halfLast: 0.5 * s.pastStep,
		done: [lanes]float64{e.NormalWork, e.FrictionWork, e.Normal, e.Tangential}, stored: [lanes]float64{e.Stored, e.Spring},
		compressed: [lanes / 2]float64{e.Compressed.Impulse, e.Compressed.Work}, restored: [lanes / 2]float64{e.Restored.Impulse, e.Restored.Work},
	}
	addForcesAVX2(&q.points[0].slot, q.n, &s.slots.pairMemory[0].d, &s.load[0].force.X, &s.inertiaRatio[0],
		&q.d[0], &q.rate[0], &q.p[0], &q.k[0], &q.w[0], &c.ratio)
	e.NormalWork, e.FrictionWork, e.Normal, e.Tangential = c.done[0], c.done[1], c.done[2], c.done[3]
	e.Stored, e.Spring = c.stored[0], c.stored[1]
	e.Compressed.Impulse, e.Compressed.Work = c.compressed[0], c.compressed[1]
	e.Restored.Impulse, e.Restored.Work = c.restored[0], c.restored[1]
	e.Active += c.active
	for l := range lanes {
		e.PeakForce, e.PeakDeflection = max(e.PeakForce, c.force[l]), max(e.PeakDeflection, c.deflection[l])
	}
}
