package fracture

import (
	"math"
	"math/rand/v2"
	"testing"

	"fdem/fem"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// net is a mesh of a rectangle.
type net struct {
	x   []r2.Vec
	tri [][3]int32
}

// rows makes equilateral triangles of side h in rows along x, inner nodes moved
// by up to jitter h/2; up makes them along y.
func rows(w, hgt, h, jitter float64, seed uint64, up bool) net {
	if up {
		n := rows(hgt, w, h, jitter, seed, false)
		for i, p := range n.x {
			n.x[i] = r2.Vec{X: p.Y, Y: p.X}
		}
		for i, t := range n.tri {
			n.tri[i] = [3]int32{t[0], t[2], t[1]}
		}
		return n
	}
	nx, ny := int(math.Round(w/h)), 2*int(math.Round(hgt/h/math.Sqrt(3)))
	r := rand.New(rand.NewPCG(seed, 7))
	var n net
	row := make([][]int32, ny+1)
	for j := range row {
		cols := nx + 1 + j%2
		for i := range cols {
			x, y := float64(i)*h, float64(j)*hgt/float64(ny)
			if j%2 == 1 {
				x = math.Min(math.Max(x-h/2, 0), float64(nx)*h)
			}
			if x > h*.75 && x < (float64(nx)-.75)*h && j > 0 && j < ny {
				x += jitter * h * (r.Float64() - .5)
				y += jitter * h * (r.Float64() - .5)
			}
			row[j] = append(row[j], int32(len(n.x)))
			n.x = append(n.x, r2.Vec{X: x * w / (float64(nx) * h), Y: y})
		}
	}
	for j := range ny {
		a, b := row[j], row[j+1]
		for i := range nx + 1 {
			if j%2 == 0 {
				n.tri = append(n.tri, [3]int32{a[i], b[i+1], b[i]})
				if i < nx {
					n.tri = append(n.tri, [3]int32{a[i], a[i+1], b[i+1]})
				}
			} else {
				n.tri = append(n.tri, [3]int32{a[i], a[i+1], b[i]})
				if i < nx {
					n.tri = append(n.tri, [3]int32{a[i+1], b[i+1], b[i]})
				}
			}
		}
	}
	return n
}

// body is a body that moves by central differences.
type body struct {
	*Zone
	t          *fem.Triangles
	x, v, f    []r2.Vec
	x0         []r2.Vec
	mass       []float64
	fixed      [][2]bool
	load       func(b *body) // adds outer forces to f
	inner      []r2.Vec
	safety     float64
	omega2     float64
	time, last float64
	steps      int
	vertices   []int32 // the position of each node of the net
	work       float64 // of loads and fixes
	residual   float64
	start      float64
	worst      float64 // ledger
	peak       float64
	jump       float64 // greatest of a nodal force when vertices opened [N]
	measure    bool
	least      float64 // shortest step over that without cracks
	asleepOpen int     // vertices that slept though open, step after step
}

type stuff struct {
	young, poisson, density float64
	law                     cohesive.Parameters
	stiffness               float64
	thickness               float64
	plane                   bulk.Plane
	led                     bool
	bedding                 *cohesive.Bedding // nil for none
}

// newBody makes a body of the net, of which may tells the edges that can break
// by their ends.
func newBody(t testing.TB, n net, s stuff, may func(a, b r2.Vec) bool) *body {
	t.Helper()
	return newLayered(t, n, s, []cohesive.Parameters{s.law}, func(a, b r2.Vec) int32 {
		if may(a, b) {
			return 0
		}
		return -1
	})
}

// newLayered makes a body whose edges break by several laws: of tells which by their
// ends, -1 for those that cannot.
func newLayered(t testing.TB, n net, s stuff, laws []cohesive.Parameters, of func(a, b r2.Vec) int32) *body {
	t.Helper()
	var regions []Region
	for _, p := range laws {
		law, err := cohesive.New(p)
		if err != nil {
			t.Fatal(err)
		}
		if s.bedding != nil {
			law = s.bedding.Bound()
		}
		regions = append(regions, Region{Law: law, Bedding: s.bedding, Stiffness: s.stiffness, Prescribed: s.led})
	}
	edges := Interior(n.tri)
	for i := range edges {
		e := &edges[i]
		e.Region = of(n.x[e.From], n.x[e.To])
	}
	pages := NewPages(Capacity(len(n.x), n.tri, edges, nil))
	x0 := make([]r2.Vec, pages.Nodes)
	for i, p := range n.x {
		x0[pages.Numbers[i]] = p
	}
	tri, id, material := make([][3]int32, len(n.tri)), make([]int32, len(n.tri)), make([]int32, len(n.tri))
	for i, q := range n.tri {
		tri[i] = [3]int32{pages.Numbers[q[0]], pages.Numbers[q[1]], pages.Numbers[q[2]]}
		id[i] = int32(i + 1)
	}
	for i := range edges {
		edges[i].From, edges[i].To = pages.Numbers[edges[i].From], pages.Numbers[edges[i].To]
	}
	m := bulk.Elastic{Name: "m", Young: s.young, Poisson: s.poisson, Density: s.density}
	triangles, err := fem.NewTriangles(x0, tri, id, material, []bulk.Moduli{m.Moduli(s.plane)}, []float64{s.density}, s.thickness)
	if err != nil {
		t.Fatal(err)
	}
	z, err := New(Config{Triangles: triangles, Nodes: tri, X: x0, Edges: edges, Regions: regions, Pages: pages, Thickness: s.thickness})
	if err != nil {
		t.Fatal(err)
	}
	b := &body{Zone: z, t: triangles, x0: x0, safety: 0.8, vertices: pages.Numbers, least: 1}
	b.x, b.v, b.f = append([]r2.Vec{}, x0...), make([]r2.Vec, pages.Nodes), make([]r2.Vec, pages.Nodes)
	b.mass, b.fixed = triangles.Masses(), make([][2]bool, pages.Nodes)
	b.omega2 = triangles.MaxFrequencySquared(x0)
	b.load = func(*body) {}
	return b
}

// forces sets f.
func (b *body) forces(t testing.TB) {
	clear(b.f)
	if err := b.t.AddForces(b.f, b.x); err != nil {
		t.Fatal(err)
	}
	b.AddForces(b.f, b.x, b.time)
}

// run goes on until the time end, or as long as each step says.
func (b *body) run(t testing.TB, end float64, each func() bool) {
	t.Helper()
	if b.steps == 0 {
		b.last = b.safety * 2 / math.Sqrt(b.omega2)
	}
	var before []r2.Vec
	for b.time < end {
		b.forces(t)
		if b.measure {
			before = append(before[:0], b.f...)
		}
		if n := b.Open(b.x, b.v, b.mass, b.time); n > 0 {
			for _, q := range b.NodeSplits() {
				b.fixed[q.Node] = b.fixed[q.Of]
			}
			b.forces(t)
			if b.measure {
				b.jumps(before)
			}
		}
		dt := b.safety * 2 / math.Sqrt(b.omega2+b.FrequencySquared())
		b.least = math.Min(b.least, dt*math.Sqrt(b.omega2)/(2*b.safety))
		b.move(dt)
		if each != nil && !each() {
			return
		}
	}
}

// jumps compares accelerations before and after an opening, as force on a node.
func (b *body) jumps(before []r2.Vec) {
	total, old := map[int32]float64{}, map[int32]int32{}
	for _, q := range b.NodeSplits() {
		o := q.Of
		for r, ok := old[o]; ok; r, ok = old[o] {
			o = r
		}
		old[q.Node] = o
	}
	for i := range b.f {
		o := int32(i)
		if r, ok := old[o]; ok {
			o = r
		}
		total[o] += b.mass[i]
	}
	for i := range b.f {
		if b.mass[i] == 0 {
			continue
		}
		o := int32(i)
		if r, ok := old[o]; ok {
			o = r
		}
		share := b.mass[i] / total[o]
		b.jump = math.Max(b.jump, math.Hypot(b.f[i].X-share*before[o].X, b.f[i].Y-share*before[o].Y))
	}
}

// move takes a step and updates the ledger.
func (b *body) move(dt float64) {
	inner := append(b.inner[:0], b.f...)
	b.inner = inner
	b.load(b)
	kinetic, behind, ahead := 0.0, 0.0, 0.0
	kick := 0.5 * (b.last + dt)
	for i := range b.x {
		if b.mass[i] == 0 {
			continue
		}
		old, v := b.v[i], &b.v[i]
		outer := r2.Vec{X: b.f[i].X - inner[i].X, Y: b.f[i].Y - inner[i].Y}
		if b.fixed[i][0] {
			outer.X = -inner[i].X
		} else {
			v.X += kick * b.f[i].X / b.mass[i]
		}
		if b.fixed[i][1] {
			outer.Y = -inner[i].Y
		} else {
			v.Y += kick * b.f[i].Y / b.mass[i]
		}
		kinetic += 0.5 * b.mass[i] * (old.X*v.X + old.Y*v.Y)
		behind += 0.5 * b.last * (outer.X*old.X + outer.Y*old.Y)
		ahead += 0.5 * dt * (outer.X*v.X + outer.Y*v.Y)
		b.x[i].X += dt * v.X
		b.x[i].Y += dt * v.Y
	}
	if b.steps > 0 {
		b.work += behind
	}
	if b.steps%10 == 0 {
		for i := range b.x { // where the forces were taken
			b.x[i].X -= dt * b.v[i].X
			b.x[i].Y -= dt * b.v[i].Y
		}
		e := b.Energies()
		energy := kinetic + b.t.StrainEnergy(b.x) + e.Stored + e.Fracture + e.Friction - e.Insertion
		if b.steps == 0 {
			b.start = energy
		}
		b.residual = energy - b.start - b.work
		b.worst = math.Max(b.worst, math.Abs(b.residual))
		b.peak = math.Max(b.peak, energy-e.Fracture-e.Friction)
		for i := range b.x {
			b.x[i].X += dt * b.v[i].X
			b.x[i].Y += dt * b.v[i].Y
		}
	}
	b.work += ahead
	b.time += dt
	b.last = dt
	b.steps++
}
