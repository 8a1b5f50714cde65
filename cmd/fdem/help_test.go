package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Every command says what it does and shows an example, and its flags have a
// description.
func TestHelp(t *testing.T) {
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		if c.Name() == "help" {
			return
		}
		if c.Short == "" || c.Example == "" {
			t.Errorf("%s has no description or no example", c.CommandPath())
		}
		if !strings.Contains(c.Example, "fdem") {
			t.Errorf("%s: its example does not call fdem: %q", c.CommandPath(), c.Example)
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(newRoot())
}

func TestManPagesAndCompletion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man1")
	succeed(t, "man", dir)
	page, err := os.ReadFile(filepath.Join(dir, "fdem-law-curve.1"))
	if err != nil || !bytes.Contains(page, []byte("EXAMPLE")) {
		t.Errorf("the page of fdem law curve: %v, %.60q", err, page)
	}
	for _, shell := range shells {
		if status, stdout, stderr := command("completion", shell); status != 0 || len(stdout) < 1000 {
			t.Errorf("%s: status %d, %s", shell, status, stderr)
		}
	}
	if status, stdout, stderr := command("completion", "tcsh"); status != 2 || stdout != "" || !strings.Contains(stderr, `there is no completion for "tcsh"`) {
		t.Errorf("tcsh: status %d, %s", status, stderr)
	}
	if _, stdout, _ := command("__complete", "law", "show", "ko"); !strings.Contains(stdout, "kostek") {
		t.Errorf("a law is not completed: %s", stdout)
	}
	if _, stdout, _ := command("__complete", "run", ""); !strings.Contains(stdout, "toml") {
		t.Errorf("a deck is not completed: %s", stdout)
	}
}
