package benchmarks

import (
	"math"
	"strconv"
	"testing"

	"fdem/io/throw"
	"fdem/solver"
	"fdem/solver/statics"

	"gonum.org/v1/gonum/spatial/r2"
)

// The scenes are what the names of their figures say. Nothing is timed here.
func TestScenes(t *testing.T) {
	p := newPacking(5)
	if n, e := len(p.mesh.Triangles), len(p.mesh.Edges); n != 25*24 || e != 25*12 || p.mesh.Components != 25 {
		t.Errorf("%d triangles, %d edges, %d bodies; want 24 and 12 for each of 25", n, e, p.mesh.Components)
	}
	first := p.v[p.mesh.Edges[0].A]
	if first == (r2.Vec{}) || first != p.v[p.mesh.Edges[1].A] {
		t.Errorf("velocities %v and %v of one body", first, p.v[p.mesh.Edges[1].A])
	}
	if len(p.search.Pairs(p.x).List) == 0 {
		t.Error("nothing is near in the packing")
	}
	m := blocks(2000)
	if n := len(m.Mesh.Triangles); n < 1900 || n > 2100 {
		t.Errorf("%d triangles, about 2000 were asked for", n)
	}
	m = pressed(1000)
	s, err := solver.New(m)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Freedoms.N; n < 900 || n > 1100 {
		t.Errorf("%d unknowns, about 1000 were asked for", n)
	}
	err = statics.Run(t.Context(), s, solver.Observer{Row: func() error { return nil }, Frame: func() error { return nil }})
	const force = 20e6 * 0.01 * 0.01
	if n := s.Surfaces[0].Normal; err != nil || s.N != 20 || math.Abs(n-force) > 1e-3*force { // the top grows under the pressure
		t.Errorf("pressed with %g N in %d increments, want %g N in 20: %v", n, s.N, force, err)
	}
}

// Blocks that fly apart break into fragments.
func TestBurst(t *testing.T) {
	if b := shatter(2000); !(b.mean > 0 && b.open > 0) {
		t.Errorf("a step of a triangle takes %g s, %g once they are open", b.mean, b.open)
	}
}

// Fragments meet.
func TestRubble(t *testing.T) {
	s := rubble(2000)
	if n := len(s.FragmentContacts()); n < 1000 {
		t.Errorf("%d contact nodes touch, of %d triangles", n, len(s.Mesh.Triangles))
	}
}

// The pile at rest is that of examples/rockfall, and it stays at rest. The falling pile falls.
func TestPile(t *testing.T) {
	s := pile(0, false)
	for s.Time < 2*pileRamp {
		throw.If(s.Step(0, nil))
	}
	if n, e, a := len(s.Mesh.Triangles), s.Energies(), s.Surfaces[0].Active; n != 3173 || a < 500 || e.Kinetic > 1e-4 {
		t.Errorf("%d triangles, %d contact nodes touch, %g J move", n, a, e.Kinetic)
	}
	s = pile(pileRocks, true)
	if e := s.Energies().Kinetic / s.Motions()[0].Mass; math.Abs(e-0.5*pileSpeed*pileSpeed) > 1e-9 {
		t.Errorf("%g J/kg", e)
	}
}

// The blocks are pressed together along the whole of one side, and stay pressed while they swing.
func TestMeeting(t *testing.T) {
	s := meeting(2000)
	c, mean := s.Surfaces[0], 0.0
	const steps = 2000
	for range steps {
		if err := s.Step(0, nil); err != nil {
			t.Fatal(err)
		}
		if c.Active < c.ContactNodes()/4 { // of one side of four
			t.Fatalf("%d of %d contact nodes touch", c.Active, c.ContactNodes())
		}
		mean += c.Normal / steps
	}
	if force := meetingPressure * blockSize * blockSize; math.Abs(mean-force) > 0.02*force {
		t.Errorf("pressed with %g N on the mean, want %g N", mean, force)
	}
}

// The blocks that ranks compute stay pressed along their side, or stay separated.
func TestRanksScenes(t *testing.T) {
	for i, scene := range RankScenes {
		s := ranksScene(scene, 2000)
		c := s.Surfaces[0]
		for range 2000 {
			if err := s.Step(0, nil); err != nil {
				t.Fatal(err)
			}
			if touch := c.Active >= c.ContactNodes()/4; touch != (i == 1) && s.N > ranksWarm { // one side of four
				t.Fatalf("%s: %d of %d contact nodes touch at step %d", scene, c.Active, c.ContactNodes(), s.N)
			}
		}
	}
}

// Rounds keep the best of each figure.
func TestRounds(t *testing.T) {
	round := func(step, bandwidth, law float64) *Figures {
		table := func(v float64) map[string]map[string]float64 {
			return map[string]map[string]float64{"2000": {"1": v}}
		}
		return &Figures{
			ElementStepNs: table(step), ElementStepGenericNs: table(2 * step),
			BandwidthGBs: map[string]float64{"1": bandwidth}, StepOverheadUs: map[string]float64{"1": step}, LawKostekNs: law,
			PileNs: map[string]float64{"at rest": step}, BesideBusyNs: map[string]float64{"2": step}, MeetingNs: map[string]float64{"2000": step}, PlainNs: law,
			laps: map[string]laps{"1": {bandwidth, step}},
		}
	}
	f := round(8, 10, 15)
	f.improve(round(6, 12, 20))
	f.improve(round(7, 11, 12))
	f.derive()
	if got := [...]float64{f.ElementStepNs["2000"]["1"], f.ElementStepGenericNs["2000"]["1"], f.BandwidthGBs["1"], f.StepOverheadUs["1"], f.LawKostekNs, f.BesideBusyNs["2"], f.PlainNs}; got != [...]float64{6, 12, 12, 6, 12, 6, 12} {
		t.Errorf("best figures %v", got)
	}
	if got, want := f.FieldsSlowdown["1"], 6.0/10-1; got != want { // of the best times, not the best of ratios
		t.Errorf("slowdown %g, want %g", got, want)
	}
	if got, want := f.BandwidthFraction["2000"]["1"], BytesPerElementStep/6/12; got != want {
		t.Errorf("fraction %g, want %g", got, want)
	}
}

// The spheres fall free of one another, and press one another when they have
// settled.
func TestSphereScenes(t *testing.T) {
	s := balls(20, 5, 0.0205, 1, false)
	runTo(s, 1e-3)
	if n := s.Spheres().Interaction[0].Active; n > 0 || !(s.Spheres().V[0].Y < 0) {
		t.Errorf("%d contacts, velocity %v, of what falls", n, s.Spheres().V[0])
	}
	falling, settled, contacts := sphereTimes(20, 5)
	if !(falling > 0) || !(settled > 0) || contacts < 1 || contacts > 3 {
		t.Errorf("%g and %g ns, %g contacts a sphere", falling, settled, contacts)
	}
	s, settled = runToRest(20, 5, true)
	if !(settled > 0) || s.Elements() < 100 {
		t.Fatalf("%g ns on a mesh", settled)
	}
	weight := 0.0
	for _, f := range s.Spheres().NodeF {
		weight -= f.Y
	}
	if !(weight > 0) {
		t.Error("the mesh carries no load")
	}
}

// The scene of the frames is full of waves. It writes what a run writes.
func TestFieldsLaps(t *testing.T) {
	l := fieldsLaps(200, []int{1, 2}, true)
	if len(l) != 2 || !(l["1"].slowdown() > -1) {
		t.Errorf("%v", l)
	}
}

// Benchmark is the table of fdem bench: the whole step by size and workers,
// then contact and laws. It reports the figures of Measure, not go test's mean.
func Benchmark(b *testing.B) {
	for _, size := range Sizes {
		for _, w := range teams(2) {
			b.Run("step/triangles="+strconv.Itoa(size)+"/workers="+strconv.Itoa(w), func(b *testing.B) {
				for b.Loop() {
					n, times, bytes := elementSteps(size, []int{w})
					b.ReportMetric(1e9*times[strconv.Itoa(w)]/float64(n), "ns/element-step")
					b.ReportMetric(bytes/float64(n), "B/element")
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
	b.Run("contact", func(b *testing.B) {
		for b.Loop() {
			b.ReportMetric(newPacking(100).searchTime(), "ns/edge-step")
		}
		b.ReportMetric(0, "ns/op")
	})
	b.Run("law", func(b *testing.B) {
		for b.Loop() {
			b.ReportMetric(1e9*lawTime(kostek(), 2e-5), "ns/contact-node")
		}
		b.ReportMetric(0, "ns/op")
	})
	b.Run("spheres", func(b *testing.B) {
		for b.Loop() {
			falling, settled, contacts := sphereTimes(sphereColumns, sphereRows)
			b.ReportMetric(falling, "ns/falling-sphere-step")
			b.ReportMetric(settled, "ns/settled-sphere-step")
			b.ReportMetric(contacts, "contacts/sphere")
			_, meshed := runToRest(sphereColumns, sphereRows, true)
			b.ReportMetric(meshed, "ns/sphere-step-on-a-mesh")
		}
		b.ReportMetric(0, "ns/op")
	})
	b.Run("fields", func(b *testing.B) {
		for b.Loop() {
			l := fieldsLaps(fieldsTriangles, teams(2), false)
			for _, w := range Ascending(l) {
				b.ReportMetric(100*l[w].slowdown(), "%/workers="+w)
			}
		}
		b.ReportMetric(0, "ns/op")
	})
	b.Run("static", func(b *testing.B) {
		for b.Loop() {
			seconds, bytes := staticTime(unknowns)
			b.ReportMetric(seconds, "s")
			b.ReportMetric(1e-6*bytes, "MB")
		}
		b.ReportMetric(0, "ns/op")
	})
}
