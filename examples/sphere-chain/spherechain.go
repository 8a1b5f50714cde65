// Package spherechain has the decks of 70 steel spheres in a row that the first one hits,
// with Hertz's law, and with dampers instead.
package spherechain

import (
	_ "embed"
	"math"

	"fdem/examples/scenes"

	"gonum.org/v1/gonum/spatial/r2"
)

// The decks, which differ in their laws. Both dampers have a given restitution of 0.97.
var (
	//go:embed sphere-chain.toml
	Hertz string
	//go:embed sphere-chain-tsuji.toml
	Tsuji string
	//go:embed sphere-chain-eq55.toml
	Eq55 string
)

// Wave is the wave along the chain.
type Wave struct {
	Peak     []float64 // greatest speed of each sphere [m/s]
	At       []float64 // time of that [s]
	Residual float64   // greatest residual, over the energy at the start
	Probe    []float64 // speed of sphere 30, row by row [m/s]
	Time     []float64 // of the rows [s]
}

// Run simulates a deck.
func Run(deck string) (Wave, error) {
	var w Wave
	s, err := scenes.Start("sphere-chain.toml", deck, nil)
	if err != nil {
		return w, err
	}
	n := len(s.Particles.X)
	w.Peak, w.At = make([]float64, n), make([]float64, n)
	v, spin := make([]r2.Vec, n), make([]float64, n)
	before := [2][]float64{make([]float64, n), make([]float64, n)} // speeds of the last two rows
	times := [2]float64{}
	err = scenes.Finish(s, func() {
		w.Residual = max(w.Residual, s.Relative(s.Energies()))
		s.Kinds.Spheres.VelocitiesNow(v, spin)
		for i := range n {
			// the parabola through three rows around a greatest speed gives the maximum between
			// them
			a, b, c := before[0][i], before[1][i], v[i].X
			if b >= a && b > c && b > w.Peak[i] {
				h := 0.5 * (s.Time - times[0])
				bend := 0.5*(a+c) - b
				shift := 0.25 * (a - c) / bend
				w.Peak[i], w.At[i] = b-bend*shift*shift, times[1]+shift*h
			}
			before[0][i], before[1][i] = b, c
		}
		times[0], times[1] = times[1], s.Time
		w.Probe, w.Time = append(w.Probe, v[30].X), append(w.Time, s.Time)
	})
	return w, err
}

// Speed returns the speed of the wave between the spheres a and b [m/s].
func (w *Wave) Speed(a, b int) float64 {
	const pitch = 0.02 // [m]
	return float64(b-a) * pitch / (w.At[b] - w.At[a])
}

// Nesterenko returns the speed [m/s] of the solitary wave in a chain of such
// spheres in which they reach the speed v [m/s]: (16/25)^(1/5) c^(4/5) v^(1/5),
// c = sqrt(2 E/(pi rho (1 - nu^2))), the long-wave limit (V. F. Nesterenko,
// Dynamics of Heterogeneous Materials, 2001).
func Nesterenko(v float64) float64 {
	const young, poisson, density = 207e9, 0.3, 7800
	c := math.Sqrt(2 * young / (math.Pi * density * (1 - poisson*poisson)))
	return math.Pow(16.0/25, 0.2) * math.Pow(c, 0.8) * math.Pow(v, 0.2)
}
