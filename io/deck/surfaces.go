package deck

import (
	"slices"

	"fdem/contactnodes"
	"fdem/contactnodes/volume"
	"fdem/io/tables"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/solver/model"
)

// contacting resolves the contacts. A contact with laws by pair of materials
// becomes one for each pair.
func (r *resolver) contacting() (out []model.SurfaceContact, volumes []model.VolumeContact) {
	outlines := volume.Components(r.mesh)
	var all []sides
	for i := range r.contacts {
		all = append(all, r.surfaces(&r.contacts[i]))
	}
	r.once(all)
	apart := r.alongWalls()
	for i, c := range r.contacts {
		r.checkRolling(&all[i])
		s := c.SurfaceContact
		s.Contactor, s.Opposite, s.Elsewhere = all[i].contactor, all[i].opposite, all[i].elsewhere
		s.Apart = apart
		s.Inner = [2][]int32{r.inner(&c, c.contactor, nil), r.inner(&c, c.opposite, s.Contactor)}
		if s.Ends {
			s.Contactor = slices.DeleteFunc(slices.Clone(s.Contactor), r.flatEnd)
		}
		if len(s.Elsewhere) > 0 && len(r.pairings(&s)) == 0 {
			r.warn("contact %q acts on nothing: other contacts have all of its pairs", c.Name)
			continue
		}
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
	return out, volumes
}

// alongWalls returns the bodies of beams all of whose elements are edges of triangles, as linings are, each with the
// bodies of these triangles: its faces are within them, and do not meet them.
func (r *resolver) alongWalls() (out [][2]int32) {
	if len(r.mesh.Beams) == 0 {
		return nil
	}
	wall := r.wallNodes()
	at := func(n int32) int32 {
		n = r.mesh.PositionNode(n)
		if of, has := wall[n]; has {
			return of
		}
		return n
	}
	bodies := map[[2]int32][]int32{} // of the triangles that have an edge, looked up only
	for _, e := range r.mesh.Beams {
		bodies[sortedPair(at(e[0]), at(e[1]))] = nil
	}
	for i := range r.mesh.Bodies {
		b := &r.mesh.Bodies[i]
		for _, c := range r.mesh.Triangles[b.First:b.End] {
			for k := range c {
				key := sortedPair(c[k], c[(k+1)%3])
				if of, has := bodies[key]; has {
					bodies[key] = append(of, int32(i))
				}
			}
		}
	}
	for i := range r.mesh.Bodies {
		b := &r.mesh.Bodies[i]
		var on []int32
		for _, e := range r.mesh.Beams[b.FirstBeam:b.EndBeam] {
			of := bodies[sortedPair(at(e[0]), at(e[1]))]
			if of == nil {
				on = nil
				break
			}
			on = append(on, of...)
		}
		slices.Sort(on)
		for _, body := range slices.Compact(on) {
			out = append(out, [2]int32{int32(i), body})
		}
	}
	return out
}

// surfaces finds the edges of a contact.
func (r *resolver) surfaces(c *contactDef) sides {
	s := sides{contactDef: c}
	s.contactor = r.surface(c, "contactor", c.contactor, nil)
	s.opposite = r.surface(c, "opposite", c.opposite, s.contactor)
	components := map[int32]bool{}
	for _, e := range slices.Concat(s.contactor, s.opposite) {
		components[r.mesh.Edges[e].Component] = true
	}
	if len(components) == 1 && !c.Self {
		c.Bad("opposite", "contactor and opposite are the same body: for contact of a body with itself say self = true")
	}
	if first := r.components(s.contactor); c.Self && !slices.ContainsFunc(r.components(s.opposite), func(e *mesh.Edge) bool {
		return slices.ContainsFunc(first, func(o *mesh.Edge) bool { return o.Component == e.Component })
	}) {
		r.warn("contact %q: self = true has no effect: no body is on both of its sides", c.Name)
	}
	return s
}

// sorted returns edges in ascending order.
func sorted(edges []int32) []int32 {
	out := slices.Clone(edges)
	slices.Sort(out)
	return out
}

// flatEnd tells whether an edge is the flat end of a beam, between two corners
// of the faces.
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

// checkPairs stops if two materials that may meet have no law.
func (r *resolver) checkPairs(c *contactDef, s *model.SurfaceContact) {
	opposite := r.flanks(s, s.Opposite)
	for _, a := range r.flanks(s, s.Contactor) {
		for _, b := range opposite {
			if a.held && b.held || a.sameComponent(&b) && (!s.Self || a.rigid) || elsewhere(s, &a, &b) {
				continue
			}
			for _, side := range []*flank{&a, &b} {
				if side.material < 0 {
					c.Bad("law", "laws by pair of materials need a material for %q", r.mesh.Bodies[side.body].Name)
				}
			}
			if !slices.ContainsFunc(c.pairs, func(p pairLaw) bool {
				return p.materials == [2]int32{a.material, b.material} || p.materials == [2]int32{b.material, a.material}
			}) {
				c.Bad("law", "there is no law for %s on %s", r.model.Materials[a.material].Name, r.model.Materials[b.material].Name)
			}
		}
	}
}

// outline returns the rigid body of a body of the mesh, nil for others.
func (r *resolver) outline(body int32) *rigid {
	if b := &r.mesh.Bodies[body]; b.Kind == mesh.OfOutline {
		return &r.rigids[b.Number]
	}
	return nil
}

// materialOf returns the material of a body of the mesh.
func (r *resolver) materialOf(body int32) int32 {
	if b := r.outline(body); b != nil {
		return b.Material
	}
	return r.bodies[body].Material
}

// allSurfaces returns the boundary edges of every body. It leaves out a single
// connected component that is all of contactor, unless that is in contact with
// itself.
func (r *resolver) allSurfaces(contactor []int32, self bool) (edges []int32) {
	own := int32(-1)
	for i, e := range contactor {
		if p := r.mesh.Edges[e].Component; i == 0 {
			own = p
		} else if p != own {
			own = -1
			break
		}
	}
	for i, e := range r.mesh.Edges {
		if e.Component != own || self {
			edges = append(edges, int32(i))
		}
	}
	return edges
}

// noSurface stops with the error that no body and no group has the name.
func (r *resolver) noSurface(t *tables.Reader, key, name string) {
	var known []string
	for _, b := range r.mesh.Bodies {
		known = append(known, b.Name)
	}
	for _, g := range r.mesh.Groups {
		if len(g.Edges) > 0 {
			known = append(known, g.Name)
		}
	}
	if slices.ContainsFunc(r.particles, func(p particles) bool { return p.name == name }) {
		t.Bad(key, "%q is a [[particle]]: for its contacts use an [[interaction]]", name)
	}
	if several := r.mayBe(name); several != "" {
		t.Bad(key, "there is no group or body %q, but %s", name, several)
	}
	t.Bad(key, "there is no group or body %q%s", name, tables.Nearest(name, known))
}

// surface returns the boundary edges of a body, a rigid body or a curve. For
// "all" see allSurfaces.
func (r *resolver) surface(c *contactDef, key, name string, contactor []int32) []int32 {
	t := c.Reader
	if name == "all" {
		edges := r.allSurfaces(contactor, c.Self)
		if len(edges) == 0 {
			t.Bad(key, "there is no other body: a contact needs a second one, or self = true")
		}
		return edges
	}
	var cut []int32 // of rigid bodies that were cut out of one surface
	for _, b := range r.rigids {
		if b.Group == name && name != "" {
			cut = append(cut, r.mesh.Bodies[r.bodyNamed(b.Name)].Edges()...)
		}
	}
	if cut != nil {
		return cut
	}
	for _, b := range r.mesh.Bodies {
		if b.Name != name {
			continue
		}
		edges := b.Edges()
		if len(edges) == 0 {
			advice := ""
			if len(r.excavating) > 0 && b.Kind == mesh.OfTriangles {
				advice = ": \"all\" includes the faces of it that excavation exposes"
			}
			t.Bad(key, "body %q has no boundary edge%s", name, advice)
		}
		return edges
	}
	if !slices.ContainsFunc(r.mesh.Groups, func(g mesh.Group) bool { return g.Name == name }) {
		r.noSurface(t, key, name)
	}
	g := r.group(t, key, name)
	edges := slices.Concat(g.Edges, r.facesOn(g))
	if len(edges) == 0 {
		t.Bad(key, "group %q has no edge on the boundary of a body: the contact would be empty", name)
	}
	return edges
}

// inner returns, for "all", the bodies of triangles without a boundary edge, which excavation
// may expose. It leaves out those connected with a single component that is all of contactor.
func (r *resolver) inner(c *contactDef, name string, contactor []int32) (out []int32) {
	if name != "all" || len(r.excavating) == 0 {
		return nil
	}
	var together []int32
	if one := r.components(contactor); len(one) == 1 && !c.Self {
		together = r.mesh.HeldTogether().Firsts()
		contactor = contactor[:1]
	}
	for i := range r.mesh.Bodies {
		b := &r.mesh.Bodies[i]
		if b.Kind != mesh.OfTriangles || b.FirstEdge < b.EndEdge || together != nil && together[b.Nodes[0]] == together[r.mesh.Edges[contactor[0]].A] {
			continue
		}
		out = append(out, int32(i))
	}
	return out
}

// volumetric resolves a contact under a volumetric law. It is between whole
// components of bodies, each with a single outline.
func (r *resolver) volumetric(c *contactDef, first, second []int32, law contact.Volumetric, components []volume.Component) model.VolumeContact {
	whole := func(key string, edges []int32) []int32 {
		count := map[int32]int{}
		var out []int32
		for _, e := range edges {
			p := r.mesh.Edges[e].Component
			if count[p] == 0 {
				out = append(out, p)
			}
			count[p]++
		}
		slices.Sort(out)
		of := map[int32]int{} // number of edges of each component
		for _, e := range r.mesh.Edges {
			of[e.Component]++
		}
		for _, p := range out {
			name := components[p].Name
			if b := r.mesh.Bodies[r.bodyOf(p)]; b.Kind == mesh.OfBeams {
				c.Bad(key, "%q is a beam, and a volumetric law is for bodies and rigid bodies only", name)
			}
			if r.breaks[r.bodyOf(p)] {
				c.Bad(key, "%q can break, and a volumetric law needs whole outlines: give %[1]q a [[contact]] of its own without law, or with a law of contact nodes, such as model = \"linear\"", name)
			}
			if count[p] < of[p] {
				c.Bad(key, "a volumetric law needs whole bodies, and this is a part of the outline of %q: name the body", name)
			}
			if err := components[p].Check(); err != nil {
				c.Bad(key, "%v", err)
			}
		}
		return out
	}
	return model.VolumeContact{
		Name: c.Name, First: whole("contactor", first), Second: whole("opposite", second),
		Law: law, LawName: c.LawName, Friction: c.Friction.Kinetic, Speed: c.Friction.Speed,
		Allow: c.Overlap.Mode == contactnodes.OverlapAllow,
	}
}

// bodyOf returns the body of a component.
func (r *resolver) bodyOf(component int32) int32 {
	return r.mesh.Edges[slices.IndexFunc(r.mesh.Edges, func(e mesh.Edge) bool { return e.Component == component })].Body
}

// once ensures that each pair of edges is in one contact only, since the forces
// of two contacts would add up. The contact with fewer "all" has the pair. If
// two contacts have as many, the later one is an error.
func (r *resolver) once(all []sides) {
	for i := range all {
		for k := range i {
			a, b := &all[i], &all[k]
			x, y, ok := r.both(a, b)
			switch {
			case !ok:
			case a.names() > b.names() && !b.byVolume():
				b.moveTo(a)
			case a.names() < b.names() && !a.byVolume():
				a.moveTo(b)
			default:
				a.Bad("contactor", "%s already acts between %q and %q, and forces would be added twice: each pair belongs in one contact (use names instead of \"all\", or two_sided = true for contact nodes on both sides)",
					b.Title, r.mesh.Bodies[x].Name, r.mesh.Bodies[y].Name)
			}
		}
	}
}

// sides are the edges of a contact, and those that another contact has.
type sides struct {
	*contactDef
	contactor, opposite []int32
	elsewhere           []contactnodes.Elsewhere
}

// names returns the number of sides that are not "all".
func (s *sides) names() int { return namesIn([2]string{s.contactDef.contactor, s.contactDef.opposite}) }

// byVolume tells whether the contact is between whole bodies, of which no part
// can be left out.
func (s *sides) byVolume() bool {
	_, is := s.Law.(contact.Volumetric)
	return is
}

// moveTo gives the edges of another contact to that contact.
func (s *sides) moveTo(to *sides) {
	s.elsewhere = append(s.elsewhere, contactnodes.Elsewhere{Name: to.Name, First: sorted(to.contactor), Second: sorted(to.opposite), Self: to.Self})
}

// elsewhere tells whether all edges of two bodies in a contact meet in another
// contact.
func elsewhere(s *model.SurfaceContact, a, b *flank) bool {
	in := func(edges, of []int32) bool {
		return !slices.ContainsFunc(edges, func(e int32) bool {
			_, found := slices.BinarySearch(of, e)
			return !found
		})
	}
	return slices.ContainsFunc(s.Elsewhere, func(e contactnodes.Elsewhere) bool {
		if s.Self && !e.Self && slices.ContainsFunc(a.components, func(p int32) bool { return slices.Contains(b.components, p) }) {
			return false
		}
		return in(a.edges, e.First) && in(b.edges, e.Second) || in(a.edges, e.Second) && in(b.edges, e.First)
	})
}

// both returns two bodies that meet in both contacts.
func (r *resolver) both(a, b *sides) (x, y int32, ok bool) {
	self := a.Self && b.Self
	if x, y, ok = r.shared(common(a.contactor, b.contactor), common(a.opposite, b.opposite), self); ok {
		return x, y, ok
	}
	return r.shared(common(a.contactor, b.opposite), common(a.opposite, b.contactor), self)
}

// shared returns two bodies, components of which meet by edges of both lists.
func (r *resolver) shared(a, b []int32, self bool) (x, y int32, ok bool) {
	for _, p := range r.components(a) {
		for _, q := range r.components(b) {
			if p.Component != q.Component || self {
				if r.isFixedRigid(p) && r.isFixedRigid(q) {
					continue
				}
				return p.Body, q.Body, true
			}
		}
	}
	return 0, 0, false
}

// isFixedRigid tells whether an edge is of a rigid body that forces do not move. Such
// bodies do not meet one another.
func (r *resolver) isFixedRigid(e *mesh.Edge) bool {
	b := r.outline(e.Body)
	return b != nil && b.Mass == 0
}

// components returns one edge of each component among edges.
func (r *resolver) components(edges []int32) []*mesh.Edge {
	seen := map[int32]bool{}
	var out []*mesh.Edge
	for _, i := range edges {
		if e := &r.mesh.Edges[i]; !seen[e.Component] {
			seen[e.Component] = true
			out = append(out, e)
		}
	}
	return out
}

// common returns the entries of both lists, ascending.
func common(a, b []int32) []int32 {
	a, b = sorted(a), sorted(b)
	var out []int32
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] < b[k]:
			i++
		case a[i] > b[k]:
			k++
		default:
			out = append(out, a[i])
			i, k = i+1, k+1
		}
	}
	return out
}
