package forces

import (
	"slices"

	"fdem/materials/elementary"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Preload of springs in a static analysis. Initial forces of springs are not in
// equilibrium at the start. A load balances them at first and is released slowly. Its
// work is recorded like that of any load. A sudden release would make a jump, and the
// energy of the jump would be missing in the ledger.

// Preload is the load that balances the initial forces of springs in a static analysis.
type Preload struct {
	system.View
	held models.Load // load against the initial forces
	Ramp float64     // time over which it is released [s]
	Any  bool        // there are initial forces
}

// preloadPart is the fraction of a static analysis over which preloads are released.
const preloadPart = 0.01

// NewPreload makes the load that balances the preloads of a static analysis at first.
// hold sets its values.
func NewPreload(s system.View, springs []models.Spring, loads *Loads) *Preload {
	k := &Preload{View: s}
	loads.preload = k
	if s.Static == nil {
		return k
	}
	var nodes []int32
	for i := range springs {
		p := &springs[i]
		if !p.Axial && p.Curve == nil { // even if it carries no force now, because it may reach another branch
			continue
		}
		for j := range p.Links {
			for _, e := range p.Links[j].Ends {
				nodes = append(nodes, e.Nodes...)
			}
		}
	}
	if nodes == nil {
		return k
	}
	slices.Sort(nodes)
	nodes = slices.Compact(nodes)
	k.Ramp = preloadPart * s.Static.Whole
	k.held = models.Load{On: "what springs pull with at the start", Nodes: nodes, Forces: make([]r2.Vec, len(nodes)), Schedule: func(t float64) float64 { return max(0, 1-t/k.Ramp) }}
	loads.Add(&k.held)
	return k
}

// HoldPreload sets the load such that it balances the springs' forces at X. It tells whether
// there are any.
func (k *Preload) HoldPreload(by *Springs) (bool, error) {
	before := slices.Clone(k.F)
	clear(k.F)
	err := by.ApplyForces(false)
	for i, n := range k.held.Nodes {
		k.held.Forces[i] = r2.Scale(-1, k.F[n])
		k.Any = k.Any || k.F[n] != (r2.Vec{})
	}
	copy(k.F, before)
	return len(k.held.Nodes) > 0, err
}

// Stiffen adds the tangent of this load on rigid bodies, whose arms rotate.
func (k *Loads) Stiffen(f *system.Freedoms, add func(stiffness float64, freedom []int32, g []float64)) {
	p := k.preload
	for i, n := range p.held.Nodes {
		if turn := f.Moves[n][2]; turn >= 0 {
			add(p.held.Schedule(k.Time)*elementary.Dot(p.held.Forces[i], f.Arm(n)), []int32{turn}, []float64{1})
		}
	}
}
