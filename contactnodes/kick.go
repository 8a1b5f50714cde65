package contactnodes

import (
	"math"

	"fdem/materials/contact"
)

// Event correction of leapfrog. A spring k that begins to press in the middle of a step is detected
// at the end of that step only, s v dt deep with 0 <= s < 1, and then acts for a whole kick. The
// energy that leapfrog keeps for linear forces and a constant step,
//
//	S = T + U - dt^2/8 sum F^2/m,
//
// loses k v^2 dt^2 (s - s^2)/2 by this, and gains it back at separation, but with another s, and
// with another v if a part of the motion has become vibration. The mean of T + U over a vibration
// is S plus 1/8 (omega dt)^2 of the energy of the vibration. S loses k v^2 dt^2/12 in the mean, so
// T + U falls by 1/24 (omega dt)^2 of the energy that goes into vibrations. With
//
//	p = k d + k |v| dt (meanLoss - s/2 + s^2/2)
//
// over contact that began in the last step, or will end in the next one, S loses k v^2 dt^2
// meanLoss for any s. For meanLoss = 1/16 this is the part of T + U beyond S in vibrations, so that
// T + U is kept, also with a step that changes slowly.
//
// Rigid bodies have no vibrations. Where straight edges of two rigid bodies meet, the correction
// keeps S, and so T + U after separation, for any friction. Without it a row of dominoes lost 1e-3
// of its energy by some hundred impacts, for any otherwise short step.

// meanLoss is the loss of S by a first contact over k v^2 dt^2, except for rigid bodies.
const meanLoss = 1.0 / 16

// Elastic tells whether the contact dissipates no energy: a linear law without a dashpot or
// friction. Such contacts have the correction.
func (c *Contact) Elastic() bool {
	return c.springs() && c.Friction.Kinetic == 0 && c.Friction.Static == 0
}

// springs tells whether the law is linear and has no dashpot.
func (c *Contact) springs() bool {
	_, linear := c.Law.(contact.Linear)
	return linear && c.damping == 0
}

// correctKicks adds the correction to the pressures of the contact points, for steps dt [s]. The
// law's own pressures stay in lawPressures, for the ledger; nil if they are the same.
func (c *Contact) correctKicks(dt float64) {
	c.lawPressures = nil
	if dt == 0 || c.Static || len(c.withOffset) > 0 || !c.springs() || !c.Corners && !c.Elastic() {
		return
	}
	elastic := c.Elastic()
	n, k := &c.touching, c.Law.(contact.Linear).K
	c.uncorrected = append(c.uncorrected[:0], n.p...)
	for j := range n.pairs {
		m := &n.pairs[j]
		loss, rigid := meanLoss, c.onCorners(c.elements[m.element], m.edge)
		if rigid {
			loss = 0
		}
		half, base := c.layouts[c.layoutOf[m.element]].half, m.element*int32(c.Nodes)
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			if t.repeated {
				n.p[i] = n.p[i-1]
				continue
			}
			if !rigid && !elastic {
				continue
			}
			displacement := math.Abs(n.rate[i]) / t.forceSum * dt // towards or away from the edge in a step
			depth, spread := n.d[i]*t.forceSum/t.coveredSum, float64(math.Abs(m.depthSlope)*half[t.id-base]*t.coveredSum)
			if low := max(0, depth-spread); low < displacement {
				n.p[i] += float64(k * displacement * t.coveredSum / t.forceSum * kickCorrection(loss, low/displacement, (depth+spread)/displacement))
				c.lawPressures = c.uncorrected
			}
		}
	}
}

// kickCorrection returns the mean of loss - s/2 + s^2/2 over a strip whose depth goes
// evenly from lo to hi times the displacement of a step, lo < 1. What is deeper adds nothing.
func kickCorrection(loss, lo, hi float64) float64 {
	if hi-lo < 1e-6 {
		return loss - float64(0.5*lo*(1-lo))
	}
	integral := func(s float64) float64 { return float64(s * (loss - float64(s*(0.25-s/6)))) }
	return (integral(min(1, hi)) - integral(lo)) / (hi - lo)
}

// lawPressure returns the pressure of contact point i as the law has it [Pa].
func (c *Contact) lawPressure(i int) float64 {
	if c.lawPressures != nil {
		return c.lawPressures[i]
	}
	return c.touching.p[i]
}
