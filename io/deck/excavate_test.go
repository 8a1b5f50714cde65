package deck

import (
	"strings"
	"testing"

	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// What an [[excavate]] says is looked up in the mesh; wrong values are refused at their position.
func TestExcavateIsChecked(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies
	const excavation = "[[excavate]]\nin = [\"target\"]\nramp = 0.5\n"
	for name, c := range map[string]struct{ deck, want string }{
		"nothing":       {start + "[[excavate]]\nramp = 1", "in is missing"},
		"none":          {start + "[[excavate]]\nin = []\nramp = 1", "must have at least one name"},
		"no ramp":       {start + "[[excavate]]\nin = [\"target\"]", "ramp is missing"},
		"at once":       {start + "[[excavate]]\nin = [\"target\"]\nramp = 0", "ramp must be positive"},
		"before":        {start + excavation + "time = -1", "time must not be negative"},
		"no such body":  {start + "[[excavate]]\nin = [\"targt\"]\nramp = 1", `no body "targt" of triangles: did you mean "target"?`},
		"twice":         {start + excavation + excavation, "excavated by another block already"},
		"all":           {start + "[[excavate]]\nin = [\"target\", \"striker\"]\nramp = 1", "at least one must stay"},
		"static, met":   {inStaticDeck + steelBlock + twoBodies + excavation + stiff + "[[contact]]\ncontactor = \"target\"\nopposite = \"striker\"\nlaw = \"firm\"\n", "in a static analysis bodies in contact cannot be excavated"},
		"what breaks":   {start + excavation + "[[fracture]]\nin = [\"target\"]\n" + brittle, "a body that will be excavated does not break"},
		"by volume":     {start + excavation + felt + "[[contact]]\ncontactor = \"target\"\nopposite = \"striker\"\nlaw = \"felt\"\n", `whose law is volumetric, which excludes excavated bodies`},
		"what absorbs":  {start + excavation + "[[absorb]]\non = \"top\"\n", "has the absorbing edge"},
		"gravity":       {strings.Replace(start, "duration = ", "gravity = [0, -9]\ngravity_schedule = \"t\"\nduration = ", 1) + excavation, "gravity_schedule"},
		"weight on it":  {start + excavation + "[[load]]\non = \"target\"\nacceleration = [1, 0]\n", "is excavated and has a load:"},
		"held":          {start + excavation + "[[fix]]\non = \"target\"\n", `all of body "target" is fixed`},
		"driven":        {start + excavation + "[[drive]]\non = \"target\"\nvelocity = [1, 0]\n", `all of body "target" is driven`},
		"a spring":      {start + excavation + "[[spring]]\non = \"top\"\nto_at = [9, 9]\nstiffness = 1\n", `the spring "top" ends in a body that is excavated`},
		"a load on it":  {start + excavation + "[[load]]\non = \"top\"\npressure = 1\n", "is excavated and has a load on"},
		"a force on it": {start + excavation + "[[load]]\non = \"top\"\nforce = [1, 0]\n", "a load acts on \"top\""},
	} {
		if _, err := made(c.deck); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		} else if !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: the error has no position: %v", name, err)
		}
	}
	if _, err := made(start + excavation + "[[fix]]\non = \"top\"\n"); err != nil {
		t.Errorf("excavating at a curve that is held: %v", err)
	}
	if _, err := made(start + excavation + stiff + "[[contact]]\ncontactor = \"target\"\nopposite = \"striker\"\nlaw = \"firm\"\n"); err != nil {
		t.Errorf("excavating what meets others: %v", err)
	}
	if _, err := made(start + excavation + "[[fracture]]\nin = [\"striker\"]\n" + brittle); err != nil {
		t.Errorf("excavating beside what breaks: %v", err)
	}
}

// "all" has the walls that excavation exposes of bodies without a boundary edge, except of those
// that are joined to the one body that meets all others.
func TestAllHasExposedWalls(t *testing.T) {
	src := squares()
	src.X, src.NodeID = append(src.X, r2.Vec{X: 2.6, Y: 0.4}, r2.Vec{X: 3, Y: 0.4}, r2.Vec{X: 2.8, Y: 0.6}), append(src.NodeID, 9, 10, 11)
	src.Triangles = src.Triangles[:2] // the target is a ring round another body
	src.Triangles = append(src.Triangles, [][3]int32{{4, 5, 9}, {4, 9, 8}, {5, 6, 9}, {6, 10, 9}, {6, 7, 10}, {7, 8, 10}, {7, 4, 8}, {8, 9, 10}}...)
	src.TriID = []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	src.Groups[1].Elements = []int32{2, 3, 4, 5, 6, 7, 8}
	src.Groups = append(src.Groups, mesh.SourceGroup{Name: "heart", Dim: 2, Number: 9, Elements: []int32{9}})
	for _, c := range []struct {
		contactor, opposite string
		want                [2]int
		err                 string
	}{
		{"all", "all", [2]int{1, 1}, ""}, {"striker", "all", [2]int{0, 1}, ""}, {"target", "all", [2]int{0, 0}, ""}, {"striker", "target", [2]int{0, 0}, ""},
		{"striker", "heart", [2]int{}, `body "heart" has no boundary edge: "all" includes the faces of it that excavation exposes`},
	} {
		d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+twoBodies+"[[body]]\nname = \"heart\"\nmaterial = \"steel\"\n[[contact]]\ncontactor = \""+c.contactor+"\"\nopposite = \""+c.opposite+"\"\n[[excavate]]\nin = \"heart\"\nramp = 0.1\n"))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := d.Build(src)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s on %s: error %v, want %q", c.contactor, c.opposite, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if of := m.Contacts[0].Inner; len(of[0]) != c.want[0] || len(of[1]) != c.want[1] {
			t.Errorf("%s on %s: inner bodies %v, want %v of them", c.contactor, c.opposite, of, c.want)
		}
	}
}
