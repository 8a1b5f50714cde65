package diffusion_test

import (
	"fmt"
	"math"
	"testing"

	"fdem/solver"
)

// Heat flows through a joint whose faces touch as through whole rock, and not through one that has come
// apart; no heat is lost where it opens.
func TestHeatAcrossJoint(t *testing.T) {
	deck := func(joint string, pull string) string {
		return `[analysis]
duration = 5e-3
plane = "strain"
damping = { local = 0.5 }
[heat]
initial = "20 degC"
time_factor = 4e5
[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.25
density = 2600
conductivity = 3
heat_capacity = 800
[[body]]
name = "rock"
material = "rock"
[[initial_stress]]
stress = [-10e6, -10e6, 0]
[[load]]
on = "top"
pressure = 10e6
[[load]]
on = "bottom"
pressure = 10e6
[[load]]
on = "left"
pressure = 10e6
[[load]]
on = "right"
pressure = 10e6
` + pull + `[[temperature]]
on = "left"
value = "120 degC"
[[temperature]]
on = "right"
value = "20 degC"
` + joint
	}
	const seam = "[[joint]]\non = \"seam\"\nfriction = 0.6\nnormal_stiffness = \"1e13 Pa/m\"\n"
	g := seamed{bar(0.1, 0.04, 10, 4)}
	whole, pressed := built(t, g, deck("", "")), built(t, g, deck(seam, ""))
	run(t, whole)
	run(t, pressed)
	for _, x := range []float64{0.02, 0.05, 0.08} {
		within(t, fmt.Sprintf("temperature at %g m", x), above(pressed, x, 0.02), above(whole, x, 0.02), 1e-3)
	}
	if hot := above(whole, 0.08, 0.02); !(hot > 5) {
		t.Errorf("only %g K", hot)
	}
	closesTo(t, pressed, 1e-3)
	apart := built(t, g, deck(seam, "schedule = [[0, 1], [1e-4, 1], [2e-4, -1e-3]]\n"))
	run(t, apart)
	open, hot, cold := apart.Cracks().Openings(), above(apart, 0.04, 0.02), above(apart, 0.06, 0.02)
	t.Logf("apart: %d vertices open, %.4g K and %.4g K beside the joint, of the whole %.4g K and %.4g K", open, hot, cold, above(whole, 0.04, 0.02), above(whole, 0.06, 0.02))
	if open != 5 || hot < above(whole, 0.04, 0.02)+5 || cold > 0.2*above(whole, 0.06, 0.02) || math.IsNaN(cold) {
		t.Errorf("apart: %d vertices open, %g K and %g K beside the joint", open, hot, cold)
	}
	closesTo(t, apart, 1e-1)
}

// softRock is the material and the body of a bar.
const softRock = `[[material]]
name = "rock"
young = "3 GPa"
poisson = 0.25
density = 2600
conductivity = 3
heat_capacity = 800
[[body]]
name = "rock"
material = "rock"
`

// Heat flows again through faces that have come apart by more than half an edge and have met again.
func TestHeatAcrossFacesThatMeet(t *testing.T) {
	rises := map[string]float64{}
	for name, back := range map[string]string{"stays apart": "[1e-3, \"6 mm\", 0], [5e-3, \"6 mm\", 0]", "meets again": "[1e-3, \"6 mm\", 0], [1.5e-3, \"-2 um\", 0], [5e-3, \"-2 um\", 0]"} {
		s := built(t, seamed{bar(0.1, 0.04, 10, 4)}, `[analysis]
duration = 5e-3
plane = "strain"
damping = { local = 0.5 }
[heat]
initial = "20 degC"
time_factor = 4e5
`+softRock+`[[joint]]
on = "seam"
friction = 0.6
[[fix]]
on = "left"
[[drive]]
on = "right"
displacement = [[0, 0, 0], `+back+`]
[[temperature]]
on = "left"
value = "120 degC"
`)
		run(t, s)
		rises[name] = above(s, 0.06, 0.02)
		closesTo(t, s, 1)
	}
	t.Log(rises)
	if !(rises["meets again"] > 10 && rises["stays apart"] < 0.1*rises["meets again"]) {
		t.Errorf("beyond the joint it is warmer by %v K", rises)
	}
}

// In a static analysis, where a joint is a contact, heat flows through its closed faces as through whole rock.
func TestHeatAcrossStaticJoint(t *testing.T) {
	text := inStatics("2000 s", 20, "plane = \"strain\"\n") + granite + "[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[fix]]\non = \"left\"\n[[fix]]\non = \"right\"\n[[temperature]]\non = \"left\"\nvalue = \"120 degC\"\n"
	g := seamed{bar(0.1, 0.04, 10, 4)}
	whole, jointed := ran(t, g, text), ran(t, g, text+"[[joint]]\non = \"seam\"\nfriction = 0.6\n")
	for _, x := range []float64{0.02, 0.04, 0.06, 0.08} {
		within(t, fmt.Sprintf("temperature at %g m", x), above(jointed, x, 0.02), above(whole, x, 0.02), 0.1)
	}
	closesTo(t, jointed, 1e-3)
}

// parted is a bar of soft rock with heat whose weak seam breaks as its right side moves.
func parted(t *testing.T, duration, move string) *solver.Solver {
	return built(t, seamed{bar(0.1, 0.04, 10, 4)}, `[analysis]
duration = `+duration+`
plane = "strain"
[heat]
initial = "20 degC"
`+softRock+`[[fracture]]
on = "seam"
tensile_strength = "1 MPa"
cohesion = "1 MPa"
friction = 0.6
energy_tension = 20
energy_shear = 20
[[fix]]
on = "left"
[[drive]]
on = "right"
displacement = [[0, 0, 0], `+move+`]
`)
}

// What a joint dissipates that is torn open, and by friction as its faces slide, is heat on both sides.
func TestHeatOfCracks(t *testing.T) {
	for name, move := range map[string]string{"torn": "[2e-4, \"0.5 mm\", 0], [1, \"0.5 mm\", 0]", "sheared": "[1e-4, \"-2 um\", 0], [1e-3, \"-2 um\", \"0.5 mm\"]"} {
		s := parted(t, "1e-3", move)
		run(t, s)
		e := s.Energies()
		lost := e.FractureDissipated + e.FrictionDissipated
		t.Logf("%s: fracture %.4g J, friction %.4g J", name, e.FractureDissipated, e.FrictionDissipated)
		if !(e.FractureDissipated > 0.5*20*0.04) || name == "sheared" && !(e.FrictionDissipated > e.FractureDissipated) {
			t.Errorf("%s: fracture %g J, friction %g J", name, e.FractureDissipated, e.FrictionDissipated)
		}
		within(t, name+", heat of cracks", column(s, "heat_cracks"), lost, 1e-3*lost)
		within(t, name+", stored heat", column(s, "heat_stored"), column(s, "heat_cracks"), 1e-9*lost)
	}
}

// Faces that have slid by more than an edge are fragments in contact: the heat of their friction goes into both
// sides, and with that of the crack before it is all that has been dissipated.
func TestHeatOfFragments(t *testing.T) {
	s := parted(t, "6e-3", "[2e-4, \"-4 um\", 0], [6e-3, \"-4 um\", \"20 mm\"]")
	run(t, s)
	e := s.Energies()
	lost := e.FractureDissipated + e.FrictionDissipated
	rubbed, cracked := column(s, "heat_friction"), column(s, "heat_cracks")
	t.Logf("fracture %.4g J, friction %.4g J, heat of fragments %.4g J, of cracks %.4g J", e.FractureDissipated, e.FrictionDissipated, rubbed, cracked)
	if !(rubbed > 0.5*lost) {
		t.Errorf("of %g J the friction of fragments is %g J", lost, rubbed)
	}
	within(t, "heat of cracks and of fragments", cracked+rubbed, lost, 1e-3*lost)
	within(t, "stored heat", column(s, "heat_stored"), cracked+rubbed, 1e-9*lost)
	within(t, "left side beside the right one", above(s, 0.04, 0.02), above(s, 0.06, 0.02), 0.3*above(s, 0.04, 0.02))
}
