package system

// TimeRounding is the rounding of Time at Duration, relative to the step.
const TimeRounding = 1e-9

// Ended tells whether Time is Duration, up to rounding, or a run until rest has come to rest.
func (s *View) Ended() bool { return s.AtRest > 0 || s.Duration-s.Time <= TimeRounding*s.Limit }
