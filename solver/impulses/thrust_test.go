package impulses_test

import (
	"math"
	"testing"
)

// The line of thrust of an arch stays in its stones, from joint to joint, with one horizontal force; that of a
// pillar goes down its middle with the weight above.
func TestThrust(t *testing.T) {
	const n, thickness = 15, 0.15
	r := start(t, begin(0.2, under(0), "impulses = { tolerance = 1e-5 }").arch(n, thickness).contact(0.75, 0))
	r.to(0.1, nil)
	lines := r.Kinds.Impulses.Thrust()
	if len(lines) != n {
		t.Fatalf("%d lines through %d stones", len(lines), n)
	}
	weight, across := 0.0, math.Inf(1)
	for _, m := range r.Motions() {
		weight += m.Mass * g
	}
	for _, l := range lines {
		across = min(across, l.Force)
		for _, x := range l.Ends {
			if d := math.Hypot(x.X, x.Y); d < (1-thickness/2)*math.Cos(math.Pi/2/n)-1e-6 || d > 1+thickness/2+1e-6 {
				t.Errorf("the line leaves the arch at (%g, %g)", x.X, x.Y)
			}
		}
	}
	half := weight / (2 * n) // which the crown stone gives to either side
	across = math.Sqrt(across*across - half*half)
	for i, l := range lines { // the stone at the springing carries half of the weight, the next one less
		up := weight * math.Abs(float64(n)/2-min(float64(i), float64(n-1-i))) / n
		within(t, "force", l.Force, math.Hypot(across, up), 1e-3)
	}
	sum := 0.0
	for _, p := range r.Kinds.Impulses.Points() {
		if p.Bodies[0] < 2 { // a support
			sum += p.Force.Y
		}
	}
	within(t, "force of the supports", sum, weight, 1e-4)

	s := begin(0.1, under(0), "").floor(-10, 10)
	for i := range 3 {
		s.box(0, 0.5+float64(i), 1, 1, 0, 1000)
	}
	r = start(t, s.contact(0.5, 0))
	r.to(0.1, nil)
	for i, l := range r.Kinds.Impulses.Thrust() {
		within(t, "force", l.Force, 1000*g*float64(3-i), 1e-3)
		if math.Abs(l.Ends[0].X)+math.Abs(l.Ends[1].X) > 1e-3 {
			t.Errorf("the line leaves the middle: %v", l.Ends)
		}
	}
}
