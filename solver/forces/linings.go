package forces

import (
	"math"

	"fdem/materials/elementary"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/quantity"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Linings are bodies of beams on nodes of their own along a wall. At each node an interface joins them:
// with the vector d from the node of the beams to that of the wall, in the frame n, t that turns with the
// node of the beams, and the area A of the interface that belongs to it,
//
//	f_n = k_n A d.n,  f_s = k_s A (d.t - s)
//
// As long as the bond holds, f_n is at most the tensile strength and |f_s| at most cohesion and friction
// of the pressure. Where one of them is passed the bond breaks for good, and f_n <= 0 and |f_s| <= mu
// |f_n| are left, with the slip s. The beams take the force f_n n + f_s t and the moment d x f, which is
// minus the derivative of the stored energy by their angle, so momentum and angular momentum are kept.
// Before a lining is installed the interface holds whatever comes: it carries the beams' mass along.

// Linings are all linings of a model.
type Linings struct {
	system.Idle
	system.View
	list   []models.Lining
	bonds  []bond
	first  []int // per lining its first bond
	omega2 float64
	worst  int32

	state liningState
}

// liningState is the state of the linings, per bond but for the last.
type liningState struct {
	slip       []float64 // [m]
	broken     []float64 // 1 if the bond has broken
	shear      []float64 // f_s at the end of the last step [N]
	pull       []float64 // f_n then [N]
	dissipated []float64 // per lining [J]
}

// bond is the interface at a node, at the last evaluation.
type bond struct {
	*models.Bond
	of           int
	normal       r2.Vec
	open, along  float64 // d.n and d.t [m]
	slip         float64 // s [m]
	pull, shear  float64 // f_n and f_s [N]
	broken       bool
	sticks, held bool // tangents across and along the interface are those of its stiffness
}

// NewLinings makes the linings.
func NewLinings(of system.View, list []models.Lining) *Linings {
	k := &Linings{View: of, list: list}
	for i := range list {
		p := &list[i]
		k.first = append(k.first, len(k.bonds))
		for j := range p.Bonds {
			k.bonds = append(k.bonds, bond{Bond: &p.Bonds[j], of: i, held: true, sticks: true, normal: p.Bonds[j].Normal})
		}
	}
	per := func() []float64 { return make([]float64, len(k.bonds)) }
	k.state = liningState{slip: per(), broken: per(), shear: per(), pull: per(), dissipated: make([]float64, len(list))}
	for i := range k.bonds {
		if p := &list[k.bonds[i].of]; p.Cohesion == 0 && p.Tension == 0 {
			k.state.broken[i] = 1
		}
	}
	k.predict()
	return k
}

func (k *Linings) Name() string { return "linings" }

func (k *Linings) Empty() bool { return len(k.bonds) == 0 }

func (k *Linings) NodesRead(each func(n int32)) bool {
	for i := range k.bonds {
		each(k.bonds[i].Node)
		for _, n := range k.bonds[i].Wall.Nodes {
			each(n)
		}
	}
	return true
}

// ApplyForces adds the forces of the interfaces. With commit they slip and break.
func (k *Linings) ApplyForces(commit bool) error {
	for i := range k.bonds {
		b := &k.bonds[i]
		k.measure(i, b)
		f := r2.Vec{
			X: float64(b.pull*b.normal.X) - float64(b.shear*b.normal.Y),
			Y: float64(b.pull*b.normal.Y) + float64(b.shear*b.normal.X),
		}
		k.AddForceAt(nodes.Vertex(b.Node), nil, f)
		pushAt(k.Field, &b.Wall, r2.Vec{X: -f.X, Y: -f.Y})
		k.Moment[b.Node] += float64(b.open*b.shear) - float64(b.along*b.pull)
		if commit {
			k.advance(i, b)
		}
	}
	return nil
}

// measure finds the forces of bond i.
func (k *Linings) measure(i int, b *bond) {
	p := &k.list[b.of]
	sin, cos := elementary.Sincos(k.Theta[b.Node])
	n := b.Normal
	b.normal = r2.Vec{X: float64(cos*n.X) - float64(sin*n.Y), Y: float64(sin*n.X) + float64(cos*n.Y)}
	d := r2.Sub(meanAt(&b.Wall, k.PositionAt), k.PositionAt(nodes.Vertex(b.Node), nil))
	b.open, b.along = elementary.Dot(d, b.normal), elementary.Cross(b.normal, d)
	stiff, shear := float64(p.Normal*b.Area), float64(p.Shear*b.Area)
	b.slip, b.broken, b.held, b.sticks = k.state.slip[i], k.state.broken[i] > 0, true, true
	b.pull, b.shear = float64(stiff*b.open), float64(shear*(b.along-b.slip))
	if k.Time < p.From {
		return
	}
	if !b.broken {
		b.broken = b.pull > float64(p.Tension*b.Area) || math.Abs(b.shear) > float64(p.Cohesion*b.Area)+float64(p.Friction*max(0, -b.pull))
	}
	if !b.broken {
		return
	}
	if b.pull >= 0 {
		b.pull, b.held = 0, false
	}
	if most := float64(p.Friction * -b.pull); math.Abs(b.shear) > most {
		b.shear, b.sticks = math.Copysign(most, b.shear), false
		b.slip = b.along - b.shear/shear
	}
}

// advance ends a step: what slips, and a bond that breaks, dissipates.
func (k *Linings) advance(i int, b *bond) {
	lost := float64(0.5 * (b.shear + k.state.shear[i]) * (b.slip - k.state.slip[i]))
	if b.pull == 0 && k.state.pull[i] > 0 { // it has just broken, or held before it was installed
		lost += float64(0.5 * k.state.pull[i] * b.open)
	}
	k.state.dissipated[b.of] += lost
	k.state.slip[i], k.state.shear[i], k.state.pull[i] = b.slip, b.shear, b.pull
	if b.broken {
		k.state.broken[i] = 1
	}
}

func (k *Linings) AddEnergies(e *system.Energies) {
	for i := range k.bonds {
		b := &k.bonds[i]
		p := &k.list[b.of]
		e.LiningStored += (float64(b.pull*b.pull)/p.Normal + float64(b.shear*b.shear)/p.Shear) / (2 * b.Area)
	}
	for _, d := range k.state.dissipated {
		e.LiningDissipated += d
	}
}

// Dissipates tells that linings slip and bonds break.
func (k *Linings) Dissipates() bool { return true }

func (k *Linings) StateParts() []system.Part {
	p := &k.state
	return []system.Part{
		{Name: "lining.slip", Values: p.slip}, {Name: "lining.broken", Values: p.broken}, {Name: "lining.shear", Values: p.shear},
		{Name: "lining.pull", Values: p.pull}, {Name: "lining.dissipated", Values: p.dissipated},
	}
}

// often is the square of how many more steps in a period an interface takes that opens or slips: leapfrog
// does not keep energy where a force has a kink.
const often = 16

// predict bounds the frequencies that interfaces add: those of two masses on a spring.
func (k *Linings) predict() {
	for i := range k.bonds {
		b := &k.bonds[i]
		p := &k.list[b.of]
		w := k.InverseMassAt(nodes.Vertex(b.Node), nil)
		sum := float64(max(p.Normal, p.Shear) * b.Area * (max(w.X, w.Y) + 1/b.Least))
		if !math.IsInf(p.Cohesion, 1) {
			sum *= often
		}
		if sum > k.omega2 {
			k.omega2, k.worst = sum, int32(b.of)
		}
	}
}

// ofLining is the cause of a step that linings limit.
const ofLining = "linings"

func (k *Linings) Bound(b *system.Bounds) {
	cause := b.Springs.By
	if k.omega2 > b.Springs.Of {
		cause = system.Cause{What: ofLining, At: k.worst}
	}
	b.Springs.Raise(b.Springs.Of+k.omega2, cause)
}

// Where names the lining that limits the step.
func (k *Linings) Where(by system.Cause) string {
	if by.What != ofLining {
		return ""
	}
	return k.list[by.At].Name
}

// softly is the tangent of an interface that is open or slips, relative to its stiffness: it lets a lining that
// nothing holds along the wall have a balance, and has no effect on the result.
const softly = 1e-6

// Stiffen adds the tangent of the interfaces for a static analysis, without that of friction by the
// pressure, which is not symmetric.
func (k *Linings) Stiffen(f *system.Freedoms, add func(stiffness float64, freedom []int32, g []float64)) {
	for i := range k.bonds {
		b := &k.bonds[i]
		p := &k.list[b.of]
		for _, c := range []struct {
			stiffness float64
			held      bool
			direction r2.Vec
			turn      float64
		}{
			{p.Normal, b.held, b.normal, b.along},
			{p.Shear, b.sticks, r2.Vec{X: -b.normal.Y, Y: b.normal.X}, -b.open},
		} {
			var freedoms []int32
			var g []float64
			put := func(i int32, v float64) {
				f.Each(i, func(i int32, weight float64) { freedoms, g = append(freedoms, i), append(g, weight*v) })
			}
			put(f.Moves[b.Node][0], -c.direction.X)
			put(f.Moves[b.Node][1], -c.direction.Y)
			put(f.Rotation[b.Node], c.turn)
			for m, n := range b.Wall.Nodes {
				put(f.Moves[n][0], b.Wall.Weights[m]*c.direction.X)
				put(f.Moves[n][1], b.Wall.Weights[m]*c.direction.Y)
			}
			stiffness := float64(c.stiffness * b.Area)
			if !c.held {
				stiffness *= softly
			}
			add(stiffness, freedoms, g)
		}
	}
}

// The columns of linings in the history.
var (
	ofPressure = quantity.Must(quantity.Body, "wall_pressure_max")
	ofSlip     = quantity.Must(quantity.Body, "wall_slip_max")
	ofBroken   = quantity.Must(quantity.Body, "bond_broken")
)

// Columns calls the function with the columns of linings: the greatest pressure on the wall [Pa], negative in tension,
// the greatest slip along it [m], and the share of the interface whose bond has broken.
func (k *Linings) Columns(each func(c quantity.Column, v float64)) {
	for i := range k.list {
		p := &k.list[i]
		most, slip, broken, area := math.Inf(-1), 0.0, 0.0, 0.0
		for j := range p.Bonds {
			b := &k.bonds[k.first[i]+j]
			most, slip = max(most, -b.pull/b.Area), max(slip, math.Abs(b.slip))
			area += b.Area
			if b.broken {
				broken += b.Area
			}
		}
		each(quantity.Column{Quantity: ofPressure, Owner: p.Name}, most)
		each(quantity.Column{Quantity: ofSlip, Owner: p.Name}, slip)
		each(quantity.Column{Quantity: ofBroken, Owner: p.Name}, broken/area)
	}
}
