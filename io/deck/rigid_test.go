package deck

import (
	"errors"
	"math"
	"strings"
	"testing"

	"fdem/contactnodes"
	"fdem/io/tables"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// walls is a deck of rigid bodies alone.
const walls = `[analysis]
duration = "10 ms"
thickness = "10 mm"

[[material]]
name = "steel"
young = "210 GPa"
poisson = 0.3
density = "7860 kg/m3"

[[material]]
name = "brass"
young = "100 GPa"
poisson = 0.34
density = "8500 kg/m3"

[[law]]
name = "hard"
model = "linear"
k = "1 GPa/mm"

[[law]]
name = "soft"
model = "linear"
k = "1 MPa/mm"

[[rigid]]
name = "floor"
shape = "line"
from = ["-1 m", 0]
to = ["1 m", 0]
material = "steel"

[[rigid]]
name = "ball"
shape = "disc"
centre = [0, "60 mm"]
radius = "50 mm"
material = "brass"
fixed = false
velocity = ["1 m/s", 0]
angular_velocity = "2 rad/s"

[[rigid]]
name = "die"
shape = "box"
centre = ["0.5 m", "100 mm"]
width = "40 mm"
height = "20 mm"
angle = "90 deg"
motion = [["0 s", "0.5 m", "100 mm"], ["100 %", "0.5 m", "90 mm", "10 deg"]]
material = "steel"

[[rigid]]
name = "cup"
shape = "hollow"
centre = [0, 0]
radius = "2 m"
mass = "3 kg"
material = "steel"

[[contact]]
contactor = "ball"
opposite = "all"
law = [["steel", "steel", "hard"], ["brass", "steel", "soft"]]
friction = 0.2
static_friction = 0.3
friction_model = "stick"
stick_stiffness = "1 GPa/mm"
overlap = "allow"
overlap_ramp = "1 ms"
`

func TestRigids(t *testing.T) {
	m, warnings, err := unmeshed("walls.toml", walls)
	if err != nil || len(warnings) != 0 {
		t.Fatalf("error %v, warnings %q", err, warnings)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
			t.Errorf("%s is %g, want %g", what, got, want)
		}
	}
	floor, ball, die, cup := m.Rigids[0], m.Rigids[1], m.Rigids[2], m.Rigids[3]
	if floor.Mass != 0 || floor.Motion != nil || die.Motion == nil || die.Mass != 0 {
		t.Errorf("floor %+v, die %+v", floor, die)
	}
	// the floor's solid is below: its outline runs to the left
	e := m.Mesh.Edges[0]
	if m.Mesh.X[e.A] != (r2.Vec{X: 1}) || m.Mesh.X[e.B] != (r2.Vec{X: -1}) || e.Prev != -1 || e.Next != -1 {
		t.Errorf("the floor's edge is %+v", e)
	}
	near("mass", ball.Mass, 8500*math.Pi*0.05*0.05*0.01)
	near("inertia", ball.Inertia, ball.Mass*0.05*0.05/2)
	near("velocity", ball.Velocity.X, 1)
	near("spin", ball.AngularVelocity, 2)
	near("ring", cup.Inertia, 3*4)
	p, angle := die.Motion(5e-3)
	near("die", p.Y, 0.095)
	near("die's angle", angle, 5*math.Pi/180)
	lo, hi := m.Mesh.Bodies[2].Extent(m.Mesh)
	near("die's width, turned", hi.X-lo.X, 0.02)
	near("die's height, turned", hi.Y-lo.Y, 0.04)
	for i, want := range []float64{0.1 * 2, 0.1 * 0.025, 0.1 * 0.01, 0.1 * 2} {
		near("depth", m.Mesh.Bodies[i].Depth, want)
	}
	if len(m.Contacts) != 2 || m.Contacts[0].Name != "ball-all.steel-steel" || m.Contacts[1].Name != "ball-all.brass-steel" || *m.Contacts[1].Pair != [2]int32{1, 0} {
		t.Fatalf("contacts %+v", m.Contacts)
	}
	c := m.Contacts[1]
	if c.Friction != (contactnodes.Friction{Kinetic: 0.2, Static: 0.3, Speed: 1e-3, Stiffness: 1e12}) || c.Overlap != (contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 1e-3}) {
		t.Errorf("friction %+v, overlap %+v", c.Friction, c.Overlap)
	}
	if want := len(m.Mesh.Edges) - 64; len(c.Opposite) != want {
		t.Errorf("the ball meets %d edges, want the %d that are not its own", len(c.Opposite), want)
	}
}

func TestMotions(t *testing.T) {
	for _, c := range []struct {
		motion string
		x, y   float64 // at half the duration
		angle  float64
	}{
		{`["0.5 + 2*t", "100 mm"]`, 0.51, 0.1, 0},
		{`["0.5 m", "0.1 - 0.01*sin(pi*t/10e-3)", "3*t"]`, 0.5, 0.09, 0.015},
		{`{ velocity = ["1 m/s", "-2 m/s"], angular_velocity = 4 }`, 0.505, 0.09, 0.02},
	} {
		m, _, err := unmeshed("walls.toml", swap(t, walls, `[["0 s", "0.5 m", "100 mm"], ["100 %", "0.5 m", "90 mm", "10 deg"]]`, c.motion))
		if err != nil {
			t.Errorf("%s: %v", c.motion, err)
			continue
		}
		p, angle := m.Rigids[2].Motion(5e-3)
		if math.Abs(p.X-c.x) > 1e-12 || math.Abs(p.Y-c.y) > 1e-12 || math.Abs(angle-c.angle) > 1e-12 {
			t.Errorf("%s: at %v turned by %g", c.motion, p, angle)
		}
	}
}

// A driven body has the velocity of its own motion at the start, whatever the duration of the run.
func TestMotionAtTheStart(t *testing.T) {
	for _, c := range []struct {
		motion string
		want   [3]float64 // velocity [m/s] and spin [rad/s]
		share  float64    // to which it is right
	}{
		{`[["0 s", "0.5 m", "100 mm"], ["20 %", "0.504 m", "100 mm", "10 deg"], ["100 %", "0.5 m", "100 mm"]]`, [3]float64{2, 0, math.Pi / 18 / 2e-3}, 1e-12},
		{`[["1 ms", "0.5 m", "100 mm"], ["100 %", "0.5 m", "90 mm"]]`, [3]float64{}, 0},
		{`["0.5 + 2*t", "0.1 + 5*t*t", "min(t, 1e-4)*30"]`, [3]float64{2, 0, 30}, 1e-9},
		{`["0.499 + 1e-3*exp(-3e4*t)", "0.1 + 0.02*sin(2*pi*1024*t)"]`, [3]float64{-30, 40.96 * math.Pi, 0}, 1e-7},
		{`["0.5 + max(0, t - 1e-3)", "0.1 - 0.01*(1 - cos(1e4*t))"]`, [3]float64{}, 1e-7},
		{`{ velocity = ["1 m/s", "-2 m/s"], angular_velocity = 4 }`, [3]float64{1, -2, 4}, 0},
		{`{ velocity = ["1 m/s", "-2 m/s"], ramp = "1 ms" }`, [3]float64{}, 0},
	} {
		m, _, err := unmeshed("walls.toml", swap(t, walls, `[["0 s", "0.5 m", "100 mm"], ["100 %", "0.5 m", "90 mm", "10 deg"]]`, c.motion))
		if err != nil {
			t.Errorf("%s: %v", c.motion, err)
			continue
		}
		r := &m.Rigids[2]
		for i, got := range [3]float64{r.Velocity.X, r.Velocity.Y, r.AngularVelocity} {
			if !(math.Abs(got-c.want[i]) <= c.share*(1+math.Abs(c.want[i]))) {
				t.Errorf("%s: component %d begins with %.12g, want %.12g", c.motion, i, got, c.want[i])
			}
		}
	}
}

// A rigid body is not cut out of what is a deformable body as well.
func TestRigidOnABody(t *testing.T) {
	d, err := Parse("full.toml", []byte(swap(t, full, "[[probe]]", "[[rigid]]\nname = \"block\"\nshape = \"polygon\"\non = \"target\"\n[[probe]]")))
	if err != nil {
		t.Fatal(err)
	}
	const want = `full.toml:76:6: rigid "block": body "target" has triangles of the surface "target" of this rigid body`
	if _, _, err := d.Build(squares()); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Every mistake of a rigid body or of how bodies meet is shown at its position.
func TestRigidMistakes(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`shape = "line"`, `shape = "lime"`, `29:9: rigid "floor": shape must be one of "line", "disc", "box", "polygon", "hollow", got "lime": did you mean "line"?`},
		{`shape = "line"`, ``, `shape is missing, for instance shape = "line"`},
		{`to = ["1 m", 0]`, `to = ["-1 m", 0]`, "the line has no length"},
		{`to = ["1 m", 0]`, ``, "to is missing"},
		{`radius = "50 mm"`, `radius = "-50 mm"`, "radius must be positive, got -0.05 m"},
		{`radius = "50 mm"`, `diameter = "50 mm"`, `unknown key "diameter"`},
		{`width = "40 mm"`, `widht = "40 mm"`, `unknown key "widht": did you mean "width"?`},
		{`name = "ball"`, `name = "floor"`, "there is a body of this name already"},
		{`fixed = false`, `fixed = true`, "velocity is for a free body, and this body is fixed"},
		{`angle = "90 deg"`, "angle = \"90 deg\"\nmass = 1", "mass is for a free body, and this body is driven by its motion"},
		{`angle = "90 deg"`, "angle = \"90 deg\"\nfixed = true", "either fixed or follows a motion"},
		{`"0.5 m", "100 mm"], [`, `"0.4 m", "100 mm"], [`, "the motion starts at (0.4, 0.1) m with an angle of 0 rad, but the body's centre is at (0.5, 0.1) m and its angle 0"},
		{`["100 %", "0.5 m", "90 mm", "10 deg"]`, `["100 %", "0.5 m"]`, "table of [time, x, y]"},
		{`["100 %", "0.5 m", "90 mm", "10 deg"]`, `["-1 s", "0.5 m", "90 mm"]`, "must not decrease"},
		{`motion = [[`, `motion = 3 #`, "motion must be a table"},
		{`mass = "3 kg"`, `density = 3`, "a free body needs a mass"},
		{`mass = "3 kg"`, "mass = \"3 kg\"\ndensity = 3", "either the mass or the density"},
		{`mass = "3 kg"`, `mass = "0 kg"`, "mass must be positive"},
		{"fixed = false", "fixed = false\ndepth = \"60 mm\"", "depth must not exceed 0.025 m"},
		{"fixed = false", "fixed = false\nedges = 3", "edges must lie between 8"},
		{"material = \"brass\"\nfixed", "material = \"bras\"\nfixed", `there is no material "bras": did you mean "brass"?`},
		{"material = \"brass\"\nfixed", "fixed", "a free body needs a mass, a density or a material"},
		{`["brass", "steel", "soft"]`, `["brass", "steel", "sofd"]`, `there is no [[law]] named "sofd"`},
		{`["brass", "steel", "soft"]`, `["brass", "steel", "auto"]`, `there is no [[law]] named "auto"; without the key law the contact is linear`},
		{`["brass", "steel", "soft"]`, `["brass", "steel"]`, "list of [material, material, law]"},
		{`["brass", "steel", "soft"]`, `["brass", "brass", "soft"]`, "there is no law for brass on steel"},
		{`["brass", "steel", "soft"]`, `["brass", "steel", "soft"], ["steel", "brass", "hard"]`, "lists the materials steel and brass twice"},
		{`law = [["steel", "steel", "hard"], ["brass", "steel", "soft"]]`, `law = []`, "the list of laws is empty: give it an entry [material, material, law]"},
		{`opposite = "all"`, `opposite = "ball"`, "for contact of a body with itself say self = true"},
		{`opposite = "all"`, `opposite = "bal"`, `there is no group or body "bal": did you mean "ball"?`},
		{`overlap = "allow"`, `overlap = "yes"`, `overlap must be one of "refuse", "allow", "subtract", got "yes"`},
		{`overlap = "allow"`, `overlap = "subtract"`, `overlap_ramp goes with overlap = "allow"`},
		{`overlap_ramp = "1 ms"`, `overlap_ramp = "0 s"`, "overlap_ramp must be positive"},
		{`friction_model = "stick"`, `friction_model = "regularised"`, `static_friction goes with friction_model = "stick"`},
		{`stick_stiffness = "1 GPa/mm"`, `stick_stiffness = "automatic"`, "stick_stiffness"},
		{`static_friction = 0.3`, `static_friction = 0.1`, "static_friction must not be below friction, 0.2, got 0.1"},
		{`static_friction = 0.3`, `friction_speed = 0.1`, `friction_speed goes with friction_model = "regularised"`},
		{`friction = 0.2`, `self = 1`, "self must be true or false, got 1"},
	} {
		_, _, err := unmeshed("walls.toml", swap(t, walls, c.old, c.new))
		var e *tables.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got %v\nwant %s", c.new, c.old, err, c.want)
		}
	}
}

// Of laws by pair of materials only those are asked for that can act: not of a
// material on itself where one body has it, nor of bodies that are all held.
func TestPairsThatCannotMeetNeedNoLaw(t *testing.T) {
	deck := walls[:strings.Index(walls, "[[law]]\nname = \"soft\"")] + `
[[material]]
name = "gold"
young = "78 GPa"
poisson = 0.4
density = "19300 kg/m3"
[[rigid]]
name = "floor"
shape = "line"
from = ["-1 m", 0]
to = ["1 m", 0]
material = "steel"
[[rigid]]
name = "die"
shape = "disc"
centre = [0, "160 mm"]
radius = "50 mm"
material = "steel"
motion = ["0", "0.16 - t", "0"]
[[rigid]]
name = "ball"
shape = "disc"
centre = [0, "55 mm"]
radius = "50 mm"
material = "brass"
fixed = false
[[contact]]
contactor = "all"
opposite = "all"
law = [["brass", "steel", "hard"]]
`
	ball := deck[strings.Index(deck, "[[rigid]]\nname = \"ball\""):strings.Index(deck, "[[contact]]")]
	for _, c := range []struct{ name, old, new, want string }{
		{"one that is free between two that are held", "", "", ""},
		{"self, of a rigid body", "opposite = \"all\"", "opposite = \"all\"\nself = true", ""},
		{"a second one", ball, ball + strings.NewReplacer(`"ball"`, `"other"`, `[0, "55 mm"]`, `["1 m", "55 mm"]`).Replace(ball), "there is no law for brass on brass"},
		{"a free die", `motion = ["0", "0.16 - t", "0"]`, "fixed = false", "there is no law for steel on steel"},
		{"a free one of gold", `motion = ["0", "0.16 - t", "0"]`, "fixed = false\n" + strings.NewReplacer(`"ball"`, `"coin"`, "brass", "gold", `[0, "55 mm"]`, `["1 m", "55 mm"]`).Replace(ball), "there is no law for "},
		{"a held one without a material", `material = "steel"` + "\nmotion", "motion", `laws by pair of materials need a material for "die"`},
	} {
		_, _, err := unmeshed("pairs.toml", swap(t, deck, c.old, c.new))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v\nwant %q", c.name, err, c.want)
		}
	}
}

// The displacement of a motion with a ramp is the integral of its smooth step times its speed.
func TestRampedMotion(t *testing.T) {
	const ramp = 0.3
	step := system.SmoothStep(ramp)
	displacement, last := 0.0, 0.0
	for i := range 60000 {
		at := float64(i) / 60000
		displacement += 0.5 * (step(at) + step(last)) * (at - last)
		last = at
		if got := ramped(at, ramp); math.Abs(got-displacement) > 1e-9 {
			t.Fatalf("at %g s the displacement is %g of the speed, want %g", at, got, displacement)
		}
	}
	if got := ramped(2, 0); got != 2 {
		t.Errorf("without a ramp the displacement after 2 s is %g", got)
	}
}

// The mass of a polygon, and polygons that are refused.
func TestRigidPolygon(t *testing.T) {
	deck := walls + "\n[[rigid]]\nname = \"ell\"\nshape = \"polygon\"\ncorners = [[0, 0.2], [0, 0.5], [0.1, 0.5], [0.1, 0.3], [0.4, 0.3], [0.4, 0.2]]\ndensity = 1000\nmaterial = \"steel\"\n"
	m, _, err := unmeshed("walls.toml", deck)
	if err != nil {
		t.Fatal(err)
	}
	r := &m.Rigids[len(m.Rigids)-1]
	if want := 1000 * 0.06 * m.Thickness; math.Abs(r.Mass-want) > 1e-12 || math.Abs(r.Centre.X-0.15) > 1e-12 || math.Abs(r.Centre.Y-0.3) > 1e-12 {
		t.Errorf("mass %g kg about %v", r.Mass, r.Centre)
	}
	for _, c := range []struct{ old, new, want string }{
		{"[[0, 0.2], [0, 0.5], [0.1, 0.5], [0.1, 0.3], [0.4, 0.3], [0.4, 0.2]]", "[[0, 0], [1, 1]]", "a polygon needs at least three corners that are not on one line"},
		{"[[0, 0.2], [0, 0.5], [0.1, 0.5], [0.1, 0.3], [0.4, 0.3], [0.4, 0.2]]", "[[0, 0], [1, 1], [3, 3]]", "a polygon needs at least three corners that are not on one line"},
		{"[0.4, 0.3], [0.4, 0.2]]", "[-0.4, 0.3], [0.4, 0.2]]", "the sides of a polygon may meet only at its corners"},
		{"[0.1, 0.3], [0.4, 0.3]", "[0.1, 0.3], 0.4", "corners must be a list of [x, y]"},
		{"shape = \"polygon\"", "shape = \"polygon\"\nradius = 1", "radius goes with shape = \"disc\" or \"hollow\""},
		{"shape = \"polygon\"", "shape = \"polygon\"\nparted_by = \"seams\"", "parted_by goes with on"},
		{"shape = \"polygon\"", "shape = \"polygon\"\non = \"rock\"", "does not go with on: give either the corners or a surface of the mesh"},
	} {
		_, _, err := unmeshed("walls.toml", swap(t, deck, c.old, c.new))
		var e *tables.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: got %v\nwant %s", c.new, c.old, err, c.want)
		}
	}
}
