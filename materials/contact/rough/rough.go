// Package rough solves the normal contact of two rough spheres by the models of
// Greenwood and Williamson: in their classic form (GW), extended to spheres
// that overlap (E-GW), and with asperities that yield (EP-GW). T. Zhao, Y. T.
// Feng, J. Appl. Mech. 85(10), 2018. Equation numbers are those of the paper;
// misprints are corrected.
//
// Two unknown functions of the distance r from the axis are coupled. Asperities
// of Gaussian heights are flattened to the separation s(r) of the surfaces and
// carry the pressure p(r). The pressure deforms the bulk, a half space, by
// w(r), which increases the separation:
//
//	p(r) = C sigma^(3/2) G(s(r)/sigma),  C = mu E / (2 sigma sqrt(2 R))    (8), (44)
//	s(r) = w(r) + z(r)                                                    (3), (29)
//	w(r) = 4/(pi E) integral of t/(r+t) p(t) K(k) dt                      (10), (32)
//
// In GW z is that of the undeformed sphere, z = r^2/2R - d. In E-GW the smooth
// spheres are first in Hertz's contact, z = w_H + r^2/2R - d, which is zero
// where they touch. Hertz's pressure, deformation and force are added to those
// of the asperities.
//
// The separation is found at the Gauss points of panels graded towards the
// edge of Hertz's contact, by Newton's method with a line search.
package rough

import (
	"fmt"
	"math"
	"sort"

	"fdem/materials/elementary"
)

// Spheres describes the contact of two rough spheres.
type Spheres struct {
	Radius  float64 // R [m], 1/R = 1/R1 + 1/R2
	Modulus float64 // E* [Pa], 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2
	Sigma   float64 // deviation of the asperity heights [m], sigma^2 = sigma1^2 + sigma2^2
	Mu      float64 // roughness parameter 8/3 N sigma sqrt(2 R beta) [1]; N asperities per area, beta their radius

	Extended bool // E-GW and EP-GW; GW otherwise

	Psi float64 // plasticity index (sigma/delta_ep)^(1/2) [1]; 0: asperities stay elastic
	K   float64 // mean pressure at first yield over hardness [1]; without meaning if Psi is 0
}

// The range of the parameters and of the approach in which a contact is solved.
const (
	MinSigma, MaxSigma = 1e-6, 1e-2 // of the radius
	MinMu, MaxMu       = 1., 10.
	MaxPsi             = 100.
	MinK               = 0.1
	MaxApproach        = 0.05 // of the radius
	FirstContact       = -3   // approach of first contact, in Sigma: in the paper no asperity is higher
)

// Check returns an error that names the rule violated by a parameter.
func (s Spheres) Check() error {
	ratio := s.Sigma / s.Radius
	switch {
	case !(s.Radius > 0) || math.IsInf(s.Radius, 0):
		return fmt.Errorf("radius must be positive, got %g m", s.Radius)
	case !(s.Modulus > 0) || math.IsInf(s.Modulus, 0):
		return fmt.Errorf("modulus must be positive, got %g Pa", s.Modulus)
	case !(ratio >= MinSigma*(1-1e-12) && ratio <= MaxSigma*(1+1e-12)): // a unit of R may round
		return fmt.Errorf("sigma/radius must be at least %g and at most %g, got %g m/%g m", MinSigma, MaxSigma, s.Sigma, s.Radius)
	case !(s.Mu >= MinMu && s.Mu <= MaxMu):
		return fmt.Errorf("mu must be at least %g and at most %g, got %g", MinMu, MaxMu, s.Mu)
	case !(s.Psi >= 0 && s.Psi <= MaxPsi):
		return fmt.Errorf("psi must be at least 0 and at most %g, got %g", MaxPsi, s.Psi)
	case s.Psi > 0 && !(s.K >= MinK && s.K <= 1):
		return fmt.Errorf("the hardness ratio must be at least %g and at most 1, got %g", MinK, s.K)
	}
	return nil
}

// Solution is the contact at one approach.
type Solution struct {
	Force     float64 // [N]
	Stiffness float64 // dForce/dApproach [N/m]

	// The fields on the grid, from the axis outwards, with Hertz's part in E-GW
	// and EP-GW; nil without contact.
	R        []float64 // distance from the axis [m]
	Pressure []float64 // p(r) [Pa]
	Bulk     []float64 // deformation of the bulk w(r) [m]

	Iterations int
}

// ConvergenceError is the error that Newton's method did not find the
// separation.
type ConvergenceError struct {
	Approach float64 // [m]
	Residual float64 // residual of the separation, in Sigma
}

func (e *ConvergenceError) Error() string {
	return fmt.Sprintf("rough spheres at approach %g m: no convergence, the error of the separation is %g sigma", e.Approach, e.Residual)
}

// Solve returns the contact at an approach d [m], which is the overlap of the
// sphere and the mean plane of the asperities, negative if they are separated.
// Below FirstContact Sigma there is no contact. Solve fails if a parameter or d is
// out of range, or if the iteration does not converge.
func (s Spheres) Solve(d float64) (*Solution, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if !(d <= MaxApproach*s.Radius*(1+1e-12)) {
		return nil, fmt.Errorf("approach must be at most %g of the radius %g m, got %g m", MaxApproach, s.Radius, d)
	}
	if d < FirstContact*s.Sigma*(1+1e-12) {
		return &Solution{}, nil
	}
	p := s.problem(d)
	c, err := p.solve(p.edges(1))
	if err != nil {
		return nil, &ConvergenceError{d, err.Residual}
	}
	sort.Sort(outwards{c})
	for i := range c.R {
		c.R[i] *= s.Radius
		c.Pressure[i] *= s.Modulus
		c.Bulk[i] *= s.Radius
	}
	c.Stiffness *= s.Modulus * s.Radius
	c.Force *= s.Modulus * s.Radius * s.Radius
	return c, nil
}

// outwards sorts the fields by radius, since the Gauss points of a panel have
// an order of their own.
type outwards struct{ *Solution }

func (o outwards) Len() int           { return len(o.R) }
func (o outwards) Less(i, j int) bool { return o.R[i] < o.R[j] }
func (o outwards) Swap(i, j int) {
	for _, v := range [][]float64{o.R, o.Pressure, o.Bulk} {
		v[i], v[j] = v[j], v[i]
	}
}

func (s Spheres) problem(d float64) *problem {
	sigma := s.Sigma / s.Radius
	return &problem{
		d: d / s.Radius, sigma: sigma, scale: 0.5 * s.Mu * math.Sqrt(0.5*sigma),
		extended: s.Extended, asperities: newAsperities(s.Psi, s.K),
	}
}

// problem is a contact in units of the radius and the modulus.
type problem struct {
	d, sigma, scale float64 // scale: C sigma^(3/2)
	extended        bool
	*asperities
}

// hertz returns the pressure, the gap, the bulk deformation and the derivative
// of the gap by the approach at r, for smooth spheres in contact over the
// radius a (eqs. (14) and (15)).
func hertz(a, r float64) (p, gap, w, widens float64) {
	d := float64(a * a)
	flat := float64(0.5 * r * r)
	if r <= a {
		return 2 / math.Pi * math.Sqrt(float64((a-r)*(a+r))), 0, d - flat, 0
	}
	angle := elementary.Asin(a / r)
	w = (float64(a*math.Sqrt(float64((r-a)*(r+a)))) + float64((2*d-float64(r*r))*angle)) / math.Pi
	return 0, max(0, w+flat-d), w, float64(2/math.Pi*angle) - 1
}

// edges returns the ends of the panels, from the axis to a radius that no
// asperity reaches, finest at the edge of Hertz's contact. With fineness 1 the
// force is accurate to 1e-8. With 2 the panels are half as wide.
func (p *problem) edges(fineness int) []float64 {
	const reach = 7 // in sigma: G(7) is 1e-13 of G(0)
	end := math.Sqrt(2 * (p.d + float64(reach*p.sigma)))
	count := 5 * fineness
	coarse := end / float64(count)
	a := math.Sqrt(max(p.d, 0))
	if a < 1e-5*end { // the spheres do not overlap
		edges := []float64{0}
		for k := 1; k <= count; k++ {
			edges = append(edges, float64(k)*coarse)
		}
		return edges
	}
	layer := elementary.Cbrt(p.sigma * p.sigma / a) // width over which the gap at the edge grows by about sigma
	finest := 0.25 * layer
	if p.extended { // the gap starts as (r-a)^(3/2)
		finest = min(layer/64, a/3)
	}
	finest /= float64(fineness)
	ratio := 2 / float64(fineness)
	side := func(length float64) []float64 { // sizes of panels away from the edge
		var at []float64
		for x := 0.0; ; {
			x += min(coarse, max(finest, ratio*x))
			if x > length-float64(0.3*min(coarse, max(finest, ratio*x))) {
				return append(at, length)
			}
			at = append(at, x)
		}
	}
	in := side(a)
	var edges []float64
	for k := len(in) - 1; k >= 0; k-- {
		edges = append(edges, a-in[k])
	}
	edges[0] = 0
	edges = append(edges, a)
	for _, x := range side(end - a) {
		edges = append(edges, a+x)
	}
	return edges
}

// solve finds the separation s at the grid's points: s - z - A p(s) = 0.
func (p *problem) solve(edges []float64) (*Solution, *ConvergenceError) {
	g := newDisc(edges)
	n := len(g.r)
	a := math.Sqrt(max(p.d, 0))
	z, s, widens := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, r := range g.r {
		smooth, gap, _, rate := hertz(a, r)
		if p.extended {
			z[i], widens[i] = gap, rate
			if a == 0 {
				z[i] = gap - p.d
			}
			s[i] = z[i]
			continue
		}
		z[i], widens[i] = float64(0.5*r*r)-p.d, -1
		s[i] = z[i]
		if a > 0 { // eq. (19)
			s[i] = gap - float64(p.sigma*elementary.Pow(smooth/p.scale, 2./3))
		}
	}
	pressure, slope, off := make([]float64, n), make([]float64, n), make([]float64, n)
	residual := func(s []float64) float64 { // fills the three slices above
		for i, v := range s {
			pressure[i], slope[i] = p.mean(v / p.sigma)
			pressure[i] *= p.scale
			slope[i] *= p.scale / p.sigma
		}
		worst := 0.0
		for i, row := range g.influence {
			w := 0.0
			for j, v := range row {
				w += float64(v * pressure[j])
			}
			off[i] = s[i] - z[i] - w
			worst = max(worst, math.Abs(off[i]))
		}
		return worst / p.sigma
	}
	var (
		jacobian = make([][]float64, n)
		trial    = make([]float64, n)
		before   = residual(s)
	)
	for i := range jacobian {
		jacobian[i] = make([]float64, n)
	}
	for iteration := 1; iteration <= 100; iteration++ {
		for i, row := range g.influence {
			to := jacobian[i]
			for j, v := range row {
				to[j] = -float64(v * slope[j])
			}
			to[i]++
		}
		lu, ok := factorise(jacobian)
		if !ok {
			break
		}
		step := lu.solve(off)
		after, damping, size := 0.0, 1.0, 0.0
		for range 30 {
			size = 0
			for i, v := range s {
				change := float64(damping * step[i])
				trial[i] = v - change
				size = max(size, math.Abs(change))
			}
			after = residual(trial)
			if after <= (1-float64(1e-4*damping))*before || size <= 1e-9*p.sigma {
				break
			}
			damping *= 0.5
		}
		if !(after <= before || size <= 1e-9*p.sigma) {
			break
		}
		s, trial, before = trial, s, after
		if damping == 1 && size <= 1e-7*p.sigma && after <= 1e-9 { // the next step would be its square
			c := p.contact(g, a, pressure, slope, widens, lu)
			c.Iterations = iteration
			return c, nil
		}
	}
	return nil, &ConvergenceError{Residual: before}
}

// contact returns the solution. lu is I - A diag(slope). The derivative of the
// separation by the approach is its inverse times widens.
func (p *problem) contact(g *disc, a float64, pressure, slope, widens []float64, lu factors) *Solution {
	n := len(g.r)
	rate := lu.solve(widens)
	grows := make([]float64, n)
	for i := range grows {
		grows[i] = slope[i] * rate[i]
	}
	c := &Solution{
		Force: g.integral(pressure), Stiffness: g.integral(grows),
		R: make([]float64, n+1), Pressure: make([]float64, n+1), Bulk: make([]float64, n+1),
	}
	c.Bulk[0] = g.center(pressure)
	penetration := -p.d // the separation on the axis, less the bulk's deformation
	if p.extended {
		penetration = -min(p.d, 0)
	}
	top, _ := p.mean((c.Bulk[0] + penetration) / p.sigma)
	c.Pressure[0] = p.scale * top
	copy(c.R[1:], g.r)
	copy(c.Pressure[1:], pressure)
	for i, row := range g.influence {
		for j, v := range row {
			c.Bulk[i+1] += float64(v * pressure[j])
		}
	}
	if p.extended && a > 0 {
		c.Force += float64(4. / 3 * a * a * a)
		c.Stiffness += float64(2 * a)
		for i, r := range c.R {
			smooth, _, w, _ := hertz(a, r)
			c.Pressure[i] += smooth
			c.Bulk[i] += w
		}
	}
	return c
}
