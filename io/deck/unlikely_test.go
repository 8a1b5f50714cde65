package deck

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// modelled makes the model of a deck and two squares.
func modelled(text string) (*model.Model, []string, error) {
	d, err := Parse("deck.toml", []byte(text))
	if err != nil {
		return nil, nil, err
	}
	built, err := mesh.Build(squares(), d.BodyNames())
	if err != nil {
		return nil, nil, err
	}
	return Model(d, built)
}

// A value with a correct unit and sign that is probably not meant gives a warning with its effect.
// Similar values that may be meant give none.
func TestDoubts(t *testing.T) {
	const start = inTimeDeck + "plane = \"strain\"\n" // it ends at 2 s
	const bodies = steelBlock + twoBodies + "[[contact]]\ncontactor = \"striker\"\nopposite = \"target\"\n"
	rock := func(poisson string) string {
		return strings.Replace(bodies, "poisson = 0.3", "poisson = "+poisson, 1)
	}
	breaks := func(keys string) string {
		return start + bodies + "[[fracture]]\nin = [\"striker\"]\n" + keys
	}
	stress := func(v string) string { return "[[initial_stress]]\nin = [\"striker\"]\nstress = " + v + "\n" }
	load := func(schedule string) string {
		return start + bodies + "[[load]]\non = \"clamp\"\nforce = [1, 0]\nschedule = " + schedule + "\n"
	}
	drive := func(keys string) string { return start + bodies + "[[drive]]\non = \"clamp\"\n" + keys + "\n" }
	ball := func(shape, position string) string {
		return start + bodies + "[[rigid]]\nname = \"wall\"\n" + shape + "\n[[particle]]\nname = \"ball\"\nradius = 0.1\nposition = " + position + "\nmaterial = \"steel\"\n[[law]]\nname = \"p\"\nmodel = \"hertz\"\nmodulus = 1e9\n[[interaction]]\nlaw = \"p\"\n"
	}
	damper := func(model, keys string) string {
		modulus := "modulus = 1e9\n"
		if model == "linear-dashpot" {
			modulus = ""
		}
		return start + bodies + "[[rigid]]\nname = \"wall\"\nshape = \"line\"\nfrom = [8, 9]\nto = [10, 9]\n[[particle]]\nname = \"ball\"\nradius = 0.1\nposition = [9, 9.2]\nmass = 10\n[[law]]\nname = \"p\"\nmodel = \"" + model + "\"\n" + modulus + keys + "\n[[interaction]]\nbetween = [\"ball\", \"wall\"]\nlaw = \"p\"\n"
	}
	const box, hollow = "shape = \"box\"\ncentre = [9, 9]\nwidth = 2\nheight = 4\nangle = 0.1", "shape = \"hollow\"\ncentre = [9, 9]\nradius = 1"
	const floor, ceiling = "shape = \"line\"\nfrom = [8, 9]\nto = [10, 9]", "shape = \"line\"\nfrom = [10, 9]\nto = [8, 9]"
	fluid := func(more, keys string) string {
		return start + bodies + more + "[[fluid]]\nname = \"water\"\nwell = \"top\"\n" + keys + "\n"
	}
	yields := func(law string) string {
		return strings.Replace(bodies, "name = \"steel\"\n", "name = \"steel\"\n"+law+"\n", 1)
	}
	const breaking = "[[fracture]]\nin = [\"target\"]\n" + brittle + "\n"
	for _, c := range []struct{ deck, want string }{
		{start + bodies, ""},
		{fluid(breaking, "volume = 1\nrate = 1"), ""},
		{strings.Replace(fluid(breaking, "volume = 1\nrate = 1"), "[analysis]", "[analysis]\ngravity = [0, -10]", 1), "the fluid has no weight"},
		{fluid(breaking, "volume = 1\nrate = 1\nbulk = 2.2"), "bulk is 2.2 Pa, very little"},
		{fluid(breaking, "pressure = 20"), "pressure is 20 Pa, very little"},
		{fluid(breaking, "volume = 1\ngas = { pressure = 20 }"), "pressure is 20 Pa, very little"},
		{fluid(breaking, "volume = 1\nrate = 1\nviscosity = 15"), "viscosity is 15 Pa s, 1.5e+04 times that of water: plain numbers are in SI; for another unit write \"15 mPa s\""},
		{fluid(breaking, "volume = 1\nrate = 1\nviscosity = \"15 Pa s\""), ""},
		{fluid("", "volume = 1\nrate = 1"), "it stays in its well"},
		{fluid(breaking, "volume = 1\nrate = 1\nresidual = 1e-5"), "there is no [[joint]] that the fluid may enter"},
		{fluid(breaking, "pressure = 1\nschedule = [[0, 1], [2, -1]]"), "its pressure is -0.02 Pa at t = 1.02 s: a fluid has no tension"},
		{start + rock("0.48"), ""},
		{inTimeDeck + rock("0.49"), ""}, // plane stress
		{start + rock("0.49"), ""},      // triangles share their volume
		{start + yields("law = \"j2\"\nyield_stress = 250"), "yield_stress is 250 Pa, very little"},
		{start + yields("law = \"j2\"\nyield_stress = \"250 Pa\""), ""},
		{start + yields("law = \"mohr-coulomb\"\ncohesion = 20\nfriction_angle = \"30 deg\""), "cohesion is 20 Pa, very little"},
		{start + yields("law = \"hoek-brown\"\nintact_strength = 50\nmi = 10\ngsi = 45"), "intact_strength is 50 Pa, very little"},
		{breaks(brittle), ""},
		{breaks("tensile_strength = 5\ncohesion = 15e6\nenergy_tension = 20\nenergy_shear = 20\n"), "tensile_strength is 5 Pa, very little"},
		{breaks("tensile_strength = 5e6\ncohesion = 15\nenergy_tension = 20\nenergy_shear = 20\n"), "cohesion is 15 Pa, very little"},
		{breaks("tensile_strength = \"5 Pa\"\ncohesion = \"15 Pa\"\nenergy_tension = 20\nenergy_shear = 20\n"), ""},
		{breaks("tensile_strength = 5e6\ncohesion = 15e6\nenergy_tension = 20\nenergy_shear = 19\n"), "energy_shear, 19 J/m2, is less than energy_tension, 20 J/m2"},
		{start + bodies + stress("[-1e6, -2e6, 5e5]"), ""},
		{start + bodies + stress("[-1e6, -2e6, 1.5e6]"), "it has tension of up to 0.0811 MPa"},
		{start + bodies + stress("[-1e6, \"1e6*x\", 0]"), "it has tension of up to 0.667 MPa, at (0.6667, 0.3333) m"},
		{inTimeDeck + bodies + stress("[-1e6, -2e6, 0]"), "initial stress in plane stress"},
		{inTimeDeck + "plane = \"stress\"\n" + bodies + stress("[-1e6, -2e6, 0]"), ""},
		{inTimeDeck + "plane = \"stress\"\ngravity = [0, -9.81]\n" + bodies + stress("[-1e6, -2e6, 0]"), "initial stress in plane stress"},
		{load("[[0, 0], [1, 1]]"), ""},
		{load("[[0, 0], [1, 1], [50, 1]]"), ""},
		{load("[[0, 0], [2.01, 1]]"), ""},
		{load("[[0, 0], [3, 1]]"), "the table of schedule ends at t = 3 s with the value 1, but the run ends at 2 s, where the value is 0.666667"},
		{load("[[0, 0], [1, 0]]"), "schedule is 0 throughout the run"},
		{load(`"min(t/3, 1)"`), "schedule reaches 1 long after the end of the run at 2 s, where its value is 0.666667"},
		{load(`"min(t/2, 1)"`), ""},
		{load(`"atan(t)"`), ""},
		{load(`"1 - exp(-t/3)"`), ""},
		{load(`"t < 3 ? (t/3)^3*(10 - 15*t/3 + 6*(t/3)^2) : 1"`), "schedule reaches 1 long after the end of the run at 2 s"},
		{drive("velocity = [\"5*(1 - exp(-t/2))\", 0]"), ""},
		{damper("tsuji", "restitution = 0.5"), `interaction "ball-wall": the restitution of tsuji, given as 0.5, comes out as 0.550: its damper is kept from pulling`},
		{damper("tsuji", "restitution = 0.5\nraw = 1"), ""},
		{damper("tsuji", "restitution = 0.98"), ""},
		{damper("linear-dashpot", "stiffness = 1e6\nrestitution = 0.3"), "comes out as 0.397"},
		{damper("tsuji", "restitution = 0.9\nmass = 1\nraw = 1"), "its damper is that of an effective mass of 1 kg, and the pair has 10 kg"},
		{damper("hunt-crossley", "restitution = 0.5"), ""},
		{load(`"t < 2.5 ? 0 : 1"`), "schedule reaches 1 long after"},
		{load(`"exp(-t)"`), ""},
		{load(`"sin(t)"`), ""},
		{load(`"t < 1e-3 ? 1 : 0"`), ""},
		{drive("velocity = [1, 0]\nramp = 3"), "ramp is 3 s and the run ends at 2 s"},
		{drive("velocity = [1, 0]\nramp = 2"), ""},
		{drive("velocity = [[0, 0, 0], [1, 0, 0], [1, 1, 0]]"), ""},
		{drive("displacement = [[0, 0, 0], [1, 0, 0], [1, 1e-3, 0]]"), "displacement jumps by 0.001 m at t = 1 s"},
		{drive("displacement = [[0, 0, 0], [1, 0, 0], [1.001, 1e-3, 0]]"), ""},
		{drive("displacement = [\"t < 0.7 ? 0 : 1e-3\", 0]"), "displacement jumps by 0.001 m at t = 0.7 s"},
		{drive("displacement = [[0, 0, 0], [9, 1e-3, 0]]"), "the table of displacement ends at t = 9 s"},
		{drive("displacement = [[0, 0, 0], [1, 0, 0], [1.00000001, 1e-3, 0]]"), "drive \"clamp\" moves at up to 1e+05 m/s, faster than its own waves, "},
		{drive("velocity = [\"6 km/s\", 0]"), "moves at up to 6000 m/s"},
		{drive("velocity = [\"5 km/s\", 0]"), ""},
		{start + strings.Replace(bodies, "name = \"striker\"\n", "name = \"striker\"\nvelocity = [0, -7e3]\n", 1), "body \"striker\" moves at up to 7000 m/s"},
		{start + "gravity_schedule = [[0, 0], [1, 1]]\ngravity = [0, 0]\n" + bodies, "gravity_schedule has no effect, since gravity is [0, 0]"},
		{start + bodies + "friction = 0.3\nfriction_speed = 2\n" + "[[fix]]\non = \"clamp\"\n", ""},
		{ball(box, "[9, 9]"), `particle "ball": 1 of 1 start inside the solid of rigid body "wall"`},
		{ball(box, "[9.9, 10.7]"), ""},
		{ball(hollow, "[9, 11]"), "inside the solid"},
		{ball(hollow, "[9, 9]"), ""},
		{ball(floor, "[9, 8.9]"), "inside the solid"},
		{ball(floor, "[9, 3]"), "inside the solid"},
		{ball(ceiling, "[9, 9.2]"), "inside the solid"},
		{ball(floor, "[9, 9.2]"), ""},
		{ball(floor, "[11, 8.9]"), ""},
	} {
		m, warnings, err := modelled(c.deck)
		if err != nil {
			t.Errorf("%s: %v", c.deck, err)
			continue
		}
		got := strings.Join(append(warnings, m.Particles.Outcomes...), "\n")
		if c.want == "" {
			for _, other := range []string{"poisson", "very little", "that of water", "is less than", "initial", "schedule", "ramp", "jumps", "inside", "friction_speed", "tension", "faster", "restitution"} {
				if strings.Contains(got, other) {
					t.Errorf("%s\nwarnings\n%s\nwant none with %q", c.deck, got, other)
				}
			}
		} else if !strings.Contains(got, c.want) {
			t.Errorf("%s\nwarnings\n%s\nwant %s", c.deck, got, c.want)
		}
	}
}

// The sides of a notch without width are no mistake; parts of a body that nothing joins, or
// a single node, are.
func TestNotchWithoutWidth(t *testing.T) {
	for cut, want := range []bool{false, false, true, true} { // twins of so many of the three nodes on y = 1: with two, the parts share a node only
		src := &mesh.Source{Name: "notch.msh"}
		for j := range 3 {
			for i := range 3 {
				src.AddNode(r2.Vec{X: float64(i), Y: float64(j)})
			}
		}
		upper := []int32{3, 4, 5}
		for i := range cut {
			upper[i] = src.AddNode(src.X[3+i])
		}
		for a := range int32(2) {
			b := a + 1
			src.Triangles = append(src.Triangles, [3]int32{a, b, 3 + b}, [3]int32{a, 3 + b, 3 + a}, [3]int32{upper[a], upper[b], 6 + b}, [3]int32{upper[a], 6 + b, 6 + a})
		}
		g := mesh.SourceGroup{Name: "striker", Dim: 2, Number: 1}
		for i := range src.Triangles {
			src.TriID, g.Elements = append(src.TriID, int64(i+1)), append(g.Elements, int32(i))
		}
		src.Groups = append(src.Groups, g)
		d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+"[[body]]\nname = \"striker\"\nmaterial = \"steel\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		built, err := mesh.Build(src, d.BodyNames())
		if err != nil {
			t.Fatal(err)
		}
		_, warnings, err := Model(d, built)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(warnings, ""), "nodes are at the position of another node"); got != want {
			t.Errorf("%d nodes cut: warnings %q", cut, warnings)
		}
	}
}

// Pressures, forces per length, velocities and initial stresses of the position are read with
// their position in metres; what has no value where they act is an error.
func TestExpressionsOfThePosition(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies
	m, _, err := modelled(strings.Replace(start, "material = \"steel\"", "material = \"steel\"\nvelocity = [\"3*y\", 2]", 1) +
		"[[initial_stress]]\nin = \"striker\"\nstress = [\"-1e3*(2 - y)\", -5, \"x\"]\n[[load]]\non = \"clamp\"\npressure = \"7*(2 - y) + t\"\n")
	if err != nil {
		t.Fatal(err)
	}
	at := r2.Vec{X: 0.5, Y: 0.25}
	if v := r2.Add(m.Bodies[0].Velocity, m.Bodies[0].VelocityAt(at)); v != (r2.Vec{X: 0.75, Y: 2}) {
		t.Errorf("velocity %v", v)
	}
	if s := m.InitialStresses[0].Stress(at); s.XX != -1750 || s.YY != -5 || s.XY != 0.5 {
		t.Errorf("initial stress %v", s)
	}
	if l := m.Loads[0]; l.Pressure*l.ByPosition(1, at) != 13.25 || l.Schedule != nil {
		t.Errorf("pressure %v", l.Pressure*l.ByPosition(1, at))
	}
	if _, _, err := modelled(start + "[[load]]\non = \"clamp\"\npressure = \"7*(2 - y)\"\n"); err != nil {
		t.Error(err)
	}
	for keys, want := range map[string]string{
		"[[load]]\non = \"clamp\"\npressure = \"sqrt(y - 1)\"":                     `"sqrt(y - 1)" is NaN at t = 0 s, x = 0 m, y = 0.5 m`,
		"[[load]]\non = \"clamp\"\npressure = \"z*x\"":                             "there is no z; there are t, x, y, pi",
		"[[load]]\non = \"clamp\"\nforce = [\"y\", 0]":                             "a total force cannot",
		"[[initial_stress]]\nstress = [\"1/(y - y)\", 0, 0]":                       `"1/(y - y)" has no finite value at x =`,
		"[[initial_stress]]\nstress = [\"-1e3*t\", 0, 0]":                          "depends on t, but this is a value at the start",
		"[[initial_stress]]\nstress = [\"-1 MPa*y\", 0, 0]":                        "contains the unit MPa",
		"[[initial_stress]]\nstress = [\"10 kg\", 0, 0]":                           "expected a pressure",
		"[[load]]\non = \"clamp\"\npressure = \"9223372036854775807 + now() + y\"": "there is no now",
	} {
		if _, _, err := modelled(start + keys); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", keys, err, want)
		}
	}
}

// fit is a shaft of radius 1, a fan of n triangles, in a ring of m edges inside, which it
// overlaps; beside them, at x = 5, is a ring of m edges by itself.
func fit(n, m int, overlap float64) *mesh.Source {
	src := &mesh.Source{Name: "fit.msh"}
	at := 0.0
	circle := func(n int, radius float64) (first int32) {
		first = int32(len(src.X))
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			src.AddNode(r2.Vec{X: at + float64(radius*cos), Y: radius * sin})
		}
		return first
	}
	body := func(name string, number int, triangles [][3]int32) {
		g := mesh.SourceGroup{Name: name, Dim: 2, Number: number}
		for _, t := range triangles {
			g.Elements = append(g.Elements, int32(len(src.Triangles)))
			src.Triangles, src.TriID = append(src.Triangles, t), append(src.TriID, int64(len(src.TriID)+1))
		}
		src.Groups = append(src.Groups, g)
	}
	middle, rim := src.AddNode(r2.Vec{}), circle(n, 1)
	var fan [][3]int32
	for i := range int32(n) {
		fan = append(fan, [3]int32{middle, rim + i, rim + (i+1)%int32(n)})
	}
	body("striker", 1, fan)
	for number, name := range []string{"target", "beside"} {
		at = 5 * float64(number)
		hole, around := circle(m, 1-overlap), circle(m, 2)
		var ring [][3]int32
		for i := range int32(m) {
			j := (i + 1) % int32(m)
			ring = append(ring, [3]int32{hole + i, around + i, around + j}, [3]int32{hole + i, around + j, hole + j})
		}
		body(name, number+2, ring)
	}
	return src
}

// Two arcs pressed together are warned of where their vertices do not meet and edges cut off
// them what is no small part of the overlap, by either side; but where edges stand for arcs.
func TestFacetsOfPressFit(t *testing.T) {
	const (
		breaks = "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\n" // so that polygons meet
		beside = "[[body]]\nname = \"beside\"\nmaterial = \"steel\"\n"
	)
	post := "[[rigid]]\nname = \"post\"\nshape = \"polygon\"\nmaterial = \"steel\"\ndensity = 1000\ncorners = ["
	for i := range 96 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 96)
		post += fmt.Sprintf("[%.12f, %.12f], ", 5+cos, sin)
	}
	post += "]\n" + beside
	disc := "[[rigid]]\nname = \"post\"\nshape = \"disc\"\nmaterial = \"steel\"\ndensity = 1000\ncentre = [5, 0]\nradius = 1\n" + beside
	for _, c := range []struct {
		shaft, ring int
		overlap     float64
		keys        string
		want        string
	}{
		{100, 100, 1e-4, "", ""},
		{100, 99, 1e-2, "", ""}, // edges cut 0.5 mm off
		{100, 99, 1e-3, "", ""},
		{50, 47, 5e-3, "", ""},
		{400, 399, 1e-3, "", ""},
		{48, 48, 1e-4, "", ""},
		{96, 48, 1e-4, "", ""}, // as polygons seventeen times the pressure
		{96, 48, 1e-3, "", ""}, // 2.6 times
		{192, 48, 3e-4, "", ""},
		{48, 96, 1e-4, "", ""}, // 0.69 of it
		{48, 96, 1e-3, "", ""}, // 0.89 of it
		{48, 192, 3e-4, "", ""},
		{144, 96, 1e-3, "", ""},
		{400, 380, 1e-3, "", ""},
		{100, 100, 1e-4, breaks, ""},
		{100, 99, 1e-2, breaks, ""},
		{100, 99, 1e-3, breaks, "edges of at most"},
		{50, 47, 5e-3, breaks, "edges of at most"},
		{96, 48, 1e-4, breaks, "too high"},
		{48, 96, 1e-3, breaks, "too low"},
		{144, 96, 1e-3, breaks, "too high"},
		{96, 48, 1e-3, post, ""}, // a rigid polygon is one
		{96, 48, 1e-3, disc, ""},
	} {
		contactor, opposite := `"striker"`, `"target"`
		if strings.Contains(c.keys, "post") {
			contactor, opposite = `"all"`, `"all"`
		}
		for _, sides := range []string{"contactor = " + contactor + "\nopposite = " + opposite + "\n", "contactor = " + opposite + "\nopposite = " + contactor + "\n"} {
			d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+twoBodies+c.keys+"[[contact]]\noverlap = \"allow\"\n"+sides))
			if err != nil {
				t.Fatal(err)
			}
			built, err := mesh.Build(fit(c.shaft, c.ring, c.overlap), d.BodyNames())
			if err != nil {
				t.Fatal(err)
			}
			_, warnings, err := Model(d, built)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(warnings, "\n")
			if c.want == "" && strings.Contains(got, "overlap") || !strings.Contains(got, c.want) {
				t.Errorf("%d in %d edges, overlap %g m, %s: warnings %q, want %q", c.shaft, c.ring, c.overlap, sides, got, c.want)
			}
		}
	}
}
