//go:build !linux && !darwin

package benchmarks

func ProcessorTime() float64 { return wallTime() }

func threadTime() float64 { return wallTime() }
