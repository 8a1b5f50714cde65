package segments

import (
	"math"
	"math/rand/v2"
	"testing"

	"fdem/boundingbox"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/pairs"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// scene is some polygons, and a contact of all with all.
type scene struct {
	*Contact
	x, v     []r2.Vec
	edges    []mesh.Edge
	friction coulomb.Friction
	travel   *boundingbox.Travel
}

func (s *scene) add(x []r2.Vec) {
	first, node, component := int32(len(s.edges)), int32(len(s.x)), int32(0)
	if first > 0 {
		component = s.edges[first-1].Component + 1
	}
	n := int32(len(x))
	for i := range n {
		s.edges = append(s.edges, mesh.Edge{A: node + i, B: node + (i+1)%n, Prev: first + (i+n-1)%n, Next: first + (i+1)%n, Component: component, Body: component})
	}
	s.x = append(s.x, x...)
}

// begin makes the contact, with all pairs of edges of different polygons.
func (s *scene) begin(roof float64) {
	c := Config{Edges: s.edges, Stiffness: 3, MaxDepth: 1e9, Positions: []float64{0.25, 0.75}}
	var near []boundingbox.Edge
	var from []Candidate
	for i, e := range s.edges {
		c.Depth = append(c.Depth, roof)
		c.Area = append(c.Area, 2*elementary.Norm(r2.Sub(s.x[e.B], s.x[e.A])))
		c.Mobility = append(c.Mobility, 1)
		near = append(near, boundingbox.Edge{A: e.A, B: e.B, Component: e.Component})
		for j := range i {
			if s.edges[j].Component != e.Component {
				from = append(from, Candidate{I: int32(i), J: int32(j), Share: [2]float64{0.5, 0.5}, Side: [2]float64{1, -1}})
			}
		}
	}
	s.Contact = New(c, nil)
	s.travel = boundingbox.NewTravel(near)
	s.List(from, s.travel)
	s.v = make([]r2.Vec, len(s.x))
}

func polygon(rng *rand.Rand, kind int) (x []r2.Vec) {
	switch kind {
	case 0: // star
		for i := range 10 {
			r := [2]float64{1.2, 0.6}[i%2]
			sin, cos := math.Sincos(math.Pi * float64(i) / 5)
			x = append(x, r2.Vec{X: r * cos, Y: r * sin})
		}
	case 1: // angle
		for _, q := range [][2]float64{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}} {
			x = append(x, r2.Vec{X: q[0] - 0.8, Y: q[1] - 0.8})
		}
	default:
		n := 3 + rng.IntN(5)
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.8*rng.Float64()) / float64(n))
			x = append(x, r2.Vec{X: cos, Y: sin})
		}
	}
	angle := 2 * math.Pi * rng.Float64()
	for i := range x {
		x[i] = elementary.Rotate(x[i], angle)
	}
	return x
}

func meeting(rng *rand.Rand) *scene {
	s := &scene{}
	s.add(polygon(rng, rng.IntN(4)))
	b := polygon(rng, rng.IntN(4))
	sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
	away := 1.5 + 0.6*rng.Float64()
	for i := range b {
		b[i] = r2.Add(b[i], r2.Vec{X: away * cos, Y: away * sin})
	}
	s.add(b)
	s.begin(0.04)
	return s
}

// evaluate returns the forces on the nodes.
func (s *scene) evaluate(t *testing.T, commit bool, dt float64) []r2.Vec {
	t.Helper()
	if e := s.Evaluate(Step{X: s.x, V: s.v, DT: dt, Next: Next{Approach: 1e-3, Step: 1e-3, Energy: 1}, LookAhead: 0.01, Commit: commit, Friction: &s.friction}); e != nil {
		t.Fatal(e)
	}
	out := make([]r2.Vec, len(s.x))
	s.EachNode(func(n int32, f r2.Vec, _ float64) { out[n] = f })
	return out
}

// Energies and forces are those of package pairs, in random configurations with convex and re-entrant
// corners, and with depths beyond the limit of an edge.
func TestLikePackagePairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	beyond, sectors := 0, 0
	for count := 0; count < 400; {
		s := meeting(rng)
		got := s.evaluate(t, true, 0)
		o := &pairs.Outline{X: s.x, Edges: s.outline.Edges}
		o.UpdateAll()
		want, energy, length := make([]r2.Vec, len(s.x)), 0.0, 0.0
		var h pairs.Half
		for i := range s.pairs {
			p := &s.pairs[i]
			for own := range p.edge {
				if h.Find(o, p.edge[own], p.edge[1-own], 0) {
					energy += h.Energy(p.stiffness[own], want)
				}
				if h.FindSector(o, p.edge[own], p.edge[1-own], 0) {
					energy += h.Energy(p.stiffness[own], want)
					sectors++
				}
				for _, q := range h.Points {
					if q.Falls {
						beyond++
					}
				}
			}
		}
		if energy == 0 {
			if s.Stored != 0 {
				t.Fatalf("energy %g, want none", s.Stored)
			}
			continue
		}
		count++
		for _, f := range want {
			length = max(length, elementary.Norm(f))
		}
		if math.Abs(s.Stored/energy-1) > 1e-11 {
			t.Errorf("energy %g, want %g", s.Stored, energy)
		}
		for n := range want {
			if off := elementary.Norm(r2.Sub(got[n], want[n])); off > 1e-11*length {
				t.Errorf("force %v on node %d, want %v", got[n], n, want[n])
			}
		}
	}
	if beyond == 0 || sectors == 0 {
		t.Errorf("%d beyond the limit, %d at re-entrant corners: too few to test", beyond, sectors)
	}
}

// With friction and velocities momenta are zero, the power of the forces of friction is the friction
// times the slip, and the stiffness of the nodes bounds the second derivative of the energy.
func TestMomentaAndPower(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for count := 0; count < 200; {
		s := meeting(rng)
		for i := range s.v {
			s.v[i] = r2.Vec{X: rng.Float64() - 0.5, Y: rng.Float64() - 0.5}
		}
		normal := s.evaluate(t, false, 1e-3)
		s.friction = coulomb.Friction{Kinetic: 0.4, Static: 0.4, Speed: 1e-3}
		rough := s.evaluate(t, true, 1e-3)
		if len(s.touches) == 0 {
			continue
		}
		count++
		power, want := 0.0, 0.0
		var sum r2.Vec
		moment, all := 0.0, 0.0
		for n := range rough {
			f := r2.Sub(rough[n], normal[n])
			power += elementary.Dot(f, s.v[n])
			sum, moment, all = r2.Add(sum, rough[n]), moment+elementary.Cross(s.x[n], rough[n]), all+elementary.Norm(rough[n])
		}
		for _, n := range s.touched {
			want += s.groups[n].stick.Friction * s.groups[n].slip
		}
		if math.Abs(power-want) > 1e-12*all {
			t.Errorf("friction has the power %g, want %g", power, want)
		}
		if max(elementary.Norm(sum), math.Abs(moment)) > 1e-13*all {
			t.Errorf("the forces have a resultant %v and a moment %g", sum, moment)
		}
		if !(want <= 0) {
			t.Errorf("friction drives, with %g W", want)
		}
	}
}

// A pair that sleeps has nothing: an evaluation with sleeping pairs has the same bits as one of all
// pairs.
func TestSleepingPairsMissNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	asleep := 0
	for range 60 {
		s := meeting(rng)
		all := &scene{edges: s.edges, x: s.x}
		all.begin(0.04)
		turn := r2.Vec{X: rng.Float64() - 0.5, Y: rng.Float64() - 0.5}
		for step := range 120 {
			for n := range s.x {
				v := times(0.3, turn)
				if s.edgeOf(n).Component == 1 {
					v = r2.Vec{X: -v.X - 0.2*s.x[n].Y, Y: -v.Y + 0.2*s.x[n].X}
				}
				s.v[n] = v
				s.x[n] = r2.Add(s.x[n], times(2e-3, v))
			}
			s.travelled(2e-3)
			got := s.evaluate(t, true, 2e-3)
			asleep += 2*len(s.pairs) - len(s.awake)
			all.x, all.v = s.x, s.v
			for i := range all.sleep.until[:2*len(all.pairs)] {
				all.sleep.until[i] = -1
			}
			want := all.evaluate(t, true, 2e-3)
			if s.Stored != all.Stored || s.ImpactLoss != all.ImpactLoss {
				t.Fatalf("step %d: energy %g and loss %g, want %g and %g", step, s.Stored, s.ImpactLoss, all.Stored, all.ImpactLoss)
			}
			for n := range want {
				if got[n] != want[n] {
					t.Fatalf("step %d: force %v on node %d, want %v", step, got[n], n, want[n])
				}
			}
		}
	}
	if asleep == 0 {
		t.Error("no pair has slept")
	}
}

func (s *scene) edgeOf(node int) mesh.Edge {
	for _, e := range s.edges {
		if int(e.A) == node {
			return e
		}
	}
	panic("no edge")
}

// travelled adds the motion of a step to the travels.
func (s *scene) travelled(dt float64) {
	w := s.travel
	w.FastestLast = 0
	for p := range w.Last {
		w.Last[p], w.Speed[p] = 0, 0
	}
	for n := range s.x {
		p := s.edgeOf(n).Component
		w.Speed[p] = max(w.Speed[p], elementary.Norm(s.v[n]))
		w.Last[p] = w.Speed[p] * dt
	}
	for p := range w.Last {
		w.Total[p] += w.Last[p]
		w.FastestLast = max(w.FastestLast, w.Last[p])
	}
	w.Fastest += w.FastestLast
}

// A contact that goes on from the columns of another one has the same bits: friction that sticks and
// slides, its work, offsets that are ramped out, and peaks.
func TestRestore(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	rubbed := 0.0
	for range 40 {
		s := meeting(rng)
		s.friction = coulomb.Friction{Kinetic: 0.3, Static: 0.4, Ratio: 2.0 / 3, Brake: 0.5}
		s.evaluate(t, false, 0)
		s.BeginOffsets()
		var again *scene
		for step := range 40 {
			for n := range s.x {
				v := r2.Vec{X: 0.02 * math.Sin(0.3*float64(step)), Y: -0.01}
				if s.edgeOf(n).Component == 0 {
					v = r2.Vec{}
				}
				s.v[n], s.x[n] = v, r2.Add(s.x[n], times(0.01, v))
			}
			s.travelled(0.01)
			at := Step{X: s.x, V: s.v, T: 0.01 * float64(step), DT: 0.01, Next: Next{Approach: 1e-3, Step: 1e-3}, LookAhead: 0.01, Commit: true, Friction: &s.friction, Ramp: 0.2}
			if e := s.Evaluate(at); e != nil {
				t.Fatal(e)
			}
			rubbed += math.Abs(s.FrictionWork)
			switch {
			case step == 15:
				again = &scene{edges: s.edges, x: s.x}
				again.begin(0.04)
				columns := s.Columns()
				again.State = State{StoredBefore: s.StoredBefore, PeakEdges: s.PeakEdges, Peaks: append([]float64(nil), s.Peaks...), Peak: s.Peak}
				again.Area = s.Area
				if !again.Restore(&columns) {
					t.Fatal("the columns do not belong to each other")
				}
				again.List(s.candidates(), again.travel)
			case step > 15:
				if e := again.Evaluate(at); e != nil {
					t.Fatal(e)
				}
				if again.Sums != s.Sums || again.Peak != s.Peak {
					t.Fatalf("step %d: %+v, want %+v", step, again.Sums, s.Sums)
				}
			}
		}
	}
	if rubbed == 0 {
		t.Error("nothing rubbed")
	}
}

// candidates returns the pairs of the scene.
func (s *scene) candidates() (out []Candidate) {
	for i := range s.pairs {
		p := &s.pairs[i]
		out = append(out, Candidate{I: p.edge[0], J: p.edge[1], Share: [2]float64{0.5, 0.5}, Side: [2]float64{float64(p.side[0]), float64(p.side[1])}})
	}
	return out
}
