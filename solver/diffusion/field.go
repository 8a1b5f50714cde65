package diffusion

import (
	"math"

	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// field is a potential on the nodes of triangles that diffuses: the temperature or the pore
// pressure. Words here are those of heat: of pores, heat is volume of fluid, and capacity storage.
type field struct {
	system.View
	material  []int32             // per triangle, of materials
	materials []models.Conduction // per material of the model
	smoothing []float64           // per material: see network.conduct; nil for none
	net       network
	work      work
	stale     bool // a vertex has split since the network was made
	blocks    []block
	reference float64   // initial value, above which theta is
	fastest   float64   // see network.fastest, without contacts [1/s]
	started   float64   // blocks that begin until this time are there [s]
	now       state     // at the last committed evaluation
	points    []meeting // see findPoints
}

// block is one block of the deck that holds values or gives heat.
type block struct {
	name             string
	ambient          models.Schedule
	gives            models.Schedule
	held             func(t float64, x r2.Vec) float64
	nodes            models.Group
	edges, triangles []int32
	convects         float64
	seeps            bool    // see exchange
	from             float64 // when it begins [s]
}

// makeMaterials finds the material of each triangle.
func (k *field) makeMaterials() {
	k.material = make([]int32, len(k.Mesh.Triangles))
	for i := range k.Model.Bodies {
		b := &k.Mesh.Bodies[i]
		for t := b.First; t < b.End; t++ {
			k.material[t] = k.Model.Bodies[i].Material
		}
	}
}

// makeState makes the state at the start, of zeros.
func (k *field) makeState() {
	n, of := len(k.X), len(k.blocks)
	k.now = state{theta: make([]float64, n), rate: make([]float64, n), given: make([]float64, of), power: make([]float64, of)}
}

// beginRange begins the range of values, with those at the start and the ones of the blocks.
func (k *field) beginRange(of values) {
	if len(k.net.used) > 0 {
		first := k.now.theta[k.net.used[0]]
		k.now.low, k.now.high = first, first
	}
	k.now.widen(&k.net, of, 0)
}

// hold finds the capacities of the present nodes, and which values are held.
func (k *field) hold() {
	k.net.hold(k.Mesh, k.material, k.materials, k.Thickness)
	k.net.heldBy = make([]int32, len(k.Mesh.X))
	for i := range k.net.heldBy {
		k.net.heldBy[i] = -1
	}
	for i := range k.blocks {
		b := &k.blocks[i]
		if b.held == nil || b.from > k.started {
			continue
		}
		for _, n := range k.Field.Nodes(&b.nodes) {
			if k.net.capacityAt(n) {
				k.net.heldBy[n] = int32(i)
			}
		}
	}
}

// connect makes the network of the present triangles and edges.
func (k *field) connect() {
	m := k.Mesh
	k.hold()
	k.net.conduct(m, k.material, k.materials, k.smoothing, k.Thickness)
	k.net.outside, k.net.inputs = k.net.outside[:0], k.net.inputs[:0]
	for i := range k.blocks {
		b := &k.blocks[i]
		switch {
		case b.held != nil || b.from > k.started:
		case b.gives != nil:
			k.eachEnd(b.edges, func(n int32, area float64) { k.net.inputs = append(k.net.inputs, input{n, int32(i), area}) })
			for _, t := range b.triangles {
				if k.isGone(t) {
					continue
				}
				third := k.triangleVolume(t) / 3
				for _, n := range m.Triangles[t] {
					k.net.inputs = append(k.net.inputs, input{n, int32(i), third})
				}
			}
		default:
			k.eachEnd(b.edges, func(n int32, area float64) {
				k.net.outside = append(k.net.outside, exchange{node: n, block: int32(i), g: b.convects * area, seeps: b.seeps})
				k.net.joined[n] = true
			})
		}
	}
	k.fastest = k.net.fastest()
	k.stale, k.work.matrix = false, nil
	if len(k.work.next) != len(m.X) {
		k.work.next = make([]float64, len(m.X))
	}
}

// isGone tells whether a triangle has been excavated: it has a material that the model does not have.
func (k *field) isGone(t int32) bool { return int(k.material[t]) == len(k.Materials) }

// capacityAt tells whether a node has triangles.
func (k *network) capacityAt(n int32) bool { return int(n) < len(k.has) && k.has[n] }

// eachEnd calls the function with the nodes of edges and half of the area of each edge there.
func (k *field) eachEnd(edges []int32, do func(n int32, area float64)) {
	for _, i := range edges {
		e := &k.Mesh.Edges[i]
		if k.isGone(e.Tri) {
			continue
		}
		d := r2.Sub(k.Mesh.X[e.B], k.Mesh.X[e.A])
		half := 0.5 * k.Thickness * math.Sqrt(float64(d.X*d.X)+float64(d.Y*d.Y))
		do(e.A, half)
		do(e.B, half)
	}
}

// triangleVolume returns the volume of a triangle at the start [m3].
func (k *field) triangleVolume(t int32) float64 { return k.volumeAt(t, k.Mesh.X) }

// volumeAt returns the volume of a triangle with its corners at positions x [m3].
func (k *field) volumeAt(t int32, x []r2.Vec) float64 {
	n := k.Mesh.Triangles[t]
	u, v := r2.Sub(x[n[1]], x[n[0]]), r2.Sub(x[n[2]], x[n[0]])
	return 0.5 * k.Thickness * (float64(u.X*v.Y) - float64(u.Y*v.X))
}

// ambient, gives and held are the values of the blocks.

func (k *field) ambient(b, _ int32, at float64) float64 { return k.blocks[b].ambient(at) - k.reference }

func (k *field) gives(b int32, at float64) float64 { return k.blocks[b].gives(at) }

func (k *field) held(b, n int32, at float64) float64 {
	return k.blocks[b].held(at, k.Mesh.X[k.VertexOf(nodes.Node(n))]) - k.reference
}

// inherit gives a node that has been split off another its value.
func (k *field) inherit(of, added nodes.Node) {
	if k.stale = true; k.Stepping || k.N == 0 { // otherwise a state is being restored, which has them
		k.now.theta[added], k.now.rate[added] = k.now.theta[of], k.now.rate[of]
	}
}

// Divide gives all nodes of a vertex its values, when those of the start have been put back after it has split.
func (k *field) Divide() {
	for n := range k.now.theta {
		if v := k.VertexOf(nodes.Node(n)); int(v) != n {
			k.now.theta[n], k.now.rate[n] = k.now.theta[v], k.now.rate[v]
		}
	}
}

// powers sets the mean heat per time of the blocks since they had given what before says, a time dt ago;
// 0 if that is none.
func (s *state) powers(before []float64, dt float64) {
	for b := range before {
		s.power[b] = 0
		if dt > 0 {
			s.power[b] = (s.given[b] - before[b]) / dt
		}
	}
}

// flux returns the flux in a triangle by the gradient of nodal values, in the directions of its
// position at the start.
func (k *field) flux(t int, y []float64) r2.Vec {
	n, c, x := k.Mesh.Triangles[t], &k.materials[k.material[t]], k.Mesh.X
	u, v := r2.Sub(x[n[1]], x[n[0]]), r2.Sub(x[n[2]], x[n[0]])
	d := float64(u.X*v.Y) - float64(u.Y*v.X)
	b, e := y[n[1]]-y[n[0]], y[n[2]]-y[n[0]]
	if of := c.Conductivity; of != nil { // Kirchhoff's potential
		c = &models.Conduction{XX: 1, YY: 1}
		at := k.reference + y[n[0]]
		b, e = of.Integral(at, at+b), of.Integral(at, at+e)
	}
	gx, gy := (float64(b*v.Y)-float64(e*u.Y))/d, (float64(e*u.X)-float64(b*v.X))/d
	return r2.Vec{X: -(float64(c.XX*gx) + float64(c.XY*gy)), Y: -(float64(c.XY*gx) + float64(c.YY*gy))}
}

// eachExtent calls the function with every body of triangles that has a capacity, its material, and
// its least extent [m].
func (k *field) eachExtent(do func(name string, of int32, across float64)) {
	for i := range k.Model.Bodies {
		b, of := &k.Mesh.Bodies[i], k.Model.Bodies[i].Material
		if b.First == b.End || k.materials[of].Capacity == 0 {
			continue
		}
		lo, hi := b.Extent(k.Mesh)
		do(k.Model.Bodies[i].Name, of, min(hi.X-lo.X, hi.Y-lo.Y))
	}
}

// every is the least number of steps of diffusion in a run of motion, so that schedules have their
// course.
const every = 1000

// due tells whether a step is due in motion, at a time of its own, a factor times that of motion.
func (k *field) due(at, factor float64) bool {
	if at <= k.now.at {
		return false
	}
	end := float64(k.Duration * factor)
	return at-k.now.at >= float64(min(1/k.fastest, end/every)*(1-1e-9)) || k.Time >= float64(k.Duration*(1-1e-12))
}
