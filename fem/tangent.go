package fem

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Tangent fills k with the tangent stiffness d2U/dx2 of triangle i at
// positions x [N/m], rows and columns x and y of the first, second and third
// corner: material part V B^T C B and geometric part V grad N_a . S grad N_b
// on the diagonal of each 2 by 2 block (Belytschko, Liu and Moran, Nonlinear
// Finite Elements, section 6.4). It is symmetric to the bit. AddForces tells
// whether the triangle is turned inside out.
func (t *Triangles) Tangent(i int, x []r2.Vec, k *[6][6]float64) {
	e := t.element(i)
	m := &t.moduli[e.material]
	f := t.gradient(&e, x)
	exx, eyy, g := strain(f)
	sxx := float64(m.C11*exx) + float64(m.C12*eyy)
	syy := float64(m.C12*exx) + float64(m.C11*eyy)
	sxy := float64(m.G * g)
	gx, gy := [3]float64{-(e.bx + e.cx), e.bx, e.cx}, [3]float64{-(e.by + e.cy), e.by, e.cy}
	var b [6][3]float64 // change of Exx, Eyy and 2 Exy with each degree of freedom
	for a := range 3 {
		b[2*a] = [3]float64{f.xx * gx[a], f.xy * gy[a], float64(f.xx*gy[a]) + float64(f.xy*gx[a])}
		b[2*a+1] = [3]float64{f.yx * gx[a], f.yy * gy[a], float64(f.yx*gy[a]) + float64(f.yy*gx[a])}
	}
	v := e.volume
	for p := range 6 {
		h := &b[p]
		cx := v * (float64(m.C11*h[0]) + float64(m.C12*h[1]))
		cy := v * (float64(m.C12*h[0]) + float64(m.C11*h[1]))
		cxy := v * (m.G * h[2])
		a := p / 2
		tx := v * (float64(sxx*gx[a]) + float64(sxy*gy[a]))
		ty := v * (float64(sxy*gx[a]) + float64(syy*gy[a]))
		for q := p; q < 6; q++ {
			w := float64(cx*b[q][0]) + float64(cy*b[q][1]) + float64(cxy*b[q][2])
			if (p-q)%2 == 0 {
				w += float64(tx*gx[q/2]) + float64(ty*gy[q/2])
			}
			k[p][q], k[q][p] = w, w
		}
	}
}

// Tangent fills k with the tangent stiffness d2U/dx2 of beam i at positions x
// and rotations theta [N/m, N, Nm], rows and columns x, y and theta of the
// first node, then of the second. With r = dl/dx, z = l dbeta/dx and the
// chord's rotation beta,
//
//	K = EA/L r r^T + 2EI/L (2 ga ga^T + ga gb^T + gb ga^T + 2 gb gb^T)
//	  + N/l z z^T + (Ma + Mb)/l^2 (r z^T + z r^T)
//
// where ga and gb are the changes of the ends' rotations from the chord
// (Crisfield, section 7.2). It is symmetric to the bit.
func (b *Beams) Tangent(i int, x []r2.Vec, theta []float64, k *[6][6]float64) {
	e := &b.element[i]
	h := e.chord(x, theta)
	n, ma, mb := e.forces(&h)
	l := h.length
	r := [6]float64{-h.c, -h.s, 0, h.c, h.s, 0}
	z := [6]float64{h.s, -h.c, 0, -h.s, h.c, 0}
	var ga, gb [6]float64
	for p := range 6 {
		ga[p], gb[p] = -z[p]/l, -z[p]/l
	}
	ga[2], gb[5] = 1, 1
	along, across := n/l, (ma+mb)/(l*l)
	for p := range 6 {
		ka, kb := e.bending*(float64(2*ga[p])+gb[p]), e.bending*(ga[p]+float64(2*gb[p]))
		for q := p; q < 6; q++ {
			w := float64(e.axial*r[p]*r[q]) + (float64(ka*ga[q]) + float64(kb*gb[q])) +
				float64(along*z[p]*z[q]) + float64(across*(float64(r[p]*z[q])+float64(z[p]*r[q])))
			k[p][q], k[q][p] = w, w
		}
	}
}

// Pattern says where the entries of the stiffness matrix of a set of triangles
// and beams stand, in compressed rows. Node n has the degrees of freedom
// First[n] to First[n+1]: x and y, and theta if a beam ends there. The columns
// of row i are Col[RowPtr[i]:RowPtr[i+1]], ascending, the diagonal always
// among them; the values live in an array of the caller's of the length of
// Col.
type Pattern struct {
	First  []int32 // nodes + 1
	RowPtr []int32 // degrees of freedom + 1
	Col    []int32
	// where a pair's columns begin within the row
	triangle [][9]int32
	beam     [][4]int32
}

// NewPattern builds the pattern of triangles t and beams b, either of which
// may be nil, on the given number of nodes.
func NewPattern(nodes int, t *Triangles, b *Beams) *Pattern {
	p := &Pattern{First: make([]int32, nodes+1)}
	var triangles []element
	var beams []beam
	if t != nil {
		for _, e := range t.elements {
			triangles = append(triangles, e)
		}
	}
	if b != nil {
		beams = b.element
	}

	dofs := make([]int32, nodes)
	near := make([][]int32, nodes) // the nodes that share an element, ascending
	for n := range near {
		dofs[n], near[n] = 2, append(near[n], int32(n))
	}
	for i := range triangles {
		e := &triangles[i]
		near[e.a] = append(near[e.a], e.b, e.c)
		near[e.b] = append(near[e.b], e.a, e.c)
		near[e.c] = append(near[e.c], e.a, e.b)
	}
	for i := range beams {
		e := &beams[i]
		near[e.a], near[e.b] = append(near[e.a], e.b), append(near[e.b], e.a)
		dofs[e.a], dofs[e.b] = 3, 3
	}
	for n := range near {
		slices.Sort(near[n])
		near[n] = slices.Compact(near[n])
		p.First[n+1] = p.First[n] + dofs[n]
	}

	p.RowPtr = append(make([]int32, 0, p.First[nodes]+1), 0)
	for n := range near {
		for range dofs[n] {
			for _, m := range near[n] {
				for c := range dofs[m] {
					p.Col = append(p.Col, p.First[m]+c)
				}
			}
			p.RowPtr = append(p.RowPtr, int32(len(p.Col)))
		}
	}

	begin := func(n, m int32) int32 {
		at := int32(0)
		for _, o := range near[n] {
			if o == m {
				break
			}
			at += dofs[o]
		}
		return at
	}
	p.triangle = make([][9]int32, len(triangles))
	for i := range triangles {
		e := &triangles[i]
		for j, n := range [3]int32{e.a, e.b, e.c} {
			for k, m := range [3]int32{e.a, e.b, e.c} {
				p.triangle[i][3*j+k] = begin(n, m)
			}
		}
	}
	p.beam = make([][4]int32, len(beams))
	for i := range beams {
		e := &beams[i]
		for j, n := range [2]int32{e.a, e.b} {
			for k, m := range [2]int32{e.a, e.b} {
				p.beam[i][2*j+k] = begin(n, m)
			}
		}
	}
	return p
}

// AddTriangles adds the tangent stiffness of the triangles the pattern was
// built from, at positions x, to the values val, in element order.
func (p *Pattern) AddTriangles(val []float64, t *Triangles, x []r2.Vec) {
	var k [6][6]float64
	for i, e := range t.elements {
		t.Tangent(i, x, &k)
		nodes := [3]int32{e.a, e.b, e.c}
		for j, n := range nodes {
			for a := range 2 {
				row := p.RowPtr[int(p.First[n])+a]
				for m := range nodes {
					at := row + p.triangle[i][3*j+m]
					val[at] += k[2*j+a][2*m]
					val[at+1] += k[2*j+a][2*m+1]
				}
			}
		}
	}
}

// AddBeams adds the tangent stiffness of the beams the pattern was built from,
// at positions x and rotations theta, to the values val, in element order.
func (p *Pattern) AddBeams(val []float64, b *Beams, x []r2.Vec, theta []float64) {
	var k [6][6]float64
	for i := range b.element {
		b.Tangent(i, x, theta, &k)
		p.addBeam(val, b, i, &k)
	}
}

// AddConsistentMasses adds the mass matrices of the beams the pattern was
// built from, at positions x, to the values val, in element order.
func (p *Pattern) AddConsistentMasses(val []float64, b *Beams, x []r2.Vec) {
	var m [6][6]float64
	for i := range b.element {
		b.ConsistentMass(i, x, &m)
		p.addBeam(val, b, i, &m)
	}
}

// addBeam adds the matrix k of beam i.
func (p *Pattern) addBeam(val []float64, b *Beams, i int, k *[6][6]float64) {
	e := &b.element[i]
	for j, n := range [2]int32{e.a, e.b} {
		for a := range 3 {
			row := p.RowPtr[int(p.First[n])+a]
			for m := range 2 {
				at := row + p.beam[i][2*j+m]
				for c := range int32(3) {
					val[at+c] += k[3*j+a][3*m+int(c)]
				}
			}
		}
	}
}
