package solver

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/fem"

	"github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/spatial/r2"
)

// stiffness is the tangent stiffness matrix of the unknowns in compressed
// rows. Its pattern, of the elements and of every pair of edges that may meet,
// is built once for each list of pairs; the values are scattered into it.
type stiffness struct {
	matrix   *sparse.CSR
	elements *fem.Pattern
	value    []float64 // of the elements' pattern
	into     []int32   // per entry of it: the place in the matrix, -1 for what is held
	row      []int     // of the matrix: where rows begin
	column   []int
	data     []float64
	builds   int // of the pairs that the pattern was made for
	made     int // counts the patterns
	hash     int64
	pairs    []boundingbox.Pair // that the pattern was made for
	springs  []contactnodes.Spring
}

func (s *Solver) newStiffness() *stiffness {
	var b *fem.Beams
	if s.beams != nil {
		b = s.beams.Beams
	}
	return &stiffness{elements: fem.NewPattern(len(s.X), s.triangles, b), builds: -1}
}

// unknown returns the unknown of each degree of freedom of the elements.
func (k *stiffness) unknown(u *unknowns) []int32 {
	first := k.elements.First
	out := make([]int32, first[len(first)-1])
	for n := range len(first) - 1 {
		for c := first[n]; c < first[n+1]; c++ {
			out[c] = u.turns[n]
			if k := c - first[n]; k < 2 {
				out[c] = u.moves[n][k]
			}
			if u.body[n] >= 0 || u.of[n] >= 0 { // no element has it
				out[c] = -1
			}
		}
	}
	return out
}

// build makes the pattern for a list of pairs, nil for none.
func (k *stiffness) build(s *Solver, u *unknowns, pairs *boundingbox.Pairs) {
	k.made++
	own := k.unknown(u)
	e := k.elements
	near := make([][]int32, u.n)
	for i := range u.n {
		near[i] = append(near[i], int32(i))
	}
	for i := range len(e.RowPtr) - 1 {
		if own[i] < 0 {
			continue
		}
		for _, c := range e.Col[e.RowPtr[i]:e.RowPtr[i+1]] {
			if own[c] >= 0 {
				near[own[i]] = append(near[own[i]], own[c])
			}
		}
	}
	if pairs != nil {
		for _, p := range pairs.List {
			var meet []int32
			for _, i := range [2]int32{p.I, p.J} {
				edge := &s.Mesh.Edges[i]
				for _, n := range [2]int32{edge.A, edge.B} {
					for _, m := range u.moves[n] {
						if m >= 0 && !slices.Contains(meet, m) {
							meet = append(meet, m)
						}
					}
				}
			}
			for _, m := range meet {
				near[m] = append(near[m], meet...)
			}
		}
		k.builds, k.pairs = pairs.Build, append(k.pairs[:0], pairs.List...)
	}
	k.row, k.column = append(k.row[:0], 0), k.column[:0]
	for i := range near {
		slices.Sort(near[i])
		for _, c := range slices.Compact(near[i]) {
			k.column = append(k.column, int(c))
		}
		k.row = append(k.row, len(k.column))
		near[i] = nil
	}
	h := fnv.New64a()
	for _, c := range k.column { // a row begins with smaller columns than the last ended with
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(c)))
	}
	k.hash = int64(h.Sum64())
	k.data = make([]float64, len(k.column))
	k.matrix = sparse.NewCSR(u.n, u.n, k.row, k.column, k.data)
	k.value = make([]float64, len(e.Col))
	k.into = make([]int32, len(e.Col))
	for i := range len(e.RowPtr) - 1 {
		for at := e.RowPtr[i]; at < e.RowPtr[i+1]; at++ {
			k.into[at] = -1
			if c := own[e.Col[at]]; own[i] >= 0 && c >= 0 {
				k.into[at] = int32(k.at(own[i], c))
			}
		}
	}
}

// times sets y to the matrix times x.
func (k *stiffness) times(y, x []float64) {
	clear(y)
	k.matrix.MulVecTo(y, false, x) // adds
}

// at returns the place of an entry.
func (k *stiffness) at(i, j int32) int {
	at, _ := slices.BinarySearch(k.column[k.row[i]:k.row[i+1]], int(j))
	return k.row[i] + at
}

// assemble fills the matrix with the tangent at the last evaluation.
func (k *stiffness) assemble(s *Solver, u *unknowns) {
	var pairs *boundingbox.Pairs
	if len(s.Surfaces) > 0 {
		pairs = s.search.Pairs(s.X)
	}
	if pairs != nil && k.data != nil && slices.Equal(k.pairs, pairs.List) {
		k.builds = pairs.Build
	}
	if k.data == nil || pairs != nil && pairs.Build != k.builds {
		k.build(s, u, pairs)
	}
	clear(k.value)
	k.elements.AddTriangles(k.value, s.triangles, s.X)
	if s.beams != nil {
		k.elements.AddBeams(k.value, s.beams.Beams, s.X, s.Theta)
	}
	clear(k.data)
	for i, at := range k.into {
		if at >= 0 {
			k.data[at] += k.value[i]
		}
	}
	k.springs = k.springs[:0]
	for _, i := range s.byName {
		k.springs = s.Surfaces[i].Springs(k.springs, s.X)
	}
	for i := range k.springs {
		k.addSpring(s, u, &k.springs[i])
	}
}

// addSpring adds the tangent of a contact node.
func (k *stiffness) addSpring(s *Solver, u *unknowns, p *contactnodes.Spring) {
	var index [12]int32
	var g [12]float64
	n := 0
	add := func(i int32, v float64) {
		if i < 0 {
			return
		}
		for j := range n {
			if index[j] == i {
				g[j] += v
				return
			}
		}
		index[n], g[n] = i, v
		n++
	}
	for i, node := range p.Nodes {
		m, d := &u.moves[node], p.G[i]
		add(m[0], d.X)
		add(m[1], d.Y)
		if m[2] >= 0 {
			a := u.arm(s, node)
			add(m[2], float64(a.X*d.Y)-float64(a.Y*d.X))
			if i < len(p.Turn) {
				add(m[2], p.Turn[i])
			}
		}
	}
	for i := range n {
		for j := range n {
			k.data[k.at(index[i], index[j])] += float64(p.K * g[i] * g[j])
		}
	}
}

// pull adds to r the forces on the unknowns by which the elements answer a
// change d of the nodes' places: -K d.
func (k *stiffness) pull(u *unknowns, r []float64, d []r2.Vec) {
	e, own := k.elements, k.unknown(u)
	change := make([]float64, len(own))
	for n, v := range d {
		change[e.First[n]], change[e.First[n]+1] = v.X, v.Y
	}
	for i, to := range own {
		if to < 0 {
			continue
		}
		for at := e.RowPtr[i]; at < e.RowPtr[i+1]; at++ {
			r[to] -= float64(k.value[at] * change[e.Col[at]])
		}
	}
}
