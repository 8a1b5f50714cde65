package contacts

import (
	"math"

	"fdem/materials/elementary"
	"fdem/mesh"
	models "fdem/solver/model"
)

// The error of contact forces on round outlines. A disc that is meshed is a polygon
// with its corners on the circle. On average h^2/(12 R) of the radius is missing,
// and contact also deflects by p/k. Relative to the force of a line contact of width
// 2 a (K. L. Johnson, Contact Mechanics, 1985, section 5.6), about
//
//	0.28 h/(n a) + 0.055 (h/a)^2
//
// is missing, with n = k h/E. The first number is measured, see docs/stiffness.md.
// The second follows from the missing radius.

// Facets describes how accurately a round outline of a body transfers contact
// forces.
type Facets struct {
	Body         string
	Radius, Edge float64 // [m]
	Stiffness    float64 // n: stiffness of the contact in units of E/h
}

const (
	missedByGiving = 0.28
	missedByFacets = 0.055
	roundSpread    = 2.0 // greatest ratio of the turns at its corners
)

// Width returns the least width of the contact at which no more than the given part of
// the force is missing [m].
func (f *Facets) Width(missing float64) float64 {
	b := missedByGiving / f.Stiffness
	return 4 * missedByFacets * f.Edge / (math.Sqrt(float64(b*b)+float64(4*missedByFacets*missing)) - b)
}

// Approach returns the approach of a flat beyond first contact that gives a contact
// of that width [m], Johnson's (5.57).
func (f *Facets) Approach(width float64) float64 {
	a := 0.5 * width
	return a * a / (2 * f.Radius) * (elementary.Log(4*f.Radius/a) - 0.5)
}

// FacetsOf returns the bodies of a contact that are round at their contact edges.
func FacetsOf(m *models.Model, contact int) (out []Facets) {
	c := &m.Contacts[contact]
	if !(c.Young > 0) || !(c.Suitable > 0) || c.Factor == 0 {
		return nil
	}
	seen := map[int32]bool{} // looked up, never iterated
	for _, side := range [][]int32{c.Contactor, c.Opposite} {
		for _, i := range side {
			if body := m.Mesh.Edges[i].Body; !seen[body] {
				seen[body] = true
				if radius, edge := round(m.Mesh, side, body); radius > 0 {
					out = append(out, Facets{Body: m.Mesh.Bodies[body].Name, Radius: radius, Edge: edge, Stiffness: c.Factor * c.Suitable * edge / c.Young})
				}
			}
		}
	}
	return out
}

// round returns the radius of the outline of a meshed body along edges, and its
// longest edge [m]; 0 if it is not round.
func round(m *mesh.Mesh, edges []int32, body int32) (radius, longest float64) {
	sum, n := 0.0, 0
	least, most := math.Inf(1), 0.0
	for _, i := range edges {
		e := &m.Edges[i]
		if e.Body != body {
			continue
		}
		if e.Tri < 0 || e.Prev < 0 {
			return 0, 0
		}
		bent, turn := m.Bend(i)
		length := elementary.Norm(m.Along(i))
		if !(turn > 0 && turn < mesh.RoundTurn) {
			return 0, 0
		}
		least, most, longest = min(least, bent), max(most, bent), max(longest, length)
		sum, n = sum+bent, n+1
	}
	if most > roundSpread*least {
		return 0, 0
	}
	return float64(n) / sum, longest
}

// Coarse finds the round body of a contact whose edges are longer than half the width of contact
// under a force [N], by Hertz's theory of cylinders, a^2 = 4 F R/(pi E* t) (Johnson, section 4.2c),
// and returns that half width [m]; 0 if there is none. Contacts with a concave side have a wider
// contact, which this theory does not tell, and are passed over.
func Coarse(m *models.Model, contact int, force float64) (of Facets, half float64) {
	c := &m.Contacts[contact]
	all := FacetsOf(m, contact)
	curvature, compliance := 0.0, 0.0
	for _, side := range [2][]int32{c.Contactor, c.Opposite} {
		seen := int32(-1)
		for _, e := range side {
			edge := &m.Mesh.Edges[e]
			if b := edge.Body; b != seen {
				if seen >= 0 { // several bodies share the force
					return Facets{}, 0
				}
				seen = b
			}
			if _, turn := m.Mesh.Bend(e); turn < -1e-9 {
				return Facets{}, 0
			}
		}
		if seen < 0 {
			return Facets{}, 0
		}
		if edge := &m.Mesh.Edges[side[0]]; edge.Tri >= 0 {
			e := &m.Materials[m.Bodies[seen].Material]
			compliance += 1/e.Young - float64(e.Poisson*e.Poisson/e.Young)
		}
		for k := range all {
			if all[k].Body == m.Mesh.Bodies[seen].Name {
				curvature += 1 / all[k].Radius
				if all[k].Edge > of.Edge {
					of = all[k]
				}
			}
		}
	}
	if !(curvature > 0) || !(compliance > 0) {
		return Facets{}, 0
	}
	half = math.Sqrt(4 * force * compliance / (math.Pi * curvature * m.Thickness))
	if of.Edge <= half {
		return Facets{}, 0
	}
	return of, half
}
