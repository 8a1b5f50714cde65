package contact

import "math"

// plateau is elastic loading up to a greatest pressure p_y, which is the limit
// of the pressure from there on. With d_y = R (pi p_y/(2 E*))^2
//
//	F = 4/3 E* sqrt(R) d^(3/2)      d <= d_y
//	F = F_y + pi p_y R (d - d_y)    d >= d_y
//
// Force and slope are continuous.
type plateau struct {
	hertzPart
	py, dy, fy float64
}

func newPlateau(v map[string]float64, py float64) plateau {
	l := plateau{hertzPart: newHertzPart(v), py: py}
	l.dy = l.yieldPoint(py)
	l.fy, _ = l.elastic(l.dy)
	return l
}

func (l *plateau) load(d, _ float64) (force, slope float64) {
	if d <= l.dy {
		return l.elastic(d)
	}
	slope = math.Pi * l.py * l.radius
	return l.fy + float64(slope*(d-l.dy)), slope
}

func (l *plateau) work(d float64) float64 {
	if d <= l.dy {
		return l.elasticWork(d)
	}
	f, _ := l.load(d, d)
	return l.elasticWork(l.dy) + float64(0.5*(l.fy+f)*(d-l.dy))
}

// thorntonRadius returns the radius of unloading in Thornton's law,
// 4E*/(3F_max) ((2F_max + F_y)/(2 pi p_y))^(3/2).
func (l *plateau) thorntonRadius(f float64) float64 {
	a := (float64(2*f) + l.fy) / (2 * math.Pi * l.py)
	return 4 * l.modulus / (3 * f) * a * math.Sqrt(a)
}

// thornton is C. Thornton's law, J. Appl. Mech. 64, 1997; the review's Table 3.
// The pressure at yield is p_y = 1.6 Y (printed as sigma_y). Force in N,
// deflection in m. The contact pressure stays at p_y. The law is too soft once
// plastic flow is confined, d >> d_y.
type thornton struct{ plateau }

func init() {
	Register(Model{
		Name:   "thornton",
		Kind:   Point,
		Title:  "elastic, then constant pressure",
		Source: "C. Thornton, J. Appl. Mech. 64, 1997; G. Wang et al., review, Table 3",
		Formula: "F = 4/3 E* sqrt(R) d^(3/2), d <= d_y = R (pi p_y/(2 E*))^2, p_y = 1.6 Y\n" +
			"F = F_y + pi p_y R (d - d_y), d >= d_y\n" +
			"F = 4/3 E* sqrt(R_p) (d - d_res)^(3/2) below the peak, R_p = 4E*/(3F_max) ((2F_max + F_y)/(2 pi p_y))^(3/2)",
		Parameters: sphereParameters(yieldParameter()),
		New: func(v map[string]float64) (Law, error) {
			return newQuasiStatic(&thornton{newPlateau(v, 1.6*v["yield"])}, v), nil
		},
	})
}

func (l *thornton) recovered(d, f float64) float64 {
	if d <= l.dy {
		return d
	}
	return l.regained(f, l.thorntonRadius(f))
}
