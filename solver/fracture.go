package solver

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
func (k *breaking) CracksLeft() float64 { return 1 / math.Sqrt(1+k.Cracked) }

// cracks are cohesive cracks: bodies break along the edges of their triangles. They act last. A
// vertex opens when all forces on it are known, and its parts share these in proportion to their
// masses, so accelerations do not jump.
type cracks struct {
	system.Idle
	*fracture.Zone
	view         system.View
	shared       *workers
	breaking     *breaking
	state        fracture.State // state of a checkpoint, for parts and restore
	startingEdge []int32        // per node of the initial mesh: the boundary edge that starts there, -1 for none
	arriving     []int32        // and the boundary edge that ends there
	near         []fem.Span     // triangles whose stress is near the strength
	fragment     []int32        // per triangle, see Fragments; with their number when counted edges were broken
	fragments    int
	counted      int
}

// ownOf returns a model with breaking bodies that has its own copy of the mesh: cracks change the
// nodes of triangles and of boundary edges.
func ownOf(m *models.Model) *models.Model {
	if m.Fracture == nil {
		return m
	}
	model, mesh, f := *m, *m.Mesh, *m.Fracture
	mesh.X, mesh.NodeID = slices.Clone(mesh.X), slices.Clone(mesh.NodeID)
	mesh.Triangles, mesh.Edges, mesh.Bodies = slices.Clone(mesh.Triangles), slices.Clone(mesh.Edges), slices.Clone(mesh.Bodies)
	f.Pages = &fracture.Pages{Numbers: f.Pages.Numbers, Used: slices.Clone(f.Pages.Used), Slots: f.Pages.Slots, Nodes: f.Pages.Nodes}
	model.Mesh, model.Fracture = &mesh, &f
	return &model
}

// newCracks makes the cracks.
func newCracks(s system.View, t *bodies.Continuum, drives *constraints.Drives, shared *workers, breaking *breaking) (*cracks, error) {
	k := &cracks{Zone: &fracture.Zone{}, view: s, shared: shared, breaking: breaking}
	if s.Fracture == nil {
		return k, nil
	}
	m := s.Mesh
	zone, err := fracture.New(fracture.Config{
		Triangles: t.Triangles, Nodes: m.Triangles, X: m.X, Edges: s.Fracture.Edges,
		Regions: s.Fracture.Regions, Joints: s.Fracture.Joints, Pages: s.Fracture.Pages, Thickness: s.Thickness,
		Pressures: s.JointPressures(),
		Parts:     breakingAtStart(t, drives), Excavated: s.Fracture.Leaves, Held: heldSides(s.Analysis.Model),
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

// heldSides returns, for each corner of the triangles, how fixes and drives hold that part of its
// vertex; nil if each of them holds all of its vertices.
func heldSides(m *models.Model) []uint8 {
	divided := func(c *models.Corners) bool { return c.First != nil }
	if !slices.ContainsFunc(m.Fixes, func(f models.Fix) bool { return divided(&f.Corners) }) && !slices.ContainsFunc(m.Drives, func(d models.Drive) bool { return divided(&d.Corners) }) {
		return nil
	}
	held := make([]uint8, 3*len(m.Mesh.Triangles))
	hold := func(of []int32, at *models.Corners, x, y bool) {
		bits := nodes.Directions(x, y)
		eachCorner(m.Mesh.Triangles, len(m.Mesh.X), of, at, func(t int32, c int) { held[3*t+int32(c)] |= bits })
	}
	for i := range m.Fixes {
		f := &m.Fixes[i]
		hold(f.Nodes, &f.Corners, f.X, f.Y)
	}
	for i := range m.Drives {
		d := &m.Drives[i]
		hold(d.Nodes, &d.Corners, d.X, d.Y)
	}
	return held
}

// eachCorner calls do with the corners of triangles at vertices in a list, of a number of vertices.
// Where the list names corners at a vertex these are all.
func eachCorner(triangles [][3]int32, count int, of []int32, at *models.Corners, do func(t int32, c int)) {
	index := slices.Repeat([]int32{-1}, count)
	for i, n := range of {
		index[n] = int32(i)
	}
	for t, ns := range triangles {
		for c, n := range ns {
			i := index[n]
			if i < 0 {
				continue
			}
			corners := at.At(int(i))
			if len(corners) == 0 || slices.ContainsFunc(corners, func(c models.Corner) bool { return c.Triangle == int32(t) }) {
				do(int32(t), c)
			}
		}
	}
}

func (k *cracks) Empty() bool { return len(k.startingEdge) == 0 }

func (k *cracks) Dissipates() bool { return !k.Empty() }

// excavate marks the triangles of an excavated body.
func (k *cracks) excavate(of *mesh.Body) {
	if k.Empty() {
		return
	}
	k.Excavate(of.First, of.End)
	k.counted = -1
}

func (k *cracks) Name() string { return "cracks" }

// NodesRead names the nodes beside open edges. afterForces gets the nodes of vertices that may open,
// and the results of laws there.
func (k *cracks) NodesRead(each func(n int32)) bool {
	k.Beside(0, each)
	return true
}

// have makes this process follow the nodes beside all openings from number from on.
func (k *cracks) have(from int) {
	k.shared.sharing.followNamed(func(each func(n int32)) { k.Beside(from, each) })
}

func (k *cracks) Balance() error {
	return errors.New("cracks run in time, a static analysis cannot follow them: leave [[fracture]] out")
}

func (k *cracks) ApplyForces(bool) error {
	k.AddForces(k.view.F, k.view.X, k.view.Time)
	return nil
}

func (k *cracks) UseThreads(t *threads.Team) { k.Workers(t.Workers, t.Run) }

// AfterForces opens the vertices where the stress has reached the strength.
func (k *cracks) AfterForces() {
	f := k.view.Field
	if !k.view.Stepping {
		return
	}
	if f.N%emissionInterval == 0 {
		k.UpdateEmission(f.V)
	}
	k.GetNodes = k.shared.sharing.getNodes
	before := k.Openings()
	k.near = k.shared.triangles.Passed(k.shared.team.Parts, k.near[:0], k.shared.sharing.join)
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
	k.shared.triangles.Stale = true
}

// emissionInterval is the number of steps between two computations of the kinetic energy released
// by cracks. A crack takes some tens of steps to break.
const emissionInterval = 4

// adopt gives a new node the properties of the node from which it was split.
func (k *cracks) adopt(b fracture.NodeSplit) {
	m, outlines := k.view.Mesh, k.shared.outlines
	k.breaking.crackFaces.of.Split(b.Of, b.Node, k.Round(b.Node))
	vertex := k.Vertex(b.Node)
	m.X[b.Node], m.NodeID[b.Node] = m.X[vertex], m.NodeID[vertex]
	k.view.Split(nodes.Node(b.Of), nodes.Node(b.Node))
	k.holdSide(vertex, b.Of, b.Left)
	k.holdSide(vertex, b.Node, b.Mass)
	for f := range system.All[adapting](k.shared.kinds.systems) { // kinds that depend on whether nodes are held
		f.Adapt(k.Round(b.Node))
	}
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
func (k *cracks) holdSide(vertex, n int32, mass float64) {
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

func (k *cracks) Bound(b *system.Bounds) {
	b.Cracks.Raise(k.FrequencySquared(), system.Cause{What: ofCracks, At: k.Tightest()})
}

// ofCracks is the cause of a step that cracks limit, at a vertex.
const ofCracks = "cracks"

// Where names the crack that limits the step.
func (k *cracks) Where(by system.Cause) string {
	if by.What != ofCracks || by.At < 0 {
		return ""
	}
	t := k.Round(by.At)[0]
	body := slices.IndexFunc(k.view.Mesh.Bodies, func(b mesh.Body) bool { return t >= b.First && t < b.End && b.Kind == mesh.OfTriangles })
	x := k.Position(by.At)
	return fmt.Sprintf("the crack at (%.6g, %.6g) m of %q", x.X, x.Y, k.view.Model.Bodies[body].Name)
}

func (k *cracks) AddEnergies(e *system.Energies) {
	of := k.Zone.Energies()
	e.CohesiveStored += of.Stored
	e.FractureDissipated += of.Fracture
	e.FrictionDissipated += of.Friction
	e.InsertionWork += of.Insertion
}

func (k *cracks) StateParts() []system.Part {
	k.state = k.State()
	return []system.Part{
		{Name: "fracture.opened", Values: &k.state.Opened}, {Name: "fracture.times", Values: &k.state.Times}, {Name: "fracture.taken", Values: &k.state.Taken},
		{Name: "fracture.points", Values: &k.state.Points}, {Name: "fracture.broken", Values: &k.state.Broken}, {Name: "fracture.left", Values: &k.state.Left},
		{Name: "fracture.apart", Values: &k.state.Apart}, {Name: "fracture.parting", Values: &k.state.Parting},
		{Name: "fracture.emitted", Values: &k.state.Emitted}, {Name: "fracture.stands", Values: &k.state.Stands},
	}
}

// Recompute opens the vertices that are open in the state.
func (k *cracks) Recompute() error {
	if err := k.Restore(k.state, k.view.Mass); err != nil {
		return fmt.Errorf("cracks: %w", err)
	}
	for _, b := range k.NodeSplits() {
		k.adopt(b)
	}
	k.have(0)
	k.shared.triangles.Stale, k.counted = true, -1
	return nil
}

func (k *cracks) EachCount(func(int, string)) {}

func (k *cracks) Bytes() int { return 300 * len(k.view.Fracture.Edges) }

// Cracks returns the cracks, nil if nothing can break.
func (k *results) Cracks() (z *fracture.Zone) {
	for c := range system.All[*cracks](k.kinds.systems) {
		z = c.Zone
	}
	return z
}

// CrackTotals returns the totals of cracks and the number of fragments, for a model in which
// something can break.
func (k *breaking) CrackTotals() (fracture.Totals, int) {
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
func (k *breaking) Fragments() []int32 {
	k.CrackTotals()
	return k.cracks.fragment
}

// tipSpeed returns the greatest speed of a crack tip since the last row of the history [m/s].
func (k *cracks) tipSpeed() float64 {
	since := 0.0
	if k.view.HistoryEvery > 0 {
		since = k.view.Time - k.view.HistoryEvery
	}
	return k.TipSpeed(since)
}

// columnsOfCracks lists the columns of cracks in the history.
var columnsOfCracks = []struct {
	of    *quantity.Quantity
	value func(k *cracks, t *fracture.Totals, fragments int) float64
}{
	{quantity.Must(quantity.Run, "cracks.inserted"), func(_ *cracks, t *fracture.Totals, _ int) float64 { return t.Inserted }},
	{quantity.Must(quantity.Run, "cracks.broken"), func(_ *cracks, t *fracture.Totals, _ int) float64 { return t.Broken }},
	{quantity.Must(quantity.Run, "cracks.inserted_tension"), func(_ *cracks, t *fracture.Totals, _ int) float64 { return t.Inserted - t.Sliding }},
	{quantity.Must(quantity.Run, "cracks.inserted_shear"), func(_ *cracks, t *fracture.Totals, _ int) float64 { return t.Sliding }},
	{quantity.Must(quantity.Run, "cracks.tension"), func(_ *cracks, t *fracture.Totals, _ int) float64 { return t.Tension }},
	{quantity.Must(quantity.Run, "cracks.shear"), func(_ *cracks, t *fracture.Totals, _ int) float64 { return t.Shear }},
	{quantity.Must(quantity.Run, "cracks.speed"), func(k *cracks, _ *fracture.Totals, _ int) float64 { return k.tipSpeed() }},
	{quantity.Must(quantity.Run, "events.tension"), func(_ *cracks, t *fracture.Totals, _ int) float64 { return float64(t.BrokenEdges - t.ShearEdges) }},
	{quantity.Must(quantity.Run, "events.shear"), func(_ *cracks, t *fracture.Totals, _ int) float64 { return float64(t.ShearEdges) }},
	{quantity.Must(quantity.Run, "events.kinetic"), func(_ *cracks, t *fracture.Totals, _ int) float64 { return t.Kinetic }},
	{quantity.Must(quantity.Run, "fragments"), func(_ *cracks, _ *fracture.Totals, fragments int) float64 { return float64(fragments) }},
}

// row calls the function with the columns of cracks.
func (k *cracks) row(each func(c quantity.Column, v float64)) {
	totals, fragments := k.breaking.CrackTotals()
	for _, b := range columnsOfCracks {
		each(quantity.Column{Quantity: b.of}, b.value(k, &totals, fragments))
	}
}
