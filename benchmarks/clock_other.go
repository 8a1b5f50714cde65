//go:build !linux && !darwin

package benchmarks

// ProcessorTime returns the time by the clock, where the processor's is not known [s].
func ProcessorTime() float64 { return wallTime() }

func threadTime() float64 { return wallTime() }
