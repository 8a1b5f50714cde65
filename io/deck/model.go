package deck

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fdem/contactnodes"
	"fdem/contactnodes/volume"
	"fdem/io/gmsh"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// MeshPath returns the path of the deck's mesh, "" where it has no meshed body.
func (d *Deck) MeshPath() string {
	switch {
	case len(d.bodies)+len(d.beams) == 0:
		return ""
	case d.Mesh != "":
		return Beside(d.doc.file, d.Mesh)
	}
	return strings.TrimSuffix(d.doc.file, filepath.Ext(d.doc.file)) + ".msh"
}

// Load makes the solver's model of a deck and the mesh at a path, "" for none,
// with the warnings of both. Mistakes of the deck are *Error.
func (d *Deck) Load(path string) (*solver.Model, []string, error) {
	if path == "" {
		return d.Build(nil)
	}
	src, err := gmsh.Read(path)
	if err != nil {
		return nil, nil, err
	}
	return d.Build(src)
}

// Build is Load for what a mesh file gives, nil for none.
func (d *Deck) Build(src *mesh.Source) (*solver.Model, []string, error) {
	built := &mesh.Mesh{}
	if src != nil {
		d.ScaleMesh(src)
		var err error
		if built, err = mesh.Build(src, d.BodyNames(), d.BeamNames()...); err != nil {
			return nil, nil, d.Blame(err)
		}
	}
	m, warnings, err := Model(d, built)
	return m, slices.Concat(built.Warnings, warnings), err
}

// Model makes the solver's model: it looks the deck's names up in the mesh,
// which must have been built of BodyNames and BeamNames. It returns warnings of materials,
// laws and groups that nothing uses, and of particles beside a mesh; mistakes are *Error.
func Model(d *Deck, m *mesh.Mesh) (model *solver.Model, warnings []string, err error) {
	defer catch(&err)
	r := resolver{Deck: d, mesh: m, used: map[string]bool{}}
	out := d.model
	r.withBeams()
	r.withRigids()
	out.Mesh = r.mesh
	for _, b := range d.rigids {
		out.Rigids = append(out.Rigids, b.Rigid)
		r.used[b.Name] = true
	}
	for _, b := range d.bodies {
		out.Bodies = append(out.Bodies, b.Body)
		r.used[b.Name] = true
	}
	for _, b := range d.beams {
		out.Bodies = append(out.Bodies, b.Body)
		r.used[b.Name] = true
	}
	out.Fixes = r.fixed()
	out.Loads = r.loaded()
	out.Contacts, out.ByVolume = r.contacting()
	out.Particles = r.particled()
	for _, p := range d.probes {
		if p.Particle {
			if len(out.Particles.X) == 0 {
				p.bad("particle_near", "there is no particle that a probe could be of")
			}
			p.Probe.Node = p.nearest(out.Particles.X)
			out.Probes = append(out.Probes, p.Probe)
			continue
		}
		if len(m.X) == 0 {
			p.bad("node_near", "a probe needs a mesh, and this model has none")
		}
		near := p.nearest(m.X)
		if p.Quantity == "rotation" && len(r.ofBeams([]int32{near})) == 0 {
			p.bad("quantity", "rotation is of a node of a beam, and the nearest node, at (%.6g, %.6g) m, is of none", m.X[near].X, m.X[near].Y)
		}
		p.Probe.Node = near
		out.Probes = append(out.Probes, p.Probe)
	}
	return &out, append(r.unused(), r.heed(&out)...), nil
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
			for c, on := range []bool{f.x, f.y, f.rotation} {
				at := [2]int32{n, int32(c)}
				if !on {
					continue
				}
				if other, twice := by[at]; twice {
					f.bad("on", "node %d is fixed in %s by fix %q already: fixes must not overlap", r.mesh.NodeID[n], []string{"x", "y", "rotation"}[c], other)
				}
				by[at] = f.on
			}
		}
		if f.rotation && len(r.ofBeams(g.Nodes)) == 0 {
			f.bad("components", "rotation is of the nodes of beams, and %q has none", f.on)
		}
		out = append(out, solver.Fix{On: f.on, Nodes: g.Nodes, X: f.x, Y: f.y, Rotation: f.rotation, Displacement: f.by, Schedule: f.when})
	}
	return out
}

// loaded resolves the loads: a force on a curve is shared by length, on a body
// by area.
func (r *resolver) loaded() []solver.Load {
	var out []solver.Load
	for _, l := range r.loads {
		if s, ok := r.loadedRigid(&l); ok {
			out = append(out, s)
			continue
		}
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
		if s.Moment != 0 {
			r.twist(&l, g)
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
				share(elementary.Norm(r2.Sub(r.mesh.X[e.B], r.mesh.X[e.A])), e.A, e.B)
			}
		case r.lengths(g, share): // beams
		case g.Dim == 2:
			for _, t := range r.mesh.Triangles {
				if inGroup(g, t[:]) {
					a, b, c := r.mesh.X[t[0]], r.mesh.X[t[1]], r.mesh.X[t[2]]
					share(elementary.Cross(r2.Sub(b, a), r2.Sub(c, a)), t[:]...)
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

func inGroup(g *mesh.Group, nodes []int32) bool {
	for _, n := range nodes {
		if _, ok := slices.BinarySearch(g.Nodes, n); !ok {
			return false
		}
	}
	return true
}

// contacting resolves the contacts; one with laws by pair of materials becomes
// one for each pair.
func (r *resolver) contacting() (out []solver.Contact, volumes []solver.Volume) {
	outlines := volume.Pieces(r.mesh)
	var all []sides
	for _, c := range r.contacts {
		s := c.Contact
		s.Contactor = r.surface(&c, "contactor", c.contactor, nil)
		if s.Ends {
			s.Contactor = slices.DeleteFunc(slices.Clone(s.Contactor), r.flatEnd)
		}
		s.Opposite = r.surface(&c, "opposite", c.opposite, s.Contactor)
		pieces := map[int32]bool{}
		for _, e := range slices.Concat(s.Contactor, s.Opposite) {
			pieces[r.mesh.Edges[e].Piece] = true
		}
		if len(pieces) == 1 && !s.Self {
			c.bad("opposite", "contactor and opposite are the same body: for a body that may touch itself say self = true")
		}
		all = append(all, sides{c.table, sorted(s.Contactor), sorted(s.Opposite), s.Self})
		if law, ok := c.Law.(contact.Volumetric); ok {
			volumes = append(volumes, r.volumetric(&c, s.Contactor, s.Opposite, law, outlines))
			continue
		}
		if c.pairs == nil {
			out = append(out, r.fit(&c, c.law, s)...)
			continue
		}
		r.checkPairs(&c, &s)
		for _, p := range c.pairs {
			s := s
			s.Name += "." + r.model.Materials[p.materials[0]].Name + "-" + r.model.Materials[p.materials[1]].Name
			s.Law, s.LawName = p.law, p.name
			s.Pair = &p.materials
			out = append(out, r.fit(&c, p.namedLaw, s)...)
		}
	}
	r.once(all)
	return out, volumes
}

// sorted returns edges in ascending order.
func sorted(edges []int32) []int32 {
	out := slices.Clone(edges)
	slices.Sort(out)
	return out
}

// flatEnd tells whether an edge is the flat end of a beam: its corners are of
// the faces.
func (r *resolver) flatEnd(i int32) bool {
	of := func(n int32) int32 {
		if k := int(n - r.mesh.FirstFace); k >= 0 && k < len(r.mesh.Faces) {
			return r.mesh.Faces[k]
		}
		return -1
	}
	e := &r.mesh.Edges[i]
	return of(e.A) >= 0 && of(e.A) == of(e.B)
}

// sort is what edges of a surface share that meet others alike: a material, and
// whether they are of a rigid body that is fixed or driven.
type sort struct {
	material int32
	rigid    bool
	held     bool
	body     int32    // the first of them
	pieces   [2]int32 // two of its connected pieces, the same where it has one only
}

// sorts returns the sorts of edges of a surface.
func (r *resolver) sorts(edges []int32) []sort {
	var out []sort
	for _, e := range edges {
		edge := &r.mesh.Edges[e]
		s := sort{material: r.materialOf(edge.Body), body: edge.Body, pieces: [2]int32{edge.Piece, edge.Piece}}
		if k := int(edge.Body) - len(r.bodies) - len(r.beams); k >= 0 {
			b := &r.rigids[k]
			s.rigid = true
			s.held = b.Mass == 0 && b.Released == [3]bool{}
		}
		i := slices.IndexFunc(out, func(o sort) bool { return o.material == s.material && o.rigid == s.rigid && o.held == s.held })
		switch {
		case i < 0:
			out = append(out, s)
		case out[i].pieces[0] == out[i].pieces[1]:
			out[i].pieces[1] = edge.Piece
		}
	}
	return out
}

// meet tells whether edges of two sorts may ever press one another: bodies that
// are held do not meet their like, and a piece meets itself only with self, a
// rigid one never.
func (s *sort) meet(o *sort, self bool) bool {
	if s.held && o.held {
		return false
	}
	one := s.pieces[0] == s.pieces[1] && s.pieces == o.pieces
	return !one || self && !s.rigid
}

// checkPairs stops where two materials that may meet have no law.
func (r *resolver) checkPairs(c *meeting, s *solver.Contact) {
	opposite := r.sorts(s.Opposite)
	for _, a := range r.sorts(s.Contactor) {
		for _, b := range opposite {
			if !a.meet(&b, s.Self) {
				continue
			}
			for _, side := range []*sort{&a, &b} {
				if side.material < 0 {
					c.bad("law", "laws by pair of materials need a material for %q", r.mesh.Bodies[side.body].Name)
				}
			}
			if !slices.ContainsFunc(c.pairs, func(p pairLaw) bool {
				return p.materials == [2]int32{a.material, b.material} || p.materials == [2]int32{b.material, a.material}
			}) {
				c.bad("law", "there is no law for %s on %s", r.model.Materials[a.material].Name, r.model.Materials[b.material].Name)
			}
		}
	}
}

// materialOf returns the material of a body of the mesh.
func (r *resolver) materialOf(body int32) int32 {
	k := int(body) - len(r.bodies)
	switch {
	case k < 0:
		return r.bodies[body].Material
	case k < len(r.beams):
		return r.beams[k].Material
	}
	return r.rigids[k-len(r.beams)].Material
}

// surface returns the boundary edges of a body, a rigid body or a curve; of
// "all", those of every body, but for a single connected piece that contactor
// has to itself.
func (r *resolver) surface(c *meeting, key, name string, contactor []int32) []int32 {
	t := c.table
	if name == "all" {
		own := int32(-1)
		for i, e := range contactor {
			if p := r.mesh.Edges[e].Piece; i == 0 {
				own = p
			} else if p != own {
				own = -1
				break
			}
		}
		var edges []int32
		for i, e := range r.mesh.Edges {
			if e.Piece != own || c.Self {
				edges = append(edges, int32(i))
			}
		}
		if len(edges) == 0 {
			t.bad(key, "there is no other body to meet")
		}
		return edges
	}
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
	if !slices.ContainsFunc(r.mesh.Groups, func(g mesh.Group) bool { return g.Name == name }) {
		var known []string
		for _, b := range r.mesh.Bodies {
			known = append(known, b.Name)
		}
		for _, g := range r.mesh.Groups {
			if len(g.Edges) > 0 {
				known = append(known, g.Name)
			}
		}
		t.bad(key, "there is no group or body %q%s", name, nearest(name, known))
	}
	g := r.group(t, key, name)
	edges := slices.Concat(g.Edges, r.facesOn(g))
	if len(edges) == 0 {
		t.bad(key, "group %q has no edge on the boundary of a body: the contact would be empty", name)
	}
	return edges
}

// unused names what nothing uses.
func (r *resolver) unused() []string {
	var out []string
	for i, m := range r.model.Materials {
		if !slices.ContainsFunc(r.bodies, func(b body) bool { return b.Material == int32(i) }) &&
			!slices.ContainsFunc(r.beams, func(b beam) bool { return b.Material == int32(i) }) &&
			!slices.ContainsFunc(r.rigids, func(b rigid) bool { return b.Material == int32(i) }) &&
			!slices.ContainsFunc(r.particles, func(p particles) bool { return p.material == int32(i) }) {
			out = append(out, fmt.Sprintf("material %q is not used", m.Name))
		}
	}
	for _, l := range r.laws {
		if !slices.ContainsFunc(r.contacts, func(c meeting) bool {
			return c.LawName == l.name || slices.ContainsFunc(c.pairs, func(p pairLaw) bool { return p.name == l.name })
		}) && !slices.ContainsFunc(r.interactions, func(i interaction) bool { return i.law.name == l.name }) {
			out = append(out, fmt.Sprintf("law %q is not used", l.name))
		}
	}
	for _, g := range r.mesh.Groups {
		if !r.used[g.Name] {
			out = append(out, fmt.Sprintf("group %q of the mesh is not used", g.Name))
		}
	}
	if len(r.particles) > 0 && len(r.bodies)+len(r.beams) > 0 {
		out = append(out, "particles pass through meshed bodies and beams: they meet particles and rigid bodies only")
	}
	return out
}

// loadedRigid resolves a force on a rigid body: shared by the nodes of its
// outline, it acts at their middle.
func (r *resolver) loadedRigid(l *load) (solver.Load, bool) {
	for i := range r.rigids {
		if r.rigids[i].Name != l.On {
			continue
		}
		if l.has("pressure") {
			l.bad("pressure", "a pressure needs a curve of a meshed body; a rigid body takes a force")
		}
		s := l.Load
		for _, b := range r.mesh.Bodies {
			if b.Name == l.On {
				s.Nodes = b.Nodes
			}
		}
		for range s.Nodes {
			s.Weights = append(s.Weights, 1/float64(len(s.Nodes)))
		}
		return s, true
	}
	return solver.Load{}, false
}

// volumetric resolves a contact under a volumetric law: whole pieces of
// bodies, each with a single outline.
func (r *resolver) volumetric(c *meeting, first, second []int32, law contact.Volumetric, pieces []volume.Piece) solver.Volume {
	whole := func(key string, edges []int32) []int32 {
		count := map[int32]int{}
		var out []int32
		for _, e := range edges {
			p := r.mesh.Edges[e].Piece
			if count[p] == 0 {
				out = append(out, p)
			}
			count[p]++
		}
		slices.Sort(out)
		of := map[int32]int{} // edges of each piece in all
		for _, e := range r.mesh.Edges {
			of[e.Piece]++
		}
		for _, p := range out {
			name := pieces[p].Name
			if b := r.mesh.Bodies[r.bodyOf(p)]; b.FirstBeam < b.EndBeam {
				c.bad(key, "%q is a beam: a volumetric law is for bodies and rigid bodies", name)
			}
			if count[p] < of[p] {
				c.bad(key, "a volumetric law measures whole bodies, and this is a part of the outline of %q", name)
			}
			if err := pieces[p].Check(); err != nil {
				c.bad(key, "%v", err)
			}
		}
		return out
	}
	return solver.Volume{
		Name: c.Name, First: whole("contactor", first), Second: whole("opposite", second),
		Law: law, LawName: c.LawName, Friction: c.Friction.Kinetic, Speed: c.Friction.Speed,
		Allow: c.Overlap.Mode == contactnodes.OverlapAllow,
	}
}

// bodyOf returns the body of a piece.
func (r *resolver) bodyOf(piece int32) int32 {
	return r.mesh.Edges[slices.IndexFunc(r.mesh.Edges, func(e mesh.Edge) bool { return e.Piece == piece })].Body
}
