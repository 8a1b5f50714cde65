package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fdem/examples/cases"
	"fdem/io/deck"
	"fdem/io/plan"
	"fdem/solver"
	"fdem/solver/statics"
)

// A disc of gel between two plates that approach each other by 0.4 mm, as in stiffness.md.
const pressedDisc = `
[analysis]
%s
plane = "strain"
thickness = "10 mm"
[[material]]
name = "gel"
young = "5 MPa"
poisson = 0.3
density = 1100
[[body]]
name = "disc"
material = "gel"
[[rigid]]
name = "floor"
shape = "line"
from = ["-30 mm", "-20 mm"]
to = ["30 mm", "-20 mm"]
[[rigid]]
name = "plate"
shape = "line"
from = ["30 mm", "20 mm"]
to = ["-30 mm", "20 mm"]
motion = ["0", "0.02 - 0.4e-3*t"]
[[law]]
name = "penalty"
model = "linear"
k_factor = %g
[[contact]]
contactor = "disc"
opposite = "all"
law = "penalty"
friction = 0.1
`

// johnson is the force [N] that closes two plates on a cylinder by d [m] each:
// K. L. Johnson, Contact Mechanics, 1985, (5.57).
func johnson(d, young, poisson, radius, width float64) float64 {
	soft := (1 - poisson*poisson) / (math.Pi * young)
	low, high := 0.0, young*radius
	for range 200 {
		p := 0.5 * (low + high) // N/m
		a := math.Sqrt(4 * p * radius * soft)
		if p*soft*(2*math.Log(4*radius/a)-1) < d {
			low = p
		} else {
			high = p
		}
	}
	return low * width
}

var wholeTable = flag.Bool("whole", false, "TestStiffnessTable computes every row")

// The table of stiffness.md is what the program computes: the usual row of it, with -all a soft and
// a stiff one, and all rows with -whole, which .ci/long sets.
func TestStiffnessTable(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes eight static analyses")
	}
	src := filepath.Join(t.TempDir(), "disc.shapes.toml")
	if err := os.WriteFile(src, []byte("[[disc]]\nname = \"disc\"\ncentre = [0, 0]\nradius = 0.02\nedge = 0.0008\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shapes, err := plan.ReadShapes(src)
	if err != nil {
		t.Fatal(err)
	}
	want := johnson(0.2e-3, 5e6, 0.3, 0.02, 0.01)
	press := func(analysis string, factor float64) *solver.Solver {
		d, err := deck.Parse("disc.toml", fmt.Appendf(nil, pressedDisc, analysis, factor))
		if err != nil {
			t.Fatal(err)
		}
		return prepare(t, d, shapes)
	}
	const inTime, static = `duration = "1 s"`, `type = "static"`
	auto := func(s *solver.Solver) float64 { // in E/h
		c := &s.Model.Contacts[0]
		return c.Suitable * c.Edge / c.Young
	}
	free, balance := auto(press(inTime, 1)), auto(press(static, 1))
	var rows []string
	nothing := func() error { return nil }
	for _, times := range []float64{0.1, 0.3, 1, 2, 4, 10, 30, 100} {
		if !*wholeTable && times != 1 && (!cases.All() || times != 0.1 && times != 10) {
			continue
		}
		s := press(inTime, times/free)
		c := &s.Model.Contacts[0]
		e := s.Expect(0, 1e-3*c.Young)
		row := fmt.Sprintf("| %g | %.2g | %.2f |", times, e.Deflection/c.Edge, e.Step/e.Free)
		s = press(static, times/balance)
		if err := statics.Run(context.Background(), s, solver.Observer{Row: nothing, Frame: nothing}); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row+fmt.Sprintf(" %.2g | %+.1f %% |", slices.Max(s.Surfaces[0].Deflections())/c.Edge, 100*(0.5*s.ContactForces()[0].Normal/want-1)))
	}
	page, err := os.ReadFile("../stiffness.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rows of 8; three with -all, all with -whole", len(rows))
	if table := strings.Join(rows, "\n"); *wholeTable && !strings.Contains(string(page), table) {
		t.Errorf("the table of docs/stiffness.md is not what the program computes:\n%s", table)
	}
	for _, row := range rows {
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("the table of docs/stiffness.md has no row %s", row)
		}
	}
}
