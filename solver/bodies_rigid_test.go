package solver

import (
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

const gravity = 9.81

// disc is the outline of a circle; a negative radius gives a hollow.
func disc(name string, centre r2.Vec, radius float64) mesh.Outline {
	const n = 40
	o := mesh.Outline{Name: name, Closed: true, Radius: radius, Depth: math.Abs(radius) / 2}
	for i := range n {
		sin, cos := math.Sincos(math.Copysign(2*math.Pi*float64(i)/n, radius))
		o.Points = append(o.Points, r2.Vec{X: centre.X + math.Abs(radius)*cos, Y: centre.Y + math.Abs(radius)*sin})
	}
	return o
}

// floor is a line along x with its solid below.
func floor(y float64) mesh.Outline {
	return mesh.Outline{Name: "floor", Points: []r2.Vec{{X: 10, Y: y}, {X: -10, Y: y}}, Depth: 0.01}
}

// freeDisc is a solid disc of 1 kg.
func freeDisc(name string, centre, velocity r2.Vec, radius, spin float64) models.Rigid {
	return models.Rigid{Name: name, Material: -1, Centre: centre, Mass: 1, Inertia: radius * radius / 2, Velocity: velocity, AngularVelocity: spin}
}

// rigids makes a model of rigid bodies, all of which may meet the first.
func rigidModel(t testing.TB, k, friction float64, bodies []models.Rigid, outlines ...mesh.Outline) *models.Model {
	m := &models.Model{Mesh: (&mesh.Mesh{}).With(outlines), Rigids: bodies, Thickness: 0.01, Safety: 0.8, ResidualLimit: 0.05}
	var others []int32
	for i := 1; i < len(outlines); i++ {
		others = append(others, edges(m.Mesh, i)...)
	}
	m.Contacts = []models.SurfaceContact{{
		Name: "all", Contactor: others, Opposite: edges(m.Mesh, 0), NodesPerElement: 20,
		Law: law(t, "linear", map[string]float64{"k": k}), Friction: contactnodes.Friction{Kinetic: friction, Speed: 1e-4},
	}}
	return m
}

// A disc that falls on a floor bounces back to where it came from.
func TestRigidDiscBounces(t *testing.T) {
	worst := func(safety float64) float64 {
		m := rigidModel(t, 1e11, 0, []models.Rigid{{Name: "floor", Material: -1}, freeDisc("disc", r2.Vec{Y: 0.06}, r2.Vec{X: 0.3}, 0.05, 0)},
			floor(0), disc("disc", r2.Vec{Y: 0.06}, 0.05))
		m.Gravity.Y = -gravity
		fall := math.Sqrt(2 * 0.01 / gravity)
		m.Duration, m.HistoryEvery, m.Safety = 4*fall, fall/1000, safety
		s := start(t, m)
		w, top := 0.0, 0.0
		run(t, s, func() {
			w = max(w, s.Relative(s.Energies()))
			if s.Time > fall {
				top = max(top, s.RigidMotions[0+1].Centre.Y)
			}
		})
		if p := s.RigidMotions[1]; math.Abs(top-0.06) > 2e-5 || p.Spin != 0 && math.Abs(p.Spin) > 1e-9 || math.Abs(p.Velocity.X-0.3) > 1e-12 {
			t.Errorf("bounces to %g m, ends with %+v", top, p)
		}
		return w
	}
	whole, half := worst(0.8), worst(0.4)
	t.Logf("worst residual %.3g, with half the step %.3g", whole, half)
	if whole > 1e-3 {
		t.Errorf("residual %g", whole)
	}
}

// A disc that starts by sliding rolls at two thirds of its speed in the end, for any friction: v =
// R omega, and friction has taken a third of the energy.
func TestSlidingDiscRolls(t *testing.T) {
	const r, v0, mu = 0.05, 1.0, 0.2
	// it starts at the deflection that carries its weight: mg = the force at this deflection
	sink := 0.0
	for range 60 { // R (theta - sin cos) is the pressed area over k
		theta := math.Acos(1 - sink/r)
		f := 1e10 * 0.01 * r * r * (2*math.Sin(theta) - 2*(1-sink/r)*theta)
		df := 1e10 * 0.01 * r * 2 * theta
		if theta == 0 {
			sink = 1e-6
			continue
		}
		sink -= (f - gravity) / df
	}
	centre := r2.Vec{Y: r - sink}
	m := rigidModel(t, 1e10, mu, []models.Rigid{{Name: "floor", Material: -1}, freeDisc("disc", centre, r2.Vec{X: v0}, r, 0)},
		floor(0), disc("disc", centre, r))
	m.Contacts[0].Overlap.Mode = contactnodes.OverlapAllow
	m.Contacts[0].Overlap.Ramp = 1e-9
	m.Gravity.Y = -gravity
	m.Duration = 1.5 * v0 / (3 * mu * gravity)
	s := start(t, m)
	run(t, s, nil)
	e := s.Energies()
	motion := s.Motions()[1]
	t.Logf("rolls at %.5f m/s, %.5f rad/s; friction took %.5f J of %.5f J", motion.Velocity.X, motion.AngularVelocity, e.FrictionDissipated, 0.5*v0*v0)
	if math.Abs(motion.Velocity.X-2.0/3*v0) > 2e-3 || math.Abs(motion.Velocity.X+motion.AngularVelocity*r) > 1e-3 {
		t.Errorf("rolls at %g m/s and %g rad/s, want %g and %g", motion.Velocity.X, motion.AngularVelocity, 2.0/3, -2.0/3/r)
	}
	if math.Abs(e.FrictionDissipated-0.5*v0*v0/3) > 2e-3 {
		t.Errorf("friction took %g J, want %g", e.FrictionDissipated, 0.5*v0*v0/3)
	}
}

// Free discs and a box that collide with friction keep momentum and angular
// momentum, and the ledger closes.
func TestRigidBodiesKeepMomentum(t *testing.T) {
	box := mesh.Outline{Name: "box", Closed: true, Depth: 0.005, Points: []r2.Vec{{X: 0.06, Y: -0.02}, {X: 0.1, Y: -0.01}, {X: 0.09, Y: 0.03}, {X: 0.05, Y: 0.02}}}
	centre := r2.Vec{X: 0.075, Y: 0.005}
	m := rigidModel(t, 1e11, 0.3, []models.Rigid{
		freeDisc("a", r2.Vec{X: -0.05}, r2.Vec{X: 1, Y: 0.1}, 0.04, 30),
		freeDisc("b", r2.Vec{X: 0.02, Y: 0.03}, r2.Vec{X: -1}, 0.02, -10),
		{Name: "box", Material: -1, Centre: centre, Mass: 0.7, Inertia: 0.7 * 0.0006, Velocity: r2.Vec{X: -1.5}, AngularVelocity: 3},
	}, disc("a", r2.Vec{X: -0.05}, 0.04), disc("b", r2.Vec{X: 0.02, Y: 0.03}, 0.02), box)
	m.Contacts[0].Contactor = append(edges(m.Mesh, 0), edges(m.Mesh, 1)...)
	m.Contacts[0].Contactor = append(m.Contacts[0].Contactor, edges(m.Mesh, 2)...)
	m.Contacts[0].Opposite = m.Contacts[0].Contactor
	m.Duration = 0.05
	s := start(t, m)
	sum := func() (p r2.Vec, l float64) {
		for i := range s.rigids.List {
			r, pose := &s.rigids.List[i], &s.RigidMotions[i]
			v, spin := r.VelocityOf(s.Last)
			p = r2.Add(p, r2.Scale(r.Mass, v))
			l += r.Mass*r2.Cross(pose.Centre, v) + r.Inertia*spin
		}
		return p, l
	}
	p0, l0 := sum()
	run(t, s, nil)
	p, l := sum()
	e := s.Energies()
	t.Logf("momentum changed by %.2g kg m/s, angular momentum by %.2g of %.2g; residual %.2g; friction %.3g J", r2.Norm(r2.Sub(p, p0)), l-l0, l0, s.Relative(e), e.FrictionDissipated)
	if s.PeakForce[0] == 0 || !(e.FrictionDissipated > 0) {
		t.Fatal("the bodies did not meet")
	}
	if r2.Norm(r2.Sub(p, p0)) > 1e-13 || math.Abs(l-l0) > 1e-6*math.Abs(l0) {
		t.Errorf("momentum changed by %g, angular momentum by %g of %g", r2.Norm(r2.Sub(p, p0)), l-l0, l0)
	}
	if s.Relative(e) > 1e-3 {
		t.Errorf("residual %g", s.Relative(e))
	}
}

// A driven die presses a block and does work on it. The ledger has this work.
func TestDrivenDie(t *testing.T) {
	worst := func(safety float64) float64 {
		src := &mesh.Source{Name: "block"}
		rectangle(src, "block", 0, 0, 0.02, 0.01, 20, 10)
		m := model(t, src, steel)
		bottom := func() (out []int32) {
			for i, x := range m.Mesh.X {
				if x.Y == 0 {
					out = append(out, int32(i))
				}
			}
			return out
		}()
		m.Fixes = []models.Fix{{Nodes: bottom, X: true, Y: true}}
		m.Mesh = m.Mesh.With([]mesh.Outline{{Name: "die", Points: []r2.Vec{{X: -0.01, Y: 0.01}, {X: 0.03, Y: 0.01}}, Depth: 5e-4}})
		centre := r2.Vec{X: 0.01, Y: 0.01}
		m.Rigids = []models.Rigid{{Name: "die", Material: -1, Centre: centre, Motion: func(t float64) (r2.Vec, float64) {
			return r2.Vec{X: centre.X, Y: centre.Y - 4e-6*math.Pow(math.Sin(math.Pi*t/40e-6), 2)}, 0
		}}}
		m.Contacts = []models.SurfaceContact{{Name: "die", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 20,
			Law: law(t, "linear", map[string]float64{"k": 5e14}), Friction: contactnodes.Friction{Kinetic: 0.1, Speed: 1e-3}}}
		m.Duration, m.HistoryEvery, m.Safety = 40e-6, 0.2e-6, safety
		s := start(t, m)
		w, most := 0.0, 0.0
		run(t, s, func() {
			w = max(w, math.Abs(s.Energies().Residual))
			most = max(most, s.Energies().ExternalWork)
		})
		if !(most > 1e-3) {
			t.Errorf("the die did %g J of work", most)
		}
		return w / most
	}
	whole, half := worst(0.8), worst(0.4)
	t.Logf("worst residual %.3g, with half the step %.3g", whole, half)
	if whole > 1e-3 {
		t.Errorf("residual %g", whole)
	}
}

// Fixed or driven bodies that overlap have no contact.
func TestFixedBodiesDoNotMeet(t *testing.T) {
	m := rigidModel(t, 1e11, 0, []models.Rigid{{Name: "floor", Material: -1}, {Name: "hill", Material: -1}}, floor(0), disc("hill", r2.Vec{}, 0.05))
	m.Duration = 1e-3
	s := start(t, m)
	run(t, s, nil)
	if s.PeakForce[0] != 0 {
		t.Errorf("a fixed body presses a fixed one with %g N", s.PeakForce[0])
	}
}
