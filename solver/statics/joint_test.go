package statics

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"fdem/mesh"
	"fdem/solver"
)

// A block on a joint is held in a static analysis as far as friction carries it, with the pressure
// and friction of its weight, whether the two sides are one body or two. If it slides the error
// names the joint.
func TestBlockOnJoint(t *testing.T) {
	for _, c := range []struct {
		slope, friction float64 // of gravity
		bodies          int
		holds           bool
	}{{0, 0.6, 2, true}, {0.55, 0.6, 1, true}, {0.55, 0.6, 2, true}, {0.65, 0.6, 1, false}, {0.65, 0.6, 2, false}, {0.65, 0.7, 1, true}} {
		bodies := []string{"base", "block"}[:c.bodies]
		text := fmt.Sprintf(`
analysis = { type = "static", increments = 10, gravity = [%g, -10] }
material = [{ name = "stone", young = "10 GPa", poisson = 0.25, density = 2500 }]
fix = [{ on = "bottom" }]
joint = [{ on = "bed", friction = %g }]
`, 10*c.slope, c.friction)
		for _, b := range bodies {
			text += fmt.Sprintf("[[body]]\nname = %q\nmaterial = \"stone\"\n", b)
		}
		s := built(t, text, `
edge = 0.25
join = ["base", "block"]
[[rectangle]]
name = "base"
from = [0, 0]
to = [2, 1]
bottom = "bottom"
top = "bed"
[[rectangle]]
name = "block"
from = [0, 1]
to = [2, 1.5]
`, func(src *mesh.Source) {
			if c.bodies == 2 {
				return
			}
			// the base has all
			of := func(name string) int {
				return slices.IndexFunc(src.Groups, func(g mesh.SourceGroup) bool { return g.Name == name })
			}
			base, block := of("base"), of("block")
			src.Groups[base].Elements = append(src.Groups[base].Elements, src.Groups[block].Elements...)
			src.Groups = slices.Delete(src.Groups, block, block+1)
		})
		err := toEnd(s)
		var failure *solver.NotConvergedError
		switch {
		case !c.holds:
			if !errors.As(err, &failure) || !slices.Equal(failure.Slides, []string{`"bed"`}) {
				t.Errorf("%+v: it ends with %v, want a failure that names the joint", c, err)
			}
			continue
		case err != nil:
			t.Errorf("%+v: %v", c, err)
			continue
		}
		const weight = 2500 * 10 * 2 * 0.5
		f := s.ContactForces()[0]
		if f.Name != "bed" || math.Abs(f.Normal-weight) > 1e-5*weight || math.Abs(math.Abs(f.Tangential)-c.slope*weight) > 1e-5*weight {
			t.Errorf("%+v: %q carries %g and %g N, want %g and %g", c, f.Name, f.Normal, f.Tangential, float64(weight), c.slope*weight)
		}
	}
}
