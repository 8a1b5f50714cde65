package random

import "slices"

// lining draws beams on a side of the cells that nothing else is on, joined to them by an interface, which
// are there from the start or come later.
func (d *drawer) lining() {
	if !d.chance(0.2) {
		return
	}
	for _, side := range []struct {
		name string
		i    int
	}{{"east", d.nx - 1}, {"west", 0}} {
		used := slices.ContainsFunc(d.m.Deck, func(b Block) bool { return b.key("on") == quoted(side.name).String() })
		lasts := true
		for j := range d.ny {
			lasts = lasts && d.lasting(side.i, j)
		}
		if used || !lasts {
			continue
		}
		d.add("material", Key{"name", quoted("of linings")}, Key{"young", d.q(d.young*pick(d, 1.0, 4), pressure)}, Key{"poisson", quantity{0.2, none}}, Key{"density", d.q(d.density, density)})
		b := d.add("beam", Key{"name", quoted(side.name)}, Key{"material", quoted("of linings")}, Key{"height", quantity{rounded(0.1 * d.cell), length}})
		b.set("interface", pick(d, table{}, table{{"friction", quantity{pick(d, 0, 0.4), none}}},
			table{{"friction", quantity{0.5, none}}, {"cohesion", d.q(d.strength*d.power(-2, 0), pressure)}, {"tensile_strength", d.q(d.strength*d.power(-2, 0), pressure)}}))
		if d.chance(0.4) {
			b.set("time", d.q(d.duration*d.between(0.05, 0.5), seconds))
		}
		if d.chance(0.4) {
			b.set("young_schedule", list{list{quantity{0, seconds}, quantity{0.3, none}}, list{d.q(d.duration*d.between(0.2, 0.6), seconds), quantity{1, none}}})
		}
		return
	}
}
