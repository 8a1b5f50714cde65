package threads

// Interfaces of some systems only. Each is used in one place.
type (

	// Shared systems let several workers compute their part of a step.
	Shared interface{ UseThreads(t *Team) }
)
