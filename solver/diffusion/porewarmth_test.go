package diffusion_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/solver"
)

// Wet rock is warmed by 10 K, and its water cannot flow away: the pressure rises by E/(1/M + b^2/K') times
// the warming where K' is the modulus that holds its volume, and by less, phi (beta_f - 3 alpha)/(1/M + b^2/K),
// where it is free (McTigue, 1986). In plane strain the free skeleton strains by (1 + nu) alpha in the plane.
func TestHeatedWetRock(t *testing.T) {
	const young, nu, biot, porosity, grains, alpha, water, warming = 14.4e9, 0.2, 0.79, 0.19, 38e9, 1e-5, 3e-4, 10.0
	const storage = porosity/2.2e9 + (biot-porosity)/grains
	const both = porosity*water + (biot-porosity)*3*alpha
	const planar = young / (2 * (1 + nu) * (1 - 2*nu))
	const heat = "conductivity = 3\nheat_capacity = 800\nexpansion = \"1e-5 1/K\"\nporosity"
	sides := "[[fix]]\non = \"right\"\ncomponents = [\"x\"]\n[[fix]]\non = \"top\"\ncomponents = [\"y\"]\n"
	for _, motion := range []bool{false, true} {
		head, warms := "type = \"static\"\nduration = 1\nincrements = 4\n", "[[temperature]]\non = \"rock\"\nvalue = [[0, 293], [1, 303]]\n"
		if motion {
			head, warms = "duration = 2e-3\ndamping = { local = 0.5 }\n", "[[temperature]]\non = \"rock\"\nvalue = [[0, 293], [1e-3, 303]]\n"
		}
		for _, of := range []struct {
			name, hold string
			want       float64
		}{
			{"held", sides, both * warming / storage},
			{"free in the plane", "", (both - biot*2*(1+nu)*alpha) * warming / (storage + biot*biot/planar)},
		} {
			text := "[analysis]\nplane = \"strain\"\n" + head + "[heat]\ninitial = 293\n[pores]\nexpansion = \"3e-4 1/K\"\n" + strings.Replace(sandstone, "porosity", heat, 1) + rollers + of.hold + warms
			var s *solver.Solver
			if motion {
				s = inMotion(t, bar(0.1, 0.1, 4, 4), text)
			} else {
				s = followed(t, bar(0.1, 0.1, 4, 4), text, nil, nil)
			}
			within(t, fmt.Sprintf("pressure, %s, motion %v", of.name, motion), pressureAt(s, 0.05, 0.05), of.want, 2e-3*of.want)
			if lost, held := column(s, "pore_mass_residual"), 1000*storage*of.want*0.01; math.Abs(lost) > 1e-7*held {
				t.Errorf("of %g kg %g kg are missing", held, lost)
			}
		}
	}
}
