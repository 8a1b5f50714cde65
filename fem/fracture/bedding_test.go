package fracture

import (
	"math"
	"testing"

	"fdem/materials/bulk"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// foliated is rock with a bedding at an angle to x [rad].
func foliated(t testing.TB, sharpness, direction float64) stuff {
	t.Helper()
	s := stuff{young: 40e9, poisson: 0.2, density: 2500, stiffness: 2, thickness: 1, plane: bulk.PlaneStress}
	s.law = cohesive.Parameters{TensileStrength: 10e6, Cohesion: 30e6, Friction: 0.7, EnergyTension: 60, EnergyShear: 200, Mixed: 2, Softening: "linear"}
	along := s.law
	along.TensileStrength, along.Cohesion, along.Friction = 4e6, 10e6, 0.4
	s.bedding = bedding(t, s.law, along, sharpness, direction)
	return s
}

// bedding makes one of two laws.
func bedding(t testing.TB, across, along cohesive.Parameters, sharpness, direction float64) *cohesive.Bedding {
	t.Helper()
	a, err := cohesive.New(across)
	if err != nil {
		t.Fatal(err)
	}
	b, err := cohesive.New(along)
	if err != nil {
		t.Fatal(err)
	}
	made, err := cohesive.NewBedding(a, b, sharpness, direction)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// weakened makes a bedding of a share of a law's strength.
func weakened(t testing.TB, law cohesive.Parameters, share, sharpness, direction float64) *cohesive.Bedding {
	along := law
	along.TensileStrength, along.Cohesion, along.Friction = share*law.TensileStrength, share*law.Cohesion, share*law.Friction
	return bedding(t, law, along, sharpness, direction)
}

// first returns the stress along y at which the first vertex of a patch opens, found by
// bisection [Pa]; sign is that of the stress.
func first(t *testing.T, n net, s stuff, sign float64) float64 {
	t.Helper()
	least, most := 0.0, 400e6
	for range 14 {
		stress := 0.5 * (least + most)
		yy := sign * stress / s.young
		b := newBody(t, n, s, func(p, q r2.Vec) bool {
			in := func(p r2.Vec) bool { return p.X > 3e-3 && p.X < 21e-3 && p.Y > 3e-3 && p.Y < 21e-3 }
			return in(p) && in(q)
		})
		for i, p := range b.x {
			b.x[i] = r2.Vec{X: p.X * (1 - s.poisson*yy), Y: p.Y * (1 + yy)}
		}
		b.forces(t)
		if b.Open(b.x, b.v, b.mass, 0) > 0 {
			most = stress
		} else {
			least = stress
		}
	}
	return most
}

// anisotropic returns the least stress along y at which any plane breaks, over all planes [Pa].
func anisotropic(b *cohesive.Bedding, sign float64) float64 {
	least := math.Inf(1)
	for deg := 0.0; deg < 180; deg += 0.1 {
		s, c := math.Sincos(deg * math.Pi / 180) // normal
		of := b.Strength(b.CosineSquared(c, s))
		low, high := 0.0, 1e9
		for range 40 {
			m := 0.5 * (low + high)
			if of.Used(sign*m*s*s, sign*m*s*c) >= 1 {
				high = m
			} else {
				low = m
			}
		}
		least = min(least, high)
	}
	return least
}

// The strength over the angle between load and bedding is that of the plane that breaks
// first, for a variable cohesion and friction and for a narrow weakness, where it is Jaeger's
// single plane: between the angles at which the plane slides it is
//
//	sigma_1 = 2 c_w/((1 - mu_w tan b) sin 2b),
//
// b between plane and load, and the rock's own strength elsewhere.
func TestStrengthOverBedding(t *testing.T) {
	n := scattered(24e-3, 24e-3, 3e-3, 5)
	for _, sharpness := range []float64{1, 6} {
		for deg := 0; deg <= 90; deg += 15 {
			s := foliated(t, sharpness, float64(deg)*math.Pi/180)
			for _, sign := range []float64{-1, 1} {
				got, want := first(t, n, s, sign), anisotropic(s.bedding, sign)
				t.Logf("sharpness %g, bedding at %d degrees, sign %g: %.4g MPa, theory %.4g MPa (%+.1f %%)", sharpness, deg, sign, got/1e6, want/1e6, 100*(got/want-1))
				if got < 0.98*want || got > 1.03*want {
					t.Errorf("sharpness %g, bedding at %d degrees, sign %g: %.4g MPa, theory %.4g MPa", sharpness, deg, sign, got/1e6, want/1e6)
				}
			}
		}
	}
	for _, deg := range []float64{25, 40, 50} { // Jaeger's single plane, at an angle to the load
		beta := deg * math.Pi / 180
		s := foliated(t, 80, math.Pi/2-beta)
		got, want := first(t, n, s, -1), 2*10e6/((1-0.4*math.Tan(beta))*math.Sin(2*beta))
		t.Logf("a plane at %g degrees to the load: %.4g MPa, Jaeger %.4g MPa (%+.1f %%)", deg, got/1e6, want/1e6, 100*(got/want-1))
		if math.Abs(got/want-1) > 0.02 {
			t.Errorf("a plane at %g degrees to the load: %.4g MPa, Jaeger %.4g MPa", deg, got/1e6, want/1e6)
		}
	}
}
