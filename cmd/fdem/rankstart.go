package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fdem/ranks"
)

// The start of MPI waits for all ranks and does not tell which are missing. A rank that waits
// for long checks which of the ranks started by the same launcher on this machine are stopped.
// It cannot check ranks on other machines. The first waiting rank reports this, and after
// --hung ends all.

// slowStart is the time that the start of MPI may take without a message.
const slowStart = 20 * time.Second

// guardStart watches the start of MPI until stop is called.
func guardStart(args []string, stderr io.Writer) (stop func()) {
	rank, size := ranks.Launched()
	if size < 2 {
		return func() {}
	}
	hung := hungOf(args)
	done := make(chan struct{})
	waits := func(d time.Duration) bool {
		select {
		case <-done:
			return false
		case <-time.After(d):
			return true
		}
	}
	began := time.Now()
	missing := func() (text string, first int) { return missingRanks(rankStates("/proc", os.Getppid()), rank, size) }
	go func() {
		if !waits(min(slowStart, hung/2)) {
			return
		}
		text, first := missing()
		if rank == first {
			fmt.Fprintf(stderr, "rank %d: MPI has not started for %v: %s\n", rank, time.Since(began).Round(time.Second), text)
		}
		if !waits(hung - time.Since(began) + time.Duration(rank-first)*2*time.Second) { // one speaks
			return
		}
		text, _ = missing()
		fmt.Fprintf(stderr, "rank %d: MPI has not started for %v: %s; no step was done\n", rank, hung, text)
		os.Exit(exitFailed)
	}()
	return func() { close(done) }
}

// hungOf returns the value of --hung in a command line that has not been parsed, or the
// default.
func hungOf(args []string) time.Duration {
	for i, a := range args {
		text, found := strings.CutPrefix(a, "--hung=")
		if a == "--hung" && i+1 < len(args) {
			text, found = args[i+1], true
		}
		if d, err := time.ParseDuration(text); found && err == nil && d > 0 {
			return d
		}
	}
	return longHung
}

// rankStates returns the ranks that the launcher with a process number has started on
// this machine, and whether each is stopped; nothing if the system does not tell.
func rankStates(proc string, launcher int) (stopped map[int]bool) {
	stopped = map[int]bool{}
	stats, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "stat")) // the pattern is valid
	for _, path := range stats {
		stat, _ := os.ReadFile(path)                                         // it may have ended
		f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // after its name
		if len(f) < 2 || f[1] != strconv.Itoa(launcher) {
			continue
		}
		environment, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "environ"))
		for _, set := range bytes.Split(environment, []byte{0}) {
			name, value, _ := strings.Cut(string(set), "=")
			if n, err := strconv.Atoi(value); err == nil && slices.Contains(ranks.NumberedBy, name) {
				stopped[n] = f[0] == "T"
			}
		}
	}
	return stopped
}

// missingRanks returns a text about the ranks that hold up the start of MPI, and the first
// rank on this machine that waits.
func missingRanks(stopped map[int]bool, rank, size int) (text string, first int) {
	var names []string
	first = rank
	for r := range size {
		if here, known := stopped[r]; known && here {
			names = append(names, strconv.Itoa(r))
		} else if known {
			first = min(first, r)
		}
	}
	switch len(names) {
	case 0:
		return fmt.Sprintf("not all of the %d ranks have started, and none on this machine is stopped", size), first
	case 1:
		return "rank " + names[0] + " is stopped", first
	}
	return "ranks " + strings.Join(names, ", ") + " are stopped", first
}
