package fracture

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// A body without an edge along x that is pulled along y breaks in zigzags of edges at 30 degrees. A
// fluid along these edges has the aperture and the length of the crack along x that they stand for:
// the distance of the faces along y, and the length of the zigzag along x. If a seam leads the
// crack, the fluid has those of the edges.
func TestApertureOfZigzag(t *testing.T) {
	for _, led := range []bool{false, true} {
		s := bar()
		s.led = led
		b := newBody(t, rows(0.06, 0.04, 4e-3, 0, 1, true), s, everywhere)
		b.EnableFluid(nil)
		for i, p := range b.x0 {
			b.v[i] = r2.Vec{Y: 60 * (p.Y - 0.02)}
		}
		b.run(t, 60e-6, nil)
		seen := 0
		for i := range b.Cracks() {
			ch, ok := b.Channel(b.Crack(i).Edge, b.x)
			between := r2.Sub(b.x0[ch.Vertices[1]], b.x0[ch.Vertices[0]])
			if inside := max(b.x0[ch.Vertices[0]].X, b.x0[ch.Vertices[1]].X) < 0.054 && min(b.x0[ch.Vertices[0]].X, b.x0[ch.Vertices[1]].X) > 0.006; !ok || !inside || min(ch.Opening[0], ch.Opening[1]) < 10e-6 || math.Abs(between.X) < 1e-3 {
				continue
			}
			seen++
			long := math.Abs(between.X)
			if led {
				long = length(between)
			}
			if math.Abs(ch.Length/long-1) > 1e-3 {
				t.Errorf("led %v: the way along an edge %v is %g m", led, between, ch.Length)
			}
			for end, w := range ch.Aperture {
				wide := math.Abs(b.x[ch.Nodes[2+end]].Y - b.x[ch.Nodes[end]].Y)
				if led {
					wide = ch.Opening[end]
				}
				if math.Abs(w/wide-1) > 0.02 {
					t.Errorf("led %v: the aperture beside an edge %v is %g of %g m", led, between, w, wide)
				}
			}
		}
		if seen < 10 {
			t.Errorf("led %v: %d edges stand open", led, seen)
		}
	}
}
