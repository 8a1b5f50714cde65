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

// launchers are the variables by which launchers tell a process how many there are.
var launchers = []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}

// started returns how many processes a launcher has started, 0 without one.
func started() int {
	for _, name := range launchers {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
	}
	return 0
}
