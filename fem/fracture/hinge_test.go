package fracture

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// An edge opens at its lower end while its upper end is pressed together. Both halves of the body turn
// about the upper end by 50 degrees each, as those of a bar that is bent through. Then they are drawn
// apart: the upper half edge takes its energy as the lower one did. Faces that open like a hinge broke
// at 60 degrees, and the half edge at the end that held was let go without its energy.
func TestHingeTakesItsEnergy(t *testing.T) {
	const w, h, turned, quick, end = 4e-3, 5e-3, 50 * math.Pi / 180, 2e-3, 4e-3
	n := net{x: []r2.Vec{{X: -w}, {}, {X: w}, {X: -w, Y: h}, {Y: h}, {X: w, Y: h}},
		tri: [][3]int32{{0, 1, 4}, {0, 4, 3}, {1, 2, 4}, {2, 5, 4}}}
	s := bar()
	s.led = true
	b := newBody(t, n, s, func(p, q r2.Vec) bool { return p.X == 0 && q.X == 0 })
	press := 3 * w * s.law.TensileStrength / s.young
	target := func(i int, time float64) r2.Vec {
		side := math.Copysign(1, b.x0[i].X)
		part := math.Min(1, time/quick)
		sin, cos := math.Sincos(side * turned * part * part * (3 - 2*part))
		d := r2.Vec{X: b.x0[i].X, Y: b.x0[i].Y - h}
		apart := -press * math.Min(1, 20*time/quick)
		if later := time/quick - 1; later > 0 {
			apart += 20 * press * later * later
		}
		return r2.Vec{X: cos*d.X - sin*d.Y + side*apart, Y: h + sin*d.X + cos*d.Y}
	}
	for i := range b.x {
		b.fixed[i] = [2]bool{b.x0[i].X != 0, b.x0[i].X != 0}
	}
	first := math.NaN()
	b.run(t, end, func() bool {
		for i := range b.x {
			if b.fixed[i][0] && b.mass[i] > 0 {
				b.v[i] = r2.Scale(1/b.last, r2.Sub(target(i, b.time+b.last), b.x[i]))
			}
		}
		if open := b.cracks; len(open) > 0 && open[0].open[0] && open[0].open[1] && math.IsNaN(first) {
			first = b.time
		}
		return true
	})
	part := b.Energies().Fracture / (s.law.EnergyTension * s.thickness * h)
	t.Logf("the upper end opens at %g s; fracture takes %.4f of the energy of the edge", first, part)
	if !(first > quick) || !(math.Abs(part-1) < 0.02) {
		t.Errorf("the upper end opens at %g s, and fracture takes %g of the energy of the edge", first, part)
	}
}
