package output

import (
	"math"

	"fdem/contactnodes"
	"fdem/materials/bulk"
	"fdem/materials/elementary"
	"fdem/solver/constraints"
	models "fdem/solver/model"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// reduction combines values, each component by itself.
type reduction struct {
	take   string
	values []float64
	weight float64
	any    bool
}

func (r *reduction) add(weight float64, values ...float64) {
	if r.values == nil {
		r.values = make([]float64, len(values))
	}
	for i, v := range values {
		switch {
		case r.take == "mean":
			r.values[i] += float64(weight * v)
		case r.take == "sum":
			r.values[i] += v
		case !r.any:
			r.values[i] = v
		case r.take == "max":
			r.values[i] = max(r.values[i], v)
		default:
			r.values[i] = min(r.values[i], v)
		}
	}
	r.weight += weight
	r.any = true
}

// result returns the combined values, 0 for none.
func (r *reduction) result(components int) []float64 {
	if !r.any {
		return make([]float64, components)
	}
	if r.take == "mean" {
		for i := range r.values {
			r.values[i] /= r.weight
		}
	}
	return r.values
}

// ProbeValues returns the components of a probe at Time, in SI. Their number is that of the
// probe's quantity.
func (k *Results) ProbeValues(p *models.Probe, components int) []float64 {
	switch {
	case p.Quantity == bulk.Temperature && (p.Region == nil || p.Region.Triangles == nil):
		return []float64{k.ofNodes(p, k.Kinds.Heat.Temperature)}
	case p.Quantity == "pore_pressure":
		return []float64{k.ofNodes(p, k.Kinds.Pores.Pressure)}
	case p.Quantity == "convergence":
		between := func(x []r2.Vec) float64 { return elementary.Norm(r2.Sub(x[p.Node], x[p.To])) }
		return []float64{between(k.Mesh.X) - between(k.X)}
	}
	if p.Region == nil {
		v := k.reactionAt(p.Node)
		if p.Quantity != "reaction" {
			v = k.Probe(*p)
		}
		if p.Quantity == "contact_force" && !p.Particle {
			v = r2.Add(v, k.pressNodes()[p.Node])
		}
		return []float64{v.X, v.Y}
	}
	r := &reduction{take: p.Region.Take}
	switch p.Quantity {
	case "stress", "von_mises":
		k.addStresses(r, p)
	case "strain":
		for _, t := range p.Region.Triangles {
			xx, yy, xy := k.strain(t)
			r.add(k.AreaOf(t), xx, yy, xy)
		}
	case bulk.PlasticStrain, bulk.Temperature:
		for _, t := range p.Region.Triangles {
			r.add(k.AreaOf(t), k.Kinds.Triangles.Value(p.Quantity, int(t)))
		}
	case "pressure":
		k.addPressures(r, p.Region)
	case "contact_force":
		pressed := k.pressNodes()
		for _, n := range k.Field.Nodes(&nodes.Group{Of: p.Region.Nodes, Corners: p.Region.Corners}) {
			f := r2.Add(probedNode{k.View, n}.ContactForce(), pressed[n])
			r.add(1, f.X, f.Y)
		}
	default:
		all := nodes.Group{Of: p.Region.Nodes, Corners: p.Region.Corners}
		for _, n := range k.Field.Nodes(&all) {
			v := k.ProbeValues(&models.Probe{Node: n, Quantity: p.Quantity}, components)
			r.add(1, v...)
		}
	}
	return r.result(components)
}

// ofNodes returns a value of a node, or of those of a group.
func (k *Results) ofNodes(p *models.Probe, value func(n int32) float64) float64 {
	if p.Region == nil {
		return value(p.Node)
	}
	r := &reduction{take: p.Region.Take}
	all := nodes.Group{Of: p.Region.Nodes, Corners: p.Region.Corners}
	for _, n := range k.Field.Nodes(&all) {
		r.add(1, value(n))
	}
	return r.result(1)[0]
}

// reactionAt returns the force of fixes and drives on a node at Time [N].
func (s *Results) reactionAt(n int32) r2.Vec {
	for _, k := range s.systems {
		if k, ok := k.(*constraints.Supports); ok {
			return k.ForceAt(n)
		}
	}
	return r2.Vec{}
}

// addStresses adds the Cauchy stresses of triangles, or their equivalent stresses [Pa].
func (k *Results) addStresses(r *reduction, p *models.Probe) {
	for _, t := range p.Region.Triangles {
		if of := k.Kinds.Triangles.Stress(int(t), k.X, k.Plane); p.Quantity == "von_mises" {
			r.add(k.AreaOf(t), of.VonMises())
		} else {
			r.add(k.AreaOf(t), of.XX, of.YY, of.ZZ, of.XY)
		}
	}
}

// strain returns the Green-Lagrange strain (F^T F - I)/2 of triangle t at X.
func (s *Results) strain(t int32) (xx, yy, xy float64) {
	n := s.Mesh.Triangles[t]
	edge := func(x []r2.Vec, k int) r2.Vec { return r2.Sub(x[n[k]], x[n[0]]) }
	a, b, p, q := edge(s.Mesh.X, 1), edge(s.Mesh.X, 2), edge(s.X, 1), edge(s.X, 2)
	det := elementary.Cross(a, b)
	// Gradient of the displacement: p - a and q - b relative to a and b.
	du, dv := r2.Sub(p, a), r2.Sub(q, b)
	gxx, gxy := (float64(du.X*b.Y)-float64(dv.X*a.Y))/det, (float64(dv.X*a.X)-float64(du.X*b.X))/det
	gyx, gyy := (float64(du.Y*b.Y)-float64(dv.Y*a.Y))/det, (float64(dv.Y*a.X)-float64(du.Y*b.X))/det
	xx = gxx + float64(0.5*(float64(gxx*gxx)+float64(gyx*gyx)))
	yy = gyy + float64(0.5*(float64(gxy*gxy)+float64(gyy*gyy)))
	return xx, yy, float64(0.5*(gxy+gyx)) + float64(0.5*(float64(gxx*gxy)+float64(gyx*gyy)))
}

// addPressures adds the contact pressure of one contact node, or of all contact nodes on
// some edges [Pa]. Pressures of several contacts at the same position are added up. An edge
// without contact nodes gets the pressure of the opposite nodes: their force divided by its
// area. Its greatest pressure is that of a contact node.
func (s *Results) addPressures(r *reduction, of *models.ProbeRegion) {
	if of.Contact != nil {
		if c, i := s.nearestContactNode(*of.Contact); c >= 0 {
			k := s.Kinds.Contacts.Surfaces[c]
			r.add(1, k.NodePressures(nil)[i])
		}
		return
	}
	length := make(map[int32]float64, len(of.Edges)) // looked up only
	for _, e := range of.Edges {
		length[e] = elementary.Norm(s.Mesh.Along(e))
	}
	first := make(map[int32]int, len(of.Edges)) // the contact with which an edge's length is counted; looked up only
	for k, c := range s.Kinds.Contacts.Surfaces {
		pressure := c.NodePressures(nil)
		for i, p := range pressure {
			e := c.Edge(i)
			if length[e] == 0 {
				continue
			}
			by, known := first[e]
			if !known {
				first[e], by = k, k
			}
			w := length[e] / float64(c.Nodes)
			if r.add(w, p); by != k {
				r.weight -= w
			}
		}
		addReceived(s.View.Analysis.Model, r, c, k, of.Edges, length, first)
	}
}

// addReceived adds the pressure of contact k's nodes on opposite edges without contact
// nodes. length and first are those of addPressures.
func addReceived(m *models.Model, r *reduction, c *contactnodes.Contact, k int, edges []int32, length map[int32]float64, first map[int32]int) {
	force := make(map[int32]float64) // on an edge [N]; looked up only
	c.Received(func(e int32, pressure, f float64) {
		if length[e] == 0 {
			return
		}
		if force[e] += f; r.take == "max" {
			r.add(0, pressure)
		}
	})
	for _, e := range edges {
		if !c.Opposes(e) {
			continue
		}
		by, known := first[e]
		if !known {
			first[e], by = k, k
		}
		width := m.Thickness
		if c.Width != nil {
			width = c.Width[e]
		}
		if r.take == "max" {
			r.add(0, 0)
		} else if r.add(length[e], force[e]/(length[e]*width)); by != k {
			r.weight -= length[e]
		}
	}
}

// nearestContactNode returns the contact, and the number in it, of the contact
// node nearest to a position at the start; -1 if there is none.
func (s *Results) nearestContactNode(at r2.Vec) (contact, node int) {
	best := math.Inf(1)
	contact = -1
	for c, k := range s.Kinds.Contacts.Surfaces {
		for i, x := range k.Positions(nil, s.Mesh.X) {
			if d := elementary.Norm(r2.Sub(x, at)); d < best {
				best, contact, node = d, c, i
			}
		}
	}
	return contact, node
}
