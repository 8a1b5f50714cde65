package deck

import (
	"fdem/io/tables"
	"fdem/solver/model"
)

var absorbBlock = tables.Block{Name: "absorb", Many: true, Doc: "An absorbing edge: the viscous boundary of Lysmer and Kuhlemeyer. Waves leave the body there as if the body went on behind the edge.", Read: ofDeck((*Deck).readAbsorb), Keys: []tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"far side"`, With: []tables.With{{Of: "type", Is: tables.InTime.Is, Why: "a static analysis has no waves"}}, Doc: "a physical curve on the boundary of a meshed body"},
}}

func (d *Deck) readAbsorb(t *tables.Reader) {
	a := model.Absorb{On: t.Text("on")}
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		g := r.group(t, "on", a.On)
		if a.Edges = g.Edges; len(g.Edges) == 0 {
			t.Bad("on", "an absorbing edge is a curve on the boundary of triangles, and %q has no boundary edge", a.On)
		}
		for _, i := range a.Edges {
			if by, twice := r.absorbing[i]; twice {
				t.Bad("on", "edges of %q already absorb waves by [[absorb]] on %q", a.On, by)
			}
			r.absorbing[i] = a.On
		}
		m.Absorbs = append(m.Absorbs, a)
	})
}
