package solver

import "gonum.org/v1/gonum/spatial/r2"

// load is a Load with the force it put on each of its nodes at the last
// evaluation, from which the ledger takes the external work.
type load struct {
	*Load
	nodes   []int32
	slot    [][2]int32 // per edge: places of its two nodes in nodes
	force   []r2.Vec   // per node [N]
	moment  []float64  // per node [N m]; nil for none
	measure float64    // thickness of the edges [m]
	source  int        // its place in the ledger
}

func newLoad(l *Load, m *Model) *load {
	p := &load{Load: l, nodes: l.Nodes, measure: m.Thickness}
	place := make(map[int32]int32) // looked up, never iterated
	at := func(n int32) int32 {
		k, ok := place[n]
		if !ok {
			k = int32(len(p.nodes))
			place[n] = k
			p.nodes = append(p.nodes, n)
		}
		return k
	}
	for _, i := range l.Edges {
		e := m.Mesh.Edges[i]
		p.slot = append(p.slot, [2]int32{at(e.A), at(e.B)})
	}
	p.force = make([]r2.Vec, len(p.nodes))
	if l.Moment != 0 {
		p.moment = make([]float64, len(p.nodes))
	}
	return p
}

// add books the work of the load over the last step and adds its force at
// Time. A pressure acts on the edges where they are now.
func (l *load) add(s *Solver) {
	half := 0.5 * s.Last
	work := 0.0
	book := func() {
		for i, n := range l.nodes {
			f, v := l.force[i], s.V[n]
			work += float64(half * (float64(f.X*v.X) + float64(f.Y*v.Y)))
		}
		for i, m := range l.moment {
			work += float64(half * m * s.Spin[l.nodes[i]])
		}
	}
	book()
	l.evaluate(s)
	book()
	s.Ledger.book(l.source, work)
	l.apply(s)
}

// evaluate sets the forces to those at Time and X.
func (l *load) evaluate(s *Solver) {
	factor := 1.0
	if l.Schedule != nil {
		factor = l.Schedule(s.Time)
	}
	for i := range l.Weights {
		w := factor * l.Weights[i]
		l.force[i] = r2.Vec{X: w * l.Force.X, Y: w * l.Force.Y}
	}
	for i := range l.moment {
		l.moment[i] = factor * l.Weights[i] * l.Moment
	}
	if len(l.Edges) > 0 {
		clear(l.force)
		p := 0.5 * factor * l.Pressure * l.measure
		for i, k := range l.slot {
			e := s.Mesh.Edges[l.Edges[i]]
			a, b := s.X[e.A], s.X[e.B]
			// inward normal times length: the edge turned left by 90 degrees
			fx, fy := float64(p*(a.Y-b.Y)), float64(p*(b.X-a.X))
			for _, j := range k {
				l.force[j].X += fx
				l.force[j].Y += fy
			}
		}
	}
}

// apply adds the forces to those of the solver.
func (l *load) apply(s *Solver) {
	for i, n := range l.nodes {
		s.f[n].X += l.force[i].X
		s.f[n].Y += l.force[i].Y
	}
	for i, m := range l.moment {
		s.beams.moment[l.nodes[i]] += m
	}
}
