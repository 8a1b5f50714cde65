//go:build !linux && !darwin

package benchmarks

func processorTime() float64 { return wallTime() }

func threadTime() float64 { return wallTime() }
