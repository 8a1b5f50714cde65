package solver_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"fdem/examples/cases"
	"fdem/fem"
	"fdem/io/deck"
	"fdem/io/plan"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/nodes"
	"fdem/solver/statics"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// built returns a solver of a deck and the shapes of its bodies, "" for none.
func built(t testing.TB, text, shapes string) *solver.Solver {
	t.Helper()
	var src *mesh.Source
	if shapes != "" {
		var err error
		src, err = plan.ParseShapes("model.shapes.toml", []byte(shapes))
		noError(t, err)
	}
	return onMesh(t, text, src)
}

// onMesh returns a solver of a deck on a mesh, nil for none.
func onMesh(t testing.TB, text string, src *mesh.Source) *solver.Solver {
	t.Helper()
	d, err := deck.Parse("model.toml", []byte(text))
	noError(t, err)
	m, _, err := d.Build(src)
	noError(t, err)
	s, err := solver.New(m)
	noError(t, err)
	return s
}

// noError ends the test at an error.
func noError(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// through runs a solver to its end.
func through(t testing.TB, s *solver.Solver, row func()) {
	t.Helper()
	if row == nil {
		row = func() {}
	}
	do := func() error { row(); return nil }
	noError(t, statics.Run(context.Background(), s, solver.Observer{Row: do, Frame: func() error { return nil }, Contact: func() error { return nil }}))
}

const soft = "[[material]]\nname = \"gel\"\nyoung = \"5 MPa\"\npoisson = 0.3\ndensity = 1000\n"

const twoBlocks = `
[[rectangle]]
name = "left"
from = [0, 0]
to = ["0.1 m", "0.1 m"]
edge = "25 mm"
right = "right of left"
[[rectangle]]
name = "other"
from = ["0.3 m", "0.05 m"]
to = ["0.4 m", "0.12 m"]
edge = "25 mm"
left = "left of other"
`

// joined is two blocks and a disc that fly and turn, held together by springs
// along their lines from groups, positions in triangles and on the disc.
const joined = `
[analysis]
duration = "60 ms"
thickness = "20 mm"
[output]
history_every = "1 ms"
` + soft + `
[[body]]
name = "left"
material = "gel"
velocity = ["0.5 m/s", "2 m/s"]
angular_velocity = 20
[[body]]
name = "other"
material = "gel"
velocity = ["-1 m/s", 0]
[[rigid]]
name = "disc"
shape = "disc"
centre = ["0.2 m", "0.3 m"]
radius = "50 mm"
mass = 0.2
angular_velocity = 30
[[spring]]
on = "right of left"
to = "left of other"
stiffness = "3 kN/m"
damping = "2 N s/m"
preload = "5 N"
[[spring]]
name = "place"
on = "left"
at = ["31 mm", "77 mm"]
to = "disc"
to_at = ["0.17 m", "0.31 m"]
stiffness = "2 kN/m"
free_length = "0.2 m"
only = "tension"
damping = "1 N s/m"
[[spring]]
on = "other"
to = "disc"
to_at = ["0.25 m", "0.3 m"]
curve = [[0, 0], ["10 mm", "20 N"], ["50 mm", "40 N"]]
`

// together sums momentum and angular momentum of meshed bodies and rigid ones.
func together(s *solver.Solver) (p r2.Vec, l float64) {
	for _, m := range s.Motions() {
		p = r2.Add(p, m.Momentum)
		l += elementary.Cross(m.Centre, m.Momentum)
	}
	v := make([]r2.Vec, len(s.X))
	s.Velocities(v)
	for i := range s.Model.Bodies {
		m := s.Motions()[i]
		for _, t := range s.Mesh.Triangles[s.Mesh.Bodies[i].First:s.Mesh.Bodies[i].End] {
			a, b, c := s.Mesh.X[t[0]], s.Mesh.X[t[1]], s.Mesh.X[t[2]]
			third := s.Materials[s.Model.Bodies[i].Material].Density * s.Thickness * 0.5 * elementary.Cross(r2.Sub(b, a), r2.Sub(c, a)) / 3
			for _, n := range t {
				l += third * elementary.Cross(r2.Sub(s.X[n], m.Centre), r2.Sub(v[n], m.Velocity))
			}
		}
		for e := s.Mesh.Bodies[i].FirstBeam; e < s.Mesh.Bodies[i].EndBeam; e++ {
			half, inertia := s.Kinds.Beams.Lumped(int(e))
			for _, n := range s.Mesh.Beams[e] {
				l += half*elementary.Cross(r2.Sub(s.X[n], m.Centre), r2.Sub(v[n], m.Velocity)) + inertia*s.NodeSpin(nodes.Node(n))
			}
		}
	}
	for i, r := range s.Rigids {
		l += r.Inertia * s.Motions()[len(s.Model.Bodies)+i].AngularVelocity
	}
	return p, l
}

// drift is how far momentum and angular momentum go from those of the start, relative to these.
type drift struct {
	p0                r2.Vec
	l0                float64
	momentum, angular float64
}

func (d *drift) follow(s *solver.Solver) {
	p, l := together(s)
	if s.N == 0 {
		d.p0, d.l0 = p, l
	}
	d.momentum, d.angular = max(d.momentum, elementary.Norm(r2.Sub(p, d.p0))/elementary.Norm(d.p0)), max(d.angular, math.Abs(l-d.l0)/math.Abs(d.l0))
}

// check fails if momentum or angular momentum has changed.
func (d *drift) check(t *testing.T) {
	t.Helper()
	if d.momentum > 1e-12 || d.angular > 1e-12 {
		t.Errorf("momentum changes by %g, angular momentum by %g", d.momentum, d.angular)
	}
}

// Springs along their lines keep momentum, angular momentum and the ledger.
func TestSpringsKeepMomentum(t *testing.T) {
	s := built(t, joined, twoBlocks)
	var kept drift
	stretched, slack := 0.0, false
	through(t, s, func() {
		kept.follow(s)
		for _, f := range s.Kinds.Springs.Forces() {
			stretched = max(stretched, math.Abs(f.Force))
			slack = slack || f.Name == "place" && f.Force == 0 && s.N > 0
		}
	})
	e := s.Energies()
	t.Logf("%d steps; momentum to %.2g, angular momentum to %.2g, residual %.2g; dissipated %.3g J", s.N, kept.momentum, kept.angular, s.Relative(e), e.SpringDissipated)
	kept.check(t)
	if s.Relative(e) > 2e-4 || !(e.SpringDissipated > 0) || !(stretched > 20) {
		t.Errorf("residual %g, dissipated %g J, greatest force %g N", s.Relative(e), e.SpringDissipated, stretched)
	}
	if !slack {
		t.Error("the cable is never slack")
	}
}

// A mass on a spring with a dashpot swings as theory says, along a line, by
// components, and turning.
func TestSpringSwings(t *testing.T) {
	const m, k, c, v0 = 2.0, 200.0, 4.0, 0.5
	const inertia = 0.01
	const kr, cr, w0 = 1.0, 0.02, 3.0
	for name, spring := range map[string]string{
		"line":       "to_at = [1, 0]\nstiffness = 200\ndamping = 4",
		"components": "components = [\"x\"]\nstiffness = 200\ndamping = 4",
		"curve":      "components = [\"x\"]\ncurve = [[-1, -200], [1, 200]]\ndamping = 4",
		"turning":    "rotation_stiffness = 1\nrotation_damping = 0.02",
	} {
		s := built(t, "analysis = { duration = \"2 s\" }\noutput = { history_every = \"5 ms\" }\n[[rigid]]\nname = \"mass\"\nshape = \"box\"\nwidth = 0.1\nheight = 0.2\ncentre = [0, 0]\nmass = 2\ninertia = 0.01\nvelocity = [0.5, 0]\nangular_velocity = 3\n[[spring]]\non = \"mass\"\n"+spring, "")
		worst, far := 0.0, 0.0
		through(t, s, func() {
			at, start, stiff, slow, mass := s.RigidMotions[0].Centre.X, v0, k, c, m
			if name == "turning" {
				at, start, stiff, slow, mass = s.RigidMotions[0].Angle, w0, kr, cr, inertia
			}
			d := slow / (2 * mass)
			w := math.Sqrt(stiff/mass - d*d)
			far = max(far, math.Abs(at))
			worst = max(worst, math.Abs(at-start/w*math.Exp(-d*s.Time)*math.Sin(w*s.Time)))
		})
		e := s.Energies()
		t.Logf("%s: off by %.2g of the amplitude, %d steps; residual %.2g", name, worst/far, s.N, s.Relative(e))
		if worst > 5e-4*far || s.Relative(e) > 1e-4 {
			t.Errorf("%s: off by %g of %g; residual %g", name, worst, far, s.Relative(e))
		}
	}
}

// A spring of constant force, by its curve or by its preload, pulls as a weight on a pulley does:
// it has no stiffness along its line, and that of a string across it.
func TestSpringOfConstantForce(t *testing.T) {
	const force, mass, length, end = 50.0, 2.0, 4.0, 0.1
	for name, spring := range map[string]string{"curve": "curve = [[-1, 50], [1, 50]]", "preload": "preload = 50"} {
		s := built(t, "analysis = { duration = \"0.1 s\" }\n[[rigid]]\nname = \"mass\"\nshape = \"disc\"\nradius = 0.1\ncentre = [0, 0]\nmass = 2\nvelocity = [0, 0.5]\n[[spring]]\non = \"mass\"\nto_at = [4, 0]\n"+spring, "")
		through(t, s, nil)
		at, w := s.RigidMotions[0].Centre, math.Sqrt(force/(mass*length))
		along, across := force/(2*mass)*end*end, 0.5/w*math.Sin(w*end)
		if math.Abs(at.X-along) > 2e-3*along || math.Abs(at.Y-across) > 2e-3*across || s.Relative(s.Energies()) > 1e-4 {
			t.Errorf("%s: at %v, want (%g, %g); residual %g", name, at, along, across, s.Relative(s.Energies()))
		}
		if given := force * along; s.Ledger.Entered < 0.9*given { // or rounding makes the run "unstable"
			t.Errorf("%s: the greatest energy moved is %g J, the spring gave %g", name, s.Ledger.Entered, given)
		}
	}
}

// The tangent of springs is the derivative of their forces: of lines under
// force, of a rigid body with arms, of a beam that turns.
func TestTangentOfSprings(t *testing.T) {
	s := built(t, `
analysis = { type = "static" }
material = [{ name = "gel", young = 5e3, poisson = 0.3, density = 1000 }]
body = [{ name = "left", material = "gel" }, { name = "other", material = "gel" }]
rigid = [{ name = "disc", shape = "disc", centre = [0.2, 0.3], radius = 0.05, mass = 1 }]
spring = [
	{ on = "left", at = [0.03, 0.07], to = "disc", to_at = [0.17, 0.31], stiffness = 2000, preload = 50 },
	{ on = "right of left", to = "left of other", stiffness = 3000, preload = -40 },
	{ on = "disc", to_at = [0.5, 0.6], curve = [[-1, -100], [0.0001, 0], [1, 500]], rotation_stiffness = 7 },
	{ name = "bed", on = "left", stiffness = 900 },
]
`, twoBlocks)
	f := s.Freedoms
	want := make([][]float64, f.N)
	for i := range want {
		want[i] = make([]float64, f.N)
	}
	add := func(k float64, freedom []int32, g []float64) {
		for i, a := range freedom {
			for j, b := range freedom {
				want[a][b] += k * g[i] * g[j]
			}
		}
	}
	d := make([]float64, f.N)
	for i := range d {
		d[i] = 1e-3 * math.Sin(float64(7*i))
	}
	var from system.Positions
	from.Copy(s.Freedoms)
	f.Move(&from, d, 1)
	residual := func() []float64 {
		r := make([]float64, f.N)
		noError(t, s.Try(&from, 1))
		f.Collect(r)
		return r
	}
	residual()
	s.Stiffen(f, add)
	p, value := s.Pattern(len(s.X)), []float64(nil)
	value = make([]float64, len(p.Col))
	s.AddStiffness(p, value)
	for n := range s.X {
		for c := range 2 {
			i := f.Moves[n][c]
			if i < 0 || f.Body[n] >= 0 {
				continue
			}
			row := int(p.First[n]) + c
			for at := p.RowPtr[row]; at < p.RowPtr[row+1]; at++ {
				for m := range s.X {
					if k := p.Col[at] - p.First[m]; k >= 0 && k < 2 && f.Body[m] < 0 && f.Moves[m][k] >= 0 {
						want[i][f.Moves[m][k]] += value[at]
					}
				}
			}
		}
	}
	const h = 1e-6
	worst, most := 0.0, 0.0
	for i := range d {
		d[i] += h
		f.Move(&from, d, 1)
		up := residual()
		d[i] -= 2 * h
		f.Move(&from, d, 1)
		down := residual()
		d[i] += h
		for j := range up {
			got := -(up[j] - down[j]) / (2 * h)
			worst, most = max(worst, math.Abs(got-want[j][i])), max(most, math.Abs(want[j][i]))
		}
	}
	t.Logf("off by %.2g of %.3g N/m", worst, most)
	if worst > 1e-8*most {
		t.Errorf("the tangent is off by %g of %g N/m", worst, most)
	}
}

// A cable holds a hanging disc, in statics as in dynamics, and does not hinder its motion upwards.
func TestCable(t *testing.T) {
	text := `
rigid = [{ name = "disc", shape = "disc", centre = [0, 0], radius = 0.05, mass = 2 }]
spring = [
	{ name = "a", on = "disc", to_at = [-3, 4], stiffness = 1000, only = "tension" },
	{ name = "b", on = "disc", to_at = [3, 4], stiffness = 1000, only = "tension" },
	{ name = "hold", on = "disc", rotation_stiffness = 10, stiffness = 10, components = ["x"] },
]
`
	s := built(t, "analysis = { type = \"static\", gravity = [0, -9.81] }\n"+text, "")
	through(t, s, nil)
	// By hand: 2 k (l - l0) sin = m g, with l the length now.
	y := 0.0
	for range 100 {
		l := math.Hypot(3, 4+y)
		f := 2*1000*(l-5)*(4+y)/l - 2*9.81
		df := 2 * 1000 * ((4+y)/l*(4+y)/l + (l-5)/l*(1-(4+y)/l*(4+y)/l))
		y -= f / df
	}
	t.Logf("hangs at %.9g m, by hand %.9g m, %d increments", s.RigidMotions[0].Centre.Y, -y, s.N)
	if math.Abs(s.RigidMotions[0].Centre.Y+y) > 1e-9 {
		t.Errorf("hangs at %g m, by hand %g m", s.RigidMotions[0].Centre.Y, -y)
	}
}

// A spring that is installed during a run has no force at that moment, and acts from then on; one
// with a preload has that. What it stores at its installation is work from outside, and so is what
// it gives as it is taken out.
func TestSpringsComeAndGo(t *testing.T) {
	const m, k1, k2, v0, t0 = 2.0, 200.0, 100.0, 0.5, 0.1
	const mass = "output = { history_every = \"5 ms\" }\n[[rigid]]\nname = \"mass\"\nshape = \"box\"\nwidth = 0.1\nheight = 0.2\ncentre = [0, 0]\nmass = 2\nvelocity = [0.5, 0]\n[[spring]]\nname = \"first\"\non = \"mass\"\ncomponents = [\"x\"]\nstiffness = 200\n"
	for name, spring := range map[string]string{
		"components": "components = [\"x\"]\nstiffness = 100",
		"line":       "to_at = [-4, 0]\nstiffness = 100",
		"preload":    "to_at = [-4, 0]\nstiffness = 100\npreload = 10",
		"curve":      "components = [\"x\"]\ncurve = [[-1, -100], [1, 100]]",
	} {
		s := built(t, "analysis = { duration = \"1 s\" }\n"+mass+"[[spring]]\nname = \"second\"\non = \"mass\"\ntime = \"0.1 s\"\n"+spring, "")
		w1, w2 := math.Sqrt(k1/m), math.Sqrt((k1+k2)/m)
		x0, u0 := v0/w1*math.Sin(w1*t0), v0*math.Cos(w1*t0)
		rest := k2 * x0 / (k1 + k2)
		if name == "preload" {
			rest -= 10 / (k1 + k2)
		}
		worst := 0.0
		through(t, s, func() {
			at, want := s.RigidMotions[0].Centre.X, v0/w1*math.Sin(w1*s.Time)
			if since := s.Time - t0; since > 0 {
				want = rest + (x0-rest)*math.Cos(w2*since) + u0/w2*math.Sin(w2*since)
			}
			worst = max(worst, math.Abs(at-want)*w1/v0)
		})
		t.Logf("%s: off by %.2g of the amplitude, residual %.2g", name, worst, s.Relative(s.Energies()))
		if worst > 1e-2 || s.Relative(s.Energies()) > 1e-4 { // the step in which it comes is a hundredth of a period
			t.Errorf("%s: off by %g of the amplitude; residual %g", name, worst, s.Relative(s.Energies()))
		}
	}
	// taken out slowly, it leaves the mass to the first spring
	s := built(t, "analysis = { duration = \"3 s\" }\n"+mass+"[[spring]]\nname = \"second\"\non = \"mass\"\ncomponents = [\"x\"]\nstiffness = 100\ntime = \"0.1 s\"\nuntil = \"0.5 s\"\nramp = \"0.5 s\"\n", "")
	least, most, force := 0.0, 0.0, 0.0
	through(t, s, func() {
		if s.Time > 1 {
			least, most = min(least, s.RigidMotions[0].Centre.X), max(most, s.RigidMotions[0].Centre.X)
			force = max(force, math.Abs(s.Kinds.Springs.Forces()[1].Force))
		}
	})
	e := s.Energies()
	if force != 0 || math.Abs(least+most) > 1e-3*most || s.Relative(e) > 2e-4 || !(e.ExternalWork < 0) {
		t.Errorf("taken out it has %g N, the mass swings from %g to %g m; residual %g, external work %g J", force, least, most, s.Relative(e), e.ExternalWork)
	}
}

// A load that acts from one time to another gives a mass the impulse F (t1 - t0 + ramp/2), with its work
// in the ledger; in statics it grows from its time on.
func TestLoadsComeAndGo(t *testing.T) {
	const mass = "[[rigid]]\nname = \"mass\"\nshape = \"box\"\nwidth = 0.1\nheight = 0.2\ncentre = [0, 0]\nmass = 2\n"
	s := built(t, "analysis = { duration = \"1 s\", step = \"0.1 ms\" }\n"+mass+"[[load]]\non = \"mass\"\nforce = [3, 0]\ntime = 0.2\nuntil = 0.5\nramp = 0.2\n", "")
	through(t, s, nil)
	e, got, want := s.Energies(), s.RigidMotions[0].Velocity.X, 3.0/2*(0.3+0.1)
	t.Logf("%.6g m/s, want %.6g; work %.6g J, want %.6g", got, want, e.ExternalWork, want*want)
	if math.Abs(got-want) > 2e-4*want || math.Abs(e.ExternalWork-got*got) > 1e-9 || math.Abs(e.Residual) > 1e-9 {
		t.Errorf("a mass of 2 kg moves at %g m/s, want %g; work %g J, residual %g J", got, want, e.ExternalWork, e.Residual)
	}
	s = built(t, "analysis = { type = \"static\", increments = 10 }\n"+mass+"[[spring]]\non = \"mass\"\ncomponents = [\"x\", \"y\"]\nstiffness = 10\nrotation_stiffness = 1\n[[load]]\non = \"mass\"\nforce = [3, 0]\ntime = 0.6\n", "")
	through(t, s, func() {
		if got, want := s.RigidMotions[0].Centre.X, 0.3*max(0, s.Time-0.6)/0.4; math.Abs(got-want) > 1e-9 {
			t.Errorf("at %g a load that grows from 0.6 on moves its mass by %g m, want %g", s.Time, got, want)
		}
	})
}

// A prop that is installed under a load carries of a second load its share of the stiffness, and
// nothing of the first; a pretensioned one its preload on top of that.
func TestPropInStages(t *testing.T) {
	const p1, p2, kc, kp = 1000.0, 600.0, 1e6, 5e5
	for name, preload := range map[string]float64{"": 0, "preload = -200\n": -200} {
		s := built(t, "analysis = { type = \"static\", increments = 10 }\n[[rigid]]\nname = \"mass\"\nshape = \"box\"\nwidth = 0.1\nheight = 0.2\ncentre = [0, 0]\nmass = 2\n"+
			"[[load]]\non = \"mass\"\nforce = [\"1 kN\", 0]\nschedule = [[0, 0], [0.5, 1], [1, 1.6]]\n[[spring]]\nname = \"guide\"\non = \"mass\"\ncomponents = [\"y\"]\nstiffness = 1e6\nrotation_stiffness = 1e6\n"+
			"[[spring]]\nname = \"ground\"\non = \"mass\"\ncomponents = [\"x\"]\nstiffness = \"1 MN/m\"\n[[spring]]\nname = \"prop\"\non = \"mass\"\nto_at = [4, 0]\nstiffness = \"0.5 MN/m\"\ntime = 0.5\n"+name, "")
		through(t, s, nil)
		got, want := s.Kinds.Springs.Forces()[2].Force, preload-(p2+preload)*kp/(kc+kp)
		e := s.Energies()
		t.Logf("prop %.6g N, want %.6g; residual %.2g J of %.2g", got, want, e.Residual, e.SpringStored)
		if math.Abs(got-want) > 1e-4*p2 || math.Abs(e.Residual) > 2e-2*e.SpringStored {
			t.Errorf("the prop carries %g N, want %g; residual %g J", got, want, e.Residual)
		}
	}
}

// A lining that is installed in a tunnel when 40 % of the forces of what is excavated have faded carries what
// Einstein and Schwartz (J. Geotech. Eng. Div. 105 GT4, 1979, 499-518, no slip) give for the rest,
// with the moment of straight beams, in motion and in a static analysis.
func TestLiningInStages(t *testing.T) {
	for _, c := range []struct{ name, analysis, dig string }{
		{"in balance", `type = "static", increments = 4`, "time = 0.1\nramp = 0.8"},
		{"in motion", `duration = "1.3 s", damping = { mass = "20 1/s" }`, `ramp = "0.8 s"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "in motion" {
				cases.WithAll(t)
			}
			s := onMesh(t, fmt.Sprintf(linedTunnel, c.analysis, "after = \"tunnel\"\nrelaxation = \"40 %\"", c.dig), linedMesh())
			through(t, s, nil)
			checkLining(t, s, [3]float64{1.03294e6, 3.22601e5, 1.68176e4}, [3]float64{0.01, 0.02, 0.03})
		})
	}
}

const linings = 24 // beams in a quarter

// linedMesh is a quarter of a tunnel of 3 m in 40 rings of triangles to 20 radii, with the lines "lining",
// "far", "bottom" and "side".
func linedMesh() *mesh.Source {
	const radius, count, rings = 3.0, linings, 40
	src := &mesh.Source{Name: "tunnel"}
	at := func(r float64, i int) int32 {
		sin, cos := math.Sincos(0.5 * math.Pi * float64(i) / count)
		if i == count {
			cos = 0
		}
		return src.AddNode(r2.Vec{X: r * cos, Y: r * sin})
	}
	rock, tunnel := mesh.SourceGroup{Name: "rock", Dim: 2, Number: 1}, mesh.SourceGroup{Name: "tunnel", Dim: 2, Number: 2}
	lines := map[string]*mesh.SourceGroup{}
	for i, name := range []string{"lining", "far", "bottom", "side"} {
		lines[name] = &mesh.SourceGroup{Name: name, Dim: 1, Number: 3 + i}
	}
	line := func(name string, a, b int32) { lines[name].Elements = append(lines[name].Elements, src.AddLine(a, b)) }
	middle := src.AddNode(r2.Vec{})
	var was []int32
	for k := range rings + 1 {
		var now []int32
		for i := range count + 1 {
			now = append(now, at(radius*math.Pow(20, float64(k)/rings), i))
		}
		for i := range count {
			switch a, b := now[i], now[i+1]; {
			case k == 0:
				tunnel.Elements = append(tunnel.Elements, src.AddTriangle(middle, a, b))
				line("lining", a, b)
			case (i+k)%2 == 0:
				rock.Elements = append(rock.Elements, src.AddTriangle(was[i], a, b), src.AddTriangle(was[i], b, was[i+1]))
			default:
				rock.Elements = append(rock.Elements, src.AddTriangle(was[i], a, was[i+1]), src.AddTriangle(a, b, was[i+1]))
			}
			if k == rings {
				line("far", now[i], now[i+1])
			}
		}
		if k == 0 {
			was = []int32{middle}
			was = append(was, middle)
		}
		line("bottom", was[0], now[0])
		line("side", was[len(was)-1], now[count])
		was = now
	}
	src.Groups = []mesh.SourceGroup{rock, tunnel, *lines["lining"], *lines["far"], *lines["bottom"], *lines["side"]}
	for i, n := range []int32{1, 1 + count} {
		src.Points = append(src.Points, n)
		src.Groups = append(src.Groups, mesh.SourceGroup{Name: []string{"springline", "crown"}[i], Dim: 0, Number: 7 + i, Elements: []int32{int32(i)}})
	}
	return src
}

// linedTunnel is its deck, with the keys of the analysis, of the lining and of the excavation.
const linedTunnel = `analysis = { %s, plane = "strain" }
[[material]]
name = "ground"
young = "1 GPa"
poisson = 0.25
density = 2000
[[material]]
name = "concrete"
young = "25 GPa"
poisson = 0.2
density = 2400
[[body]]
name = "rock"
material = "ground"
[[body]]
name = "tunnel"
material = "ground"
[[beam]]
name = "lining"
material = "concrete"
height = "0.3 m"
%s
[[initial_stress]]
stress = ["-0.5 MPa", "-1 MPa", 0]
[[fix]]
on = "far"
[[fix]]
on = "bottom"
components = ["y"]
[[fix]]
on = "side"
components = ["x"]
[[fix]]
on = "springline"
components = ["rotation"]
[[fix]]
on = "crown"
components = ["rotation"]
[[excavate]]
in = ["tunnel"]
%s
`

// checkLining compares the mean thrust of a lining [N/m], its variation and the moment with what is wanted.
func checkLining(t *testing.T, s *solver.Solver, want, allowed [3]float64) {
	t.Helper()
	forces := make([]fem.BeamForces, linings)
	s.Kinds.Beams.ForcesNow(forces)
	var n0, n2, m2 float64
	for i := range forces {
		b := s.Mesh.Beams[i]
		x := r2.Add(s.Mesh.X[b[0]], s.Mesh.X[b[1]])
		cos := (x.X*x.X - x.Y*x.Y) / (x.X*x.X + x.Y*x.Y) // of twice the angle
		n0 -= forces[i].N / linings
		n2 -= 2 * forces[i].N * cos / linings
		m2 += 2 * forces[i].Moment() * cos / linings
	}
	t.Logf("%d steps: thrust %.5g + %.5g cos 2a N/m, moment %.5g N; residual %.2g", s.N, n0, n2, m2, s.Relative(s.Energies()))
	for i, got := range [3]float64{n0, n2, math.Abs(m2)} {
		if name := [3]string{"mean thrust", "its variation", "moment"}[i]; math.Abs(got/want[i]-1) > allowed[i] {
			t.Errorf("%s is %.5g, want %.5g to %g %%", name, got, want[i], 100*allowed[i])
		}
	}
	if s.Relative(s.Energies()) > 1e-4 {
		t.Errorf("residual %g", s.Relative(s.Energies()))
	}
}
