package grains_test

import (
	"math"
	"testing"

	"fdem/examples/scenes"
)

// Three layers of the grains: what they press the beam with is their weight, on
// the mean while they settle.
func TestBeamBearsGrains(t *testing.T) {
	s, err := scenes.Shaped("grains-on-beam", "grid = [40, 25]", "grid = [40, 3]", `duration = "1.2 s"`, `duration = "0.3 s"`, `history_every = "5 ms"`, `history_every = "0.2 ms"`)
	if err != nil {
		t.Fatal(err)
	}
	pressed, rows := 0.0, 0
	err = scenes.Finish(s, func() {
		if s.Time < 0.1 {
			return
		}
		rows++
		for _, f := range s.Spheres().NodeF {
			pressed -= f.Y
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	weight := 0.0
	for _, b := range s.Motions() {
		if b.Name == "grains" {
			weight = 9.81 * b.Mass
		}
	}
	if got := pressed / float64(rows); math.Abs(got-weight) > 0.02*weight {
		t.Errorf("the grains press with %g N, and weigh %g N", got, weight)
	}
	// 5 (W + w) L^3/(384 E I) of the grains and the beam.
	const length, width, height, young = 0.82215, 0.02, 0.06, 1e9
	inertia := width * height * height * height / 12
	sag := 5 * (weight + 9.81*1000*length*width*height) * length * length * length / (384 * young * inertia)
	if got := -s.Probe(s.Model.Probes[0]).Y; math.Abs(got-sag) > 0.05*sag {
		t.Errorf("the beam sags by %g m, statics says %g m", got, sag)
	}
}
