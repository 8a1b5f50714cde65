package fracture

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// The kernel gives every bit that pull gives, of cracks that open, soften, close, slide, separate
// and rotate, in a body whose fragments rattle. It computes most of them itself.
func TestKernel(t *testing.T) {
	n := scattered(0.05, 0.05, 3e-3, 4)
	stone := bar()
	stone.law.Friction = 0.6
	make := func() *body {
		b := newBody(t, net{slices.Clone(n.x), slices.Clone(n.tri)}, stone, everywhere)
		for i, x := range b.x0 {
			b.v[i].X = 3.5 * math.Sin(400*x.X+150*x.Y)
			b.v[i].Y = 3.5 * math.Sin(170*x.X-350*x.Y)
		}
		return b
	}
	fast, plain := make(), make()
	plain.kernel = generic
	taken, cracks, shut, slid := 0, 0, 0, 0
	hinges := map[int32]bool{} // edges whose faces have separated before the second end opened
	fast.run(t, math.Inf(1), func() bool {
		plain.run(t, math.Inf(1), func() bool { return false })
		var arm [lanes]float64
		list := fast.workers[0].list
		for i := range fast.quads {
			q := &fast.quads[i]
			before, charges := *q, fast.balances[i]
			left := 0
			if fast.kernel.compute(fast.quads[i:i+1], fast.balances[i:i+1], fast.x, fast.f, list[:1], &arm, fast.thickness) > 0 {
				left = int(list[0])
			}
			*q, fast.balances[i] = before, charges
			for lane := range lanes {
				if k := lanes*i + lane; k >= len(fast.cracks) || fast.cracks[k].detached {
					continue
				}
				cracks++
				if left&(1<<lane) == 0 {
					taken++
				}
				for end := range 2 {
					if q.slips[end][ofFrictionTraction][lane] != 0 {
						shut++
					}
					if q.slips[end][ofHeat][lane] != 0 {
						slid++
					}
				}
			}
		}
		if !slices.Equal(fast.x, plain.x) || !slices.Equal(fast.v, plain.v) || fast.arm != plain.arm {
			t.Fatalf("step %d: the bodies differ", fast.steps)
		}
		if fast.steps%20 == 0 { // some faces that hold at one end are too far apart, as after a great rotation
			for k, c := range fast.cracks {
				if c.open[0] != c.open[1] && !c.detached && len(hinges) < fast.steps/20 {
					hinges[c.edge] = true
					for _, z := range []*Zone{fast.Zone, plain.Zone} {
						z.cracks[k].broken, z.histories[k].broken = true, z.time
						z.detach(int32(k))
					}
				}
			}
		}
		return fast.steps < 600
	})
	a, b := fast.State(), plain.State()
	for _, s := range []*State{&a, &b} { // NaN is what has not happened
		for _, of := range [][]float64{s.Broken, s.Left, s.Apart, s.Parting} {
			for i, v := range of {
				if math.IsNaN(v) {
					of[i] = -1
				}
			}
		}
	}
	if !reflect.DeepEqual(a, b) || fast.Energies() != plain.Energies() {
		t.Error("states differ")
	}
	second := 0
	for edge := range hinges {
		if c := &fast.cracks[fast.crackOf[edge]]; c.open[0] && c.open[1] {
			second++
		}
		for i := range 4 {
			if plain.forceOn(plain.crackOf[edge], i) != (r2.Vec{}) {
				t.Errorf("faces of edge %d have left each other and pull", edge)
			}
		}
	}
	if second == 0 {
		t.Error("no end opens of faces that have left each other")
	}
	broken := len(fast.broken)
	t.Logf("%d cracks, %d of them broken; of %d checked %d are taken by the kernel, %d ends stick, %d have slid, %d open after their faces have separated", len(fast.cracks), broken, cracks, taken, shut, slid, second)
	if broken < 20 || shut < cracks/20 || slid < cracks/20 {
		t.Error("too little breaks, sticks or slides to tell")
	}
	if reflect.ValueOf(fast.kernel.compute).Pointer() != reflect.ValueOf(generic.compute).Pointer() && taken < cracks/2 {
		t.Error("the kernel takes few of them")
	}
}

// The kernel gives every bit but the sign of a zero that pull gives of cracks of any kind,
// drawn: whole, softened and broken, open and closed, that stick, slide or are at the limit,
// with zeros of both signs, of each softening.
func TestKernelDrawn(t *testing.T) {
	n := scattered(0.03, 0.03, 3e-3, 4)
	for _, softening := range cohesive.Curves() {
		for _, friction := range []float64{0, 0.6} {
			stone := bar()
			stone.law.Friction, stone.law.Softening = friction, softening
			b := newBody(t, net{slices.Clone(n.x), slices.Clone(n.tri)}, stone, everywhere)
			for i, x := range b.x0 {
				b.v[i].X = 3.5 * math.Sin(400*x.X+150*x.Y)
				b.v[i].Y = 3.5 * math.Sin(170*x.X-350*x.Y)
			}
			b.run(t, math.Inf(1), func() bool { return b.steps < 100 })
			draw := rand.New(rand.NewPCG(1, 2))
			positions := slices.Clone(b.x)
			taken, shut, slides, gone, pressed, due := 0, 0, 0, 0, 0, 0
			for range 200 {
				far := math.Pow(10, 5*draw.Float64()-8) // [m]
				moved := draw.IntN(4) == 0
				for i := range b.x {
					b.x[i] = b.x0[b.Vertex(int32(i))]
					if moved {
						b.x[i] = positions[i]
					}
					if draw.IntN(4) > 0 {
						b.x[i].X, b.x[i].Y = b.x[i].X+far*draw.NormFloat64(), b.x[i].Y+far*draw.NormFloat64()
					}
				}
				b.drawMemories(draw, far)
				for i := range b.quads {
					q := &b.quads[i]
					before, charges := *q, b.balances[i]
					var list [1]int32
					var arms [lanes]float64
					left := int32(0)
					if b.kernel.compute(b.quads[i:i+1], b.balances[i:i+1], b.x, b.f, list[:], &arms, b.thickness) > 0 {
						left = list[0]
					}
					for lane := range min(lanes, len(b.cracks)-lanes*i) {
						if left&(1<<lane) != 0 {
							continue
						}
						k, l := int32(lanes*i+lane), uint32(lane)
						var was, is, want quad
						is.copy(0, q, l)
						was.copy(0, &before, l)
						q.copy(l, &was, 0)
						charged := b.balances[i]
						b.balances[i] = charges
						crack, points := b.cracks[k], [2]point(b.points[2*k:])
						var by crackWorker
						b.evaluate(k, &by)
						want.copy(0, q, l)
						charges = b.balances[i]
						if b.balances[i] = charged; is != want || !sameLane(&charged, &charges, lane) || arms[lane] != by.arm || b.cracks[k] != crack || [2]point(b.points[2*k:]) != points || len(by.broken) > 0 {
							t.Fatalf("%s, friction %g: crack %d is\n%v, arm %g, not\n%v, arm %g; it was\n%v", softening, friction, k, is, arms[lane], want, by.arm, was)
						}
						taken++
						for end := range 2 {
							if is.pressed[end][0] != 0 {
								pressed++
							}
							if charged[end][ofPending][lane] > 0 && crack.open[end] {
								due++
							}
							if is.slips[end][ofFrictionTraction][0] != 0 {
								shut++
							}
							if is.slips[end][ofHeat][0] != was.slips[end][ofHeat][0] {
								slides++
							}
							if is.end[end][ofIntegrity][0] == 0 && crack.open[end] {
								gone++
							}
						}
					}
				}
			}
			t.Logf("%s, friction %g: %d cracks, %d times taken by the kernel, %d ends stick, %d slide, %d are broken, %d began under pressure or are balanced, %d may need balancing", softening, friction, len(b.cracks), taken, shut, slides, gone, pressed, due)
			if b.kernel.add != nil && (taken < 20*len(b.cracks) || pressed < taken/4 || due < taken/30 || gone < taken/4 || friction > 0 && (shut < taken/4 || slides < taken/10)) {
				t.Errorf("%s, friction %g: too few are taken, stick, slide or are broken to tell", softening, friction)
			}
		}
	}
}

// sameLane tells whether a lane of two charges has the same.
func sameLane(p, q *balance, lane int) bool {
	for end := range 2 {
		for i := range balanceValues {
			if p[end][i][lane] != q[end][i][lane] {
				return false
			}
		}
	}
	return true
}

// drawMemories gives the points of all cracks memories, slips of about the given size [m]
// among them, lets some of them have begun under pressure, and makes the cracks what these
// say.
func (b *body) drawMemories(draw *rand.Rand, far float64) {
	for k := range b.cracks {
		c := &b.cracks[k]
		law := b.regions[c.region].Law
		var now frame
		c.measureGaps(b.x, &now)
		broken := true
		q, lane := b.at(int32(k))
		for end, open := range c.open {
			if !open {
				broken = false
				continue
			}
			p, from := b.pointOf(int32(k), end)
			b.drawPressure(draw, from, law, far)
			p.breaks, p.kappa = b.breaksAt(c.region, from), -1 // what follows from kappa is to be made anew
			drive := law.Drive(cohesive.Start{Normal: from.Normal, Shear: from.Shear, Stiffness: from.Stiffness, Energy: from.Energy, Onset: from.Onset})
			to := p.breaks * [...]float64{1e-9, 0.01, 0.5, 0.999999, 1, 2}[draw.IntN(6)]
			if from.Size > 0 {
				drive.To(to*from.Normal/from.Size, to*from.Shear/from.Size)
			}
			mem := [cohesive.Memories]float64{to, 0, 0, 1 - drive.Damage, drive.Dissipated}
			if from.Pressure > 0 {
				mem[cohesive.Offset] = from.Pressure / from.Stiffness * [...]float64{1, -1, 0, 2*draw.Float64() - 1}[draw.IntN(4)]
				mem[cohesive.Unbalanced] = from.Pressure * from.Pressure / from.Stiffness * [...]float64{0, 0, 0, 0.5 * draw.Float64()}[draw.IntN(4)]
				mem[cohesive.UnbalancedFriction] = from.FrictionShear * from.FrictionShear / from.Stiffness * [...]float64{0, 0, 0, draw.Float64()}[draw.IntN(4)]
				mem[cohesive.Compression] = far * draw.NormFloat64()
			}
			mem[cohesive.Supplied] = from.Size * from.Size / from.Stiffness * [...]float64{0, 1, 1, 0.3 * draw.Float64(), draw.Float64()}[draw.IntN(5)]
			if mem[cohesive.Supplied] > 0 {
				mem[cohesive.ShiftShear] = far * draw.NormFloat64()
				if from.Pressure == 0 {
					mem[cohesive.ShiftNormal] = far * draw.NormFloat64()
				}
			}
			opening := now.opening[end] - mem[cohesive.Offset]
			press := max(0, -opening*from.Stiffness)
			limit := friction(law, from, opening)
			mem[1] = [...]float64{0, math.Copysign(0, -1), now.slip[end], now.slip[end] + limit, now.slip[end] - limit, now.slip[end] + 0.5*limit, far * draw.NormFloat64()}[draw.IntN(7)]
			mem[2] = [...]float64{0, math.Copysign(0, -1), law.ResidualFriction * press * draw.Float64(), -law.ResidualFriction * press * draw.Float64()}[draw.IntN(4)]
			b.setMemory(int32(k), end, &mem)
			q.slips[end][ofHeat][lane] = draw.Float64() * [...]float64{0, 1e-3, 1}[draw.IntN(3)]
			broken = broken && p.kappa >= p.breaks
		}
		c.detached, c.contactShare, c.broken = false, 0, broken
		b.histories[k].broken, b.histories[k].detached, b.histories[k].transferGap = math.NaN(), math.NaN(), math.NaN()
		if broken {
			b.histories[k].broken = 0
		}
		b.updateQuad(int32(k))
	}
}

// drawPressure lets a point begin otherwise in some cases: under pressure, or pulled
// by what was its pressure.
func (b *body) drawPressure(draw *rand.Rand, p *cohesive.Point, law *cohesive.Law, far float64) {
	if draw.IntN(3) > 0 {
		return
	}
	start := cohesive.Start{Normal: -p.Stiffness * far * draw.Float64(), Shear: p.Shear + p.FrictionShear, Stiffness: p.Stiffness, Energy: p.Energy, Onset: p.Onset, Rate: 1e6}
	if p.Pressure > 0 {
		start.Normal = 0.1 * law.Tension
	}
	var mem [cohesive.Memories]float64
	*p = law.Open(start, mem[:])
}

// friction returns the stretch at which the spring of friction slips [m].
func friction(law *cohesive.Law, p *cohesive.Point, opening float64) float64 {
	if opening >= 0 {
		return 0
	}
	q, soft := -opening, law.ClosureLength(p)
	press := p.Stiffness * (q - float64(0.5*soft))
	if q < soft {
		press = 0.5 * (p.Stiffness * q / soft) * q
	}
	if p.Pressure > 0 {
		return law.ResidualFriction * press / (0.5 * p.Stiffness)
	}
	return law.ResidualFriction * press / p.Stiffness
}
