package solver_test

import (
	"math"
	"strings"
	"testing"

	"fdem/examples/scenes"
)

// Carter's law between held faces: each takes up spurt and 2 C sqrt(t) per area, whatever the steps, and
// the balances of volume and energy close.
func TestLeakOff(t *testing.T) {
	const carter, spurt, time, length, out = 1e-5, 2e-7, 4e-3, 0.4, 0.01 // half an edge is open to the air
	s := meshed(t, strings.Replace(scenes.HeldOpen("4 ms", "", "seam"), "at_start", "leak_off = { carter = \"1e-5 m/s^0.5\", spurt = \"0.2 um\" }\nat_start", 1), scenes.Board(0.02, 20, 2))
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	f := s.FluidStates()[0]
	if want := 2 * (spurt + 2*carter*math.Sqrt(time)) * (length - out); math.Abs(f.Leaked/want-1) > 1e-9 {
		t.Errorf("%.12g m3 have leaked, want %.12g", f.Leaked, want)
	}
	fluidAddsUp(t, s, 50e-6*(length-out), 1e-6)
}
