package solver_test

import (
	"fmt"
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

// A rigid body wholly inside the solid of another one is reported, also by impulses: contact would find
// nothing. Bodies that are both held may lie so.
func TestRigidBodyInsideAnother(t *testing.T) {
	for _, integrator := range []string{"explicit", "impulses"} {
		for _, c := range []struct{ outer, inner, want string }{
			{`shape = "hollow", radius = 0.1`, `shape = "disc", centre = [0.3, 0], radius = 0.02, density = 1000`, `"ball" lies inside the solid of rigid body "drum"`},
			{`shape = "hollow", radius = 0.1`, `shape = "disc", centre = [0.05, 0], radius = 0.02, density = 1000`, ""},
			{`shape = "box", width = 1, height = 1`, `shape = "polygon", corners = [[0, 0], [0.2, 0], [0.1, 0.2]], density = 1000`, `"ball" lies inside the solid of rigid body "drum"`},
			{`shape = "disc", radius = 1`, `shape = "box", centre = [0.2, 0.1], width = 0.2, height = 0.2, density = 1000`, `"ball" lies inside the solid of rigid body "drum"`},
			{`shape = "disc", radius = 1`, `shape = "box", centre = [0.2, 0.1], width = 0.2, height = 0.2`, ""},
		} {
			if integrator == "explicit" && !strings.Contains(c.inner, "density") {
				continue // no stiffness for two that are held
			}
			d, err := deck.Parse("model.toml", []byte("[analysis]\nduration = 1e-3\nintegrator = \""+integrator+"\"\n[[rigid]]\nname = \"drum\"\n"+
				strings.ReplaceAll(c.outer, ", ", "\n")+"\ncentre = [0, 0]\n"+"[[rigid]]\nname = \"ball\"\n"+strings.NewReplacer(", centre", "\ncentre", ", radius", "\nradius", ", width", "\nwidth", ", height", "\nheight", ", corners", "\ncorners", ", density", "\ndensity").Replace(c.inner)+
				"\n[[rigid]]\nname = \"other\"\nshape = \"disc\"\ncentre = [9, 9]\nradius = 0.1\ndensity = 1\n[[contact]]\ncontactor = \"ball\"\nopposite = \"drum\"\n"))
			if err != nil {
				t.Fatal(err)
			}
			_, _, err = d.Build(nil)
			if got := fmt.Sprint(err); (err == nil) != (c.want == "") || err != nil && !strings.Contains(got, c.want) {
				t.Errorf("%s: %s in %s: error %v, want %q", integrator, c.inner, c.outer, err, c.want)
			}
		}
	}
}
