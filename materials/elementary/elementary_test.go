package elementary

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Errors of random arguments, in units of the last place, against series of
// 250 bits.
func TestErrors(t *testing.T) {
	two := func(f func(x *big.Float) *big.Float) func(x, y float64) *big.Float {
		return func(x, _ float64) *big.Float { return f(number(x)) }
	}
	one := func(f func(x float64) float64) func(x, y float64) float64 {
		return func(x, _ float64) float64 { return f(x) }
	}
	within := func(from, to float64) func(r *rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return from + float64((to-from)*r.Float64()) }
	}
	octaves := func(from, to float64) func(r *rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return math.Exp2(from + float64((to-from)*r.Float64())) }
	}
	signed := func(f func(r *rand.Rand) float64) func(r *rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return f(r) * float64(2*r.IntN(2)-1) }
	}
	none := within(0, 0)
	for _, c := range []struct {
		name string
		f    func(x, y float64) float64
		is   func(x, y float64) *big.Float
		x, y func(r *rand.Rand) float64
		most float64
	}{
		{"exp", one(Exp), two(exponentialSeries), within(-708, 709), none, 0.52},
		{"exp of little", one(Exp), two(exponentialSeries), signed(octaves(-60, 1)), none, 0.52},
		{"exp2", one(Exp2), two(func(x *big.Float) *big.Float { return exponentialSeries(x.Mul(x, ln2())) }), within(-1021, 1023), none, 0.52},
		{"log", one(Log), two(logarithmSeries), octaves(-1074, 1024), none, 0.52},
		{"log next to 1", one(Log), two(logarithmSeries), within(0.5, 2), none, 0.52},
		{"log nearer to 1", one(Log), two(logarithmSeries), within(1-0x1p-20, 1+0x1p-20), none, 0.52},
		{"expm1", one(Expm1), two(func(x *big.Float) *big.Float { return new(big.Float).Sub(exponentialSeries(x), number(1)) }), signed(octaves(-30, -1)), none, 6},
		{"expm1 of much", one(Expm1), two(func(x *big.Float) *big.Float { return new(big.Float).Sub(exponentialSeries(x), number(1)) }), within(0.3, 700), none, 3},
		{"log1p", one(Log1p), two(func(x *big.Float) *big.Float { return logarithmSeries(x.Add(x, number(1))) }), signed(octaves(-80, -1e-9)), none, 0.7},
		{"log1p of much", one(Log1p), two(func(x *big.Float) *big.Float { return logarithmSeries(x.Add(x, number(1))) }), octaves(-1, 100), none, 0.7},
		{"pow", Pow, power, octaves(-30, 30), within(-10, 10), 0.53},
		{"pow to the ends", Pow, power, octaves(-100, 100), within(-10, 10), 0.53},
		{"pow of nearly 1", Pow, power, within(1-0x1p-10, 1+0x1p-10), within(-5e5, 5e5), 0.55},
		{"cbrt", one(Cbrt), two(cubeRoot), signed(octaves(-1074, 1024)), none, 0.7},
		{"hypot", Hypot, func(x, y float64) *big.Float { return root(square(x, y)) }, octaves(-10, 10), signed(octaves(-10, 10)), 1.25},
		{"hypot of little", Hypot, func(x, y float64) *big.Float { return root(square(x, y)) }, octaves(-900, -890), octaves(-900, -890), 1.25},
		{"hypot of much", Hypot, func(x, y float64) *big.Float { return root(square(x, y)) }, octaves(1000, 1020), octaves(1000, 1020), 1.25},
		{"sin", one(Sin), two(sineSeries), within(-10, 10), none, 0.75},
		{"sin of much", one(Sin), two(sineSeries), within(-1e6, 1e6), none, 0.75},
		{"sin of little", one(Sin), two(sineSeries), signed(octaves(-300, 0)), none, 0.75},
		{"cos", one(Cos), two(cosineSeries), within(-10, 10), none, 0.75},
		{"cos of much", one(Cos), two(cosineSeries), within(-1e6, 1e6), none, 0.75},
		{"tan", one(Tan), two(func(x *big.Float) *big.Float {
			c := cosineSeries(new(big.Float).Copy(x))
			return x.Quo(sineSeries(x), c)
		}), within(-10, 10), none, 2},
		{"atan2", Atan2, angleOf, signed(within(0, 1)), signed(within(0, 1)), 1.5},
		{"atan2 of different", Atan2, angleOf, signed(octaves(-40, 40)), signed(octaves(-40, 40)), 1.5},
		{"atan2 of much", Atan2, angleOf, signed(octaves(1000, 1023)), signed(octaves(1000, 1023)), 1.5},
		{"atan2 of little", Atan2, angleOf, signed(octaves(-960, -930)), signed(octaves(-960, -930)), 1.5},
		{"asin", one(Asin), two(func(x *big.Float) *big.Float { return arcSine(x) }), within(-1, 1), none, 1.5},
		{"acos", one(Acos), two(func(x *big.Float) *big.Float {
			return x.Sub(half(pi()), arcSine(x))
		}), within(-1, 1), none, 1.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			count := 1000
			if testing.Short() {
				count = 200
			}
			worst, at := 0.0, [2]float64{}
			for range count {
				x, y := c.x(r), c.y(r)
				got, want := c.f(x, y), c.is(x, y)
				if e := ulps(got, want); !(e <= worst) {
					worst, at = e, [2]float64{x, y}
				}
			}
			t.Logf("at most %.3f units of the last place", worst)
			if !(worst <= c.most) {
				t.Errorf("%.3f units of the last place at %x, %x: more than %g", worst, at[0], at[1], c.most)
			}
		})
	}
}

// Where the result is exact or no number, it is the standard library's.
func TestSpecialCases(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -3, 0.5, -0.5, math.Inf(1), math.Inf(-1), math.NaN(),
		math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1e300, 1e-300, 0x1p-1022, 0x1p60, 0x1p60 + 256}
	close := func(t *testing.T, name string, got, want float64, args ...float64) {
		t.Helper()
		if got == want && math.Signbit(got) == math.Signbit(want) || got != got && want != want {
			return
		}
		if !(math.Abs(got-want) <= 4e-16*math.Abs(want)) || want == 0 {
			t.Errorf("%s(%g) is %g, the standard library's %g", name, args, got, want)
		}
	}
	for _, x := range special {
		close(t, "exp", Exp(x), math.Exp(x), x)
		close(t, "exp2", Exp2(x), math.Exp2(x), x)
		if math.Abs(x) != math.SmallestNonzeroFloat64 { // the standard library's is -709 on amd64
			close(t, "log", Log(x), math.Log(x), x)
		}
		close(t, "log1p", Log1p(x), math.Log1p(x), x)
		close(t, "cbrt", Cbrt(x), math.Cbrt(x), x)
		if !(math.Abs(x) > 1e6) || math.IsInf(x, 0) { // see Sincos
			close(t, "sin", Sin(x), math.Sin(x), x)
			close(t, "cos", Cos(x), math.Cos(x), x)
			close(t, "tan", Tan(x), math.Tan(x), x)
		}
		close(t, "asin", Asin(x), math.Asin(x), x)
		close(t, "acos", Acos(x), math.Acos(x), x)
		for _, y := range special {
			close(t, "pow", Pow(x, y), math.Pow(x, y), x, y)
			close(t, "hypot", Hypot(x, y), math.Hypot(x, y), x, y)
			if math.Abs(x) != math.SmallestNonzeroFloat64 { // whose sign the standard library's loses
				close(t, "atan2", Atan2(x, y), math.Atan2(x, y), x, y)
			}
		}
	}
	for _, x := range []float64{709.7827, 709.79, -745.13, -745.14, -744, -708.5, -720} {
		if got, want := Exp(x), math.Exp(x); math.Abs(got-want) > 4e-16*want+5e-324 {
			t.Errorf("exp(%g) is %g, not %g", x, got, want)
		}
	}
	for x := 1.; x < 100; x++ {
		if got := Cbrt(x * x * x); got != x {
			t.Errorf("the cube root of %g^3 is %v", x, got)
		}
		if got := Exp2(x); got != math.Ldexp(1, int(x)) {
			t.Errorf("2^%g is %v", x, got)
		}
	}
}

// The bits are these on every machine; run this test there to see.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	add := func(values ...float64) {
		for _, v := range values {
			if err := binary.Write(h, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		x, y := 4*(r.Float64()-0.5), 4*(r.Float64()-0.5)
		positive := math.Abs(x) + 1e-3
		s, c := Sincos(x)
		add(Exp(x), Exp2(x), Log(positive), Log1p(positive), Pow(positive, y), Cbrt(x), Hypot(x, y), s, c, Tan(x), Atan2(y, x), Asin(x/2), Acos(x/2))
	}
	const want = 0xa620b9b8c0b8d31f
	if got := h.Sum64(); got != want {
		t.Errorf("the bits sum up to %#x, not %#x", got, uint64(want))
	}
}

func number(x float64) *big.Float { return new(big.Float).SetPrec(250).SetFloat64(x) }

// ulps returns how far got is off, in units of want's last place.
func ulps(got float64, want *big.Float) float64 {
	nearest, _ := want.Float64()
	unit := math.Nextafter(math.Abs(nearest), math.Inf(1)) - math.Abs(nearest)
	off, _ := new(big.Float).Quo(new(big.Float).Sub(number(got), want), number(unit)).Float64()
	return math.Abs(off)
}

func half(x *big.Float) *big.Float { return new(big.Float).Quo(x, number(2)) }

func square(x, y float64) *big.Float {
	a, b := number(x), number(y)
	return a.Add(a.Mul(a, a), b.Mul(b, b))
}

func root(x *big.Float) *big.Float { return new(big.Float).SetPrec(250).Sqrt(x) }

// sum adds terms until they are negligible; next makes the following one.
func sum(term *big.Float, next func(term *big.Float, n float64)) *big.Float {
	total := number(0)
	for n := 1.0; term.Sign() != 0 && (total.Sign() == 0 || term.MantExp(nil) > total.MantExp(nil)-250); n++ {
		total.Add(total, term)
		next(term, n)
	}
	return total
}

func exponentialSeries(x *big.Float) *big.Float {
	const halvings = 20
	x = new(big.Float).SetMantExp(x, -halvings)
	y := sum(number(1), func(term *big.Float, n float64) { term.Quo(term.Mul(term, x), number(n)) })
	for range halvings {
		y.Mul(y, y)
	}
	return y
}

var log2 *big.Float

func ln2() *big.Float {
	if log2 == nil {
		log2 = artanh(new(big.Float).Quo(number(1), number(3)))
		log2.Add(log2, log2)
	}
	return log2
}

func artanh(s *big.Float) *big.Float { return oddSeries(s, new(big.Float).Mul(s, s)) }

// oddSeries sums s times ratio^n/(2n+1).
func oddSeries(s, ratio *big.Float) *big.Float {
	power := new(big.Float).Copy(s)
	return sum(new(big.Float).Copy(s), func(term *big.Float, n float64) {
		power.Mul(power, ratio)
		term.Quo(power, number(2*n+1))
	})
}

func logarithmSeries(x *big.Float) *big.Float {
	z := new(big.Float)
	k := x.MantExp(z)
	if z.Cmp(number(0.75)) < 0 {
		z.Add(z, z)
		k--
	}
	y := artanh(new(big.Float).Quo(new(big.Float).Sub(z, number(1)), new(big.Float).Add(z, number(1))))
	y.Add(y, y)
	return y.Add(y, new(big.Float).Mul(number(float64(k)), ln2()))
}

func power(x, y float64) *big.Float {
	return exponentialSeries(new(big.Float).Mul(number(y), logarithmSeries(number(x))))
}

// cubeRoot is Newton's method from a double.
func cubeRoot(x *big.Float) *big.Float {
	start, _ := x.Float64()
	y := number(math.Cbrt(start))
	for range 4 {
		q := new(big.Float).Quo(x, new(big.Float).Mul(y, y))
		y.Quo(q.Add(q, new(big.Float).Add(y, y)), number(3))
	}
	return y
}

var circle *big.Float

func pi() *big.Float {
	if circle == nil { // Machin
		circle = number(4)
		circle.Mul(circle, arctangentSeries(new(big.Float).Quo(number(1), number(5))))
		circle.Sub(circle, arctangentSeries(new(big.Float).Quo(number(1), number(239))))
		circle.Mul(circle, number(4))
	}
	return circle
}

func arctangentSeries(s *big.Float) *big.Float {
	return oddSeries(s, new(big.Float).Neg(new(big.Float).Mul(s, s)))
}

// arctangent takes a positive number's in four halvings of the angle.
func arctangent(x *big.Float) *big.Float {
	for range 4 {
		x = new(big.Float).Quo(x, new(big.Float).Add(number(1), root(new(big.Float).Add(number(1), new(big.Float).Mul(x, x)))))
	}
	return new(big.Float).Mul(number(16), arctangentSeries(x))
}

func angleOf(y, x float64) *big.Float {
	a := arctangent(new(big.Float).Quo(number(math.Abs(y)), number(math.Abs(x))))
	if x < 0 {
		a.Sub(pi(), a)
	}
	if y < 0 {
		a.Neg(a)
	}
	return a
}

func arcSine(x *big.Float) *big.Float {
	a := new(big.Float).Abs(x)
	other := root(new(big.Float).Sub(number(1), new(big.Float).Mul(a, a)))
	a = arctangent(a.Quo(a, other))
	if x.Sign() < 0 {
		a.Neg(a)
	}
	return a
}

// reduced takes whole turns off x.
func reduced(x *big.Float) *big.Float {
	turn := new(big.Float).Mul(number(2), pi())
	f, _ := new(big.Float).Quo(x, turn).Float64()
	return new(big.Float).Sub(x, turn.Mul(turn, number(math.Round(f))))
}

func sineSeries(x *big.Float) *big.Float {
	x = reduced(x)
	return sum(new(big.Float).Copy(x), func(term *big.Float, n float64) {
		term.Quo(term.Mul(term, new(big.Float).Mul(x, x)), number(-2*n*(2*n+1)))
	})
}

func cosineSeries(x *big.Float) *big.Float {
	x = reduced(x)
	return sum(number(1), func(term *big.Float, n float64) {
		term.Quo(term.Mul(term, new(big.Float).Mul(x, x)), number(-2*n*(2*n-1)))
	})
}

func BenchmarkFunctions(b *testing.B) {
	var x [1024]float64
	r := rand.New(rand.NewPCG(5, 6))
	for i := range x {
		x[i] = 0.1 + r.Float64()
	}
	for _, c := range []struct {
		name         string
		ours, theirs func(x float64) float64
	}{
		{"exp", Exp, math.Exp}, {"log", Log, math.Log}, {"cbrt", Cbrt, math.Cbrt}, {"sin", Sin, math.Sin},
		{"pow", func(x float64) float64 { return Pow(x, 0.653) }, func(x float64) float64 { return math.Pow(x, 0.653) }},
		{"atan2", func(x float64) float64 { return Atan2(x, 0.7) }, func(x float64) float64 { return math.Atan2(x, 0.7) }},
		{"hypot", func(x float64) float64 { return Hypot(x, 0.7) }, func(x float64) float64 { return math.Hypot(x, 0.7) }},
	} {
		for i, f := range []func(x float64) float64{c.ours, c.theirs} {
			b.Run(c.name+[]string{"", " of the standard library"}[i], func(b *testing.B) {
				s := 0.0
				for i := range b.N {
					s += f(x[i&1023])
				}
				if s == 0.1 {
					b.Log(s)
				}
			})
		}
	}
}

// The constants in parts are what they stand for, to the last bit of the last part.
func TestConstants(t *testing.T) {
	for _, c := range []struct {
		name  string
		want  *big.Float
		parts []float64
	}{
		{"ln 2", ln2(), []float64{ln2High, ln2Low}},
		{"ln 2/128", new(big.Float).Quo(ln2(), number(tableSize)), []float64{stepHigh, stepLow}},
		{"pi/2", half(pi()), []float64{quarterHigh, quarterMiddle, quarterLow}},
		{"pi", pi(), []float64{piHigh, piLow}},
	} {
		rest := new(big.Float).Copy(c.want)
		last := len(c.parts) - 1
		for _, p := range c.parts[:last] {
			rest.Sub(rest, number(p))
		}
		if low, _ := rest.Float64(); low != c.parts[last] {
			t.Errorf("%s: the last part is %x, want %x", c.name, c.parts[last], low)
		}
	}
}
