package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"fdem/io/deck"
	"fdem/io/tables"

	"github.com/spf13/cobra"
)

func newDeckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "deck [BLOCK]",
		Short: "Print the keys that a deck can have",
		Long: `Print the blocks and keys that a deck can have: the meaning of each, its SI unit,
and its default. Quantities are numbers in SI or texts with a unit,
"210 GPa", "0.5 mm", "7860 kg/m3", "20 %". A key that has several lines depends
on other keys: the first line whose conditions hold counts.`,
		Example: `  fdem deck
  fdem deck contact`,
		Args:              atMostOne("BLOCK"),
		ValidArgsFunction: completeOne(blockNames),
		RunE: func(c *cobra.Command, args []string) error {
			out := c.OutOrStdout()
			if len(args) == 0 {
				for i, b := range deck.Reference() {
					if i > 0 {
						fmt.Fprintln(out)
					}
					showBlock(out, b)
				}
				return nil
			}
			name := strings.Trim(args[0], "[]")
			if !slices.Contains(blockNames(), name) {
				return fmt.Errorf("there is no block %q: there are %s", args[0], strings.Join(blockNames(), ", "))
			}
			shown := 0
			for _, b := range deck.Reference() {
				if b.Name != name && !strings.HasPrefix(b.Name, name+".") {
					continue
				}
				if shown++; shown > 1 {
					fmt.Fprintln(out)
				}
				showBlock(out, b)
			}
			return nil
		},
	}
}

// blockNames returns the names of the blocks, without blocks within blocks.
func blockNames() []string {
	var names []string
	for _, b := range deck.Reference() {
		if b.Name != "" && !strings.Contains(b.Name, ".") {
			names = append(names, b.Name)
		}
	}
	return names
}

func showBlock(out io.Writer, b tables.Block) {
	fmt.Fprintf(out, "%s\n%s\n", b.Header(), b.Doc)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, k := range b.Keys {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", k.Name, k.Value(), k.Without(), k.About())
	}
	w.Flush()
}
