package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fdem/io/checkpoint"
	"fdem/io/lock"
)

// Only one program at a time uses a results folder. The second one ends at once with a message, and
// changes nothing. The lock goes when its program is killed.
func TestOneProgramAFolder(t *testing.T) {
	out := filepath.Join(t.TempDir(), "shared.out")
	c, _ := long(t, out)
	if err := c.Process.Signal(syscall.SIGSTOP); err != nil { // so that nothing changes by itself
		t.Fatal(err)
	}
	wait(t, "the stop", func() bool { return stopped(c.Process.Pid) })
	before := copyTree(t, out)
	deck := filepath.Join(out, "deck.toml")
	mesh := filepath.Join(out, "checkpoints", "mesh.msh")
	for _, args := range [][]string{{"resume", out}, {"resume", out, "--until", "1 s"}, {"run", mesh, "--deck", deck, "-o", out, "--force"}} {
		status, stdout, stderr := command(args...)
		if status != 1 || stdout != "" || stderr != "fdem: "+out+" is in use: another fdem is writing there; wait for it, or stop it\n" {
			t.Errorf("%v: exit status %d: %s", args, status, stderr)
		}
		sameResults(t, out, before)
	}
	if status, _, stderr := command("run", mesh, "--deck", deck, "-o", out); status != 2 || !strings.Contains(stderr, "exists") {
		t.Errorf("without --force: exit status %d: %s", status, stderr)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	exitOf(t, c)
	f := list(t, out)[0]
	if status, _, stderr := command("resume", out, "--until", until(t, f)); status != 0 {
		t.Errorf("after a kill: exit status %d: %s", status, stderr)
	}
}

// until is the time of a checkpoint, so that little is left to do.
func until(t *testing.T, path string) string {
	t.Helper()
	f, err := checkpoint.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%.17g s", f.Time+1e-11)
}

// stopped tells whether every thread of a process has come to its stop, which a
// signal asks for and does not wait for.
func stopped(pid int) bool {
	stats, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, path := range stats {
		if _, state, _, err := stat(path); err != nil || state != "T" {
			return false
		}
	}
	return len(stats) > 0
}

// children returns the processes that another has started.
func children(of int) (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		if pid, _, parent, err := stat(path); err == nil && parent == of {
			pids = append(pids, pid)
		}
	}
	return pids
}

// stat reads the number, the state and the parent of a process, or of a thread.
func stat(path string) (pid int, state string, parent int, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, "", 0, err
	}
	head, rest, _ := strings.Cut(string(data), " (")
	if _, err = fmt.Sscan(head, &pid); err == nil {
		_, err = fmt.Sscan(rest[strings.LastIndex(rest, ")")+1:], &state, &parent)
	}
	return pid, state, parent, err
}

// The cases of a sweep that is killed write a checkpoint and end, and the next
// sweep goes on from there at once; a case that another program runs is not
// started twice.
func TestSweepKilled(t *testing.T) {
	withAll(t)
	t.Parallel()
	dir := model(t, strings.Replace(small, "[output]", "step = \"1 ps\"\n[output]\ncheckpoint_every = \"10 ns\"", 1), smallMesh)
	path := filepath.Join(dir, "s.study.toml")
	study := "deck = \"small.toml\"\n[[parameter]]\nname = \"speed\"\nunit = \"m/s\"\nset = [\"body.left.velocity.x\"]\nvalues = [1, 2]\n[[collect]]\nname = \"steps\"\nsummary = \"steps\"\n"
	if err := os.WriteFile(path, []byte(study), 0o644); err != nil {
		t.Fatal(err)
	}
	sweep := func() *exec.Cmd { // under a name of its own, by which it starts its cases
		c := program(t, "sweep", path, "--jobs", "1", "-q")
		c.Path = filepath.Join(dir, "fdem")
		return c
	}
	if err := os.Link(program(t).Path, filepath.Join(dir, "fdem")); err != nil {
		t.Skip(err)
	}
	c := sweep()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "s.sweep", "cases", "0001")
	out := filepath.Join(folder, "out")
	wait(t, "a checkpoint", func() bool { return len(list0(out)) > 0 })
	if status, _, stderr := command("sweep", path, "-q"); status != 1 || !strings.Contains(stderr, "s.sweep is in use") {
		t.Errorf("a second sweep: exit status %d: %s", status, stderr)
	}
	runs := children(c.Process.Pid)
	if len(runs) != 1 {
		t.Fatalf("%d cases run", len(runs))
	}
	t.Cleanup(func() { _ = syscall.Kill(runs[0], syscall.SIGKILL) })
	_ = c.Process.Kill()
	_ = c.Wait()
	again := sweep()
	if err := again.Start(); err != nil {
		t.Fatal(err)
	}
	logged := func(words string) bool {
		log, _ := os.ReadFile(filepath.Join(out, "log.txt"))
		return strings.Contains(string(log), words)
	}
	wait(t, "going on", func() bool { return logged("continues from") })
	if !logged("the program that started this one has ended: finishing the step and writing a checkpoint") {
		t.Error("the case did not say why it ended")
	}
	_ = again.Process.Signal(syscall.SIGTERM)
	if status := exitOf(t, again); status != 75 {
		t.Errorf("exit status %d", status)
	}
	release, err := lock.Folder(out) // as a run of the case would
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for _, args := range [][]string{{"sweep", path, "-q"}, {"sweep", path, "--case", "1"}} {
		if status, _, stderr := command(args...); status != 1 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "case 1 (speed = 1 m/s) is still running") {
			t.Errorf("%v: exit status %d: %s", args, status, stderr)
		}
	}
}
