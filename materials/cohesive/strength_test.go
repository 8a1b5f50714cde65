package cohesive

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The law as the design has it, at its corners.
func TestStrength(t *testing.T) {
	s := Strength{Tension: 5e6, Cohesion: 15e6, Friction: 0.6}
	for _, v := range []struct{ normal, shear, want float64 }{
		{5e6, 0, 1},
		{0, 15e6, 1},
		{0, -15e6, 1},
		{3e6, 12e6, 1},
		{-10e6, 21e6, 1},
		{-10e6, -21e6, 1},
		{-10e6, 6e6, 0},
		{-10e6, 0, 0},
		{10e6, 0, 2},
		{0, 0, 0},
	} {
		near(t, "used", s.Used(v.normal, v.shear), v.want, 1e-15)
	}
	near(t, "onset in tension", s.Onset(0), 5e6, 1e-9)
	near(t, "onset in shear", s.Onset(1), 15e6, 1e-8)
	// Benchmark D2: uniaxial compression breaks at 2 c (sqrt(1+mu^2) + mu).
	for _, v := range []struct{ cohesion, friction, want float64 }{
		{3e6, 0.3, 8.0642e6}, {17.5e6, math.Tan(35 * math.Pi / 180), 67.2344e6}, {10e6, math.Tan(30 * math.Pi / 180), 34.6410e6},
	} {
		s := Strength{1e6, v.cohesion, v.friction}
		closed := 2 * v.cohesion * (math.Sqrt(1+v.friction*v.friction) + v.friction)
		near(t, "as printed", closed, v.want, 60)
		near(t, "uniaxial compression", s.Greatest(-closed, 0, 0), 1, 1e-14)
	}
}

// Greatest is the greatest of many planes, and Onset lies on the limit.
func TestGreatest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(what string, from, to float64) float64 { return rapid.Float64Range(from, to).Draw(t, what) }
		s := Strength{draw("tension", 0.1, 10), draw("cohesion", 0.1, 10), draw("friction", 0, 2)}
		xx, yy, xy := draw("xx", -20, 20), draw("yy", -20, 20), draw("xy", -20, 20)
		got, most := s.Greatest(xx, yy, xy), 0.0
		const planes = 20000
		for i := range planes {
			sin, cos := math.Sincos(math.Pi * float64(i) / planes)
			tx, ty := xx*cos+xy*sin, xy*cos+yy*sin
			most = max(most, s.Used(tx*cos+ty*sin, ty*cos-tx*sin))
		}
		// Between the planes tried a kink may hide: the normal traction of 0.
		const underflow = 1e-150 // squares of smaller numbers lose digits
		rounding := underflow + 1e-14*(1+s.Friction)*(math.Abs(xx)+math.Abs(yy)+math.Abs(xy))/min(s.Tension, s.Cohesion)
		if got < most-rounding || got > most*(1+1e-5)+math.Pi/planes*400*(1+s.Friction)/s.Cohesion {
			t.Fatalf("the greatest is %g, of many planes %g", got, most)
		}
		p, r := 0.5*(xx+yy), math.Hypot(0.5*(xx-yy), xy)
		if r > 0 {
			cosine := s.Sheared(p, r)
			either := max(s.Used(p+r, 0), s.Used(p+r*cosine, r*math.Sqrt(1-cosine*cosine)))
			if math.Abs(either-got) > underflow+1e-12*(1+s.Friction)*(math.Abs(p)+r)/min(s.Tension, s.Cohesion) {
				t.Fatalf("the greatest is %g, of the planes of greatest tension and shear %g", got, either)
			}
		}
		mixity := draw("mixity", 0, 1)
		size := s.Onset(mixity)
		if used := s.Used(size*math.Sqrt(1-mixity), size*math.Sqrt(mixity)); math.Abs(used-1) > 1e-14 {
			t.Fatalf("at its onset %g is used", used)
		}
	})
}

// Benchmark A3: the energy of a mix by Benzeggagh and Kenane.
func TestMixed(t *testing.T) {
	m := Mixed{Tension: 20, Shear: 80, Exponent: 2}
	for _, v := range []struct{ degrees, mixity, want float64 }{
		{0, 0, 20}, {20, 0.1170, 20.8210}, {30, 0.25, 23.75}, {45, 0.5, 35}, {60, 0.75, 53.75}, {70, 0.8830, 66.7837}, {90, 1, 80},
	} {
		sin, cos := math.Sincos(v.degrees * math.Pi / 180)
		mixity := Mixity(cos, sin)
		near(t, "mixity", mixity, sin*sin, 1e-15)
		near(t, "mixity as printed", mixity, v.mixity, 5e-5)
		near(t, "energy", m.Energy(mixity), 20+60*sin*sin*sin*sin, 1e-12*80)
		near(t, "energy as printed", m.Energy(mixity), v.want, 5e-5)
	}
	for _, v := range []struct{ normal, shear, want float64 }{
		{0, 0, 0}, {-1, 0, 0}, {-1, 2, 1}, {0, 1, 1}, {1e300, 1e-300, 0}, {1e-300, 1e300, 1}, {3, 4, 0.64}, {4, -3, 0.36},
	} {
		near(t, "mixity", Mixity(v.normal, v.shear), v.want, 1e-15)
	}
}
