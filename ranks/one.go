//go:build !mpi

package ranks

import (
	"fmt"
	"os"
)

// Rank is the number of this process, Size how many there are.
const (
	Rank = 0
	Size = 1
)

// Init fails where a launcher has started several processes: each would run the whole
// model by itself.
func Init() error {
	if n := started(); n > 1 {
		return fmt.Errorf("mpirun has started %d processes, but this fdem is built without MPI: build one with go install -tags mpi ./cmd/fdem", n)
	}
	return nil
}

// Finalize ends the use of MPI.
func Finalize() {}

// Abort ends all processes.
func Abort(status int) { os.Exit(status) }

// Among lets the first n processes do something as though they were all.
func Among(n int, do func()) { do() }

// Exchanged returns how many bytes all processes together have gathered so far.
func Exchanged() int64 { return 0 }

// Calls returns how many calls that all make this process has begun so far.
func Calls() int64 { return 0 }

// CompareCalls tells other processes how many calls this one has begun.
func CompareCalls([]int64) bool { return false }

// Any returns the bits that any process gives.
func Any(bits int) int { return bits }

// Layout is how many elements of an array each process has.
type Layout struct{}

// NewLayout returns the layout for arrays whose elements are as large as T.
func NewLayout[T any]([]int) *Layout { return &Layout{} }

// Gather gives every process what each has put in its part of b, one after the other.
func Gather[T any]([]T, *Layout) {}
