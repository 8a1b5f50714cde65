package rayleigh

import (
	"fmt"
	"math"
	"slices"

	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/bodies"
	"fdem/solver/contacts"
	"fdem/solver/forces"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/processes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Connected components of triangles, for the light damping of whole bodies. Joints, broken edges
// and excavated bodies separate components. They depend on the edges that had broken when the
// components were formed last, and on the excavated bodies, so a resumed run has the same
// components. A component is damped through nodes whose triangles all belonged to it before any
// crack, so small fragments are not damped. If joints separate blocks, a block also gets the nodes
// of the joint that belong to it alone by then. Without these nodes the dashpot acts on only a part
// of a block and drives its hopping.

// dampedBody is a connected component of triangles.
type dampedBody struct {
	first, end int32    // its range of nodes
	of         [2]int32 // its lowest triangle, and its number of triangles
	held       bool     // it does not move as a rigid body
	mass       float64  // [kg]
	rate       float64  // of the mass-proportional damping [1/s]
	time       float64  // T [s]
	smooth     float64  // L, the time over which accelerations are smoothed [s]
	arm        float64  // arm that makes a rotation comparable to a length [m]
}

// dampedComponent is a component that may be damped.
type dampedComponent struct {
	of         [2]int32 // its lowest triangle, and its number of triangles
	lo, hi     r2.Vec   // box around it at the start [m]
	mass       float64
	slow       float64 // travel time of sound per length [s/m]
	bounces    float64 // the same in the softest body in contact with it [s/m]
	area       float64 // [m2]
	joints     float64 // density divided by the normal stiffness of the softest joint beside it [s2/m]
	attachment forces.Attachment
	moves      bool    // a drive moves it
	nodes      []int32 // nodes of this component alone that nothing holds, drives or rotates, ascending
}

// newBodyDamping makes the damping. highest is the highest frequency of the elements [1/s].
// supports has per triangle the Young's modulus of the softest body in contact [Pa], joints the
// least stiffness of the joints beside it [Pa/m].
func newBodyDamping(of system.View, t *bodies.Continuum, shared *processes.Division, highest float64, supports, joints []float64) *bodyDamping {
	k := &bodyDamping{View: of, triangles: t, breaking: contacts.Whole{}, shared: shared, highest: highest, supports: supports, joints: joints, whole: of.Mesh.Triangles, moving: make([]bool, len(of.Mesh.Bodies))}
	if k.Fracture != nil {
		k.whole = slices.Clone(k.whole)
	}
	k.doMove, k.doSpread = k.moveBodies, k.spreadBodies
	k.before, k.mass, k.free, k.Formed = make([]float64, k.Meshed), make([]float64, len(k.X)), make([]bool, k.Meshed), -1
	for n := range k.free {
		k.free[n] = k.Held[n] == 0 && !(k.Implicit != nil && k.Implicit[n]) && !(k.InverseInertias != nil && k.InverseInertias[n] > 0)
	}
	k.each(func(_, t int32) {
		for _, n := range k.whole[t] {
			k.before[n] += k.triangles.CornerMass(int(t))
		}
	})
	for i := range k.Mesh.Bodies {
		k.moving[i] = slices.ContainsFunc(k.Mesh.Bodies[i].Nodes, func(n int32) bool { return k.V[n] != (r2.Vec{}) })
	}
	k.outer, k.border = make([]r2.Vec, k.Meshed), make([]r2.Vec, k.Meshed)
	k.listBorder()
	k.listHeld()
	k.form()
	k.acts = true
	return k
}

// listBorder finds the fractions of outlines at nodes across x and across y, where contact may
// press on them.
func (k *bodyDamping) listBorder() {
	length := make([]float64, k.Meshed)
	for i := range k.Mesh.Edges {
		e := &k.Mesh.Edges[i]
		if e.Tri < 0 {
			continue
		}
		d := r2.Sub(k.X[e.B], k.X[e.A])
		for _, n := range [2]int32{e.A, e.B} {
			k.border[n].X += math.Abs(d.Y)
			k.border[n].Y += math.Abs(d.X)
			length[n] += elementary.Norm(d)
		}
	}
	for n, l := range length {
		if l > 0 {
			k.border[n] = r2.Scale(1/l, k.border[n])
		}
	}
}

// form finds the present bodies. Bodies that have not been divided keep their state.
func (k *bodyDamping) form() {
	was := make(map[[2]int32]bodyMotion, len(k.Groups)) // looked up, never iterated
	for i := range k.Groups {
		was[k.Groups[i].of] = k.kept(k.motions, i)
	}
	k.Groups, k.nodes, k.rate, k.motions = k.Groups[:0], k.nodes[:0], 0, nil
	components := k.dampedComponents()
	for i := range components {
		of := &components[i]
		if len(of.nodes) < 3 {
			continue
		}
		long := max(of.hi.X-of.lo.X, of.hi.Y-of.lo.Y)
		passes := float64(of.slow * long) // travel time of sound along it
		b := dampedBody{of: of.of, held: of.attachment.Holds() && !of.moves, mass: of.mass, rate: bodyRate / passes, time: float64(bodyTime * of.slowest(long) * long), arm: float64(0.3 * long)}
		if b.held {
			b.rate = heldRate / passes
		}
		k.setNodes(&b, of)
		k.Groups = append(k.Groups, b)
		if kept := was[b.of]; kept != nil {
			k.motions = append(k.motions, kept...)
		} else {
			k.motions = append(k.motions, make([]float64, bodyValues)...)
		}
	}
	k.next, k.moves = make([]float64, len(k.motions)), make([]rigidMotion, len(k.Groups))
}

// slowest returns the travel time of sound per length [s/m] in the component or in the softest body
// in contact with it, whichever is longer, with its softest joint. long is the longer side of the
// component [m].
func (p *dampedComponent) slowest(long float64) float64 {
	slow := max(p.slow, p.bounces)
	return math.Sqrt(float64(slow*slow) + float64(p.joints*long/p.area))
}

// setNodes chooses nodes of a component: all of them, or for a held component as many as keep the
// rate on each low. A fast force on a node, by contact or by a neighbour that shares nodes,
// accelerates the node 1 + more T/L times as much, where more is the ratio of the body's mass to
// the mass of its nodes. The step is short enough for a stiffness of leapfrogMargin times the
// greatest that it allows, all on the nodes at outlines. So the part of the mass at outlines bounds
// T/L.
func (k *bodyDamping) setNodes(b *dampedBody, of *dampedComponent) {
	b.first = int32(len(k.nodes))
	count := len(of.nodes)
	if b.held {
		count = min(count, max(heldNodes, int(math.Ceil(b.rate*float64(count)/float64(nodeRate*k.highest)))))
	}
	mass, outer := 0.0, r2.Vec{}
	for i := range count {
		n := of.nodes[i*len(of.nodes)/count]
		k.nodes = append(k.nodes, n)
		w, v := k.mass[n], k.VertexOf(nodes.Node(n))
		mass += w
		outer.X += float64(w * k.outer[v].X)
		outer.Y += float64(w * k.outer[v].Y)
	}
	b.end = int32(len(k.nodes))
	k.rate = max(k.rate, min(float64(b.rate*b.mass/mass), float64(nodeRate*k.highest)))
	gain := (leapfrogMargin*mass/max(outer.X, outer.Y) - 1) * mass / b.mass
	b.smooth = max(float64(bodySmooth*b.time), b.time/gain)
}

// dampedComponents returns the present components of triangles.
func (k *bodyDamping) dampedComponents() (out []dampedComponent) {
	of := k.components()
	number := make([]int32, len(of)) // numbers of the components, by their lowest triangles
	for i := range k.Mesh.Bodies {
		b := &k.Mesh.Bodies[i]
		if b.Kind != mesh.OfTriangles {
			continue
		}
		m := &k.Materials[k.Model.Bodies[i].Material]
		for t := b.First; t < b.End; t++ {
			lowest := of[t]
			if lowest < 0 {
				continue
			}
			at := k.Mesh.X[k.whole[t][0]]
			if lowest == t {
				number[t] = int32(len(out))
				out = append(out, dampedComponent{of: [2]int32{t, 0}, lo: at, hi: at})
			}
			of[t] = number[lowest]
			p := &out[of[t]]
			p.of[1]++
			p.mass += float64(3 * k.triangles.CornerMass(int(t)))
			p.slow = max(p.slow, math.Sqrt(m.Density/m.Young))
			p.bounces = max(p.bounces, math.Sqrt(m.Density/k.supports[t]))
			p.joints = max(p.joints, m.Density/k.joints[t])
			corners := k.whole[t]
			p.area += math.Abs(0.5 * elementary.Cross(r2.Sub(k.Mesh.X[corners[1]], at), r2.Sub(k.Mesh.X[corners[2]], at)))
			p.moves = p.moves || k.moving[i]
			for _, n := range k.whole[t] {
				x := k.Mesh.X[n]
				p.lo, p.hi = r2.Vec{X: min(p.lo.X, x.X), Y: min(p.lo.Y, x.Y)}, r2.Vec{X: max(p.hi.X, x.X), Y: max(p.hi.Y, x.Y)}
			}
		}
	}
	k.hold(of, out)
	k.listNodes(of, out)
	return out
}

// components returns for each triangle the lowest triangle of its component, -1 if it has been
// excavated.
func (k *bodyDamping) components() []int32 {
	joined := mesh.NewConnected(len(k.whole))
	if k.Fracture == nil {
		first := make([]int32, len(k.X)) // a triangle at each node, plus 1
		k.each(func(_, t int32) {
			for _, n := range k.whole[t] {
				if first[n] > 0 {
					joined.Join(t, first[n]-1)
				}
				first[n] = t + 1
			}
		})
	} else {
		has := make([]bool, len(k.whole)) // per triangle: it has not been excavated
		k.each(func(_, t int32) { has[t] = true })
		for i := range k.Fracture.Edges {
			e := &k.Fracture.Edges[i]
			if !k.Fracture.Parts(e.Region) && !(k.acts && k.breaking.Zone().BrokenBy(int32(i), k.Formed)) && has[e.A] && has[e.B] {
				joined.Join(e.A, e.B)
			}
		}
	}
	of := joined.Firsts()
	for i := range k.Mesh.Bodies {
		if b := &k.Mesh.Bodies[i]; b.Kind == mesh.OfTriangles && k.excavated(int32(i)) {
			for t := b.First; t < b.End; t++ {
				of[t] = -1
			}
		}
	}
	return of
}

// each calls the function with the triangles that have not been excavated, and their bodies.
func (k *bodyDamping) each(do func(body, t int32)) {
	for i := range k.Mesh.Bodies {
		if b := &k.Mesh.Bodies[i]; b.Kind == mesh.OfTriangles && !k.excavated(int32(i)) {
			for t := b.First; t < b.End; t++ {
				do(int32(i), t)
			}
		}
	}
}

// excavated tells whether a body has been excavated.
func (k *bodyDamping) excavated(body int32) bool {
	return k.acts && k.breaking.IsExcavated(body)
}

// fixedCorner is a corner of a triangle that a fix holds.
type fixedCorner struct{ triangle, node, fix int32 }

// listHeld lists the corners and triangles that fixes and drives hold or move. Excavated bodies
// lose theirs.
func (k *bodyDamping) listHeld() {
	for i := range k.Model.Fixes {
		f := &k.Model.Fixes[i]
		if f.Staged() {
			continue
		}
		models.EachCorner(k.whole, len(k.X), f.Nodes, &f.Corners, func(t int32, c int) {
			k.fixed = append(k.fixed, fixedCorner{t, k.whole[t][c], int32(i)})
		})
	}
	driven := make([]bool, len(k.whole))
	for i := range k.Model.Drives {
		d := &k.Model.Drives[i]
		models.EachCorner(k.whole, len(k.X), d.Nodes, &d.Corners, func(t int32, _ int) { driven[t] = true })
	}
	k.each(func(_, t int32) {
		if driven[t] {
			k.driven = append(k.driven, t)
		}
	})
}

// hold finds how components are held and which of them are driven, given the component of each
// triangle.
func (k *bodyDamping) hold(of []int32, out []dampedComponent) {
	for _, c := range k.fixed {
		if of[c.triangle] < 0 {
			continue
		}
		at, x, f := &out[of[c.triangle]].attachment, k.Mesh.X[c.node], &k.Model.Fixes[c.fix]
		if f.X {
			at.X.Add(x.Y)
		}
		if f.Y {
			at.Y.Add(x.X)
		}
		at.Clamps = at.Clamps || f.Rotation
	}
	for _, t := range k.driven {
		if of[t] >= 0 {
			out[of[t]].moves = true
		}
	}
}

// Values for vertices that do not belong to one component.
const (
	ofNone    = -1
	ofSeveral = -2
)

// listNodes lists for each component the nodes that belong to it alone.
func (k *bodyDamping) listNodes(of []int32, out []dampedComponent) {
	copy(k.mass, k.before)
	has := k.owners(of, k.whole)
	for n, i := range has[:k.Meshed] {
		if i >= 0 && k.free[n] {
			out[i].nodes = append(out[i].nodes, int32(n))
		}
	}
	if k.Fracture.HasJoints() {
		k.listSplit(of, has, out)
	}
	k.listOuter(has)
}

// listOuter finds for each vertex, across x and across y, the part of the stiffness that steps
// allow that may act on it: from contact at outlines, joints, and neighbours with other forces.
func (k *bodyDamping) listOuter(has []int32) {
	copy(k.outer, k.border)
	atLeast := func(v int32, part float64) {
		k.outer[v] = r2.Vec{X: max(k.outer[v].X, part), Y: max(k.outer[v].Y, part)}
	}
	parted := make([]bool, k.Meshed)
	for _, n := range k.split {
		v := int32(k.VertexOf(nodes.Node(n)))
		parted[v] = true
		atLeast(v, besideJoint)
	}
	for _, ns := range k.whole {
		for _, n := range ns {
			if has[n] < 0 && !parted[n] || !k.free[n] {
				for _, n := range ns {
					atLeast(n, besideShared)
				}
			}
		}
	}
}

// owners returns the component of the triangles at each node, or ofNone for none, or ofSeveral.
func (k *bodyDamping) owners(of []int32, triangles [][3]int32) []int32 {
	has := slices.Repeat([]int32{ofNone}, len(k.X))
	for t, ns := range triangles {
		for _, n := range ns {
			switch {
			case has[n] == ofNone && of[t] >= 0:
				has[n] = of[t]
			case has[n] != of[t]:
				has[n] = ofSeveral
			}
		}
	}
	return has
}

// listSplit adds the nodes into which joints have split vertices, each to the component of its
// triangles. A resumed run takes them from the state, because more nodes may have been split since.
func (k *bodyDamping) listSplit(of, vertices []int32, out []dampedComponent) {
	has := k.owners(of, k.Mesh.Triangles)
	if !k.resumed {
		k.split = k.splitNodes(of, vertices, has)
	}
	for _, n := range k.split {
		k.mass[n] = 0
		out[has[n]].nodes = append(out[has[n]].nodes, n)
	}
	is := make([]bool, len(k.X))
	for _, n := range k.split {
		is[n] = true
	}
	for t, ns := range k.whole {
		for _, v := range ns {
			if vertices[v] != ofSeveral {
				continue
			}
			for n := range k.At(nodes.Vertex(v)) {
				if is[n] && has[n] == of[t] {
					k.mass[n] += k.triangles.CornerMass(t)
				}
			}
		}
	}
}

// splitNodes returns the nodes of vertices that were shared by several components and now belong to
// one component, if only joints have separated the components there.
func (k *bodyDamping) splitNodes(of, vertices, has []int32) (split []int32) {
	broken := make([]bool, k.Meshed)
	for i := range k.Fracture.Edges {
		e := &k.Fracture.Edges[i]
		if !k.Fracture.Parts(e.Region) && of[e.A] != of[e.B] {
			broken[e.From], broken[e.To] = true, true
		}
	}
	for n, i := range has {
		if i < 0 {
			continue
		}
		if v := k.VertexOf(nodes.Node(n)); vertices[v] == ofSeveral && k.free[v] && !broken[v] {
			split = append(split, int32(n))
		}
	}
	return split
}

// Follow forms the bodies anew after an excavation, and at intervals after cracks.
func (k *bodyDamping) Follow(left bool) {
	if !k.acts || k.resumed {
		return
	}
	if !left && k.N%contacts.WaitSteps == 0 && k.breaking.Zone().BrokenSince(k.Formed) {
		k.Formed, left = k.Time, true
		k.shared.Sharing.GetAllNodes()
	}
	if left {
		k.form()
		k.name()
	}
}

// name makes the nodes on which the damping acts available to this process.
func (k *bodyDamping) name() {
	k.shared.Sharing.Follow(func(each func(n int32)) {
		for _, n := range k.nodes {
			each(n)
		}
	})
}

// resume forms the bodies as the state says, once broken edges and excavated bodies are known.
func (k *bodyDamping) resume() error {
	kept := k.motions
	k.Groups = nil
	k.form()
	if k.resumed = false; len(kept) != len(k.motions) {
		return fmt.Errorf("light damping of %d bodies is not that of this model, which has %d", len(kept)/bodyValues, len(k.Groups))
	}
	k.motions = kept
	k.name()
	return nil
}
