package deck

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const oneMaterial = "[analysis]\nduration = 1\n[[material]]\nname = \"m\"\nyoung = 1e9\npoisson = 0.2\ndensity = 1000\n[[body]]\nname = \"b\"\nmaterial = \"m\"\n"

// loaded reads a deck with a mesh, both as text, and returns its warnings or its error.
func loaded(t *testing.T, inp, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.inp")
	if err := os.WriteFile(path, []byte(inp), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := Parse("deck.toml", []byte(text))
	if err != nil {
		return err.Error()
	}
	_, warnings, err := d.Load(path)
	if err != nil {
		return err.Error()
	}
	return strings.Join(warnings, "\n")
}

// Meshes whose parts do not hang together as they look.
func TestHanging(t *testing.T) {
	const node, corner = "lie on an edge of its outline that does not have them", "are joined by"
	for name, c := range map[string]struct{ inp, want string }{
		"matching":                {"*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,2,0\n6,2,1\n*ELEMENT, TYPE=CPS4, ELSET=b\n1,1,2,3,4\n2,2,5,6,3\n", ""},
		"T-junction":              {"*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,2,0\n6,2,1\n7,1,0.5\n8,2,0.5\n*ELEMENT, TYPE=CPS4, ELSET=b\n1,1,2,3,4\n2,2,5,8,7\n3,7,8,6,3\n", node + " that does not have them, the first at (1, 0.5)"},
		"by a node":               {"*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,2,1\n6,2,2\n7,1,2\n*ELEMENT, TYPE=CPS4, ELSET=b\n1,1,2,3,4\n2,3,5,6,7\n", corner + " single nodes only, 1 in all, the first at (1, 1)"},
		"two bodies in one group": {"*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n5,3,1\n6,4,1\n7,3,2\n*ELEMENT, TYPE=CPS4, ELSET=b\n1,1,2,3,4\n*ELEMENT, TYPE=CPS3, ELSET=b\n2,5,6,7\n", ""},
		"a plate with a slit":     {"*NODE\n1,0,0\n2,1,0\n3,2,0\n4,0,1\n5,1,1\n6,2,1\n7,0,2\n8,1,2\n9,2,2\n10,1,2\n*ELEMENT, TYPE=CPS4, ELSET=b\n1,1,2,5,4\n2,2,3,6,5\n3,4,5,8,7\n4,5,6,9,10\n", ""},
	} {
		got := loaded(t, c.inp, oneMaterial)
		want := strings.ReplaceAll(c.want, node+" that does not have them", node)
		if !strings.Contains(got, want) || want == "" && (strings.Contains(got, node) || strings.Contains(got, corner)) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A body inside a rigid one, and the other way round.
func TestSwallowed(t *testing.T) {
	const square = "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT, TYPE=CPS4, ELSET=b\n1,1,2,3,4\n"
	for shape, want := range map[string]string{
		"shape = \"disc\"\ncentre = [0.5, 0.5]\nradius = 10":                  `the bodies overlap at the start: body "b" lies inside the solid of rigid body "r"`,
		"shape = \"disc\"\ncentre = [0.5, 0.5]\nradius = 0.1":                 `the bodies overlap at the start: rigid body "r" lies inside body "b"`,
		"shape = \"box\"\ncentre = [0.5, 0.5]\nwidth = 9\nheight = 9":         `body "b" lies inside the solid`,
		"shape = \"box\"\ncentre = [0.5, 0.5]\nwidth = 0.2\nheight = 0.3":     `rigid body "r" lies inside body "b"`,
		"shape = \"polygon\"\ncorners = [[-5, -5], [5, -5], [5, 5], [-5, 5]]": `body "b" lies inside the solid`,
		"shape = \"hollow\"\ncentre = [0.5, 0.5]\nradius = 10":                "",
		"shape = \"hollow\"\ncentre = [20, 0.5]\nradius = 10":                 `body "b" lies inside the solid`,
		"shape = \"disc\"\ncentre = [0.5, 3]\nradius = 1":                     "",
		"shape = \"line\"\nfrom = [-1, -0.1]\nto = [2, -0.1]":                 "",
	} {
		got := loaded(t, square, oneMaterial+"[[rigid]]\nname = \"r\"\n"+shape+"\n[[contact]]\ncontactor = \"b\"\nopposite = \"r\"\n")
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, "inside") {
			t.Errorf("%s: %q, want %q", shape, got, want)
		}
	}
}

// Loads that are given twice, units that are given twice, and the units of tonnes and
// millimetres.
func TestDoubled(t *testing.T) {
	const square = "*NODE\n1,0,0\n2,1,0\n3,1,1\n4,0,1\n*ELEMENT, TYPE=CPS4, ELSET=b\n1,1,2,3,4\n*NSET, NSET=n\n1\n"
	load := "[[load]]\non = \"n\"\nforce = [%d, 0]\n"
	for text, want := range map[string]string{
		oneMaterial + fmt.Sprintf(load, 1) + fmt.Sprintf(load, 1):              `load "n": two [[load]] blocks are equal, and both act`,
		oneMaterial + fmt.Sprintf(load, 1) + fmt.Sprintf(load, 2):              "",
		strings.Replace(oneMaterial, "1e9", `"1 1 GPa"`, 1):                    `expected`,
		strings.Replace(oneMaterial, "1e9", `"1 1/m"`, 1):                      `expected`,
		strings.Replace(oneMaterial, "density = 1000", "density = 7.85e-9", 1): `in tonnes, millimetres, newtons and seconds it is 7.85e-09 t/mm3, 7850 kg/m3: write "7850 kg/m3"`,
		strings.Replace(oneMaterial, "density = 1000", "density = 7.85e-6", 1): `in kg/mm3 it is 7850 kg/m3: write "7850 kg/m3"`,
		strings.Replace(oneMaterial, "density = 1000", "density = 7.85", 1):    `write "7.85 g/cm3"`,
		strings.Replace(oneMaterial, "young = 1e9", "young = 210000", 1):       `write "210000 MPa"`,
		strings.Replace(oneMaterial, "young = 1e9", "young = 210", 1):          `write "210 MPa" or "210 GPa"`,
	} {
		got := loaded(t, square, text)
		if !strings.Contains(got, want) || want == "" && strings.Contains(got, "load") || strings.Contains(got, "210000 GPa") {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := loaded(t, square, strings.Replace(oneMaterial, "1e9", `"1 1 GPa"`, 1)); !strings.Contains(got, "which has two numbers") {
		t.Error(got)
	}
}

// Schedules that change faster than the step.
func TestUnresolved(t *testing.T) {
	head := strings.Replace(oneMaterial, "duration = 1", "duration = \"1 ms\"", 1)
	for schedule, want := range map[string]string{
		`[[0, 0], ["0.5 ms", 0], ["0.5001 ms", 1e10], ["0.5002 ms", 0]]`: "changes faster than the step of 0.00018 s",
		`"sin(1e9*t)"`: "a step of 1.4e-09 s",
		`"sin(2e3*t)"`: "",
		`[[0, 0], ["0.5 ms", 0], ["0.5 ms", 1], ["1 ms", 1]]`: "",
		`[[0, 0], ["0.2 ms", 1], ["1 ms", 1]]`:                "",
		`"t < 0.5e-3 ? 0 : 1"`:                                "",
	} {
		d, err := Parse("deck.toml", []byte(head+"[[load]]\non = \"n\"\nforce = [1, 0]\nschedule = "+schedule+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.Unresolved(1.8e-4), "\n"); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", schedule, got, want)
		}
	}
}
