package fracture

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fdem/fem"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// missed returns the vertices that sleep and would be candidates, or be found to be shielded, if
// they were checked now.
func (b *body) missed() (fans []int32) {
	z := b.Zone
	s := &z.scan
	if s.seen == nil { // nothing has been checked
		return nil
	}
	shielded, before := slices.Clone(z.shielded), slices.Clone(z.sleepers)
	s.x, s.searchAll = b.x, true
	s.above = z.triangles.AboveThreshold(b.x, z.thresholds, s.above[:0])
	z.listFans(s.above)
	z.computeStress(0)
	z.selectStrained(0)
	z.listStrained()
	z.computeCorners(0)
	z.searchFans(0)
	for k, open := range z.fans.cracked {
		if open && z.openSleep.slacks[k].force > 0 && z.fans.closedSpokes[k] > 0 {
			if z.forcesAt(int32(k), &s.searchers[0].fan); z.sleepsOpen(int32(k), s.searchers[0].force) {
				b.asleepOpen++
			}
		}
	}
	for _, c := range s.searchers[0].candidates {
		if z.forcesAt(c.fan, &s.searchers[0].fan); before[c.fan].asleep || z.sleepsOpen(c.fan, s.searchers[0].force) {
			fans = append(fans, c.fan)
		}
	}
	for k := range shielded {
		if shielded[k] != z.shielded[k] && before[k].asleep {
			fans = append(fans, int32(k))
		}
	}
	s.searchAll = false
	copy(z.shielded, shielded)
	copy(z.sleepers, before)
	return fans
}

// scatter gives every edge a strength of its own.
func (b *body) scatter(by float64, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 3))
	for i := range b.regions {
		b.regions[i].weakest = math.Inf(1)
	}
	for i := range b.edges {
		e := &b.edges[i]
		e.Strength = math.Exp(by * (2*r.Float64() - 1))
		if e.Region >= 0 {
			of := &b.regions[e.Region]
			of.weakest = min(of.weakest, e.Strength)
		}
	}
	for i := range b.regions {
		b.regions[i].bounds, b.regions[i].threshold = b.regions[i].newBounds(), b.regions[i].stressThreshold()
	}
	b.thresholds = nil
	b.setThresholds()
}

// hold strains a rectangular body evenly, so that the strength is used by so much at most,
// turns it, and holds its outline.
func (b *body) hold(size r2.Vec, rate [4]float64, used, turned float64) {
	s := b.t.Stress(0, b.strained(rate, 1e-7, 0), bulk.PlaneStress)
	greatest := 1e-30
	for i := range b.regions {
		greatest = max(greatest, b.regions[i].Law.Greatest(s.XX, s.YY, s.XY)/b.regions[i].weakest)
	}
	b.x = b.strained(rate, min(1e-7*used/greatest, 0.02), turned)
	for i, p := range b.x0 {
		on := p.X < 1e-9 || p.X > size.X-1e-9 || p.Y < 1e-9 || p.Y > size.Y-1e-9
		b.fixed[i] = [2]bool{on, on}
	}
}

// strained returns the positions of a body strained evenly, by so much times the rates, and
// turned.
func (b *body) strained(rate [4]float64, by, turned float64) []r2.Vec {
	x := make([]r2.Vec, len(b.x0))
	c, s := math.Cos(turned), math.Sin(turned)
	for i, p := range b.x0 {
		q := r2.Vec{X: p.X + by*(rate[0]*p.X+rate[1]*p.Y), Y: p.Y + by*(rate[1]*p.X+rate[3]*p.Y)}
		x[i] = r2.Vec{X: c*q.X - s*q.Y, Y: s*q.X + c*q.Y}
	}
	return x
}

// No opening of a sleeping vertex is missed: a body whose triangles are checked only if they are
// woken opens the same vertices in the same steps, to the bit, as one whose triangles above the
// threshold are all checked in every step. Whatever it is made of, however it is pulled, sheared,
// pressed, turned and shaken, with cracks that open, regions that differ, led cracks, strengths
// that scatter, and initial stress.
func TestNothingOpensLate(t *testing.T) {
	test := t
	saved, looked, above, opened, asleepOpen := 0, 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := bar()
		s.poisson = rapid.Float64Range(0, 0.45).Draw(t, "poisson")
		s.young = math.Pow(10, rapid.Float64Range(8.3, 11).Draw(t, "young"))
		s.law.TensileStrength = 5e6
		s.law.Cohesion = s.law.TensileStrength * rapid.Float64Range(0.5, 4).Draw(t, "cohesion")
		s.law.Friction = rapid.Float64Range(0, 1.2).Draw(t, "friction")
		other := s.law
		other.TensileStrength *= rapid.Float64Range(0.5, 2).Draw(t, "other")
		s.led = rapid.IntRange(0, 5).Draw(t, "led") == 0
		if rapid.IntRange(0, 3).Draw(t, "bedded") == 0 {
			s.bedding = weakened(test, s.law, rapid.Float64Range(0.3, 1).Draw(t, "along"), rapid.Float64Range(1, 20).Draw(t, "sharpness"), rapid.Float64Range(-2, 2).Draw(t, "direction"))
		}
		const h = 4e-3
		seed := uint64(rapid.IntRange(0, 1<<20).Draw(t, "seed"))
		n := rows(10*h, 6*h, h, rapid.Float64Range(0, 0.5).Draw(t, "jitter"), seed, rapid.Bool().Draw(t, "up"))
		layers := rapid.Bool().Draw(t, "layers")
		scatter := rapid.SampledFrom([]float64{0, 0, 0.1, 0.5}).Draw(t, "scatter")
		stress := fem.Stress{XX: rapid.Float64Range(-3, 0.5).Draw(t, "xx") * 2e6, YY: rapid.Float64Range(-3, 0.5).Draw(t, "yy") * 2e6}
		prestressed := rapid.Bool().Draw(t, "initial stress")
		strain := s.law.TensileStrength / s.young * rapid.Float64Range(0.3, 1).Draw(t, "level")
		d := func(name string) float64 { return rapid.Float64Range(-4, 4).Draw(t, name) }
		rate := [4]float64{d("rate xx"), d("rate xy"), d("rate yx"), d("rate yy")}
		spin, wave, period := d("spin"), d("wave"), rapid.Float64Range(10, 200).Draw(t, "period")
		build := func() *body {
			b := newLayered(test, net{slices.Clone(n.x), slices.Clone(n.tri)}, s, []cohesive.Parameters{s.law, other}, func(p, q r2.Vec) int32 {
				if layers && p.Y+q.Y > 6*h {
					return 1
				}
				return 0
			})
			if prestressed {
				for i := range b.nodes {
					if err := b.t.Prestress(i, stress); err != nil {
						t.Skip(err)
					}
				}
				b.fans.forcePerStress, b.fans.laneIndex, b.fans.volume, b.fans.mass, b.fans.face = nil, nil, nil, nil, nil
				b.fans.setGeometry(b.t, b.edges)
			}
			if scatter > 0 {
				b.scatter(scatter, seed)
			}
			return b
		}
		plain, quick := build(), build()
		quick.t.Watch(quick.Thresholds())
		dt := 1.4 / math.Sqrt(plain.omega2*3)
		const steps = 300
		held, used, turned := rapid.Bool().Draw(t, "held"), rapid.Float64Range(0.5, 1).Draw(t, "used"), rapid.Float64Range(-3, 3).Draw(t, "turned")
		for _, b := range []*body{plain, quick} {
			by := strain / (1000 * dt)
			if held { // its outline, in a stress close to the strength
				b.hold(r2.Vec{X: 10 * h, Y: 6 * h}, rate, used, turned)
				by *= 0.1
			}
			for i, p := range b.x {
				b.v[i] = r2.Vec{X: by * (rate[0]*p.X + rate[1]*p.Y), Y: by * (rate[2]*p.X + rate[3]*p.Y)}
				b.v[i].X += -0.002/dt*spin*(p.Y-3*h) + 0.1*wave*strain*math.Sqrt(s.young/s.density)*math.Sin(2*math.Pi*p.X/(5*h))
				b.v[i].Y += 0.002 / dt * spin * (p.X - 5*h)
			}
			if held {
				b.load = func(b *body) { // to and fro, too
					for i, p := range b.x0 {
						if b.fixed[i][0] {
							b.v[i].X += 0.01 * wave * strain / (dt * period) * math.Cos(2*math.Pi*float64(b.steps)/period) * p.X
						}
					}
				}
				continue
			}
			b.load = func(b *body) {
				for i, p := range b.x0 {
					b.f[i].X += b.mass[i] * 8 * wave * (p.X - 5*h) * strain / (dt * dt * period * period) * math.Cos(2*math.Pi*float64(b.steps)/period)
				}
			}
		}
		parts := quick.t.Subdomains(rapid.IntRange(1, 3).Draw(t, "parts"))
		motion := fem.Leapfrog{X: quick.x, V: quick.v, F: quick.f, Mass: quick.mass, Held: make([]uint8, len(quick.x)), End: int32(len(quick.x))}
		for range steps {
			clear(plain.f)
			if plain.t.AddForces(plain.f, plain.x) != nil {
				return // squeezed to nothing: a draw of no interest
			}
			plain.AddForces(plain.f, plain.x, plain.time)
			for _, p := range parts {
				p.SetForces(&motion)
			}
			quick.AddForces(quick.f, quick.x, quick.time)
			passed := quick.t.Passed(parts, nil, nil)
			some := plain.Open(plain.x, plain.v, plain.mass, plain.time)
			if got := quick.OpenAbove(passed, quick.x, quick.v, quick.mass, quick.time); got != some || !slices.Equal(quick.opened, plain.opened) {
				t.Fatalf("step %d: %d vertices open, want %d", plain.steps, got, some)
			}
			whole := len(plain.opened) == 0
			if whole && len(passed) > 0 {
				looked += len(quick.scan.searched)
			}
			if whole && len(plain.scan.above) > 0 {
				above += len(plain.scan.searched)
			}
			if some == 0 {
				if m := quick.missed(); len(m) > 0 {
					t.Fatalf("step %d: vertices sleep that are candidates: %v", plain.steps, m)
				}
			} else {
				for _, b := range []*body{plain, quick} {
					clear(b.f)
					if b.t.AddForces(b.f, b.x) != nil {
						return
					}
					b.AddForces(b.f, b.x, b.time)
				}
			}
			plain.move(dt)
			quick.move(dt)
		}
		if !slices.Equal(plain.x, quick.x) || !slices.Equal(plain.shielded, quick.shielded) {
			t.Fatal("the bodies end otherwise")
		}
		opened, asleepOpen = opened+len(plain.opened), asleepOpen+quick.asleepOpen
		if len(plain.opened) > 0 {
			saved++
		}
	})
	t.Logf("%d of %d looks before something opens, %d vertices opened, in %d draws; %d open vertices slept", looked, above, opened, saved, asleepOpen)
	if saved == 0 || asleepOpen == 0 {
		t.Error("nothing has broken: the test sees nothing")
	}
}

// A body that is pressed or pulled slowly up to its strength needs few checks: a vertex is checked
// once in thirty steps or less if its strength is reached in a thousand steps.
func TestLooksAreFew(t *testing.T) {
	const h, steps = 4e-3, 1000
	for name, rate := range map[string][4]float64{"pulled": {1, 0, 0, 0}, "pressed": {0.2, 0, 0, -1}, "sheared": {0, 1, 1, 0}} {
		b := newBody(t, rows(10*h, 6*h, h, 0.4, 1, false), bar(), everywhere)
		b.hold(r2.Vec{X: 10 * h, Y: 6 * h}, rate, 0.7, 0)
		b.t.Watch(b.Thresholds())
		part := b.t.Subdomains(1)[0]
		motion := fem.Leapfrog{X: b.x, V: b.v, F: b.f}
		start, looked, above := slices.Clone(b.x), 0, 0
		for i := range steps {
			for k, p := range start { // from 0.7 to 0.98
				b.x[k] = r2.Vec{X: b.x0[k].X + (p.X-b.x0[k].X)*(1+0.4*float64(i)/steps), Y: b.x0[k].Y + (p.Y-b.x0[k].Y)*(1+0.4*float64(i)/steps)}
			}
			part.SetForces(&motion)
			passed := b.t.Passed([]*fem.Subdomain{part}, nil, nil)
			if b.OpenAbove(passed, b.x, b.v, b.mass, 0) > 0 {
				t.Fatalf("%s: opens in step %d", name, i)
			}
			if len(passed) > 0 {
				looked += len(b.scan.searched)
			}
			b.scan.searchAll = true
			b.listFans(b.t.AboveThreshold(b.x, b.thresholds, nil))
			b.scan.searchAll = false
			above += len(b.scan.searched)
		}
		if t.Logf("%s: %d looks for %d", name, looked, above); looked > above/30 {
			t.Errorf("%s: %d looks, of %d that there would be if nothing slept", name, looked, above)
		}
	}
}
