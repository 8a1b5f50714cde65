package constraints

import (
	"fdem/materials/elementary"
	models "fdem/solver/model"
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

// ReactionParts returns the state of the reactions.
func (r *ReactionState) ReactionParts() []system.Part {
	return []system.Part{{Name: "reacted", Values: r.Reacted}, {Name: "reacting", Values: r.Reacting}, {Name: "carried", Values: r.Carried}, {Name: "strongest", Values: r.Strongest}}
}

// Supports hold nodes: fixes and drives. They act last, when all forces are known.
type Supports struct {
	system.Idle
	system.View
	fixes  []models.Fix
	drives *Drives
	list   []support
	sums   []system.Reaction // sums over the supports of one name
	staged []stagedFix
	state  fixState
}

// support is a fix or a drive.
type support struct {
	nodes          nodes.Group
	x, y, rotation bool
	drive          *drive // nil for a fix
	staged         int    // its index in staged, -1 if it is always there
	of             int    // its index in sums
}

// Hold holds the nodes without mass, and those that supports fix from the start; stages follow, see Supports. All
// masses must be known, and bodies have given nodes their velocities.
func Hold(of system.View, fixes []models.Fix) {
	of.HoldMassless()
	for n, m := range of.Mass {
		if !(m > 0) {
			of.V[n] = r2.Vec{}
		}
	}
	for _, fix := range fixes {
		if fix.Staged() {
			continue
		}
		for _, n := range fix.Nodes {
			of.Hold(nodes.Vertex(n), fix.X, fix.Y, fix.Rotation)
		}
	}
	of.StopHeld()
}

// NewSupports makes the supports.
func NewSupports(of system.View, fixes []models.Fix, drives *Drives) *Supports {
	k := &Supports{View: of, fixes: fixes, drives: drives}
	add := func(p support, name, kind string, about r2.Vec) {
		for p.of < len(k.sums) && k.sums[p.of].Name != name {
			p.of++
		}
		if p.of == len(k.sums) {
			k.sums = append(k.sums, system.Reaction{Name: name, Kind: kind, About: about})
		}
		k.list = append(k.list, p)
	}
	k.makeStages()
	count := 0
	for i := range k.fixes {
		f := &k.fixes[i]
		p := support{nodes: nodes.Group{Of: f.Nodes, Corners: f.Corners}, x: f.X, y: f.Y, rotation: f.Rotation, staged: -1}
		if f.Staged() {
			p.staged = count
			count++
		}
		add(p, f.Name, "fix", f.About)
	}
	for i := range drives.list {
		d := &drives.list[i]
		p := support{nodes: d.nodes, x: d.X, y: d.Y, rotation: d.Rotation, drive: d, staged: -1}
		add(p, d.Name, "drive", d.About)
		of := &k.sums[k.list[len(k.list)-1].of]
		of.DrivenMomentum.Force = r2.Add(of.DrivenMomentum.Force, d.begun.Force)
		of.DrivenMomentum.Moment += d.begun.Moment
	}
	return k
}

func (k *Supports) Empty() bool { return len(k.list) == 0 }

func (k *Supports) Name() string { return "supports" }

func (k *Supports) NodesRead(each func(n int32)) bool {
	for i := range k.list {
		for _, n := range k.Nodes(&k.list[i].nodes) {
			each(n)
		}
	}
	return true
}

// AfterForces completes the work of the drives and adds up the reactions.
func (k *Supports) AfterForces() {
	k.drives.addSecondHalfWork()
	k.stage()
	for i := range k.sums {
		r := &k.sums[i]
		r.Hold, r.Move, r.DrivenMomentum = system.Wrench{}, system.Wrench{}, system.Wrench{}
	}
	for i := range k.list {
		p := &k.list[i]
		r := &k.sums[p.of]
		if i := p.staged; i >= 0 {
			r.DrivenMomentum.Add(r2.Vec{}, r2.Vec{X: k.state.stopped[3*i], Y: k.state.stopped[3*i+1]})
			r.DrivenMomentum.Moment += k.state.stopped[3*i+2]
			if !k.Holding[k.staged[i].fix] {
				k.remains(i, &k.staged[i], r)
				continue
			}
		}
		p.hold(k, r)
		if p.drive != nil && k.Static == nil {
			p.push(k, r)
		}
	}
}

// hold adds the forces that balance the forces on held nodes.
func (p *support) hold(k *Supports, r *system.Reaction) {
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
func (p *support) push(k *Supports, r *system.Reaction) {
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

func (k *Supports) Reactions(each func(*system.Reaction)) {
	for i := range k.sums {
		each(&k.sums[i])
	}
}

// ForceAt returns the reaction on node n at Time [N].
func (k *Supports) ForceAt(n int32) (sum r2.Vec) {
	for i := range k.list {
		p := &k.list[i]
		for i, other := range p.nodes.Of {
			if other != n {
				continue
			}
			if of := p.staged; of >= 0 && !k.Holding[k.staged[of].fix] {
				if k.fading(of, &k.staged[of]) {
					sum = elementary.Along(sum, k.staged[of].left[i], k.state.Now[of])
				}
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
