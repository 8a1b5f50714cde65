package published

import (
	"fmt"
	"math"

	"fdem/io/throw"
	"fdem/materials/contact/rough"
)

// roughSpheres is the force between rough spheres over that of smooth ones, compared with
// values recomputed independently, and its limit for smooth surfaces.
var roughSpheres = Problem{
	Name:   "rough-spheres",
	Title:  "force between rough spheres over that of smooth ones",
	Source: "T. Zhao, Y. T. Feng, J. Appl. Mech. 85(10), 2018, figures 3 and 7; recomputed independently",
	Solve:  solveRoughSpheres,
}

func solveRoughSpheres() []Row {
	const d = 0.01 // approach over the radius
	var rows []Row
	add := func(what string, s rough.Spheres, known, tolerance float64, note string) {
		s.Radius, s.Modulus = 1, 1
		c := throw.Must(s.Solve(d))
		rows = append(rows, Row{
			Case: fmt.Sprintf("sigma %g R, mu %g", s.Sigma, s.Mu), Quantity: what, Unit: "1",
			Known: known, Computed: c.Force / (4. / 3 * d * math.Sqrt(d)), Tolerance: tolerance, Note: note,
		})
	}
	for _, k := range []struct{ sigma, mu, gw, egw float64 }{
		{1e-4, 1, 0.9425, 1.0109}, {1e-4, 4, 0.9800, 1.0175}, {1e-4, 10, 0.9939, 1.0219},
		{1e-3, 1, 0.7994, 1.0705}, {1e-3, 4, 0.9770, 1.1348}, {1e-3, 10, 1.0659, 1.1827},
		{1e-2, 1, 1.0083, 1.6070}, {1e-2, 4, 2.0162, 2.3824}, {1e-2, 10, 2.7889, 3.0485},
	} {
		add("force, GW", rough.Spheres{Sigma: k.sigma, Mu: k.mu}, k.gw, 6e-5, "recomputed")
		add("force, E-GW", rough.Spheres{Sigma: k.sigma, Mu: k.mu, Extended: true}, k.egw, 6e-5, "recomputed")
	}
	for _, k := range []struct{ psi, k, known float64 }{{2, 0.6, 1.1125}, {4, 0.6, 1.0972}, {10, 0.6, 1.0818}, {4, 0.4, 1.1127}, {4, 0.8, 1.0874}} {
		what := fmt.Sprintf("force, EP-GW, psi %g, K %g", k.psi, k.k)
		add(what, rough.Spheres{Sigma: 1e-3, Mu: 4, Extended: true, Psi: k.psi, K: k.k}, k.known, 6e-5, "recomputed")
	}
	add("force, GW", rough.Spheres{Sigma: rough.MinSigma, Mu: 4}, 1, 5e-3, "Hertz, from below")
	add("force, E-GW", rough.Spheres{Sigma: rough.MinSigma, Mu: 4, Extended: true}, 1, 1e-3, "Hertz, from above")
	return rows
}
