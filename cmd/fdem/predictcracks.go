package main

import (
	"fdem/fem"
	"fdem/solver"
)

// costOfCrack is how much a crack along an edge costs beside a triangle, in each step:
// cohesion, faces that meet, and steps that are shorter. It is what specimens cost that
// break all over, loaded slowly, with and without a pressure from the sides.
const costOfCrack = 8

// growth predicts where bodies break from how stress has grown so far.
type growth struct {
	early, late []fem.Stress // of each triangle
	at, from    float64      // when that was [s]
}

// note keeps the stress of now and then, so that the early one is from between six and
// eight tenths of the time so far.
func (g *growth) note(s *solver.Solver) {
	if s.Cracks() == nil || s.Time < 1.28*g.at {
		return
	}
	g.early, g.late = g.late, g.early
	if g.late == nil {
		g.late = make([]fem.Stress, len(s.Mesh.Triangles))
	}
	g.from, g.at = g.at, s.Time
	s.StressesAt(s.X, g.late)
}

// dearer is how many times as long the rest takes because of the edges that break until
// the end, beside those that are broken now, if the stress goes on to grow as it has
// grown. It is not known where as much of the energy is that of motion as in a wave that
// has not come back.
func (g *growth) dearer(s *solver.Solver) (times float64, known bool) {
	const moments = 8
	e := s.Energies()
	if g.early == nil || e.Kinetic > 0.9*e.Strain {
		return 1, false
	}
	now := make([]fem.Stress, len(s.Mesh.Triangles))
	s.StressesAt(s.X, now)
	open, _ := s.CrackTotals()
	broken, triangles := 0.0, float64(len(now))
	for k := range moments {
		ahead := (s.Duration - s.Time) * (float64(k) + 0.5) / moments / (s.Time - g.from)
		broken += float64(max(g.past(s, now, ahead), open.InsertedEdges)) / moments
	}
	return (triangles + costOfCrack*broken) / (triangles + costOfCrack*float64(open.InsertedEdges)), true
}

// past counts the edges of bodies, not of joints, whose strength is reached where the
// stress has changed once more by so many times what it has changed since the early one.
func (g *growth) past(s *solver.Solver, now []fem.Stress, ahead float64) (n int) {
	on := func(i int32) (xx, yy, xy float64) {
		a, b := &now[i], &g.early[i]
		return a.XX + ahead*(a.XX-b.XX), a.YY + ahead*(a.YY-b.YY), a.XY + ahead*(a.XY-b.XY)
	}
	for _, e := range s.Fracture.Edges {
		if !breaks(s, e.Region) {
			continue
		}
		ax, ay, as := on(e.A)
		bx, by, bs := on(e.B)
		if s.Fracture.Regions[e.Region].Law.Greatest(0.5*(ax+bx), 0.5*(ay+by), 0.5*(as+bs)) >= e.Strength {
			n++
		}
	}
	return n
}

// breaks tells whether a region is that of bodies that can break, not a joint.
func breaks(s *solver.Solver, region int32) bool {
	return region >= 0 && (s.Fracture.Joints == nil || !s.Fracture.Joints[region])
}
