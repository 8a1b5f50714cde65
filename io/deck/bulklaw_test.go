package deck

import (
	"strings"
	"testing"
)

// Laws whose tangent is not symmetric are refused in a static analysis by name.
func TestStaticLaws(t *testing.T) {
	for keys, want := range map[string]string{
		"":                    "dilation_angle must be friction_angle in a static analysis",
		"dilation_angle = 30": "",
		"dilation_angle = 30\nsoftening = { energy = 1e4 }\ntensile_strength = 1e3": "softening is not possible in a static analysis",
	} {
		for _, law := range []string{"mohr-coulomb", "drucker-prager"} {
			text := "[[material]]\n" + strings.Replace(soilKeys, "mohr-coulomb", law, 1) + keys + "\n" + twoBodies
			if _, err := made(inTimeDeck + text); err != nil {
				t.Errorf("%s in time: %v", law, err)
			}
			_, err := made(inStaticDeck + text)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %q: error %v, want %q", law, keys, err, want)
			}
		}
	}
}

// A probe of the temperature is of triangles that have one.
func TestProbedTemperature(t *testing.T) {
	const probe = "[[probe]]\nname = \"hot\"\non = \"target\"\nquantity = \"temperature\"\n"
	hot := strings.Replace(steelBlock, "name = \"steel\"\n", "name = \"steel\"\nlaw = \"johnson-cook\"\na = 9e7\n", 1)
	if _, err := made(inTimeDeck + hot + twoBodies + probe); err != nil {
		t.Error(err)
	}
	if _, err := made(inTimeDeck + steelBlock + twoBodies + probe); err == nil || !strings.Contains(err.Error(), `material "steel" of body "target" has no temperature`) {
		t.Errorf("error %v", err)
	}
}

// A wrong unit of an angle is distinguished from a plain number.
func TestAnglesOfLaws(t *testing.T) {
	for angle, want := range map[string]string{
		`"abc"`:  `friction_angle: expected an angle such as "30 deg", or a plain number of degrees, got "abc"`,
		`"20 m"`: `friction_angle: expected an angle such as "30 deg", or a plain number of degrees, got "20 m", a length`,
		`[20]`:   `friction_angle must be an angle such as "30 deg", or a plain number of degrees, got a list`,
	} {
		_, err := made(inTimeDeck + "[[material]]\n" + strings.Replace(soilKeys, "friction_angle = 30", "friction_angle = "+angle, 1) + "\n" + twoBodies)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", angle, err, want)
		}
	}
}
