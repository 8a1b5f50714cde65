package contactnodes

import (
	"math"
	"slices"
)

// commit stores the results of find and evaluateLaw for the contact nodes of some pairs in the
// state, and updates the ledger.
func (c *Contact) commit(pairs []edgePair) {
	if c.isPlain() {
		c.commitPlain(pairs)
	} else {
		c.commitPairs(pairs)
	}
}

// commitSeparated is commit for the contact nodes that have separated.
func (c *Contact) commitSeparated() {
	n := &c.points
	for i := c.Active; i < len(n.nodes); i++ {
		c.commitNode(i, c.area[int(n.nodes[i].id)/c.Nodes], 0, c.dt)
	}
}

// commitPairs is commit for any contact.
func (c *Contact) commitPairs(pairs []edgePair) {
	n, loss := &c.points, c.ImpactLoss
	for j := range pairs {
		m := &pairs[j]
		whole, energy := c.area[m.element], c.referenceEnergy(m.own, m.edge)
		for i := m.first; i < m.end; i++ {
			t := &n.nodes[i]
			if t.repeated {
				c.raisePeak(m, i)
				continue
			}
			stiffness := n.stiffness[i]
			if rest := t.coveredSum - t.covered; rest > 0 && c.covers {
				stiffness += float64(c.Friction.Stiffest(n.k[i]) * rest)
			}
			loss += impactLoss(stiffness*whole*t.fraction, n.rate[i], energy)
			c.inContactBefore = append(c.inContactBefore, nodeSlot{t.id, t.slot})
			if c.outline.Transfer != nil {
				c.addTransferWork(m, i, whole)
			}
			c.commitNode(int(i), whole, n.friction[i], c.dt)
			c.raisePeak(m, i)
		}
	}
	c.ImpactLoss = loss
}

// isPlain tells whether commitPlain stores everything that contact nodes have: no memory of the
// law, no dashpot, no stick, no initial overlap, no transferred area, and peaks at their own
// positions.
func (c *Contact) isPlain() bool {
	return c.memorySize == 0 && !c.Friction.Sticks() && c.damping == 0 && !c.hasRestDamping && c.lawPressures == nil &&
		len(c.withOffset) == 0 && c.outline.Transfer == nil && !c.covers
}

// commitPlain is commitPairs if isPlain holds, in one loop. Most contacts in a pile of bodies are
// of this kind.
func (c *Contact) commitPlain(pairs []edgePair) {
	n, kept, loss, frictionWork, normalWork, dt := &c.points, c.Kept, c.ImpactLoss, c.FrictionWork, c.NormalWork, c.dt
	count := len(c.inContactBefore)
	inContact := slices.Grow(c.inContactBefore, c.Active-count)[:c.Active]
	for j := range pairs {
		m := &pairs[j]
		whole, energy := c.area[m.element], c.referenceEnergy(m.own, m.edge)
		nodes := n.nodes[m.first:m.end]
		d, rate, p, w, friction, stiffness := n.d[m.first:][:len(nodes)], n.rate[m.first:][:len(nodes)], n.p[m.first:][:len(nodes)], n.w[m.first:][:len(nodes)], n.friction[m.first:][:len(nodes)], n.stiffness[m.first:][:len(nodes)]
		for i := range nodes {
			t := &nodes[i]
			if t.repeated {
				continue
			}
			loss += impactLoss(stiffness[i]*whole*t.fraction, rate[i], energy)
			inContact[count] = nodeSlot{t.id, t.slot}
			count++
			k := &kept[t.slot]
			before, area := float64(whole*k.AreaFraction), float64(whole*t.fraction)
			heat, press := float64(friction[i]*area)+float64(k.Traction*before), float64(p[i]*area)+float64(k.Pressure*before)
			frictionWork -= float64(0.5 * heat * t.slip * dt)
			normalWork += float64(0.5 * press * (d[i] - k.Deflection))
			if k.Deflection > 0 && before != area {
				normalWork += float64(0.5 * (w[i] + k.Energy) * (area - before))
			}
			k.Deflection, k.Pressure, k.Traction, k.Slip, k.AreaFraction, k.Energy = d[i], p[i], friction[i], t.slip, t.fraction, w[i]
			if !(p[i] <= k.PeakPressure) {
				k.PeakPressure = p[i]
			}
		}
	}
	c.inContactBefore, c.ImpactLoss, c.FrictionWork, c.NormalWork = inContact[:count], loss, frictionWork, normalWork
}

// commitNode stores contact point i, or a separated one, in the state of its contact node. drag is
// the friction [Pa], whole the area of the node [m2]. It records the work of the last step: the
// work against the pressure and the heat of friction. It uses the trapezoidal rule, with which
// leapfrog conserves energy. On a separated node friction acts over the first half of the step,
// with approximately the last slip. A dashpot acts with its full force from first contact on, and
// in leapfrog a force at the end of a step acts over its whole second half. So it takes that energy
// from the bodies although the node was in contact for only a part of the step.
func (c *Contact) commitNode(i int, whole, drag, dt float64) {
	n, m := &c.points, c.memorySize
	t := &n.nodes[i]
	at := int(t.slot)
	kept := &c.Kept[at]
	if m > 0 {
		copy(c.Memory[at*m:(at+1)*m], n.mem[i*m:])
	}
	before, area := float64(whole*kept.AreaFraction), float64(whole*t.fraction) // its area before and now [m2]
	deflection, pressure := n.d[i], c.lawPressure(i)
	if i < c.Active {
		kept.AreaFraction = t.fraction
	}
	if c.Friction.Sticks() {
		c.commitStick(at, &c.stick[i], before, area)
	}
	frictionHeat := float64(drag*area) + float64(kept.Traction*before)
	c.FrictionWork -= float64(0.5 * frictionHeat * t.slip * dt)
	kept.Traction, kept.Slip = drag, t.slip
	if i >= c.Active {
		kept.Slip = 0
	}
	press := float64(pressure*area) + float64(kept.Pressure*before)
	c.NormalWork += float64(0.5 * press * (deflection - kept.Deflection))
	if (c.damping > 0 || c.hasRestDamping) && kept.Deflection == 0 {
		if displacement := float64(n.rate[i] * dt); displacement > deflection {
			damped := float64(c.damping * n.rate[i])
			if i < len(c.restPressure) {
				damped += c.restPressure[i]
			}
			c.NormalWork += float64(0.5 * damped * area * (displacement - deflection))
		}
	}
	if kept.Deflection > 0 && before != area {
		c.NormalWork += float64(0.5 * (n.w[i] + kept.Energy) * (area - before))
	}
	kept.Energy = n.w[i]
	if len(c.withOffset) > 0 && c.offsetFractionBefore > c.offsetFraction {
		c.RampWork += float64(0.5 * press * kept.Offset * (c.offsetFractionBefore - c.offsetFraction))
	}
	kept.Deflection, kept.Pressure = deflection, pressure
}

// peakPart is the fraction of an edge over which a peak pressure is averaged.
const peakPart = 1.0 / 20

// raisePeak raises the peak pressure of a contact node to the pressure of contact point i. If the
// strip is longer than peakPart, it takes the mean over that part.
func (c *Contact) raisePeak(m *edgePair, i int32) {
	t := &c.points.nodes[i]
	kept, times := &c.Kept[t.slot], 1.0
	half := c.layouts[c.layoutOf[m.element]].half[t.id-m.element*int32(c.Nodes)]
	d := c.points.d[i] + float64(c.offsetFraction*kept.Offset)
	if slope := m.changeOfDepth(); c.covers && half > 0.5*peakPart && slope != 0 && d > 0 {
		length := float64(2 * half * t.covered) // in lengths of the edge, as below
		over, change := min(length, peakPart), math.Abs(slope)
		depth := t.depthAt + float64(slope*t.offset)
		if m.tilt != 0 {
			depth = d * t.forceSum / t.coveredSum
		}
		depth += float64(0.5 * change * (length - over))
		if deepest := depth + float64(0.5*change*over); kept.Pressure*deepest < kept.PeakPressure*d*(1-1e-9) {
			return
		}
		square := (float64(depth*depth) + float64(change*over*change*over)/12) * over / peakPart
		times = max(1, math.Sqrt(square)/d)
	}
	kept.PeakPressure = max(kept.PeakPressure, float64(times*kept.Pressure))
}
