package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"fdem/io/guard"
	"fdem/io/view"
	"fdem/io/whole"

	"github.com/spf13/cobra"
)

// reportMegabytes is about how large a report is at most, unless a flag says otherwise [MB].
const reportMegabytes = 16

func newReportCommand() *cobra.Command {
	var out string
	var megabytes float64
	var beside bool
	c := &cobra.Command{
		Use:   "report DIR...",
		Short: "Write a results folder as one HTML file that can be mailed",
		Long: `Write the page of fdem view and its data as one file, which needs neither
fdem nor a network. If the results are large, the file has fewer fields,
rounded numbers and fewer frames, and says so. Of several folders the first is
shown, and the histories of all are drawn together; with --beside all are shown
side by side, and what one shows, the others show.`,
		Example:           "  fdem report examples/elastic-collision/elastic-collision.out -o collision.html\n  fdem report rough.out smooth.out --beside -o both.html",
		Args:              someFolders,
		ValidArgsFunction: completeFolder,
		RunE:              func(c *cobra.Command, args []string) error { return writeReport(c, args, out, megabytes, beside) },
	}
	c.Flags().StringVarP(&out, "output", "o", "", "path of the file (default DIR/report.html)")
	c.Flags().BoolVar(&beside, "beside", false, "show all folders side by side")
	c.Flags().Float64Var(&megabytes, "megabytes", reportMegabytes, "reduce the results to about this size [MB]")
	return c
}

func writeReport(c *cobra.Command, dirs []string, out string, megabytes float64, beside bool) (err error) {
	if !(megabytes > 0 && megabytes <= 1000) {
		return fmt.Errorf("--megabytes must lie between 0 and 1000, got %g", megabytes)
	}
	if dirs, err = findAll(dirs); err != nil {
		return err
	}
	if out == "" {
		out = filepath.Join(dirs[0], "report.html")
	}
	if err := guard.Replace(out, guard.Report); err != nil {
		return err
	}
	f, err := view.Together(dirs)
	if err != nil {
		return err
	}
	var notes []string
	err = whole.Write(out, func(w io.Writer) error {
		write := view.WriteReport
		if beside {
			write = view.WriteBeside
		}
		notes, err = write(w, f, int(megabytes*1e6))
		return err
	})
	if err != nil {
		return err
	}
	for _, n := range notes {
		fmt.Fprintln(c.ErrOrStderr(), n)
	}
	info, err := os.Stat(out)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.OutOrStdout(), "%s, %.1f MB\n", out, 1e-6*float64(info.Size()))
	return nil
}
