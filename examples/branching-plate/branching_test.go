package branching_test

import (
	"math"
	"slices"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
)

// The crack starts after 10.75 us, when a brittle one would (Freund), and within
// the time that its cohesive zone delays it; no tip is as fast as Rayleigh waves;
// and one crack becomes two.
func TestBranching(t *testing.T) {
	m, err := scenes.Load("branching-plate.toml")
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		m.Duration = 15e-6
	}
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	k := s.Cracks()
	starts := math.Inf(1)
	const strip = 2e-3
	far, up := 0.0, 0.0 // how far broken edges reach along the plate, and away from its middle [m]
	type key struct{ x, y int }
	broken := map[key]float64{} // times, by positions in um
	at := map[int][]float64{}   // heights of broken edges, by strips of the plate's length
	for i := range k.Cracks() {
		if c := k.Crack(i); !math.IsNaN(c.BrokenAt) {
			e := k.Event(&c)
			starts = math.Min(starts, e.Time)
			far, up = math.Max(far, e.Position.X), math.Max(up, e.Position.Y)
			broken[key{int(math.Round(1e6 * e.Position.X)), int(math.Round(1e6 * e.Position.Y))}] = e.Time
			at[int(e.Position.X/strip)] = append(at[int(e.Position.X/strip)], e.Position.Y)
		}
	}
	one, two := 0, 0 // strips with one crack, and more
	for _, y := range at {
		slices.Sort(y)
		branches := 0
		for j := 1; j < len(y); j++ {
			if y[j]-y[j-1] > 1e-3 { // two edges
				branches++
			}
		}
		if branches > 0 {
			two++
		} else {
			one++
		}
	}
	for p, time := range broken {
		if image, ok := broken[key{p.x, -p.y}]; !ok || math.Abs(image-time) > 0.3e-6 { // a tip takes that for an edge
			t.Errorf("the edge %v um from the cut's beginning broke at %g s, its mirror image at %g", p, time, image)
		}
	}
	t.Logf("comes to %.1f mm, and %.1f mm from the middle", 1e3*far, 1e3*up)
	t.Logf("starts at %.2f us, its tip moves with %.0f m/s at most; one crack in %d strips of 2 mm, two in %d", 1e6*starts, k.TipSpeed(0), one, two)
	if starts < 10.5e-6 || starts > 13e-6 {
		t.Errorf("the crack starts at %g s", starts)
	}
	if v := k.TipSpeed(0); v >= 2125 {
		t.Errorf("a tip moves with %g m/s", v)
	}
	whole, steps := scenes.Residuals(s)
	t.Logf("residual %.1e, of steps %.1e", whole, steps)
	if steps > 1e-4 || whole > 1e-3 {
		t.Errorf("the ledger is off by %g, of which steps make %g", whole, steps)
	}
	if !testing.Short() && (one < 5 || two < 12 || far < 85e-3 || up < 9e-3) {
		t.Errorf("one crack in %d strips, two in %d; it comes to %g m, %g m from the middle", one, two, far, up)
	}
}
