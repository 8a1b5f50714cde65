package bolt

import "math"

// Dowel is the resistance of a bar to the shear of a joint or a crack that it crosses. With the
// displacement d of the far face against the near one, across the bar, and the part r of it that is
// plastic it is
//
//	Q = k (d - r), |Q| <= S
//
// as in the local reinforcement of J. A. Lemos, R. D. Hart, P. A. Cundall, Proc. Int. Symp. Fundamentals
// of Rock Joints (1985) 335.
type Dowel struct {
	Shear    float64 // k: force over displacement [N/m]; 0 for none
	Shearing float64 // S: force at which the bar shears [N]; +Inf if it does not
}

// Resist returns the force [N] and its slope [N/m] at a displacement and its plastic part [m].
func (d *Dowel) Resist(displacement, plastic float64) (force, slope float64) {
	force = float64(d.Shear * (displacement - plastic))
	if math.Abs(force) >= d.Shearing {
		return math.Copysign(d.Shearing, force), 0
	}
	return force, d.Shear
}

// Release returns the plastic part of a displacement at which the force is one that Resist has returned,
// or 0 where the bar is broken, and the energy that has been dissipated since the force was another, by the
// trapezoid [J].
func (d *Dowel) Release(displacement, plastic, force, before float64) (now, dissipated float64) {
	if force != 0 && math.Abs(force) < d.Shearing {
		return plastic, 0
	}
	now = displacement - force/d.Shear
	return now, float64(0.5 * (force + before) * (now - plastic))
}
