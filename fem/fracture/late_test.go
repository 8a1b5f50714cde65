package fracture

import (
	"math"
	"testing"
)

// Vertices that cracks touch open before they carry many times their strength, even where two
// halves run into each other and stress jumps to 20 times of it: below 8 times, on the chord. Where the patch of rule 4 is asked for there, too, 14.3 and 12.1 times.
// Under pressure a third and a fifth open at more than twice their strength; where the patch is asked
// for up to patchFreeUse there, too, 54 and 38 %.
func TestNothingOpensFarAboveItsStrength(t *testing.T) {
	for _, friction := range []float64{0, 0.6} {
		stone := bar()
		stone.law.Friction = friction
		b := newBody(t, scattered(0.06, 0.04, 4e-3, 3), stone, everywhere)
		for i, x := range b.x0 {
			b.v[i].X = math.Copysign(10, 0.03-x.X)
		}
		opened, twice, most := 0, 0, 0.0
		pressed, late := 0, 0 // of those under pressure
		b.run(t, 60e-6, func() bool {
			if len(b.splits) == 0 {
				return true
			}
			for _, c := range b.scan.chosen {
				used := c.chordUse
				if c.shielded && !c.extends {
					used *= besideFactor
				}
				opened++
				if used > 2 {
					twice++
				}
				if c.mixity == 1 {
					if pressed++; used > 2 {
						late++
					}
				}
				most = math.Max(most, used)
			}
			return true
		})
		t.Logf("friction %g: of %d vertices %.1f %% open with more than twice their strength, at most %.2f times; of %d under pressure %.1f %%", friction, opened, 100*float64(twice)/float64(opened), most, pressed, 100*float64(late)/float64(pressed))
		if most > 8 || opened < 500 {
			t.Errorf("friction %g: of %d vertices one opens with %g times its strength", friction, opened, most)
		}
		if float64(late) > 0.36*float64(pressed) || pressed < 200 {
			t.Errorf("friction %g: of %d vertices under pressure %d open with more than twice their strength", friction, pressed, late)
		}
	}
}
