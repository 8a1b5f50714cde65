package contact

import (
	"math"

	"fdem/materials/elementary"
)

// jacksonGreen is R. Jackson and I. Green's law, J. Tribol. 127, 2005, with
// the unloading of R. Jackson, I. Green, D. Marghitu, Nonlinear Dyn. 60, 2010;
// the review's Table 3. With w = d/d_c, d_c = R (pi C Y/(2 E*))^2, C = 1.295
// exp(0.736 nu),
//
//	F/F_c = w^1.5                                                         w <= 1.9
//	F/F_c = exp(-w^(5/12)/4) w^1.5 + 4H/(C Y) (1 - exp(-w^(5/9)/25)) w    beyond
//	H/Y = 2.84 (1 - exp(-0.82 (pi C e_y/2 sqrt(w) (w/1.9)^(B/2))^-0.7))
//
// e_y = Y/E*, B = 0.14 exp(23 e_y). The force jumps by about half a percent at
// w = 1.9. Unloading leaves d_res = 1.02 d_max (1 - ((w + 5.9)/6.9)^-0.54)
// beyond w = 1.9, and zero below. The deflection recovered by that fit falls
// beyond w = 2386, where its slope is zero. From w = 10,018 on nothing is
// recovered, so that a contact would lose its force at once. Beyond 2386 the
// recovered deflection is therefore held constant.
//
// For Jackson and Green (2005) the review's Table 3 has another unloading beyond
// w = 1.9, by Hertz's law with the radius R cos(a/R). The contact radius a, at
// most R here, is a^2 = R d (w/1.9)^B. That returns far more energy than the fit
// of 2010. Just after the force's jump down, the remaining deflection is slightly
// negative. Force in N, deflection in m.
type jacksonGreen struct {
	hertzPart
	c, b   float64
	spread float64 // pi C e_y/2
	dc, fc float64
	energy *doublings // of F/F_c over w, from 1.9
	narrow bool       // unloading with the radius R cos(a/R)
}

func init() {
	Register(Model{
		Name:   "jackson-green",
		Kind:   Point,
		Title:  "finite-element fit with a hardness that falls as the contact grows",
		Source: "R. Jackson, I. Green, J. Tribol. 127, 2005; Jackson, Green, Marghitu, Nonlinear Dyn. 60, 2010; G. Wang et al., review, Table 3",
		Formula: "F = F_c w^(3/2), w = d/d_c <= 1.9, d_c = R (pi C Y/(2 E*))^2, C = 1.295 exp(0.736 nu)\n" +
			"F = F_c (exp(-w^(5/12)/4) w^(3/2) + 4H/(C Y) (1 - exp(-w^(5/9)/25)) w) beyond\n" +
			"H/Y = 2.84 (1 - exp(-0.82 (pi C e_y/2 sqrt(w) (w/1.9)^(B/2))^-0.7)), B = 0.14 exp(23 e_y), e_y = Y/E*\n" +
			"F = F_max ((d - d_res)/(d_max - d_res))^(3/2) below the peak, d_res = 1.02 d_max (1 - ((w + 5.9)/6.9)^-0.54)\n" +
			"2005: F = 4/3 E* sqrt(R_b) (d - d_res)^(3/2) below the peak, R_b = R cos(a/R), a^2 = R d_max (w/1.9)^B",
		Parameters: sphereParameters(yieldParameter(), poissonParameter(),
			choice("unloading", "unloading: 2010 by Jackson, Green and Marghitu's fit of the residual deflection; 2005 with the radius R cos(a/R), a the contact radius, as the review prints under Jackson and Green", 2010, 2005, 2010)),
		New: func(v map[string]float64) (Law, error) {
			l := &jacksonGreen{hertzPart: newHertzPart(v), narrow: v["unloading"] == 2005}
			ey := v["yield"] / l.modulus
			l.c = 1.295 * elementary.Exp(0.736*v["poisson"])
			l.b = 0.14 * elementary.Exp(23*ey)
			l.spread = math.Pi * l.c * ey / 2
			l.dc = l.yieldPoint(l.c * v["yield"])
			l.fc, _ = l.elastic(l.dc)
			l.energy = newDoublings(func(w float64) float64 {
				f, _ := l.plastic(w)
				return f
			}, 1.9)
			return newQuasiStatic(l, v), nil
		},
	})
}

// residualPeakW is the w at which w - d_res/d_c is greatest, the root of
// 1.02 ((w+5.9)/6.9)^-0.54 (1 - 0.54 w/(w+5.9)) = 0.02.
const residualPeakW = 2386.41627190611

// plastic is F/F_c and its slope in w beyond 1.9.
func (l *jacksonGreen) plastic(w float64) (f, slope float64) {
	log := elementary.Log(w)
	p, q := 0.25*elementary.Exp(5.0/12*log), 0.04*elementary.Exp(5.0/9*log)
	fade, rest := elementary.Exp(-p), elementary.Exp(-q)
	t := 0.82 * elementary.Pow(l.spread*math.Sqrt(w)*elementary.Pow(w/1.9, l.b/2), -0.7)
	soft := elementary.Exp(-t)
	h := 4 * 2.84 / l.c
	elastic, flow := float64(fade*w*math.Sqrt(w)), float64(h*(1-soft)*(1-rest)*w)
	slope = float64(elastic*(1.5-float64(5.0/12*p))/w) + flow/w +
		float64(h*(1-soft)*rest*(5.0/9)*q) -
		float64(h*soft*t*0.35*(1+l.b)*(1-rest))
	return elastic + flow, slope
}

func (l *jacksonGreen) load(d, _ float64) (force, slope float64) {
	w := d / l.dc
	if w <= 1.9 {
		return l.elastic(d)
	}
	f, s := l.plastic(w)
	return l.fc * f, l.fc / l.dc * s
}

func (l *jacksonGreen) work(d float64) float64 {
	w := d / l.dc
	if w <= 1.9 {
		return l.elasticWork(d)
	}
	return l.elasticWork(1.9*l.dc) + float64(l.fc*l.dc*l.energy.to(w))
}

func (l *jacksonGreen) recovered(d, f float64) float64 {
	w := d / l.dc
	if w <= 1.9 {
		return d
	}
	if l.narrow {
		a := math.Sqrt(d / l.radius * elementary.Pow(w/1.9, l.b)) // over R
		return l.regained(f, l.radius*elementary.Cos(min(a, 1)))
	}
	if w > residualPeakW {
		d, w = residualPeakW*l.dc, residualPeakW
	}
	return d - float64(1.02*d*(1-elementary.Pow((w+5.9)/6.9, -0.54)))
}
