package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/io/deck"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// blockOnJoint is a slope of 4 m by 1 m at an angle [rad] with a block of 1 m by 1 m on it,
// one mesh, divided by the curve "joint" of the given shape [m]; one body, or two.
func blockOnJoint(angle, edge float64, bodies int, shape func(x float64) float64) *mesh.Source {
	src := &mesh.Source{Name: "block"}
	n := int(math.Round(1 / edge))
	cos, sin := math.Cos(angle), math.Sin(angle)
	ids := map[[2]int]int32{}
	node := func(i, j int) int32 {
		id, ok := ids[[2]int{i, j}]
		if !ok {
			x := float64(i) * edge
			y := float64(j-n)*edge + shape(x)*(1-math.Abs(float64(j-n))/float64(n))
			id = src.AddNode(r2.Vec{X: x*cos - y*sin, Y: x*sin + y*cos})
			ids[[2]int{i, j}] = id
		}
		return id
	}
	slope := mesh.SourceGroup{Name: "slope", Dim: 2, Number: 1}
	block := mesh.SourceGroup{Name: "block", Dim: 2, Number: 2}
	add := func(g *mesh.SourceGroup, i, j int) {
		a, b, c, d := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
		if (i+j)%2 == 0 {
			g.Elements = append(g.Elements, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
		} else {
			g.Elements = append(g.Elements, src.AddTriangle(a, b, d), src.AddTriangle(b, c, d))
		}
	}
	for j := range n {
		for i := range 4 * n {
			add(&slope, i, j)
		}
		for i := 2 * n; i < 3*n; i++ {
			add(&block, i, n+j)
		}
	}
	if bodies == 1 {
		slope.Name, slope.Elements = "rock", append(slope.Elements, block.Elements...)
		src.Groups = append(src.Groups, slope)
	} else {
		src.Groups = append(src.Groups, slope, block)
	}
	line := func(name string, first, end, j int) {
		g := mesh.SourceGroup{Name: name, Dim: 1, Number: 3 + len(src.Groups)}
		for i := first; i < end; i++ {
			g.Elements = append(g.Elements, src.AddLine(node(i, j), node(i+1, j)))
		}
		src.Groups = append(src.Groups, g)
	}
	line("joint", 2*n, 3*n, n)
	line("bottom", 0, 4*n, 0)
	line("top", 2*n, 3*n, 2*n)
	return src
}

func flat(float64) float64 { return 0 }

// onJoint is a deck for blockOnJoint, with more of what is needed.
func onJoint(bodies int, friction float64, more string) string {
	text := `
[analysis]
duration = "0.5 s"
gravity = [0, -9.81]
[output]
history_every = "10 ms"
[[material]]
name = "stone"
young = "10 GPa"
poisson = 0.25
density = 2500
`
	for _, name := range [][]string{{"rock"}, {"slope", "block"}}[bodies-1] {
		text += fmt.Sprintf("[[body]]\nname = %q\nmaterial = \"stone\"\n", name)
	}
	return text + fmt.Sprintf("[[fix]]\non = \"bottom\"\n[[joint]]\non = \"joint\"\nfriction = %g\n[[probe]]\nname = \"top\"\non = \"top\"\n", friction) + more
}

// moved returns how far the top of a block has moved [m].
func moved(s *solver.Solver) float64 {
	v := s.ProbeValues(&s.Probes[0], 2)
	return math.Hypot(v[0], v[1])
}

// A block that a joint separates from a slope rests below its angle of friction, and slides above
// it as Coulomb says, by more than an edge: the two are one body or two bodies, and no deck names
// contact or damping. The two sides of the joint have a contact of their own.
func TestBlockOnJoint(t *testing.T) {
	t.Parallel()
	const g, time = 9.81, 0.5
	for i, c := range []struct {
		angle, friction, edge float64
		bodies                int
	}{
		{29, 0.6, 0.25, 1}, {29, 0.6, 0.25, 2}, {33, 0.6, 0.25, 1}, {33, 0.6, 0.25, 2}, {40, 0.6, 0.25, 1}, {40, 0.6, 0.125, 2},
		{16, 0.3, 0.125, 1}, {18, 0.3, 0.25, 2}, {30, 0, 0.25, 2}, {44, 1, 0.25, 2}, {10, 0.6, 0.25, 1}, {46, 0.3, 0.25, 2},
	} {
		if solver.LeftOut(t, i, 3) {
			continue
		}
		a := c.angle * math.Pi / 180
		s := meshed(t, onJoint(c.bodies, c.friction, ""), blockOnJoint(a, c.edge, c.bodies, flat))
		through(t, s, nil)
		want := max(0, 0.5*g*(math.Sin(a)-c.friction*math.Cos(a))*time*time)
		got, r := moved(s), s.Relative(s.Energies())
		t.Logf("%g degrees, friction %g, %d bodies: moved by %.5f m, want %.5f; the ledger is off by %.2g", c.angle, c.friction, c.bodies, got, want, r)
		if math.Abs(got-want) > 0.01*want+1e-4 {
			t.Errorf("%g degrees, friction %g, %d bodies: moved by %g m, want %g", c.angle, c.friction, c.bodies, got, want)
		}
		open := 1e-4
		if want == 0 {
			open = 2e-4 // a vertex that opened as the others slid and holds again owes its friction spring
		}
		if r > open {
			t.Errorf("%g degrees, friction %g, %d bodies: the ledger is off by %g", c.angle, c.friction, c.bodies, r)
		}
	}
}

// A bolt across a joint, which pulls from the start with a constant force, holds a block as Coulomb
// says, friction times (weight across the joint + bolt) against the weight along it: 3 % above what
// is needed the block rests, and 10 % below it slides.
func TestBoltHoldsBlock(t *testing.T) {
	const g, time, friction, mass, angle = 9.81, 0.5, 0.6, 2500.0, 40 * math.Pi / 180
	cos, sin := math.Cos(angle), math.Sin(angle)
	needed := mass * g * (sin/friction - cos)
	for _, part := range []float64{0.9, 1.03} {
		pull := part * needed
		at := func(x, y float64) string { return fmt.Sprintf("[%g, %g]", x*cos-y*sin, x*sin+y*cos) }
		s := meshed(t, onJoint(2, friction, fmt.Sprintf("[[spring]]\nname = \"bolt\"\non = \"block\"\nat = %s\nto = \"slope\"\nto_at = %s\ncurve = [[-1, %g], [1, %g]]\n",
			at(2.5, 0.5), at(2.5, -0.5), pull, pull)), blockOnJoint(angle, 0.25, 2, flat))
		through(t, s, nil)
		want := max(0, 0.5*(g*(sin-friction*cos)-friction*pull/mass)*time*time)
		if got := moved(s); math.Abs(got-want) > 0.1*want+1e-4 { // the bolt turns as the block slides
			t.Errorf("%g of the pull that is needed: moved by %g m, want %g", part, got, want)
		}
	}
}

// Under a weight that is applied slowly a block slides as soon as it exceeds friction, also at a
// slope little above its angle of friction, over two edges or more. No vertex of the joint holds
// the block back after the others have slid. While a force grows evenly until r, the displacement
// is that of a third of it, a r^2/6.
func TestBlockOnJointUnderSlowWeight(t *testing.T) {
	t.Parallel()
	const g, time, friction = 9.81, 0.5, 0.6 // up to 30.96 degrees
	for _, c := range []struct {
		angle, edge, ramp float64
		bodies            int
	}{{40, 0.25, 0.05, 1}, {40, 0.25, 0.2, 2}, {40, 0.25, 0.5, 1}, {30.5, 0.5, 0.2, 2}, {31.3, 0.5, 0.2, 2}, {31.6, 0.5, 0.2, 1}, {31.6, 0.25, 0.2, 2}} {
		angle := c.angle * math.Pi / 180
		a := max(0, g*(math.Sin(angle)-friction*math.Cos(angle)))
		text := strings.Replace(onJoint(c.bodies, friction, ""), "gravity = ", fmt.Sprintf("gravity_schedule = [[0, 0], [%g, 1]]\ngravity = ", c.ramp), 1)
		s := meshed(t, text, blockOnJoint(angle, c.edge, c.bodies, flat))
		through(t, s, nil)
		rest := time - c.ramp
		want := a * (c.ramp*c.ramp/6 + 0.5*c.ramp*rest + 0.5*rest*rest)
		got, r := moved(s), s.Relative(s.Energies())
		t.Logf("%g degrees within %g s, edges of %g m, %d bodies: moved by %.5f m, want %.5f; the ledger is off by %.2g", c.angle, c.ramp, c.edge, c.bodies, got, want, r)
		if math.Abs(got-want) > 0.01*want+2e-4 || r > 1e-3 {
			t.Errorf("%g degrees within %g s, edges of %g m, %d bodies: moved by %g m, want %g; the ledger is off by %g", c.angle, c.ramp, c.edge, c.bodies, got, want, r)
		}
	}
}

// A block on a joint with a contact between its two sides slides as without it: outlines end at the
// joint, and do not press on material beside their end.
func TestBlockOnJointWithContact(t *testing.T) {
	t.Parallel()
	const contact = "[[contact]]\ncontactor = %q\nopposite = %q\nfriction = 0.6\n"
	for _, between := range [][2]string{{"block", "slope"}, {"slope", "block"}, {"all", "all"}} {
		a := 40 * math.Pi / 180
		d, err := deck.Parse("model.toml", []byte("mesh = \"model.msh\"\n"+onJoint(2, 0.6, fmt.Sprintf(contact, between[0], between[1]))))
		noError(t, err)
		m, warnings, err := d.Build(blockOnJoint(a, 0.25, 2, flat))
		noError(t, err)
		for _, w := range warnings {
			if strings.Contains(w, "share") {
				t.Errorf("%v: %q is said of nodes that a joint separates", between, w)
			}
		}
		s, err := solver.New(m)
		noError(t, err)
		through(t, s, nil)
		want := 0.5 * 9.81 * (math.Sin(a) - 0.6*math.Cos(a)) * 0.25
		if got := moved(s); math.Abs(got-want) > 0.01*want {
			t.Errorf("%v: moved by %g m, want %g", between, got, want)
		}
		if r := s.Relative(s.Energies()); r > 1e-4 {
			t.Errorf("%v: the ledger is off by %g", between, r)
		}
	}
}

// Faces of two joints in one body rub as each of them says once they have slid by more than
// an edge, and so they do where a contact has the body on both sides.
func TestJointsRubBySelves(t *testing.T) {
	for _, more := range []string{"", "[[contact]]\ncontactor = \"rock\"\nopposite = \"rock\"\nself = true\nfriction = 0.9\n"} {
		src := blockOnJoint(0, 0.25, 1, flat)
		// the block is cut half way up by another joint
		upper := mesh.SourceGroup{Name: "upper", Dim: 1, Number: 9}
		at := func(x float64) int32 {
			for i, p := range src.X {
				if math.Hypot(p.X-x, p.Y-0.5) < 1e-9 {
					return int32(i)
				}
			}
			t.Fatal("no node there")
			return 0
		}
		for i := range 4 {
			upper.Elements = append(upper.Elements, src.AddLine(at(2+0.25*float64(i)), at(2.25+0.25*float64(i))))
		}
		src.Groups = append(src.Groups, upper)
		text := strings.Replace(onJoint(1, 0.6, "[[joint]]\non = \"upper\"\nfriction = 0.2\n"+more), "gravity = [0, -9.81]", "gravity = [4, -9]", 1)
		s := meshed(t, text, src)
		through(t, s, nil)
		// the lower half holds: 4 < 0.6 times 9; the upper one slides
		want := 0.5 * (4 - 0.2*9) * 0.25
		if got := moved(s); math.Abs(got-want) > 0.01*want {
			t.Errorf("%q: the upper half moved by %g m, want %g", more, got, want)
		}
	}
}

// A block on a soft joint closes it by its pressure over the stiffness, and slides as on a hard
// one; one with dilation rides up as it slides, until the given slip, and its ledger closes.
func TestBlockOnJointWithSprings(t *testing.T) {
	t.Parallel()
	const weight = 2500 * 9.81
	for _, c := range []struct {
		angle float64
		keys  string
		rises float64 // [m]
	}{
		{0, "normal_stiffness = 1e8\nshear_stiffness = 5e7\n", -weight / 1e8},
		{33, "normal_stiffness = 1e9\nshear_stiffness = 1e9\n", -weight / 1e9 * math.Cos(33*math.Pi/180)},
		{40, "normal_stiffness = 1e12\nshear_stiffness = 3e11\n", 0},
		{31.5, "normal_stiffness = 1e10\nshear_stiffness = 1e10\ndilation = 10\ndilation_until = \"50 mm\"\n", math.Inf(1)},
		{33, "dilation = \"8 deg\"\ndilation_until = \"10 mm\"\n", 0.01 * math.Tan(8*math.Pi/180)},
	} {
		a := c.angle * math.Pi / 180
		text := strings.Replace(onJoint(2, 0.6, ""), "friction = 0.6\n", "friction = 0.6\n"+c.keys, 1)
		s := meshed(t, text, blockOnJoint(a, 0.25, 2, flat))
		through(t, s, nil)
		v := s.ProbeValues(&s.Probes[0], 2)
		along, rises := -v[0]*math.Cos(a)-v[1]*math.Sin(a), v[1]*math.Cos(a)-v[0]*math.Sin(a)
		slip := max(0, 0.5*9.81*(math.Sin(a)-0.6*math.Cos(a))*0.25)
		want := c.rises
		if math.IsInf(want, 1) {
			slip /= 1 + 0.6*math.Tan(10*math.Pi/180) // riding up takes a part of the acceleration
			want = along * math.Tan(10*math.Pi/180)
		}
		r := s.Relative(s.Energies())
		t.Logf("%g degrees, %q: slid by %.5f m, want %.5f, rises by %.6f m, want %.6f; the ledger is off by %.2g", c.angle, c.keys, along, slip, rises, want, r)
		if math.Abs(along-slip) > 0.03*slip+1e-4 {
			t.Errorf("%g degrees, %q: slid by %g m, want %g", c.angle, c.keys, along, slip)
		}
		if math.Abs(rises-want) > 0.1*math.Abs(want)+2e-5 {
			t.Errorf("%g degrees, %q: rises by %g m, want %g", c.angle, c.keys, rises, want)
		}
		if r > 2e-4 {
			t.Errorf("%g degrees, %q: the ledger is off by %g", c.angle, c.keys, r)
		}
	}
}

// A block keeps the height that it has risen by dilation when contact takes over, on edges that
// have slid past one another.
func TestDilationIsKept(t *testing.T) {
	t.Parallel()
	const angle, time = 32 * math.Pi / 180, 1.3
	for i, keys := range []string{"dilation = 8\n", "dilation = 8\nnormal_stiffness = 1e10\nshear_stiffness = 5e9\n"} {
		if solver.LeftOut(t, i, 2) {
			continue
		}
		text := strings.Replace(onJoint(2, 0.6, ""), "friction = 0.6\n", "friction = 0.6\ndilation_until = 0.01\n"+keys, 1)
		s := meshed(t, strings.Replace(text, "\"0.5 s\"", fmt.Sprint(time), 1), blockOnJoint(angle, 0.125, 2, flat))
		rise := 0.01 * math.Tan(8*math.Pi/180)
		through(t, s, func() {
			v := s.ProbeValues(&s.Probes[0], 2)
			along, rises := -v[0]*math.Cos(angle)-v[1]*math.Sin(angle), v[1]*math.Cos(angle)-v[0]*math.Sin(angle)
			if along > 0.02 && math.Abs(rises-rise) > 0.06*rise || along > 0.1 && math.Abs(rises-rise) > 0.02*rise {
				t.Errorf("%q: slid by %g m it has risen by %g m, want %g", keys, along, rises, rise)
			}
		})
		if got := moved(s); got < 0.17 {
			t.Errorf("%q: it slides by %g m alone", keys, got)
		}
		if r := s.Relative(s.Energies()); r > 2e-4 {
			t.Errorf("%q: the ledger is off by %g", keys, r)
		}
	}
}

// A stiff joint makes the step as short as its springs ask for, from the first step on, and a
// soft one hardly.
func TestStepWithStiffJoint(t *testing.T) {
	const stiffest = "normal_stiffness = 1e15\n"
	step := func(keys, safety string) float64 {
		text := strings.Replace(onJoint(1, 0.6, "[[load]]\non = \"top\"\npressure = \"1 MPa\"\n"), "friction = 0.6\n", "friction = 0.6\n"+keys, 1)
		text = strings.Replace(text, "[analysis]\n", "[analysis]\n"+safety, 1)
		s := meshed(t, strings.Replace(text, "0.5 s", "5 ms", 1), blockOnJoint(0, 0.25, 1, flat))
		first := s.Limit
		through(t, s, nil)
		if s.Limit < 0.97*first {
			t.Errorf("%q: the step falls from %g to %g s", keys, first, s.Limit)
		}
		// Faces under such stiff springs rattle, and the energy that this creates at the usual step
		// is random: 2e-5 to 4e-3 of the energy where the load differs in its last digits. At half
		// of it eight such loads left 2e-4 at most, at a quarter 1.3e-5.
		if r := s.Relative(s.Energies()); r > 1e-3 && (safety != "" || keys != stiffest) {
			t.Errorf("%q: the ledger is off by %g", keys, r)
		}
		return s.Limit
	}
	soft, stiff, stiffer := step("normal_stiffness = 1e8\n", ""), step("normal_stiffness = 1e13\n", ""), step(stiffest, "")
	step(stiffest, "safety = 0.4\n")
	t.Logf("steps of %.3g, %.3g, %.3g s", soft, stiff, stiffer)
	if r := stiff / stiffer; math.Abs(r-10) > 1 {
		t.Errorf("a joint a hundred times as stiff makes the step %g times shorter, want 10", r)
	}
	if stiff > 0.3*soft {
		t.Errorf("steps of %g s with a soft joint, %g s with a stiff one", soft, stiff)
	}
}
