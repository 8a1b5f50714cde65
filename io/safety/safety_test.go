package safety

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"fdem/io/deck"
)

const text = `[[material]]
name = "soil"
law = "mohr-coulomb"
cohesion = "10 kPa"
friction_angle = "30 deg"
dilation_angle = 25
tensile_strength = 5e3

[[material]]
name = "clay"
law = "j2"
yield_stress = "20 kPa"

[[material]]
name = "steel"

[[joint]]
on = "bedding"
friction = 0.6
cohesion = "1 kPa"
dilation = 20

[[contact]]
contactor = "wall"
opposite = "soil"
friction = 0.5
`

// A factor divides cohesion, strength and the tangent of friction; dilation stays as it is until
// friction has fallen to it.
func TestReduction(t *testing.T) {
	r, err := New("deck", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.String(); got != `material "soil", material "clay", joint "bedding", contact "wall"` {
		t.Error(got)
	}
	want := map[string]float64{
		"material.1.cohesion": 5e3, "material.1.tensile_strength": 2.5e3, "material.1.friction_angle": math.Atan(math.Tan(math.Pi/6)/2) * 180 / math.Pi,
		"material.1.dilation_angle": math.Atan(math.Tan(math.Pi/6)/2) * 180 / math.Pi, "material.2.yield_stress": 10e3,
		"joint.1.friction": 0.3, "joint.1.cohesion": 500, "joint.1.dilation": math.Atan(0.3) * 180 / math.Pi, "contact.1.friction": 0.25,
	}
	set := r.At(2)
	for _, s := range set {
		key, value, _ := strings.Cut(s, "=")
		if v, err := strconv.ParseFloat(value, 64); err != nil || math.Abs(v-want[key]) > 1e-12*want[key] {
			t.Errorf("%s, want %g", s, want[key])
		}
	}
	if len(set) != len(want) {
		t.Errorf("%d strengths, want %d: %s", len(set), len(want), set)
	}
	if _, err := deck.Assign("deck", []byte(text), set); err != nil {
		t.Error(err)
	}
	for _, s := range r.At(1) {
		if strings.HasPrefix(s, "material.1.dilation_angle=") && s != "material.1.dilation_angle=25" {
			t.Error(s)
		}
	}
	associated := strings.Replace(text, "dilation_angle = 25", "dilation_angle = 30", 1)
	if r, err = New("deck", []byte(associated), nil); err != nil {
		t.Fatal(err)
	}
	for _, factor := range []float64{0.5, 2} {
		of := map[string]string{}
		for _, s := range r.At(factor) {
			key, value, _ := strings.Cut(s, "=")
			of[key] = value
		}
		if of["material.1.friction_angle"] != of["material.1.dilation_angle"] {
			t.Errorf("at %g the flow is no longer along the normal: %v", factor, of)
		}
	}
	if r, err = New("deck", []byte(text), []string{"contact", "soil"}); err != nil || r.String() != `material "clay", joint "bedding"` {
		t.Error(r, err)
	}
}

func TestNothingToReduce(t *testing.T) {
	for _, c := range []struct{ text, keep, says string }{
		{"[[material]]\nname = \"steel\"\n", "", "nothing in it can fail"},
		{text, "sole", `no material, joint, fracture or contact "sole": did you mean "soil"`},
		{"[[material]]\nname = \"rock\"\nlaw = \"hoek-brown\"\n", "", `law = "hoek-brown" has no strength`},
		{"[[joint]]\non = \"j\"\nlaw = \"barton-bandis\"\n", "", `law = "barton-bandis" has no strength`},
		{"[[contact]]\ncontactor = \"a\"\nfriction = { static = 0.5 }\n", "", "no number that a factor could divide"},
		{"[[material]]\nname = \"m\"\nlaw = \"j2\"\nhardening_curve = [[0, 1], [1, 2]]\n", "", "hardening_curve cannot be divided"},
	} {
		var keep []string
		if c.keep != "" {
			keep = []string{c.keep}
		}
		if _, err := New("deck", []byte(c.text), keep); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
}

// Search finds where a model begins to fail, above and below 1, and says where it cannot.
func TestSearch(t *testing.T) {
	l := Limits{Least: 0.1, Greatest: 10, Tolerance: 0.01}
	for _, at := range []float64{0.137, 0.5, 0.999, 1, 1.383, 7.2} {
		tries := 0
		b, err := Search(l, func(f float64) (bool, error) { tries++; return f < at, nil })
		if err != nil || !(b.Stands < at && at <= b.Fails && b.Fails-b.Stands <= 0.01*b.Fails) || tries > 20 {
			t.Errorf("%g: %+v in %d tries, %v", at, b, tries, err)
		}
	}
	if _, err := Search(l, func(float64) (bool, error) { return true, nil }); err == nil || !strings.Contains(err.Error(), "does not fail up to the factor 10") {
		t.Error(err)
	}
	if _, err := Search(l, func(float64) (bool, error) { return false, nil }); err == nil || !strings.Contains(err.Error(), "fails with the factor 0.1 already") {
		t.Error(err)
	}
	full := errors.New("full")
	if _, err := Search(l, func(float64) (bool, error) { return false, full }); err != full {
		t.Error(err)
	}
	for _, bad := range []Limits{{0, 1, 0.01}, {1, 1, 0.01}, {1, 2, 0}, {1, 2, math.NaN()}, {math.Inf(1), 2, 0.1}} {
		if bad.Check() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}
