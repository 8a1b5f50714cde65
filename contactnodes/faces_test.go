package contactnodes

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"fdem/boundingbox"
	"fdem/contactnodes/onnodes"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// faceScene is two bodies whose edges meet by pairs.
type faceScene struct {
	m      *mesh.Mesh
	c      *Contact
	search *boundingbox.Search
}

func newFaceScene(t testing.TB, config Config, bodies ...*mesh.Source) *faceScene {
	t.Helper()
	m := build(t, join(bodies...))
	o := NewOutline(m)
	edges := make([]boundingbox.Edge, len(m.Edges))
	for i, e := range m.Edges {
		edges[i] = boundingbox.Edge{A: e.A, B: e.B, Component: e.Component, Contactor: 1, Opposite: 1, Self: 1}
		config.Contactor = append(config.Contactor, int32(i))
	}
	config.Name, config.Opposite, config.Thickness, config.Nodes, config.TwoSided = "faces", config.Contactor, 1, 4, true
	mass := make([]float64, len(m.X))
	for i := range mass {
		mass[i] = 1
	}
	s := &faceScene{m, New(config, o, m.X, mass), boundingbox.New(edges, o.Reach, 0)}
	if s.c.faces == nil {
		t.Fatal("no pairs")
	}
	return s
}

// The forces of pairs without friction are the gradient of their stored energy, and with friction they
// and their moments cancel: faces that lean, corners on faces and in re-entrant corners.
func TestFacesHaveTheGradient(t *testing.T) {
	touched, sectors := 0, 0
	dent, spike := []float64{1, 0.9, 0.3, 0.9, 1, 0.95}, []float64{1, 0.45, 0.45, 0.8, 0.5, 0.45}
	for i := range 120 {
		rng := rand.New(rand.NewSource(int64(i)))
		a := star("a", r2.Vec{}, radii(rng, 4+rng.Intn(4), 0.4), 0)
		b := star("b", r2.Vec{X: 1.4 + 0.3*rng.Float64(), Y: 0.3 * rng.NormFloat64()}, radii(rng, 4+rng.Intn(4), 0.4), rng.Float64())
		if i%4 == 0 {
			a, b = star("b", r2.Vec{X: -1.135 - 0.002*rng.Float64(), Y: 0.576}, spike, -0.45), star("a", r2.Vec{}, dent, 0.5+0.01*rng.NormFloat64())
		}
		const k = 1e3
		s := newFaceScene(t, Config{Law: penalty(t, k)}, a, b)
		rest := make([]r2.Vec, len(s.m.X))
		c := s.c
		energy := func(x []r2.Vec) (float64, []onnodes.Force, error) {
			out := onnodes.New(len(x), false)
			err := c.AddForces(out, x, rest, s.search.Pairs(x), 0, 1, Prediction{})
			f := make([]onnodes.Force, len(x))
			for i := range f {
				f[i] = out.At(int32(i))
			}
			return c.Stored, f, err
		}
		x := slices.Clone(s.m.X)
		if _, _, err := energy(x); err != nil || c.Normal == 0 { // too deep, or apart
			continue
		}
		_, f, _ := energy(x)
		touched += c.faces.touched
		for i := range c.faces.chunks {
			sectors += len(c.faces.chunks[i].sectors)
		}
		const h = 1e-7
		for n := range x {
			for j, got := range [2]float64{f[n].F.X, f[n].F.Y} {
				step := [2]r2.Vec{{X: h}, {Y: h}}[j]
				at := x[n]
				x[n] = r2.Add(at, step)
				more, _, err := energy(x)
				x[n] = r2.Sub(at, step)
				less, _, err2 := energy(x)
				x[n] = at
				if want := -(more - less) / (2 * h); err == nil && err2 == nil && math.Abs(got-want) > 1e-5*(k*0.1+math.Abs(want)) {
					t.Errorf("scene %d: force %v on node %d along %d, the energy falls by %v", i, got, n, j, want)
				}
			}
		}
	}
	t.Logf("%d halves touched, %d positions in re-entrant corners", touched, sectors)
	if touched < 50 || sectors < 4 {
		t.Error("that tests nothing")
	}
}

// Faces carry momentum and moment of momentum over, and the work of their forces in a step is that of the
// account to the order of the step, with friction, also where halves come and go, in a re-entrant corner, and
// with an overlap at the start.
func TestFacesKeepTheBooks(t *testing.T) {
	square, dent, spike := []float64{1, 1, 1, 1}, []float64{1, 0.9, 0.3, 0.9, 1, 0.95}, []float64{1, 0.45, 0.45, 0.8, 0.5, 0.45}
	for name, of := range map[string]struct {
		bodies  [2]*mesh.Source
		size    float64 // of the motion
		ratio   float64
		overlap Overlap
	}{
		"regularised": {[2]*mesh.Source{star("a", r2.Vec{}, square, math.Pi/4), star("b", r2.Vec{X: 0.3, Y: math.Sqrt2}, square, math.Pi/4+0.01)}, 1, 0, Overlap{}},
		"stick":       {[2]*mesh.Source{star("a", r2.Vec{}, square, math.Pi/4), star("b", r2.Vec{X: 0.3, Y: math.Sqrt2}, square, math.Pi/4+0.01)}, 1, MindlinRatio, Overlap{}},
		"overlap":     {[2]*mesh.Source{star("a", r2.Vec{}, square, math.Pi/4), star("b", r2.Vec{X: 0.3, Y: math.Sqrt2 - 0.02}, square, math.Pi/4+0.01)}, 1, MindlinRatio, Overlap{Mode: OverlapAllow, Ramp: 0.02}},
		"sector":      {[2]*mesh.Source{star("a", r2.Vec{}, dent, 0.5), star("b", r2.Vec{X: -1.135, Y: 0.576}, spike, -0.45)}, 0.1, MindlinRatio, Overlap{}},
	} {
		t.Run(name, func(t *testing.T) {
			friction := Friction{Kinetic: 0.4, Static: 0.4, Ratio: of.ratio}
			if of.ratio == 0 {
				friction.Speed = 1e-3
			}
			s := newFaceScene(t, Config{Law: penalty(t, 1e3), Friction: friction, Overlap: of.overlap}, of.bodies[0], of.bodies[1])
			if of.overlap.Mode == OverlapAllow {
				if err := s.c.Begin(s.m.X, s.search.Pairs(s.m.X)); err != nil {
					t.Fatal(err)
				}
			}
			x, v := slices.Clone(s.m.X), make([]r2.Vec, len(s.m.X))
			const dt = 5e-5
			var before []onnodes.Force
			work, given := 0.0, 0.0
			sectors := 0
			for step := range 800 {
				at := float64(step) * dt
				for _, n := range s.m.Bodies[1].Nodes {
					v[n] = r2.Scale(of.size, r2.Vec{X: 0.5 + 0.2*x[n].Y, Y: -0.3*math.Cos(100*at) - 0.2*x[n].X})
					x[n] = r2.Add(x[n], r2.Scale(dt, v[n]))
				}
				out := onnodes.New(len(x), false)
				if err := s.c.AddForces(out, x, v, s.search.Pairs(x), at, dt, Prediction{Step: dt}); err != nil {
					t.Fatal(err)
				}
				for i := range s.c.faces.chunks {
					sectors += len(s.c.faces.chunks[i].sectors)
				}
				f := make([]onnodes.Force, len(x))
				var sum r2.Vec
				moment, size := 0.0, 0.0
				for n := range f {
					f[n] = out.At(int32(n))
					sum = r2.Add(sum, f[n].F)
					moment += r2.Cross(x[n], f[n].F)
					size += r2.Norm(f[n].F)
					if before != nil {
						given += 0.5 * dt * r2.Dot(v[n], r2.Add(f[n].F, before[n].F))
					}
				}
				if r2.Norm(sum) > 1e-12*size || math.Abs(moment) > 1e-12*size {
					t.Fatalf("step %d: forces of %v N add up to %v, their moments to %v", step, size, sum, moment)
				}
				if work = s.c.RampWork - (s.c.NormalWork + s.c.FrictionWork); before == nil {
					given = work // of the start
				}
				before = f
			}
			a := s.c.Work()
			t.Logf("forces gave %v J, the account has %v J; friction took %v J; %d positions in re-entrant corners", given, work, a.FrictionLoss(), sectors)
			if a.FrictionLoss() < 1e-7 || math.Abs(given-work) > 2e-3*a.FrictionLoss() || name == "sector" && sectors < 1000 {
				t.Errorf("forces gave %v J, the account has %v J", given, work)
			}
		})
	}
}

// Edges that stick cannot be stretched about their middles: friction pulls their ends back, by the stick
// springs of the two Gauss nodes of each half.
func TestStickingEdgesResistStretching(t *testing.T) {
	const k, size = 1e3, 1e-5
	square := []float64{1, 1, 1, 1}
	friction := Friction{Kinetic: 0.9, Static: 0.9, Ratio: MindlinRatio}
	s := newFaceScene(t, Config{Law: penalty(t, k), Friction: friction}, star("a", r2.Vec{}, square, math.Pi/4), star("b", r2.Vec{Y: math.Sqrt2 - 0.01}, square, math.Pi/4))
	x, v := slices.Clone(s.m.X), make([]r2.Vec, len(s.m.X))
	out := onnodes.New(len(x), false)
	evaluate := func() {
		out = onnodes.New(len(x), false)
		if err := s.c.AddForces(out, x, v, s.search.Pairs(x), 0, 1, Prediction{Step: 1}); err != nil {
			t.Fatal(err)
		}
	}
	evaluate()
	middle := 0.5 * math.Sqrt2
	for _, n := range s.m.Bodies[1].Nodes {
		if x[n].Y > middle { // not one of the two edges on the lower body
			continue
		}
		if v[n].X = size; math.Abs(x[n].X) < 0.1 {
			v[n].X = -size
		}
		x[n].X += v[n].X
	}
	evaluate()
	for _, n := range s.m.Bodies[1].Nodes {
		if v[n].X == 0 {
			continue
		}
		want := -MindlinRatio * k * math.Sqrt2 / 2 * v[n].X / 6 // half of each edge slips by v(1-2u) at u = 1/2 -+ 1/sqrt(12)
		if math.Abs(x[n].X) < 0.1 {
			want *= 2 // of two edges
		}
		if got := out.At(n).F.X; math.Abs(got-want) > 0.2*math.Abs(want) { // the edges are not quite of equal length
			t.Errorf("node %d: friction of %v N, want %v", n, got, want)
		}
	}
}

// A half that sleeps neither touches nor is about to, whatever the bodies do; and this test would find
// such a half.
func TestSleepingFacesMissNothing(t *testing.T) {
	var touched, coming, asleep, missed int
	for i := range 40 {
		for _, cut := range []float64{0, 4} {
			rng := rand.New(rand.NewSource(int64(i)))
			m, step, back := crowd(t, rng)
			var all [2]*Contact
			o := NewOutline(m)
			edges := make([]boundingbox.Edge, len(m.Edges))
			config := Config{Name: "crowd", Law: penalty(t, 1), Nodes: 4, Thickness: 1, Self: true}
			for i, e := range m.Edges {
				edges[i] = boundingbox.Edge{A: e.A, B: e.B, Component: e.Component, Contactor: 1, Opposite: 1, Self: 1}
				config.Contactor = append(config.Contactor, int32(i))
			}
			config.Opposite = config.Contactor
			for j := range all {
				all[j] = New(config, o, m.X, make([]float64, len(m.X)))
			}
			search := boundingbox.New(edges, o.Reach, 20*minimum(o.Depth)*math.Pow(10, -2*rng.Float64()))
			walk := []*boundingbox.Tracker{search.NewTracker()}
			x, v := slices.Clone(m.X), make([]r2.Vec, len(m.X))
			next := Prediction{Step: 1, Approach: 0.05 * o.LookAhead * rng.Float64()}
			for range 40 {
				step(x, v)
				search.Track(walk[0], x, v, 0, int32(len(x)))
				search.Merge(walk)
				pairs := search.PairsAfter(x)
				var found [2][]int32
				failed := false
				for j, c := range all {
					c.prediction = next
					c.listCandidates(pairs, x)
					k := c.faces
					if j == 1 {
						for g := range k.awake { // all are awake
							k.awake[g] = ^uint64(0) >> max(0, 64*(g+1)-len(k.halves))
						}
					}
					failed = c.find(x, v, min(o.LookAhead, predictionSteps*next.Approach)) != nil || k.find(c, true) != nil || failed
					for i := range k.fours {
						f := &k.fours[i]
						for l, n := range f.Half {
							if f.Near>>l&1 != 0 {
								found[j] = append(found[j], n)
								touched += int(f.Touching >> l & 1)
								coming += int(^f.Touching >> l & 1)
							}
						}
					}
					asleep += len(k.halves) - k.up
				}
				if failed {
					back() // too deep: not tested here
					continue
				}
				for _, n := range all[0].faces.chunks[0].asleep {
					w := &all[0].faces.wakes[n]
					w.wake += cut * (w.wake - w.travelled(&all[0].sleep))
				}
				if !slices.Equal(found[0], found[1]) {
					if cut == 0 {
						t.Fatalf("crowd %d: %d halves near, want %d", i, len(found[0]), len(found[1]))
					}
					missed++
				}
			}
		}
	}
	t.Logf("%d halves touched, %d to come, %d sleepers; %d steps missed something with a bound five times as far", touched, coming, asleep, missed)
	if touched < 1000 || coming < 500 || asleep < 1000 || missed == 0 {
		t.Error("that tests nothing")
	}
}
