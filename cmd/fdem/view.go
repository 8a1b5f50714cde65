package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"

	"fdem/io/view"

	"github.com/spf13/cobra"
)

func newViewCommand() *cobra.Command {
	var port int
	var open bool
	c := &cobra.Command{
		Use:   "view DIR",
		Short: "Show a results folder in the browser, also during the run",
		Long: `Serve a page that shows a results folder: the mesh in motion, the history, the
contact pressures, deck and summary. The page follows a running simulation and
is for browsers on this machine only. Ctrl-C ends it.`,
		Example:           "  fdem view examples/elastic-collision/elastic-collision.out --open",
		Args:              exactly("DIR"),
		ValidArgsFunction: completeFolder,
		RunE: func(c *cobra.Command, args []string) error {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return serve(ctx, c, args[0], port, open)
		},
	}
	c.Flags().IntVar(&port, "port", 0, "port to listen on (default: a free one)")
	c.Flags().BoolVar(&open, "open", false, "open the page in the browser")
	return c
}

func serve(ctx context.Context, c *cobra.Command, dir string, port int, open bool) error {
	dir, err := findResults(dir)
	if err != nil {
		return err
	}
	f, err := view.Open(dir)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("--port: %w", err)
	}
	url := "http://" + l.Addr().String() + "/"
	fmt.Fprintf(c.OutOrStdout(), "%s shows %s; Ctrl-C ends it\n", url, dir)
	if open {
		browse(url, func(err error) {
			fmt.Fprintf(c.ErrOrStderr(), "no browser opened (%v): open %s in one on this machine\n", err, url)
		})
	}
	reported := ""
	return view.Serve(ctx, l, f, func(err error) {
		if err.Error() != reported {
			reported = err.Error()
			fmt.Fprintf(c.ErrOrStderr(), "fdem: %v\n", err)
		}
	})
}

// browse opens a page in the user's browser. failed is called where that is not possible,
// also later, where the command that opens it fails.
func browse(url string, failed func(error)) {
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		failed(err)
		return
	}
	go func() {
		if err := cmd.Wait(); err != nil {
			failed(fmt.Errorf("%s: %w", name, err))
		}
	}()
}
