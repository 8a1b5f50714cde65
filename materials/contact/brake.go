package contact

import (
	"fmt"
	"math"
)

// brake is M. Brake's law, Int. J. Solids Struct. 49, 2012; the review's Table
// 3. It is Hertz's law up to d_y = R (pi 1.6 Y/(2 E*))^2. Beyond d_p = a_p^2/R
// the flow pressure p_0 acts on the contact area pi (2 R d + c). Between them
// is the cubic with the forces and slopes at both ends,
//
//	F = p_0 pi (2 R d + c),  a_p = 3 pi R p_0/(4 E*),  c = a_p^2 - 2 R d_p
//
// p_0 is the hardness. In print the plastic branch has twice the slope, and the
// cubic's linear term has no subscript; both follow from continuity. Unloading
// is by Hertz's law with the radius R + d_max/2, or with R F_Hertz(d_max)/F_max
// (M. Brake, Int. J. Solids Struct. 62, 2015), which leaves the deflection
// d_max (1 - F_max/F_Hertz). Force in N, deflection in m.
//
// Unloading returns more energy from a peak of 8 d_y than from one of 4 d_y.
// Both published forms create energy between about 6 and 16 d_y. The limited
// form returns to a virgin contact all of its work there. But to a contact that
// first unloaded at 4 d_y it still returns the energy lost in that unloading.
type brake struct {
	hertzPart
	fullFlow
	dy, fy, sy float64
	later      bool // the unloading of 2015
}

func init() {
	Register(Model{
		Name:   "brake",
		Kind:   Point,
		Title:  "elastic and fully plastic, joined by a cubic",
		Source: "M. Brake, Int. J. Solids Struct. 49, 2012, and 62, 2015; G. Wang et al., review, Table 3",
		Formula: "F = 4/3 E* sqrt(R) d^(3/2), d <= d_y = R (pi 1.6 Y/(2 E*))^2\n" +
			"F = pi H (2 R d + c), d >= d_p = a_p^2/R, a_p = 3 pi R H/(4 E*), c = a_p^2 - 2 R d_p\n" +
			"F = the cubic with the forces and slopes of both in between\n" +
			"F = 4/3 E* sqrt(R_u) (d - d_res)^(3/2) below the peak, R_u = R + d_max/2; 2015: R F_Hertz(d_max)/F_max",
		Parameters: sphereParameters(yieldParameter(), positive("hardness", "hardness, the pressure of full flow", "Pa"),
			choice("unloading", "unloading: 2012 with the radius R + d_max/2; 2015 with R F_Hertz(d_max)/F_max", 2012, 2012, 2015)),
		New: func(v map[string]float64) (Law, error) {
			l := &brake{hertzPart: newHertzPart(v), later: v["unloading"] == 2015}
			l.dy = l.yieldPoint(1.6 * v["yield"])
			l.fy, l.sy = l.elastic(l.dy)
			l.dp = l.yieldPoint(1.5 * v["hardness"])
			if l.dp <= l.dy {
				return nil, fmt.Errorf("hardness must be greater than 1.6/1.5 yield, got %g Pa to %g Pa", v["hardness"], v["yield"])
			}
			l.sp = 2 * math.Pi * l.radius * v["hardness"]
			l.fp = 0.5 * l.sp * l.dp
			return newQuasiStatic(l, v), nil
		},
	})
}

// cubic is the coefficients after F_y, in t = (d - d_y)/(d_p - d_y).
func (l *brake) cubic() (a, b, c float64) {
	gap := l.dp - l.dy
	a, b, c = float64(gap*l.sy), float64(gap*l.sp), l.fp-l.fy
	return a, float64(3*c) - float64(2*a) - b, a + b - float64(2*c)
}

func (l *brake) load(d, _ float64) (force, slope float64) {
	switch {
	case d <= l.dy:
		return l.elastic(d)
	case d >= l.dp:
		return l.flow(d)
	}
	a, b, c := l.cubic()
	t := (d - l.dy) / (l.dp - l.dy)
	force = l.fy + float64(t*(a+float64(t*(b+float64(t*c)))))
	return force, (a + float64(t*(float64(2*b)+float64(3*c*t)))) / (l.dp - l.dy)
}

func (l *brake) work(d float64) float64 {
	if d <= l.dy {
		return l.elasticWork(d)
	}
	gap := l.dp - l.dy
	a, b, c := l.cubic()
	t := min((d-l.dy)/gap, 1)
	w := l.elasticWork(l.dy) + float64(gap*t*(l.fy+float64(t*(float64(a/2)+float64(t*(float64(b/3)+float64(t*c/4)))))))
	return w + l.flowWork(d)
}

func (l *brake) recovered(d, f float64) float64 {
	if d <= l.dy {
		return d
	}
	if l.later {
		hertz, _ := l.elastic(d)
		return l.regained(f, l.radius*hertz/f)
	}
	return l.regained(f, l.radius+float64(d/2))
}
