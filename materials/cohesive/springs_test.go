package cohesive

import (
	"math"
	"math/rand/v2"
	"testing"
)

// On any path the work on a point with springs is what it stores, and what friction
// dissipates, which is never less than nothing; traction is within Coulomb's limit.
func TestSpringsKeepTheirEnergy(t *testing.T) {
	for _, c := range []Springs{
		{Normal: 1e9, Shear: 5e8, Friction: 0.6}, {Normal: 1e9, Shear: 5e8, Friction: 0.6, Dilation: 0.2, Until: 2e-3},
		{Normal: 2e9, Shear: 2e8, Friction: 0.8, Dilation: 0.8, Until: 1e-3}, {Normal: 1e9, Shear: 1e9}, {Friction: 0.3, Dilation: 0.1, Until: math.Inf(1)},
	} {
		l, err := NewSprings(c)
		if err != nil {
			t.Fatal(err)
		}
		var mem [Memories]float64
		p := l.Open(-1e6, 4e5, 1e9, mem[:])
		rng := rand.New(rand.NewPCG(1, 2))
		normal, shear, before := l.Current(&p, &mem, 0, 0)
		if math.Abs(normal+1e6) > 1e-3 || math.Abs(shear-min(4e5, c.Friction*1e6)) > 1e-3 || math.Abs(before-l.InitialEnergy(&p)) > 1e-9*before {
			t.Errorf("%+v: it begins with %g and %g Pa, and %g J/m2 of %g", c, normal, shear, before, l.InitialEnergy(&p))
		}
		opening, slip, work, heat, last, most := 0.0, 0.0, 0.0, 0.0, before, 0.0
		for range 40 { // corners of a path, between which it is followed closely
			toOpening, toSlip := -1e-3+2.5e-3*rng.Float64(), 1e-2*(rng.Float64()-0.5)
			const n = 20000
			dn, ds := (toOpening-opening)/n, (toSlip-slip)/n
			for range n {
				wasNormal, wasShear := normal, shear
				opening, slip = opening+dn, slip+ds
				var stored, frictionWork float64
				normal, shear, stored, frictionWork = l.Advance(&p, &mem, opening, slip, 0)
				work += 0.5*(wasNormal+normal)*dn + 0.5*(wasShear+shear)*ds
				heat += frictionWork
				last, most = stored, max(most, stored)
				if math.Abs(shear) > c.Friction*math.Abs(normal)*(1+1e-9)+1e-6 || normal > 0 {
					t.Fatalf("%+v: %g Pa of shear under %g Pa", c, shear, normal)
				}
				if frictionWork < -1e-6*most {
					t.Fatalf("%+v: friction gives %g J/m2", c, -frictionWork)
				}
			}
		}
		t.Logf("%+v: work %g, stored %g, heat %g J/m2", c, work, last-before, heat)
		if left := math.Abs(work - (last - before) - heat); left > 2e-3*(heat+most) {
			t.Errorf("%+v: %g J/m2 are left of %g, of which %g are heat", c, left, work, heat)
		}
	}
}

// What slides under a constant pressure rides up by dilation until it ends, and comes down
// as it slides back.
func TestSpringsDilate(t *testing.T) {
	l, err := NewSprings(Springs{Normal: 1e9, Shear: 1e9, Friction: 0.6, Dilation: 0.25, Until: 4e-3})
	if err != nil {
		t.Fatal(err)
	}
	var mem [Memories]float64
	p := l.Open(0, 0, 1, mem[:])
	opening := -1e-3 // 1 MPa
	for _, c := range []struct{ slip, rise float64 }{{0.3e-3, 0}, {2.6e-3, 0.5e-3}, {10e-3, 1e-3}, {-2.6e-3, 0.5e-3}, {-0.6e-3, 0.3e-3}} {
		from := slipOf(&mem)
		for k := range 1000 {
			slip := from + (c.slip-from)*float64(k+1)/1000
			for range 50 { // to the opening with that pressure
				trial := mem
				normal, _, _, _ := l.Advance(&p, &trial, opening, slip, 0)
				if math.Abs(normal+1e6) < 1 {
					break
				}
				opening += (-1e6 - normal) / 1e9 * 0.7
			}
			l.Advance(&p, &mem, opening, slip, 0)
		}
		if got := opening + 1e-3; math.Abs(got-c.rise) > 2e-5 {
			t.Errorf("slid by %g m it has risen by %g m, want %g", c.slip, got, c.rise)
		}
	}
	if _, err := NewSprings(Springs{Friction: 0.2, Dilation: 0.3}); err == nil {
		t.Error("dilation above friction is taken")
	}
}

// slipOf returns the slip at which friction was when memory was written, without pressure
// in the springs.
func slipOf(mem *[Memories]float64) float64 { return mem[1] + mem[2]/1e9 }
