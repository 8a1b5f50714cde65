package cracks

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"

	"fdem/fem/fracture"
)

// Pure shear of G A s has that moment; a magnitude is 2/3 of its logarithm less 6.
func TestMoment(t *testing.T) {
	m := Moment{XY: 3e4}
	if got := m.Scalar(); math.Abs(got-3e4) > 1e-9 {
		t.Errorf("moment %g", got)
	}
	if got, want := m.Magnitude(), 2.0/3*math.Log10(3e4)-6; math.Abs(got-want) > 1e-14 {
		t.Errorf("magnitude %g, want %g", got, want)
	}
	if !math.IsNaN((Moment{}).Magnitude()) {
		t.Error("what has not moved has a magnitude")
	}
	sin, cos := math.Sincos(0.7) // an opening of moments 3, 1, 1 turned
	m = Moment{XX: 3*cos*cos + sin*sin, YY: 3*sin*sin + cos*cos, XY: 2 * sin * cos, ZZ: 1}
	if got, want := m.Scalar(), math.Sqrt(11.0/2); math.Abs(got-want) > 1e-14 {
		t.Errorf("moment %g, want %g", got, want)
	}
}

// Breakages belong to one event if their sources overlap while they are active, directly or through
// others.
func TestClusters(t *testing.T) {
	at := func(time, x float64) Breakage {
		return Breakage{Event: fracture.Event{Time: time, Position: r2.Vec{X: x}, Length: 1, Energy: 1, Mode: x}, Moment: Moment{XX: 1}, reach: 1, duration: 2}
	}
	for _, c := range []struct {
		of   []Breakage
		want []int
	}{
		{[]Breakage{at(0, 0), at(1, 1.9), at(2, 3.8)}, []int{0, 0, 0}},
		{[]Breakage{at(0, 0), at(2.1, 0)}, []int{0, 1}},
		{[]Breakage{at(0, 0), at(0, 2.1), at(1, 1)}, []int{0, 0, 0}},
		{[]Breakage{at(0, 0), at(0, 2.1), at(0.5, -50), at(3, 1)}, []int{0, 1, 2, 3}},
		{[]Breakage{at(0, -0.1), at(0, 0.1), at(1.5, 1.9), at(3, 3.8), at(3, 100)}, []int{0, 0, 0, 0, 1}},
	} {
		clusters := number(c.of)
		edges, moment := 0, 0.0
		for _, k := range clusters {
			edges += k.Edges
			moment += k.Moment.XX
		}
		if edges != len(c.of) || moment != float64(len(c.of)) {
			t.Errorf("%d edges of %d, moments of %g", edges, len(c.of), moment)
		}
		for i, want := range c.want {
			if c.of[i].Cluster != want {
				t.Errorf("breakage %d is of event %d, want %d", i, c.of[i].Cluster, want)
			}
		}
	}
	{
		c := number([]Breakage{at(0, 0), at(1, 1)})[0]
		if c.Position.X != 0.5 || c.Duration != 1 || c.Mode != 0.5 || c.Energy != 2 {
			t.Errorf("%+v", c)
		}
	}
}
