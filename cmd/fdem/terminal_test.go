package main

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// onTerminal runs a command line with its standard error on a pseudo-terminal
// of some columns and returns what that terminal was sent.
func onTerminal(t *testing.T, columns uint16, args ...string) (status int, shown string) {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer master.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	var sent bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(&sent, master) // ends with an error when the other side closes
	}()
	status = execute(args, io.Discard, tty)
	tty.Close()
	<-done
	return status, sent.String()
}

// On a terminal the progress is one line that is redrawn, and removed at the end. Without a
// terminal there is no such line.
func TestProgressOnATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a simulation of a second")
	}
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	dir := filepath.Join(t.TempDir(), "first")
	succeed(t, "new", dir)
	status, shown := onTerminal(t, 120, "run", dir, "--until", "2 ms") // some times the fifth of a second between two lines
	if status != 0 {
		t.Fatal(shown)
	}
	line := regexp.MustCompile(`\r *\d+\.\d %  t = \S+ s  \S+ steps/s  residual \S+  \S+ left\x1b\[K`)
	if !line.MatchString(shown) {
		t.Errorf("no progress line in %q", shown)
	}
	if last := strings.LastIndex(shown, "left\x1b[K"); last >= 0 && !strings.HasPrefix(shown[last+len("left\x1b[K"):], "\r\x1b[K") {
		t.Errorf("the progress line is not taken away: %q", shown[last:])
	}
	if !strings.Contains(shown, "results in ") {
		t.Errorf("no end in %q", shown)
	}
	_, narrow := onTerminal(t, 30, "run", dir, "--force", "--until", "150 us")
	for _, drawn := range regexp.MustCompile(`\r( *\d+\.\d %.*?)\x1b\[K`).FindAllStringSubmatch(narrow, -1) {
		if len(drawn[1]) >= 30 {
			t.Errorf("%q wraps on 30 columns", drawn[1])
		}
	}
	if status, shown := onTerminal(t, 120, "run", dir, "--force", "--quiet", "--until", "1 us"); status != 0 || shown != "" {
		t.Errorf("--quiet says %q", shown)
	}
	if _, _, stderr := command("run", dir, "--force", "--until", "1 us"); strings.ContainsAny(stderr, "\r\x1b") {
		t.Errorf("control characters without a terminal: %q", stderr)
	}
}

// Colours only on a terminal that shows them, and not with NO_COLOR.
func TestColours(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad.toml")
	if err := os.WriteFile(path, []byte("[analysis]\n\tduration = \"1 kg\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const red = "\x1b[31;1m"
	for _, c := range []struct {
		term, noColor string
		coloured      bool
	}{{"xterm", "", true}, {"xterm", "1", false}, {"dumb", "", false}} {
		t.Setenv("TERM", c.term)
		t.Setenv("NO_COLOR", c.noColor)
		status, shown := onTerminal(t, 80, "run", path)
		if status != 2 || strings.Contains(shown, red+"fdem:") != c.coloured || strings.Contains(shown, "\x1b") != c.coloured {
			t.Errorf("TERM=%s NO_COLOR=%s: %d, %q", c.term, c.noColor, status, shown)
		}
		if c.coloured && !strings.Contains(shown, red+"\t           ^") {
			t.Errorf("no caret under the value: %q", shown)
		}
	}
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if _, _, stderr := command("run", path); strings.Contains(stderr, "\x1b") || !strings.Contains(stderr, "\tduration = \"1 kg\"\n\t           ^\n") {
		t.Errorf("without a terminal: %q", stderr)
	}
}

func TestHowLong(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		want    string
	}{
		{0, "0s"}, {12.4, "12s"}, {3725, "1h2m5s"}, {86400, "24h0m0s"}, {20 * 86400, "20 days"}, {3 * 365.25 * 86400, "3 years"},
		{1e300, "more than 1000 years"}, {math.Inf(1), "an unknown time"}, {math.NaN(), "an unknown time"}, {-1, "an unknown time"},
	} {
		if got := howLong(c.seconds, time.Second); got != c.want {
			t.Errorf("%g s: %q, want %q", c.seconds, got, c.want)
		}
	}
}

// Numbers that are only rounding are reported as 0: bodies that only spin have no velocity, and
// bodies that did not collide have no restitution.
func TestRoundOffIsReportedAsZero(t *testing.T) {
	text := strings.NewReplacer("velocity = [\"1 m/s\", 0.0]", "angular_velocity = \"-500 rad/s\"", "[[fix]]\non = \"clamp\"\ncomponents = [\"x\", \"y\"]\n", "").Replace(small)
	text = strings.Replace(text, "duration = \"2 us\"", "duration = \"20 us\"", 1)
	dir := model(t, text, smallMesh)
	path := filepath.Join(dir, "small.toml")
	status, stdout, stderr := command("check", path)
	if status != 0 || strings.Count(stdout, "velocity (0, 0) m/s") != 2 {
		t.Errorf("check: %s%s", stdout, stderr)
	}
	status, stdout, stderr = command("run", path, "--json")
	if status != 0 {
		t.Fatal(stderr)
	}
	if strings.Contains(stdout, `"peak_force": 0,`) {
		t.Fatal("the bodies do not meet")
	}
	if strings.Contains(stdout, "restitution") {
		t.Errorf("bodies that only spin have a restitution: %s", stdout)
	}
	for _, said := range regexp.MustCompile(`-?[\d.]+e-(\d+)`).FindAllStringSubmatch(stdout, -1) {
		if power, _ := strconv.Atoi(said[1]); power > 15 {
			t.Errorf("the summary has %s, which is rounding: %s", said[0], stdout)
		}
	}
}

// A model whose numbers overflow is refused, instead of being run with steps of NaN.
func TestStepsAreNumbers(t *testing.T) {
	dir := model(t, strings.Replace(small, `young = "210 GPa"`, "young = 1e300", 1), smallMesh)
	status, _, stderr := command("run", filepath.Join(dir, "small.toml"))
	if status != 2 || !strings.Contains(stderr, "young must not exceed 1e+18 Pa") || strings.Contains(stderr, "NaN") {
		t.Errorf("exit status %d, %s", status, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "small.out")); err == nil {
		t.Error("the refused run left its folder")
	}
}
