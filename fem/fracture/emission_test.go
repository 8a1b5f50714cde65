package fracture

import (
	"math"
	"slices"
	"testing"

	"fdem/materials/bulk"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// The kinetic energy of an acoustic event does not depend on the velocity of the body. Faces that
// separate have all of it.
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
		t.Errorf("faces that separate at 1 m/s have %g J, want %g", got, want)
	}
	for k := range b.emissions {
		if em := &b.emissions[k]; em.most < em.first || em.first < 0 {
			t.Errorf("crack %d: %+v", k, *em)
		}
	}
}

// A jump across faces has the potency of opening and of shear, for any direction of the faces.
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
		b.recordPotency(0, &f)
		p := b.emissions[0].potency
		normal := cos*cos*p.XX + sin*sin*p.YY + 2*sin*cos*p.XY
		along := sin*sin*p.XX + cos*cos*p.YY - 2*sin*cos*p.XY
		shear := sin*cos*(p.YY-p.XX) + (cos*cos-sin*sin)*p.XY
		if math.Abs(normal/(2e-6*area)-1) > 1e-12 || math.Abs(shear/(2.5e-6*area)-1) > 1e-12 || math.Abs(along) > 1e-18*area {
			t.Errorf("turned by %g: %g, %g and %g m3", angle, normal, shear, along)
		}
		f.opening = [2]float64{-1e-6, -1e-6}
		if b.recordPotency(0, &f); math.Abs(b.emissions[0].potency.XX+b.emissions[0].potency.YY) > 1e-18*area {
			t.Error("faces that press have a volume")
		}
	}
}

// A crack along edges of triangles takes the energy of the plane that it stands for, not of its own
// length: a strip that is pulled apart takes G by its section, and an edge less than G by its
// length, according to its angle.
func TestEnergyOfAPath(t *testing.T) {
	const width, height = 30e-3, 20e-3
	for seed := range uint64(3) {
		s := stuff{
			young: 30e9, poisson: 0.2, density: 2500, thickness: 0.01, plane: bulk.PlaneStress, stiffness: 2,
			law: cohesive.Parameters{TensileStrength: 4e6, Cohesion: 30e6, Friction: 0.7, EnergyTension: 10, EnergyShear: 10, Mixed: 2, Softening: "linear"},
		}
		b := newBody(t, rows(width, height, 1.5e-3, 0.4, seed, false), s, func(p, q r2.Vec) bool {
			return math.Abs(p.X-width/2) < width/4 && math.Abs(q.X-width/2) < width/4
		})
		for i, p := range b.x0 {
			b.fixed[i][0] = p.X == 0 || p.X == width
			b.v[i].X = 0.05 * p.X / width // no wave
		}
		b.run(t, 300e-6, nil)
		energy, long, least := 0.0, 0.0, math.Inf(1)
		for _, e := range b.Events() {
			energy, long = energy+e.Energy, long+e.Length
			least = min(least, e.Energy/(e.Length*s.thickness))
			if most := s.law.EnergyTension * e.Length * s.thickness; e.Energy > most*(1+1e-9) {
				t.Errorf("an edge of %g m takes %g J, more than %g", e.Length, e.Energy, most)
			}
		}
		section := height * s.thickness * s.law.EnergyTension
		t.Logf("seed %d: energy %.4f of that of the section, path %.3f of it, an edge at least %.3g J/m2", seed, energy/section, long/height, least)
		if math.Abs(energy/section-1) > 0.01 || long < 1.05*height {
			t.Errorf("seed %d: the crack takes %.4f of the energy of the section along %.3f of its height", seed, energy/section, long/height)
		}
	}
}
