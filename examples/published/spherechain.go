package published

import (
	spherechain "fdem/examples/sphere-chain"
	"fdem/io/throw"
)

// sphereChain computes Nesterenko's solitary wave.
var sphereChain = Problem{
	Name:   "sphere-chain",
	Title:  "speed of the solitary wave in a chain of 70 steel spheres",
	Source: "V. F. Nesterenko, Dynamics of Heterogeneous Materials, 2001, long-wave limit",
	Solve:  solveSphereChain,
}

func solveSphereChain() []Row {
	w := throw.Must(spherechain.Run(spherechain.Hertz))
	known := spherechain.Nesterenko(w.Peak[42])
	return []Row{
		{Case: "Hertz, struck at 1 m/s", Quantity: "speed between spheres 30 and 55", Unit: "m/s", Known: known, Computed: w.Speed(30, 55), Tolerance: 0.01 * known, Note: "long-wave limit at the height of the wave"},
		{Case: "Hertz, struck at 1 m/s", Quantity: "height at sphere 55 over that at 30", Unit: "1", Known: 1, Computed: w.Peak[55] / w.Peak[30], Tolerance: 1e-3, Note: "a solitary wave keeps its form"},
	}
}
