package model

// When says from when to when something is there during a run. Springs, bolts, beams, ties, clamps,
// supports and loads have it.
type When struct {
	From  float64                     // when it is installed, without load in the positions of that moment [s]
	Until float64                     // when it begins to be taken out [s]; 0 for never
	Fade  func(since float64) float64 // factor of its forces as a function of the time since Until, from 1 to 0
}

// Staged tells whether it comes or goes during the run.
func (w *When) Staged() bool { return w.From > 0 || w.Until > 0 }

// Share returns the part of it that is there at a time: 0 before From, then what remains.
func (w *When) Share(time float64) float64 {
	if time < w.From {
		return 0
	}
	return w.Remaining(time)
}

// Remaining returns the part of it that is left at a time: 1 until Until, then by its fade.
func (w *When) Remaining(time float64) float64 {
	if w.Until > 0 && time > w.Until {
		return w.Fade(time - w.Until)
	}
	return 1
}
