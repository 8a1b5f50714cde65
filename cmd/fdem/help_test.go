package main

import (
	"bytes"
	"errors"
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

// noRoom is a writer of a full disk.
type noRoom struct{}

func (noRoom) Write([]byte) (int, error) { return 0, errors.New("no room") }

// A command whose output cannot be written fails.
func TestOutputThatIsLost(t *testing.T) {
	for _, line := range []string{
		"", "deck", "deck contact", "version", "law list", "law show linear", "info ../../examples/incline/incline.msh", "check ../../examples/newtons-cradle",
		"completion bash", "law curve linear --set k=1e9 --path 0:1um:10", "law curve linear --set k=1e9 --path 0:1um:10 -o svg",
		"law restitution hertz --set radius=1,modulus=1e9 --mass 1 --speeds 1", "verify clearance-joint", "verify clearance-joint --json",
	} {
		var stderr bytes.Buffer
		if status := execute(strings.Fields(line), noRoom{}, &stderr); status != exitFailed || stderr.String() != "fdem: no room\n" {
			t.Errorf("fdem %s: exit status %d, %q", line, status, stderr.String())
		}
	}
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
	if status, stdout, stderr := command("completion", "tcsh"); status != 2 || stdout != "" || !strings.Contains(stderr, `there is no completion for the shell "tcsh"`) {
		t.Errorf("tcsh: status %d, %s", status, stderr)
	}
	if _, stdout, _ := command("__complete", "law", "show", "ko"); !strings.Contains(stdout, "kostek") {
		t.Errorf("a law is not completed: %s", stdout)
	}
	if _, stdout, _ := command("__complete", "run", ""); !strings.Contains(stdout, "toml") {
		t.Errorf("a deck is not completed: %s", stdout)
	}
}
