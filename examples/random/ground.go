package random

import "slices"

// ground draws laws of joints, and a bolt through the cells.
func (d *drawer) ground() {
	for i := range d.m.Deck {
		if b := &d.m.Deck[i]; !d.static && b.Name == "joint" && b.key("tensile_strength")+b.key("aperture")+b.key("dilation") == "" && d.chance(0.6) {
			d.jointLaw(b)
		}
	}
	if d.chance(0.25) {
		d.bolt()
	}
}

// jointLaw gives a joint another law of friction, or of closure.
func (d *drawer) jointLaw(b *Block) {
	without := func(name string) {
		b.Keys = slices.DeleteFunc(b.Keys, func(k Key) bool { return k.Name == name })
	}
	slip := d.edge * d.power(-5, -3)
	switch pick(d, "slip-weakening", "barton-bandis", "rate-and-state", "closure") {
	case "slip-weakening":
		b.set("law", quoted("slip-weakening"))
		b.set("dynamic_friction", quantity{pick(d, 0, 0.1, 0.2), none})
		b.set("weakening_slip", d.q(slip, length))
	case "barton-bandis":
		d.m.Odd = true // the slip at the peak is a broken power of a length
		without("friction")
		b.set("law", quoted("barton-bandis"))
		b.set("jrc", quantity{d.between(2, 18), none})
		b.set("jcs", d.q(d.young*d.power(-3.5, -2.5), pressure))
		b.set("residual_friction_angle", quantity{d.between(20, 32), none})
		b.set("block_length", d.q(d.cell*d.between(0.2, 2), length))
	case "rate-and-state":
		without("friction")
		b.set("law", quoted("rate-and-state"))
		b.set("start_speed", d.q(d.fast*1e-6, speed))
		b.set("rate", table{{"a", quantity{0.008, none}}, {"b", quantity{pick(d, 0.004, 0.012), none}}, {"slip", d.q(slip, length)}, {"friction", quantity{0.6, none}}, {"speed", d.q(d.fast*1e-3, speed)}})
	case "closure":
		if b.key("normal_stiffness") != "" {
			b.set("closure", d.q(d.edge*d.power(-4, -2.5), length))
		}
	}
}

// bolt draws a bolt from the west side inwards, through cells that last.
func (d *drawer) bolt() {
	j := d.whole(0, d.ny-1)
	n := 0 // cells that it may pass
	for n < d.nx && d.lasting(n, j) {
		n++
	}
	if n == 0 {
		return
	}
	y, rise := d.cell*(float64(j)+d.between(0.3, 0.6)), d.cell*d.between(-0.2, 0.2)
	b := d.add("bolt", Key{"name", quoted("dowel")}, Key{"from", d.at(0, rounded(y))}, Key{"to", d.at(rounded(d.cell*float64(n)*d.between(0.4, 0.9)), rounded(y+rise))},
		Key{"spacing", d.q(d.cell, length)}, Key{"diameter", d.q(d.cell*d.between(0.02, 0.1), length)}, Key{"young", d.q(d.young*d.power(-0.5, 1), pressure)},
		Key{"bond_stiffness", d.q(d.young*d.power(-2, 0), pressure)})
	area := d.cell * d.cell * 3e-3
	if d.chance(0.5) {
		b.set("bond_strength", d.q(d.strength*d.cell*d.power(-2, 0), surface))
		if d.chance(0.4) {
			b.set("bond_friction", quantity{d.between(10, 35), none})
		}
	}
	if d.chance(0.4) {
		b.set("yield_force", d.q(area*d.strength*d.power(-1, 1), force))
		b.set("hardening", d.q(pick(d, 0, 0.02*d.young), pressure))
	}
	if d.chance(0.5) {
		b.set("shear_stiffness", d.q(d.young*d.cell*d.power(-3, -1), surface))
		if d.chance(0.5) {
			b.set("shear_strength", d.q(area*d.strength*d.power(-2, 0), force))
		}
	}
	if d.chance(0.4) {
		b.set("plate", word("true"))
		b.set("pretension", d.q(area*d.strength*d.power(-2, 0), force))
	}
	if d.chance(0.4) {
		b.set("time", d.q(d.duration*d.between(0.05, 0.5), seconds))
	}
}
