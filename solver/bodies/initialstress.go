package bodies

import (
	"fdem/fem"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// prestress sets the initial stress of the triangles, at their centroids.
func prestress(m *models.Model, t *fem.Triangles) error {
	for _, p := range m.InitialStresses {
		of := &m.Mesh.Bodies[p.Body]
		for i := of.First; i < of.End; i++ {
			n := m.Mesh.Triangles[i]
			a, b, c := m.Mesh.X[n[0]], m.Mesh.X[n[1]], m.Mesh.X[n[2]]
			at := p.Stress(r2.Vec{X: (a.X + b.X + c.X) / 3, Y: (a.Y + b.Y + c.Y) / 3})
			if err := t.Prestress(int(i), at); err != nil {
				return &models.InitialStressError{Of: of.Name, Why: err}
			}
		}
	}
	return nil
}
