//go:build !unix

package benchmarks

func processorTime() float64 { return wallTime() }
