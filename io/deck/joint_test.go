package deck

import (
	"strings"
	"testing"
)

// The names of a [[joint]] are looked up in the mesh. Wrong values are refused at their position.
func TestJointIsChecked(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n"
	const seam = "[[joint]]\non = \"seam\"\nfriction = 0.5\n"
	for name, c := range map[string]struct{ deck, want string }{
		"no place":               {start + "[[joint]]\nfriction = 0.5", "on is missing"},
		"no friction":            {start + "[[joint]]\non = \"seam\"", "friction is missing"},
		"less than none":         {start + "[[joint]]\non = \"seam\"\nfriction = -0.5", "friction must not be negative"},
		"no such curve":          {start + "[[joint]]\non = \"seem\"\nfriction = 0.5", `no group "seem"`},
		"an outer curve":         {start + "[[joint]]\non = \"clamp\"\nfriction = 0.5", "no edge between two triangles"},
		"a body":                 {start + "[[joint]]\non = \"target\"\nfriction = 0.5", `"target" is a surface of the mesh, not a curve`},
		"half a strength":        {start + seam + "cohesion = 1e6", "cohesion"},
		"a strength alone":       {start + seam + "tensile_strength = 1e6", "cohesion is missing"},
		"no energy":              {start + seam + "tensile_strength = 1e6\ncohesion = 1e6\nenergy_tension = 1", "energy_shear is missing"},
		"twice":                  {start + seam + seam, "name each edge in one block"},
		"fracture on it, too":    {start + seam + "[[fracture]]\non = \"seam\"\n" + brittle, "name each edge in one block"},
		"open and strong":        {start + seam + "aperture = 0.01\n" + brittle, "has no strength"},
		"open, no width":         {start + seam + "aperture = 0", "aperture must be positive"},
		"open and stiff":         {start + seam + "aperture = 0.01\nstiffness = 3", "the usual stiffness"},
		"open twice":             {start + seam + "aperture = 0.01\n" + seam + "aperture = 0.01", "name each curve in one block"},
		"open, no such curve":    {start + "[[joint]]\non = \"seem\"\nfriction = 0.5\naperture = 0.01", `no curve "seem" in the mesh: did you mean "seam"?`},
		"open, a body":           {start + "[[joint]]\non = \"target\"\nfriction = 0.5\naperture = 0.01", `"target" is not a curve of the mesh`},
		"open, outer":            {start + "[[joint]]\non = \"clamp\"\nfriction = 0.5\naperture = 0.01", "no line of \"clamp\" lies between two triangles"},
		"open too wide":          {start + seam + "aperture = 5", "leave too little of the triangle"},
		"open and shut":          {start + seam + "aperture = 0.01\n" + seam, "no edge between two triangles"},
		"static":                 {inStaticDeck + steelBlock + twoBodies + seam + brittle, "a static analysis has no fracture: there a joint only carries pressure and friction"},
		"steep dilation":         {start + seam + "dilation = 30\ndilation_until = 0.01", "dilation must not exceed the friction angle"},
		"dilation for ever":      {start + seam + "dilation = 5", "dilation_until is missing"},
		"a slip without":         {start + seam + "dilation_until = 0.01", "dilation_until"},
		"not stiff":              {start + seam + "normal_stiffness = 0", "normal_stiffness must be positive"},
		"soft and strong":        {start + seam + "normal_stiffness = 1e9\n" + brittle, "normal_stiffness must be at least"},
		"soft in shear, strong":  {start + seam + "shear_stiffness = 1e9\n" + brittle, "shear_stiffness must be at least"},
		"static dilation":        {inStaticDeck + steelBlock + twoBodies + seam + "dilation = 5\ndilation_until = 0.01", "a static analysis has no fracture"},
		"static, an outer curve": {inStaticDeck + steelBlock + twoBodies + "[[joint]]\non = \"clamp\"\nfriction = 0.5", "no line of \"clamp\" lies between two triangles"},
	} {
		if _, err := made(c.deck); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		} else if !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: the error has no position: %v", name, err)
		}
	}
	if _, err := made(start + seam + "[[fracture]]\nin = [\"target\", \"half\"]\n" + brittle); err != nil {
		t.Errorf("a joint in a body that breaks: %v", err)
	}
}

// Dilation gives a warning if it continues to a greater slip than that at which faces are still
// opposite each other.
func TestLongDilation(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n"
	for until, want := range map[string]bool{"1e-6": false, "10": true} {
		warnings, err := built(start + "[[joint]]\non = \"seam\"\nfriction = 0.5\ndilation = 5\ndilation_until = " + until)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(warnings, " "), "faces dilate only up to"); got != want {
			t.Errorf("%s: warnings %q", until, warnings)
		}
	}
}

// built makes the model of a deck and a mesh with a seam, and returns the warnings.
func built(text string) ([]string, error) {
	d, err := Parse("deck.toml", []byte(text))
	if err != nil {
		return nil, err
	}
	_, warnings, err := d.Build(manyGroups())
	return warnings, err
}

// What a [[bolt]] and the laws of a [[joint]] cannot be is refused at its position.
func TestBoltsAndJointLawsAreChecked(t *testing.T) {
	const start = inTimeDeck + steelBlock + twoBodies
	const bolt = "[[bolt]]\nname = \"anchor\"\nfrom = [0.1, 0.9]\nto = [0.6, 0.3]\n"
	const bond = "bond_stiffness = 1e9\ndiameter = 0.02\n"
	const half = start + "[[body]]\nname = \"half\"\nmaterial = \"steel\"\n[[joint]]\non = \"seam\"\n"
	const barton = "law = \"barton-bandis\"\njrc = 9\njcs = 1e8\nresidual_friction_angle = 28\nblock_length = 1\n"
	const rate = "law = \"rate-and-state\"\nstart_speed = 1e-9\n"
	for name, c := range map[string]struct{ deck, want string }{
		"outside":                {start + strings.Replace(bolt, "0.1, 0.9", "50, 0.9", 1) + bond, "begins outside of the rock"},
		"all outside":            {start + "[[bolt]]\nname = \"anchor\"\nfrom = [50, 1]\nto = [51, 1]\n" + bond, "is in no body of triangles"},
		"no length":              {start + strings.Replace(bolt, "0.6, 0.3", "0.1, 0.9", 1) + bond, "both ends of the bolt are at the same place"},
		"no bond":                {start + bolt + "diameter = 0.02\n", "bond_stiffness is missing"},
		"bond by area":           {start + bolt + "diameter = 0.02\nbond_stiffness = \"1 GPa/m\"\n", "bond_stiffness: expected a pressure"},
		"strength by area":       {start + bolt + bond + "bond_strength = \"1 MPa\"\n", "bond_strength: expected"},
		"thick as a tunnel":      {start + bolt + "bond_stiffness = 1e9\ndiameter = 25\n", "must be thinner than it is long"},
		"an area like that":      {start + bolt + "bond_stiffness = 1e9\narea = 25\n", "must be thinner than it is long"},
		"taken out before":       {start + bolt + bond + "time = 0.5\nuntil = 0.2\n", "until must be later"},
		"after what stays":       {start + bolt + bond + "after = \"target\"\n", "no [[excavate]] has a body"},
		"roughness beyond scale": {half + strings.Replace(barton, "jrc = 9", "jrc = 90", 1), "jrc must be from 0 to 20"},
		"another friction":       {half + barton + "friction = 0.6\n", "friction does not go with law"},
		"a law of no name":       {half + "law = \"barton\"\n", "law must be one of"},
		"a negative effect":      {half + rate + "rate = { a = -0.01, b = 0.015, slip = 1e-5, friction = 0.6, speed = 1e-6 }\n", "a must be positive"},
	} {
		if _, err := made(c.deck); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		} else if !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: the error has no position: %v", name, err)
		}
	}
}

// A run until rest does not go with what flows on while nothing moves, and is told of a load that
// changes to its end.
func TestUntilRestIsChecked(t *testing.T) {
	const until = "[analysis]\nduration = 2\nuntil = \"rest\"\nplane = \"strain\"\n"
	const push = "[[load]]\non = \"clamp\"\npressure = 1e3\nschedule = "
	for name, c := range map[string]struct{ deck, want string }{
		"a fluid": {until + steelBlock + twoBodies + "[[fluid]]\nname = \"water\"\nwell = \"top\"\nvolume = 1\nrate = 1\n", "until = \"rest\" does not go with [[fluid]]"},
		"heat":    {until + inHeat + conductive + warm + twoBodies, "does not go with temperatures"},
		"pores":   {until + inPores + wet + twoBodies, "does not go with [pores]"},
	} {
		if _, err := made(c.deck); err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "deck.toml:3:") {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	for schedule, want := range map[string]bool{"\"sin(t)\"": true, "[[0, 0], [1, 1], [2, 1]]": false} {
		warnings, err := built(until + steelBlock + twoBodies + push + schedule + "\n")
		if got := strings.Contains(strings.Join(warnings, " "), "ends nothing before the duration"); err != nil || got != want {
			t.Errorf("a load by %s: %v, %q", schedule, err, warnings)
		}
	}
}
