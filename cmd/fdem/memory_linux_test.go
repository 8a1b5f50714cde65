package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The memory that check predicts is the peak memory of a run, within a quarter.
func TestMemoryIsWhatARunTakes(t *testing.T) {
	withAll(t)
	if testing.Short() {
		t.Skip("takes a run of 100,000 triangles")
	}
	dir := t.TempDir()
	stem := filepath.Join(dir, "large")
	shapes := "edge = \"1.52 mm\"\n[[rectangle]]\nname = \"left\"\nfrom = [\"0 mm\", \"0 mm\"]\nto = [\"223 mm\", \"223 mm\"]\nleft = \"clamp\"\n" +
		"[[rectangle]]\nname = \"right\"\nfrom = [\"224 mm\", \"0 mm\"]\nto = [\"447 mm\", \"223 mm\"]\n"
	deck := strings.NewReplacer(`duration = "2 us"`, `duration = "1 us"`, "[[probe]]\nname = \"tip\"\nnode_near = [\"1 mm\", \"1 mm\"]\n", "",
		`history_every = "0.2 us"`, "", `fields_every = "1 us"`, `fields_every = "0.2 us"`).Replace(small)
	for path, text := range map[string]string{stem + ".shapes.toml": shapes, stem + ".toml": deck} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	succeed(t, "mesh", stem+".shapes.toml")
	status, stdout, stderr := command("check", stem+".toml")
	said := regexp.MustCompile(`memory about ([\d.e+]+) MB`).FindStringSubmatch(stdout)
	if status != 0 || said == nil {
		t.Fatalf("check says %s%s", stdout, stderr)
	}
	reported, err := strconv.ParseFloat(said[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	took := math.Inf(1)
	for range 3 { // where others use the cores frames wait to be written, and garbage to be collected
		run := program(t, "run", stem+".toml", "-q", "--force", "--threads", "1")
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		took = min(took, peakMemory(run.Process.Pid))
		if err := run.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("check tells %g MB, the run took %.0f MB", reported, took)
	if reported < 0.75*took || reported > 1.25*took {
		t.Errorf("check tells %g MB, the run took %.0f MB", reported, took)
	}
}

// peakMemory watches a process until it ends and returns the most memory it had
// [MB]. What the system tells of a process that has ended counts the memory of
// the one that started it, too.
func peakMemory(pid int) (peak float64) {
	for {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, running := strings.Cut(string(status), "VmHWM:")
		if err != nil || !running {
			return peak
		}
		var kibibytes float64
		if _, err := fmt.Sscan(rest, &kibibytes); err == nil {
			peak = max(peak, 1024e-6*kibibytes)
		}
		time.Sleep(2 * time.Millisecond)
	}
}
