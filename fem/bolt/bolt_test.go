package bolt

import (
	"math"
	"math/rand/v2"
	"testing"
)

// bar25 is a steel bar of 25 mm in 3 m of grout of 1 GN/m2, in a number of segments.
func bar25(law Law, length float64, segments int) *Chain {
	bonded, state := make([]float64, segments+1), NewState(segments+1, segments, 1)
	h := length / float64(segments)
	for i := range bonded {
		bonded[i] = h
	}
	bonded[0], bonded[segments] = h/2, h/2
	c := New(law, bonded, state)
	distance := make([]float64, segments)
	for i := range distance {
		distance[i] = h
	}
	if _, _, err := c.Install(distance); err != nil {
		panic(err)
	}
	return c
}

func steel25() Law {
	return Law{Bar: Bar{Stiffness: 2e11 * math.Pi / 4 * 0.025 * 0.025, Yield: math.Inf(1), Rupture: math.Inf(1)}, Bond: Bond{Stiffness: 1e9, Strength: math.Inf(1)}}
}

// A joint opens in the middle of a bolt: each half is pulled out by its head. Farmer's exponential
// for a length L/2, with the yielded length of the bond.
func TestAcrossAnOpeningJoint(t *testing.T) {
	law := steel25()
	law.Strength = 400e3
	c := bar25(law, 3, 401) // the middle segment bridges the joint
	for _, w := range [][2]float64{{0.0008, 125314}, {0.00277119, 305024}, {0.00630048, 480004}, {0.00976017, 595801}} {
		c.Stretch[200] = w[0]
		if err := c.Solve(); err != nil {
			t.Fatal(err)
		}
		c.Commit()
		got := c.Force[200]
		t.Logf("opening %.5g m: %.6g N, want %.6g (%.2f %%)", w[0], got, w[1], 100*(got/w[1]-1))
		if math.Abs(got/w[1]-1) > 1e-3 {
			t.Errorf("force %g at an opening of %g, want %g", got, w[0], w[1])
		}
	}
	c.Stretch[200] = 0.05
	if err := c.Solve(); err != nil {
		t.Fatal(err)
	}
	if got := c.Force[200]; math.Abs(got/(400e3*1.5)-1) > 1e-9 {
		t.Errorf("pulled out at %g N", got)
	}
}

// The elastic bar has the exact force along it: P sinh(a (L - x))/sinh(a L).
func TestFarmer(t *testing.T) {
	law := steel25()
	law.Plate = Plate{Stiffness: 1, Tension: 100e3}
	for _, per := range []float64{0.5, 0.25, 0.1} { // spacing over 1/alpha
		n := int(math.Round(3 * law.Alpha() / per))
		c := bar25(law, 3, n)
		a, h := law.Alpha(), 3/float64(n)
		worst := 0.0
		for i, got := range c.Force {
			x := (float64(i) + 0.5) * h
			want := 100e3 * math.Sinh(a*(3-x)) / math.Sinh(a*3)
			worst = max(worst, math.Abs(got-want)/100e3)
		}
		u := -c.Now[0] * 1e3 // the plate pulls the head towards itself
		t.Logf("spacing %.2f/alpha: greatest error of the force %.3g of P, head %.6g mm, want 0.319154", per, worst, u)
		if worst > 0.13*per*per || math.Abs(u/0.319154-1) > 0.13*per*per {
			t.Errorf("spacing %g: error %g of the force, head %g mm", per, worst, u)
		}
	}
}

// Whatever the rock does, what bar and bond have taken is stored or dissipated, to rounding, and
// dissipation never falls; also where the bar breaks and the bond softens.
func TestBalanceOfEnergy(t *testing.T) {
	law := steel25()
	law.Bond = Bond{Stiffness: 1e9, Strength: 400e3, Residual: 300e3, Softening: 5e-3}
	law.Bar.Yield, law.Hardening, law.Rupture = 180e3, 2e6, 0.05
	law.Plate = Plate{Stiffness: 1e7, Tension: 40e3} // stiffer, the trapezoid would lose more where the plate gets slack within a step
	c := bar25(law, 2, 40)
	random := rand.New(rand.NewPCG(1, 2))
	stored, done, lost, before := c.Stored(), 0.0, 0.0, make([]float64, 40)
	copy(before, c.Force)
	broken := 0
	for step := range 4000 {
		for i := range c.Stretch {
			d := 2e-5 * (random.Float64() - 0.5)
			if i == 17 {
				d += 3e-5
			}
			c.Stretch[i] += d
			done += 0.5 * before[i] * d
			before[i] = d
		}
		if err := c.Solve(); err != nil {
			t.Fatal(err)
		}
		for i, d := range before {
			done += 0.5 * c.Force[i] * d
		}
		copy(before, c.Force)
		by := c.Commit()
		if lost += by; by < -1e-9*lost {
			t.Fatalf("step %d: dissipation falls by %g J of %g", step, by, lost)
		}
		broken = 0
		for _, b := range c.Broken {
			broken += int(b)
		}
	}
	left := done + stored - c.Stored() - lost
	t.Logf("work %.6g J, stored %.6g, dissipated %.6g, left %.2g; %d broken", done, c.Stored(), lost, left, broken)
	if math.Abs(left) > 1e-6*lost {
		t.Errorf("%g J of %g are neither stored nor dissipated", left, lost)
	}
	if broken == 0 {
		t.Error("the bar has not broken: the test is idle")
	}
}

// A plate that is pulled holds its tension until the rock moves, and never pushes.
func TestPlate(t *testing.T) {
	law := steel25()
	law.Plate = Plate{Stiffness: 1e9, Tension: 50e3}
	bonded := []float64{0, 0.5, 1, 0.5} // 2 m without bond
	c := New(law, bonded, NewState(4, 3, 1))
	if _, _, err := c.Install([]float64{2, 1, 1}); err != nil {
		t.Fatal(err)
	}
	if got := c.Force[0]; math.Abs(got-50e3) > 1 {
		t.Errorf("tension %g N, want 50e3", got)
	}
	c.Stretch[0] = 1e-3
	if err := c.Solve(); err != nil {
		t.Fatal(err)
	}
	if !(c.Force[0] > 80e3) {
		t.Errorf("1 mm of rock raise it to %g N only", c.Force[0])
	}
	c.Stretch[0] = -5e-2
	if err := c.Solve(); err != nil {
		t.Fatal(err)
	}
	if c.Head != 0 || math.Abs(c.Force[0]) > 1e-3 {
		t.Errorf("a slack head has %g N, the plate %g", c.Force[0], c.Head)
	}
}

// The tangent is the change of the forces with the stretches, where the bond slips and the bar yields, too.
func TestTangent(t *testing.T) {
	law := steel25()
	law.Bond = Bond{Stiffness: 1e9, Strength: 400e3}
	law.Bar.Yield, law.Hardening = 180e3, 2e9
	law.Plate = Plate{Stiffness: 1e8, Tension: 40e3}
	const n = 12
	c := bar25(law, 2, n)
	random := rand.New(rand.NewPCG(5, 6))
	for i := range c.Stretch {
		c.Stretch[i] = 1e-4 * random.Float64()
	}
	c.Stretch[4] += 4e-3
	solve := func() {
		if err := c.Solve(); err != nil {
			t.Fatal(err)
		}
	}
	solve()
	k, most, worst := make([]float64, n*n), 0.0, 0.0
	c.Tangent(k)
	for j := range n {
		const h = 1e-9
		var force [2][]float64
		for side, by := range [2]float64{h, -2 * h} {
			c.Stretch[j] += by
			solve()
			force[side] = append(force[side], c.Force...)
		}
		c.Stretch[j] += h
		for i := range n {
			most = max(most, math.Abs(k[i*n+j]))
			worst = max(worst, math.Abs(k[i*n+j]-(force[0][i]-force[1][i])/(2*h)), math.Abs(k[i*n+j]-k[j*n+i]))
		}
	}
	yielded, slipped := math.Abs(c.Force[4]) > 180e3, c.Grip[4] == -400e3 || c.Grip[5] == 400e3 || c.Grip[4] == 400e3
	t.Logf("greatest error %.2g of %.4g N/m; yields %t, slips %t", worst, most, yielded, slipped)
	if worst > 1e-4*most || !yielded || !slipped {
		t.Errorf("the tangent is off by %g of %g N/m", worst, most)
	}
}
