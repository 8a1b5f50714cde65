//go:build linux || darwin

package benchmarks

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// ProcessorTime returns the time that processors have spent on the program [s].
func ProcessorTime() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return wallTime()
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + 1e-6*float64(u.Utime.Usec+u.Stime.Usec)
}

// threadTime returns the time that a processor has spent on the calling thread,
// to which the goroutine must be locked [s].
func threadTime() float64 {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return wallTime()
	}
	return float64(t.Sec) + 1e-9*float64(t.Nsec)
}
