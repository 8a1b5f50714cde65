package solver

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fdem/contactnodes/potential"
	"fdem/materials/elementary"
	"fdem/solver/constraints"
	models "fdem/solver/model"
	"fdem/solver/processes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// pretence makes one process see what a rank of several has: in nodes that it neither owns
// nor reads, by what its kinds say, there is NaN, and in what laws answer of triangles that
// touch none of its nodes. The triangles of the others and the motion of their nodes, which
// other processes would do, are done with these shown.
type pretence struct {
	*Solver
	hidden       []int32     // ascending
	away         [4][]r2.Vec // X, V, F and damping of these
	turned       [2][]float64
	blocks       []int32        // whose laws others evaluate
	laws         [2][][]float64 // what they have answered last, with the memory after it and before
	hides        bool
	displacement float64 // no less than how far any node has moved since showPositions [m]
}

// pretend makes a solver such a rank, and returns the kinds that read every node: with them
// nothing is hidden.
func pretend(s *Solver, rank, size int) (p *pretence, blind []string) {
	var h processes.Sharing
	s.Partition(&h, rank, size)
	p = &pretence{Solver: s}
	if h.Followed == nil {
		return p, h.Every
	}
	for n := range s.X {
		n := int32(n)
		if _, listed := slices.BinarySearch(h.Followed, n); !listed && (n < h.OwnedFrom[rank] || n >= h.OwnedFrom[rank+1]) {
			p.hidden = append(p.hidden, n)
		}
	}
	if s.triangles.Lawful() {
		var own []int32
		for i, of := range s.Mesh.Triangles {
			if slices.ContainsFunc(of[:], func(n int32) bool { return n >= h.OwnedFrom[rank] && n < h.OwnedFrom[rank+1] }) {
				own = append(own, int32(i))
			}
		}
		own = s.triangles.LawBlocks(own)
		p.blocks = slices.DeleteFunc(s.triangles.AllLawBlocks(), func(b int32) bool { return slices.Contains(own, b) })
		p.laws = [2][][]float64{make([][]float64, len(p.blocks)), make([][]float64, len(p.blocks))}
	}
	at := slices.IndexFunc(s.systems, func(k system.System) bool { return k.Name() == "nodes" })
	s.systems = slices.Insert(s.systems, at+2, system.System(&curtain{do: p.hide})) // behind triangles
	s.systems = slices.Insert(s.systems, at, system.System(&curtain{do: p.show}))
	s.Timer.Systems = append(s.Timer.Systems, 0, 0)
	s.Sharing.Meeting = &potential.Others{First: h.OwnedFrom[rank], End: h.OwnedFrom[rank+1], Farthest: p.farthest, GetAll: p.showPositions, GetNodes: p.bring, Follow: p.have}
	s.Sharing.Getting, s.Sharing.GettingAll, s.Sharing.Following = p.bringRound, p.show, p.have
	was := false
	s.ShareLeaves(func(count int) (from, to int) {
		was = p.hides
		p.show()
		return 0, count
	}, func(leaf []elementary.Terms) elementary.Terms {
		if was {
			p.hide()
		}
		return elementary.Fold(leaf)
	})
	return p, nil
}

// curtain is a system that shows or hides nodes.
type curtain struct {
	system.Idle
	do func()
}

func (c *curtain) Name() string { return "" }

func (c *curtain) ApplyForces(bool) error { c.do(); return nil }

func (c *curtain) MoveBy(_, _ float64) { c.do() }

// hide writes NaN to the nodes that others have.
func (p *pretence) hide() {
	if p.hides {
		return
	}
	p.hides = true
	for i, a := range [4][]r2.Vec{p.X, p.V, p.F, p.Motion.Damping} {
		p.away[i] = p.away[i][:0]
		if a == nil {
			continue
		}
		for _, n := range p.hidden {
			p.away[i] = append(p.away[i], a[n])
			a[n] = r2.Vec{X: math.NaN(), Y: math.NaN()}
		}
	}
	for i, a := range [2][]float64{p.Theta, p.Spin} {
		p.turned[i] = p.turned[i][:0]
		if a == nil {
			continue
		}
		for _, n := range p.hidden {
			p.turned[i] = append(p.turned[i], a[n])
			a[n] = math.NaN()
		}
	}
	for i, b := range p.blocks {
		for m := range p.laws {
			p.laws[m][i] = p.triangles.Answers(b, m > 0, p.laws[m][i][:0])
		}
		for m := range p.laws {
			p.triangles.SetAnswers(b, m > 0, slices.Repeat([]float64{math.NaN()}, len(p.laws[m][i])))
		}
	}
}

// show restores the hidden values.
func (p *pretence) show() {
	if !p.hides {
		return
	}
	p.hides = false
	for i, a := range [4][]r2.Vec{p.X, p.V, p.F, p.Motion.Damping} {
		for j, v := range p.away[i] {
			a[p.hidden[j]] = v
		}
	}
	for i, a := range [2][]float64{p.Theta, p.Spin} {
		for j, v := range p.turned[i] {
			a[p.hidden[j]] = v
		}
	}
	for i, b := range p.blocks {
		for m := range p.laws {
			p.triangles.SetAnswers(b, m > 0, p.laws[m][i])
		}
	}
}

// bringRound shows some nodes, and what laws of triangles have answered, until the next step.
func (p *pretence) bringRound(nodes, triangles []int32) {
	p.bring(nodes)
	for _, b := range p.triangles.LawBlocks(triangles) {
		if i, away := slices.BinarySearch(p.blocks, b); away && p.hides {
			p.triangles.SetAnswers(b, false, p.laws[0][i])
		}
	}
}

// bring shows some nodes until the next step.
func (p *pretence) bring(nodes []int32) {
	for _, n := range nodes {
		j, hidden := slices.BinarySearch(p.hidden, n)
		if !p.hides || !hidden {
			continue
		}
		for i, a := range [4][]r2.Vec{p.X, p.V, p.F, p.Motion.Damping} {
			if a != nil && math.IsNaN(a[n].X) { // else it is new, or has been brought before
				a[n] = p.away[i][j]
			}
		}
	}
}

// showPositions shows where all nodes are until the next step.
func (p *pretence) showPositions() {
	p.displacement = 0
	for j, n := range p.hidden {
		if p.hides && math.IsNaN(p.X[n].X) {
			p.X[n] = p.away[0][j]
		}
	}
}

// farthest returns no less than how far any node has moved since showPositions.
func (p *pretence) farthest(float64) float64 {
	fastest := 0.0
	for _, v := range p.V {
		if n := elementary.Norm(v); n > fastest { // what is hidden is not
			fastest = n
		}
	}
	for j := range p.hidden {
		if p.hides {
			fastest = max(fastest, elementary.Norm(p.away[1][j]))
		}
	}
	p.displacement += float64(fastest * p.Last)
	return p.displacement
}

// have no longer hides some nodes, which have been brought or are new.
func (p *pretence) have(nodes []int32) {
	for _, n := range nodes {
		j, hidden := slices.BinarySearch(p.hidden, n)
		if !hidden {
			continue
		}
		p.hidden = slices.Delete(p.hidden, j, j+1)
		for i := range p.away {
			if p.hides && len(p.away[i]) > 0 {
				p.away[i] = slices.Delete(p.away[i], j, j+1)
			}
		}
		for i := range p.turned {
			if p.hides && len(p.turned[i]) > 0 {
				p.turned[i] = slices.Delete(p.turned[i], j, j+1)
			}
		}
	}
}

// rows takes so many steps, and shows the nodes for a look now and then, as processes bring
// them up to date for a row.
func (p *pretence) rows(t *testing.T, steps int) (out [][]byte) {
	t.Helper()
	for i := range steps {
		noError(t, p.Step(0, nil))
		if i%8 == 7 {
			p.show()
			out = append(out, bits(t, p.X), bits(t, p.V), fmt.Append(nil, p.Ledger.Watch, p.Ledger.Damping, p.Limit))
			for k := range system.All[*constraints.Supports](p.kinds.systems) { // found while nodes were hidden
				k.Reactions(func(r *system.Reaction) { out = append(out, fmt.Append(nil, r.Hold, r.Move, r.DrivenMomentum)) })
			}
			if !p.spheres.Empty() {
				out = append(out, bits(t, p.spheres.X), fmt.Append(nil, p.spheres.Far.Clearances))
			}
			if p.triangles.Lawful() {
				out = append(out, bits(t, p.triangles.Memory(p.N)), fmt.Append(nil, p.triangles.Follows))
			}
			p.hide()
		}
	}
	return out
}

// particlesApproaching is a rock that moves and turns, to which spheres fly so fast that their
// clearance is measured again.
func particlesApproaching(t testing.TB) *models.Model {
	m := spheresOnRock(t, 1000, "thornton")
	m.Bodies[0].Velocity, m.Bodies[0].AngularVelocity = r2.Vec{X: 1, Y: 2}, 30
	m.Particles.X[0].Y += 13e-3
	m.Particles.X[1].Y += 11e-3
	m.Particles.X[2].Y -= 12e-3
	m.Particles.X[3].X -= 12e-3
	return m
}

// insideHeld is two blocks that meet, and springs, drives and supports on nodes inside them, apart
// from those of outlines, which every rank has.
func insideHeld(t testing.TB) *models.Model {
	m := oblique(t, kostek(t), 0.2)
	outline := map[int32]bool{}
	for _, e := range m.Mesh.Edges {
		outline[e.A], outline[e.B] = true, true
	}
	var inside [2][]int32
	for b := range inside {
		inside[b] = slices.DeleteFunc(slices.Clone(m.Mesh.Bodies[b].Nodes), func(n int32) bool { return outline[n] })
	}
	end := func(n ...int32) models.End {
		return models.End{Nodes: n, Weights: slices.Repeat([]float64{1 / float64(len(n))}, len(n)), Rigid: -1}
	}
	a, b := inside[0], inside[1]
	spring := models.Spring{Name: "across", X: true, Y: true, Stiffness: 1e7, Damping: 10}
	for i := range 5 {
		spring.Links = append(spring.Links, models.Link{Ends: [2]models.End{end(a[i], a[i+9]), end(b[len(b)-1-i])}, Share: 0.2})
	}
	m.Springs = []models.Spring{spring}
	m.Drives = []models.Drive{{On: "a", Name: "drive", Nodes: a[len(a)-20:], X: true, Motion: [3]models.PrescribedMotion{{At: func(at float64) float64 { return 2 * at }}}}}
	m.Fixes = []models.Fix{{On: "b", Name: "support", Nodes: b[20:120], Y: true}}
	m.Bodies[1].Velocity, m.Bodies[1].AngularVelocity = r2.Vec{}, 0
	return m
}

// Kinds read only nodes that they own or name: a rank that has NaN in all other nodes takes the
// same steps to the bit as one that has all. Static analyses and heat run on one rank.
func TestPretendedRanks(t *testing.T) {
	t.Parallel()
	scenes := append(slices.DeleteFunc(slices.Clone(resumed), func(c scene) bool { m := c.make(t); return m.Static != nil || m.Heat != nil || m.Pores != nil }), scene{name: "side on side", make: func(t testing.TB) *models.Model { return sideOnSide(t.(*testing.T)).Model }},
		scene{name: "particles on their way to what can break", make: particlesApproaching}, scene{name: "held inside", make: insideHeld})
	hidden := 0
	for i, c := range scenes {
		t.Run(c.name, func(t *testing.T) {
			steps := 64
			if c.make(t).Fracture != nil {
				steps = 256
			}
			made := func() *Solver {
				m := c.make(t)
				m.Duration = 60e-6
				return start(t, m)
			}
			whole, _ := pretend(made(), 0, 1)
			want := whole.rows(t, steps)
			if whole.Fracture != nil {
				t.Logf("%d openings", whole.Zone().Openings())
			}
			size := 2 + i%3
			for rank := range size {
				if !*everything && rank != i%size {
					continue
				}
				p, blind := pretend(made(), rank, size)
				if blind != nil {
					t.Fatalf("every node is read because of %s", strings.Join(blind, ", "))
				}
				hidden += len(p.hidden)
				if got := p.rows(t, steps); !slices.EqualFunc(got, want, bytes.Equal) {
					t.Errorf("rank %d of %d, %d of %d nodes hidden: another run", rank, size, len(p.hidden), len(p.X))
				}
			}
		})
	}
	if t.Logf("%d nodes hidden; by one rank of each scene, by every rank with -whole", hidden); hidden == 0 {
		t.Error("no rank lacks a node")
	}
}
