package contactnodes

import (
	"math"

	"fdem/materials/contact"
)

// Event correction of leapfrog. If a contact spring k begins to press in the middle of a step, it
// is detected only at the end of that step, at a depth of s v dt with 0 <= s < 1. It then acts for
// the impulse of a whole step. By this the energy that leapfrog conserves for linear forces and a
// constant step,
//
//	S = T + U - dt^2/8 sum F^2/m,
//
// loses k v^2 dt^2 (s - s^2)/2. It gains that back at separation, but with another s, and with
// another v if a part of the motion has become vibration. The mean of T + U over a vibration is S
// plus 1/8 (omega dt)^2 of the energy of the vibration. S loses k v^2 dt^2/12 on average, so T + U
// falls by 1/24 (omega dt)^2 of the energy that becomes vibration. With
//
//	p = k d + k |v| dt (meanLoss - s/2 + s^2/2)
//
// during contact that began in the last step, or will end in the next one, S loses k v^2 dt^2
// meanLoss for any s. With meanLoss = 1/16 this equals the part of T + U beyond S in vibrations. So
// T + U is conserved, also with a step that changes slowly.
//
// Rigid bodies have no vibrations. For straight edges of two rigid bodies the correction conserves
// S, and so T + U after separation, with any friction. Without it a row of dominoes lost 1e-3 of
// its energy in about a hundred impacts, with a step that was otherwise short enough.

// meanLoss is the loss of S at a first contact divided by k v^2 dt^2, except for rigid bodies.
const meanLoss = 1.0 / 16

// Elastic tells whether the contact dissipates no energy: a linear law without a dashpot or
// friction. Such contacts have the correction.
func (c *Contact) Elastic() bool {
	return c.springs() && !c.Friction.Acts() && c.Rolling == 0
}

// springs tells whether the law is linear and has no dashpot.
func (c *Contact) springs() bool {
	_, linear := c.Law.(contact.Linear)
	return linear && c.damping == 0
}

// correctKicks adds the correction to the pressures of the contact points, for steps dt [s]. The
// law's own pressures are in lawPressures, for the ledger; it is nil if they are the same.
func (c *Contact) correctKicks(dt float64) {
	c.lawPressures = nil
	if dt == 0 || c.Static || len(c.withOffset) > 0 || !c.Elastic() {
		return
	}
	n, k := &c.points, c.Law.(contact.Linear).K
	c.uncorrected = append(c.uncorrected[:0], n.p...)
	for j := range n.pairs {
		m := &n.pairs[j]
		half, base := c.layouts[c.layoutOf[m.element]].half, m.element*int32(c.Nodes)
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			if t.repeated {
				n.p[i] = n.p[i-1]
				continue
			}
			displacement := math.Abs(n.rate[i]) / t.forceSum * dt // in a step, towards or away from the edge
			depth, spread := n.d[i]*t.forceSum/t.coveredSum, float64(math.Abs(m.changeOfDepth())*half[t.id-base]*t.coveredSum)
			if low := max(0, depth-spread); low < displacement {
				n.p[i] += float64(k * displacement * t.coveredSum / t.forceSum * kickCorrection(meanLoss, low/displacement, (depth+spread)/displacement))
				c.lawPressures = c.uncorrected
			}
		}
	}
}

// kickCorrection returns the mean of loss - s/2 + s^2/2 over a strip. The depth varies linearly
// from lo to hi, in units of the displacement in a step, with lo < 1. Depths above 1 add nothing.
func kickCorrection(loss, lo, hi float64) float64 {
	if hi-lo < 1e-6 {
		return loss - float64(0.5*lo*(1-lo))
	}
	integral := func(s float64) float64 { return float64(s * (loss - float64(s*(0.25-s/6)))) }
	return (integral(min(1, hi)) - integral(lo)) / (hi - lo)
}

// lawPressure returns the law's pressure of contact point i, without the correction [Pa].
func (c *Contact) lawPressure(i int) float64 {
	if c.lawPressures != nil {
		return c.lawPressures[i]
	}
	return c.points.p[i]
}
