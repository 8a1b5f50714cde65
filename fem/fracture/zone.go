// Package fracture lets bodies of triangles break: cohesive zones by extrinsic insertion. A body is
// intact until the internal force at a vertex reaches the strength; until then it costs no more
// time than a body that cannot break. Then the vertex opens: its triangles separate, and a cohesive
// law carries the traction between them.
//
//	whole            opened at v           opened at w, too
//	  \ | /            \ | /                  \ | /
//	----v----        ====v----            ====v====w----
//	  / | \            / | \                  / | \
//
// Vertices open, not edges. Two spokes of a vertex, or one spoke and the outline,
// are a chord that divides the vertex's fan of triangles. The exact force between
// the two parts over the chord is the traction that is compared with the strength
// (candidate.go). Nodal forces do not jump when a vertex opens: the law begins with
// the internal force of the parts as its traction (open.go). Package
// materials/cohesive has the law of a point, its softening and its strength.
//
// While the two faces of a crack are opposite each other, the same law gives their
// contact and friction. Later the faces are transferred to general contact, which
// finds other faces as well (transfer.go).
package fracture

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fdem/fem"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// Region describes how some edges break.
type Region struct {
	Law        *cohesive.Law
	Stiffness  float64           // b: cohesion adds at most b times the triangles' own highest squared frequency; usually 2
	Prescribed bool              // the edges are a curve or lie between two bodies: the path of the crack is prescribed
	Bedding    *cohesive.Bedding // strength that depends on direction, Law is then its Bound; nil for none
	Springs    *cohesive.Springs // law of a joint that is open from the start, instead of Law; nil for none
}

// Config is the input of New. Arrays of nodes are indexed by their numbers in Pages.
type Config struct {
	Triangles *fem.Triangles
	Nodes     [][3]int32 // of the triangles, anticlockwise; kept and changed
	X         []r2.Vec   // reference positions [m]
	Edges     []Edge     // from Interior, with their regions; kept
	Regions   []Region
	Joints    []bool    // per region: it is a joint; joints exist from the start, separate fragments, and do not count as cracks in results; nil for none
	Pressures []float64 // per edge that is a joint: the pressure of the initial stress on it [Pa]; nil for none
	Parts     []bool    // per edge: it opens at the start with any strength, because the initial velocities of its bodies differ; nil for none
	Excavated []bool    // per triangle: an excavation removes it, see Excavate; its edges cannot break; nil for none
	Held      []uint8   // per corner of the triangles: HeldX, HeldY if a support holds that part of its vertex; nil for none
	Pages     *Pages    // kept and changed
	Thickness float64   // [m]
}

// Zone has all edges of a model that can break, and its cracks. In its zero value nothing can
// break.
type Zone struct {
	GetNodes func(nodes, triangles []int32) // gets positions, velocities and forces of nodes that this process may lack, ascending, and results of the laws of triangles; nil for one process

	triangles   *fem.Triangles
	nodes       [][3]int32 // present nodes of each triangle
	x0          []r2.Vec   // reference positions; nodes have that of their vertex
	edges       []Edge
	pages       *Pages
	thickness   float64
	fans        *fans
	size        []float64    // of each fan, of its triangles' sides, see measure [m]
	shielded    []bool       // of each fan: a crack shields it
	sleepers    []sleeper    // of each fan
	openSleep   openSleep    // of those that are open
	sleepMargin [][3]float32 // of each triangle and each of its vertices, the change of stress from its reference up to which the vertex sleeps [Pa]
	excavated   []bool       // of each triangle: it has been excavated; nil for none
	excavations []int32      // of each fan, triangles beside it that are still to be excavated; nil for none
	mass        []float64    // of each corner of triangles [kg]
	omega2      []float64    // of triangles [1/s2]
	thresholds  []fem.StressThreshold

	blendOnly bool // for a test of the contact transfer

	regions []region
	joints  []bool    // per region; nil for none
	charges []float64 // see Config.Pressures [Pa]
	charged float64   // energy with which they charge joints without springs of their own [J]
	// Cracks, in the order of their edges except for the newest, see sortCracks. There are four per
	// quad, and two points each, at From and To. Their own constants do not change.
	cracks    []crack
	histories []history
	emissions []emission
	quads     []quad
	balances  []balance // of each quad
	points    []point
	constants []cohesive.Point // of each point, its constants
	crackOf   []int32          // of each edge, -1 for none
	reached   []int32          // of each edge, the pages of nodes that edges before it reach
	order     []int32          // the cracks in the order of their edges, in which forces are added
	unsorted  []int32          // cracks that are not in order yet, see mergeOrder
	broken    []int32          // broken cracks whose faces were not detached when forces were last computed
	changed   []int32          // of these, edges whose faces Separate has found to change
	edgeOf    []int32          // of each crack in the order in which they were inserted
	sorted    int              // number of cracks when they were last sorted
	opened    []opening
	limit     float64 // bound of what cohesion adds to the highest squared frequency, with faces opposite each other [1/s2]
	tightest  int32   // the fan with this bound
	arm       float64 // greatest ratio of the squared distance of two opposite points that carry a load to the squared length of their edge

	vertexOf []int32 // the vertex of each node
	next     []int32 // per node: another node of its vertex; -1 for the last
	splits   []NodeSplit
	springs  []float64 // of each node [N/m], for the limit
	bound    []float64 // of each fan, its part of the limit [1/s2]

	grid    grid
	scan    scan
	initial initialOpenings
	fluid   crackFluid
	pores   pores

	// For the workers that compute forces: their function and its input.
	phase                          func(do func(worker int))
	kernel                         kernel
	workers                        []crackWorker // of each
	x, f, v                        []r2.Vec
	time                           float64
	taken, since                   float64 // time of the last computation of forces, and the time since the computation before it [s]
	doForces, doSeparate, doSearch func(worker int)
	doEmission                     func(worker int)
	doStress, doStrain, doCorners  func(worker int)
}

// opening is a vertex that opened along one spoke or two; fans and edges by
// number, -1 for no second spoke.
type opening struct {
	fan, spoke, second int32
	time               float64
}

// crack has the values that every step reads of an edge that is open at one end or both.
type crack struct {
	node                           [4]int32 // A's at From and To, B's at From and To
	edge, region                   int32
	open                           [2]bool // at From and To
	broken, detached, transferring bool    // the crack's history has the time of it; the history's slope is not 0
	law                            uint8   // index of the law of a bedding
	weight                         float64 // area of a point [m2]
	length2                        float64 // squared reference length of its edge [m2]
	contactShare                   float64 // part of its faces that contact has taken over
	unchanged2                     float64 // squared gap up to which Separate changes nothing, once it is broken [m2]
}

// history has the other values of a crack.
type history struct {
	inserted float64 // time [s]
	broken   float64 // time [s], NaN before
	detached float64 // time at which its faces became detached [s], NaN before

	// see Separate
	separated     float64 // time at which its broken faces separated [s], NaN before
	transferGap   float64 // ratio of gap to length from which its faces are transferred to contact; NaN before it is broken
	slope         r2.Vec  // gradient of contactShare by the mean gap [1/m]
	contactEnergy float64 // energy that contact would store in its faces if it had all of them [J]
}

// point has the values of a point of a crack that change only as damage grows, and those that
// follow from its constants. Its quad has the other values.
type point struct {
	kappa  float64 // the greatest opening [m]
	mixity float64 // share of shear in its energy
	breaks float64 // kappa at which it is broken [m]
}

// region is a Region with bounds of its strength.
type region struct {
	Region
	laws      []*cohesive.Law     // by the angle to its bedding; nil without
	weakest   float64             // strength of its weakest edge over the law's
	bounds    strengthBounds      // see strained
	threshold fem.StressThreshold // of its triangles
}

// setWeakest sets the least strength of each region's edges and the bounds that follow from it.
func (z *Zone) setWeakest() {
	for i := range z.edges {
		if e := &z.edges[i]; e.Region >= 0 {
			r := &z.regions[e.Region]
			r.weakest = min(r.weakest, e.Strength)
		}
	}
	for i := range z.regions {
		z.regions[i].bounds, z.regions[i].threshold = z.regions[i].newBounds(), z.regions[i].stressThreshold()
	}
}

// New makes a zone without cracks. It fails if a region has no law or no stiffness.
func New(c Config) (*Zone, error) {
	z := &Zone{
		triangles: c.Triangles, nodes: c.Nodes, x0: c.X, edges: c.Edges, pages: c.Pages, thickness: c.Thickness,
		fans: newFans(c.Pages.Nodes, c.Nodes, c.Edges, c.Excavated), joints: c.Joints, crackOf: make([]int32, len(c.Edges)),
	}
	for i := range z.crackOf {
		z.crackOf[i] = -1
	}
	for i, r := range c.Regions {
		if r.Law == nil || !(r.Stiffness > 0) {
			return nil, fmt.Errorf("region %d: it must have a law and a stiffness above 0, got stiffness %g", i, r.Stiffness)
		}
		of := region{Region: r, weakest: math.Inf(1)}
		if r.Bedding != nil {
			of.laws = r.Bedding.Laws()
		}
		z.regions = append(z.regions, of)
	}
	z.mass, z.omega2 = make([]float64, len(c.Nodes)), make([]float64, len(c.Nodes))
	for i := range c.Nodes {
		z.mass[i] = c.Triangles.CornerMass(i)
		z.omega2[i] = c.Triangles.FrequencySquared(i, c.X)
	}
	z.fans.setGeometry(c.Triangles, z.edges)
	z.fans.setHeld(c.Held)
	z.setWeakest()
	if c.Excavated != nil {
		z.excavated, z.excavations = make([]bool, len(c.Excavated)), make([]int32, len(z.fans.vertex))
		for t, leaves := range c.Excavated {
			if leaves {
				z.countExcavations(int32(t), 1)
			}
		}
	}
	z.vertexOf, z.next = make([]int32, c.Pages.Nodes), make([]int32, c.Pages.Nodes)
	for n := range z.next {
		z.next[n] = -1
	}
	for _, n := range c.Pages.Numbers {
		z.vertexOf[n] = n
	}
	z.setSizes()
	z.shielded = make([]bool, len(z.fans.vertex))
	pages := int32(0)
	for _, e := range z.edges {
		z.reached = append(z.reached, pages)
		pages = max(pages, e.From/c.Pages.Slots+1, e.To/c.Pages.Slots+1)
	}
	z.setThresholds()
	z.initSleepers()
	z.initial.parts = c.Parts
	z.listInitial()
	z.charge(c.Pressures)
	c.Triangles.Paged(c.Pages.Slots, c.Pages.Used)
	z.kernel = chooseKernel(c.Triangles.Kernel())
	z.Workers(1, nil)
	return z, nil
}

// countExcavations adds a number to the counts of triangles to be excavated at the vertices of
// triangle t.
func (z *Zone) countExcavations(t, by int32) {
	for _, n := range z.nodes[t] {
		if k := z.fans.of[n]; k >= 0 {
			z.excavations[k] += by
		}
	}
}

// Excavate marks the triangles [first, end) as excavated. A vertex that they share with
// other triangles opens only after that, when it lies on an outline.
func (z *Zone) Excavate(first, end int32) {
	for t := first; t < end; t++ {
		z.excavated[t] = true
		z.countExcavations(t, -1)
	}
}

// edgeVector returns the vector from From to To of an edge in the reference positions [m].
func (z *Zone) edgeVector(e *Edge) r2.Vec {
	a, b := z.x0[e.From], z.x0[e.To]
	return r2.Vec{X: b.X - a.X, Y: b.Y - a.Y}
}

// lengthSquared returns the squared reference length of an edge [m2].
func (z *Zone) lengthSquared(edge int32) float64 {
	r := z.edgeVector(&z.edges[edge])
	return float64(r.X*r.X) + float64(r.Y*r.Y)
}

// setSizes sets the sizes of the fans. The size of a fan is the greatest mean length of
// spokes among the fan and its neighbours: at outlines spokes are often short.
func (z *Zone) setSizes() {
	f := z.fans
	greatest := 0.0
	own := make([]float64, len(f.vertex))
	z.size = make([]float64, len(f.vertex))
	for k := range f.vertex {
		sum := 0.0
		for i := f.first[k]; i < f.first[k+1]; i++ {
			t, c := &z.nodes[f.tri[i]], f.corner[i]
			v, o := z.x0[t[c]], z.x0[t[(c+2)%3]]
			sum += length(r2.Vec{X: o.X - v.X, Y: o.Y - v.Y})
		}
		own[k] = sum / float64(f.first[k+1]-f.first[k])
	}
	for k := range f.vertex {
		z.size[k] = own[k]
		for i := f.first[k]; i < f.first[k+1]; i++ {
			for _, n := range z.nodes[f.tri[i]] {
				if q := f.of[n]; q >= 0 {
					z.size[k] = max(z.size[k], own[q])
				}
			}
		}
		greatest = max(greatest, z.size[k])
	}
	z.grid = newGrid(z.x0, f.vertex, shieldRadius*greatest)
}

// length returns the length of v.
func length(v r2.Vec) float64 { return math.Sqrt(float64(v.X*v.X) + float64(v.Y*v.Y)) }

// prescribedUse is a fraction of the strength. When the force on the vertex at the tip of a notch
// reaches the strength of a prescribed path, the stress in some triangle beside the tip has reached
// at least this fraction. The stress rises towards the tip more steeply than triangles can show.
const prescribedUse = 0.3

// setThresholds sets the stress thresholds of the triangles at vertices that can open. A vertex
// cannot pass the patch test before one of its triangles has reached patchUse of the strength;
// without such a test the threshold is prescribedUse. A triangle between several regions may be
// reported too early, but never too late.
func (z *Zone) setThresholds() {
	own := make([]fem.StressThreshold, len(z.regions))
	for i := range own {
		own[i] = z.regions[i].threshold
	}
	for t := range z.nodes {
		var now fem.StressThreshold
		for _, k := range z.fans.at[t] {
			if k < 0 {
				continue
			}
			if r := z.fans.region[k]; r != several {
				if z.springsOf(r) == nil {
					now = either(now, own[r])
				}
				continue
			}
			for _, q := range z.fans.spokesOf(k) {
				if q >= 0 && !z.hasSprings(q) {
					now = either(now, own[z.edges[q].Region])
				}
			}
		}
		if now == (fem.StressThreshold{}) {
			continue
		}
		now.First, now.End = int32(t), int32(t+1)
		if n := len(z.thresholds) - 1; n >= 0 && z.thresholds[n].End == now.First && sameLimits(z.thresholds[n], now) && z.triangles.Material(t-1) == z.triangles.Material(t) {
			z.thresholds[n].End = now.End
			continue
		}
		z.thresholds = append(z.thresholds, now)
	}
}

// sameLimits tells whether two stress thresholds differ by their triangles only.
func sameLimits(a, b fem.StressThreshold) bool {
	a.First, a.End = b.First, b.End
	return a == b
}

// either returns a stress threshold that is exceeded if one of two is exceeded. The zero value is
// no threshold.
//
// Under compression, p < 0, the smaller slope and the smaller limits suffice. Under tension r +
// Slope p <= r + p, because slopes are below 1. There the limit of tension, lowered to the shear
// limit of the steeper one, is sufficient.
func either(a, b fem.StressThreshold) fem.StressThreshold {
	if a == (fem.StressThreshold{}) || a == b {
		return b
	}
	if a.Slope > b.Slope {
		a, b = b, a
	}
	if a.Tension = min(a.Tension, b.Tension); b.Slope > a.Slope {
		a.Tension = min(a.Tension, b.Shear)
	}
	a.Shear = min(a.Shear, b.Shear)
	a.Beside = a.Beside || b.Beside
	return a
}

const thresholdMargin = 0.95

// stressThreshold returns the stress above which triangles are reported. No plane can use more of
// the strength than (p + r)/min(f, c) in tension, or than the Mohr-Coulomb law gives in shear. The
// two measures of stress differ by the strain; thresholdMargin covers a strain of 1 in 100.
func (r *region) stressThreshold() fem.StressThreshold {
	s := &r.Law.Strength
	used := thresholdMargin * patchUse * r.weakest
	h := math.Sqrt(1 + float64(s.Friction*s.Friction))
	tension := used
	if r.Prescribed {
		tension = thresholdMargin * prescribedUse * r.weakest
	}
	return fem.StressThreshold{
		Tension: tension * min(s.Tension, s.Cohesion),
		Shear:   used * s.Cohesion / h,
		Slope:   s.Friction / h,
		Beside:  r.Prescribed,
	}
}

// Vertex returns the vertex of a node: the node of the mesh that it is, or from which it was split.
func (z *Zone) Vertex(n int32) int32 {
	if int(n) < len(z.vertexOf) {
		return z.vertexOf[n]
	}
	return n
}

// At yields the present nodes of a vertex: itself and those that were split from it.
func (z *Zone) At(vertex int32) func(yield func(n int32) bool) {
	return func(yield func(n int32) bool) {
		for n := vertex; n >= 0 && yield(n); n = z.next[n] {
			if int(n) >= len(z.next) {
				return
			}
		}
	}
}

// Split tells whether nodes have been split from a vertex.
func (z *Zone) Split(vertex int32) bool {
	return int(vertex) < len(z.next) && z.next[vertex] >= 0
}

// Round returns the triangles around the vertex of a node that a crack has added.
func (z *Zone) Round(n int32) []int32 {
	k := z.fans.of[z.Vertex(n)]
	return z.fans.tri[z.fans.first[k]:z.fans.first[k+1]]
}

// Thresholds returns the thresholds for Triangles.AboveThreshold, or Watch, before every Open.
func (z *Zone) Thresholds() []fem.StressThreshold { return z.thresholds }

// sortCracks sorts cracks and their points by their edges once an eighth of them is new, so that
// neighbouring cracks are close in memory. Results do not depend on it.
func (z *Zone) sortCracks() {
	n := len(z.cracks)
	if 8*(n-z.sorted) < n {
		return
	}
	z.sorted = n
	z.cracks, z.histories = moved(z.cracks, z.order, 1), moved(z.histories, z.order, 1)
	z.emissions = moved(z.emissions, z.order, 1)
	if z.fluid.pressure != nil {
		z.fluid.pressure, z.fluid.waiting = moved(z.fluid.pressure, z.order, 1), moved(z.fluid.waiting, z.order, 1)
		z.fluid.smoothed = moved(z.fluid.smoothed, z.order, 1)
	}
	z.points, z.constants = moved(z.points, z.order, 2), moved(z.constants, z.order, 2)
	quads := make([]quad, len(z.quads), len(z.quads)+len(z.quads)/4)
	charged := make([]balance, len(z.balances), cap(quads))
	for i, k := range z.order {
		q, l := z.at(k)
		quads[i/lanes].copy(uint32(i%lanes), q, l)
		for end := range 2 {
			for j := range balanceValues {
				charged[i/lanes][end][j][i%lanes] = z.balances[k/lanes][end][j][l]
			}
		}
	}
	for i := n; i < lanes*len(quads); i++ {
		quads[i/lanes].own[ofFriction][i%lanes] = noCrack
	}
	z.quads, z.balances = quads, charged
	for i := range z.order {
		z.order[i], z.crackOf[z.cracks[i].edge] = int32(i), int32(i)
	}
	z.listBroken()
}

// listBroken lists the cracks that are broken and whose faces are not detached.
func (z *Zone) listBroken() {
	z.broken = z.broken[:0]
	for i := range z.cracks {
		if c := &z.cracks[i]; c.broken && !c.detached {
			z.broken = append(z.broken, int32(i))
		}
	}
}

// moved returns a permuted slice: item i, of each values, comes from position from[i].
func moved[T any](of []T, from []int32, each int) []T {
	to := make([]T, 0, len(of)+len(of)/4)
	for _, k := range from {
		to = append(to, of[int(k)*each:][:each]...)
	}
	return to
}

// insert returns the number of the crack of an edge, and makes the crack if there is none.
func (z *Zone) insert(edge int32, time float64) int32 {
	if k := z.crackOf[edge]; k >= 0 {
		return k
	}
	e := &z.edges[edge]
	k := int32(len(z.cracks))
	z.crackOf[edge] = k
	z.cracks = append(z.cracks, crack{edge: edge, region: e.Region, weight: 0.5 * z.thickness * length(z.edgeVector(e)), length2: z.lengthSquared(edge)})
	z.histories = append(z.histories, history{inserted: time, broken: math.NaN(), detached: math.NaN(), separated: math.NaN(), transferGap: math.NaN()})
	z.emissions = append(z.emissions, emission{})
	if z.fluid.pressure != nil {
		z.fluid.pressure, z.fluid.waiting = append(z.fluid.pressure, [2]float64{}), append(z.fluid.waiting, false)
		z.fluid.smoothed = append(z.fluid.smoothed, [2]smoothedEdge{unsmoothed, unsmoothed})
	}
	if k%lanes == 0 {
		z.quads = append(z.quads, quad{own: [4][lanes]float64{ofFriction: {noCrack, noCrack, noCrack, noCrack}}})
		z.balances = append(z.balances, balance{})
	}
	z.points, z.constants = append(z.points, point{}, point{}), append(z.constants, cohesive.Point{}, cohesive.Point{})
	z.unsorted = append(z.unsorted, k)
	z.grid.add(int32(len(z.edgeOf)), z.middle(e))
	z.edgeOf = append(z.edgeOf, edge)
	z.locate(k)
	return k
}

// mergeOrder merges new cracks into the order.
func (z *Zone) mergeOrder() {
	by := func(p, q int32) int { return cmp.Compare(z.cracks[p].edge, z.cracks[q].edge) }
	slices.SortFunc(z.unsorted, by)
	end := len(z.order)
	z.order = append(z.order, z.unsorted...)
	for j := len(z.unsorted) - 1; j >= 0; j-- { // from the end: each later crack moves once
		i, _ := slices.BinarySearchFunc(z.order[:end], z.unsorted[j], by)
		copy(z.order[i+j+1:], z.order[i:end])
		z.order[i+j] = z.unsorted[j]
		end = i
	}
	z.unsorted = z.unsorted[:0]
}

// middle returns the midpoint of an edge in the reference positions [m].
func (z *Zone) middle(e *Edge) r2.Vec {
	a, b := z.x0[e.From], z.x0[e.To]
	return r2.Vec{X: float64(0.5 * (a.X + b.X)), Y: float64(0.5 * (a.Y + b.Y))}
}

// locate sets the nodes of a crack from the current nodes of its triangles.
func (z *Zone) locate(k int32) {
	c := &z.cracks[k]
	e := &z.edges[c.edge]
	for end, v := range [2]int32{e.From, e.To} {
		c.node[end], c.node[2+end] = z.nodeAt(e.A, v), z.nodeAt(e.B, v)
	}
	q, l := z.at(k)
	for i, n := range c.node {
		q.node[i][l] = stride * n
	}
}

// nodeAt returns the node that triangle t has at vertex v.
func (z *Zone) nodeAt(t, v int32) int32 {
	k := z.fans.of[v]
	if k < 0 {
		return v
	}
	for i := z.fans.first[k]; i < z.fans.first[k+1]; i++ {
		if z.fans.tri[i] == t {
			return z.nodes[t][z.fans.corner[i]]
		}
	}
	panic("fracture: a triangle is not round its vertex")
}
