package diffusion_test

import (
	"strings"
	"testing"
)

// A bar that is drawn until it flows, and insulated, is warmed by nine tenths of its plastic work, or by
// the share that the deck says, in statics and in motion.
func TestHeatOfPlasticWork(t *testing.T) {
	steel := `[[material]]
name = "rock"
young = "200 GPa"
poisson = 0.3
density = 7800
law = "j2"
yield_stress = "300 MPa"
hardening = "1 GPa"
conductivity = "50 W/(m K)"
heat_capacity = "480 J/(kg K)"
SHARE
[[body]]
name = "rock"
material = "rock"
[[fix]]
on = "left"
components = ["x"]
[[fix]]
on = "bottom"
components = ["y"]
[[drive]]
on = "right"
displacement = ["1e-3*t/DURATION", "free"]
`
	for share, line := range map[float64]string{0.9: "", 0.4: "plastic_heat = 0.4"} {
		for _, analysis := range []string{inStatics("1 s", 10, ""), "[analysis]\nduration = \"0.5 ms\"\n[heat]\ninitial = \"20 degC\"\n"} {
			duration := "1"
			if !strings.Contains(analysis, "static") {
				duration = "5e-4"
			}
			s := ran(t, bar(0.05, 0.01, 10, 2), analysis+strings.NewReplacer("SHARE", line, "DURATION", duration).Replace(steel))
			work := s.Energies().PlasticWork
			if !(work > 0) {
				t.Fatalf("%s: no plastic work", analysis)
			}
			within(t, "heat of plastic work", column(s, "heat_plastic"), share*work, 1e-3*work)
			within(t, "stored heat", column(s, "heat_stored"), column(s, "heat_plastic"), 1e-9*work)
			if duration == "1" {
				within(t, "rise in the middle", above(s, 0.025, 0.005), share*work/(0.05*0.01*s.Thickness*7800*480), 1e-2*share*work/(0.05*0.01*s.Thickness*7800*480))
			}
		}
	}
}
