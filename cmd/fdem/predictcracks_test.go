package main

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fdem/solver"
	"fdem/solver/statics"
)

// Check predicts that a specimen under a pressure from the sides breaks all over long before the
// end of its run, and that one too strong to break costs no more than its start predicts.
func TestCheckPredictsCracks(t *testing.T) {
	const (
		seen = 0.1   // of the run, before anything breaks
		each = 25e-6 // time for a step there [s]
	)
	for _, c := range []struct {
		name              string
		set               []string
		least, most       float64
		fewest, mostSteps float64
	}{
		{"breaks", nil, 4, 8, 1.1, 1.5}, // the results were 5.3 and 1.29
		{"holds", []string{"fracture.tensile_strength=500 MPa", "fracture.cohesion=1750 MPa"}, 1, 1, 1, 1},
	} {
		in, err := readChanged("../../examples/uniaxial-compression/confined.toml", "", c.set)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solver.New(in.model)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		nothing := func() error { return nil }
		var g growth
		err = statics.Run(ctx, s, solver.Observer{Row: nothing, Frame: nothing, Contact: nothing, Checkpoint: func(bool) error { return nil }, Asked: func() bool {
			if g.note(s); s.Time > seen*s.Duration {
				cancel()
			}
			return false
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		times, steps, known := g.cost(s, each, each)
		if !known || times < c.least || times > c.most {
			t.Errorf("%s: the rest takes %.3g times as long (%v), want %g to %g", c.name, times, known, c.least, c.most)
		}
		if steps < c.fewest || steps > c.mostSteps {
			t.Errorf("%s: the rest takes %.3g times as many steps, want %g to %g", c.name, steps, c.fewest, c.mostSteps)
		}
	}
}

// Where fragments rattle, check counts more steps as soon as an edge is open.
func TestCheckPredictsRattling(t *testing.T) {
	const example = "../../examples/uniaxial-compression/"
	text, err := os.ReadFile(example + "confined.toml")
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := filepath.Abs(example + "uniaxial-compression.msh")
	if err != nil {
		t.Fatal(err)
	}
	deck := filepath.Join(t.TempDir(), "confined.toml") // with a floor that it does not meet
	text = bytes.Replace(text, []byte(`"uniaxial-compression.msh"`), []byte("'"+mesh+"'"), 1)
	text = append(text, `
[[rigid]]
name = "floor"
shape = "line"
from = [-1, -1]
to = [1, -1]
[[contact]]
contactor = "rock"
opposite = "floor"
`...)
	if err := os.WriteFile(deck, text, 0o666); err != nil {
		t.Fatal(err)
	}
	const few = 1e-9 // of the edges are open
	for _, c := range []struct {
		set   []string
		share float64
	}{
		{nil, 1},
		{[]string{"analysis.damping={stiffness=0}"}, 1},
		{[]string{"fracture.friction=0"}, 1},
		{[]string{"fracture.friction=0", "analysis.damping={stiffness=0}"}, 0.7},
	} {
		in, err := readChanged(deck, "", c.set)
		if err != nil {
			t.Fatal(err)
		}
		s, err := solver.New(in.model)
		if err != nil {
			t.Fatal(err)
		}
		whole, open := shorter(s, 0), shorter(s, few)
		var out bytes.Buffer
		writeFracture(&out, s)
		told := strings.Contains(out.String(), "the time step is reduced to 0.7 of its length")
		if whole != 1 || math.Abs(open*c.share-1) > 1e-6 || told != (c.share < 1) {
			t.Errorf("%v: %g and %g times as many steps, want 1 and %g; reported: %v", c.set, whole, open, 1/c.share, told)
		}
	}
}
