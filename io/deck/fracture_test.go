package deck

import (
	"strings"
	"testing"
)

// The names of a [[fracture]] are looked up in the mesh. Wrong values are refused at their
// position.
func TestFractureIsChecked(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies
	for name, c := range map[string]struct{ deck, want string }{
		"no place":                   {start + "[[fracture]]\n" + brittle, "in is missing"},
		"two places":                 {start + "[[fracture]]\nin = [\"striker\"]\non = \"seam\"\n" + brittle, "in does not go with on"},
		"no such body":               {start + "[[fracture]]\nin = [\"strikr\"]\n" + brittle, `no body "strikr" of triangles: did you mean "striker"?`},
		"a body twice":               {start + "[[fracture]]\nin = [\"striker\", \"striker\"]\n" + brittle, "twice"},
		"no body":                    {start + "[[fracture]]\nin = []\n" + brittle, "must have at least one name"},
		"a number":                   {start + "[[fracture]]\nin = [1]\n" + brittle, "names in quotes"},
		"no such curve":              {start + "[[fracture]]\non = \"fault\"\n" + brittle, `no group "fault"`},
		"an outer curve":             {start + "[[fracture]]\non = \"clamp\"\n" + brittle, "no edge between two triangles"},
		"a body as a curve":          {start + "[[fracture]]\non = \"striker\"\n" + brittle, `"striker" is a surface of the mesh, not a curve`},
		"too stiff":                  {start + "[[fracture]]\nin = [\"striker\"]\nstiffness = 1e5\n" + brittle, "stiffness must be above 0 and at most 10000"},
		"too much scatter":           {start + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\nscatter = { weibull = 0.5 }", "weibull must be at least 1, got 0.5"},
		"an energy below nothing":    {start + "[[fracture]]\nin = [\"striker\"]\n" + strings.Replace(brittle, "= 10", "= -10", 1), "must be positive, got -10 J/m2"},
		"not joined":                 {start + "[[fracture]]\npair = [\"striker\", \"target\"]\n" + brittle, "no edge between two triangles"},
		"a pair of three":            {start + "[[fracture]]\npair = [\"striker\", \"target\", \"half\"]\n" + brittle, "2 entries"},
		"twice":                      {start + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\n[[fracture]]\nin = [\"striker\"]\n" + brittle, "belongs to another [[fracture]] or [[joint]] already"},
		"no energy":                  {start + "[[fracture]]\nin = [\"striker\"]\ntensile_strength = 1\ncohesion = 1\nenergy_tension = 1", "energy_shear is missing"},
		"no strength":                {start + "[[fracture]]\nin = [\"striker\"]\n" + strings.Replace(brittle, "5e6", "0", 1), "tensile_strength must be positive"},
		"another unit":               {start + "[[fracture]]\nin = [\"striker\"]\n" + strings.Replace(brittle, "= 10", "= \"10 J\"", 1), "energy_tension"},
		"no such curve of softening": {start + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\nsoftening = \"cubic\"", "softening must be one of"},
		"empty scatter":              {start + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\nscatter = { seed = 2 }", `"weibull"`},
		"static":                     {inStaticDeck + steelBlock + twoBodies + "[[fracture]]\nin = [\"striker\"]\n" + brittle, "a static analysis has no cracks"},
		"by volume":                  {start + felt + "[[contact]]\ncontactor = \"striker\"\nopposite = \"target\"\nlaw = \"felt\"\n[[fracture]]\nin = [\"striker\"]\n" + brittle, `"striker" can break, and a volumetric law needs whole outlines: give "striker" a [[contact]] of its own without law`},
	} {
		if _, err := made(c.deck); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		} else if !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: the error has no position: %v", name, err)
		}
	}
}

// Bodies that do not break may have volumetric contact beside bodies that break.
func TestByVolumeBesideWhatBreaks(t *testing.T) {
	if _, err := made(inTimeDeck + steelBlock + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n" + coin + felt + "[[contact]]\ncontactor = \"striker\"\nopposite = \"coin\"\nlaw = \"felt\"\n[[fracture]]\npair = [\"target\", \"half\"]\n" + brittle); err != nil {
		t.Error(err)
	}
}

// One name needs no brackets.
func TestOneNameOfSeveral(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies
	bare, err := made(start + "[[fracture]]\nin = \"striker\"\n" + brittle + "\n[[fix]]\non = \"clamp\"\ncomponents = \"y\"")
	if err != nil {
		t.Fatal(err)
	}
	listed, err := made(start + "[[fracture]]\nin = [\"striker\"]\n" + brittle + "\n[[fix]]\non = \"clamp\"\ncomponents = [\"y\"]")
	if err != nil {
		t.Fatal(err)
	}
	if bare != listed {
		t.Errorf("without brackets the model is\n%s\nwith them\n%s", bare, listed)
	}
}

// A block on a curve comes before one in bodies; strength scatters by the edge's own numbers;
// bodies that cannot break have no room for new nodes.
func TestFractureOnAMesh(t *testing.T) {
	d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+twoBodies+"[[fracture]]\nin = [\"target\", \"striker\"]\n"+brittle+
		"\n[[fracture]]\non = \"seam\"\nscatter = { weibull = 6, seed = 3 }\n"+brittle))
	if err != nil {
		t.Fatal(err)
	}
	src := squares()
	src.Lines, src.LineID = append(src.Lines, [2]int32{4, 6}), append(src.LineID, 10)
	seam := src.Groups[2]
	seam.Name, seam.Elements = "seam", []int32{2}
	src.Groups = append(src.Groups, seam)
	m, _, err := d.Build(src)
	if err != nil {
		t.Fatal(err)
	}
	f := m.Fracture
	if len(f.Edges) != 2 || f.Edges[0].Region != 0 || f.Edges[1].Region != 1 || f.Edges[0].Strength != 1 || f.Edges[1].Strength == 1 {
		t.Errorf("edges %+v", f.Edges)
	}
	if len(m.Mesh.X) != f.Pages.Nodes || f.Pages.Used[0] != 8 {
		t.Errorf("%d places for %d nodes, %v in use", len(m.Mesh.X), f.Pages.Nodes, f.Pages.Used)
	}
	for _, e := range f.Edges {
		if m.Mesh.NodeID[e.From] == 0 || m.Mesh.NodeID[e.To] == 0 {
			t.Errorf("edge %+v is between nodes that are none", e)
		}
	}
}
