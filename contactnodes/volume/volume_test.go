package volume_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"fdem/contactnodes"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/motion"
	"fdem/contactnodes/onnodes"
	"fdem/contactnodes/volume"
	"fdem/materials/contact"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

const (
	k         = 2e9  // modulus over depth of the foundation [Pa/m]
	thickness = 0.03 // [m]
)

// solid is a body of a scene, meshed or rigid.
type solid struct {
	points []r2.Vec // counterclockwise
	radius float64  // of the circle that the points lie on, 0 for none, negative for a hollow
	rigid  bool
}

// polygon returns a regular polygon with each side divided into the given
// number of edges.
func polygon(centre r2.Vec, radius float64, corners, cuts int, turn float64) (p []r2.Vec) {
	for i := range corners {
		a, b := corner(centre, radius, corners, i, turn), corner(centre, radius, corners, i+1, turn)
		for j := range cuts {
			p = append(p, r2.Add(a, r2.Scale(float64(j)/float64(cuts), r2.Sub(b, a))))
		}
	}
	return p
}

func corner(centre r2.Vec, radius float64, corners, i int, turn float64) r2.Vec {
	sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(corners))
	return r2.Vec{X: centre.X + radius*cos, Y: centre.Y + radius*sin}
}

// rectangle returns a rectangle between two corners, with its sides divided
// into the given numbers of edges.
func rectangle(low, high r2.Vec, cuts int) (p []r2.Vec) {
	corners := []r2.Vec{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}}
	for i, a := range corners {
		for j := range cuts {
			p = append(p, r2.Add(a, r2.Scale(float64(j)/float64(cuts), r2.Sub(corners[(i+1)%4], a))))
		}
	}
	return p
}

func disc(centre r2.Vec, radius float64) solid {
	points := polygon(centre, math.Abs(radius), 40, 1, 0)
	if radius < 0 {
		slices.Reverse(points)
	}
	return solid{points, radius, true}
}

// scene is solids with a contact between any two of them.
type scene struct {
	volume.Scene
	*volume.Contact
	mesh  *mesh.Mesh
	of    [][]int32 // nodes of the outline of each solid, in the order of its points
	rigid []int     // number of the rigid body of each solid, -1 for none
	out   onnodes.Forces
}

// newScene returns a scene of solids at rest, with a mass of 1 kg a node. Meshed solids
// are fans of triangles and come first in the mesh.
func newScene(t testing.TB, law contact.Volumetric, friction coulomb.Friction, solids ...solid) *scene {
	t.Helper()
	s := &scene{rigid: make([]int, len(solids)), of: make([][]int32, len(solids))}
	src, outlines := &mesh.Source{}, []mesh.Outline(nil)
	for i, b := range solids {
		if s.rigid[i] = -1; b.rigid {
			s.rigid[i] = len(outlines)
			outlines = append(outlines, mesh.Outline{Name: fmt.Sprint(i), Closed: true, Points: b.points, Radius: b.radius, Depth: 1})
			s.Rigids = append(s.Rigids, motion.Body{Motion: motion.Motion{Centre: middle(b.points)}, InverseMass: 1, InverseInertia: 1})
			continue
		}
		addFan(src, fmt.Sprint(i), b.points)
	}
	m := &mesh.Mesh{}
	if len(src.Triangles) > 0 {
		var err error
		if m, err = mesh.Build(src, nil); err != nil {
			t.Fatal(err)
		}
	}
	s.mesh = m.With(outlines)
	s.X, s.V = slices.Clone(s.mesh.X), make([]r2.Vec, len(s.mesh.X))
	s.Masses = &motion.Masses{Mass: slices.Repeat([]float64{1}, len(s.X)), Held: make([]uint8, len(s.X))}
	for i, b := range solids {
		for _, p := range b.points {
			s.of[i] = append(s.of[i], int32(slices.IndexFunc(s.X, func(x r2.Vec) bool { return r2.Norm(r2.Sub(x, p)) < 1e-12 })))
		}
	}
	components := volume.Components(s.mesh)
	all := make([]int32, len(components))
	for i := range all {
		all[i] = int32(i)
	}
	s.Contact = volume.New(volume.Config{Name: "all", First: all, Second: all, Law: law, Friction: friction, Thickness: thickness}, components, len(s.X), len(s.Rigids))
	s.out = onnodes.New(len(s.X), false)
	return s
}

func addFan(src *mesh.Source, name string, points []r2.Vec) {
	group := mesh.SourceGroup{Name: name, Dim: 2, Number: len(src.Groups) + 1}
	first, n := int32(len(src.X)), int32(len(points))
	for _, p := range points {
		src.AddNode(p)
	}
	centre := src.AddNode(middle(points))
	for i := range n {
		group.Elements = append(group.Elements, src.AddTriangle(centre, first+i, first+(i+1)%n))
	}
	src.Groups = append(src.Groups, group)
}

func middle(points []r2.Vec) (c r2.Vec) {
	for _, p := range points {
		c = r2.Add(c, r2.Scale(1/float64(len(points)), p))
	}
	return c
}

// moves gives a solid a rigid motion: a velocity of the middle of its outline and a
// spin.
func (s *scene) moves(body int, v r2.Vec, spin float64) {
	c := s.middle(body)
	for _, n := range s.of[body] {
		s.V[n] = motion.Velocity(v, spin, r2.Sub(s.X[n], c))
	}
	if r := s.rigid[body]; r >= 0 {
		s.Rigids[r].Velocity, s.Rigids[r].Spin = v, spin
	}
}

// shift moves a solid, and rotates it about the middle of its outline.
func (s *scene) shift(body int, by r2.Vec, angle float64) {
	c, sin, cos := s.middle(body), math.Sin(angle), math.Cos(angle)
	for _, n := range s.of[body] {
		a := r2.Sub(s.X[n], c)
		s.X[n] = r2.Add(r2.Add(c, by), r2.Vec{X: cos*a.X - sin*a.Y, Y: sin*a.X + cos*a.Y})
	}
	if r := s.rigid[body]; r >= 0 {
		s.Rigids[r].Centre = r2.Add(s.Rigids[r].Centre, by)
	}
}

func (s *scene) middle(body int) r2.Vec {
	if r := s.rigid[body]; r >= 0 {
		return s.Rigids[r].Centre
	}
	at := make([]r2.Vec, 0, len(s.of[body]))
	for _, n := range s.of[body] {
		at = append(at, s.X[n])
	}
	return middle(at)
}

// evaluate finds the forces after a step [s], and the predicted contact points.
func (s *scene) evaluate(t interface{ Fatal(...any) }, dt float64, next volume.StepPrediction) {
	s.out.Clear()
	if err := s.AddForces(s.out, s.Scene, dt, next); err != nil {
		t.Fatal(err)
	}
}

// on returns the force on a solid and its moment about the origin.
func (s *scene) on(body int) (f r2.Vec, moment float64) {
	for _, n := range s.of[body] {
		g := s.out.At(n).F
		f, moment = r2.Add(f, g), moment+r2.Cross(s.X[n], g)
	}
	return f, moment
}

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(math.Abs(got), math.Abs(want))
}

// Flat on flat over a width w with a penetration d, the force is k w d, the pressure k d
// and the energy half of force times penetration. This holds for meshed and for rigid
// bodies. For the cap of a disc, area and energy are the integrals of the thickness and of
// half its square.
func TestForceIsFoundationTimesVolume(t *testing.T) {
	const w, d = 0.02, 1e-4
	for _, rigid := range []bool{false, true} {
		for _, cuts := range []int{1, 4} {
			s := newScene(t, contact.Volumetric{K: k}, coulomb.Friction{},
				solid{rectangle(r2.Vec{X: -0.05, Y: -0.04}, r2.Vec{X: 0.05}, cuts), 0, false},
				solid{rectangle(r2.Vec{X: -0.01, Y: -d}, r2.Vec{X: 0.01, Y: 0.03}, cuts), 0, rigid})
			s.evaluate(t, 0, volume.StepPrediction{})
			f, moment := s.on(1)
			if want := k * w * d * thickness; !near(f.Y, want, 1e-12) || math.Abs(f.X) > 1e-12*want || math.Abs(moment) > 1e-12*want*w {
				t.Errorf("rigid %t: %v N and %g N m, want %g N", rigid, f, moment, want)
			}
			if !near(s.Patches[0].Pressure, k*d, 1e-12) || s.PeakPressure != s.Patches[0].Pressure || !near(s.Stored, 0.5*f.Y*d, 1e-12) || !near(s.Overlapping(), d, 1e-12) {
				t.Errorf("rigid %t: %g Pa, %g J, %g m deep", rigid, s.Patches[0].Pressure, s.Stored, s.Overlapping())
			}
		}
	}
	const r = 0.05
	s := newScene(t, contact.Volumetric{K: k}, coulomb.Friction{},
		solid{rectangle(r2.Vec{X: -0.2, Y: -0.1}, r2.Vec{X: 0.2}, 1), 0, true}, disc(r2.Vec{Y: r - d}, r))
	s.evaluate(t, 0, volume.StepPrediction{})
	half := math.Sqrt(r*r - (r-d)*(r-d))
	area, energy := 0.0, 0.0
	const parts = 20000
	for i := range parts { // by the middle of each part
		x := half * (2*(float64(i)+0.5)/parts - 1)
		h := math.Sqrt(r*r-x*x) - (r - d)
		area, energy = area+h*2*half/parts, energy+h*h*half/parts
	}
	if f, _ := s.on(1); !near(f.Y, k*area*thickness, 1e-7) || !near(s.Stored, k*energy*thickness, 5e-6) { // the arc is a polygon
		t.Errorf("a disc carries %g N and stores %g J, want %g and %g", f.Y, s.Stored, k*area*thickness, k*energy*thickness)
	}
}

// The force is the derivative of the stored energy by displacement, if the contact line
// keeps its direction.
func TestForceIsGradientOfEnergy(t *testing.T) {
	const h = 1e-7
	block := rectangle(r2.Vec{X: -0.1, Y: -0.1}, r2.Vec{X: 0.1}, 3)
	for name, of := range map[string][2]solid{
		"disc on disc":   {disc(r2.Vec{Y: -0.08}, 0.08), disc(r2.Vec{Y: 0.0495}, 0.05)},
		"disc in hollow": {disc(r2.Vec{Y: 0.08}, -0.08), disc(r2.Vec{Y: 0.0495}, 0.05)},
		"disc on block":  {{block, 0, false}, disc(r2.Vec{Y: 0.0495}, 0.05)},
		"wedge on block": {{block, 0, false}, {polygon(r2.Vec{Y: 0.0495}, 0.05, 5, 2, 0.1-math.Pi/2), 0, true}},
		"flat on block":  {{block, 0, true}, {rectangle(r2.Vec{X: -0.01, Y: -5e-4}, r2.Vec{X: 0.01, Y: 0.03}, 2), 0, false}},
	} {
		stored := func(by r2.Vec) (energy float64, f r2.Vec) {
			s := newScene(t, contact.Volumetric{K: k}, coulomb.Friction{}, of[0], of[1])
			s.shift(1, by, 0)
			s.evaluate(t, 0, volume.StepPrediction{})
			f, _ = s.on(1)
			return s.Stored, f
		}
		_, f := stored(r2.Vec{})
		slope := func(direction r2.Vec) float64 {
			ahead, _ := stored(r2.Scale(h, direction))
			behind, _ := stored(r2.Scale(-h, direction))
			return (ahead - behind) / (2 * h)
		}
		if g := (r2.Vec{X: -slope(r2.Vec{X: 1}), Y: -slope(r2.Vec{Y: 1})}); r2.Norm(r2.Sub(f, g)) > 5e-6*r2.Norm(f) || r2.Norm(f) == 0 {
			t.Errorf("%s: %v N, the energy falls by %v J/m", name, f, g)
		}
	}
}

// drawn returns two convex solids, meshed or rigid, that overlap a little and
// move.
func drawn(t *rapid.T, tb testing.TB, law contact.Volumetric, friction coulomb.Friction) *scene {
	number := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
	shape := func(i string) (p []r2.Vec, rigid bool) {
		return polygon(r2.Vec{}, number("radius"+i, 0.02, 0.1), rapid.IntRange(3, 7).Draw(t, "corners"+i), rapid.IntRange(1, 3).Draw(t, "cuts"+i), number("turn"+i, 0, 6)), rapid.Bool().Draw(t, "rigid"+i)
	}
	a, aRigid := shape("A")
	b, bRigid := shape("B")
	angle := number("direction", 0, 6)
	u := r2.Vec{X: math.Cos(angle), Y: math.Sin(angle)}
	reach := func(p []r2.Vec, u r2.Vec) float64 {
		most := math.Inf(-1)
		for _, x := range p {
			most = max(most, r2.Dot(x, u))
		}
		return most
	}
	across, slide := reach(a, u)+reach(b, r2.Scale(-1, u)), number("slide", -0.01, 0.01)
	depth := number("depth", 1e-4, 4e-3)
	for i := range b {
		b[i] = r2.Add(b[i], r2.Add(r2.Scale(across-depth, u), r2.Scale(slide, r2.Vec{X: -u.Y, Y: u.X})))
	}
	s := newScene(tb, law, friction, solid{a, 0, aRigid}, solid{b, 0, bRigid})
	for i := range 2 {
		s.moves(i, r2.Vec{X: number("vx", -2, 2), Y: number("vy", -2, 2)}, number("spin", -20, 20))
	}
	return s
}

// Forces and moments of a contact are zero in sum. Friction and damping brake rolling and
// slip: they take energy and never give any.
func TestForcesAreZeroInSum(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := drawn(r, t, contact.Volumetric{K: k, A: 0.2}, coulomb.Friction{Kinetic: 0.4, Speed: 1e-3})
		s.evaluate(r, 1e-5, volume.StepPrediction{})
		f, m := s.on(0)
		g, n := s.on(1)
		if size := r2.Norm(f); r2.Norm(r2.Add(f, g)) > 1e-11*size || math.Abs(m+n) > 1e-10*size*0.1 {
			r.Errorf("forces %v and %v N, moments %g and %g N m", f, g, m, n)
		}
		for i := range s.Patches {
			c := &s.Patches[i]
			if c.Length < 1e-9 { // its direction is rounding
				continue
			}
			first, second := 0, 1
			if s.rigid[0] >= 0 && s.rigid[1] < 0 { // its component comes last
				first, second = 1, 0
			}
			a, b := s.velocity(first, c.Centroid), s.velocity(second, c.Centroid)
			slip, turning := r2.Dot(r2.Sub(a, b), c.Along), s.spin(first)-s.spin(second)
			if c.Normal < 0 || c.Friction*slip > 0 && math.Abs(slip) > 1e-12 || c.Torque*turning > 0 && math.Abs(turning) > 1e-12 {
				r.Errorf("%+v at a slip of %g m/s and %g rad/s", *c, slip, turning)
			}
			if math.Abs(c.Friction) > 0.4*c.Normal*(1+1e-15) {
				r.Errorf("friction of %g N under %g N", c.Friction, c.Normal)
			}
		}
	})
}

// velocity returns the velocity at a position of a solid in rigid motion [m/s].
func (s *scene) velocity(body int, at r2.Vec) r2.Vec {
	n := s.of[body][0]
	return motion.Velocity(s.V[n], s.spin(body), r2.Sub(at, s.X[n]))
}

func (s *scene) spin(body int) float64 {
	n, m := s.of[body][0], s.of[body][1]
	d := r2.Sub(s.X[m], s.X[n])
	return r2.Cross(d, r2.Sub(s.V[m], s.V[n])) / r2.Norm2(d)
}

// The result depends neither on which solid comes first, nor on which is meshed or
// rigid.
func TestOrderDoesNotMatter(t *testing.T) {
	a, b := polygon(r2.Vec{}, 0.05, 4, 2, 0.2), polygon(r2.Vec{X: 0.08, Y: 0.01}, 0.05, 5, 3, 1)
	var want r2.Vec
	for i, of := range [][2]solid{
		{{a, 0, true}, {b, 0, true}}, {{b, 0, true}, {a, 0, true}},
		{{a, 0, false}, {b, 0, false}}, {{b, 0, false}, {a, 0, false}},
		{{a, 0, true}, {b, 0, false}}, {{b, 0, true}, {a, 0, false}},
	} {
		s := newScene(t, contact.Volumetric{K: k, A: 0.1}, coulomb.Friction{Kinetic: 0.3, Speed: 1e-3}, of[0], of[1])
		first, second := i%2, 1-i%2
		s.moves(first, r2.Vec{X: 1, Y: 2}, 3)
		s.moves(second, r2.Vec{X: -1, Y: 1}, -20)
		s.evaluate(t, 1e-7, volume.StepPrediction{})
		f, _ := s.on(first)
		if i == 0 {
			want = f
		}
		if r2.Norm(f) == 0 || r2.Norm(r2.Sub(f, want)) > 1e-12*r2.Norm(want) {
			t.Errorf("order %d: %v N, want %v", i, f, want)
		}
	}
}

// A very small displacement of a solid over another changes force and moment very
// little, even if corners enter or leave the overlap.
func TestForceIsContinuous(t *testing.T) {
	for _, meshed := range []bool{false, true} {
		worst := func(steps int) (jump, most float64) {
			s := newScene(t, contact.Volumetric{K: k, A: 0.1}, coulomb.Friction{Kinetic: 0.3, Speed: 0.1},
				solid{polygon(r2.Vec{}, 0.05, 6, 3, 0), 0, !meshed}, solid{polygon(r2.Vec{X: -0.07, Y: 0.055}, 0.03, 5, 2, 0.3), 0, !meshed})
			v, spin := r2.Vec{X: 0.14, Y: 0.02}, 1.5
			var before r2.Vec
			was := 0.0
			for range steps {
				s.shift(1, r2.Scale(1/float64(steps), v), spin/float64(steps))
				s.moves(1, v, spin)
				s.evaluate(t, 0.1, volume.StepPrediction{}) // in long steps friction is at its limit or brakes nothing
				f, m := s.on(1)
				jump, most = max(jump, r2.Norm(r2.Sub(f, before)), math.Abs(m-was)/0.05), max(most, r2.Norm(f))
				before, was = f, m
			}
			return jump, most
		}
		coarse, most := worst(500)
		if fine, _ := worst(4000); fine > 0.15*coarse || coarse > 0.1*most {
			t.Errorf("meshed %t: jumps of %g N of %g, of %g with an eighth of the steps", meshed, coarse, most, fine)
		}
	}
}

// Along a closed path of a solid that does not rotate, the total work is zero, as far
// as steps can add it up: the remainder falls with the square of the step.
func TestClosedPathsGiveAllBack(t *testing.T) {
	block := rectangle(r2.Vec{X: -0.2, Y: -0.1}, r2.Vec{X: 0.2}, 4)
	for name, of := range map[string][2]solid{
		"disc on disc":   {disc(r2.Vec{Y: -0.08}, 0.08), disc(r2.Vec{Y: 0.052}, 0.05)},
		"disc in hollow": {disc(r2.Vec{Y: 0.08}, -0.08), disc(r2.Vec{Y: 0.052}, 0.05)},
		"wedge on block": {{block, 0, false}, {polygon(r2.Vec{Y: 0.052}, 0.05, 5, 2, 0.1-math.Pi/2), 0, true}},
		"flat on block":  {{block, 0, true}, {rectangle(r2.Vec{X: -0.01, Y: 0.002}, r2.Vec{X: 0.01, Y: 0.03}, 2), 0, false}},
	} {
		lost := func(steps int) (rest, most float64) {
			s := newScene(t, contact.Volumetric{K: k}, coulomb.Friction{}, of[0], of[1])
			s.evaluate(t, 0, volume.StepPrediction{})
			at := func(i int) r2.Vec {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(steps))
				return r2.Vec{X: 0.006 * sin, Y: 0.0035 * (cos - 1)}
			}
			dt := 1 / float64(steps)
			for i := range steps {
				by := r2.Sub(at(i+1), at(i))
				s.shift(1, by, 0)
				s.moves(1, r2.Scale(1/dt, by), 0)
				s.evaluate(t, dt, volume.StepPrediction{})
				w := s.Work()
				rest, most = max(rest, math.Abs(w.Dissipated())), max(most, w.Stored)
			}
			return rest, most
		}
		coarse, most := lost(100)
		if fine, _ := lost(1600); most == 0 || coarse > 0.02*most || fine > coarse/30 {
			t.Errorf("%s: %g J of %g are missing, %g with sixteen times the steps", name, coarse, most, fine)
		}
	}
}

// The prediction covers the next step: the stiffest node of a solid is never so much
// stiffer than predicted a step before that 0.8 times the stable step would be too long for
// it.
func TestPredictionIsNeverLate(t *testing.T) {
	const dt, safety = 1e-5, 0.8
	touched := 0
	rapid.Check(t, func(r *rapid.T) {
		s := drawn(r, t, contact.Volumetric{K: k, A: 0.01}, coulomb.Friction{})
		speed := 0.0
		for _, v := range s.V {
			speed = max(speed, r2.Norm(v))
		}
		next := volume.StepPrediction{Prediction: contactnodes.Prediction{Step: dt, Approach: 3 * speed * dt, Energy: 1, Speed: speed}, Farthest: 200 * speed * dt}
		v, spin, turn := [2]r2.Vec{}, [2]float64{}, 0.0
		for i := range v {
			v[i], spin[i] = s.velocity(i, s.middle(i)), s.spin(i)
			turn = max(turn, math.Abs(spin[i]))
		}
		separation := r2.Sub(s.middle(1), s.middle(0))
		s.shift(1, r2.Scale(60*speed*dt/r2.Norm(separation), separation), 0)
		for i := range v {
			s.moves(i, v[i], spin[i])
		}
		s.evaluate(r, 0, next)
		for range 120 {
			reported := s.stiffest()
			for i := range v {
				s.shift(i, r2.Scale(dt, v[i]), spin[i]*dt)
				s.moves(i, v[i], spin[i])
			}
			none := next
			none.Approach, none.Farthest = 0, 0
			s.evaluate(r, dt, none)
			for i, got := range s.stiffest() {
				if safety*safety*got > reported[i] {
					r.Fatalf("a node of solid %d gets %g N/m, of %g that were told", i, got, reported[i])
				}
			}
			touched += len(s.Patches)
			s.evaluate(r, 0, next)
		}
	})
	if touched == 0 {
		t.Error("nothing has touched")
	}
}

// stiffest returns the greatest stiffness of a node of each solid, 0 for rigid ones [N/m].
func (s *scene) stiffest() (most [2]float64) {
	for i, r := range s.rigid {
		for _, n := range s.of[i] {
			if r < 0 {
				most[i] = max(most[i], s.out.At(n).Stiffness)
			}
		}
	}
	return most
}

// A solid that lies wholly in another has no contact line. The error names its position. A body
// with a hole has more than one outline.
func TestOverlapsThatCannotBeMeasured(t *testing.T) {
	s := newScene(t, contact.Volumetric{K: k}, coulomb.Friction{}, solid{polygon(r2.Vec{}, 0.1, 5, 1, 0), 0, false}, solid{polygon(r2.Vec{X: 0.01}, 0.02, 4, 1, 0), 0, true})
	var inside *volume.InsideError
	if err := s.AddForces(s.out, s.Scene, 0, volume.StepPrediction{}); !errors.As(err, &inside) || r2.Norm(r2.Sub(inside.Position, r2.Vec{X: 0.01})) > 1e-12 {
		t.Errorf("a solid in another: %v", err)
	}
	src := &mesh.Source{Groups: []mesh.SourceGroup{{Name: "ring", Dim: 2, Number: 1}}}
	for _, radius := range []float64{1, 2} {
		for _, p := range polygon(r2.Vec{}, radius, 6, 1, 0) {
			src.AddNode(p)
		}
	}
	for i := range int32(6) {
		j := (i + 1) % 6
		src.Groups[0].Elements = append(src.Groups[0].Elements, src.AddTriangle(i, 6+i, 6+j), src.AddTriangle(i, 6+j, j))
	}
	m, err := mesh.Build(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := volume.Components(m); len(p) != 1 || p[0].Check() == nil || len(s.Patches) > 0 {
		t.Errorf("a ring is measured as %+v", p)
	}
}
