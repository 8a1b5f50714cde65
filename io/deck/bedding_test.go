package deck

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/materials/bulk"
	"fdem/mesh"
)

// beds returns a deck whose body is softer along fibres at an angle, and weak along its bedding.
func beds(fibres, young float64, bedding string) string {
	law := fmt.Sprintf("name = \"steel\"\nlaw = \"fibred\"\nyoung_along = %g\npoisson_along = 0.1\nshear_along = 51e9\ndirection = %g\n", young, fibres)
	return inTimeDeck + strings.Replace(steelBlock, "name = \"steel\"\n", law, 1) + "[[body]]\nname = \"striker\"\nmaterial = \"steel\"\n[[fracture]]\nin = [\"striker\"]\n" + brittle + "\nbedding = { tensile_strength = 1e6" + bedding + " }\n"
}

// The fibres of a bedded rock are the normal of its beds, and its bedding has that direction by
// itself: the softest direction in tension is that of the least tensile strength.
func TestBeddingLiesAcrossFibres(t *testing.T) {
	for _, fibres := range []float64{0, 20, 90, 133, -70} {
		d, err := Parse("deck.toml", []byte(beds(fibres, 80e9, "")))
		if err != nil {
			t.Fatal(err)
		}
		built, err := mesh.Build(manyGroups(), d.BodyNames())
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := Model(d, built)
		if err != nil {
			t.Fatal(err)
		}
		softest, weakest, at := math.Inf(1), math.Inf(1), [2]float64{}
		for angle := range 180 {
			s, c := math.Sincos(float64(angle) * math.Pi / 180)
			if e := youngAlong(t, m.Materials[0].Law, c, s); e < softest {
				softest, at[0] = e, float64(angle)
			}
			bedding := m.Fracture.Regions[0].Bedding
			if f := bedding.Strength(bedding.CosineSquared(c, s)).Tension; f < weakest {
				weakest, at[1] = f, float64(angle)
			}
		}
		want := math.Mod(fibres+180, 180)
		if at != [2]float64{want, want} || math.Abs(softest/80e9-1) > 1e-6 || math.Abs(weakest/1e6-1) > 1e-9 {
			t.Errorf("fibres at %g degrees: softest at %g with %.6g Pa, weakest at %g with %.6g Pa", fibres, at[0], softest, at[1], weakest)
		}
	}
}

// youngAlong returns Young's modulus of a small pull along a direction of length 1, in plane
// stress [Pa].
func youngAlong(t *testing.T, law bulk.Law, x, y float64) float64 {
	t.Helper()
	one, zero := []float64{1}, []float64{0}
	var of bulk.Tangent
	law.Tangent(&bulk.Input{Plane: bulk.PlaneStress, FXX: one, FXY: zero, FYX: zero, FYY: one}, 0, &of)
	c, load := of.C, [3]float64{x * x, y * y, x * y}
	det := func(a, b, c [3]float64) float64 {
		return a[0]*(b[1]*c[2]-b[2]*c[1]) - a[1]*(b[0]*c[2]-b[2]*c[0]) + a[2]*(b[0]*c[1]-b[1]*c[0])
	}
	strain, column := 0.0, [3][3]float64{{c[0][0], c[1][0], c[2][0]}, {c[0][1], c[1][1], c[2][1]}, {c[0][2], c[1][2], c[2][2]}}
	whole := det(column[0], column[1], column[2])
	for i := range 3 { // Cramer's rule
		with := column
		with[i] = load
		strain += load[i] * det(with[0], with[1], with[2]) / whole
	}
	return 1 / strain
}

// Doubtful or wrong values of direction and of opening speed are reported.
func TestBeddingIsChecked(t *testing.T) {
	joint := "[[joint]]\non = \"seam\"\nfriction = 0.5\n" + brittle + "\n"
	const start = inTimeDeck + steelBlock + twoBodies
	const striker = "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\n"
	for name, c := range map[string]struct{ deck, want string }{
		"no direction":        {start + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\nbedding = { cohesion = 1e6 }", `needs a direction, for example direction = "30 deg"`},
		"a bedded joint":      {start + joint + "bedding = { direction = 20 }", "a joint has one direction and one strength"},
		"springs with rate":   {start + joint + "normal_stiffness = 1e12\nopening_rate = { speed = 2 }", "the springs of a joint have its strength at rest"},
		"a rate of none":      {start + joint + "opening_rate = { exponent = 0.5 }", "exponent goes with speed"},
		"a rate of two kinds": {start + joint + "opening_rate = { speed = 1, table = [[0, 1]] }", "a table has its own speeds"},
		"a rate without hold": {start + "[[joint]]\non = \"seam\"\nfriction = 0.5\nopening_rate = { speed = 2 }", "opening_rate goes with tensile_strength"},
	} {
		if _, err := made(c.deck); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	for name, c := range map[string]struct{ deck, want string }{
		"beds of rock":     {beds(30, 80e9, ""), ""},
		"beds as they lie": {beds(30, 80e9, ", direction = 120"), ""},
		"along fibres":     {beds(30, 300e9, ", direction = 30"), ""},
		"askew":            {beds(30, 80e9, ", direction = 75"), "the bedding lies at 75 degrees and the fibres of \"steel\" at 30 degrees"},
		"of nothing":       {start + striker + "bedding = { direction = 20 }", "planes along the bedding are as strong as planes across it"},
		"strong beds":      {start + striker + "bedding = { direction = 20, cohesion = 3e7 }", "the bedding has a cohesion of 30 MPa, more than that of planes across it, 10 MPa"},
		"fine scatter":     {start + striker + "scatter = { weibull = 8, length = 0.1 }", "edges are independent"},
		"coarse scatter":   {start + striker + "scatter = { weibull = 8, length = 9 }", "the seed makes it weaker or stronger as a whole"},
		"wood":             {beds(30, 300e9, ""), "split along their fibres: for these write direction = 30 in the bedding"},
	} {
		d, err := Parse("deck.toml", []byte(c.deck))
		if err != nil {
			t.Fatal(err)
		}
		built, err := mesh.Build(manyGroups(), d.BodyNames())
		if err != nil {
			t.Fatal(err)
		}
		_, warnings, err := Model(d, built)
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(warnings, "\n"); c.want == "" && strings.Contains(said, "bedding") || !strings.Contains(said, c.want) {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
}
