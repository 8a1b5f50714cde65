package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fdem/io/guard"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Write a script with which a shell completes fdem's commands",
		Long:  "Write a script with which a shell completes commands, flags, files and names of\nlaws: for " + strings.Join(shells, ", ") + ".",
		Example: `  source <(fdem completion bash)                         # this session
  fdem completion bash > /etc/bash_completion.d/fdem     # every session
  fdem completion zsh > "${fpath[1]}/_fdem"
  fdem completion fish > ~/.config/fish/completions/fdem.fish`,
		Args:      exactly("SHELL"),
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			root, out := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return fmt.Errorf("there is no completion for the shell %q: there is one for %s", args[0], strings.Join(shells, ", "))
		},
	}
}

func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "man DIR",
		Short:             "Write the manual pages of all commands for man",
		Example:           "  fdem man ~/.local/share/man/man1\n  man fdem-run",
		Args:              exactly("DIR"),
		ValidArgsFunction: completeFolder,
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			if err := replaceable(root, args[0]); err != nil {
				return err
			}
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root.DisableAutoGenTag = true // the same pages from the same version
			return doc.GenManTree(root, &doc.GenManHeader{Title: "FDEM", Section: "1", Source: "fdem " + version(), Manual: "fdem"}, args[0])
		},
	}
}

// replaceable returns an error if a page of a command, or of one below it, would
// replace another kind of file in the folder.
func replaceable(of *cobra.Command, dir string) error {
	page := strings.ReplaceAll(of.CommandPath(), " ", "-") + ".1"
	if err := guard.Replace(filepath.Join(dir, page), guard.Manual); err != nil {
		return err
	}
	for _, c := range of.Commands() {
		if err := replaceable(c, dir); err != nil {
			return err
		}
	}
	return nil
}
