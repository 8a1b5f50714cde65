package main

import (
	"fmt"
	"io"
	"maps"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"fdem/benchmarks"

	"github.com/spf13/cobra"
)

func newBenchCommand() *cobra.Command {
	var asJSON, asCSV, quick bool
	var remark string
	var rounds int
	var shared rankBench
	c := &cobra.Command{
		Use:   "bench",
		Short: "Measure the speed of this machine",
		Long: `Measure the speed of this machine: nanoseconds per triangle and step by
size of the model and number of workers, for materials that yield, with damping, with a busy core, and for
a plain loop for comparison; the fixed cost of a step, memory per triangle, contact
search and laws, blocks in contact along one side, a pile of rocks, 20,000 rocks
that fall, rigid blocks by impulses, bodies that can break, break and are in fragments, spheres
that fall and at rest, the cost of frames, a static analysis,
and the fraction of the memory bandwidth that a step uses. Every figure except those
with a busy core is the fastest of many short measurements. The figures for several
workers need a machine without other work. This takes about five minutes.
On a machine that others use, take the best of several rounds (--rounds).

--ranks instead measures how much faster several processes (mpirun) compute the steps
of one model: two blocks far apart, and two pressed together along a side. It does so on
every number of ranks that divides that of mpirun, and prints the time of contact, waiting
and exchange, and the number of bytes that ranks exchange in a step.`,
		Example: `  fdem bench
  mpirun --bind-to core -np 8 fdem bench --ranks --triangles 2000000
  fdem bench --csv > benchmarks/my-machine.csv`,
		Args: nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			if asJSON && asCSV {
				return fmt.Errorf("--json and --csv exclude each other")
			}
			if shared.wanted {
				return shared.run(c, asJSON)
			}
			if rounds < 1 {
				return fmt.Errorf("--rounds must be at least 1, got %d", rounds)
			}
			f, err := benchmarks.Measure(quick, rounds, func(what string) { fmt.Fprintln(c.ErrOrStderr(), what) })
			if err != nil {
				return &exitError{exitFailed, err}
			}
			f.Version, f.Commit, f.Date = version(), commit(), time.Now().UTC().Format(time.DateOnly)
			f.Remark = remark
			switch {
			case asJSON:
				return writeJSON(c.OutOrStdout(), f)
			case asCSV:
				return f.WriteCSV(c.OutOrStdout())
			}
			printFigures(c.OutOrStdout(), f)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	c.Flags().BoolVar(&asCSV, "csv", false, "write CSV, as benchmarks/ keeps it")
	c.Flags().StringVar(&remark, "remark", "", "a note about the machine, kept with the figures")
	c.Flags().IntVar(&rounds, "rounds", 1, "number of times that everything is measured; the best of each figure is kept")
	c.Flags().BoolVar(&quick, "quick", false, "leave out the model of two million triangles, which needs 1 GB")
	shared.addTo(c)
	new(profiles).addTo(c)
	return c
}

// commit returns the revision of the build, or else of the working folder;
// empty if neither is known.
func commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	out, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=40").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// printFigures writes the table as text.
func printFigures(out io.Writer, f *benchmarks.Figures) {
	fmt.Fprintf(out, "%s, %s, %d cores, kernel %s\n\n", f.Processor, f.System, f.Cores, f.Kernel)
	printElementSteps(out, f)
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	printTriangles(w, f)
	printContacts(w, f)
	printSpheres(w, f)
	for _, workers := range benchmarks.Ascending(f.FieldsSlowdown) {
		fmt.Fprintf(w, "a frame every 200 steps, %s workers\t%+.1f %% of a step of 200,000 triangles\n", workers, 100*f.FieldsSlowdown[workers])
	}
	for _, workers := range benchmarks.Ascending(f.SinglesSlowdown) {
		fmt.Fprintf(w, "the same in single precision, %s workers\t%+.1f %%\n", workers, 100*f.SinglesSlowdown[workers])
	}
	fmt.Fprintf(w, "static analysis\t%.1f s and %.0f MB for 100,000 unknowns, 20 increments\n", f.StaticS, f.StaticMB)
	fmt.Fprintf(w, "implicit step of heat, 100,000 nodes\t%.1f ms once factorised, %.1f times a step of motion (%.2f ms); its factor %.0f ms\n", f.DiffusionStepMs, f.DiffusionStepMs/f.MotionStepMs, f.MotionStepMs, f.DiffusionFactorMs)
	w.Flush()
	if f.Stolen > 0.005 {
		fmt.Fprintf(out, "\nThe host gave %.0f %% of the processor time of this virtual machine to others.\n", 100*f.Stolen)
	}
}

// printElementSteps writes the cost of triangles by their number and the workers.
func printElementSteps(out io.Writer, f *benchmarks.Figures) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "triangles\tworkers\tns per element-step\tof bandwidth\tin Go\t")
	for _, n := range benchmarks.Ascending(f.ElementStepNs) {
		for _, workers := range benchmarks.Ascending(f.ElementStepNs[n]) {
			generic := ""
			if g, ok := f.ElementStepGenericNs[n][workers]; ok {
				generic = fmt.Sprintf("%.2f", g)
			}
			fmt.Fprintf(w, "%s\t%s\t%.2f\t%.0f %%\t%s\t\n", n, workers, f.ElementStepNs[n][workers], 100*f.BandwidthFraction[n][workers], generic)
		}
	}
	w.Flush()
}

// printTriangles writes the cost of triangles, one by one and in a step.
func printTriangles(w io.Writer, f *benchmarks.Figures) {
	fmt.Fprintf(w, "plain loop in Go, the yardstick\t%.2f ns per triangle\n", f.PlainNs)
	fmt.Fprintf(w, "step of 20,000 with damping and weight\t%.2f ns per triangle, %.2f of the yardstick\n", f.DampedStepNs, f.DampedStepNs/f.PlainNs)
	for _, what := range slices.Sorted(maps.Keys(f.LawStepNs)) {
		fmt.Fprintf(w, "20,000 triangles in plane strain, %s\t%.2f ns per triangle, %.2f of elastic; %.0f bytes, %+.0f\n", what, f.LawStepNs[what], f.LawStepNs[what]/f.LawStepNs["elastic"], f.LawBytes[what], f.LawBytes[what]-f.LawBytes["elastic"])
	}
	for _, workers := range benchmarks.Ascending(f.BesideBusyNs) {
		fmt.Fprintf(w, "the same without, beside a busy core, %s workers\t%.2f ns per triangle, %.2f of the yardstick\n", workers, f.BesideBusyNs[workers], f.BesideBusyNs[workers]/f.PlainNs)
	}
	for _, workers := range benchmarks.Ascending(f.BandwidthGBs) {
		fmt.Fprintf(w, "memory bandwidth, %s workers\t%.1f GB/s\n", workers, f.BandwidthGBs[workers])
	}
	for _, workers := range benchmarks.Ascending(f.StepOverheadUs) {
		fmt.Fprintf(w, "fixed cost of a step, %s workers\t%.2f us\n", workers, f.StepOverheadUs[workers])
	}
	fmt.Fprintf(w, "memory\t%.1f bytes per triangle\n", f.BytesPerElement)
}

// printContacts writes the cost of contacts and cracks.
func printContacts(w io.Writer, f *benchmarks.Figures) {
	fmt.Fprintf(w, "contact search\t%.2f ns per boundary edge and step\n", f.ContactSearchNs)
	fmt.Fprintf(w, "narrow phase of 200 rocks at rest\t%.0f ns per contact node in contact or about to be\n", f.ContactNarrowNs)
	for _, n := range benchmarks.Ascending(f.MeetingNs) {
		fmt.Fprintf(w, "%s triangles, two blocks that meet\t%.2f ns per triangle, %.2f of the yardstick\n", n, f.MeetingNs[n], f.MeetingNs[n]/f.PlainNs)
	}
	for _, what := range slices.Sorted(maps.Keys(f.PileNs)) {
		fmt.Fprintf(w, "200 rocks %s\t%.1f ns per triangle, %.1f of the yardstick\n", what, f.PileNs[what], f.PileNs[what]/f.PlainNs)
	}
	if f.PileTwoNs > 0 {
		fmt.Fprintf(w, "200 rocks at rest, two workers\t%.1f ns per triangle, one takes %.2f times as long\n", f.PileTwoNs, f.PileNs["at rest"]/f.PileTwoNs)
	}
	fmt.Fprintf(w, "20,000 rocks falling\t%.1f ns per triangle, %.2f of 200 rocks\n", f.ManyRocksNs, f.ManyRocksNs/f.PileNs["falling"])
	fmt.Fprintf(w, "10,000 rigid polygons falling\t%.0f ns per body\n", f.PolygonFallingNs)
	fmt.Fprintf(w, "10,000 rigid bricks in a wall\t%.0f ns per body, %.0f per contact node, of which %.1f are in contact or about to be\n", f.PolygonLyingNs, f.PolygonLyingNs/f.PolygonTouches, f.PolygonTouches)
	fmt.Fprintf(w, "twelve dominoes by impulses\t%.3f s, by contact laws %.2f s, %.0f times as long\n", f.DominoesS, f.DominoesExplicitS, f.DominoesExplicitS/f.DominoesS)
	fmt.Fprintf(w, "wall of 1,020 blocks at rest, by impulses\t%.2f ms a step of 1 ms\n", f.BlockWallMs)
	fmt.Fprintf(w, "10,000 polygons that settle, by impulses\t%.1f ms a step of 30 sweeps, %.0f ns per contact point and sweep\n", f.PolygonSettlingMs, f.PointSweepNs)
	for _, what := range slices.Sorted(maps.Keys(f.FractureNs)) {
		fmt.Fprintf(w, "100,000 triangles %s\t%.2f ns per triangle, %.2f of the yardstick\n", what, f.FractureNs[what], f.FractureNs[what]/f.PlainNs)
	}
	fmt.Fprintf(w, "a vertex that opens\t%.0f ns\n", f.VertexOpensNs)
	fmt.Fprintf(w, "law kostek\t%.1f ns per loaded contact node\n", f.LawKostekNs)
	fmt.Fprintf(w, "law linear\t%.1f ns per loaded contact node\n", f.LawLinearNs)
}

// printSpheres writes the cost of spheres.
func printSpheres(w io.Writer, f *benchmarks.Figures) {
	fmt.Fprintf(w, "spheres that fall\t%.1f ns per sphere-step of 10,000\n", f.SphereFallingNs)
	fmt.Fprintf(w, "spheres at rest\t%.1f ns per sphere-step of 10,000, %.2f contacts for each\n", f.SphereSettledNs, f.SphereContacts)
	fmt.Fprintf(w, "spheres on a mesh\t%.1f ns per sphere-step of 10,000 on 10,000 triangles, theirs included: %.2f times spheres at rest\n", f.SphereOnMeshNs, f.SphereOnMeshNs/f.SphereSettledNs)
}
