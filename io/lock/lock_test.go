package lock

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// One program at a time has the lock, a second one is refused at once, and the lock ends with its
// program.
func TestFolder(t *testing.T) {
	if dir := os.Getenv("FDEM_LOCK_TEST"); dir != "" { // the other program
		release, err := Folder(dir)
		if err != nil {
			os.Exit(3)
		}
		os.Stdout.WriteString("locked\n")
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed
		release()
		return
	}
	dir := t.TempDir()
	release, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := Folder(dir); !errors.As(err, &held) || held.Dir != dir {
		t.Errorf("a second lock: %v", err)
	}
	release()
	other := exec.Command(os.Args[0], "-test.run=^TestFolder$")
	other.Env = append(os.Environ(), "FDEM_LOCK_TEST="+dir)
	if _, err := other.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	said, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := said.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := Folder(dir); !errors.As(err, &held) {
		t.Errorf("another program has it: %v", err)
	}
	_ = other.Process.Kill()
	_ = other.Wait()
	if release, err = Folder(dir); err != nil {
		t.Fatalf("after a kill: %v", err)
	}
	release()
	if _, err := Folder(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}
