package deck

import (
	"fdem/materials/elementary"
	"fdem/solver"
	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
)

var probeBlock = Block{Name: "probe", Many: true, Doc: "Further columns in history.csv: what happens at one node or to one particle.", read: (*Deck).readProbe, Keys: []Key{
	{Name: "name", Kind: Text, Example: `"tip"`, Doc: "of the columns"},
	{Name: "node_near", Kind: Pair, Dim: Length, Example: `["0 mm", "50 mm"]`, With: []With{without("particle_near", "a probe is of a node or of a particle, not of both")}, Doc: "the node nearest to this place at the start"},
	{Name: "particle_near", Kind: Pair, Dim: Length, Default: "-", Doc: "the particle nearest to this place at the start, instead of a node"},
	{Name: "quantity", Kind: Word, Words: quantity.Names(quantity.Probe), Default: `"displacement"`, Doc: "of " + quoted(quantity.Names(quantity.Probe)) + "; \"rotation\" of a beam or a particle only"},
}}

func (d *Deck) readProbe(t *table) {
	p := solver.Probe{Name: t.text("name"), Quantity: t.word("quantity"), Particle: t.has("particle_near")}
	d.unique(t, "a probe", p.Name)
	at := t.vector("node_near")
	if p.Particle {
		at = t.vector("particle_near")
	}
	d.onMesh = append(d.onMesh, func(r *resolver, m *solver.Model) {
		switch {
		case p.Particle && len(m.Particles.X) == 0:
			t.bad("particle_near", "there is no particle that a probe could be of")
		case p.Particle:
			p.Node = nearestTo(at, m.Particles.X)
		case len(r.nodes) == 0:
			t.bad("node_near", "a probe needs a mesh, and this model has none")
		default:
			p.Node = nearestTo(at, r.nodes)
			if x := r.nodes[p.Node]; p.Quantity == "rotation" && len(r.ofBeams([]int32{p.Node})) == 0 {
				t.bad("quantity", "rotation is of a node of a beam, and the nearest node, at (%.6g, %.6g) m, is of none", x.X, x.Y)
			}
			r.strayed(p.Name, at)
		}
		m.Probes = append(m.Probes, p)
	})
}

// nearestTo returns which of some points is nearest to one.
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

// strayed warns of a probe that lies far outside of the mesh.
func (r *resolver) strayed(name string, x r2.Vec) {
	b := r.meshed()
	margin := float64(0.1 * elementary.Norm(r2.Sub(b.high, b.low)))
	if b.any && (x.X < b.low.X-margin || x.X > b.high.X+margin || x.Y < b.low.Y-margin || x.Y > b.high.Y+margin) {
		r.warn("probe %q: (%g, %g) m lies outside of the mesh, from (%.4g, %.4g) to (%.4g, %.4g) m: the nearest node is taken", name, x.X, x.Y, b.low.X, b.low.Y, b.high.X, b.high.Y)
	}
}
