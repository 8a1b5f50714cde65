package bodies

// Ramps calls the function with the work so far of every overlap that is ramped in [J].
func (k *ContactState) Ramps(each func(work float64)) {
	for _, c := range k.Surfaces {
		each(c.RampWork)
	}
}
