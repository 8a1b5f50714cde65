package contact

import (
	"math"

	"fdem/materials/elementary"
)

// The review's own two laws replace an elastoplastic curve by one stiffness. It
// is the chord Kp of Ma and Liu's law between first yield d_y and full
// plasticity d_p, G. Wang et al., review of contact force models, eq. (45). One
// law adds a hysteretic damper, eq. (53), the other a dashpot, eq. (55):
//
//	F = Kp d (1 + 3 (1-r)/(2 r) v/v0)
//	F = Kp d + 2 |ln r| sqrt(Kp M/(pi^2 + ln^2 r)) v
//
// The chord does not depend on the modulus, since the law is linear in d apart from a
// logarithm. r is the given restitution, best that of the elastoplastic law itself. The
// review claims that eq. (53) then loses the same energy within 0.25 %. In its own
// example, Table 5, the result is off by 0.78 %.

func init() {
	const review = "G. Wang et al., review of contact force models, eqs. (45), "
	const chord = "\nKp = (F(d_p) - F(d_y))/(d_p - d_y) of Ma and Liu's law, d_p = d_y xi^2/2; the modulus drops out"
	psi, xi := 3.0, 13.0
	parameters := func(more ...Parameter) []Parameter {
		return append([]Parameter{
			positive("radius", "effective radius, R1 R2/(R1+R2)", "m"),
			positive("yield", "yield stress of the softer body", "Pa"),
			{Name: "psi", Doc: "greatest mean pressure over the yield stress", Unit: "1", OpenMin: true, Max: 100, Default: &psi},
			{Name: "xi", Doc: "extent of the elastoplastic range, d_p/d_y = xi^2/2", Unit: "1", Min: math.Sqrt2, OpenMin: true, Max: 1000, Default: &xi},
		}, more...)
	}
	Register(Model{
		Name: "elastoplastic-hysteretic", Kind: Point, Title: "hysteretic damper over a linear elastoplastic stiffness",
		Source:     review + "(53)",
		Formula:    "F = Kp d (1 + 3 (1-r)/(2 r) v/v0), v0 the rate at which the contact began, r the given restitution" + chord,
		Parameters: parameters(restitutionPut(0, true), rawForce()),
		New: func(v map[string]float64) (Law, error) {
			k := elastoplasticStiffness(v["radius"], v["yield"], v["psi"], v["xi"])
			r := v["restitution"]
			return newHysteretic(k, 1, 1.5*(1-r)/r, v["raw"] == 1)
		},
	})
	Register(Model{
		Name: "elastoplastic-viscous", Kind: Point, Title: "dashpot beside a linear elastoplastic stiffness",
		Source:     review + "(54), (55)",
		Formula:    "F = Kp d + D v\nD = 2 |ln r| sqrt(Kp mass/(pi^2 + ln^2 r)), r the given restitution" + chord,
		Parameters: parameters(effectiveMass(), restitutionPut(0, true), rawForce()),
		New: func(v map[string]float64) (Law, error) {
			k := elastoplasticStiffness(v["radius"], v["yield"], v["psi"], v["xi"])
			return Viscous{K: k, N: 1, Chi: linearDamping(k, v["mass"], v["restitution"]), Raw: v["raw"] == 1}, nil
		},
	})
}

// elastoplasticStiffness returns Kp of eq. (45) [N/m] from Ma and Liu's law,
// Table 3: F = d (c1 + c2 ln(d/d_y)) + c3 between d_y and d_p = d_y xi^2/2, with
// the pressure p_y = 1.61 yield at first yield and the slopes pi R p_y at d_y,
// which is Hertz's, and 2 pi R psi yield at d_p. It is positive for any psi and
// any xi above sqrt(2).
func elastoplasticStiffness(radius, yield, psi, xi float64) float64 {
	py := float64(1.61 * yield)
	ratio := float64(0.5 * xi * xi) // d_p/d_y
	ln := elementary.Log(ratio)
	full := float64(2 * psi * yield)
	c1 := (float64(py*(1+ln)) - full) / ln
	c2 := (full - py) / ln
	// F(d_p) - F(d_y) over pi R d_y; c3 cancels.
	rise := float64(ratio*(c1+float64(c2*ln))) - c1
	return math.Pi * radius * (rise / (ratio - 1))
}
