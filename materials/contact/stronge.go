package contact

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// stronge is W. Stronge's law, Impacts in Mechanical Systems, 2000; the review's Table 3:
// with d_y = R (3 pi/4)^2 (th Y/E*)^2 and x = 2 d/d_y - 1
//
//	F = 4/3 E* sqrt(R) d^(3/2)             d <= d_y
//	F = F_y x (1 + ln x/(3 th))            d_y <= d < d_p
//	F = F_y x 2.8/th                       d >= d_p, d_p/d_y = (exp(3 (2.8 - th)) + 1)/2
//
// Unloading is by Hertz's law with the radius sqrt(x) R, from the force at the
// peak. The published recovered deflection would drop the force to about half.
// The slope is not continuous at either bound. Force in N, deflection in m.
type stronge struct {
	hertzPart
	theta, dy, fy, xp float64
}

func init() {
	theta := positive("theta", "mean pressure at yield over the yield strength", "1")
	Register(Model{
		Name:   "stronge",
		Kind:   Point,
		Title:  "elastic, contained flow with a logarithm, full flow at 2.8 Y",
		Source: "W. Stronge, Impacts in Mechanical Systems, 2000; G. Wang et al., review, Table 3",
		Formula: "F = 4/3 E* sqrt(R) d^(3/2), d <= d_y = R (3 pi theta Y/(4 E*))^2\n" +
			"F = F_y x (1 + ln x/(3 theta)), x = 2 d/d_y - 1, up to x = exp(3 (2.8 - theta))\n" +
			"F = F_y x 2.8/theta beyond\n" +
			"F = 4/3 E* sqrt(R_u) (d - d_res)^(3/2) below the peak, R_u = sqrt(x_max) R",
		Parameters: sphereParameters(yieldParameter(), withDefault(theta, 1.1)),
		New: func(v map[string]float64) (Law, error) {
			l := &stronge{hertzPart: newHertzPart(v), theta: v["theta"]}
			if l.theta >= 2.8 {
				return nil, fmt.Errorf("theta must be below 2.8, where flow is full, got %g", l.theta)
			}
			a := 0.75 * math.Pi * l.theta * v["yield"] / l.modulus
			l.dy = float64(l.radius * a * a)
			l.fy, _ = l.elastic(l.dy)
			l.xp = elementary.Exp(3 * (2.8 - l.theta))
			return newQuasiStatic(l, v), nil
		},
	})
}

func (l *stronge) x(d float64) float64 { return 2*d/l.dy - 1 }

func (l *stronge) load(d, _ float64) (force, slope float64) {
	if d <= l.dy {
		return l.elastic(d)
	}
	x := l.x(d)
	if x >= l.xp {
		return l.fy * (2.8 / l.theta) * x, 2 * l.fy / l.dy * (2.8 / l.theta)
	}
	log := elementary.Log(x)
	return l.fy * x * (1 + log/(3*l.theta)), 2 * l.fy / l.dy * (1 + (1+log)/(3*l.theta))
}

func (l *stronge) work(d float64) float64 {
	if d <= l.dy {
		return l.elasticWork(d)
	}
	x := l.x(d)
	contained := min(x, l.xp)
	area := float64(contained*contained*(1+(elementary.Log(contained)-0.5)/(3*l.theta))) - (1 - 0.5/(3*l.theta))
	if x > l.xp {
		area += float64(2.8 / l.theta * (float64(x*x) - float64(l.xp*l.xp)))
	}
	return l.elasticWork(l.dy) + float64(0.25*l.fy*l.dy*area)
}

func (l *stronge) recovered(d, f float64) float64 {
	if d <= l.dy {
		return d
	}
	return l.regained(f, math.Sqrt(l.x(d))*l.radius)
}
