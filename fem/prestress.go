package fem

import (
	"fmt"
	"math"
	"slices"

	"fdem/materials/bulk"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Prestress sets the Cauchy stress in the plane of triangle i in the reference positions [Pa]. ZZ
// follows from the other components as in Stresses. The stress-free shape of the triangle becomes
// G^-1 times its own shape, with the stretch G that causes the stress; its mass does not change. So
// the triangle unloads, rotates and breaks like any other, and the kernels need no special case. It
// fails for stresses that need a strain above maxPrestrain.
//
// A triangle with a law gets the state of a stress that has acted for an infinite time. A stress
// beyond the yield surface is an error.
func (t *Triangles) Prestress(i int, s Stress) error {
	r := t.runOf(i)
	var g tensor
	var err error
	if r.law != nil {
		g, err = t.settled(r, i, s)
	} else {
		g, err = stretched(t.moduli[r.material], s)
	}
	if err != nil {
		return fmt.Errorf("triangle %d: %w", t.id[i], err)
	}
	t.mayBeSqueezed()
	k := i - int(r.first)
	b := &t.blocks[int(r.block)+k/lanes]
	last := k%lanes + 1
	if t.fills(r, i) {
		last = lanes
	}
	det := float64(g.xx*g.yy) - float64(g.xy*g.yx)
	t.squeezed[i] *= det
	for l := k % lanes; l < last; l++ {
		// gradients in the stress-free shape: G grad N
		b.bx[l], b.by[l] = float64(g.xx*b.bx[l])+float64(g.xy*b.by[l]), float64(g.yx*b.bx[l])+float64(g.yy*b.by[l])
		b.cx[l], b.cy[l] = float64(g.xx*b.cx[l])+float64(g.xy*b.cy[l]), float64(g.yx*b.cx[l])+float64(g.yy*b.cy[l])
		b.volume[l] /= det
	}
	return nil
}

// maxPrestrain is the greatest strain that an initial stress may cause.
const maxPrestrain = 0.1

// stretched returns the symmetric deformation gradient U whose Cauchy stress
// U S U / det U, S = C : (U U - 1)/2, is s.
func stretched(m bulk.Moduli, s Stress) (tensor, error) {
	const rounds = 100
	u := tensor{xx: 1, yy: 1}
	d := float64(m.C11*m.C11) - float64(m.C12*m.C12)
	for range rounds {
		det := float64(u.xx*u.yy) - float64(u.xy*u.xy)
		// S = det U^-1 s U^-1
		vxx, vyy, vxy := u.yy/det, u.xx/det, -u.xy/det
		pxx, pxy := float64(vxx*s.XX)+float64(vxy*s.XY), float64(vxx*s.XY)+float64(vxy*s.YY)
		pyx, pyy := float64(vxy*s.XX)+float64(vyy*s.XY), float64(vxy*s.XY)+float64(vyy*s.YY)
		sxx := det * (float64(pxx*vxx) + float64(pxy*vxy))
		syy := det * (float64(pyx*vxy) + float64(pyy*vyy))
		sxy := det * (float64(pxx*vxy) + float64(pxy*vyy))
		exx, eyy := (float64(m.C11*sxx)-float64(m.C12*syy))/d, (float64(m.C11*syy)-float64(m.C12*sxx))/d
		exy := sxy / (2 * m.G)
		if !(math.Abs(exx)+math.Abs(eyy)+math.Abs(exy) < maxPrestrain) {
			return tensor{}, tooSoft(s)
		}
		// the root of 1 + 2 E: (C + sqrt(det C) 1) / sqrt(tr C + 2 sqrt(det C))
		cxx, cyy, cxy := 1+float64(2*exx), 1+float64(2*eyy), float64(2*exy)
		root := math.Sqrt(float64(cxx*cyy) - float64(cxy*cxy))
		over := math.Sqrt(cxx + cyy + float64(2*root))
		next := tensor{xx: (cxx + root) / over, yy: (cyy + root) / over, xy: cxy / over, yx: cxy / over}
		if next == u {
			break
		}
		u = next
	}
	return u, nil
}

// tooSoft returns the error for a stress that needs too great a strain.
func tooSoft(s Stress) error {
	return fmt.Errorf("an initial stress of (%g, %g, %g) Pa strains the material by more than %g: it is too soft, or the stress not in Pa", s.XX, s.YY, s.XY, maxPrestrain)
}

// settled is stretched for triangle i of a run with a law, and sets its memory. It iterates: the
// missing stress divided by the initial moduli corrects the logarithmic strain of U.
func (t *Triangles) settled(r *run, i int, s Stress) (tensor, error) {
	const rounds, exact, rounding, forEver = 200, 1e-12, 4e-16, 1e30 // rounding of U, a strain
	w, from := t.lawful.serial, i-int(r.first)
	u := tensor{xx: 1, yy: 1}
	evaluate := func() (now Stress, lost float64) {
		w.f[0][0], w.f[1][0], w.f[2][0], w.f[3][0] = u.xx, u.xy, u.yx, u.yy
		w.prepare(t, r, from, 1, false)
		w.in.Step = forEver
		r.law.Eval(&w.in, &w.out)
		j := w.out.Thickness[0] * (float64(u.xx*u.yy) - float64(u.xy*u.yx))
		for v, of := range r.law.Memory() {
			if of.Name == bulk.PlasticWork {
				lost = w.out.Mem[v][0]
			}
		}
		return Stress{XX: w.out.TXX[0] / j, YY: w.out.TYY[0] / j, XY: w.out.TXY[0] / j}, lost
	}
	now, _ := evaluate()
	var c bulk.Tangent
	r.law.Tangent(&w.in, 0, &c)
	enough := float64(exact*(math.Abs(s.XX)+math.Abs(s.YY)+math.Abs(s.XY))) + float64(rounding*(math.Abs(c.C[0][0])+math.Abs(c.C[1][1])))
	var e, before tensor
	yields := false
	for range rounds {
		lacks := Stress{XX: s.XX - now.XX, YY: s.YY - now.YY, XY: s.XY - now.XY}
		if !yields && math.Abs(lacks.XX)+math.Abs(lacks.YY)+math.Abs(lacks.XY) <= enough {
			for v := range w.out.Mem {
				t.memory(r, t.lawful.now, v)[from], t.memory(r, t.lawful.next, v)[from] = w.out.Mem[v][0], w.out.Mem[v][0]
			}
			return u, nil
		}
		if yields { // back towards the last strain without yielding
			e = tensor{xx: 0.5 * (e.xx + before.xx), yy: 0.5 * (e.yy + before.yy), xy: 0.5 * (e.xy + before.xy)}
		} else {
			before = e
			dxx, dyy, dxy := solve3(&c.C, lacks)
			e.xx, e.yy, e.xy = e.xx+dxx, e.yy+dyy, e.xy+float64(0.5*dxy)
		}
		if !(math.Abs(e.xx)+math.Abs(e.yy)+math.Abs(e.xy) < maxPrestrain) {
			return tensor{}, tooSoft(s)
		}
		u = exponential(e)
		var lost float64
		now, lost = evaluate()
		yields = lost > 0
	}
	return tensor{}, fmt.Errorf("an initial stress of (%g, %g, %g) Pa is more than the material carries without yielding", s.XX, s.YY, s.XY)
}

// solve3 returns the strains xx, yy and twice xy for which c times them is the stress.
func solve3(c *[3][3]float64, s Stress) (xx, yy, twoxy float64) {
	det := func(a, b, c [3]float64) float64 {
		return float64(a[0]*(float64(b[1]*c[2])-float64(b[2]*c[1]))) + float64(a[1]*(float64(b[2]*c[0])-float64(b[0]*c[2]))) + float64(a[2]*(float64(b[0]*c[1])-float64(b[1]*c[0])))
	}
	column := func(k int) [3]float64 { return [3]float64{c[0][k], c[1][k], c[2][k]} }
	p, q, r, right := column(0), column(1), column(2), [3]float64{s.XX, s.YY, s.XY}
	d := det(p, q, r)
	return det(right, q, r) / d, det(p, right, r) / d, det(p, q, right) / d
}

// exponential returns exp e of a symmetric tensor.
func exponential(e tensor) tensor {
	m, d := float64(0.5*(e.xx+e.yy)), float64(0.5*(e.xx-e.yy))
	r := math.Sqrt(float64(d*d) + float64(e.xy*e.xy))
	high, low := elementary.Exp(m+r), elementary.Exp(m-r)
	mean, half := float64(0.5*(high+low)), float64(0.5*(high-low))
	c, s := 1.0, 0.0
	if r > 0 {
		c, s = d/r, e.xy/r
	}
	return tensor{xx: mean + float64(half*c), yy: mean - float64(half*c), xy: float64(half * s), yx: float64(half * s)}
}

// densityOf returns the density of triangle i in its stress-free shape [kg/m3].
func (t *Triangles) densityOf(i int, material int32) float64 {
	if t.squeezed == nil {
		return t.density[material]
	}
	return t.density[material] * t.squeezed[i]
}

// Thermal expansion (eigenstrain). A triangle of the St. Venant-Kirchhoff material has the stress S
// = C : (E - beta 1), with its free strain beta. It is stored as a triangle whose stress-free shape
// is stretched by lambda, lambda^2 = 1 + 2 beta: gradients divided by lambda, volume times lambda^4.
// Then forces, energy and tangent are exactly those of S, and the kernels need no special case. The
// kernels' Cauchy stress is the true one divided by lambda^2, which Stress and ComputeStresses
// multiply.
//
// A triangle with a law has F / lambda, lambda = 1 + beta, and the volume times lambda^2: the
// multiplicative decomposition of Lu and Pister (1975), per area of the plane. In plane strain a law
// with a memory also has the elastic stretch 1/lambda across the plane, since what it remembers
// changes Poisson's ratio; and the volume times lambda^3.

// swelling is the free strain of triangles.
type swelling struct {
	base   []unswollen // per triangle
	beta   []float64   // per triangle
	factor []float64   // per lane of blocks: lambda^2 of triangles without a law, 1 for others
	axial  []float64   // per triangle: the stress out of the plane besides that of the strain in it [Pa]

	// per lane of triangles with laws: 1/lambda now and at the end of the last step, across the plane (1 for
	// laws without memory) and in it; nil without laws
	across, earlierAcross, earlierStretch []float64
}

// unswollen is a triangle without free strain.
type unswollen struct{ bx, by, cx, cy, volume, squeezed float64 }

// MaySwell prepares triangles for free strains. Their present shapes are those without.
func (t *Triangles) MaySwell() {
	t.mayBeSqueezed()
	w := &swelling{base: make([]unswollen, t.count), beta: make([]float64, t.count), axial: make([]float64, t.count), factor: make([]float64, lanes*len(t.blocks))}
	for i, e := range t.elements {
		w.base[i] = unswollen{e.bx, e.by, e.cx, e.cy, e.volume, t.squeezed[i]}
	}
	for l := range w.factor {
		w.factor[l] = 1
	}
	if l := t.lawful; l != nil {
		n := len(l.xx)
		w.across, w.earlierAcross, w.earlierStretch = slices.Repeat([]float64{1}, n), slices.Repeat([]float64{1}, n), slices.Repeat([]float64{1}, n)
	}
	t.swollen = w
}

// SwellsAcross tells whether the free strain of triangle i acts across the plane as well.
func (t *Triangles) SwellsAcross(i int) bool { return t.swellsAcross(t.runOf(i)) }

func (t *Triangles) swellsAcross(r *run) bool {
	return r.law != nil && t.lawful.plane == bulk.PlaneStrain && len(r.law.Memory()) > 0
}

// Swelled tells that the free strains do not change in this step.
func (t *Triangles) Swelled() {
	if w := t.swollen; w.across != nil {
		copy(w.earlierAcross, w.across)
		for i := range w.earlierStretch {
			w.earlierStretch[i] = 1
		}
	}
}

// mayBeSqueezed makes room for stress-free volumes other than those of the mesh.
func (t *Triangles) mayBeSqueezed() {
	if t.squeezed != nil {
		return
	}
	t.squeezed = make([]float64, t.count)
	for k := range t.squeezed {
		t.squeezed[k] = 1
	}
}

// Swell gives triangle i the free strain beta in its plane, which was another one at the end of the last
// step, and a stress out of the plane besides that of its strain in the plane [Pa]. Its mass does not change.
func (t *Triangles) Swell(i int, was, beta, axial float64) {
	w, r := t.swollen, t.runOf(i)
	k := i - int(r.first)
	b := &t.blocks[int(r.block)+k/lanes]
	if b.volume[k%lanes] == 0 { // it has been removed
		return
	}
	last := k%lanes + 1
	if t.fills(r, i) {
		last = lanes
	}
	stretch := 1 + beta
	volume := stretch * stretch
	factor := 1.0
	if r.law == nil {
		factor = 1 + float64(2*beta)
		stretch = math.Sqrt(factor)
		volume = factor * factor
	}
	across := t.swellsAcross(r)
	if across {
		volume *= stretch
	}
	of := &w.base[i]
	w.beta[i], w.axial[i], t.squeezed[i] = beta, axial, of.squeezed/volume
	for l := k % lanes; l < last; l++ {
		b.bx[l], b.by[l], b.cx[l], b.cy[l] = of.bx/stretch, of.by/stretch, of.cx/stretch, of.cy/stretch
		w.factor[lanes*(int(r.block)+k/lanes)+l] = factor
		if r.law != nil {
			at := int(r.firstLane) + k/lanes*lanes + l
			w.earlierStretch[at] = stretch / (1 + was)
			if across {
				w.across[at], w.earlierAcross[at] = 1/stretch, 1/(1+was)
			}
		}
	}
	b.volume[k%lanes] = of.volume * volume
}

// SwellingWork returns the increase of the energy of triangle i by a change of its free strain from
// one value to another, at the mean of the strains at positions x0 and x1 [J]. For the St.
// Venant-Kirchhoff material the energy is V/2 (E - beta 1) : C : (E - beta 1), so that the result is
// exact at x0 = x1, and complete for a change of both along a line. It is 0 for a triangle with a
// law, see SwellingForce.
func (t *Triangles) SwellingWork(i int, x0, x1 []r2.Vec, from, to float64) float64 {
	r := t.runOf(i)
	e := t.element(i)
	if r.law != nil || e.volume == 0 {
		return 0
	}
	of, m := &t.swollen.base[i], &t.moduli[e.material]
	e.bx, e.by, e.cx, e.cy = of.bx, of.by, of.cx, of.cy
	sum := 0.0
	for _, x := range [2][]r2.Vec{x0, x1} {
		exx, eyy, _ := strain(t.gradient(&e, x))
		sum += exx + eyy
	}
	return float64(of.volume*(m.C11+m.C12)) * (float64((to-from)*(to+from)) - float64(0.5*sum*(to-from)))
}

// SwellingForce returns the derivative of the energy of triangle i with a law with respect to its
// free strain, at the last evaluation [J]; 0 for other triangles.
func (t *Triangles) SwellingForce(i int) float64 {
	r := t.runOf(i)
	k := i - int(r.first)
	b, l := r.block+int32(k/lanes), k%lanes
	if r.law == nil || t.blocks[b].volume[l] == 0 {
		return 0
	}
	w, at := t.lawful, r.lawLane(b, l)
	energy := w.energy[at]
	for _, v := range r.spent {
		if v >= 0 {
			energy += t.memory(r, w.next, v)[k]
		}
	}
	push := float64(2*energy) - (w.xx[at] + w.yy[at])
	if t.swellsAcross(r) {
		push += energy - w.zz[at]
	}
	return t.blocks[b].volume[l] * push / (1 + t.swollen.beta[i])
}

// SwellingPush returns the forces of triangle i on its corners if its free strain were held: a push
// [N m] times the gradients of the corners' shape functions [1/m].
func (t *Triangles) SwellingPush(i int) (push float64, of [3]r2.Vec) {
	e := t.element(i)
	if e.volume == 0 {
		return 0, of
	}
	base, m := &t.swollen.base[i], &t.moduli[e.material]
	of[1], of[2] = r2.Vec{X: base.bx, Y: base.by}, r2.Vec{X: base.cx, Y: base.cy}
	of[0] = r2.Vec{X: -(base.bx + base.cx), Y: -(base.by + base.cy)}
	push = m.C11 + m.C12
	if t.SwellsAcross(i) {
		push += m.C12
	}
	return base.volume * push * t.swollen.beta[i], of
}

// correct makes the kernel's Cauchy stress of triangle i the true one.
func (w *swelling) correct(i int, lane int32, s *Stress) {
	f := w.factor[lane]
	s.XX, s.YY, s.XY = f*s.XX, f*s.YY, f*s.XY
	s.ZZ += w.axial[i]
}

// correctBlocks does the same for stresses of blocks in the plane.
func (w *swelling) correctBlocks(list []int32, stress []BlockStress) {
	for _, b := range list {
		s, f := &stress[b], w.factor[lanes*b:][:lanes]
		for l := range lanes {
			s.XX[l], s.YY[l], s.XY[l] = f[l]*s.XX[l], f[l]*s.YY[l], f[l]*s.XY[l]
		}
	}
}
