package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/examples/scenes"
	"fdem/io/deck"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// meshed returns a solver of a deck on a mesh.
func meshed(t testing.TB, text string, src *mesh.Source) *solver.Solver {
	t.Helper()
	return onMesh(t, "mesh = \"model.msh\"\n"+text, src)
}

// A block under axial load holds on an inclined joint half a degree below its angle
// of friction, and slides half a degree above.
func TestInclinedJoint(t *testing.T) {
	for _, angle := range []float64{29.5, 30.5} {
		const w = 20e-3
		slope := math.Tan(angle * math.Pi / 180)
		src := &mesh.Source{Name: "block"}
		scenes.Inclined(src, w, 60e-3+1.5*w*slope, slope)
		s := meshed(t, fmt.Sprintf(`
[analysis]
duration = "1.5 ms"
damping = { local = 0.3 }
[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.2
density = 2500
[[body]]
name = "block"
material = "rock"
[[joint]]
on = "fault"
friction = %g
[[fix]]
on = "bottom"
[[load]]
on = "top"
pressure = "5 MPa"
schedule = "min(t/0.3e-3, 1)"
`, math.Tan(math.Pi/6)), src)
		through(t, s, nil)
		slip := 0.0
		for i := range s.Cracks().Cracks() {
			c := s.Cracks().Crack(i)
			slip = max(slip, math.Abs(c.Slip))
		}
		t.Logf("%g degrees: slips by %g m", angle, slip)
		if holds := slip < 1e-6; holds != (angle < 30) || !holds && slip < 1e-4 {
			t.Errorf("%g degrees: slips by %g m", angle, slip)
		}
		if r := s.Relative(s.Energies()); r > 1e-3 {
			t.Errorf("%g degrees: the ledger is off by %g", angle, r)
		}
	}
}

// A joint under an initial stress that it carries, half a degree below its angle of friction, is at
// rest and gives no warning. Half a degree above it slides at once, and the warnings say so, with
// the friction it would need. With cohesion it carries that, too. One that is open, or pulled,
// carries no load.
func TestJointCarriesTheInitialStress(t *testing.T) {
	const w = 20e-3
	const strong = "tensile_strength = \"1 MPa\"\ncohesion = \"%s\"\nenergy_tension = 2\nenergy_shear = 10\n"
	shear, normal := 5*math.Sin(30.5*math.Pi/180)*math.Cos(30.5*math.Pi/180), 5*math.Pow(math.Cos(30.5*math.Pi/180), 2)
	for name, c := range map[string]struct {
		angle, stress     float64 // [degrees], [MPa]
		keys, holds, want string
		slides, breaks    bool
	}{
		"below the angle of friction": {angle: 29.5, stress: -5},
		"above it": {angle: 30.5, stress: -5, slides: true,
			want: fmt.Sprintf(`joint "fault": 6 of 6 edges, 0.0232 of 0.0232 m, cannot carry the initial stress and slide or open at once: at (0.015, 0.04178) m the shear stress is %.3g MPa, %.3g times the %.3g MPa of cohesion and friction there`,
				shear, shear/(normal*math.Tan(math.Pi/6)), normal*math.Tan(math.Pi/6))},
		"let go slowly":         {angle: 30.5, stress: -5, holds: "release = \"50 us\"", slides: true, want: "slide or open: at"},
		"above it, glued":       {angle: 30.5, stress: -5, keys: fmt.Sprintf(strong, "0.1 MPa")},
		"steep, glued":          {angle: 45, stress: -5, keys: fmt.Sprintf(strong, "1 MPa"), want: "the shear stress is 2.5 MPa, 1.02 times the 2.44 MPa of cohesion", slides: true},
		"pulled":                {angle: 29.5, stress: 0.1, want: "the tension is 0.0758 MPa and the shear stress 0.0429 MPa, and it has no tensile strength", slides: true},
		"pulled, glued":         {angle: 29.5, stress: 0.5, keys: fmt.Sprintf(strong, "1 MPa")},
		"pulled, too hard":      {angle: 29.5, stress: 2, keys: fmt.Sprintf(strong, "1 MPa"), want: "the tension is 1.52 MPa and the shear stress 0.857 MPa, 1.74 times its strength", slides: true},
		"a body that breaks":    {angle: 29.5, stress: -5, breaks: true, keys: fmt.Sprintf(strong, "0.5 MPa"), slides: true, want: "fracture \"block\": "},
		"open":                  {angle: 29.5, stress: -5, keys: "aperture = \"10 um\"\n", want: `joint "fault" is open and carries none of the initial stress until its sides meet: up to 4.35 MPa on 0.046 m of its sides are released at once`},
		"open, released slowly": {angle: 29.5, stress: -5, keys: "aperture = \"10 um\"\n", holds: "release = 1", want: "of its sides are released"},
	} {
		slope := math.Tan(c.angle * math.Pi / 180)
		src := &mesh.Source{Name: "block"}
		scenes.Inclined(src, w, 60e-3+1.5*w*slope, slope)
		block := "[[joint]]\non = \"fault\""
		if c.breaks {
			block = "[[fracture]]\nin = [\"block\"]"
		}
		d, err := deck.Parse("model.toml", fmt.Appendf(nil, `
mesh = "model.msh"
mesh_unit = "m"
[analysis]
duration = "0.1 ms"
damping = { local = 0.3 }
[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.2
density = 2500
[[body]]
name = "block"
material = "rock"
[[initial_stress]]
stress = [0, "%g MPa", 0]
%s
%s
friction = %g
%s
[[fix]]
on = "bottom"
[[load]]
on = "top"
pressure = "%g MPa"
`, c.stress, c.holds, block, math.Tan(math.Pi/6), c.keys, -1.01*c.stress)) // a little out of balance: what has just broken still carries what it did
		if err != nil {
			t.Fatal(err)
		}
		m, warnings, err := d.Build(src)
		noError(t, err)
		said := ""
		for _, w := range warnings {
			if strings.Contains(w, "the initial stress") {
				said += w
			}
		}
		if c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q is said, want %q", name, said, c.want)
		}
		s, err := solver.New(m)
		noError(t, err)
		if s.Cracks() == nil {
			continue
		}
		through(t, s, nil)
		moved := 0.0
		for i := range s.Cracks().Cracks() {
			c := s.Cracks().Crack(i)
			moved = max(moved, math.Abs(c.Slip), c.Opening)
		}
		if slides := moved > 1e-6; slides != c.slides {
			t.Errorf("%s: moves by %g m", name, moved)
		}
		t.Logf("%s: moves by %g m", name, moved)
	}
}

const halves = `
edge = "5 mm"
join = ["left", "right"]
[[rectangle]]
name = "left"
from = [0, 0]
to = ["50 mm", "20 mm"]
left = "end"
right = "seam"
[[rectangle]]
name = "right"
from = ["50 mm", 0]
to = ["100 mm", "20 mm"]
right = "head"
`

func bar(more string) string {
	return `
[analysis]
duration = "30 us"
[[material]]
name = "stone"
young = "20 GPa"
poisson = 0
density = 2500
[[body]]
name = "left"
material = "stone"
[[body]]
name = "right"
material = "stone"
` + more
}

// A joint without strength separates two halves as if they had never been joined. If one is pulled
// away, no force acts on the other. A push passes through the joint as through solid material.
func TestLooseJoint(t *testing.T) {
	const joint = "[[joint]]\non = \"seam\"\nfriction = 0.5\n"
	stretched, pushed := "[[load]]\non = \"head\"\npressure = \"-1 MPa\"\n", "[[load]]\non = \"end\"\npressure = \"1 MPa\"\n"
	momenta := func(more string) (left, right float64, s *solver.Solver) {
		s = built(t, bar(more), halves)
		through(t, s, nil)
		m := s.Motions()
		return m[0].Momentum.X, m[1].Momentum.X, s
	}
	const given = 1e6 * 0.02 * 30e-6
	left, right, s := momenta(joint + stretched)
	if math.Abs(left) > 1e-3*given || math.Abs(right-given) > 1e-3*given {
		t.Errorf("pulled with %g Ns: the halves have %g and %g", given, left, right)
	}
	if totals, n := s.CrackTotals(); totals.InsertedEdges != 0 || n != 2 || s.Cracks().Cracks() == 0 {
		t.Errorf("%d edges of cracks and %d fragments, %d open edges: a joint is open from the start and is no crack", totals.InsertedEdges, n, s.Cracks().Cracks())
	}
	if r := s.Relative(s.Energies()); r > 5e-3 {
		t.Errorf("pulled: the ledger is off by %g", r)
	}
	wantLeft, wantRight, _ := momenta(pushed)
	left, right, _ = momenta(joint + pushed)
	if math.Abs(left-wantLeft) > 2e-3*given || math.Abs(right-wantRight) > 2e-3*given {
		t.Errorf("pushed: the halves have %g and %g Ns, want %g and %g as of one bar", left, right, wantLeft, wantRight)
	}
	t.Logf("%g and %g Ns, one bar %g and %g", left, right, wantLeft, wantRight)
}

// A joint whose strength is not reached changes nothing: the energies are the same to the bit.
func TestStrongJoint(t *testing.T) {
	run := func(joint string) system.Energies {
		s := built(t, bar("[[load]]\non = \"head\"\npressure = \"-1 MPa\"\n"+joint), halves)
		through(t, s, nil)
		return s.Energies()
	}
	plain := run("")
	if strong := run("[[joint]]\non = \"seam\"\nfriction = 0.5\ntensile_strength = \"50 MPa\"\ncohesion = \"90 MPa\"\nenergy_tension = 50\nenergy_shear = 90\n"); strong != plain {
		t.Errorf("energies %+v, want %+v", strong, plain)
	}
}

// A body that a fix names is held on its own side of a joint: what hangs on it falls, and
// the fix carries the body's weight alone. Another fix that has nodes of the joint, too,
// holds both sides there.
func TestFixedBodyLeavesJoint(t *testing.T) {
	for _, c := range []struct {
		on    []string
		falls bool
	}{{[]string{"left"}, true}, {[]string{"left", "seam"}, false}, {[]string{"seam"}, false}} {
		more := "[analysis]\nduration = \"2 ms\"\ngravity = [10, 0]\n[[joint]]\non = \"seam\"\nfriction = 0.5\n"
		for _, on := range c.on {
			more += fmt.Sprintf("[[fix]]\non = %q\n", on)
		}
		s := built(t, strings.Replace(bar(more), "[analysis]\nduration = \"30 us\"\n", "", 1), halves)
		through(t, s, nil)
		m := s.Motions()
		v, force := m[1].Momentum.X/m[1].Mass, s.Reactions()[0].Force.X
		t.Logf("fix on %v: the other half has %g m/s, the fix carries %g N of %g N", c.on, v, force, 10*m[0].Mass)
		const free = 10 * 2e-3
		if falls := math.Abs(v/free-1) < 1e-3; falls != c.falls || c.falls && math.Abs(force/(-10*m[0].Mass)-1) > 1e-9 {
			t.Errorf("fix on %v: the other half has %g m/s, falling %g; the fix carries %g N", c.on, v, free, force)
		}
		if r := s.Relative(s.Energies()); r > 1e-3 {
			t.Errorf("fix on %v: the ledger is off by %g", c.on, r)
		}
	}
}

// betweenWalls is a block of 1 m by 1 m between two walls of a width [m], in squares of an edge [m]
// that are halved. If they are joined they share nodes, and the lines "joint left" and "joint right" part
// them. The lines "far" and "side" are the far sides of the walls, "guides" the top and bottom of the
// right one.
func betweenWalls(edge, wall float64, joined bool) *mesh.Source {
	src := &mesh.Source{Name: "walls"}
	n, w := int(math.Round(1/edge)), int(math.Round(wall/edge))
	nodes := map[[2]int]int32{}
	node := func(i, j int) int32 {
		at, ok := nodes[[2]int{i, j}]
		if !ok {
			at = src.AddNode(r2.Vec{X: (float64(i-w) - 0.5*float64(n)) * edge, Y: float64(j) * edge})
			nodes[[2]int{i, j}] = at
		}
		return at
	}
	joints := [2]mesh.SourceGroup{{Name: "joint left", Dim: 1, Number: 10}, {Name: "joint right", Dim: 1, Number: 11}}
	for b, name := range []string{"left", "block", "right"} {
		body := mesh.SourceGroup{Name: name, Dim: 2, Number: 1 + b}
		side, guides := mesh.SourceGroup{Name: "side", Dim: 1, Number: 12}, mesh.SourceGroup{Name: "guides", Dim: 1, Number: 13}
		from, to := [4]int{0, w, w + n, 2*w + n}[b], [4]int{0, w, w + n, 2*w + n}[b+1]
		for i := from; i < to; i++ {
			for j := range n {
				p, q, r, s := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
				body.Elements = append(body.Elements, src.AddTriangle(p, q, r), src.AddTriangle(p, r, s))
			}
		}
		src.Groups = append(src.Groups, body)
		if from == 0 {
			far := mesh.SourceGroup{Name: "far", Dim: 1, Number: 14}
			for j := range n {
				far.Elements = append(far.Elements, src.AddLine(node(0, j), node(0, j+1)))
			}
			src.Groups = append(src.Groups, far)
		}
		if to == 2*w+n {
			for j := range n {
				side.Elements = append(side.Elements, src.AddLine(node(to, j), node(to, j+1)))
			}
			for i := from; i < to; i++ {
				guides.Elements = append(guides.Elements, src.AddLine(node(i, 0), node(i+1, 0)), src.AddLine(node(i, n), node(i+1, n)))
			}
			src.Groups = append(src.Groups, side, guides)
		}
		if !joined {
			clear(nodes)
		}
	}
	if !joined {
		return src
	}
	for k, i := range [2]int{w, w + n} {
		for j := range n {
			joints[k].Elements = append(joints[k].Elements, src.AddLine(node(i, j), node(i, j+1)))
		}
		src.Groups = append(src.Groups, joints[k])
	}
	return src
}

// wedgedLimit is the pressure at which friction carries the weight of the block betweenWalls [Pa].
const wedgedLimit = 2650 * 9.81 / (2 * 0.5)

// wedged is a deck with a block betweenWalls and an initial stress across the joints of so much of
// the limit.
func wedged(analysis string, of float64) string {
	return fmt.Sprintf(`
[analysis]
%s
gravity = [0, -9.81]
[[material]]
name = "rock"
young = "5 GPa"
poisson = 0.2
density = 2650
[[body]]
name = "left"
material = "rock"
[[body]]
name = "block"
material = "rock"
[[body]]
name = "right"
material = "rock"
[[fix]]
on = "left"
[[fix]]
on = "right"
[[joint]]
on = "joint left"
friction = 0.5
[[joint]]
on = "joint right"
friction = 0.5
[[initial_stress]]
stress = [%g, 0, 0]
`, analysis, -of*wedgedLimit)
}

// A block that an initial stress presses between two joints holds where friction carries its
// weight, 2 mu p H = rho g W H, and falls as Coulomb says where it does not. When the joints open
// they keep the thrust: the initial stress has charged their springs, whose energy is in
// cohesive_stored from the start. With springs that the rock charges as they appear the thrust is
// 8 % less in this mesh, and the block falls at 1.03 of the pressure that it needs.
func TestBlockHeldByInitialStress(t *testing.T) {
	t.Parallel()
	const g, time = 9.81, 0.2
	for _, of := range []float64{0.8, 0.9, 1.03, 1.1} {
		s := meshed(t, wedged(fmt.Sprintf("duration = %g", time), of), betweenWalls(0.125, 0.5, true))
		charged, pressure := s.Energies().CohesiveStored, of*wedgedLimit
		// p^2/(2 K) of two joints of 1 m2, with K between E/2h and 2 E/h
		if charged < pressure*pressure/(2*5e9/0.125) || charged > 4*pressure*pressure/(2*5e9/0.125) {
			t.Errorf("%g of the pressure: the initial stress has charged the joints with %g J", of, charged)
		}
		if worst := finish(t, s); worst > 2e-3 {
			t.Errorf("%g of the pressure: residual %.2g", of, worst)
		}
		want := 0.5 * g * max(0, 1-of) * time * time
		slack := 10e-6 // of what rests
		if of < 1 {
			slack = 0.01 * 0.5 * g * time * time // a hundredth of the friction
		}
		if fall := 0.5 - centres(s, 1)[0].Y; math.Abs(fall-want) > slack {
			t.Errorf("%g of the pressure: the block has fallen by %.4g m, want %.4g", of, fall, want)
		}
	}
}

// In a static analysis, in which weight and pressure grow together, it has a balance above
// that pressure and none below. Nothing presses on the joints in the first iteration, and they have no
// friction then: without a start from more friction it found none at 1.05 to 1.7.
func TestStaticBlockHeldByInitialStress(t *testing.T) {
	t.Parallel()
	for i, of := range []float64{0.95, 1.1, 1.5} {
		if of > 1.1 && solver.LeftOut(t, i, 3) {
			continue
		}
		err := balance(t, wedged("", of), betweenWalls(0.125, 0.5, true))
		if (err == nil) != (of > 1) {
			t.Errorf("%g of the pressure: %v", of, err)
		}
	}
}
