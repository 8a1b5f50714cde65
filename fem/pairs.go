package fem

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Constant-strain triangles lock in plane strain if the material is incompressible: each triangle
// has to keep its volume, and a mesh has only one node for two triangles. So two triangles with a
// common edge share their volume (F-bar patches: de Souza Neto, Andrade Pires and Owen,
// International Journal for Numerical Methods in Engineering 62 (2005) 353-383). With V the
// stress-free volumes and J = det F, the law is evaluated with
//
//	Fb = s F,  s^2 = Jb/J,  Jb = (V1 J1 + V2 J2)/(V1 + V2)
//
// and the forces are the gradient of the energy sum V psi(Fb). Let m be half of the trace, in the
// plane, of the stress tau(Fb) that the law returns. Then
//
//	tau = tau(Fb) + (J (V1 m1 + V2 m2)/(V1 J1 + V2 J2) - m) 1
//
// so that both have the same mean Cauchy stress in the plane. For triangles with an initial stress
// J is relative to that state. Partners are in lanes 0 and 1, or 2 and 3, of a block.

// Pair makes every triangle i with pairs[i] share its volume with triangle i+1, which must be in
// the same run and block, as mesh.WithPairs orders them. The material of both must have a law.
func (t *Triangles) Pair(pairs []bool) {
	for k := range t.runs {
		r := &t.runs[k]
		for i := int(r.first); i < t.end(k); i++ {
			if !pairs[i] {
				continue
			}
			if j := i - int(r.first); r.law == nil || j%2 != 0 || i+1 >= t.end(k) {
				panic("fem: a pair of triangles that do not stand side by side, or have no law")
			}
			if r.paired == nil {
				r.paired = make([]bool, lanes/2*(r.end-r.block))
			}
			r.paired[(i-int(r.first))/2] = true
		}
		if r.paired != nil {
			r.whole = make([]bool, r.end-r.block)
			for b := range r.whole {
				v := &t.blocks[int(r.block)+b].volume
				r.whole[b] = r.paired[2*b] && r.paired[2*b+1] && min(v[0], v[1], v[2], v[3]) > 0
			}
		}
	}
}

// Paired returns the triangle with which triangle i shares its volume, -1 for none.
func (t *Triangles) Paired(i int) int {
	r := t.runOf(i)
	if j := i - int(r.first); r.paired != nil && r.paired[j/2] {
		return int(r.first) + (j ^ 1)
	}
	return -1
}

// share returns the factors s of two triangles with volumes v and determinants det. d are the
// determinants of the deformation by the initial stress.
func share(v, det, d [2]float64) (s [2]float64) {
	now, first := float64(v[0]*det[0])+float64(v[1]*det[1]), float64(v[0]*d[0])+float64(v[1]*d[1])
	for k := range s {
		s[k] = math.Sqrt(float64(now*d[k]) / float64(first*det[k]))
	}
	return s
}

// squeezedAt returns the determinant of the deformation by the initial stress of triangle i.
// Of free strain pairs share what is elastic.
func (t *Triangles) squeezedAt(i int) float64 {
	switch {
	case t.squeezed == nil:
		return 1
	case t.swollen != nil:
		return t.swollen.base[i].squeezed
	}
	return t.squeezed[i]
}

// join scales the deformation gradients of the pairs of some blocks of a run. from is the number of
// their first lane in the run.
func (w *batch) join(t *Triangles, r *run, blocks []block, from int) {
	for at := 0; at < len(blocks); {
		if n := r.wholes(len(blocks)-at, from+lanes*at); n > 0 && t.kernel.join != nil && t.squeezed == nil {
			t.kernel.join(w, blocks[at:at+n], at)
			at += n
			continue
		}
		w.joinBlock(t, r, &blocks[at], from, at)
		at++
	}
}

// wholes returns the number of blocks at the beginning of n blocks that have two whole pairs each,
// without removed triangles. from is the number of their first lane in the run.
func (r *run) wholes(n, from int) int {
	if i := slices.Index(r.whole[from/lanes:][:n], false); i >= 0 {
		return i
	}
	return n
}

// partners tells whether lanes l and l+1 of a block are a pair without removed triangles. k is the
// number of lane l in the run.
func (r *run) partners(b *block, l, k int) bool {
	return r.paired[k/2] && b.volume[l] > 0 && b.volume[l+1] > 0
}

// joinBlock is join for block number at of a batch.
func (w *batch) joinBlock(t *Triangles, r *run, b *block, from, at int) {
	k := lanes * at
	copy(w.cofactor[k:k+lanes], w.det[k:k+lanes])
	for l := 0; l < lanes; l += 2 {
		if k := k + l; r.partners(b, l, from+k) {
			i := int(r.first) + from + k
			s := share([2]float64{b.volume[l], b.volume[l+1]}, [2]float64{w.det[k], w.det[k+1]}, [2]float64{t.squeezedAt(i), t.squeezedAt(i + 1)})
			for j, s := range s {
				for c := range w.f {
					w.f[c][k+j] *= s
				}
				w.cofactor[k+j] *= s
			}
		}
	}
}

// volumes returns the volumes of the triangles of some blocks that are in pairs; 0 for other
// triangles.
func (w *batch) volumes(r *run, blocks []block, from int) []float64 {
	for i := range blocks {
		for l := 0; l < lanes; l += 2 {
			k, b := lanes*i+l, &blocks[i]
			w.volume[k], w.volume[k+1] = 0, 0
			if r.partners(b, l, from+k) {
				w.volume[k], w.volume[k+1] = b.volume[l], b.volume[l+1]
			}
		}
	}
	return w.volume[:lanes*len(blocks)]
}

// even sets the common mean stress of the pairs of some blocks.
func (w *batch) even(t *Triangles, r *run, blocks []block, from int) {
	for at := 0; at < len(blocks); {
		if n := r.wholes(len(blocks)-at, from+lanes*at); n > 0 && t.kernel.even != nil {
			t.kernel.even(w, blocks[at:at+n], at)
			at += n
			continue
		}
		w.evenBlock(r, &blocks[at], from, at)
		at++
	}
}

// evenBlock is even for block number at of a batch.
func (w *batch) evenBlock(r *run, b *block, from, at int) {
	o := &w.out
	for l := 0; l < lanes; l += 2 {
		k := lanes*at + l
		if !r.partners(b, l, from+k) {
			continue
		}
		v1, v2 := b.volume[l], b.volume[l+1]
		m1, m2 := float64(0.5*(o.TXX[k]+o.TYY[k])), float64(0.5*(o.TXX[k+1]+o.TYY[k+1]))
		mean := (float64(v1*m1) + float64(v2*m2)) / (float64(v1*w.det[k]) + float64(v2*w.det[k+1])) // mean Cauchy stress
		for j, m := range [2]float64{m1, m2} {
			det, joined := w.det[k+j], w.cofactor[k+j]
			more := float64(det*mean) - m
			o.TXX[k+j] += more
			o.TYY[k+j] += more
			o.TZZ[k+j] = float64(float64(det*det)*o.TZZ[k+j]) / float64(joined*joined) // relative to the common volume
		}
	}
}

// Unpair separates the pair of triangles i and k, if they are a pair, at positions x [m], because a
// crack runs between them. From then on each triangle scales its gradients by its present factor,
// so the stored energy does not change.
func (t *Triangles) Unpair(i, k int32, x []r2.Vec) {
	i, k = min(i, k), max(i, k)
	r := t.runOf(int(i))
	j := int(i - r.first)
	if k != i+1 || r.paired == nil || j%2 != 0 || !r.paired[j/2] {
		return
	}
	b, l := &t.blocks[int(r.block)+j/lanes], j%lanes
	var v, det, d [2]float64
	for n := range v {
		e := b.at(l+n, r.material)
		f := t.gradient(&e, x)
		v[n], det[n], d[n] = e.volume, float64(f.xx*f.yy)-float64(f.xy*f.yx), t.squeezedAt(int(i)+n)
	}
	s := share(v, det, d)
	t.Separated.Pairs = append(t.Separated.Pairs, i)
	t.Separated.Factors = append(t.Separated.Factors, s[0], s[1])
	t.parted++
	t.unpair(i, s)
}

// Separated is the pairs that have been separated, a part of the state.
type Separated struct {
	Pairs   []int32   // first triangle of each pair, in the order of separation
	Factors []float64 // two factors of each pair
}

// RestoreSeparated separates the pairs in Separated after a state has been read into it, but for those that
// are separated already. It fails if a pair does not exist.
func (t *Triangles) RestoreSeparated() error {
	if len(t.Separated.Factors) != 2*len(t.Separated.Pairs) {
		return errors.New("separated pairs of triangles and their factors differ in number")
	}
	for ; t.parted < len(t.Separated.Pairs); t.parted++ {
		i := t.Separated.Pairs[t.parted]
		if i < 0 || int(i) >= t.count || t.Paired(int(i)) != int(i)+1 {
			return fmt.Errorf("triangle %d does not begin a pair", i)
		}
		t.unpair(i, [2]float64(t.Separated.Factors[2*t.parted:]))
	}
	return nil
}

// unpair separates a pair with its factors.
func (t *Triangles) unpair(i int32, s [2]float64) {
	r := t.runOf(int(i))
	j := int(i - r.first)
	b, l := &t.blocks[int(r.block)+j/lanes], j%lanes
	r.paired[j/2], r.whole[j/lanes] = false, false
	for n, s := range s {
		b.bx[l+n], b.by[l+n], b.cx[l+n], b.cy[l+n] = float64(s*b.bx[l+n]), float64(s*b.by[l+n]), float64(s*b.cx[l+n]), float64(s*b.cy[l+n])
		if t.swollen != nil {
			of := &t.swollen.base[int(i)+n]
			of.bx, of.by, of.cx, of.cy = float64(s*of.bx), float64(s*of.by), float64(s*of.cx), float64(s*of.cy)
		}
	}
}
