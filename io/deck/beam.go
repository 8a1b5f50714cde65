package deck

import (
	"errors"
	"math"
	"slices"

	"fdem/io/tables"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

var beamBlock = tables.Block{Name: "beam", Many: true, Doc: "Beams on a 1-D physical group of the mesh, with a rectangular section. The faces on both sides of a beam are in contact with other bodies.", Read: ofDeck((*Deck).readBeam), Keys: slices.Concat([]tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"strip"`, Doc: "name of the physical group in the mesh"},
	{Name: "material", Kind: tables.Text, Example: `"steel"`, Doc: "name of a [[material]]"},
	{Name: "height", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"5 mm"`, Doc: "height of the section, in the plane; at most the beam's length"},
	{Name: "width", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "thickness", Doc: "width of the section, across the plane"},
	startVelocity, startSpin, startExpansion,
	{Name: "young_schedule", Kind: tables.Schedule, Default: "-", Doc: "of shotcrete: factor of Young's modulus by age, [[age, factor], ...], for later strains, where age is the time since the installation. Factors are above 0, at most 1 and do not fall"},
	{Name: "strength", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Default: "-", Doc: "stress in compression that the fibres of the beams bear, for the column utilisation and the chart of moment over thrust; nothing breaks at it"},
	{Name: "tensile_strength", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Else: "strength", With: []tables.With{tables.If("strength")}, Doc: "the same in tension"},
	{Name: "interface", Kind: tables.Table, Default: "-", Sub: &interfaceBlock, Doc: "of a lining: the beams have nodes of their own, joined to those of the wall on which they lie by an interface, see below. Without it they share the nodes"},
}, comingKeys, goingKeys)}

// bondStiffness is a pressure over a distance.
var bondStiffness = tables.Dimension{Length: -2, Mass: 1, Time: -2}

var interfaceBlock = tables.Block{Name: "beam.interface", Doc: "The interface between a lining and the wall of a body or an excavation. Without friction, cohesion and tensile_strength it holds whatever comes; an empty table, interface = {}, is such a bond.", Keys: []tables.Key{
	{Name: "friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Default: "0", Doc: "coefficient of friction; 0 for a lining that slips freely"},
	{Name: "cohesion", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.NotNegative, Default: "0", Doc: "shear strength of the bond without pressure"},
	{Name: "tensile_strength", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.NotNegative, Default: "0", Doc: "tensile strength of the bond"},
	{Name: "normal_stiffness", Kind: tables.Quantity, Dim: bondStiffness, Bounds: tables.Positive, Else: "ten times Young's modulus of the wall over the length of a beam, 30 times for a bond that holds whatever comes", Doc: "pressure over the distance by which lining and wall approach"},
	{Name: "shear_stiffness", Kind: tables.Quantity, Dim: bondStiffness, Bounds: tables.Positive, Else: "normal_stiffness", Doc: "shear stress over the displacement along the wall before slip"},
}}

func (d *Deck) readBeam(t *tables.Reader) {
	d.readBody(t)
	b := &d.bodies[len(d.bodies)-1]
	if b.Material >= 0 && d.model.Materials[b.Material].Law != nil {
		t.Bad("material", "material %q has a law, and beams are linear elastic: give them a material without a law", d.model.Materials[b.Material].Name)
	}
	b.Width, b.Height = t.Number("width"), t.Number("height")
	stage, i := d.readStage(t, t.Text("name")), len(d.bodies)-1
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) { m.Bodies[r.bodyNamed(d.bodies[i].Name)].When = stage.at(r) })
	if b.Strength = [2]float64{t.Number("strength"), t.Number("tensile_strength")}; b.Strength[1] == 0 {
		b.Strength[1] = b.Strength[0]
	}
	b.Ageing = d.readAgeing(t)
	if t.Has("interface") {
		d.readInterface(t)
	}
}

// readAgeing reads the factor of Young's modulus by age.
func (d *Deck) readAgeing(t *tables.Reader) *model.Curve {
	const key = "young_schedule"
	if !t.Has(key) {
		return nil
	}
	c := &model.Curve{}
	list, _ := t.Raw(key)
	rows, ok := list.([]any)
	if !ok {
		t.Bad(key, "%s must be a list of [age, factor], got %s", key, tables.Describe(list))
	}
	for _, e := range rows {
		pair, ok := e.([]any)
		if !ok || len(pair) != 2 {
			t.Bad(key, "%s must be a list of [age, factor], got %s in it", key, tables.Describe(e))
		}
		age, factor := t.Value(key, pair[0], tables.Time), t.Value(key, pair[1], tables.None)
		if !(factor > 0 && factor <= 1) {
			t.Bad(key, "a factor of young must be above 0 and at most 1, its final value, got %g", factor)
		}
		if n := len(c.X); n > 0 && (age <= c.X[n-1] || factor < c.Value[n-1]) || n == 0 && age != 0 {
			t.Bad(key, "the ages must begin with 0 and increase, and the factors must not fall, got [%g, %g]", age, factor)
		}
		c.X, c.Value = append(c.X, age), append(c.Value, factor)
	}
	return c
}

// lining is a body of beams with an interface.
type lining struct {
	*tables.Reader
	law model.Interface
}

// readInterface reads the interface of a lining.
func (d *Deck) readInterface(t *tables.Reader) {
	s := t.Sub("interface")
	s.Check(nil)
	law := model.Interface{Normal: s.Number("normal_stiffness"), Shear: s.Number("shear_stiffness"), Friction: s.Number("friction"), Cohesion: s.Number("cohesion"), Tension: s.Number("tensile_strength")}
	if !s.Has("friction") && !s.Has("cohesion") && !s.Has("tensile_strength") {
		law.Cohesion, law.Tension = math.Inf(1), math.Inf(1)
	}
	of := &lining{t, law}
	d.linings = append(d.linings, of)
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		r.checks = append(r.checks, func() { m.Linings = append(m.Linings, r.bondsOf(of, m)) })
	})
}

// withLinings gives linings nodes of their own.
func (r *resolver) withLinings() {
	if len(r.linings) == 0 {
		return
	}
	var bodies []int
	for _, l := range r.linings {
		bodies = append(bodies, r.bodyNamed(l.Text("name")))
	}
	m, pairs := r.mesh.WithLinings(bodies)
	r.mesh, r.lined = m, map[int32]int32{}
	for _, p := range pairs {
		r.lined[p[1]] = p[0]
	}
}

// andLinings returns the nodes of a group, followed by the nodes of linings at their positions.
func (r *resolver) andLinings(nodes []int32) []int32 {
	out := slices.Clone(nodes)
	for _, n := range nodes {
		if to, has := r.lined[n]; has {
			out = append(out, to)
		}
	}
	return out
}

// wallNodes returns the nodes of walls by the nodes of linings on them, to be looked up only.
func (r *resolver) wallNodes() map[int32]int32 {
	of := map[int32]int32{}
	for wall, own := range r.lined {
		of[own] = wall
	}
	return of
}

// wallEdge is an edge of a triangle of the wall on which a beam lies.
type wallEdge struct {
	triangle, third int32
	count           int
}

// bondsOf finds the bonds of a lining: at each node that it shares with the wall, with the parts of the beams
// that belong to it. The wall is what is never excavated, on one side of the beams.
func (r *resolver) bondsOf(l *lining, m *model.Model) model.Lining {
	i := r.bodyNamed(l.Text("name"))
	b, of := &r.mesh.Bodies[i], r.wallNodes()
	edges, masses := r.wall(m)
	out := model.Lining{Name: b.Name, Body: int32(i), When: m.Bodies[i].When, Interface: l.law}
	at, young, length, count := map[int32]int{}, 0.0, 0.0, 0 // number of a node's bond, looked up only
	for _, e := range r.mesh.Beams[b.FirstBeam:b.EndBeam] {
		first, has := of[e[0]]
		second, both := of[e[1]]
		w := edges[sortedPair(first, second)]
		if !has || !both || w.count == 0 {
			continue
		}
		from, to := r.mesh.X[e[0]], r.mesh.X[e[1]]
		if w.count == 2 {
			l.Bad("interface", "at (%.6g, %.6g) m bodies that are not excavated lie on both sides of the lining: an interface joins it to the wall on one side", from.X, from.Y)
		}
		d := r2.Sub(to, from)
		size := elementary.Norm(d)
		normal := r2.Vec{X: -d.Y, Y: d.X}
		if elementary.Dot(normal, r2.Sub(r.mesh.X[w.third], from)) < 0 {
			normal = r2.Vec{X: d.Y, Y: -d.X}
		}
		length, count = length+size, count+1
		young = max(young, m.Materials[m.Bodies[r.holder(w.triangle)].Material].Young)
		for _, n := range e {
			k, has := at[n]
			if !has {
				k = len(out.Bonds)
				at[n] = k
				out.Bonds = append(out.Bonds, model.Bond{Node: n, Wall: model.End{Nodes: []int32{of[n]}, Weights: []float64{1}, Rigid: -1, At: r.mesh.X[n]}, Least: masses[of[n]]})
			}
			p := &out.Bonds[k]
			p.Area += float64(0.5 * size * r.bodies[i].Width)
			p.Normal = r2.Add(p.Normal, normal)
			if mass := r.cornerMass(m, w.triangle); len(r.fractures) > 0 {
				p.Least = min(p.Least, mass)
				p.Wall.Corners = with(p.Wall.Corners, w.triangle)
			}
		}
	}
	if count == 0 {
		l.Bad("interface", "%q lies on no wall: its beams must be edges of a body that is not excavated", b.Name)
	}
	for k := range out.Bonds {
		p := &out.Bonds[k]
		size := elementary.Norm(p.Normal)
		p.Normal = r2.Vec{X: p.Normal.X / size, Y: p.Normal.Y / size}
	}
	stiffen(&out.Interface, young*float64(count)/length)
	return out
}

// stiffen gives an interface the stiffness that its deck leaves out, by that of an edge of the wall [Pa/m].
func stiffen(f *model.Interface, edge float64) {
	if f.Normal == 0 {
		times := 10.0
		if math.IsInf(f.Cohesion, 1) { // it asks for no more steps
			times = 30
		}
		f.Normal = times * edge
	}
	if f.Shear == 0 {
		f.Shear = f.Normal
	}
}

// with returns the corners at one vertex with that of one more triangle, each with an equal fraction.
func with(c model.Corners, triangle int32) model.Corners {
	list := append(slices.Clone(c.List), model.Corner{Triangle: triangle})
	for i := range list {
		list[i].Fraction = 1 / float64(len(list))
	}
	var out model.Corners
	out.Add(list...)
	return out
}

// sortedPair returns two nodes in ascending order.
func sortedPair(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

// holder returns the body of a triangle.
func (r *resolver) holder(triangle int32) int {
	return slices.IndexFunc(r.mesh.Bodies, func(b mesh.Body) bool { return b.First <= triangle && triangle < b.End })
}

// cornerMass returns a third of the mass of a triangle [kg].
func (r *resolver) cornerMass(m *model.Model, triangle int32) float64 {
	t := r.mesh.Triangles[triangle]
	a, b, c := r.mesh.X[t[0]], r.mesh.X[t[1]], r.mesh.X[t[2]]
	body := r.holder(triangle)
	return m.Materials[m.Bodies[body].Material].Density * m.Thickness * elementary.Cross(r2.Sub(b, a), r2.Sub(c, a)) / 6
}

// wall returns the edges between nodes of linings that triangles have which are never excavated, and at
// these nodes the masses of these triangles [kg].
func (r *resolver) wall(m *model.Model) (edges map[[2]int32]wallEdge, masses map[int32]float64) {
	edges, masses = map[[2]int32]wallEdge{}, map[int32]float64{} // looked up only
	for i := range r.mesh.Bodies {
		b := &r.mesh.Bodies[i]
		if slices.ContainsFunc(m.Excavations, func(x model.Excavation) bool { return x.Body == int32(i) }) {
			continue
		}
		for t := b.First; t < b.End; t++ {
			c := r.mesh.Triangles[t]
			for k, n := range c {
				if _, is := r.lined[n]; !is {
					continue
				}
				masses[n] += r.cornerMass(m, t)
				if _, is := r.lined[c[(k+1)%3]]; is {
					key := sortedPair(n, c[(k+1)%3])
					edges[key] = wallEdge{t, c[(k+2)%3], edges[key].count + 1}
				}
			}
		}
	}
	return edges, masses
}

// withBeams adds the faces of the beams to the mesh. A beam that is higher than
// long is an error.
func (r *resolver) withBeams() {
	var heights []float64
	for i, b := range r.bodies {
		if b.Height == 0 {
			continue
		}
		if length := r.mesh.Length(&r.mesh.Bodies[i]); b.Height > length {
			b.Bad("height", "height must not exceed the length of the beam, %.6g m, got %.6g m", length, b.Height)
		}
		heights = append(heights, b.Height)
	}
	if len(heights) == 0 {
		return
	}
	m, err := r.mesh.WithFaces(heights)
	var face *mesh.FaceError
	if errors.As(err, &face) {
		for _, b := range r.bodies {
			if b.Name == face.Body {
				b.Bad("name", "%s", face.Reason)
			}
		}
	}
	r.mesh = m
}

// ofBeams returns the nodes that belong to beams, ascending.
func (r *resolver) ofBeams(nodes []int32) []int32 {
	var out []int32
	for _, b := range r.mesh.Bodies {
		if b.Kind == mesh.OfBeams {
			for _, n := range nodes {
				if _, ok := slices.BinarySearch(b.Nodes, n); ok {
					out = append(out, n)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// beamsOn returns the elements of beams on a curve, and their total length [m].
func (r *resolver) beamsOn(g *mesh.Group) (elements []int32, length float64) {
	for e, b := range r.mesh.Beams {
		if g.Dim == 1 && inGroup(g, r.hinged(b)) {
			elements = append(elements, int32(e))
			length += elementary.Norm(r2.Sub(r.mesh.X[b[1]], r.mesh.X[b[0]]))
		}
	}
	return elements, length
}

// sides returns the widths of beams under a pressure on their left, negative if
// it is on their right. It stops if two consecutive beams have opposite
// directions, since the side would change.
func (r *resolver) sides(t *tables.Reader, elements []int32) []float64 {
	sign := 1.0
	if t.Word("side") == "right" {
		sign = -1
	}
	var out []float64
	ends := map[int32][]int{} // by node, whether elements end or begin there; looked up only
	for _, e := range elements {
		out = append(out, sign*r.bodies[r.mesh.BeamBody(e)].Width)
		for k, n := range r.hinged(r.mesh.Beams[e]) {
			ends[n] = append(ends[n], k)
		}
	}
	for _, e := range elements {
		for _, n := range r.hinged(r.mesh.Beams[e]) {
			if k := ends[n]; len(k) == 2 && k[0] == k[1] {
				t.Bad("side", "the curves of %q are drawn in opposite directions, towards or away from node %d: turn one round in Gmsh, or give each a load of its own", t.Text("on"), r.mesh.NodeID[n])
			}
		}
	}
	return out
}

// facesOn returns the edges of the faces of the beams on a curve.
func (r *resolver) facesOn(g *mesh.Group) []int32 {
	var edges []int32
	if g.Dim != 1 {
		return nil
	}
	for _, b := range r.mesh.Bodies {
		if b.Kind != mesh.OfBeams {
			continue
		}
		for e := b.FirstEdge; e < b.EndEdge; e++ {
			k := &r.mesh.Edges[e]
			of := [2]int32{r.mesh.Faces[k.A-r.mesh.FirstFace], r.mesh.Faces[k.B-r.mesh.FirstFace]}
			if inGroup(g, r.hinged(of)) {
				edges = append(edges, e)
			}
		}
	}
	return edges
}
