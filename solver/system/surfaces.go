package system

import (
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// Mobility returns the greatest speed that a unit impulse gives to each node [1/kg], also to
// nodes that others carry.
func (s *View) Mobility(by ...carrying) []float64 {
	out := make([]float64, len(s.Mass))
	for i := range out {
		v := s.Inverse(int32(i))
		out[i] = max(v.X, v.Y)
	}
	for _, c := range by {
		c.AddMobility(out)
	}
	return out
}

// Add adds the fragment contact that belongs to the same contact of the deck.
func (f *ContactForce) Add(of *ContactForce) {
	f.Active += of.Active
	f.Normal += of.Normal
	f.Tangential += of.Tangential
	f.Push, f.Moment = r2.Add(f.Push, of.Push), f.Moment+of.Moment
	f.PeakPressure = max(f.PeakPressure, of.PeakPressure)
	f.Dissipated += of.Dissipated
	if of.PeakPressure > 0 && f.Speed > 0 {
		f.PeakSlip = math.Inf(1)
	}
}
