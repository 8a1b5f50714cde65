package solver

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// flail is a free block of 20 mm with an arm clamped to the middle of its right side, and a second
// arm on a hinge at the end of the first. All rotate together.
func flail(t testing.TB, outlines ...mesh.Outline) *models.Model {
	src := &mesh.Source{Name: "flail"}
	rectangle(src, "block", -0.02, -0.01, 0.02, 0.02, 16, 16)
	strip(src, "arm", r2.Vec{}, r2.Vec{X: 0.05}, 10)
	strip(src, "whip", r2.Vec{X: 0.05}, r2.Vec{X: 0.08, Y: 0.01}, 8)
	for _, x := range []r2.Vec{{}, {X: 0.05}} { // one node instead of two
		at := nodesAt(src, x)
		for i := range src.Lines {
			for k, n := range src.Lines[i] {
				if n == at[1] {
					src.Lines[i][k] = at[0]
				}
			}
		}
	}
	m := hingedModel(t, src, 4e-3, []r2.Vec{{X: 0.05}}, outlines...)
	m.Clamps = []models.Clamp{{On: "root", Node: end(m.Mesh, r2.Vec{})[0]}}
	const spin = 600
	for i, c := range []r2.Vec{{X: -0.01}, {X: 0.025}, {X: 0.065, Y: 0.005}} {
		m.Bodies[i].Velocity, m.Bodies[i].AngularVelocity = r2.Vec{X: -spin * c.Y, Y: spin * c.X}, spin
	}
	m.Duration = 2e-4
	return m
}

// lineLoads are a force per length on the arm and a pressure on the whip.
func lineLoads(m *models.Model) []models.Load {
	a, b := &m.Mesh.Bodies[1], &m.Mesh.Bodies[2]
	of := func(b *mesh.Body) (out []int32) {
		for e := b.FirstBeam; e < b.EndBeam; e++ {
			out = append(out, e)
		}
		return out
	}
	width := make([]float64, b.EndBeam-b.FirstBeam)
	for i := range width {
		width[i] = 0.01
	}
	return []models.Load{
		{On: "arm", Line: &models.LineLoad{Elements: of(a), Force: r2.Vec{X: 3e3, Y: 2e4}}, Schedule: func(t float64) float64 { return 0.5 - 0.5*math.Cos(t/1e-5) }},
		{On: "whip", Line: &models.LineLoad{Elements: of(b), Side: width}, Pressure: 2e6, Schedule: func(t float64) float64 { return 0.5 - 0.5*math.Cos(t/2e-5) }},
	}
}

// conserved returns the momentum and the angular momentum of all nodes.
func conserved(s *Solver) (p r2.Vec, l float64) {
	for i, mass := range s.Mass {
		v := s.NodeVelocity(nodes.Node(i))
		p = r2.Add(p, r2.Scale(mass, v))
		l += mass * r2.Cross(s.X[i], v)
	}
	for _, n := range s.beams.BeamNodes {
		l += s.beams.Inertia[n] * s.NodeSpin(nodes.Node(n))
	}
	return p, l
}

// A block, an arm that is clamped to it and a second arm on a hinge rotate by two turns. Momentum,
// angular momentum and energy are kept. The root of the first arm rotates with the block, and both
// arms stay joined at the hinge.
func TestFlailKeepsMomentum(t *testing.T) {
	t.Parallel()
	m := flail(t)
	m.Duration, m.HistoryEvery, m.Safety = 12e-3, 1e-4, 0.8
	s := start(t, m)
	p0, l0 := conserved(s)
	root, hinge := m.Clamps[0].Node, m.Mesh.Hinges[0]
	worst, off, bent, worstL := 0.0, 0.0, 0.0, 0.0
	run(t, s, func() {
		worst = max(worst, s.Relative(s.Energies()))
		up, down := s.X[end(m.Mesh, r2.Vec{Y: 1.25e-3})[0]], s.X[end(m.Mesh, r2.Vec{Y: -1.25e-3})[0]]
		d := r2.Sub(up, down)
		off = max(off, math.Abs(math.Mod(s.Theta[root]+10.5*math.Pi-math.Atan2(d.Y, d.X)+math.Pi, 2*math.Pi)-math.Pi))
		bent = max(bent, math.Abs(s.Theta[hinge.Node]-s.Theta[hinge.Of]))
		_, l := conserved(s)
		worstL = max(worstL, math.Abs(l-l0))
		if s.X[hinge.Node] != s.X[hinge.Of] {
			t.Fatal("the hinge has opened")
		}
	})
	p, _ := conserved(s)
	t.Logf("root turned by %.4g rad, off the block by %.2g; hinge bent up to %.3g rad; momentum changed by %.2g, angular by %.2g of %.3g; residual %.2g",
		s.Theta[root], off, bent, r2.Norm(r2.Sub(p, p0)), worstL, l0, worst)
	if s.Theta[root] < 2*math.Pi || off > 1e-2 || bent < 0.3 {
		t.Errorf("the root turned by %g rad, off the block by %g, the hinge bent by %g", s.Theta[root], off, bent)
	}
	if r2.Norm(r2.Sub(p, p0)) > 1e-10*s.Motions()[0].Mass || worstL > 1e-5*math.Abs(l0) || worst > 1e-3 {
		t.Errorf("momentum changed by %g, angular momentum by %g of %g; residual %g", r2.Norm(r2.Sub(p, p0)), worstL, l0, worst)
	}
}

// An arm swings about its root, is clamped at the angle that it has then, and let go again. Momentum stays,
// what the rotary inertia of the root's node has of angular momentum and energy goes, the latter as work.
func TestClampsComeAndGo(t *testing.T) {
	m := flail(t)
	m.Duration, m.HistoryEvery, m.Safety = 4e-3, 2e-5, 0.8
	m.Bodies[0].AngularVelocity += 300
	m.Clamps[0].When = fadingAfter(0.25*m.Duration, 0.6*m.Duration, 0.05*m.Duration)
	s := start(t, m)
	p0, l0 := conserved(s)
	root, worst := m.Clamps[0].Node, 0.0
	var angles [3][2]float64 // least and greatest before, while it is clamped and after
	for i := range angles {
		angles[i] = [2]float64{math.Inf(1), math.Inf(-1)}
	}
	run(t, s, func() {
		worst = max(worst, s.Relative(s.Energies()))
		d := r2.Sub(s.X[end(m.Mesh, r2.Vec{Y: 1.25e-3})[0]], s.X[end(m.Mesh, r2.Vec{Y: -1.25e-3})[0]])
		angle, of := math.Mod(s.Theta[root]+10.5*math.Pi-math.Atan2(d.Y, d.X)+math.Pi, 2*math.Pi)-math.Pi, 0
		if at := s.Time / m.Duration; at > 0.66 {
			of = 2
		} else if at > 0.6 {
			return
		} else if at > 0.255 {
			of = 1
		}
		angles[of] = [2]float64{min(angles[of][0], angle), max(angles[of][1], angle)}
	})
	p, l := conserved(s)
	e := s.Energies()
	t.Logf("angles %.4g, momentum changed by %.2g, angular by %.2g of %.3g; external work %.3g J of %.3g J, residual %.2g", angles, r2.Norm(r2.Sub(p, p0)), l-l0, l0, e.ExternalWork, e.Kinetic, worst)
	if r2.Norm(r2.Sub(p, p0)) > 1e-10*s.Motions()[0].Mass || math.Abs(l-l0) > 1e-3*math.Abs(l0) || worst > 1e-3 {
		t.Errorf("momentum changed by %g, angular momentum by %g of %g; residual %g", r2.Norm(r2.Sub(p, p0)), l-l0, l0, worst)
	}
	for i, a := range angles {
		if spread := a[1] - a[0]; i == 1 && spread > 1e-2 || i != 1 && spread < 0.05 {
			t.Errorf("part %d: angles from %g to %g", i, a[0], a[1])
		}
	}
}

// The forces of beams with a hinge and a clamp are the gradient of their energy: the clamp turns
// the moment of the arm into forces on nodes of the block.
func TestJointsAreGradients(t *testing.T) {
	m := flail(t)
	s := start(t, m)
	rng := rand.New(rand.NewSource(1))
	for n := range s.X[:s.Meshed] {
		if h := m.Mesh.PositionNode(int32(n)); h == int32(n) {
			s.X[n] = r2.Add(s.X[n], r2.Vec{X: 1e-5 * rng.NormFloat64(), Y: 1e-5 * rng.NormFloat64()})
		}
	}
	for _, n := range s.beams.BeamNodes {
		s.Theta[n] = 5e-3 * rng.NormFloat64()
	}
	energy := func() float64 {
		s.beams.Follow(0)
		return s.beams.StrainEnergy(s.X, s.Theta)
	}
	energy()
	clear(s.F)
	noError(t, s.beams.ApplyForces(true))
	s.beams.AfterForces()
	f, moment := slices.Clone(s.F), slices.Clone(s.Moment)
	slope := func(v *float64, h float64) float64 {
		at := *v
		*v = at + h
		up := energy()
		*v = at - h
		down := energy()
		*v = at
		energy()
		return -(up - down) / (2 * h)
	}
	worst, most := 0.0, 0.0
	for n := range s.X[:s.Meshed] {
		if m.Mesh.PositionNode(int32(n)) != int32(n) {
			continue
		}
		most = max(most, r2.Norm(f[n]))
		worst = max(worst, math.Abs(slope(&s.X[n].X, 1e-9)-f[n].X), math.Abs(slope(&s.X[n].Y, 1e-9)-f[n].Y))
	}
	turned := 0.0
	for _, n := range s.beams.BeamNodes {
		if n != m.Clamps[0].Node {
			turned = max(turned, math.Abs(slope(&s.Theta[n], 1e-7)-moment[n]))
		}
	}
	t.Logf("forces off by %.2g of %.3g N, moments by %.2g N m", worst, most, turned)
	if worst > 1e-5*most || turned > 1e-5*most*4e-3 {
		t.Errorf("forces are off by %g of %g N, moments by %g N m", worst, most, turned)
	}
}

// A model with a clamp and a hinge is stable at the step that its bound gives, and
// that is no more than a third below the limit: the highest frequency by power
// iteration.
func TestBoundOfJoints(t *testing.T) {
	for _, c := range []struct {
		name   string
		height float64
		n      int
	}{{"fine beam", 4e-3, 40}, {"even", 4e-3, 10}, {"high beam", 10e-3, 4}} {
		src := &mesh.Source{Name: "arm"}
		rectangle(src, "block", -0.02, -0.01, 0.02, 0.02, 8, 8)
		strip(src, "arm", r2.Vec{}, r2.Vec{X: 0.05}, c.n)
		at := nodesAt(src, r2.Vec{})
		src.Lines[0][0] = at[0]
		m := beamModel(t, src, c.height)
		m.Clamps = []models.Clamp{{On: "root", Node: end(m.Mesh, r2.Vec{})[0]}}
		m.Duration = 1e-6
		s := start(t, m)
		count := s.Meshed
		rng := rand.New(rand.NewSource(1))
		x, turn := make([]r2.Vec, count), make([]float64, count)
		for n := range x {
			x[n], turn[n] = r2.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64()}, 100*rng.NormFloat64()
		}
		omega2 := 0.0
		for range 300 {
			norm := 0.0
			for n := range x {
				norm += s.Mass[n]*r2.Norm2(x[n]) + s.beams.Inertia[n]*turn[n]*turn[n]
			}
			const size = 1e-9
			scale := size / math.Sqrt(norm/0.03)
			for n := range x {
				x[n], turn[n] = r2.Scale(scale, x[n]), scale*turn[n]
				s.X[n], s.Theta[n] = r2.Add(m.Mesh.X[n], x[n]), turn[n]
			}
			s.beams.Follow(0)
			clear(s.F)
			noError(t, s.forces(true))
			up, was := 0.0, 0.0
			for n := range x {
				up -= r2.Dot(x[n], s.F[n])
				was += s.Mass[n]*r2.Norm2(x[n]) + s.beams.Inertia[n]*turn[n]*turn[n]
				if s.beams.Inertia[n] > 0 {
					up -= turn[n] * s.Moment[n]
				}
			}
			omega2 = up / was
			for n := range x {
				x[n] = r2.Vec{X: s.F[n].X * s.Inverse(int32(n)).X, Y: s.F[n].Y * s.Inverse(int32(n)).Y}
				turn[n] = s.Moment[n] * s.InverseInertias[n]
			}
		}
		bound := s.elements()
		t.Logf("%s: the bound of the frequency is %.3f of it", c.name, math.Sqrt(bound/omega2))
		if omega2 > bound || bound > 2.25*omega2 {
			t.Errorf("%s: the highest squared frequency is %g 1/s2, its bound %g", c.name, omega2, bound)
		}
	}
}

// A force per length on beams has a potential, of which nodes get the gradient; a
// pressure pushes with its resultant, at the middle of the chord.
func TestLineLoadsAreConsistent(t *testing.T) {
	m := flail(t)
	m.Loads = lineLoads(m)
	m.Loads[0].Schedule, m.Loads[1].Schedule = nil, nil
	s := start(t, m)
	rng := rand.New(rand.NewSource(2))
	for _, n := range s.beams.BeamNodes {
		s.X[n] = r2.Add(s.X[n], r2.Vec{X: 1e-3 * rng.NormFloat64(), Y: 1e-3 * rng.NormFloat64()})
		s.Theta[n] = 0.2 * rng.NormFloat64()
	}
	removed, follower := s.loads.List[0], s.loads.List[1]
	// the integral of w.x over the deflected shape, cubic across the chord, by
	// Simpson's rule, which is exact for it
	potential := func() float64 {
		sum := 0.0
		for i, e := range removed.Line.Elements {
			n := m.Mesh.Beams[e]
			a, b := s.X[n[0]], s.X[n[1]]
			d := r2.Sub(b, a)
			beta := math.Atan2(d.Y, d.X) - math.Atan2(m.Mesh.X[n[1]].Y-m.Mesh.X[n[0]].Y, m.Mesh.X[n[1]].X-m.Mesh.X[n[0]].X)
			at := func(u float64) float64 {
				w := u*(1-u)*(1-u)*(s.Theta[n[0]]-beta) - u*u*(1-u)*(s.Theta[n[1]]-beta)
				return r2.Dot(removed.Line.Force, r2.Add(r2.Add(a, r2.Scale(u, d)), r2.Scale(w, r2.Vec{X: -d.Y, Y: d.X})))
			}
			sum += removed.Length[i] * (at(0) + 4*at(0.5) + at(1)) / 6
		}
		return sum
	}
	noError(t, removed.Evaluate(s.loads, s.Time, removed.LoadForce, removed.LoadMoment))
	slope := func(v *float64, h float64) float64 {
		at := *v
		*v = at + h
		up := potential()
		*v = at - h
		down := potential()
		*v = at
		return (up - down) / (2 * h)
	}
	worst := 0.0
	for i, n := range removed.LoadNodes {
		worst = max(worst, math.Abs(slope(&s.X[n].X, 1e-6)-removed.LoadForce[i].X), math.Abs(slope(&s.X[n].Y, 1e-6)-removed.LoadForce[i].Y), 1e3*math.Abs(slope(&s.Theta[n], 1e-6)-removed.LoadMoment[i]))
	}
	t.Logf("a force per length is off its potential by %.2g N", worst)
	if worst > 1e-5 {
		t.Errorf("a force per length is off its potential by %g N", worst)
	}
	noError(t, follower.Evaluate(s.loads, s.Time, follower.LoadForce, follower.LoadMoment))
	var force, want r2.Vec
	turn, wantTurn := 0.0, 0.0
	for i, n := range follower.LoadNodes {
		force = r2.Add(force, follower.LoadForce[i])
		turn += r2.Cross(s.X[n], follower.LoadForce[i]) + follower.LoadMoment[i]
	}
	for _, e := range follower.Line.Elements { // on the left: it pushes to the right
		n := m.Mesh.Beams[e]
		a, b := s.X[n[0]], s.X[n[1]]
		g := r2.Scale(0.01*follower.Pressure, r2.Vec{X: b.Y - a.Y, Y: a.X - b.X})
		want = r2.Add(want, g)
		wantTurn += r2.Cross(r2.Scale(0.5, r2.Add(a, b)), g)
	}
	if r2.Norm(r2.Sub(force, want)) > 1e-9*r2.Norm(want) || math.Abs(turn-wantTurn) > 1e-9*math.Abs(wantTurn) {
		t.Errorf("a pressure pushes with %v N and %g N m, want %v and %g", force, turn, want, wantTurn)
	}
}

// The work of line loads is in the ledger, and its residual falls fourfold with
// half the step.
func TestLedgerHoldsLineLoads(t *testing.T) {
	worst := func(safety float64) float64 {
		m := flail(t)
		for i := range m.Bodies {
			m.Bodies[i].Velocity, m.Bodies[i].AngularVelocity = r2.Vec{}, 0
		}
		m.Loads, m.Safety, m.HistoryEvery = lineLoads(m), safety, 1e-6
		s := start(t, m)
		w := 0.0
		run(t, s, func() { w = max(w, math.Abs(s.Energies().Residual)) }) // the energy that entered grows from nothing
		if e := s.Energies(); math.Abs(e.ExternalWork) < 1e-2*s.Ledger.Entered {
			t.Errorf("the loads hardly work: %g of %g J", e.ExternalWork, s.Ledger.Entered)
		}
		return w / s.Ledger.Entered
	}
	whole, half := worst(0.8), worst(0.4)
	t.Logf("worst residual %.3g, with half the step %.3g", whole, half)
	if whole > 1e-3 || whole/half < 3 || whole/half > 5.5 {
		t.Errorf("the residual is %g, with half the step %g", whole, half)
	}
}

// loadedCantilever is a cantilever of n elements under a load [N/m], a force or a pressure, that
// is spread as position says, evenly where that is nil, in balance.
func loadedCantilever(t *testing.T, n int, length, height, load float64, pressure bool, position func(float64, r2.Vec) float64) *Solver {
	src := &mesh.Source{Name: "cantilever"}
	strip(src, "strip", r2.Vec{}, r2.Vec{X: length}, n)
	m := statically(beamModel(t, src, height), 1)
	m.Fixes = []models.Fix{{Nodes: end(m.Mesh, r2.Vec{}), X: true, Y: true, Rotation: true}}
	line := &models.LineLoad{}
	for e := range m.Mesh.Beams {
		line.Elements = append(line.Elements, int32(e))
		if pressure {
			line.Side = append(line.Side, 0.01)
		}
	}
	l := models.Load{Line: line, Schedule: func(t float64) float64 { return t }, ByPosition: position}
	if l.Pressure = load / 0.01; !pressure {
		l.Pressure, line.Force.Y = 0, -load
	}
	m.Loads = []models.Load{l}
	s := start(t, m)
	run(t, s, nil)
	return s
}

// Nodes of straight beams under an even load have the displacements of Euler and Bernoulli, however
// few they are: a cantilever under a force per length and under the same as a pressure.
func TestEvenLoadIsExact(t *testing.T) {
	const length, height, load = 0.1, 2e-3, 1e-3 // N/m: small, for theory is linear
	stiffness := steel.Young * 0.01 * height * height * height / 12
	for _, n := range []int{1, 3} {
		for _, pressure := range []bool{false, true} {
			s := loadedCantilever(t, n, length, height, load, pressure, nil)
			tip := end(s.Mesh, r2.Vec{X: length})[0]
			down, turn := -load*math.Pow(length, 4)/(8*stiffness), -load*math.Pow(length, 3)/(6*stiffness)
			t.Logf("%d elements, pressure %v: deflection %.9f and rotation %.9f of theory", n, pressure, s.X[tip].Y/down, s.Theta[tip]/turn)
			if math.Abs(s.X[tip].Y/down-1) > 1e-7 || math.Abs(s.Theta[tip]/turn-1) > 1e-7 {
				t.Errorf("%d elements, pressure %v: the tip is at %g m, %g rad, want %g and %g", n, pressure, s.X[tip].Y, s.Theta[tip], down, turn)
			}
		}
	}
}

// Beams that can rotate freely about hinges are found before a static analysis fails.
func TestBeamsThatSwing(t *testing.T) {
	free := flail(t)
	free.Bodies[0].Velocity, free.Bodies[1].Velocity, free.Bodies[2].Velocity = r2.Vec{}, r2.Vec{}, r2.Vec{}
	wall := models.Fix{X: true, Y: true}
	for _, n := range free.Mesh.Bodies[0].Nodes {
		if free.Mesh.X[n].X < -0.0199 {
			wall.Nodes = append(wall.Nodes, n)
		}
	}
	tip, middle := end(free.Mesh, r2.Vec{X: 0.08, Y: 0.01}), end(free.Mesh, r2.Vec{X: 0.025})
	hinge := []int32{free.Mesh.Hinges[0].Of, free.Mesh.Hinges[0].Node}
	const arm, whip = `beam "arm" (to swing at a hinge: where it shares a node with a body, [[clamp]] would hold it)`, `beam "whip" (to swing at a hinge)`
	for _, c := range []struct {
		name   string
		fixes  []models.Fix
		clamps bool
		want   []string
	}{
		{"a hinge at the end", []models.Fix{wall}, true, []string{whip}},
		{"two hinges", []models.Fix{wall}, false, []string{arm, whip}},
		{"the tip held along x", []models.Fix{wall, {Nodes: tip, X: true}}, true, nil},
		{"three hinges that make a triangle", []models.Fix{wall, {Nodes: tip, X: true, Y: true}}, false, nil},
		{"three hinges, the tip held along y", []models.Fix{wall, {Nodes: tip, Y: true}}, false, []string{arm, whip}},
		{"the arm held, too", []models.Fix{wall, {Nodes: middle, Y: true}}, false, []string{whip}},
		{"what meets at the hinge does not turn", []models.Fix{wall, {Nodes: hinge, Rotation: true}}, false, nil},
	} {
		m := *free
		if m.Fixes = c.fixes; !c.clamps {
			m.Clamps = nil
		}
		s := start(t, statically(&m, 1))
		if got := s.Unrestrained(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
