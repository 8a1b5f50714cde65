package fracture

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// The kinetic energy that a crack is heard by does not ask how fast the body flies; faces
// that part have all of it.
func TestKineticOfCracks(t *testing.T) {
	b, _, _ := bent(t, rows(0.06, 0.04, 2e-3, 0.3, 1, false), false, 0.02)
	b.run(t, 200e-6, nil)
	if len(b.cracks) < 5 {
		t.Fatalf("%d cracks: too few to tell", len(b.cracks))
	}
	flying := slices.Clone(b.v)
	for i := range flying {
		flying[i] = r2.Add(flying[i], r2.Vec{X: 300, Y: -50})
	}
	for k := range b.cracks {
		c := &b.cracks[k]
		at, fast := b.kinetic(c, b.v), b.kinetic(c, flying)
		if scale := 4 * b.Zone.mass[b.edges[c.edge].A] * 300 * 300; math.Abs(at-fast) > 1e-12*scale {
			t.Errorf("crack %d: %g J at rest and %g J in flight", k, at, fast)
		}
	}
	c := slices.IndexFunc(b.cracks, func(c crack) bool { return c.open[0] && c.open[1] })
	if c < 0 {
		t.Fatal("no crack is open at both ends")
	}
	parting := make([]r2.Vec, len(b.v))
	e := &b.edges[b.cracks[c].edge]
	ma, mb := b.Zone.mass[e.A], b.Zone.mass[e.B]
	for i, n := range b.cracks[c].node {
		parting[n] = r2.Vec{X: 0.6, Y: 0.8}
		if i >= 2 {
			parting[n] = r2.Vec{}
		}
	}
	if got, want := b.kinetic(&b.cracks[c], parting), ma*mb/(ma+mb); math.Abs(got/want-1) > 1e-12 { // 2 of each, at 1 m/s
		t.Errorf("faces that part at 1 m/s have %g J, want %g", got, want)
	}
	for k := range b.emitted {
		if em := &b.emitted[k]; em.most < em.first || em.first < 0 {
			t.Errorf("crack %d: %+v", k, *em)
		}
	}
}

// A jump across faces makes the potency of opening and of shear, wherever they look.
func TestPotency(t *testing.T) {
	b, _, _ := bent(t, rows(0.06, 0.04, 2e-3, 0.3, 1, false), false, 0.02)
	b.run(t, 200e-6, nil)
	if len(b.cracks) == 0 {
		t.Fatal("no cracks")
	}
	area := 2 * b.cracks[0].weight
	for _, angle := range []float64{0, 0.3, 1.2, 2.9} {
		sin, cos := math.Sincos(angle)
		f := frame{n: r2.Vec{X: cos, Y: sin}, t: r2.Vec{X: -sin, Y: cos}, opening: [2]float64{3e-6, 1e-6}, slip: [2]float64{4e-6, 6e-6}}
		b.tear(0, &f)
		p := b.emitted[0].potency
		normal := cos*cos*p.XX + sin*sin*p.YY + 2*sin*cos*p.XY
		along := sin*sin*p.XX + cos*cos*p.YY - 2*sin*cos*p.XY
		shear := sin*cos*(p.YY-p.XX) + (cos*cos-sin*sin)*p.XY
		if math.Abs(normal/(2e-6*area)-1) > 1e-12 || math.Abs(shear/(2.5e-6*area)-1) > 1e-12 || math.Abs(along) > 1e-18*area {
			t.Errorf("turned by %g: %g, %g and %g m3", angle, normal, shear, along)
		}
		f.opening = [2]float64{-1e-6, -1e-6}
		if b.tear(0, &f); math.Abs(b.emitted[0].potency.XX+b.emitted[0].potency.YY) > 1e-18*area {
			t.Error("faces that press have a volume")
		}
	}
}
