package constraints

import (
	"slices"

	"fdem/fem/mortar"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Ties are all ties of a model.
type Ties struct {
	system.Idle
	system.View
	list        []models.Tie
	drives      *Drives
	rows        []mortar.Constraint
	penalty     []float64 // per row, in a static analysis [N/m3]
	held        *mortar.Held
	tied        []int32 // nodes of all rows, ascending
	drivenNodes []int32 // tied nodes that a drive moves
	driven      []bool  // per row: a drive moves some of its nodes
	rates       []r2.Vec
	of          []r2.Vec // per row
	Joined      int      // how often the rows have changed
	staged      []stagedTie
	state       tieState
}

// tiePenalty is the stiffness of a tie in a static analysis relative to that of an
// element beside it. The gap that opens is then a ten-thousandth of an element's
// deformation.
const tiePenalty = 1e4

// carrier is nodes that carry others: Follow takes these along, with dt 0 at the start.
type carrier interface{ Follow(dt float64) }

// NewTies makes the ties. Masses and velocities of the nodes must be known; what they carry follows.
func NewTies(of system.View, list []models.Tie, drives *Drives, carriers carrier) *Ties {
	k := &Ties{View: of, list: list, drives: drives}
	defer carriers.Follow(0)
	if len(k.list) == 0 {
		return k
	}
	k.rates = make([]r2.Vec, len(k.X))
	seen := make([]bool, len(k.X))
	k.makeStages()
	for i := range k.rows {
		for _, term := range k.rows[i].Terms {
			seen[term.Node] = true
		}
	}
	for i := range k.staged {
		for _, n := range k.staged[i].nodes {
			seen[n] = true
		}
	}
	for n, is := range seen {
		if is {
			k.tied = append(k.tied, int32(n))
			if k.isDriven(int32(n)) {
				k.drivenNodes = append(k.drivenNodes, int32(n))
			}
			k.SetImplicit(nodes.Vertex(n))
		}
	}
	if k.Static != nil {
		return k
	}
	for i := range k.rows { // both sides start with the same velocity
		k.of[i] = k.rows[i].Of(k.V)
	}
	k.held.Solve(k.of)
	push := k.rates
	k.push(push, -1)
	for _, n := range k.tied {
		w := k.Inverse(n)
		k.V[n].X += float64(w.X * push[n].X)
		k.V[n].Y += float64(w.Y * push[n].Y)
	}
	return k
}

// isDriven tells whether a drive moves a node.
func (k *Ties) isDriven(n int32) bool {
	x, y, _ := k.Driven(nodes.Vertex(n))
	return x || y
}

func (k *Ties) NodesRead(each func(n int32)) bool {
	for _, n := range k.tied {
		each(n)
	}
	return true
}

// Holds tells whether a node is tied.
func (k *Ties) Holds(n int32) bool {
	_, is := slices.BinarySearch(k.tied, n)
	return is
}

func (k *Ties) Empty() bool { return len(k.tied) == 0 }

func (k *Ties) Name() string { return "ties" }

// push adds the forces of the Lagrange multipliers, times a factor.
func (k *Ties) push(f []r2.Vec, factor float64) { k.pushRows(f, factor, 0, len(k.rows)) }

// pushRows is push for the rows [from, to).
func (k *Ties) pushRows(f []r2.Vec, factor float64, from, to int) {
	for i := from; i < to; i++ {
		k.rows[i].Push(f, r2.Vec{X: factor * k.of[i].X, Y: factor * k.of[i].Y})
	}
}

// ApplyForces adds the penalty forces of a static analysis, and the forces that ties have left. With commit
// ties come and go.
func (k *Ties) ApplyForces(commit bool) error {
	if commit {
		if err := k.stage(); err != nil {
			return err
		}
	}
	k.fade(commit)
	if k.Static == nil {
		return nil
	}
	for i := range k.rows {
		c := k.rows[i].Of(k.X)
		k.of[i] = r2.Vec{X: k.penalty[i] * c.X, Y: k.penalty[i] * c.Y}
	}
	k.push(k.F, -1)
	return nil
}

// AfterForces adds the constraint forces that make the accelerations of both sides
// agree, and that remove the difference which rounding has left between their
// velocities. If a drive moves one side, the other side moves to where that side will
// be after a step like the last one. If the next step has another length, a gap is
// left, which the step after it removes.
func (k *Ties) AfterForces() {
	if k.Static != nil {
		k.keep(k.rates)
		return
	}
	for _, n := range k.tied {
		f, w, v := k.Force(nodes.Node(n)), k.Inverse(n), r2.Vec{}
		if k.Last > 0 {
			v = r2.Vec{X: k.V[n].X / k.Last, Y: k.V[n].Y / k.Last}
		}
		k.rates[n] = r2.Vec{X: float64(w.X*f.X) + v.X, Y: float64(w.Y*f.Y) + v.Y}
	}
	for _, n := range k.drivenNodes {
		k.rates[n] = k.drives.nextRates(n, k.rates[n])
	}
	for i := range k.rows {
		k.of[i] = k.rows[i].Of(k.rates)
		if k.driven[i] && k.Last > 0 {
			gap := k.rows[i].Of(k.X)
			k.of[i].X += gap.X / float64(k.Last*k.Last)
			k.of[i].Y += gap.Y / float64(k.Last*k.Last)
		}
	}
	k.held.Solve(k.of)
	k.push(k.F, -1)
	k.keep(k.rates)
}

// AddEnergies adds the energy that the penalty of a static analysis stores.
func (k *Ties) AddEnergies(e *system.Energies) {
	if k.Static != nil {
		e.Strain += k.strained(0, len(k.rows))
	}
}

// strained returns the energy that the penalty stores in the rows [from, to) [J].
func (k *Ties) strained(from, to int) (sum float64) {
	for i := from; i < to; i++ {
		c := k.rows[i].Of(k.X)
		sum += float64(0.5 * k.penalty[i] * (float64(c.X*c.X) + float64(c.Y*c.Y)))
	}
	return sum
}

func (k *Ties) Stiffen(f *system.Freedoms, add func(stiffness float64, freedom []int32, g []float64)) {
	var freedom [2][]int32
	var g [2][]float64
	for i := range k.rows {
		for c := range 2 {
			freedom[c], g[c] = freedom[c][:0], g[c][:0]
		}
		for _, t := range k.rows[i].Terms {
			m := &f.Moves[t.Node]
			for c, part := range [2][2]float64{{t.A, -t.B}, {t.B, t.A}} {
				for d := range 2 {
					if m[d] >= 0 {
						freedom[c], g[c] = append(freedom[c], m[d]), append(g[c], part[d])
					}
				}
			}
		}
		for c := range 2 {
			add(k.penalty[i], freedom[c], g[c])
		}
	}
}

// EachHeld marks the components that ties hold in a static analysis.
func (k *Ties) EachHeld(node func(n int32), _ func(i int32)) {
	for _, n := range k.tied {
		node(n)
	}
}

// MaxTies is the greatest number of ties in a model: each has a bit of 64.
const MaxTies = 64
