package published

import (
	"fmt"
	"math"

	"fdem/io/throw"
	"fdem/materials/cohesive"
)

// cohesiveLaws moves one point of a crack and adds up the work of its traction. For
// comparison it has the results of popular formulas of the combined finite-discrete
// element method for the same parameters.
var cohesiveLaws = Problem{
	Name:   "cohesive-laws",
	Title:  "fracture energy of cohesive laws: tension, shear under pressure, mixed mode, closed loops",
	Source: "closed form; mixed mode: M. L. Benzeggagh, M. Kenane, Compos. Sci. Technol. 56 (1996) 439; compared with: formulas of Y-Geo, read in a source of it, with rigid joints",
	Solve:  solveCohesiveLaws,
}

// concreteArea is the area below the curve of Munjiza, Andrews and White of
// length 1; codes take it for 1/3.
const concreteArea = 0.386307295

func solveCohesiveLaws() []Row {
	const (
		tension, shear = 5e6, 15e6  // strengths [Pa]
		g1, g2         = 20.0, 80.0 // energies [J/m2]
		stiffness      = 3e14       // [Pa/m]
	)
	var rows []Row
	law := func(softening string) *cohesive.Law {
		return throw.Must(cohesive.New(cohesive.Parameters{
			TensileStrength: tension, Cohesion: shear, Friction: math.Tan(35 * math.Pi / 180),
			EnergyTension: g1, EnergyShear: g2, Mixed: 2, Softening: softening,
		}))
	}
	linear := law("linear")
	add := func(what, quantity, unit string, known, computed, tolerance float64, note string) {
		rows = append(rows, Row{Case: what, Quantity: quantity, Unit: unit, Known: known, Computed: computed, Tolerance: tolerance, Note: note})
	}

	for _, name := range cohesive.Curves() {
		l := law(name)
		p := newCrackPoint(l, cohesive.Start{Normal: tension, Stiffness: stiffness, Energy: g1})
		end := l.Broken(&p.Point)
		for _, turn := range []float64{0.3, 0, 0.7, 0.2, 1.2} {
			p.path(turn*end, 0, 2000)
		}
		add("tension, two unloadings, "+name, "work", "J/m2", g1, p.work, 1e-3, "traction integrated in steps")
		add("tension, two unloadings, "+name, "dissipated", "J/m2", g1, p.Dissipated, 1e-11, "")
	}
	add("tension, Y-Geo's formulas", "work", "J/m2", g1, 3*concreteArea*g1, 0, "its curve's area is 0.386307, not 1/3")

	const pressure = 8e6
	friction := linear.Friction * pressure
	p := newCrackPoint(linear, cohesive.Start{Normal: -pressure, Shear: shear + friction, Stiffness: stiffness, Energy: g2})
	add("shear under 8 MPa", "strength", "Pa", shear+friction, p.Shear, 1e-5, "c + mu p")
	p.path(0, 40e-6, 4000)
	add("shear under 8 MPa", "traction left", "Pa", friction, p.Shear, 1e-5, "mu p")
	add("shear under 8 MPa", "fracture", "J/m2", g2, p.Dissipated, 1e-10, "")
	add("shear under 8 MPa", "friction", "J/m2", friction*40e-6, p.FrictionWork, 1e-9, "")

	for _, degrees := range []float64{0, 20, 30, 45, 60, 70, 90} {
		s, n := math.Sincos(degrees * math.Pi / 180)
		mixity := s * s
		size := linear.Onset(mixity)
		p := newCrackPoint(linear, cohesive.Start{Normal: size * n, Shear: size * s, Stiffness: stiffness, Energy: linear.Energy.Energy(mixity)})
		end := linear.Broken(&p.Point)
		p.path(end*n, end*s, 10)
		what := fmt.Sprintf("%g degrees from tension", degrees)
		add(what, "work", "J/m2", g1+(g2-g1)*mixity*mixity, p.work, 1e-10, "Benzeggagh and Kenane, exponent 2")
		// Both tractions keep their whole size whatever the mix.
		r := math.Hypot(n*tension/(3*g1), s*shear/(3*g2))
		peers := 0.0
		if n > 1e-12 {
			peers += tension * n
		}
		if s > 1e-12 {
			peers += shear * s
		}
		add(what+", Y-Geo's formulas", "work", "J/m2", g1+(g2-g1)*mixity*mixity, peers*concreteArea/r, 0, "shown for comparison")
	}

	// Opening to half of the end, then a square path in opening and slip.
	p = newCrackPoint(linear, cohesive.Start{Normal: tension, Stiffness: stiffness, Energy: g1})
	end := linear.Broken(&p.Point)
	p.path(0.5*end, 0, 100)
	p.path(0.1*end, 0, 100)
	p.work = 0
	for _, corner := range [][2]float64{{0.4, 0}, {0.4, 0.2}, {0.1, 0.2}, {0.1, 0}} {
		p.path(corner[0]*end, corner[1]*end, 10)
	}
	add("closed loop at constant damage", "work", "J/m2", 0, p.work, 1e-10, "")
	return rows
}

// crackPoint is a point of a crack on its path; work is that of its traction.
type crackPoint struct {
	*cohesive.Driven
	work float64
}

func newCrackPoint(l *cohesive.Law, s cohesive.Start) *crackPoint {
	p := &crackPoint{Driven: l.Drive(s)}
	p.To(0, 0)
	return p
}

// path displaces the faces in a straight line, in equal steps.
func (p *crackPoint) path(opening, slip float64, steps int) {
	o, s := p.Opening, p.Slip
	for i := range steps {
		part := float64(i+1) / float64(steps)
		before := *p.Driven
		p.To(o+(opening-o)*part, s+(slip-s)*part)
		p.work += 0.5*(before.Normal+p.Normal)*(p.Opening-before.Opening) + 0.5*(before.Shear+p.Shear)*(p.Slip-before.Slip)
	}
}
