package fracture

import (
	"math"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Contact transfer: a crack's law is contact and friction of its faces only while they
// are opposite each other. A crack that is broken transfers them to general
// contact, which finds other faces as well, as they part or slide:
//
//	g  1 |           ______    Psi = (1-g) Psi_crack + g Psi_contact
//	     |        .-'
//	     |      .'             r = |mean of the gaps at its ends| over its length
//	   0 |____.-'
//	     0   r_0     r_0+1/4   r_0 = 1/4, or r where it broke if that is more
//
// g follows from where the nodes are, so the two together have a potential:
// neither force nor energy jumps, nothing is carried along, and closing again
// before g is 1 takes the same way back. The force of dg/dr is (Psi_crack -
// Psi_contact)/(r L), some thousandth of the pressure. At g = 1 the faces have
// left each other for good.
const (
	// Opposite is the gap over length up to which broken faces have nothing to do with other
	// contact.
	Opposite      = 0.25
	transferStart = Opposite
	transferWidth = 0.25
	// separationStart is the gap over length from which on faces are apart: what is beside
	// them is found from its side.
	separationStart = 0.05
	rounding        = 0.999 // room for it
	// maxStretch is how much farther than the middle of its faces, over their length at first, an end
	// goes over their length now: faces turn and are pressed shorter.
	maxStretch = 1.3
)

// Step returns the share of the whole body's stable time step that the cracks of a region
// with edges of a length or more [m] leave at least, whatever breaks; 0 where nobody knows.
// Faces that slide carry something up to half their length, or a quarter beyond what breaks
// them; contact of what has broken has a stiffness of its own.
func (r *Region) Step(edge float64) float64 {
	reach := maxStretch * (max(transferStart, r.Law.Longest(softeningStart)/edge) + transferWidth)
	if reach > 1 {
		return 0
	}
	return cohesive.Step(r.Stiffness, reach)
}

// BlendOnly leaves out the force of dg/dr, as where two laws are only blended: what
// that costs is what a test compares the contact transfer with.
func (z *Zone) BlendOnly() { z.blendOnly = true }

// Separate finds, at positions x and the given time, which part of its faces each
// broken crack has transferred to contact. It comes before AddForces at the same positions.
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
		way, reach := length(gap), math.Sqrt(c.length2)
		r := way / reach
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
			slope := 6 * y * (1 - y) / (transferWidth * reach * way)
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

// detach tells that the faces of crack k have left each other.
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

// transferVector returns the gap of crack k by which its faces part: of soft joints that are shut
// the way along their faces only.
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

// Changed returns the edges of whose faces Separate has found something new: those that
// have broken since the last time, those that contact gets more of or less, and those
// that are apart now; after Restore all that are broken.
func (z *Zone) Changed() []int32 { return z.changed }

// ContactShare returns which part of the faces of an edge contact has, as Separate found it, and
// when they came apart [s], NaN where they have not.
func (z *Zone) ContactShare(edge int32) (part, apart float64) {
	if k := z.crackOf[edge]; k >= 0 {
		return z.cracks[k].contactShare, z.histories[k].separated
	}
	return 0, math.NaN()
}

// DilationRise returns by how much the faces of a joint with dilation have ridden up, the mean of
// both ends [m]; 0 of others.
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

// DetachedAtOnce returns when the faces of an edge have left each other [s], where they did
// so without contact transfer before, as those that swing open about an end do; NaN
// elsewhere.
func (z *Zone) DetachedAtOnce(edge int32) float64 {
	if k := z.crackOf[edge]; k >= 0 && z.cracks[k].detached && math.IsNaN(z.histories[k].transferGap) {
		return z.histories[k].detached
	}
	return math.NaN()
}

// SetContactEnergy tells the energy [J] that contact would store in the faces of an edge that is
// open, had it all of them.
func (z *Zone) SetContactEnergy(edge int32, energy float64) {
	z.histories[z.crackOf[edge]].contactEnergy = energy
}

// transferForce returns the force on each node of side B, and the opposite on those
// of A, that the contact transfer makes of the energies on both sides, of which the crack has
// stored so much [J], [N].
func (z *Zone) transferForce(k int32, stored float64) r2.Vec {
	c, of := &z.cracks[k], &z.histories[k]
	if !c.transferring || z.blendOnly {
		return r2.Vec{}
	}
	f := 0.5 * (stored - of.contactEnergy)
	return r2.Vec{X: f * of.slope.X, Y: f * of.slope.Y}
}
