package solver

import (
	"math"
	"strings"
	"testing"

	"fdem/contactnodes"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// sticky is the friction of a deck that does not name another.
func sticky(mu float64) contactnodes.Friction {
	return contactnodes.Friction{Kinetic: mu, Static: mu, Ratio: 1, Brake: 0.5}
}

var rubber = bulk.Elastic{Name: "rubber", Young: 5e6, Poisson: 0.3, Density: 1100}

// onSlope is a rubber block of 20 mm with edges of 5 mm on a line, under a
// weight that leans as on a slope of so many degrees.
func onSlope(t testing.TB, l contact.Law, friction contactnodes.Friction, degrees float64) *models.Model {
	src := &mesh.Source{Name: "block"}
	rectangle(src, "block", 0, 0, 0.02, 0.02, 4, 4)
	m := model(t, src, rubber)
	m.Mesh = m.Mesh.With([]mesh.Outline{floor(0)})
	m.Rigids = []models.Rigid{{Name: "floor", Material: -1}}
	m.Thickness = 0.01
	m.Contacts = []models.SurfaceContact{{Name: "block-floor", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 20, Law: l, Friction: friction}}
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	m.Gravity = r2.Vec{X: gravity * sin, Y: -gravity * cos}
	return m
}

// Just below the friction angle a block that has come to rest does not creep, whatever the
// stiffness of the law and whether it stiffens; with regularised friction it creeps.
func TestBlockHoldsOnSlope(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	const mu, degrees = 0.3, 16.6 // mu holds to 16.70
	linear := func(k float64) contact.Law {
		return law(t, "linear", map[string]float64{"k": k * rubber.Young / 0.005})
	}
	soft := law(t, "kostek", map[string]float64{ // 0.01 mm deep at 100 Pa, 0.1 mm at 10 kPa
		"e_p": 1e-7, "m_p": 0.5, "e_e": 5e-7, "m_e": 0.5, "e_l": 1e-7, "e_u": 2e-7, "m_ep": 0.5,
	})
	for i, c := range []struct {
		name     string
		law      contact.Law
		friction contactnodes.Friction
		creeps   bool
		safety   float64
	}{
		{"0.1 E/h", linear(0.1), sticky(mu), false, 0.8},
		{"1 E/h", linear(1), sticky(mu), false, 0.8},
		{"10 E/h", linear(10), sticky(mu), false, 0.8},
		{"100 E/h", linear(100), sticky(mu), false, 0.3},
		{"kostek", soft, sticky(mu), false, 0.8},
		{"1 E/h, a spring of a given stiffness", linear(1), contactnodes.Friction{Kinetic: mu, Static: mu, Stiffness: 1e9}, false, 0.8},
		{"1 E/h, regularised", linear(1), contactnodes.Friction{Kinetic: mu, Speed: 1e-4}, true, 0.8},
	} { // little energy enters what holds: under a stiff law the first contact shows
		if LeftOut(t, i, 2) {
			continue
		}
		m := onSlope(t, c.law, c.friction, degrees)
		m.Damping = models.Damping{Mass: 60, Stiffness: 2e-5}
		m.Safety = c.safety
		m.Duration = 0.4
		m.HistoryEvery = m.Duration / 100
		s := start(t, m)
		rested := 0.0
		run(t, s, func() {
			if rested == 0 && s.Time > 0.75*m.Duration {
				rested = s.Motions()[0].Centre.X
			}
		})
		crept, residual := s.Motions()[0].Centre.X-rested, s.Relative(s.Energies())
		t.Logf("%s: %.3g mm on the whole, %.3g mm in the last %g s; residual %.2g; speed %.3g m/s", c.name, 1e3*(s.Motions()[0].Centre.X-0.01), 1e3*crept, m.Duration/4, residual, s.Surfaces[0].Speeds.Linear)
		if creeps := crept > 1e-5; creeps != c.creeps || !creeps && crept > 1e-7 {
			t.Errorf("%s: crept %g m", c.name, crept)
		}
		if residual > 1e-3 {
			t.Errorf("%s: residual %g", c.name, residual)
		}
		if (s.Surfaces[0].Speeds.Linear > 0) != c.creeps {
			t.Errorf("%s: linear below %g m/s", c.name, s.Surfaces[0].Speeds.Linear)
		}
	}
}

// A friction speed that is above all slip speeds is reported, with both. It is not reported if a
// slip speed reaches it, if nothing slides, or if the sticking body is held.
func TestFrictionBelowItsLimit(t *testing.T) {
	for _, c := range []struct {
		friction contactnodes.Friction
		speed    float64
		told     bool
	}{
		{contactnodes.Friction{Kinetic: 0.3, Speed: 0.2}, 0.1, true},
		{contactnodes.Friction{Kinetic: 0.3, Speed: 0.05}, 0.1, false},
		{contactnodes.Friction{Kinetic: 0.3, Speed: 0.2}, 0, false},
		{sticky(0.3), 0.1, false},
	} {
		m := onSlope(t, law(t, "linear", map[string]float64{"k": rubber.Young / 0.005}), c.friction, 0)
		for i := range m.Materials {
			m.Materials[i].Poisson = 0 // its weight does not widen it
		}
		m.Bodies[0].Velocity.X, m.Duration = c.speed, 2e-3
		s := start(t, m)
		run(t, s, nil)
		f := s.ContactForces()[0]
		says := s.BelowItsLimit(&f)
		if reported := says != ""; reported != c.told || reported && !strings.Contains(says, "0.1 m/s, and friction_speed is 0.2 m/s") {
			t.Errorf("friction %+v at %g m/s, greatest slip %g m/s, %g of the energy: %q", c.friction, c.speed, f.PeakSlip, f.FrictionHeat/s.Ledger.Entered*f.Speed/f.PeakSlip, says)
		}
	}
}

// Above the friction angle it slides as Coulomb says, within 1 %, and friction only dissipates
// energy.
func TestBlockSlidesOnSlope(t *testing.T) {
	t.Parallel()
	const mu, degrees = 0.3, 25
	for _, k := range []float64{0.1, 1, 10, 100} {
		m := onSlope(t, law(t, "linear", map[string]float64{"k": k * rubber.Young / 0.005}), sticky(mu), degrees)
		m.Damping = models.Damping{Stiffness: 2e-5}
		m.Duration = 0.2
		m.HistoryEvery = m.Duration / 200
		s := start(t, m)
		taken := 0.0
		run(t, s, func() {
			e := s.Energies()
			if e.FrictionDissipated < taken-1e-12 {
				t.Errorf("%g E/h: friction gives %g J", k, taken-e.FrictionDissipated)
			}
			taken = e.FrictionDissipated
		})
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		got, want, residual := s.Motions()[0].Velocity.X/m.Duration, gravity*(sin-mu*cos), s.Relative(s.Energies())
		t.Logf("%g E/h: %.5f m/s2, theory %.5f m/s2; residual %.2g", k, got, want, residual)
		if math.Abs(got/want-1) > 0.01 || residual > 1e-3 {
			t.Errorf("%g E/h: slides with %g m/s2, want %g; residual %g", k, got, want, residual)
		}
	}
}

// Without damping friction excites vibrations of a sliding block, which then slides too fast. With
// light damping it follows Coulomb's law. Light damping dissipates less than a hundredth of what
// friction does. Without friction there is none.
func TestLightDamping(t *testing.T) {
	t.Parallel()
	const mu, degrees = 0.5, 30
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	slope := func(light bool) *models.Model {
		m := onSlope(t, law(t, "linear", map[string]float64{"k": 4 * rubber.Young / 0.005}), sticky(mu), degrees)
		m.Damping.Light = light
		m.Duration = 0.3
		return m
	}
	for _, light := range []bool{false, true} {
		m := slope(light)
		if !light { // with vibrations to begin with
			m.Start = models.StartSudden
		}
		s := start(t, m)
		run(t, s, func() {})
		e := s.Energies()
		got, want := s.Motions()[0].Velocity.X/s.Duration, gravity*(sin-mu*cos)
		t.Logf("light %v: %.5f m/s2, theory %.5f m/s2; stiffness %.3g s, damping took %.3g J, friction %.3g J; residual %.2g",
			light, got, want, s.Damping.Stiffness, e.DampingDissipated, e.FrictionDissipated, s.Relative(e))
		if right := math.Abs(got/want-1) < 0.02; right != light {
			t.Errorf("light %v: slides with %g m/s2, want %g", light, got, want)
		}
		if (s.LightDamping() != "") != light || light && e.DampingDissipated > 0.01*e.FrictionDissipated || s.Relative(e) > 1e-3 {
			t.Errorf("light %v: says %q, took %g J of %g J, residual %g", light, s.LightDamping(), e.DampingDissipated, e.FrictionDissipated, s.Relative(e))
		}
	}
	m := slope(true)
	m.Contacts[0].Friction = contactnodes.Friction{}
	if s := start(t, m); s.Damping.Stiffness != 0 || s.LightDamping() != "" {
		t.Errorf("no friction: damping of %g s", s.Damping.Stiffness)
	}
}

// A disc that sticks in an oblique impact rolls afterwards: the damper takes the energy that the
// spring would return.
func TestDiscGrips(t *testing.T) {
	m := rigidModel(t, 1e11, 0, []models.Rigid{{Name: "floor", Material: -1}, freeDisc("disc", r2.Vec{Y: 0.0501}, r2.Vec{X: 1, Y: -1}, 0.05, 0)},
		floor(0), disc("disc", r2.Vec{Y: 0.0501}, 0.05))
	m.Contacts[0].Friction = sticky(0.5)
	m.Duration, m.HistoryEvery = 4e-3, 1e-5
	s := start(t, m)
	worst := 0.0
	run(t, s, func() { worst = max(worst, s.Relative(s.Energies())) })
	p, e := s.RigidMotions[1], s.Energies()
	t.Logf("leaves at %+v, friction took %g J, residual %g", p.Velocity, e.FrictionDissipated, worst)
	if math.Abs(p.Velocity.X-2.0/3) > 0.01 || math.Abs(p.Spin*0.05+2.0/3) > 0.01 || math.Abs(p.Velocity.Y-1) > 1e-3 {
		t.Errorf("leaves at %v m/s, turning at %g rad/s", p.Velocity, p.Spin)
	}
	if math.Abs(e.FrictionDissipated-1.0/6) > 2e-3 || worst > 1e-3 {
		t.Errorf("friction took %g J, want %g J; residual %g", e.FrictionDissipated, 1.0/6, worst)
	}
}

// A light rigid plate that many contact elements of a heavy body press does not
// chatter: brakes that each stop it within a step would together turn it round.
func TestLightPlateDoesNotChatter(t *testing.T) {
	const mu = 0.3
	src := &mesh.Source{Name: "slab"}
	rectangle(src, "slab", -0.05, -0.02, 0.1, 0.02, 40, 4)
	m := model(t, src, steel)
	plate := mesh.Outline{Name: "plate", Closed: true, Depth: 5e-4, Points: []r2.Vec{{X: -0.04, Y: 1e-6}, {X: 0.04, Y: 1e-6}, {X: 0.04, Y: 1e-3 + 1e-6}, {X: -0.04, Y: 1e-3 + 1e-6}}}
	m.Mesh = m.Mesh.With([]mesh.Outline{plate})
	m.Rigids = []models.Rigid{{Name: "plate", Material: -1, Centre: r2.Vec{Y: 5e-4 + 1e-6}, Mass: 5e-4, Inertia: 5e-4 * 0.08 * 0.08 / 12, Velocity: r2.Vec{X: 0.05, Y: -0.3}}}
	m.Thickness = 0.01
	m.Contacts = []models.SurfaceContact{{Name: "slab-plate", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 20, Law: law(t, "linear", map[string]float64{"k": 1e13}), Friction: sticky(mu)}}
	m.Duration = 2e-4
	s := start(t, m)
	flips, touching, last := 0, 0, 0.0
	for s.Time < m.Duration {
		noError(t, s.Step(1e-8, nil))
		c := s.Surfaces[0]
		if c.Active == 0 {
			continue
		}
		touching++
		if full := math.Abs(c.Tangential) > 0.99*mu*c.Normal; full {
			if c.Tangential*last < 0 {
				flips++
			}
			last = c.Tangential
		}
	}
	t.Logf("%d flips in %d steps of touch; plate %+v", flips, touching, s.RigidMotions[0].Velocity)
	if touching < 50 || flips > 2 {
		t.Errorf("friction flips %d times in %d steps", flips, touching)
	}
}
