package cohesive

import (
	"math"
	"testing"
)

// stone is the material of benchmarks A1 and A3.
func stone(t testing.TB, curve string) *Law {
	t.Helper()
	l, err := New(Parameters{
		TensileStrength: 5e6, Cohesion: 15e6, Friction: 0.6,
		EnergyTension: 20, EnergyShear: 80, Mixed: 2, Softening: curve,
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// driven is one point with its memory.
type driven struct {
	law                                                                    *Law
	point                                                                  []Point
	mem                                                                    []float64
	opening, slip, normal, shear, stored, dissipated, frictionWork, damage [1]float64
	tangent                                                                [4]float64
	friction                                                               float64 // dissipated so far
}

func drive(l *Law, s Start) *driven {
	d := &driven{law: l, mem: make([]float64, Memories)}
	d.point = []Point{l.Open(s, d.mem)}
	d.to(0, 0)
	return d
}

func (d *driven) to(opening, slip float64) {
	d.opening[0], d.slip[0] = opening, slip
	d.law.Eval(
		Input{d.point, d.opening[:], d.slip[:], d.mem},
		Output{d.normal[:], d.shear[:], d.stored[:], d.dissipated[:], d.frictionWork[:], d.damage[:], d.mem, d.tangent[:]})
	d.friction += d.frictionWork[0]
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}

// Benchmark A1: mode I with two unloadings.
func TestTension(t *testing.T) {
	l := stone(t, "linear")
	d := drive(l, Start{Normal: 5e6, Stiffness: 3e14, Energy: l.Energy.Energy(0)})
	const end = 8e-6
	near(t, "breaks at", l.Broken(&d.point[0]), end, 1e-12*end)
	work, traction, at, used := 0.0, 5e6, 0.0, 0.0
	for _, turn := range []float64{0.3, 0, 0.7, 0.2, 1.2} {
		// Straight but for the kinks where it reloads and where it breaks.
		for _, x := range []float64{0.3, 0.7, 1, turn} {
			if x*end <= at && turn*end > at || x != turn && (turn*end < at || x > turn) {
				continue
			}
			d.to(x*end, 0)
			work += 0.5 * (traction + d.normal[0]) * (x*end - at)
			traction, at = d.normal[0], x*end
			near(t, "ledger", d.stored[0]+d.dissipated[0], work, 1e-12*20)
			if d.dissipated[0] < used {
				t.Errorf("dissipation falls from %g to %g at %g", used, d.dissipated[0], x)
			}
			used = d.dissipated[0]
			if turn == x && (x == 0.3 || x == 0.7) {
				near(t, "traction", traction, 5e6*(1-x), 1e-12*5e6)
			}
		}
	}
	near(t, "dissipated", d.dissipated[0], 20, 1e-12*20)
	near(t, "stored", d.stored[0], 0, 0)
	near(t, "traction", d.normal[0], 0, 0)
}

// Benchmark A2: shear under pressure.
func TestShearUnderPressure(t *testing.T) {
	mu := math.Tan(35 * math.Pi / 180)
	l, err := New(Parameters{TensileStrength: 1e6, Cohesion: 10e6, Friction: mu, EnergyTension: 1, EnergyShear: 100, Mixed: 2, Softening: "linear"})
	if err != nil {
		t.Fatal(err)
	}
	peak, plateau := 10e6+8e6*mu, 8e6*mu
	for _, sign := range []float64{1, -1} {
		d := drive(l, Start{Normal: -8e6, Shear: sign * peak, Stiffness: 3e14, Energy: l.Energy.Energy(Mixity(-8e6, peak))})
		near(t, "insertion", d.stored[0], d.point[0].Insertion(), 1e-12*d.stored[0])
		near(t, "peak", d.shear[0], sign*peak, 1e-12*peak)
		near(t, "pressure", d.normal[0], -8e6, 1e-12*8e6)
		work, before := 0.0, d.shear[0]
		for i := range 80 {
			slip := sign * float64(i+1) * 0.5e-6
			d.to(0, slip)
			want := sign * (10e6*max(0, 1-math.Abs(slip)/20e-6) + plateau)
			near(t, "shear", d.shear[0], want, 1e-12*peak)
			near(t, "pressure", d.normal[0], -8e6, 1e-12*8e6)
			work += 0.5 * (before + d.shear[0]) * sign * 0.5e-6
			before = d.shear[0]
		}
		near(t, "work", work, 100+plateau*40e-6, 1e-12*work)
		near(t, "work as printed", work, 324.0664, 5e-5)
		near(t, "friction", d.friction, plateau*40e-6, 1e-12*work)
		near(t, "fracture", d.dissipated[0], 100, 1e-12*100)
	}
}

// Faces that have lost all cohesion carry pressure and friction and nothing else
// (benchmark D3 with a cohesion of 0).
func TestBroken(t *testing.T) {
	l := stone(t, "linear")
	const k = 1e13
	d := &driven{law: l, mem: append([]float64{math.Inf(1)}, make([]float64, Memories-1)...), point: []Point{{Stiffness: k}}}
	for _, v := range []struct{ opening, slip, normal, shear float64 }{
		{0, 0, 0, 0},
		{1e-6, 2e-6, 0, 0},                // apart
		{-3e-6, 2e-6, -15e6, 0},           // pressed without slip; the soft part is 3 um
		{-3e-6, 2.5e-6, -15e6, 5e6},       // sticks
		{-3e-6, 5e-6, -15e6, 9e6},         // slides
		{-3e-6, 4.1e-6, -15e6, 0},         // back, to where the spring is free
		{-1.5e-6, 1e-6, -3.75e6, -2.25e6}, // slides back under less pressure
		{1e-9, 1e-6, 0, 0},
	} {
		d.to(v.opening, v.slip)
		near(t, "normal", d.normal[0], v.normal, 1e-6)
		near(t, "shear", d.shear[0], v.shear, 1e-6)
		near(t, "dissipated", d.dissipated[0], 0, 0)
		if d.frictionWork[0] < 0 {
			t.Errorf("friction gives back %g", d.frictionWork[0])
		}
	}
	near(t, "stored", d.stored[0], 0, 0)
}
