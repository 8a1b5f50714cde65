package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fdem/examples/cases"
	"fdem/io/view"

	"github.com/spf13/cobra"
)

// The page pauses a run, gets a checkpoint from it, continues and stops it, with the token of its
// address alone; resumed, it has the bits of one that was left alone.
func TestRunIsPausedByThePage(t *testing.T) {
	t.Parallel()
	cases.WithAll(t) // a short test, too: the race detector looks at it
	const model = "../../examples/elastic-collision/elastic-collision.msh"
	dir := filepath.Join(t.TempDir(), "results")
	done := make(chan int, 1)
	go func() {
		status, _, _ := command("run", model, "-o", dir, "--quiet", "--threads", "1", "--set", "output.fields_every=5 us")
		done <- status
	}()
	wait := func(what string, is func() bool) {
		t.Helper()
		for range 400 {
			if is() {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatalf("%s does not come true", what)
	}
	wait("a first frame", func() bool { return exists(filepath.Join(dir, "fields.pvd")) })
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in, out := io.Pipe()
	c := &cobra.Command{}
	c.SetOut(out)
	c.SetErr(os.Stderr)
	go func() { _ = serve(ctx, c, []string{dir}, 0, false) }()
	lines := bufio.NewReader(in)
	_, _ = lines.ReadString('\n')
	second, err := lines.ReadString('\n')
	page, parseErr := url.Parse(strings.Fields(second)[0])
	if err != nil || parseErr != nil {
		t.Fatal(err, parseErr)
	}
	ask := func(what string) {
		t.Helper()
		r, err := http.NewRequest(http.MethodPost, "http://"+page.Host+"/control/"+what, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Fdem-Token", page.Query().Get("token"))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusNoContent {
			t.Fatalf("%s is answered by %d", what, answer.StatusCode)
		}
	}
	meta := func() (m view.Meta) {
		answer, err := http.Get("http://" + page.Host + "/meta.json")
		if err == nil {
			err = json.NewDecoder(answer.Body).Decode(&m)
			answer.Body.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	ask("pause")
	wait("a pause", func() bool { return meta().Paused })
	before := meta().Rows
	time.Sleep(300 * time.Millisecond)
	if after := meta().Rows; after != before {
		t.Errorf("a paused run writes %d rows of the history", after-before)
	}
	checkpoints := func() int {
		all, _ := filepath.Glob(filepath.Join(dir, "checkpoints", "*.ckpt"))
		return len(all)
	}
	some := checkpoints()
	ask("checkpoint")
	wait("a checkpoint", func() bool { return checkpoints() > some })
	ask("continue")
	wait("a run that goes on", func() bool { return !meta().Paused })
	ask("stop")
	if status := <-done; status != exitInterrupted {
		t.Errorf("exit status %d, want %d", status, exitInterrupted)
	}
	for _, name := range []string{view.RequestName, view.PausedName} {
		if exists(filepath.Join(dir, name)) {
			t.Errorf("%s is left", name)
		}
	}
	alone := filepath.Join(t.TempDir(), "alone")
	succeed(t, "run", model, "-o", alone, "--quiet", "--set", "output.fields_every=5 us")
	succeed(t, "resume", dir, "--quiet")
	one, err := os.ReadFile(filepath.Join(dir, "history.csv"))
	two, otherErr := os.ReadFile(filepath.Join(alone, "history.csv"))
	if err != nil || otherErr != nil || !bytes.Equal(one, two) {
		t.Errorf("a run that paused has another history: %v %v", err, otherErr)
	}
}
