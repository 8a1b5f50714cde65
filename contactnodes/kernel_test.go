package contactnodes

import (
	"math"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"fdem/contactnodes/onnodes"

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

// Every kernel finds rates and presses to the bits of the generic one, also where the two edges
// share a node, on nodes that nothing has loaded before, and between pairs that are left to Go.
func TestPairsGiveTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	number := func() float64 { return rng.NormFloat64() * math.Pow(10, float64(rng.Intn(9)-4)) }
	vec := func() r2.Vec { return r2.Vec{X: number(), Y: number()} }
	for range 300 {
		m, _, _ := crowd(t, rng)
		const nodes = 6
		c := &Contact{outline: NewOutline(m), x: m.X, v: make([]r2.Vec, len(m.X)), damping: max(0, number())}
		c.Nodes = nodes
		c.layouts = []layout{newLayout(0, 0, &c.Config)}
		for i := range c.v {
			if rng.Intn(4) > 0 {
				c.v[i] = vec()
			}
		}
		for i := range m.Edges {
			if m.Edges[i].Radius != 0 {
				continue
			}
			c.elements, c.area = append(c.elements, int32(i)), append(c.area, math.Abs(number()))
			c.layoutOf, c.cubic = append(c.layoutOf, 0), append(c.cubic, false)
		}
		all := &c.points
		for range 1 + rng.Intn(20) {
			e := int32(rng.Intn(len(c.elements)))
			p := edgePair{
				element: e, own: c.elements[e], edge: int32(rng.Intn(len(m.Edges))), first: int32(len(all.nodes)), inward: vec(), rotation: vec(),
				positionSlope: number(), depthSlope: number(), damper: max(0, number()), side: float64(rng.Intn(3) - 1), kind: pairKind(c.layoutOf[e]),
				shared: rng.Intn(4) > 0,
			}
			if rng.Intn(8) == 0 {
				p.kind, p.slope, p.arcs = curved, number(), true
			}
			for range 1 + rng.Intn(5) {
				n := node{
					id: e*nodes + int32(1+rng.Intn(nodes-2)), position: 3*rng.Float64() - 1, depthAt: number(), fraction: rng.Float64(), force: number(), moment: number(),
					forceSum: number(), covered: rng.Float64(), repeated: rng.Intn(3) == 0,
				}
				if rng.Intn(2) == 0 {
					n.fractionSlope = number()
				}
				n.repeated = n.repeated && len(all.nodes) > 0
				all.nodes, all.rate, all.d = append(all.nodes, n), append(all.rate, 0), append(all.d, number())
				all.p, all.w, all.stiffness, all.friction = append(all.p, number()), append(all.w, number()), append(all.stiffness, math.Abs(number())), append(all.friction, number())
			}
			p.end = int32(len(all.nodes))
			all.pairs = append(all.pairs, p)
		}
		c.pressing.contactPoints = all
		loaded := int32(rng.Intn(len(m.X)))
		press := func(k kernel) (on []onnodes.Force, sum sums, rates []float64, moved []node) {
			c.kernel, c.sums, c.out = k, sums{Normal: 1, Stored: 2}, onnodes.New(len(m.X), false)
			*c.out.On(loaded) = onnodes.Force{F: r2.Vec{X: 1, Y: 2}, Stiffness: 3}
			for i := range all.nodes {
				all.nodes[i].slip = 0
			}
			c.findRates(&finder{points: all}, all, all.pairs)
			c.pressPairs(all.pairs)
			for i := range m.X {
				on = append(on, c.out.At(int32(i)))
			}
			for _, n := range c.out.Loaded(nil) {
				on = append(on, onnodes.Force{Damping: float64(n)})
			}
			return on, c.sums, append([]float64(nil), all.rate...), append([]node(nil), all.nodes...)
		}
		gotOn, got, gotRates, gotMoved := press(chooseKernel(false))
		wantOn, want, wantRates, wantMoved := press(genericKernel)
		share := func(k kernel) *contactPoints {
			c.kernel = k
			t := &contactPoints{pairs: slices.Clone(all.pairs), nodes: slices.Clone(all.nodes)}
			t.d = slices.Clone(all.d)
			for i := range t.nodes {
				t.nodes[i].fraction, t.nodes[i].fractionSlope = 1, 0
			}
			c.shareAreas(t, t.pairs)
			return t
		}
		if got, want := share(chooseKernel(false)), share(genericKernel); !slices.Equal(got.nodes, want.nodes) || !slices.Equal(got.pairs, want.pairs) {
			t.Fatalf("fractions of %d contact points: %+v, want %+v", len(all.nodes), got.nodes, want.nodes)
		}
		if !slices.Equal(gotOn, wantOn) || got != want || !slices.Equal(gotRates, wantRates) || !slices.Equal(gotMoved, wantMoved) {
			t.Fatalf("%d contact points: %+v, want %+v; rates %v, want %v", len(all.nodes), got, want, gotRates, wantRates)
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
			p, q = math.Float64bits(0+(*quad)(f)[l]), math.Float64bits(0+(*quad)(g)[l]) // the sign of zero does not matter
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
