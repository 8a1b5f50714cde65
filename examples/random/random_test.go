package random

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fdem/examples/cases"
	"fdem/fem"

	"github.com/google/go-cmp/cmp"
)

var (
	models  = flag.Int("models", 0, "number of models; 0 for a dozen, or 50 with -all")
	seed    = flag.Uint64("seed", 1, "seed of the first model; the others have the next ones")
	patient = flag.Duration("shrink", time.Minute, "how long a model that fails is made smaller, at most")
	tell    = flag.Bool("tell", false, "prints what every model has, and the faults that are known")
	sums    = flag.Bool("sums", false, "TestSums prints the checksums of results")
)

// drawn is how many models are drawn.
func drawn() int {
	switch {
	case *models > 0:
		return *models
	case cases.All():
		return 50
	}
	return 12
}

// Models drawn at random pass every check, but for what known lists. Few are refused: they are
// to be what a user would write.
func TestModels(t *testing.T) {
	var lock sync.Mutex
	refused, faults := []string{}, map[string]int{}
	t.Run("drawn", func(t *testing.T) {
		for k := range drawn() {
			t.Run(strconv.FormatUint(*seed+uint64(k), 10), func(t *testing.T) {
				t.Parallel()
				m := Draw(*seed + uint64(k))
				c := Checker{Dir: filepath.Join(t.TempDir(), "runs")}
				r := c.Check(m)
				if *tell {
					t.Logf("%s: %v, %d steps, %d vertices opened", m.Kinds(), r.Refused, r.Run.Steps, r.Run.Cracks)
				}
				lock.Lock()
				if r.Refused != nil {
					refused = append(refused, fmt.Sprintf("%d: %v", m.Seed, r.Refused))
				}
				lock.Unlock()
				for _, f := range r.Faults {
					if why := f.Known(m); why != "" {
						lock.Lock()
						faults[f.Check+" "+f.Of+": "+why]++
						lock.Unlock()
						if *tell {
							t.Logf("known: %v", f)
						}
						continue
					}
					t.Errorf("%v\n%s", f, c.small(m, f))
				}
			})
		}
	})
	for _, f := range slices.Sorted(maps.Keys(faults)) {
		t.Logf("known, in %d of %d models: %s", faults[f], drawn(), f)
	}
	if n := len(refused); n > max(2, drawn()/10) {
		t.Errorf("%d of %d models are refused, the generator is to draw others:\n%s", n, drawn(), strings.Join(refused, "\n"))
	}
}

// small tells of the smallest model found that fails so, with how it fails.
func (c *Checker) small(m *Model, f *Fault) string {
	c.Until = time.Now().Add(*patient)
	smallest := c.Shrink(m, f)
	how := ""
	for _, g := range (&Checker{Dir: c.Dir, Only: f.Check}).Check(smallest).Faults {
		if g.Of == f.Of {
			how = g.Told
		}
	}
	return fmt.Sprintf("drawn by go test ./examples/random -run TestModels -seed %d -models 1; as small as it could be made (%s):\n%s", m.Seed, how, smallest)
}

// A model is the same on every draw, and in a frame and back.
func TestDraw(t *testing.T) {
	zero := regexp.MustCompile(`-0\b([^.])`)
	for seed := range uint64(200) {
		m := Draw(seed)
		if again := Draw(seed); m.String() != again.String() {
			t.Fatalf("seed %d draws two models", seed)
		}
		back := m
		for _, f := range []Frame{{Quarters: 1}, {Quarters: 3}, {Mirror: true}, {Mirror: true}, {Length: 4, Time: 1, Mass: 2}, {Length: -4, Time: -1, Mass: -2}} {
			back = back.In(f)
		}
		got, want := zero.ReplaceAllString(back.DeckText(), "0$1"), zero.ReplaceAllString(m.DeckText(), "0$1")
		if got != want && !strings.Contains(want, "direction") { // an angle is rounded
			t.Errorf("seed %d: there and back it is another deck: %s", seed, cmp.Diff(want, got))
		}
	}
}

// What does not matter goes: a model with a contact keeps what a contact needs.
func TestShrink(t *testing.T) {
	tried := 0
	for seed := uint64(1); tried < 3; seed++ {
		m := Draw(seed)
		if m.static() || !m.has("contact") || len(m.Deck) < 14 {
			continue
		}
		tried++
		smallest := shrink(m, time.Now().Add(time.Minute), func(m *Model) bool {
			_, _, _, err := open(m, "")
			return err == nil && m.has("contact")
		})
		if n := len(smallest.Deck); n > 9 || len(smallest.Shapes) > 3 {
			t.Errorf("%d blocks are left of %d:\n%s", n, len(m.Deck), smallest)
		}
	}
}

// TestSums prints the checksums of the results of models, for TestKernels.
func TestSums(t *testing.T) {
	if !*sums {
		t.Skip("run by TestKernels")
	}
	for k := range drawn() {
		run := Start(Draw(*seed+uint64(k)), filepath.Join(t.TempDir(), "run"), Way{Threads: 1})
		for _, file := range slices.Sorted(maps.Keys(run.Files)) {
			fmt.Printf("sum %d %s %x\n", *seed+uint64(k), file, run.Files[file])
		}
	}
}

// The kernels in assembly and the ones in Go write the same bytes.
func TestKernels(t *testing.T) {
	if len(fem.Kernels()) == 1 {
		t.Skip("one kernel here")
	}
	of := func(kernel string) (out []string) {
		c := exec.Command(os.Args[0], "-test.run=^TestSums$", "-sums", "-seed", fmt.Sprint(*seed), "-models", fmt.Sprint(drawn()))
		c.Env = append(os.Environ(), fem.KernelVariable+"="+kernel)
		text, err := c.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", kernel, err, text)
		}
		for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
			if strings.HasPrefix(s.Text(), "sum ") {
				out = append(out, s.Text())
			}
		}
		return out
	}
	want, got := of(fem.Kernels()[0]), of("generic")
	if len(want) < drawn() || len(want) != len(got) {
		t.Fatalf("%d and %d files of %d models", len(want), len(got), drawn())
	}
	for i := range want {
		if want[i] != got[i] {
			t.Errorf("the kernels differ: %s\n%s", want[i], got[i])
		}
	}
}
