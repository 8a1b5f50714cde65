package fracture

import (
	"math"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contact transfer: the law of a crack gives contact and friction of its faces while they
// are opposite each other. As the faces of a broken crack separate or slide, they are
// transferred to general contact, which finds other faces as well:
//
//	g  1 |           ______    Psi = (1-g) Psi_crack + g Psi_contact
//	     |        .-'
//	     |      .'             r = |mean of the gaps at its ends| over its length
//	   0 |____.-'
//	     0   r_0     r_0+1/4   r_0 = 1/4, or r where it broke if that is more
//
// g depends on the positions of the nodes only, so both laws together have a potential:
// neither force nor energy jumps, and there is no memory. Faces that close again before g
// is 1 follow the same path back. The force of dg/dr is (Psi_crack - Psi_contact)/(r L),
// about a thousandth of the pressure. At g = 1 the faces are detached for good.
const (
	// Opposite is the ratio of gap to length up to which broken faces do not take part in general
	// contact.
	Opposite      = 0.25
	transferStart = Opposite
	transferWidth = 0.25
	// separationStart is the ratio of gap to length above which faces count as separated. Then
	// contact finds other bodies from their side.
	separationStart = 0.05
	rounding        = 0.999 // margin for unchanged2
	// maxStretch bounds the ratio of two displacements, that of an end relative to the present
	// length of its faces, and that of the middle relative to their initial length. Faces rotate
	// and are compressed.
	maxStretch = 1.3
)

// Step returns a lower bound of the stable time step with cracks of a region relative to that of
// the intact body, for edges of at least a length [m]. It returns 0 if no bound is known, as for a
// joint with a given stiffness. Sliding faces carry a load up to half their length, or a quarter
// beyond the slip at which they break. The contact of broken faces has its own stiffness.
func (r *Region) Step(edge float64) float64 {
	if r.Springs != nil {
		return 0
	}
	start := transferStart
	if longest := r.Law.Longest(softeningStart) / edge; longest > start { // not a number without strength
		start = longest
	}
	reach := maxStretch * (start + transferWidth)
	if reach > 1 {
		return 0
	}
	return cohesive.Step(r.Stiffness, reach)
}

// BlendOnly leaves out the force of dg/dr, as if the two laws were only blended. A test
// compares the contact transfer with that.
func (z *Zone) BlendOnly() { z.blendOnly = true }

// Separate finds which part of its faces each broken crack transfers to contact at
// positions x [m] and the given time [s]. Call it before AddForces at the same positions.
func (z *Zone) Separate(x []r2.Vec, time float64) {
	z.x, z.time = x, time
	z.parallel(len(z.broken) >= fewCracks, z.doSeparate)
	z.changed = z.changed[:0]
	for i := range z.workers {
		z.changed = append(z.changed, z.workers[i].changed...)
	}
}

// separateFaces is a worker's part of Separate.
func (z *Zone) separateFaces(worker int) {
	p := &z.workers[worker]
	p.changed = p.changed[:0]
	first, end := z.portion(worker, len(z.broken))
	for _, k := range z.broken[first:end] {
		c := &z.cracks[k]
		gap := z.transferVector(k)
		if float64(gap.X*gap.X)+float64(gap.Y*gap.Y) < c.unchanged2 {
			continue
		}
		p.changed = append(p.changed, c.edge)
		if c.detached {
			continue
		}
		of := &z.histories[k]
		of.contactEnergy = 0
		separation, reach := length(gap), math.Sqrt(c.length2)
		r := separation / reach
		if r > separationStart && math.IsNaN(of.separated) {
			of.separated = z.time
		}
		if math.IsNaN(of.transferGap) {
			of.transferGap = max(transferStart, r)
		}
		y := float64((r - of.transferGap) / transferWidth)
		c.transferring = y > 0 && y < 1
		switch {
		case y >= 1:
			z.detach(k)
		case y > 0:
			c.contactShare = y * y * (3 - float64(2*y))
			slope := 6 * y * (1 - y) / (transferWidth * reach * separation)
			of.slope = r2.Vec{X: slope * gap.X, Y: slope * gap.Y}
		default:
			c.contactShare = 0
		}
		c.unchanged2 = 0
		if !c.transferring {
			next := of.transferGap
			if math.IsNaN(of.separated) {
				next = separationStart
			}
			c.unchanged2 = rounding * float64(next*next) * c.length2
		}
		z.updateQuad(k)
	}
}

// detach marks the faces of crack k as detached: their law no longer gives a force.
func (z *Zone) detach(k int32) {
	c := &z.cracks[k]
	c.detached, c.contactShare, z.histories[k].detached = true, 1, z.time
	z.updateQuad(k)
	for i := range c.node {
		z.setForce(k, i, r2.Vec{})
	}
	if of := &z.histories[k]; math.IsNaN(of.separated) {
		of.separated = z.time
	}
}

// transferVector returns the gap of crack k that decides on its transfer [m]: the slip alone for a
// closed joint with springs.
func (z *Zone) transferVector(k int32) r2.Vec {
	c := &z.cracks[k]
	gap := c.gap(z.x)
	if z.regions[c.region].Springs == nil {
		return gap
	}
	n, t, _ := c.frame(z.x)
	if float64(gap.X*n.X)+float64(gap.Y*n.Y) < 0 {
		along := float64(gap.X*t.X) + float64(gap.Y*t.Y)
		return r2.Vec{X: along * t.X, Y: along * t.Y}
	}
	return gap
}

// gap returns the mean of the gaps at both ends of a crack, of B from A [m].
func (c *crack) gap(x []r2.Vec) r2.Vec {
	a0, a1, b0, b1 := x[c.node[0]], x[c.node[1]], x[c.node[2]], x[c.node[3]]
	return r2.Vec{X: 0.5 * ((b0.X - a0.X) + (b1.X - a1.X)), Y: 0.5 * ((b0.Y - a0.Y) + (b1.Y - a1.Y))}
}

// Changed returns the edges whose faces the last call of Separate has changed: edges that
// have broken since, edges whose share of contact has changed, and edges whose faces have
// separated. After Restore it returns all broken edges.
func (z *Zone) Changed() []int32 { return z.changed }

// ContactShare returns the part of the faces of an edge that Separate has transferred to contact,
// and the time at which they separated [s]; NaN where they have not.
func (z *Zone) ContactShare(edge int32) (part, separatedAt float64) {
	if k := z.crackOf[edge]; k >= 0 {
		return z.cracks[k].contactShare, z.histories[k].separated
	}
	return 0, math.NaN()
}

// DilationRise returns the opening of a joint by dilation, the mean of both ends [m]; 0 for
// other edges.
func (z *Zone) DilationRise(edge int32) (rise float64) {
	k := z.crackOf[edge]
	if k < 0 || z.regions[z.cracks[k].region].Springs == nil {
		return 0
	}
	for end, open := range z.cracks[k].open {
		if open {
			mem := z.memory(k, end)
			rise += float64(0.5 * z.regions[z.cracks[k].region].Springs.DilationRise(&z.constants[2*int(k)+end], &mem))
		}
	}
	return rise
}

// DetachedAtOnce returns when the faces of an edge became detached [s], where that happened
// without a gradual contact transfer, as for faces that rotate open about an end; NaN
// elsewhere.
func (z *Zone) DetachedAtOnce(edge int32) float64 {
	if k := z.crackOf[edge]; k >= 0 && z.cracks[k].detached && math.IsNaN(z.histories[k].transferGap) {
		return z.histories[k].detached
	}
	return math.NaN()
}

// SetContactEnergy sets the energy [J] that contact would store in the faces of an open edge
// if it had all of them.
func (z *Zone) SetContactEnergy(edge int32, energy float64) {
	z.histories[z.crackOf[edge]].contactEnergy = energy
}

// transferForce returns the force of dg/dr on each node of side B [N]; nodes of side A get the
// opposite. The crack stores the given energy [J].
func (z *Zone) transferForce(k int32, stored float64) r2.Vec {
	c, of := &z.cracks[k], &z.histories[k]
	if !c.transferring || z.blendOnly {
		return r2.Vec{}
	}
	f := 0.5 * (stored - of.contactEnergy)
	return r2.Vec{X: f * of.slope.X, Y: f * of.slope.Y}
}
