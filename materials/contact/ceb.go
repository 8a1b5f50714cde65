package contact

import "math"

// ceb is W. Chang, I. Etsion and D. Bogy's law, J. Tribol. 109, 1987, the first
// law with an elastic and a plastic part. The plastic volume is conserved, and
// the pressure there is K H,
//
//	F = 4/3 E* sqrt(R) d^(3/2)     d < d_c = R (pi K H/(2 E*))^2
//	F = pi R (2 d - d_c) K H       d >= d_c,  K = 0.454 + 0.41 nu
//
// The force jumps by half of itself at d_c, since K H is the greatest pressure
// below d_c and the mean pressure above. Unloading, with the exponent 3/2,
// returns the energy of W. Chang and F. Ling, J. Tribol. 114, 1992, 8/15 E*
// sqrt(R) (d_c (2 d_max - d_c))^(5/4). Force in N, deflection in m.
type ceb struct {
	hertzPart
	pressure, dc float64
}

func init() {
	Register(Model{
		Name:   "ceb",
		Kind:   Point,
		Title:  "elastic, then plastic at constant volume; the force jumps by half",
		Source: "W. Chang, I. Etsion, D. Bogy, J. Tribol. 109, 1987; unloading W. Chang, F. Ling, J. Tribol. 114, 1992",
		Formula: "F = 4/3 E* sqrt(R) d^(3/2), d < d_c = R (pi K H/(2 E*))^2, K = 0.454 + 0.41 nu\n" +
			"F = pi R (2 d - d_c) K H, d >= d_c\n" +
			"F = F_max ((d - d_res)/(d_max - d_res))^(3/2) below the peak, returning 8/15 E* sqrt(R) (d_c (2 d_max - d_c))^(5/4)",
		Parameters: sphereParameters(positive("hardness", "hardness of the weaker body", "Pa"), poissonParameter()),
		New: func(v map[string]float64) (Law, error) {
			l := &ceb{hertzPart: newHertzPart(v)}
			l.pressure = (0.454 + float64(0.41*v["poisson"])) * v["hardness"]
			l.dc = l.yieldPoint(l.pressure)
			return newQuasiStatic(l, v), nil
		},
	})
}

func (l *ceb) load(d, _ float64) (force, slope float64) {
	if d < l.dc {
		return l.elastic(d)
	}
	s := float64(math.Pi * l.radius * l.pressure)
	return float64(s * (float64(2*d) - l.dc)), float64(2 * s)
}

func (l *ceb) work(d float64) float64 {
	if d < l.dc {
		return l.elasticWork(d)
	}
	return l.elasticWork(l.dc) + float64(math.Pi*l.radius*l.pressure*d*(d-l.dc))
}

func (l *ceb) recovered(d, f float64) float64 {
	if d < l.dc {
		return d
	}
	return 2.5 * l.elasticWork(math.Sqrt(l.dc*(float64(2*d)-l.dc))) / f
}
