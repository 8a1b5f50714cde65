package published

import (
	"math"

	clearancejoint "fdem/examples/clearance-joint"
	"fdem/io/throw"
)

// clearanceJoint is the review's benchmark, and its claim about eq. (53).
var clearanceJoint = Problem{
	Name:   "clearance-joint",
	Title:  "impact of a ball in a socket with clearance",
	Source: "G. Wang et al., review of contact force models, Table 5 and section 4.3",
	Solve:  solveClearanceJoint,
}

func solveClearanceJoint() []Row {
	law := throw.Must(clearancejoint.Run(clearancejoint.Law))
	damper := throw.Must(clearancejoint.Run(clearancejoint.Eq53))
	const (
		radius  = 0.0205 * 0.02 / (0.0205 - 0.02)
		modulus = 1 / ((1-0.33*0.33)/65e9 + (1-0.29*0.29)/200e9)
		yield   = 30e6
	)
	a := math.Pi * 1.61 * yield / (2 * modulus)
	name := "Ma and Liu's law, 4 m/s"
	return []Row{
		{Case: name, Quantity: "deflection at yield", Unit: "um", Known: 1.5788, Computed: 1e6 * radius * a * a, Tolerance: 5e-5, Note: "published; in closed form"},
		{Case: name, Quantity: "greatest deflection", Unit: "um", Known: 111.52, Computed: 1e6 * law.Deepest, Tolerance: 5e-3, Note: "published"},
		{Case: name, Quantity: "restitution", Unit: "1", Known: 0.6909, Computed: law.Restitution, Tolerance: 5e-5, Note: "published"},
		{Case: "eq. (53) with that restitution", Quantity: "restitution", Unit: "1", Known: 0.68794, Computed: damper.Restitution, Tolerance: 2e-5, Note: "integrated independently"},
		{Case: "eq. (53) with that restitution", Quantity: "energy lost beyond the law's", Unit: "%", Known: 0.25, Computed: 100 * (damper.Lost/law.Lost - 1), Note: "claimed; not met: 0.78 % is what comes out"},
	}
}
