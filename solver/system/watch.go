package system

// A monitor of the energy error, for numerical instability. A run that becomes unstable must stop
// at once, but the whole ledger takes a loop over all triangles. Between checks of the ledger a
// watch examines the few nodes with contact forces: the energy that contacts have created, and
// their impulses. If one of these, or the greatest speed of a node, exceeds the greatest value at
// any check so far, the whole ledger is checked at once. The watch never stops a run; only the
// ledger does.

// Watch has the data that a watch needs between checks of the ledger.
type Watch struct {
	// Made is the energy that contacts have added to the residual so far: the work in their
	// accounts minus the work of their forces on the nodes [J].
	Made float64
	// HalfWork is the work of the contact forces in the first half of the present step minus the
	// account at its start [J].
	HalfWork  float64
	Threshold float64 // greatest contact part of the residual at any check [J]
	Fastest   float64 // greatest squared speed at any check [m2/s2]
	Over      int64   // number of consecutive steps whose residual is above the limit
}
