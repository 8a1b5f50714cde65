package spherechain

import (
	"math"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The solitary wave runs at Nesterenko's speed within 1 %, at one height.
func TestSolitaryWave(t *testing.T) {
	w, err := Run(Hertz)
	if err != nil {
		t.Fatal(err)
	}
	got, want := w.Speed(30, 55), Nesterenko(w.Peak[42])
	t.Logf("speed %.1f m/s, Nesterenko %.1f m/s at %.4f m/s: %.2f %%; residual %.1e", got, want, w.Peak[42], 100*(got/want-1), w.Residual)
	if math.Abs(got/want-1) > 0.01 {
		t.Errorf("the wave runs at %.1f m/s, Nesterenko's formula gives %.1f", got, want)
	}
	if math.Abs(w.Peak[55]/w.Peak[30]-1) > 1e-3 {
		t.Errorf("its height changes from %g to %g m/s", w.Peak[30], w.Peak[55])
	}
	if w.Residual > 1e-3 {
		t.Errorf("residual %g", w.Residual)
	}
}

// With dampers the wave decays. Eq. (55), whose start is linear, also disperses it.
func TestAttenuation(t *testing.T) {
	for name, deck := range map[string]string{"tsuji": Tsuji, "eq. (55)": Eq55} {
		w, err := Run(deck)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: peaks at spheres 10, 30, 60: %.4f, %.4f, %.4f m/s; residual %.1e", name, w.Peak[10], w.Peak[30], w.Peak[60], w.Residual)
		for i := 6; i < 68; i++ {
			if w.At[i] > 0 && w.At[i+1] > 0 && i < 60 && w.Peak[i+1] >= w.Peak[i] {
				t.Errorf("%s: the peak grows from sphere %d to the next: %g, %g m/s", name, i, w.Peak[i], w.Peak[i+1])
			}
		}
		if w.Residual > 1e-3 {
			t.Errorf("%s: residual %g", name, w.Residual)
		}
	}
}

// The decks are one chain under three laws: what differs stands in [[law]].
func TestDecksDifferInLaws(t *testing.T) {
	law := regexp.MustCompile(`(?s)\[\[law\]\].*?\n\n|title = [^\n]*|law = "\w+"`)
	want := law.ReplaceAllString(Hertz, "")
	for _, deck := range []string{Tsuji, Eq55} {
		if got := law.ReplaceAllString(deck, ""); got != want {
			t.Error(cmp.Diff(want, got))
		}
	}
}
