package main

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// subcommands returns an error for arguments of a command with subcommands,
// since they name none of these.
func subcommands(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("there is no command %q: did you mean %q?", c.CommandPath()+" "+args[0], c.CommandPath()+" "+near[0])
	}
	return fmt.Errorf("there is no command %q: see %s --help", c.CommandPath()+" "+args[0], c.CommandPath())
}

// demand makes a command fail unless exactly one of the flags is given.
func demand(c *cobra.Command, names ...string) {
	c.PreRunE = func(c *cobra.Command, _ []string) error {
		var given []string
		for _, n := range names {
			if c.Flags().Changed(n) {
				given = append(given, n)
			}
		}
		switch len(given) {
		case 0:
			return fmt.Errorf("%s needs --%s: see %s --help", c.CommandPath(), strings.Join(names, " or --"), c.CommandPath())
		case 1:
			return nil
		}
		return fmt.Errorf("%s takes either --%s, not both", c.CommandPath(), strings.Join(given, " or --"))
	}
}

// unwritable tells whether an error is the disk's and not the user's.
func unwritable(err error) bool {
	for _, e := range []error{syscall.ENOSPC, syscall.EROFS, syscall.EDQUOT, syscall.EIO} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// flagMistake returns a clear error for a wrong flag.
func flagMistake(c *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		kind := map[string]string{"float64": "a number", "int": "a whole number", "int64": "a whole number", "bool": "true or false"}[value.GetFlag().Value.Type()]
		if kind != "" {
			return fmt.Errorf("--%s must be %s, got %q", value.GetFlag().Name, kind, value.GetValue())
		}
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		return fmt.Errorf("%w: see %s --help", err, c.CommandPath())
	}
	return err
}
