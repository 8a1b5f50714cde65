package cohesive

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// pressed opens a point under pressure and shear.
func pressed(l *Law, pressure, shear, rate float64) (p Point, mem [Memories]float64) {
	p = l.Open(Start{Normal: -pressure, Shear: shear, Stiffness: 1e13, Energy: 100, Rate: rate}, mem[:])
	return p, mem
}

// A point under constant pressure closes by p/(2 K). The energy that its contact spring stores is
// balanced by then, and its traction at the start is that before the opening.
func TestChargeUnderConstantPressure(t *testing.T) {
	l := stone(t, "linear")
	p, mem := pressed(l, 20e6, 0, 1)
	opening := 0.0
	normal, _, stored, _ := l.Advance(&p, &mem, opening, 0, nil)
	near(t, "traction at first", normal, -20e6, 1e-9*20e6)
	near(t, "unpaid at first", mem[Unbalanced], stored, 1e-12*stored)
	steps := 0
	for mem[Unbalanced] > 0 && steps < 1000 {
		opening = mem[Offset] - 20e6/p.Stiffness // faces follow
		p.BalanceContact(&mem, opening, 0.02, Release)
		opening = mem[Offset] - 20e6/p.Stiffness
		l.Advance(&p, &mem, opening, 0, nil)
		steps++
	}
	near(t, "closes by", -opening, 10e6/p.Stiffness, 0.02*10e6/p.Stiffness)
	if steps > 200 {
		t.Errorf("it is balanced in %d steps", steps)
	}
	t.Logf("balanced in %d steps, closes by %.4g p/K", steps, -opening*p.Stiffness/20e6)
}

// Whatever path the faces take, the stored energy less the unbalanced one is the work of the
// bodies, by the trapezoidal rule over the steps, while they press. The offset stays within its
// bounds, the unbalanced energy only falls, and a step without time or without pressure changes
// nothing.
func TestChargeIsBalanced(t *testing.T) {
	l := stone(t, "linear")
	rapid.Check(t, func(t *rapid.T) {
		pressure := rapid.Float64Range(0.1, 50).Draw(t, "pressure") * 1e6
		p, mem := pressed(l, pressure, 0, rapid.Float64Range(0.1, 2).Draw(t, "rate"))
		gap := pressure / p.Stiffness
		opening, work := 0.0, 0.0
		normal, _, stored, _ := l.Advance(&p, &mem, 0, 0, nil)
		first := stored - mem[Unbalanced]
		for range 50 {
			before := mem
			to := mem[Offset] - gap*rapid.Float64Range(0, 1.5).Draw(t, "compression")
			p.BalanceContact(&mem, to, rapid.Float64Range(0, 1).Draw(t, "time"), Release)
			if mem[Unbalanced] > before[Unbalanced] || mem[Unbalanced] < 0 || mem[Offset] > before[Offset] || mem[Offset] < -gap*(1+1e-12) {
				t.Fatalf("unbalanced goes from %g to %g, the offset from %g to %g", before[Unbalanced], mem[Unbalanced], before[Offset], mem[Offset])
			}
			now := 0.0
			now, _, stored, _ = l.Advance(&p, &mem, to, 0, nil)
			work += 0.5 * (normal + now) * (to - opening)
			normal, opening = now, to
			if given := stored - mem[Unbalanced] - first; math.Abs(given-work) > 1e-12*(p.contactEnergy()+math.Abs(work)) {
				t.Fatalf("%g J/m2 are stored and not unbalanced, the work is %g", given, work)
			}
		}
		held := mem
		p.BalanceContact(&mem, opening, 0, Release)
		if mem[Offset] != held[Offset] || mem[Unbalanced] != held[Unbalanced] {
			t.Fatal("it is charged without time")
		}
		p.BalanceContact(&mem, mem[Offset]+gap, 1, Release)
		if mem[Offset] != held[Offset] || mem[Unbalanced] != held[Unbalanced] {
			t.Fatal("it is charged without pressure")
		}
	})
}

// The first work of friction balances the energy of its spring: heat is the work less the energy
// stored at first, and never falls.
func TestHeatOfFriction(t *testing.T) {
	l := stone(t, "linear")
	p, mem := pressed(l, 20e6, 30e6, 0)
	_, frictionStiffness := p.springs()
	unbalanced, heat, all := 0.5*p.FrictionShear*p.FrictionShear/frictionStiffness, 0.0, 0.0
	near(t, "unpaid", mem[UnbalancedFriction], unbalanced, 1e-12*unbalanced)
	for i := range 100 {
		_, _, _, frictionWork := l.Advance(&p, &mem, 0, float64(i+1)*1e-7, nil)
		of := FrictionHeat(&mem, frictionWork)
		if of < 0 || of > frictionWork {
			t.Fatalf("heat %g of %g", of, frictionWork)
		}
		heat, all = heat+of, all+frictionWork
	}
	near(t, "heat", heat, all-unbalanced, 1e-12*all)
	near(t, "unpaid", mem[UnbalancedFriction], 0, 0)
}

// Cohesion that unloads before it softens has released t^2/(2 K) when it carries no load, and has
// taken it back when it is loaded again. When it is broken it has dissipated G.
func TestGiven(t *testing.T) {
	l := stone(t, "linear")
	var mem [Memories]float64
	p := l.Open(Start{Normal: 5e6, Stiffness: 1e13, Energy: 20}, mem[:])
	for _, v := range []struct{ opening, given float64 }{{0, 0}, {-5e6 / 1e13, 0.5 * 5e6 * 5e6 / 1e13}, {0, 0}, {1e-5, 0}, {-1e-6, 0}} {
		l.Advance(&p, &mem, v.opening, 0, nil)
		near(t, "given", p.given(&mem, v.opening, 0, 0), v.given, 1e-12)
	}
}

// A point that unloads before it has softened balances the energy of its stretch within t/k while
// it is pulled. If it is then pulled apart it takes G in all. On any path, in tension, shear and
// between, the energy that it has taken from bodies is what it dissipates and stores.
func TestSettleKeepsEnergy(t *testing.T) {
	l := stone(t, "linear")
	rapid.Check(t, func(t *rapid.T) {
		tension, shear := rapid.Float64Range(0.2, 5).Draw(t, "tension")*1e6, rapid.Float64Range(-5, 5).Draw(t, "shear")*1e6
		var mem [Memories]float64
		p := l.Open(Start{Normal: tension, Shear: shear, Stiffness: 1e13, Energy: 20, Rate: rapid.Float64Range(0.1, 2).Draw(t, "rate")}, mem[:])
		unit := p.Size / p.Stiffness
		work, stored := 0.0, 0.0
		opening, slip := 0.0, 0.0
		normal, along, _, _ := l.Advance(&p, &mem, 0, 0, nil)
		to := func(o, s float64) {
			p.BalanceCohesion(&mem, o, s, 0, rapid.Float64Range(0, 0.5).Draw(t, "time"), Release)
			tn, ts, now, _ := l.Advance(&p, &mem, o, s, nil)
			work += float64(0.5*(normal+tn)*(o-opening)) + float64(0.5*(along+ts)*(s-slip))
			normal, along, opening, slip, stored = tn, ts, o, s, now
		}
		for range 60 { // unloads, open: without contact the law is linear while it is whole
			share := -rapid.Float64Range(0, 0.99).Draw(t, "share")
			to(mem[ShiftNormal]+share*p.Normal/p.Stiffness, mem[ShiftShear]+share*p.Shear/p.Stiffness)
			if opening < 0 { // faces press, on the part that is damaged: none
				if mem[Integrity] != 1 {
					t.Fatalf("integrity %g of a point that unloads", mem[Integrity])
				}
			}
			if left := work - stored - mem[Supplied]; math.Abs(left) > 1e-9*p.stretch() {
				t.Fatalf("%g J/m2 are taken, %g stored, %g balanced", work, stored, mem[Supplied])
			}
			if math.Hypot(mem[ShiftNormal], mem[ShiftShear]) > 1.5*unit {
				t.Fatalf("shifted by %g and %g, the stretch is %g", mem[ShiftNormal], mem[ShiftShear], unit)
			}
		}
		paid := mem[Supplied]
		if paid > p.stretch()*(1+1e-12) || math.Abs(p.Energy+paid-20) > 1e-9 {
			t.Fatalf("balanced %g of %g, softening has %g of 20 J/m2", paid, p.stretch(), p.Energy)
		}
		to(1e-3, 0)
		if mem[Integrity] != 0 || math.Abs(mem[Lost]+mem[Supplied]-20) > 1e-9 {
			t.Errorf("broken it has taken %g and %g, in all 20 J/m2", mem[Lost], mem[Supplied])
		}
	})
}

// A point whose load grows from the first instant has nothing to balance. The memory of a step
// without time does not change the unbalanced energy.
func TestSettleOfLoaded(t *testing.T) {
	l := stone(t, "linear")
	var mem [Memories]float64
	p := l.Open(Start{Normal: 3e6, Shear: 4e6, Stiffness: 1e13, Energy: 20, Rate: 1}, mem[:])
	for i := range 40 {
		o := float64(i) * 2e-7
		if p.BalanceCohesion(&mem, 0.6*o, 0.8*o, 0, 0.1, Release); mem[Supplied] != 0 {
			t.Fatalf("loaded to %g m it has balanced %g J/m2", o, mem[Supplied])
		}
		l.Advance(&p, &mem, 0.6*o, 0.8*o, nil)
	}
	p = l.Open(Start{Normal: 3e6, Stiffness: 1e13, Energy: 20, Rate: 1}, mem[:])
	if p.BalanceCohesion(&mem, -1e-7, 0, 0, 0, Release); mem[Supplied] != 0 || mem[ShiftNormal] != 0 {
		t.Error("it pays in no time")
	}
}

// A spring whose energy is unbalanced gives back a third of its first energy if it unloads under
// pressure before bodies can balance it. This holds for the spring of contact and for that of
// cohesion in shear, if a step reduces the traction by no more than half.
func TestUnbalancedSpringsGiveBackAThird(t *testing.T) {
	l := stone(t, "linear")
	for _, steps := range []int{1000, 100, 10} {
		p, mem := pressed(l, 20e6, 0, 1e-9)
		separation, given := p.Pressure/p.Stiffness, 0.0
		normal, last := -p.Pressure, 0.0
		for i := range steps {
			opening := separation * float64(i+1) / float64(steps)
			p.BalanceContact(&mem, opening, 1, Release)
			now, _, _, _ := l.Advance(&p, &mem, opening, 0, nil)
			given -= 0.5 * (normal + now) * (opening - last)
			normal, last = now, opening
		}
		near(t, "given by pressure", given, p.contactEnergy()/(1+Release), p.contactEnergy()*2/float64(steps))
		near(t, "unpaid", mem[Unbalanced], given, p.contactEnergy()/float64(2*steps*steps))

		p, mem = pressed(l, 1e3, 15e6, 1e-9)
		k, _ := p.springs()
		separation, given = p.Shear/k, 0.0
		shear, last := p.Shear, 0.0
		for i := 0; i < steps && shear > 0; i++ {
			slip := -separation * float64(i+1) / float64(steps)
			p.BalanceCohesion(&mem, 0, slip, 0, 1, Release)
			_, all, _, _ := l.Advance(&p, &mem, 0, slip, nil)
			now := max(0, all-mem[FrictionTraction])
			given -= 0.5 * (shear + now) * (slip - last)
			shear, last = now, slip
		}
		if share := given / p.stretch(); share < 0.25 || share > 0.42 {
			t.Errorf("%d steps: cohesion gives back %.3f of %g J/m2", steps, share, p.stretch())
		}
	}
}

// A pulled point whose spring stores more than the fracture energy gives back a third of it, too,
// if it unloads before bodies can balance it. A point whose fracture energy is greater gives back
// all.
func TestPulledSpringsGiveBackAThird(t *testing.T) {
	l := stone(t, "linear")
	for _, c := range []struct{ energy, least, most float64 }{{1, 0.3, 0.4}, {100, 0.97, 1}} {
		const steps = 1000
		var mem [Memories]float64
		p := l.Open(Start{Normal: 9e6, Shear: 12e6, Stiffness: 1e13, Energy: c.energy, Rate: 1e-9}, mem[:])
		separation, given, last, pull := 15e6/p.Stiffness, 0.0, 0.0, 15e6
		for i := range steps {
			at := separation * float64(i+1) / steps
			if pull <= 0 {
				break
			}
			p.BalanceCohesion(&mem, -0.6*at, -0.8*at, 0, 1, Release)
			normal, shear, _, _ := l.Advance(&p, &mem, -0.6*at, -0.8*at, nil)
			now := float64(0.6*normal) + float64(0.8*shear)
			given += 0.5 * (pull + max(0, now)) * (at - last)
			pull, last = now, at
		}
		if share := given / (15e6 * 15e6 / (2 * p.Stiffness)); share < c.least || share > c.most {
			t.Errorf("of %g J/m2 for fracture it gives back %.3f of what it began with, want %g to %g", c.energy, share, c.least, c.most)
		}
	}
}

// The memory of a point after a step that balanced energy is the one that it computes again at the
// same position and time, as a resumed run does.
func TestBalancedStepIsRepeated(t *testing.T) {
	l := stone(t, "linear")
	rapid.Check(t, func(t *rapid.T) {
		p, mem := pressed(l, rapid.Float64Range(1, 50).Draw(t, "pressure")*1e6, rapid.Float64Range(5, 40).Draw(t, "shear")*1e6, 1)
		k, _ := p.springs()
		for range 20 {
			opening := mem[Offset] - p.Pressure/p.Stiffness*rapid.Float64Range(0, 1.2).Draw(t, "compression")
			slip := mem[ShiftShear] - p.Shear/k*rapid.Float64Range(0, 0.9).Draw(t, "share")
			p.BalanceContact(&mem, opening, 0.1, Release)
			p.BalanceCohesion(&mem, opening, slip, 0, 0.1, Release)
			l.Advance(&p, &mem, opening, slip, nil)
			before := mem
			p.BalanceContact(&mem, opening, 0, Release)
			p.BalanceCohesion(&mem, opening, slip, 0, 0, Release)
			l.Advance(&p, &mem, opening, slip, nil)
			if mem != before {
				t.Fatalf("it remembers %v, then %v", before, mem)
			}
		}
	})
}

// Cohesion under pressure has the stiffness K on faces without friction, and half of it where
// friction has the other half. Its unbalanced energy is s^2/(2 K), or twice that.
func TestUnbalancedEnergyOfSmoothFaces(t *testing.T) {
	for _, c := range []struct{ friction, share float64 }{{0, 1}, {0.6, 0.5}} {
		l := stone(t, "linear")
		l.ResidualFriction = c.friction
		p, mem := pressed(l, 20e6, 30e6, 0)
		k, _ := p.springs()
		near(t, "stiffness", k, c.share*p.Stiffness, 0)
		near(t, "stretch", p.stretch(), p.Size*p.Size/(2*c.share*p.Stiffness), 1e-9*p.stretch())
		_, shear, _, _ := l.Advance(&p, &mem, 0, -1e-7, nil)
		near(t, "shear", shear, 30e6-1e-7*p.Stiffness*(c.share+map[bool]float64{true: 0.5}[c.friction > 0]), 1e-3)
	}
}

// What an initial stress has charged needs no balance: a point that opens under its pressure keeps
// its offset, one under a greater pressure balances the rest.
func TestChargeOfInitialStress(t *testing.T) {
	l := stone(t, "linear")
	for _, c := range []struct{ charge, charged float64 }{{0, 0}, {10e6, 0.25}, {20e6, 1}, {30e6, 1}} {
		var mem [Memories]float64
		p := l.Open(Start{Normal: -20e6, Stiffness: 1e13, Energy: 100, Rate: 1, Charge: c.charge}, mem[:])
		first := 0.5 * 20e6 * 20e6 / 1e13
		near(t, "charged", p.Charged(c.charge), c.charged*first, 1e-12*first)
		near(t, "unbalanced", mem[Unbalanced], (1-c.charged)*first, 1e-12*first)
		opening, work := 0.0, 0.0
		for range 1000 {
			opening = mem[Offset] - 20e6/p.Stiffness // faces follow at constant pressure
			before := mem[Offset]
			p.BalanceContact(&mem, opening, 0.02, Release)
			work += 20e6 * (before - mem[Offset])
		}
		near(t, "work of the closing faces", work, (1-c.charged)*first, 0.02*first)
	}
}
