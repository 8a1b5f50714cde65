package bulk

import (
	"math"

	"fdem/materials/elementary"
)

// Vector instructions (SIMD) evaluate laws for four triangles at a time, at small elastic
// strains. The same functions in Go give the same bits.

// near0 is the greatest argument for which logarithms and exponentials of
// strains are series.
const near0 = 0.02

// halfLog1p returns ln(1 + x)/2 for |x| <= near0: the series of atanh x/(2+x).
func halfLog1p(x float64) float64 {
	z := x / (2 + x)
	s := float64(z * z)
	return z + float64(float64(z*s)*(1./3+float64(s*(1./5+float64(s*(1./7+float64(s*(1./9))))))))
}

// exp returns e to the power of x.
func exp(x float64) float64 {
	if x > 0.03 || x < -0.03 {
		return elementary.Exp(x)
	}
	return 1 + expm1(x)
}

// expm1 returns e to the power of x less 1, for |x| < 0.03: its series up to the seventh
// power.
func expm1(x float64) float64 {
	return x + float64(float64(x*x)*(0.5+float64(x*(1./6+float64(x*(1./24+float64(x*(1./120+float64(x*(1./720+float64(x*(1./5040))))))))))))
}

// four is a number for each of four triangles.
type four [4]float64

func times4(x float64) four { return four{x, x, x, x} }

// fours are the constants of a kernel. The assembly depends on their order.
type fours struct {
	one, half, two, third, near, sign, one5, one7, one9, oneAndHalf four
	bulk, shear, twoShear, inverseShear, quarterShear               four
	yield, slope, threeShear, stiff                                 four
	twoThirds, four, oneAndHalfShear                                four
	series                                                          [5]four
}

// newFours returns the constants of an elasticity. The yield stress and its
// slope are 0.
func newFours(bulk, shear float64) *fours {
	return &fours{
		one: times4(1), half: times4(0.5), two: times4(2), third: times4(1. / 3), near: times4(near0), sign: times4(math.Copysign(0, -1)),
		one5: times4(1. / 5), one7: times4(1. / 7), one9: times4(1. / 9), oneAndHalf: times4(1.5),
		bulk: times4(bulk), shear: times4(shear), twoShear: times4(2 * shear), inverseShear: times4(0.5 / shear), quarterShear: times4(0.25 / shear),
		threeShear: times4(3 * shear), twoThirds: times4(2. / 3), four: times4(4), oneAndHalfShear: times4(1.5 * shear),
		series: [5]four{times4(1. / 6), times4(1. / 24), times4(1. / 120), times4(1. / 720), times4(1. / 5040)},
	}
}

// addresses are the addresses of the triangles' numbers: F, stress, thickness and energy, and
// six values of the memory before and after. The assembly depends on their order.
type addresses [22]*float64

func newAddresses(in *Input, out *Output, from int) (p addresses) {
	for k, of := range [10][]float64{in.FXX, in.FXY, in.FYX, in.FYY, out.TXX, out.TYY, out.TXY, out.TZZ, out.Thickness, out.Energy} {
		p[k] = &of[from]
	}
	for k := range min(6, len(in.Mem)) {
		p[10+k], p[16+k] = &in.Mem[k][from], &out.Mem[k][from]
	}
	return p
}

// workAddresses are the addresses of the triangles' numbers for the plastic work: F after and
// before the step, stress, plastic strain before and after, plastic work before and after. The
// assembly depends on their order.
type workAddresses [16]*float64

func newWorkAddresses(in *Input, out *Output, from int) (p workAddresses) {
	for k, of := range [len(p)][]float64{in.FXX, in.FXY, in.FYX, in.FYY, in.BXX, in.BXY, in.BYX, in.BYY,
		out.TXX, out.TYY, out.TXY, out.TZZ, in.Mem[strainAt], out.Mem[strainAt], in.Mem[workAt], out.Mem[workAt]} {
		p[k] = &of[from]
	}
	return p
}

// blocksOf returns the number of whole blocks of four triangles from number i
// on.
func blocksOf(in *Input, from int) int { return (len(in.FXX) - from) / len(four{}) }
