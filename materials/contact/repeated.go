package contact

// repeated gives a quasi-static law one of the two memories of M. Warzecha and
// R. Grzejda (An improved approach in the application of an elastic-plastic
// contact force model in the modelling of multiple impacts, Fig. 5), which go
// by the sign of the deflection rate.
//
// Basic: the loading curve whenever the rate is positive, the unloading curve
// otherwise; when an impact ends the deformation that stays is taken off the
// deflection, and the next one finds a virgin contact. The force jumps where
// compression resumes during restitution.
//
// Enhanced: compression that resumes during restitution loads along F(d - s),
// s from continuity of the force at the switch, with the unloading that
// follows measured at the unshifted d. Kogut and Etsion's regime goes by the
// unshifted d too, which meets the published digits; laws whose branches end
// at their bounds go by d - s. A later impact follows the unloading curve of
// the earlier one to its peak.
//
// Both are for impacts. A contact that shakes without separating loses force
// under the enhanced memory, cycle by cycle down to nothing: a resumed loading
// runs under the unloading curve it left, and the next unloading starts from
// that lower peak. Under the basic memory it takes energy in every cycle. The
// frame's own memory (quasiStatic) does neither and is the default.
type repeated struct {
	quasiStatic
	enhanced bool
}

// What repeated remembers after what quasiStatic does.
const (
	repeatedShift = iota + quasiStaticMemorySize // of the deflection, for the loading curve [m]
	repeatedPhase
	repeatedMemorySize
)

// The phases of an enhanced contact.
const (
	compression = iota
	restitution // of an impact that has gone beyond earlier ones
	apart       // after an impact, or in a later one within the earlier ones
)

// Memory names the deflection [m] and the force [N] that unloading starts
// from, the deflection it ends at [m], the shift of the loading curve [m] and
// the phase.
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
			memory[repeatedPhase] = apart
			return s
		case phase == apart || d == peak:
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

// inverse returns the deflection of force f on the loading curve, in the
// regime of the deflection total where the law goes by it.
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
