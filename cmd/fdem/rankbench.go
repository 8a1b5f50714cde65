package main

import (
	"fmt"
	"io"
	"runtime"
	"text/tabwriter"
	"time"

	"fdem/benchmarks"
	"fdem/ranks"

	"github.com/spf13/cobra"
)

// rankBench is bench --ranks.
type rankBench struct {
	wanted, weak       bool
	triangles, threads int
	each               time.Duration
}

func (b *rankBench) addTo(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&b.wanted, "ranks", false, "measure only the gain by ranks, under mpirun")
	f.IntVar(&b.triangles, "triangles", 200_000, "with --ranks: approximate number of triangles in both blocks together")
	f.BoolVar(&b.weak, "weak", false, "with --ranks: the number of triangles is for each rank (weak scaling)")
	f.DurationVar(&b.each, "for", 2*time.Second, "with --ranks: time of each measurement, at least 100 steps")
	f.IntVar(&b.threads, "threads", 1, "with --ranks: number of workers of each rank")
}

// maxBenchTriangles is the greatest number of triangles of bench --ranks.
const maxBenchTriangles = 100_000_000

// run measures, and writes a line for each figure at once.
func (b *rankBench) run(c *cobra.Command, asJSON bool) error {
	if b.triangles < 1 || b.triangles > maxBenchTriangles {
		return fmt.Errorf("--triangles must lie between 1 and %d, got %d", maxBenchTriangles, b.triangles)
	}
	if b.each <= 0 {
		return fmt.Errorf("--for must be positive, got %v", b.each)
	}
	if err := checkThreads(b.threads); err != nil {
		return err
	}
	all := []benchmarks.RankFigures{}
	got := func(f benchmarks.RankFigures) {
		all = append(all, f)
		fmt.Fprintf(c.ErrOrStderr(), "%s, %d triangles, %d ranks: %.4g ms a step\n", f.Scene, f.Triangles, f.Ranks, 1e3*f.Fastest)
	}
	if err := benchmarks.OnRanks(b.triangles, max(1, b.threads), b.weak, b.each, got); err != nil {
		return &exitError{exitFailed, err}
	}
	if asJSON {
		return writeJSON(c.OutOrStdout(), all)
	}
	printRanks(c.OutOrStdout(), all)
	return nil
}

// printRanks writes the table as text.
func printRanks(out io.Writer, all []benchmarks.RankFigures) {
	fmt.Fprintf(out, "%d ranks, %d cores each, %d workers each\n\n", ranks.Size, runtime.GOMAXPROCS(0), all[0].Workers)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "scene\ttriangles\tnear\tranks\tms a step\tmean\ttimes one\tcontact\twaiting\texchange\tbytes told\tcounted\tof each rank\t")
	var one benchmarks.RankFigures
	for _, f := range all {
		if f.Ranks == 1 {
			one = f
		}
		gain := one.Fastest / float64(one.Triangles) / (f.Fastest / float64(f.Triangles))
		fmt.Fprintf(w, "%s\t%d\t%.0f\t%d\t%.4g\t%.4g\t%.2f\t%.1f %%\t%.1f %%\t%.1f %%\t%d\t%.0f\t%.0f\t\n",
			f.Scene, f.Triangles, f.Touching, f.Ranks, 1e3*f.Fastest, 1e3*f.Mean, gain, 100*f.Contact, 100*f.Waiting, 100*f.Exchange, f.Exchanged, f.Counted, f.EachGives)
	}
	w.Flush()
	fmt.Fprint(out, `
near: contact nodes in contact or nearly so. ms a step: in the fastest of 20 windows. times one: speedup,
triangles per second over those of one rank. contact, waiting, exchange: part of rank 0's time. bytes told:
bytes that all ranks exchange in every step; counted: with those that are not in every step.
`)
}
