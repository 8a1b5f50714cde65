package solver

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/spatial/r2"
)

// ScheduleError reports a load whose factor over time is not finite.
type ScheduleError struct {
	Load string // on what it acts
	Step int64
	Time float64 // [s]
}

func (e *ScheduleError) Error() string {
	return fmt.Sprintf("step %d, t = %.6g s: the load on %q has no finite value", e.Step, e.Time, e.Load)
}

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
func (l *load) add(s *Solver) error {
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
	if err := l.evaluate(s); err != nil {
		return err
	}
	book()
	s.Ledger.book(l.source, work)
	l.apply(s)
	return nil
}

// evaluate sets the forces to those at Time and X. It fails where the schedule
// has no finite value.
func (l *load) evaluate(s *Solver) error {
	factor := 1.0
	if l.Schedule != nil {
		if factor = l.Schedule(s.Time); math.IsNaN(factor) || math.IsInf(factor, 0) {
			return &ScheduleError{l.On, s.N, s.Time}
		}
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
	return nil
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
