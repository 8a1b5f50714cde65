package cohesive

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// slate is a law that is weaker along its bedding, at 30 degrees.
func slate(t testing.TB, sharpness float64) *Bedding {
	t.Helper()
	across := Parameters{TensileStrength: 10e6, Cohesion: 30e6, Friction: 0.7, EnergyTension: 60, EnergyShear: 200, Mixed: 2, Softening: "linear"}
	along := across
	along.TensileStrength, along.Cohesion, along.Friction, along.EnergyTension, along.EnergyShear = 4e6, 12e6, 0.45, 20, 90
	a, err := New(across)
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(along)
	if err != nil {
		t.Fatal(err)
	}
	bedding, err := NewBedding(a, b, sharpness, math.Pi/6)
	if err != nil {
		t.Fatal(err)
	}
	return bedding
}

// Between the two directions cohesion is Jaeger's A - B cos(2 g) at sharpness 1, and the mean of
// both is at cos(g)^(2 n) = 1/2 for any sharpness n.
func TestBedding(t *testing.T) {
	for _, n := range []float64{1, 2, 5.5} {
		b := slate(t, n)
		for deg := 0; deg <= 180; deg++ {
			g := float64(deg) * math.Pi / 180
			s, c := math.Sincos(g + math.Pi/6 + math.Pi/2) // of the normal of a plane at g to the bedding
			got := b.Strength(b.CosineSquared(c, s))
			if n == 1 {
				near(t, "cohesion", got.Cohesion, 21e6-9e6*math.Cos(2*g), 1)
			}
			if low, high := b.Along, b.Across; got.Tension < low.Tension-1 || got.Tension > high.Tension+1 || got.Friction < low.Friction-1e-12 || got.Friction > high.Friction+1e-12 {
				t.Fatalf("at %d degrees %+v is not between the two", deg, got)
			}
		}
		half := math.Pow(0.5, 1/n)
		near(t, "half the way", b.Law(half).Energy.Tension, 40, 1e-9)
		near(t, "along", b.Law(1).Tension, 4e6, 1e-6)
		near(t, "across", b.Law(0).Tension, 10e6, 1e-6)
		laws := b.Laws()
		for cos2 := 0.0; cos2 <= 1; cos2 += 1.0 / 64 {
			exact, kept := b.Law(cos2), laws[LawIndex(cos2)]
			near(t, "kept law", kept.Cohesion/exact.Cohesion, 1, 0.006*n)
		}
	}
}

// A stress that breaks a plane also breaks one of the bound.
func TestBeddingBound(t *testing.T) {
	b := slate(t, 3)
	bound := b.Bound()
	rapid.Check(t, func(t *rapid.T) {
		cos2 := rapid.Float64Range(0, 1).Draw(t, "lean")
		n, s := rapid.Float64Range(-1e8, 2e7).Draw(t, "normal"), rapid.Float64Range(-1e8, 1e8).Draw(t, "shear")
		if u, v := b.Strength(cos2).Used(n, s), bound.Used(n, s); u > v*(1+1e-12) {
			t.Fatalf("a plane uses %g, the bound %g", u, v)
		}
		if l := b.Law(cos2); l.Energy.Tension > bound.Energy.Tension || l.Energy.Shear > bound.Energy.Shear {
			t.Fatal("the bound has less energy")
		}
	})
}
