package fem

import (
	"math"

	"iter"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// SetCorner moves a corner, 0 to 2, of triangle i to another node. The order of sums does not
// change, so the bits of other nodes do not change. With pages the new node must be in the page of
// the old one.
func (t *Triangles) SetCorner(i, corner int, node int32) {
	r := t.runOf(i)
	k := i - int(r.first)
	b := &t.blocks[int(r.block)+k/lanes]
	last := k%lanes + 1
	if t.fills(r, i) {
		last = lanes
	}
	for l := k % lanes; l < last; l++ {
		switch corner {
		case 0:
			b.a[l] = stride * node
		case 1:
			b.b[l] = stride * node
		default:
			b.c[l] = stride * node
		}
	}
}

// fills tells whether fillers in the last block of a run repeat triangle i.
func (t *Triangles) fills(r *run, i int) bool { return t.number(r, r.end-1, lanes-1) == i }

// CornerMass returns the lumped mass of triangle i at each of its corners [kg].
func (t *Triangles) CornerMass(i int) float64 {
	e := t.element(i)
	if w := t.swollen; w != nil && e.volume > 0 { // without the rounding of its present expansion
		return t.density[e.material] * w.base[i].squeezed * w.base[i].volume / 3
	}
	return t.densityOf(i, e.material) * e.volume / 3
}

// Volume returns thickness times stress-free reference area of triangle i [m3].
func (t *Triangles) Volume(i int) float64 {
	e := t.element(i)
	return e.volume
}

// FrequencySquared returns the highest squared angular frequency [1/s2] of triangle i alone at
// positions x; see MaxFrequencySquared.
func (t *Triangles) FrequencySquared(i int, x []r2.Vec) float64 {
	e := t.element(i)
	return 3 / t.densityOf(i, e.material) * e.stiffest(t.moduli[e.material], t.gradient(&e, x))
}

// WaveSpeed returns the speed of pressure waves in triangle i with its initial moduli [m/s].
func (t *Triangles) WaveSpeed(i int) float64 {
	e := t.element(i)
	return math.Sqrt(t.moduli[e.material].C11 / t.densityOf(i, e.material))
}

// CornerForces returns the forces [N] of triangle i on its corners at positions x. Up to rounding
// they equal those that AddForces adds.
func (t *Triangles) CornerForces(i int, x []r2.Vec) (f [3]r2.Vec) {
	e := t.element(i)
	if r := t.runOf(i); r.law != nil {
		k := i - int(r.first)
		return t.lawForces(r, r.block+int32(k/lanes), k%lanes, x)
	}
	return e.cornerForces(&t.moduli[e.material], x)
}

// LaneIndex returns the index of triangle i in the blocks of ComputeStresses: four times the number
// of its block plus its lane in the block.
func (t *Triangles) LaneIndex(i int) int32 {
	r := t.runOf(i)
	return lanes*r.block + int32(i) - r.first
}

// Blocks returns the number of blocks.
func (t *Triangles) Blocks() int { return len(t.blocks) }

// ComputeStresses sets the stresses of the listed blocks of triangles, with the values of Stresses
// in plane stress. stress has an entry for each block of the model. At its end the list must have
// Ahead more blocks, of any number, which are not computed.
func (t *Triangles) ComputeStresses(list []int32, x []r2.Vec, stress []BlockStress) {
	x = x[:t.nodes] // kernels do not check bounds
	for r, of := range t.among(list) {
		if r.law != nil {
			for _, b := range of[:len(of)-Ahead] {
				for l := range lanes {
					s := t.cauchy(r, b, l, x)
					stress[b].XX[l], stress[b].YY[l], stress[b].XY[l] = s.XX, s.YY, s.XY
				}
			}
			continue
		}
		t.kernel.stress(t.blocks, of, x, t.constants[r.material], stress)
		if t.swollen != nil {
			t.swollen.correctBlocks(of[:len(of)-Ahead], stress)
		}
	}
}

// ComputeCornerForces is ComputeStresses for the forces on corners of CornerForces.
func (t *Triangles) ComputeCornerForces(list []int32, x []r2.Vec, force []BlockForces) {
	x = x[:t.nodes]
	for r, of := range t.among(list) {
		if r.law != nil {
			for _, b := range of[:len(of)-Ahead] {
				for l := range lanes {
					for k, f := range t.lawForces(r, b, l, x) {
						force[b][k][0][l], force[b][k][1][l] = f.X, f.Y
					}
				}
			}
			continue
		}
		t.kernel.corners(t.blocks, of, x, t.constants[r.material], force)
	}
}

// among divides a list of blocks into parts that belong to one run each. Every part has Ahead more
// blocks at its end.
func (t *Triangles) among(list []int32) iter.Seq2[*run, []int32] {
	return func(yield func(r *run, of []int32) bool) {
		for n := len(list) - Ahead; n > 0; n = len(list) - Ahead {
			r, end := t.runOfBlock(list[0]), 1
			for end < n && list[end] >= r.block && list[end] < r.end {
				end++
			}
			if !yield(r, list[:end+Ahead]) {
				return
			}
			list = list[end:]
		}
	}
}

// BlockForces is the forces on the corners of the triangles of a block, X and Y of each [N]. The
// assembly kernel depends on the order of these values.
type BlockForces [3][2][lanes]float64

// computeCorners is the generic kernel of ComputeCornerForces.
func computeCorners(blocks []block, list []int32, x []r2.Vec, c *constants, out []BlockForces) {
	m := bulk.Moduli{C11: c.c11[0], C12: c.c12[0], G: c.shear[0]}
	for _, b := range list[:len(list)-Ahead] {
		for l := range lanes {
			e := blocks[b].at(l, 0)
			for k, f := range e.cornerForces(&m, x) {
				out[b][k][0][l], out[b][k][1][l] = f.X, f.Y
			}
		}
	}
}

// cornerForces returns the forces of a triangle on its corners.
func (e *element) cornerForces(m *bulk.Moduli, x []r2.Vec) (f [3]r2.Vec) {
	g := gradient(&x[e.a], &x[e.b], &x[e.c], e.bx, e.by, e.cx, e.cy)
	exx, eyy, twoxy := strain(g)
	sxx := float64(m.C11*exx) + float64(m.C12*eyy)
	syy := float64(m.C12*exx) + float64(m.C11*eyy)
	sxy := m.G * twoxy
	pxx, pxy := float64(g.xx*sxx)+float64(g.xy*sxy), float64(g.xx*sxy)+float64(g.xy*syy)
	pyx, pyy := float64(g.yx*sxx)+float64(g.yy*sxy), float64(g.yx*sxy)+float64(g.yy*syy)
	f[1] = r2.Vec{X: float64(-e.volume * (float64(pxx*e.bx) + float64(pxy*e.by))), Y: float64(-e.volume * (float64(pyx*e.bx) + float64(pyy*e.by)))}
	f[2] = r2.Vec{X: float64(-e.volume * (float64(pxx*e.cx) + float64(pxy*e.cy))), Y: float64(-e.volume * (float64(pyx*e.cx) + float64(pyy*e.cy)))}
	f[0] = r2.Vec{X: -(f[1].X + f[2].X), Y: -(f[1].Y + f[2].Y)}
	return f
}

// Material returns the material of triangle i.
func (t *Triangles) Material(i int) int32 { return t.runOf(i).material }
