package solver

import (
	"math"
	"slices"

	"fdem/materials/elementary"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Reactions are the forces and moments of supports that hold or drive nodes. The reaction to a
// weight points up. The reaction on a node is minus the total force on it, weight and damping
// included. On a driven node the product of mass and acceleration is added. The sum of reactions,
// loads and weight is the rate of the total momentum.

// Reaction has the forces of a support, in results.
type Reaction struct {
	Name       string
	Kind       string  // "fix", "drive" or "rigid"
	Force      r2.Vec  // on the held nodes or body [N]
	Moment     float64 // about About, anticlockwise [N m]
	About      r2.Vec  // reference point, which is fixed in space, except for a rigid body, where it is the centre [m]
	PeakForce  float64 // greatest so far [N]
	PeakMoment float64 // [N m]
}

// ReactionState has the impulses of supports since the last row of results, and their greatest
// forces.
type ReactionState struct {
	Reacted   []float64 // impulses of forces and moments since then, without those that accelerate the driven mass [N s], [N m s]
	Reacting  []float64 // forces and moments at the last evaluation [N], [N m]
	Carried   []float64 // momentum of the driven mass at the last row [kg m/s], [kg m2/s]
	Strongest []float64 // greatest force and moment of each support so far [N], [N m]
}

func (r *ReactionState) parts() []system.Part {
	return []system.Part{{Name: "reacted", Values: r.Reacted}, {Name: "reacting", Values: r.Reacting}, {Name: "carried", Values: r.Carried}, {Name: "strongest", Values: r.Strongest}}
}

// supports hold nodes: fixes and drives. They act last, when all forces are known.
type supports struct {
	system.Idle
	system.View
	drives *drives
	list   []support
	sums   []system.Reaction // sums over the supports of one name
}

// support is a fix or a drive.
type support struct {
	nodes          nodes.Group
	x, y, rotation bool
	drive          *drive // nil for a fix
	of             int    // its index in sums
}

// newSupports makes the supports.
func newSupports(of system.View, drives *drives) *supports {
	k := &supports{View: of, drives: drives}
	add := func(p support, name, kind string, about r2.Vec) {
		for p.of < len(k.sums) && k.sums[p.of].Name != name {
			p.of++
		}
		if p.of == len(k.sums) {
			k.sums = append(k.sums, system.Reaction{Name: name, Kind: kind, About: about})
		}
		k.list = append(k.list, p)
	}
	for i := range k.Model.Fixes {
		f := &k.Model.Fixes[i]
		add(support{nodes: nodes.Group{Of: f.Nodes, Corners: f.Corners}, x: f.X, y: f.Y, rotation: f.Rotation}, f.Name, "fix", f.About)
	}
	for i := range drives.list {
		d := &drives.list[i]
		p := support{nodes: d.nodes, x: d.X, y: d.Y, rotation: d.Rotation, drive: d}
		add(p, d.Name, "drive", d.About)
		of := &k.sums[k.list[len(k.list)-1].of]
		of.DrivenMomentum.Force = r2.Add(of.DrivenMomentum.Force, d.begun.Force)
		of.DrivenMomentum.Moment += d.begun.Moment
	}
	return k
}

func (k *supports) Empty() bool { return len(k.list) == 0 }

func (k *supports) Name() string { return "supports" }

func (k *supports) NodesRead(each func(n int32)) bool {
	for i := range k.list {
		for _, n := range k.Nodes(&k.list[i].nodes) {
			each(n)
		}
	}
	return true
}

// AfterForces completes the work of the drives and adds up the reactions.
func (k *supports) AfterForces() {
	k.drives.addSecondHalfWork()
	for i := range k.sums {
		r := &k.sums[i]
		r.Hold, r.Move, r.DrivenMomentum = system.Wrench{}, system.Wrench{}, system.Wrench{}
	}
	for i := range k.list {
		p := &k.list[i]
		r := &k.sums[p.of]
		p.hold(k, r)
		if p.drive != nil && k.Static == nil {
			p.push(k, r)
		}
	}
}

// hold adds the forces that balance the forces on held nodes.
func (p *support) hold(k *supports, r *system.Reaction) {
	for _, n := range k.Nodes(&p.nodes) {
		f := k.Force(nodes.Node(n))
		r.Hold.Add(r2.Sub(k.X[n], r.About), p.against(f))
		if p.rotation {
			r.Hold.Moment -= k.Moment[n]
		}
	}
}

// against returns the reaction to a force: minus its components in held directions.
func (p *support) against(f r2.Vec) (g r2.Vec) {
	if p.x {
		g.X = 0 - f.X
	}
	if p.y {
		g.Y = 0 - f.Y
	}
	return g
}

// push adds the force by which a drive accelerates its own nodes.
func (p *support) push(k *supports, r *system.Reaction) {
	d := p.drive
	c := d.now(k.drives)
	r.DrivenMomentum.Add(r2.Vec{}, r2.Vec{X: d.released[1], Y: d.released[2]})
	r.DrivenMomentum.Moment += d.released[3]
	for _, n := range k.Nodes(&p.nodes) {
		m, arm := k.Mass[n], r2.Sub(k.X[n], r.About)
		a, v := d.acceleration(k.drives, n, c), d.velocity(k.drives, n, c)
		r.Move.Add(arm, p.against(r2.Vec{X: float64(-m * a.X), Y: float64(-m * a.Y)}))
		r.DrivenMomentum.Add(arm, p.against(r2.Vec{X: float64(-m * v.X), Y: float64(-m * v.Y)}))
		if p.rotation {
			r.Move.Moment += float64(k.drives.inertia[n] * c.acceleration.angle)
			r.DrivenMomentum.Moment += float64(k.drives.inertia[n] * c.velocity.angle)
		}
	}
}

func (k *supports) Reactions(each func(*system.Reaction)) {
	for i := range k.sums {
		each(&k.sums[i])
	}
}

// at returns the reaction on node n at Time [N].
func (k *supports) at(n int32) (sum r2.Vec) {
	for i := range k.list {
		p := &k.list[i]
		for i, other := range p.nodes.Of {
			if other != n {
				continue
			}
			var r system.Reaction
			one := *p
			one.nodes = nodes.Group{Of: []int32{n}, Corners: p.nodes.Corners.Of(i)}
			one.hold(k, &r)
			if p.drive != nil && k.Static == nil {
				one.push(k, &r)
			}
			sum = r2.Add(sum, r2.Add(r.Hold.Force, r.Move.Force))
		}
	}
	return sum
}

// addReactions allocates the means of the supports' reactions.
func (k *means) addReactions() {
	k.holding = slices.Collect(system.All[system.Supporting](k.kinds.systems))
	count := 0
	k.doReact = func(*system.Reaction) { count++ }
	k.reactions()
	k.Reacted, k.Reacting, k.Carried, k.Strongest = make([]float64, 3*count), make([]float64, 3*count), make([]float64, 3*count), make([]float64, 2*count)
	k.rowReactions()
	k.doReact = k.react
}

// reactions calls doReact with the reaction of every support at Time.
func (s *means) reactions() {
	s.reacting = 0
	for _, k := range s.holding {
		k.Reactions(s.doReact)
	}
}

// react adds the reaction of a support to the impulses since the last row.
func (k *means) react(r *system.Reaction) {
	i := k.reacting
	k.reacting++
	for c, f := range r.Hold.Parts() {
		k.Reacted[3*i+c] += float64(0.5 * k.Last * (k.Reacting[3*i+c] + f))
		k.Reacting[3*i+c] = f
	}
	force, moment := r2.Add(r.Hold.Force, r.Move.Force), r.Hold.Moment+r.Move.Moment
	k.Strongest[2*i] = max(k.Strongest[2*i], elementary.Norm(force))
	k.Strongest[2*i+1] = max(k.Strongest[2*i+1], math.Abs(moment))
}

// collect returns the reactions. The function computes each of them from the reaction at Time and
// its index.
func (k *means) collect(make func(r *system.Reaction, i int) system.Wrench) (out []Reaction) {
	was := k.doReact
	k.doReact = func(r *system.Reaction) {
		i := len(out)
		w := make(r, i)
		out = append(out, Reaction{r.Name, r.Kind, w.Force, w.Moment, r.About, k.Strongest[2*i], k.Strongest[2*i+1]})
	}
	k.reactions()
	k.doReact = was
	return out
}

// Reactions returns the reaction of every support at Time. The forces must have been evaluated.
func (k *means) Reactions() []Reaction {
	return k.collect(func(r *system.Reaction, _ int) system.Wrench {
		return system.Wrench{Force: r2.Add(r.Hold.Force, r.Move.Force), Moment: r.Hold.Moment + r.Move.Moment}
	})
}

// MeanReactions returns the mean reactions since the last row, whose impulses add up to the change
// of momentum. If no time has passed, it returns the present reactions.
func (k *means) MeanReactions() []Reaction {
	since := k.Time - k.RowTime
	if !(since > 0) {
		return k.Reactions()
	}
	return k.collect(func(r *system.Reaction, i int) system.Wrench {
		var mean [3]float64
		for c, p := range r.DrivenMomentum.Parts() {
			mean[c] = (k.Reacted[3*i+c] + (p - k.Carried[3*i+c])) / since
		}
		return system.Wrench{Force: r2.Vec{X: mean[0], Y: mean[1]}, Moment: mean[2]}
	})
}

// rowReactions starts the means of the next row of results.
func (k *means) rowReactions() {
	clear(k.Reacted)
	k.collect(func(r *system.Reaction, i int) system.Wrench {
		for c, p := range r.DrivenMomentum.Parts() {
			k.Carried[3*i+c] = p
		}
		return system.Wrench{}
	})
}
