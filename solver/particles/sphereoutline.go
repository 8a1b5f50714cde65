package particles

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fdem/contactnodes/spheres"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Spheres and the outlines of bodies with elements: the boundary edges of triangles and the faces
// of beams. The force on a node of a face is transferred to the node of the beam, as a force and a
// moment, as with every contact.

// sphereOutline is the part of the outline that spheres may contact.
type sphereOutline struct {
	nodes    []int32   // of the mesh and of faces, per node of the outline
	hostNode []int32   // the beam node that carries it, or the node itself
	fastest  float64   // greatest speed of a node [m/s]
	mobility []float64 // per kind: greatest speed that a unit impulse gives to one of its nodes [1/kg]
	sum      []float64 // per node of the mesh, of boundNodes [1/s2]
	sphereCracks
}

// newSphereOutline adds to c the outlines of the bodies that spheres contact. ease is the mobility
// of the nodes [1/kg].
func newSphereOutline(s system.View, p *models.Particles, c *spheres.Config, ease []float64) sphereOutline {
	k := sphereOutline{mobility: make([]float64, p.Kinds)}
	if len(p.BodyKind) == 0 {
		return k
	}
	index, number := make([]int32, len(s.Mesh.X)), make([]int32, len(s.Mesh.Edges))
	for i := range index {
		index[i] = -1
	}
	of := func(n, kind int32) int32 {
		if index[n] < 0 {
			index[n] = int32(len(k.nodes))
			carrier := n
			if i := int(n - s.Mesh.FirstFace); i >= 0 && i < len(s.Mesh.Faces) {
				carrier = s.Mesh.Faces[i]
			}
			k.nodes, k.hostNode = append(k.nodes, n), append(k.hostNode, carrier)
			c.Outline.X, c.Outline.Mobility = append(c.Outline.X, s.X[n]), append(c.Outline.Mobility, ease[n])
		}
		k.mobility[kind] = max(k.mobility[kind], ease[n])
		return index[n]
	}
	meets := func(i int32) bool {
		e := &s.Mesh.Edges[i]
		return s.Mesh.Bodies[e.Body].Kind != mesh.OfOutline && p.BodyKind[e.Body] >= 0
	}
	edges := int32(0)
	for i := range s.Mesh.Edges {
		if number[i] = -1; meets(int32(i)) {
			number[i] = edges
			edges++
		}
	}
	next := func(i int32) int32 {
		if i < 0 {
			return i
		}
		return number[i]
	}
	for i, e := range s.Mesh.Edges {
		if number[i] >= 0 {
			kind := p.BodyKind[e.Body]
			c.Outline.Edges = append(c.Outline.Edges, spheres.OutlineEdge{
				A: of(e.A, kind), B: of(e.B, kind), Prev: next(e.Prev), Next: next(e.Next), Component: e.Component, Kind: kind,
			})
		}
	}
	k.sum = make([]float64, len(s.Mesh.X))
	k.addBreaking(s, c, ease, index, number)
	return k
}

// Follow moves the outline to the positions X.
func (k *Balls) Follow() {
	x, v := k.OutlineNodes(), k.NodeV
	fastest := 0.0
	for _, i := range k.Used() {
		n := k.outline.nodes[i]
		x[i], v[i] = k.view.X[n], k.view.V[n]
		fastest = max(fastest, float64(v[i].X*v[i].X)+float64(v[i].Y*v[i].Y))
	}
	k.outline.fastest = math.Sqrt(fastest)
}

// pressNodes adds the forces of spheres to the nodes.
func (k *Balls) pressNodes() {
	for _, i := range k.Loaded {
		n, f := k.outline.nodes[i], k.NodeF[i]
		k.view.F[n].X += f.X
		k.view.F[n].Y += f.Y
	}
}

// AddTo implements pressing.
func (k *Balls) AddTo(force []r2.Vec) {
	for _, i := range k.Loaded {
		f := &force[k.outline.nodes[i]]
		f.X += k.NodeF[i].X
		f.Y += k.NodeF[i].Y
	}
}

// boundNodes adds the loads of spheres on nodes to those of other contacts: loads of spheres in
// contact or about to be, and of the heaviest possible impact anywhere. While spheres are far
// away, the impact counts only as far as steps of length flight allow [s].
func (k *Balls) boundNodes(b *system.Bounds, flight float64) {
	h := &k.outline
	if len(h.nodes) == 0 {
		return
	}
	add := func(to *system.Bound, of []float64, most float64, by system.Cause) {
		for _, i := range k.Loaded {
			h.sum[h.hostNode[i]] += float64(of[i] * k.Outline.Mobility[i])
		}
		for _, i := range k.Loaded {
			if n := h.hostNode[i]; h.sum[n] > most {
				most, by.At = h.sum[n], n
			}
		}
		for _, i := range k.Loaded {
			h.sum[h.hostNode[i]] = 0
		}
		if most > 0 {
			to.Raise(to.Of+most, by)
		}
	}
	stiffness, damping := k.PredictedNodes(h.mobility)
	if flight > 0 {
		stiffness, damping = min(stiffness, 4/(flight*flight)), min(damping, 1/flight)
	}
	add(&b.Stiffness, k.NodeStiffness, stiffness, system.Cause{What: "particles on a node", At: -1})
	add(&b.Damping, k.NodeDamping, damping, system.Cause{What: "particles on a node", At: -1})
}

// Where names the node on which spheres press.
func (k *Balls) Where(by system.Cause) string {
	if by.What != "particles on a node" || by.At < 0 {
		return ""
	}
	return fmt.Sprint(k.view.NodePosition(int(by.At)))
}

// Advice returns how steps can get longer.
func (k *Balls) Advice(by system.Cause) string {
	switch by.What {
	case "contact of particles", "particles on a node":
		return "give their [[interaction]] a softer law, or slow down what meets"
	case "speed of particles":
		return "slow down what moves them: a load, an initial velocity, a fall"
	}
	return ""
}

// namePenetrated adds the names of both bodies to an error of the spheres.
func (k *Balls) namePenetrated(err error) error {
	if err == nil { // so in every step except one that fails
		return nil
	}
	var penetrated *spheres.PenetrationError
	if !errors.As(err, &penetrated) {
		return err
	}
	p := k.given
	for _, g := range p.Groups {
		if penetrated.Sphere < g.First || penetrated.Sphere >= g.End {
			continue
		}
		penetrated.Of, penetrated.What = g.Name, fmt.Sprintf("particle %q", g.Name)
		if g.End-g.First > 1 {
			penetrated.What = fmt.Sprintf("particle %d of %q", penetrated.Sphere-g.First+1, g.Name)
		}
	}
	body := slices.Index(p.BodyKind, penetrated.Kinds[1])
	if penetrated.Start {
		if i := k.view.BodyAt(penetrated.Position); i >= 0 { // name the body at the position, where bodies are joined
			body = int(i)
		}
	}
	if i := slices.Index(p.RigidKind, penetrated.Kinds[1]); i >= 0 && body < 0 {
		penetrated.What += fmt.Sprintf(" on %q", k.view.Model.Rigids[i].Name)
	}
	for _, g := range p.Groups {
		if penetrated.Depth > 0 && body < 0 && g.End > g.First && !slices.Contains(p.RigidKind, penetrated.Kinds[1]) && p.Kind[g.First] == penetrated.Kinds[1] {
			penetrated.What += fmt.Sprintf(" on one of %q", g.Name)
		}
	}
	if body >= 0 {
		penetrated.What += fmt.Sprintf(" on %q", k.view.Model.Bodies[body].Name)
	}
	return penetrated
}
