package view

import (
	"math"

	"fdem/materials/bulk"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fields that follow from others: principal stresses and the like as parts of stress and strain, the
// strain itself, and how much of its strength a stress uses.

const (
	strainName   = "strain"
	strengthName = "strength_used"
)

// Parts that follow from the components of a stress xx, yy, zz, xy or a strain xx, yy, xy.
var (
	stressParts = []string{"first principal", "second principal", "largest shear", "mean"}
	strainParts = []string{"first principal", "second principal", "largest shear", "change of area"}
)

// derivedParts returns the parts of a stress (four components) or a strain (three).
func derivedParts(c []float32) (out [4]float64) {
	xx, yy, xy := float64(c[0]), float64(c[1]), float64(c[len(c)-1])
	p, r := 0.5*(xx+yy), math.Hypot(0.5*(xx-yy), xy)
	last := xx + yy
	if len(c) == 4 {
		last = (xx + yy + float64(c[2])) / 3
	}
	return [4]float64{p + r, p - r, r, last}
}

// strains returns Green and Lagrange's strains xx, yy, xy of triangles, (F^T F - 1)/2, from the
// displacements of nodes, w numbers each. Rotation is no strain.
func strains(x []r2.Vec, triangles [][3]int32, moved []float64, w int) []float32 {
	out := make([]float32, 0, 3*len(triangles))
	for _, t := range triangles {
		a, b := r2.Sub(x[t[1]], x[t[0]]), r2.Sub(x[t[2]], x[t[0]])
		u := func(k, c int) float64 { return moved[w*int(t[k])+c] - moved[w*int(t[0])+c] }
		area := a.X*b.Y - b.X*a.Y
		if area == 0 {
			out = append(out, 0, 0, 0)
			continue
		}
		// the gradient of the displacement
		var h [2][2]float64
		for c := range 2 {
			h[c][0] = (u(1, c)*b.Y - u(2, c)*a.Y) / area
			h[c][1] = (u(2, c)*a.X - u(1, c)*b.X) / area
		}
		out = append(out,
			float32(h[0][0]+0.5*(h[0][0]*h[0][0]+h[1][0]*h[1][0])),
			float32(h[1][1]+0.5*(h[0][1]*h[0][1]+h[1][1]*h[1][1])),
			float32(0.5*(h[0][1]+h[1][0]+h[0][0]*h[0][1]+h[1][0]*h[1][1])))
	}
	return out
}

// strength is that of a body: of its material, of the planes that may break, or both.
type strength struct {
	Law    *bulk.Strength     `json:"law,omitempty"`
	Planes *cohesive.Strength `json:"planes,omitempty"`
}

// used returns the part of their strength that triangles use, from six components of stress each.
func used(of []*strength, body []int32, stress []float64) []float32 {
	out := make([]float32, len(body))
	for i := range body {
		if int(body[i]) >= len(of) || of[body[i]] == nil || 6*i+6 > len(stress) {
			continue
		}
		out[i] = float32(of[body[i]].share(stress[6*i], stress[6*i+1], stress[6*i+2], stress[6*i+3]))
	}
	return out
}

// share returns the part of a strength that a stress uses.
func (s *strength) share(xx, yy, zz, xy float64) (most float64) {
	if s.Law != nil {
		most = s.Law.Used(xx, yy, zz, xy)
	}
	if s.Planes != nil {
		most = max(most, s.Planes.Greatest(xx, yy, xy))
	}
	return most
}

// same tells whether two strengths are equal.
func (s *strength) same(as *strength) bool {
	if s == nil || as == nil {
		return s == as
	}
	return (s.Law == nil) == (as.Law == nil) && (s.Planes == nil) == (as.Planes == nil) && (s.Law == nil || *s.Law == *as.Law) && (s.Planes == nil || *s.Planes == *as.Planes)
}
