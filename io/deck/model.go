package deck

import (
	"fmt"
	"slices"

	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// Model makes the solver's model: it looks the deck's names up in the mesh,
// which must have been built of BodyNames. It returns warnings of materials,
// laws and groups that nothing uses; mistakes are *Error.
func Model(d *Deck, m *mesh.Mesh) (model *solver.Model, warnings []string, err error) {
	defer catch(&err)
	r := resolver{Deck: d, mesh: m, used: map[string]bool{}}
	out := d.model
	out.Mesh = m
	for _, b := range d.bodies {
		out.Bodies = append(out.Bodies, b.Body)
		r.used[b.Name] = true
	}
	out.Fixes = r.fixed()
	out.Loads = r.loaded()
	out.Contacts = r.contacting()
	for _, p := range d.probes {
		near := 0
		for i, x := range m.X {
			if far(x, p.near) < far(m.X[near], p.near) {
				near = i
			}
		}
		p.Probe.Node = int32(near)
		out.Probes = append(out.Probes, p.Probe)
	}
	return &out, r.unused(), nil
}

func far(a, b r2.Vec) float64 {
	return float64((a.X-b.X)*(a.X-b.X)) + float64((a.Y-b.Y)*(a.Y-b.Y))
}

// resolver looks names up in the mesh.
type resolver struct {
	*Deck
	mesh *mesh.Mesh
	used map[string]bool // names of groups
}

// group finds a named group of any dimension.
func (r *resolver) group(t *table, key, name string) *mesh.Group {
	r.used[name] = true
	var known []string
	for i := range r.mesh.Groups {
		g := &r.mesh.Groups[i]
		if g.Name == name {
			return g
		}
		known = append(known, g.Name)
	}
	t.bad(key, "there is no group %q in the mesh%s", name, nearest(name, known))
	return nil
}

// fixed resolves the fixes; no node may be fixed twice in one direction.
func (r *resolver) fixed() []solver.Fix {
	var out []solver.Fix
	by := map[[2]int32]string{}
	for _, f := range r.fixes {
		g := r.group(f.table, "on", f.on)
		for _, n := range g.Nodes {
			for c, on := range []bool{f.x, f.y} {
				at := [2]int32{n, int32(c)}
				if !on {
					continue
				}
				if other, twice := by[at]; twice {
					f.bad("on", "node %d is fixed in %s by fix %q already: fixes must not overlap", r.mesh.NodeID[n], []string{"x", "y"}[c], other)
				}
				by[at] = f.on
			}
		}
		out = append(out, solver.Fix{On: f.on, Nodes: g.Nodes, X: f.x, Y: f.y})
	}
	return out
}

// loaded resolves the loads: a force on a curve is shared by length, on a body
// by area.
func (r *resolver) loaded() []solver.Load {
	var out []solver.Load
	for _, l := range r.loads {
		g := r.group(l.table, "on", l.On)
		s := l.Load
		if l.has("pressure") {
			if len(g.Edges) == 0 {
				l.bad("on", "a pressure needs a curve on the boundary, and %q has no boundary edge", l.On)
			}
			s.Edges = g.Edges
			out = append(out, s)
			continue
		}
		weight := map[int32]float64{}
		share := func(w float64, nodes ...int32) {
			for _, n := range nodes {
				weight[n] += float64(w / float64(len(nodes)))
			}
		}
		switch {
		case len(g.Edges) > 0:
			for _, i := range g.Edges {
				e := r.mesh.Edges[i]
				share(r2.Norm(r2.Sub(r.mesh.X[e.B], r.mesh.X[e.A])), e.A, e.B)
			}
		case g.Dim == 2:
			for _, t := range r.mesh.Triangles {
				if inGroup(g, t) {
					a, b, c := r.mesh.X[t[0]], r.mesh.X[t[1]], r.mesh.X[t[2]]
					share(r2.Cross(r2.Sub(b, a), r2.Sub(c, a)), t[:]...)
				}
			}
		default:
			share(1, g.Nodes...)
		}
		total := 0.0
		for _, n := range g.Nodes {
			if w := weight[n]; w > 0 {
				s.Nodes = append(s.Nodes, n)
				s.Weights = append(s.Weights, w)
				total += w
			}
		}
		for i := range s.Weights {
			s.Weights[i] /= total
		}
		out = append(out, s)
	}
	return out
}

func inGroup(g *mesh.Group, t [3]int32) bool {
	for _, n := range t {
		if _, ok := slices.BinarySearch(g.Nodes, n); !ok {
			return false
		}
	}
	return true
}

// contacting resolves the contacts.
func (r *resolver) contacting() []solver.Contact {
	var out []solver.Contact
	for _, c := range r.contacts {
		s := c.Contact
		s.Contactor = r.surface(c.table, "contactor", c.contactor)
		if c.opposite == "all" {
			on := map[int32]bool{}
			for _, e := range s.Contactor {
				on[r.mesh.Edges[e].Body] = true
			}
			for i, e := range r.mesh.Edges {
				if len(on) > 1 || !on[e.Body] {
					s.Opposite = append(s.Opposite, int32(i))
				}
			}
			if len(s.Opposite) == 0 {
				c.bad("opposite", "there is no other body to meet")
			}
		} else {
			s.Opposite = r.surface(c.table, "opposite", c.opposite)
		}
		bodies := map[int32]bool{}
		for _, e := range slices.Concat(s.Contactor, s.Opposite) {
			bodies[r.mesh.Edges[e].Body] = true
		}
		if len(bodies) == 1 {
			c.bad("opposite", "contactor and opposite are the same body: a body's contact with itself is not in this version of fdem yet")
		}
		out = append(out, s)
	}
	return out
}

// surface returns the boundary edges of a body or a curve.
func (r *resolver) surface(t *table, key, name string) []int32 {
	for _, b := range r.mesh.Bodies {
		if b.Name != name {
			continue
		}
		var edges []int32
		for e := b.FirstEdge; e < b.EndEdge; e++ {
			edges = append(edges, e)
		}
		if len(edges) == 0 {
			t.bad(key, "body %q has no boundary edge", name)
		}
		return edges
	}
	g := r.group(t, key, name)
	if len(g.Edges) == 0 {
		t.bad(key, "group %q has no edge on the boundary of a body: the contact would be empty", name)
	}
	return g.Edges
}

// unused names what nothing uses.
func (r *resolver) unused() []string {
	var out []string
	for i, m := range r.model.Materials {
		if !slices.ContainsFunc(r.bodies, func(b body) bool { return b.Material == int32(i) }) {
			out = append(out, fmt.Sprintf("material %q is not used", m.Name))
		}
	}
	for _, l := range r.laws {
		if !slices.ContainsFunc(r.contacts, func(c contactBlock) bool { return c.LawName == l.name }) {
			out = append(out, fmt.Sprintf("law %q is not used", l.name))
		}
	}
	for _, g := range r.mesh.Groups {
		if !r.used[g.Name] {
			out = append(out, fmt.Sprintf("group %q of the mesh is not used", g.Name))
		}
	}
	return out
}
