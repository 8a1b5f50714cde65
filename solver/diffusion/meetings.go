package diffusion

import (
	"math"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/solver/bodies"
	models "fdem/solver/model"
)

// Bodies in contact exchange heat by the resistance of their contact, and take up the heat of its
// friction: each side by its effusivity, sqrt(k rho c), as two half spaces do whose surfaces have one
// temperature. A contact point joins the nodes of its two edges by their shape functions.

// meeting is a contact point of a contact.
type meeting struct {
	contactnodes.Meeting
	contact int
}

// meet joins the bodies that are in contact, and gives them the heat of friction since the last time.
func (k *Heat) meet() {
	if len(k.of.Contacts) == 0 {
		return
	}
	k.findPoints(k.contacts, len(k.of.Contacts))
	k.bridge(k.linksOfContacts(func(p *meeting) float64 { return conductance(p, &k.of.Contacts[p.contact]) }, k.warm))
	k.rub()
}

// findPoints finds the present points of a number of contacts.
func (k *field) findPoints(of *bodies.ContactState, contacts int) {
	k.points = k.points[:0]
	for i := range contacts {
		of.Surfaces[i].EachMeeting(func(m contactnodes.Meeting) { k.points = append(k.points, meeting{m, i}) })
	}
}

// linksOfContacts returns the links between the nodes of the edges that meet, with the conductances of contact points.
// has tells whether an edge is of a body with the field.
func (k *field) linksOfContacts(conductance func(p *meeting) float64, has func(edge int32) bool) []link {
	links := k.net.spare[:0]
	for i := range k.points {
		p := &k.points[i]
		g := conductance(p)
		if g == 0 || !has(p.Own) || !has(p.Opposite) {
			continue
		}
		k.eachCorner(p.Own, p.At, func(a int32, u float64) {
			k.eachCorner(p.Opposite, p.On, func(b int32, w float64) {
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
	g := p.Area / of.Resistance
	if of.Pressure > 0 {
		g *= elementary.Pow(max(p.Pressure, 0)/of.Pressure, roughness)
	}
	return g
}

// warm tells whether an edge is of a body with heat.
func (k *Heat) warm(edge int32) bool {
	t := k.Mesh.Edges[edge].Tri
	return t >= 0 && k.of.Materials[k.material[t]].Capacity > 0
}

// eachCorner calls the function with the nodes of an edge and their shares of a point on it.
func (k *field) eachCorner(edge int32, at float64, do func(n int32, share float64)) {
	e := &k.Mesh.Edges[edge]
	do(e.A, 1-at)
	do(e.B, at)
}

// effusivity returns sqrt(k rho c) of the body of an edge, 0 without heat.
func (k *Heat) effusivity(edge int32) float64 {
	if !k.warm(edge) {
		return 0
	}
	e := &k.Mesh.Edges[edge]
	c := k.of.Materials[k.material[e.Tri]].At(k.reference + float64(0.5*(k.now.theta[e.A]+k.now.theta[e.B])))
	return math.Sqrt(math.Sqrt(max(0, float64(c.XX*c.YY)-float64(c.XY*c.XY))) * c.Capacity)
}

// rub gives bodies the heat of friction of each contact since the last time, in proportion to that of
// its contact points now, or to their forces if none of them slides. Without any it waits.
func (k *Heat) rub() {
	for i := range k.of.Contacts {
		share := k.of.Contacts[i].Friction
		loss := float64(k.contacts.Surfaces[i].Work().FrictionLoss() * share)
		more := loss - k.rubbed[i]
		if more == 0 {
			continue
		}
		for _, weight := range [...]func(p *meeting) float64{
			func(p *meeting) float64 { return math.Abs(p.Heat) },
			func(p *meeting) float64 { return math.Abs(p.Pressure) * p.Area },
		} {
			if k.shareOut(i, more, weight) {
				k.rubbed[i] = loss
				break
			}
		}
	}
}

// shareOut gives heat to the bodies at the points of a contact, in proportion to a weight. It returns
// false if that is zero.
func (k *Heat) shareOut(contact int, heat float64, weight func(p *meeting) float64) bool {
	whole := 0.0
	for j := range k.points {
		if p := &k.points[j]; p.contact == contact && (k.warm(p.Own) || k.warm(p.Opposite)) {
			whole += weight(p)
		}
	}
	if whole == 0 {
		return false
	}
	for j := range k.points {
		if p := &k.points[j]; p.contact == contact {
			k.warmUp(p, float64(heat*weight(p))/whole)
		}
	}
	return true
}

// warmUp gives the heat of friction at a contact point to the two bodies [J].
func (k *Heat) warmUp(p *meeting, heat float64) {
	own, opposite := k.effusivity(p.Own), k.effusivity(p.Opposite)
	sum := own + opposite
	if sum == 0 { // neither conducts: half and half of those with a capacity
		if k.warm(p.Own) {
			own = 1
		}
		if k.warm(p.Opposite) {
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
		k.eachCorner(p.Own, p.At, func(n int32, u float64) { give(n, float64(u*heat*own)/sum) })
	}
	if opposite > 0 {
		k.eachCorner(p.Opposite, p.On, func(n int32, u float64) { give(n, float64(u*heat*opposite)/sum) })
	}
}

// meet joins the bodies with pores that are in contact by the resistance of their contact. A step takes the
// contact as it is at its start, so that a state has the links.
func (k *Pores) meet() {
	if len(k.of.Contacts) == 0 {
		return
	}
	k.findPoints(k.contacts, len(k.of.Contacts))
	links := k.linksOfContacts(func(p *meeting) float64 {
		if r := k.of.Contacts[p.contact]; r > 0 {
			return p.Area / r
		}
		return 0
	}, k.isWet)
	k.bridge(links)
	k.met = k.met[:0]
	for _, l := range k.net.bridges {
		k.met = append(k.met, float64(l.a), float64(l.b), l.g)
	}
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

// isWet tells whether an edge is of a body with pores.
func (k *Pores) isWet(edge int32) bool {
	t := k.Mesh.Edges[edge].Tri
	return t >= 0 && k.materials[k.material[t]].Capacity > 0
}
