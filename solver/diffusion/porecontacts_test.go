package diffusion_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// wetBlocks are the materials and bodies of two blocks with pores.
func wetBlocks(permeability ...float64) (text string) {
	for i, k := range permeability {
		name := string(rune('a' + i))
		text += fmt.Sprintf("[[material]]\nname = %q\nyoung = \"30 GPa\"\npoisson = 0\ndensity = 2600\npermeability = %g\nstorage = \"1e-10 1/Pa\"\nbiot = 0.5\n[[body]]\nname = %q\nmaterial = %q\n", name, k, name, name)
	}
	return text
}

// Fluid flows from one body with pores into another one by the resistance of their contact: steadily as through three
// resistances in a row. Two blocks share the fluid of one of them, and none is lost; without the key they
// share none.
func TestFlowAcrossContact(t *testing.T) {
	const resistance, height = 2e9, 0.05
	g := blocks{[]float64{0.1, 0.2}, []int{4, 6}, height, 2}
	contact := fmt.Sprintf("[[contact]]\ncontactor = \"a\"\nopposite = \"b\"\nflow_resistance = \"%g Pa s/m\"\n", resistance)
	ends := "[[pore_pressure]]\non = \"a-left\"\nvalue = 3e6\n[[pore_pressure]]\non = \"b-right\"\nvalue = 1e6\n"
	s := ran(t, g, consolidating("10 s", "increments = 20\n")+"initial = 1e6\n"+wetBlocks(1e-13, 2e-13)+pressedTogether+contact+ends)
	flow := 2e6 / (0.1/1e-10 + resistance + 0.2/2e-10)
	within(t, "flow in", column(s, "a-left.flow")/height, flow, 1e-4*flow)
	within(t, "flow out", column(s, "b-right.flow")/height, -flow, 1e-4*flow)
	// the difference of the pressures at the far ends is that of a slab with the convection 2/R (Carslaw and Jaeger, 1959, 3.11)
	const c, beta, duration = 1e-10 / (1e-10 + 2*0.25/30e9), 0.860333589019, 0.02 // the blocks are free to swell both ways; beta tan beta = 2 L/(R k/mu) = 1, the first term
	want := 1e6 * 4 * math.Sin(beta) / (2*beta + math.Sin(2*beta)) * math.Exp(-beta*beta*c*duration/0.01)
	for _, of := range []struct {
		head, pores, contact string
		want                 float64
	}{
		{"type = \"static\"\nincrements = 40\nduration = 0.02\n", "", contact, want},
		{"duration = 5e-3\ndamping = { local = 0.5 }\n", "time_factor = 4\n", contact, want},
		{"duration = 5e-3\ndamping = { local = 0.5 }\n", "time_factor = 4\n", strings.Replace(contact, "flow_resistance", "#", 1), 1e6},
	} {
		s := ran(t, blocks{[]float64{0.1, 0.1}, []int{40, 40}, 0.01, 1}, "[analysis]\nplane = \"strain\"\n"+of.head+"[pores]\n"+of.pores+
			"initial = \"x < 0.1 ? 1e6 : 0\"\n"+wetBlocks(1e-13, 1e-13)+strings.Replace(pressedTogether, "10 %", "0.2 %", 1)+of.contact)
		within(t, of.head+"difference at the far ends", pressureAt(s, 0, 0)-pressureAt(s, 0.2, 0), of.want, 0.02e6)
		if lost := column(s, "pore_mass_residual"); math.Abs(lost) > 1e-9*1000*1e-10*1e6*1e-3 {
			t.Errorf("%g kg of fluid are missing", lost)
		}
	}
}

// In a static analysis, where a joint is a contact, it carries the effective stress, 8 MPa less what is in the pores,
// and its friction is 0.6 of that. Fluid flows through it as through whole rock.
func TestStaticJointInPores(t *testing.T) {
	const joint, shear = "[[joint]]\non = \"seam\"\nfriction = 0.6\n", "[[drive]]\non = \"right\"\ndisplacement = [\"free\", \"0.1e-3*t/3600\"]\n"
	text := func(p float64, more string) string {
		return consolidating("1 h", "increments = 10\n") + fmt.Sprintf("initial = %g\n", p) + sandstone + "[[fix]]\non = \"left\"\n[[load]]\non = \"right\"\npressure = 8e6\nschedule = [[0, 1], [\"1 h\", 1]]\n" + more
	}
	g := seamed{bar(0.02, 0.1, 4, 20)}
	for _, p := range []float64{0, 3e6} {
		s := ran(t, g, text(p, joint+shear+fmt.Sprintf("[[pore_pressure]]\non = \"right\"\nvalue = %g\n", p)))
		area := 0.1 * s.Thickness
		within(t, fmt.Sprintf("%g MPa: normal force", p/1e6), math.Abs(column(s, "seam.normal")), (8e6-p)*area, 2e-3*8e6*area)
		within(t, "friction", math.Abs(column(s, "seam.tangential")), 0.6*(8e6-p)*area, 2e-3*8e6*area)
		within(t, "pore pressure at the joint", pressureAt(s, 0.01, 0.05), p, 1e3)
		within(t, "residual of mass", column(s, "pore_mass_residual"), 0, 1e-7*math.Abs(column(s, "pore_mass"))+1e-12)
	}
	flows := "[[pore_pressure]]\non = \"left\"\nvalue = 3e6\n[[pore_pressure]]\non = \"right\"\nvalue = 1e6\n"
	whole, jointed := ran(t, g, text(1e6, flows)), ran(t, g, text(1e6, flows+joint))
	for _, x := range []float64{0.005, 0.01, 0.015} {
		within(t, "pressure", pressureAt(jointed, x, 0.05), pressureAt(whole, x, 0.05), 2e3)
	}
	within(t, "flow", column(jointed, "left.flow"), column(whole, "left.flow"), 1e-3*column(whole, "left.flow"))
	open := ran(t, g, consolidating("1 h", "increments = 10\n")+sandstone+joint+"[[fix]]\non = \"left\"\n[[pore_pressure]]\non = \"rock\"\nvalue = [[0, 0], [\"1 h\", 3e6]]\n[[drive]]\non = \"right\"\ndisplacement = [\"0.1e-3*t/3600\", 0]\n")
	e := open.Energies()
	within(t, "residual of energy", e.Residual/e.Strain, 0, 1e-3)
	within(t, "force on the drive", column(open, "right.fx"), -3e6*0.1, 0.01*3e6*0.1)
}
