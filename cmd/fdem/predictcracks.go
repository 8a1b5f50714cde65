package main

import (
	"fdem/fem"
	"fdem/materials/cohesive"
	"fdem/solver"
)

// The cost of cracks, as means over specimens measured from before breaking until long
// after: blocks with and without confining pressure, a split disc, and blocks and
// beams under impact.
const (
	// costOfCrack is the time that an open edge adds to a step [s]: for cohesion, contact
	// of faces, vertices beside it that are near opening, and rows of the history.
	costOfCrack = 0.35e-6
	// allOpen is the fraction of open edges in a body that is broken everywhere and
	// carries no load. Hardly more edges open then, for any stress.
	allOpen = 0.35
	// allShort is the fraction of open edges above which cracks limit most steps as far as
	// they can. With fewer open edges they do so for a part of the steps.
	allShort = 0.05
)

// growth predicts where bodies break, from the growth of stress so far.
type growth struct {
	early, late []fem.Stress // of each triangle
	at, from    float64      // times of these stresses [s]
}

// note stores the present stress from time to time, so that the early one is from
// between 0.78 and 0.88 of the time so far, since a load with a smooth start grows
// faster later.
func (g *growth) note(s *solver.Solver) {
	if s.Cracks() == nil || s.Time < 1.13*g.at {
		return
	}
	g.early, g.late = g.late, g.early
	if g.late == nil {
		g.late = make([]fem.Stress, len(s.Mesh.Triangles))
	}
	g.from, g.at = g.at, s.Time
	s.Kinds.Triangles.StressesAt(s.X, g.late)
}

// cost returns two factors for the rest of the run, on its time and on its number of steps, for
// edges that break until the end in addition to those broken now. The stress is taken to grow
// as before. each and first are the times of a step now and at first [s]: just before a body
// breaks, all its vertices are checked in every step, and no longer after that. The result is
// unknown if the kinetic part of the energy is as large as in a wave that has not yet been
// reflected.
func (g *growth) cost(s *solver.Solver, each, first float64) (times, steps float64, known bool) {
	const moments = 8
	e := s.Energies()
	if g.early == nil || e.Kinetic > 0.9*e.Strain {
		return 1, 1, false
	}
	now := make([]fem.Stress, len(s.Mesh.Triangles))
	s.Kinds.Triangles.StressesAt(s.X, now)
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

// shorter returns the factor on the number of steps if a fraction of the breakable edges is
// open. Cracks reduce the step of the intact bodies (cohesive.Step), and vibrating fragments
// reduce it further from the first crack on.
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

// breakable returns the number of edges of bodies that can break.
func breakable(s *solver.Solver) (n int) {
	for i := range s.Fracture.Edges {
		if breaks(s, s.Fracture.Edges[i].Region) {
			n++
		}
	}
	return n
}

// past returns the number of edges of bodies, not of joints, whose strength is reached
// if the stress changes further by a multiple of its change since the early one.
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
