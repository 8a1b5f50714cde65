package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"fdem/io/deck"
	"fdem/io/plan"
	"fdem/io/tables"

	"github.com/spf13/cobra"
)

func newDeckCommand() *cobra.Command {
	var schema string
	c := &cobra.Command{
		Use:   "deck [BLOCK]",
		Short: "Print the keys that a deck can have",
		Long: `Print the blocks and keys that a deck can have: the meaning of each, its SI unit,
and its default. Quantities are numbers in SI or texts with a unit,
"210 GPa", "0.5 mm", "7860 kg/m3", "20 %". A key that has several lines depends
on other keys: the first line whose conditions hold counts.

With --schema, print the JSON Schema of decks, or of another kind of file,
--schema=shapes or --schema=study. Editors complete keys, show their meaning and
mark mistakes by it: those with Even Better TOML or taplo find it by the first line
of the files that fdem new writes, #:schema .schema/deck.json.`,
		Example: `  fdem deck
  fdem deck contact
  fdem deck --schema > deck.json`,
		Args:              atMostOne("BLOCK"),
		ValidArgsFunction: completeOne(blockNames),
		RunE: func(c *cobra.Command, args []string) error {
			out := c.OutOrStdout()
			if c.Flags().Changed("schema") {
				return printSchema(out, schema, args)
			}
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
	c.Flags().StringVar(&schema, "schema", "deck", "print the JSON Schema of files of a kind: deck, shapes, study")
	c.Flags().Lookup("schema").NoOptDefVal = "deck"
	_ = c.RegisterFlagCompletionFunc("schema", cobra.FixedCompletions(schemaKinds, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// printSchema writes the JSON Schema of a kind of files. args are further arguments of the
// command, of which there must be none.
func printSchema(out io.Writer, kind string, args []string) error {
	text, err := schemaText(kind)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return fmt.Errorf("--schema prints the schema of whole files: leave %q out, or write --schema=%s", args[0], args[0])
	}
	_, err = out.Write(text)
	return err
}

// schemaKinds are the kinds of files that have a JSON Schema.
var schemaKinds = []string{"deck", "shapes", "study"}

// schemaText returns the text of the JSON Schema of a kind of files.
func schemaText(kind string) ([]byte, error) {
	made := map[string]func() map[string]any{"deck": deck.JSONSchema, "shapes": plan.JSONSchema, "study": deck.StudySchema}[kind]
	if made == nil {
		return nil, fmt.Errorf("there is no schema %q: there are %s", kind, strings.Join(schemaKinds, ", "))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(made())
	return b.Bytes(), err
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
