package cracks

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fdem/fem"
	"fdem/fem/fracture"
	"fdem/mesh"
	"fdem/solver/bodies"
	"fdem/solver/constraints"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/quantity"
	"fdem/solver/system"
	"fdem/solver/threads"
)

// CracksLeft returns the shortest step that cracks have caused so far, relative to that of the
// intact model.
func (k *Breaking) CracksLeft() float64 { return 1 / math.Sqrt(1+k.Cracked) }

// Cracks are cohesive cracks: bodies break along the edges of their triangles. They act last. A
// vertex opens when all forces on it are known, and its parts share these in proportion to their
// masses, so accelerations do not jump.
type Cracks struct {
	system.Idle
	*fracture.Zone
	view         system.View
	triangles    *bodies.Continuum
	outlines     *bodies.Outlines
	team         *threads.Team
	breaking     *Breaking
	state        fracture.State // state of a checkpoint, for parts and restore
	startingEdge []int32        // per node of the initial mesh: the boundary edge that starts there, -1 for none
	arriving     []int32        // and the boundary edge that ends there
	near         []fem.Span     // triangles whose stress is near the strength
	fragment     []int32        // per triangle, see Fragments; with their number when counted edges were broken
	fragments    int
	counted      int
}

// newCracks makes the cracks.
func newCracks(s system.View, t *bodies.Continuum, drives *constraints.Drives, outlines *bodies.Outlines, breaking *Breaking) (*Cracks, error) {
	k := &Cracks{Zone: &fracture.Zone{}, view: s, triangles: t, outlines: outlines, breaking: breaking}
	if s.Fracture == nil {
		return k, nil
	}
	m := s.Mesh
	zone, err := fracture.New(fracture.Config{
		Triangles: t.Triangles, Nodes: m.Triangles, X: m.X, Edges: s.Fracture.Edges,
		Regions: s.Fracture.Regions, Joints: s.Fracture.Joints, Pages: s.Fracture.Pages, Thickness: s.Thickness,
		Pressures: s.JointPressures(),
		Parts:     breakingAtStart(t, drives), Excavated: s.Fracture.Leaves, Held: s.Analysis.Model.HeldSides(),
	})
	if err != nil {
		return nil, err
	}
	t.Watch(zone.Thresholds())
	k.Zone, k.startingEdge, k.arriving = zone, make([]int32, len(m.X)), make([]int32, len(m.X))
	for i := range m.X {
		k.startingEdge[i], k.arriving[i] = -1, -1
	}
	for i, e := range m.Edges {
		k.startingEdge[e.A], k.arriving[e.B] = int32(i), int32(i)
	}
	s.MaySplit()
	return k, nil
}

func (k *Cracks) Empty() bool { return len(k.startingEdge) == 0 }

func (k *Cracks) Dissipates() bool { return !k.Empty() }

// excavate marks the triangles of an excavated body.
func (k *Cracks) excavate(of *mesh.Body) {
	if k.Empty() {
		return
	}
	k.Excavate(of.First, of.End)
	k.counted = -1
}

func (k *Cracks) Name() string { return "cracks" }

// NodesRead names the nodes beside open edges. afterForces gets the nodes of vertices that may open,
// and the results of laws there.
func (k *Cracks) NodesRead(each func(n int32)) bool {
	k.Beside(0, each)
	return true
}

// have makes this process follow the nodes beside all openings from number from on.
func (k *Cracks) have(from int) {
	k.breaking.exchange.Follow(func(each func(n int32)) { k.Beside(from, each) })
}

func (k *Cracks) Balance() error {
	return errors.New("cracks run in time, a static analysis cannot follow them: leave [[fracture]] out")
}

func (k *Cracks) ApplyForces(bool) error {
	k.AddForces(k.view.F, k.view.X, k.view.Time)
	return nil
}

func (k *Cracks) UseThreads(t *threads.Team) {
	k.team = t
	k.Workers(t.Workers, t.Run)
}

// AfterForces opens the vertices where the stress has reached the strength.
func (k *Cracks) AfterForces() {
	f := k.view.Field
	if !k.view.Stepping {
		return
	}
	if f.N%emissionInterval == 0 {
		k.UpdateEmission(f.V)
	}
	k.GetNodes = k.breaking.exchange.GetNodes()
	before := k.Openings()
	k.near = k.triangles.Passed(k.team.Parts, k.near[:0], k.breaking.exchange.Join())
	if k.OpenSprings(f.X, f.V, f.Mass, f.Time) == 0 && k.OpenAbove(k.near, f.X, f.V, f.Mass, f.Time) == 0 {
		return
	}
	for _, b := range k.NodeSplits() {
		f.ShareForces(nodes.Node(b.Of), nodes.Node(b.Node), b.Left, b.Mass)
		k.adopt(b)
		if f.N == 0 {
			k.throw(b.Of)
			k.throw(b.Node)
		}
	}
	k.have(before)
	k.triangles.Stale = true
}

// emissionInterval is the number of steps between two computations of the kinetic energy released
// by cracks. A crack takes some tens of steps to break.
const emissionInterval = 4

// adopt gives a new node the properties of the node from which it was split.
func (k *Cracks) adopt(b fracture.NodeSplit) {
	m, outlines := k.view.Mesh, k.outlines
	k.breaking.Faces.Potential.Split(b.Of, b.Node, k.Round(b.Node))
	vertex := k.Vertex(b.Node)
	m.X[b.Node], m.NodeID[b.Node] = m.X[vertex], m.NodeID[vertex]
	k.view.Split(nodes.Node(b.Of), nodes.Node(b.Node))
	k.holdSide(vertex, b.Of, b.Left)
	k.holdSide(vertex, b.Node, b.Mass)
	k.breaking.adapting.Adapt(k.Round(b.Node)) // which depends on whether nodes are held
	at := [2]int32{k.startingEdge[vertex], k.arriving[vertex]}
	for side, i := range at {
		if i < 0 {
			continue
		}
		e := &m.Edges[i]
		outlines.Search.Follow(b.Of, b.Node, e.Component) // always, so that it is the same after a resume
		outlines.Lines.Add(b.Node)
		end := &e.A
		if i == k.arriving[vertex] {
			end = &e.B
		}
		for _, n := range m.Triangles[e.Tri] {
			if n != *end && k.Vertex(n) == vertex {
				outlines.Search.ReplaceNode(int(i), *end, n, int(at[1-side]))
				*end = n
				outlines.Lines.Changed(i)
				break
			}
		}
	}
}

// holdSide holds a node of a vertex as the supports on its side of the vertex do. mass is the node's
// mass after the split [kg].
func (k *Cracks) holdSide(vertex, n int32, mass float64) {
	var of, held uint8
	divides := false
	add := func(list []int32, at *models.Corners, x, y bool) {
		if at.First == nil && !divides {
			return
		}
		i := slices.Index(list, vertex)
		if i < 0 {
			return
		}
		of |= nodes.Directions(x, y)
		divides = divides || len(at.At(i)) > 0
		if k.view.Has(nodes.Node(n), at.At(i)) {
			held |= nodes.Directions(x, y)
		}
	}
	for range 2 { // first those with sides
		for i := range k.view.Fixes {
			f := &k.view.Fixes[i]
			if !k.view.Holding[i] {
				continue
			}
			add(f.Nodes, &f.Corners, f.X, f.Y)
		}
		for i := range k.view.Drives {
			d := &k.view.Drives[i]
			add(d.Nodes, &d.Corners, d.X, d.Y)
		}
	}
	if divides {
		k.view.HoldSide(nodes.Node(n), of, held, mass)
	}
}

func (k *Cracks) Bound(b *system.Bounds) {
	b.Cracks.Raise(k.FrequencySquared(), system.Cause{What: ofCracks, At: k.Tightest()})
}

// ofCracks is the cause of a step that cracks limit, at a vertex.
const ofCracks = "cracks"

// Where names the crack that limits the step.
func (k *Cracks) Where(by system.Cause) string {
	if by.What != ofCracks || by.At < 0 {
		return ""
	}
	t := k.Round(by.At)[0]
	body := slices.IndexFunc(k.view.Mesh.Bodies, func(b mesh.Body) bool { return t >= b.First && t < b.End && b.Kind == mesh.OfTriangles })
	x := k.Position(by.At)
	return fmt.Sprintf("the crack at (%.6g, %.6g) m of %q", x.X, x.Y, k.view.Model.Bodies[body].Name)
}

func (k *Cracks) AddEnergies(e *system.Energies) {
	of := k.Zone.Energies()
	e.CohesiveStored += of.Stored
	e.FractureDissipated += of.Fracture
	e.FrictionDissipated += of.Friction
	e.InsertionWork += of.Insertion
}

func (k *Cracks) StateParts() []system.Part {
	k.state = k.State()
	return []system.Part{
		{Name: "fracture.opened", Values: &k.state.Opened}, {Name: "fracture.times", Values: &k.state.Times}, {Name: "fracture.taken", Values: &k.state.Taken},
		{Name: "fracture.points", Values: &k.state.Points}, {Name: "fracture.broken", Values: &k.state.Broken}, {Name: "fracture.left", Values: &k.state.Left},
		{Name: "fracture.apart", Values: &k.state.Apart}, {Name: "fracture.parting", Values: &k.state.Parting},
		{Name: "fracture.emitted", Values: &k.state.Emitted}, {Name: "fracture.stands", Values: &k.state.Stands},
	}
}

// Recompute opens the vertices that are open in the state.
func (k *Cracks) Recompute() error {
	if err := k.Restore(k.state, k.view.Mass); err != nil {
		return fmt.Errorf("cracks: %w", err)
	}
	for _, b := range k.NodeSplits() {
		k.adopt(b)
	}
	k.have(0)
	k.triangles.Stale, k.counted = true, -1
	return nil
}

func (k *Cracks) EachCount(func(int, string)) {}

func (k *Cracks) Bytes() int { return 300 * len(k.view.Fracture.Edges) }

// CrackTotals returns the totals of cracks and the number of fragments, for a model in which
// something can break.
func (k *Breaking) CrackTotals() (fracture.Totals, int) {
	t := k.cracks.Totals()
	if c := k.cracks; c.fragment == nil || t.BrokenEdges != c.counted {
		if c.fragment == nil {
			c.fragment = make([]int32, len(k.Mesh.Triangles))
		}
		c.fragments, c.counted = c.Zone.Fragments(c.fragment), t.BrokenEdges
	}
	return t, k.cracks.fragments
}

// Fragments returns for each triangle the number of its fragment, for a model in which something
// can break. The next call may change the slice.
func (k *Breaking) Fragments() []int32 {
	k.CrackTotals()
	return k.cracks.fragment
}

// tipSpeed returns the greatest speed of a crack tip since the last row of the history [m/s].
func (k *Cracks) tipSpeed() float64 {
	since := 0.0
	if k.view.HistoryEvery > 0 {
		since = k.view.Time - k.view.HistoryEvery
	}
	return k.TipSpeed(since)
}

// columnsOfCracks lists the columns of cracks in the history.
var columnsOfCracks = []struct {
	of    *quantity.Quantity
	value func(k *Cracks, t *fracture.Totals, fragments int) float64
}{
	{quantity.Must(quantity.Run, "cracks.inserted"), func(_ *Cracks, t *fracture.Totals, _ int) float64 { return t.Inserted }},
	{quantity.Must(quantity.Run, "cracks.broken"), func(_ *Cracks, t *fracture.Totals, _ int) float64 { return t.Broken }},
	{quantity.Must(quantity.Run, "cracks.inserted_tension"), func(_ *Cracks, t *fracture.Totals, _ int) float64 { return t.Inserted - t.Sliding }},
	{quantity.Must(quantity.Run, "cracks.inserted_shear"), func(_ *Cracks, t *fracture.Totals, _ int) float64 { return t.Sliding }},
	{quantity.Must(quantity.Run, "cracks.tension"), func(_ *Cracks, t *fracture.Totals, _ int) float64 { return t.Tension }},
	{quantity.Must(quantity.Run, "cracks.shear"), func(_ *Cracks, t *fracture.Totals, _ int) float64 { return t.Shear }},
	{quantity.Must(quantity.Run, "cracks.speed"), func(k *Cracks, _ *fracture.Totals, _ int) float64 { return k.tipSpeed() }},
	{quantity.Must(quantity.Run, "events.tension"), func(_ *Cracks, t *fracture.Totals, _ int) float64 { return float64(t.BrokenEdges - t.ShearEdges) }},
	{quantity.Must(quantity.Run, "events.shear"), func(_ *Cracks, t *fracture.Totals, _ int) float64 { return float64(t.ShearEdges) }},
	{quantity.Must(quantity.Run, "events.kinetic"), func(_ *Cracks, t *fracture.Totals, _ int) float64 { return t.Kinetic }},
	{quantity.Must(quantity.Run, "fragments"), func(_ *Cracks, _ *fracture.Totals, fragments int) float64 { return float64(fragments) }},
}

// Columns calls the function with the columns of excavations and cracks.
func (k *Breaking) Columns(each func(c quantity.Column, v float64)) {
	k.excavations.columns(each)
	if !k.Breaks() {
		return
	}
	totals, fragments := k.CrackTotals()
	for _, b := range columnsOfCracks {
		each(quantity.Column{Quantity: b.of}, b.value(k.cracks, &totals, fragments))
	}
}
