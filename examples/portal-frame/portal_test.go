package portal_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Section and material of all bars, and the loads.
const (
	young, density = 210e9, 7850
	height, width  = 0.1, 0.05
	bending        = young * width * height * height * height / 12
	push, snow     = 1e3, 200 // [N], [N/m]
)

// load reads a deck; unyielding makes its foundations a thousand times as stiff.
func load(t *testing.T, deck string, unyielding bool) *model.Model {
	t.Helper()
	m, err := scenes.Load(deck)
	if err != nil {
		t.Fatal(err)
	}
	if unyielding {
		m.Materials[1].Young *= 1000
	}
	return m
}

// The sway of the frame and the deflection of its girder are those of the slope-deflection method,
// with rigid corners and with hinges; the vertical loads make it a little softer, by the part in
// brackets of theory of second order, (sum P)/h over the stiffness, times 1.2 for columns that
// bend. Concrete adds less than one percent.
func TestPortalSways(t *testing.T) {
	const h, l, k = scenes.PortalHeight, scenes.PortalSpan, scenes.PortalHeight / float64(scenes.PortalSpan)
	for _, c := range []struct {
		deck      string
		sway, sag float64
	}{
		{"portal-sway.toml", push * h * h * h / (24 * bending) * (4 + 6*k) / (1 + 6*k), 5.*snow*l*l*l*l/(384*bending) - snow*l*l/(6*(k+2))*l*l/(8*bending)},
		{"portal-hinged.toml", push * h * h * h / (6 * bending), 5. * snow * l * l * l * l / (384 * bending)},
	} {
		for _, unyielding := range []bool{true, false} {
			s, err := solver.New(load(t, c.deck, unyielding))
			if err != nil {
				t.Fatal(err)
			}
			if err := scenes.Finish(s, func() {}); err != nil {
				t.Fatal(err)
			}
			left, right, middle := s.Probe(s.Probes[0]), s.Probe(s.Probes[1]), s.Probe(s.Probes[2])
			second := 1.2 * snow * l / h * c.sway / push
			sway, sag := 0.5*(left.X+right.X)/c.sway, (0.5*(left.Y+right.Y)-middle.Y)/c.sag
			t.Logf("%s, unyielding ground %v: sway %.5f of theory, %.5f of second order; sag %.5f", c.deck, unyielding, sway, sway*(1-second), sag)
			most := 5e-4
			if !unyielding {
				most = 0.01
			}
			if math.Abs(sway*(1-second)-1) > most || math.Abs(sag-1) > 2e-3 {
				t.Errorf("%s, unyielding ground %v: sway %g and sag %g of theory", c.deck, unyielding, sway, sag)
			}
		}
	}
}

// The frame under a force that is applied suddenly vibrates with its first frequency, 7.448 Hz of
// the exact bars with feet that do not move (the root of the determinant of their dynamic
// stiffness).
func TestPortalSwings(t *testing.T) {
	const theory = 7.44794
	m := load(t, "portal-swings.toml", false)
	m.Duration = 0.45
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	const sway = push * 27 / (24 * bending) * 8.5 / 5.5
	var up []float64 // when it passes its static deflection
	was, before, most := r2.Vec{}, 0.0, 0.0
	err = scenes.Finish(s, func() {
		now := s.Probe(s.Probes[0])
		if was.X < sway && now.X >= sway {
			up = append(up, before+(s.Time-before)*(sway-was.X)/(now.X-was.X))
		}
		was, before, most = now, s.Time, max(most, now.X)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(up) < 3 {
		t.Fatalf("it came through its deflection %d times", len(up))
	}
	f := float64(len(up)-1) / (up[len(up)-1] - up[0])
	t.Logf("%.4f Hz, %.4f of feet that do not move; greatest sway %.4f of the static one; residual %.2g", f, f/theory, most/sway, s.Relative(s.Energies()))
	if math.Abs(f/theory-1) > 0.01 || math.Abs(most/sway/2-1) > 0.03 || s.Relative(s.Energies()) > 1e-4 {
		t.Errorf("%g Hz, greatest sway %g of the static one, residual %g", f, most/sway, s.Relative(s.Energies()))
	}
}
