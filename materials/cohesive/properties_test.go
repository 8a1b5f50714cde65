package cohesive

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"pgregory.net/rapid"
)

// plain is the law in its plain form, the oracle of Eval: for a point of the
// kappa given and a friction spring that has let slid go, traction, stored and
// dissipated energy, and damage.
func plain(l *Law, p Point, kappa, slid, opening, slip float64) (tn, ts, stored, dissipated, damage float64) {
	k, frictionStiffness, gap := p.Stiffness, p.Stiffness, 0.0
	if p.Pressure > 0 {
		k, frictionStiffness, gap = 0.5*p.Stiffness, 0.5*p.Stiffness, p.Pressure/p.Stiffness
	}
	c := opening - gap
	elastic := (p.Onset - p.Size) / k
	softening := p.Energy - (p.Onset*p.Onset-p.Size*p.Size)/(2*k)
	g := 1.0
	if kappa > elastic {
		var s, lost [1]float64
		x := (kappa - elastic) * p.Onset / softening
		l.Curve.Eval([]float64{x}, s[:], nil, lost[:])
		g = p.Onset * s[0] / (p.Size + k*kappa)
		area := lost[0] + x*s[0]
		whole := p.Energy - softening + softening*area // below traction over kappa
		dissipated = whole - g*(p.Size*kappa+0.5*k*kappa*kappa)
	}
	damage = 1 - g
	tn = g * (p.Normal + p.Stiffness*c)
	ts = g * (p.Shear + k*slip)
	stored = g * (p.Normal*c + 0.5*p.Stiffness*c*c + p.Shear*slip + 0.5*k*slip*slip)
	soft := 6 * l.Tension / p.Stiffness
	if p.Pressure > 0 {
		soft = 0
	}
	if q := -c; q > soft {
		tn -= damage * p.Stiffness * (q - soft/2)
		stored += damage * p.Stiffness * (q*q/2 - q*soft/2 + soft*soft/6)
	} else if q > 0 {
		tn -= damage * p.Stiffness * q * q / (2 * soft)
		stored += damage * p.Stiffness * q * q * q / (6 * soft)
	}
	if p.Pressure == 0 {
		frictionStiffness *= damage
	}
	return tn, ts + frictionStiffness*(slip-slid), stored + 0.5*frictionStiffness*(slip-slid)*(slip-slid), dissipated, damage
}

// begin draws how a point begins: pulled or pressed, at its strength or below.
func begin(t *rapid.T, l *Law) Start {
	normal := rapid.Float64Range(-20, 5).Draw(t, "normal") * 1e6
	shear := rapid.Float64Range(-20, 20).Draw(t, "shear") * 1e6
	mixity := Mixity(normal, shear)
	s := Start{
		Normal: normal, Shear: shear,
		Stiffness: rapid.Float64Range(1e12, 1e15).Draw(t, "stiffness"),
		Energy:    l.Energy.Energy(mixity) * rapid.Float64Range(0.7, 1).Draw(t, "chord"),
	}
	if l.Open(s, make([]float64, Memories)).Size < 1e6 || rapid.Bool().Draw(t, "with onset") {
		s.Onset = l.Onset(mixity)
	}
	return s
}

func curves(t *testing.T, test func(t *testing.T, l *Law)) {
	for _, name := range Curves() {
		t.Run(name, func(t *testing.T) { test(t, stone(t, name)) })
	}
}

// On random paths: Eval is its plain form, is idempotent, memory and dissipation never fall, no
// tangent passes the stiffness, and at constant damage work is the stored energy and the heat of
// friction to 1e-12 (benchmark A4).
func TestRandomPaths(t *testing.T) {
	curves(t, func(t *testing.T, l *Law) {
		rapid.Check(t, func(t *rapid.T) {
			s := begin(t, l)
			d := drive(l, s)
			p := d.point[0]
			if math.Abs(d.normal[0]-s.Normal) > 1e-12*math.Abs(s.Normal)+1e-9 {
				t.Fatalf("at first the normal traction is %g, want %g", d.normal[0], s.Normal)
			}
			if math.Abs(d.shear[0]-s.Shear) > 1e-12*(math.Abs(s.Shear)+math.Abs(s.Normal))+1e-9 {
				t.Fatalf("at first the shear traction is %g, want %g", d.shear[0], s.Shear)
			}
			if math.Abs(d.stored[0]-p.Insertion()) > 1e-12*p.Energy {
				t.Fatalf("at first %g is stored, want %g", d.stored[0], p.Insertion())
			}
			size := l.Broken(&p) * rapid.SampledFrom([]float64{1e-3, 0.1, 1}).Draw(t, "size")
			gap := p.Pressure / p.Stiffness
			for range 40 {
				opening := gap + size*rapid.Float64Range(-0.3, 1).Draw(t, "opening")
				slip := size * rapid.Float64Range(-1, 1).Draw(t, "slip")
				before := *d
				kappa := d.mem[0]
				d.to(opening, slip)
				tn, ts, stored, dissipated, damage := plain(l, p, d.mem[0], d.mem[1], opening, slip)
				scale := p.Onset + p.Stiffness*(math.Abs(opening)+math.Abs(slip)+gap)
				distance := math.Abs(opening) + math.Abs(slip) + math.Abs(before.opening[0]) + math.Abs(before.slip[0]) + gap
				energy := p.Energy + (p.Onset+p.Stiffness*distance)*distance
				for _, v := range []struct {
					what      string
					got, want float64
					tolerance float64
				}{
					{"normal", d.normal[0], tn, 1e-12 * scale}, {"shear", d.shear[0], ts, 1e-12 * scale},
					{"stored", d.stored[0], stored, 1e-12 * energy}, {"dissipated", d.dissipated[0], dissipated, 1e-11 * energy},
					{"damage", d.damage[0], damage, 1e-12},
				} {
					if !(math.Abs(v.got-v.want) <= v.tolerance) {
						t.Fatalf("%s: got %.17g, want %.17g", v.what, v.got, v.want)
					}
				}
				switch {
				case d.mem[0] < kappa:
					t.Fatalf("kappa falls from %g to %g", kappa, d.mem[0])
				case d.dissipated[0] < before.dissipated[0]-1e-15*p.Energy:
					t.Fatalf("dissipation falls from %g to %g", before.dissipated[0], d.dissipated[0])
				case d.damage[0] < before.damage[0]-1e-15 || d.damage[0] > 1:
					t.Fatalf("damage goes from %g to %g", before.damage[0], d.damage[0])
				case d.dissipated[0] > p.Energy*(1+1e-14):
					t.Fatalf("%g is dissipated of %g", d.dissipated[0], p.Energy)
				}
				most := [2]float64{p.Stiffness * (1 + 1e-12), p.Stiffness * (1 + 1e-12)}
				if d.frictionWork[0] != 0 && d.damage[0] > before.damage[0] {
					more := rubs(l, &p, d, opening-gap, slip)
					most = [2]float64{most[0] + more[0], most[1] + more[1]}
				}
				if d.tangent[0] > most[0] || d.tangent[3] > most[1] {
					t.Fatalf("tangents %g of a stiffness %g, at most %g", d.tangent, p.Stiffness, most)
				}
				// The trapezoidal rule is exact where traction is linear: open, or shut and hard.
				a, b := opening-gap, before.opening[0]-gap
				if d.mem[0] == kappa && (a >= 0 && b >= 0 || a <= 0 && b <= 0 && p.Pressure > 0) {
					work := 0.5*(d.normal[0]+before.normal[0])*(opening-before.opening[0]) +
						0.5*(d.shear[0]+before.shear[0])*(slip-before.slip[0])
					kept := d.stored[0] - before.stored[0] + d.frictionWork[0]
					if math.Abs(work-kept) > 1e-12*energy {
						t.Fatalf("at constant damage work is %.17g, stored and rubbed %.17g", work, kept)
					}
				}
				again := *d
				again.mem = append([]float64(nil), d.mem...)
				again.to(opening, slip)
				length := math.Abs(opening) + math.Abs(slip) + gap
				for _, v := range [][3]float64{
					{d.normal[0], again.normal[0], scale}, {d.shear[0], again.shear[0], scale}, {d.mem[2], again.mem[2], scale},
					{d.stored[0], again.stored[0], energy}, {d.dissipated[0], again.dissipated[0], p.Energy}, {again.frictionWork[0], 0, energy},
					{d.mem[0], again.mem[0], length}, {d.mem[1], again.mem[1], length},
				} {
					if math.Abs(v[0]-v[1]) > 1e-14*v[2] {
						t.Fatalf("the second evaluation gives %+v after %+v", again, d)
					}
				}
			}
		})
	})
}

// rubs returns by how much the tangents of opening and of slip may pass the
// stiffness where faces rub, with the pressure phi', while damage grows: friction
// slips at mu phi', and what that takes off the force Y that drives damage makes
// damage grow with the wrong sign,
//
//	|dT_n/dg dg/dY| mu^2 phi' phi''/K_f,   |(t_s + K D_s) dg/dY| mu phi'
func rubs(l *Law, p *Point, d *driven, c, slip float64) [2]float64 {
	if c >= 0 {
		return [2]float64{}
	}
	k, frictionStiffness := p.springs()
	press, _, hard := l.contact(p, c)
	elastic, energy := p.elastic()
	var s, lost, slope [1]float64
	_, _, dg := l.soften(p, d.mem[0], elastic, energy, s[:], lost[:], slope[:])
	dg = math.Abs(dg) / (p.Size + k*d.mem[0])
	mu := l.ResidualFriction
	return [2]float64{
		math.Abs(p.Normal+p.Stiffness*c+press) * dg * mu * mu * press * hard / frictionStiffness * (1 + 1e-9),
		math.Abs(p.Shear+k*slip) * dg * mu * press * (1 + 1e-9),
	}
}

// A closed loop at constant damage takes no work, whatever its path, while the point is open;
// formulas with separate curves for opening and slip create or dissipate a third of G_I in it.
func TestClosedLoop(t *testing.T) {
	curves(t, func(t *testing.T, l *Law) {
		rapid.Check(t, func(t *rapid.T) {
			s := begin(t, l)
			d := drive(l, s)
			p := d.point[0]
			end, gap := l.Broken(&p), p.Pressure/p.Stiffness
			d.to(gap+end*rapid.Float64Range(0.05, 0.6).Draw(t, "damage"), 0)
			kappa, damage := d.mem[0], d.damage[0]
			// Opening up to half of the greatest one, slip in either direction.
			reach := 0.5 * d.opening[0]
			d.to(gap+reach, 0)
			work := 0.0
			for i := range 9 {
				opening, slip := gap+reach, 0.0
				if i < 8 {
					opening = gap + reach*rapid.Float64Range(0, 1).Draw(t, "opening")
					slip = 0.2 * reach * rapid.Float64Range(-1, 1).Draw(t, "slip")
				}
				before := *d
				d.to(opening, slip)
				work += 0.5*(d.normal[0]+before.normal[0])*(opening-before.opening[0]) +
					0.5*(d.shear[0]+before.shear[0])*(slip-before.slip[0])
			}
			if d.mem[0] > kappa || d.damage[0] != damage {
				t.Skip("the loop is not at constant damage")
			}
			if math.Abs(work) > 1e-12*p.Energy {
				t.Fatalf("a closed loop takes %g of %g", work, p.Energy)
			}
		})
	})
}

// A straight path along the traction dissipates the energy of its mix, follows
// the curve, and leaves nothing stored, with every stiffness (benchmark A3);
// work is integrated with Gauss points between the kinks.
func TestStraightPaths(t *testing.T) {
	curves(t, func(t *testing.T, l *Law) {
		for _, k := range []float64{3e12, 3e14, 3e17} {
			for _, degrees := range []float64{0, 20, 30, 45, 60, 70, 90} {
				for _, early := range []float64{1, 0.6} { // mixity of the strength at first
					angle := degrees * math.Pi / 180
					n, s := math.Cos(angle), math.Sin(angle)
					mixity := s * s
					onset := l.Onset(mixity)
					d := drive(l, Start{
						Normal: early * onset * n, Shear: early * onset * s,
						Stiffness: k, Energy: l.Energy.Energy(mixity), Onset: onset,
					})
					p := d.point[0]
					end := l.Broken(&p)
					elastic, _ := p.elastic()
					traction := func(at float64) float64 { // quadrature may go backwards
						c := *d
						c.mem = append([]float64(nil), d.mem...)
						c.to(at*n, at*s)
						return c.normal[0]*n + c.shear[0]*s
					}
					work := quad.Fixed(traction, 0, elastic, 4, nil, 0)
					for i := range 360 {
						a, b := elastic+(end-elastic)*float64(i)/360, elastic+(end-elastic)*float64(i+1)/360
						work += quad.Fixed(traction, a, b, 10, nil, 0)
						d.to(b*n, b*s)
						near(t, fmt.Sprintf("ledger at %g", b), d.stored[0]+d.dissipated[0], work, 1e-12*p.Energy)
					}
					want := 20 + 60*mixity*mixity
					near(t, "work", work, want, 1e-12*want)
					near(t, "dissipated", d.dissipated[0], want, 1e-12*want)
					near(t, "stored", d.stored[0], 0, 1e-12*want)
				}
			}
		}
	})
}

// On any path that breaks the point while open the work is the same energy.
func TestCrookedPaths(t *testing.T) {
	curves(t, func(t *testing.T, l *Law) {
		rapid.Check(t, func(t *rapid.T) {
			d := drive(l, Start{Normal: 3e6, Shear: rapid.Float64Range(-8e6, 8e6).Draw(t, "shear"), Stiffness: 3e13, Energy: 37})
			p := d.point[0]
			end := l.Broken(&p)
			work, x, y := 0.0, 0.0, 0.0
			for i := range 4 {
				nx, ny := end*rapid.Float64Range(0, 1).Draw(t, "x"), end*rapid.Float64Range(-1, 1).Draw(t, "y")
				if i == 3 {
					nx, ny = 2*end, end
				}
				const increments = 1500
				for j := range increments {
					at := float64(j+1) / increments
					before := *d
					d.to(x+(nx-x)*at, y+(ny-y)*at)
					work += 0.5*(d.normal[0]+before.normal[0])*(d.opening[0]-before.opening[0]) + 0.5*(d.shear[0]+before.shear[0])*(d.slip[0]-before.slip[0])
				}
				x, y = nx, ny
			}
			if math.Abs(work-37) > 2e-3*37 || math.Abs(d.dissipated[0]-37) > 1e-12*37 {
				t.Fatalf("work %g, dissipated %g, want 37", work, d.dissipated[0])
			}
		})
	})
}

// Shut or open, sticking or slipping: the work of a path in small steps is the stored energy, the
// dissipated one and the heat of friction, to the order of the step.
func TestLedger(t *testing.T) {
	curves(t, func(t *testing.T, l *Law) {
		rapid.Check(t, func(t *rapid.T) {
			s := begin(t, l)
			s.Stiffness = 10 * l.Tension * l.Tension / l.Energy.Tension * rapid.Float64Range(1, 10).Draw(t, "softness")
			d := drive(l, s)
			p := d.point[0]
			size := min(l.Broken(&p), 10*l.Energy.Shear/l.Cohesion)
			work, start := 0.0, d.stored[0]
			most := p.Energy
			for range 4 {
				x, y := d.opening[0], d.slip[0]
				nx := size * rapid.Float64Range(-0.5, 1).Draw(t, "x")
				ny := size * rapid.Float64Range(-1, 1).Draw(t, "y")
				const steps = 4000
				for i := range steps {
					before := *d
					d.to(x+(nx-x)*float64(i+1)/steps, y+(ny-y)*float64(i+1)/steps)
					dw := 0.5*(d.normal[0]+before.normal[0])*(d.opening[0]-before.opening[0]) + 0.5*(d.shear[0]+before.shear[0])*(d.slip[0]-before.slip[0])
					work += dw
					most += math.Abs(dw)
				}
			}
			if kept := d.stored[0] - start + d.dissipated[0] + d.friction; math.Abs(work-kept) > 2e-3*most {
				t.Fatalf("work is %g, stored, dissipated and rubbed %g", work, kept)
			}
		})
	})
}

// The tangent against differences, away from the kinks.
func TestTangent(t *testing.T) {
	curves(t, func(t *testing.T, l *Law) {
		rapid.Check(t, func(t *rapid.T) {
			s := begin(t, l)
			d := drive(l, s)
			p := d.point[0]
			size, gap := l.Broken(&p), p.Pressure/p.Stiffness
			point := func(what string) (float64, float64) {
				return gap + size*rapid.Float64Range(-0.5, 1).Draw(t, what+" opening"), size * rapid.Float64Range(-1, 1).Draw(t, what+" slip")
			}
			d.to(point("first"))
			opening, slip := point("second")
			mem := append([]float64(nil), d.mem...)
			at := func(do, ds float64) (*driven, bool) {
				c := *d
				c.mem = append([]float64(nil), mem...)
				c.to(opening+do, slip+ds)
				return &c, c.mem[0] > mem[0]
			}
			now, loads := at(0, 0)
			h := 1e-6 * size
			if math.Abs(opening-gap) < 3*h {
				return
			}
			for j, to := range [2][2]float64{{h, 0}, {0, h}} {
				up, a := at(to[0], to[1])
				down, b := at(-to[0], -to[1])
				up2, _ := at(2*to[0], 2*to[1])
				slips := func(c *driven) bool { return c.frictionWork[0] != 0 || c.mem[1] != mem[1] }
				turns := func(c *driven) bool { return c.mem[1] > mem[1] != (now.mem[1] > mem[1]) } // slips the other way
				if a != loads || b != loads || slips(up) != slips(now) || slips(down) != slips(now) || turns(up) || turns(down) || (down.damage[0] == 0) != (up.damage[0] == 0) {
					return
				}
				// A kink of the curve shows where the step is doubled.
				traction := []func(*driven) float64{func(c *driven) float64 { return c.normal[0] }, func(c *driven) float64 { return c.shear[0] }}
				if !a && !slips(now) { // traction is the slope of what is stored
					one, want := (up.stored[0]-down.stored[0])/(2*h), traction[j](now)
					if math.Abs(one-want) > 1e-6*(p.Onset+p.Stiffness*size) {
						t.Fatalf("traction %d is %g, stored energy has the slope %g", j, want, one)
					}
				}
				for i, f := range traction {
					one, two := (f(up)-f(down))/(2*h), (f(up2)-f(now))/(2*h)
					if math.Abs(one-two) > 1e-4*p.Stiffness {
						return
					}
					if got := now.tangent[2*i+j]; math.Abs(got-one) > 1e-4*p.Stiffness {
						t.Fatalf("tangent %d by %d: got %g, differences %g of a stiffness %g", i, j, got, one, p.Stiffness)
					}
				}
			}
		})
	})
}

// Traction and energies are continuous along any path: the greatest change of a
// step goes to 0 where that step is divided, and its worst part again.
func TestContinuity(t *testing.T) {
	curves(t, func(t *testing.T, l *Law) {
		rapid.Check(t, func(t *rapid.T) {
			d := drive(l, begin(t, l))
			p := d.point[0]
			size, gap := 1.2*l.Broken(&p), p.Pressure/p.Stiffness
			change := func(a, b *driven) float64 {
				return max(math.Hypot(b.normal[0]-a.normal[0], b.shear[0]-a.shear[0])/p.Onset,
					math.Abs(b.stored[0]-a.stored[0])/p.Energy, math.Abs(b.dissipated[0]-a.dissipated[0])/p.Energy)
			}
			const parts = 50
			// leg drives c by (dx, dy) and returns the greatest change with the state before it.
			leg := func(c *driven, dx, dy float64) (before driven, most float64) {
				x, y := c.opening[0], c.slip[0]
				for i := range parts {
					b := *c
					b.mem = append([]float64(nil), c.mem...)
					c.to(x+dx*float64(i+1)/parts, y+dy*float64(i+1)/parts)
					if by := change(&b, c); by > most {
						before, most = b, by
					}
				}
				return before, most
			}
			for range 4 {
				dx := gap + size*rapid.Float64Range(-0.3, 1).Draw(t, "x") - d.opening[0]
				dy := size*rapid.Float64Range(-1, 1).Draw(t, "y") - d.slip[0]
				worst, most := leg(d, dx, dy)
				for range 6 { // a point pressed deep changes by 2e8 Pa as it is damaged within 1e-8 m
					dx, dy = dx/parts, dy/parts
					if most > 0 {
						worst, most = leg(&worst, dx, dy)
					}
				}
				if most > 1e-3 {
					t.Fatalf("traction or energy jumps by %g", most)
				}
			}
		})
	})
}

// Many points at once answer as each alone, in place or not, without allocation.
func TestSlices(t *testing.T) {
	l := stone(t, "concrete")
	const n = 50
	in := Input{Opening: make([]float64, n), Slip: make([]float64, n), Mem: make([]float64, n*Memories)}
	out := func(mem []float64) Output {
		return Output{
			Normal: make([]float64, n), Shear: make([]float64, n), Stored: make([]float64, n), Dissipated: make([]float64, n),
			FrictionWork: make([]float64, n), Damage: make([]float64, n), Mem: mem, Tangent: make([]float64, 4*n),
		}
	}
	var alone []*driven
	for i := range n {
		s := Start{Normal: float64(5-i%9) * 1e6, Shear: float64(i%7) * 2e6, Stiffness: 3e13, Energy: 50, Onset: 4e6}
		in.Points = append(in.Points, l.Open(s, in.Mem[Memories*i:]))
		in.Opening[i], in.Slip[i] = float64(i-10)*3e-7, float64(25-i)*2e-7
		alone = append(alone, drive(l, s))
	}
	separate, inPlace := out(make([]float64, n*Memories)), out(in.Mem)
	l.Eval(in, separate)
	first := append([]float64(nil), in.Mem...)
	l.Eval(in, inPlace)
	for i, d := range alone {
		d.mem = append([]float64(nil), first[Memories*i:Memories*i+Memories]...)
		d.to(in.Opening[i], in.Slip[i])
		for _, o := range []Output{separate, inPlace} {
			if o.Normal[i] != d.normal[0] || o.Shear[i] != d.shear[0] || o.Stored[i] != d.stored[0] || o.Dissipated[i] != d.dissipated[0] ||
				o.FrictionWork[i] != d.frictionWork[0] || o.Damage[i] != d.damage[0] || o.Mem[Memories*i] != d.mem[0] || [4]float64(o.Tangent[4*i:]) != d.tangent {
				t.Fatalf("point %d differs from itself alone", i)
			}
		}
	}
	if n := testing.AllocsPerRun(10, func() { l.Eval(in, inPlace) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkEval(b *testing.B) {
	for _, name := range Curves() {
		for _, growing := range []bool{false, true} {
			what := name
			if growing {
				what += ", growing"
			}
			b.Run(what, func(b *testing.B) {
				l := stone(b, name)
				const n = 256
				in := Input{Opening: make([]float64, n), Slip: make([]float64, n), Mem: make([]float64, n*Memories)}
				out := Output{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), in.Mem, nil}
				for i := range n {
					in.Points = append(in.Points, l.Open(Start{Normal: 5e6, Shear: 1e6, Stiffness: 3e13, Energy: 20}, in.Mem[Memories*i:]))
					in.Opening[i] = float64(i) * 2e-8
				}
				for b.Loop() {
					if growing {
						for i := 0; i < len(in.Mem); i += Memories {
							in.Mem[i] = 0
						}
					}
					l.Eval(in, out)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/point")
			})
		}
	}
}
