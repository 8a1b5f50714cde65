package diffusion

import (
	"math"
	"slices"

	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// network is the nodes, with capacities, and the links between them.
type network struct {
	capacity []float64 // per node [J/K]; 0 for nodes without triangles
	used     []int32   // nodes with triangles, ascending
	has      []bool    // per node: it has triangles
	own      []link    // of triangles, by their nodes, ascending
	bridges  []link    // of contacts, the same
	links    []link    // all
	spare    []link    // for the next bridges
	both     []link    // links with bridges
	rates    []float64 // see fastest
	outside  []exchange
	inputs   []input
	heldBy   []int32  // per node: index of the block that holds its temperature, -1 for none
	joined   []bool   // per node: heat can flow to it from other nodes or from outside
	obtuse   int      // number of links with a negative conductance
	varies   *varying // nil if nothing depends on the temperature
}

// link is a conductance between two nodes.
type link struct {
	a, b int32
	g    float64 // [W/K]
	s    float64 // heat that moves per change of the difference, by smoothing [J/K]
}

// exchange is a conductance between a node and the surroundings of a block.
type exchange struct {
	node, block int32
	g           float64 // [W/K]
	seeps       bool    // only outwards
	shut        bool    // it seeps, and nothing flows out at present
}

// input is the share of a node in the heat that a block gives.
type input struct {
	node, block int32
	size        float64 // [m2], in bodies [m3]
}

// hold sets the capacities of nodes, by their triangles at the start. What depends on the temperature has its
// least capacity here.
func (k *network) hold(m *mesh.Mesh, material []int32, of []models.Conduction, thickness float64) {
	k.capacity, k.has = make([]float64, len(m.X)), make([]bool, len(m.X))
	k.varies.clear(len(m.X))
	for i, n := range m.Triangles {
		c := &of[material[i]]
		a, p, q := m.X[n[0]], m.X[n[1]], m.X[n[2]]
		u, v := r2.Sub(p, a), r2.Sub(q, a)
		volume := 0.5 * (float64(u.X*v.Y) - float64(u.Y*v.X)) * thickness
		for _, j := range n {
			k.capacity[j] += c.Capacity * volume / 3
			k.has[j] = true
			if c.Capacities != nil {
				k.varies.store(j, volume/3, c)
			}
		}
	}
	k.varies.sortStores()
	k.used = k.used[:0]
	for n, is := range k.has {
		if is {
			k.used = append(k.used, int32(n))
		}
	}
}

// conduct makes the links of all triangles of the mesh, at their positions at the start. smoothing is a capacity per volume with which the values in a triangle differ from their mean (the
// pressure projection of Bochev, Dohrmann and Gunzburger, 2006), nil for none.
func (k *network) conduct(m *mesh.Mesh, material []int32, of []models.Conduction, smoothing []float64, thickness float64) {
	k.joined = make([]bool, len(m.X))
	links := make([]link, 0, 3*len(m.Triangles))
	for i, n := range m.Triangles {
		c := &of[material[i]]
		conducts := c.XX != 0 || c.YY != 0
		a, p, q := m.X[n[0]], m.X[n[1]], m.X[n[2]]
		u, v := r2.Sub(p, a), r2.Sub(q, a)
		d := float64(u.X*v.Y) - float64(u.Y*v.X) // twice the area
		g := [3]r2.Vec{1: {X: v.Y / d, Y: -v.X / d}, 2: {X: -u.Y / d, Y: u.X / d}}
		g[0] = r2.Vec{X: -(g[1].X + g[2].X), Y: -(g[1].Y + g[2].Y)}
		volume := 0.5 * d * thickness
		for j := range 3 {
			smooth := 0.0
			if smoothing != nil {
				smooth = smoothing[material[i]] * volume / 36
			}
			if !conducts && smooth == 0 {
				continue
			}
			k.joined[n[j]] = true
			a, b := g[j], g[(j+1)%3]
			flow := r2.Vec{X: float64(c.XX*b.X) + float64(c.XY*b.Y), Y: float64(c.XY*b.X) + float64(c.YY*b.Y)}
			links = append(links, link{min(n[j], n[(j+1)%3]), max(n[j], n[(j+1)%3]), -volume * (float64(a.X*flow.X) + float64(a.Y*flow.Y)), smooth})
			if c.Conductivity != nil {
				k.varies.lead(n[j], n[(j+1)%3], -volume*(float64(a.X*b.X)+float64(a.Y*b.Y)), c)
			}
		}
	}
	k.varies.sortLeads()
	k.own, k.bridges, k.obtuse = merged(links), nil, 0
	for _, l := range k.own {
		if l.g < 0 {
			k.obtuse++
		}
	}
	k.links = k.own
}

// merged sorts links, and makes one of those between the same nodes.
func merged(links []link) []link {
	slices.SortStableFunc(links, func(p, q link) int {
		if p.a != q.a {
			return int(p.a) - int(q.a)
		}
		return int(p.b) - int(q.b)
	})
	out := links[:0]
	for _, l := range links {
		if n := len(out) - 1; n >= 0 && out[n].a == l.a && out[n].b == l.b {
			out[n].g += l.g
			out[n].s += l.s
			continue
		}
		out = append(out, l)
	}
	return out
}

// bridge sets the links of contacts. It tells whether they join other nodes than before.
func (k *network) bridge(links []link) (other bool) {
	before := k.bridges
	k.bridges = merged(links)
	if len(before) == 0 && len(k.bridges) == 0 {
		k.bridges, k.spare = nil, k.bridges
		return false
	}
	other = len(before) != len(k.bridges)
	for i := range k.bridges {
		other = other || before[i].a != k.bridges[i].a || before[i].b != k.bridges[i].b
	}
	k.spare = before
	k.both = append(append(k.both[:0], k.own...), k.bridges...)
	k.links = merged(k.both)
	return other
}

// unknown tells whether the temperature of a node follows from its heat.
func (k *network) unknown(n int32, steady bool) bool {
	return k.heldBy[n] < 0 && (k.joined[n] || k.capacity[n] > 0 && !steady)
}

// fastest bounds the greatest rate at which temperatures of free nodes approach one another, by
// Gershgorin's circles [1/s].
func (k *network) fastest() float64 {
	if len(k.rates) != len(k.capacity) {
		k.rates = make([]float64, len(k.capacity))
	}
	sum := k.rates
	clear(sum)
	for _, l := range k.links {
		g := l.g + math.Abs(l.g)
		sum[l.a] += g
		sum[l.b] += g
	}
	k.varies.addFastest(sum)
	for _, e := range k.outside {
		if !e.shut {
			sum[e.node] += e.g
		}
	}
	most := 0.0
	for _, n := range k.used {
		if k.heldBy[n] < 0 && k.capacity[n] > 0 {
			most = max(most, sum[n]/k.capacity[n])
		}
	}
	return most
}

// isolated tells for each node whether it is in a part of the network whose temperature nothing sets in a steady
// state. further joins more nodes, nil for none.
func (k *network) isolated(further func(join func(a, b int32))) []bool {
	parts := mesh.NewConnected(len(k.capacity))
	for _, l := range k.links {
		parts.Join(l.a, l.b)
	}
	if further != nil {
		further(func(a, b int32) { parts.Join(a, b) })
	}
	set := make([]bool, len(k.capacity))
	for _, n := range k.used {
		if k.heldBy[n] >= 0 {
			set[parts.First(n)] = true
		}
	}
	for _, e := range k.outside {
		set[parts.First(e.node)] = true
	}
	alone := make([]bool, len(k.capacity))
	for _, n := range k.used {
		alone[n] = k.joined[n] && !set[parts.First(n)]
	}
	return alone
}

// gain returns the heat that a node has at a temperature more than at another one [J].
func (k *network) gain(n int32, from, to float64) float64 {
	heat := float64(k.capacity[n] * (to - from))
	if k.varies != nil {
		for _, s := range k.varies.stores[k.varies.first[n]:k.varies.first[n+1]] {
			heat += float64(s.volume * k.varies.more(s.of.Capacities, s.of.Capacity, from, to))
		}
	}
	return heat
}

// slope returns the heat capacity of a node at a temperature [J/K].
func (k *network) slope(n int32, theta float64) float64 {
	c := k.capacity[n]
	if k.varies != nil {
		for _, s := range k.varies.stores[k.varies.first[n]:k.varies.first[n+1]] {
			c += float64(s.volume * (s.of.Capacities.At(k.varies.reference+theta) - s.of.Capacity))
		}
	}
	return c
}

// warmed returns the temperature of a node that takes up some heat [K], by Newton's method between bounds.
func (k *network) warmed(n int32, theta, heat float64) float64 {
	if k.varies == nil || k.varies.first[n] == k.varies.first[n+1] {
		return theta + heat/k.capacity[n]
	}
	near, far := theta, theta+heat/k.capacity[n] // its least capacity
	next := theta + heat/k.slope(n, theta)
	for range 100 {
		left := heat - k.gain(n, theta, next)
		if left == 0 {
			return next
		}
		if left > 0 == (heat > 0) {
			near = next
		} else {
			far = next
		}
		was := next
		next += left / k.slope(n, next)
		if math.Abs(next-was) <= epsilon*math.Max(math.Abs(next), math.Abs(theta)) {
			return next
		}
		if !(next > min(near, far) && next < max(near, far)) {
			next = near + float64(0.5*(far-near))
		}
	}
	return next
}

// further returns the temperature of a node that goes on from one to another by a part of the heat between
// them.
func (k *network) further(n int32, from, to, part float64) float64 {
	if k.varies == nil || k.varies.first[n] == k.varies.first[n+1] {
		return from + float64(part*(to-from))
	}
	return k.warmed(n, from, part*k.gain(n, from, to))
}

// contains returns the heat of a volume of a material above that at theta = 0 [J].
func (k *network) contains(of *models.Conduction, volume, theta float64) float64 {
	heat := float64(of.Capacity * volume * theta)
	if of.Capacities != nil {
		heat += float64(volume * k.varies.more(of.Capacities, of.Capacity, 0, theta))
	}
	return heat
}
