package deck

import (
	"cmp"
	"slices"

	"fdem/io/tables"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Body forces are loads on whole bodies: accelerations, distributed by mass [m/s2], or
// forces per volume.

// perVolume is force per volume.
var perVolume = tables.Dimension{Length: -2, Mass: 1, Time: -2}

// readBodyForce reads a load that is a body force, and returns false for
// others. Each component becomes a load. An expression of the position becomes
// a load with a field.
func (d *Deck) readBodyForce(t *tables.Reader, whole model.Load, usual model.Schedule, when stage) bool {
	key := "acceleration"
	list := t.List(key, 2)
	if other := t.List("body_force", 2); other != nil {
		key, list = "body_force", other
	}
	if list == nil {
		return false
	}
	any := false
	for c, v := range list {
		l := whole
		part := r2.Vec{X: 1 - float64(c), Y: float64(c)}
		if s, ok := v.(string); ok && ofPosition(s) {
			f := d.compiledAt(t, key, s)
			l.Of = expressionName(t, key, s)
			l.Field = func(t float64, x r2.Vec) r2.Vec { return r2.Scale(f(t, x), part) }
			l.Schedule = d.rampedIfConstant(usual, s, when)
		} else {
			amount, s := d.amount(t, key, v, t.EntryOf(key, tables.Pair).Dim, list)
			if amount == 0 && s == nil {
				continue
			}
			l.Force = r2.Scale(amount, part)
			l.Schedule = d.ramped(product(usual, s), when)
		}
		any = true
		d.addLoad(when, func(r *resolver) model.Load { return r.overBody(t, key, l) })
	}
	if !any {
		t.Bad(key, "the %s is zero", map[string]string{"acceleration": "acceleration", "body_force": "body force"}[key])
	}
	return true
}

// ofPosition tells whether a text is an expression of x or y.
func ofPosition(s string) bool {
	words := names.FindAllString(s, -1)
	return slices.Contains(words, "x") || slices.Contains(words, "y")
}

// overBody resolves a body force. Each node takes the part of its mass or
// volume, and a rigid body takes all of the force at its centre.
func (r *resolver) overBody(t *tables.Reader, key string, l model.Load) model.Load {
	if slices.ContainsFunc(r.Deck.particles, func(p particles) bool { return p.name == l.On }) {
		t.Bad("on", "%q is a [[particle]]: acceleration and body_force act on meshed bodies, beams and rigid bodies only", l.On)
	}
	if i := slices.IndexFunc(r.rigids, func(b rigid) bool { return b.Name == l.On }); i >= 0 {
		return r.overRigid(t, key, l, i)
	}
	total := r.amounts(r.group(t, "on", l.On), key).put(&l, nil)
	if total == 0 {
		t.Bad("on", "%q has no elements of a body or a beam: acceleration and body_force act on elements, so name a body, a beam or a rigid body", l.On)
	}
	return r.shareOut(l, total)
}

// overRigid resolves a body force on the i-th rigid body.
func (r *resolver) overRigid(t *tables.Reader, key string, l model.Load, i int) model.Load {
	b := &r.rigids[i]
	amount := b.Mass
	if b.Mass == 0 {
		t.Bad("on", "%q does not move by forces: acceleration and body_force have no effect on it", l.On)
	}
	if key == "body_force" {
		if amount = b.area * r.model.Thickness; amount == 0 {
			t.Bad("on", "%q has no volume, so body_force [N/m3] gives no force: give an acceleration or a force", l.On)
		}
	}
	l.OnRigid, l.Rigid = true, int32(i)
	l.Nodes, l.Weights = r.throughCentre(l.On)
	for i := range l.Weights {
		l.Weights[i] *= amount
	}
	return r.shareOut(l, amount)
}

// throughCentre returns the nodes of the outline of a rigid body, and the part of each in a force whose
// line goes through the body's centre, however the body turns: equal parts, changed in proportion to the
// position by as much as the centre is off the middle of the nodes.
func (r *resolver) throughCentre(name string) (nodes []int32, weights []float64) {
	b := &r.mesh.Bodies[r.bodyNamed(name)]
	nodes = b.Nodes
	weights = slices.Repeat([]float64{1 / float64(len(nodes))}, len(nodes))
	var sum r2.Vec
	var xx, xy, yy float64
	for _, n := range nodes {
		a := r2.Sub(r.mesh.X[n], r.rigids[b.Number].Centre)
		sum = r2.Add(sum, a)
		xx, xy, yy = xx+float64(a.X*a.X), xy+float64(a.X*a.Y), yy+float64(a.Y*a.Y)
	}
	const rounding = 1e-20 // of squares
	if elementary.Dot(sum, sum) <= rounding*(xx+yy) {
		return nodes, weights
	}
	det := float64(xx*yy) - float64(xy*xy)
	slope := r2.Vec{X: (float64(yy*sum.X) - float64(xy*sum.Y)) / det, Y: (float64(xx*sum.Y) - float64(xy*sum.X)) / det}
	total := 0.0
	for i, n := range nodes {
		weights[i] -= float64(weights[i] * elementary.Dot(slope, r2.Sub(r.mesh.X[n], r.rigids[b.Number].Centre)))
		total += weights[i]
	}
	for i := range weights {
		weights[i] /= total
	}
	return nodes, weights
}

// amounts returns the mass [kg] of a group's elements at the nodes for an acceleration, or their
// volume [m3] for a force per volume.
func (r *resolver) amounts(g *mesh.Group, key string) *weights {
	amount := r.newWeights()
	add := func(body int, volume float64, triangle int32, nodes ...int32) {
		if key == "acceleration" {
			volume = float64(volume * r.model.Materials[r.bodies[body].Material].Density)
		}
		amount.share(volume, triangle, nodes...)
	}
	for i, b := range r.mesh.Bodies[:len(r.bodies)] {
		switch {
		case b.Kind == mesh.OfTriangles && g.Dim == 2:
			for t := b.First; t < b.End; t++ {
				if e := r.mesh.Triangles[t]; inGroup(g, e[:]) {
					a, p, q := r.mesh.X[e[0]], r.mesh.X[e[1]], r.mesh.X[e[2]]
					add(i, 0.5*elementary.Cross(r2.Sub(p, a), r2.Sub(q, a))*r.model.Thickness, t, e[:]...)
				}
			}
		case b.Kind == mesh.OfBeams && g.Dim == 1:
			section := r.bodies[i].Width * r.bodies[i].Height
			for _, e := range r.mesh.Beams[b.FirstBeam:b.EndBeam] {
				if inGroup(g, e[:]) {
					add(i, section*elementary.Norm(r2.Sub(r.mesh.X[e[1]], r.mesh.X[e[0]])), -1, e[:]...)
				}
			}
		}
	}
	return amount
}

// shareOut changes a load without a field from weights that are amounts to a total
// force with relative weights.
func (r *resolver) shareOut(l model.Load, total float64) model.Load {
	if l.Field != nil {
		return l
	}
	l.OnRigid, l.Force = false, r2.Scale(total, l.Force)
	for i := range l.Weights {
		l.Weights[i] /= total
	}
	return l
}

// turned resolves a moment on a rigid body.
func (r *resolver) turned(t *tables.Reader, l model.Load) model.Load {
	i := slices.IndexFunc(r.rigids, func(b rigid) bool { return b.Name == l.On })
	if r.rigids[i].Mass == 0 && !r.rigids[i].Released[2] {
		t.Bad("on", "%q does not rotate by forces: a moment has no effect on it", l.On)
	}
	l.OnRigid, l.Rigid = true, int32(i)
	return l
}

// weights are the parts of a force on the nodes of a group. In a model that breaks they are also
// the parts of the corners of the group's triangles, because a vertex may split, and the group may
// be on one side only.
type weights struct {
	of      []float64 // per node of the mesh
	nodes   []int32   // that have a weight
	breaks  bool
	corners []weightedCorner
}

// weightedCorner is the part of a force on the corner of a triangle at a node.
type weightedCorner struct {
	node, triangle int32
	weight         float64
}

// newWeights returns weights without nodes. One array serves all, because loads and springs on few
// nodes may be many: put clears it.
func (r *resolver) newWeights() *weights {
	if r.weights == nil {
		r.weights = make([]float64, len(r.mesh.X))
	}
	return &weights{of: r.weights, breaks: len(r.fractures) > 0}
}

// share divides an amount equally between the nodes of an element. triangle is -1 for a beam or a
// single node, otherwise a triangle with these nodes.
func (w *weights) share(amount float64, triangle int32, nodes ...int32) {
	each := float64(amount / float64(len(nodes)))
	for _, n := range nodes {
		if w.of[n] == 0 {
			w.nodes = append(w.nodes, n)
		}
		w.of[n] += each
		if w.breaks && triangle >= 0 {
			w.corners = append(w.corners, weightedCorner{n, triangle, each})
		}
	}
}

// put gives a load the nodes that have a weight, in the given order, or all, ascending, if that is
// nil. It returns the sum of their weights, and ends these weights.
func (w *weights) put(l *model.Load, in []int32) (total float64) {
	defer func() {
		for _, n := range w.nodes {
			w.of[n] = 0
		}
	}()
	if in == nil {
		in = slices.Compact(slices.Sorted(slices.Values(w.nodes)))
	}
	slices.SortStableFunc(w.corners, func(a, b weightedCorner) int { return cmp.Compare(a.node, b.node) })
	for _, n := range in {
		of := w.of[n]
		if of <= 0 {
			continue
		}
		l.Nodes, l.Weights = append(l.Nodes, n), append(l.Weights, of)
		total += of
		if w.corners == nil {
			continue
		}
		from, _ := slices.BinarySearchFunc(w.corners, n, func(c weightedCorner, n int32) int { return cmp.Compare(c.node, n) })
		var at []model.Corner
		for from < len(w.corners) && w.corners[from].node == n {
			at = append(at, model.Corner{Triangle: w.corners[from].triangle, Fraction: w.corners[from].weight / of})
			from++
		}
		l.Corners.Add(at...)
	}
	return total
}
