package deck

import (
	"fmt"
	"math"
	"slices"

	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"
	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
)

// Keys for the location of a probe. Each excludes those before it.
var (
	notOn       = tables.Unless("on", oneProbe)
	notContact  = tables.Unless("contact_near", oneProbe)
	notElement  = tables.Unless("element_near", oneProbe)
	notParticle = tables.Unless("particle_near", oneProbe)
)

const oneProbe = "a probe is at one place: a node, a particle, a triangle, a contact node or a group"

var probeBlock = tables.Block{Name: "probe", Many: true, Doc: "Further columns in history.csv: values of a node, a particle, a triangle, a contact node or a group.", Read: ofDeck((*Deck).readProbe), Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"tip"`, Doc: "name of the columns"},
	{Name: "node_near", Kind: tables.Pair, Dim: tables.Length, Example: `["0 mm", "50 mm"]`, With: []tables.With{notOn, notContact, notElement, notParticle}, Doc: "the node nearest to this position at the start"},
	{Name: "to_near", Kind: tables.Pair, Dim: tables.Length, Example: `["0 m", "-3 m"]`, With: []tables.With{tables.If("quantity", "convergence")}, Doc: "for convergence: the other node, the one nearest to this position at the start"},
	{Name: "particle_near", Kind: tables.Pair, Dim: tables.Length, Default: "-", With: []tables.With{notOn, notContact, notElement}, Doc: "instead of a node, the particle nearest to this position at the start"},
	{Name: "element_near", Kind: tables.Pair, Dim: tables.Length, Default: "-", With: []tables.With{notOn, notContact}, Doc: "for stress, strain, von_mises, plastic_strain and, without [heat], temperature: the triangle in which this position lies at the start, or the one with the nearest middle"},
	{Name: "contact_near", Kind: tables.Pair, Dim: tables.Length, Default: "-", With: []tables.With{notOn}, Doc: "for pressure: the contact node nearest to this position at the start"},
	{Name: "on", Kind: tables.Text, Default: "-", Doc: "a body, or a physical curve, point or surface, with all of its nodes, triangles or contact nodes. The triangles of a curve or a point are those that touch it"},
	{Name: "take", Kind: tables.Word, Words: []string{"sum", "mean", "max", "min"}, Default: `"sum"`, With: []tables.With{tables.If("on"), tables.If("quantity", "contact_force", "reaction")}, Doc: "what to take of the forces, for each component by itself: \"sum\", \"mean\", \"max\" or \"min\""},
	{Name: "take", Kind: tables.Word, Words: []string{"mean", "max", "min"}, Default: `"mean"`, With: []tables.With{tables.If("on")}, Doc: "what to take of the values, for each component by itself: \"mean\" (over nodes, over triangles weighted by area, over contact nodes weighted by length), \"max\" or \"min\""},
	{Name: "quantity", Kind: tables.Word, Words: quantity.Names(quantity.Probe), Default: `"displacement"`, Doc: "of " + tables.Quoted(quantity.Names(quantity.Probe)) + "; \"rotation\" only for a beam or a particle"},
}}

// nearWhat returns the key that finds the object with a probe's quantity. near is the
// key that the probe has.
func nearWhat(p *model.Probe, near string) string {
	switch p.Quantity {
	case "stress", "strain", "von_mises", "plastic_strain", "temperature":
		return "element_near"
	case "pressure":
		return "contact_near"
	}
	if p.Particle && p.Quantity != "reaction" {
		return near
	}
	return "node_near"
}

// wantedPlace returns the key that nearWhat does, and whether the value is that of nodes by [heat] instead of that of
// triangles with a law.
func (d *Deck) wantedPlace(p *model.Probe, near string) (wanted string, ofNodes bool) {
	if p.Quantity == bulk.Temperature && d.model.Heat != nil && near != "element_near" {
		return "node_near", true
	}
	return nearWhat(p, near), p.Quantity == "pore_pressure"
}

func (d *Deck) readProbe(t *tables.Reader) {
	p := model.Probe{Name: t.Text("name"), Quantity: t.Word("quantity"), Particle: t.Has("particle_near")}
	d.unique(t, "a probe", p.Name)
	near, at := "", r2.Vec{}
	for _, key := range []string{"node_near", "particle_near", "element_near", "contact_near"} {
		if v := t.Vector(key); t.Has(key) {
			near, at = key, v
		}
	}
	if p.Quantity == "velocity" && d.model.Static != nil {
		t.Bad("quantity", "a static analysis has no velocity: velocity goes with type = \"dynamic\"")
	}
	on, take, to := t.Text("on"), t.Word("take"), t.Vector("to_near")
	if p.Quantity == "convergence" && near != "node_near" {
		t.Bad("quantity", "convergence is that of two nodes: give node_near = [x, y] and to_near = [x, y]")
	}
	wanted, ofNodes := d.wantedPlace(&p, near)
	if on == "" && near != wanted {
		t.Bad("quantity", "%s is not available at %s: give %s = [x, y], or on = \"...\" for a group", p.Quantity, near, wanted)
	}
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		switch {
		case p.Quantity == "plastic_strain" && !slices.ContainsFunc(m.Materials, bulk.Material.Yields):
			t.Bad("quantity", "no material has plastic strain: give one a law that yields, as law = \"j2\"")
		case on != "":
			p.Region = r.region(t, on, map[bool]string{false: p.Quantity, true: "displacement"}[ofNodes])
			p.Region.Take = take
			if p.Quantity == "pressure" {
				r.checks = append(r.checks, func() { r.pressed(p.Name, on, p.Region.Edges, m) })
			}
		case p.Particle:
			p.Node = r.particleAt(t, at, m)
		case len(r.nodes) == 0 && near != "contact_near":
			t.Bad(near, "a probe needs a mesh or a particle, and this model has no mesh")
		case near == "contact_near":
			if len(m.Contacts) == 0 {
				t.Bad(near, "the model has no contact of surfaces, so a probe at a contact node is not possible")
			}
			p.Region = &model.ProbeRegion{Contact: &at, Take: "mean"}
		case near == "element_near":
			if len(r.mesh.Triangles) == 0 {
				t.Bad(near, "the model has no triangle, so a probe in a triangle is not possible")
			}
			p.Region = &model.ProbeRegion{Triangles: []int32{r.triangleAt(at)}, Take: "mean"}
			r.warnOutside(fmt.Sprintf("probe %q", p.Name), "triangle", at)
		default:
			r.nearestNodes(t, &p, at, to)
		}
		if p.Quantity == "pore_pressure" && m.Pores == nil {
			t.Bad("quantity", "pore_pressure needs [pores]")
		}
		if p.Quantity == bulk.Temperature {
			r.heated(t, &p, ofNodes, m)
		}
		m.Probes = append(m.Probes, p)
	})
}

// nearestNodes finds the node of a probe, and the other one of convergence.
func (r *resolver) nearestNodes(t *tables.Reader, p *model.Probe, at, to r2.Vec) {
	p.Node = nearestTo(at, r.nodes)
	switch x := r.nodes[p.Node]; p.Quantity {
	case "convergence":
		if p.To = nearestTo(to, r.nodes); p.To == p.Node {
			t.Bad("to_near", "convergence is that of two nodes, and both positions are nearest to the same, at (%.6g, %.6g) m", x.X, x.Y)
		}
		r.warnOutside(fmt.Sprintf("probe %q", p.Name), "node", to)
	case "rotation":
		if own, has := r.lined[p.Node]; has {
			p.Node = own
		}
		if len(r.ofBeams([]int32{p.Node})) == 0 {
			t.Bad("quantity", "only nodes of beams have a rotation, and the nearest node, at (%.6g, %.6g) m, is not one", x.X, x.Y)
		}
	}
	r.warnOutside(fmt.Sprintf("probe %q", p.Name), "node", at)
}

// heated stops at a node of a beam, and at triangles without a temperature.
func (r *resolver) heated(t *tables.Reader, p *model.Probe, ofNodes bool, m *model.Model) {
	if ofNodes {
		if p.Region == nil && len(r.ofBeams([]int32{p.Node})) > 0 {
			t.Bad("node_near", "the nearest node is of a beam, which has no temperature")
		}
		return
	}
	triangles := p.Region.Triangles
	for i := range m.Bodies {
		b := &r.mesh.Bodies[i]
		in := func(k int32) bool { return k >= b.First && k < b.End }
		if of := m.Materials[m.Bodies[i].Material]; !of.Remembers(bulk.Temperature) && slices.ContainsFunc(triangles, in) {
			t.Bad("quantity", "material %q of body %q has no temperature: give it law = \"johnson-cook\", or the model [heat]", of.Name, b.Name)
		}
	}
}

// region finds the parts of a body or group that a probe sums or averages.
func (r *resolver) region(t *tables.Reader, on, of string) *model.ProbeRegion {
	g := &mesh.Group{Name: on, Dim: 2}
	if i := r.bodyNamed(on); i >= 0 {
		r.used[on] = true
		b := r.mesh.Bodies[i]
		g.Nodes, g.Edges = b.Nodes, b.Edges()
	} else {
		g = r.group(t, "on", on)
	}
	switch of {
	case "stress", "strain", "von_mises", "plastic_strain", "temperature":
		if tri := r.trianglesOf(g); tri != nil {
			return &model.ProbeRegion{Triangles: tri}
		}
		t.Bad("on", "%s is a value of triangles, and %q has none", of, on)
	case "pressure":
		if len(g.Edges) > 0 {
			return &model.ProbeRegion{Edges: g.Edges}
		}
		t.Bad("on", "pressure is a value of boundary edges, and %q has none", on)
	case "rotation":
		if n := r.ofBeams(g.Nodes); len(n) < len(g.Nodes) {
			t.Bad("on", "only nodes of beams have a rotation, and %d of the %d nodes of %q are not of beams", len(g.Nodes)-len(n), len(g.Nodes), on)
		}
	}
	return &model.ProbeRegion{Nodes: g.Nodes, Corners: r.sidesOf(g, g.Nodes)}
}

// pressed warns of a probe of the pressure on edges that are in no contact.
func (r *resolver) pressed(name, on string, edges []int32, m *model.Model) {
	met := make([]bool, len(r.mesh.Edges))
	for i := range m.Contacts {
		for _, e := range slices.Concat(m.Contacts[i].Contactor, m.Contacts[i].Opposite) {
			met[e] = true
		}
	}
	if !slices.ContainsFunc(edges, func(e int32) bool { return met[e] }) {
		r.warn("probe %q: no contact has contact nodes on %q or opposite to it, so the pressure there stays 0", name, on)
	}
}

// trianglesOf returns the triangles of a surface, those with an edge on a curve,
// or those with a corner at a point.
func (r *resolver) trianglesOf(g *mesh.Group) (out []int32) {
	for i, tri := range r.mesh.Triangles {
		n := 0
		for _, k := range tri {
			if _, ok := slices.BinarySearch(g.Nodes, k); ok {
				n++
			}
		}
		if n > g.Dim {
			out = append(out, int32(i))
		}
	}
	return out
}

// triangleAt returns the triangle that contains a point, or the one with the
// nearest middle.
func (r *resolver) triangleAt(at r2.Vec) int32 {
	best, which := math.Inf(1), int32(0)
	for i, n := range r.mesh.Triangles {
		a, b, c := r.mesh.X[n[0]], r.mesh.X[n[1]], r.mesh.X[n[2]]
		side := func(p, q r2.Vec) float64 { return elementary.Cross(r2.Sub(q, p), r2.Sub(at, p)) }
		if side(a, b) >= 0 && side(b, c) >= 0 && side(c, a) >= 0 {
			return int32(i)
		}
		middle := r2.Vec{X: float64((a.X + b.X + c.X) / 3), Y: float64((a.Y + b.Y + c.Y) / 3)}
		if d := elementary.Norm(r2.Sub(middle, at)); d < best {
			best, which = d, int32(i)
		}
	}
	return which
}

// particleAt returns the number of the nearest particle, by impulses that of its disc among the rigid bodies.
func (r *resolver) particleAt(t *tables.Reader, at r2.Vec, m *model.Model) int32 {
	x := m.Particles.X
	var of []int32
	for i := range r.rigids {
		if b := &r.rigids[i]; b.ball {
			x, of = append(x, b.Centre), append(of, int32(i))
		}
	}
	if len(x) == 0 {
		t.Bad("particle_near", "the model has no particle, so a probe at a particle is not possible")
	}
	if n := nearestTo(at, x); of == nil {
		return n
	} else {
		return of[n]
	}
}

// nearestTo returns the index of the nearest of some points.
func nearestTo(at r2.Vec, x []r2.Vec) int32 {
	far := func(a r2.Vec) float64 { return float64((a.X-at.X)*(a.X-at.X)) + float64((a.Y-at.Y)*(a.Y-at.Y)) }
	near := 0
	for i := range x {
		if far(x[i]) < far(x[near]) {
			near = i
		}
	}
	return int32(near)
}

// warnOutside warns of a point of a probe or block that lies far outside of the mesh.
func (r *resolver) warnOutside(what, of string, x r2.Vec) {
	b := r.meshed()
	margin := float64(0.1 * elementary.Norm(r2.Sub(b.high, b.low)))
	if b.any && (x.X < b.low.X-margin || x.X > b.high.X+margin || x.Y < b.low.Y-margin || x.Y > b.high.Y+margin) {
		r.warn("%s: (%g, %g) m lies outside of the mesh, which is from (%.4g, %.4g) to (%.4g, %.4g) m: the nearest %s is taken", what, x.X, x.Y, b.low.X, b.low.Y, b.high.X, b.high.Y, of)
	}
}
