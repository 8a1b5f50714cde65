package diffusion_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"fdem/io/deck"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/quantity"
	"fdem/solver/statics"

	"gonum.org/v1/gonum/spatial/r2"
)

// grid is a rectangle of nx by ny cells of two triangles, cut alternately, whose nodes are moved by
// a function of their place from 0 to 1. It has the sides left, right, bottom and top.
type grid struct {
	nx, ny int
	at     func(u, v float64) r2.Vec
	bodies func(u float64) string // by the middle of a cell; nil for one body "rock"
}

func (g grid) source() *mesh.Source {
	src := &mesh.Source{Name: "grid"}
	node := func(i, j int) int32 { return int32(j*(g.nx+1) + i) }
	for j := range g.ny + 1 {
		for i := range g.nx + 1 {
			src.AddNode(g.at(float64(i)/float64(g.nx), float64(j)/float64(g.ny)))
		}
	}
	names := []string{"left", "right", "bottom", "top"}
	var groups []mesh.SourceGroup
	add := func(name string, dim int, elements ...int32) {
		for i := range groups {
			if groups[i].Name == name && groups[i].Dim == dim {
				groups[i].Elements = append(groups[i].Elements, elements...)
				return
			}
		}
		groups = append(groups, mesh.SourceGroup{Name: name, Dim: dim, Number: len(groups) + 1, Elements: elements})
	}
	for j := range g.ny {
		for i := range g.nx {
			a, b, c, d := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
			name := "rock"
			if g.bodies != nil {
				name = g.bodies((float64(i) + 0.5) / float64(g.nx))
			}
			if (i+j)%2 == 0 {
				add(name, 2, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
			} else {
				add(name, 2, src.AddTriangle(a, b, d), src.AddTriangle(b, c, d))
			}
		}
	}
	for j := range g.ny {
		add(names[0], 1, src.AddLine(node(0, j+1), node(0, j)))
		add(names[1], 1, src.AddLine(node(g.nx, j), node(g.nx, j+1)))
	}
	for i := range g.nx {
		add(names[2], 1, src.AddLine(node(i, 0), node(i+1, 0)))
		add(names[3], 1, src.AddLine(node(i+1, g.ny), node(i, g.ny)))
	}
	src.Groups = groups
	return src
}

// bar is a grid of a length and a height.
func bar(length, height float64, nx, ny int) grid {
	return grid{nx: nx, ny: ny, at: func(u, v float64) r2.Vec { return r2.Vec{X: length * u, Y: height * v} }}
}

// built makes a solver of a deck.
func built(t testing.TB, g meshed, text string) *solver.Solver {
	t.Helper()
	d, err := deck.Parse("heat.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Build(g.source())
	if err != nil {
		t.Fatal(err)
	}
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ran runs a deck to its end.
func ran(t testing.TB, g meshed, text string) *solver.Solver {
	t.Helper()
	s := built(t, g, text)
	run(t, s)
	return s
}

func run(t testing.TB, s *solver.Solver) {
	t.Helper()
	nothing := func() error { return nil }
	if err := statics.Run(context.Background(), s, solver.Observer{Row: nothing, Frame: nothing, Contact: nothing}); err != nil {
		t.Fatal(err)
	}
}

// column returns a value of a row of the history.
func column(s *solver.Solver, name string) float64 {
	e, out := s.Energies(), math.NaN()
	s.Row(&e, func(c quantity.Column, v float64) {
		if c.Name() == name {
			out = v
		}
	})
	return out
}

// above returns the temperature of the node nearest to a position above that at the start [K].
func above(s *solver.Solver, x, y float64) float64 {
	best, n := math.Inf(1), 0
	for i, p := range s.Mesh.X {
		if d := math.Hypot(p.X-x, p.Y-y); d < best {
			best, n = d, i
		}
	}
	return s.Kinds.Heat.Temperature(int32(n)) - s.Heat.Initial
}

// within fails unless a number is within a tolerance of theory, which is told.
func within(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	t.Logf("%s: %.6g, theory %.6g, %+.2g of the tolerance", what, got, want, (got-want)/tolerance)
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.9g, want %.9g within %.3g", what, got, want, tolerance)
	}
}

// closes fails unless the balances of heat and of energy close.
func closes(t testing.TB, s *solver.Solver) {
	t.Helper()
	closesTo(t, s, 1e-4)
}

func closesTo(t testing.TB, s *solver.Solver, share float64) {
	t.Helper()
	moved := math.Abs(column(s, "heat_in")) + math.Abs(column(s, "heat_stored"))
	for i := range s.Model.Bodies {
		b := &s.Mesh.Bodies[i]
		for t := b.First; t < b.End; t++ {
			moved += s.Heat.Materials[s.Model.Bodies[i].Material].Capacity * s.Kinds.Triangles.Volume(int(t)) // a kelvin of all
		}
	}
	if r := column(s, "heat_residual"); math.Abs(r) > 1e-11*moved && !s.Heat.Steady {
		t.Errorf("of %g J of heat %g J are missing", moved, r)
	}
	e := s.Energies()
	if math.Abs(e.Residual) > share*max(e.Strain, math.Abs(e.ExternalWork), e.FrictionDissipated)+1e-6*held(s) {
		t.Errorf("residual %g J with a strain energy of %g J and an external work of %g J", e.Residual, e.Strain, e.ExternalWork)
	}
}

// granite is the material of the references: k = 3 W/(m K), rho c = 2.08e6 J/(m3 K).
const granite = `[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.25
density = 2600
conductivity = "3 W/(m K)"
heat_capacity = "800 J/(kg K)"
expansion = "1e-5 1/K"
[[body]]
name = "rock"
material = "rock"
`

// inStatics begins a static deck.
func inStatics(duration string, increments int, more string) string {
	return fmt.Sprintf("[analysis]\ntype = \"static\"\nduration = %q\nincrements = %d\n%s[heat]\ninitial = \"20 degC\"\n", duration, increments, more)
}

// held returns the energy that all expansion would have if it were held [J].
func held(s *solver.Solver) (energy float64) {
	for i := range s.Model.Bodies {
		of := &s.Heat.Materials[s.Model.Bodies[i].Material]
		free := of.Expansion * 100
		b := &s.Mesh.Bodies[i]
		for t := b.First; t < b.End; t++ {
			energy += s.Materials[s.Model.Bodies[i].Material].Young * free * free * s.Kinds.Triangles.Volume(int(t))
		}
	}
	return energy
}

// blocks are bars one after the other along x, each with its own nodes, with the names a, b and so on
// and the curves left, right, and NAME-left and NAME-right.
type blocks struct {
	length []float64
	cells  []int
	height float64
	rows   int
}

func (g blocks) source() *mesh.Source {
	src := &mesh.Source{Name: "blocks"}
	x := 0.0
	for k, length := range g.length {
		name, nx, ny := string(rune('a'+k)), g.cells[k], g.rows
		first := int32(len(src.X))
		node := func(i, j int) int32 { return first + int32(j*(nx+1)+i) }
		for j := range ny + 1 {
			for i := range nx + 1 {
				src.AddNode(r2.Vec{X: x + length*float64(i)/float64(nx), Y: g.height * float64(j) / float64(ny)})
			}
		}
		body := mesh.SourceGroup{Name: name, Dim: 2, Number: len(src.Groups) + 1}
		for j := range ny {
			for i := range nx {
				a, b, c, d := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
				body.Elements = append(body.Elements, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
			}
		}
		left := mesh.SourceGroup{Name: name + "-left", Dim: 1, Number: len(src.Groups) + 2}
		right := mesh.SourceGroup{Name: name + "-right", Dim: 1, Number: len(src.Groups) + 3}
		for j := range ny {
			left.Elements = append(left.Elements, src.AddLine(node(0, j+1), node(0, j)))
			right.Elements = append(right.Elements, src.AddLine(node(nx, j), node(nx, j+1)))
		}
		src.Groups = append(src.Groups, body, left, right)
		x += length
	}
	return src
}

type meshed interface{ source() *mesh.Source }
