package fem

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// Tangent fills k with the tangent stiffness d2U/dx2 of triangle i at positions x [N/m], rows and
// columns x and y of the first, second and third corner: material part V B^T C B and geometric part
// V grad N_a . S grad N_b on the diagonal of each 2 by 2 block (Belytschko, Liu and Moran,
// Nonlinear Finite Elements, section 6.4). It is exactly symmetric. It does not check for
// inversion; AddForces does.
func (t *Triangles) Tangent(i int, x []r2.Vec, k *[6][6]float64) {
	if r := t.runOf(i); r.law != nil {
		t.lawTangent(r, i, x, k)
		return
	}
	e := t.element(i)
	m := &t.moduli[e.material]
	f := t.gradient(&e, x)
	exx, eyy, g := strain(f)
	sxx := float64(m.C11*exx) + float64(m.C12*eyy)
	syy := float64(m.C12*exx) + float64(m.C11*eyy)
	sxy := float64(m.G * g)
	gx, gy := [3]float64{-(e.bx + e.cx), e.bx, e.cx}, [3]float64{-(e.by + e.cy), e.by, e.cy}
	var b [6][3]float64 // derivatives of Exx, Eyy and 2 Exy with respect to each degree of freedom
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

// Pattern is the sparsity pattern of the stiffness matrix of some sets of elements, in compressed
// sparse rows (CSR). Node n has the degrees of freedom First[n] to First[n+1]: x and y, and theta
// if an element has rotations there. The columns of row i are Col[RowPtr[i]:RowPtr[i+1]],
// ascending, with the diagonal. The caller keeps the values in an array with the length of Col.
type Pattern struct {
	First  []int32 // length: nodes + 1
	RowPtr []int32 // length: degrees of freedom + 1
	Col    []int32
	sets   []ends
}

// Ends is a set of elements of one kind that can be part of a pattern.
type Ends interface{ ends() ends }

// ends are the nodes of the elements of a set, and the number of degrees of freedom at each node.
type ends struct {
	of       Ends
	node     []int32
	each     int     // number of nodes of an element
	freedoms int32   // at each of them
	begin    []int32 // per element and pair of its nodes: index within the row of the first column
}

// NewPattern builds the pattern of sets of elements on the given number of
// nodes.
func NewPattern(nodes int, sets ...Ends) *Pattern {
	p := &Pattern{First: make([]int32, nodes+1)}
	dofs := make([]int32, nodes)
	near := make([][]int32, nodes) // per node: the nodes that share an element with it, ascending
	for n := range near {
		dofs[n], near[n] = 2, append(near[n], int32(n))
	}
	for _, s := range sets {
		e := s.ends()
		e.of = s
		for at := 0; at < len(e.node); at += e.each {
			of := e.node[at : at+e.each]
			for _, n := range of {
				near[n] = append(near[n], of...)
				dofs[n] = max(dofs[n], e.freedoms)
			}
		}
		p.sets = append(p.sets, e)
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
	for i := range p.sets {
		e := &p.sets[i]
		for at := 0; at < len(e.node); at += e.each {
			of := e.node[at : at+e.each]
			for _, n := range of {
				for _, m := range of {
					e.begin = append(e.begin, begin(n, m))
				}
			}
		}
	}
	return p
}

// set returns the data of a set from which the pattern was built.
func (p *Pattern) set(of Ends) *ends {
	for i := range p.sets {
		if p.sets[i].of == of {
			return &p.sets[i]
		}
	}
	panic("fem: the pattern is not of these elements")
}

// add adds the matrix k of element i of a set.
func (p *Pattern) add(val []float64, e *ends, i int, k *[6][6]float64) {
	f := int(e.freedoms)
	for j, n := range e.node[i*e.each:][:e.each] {
		for a := range f {
			row := p.RowPtr[int(p.First[n])+a]
			for m := range e.each {
				at := row + e.begin[(i*e.each+j)*e.each+m]
				for c := range f {
					val[at+int32(c)] += k[f*j+a][f*m+c]
				}
			}
		}
	}
}

// ends returns the nodes of the triangles. If there are pairs, each pair is one element; a single
// triangle then repeats its last node.
func (t *Triangles) ends() ends {
	e := ends{each: 3, freedoms: 2}
	if t.inPairs() {
		e.each = 4
	}
	for i, of := range t.elements {
		switch {
		case e.each == 3:
			e.node = append(e.node, of.a, of.b, of.c)
		case t.Paired(i) > i:
			n := t.corners(i)
			e.node = append(e.node, n[:]...)
		case t.Paired(i) < 0:
			e.node = append(e.node, of.a, of.b, of.c, of.c)
		}
	}
	return e
}

// inPairs tells whether some triangles share their volume.
func (t *Triangles) inPairs() bool {
	return slices.ContainsFunc(t.runs, func(r run) bool { return r.paired != nil })
}

// AddTriangles adds the tangent stiffness of the triangles from which the pattern was built, at
// positions x [m], to the values val [N/m], in element order.
func (p *Pattern) AddTriangles(val []float64, t *Triangles, x []r2.Vec) {
	var k [6][6]float64
	set := p.set(t)
	if set.each == 4 {
		p.addPairs(val, set, t, x)
		return
	}
	for i := range len(set.node) / set.each {
		t.Tangent(i, x, &k)
		p.add(val, set, i, &k)
	}
}

// addPairs is AddTriangles with pairs.
func (p *Pattern) addPairs(val []float64, set *ends, t *Triangles, x []r2.Vec) {
	var k [6][6]float64
	var both [8][8]float64
	for i, at := 0, 0; i < t.count; at++ {
		n := 6
		if t.Paired(i) > i {
			if t.element(i).volume == 0 { // removed
				i += 2
				continue
			}
			t.pairTangent(i, x, &both)
			n = 8
			i += 2
		} else {
			t.Tangent(i, x, &k)
			for a := range k {
				copy(both[a][:], k[a][:])
			}
			i++
		}
		for a := range n {
			row := p.RowPtr[int(p.First[set.node[4*at+a/2]])+a%2]
			for b := range n {
				val[row+set.begin[16*at+4*(a/2)+b/2]+int32(b%2)] += both[a][b]
			}
		}
	}
}
