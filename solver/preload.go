package solver

import (
	"slices"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Preload of springs in a static analysis. What springs pull with at the start is in no
// balance there. A load holds it at first and lets it go, and its work is booked as any
// load's: let go at once, the energy of the jump would be missing.

// preload is what springs pull with at the start of a static analysis.
type preload struct {
	held *Load   // against it
	ramp float64 // over which it is released [s]
	any  bool    // there is some
}

// preloadPart is the part of a static analysis over which it lets preloads go.
const preloadPart = 0.01

// addPreload makes the load that holds the preloads of a static analysis at first; holdPreload
// finds how much there is.
func (s *Solver) addPreload() {
	if s.Static == nil {
		return
	}
	var nodes []int32
	for i := range s.Model.Springs {
		p := &s.Model.Springs[i]
		if !p.Axial && p.Curve == nil { // whatever it bears now: a branch may change that
			continue
		}
		for j := range p.Links {
			for _, e := range p.Links[j].Ends {
				nodes = append(nodes, e.Nodes...)
			}
		}
	}
	if nodes == nil {
		return
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	k := &preload{ramp: preloadPart * s.Static.Whole}
	k.held = &Load{On: "what springs pull with at the start", Nodes: nodes, Forces: make([]r2.Vec, len(nodes)), Schedule: func(t float64) float64 { return max(0, 1-t/k.ramp) }}
	s.loads.add(k.held)
	s.preload, s.loads.preload = k, k
}

// holdPreload sets the load to what the springs pull with at X, and evaluates the forces
// with it.
func (s *Solver) holdPreload() error {
	if s.preload == nil {
		return nil
	}
	before := slices.Clone(s.F)
	clear(s.F)
	if err := s.springs.addForces(false); err != nil {
		return err
	}
	for i, n := range s.preload.held.Nodes {
		s.preload.held.Forces[i] = r2.Scale(-1, s.F[n])
		s.preload.any = s.preload.any || s.F[n] != (r2.Vec{})
	}
	copy(s.F, before)
	return s.forces(true)
}

// stiffen gives the tangent of what holds preloads on rigid bodies: their levers turn.
func (k *loads) stiffen(f *Freedoms, add func(stiffness float64, freedom []int32, g []float64)) {
	p := k.preload
	if p == nil {
		return
	}
	left := p.held.Schedule(k.Time)
	for i, n := range p.held.Nodes {
		if turn := f.Moves[n][2]; turn >= 0 {
			add(left*elementary.Dot(p.held.Forces[i], f.Arm(n)), []int32{turn}, []float64{1})
		}
	}
}
