// Package ranks is message passing (MPI): the few calls that a run on several processes
// needs. Package mpi makes them by a library if the program is built with the tag mpi.
// Without the tag there is one process.
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
	Abort   func(status int)                         // ends all processes with a status
	Split   func(in bool)                            // further calls are among the processes for which in is true
	Join    func()                                   // further calls are among all processes again, after all have called it
	Any     func(bits int) int                       // bits of all processes, combined by or
	Gather  func(b []byte, counts, at []int32)       // rank r has the counts[r] bytes from at[r] on
	Compare func(calls int64, received []int64) bool // see CompareCalls
}

// Use sets the library, before Init.
func Use(l *Library) { library = l }

var library *Library // nil without MPI

// Rank is the number of this process, and Size the number of processes.
var Rank, Size = 0, 1

var begun bool

// Init starts the use of MPI if a launcher has started the process. Without MPI it fails
// if a launcher has started several processes, since each would run the whole model by
// itself.
func Init() error {
	switch n := started(); {
	case library == nil && n > 1:
		return fmt.Errorf("mpirun has started %d processes, but this fdem is built without MPI: build it with go install -tags mpi ./cmd/fdem", n)
	case library == nil, n == 0 && os.Getenv("PMIX_RANK") == "":
		return nil
	}
	rank, size, err := library.Start()
	if err != nil {
		return err
	}
	Rank, Size, begun = rank, size, true
	for _, name := range append(launchers, "PMIX_RANK") { // processes that this one starts are not ranks
		os.Unsetenv(name)
	}
	return nil
}

// Finalize ends the use of MPI. It returns after all processes have called it.
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

// Among runs a function on the first n processes as if they were all. The others sleep
// until these have finished.
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

// Exchanged returns the number of bytes that all processes together have gathered so far,
// each byte once.
func Exchanged() int64 { return exchanged }

var exchanged int64

// Calls returns the number of common calls that this process has begun so far. It may be
// called at any time.
func Calls() int64 { return calls.Load() }

var calls atomic.Int64

// CompareCalls tells the other processes how many calls this one has begun, and sets
// heard, by rank, to what they have told since the last call. It may run while another
// goroutine waits for other processes, and returns at once. It returns false if the
// library cannot do this or if there is no library.
func CompareCalls(received []int64) bool {
	return begun && library.Compare(calls.Load(), received)
}

// Any returns the bits of all processes, combined by or.
func Any(bits int) int {
	if Size == 1 { // MPI may not have been started
		return bits
	}
	calls.Add(1)
	return library.Any(bits)
}

// Layout is the numbers of elements of an array on each process.
type Layout struct{ counts, at []int32 } // [bytes]

// NewLayout returns the layout for arrays of elements with the size of T.
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

// Gather gives every process the part of b of each process, in the order of ranks. The
// elements of b must not have pointers.
func Gather[T any](b []T, l *Layout) {
	if len(b) > 0 && Size > 1 {
		calls.Add(1)
		exchanged += int64(l.at[len(l.at)-1]) + int64(l.counts[len(l.counts)-1])
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(&b[0])), len(b)*int(unsafe.Sizeof(b[0])))
		library.Gather(bytes, l.counts, l.at)
	}
}

// launchers are the environment variables in which launchers give a process the number of
// processes; NumberedBy are those with its own number.
var (
	launchers  = []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}
	NumberedBy = []string{"OMPI_COMM_WORLD_RANK", "PMI_RANK"}
)

// started returns the number of processes that a launcher has started, 0 without a
// launcher.
func started() int { return received(launchers) }

// Launched returns the number of this process and the number of processes that a launcher
// has started, before MPI has started. It returns 0 of 0 without a launcher, or if the
// launcher does not give them.
func Launched() (rank, size int) { return received(NumberedBy), started() }

// received returns the number in the first of some variables that has one, 0 if none has.
func received(names []string) int {
	for _, name := range names {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
	}
	return 0
}
