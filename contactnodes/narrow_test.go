package contactnodes

import (
	"math"
	"math/rand"
	"testing"

	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// star makes a body of a star-shaped polygon, convex or not, as a fan of
// triangles around its centre, each cut into four, so that the outline has
// corners and straight joints.
func star(name string, centre r2.Vec, radius []float64, turn float64) *mesh.Source {
	src := &mesh.Source{Name: name}
	index := map[r2.Vec]int32{}
	node := func(p r2.Vec) int32 {
		if k, ok := index[p]; ok {
			return k
		}
		k := int32(len(src.X))
		index[p] = k
		src.X = append(src.X, p)
		src.NodeID = append(src.NodeID, int64(k+1))
		return k
	}
	n := len(radius)
	at := func(i int) r2.Vec {
		a := turn + 2*math.Pi*float64(i%n)/float64(n)
		return r2.Vec{X: centre.X + radius[i%n]*math.Cos(a), Y: centre.Y + radius[i%n]*math.Sin(a)}
	}
	mid := func(a, b r2.Vec) r2.Vec { return r2.Vec{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2} }
	for i := range n {
		a, b, c := centre, at(i), at(i+1)
		ab, bc, ca := mid(a, b), mid(b, c), mid(c, a)
		for _, t := range [][3]r2.Vec{{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}} {
			src.Triangles = append(src.Triangles, [3]int32{node(t[0]), node(t[1]), node(t[2])})
			src.TriID = append(src.TriID, int64(len(src.Triangles)))
		}
	}
	group := mesh.SourceGroup{Name: name, Dim: 2, Number: 1}
	for i := range src.Triangles {
		group.Elements = append(group.Elements, int32(i))
	}
	src.Groups = []mesh.SourceGroup{group}
	return src
}

// join puts several one-body sources into one.
func join(parts ...*mesh.Source) *mesh.Source {
	all := &mesh.Source{Name: "joined"}
	for i, p := range parts {
		x0, t0 := int32(len(all.X)), int32(len(all.Triangles))
		for k, x := range p.X {
			all.X = append(all.X, x)
			all.NodeID = append(all.NodeID, int64(x0)+int64(k)+1)
		}
		g := mesh.SourceGroup{Name: p.Name, Dim: 2, Number: i + 1}
		for k, t := range p.Triangles {
			all.Triangles = append(all.Triangles, [3]int32{t[0] + x0, t[1] + x0, t[2] + x0})
			all.TriID = append(all.TriID, int64(t0)+int64(k)+1)
			g.Elements = append(g.Elements, t0+int32(k))
		}
		all.Groups = append(all.Groups, g)
	}
	return all
}

func build(t testing.TB, src *mesh.Source) *mesh.Mesh {
	t.Helper()
	m, err := mesh.Build(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// radii draws a star-shaped polygon; spiky ones have acute and re-entrant
// corners.
func radii(rng *rand.Rand, n int, spiky float64) []float64 {
	r := make([]float64, n)
	for i := range r {
		r[i] = 1 - spiky*rng.Float64()
	}
	return r
}

// inside counts crossings of a ray.
func inside(m *mesh.Mesh, q r2.Vec) bool {
	in := false
	for _, e := range m.Edges {
		a, b := m.X[e.A], m.X[e.B]
		if (a.Y > q.Y) != (b.Y > q.Y) && q.X < a.X+(b.X-a.X)*(q.Y-a.Y)/(b.Y-a.Y) {
			in = !in
		}
	}
	return in
}

// nearest returns the distance from q to the outline.
func nearest(m *mesh.Mesh, q r2.Vec) float64 {
	d := math.Inf(1)
	for _, e := range m.Edges {
		a, b := m.X[e.A], m.X[e.B]
		l := sub(b, a)
		t := min(max(elementary.Dot(sub(q, a), l)/elementary.Dot(l, l), 0), 1)
		d = min(d, distance(q, between(a, b, t)))
	}
	return d
}

// The deflection of a point is its distance to the outline inside the body
// and nothing outside, whatever the corners.
func TestDeflectionIsDistanceInside(t *testing.T) {
	found := 0
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewSource(rapid.Int64().Draw(rt, "seed")))
		n := rapid.IntRange(3, 12).Draw(rt, "corners")
		spiky := rapid.SampledFrom([]float64{0, 0.3, 0.8}).Draw(rt, "spiky")
		m := build(t, star("body", r2.Vec{X: 0.3, Y: -0.2}, radii(rng, n, spiky), rng.Float64()))
		o := NewOutline(m)
		for range 200 {
			e := o.Edges[rng.Intn(len(o.Edges))]
			p := between(m.X[e.A], m.X[e.B], rng.Float64()*1.4-0.2)
			q := r2.Vec{X: p.X + 0.3*rng.NormFloat64()*o.Depth[0], Y: p.Y + 0.3*rng.NormFloat64()*o.Depth[0]}
			got, owner := math.Inf(1), int32(-1)
			for i := range o.Edges {
				var g target
				g.setEdge(o, int32(i), m.X)
				if h := g.pointAt(q); h.deflection > 0 && h.deflection < got {
					got, owner = h.deflection, h.edge
				}
			}
			want := nearest(m, q)
			switch in := inside(m, q); {
			case !in && owner >= 0 && want > 1e-12:
				rt.Fatalf("point %v is %g outside but edge %d claims it at depth %g", q, want, owner, got)
			case in && owner >= 0 && math.Abs(got-want) > 1e-12:
				rt.Fatalf("point %v: deflection %g, distance %g", q, got, want)
			case in && owner < 0 && want > 1e-12 && want < 0.99*minimum(o.Depth):
				rt.Fatalf("point %v lies %g deep and nobody claims it", q, want)
			case in && owner >= 0:
				found++
			}
		}
	})
	if found < 100 {
		t.Fatalf("only %d points were inside: the test tests nothing", found)
	}
}

func minimum(v []float64) float64 {
	m := v[0]
	for _, x := range v {
		m = min(m, x)
	}
	return m
}

// The closed-form range leaves no touching contact node out.
func TestReachesCoversEveryContactPoint(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewSource(rapid.Int64().Draw(rt, "seed")))
		m := build(t, star("body", r2.Vec{}, radii(rng, rapid.IntRange(3, 9).Draw(rt, "corners"), 0.7), 0))
		o := NewOutline(m)
		nodes := newLayout(0, 0, &Config{Nodes: 20})
		for range 100 {
			e := o.Edges[rng.Intn(len(o.Edges))]
			p := between(m.X[e.A], m.X[e.B], rng.Float64())
			a := r2.Vec{X: p.X + 0.2*rng.NormFloat64(), Y: p.Y + 0.2*rng.NormFloat64()}
			b := r2.Vec{X: p.X + 0.2*rng.NormFloat64(), Y: p.Y + 0.2*rng.NormFloat64()}
			for i := range o.Edges {
				var g target
				g.setEdge(o, int32(i), m.X)
				lo, hi := g.clipElement(a, b, 0)
				k0, k1 := nodes.nodesBetween(lo, hi)
				for k := range 20 {
					if (hi < lo || k < k0 || k >= k1) && g.pointAt(between(a, b, (float64(k)+0.5)/20)).deflection > 0 {
						rt.Fatalf("node %d of edge %d touches outside [%d, %d)", k, i, k0, k1)
					}
				}
			}
		}
	})
}

// The distance of a segment out of a region is no more than the least of its points,
// and a quarter of that or more.
func TestSegmentOutside(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	for range 100 {
		m, _, _ := crowd(t, rng)
		o := NewOutline(m)
		for range 20 {
			i := int32(rng.Intn(len(o.Edges)))
			e := &o.Edges[i]
			if e.Radius != 0 {
				continue
			}
			var g target
			g.setEdge(o, i, m.X)
			g.neighbours(o, m.X)
			at, size := between(g.c, g.d, rng.Float64()), 3*g.length
			a := r2.Vec{X: at.X + size*rng.NormFloat64(), Y: at.Y + size*rng.NormFloat64()}
			b := r2.Vec{X: at.X + size*rng.NormFloat64(), Y: at.Y + size*rng.NormFloat64()}
			queryRange := o.LookAhead * rng.Float64()
			const points = 2000
			want := math.Inf(1)
			for k := range points + 1 {
				want = min(want, g.distanceOutside(between(a, b, float64(k)/points), queryRange))
			}
			near := 4 * o.Depth[i] * math.Pow(10, -6*rng.Float64())
			got := g.segmentOutside(a, b, queryRange, near, 1)
			step := distance(a, b) / points
			if got > max(want, 0) || want > 1.01*near+step && want < 0.9 && !(4*got > want-step) {
				t.Fatalf("segment from %v to %v: %g out of the region of edge %d for near %g, its points %g", a, b, got, i, near, want)
			}
		}
	}
}
