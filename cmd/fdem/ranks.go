package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"fdem/io/checkpoint"
	"fdem/ranks"
	"fdem/solver"
	"fdem/solver/quantity"

	"github.com/spf13/cobra"
)

// Processes started by mpirun or srun, the ranks, run one model together. All read it and
// compute its steps (solver/processes). Only rank 0 writes results and messages.

// among runs a command line as one of the ranks. If all ranks find an error, rank 0
// reports it and ends all. If another rank alone finds an error, it reports the error
// itself after waiting for rank 0.
func among(args []string, stdout, stderr io.Writer) (status int) {
	started := guardStart(args, stderr)
	err := ranks.Init()
	if started(); err != nil {
		fmt.Fprintf(stderr, "fdem: %v\n", err)
		return exitFailed
	}
	defer ranks.Finalize()
	if ranks.Size == 1 {
		return execute(args, stdout, stderr)
	}
	var said bytes.Buffer
	if ranks.Rank > 0 {
		status = execute(args, io.Discard, &said)
	} else {
		status = execute(args, stdout, stderr)
	}
	if status == exitDone || status == exitInterrupted {
		return status
	}
	if ranks.Rank > 0 {
		time.Sleep(rankZeroDelay)
		fmt.Fprintf(stderr, "rank %d: %s", ranks.Rank, said.String())
	}
	ranks.Abort(status)
	return status
}

// rankZeroDelay is the time for which other ranks wait for rank 0 to report the same
// error.
const rankZeroDelay = 3 * time.Second

// rankCommands are the commands that ranks run together.
var rankCommands = []string{"run", "resume", "version"}

// onlyOne returns an error for commands that each rank would run by itself.
func onlyOne(c *cobra.Command, _ []string) error {
	if ranks.Size > 1 && !slices.Contains(rankCommands, c.Name()) && !(c.Name() == "bench" && c.Flags().Changed("ranks")) {
		return fmt.Errorf("%s runs on one rank: start it without mpirun", c.CommandPath())
	}
	return nil
}

// shareable returns an error for a model that ranks cannot share.
func (in *input) shareable() error {
	if ranks.Size > 1 && in.model.Static != nil {
		return in.deck.ErrorAt("analysis.type", `[analysis] type = "static" runs on one rank; start it without mpirun`)
	}
	if ranks.Size > 1 && in.model.Heat != nil {
		return in.deck.ErrorAt("heat.initial", `[heat] runs on one rank; start it without mpirun`)
	}
	if ranks.Size > 1 && in.model.Pores != nil {
		return in.deck.ErrorAt("pores.initial", `[pores] runs on one rank; start it without mpirun`)
	}
	return nil
}

// maxRanks is the greatest value of check --ranks.
const maxRanks = 4096

// networks are networks between ranks, with published figures: the time of a message and
// bytes a second.
var networks = []struct {
	name        string
	each, speed float64 // [s], [bytes/s]
}{
	{"inside a machine", 1e-6, 10e9},
	{"over InfiniBand", 1.5e-6, 10e9},
	{"over Ethernet", 20e-6, 1e9},
}

// writeRanks prints the exchange among n ranks, and their gain for a run as predicted.
func writeRanks(out io.Writer, s *solver.Solver, n int, f *estimate) {
	shares := s.PredictShare(n)
	fmt.Fprintf(out, "%s\n", &shares)
	bytes := float64(shares.Bytes())
	if shares.Whole > 0 {
		checkpoints := 2.0 // one at each end
		if s.CheckpointEvery > 0 {
			checkpoints += s.Duration / s.CheckpointEvery
		}
		whole := max(f.Rows, f.Frames, f.Contacts) + checkpoints // most of the others come together
		laws := f.Frames + checkpoints
		bytes += shares.Sums + (whole*float64(shares.Whole)+laws*float64(shares.Laws)+f.Rows*float64(shares.Row))/f.Steps
		fmt.Fprintf(out, "on average %.0f bytes a step, including all nodes for rows, frames and checkpoints, and the sums of the ledger\n", bytes)
	}
	var gains []string
	for _, k := range networks {
		messages := 2 * math.Ceil(math.Log2(float64(n))) // a reduction and a gathering, by trees
		step := f.Each*(max(shares.Shared/float64(n), shares.One)+1-shares.Shared) + messages*k.each + bytes/k.speed
		gains = append(gains, fmt.Sprintf("%.2g %s", f.Each/step, k.name))
	}
	fmt.Fprintf(out, "speedup over one rank, about: %s; %.0f %% of the time of a step is divided among ranks, every rank computes the rest and needs as much memory as one rank: %s\n",
		strings.Join(gains, ", "), 100*shares.Shared, amount(float64(s.Bytes())))
}

// sameBuild returns an error unless all ranks run the same program and have read the same
// files to the same state. No rank writes before all ranks have passed this check.
func (j *job) sameBuild() error {
	j.solver.UpdateState()
	number := func(text string) int64 { return int64(crc32.ChecksumIEEE([]byte(text))) }
	for _, k := range []struct {
		what string
		v    int64
	}{
		{"is another version of fdem than", number(version())},
		{"has read another deck, or files that it names, than", number(j.deck)},
		{"has read another mesh than", number(j.mesh)},
		{"has laws that give other values than those of", number(fmt.Sprint(checkpoint.Laws(j.in.model)))},
		{"begins with another state than", int64(checkpoint.Sum(j.solver.Parts()))},
	} {
		if err := agreed(k.what, k.v); err != nil {
			return err
		}
	}
	return nil
}

// agreed returns an error if a rank gives another value than rank 0.
func agreed(what string, v int64) error {
	all := ranks.Each(v)
	if r := slices.IndexFunc(all, func(v int64) bool { return v != all[0] }); r > 0 {
		return &exitError{exitFailed, fmt.Errorf("rank %d %s rank 0", r, what)}
	}
	return nil
}

// sameState returns an error if ranks have different states.
func (j *job) sameState() error {
	if ranks.Size == 1 {
		return nil
	}
	return agreed(fmt.Sprintf("has another state at step %d than", j.solver.N), int64(checkpoint.Sum(j.solver.Parts())))
}

// follow runs the steps of a rank that writes nothing.
func (j *job) follow() error {
	s := j.solver
	log := silent()
	s.Note = log.printf
	j.wanted = watch(log, j.patient, false)
	defer j.wanted.stop()
	defer j.guardSteps()()
	nothing := func() error { return nil }
	err := s.Run(j.wanted.ctx, solver.Observer{
		Row: func() error {
			e := s.Energies()
			s.Row(&e, func(quantity.Column, float64) {})
			return nil
		},
		Frame: nothing, Contact: nothing,
		Checkpoint: func(bool) error {
			j.fresh = false
			return j.sameState()
		},
		Asked: func() bool { return j.wanted.asked() || j.fresh },
	})
	switch {
	case errors.Is(err, context.Canceled):
		return &exitError{exitInterrupted, err}
	case err != nil:
		return &exitError{exitFailed, fmt.Errorf("%s: %w", j.in.deckPath, err)}
	}
	return nil
}

// If ranks have made no common call for longNothing, each tells the others its number of
// calls so far, and the first rank that answers reports the ranks that do not
// answer. After --hung it ends all ranks and also reports those that are behind, since
// until then they may compute or write for long.
const (
	longNothing    = 5 * time.Second
	pollInterval   = time.Second
	maxSilentPolls = 4 // rounds after which a silent rank counts as not answering
)

// guardSteps watches the ranks for a hang.
func (j *job) guardSteps() (stop func()) {
	if ranks.Size == 1 {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		w := watchdog{calls: ranks.Calls(), since: time.Now()}
		for {
			select {
			case <-done:
				return
			case <-time.After(pollInterval):
			}
			w.check(j.hung)
		}
	}()
	return func() { close(done) }
}

// watchdog is a rank's data of the other ranks while there is no message.
type watchdog struct {
	calls    int64     // calls that this rank has begun
	since    time.Time // time at which that was found
	received []int64   // numbers of calls of the others, by rank, as far as received
	rounds   int       // of listening
	reported bool      // the hang has been reported
}

// check listens once to the other ranks, and reports or ends a run that hangs.
func (w *watchdog) check(hung time.Duration) {
	if n := ranks.Calls(); n != w.calls {
		*w = watchdog{calls: n, since: time.Now()}
	}
	nothing := time.Since(w.since)
	if nothing < min(longNothing, hung/2) {
		return
	}
	if w.received == nil {
		w.received = slices.Repeat([]int64{-1}, ranks.Size)
	}
	w.received[ranks.Rank] = w.calls
	can := ranks.CompareCalls(w.received)
	if w.rounds++; w.rounds < maxSilentPolls {
		return
	}
	late := "a rank hangs or cannot be reached"
	first := 0 // first rank that answers
	if can {
		late, first = lateRanks(w.received)
	}
	if !w.reported && ranks.Rank == first && slices.Contains(w.received, -1) && can {
		w.reported = true
		fmt.Fprintf(os.Stderr, "rank %d: ranks have not communicated for %v: %s\n", ranks.Rank, nothing.Round(time.Second), late)
	}
	if nothing > hung+time.Duration(ranks.Rank-first)*2*time.Second { // one speaks
		fmt.Fprintf(os.Stderr, "rank %d: no step was done for %v: %s; continue from the last checkpoint with fdem resume\n", ranks.Rank, hung, late)
		ranks.Abort(exitFailed)
	}
}

// lateRanks returns a text about the ranks that hold up the others, and the first rank
// that answers. It has the number of calls of each rank, -1 for one that does not answer.
func lateRanks(calls []int64) (text string, first int) {
	first = slices.IndexFunc(calls, func(n int64) bool { return n >= 0 })
	most := slices.Max(calls)
	var silent, behind []string
	for r, n := range calls {
		switch {
		case n < 0:
			silent = append(silent, strconv.Itoa(r))
		case n < most:
			behind = append(behind, strconv.Itoa(r))
		}
	}
	rank := func(of []string, one, several string) string {
		if len(of) == 1 {
			return "rank " + of[0] + " " + one
		}
		return "ranks " + strings.Join(of, ", ") + " " + several
	}
	switch {
	case len(silent) > 0:
		return rank(silent, "does not answer: it is stopped, or its machine cannot be reached", "do not answer: they are stopped, or their machines cannot be reached"), first
	case len(behind) > 0:
		return rank(behind, "is behind the others: it computes or writes for long, or hangs", "are behind the others: they compute or write for long, or hang"), first
	}
	return "all ranks wait for each other: messages are lost or slow", first
}
