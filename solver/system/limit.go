package system

// The adaptive time step. Leapfrog is stable up to a limit (the critical time
// step) set by the bodies and the contacts. The step follows this limit down at
// once, and up slowly. The reason is that in leapfrog the energy of a vibration
// depends slightly on the step. If the step changes slowly the energy follows
// it without loss or gain.

// StepState is the state that determines the length of the next step.
type StepState struct {
	Limit   float64 // longest step allowed at present, safety included [s]
	Planned float64 // present step, a whole number of which leads to Duration; 0 to choose anew [s]
	First   float64 // Limit at the start [s]
	Told    float64 // the step last reported in the log [s]
	Least   float64 // shortest limit since the last multiple of waitSteps [s]
	Allowed float64 // the shortest limit between the last two such multiples: the step may grow up to it [s]
	Moving  float64 // greatest kinetic energy so far [J]
	Lowest  float64 // Limit when it was lowered last [s]
	Wait    float64 // factor on the time for which the limit must be longer before the step grows
	Cracked float64 // greatest squared frequency of cracks so far, divided by that of the bodies
	AtRest  float64 // when a run until rest has come to rest [s]; 0 before
}

func (p *StepState) StateParts() []Part {
	return []Part{
		{"limit", &p.Limit}, {"planned", &p.Planned}, {"first", &p.First}, {"told", &p.Told},
		{"least", &p.Least}, {"allowed", &p.Allowed}, {"moving", &p.Moving},
		{"lowest", &p.Lowest}, {"wait", &p.Wait}, {"cracked", &p.Cracked}, {"at_rest", &p.AtRest},
	}
}

// PositionRounding is the relative rounding of a position.
const PositionRounding = 1e-16

// MaxContactLoss is the part of the greatest kinetic energy that leapfrog may lose
// during an impact, since contact begins in the middle of a step.
const MaxContactLoss = 1e-4
