package contact

import (
	"math"
	"testing"
)

// From a nanometre to a metre of deflection the force of first loading grows, unloading returns
// some energy, and returns more on a longer path. Unloading is continuous at the peak, and no body
// leaves with more energy than it had.
func TestExtremeDeflections(t *testing.T) {
	for _, l := range quasiStaticLaws {
		for _, raw := range []float64{0, 1} {
			law := quasiStaticOf(t, l.name, map[string]float64{"raw_unloading": raw})
			last := 0.0
			for d := 1e-9; d < 1; d *= 1.02 {
				s := law.first(d, d)
				given := d - s.residual
				if !(s.force > last) || math.IsInf(s.force, 0) || !(given > 0) {
					t.Errorf("%s, raw %g, at %g m: force %g N after %g N, %g m given back", l.name, raw, d, s.force, last, given)
					break
				}
				last = s.force
				for _, part := range []float64{1e-9, 1e-3, 0.5, 0.999} { // of the way back
					x := d - float64(part*given)
					got := law.back(x, d, s.force, s.residual)
					want := s.force * math.Pow(1-part, law.exponent(d))
					if x > 0 && !(math.Abs(got.force-want) <= 1e-6*want+1e-15*s.force*d/given) {
						t.Errorf("%s, raw %g: %g of the way back from %g m the force is %g N, want %g N", l.name, raw, part, d, got.force, want)
					}
				}
				if taken := law.work(d); raw == 0 && s.stored > taken*(1+1e-9) {
					t.Errorf("%s at %g m gives back %g J of %g J", l.name, d, s.stored, taken)
				}
			}
		}
	}
}

// Bodies separate after impacts at a millimetre to a kilometre a second. The energy that they lose
// is the work of the contact, to 1e-6 of their energy.
func TestExtremeSpeeds(t *testing.T) {
	for _, l := range quasiStaticLaws {
		for _, memory := range []float64{0, 1, 2} {
			values := quasiStaticSample(l.name)
			values["memory"] = memory
			model, _ := lookup(l.name)
			law, err := model.Build(values)
			if err != nil {
				t.Fatal(err)
			}
			const mass = 0.0163
			for v := 1e-3; v < 1e3; v *= 3 {
				c, err := Impact(law, mass, v)
				if err != nil {
					t.Errorf("%s, memory %g: %v", l.name, memory, err)
					continue
				}
				energy := 0.5 * mass * v * v
				left := energy * c.Restitution * c.Restitution
				if !(c.Restitution > 0 && c.Restitution <= 1+1e-6) || math.Abs(energy-left-c.Dissipated-c.Recoverable) > 1e-6*energy || c.Dissipated < -1e-6*energy {
					t.Errorf("%s, memory %g, %g m/s: %+v of %g J", l.name, memory, v, c, energy)
				}
			}
		}
	}
}
