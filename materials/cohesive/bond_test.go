package cohesive

import (
	"math"
	"math/rand/v2"
	"testing"
)

// bonded returns springs with a bond.
func bonded(t *testing.T, s Springs, p Parameters) *Springs {
	t.Helper()
	p.Friction = s.Friction
	law, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	s.Bond = law
	l, err := NewSprings(s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

var healed = Parameters{TensileStrength: 1e6, Cohesion: 2e6, EnergyTension: 20, EnergyShear: 100, Mixed: 2, Softening: "linear"}

// A bonded joint is elastic up to Mohr's and Coulomb's strength, softens to friction, and
// dissipates the fracture energy beside that, whatever the pressure, the softening and the
// stress at the start.
func TestBondBreaksAsMohrCoulomb(t *testing.T) {
	for _, softening := range Curves() {
		for _, c := range []struct{ pressure, sheared, mu, dilation float64 }{
			{0, 0, 0.6, 0}, {1e6, 0, 0.6, 0}, {10e6, 0, 0.6, 0}, {5e6, 2e6, 0.6, 0}, {5e6, -4.5e6, 0.6, 0}, {3e6, 0, 0, 0}, {5e6, 0, 0.8, 0.2},
		} {
			p := healed
			p.Softening = softening
			l := bonded(t, Springs{Normal: 1e11, Shear: 4e10, Friction: c.mu, Dilation: c.dilation, Until: 1}, p)
			var mem [Memories]float64
			b := l.Open(-c.pressure, c.sheared, 1, mem[:])
			if n, s, _ := l.Current(&b, &mem, 0, 0); math.Abs(n+c.pressure) > 1e-3 || math.Abs(s-c.sheared) > 1e-3 {
				t.Fatalf("it begins with %g and %g Pa, want %g and %g", n, s, -c.pressure, c.sheared)
			}
			peak, work, heat, end, opening := 0.0, 0.0, 0.0, 0.0, 0.0
			const n, far = 100000, 1e-3
			_, last, before := l.Current(&b, &mem, 0, 0)
			stored := before
			for k := range n {
				var normal, shear, frictionWork float64
				opening = l.DilationRise(&b, &mem) // at constant pressure
				normal, shear, stored, frictionWork = l.Advance(&b, &mem, opening, far*float64(k+1)/n, 0)
				work += 0.5 * (last + shear) * far / n
				heat += frictionWork
				last, peak, end = shear, max(peak, shear), shear
				_ = normal
			}
			if want := 2e6 + c.mu*c.pressure; math.Abs(peak-want) > 1e-3*want {
				t.Errorf("%s, %+v: it carries %g Pa, want %g", softening, c, peak, want)
			}
			if want := c.mu * c.pressure; math.Abs(end-want) > 1e-3*peak {
				t.Errorf("%s, %+v: in the end it carries %g Pa, want %g", softening, c, end, want)
			}
			if mem[Integrity] != 0 || mem[Kappa] != l.Broken() || math.Abs(mem[Lost]-100) > 1e-9 {
				t.Errorf("%s, %+v: broken it has %v", softening, c, mem)
			}
			work -= c.pressure * l.DilationRise(&b, &mem) // what has raised the load
			if left := work - heat - mem[Lost] - (stored - before); math.Abs(left) > 1e-3*(work+peak*peak/4e10) {
				t.Errorf("%s, %+v: %g J/m2 are left of %g", softening, c, left, work)
			}
		}
	}
}

// Pulled, with shear or without, it breaks on the ellipse of its strengths, and dissipates
// the energy of its mixity.
func TestBondIsPulled(t *testing.T) {
	for _, angle := range []float64{0, 20, 45, 70, 89} {
		l := bonded(t, Springs{Normal: 1e11, Shear: 4e10, Friction: 0.6}, healed)
		var mem [Memories]float64
		b := l.Open(0, 0, 1, mem[:])
		sin, cos := math.Sincos(angle * math.Pi / 180)
		used, work, was := 0.0, 0.0, 0.0
		const n, far = 100000, 1e-3
		for k := range n {
			u := far * float64(k+1) / n
			normal, shear, _, frictionWork := l.Advance(&b, &mem, u*cos/1e11*1e11, u*sin, 0)
			used = max(used, l.Bond.Used(normal, shear))
			now := normal*cos + shear*sin
			work, was = work+0.5*(was+now)*far/n, now
			if frictionWork != 0 {
				t.Fatalf("%g degrees: friction takes %g", angle, frictionWork)
			}
		}
		m := 4e10 * sin * sin / (1e11*cos*cos + 4e10*sin*sin)
		if want := l.Bond.Energy.Energy(m); math.Abs(used-1) > 1e-3 || math.Abs(work-want) > 1e-3*want || math.Abs(mem[Lost]-want) > 1e-9*want {
			t.Errorf("%g degrees: %g of the strength is used, work %g, lost %g, want 1 and %g", angle, used, work, mem[Lost], want)
		}
	}
}

// On any path the work on a bonded point is what it stores and dissipates; friction and fracture
// never create energy, and the bond never heals.
func TestBondKeepsItsEnergy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		p := healed
		p.Softening = Curves()[rng.IntN(len(Curves()))]
		p.EnergyTension, p.EnergyShear = 6+20*rng.Float64(), 60+100*rng.Float64()
		s := Springs{Normal: 1e11, Shear: 4e10, Friction: rng.Float64()}
		if rng.IntN(2) == 0 {
			s.Dilation, s.Until = s.Friction*rng.Float64(), 1e-4*rng.Float64()
		}
		l := bonded(t, s, p)
		var mem [Memories]float64
		b := l.Open(1.8e6*(rng.Float64()-0.5), 3e6*(rng.Float64()-0.5), 1, mem[:])
		_, _, before := l.Current(&b, &mem, 0, 0)
		normal, shear, stored := l.Current(&b, &mem, 0, 0)
		opening, slip, work, heat, most := 0.0, 0.0, 0.0, 0.0, before
		grows := 1.0 // so that some corners break nothing
		for range 30 {
			grows *= 1.2
			toOpening, toSlip := grows*2e-6*(rng.Float64()-0.6), grows*1e-5*(rng.Float64()-0.5)
			const n = 20000
			dn, ds := (toOpening-opening)/n, (toSlip-slip)/n
			for range n {
				wasNormal, wasShear, was := normal, shear, mem
				opening, slip = opening+dn, slip+ds
				var frictionWork float64
				normal, shear, stored, frictionWork = l.Advance(&b, &mem, opening, slip, 0)
				work += 0.5*(wasNormal+normal)*dn + 0.5*(wasShear+shear)*ds
				heat += frictionWork
				most = max(most, stored)
				if mem[Integrity] > was[Integrity] || mem[Lost] < was[Lost] {
					t.Fatalf("%+v heals", s)
				}
				if frictionWork < -1e-6*most {
					t.Fatalf("%+v: friction gives %g J/m2", s, -frictionWork)
				}
			}
		}
		if left := math.Abs(work - (stored - before) - heat - mem[Lost]); left > 2e-3*(heat+mem[Lost]+most) {
			t.Errorf("%+v: %g J/m2 are left of %g, heat %g, fracture %g, stored %g", s, left, work, heat, mem[Lost], stored)
		}
	}
}

// A spring that would store more than the fracture energy is refused, as is stiffness below.
func TestBondOnSoftSpring(t *testing.T) {
	law, err := New(healed)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		normal, shear float64
		ok            bool
	}{{2.6e10, 2.1e10, true}, {2.4e10, 2.1e10, false}, {2.6e10, 1.9e10, false}} {
		if _, err := NewSprings(Springs{Normal: c.normal, Shear: c.shear, Bond: law}); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestBondDoesNotAllocate(t *testing.T) {
	l := bonded(t, Springs{Normal: 1e11, Shear: 4e10, Friction: 0.6}, healed)
	var mem [Memories]float64
	b := l.Open(0, 0, 1, mem[:])
	u := 0.0
	if n := testing.AllocsPerRun(100, func() { u += 3e-7; l.Advance(&b, &mem, u, u, 0) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
