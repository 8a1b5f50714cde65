package fracture

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// No nodal force jumps when faces separate, whatever the material, the softening and the friction
// are, in tension, in shear and under pressure, on bodies of any size; and the ledger closes.
func TestNothingJumps(t *testing.T) {
	for _, c := range []struct {
		name                                  string
		young, density, poisson               float64
		strength, cohesion, friction          float64
		tension, shear                        float64
		softening                             string
		stiffness, edge                       float64
		stretch, squeeze, slide, thrown, seed float64 // rates of strain [1/s], and speed of one half past the other [m/s]
	}{
		{"concrete, pulled", 30e9, 2400, 0.2, 3e6, 9e6, 0.6, 60, 300, "concrete", 2, 10e-3, 40, 0, 0, 0, 1},
		{"glass, pulled and slid", 70e9, 2500, 0.22, 50e6, 100e6, 0.1, 8, 16, "linear", 2, 1e-3, 3e3, 0, 3e3, 0, 2},
		{"ice, soft cracks", 9e9, 917, 0.33, 1e6, 2e6, 0.4, 2, 4, "bilinear", 0.3, 20e-3, 10, 0, 10, 0, 3},
		{"rock, squeezed", 50e9, 2700, 0.25, 10e6, 25e6, 0.8, 50, 400, "linear", 20, 4e-3, 0, -1500, 0, 0, 4},
		{"rock, squeezed and slid", 50e9, 2700, 0.25, 10e6, 20e6, 1.2, 50, 200, "exponential", 8, 4e-3, 0, -600, 2000, 0, 5},
		{"rubber, soft", 5e6, 1100, 0.45, 1e5, 3e5, 0.9, 50, 100, "linear", 2, 2e-3, 600, 0, 0, 0, 6},
		{"steel, both ways", 210e9, 7850, 0.3, 500e6, 400e6, 0, 2000, 4000, "linear", 2, 0.5e-3, 2e4, -2e4, 1e4, 0, 7},
		{"rock, torn apart", 40e9, 2500, 0.25, 5e6, 30e6, 0.6, 10, 60, "linear", 100, 5e-3, 0, 0, 0, 20, 8},
	} {
		h := c.edge
		n := rows(12*h, 8*h*math.Sqrt(3)/2, h, 0.3, uint64(c.seed), false)
		s := bar()
		s.young, s.density, s.poisson, s.stiffness = c.young, c.density, c.poisson, c.stiffness
		s.law.TensileStrength, s.law.Cohesion, s.law.Friction = c.strength, c.cohesion, c.friction
		s.law.EnergyTension, s.law.EnergyShear, s.law.Softening = c.tension, c.shear, c.softening
		b := newBody(t, n, s, everywhere)
		for i, p := range b.x0 {
			if b.mass[i] > 0 {
				b.v[i] = r2.Vec{X: c.stretch*p.X + c.slide*p.Y, Y: c.squeeze * p.Y}
				if p.Y > 4*h*math.Sqrt(3)/2 {
					b.v[i].X += c.thrown
				}
			}
		}
		b.measure = true
		b.run(t, 80*h/math.Sqrt(c.young/c.density), nil)
		jump := b.jump / (c.strength * h * s.thickness)
		t.Logf("%s: %d edges open, %d broken, jump %.1e of strength times size, residual %.1e", c.name, b.Cracks(), b.Totals().BrokenEdges, jump, b.worst/b.peak)
		if b.Cracks() < 10 {
			t.Errorf("%s: %d edges open", c.name, b.Cracks())
		}
		if jump > 1e-9 {
			t.Errorf("%s: a nodal force jumps by %g of strength times size", c.name, jump)
		}
		if b.worst > 5e-3*b.peak {
			t.Errorf("%s: the ledger is off by %g of the peak", c.name, b.worst/b.peak)
		}
	}
}
