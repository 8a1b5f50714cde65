package bodies

// atNode is the cause of a step that contact on a node limits, atBody of a step
// that contact on a free rigid body limits.
const (
	AtNode = "contact at a node"
	AtBody = "contact of a rigid body"
)
