package model

// Stage is a stage of construction, in results.
type Stage struct {
	Name string
	End  float64 // [s]
}

// Excavation removes a body of triangles at a given time. Its forces on the nodes that it shares
// with other bodies fade within a ramp.
type Excavation struct {
	Name string
	Body int32
	At   float64  // time of the excavation [s]
	Fade Schedule // factor of its former forces on its neighbours, as a function of the time since, from 1 to 0
}
