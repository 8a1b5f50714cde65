// Command fdem simulates bodies in contact, impact and sliding: a combined
// finite-discrete element code in two dimensions.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"fdem/io/guard"
	"fdem/io/tables"

	"github.com/spf13/cobra"
)

// Exit status.
const (
	exitDone        = 0
	exitFailed      = 1  // the run failed
	exitUsage       = 2  // wrong usage or bad input
	exitInterrupted = 75 // stopped by a signal: run it again
)

func main() {
	status, done := supervised()
	if !done {
		status = among(os.Args[1:], os.Stdout, os.Stderr)
	}
	os.Exit(status)
}

// exitError is an error with an exit status other than that of bad input.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// newRoot returns the command fdem with all subcommands.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "fdem",
		Short:         "Collisions, contact and fracture of deformable bodies in the plane",
		Example:       "  fdem new first\n  fdem run first\n  fdem view first --open",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          subcommands,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },

		PersistentPreRunE: onlyOne,
	}
	root.AddCommand(newRunCommand(), newResumeCommand(), newCheckCommand(), newInfoCommand(), newLawCommand(), newVerifyCommand(), newFitCommand(), newSweepCommand(), newSafetyCommand(),
		newPlotCommand(), newViewCommand(), newReportCommand(), newBenchCommand(), newVersionCommand(),
		newNewCommand(), newMeshCommand(), newDeckCommand(),
		newCompletionCommand(), newManCommand())
	root.SetFlagErrorFunc(flagMistake)
	root.CompletionOptions.DisableDefaultCmd = true // the completion command of this program has examples and better errors
	return root
}

// execute runs one command line and returns its exit status. An error without a
// status of its own is wrong usage or bad input.
func execute(args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	out := &failing{Writer: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		err = out.err
	}
	if err == nil {
		return exitDone
	}
	status := exitUsage
	var exit *exitError
	var refused *guard.RefusedError
	switch {
	case errors.As(err, &refused): // always bad input: the user must name another file
	case errors.As(err, &exit):
		status = exit.status
	case errors.Is(err, out.err), unwritable(err):
		status = exitFailed
	}
	paint := painter(stderr)
	fmt.Fprintf(stderr, "%s %s\n", paint(red, "fdem:"), printable(err.Error()))
	var mistake *tables.Error
	if errors.As(err, &mistake) {
		line, caret, _ := strings.Cut(mistake.Quote(), "\n")
		fmt.Fprintf(stderr, "%s\n%s\n", line, paint(red, caret))
	}
	return status
}

// failing keeps the first error of writing, since a command whose output is
// lost has failed.
type failing struct {
	io.Writer
	err error
}

func (f *failing) Write(p []byte) (int, error) {
	n := 0
	if f.err == nil {
		n, f.err = f.Writer.Write(p)
	}
	return n, f.err
}

// exactly requires one argument. Its name in messages is that of the usage
// line.
func exactly(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s takes one %s, got %d: see %s --help", c.CommandPath(), name, len(args), c.CommandPath())
		}
		return nil
	}
}

// atMostOne requires one argument or none.
func atMostOne(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("%s takes one %s or none, got %d: see %s --help", c.CommandPath(), name, len(args), c.CommandPath())
		}
		return nil
	}
}

// completeOne completes a single argument with one of the names.
func completeOne(names func() []string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(), cobra.ShellCompDirectiveNoFileComp
	}
}

// some requires at least one argument.
func some(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s takes at least one %s: see %s --help", c.CommandPath(), name, c.CommandPath())
		}
		return nil
	}
}

// nothing requires that there is no argument.
func nothing(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes no argument, got %q", c.CommandPath(), args[0])
	}
	return nil
}
