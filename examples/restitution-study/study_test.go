package study_test

import (
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"fdem/examples/scenes"
	"fdem/io/columns"
	"fdem/io/deck"
	"fdem/io/study"
	"fdem/io/tables"
	"fdem/solver"
)

// Four of the hundred cases, the corners of the map, give the restitution of the committed results,
// and the ledger closes.
func TestCorners(t *testing.T) {
	if testing.Short() {
		t.Skip("four collisions")
	}
	s, err := study.New("restitution.study.toml", filepath.Join(t.TempDir(), "sweep"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(); err != nil {
		t.Fatal(err)
	}
	results, err := columns.Read("results.csv")
	if err != nil {
		t.Fatal(err)
	}
	want, err := deck.Column(results, "restitution", tables.None)
	if err != nil {
		t.Fatal(err)
	}
	speeds, err := deck.Column(results, "speed", tables.Velocity)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Cases) != 100 || len(want) != 100 {
		t.Fatalf("%d cases and %d rows, want 100", len(s.Cases), len(want))
	}
	for _, number := range []int{1, 10, 91, 100} {
		m, err := scenes.Load(filepath.Join(s.Dir, "cases", pad(number), "case.toml"))
		if err != nil {
			t.Fatal(err)
		}
		run, err := solver.New(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := scenes.Finish(run, func() {}); err != nil {
			t.Fatal(err)
		}
		got := -run.Motions()[0].Velocity.X / speeds[number-1]
		t.Logf("case %d: restitution %.6f", number, got)
		if math.Abs(got-want[number-1]) > 1e-6 {
			t.Errorf("case %d: restitution %.9g, the table has %.9g", number, got, want[number-1])
		}
		if r := run.Relative(run.Energies()); r > 1e-3 {
			t.Errorf("case %d: the ledger's residual is %g of the energy that entered", number, r)
		}
	}
}

// pad writes a case's number as its folder is called.
func pad(number int) string {
	s := strconv.Itoa(number)
	return "0000"[len(s):] + s
}
