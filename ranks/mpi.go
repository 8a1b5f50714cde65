//go:build mpi

package ranks

/*
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static MPI_Comm group;    // of the processes that compute
static MPI_Comm watching; // of all, beside their calls; null where the library has one thread at a time
static MPI_Request *sent; // the last message to each of them,
static long long *told;   // which is this
static int start(int *rank, int *size) {
	int got;
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &got) || got < MPI_THREAD_SERIALIZED) return 1;
	group = MPI_COMM_WORLD;
	watching = MPI_COMM_NULL;
	if (MPI_Comm_rank(group, rank) || MPI_Comm_size(group, size)) return 1;
	if (got == MPI_THREAD_MULTIPLE) {
		if (MPI_Comm_dup(group, &watching)) return 1;
		sent = malloc(*size * sizeof *sent);
		told = malloc(*size * sizeof *told);
		for (int i = 0; i < *size; i++) sent[i] = MPI_REQUEST_NULL;
	}
	return 0;
}
// compare tells others a number, and takes those that they have told.
static int compare(long long number, long long *heard) {
	if (watching == MPI_COMM_NULL) return 0;
	int rank, size, done;
	MPI_Comm_rank(watching, &rank);
	MPI_Comm_size(watching, &size);
	for (int i = 0; i < size; i++) {
		MPI_Test(&sent[i], &done, MPI_STATUS_IGNORE);
		if (!done || i == rank) continue;
		told[i] = number;
		MPI_Isend(&told[i], 1, MPI_LONG_LONG, i, 0, watching, &sent[i]);
	}
	for (;;) {
		MPI_Status from;
		long long n;
		MPI_Iprobe(MPI_ANY_SOURCE, 0, watching, &done, &from);
		if (!done) return 1;
		MPI_Recv(&n, 1, MPI_LONG_LONG, from.MPI_SOURCE, 0, watching, MPI_STATUS_IGNORE);
		heard[from.MPI_SOURCE] = n;
	}
}
static void part(int in)     { MPI_Comm_split(MPI_COMM_WORLD, in, 0, &group); }
static void whole(void) {
	MPI_Request all;
	MPI_Comm_free(&group);
	group = MPI_COMM_WORLD;
	MPI_Ibarrier(group, &all);
	for (int done = 0; MPI_Test(&all, &done, MPI_STATUS_IGNORE), !done;) usleep(1000); // a core for who computes
}
static void stop(void)       { MPI_Finalize(); }
static void end(int status)  { MPI_Abort(MPI_COMM_WORLD, status); }
static int any(int bits)     { MPI_Allreduce(MPI_IN_PLACE, &bits, 1, MPI_INT, MPI_BOR, group); return bits; }
static void gather(void *b, int *counts, int *at) {
	MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, counts, at, MPI_BYTE, group);
}
*/
import "C"

import (
	"errors"
	"math"
	"os"
	"sync/atomic"
	"unsafe"
)

// Rank is the number of this process, Size how many there are.
var Rank, Size = 0, 1

// Init begins the use of MPI where a launcher has started the process.
func Init() error {
	if started() == 0 && os.Getenv("PMIX_RANK") == "" {
		return nil
	}
	var rank, size C.int
	if C.start(&rank, &size) != 0 {
		return errors.New("MPI cannot be started")
	}
	Rank, Size = int(rank), int(size)
	begun = true
	for _, name := range append(launchers, "PMIX_RANK") { // processes that this one starts are none of them
		os.Unsetenv(name)
	}
	return nil
}

var begun bool

// Finalize ends the use of MPI. It returns when all processes have called it.
func Finalize() {
	if begun {
		C.stop()
	}
}

// Abort ends all processes. It may be called while another goroutine waits for others.
func Abort(status int) {
	if begun {
		C.end(C.int(status))
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
	in := C.int(0)
	if rank < n {
		in = 1
	}
	C.part(in)
	if rank < n {
		Size = n
		do()
	}
	Rank, Size = rank, size
	C.whole()
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
// goroutine waits for others, and returns at once; false where the library cannot do that.
func CompareCalls(received []int64) bool {
	return C.compare(C.longlong(calls.Load()), (*C.longlong)(&received[0])) != 0
}

// Any returns the bits that any process gives.
func Any(bits int) int {
	if Size == 1 { // MPI may not have begun
		return bits
	}
	calls.Add(1)
	return int(C.any(C.int(bits)))
}

// Layout is how many elements of an array each process has.
type Layout struct{ counts, at []C.int } // [bytes]

// NewLayout returns the layout for arrays whose elements are as large as T.
func NewLayout[T any](counts []int) *Layout {
	var one T
	l, sum := &Layout{}, 0
	for _, n := range counts {
		bytes := n * int(unsafe.Sizeof(one))
		l.counts, l.at = append(l.counts, C.int(bytes)), append(l.at, C.int(sum))
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
		C.gather(unsafe.Pointer(&b[0]), &l.counts[0], &l.at[0])
	}
}
