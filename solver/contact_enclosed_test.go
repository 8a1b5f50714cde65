package solver_test

import (
	"strings"
	"testing"

	"fdem/io/deck"
	"fdem/io/plan"
	"fdem/solver"
)

// A rigid body whose solid is on the wrong side of its outline is reported.
func TestSolidOnTheWrongSide(t *testing.T) {
	for _, c := range []struct{ rigid, want string }{
		{"shape = \"line\"\nfrom = [3, 0]\nto = [0, 0]", `all of "block" lies in the solid of "wall"`},
		{"shape = \"line\"\nfrom = [3, 0.05]\nto = [0, 0.05]", "is inside by"},
		{"shape = \"disc\"\ncentre = [1.05, 0.05]\nradius = 0.075", `"block" lies inside the solid of rigid body "wall"`},
		{"shape = \"hollow\"\ncentre = [1.05, 0.05]\nradius = 0.06", "contact nodes are inside, the deepest by"},
	} {
		d, err := deck.Parse("model.toml", []byte("[analysis]\nduration = 1\n"+soft+"[[body]]\nname = \"block\"\nmaterial = \"gel\"\n[[rigid]]\nname = \"wall\"\n"+c.rigid+
			"\n[[contact]]\ncontactor = \"block\"\nopposite = \"wall\"\n"))
		if err != nil {
			t.Fatal(err)
		}
		src, err := plan.ParseShapes("model.shapes.toml", []byte(alone))
		noError(t, err)
		m, _, err := d.Build(src)
		if err == nil {
			_, err = solver.New(m)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.rigid, err, c.want)
		}
	}
}
