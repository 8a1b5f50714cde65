package contact

import "math"

// Linear is the linear penalty law with a dashpot, p = k d + c v, without
// memory. It never pulls: during separation the pressure is zero if the dashpot
// would exceed the spring.
type Linear struct {
	K float64 // stiffness [Pa/m]
	C float64 // damping [Pa s/m]
}

func init() {
	none := 0.0
	Register(Model{
		Name:    "linear",
		Title:   "linear penalty, with a dashpot if c is given",
		Source:  "A. Munjiza, The Combined Finite-Discrete Element Method, 2004, chapter 2; dashpot: Kelvin and Voigt",
		Formula: "p = k d + c v, not below 0",
		Parameters: []Parameter{
			{Name: "k", Doc: "stiffness; a deck may leave it to the bodies in contact, k = \"auto\"", Unit: "Pa/m", OpenMin: true, Max: math.Inf(1), Auto: true},
			{Name: "c", Doc: "damping", Unit: "Pa*s/m", Max: math.Inf(1), Default: &none},
		},
		New: func(v map[string]float64) (Law, error) { return Linear{v["k"], v["c"]}, nil },
	})
}

// Memory returns nil.
func (Linear) Memory() []string { return nil }

// Damping implements Damped.
func (l Linear) Damping() float64 { return l.C }

// Eval implements Law.
func (l Linear) Eval(in Input, out Output) {
	rate, ps, dps, ks, ws := in.Rate[:len(in.D)], out.P[:len(in.D)], out.DP[:len(in.D)], out.K[:len(in.D)], out.W[:len(in.D)]
	for i, d := range in.D {
		if d <= 0 {
			d = 0
		}
		p, dp := float64(l.K*d), 0.0
		ws[i] = 0.5 * p * d
		if d > 0 {
			if p += float64(l.C * rate[i]); p <= 0 {
				p = 0
			} else {
				dp = l.K
			}
		}
		ps[i], dps[i], ks[i] = p, dp, l.K
	}
}
