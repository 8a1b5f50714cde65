package fem

import (
	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// The state before the step, with which a law with plastic flow computes the work of its flow.

// origin has the data from which a batch computes the deformation of its triangles before the step.
type origin struct {
	t      *Triangles
	r      *run
	blocks []block
	from   int
	x, v   []r2.Vec // positions, and the velocities that led there; nil without plastic work
}

// expect makes the deformation gradients before the step available to a law.
func (w *batch) expect(t *Triangles, r *run, blocks []block, from int) {
	w.origin.t, w.origin.r, w.origin.blocks, w.origin.from = t, r, blocks, from
	w.in.Before = w.before
}

// setEarlier computes these deformation gradients.
func (w *batch) setEarlier() {
	o, e := &w.origin, w.earlier
	l, n := o.t.lawful, lanes*len(o.blocks)
	from := l.from
	if from == nil {
		from = l.origins(o.x, o.v)
	}
	if o.t.kernel.deformation(e, o.blocks, from) < len(o.blocks) { // it was not inverted a step ago
		e.f = w.f
	} else {
		e.shrink(o.t.swollen, int(o.r.firstLane)+o.from, n)
		if w.joined {
			e.join(o.t, o.r, o.blocks, o.from)
		}
	}
	w.in.BXX, w.in.BXY, w.in.BYX, w.in.BYY = e.f[0][:n], e.f[1][:n], e.f[2][:n], e.f[3][:n]
}

// shrink makes the deformation of n lanes that with the free strains before the step.
func (e *batch) shrink(w *swelling, first, n int) {
	if w == nil {
		return
	}
	for k, of := range w.earlierStretch[first : first+n] {
		if of != 1 {
			for c := range e.f {
				e.f[c][k] *= of
			}
			e.det[k] *= float64(of * of)
		}
	}
}

// setPlasticWork sets the plastic work of the triangles that have flowed in an increment of a
// static analysis. It is the work of the nodal forces that is not stored. Increments are long, and
// the law's own account has an error of third order in the strain. With l = dF F^-1 at both ends, V
// the volume in the reference configuration, and the sum over the partners of a pair,
//
//	sum V D = sum V ((tau_n : l_n + tau_n+1 : l_n+1)/2 - psi_n+1 + psi_n)
//
// where tau_n and psi_n are the elastic response of the law in the state before.
func (w *batch) setPlasticWork(t *Triangles, r *run, blocks []block, from int) {
	e, n := w.earlier, lanes*len(blocks)
	e.answer(w, t, r, blocks, from)
	work, before := w.out.Mem[r.spent[0]], w.in.Mem[r.spent[0]]
	for k := 0; k < n; k += 2 {
		b, l := &blocks[k/lanes], k%lanes
		pair := w.joined && r.partners(b, l, from+k)
		var missing, volume [2]float64
		for j := range missing {
			if volume[j] = b.volume[l+j]; volume[j] > 0 {
				missing[j] = w.done(k+j) - (w.out.Energy[k+j] - e.out.Energy[k+j]) - (work[k+j] - before[k+j])
			}
		}
		flows := [2]bool{work[k] != before[k], work[k+1] != before[k+1]}
		if pair && (flows[0] || flows[1]) {
			mean := (float64(volume[0]*missing[0]) + float64(volume[1]*missing[1])) / (volume[0] + volume[1])
			missing, flows = [2]float64{mean, mean}, [2]bool{true, true}
		}
		for j := range missing {
			if flows[j] {
				work[k+j] += missing[j]
			}
		}
	}
}

// answer evaluates the law in the state before the increment of w, to which the memory belongs. The
// response is elastic: in pairs that share more than the volume the stress may be slightly outside
// the yield surface, and must not return to it.
func (e *batch) answer(w *batch, t *Triangles, r *run, blocks []block, from int) {
	if e.joined = w.joined; e.memory == nil {
		e.in.Mem, e.out.Mem, e.memory = make([][]float64, len(w.memory)), make([][]float64, len(w.memory)), make([][]float64, len(w.memory))
		for v := range e.memory {
			e.memory[v] = make([]float64, batchLanes)
		}
	}
	e.prepare(t, r, from, lanes*len(blocks), false)
	e.in.Across = e.in.BAcross
	r.elasticResponse.Eval(&e.in, &e.out)
	if e.joined {
		e.even(t, r, blocks, from)
	}
}

// done returns the work of the forces of lane k in the increment [J/m3].
func (w *batch) done(k int) float64 {
	e := w.earlier
	of, to := 1.0, 1.0 // factors of the pair, which the gradients contain
	if w.joined {
		of, to = e.det[k]/e.cofactor[k], w.det[k]/w.cofactor[k]
	}
	bxx, bxy, byx, byy := float64(of*e.f[0][k]), float64(of*e.f[1][k]), float64(of*e.f[2][k]), float64(of*e.f[3][k])
	fxx, fxy, fyx, fyy := float64(to*w.f[0][k]), float64(to*w.f[1][k]), float64(to*w.f[2][k]), float64(to*w.f[3][k])
	dxx, dxy, dyx, dyy := fxx-bxx, fxy-bxy, fyx-byx, fyy-byy
	power := func(o *bulk.Output, xx, xy, yx, yy, det float64) float64 { // tau : dF F^-1
		return (float64(o.TXX[k]*(float64(dxx*yy)-float64(dxy*yx))) + float64(o.TYY[k]*(float64(dyy*xx)-float64(dyx*xy))) +
			float64(o.TXY[k]*(float64(dxy*xx)-float64(dxx*xy)+float64(dyx*yy)-float64(dyy*yx)))) / det
	}
	sum := power(&e.out, bxx, bxy, byx, byy, e.det[k]) + power(&w.out, fxx, fxy, fyx, fyy, w.det[k])
	if w.in.Across != nil {
		to, from := w.in.Across[k], w.in.BAcross[k]
		sum += float64((to - from) * (e.out.TZZ[k]/from + w.out.TZZ[k]/to))
	}
	return 0.5 * sum
}

// origins returns the positions of the nodes a step ago, from the velocities v that led to x. The
// first part that calls it computes them for all.
func (l *lawful) origins(x, v []r2.Vec) []r2.Vec {
	l.finding.Lock()
	defer l.finding.Unlock()
	if !l.found {
		l.found = true
		if len(l.were) != len(x) {
			l.were = make([]r2.Vec, len(x))
		}
		were := l.were
		for i, p := range x[:len(were)] {
			w := v[i]
			were[i] = r2.Vec{X: p.X - float64(l.length*w.X), Y: p.Y - float64(l.length*w.Y)}
		}
	}
	return l.were
}
