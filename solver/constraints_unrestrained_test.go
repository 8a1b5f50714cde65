package solver

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Motions that supports leave free are found for meshed and for rigid bodies. A body that friction
// holds is not loose.
func TestLoose(t *testing.T) {
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "block", 0, 0, 0.02, 0.01, 2, 1)
	rectangle(src, "grains", 0.1, 0, 0.02, 0.01, 2, 1)
	base := model(t, src, steel)
	base.Mesh = base.Mesh.With([]mesh.Outline{floor(0)})
	corner := func(x, y float64) []int32 {
		for i, p := range base.Mesh.X {
			if p == (r2.Vec{X: x, Y: y}) {
				return []int32{int32(i)}
			}
		}
		t.Fatalf("no node at (%g, %g) m", x, y)
		return nil
	}
	left, right, top := corner(0, 0), corner(0.02, 0), corner(0.02, 0.01)
	held := models.Fix{Nodes: base.Mesh.Bodies[1].Nodes, X: true, Y: true}
	for _, c := range []struct {
		name     string
		fixes    []models.Fix
		friction float64
		released [3]bool
		want     []string
	}{
		{"nothing", []models.Fix{held}, 0, [3]bool{}, []string{`body "block" (along x, along y, to turn)`}},
		{"friction", []models.Fix{held}, 0.1, [3]bool{}, nil},
		{"friction on what is free as well", []models.Fix{held}, 0.1, [3]bool{true, true, true},
			[]string{`body "block" (along x, along y, to turn)`, `rigid "floor" (along x, along y, to turn)`}},
		{"friction on what is free to sink", []models.Fix{held}, 0.1, [3]bool{false, true, false}, nil},
		{"one node", []models.Fix{held, {Nodes: left, X: true, Y: true}}, 0, [3]bool{}, []string{`body "block" (to turn)`}},
		{"one node and a height", []models.Fix{held, {Nodes: left, X: true, Y: true}, {Nodes: right, Y: true}}, 0, [3]bool{}, nil},
		{"one node and along the line to it", []models.Fix{held, {Nodes: left, X: true, Y: true}, {Nodes: right, X: true}}, 0, [3]bool{}, []string{`body "block" (to turn)`}},
		{"x at two heights", []models.Fix{held, {Nodes: slices.Concat(left, top), X: true}}, 0, [3]bool{}, []string{`body "block" (along y)`}},
		{"y at two places", []models.Fix{held, {Nodes: slices.Concat(left, right), Y: true}}, 0, [3]bool{}, []string{`body "block" (along x)`}},
		{"x and y of others", []models.Fix{held, {Nodes: left, X: true}, {Nodes: top, Y: true}}, 0, [3]bool{}, []string{`body "block" (to turn)`}},
		{"two bodies, a rigid one", nil, 0, [3]bool{false, true, true},
			[]string{`body "block" (along x, along y, to turn)`, `body "grains" (along x, along y, to turn)`, `rigid "floor" (along y, to turn)`}},
	} {
		m := *base
		m.Fixes = c.fixes
		m.Rigids = []models.Rigid{{Name: "floor", Material: -1, Released: c.released, Motion: func(float64) (r2.Vec, float64) { return r2.Vec{}, 0 }}}
		m.Contacts = []models.SurfaceContact{{Name: "contact", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 2), NodesPerElement: 20,
			Law: law(t, "linear", map[string]float64{"k": 1e13}), Friction: contactnodes.Friction{Kinetic: c.friction, Static: c.friction, Stiffness: 1e12}}}
		s := start(t, statically(&m, 1))
		if got := s.Unrestrained(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// If there is no balance, the error names the body that is free to slide.
func TestNoBalanceNamesWhatIsLoose(t *testing.T) {
	m := block(t, law(t, "linear", map[string]float64{"k": 1e13}), r2.Vec{X: 10, Y: -100}, through(0, 1), contactnodes.Friction{Speed: 1})
	var unsettled *NotConvergedError
	err := ends(t, start(t, m))
	if !errors.As(err, &unsettled) || !slices.Equal(unsettled.Unrestrained, []string{`rigid "box" (along x, along y, to turn)`}) || !strings.Contains(err.Error(), unsettled.Unrestrained[0]) {
		t.Errorf("got %v", err)
	}
}
