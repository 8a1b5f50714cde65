package solver_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// twoStoreys is a square of 1 m in squares of 1/8 m that are halved, with the line "joint" through
// its middle. The surfaces "lower" and "upper" are its halves if bodies is 2; otherwise "rock" is
// all of it. The lines "lower left" and "upper left" end at the joint.
func twoStoreys(bodies int) *mesh.Source {
	const n = 8
	src := &mesh.Source{Name: "storeys"}
	node := func(i, j int) int32 { return int32(i + (n+1)*j) }
	for j := range n + 1 {
		for i := range n + 1 {
			src.AddNode(r2.Vec{X: float64(i) / n, Y: float64(j) / n})
		}
	}
	halves := []mesh.SourceGroup{{Name: "lower", Dim: 2, Number: 1}, {Name: "upper", Dim: 2, Number: 2}}
	if bodies == 1 {
		halves = []mesh.SourceGroup{{Name: "rock", Dim: 2, Number: 1}}
	}
	lines := []mesh.SourceGroup{{Name: "lower left", Dim: 1, Number: 3}, {Name: "upper left", Dim: 1, Number: 4}, {Name: "joint", Dim: 1, Number: 5}}
	for j := range n {
		of := &halves[len(halves)*j/n]
		for i := range n {
			p, q, r, s := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
			of.Elements = append(of.Elements, src.AddTriangle(p, q, r), src.AddTriangle(p, r, s))
		}
		lines[2*j/n].Elements = append(lines[2*j/n].Elements, src.AddLine(node(0, j), node(0, j+1)))
		lines[2].Elements = append(lines[2].Elements, src.AddLine(node(j, n/2), node(j+1, n/2)))
	}
	src.Groups = append(halves, lines...)
	return src
}

// storeys is a deck for twoStoreys with a smooth joint.
func storeys(bodies int, analysis, more string) string {
	text := "[analysis]\n" + analysis + `
[[material]]
name = "rock"
young = "1 GPa"
poisson = 0.2
density = 2000
[[joint]]
on = "joint"
friction = 0
`
	for _, name := range [][]string{{"rock"}, {"lower", "upper"}}[bodies-1] {
		text += fmt.Sprintf("[[body]]\nname = %q\nmaterial = \"rock\"\n", name)
	}
	return text + more
}

// storeyMomentum returns the momentum of the lower and of the upper half, half a step ago [kg m/s].
func storeyMomentum(s *solver.Solver) (p [2]r2.Vec) {
	counted := make([]bool, len(s.X))
	for _, of := range s.Mesh.Triangles {
		half := 0
		if x := s.Mesh.X; x[of[0]].Y+x[of[1]].Y+x[of[2]].Y > 1.5 {
			half = 1
		}
		for _, k := range of {
			if !counted[k] {
				counted[k] = true
				p[half] = r2.Add(p[half], r2.Scale(s.Mass[k], s.V[k]))
			}
		}
	}
	return p
}

// What acts on one of two halves that a smooth joint parts does not move the other, whether it is
// named as a body or by a line that ends at the joint. A vertex of the joint that has split leaves
// the force to the corners of the triangles on which it acts; divided by mass, the other half gets
// a sixteenth of it.
func TestForceOnOneSideOfJoint(t *testing.T) {
	const time = 5e-3
	for _, c := range []struct {
		name   string
		bodies int
		force  r2.Vec // on the upper half [N]
		text   string
	}{
		{"acceleration", 2, r2.Vec{Y: 5000}, "[[load]]\non = \"upper\"\nacceleration = [0, 5]\n"},
		{"body force", 2, r2.Vec{X: 5000}, "[[load]]\non = \"upper\"\nbody_force = [1e4, 0]\n"},
		{"field", 2, r2.Vec{Y: 5000}, "[[load]]\non = \"upper\"\nacceleration = [0, \"5 + 0*x\"]\n"},
		{"force", 2, r2.Vec{X: 3000, Y: 4000}, "[[load]]\non = \"upper\"\nforce = [3000, 4000]\n"},
		{"force on a line", 2, r2.Vec{X: 5000}, "[[load]]\non = \"upper left\"\nforce = [5000, 0]\n"},
		{"force on a line, one body", 1, r2.Vec{X: 5000}, "[[load]]\non = \"upper left\"\nforce = [5000, 0]\n"},
		{"pressure", 2, r2.Vec{X: 5000}, "[[load]]\non = \"upper left\"\npressure = \"10 kPa\"\n"},
		{"pressure, one body", 1, r2.Vec{X: 5000}, "[[load]]\non = \"upper left\"\npressure = \"10 kPa\"\n"},
		{"varying pressure, one body", 1, r2.Vec{X: 5000}, "[[load]]\non = \"upper left\"\npressure = \"4e4*(y - 0.5)\"\n"},
		{"spring", 2, r2.Vec{X: 5000}, "[[spring]]\non = \"upper\"\nto_at = [9, 0.75]\nstiffness = 1000\nfree_length = 3.5\n"},
		{"spring on a line, one body", 1, r2.Vec{X: 5000}, "[[spring]]\non = \"upper left\"\nto_at = [9, 0.75]\nstiffness = 1000\nfree_length = 4\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := meshed(t, storeys(c.bodies, fmt.Sprintf("duration = %g", time), c.text), twoStoreys(c.bodies))
			through(t, s, nil)
			p, want := storeyMomentum(s), r2.Scale(time-0.5*s.Last, c.force)
			along := func(p r2.Vec) float64 { return r2.Dot(p, want) / r2.Norm2(want) }
			if a := along(p[1]); math.Abs(a-1) > 0.003 {
				t.Errorf("the upper half has %.5g of the momentum of the force", a)
			}
			if a := along(p[0]); math.Abs(a) > 0.003 {
				t.Errorf("the lower half has %.5g of the momentum of the force", a)
			}
			if r := s.Relative(s.Energies()); r > 2e-3 {
				t.Errorf("residual %.2g", r)
			}
		})
	}
}

// A drive of one half, as a body or by a line that ends at the joint, moves only that half: the
// joint slides freely at its ends, too. The drive's impulse is the momentum of both, and its work
// closes the ledger, though it has moved the nodes of the other half until the joint opened.
func TestDriveOnOneSideOfJoint(t *testing.T) {
	for _, c := range []struct {
		name        string
		bodies      int
		on, more    string
		moves, rest int     // halves
		within      float64 // speed that the other half may have got before the joint opened [m/s]
		before      float64 // momentum that the drive has given at the start [N s]
	}{
		{"body", 2, "upper", "ramp = \"10 ms\"", 1, 0, 1e-6, 0},
		{"body at once", 2, "upper", "", 1, 0, 1e-6, 1000},
		{"line", 2, "upper left", "ramp = \"10 ms\"", 1, 0, 1e-4, 0},
		{"line, one body", 1, "upper left", "ramp = \"10 ms\"", 1, 0, 1e-4, 0},
		{"other line, one body", 1, "lower left", "ramp = \"10 ms\"", 0, 1, 1e-4, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := fmt.Sprintf("[[drive]]\non = %q\nvelocity = [1, 0]\n%s\n", c.on, c.more)
			s := meshed(t, storeys(c.bodies, "duration = 0.02\n[output]\nhistory_every = \"1 ms\"", text), twoStoreys(c.bodies))
			impulse, last := c.before, 0.0
			through(t, s, func() {
				impulse += s.MeanReactions()[0].Force.X * (s.Time - last)
				last = s.Time
			})
			const mass = 1000 // of a half [kg]
			p, now := storeyMomentum(s), 0.0
			for n, m := range s.Mass {
				now += m * s.NodeVelocity(nodes.Node(n)).X
			}
			if v := p[c.moves].X / mass; math.Abs(v-1) > 0.25 { // it vibrates behind a line
				t.Errorf("the driven half has a speed of %g m/s", v)
			}
			if v := p[c.rest].X / mass; math.Abs(v) > c.within {
				t.Errorf("the other half has a speed of %g m/s", v)
			}
			if math.Abs(impulse-now) > 1e-6*now {
				t.Errorf("the drive has an impulse of %.9g N s, and the bodies a momentum of %.9g", impulse, now)
			}
			if r := s.Relative(s.Energies()); r > 1e-3 {
				t.Errorf("residual %.2g", r)
			}
		})
	}
}

// An absorbing edge that ends at a joint does not brake the other side, which slides past it: only
// in the first step, before the joint opens, by 0.2 % here.
func TestAbsorbOnOneSideOfJoint(t *testing.T) {
	momenta := func(more string) [2]r2.Vec {
		s := meshed(t, strings.Replace(storeys(2, "duration = 0.005", more), "name = \"upper\"", "name = \"upper\"\nvelocity = [1, 0]", 1), twoStoreys(2))
		through(t, s, nil)
		return storeyMomentum(s)
	}
	p, want := momenta("[[absorb]]\non = \"lower left\"\n"), momenta("")
	if math.Abs(p[1].X-want[1].X) > 0.003*want[1].X {
		t.Errorf("the momenta of the halves are %v kg m/s, and %v without the absorbing edge", p, want)
	}
}
