package constraints

import (
	"fmt"
	"slices"
	"strings"

	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/system"
)

// held records how a connected component is fixed.
type held struct {
	x, y       int   // numbers of nodes fixed in x and in y
	inX, inY   int32 // the first node of each
	misaligned bool  // a node fixed in x is not at the height of the first, or one fixed in y not in line with it
	rotation   bool  // one of these nodes cannot rotate
	Restrained bool  // a contact with friction has edges of the component, or a spring or a tie holds it
	named      bool
}

// NewRestraints finds the restraints of a static analysis in which the separated contacts carry no
// load. It returns all fixes, including drives.
func NewRestraints(s system.View, systems []system.System, separated ...string) (p *restraints, fixes []models.Fix) {
	nodes := mesh.NewConnected(len(s.Mesh.X))
	s.Mesh.Connect(nodes.Join)
	p = &restraints{Model: s.Model, root: nodes.Firsts(), found: map[int32]*held{}, restrained: make([]bool, len(s.Rigids))}
	fixes = s.Fixes
	for _, d := range s.Drives {
		fixes = append(fixes[:len(fixes):len(fixes)], models.Fix{Nodes: d.Nodes, X: d.X, Y: d.Y, Rotation: d.Rotation})
	}
	for _, f := range fixes {
		for _, n := range f.Nodes {
			p.At(n).fix(s.Mesh, n, &f)
		}
	}
	for k := range system.All[system.Holding](systems) {
		k.EachHeld(func(n int32) { p.At(n).Restrained = true }, func(i int32) { p.restrained[i] = true })
	}
	p.addFriction(separated)
	return p, fixes
}

// restraints records what is held in a static analysis: connected components of the mesh, and rigid
// bodies.
type restraints struct {
	*models.Model
	root       []int32         // per node: the node that represents its connected component
	found      map[int32]*held // by the representative node; looked up only
	restrained []bool          // per rigid body: a contact with friction or another connection holds it
}

// At returns how the component of a node is held.
func (p *restraints) At(n int32) *held {
	h := p.found[p.root[n]]
	if h == nil {
		h = new(held)
		p.found[p.root[n]] = h
	}
	return h
}

// fix records a fixed node.
func (h *held) fix(m *mesh.Mesh, n int32, f *models.Fix) {
	if f.X {
		if h.x == 0 {
			h.inX = n
		}
		h.misaligned = h.misaligned || m.X[n].Y != m.X[h.inX].Y
		h.x++
	}
	if f.Y {
		if h.y == 0 {
			h.inY = n
		}
		h.misaligned = h.misaligned || m.X[n].X != m.X[h.inY].X
		h.y++
	}
	h.rotation = h.rotation || f.Rotation
}

// addFriction marks the bodies that contacts with friction hold: those that they connect, directly
// or through others, with a body that is fixed, or that a spring or a tie holds. Bodies that have
// friction only with themselves or with free bodies are not held. Separated contacts hold nothing.
func (p *restraints) addFriction(separated []string) {
	nodes := int32(len(p.root))
	groups := mesh.NewConnected(len(p.root) + len(p.Rigids)) // rigid bodies come after all nodes
	friction, held := make([]bool, len(groups)), make([]bool, len(groups))
	for i := range p.Contacts {
		c := &p.Contacts[i]
		if c.Friction.Kinetic == 0 || slices.Contains(separated, c.Name) {
			continue
		}
		first := p.component(c.Contactor[0])
		for _, e := range slices.Concat(c.Contactor, c.Opposite) {
			component := p.component(e)
			friction[component] = true
			groups.Join(first, component)
		}
	}
	for n, h := range p.found {
		held[groups.First(n)] = held[groups.First(n)] || h.Restrained || h.x+h.y > 0
	}
	for i := range p.Rigids {
		g := groups.First(nodes + int32(i))
		held[g] = held[g] || p.restrained[i] || len(freeOf(&p.Rigids[i])) < len(freeMotions)
	}
	for n, h := range p.found {
		h.Restrained = h.Restrained || friction[n] && held[groups.First(n)]
	}
	for i := range p.Rigids {
		n := nodes + int32(i)
		p.restrained[i] = p.restrained[i] || friction[n] && held[groups.First(n)]
	}
}

// component returns the component of an edge: a node that represents it, or for a rigid body its
// number after all nodes.
func (p *restraints) component(edge int32) int32 {
	e := &p.Mesh.Edges[edge]
	if b := &p.Mesh.Bodies[e.Body]; b.Kind == mesh.OfOutline {
		return int32(len(p.root)) + b.Number
	}
	n := p.root[masterNode(p.Mesh, e.A)]
	p.At(n)
	return n
}

// UnrestrainedMeshed names meshed bodies with components that nothing holds.
func (p *restraints) UnrestrainedMeshed() (out []string) {
	for i, b := range p.Bodies {
		free, several := "", 0
		for _, n := range p.Mesh.Bodies[i].Nodes {
			h := p.At(n)
			if h.named {
				continue
			}
			h.named = true
			directions := h.free()
			if h.Restrained || directions == "" {
				continue
			}
			if several++; several == 1 {
				free = directions
			}
		}
		switch {
		case several == 1:
			out = append(out, fmt.Sprintf("body %q (%s)", b.Name, free))
		case several > 1:
			out = append(out, fmt.Sprintf("body %q (%d components, the first %s)", b.Name, several, free))
		}
	}
	return out
}

// UnrestrainedRigid names rigid bodies that nothing holds.
func (p *restraints) UnrestrainedRigid() (out []string) {
	for i := range p.Rigids {
		r := &p.Rigids[i]
		if directions := freeOf(r); len(directions) > 0 && !p.restrained[i] {
			out = append(out, fmt.Sprintf("rigid %q (%s)", r.Name, strings.Join(directions, ", ")))
		}
	}
	return out
}

// freeMotions are the ways in which a body may move as a whole.
var freeMotions = [...]string{"along x", "along y", "to turn"}

// freeOf returns how a rigid body may move.
func freeOf(r *models.Rigid) (directions []string) {
	for k, direction := range freeMotions {
		if r.Mass > 0 || r.Released[k] {
			directions = append(directions, direction)
		}
	}
	return directions
}

// free returns how the component may move as a whole; "" if it is held.
func (h *held) free() string {
	var directions []string
	for k, may := range h.may() {
		if may {
			directions = append(directions, freeMotions[k])
		}
	}
	return strings.Join(directions, ", ")
}

// may tells in which of the freeMotions the component may move as a whole.
func (h *held) may() [len(freeMotions)]bool {
	return [...]bool{h.x == 0, h.y == 0, !h.misaligned && !h.rotation}
}

// masterNode returns the node that carries a node, itself where none does.
func masterNode(m *mesh.Mesh, n int32) int32 {
	if k := int(n - m.FirstFace); k >= 0 && k < len(m.Faces) {
		return m.Faces[k]
	}
	return n
}
