package bodies

import (
	"fmt"

	"fdem/fem"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// prestress sets the initial stress of the triangles, at their centroids. Those with pores have in
// addition, for equilibrium with the pressure there, Biot's coefficient times the mean pressure of their
// corners at the start: an initial stress is the total one.
func prestress(m *models.Model, t *fem.Triangles) error {
	stresses := make([]*models.InitialStress, len(m.Mesh.Bodies))
	for i := range m.InitialStresses {
		stresses[m.InitialStresses[i].Body] = &m.InitialStresses[i]
	}
	for body, p := range stresses {
		of, b := &m.Mesh.Bodies[body], 0.0
		if m.Pores != nil && of.Kind == mesh.OfTriangles {
			b = m.Pores.Biot[m.Bodies[body].Material]
		}
		if p == nil && b == 0 {
			continue
		}
		for i := of.First; i < of.End; i++ {
			n := m.Mesh.Triangles[i]
			x := [3]r2.Vec{m.Mesh.X[n[0]], m.Mesh.X[n[1]], m.Mesh.X[n[2]]}
			var at fem.Stress
			if p != nil {
				at = p.Stress(r2.Vec{X: (x[0].X + x[1].X + x[2].X) / 3, Y: (x[0].Y + x[1].Y + x[2].Y) / 3})
			}
			if b > 0 {
				more := b * (m.Pores.Pressure(x[0]) + m.Pores.Pressure(x[1]) + m.Pores.Pressure(x[2])) / 3
				at.XX, at.YY = at.XX+more, at.YY+more
			}
			err := t.Prestress(int(i), at)
			if err != nil && p == nil {
				err = fmt.Errorf("none is given, so that it carries no load at the start against the pressure of its pores: %w", err)
			}
			if err != nil {
				return &models.InitialStressError{Of: of.Name, Why: err}
			}
		}
	}
	return nil
}
