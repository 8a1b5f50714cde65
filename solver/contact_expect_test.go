package solver

import (
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
	models "fdem/solver/model"
)

// The penetration of a linear contact follows from its stiffness. A stiffer contact has shorter
// steps while it presses. Predicting the penetration changes nothing.
func TestExpect(t *testing.T) {
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "a", 0, 0, 0.02, 0.01, 20, 10)
	rectangle(src, "b", 0.021, 0, 0.02, 0.01, 20, 10)
	m := model(t, src, steel)
	m.Contacts = []models.SurfaceContact{{Name: "a-b", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 20, Friction: contactnodes.Friction{Speed: 1e-3}}}
	before := math.Inf(1)
	for _, k := range []float64{1e12, 1e13, 1e14, 1e15, 1e16} {
		m.Contacts[0].Law = law(t, "linear", map[string]float64{"k": k})
		s := start(t, m)
		limit := s.Limit
		e := s.Expect(0, 2e8)
		if math.Abs(e.Deflection*k/2e8-1) > 1e-8 || e.Stiffness != k {
			t.Errorf("k = %g: %+v", k, e)
		}
		if !(e.Step < before) || e.Step >= e.Free || math.Abs(limit/(stepMargin*e.Free)-1) > 1e-12 {
			t.Errorf("k = %g: %+v, before %g, limit %g", k, e, before, limit)
		}
		before = e.Step
		if s.stableStep() != e.Free {
			t.Errorf("k = %g: the expectation stays in the solver", k)
		}
	}
	m.Contacts[0].Law = kostek(t)
	if e := start(t, m).Expect(0, 2e8); !(e.Deflection > 1e-7 && e.Deflection < 1e-4) || !(e.Stiffness > 2e8/e.Deflection) {
		t.Errorf("a law that stiffens: %+v", e)
	}
}
