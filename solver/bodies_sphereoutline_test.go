package solver

import (
	"math"
	"math/rand"
	"testing"

	"fdem/contactnodes/spheres"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/mesh/shapes"
	models "fdem/solver/model"
	"fdem/solver/particles"

	"gonum.org/v1/gonum/spatial/r2"
)

// spheresOnBodies is a free block and a free beam between spheres that fly onto
// their edges, corners and ends: a law with memory and stick springs on the one,
// a dashpot and regularised friction on the other.
func spheresOnBodies(t testing.TB) *models.Model {
	const n, r, mass, height = 9, 0.7e-3, 1e-5, 1e-3
	src := &mesh.Source{}
	if _, err := shapes.Rectangle(src, "block", r2.Vec{}, r2.Vec{X: 6e-3, Y: 3e-3}, 1e-3); err != nil {
		t.Fatal(err)
	}
	if _, err := shapes.Line(src, "strip", r2.Vec{X: 0.2e-3, Y: 5.1e-3}, r2.Vec{X: 6e-3, Y: 5.6e-3}, 1e-3, "", ""); err != nil {
		t.Fatal(err)
	}
	built, err := mesh.Build(src, []string{"block"}, "strip")
	noError(t, err)
	if built, err = built.WithFaces([]float64{height}); err != nil {
		t.Fatal(err)
	}
	m := &models.Model{Mesh: built, Thickness: 1e-3, Safety: 0.8, ResidualLimit: 0.05}
	m.Materials = []bulk.Material{{Elastic: bulk.Elastic{Name: "aluminium", Young: 7e10, Poisson: 0.3, Density: 2700}}}
	m.Bodies = []models.Body{{Name: "block", AngularVelocity: 300}, {Name: "strip", Width: 1e-3, Height: height, Velocity: r2.Vec{Y: -3}}}
	p := &m.Particles
	rng := rand.New(rand.NewSource(3))
	add := func(x, v r2.Vec) {
		p.X, p.V, p.Spin = append(p.X, x), append(p.V, v), append(p.Spin, 1e3*rng.NormFloat64())
		p.Radius, p.Mass, p.Kind = append(p.Radius, r), append(p.Mass, mass), append(p.Kind, 0)
	}
	for i := range n { // between the two, over the strip, and beside both
		x := -0.9e-3 + 1.45e-3*float64(i)*0.66
		add(r2.Vec{X: x, Y: 3e-3 + 1.01*r}, r2.Vec{X: 3 * rng.NormFloat64(), Y: -10 - 10*rng.Float64()})
		add(r2.Vec{X: x + 0.2e-3, Y: 6.7e-3 + 0.05*x}, r2.Vec{X: 3 * rng.NormFloat64(), Y: -10 - 10*rng.Float64()})
	}
	for i, y := range []float64{0.4e-3, 2e-3, 5.4e-3} {
		add(r2.Vec{X: -1.02 * r, Y: y}, r2.Vec{X: 20, Y: float64(5 * (i - 1))})
		add(r2.Vec{X: 6e-3 + 1.05*r, Y: y}, r2.Vec{X: -20, Y: float64(5 * (i - 1))})
	}
	p.Groups = []models.ParticleGroup{{Name: "balls", First: 0, End: int32(len(p.X))}}
	p.Kinds, p.BodyKind = 3, []int32{1, 2}
	p.Interactions = []string{"soft", "yielding"}
	p.Predicted = [][2]int32{{0, 0}, {0, 1}, {0, 2}}
	p.RuleOf = func(a, b int32) (*spheres.Rule, error) {
		rule := &spheres.Rule{Mass: mass, Overlap: true, Friction: spheres.Friction{Kinetic: 0.2, Speed: 1}}
		model, _ := contact.Lookup("hunt-crossley")
		rule.Law, _ = model.Build(map[string]float64{"radius": r, "modulus": 1e9, "restitution": 0.7})
		if b == 1 {
			model, _ := contact.Lookup("thornton")
			rule.Law, _ = model.Build(map[string]float64{"radius": r, "modulus": 4e10, "yield": 5e8})
			rule.Interaction = 1
			rule.Friction = spheres.Friction{Kinetic: 0.2, Static: 0.3, Ratio: 0.8}
		}
		return rule, nil
	}
	return m
}

// withSpheres sums the momenta and the angular momenta of nodes, turning ones of beams among
// them, and of spheres; size is the sum of the momenta's sizes.
func withSpheres(s *Solver) (p r2.Vec, l, size float64) {
	add := func(mass float64, x, v r2.Vec) {
		p = r2.Add(p, r2.Scale(mass, v))
		l += mass * r2.Cross(x, v)
		size += mass * r2.Norm(v)
	}
	for i, mass := range s.Mass {
		if mass > 0 {
			add(mass, s.X[i], s.V[i])
		}
	}
	for _, n := range s.beams.BeamNodes {
		l += s.beams.Inertia[n] * s.Spin[n]
	}
	for i, mass := range s.Particles.Mass {
		add(mass, s.spheres.X[i], s.spheres.V[i])
		l += particles.Inertia(mass, s.Particles.Radius[i]) * s.spheres.Spin[i]
	}
	return p, l, size
}

// The contact of spheres with free triangles and free beams, with friction and rotating nodes,
// keeps linear and angular momentum to rounding, and the ledger closes.
func TestSpheresKeepMomentum(t *testing.T) {
	m := spheresOnBodies(t)
	m.Duration = 60e-6
	s := start(t, m)
	p0, l0, size := withSpheres(s)
	run(t, s, nil)
	p, l, _ := withSpheres(s)
	if d := r2.Norm(r2.Sub(p, p0)); d > 1e-13*size {
		t.Errorf("momentum changes by %g of %g", d, size)
	}
	if d := math.Abs(l - l0); d > 1e-12*size*6e-3 {
		t.Errorf("angular momentum changes by %g of %g", d, size*6e-3)
	}
	e := s.Energies()
	if r := s.Relative(e); math.Abs(r) > 2e-3 {
		t.Errorf("residual %g", r)
	}
	for i := range s.spheres.Interaction {
		if s.spheres.Interaction[i].PeakForce == 0 || e.FrictionDissipated <= 0 {
			t.Errorf("interaction %d touches nothing", i)
		}
	}
}
