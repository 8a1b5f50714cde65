package solver

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"fdem/contactnodes"
	"fdem/materials/bulk"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// strip appends a straight beam of n elements as a 1-D group.
func strip(src *mesh.Source, name string, from, to r2.Vec, n int) {
	base := int32(len(src.X))
	g := mesh.SourceGroup{Name: name, Dim: 1, Number: len(src.Groups) + 1}
	for i := range n + 1 {
		src.X = append(src.X, r2.Add(from, r2.Scale(float64(i)/float64(n), r2.Sub(to, from))))
		src.NodeID = append(src.NodeID, int64(len(src.X)))
		if i > 0 {
			g.Elements = append(g.Elements, int32(len(src.Lines)))
			src.Lines = append(src.Lines, [2]int32{base + int32(i) - 1, base + int32(i)})
			src.LineID = append(src.LineID, int64(len(src.Lines)))
		}
	}
	src.Groups = append(src.Groups, g)
}

// beamModel makes a model of the 2-D and 1-D groups of src; beams are 10 mm
// wide and of the given height.
func beamModel(t testing.TB, src *mesh.Source, height float64, outlines ...mesh.Outline) *models.Model {
	t.Helper()
	return hingedModel(t, src, height, nil, outlines...)
}

// hingedModel is beamModel with hinges at positions.
func hingedModel(t testing.TB, src *mesh.Source, height float64, hinges []r2.Vec, outlines ...mesh.Outline) *models.Model {
	t.Helper()
	bodies, names := []string{}, []string{}
	for _, g := range src.Groups {
		if g.Dim == 2 {
			bodies = append(bodies, g.Name)
		} else {
			names = append(names, g.Name)
		}
	}
	m, err := mesh.Build(src, bodies, names...)
	noError(t, err)
	var at []int32
	for _, x := range hinges {
		at = append(at, nearest(m.X, x))
	}
	slices.Sort(at)
	m = m.WithHinges(at)
	heights := make([]float64, len(names))
	for i := range heights {
		heights[i] = height
	}
	if m, err = m.WithFaces(heights); err != nil {
		t.Fatal(err)
	}
	mod := &models.Model{Mesh: m.With(outlines), Materials: []bulk.Material{{Elastic: steel}}, Thickness: 0.01, Safety: 0.8, ResidualLimit: 0.05}
	for _, b := range m.Bodies {
		body := models.Body{Name: b.Name}
		if b.FirstBeam < b.EndBeam {
			body.Width, body.Height = 0.01, height
		}
		mod.Bodies = append(mod.Bodies, body)
	}
	return mod
}

// end returns the node nearest to x.
func end(m *mesh.Mesh, x r2.Vec) []int32 { return []int32{nearest(m.X[:m.FirstFace], x)} }

func nearest(positions []r2.Vec, x r2.Vec) int32 {
	best := int32(0)
	for i, p := range positions {
		if r2.Norm(r2.Sub(p, x)) < r2.Norm(r2.Sub(positions[best], x)) {
			best = int32(i)
		}
	}
	return best
}

// cantilever is 20 elements of 100 mm by 2 mm, clamped at the left.
func cantilever(t testing.TB) *models.Model {
	src := &mesh.Source{Name: "cantilever"}
	strip(src, "strip", r2.Vec{}, r2.Vec{X: 0.1}, 20)
	m := beamModel(t, src, 2e-3)
	m.Fixes = []models.Fix{{Nodes: end(m.Mesh, r2.Vec{}), X: true, Y: true, Rotation: true}}
	m.Duration = 1e-3
	return m
}

// A cantilever that is released under a force at its tip swings at the first bending
// frequency, 1.8751^2 sqrt(EI/(rho A))/L^2, about PL^3/(3EI). The masses are
// lumped: at 20 elements the frequency is 0.2 percent low.
func TestCantileverSwings(t *testing.T) {
	t.Parallel()
	const length, height, force = 0.1, 2e-3, 1.0
	m := cantilever(t)
	tip := end(m.Mesh, r2.Vec{X: length})
	m.Loads = []models.Load{{Nodes: tip, Weights: []float64{1}, Force: r2.Vec{Y: force}}}
	omega := 1.87510407 * 1.87510407 * math.Sqrt(steel.Young*height*height/12/steel.Density) / (length * length)
	const periods = 10
	m.Duration = periods * 2 * math.Pi / omega
	m.HistoryEvery = m.Duration / 1000
	s := start(t, m)
	static := force * length * length * length / (3 * steel.Young * 0.01 * height * height * height / 12)
	mean, rows, worst := 0.0, 0, 0.0
	var times, y []float64
	run(t, s, func() {
		mean += s.X[tip[0]].Y
		rows++
		e := s.Energies()
		worst = max(worst, math.Abs(e.Residual)) // the energy that entered grows from nothing
		times, y = append(times, s.Time), append(y, s.X[tip[0]].Y)
	})
	// amplitude of the frequency that fits best, by its Fourier integral
	power := func(w float64) float64 {
		re, im := 0.0, 0.0
		for i, v := range y {
			window := 1 - math.Cos(2*math.Pi*times[i]/m.Duration)
			re += window * (v - mean/float64(rows)) * math.Cos(w*times[i])
			im += window * (v - mean/float64(rows)) * math.Sin(w*times[i])
		}
		return re*re + im*im
	}
	best := omega
	for w := 0.95 * omega; w < 1.05*omega; w += 2e-4 * omega {
		if power(w) > power(best) {
			best = w
		}
	}
	worst /= s.Ledger.Entered
	t.Logf("frequency %.4f of theory, mean deflection %.4f of the static one, worst residual %.2g", best/omega, mean/float64(rows)/static, worst)
	if math.Abs(best/omega-1) > 4e-3 {
		t.Errorf("frequency is %g rad/s, theory %g", best, omega)
	}
	if math.Abs(mean/float64(rows)/static-1) > 0.01 {
		t.Errorf("it oscillates about %g m, want %g m", mean/float64(rows), static)
	}
	if worst > 1e-4 {
		t.Errorf("residual %g", worst)
	}
}

// The ledger has every term by which the rotations of a beam gain or lose energy: the worst
// residual is small, and falls fourfold with half the step.
func TestLedgerHoldsBeams(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*models.Model)
		moved  func(system.Energies) float64
	}{
		{"moment", func(m *models.Model) {
			m.Loads = []models.Load{{Nodes: end(m.Mesh, r2.Vec{X: 0.1}), Weights: []float64{1}, Moment: 5, Schedule: func(t float64) float64 { return math.Sin(t / 3e-5) }}}
		}, func(e system.Energies) float64 { return e.ExternalWork }},
		{"gravity", func(m *models.Model) { m.Gravity.Y = -1e5 }, func(e system.Energies) float64 { return e.ExternalWork }},
		{"mass damping", func(m *models.Model) { m.Damping.Mass = 2e3; m.Bodies[0].Velocity.Y = 2 },
			func(e system.Energies) float64 { return e.DampingDissipated }},
		{"stiffness damping", func(m *models.Model) { m.Damping.Stiffness = 1e-7; m.Bodies[0].AngularVelocity = 40 },
			func(e system.Energies) float64 { return e.DampingDissipated }},
		{"spin", func(m *models.Model) { m.Fixes, m.Bodies[0].AngularVelocity = nil, 4e4 },
			func(e system.Energies) float64 { return e.Strain }},
	} {
		t.Run(c.name, func(t *testing.T) {
			residualOfSteps(t, 0, c.moved, func() *models.Model {
				m := cantilever(t)
				m.HistoryEvery = 1e-5
				c.change(m)
				return m
			})
		})
	}
}

// A beam that is thrown with a spin moves as a rigid body: its motion and its angular velocity are
// those it started with.
func TestThrownBeam(t *testing.T) {
	m := cantilever(t)
	m.Fixes = nil
	m.Gravity.Y = -9.81
	m.Duration = 5e-3
	m.Bodies[0].Velocity, m.Bodies[0].AngularVelocity = r2.Vec{X: 3, Y: 2}, 15
	s := start(t, m)
	run(t, s, nil)
	b := s.Motions()[0]
	want := r2.Vec{X: 0.05 + 3*5e-3, Y: 2*5e-3 - 0.5*9.81*25e-6}
	t.Logf("centre off by %.2g m, angular velocity %.9g rad/s, turned by %.9g rad", r2.Norm(r2.Sub(b.Centre, want)), b.AngularVelocity, s.Theta[10])
	if r2.Norm(r2.Sub(b.Centre, want)) > 1e-9 {
		t.Errorf("centre at %v, want %v", b.Centre, want)
	}
	if math.Abs(b.AngularVelocity-15) > 1e-4 || math.Abs(b.Mass-0.1*0.01*2e-3*7860) > 1e-12 {
		t.Errorf("turns at %g rad/s with %g kg", b.AngularVelocity, b.Mass)
	}
	for i, n := range m.Mesh.Faces { // faces stay half the height off
		if d := r2.Norm(r2.Sub(s.X[int(m.Mesh.FirstFace)+i], s.X[n])); math.Abs(d-1e-3) > 1e-15 {
			t.Fatalf("face node %d is %g m off its node", i, d)
		}
	}
}

// melee is a block, two beams and a rigid disc, all free, that meet with
// friction.
func melee(t testing.TB, friction float64) *models.Model {
	src := &mesh.Source{Name: "melee"}
	rectangle(src, "block", -0.02, -0.015, 0.015, 0.01, 12, 8)
	strip(src, "a", r2.Vec{X: -0.03, Y: 0}, r2.Vec{X: 0.03, Y: 0.002}, 12)
	strip(src, "b", r2.Vec{X: -0.01, Y: 0.003}, r2.Vec{X: 0.03, Y: 0.02}, 10)
	centre := r2.Vec{X: 0.015, Y: -0.0062}
	m := beamModel(t, src, 2e-3, disc("disc", centre, 5e-3))
	m.Bodies[0].Velocity = r2.Vec{X: 1, Y: 5}
	m.Bodies[1].AngularVelocity = 20
	m.Bodies[2].Velocity, m.Bodies[2].AngularVelocity = r2.Vec{X: -2, Y: -6}, -50
	ball := freeDisc("disc", centre, r2.Vec{X: -1, Y: 6}, 5e-3, 100)
	ball.Mass, ball.Inertia = 0.01, 0.01*5e-3*5e-3/2
	m.Rigids = []models.Rigid{ball}
	for _, pair := range [][2]int{{0, 1}, {1, 2}, {1, 3}, {0, 2}, {0, 3}, {2, 3}} {
		m.Contacts = append(m.Contacts, models.SurfaceContact{
			Name: fmt.Sprint(pair), Contactor: edges(m.Mesh, pair[0]), Opposite: edges(m.Mesh, pair[1]), TwoSided: true,
			Law: law(t, "linear", map[string]float64{"k": 1e12}), NodesPerElement: 10, Friction: contactnodes.Friction{Kinetic: friction, Speed: 1e-2},
		})
	}
	m.Duration = 1e-3
	return m
}

// Free beams that meet triangles, a rigid body and one another keep momentum to rounding, angular
// momentum to 1e-6 with friction, and energy. Contact nodes at ends keep less of the angular
// momentum, for the force of a beam's face at them is not the gradient of an energy.
func TestBeamsKeepMomentum(t *testing.T) {
	for _, c := range []struct {
		ends     bool
		residual float64
	}{{false, 1e-3}, {true, 1e-2}} {
		m := melee(t, 0.2)
		m.HistoryEvery = 1e-6
		for i := range m.Contacts {
			if m.Contacts[i].Ends = c.ends; c.ends {
				m.Contacts[i].NodesPerElement = 3
			}
		}
		s := start(t, m)
		sum := func() (p r2.Vec, l float64) {
			for i, mass := range s.Mass {
				v := s.NodeVelocity(nodes.Node(i))
				p = r2.Add(p, r2.Scale(mass, v))
				l += mass * r2.Cross(s.X[i], v)
			}
			for _, n := range s.beams.BeamNodes {
				l += s.beams.Inertia[n] * s.NodeSpin(nodes.Node(n))
			}
			v, spin := s.rigids.List[0].VelocityOf(s.Last)
			return r2.Add(p, r2.Scale(s.Rigids[0].Mass, v)), l + s.Rigids[0].Mass*r2.Cross(s.RigidMotions[0].Centre, v) + s.Rigids[0].Inertia*spin
		}
		p0, l0 := sum()
		worst := 0.0
		run(t, s, func() { worst = max(worst, s.Relative(s.Energies())) })
		p, l := sum()
		e := s.Energies()
		scale := math.Abs(s.Motions()[0].Mass * 5)
		t.Logf("ends %v: momentum changed by %.2g of %.2g kg m/s, angular momentum by %.2g of %.2g; worst residual %.2g; friction %.3g J of %.3g J",
			c.ends, r2.Norm(r2.Sub(p, p0)), scale, l-l0, l0, worst, e.FrictionDissipated, s.Ledger.Start.Kinetic)
		for i, of := range m.Contacts[:3] {
			if s.PeakForce[i] == 0 {
				t.Errorf("ends %v: bodies %s did not meet", c.ends, of.Name)
			}
		}
		if r2.Norm(r2.Sub(p, p0)) > 1e-12*scale || math.Abs(l-l0) > 1e-6*math.Abs(l0) {
			t.Errorf("ends %v: momentum changed by %g, angular momentum by %g of %g", c.ends, r2.Norm(r2.Sub(p, p0)), l-l0, l0)
		}
		if worst > c.residual {
			t.Errorf("ends %v: residual %g", c.ends, worst)
		}
	}
}

// The contact forces on the nodes of beams are the gradient of the contact energy: forces on faces
// become the equivalent forces and moments on nodes.
func TestContactOfBeamsIsAGradient(t *testing.T) {
	m := melee(t, 0)
	s := start(t, m)
	rng := rand.New(rand.NewSource(1))
	shift := func(body int, d r2.Vec) {
		for _, n := range m.Mesh.Bodies[body].Nodes {
			s.X[n] = r2.Add(s.X[n], d)
		}
	}
	shift(0, r2.Vec{Y: 4.65e-3}) // the block, the other beam and the disc into beam a
	shift(2, r2.Vec{X: 2e-4, Y: -0.75e-3})
	shift(3, r2.Vec{Y: 1.75e-3})
	s.RigidMotions[0].Centre.Y += 1.75e-3
	for _, n := range s.beams.BeamNodes {
		s.X[n] = r2.Add(s.X[n], r2.Vec{X: 1e-5 * rng.NormFloat64(), Y: 1e-5 * rng.NormFloat64()})
		s.Theta[n] = 5e-3 * rng.NormFloat64()
	}
	energy := func() float64 {
		s.beams.Follow(0)
		if err := s.AddTriangleForces(); err != nil { // it also measures how far nodes have moved
			t.Fatal(err)
		}
		clear(s.F)
		clear(s.Moment)
		noError(t, s.contacts.ApplyForces(true))
		s.beams.AfterForces()
		w := 0.0
		for _, c := range s.Surfaces {
			w += c.Stored
		}
		return w
	}
	energy()
	for i, c := range s.Surfaces[:3] {
		if c.Active < 5 {
			t.Errorf("%s: only %d contact nodes touch", m.Contacts[i].Name, c.Active)
		}
	}
	f, moment := slices.Clone(s.F), slices.Clone(s.Moment)
	slope := func(v *float64, h float64) float64 {
		at := *v
		*v = at + h
		up := energy()
		*v = at - h
		down := energy()
		*v = at
		return -(up - down) / (2 * h)
	}
	worst, pressed := 0.0, 0
	for _, n := range s.beams.BeamNodes {
		const h = 1e-9
		off := math.Abs(slope(&s.X[n].X, h)-f[n].X) + math.Abs(slope(&s.X[n].Y, h)-f[n].Y)
		turn := math.Abs(slope(&s.Theta[n], h/1e-3) - moment[n])
		if moment[n] != 0 {
			pressed++
		}
		worst = max(worst, off, turn/1e-3)
	}
	scale := s.ContactForces()[0].Normal
	t.Logf("%d nodes pressed, forces off by at most %.2g N of %.3g N", pressed, worst, scale)
	if pressed < 6 || worst > 1e-4*scale {
		t.Errorf("forces are off by %g N, %d nodes pressed", worst, pressed)
	}
}

// A beam lies on a rigid floor under its weight: the floor carries it, and all contact nodes have
// the same pressure.
func TestBeamLiesOnFloor(t *testing.T) {
	src := &mesh.Source{Name: "lying"}
	strip(src, "strip", r2.Vec{X: 0.01}, r2.Vec{X: 0.09}, 8)
	m := beamModel(t, src, 2e-3, mesh.Outline{Name: "floor", Points: []r2.Vec{{X: 0.1, Y: -1e-3}, {X: 0, Y: -1e-3}}, Depth: 1e-3})
	m.Rigids = []models.Rigid{{Name: "floor", Material: -1, Centre: r2.Vec{X: 0.05, Y: -1e-3}}}
	m.Gravity.Y = -9.81
	m.Contacts = []models.SurfaceContact{{
		Name: "floor", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 10,
		Law: law(t, "linear", map[string]float64{"k": 1e9, "c": 1e5}), Friction: contactnodes.Friction{Speed: 1e-3},
	}}
	m.Duration = 20e-3
	s := start(t, m)
	run(t, s, nil)
	weight := 0.08 * 0.01 * 2e-3 * steel.Density * 9.81
	c := s.Surfaces[0]
	low, high := math.Inf(1), 0.0
	pressed := 0 // without the end faces, that sink in with their corners
	for _, p := range c.AtNodes(c.Pressures()) {
		if p > 0 {
			pressed++
			low, high = min(low, p), max(high, p)
		}
	}
	t.Logf("the floor carries %.6g N of %.6g N on %d contact nodes, pressures %.6g to %.6g Pa, want %.6g", c.Normal, weight, pressed, low, high, weight/(0.08*0.01))
	carriedLoad := 0.0
	for _, n := range m.Mesh.Bodies[0].Nodes {
		carriedLoad += s.Probe(models.Probe{Node: n, Quantity: "contact_force"}).Y
	}
	if math.Abs(carriedLoad/c.Normal-1) > 1e-12 {
		t.Errorf("probes on all nodes see %g N of %g N", carriedLoad, c.Normal)
	}
	if pressed != 80 || math.Abs(c.Normal/weight-1) > 1e-4 || math.Abs(high/low-1) > 1e-3 {
		t.Errorf("the floor carries %g N of %g N on %d contact nodes, pressures from %g to %g Pa", c.Normal, weight, pressed, low, high)
	}
}

// A beam that shares its end with a block is hinged to it and has no contact with it. Both keep the
// momentum that they had.
func TestBeamOnBlock(t *testing.T) {
	src := &mesh.Source{Name: "flail"}
	rectangle(src, "block", -0.02, -0.01, 0.02, 0.02, 8, 8)
	strip(src, "arm", r2.Vec{}, r2.Vec{X: 0.05}, 10)
	hinge := nodesAt(src, r2.Vec{})
	for i := range src.Lines { // the arm starts at the block's node
		for k, n := range src.Lines[i] {
			if n == hinge[1] {
				src.Lines[i][k] = hinge[0]
			}
		}
	}
	m := beamModel(t, src, 2e-3)
	m.Bodies[1].Velocity, m.Bodies[1].AngularVelocity = r2.Vec{Y: 3}, 100
	all := append(edges(m.Mesh, 0), edges(m.Mesh, 1)...)
	m.Contacts = []models.SurfaceContact{{Name: "all", Contactor: all, Opposite: all, NodesPerElement: 5, Law: law(t, "linear", map[string]float64{"k": 1e12}), Friction: contactnodes.Friction{Speed: 1e-3}}}
	m.Duration = 2e-3
	s := start(t, m)
	sum := func() (p r2.Vec) {
		for _, b := range s.Motions() {
			p = r2.Add(p, b.Momentum)
		}
		return p
	}
	before := sum()
	run(t, s, nil)
	e, after := s.Energies(), sum()
	t.Logf("momentum %v, then %v; block turns at %.3g rad/s, arm by %.3g rad; residual %.2g", before, after, s.Motions()[0].AngularVelocity, s.Theta[m.Mesh.Bodies[1].Nodes[5]], s.Relative(e))
	if r2.Norm(r2.Sub(after, before)) > 1e-12*r2.Norm(before) {
		t.Errorf("momentum was %v and is %v", before, after)
	}
	if s.PeakForce[0] != 0 || s.Relative(e) > 1e-3 || r2.Norm(s.Motions()[0].Momentum) < 0.1*before.Y {
		t.Errorf("contact force %g N, residual %g, block's momentum %v", s.PeakForce[0], s.Relative(e), s.Motions()[0].Momentum)
	}
}

// nodesAt returns the nodes of the source at x.
func nodesAt(src *mesh.Source, x r2.Vec) (at []int32) {
	for i, p := range src.X {
		if r2.Norm(r2.Sub(p, x)) < 1e-12 {
			at = append(at, int32(i))
		}
	}
	return at
}

// A clip of one bent beam is pressed until its legs meet, and springs back. With self-contact the
// legs separate again and have not passed through each other.
func TestBeamMeetsItself(t *testing.T) {
	src := &mesh.Source{Name: "clip"}
	var x []r2.Vec
	const half = 2e-3 // of the distance between the legs
	for i := range 15 {
		x = append(x, r2.Vec{X: 0.03 - 2e-3*float64(i), Y: half})
	}
	for i := 1; i < 6; i++ {
		sin, cos := math.Sincos(math.Pi * float64(i) / 6)
		x = append(x, r2.Vec{X: 2e-3 - half*sin, Y: half * cos})
	}
	for i := range 15 {
		x = append(x, r2.Vec{X: 2e-3 + 2e-3*float64(i), Y: -half})
	}
	g := mesh.SourceGroup{Name: "clip", Dim: 1, Number: 1}
	for i := range x {
		src.X, src.NodeID = append(src.X, x[i]), append(src.NodeID, int64(i+1))
		if i > 0 {
			g.Elements = append(g.Elements, int32(i-1))
			src.Lines, src.LineID = append(src.Lines, [2]int32{int32(i - 1), int32(i)}), append(src.LineID, int64(i))
		}
	}
	src.Groups = []mesh.SourceGroup{g}
	m := beamModel(t, src, 1e-3)
	all := edges(m.Mesh, 0)
	m.Contacts = []models.SurfaceContact{{
		Name: "clip", Contactor: all, Opposite: all, Self: true, NodesPerElement: 10,
		Law: law(t, "linear", map[string]float64{"k": 1e12}), Friction: contactnodes.Friction{Speed: 1e-3},
	}}
	upper, lower := end(m.Mesh, x[0])[0], end(m.Mesh, x[len(x)-1])[0]
	pinch := func(t float64) float64 { return math.Sin(math.Pi * min(t/4e-4, 1)) }
	m.Loads = []models.Load{
		{Nodes: []int32{upper}, Weights: []float64{1}, Force: r2.Vec{Y: -60}, Schedule: pinch},
		{Nodes: []int32{lower}, Weights: []float64{1}, Force: r2.Vec{Y: 60}, Schedule: pinch},
	}
	m.Duration, m.HistoryEvery, m.Safety = 1e-3, 1e-6, 0.4
	s := start(t, m)
	if s.Surfaces[0].Active != 0 {
		t.Fatalf("%d contact nodes touch before anything moves", s.Surfaces[0].Active)
	}
	least, worst := math.Inf(1), 0.0
	run(t, s, func() {
		least = min(least, s.X[upper].Y-s.X[lower].Y)
		worst = max(worst, math.Abs(s.Energies().Residual))
	})
	worst /= s.Ledger.Entered
	t.Logf("the legs come within %.4g mm, %.4g mm apart at the end, contact force up to %.3g N; worst residual %.2g", 1e3*least, 1e3*(s.X[upper].Y-s.X[lower].Y), s.PeakForce[0], worst)
	if s.PeakForce[0] == 0 || least > 1e-3 || least < 0.8e-3 {
		t.Errorf("the legs come within %g m, a height is 1 mm; contact force %g N", least, s.PeakForce[0])
	}
	if worst > 1e-3 {
		t.Errorf("residual %g", worst)
	}
}
