package contact

// repeated gives a quasi-static law one of the two memories of M. Warzecha and
// R. Grzejda (An improved approach in the application of an elastic-plastic
// contact force model in the modelling of multiple impacts, Fig. 5). They
// depend on the sign of the deflection rate.
//
// Basic: the law follows the loading curve whenever the rate is positive, and
// the unloading curve otherwise. When an impact ends, the residual deformation
// is subtracted from the deflection, and the next impact meets a virgin
// contact. The force jumps where compression resumes during restitution.
//
// Enhanced: compression that resumes during restitution loads along F(d - s).
// The shift s follows from continuity of the force at that time. The next
// unloading is computed for the unshifted d. Kogut and Etsion's regime also
// depends on the unshifted d, which reproduces the published digits. Laws that
// are continuous at their bounds use d - s. A later impact follows the
// unloading curve of the earlier one to its peak.
//
// Both are for impacts. With the enhanced memory a contact that vibrates
// without separation loses force in every cycle, down to zero: resumed loading
// runs below the unloading curve that it left, and the next unloading starts
// from that lower peak. With the basic memory it takes energy in every cycle.
// The memory of quasiStatic does neither and is the default.
type repeated struct {
	quasiStatic
	enhanced bool
}

// The memory of repeated, after that of quasiStatic.
const (
	repeatedShift = iota + quasiStaticMemorySize // shift of the deflection, for the loading curve [m]
	repeatedPhase
	repeatedMemorySize
)

// The phases of an enhanced contact.
const (
	compression = iota
	restitution // of an impact with a greater peak than earlier ones
	separated   // after an impact, or in a later one below the earlier peaks
)

// Memory names the deflection [m] and the force [N] at the start of unloading,
// the deflection at its end [m], the shift of the loading curve [m] and the
// phase.
func (r *repeated) Memory() []string {
	return append(r.quasiStatic.Memory(), "shift", "phase")
}

// Eval implements Law.
func (r *repeated) Eval(in Input, out Output) {
	for i, d := range in.D {
		memory := [repeatedMemorySize]float64(in.Mem[i*repeatedMemorySize:])
		var s segment
		if r.enhanced {
			s = r.enhancedAt(d, in.Rate[i], &memory)
		} else {
			s = r.basicAt(d, in.Rate[i], &memory)
		}
		copy(out.Mem[i*repeatedMemorySize:], memory[:])
		out.P[i], out.DP[i], out.K[i], out.W[i] = s.force, s.slope, s.stiffest, s.stored
	}
}

func (r *repeated) basicAt(d, rate float64, memory *[repeatedMemorySize]float64) segment {
	d -= memory[repeatedShift]
	peak, residual := memory[quasiStaticPeak], memory[quasiStaticResidual]
	if d > 0 && (rate > 0 || d > peak) {
		s := r.first(d, d)
		memory[quasiStaticPeak], memory[quasiStaticForce], memory[quasiStaticResidual] = d, s.force, s.residual
		return s
	}
	if d > 0 && d > residual {
		s := r.back(d, peak, memory[quasiStaticForce], residual)
		_, slope := r.load(d, d)
		s.stiffest = max(s.stiffest, slope)
		return s
	}
	*memory = [repeatedMemorySize]float64{repeatedShift: memory[repeatedShift] + max(residual, 0)}
	return segment{}
}

func (r *repeated) enhancedAt(d, rate float64, memory *[repeatedMemorySize]float64) segment {
	peak, phase := memory[quasiStaticPeak], memory[repeatedPhase]
	var s segment
	switch {
	case d > peak:
		s = r.first(d-memory[repeatedShift], d)
	default:
		s = r.back(d, peak, memory[quasiStaticForce], memory[quasiStaticResidual])
		switch {
		case s.force == 0:
			memory[repeatedPhase] = separated
			return s
		case phase == separated || d == peak:
			return s
		case !(rate > 0):
			memory[repeatedPhase] = restitution
			return s
		case phase == compression:
			return s
		}
		x := r.inverse(s.force, d)
		memory[repeatedShift] = d - x
		s = r.first(x, d)
	}
	*memory = [repeatedMemorySize]float64{d, s.force, s.residual, memory[repeatedShift], compression}
	return s
}

// inverse returns the deflection of a force f on the loading curve, in the
// regime of the deflection total if the law depends on it.
func (r *repeated) inverse(f, total float64) float64 {
	lo, hi := 0.0, total
	for v, _ := r.load(hi, total); v < f; v, _ = r.load(hi, total) {
		lo, hi = hi, 2*hi
	}
	x := hi
	for range 200 {
		v, slope := r.load(x, total)
		if v < f {
			lo = x
		} else {
			hi = x
		}
		next := x - (v-f)/slope
		if !(next > lo && next < hi) {
			next = 0.5 * (lo + hi)
		}
		if next == x || hi-lo <= 1e-16*hi {
			break
		}
		x = next
	}
	return x
}
