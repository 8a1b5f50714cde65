package diffusion_test

import "math"

// besselK returns the modified Bessel function of the second kind of order n, besselI the one of the first kind
// times exp(-x): trapezoids of their integrals (Abramowitz and Stegun, 9.6.24 and 9.6.19).
func besselK(n, x float64) (sum float64) {
	const h = 0.01
	for t := 0.0; ; t += h {
		v := math.Exp(-x*math.Cosh(t)) * math.Cosh(n*t)
		if t == 0 {
			v /= 2
		}
		sum += h * v
		if t > 1 && v < 1e-18*sum || x*math.Cosh(t) > 740 {
			return sum
		}
	}
}

func besselI(n, x float64) (sum float64) {
	const parts = 4000
	for k := range parts {
		t := 2 * math.Pi * float64(k) / parts
		sum += math.Exp(x*(math.Cos(t)-1)) * math.Cos(n*t) / parts
	}
	return sum
}

// stehfest returns the value at time t of the function whose Laplace transform is f (Stehfest, Comm. ACM 13,
// 1970).
func stehfest(t float64, f func(s float64) float64) (sum float64) {
	const n = 12
	factorial := func(k int) float64 { return math.Gamma(float64(k) + 1) }
	for i := 1; i <= n; i++ {
		v := 0.0
		for k := (i + 1) / 2; k <= min(i, n/2); k++ {
			v += math.Pow(float64(k), n/2) * factorial(2*k) / (factorial(n/2-k) * factorial(k) * factorial(k-1) * factorial(i-k) * factorial(2*k-i))
		}
		if (n/2+i)%2 == 1 {
			v = -v
		}
		sum += v * f(float64(i)*math.Ln2/t)
	}
	return sum * math.Ln2 / t
}

// poroelastic are the constants of a material (Detournay and Cheng, 1993).
type poroelastic struct {
	diffusivity float64 // c [m2/s]
	undrained   float64 // B (1 + nu_u)/3: pressure over the sum of the stresses in the plane
	eta         float64 // b (1 - 2 nu)/(2 (1 - nu))
}

// ofSandstone are those of the material of the references.
func ofSandstone() poroelastic {
	const k, g, b, m, nu, mobility = 8e9, 6e9, 0.79, 9789227166.276346, 0.2, 1.9e-10
	ku := k + b*b*m
	nuu := (3*ku - 2*g) / (2 * (3*ku + g))
	return poroelastic{mobility / (1/m + b*b/(k+4*g/3)), b * m / ku * (1 + nuu) / 3, b * (1 - 2*nu) / (2 * (1 - nu))}
}

// pressures returns k of p = k (Z - H), with Z = the sum of stresses + p/undrained, which diffuses, and H = that
// sum + 2 eta p, which is harmonic.
func (m poroelastic) pressures() float64 { return 1 / (1/m.undrained - 2*m.eta) }

// raisedWall returns the pressure at a time around a borehole of radius a whose wall has had the pressure 1
// since time 0 (mode 2 of Detournay and Cheng, 1988).
func (m poroelastic) raisedWall(a, r, t float64) float64 {
	return stehfest(t, func(s float64) float64 {
		q := math.Sqrt(s / m.diffusivity)
		return besselK(0, q*r) / besselK(0, q*a) / s
	})
}

// raisedHoop returns the total hoop stress at radius r by that pressure, whose wall does not move.
func (m poroelastic) raisedHoop(a, r, t float64) float64 {
	const parts = 20 // Simpson's rule
	sum := 0.0
	for i := range parts + 1 {
		x := a + (r-a)*float64(i)/parts
		sum += []float64{2, 4}[i%2] * m.raisedWall(a, x, t) * x
	}
	sum -= m.raisedWall(a, a, t)*a + m.raisedWall(a, r, t)*r
	return 2 * m.eta * (sum*(r-a)/(3*parts)/(r*r) - m.raisedWall(a, r, t))
}

// drilled returns the pressure and the hoop stress, times cos 2 theta, that a borehole of radius a adds in ground
// with the radial stress cos 2 theta and the shear stress -sin 2 theta far away, if it has been there with
// no pressure at its wall since time 0 (mode 3). Z is K2 of r sqrt(s/c), H the power -2 of r, and Airy's
// function follows from their sum.
func (m poroelastic) drilled(a, r, t float64) (pressure, hoop float64) {
	k := m.pressures()
	at := func(s, r float64) (p, radial, hoop, shear [3]float64) { // of Z, H and the harmonic part of Airy's function
		q := math.Sqrt(s / m.diffusivity)
		x := q * r
		k1, k2 := besselK(1, x), besselK(2, x)
		slope, curved := q*(-k1-2*k2/x), q*q*(k1/x+(1+6/(x*x))*k2) // of K2
		unit := besselK(2, q*a)
		f := [3]float64{-2 * m.eta * k / (q * q) * k2 / unit, -(1 + 2*m.eta*k) * a * a / 4, a * a * a * a / (r * r)}
		f1 := [3]float64{-2 * m.eta * k / (q * q) * slope / unit, 0, -2 * a * a * a * a / (r * r * r)}
		f2 := [3]float64{-2 * m.eta * k / (q * q) * curved / unit, 0, 6 * a * a * a * a / (r * r * r * r)}
		p = [3]float64{k * k2 / unit, -k * a * a / (r * r), 0}
		for i := range f {
			radial[i], hoop[i], shear[i] = f1[i]/r-4*f[i]/(r*r), f2[i], 2*(f1[i]/r-f[i]/(r*r))
		}
		return p, radial, hoop, shear
	}
	solved := func(s float64) [3]float64 { // no pressure, radial stress -1 and shear stress 1 at the wall, over s
		p, radial, _, shear := at(s, a)
		rows := [3][4]float64{{p[0], p[1], p[2], 0}, {radial[0], radial[1], radial[2], -1 / s}, {shear[0], shear[1], shear[2], 1 / s}}
		for i := range 3 {
			for j := range 3 {
				if by := rows[j][i] / rows[i][i]; j != i {
					for c := range 4 {
						rows[j][c] -= by * rows[i][c]
					}
				}
			}
		}
		return [3]float64{rows[0][3] / rows[0][0], rows[1][3] / rows[1][1], rows[2][3] / rows[2][2]}
	}
	sum := func(pick func(p, hoop [3]float64) [3]float64) float64 {
		return stehfest(t, func(s float64) float64 {
			of := solved(s)
			p, _, hoop, _ := at(s, r)
			v := pick(p, hoop)
			return of[0]*v[0] + of[1]*v[1] + of[2]*v[2]
		})
	}
	return sum(func(p, _ [3]float64) [3]float64 { return p }), sum(func(_, hoop [3]float64) [3]float64 { return hoop })
}

// pressedCylinder returns the pressure at the axis of a cylinder of radius a whose surface, without pore pressure, has
// had the pressure 1 since time 0 (de Leeuw, 1964, as Cryer's sphere).
func (m poroelastic) pressedCylinder(a, t float64) float64 {
	k := m.pressures()
	return stehfest(t, func(s float64) float64 {
		x := a * math.Sqrt(s/m.diffusivity)
		i0, i1 := besselI(0, x), besselI(1, x)
		z := -1 / (0.5*i0 - 2*m.eta*k*(i1/x-0.5*i0)) // times exp(-x)
		return k * z * (math.Exp(-x) - i0) / s
	})
}
