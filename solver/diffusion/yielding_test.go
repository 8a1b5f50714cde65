package diffusion_test

import (
	"fmt"
	"strings"
	"testing"

	"fdem/solver"
)

// A body in plane strain that is held in x, free in y, and warmed until it flows: both pressures along x and z
// reach E alpha T/(1 - nu) and then the yield stress; cooled back, it is in tension. The strain along y has the
// flow, which keeps its volume. The work of expansion is strain energy and plastic work.
func TestExpansionThatYields(t *testing.T) {
	const young, nu, alpha, yield = 200e9, 0.3, 1e-5, 300e6
	rock := func(law string) string {
		return fmt.Sprintf("[[material]]\nname = \"rock\"\nyoung = %g\npoisson = %g\ndensity = 7800\nexpansion = \"%g 1/K\"\n%s\n", young, nu, alpha, law) +
			"[[body]]\nname = \"rock\"\nmaterial = \"rock\"\n[[fix]]\non = \"left\"\ncomponents = [\"x\"]\n[[fix]]\non = \"right\"\ncomponents = [\"x\"]\n[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n"
	}
	course := func(warmth float64, cools bool) string {
		last := 20 + warmth
		if cools {
			last = 20
		}
		return fmt.Sprintf("[[temperature]]\non = \"rock\"\nvalue = [[0, \"20 degC\"], [\"0.5 s\", \"%g degC\"], [\"1 s\", \"%g degC\"]]\n", 20+warmth, last)
	}
	elastic := young * alpha * 1 / (1 - nu) // of a kelvin
	for _, c := range []struct {
		name, law    string
		warmth       float64
		cools        bool
		stress       float64 // along x and z
		plasticAlong float64 // along x and z
	}{
		{"j2 within its strength", `law = "j2"` + "\nyield_stress = \"300 MPa\"", 100, false, -100 * elastic, 0},
		{"linear-solid, fast", `law = "linear-solid"` + "\nbranches = [[0.5, 1e9]]", 100, false, -100 * elastic, 0},
		{"j2 flows", `law = "j2"` + "\nyield_stress = \"300 MPa\"", 200, false, -yield, -(200*alpha - yield*(1-nu)/young)},
		{"j2 flows and cools", `law = "j2"` + "\nyield_stress = \"300 MPa\"", 200, true, 200*elastic - yield, -(200*alpha - yield*(1-nu)/young)},
		// friction 30 degrees, cohesion c: the pressure is 2 c sqrt(N), N = (1 + sin phi)/(1 - sin phi) = 3
		{"mohr-coulomb flows", `law = "mohr-coulomb"` + "\ncohesion = 8.6602540378e7\nfriction_angle = 30\ndilation_angle = 30", 200, false, -yield, 0},
	} {
		s := ran(t, bar(1, 1, 4, 4), inStatics("1 s", 40, "plane = \"strain\"\n")+rock(c.law)+course(c.warmth, c.cools))
		got := s.Kinds.Triangles.Stress(7, s.X, s.Plane)
		within(t, c.name+", stress along x", got.XX, c.stress, 3e-3*yield)
		within(t, c.name+", along z", got.ZZ, c.stress, 3e-3*yield)
		within(t, c.name+", along y", got.YY, 0, 1e-4*yield)
		if !strings.Contains(c.law, "mohr") {
			left := c.warmth
			if c.cools {
				left = 0
			}
			within(t, c.name+", strain along y", highest(s), left*alpha-2*nu*c.stress/young-2*c.plasticAlong, 2e-5)
		}
		e := s.Energies()
		within(t, c.name+", residual of energy over all work", e.Residual/(e.Strain+e.PlasticWork), 0, 1e-4)
		if c.plasticAlong != 0 {
			within(t, c.name+", plastic work", e.PlasticWork, 2*yield*-c.plasticAlong, 0.01*2*yield*-c.plasticAlong)
		}
	}
	s := ran(t, bar(1, 1, 4, 4), inStatics("1 s", 40, "plane = \"stress\"\n")+rock("law = \"j2\"\nyield_stress = \"300 MPa\"")+course(200, false))
	e, plastic := s.Energies(), 200*alpha-yield/young
	within(t, "plane stress, along x", s.Kinds.Triangles.Stress(7, s.X, s.Plane).XX, -yield, 3e-3*yield)
	within(t, "plane stress, strain along y", highest(s), 200*alpha+nu*yield/young+0.5*plastic, 2e-5)
	within(t, "plane stress, plastic work", e.PlasticWork, yield*plastic, 0.01*yield*plastic)
	within(t, "plane stress, residual of energy over all work", e.Residual/(e.Strain+e.PlasticWork), 0, 1e-4)
}

// highest returns the greatest displacement along y [m].
func highest(s *solver.Solver) (most float64) {
	for i, x := range s.Mesh.X {
		most = max(most, s.X[i].Y-x.Y)
	}
	return most
}
