package constraints

import (
	"fmt"

	"fdem/contactnodes/motion"
	"fdem/materials/elementary"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fixes that come and go. A fix that is installed during a run holds its nodes where they are then: a
// node that moves stops at once, and its kinetic energy goes out as work. When it is taken out, its
// reactions of that moment go on as forces and fade, so that nothing jumps; what they do is work from
// outside. The nodes have their own mass in all bounds of the step.

// fixState is the state of the fixes that come and go.
type fixState struct {
	system.Stages
	stopped []float64 // momentum that nodes have lost as each fix began, and its moment, of which reactions consist [kg m/s], [kg m2/s]
}

// stagedFix is a fix that comes or goes.
type stagedFix struct {
	*models.Fix
	fix     int // its number in the model
	group   nodes.Group
	inverse []float64 // 1/inertia of its nodes while they are free [1/(kg m2)]
	left    []r2.Vec  // its reactions as it is taken out, per vertex [N]
	turn    []float64 // moments [N m]
}

// makeStages prepares the fixes that come and go. Those that are there at the start begin to hold.
func (k *Supports) makeStages() {
	k.Holding = make([]bool, len(k.fixes))
	for i := range k.fixes {
		f := &k.fixes[i]
		if k.Holding[i] = !f.Staged(); k.Holding[i] {
			continue
		}
		s := stagedFix{Fix: f, fix: i, group: nodes.Group{Of: f.Nodes, Corners: f.Corners}, left: make([]r2.Vec, len(f.Nodes)), turn: make([]float64, len(f.Nodes))}
		if f.Rotation {
			for _, n := range f.Nodes {
				s.inverse = append(s.inverse, k.InverseInertias[n])
			}
		}
		k.state.Add(&k.Ledger, "fix "+f.Name, &f.When)
		k.state.stopped = append(k.state.stopped, 0, 0, 0)
		k.staged = append(k.staged, s)
		if f.From == 0 {
			k.state.Begun[len(k.staged)-1], k.Holding[i] = true, true
			k.bind(&k.staged[len(k.staged)-1])
		}
	}
}

// bind holds the nodes of a fix, which stop.
func (k *Supports) bind(s *stagedFix) {
	if k.Static != nil { // see Stop
		return
	}
	for _, n := range k.Nodes(&s.group) {
		if s.X {
			k.Held[n], k.V[n].X = k.Held[n]|motion.HeldX, 0
		}
		if s.Y {
			k.Held[n], k.V[n].Y = k.Held[n]|motion.HeldY, 0
		}
		if s.Rotation {
			k.InverseInertias[n], k.Spin[n] = 0, 0
		}
	}
}

// unbind frees the nodes of a fix, apart from those that excavation has left without mass.
func (k *Supports) unbind(s *stagedFix) {
	if k.Static != nil {
		return
	}
	for _, n := range k.Nodes(&s.group) {
		if k.Mass[n] > 0 {
			k.Held[n] &^= nodes.Directions(s.X, s.Y)
		}
	}
	if s.Rotation {
		for i, n := range s.Nodes {
			k.InverseInertias[n] = s.inverse[i]
		}
	}
}

// Stop stops the freedoms of the nodes of fixes that hold for a part of a static analysis.
func (k *Supports) Stop(f *system.Freedoms) {
	for i := range k.staged {
		if s := &k.staged[i]; k.Holding[s.fix] {
			for _, n := range s.Nodes {
				f.Stop(n, s.X, s.Y, s.Rotation)
			}
		}
	}
}

// stage takes out the fixes whose time is over and then installs those whose time has come. All forces
// of the step are known.
func (k *Supports) stage() {
	for i := range k.staged {
		if s := &k.staged[i]; k.Holding[s.fix] && s.Until > 0 && k.Time >= s.Until {
			k.takeOut(i, s)
		}
	}
	for i := range k.staged {
		if k.state.Due(i, k.Time) {
			k.install(i, &k.staged[i])
		}
	}
}

// install lets a fix hold its nodes. By leapfrog a node of mass m with the velocity v of half a step
// ago has then given the energy m v (v + h f/m) / 2.
func (k *Supports) install(i int, s *stagedFix) {
	lost, stopped := 0.0, system.Wrench{}
	for _, n := range k.Nodes(&s.group) {
		m, v, f, w := k.Mass[n], k.V[n], k.Force(nodes.Node(n)), k.Inverse(n)
		var p r2.Vec
		if s.X && w.X > 0 {
			p.X = -m * v.X
			lost += float64(0.5 * v.X * (float64(m*v.X) + float64(k.Last*f.X)))
		}
		if s.Y && w.Y > 0 {
			p.Y = -m * v.Y
			lost += float64(0.5 * v.Y * (float64(m*v.Y) + float64(k.Last*f.Y)))
		}
		stopped.Add(r2.Sub(k.X[n], s.About), p)
		if s.Rotation && k.InverseInertias[n] > 0 {
			spin := k.Spin[n] / k.InverseInertias[n]
			stopped.Moment -= spin
			lost += float64(0.5 * k.Spin[n] * (spin + float64(k.Last*k.Moment[n])))
		}
	}
	if k.Static != nil { // the velocities are those of the last increment, in which nothing has energy
		lost, stopped = 0, system.Wrench{}
	}
	for c, p := range stopped.Parts() {
		k.state.stopped[3*i+c] += p
	}
	k.bind(s)
	k.Holding[s.fix] = true
	k.state.Install(i, 0, -lost, 1)
}

// takeOut frees the nodes of a fix. Its reactions go on as forces.
func (k *Supports) takeOut(i int, s *stagedFix) {
	of := support{x: s.X, y: s.Y}
	clear(s.left)
	k.eachOf(s, func(at int, n nodes.Node, _ float64) { s.left[at] = r2.Add(s.left[at], of.against(k.Force(n))) })
	if s.Rotation {
		for at, n := range s.Nodes {
			s.turn[at] = -k.Moment[n]
		}
	}
	k.unbind(s)
	k.Holding[s.fix] = false
	k.state.Choose(i, k.Time)
	k.state.Shares[i] = k.state.Now[i]
	k.push(s, k.state.Now[i])
}

// eachOf calls the function with the nodes of a fix, each with the position of its vertex in the fix's
// list and its share of the mass of those there.
func (k *Supports) eachOf(s *stagedFix, do func(at int, n nodes.Node, w float64)) {
	at := 0
	for n, w := range k.Each(&s.group) {
		for v := k.VertexOf(n); int32(v) != s.Nodes[at]; at++ {
		}
		do(at, n, w)
	}
}

// push adds a share of the forces that a fix has left, those of a vertex by the masses of its nodes.
func (k *Supports) push(s *stagedFix, share float64) {
	k.eachOf(s, func(at int, n nodes.Node, w float64) {
		k.F[n].X += float64(share * w * s.left[at].X)
		k.F[n].Y += float64(share * w * s.left[at].Y)
	})
	if s.Rotation {
		for at, n := range s.Nodes {
			k.Moment[n] += float64(share * s.turn[at])
		}
	}
}

// fading tells whether the reactions of a fix that has been taken out still act, or did so in the last step.
func (k *Supports) fading(i int, s *stagedFix) bool {
	return !k.Holding[s.fix] && k.state.Lingers(i)
}

// ApplyForces adds the forces of fixes that have been taken out. With commit it records their work in
// the last step.
func (k *Supports) ApplyForces(commit bool) error {
	for i := range k.staged {
		s := &k.staged[i]
		if k.state.Choose(i, k.Time); !k.fading(i, s) {
			continue
		}
		k.push(s, k.state.Now[i])
		if commit {
			k.state.Spend(i, k.Last, k.power(s))
		}
	}
	return nil
}

// power returns the power of what a fix has left, without its share, on the motion of the last step [W].
func (k *Supports) power(s *stagedFix) (sum float64) {
	k.eachOf(s, func(at int, n nodes.Node, w float64) {
		sum += float64(w * (float64(s.left[at].X*k.V[n].X) + float64(s.left[at].Y*k.V[n].Y)))
	})
	if s.Rotation {
		for at, n := range s.Nodes {
			sum += float64(s.turn[at] * k.Spin[n])
		}
	}
	return sum
}

// remains adds what a fix that is not there tells as its reaction: what it has left.
func (k *Supports) remains(i int, s *stagedFix, r *system.Reaction) {
	if k.fading(i, s) {
		for at, n := range s.Nodes {
			r.Hold.Add(r2.Sub(k.X[n], r.About), elementary.Along(r2.Vec{}, s.left[at], k.state.Now[i]))
			r.Hold.Moment += float64(k.state.Now[i] * s.turn[at])
		}
	}
}

// StateParts lists the state of the fixes that come and go.
func (k *Supports) StateParts() []system.Part {
	if len(k.staged) == 0 {
		return nil
	}
	parts := append(k.state.StateParts("fix"), system.Part{Name: "fix.holding", Values: &k.Holding}, system.Part{Name: "fix.stopped", Values: k.state.stopped})
	for i := range k.staged {
		s := &k.staged[i]
		parts = append(parts, system.Part{Name: fmt.Sprintf("fix.%d.left", i), Values: s.left}, system.Part{Name: fmt.Sprintf("fix.%d.turn", i), Values: s.turn})
	}
	return parts
}

// Recompute holds and frees nodes by the state.
func (k *Supports) Recompute() error {
	for _, hold := range [2]bool{false, true} {
		for i := range k.staged {
			s := &k.staged[i]
			if k.Holding[s.fix] != hold {
				continue
			}
			if hold {
				k.bind(s)
			} else {
				k.unbind(s)
			}
		}
	}
	return nil
}
