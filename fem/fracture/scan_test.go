package fracture

import (
	"math"
	"slices"
	"testing"

	"fdem/fem"

	"gonum.org/v1/gonum/spatial/r2"
)

// Candidates of one vertex that use equal parts of their strength keep their order, however many
// candidates there are.
func TestCandidatesAreInOrder(t *testing.T) {
	var s scan
	for i := range int32(200) {
		s.candidates = append(s.candidates, candidate{chordUse: 1, opening: opening{fan: 7 * i % 100, spoke: i}})
	}
	s.sortCandidates()
	for i := range s.candidates {
		if c := &s.candidates[i]; c.fan != int32(i/2) || i%2 == 1 && c.spoke < s.candidates[i-1].spoke {
			t.Fatalf("candidate %d is edge %d of vertex %d, behind edge %d", i, c.spoke, c.fan, s.candidates[max(0, i-1)].spoke)
		}
	}
}

// A vertex beside a crack is no candidate while all stress around it is below the threshold, even
// if the search lists it for a neighbour's sake and the crack's forces use all of its strength: without
// sleep it would not be listed.
func TestNoCandidateBesideCrackBelowThreshold(t *testing.T) {
	const h = 4e-3
	b := newBody(t, rows(10*h, 6*h, h, 0, 1, false), bar(), everywhere)
	size, pulled := r2.Vec{X: 10 * h, Y: 6 * h}, [4]float64{0, 0, 0, 1}
	b.hold(size, pulled, 1.01, 0)
	b.AddForces(b.f, b.x, 0)
	if b.Open(b.x, b.v, b.mass, 0) == 0 {
		t.Fatal("nothing opens")
	}
	for _, q := range b.NodeSplits() {
		b.x0[q.Node] = b.x0[q.Of]
	}
	z, s := b.Zone, &b.scan
	search := func(used float64, k int32) (alone, beside int) {
		b.hold(size, pulled, used, 0)
		s.x = b.x
		s.stamp++
		s.fans, s.blocks = append(s.fans[:0], strain{fan: k}), s.blocks[:0]
		z.listBlocks(k)
		s.blocks = slices.Grow(s.blocks, fem.Ahead)
		z.computeStress(0)
		z.selectStrained(0)
		z.listStrained()
		z.computeCorners(0)
		l := &s.searchers[0]
		l.candidates = l.candidates[:0]
		z.searchFan(&s.fans[0], l)
		alone = len(l.candidates)
		z.searchFans(0)
		return alone, len(l.candidates)
	}
	searched := 0
	for k := range int32(len(z.fans.vertex)) {
		if !z.fans.cracked[k] || z.fans.closedSpokes[k] == 0 {
			continue
		}
		for i := range 32 { // the forces of the cracks on their nodes, of all directions
			y, x := math.Sincos(2 * math.Pi * float64(i) / 32)
			for _, q := range z.order {
				for n := range 4 {
					by := math.Copysign(4*bar().law.TensileStrength*h*z.thickness, 1.5-float64(n))
					z.setForce(q, n, r2.Vec{X: by * x, Y: by * y})
				}
			}
			for _, used := range []float64{0.3, 0.99} {
				alone, beside := search(used, k)
				if alone == 0 {
					continue
				}
				searched++
				if (beside > 0) != (used > 0.9) {
					t.Errorf("at %g of the strength vertex %d has %d candidates, %d without the threshold", used, k, beside, alone)
				}
			}
		}
	}
	if searched < 4 {
		t.Errorf("only %d searches have a candidate: the test sees nothing", searched)
	}
}
