package solver_test

import (
	"math"
	"strings"
	"testing"

	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

const openRock = `
[[material]]
name = "stone"
young = "20 GPa"
poisson = 0
density = 2500
`

// squeezed is a deck in which the given bodies, cut by open joints, are pressed by 0.2 mm
// at its sides, evenly in pseudo-time: quantities are those of a static analysis.
func squeezed(bodies []string, joints, held string) string {
	text := "[analysis]\ntype = \"static\"\nincrements = 20\n" + openRock
	for _, b := range bodies {
		text += "[[body]]\nname = \"" + b + "\"\nmaterial = \"stone\"\n"
	}
	return text + joints + held
}

// forceOf returns a reaction [N].
func forceOf(s *solver.Solver, name string) float64 {
	for _, r := range s.Reactions() {
		if r.Name == name {
			return r.Force.X + r.Force.Y
		}
	}
	return math.NaN()
}

// A bar with an open joint carries no load until it is pressed by the aperture, to rounding, and
// from then on the load that follows from the stiffness of both halves and of the contact.
func TestOpenJointCloses(t *testing.T) {
	const aperture, length, height, edge = 0.1e-3, 0.1, 0.02, 5e-3
	joint := "[[joint]]\non = \"seam\"\nfriction = 0.5\naperture = \"0.1 mm\"\n"
	s := built(t, squeezed([]string{"left", "right"}, joint, `
[[fix]]
on = "end"
[[drive]]
name = "push"
on = "head"
displacement = ["-0.2e-3*t", 0]
`), halves)
	give := 1 / (20 * 20e9 / edge) // of the contact: k = 20 E/h of both its sides together
	rows := 0
	through(t, s, func() {
		rows++
		displacement, force := 0.2e-3*s.Time, -forceOf(s, "push")
		e := (displacement - aperture) / (length - aperture)
		want := 0.0
		if displacement > aperture*(1+1e-9) {
			// Green's strain and the first Piola stress of the bars, in series with the contact.
			stretch := 1 - e
			for range 50 {
				stress := 20e9 * stretch * 0.5 * (1 - stretch*stretch)
				stretch = 1 - (displacement-aperture-give*stress)/(length-aperture)
			}
			want = 20e9 * stretch * 0.5 * (1 - stretch*stretch) * height
		}
		if math.Abs(force-want) > 1e-4*20e9*height*1e-3 {
			t.Errorf("pressed by %g m it carries %g N, want %g", displacement, force, want)
		}
		if displacement < aperture && math.Abs(force) > 1e-6 {
			t.Errorf("pressed by %g m, less than the aperture, it carries %g N", displacement, force)
		}
	})
	if rows < 20 {
		t.Fatalf("%d rows", rows)
	}
}

// crossed is a square of 80 mm with two joints that cross in its middle.
func crossed(t *testing.T) *mesh.Source {
	t.Helper()
	src := &mesh.Source{Name: "crossed"}
	const n, h = 16, 5e-3
	at := func(i, j int) int32 { return int32(j*(n+1) + i) }
	for j := range n + 1 {
		for i := range n + 1 {
			src.AddNode(r2.Vec{X: float64(i) * h, Y: float64(j) * h})
		}
	}
	rock := mesh.SourceGroup{Name: "rock", Dim: 2, Number: 1}
	for j := range n {
		for i := range n {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			if (i+j)%2 == 0 {
				rock.Elements = append(rock.Elements, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
			} else {
				rock.Elements = append(rock.Elements, src.AddTriangle(a, b, d), src.AddTriangle(b, c, d))
			}
		}
	}
	groups := map[string][]int32{}
	for i := range n {
		groups["level"] = append(groups["level"], src.AddLine(at(i, n/2), at(i+1, n/2)))
		groups["upright"] = append(groups["upright"], src.AddLine(at(n/2, i), at(n/2, i+1)))
		groups["bottom"] = append(groups["bottom"], src.AddLine(at(i, 0), at(i+1, 0)))
		groups["top"] = append(groups["top"], src.AddLine(at(i, n), at(i+1, n)))
		groups["left"] = append(groups["left"], src.AddLine(at(0, i), at(0, i+1)))
		groups["right"] = append(groups["right"], src.AddLine(at(n, i), at(n, i+1)))
	}
	src.Groups = append(src.Groups, rock)
	for i, name := range []string{"level", "upright", "bottom", "top", "left", "right"} {
		src.Groups = append(src.Groups, mesh.SourceGroup{Name: name, Dim: 1, Number: 2 + i, Elements: groups[name]})
	}
	return src
}

// Two open joints of different apertures that cross: each direction carries from its own
// aperture on.
func TestOpenJointsCross(t *testing.T) {
	text := squeezed([]string{"rock"}, `
[[joint]]
on = "level"
friction = 0.5
aperture = "0.05 mm"
[[joint]]
on = "upright"
friction = 0.5
aperture = "0.15 mm"
`, `
[[fix]]
on = "left"
components = ["x"]
[[fix]]
on = "bottom"
components = ["y"]
[[drive]]
name = "across"
on = "right"
displacement = ["-0.2e-3*t", "free"]
[[drive]]
name = "down"
on = "top"
displacement = ["free", "-0.2e-3*t"]
`)
	s := meshed(t, text, crossed(t))
	full := func(displacement, aperture float64) float64 {
		if displacement <= aperture*(1+1e-9) {
			return 0
		}
		return 20e9 * (displacement - aperture) // of the length of a side; strain times that
	}
	through(t, s, func() {
		displacement := 0.2e-3 * s.Time
		for _, of := range []struct {
			name     string
			aperture float64
		}{{"down", 0.05e-3}, {"across", 0.15e-3}} {
			force, want := -forceOf(s, of.name), full(displacement, of.aperture)
			if math.Abs(force-want) > 0.02*want+2 {
				t.Errorf("%s by %g m carries %g N, want %g", of.name, displacement, force, want)
			}
		}
	})
	if e := s.Energies(); s.Relative(e) > 1e-3 {
		t.Errorf("the ledger is off by %g", s.Relative(e))
	}
}

// An open joint that is sheared carries nothing, and one that is shut by pressure
// carries friction times that.
func TestOpenJointSheared(t *testing.T) {
	deck := `
[analysis]
duration = "26 us"
` + openRock + `
[[body]]
name = "left"
material = "stone"
[[body]]
name = "right"
material = "stone"
velocity = ["%X m/s", "8 m/s"]
[[joint]]
on = "seam"
friction = 0.5
aperture = "0.1 mm"
`
	momentum := func(x string) (before, after, up float64, s *solver.Solver) {
		s = built(t, strings.Replace(deck, "%X", x, 1), halves)
		through(t, s, func() {
			m := s.Motions()[0].Momentum
			if s.Time <= 19.9e-6 {
				before = max(before, math.Abs(m.X)+math.Abs(m.Y))
			}
			after, up = m.X, m.Y
		})
		return before, after, up, s
	}
	const rounding = 1e-20 // [N s]
	if before, after, up, _ := momentum("0"); before > rounding || math.Abs(after)+math.Abs(up) > rounding {
		t.Errorf("sheared open, the other half gets %g and %g Ns", after, up)
	}
	// At 5 m/s the gap is closed after 20 us.
	before, after, up, s := momentum("-5")
	if before > rounding {
		t.Errorf("before the joint is shut the other half gets %g Ns", before)
	}
	if !(after < 0) || math.Abs(up/after) > 0.5+1e-9 || math.Abs(up/after) < 0.45 {
		t.Errorf("shut, it gets %g Ns across and %g along, want half of the former", after, up)
	}
	if r := s.Relative(s.Energies()); r > 1e-3 {
		t.Errorf("the ledger is off by %g", r)
	}
}
