package contact

import "math"

// Volumetric is the pressure of Y. Gonthier, J. McPhee, C. Lange and J.-C.
// Piedboeuf's contact by volume (2004): an elastic foundation with a damper
// that grows with its compression,
//
//	p = k_f/h_f d (1 + a v)
//
// eq. (1), not below 0. A [[contact]] under this law measures the overlap of
// whole bodies and takes the integrals of the pressure over it: resultant,
// point of action and rolling torque (package volume). As a law of a contact
// node it is the pressure at that node.
type Volumetric struct {
	K float64 // k_f/h_f [Pa/m]
	A float64 // damping [s/m]
}

func init() {
	none := 0.0
	Register(Model{
		Name:   "volumetric",
		Title:  "elastic foundation, integrated over the overlap of whole bodies",
		Source: "Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedboeuf, A novel contact model based on volumetric information, 2004, eqs. (1) to (4)",
		Formula: "p = k_f/h_f d (1 + a v), not below 0\n" +
			"force k_f/h_f V (1 + a v_c) at the overlap's centroid, V its volume, v_c the speed of approach there\n" +
			"rolling torque k_f/h_f a J omega, J the overlap's second moment along the contact line",
		Parameters: []Parameter{
			{Name: "k_f", Doc: "modulus of the foundation", Unit: "Pa", OpenMin: true, Max: math.Inf(1)},
			{Name: "h_f", Doc: "depth of the foundation", Unit: "m", OpenMin: true, Max: math.Inf(1)},
			{Name: "a", Doc: "damping over speed of approach", Unit: "s/m", Max: math.Inf(1), Default: &none},
		},
		New: func(v map[string]float64) (Law, error) { return Volumetric{v["k_f"] / v["h_f"], v["a"]}, nil },
	})
}

// Force returns the normal force [N] of an overlap with the given volume [m3],
// at the approach speed v [m/s] of the bodies at its centroid (eq. (3)). It is
// 0 if the bodies separate so fast that it would pull. In the plane the volume
// is the area times the thickness.
func (l Volumetric) Force(volume, v float64) float64 {
	return l.K * volume * max(0, 1+float64(l.A*v))
}

// RollingTorque returns the torque [N m] at the centroid that opposes the
// relative angular velocity omega [rad/s] (eq. (4)), with j the second moment of
// the volume [m5], in the plane that of the area times the thickness. It is 0 if
// the bodies separate so fast that Force is 0. Both are exact as long as no
// point of the contact separates so fast.
func (l Volumetric) RollingTorque(j, v, omega float64) float64 {
	if 1+float64(l.A*v) <= 0 {
		return 0
	}
	return -l.K * l.A * j * omega
}

// Memory returns nil.
func (Volumetric) Memory() []string { return nil }

// Eval implements Law.
func (l Volumetric) Eval(in Input, out Output) {
	for i, d := range in.D {
		d = max(d, 0)
		elastic := float64(l.K * d)
		grown := max(0, 1+float64(l.A*in.Rate[i]))
		out.P[i], out.DP[i] = elastic*grown, 0
		out.K[i] = float64(l.K * max(1, grown))
		out.W[i] = 0.5 * elastic * d
		if d > 0 {
			out.DP[i] = float64(l.K * grown)
		}
	}
}
