package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fdem/io/checkpoint"
)

// A full disk ends the run with one error and leaves the last good checkpoint, from which the run
// resumes when there is room. A disk that cannot be written to is an error from the start.
func TestDiskIsFull(t *testing.T) {
	disk := t.TempDir()
	// Checkpoints are written beside the run: the disk holds so many frames that one is done long before it is full.
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	text := strings.Replace(small, "fields_every = \"1 us\"", "fields_every = \"0.02 us\"\ncheckpoint_every = \"0.1 us\"", 1)
	text = strings.Replace(text, "[output]", "step = \"0.1 ns\"\n[output]", 1)
	dir := model(t, text, smallMesh)
	path, full := filepath.Join(dir, "small.toml"), filepath.Join(disk, "full.out")
	status, _, stderr := command("run", path, "-o", full, "-q")
	if status != 1 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "no space left on device") || !strings.Contains(stderr, "the last checkpoint is ") {
		t.Fatalf("exit status %d: %s", status, stderr)
	}
	f, _, err := checkpoint.Newest(filepath.Join(full, "checkpoints"))
	if err != nil {
		t.Fatal(err)
	}
	if f.Step == 0 {
		t.Fatal("no checkpoint but the first one")
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=20m"); err != nil {
		t.Fatal(err)
	}
	succeed(t, "resume", full, "-q")
	want := filepath.Join(dir, "want.out")
	succeed(t, "run", path, "-o", want, "-q")
	sameResults(t, full, want)
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=20m"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"run", path, "-o", filepath.Join(disk, "new.out"), "-q"}, {"resume", full, "-q"},
		{"plot", want, "-o", filepath.Join(disk, "plots")}, {"report", want, "-o", filepath.Join(disk, "report.html")},
	} {
		if status, _, stderr := command(args...); status != 1 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "read-only file system") {
			t.Errorf("%v: exit status %d: %s", args, status, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(full, "summary.json")); err != nil {
		t.Error(err)
	}
}
