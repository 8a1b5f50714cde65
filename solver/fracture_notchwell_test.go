package solver_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"fdem/examples/scenes"
	"fdem/mesh"
)

// cut opens the notch of half a plane, so that its faces are boundary.
func cut(t *testing.T, src *mesh.Source) *mesh.Source {
	t.Helper()
	notch := slices.IndexFunc(src.Groups, func(g mesh.SourceGroup) bool { return g.Name == "notch" })
	if _, err := src.Open(src.Groups[notch].Elements, 0); err != nil {
		t.Fatal(err)
	}
	return src
}

// A notch is a well as a hole is: from one side of its mouth to the other. Under a given pressure
// it opens as by a load in statics; pumped into, a crack grows from its tip where theory of a crack
// at the edge of a half plane has it, K = 1.1215 p sqrt(pi a), a longer by 0.4 of the cohesive
// zone, and the fluid goes into that crack.
func TestWellOnNotch(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const a, p, ep, energy, strength = 0.1, 2e6, 32e9, 31.25, 5e6
	const deck = "[analysis]\nduration = \"4 ms\"\nplane = \"strain\"\ndamping = { local = 0.3 }\n" + scenes.RockBody + "[[fix]]\non = \"far\"\n"
	w, v := slitUnderPressure(t, 10, false)
	s := meshed(t, deck+`
[[fluid]]
name = "oil"
well = "notch"
pressure = "2 MPa"
schedule = [[0, 0], ["2 ms", 1]]
`, cut(t, scenes.EvenHalfPlane(a, 10, 3)))
	noError(t, ran(s))
	opening := 0.0
	for _, e := range s.Fluids[0].Well {
		n := s.Mesh.Edges[e].A
		opening = max(opening, 2*math.Abs(s.X[n].Y-s.Mesh.X[n].Y))
	}
	if known := 5.819 * p * a / ep; math.Abs(opening-w) > 2e-3*w || math.Abs(opening/known-1) > 0.05 {
		t.Errorf("the fluid opens the notch by %g m, a load in statics by %g; theory %g", opening, w, known)
	}
	t.Logf("opening %g m, statics %g; volume %g", opening, w, v)

	s = meshed(t, deck+seamOf+`
[[fluid]]
name = "oil"
well = "notch"
rate = "1.5e-3 m3/s"
schedule = [[0, 0], ["1 ms", 1]]
volume = "1e-6 m3"
`, cut(t, scenes.HalfPlane(5e-3, a, a+0.05, 3)))
	greatest := 0.0
	for s.Time < s.Duration {
		noError(t, s.Step(0, nil))
		greatest = max(greatest, s.FluidStates()[0].Pressure)
	}
	zone := math.Pi / 8 * ep * energy / (strength * strength)
	known := math.Sqrt(ep*energy) / (1.1215 * math.Sqrt(math.Pi*(a+0.4*zone)))
	f := s.FluidStates()[0]
	if t.Logf("greatest pressure %.4f of theory; %+v", greatest/known, f); math.Abs(greatest/known-1) > 0.05 || f.Length < 0.02 {
		t.Errorf("a crack from a notch begins at %g Pa, want %g; %g m have fluid", greatest, known, f.Length)
	}
	fluidAddsUp(t, s, 1e-6, 2e-3)
}

// A hole is a well, the outline round a body is none but for a fluid whose volume is given; of
// several curves that make one wall each counts.
func TestWellIsAWall(t *testing.T) {
	deck := func(well, keys string) string {
		return "mesh = \"ring.msh\"\n[analysis]\nduration = \"1 us\"\nplane = \"strain\"\n" + scenes.RockBody + "[[fluid]]\nname = \"water\"\nwell = " + well + "\nrate = 1\n" + keys
	}
	src := scenes.Hole(0.5, 1, 96, 4, 0)
	hole := slices.IndexFunc(src.Groups, func(g mesh.SourceGroup) bool { return g.Name == "hole" })
	lines := src.Groups[hole].Elements
	src.Groups = append(src.Groups, mesh.SourceGroup{Name: "floor", Dim: 1, Number: 8, Elements: lines[:40]}, mesh.SourceGroup{Name: "roof", Dim: 1, Number: 9, Elements: lines[40:]})
	volumes := []float64{}
	for _, well := range []string{`"hole"`, `["roof", "floor"]`} {
		s, err := scenes.Start("deck.toml", deck(well, ""), src)
		noError(t, err)
		volumes = append(volumes, s.Fluids[0].Volume)
	}
	if known := math.Pi * 0.25; volumes[0] != volumes[1] && math.Abs(volumes[1]/volumes[0]-1) > 1e-14 || math.Abs(volumes[0]/known-1) > 2e-3 {
		t.Errorf("volumes %v, want %g", volumes, known)
	}
	if _, err := scenes.Start("deck.toml", deck(`"far"`, "volume = 1\n"), src); err != nil {
		t.Error(err)
	}
	for _, well := range []string{`"far"`, `["hole", "far"]`} {
		if _, err := scenes.Start("deck.toml", deck(well, ""), src); err == nil || !strings.Contains(err.Error(), "is the outer boundary of its body") {
			t.Errorf("%s: error %v", well, err)
		}
	}
}

// The pressure of a pump rises suddenly if a wave cannot carry the fluid away: while the wave
// travels round the wall, the pressure rises by K Q t/V.
func TestPumpStrikes(t *testing.T) {
	s := meshed(t, "[analysis]\nduration = \"1 ms\"\nplane = \"strain\"\n"+scenes.RockBody+brittleRock+"[[fluid]]\nname = \"water\"\nwell = \"hole\"\nrate = \"0.5 m3/s\"\nschedule = [[0, 0], [\"1 ms\", 2]]\n", scenes.Hole(0.1, 1, 96, 8, 0))
	rise, strength := s.Fluids[0].Strike(s.Model)
	const round, volume, speed = 2 * math.Pi * 0.1, math.Pi * 0.01, 3721. // root of 30 GPa/2600 kg/m3 by 1.2
	if known := 2.2e9 * 1 / volume * round / speed; math.Abs(rise/known-1) > 2e-3 || math.Abs(strength/5e6-1) > 1e-12 {
		t.Errorf("rises by %g Pa, want %g; strength %g", rise, known, strength)
	}
}
