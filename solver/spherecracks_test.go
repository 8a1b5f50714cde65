package solver

import (
	"math"
	"testing"

	"fdem/contactnodes/spheres"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// spheresOnRock is a free rock that spheres break: they come from above, from below and
// from a side, some of them together with an elastic law, others with one that yields.
func spheresOnRock(t testing.TB, speed float64) *Model {
	const h, r = 0.5e-3, 1e-3
	m := brittleRock(t, 12, h, 1)
	m.Thickness = 2e-3
	mass := 4.0 / 3 * math.Pi * r * r * r * 7850
	p := &m.Particles
	add := func(kind int32, x, v r2.Vec) {
		p.X, p.V, p.Spin = append(p.X, x), append(p.V, v), append(p.Spin, 100)
		p.Radius, p.Mass, p.Kind = append(p.Radius, r), append(p.Mass, mass), append(p.Kind, kind)
	}
	add(0, r2.Vec{X: 1.6e-3, Y: 12*h + 1.001*r}, r2.Vec{X: 3, Y: -speed})
	add(0, r2.Vec{X: 4.2e-3, Y: 12*h + 1.002*r}, r2.Vec{Y: -speed})
	add(0, r2.Vec{X: 3.1e-3, Y: -1.001 * r}, r2.Vec{X: -5, Y: speed})
	add(1, r2.Vec{X: -1.001 * r, Y: 2.9e-3}, r2.Vec{X: 0.5 * speed, Y: 2})
	p.Groups = []ParticleGroup{{"balls", 0, int32(len(p.X))}}
	p.Kinds, p.BodyKind = 3, []int32{2}
	p.Interactions = []string{"elastic", "yielding"}
	p.Foresee = [][2]int32{{0, 0}, {0, 2}, {1, 2}}
	p.Meet = func(a, b int32) (*spheres.Rule, error) {
		rule := &spheres.Rule{Mass: mass, Friction: spheres.Friction{Kinetic: 0.2, Static: 0.3, Ratio: 0.8}}
		model, values := "hertz", map[string]float64{"radius": r, "modulus": 3e10}
		if a == 1 || b == 1 {
			model, values, rule.Interaction = "thornton", map[string]float64{"radius": r, "modulus": 3e10, "yield": 1e9}, 1
		}
		of, _ := contact.Lookup(model)
		var err error
		rule.Law, err = of.Build(values)
		return rule, err
	}
	return m
}

// Spheres that break what they strike, and meet the faces that come of it, keep linear
// and angular momentum to rounding; the ledger closes, and an elastic law dissipates nothing
// however often vertices open under it.
func TestSpheresBreakRock(t *testing.T) {
	m := spheresOnRock(t, 40)
	m.Duration, m.HistoryEvery = 80e-6, 1e-6
	s := start(t, m)
	stock := func() (p r2.Vec, l, size float64) {
		add := func(mass float64, x, v r2.Vec) {
			p = r2.Add(p, r2.Scale(mass, v))
			l += mass * r2.Cross(x, v)
			size += mass * r2.Norm(v)
		}
		for i, mass := range s.mass {
			if mass > 0 {
				add(mass, s.X[i], s.V[i])
			}
		}
		for i, mass := range m.Particles.Mass {
			add(mass, s.spheres.X[i], s.spheres.V[i])
			l += inertia(mass, m.Particles.Radius[i]) * s.spheres.Spin[i]
		}
		return p, l, size
	}
	p0, l0, size := stock()
	worst := 0.0
	if err := advance(s, Observer{Row: func() error { worst = max(worst, math.Abs(s.Relative(s.Energies()))); return nil }, Frame: func() error { return nil }}); err != nil {
		t.Fatal(err)
	}
	p, l, _ := stock()
	if d := r2.Norm(r2.Sub(p, p0)); d > 1e-12*size {
		t.Errorf("momentum changes by %g of %g", d, size)
	}
	if d := math.Abs(l - l0); d > 1e-11*size*6e-3 {
		t.Errorf("angular momentum changes by %g of %g", d, size*6e-3)
	}
	totals, fragments := s.CrackTotals()
	e, elastic := s.Energies(), s.spheres.Interaction[0].Work()
	t.Logf("%d fragments, %d edges broken, residual %g, elastic law dissipates %g of %g J", fragments, totals.BrokenEdges, worst, elastic.Dissipated(), s.Ledger.Entered)
	if worst > 1e-3 || math.Abs(elastic.Dissipated()) > 1e-3*s.Ledger.Entered {
		t.Errorf("residual %g, an elastic law dissipates %g J", worst, elastic.Dissipated())
	}
	if fragments < 10 || s.spheres.Interaction[1].Work().Dissipated() <= 0 || e.FrictionDissipated <= 0 {
		t.Errorf("%d fragments", fragments)
	}
}
