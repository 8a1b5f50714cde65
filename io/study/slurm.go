package study

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Open returns the cases that are neither done nor failed.
func (s *Study) Open() []Case {
	var open []Case
	for _, c := range s.Cases {
		if st := c.Outcome().Status; st != Done && st != Failed {
			open = append(open, c)
		}
	}
	return open
}

// ranges returns ascending numbers in Slurm's form: "1-4,7".
func ranges(cases []Case) string {
	var b strings.Builder
	for i := 0; i < len(cases); {
		j := i
		for j+1 < len(cases) && cases[j+1].Number == cases[j].Number+1 {
			j++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%d", cases[i].Number)
		if j > i {
			fmt.Fprintf(&b, "-%d", cases[j].Number)
		}
		i = j + 1
	}
	return b.String()
}

// Script returns the batch script of a job array over the cases. The shell replaces
// itself by the program, so that the program receives Slurm's signals. At SIGTERM, a
// minute before the time limit or when a job is requeued, it writes a checkpoint.
// Script fails for names and options that a line of a script cannot contain.
func (s *Study) Script(fdem string, options []string, cases []Case) (string, error) {
	absolute := func(path string) string {
		if a, err := filepath.Abs(path); err == nil {
			return a
		}
		return path
	}
	for _, text := range append([]string{fdem, absolute(s.File), absolute(s.Dir)}, options...) {
		if strings.ContainsFunc(text, unicode.IsControl) {
			return "", fmt.Errorf("%q has a line break or another control character, which a batch script cannot contain", text)
		}
	}
	if strings.Contains(absolute(s.Dir), `\`) {
		return "", fmt.Errorf("%s: Slurm does not accept a path with a backslash: name another folder with -o", absolute(s.Dir))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n#SBATCH --job-name=%s\n#SBATCH --array=%s\n", jobName(s.File), ranges(cases))
	fmt.Fprintf(&b, "#SBATCH --ntasks=1 --cpus-per-task=1\n#SBATCH --requeue --open-mode=append\n#SBATCH --signal=B:TERM@60\n")
	fmt.Fprintf(&b, "#SBATCH \"--output=%s\"\n", filepath.Join(inPattern.Replace(absolute(s.Dir)), "slurm-%a.log"))
	for _, o := range options {
		fmt.Fprintf(&b, "#SBATCH %s\n", o)
	}
	fmt.Fprintf(&b, "exec %s sweep %s -o %s --case \"$SLURM_ARRAY_TASK_ID\"\n", quote(fdem), quote(absolute(s.File)), quote(absolute(s.Dir)))
	return b.String(), nil
}

// inPattern returns a path as a part of a Slurm pattern, in double quotes.
var inPattern = strings.NewReplacer("%", "%%", `"`, `\"`)

var notInNames = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

func jobName(file string) string {
	return "fdem-" + notInNames.ReplaceAllString(filepath.Base(Stem(file)), "-")
}

// quote returns a text as one word of the shell.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// pollInterval is the time between two queries of the queue.
const pollInterval = 2 * time.Second

// Submit writes array.sh, submits the open cases as a job array and follows it
// until no job is left in the queue. When ctx ends the jobs continue; the same
// command follows them again. A case that Slurm ended without an outcome is
// recorded as failed.
func (s *Study) Submit(ctx context.Context, fdem string, options []string, tell func(Progress)) error {
	job, err := s.submitted(ctx)
	if err != nil {
		return err
	}
	if job == "" {
		open := s.Open()
		if len(open) == 0 {
			return nil
		}
		script := filepath.Join(s.Dir, "array.sh")
		text, err := s.Script(fdem, options, open)
		if err != nil {
			return err
		}
		if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
			return err
		}
		said, err := slurm(ctx, "sbatch", "--parsable", script)
		if err != nil {
			return err
		}
		job, _, _ = strings.Cut(strings.TrimSpace(said), ";")
		if _, err := strconv.Atoi(job); err != nil {
			return fmt.Errorf("sbatch printed %q, expected a job's number", said)
		}
		if err := os.WriteFile(s.jobFile(), []byte(job+"\n"), 0o644); err != nil {
			return err
		}
	}
	if err := s.follow(ctx, job, tell); err != nil || ctx.Err() != nil {
		return err
	}
	for _, c := range s.Open() {
		if err := c.write(Outcome{Status: Failed, Error: fmt.Sprintf("Slurm ended job %s_%d without a result: see slurm-%d.log and sacct", job, c.Number, c.Number)}); err != nil {
			return err
		}
	}
	return os.Remove(s.jobFile())
}

func (s *Study) jobFile() string { return filepath.Join(s.Dir, "slurm-job") }

// submitted returns the job of this study that is still in the queue, "" for
// none.
func (s *Study) submitted(ctx context.Context) (string, error) {
	data, err := os.ReadFile(s.jobFile())
	if err != nil {
		return "", nil
	}
	job := strings.TrimSpace(string(data))
	left, err := queued(ctx, job)
	if err != nil || len(left) == 0 {
		return "", err
	}
	return job, nil
}

// follow waits until the job is no longer in the queue.
func (s *Study) follow(ctx context.Context, job string, tell func(Progress)) error {
	began := time.Now()
	first := -1
	for {
		left, err := queued(ctx, job)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		p := Progress{Of: len(s.Cases)}
		for _, c := range s.Cases {
			p.count(c.Outcome())
		}
		for _, state := range left {
			if state == "RUNNING" || state == "COMPLETING" {
				p.Running++
			}
		}
		ended := p.Done + p.Failed
		if first < 0 {
			first = ended
		}
		if n := ended - first; n > 0 {
			p.Left = time.Since(began).Seconds() / float64(n) * float64(p.Of-ended)
		}
		tell(p)
		if len(left) == 0 {
			return nil
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			return nil
		}
	}
}

// queued returns the states of the job's tasks in the queue.
func queued(ctx context.Context, job string) ([]string, error) {
	said, err := slurm(ctx, "squeue", "--noheader", "--array", "--jobs", job, "--states=all", "--format=%T")
	if err != nil {
		if strings.Contains(err.Error(), "Invalid job id") { // Slurm has forgotten the job
			return nil, nil
		}
		return nil, err
	}
	var states []string
	for state := range strings.FieldsSeq(said) {
		switch state {
		case "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL", "DEADLINE", "PREEMPTED", "REVOKED", "SPECIAL_EXIT":
		default:
			states = append(states, state)
		}
	}
	return states, nil
}

// slurm calls one of Slurm's programs.
func slurm(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	said, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s is not installed here: --engine slurm needs Slurm's programs sbatch, squeue and scontrol", program)
	case errors.As(err, &exit):
		return "", fmt.Errorf("%s: %s (%w)", program, strings.TrimSpace(string(exit.Stderr)), err)
	}
	return string(said), err
}

// Requeue puts this process' job back into the queue before its time limit,
// since Slurm does not. It does nothing outside of Slurm, or for a job that is
// already being requeued or cancelled.
func Requeue() {
	task, array := os.Getenv("SLURM_ARRAY_TASK_ID"), os.Getenv("SLURM_ARRAY_JOB_ID")
	if task == "" || array == "" {
		return
	}
	ctx, job := context.Background(), array+"_"+task
	state, err := slurm(ctx, "squeue", "--noheader", "--jobs", job, "--format=%T")
	if err != nil || strings.TrimSpace(state) != "RUNNING" {
		return
	}
	if _, err := slurm(ctx, "scontrol", "requeue", job); err != nil {
		fmt.Fprintln(os.Stderr, err) // the job's log
	}
}
