package fracture

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// mirrored appends to a net of rows its mirror image below y = 0. Nodes there are
// common but for those left of tip: a notch.
func mirrored(n net, tip float64) net {
	image := make([]int32, len(n.x))
	for i, p := range n.x {
		if image[i] = int32(i); p.Y > 0 || p.X < tip-1e-9 {
			image[i] = int32(len(n.x))
			n.x = append(n.x, r2.Vec{X: p.X, Y: -p.Y})
		}
	}
	for _, t := range n.tri {
		n.tri = append(n.tri, [3]int32{image[t[0]], image[t[2]], image[t[1]]})
	}
	return n
}

// A fast crack along the axis of a body that is its own mirror image splits into two
// that are each other's: what opens there is two chords at a time, which leaves no
// jump of a force, and what opens beside it is two vertices.
func TestMirrored(t *testing.T) {
	const w, h, size = 0.06, 0.012, 1e-3
	for _, seed := range []uint64{1, 2} {
		s := bar()
		s.poisson = 0.2
		s.law.EnergyTension, s.law.EnergyShear = 3, 12
		b := newBody(t, mirrored(rows(w, h, size, 0.3, seed, false), 0.02), s, everywhere)
		b.measure = true
		for i, p := range b.x0 {
			b.v[i].Y = 0.5 * p.Y / h
			b.fixed[i][1] = math.Abs(p.Y) > h-1e-9
		}
		b.run(t, 45e-6, nil)
		broken, two, forks := 0, 0, 0
		tip := 0.0 // of what is broken on the axis
		type key struct{ x, y int }
		at := func(p r2.Vec) key { return key{int(math.Round(p.X * 1e8)), int(math.Round(p.Y * 1e8))} }
		times := map[key][2]float64{}
		for i := range b.cracks {
			times[at(b.middle(&b.edges[b.cracks[i].edge]))] = [2]float64{b.histories[i].inserted, b.histories[i].broken}
		}
		for i := range b.cracks {
			m, of := b.middle(&b.edges[b.cracks[i].edge]), &b.histories[i]
			image, ok := times[at(r2.Vec{X: m.X, Y: -m.Y})]
			if !ok || image[0] != of.inserted || math.IsNaN(image[1]) != math.IsNaN(of.broken) {
				t.Fatalf("seed %d: the edge at %v opened at %g s, its image at %v", seed, m, of.inserted, image)
			}
			if !math.IsNaN(of.broken) {
				broken++
				if math.Abs(m.Y) > 2*size {
					two++
				} else {
					tip = math.Max(tip, m.X)
				}
			}
		}
		for i := range b.opened[1:] {
			if b.opened[i].fan == b.opened[i+1].fan && b.opened[i].time == b.opened[i+1].time {
				forks++
			}
		}
		t.Logf("seed %d: %d edges open, %d broken, %d of them off the axis, where %g mm are; %d forks; jump %.1e N, residual %.1e", seed, len(b.cracks), broken, two, 1e3*tip, forks, b.jump, b.worst/b.peak)
		if two < 10 || forks < 1 {
			t.Errorf("seed %d: %d edges off the axis are broken, %d forks", seed, two, forks)
		}
		if b.jump > 1e-9*5e6*size {
			t.Errorf("seed %d: a nodal force jumps by %g N", seed, b.jump)
		}
		if b.worst > 2e-3*b.peak {
			t.Errorf("seed %d: the ledger is off by %g of %g J", seed, b.worst, b.peak)
		}
	}
}
