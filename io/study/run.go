package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"fdem/io/lock"
	"fdem/io/whole"
)

// The status of a case.
const (
	Done        = "done"
	Failed      = "failed"
	Interrupted = "interrupted" // stopped by a signal; it continues when started again
	Waiting     = "waiting"     // not run yet
)

// interruptedStatus is the exit status of fdem run when a signal stopped it.
const interruptedStatus = 75

// Outcome is case.json.
type Outcome struct {
	Status  string  `json:"status"`
	Error   string  `json:"error,omitempty"`
	Seconds float64 `json:"seconds"` // of the last run
	Resumed int     `json:"resumed"` // number of times it was resumed from a checkpoint
}

// Outcome returns the present outcome of a case.
func (c Case) Outcome() Outcome {
	o := Outcome{Status: Waiting}
	data, err := os.ReadFile(filepath.Join(c.dir, "case.json"))
	if err == nil {
		err = json.Unmarshal(data, &o)
	}
	if err != nil {
		return Outcome{Status: Waiting}
	}
	return o
}

func (c Case) write(o Outcome) error {
	data, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return err
	}
	return whole.WriteBytes(filepath.Join(c.dir, "case.json"), append(data, '\n'))
}

// Remove lets a failed case start anew.
func (s *Study) Remove(c Case) error {
	if c.Outcome().Status != Failed {
		return nil
	}
	if err := s.Free(c); err != nil {
		return err
	}
	return errors.Join(os.Remove(filepath.Join(c.dir, "case.json")), os.RemoveAll(filepath.Join(c.dir, "out")))
}

// Free returns an error if a case still runs: as a job of a batch system, or
// after its sweep was killed.
func (s *Study) Free(c Case) error {
	for _, dir := range []string{c.dir, filepath.Join(c.dir, "out")} {
		release, err := lock.Folder(dir)
		var held *lock.HeldError
		switch {
		case errors.As(err, &held):
			return fmt.Errorf("%s is still running: %w", s.String(c), err)
		case err == nil:
			release()
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return nil
}

// Run runs one case with the program fdem: first its mesh, if the study makes
// one, then the deck, from its newest checkpoint if there is one. When ctx
// ends, the program is told to stop and to write a checkpoint. The program's
// messages go to case.log. The error is that of the study's own files. A failed
// run is an outcome.
func (s *Study) Run(ctx context.Context, fdem string, c Case) (Outcome, error) {
	before := c.Outcome()
	if err := s.Free(c); err != nil {
		return before, err
	}
	release, err := lock.Folder(c.dir)
	if err != nil {
		return before, err
	}
	defer release()
	began := time.Now()
	log, err := os.OpenFile(filepath.Join(c.dir, "case.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return before, err
	}
	defer log.Close()
	o := Outcome{Status: Done, Resumed: before.Resumed}
	if err := s.attempt(ctx, fdem, c, log, &o); err != nil {
		o.Status, o.Error = Failed, err.Error()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == interruptedStatus || ctx.Err() != nil {
			o.Status, o.Error = Interrupted, ""
		}
	}
	o.Seconds = time.Since(began).Seconds()
	return o, c.write(o)
}

// attempt makes the mesh, and runs or resumes the case.
func (s *Study) attempt(ctx context.Context, fdem string, c Case, log *os.File, o *Outcome) error {
	if s.Mesh != nil {
		if _, err := os.Stat(filepath.Join(c.dir, meshMark)); err != nil {
			if err := s.makeMesh(ctx, fdem, c, log); err != nil {
				return err
			}
		}
	}
	kept, err := filepath.Glob(filepath.Join(c.dir, "out", "checkpoints", "*.ckpt"))
	if err != nil {
		return err
	}
	if len(kept) > 0 {
		args := []string{"resume", "out", "--quiet", "--patient", "--tied", "--threads", "1"}
		if err := callAttached(ctx, c.dir, log, fdem, args...); err == nil || ctx.Err() != nil || !usage(err) {
			o.Resumed++
			return err
		} // the checkpoint cannot be used: run from the start
	}
	args := []string{"run", "case.toml", "-o", "out", "--force", "--quiet", "--patient", "--tied", "--threads", "1"}
	if s.Until != "" {
		args = append(args, "--until", s.Until)
	}
	return callAttached(ctx, c.dir, log, fdem, args...)
}

// meshMark is an empty file beside a complete mesh.
const meshMark = ".meshed"

// usage tells whether a program ended with a usage error.
func usage(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() == 2
}

func (s *Study) makeMesh(ctx context.Context, fdem string, c Case, log *os.File) error {
	if err := os.Remove(filepath.Join(c.dir, s.Mesh.Result)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // an incomplete mesh, from a killed sweep
	}
	var words []string
	for _, w := range s.Mesh.Command {
		filled, err := s.fill(c, w, inCommand)
		if err != nil {
			return err
		}
		words = append(words, filled)
	}
	if words[0] == "fdem" {
		words[0] = fdem
	}
	if err := call(ctx, c.dir, log, words[0], words[1:]...); err != nil {
		return fmt.Errorf("mesh: %w", err)
	}
	if _, err := os.Stat(filepath.Join(c.dir, s.Mesh.Result)); err != nil {
		return fmt.Errorf("the mesh command did not write %s", s.Mesh.Result)
	}
	return os.WriteFile(filepath.Join(c.dir, meshMark), nil, 0o644)
}

// callAttached is call for a program that ends with its standard input. The
// other end is in this program and closes with it, even if this program is
// killed.
func callAttached(ctx context.Context, dir string, log *os.File, program string, args ...string) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer write.Close()
	defer read.Close()
	return callWith(ctx, read, dir, log, program, args...)
}

// call runs a program in a folder. Its error has the last line on standard
// error.
func call(ctx context.Context, dir string, log *os.File, program string, args ...string) error {
	return callWith(ctx, nil, dir, log, program, args...)
}

// callWith is call with a standard input, nil for none.
func callWith(ctx context.Context, in *os.File, dir string, log *os.File, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	if in != nil {
		cmd.Stdin = in
	}
	said := &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = log, said
	alone(cmd)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = time.Minute
	err := cmd.Run()
	if _, e := log.Write(said.Bytes()); e != nil && err == nil {
		err = e
	}
	if err == nil {
		return nil
	}
	for line := range strings.SplitSeq(strings.TrimSpace(said.String()), "\n") {
		if rest, ok := strings.CutPrefix(line, "fdem: "); ok {
			return fmt.Errorf("%s (%w)", rest, err)
		}
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return fmt.Errorf("%s (%w)", last, err)
	}
	return err
}
