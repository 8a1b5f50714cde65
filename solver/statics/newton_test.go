package statics

import (
	"testing"

	"fdem/io/deck"
	"fdem/io/plan"
	"fdem/mesh"
	"fdem/solver"
)

// Newton's method with the tangents of elements and law converges in few iterations: a plate is
// pressed on a rigid floor.
func TestNewtonConverges(t *testing.T) {
	d, err := deck.Parse("plate.toml", []byte(`
mesh = "plate.msh"
analysis = { type = "static", thickness = "10 mm" }
material = [{ name = "steel", young = "200 GPa", poisson = 0.3, density = 7850 }]
body = [{ name = "plate", material = "steel" }]
rigid = [{ name = "floor", shape = "line", from = [-0.01, 0], to = [0.03, 0] }]
law = [{ name = "penalty", model = "linear", k = "100 TPa/m" }]
contact = [{ contactor = "plate", opposite = "floor", law = "penalty" }]
fix = [{ on = "left", components = ["x"] }]
load = [{ on = "top", pressure = "20 MPa" }]
`))
	if err != nil {
		t.Fatal(err)
	}
	src, err := plan.ParseShapes("plate.shapes.toml", []byte("[[rectangle]]\nname = \"plate\"\nfrom = [0, 0]\nto = [\"20 mm\", \"10 mm\"]\nedge = \"1 mm\"\nleft = \"left\"\ntop = \"top\"\n"))
	noError(t, err)
	m, err := mesh.Build(src, d.BodyNames())
	noError(t, err)
	model, _, err := deck.Model(d, m)
	noError(t, err)
	s, err := solver.New(model)
	noError(t, err)
	s.Time = 0.25
	if n, err := New(s).solve(0.25, s.Static.Iterations); err != nil || n > 6 {
		t.Errorf("%d iterations, %v", n, err)
	}
	spent := map[string]float64{}
	for _, p := range s.Profile().Phases {
		spent[p.Name] = p.Seconds
	}
	for _, name := range []string{"forces", "assembly", "factorization", "solve"} {
		if !(spent[name] > 0) {
			t.Errorf("no time for %q: %v", name, spent)
		}
	}
}
