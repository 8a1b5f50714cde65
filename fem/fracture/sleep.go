package fracture

import (
	"math"
	"slices"

	"fdem/fem"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Vertices that have been looked at and had a margin sleep: nobody looks at them before the
// stress in one of their triangles has changed by that margin. Which vertices sleep changes
// no bit of a result: a vertex sleeps only while it is certain that a look would find no
// candidate, and a look that finds none leaves nothing behind. After a resume nothing
// sleeps, and the first looks find it all again.
//
// Let the second Piola-Kirchhoff stress S of each of the n triangles of a fan change by d at
// most, in Frobenius' norm, from the look on, and no crack touch the fan. The mean stress of
// the fan, taken on a plane that turns with it, then changes by phi d at most, the traction
// on a chord, taken along and across it, by phi K d,
//
//	K = sum w_i g_i / (thickness c/2),   w_i = 1 - m_P/m in the part, m_P/m in the rest,
//
// with g_i the grip of the stress of a triangle on its corner (fem.Triangles.Grip): the glue
// is the sum of w_i F_i S_i grad N_i V_i. How far a traction, or a stress, may go before a
// plane uses a level of its strength is cohesive.Strength's PlaneMargin, or Margin. The stress that the
// planes of a chord are chosen by, half the mean and half of the chord's traction, changes
// by (1 + sqrt(2 K^2 + 1))/2 phi d. So a fan has no candidate as long as one of these holds:
//
//   - the greatest that the mean stress uses stays below the part of a patch, 4 of
//     candidate.go (a led crack has no such test, and its vertices never sleep);
//   - every chord uses less than minChordUse itself, or less than 1 itself and no plane uses
//     1 with the stress that planes are chosen by; less than besideFactor itself where an
//     open crack is known to shield the vertex, which stays.
//
// phi is what deformation adds. With m the least stiffness of the material, s the greatest
// stress and q = (s + d)/m, strains of triangles are q at most and change by d/m. A triangle
// then turns against its neighbour by 2.02 d/m at most, for they have a spoke in common,
// and against the middle one of the fan by n times half of that. So, seen from that one, the
// change of deformation since the look differs from 1 by (n+1) 1.03 d/m at most, a chord of
// 0.66 of its spokes or more changes by 1.6 (n+1) d/m of its length, and traction, of
// which 2 K q m is more than there is, by that much of itself for its direction and as
// much for its length. All of it together is less than phi = 1 + 8 (n+1) q, as long as
// (n+1) q is below maxStrain and (n+1) d/m below maxChange.
const (
	maxStrain    = 0.2
	maxChange    = 0.01
	minChordKept = 0.66 // of the spokes' length: no shorter chord can come to be one
	below        = 1 - 1e-9
)

// sleeper is what is known of a fan that may sleep.
type sleeper struct {
	soft   float64 // the least stiffness of its triangles' materials [Pa]; 0 for one that never sleeps
	margin float64 // that the last look has found, 0 for none [Pa]
	asleep bool
}

// initSleepers makes the room of vertices that sleep.
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
		if f.mixed != nil && f.mixed[k] { // the bound of the glue knows of no support
			soft = 0
		}
		z.sleepers[k].soft = max(soft, 0)
	}
}

// updateSleep lets the vertices that have been looked at sleep that have a margin.
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

// wake wakes the vertices that cracks touch since the given opening.
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

// setTriangleMargins tells the triangles of the vertices that have changed how they sleep now.
// Those that rest in another stress than that of now go on resting there, or rest in that of
// now, whichever lets it go farther from where it is.
func (z *Zone) setTriangleMargins() {
	s, f := &z.scan, z.fans
	s.laneIndices = s.laneIndices[:0]
	for _, k := range s.changed {
		for i := f.first[k]; i < f.first[k+1]; i++ {
			t, place := f.tri[i], f.laneIndex[i]
			if s.updatedAt[t] == s.round {
				continue
			}
			s.updatedAt[t] = s.round
			s.laneIndices = append(s.laneIndices, place)
			way, watched := z.triangles.StressChange(place, s.x), false
			here, there := awake, awake // in the stress of now, and where it rests
			for c, q := range f.at[t] {
				switch {
				case q < 0:
				case !z.sleepers[q].asleep:
					watched = watched || f.closedSpokes[q] > 0
				case s.seen[q] == s.round:
					here[c], there[c] = z.sleepers[q].margin, z.sleepers[q].margin-way
				default:
					here[c], there[c] = float64(z.sleepMargin[t][c])-way, float64(z.sleepMargin[t][c])
				}
			}
			if slices.Min(here[:]) >= slices.Min(there[:])-way {
				off := z.triangles.Rest(place, s.x)
				there = [3]float64{here[0] - off, here[1] - off, here[2] - off}
			}
			for c, w := range there {
				z.sleepMargin[t][c] = float32(w - float64(1e-6*math.Abs(w)))
			}
			z.triangles.Sleep(place, slices.Min(there[:]), watched)
		}
	}
	slices.Sort(s.laneIndices)
	z.triangles.CountAsleep(s.laneIndices)
}

// awake is what triangles none of whose vertices sleep may change by.
var awake = [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}

// nearThreshold tells whether a triangle of fan k is at its threshold, or close to it: a vertex where
// none is needs no sleep.
func (z *Zone) nearThreshold(k int32) bool {
	const close = 0.98
	return z.anyAboveThreshold(k, close)
}

// anyAboveThreshold tells whether a triangle of fan k is beyond so many times its stress threshold. Times
// 1/thresholdMargin no rounding, and no measure of stress, tells it from one that is woken.
func (z *Zone) anyAboveThreshold(k int32, times float64) bool {
	if r := z.fans.region[k]; r != several {
		return z.springsOf(r) == nil && z.aboveThreshold(k, &z.regions[r].threshold, times)
	}
	return slices.ContainsFunc(z.fans.spokesOf(k), func(q int32) bool {
		return q >= 0 && !z.hasSprings(q) && z.aboveThreshold(k, &z.regions[z.edges[q].Region].threshold, times)
	})
}

// farOpen tells whether a triangle of fan k is beyond so many times a stress threshold.
func (z *Zone) aboveThreshold(k int32, a *fem.StressThreshold, times float64) bool {
	f, s := z.fans, &z.scan
	for _, place := range f.laneIndex[f.first[k]:f.first[k+1]] {
		q, l := &s.stress[uint32(place)/lanes], uint32(place)%lanes
		p, d := float64(0.5*(q.XX[l]+q.YY[l])), 0.5*(q.XX[l]-q.YY[l])
		r := math.Sqrt(float64(d*d) + float64(q.XY[l]*q.XY[l]))
		if p+r > float64(times*a.Tension) || r+float64(a.Slope*p) > float64(times*a.Shear) {
			return true
		}
	}
	return false
}

// hasCrack tells whether a crack is at fan k.
func (f *fans) hasCrack(k int32) bool {
	for i := f.first[k]; i < f.first[k+1]; i++ {
		if f.open[i] || f.farOpen[i] {
			return true
		}
	}
	return false
}

// changeFactor returns how much the mean stress and the traction on a chord of fan k change at
// most with the stress of its triangles, see phi, and by how much that may change [Pa]; 0
// where nothing is known.
func (z *Zone) changeFactor(k int32) (phi, most float64) {
	f, s := z.fans, &z.scan
	m := z.sleepers[k].soft
	if m == 0 || f.hasCrack(k) {
		return 0, 0
	}
	greatest := 0.0
	for _, place := range f.laneIndex[f.first[k]:f.first[k+1]] {
		q, l := &s.stress[uint32(place)/lanes], uint32(place)%lanes
		p, d := math.Abs(0.5*(q.XX[l]+q.YY[l])), 0.5*(q.XX[l]-q.YY[l])
		greatest = max(greatest, p+math.Sqrt(float64(d*d)+float64(q.XY[l]*q.XY[l])))
	}
	const measures = 1.3 // of stress, over each other, in such strains
	n := float64(f.first[k+1]-f.first[k]) + 1
	q := n * measures * greatest / m
	if !(q < maxStrain-maxChange) {
		return 0, 0
	}
	return 1 + float64(8*(q+maxChange)), maxChange * m / n
}

// planeMargin returns how far the traction on a plane of one spoke or two may go before the
// plane uses a level of their strength [Pa].
func (z *Zone) planeMargin(first, second int32, normal, shear, level float64) float64 {
	a, b := z.strengths(first, second)
	room := a.law.PlaneMargin(normal, shear, level*a.times)
	if b.law != nil {
		room = max(room, b.law.PlaneMargin(normal, shear, level*b.times))
	}
	return room
}

// margin returns how far a stress may go, in Frobenius' norm, before a plane uses all of the
// strength of one spoke or two [Pa].
func (z *Zone) margin(first, second int32, s fem.Stress) float64 {
	a, b := z.strengths(first, second)
	room := a.law.Margin(s.XX, s.YY, s.XY, a.times)
	if b.law != nil {
		room = max(room, b.law.Margin(s.XX, s.YY, s.XY, b.times))
	}
	return room
}

// strength is that of a spoke: so many times a law's.
type strength struct {
	law   *cohesive.Strength
	times float64
}

// strengths returns the strength of one spoke or two, as used has it: where there are two of
// several regions, a plane breaks by both.
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

// patchMargin returns by how much the stress of each triangle of a fan that is not strained
// may change before its mean can reach what a patch needs [Pa], and whether that is so much
// that the margin of its chords is of no interest.
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

// chords adds up what chords of a fan have: the glue of a part and the grip on it.
type chords struct {
	phi, max       float64
	all            r2.Vec
	mass           float64
	forcePerStress float64
}

// chordMargin returns by how much the stress of each triangle of a fan without a candidate,
// whose rays, forces and masses the looker has, may change before there can be one [Pa].
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

// lowerMargin lowers the margin to that of a chord.
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
