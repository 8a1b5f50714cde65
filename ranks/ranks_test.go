package ranks_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"fdem/examples/cases"
	"fdem/ranks"
)

func TestMain(m *testing.M) {
	if err := ranks.Init(); err != nil {
		panic(err)
	}
	status := m.Run()
	ranks.Finalize()
	os.Exit(status)
}

// Every rank gets what each gives, in their order; TestOnThree runs this on three.
func TestCalls(t *testing.T) {
	bits, values, list, counts := 0, []int64{}, []int32{}, []int{}
	for r := range ranks.Size {
		bits |= 1 << r
		values = append(values, int64(10*r))
		for range r {
			list = append(list, int32(r))
		}
		counts = append(counts, r+1)
	}
	if got := ranks.Any(1 << ranks.Rank); got != bits {
		t.Errorf("bits %b, want %b", got, bits)
	}
	if got := ranks.Each(int64(10 * ranks.Rank)); !slices.Equal(got, values) {
		t.Errorf("each: %v, want %v", got, values)
	}
	if got := ranks.Join(slices.Repeat([]int32{int32(ranks.Rank)}, ranks.Rank)); !slices.Equal(got, list) {
		t.Errorf("joined: %v, want %v", got, list)
	}
	type pair struct{ a, b float64 }
	layout, parts := ranks.NewLayout[pair](counts), []pair{}
	for r, n := range counts {
		for range n {
			p := pair{}
			if r == ranks.Rank {
				p = pair{float64(r), -1}
			}
			parts = append(parts, p)
		}
	}
	if allocated := testing.AllocsPerRun(10, func() { ranks.Gather(parts, layout) }); allocated > 0 {
		t.Errorf("%g allocations", allocated)
	}
	for r, n := range counts {
		for range n {
			if parts[0] != (pair{float64(r), -1}) {
				t.Errorf("%v of rank %d", parts[0], r)
			}
			parts = parts[1:]
		}
	}
}

// Some of the processes do something as though they were all.
func TestAmong(t *testing.T) {
	size, rank, exchanged := ranks.Size, ranks.Rank, ranks.Exchanged()
	n := (size + 1) / 2
	ranks.Among(n, func() {
		if got := ranks.Each(int64(ranks.Rank)); rank >= n || ranks.Size != n || len(got) != n || got[n-1] != int64(n-1) {
			t.Errorf("rank %d of %d gets %v among %d", rank, size, got, n)
		}
		if got := ranks.Exchanged() - exchanged; n > 1 && got != int64(8*n) {
			t.Errorf("%d bytes are exchanged, want %d", got, 8*n)
		}
	})
	if ranks.Size != size || ranks.Rank != rank {
		t.Errorf("rank %d of %d is rank %d of %d after it", rank, size, ranks.Rank, ranks.Size)
	}
}

// Processes learn how many calls the others have begun.
func TestCompareCalls(t *testing.T) {
	begun := ranks.Each(ranks.Calls()) // before this call
	received := slices.Repeat([]int64{-1}, ranks.Size)
	for range 10_000 {
		if !ranks.CompareCalls(received) {
			t.Skip("one process, or one thread at a time")
		}
		received[ranks.Rank] = ranks.Calls()
		if !slices.Contains(received, -1) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	for r, n := range received {
		if n != begun[r]+1 {
			t.Errorf("rank %d has begun %d calls, heard %d", r, begun[r]+1, n)
		}
	}
	if ranks.Any(0) != 0 { // no process ends before all have received it
		t.Error("somebody gives bits")
	}
}

// These tests pass on three processes of MPI.
func TestOnThree(t *testing.T) {
	if ranks.Size > 1 {
		t.Skip("is one of three")
	}
	if !cases.All() || testing.Short() {
		t.Skip("builds itself with MPI: go test ./ranks -all -run TestOnThree")
	}
	for _, tool := range []string{"mpirun", "mpicc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is missing: apt install openmpi-bin libopenmpi-dev", tool)
		}
	}
	test := filepath.Join(t.TempDir(), "test")
	for _, args := range [][]string{
		{"go", "test", "-c", "-tags", "mpi", "-ldflags=-s -w", "-o", test, "."},
		{"mpirun", "--oversubscribe", "-np", "3", test, "-test.run", "TestCalls|TestAmong|TestCompareCalls"},
	} {
		c := exec.Command(args[0], args[1:]...)
		c.Env = append(os.Environ(), "CGO_ENABLED=1", "CC=mpicc", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", args, err, text)
		}
	}
}
