package contactnodes

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"fdem/boundingbox"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// crowd is bodies of all sorts close together that move, rotate and vibrate, some of them
// deforming: stars with sharp and re-entrant corners, a disc and a line, within a hollow.
func crowd(t testing.TB, rng *rand.Rand) (m *mesh.Mesh, step func(x, v []r2.Vec), back func()) {
	t.Helper()
	spiky := 0.8 * rng.Float64()
	m = build(t, join(
		star("a", r2.Vec{}, radii(rng, 3+rng.Intn(6), spiky), rng.Float64()),
		star("b", r2.Vec{X: 2, Y: 0.2 * rng.NormFloat64()}, radii(rng, 3+rng.Intn(6), spiky), rng.Float64()),
	))
	m = m.With([]mesh.Outline{
		circle("disc", r2.Vec{X: 1, Y: 1.6}, 0.6, 8+rng.Intn(20), rng.Float64()),
		circle("hollow", r2.Vec{X: 0.8, Y: 0.3}, -2.6, 20+rng.Intn(40), rng.Float64()),
		{Name: "line", Points: []r2.Vec{{X: 2.5, Y: -0.9}, {X: 0.8, Y: -1.1}, {X: -1, Y: -0.8}}, Depth: 0.2},
	})
	type motion struct {
		v    r2.Vec
		spin float64
		shy  float64 // part of the motion that is deformation
	}
	motions := make([]motion, len(m.Bodies))
	for i := range motions {
		size := 0.02 * math.Pow(10, -2*rng.Float64())
		if i > 0 && rng.Intn(2) == 0 {
			continue // stands still
		}
		motions[i] = motion{v: r2.Vec{X: size * rng.NormFloat64(), Y: size * rng.NormFloat64()}}
		if rng.Intn(2) == 0 {
			motions[i].spin = size * rng.NormFloat64()
		}
		if i < 2 && rng.Intn(2) == 0 {
			motions[i].shy = 0.1
		}
	}
	of := make([]int, len(m.X))
	for _, e := range m.Edges {
		of[e.A], of[e.B] = int(e.Body), int(e.Body)
	}
	back = func() {
		for i := range motions {
			motions[i].v, motions[i].spin = r2.Scale(-1, motions[i].v), -motions[i].spin
		}
	}
	return m, func(x, v []r2.Vec) {
		centre, count := make([]r2.Vec, len(m.Bodies)), make([]float64, len(m.Bodies))
		for n, b := range of {
			centre[b] = r2.Add(centre[b], x[n])
			count[b]++
		}
		if rng.Intn(15) == 0 {
			back()
		}
		for n, b := range of {
			p := motions[b]
			arm := sub(x[n], r2.Scale(1/count[b], centre[b]))
			sin, cos := math.Sincos(p.spin)
			w := r2.Add(p.v, sub(r2.Vec{X: cos*arm.X - sin*arm.Y, Y: sin*arm.X + cos*arm.Y}, arm))
			if p.shy > 0 {
				w = r2.Add(w, r2.Vec{X: p.shy * p.v.X * rng.NormFloat64(), Y: p.shy * p.v.Y * rng.NormFloat64()})
			}
			x[n], v[n] = r2.Add(x[n], w), w
		}
	}, back
}

// drowsy follows a crowd by two contacts, one of which checks all pairs. It counts the steps in
// which their results differ, the contact points, the predicted ones and the sleeping pairs. cut is
// the part of its gap by which a pair sleeps longer than allowed.
func drowsy(t testing.TB, rng *rand.Rand, cut float64) (different, touches, coming, asleep int) {
	t.Helper()
	m, step, back := crowd(t, rng)
	o := NewOutline(m)
	edges := make([]boundingbox.Edge, len(m.Edges))
	all := make([]int32, len(m.Edges))
	for i, e := range m.Edges {
		edges[i] = boundingbox.Edge{A: e.A, B: e.B, Component: e.Component, Contactor: 1, Opposite: 1, Self: 1}
		all[i] = int32(i)
	}
	config := Config{Name: "crowd", Contactor: all, Opposite: all, Law: penalty(t, 1), Nodes: 5 + rng.Intn(16), Thickness: 1, Self: rng.Intn(2) == 0, Ends: rng.Intn(4) == 0}
	one, other := byNodes(New(config, o, m.X, make([]float64, len(m.X)))), byNodes(New(config, o, m.X, make([]float64, len(m.X))))
	search := boundingbox.New(edges, o.Reach, 20*minimum(o.Depth)*math.Pow(10, -2*rng.Float64()))
	walk := []*boundingbox.Tracker{search.NewTracker()}
	x, v := slices.Clone(m.X), make([]r2.Vec, len(m.X))
	next := Prediction{Step: 1, Approach: 0.05 * o.LookAhead * rng.Float64()}
	for range 40 {
		step(x, v)
		if rng.Intn(10) == 0 {
			next.Approach = 0.05 * o.LookAhead * rng.Float64()
		}
		search.Track(walk[0], x, v, 0, int32(len(x)))
		search.Merge(walk)
		pairs := search.PairsAfter(x)
		one.prediction, other.prediction = next, next
		one.listCandidates(pairs, x)
		other.listCandidates(pairs, x)
		other.wakeAll()
		ahead := min(o.LookAhead, predictionSteps*next.Approach)
		if one.find(x, v, ahead) != nil || other.find(x, v, ahead) != nil {
			back() // too deep: not tested here
			continue
		}
		for _, i := range one.finders[0].fallenAsleep {
			s := &one.sleep
			p := &s.pairs[i]
			p.wake += cut * (p.wake - s.travelled[p.components[0]] - p.weight*s.travelled[p.components[1]])
		}
		if !slices.Equal(one.points.seen(), other.points.seen()) || !slices.Equal(one.approaching.seen(), other.approaching.seen()) {
			different++
		}
		touches += len(other.points.nodes)
		coming += len(other.approaching.nodes)
		asleep += len(one.candidate) - one.sleep.count()
	}
	return different, touches, coming, asleep
}

// A pair that sleeps neither touches nor is about to, whatever the bodies do; and this test would
// find such a pair.
func TestSleepersMissNothing(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	var touches, coming, asleep, cut int
	for i := range 30 {
		seed := rng.Int63()
		d, a, b, c := drowsy(t, rand.New(rand.NewSource(seed)), 0)
		if d != 0 {
			t.Fatalf("crowd %d: %d steps in which a sleeper missed something", i, d)
		}
		touches, coming, asleep = touches+a, coming+b, asleep+c
		d, _, _, _ = drowsy(t, rand.New(rand.NewSource(seed)), 4)
		cut += d
	}
	t.Logf("%d contact points, %d to come, %d sleepers; %d steps missed something with a bound five times as far", touches, coming, asleep, cut)
	if touches < 1000 || coming < 500 || asleep < 1000 {
		t.Error("that tests nothing")
	}
	if cut == 0 {
		t.Error("a bound five times as far was not seen")
	}
}

// spur is a part of a body's outline: three edges with corners of all sorts. The shortest may be a
// ten-thousandth of the longest.
func spur(rng *rand.Rand) (o *Outline, x []r2.Vec) {
	angle, at := 2*math.Pi*rng.Float64(), r2.Vec{}
	for k := range 4 {
		x = append(x, at)
		turn := math.Pi * rng.Float64()
		if rng.Intn(2) == 0 { // a sharp corner
			turn = math.Pi * (1 - 0.15*rng.Float64())
		}
		if angle += turn; rng.Intn(2) == 0 {
			angle -= 2 * turn
		}
		length := math.Pow(10, 2*rng.Float64()-1)
		if k != 1 {
			length = math.Pow(10, 4*rng.Float64()-2)
		}
		at = r2.Add(at, r2.Vec{X: length * math.Cos(angle), Y: length * math.Sin(angle)})
	}
	depth := math.Pow(10, 2*rng.Float64()-1.5)
	return &Outline{
		Edges: []mesh.Edge{{A: 0, B: 1, Prev: -1, Next: 1}, {A: 1, B: 2, Prev: 0, Next: 2}, {A: 2, B: 3, Prev: 1, Next: -1}},
		Depth: []float64{depth, depth, depth}, LookAhead: lookAheadShare * depth,
	}, x
}

// A segment that is separated from an edge by a gap does not come into the edge's region, nor
// within the query range in front of it, before the nodes have moved as far as the weight of the
// gap says. The edges beside it are long or short, with sharp corners and notches, and every node
// moves in its own direction. With one and a half times the gap some segments would come there.
func TestGapsHold(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	direction := func() r2.Vec { sin, cos := math.Sincos(2 * math.Pi * rng.Float64()); return r2.Vec{X: cos, Y: sin} }
	gaps, met := 0, 0
	for range 60_000 {
		o, x := spur(rng)
		queryRange := o.LookAhead * math.Pow(rng.Float64(), 2)
		size := math.Pow(10, 3*rng.Float64()-2)
		middle := r2.Add(x[1+rng.Intn(2)], r2.Scale(size, direction()))
		a, b := r2.Add(middle, r2.Scale(size*rng.Float64(), direction())), r2.Add(middle, r2.Scale(size*rng.Float64(), direction()))
		var target target
		target.setEdge(o, 1, x)
		shortest := target.neighbours(o, x)
		weight := target.motionWeight(a, b, 0, shortest)
		most := maxEdgeMotion * shortest * weight
		byNodes := target.segmentOutside(a, b, queryRange, most*math.Pow(10, -3*rng.Float64()), most)
		byLines, weightOfLines := o.gapByLines(1, a, b, 0, queryRange, x)
		for i, gap := range [2]float64{byLines, byNodes} {
			if !(gap > 0) {
				continue
			}
			gaps++
			allowed := [2]float64{gap, gap / [2]float64{weightOfLines, weight}[i]}
			part := min(1, 1.5*rng.Float64())
			moved := func(times float64) bool { // and met
				y, p, q := slices.Clone(x), a, b
				for n := range y {
					y[n] = r2.Add(y[n], r2.Scale(times*(1-part)*allowed[1], direction()))
				}
				p, q = r2.Add(p, r2.Scale(times*part*allowed[0], direction())), r2.Add(q, r2.Scale(times*part*allowed[0], direction()))
				target.setEdge(o, 1, y)
				target.lookAhead = queryRange
				lo, hi := target.clipElement(p, q, o.LookAhead)
				for k := range 21 {
					if u := lo + float64(k)/20*(hi-lo); lo <= hi && target.pointAt(between(p, q, u)).inward != (r2.Vec{}) {
						return true
					}
				}
				return false
			}
			for range 4 {
				if moved(1 - 1e-9) {
					t.Fatalf("%v to %v came to the edge %v, within the query range %g, sooner than the gap %g says", a, b, x, queryRange, gap)
				}
				if moved(1.5) {
					met++
				}
			}
		}
	}
	t.Logf("%d gaps; with half as much more %d met", gaps, met)
	if gaps < 50_000 || met < 100 {
		t.Error("that tests nothing")
	}
}
