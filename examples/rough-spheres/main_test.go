package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// panels returns the figures, their lines found by panel and name.
func panels(t *testing.T) func(panel, name string) [][2]float64 {
	t.Helper()
	all, err := figures()
	if err != nil {
		t.Fatal(err)
	}
	return func(panel, name string) [][2]float64 {
		t.Helper()
		for _, f := range all {
			for _, l := range f.lines {
				if f.name == panel && l.name == name {
					return l.xy
				}
			}
		}
		t.Fatalf("%s has no line %q", panel, name)
		return nil
	}
}

// at interpolates a line.
func at(xy [][2]float64, x float64) float64 {
	for i, p := range xy[1:] {
		if a := xy[i]; x <= p[0] {
			return a[1] + (p[1]-a[1])*(x-a[0])/(p[0]-a[0])
		}
	}
	return xy[len(xy)-1][1]
}

// What the paper says of its figures, and the values checked independently.
func TestFigures(t *testing.T) {
	line := panels(t)
	near := func(what string, got, want, tol float64) {
		t.Helper()
		if !(math.Abs(got-want) <= tol*math.Abs(want)) {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}

	// Figure 3: E-GW is above Hertz and grows with sigma and mu; GW dips
	// under Hertz; both end at Hertz for sigma to 0.
	for _, tt := range []struct {
		mu       string
		gw, egw  float64 // at sigma = 0.01
		dip      float64 // sigma below which GW is below Hertz
		gw0, eg0 float64 // at sigma = 1e-6, off Hertz by less
	}{
		{"1", 1.008278, 1.606999, 0.0098, 5e-3, 2e-3}, {"4", 2.016208, 2.382433, 0.0012, 5e-3, 2e-3}, {"10", 2.788936, 3.048503, 0.0002, 5e-3, 2e-3},
	} {
		gw, egw := line("figure-3", "GW, mu = "+tt.mu), line("figure-3", "E-GW, mu = "+tt.mu)
		near("GW at sigma 0.01", gw[len(gw)-1][1], tt.gw, 1e-5)
		near("E-GW at sigma 0.01", egw[len(egw)-1][1], tt.egw, 1e-5)
		near("GW at sigma 1e-6", gw[0][1], 1, tt.gw0)
		near("E-GW at sigma 1e-6", egw[0][1], 1, tt.eg0)
		for i := range gw {
			if gw[i][0] < tt.dip && gw[i][1] >= 1 {
				t.Errorf("figure 3: GW, mu %s, at sigma %g is %g, not under Hertz", tt.mu, gw[i][0], gw[i][1])
			}
			if i > 0 && !(egw[i][1] > egw[i-1][1]) || egw[i][1] <= 1 || egw[i][1] < gw[i][1] {
				t.Errorf("figure 3: E-GW, mu %s, at sigma %g is %g", tt.mu, egw[i][0], egw[i][1])
			}
		}
	}

	// Figures 4 and 5: GW comes to Hertz from below in most of the contact,
	// and reaches further out; E-GW from above everywhere.
	for _, f := range []string{"figure-4b", "figure-5b"} {
		before := [2]float64{}
		for _, sigma := range []string{"1e-05", "0.0001", "0.001"} {
			gw, egw := line(f, "GW, sigma = "+sigma), line(f, "E-GW, sigma = "+sigma)
			below := 0
			for i := range 90 {
				if at(gw, 0.01*float64(i)) < 0 {
					below++
				}
			}
			if below != 90 {
				t.Errorf("%s: GW, sigma %s, is below Hertz on %d %% of 0.9 contact radii", f, sigma, below)
			}
			if f == "figure-4b" && !(at(gw, 1) > 0.05) {
				t.Errorf("%s: GW, sigma %s, at the edge of Hertz's contact is %g", f, sigma, at(gw, 1))
			}
			worst := [2]float64{}
			for k, xy := range [2][][2]float64{gw, egw} {
				for _, p := range xy {
					if k == 1 && p[1] < -1e-12 {
						t.Errorf("%s: E-GW, sigma %s, at %g is %g below Hertz", f, sigma, p[0], p[1])
					}
					worst[k] = max(worst[k], math.Abs(p[1]))
				}
				if !(worst[k] > before[k]) {
					t.Errorf("%s: model %d, sigma %s: off Hertz by %g after %g", f, k, sigma, worst[k], before[k])
				}
			}
			before = worst
		}
	}
	near("E-GW, pressure on the axis", line("figure-4b", "E-GW, sigma = 0.001")[0][1], 0.0586623, 1e-4)
	near("E-GW, deformation on the axis", line("figure-5b", "E-GW, sigma = 0.001")[0][1], 0.0951866, 1e-4)
	near("GW, pressure on the axis", line("figure-4a", "GW, sigma = 0.001")[0][1], 0.877515, 1e-4)
	near("GW, deformation on the axis", line("figure-5a", "GW, sigma = 0.001")[0][1], 0.911896, 1e-4)

	// Figure 7: the pressure falls with psi and with K, E-GW is the greatest.
	// Figure 8: so does the force; yielding matters less than roughness.
	for k, order := range [][]string{
		{"E-GW", "EP-GW, psi = 2", "EP-GW, psi = 4", "EP-GW, psi = 10"},
		{"E-GW", "EP-GW, K = 0.4", "EP-GW, K = 0.6", "EP-GW, K = 0.8"},
	} {
		panel := "ab"[k : k+1]
		for i := range order[1:] {
			high, low := line("figure-7"+panel, order[i]), line("figure-7"+panel, order[i+1])
			for j := range high {
				// Far out, where asperities carry less than 2e-4 of the greatest
				// pressure, it is the reverse by a few millionths: the
				// bulk sinks less.
				if d := low[j][1] - high[j][1]; d > 1e-9 && (high[j][1] > 2e-4 || d > 5e-6) {
					t.Errorf("figure 7 %s at %g: %s %g, %s %g", panel, high[j][0], order[i], high[j][1], order[i+1], low[j][1])
				}
			}
			high, low = line("figure-8"+panel, order[i]), line("figure-8"+panel, order[i+1])
			for j := range high {
				if low[j][1] > high[j][1]*(1+1e-9) {
					t.Errorf("figure 8 %s at %g: %s %g, %s %g", panel, high[j][0], order[i], high[j][1], order[i+1], low[j][1])
				}
			}
		}
		last := func(name string) float64 { l := line("figure-8"+panel, name); return l[len(l)-1][1] }
		rough, yields := last("E-GW")-last("Hertz"), last("E-GW")-last(order[3])
		t.Logf("figure 8 %s at d = 0.01: roughness adds %.3g, yielding takes %.2g of it", panel, rough, yields/rough)
		if !(yields < 0.45*rough) {
			t.Errorf("figure 8 %s: yielding takes %g, roughness adds %g", panel, yields, rough)
		}
	}
	egw := line("figure-8a", "E-GW")
	near("figure 8 at d = -0.001", at(egw, -0.001), 7.17439e-6, 1e-4)
	near("figure 8 at d = 0.008", at(egw, 0.008), 0.00111192, 1e-4)
	near("figure 8, EP-GW at d = 0.008", at(line("figure-8a", "EP-GW, psi = 4"), 0.008), 0.00106686, 1e-4)

	// Figure 6: Thornton's law is the softest by far; CEB's exceeds Hertz
	// where plasticity begins; ZMC is nearer to the two fitted ones than
	// these two are.
	force := func(law string, d float64) float64 { return at(line("figure-6", law), d) }
	for d := 4.0; d <= 25; d++ {
		thornton := force("Thornton", d)
		for _, law := range []string{"CEB", "ZMC", "Vu-Quoc and Zhang", "MJG"} {
			if !(force(law, d) > thornton) {
				t.Errorf("figure 6 at %g um: %s %g N, Thornton %g N", d, law, force(law, d), thornton)
			}
		}
		for _, fitted := range []string{"Vu-Quoc and Zhang", "MJG"} {
			zmc := math.Abs(force("ZMC", d) - force(fitted, d))
			if !(zmc < math.Abs(thornton-force(fitted, d))) || fitted == "Vu-Quoc and Zhang" && d < 20 && !(zmc < math.Abs(force("CEB", d)-force(fitted, d))) {
				t.Errorf("figure 6 at %g um: ZMC is %g N from %s", d, zmc, fitted)
			}
		}
	}
	if !(force("CEB", 3) > 1.2*force("Hertz", 3)) {
		t.Errorf("figure 6 at 3 um: CEB %g N, Hertz %g N", force("CEB", 3), force("Hertz", 3))
	}
}

// The script writes a picture of every figure and the values of every panel.
func TestRun(t *testing.T) {
	folder := t.TempDir()
	if err := run(folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields("figure-3.png figure-4.png figure-5.png figure-6.png figure-7.png figure-8.png figure-4a.csv figure-8b.csv") {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() < 5000 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
