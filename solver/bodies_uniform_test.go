package solver_test

import (
	"context"
	"math"
	"testing"

	"fdem/examples/scenes"
	"fdem/solver"
	"fdem/solver/statics"
)

// A crack of N equal edges of triangles of constant strain opens as one that is shorter by a third
// of an edge: by 1/(3N) less, with 2/(3N) less volume, 1.7 and 3.3 % with 20 edges. The triangles
// cause this error: a slit in the mesh under the same pressure in statics, without crack, joint or
// fluid, has the same opening as the crack with fluid.
func TestUniformCrackIsThatOfItsMesh(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const a, p, ep = 0.1, 2e6, 32e9
	less := [][2]float64{}
	for _, edges := range []int{10, 20} {
		w, v := slitUnderPressure(t, edges, true)
		of := [2]float64{1 - w/(4*p*a/ep), 1 - v/(math.Pi*p*a*a/ep)}
		less = append(less, of)
		third := 1 / float64(3*edges)
		for i, known := range [2]float64{third, 2*third - third*third} {
			if rest := of[i] - known; math.Abs(rest) > 6e-3 { // of edges further out, and of the body's end
				t.Errorf("%d edges: the slit has %.3g less than theory, want %.3g; opening, volume: %.4v", edges, of[i], known, of)
			}
		}
		if edges == 20 {
			continue
		}
		s := meshed(t, rock("4 ms", 0, "damping = { local = 0.3 }")+`
[[fluid]]
name = "oil"
well = "mouth"
pressure = "2 MPa"
schedule = [[0, 0], ["2 ms", 1]]
`, scenes.EvenHalfPlane(a, edges, 3))
		noError(t, ran(s))
		opening := 0.0
		for i := range s.Cracks().Cracks() {
			ch, _ := s.Cracks().Channel(s.Cracks().Crack(i).Edge, s.X)
			opening = max(opening, ch.Opening[0], ch.Opening[1])
		}
		if in := s.FluidStates()[0].InCracks; math.Abs(opening-w) > 1e-3*w || math.Abs(in-v) > 1e-3*v {
			t.Errorf("%d edges: fluid opens the crack by %g m with %g m2, the slit has %g and %g", edges, opening, in, w, v)
		}
	}
	t.Logf("less than theory, opening and volume, with 10 and 20 edges: %.4v", less)
	for i, known := range [2]float64{1. / 60, 2./60 - 1./900 + 1./3600} {
		if gained := less[0][i] - less[1][i]; math.Abs(gained-known) > 0.05*known {
			t.Errorf("twice the edges gain %.4g, want %.4g", gained, known)
		}
	}
}

// slitUnderPressure returns the opening and the volume of a wing of a slit of so many edges in
// statics, or of a slit at the edge of a half plane.
func slitUnderPressure(t *testing.T, edges int, wing bool) (opening, volume float64) {
	t.Helper()
	axis := "[[fix]]\non = \"axis\"\ncomponents = [\"x\"]\n"
	if !wing {
		axis = ""
	}
	s := meshed(t, "[analysis]\ntype = \"static\"\nincrements = 1\nduration = \"1 s\"\nplane = \"strain\"\n"+scenes.RockBody+axis+`[[fix]]
on = "far"
[[load]]
on = "notch"
pressure = "2 MPa"
`, cut(t, scenes.EvenHalfPlane(0.1, edges, 3)))
	do := func() error { return nil }
	noError(t, statics.Run(context.Background(), s, solver.Observer{Row: do, Frame: do, Contact: do}))
	for _, g := range s.Mesh.Groups {
		if g.Name != "notch" {
			continue
		}
		for _, e := range g.Edges {
			b := &s.Mesh.Edges[e]
			for _, n := range []int32{b.A, b.B} {
				u := math.Abs(s.X[n].Y - s.Mesh.X[n].Y)
				opening = max(opening, 2*u)
				volume += 0.5 * u * math.Abs(s.Mesh.X[b.A].X-s.Mesh.X[b.B].X)
			}
		}
	}
	return opening, volume
}
