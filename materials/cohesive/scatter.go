package cohesive

import (
	"math"

	"fdem/materials/elementary"
)

// Scatter is the random variation of strength with position, by Weibull's
// distribution of mean 1. The zero value is no scatter.
type Scatter struct {
	Modulus float64 // Weibull's m, above 0; 0 for none; the mean strength is 1 for any m
	Length  float64 // correlation length [m]; 0 for independent draws
	Seed    uint64
	// Energy is Weibull's modulus of the fracture energies, 0 for none. Correlation is the
	// correlation of energies with strengths, from -1 to 1, for the normal deviates from
	// which both are made.
	Energy, Correlation float64
}

// Streams of independent draws, beside that of strengths.
const (
	energyStream = 0x656e65726779
	youngStream  = 0x796f756e67
)

// At returns the factor on the strength at an edge. a and b are the numbers of
// its nodes in the mesh file, and x, y [m] is its middle in the reference
// configuration. The factor depends on nothing else: neither on the order of
// edges or of their nodes, nor on other edges. With a correlation length it
// depends on the position alone.
//
// Source: W. Weibull, J. Appl. Mech. 18 (1951) 293; the correlated field is
// white noise on a hashed lattice, smoothed by a Gaussian window. So the
// correlation over a distance r is exp(-(r/Length)^2), with Weibull's
// distribution at every position.
func (s Scatter) At(a, b int64, x, y float64) float64 {
	if s.Modulus == 0 {
		return 1
	}
	return weibull(s.share(a, b, x, y), s.Modulus)
}

// EnergyAt returns the factor on the fracture energies at an edge, likewise. Its quantile
// is that of a normal deviate with the given correlation to the deviate of strength
// (Gaussian copula: R. B. Nelsen, An Introduction to Copulas, 2006, section 2.3).
func (s Scatter) EnergyAt(a, b int64, x, y float64) float64 {
	if s.Energy == 0 {
		return 1
	}
	return weibull(s.correlated(energyStream, a, b, x, y), s.Energy)
}

// YoungShare returns the quantile, from 0 to 1, of a triangle's Young's modulus, from its
// number in the mesh file and its middle. Correlation is with the strength of a scatter of the
// same seed and length.
func (s Scatter) YoungShare(triangle int64, x, y float64) float64 {
	return s.correlated(youngStream, triangle, triangle, x, y)
}

// Young returns the factor on Young's modulus at a quantile of the
// distribution.
func (s Scatter) Young(share float64) float64 { return weibull(share, s.Modulus) }

// weibull returns the value at a quantile of Weibull's distribution of mean 1.
func weibull(share, modulus float64) float64 {
	return elementary.Pow(-elementary.Log1p(-share), 1/modulus) / gamma(1+1/modulus)
}

// share returns the quantile, from 0 to 1, of the strength of an edge.
func (s Scatter) share(a, b int64, x, y float64) float64 {
	if s.Length > 0 {
		return normalCDF(s.field(x/s.Length, y/s.Length))
	}
	return uniform(s.hash(uint64(min(a, b)), uint64(max(a, b))))
}

// deviate returns the normal deviate of the strength of an edge.
func (s Scatter) deviate(a, b int64, x, y float64) float64 {
	if s.Length > 0 {
		return s.field(x/s.Length, y/s.Length)
	}
	return normalQuantile(s.share(a, b, x, y))
}

// correlated returns the quantile of another stream with the correlation to strength.
func (s Scatter) correlated(stream uint64, a, b int64, x, y float64) float64 {
	own := s
	own.Seed = mix(s.Seed ^ stream)
	switch s.Correlation {
	case 0:
		return own.share(a, b, x, y)
	case 1:
		return s.share(a, b, x, y)
	}
	rest := math.Sqrt((1 - s.Correlation) * (1 + s.Correlation))
	return normalCDF(float64(s.Correlation*s.deviate(a, b, x, y)) + float64(rest*own.deviate(a, b, x, y)))
}

// hash mixes the seed with two numbers, by splitmix64 (G. L. Steele, D. Lea,
// C. H. Flood, OOPSLA 2014).
func (s Scatter) hash(a, b uint64) uint64 { return mix(mix(mix(s.Seed)^a) ^ b) }

func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// uniform returns a number in (0, 1).
func uniform(h uint64) float64 { return (float64(h>>12) + 0.5) / (1 << 52) }

// field returns a number of the standard normal distribution at (x, y), in
// units of the correlation length.
func (s Scatter) field(x, y float64) float64 {
	const spacing, reach = 0.5, 4 // of the lattice; of the window, in spacings
	i0, j0 := math.Floor(x/spacing), math.Floor(y/spacing)
	sum, squares := 0.0, 0.0
	for i := i0 - reach + 1; i <= i0+reach; i++ {
		for j := j0 - reach + 1; j <= j0+reach; j++ {
			dx, dy := x-float64(spacing*i), y-float64(spacing*j)
			w := elementary.Exp(-2 * (float64(dx*dx) + float64(dy*dy)))
			sum += float64(w * s.normal(int64(i), int64(j)))
			squares += float64(w * w)
		}
	}
	return sum / math.Sqrt(squares)
}

// normal returns the white noise of a lattice point (G. E. P. Box, M. E.
// Muller, Ann. Math. Stat. 29 (1958) 610).
func (s Scatter) normal(i, j int64) float64 {
	h := s.hash(uint64(i), uint64(j))
	u, v := uniform(h), uniform(mix(h))
	return math.Sqrt(-2*elementary.Log(u)) * elementary.Cos(2*math.Pi*v)
}

// normalCDF returns the share of the standard normal distribution below z,
// by its power series (G. Marsaglia, J. Stat. Software 11 (2004) 4); its
// absolute error is some 1e-16.
func normalCDF(z float64) float64 {
	z = min(max(z, -8), 8)
	sum, term := 0.0, z
	for n := 3.0; sum+term != sum; n += 2 {
		sum += term
		term *= z * z / n
	}
	u := 0.5 + float64(sum*elementary.Exp(-0.5*z*z)/math.Sqrt(2*math.Pi))
	return min(max(u, 0x1p-54), 1-0x1p-53)
}

// normalQuantile returns the z at a quantile of the standard normal distribution, by M.
// Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 26.2.23, and Newton's
// method.
func normalQuantile(share float64) float64 {
	low := min(share, 1-share)
	t := math.Sqrt(-2 * elementary.Log(low))
	above := 2.515517 + float64(t*(0.802853+float64(0.010328*t)))
	below := 1 + float64(t*(1.432788+float64(t*(0.189269+float64(0.001308*t)))))
	z := above/below - t
	for range 3 {
		z -= float64((normalCDF(z) - low) * math.Sqrt(2*math.Pi) * elementary.Exp(0.5*z*z))
	}
	if share > 0.5 {
		return -z
	}
	return z
}

// gamma returns the gamma function for x >= 1, by the series of C. Lanczos
// (SIAM J. Numer. Anal. B 1 (1964) 86) with g = 7 and 9 terms; its relative
// error is below 1e-14.
func gamma(x float64) float64 {
	sum := 0.99999999999980993
	for i, c := range [8]float64{
		676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
		12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
	} {
		sum += c / (x + float64(i))
	}
	t := x + 6.5
	return math.Sqrt(2*math.Pi) * elementary.Pow(t, x-0.5) * elementary.Exp(-t) * sum
}
