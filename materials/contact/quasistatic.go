package contact

import (
	"math"

	"fdem/materials/elementary"
)

// curve is a quasi-static elastoplastic law's own part: first loading and the
// unloading from a peak. Deflections are in m, forces in N.
type curve interface {
	// load returns the force and slope [N/m] of first loading at d > 0. A law
	// whose loading curve jumps chooses its regime by total, the deflection
	// before any shift (repeated.go). The other laws use d.
	load(d, total float64) (force, slope float64)
	// work returns the area under the loading curve up to d > 0 [J].
	work(d float64) float64
	// recovered returns the deflection recovered by unloading from the peak (d,
	// f), as published.
	recovered(d, f float64) float64
	// exponent returns the exponent of the unloading curve from a peak at d.
	exponent(d float64) float64
}

// quasiStatic is the common part of the elastoplastic point laws. Beyond the
// greatest deflection so far it follows the loading curve, and below it
//
//	F = F_max ((d - d_res)/(d_max - d_res))^n
//
// for unloading and reloading alike, zero below d_res. G. Wang et al., review,
// Table 3 and Fig. 9; every unloading curve starts at the peak point.
//
// Published unloading formulas can return more energy than loading took, just
// above yield. Unless raw, the recovered deflection is therefore limited to
// d_max and to (n+1) W/F_max, with W the work of first loading up to d_max.
// Then a virgin contact returns at most the energy that it took. Between two
// peaks this does not hold for every law: see brake.
//
// The raw form may have a negative d_res. Contact still ends at d = 0, with a
// force that is not zero.
type quasiStatic struct {
	curve
	raw bool
}

// The memory of a quasi-static law, in this order; repeated has further values.
const (
	quasiStaticPeak       = iota // deflection at which the unloading curve starts [m]
	quasiStaticForce             // force there [N]
	quasiStaticResidual          // deflection at which the unloading curve ends [m]
	quasiStaticMemorySize        // number of values
)

// segment is the law's answer at one deflection.
type segment struct {
	force, slope, stiffest, stored float64
	residual                       float64 // of the unloading curve through this point
}

// quasiStaticParameters returns a law's own parameters and the two of all
// quasi-static laws.
func quasiStaticParameters(own ...Parameter) []Parameter {
	return append(own,
		choice("raw_unloading", "1: unloading as published, even if it returns more energy than loading took; 0: limited to the energy that loading took", 0, 0, 1),
		choice("memory", "memory of repeated impacts: 1: compression that resumes, or a further impact, follows the unloading curve to its peak; 2: Warzecha and Grzejda's enhanced memory; 0: their basic one", 1, 0, 1, 2),
	)
}

// sphereParameters returns effective radius, effective modulus and a law's own
// parameters.
func sphereParameters(own ...Parameter) []Parameter {
	return quasiStaticParameters(append([]Parameter{
		positive("radius", "effective radius, 1/R = 1/R1 + 1/R2 (a socket's radius counts negative)", "m"),
		positive("modulus", "effective modulus, 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2", "Pa"),
	}, own...)...)
}

// positive returns a parameter that must be positive.
func positive(name, doc, unit string) Parameter {
	return Parameter{Name: name, Doc: doc, Unit: unit, OpenMin: true, Max: math.Inf(1)}
}

func yieldParameter() Parameter {
	return positive("yield", "yield strength of the weaker body", "Pa")
}

func poissonParameter() Parameter {
	return Parameter{Name: "poisson", Doc: "Poisson's ratio of the weaker body", Unit: "1", Min: -1, OpenMin: true, Max: 0.5}
}

// withDefault returns p with a default d.
func withDefault(p Parameter, d float64) Parameter {
	p.Default = &d
	return p
}

// ratio returns a parameter that is a number above from, with a default.
func ratio(name, doc string, from, value float64) Parameter {
	p := positive(name, doc, "1")
	p.Min = from
	return withDefault(p, value)
}

// newQuasiStatic returns the law of a curve.
func newQuasiStatic(c curve, v map[string]float64) Law {
	q := quasiStatic{c, v["raw_unloading"] == 1}
	switch v["memory"] {
	case 0:
		return &repeated{q, false}
	case 2:
		return &repeated{q, true}
	}
	return &q
}

// Memory names the greatest deflection [m], the force there [N] and the
// residual deflection [m].
func (*quasiStatic) Memory() []string {
	return []string{"max_deflection", "max_force", "residual"}
}

// Eval implements Law.
func (q *quasiStatic) Eval(in Input, out Output) {
	for i, d := range in.D {
		memory := [quasiStaticMemorySize]float64(in.Mem[i*quasiStaticMemorySize:])
		var s segment
		if d > memory[quasiStaticPeak] {
			s = q.first(d, d)
			memory = [quasiStaticMemorySize]float64{d, s.force, s.residual}
		} else {
			s = q.back(d, memory[quasiStaticPeak], memory[quasiStaticForce], memory[quasiStaticResidual])
		}
		copy(out.Mem[i*quasiStaticMemorySize:], memory[:])
		out.P[i], out.DP[i], out.K[i], out.W[i] = s.force, s.slope, s.stiffest, s.stored
	}
}

// first is first loading: the loading curve at d, with the unloading curve that
// would start at total.
func (q *quasiStatic) first(d, total float64) segment {
	f, slope := q.load(d, total)
	if !(f > 0) { // too small for floating point
		return segment{residual: total}
	}
	n := q.exponent(total)
	r := q.recovered(total, f)
	if !q.raw {
		r = min(r, total, (n+1)*q.work(total)/f)
	}
	s := q.back(total, total, f, total-r)
	return segment{f, slope, max(slope, s.slope), s.stored, s.residual}
}

// back returns the answer at d on the unloading curve from (peak, force) to
// residual.
func (q *quasiStatic) back(d, peak, force, residual float64) segment {
	x := d - residual
	if !(d > 0 && x > 0) {
		return segment{residual: residual}
	}
	n := q.exponent(peak)
	f := force * power(x/(peak-residual), n)
	slope := n * f / x
	stored := f * x / (n + 1)
	if residual < 0 { // contact ends at d = 0
		stored += float64(force * power(-residual/(peak-residual), n) * residual / (n + 1))
	}
	return segment{f, slope, slope, stored, residual}
}

// power returns x^n, x >= 0.
func power(x, n float64) float64 {
	switch n {
	case 1:
		return x
	case 1.5:
		return x * math.Sqrt(x)
	}
	return elementary.Pow(x, n)
}

// hertzPart is the elastic first part of most quasi-static laws, F = 4/3 E*
// sqrt(R) d^(3/2).
type hertzPart struct {
	radius, modulus float64 // effective: R [m], E* [Pa]
	stiffness       float64 // 4/3 E* sqrt(R) [N/m^(3/2)]
}

func newHertzPart(v map[string]float64) hertzPart {
	r, e := v["radius"], v["modulus"]
	return hertzPart{r, e, 4.0 / 3 * e * math.Sqrt(r)}
}

func (h *hertzPart) elastic(d float64) (force, slope float64) {
	s := h.stiffness * math.Sqrt(d)
	return float64(s * d), float64(1.5 * s)
}

func (h *hertzPart) elasticWork(d float64) float64 {
	return float64(0.4 * h.stiffness * d * d * math.Sqrt(d))
}

// yieldPoint returns the deflection at which the greatest pressure is p.
func (h *hertzPart) yieldPoint(p float64) float64 {
	a := math.Pi * p / (2 * h.modulus)
	return float64(h.radius * a * a)
}

// regained returns the deflection of a Hertz contact with a radius under a
// force f.
func (h *hertzPart) regained(f, radius float64) float64 {
	x := 3 * f / (4 * h.modulus * math.Sqrt(radius))
	return elementary.Cbrt(x * x)
}

// fullFlow is the linear last part of some loading curves.
type fullFlow struct {
	dp, fp float64 // its first deflection [m], and the force there [N]
	sp     float64 // slope [N/m]
}

// flow returns the force and slope at a deflection from dp on.
func (l *fullFlow) flow(d float64) (force, slope float64) {
	return l.fp + float64(l.sp*(d-l.dp)), l.sp
}

// flowWork returns the area under this part up to a deflection, 0 below dp [J].
func (l *fullFlow) flowWork(d float64) float64 {
	if d <= l.dp {
		return 0
	}
	f, _ := l.flow(d)
	return float64(0.5 * (l.fp + f) * (d - l.dp))
}

func (*hertzPart) exponent(float64) float64 { return 1.5 }

// Half of the ten-point Gauss rule on [-1, 1].
var (
	gaussNode   = [5]float64{0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717}
	gaussWeight = [5]float64{0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806, 0.0666713443086881}
)

// gauss returns the integral of f from a to b. It is exact to rounding if b <=
// 2a and f is smooth away from zero.
func gauss(f func(float64) float64, a, b float64) float64 {
	mid, half, sum := float64(0.5*(a+b)), float64(0.5*(b-a)), 0.0
	for i, x := range gaussNode {
		x = float64(x * half)
		sum += float64(gaussWeight[i] * (f(mid-x) + f(mid+x)))
	}
	return float64(half * sum)
}

// doublings is the integral of a function from start, tabulated at start times
// the powers of two.
type doublings struct {
	f     func(float64) float64
	start float64
	table [64]float64
}

func newDoublings(f func(float64) float64, start float64) *doublings {
	d := &doublings{f: f, start: start}
	a, sum := start, 0.0
	for i := range d.table {
		d.table[i] = sum
		sum += gauss(f, a, 2*a)
		a *= 2
	}
	return d
}

// to returns the integral up to b, not below the start.
func (d *doublings) to(b float64) float64 {
	i := min(max(math.Ilogb(b/d.start), 0), len(d.table)-1)
	return d.table[i] + gauss(d.f, math.Ldexp(d.start, i), b)
}
