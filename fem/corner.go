package fem

import (
	"iter"

	"gonum.org/v1/gonum/spatial/r2"
)

// SetCorner gives a corner, 0 to 2, of triangle i to another node. The triangle
// stays where it is in the order of sums, so that no bit of another node
// changes. With pages the node is to be one of the old one's page.
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

// fills tells whether the last block of a run is filled with triangle i.
func (t *Triangles) fills(r *run, i int) bool { return t.number(r, r.end-1, lanes-1) == i }

// CornerMass returns the mass that triangle i gives to each of its corners [kg].
func (t *Triangles) CornerMass(i int) float64 {
	e := t.element(i)
	return t.densityOf(i, e.material) * e.volume / 3
}

// Volume returns thickness times reference area, free of stress, of triangle i [m3].
func (t *Triangles) Volume(i int) float64 {
	e := t.element(i)
	return e.volume
}

// FrequencySquared returns the highest squared angular frequency [1/s2] of
// triangle i by itself at positions x; see MaxFrequencySquared.
func (t *Triangles) FrequencySquared(i int, x []r2.Vec) float64 {
	e := t.element(i)
	return 3 / t.densityOf(i, e.material) * e.stiffest(t.moduli[e.material], t.gradient(&e, x))
}

// CornerForces returns the forces [N] of triangle i on its corners at positions
// x, up to rounding those that AddForces adds.
func (t *Triangles) CornerForces(i int, x []r2.Vec) (f [3]r2.Vec) {
	e := t.element(i)
	t.cornerForces(&e, x, &f)
	return f
}

// TakeCornerForces sets the forces of the triangles in a list to those of
// CornerForces.
func (t *Triangles) TakeCornerForces(list []int32, x []r2.Vec, force [][3]r2.Vec) {
	for i, r := range t.among(list) {
		b, lane := t.blockOf(r, i)
		e := b.at(lane, r.material)
		t.cornerForces(&e, x, &force[i])
	}
}

// Place returns where triangle i stands in the blocks of TakeStresses: four times the
// number of its block, and the number that it has there.
func (t *Triangles) Place(i int) int32 {
	r := t.runOf(i)
	return lanes*r.block + int32(i) - r.first
}

// Blocks returns the number of blocks.
func (t *Triangles) Blocks() int { return len(t.blocks) }

// TakeStresses sets the stresses of blocks of triangles in a list to those of Stresses in
// plane stress, at the place of each block among all. The list begins with so many; behind
// them stand Ahead blocks, any ones, that are not taken.
func (t *Triangles) TakeStresses(list []int32, x []r2.Vec, stress []BlockStress) {
	x = x[:t.nodes] // kernels do not check bounds
	for n := len(list) - Ahead; n > 0; n = len(list) - Ahead {
		r, end := t.runOfBlock(list[0]), 1
		for end < n && list[end] >= r.block && list[end] < r.end {
			end++
		}
		t.kernel.stress(t.blocks, list[:end+Ahead], x, t.constants[r.material], stress)
		list = list[end:]
	}
}

// among yields the triangles of a list with their runs.
func (t *Triangles) among(list []int32) iter.Seq2[int32, *run] {
	return func(yield func(i int32, r *run) bool) {
		var r *run
		end := int32(0)
		for _, i := range list {
			if r == nil || i < r.first || i >= end {
				r = t.runOf(int(i))
				end = int32(t.number(r, r.end-1, lanes-1)) + 1
			}
			if !yield(i, r) {
				return
			}
		}
	}
}

// blockOf returns the block and the lane of triangle i of a run.
func (t *Triangles) blockOf(r *run, i int32) (b *block, lane int) {
	k := i - r.first
	return &t.blocks[r.block+k/lanes], int(k % lanes)
}

func (t *Triangles) cornerForces(e *element, x []r2.Vec, f *[3]r2.Vec) {
	m := &t.moduli[e.material]
	g := t.gradient(e, x)
	exx, eyy, twoxy := strain(g)
	sxx := float64(m.C11*exx) + float64(m.C12*eyy)
	syy := float64(m.C12*exx) + float64(m.C11*eyy)
	sxy := m.G * twoxy
	pxx, pxy := float64(g.xx*sxx)+float64(g.xy*sxy), float64(g.xx*sxy)+float64(g.xy*syy)
	pyx, pyy := float64(g.yx*sxx)+float64(g.yy*sxy), float64(g.yx*sxy)+float64(g.yy*syy)
	f[1] = r2.Vec{X: float64(-e.volume * (float64(pxx*e.bx) + float64(pxy*e.by))), Y: float64(-e.volume * (float64(pyx*e.bx) + float64(pyy*e.by)))}
	f[2] = r2.Vec{X: float64(-e.volume * (float64(pxx*e.cx) + float64(pxy*e.cy))), Y: float64(-e.volume * (float64(pyx*e.cx) + float64(pyy*e.cy)))}
	f[0] = r2.Vec{X: -(f[1].X + f[2].X), Y: -(f[1].Y + f[2].Y)}
}

// Material returns the material of triangle i.
func (t *Triangles) Material(i int) int32 { return t.runOf(i).material }
