package fracture

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// A chord stays below its level as long as forces and nodes change by no more than the slack. Some
// changes that are much greater take it above.
func TestSlackOfChords(t *testing.T) {
	test, beyond, all := t, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := bar()
		s.law.Friction = rapid.Float64Range(0, 1.2).Draw(t, "friction")
		z := newBody(test, rows(8e-3, 8e-3, 4e-3, 0, 1, false), s, everywhere).Zone
		z.thickness = 0.5
		of := func(name string, most float64) r2.Vec {
			y, x := math.Sincos(rapid.Float64Range(0, 2*math.Pi).Draw(t, name))
			by := most * rapid.Float64Range(0, 1).Draw(t, name+" size")
			return r2.Vec{X: by * x, Y: by * y}
		}
		chord, goes := of("chord", 1), rapid.Bool().Draw(t, "goes")
		chord = r2.Scale(4e-3/r2.Norm(chord), chord)
		internal := of("internal", 0.5*z.thickness*4e-3*8*s.law.TensileStrength)
		room := slack{math.Inf(1), math.Inf(1)}
		z.lowerSlack(&room, 0, internal, chord, goes)
		if room.force == 0 {
			t.Skip()
		}
		level := besideFactor
		if goes {
			level = minChordUse
		}
		used := func(times float64) float64 {
			r, c := r2.Add(internal, r2.Scale(times, of("force", room.force))), r2.Add(chord, r2.Scale(times, of("chord change", 2*room.travel)))
			wide := r2.Norm(c)
			n := r2.Scale(1/wide, c)
			half := 0.5 * z.thickness * wide
			return z.utilization(0, none, r2.Dot(r, n)/half, r2.Cross(n, r)/half, r2.Vec{})
		}
		if u := used(1); u > level {
			t.Fatalf("with changes within its slack a chord uses %g of its strength, at most %g allowed", u, level)
		}
		all++
		if used(30) > level {
			beyond++
		}
	})
	if t.Logf("%d of %d are above their level with 30 times the changes", beyond, all); beyond == 0 {
		t.Error("the test sees nothing")
	}
}

// An open vertex is checked again when nodes have moved farther than its slack allows, or when an
// edge opens there, for any forces.
func TestOpenVertexWakes(t *testing.T) {
	const h = 4e-3
	b := newBody(t, rows(10*h, 6*h, h, 0, 1, false), bar(), everywhere)
	b.hold(r2.Vec{X: 10 * h, Y: 6 * h}, [4]float64{0, 0, 0, 1}, 1.01, 0)
	b.t.Watch(b.Thresholds())
	for range 2 {
		b.AddForces(b.f, b.x, 0)
		b.OpenAbove(b.t.AboveThreshold(b.x, b.thresholds, nil), b.x, b.v, b.mass, 0)
	}
	z, of := b.Zone, &b.openSleep
	var l searcher
	slept := 0
	for k := range int32(len(z.fans.vertex)) {
		if of.slacks[k].force == 0 || math.IsInf(of.slacks[k].travel, 1) {
			continue
		}
		slept++
		z.forcesAt(k, &l.fan)
		if !z.sleepsOpen(k, l.force) {
			t.Fatalf("vertex %d does not sleep, with the forces of its search", k)
		}
		was := of.travel
		if of.travel = 1.01 * of.slacks[k].travel; z.sleepsOpen(k, l.force) {
			t.Fatalf("vertex %d sleeps on after a travel of %g m, where its slack is %g m", k, of.travel, of.slacks[k].travel)
		}
		of.travel = was
	}
	if slept == 0 {
		t.Fatal("no vertex sleeps: the test sees nothing")
	}
	far := b.x[b.pages.Used[0]-1]
	before := of.travel
	b.x[b.pages.Used[0]-1] = r2.Vec{X: far.X + 3e-6, Y: far.Y - 4e-6}
	if z.addTravel(b.x); math.Abs(of.travel-before-5e-6) > 1e-12 {
		t.Errorf("a node has moved by 5e-6 m, the travel has grown by %g m", of.travel-before)
	}
}
