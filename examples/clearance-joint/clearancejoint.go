// Package clearancejoint has the decks of a ball in a socket with clearance, G. Wang et
// al., review of contact force models, Table 5.
package clearancejoint

import (
	_ "embed"
	"math"

	"fdem/examples/scenes"
)

// The decks: Ma and Liu's law, and the review's own eq. (53), a damper over a linear
// stiffness with the restitution of that law.
var (
	//go:embed clearance-joint.toml
	Law string
	//go:embed clearance-joint-eq53.toml
	Eq53 string
)

// Impact is the result of an impact.
type Impact struct {
	Restitution float64      // Newton's, by speeds
	Poisson     float64      // Poisson's, by impulses
	Stronge     float64      // Stronge's, by works
	Deepest     float64      // greatest deflection [m]
	Lost        float64      // energy [J]
	Residual    float64      // greatest residual, over the energy at the start
	Curve       [][2]float64 // deflection [m] and force [N], row by row
}

// Run simulates a deck.
func Run(deck string) (Impact, error) {
	var out Impact
	s, err := scenes.Start("clearance-joint.toml", deck, nil)
	if err != nil {
		return out, err
	}
	before := s.Motions()[1].Velocity.X
	balls := s.Spheres()
	gap := -balls.Walls[0].Radius - balls.Radius[0]
	err = scenes.Finish(s, func() {
		out.Residual = max(out.Residual, s.Relative(s.Energies()))
		out.Curve = append(out.Curve, [2]float64{balls.X[0].X - gap, s.ContactForces()[0].Normal})
	})
	if err != nil {
		return out, err
	}
	e := s.Energies()
	out.Restitution = -s.Motions()[1].Velocity.X / before
	f := s.ContactForces()[0]
	out.Poisson = f.Restored.Impulse / f.Compressed.Impulse
	out.Stronge = math.Sqrt(-f.Restored.Work / f.Compressed.Work)
	out.Deepest, out.Lost = f.PeakDeflection, e.ContactDissipated
	return out, nil
}
