package contacts

// MaxApproach is the greatest approach of two nodes in one step, relative to
// the shallowest edge's depth. So contact is found before a body can cross an
// element.
const MaxApproach = 0.1

// The step grows only after the limit has been longer for a number of steps, and for a number
// of travel times of sound along the largest component. Otherwise a contact that opens and
// closes with a body's vibration would change the step in phase with it, and the vibration
// would gain energy.
const (
	WaitSteps      = 64
	RigidWaitSteps = 16 // if all bodies are rigid and straight
	SoundPasses    = 4
)
