package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"fdem/io/deck"
	"fdem/io/gmsh"
	"fdem/io/plan"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/statics"
)

// firstModels reads the shapes and decks of first-models.md, in order: a deck
// goes with the shapes before it.
func firstModels(t *testing.T) (page string, shapes, decks []string) {
	t.Helper()
	data, err := os.ReadFile("../first-models.md")
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	for _, m := range regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
		if strings.HasPrefix(m[1], "# shapes") {
			last = m[1]
			continue
		}
		shapes, decks = append(shapes, last), append(decks, m[1])
	}
	return string(data), shapes, decks
}

// prepare makes a solver of a deck and its mesh.
func prepare(t *testing.T, d *deck.Deck, src *mesh.Source) *solver.Solver {
	t.Helper()
	model, _, err := d.Build(src)
	if err != nil {
		t.Fatal(err)
	}
	s, err := solver.New(model)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// runModel runs a deck with the mesh of shapes, or the one that it names, and
// calls row at every row of its history.
func runModel(t *testing.T, shapes, text string, row func(*solver.Solver)) (*solver.Solver, error) {
	t.Helper()
	d, err := deck.Parse("model.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var src *mesh.Source
	if d.Mesh != "" {
		src, err = gmsh.Read("../../" + d.Mesh)
	} else {
		src, err = plan.ParseShapes("model.shapes.toml", []byte(shapes))
	}
	if err != nil {
		t.Fatal(err)
	}
	s := prepare(t, d, src)
	return s, statics.Run(context.Background(), s, solver.Observer{
		Row:   func() error { row(s); return nil },
		Frame: func() error { return nil },
	})
}

// The answers in first-models.md are near those of theory, and the program computes them.
func TestFirstModels(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seven runs")
	}
	page, shapes, decks := firstModels(t)
	if len(decks) != 6 {
		t.Fatalf("%d decks, want 6", len(decks))
	}
	// says tells that the page has a row with the number computed, which is
	// within tolerance of theory's.
	says := func(what, format string, computed, theory, tolerance float64) {
		t.Helper()
		if !(math.Abs(computed-theory) <= tolerance*math.Abs(theory)) {
			t.Errorf("%s: %g, theory has %g", what, computed, theory)
		}
		if number := fmt.Sprintf(format, computed); !regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(what) + ` \|.*\| ` + regexp.QuoteMeta(number) + ` \|$`).MatchString(page) {
			t.Errorf("%s: the page has no row with %s", what, number)
		}
	}
	run := func(k int, text string, row func(*solver.Solver)) *solver.Solver {
		t.Helper()
		s, err := runModel(t, shapes[k], text, row)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	nothing := func(*solver.Solver) {}
	const g = 9.81

	down, up := 0.0, 0.0
	run(0, decks[0], func(s *solver.Solver) {
		v := s.Motions()[0].Velocity.Y
		down, up = min(down, v), max(up, v)
	})
	says("speed at contact", "%.3f m/s", -down, math.Sqrt(2*g*0.1), 0.002)
	says("speed after", "%.3f m/s", up, -down, 0.03)
	sum, rows := 0.0, 0.0
	s := run(0, strings.Replace(decks[0], `duration = "0.25 s"`, "duration = \"1.5 s\"\ndamping = { mass = \"20 1/s\" }", 1), func(s *solver.Solver) {
		if s.Time > 1.2 {
			sum, rows = sum+s.ContactForces()[0].Normal, rows+1
		}
	})
	says("force on the floor", "%.4f N", sum/rows, s.Motions()[0].Mass*g, 0.005)

	s = run(1, decks[1], nothing)
	says("force", "%.1f kN", 1e-3*s.ContactForces()[0].Normal, 300, 0.02)

	s = run(2, decks[2], nothing)
	says("friction at 26 degrees", "%.2f N", math.Abs(s.ContactForces()[0].Tangential), 5.5*4.3, 1e-6)
	steep := strings.Replace(decks[2], `["4.300 m/s2", "-8.817 m/s2"]`, `["4.454 m/s2", "-8.741 m/s2"]`, 1)
	_, err := runModel(t, shapes[2], steep, nothing)
	if failure := (*solver.NotConvergedError)(nil); steep == decks[2] || !errors.As(err, &failure) || len(failure.Slides) != 1 {
		t.Errorf("at 27 degrees: %v", err)
	}
	s = run(3, decks[3], nothing)
	says("speed after 0.3 s", "%.4f m/s", s.Motions()[0].Velocity.X, 0.3*(5.627-0.5*8.036), 0.005)

	still := strings.Replace(decks[4], "duration = \"30 ms\"", `type = "static"`, 1)
	still = regexp.MustCompile(`(?m)^damping.*$`).ReplaceAllString(still, "")
	for _, text := range []string{decks[4], still} {
		for i, c := range run(4, text, nothing).ContactForces() {
			says(c.Name, "%.2f kN", 1e-3*c.Normal, 1e-3*float64(5-i)*0.5*2400*g, 1e-4)
		}
	}

	pinion, wheel := 0.0, 0.0
	s = run(5, decks[5], func(s *solver.Solver) {
		if m := s.Motions(); s.Time > 0.01 {
			pinion, wheel = pinion+m[0].AngularVelocity, wheel+m[1].AngularVelocity
		}
	})
	says("mean speeds in mesh", "%.2f", -pinion/wheel, 1.5, 0.05)
	const inertias = 3.3893148 // of wheel and pinion, over their teeth
	m := s.Motions()
	says("angular impulse gained over lost, by teeth", "%.2f", -m[1].AngularVelocity*inertias/(50-m[0].AngularVelocity), 1, 0.08)
}
