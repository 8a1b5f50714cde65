// Package ranks is message passing (MPI): the few calls that a run on several processes
// needs. A library does them, which package mpi has where the program is built with the tag
// mpi; without it there is one process.
//
// Every process makes the same calls in the same order, from one goroutine at a time, but
// for CompareCalls, by which one that watches finds who has not come to a call. No
// call adds numbers up: the order of such a sum is the library's.
package ranks

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// Library is what a library of message passing does for this package.
type Library struct {
	Start   func() (rank, size int, err error)
	Stop    func()
	Abort   func(status int)                         // ends all processes
	Split   func(in bool)                            // from here on calls are among those that are in
	Join    func()                                   // among all again, once all have come to it
	Any     func(bits int) int                       // or'ed
	Gather  func(b []byte, counts, at []int32)       // counts[r] bytes of rank r are from at[r] on
	Compare func(calls int64, received []int64) bool // see CompareCalls
}

// Use says which library there is, before Init.
func Use(l *Library) { library = l }

var library *Library // nil without MPI

// Rank is the number of this process, Size how many there are.
var Rank, Size = 0, 1

var begun bool

// Init begins the use of MPI where a launcher has started the process. Without MPI it fails
// where a launcher has started several: each would run the whole model by itself.
func Init() error {
	switch n := started(); {
	case library == nil && n > 1:
		return fmt.Errorf("mpirun has started %d processes, but this fdem is built without MPI: build one with go install -tags mpi ./cmd/fdem", n)
	case library == nil, n == 0 && os.Getenv("PMIX_RANK") == "":
		return nil
	}
	rank, size, err := library.Start()
	if err != nil {
		return err
	}
	Rank, Size, begun = rank, size, true
	for _, name := range append(launchers, "PMIX_RANK") { // processes that this one starts are none of them
		os.Unsetenv(name)
	}
	return nil
}

// Finalize ends the use of MPI. It returns when all processes have called it.
func Finalize() {
	if begun {
		library.Stop()
	}
}

// Abort ends all processes. It may be called while another goroutine waits for others.
func Abort(status int) {
	if begun {
		library.Abort(status)
	}
	os.Exit(status)
}

// Among lets the first n processes do something as though they were all. The others wait
// for them, asleep.
func Among(n int, do func()) {
	if n == Size {
		do()
		return
	}
	rank, size := Rank, Size
	library.Split(rank < n)
	if rank < n {
		Size = n
		do()
	}
	Rank, Size = rank, size
	library.Join()
}

// Exchanged returns how many bytes all processes together have gathered so far, each once.
func Exchanged() int64 { return exchanged }

var exchanged int64

// Calls returns how many calls that all make this process has begun so far. It may be
// called at any time.
func Calls() int64 { return calls.Load() }

var calls atomic.Int64

// CompareCalls tells other processes how many calls this one has begun, and sets heard, by
// rank, to what they have told since the last time. It may be called while another
// goroutine waits for others, and returns at once; false where the library cannot do that, or
// there is none.
func CompareCalls(received []int64) bool {
	return begun && library.Compare(calls.Load(), received)
}

// Any returns the bits that any process gives.
func Any(bits int) int {
	if Size == 1 { // MPI may not have begun
		return bits
	}
	calls.Add(1)
	return library.Any(bits)
}

// Layout is how many elements of an array each process has.
type Layout struct{ counts, at []int32 } // [bytes]

// NewLayout returns the layout for arrays whose elements are as large as T.
func NewLayout[T any](counts []int) *Layout {
	var one T
	l, sum := &Layout{}, 0
	for _, n := range counts {
		bytes := n * int(unsafe.Sizeof(one))
		l.counts, l.at = append(l.counts, int32(bytes)), append(l.at, int32(sum))
		if sum += bytes; sum > math.MaxInt32 {
			panic("ranks: an array of more than 2 GB")
		}
	}
	return l
}

// Gather gives every process what each has put in its part of b, one after the other.
// The elements of b hold no pointers.
func Gather[T any](b []T, l *Layout) {
	if len(b) > 0 && Size > 1 {
		calls.Add(1)
		exchanged += int64(l.at[len(l.at)-1]) + int64(l.counts[len(l.counts)-1])
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(&b[0])), len(b)*int(unsafe.Sizeof(b[0])))
		library.Gather(bytes, l.counts, l.at)
	}
}

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
