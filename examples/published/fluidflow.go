package published

import (
	"fmt"
	"math"

	"fdem/examples/scenes"
	"fdem/solver"
)

// Flow and diffusion along cracks that are held open.

// heldOpen returns a deck of a board through which water flows.
func heldOpen(duration string, joints ...string) string {
	return "mesh = \"rock.msh\"\n" + scenes.HeldOpen(duration, "[output]\nhistory_every = \"10 us\"\n", joints...)
}

// flowing lets water flow through a crack 0.4 m long, and through one that divides at its
// middle.
func flowing() []Row {
	const w, mu, p, length = 50e-6, 1e-3, 1e6, 0.4
	through := func(joints ...string) (rate, power float64) {
		since, lost := 0.0, 0.0
		s := runFluid(heldOpen("4 ms", joints...), scenes.Board(0.02, 20, 2), func(s *solver.Solver) {
			if since == 0 && s.Time > 3e-3 { // the flow is steady
				since, lost = s.Time, s.Energies().FluidViscous
			}
		})
		return s.FluidStates()[0].Rate, (s.Energies().FluidViscous - lost) / (s.Time - since)
	}
	conductance := func(l float64) float64 { return w * w * w / (12 * mu * l) }
	one := conductance(length) * p
	joined := conductance(0.2) / (conductance(0.2) + conductance(0.2) + conductance(0.04)) * p
	divided := conductance(0.2) * (p - joined)
	rate, power := through("seam")
	split, both := through("seam", "branch")
	return []Row{
		{Case: "flow between held faces", Quantity: "rate", Unit: "m3/s", Known: one, Computed: rate, Tolerance: 1e-6 * one, Note: "Poiseuille"},
		{Case: "flow between held faces", Quantity: "lost by flow", Unit: "W", Known: one * p, Computed: power, Tolerance: 1e-3 * one * p, Note: "rate times pressure"},
		{Case: "flow that divides", Quantity: "rate", Unit: "m3/s", Known: divided, Computed: split, Tolerance: 1e-6 * conductance(0.2) * p, Note: "arms of 0.2, 0.2 and 0.04 m"},
		{Case: "flow that divides", Quantity: "lost by flow", Unit: "W", Known: divided * p, Computed: both, Tolerance: 1e-3 * divided * p},
	}
}

// offDiffusion returns the greatest difference of the pressures along a crack from p
// erfc(x/(2 sqrt(D t))), over p.
func offDiffusion(s *solver.Solver, p, d float64) (worst float64) {
	for i := range s.Cracks().Cracks() {
		c := s.Cracks().Crack(i)
		for end, of := range s.Cracks().Pressure(c.Edge) {
			x := s.Mesh.X[s.Cracks().Vertex(c.Nodes[end])].X
			worst = max(worst, math.Abs(of/p-math.Erfc(x/(2*math.Sqrt(d*s.Time)))))
		}
	}
	return worst
}

// diffusing lets a pressure diffuse along a crack with D = w^2 K/(12 mu).
func diffusing() (rows []Row) {
	const w, mu, bulk, p = 50e-6, 1e-3, 2.2e9, 1e6
	const d, what = w * w * bulk / (12 * mu), "pressure that diffuses"
	s := runFluid(heldOpen("40 us", "seam"), scenes.Board(0.01, 100, 1), func(s *solver.Solver) {
		if s.Time > 39e-6 || math.Abs(s.Time-10e-6) < 1e-9 {
			in := w * w * w / (12 * mu) * p / math.Sqrt(math.Pi*d*s.Time)
			rows = append(rows,
				Row{Case: what, Given: s.Time, Quantity: "greatest difference, of the pressure at the end", Unit: "1", Computed: offDiffusion(s, p, d), Tolerance: 0.01, Note: fmt.Sprintf("given: time; steps of %.0f times an explicit scheme's", 0.5e-6/(6*mu*1e-4/(w*w*bulk)))},
				Row{Case: what, Given: s.Time, Quantity: "rate at the mouth", Unit: "m3/s", Known: in, Computed: s.FluidStates()[0].Rate, Tolerance: 0.01 * in},
			)
		}
	})
	return append(rows, fluidBalance(what, s, w*(1-0.005))...)
}

// diffusingBetweenSprings lets a pressure diffuse along a crack whose faces are on
// springs, strips that can only be compressed. Then D = w^3/(12 mu) over w/K + 1/k.
func diffusingBetweenSprings() []Row {
	const w, mu, bulk, p, strip, k = 50e-6, 1e-3, 2.2e9, 1e4, 1e-3, 1e12
	const poisson, along = 0.25, 2 * strip * k // modulus of a strip that is pressed: two make 1/k
	const d = w * w * w / (12 * mu) / (w/bulk + 1/k)
	s := runFluid(fmt.Sprintf(`mesh = "rock.msh"
[analysis]
duration = "40 us"
plane = "strain"
[[material]]
name = "soft"
young = %g
poisson = %g
density = 10
[[body]]
name = "rock"
material = "soft"
[[fix]]
on = "all"
components = ["x"]
[[fix]]
on = "sides"
[[joint]]
on = "seam"
friction = 0
[[fluid]]
name = "water"
well = "mouth"
pressure = %g
viscosity = "1 mPa s"
residual = "50 um"
at_start = "full"
`, along*(1+poisson)*(1-2*poisson)/(1-poisson), poisson, p), scenes.Board(strip, 200, 1), func(*solver.Solver) {})
	return []Row{{Case: "pressure that diffuses between springs", Quantity: "greatest difference, of the pressure at the end", Unit: "1", Computed: offDiffusion(s, p, d), Tolerance: 0.01, Note: "faces on 1000 GPa/m; stored 40 times as much as by water"}}
}
