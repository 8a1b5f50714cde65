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
	// apartStart is the gap over length from which on faces are apart: what is beside
	// them is found from its side.
	apartStart = 0.05
	rounding   = 0.999 // room for it
	// turning is how much farther than the middle of its faces, over their length at first, an end
	// goes over their length now: faces turn and are pressed shorter.
	turning = 1.3
)

// Step returns the share of the whole body's stable time step that the cracks of a region
// with edges of a length or more [m] leave at least, whatever breaks; 0 where nobody knows.
// Faces that slide carry something up to half their length, or a quarter beyond what breaks
// them; contact of what has broken has a stiffness of its own.
func (r *Region) Step(edge float64) float64 {
	reach := turning * (max(transferStart, r.Law.Longest(softeningStart)/edge) + transferWidth)
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
	z.split(len(z.broken) >= fewCracks, z.doSeparate)
	z.parted = z.parted[:0]
	for i := range z.pullers {
		z.parted = append(z.parted, z.pullers[i].parted...)
	}
}

// takeApart is a worker's part of Separate.
func (z *Zone) takeApart(worker int) {
	p := &z.pullers[worker]
	p.parted = p.parted[:0]
	first, end := z.portion(worker, len(z.broken))
	for _, k := range z.broken[first:end] {
		c := &z.cracks[k]
		gap := z.parting(k)
		if float64(gap.X*gap.X)+float64(gap.Y*gap.Y) < c.unchanged2 {
			continue
		}
		p.parted = append(p.parted, c.edge)
		if c.left {
			continue
		}
		of := &z.fates[k]
		of.met = 0
		way, reach := length(gap), math.Sqrt(c.length2)
		r := way / reach
		if r > apartStart && math.IsNaN(of.apart) {
			of.apart = z.time
		}
		if math.IsNaN(of.parting) {
			of.parting = max(transferStart, r)
		}
		y := float64((r - of.parting) / transferWidth)
		c.transferring = y > 0 && y < 1
		switch {
		case y >= 1:
			z.leave(k)
		case y > 0:
			c.part = y * y * (3 - float64(2*y))
			slope := 6 * y * (1 - y) / (transferWidth * reach * way)
			of.slope = r2.Vec{X: slope * gap.X, Y: slope * gap.Y}
		default:
			c.part = 0
		}
		c.unchanged2 = 0
		if !c.transferring {
			next := of.parting
			if math.IsNaN(of.apart) {
				next = apartStart
			}
			c.unchanged2 = rounding * float64(next*next) * c.length2
		}
		z.settle(k)
	}
}

// leave tells that the faces of crack k have left each other.
func (z *Zone) leave(k int32) {
	c := &z.cracks[k]
	c.left, c.part, z.fates[k].left = true, 1, z.time
	z.settle(k)
	for i := range c.node {
		z.setForce(k, i, r2.Vec{})
	}
	if of := &z.fates[k]; math.IsNaN(of.apart) {
		of.apart = z.time
	}
}

// parting returns the gap of crack k by which its faces part: of soft joints that are shut
// the way along their faces only.
func (z *Zone) parting(k int32) r2.Vec {
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

// Parted returns the edges of whose faces Separate has found something new: those that
// have broken since the last time, those that contact gets more of or less, and those
// that are apart now; after Restore all that are broken.
func (z *Zone) Parted() []int32 { return z.parted }

// Part returns which part of the faces of an edge contact has, as Separate found it, and
// when they came apart [s], NaN where they have not.
func (z *Zone) Part(edge int32) (part, apart float64) {
	if k := z.crackOf[edge]; k >= 0 {
		return z.cracks[k].part, z.fates[k].apart
	}
	return 0, math.NaN()
}

// Risen returns by how much the faces of a joint with dilation have ridden up, the mean of
// both ends [m]; 0 of others.
func (z *Zone) Risen(edge int32) (rise float64) {
	k := z.crackOf[edge]
	if k < 0 || z.regions[z.cracks[k].region].Springs == nil {
		return 0
	}
	for end, open := range z.cracks[k].open {
		if open {
			mem := z.memory(k, end)
			rise += float64(0.5 * z.regions[z.cracks[k].region].Springs.Risen(&z.begun[2*int(k)+end], &mem))
		}
	}
	return rise
}

// LeftAtOnce returns when the faces of an edge have left each other [s], where they did
// so without contact transfer before, as those that swing open about an end do; NaN
// elsewhere.
func (z *Zone) LeftAtOnce(edge int32) float64 {
	if k := z.crackOf[edge]; k >= 0 && z.cracks[k].left && math.IsNaN(z.fates[k].parting) {
		return z.fates[k].left
	}
	return math.NaN()
}

// Meet tells the energy [J] that contact would store in the faces of an edge that is
// open, had it all of them.
func (z *Zone) Meet(edge int32, energy float64) { z.fates[z.crackOf[edge]].met = energy }

// transferForce returns the force on each node of side B, and the opposite on those
// of A, that the contact transfer makes of the energies on both sides, of which the crack has
// stored so much [J], [N].
func (z *Zone) transferForce(k int32, stored float64) r2.Vec {
	c, of := &z.cracks[k], &z.fates[k]
	if !c.transferring || z.blendOnly {
		return r2.Vec{}
	}
	f := 0.5 * (stored - of.met)
	return r2.Vec{X: f * of.slope.X, Y: f * of.slope.Y}
}
