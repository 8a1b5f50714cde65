package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// The speed of the wave along a row of falling dominoes is sqrt(g h) times a number that depends
// only on their shape, spacing and friction (W. G. McLachlan and others, Phys. Fluids 26, 1983):
// four times as large ones take twice as long, and energy is kept. A row is chaotic: of starts that
// differ by 1e-9 the last domino is reached up to 1.7 % sooner or later, so means are compared.
func TestDominoesScale(t *testing.T) {
	t.Parallel()
	const n, starts = 8, 3
	var arrived [2]float64 // at the last one, over the square root of the scale [s]
	for k, scale := range []float64{1, 4} {
		for start := range starts {
			spin := -20 * (1 + 1e-9*float64(start))
			arrived[k] += row(t, n, scale, spin)[n-1] / starts
		}
	}
	if math.Abs(arrived[1]/arrived[0]-1) > 0.01 {
		t.Errorf("the last one is reached at %g s; four times as large at %g s over 2", arrived[0], arrived[1])
	}
}

// row returns when each of n dominoes 48 mm high and so many times as large is reached, over
// the square root of the scale [s], where the first is pushed at such a spin, over the same.
func row(t *testing.T, n int, scale, spin float64) []float64 {
	root := math.Sqrt(scale)
	var deck strings.Builder
	fmt.Fprintf(&deck, `
[analysis]
duration = "%g s"
thickness = "24 mm"
gravity = [0, "-9.81 m/s2"]
[output]
fields_every = 0
checkpoint_every = 0
history_every = "%g ms"
[[rigid]]
name = "table"
shape = "line"
from = ["%g m", 0]
to = ["%g m", 0]
[[contact]]
contactor = "all"
opposite = "all"
friction = 0.3
penetration = "0.2 %%"
`, 0.33*root, 0.1*root, -0.2*scale, 0.6*scale)
	for i := range n {
		fmt.Fprintf(&deck, "[[rigid]]\nname = \"d%d\"\nshape = \"box\"\nwidth = \"%g mm\"\nheight = \"%g mm\"\ncentre = [\"%g mm\", \"%g mm\"]\ndensity = \"700 kg/m3\"\n",
			i+1, 7.5*scale, 48*scale, 24*float64(i)*scale, 24*scale)
		if i == 0 {
			fmt.Fprintf(&deck, "angular_velocity = \"%.15g 1/s\"\n", spin/root)
		}
	}
	h := ran(t, deck.String())
	times, kinetic, residual := column(t, h, "time"), column(t, h, "kinetic"), column(t, h, "residual")
	most := 0.0
	for i, v := range residual {
		if most = max(most, kinetic[i]); math.Abs(v) > 1e-3*most {
			t.Fatalf("scale %g: residual %g J of %g J at %g s", scale, v, most, times[i])
		}
	}
	arrived := make([]float64, n)
	for d := range arrived {
		turning := column(t, h, fmt.Sprintf("d%d.omega", d+1))
		i := slices.IndexFunc(turning, func(v float64) bool { return math.Abs(v) > 1/root })
		if i < 0 {
			t.Fatalf("scale %g: domino %d is not reached", scale, d+1)
		}
		arrived[d] = times[i] / root
	}
	return arrived
}

// Dominoes that lean on each other once they have met, on feet that do not slip and without
// friction between them, fall as a system of one degree of freedom, the angle of the first one,
// which all behind it follow (J. M. J. van Leeuwen, The domino effect, Am. J. Phys. 78, 2010;
// derived anew). The train keeps its energy from one impact to the next, and in an impact the
// momentum along this degree of freedom, on which the impulses between its dominoes do no work.
// Friction makes it slower.
func TestDominoesLeanOnEachOther(t *testing.T) {
	t.Parallel()
	withAll(t)
	const n, height, thickness, gap, push = 7, 48e-3, 7.5e-3, 16.5e-3, 8.0 // [m], [1/s]
	train := train{height, thickness, gap}
	want := train.arrivals(n-1, push)
	arrivals := func(friction float64) (at []float64) {
		var deck strings.Builder
		fmt.Fprintf(&deck, `
[analysis]
duration = "226 ms"
thickness = "24 mm"
gravity = [0, "-9.81 m/s2"]
[output]
fields_every = 0
checkpoint_every = 0
history_every = "0.1 ms"
[[rigid]]
name = "table"
shape = "line"
from = [-0.2, 0]
to = [0.8, 0]
[[law]]
name = "dull"
model = "linear"
k = 5e8
c = 2e5
[[law]]
name = "hard"
model = "linear"
k = 5e8
c = 1e4
[[contact]]
contactor = "all"
opposite = "all"
law = "dull"
friction = %g
[[contact]]
contactor = "all"
opposite = "table"
law = "hard"
friction = 3
`, friction)
		for i := range n {
			fmt.Fprintf(&deck, "[[rigid]]\nname = \"d%d\"\nshape = \"box\"\nwidth = %g\nheight = %g\ncentre = [%.15g, %g]\ndensity = 700\n", i+1, thickness, height, (gap+thickness)*float64(i), 0.5*height)
			if i == 0 { // about its foot
				fmt.Fprintf(&deck, "angular_velocity = %g\nvelocity = [%g, %g]\n", -push, 0.5*push*height, 0.5*push*thickness)
			}
		}
		h := ran(t, deck.String())
		times := column(t, h, "time")
		for d := 2; d <= n; d++ {
			i := slices.IndexFunc(column(t, h, fmt.Sprintf("d%d.omega", d)), func(v float64) bool { return v < -1 })
			if i < 0 {
				break
			}
			at = append(at, times[i])
		}
		return at
	}
	smooth, rough := arrivals(0), arrivals(0.3)
	if len(smooth) < 5 {
		t.Fatalf("%d dominoes are reached, theory says %g s", len(smooth), want)
	}
	for i, at := range smooth {
		if math.Abs(at/want[i]-1) > 0.015 {
			t.Errorf("domino %d is reached at %g s, theory says %g s", i+2, at, want[i])
		}
		if 0 < i && i < len(rough) && rough[i] < 1.01*at {
			t.Errorf("domino %d is reached at %g s with friction, at %g s without", i+2, rough[i], at)
		}
	}
}

// train is dominoes that lean on each other [m].
type train struct{ height, thickness, gap float64 }

// angles returns those of so many dominoes, the last of which has fallen by head [rad], and by how
// much each turns as that turns by one.
func (d train) angles(n int, head float64) (angle, turns []float64) {
	angle, turns = make([]float64, n), make([]float64, n)
	pitch := d.gap + d.thickness
	angle[n-1], turns[n-1] = head, 1
	for i := n - 2; i >= 0; i-- { // its tip lies on the face of the next
		lean := math.Asin((pitch*math.Cos(angle[i+1]) - d.thickness) / d.height)
		angle[i] = angle[i+1] + lean
		turns[i] = turns[i+1] * (1 - pitch*math.Sin(angle[i+1])/(d.height*math.Cos(lean)))
	}
	return angle, turns
}

// potential is the potential energy over the mass [m2/s2], inertia that over the mass for the turn
// of the head [m2].
func (d train) potential(angle []float64) (sum float64) {
	for _, a := range angle {
		sum += 0.5 * 9.81 * (d.height*math.Cos(a) + d.thickness*math.Sin(a))
	}
	return sum
}

func (d train) inertia(turns []float64) (sum float64) {
	for _, v := range turns {
		sum += v * v * (d.height*d.height + d.thickness*d.thickness) / 3
	}
	return sum
}

// arrivals returns when so many dominoes after the first are reached [s], where that begins to
// turn about its foot at a spin [1/s].
func (d train) arrivals(n int, spin float64) (at []float64) {
	const parts = 400
	meets, now := math.Asin(d.gap/d.height), 0.0
	for k := 1; k <= n; k++ {
		angle, turns := d.angles(k, 0)
		energy := 0.5*d.inertia(turns)*spin*spin + d.potential(angle)
		speed := func(head float64) float64 {
			angle, turns := d.angles(k, head)
			return math.Sqrt(2 * (energy - d.potential(angle)) / d.inertia(turns))
		}
		for j := range parts {
			now += meets / parts / speed((float64(j)+0.5)/parts*meets)
		}
		at = append(at, now)
		_, before := d.angles(k, meets)
		_, after := d.angles(k+1, 0)
		common, whole := 0.0, after[k]*after[k]
		for i, v := range before {
			common += v * after[i]
			whole += after[i] * after[i]
		}
		spin = speed(meets) * common / whole
	}
	return at
}
