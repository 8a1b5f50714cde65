package main

import (
	"fdem/fem"
	"fdem/materials/cohesive"
	"fdem/solver"
)

// What cracks cost, in the mean of specimens that were measured from before they broke
// until long after: blocks with and without a pressure from the sides, a disc that is
// split, blocks and beams that are hit.
const (
	// costOfCrack is what an edge that is open adds to a step: cohesion, faces that meet,
	// vertices beside it that are about to open, and rows of the history [s].
	costOfCrack = 0.35e-6
	// allOpen is the share of edges that are open where a body has broken all over and
	// carries no more: whatever stress it would have borne, hardly more edges open then.
	allOpen = 0.35
	// allShort is the share of edges from which on some crack keeps most steps as short as
	// cracks can make them; fewer do so for a part of the steps.
	allShort = 0.05
)

// growth predicts where bodies break from how stress has grown so far.
type growth struct {
	early, late []fem.Stress // of each triangle
	at, from    float64      // when that was [s]
}

// note keeps the stress of now and then, so that the early one is from between 0.78 and
// 0.88 of the time so far: a load that has begun smoothly grows faster than at first.
func (g *growth) note(s *solver.Solver) {
	if s.Cracks() == nil || s.Time < 1.13*g.at {
		return
	}
	g.early, g.late = g.late, g.early
	if g.late == nil {
		g.late = make([]fem.Stress, len(s.Mesh.Triangles))
	}
	g.from, g.at = g.at, s.Time
	s.StressesAt(s.X, g.late)
}

// cost is how many times as long the rest takes, and how many times as many steps,
// because of the edges that break until the end, beside those that are broken now, if the
// stress goes on to grow as it has grown and a step takes so long now, and took so long at
// first [s]: just before a body breaks all its vertices are looked at in every step, and
// are not any more once it has. It is not known where as much of the energy is that of motion as in a wave that has not come back.
func (g *growth) cost(s *solver.Solver, each, first float64) (times, steps float64, known bool) {
	const moments = 8
	e := s.Energies()
	if g.early == nil || e.Kinetic > 0.9*e.Strain {
		return 1, 1, false
	}
	now := make([]fem.Stress, len(s.Mesh.Triangles))
	s.StressesAt(s.X, now)
	totals, _ := s.CrackTotals()
	open, all := float64(totals.InsertedEdges), float64(breakable(s))
	before := shorter(s, open/all)
	for k := range moments {
		ahead := (s.Duration - s.Time) * (float64(k) + 0.5) / moments / (s.Time - g.from)
		broken := max(min(float64(g.past(s, now, ahead)), allOpen*all), open)
		more, base := shorter(s, broken/all)/before, each
		if open == 0 && broken > 0 {
			base = min(each, first)
		}
		steps += more / moments
		times += float64(more*(base+float64(costOfCrack*(broken-open)))) / (each * moments)
	}
	return times, steps, true
}

// shorter is how many times as many steps there are once a share of all edges that can
// break are open: cracks leave a part of the step of the whole bodies (cohesive.Step), and pieces
// that rattle take a part of that from the first crack on.
func shorter(s *solver.Solver, open float64) float64 {
	if s.FixedStep > 0 {
		return 1
	}
	least := 1.0
	for i := range s.Fracture.Regions {
		if breaks(s, int32(i)) {
			least = min(least, cohesive.Step(s.Fracture.Regions[i].Stiffness, 0))
		}
	}
	longer := 1 + float64((1/least-1)*min(1, open/allShort))
	if open > 0 || s.Cracks().Cracks() > 0 {
		longer /= s.RattleShare()
	}
	return longer
}

// breakable counts the edges of bodies that can break.
func breakable(s *solver.Solver) (n int) {
	for i := range s.Fracture.Edges {
		if breaks(s, s.Fracture.Edges[i].Region) {
			n++
		}
	}
	return n
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
