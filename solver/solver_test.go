package solver

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fdem/contactnodes"
	"fdem/fem"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// rectangle appends a body of nx by ny cells, each two triangles with
// alternating diagonals, to src.
func rectangle(src *mesh.Source, name string, x0, y0, lx, ly float64, nx, ny int) {
	base := int32(len(src.X))
	for j := range ny + 1 {
		for i := range nx + 1 {
			src.X = append(src.X, r2.Vec{X: x0 + lx*float64(i)/float64(nx), Y: y0 + ly*float64(j)/float64(ny)})
			src.NodeID = append(src.NodeID, int64(len(src.X)))
		}
	}
	g := mesh.SourceGroup{Name: name, Dim: 2, Number: len(src.Groups) + 1}
	for j := range ny {
		for i := range nx {
			a := base + int32(j*(nx+1)+i)
			b, c, d := a+1, a+int32(nx)+2, a+int32(nx)+1
			pair := [][3]int32{{a, b, c}, {a, c, d}}
			if (i+j)%2 == 1 {
				pair = [][3]int32{{a, b, d}, {b, c, d}}
			}
			for _, t := range pair {
				g.Elements = append(g.Elements, int32(len(src.Triangles)))
				src.Triangles = append(src.Triangles, t)
				src.TriID = append(src.TriID, int64(len(src.Triangles)))
			}
		}
	}
	src.Groups = append(src.Groups, g)
}

var steel = bulk.Elastic{Name: "steel", Young: 210e9, Poisson: 0.3, Density: 7860}

// model makes a model of the bodies in src, all of one material.
func model(t testing.TB, src *mesh.Source, material bulk.Elastic) *models.Model {
	t.Helper()
	m, err := mesh.Build(src, nil)
	noError(t, err)
	mod := &models.Model{Mesh: m, Materials: []bulk.Material{{Elastic: material}}, Thickness: 0.01, Safety: 0.8, ResidualLimit: 0.05}
	for _, b := range m.Bodies {
		mod.Bodies = append(mod.Bodies, models.Body{Name: b.Name})
	}
	return mod
}

// edges returns the boundary edges of body i.
func edges(m *mesh.Mesh, i int) []int32 {
	var out []int32
	for e := m.Bodies[i].FirstEdge; e < m.Bodies[i].EndEdge; e++ {
		out = append(out, e)
	}
	return out
}

func law(t testing.TB, name string, values map[string]float64) contact.Law {
	t.Helper()
	m, ok := contact.Lookup(name)
	if !ok {
		t.Fatalf("no law named %s", name)
	}
	l, err := m.Build(values)
	noError(t, err)
	return l
}

// kostek returns the law with Table 1's parameters.
func kostek(t testing.TB) contact.Law {
	si := func(um, exponent float64) float64 { return um * 1e-6 / math.Pow(1e6, exponent) }
	return law(t, "kostek", map[string]float64{
		"e_p": si(0.534, 0.653), "m_p": 0.653, "e_e": si(1.148, 0.462), "m_e": 0.462,
		"e_l": si(0.302, 0.462), "e_u": si(0.523, 0.462), "m_ep": 0.462,
	})
}

func start(t testing.TB, m *models.Model) *Solver {
	t.Helper()
	s, err := New(m)
	noError(t, err)
	return s
}

// run advances to the model's duration, calling row at every history instant.
func run(t testing.TB, s *Solver, row func()) {
	t.Helper()
	if row == nil {
		row = func() {}
	}
	noError(t, advance(s, Observer{Row: func() error { row(); return nil }, Frame: func() error { return nil }}))
}

// noError ends the test at an error.
func noError(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// A pulse runs along a bar at sqrt(E/rho).
func TestWaveSpeedInBar(t *testing.T) {
	src := &mesh.Source{Name: "bar"}
	rectangle(src, "bar", 0, 0, 0.4, 0.004, 400, 4)
	m := model(t, src, steel)
	c := math.Sqrt(steel.Young / steel.Density)
	const centre, width = 0.1, 0.05
	m.Duration = 0.2 / c
	s := start(t, m)
	for i, x := range s.X {
		if a := (x.X - centre) / width; math.Abs(a) < 1 {
			u := 1e-7 * (1 + math.Cos(math.Pi*a))
			du := -1e-7 * math.Pi / width * math.Sin(math.Pi*a)
			s.X[i].X += u
			s.X[i].Y -= steel.Poisson * du * (x.Y - 0.002)
			s.V[i].X = -c * du
		}
	}
	where := func() float64 {
		e, sum := 0.0, 0.0
		for i, mass := range s.Mass {
			v := s.NodeVelocity(nodes.Node(i))
			e += mass * v.X * v.X
			sum += mass * v.X * v.X * m.Mesh.X[i].X
		}
		return sum / e
	}
	var first float64
	run(t, s, func() {
		if s.N == 0 {
			first = where()
		}
	})
	speed := (where() - first) / m.Duration
	t.Logf("wave speed %.1f m/s, theory %.1f m/s, difference %.3f %%", speed, c, 100*(speed/c-1))
	if math.Abs(speed/c-1) > 0.005 {
		t.Errorf("wave speed %.1f m/s differs from %.1f m/s by more than 0.5 %%", speed, c)
	}
}

// Two equal bars without Poisson contraction that meet end on exchange their
// velocities.
func TestEqualBarsExchangeVelocities(t *testing.T) {
	material := steel
	material.Poisson = 0
	src := &mesh.Source{Name: "bars"}
	rectangle(src, "striker", -0.1, 0, 0.1, 0.004, 200, 4)
	rectangle(src, "target", 0, 0, 0.1, 0.004, 200, 4)
	m := model(t, src, material)
	m.Bodies[0].Velocity.X = 1
	m.Contacts = []models.SurfaceContact{{
		Name: "bars", Contactor: edges(m.Mesh, 1), Opposite: edges(m.Mesh, 0),
		Law: law(t, "linear", map[string]float64{"k": 1e15}), NodesPerElement: 20, Friction: contactnodes.Friction{Speed: 1e-3},
	}}
	c := math.Sqrt(material.Young / material.Density)
	m.Duration = 3 * 0.1 / c
	s := start(t, m)
	run(t, s, nil)
	a, b := s.Motions()[0].Velocity, s.Motions()[1].Velocity
	t.Logf("velocities after: %.4f and %.4f m/s, residual %.2g", a.X, b.X, s.Relative(s.Energies()))
	if math.Abs(a.X) > 0.01 || math.Abs(b.X-1) > 0.01 {
		t.Errorf("after the impact %.4f and %.4f m/s, want 0 and 1 within 0.01", a.X, b.X)
	}
}

// oblique is two free blocks that collide at a corner, with friction.
func oblique(t testing.TB, l contact.Law, friction float64) *models.Model {
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "a", 0, 0, 0.02, 0.01, 20, 10)
	rectangle(src, "b", 0.0201, 0.003, 0.015, 0.02, 15, 20)
	m := model(t, src, steel)
	m.Bodies[0].Velocity = r2.Vec{X: 2, Y: 0.5}
	m.Bodies[1].Velocity = r2.Vec{X: -1, Y: -0.3}
	m.Bodies[1].AngularVelocity = 20
	m.Contacts = []models.SurfaceContact{{
		Name: "blocks", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), Law: l,
		NodesPerElement: 20, Friction: contactnodes.Friction{Kinetic: friction, Speed: 1e-3}, TwoSided: true,
	}}
	return m
}

// angular returns the angular momentum about the origin and the sum of the
// magnitudes it is made of.
func angular(s *Solver) (l, scale float64) {
	for i, m := range s.Mass {
		v := s.NodeVelocity(nodes.Node(i))
		l += m * (s.X[i].X*v.Y - s.X[i].Y*v.X)
		scale += m * (math.Abs(s.X[i].X*v.Y) + math.Abs(s.X[i].Y*v.X))
	}
	return l, scale
}

// A free system keeps its momentum to round-off, its angular momentum to
// 1e-6 with friction, and its energy.
func TestFreeSystemKeepsMomentum(t *testing.T) {
	m := oblique(t, kostek(t), 0.2)
	m.Duration = 1
	s := start(t, m)
	sum := func() (p r2.Vec, scale float64) {
		for i, mass := range s.Mass {
			p.X += mass * s.V[i].X
			p.Y += mass * s.V[i].Y
			scale += mass * math.Hypot(s.V[i].X, s.V[i].Y)
		}
		return p, scale
	}
	noError(t, s.forces(true))
	p0, scale := sum()
	l0, lscale := angular(s)
	s.Energies()
	dt := s.Limit
	touching := 0
	for range 10000 {
		noError(t, s.Step(dt, nil))
		if s.Surfaces[0].Active > 0 {
			touching++
		}
	}
	noError(t, s.forces(true))
	p, _ := sum()
	l, _ := angular(s)
	e := s.Energies()
	dp := math.Hypot(p.X-p0.X, p.Y-p0.Y) / scale
	dl := math.Abs(l-l0) / lscale
	t.Logf("touching in %d of 10000 steps: momentum changed by %.2g, angular momentum by %.2g, energy residual %.2g (dissipated %.3g J of %.3g J)",
		touching, dp, dl, s.Relative(e), e.ContactDissipated+e.FrictionDissipated, s.Ledger.Start.Kinetic)
	if touching < 100 {
		t.Fatal("the blocks hardly touched")
	}
	if dp > 1e-12 {
		t.Errorf("momentum changed by %g relative", dp)
	}
	if dl > 1e-6 {
		t.Errorf("angular momentum changed by %g relative", dl)
	}
	if s.Relative(e) > 1e-3 {
		t.Errorf("energy residual %g", s.Relative(e))
	}
	if !(e.ContactDissipated > 0 && e.FrictionDissipated > 0) {
		t.Errorf("dissipated %g J in contact and %g J in friction, want both positive", e.ContactDissipated, e.FrictionDissipated)
	}
}

// rubbing is a strip of steel that is pressed on another and slides along it,
// its contact and its nodes enough to be shared by workers.
func rubbing(t testing.TB) *models.Model {
	const cells, h = 16, 1e-3
	src := &mesh.Source{Name: "strips"}
	rectangle(src, "lower", 0, 0, cells*h, 4*h, cells, 4)
	rectangle(src, "upper", 1.3*h, 4*h, cells*h, 4*h, cells, 4)
	m := model(t, src, steel)
	m.Duration = 1
	m.Bodies[1].Velocity = r2.Vec{X: 5, Y: -0.5}
	m.Fixes = []models.Fix{{Nodes: m.Mesh.Bodies[0].Nodes, X: true, Y: true}}
	m.Gravity.Y = -3e5
	m.Contacts = []models.SurfaceContact{{
		Name: "strips", Contactor: edges(m.Mesh, 1), Opposite: edges(m.Mesh, 0), Law: kostek(t),
		NodesPerElement: 12, TwoSided: true, Friction: contactnodes.Friction{Kinetic: 0.2, Static: 0.3, Stiffness: 1e13},
	}}
	return m
}

// Any number of workers gives the same bits over thousands of steps with contact,
// friction and memory, with damping and without; so does the Go kernel.
func TestWorkersGiveTheSameBits(t *testing.T) {
	for name, damping := range map[string]models.Damping{"free": {}, "damped": {Mass: 1e3, Stiffness: 1e-9}} {
		t.Run(name, func(t *testing.T) { workersGiveTheSameBits(t, damping) })
	}
}

// The number of workers may change at any time, also after an excavation: the approach speed of
// outlines, by which the next step is chosen, is kept.
func TestWorkersChangeBetweenSteps(t *testing.T) {
	end := func(change bool) (limits []float64) {
		s := start(t, rubbing(t))
		for i := range 60 {
			noError(t, s.Step(0.5*s.Limit, nil))
			if change {
				s.SetWorkers(1 + i%3)
			}
			limits = append(limits, s.Outlines.ApproachSpeed(), s.longest())
		}
		return limits
	}
	if one, many := end(false), end(true); !slices.Equal(one, many) {
		t.Error("another approach speed or step after the workers changed")
	}
}

func workersGiveTheSameBits(t *testing.T, damping models.Damping) {
	steps := 4000
	if testing.Short() {
		steps = 200
	}
	end := func(choose func(s *Solver)) []float64 {
		m := rubbing(t)
		m.Damping = damping
		s := start(t, m)
		choose(s)
		most := 0
		for range steps {
			noError(t, s.Step(0.5*s.Limit, nil))
			s.Stepped()
			most = max(most, s.Surfaces[0].Active)
		}
		if most < 200 {
			t.Fatalf("at most %d contact nodes touched: workers had nothing to share", most)
		}
		c := s.Surfaces[0]
		of := c.Columns()
		return slices.Concat(flat(s.X), flat(s.V), c.Memory, of.Traction, of.StickStiffness, []float64{c.NormalWork, c.FrictionWork, s.PeakForce[0], s.Ledger.Damping})
	}
	want := end(func(s *Solver) { s.SetWorkers(1) })
	compare := func(name string, got []float64) {
		for i, v := range got {
			if math.Float64bits(v) != math.Float64bits(want[i]) {
				t.Fatalf("%s: value %d is %v, want %v", name, i, v, want[i])
			}
		}
	}
	for _, workers := range []int{2, 3, 5, 8} {
		compare(fmt.Sprint(workers, " workers"), end(func(s *Solver) { s.SetWorkers(workers) }))
	}
	t.Setenv(fem.KernelVariable, "generic")
	compare("the Go kernel", end(func(s *Solver) { s.SetWorkers(1) }))
}

// flat lists the components of vectors.
func flat(v []r2.Vec) []float64 {
	var out []float64
	for _, x := range v {
		out = append(out, x.X, x.Y)
	}
	return out
}

// A stick spring's energy is in the ledger too.
func TestStickSpringInLedger(t *testing.T) {
	worst := func(safety float64) float64 {
		m := oblique(t, kostek(t), 0.3)
		m.Contacts[0].Friction = contactnodes.Friction{Kinetic: 0.3, Static: 0.4, Stiffness: 1e13}
		m.Duration, m.HistoryEvery, m.Safety = 200e-6, 1e-6, safety
		s := start(t, m)
		w, spring := 0.0, 0.0
		run(t, s, func() {
			w = max(w, s.Relative(s.Energies()))
			spring = max(spring, s.Surfaces[0].StickEnergy)
		})
		if e := s.Energies(); spring == 0 || !(e.FrictionDissipated > 0) {
			t.Errorf("springs held %g J at most, friction took %g J", spring, e.FrictionDissipated)
		}
		return w
	}
	whole, half := worst(0.8), worst(0.4)
	t.Logf("worst residual %.3g, with half the step %.3g", whole, half)
	if whole > 1e-3 {
		t.Errorf("residual %g of the energy that entered", whole)
	}
}
