package statics

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"

	"fdem/boundingbox"
	"fdem/contactnodes"
	"fdem/fem"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/cholesky"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// stiffness assembles the sparse tangent stiffness matrix of the freedoms. Its pattern
// has entries for the elements and for every pair of edges that may be in contact. It
// is built once for each list of pairs.
type stiffness struct {
	*cholesky.Matrix
	elements *fem.Pattern
	value    []float64 // values of the elements' pattern
	into     []int32   // per entry of the elements' pattern: its index in the matrix, -1 for held freedoms
	spread   []entry   // entries of the elements' pattern that are added to several entries
	builds   int       // number of the list of pairs for which the pattern was made
	joined   int       // Joined of the solver when it was made
	made     int       // number of patterns made so far
	pairs    []boundingbox.Pair
	springs  []contactnodes.TangentTerm
}

// entry is an entry of the elements' pattern whose row or column is a rotation that
// follows, with the freedoms of both.
type entry struct{ at, row, column int32 }

func newStiffness(s *solver.Solver) *stiffness {
	return &stiffness{elements: s.Freedoms.Elements, builds: -1}
}

// unknown returns the unknown of each degree of freedom of the elements.
func (k *stiffness) unknown(u *system.Freedoms) []int32 {
	first := k.elements.First
	out := make([]int32, first[len(first)-1])
	for n := range len(first) - 1 {
		for c := first[n]; c < first[n+1]; c++ {
			out[c] = u.Rotation[n]
			if k := c - first[n]; k < 2 {
				out[c] = u.Moves[n][k]
			}
			if u.Body[n] >= 0 { // the node belongs to no element
				out[c] = -1
			}
		}
	}
	return out
}

// build makes the pattern for a list of pairs, nil for none.
func (k *stiffness) build(s *solver.Solver, u *system.Freedoms, pairs *boundingbox.Pairs) {
	k.made++
	k.joined = s.Joined()
	own := k.unknown(u)
	near := k.nearElements(u, own)
	s.Stiffen(u, func(_ float64, meet []int32, _ []float64) { join(near, meet) })
	if pairs != nil {
		for _, p := range pairs.List {
			join(near, unknownsOf(u, &s.Mesh.Edges[p.I], &s.Mesh.Edges[p.J]))
		}
		k.builds, k.pairs = pairs.Build, append(k.pairs[:0], pairs.List...)
	}
	row, column := []int{0}, []int(nil)
	for i := range near {
		slices.Sort(near[i])
		for _, c := range slices.Compact(near[i]) {
			column = append(column, int(c))
		}
		row = append(row, len(column))
		near[i] = nil
	}
	h := fnv.New64a()
	for _, c := range column { // a row begins with smaller columns than the last ended with
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(c)))
	}
	k.Matrix = cholesky.NewMatrix(row, column, k.made, int64(h.Sum64()))
	k.scatter(own)
}

// nearElements returns, for each unknown, the unknowns that elements connect with it,
// including itself.
func (k *stiffness) nearElements(u *system.Freedoms, own []int32) [][]int32 {
	e := k.elements
	near := make([][]int32, u.N)
	for i := range u.N {
		near[i] = append(near[i], int32(i))
	}
	for i := range len(e.RowPtr) - 1 {
		for _, c := range e.Col[e.RowPtr[i]:e.RowPtr[i+1]] {
			u.Each(own[i], func(p int32, _ float64) {
				u.Each(own[c], func(q int32, _ float64) { near[p] = append(near[p], q) })
			})
		}
	}
	return near
}

// join connects unknowns with one another.
func join(near [][]int32, meet []int32) {
	for _, m := range meet {
		near[m] = append(near[m], meet...)
	}
}

// unknownsOf returns the unknowns of the nodes of edges.
func unknownsOf(u *system.Freedoms, edges ...*mesh.Edge) (of []int32) {
	for _, e := range edges {
		for _, n := range [2]int32{e.A, e.B} {
			for _, m := range u.Moves[n] {
				u.Each(m, func(m int32, _ float64) {
					if !slices.Contains(of, m) {
						of = append(of, m)
					}
				})
			}
		}
	}
	return of
}

// scatter finds the matrix entries of the entries in the elements' pattern.
func (k *stiffness) scatter(own []int32) {
	e := k.elements
	k.value, k.into, k.spread = make([]float64, len(e.Col)), make([]int32, len(e.Col)), k.spread[:0]
	for i := range len(e.RowPtr) - 1 {
		for at := e.RowPtr[i]; at < e.RowPtr[i+1]; at++ {
			k.into[at] = -1
			switch c := own[e.Col[at]]; {
			case own[i] >= 0 && c >= 0:
				k.into[at] = int32(k.At(own[i], c))
			case own[i] != -1 && c != -1:
				k.spread = append(k.spread, entry{at, own[i], c})
			}
		}
	}
}

// assemble fills the matrix with the tangent of the last evaluation.
func (k *stiffness) assemble(s *solver.Solver, u *system.Freedoms) {
	pairs := s.Pairs()
	if pairs != nil && k.Matrix != nil && slices.Equal(k.pairs, pairs.List) {
		k.builds = pairs.Build
	}
	if k.Matrix == nil || k.joined != s.Joined() || pairs != nil && pairs.Build != k.builds {
		k.build(s, u, pairs)
	}
	clear(k.value)
	s.AddStiffness(k.elements, k.value)
	clear(k.Data)
	for i, at := range k.into {
		if at >= 0 {
			k.Data[at] += k.value[i]
		}
	}
	for _, t := range k.spread {
		u.Each(t.row, func(p int32, a float64) {
			u.Each(t.column, func(q int32, b float64) { k.Data[k.At(p, q)] += float64(a * b * k.value[t.at]) })
		})
	}
	k.springs = s.Springs(k.springs[:0])
	for i := range k.springs {
		k.addSpring(s, u, &k.springs[i])
	}
	s.Stiffen(u, k.addRankOne)
	k.stop(u)
}

// stop removes the stiffness that couples freedoms which stay where they are with others, and gives
// them one of their own.
func (k *stiffness) stop(u *system.Freedoms) {
	if !slices.Contains(u.Stopped, true) {
		return
	}
	most := 0.0
	for i := range u.N {
		most = max(most, k.Data[k.At(int32(i), int32(i))]/(u.Size[i]*u.Size[i]))
	}
	for i, stays := range u.Stopped {
		for at := k.Row[i]; at < k.Row[i+1]; at++ {
			switch to := k.Column[at]; {
			case stays && to == i:
				k.Data[at] = most * u.Size[i] * u.Size[i]
			case stays || u.Stopped[to]:
				k.Data[at] = 0
			}
		}
	}
}

// diagonal returns the norm of the diagonal [N/m]. Its product with the rounding of a
// position is a force that no iteration can reduce.
func (k *stiffness) diagonal(u *system.Freedoms) float64 {
	sum := 0.0
	for i, d := range u.Size {
		v := k.Data[k.At(int32(i), int32(i))] / (d * d)
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}

// rounding fills force with the possible rounding error of each generalised force [N],
// [N m].
func (k *stiffness) rounding(u *system.Freedoms, force []float64) {
	for i := range force {
		sum := 0.0
		for at := k.Row[i]; at < k.Row[i+1]; at++ {
			sum += math.Abs(k.Data[at]) / u.Size[k.Column[at]]
		}
		force[i] = roundings * u.Rounding * sum
	}
}

// roundings is the number of rounding errors that may add up in one position.
const roundings = 4

// addSpring adds the tangent of a contact node.
func (k *stiffness) addSpring(s *solver.Solver, u *system.Freedoms, p *contactnodes.TangentTerm) {
	var room [3 * len(p.Nodes)]int32
	var values [3 * len(p.Nodes)]float64
	index, g := room[:0], values[:0]
	add := func(i int32, v float64) {
		u.Each(i, func(i int32, weight float64) {
			if j := slices.Index(index, i); j >= 0 {
				g[j] += float64(weight * v)
				return
			}
			index, g = append(index, i), append(g, float64(weight*v))
		})
	}
	for i, node := range p.Nodes {
		if node < 0 {
			break
		}
		m, d := &u.Moves[node], p.G[i]
		add(m[0], d.X)
		add(m[1], d.Y)
		if m[2] != -1 {
			a := u.Arm(node)
			add(m[2], float64(a.X*d.Y)-float64(a.Y*d.X))
			if i < len(p.Rotation) {
				add(m[2], p.Rotation[i])
			}
		}
	}
	for i := range index {
		for j := range index {
			k.Data[k.At(index[i], index[j])] += float64(p.K * g[i] * g[j])
		}
	}
}

// addRankOne adds K g g^T.
func (k *stiffness) addRankOne(stiffness float64, freedom []int32, g []float64) {
	for i, a := range freedom {
		for j, b := range freedom {
			k.Data[k.At(a, b)] += float64(stiffness * g[i] * g[j])
		}
	}
}

// pull adds to r the elements' forces on the unknowns for a change d of the nodes'
// positions: -K d.
func (k *stiffness) pull(u *system.Freedoms, r []float64, d []r2.Vec) {
	e, own := k.elements, k.unknown(u)
	change := make([]float64, len(own))
	for n, v := range d {
		if i := u.Of[n]; i >= 0 {
			v = d[i]
		}
		change[e.First[n]], change[e.First[n]+1] = v.X, v.Y
	}
	for i, to := range own {
		if to == -1 {
			continue
		}
		for at := e.RowPtr[i]; at < e.RowPtr[i+1]; at++ {
			u.Each(to, func(to int32, weight float64) { r[to] -= float64(weight * float64(k.value[at]*change[e.Col[at]])) })
		}
	}
}
