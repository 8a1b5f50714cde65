// Package ranks is message passing (MPI): the few calls that a run on several processes
// needs. Built with the tag mpi it binds Open MPI or MPICH through cgo; without the tag
// there is one process, Size is a constant, and the compiler drops what several would do.
//
// Every process makes the same calls in the same order, from one goroutine at a time, but
// for CompareCalls, by which one that watches finds who has not come to a call. No
// call adds numbers up: the order of such a sum is the library's.
package ranks

import (
	"os"
	"strconv"
)

// launchers are the variables by which launchers tell a process how many there are, and
// NumberedBy those that say which it is.
var (
	launchers  = []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}
	NumberedBy = []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK"}
)

// started returns how many processes a launcher has started, 0 without one.
func started() int { return received(launchers) }

// Launched returns which process this is of how many that a launcher has started, before MPI
// has; 0 of 0 without one, or where the launcher does not say.
func Launched() (rank, size int) { return received(NumberedBy), started() }

// received returns the number in the first of some variables that has one, 0 without.
func received(names []string) int {
	for _, name := range names {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
	}
	return 0
}
