package diffusion_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// twoRocks are the materials and bodies of two blocks.
func twoRocks(conductivity ...float64) (text string) {
	for i, k := range conductivity {
		name := string(rune('a' + i))
		text += fmt.Sprintf("[[material]]\nname = %q\nyoung = \"30 GPa\"\npoisson = 0\ndensity = 2600\nconductivity = %g\nheat_capacity = 800\n[[body]]\nname = %q\nmaterial = %q\n", name, k, name, name)
	}
	return text
}

const pressedTogether = "[[fix]]\non = \"a-left\"\n[[drive]]\non = \"b-right\"\ndisplacement = [[0, 0, 0], [\"10 %\", \"-1 um\", 0], [\"100 %\", \"-1 um\", 0]]\n"

// A slab of two bodies with a resistance between them: the flux is that of three resistances in a
// row.
func TestSlabWithContact(t *testing.T) {
	s := ran(t, blocks{[]float64{0.1, 0.2}, []int{4, 6}, 0.05, 2}, inStatics("1 s", 10, "")+"steady = true\n"+twoRocks(3, 1.5)+pressedTogether+
		"[[contact]]\ncontactor = \"a\"\nopposite = \"b\"\nthermal_resistance = \"0.02 m2 K/W\"\n[[temperature]]\non = \"a-left\"\nvalue = \"80 degC\"\n[[temperature]]\non = \"b-right\"\nvalue = \"20 degC\"\n")
	within(t, "flux", column(s, "a-left.heat")/0.05, 321.429, 1e-5*321)
	within(t, "what flows out", column(s, "b-right.heat")/0.05, -321.429, 1e-5*321)
	faces := map[bool]float64{}
	for i, x := range s.Mesh.X {
		if math.Abs(x.X-0.1) < 1e-12 {
			faces[s.Mesh.BodyOf()[0] >= 0 && i < len(s.Mesh.Bodies[0].Nodes)] = s.Kinds.Heat.Temperature(int32(i)) - 273.15
		}
	}
	within(t, "warm face", max(faces[true], faces[false]), 69.2857, 1e-3)
	within(t, "cold face", min(faces[true], faces[false]), 62.8571, 1e-3)
}

// A block between two others, which it is in contact with from the first increment on, has the steady temperature of three
// blocks in a row.
func TestSteadyBetweenContacts(t *testing.T) {
	rocks := strings.Replace(twoRocks(3, 1.5), "[[body]]\nname = \"b\"", "[[body]]\nname = \"c\"\nmaterial = \"a\"\n[[body]]\nname = \"b\"", 1)
	s := ran(t, blocks{[]float64{0.1, 0.2, 0.1}, []int{4, 6, 4}, 0.05, 2}, inStatics("1 s", 4, "")+"steady = true\n"+rocks+strings.Replace(pressedTogether, "b-right", "c-right", -1)+
		"[[contact]]\ncontactor = \"a\"\nopposite = \"b\"\nthermal_resistance = \"0.02 m2 K/W\"\n[[contact]]\ncontactor = \"b\"\nopposite = \"c\"\nthermal_resistance = \"0.02 m2 K/W\"\n"+
		"[[temperature]]\non = \"a-left\"\nvalue = \"80 degC\"\n[[temperature]]\non = \"c-right\"\nvalue = \"20 degC\"\n")
	flux := 60 / (0.2/3 + 0.2/1.5 + 0.04)
	within(t, "flux", column(s, "a-left.heat")/0.05, flux, 1e-5*flux)
	within(t, "in the middle", above(s, 0.2, 0.025), 30, 1e-3)
}

// Two blocks exchange heat by a resistance between them; the antisymmetric part is a slab with the
// convection 2/R (Carslaw and Jaeger, 3.11).
func TestTwoBlocks(t *testing.T) {
	s := ran(t, blocks{[]float64{0.1, 0.1}, []int{20, 20}, 0.01, 2}, strings.Replace(inStatics("1800 s", 20, ""), "20 degC", "0 degC", 1)+twoRocks(3, 3)+strings.Replace(pressedTogether, "10 %", "0.01 %", 1)+
		"[[contact]]\ncontactor = \"a\"\nopposite = \"b\"\nthermal_resistance = 0.05\n[[temperature]]\non = \"a\"\ninitial = \"100 degC\"\n")
	within(t, "far end", above(s, 0, 0), 94.8225, 0.5)
	within(t, "middle", above(s, 0.05, 0), 90.2567, 0.5)
	within(t, "sum at the ends", above(s, 0, 0)+above(s, 0.2, 0), 100, 0.05)
	closes(t, s)
}

// A block slides to rest on another: all heat of friction is taken up, by each side in proportion to
// its effusivity.
func TestBlockSlidesToRest(t *testing.T) {
	s := ran(t, blocks{[]float64{0.05, 0.02}, []int{5, 4}, 0.04, 4}, `[analysis]
duration = "30 ms"
gravity = ["-9.81 m/s2", 0]
[heat]
initial = "20 degC"
`+strings.ReplaceAll(twoRocks(3, 12), "30 GPa", "0.1 GPa")+`velocity = [0, "0.05 m/s"]
[[fix]]
on = "a-left"
[[contact]]
contactor = "b"
opposite = "a"
friction = 0.5
`)
	e := s.Energies()
	kinetic := 0.5 * s.BodyMass[1] * 0.05 * 0.05
	t.Logf("kinetic energy at the start %.4g J, friction %.4g J", kinetic, e.FrictionDissipated)
	if !(e.FrictionDissipated > 0.8*kinetic) {
		t.Errorf("friction has turned %g J of %g J to heat", e.FrictionDissipated, kinetic)
	}
	within(t, "heat of friction", column(s, "heat_friction"), e.FrictionDissipated, 1e-9*kinetic)
	within(t, "stored heat", column(s, "heat_stored"), e.FrictionDissipated, 1e-9*kinetic)
	heat := [2]float64{}
	for i := range heat {
		b := &s.Mesh.Bodies[i]
		for _, n := range s.Mesh.Triangles[b.First:b.End] {
			for _, k := range n {
				heat[i] += s.Kinds.Heat.Temperature(k) - 293.15
			}
		}
	}
	within(t, "share of the upper one", heat[1]*s.BodyMass[1]/float64(8*4)/(heat[0]*s.BodyMass[0]/float64(8*5)+heat[1]*s.BodyMass[1]/float64(8*4)), 2.0/3, 0.01)
	closes(t, s)
}

// Two like bodies slide on one another under pressure: their faces get as warm as half spaces that take up
// half of the heat of friction each at a constant rate (Blok, 1937; Carslaw and Jaeger, 1959, 2.9). The heat
// is that of the middle, since the pressure falls towards the ends; damping keeps friction from chatter.
func TestFlashTemperature(t *testing.T) {
	const duration, k, volumetric, deep = 1e-3, 300.0, 2.08e6, 1.6e-3
	for _, cells := range []int{8, 16} { // the second with half the edges
		s := ran(t, blocks{[]float64{deep, deep}, []int{cells, cells}, 0.002, cells * 5 / 4}, `[analysis]
duration = "1 ms"
damping = { stiffness = "0.1 us" }
plane = "strain"
[heat]
initial = "20 degC"
`+strings.ReplaceAll(twoRocks(k, k), "30 GPa", "3 GPa")+`[[fix]]
on = "a-left"
[[drive]]
on = "b-right"
displacement = [[0, 0, 0], ["0.02 ms", "-10 um", "10 um"], ["1 ms", "-10 um", "0.5 mm"]]
[[contact]]
contactor = "b"
opposite = "a"
friction = 0.6
`)
		faces, nodes, heat := 0.0, 0.0, 0.0 // mean rise [K], number of nodes, heat per area [J/m2]
		for i, x := range s.Mesh.X {
			if x.Y < 0.0007 || x.Y > 0.0013 {
				continue
			}
			rise, part := s.Kinds.Heat.Temperature(int32(i))-s.Heat.Initial, deep/float64(cells)
			if face := math.Abs(x.X-deep) < 1e-9; face || x.X < 1e-9 || x.X > 2*deep-1e-9 {
				if part *= 0.5; face {
					faces += rise
					nodes++
				}
			}
			heat += volumetric * rise * part
		}
		heat /= nodes / 2 // rows
		within(t, "rise of the faces", faces/nodes, heat/math.Sqrt(math.Pi*k*volumetric*duration), 0.02*faces/nodes)
		within(t, "heat taken up", column(s, "heat_friction"), s.Energies().FrictionDissipated, 1e-9*s.Energies().FrictionDissipated)
	}
}
