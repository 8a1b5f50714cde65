package contact

import "math"

// Hertz is the elastic contact of two spheres,
//
//	F = K d^(3/2),  K = 4/3 E* sqrt(R)
//
// without memory and without loss. G. Wang et al., review of contact force
// models, eqs. (1) and (2). The printed effective radius of eq. (2) has one
// square root too many.
type Hertz struct {
	K float64 // stiffness [N/m^1.5]
}

// HertzStiffness returns K = 4/3 E* sqrt(R) [N/m^1.5] of the effective modulus
// E*, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2 [Pa], and the effective radius
// R = R1 R2/(R1+R2) [m], with a minus sign for a ball in a socket.
func HertzStiffness(modulus, radius float64) float64 {
	return 4.0 / 3 * modulus * math.Sqrt(radius)
}

func init() {
	Register(Model{
		Name:       "hertz",
		Kind:       Point,
		Title:      "elastic spheres",
		Source:     "H. Hertz, 1882; G. Wang et al., review of contact force models, eqs. (1), (2)",
		Formula:    "F = K d^1.5\nK = 4/3 modulus sqrt(radius)",
		Parameters: spheres(),
		New: func(v map[string]float64) (Law, error) {
			return Hertz{HertzStiffness(v["modulus"], v["radius"])}, nil
		},
	})
}

// spheres returns the parameters of a law with Hertz's stiffness.
func spheres(more ...Parameter) []Parameter {
	return append([]Parameter{
		positive("radius", "effective radius, R1 R2/(R1+R2)", "m"),
		positive("modulus", "effective modulus, 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2", "Pa"),
	}, more...)
}

// effectiveMass returns the parameter of dampers that depend on the effective
// mass of the impact.
func effectiveMass() Parameter { return positive("mass", "effective mass, m1 m2/(m1+m2)", "kg") }

// restitutionPut returns the parameter of a damper's given restitution: above
// least if open, else from least on.
func restitutionPut(least float64, open bool) Parameter {
	return Parameter{Name: "restitution", Doc: "given restitution; 1 is elastic", Unit: "1", Min: least, OpenMin: open, Max: 1}
}

// choice returns a parameter with few values, ascending, that chooses the form
// of a law. value is its default.
func choice(name, doc string, value float64, of ...float64) Parameter {
	return Parameter{Name: name, Doc: doc, Unit: "1", Min: of[0], Max: of[len(of)-1], Choice: of, Default: &value}
}

// rawForce returns the parameter that lets the force of a damper pull.
func rawForce() Parameter {
	return choice("raw", "1 keeps the published force, which may pull; 0 sets negative forces to zero", 0, 0, 1)
}

// Memory returns nil.
func (Hertz) Memory() []string { return nil }

// Eval implements Law.
func (h Hertz) Eval(in Input, out Output) {
	for i, d := range in.D {
		d = max(d, 0)
		chord := h.K * math.Sqrt(d)
		out.P[i] = chord * d
		out.DP[i], out.K[i] = 1.5*chord, 1.5*chord
		out.W[i] = chord * d * d / 2.5
	}
}
