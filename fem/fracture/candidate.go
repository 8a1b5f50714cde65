package fracture

import (
	"math"

	"fdem/fem"
	"fdem/materials/cohesive"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Which vertices open. For a vertex with its fan of triangles:
//
//  1. Candidates are all pairs of spokes of a whole fan, and every single spoke where the outline
//     or an open crack bounds the fan or a part of it. A candidate divides its triangles into P and
//     Q along a chord, the line between the spokes' far ends, of length c. A pair that is bent too
//     much, with c below minChord of the spokes' length, is not a candidate.
//
//  2. The internal force between P and the rest is R = (m_P/m) f - f_P. Here m and f
//     are mass and force of all triangles of the fan, m_P and f_P those of P. They
//     include forces of open cracks. R over c/2 is the traction on the chord. In a
//     uniform stress it is exactly the traction of that stress, in any mesh.
//
//  3. The traction must reach the strength on the chord or on a plane that the chord represents.
//     Chords lie as the mesh has them; cracks lie along the planes that a stress loads most, in
//     tension or in shear. Such a plane differs from the chord by at most half the angle between
//     the chords of a regular vertex, maxSkewTwo or maxSkewOne. Its traction comes from a stress
//     that across the chord is the average of the chord's traction and the fan's mean stress, and
//     along the chord is that mean. Mode mixity and energy are those of the plane and of the
//     chord's length along it. A chord that itself uses less than minChordUse represents no other
//     plane. (Where a disc is split between two loads, pressed along the crack by three times its
//     strength, a chord 15 degrees askew has 0.7 of the tension across the crack.)
//
//  4. The patch test: the mean stress of the whole fan must reach patchUse of the strength on the
//     same plane. It excludes the noise of single nodes. Where a crack touches the fan, at its
//     vertex or at the far end of a spoke, the crack's faces are free, and the mean is low under
//     any load. There a chord that itself uses patchFreeUse of the strength needs no patch test,
//     only a triangle whose stress reaches patchUse. (Otherwise vertices beside cracks would open
//     at up to 4.5 times their strength.) A chord under pressure needs no patch test there as soon
//     as it reaches the strength, since the noise in question turns cracks in tension. (A vertex
//     that opens late under pressure begins with springs that are stretched more, see
//     cohesive.Point.BalanceContact: in rocks that strike at 5 to 50 m/s a third to half of the
//     edges opened at more than twice the strength, now 2 to 9 %.) In a model with a fluid the
//     chord needs the test, since cracks there open against pressure.
//
//  5. Shielding: beside an open crack, at a vertex that is open already and at the end of
//     a crack, the traction on the chord itself must exceed the strength by half, unless
//     the candidate extends a crack from its end. A crack unloads the material beside it,
//     but that takes longer than one step.
//
//  6. Of all these the chord that uses the greatest fraction of its strength is chosen; of chords
//     equal to rounding, the straightest. Two chords may also be equally straight: a
//     mirror-symmetric body has such a pair where a crack runs along its axis. Then both open and
//     the crack branches, since choosing one would turn the crack to a side without a reason. Ahead
//     of a crack, at a vertex that no crack has reached, both must exceed the strength by half: two
//     faces that soften alike hold the wedge between them, and rounding would decide which one
//     opens.
//
// On a prescribed path, a curve or the boundary between two bodies, there is no choice: the chord
// may have any bend, represents its own plane only, and is not shielded. In tension rule 4 does not
// apply there: the mean stress around the tip of a notch is low, and the vertex would open late.
// Under pressure there is no singular stress, and rule 4 applies: without it noise in shear would
// open a seam with little cohesion. Rule 4 does not apply either to a joint, nor where another
// prescribed crack, or a joint, has slid up to the vertex. At the ends of a block the mean stress of
// the rock beside it may never exceed friction, and the vertex would hold the whole block: joints
// held by up to 6 % more than friction does. A vertex of a joint that opens early still holds by
// friction. A seam with few triangles across would carry up to twice its cohesion and friction.
//
// In a step the best candidate of each vertex, or of each part of its fan, is considered. The
// best of all opens first. Close to a vertex that opens in this step another may open only
// where it shares a spoke with it or lies in its plane. Mirror images do not exclude each
// other.
const (
	minChord           = 0.7
	minChordPrescribed = 0.05 // of prescribed cracks
	minChordUse        = 0.5
	patchUse           = 0.8
	patchFreeUse       = 2
	besideFactor       = 1.5
	shieldRadius       = 4    // times a vertex's size: distance within which its crack shields
	besidePlane        = 0.25 // times a vertex's size: distance from a crack's plane that counts as beside it
	stepRadius         = 1.3  // times a vertex's size: range of rule 6 within a step
	samePlane          = 0.8  // cosine
	roundoff           = 1e-6 // relative differences up to this are rounding
	shearNoise         = 0.02 // of a pressure, in shear
)

// rotation is an angle.
type rotation struct{ cos, sin float64 }

// Greatest angles between a plane and the chord that represents it. Around a vertex of six equal
// triangles there is a chord of two spokes every 30 degrees and a chord of one spoke every 60
// degrees.
var (
	maxSkewTwo = rotation{math.Sqrt(2+math.Sqrt(3)) / 2, math.Sqrt(2-math.Sqrt(3)) / 2} // 15 degrees
	maxSkewOne = rotation{math.Sqrt(3) / 2, 0.5}                                        // 30 degrees
)

// none is the second spoke of a candidate with one spoke.
const none = -1

// candidate is a vertex that may open.
type candidate struct {
	opening
	planeUse     float64  // fraction of the strength used on the plane that the chord represents
	chordUse     float64  // fraction of the strength used on the chord itself
	extends      bool     // it extends a crack from its end
	shielded     bool     // a crack shields it: chordUse exceeds besideFactor
	straightness float64  // length of the chord divided by the length of the spokes
	share        float64  // length along the plane divided by the length of the spokes
	mirror       [2]int32 // spokes of its mirror image; see orderMirror
	mixity       float64  // share of shear on the plane
	normal       r2.Vec   // current normal of the plane
	plane        r2.Vec   // normal in the reference positions, if strength depends on direction
	fluid        float64  // pressure of a fluid that enters between the faces [Pa]
}

// searchWhole finds the best candidate of a whole fan, if it has one.
func (z *Zone) searchWhole(of *strain, l *searcher) {
	k, n, from := of.fan, len(l.ray), z.fans.first[of.fan]
	spoke, enough := z.fans.spokesOf(k), z.boundsOf(k)
	best, found := candidate{chordUse: minChordUse}, false
	var all r2.Vec
	m := 0.0
	for i := range n {
		all = sum(all, l.force[i])
		m += l.mass[i]
	}
	for i := range n {
		if spoke[i] < 0 {
			continue
		}
		var f r2.Vec
		mp := 0.0
		for j := i + 1; j < n; j++ { // the part with triangles i+1 to j
			f = sum(f, l.force[j])
			mp += l.mass[j]
			if spoke[j] < 0 {
				continue
			}
			chord := r2.Vec{X: l.ray[i].Y - l.ray[j].Y, Y: l.ray[j].X - l.ray[i].X} // normal out of the part, as long as the chord
			internal := internalForce(all, f, mp/m)
			goes, fluid := l.extends[i] || l.extends[j], 0.0
			if l.fluid != nil {
				fluid = max(z.porePressure(from), z.entryPressure(spoke[i], spoke[j], internal, chord, max(l.fluid[i], l.fluid[j])))
				internal = z.effectiveForce(internal, chord, fluid)
			}
			if enough.belowStrength(internal, chord, z.thickness, z.requiredUse(of, goes, false, &best)) {
				continue
			}
			found = z.tryCandidate(of, spoke[i], spoke[j], internal, chord, length(l.ray[i])+length(l.ray[j]), fluid, goes, false, &best) || found
		}
	}
	if !found {
		return
	}
	best.orderMirror()
	if best.mirror[0] == none || best.extends || best.planeUse >= besideFactor {
		l.candidates = append(l.candidates, best)
	}
}

// searchPart finds the best candidate of a part of a fan, if it has one. It lowers the slack of a
// fan without a candidate. open tells whether the vertex is open already.
func (z *Zone) searchPart(of *strain, l *searcher, p *part, open bool, enough *strengthBounds, room *slack) {
	k, n, from := of.fan, len(l.force), int(z.fans.first[of.fan])
	spoke, farOpen := z.fans.spokesOf(k), z.fans.farOpen[from:from+n]
	best, found := candidate{chordUse: minChordUse}, false
	var f r2.Vec
	mass, vertex := 0.0, z.vertexPosition(int32(from+p.first)) // one node of the whole part
	for d, j := 0, p.first; d < p.count-1; d, j = d+1, j+1 {
		if j == n {
			j = 0
		}
		f = sum(f, l.force[j])
		mass += l.mass[j]
		if spoke[j] < 0 {
			continue
		}
		end, goes := z.farEnd(k, int32(from+j)), farOpen[j]
		ray := r2.Vec{X: end.X - vertex.X, Y: end.Y - vertex.Y}
		chord := r2.Vec{X: -ray.Y, Y: ray.X}
		internal, fluid := internalForce(p.force, f, mass/p.mass), 0.0
		if z.fluid.pressure != nil {
			fluid = max(z.porePressure(int32(from+p.first)), z.entryPressure(spoke[j], -1, internal, chord, z.farPressure(spoke[j], k)))
			internal = z.effectiveForce(internal, chord, fluid)
		}
		z.lowerSlack(room, spoke[j], internal, chord, goes)
		if enough.belowStrength(internal, chord, z.thickness, z.requiredUse(of, goes, open, &best)) {
			continue
		}
		found = z.tryCandidate(of, spoke[j], -1, internal, chord, length(ray), fluid, goes, open, &best) || found
	}
	if found {
		l.candidates = append(l.candidates, best)
	}
}

// requiredUse returns the least fraction of the strength that a chord of a fan of one region must
// use to be the best. goes tells whether the chord extends a crack from its end, open whether the
// vertex is open already.
func (z *Zone) requiredUse(of *strain, goes, open bool, best *candidate) float64 {
	if goes || !open && !z.shielded[of.fan] || z.regions[max(z.fans.region[of.fan], 0)].Prescribed {
		return best.chordUse
	}
	return max(besideFactor, best.chordUse)
}

// internalForce returns the force between a part of a fan and the rest [N]. The part has the force
// f and the given fraction of the mass; the whole fan has the force all.
func internalForce(all, f r2.Vec, part float64) r2.Vec {
	return r2.Vec{X: float64(part*all.X) - f.X, Y: float64(part*all.Y) - f.Y}
}

// effectiveForce returns the effective internal force of a chord [N]: the internal force plus that
// of the pressure of a fluid that enters. The vector chord is normal to the chord and has its
// length.
func (z *Zone) effectiveForce(internal, chord r2.Vec, fluid float64) r2.Vec {
	half := 0.5 * z.thickness * fluid
	return r2.Vec{X: internal.X + float64(half*chord.X), Y: internal.Y + float64(half*chord.Y)}
}

// orderMirror prepares a candidate of two spokes whose mirror image is also a candidate. It puts
// the common spoke first and keeps the other spoke of the mirror image. Two candidates without a
// common spoke would divide the fan into four parts; then the first one opens alone.
func (c *candidate) orderMirror() {
	switch {
	case c.mirror[0] == none:
	case c.spoke == c.mirror[0]:
		c.mirror[0] = c.mirror[1]
	case c.spoke == c.mirror[1]:
	case c.second == c.mirror[0]:
		c.spoke, c.second, c.mirror[0] = c.second, c.spoke, c.mirror[1]
	case c.second == c.mirror[1]:
		c.spoke, c.second = c.second, c.spoke
	default:
		c.mirror[0] = none
	}
}

// mirrorCount returns 2 if candidate i and the next one are mirror images, else 1. They are mirror
// images if they use equal fractions of their strength and are equally straight, up to rounding,
// and no third candidate uses as much. In a uniform stress many candidates use as much.
func (s *scan) mirrorCount(i int) int {
	like := func(i int) bool { // candidate i and the next one use equal fractions
		return i >= 0 && i+1 < len(s.candidates) && nearlyEqual(s.candidates[i].chordUse, s.candidates[i+1].chordUse)
	}
	if like(i) && nearlyEqual(s.candidates[i].straightness, s.candidates[i+1].straightness) && !like(i-1) && !like(i+1) {
		return 2
	}
	return 1
}

// nearlyEqual tells whether a and b, both above 0, differ by no more than rounding may.
func nearlyEqual(a, b float64) bool { return math.Abs(a-b) < roundoff*a }

// end returns the end of an edge, 0 or 1, at which the vertex of fan k is.
func (z *Zone) end(edge, k int32) int {
	if z.edges[edge].To == z.fans.vertex[k] {
		return 1
	}
	return 0
}

// prescribed tells whether one or two spokes (-1 for no second) are on a prescribed path.
func (z *Zone) prescribed(first, second int32) bool {
	return z.regions[z.edges[first].Region].Prescribed && (second < 0 || z.regions[z.edges[second].Region].Prescribed)
}

// openAtFarEnd tells whether an edge is open at its end away from the vertex of fan k.
func (z *Zone) openAtFarEnd(edge, k int32) bool {
	q := z.crackOf[edge]
	return q >= 0 && z.cracks[q].open[1-z.end(edge, k)]
}

// utilization returns the fraction of the strength of one or two spokes that a traction uses on a
// plane. at is the plane's normal in the reference positions, which is needed if strength depends
// on direction.
func (z *Zone) utilization(first, second int32, normal, shear float64, at r2.Vec) float64 {
	a := &z.edges[first]
	u := z.regions[a.Region].utilization(normal, shear, at)
	if second < 0 {
		return u / a.Strength
	}
	b := &z.edges[second]
	if b.Region == a.Region {
		return u / (0.5 * (a.Strength + b.Strength))
	}
	return min(u/a.Strength, z.regions[b.Region].utilization(normal, shear, at)/b.Strength)
}

// utilization returns the fraction of a region's strength that a traction uses on a plane.
func (r *region) utilization(normal, shear float64, at r2.Vec) float64 {
	if r.Bedding == nil {
		return r.Law.Used(normal, shear)
	}
	return r.Bedding.Strength(r.Bedding.CosineSquared(at.X, at.Y)).Used(normal, shear)
}

// anisotropic tells whether the strength of one or two spokes depends on direction.
func (z *Zone) anisotropic(first, second int32) bool {
	return z.regions[z.edges[first].Region].Bedding != nil || second >= 0 && z.regions[z.edges[second].Region].Bedding != nil
}

// normalOf returns the normal of a chord of one or two spokes of fan k in the reference positions.
func (z *Zone) normalOf(first, second, k int32) r2.Vec {
	a := z.spokeOf(first, k)
	if second >= 0 {
		b := z.spokeOf(second, k)
		a = r2.Vec{X: a.X - b.X, Y: a.Y - b.Y}
	}
	l := length(a)
	return r2.Vec{X: a.Y / l, Y: -a.X / l}
}

// tryCandidate compares a candidate with the best candidate of its vertex so far. Its arguments are
// the spokes first and second (-1 for none) of a fan, the internal force [N], the chord's normal
// out of P with the length of the chord, the length of the spokes [m], and the pressure of a fluid
// there [Pa]. goes tells whether the candidate extends a crack from its end, open whether the
// vertex is open already.
func (z *Zone) tryCandidate(of *strain, first, second int32, internal, chord r2.Vec, long, fluid float64, goes, open bool, best *candidate) bool {
	k, mean := of.fan, effective(z.meanOf(of), fluid)
	wide, led := length(chord), z.prescribed(first, second)
	if wide < minChordPrescribed*long || !led && wide < minChord*long {
		return false
	}
	nx, ny := chord.X/wide, chord.Y/wide
	half := 0.5 * wide * z.thickness
	normal := (float64(internal.X*nx) + float64(internal.Y*ny)) / half
	shear := (float64(internal.Y*nx) - float64(internal.X*ny)) / half
	p := plane{n: r2.Vec{X: nx, Y: ny}, normal: normal, shear: shear, cosine: 1}
	anisotropic := z.anisotropic(first, second)
	if anisotropic {
		p.first = z.normalOf(first, second, k)
	}
	own := z.utilization(first, second, normal, shear, p.first)
	if !(own >= best.chordUse*(1-roundoff)) {
		return false
	}
	shield := !led && !goes && (open || z.shielded[k])
	if shield && own < besideFactor {
		return false
	}
	p.planeUse = own
	askew := p
	if !led && !shield {
		askew = z.skewed(first, second, p, mean)
	}
	if askew.planeUse < 1 {
		return false
	}
	shield = shield || !led && !goes && z.shields(of)
	c := candidate{
		opening:  opening{fan: k, spoke: first, second: second},
		chordUse: own, extends: goes, shielded: shield, straightness: wide / long, mirror: [2]int32{none, none}, fluid: fluid,
	}
	if shield {
		p.planeUse /= besideFactor
		c.chordUse = p.planeUse
	} else {
		p = askew
	}
	like := false
	switch {
	case p.planeUse < 1:
		return false
	case best.straightness == 0: // the first one
	case c.chordUse < best.chordUse*(1-roundoff):
		return false
	case c.chordUse < best.chordUse*(1+roundoff):
		if c.straightness < best.straightness*(1-roundoff) {
			return false
		}
		like = c.straightness < best.straightness*(1+roundoff)
	}
	holds := normal < 0 && !z.fluid.flows && z.holdsNoise(first, normal)
	alone := led && (normal > 0 || z.joint(z.edges[first].Region) || goes && z.holdsNoise(first, normal))
	alone = alone || !led && (holds || own >= patchFreeUse) && z.fans.cracked[k]
	if !alone {
		if n, s := on(mean, p.n); z.utilization(first, second, n, s, p.first) < patchUse {
			return false
		}
	}
	if like {
		best.mirror = [2]int32{first, second}
		return false
	}
	c.planeUse, c.share, c.mixity = p.planeUse, c.straightness*p.cosine, cohesive.Mixity(p.normal, p.shear)
	c.normal, c.plane = p.n, p.first
	*best = c
	return true
}

// holdsNoise tells whether the noise of shear at single vertices under compression cannot open an
// edge, because its cohesion exceeds the noise.
func (z *Zone) holdsNoise(edge int32, normal float64) bool {
	e := &z.edges[edge]
	return e.Strength*z.regions[e.Region].Law.Strength.Cohesion > float64(shearNoise*-normal)
}

// plane is a chord, or a plane that it represents.
type plane struct {
	n             r2.Vec  // normal, of length 1
	first         r2.Vec  // the normal in the reference positions, if strength depends on direction
	normal, shear float64 // traction [Pa]
	planeUse      float64 // of the strength
	cosine        float64 // of the angle to the chord
}

// skewed returns the plane that uses the greatest fraction of the strength among those that a chord
// of one or two spokes (-1 for no second) may represent. These are the chord itself, and the chord
// rotated towards the plane of the greatest tension or towards one of the two planes that fail
// first in shear.
func (z *Zone) skewed(first, second int32, chord plane, mean fem.Stress) plane {
	most := maxSkewTwo
	if second < 0 {
		most = maxSkewOne
	}
	n := chord.n
	s := across(chord, mean)
	best := chord
	look := func(e r2.Vec) {
		q := most.towards(e)
		p := plane{cosine: q.X, first: rotated(chord.first, q)}
		p.normal, p.shear = on(s, q)
		if p.planeUse = z.utilization(first, second, p.normal, p.shear, p.first); p.planeUse > best.planeUse {
			p.n = rotated(n, q)
			best = p
		}
	}
	for _, e := range planes(&z.regions[z.edges[first].Region].Law.Strength, s) {
		look(e)
	}
	if chord.first != (r2.Vec{}) {
		z.samplePlanes(first, second, chord.first, look)
	}
	return best
}

// rotated returns a vector rotated by the angle whose cosine and sine q has.
func rotated(n, q r2.Vec) r2.Vec {
	return r2.Vec{X: float64(n.X*q.X) - float64(n.Y*q.Y), Y: float64(n.Y*q.X) + float64(n.X*q.Y)}
}

// samplePlanes tries planes at all angles that a chord with the reference normal n may represent,
// and the bedding plane. If strength depends on direction, there is no formula for the plane that
// uses the greatest fraction.
func (z *Zone) samplePlanes(first, second int32, n r2.Vec, look func(e r2.Vec)) {
	for _, e := range sampleAngles {
		look(e)
		look(r2.Vec{X: e.X, Y: -e.Y})
	}
	for _, k := range [2]int32{first, second} {
		if k < 0 {
			continue
		}
		if b := z.regions[z.edges[k].Region].Bedding; b != nil {
			look(r2.Vec{X: float64(n.X*b.X) + float64(n.Y*b.Y), Y: float64(n.X*b.Y) - float64(n.Y*b.X)})
		}
	}
}

// sampleAngles are the sampled directions, every 2.5 degrees up to the 30 degrees of maxSkewOne.
var sampleAngles = func() (t [12]r2.Vec) {
	for i := range t {
		t[i].Y, t[i].X = elementary.Sincos(math.Pi / 72 * float64(i+1))
	}
	return t
}()

// across returns the stress by which the planes of a chord are chosen. Its x axis is across the
// chord.
func across(chord plane, mean fem.Stress) fem.Stress {
	n := chord.n
	normal, shear := on(mean, n)
	along, _ := on(mean, r2.Vec{X: -n.Y, Y: n.X})
	return fem.Stress{XX: 0.5 * (chord.normal + normal), YY: along, XY: 0.5 * (chord.shear + shear)}
}

// on returns the traction of a stress on the plane with a normal [Pa].
func on(s fem.Stress, n r2.Vec) (normal, shear float64) {
	x, y := float64(s.XX*n.X)+float64(s.XY*n.Y), float64(s.XY*n.X)+float64(s.YY*n.Y)
	return float64(x*n.X) + float64(y*n.Y), float64(y*n.X) - float64(x*n.Y)
}

// towards returns the x axis rotated towards e or -e, by at most the angle t.
func (t rotation) towards(e r2.Vec) r2.Vec {
	if e.X < 0 {
		e = r2.Vec{X: -e.X, Y: -e.Y}
	}
	if e.X < t.cos {
		e = r2.Vec{X: t.cos, Y: math.Copysign(t.sin, e.Y)}
	}
	return e
}

// planes returns the normals of the plane of the greatest tension in a stress and of the two planes
// that fail first in shear.
func planes(law *cohesive.Strength, s fem.Stress) [3]r2.Vec {
	p, d := float64(0.5*(s.XX+s.YY)), float64(0.5*(s.XX-s.YY))
	r := elementary.Hypot(d, s.XY)
	if r == 0 { // the same in all directions
		return [3]r2.Vec{{X: 1}, {X: 1}, {X: 1}}
	}
	cos, sin := half(d / r)
	sin = math.Copysign(sin, s.XY)
	c, t := half(law.Sheared(p, r))
	return [3]r2.Vec{
		{X: cos, Y: sin},
		{X: float64(cos*c) - float64(sin*t), Y: float64(sin*c) + float64(cos*t)},
		{X: float64(cos*c) + float64(sin*t), Y: float64(sin*c) - float64(cos*t)},
	}
}

// half returns cosine and sine of half an angle, from the cosine of the angle. The angle is at most
// 180 degrees.
func half(cosine float64) (cos, sin float64) {
	return math.Sqrt(max(0, 0.5+float64(0.5*cosine))), math.Sqrt(max(0, 0.5-float64(0.5*cosine)))
}

// shields tells whether a crack ends at the vertex of a fan or lies beside it. Once true it stays
// true.
func (z *Zone) shields(of *strain) bool {
	if !of.searched {
		of.searched = true
		if !z.shielded[of.fan] {
			z.shielded[of.fan] = z.crackEndsAt(of.fan) || z.beside(of.fan)
		}
	}
	return z.shielded[of.fan]
}

// crackEndsAt tells whether a crack ends at the vertex of fan k.
func (z *Zone) crackEndsAt(k int32) bool {
	for _, q := range z.fans.spokesOf(k) {
		if q >= 0 && z.crackOf[q] >= 0 {
			return true
		}
	}
	return false
}

// beside tells whether a vertex lies beside an open crack, not ahead of it.
func (z *Zone) beside(k int32) bool {
	if len(z.cracks) == 0 {
		return false
	}
	p, h := z.fanPosition(k), z.size[k]
	for q := range z.grid.near(p) {
		e := &z.edges[z.edgeOf[q]]
		m, r := z.middle(e), z.edgeVector(e)
		dx, dy := p.X-m.X, p.Y-m.Y
		if float64(dx*dx)+float64(dy*dy) > float64(shieldRadius*shieldRadius*h*h) {
			continue
		}
		off := float64(dx*r.Y) - float64(dy*r.X) // times the edge's length
		if off*off >= float64(besidePlane*besidePlane*h*h)*(float64(r.X*r.X)+float64(r.Y*r.Y)) {
			return true
		}
	}
	return false
}

// axis returns the direction of a candidate in the reference positions: that of its chord, or of
// the spoke that it shares with its mirror image.
func (z *Zone) axis(c *candidate) r2.Vec {
	a := z.spokeOf(c.spoke, c.fan)
	if c.second < 0 || c.mirror[0] != none {
		return a
	}
	b := z.spokeOf(c.second, c.fan)
	return r2.Vec{X: b.X - a.X, Y: b.Y - a.Y}
}

// spokeOf returns the reference vector of an edge, away from the vertex of fan k [m].
func (z *Zone) spokeOf(edge, k int32) r2.Vec {
	r := z.edgeVector(&z.edges[edge])
	if z.end(edge, k) == 1 {
		return r2.Vec{X: -r.X, Y: -r.Y}
	}
	return r
}

// has tells whether a candidate opens along a spoke.
func (c *candidate) has(spoke int32) bool {
	return spoke >= 0 && (spoke == c.spoke || spoke == c.second || spoke == c.mirror[0])
}

// extends tells whether a candidate extends a crack from its end.
func (z *Zone) extends(c *candidate) bool {
	return z.openAtFarEnd(c.spoke, c.fan) || c.second >= 0 && z.openAtFarEnd(c.second, c.fan) || c.mirror[0] >= 0 && z.openAtFarEnd(c.mirror[0], c.fan)
}

// allowed tells whether a candidate may open after those chosen in this step.
func (z *Zone) allowed(c *candidate) bool {
	s := &z.scan
	p, h := z.fanPosition(c.fan), z.size[c.fan]
	own := z.axis(c)
	for i := range s.chosenGrid.near(p) {
		d := &s.chosen[i]
		q := z.fanPosition(d.fan)
		dx, dy := p.X-q.X, p.Y-q.Y
		if float64(dx*dx)+float64(dy*dy) > float64(stepRadius*stepRadius*h*h) || d.has(c.spoke) || d.has(c.second) || d.has(c.mirror[0]) {
			continue
		}
		r := z.axis(d)
		l := length(r)
		off := float64(dx*r.Y) - float64(dy*r.X)
		cosine := (float64(own.X*r.X) + float64(own.Y*r.Y)) / (l * length(own))
		if !(max(off, -off) < besidePlane*h*l && max(cosine, -cosine) > samePlane) {
			return false
		}
	}
	// cracks of this step shield, too
	return len(s.chosen) == 0 || c.shielded || c.chordUse >= besideFactor || z.extends(c) || z.prescribed(c.spoke, c.second) || !z.beside(c.fan)
}
