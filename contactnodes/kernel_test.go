package contactnodes

import (
	"math"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// Every kernel gives the bits of the generic one: for pairs of all sorts near each
// other, with and without predicted contact points.
func TestFramesGiveTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	missed, met := 0, 0
	for range 200 {
		m, _, _ := crowd(t, rng)
		c := &Contact{outline: NewOutline(m), x: append([]r2.Vec(nil), m.X...), v: make([]r2.Vec, len(m.X))}
		for i := range c.v {
			c.v[i] = r2.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64()}
		}
		if rng.Intn(3) > 0 {
			c.lookAhead = c.outline.LookAhead * rng.Float64()
			c.prediction = Prediction{Approach: c.lookAhead * rng.Float64(), Step: 1e-3 * rng.Float64()}
		}
		c.setQuery()
		straight := func() int32 {
			for {
				if i := rng.Intn(len(m.Edges)); m.Edges[i].Radius == 0 {
					return int32(i)
				}
			}
		}
		for range 100 {
			fast, plain := make([]frames, 1+rng.Intn(3)), make([]frames, 3)
			plain = plain[:len(fast)]
			for i := range fast {
				for l := range lanes {
					own, edge := straight(), straight()
					fast[i].own[l], fast[i].edge[l] = own, edge
				}
				plain[i] = fast[i]
			}
			p := &fast[0] // one pair is near each other
			e, o := &m.Edges[p.own[0]], &m.Edges[p.edge[0]]
			at, size := between(c.x[o.A], c.x[o.B], 3*rng.Float64()-1), 4*c.outline.Depth[p.edge[0]]
			for _, n := range []int32{e.A, e.B} {
				c.x[n] = r2.Vec{X: at.X + size*rng.NormFloat64(), Y: at.Y + size*rng.NormFloat64()}
			}
			chooseKernel(false).frames(c, fast)
			chooseKernel(true).frames(c, plain)
			for i := range fast {
				for l := range lanes {
					same(t, &fast[i], &plain[i], l)
					if plain[i].lo[l] > plain[i].hi[l] {
						missed++
					} else {
						met++
					}
				}
			}
			copy(c.x, m.X)
		}
	}
	if missed < 10000 || met < 10000 {
		t.Errorf("%d pairs missed each other, %d did not", missed, met)
	}
}

// Every kernel presses to the bits of the generic one, also where the two edges share a
// node, and the contact points of a pair add up in one order.
func TestPressGivesTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	number := func() float64 { return rng.NormFloat64() * math.Pow(10, float64(rng.Intn(9)-4)) }
	vec := func() r2.Vec { return r2.Vec{X: number(), Y: number()} }
	for range 2000 {
		all, nodes := contactPoints{}, make([]NodeForce, 4)
		for i := range nodes {
			nodes[i] = NodeForce{F: vec(), Stiffness: math.Abs(number()), Damping: math.Abs(number())}
		}
		positions := make([]float64, 1+rng.Intn(20))
		for i := range positions {
			positions[i] = rng.Float64()
		}
		base := int32(rng.Intn(1000))
		for range 1 + rng.Intn(5) {
			n := node{
				id: base + int32(rng.Intn(len(positions))), position: 3*rng.Float64() - 1, depthAt: number(), fraction: rng.Float64(), force: number(), moment: number(),
				forceSum: number(), covered: rng.Float64(), repeated: rng.Intn(3) == 0,
			}
			if rng.Intn(2) == 0 {
				n.fractionSlope = number()
			}
			all.nodes = append(all.nodes, n)
			all.p, all.w, all.stiffness, all.friction = append(all.p, number()), append(all.w, number()), append(all.stiffness, math.Abs(number())), append(all.friction, number())
		}
		p := newPressing()
		p.inward, p.rotation, p.start, p.chord, p.area, p.side, p.positionSlope, p.depthSlope = vec(), vec(), vec(), vec(), math.Abs(number()), float64(rng.Intn(3)-1), number(), number()
		p.turned = r2.Vec{X: p.inward.Y, Y: -p.inward.X}
		p.damping2 = max(0, number())
		p.first = int32(rng.Intn(len(all.nodes)))
		p.end, p.base, p.positions, p.contactPoints = p.first+1+int32(rng.Intn(len(all.nodes)-int(p.first))), base, positions, &all
		var onto [4]int
		for i := range onto {
			onto[i] = rng.Intn(len(nodes)) // some twice
		}
		press := func(k kernel) ([]NodeForce, sums) {
			on, sum := append([]NodeForce(nil), nodes...), sums{Normal: 1, Stored: 2}
			for i, n := range onto {
				p.onto[i] = &on[n]
			}
			k.press(&p, &sum)
			return on, sum
		}
		gotOn, got := press(chooseKernel(false))
		wantOn, want := press(genericKernel)
		if !slices.Equal(gotOn, wantOn) || got != want {
			t.Fatalf("%d touches on nodes %v: %+v, %+v, want %+v, %+v", p.end-p.first, onto, gotOn, got, wantOn, want)
		}
	}
}

// same fails where two frames differ in a lane, but for what does not count.
func same(t *testing.T, got, want *frames, l int) {
	t.Helper()
	if empty := want.lo[l] > want.hi[l]; empty || got.lo[l] > got.hi[l] {
		if !empty || !(got.lo[l] > got.hi[l]) {
			t.Fatalf("edges %d and %d: [%g, %g] is near, want [%g, %g]", want.own[l], want.edge[l], got.lo[l], got.hi[l], want.lo[l], want.hi[l])
		}
		return
	}
	a, b := reflect.ValueOf(got).Elem(), reflect.ValueOf(want).Elem()
	for i := range a.NumField() {
		var p, q uint64
		f, g := a.Field(i).Addr().UnsafePointer(), b.Field(i).Addr().UnsafePointer()
		name := a.Type().Field(i).Name
		switch a.Field(i).Type() {
		case reflect.TypeFor[quad]():
			p, q = math.Float64bits(0+(*quad)(f)[l]), math.Float64bits(0+(*quad)(g)[l]) // the sign of zero is nothing
			if (name == "from" || name == "to") && want.from[l] > want.to[l] {
				continue
			}
		case reflect.TypeFor[[lanes]uint64]():
			p, q = (*[lanes]uint64)(f)[l], (*[lanes]uint64)(g)[l]
		}
		if p != q {
			t.Fatalf("edges %d and %d: %s is %g, want %g", want.own[l], want.edge[l], name, math.Float64frombits(p), math.Float64frombits(q))
		}
	}
}
