package fracture

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// spall is a bar 0.5 m long that a pulse of a squared sine strikes, with a plane
// that may break.
type spall struct {
	young, density   float64
	strength, energy float64
	pressure, pulse  float64 // peak [Pa], length [s]
	plane            float64 // from the free end [m]
}

func (s *spall) at(t float64) float64 {
	if t <= 0 || t >= s.pulse {
		return 0
	}
	q := math.Sin(math.Pi * t / s.pulse)
	return s.pressure * q * q
}

// exact returns when the plane opens and breaks, by characteristics: a wave a that
// comes from the struck end and a wave b from the free one meet at the plane, which
// carries T(opening), takes up v = 2 (a + b - T)/Z and sends T - b on, which the free
// end sends back as its negative after 2 d/c.
func (s *spall) exact() (inserted, broken float64) {
	const dt = 2e-9
	c := math.Sqrt(s.young / s.density)
	z := s.density * c
	lag := int(math.Round(2 * s.plane / c / dt))
	var sent []float64
	opening, inserted := 0.0, math.Inf(1)
	end := 2 * s.energy / s.strength
	for i := 0; ; i++ {
		t := float64(i) * dt
		b := 0.0
		if i >= lag {
			b = -sent[i-lag]
		}
		a := -s.at(t - (0.5-s.plane)/c)
		traction := a + b
		if traction >= s.strength {
			inserted = math.Min(inserted, t)
		}
		if t >= inserted {
			bridge := func(opening float64) float64 { return math.Max(0, s.strength*(1-opening/end)) }
			middle := opening + 0.5*dt*2/z*(a+b-bridge(opening))
			opening += dt * 2 / z * (a + b - bridge(middle))
			if traction = bridge(opening); opening >= end {
				return inserted, t
			}
		}
		sent = append(sent, traction-b)
	}
}

// run returns when the plane opens and breaks between triangles h high, and its energy
// over that of the plane.
func (s *spall) run(t *testing.T, h, end float64) (inserted, broken, energy float64) {
	side := h * 2 / math.Sqrt(3)
	n := rows(0.5, 4*side, side, 0, 1, true)
	stuff := bar()
	stuff.young, stuff.density, stuff.led = s.young, s.density, true
	stuff.law.TensileStrength, stuff.law.Cohesion = s.strength, 20*s.strength
	stuff.law.EnergyTension, stuff.law.EnergyShear = s.energy, s.energy
	b := newBody(t, n, stuff, func(p, q r2.Vec) bool {
		return math.Abs(p.X-0.5+s.plane) < 1e-6 && math.Abs(q.X-0.5+s.plane) < 1e-6
	})
	pressed(b, n, s.at)
	b.run(t, end, nil)
	inserted, broken = b.crossing()
	return inserted, broken, b.Energies().Fracture / (s.energy * 4 * side)
}

// With slow waves a plane opens and breaks later by the time that a wave needs for a triangle.
// Errors fall with the size of triangles, and are the same in units of the time h/c.
func TestSpallSlowWaves(t *testing.T) {
	for _, s := range []spall{
		{10e9, 1500, 5e6, 10, 8e6, 40e-6, 0.06},
		{10e9, 1500, 3e6, 6, 6e6, 60e-6, 0.06},
		{5e9, 1200, 2e6, 10, 4e6, 80e-6, 0.06},
	} {
		wantIn, wantBroken := s.exact()
		for _, h := range []float64{2.5e-3, 1.25e-3, 0.625e-3} {
			unit := h / math.Sqrt(s.young/s.density)
			inserted, broken, energy := s.run(t, h, wantBroken+20e-6)
			late, later := inserted-wantIn, broken-wantBroken
			t.Logf("%+v, h %g mm: inserted %.3f us late, %.2f h/c, broken %.3f us, %.2f h/c; %.5f G", s, 1e3*h, 1e6*late, late/unit, 1e6*later, later/unit, energy)
			if late < 0 || late > 0.8*unit || later < 0 || later > 1.2*unit || math.Abs(energy-1) > 5e-3 {
				t.Errorf("h %g: inserted %g, broken %g s late, h/c is %g s; %g of the energy", h, late, later, unit, energy)
			}
		}
	}
}

// Spall on a plane with other bars, strengths, energies and pulses than those of the reference.
// Times are exact within the resolution of the mesh.
func TestSpallOthers(t *testing.T) {
	const h = 1.25e-3
	for _, s := range []spall{
		{40e9, 2500, 3e6, 6, 6e6, 60e-6, 0.06},
		{40e9, 2500, 8e6, 30, 12e6, 40e-6, 0.05},
		{70e9, 2700, 10e6, 20, 20e6, 30e-6, 0.04},
		{20e9, 2200, 2e6, 4, 4e6, 80e-6, 0.08},
		{40e9, 2500, 5e6, 4, 8e6, 40e-6, 0.06},
		{40e9, 2500, 5e6, 10, 20e6, 40e-6, 0.04},
		{30e9, 2400, 3e6, 15, 5e6, 100e-6, 0.1},
		{210e9, 7850, 100e6, 500, 220e6, 30e-6, 0.05},
		{70e9, 2500, 12e6, 60, 30e6, 40e-6, 0.03},
	} {
		wantIn, wantBroken := s.exact()
		inserted, broken, energy := s.run(t, h, wantBroken+20e-6)
		t.Logf("%+v: inserted %.3f us, want %.3f; broken %.3f us, want %.3f; %.5f G", s, inserted*1e6, wantIn*1e6, broken*1e6, wantBroken*1e6, energy)
		if math.Abs(inserted-wantIn) > 0.2e-6 || !(math.Abs(broken-wantBroken) < 0.3e-6) || math.Abs(energy-1) > 5e-3 {
			t.Errorf("inserted at %g, broken at %g s, want %g and %g; %g of the energy", inserted, broken, wantIn, wantBroken, energy)
		}
	}
}
