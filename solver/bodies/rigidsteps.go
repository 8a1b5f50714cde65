package bodies

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/contactnodes/onnodes"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Limits of the time step by rigid bodies.

// rigidStepFactor is the stable step divided by the step for contact of rigid bodies. Only contact
// stores energy in such a body, so the energy error of leapfrog is the error of contact. The factor
// is smaller for straight edges of rigid bodies, because strips of contact are evaluated there and
// contact points are predicted. It is 1 once the bodies have come to rest, because without motion
// there is no energy error.
const (
	rigidStepFactor    = 8
	straightStepFactor = 2
	restPart           = 1e-5 // ratio of the kinetic energy to its greatest value, up to which all bodies are at rest
)

// stepFactor returns the current factor.
func (k *Rigids) stepFactor() float64 {
	if k.Relaxes {
		return 1
	}
	if !k.Straight {
		return rigidStepFactor
	}
	moves := 0.0
	for i := range k.List {
		r := &k.List[i]
		moves += r.kinetic(r.RigidMotion.Velocity, r.RigidMotion.Spin)
	}
	if rest := restPart * k.Moving; moves < straightStepFactor*straightStepFactor*rest {
		return math.Sqrt(max(1, moves/rest))
	}
	return straightStepFactor
}

func (k *Rigids) Bound(b *system.Bounds) {
	factor := k.stepFactor()
	var by Closing
	if k.Straight {
		k.addStiffness()
	} else {
		by = k.Clear.closing()
	}
	for i := range k.List {
		r := &k.List[i]
		cause := system.Cause{What: AtBody, At: int32(i)}
		if !k.Straight && !k.Relaxes && r.firstStep < b.Step.Of {
			component := int(k.Mesh.Edges[r.Body.FirstEdge].Component)
			b.Step.Lower(max(r.firstStep, k.Clear.timeToContact(component, by)), system.Cause{What: "first touch of rigid bodies"})
		}
		var stiffness, damping float64
		if k.Straight {
			stiffness = contactnodes.GreatestFrequency(&r.stiffness, r.Inverse, r.InverseInertia)
			damping = contactnodes.GreatestFrequency(&r.damping, r.Inverse, r.InverseInertia)
		} else {
			stiffness, damping = r.total(&k.Contact)
		}
		b.Stiffness.Raise(factor*factor*stiffness, cause)
		b.Damping.Raise(factor*damping, cause)
	}
}

// addStiffness sums the stiffness of contact for the degrees of freedom of each body. Two bodies in
// contact share the stiffness by their masses, so two bodies without other contacts both have the
// frequency of the pair.
func (k *Rigids) addStiffness() {
	for i := range k.List {
		k.List[i].stiffness, k.List[i].damping = [6]float64{}, [6]float64{}
	}
	for _, c := range k.Surfaces {
		for i := range c.RigidStiffness {
			p := &c.RigidStiffness[i]
			of := [2]*rigid{&k.List[k.ofComponent[p.Components[0]]], &k.List[k.ofComponent[p.Components[1]]]}
			for j, r := range of {
				if r.Inverse > 0 {
					p.On(&r.stiffness, &r.damping, r.RigidMotion.Centre, 1+of[1-j].Inverse/r.Inverse)
				}
			}
		}
	}
}

// allStraight tells whether all free rigid bodies have straight edges and contact only such bodies.
func (k *Rigids) allStraight() bool {
	if len(k.Volumes) > 0 { // volumetric contact acts on bodies, too
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

// Where names the body that limits the step.
func (k *Rigids) Where(by system.Cause) string {
	if by.What != AtBody {
		return ""
	}
	return k.List[by.At].Name
}

// total returns the sum over the body's nodes of the contact's stiffness divided by the mass that
// it moves. The sum bounds the squared frequency [1/s2]. It returns the same sum for the damping
// [1/s].
func (r *rigid) total(of *onnodes.Forces) (stiffness, damping float64) {
	if r.Inverse > 0 {
		for k, n := range r.Nodes {
			on, mobility := of.At(n), r.mobility(k)
			stiffness += float64(on.Stiffness * mobility)
			damping += float64(on.Damping * mobility)
		}
	}
	return stiffness, damping
}

// LimitFirstContact finds the longest step for the first contact of free rigid bodies. Nothing else
// limits the step while they fly. alone tells whether only contacts of edges act on them.
func (k *Rigids) LimitFirstContact(alone bool) {
	k.Straight = alone && k.allStraight()
	omega2 := make([]float64, len(k.List)) // of the stiffest contact point of each body [1/s2]
	for _, c := range k.Surfaces {
		tangent := contact.NewNode(c.Law).Try(0.01*k.outlines.Shallow, 0).K
		for i := range k.List {
			r := &k.List[i]
			if r.Inverse == 0 || !r.touches(c) {
				continue
			}
			for e := r.Body.FirstEdge; e < r.Body.EndEdge; e++ {
				edge := k.Mesh.Edges[e]
				l := elementary.Norm(r2.Sub(k.Mesh.X[edge.B], k.Mesh.X[edge.A]))
				j := edge.A - r.Nodes[0] // the nodes of an outline are consecutive
				omega2[i] = max(omega2[i], 2*c.Friction.Stiffest(tangent)*l*k.Thickness*r.mobility(int(j)))
			}
		}
	}
	for _, c := range k.Volumes {
		for i := range k.List {
			r := &k.List[i]
			if r.Inverse == 0 {
				continue
			}
			component := k.Mesh.Edges[r.Body.FirstEdge].Component
			for j := range r.Nodes {
				omega2[i] = max(omega2[i], 2*c.FirstStiffness(component)*r.mobility(j))
			}
		}
	}
	for i := range k.List {
		k.List[i].firstStep = k.Safety * 2 / (rigidStepFactor * math.Sqrt(omega2[i]))
		k.FirstStep = min(k.FirstStep, k.List[i].firstStep)
	}
}

// touches tells whether the body belongs to a contact.
func (r *rigid) touches(c *contactnodes.Contact) bool {
	for e := int32(r.Body.FirstEdge); e < int32(r.Body.EndEdge); e++ {
		_, carries := slices.BinarySearch(c.Contactor, e)
		if _, opposite := slices.BinarySearch(c.Opposite, e); carries || opposite {
			return true
		}
	}
	return false
}
