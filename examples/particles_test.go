package examples_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fdem/examples/scenes"
	"fdem/io/plan"
	"fdem/solver"
)

// shaped makes a solver of an example's deck, in which texts are replaced, one by
// the next after it, and of the mesh that its shapes describe.
func shaped(t *testing.T, example string, replace ...string) *solver.Solver {
	t.Helper()
	read := func(end string) string {
		text, err := os.ReadFile(filepath.Join(example, example+end))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	own := read(".toml")
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(own, replace[i]) {
			t.Fatalf("%s.toml does not contain %q", example, replace[i])
		}
		own = strings.ReplaceAll(own, replace[i], replace[i+1])
	}
	src, err := plan.ParseShapes(example+".shapes.toml", []byte(read(".shapes.toml")))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenes.Start(example+".toml", own, src)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Three layers of the grains: their mean force on the beam, while they settle, is their weight.
func TestBeamCarriesGrains(t *testing.T) {
	s := shaped(t, "grains-on-beam", "grid = [40, 25]", "grid = [40, 3]", `duration = "1.2 s"`, `duration = "0.3 s"`, `history_every = "5 ms"`, `history_every = "0.2 ms"`)
	pressed, rows := 0.0, 0
	err := scenes.Finish(s, func() {
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

// A few stones fall into the hopper: its walls bend, and no stone passes through them.
func TestStonesBendHopper(t *testing.T) {
	s := shaped(t, "hopper", "grid = [38, 53]", "grid = [38, 3]", `duration = "3 s"`, `duration = "0.9 s"`)
	lip := 0.0
	err := scenes.Finish(s, func() { lip = min(lip, s.Probe(s.Model.Probes[0]).X) })
	if err != nil {
		t.Fatal(err)
	}
	if lip > -0.01 || lip < -0.2 {
		t.Errorf("the lip moves outwards by %g m", -lip)
	}
	if r := s.Relative(s.Energies()); math.Abs(r) > 2e-3 {
		t.Errorf("residual %g", r)
	}
	const slope, opening = 1.7320508, 0.75 // of the walls; half of the outlet [m]
	for i := range s.Spheres().Radius {
		x := s.Spheres().X[i]
		if x.Y > 0.1 && math.Abs(x.X) > opening+0.2+x.Y/slope {
			t.Errorf("stone %d has gone through a wall, to %v", i, x)
		}
	}
}

// The first rows of shots: momentum is kept, the ledger closes, and half of the shots' energy is
// dissipated in dents, as in the full run.
func TestShotsPushPlate(t *testing.T) {
	s := shaped(t, "shot-peening", "grid = [25, 20]", "grid = [25, 2]", `duration = "4 ms"`, `duration = "0.25 ms"`)
	start := s.Energies().Kinetic
	if err := scenes.Finish(s, func() {}); err != nil {
		t.Fatal(err)
	}
	momentum, mass := 0.0, 0.0
	for _, b := range s.Motions() {
		momentum += b.Momentum.Y
		if b.Name == "shot" {
			mass = b.Mass
		}
	}
	if want := -20 * mass; math.Abs(momentum-want) > 1e-12*math.Abs(want) {
		t.Errorf("momentum %g kg m/s, at the start %g", momentum, want)
	}
	e := s.Energies()
	if r := s.Relative(e); math.Abs(r) > 1e-4 {
		t.Errorf("residual %g", r)
	}
	if part := e.ContactDissipated / start; part < 0.6 || part > 0.95 {
		t.Errorf("%g of the energy goes into dents", part)
	}
}
