package fem

import (
	"math"
	"slices"
	"sync"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// Triangles whose material has a constitutive law (package bulk) are in separate runs, which the
// kernels for the St. Venant-Kirchhoff material skip. They also have a memory, in two buffers, and
// the stress that the law returned last, which all results use. An evaluation reads the committed
// buffer and writes the other one. A commit exchanges the two when the next evaluation begins. So
// forces may be computed twice at the same positions, and a trial position changes nothing.
//
//	lane l of block b of run r   lane = r.firstLane + 4 (b - r.block) + l
//	value v of the memory        r.memory + v n + lane - r.firstLane, n = lanes of the run

// lawful is the state of the triangles with laws.
type lawful struct {
	law       []bulk.Law // per material; nil for St. Venant-Kirchhoff
	plane     bulk.Plane
	now, next []float64 // memory: committed, and written by the last evaluation
	pending   bool      // the last evaluation will be committed
	step      int64     // step of the last evaluation
	length    float64   // length of the step that led to the current positions [s]
	measuring bool      // parts compute the greatest frequency at the present positions

	xx, yy, xy, zz []float64 // Kirchhoff stress [Pa]
	thickness      []float64 // relative to the initial thickness; nil in plane strain, where it is constant
	energy         []float64 // stored [J/m3]
	size           []float64 // square root of the reference area [m]; nil if no law softens
	from           []r2.Vec  // positions at the start of the increment of a static analysis [m]; nil otherwise
	serial         *batch    // batch of AddForces
	removed        removed   // triangles without force and mass

	finding sync.Mutex
	found   bool     // were has been computed for this step
	were    []r2.Vec // positions before the step, if a triangle flows plastically in it [m]
}

// Follow sets the laws of the materials, nil for St. Venant-Kirchhoff. It must be called before
// Subdomains.
func (t *Triangles) Follow(laws []bulk.Law, plane bulk.Plane) {
	laneCount, values := int32(0), 0
	l := &lawful{law: laws, plane: plane}
	for i := range t.runs {
		r := &t.runs[i]
		if r.law = laws[r.material]; r.law == nil {
			continue
		}
		r.sharing, _ = r.law.(bulk.Sharing)
		if law, ok := r.law.(bulk.Yielding); ok {
			r.elasticResponse = law.ElasticResponse()
		}
		for k, name := range [2]string{bulk.PlasticWork, bulk.ViscousWork} {
			r.spent[k] = slices.IndexFunc(r.law.Memory(), func(v bulk.Value) bool { return v.Name == name })
		}
		n := lanes * (r.end - r.block)
		r.firstLane, r.memory = laneCount, values
		laneCount += n
		values += int(n) * len(r.law.Memory())
	}
	if laneCount == 0 {
		return
	}
	t.lawful = l
	l.now, l.next = make([]float64, values), make([]float64, values)
	for i := range t.runs {
		if r := &t.runs[i]; r.law != nil {
			for v, of := range r.law.Memory() {
				for k := range t.memory(r, l.now, v) {
					t.memory(r, l.now, v)[k] = of.First
				}
			}
		}
	}
	copy(l.next, l.now)
	for _, a := range []*[]float64{&l.xx, &l.yy, &l.xy, &l.zz, &l.energy} {
		*a = make([]float64, laneCount)
	}
	if plane == bulk.PlaneStress {
		l.thickness = slices.Repeat([]float64{1}, int(laneCount))
	}
	if slices.ContainsFunc(laws, softens) {
		l.size = make([]float64, laneCount)
		t.sizes()
	}
	l.serial = t.newBatch()
}

// softens tells whether a law needs the size of its triangles.
func softens(law bulk.Law) bool {
	sized, ok := law.(bulk.Sized)
	return ok && sized.Softens()
}

// sizes sets the square root of the area of each triangle with a law.
func (t *Triangles) sizes() {
	for i := range t.runs {
		r := &t.runs[i]
		for b := r.block; r.law != nil && b < r.end; b++ {
			of := &t.blocks[b]
			for l := range lanes {
				det := float64(of.bx[l]*of.cy[l]) - float64(of.by[l]*of.cx[l])
				t.lawful.size[r.lawLane(b, l)] = math.Sqrt(0.5 / math.Abs(det))
			}
		}
	}
}

// ComeFrom sets the positions x [m] at which the increment of a static analysis began, for
// triangles with laws, because in statics no velocities give them. It returns the array that it
// keeps, which is a part of the state.
func (t *Triangles) ComeFrom(x []r2.Vec) []r2.Vec {
	l := t.lawful
	if l.from == nil {
		l.from = make([]r2.Vec, len(x))
	}
	copy(l.from, x)
	return l.from
}

// Lawful tells whether any triangles have a law.
func (t *Triangles) Lawful() bool { return t.lawful != nil }

// memory returns value v of the triangles of a run in a buffer.
func (t *Triangles) memory(r *run, of []float64, v int) []float64 {
	n := int(lanes * (r.end - r.block))
	return of[r.memory+v*n:][:n:n]
}

// Memory returns the memory of all triangles with laws that determines the forces at a step.
// Together with positions, velocities and the length of the last step it is their state.
func (t *Triangles) Memory(step int64) []float64 {
	l := t.lawful
	of := l.now
	if l.pending && step != l.step {
		of = l.next
	}
	l.removed.restore(of)
	return of
}

// Recall must be called after the array returned by Memory has been filled.
func (t *Triangles) Recall() { t.lawful.pending = false }

// Advance prepares the evaluation of forces at a step number after a step of the given length [s].
// commit tells whether the evaluation will be committed, measure whether Stiffest will be needed.
func (t *Triangles) Advance(step int64, length float64, commit, measure bool) {
	l := t.lawful
	if l.pending && (!commit || step != l.step) {
		l.now, l.next = l.next, l.now
		l.pending = false
	}
	l.removed.restore(l.now)
	if commit {
		l.pending, l.step = true, step
	}
	l.length, l.measuring, l.found = length, measure, false
}

// batchBlocks is the number of blocks that a law evaluates together.
const batchBlocks = 16

const batchLanes = batchBlocks * lanes

// batch has the buffers for the evaluation of a law. The assembly kernel depends on the order of f,
// det and cofactor.
type batch struct {
	in       bulk.Input
	out      bulk.Output
	f        [4][batchLanes]float64 // deformation gradient
	det      [batchLanes]float64
	cofactor [batchLanes]float64    // det times the factor of a pair; cofactors of f are divided by it
	joined   bool                   // cofactor differs from det
	volume   [batchLanes]float64    // volumes of triangles in pairs, 0 for others; for laws whose pairs share more than the volume
	scratch  [6][batchLanes]float64 // results for triangles of other parts
	earlier  *batch                 // the same data before the step, with plastic flow
	origin   origin
	before   func()      // setEarlier, made once
	memory   [][]float64 // memories before the step
	known    frequencies
	stiffest float64  // greatest squared frequency so far [1/s2]
	watch    *watched // thresholds to check, nil for none
	above    []int32  // blocks with triangles above the thresholds, with a bit for each of these triangles
}

func (t *Triangles) newBatch() *batch {
	most := 0
	for i := range t.runs {
		if r := &t.runs[i]; r.law != nil {
			most = max(most, len(r.law.Memory()))
		}
	}
	w := &batch{memory: make([][]float64, most)}
	w.in.Mem, w.out.Mem = make([][]float64, most), make([][]float64, most)
	for v := range w.memory {
		w.memory[v] = make([]float64, batchLanes)
	}
	w.before, w.earlier = w.setEarlier, &batch{}
	return w
}

// prepare sets input and output to the lanes [from, from+n) of a run. Results for triangles that
// another part owns go into the batch's own buffers.
func (w *batch) prepare(t *Triangles, r *run, from, n int, own bool) {
	l := t.lawful
	at := int(r.firstLane) + from
	w.in.Plane, w.in.Step, w.in.Vector = l.plane, l.length, t.kernel.vector
	w.in.FXX, w.in.FXY, w.in.FYX, w.in.FYY = w.f[0][:n], w.f[1][:n], w.f[2][:n], w.f[3][:n]
	w.in.Size, w.in.Before, w.in.BXX = nil, nil, nil
	if l.size != nil {
		w.in.Size = l.size[at : at+n]
	}
	w.in.Across, w.in.BAcross = nil, nil
	if t.swollen != nil && t.swellsAcross(r) {
		w.in.Across, w.in.BAcross = t.swollen.across[at:at+n], t.swollen.earlierAcross[at:at+n]
	}
	values := len(r.law.Memory())
	w.in.Mem, w.out.Mem = w.in.Mem[:values], w.out.Mem[:values]
	for v := range values {
		w.in.Mem[v] = t.memory(r, l.now, v)[from : from+n]
		if own {
			w.out.Mem[v] = t.memory(r, l.next, v)[from : from+n]
		} else {
			w.out.Mem[v] = w.memory[v][:n]
		}
	}
	o, s := &w.out, &w.scratch
	o.TXX, o.TYY, o.TXY, o.TZZ, o.Thickness, o.Energy = s[0][:n], s[1][:n], s[2][:n], s[3][:n], s[4][:n], s[5][:n]
	if !own {
		return
	}
	o.TXX, o.TYY, o.TXY, o.TZZ, o.Energy = l.xx[at:at+n], l.yy[at:at+n], l.xy[at:at+n], l.zz[at:at+n], l.energy[at:at+n]
	if l.thickness != nil {
		o.Thickness = l.thickness[at : at+n]
	}
}

// setDeformation sets the deformation gradients of some blocks at positions x. It returns the
// number of blocks done: all, or fewer if the next block has a triangle that is inverted or NaN.
func (w *batch) setDeformation(blocks []block, x []r2.Vec) int {
	for i := range blocks {
		b := &blocks[i]
		for l := range lanes {
			g := gradient(&x[b.a[l]/stride], &x[b.b[l]/stride], &x[b.c[l]/stride], b.bx[l], b.by[l], b.cx[l], b.cy[l])
			k := lanes*i + l
			w.f[0][k], w.f[1][k], w.f[2][k], w.f[3][k] = g.xx, g.xy, g.yx, g.yy
			w.det[k] = float64(g.xx*g.yy) - float64(g.xy*g.yx)
			if !(w.det[k] > 0) {
				return i
			}
		}
	}
	return len(blocks)
}

// add adds the forces of the blocks [first, end) of a run with a law at positions x to f, where
// f[n-low] is the force on node n, as addForces does.
func (w *batch) add(t *Triangles, r *run, first, end int32, own bool, f, x []r2.Vec, low int32) bool {
	for b := first; b < end; b += batchBlocks {
		blocks := t.blocks[b:min(end, b+batchBlocks)]
		n, from := lanes*len(blocks), int(lanes*(b-r.block))
		if t.kernel.deformation(w, blocks, x) < len(blocks) {
			return false
		}
		w.prepare(t, r, from, n, own)
		if own && w.origin.v != nil {
			w.expect(t, r, blocks, from)
		}
		if w.joined = r.paired != nil; w.joined {
			w.join(t, r, blocks, from)
			r.law.Eval(&w.in, &w.out)
			if r.sharing != nil {
				r.sharing.Share(&w.in, &w.out, w.volumes(r, blocks, from))
			}
			w.even(t, r, blocks, from)
		} else {
			r.law.Eval(&w.in, &w.out)
		}
		if own && r.elasticResponse != nil && w.in.BXX != nil && t.lawful.from != nil {
			w.setPlasticWork(t, r, blocks, from)
		}
		if t.lawful.measuring && own {
			w.measure(t, r, blocks, from)
		}
		if w.watch != nil {
			w.watchStress(blocks, b)
		}
		t.kernel.scatter(w, blocks, f, low)
	}
	return true
}

// cofactors returns the divisors for the cofactors of f.
func (w *batch) cofactors() *[batchLanes]float64 {
	if w.joined {
		return &w.cofactor
	}
	return &w.det
}

// watchStress finds the triangles of some blocks, from block number first on, whose Cauchy stress
// exceeds a threshold. These triangles never sleep, because with plastic flow a bound of the change
// of stress does not bound the change of the forces.
func (w *batch) watchStress(blocks []block, first int32) {
	for i := range blocks {
		b, some := &blocks[i], int32(0)
		for l := range lanes {
			k := lanes*i + l
			j := w.out.Thickness[k] * w.det[k]
			if w.in.Across != nil {
				j *= w.in.Across[k]
			}
			s := Stress{XX: w.out.TXX[k] / j, YY: w.out.TYY[k] / j, XY: w.out.TXY[k] / j}
			if b.volume[l] > 0 && w.watch.passes(s) {
				some |= 1 << l
			}
		}
		if some != 0 {
			w.above = append(w.above, several*(first+int32(i))+w.watch.own.with(some))
		}
	}
}

// passes tells whether a Cauchy stress exceeds one of the thresholds.
func (w *watched) passes(s Stress) bool {
	if w.own.passes(s) {
		return true
	}
	for i := range w.others {
		if w.others[i].passes(s) {
			return true
		}
	}
	return false
}

// passes tells whether a stress exceeds the threshold.
func (a *StressThreshold) passes(s Stress) bool {
	p, q := float64(0.5*(s.XX+s.YY)), 0.5*(s.XX-s.YY)
	r := math.Sqrt(float64(q*q) + float64(s.XY*s.XY))
	return !(p+r <= a.Tension && r+float64(a.Slope*p) <= a.Shear)
}

// scatter adds the forces of the stresses, P = tau F^-T.
func (w *batch) scatter(blocks []block, f []r2.Vec, low int32) {
	det := w.cofactors()
	for i := range blocks {
		b := &blocks[i]
		for l := range lanes {
			k := lanes*i + l
			gbx, gby, gcx, gcy := nodal(b, l, tensor{w.f[0][k], w.f[1][k], w.f[2][k], w.f[3][k]}, det[k], w.out.TXX[k], w.out.TYY[k], w.out.TXY[k])
			fa, fb, fc := &f[b.a[l]/stride-low], &f[b.b[l]/stride-low], &f[b.c[l]/stride-low]
			fa.X += gbx + gcx
			fa.Y += gby + gcy
			fb.X -= gbx
			fb.Y -= gby
			fc.X -= gcx
			fc.Y -= gcy
		}
	}
}

// nodal returns V P grad N of the second and third corner of the triangle in lane l of a
// block, P = tau F^-T.
func nodal(b *block, l int, f tensor, det, txx, tyy, txy float64) (gbx, gby, gcx, gcy float64) {
	v := b.volume[l] / det
	pxx, pxy := v*(float64(txx*f.yy)-float64(txy*f.xy)), v*(float64(txy*f.xx)-float64(txx*f.yx))
	pyx, pyy := v*(float64(txy*f.yy)-float64(tyy*f.xy)), v*(float64(tyy*f.xx)-float64(txy*f.yx))
	bx, by, cx, cy := b.bx[l], b.by[l], b.cx[l], b.cy[l]
	gbx, gby = float64(pxx*bx)+float64(pxy*by), float64(pyx*bx)+float64(pyy*by)
	gcx, gcy = float64(pxx*cx)+float64(pxy*cy), float64(pyx*cx)+float64(pyy*cy)
	return gbx, gby, gcx, gcy
}

// addLaw adds the forces of a span of triangles with a law to f. With damping it adds the damping
// forces, which use the initial moduli, to d.
func (p *Subdomain) addLaw(a span, f, d []r2.Vec, low int32, m *Leapfrog) bool {
	t := p.t
	r := &t.runs[a.run]
	w := p.batch
	w.watch, w.above = nil, p.above
	w.origin.x, w.origin.v = m.X, m.V
	if a.watch >= 0 {
		w.watch = &t.watch[a.watch]
	}
	ok := w.add(t, r, a.block, a.end, a.own, f, m.X, low)
	if p.above = w.above; !ok {
		return false
	}
	if m.Damping != nil {
		addDamping(t.blocks[a.block:a.end], d, m.X, m.V, low, t.constants[r.material])
	}
	return true
}

// addLawful is AddForces for a run with a law. It does not change memory or stresses.
func (t *Triangles) addLawful(r *run, f, x []r2.Vec) error {
	w := t.lawful.serial
	for b := r.block; b < r.end; b++ {
		if !w.add(t, r, b, b+1, false, f, x, 0) {
			return t.inverted(r, b, x)
		}
	}
	return nil
}

// lawLane returns the index of lane l of block b of a run with a law.
func (r *run) lawLane(b int32, l int) int32 { return r.firstLane + lanes*(b-r.block) + int32(l) }

// cauchy returns the Cauchy stress of lane l of block b at positions x: the Kirchhoff stress that
// the law returned last divided by the volume ratio at x.
func (t *Triangles) cauchy(r *run, b int32, l int, x []r2.Vec) (s Stress) {
	of := &t.blocks[b]
	if of.volume[l] == 0 {
		return s
	}
	k, w := r.lawLane(b, l), t.lawful
	e := of.at(l, r.material)
	f := t.gradient(&e, x)
	j := float64(f.xx*f.yy) - float64(f.xy*f.yx)
	if w.thickness != nil {
		j *= w.thickness[k]
	}
	if t.swollen != nil && t.swellsAcross(r) {
		j *= t.swollen.across[k]
	}
	return Stress{XX: w.xx[k] / j, YY: w.yy[k] / j, ZZ: w.zz[k] / j, XY: w.xy[k] / j}
}

// lawForces returns the forces of lane l of block b on its corners at positions x.
func (t *Triangles) lawForces(r *run, b int32, l int, x []r2.Vec) (f [3]r2.Vec) {
	of, k, w := &t.blocks[b], r.lawLane(b, l), t.lawful
	e := of.at(l, r.material)
	g := t.gradient(&e, x)
	det := float64(g.xx*g.yy) - float64(g.xy*g.yx)
	gbx, gby, gcx, gcy := nodal(of, l, g, det, w.xx[k], w.yy[k], w.xy[k])
	f[1], f[2] = r2.Vec{X: -gbx, Y: -gby}, r2.Vec{X: -gcx, Y: -gcy}
	f[0] = r2.Vec{X: gbx + gcx, Y: gby + gcy}
	return f
}

// Loses tells whether a law dissipates the energy with a given name in its memory.
func (t *Triangles) Loses(name string) bool {
	for i := range t.runs {
		if r := &t.runs[i]; r.law != nil && slices.ContainsFunc(r.law.Memory(), func(v bulk.Value) bool { return v.Name == name }) {
			return true
		}
	}
	return false
}

// Shown returns the names of the laws' memory values that results show.
func (t *Triangles) Shown() (out []string) {
	for i := range t.runs {
		if r := &t.runs[i]; r.law != nil {
			for _, v := range r.law.Memory() {
				if v.Shown && !slices.Contains(out, v.Name) {
					out = append(out, v.Name)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// Values sets out to the memory value with that name of every triangle, 0 for triangles without it.
func (t *Triangles) Values(name string, out []float64) {
	clear(out)
	if t.lawful != nil {
		t.lawful.removed.restore(t.lawful.next)
	}
	for k := range t.runs {
		r := &t.runs[k]
		if r.law == nil {
			continue
		}
		for v, of := range r.law.Memory() {
			if of.Name == name {
				copy(out[r.first:t.end(k)], t.memory(r, t.lawful.next, v))
			}
		}
	}
}

// Value returns the memory value with that name of triangle i, 0 if it has none.
func (t *Triangles) Value(name string, i int) float64 {
	r := t.runOf(i)
	if r.law == nil {
		return 0
	}
	of := t.lawful.next
	if t.element(i).volume == 0 { // removed: only the committed memory is kept
		of = t.lawful.now
	}
	for v, value := range r.law.Memory() {
		if value.Name == name {
			return t.memory(r, of, v)[i-int(r.first)]
		}
	}
	return 0
}

// lawTangent is Tangent for triangle i with a law.
func (t *Triangles) lawTangent(r *run, i int, x []r2.Vec, k *[6][6]float64) {
	w, from := t.lawful.serial, i-int(r.first)
	b := r.block + int32(from/lanes)
	e := t.blocks[b].at(from%lanes, r.material)
	f := t.gradient(&e, x)
	w.f[0][0], w.f[1][0], w.f[2][0], w.f[3][0] = f.xx, f.xy, f.yx, f.yy
	w.prepare(t, r, from, 1, false)
	var c bulk.Tangent
	r.law.Tangent(&w.in, 0, &c)
	det := float64(f.xx*f.yy) - float64(f.xy*f.yx)
	var gx, gy [3]float64 // gradients in the current configuration
	gx[1], gy[1] = (float64(f.yy*e.bx)-float64(f.yx*e.by))/det, (float64(f.xx*e.by)-float64(f.xy*e.bx))/det
	gx[2], gy[2] = (float64(f.yy*e.cx)-float64(f.yx*e.cy))/det, (float64(f.xx*e.cy)-float64(f.xy*e.cx))/det
	gx[0], gy[0] = -(gx[1] + gx[2]), -(gy[1] + gy[2])
	v := e.volume
	for a := range 3 {
		for q := range 3 {
			var m [2][2]float64 // B_a^T c B_b
			for p, of := range [2][3]float64{{gx[a], 0, gy[a]}, {0, gy[a], gx[a]}} {
				for s, to := range [2][3]float64{{gx[q], 0, gy[q]}, {0, gy[q], gx[q]}} {
					for h := range 3 {
						for j := range 3 {
							m[p][s] += float64(of[h] * c.C[h][j] * to[j])
						}
					}
				}
			}
			geometric := float64(gx[a]*(float64(c.TXX*gx[q])+float64(c.TXY*gy[q]))) + float64(gy[a]*(float64(c.TXY*gx[q])+float64(c.TYY*gy[q])))
			for p := range 2 {
				for s := range 2 {
					k[2*a+p][2*q+s] = v * m[p][s]
				}
				k[2*a+p][2*q+p] += float64(v * geometric)
			}
		}
	}
	for p := range 6 { // exactly symmetric
		for q := range p {
			k[p][q] = k[q][p]
		}
	}
}

// removed is the memory of laws of triangles that have been removed: what they had then. Fillers in
// their place are evaluated as other triangles are, and nobody evaluates blocks of nothing else.
type removed struct {
	at    []int32 // in the memory of all triangles
	value []float64
}

// keepMemory keeps the memory of triangles that are about to be removed.
func (t *Triangles) keepMemory(first, end int) {
	l := t.lawful
	if l == nil {
		return
	}
	of := l.now
	if l.pending {
		of = l.next
	}
	for i := first; i < end; i++ {
		r := t.runOf(i)
		if r.law == nil {
			continue
		}
		values := len(r.law.Memory())
		lanesOfRun := int(lanes * (r.end - r.block))
		k := i - int(r.first)
		last := k + 1
		if t.fills(r, i) {
			last = (k/lanes + 1) * lanes
		}
		for ; k < last; k++ {
			for v := range values {
				at := r.memory + v*lanesOfRun + k
				l.removed.at, l.removed.value = append(l.removed.at, int32(at)), append(l.removed.value, of[at])
			}
		}
	}
	l.removed.restore(l.now)
	l.removed.restore(l.next)
}

// restore gives removed triangles their memory.
func (r *removed) restore(memory []float64) {
	for i, at := range r.at {
		memory[at] = r.value[i]
	}
}
