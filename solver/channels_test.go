package solver_test

import (
	"math"
	"testing"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// board is a rectangle of squares of h, all of whose nodes are in "all": "seam" is along x
// in its middle, "branch" from the middle of that to the upper side, "mouth" the edges
// beside the seam on the left.
func board(h float64, across, half int) *mesh.Source {
	src := &mesh.Source{Name: "board"}
	for j := -half; j <= half; j++ {
		for i := range across + 1 {
			src.AddNode(r2.Vec{X: h * float64(i), Y: h * float64(j)})
		}
	}
	node := func(i, j int) int32 { return int32((j+half)*(across+1) + i) }
	rock := mesh.SourceGroup{Name: "rock", Dim: 2, Number: 1}
	groups := make([]mesh.SourceGroup, 4)
	for k, name := range []string{"all", "seam", "branch", "mouth"} {
		groups[k] = mesh.SourceGroup{Name: name, Dim: 1, Number: 2 + k}
	}
	line := func(k int, a, b int32) { groups[k].Elements = append(groups[k].Elements, src.AddLine(a, b)) }
	for j := -half; j <= half; j++ {
		for i := range across {
			a, b := node(i, j), node(i+1, j)
			line(0, a, b)
			if j == 0 {
				line(1, a, b)
			}
			if j < half {
				c, d := node(i+1, j+1), node(i, j+1)
				rock.Elements = append(rock.Elements, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
			}
		}
		if j >= 0 && j < half {
			line(2, node(across/2, j), node(across/2, j+1))
		}
	}
	line(3, node(0, -1), node(0, 0))
	line(3, node(0, 0), node(0, 1))
	src.Groups = append(append(src.Groups, rock), groups...)
	return src
}

// stiff is a deck of a board whose nodes are held, with joints on some of its curves that
// leave 50 um to water.
func stiff(duration string, more string, joints ...string) string {
	text := `
[analysis]
duration = "` + duration + `"
plane = "strain"
step = "0.5 us"
` + rockBody + `[[fix]]
on = "all"
[[fluid]]
name = "water"
well = "mouth"
pressure = "1 MPa"
viscosity = "1 mPa s"
residual = "50 um"
at_start = "full"
` + more
	for _, on := range joints {
		text += "\n[[joint]]\non = \"" + on + "\"\nfriction = 0.6\n"
	}
	return text
}

// Flow between held faces is that of Poiseuille, and divides where three cracks meet.
func TestPoiseuille(t *testing.T) {
	const w, mu, dp, length = 50e-6, 1e-3, 1e6, 0.4
	want := w * w * w * dp / (12 * mu * length)
	s := meshed(t, stiff("4 ms", "", "seam"), board(0.02, 20, 2))
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	f, e := s.FluidStates()[0], s.Energies()
	if math.Abs(f.Rate/want-1) > 1e-6 {
		t.Errorf("%.9g m3/s, want %.9g", f.Rate, want)
	}
	fluidAddsUp(t, s, w*(length-0.01), 1e-12)
	if e.FluidWork > 1e-9*e.FluidPumped || math.Abs((f.Spilled-w*0.01)/f.Injected-1) > 0.05 {
		t.Errorf("work %g J, %g m3 of %g m3 come out", e.FluidWork, f.Spilled, f.Injected)
	}
	// arms of 0.2, 0.2 and 0.04 m from the middle of the seam
	s = meshed(t, stiff("4 ms", "", "seam", "branch"), board(0.02, 20, 2))
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	arm := func(l float64) float64 { return w * w * w / (12 * mu * l) }
	at := arm(0.2) / (arm(0.2) + arm(0.2) + arm(0.04)) * dp
	want = arm(0.2) * (dp - at)
	if f := s.FluidStates()[0]; math.Abs(f.Rate/want-1) > 1e-6 {
		t.Errorf("at a junction %.9g m3/s, want %.9g", f.Rate, want)
	}
	out := 0.0
	for i := range s.Cracks().Cracks() {
		if c := s.Cracks().Crack(i); s.Mesh.X[c.Nodes[0]].Y > 0.01 || s.Mesh.X[c.Nodes[1]].Y > 0.01 {
			out = math.Abs(s.FluidIn(c.Edge).Flow)
		}
	}
	if want := arm(0.04) * at; math.Abs(out/want-1) > 1e-6 {
		t.Errorf("%.9g m3/s through the branch, want %.9g", out, want)
	}
}

// A pressure diffuses along a crack as D = w^2 K/(12 mu) has it, better with shorter steps.
func TestDiffusionAlongCrack(t *testing.T) {
	const w, mu, bulk, p, time = 50e-6, 1e-3, 2.2e9, 1e6, 40e-6
	d := w * w * bulk / (12 * mu)
	s := meshed(t, stiff("40 us", "", "seam"), board(0.01, 100, 1))
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i := range s.Cracks().Cracks() {
		c := s.Cracks().Crack(i)
		for end, of := range s.Cracks().Pressure(c.Edge) {
			x := s.Mesh.X[s.Cracks().Vertex(c.Nodes[end])].X
			worst = max(worst, math.Abs(of/p-math.Erfc(x/(2*math.Sqrt(d*time)))))
		}
	}
	t.Logf("off by %.2g of the pressure", worst)
	if !(worst < 0.01) {
		t.Errorf("off by %g of the pressure", worst)
	}
	fluidAddsUp(t, s, w*(1-0.005), 1e-12)
}
