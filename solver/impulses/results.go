package impulses

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
	"fdem/solver/quantity"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// AddEnergies adds the energies of the contacts.
func (k *Contacts) AddEnergies(e *system.Energies) {
	e.FrictionDissipated += k.heat
	e.ContactDissipated += k.Impact
	e.DampingDissipated += k.damped
	e.ImpactLoss += k.Impact
	e.SolverError += k.solver
	e.PositionError += k.pushed
}

// Dissipates tells that the contacts take energy.
func (k *Contacts) Dissipates() bool { return true }

// ListsMade returns the number of neighbour lists.
func (k *Contacts) ListsMade() int { return k.near.rebuilt }

// Advice returns where a user should look if the energy balance does not close, "" for nowhere.
func (k *Contacts) Advice() string {
	var hardest *manifold
	most := 0.0
	for i := range k.near.list {
		m := &k.near.list[i]
		if p := max(m.normal[0], m.normal[1]); p > most {
			hardest, most = m, p
		}
	}
	if hardest == nil {
		return ""
	}
	name := func(i int) string { return k.bodies.List[k.parts[hardest.parts[i]].body].Name }
	return fmt.Sprintf("; the greatest impulse, %.3g N s, is between %q and %q: rigid bodies cannot yield where a drive presses them against what is fixed or driven", most, name(0), name(1))
}

// ContactForces appends the contacts with their mean forces in the last step.
func (k *Contacts) ContactForces(out []system.ContactForce) []system.ContactForce {
	active := make([]int, len(k.of))
	for i := range k.near.list {
		m := &k.near.list[i]
		for j := range m.count {
			if m.normal[j] > 0 {
				active[m.contact]++
			}
		}
	}
	for i := range k.of {
		l := k.loads[loadWidth*i:][:loadWidth]
		out = append(out, system.ContactForce{
			Name: k.of[i].Name, Impulses: true, Active: active[i], Normal: l[0], Tangential: l[1], PeakImpulse: k.peakImpulse[i], PeakDeflection: k.Deepest[i],
			Surfaces: true, Push: r2.Vec{X: l[2], Y: l[3]}, Moment: l[4], Dissipated: k.dissipated[i],
		})
	}
	return out
}

// EachContact calls the function with the mean forces of every contact in the last step.
func (k *Contacts) EachContact(each func(system.ContactLoad)) {
	for i := range k.of {
		l := k.loads[loadWidth*i:][:loadWidth]
		each(system.ContactLoad{Name: k.of[i].Name, Surfaces: true, Normal: l[0], Tangential: l[1], Push: r2.Vec{X: l[2], Y: l[3]}, Moment: l[4]})
	}
}

var ofUnconverged = quantity.Must(quantity.Run, "unconverged_steps")

// Columns calls the function with the columns of the history that the contacts have.
func (k *Contacts) Columns(each func(c quantity.Column, v float64)) {
	if !k.Empty() {
		each(quantity.Column{Quantity: ofUnconverged}, float64(k.Unconverged))
	}
}

// keyWidth is the number of integers that name the contact points of a manifold: two parts, their
// number with whether the reference is on the second part and which were calm, and two features.
const keyWidth = 5

// valueWidth is the number of impulses of a manifold: two normal, two tangential, and that of rolling.
const valueWidth = 5

// StateParts lists the state.
func (k *Contacts) StateParts() []system.Part {
	k.keys, k.values = k.keys[:0], k.values[:0]
	for i := range k.near.list {
		m := &k.near.list[i]
		if m.count == 0 {
			continue
		}
		count := int32(m.count)
		for bit, set := range [3]bool{m.swapped, m.calm[0], m.calm[1]} {
			if set {
				count += 4 << bit
			}
		}
		k.keys = append(k.keys, m.parts[0], m.parts[1], count, m.id[0], m.id[1])
		k.values = append(k.values, m.normal[0], m.normal[1], m.tangent[0], m.tangent[1], m.roll)
	}
	return append(k.ledgerState.parts(), []system.Part{
		{Name: "impulses.angles", Values: k.Angles}, {Name: "impulses.loads", Values: k.loads}, {Name: "impulses.pressed", Values: k.pressed},
		{Name: "impulses.peak", Values: k.peakImpulse}, {Name: "impulses.deepest", Values: k.Deepest}, {Name: "impulses.dissipated", Values: k.dissipated},
		{Name: "impulses.unconverged", Values: &k.Unconverged}, {Name: "impulses.natural", Values: &k.natural},
		{Name: "impulses.pattern", Values: &k.pattern}, {Name: "impulses.ordered", Values: &k.ordered},
		{Name: "impulses.keys", Values: &k.keys}, {Name: "impulses.values", Values: &k.values},
	}...)
}

// Recompute makes the manifolds of a restored state. It fails for a state that no run can have.
func (k *Contacts) Recompute() error {
	n := &k.near
	n.list, n.centre = n.list[:0], nil // the next step makes the list anew
	if len(k.keys)%keyWidth != 0 || len(k.values)*keyWidth != valueWidth*len(k.keys) {
		return fmt.Errorf("%d numbers and %d values of contact points do not belong together", len(k.keys), len(k.values))
	}
	for i := 0; i*keyWidth < len(k.keys); i++ {
		key, v := k.keys[keyWidth*i:], k.values[valueWidth*i:]
		m := manifold{parts: [2]int32{key[0], key[1]}, count: int8(key[2] & 3), swapped: key[2]&4 != 0, calm: [2]bool{key[2]&8 != 0, key[2]&16 != 0}, id: [2]int32{key[3], key[4]}, normal: [2]float64{v[0], v[1]}, tangent: [2]float64{v[2], v[3]}, roll: v[4]}
		if m.parts[0] < 0 || m.parts[0] >= m.parts[1] || int(m.parts[1]) >= len(k.parts) || m.count < 1 || m.count > 2 {
			return fmt.Errorf("contact points of the parts %d and %d of %d cannot be", m.parts[0], m.parts[1], len(k.parts))
		}
		if m.contact = k.contactOf(k.parts[m.parts[0]].body, k.parts[m.parts[1]].body); m.contact < 0 {
			continue
		}
		n.list = append(n.list, m)
	}
	return nil
}

// present calls the function with every contact point at Time that carries a force, with the impulses of
// the last step. It changes no state.
func (k *Contacts) present(each func(p *point)) {
	if k.Last == 0 {
		return
	}
	for i := range k.bodies.List {
		m := k.bodies.List[i].RigidMotion
		k.shapes.place(i, m.Centre, m.Angle)
	}
	margin := k.reach(k.Last)
	k.findPairs(margin)
	k.near.buffer = append(k.near.buffer[:0], k.near.list...)
	k.findPoints(margin)
	k.near.list, k.near.buffer = k.near.buffer, k.near.list
	for i := range k.points {
		if p := &k.points[i]; p.pn > 0 {
			each(p)
		}
	}
}

// force returns the mean force on the second body in a step of length dt [s].
func (p *point) force(dt float64) r2.Vec {
	n, t := p.pn/dt, p.pt/dt
	return r2.Vec{X: float64(n*p.n.X) + float64(t*p.n.Y), Y: float64(n*p.n.Y) - float64(t*p.n.X)}
}

// AddTo adds the mean forces of contact in the last step to forces per node [N]: those of a contact
// point to the two nodes of the edge on which it lies.
func (k *Contacts) AddTo(force []r2.Vec) {
	k.present(func(p *point) {
		f, at := p.force(k.Last), r2.Add(k.centre(p.a), p.ra)
		k.share(force, p.a, at, r2.Scale(-1, f))
		k.share(force, p.b, at, f)
	})
}

// share adds a force at a position to the nodes of the nearest edge of a body.
func (k *Contacts) share(force []r2.Vec, body int32, at, f r2.Vec) {
	b := k.bodies.List[body].Body
	best, least, part := b.FirstEdge, math.Inf(1), 0.0
	for i := b.FirstEdge; i < b.EndEdge; i++ {
		e := &k.Mesh.Edges[i]
		a, t := k.X[e.A], r2.Sub(k.X[e.B], k.X[e.A])
		s := min(max(elementary.Dot(r2.Sub(at, a), t)/elementary.Dot(t, t), 0), 1)
		if d := elementary.Norm(r2.Sub(at, elementary.Along(a, t, s))); d < least {
			best, least, part = i, d, s
		}
	}
	e := &k.Mesh.Edges[best]
	force[e.A] = elementary.Along(force[e.A], f, 1-part)
	force[e.B] = elementary.Along(force[e.B], f, part)
}
