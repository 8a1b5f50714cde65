package elementary

import (
	"math"
	"math/big"
)

// Constants in parts that add up to them, to more digits than one number has.
const (
	// ln2High has 42 bits after the point: whole multiples below 2000 are exact.
	ln2High = 0x1.62e42fefa38p-01
	ln2Low  = 0x1.ef35793c7673p-45

	// stepHigh and stepLow are ln 2/128; multiples of the former below 2^17 are exact.
	stepHigh = 0x1.62e42fefap-08
	stepLow  = 0x1.cf79abc9e3b3ap-47

	// Of pi/2; multiples of the first two below 2^20 are exact.
	quarterHigh   = 0x1.921fb544p+00
	quarterMiddle = 0x1.0b4611a6p-34
	quarterLow    = 0x1.3198a2e037073p-69

	piHigh = 0x1.921fb54442d18p+01
	piLow  = 0x1.1a62633145c07p-53
)

// The tables are computed when the program starts, within two milliseconds, in
// numbers of tablePrecision bits: those have the same bits on every machine.
var (
	powers  = tablePowers()
	centers = tableCenters()
	arcs    = tableArcs()
	roots   = tableRoots()
)

// tableSize is the number of entries of the tables powers and centers.
const tableSize = 128

const tablePrecision = 128 // bits

// parts is a number as the sum of two.
type parts struct{ high, low float64 }

// split returns x as two doubles, the first of them as it is rounded to so many
// bits after the point, or to the nearest double where bits is 0.
func split(x *big.Float, bits int) (p parts) {
	p.high, _ = x.Float64()
	if bits > 0 {
		p.high = math.Ldexp(math.Round(math.Ldexp(p.high, bits)), -bits)
	}
	p.low, _ = new(big.Float).Sub(x, long(p.high)).Float64()
	return p
}

// long returns x with room for all bits.
func long(x float64) *big.Float { return new(big.Float).SetPrec(tablePrecision).SetFloat64(x) }

// tablePowers returns 2^(i/128).
func tablePowers() (table [tableSize]parts) {
	step := long(2)
	for range 7 {
		step.Sqrt(step)
	}
	power := long(1)
	for i := range table {
		table[i] = split(power, 0)
		power.Mul(power, step)
	}
	return table
}

// center is 1/c for a number c in the middle of a part of [0.6875, 1.375), with
// 12 bits after the point, and log c, of which the high part has 42.
type center struct{ inverse, high, low float64 }

func tableCenters() (table [tableSize]center) {
	const (
		firstBits = 0x3fe6000000000000 // of 0.6875, where the first part begins
		partOfOne = 80                 // the part that begins with 1
	)
	for i := range table {
		inverse := 1.0
		if i != partOfOne-1 && i != partOfOne { // so that log is good next to 1
			from := math.Float64frombits(firstBits + uint64(i)<<45)
			to := math.Float64frombits(firstBits + uint64(i+1)<<45)
			inverse = math.Round(4096*2/(from+to)) / 4096
		}
		// log c = 2 artanh((c-1)/(c+1))
		s := new(big.Float).Quo(long(1-inverse), long(1+inverse))
		log := split(oddTerms(new(big.Float).Mul(long(2), s), new(big.Float).Mul(s, s)), 42)
		table[i] = center{inverse, log.high, log.low}
	}
	return table
}

// tableArcs returns atan(i/16), 4 times that of the tangent of a quarter of the
// angle.
func tableArcs() (table [17]parts) {
	for i := range table {
		x := long(float64(i) / 16)
		for range 2 { // tan(x/2) = x/(1 + sqrt(1+x^2))
			root := new(big.Float).Mul(x, x)
			root.Sqrt(root.Add(root, long(1)))
			x.Quo(x, root.Add(root, long(1)))
		}
		ratio := new(big.Float).Mul(x, x)
		table[i] = split(oddTerms(x.Mul(x, long(4)), ratio.Neg(ratio)), 0)
	}
	return table
}

// oddTerms sums first ratio^n/(2n+1) up to what has no effect.
func oddTerms(first, ratio *big.Float) *big.Float {
	sum, power := long(0), new(big.Float).Copy(first)
	for n := 1.0; power.Sign() != 0 && power.MantExp(nil) > -tablePrecision; n += 2 {
		sum.Add(sum, new(big.Float).Quo(power, long(n)))
		power.Mul(power, ratio)
	}
	return sum
}

// tableRoots returns about the cube roots of the middles of the sixteenths of
// [1, 2), [2, 4) and [4, 8).
func tableRoots() (table [48]float64) {
	for i := range table {
		middle := math.Ldexp(1+(float64(i%16)+0.5)/16, i/16)
		root := 1.5
		for range 6 { // by the method of Newton
			root -= float64(root*root*root-middle) / float64(3*root*root)
		}
		table[i] = float64(float32(root))
	}
	return table
}
