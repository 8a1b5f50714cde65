package deck

import "fdem/solver"

var absorbBlock = Block{Name: "absorb", Many: true, Doc: "An absorbing edge: the viscous boundary of Lysmer and Kuhlemeyer. Waves leave the body there as if the body went on behind the edge.", read: ofDeck((*Deck).readAbsorb), Keys: []Key{
	{Name: "on", Kind: Text, Example: `"far side"`, With: []With{{Of: "type", Is: inTime.Is, Why: "a static analysis has no waves"}}, Doc: "a physical curve on the boundary of a meshed body"},
}}

func (d *Deck) readAbsorb(t *table) {
	a := solver.Absorb{On: t.text("on")}
	d.onMesh = append(d.onMesh, func(r *resolver, m *solver.Model) {
		g := r.group(t, "on", a.On)
		if a.Edges = g.Edges; len(g.Edges) == 0 {
			t.bad("on", "an absorbing edge is a curve on the boundary of triangles, and %q has no boundary edge", a.On)
		}
		for _, i := range a.Edges {
			if by, twice := r.absorbing[i]; twice {
				t.bad("on", "edges of %q already absorb waves by [[absorb]] on %q", a.On, by)
			}
			r.absorbing[i] = a.On
		}
		m.Absorbs = append(m.Absorbs, a)
	})
}
