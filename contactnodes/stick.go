package contactnodes

// The elastic stick of Coulomb friction (tangential penalty) of which nobody says
// more.
const (
	// MindlinRatio is its stiffness over that of the law: the lower end of R. D.
	// Mindlin's 2 (1 - nu)/(2 - nu).
	MindlinRatio = 2.0 / 3
	// Braking is the part of a slip that its brake stops within one step:
	// leapfrog stays stable with it at any step that it is stable at.
	Braking = 0.5
)
