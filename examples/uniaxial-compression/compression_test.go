package compression_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"fdem/examples/cases"
	"fdem/examples/scenes"
	"fdem/io/deck"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/model"
)

var whole = flag.Bool("whole", false, "runs TestConfined under a third pressure")

// Cohesion [Pa] and coefficient of friction of the rock.
const cohesion, friction = 17.5e6, 0.70021

// press runs a block for a time [s] and returns the greatest mean pressure on its lower
// end and the last [Pa].
func press(t *testing.T, m *model.Model, duration float64) (s *solver.Solver, greatest, last float64) {
	t.Helper()
	m.Duration = duration
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	err = scenes.Finish(s, func() {
		for _, r := range s.MeanReactions() {
			if r.Name == "bottom" {
				last = r.Force.Y / 25e-3 / 1
				greatest = math.Max(greatest, last)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, steps := scenes.Residuals(s); steps > 1e-3 { // the README explains the unbalanced energy of cracks
		t.Errorf("the steps make %g", steps)
	}
	return s, greatest, last
}

// The block carries the stress of Mohr and Coulomb, 2 c (sqrt(1 + mu^2) + mu), within what a mesh
// without a free plane adds, and then the load falls.
func TestCompression(t *testing.T) {
	if testing.Short() {
		t.Skip("20,000 steps")
	}
	m, err := scenes.Load("uniaxial-compression.toml")
	if err != nil {
		t.Fatal(err)
	}
	s, greatest, last := press(t, m, 2.44e-3)
	strength := 2 * cohesion * (math.Sqrt(1+friction*friction) + friction)
	cracks, _ := s.CrackTotals()
	t.Logf("carries %.2f MPa, %+.1f %%, in the end %.2f; broken %.0f mm, %.0f in shear; residual %.1e", greatest/1e6, 100*(greatest/strength-1), last/1e6, 1e3*cracks.Broken, 1e3*cracks.Shear, s.Relative(s.Energies()))
	if ratio := greatest / strength; ratio < 0.95 || ratio > 1.25 {
		t.Errorf("the block carries %g Pa, want %g", greatest, strength)
	}
	if last > 0.5*strength { // 0.03 ms after the peak
		t.Errorf("the broken block carries %g Pa", last)
	}
	if cracks.Shear == 0 {
		t.Error("nothing has broken in shear")
	}
}

// A rock so tough that its characteristic length is twelve times the block's width carries
// no more than a mesh without a free plane may add.
func TestToughRock(t *testing.T) {
	if testing.Short() {
		t.Skip("5,000 steps")
	}
	text, err := os.ReadFile("uniaxial-compression.toml")
	if err != nil {
		t.Fatal(err)
	}
	d, err := deck.Parse("tough.toml", []byte(strings.NewReplacer(`"5 MPa"`, `"1 MPa"`, `"17.5 MPa"`, `"3 MPa"`, "0.70021", "0.3", `"20 J/m2"`, "10", `"100 J/m2"`, "50").Replace(string(text))))
	if err != nil {
		t.Fatal(err)
	}
	src := &mesh.Source{Name: "block"}
	if err := scenes.Compression(src, 1.25e-3, 2); err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Build(src)
	if err != nil {
		t.Fatal(err)
	}
	_, greatest, last := press(t, m, 0.6e-3)
	strength := 2 * 3e6 * (math.Sqrt(1+0.3*0.3) + 0.3)
	t.Logf("carries %.3f MPa, %+.1f %%, in the end %.3f", greatest/1e6, 100*(greatest/strength-1), last/1e6)
	if ratio := greatest / strength; ratio < 0.95 || ratio > 1.25 || last > 0.99*greatest {
		t.Errorf("the block carries %g Pa and in the end %g, want %g", greatest, last, strength)
	}
}

// Under pressure from the sides the block carries more, as Mohr and Coulomb say: (sqrt(1 + mu^2) +
// mu)^2 times that pressure.
func TestConfined(t *testing.T) {
	if testing.Short() {
		t.Skip("200,000 steps")
	}
	if !cases.All() && !*whole {
		t.Skip("takes seconds: go test ./examples/uniaxial-compression -all -run TestConfined")
	}
	text, err := os.ReadFile("confined.toml")
	if err != nil {
		t.Fatal(err)
	}
	root := math.Sqrt(1+friction*friction) + friction
	var strength []float64
	pressures, ends := []float64{5, 20}, []float64{2.8, 4.1} // [MPa], just beyond the peaks [ms]
	if *whole {
		pressures, ends = []float64{5, 10, 20}, []float64{2.8, 3.25, 4.1}
	}
	for i, ms := range ends {
		own := strings.ReplaceAll(string(text), "10 MPa", fmt.Sprintf("%g MPa", pressures[i]))
		d, err := deck.Parse("confined.toml", []byte(own))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := d.Load(d.MeshPath())
		if err != nil {
			t.Fatal(err)
		}
		_, greatest, last := press(t, m, ms*1e-3)
		known := 2*cohesion*root + 1e6*pressures[i]*root*root
		t.Logf("%g MPa from the sides: carries %.2f MPa, known %.2f, %+.1f %%; in the end %.2f", pressures[i], greatest/1e6, known/1e6, 100*(greatest/known-1), last/1e6)
		if ratio := greatest / known; ratio < 0.95 || ratio > 1.25 {
			t.Errorf("%g MPa from the sides: the block carries %g Pa, want %g", pressures[i], greatest, known)
		}
		if last > 0.95*greatest {
			t.Errorf("%g MPa from the sides: the block has not broken, it carries %g Pa", pressures[i], last)
		}
		strength = append(strength, greatest/1e6)
	}
	last := len(pressures) - 1
	for i := range last {
		slope := (strength[last] - strength[i]) / (pressures[last] - pressures[i])
		t.Logf("slope %.2f, known %.2f, %+.1f %%", slope, root*root, 100*(slope/(root*root)-1))
		if math.Abs(slope/(root*root)-1) > 0.15 {
			t.Errorf("strength rises by %g times the pressure, want %g", slope, root*root)
		}
	}
}
