package constraints

import (
	"slices"

	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// FreeBody is a connected component of the mesh, or a rigid body, whose rigid motion in a static
// analysis is prevented only by contact without friction, or by nothing.
type FreeBody struct {
	Name  string
	may   [len(freeMotions)]bool
	nodes []int32 // of the component; the first outline node of a rigid body
	rigid bool
	atX   int32 // a node fixed in x, at whose height the component rotates, -1 for none
	atY   int32 // a node fixed in y, above or below which the component rotates, -1 for none
}

// FreeBodies returns all free bodies, meshed ones first.
func FreeBodies(f *system.Freedoms) (out []FreeBody) {
	p, _ := NewRestraints(f.View, f.Systems)
	for i, b := range p.Bodies {
		of := map[int32]int{} // by the node that represents the component; looked up only
		for _, n := range p.Mesh.Bodies[i].Nodes {
			h := p.At(n)
			if h.Restrained || h.free() == "" {
				continue
			}
			k, seen := of[p.root[n]]
			if !seen {
				k = len(out)
				of[p.root[n]] = k
				l := FreeBody{Name: b.Name, may: h.may(), atX: -1, atY: -1}
				if h.x > 0 {
					l.atX = h.inX
				}
				if h.y > 0 {
					l.atY = h.inY
				}
				out = append(out, l)
			}
			out[k].nodes = append(out[k].nodes, n)
		}
	}
	for i := range p.Rigids {
		r := &p.Rigids[i]
		if len(freeOf(r)) == 0 || p.restrained[i] {
			continue
		}
		l := FreeBody{Name: r.Name, rigid: true, nodes: []int32{int32(slices.Index(f.Body, int32(i)))}}
		for k := range l.may {
			l.may[k] = r.Mass > 0 || r.Released[k]
		}
		out = append(out, l)
	}
	return out
}

// Motions returns the degrees of freedom of a component or body. For each of its free rigid motions
// it returns the rates of these freedoms: translation along x or y by 1, or rotation by one radian
// about its present position.
func Motions(f *system.Freedoms, l *FreeBody) (freedoms []int32, motions [][]float64) {
	s := f.View
	if l.rigid {
		for k, i := range f.Moves[l.nodes[0]] {
			if i >= 0 && l.may[k] {
				freedoms = append(freedoms, i)
			}
		}
		for k := range freedoms {
			motions = append(motions, make([]float64, len(freedoms)))
			motions[k][k] = 1
		}
		return freedoms, motions
	}
	centre := turnsAround(f, l)
	var modes [len(freeMotions)][]float64
	add := func(i int32, by [len(freeMotions)]float64) {
		if i < 0 {
			return
		}
		freedoms = append(freedoms, i)
		for k := range modes {
			modes[k] = append(modes[k], by[k])
		}
	}
	for _, n := range l.nodes {
		if f.Body[n] >= 0 || f.Of[n] >= 0 {
			continue
		}
		a := r2.Sub(s.X[n], centre)
		add(f.Moves[n][0], [...]float64{1, 0, -a.Y})
		add(f.Moves[n][1], [...]float64{0, 1, a.X})
		add(f.Rotation[n], [...]float64{0, 0, 1})
	}
	for k, may := range l.may {
		if may {
			motions = append(motions, modes[k])
		}
	}
	return freedoms, motions
}

// turnsAround returns the point about which a component rotates [m]: its middle, unless a fixed
// node determines a coordinate.
func turnsAround(f *system.Freedoms, l *FreeBody) (c r2.Vec) {
	x := f.View.X
	for _, n := range l.nodes {
		c = r2.Add(c, x[n])
	}
	c = r2.Scale(1/float64(len(l.nodes)), c)
	if l.atX >= 0 {
		c.Y = x[l.atX].Y
	}
	if l.atY >= 0 {
		c.X = x[l.atY].X
	}
	return c
}
