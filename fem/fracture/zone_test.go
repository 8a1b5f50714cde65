package fracture

import (
	"math"
	"slices"
	"sync"
	"testing"

	"fdem/fem"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// A body that can break and does not moves bit for bit like one that cannot, whose nodes are stored
// without gaps.
func TestIntactBits(t *testing.T) {
	n := scattered(0.06, 0.04, 4e-3, 1)
	b := newBody(t, n, bar(), everywhere)
	id, material := make([]int32, len(n.tri)), make([]int32, len(n.tri))
	m := bulk.Elastic{Young: 40e9, Density: 2500}
	plain, err := fem.NewTriangles(n.x, n.tri, id, material, []bulk.Moduli{m.Moduli(bulk.PlaneStress)}, []float64{2500}, 1)
	if err != nil {
		t.Fatal(err)
	}
	x, v, f, mass := slices.Clone(n.x), make([]r2.Vec, len(n.x)), make([]r2.Vec, len(n.x)), plain.Masses()
	dt := 1.5 / math.Sqrt(b.omega2)
	for i := range x {
		v[i] = r2.Vec{X: 0.12 * math.Sin(300*x[i].Y), Y: 0.12 * math.Cos(200*x[i].X)}
		b.v[b.vertices[i]] = v[i]
	}
	motion := fem.Leapfrog{X: x, V: v, F: f, Mass: mass, Held: make([]uint8, len(x)), End: int32(len(x))}
	roomy := fem.Leapfrog{X: b.x, V: b.v, F: b.f, Mass: b.mass, Held: make([]uint8, len(b.x)), End: int32(len(b.x))}
	whole := plain.Subdomains(1)[0]
	parts := b.t.Subdomains(3)
	greatest := 0.0
	for range 200 {
		if !whole.SetForces(&motion) {
			t.Fatal("turned inside out")
		}
		whole.Move(&motion, dt, dt)
		for _, p := range parts {
			if !p.SetForces(&roomy) {
				t.Fatal("turned inside out")
			}
		}
		b.AddForces(b.f, b.x, b.time)
		if k := b.Open(b.x, b.v, b.mass, b.time); k > 0 {
			t.Fatalf("%d vertices open", k)
		}
		for i := range n.tri {
			s := b.t.Stress(i, b.x, bulk.PlaneStress)
			greatest = math.Max(greatest, b.regions[0].Law.Greatest(s.XX, s.YY, s.XY))
		}
		for _, p := range parts {
			p.Move(&roomy, dt, dt)
		}
	}
	for i, p := range b.vertices {
		if x[i] != b.x[p] || v[i] != b.v[p] || mass[i] != b.mass[p] {
			t.Fatalf("node %d is at %v with %v, want %v with %v", i, b.x[p], b.v[p], x[i], v[i])
		}
	}
	if greatest < 0.3 || greatest > 1 {
		t.Errorf("the strength is used by %g: too far from breaking, or broken", greatest)
	}
}

// A run goes on from a state bit for bit as it would have, at any moment.
func TestRestore(t *testing.T) {
	n := scattered(0.06, 0.04, 4e-3, 2)
	make := func() *body {
		b, _, _ := bent(t, net{slices.Clone(n.x), slices.Clone(n.tri)}, false, 0.02)
		return b
	}
	whole := make()
	whole.run(t, 250e-6, nil)
	if whole.Cracks() < 5 {
		t.Fatalf("%d cracks: too few to tell", whole.Cracks())
	}
	for stop := 20; stop < whole.steps; stop += whole.steps / 12 {
		first := make()
		first.run(t, 250e-6, func() bool { return first.steps < stop })
		second := make()
		if err := second.Restore(first.State(), second.mass); err != nil {
			t.Fatal(err)
		}
		copy(second.x, first.x)
		copy(second.v, first.v)
		for _, q := range second.NodeSplits() {
			second.fixed[q.Node] = second.fixed[q.Of]
		}
		second.time, second.last, second.steps = first.time, first.last, first.steps
		if !slices.Equal(first.mass, second.mass) || first.limit != second.limit {
			t.Fatalf("step %d: masses or the limit differ", stop)
		}
		second.run(t, 250e-6, nil)
		if second.steps != whole.steps || !slices.Equal(second.x, whole.x) || !slices.Equal(second.v, whole.v) {
			t.Fatalf("stopped at step %d the run goes on otherwise", stop)
		}
		if a, b := second.Energies(), whole.Energies(); a != b {
			t.Fatalf("step %d: energies %v, want %v", stop, a, b)
		}
	}
	// a state that does not fit this model is refused
	s := whole.State()
	for name, spoil := range map[string]func(s *State){
		"no vertex":       func(s *State) { s.Opened[0] = -1 },
		"another vertex":  func(s *State) { s.Opened[0]++ },
		"another spoke":   func(s *State) { s.Opened[1] += 100 },
		"the same twice":  func(s *State) { copy(s.Opened[3:6], s.Opened[:3]) },
		"a time short":    func(s *State) { s.Times = s.Times[1:] },
		"a point short":   func(s *State) { s.Points = s.Points[1:] },
		"a point more":    func(s *State) { s.Points = append(s.Points, s.Points[:pointValues]...) },
		"a crack short":   func(s *State) { s.Broken = s.Broken[1:] },
		"an apart short":  func(s *State) { s.Apart = s.Apart[1:] },
		"a parting short": func(s *State) { s.Parting = s.Parting[1:] },
		"a node too many": func(s *State) { s.Opened[0] = 1 << 30 },
	} {
		bad := State{slices.Clone(s.Opened), slices.Clone(s.Times), s.Taken, slices.Clone(s.Points), slices.Clone(s.Broken), slices.Clone(s.Left), slices.Clone(s.Apart), slices.Clone(s.Parting), slices.Clone(s.Emitted), slices.Clone(s.Stands)}
		spoil(&bad)
		b := make()
		if err := b.Restore(bad, b.mass); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A cracked body that is turned round feels the same forces, turned, and has the
// same energies: turning costs no work.
func TestTurned(t *testing.T) {
	b, _, _ := bent(t, rows(0.06, 0.04, 2e-3, 0.3, 1, false), false, 0.02)
	b.run(t, 200e-6, nil)
	clear(b.f)
	b.AddForces(b.f, b.x, b.time)
	want, energies, x := slices.Clone(b.f), b.Energies(), slices.Clone(b.x)
	if b.Cracks() < 5 {
		t.Fatalf("%d cracks: too few to tell", b.Cracks())
	}
	force, moment, scale := r2.Vec{}, 0.0, 0.0
	for i, f := range want {
		force = r2.Add(force, f)
		moment += r2.Cross(x[i], f)
		scale = math.Max(scale, r2.Norm(f))
	}
	if r2.Norm(force) > 1e-12*scale || math.Abs(moment) > 1e-12*scale {
		t.Errorf("cracks push the body with %v N and turn it with %g N m, of forces of %g N", force, moment, scale)
	}
	for k := 1; k <= 36; k++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / 36)
		for i, p := range x {
			b.x[i] = r2.Vec{X: cos*p.X - sin*p.Y, Y: sin*p.X + cos*p.Y}
		}
		clear(b.f)
		b.AddForces(b.f, b.x, b.time)
		for i, f := range want {
			if turned := (r2.Vec{X: cos*f.X - sin*f.Y, Y: sin*f.X + cos*f.Y}); r2.Norm(r2.Sub(turned, b.f[i])) > 1e-8*scale {
				t.Fatalf("turned by %d of 36: node %d feels %v, want %v", k, i, b.f[i], turned)
			}
		}
		if e := b.Energies(); math.Abs(e.Fracture-energies.Fracture) > 1e-9*energies.Fracture || math.Abs(e.Stored-energies.Stored) > 1e-8*energies.Fracture {
			t.Fatalf("turned by %d of 36: energies %v, want %v", k, e, energies)
		}
	}
}

// Two halves that are joined by a plane of nearly no strength move like two bodies that were never
// joined.
func TestNoStrength(t *testing.T) {
	const h = 5e-3
	side := h * 2 / math.Sqrt(3)
	s := bar()
	s.law = cohesive.Parameters{TensileStrength: 5e3, Cohesion: 15e3, EnergyTension: 1e-2, EnergyShear: 1e-2, Mixed: 1, Softening: "linear"}
	n := rows(0.4, 4*side, side, 0, 1, true)
	b := newBody(t, n, s, func(p, q r2.Vec) bool { return math.Abs(p.X-0.2) < 1e-6 && math.Abs(q.X-0.2) < 1e-6 })
	right := make([]bool, len(b.nodes))
	for i, q := range b.nodes {
		right[i] = b.x0[q[0]].X+b.x0[q[1]].X+b.x0[q[2]].X > 0.6
	}
	for i := range b.x {
		if b.x0[i].X > 0.2+1e-6 {
			b.v[i].X = 0.1
		} else if math.Abs(b.x0[i].X-0.2) < 1e-6 {
			b.v[i].X = 0.05
		}
	}
	b.run(t, 500e-6, nil)
	var momentum, mass [2]float64
	for i, q := range b.nodes {
		k := 0
		if right[i] {
			k = 1
		}
		for _, node := range q {
			momentum[k] += b.Zone.mass[i] * b.v[node].X
			mass[k] += b.Zone.mass[i]
		}
	}
	// the plane's nodes begin with the mean velocity
	start := 0.5 * 0.1 * (h / 0.2) / 2
	for k, want := range [2]float64{start, 0.1 - start} {
		if v := momentum[k] / mass[k]; math.Abs(v-want) > 1e-3 {
			t.Errorf("half %d moves at %g m/s, want %g", k, v, want)
		}
	}
}

// A plate shatters with the same bits, for any number of workers.
func TestWorkers(t *testing.T) {
	var first []r2.Vec
	for _, workers := range []int{1, 2, 3, 8} {
		b := newBody(t, rows(0.04, 0.03, 1e-3, 0.3, 1, false), bar(), everywhere)
		b.Workers(workers, func(do func(worker int)) {
			var all sync.WaitGroup
			for w := range workers {
				all.Go(func() { do(w) })
			}
			all.Wait()
		})
		for i, p := range b.x0 {
			if b.mass[i] > 0 {
				b.v[i] = r2.Scale(400, r2.Sub(p, r2.Vec{X: 0.02, Y: 0.015}))
			}
		}
		b.run(t, 6e-6, nil)
		if b.Cracks() < 2*fewCracks {
			t.Fatalf("%d cracks: too few to share", b.Cracks())
		}
		if first == nil {
			first = slices.Clone(b.x)
		} else if !slices.Equal(first, b.x) {
			t.Errorf("%d workers move other bits than one", workers)
		}
	}
}

// A crack along a given seam follows any bend: a wedge between two lines at 60 degrees comes off
// whole.
func TestLedRoundABend(t *testing.T) {
	const side, h = 0.02, 1e-3
	n := rows(side, side, h, 0, 1, false)
	row := side / 24.0 // height of a row of triangles
	tip := r2.Vec{X: 12 * h, Y: 10 * row}
	slope := h / 2 / row
	below := func(p r2.Vec) bool { return math.Abs(p.Y-tip.Y) < 1e-9 && p.X < tip.X+1e-9 }
	beside := func(p r2.Vec) bool {
		return p.Y > tip.Y-1e-9 && math.Abs(p.X-tip.X+slope*(p.Y-tip.Y)) < 1e-9
	}
	s := bar()
	s.led = true
	b := newBody(t, n, s, func(p, q r2.Vec) bool { return below(p) && below(q) || beside(p) && beside(q) })
	for i := range b.x {
		if p := b.x0[i]; p.Y > tip.Y+1e-9 && p.X < tip.X-slope*(p.Y-tip.Y)-1e-9 {
			b.v[i] = r2.Vec{X: -2, Y: 2}
		}
	}
	b.run(t, 60e-6, nil)
	if fragments := b.Fragments(make([]int32, len(b.nodes))); fragments != 2 {
		t.Errorf("%d fragments, %d edges open", fragments, b.Cracks())
	}
}
