package fem

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Triangles above their threshold need not be reported in every step. If a search has found nothing
// there, they sleep: they are not reported until their stress has changed so much that a search
// could find something. The stress is the second Piola-Kirchhoff stress, which does not change when
// a body rotates.

// asleep has, for each triangle of a block, its reference stress and the squared distance from it,
// in Frobenius' norm, up to which the triangle sleeps. If the sign bit of the squared distance is
// set, a threshold ends the sleep, too. A NaN stress always ends it. The assembly kernel depends on
// the order of these fields.
type asleep struct {
	xx, yy, xy [lanes]float32 // [Pa]
	reach2     [lanes]float32 // [Pa2]
}

// awake is the reach2 of a triangle that only its threshold reports.
var awake = float32(math.Inf(-1))

// chunk is the number of blocks that share a flag. The flag tells whether some of their triangles
// sleep.
const chunk = 64

// putAllAwake allocates the state of sleep. No triangle sleeps.
func (t *Triangles) putAllAwake() {
	t.asleep = make([]asleep, len(t.blocks))
	for i := range t.asleep {
		t.asleep[i].reach2 = [lanes]float32{awake, awake, awake, awake}
	}
	t.sleeping = make([]bool, (len(t.blocks)+chunk-1)/chunk)
}

// Watched tells whether parts check the stress, see Watch.
func (t *Triangles) Watched() bool { return t.asleep != nil }

// Sleep lets the triangle at an index (see LaneIndex) sleep until its stress differs from its
// reference stress by more than within, in Frobenius' norm [Pa]. If within is infinite it sleeps
// for ever; if it is 0 or less it does not sleep. If threshold is set, its threshold ends the
// sleep, too.
func (t *Triangles) Sleep(lane int32, within float64, threshold bool) {
	b, l := lane/lanes, lane%lanes
	reach2 := float32(math.NaN())
	switch {
	case math.IsInf(within, 1):
		reach2 = float32(within)
	case within > 0:
		reach2 = float32(within * within * (1 - 1e-6))
	}
	sign := 1.0
	if threshold || t.besides(b) {
		sign = -1
	}
	t.asleep[b].reach2[l] = float32(math.Copysign(float64(reach2), sign))
	t.fill(b, l)
}

// Rest makes the stress at positions x [m] the reference stress of the triangle at an index. It
// returns the rounding error of that stress [Pa].
func (t *Triangles) Rest(lane int32, x []r2.Vec) float64 {
	b, l := lane/lanes, lane%lanes
	of, now := &t.asleep[b], t.second(lane, x)
	of.xx[l], of.yy[l], of.xy[l] = float32(now.xx), float32(now.yy), float32(now.xy)
	t.fill(b, l)
	return math.Sqrt(of.change2(now, l))
}

// StressChange returns the distance of the stress of the triangle at an index from its reference
// stress, in Frobenius' norm [Pa].
func (t *Triangles) StressChange(lane int32, x []r2.Vec) float64 {
	return math.Sqrt(t.asleep[lane/lanes].change2(t.second(lane, x), lane%lanes))
}

func (t *Triangles) second(lane int32, x []r2.Vec) secondStress {
	b := lane / lanes
	return t.blocks[b].second(lane%lanes, x, t.constants[t.runOfBlock(b).material])
}

// fill copies the state of lane l to the lanes after the last triangle of a run, which repeat that
// triangle.
func (t *Triangles) fill(b, l int32) {
	if l == lanes-1 {
		return
	}
	if r := t.runOfBlock(b); b != r.end-1 || !t.fills(r, t.number(r, b, int(l))) {
		return
	}
	of := &t.asleep[b]
	for k := l + 1; k < lanes; k++ {
		of.xx[k], of.yy[k], of.xy[k], of.reach2[k] = of.xx[l], of.yy[l], of.xy[l], of.reach2[l]
	}
}

// besides tells whether a threshold of a block has Beside. Sleeping triangles of such a block are
// also checked against their threshold.
func (t *Triangles) besides(b int32) bool {
	k := t.watchOf(b)
	return k >= 0 && (t.watch[k].own.Beside || slices.ContainsFunc(t.watch[k].others, func(a StressThreshold) bool { return a.Beside }))
}

// CountAsleep updates the flags of sleep. It must be called with the indices of the triangles for
// which Sleep was called, ascending.
func (t *Triangles) CountAsleep(of []int32) {
	last := int32(-1)
	for _, lane := range of {
		k := lane / (lanes * chunk)
		if k == last {
			continue
		}
		last = k
		end := min(int(k+1)*chunk, len(t.asleep))
		t.sleeping[k] = slices.ContainsFunc(t.asleep[int(k)*chunk:end], func(a asleep) bool {
			return a.reach2 != [lanes]float32{awake, awake, awake, awake}
		})
	}
}

// second returns the second Piola-Kirchhoff stress of the triangle in lane l [Pa].
func (b *block) second(l int32, x []r2.Vec, c *constants) secondStress {
	f := gradient(&x[b.a[l]/stride], &x[b.b[l]/stride], &x[b.c[l]/stride], b.bx[l], b.by[l], b.cx[l], b.cy[l])
	exx := float64(f.xx*f.xx) + (float64(f.yx*f.yx) - 1) // 2 Exx
	eyy := float64(f.xy*f.xy) + (float64(f.yy*f.yy) - 1)
	exy := float64(f.xx*f.xy) + float64(f.yx*f.yy)
	return secondStress{float64(exx*c.half11[0]) + float64(eyy*c.half12[0]), float64(exx*c.half12[0]) + float64(eyy*c.half11[0]), c.shear[0] * exy}
}

// secondStress is a second Piola-Kirchhoff stress [Pa].
type secondStress struct{ xx, yy, xy float64 }

// woken returns a bit for each of the block's triangles whose sleep ends, by its stress or by the
// threshold.
func (b *block) woken(x []r2.Vec, c *constants, a *StressThreshold, of *asleep) (some int32) {
	for l := range int32(lanes) {
		if b.changed(l, x, c, of) {
			some |= 1 << l
		}
	}
	if threshold := of.wokenByThreshold(); threshold != 0 {
		some |= b.above(x, c, a) & threshold
	}
	return some
}

// changed tells whether the stress of the triangle in lane l has changed by more than its sleep
// allows.
func (b *block) changed(l int32, x []r2.Vec, c *constants, of *asleep) bool {
	return !(of.change2(b.second(l, x, c), l) <= math.Abs(float64(of.reach2[l])))
}

// change2 returns the squared distance of a stress from the reference stress of lane l [Pa2].
func (of *asleep) change2(s secondStress, l int32) float64 {
	dx, dy, ds := s.xx-float64(of.xx[l]), s.yy-float64(of.yy[l]), s.xy-float64(of.xy[l])
	return float64(dx*dx) + float64(dy*dy) + float64(ds*(ds+ds))
}

// wokenByThreshold returns a bit for each of the triangles whose sleep a threshold ends.
func (a *asleep) wokenByThreshold() (some int32) {
	for l, r := range a.reach2 {
		if math.Signbit(float64(r)) {
			some |= 1 << l
		}
	}
	return some
}

// alike returns the end of the first blocks in [first, end) that have the same flag of sleep, and
// that flag.
func (t *Triangles) alike(first, end int32) (to int32, sleeping bool) {
	k := first / chunk
	sleeping = t.sleeping[k]
	for k++; k*chunk < end && t.sleeping[k] == sleeping; k++ {
	}
	return min(k*chunk, end), sleeping
}

// ForcePerStress returns the greatest force on a corner, 0 to 2, of triangle i per unit stress in
// the triangle [m2]. It is the triangle's volume times the length of the gradient of the corner's
// shape function.
func (t *Triangles) ForcePerStress(i, corner int) float64 {
	e := t.element(i)
	gx, gy := -(e.bx + e.cx), -(e.by + e.cy)
	switch corner {
	case 1:
		gx, gy = e.bx, e.by
	case 2:
		gx, gy = e.cx, e.cy
	}
	return e.volume * math.Sqrt(float64(gx*gx)+float64(gy*gy))
}

// Softest returns the least ratio of stress to strain of triangle i over all directions of strain,
// both in Frobenius' norm [Pa]. It returns 0 for a triangle with a law, for which it is not known.
func (t *Triangles) Softest(i int) float64 {
	if t.lawful != nil && t.lawful.law[t.runOf(i).material] != nil {
		return 0
	}
	m := &t.moduli[t.runOf(i).material]
	return min(2*m.G, m.C11-m.C12, m.C11+m.C12)
}
