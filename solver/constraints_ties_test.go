package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// unlike is two blocks of unlike meshes, one on the other.
const unlike = `
[[rectangle]]
name = "a"
from = [0, 0]
to = [0.1, 0.1]
edge = 0.021
left = "left"
bottom = "under a"
right = "right of a"
[[rectangle]]
name = "b"
from = [0.1, 0]
to = [0.22, 0.1]
edge = 0.0127
left = "left of b"
bottom = "under b"
right = "right"
`

// A tie of unlike meshes transmits a uniform stress: the patch test.
func TestTiePassesThePatchTest(t *testing.T) {
	for _, on := range []string{"on = \"left of b\"\nto = \"right of a\"", "on = \"right of a\"\nto = \"left of b\"", "on = \"right of a\"\nto = \"b\""} {
		s := built(t, "analysis = { type = \"static\", increments = 1 }\n"+soft+`
[[body]]
name = "a"
material = "gel"
[[body]]
name = "b"
material = "gel"
[[fix]]
on = "left"
components = ["x"]
[[fix]]
on = "under a"
components = ["y"]
[[load]]
on = "right"
pressure = -1
[[tie]]
`+on, unlike)
		through(t, s, nil)
		worst := 0.0
		for i, x := range s.X {
			u := r2.Sub(x, s.Mesh.X[i])
			worst = max(worst, math.Abs(u.X-s.Mesh.X[i].X/5e6), math.Abs(u.Y+0.3*s.Mesh.X[i].Y/5e6))
		}
		t.Logf("%s: off by %.2g of the displacement", on, worst*5e6/0.22)
		if worst > 2e-5*0.22/5e6 { // an element's part of tiePenalty
			t.Errorf("%s: off by %g m of %g m", on, worst, 0.22/5e6)
		}
	}
}

// Two bodies that are tied across a gap move and rotate together. Momentum, angular momentum and
// energy are kept, and the faces stay together.
func TestTieKeepsMomentum(t *testing.T) {
	text := "analysis = { duration = \"100 ms\", thickness = 0.02 }\noutput = { history_every = \"2 ms\" }\n" + soft + `
[[body]]
name = "a"
material = "gel"
velocity = [1, 2]
angular_velocity = 40
[[body]]
name = "b"
material = "gel"
velocity = [1, 2]
[[tie]]
on = "left of b"
to = "right of a"
gap = "2 mm"
`
	shapes := strings.ReplaceAll(unlike, "from = [0.1, 0]", "from = [0.101, 0.004]")
	s := built(t, text, shapes)
	if gap := s.Ties[0].Gap; !(math.Abs(gap-1e-3) < 1e-12) {
		t.Fatalf("there is a gap of %g m", gap)
	}
	var kept drift
	gap := 0.0
	through(t, s, func() {
		kept.follow(s)
		for i, r := range s.Ties[0].Rows {
			gap = max(gap, elementary.Norm(r.Of(s.X))/s.Ties[0].Spread[i])
		}
	})
	m := s.Motions()
	t.Logf("%d steps; momentum to %.2g, angular momentum to %.2g, apart by %.2g m, residual %.2g; they turn at %.4g and %.4g rad/s", s.N, kept.momentum, kept.angular, gap, s.Relative(s.Energies()), m[0].AngularVelocity, m[1].AngularVelocity)
	if kept.momentum > 1e-12 || kept.angular > 1e-12 || gap > 1e-7 || s.Relative(s.Energies()) > 1e-3 {
		t.Errorf("momentum changes by %g, angular momentum by %g, apart by %g m, residual %g", kept.momentum, kept.angular, gap, s.Relative(s.Energies()))
	}
}

// Two blocks that meet are tied while they move, across the gap that they have then, and let go again.
// Momentum stays, the energy of the plastic impact of their edges goes out as work, the gap stays, and
// parted they keep what velocities they have.
func TestTiesComeAndGo(t *testing.T) {
	text := "analysis = { duration = \"100 ms\", thickness = 0.02 }\noutput = { history_every = \"1 ms\" }\n" + soft + `
[[body]]
name = "a"
material = "gel"
velocity = [1, 0]
[[body]]
name = "b"
material = "gel"
velocity = [-0.5, 1]
[[tie]]
on = "left of b"
to = "right of a"
gap = "6 mm"
time = "1.5 ms"
until = "60 ms"
ramp = "0.2 ms"
`
	shapes := strings.ReplaceAll(unlike, "from = [0.1, 0]", "from = [0.105, -0.005]")
	s := built(t, text, strings.ReplaceAll(shapes, "to = [0.22, 0.1]", "to = [0.22, 0.085]"))
	var kept drift
	begun, least, most, lost, twist, parted := s.Energies().Kinetic, math.Inf(1), 0.0, 0.0, 0.0, 0.0
	near := func() float64 { // of the two curves, at the lower end of that of b
		at := math.Inf(1)
		for n, x := range s.Mesh.X {
			if x.X == 0.1 {
				at = min(at, elementary.Norm(r2.Sub(s.X[n], s.X[lowest(s.Mesh.X, 0.105)])))
			}
		}
		return at
	}
	through(t, s, func() {
		kept.follow(s)
		if gap := near(); s.Time > 2e-3 && s.Time < 60e-3 {
			least, most = min(least, gap), max(most, gap)
			lost, twist = s.Energies().ExternalWork, kept.angular
		} else if s.Time > 90e-3 {
			parted = max(parted, gap)
		}
	})
	e := s.Energies()
	t.Logf("%d steps; momentum to %.2g, angular momentum to %.2g while tied, %.2g in all; gaps of %.4g to %.4g mm, then %.4g; kinetic %.4g J, external work %.4g J, %.4g J in all, residual %.2g", s.N, kept.momentum, twist, kept.angular, 1e3*least, 1e3*most, 1e3*parted, begun, lost, e.ExternalWork, s.Relative(e))
	if kept.momentum > 1e-12 || twist > 1e-12 || kept.angular > 1e-4 || s.Relative(e) > 1e-5 || !(lost < 0) || !(most-least < 0.02*least) || !(parted > 2*most) {
		t.Errorf("momentum changes by %g, angular momentum by %g, residual %g, external work %g J", kept.momentum, twist, s.Relative(e), lost)
	}
}

// lowest returns the lowest node at an abscissa.
func lowest(x []r2.Vec, at float64) int {
	best := -1
	for n := range x {
		if x[n].X == at && (best < 0 || x[n].Y < x[best].Y) {
			best = n
		}
	}
	return best
}

// tiedBars are two bars of one material, tied end to end.
const tiedBars = `
[[material]]
name = "m"
young = "1 GPa"
poisson = 0
density = 1000
[[body]]
name = "a"
material = "m"
[[body]]
name = "b"
material = "m"
[[tie]]
on = "left of b"
to = "right of a"`

// A pulse passes through a tie. The part that is reflected comes from the difference of the meshes.
func TestTieLetsWavesThrough(t *testing.T) {
	back := map[string]float64{}
	for name, edges := range map[string][2]float64{"coarse": {0.025, 0.0143}, "fine": {0.0125, 0.00715}} {
		s := built(t, `
[analysis]
duration = "0.85 ms"
thickness = "10 mm"
`+tiedBars+`
[[load]]
on = "left"
pressure = "1 MPa"
schedule = "t < 300e-6 ? 0.5*(1-cos(2*pi*t/300e-6)) : 0"
`, fmt.Sprintf("[[rectangle]]\nname = \"a\"\nfrom = [0, 0]\nto = [0.5, 0.1]\nedge = %g\nleft = \"left\"\nright = \"right of a\"\n[[rectangle]]\nname = \"b\"\nfrom = [0.5, 0]\nto = [1, 0.1]\nedge = %g\nleft = \"left of b\"\n", edges[0], edges[1]))
		through(t, s, nil)
		m := s.Motions()
		back[name] = math.Abs(m[0].Momentum.X / m[1].Momentum.X)
		t.Logf("%s: %.2g of the momentum stays behind, residual %.2g", name, back[name], s.Relative(s.Energies()))
		if s.Relative(s.Energies()) > 2e-3 {
			t.Errorf("%s: residual %g", name, s.Relative(s.Energies()))
		}
	}
	if back["coarse"] > 5e-3 || back["fine"] > 5e-4 {
		t.Errorf("%v of the momentum stays behind", back)
	}
}

// driven is two tied bars of which something moves.
const driven = `
[analysis]
duration = "3 ms"
thickness = "10 mm"
[output]
history_every = "10 us"
` + tiedBars + `
[[drive]]
`

// A drive of the tied edge itself or of its other side, or of some nodes of it, moves the other
// body, too. The faces stay together, the ledger closes, and the force of the drive is the rate of
// the momentum of both.
func TestTieFollowsADrive(t *testing.T) {
	const shapes = "[[rectangle]]\nname = \"a\"\nfrom = [0, 0]\nto = [0.1, 0.1]\nedge = 0.025\nright = \"right of a\"\nbottom = \"under a\"\n[[rectangle]]\nname = \"b\"\nfrom = [0.1, 0]\nto = [0.2, 0.1]\nedge = 0.0143\nleft = \"left of b\"\n"
	for name, drive := range map[string]string{
		"the tied edge":      "on = \"left of b\"\ndisplacement = [\"1e-3*(1 - cos(2*pi*t/3e-3))\", 0]",
		"the other edge":     "on = \"right of a\"\ndisplacement = [\"1e-3*(1 - cos(2*pi*t/3e-3))\", \"1e-3*sin(2*pi*t/3e-3)\"]",
		"a velocity":         "on = \"left of b\"\nvelocity = [\"sin(2*pi*t/3e-3)\", 0]",
		"a velocity at once": "on = \"right of a\"\nvelocity = [1, 0]",
		"a corner":           "on = \"under a\"\ndisplacement = [\"1e-3*(1 - cos(2*pi*t/3e-3))\", \"free\"]",
		"a turn":             "on = \"right of a\"\nangular_velocity = \"40*sin(2*pi*t/3e-3)\"",
	} {
		s := built(t, driven+drive, shapes)
		gap, off, greatest := 0.0, 0.0, 0.0
		var before r2.Vec
		since := -1.0
		through(t, s, func() {
			for i, r := range s.Ties[0].Rows {
				gap = max(gap, elementary.Norm(r.Of(s.X))/s.Ties[0].Spread[i])
			}
			p, _ := together(s)
			if since >= 0 {
				force := s.MeanReactions()[0].Force
				greatest = max(greatest, r2.Norm(force))
				off = max(off, r2.Norm(r2.Sub(force, r2.Scale(1/(s.Time-since), r2.Sub(p, before)))))
			}
			before, since = p, s.Time
		})
		t.Logf("%s: %d steps; apart by %.2g m, force off by %.2g of %.3g N, residual %.2g", name, s.N, gap, off, greatest, s.Relative(s.Energies()))
		if gap > 1e-9 || off > 1e-8*greatest || s.Relative(s.Energies()) > 1e-3 {
			t.Errorf("%s: apart by %g m, force off by %g of %g N, residual %g", name, gap, off, greatest, s.Relative(s.Energies()))
		}
	}
}

// The face of a bar that is tied to one that moves at a speed from the first
// moment on carries rho c v, as if the bar were pushed itself.
func TestTieToADriveSendsAWave(t *testing.T) {
	text := strings.Replace(driven, "3 ms", "0.7 ms", 1) + "on = \"a\"\nvelocity = [\"2 m/s\", 0]\n"
	s := built(t, text, "[[rectangle]]\nname = \"a\"\nfrom = [0, 0]\nto = [0.05, 0.1]\nedge = 0.0125\nright = \"right of a\"\n[[rectangle]]\nname = \"b\"\nfrom = [0.05, 0]\nto = [0.85, 0.1]\nedge = 0.00715\nleft = \"left of b\"\n")
	push, n := 0.0, 0
	through(t, s, func() {
		if s.Time > 0.2e-3 {
			push, n = push+s.MeanReactions()[0].Force.X, n+1
		}
	})
	want := 1000 * 1000 * 2.0 * 0.1 * 0.01 // rho c v of the face
	t.Logf("pushes with %.6g N, want %g", push/float64(n), want)
	if math.Abs(push/float64(n)-want) > 0.01*want {
		t.Errorf("pushes with %g N, want %g", push/float64(n), want)
	}
}

// A tied stack that falls on a floor, damped, with a driven edge beside the tie, keeps its faces
// together, and its ledger closes.
func TestTieUnderLoad(t *testing.T) {
	s := built(t, `
[analysis]
duration = "60 ms"
thickness = 0.02
gravity = [0, -10]
damping = { mass = 5, stiffness = "0.1 ms" }
`+soft+`
[[body]]
name = "a"
material = "gel"
[[body]]
name = "b"
material = "gel"
[[tie]]
on = "left of b"
to = "right of a"
[[rigid]]
name = "floor"
shape = "line"
from = [-1, 0]
to = [1, 0]
[[law]]
name = "penalty"
model = "linear"
[[contact]]
contactor = "a"
opposite = "floor"
law = "penalty"
[[drive]]
on = "right"
components = ["y"]
displacement = [0, "0.005*(1 - cos(2*pi*t/0.06))"]
`, unlike)
	gap := 0.0
	through(t, s, func() {
		for i, r := range s.Ties[0].Rows {
			gap = max(gap, elementary.Norm(r.Of(s.X))/s.Ties[0].Spread[i])
		}
	})
	t.Logf("%d steps; apart by %.2g m, residual %.2g", s.N, gap, s.Relative(s.Energies()))
	if gap > 1e-7 || s.Relative(s.Energies()) > 1e-3 {
		t.Errorf("apart by %g m, residual %g", gap, s.Relative(s.Energies()))
	}
}

// Tied bodies with absorbing outer edges stay together at these edges, and the energy balance
// closes: the tie also acts against the forces of the absorbing edges.
func TestTiedBodiesThatAbsorb(t *testing.T) {
	s := built(t, "analysis = { duration = \"60 ms\" }\n"+soft+`
[[body]]
name = "a"
material = "gel"
[[body]]
name = "b"
material = "gel"
[[absorb]]
on = "under a"
[[absorb]]
on = "under b"
[[load]]
on = "right"
force = [40, -30]
[[tie]]
on = "left of b"
to = "right of a"
`, unlike)
	gap := 0.0
	through(t, s, func() {
		for i, x := range s.Mesh.X {
			for j, y := range s.Mesh.X[:i] {
				if x == y {
					gap = max(gap, elementary.Norm(r2.Sub(s.X[i], s.X[j])))
				}
			}
		}
	})
	if e := s.Energies(); math.Abs(s.Relative(e)) > 1e-5 || gap > 1e-7 {
		t.Errorf("residual %g, corners %g m apart", s.Relative(e), gap)
	}
}

// The energy balance closes when a body is excavated while a drive pulls at it. The work of the
// drive up to that moment is recorded, and the energy that it gave to its nodes is subtracted.
func TestDrivenBodyLeaves(t *testing.T) {
	s := built(t, "analysis = { duration = \"40 ms\" }\n"+soft+`
[[body]]
name = "base"
material = "gel"
[[body]]
name = "top"
material = "gel"
[[fix]]
on = "bottom"
[[drive]]
on = "roof"
velocity = ["1 m/s", 0]
[[excavate]]
in = ["top"]
time = "10 ms"
ramp = "10 ms"
`, `
join = ["base", "top"]
edge = 0.02
[[rectangle]]
name = "base"
from = [0, 0]
to = [0.2, 0.1]
bottom = "bottom"
[[rectangle]]
name = "top"
from = [0, 0.1]
to = [0.2, 0.15]
top = "roof"
`)
	most := 0.0
	through(t, s, func() { most = max(most, math.Abs(s.Relative(s.Energies()))) })
	if most > 5e-4 {
		t.Errorf("residual %g of the greatest energy", most)
	}
}
