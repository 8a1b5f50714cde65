package model

// Start is how a run in time starts.
type Start int

const (
	StartEquilibrium Start = iota // what rests, slides or tips on others is in equilibrium with its weight and the loads of the start
	StartSudden                   // weight and loads act suddenly
)
