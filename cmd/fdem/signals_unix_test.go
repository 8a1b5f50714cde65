//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// long starts a run that would take minutes, and waits for its first checkpoint.
func long(t *testing.T, out string) (c *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	text := strings.Replace(small, "[output]", "step = \"1 ps\"\n[output]\ncheckpoint_every = \"10 ns\"", 1)
	dir := model(t, text, smallMesh)
	c = program(t, "run", filepath.Join(dir, "small.toml"), "-o", out)
	stderr = &bytes.Buffer{}
	c.Stderr = stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill() })
	wait(t, "a checkpoint", func() bool { return len(list0(out)) > 0 })
	return c, stderr
}

// wait waits for something, but not for ever.
func wait(t *testing.T, what string, done func() bool) {
	t.Helper()
	for began := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 60*time.Second {
			t.Fatalf("%s did not come", what)
		}
	}
}

// exitOf returns the exit status of a program that must end.
func exitOf(t *testing.T, c *exec.Cmd) int {
	t.Helper()
	err := c.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode()
}

// SIGUSR1 writes a checkpoint and the run goes on; SIGTERM writes one, says
// how to go on and leaves with 75; a second signal leaves at once.
func TestSignals(t *testing.T) {
	out := filepath.Join(t.TempDir(), "signals.out")
	c, stderr := long(t, out)
	if err := c.Process.Signal(syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	wait(t, "the checkpoint asked for", func() bool {
		log, _ := os.ReadFile(filepath.Join(out, "log.txt"))
		return bytes.Contains(log, []byte("requested checkpoint: "))
	})
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if status := exitOf(t, c); status != 75 || !strings.Contains(stderr.String(), "continue with fdem resume "+out) {
		t.Errorf("exit status %d: %s", status, stderr.String())
	}
	if status, stdout, _ := command("info", out); status != 0 || !strings.Contains(stdout, "interrupted") || !strings.Contains(stdout, "checkpoint ") {
		t.Errorf("info: %s", stdout)
	}
	again := program(t, "resume", out)
	if err := again.Start(); err != nil {
		t.Fatal(err)
	}
	wait(t, "going on", func() bool {
		log, _ := os.ReadFile(filepath.Join(out, "log.txt"))
		return bytes.Contains(log, []byte("continues from"))
	})
	for range 50 { // one to stop it, one to end it at once; signals that follow too fast are merged
		if again.Process.Signal(os.Interrupt) != nil {
			break
		}
	}
	status := exitOf(t, again)
	log, err := os.ReadFile(filepath.Join(out, "log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, resumed, _ := strings.Cut(string(log), "continues from")
	received := strings.Contains(resumed, "interrupt: finishing the step")
	w := again.ProcessState.Sys().(syscall.WaitStatus)
	killed := w.Signaled() && w.Signal() == syscall.SIGINT // by one that came when it had stopped listening, on its way out
	if !received || status != 128+2 && status != 75 && !killed {
		t.Errorf("exit status %d after many signals; the log goes on: %s", status, resumed)
	}
}

// A results folder that is deleted ends the run with one error.
func TestResultsVanish(t *testing.T) {
	out := filepath.Join(t.TempDir(), "gone.out")
	c, stderr := long(t, out)
	c.Stderr = stderr
	if err := os.Rename(out, out+".away"); err != nil {
		t.Fatal(err)
	}
	if status := exitOf(t, c); status != 1 {
		t.Errorf("exit status %d: %s", status, stderr.String())
	}
	last := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	if message := last[len(last)-1]; !strings.Contains(message, "cannot be written") || !strings.Contains(message, "no such file or directory") {
		t.Errorf("the message is %s", message)
	}
}
