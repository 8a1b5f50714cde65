package deck

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// A drive with wrong values is refused at its position.
func TestDriveIsChecked(t *testing.T) {
	const start, still = inTimeDeck + steelBlock + twoBodies + "[[drive]]\n", inStaticDeck + steelBlock + twoBodies + "[[drive]]\n"
	for name, c := range map[string]struct{ deck, want string }{
		"nothing":                   {start + "on = \"clamp\"", "a drive needs a displacement, a velocity"},
		"no such group":             {start + "on = \"clamb\"\nvelocity = [1, 0]", `there is no group "clamb" in the mesh: did you mean "clamp"?`},
		"both":                      {start + "on = \"clamp\"\nvelocity = [1, 0]\ndisplacement = [\"t\", 0]", "does not go with velocity"},
		"both ways to turn":         {start + "on = \"clamp\"\nangle = \"t\"\nangular_velocity = 1", "does not go with angular_velocity"},
		"a rigid body":              {inTimeDeck + steelBlock + twoBodies + plate + "[[drive]]\non = \"plate\"\nvelocity = [1, 0]", `"plate" is a rigid body`},
		"particles":                 {inTimeDeck + steelBlock + grain + "[[drive]]\non = \"grain\"\nvelocity = [1, 0]", `"grain" are particles`},
		"at once":                   {start + "on = \"clamp\"\ndisplacement = [1, 0]", "give the time of the motion"},
		"somewhere else":            {start + "on = \"clamp\"\ndisplacement = [\"1 + t\", 0]", "it must begin with 0"},
		"a speed in statics":        {still + "on = \"clamp\"\nvelocity = [1, 0]", "a static analysis has no speeds"},
		"a spin in statics":         {still + "on = \"clamp\"\nangular_velocity = 1", "a static analysis has no speeds"},
		"a smooth start in statics": {still + "on = \"clamp\"\ndisplacement = [1, 0]\nramp = 1", "no inertia"},
		"fixed already":             {inTimeDeck + steelBlock + twoBodies + "[[fix]]\non = \"clamp\"\ncomponents = [\"x\"]\n[[drive]]\non = \"striker\"\nvelocity = [1, 0]", `is already fixed in x by fix "clamp"`},
		"driven already":            {start + "on = \"clamp\"\nvelocity = [1, \"free\"]\n[[drive]]\non = \"striker\"\nvelocity = [1, 0]", `is already driven in x by drive "clamp"`},
		"turned and fixed":          {inTimeDeck + steelBlock + twoBodies + "[[fix]]\non = \"clamp\"\ncomponents = [\"x\"]\n[[drive]]\non = \"striker\"\nangular_velocity = 1", `is already fixed in x by fix "clamp"`},
		"all free":                  {start + "on = \"clamp\"\nvelocity = [\"free\", \"free\"]", "is \"free\" in both directions"},
		"free and named":            {start + "on = \"clamp\"\nvelocity = [1, \"free\"]\ncomponents = [\"x\", \"y\"]", "components lists a direction that is \"free\": leave it out of one of them"},
		"moved and not named":       {start + "on = \"clamp\"\nvelocity = [1, 2]\ncomponents = [\"x\"]", "the drive moves y, which components does not list"},
		"half of a turn":            {start + "on = \"clamp\"\nangular_velocity = 1\ncomponents = [\"x\"]", "a rotation about a centre moves nodes along x and y"},
		"rotation without beams":    {start + "on = \"clamp\"\nangular_velocity = 1\ncomponents = [\"rotation\"]", "only nodes of beams have a rotation"},
		"a row too short":           {start + "on = \"clamp\"\nvelocity = [[0, 0], [1, 1]]", "rows of [time, x, y]"},
		"time runs back":            {start + "on = \"clamp\"\nvelocity = [[1, 0, 0], [0, 1, 1]]", "must not decrease"},
		"one number":                {start + "on = \"clamp\"\nvelocity = 1", "velocity must be [x, y]"},
		"three numbers":             {start + "on = \"clamp\"\nvelocity = [1, 2, 3]", "must have 2 entries"},
		"a wrong unit":              {start + "on = \"clamp\"\nvelocity = [\"1 mm\", 0]", "velocity"},
		"no expression":             {start + "on = \"clamp\"\nvelocity = [\"2*x\", 0]", "there is no x"},
		"no finite value":           {start + "on = \"clamp\"\nvelocity = [\"1/(t - 1)\", 0]", "has no finite value"},
		"too fast":                  {start + "on = \"clamp\"\ndisplacement = [\"1e12*t\", 0]", "the speed of the displacement"},
		"a centre and no turn":      {start + "on = \"clamp\"\nvelocity = [1, 0]\ncentre = [0, 0]", "centre goes with angle or angular_velocity"},
		"a ramp of nothing":         {start + "on = \"clamp\"\nvelocity = [1, 0]\nramp = 0", "ramp must be positive"},
	} {
		if _, err := made(c.deck); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		} else if !strings.HasPrefix(err.Error(), "deck.toml:") {
			t.Errorf("%s: the error has no position: %v", name, err)
		}
	}
}

// The ways to say a drive come to the same.
func TestDriveIsRead(t *testing.T) {
	read := func(keys string) [3]func(float64) float64 {
		d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+twoBodies+"[[drive]]\non = \"clamp\"\n"+keys))
		if err != nil {
			t.Fatal(keys, err)
		}
		m, _, err := d.Build(squares())
		if err != nil {
			t.Fatal(keys, err)
		}
		if b := m.Mesh.Groups[0].Nodes; m.Drives[0].Rotates && len(b) == 0 {
			t.Fatal("no nodes")
		}
		var out [3]func(float64) float64
		for c, course := range m.Drives[0].Motion {
			out[c] = course.At
		}
		return out
	}
	smooth := func(t float64) float64 { return t * t * t * (10 + t*(6*t-15)) }
	for keys, want := range map[string][3]func(float64) float64{
		"velocity = [\"2 m/s\", 0]":                                      {func(float64) float64 { return 2 }},
		"velocity = [\"2\", \"3*t\"]":                                    {func(float64) float64 { return 2 }, func(t float64) float64 { return 3 * t }},
		"velocity = [2, 0]\nramp = 2":                                    {func(t float64) float64 { return 2 * smooth(t/2) }},
		"displacement = [0, \"-3 mm\"]\nramp = 2":                        {nil, func(t float64) float64 { return -3e-3 * smooth(t/2) }},
		"displacement = [0, 5]\nschedule = [[0, 0], [2, 1]]":             {nil, func(t float64) float64 { return 2.5 * t }},
		"displacement = [[0, 0, 0], [1, 0, \"1 mm\"], [2, 0, 0]]":        {nil, func(t float64) float64 { return 1e-3 * (1 - math.Abs(t-1)) }},
		"displacement = [[0, 0, 0], [\"50 %\", 0, \"1 mm\"], [2, 0, 0]]": {nil, func(t float64) float64 { return 1e-3 * (1 - math.Abs(t-1)) }},
		"angle = \"90 deg\"\nramp = 1":                                   {2: func(t float64) float64 { return math.Pi / 2 * smooth(min(t, 1)) }},
		"angular_velocity = [[0, 0], [2, 4]]":                            {2: func(t float64) float64 { return 2 * t }},
		"angle = \"t^2\"\nvelocity = [1, 0]":                             {func(float64) float64 { return 1 }, nil, func(t float64) float64 { return t * t }},
	} {
		got := read(keys)
		for c := range want {
			if (got[c] == nil) != (want[c] == nil) {
				t.Errorf("%s: component %d: driven is %v", keys, c, got[c] != nil)
				continue
			}
			for at := 0.0; got[c] != nil && at <= 2; at += 0.125 {
				if a, b := got[c](at), want[c](at); math.Abs(a-b) > 1e-12 {
					t.Errorf("%s: component %d is %g at %g s, want %g", keys, c, a, at, b)
				}
			}
		}
	}
}

// The centre of a turn is the middle of the nodes where a deck does not say.
func TestDriveTurnsAboutTheMiddle(t *testing.T) {
	d, err := Parse("deck.toml", []byte(inTimeDeck+steelBlock+twoBodies+"[[drive]]\non = \"striker\"\nangular_velocity = 1"))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Build(squares())
	if err != nil {
		t.Fatal(err)
	}
	lo, hi := m.Mesh.Bodies[0].Extent(m.Mesh)
	if want := r2.Scale(0.5, r2.Add(lo, hi)); m.Drives[0].Centre != want || !m.Drives[0].Rotates || m.Drives[0].Rotation {
		t.Errorf("%+v, want the centre %v", m.Drives[0], want)
	}
}
