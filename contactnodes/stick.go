package contactnodes

// Defaults of the elastic stick of Coulomb friction (tangential penalty).
const (
	// MindlinRatio is the ratio of its stiffness to that of the law: the lower
	// limit of R. D. Mindlin's 2 (1 - nu)/(2 - nu).
	MindlinRatio = 2.0 / 3
	// Braking is the part of a slip that its brake stops within one step. With it
	// leapfrog stays stable at any step at which it is stable without it.
	Braking = 0.5
)
