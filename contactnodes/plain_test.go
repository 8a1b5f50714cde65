package contactnodes

import (
	"math"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"fdem/contactnodes/coulomb"

	"gonum.org/v1/gonum/spatial/r2"
)

// Plain contact is stored as any other contact is, its friction is Coulomb's, and where fractions
// of areas follow from sizes alone they are those of findAreaFraction and above zero, to the bit:
// two blocks that press and rub with their faces and corners.
func TestPlainContactIsAsAnyOther(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	touched, opened, sharedPairs := 0, 0, 0
	for range 200 {
		size := func() []float64 { return radii(rng, 4+rng.Intn(4), 0.3) }
		p := newPair(t, penalty(t, 1e6), 0.3, star("a", r2.Vec{}, size(), rng.Float64()), star("b", r2.Vec{X: 1.6}, size(), rng.Float64()))
		c, v := p.contacts[0], make([]r2.Vec, len(p.m.X))
		for i := range v {
			v[i] = r2.Vec{X: rng.NormFloat64(), Y: rng.NormFloat64()}
		}
		for range 4 {
			x := moved(p.m, r2.Vec{X: 0.02 * rng.NormFloat64(), Y: 0.02 * rng.NormFloat64()})
			p.out.Clear()
			before := c.State
			before.Kept = slices.Clone(c.Kept)
			if err := c.AddForces(p.out, x, v, p.search.Pairs(x), 0, 1e-4, Prediction{Energy: 1}); err != nil {
				break // too deep
			}
			if !c.isPlain() {
				t.Fatal("the contact is not plain")
			}
			touched += c.Active
			opened += len(c.points.nodes) - c.Active
			before.Kept = append(before.Kept, make([]NodeState, len(c.Kept)-len(before.Kept))...) // those that touch for the first time
			commit := func(do func(pairs []edgePair)) (State, []nodeSlot, float64) {
				kept, list := c.State, c.inContactBefore
				c.Done, c.Kept, c.inContactBefore, c.ImpactLoss = before.Done, slices.Clone(before.Kept), nil, 0
				some := len(c.points.pairs) / 3
				do(c.points.pairs[:some])
				do(c.points.pairs[some:])
				got, inContact, loss := c.State, c.inContactBefore, c.ImpactLoss
				c.State, c.inContactBefore = kept, list
				return got, inContact, loss
			}
			got, gotList, gotLoss := commit(c.commitPlain)
			want, wantList, wantLoss := commit(c.commitPairs)
			if !reflect.DeepEqual(got, want) || !slices.Equal(gotList, wantList) || gotLoss != wantLoss {
				t.Fatalf("%+v of %v, %g; want %+v of %v, %g", got, gotList, gotLoss, want, wantList, wantLoss)
			}
			sharedPairs += checkPlainPairs(t, c)
		}
	}
	if touched < 1000 || opened < 100 || sharedPairs < 1000 {
		t.Errorf("%d contact nodes touched, %d separated, %d pairs shared their areas", touched, opened, sharedPairs)
	}
}

// checkPlainPairs checks friction and fractions of areas of all pairs, and returns how many share
// these.
func checkPlainPairs(t *testing.T, c *Contact) (shared int) {
	t.Helper()
	n := &c.points
	for j := range n.pairs {
		m := &n.pairs[j]
		least := 1e-2 * float64(j%3)
		at, greatest := c.findRegularised(m, least), coulomb.Speeds{}
		for i := m.first; i < m.end; i++ {
			nodes := &n.nodes[i]
			if nodes.repeated {
				continue
			}
			drag, speeds := c.Friction.Regularised(n.p[i]*nodes.forceSum, nodes.slip, least)
			greatest.Raise(speeds)
			if drag != n.friction[i] {
				t.Fatalf("friction %g Pa, want %g Pa", n.friction[i], drag)
			}
			f := finder{own: m.own, nodes: &c.layouts[c.layoutOf[m.element]], opposites: []edgePair{*m}}
			part, slope := c.findAreaFraction(&f, &hit{node: nodes.id - m.element*int32(c.Nodes), position: nodes.position})
			if part != nodes.fraction || slope != nodes.fractionSlope || m.shared && !(part > 0) {
				t.Fatalf("a contact node stands for %g, %g of its area, want %g, %g", nodes.fraction, nodes.fractionSlope, part, slope)
			}
		}
		if at != greatest {
			t.Fatalf("greatest speeds %v, want %v", at, greatest)
		}
		if m.shared {
			shared++
		}
	}
	return shared
}

// Every contact node of a shared pair stands for an area above zero, up to the limit of sizes.
func TestSharedAreasAreAboveZero(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	shared := 0
	for range 20000 {
		some := func() size {
			s := size{own: 1 + 9*rng.Float64(), atA: 1 + 9*rng.Float64(), atB: 1 + 9*rng.Float64()}
			s.slopeFactor = 2 / (plateau * s.own)
			return s
		}
		c := &Contact{outline: &Outline{sizes: []size{some(), some()}}}
		c.TwoSided = true
		if !c.shares(0, 1) {
			continue
		}
		shared++
		for range 20 {
			other, change := c.outline.sizes[1].size(rng.Float64())
			if part, _ := twoPassWeight(c.outline.sizes[0].sizeAt(3*rng.Float64()-1.5), other, change); !(part > 0) || math.IsNaN(part) {
				t.Fatalf("sizes %v: %g", c.outline.sizes, part)
			}
		}
	}
	if shared < 1000 {
		t.Errorf("%d pairs shared", shared)
	}
}
