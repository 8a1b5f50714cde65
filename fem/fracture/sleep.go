package fracture

import (
	"math"
	"slices"

	"fdem/fem"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Vertices that need no search. A search of a vertex without a candidate also finds a margin. The
// vertex then sleeps: it is not searched again before the stress in one of its triangles has
// changed by that margin. This does not change the bits of a result: a vertex sleeps only while a
// search would certainly find no candidate, and such a search changes nothing. After a resume no
// vertex sleeps, and the first searches find all margins again.
//
// Let the second Piola-Kirchhoff stress S of each of the n triangles of a fan change by at most d,
// in Frobenius' norm, since the search, and let no crack touch the fan. The mean stress of the fan,
// on a plane that rotates with it, then changes by at most phi d, and the traction on a chord,
// along and across it, by at most phi K d,
//
//	K = sum w_i g_i / (thickness c/2),   w_i = 1 - m_P/m in the part, m_P/m in the rest,
//
// where g_i is the greatest force on the corner for a unit stress of its triangle
// (fem.Triangles.ForcePerStress): the internal force is the sum of w_i F_i S_i grad N_i V_i.
// cohesive.Strength.PlaneMargin is how far a traction may change before a plane uses a given level
// of its strength, Margin the same for a stress. The stress by which the planes of a chord are
// chosen, half the mean and half the chord's traction, changes by (1 + sqrt(2 K^2 + 1))/2 phi d. So
// a fan has no candidate as long as one of these holds:
//
//   - the greatest use of the strength by the mean stress stays below that of the patch test, rule
//     4 of candidate.go (a prescribed crack has no such test, and its vertices never sleep);
//   - every chord itself uses less than minChordUse; or less than 1, and no plane uses 1 with the
//     stress by which planes are chosen; or less than besideFactor at a vertex that an open crack
//     shields, as it then does for good.
//
// phi accounts for the deformation. With the least stiffness m of the material, the greatest stress
// s and q = (s + d)/m, strains of triangles are at most q and change by at most d/m. A triangle
// then rotates relative to its neighbour by at most 2.02 d/m, since they share a spoke, and
// relative to the middle triangle of the fan by at most n/2 times that. So, relative to the middle
// triangle, the change of deformation since the search differs from 1 by at most (n+1) 1.03 d/m. A
// chord of at least 0.66 of the length of its spokes changes by 1.6 (n+1) d/m of its length. The
// traction is less than 2 K q m; it changes by that fraction once for its direction and once for
// the length of the chord. All of it together is less than phi = 1 + 8 (n+1) q, as long as (n+1) q
// is below maxStrain and (n+1) d/m below maxChange.
const (
	maxStrain    = 0.2
	maxChange    = 0.01
	minChordKept = 0.66 // of the spokes' length: shorter chords cannot become candidates
	below        = 1 - 1e-9
)

// sleeper is the state of a fan that may sleep.
type sleeper struct {
	soft   float64 // the least stiffness of its triangles' materials [Pa]; 0 for one that never sleeps
	margin float64 // found by the last search, 0 for none [Pa]
	asleep bool
}

// initSleepers allocates the state of the vertices that may sleep.
func (z *Zone) initSleepers() {
	f := z.fans
	z.sleepers, z.sleepMargin = make([]sleeper, len(f.vertex)), make([][3]float32, len(z.nodes))
	z.scan.updatedAt = make([]int32, len(z.nodes))
	for k := range f.vertex {
		soft := math.Inf(1)
		for i := f.first[k]; i < f.first[k+1]; i++ {
			soft = min(soft, z.triangles.Softest(int(f.tri[i])))
		}
		for _, s := range f.spokesOf(int32(k)) {
			if s >= 0 && z.regions[z.edges[s].Region].Prescribed {
				soft = 0
			}
		}
		if f.mixed != nil && f.mixed[k] { // the bound of the internal force holds without supports only
			soft = 0
		}
		z.sleepers[k].soft = max(soft, 0)
	}
}

// updateSleep puts those searched vertices to sleep that have a margin.
func (z *Zone) updateSleep() {
	s := &z.scan
	if !z.triangles.Watched() {
		return
	}
	s.changed = s.changed[:0]
	for _, k := range s.searched {
		of := &z.sleepers[k]
		if now := of.margin > 0; now || of.asleep {
			of.asleep = now
			s.changed = append(s.changed, k)
		}
	}
	z.setTriangleMargins()
}

// wake ends the sleep of the vertices at cracks since the given opening.
func (z *Zone) wake(from int) {
	s := &z.scan
	if !z.triangles.Watched() {
		return
	}
	s.changed = s.changed[:0]
	s.stamp++
	s.round = s.stamp
	wake := func(k int32) {
		if k >= 0 {
			z.sleepers[k].asleep, s.seen[k] = false, s.round
			s.changed = append(s.changed, k)
		}
	}
	for i := range z.opened[from:] {
		o := &z.opened[from+i]
		wake(o.fan)
		for _, e := range [2]int32{o.spoke, o.second} {
			if e >= 0 {
				wake(z.fans.of[[2]int32{z.edges[e].To, z.edges[e].From}[z.end(e, o.fan)]])
			}
		}
	}
	z.getFans(s.changed)
	z.setTriangleMargins()
}

// setTriangleMargins sets the margins of the triangles around the vertices that have changed. A
// triangle keeps its reference stress or takes the present stress, whichever allows the greater
// further change.
func (z *Zone) setTriangleMargins() {
	s, f := &z.scan, z.fans
	s.laneIndices = s.laneIndices[:0]
	for _, k := range s.changed {
		for i := f.first[k]; i < f.first[k+1]; i++ {
			t, lane := f.tri[i], f.laneIndex[i]
			if s.updatedAt[t] == s.round {
				continue
			}
			s.updatedAt[t] = s.round
			s.laneIndices = append(s.laneIndices, lane)
			change, watched := z.triangles.StressChange(lane, s.x), false
			here, there := awake, awake // with the present stress as reference, and with the former reference
			for c, q := range f.at[t] {
				switch {
				case q < 0:
				case !z.sleepers[q].asleep:
					watched = watched || f.closedSpokes[q] > 0
				case s.seen[q] == s.round:
					here[c], there[c] = z.sleepers[q].margin, z.sleepers[q].margin-change
				default:
					here[c], there[c] = float64(z.sleepMargin[t][c])-change, float64(z.sleepMargin[t][c])
				}
			}
			if slices.Min(here[:]) >= slices.Min(there[:])-change {
				off := z.triangles.Rest(lane, s.x)
				there = [3]float64{here[0] - off, here[1] - off, here[2] - off}
			}
			for c, w := range there {
				z.sleepMargin[t][c] = float32(w - float64(1e-6*math.Abs(w)))
			}
			z.triangles.Sleep(lane, slices.Min(there[:]), watched)
		}
	}
	slices.Sort(s.laneIndices)
	z.triangles.CountAsleep(s.laneIndices)
}

// awake is the margin of triangles without a sleeping vertex.
var awake = [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}

// nearThreshold tells whether a triangle of fan k is at or close to its threshold. Otherwise its
// vertex is not searched anyway and need not sleep.
func (z *Zone) nearThreshold(k int32) bool {
	const close = 0.98
	return z.anyAboveThreshold(k, close)
}

// anyAboveThreshold tells whether a triangle of fan k exceeds its stress threshold times a factor.
// With the factor 1/thresholdMargin the answer agrees with the kernel's, whatever the rounding and
// the measure of stress.
func (z *Zone) anyAboveThreshold(k int32, times float64) bool {
	if r := z.fans.region[k]; r != several {
		return z.springsOf(r) == nil && z.aboveThreshold(k, &z.regions[r].threshold, times)
	}
	return slices.ContainsFunc(z.fans.spokesOf(k), func(q int32) bool {
		return q >= 0 && !z.hasSprings(q) && z.aboveThreshold(k, &z.regions[z.edges[q].Region].threshold, times)
	})
}

// aboveThreshold tells whether a triangle of fan k exceeds a stress threshold times a factor.
func (z *Zone) aboveThreshold(k int32, a *fem.StressThreshold, times float64) bool {
	f, s := z.fans, &z.scan
	for _, lane := range f.laneIndex[f.first[k]:f.first[k+1]] {
		q, l := &s.stress[uint32(lane)/lanes], uint32(lane)%lanes
		p, d := float64(0.5*(q.XX[l]+q.YY[l])), 0.5*(q.XX[l]-q.YY[l])
		r := math.Sqrt(float64(d*d) + float64(q.XY[l]*q.XY[l]))
		if p+r > float64(times*a.Tension) || r+float64(a.Slope*p) > float64(times*a.Shear) {
			return true
		}
	}
	return false
}

// changeFactor returns phi of fan k, the greatest ratio of the change of its mean stress to that of
// the stress of its triangles, and the greatest change of their stress for which phi holds [Pa]; 0
// if no bound is known.
func (z *Zone) changeFactor(k int32) (phi, most float64) {
	f, s := z.fans, &z.scan
	m := z.sleepers[k].soft
	if m == 0 || f.cracked[k] {
		return 0, 0
	}
	greatest := 0.0
	for _, lane := range f.laneIndex[f.first[k]:f.first[k+1]] {
		q, l := &s.stress[uint32(lane)/lanes], uint32(lane)%lanes
		p, d := math.Abs(0.5*(q.XX[l]+q.YY[l])), 0.5*(q.XX[l]-q.YY[l])
		greatest = max(greatest, p+math.Sqrt(float64(d*d)+float64(q.XY[l]*q.XY[l])))
	}
	const measures = 1.3 // ratio of two measures of stress at such strains
	n := float64(f.first[k+1]-f.first[k]) + 1
	q := n * measures * greatest / m
	if !(q < maxStrain-maxChange) {
		return 0, 0
	}
	return 1 + float64(8*(q+maxChange)), maxChange * m / n
}

// planeMargin returns how far the traction on a plane of one or two spokes may change before the
// plane uses a given level of their strength [Pa].
func (z *Zone) planeMargin(first, second int32, normal, shear, level float64) float64 {
	a, b := z.strengths(first, second)
	room := a.law.PlaneMargin(normal, shear, level*a.times)
	if b.law != nil {
		room = max(room, b.law.PlaneMargin(normal, shear, level*b.times))
	}
	return room
}

// margin returns how far a stress may change, in Frobenius' norm, before a plane uses all of the
// strength of one or two spokes [Pa].
func (z *Zone) margin(first, second int32, s fem.Stress) float64 {
	a, b := z.strengths(first, second)
	room := a.law.Margin(s.XX, s.YY, s.XY, a.times)
	if b.law != nil {
		room = max(room, b.law.Margin(s.XX, s.YY, s.XY, b.times))
	}
	return room
}

// strength is the strength of a spoke: a law's times a factor.
type strength struct {
	law   *cohesive.Strength
	times float64
}

// strengths returns the strength of one or two spokes as utilization takes it: two spokes of
// different regions must both break.
func (z *Zone) strengths(first, second int32) (a, b strength) {
	e := &z.edges[first]
	a = strength{&z.regions[e.Region].Law.Strength, e.Strength}
	if second < 0 {
		return a, b
	}
	o := &z.edges[second]
	if o.Region == e.Region {
		a.times = 0.5 * (e.Strength + o.Strength)
		return a, b
	}
	return a, strength{&z.regions[o.Region].Law.Strength, o.Strength}
}

// patchMargin returns by how much the stress of each triangle of a fan may change before the mean
// can pass the patch test [Pa], for a fan that does not pass it now. It tells whether that is so
// much that the margin of its chords is not needed.
func (z *Zone) patchMargin(k int32, mean fem.Stress) (most float64, enough bool) {
	const much = 0.05 // of the strength
	phi, most := z.changeFactor(k)
	if phi == 0 {
		return 0, true
	}
	enough = true
	of := func(r *region) {
		room := r.Law.Margin(mean.XX, mean.YY, mean.XY, 0.999*patchUse*r.weakest)
		most, enough = min(most, room*below/phi), enough && room*r.Law.Steepest() > much*r.weakest
	}
	if r := z.fans.region[k]; r != several {
		of(&z.regions[r])
		return most, enough
	}
	for _, q := range z.fans.spokesOf(k) {
		if q >= 0 {
			of(&z.regions[z.edges[q].Region])
		}
	}
	return most, enough
}

// chords has running sums over the triangles of a fan: the internal force of a part and its
// greatest change for a unit stress.
type chords struct {
	phi, max       float64
	all            r2.Vec
	mass           float64
	forcePerStress float64
}

// chordMargin returns by how much the stress of each triangle of a fan without a candidate may
// change before there can be one [Pa]. The searcher has the fan's rays, forces and masses.
func (z *Zone) chordMargin(of *strain, l *searcher) float64 {
	k, n := of.fan, len(l.ray)
	var c chords
	if c.phi, c.max = z.changeFactor(k); c.phi == 0 {
		return 0
	}
	f := z.fans
	spoke, forcePerStress := f.spokesOf(k), f.forcePerStress[f.first[k]:f.first[k+1]]
	for i := range n {
		c.all = sum(c.all, l.force[i])
		c.mass += l.mass[i]
		c.forcePerStress += forcePerStress[i]
	}
	whole := f.closed(k)
	first := 0
	if !whole {
		first, _ = z.run(k, 0)
	}
	for i := range n {
		if whole && spoke[i] < 0 || !whole && i > 0 {
			continue
		}
		var own r2.Vec
		mp, held := 0.0, 0.0
		for d := range n - 1 {
			j := i + 1 + d
			if !whole {
				j = (first + d) % n
			} else if j >= n {
				break
			}
			own = sum(own, l.force[j])
			mp += l.mass[j]
			held += forcePerStress[j]
			if spoke[j] < 0 {
				continue
			}
			share := mp / c.mass
			internal := internalForce(c.all, own, share)
			gripped := float64((1-share)*held) + float64(share*(c.forcePerStress-held))
			if whole {
				chord := r2.Vec{X: l.ray[i].Y - l.ray[j].Y, Y: l.ray[j].X - l.ray[i].X}
				z.lowerMargin(of, spoke[i], spoke[j], internal, chord, length(l.ray[i])+length(l.ray[j]), gripped, &c)
			} else {
				z.lowerMargin(of, spoke[j], none, internal, r2.Vec{X: -l.ray[j].Y, Y: l.ray[j].X}, length(l.ray[j]), gripped, &c)
			}
			if c.max <= 0 {
				return 0
			}
		}
	}
	return c.max
}

// lowerMargin lowers the fan's margin to that of a chord.
func (z *Zone) lowerMargin(of *strain, first, second int32, internal, chord r2.Vec, long, forcePerStress float64, c *chords) {
	wide := length(chord)
	if wide < minChordKept*long {
		return
	}
	nx, ny := chord.X/wide, chord.Y/wide
	half := 0.5 * wide * z.thickness
	normal := (float64(internal.X*nx) + float64(internal.Y*ny)) / half
	shear := (float64(internal.Y*nx) - float64(internal.X*ny)) / half
	forcePerStress = float64(forcePerStress * (c.phi / (half * below)))
	if z.shielded[of.fan] {
		c.max = min(c.max, z.planeMargin(first, second, normal, shear, besideFactor)/forcePerStress)
		return
	}
	margin := z.planeMargin(first, second, normal, shear, minChordUse*(1-2*roundoff)) / forcePerStress
	if margin >= c.max {
		return
	}
	phi := c.phi / below
	s := across(plane{n: r2.Vec{X: nx, Y: ny}, normal: normal, shear: shear}, of.mean)
	turned := z.margin(first, second, s) / (0.5 * (phi + math.Sqrt(float64(2*forcePerStress*forcePerStress)+float64(phi*phi))))
	c.max = min(c.max, max(margin, min(z.planeMargin(first, second, normal, shear, 1)/forcePerStress, turned)))
}
