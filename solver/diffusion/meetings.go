package diffusion

import (
	"math"

	"fdem/contactnodes"
	"fdem/contactnodes/potential"
	"fdem/materials/elementary"
	"fdem/solver/bodies"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Bodies in contact exchange heat by the resistance of their contact, and take up the heat of its
// friction: each side by its effusivity, sqrt(k rho c), as two half spaces do whose surfaces have one
// temperature. A contact point joins the nodes of its two edges by their shape functions; one of fragments, whose
// contact nodes are under triangles, the nodes of its face and of the triangle.

// meeting is a contact point.
type meeting struct {
	own, opposite        side
	area, pressure, heat float64 // [m2], [Pa], of friction per time [W]
	group                int     // a contact of the model, or after these a rule of fragments
}

// side is a contact point on one of the two bodies.
type side struct {
	triangle int32 // -1 for a body without triangles
	nodes    [3]int32
	shares   [3]float64
	of       int // number of nodes
}

// each calls the function with the nodes and their shares of the point.
func (s *side) each(do func(n int32, share float64)) {
	for i := range s.of {
		do(s.nodes[i], s.shares[i])
	}
}

// onEdge is a side at a position along a boundary edge.
func (k *field) onEdge(edge int32, at float64) side {
	e := &k.Mesh.Edges[edge]
	return side{triangle: e.Tri, nodes: [3]int32{e.A, e.B}, shares: [3]float64{1 - at, at}, of: 2}
}

// Fragments is the contact of fragments, as heat sees it.
type Fragments struct {
	Contact *potential.Contact
	Of      []int // per rule: its contact of the model, -1 for none
}

// meet joins the bodies that are in contact, and gives them the heat of friction since the last time.
func (k *Heat) meet() {
	if len(k.rubbed) == 0 {
		return
	}
	k.findPoints(k.contacts, len(k.of.Contacts))
	if f := k.fragments.Contact; f != nil && !f.Sleeps() {
		f.EachMeeting(func(m *potential.Meeting) {
			k.points = append(k.points, meeting{
				own:      side{triangle: m.Own, nodes: [3]int32{m.Ends[0], m.Ends[1]}, shares: [3]float64{1 - m.At, m.At}, of: 2},
				opposite: side{triangle: m.Opposite, nodes: m.Corners, shares: m.Weights, of: 3},
				area:     m.Area, pressure: m.Pressure, heat: m.Heat, group: len(k.of.Contacts) + int(m.Rule),
			})
		})
	}
	if len(k.of.Contacts) > 0 {
		k.bridge(k.linksOfContacts(func(p *meeting) float64 {
			if of := k.contactOf(p.group); of >= 0 {
				return conductance(p, &k.of.Contacts[of])
			}
			return 0
		}, k.warm))
	}
	k.rub()
}

// contactOf returns the contact of the model to which a group belongs, -1 for none.
func (k *Heat) contactOf(group int) int {
	if rule := group - len(k.of.Contacts); rule >= 0 {
		return k.fragments.Of[rule]
	}
	return group
}

// findPoints finds the present points of a number of contacts.
func (k *field) findPoints(of *bodies.ContactState, contacts int) {
	k.points = k.points[:0]
	for i := range contacts {
		of.Surfaces[i].EachMeeting(func(m contactnodes.Meeting) {
			k.points = append(k.points, meeting{k.onEdge(m.Own, m.At), k.onEdge(m.Opposite, m.On), m.Area, m.Pressure, m.Heat, i})
		})
	}
}

// linksOfContacts returns the links between the nodes of the sides that meet, with the conductances of contact points.
// has tells whether a triangle is of a body with the field.
func (k *field) linksOfContacts(conductance func(p *meeting) float64, has func(triangle int32) bool) []link {
	links := k.net.spare[:0]
	for i := range k.points {
		p := &k.points[i]
		g := conductance(p)
		if g == 0 || !has(p.own.triangle) || !has(p.opposite.triangle) {
			continue
		}
		p.own.each(func(a int32, u float64) {
			p.opposite.each(func(b int32, w float64) {
				if c := float64(g * u * w); c > 0 && a != b {
					links = append(links, link{a: min(a, b), b: max(a, b), g: c})
				}
			})
		})
	}
	return links
}

// bridge sets the links of contacts.
func (k *field) bridge(links []link) {
	for _, l := range links {
		k.net.joined[l.a], k.net.joined[l.b] = true, true
	}
	if k.net.bridge(links) {
		k.work.matrix = nil
	} else if len(links) > 0 {
		k.work.factored = -1
	}
}

// roughness is the power of the pressure with which the conductance of rough faces grows (Yovanovich,
// 1982).
const roughness = 0.95

// conductance returns the conductance of a contact point [W/K].
func conductance(p *meeting, of *models.ContactHeat) float64 {
	if of.Resistance == 0 {
		return 0
	}
	g := p.area / of.Resistance
	if of.Pressure > 0 {
		g *= elementary.Pow(max(p.pressure, 0)/of.Pressure, roughness)
	}
	return g
}

// warm tells whether a triangle is of a body with heat.
func (k *Heat) warm(triangle int32) bool {
	return triangle >= 0 && k.of.Materials[k.material[triangle]].Capacity > 0
}

// effusivity returns sqrt(k rho c) of the body of a side, 0 without heat. Its temperature is the mean of its nodes.
func (k *Heat) effusivity(s *side) float64 {
	if !k.warm(s.triangle) {
		return 0
	}
	sum := 0.0
	s.each(func(n int32, _ float64) { sum += k.now.theta[n] })
	c := k.of.Materials[k.material[s.triangle]].At(k.reference + sum/float64(s.of))
	return math.Sqrt(math.Sqrt(max(0, float64(c.XX*c.YY)-float64(c.XY*c.XY))) * c.Capacity)
}

// rub gives bodies the heat of friction of each contact since the last time, in proportion to that of
// its contact points now, or to their forces if none of them slides. Without any it waits.
func (k *Heat) rub() {
	for i := range k.rubbed {
		share, loss := k.of.Cracks, 0.0 // of fragments of one body as of cracks
		if of := k.contactOf(i); of >= 0 {
			share = k.of.Contacts[of].Friction
		}
		if rule := i - len(k.of.Contacts); rule >= 0 {
			loss = k.fragments.Contact.Work(rule).FrictionLoss()
		} else {
			loss = k.contacts.Surfaces[i].Work().FrictionLoss()
		}
		loss = float64(loss * share)
		more := loss - k.rubbed[i]
		if more == 0 {
			continue
		}
		for _, weight := range [...]func(p *meeting) float64{
			func(p *meeting) float64 { return math.Abs(p.heat) },
			func(p *meeting) float64 { return math.Abs(p.pressure) * p.area },
		} {
			if k.shareOut(i, more, weight) {
				k.rubbed[i] = loss
				break
			}
		}
	}
}

// shareOut gives heat to the bodies at the points of a group, in proportion to a weight. It returns
// false if that is zero.
func (k *Heat) shareOut(group int, heat float64, weight func(p *meeting) float64) bool {
	whole := 0.0
	for j := range k.points {
		if p := &k.points[j]; p.group == group && (k.warm(p.own.triangle) || k.warm(p.opposite.triangle)) {
			whole += weight(p)
		}
	}
	if whole == 0 {
		return false
	}
	for j := range k.points {
		if p := &k.points[j]; p.group == group {
			k.warmUp(p, float64(heat*weight(p))/whole)
		}
	}
	return true
}

// warmUp gives the heat of friction at a contact point to the two bodies [J].
func (k *Heat) warmUp(p *meeting, heat float64) {
	own, opposite := k.effusivity(&p.own), k.effusivity(&p.opposite)
	sum := own + opposite
	if sum == 0 { // neither conducts: half and half of those with a capacity
		if k.warm(p.own.triangle) {
			own = 1
		}
		if k.warm(p.opposite.triangle) {
			opposite = 1
		}
		if sum = own + opposite; sum == 0 {
			return
		}
	}
	give := func(n int32, q float64) {
		k.now.take(&k.net, n, q)
		k.friction += q
	}
	if own > 0 {
		p.own.each(func(n int32, u float64) { give(n, float64(u*heat*own)/sum) })
	}
	if opposite > 0 {
		p.opposite.each(func(n int32, u float64) { give(n, float64(u*heat*opposite)/sum) })
	}
}

// meet joins the bodies with pores that are in contact by the resistance of their contact. A step takes the
// contact as it is at its start, so that a state has the links.
func (k *Pores) meet() {
	if len(k.of.Contacts) == 0 && len(k.seams) == 0 {
		return
	}
	k.findPoints(k.contacts, len(k.of.Contacts))
	links := k.linksOfContacts(func(p *meeting) float64 {
		if r := k.of.Contacts[p.group]; r > 0 {
			return p.area / r
		}
		return 0
	}, k.isWet)
	k.bridge(k.linksOfSeams(links))
	k.met = k.met[:0]
	for _, l := range k.net.bridges {
		k.met = append(k.met, float64(l.a), float64(l.b), l.g)
	}
}

// seam is two edges that face each other across a joint of a static analysis, which is a contact. The fluid of the
// pores is between them, whether they touch or not: its pressure acts on both, and the contact carries the
// effective stress (Terzaghi). Fluid flows across as through the rock; none flows along, and what opens holds
// none.
type seam struct {
	nodes       [4]int32 // A and B of one edge, and those of the other
	triangles   [2]int32
	conductance float64 // of each of the two pairs of nodes [m3/(Pa s)]
}

// joinSeams makes the seams of the joints of a model.
func (k *Pores) joinSeams() {
	const part = 1e-4 // of the resistance of the rock along an edge
	for _, pair := range k.of.Joints {
		e, f := &k.Mesh.Edges[pair[0]], &k.Mesh.Edges[pair[1]]
		s := seam{nodes: [4]int32{e.A, e.B, f.A, f.B}, triangles: [2]int32{e.Tri, f.Tri}}
		if !k.isWet(e.Tri) || !k.isWet(f.Tri) {
			continue
		}
		for _, t := range s.triangles {
			c := &k.materials[k.material[t]]
			s.conductance = max(s.conductance, float64(0.5*k.Thickness*max(c.XX, c.YY))/part)
		}
		k.seams = append(k.seams, s)
		for _, n := range s.nodes {
			k.seamAt = append(k.seamAt, k.X[n])
		}
	}
	k.seamPush = make([]r2.Vec, len(k.seamAt))
	for _, l := range merged(k.linksOfSeams(nil)) {
		k.met = append(k.met, float64(l.a), float64(l.b), l.g)
	}
}

// linksOfSeams appends the links across seams.
func (k *Pores) linksOfSeams(to []link) []link {
	for i := range k.seams {
		s := &k.seams[i]
		if k.isGone(s.triangles[0]) || k.isGone(s.triangles[1]) {
			continue
		}
		for _, pair := range [2][2]int32{{s.nodes[0], s.nodes[3]}, {s.nodes[1], s.nodes[2]}} {
			if a, b := pair[0], pair[1]; a != b && s.conductance > 0 {
				to = append(to, link{a: min(a, b), b: max(a, b), g: s.conductance})
			}
		}
	}
	return to
}

// pressSeams adds the forces of pressures on the faces of seams. A negative one does not hold them together.
// With commit it returns their work since the last commit.
func (k *Pores) pressSeams(theta []float64, commit bool) (work float64) {
	at := func(a, b int32) float64 {
		return max(0, float64(0.5*((theta[a]+k.gravity[a])+(theta[b]+k.gravity[b]))))
	}
	for i := range k.seams {
		s := &k.seams[i]
		var push [4]r2.Vec
		if !k.isGone(s.triangles[0]) && !k.isGone(s.triangles[1]) {
			p, q := at(s.nodes[0], s.nodes[3]), at(s.nodes[1], s.nodes[2])
			for side, ends := range [2][2]float64{{p, q}, {q, p}} {
				a, b := s.nodes[2*side], s.nodes[2*side+1]
				d := r2.Sub(k.X[b], k.X[a])
				for end, n := range [2]int32{a, b} {
					h := float64(k.Thickness * (ends[0] + ends[1] + ends[end]) / 6)
					push[2*side+end] = r2.Vec{X: -float64(h * d.Y), Y: float64(h * d.X)}
					k.F[n].X += push[2*side+end].X
					k.F[n].Y += push[2*side+end].Y
				}
			}
		}
		if !commit {
			continue
		}
		for j, n := range s.nodes {
			was, before := k.seamAt[4*i+j], k.seamPush[4*i+j]
			work += float64(0.5*(before.X+push[j].X)*(k.X[n].X-was.X)) + float64(0.5*(before.Y+push[j].Y)*(k.X[n].Y-was.Y))
			k.seamAt[4*i+j], k.seamPush[4*i+j] = k.X[n], push[j]
		}
	}
	return work
}

// rejoin joins the bodies as they were when the network was made anew, or a state was written.
func (k *Pores) rejoin() {
	if len(k.met) == 0 || len(k.net.bridges) > 0 {
		return
	}
	var links []link
	for i := 0; i < len(k.met); i += 3 {
		links = append(links, link{a: int32(k.met[i]), b: int32(k.met[i+1]), g: k.met[i+2]})
	}
	k.bridge(links)
}

// isWet tells whether a triangle is of a body with pores.
func (k *Pores) isWet(t int32) bool {
	return t >= 0 && k.materials[k.material[t]].Capacity > 0
}
