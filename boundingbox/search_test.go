package boundingbox

import (
	"math"
	"math/rand"
	"slices"
	"strconv"
	"sync"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// scene returns random edges of several bodies: sizes over three decades, some
// clustered, some far away.
func scene(rng *rand.Rand, n int) (edges []Edge, reach []float64, x []r2.Vec) {
	for i := range n {
		size := math.Pow(10, -3*rng.Float64())
		centre := r2.Vec{X: rng.Float64(), Y: rng.Float64()}
		if rng.Intn(10) == 0 {
			centre = r2.Vec{X: 1e6 * rng.NormFloat64(), Y: 1e6 * rng.NormFloat64()}
		}
		turn := 2 * math.Pi * rng.Float64()
		a := int32(len(x))
		x = append(x, centre, r2.Vec{X: centre.X + size*math.Cos(turn), Y: centre.Y + size*math.Sin(turn)})
		e := Edge{A: a, B: a + 1, Component: int32(rng.Intn(4)), Contactor: uint64(rng.Intn(4)), Opposite: uint64(rng.Intn(4)), Self: uint64(rng.Intn(4))}
		if i > 0 && rng.Intn(5) == 0 {
			e.A = a - 1 // shares a node with the edge before
		}
		edges = append(edges, e)
		reach = append(reach, 0.4*size*rng.Float64())
	}
	return edges, reach, x
}

// brute lists the wanted pairs whose boxes, grown by their reach and extra,
// overlap.
func brute(edges []Edge, reach []float64, x []r2.Vec, extra float64) []Pair {
	var out []Pair
	box := func(i int) Box { return BoxOf(x[edges[i].A], x[edges[i].B]).Grow(reach[i] + extra) }
	for i, e := range edges {
		for j := i + 1; j < len(edges); j++ {
			o := edges[j]
			shared := e.A == o.A || e.A == o.B || e.B == o.A || e.B == o.B
			by := e.Contactor&o.Opposite | e.Opposite&o.Contactor
			if e.Component == o.Component {
				by &= e.Self & o.Self
			}
			if !shared && by != 0 && box(i).Overlaps(box(j)) {
				out = append(out, Pair{int32(i), int32(j)})
			}
		}
	}
	return out
}

// The list holds every pair that brute force finds, at every step of a random
// motion, sorted and without repeats. A new list holds no pair beyond the skin.
func TestPairsAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewSource(rapid.Int64().Draw(rt, "seed")))
		edges, reach, x := scene(rng, rapid.IntRange(2, 80).Draw(rt, "edges"))
		skin := rapid.SampledFrom([]float64{0, 1e-3, 0.3}).Draw(rt, "skin")
		s := New(edges, reach, skin)
		velocity := make([]r2.Vec, len(x))
		for i := range velocity {
			velocity[i] = r2.Vec{X: 0.01 * rng.NormFloat64(), Y: 0.01 * rng.NormFloat64()}
		}
		for step := range 20 {
			before := s.Rebuilds()
			pairs := s.Pairs(x)
			for k, p := range pairs.List {
				if p.I >= p.J || k > 0 && !less(pairs.List[k-1], p) {
					rt.Fatalf("step %d: pair %d, %v, is out of order", step, k, p)
				}
			}
			for _, p := range brute(edges, reach, x, 0) {
				if _, ok := slices.BinarySearchFunc(pairs.List, p, compare); !ok {
					rt.Fatalf("step %d: pair %v is missing", step, p)
				}
			}
			if s.Rebuilds() != before {
				if want := brute(edges, reach, x, 0.5*s.skin); !slices.Equal(pairs.List, want) {
					rt.Fatalf("step %d: just made, the list is %v, want %v", step, pairs.List, want)
				}
			}
			for i := range x {
				x[i].X += velocity[i].X
				x[i].Y += velocity[i].Y
			}
		}
	})
}

func compare(p, q Pair) int {
	if p.I != q.I {
		return int(p.I - q.I)
	}
	return int(p.J - q.J)
}

func less(p, q Pair) bool { return compare(p, q) < 0 }

// Any number of workers makes the same list and finds the same motion of the components.
func TestListOnWorkers(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	edges, reach, x := scene(rng, 3*fewEdges)
	for i := range edges {
		edges[i].Component += 4 * int32(i)
	}
	moved := slices.Clone(x)
	for i := range moved {
		moved[i].X += 0.01 * rng.NormFloat64()
	}
	one := New(edges, reach, 0.1)
	want, travel := slices.Clone(one.Pairs(x).List), one.Pairs(moved).Travel
	if len(want) < fewEdges || len(travel.Total) < fewComponents {
		t.Fatalf("only %d pairs of %d components", len(want), len(travel.Total))
	}
	for _, n := range []int{2, 3, 7} {
		s, calls := New(edges, reach, 0.1), 0
		s.Workers(n, func(do func(worker int)) {
			calls++
			var all sync.WaitGroup
			for w := range n {
				all.Go(func() { do(w) })
			}
			all.Wait()
		})
		for range 3 {
			if !slices.Equal(s.Pairs(x).List, want) {
				t.Fatalf("%d workers make another list", n)
			}
			s.Rebuild(x)
		}
		if got := s.Pairs(moved).Travel; got.Fastest != travel.Fastest || !slices.Equal(got.Total, travel.Total) || !slices.Equal(got.Last, travel.Last) {
			t.Errorf("%d workers find other motion", n)
		}
		if calls == 0 {
			t.Errorf("%d workers were not asked", n)
		}
	}
}

// A list is kept until a node has moved half the skin.
func TestListLivesForHalfTheSkin(t *testing.T) {
	edges := []Edge{{A: 0, B: 1, Component: 0, Contactor: 1}, {A: 2, B: 3, Component: 1, Opposite: 1}}
	x := []r2.Vec{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 0, Y: 0.5}, {X: 1, Y: 0.5}}
	s := New(edges, []float64{0.1, 0.1}, 0.2)
	for _, c := range []struct {
		move   float64
		builds int
	}{{0, 1}, {0.09, 1}, {0.02, 2}, {0.09, 2}, {0.09, 3}} {
		x[3].Y += c.move
		if s.Pairs(x); s.Rebuilds() != c.builds {
			t.Fatalf("after moving to %g: %d lists, want %d", x[3].Y, s.Rebuilds(), c.builds)
		}
	}
}

// A crack gives an edge a node of its own. The edge is paired at once with the edge with which it
// shared the node.
func TestSplitEdgesArePaired(t *testing.T) {
	edges := []Edge{{A: 0, B: 1, Contactor: 1, Opposite: 1, Self: 1}, {A: 1, B: 2, Contactor: 1, Opposite: 1, Self: 1}}
	x := []r2.Vec{{X: 0}, {X: 1}, {X: 2}, {X: 1}}
	s := New(edges, []float64{0.1, 0.1}, 0.2)
	if n := len(s.Pairs(x).List); n != 0 {
		t.Fatalf("%d pairs of edges with a node in common", n)
	}
	s.Follow(1, 3, 0)
	s.ReplaceNode(1, 1, 3, 0)
	if list := s.Pairs(x).List; !slices.Equal(list, []Pair{{0, 1}}) || s.Rebuilds() != 2 {
		t.Fatalf("pairs %v after %d lists", list, s.Rebuilds())
	}
	if s.Pairs(x); s.Rebuilds() != 2 {
		t.Fatal("a list is made again without a split")
	}
	edges[0].Own, edges[1].Own = 1, 1
	s = New(edges, []float64{0.1, 0.1}, 0.2)
	s.Pairs(x)
	s.Follow(3, 4, 0)
	s.ReplaceNode(1, 3, 4, 0)
	if list := s.Pairs(append(x, x[3])).List; len(list) != 0 || s.Rebuilds() != 1 {
		t.Fatalf("pairs %v after %d lists, of a body whose edges do not meet", list, s.Rebuilds())
	}
}

// If no two edges may meet, only speeds are found. An edge that may meet others from now
// on is paired at once, and the path lengths of components count from then on.
func TestAlone(t *testing.T) {
	edges := []Edge{{A: 0, B: 1, Contactor: 1, Opposite: 1, Own: 1}, {A: 2, B: 3, Component: 1, Contactor: 1, Opposite: 1, Own: 1}}
	x := []r2.Vec{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 0, Y: 0.5}, {X: 1, Y: 0.5}}
	v := []r2.Vec{{}, {X: 1}, {X: -3, Y: 4}, {Y: 2}}
	s := New(edges, []float64{0.1, 0.1}, 0.2)
	tracker := s.NewTracker()
	track := func() float64 {
		s.Track(tracker, x, v, 0, int32(len(x)))
		return s.Merge([]*Tracker{tracker})
	}
	x[2].Y, x[3].Y = 0.15, 0.15
	for range 2 {
		if speed2 := track(); speed2 != 25 || len(s.PairsAfter(x).List) != 0 || s.Rebuilds() != 1 {
			t.Fatalf("speed %g, pairs %v, %d lists", speed2, s.PairsAfter(x).List, s.Rebuilds())
		}
		x[2].Y, x[3].Y = 0.14, 0.14
	}
	edges[1].Own = 0
	s.Change(1, edges[1], false)
	if list := s.Pairs(x).List; !slices.Equal(list, []Pair{{0, 1}}) {
		t.Fatalf("pairs %v of edges that may meet now", list)
	}
	x[3].Y -= 0.01
	if speed2, travel := track(), s.pairs.Travel.Total; speed2 != 25 || travel[0] != 0 || math.Abs(travel[1]-0.01) > 1e-12 || s.pairs.Travel.Speed[0] != 1 {
		t.Fatalf("speed %g, ways %v, speeds %v", speed2, travel, s.pairs.Travel.Speed)
	}
}

// In slow motion the skin gets thin, down to a limit, and the list has few
// pairs. In fast motion it grows to its former width.
func TestSkinFollowsTheMotion(t *testing.T) {
	edges, reach, x := scene(rand.New(rand.NewSource(5)), 200)
	s := New(edges, reach, 0.5)
	first := len(s.Pairs(x).List)
	for range 4 * longLife * int(1/narrowestSkin) {
		x[0].X += 0.25 * narrowestSkin / (1.5 * longLife)
		s.Pairs(x)
	}
	thin := len(s.Pairs(x).List)
	if s.skin != narrowestSkin*0.5 || thin >= first {
		t.Errorf("skin %g, %d pairs of %d", s.skin, thin, first)
	}
	for range 20 {
		x[0].X -= 0.3
		s.Pairs(x)
	}
	if s.skin != 0.5 || s.pairs.Slack != 0.25 {
		t.Errorf("skin %g, slack %g", s.skin, s.pairs.Slack)
	}
}

// With NaN as positions the search neither hangs nor panics; the solver reports
// them.
func TestNoNumbers(t *testing.T) {
	edges, reach, x := scene(rand.New(rand.NewSource(3)), 30)
	s := New(edges, reach, 0.1)
	x[4] = r2.Vec{X: math.NaN(), Y: math.Inf(1)}
	s.Pairs(x)
	for i := range x {
		x[i] = r2.Vec{X: math.NaN(), Y: math.NaN()}
	}
	s.Pairs(x)
}

// packing is n by n bodies of twelve edges each in a loose packing.
func packing(n int) (edges []Edge, reach []float64, x, v []r2.Vec) {
	rng := rand.New(rand.NewSource(1))
	for body := range n * n {
		c := r2.Vec{X: 4.2 * float64(body%n), Y: 4.2 * float64(body/n)}
		turn, speed := rng.Float64(), r2.Vec{X: rng.Float64() - 0.5, Y: rng.Float64() - 0.5}
		base := int32(len(x))
		for k := range int32(12) {
			a := turn + 2*math.Pi*float64(k)/12
			x = append(x, r2.Vec{X: c.X + 2*math.Cos(a), Y: c.Y + 2*math.Sin(a)})
			v = append(v, speed)
			edges = append(edges, Edge{A: base + k, B: base + (k+1)%12, Component: int32(body), Contactor: 1, Opposite: 1})
			reach = append(reach, 0.2)
		}
	}
	return edges, reach, x, v
}

// After a warm-up the search allocates nothing, rebuilds included.
func TestNoAllocation(t *testing.T) {
	edges, reach, x, v := packing(12)
	s := New(edges, reach, 0.1)
	step := func() {
		for i := range x {
			x[i].X += 0.02 * v[i].X
			x[i].Y += 0.02 * v[i].Y
		}
		s.Pairs(x)
	}
	for range 50 {
		step()
	}
	before := s.Rebuilds()
	if n := testing.AllocsPerRun(20, step); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
	if s.Rebuilds() == before {
		t.Error("no list was made while counting")
	}
}

// The cost per boundary edge and step, rebuilds included, from 1,000 to
// 1,000,000 edges. Bodies of twelve edges move a thousandth of an edge a step.
func BenchmarkPairs(b *testing.B) {
	for _, n := range []int{9, 29, 91, 289} {
		edges, reach, x, v := packing(n)
		b.Run(strconv.Itoa(len(edges)), func(b *testing.B) {
			s := New(edges, reach, 0)
			s.Pairs(x)
			for b.Loop() {
				for i := range x {
					x[i].X += 2e-3 * v[i].X
					x[i].Y += 2e-3 * v[i].Y
				}
				s.Pairs(x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(edges)), "ns/edge-step")
			b.ReportMetric(float64(s.Rebuilds())/float64(b.N), "builds/step")
		})
	}
}
