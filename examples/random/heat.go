package random

import "slices"

// heat draws conduction of heat and thermal expansion: what every meshed body has, what gives heat,
// and how much of it passes between faces. The time of heat is such that it comes a cell far.
func (d *drawer) heat() {
	if !d.chance(0.15) || d.m.has("fluid", "particle") {
		return
	}
	d.m.Odd = true          // temperatures have one unit
	warmth := d.power(1, 2) // [K]
	head := Block{Name: "heat", Single: true, Keys: []Key{{"initial", quantity{293, none}}}}
	d.m.Deck = slices.Insert(d.m.Deck, 2, head)
	k := rounded(d.density * 800 * d.cell * d.cell / d.duration * d.power(-1, 0))
	strain := rounded(d.power(-5, -3.5) / warmth)
	for i := range d.m.Deck {
		b := &d.m.Deck[i]
		if b.Name != "material" || b.key("law") == `"johnson-cook"` || b.key("name") == `"of beams"` {
			continue // it has a temperature of its own
		}
		b.set("conductivity", d.q(k*d.between(0.5, 2), conductivity))
		b.set("heat_capacity", d.q(800, capacity))
		b.set("expansion", quantity{strain, none})
		if d.chance(0.3) { // by temperature
			b.set("conductivity", list{list{quantity{293, none}, d.q(k*d.between(0.5, 2), conductivity)}, list{quantity{rounded(293 + warmth), none}, d.q(k*d.between(0.5, 2), conductivity)}})
			b.set("heat_capacity", list{list{quantity{293, none}, d.q(800, capacity)}, list{quantity{rounded(293 + warmth), none}, d.q(1600, capacity)}})
			b.set("expansion", list{list{quantity{293, none}, quantity{strain, none}}, list{quantity{rounded(293 + warmth), none}, quantity{rounded(0.5 * strain), none}}})
		}
	}
	switch d.whole(0, 2) {
	case 0:
		d.add("temperature", Key{"on", quoted("west")}, Key{"value", quantity{rounded(293 + warmth), none}})
	case 1:
		d.add("heat_flux", Key{"on", quoted("east")}, Key{"flux", d.q(k*warmth/d.cell, heatFlux)})
	case 2:
		d.add("heat_flux", Key{"on", quoted("rock")}, Key{"source", d.q(k*warmth/(d.cell*d.cell), heatSource)})
	}
	if d.chance(0.4) {
		d.add("convection", Key{"on", quoted("north")}, Key{"coefficient", d.q(k/d.cell, heatFlux)}, Key{"ambient", quantity{rounded(293 - 0.5*warmth), none}})
	}
	if b := d.m.block("contact"); b != nil && d.chance(0.6) {
		b.set("thermal_resistance", d.q(d.cell/k, resistance))
	}
}
