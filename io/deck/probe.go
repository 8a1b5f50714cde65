package deck

import "gonum.org/v1/gonum/spatial/r2"

var probeBlock = Block{Name: "probe", Many: true, Doc: "Further columns in history.csv: what happens at one node or to one particle.", read: (*Deck).readProbe, Keys: []Key{
	{Name: "name", Kind: Text, Example: `"tip"`, Doc: "of the columns"},
	{Name: "node_near", Kind: Pair, Dim: Length, Example: `["0 mm", "50 mm"]`, With: []With{without("particle_near", "a probe is of a node or of a particle, not of both")}, Doc: "the node nearest to this place at the start"},
	{Name: "particle_near", Kind: Pair, Dim: Length, Default: "-", Doc: "the particle nearest to this place at the start, instead of a node"},
	{Name: "quantity", Kind: Word, Words: []string{"displacement", "velocity", "position", "contact_force", "rotation"}, Default: `"displacement"`, Doc: `"displacement", "velocity", "position", "contact_force" or, of a beam or a particle, "rotation"`},
}}

func (d *Deck) readProbe(t *table) {
	p := probe{table: t}
	p.Name, p.Quantity = t.text("name"), t.word("quantity")
	d.unique(t, "a probe", p.Name)
	if p.Particle = t.has("particle_near"); p.Particle {
		p.near = t.vector("particle_near")
	} else {
		p.near = t.vector("node_near")
	}
	d.probes = append(d.probes, p)
}

// nearest returns which of some points the probe means.
func (p *probe) nearest(x []r2.Vec) int32 {
	near := 0
	for i := range x {
		if far(x[i], p.near) < far(x[near], p.near) {
			near = i
		}
	}
	return int32(near)
}
