package solver

import (
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/solver/constraints"
	models "fdem/solver/model"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// balance follows a run from row to row: the mean reactions, with what else acts
// from outside, are the change of momentum, and their moments with those of the
// rest about the origin that of the angular momentum. It returns the greatest
// difference and the greatest of the forces, and so of the moments.
func balance(t *testing.T, m *models.Model, outside func(s *Solver, since float64) (r2.Vec, float64)) (off, force, twist, moment float64) {
	t.Helper()
	s := start(t, m)
	var was r2.Vec
	turned := 0.0
	before := 0.0
	begun := false
	run(t, s, func() {
		var p r2.Vec
		l := 0.0
		for i, mass := range s.Mass {
			v, x := s.NodeVelocity(nodes.Node(i)), s.X[i]
			p.X += mass * v.X
			p.Y += mass * v.Y
			l += mass * (x.X*v.Y - x.Y*v.X)
			if !s.beams.Empty() {
				l += s.beams.Inertia[i] * s.NodeSpin(nodes.Node(int32(i)))
			}
		}
		if begun {
			since := s.Time - before
			f, w := outside(s, since)
			for _, r := range s.MeanReactions() {
				f = r2.Add(f, r.Force)
				w += r.Moment + r.About.X*r.Force.Y - r.About.Y*r.Force.X
				force = max(force, r2.Norm(r.Force))
				moment = max(moment, math.Abs(r.Moment))
			}
			off = max(off, r2.Norm(r2.Sub(f, r2.Scale(1/since, r2.Sub(p, was)))))
			twist = max(twist, math.Abs(w-(l-turned)/since))
		}
		was, turned, before, begun = p, l, s.Time, true
	})
	return off, force, twist, moment
}

func nothing(*Solver, float64) (r2.Vec, float64) { return r2.Vec{}, 0 }

// Action is reaction: the forces of fixes, drives, loads and weight are the rate of the momentum of
// bodies of triangles and beams, to rounding, for any motion.
func TestReactionsAreTheRateOfMomentum(t *testing.T) {
	for name, c := range map[string]struct {
		make    func() *models.Model
		outside func(s *Solver, since float64) (r2.Vec, float64)
		turning float64 // how well the moments close, relative
	}{
		"fixed and driven": {func() *models.Model {
			return pulled(t, models.PrescribedMotion{At: func(t float64) float64 { return 1e-5 * (1 - math.Cos(t/3e-6)) }})
		}, nothing, 1e-3},
		"weight": {func() *models.Model {
			m := pulled(t, models.PrescribedMotion{})
			m.Gravity = r2.Vec{X: 3e5, Y: -1e6}
			return m
		}, func(s *Solver, _ float64) (r2.Vec, float64) {
			return r2.Scale(s.BodyMass[0], s.Motion.Gravity), math.NaN()
		}, 0},
		"turned about a point": {func() *models.Model {
			m := plate(t)
			n, _ := side(m.Mesh, 0.02)
			m.Bodies[0].Velocity = r2.Vec{X: 2, Y: 1}
			m.Drives = []models.Drive{{Nodes: n, X: true, Y: true, Rotates: true, Centre: r2.Vec{X: 0.02, Y: 0.005}, About: r2.Vec{X: 1, Y: 2},
				Motion: [3]models.PrescribedMotion{2: {At: func(t float64) float64 { return 300 * math.Sin(t/5e-6) }, Rate: true}}}}
			return m
		}, nothing, 1e-3},
		"beams": {func() *models.Model {
			m := cantilever(t)
			m.Duration = 2e-4
			m.Drives = []models.Drive{{Name: "tip", Nodes: end(m.Mesh, r2.Vec{X: 0.1}), X: true, Y: true, Rotation: true,
				Motion: [3]models.PrescribedMotion{1: {At: func(t float64) float64 { return 1e-4 * (1 - math.Cos(t/3e-5)) }}, 2: {At: func(t float64) float64 { return 100 * math.Sin(t/3e-5) }, Rate: true}}}}
			return m
		}, nothing, 1e-3},
		"fixes that come and go": {func() *models.Model { return heldForAWhile(t) }, nothing, 1e-3},
		"fixes of beams that come and go": {func() *models.Model {
			m := cantilever(t)
			m.Duration, m.Loads = 2e-4, nil
			m.Bodies[0].AngularVelocity, m.Bodies[0].Velocity.Y = 100, 2
			tip := end(m.Mesh, r2.Vec{X: 0.1})
			m.Fixes = []models.Fix{{Name: "root", Nodes: end(m.Mesh, r2.Vec{}), X: true, Y: true, Rotation: true, When: fadingAfter(0, 0.3*m.Duration, 0.1*m.Duration)},
				{Name: "tip", Nodes: tip, Y: true, Rotation: true, When: fadingAfter(0.2*m.Duration, 0.6*m.Duration, 0.1*m.Duration)}, {Name: "again", Nodes: tip, X: true, Y: true, When: models.When{From: 0.65 * m.Duration}}}
			return m
		}, nothing, 1e-3},
	} {
		t.Run(name, func(t *testing.T) {
			m := c.make()
			m.HistoryEvery = m.Duration / 40
			off, force, twist, moment := balance(t, m, c.outside)
			t.Logf("forces are off by %.3g of %.3g N, moments by %.3g of %.3g N m", off, force, twist, moment)
			if off > 1e-11*force {
				t.Errorf("forces are off by %g of %g N", off, force)
			}
			if !math.IsNaN(twist) && twist > c.turning*moment {
				t.Errorf("moments are off by %g of %g N m", twist, moment)
			}
		})
	}
}

// fadingAfter is when something is there from one time to another, and fades within a ramp.
func fadingAfter(from, until, ramp float64) models.When {
	return models.When{From: from, Until: until, Fade: func(t float64) float64 { return max(0, 1-t/ramp) }}
}

// heldForAWhile is a plate in flight that is held at one side for a while.
func heldForAWhile(t *testing.T) *models.Model {
	m := plate(t)
	m.Bodies[0].Velocity = r2.Vec{X: 2, Y: 1}
	left, _ := side(m.Mesh, 0)
	m.Fixes = []models.Fix{{Name: "wall", Nodes: left, X: true, Y: true, When: fadingAfter(0.2*m.Duration, 0.6*m.Duration, 0.2*m.Duration)}}
	return m
}

// Nodes that a fix finds in motion stay where they are then; their kinetic energy goes out, and what the
// reactions do as they fade is work, too. Afterwards the plate flies on, and told is nothing any more.
func TestFixesComeAndGo(t *testing.T) {
	m := heldForAWhile(t)
	m.HistoryEvery = m.Duration / 100
	s := start(t, m)
	n, begun := m.Fixes[0].Nodes[0], s.Energies().Kinetic
	var held []r2.Vec
	told := 0.0
	run(t, s, func() {
		if at := s.Time / m.Duration; at > 0.21 && at < 0.6 {
			held = append(held, s.X[n])
		} else if f := s.Reactions()[0].Force; at < 0.19 || at > 0.81 {
			told = max(told, r2.Norm(f))
		}
	})
	for _, x := range held {
		if x != held[0] {
			t.Fatalf("a held node goes from %v to %v", held[0], x)
		}
	}
	e := s.Energies()
	t.Logf("kinetic %.4g J, %.4g J at the end; external work %.4g J, residual %.2g", begun, e.Kinetic, e.ExternalWork, s.Relative(e))
	if !(e.ExternalWork < 0) || s.Relative(e) > 1e-3 || told != 0 || s.X[n] == held[0] {
		t.Errorf("external work %g J, residual %g; a reaction of %g N is told without a support", e.ExternalWork, s.Relative(e), told)
	}
	if want := m.Mesh.X[n].X + 2*0.2*m.Duration; math.Abs(held[0].X-want) > 2*s.Limit {
		t.Errorf("it is held at %g m, want %g", held[0].X, want)
	}
}

// The supports of a body in balance carry its load and its weight, and the moments of both about
// the support.
func TestReactionsOfBalance(t *testing.T) {
	const weight, force = 1e4, 500.0
	m := statically(plate(t), 2)
	left, _ := side(m.Mesh, 0)
	right, _ := side(m.Mesh, 0.02)
	m.Gravity.Y = -weight
	m.Fixes = []models.Fix{{Name: "wall", Nodes: left, X: true, Y: true, About: r2.Vec{X: 0, Y: 0.005}}}
	m.Loads = []models.Load{{Nodes: right[:1], Weights: []float64{1}, Force: r2.Vec{X: force}, Schedule: through(0, 1)}}
	y := m.Mesh.X[right[0]].Y
	s := start(t, m)
	run(t, s, nil)
	heavy := s.BodyMass[0] * weight
	r := s.Reactions()
	if len(r) != 1 || r[0].Name != "wall" || r[0].Kind != "fix" {
		t.Fatalf("%+v", r)
	}
	if d := r2.Norm(r2.Sub(r[0].Force, r2.Vec{X: -force, Y: heavy})); d > 1e-6*force {
		t.Errorf("the wall carries %v, want %v", r[0].Force, r2.Vec{X: -force, Y: heavy})
	}
	// the weight hangs 10 mm in front of the wall
	if want := 0.01*heavy + force*(y-0.005); math.Abs(r[0].Moment-want) > 2e-3*math.Abs(want) {
		t.Errorf("and %g N m, want %g", r[0].Moment, want)
	}
	if r[0].PeakForce < r2.Norm(r[0].Force) {
		t.Errorf("%+v", r[0])
	}
}

// A rigid floor carries what stands on it, and the contact's two sides are equal
// and opposite.
func TestReactionOfARigidBody(t *testing.T) {
	m := pressed(t, 20, 10, kostek(t))
	s := start(t, m)
	run(t, s, nil)
	sum := r2.Vec{}
	floor := r2.Vec{}
	for _, r := range s.Reactions() {
		sum = r2.Add(sum, r.Force)
		if r.Kind == "rigid" {
			floor = r.Force
		}
	}
	push := s.MeanForces()[0].Push
	for _, l := range s.loads.List {
		for _, f := range l.LoadForce {
			sum = r2.Add(sum, f)
		}
	}
	if !(r2.Norm(floor) > 0) || math.Min(r2.Norm(r2.Sub(floor, push)), r2.Norm(r2.Add(floor, push))) > 1e-9*r2.Norm(floor) {
		t.Errorf("the floor carries %v, the contact %v", floor, push)
	}
	if r2.Norm(sum) > 1e-6*r2.Norm(floor) {
		t.Errorf("all forces add up to %v of %v N", sum, floor)
	}
}

// A block that is pressed beside its middle leans on a rigid floor. The moment of the contact about
// the origin is that of the floor's reaction. Its sum with the moments of the load and of the guide
// is zero.
func TestMomentOfContactIsThatOfTheFloor(t *testing.T) {
	m := pressed(t, 20, 10, kostek(t))
	for i := range m.Mesh.X { // off the origin, too
		m.Mesh.X[i] = r2.Add(m.Mesh.X[i], r2.Vec{X: 0.3, Y: -0.1})
	}
	m.Rigids[0].Centre = r2.Vec{X: 0.3, Y: -0.1}
	var half []int32
	for _, e := range m.Loads[0].Edges {
		if m.Mesh.X[m.Mesh.Edges[e].A].X > 0.3 {
			half = append(half, e)
		}
	}
	m.Loads[0].Edges = half
	s := start(t, m)
	run(t, s, nil)
	var all, floor float64
	about := func(r *constraints.Reaction) float64 { return r.Moment + r2.Cross(r.About, r.Force) }
	for _, r := range s.Reactions() {
		all += about(&r)
		if r.Kind == "rigid" {
			floor = about(&r)
		}
	}
	for _, l := range s.loads.List {
		for i, f := range l.LoadForce {
			all += r2.Cross(s.X[l.LoadNodes[i]], f)
		}
	}
	c := s.ContactForces()[0]
	aboutMiddle := c.Moment - r2.Cross(r2.Vec{X: 0.3, Y: -0.1}, c.Push)
	t.Logf("contact %.9g N m, floor %.9g, all %.3g; about the middle of the foot %.4g", c.Moment, floor, all, aboutMiddle)
	if math.Abs(c.Moment-floor) > 1e-9*math.Abs(floor) {
		t.Errorf("the floor has %g N m, the contact %g", floor, c.Moment)
	}
	if math.Abs(all) > 1e-6*math.Abs(floor) {
		t.Errorf("all moments add up to %g of %g N m", all, floor)
	}
	if !(aboutMiddle > 1e-4*c.Push.Y) { // the pressure is to the right of the middle
		t.Errorf("it leans by %g N m of %g N", aboutMiddle, c.Push.Y)
	}
}

// Beams, triangles and a rigid disc that collide with friction: on every body the
// moments of its contacts are those of the forces on its nodes.
func TestMomentsOfContactsAreThoseOfNodes(t *testing.T) {
	m := melee(t, 0.2)
	m.HistoryEvery = 2e-5
	s := start(t, m)
	var pressed [4]bool
	worst, greatest := 0.0, 0.0
	run(t, s, func() {
		var contacts, nodes [4]float64
		for i, c := range s.ContactForces() {
			contacts[m.Mesh.Edges[m.Contacts[i].Contactor[0]].Body] += c.Moment
			contacts[m.Mesh.Edges[m.Contacts[i].Opposite[0]].Body] -= c.Moment
		}
		for b := range nodes {
			seen := map[int32]bool{}
			for _, e := range edges(m.Mesh, b) {
				for _, n := range [2]int32{m.Mesh.Edges[e].A, m.Mesh.Edges[e].B} {
					if !seen[n] {
						seen[n] = true
						nodes[b] += r2.Cross(s.X[n], s.Contact.At(n).F) + s.Contact.Moment[n]
					}
				}
			}
			pressed[b] = pressed[b] || nodes[b] != 0
			greatest = max(greatest, math.Abs(nodes[b]))
			worst = max(worst, math.Abs(nodes[b]-contacts[b]))
		}
	})
	t.Logf("off by %.3g of %.3g N m", worst, greatest)
	if pressed != [4]bool{true, true, true, true} || worst > 1e-11*greatest {
		t.Errorf("off by %g of %g N m; pressed %v", worst, greatest, pressed)
	}
}

// A clamped beam whose end is moved by u needs the force 3 E I u/L^3 there. The clamp takes the same
// force and its moment. A beam whose end may not rotate needs four times that force.
func TestReactionOfABeam(t *testing.T) {
	const length, height, displacement = 0.1, 2e-3, 1e-4
	stiff := steel.Young * 0.01 * height * height * height / 12
	for _, c := range []struct {
		clamped             bool
		force, clamp, moved float64
	}{{false, 3 * stiff * displacement / (length * length * length), 3, 0}, {true, 12 * stiff * displacement / (length * length * length), 6, 6}} {
		m := statically(cantilever(t), 1)
		m.Fixes[0].Name = "root"
		m.Drives = []models.Drive{{Name: "tip", Nodes: end(m.Mesh, r2.Vec{X: length}), About: r2.Vec{X: length}, Y: true, Rotation: c.clamped, Motion: [3]models.PrescribedMotion{1: {At: through(0, displacement)}}}}
		s := start(t, m)
		run(t, s, nil)
		unit := stiff * displacement / (length * length)
		r := s.Reactions()
		if math.Abs(r[1].Force.Y-c.force) > 1e-3*c.force || math.Abs(r[0].Force.Y+c.force) > 1e-3*c.force {
			t.Errorf("ends carry %g and %g N, want %g", r[0].Force.Y, r[1].Force.Y, c.force)
		}
		if math.Abs(r[0].Moment+c.clamp*unit) > 1e-3*c.clamp*unit || math.Abs(r[1].Moment+c.moved*unit) > 1e-3*unit*max(c.moved, 1) {
			t.Errorf("moments %g and %g, want %g and %g N m", r[0].Moment, r[1].Moment, -c.clamp*unit, -c.moved*unit)
		}
	}
}

// A driven block slides on a floor: the floor's reaction is friction times the normal force, and
// the sum has every force.
func TestDrivenBodyRubs(t *testing.T) {
	const speed, mu = 2.0, 0.3
	m := pressed(t, 10, 5, law(t, "linear", map[string]float64{"k": 1e13}))
	m.Static, m.Fixes, m.Loads = nil, nil, nil
	m.Duration, m.Safety, m.ResidualLimit = 2e-4, 0.8, 0.05
	m.Contacts[0].Friction = contactnodes.Friction{Kinetic: mu, Static: mu, Stiffness: 1e13}
	m.Drives = []models.Drive{{Name: "hand", Nodes: m.Mesh.Bodies[0].Nodes, X: true, Y: true, Motion: [3]models.PrescribedMotion{
		{At: func(float64) float64 { return speed }, Rate: true}, {At: func(t float64) float64 { return -1e-6 * math.Min(t/5e-5, 1) }},
	}}}
	s := start(t, m)
	run(t, s, nil)
	var drive, floor constraints.Reaction
	for _, r := range s.Reactions() {
		if r.Name == "hand" {
			drive = r
		} else {
			floor = r
		}
	}
	if d := r2.Norm(r2.Add(drive.Force, floor.Force)); d > 1e-9*r2.Norm(drive.Force) || !(floor.Force.Y > 0) {
		t.Errorf("hand %v, floor %v", drive.Force, floor.Force)
	}
	if ratio := drive.Force.X / floor.Force.Y; math.Abs(ratio-mu) > 1e-6 {
		t.Errorf("friction is %g of the pressure, want %g", ratio, mu)
	}
	if e := s.Energies(); math.Abs(e.Residual) > 1e-3*e.ExternalWork || !(e.FrictionDissipated > 0) {
		t.Errorf("%+v", e)
	}
}
