package solver

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Limits of the time step by rigid bodies.

// rigidStepFactor is the stable step over the step with contact of rigid bodies. Nothing else in
// such a body stores energy, so the energy error of leapfrog is that of the contact. It is less for
// straight edges of rigid bodies, where strips give the touching part and contacts are predicted,
// and 1 once they have come to rest, since then there is no motion with an energy error.
const (
	rigidStepFactor    = 8
	straightStepFactor = 2
	restPart           = 1e-5 // of the greatest kinetic energy, up to which all bodies are at rest
)

// stepFactor returns the current factor.
func (k *rigids) stepFactor() float64 {
	if !k.straight {
		return rigidStepFactor
	}
	moves := 0.0
	for i := range k.list {
		r := &k.list[i]
		moves += r.kinetic(r.RigidMotion.Velocity, r.RigidMotion.Spin)
	}
	if rest := restPart * k.Moving; moves < straightStepFactor*straightStepFactor*rest {
		return math.Sqrt(max(1, moves/rest))
	}
	return straightStepFactor
}

func (k *rigids) bound(b *bounds) {
	factor := k.stepFactor()
	var by closing
	if k.straight {
		k.addStiffness()
	} else {
		by = k.clear.closing()
	}
	for i := range k.list {
		r := &k.list[i]
		cause := Cause{atBody, int32(i)}
		if !k.straight && r.firstStep < b.step.of {
			component := int(k.Mesh.Edges[r.body.FirstEdge].Component)
			b.step.lower(max(r.firstStep, k.clear.timeToContact(component, by)), Cause{What: "first touch of rigid bodies"})
		}
		var stiffness, damping float64
		if k.straight {
			stiffness = contactnodes.GreatestFrequency(&r.stiffness, r.inverse, r.inverseInertia)
			damping = contactnodes.GreatestFrequency(&r.damping, r.inverse, r.inverseInertia)
		} else {
			stiffness, damping = r.total(&k.contact)
		}
		b.stiffness.raise(factor*factor*stiffness, cause)
		b.damping.raise(factor*damping, cause)
	}
}

// addStiffness sums the stiffness of contact against the freedoms of each body. Two bodies in
// contact share the stiffness by their masses, so that two bodies without other contacts each have
// the frequency of the pair.
func (k *rigids) addStiffness() {
	for i := range k.list {
		k.list[i].stiffness, k.list[i].damping = [6]float64{}, [6]float64{}
	}
	for _, c := range k.Surfaces {
		for i := range c.RigidStiffness {
			p := &c.RigidStiffness[i]
			of := [2]*rigid{&k.list[k.ofComponent[p.Components[0]]], &k.list[k.ofComponent[p.Components[1]]]}
			for j, r := range of {
				if r.inverse > 0 {
					p.On(&r.stiffness, &r.damping, r.RigidMotion.Centre, 1+of[1-j].inverse/r.inverse)
				}
			}
		}
	}
}

// allStraight tells whether all free rigid bodies have straight edges and meet only such bodies.
func (k *rigids) allStraight() bool {
	if len(k.Volumes) > 0 { // it presses on them, too
		return false
	}
	for i := range k.Surfaces {
		c := k.Surfaces[i]
		if _, linear := c.Law.(contact.Linear); !linear || !c.Corners {
			return false
		}
		for _, list := range [2][]int32{c.Contactor, c.Opposite} {
			for _, e := range list {
				if c.Rigid[e] == contactnodes.Deformable || k.Mesh.Edges[e].Radius != 0 {
					return false
				}
			}
		}
	}
	return true
}

// where names the body.
func (k *rigids) where(by Cause) string {
	if by.What != atBody {
		return ""
	}
	return k.list[by.At].Name
}

// total returns the sum over the body's nodes of the contact's stiffness over the
// mass that it moves, which bounds the squared frequency [1/s2], and so for its
// damping [1/s].
func (r *rigid) total(of *contactnodes.Forces) (stiffness, damping float64) {
	if r.inverse > 0 {
		for k, n := range r.nodes {
			on, mobility := of.At(n), r.mobility(k)
			stiffness += float64(on.Stiffness * mobility)
			damping += float64(on.Damping * mobility)
		}
	}
	return stiffness, damping
}

// limitFirstContact finds the longest step of free rigid bodies into their first contact: nothing
// else limits the step while they fly. alone tells whether only contacts of edges act on them.
func (k *rigids) limitFirstContact(alone bool) {
	k.straight = alone && k.allStraight()
	omega2 := make([]float64, len(k.list)) // of the stiffest touch of each [1/s2]
	for _, c := range k.Surfaces {
		tangent := contact.NewNode(c.Law).Try(0.01*k.outlines.shallow, 0).K
		for i := range k.list {
			r := &k.list[i]
			if r.inverse == 0 || !r.touches(c) {
				continue
			}
			for e := r.body.FirstEdge; e < r.body.EndEdge; e++ {
				edge := k.Mesh.Edges[e]
				l := elementary.Norm(r2.Sub(k.Mesh.X[edge.B], k.Mesh.X[edge.A]))
				j := edge.A - r.nodes[0] // an outline's nodes follow one another
				omega2[i] = max(omega2[i], 2*c.Friction.Stiffest(tangent)*l*k.Thickness*r.mobility(int(j)))
			}
		}
	}
	for _, c := range k.Volumes {
		for i := range k.list {
			r := &k.list[i]
			if r.inverse == 0 {
				continue
			}
			component := k.Mesh.Edges[r.body.FirstEdge].Component
			for j := range r.nodes {
				omega2[i] = max(omega2[i], 2*c.FirstStiffness(component)*r.mobility(j))
			}
		}
	}
	for i := range k.list {
		k.list[i].firstStep = k.Safety * 2 / (rigidStepFactor * math.Sqrt(omega2[i]))
		k.firstStep = min(k.firstStep, k.list[i].firstStep)
	}
}

// touches tells whether the body belongs to a contact.
func (r *rigid) touches(c *contactnodes.Contact) bool {
	for e := int32(r.body.FirstEdge); e < int32(r.body.EndEdge); e++ {
		_, carries := slices.BinarySearch(c.Contactor, e)
		if _, opposite := slices.BinarySearch(c.Opposite, e); carries || opposite {
			return true
		}
	}
	return false
}
