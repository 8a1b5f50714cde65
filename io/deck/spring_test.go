package deck

import (
	"math"
	"strings"
	"testing"

	"fdem/solver"
)

// A mistake in a spring is reported once, with its position.
func TestBadSprings(t *testing.T) {
	rest := inTimeDeck + steelBlock + twoBodies + coin
	const dug = "[[excavate]]\nin = [\"striker\"]\nramp = 0.5\n"
	for _, c := range []struct{ keys, rest, want string }{
		{"on = \"top\"\nstiffness = -1", rest, "stiffness must be positive, got -1"},
		{"on = \"top\"\nstiffness = \"5 N\"", rest, "stiffness"},
		{"on = \"top\"\ndamping = -1", rest, "damping must be positive, got -1"},
		{"on = \"top\"", rest, "a spring needs a stiffness, a damping or a curve"},
		{"on = \"tip\"\nstiffness = 1", rest, "there is no group \"tip\" in the mesh: did you mean \"top\"?"},
		{"on = \"top\"\nto = \"tip\"\nstiffness = 1", rest, "model.toml"},
		{"on = \"target\"\nat = [9, 9]\nstiffness = 1", rest, "(9, 9) m is not in \"target\": the nearest node of it, 7, is at (4, 1) m"},
		{"on = \"top\"\nat = [2, 1]\nstiffness = 1", rest, "at goes with a body, a beam or a rigid body, and \"top\" is a curve, whose middle is taken: leave at out"},
		{"on = \"coin\"\nat = [3, 9]\nto_at = [1, 1]\nstiffness = 1", rest, "(3, 9) m is not in \"coin\""},
		{"on = \"plate\"\nat = [0.5, 3]\nto_at = [1, 1]\nstiffness = 1", rest + plate, "(0.5, 3) m is not on \"plate\""},
		{"on = \"top\"\nto = \"top\"\nstiffness = 1", rest, "both ends of the spring are the same point"},
		{"on = \"coin\"\nto = \"coin\"\nto_at = [0.2, 9]\nstiffness = 1", rest, "so that it has no effect"},
		{"on = \"plate\"\nto_at = [3, 3]\nstiffness = 1", rest + plate, "neither of its ends moves"},
		{"on = \"coin\"\nto_at = [0, 9]\nstiffness = 1", rest, "so that it has no direction"},
		{"on = \"grain\"\nto_at = [3, 3]\nstiffness = 1", inTimeDeck + steelBlock + grain, "is a [[particle]]"},
		{"on = \"top\"\nto_at = [3, 3]\ndamping = 1", inStaticDeck + steelBlock + twoBodies, "a dashpot does nothing in a static analysis"},
		{"on = \"top\"\nto_at = [3, 3]\nstiffness = 1\nonly = \"tension\"\npreload = -3", rest, "the preload must have that sense"},
		{"on = \"top\"\nto_at = [3, 3]\ndamping = 1\nonly = \"tension\"", rest, "only goes with a stiffness"},
		{"on = \"top\"\nstiffness = 1\npreload = 3", rest, "is for a spring along the line between its ends"},
		{"on = \"top\"\nstiffness = 1\ncomponents = [\"z\"]", rest, "components must be"},
		{"on = \"top\"\nstiffness = 1\ncomponents = []", rest, "at least one"},
		{"on = \"top\"\nto_at = [3, 3]\ncurve = [[1, 0], [0, 1]]", rest, "must increase"},
		{"on = \"top\"\nto_at = [3, 3]\ncurve = [[1, 0]]", rest, "at least two points"},
		{"on = \"top\"\ncurve = [[0, 0], [1, 1]]", rest, "a curve has one direction"},
		{"on = \"top\"\nstiffness = 1\ntime = 9", rest, "it would be installed at 9 s, and the run ends at"},
		{"on = \"top\"\nstiffness = 1\ntime = 0.2\nuntil = 0.1", rest, "until must be later"},
		{"on = \"top\"\nstiffness = 1\nramp = 0.1", rest, "ramp goes with until"},
		{"on = \"top\"\nstiffness = 1\nafter = \"strker\"", rest + dug, "did you mean \"striker\""},
		{"on = \"top\"\nstiffness = 1\nafter = \"striker\"\nrelaxation = 1.2", rest + dug, "relaxation must"},
		{"on = \"top\"\nstiffness = 1\nafter = \"striker\"\nuntil = 0.1", rest + dug, "until must be later"},
		{"on = \"top\"\nstiffness = 1\nrelaxation = 0.4", rest + dug, "relaxation goes with after"},
		{"on = \"top\"\nto_at = [3, 3]\nstiffness = 1\nfree_length = 2\ntime = 0.2", rest, "free_length does not go with time"},
		{"on = \"top\"\nrotation_stiffness = 1", rest, "and \"top\" is neither"},
		{"on = \"top\"\nstiffness = 1\n[[spring]]\non = \"top\"\nstiffness = 2", rest, "give this one a name"},
	} {
		v := variant{block: "spring", keys: c.keys, rest: c.rest}
		if _, err := made(v.text("")); err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), "deck.toml", "model.toml"), c.want) {
			t.Errorf("%s\n\tgot  %v\n\twant %s", c.keys, err, c.want)
		}
	}
}

// The default values of keys that are left out.
func TestDefaultsOfSprings(t *testing.T) {
	d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+twoBodies+`
[[spring]]
on = "top"
stiffness = 5
[[spring]]
on = "top"
to = "striker"
stiffness = 5
`))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Build(squares())
	if err != nil {
		t.Fatal(err)
	}
	bed, line := m.Springs[0], m.Springs[1]
	if bed.Name != "top" || !bed.X || !bed.Y || bed.Axial || len(bed.Links) != 2 || bed.Links[0].Share != 0.5 {
		t.Errorf("a bed is %+v", bed)
	}
	if s, err := solver.New(m); err != nil || line.Name != "top-striker" || !line.Axial || s.Kinds.Springs.Forces()[1].Force != 0 || s.Kinds.Springs.Lines() != 1 {
		t.Errorf("a line is %+v; %v", line, err)
	}
}

// A spring after an excavation comes when that share of its forces has faded.
func TestSpringAfterExcavation(t *testing.T) {
	for relaxation, want := range map[string]float64{"": 1, "relaxation = \"40 %\"": 0.4, "relaxation = 0.9": 0.9} {
		d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+twoBodies+"[[spring]]\non = \"top\"\nstiffness = 5\nafter = \"striker\"\n"+relaxation+"\n[[excavate]]\nin = [\"striker\"]\ntime = 0.2\nramp = 0.5\n"))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := d.Build(squares())
		if err != nil {
			t.Fatal(err)
		}
		if faded := 1 - m.Excavations[0].Fade(m.Springs[0].From-m.Excavations[0].At); math.Abs(faded-want) > 1e-9 || m.Springs[0].From > 0.7 {
			t.Errorf("%s: it comes at %g s, when %g has faded", relaxation, m.Springs[0].From, faded)
		}
	}
}

// A mistake in a tie is reported once, with its position.
func TestBadTies(t *testing.T) {
	rest := inTimeDeck + steelBlock + twoBodies
	for _, c := range []struct{ keys, rest, want string }{
		{"on = \"face\"\nto = \"target\"", rest, "2 of the 2 nodes of \"face\" have no edge of \"target\" within a tenth of an edge, the first, node 2, at (1, 0) m"},
		{"on = \"face\"\nto = \"target\"\ngap = 0.9", rest, "within 0.9 m"},
		{"on = \"face\"\nto = \"target\"\ngap = -1", rest, "gap must be positive"},
		{"on = \"face\"\nto = \"striker\"\ngap = 2", rest, "share 2 nodes of the mesh"},
		{"on = \"striker\"\nto = \"target\"\ngap = 2", rest, "name a boundary curve"},
		{"on = \"face\"\nto = \"nobody\"\ngap = 2", rest, "there is no group \"nobody\""},
		{"on = \"face\"\nto = \"strip\"\ngap = 2", rest + strip, "\"strip\" is not a meshed body"},
		{"on = \"face\"\nto = \"coin\"\ngap = 2", rest + coin, "\"coin\" is not a meshed body"},
		{"on = \"face\"\nto = \"target\"\ngap = 2", rest + "[[fracture]]\nin = [\"target\"]\n" + brittle + "\n", "which can break"},
	} {
		v := variant{block: "tie", keys: c.keys, rest: c.rest}
		if _, err := made(v.text("")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n\tgot  %v\n\twant %s", c.keys, err, c.want)
		}
	}
}

// What is wrong with a body force, a moment on a rigid body or a gravity that changes is reported
// once, with its position.
func TestBadBodyForces(t *testing.T) {
	rest := inTimeDeck + steelBlock + twoBodies
	for _, c := range []struct{ keys, rest, want string }{
		{"on = \"target\"\nacceleration = [0, 0]", rest, "the acceleration is zero"},
		{"on = \"target\"\nacceleration = [1, 0]\nbody_force = [1, 0]", rest, "a load needs one of"},
		{"on = \"target\"\nacceleration = [\"z*t\", 0]", rest, "there is no z"},
		{"on = \"target\"\nacceleration = [\"x +\", 0]", rest, "ends too early"},
		{"on = \"target\"\nacceleration = [\"1 N\", 0]", rest, "acceleration"},
		{"on = \"top\"\nacceleration = [1, 0]", rest, "acceleration and body_force act on elements"},
		{"on = \"plate\"\nacceleration = [1, 0]", rest + plate, "does not move by forces"},
		{"on = \"grain\"\nacceleration = [1, 0]", inTimeDeck + steelBlock + grain, "is a [[particle]]"},
		{"on = \"plate\"\nmoment = 1", rest + plate, "does not rotate by forces"},
		{"on = \"target\"\nmoment = 1", rest, "acts on nodes of a beam"},
	} {
		v := variant{block: "load", keys: c.keys, rest: c.rest}
		if _, err := made(v.text("")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n\tgot  %v\n\twant %s", c.keys, err, c.want)
		}
	}
	for keys, want := range map[string]string{
		"duration = 2\ngravity_schedule = \"t\"":                      "gravity",
		"duration = 2\ngravity = [0, -1]\ngravity_schedule = 3":       "gravity_schedule must be a list",
		"duration = 2\ngravity = [0, -1]\ngravity_schedule = \"1/t\"": "no finite value at t = 0 s",
	} {
		v := variant{block: "analysis", keys: keys, rest: steelBlock + twoBodies}
		if _, err := made(v.text("")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n\tgot  %v\n\twant %s", keys, err, want)
		}
	}
}
