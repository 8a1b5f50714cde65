package deck

import (
	"strings"
	"testing"

	"fdem/io/plan"
)

// A tie needs a side that can follow: where blocks hold both, nothing is left.
func TestTieNeedsASideThatFollows(t *testing.T) {
	const shapes = "[[rectangle]]\nname = \"a\"\nfrom = [0, 0]\nto = [1, 1]\nedge = 0.5\nright = \"right of a\"\n[[rectangle]]\nname = \"b\"\nfrom = [1, 0]\nto = [2, 1]\nedge = 0.3\nleft = \"left of b\"\n"
	const start = inTimeDeck + steelBlock + "[[body]]\nname = \"a\"\nmaterial = \"steel\"\n[[body]]\nname = \"b\"\nmaterial = \"steel\"\n[[tie]]\non = \"right of a\"\nto = \"left of b\"\n"
	drive := func(on, v string) string { return "[[drive]]\non = \"" + on + "\"\nvelocity = " + v + "\n" }
	for name, c := range map[string]struct{ blocks, want string }{
		"one side":             {drive("left of b", "[1, 0]"), ""},
		"a side that is fixed": {"[[fix]]\non = \"a\"\n", ""},
		"both in turn":         {drive("left of b", "[1, \"free\"]") + drive("a", "[\"free\", 1]"), ""},
		"both driven":          {drive("left of b", "[1, 0]") + drive("a", "[2, 0]"), `held in x, by drive "a" and drive "left of b", so that the tie can move none of them`},
		"fixed and driven":     {drive("b", "[\"free\", 1]") + "[[fix]]\non = \"right of a\"\n", `held in y, by fix "right of a" and drive "b"`},
		"held for a while":     {"[[fix]]\non = \"left of b\"\nuntil = 0.2\n", "of the tie is held for a part of the run"},
		"both fixed":           {"[[fix]]\non = \"a\"\n[[fix]]\non = \"left of b\"\n", ""},
	} {
		src, err := plan.ParseShapes("a.shapes.toml", []byte(shapes))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Parse("deck.toml", []byte(start+c.blocks))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = d.Build(src)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "deck.toml:")) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}
