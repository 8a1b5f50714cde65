package constraints

import (
	"fmt"
	"slices"

	"fdem/fem/mortar"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Ties that come and go. A tie that is installed during a run keeps the gap that it finds: its
// constraints are those of the positions of that moment. Velocities agree from then on, as after a
// perfectly plastic impact; what is lost goes out as work. When it is taken out, its forces of that
// moment go on and fade. Contact between its edges acts as between any others.

// tieState is the state of the ties that come and go.
type tieState struct {
	system.Stages
	holding []bool   // per Tie of the model: it holds
	Found   []r2.Vec // positions of the nodes of all ties that come or go, at their installation [m]
	Left    []r2.Vec // forces on these nodes as their tie is taken out [N]
}

// stagedTie is a tie that comes or goes.
type stagedTie struct {
	tie    int     // its number in the model
	nodes  []int32 // ascending
	first  int     // of these in the state
	begins bool    // in this step
	rows   [2]int  // the range of its rows
	kept   int64   // the step whose forces it has left
}

// makeStages prepares the ties that come and go, and joins those that are there at the start.
func (k *Ties) makeStages() {
	for i := range k.list {
		t := &k.list[i]
		k.state.holding = append(k.state.holding, t.From == 0)
		if !t.Staged() {
			continue
		}
		s := stagedTie{tie: i, first: len(k.state.Found)}
		for _, e := range slices.Concat(t.On, t.To) {
			s.nodes = append(s.nodes, k.Mesh.Edges[e].A, k.Mesh.Edges[e].B)
		}
		slices.Sort(s.nodes)
		s.nodes = slices.Compact(s.nodes)
		for _, n := range s.nodes {
			k.state.Found, k.state.Left = append(k.state.Found, k.Mesh.X[n]), append(k.state.Left, r2.Vec{})
		}
		k.state.Add(&k.Ledger, "tie "+t.Name, &t.When)
		k.state.Begun[len(k.staged)] = t.From == 0
		k.staged = append(k.staged, s)
	}
	k.join()
}

// join collects the constraints of the ties that hold, and factorises them.
func (k *Ties) join() {
	k.rows, k.penalty, k.driven = k.rows[:0], k.penalty[:0], k.driven[:0]
	for i := range k.list {
		t := &k.list[i]
		if !k.state.holding[i] {
			continue
		}
		rows, spread := t.Rows, t.Spread
		at := slices.IndexFunc(k.staged, func(s stagedTie) bool { return s.tie == i })
		if at >= 0 && t.From > 0 {
			found := k.facing(&k.staged[at])
			rows, spread = found.Rows, found.Spread
		}
		if at >= 0 {
			k.staged[at].rows = [2]int{len(k.rows), len(k.rows) + len(rows)}
		}
		wide := slices.Max(spread)
		for j, r := range rows { // a gap causes the same traction everywhere
			k.rows = append(k.rows, r)
			k.penalty = append(k.penalty, tiePenalty*t.Young*k.Thickness/(wide*spread[j]))
			k.driven = append(k.driven, slices.ContainsFunc(r.Terms, func(term mortar.Term) bool { return k.isDriven(term.Node) }))
		}
	}
	k.of = make([]r2.Vec, len(k.rows))
	k.Joined++
	if k.Static == nil {
		k.held = mortar.NewHeld(k.rows, k.Inverse)
	}
}

// facing finds how the edges of a tie face one another in the positions of its installation.
func (k *Ties) facing(s *stagedTie) mortar.Found {
	t, x := &k.list[s.tie], slices.Clone(k.Mesh.X)
	for j, n := range s.nodes {
		x[n] = k.state.Found[s.first+j]
	}
	ends := func(edges []int32) (out [][2]int32) {
		for _, e := range edges {
			out = append(out, [2]int32{k.Mesh.Edges[e].A, k.Mesh.Edges[e].B})
		}
		return out
	}
	return mortar.Tie(x, ends(t.On), ends(t.To), t.Within)
}

// stage takes out the ties whose time was over in the last step, and installs those whose time has come.
func (k *Ties) stage() error {
	changed := false
	for i := range k.staged {
		s := &k.staged[i]
		t := &k.list[s.tie]
		s.begins = false
		if k.state.holding[s.tie] && t.Until > 0 && k.Time-k.Last >= t.Until {
			if k.Static != nil { // what the penalty stores goes with it
				k.state.Record(i, -k.strained(s.rows[0], s.rows[1]))
			}
			k.state.holding[s.tie], changed = false, true
		}
		if !k.state.Due(i, k.Time) {
			continue
		}
		for j, n := range s.nodes {
			k.state.Found[s.first+j] = k.X[n]
		}
		if found := k.facing(s); len(found.Alone) > 0 {
			x := k.X[found.Alone[0]]
			return fmt.Errorf("tie %q cannot be installed: %d of the %d nodes of its first curve have no edge of the other within its gap, the first at (%.6g, %.6g) m", t.Name, len(found.Alone), len(found.Alone)+len(found.Rows), x.X, x.Y)
		}
		k.state.Install(i, 0, 0, 1)
		k.state.holding[s.tie], s.begins, changed = true, true, true
	}
	if changed {
		k.join()
	}
	return nil
}

// fade adds the forces that ties have left. With commit it records their work in the last step.
func (k *Ties) fade(commit bool) {
	for i := range k.staged {
		s := &k.staged[i]
		if k.state.Choose(i, k.Time); k.state.holding[s.tie] || !k.state.Lingers(i) {
			continue
		}
		power, left := 0.0, k.state.Left[s.first:]
		for j, n := range s.nodes {
			k.AddForce(nodes.Vertex(n), r2.Scale(k.state.Now[i], left[j]))
			power += float64(left[j].X*k.V[n].X) + float64(left[j].Y*k.V[n].Y)
		}
		if commit {
			k.state.Spend(i, k.Last, power)
		}
	}
}

// keep keeps the forces of ties whose time is over, and records the work of those that begin: their
// forces on the velocities of half a step ago, which do not agree yet. rates has room for forces.
func (k *Ties) keep(rates []r2.Vec) {
	for i := range k.staged {
		s := &k.staged[i]
		t := &k.list[s.tie]
		ends := k.state.holding[s.tie] && t.Until > 0 && k.Time >= t.Until
		if !ends && !s.begins {
			continue
		}
		for _, n := range s.nodes {
			rates[n] = r2.Vec{}
		}
		k.pushRows(rates, -1, s.rows[0], s.rows[1])
		power, more := 0.0, s.kept == k.N // the second time in a step, for absorbing edges
		s.kept = k.N
		for j, n := range s.nodes {
			if f := rates[n]; ends {
				if left := &k.state.Left[s.first+j]; more {
					*left = r2.Add(*left, f)
				} else {
					*left = f
				}
			} else {
				power += float64(f.X*k.V[n].X) + float64(f.Y*k.V[n].Y)
			}
		}
		if s.begins {
			k.state.Record(i, float64(0.5*k.Last*power))
		}
	}
}

// StateParts lists the state of ties that come and go.
func (k *Ties) StateParts() []system.Part {
	if len(k.staged) == 0 {
		return nil
	}
	return append(k.state.StateParts("tie"), system.Part{Name: "tie.holding", Values: &k.state.holding}, system.Part{Name: "tie.found", Values: k.state.Found}, system.Part{Name: "tie.left", Values: k.state.Left})
}

// Recompute finds the constraints of the ties that hold.
func (k *Ties) Recompute() error {
	if len(k.staged) > 0 {
		k.join()
	}
	return nil
}
