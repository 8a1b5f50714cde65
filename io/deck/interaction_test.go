package deck

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fdem/contactnodes"
	"fdem/io/tables"
)

const ballsInHollow = `[analysis]
duration = "1 ms"
[[material]]
name = "steel"
young = "207 GPa"
poisson = 0.3
density = 7800
[[rigid]]
name = "bowl"
shape = "hollow"
centre = [0, 0]
radius = "20 mm"
[[particle]]
name = "balls"
radius = "5 mm"
position = [0, 0]
material = "steel"
[[law]]
name = "point"
model = "hertz"
[[interaction]]
law = "point"
friction = 0.3
`

// A rule of an interaction that cannot be made is a mistake at its position, for
// whichever of the sizes it is.
func TestRuleThatCannotBe(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{`radius = "5 mm"`, `radius = "20 mm"`, `22:7: interaction "all-all": "balls" meets "bowl": a sphere of radius 0.02 m does not fit into a hollow of radius 0.02 m`},
		{`radius = "5 mm"`, "radius = [\"5 mm\", \"30 mm\"]\ngrid = [4, 1]\nspacing = \"70 mm\"", `"balls" meets "bowl": a sphere of radius`},
		{`model = "hertz"`, "model = \"tsuji\"\nrestitution = 0.5\nmass = 0", "mass"},
		{`material = "steel"` + "\n[[law]]", "density = 7800\n[[law]]", `law hertz needs`},
	} {
		_, _, err := unmeshed("balls.toml", swap(t, ballsInHollow, c.old, c.new))
		if c.want == "" {
			if err != nil {
				t.Errorf("the deck itself: %v", err)
			}
			continue
		}
		var e *tables.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v\nwant %s", c.new, err, c.want)
		}
	}
}

// An interaction that is more specific than "all" has priority, wherever it stands.
func TestNamedInteractionsWin(t *testing.T) {
	between := func(a, b, friction string) string {
		return "[[interaction]]\nlaw = \"point\"\nbetween = [\"" + a + "\", \"" + b + "\"]\nfriction = " + friction + "\n"
	}
	for _, rest := range []string{
		between("balls", "all", "0.2") + between("bowl", "balls", "0.1"),
		between("bowl", "balls", "0.1") + between("balls", "all", "0.2"),
		between("bowl", "all", "0.1"),
	} {
		m, _, err := unmeshed("balls.toml", ballsInHollow+rest)
		if err != nil {
			t.Fatal(err)
		}
		p := m.Particles
		rule, err := p.RuleOf(p.Kind[0], p.RigidKind[0])
		if err != nil || rule == nil || rule.Friction.Kinetic != 0.1 {
			t.Errorf("%s: the ball meets the bowl by %+v, %v", rest, rule, err)
		}
	}
}

// An interaction that never acts because of others gives a warning, and so does a mesh that is not
// needed.
func TestWhatDoesNotActIsWarnedOf(t *testing.T) {
	const again = "[[interaction]]\nlaw = \"point\"\nbetween = [\"balls\", \"bowl\"]\n"
	_, warnings, err := unmeshed("balls.toml", "mesh = \"a.msh\"\n"+ballsInHollow+again+again+"name = \"again\"\n")
	want := []string{"mesh and mesh_unit are not used, since the deck has no [[body]] and no [[beam]]", `interaction "again" acts on nothing: other blocks have all of its pairs`}
	if err != nil || !slices.Equal(warnings, want) {
		t.Errorf("%q, %v; want %q", warnings, err, want)
	}
}

// Which friction a deck gets: contact nodes hold unless it gives a slip speed or
// says otherwise, volumes and particles follow the slip speed.
func TestFormOfFriction(t *testing.T) {
	const head = "[[material]]\nname = \"m\"\nyoung = 1e9\npoisson = 0.3\ndensity = 1e3\n[[body]]\nname = \"a\"\nmaterial = \"m\"\n[[law]]\nname = \"p\"\nmodel = \"linear\"\nk = 1e9\n[[law]]\nname = \"v\"\nmodel = \"volumetric\"\nk_f = 1e9\nh_f = 1\n[[contact]]\ncontactor = \"a\"\nopposite = \"b\"\nfriction = 0.3\n"
	for _, c := range []struct {
		analysis, rest          string
		ratio, stiffness, brake float64
		want                    string
	}{
		{"dynamic", "law = \"p\"", contactnodes.MindlinRatio, 0, 0.5, ""},
		{"static", "law = \"p\"", contactnodes.MindlinRatio, 0, 0, ""},
		{"dynamic", "law = \"p\"\nstick_stiffness = \"auto\"\nstatic_friction = 0.4", contactnodes.MindlinRatio, 0, 0.5, ""},
		{"dynamic", "law = \"p\"\nstick_stiffness = \"1 GPa/mm\"", 0, 1e12, 0, ""},
		{"dynamic", "law = \"p\"\nfriction_speed = \"1 mm/s\"", 0, 0, 0, ""},
		{"dynamic", "law = \"p\"\nfriction_model = \"regularised\"", 0, 0, 0, ""},
		{"dynamic", "law = \"v\"", 0, 0, 0, ""},
		{"static", "law = \"p\"\nfriction_speed = \"1 mm/s\"", 0, 0, 0, `needs friction_model = "stick"`},
		{"dynamic", "law = \"v\"\nfriction_model = \"stick\"", 0, 0, 0, "does not go with a volumetric law"},
		{"dynamic", "law = \"v\"\nstick_stiffness = \"auto\"", 0, 0, 0, "does not go with a volumetric law"},
		{"dynamic", "law = \"p\"\nfriction_speed = 1\nstick_stiffness = \"auto\"", 0, 0, 0, `goes with friction_model = "stick"`},
		{"dynamic", "law = \"p\"\nfriction_speed = 1\nfriction_model = \"stick\"", 0, 0, 0, `goes with friction_model = "regularised"`},
		{"dynamic", "law = \"p\"\nstick_stiffness = \"rigid\"", 0, 0, 0, "stick_stiffness"},
	} {
		text := "mesh = \"m.msh\"\n[analysis]\ntype = \"" + c.analysis + "\"\nduration = 1\n" + head + c.rest + "\n"
		d, err := Parse("friction.toml", []byte(text))
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %s", c.rest, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.rest, err)
			continue
		}
		if f := d.contacts[0].Friction; f.Ratio != c.ratio || f.Stiffness != c.stiffness || f.Brake != c.brake {
			t.Errorf("%s, %s: %+v", c.analysis, c.rest, f)
		}
	}
}
