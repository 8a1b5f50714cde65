//go:build mpi

package mpi

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
	"unsafe"

	"fdem/ranks"
)

func init() {
	ranks.Use(&ranks.Library{Start: start, Stop: stop, Abort: abort, Split: split, Join: join, Any: anyBits, Gather: gather, Compare: compare})
}

func start() (rank, size int, err error) {
	var r, n C.int
	if C.start(&r, &n) != 0 {
		return 0, 0, errors.New("MPI cannot be started")
	}
	return int(r), int(n), nil
}

func stop() { C.stop() }

func abort(status int) { C.end(C.int(status)) }

func split(in bool) {
	if in {
		C.part(1)
	} else {
		C.part(0)
	}
}

func join() { C.whole() }

func anyBits(bits int) int { return int(C.any(C.int(bits))) }

func gather(b []byte, counts, at []int32) {
	C.gather(unsafe.Pointer(&b[0]), (*C.int)(&counts[0]), (*C.int)(&at[0]))
}

func compare(calls int64, received []int64) bool {
	return C.compare(C.longlong(calls), (*C.longlong)(&received[0])) != 0
}
