package random

import "slices"

// pores draws the fluid in the pores of meshed bodies: its pressure at the start, what a side holds, and
// whether a fluid in cracks leaks into them. The time of flow is such that it comes a cell far.
func (d *drawer) pores() {
	plane := d.m.block("analysis")
	if !d.chance(0.15) || d.static || plane.key("plane") != `"strain"` || plane.key("integrator") != "" || d.m.has("particle") {
		return
	}
	for i := range d.m.Deck {
		if b := &d.m.Deck[i]; b.Name == "joint" && b.key("aperture") != "" {
			return // its faces are a contact
		}
	}
	storage := rounded(d.power(-2, 0.5) / d.young)
	mobility := rounded(storage * d.cell * d.cell / d.duration * d.power(-2, 0))
	const rock = 1e-12 // permeability, small enough in other units [m2]
	p := rounded(d.strength * d.between(0, 0.5))
	head := Block{Name: "pores", Single: true, Keys: []Key{{"initial", d.q(p, pressure)}, {"viscosity", d.q(rounded(rock/mobility), viscosity)}, {"density", d.q(1000, density)}}}
	d.m.Deck = slices.Insert(d.m.Deck, 2, head)
	for i := range d.m.Deck {
		b := &d.m.Deck[i]
		if b.Name != "material" || b.key("name") == `"of beams"` {
			continue
		}
		b.set("permeability", d.q(rock, permeability))
		b.set("storage", d.q(storage, perPressure))
		b.set("biot", quantity{pick(d, 1, 0.75), none})
	}
	if d.chance(0.7) {
		d.add("pore_pressure", Key{"on", quoted("west")}, Key{"value", d.q(rounded(2*p), pressure)})
	}
	if b := d.m.block("fluid"); b != nil && b.key("viscosity") != "" && d.chance(0.6) {
		b.set("leak_off", word("{ pores = true }"))
	}
	if b := d.m.block("contact"); b != nil && d.chance(0.5) {
		b.set("flow_resistance", d.q(rounded(d.cell/mobility), impedance))
	}
}
