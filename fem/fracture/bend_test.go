package fracture

import (
	"cmp"
	"flag"
	"math"
	"slices"
	"testing"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// path returns the cheapest chain of edges from one node to any that is wanted.
func path(nodes int, edges []Edge, from int32, to func(int32) bool, cost func(e *Edge) float64) []int {
	type ray struct {
		other int32
		edge  int
	}
	rays := make([][]ray, nodes)
	for i := range edges {
		e := &edges[i]
		rays[e.From] = append(rays[e.From], ray{e.To, i})
		rays[e.To] = append(rays[e.To], ray{e.From, i})
	}
	far, by, back, done := make([]float64, nodes), make([]int, nodes), make([]int32, nodes), make([]bool, nodes)
	for i := range far {
		far[i] = math.Inf(1)
	}
	far[from] = 0
	for {
		at := int32(-1)
		for i := range far {
			if !done[i] && !math.IsInf(far[i], 1) && (at < 0 || far[i] < far[at]) {
				at = int32(i)
			}
		}
		if at < 0 {
			return nil
		}
		done[at] = true
		if to(at) {
			var p []int
			for at != from {
				p = append(p, by[at])
				at = back[at]
			}
			slices.Reverse(p)
			return p
		}
		for _, r := range rays[at] {
			if d := far[at] + cost(&edges[r.edge]); d < far[r.other] {
				far[r.other], by[r.other], back[r.other] = d, r.edge, at
			}
		}
	}
}

// notch divides the mesh along edges, from the outline at the position from to the
// node next to the position tip, which it returns.
func (n *net) notch(from, tip r2.Vec) int32 {
	near := func(p r2.Vec, of func(q r2.Vec) bool) int32 {
		best := int32(-1)
		for i, q := range n.x {
			if of(q) && (best < 0 || r2.Norm(r2.Sub(q, p)) < r2.Norm(r2.Sub(n.x[best], p))-1e-12) {
				best = int32(i)
			}
		}
		return best
	}
	start := near(from, func(q r2.Vec) bool { return math.Abs(q.X-from.X) < 1e-9 })
	end := near(tip, func(r2.Vec) bool { return true })
	edges := Interior(n.tri)
	crack := path(len(n.x), edges, start, func(v int32) bool { return v == end }, func(e *Edge) float64 {
		a, b := n.x[e.From], n.x[e.To]
		return r2.Norm(r2.Sub(b, a)) * (1 + 3e3*math.Abs(0.5*(a.Y+b.Y)-tip.Y))
	})
	cut := map[int]bool{}
	vertices := map[int32]bool{}
	for _, i := range crack {
		cut[i] = true
		vertices[edges[i].From], vertices[edges[i].To] = true, true
	}
	for v := range int32(len(n.x)) {
		if !vertices[v] || v == end {
			continue
		}
		group := map[int32]int32{}
		for i, t := range n.tri {
			if slices.Contains(t[:], v) {
				group[int32(i)] = int32(i)
			}
		}
		for changed := true; changed; {
			changed = false
			for i := range edges {
				e := &edges[i]
				if cut[i] || e.From != v && e.To != v {
					continue
				}
				if low := min(group[e.A], group[e.B]); group[e.A] != low || group[e.B] != low {
					group[e.A], group[e.B] = low, low
					changed = true
				}
			}
		}
		lowest := int32(math.MaxInt32)
		for t := range group {
			lowest = min(lowest, t)
		}
		added := int32(len(n.x))
		n.x = append(n.x, n.x[v])
		for t, g := range group {
			if g != lowest {
				k := slices.Index(n.tri[t][:], v)
				n.tri[t][k] = added
			}
		}
	}
	return end
}

// bent is a plate 60 x 40 mm with a notch of 20 mm whose upper and lower sides are rotated apart:
// one slow crack, led along the middle or free.
func bent(t testing.TB, n net, led bool, shear float64) (b *body, tip r2.Vec, peak *float64) {
	const w, h = 0.06, 0.04
	end := n.notch(r2.Vec{Y: h / 2}, r2.Vec{X: 0.02, Y: h / 2})
	s := bar()
	s.poisson = 0.2
	s.law.EnergyTension, s.law.EnergyShear = 4, 4
	s.led = led
	b = newBody(t, n, s, func(p, q r2.Vec) bool {
		if led {
			return math.Abs(p.Y-h/2) < 1e-9 && math.Abs(q.Y-h/2) < 1e-9
		}
		return min(p.Y, q.Y) >= 0.15*h && max(p.Y, q.Y) <= 0.85*h
	})
	var top []int
	for i := range b.x {
		p := b.x0[i]
		if b.mass[i] == 0 {
			continue
		}
		q := p.Y/h - 0.5
		b.v[i] = r2.Vec{X: shear * q, Y: 0.1 * (1 - p.X/w) * q}
		if p.Y < 1e-9 || p.Y > h-1e-9 {
			b.fixed[i] = [2]bool{shear != 0, true}
		}
		if p.Y > h-1e-9 {
			top = append(top, i)
		}
	}
	peak = new(float64)
	b.load = func(b *body) {
		f := 0.0
		for _, i := range top {
			f -= b.f[i].Y
		}
		*peak = math.Max(*peak, f/w)
	}
	return b, n.x[end], peak
}

// cracked is the result of a run.
type cracked struct {
	inserted, broken int
	lost             float64 // by fracture [J]
	advance          float64 // of the crack, straight, each edge by the energy that it has lost [m]
	length           float64
	path             []int
}

// count looks at the crack from the position tip to the right side.
func (b *body) count(tip r2.Vec, right float64) (c cracked) {
	lost := func(e *Edge, i int) (share float64) {
		k := b.crackOf[i]
		if k < 0 {
			return 0
		}
		for end, open := range b.cracks[k].open {
			if i := 2*int(k) + end; open {
				share += 0.5 * b.memory(int32(i/2), i%2)[cohesive.Lost] / b.constants[i].Energy
			}
		}
		return share
	}
	start := int32(-1)
	for _, v := range b.vertices {
		if b.x0[v] == tip {
			start = v
		}
	}
	number := map[*Edge]int{}
	for i := range b.edges {
		number[&b.edges[i]] = i
	}
	c.path = path(len(b.x), b.edges, start, func(v int32) bool { return b.x0[v].X > right-1e-9 }, func(e *Edge) float64 {
		return length(b.edgeVector(e)) * (1 + 40*(1-lost(e, number[e])))
	})
	for _, i := range c.path {
		e := &b.edges[i]
		c.advance += lost(e, i) * math.Abs(b.edgeVector(e).X)
		c.length += length(b.edgeVector(e))
	}
	for k := range b.cracks {
		c.inserted++
		if b.cracks[k].broken {
			c.broken++
		}
	}
	c.lost = b.Energies().Fracture
	return c
}

// One slow crack on free meshes inserts hardly more edges than break, takes the
// energy of its straight advance, and needs the load of a crack that is led along
// the straight plane of a regular mesh. The mean of three meshes is held against
// that: one mesh differs from another of its size.
func TestBend(t *testing.T) {
	const w, h = 0.06, 0.04
	sizes := []float64{2e-3, 1e-3}
	if !*whole {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		led, tip, straight := bent(t, rows(w, h, size, 0, 1, false), true, 0)
		led.run(t, 300e-6, nil)
		if c := led.count(tip, w); math.Abs(c.lost/(4*c.advance)-1) > 5e-3 {
			t.Errorf("straight: %g of the energy", c.lost/(4*c.advance))
		}
		fastest := 0.0 // over ten edges of the straight way
		var broken []Crack
		for i := range led.Cracks() {
			if c := led.Crack(i); !math.IsNaN(c.BrokenAt) {
				broken = append(broken, c)
			}
		}
		slices.SortFunc(broken, func(p, q Crack) int {
			return cmp.Compare(led.middle(&led.edges[p.Edge]).X, led.middle(&led.edges[q.Edge]).X)
		})
		for i := tipDistance; i < len(broken); i++ {
			j := i - tipDistance
			fastest = math.Max(fastest, float64(i-j)*size/(broken[i].BrokenAt-broken[j].BrokenAt))
		}
		if v := led.TipSpeed(0); math.Abs(v/fastest-1) > 0.15 {
			t.Errorf("the tip moves with %g m/s at most, want about %g", v, fastest)
		} else {
			t.Logf("straight: the tip moves with %g m/s at most, by its edges %g", v, fastest)
		}
		inserted, opened, mean, spent := 0, 0, 0.0, 0.0
		nets := []net{scattered(w, h, size, 1), scattered(w, h, size, 2), scattered(w, h, size, 3)}
		for i, n := range nets {
			b, tip, peak := bent(t, n, false, 0)
			b.measure = true
			b.run(t, 300e-6, nil)
			c := b.count(tip, w)
			inserted += c.inserted
			opened += c.broken
			energy := c.lost / (4 * c.advance)
			mean += *peak / float64(len(nets))
			spent += energy / float64(len(nets))
			t.Logf("size %g mm, mesh %d: %d edges inserted, %d broken, %.3f G, advance %.1f mm, peak %.3f MPa, residual %.1e, step %.3f", size*1e3, i, c.inserted, c.broken, energy, c.advance*1e3, *peak/1e6, b.worst/b.peak, b.least)
			if math.Abs(energy-1) > 0.1 {
				t.Errorf("mesh %d: %g of the energy of the straight advance", i, energy)
			}
			if b.jump > 1e-9*5e6*size {
				t.Errorf("mesh %d: a nodal force jumps by %g N", i, b.jump)
			}
			if b.least < 0.577 {
				t.Errorf("mesh %d: the step fell to %g of that of the whole body", i, b.least)
			}
			if b.worst > 2e-3*b.peak {
				t.Errorf("mesh %d: the ledger is off by %g of %g J", i, b.worst, b.peak)
			}
		}
		t.Logf("size %g mm: %d inserted, %d broken, %.3f G, peak %.3f, straight %.3f MPa", size*1e3, inserted, opened, spent, mean/1e6, *straight/1e6)
		if q := float64(inserted) / float64(opened); q > 1.5 {
			t.Errorf("size %g: %g edges inserted for each that broke", size, q)
		}
		if math.Abs(spent-1) > 0.06 {
			t.Errorf("size %g: %g of the energy of the straight advance", size, spent)
		}
		if math.Abs(mean / *straight - 1) > 0.06 {
			t.Errorf("the crack needs %g of the load of a straight one", mean / *straight)
		}
	}
}

var whole = flag.Bool("whole", false, "TestMixedMode runs all of its fine meshes, TestBend has fine ones, TestSpallLedger runs all of its time")

// A slow crack with additional shear leaves the straight path by the same angle on all meshes, and
// takes the energy of its straight advance along the new direction. Without -whole two of the five
// fine meshes show it, one of each kind.
func TestMixedMode(t *testing.T) {
	const w, h = 0.06, 0.04
	sizes := []float64{2e-3, 1e-3}
	if testing.Short() {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		inserted, broken := 0, 0
		for i, n := range []net{rows(w, h, size, 0.3, 1, false), rows(w, h, size, 0.3, 2, false), scattered(w, h, size, 1), scattered(w, h, size, 2), scattered(w, h, size, 3)} {
			if size == 1e-3 && i%2 == 0 && !*whole { // one in rows, one scattered are left
				continue
			}
			b, tip, _ := bent(t, n, false, 0.02)
			b.run(t, 300e-6, nil)
			c := b.count(tip, w)
			end := tip // the farthest edge that is broken
			for _, k := range c.path {
				if q := b.crackOf[k]; q >= 0 && b.cracks[q].broken {
					if m := b.middle(&b.edges[k]); m.X > end.X {
						end = m
					}
				}
			}
			slope := (end.Y - tip.Y) / (end.X - tip.X)
			energy := c.lost / (4 * c.advance * math.Sqrt(1+slope*slope))
			t.Logf("size %g mm, mesh %d: %d edges inserted, %d broken, slope %.3f, %.3f G, residual %.1e", size*1e3, i, c.inserted, c.broken, slope, energy, b.worst/b.peak)
			inserted += c.inserted
			broken += c.broken
			if math.Abs(energy-1) > 0.12 {
				t.Errorf("size %g, mesh %d: %g of the energy of the straight advance", size, i, energy)
			}
			if math.Abs(slope+0.24) > 0.04 {
				t.Errorf("size %g, mesh %d: the crack goes on at a slope of %g", size, i, slope)
			}
		}
		if q := float64(inserted) / float64(broken); q > 1.5 {
			t.Errorf("size %g: %g edges inserted for each that broke", size, q)
		}
	}
}
