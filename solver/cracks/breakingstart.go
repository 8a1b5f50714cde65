package cracks

import (
	"slices"

	"fdem/materials/elementary"
	bodiess "fdem/solver/bodies"
	"fdem/solver/constraints"

	"gonum.org/v1/gonum/spatial/r2"
)

// Joined bodies with different velocities at the start, their own or those of drives. A jump v of velocity between two bodies sends
// waves from their joint into both. Their traction is Z v/2, with the impedance Z = rho c of
// longitudinal and shear waves. If that exceeds the strength of the joint, the joint breaks at
// once, and each body keeps its own velocity up to the joint. Otherwise it would break one step
// later, after the joint's nodes had taken the velocity of one of the two bodies and pulled on the
// other.

// breakingAtStart tells which edges break in this way at the start; nil for none.
func breakingAtStart(s *bodiess.Continuum, drives *constraints.Drives) (parts []bool) {
	of := make([]*bodiess.Body, len(s.Mesh.Triangles))
	for i := range s.MeshedBodies {
		b := &s.MeshedBodies[i]
		for t := s.Mesh.Bodies[b.Number].First; t < s.Mesh.Bodies[b.Number].End; t++ {
			of[t] = b
		}
	}
	for i := range s.Fracture.Edges {
		e := &s.Fracture.Edges[i]
		a, b := of[e.A], of[e.B]
		if e.Region < 0 || a == nil || b == nil || a == b && !s.Fracture.Parts(e.Region) {
			continue
		}
		from, to := s.Mesh.X[e.From], s.Mesh.X[e.To]
		along := r2.Sub(to, from)
		l := elementary.Norm(along)
		t := r2.Vec{X: along.X / l, Y: along.Y / l}
		middle := elementary.Between(from, to, 0.5)
		start := func(of *bodiess.Body, t int32) r2.Vec {
			return drives.StartingVelocity(t, [2]int32{e.From, e.To}, middle, of.InitialVelocity(middle))
		}
		jump := r2.Sub(start(b, e.B), start(a, e.A)) // of side B relative to A
		normal := float64(t.Y*jump.X) - float64(t.X*jump.Y)
		shear := elementary.Dot(t, jump)
		pa, sa := s.Impedance(a.Material)
		pb, sb := s.Impedance(b.Material)
		if a == b && jump == (r2.Vec{}) {
			continue
		}
		used := s.Fracture.Regions[e.Region].Law.Used(series(pa, pb)*normal, series(sa, sb)*shear)
		if used < e.Strength || normal < 0 {
			continue
		}
		if parts == nil {
			parts = make([]bool, len(s.Fracture.Edges))
		}
		parts[i] = true
	}
	return s.Permeable(parts)
}

// series returns the traction divided by the jump of velocity, for two impedances.
func series(a, b float64) float64 { return a * b / (a + b) }

// throw sets the velocity of a node that is split at the start to the velocity of its body, if it
// belongs to only one.
func (k *Cracks) throw(n int32) {
	bodies := k.triangles.MeshedBodies
	one := -1
	for _, t := range k.Round(n) { // its vertex
		if !slices.Contains(k.view.Mesh.Triangles[t][:], n) {
			continue
		}
		for i := range bodies {
			of := &k.view.Mesh.Bodies[bodies[i].Number]
			if t < of.First || t >= of.End {
				continue
			}
			if one >= 0 && one != i {
				return
			}
			one = i
		}
	}
	if one >= 0 {
		bodies[one].Throw(k.view.Field, k.view.Mesh, n)
	}
}
