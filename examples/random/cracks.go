package random

import (
	"slices"
	"strconv"
)

// drawCracks draws joints, fracture and excavation.
func (d *drawer) drawCracks() {
	breaking := false
	if !d.static && d.on != "tied" && d.chance(0.45) {
		breaking = true
		d.fracture()
	}
	for _, name := range []string{"joint1", "joint2"} {
		if d.curve(name) && d.on != "tied" {
			d.joint(name)
		}
	}
	if d.hasCell("dug") {
		d.add("excavate", Key{"in", list{quoted("dug")}}, Key{"time", d.q(d.duration*d.between(0, 0.5), seconds)}, Key{"ramp", d.q(d.duration*d.between(0.02, 0.4), seconds)})
	}
	if breaking && !d.curve("joint1") && d.chance(0.4) {
		b := d.add("contact", Key{"contactor", quoted("rock")}, Key{"opposite", quoted("rock")}, Key{"self", word("true")})
		b.set("friction", quantity{pick(d, 0.2, 0.6), none})
	}
}

// strengths returns strengths and energies, a share of those of the model.
func (d *drawer) strengths(share float64) table {
	return table{{"tensile_strength", d.q(share*d.strength, pressure)}, {"cohesion", d.q(share*d.strength*d.between(1, 4), pressure)},
		{"energy_tension", d.q(share*d.toughness, surface)}, {"energy_shear", d.q(share*d.toughness*d.between(1, 6), surface)}}
}

func (d *drawer) fracture() {
	in := list{}
	for _, b := range d.bodies {
		if b != "dug" && (b == "rock" || d.chance(0.6)) {
			in = append(in, quoted(b))
		}
	}
	if len(in) == 0 {
		return
	}
	b := d.add("fracture", append(table{{"in", in}, {"friction", quantity{pick(d, 0, 0.3, 0.6, 1), none}}, {"softening", quoted(pick(d, "linear", "bilinear", "exponential", "concrete"))}}, d.strengths(1)...)...)
	if d.chance(0.25) {
		b.set("bedding", append(table{{"direction", direction(d.between(-89, 89))}, {"friction", quantity{pick(d, 0.2, 0.6), none}}}, d.strengths(0.6)...))
	}
	if d.chance(0.25) {
		b.set("opening_rate", pick(d, table{{"speed", d.q(d.fast*d.power(-1, 1), speed)}},
			table{{"speed", d.q(d.fast*d.power(-1, 1), speed)}, {"exponent", quantity{d.between(0.3, 2), none}}},
			table{{"table", list{list{quantity{0, speed}, quantity{1, none}}, list{d.q(d.fast*d.power(-1, 1), speed), quantity{d.between(1.1, 3), none}}}}}))
		if b.Keys[len(b.Keys)-1].Value.(table)[0].Name == "speed" && len(b.Keys[len(b.Keys)-1].Value.(table)) > 1 {
			d.m.Odd = true // a power of the speed
		}
	}
	if d.chance(0.25) {
		b.set("scatter", table{{"weibull", quantity{d.between(3, 20), none}}, {"seed", word(strconv.Itoa(d.whole(1, 99)))}})
	}
}

func (d *drawer) joint(on string) {
	b := d.add("joint", Key{"on", quoted(on)}, Key{"friction", quantity{pick(d, 0.2, 0.5, 0.8), none}})
	stiff := d.young / d.cell * d.power(-0.5, 1.5)
	stiffness := func() {
		b.set("normal_stiffness", d.q(stiff, foundation))
		b.set("shear_stiffness", d.q(stiff*d.between(0.2, 1), foundation))
	}
	strong := func() {
		for _, k := range d.strengths(0.4) {
			b.set(k.Name, k.Value)
		}
	}
	kind := pick(d, "plain", "stiff", "dilating", "strong", "open", "strong by rate", "stiff and strong")
	if d.static {
		kind = pick(d, "plain", "stiff", "stiff")
	}
	switch kind {
	case "stiff":
		stiffness()
	case "dilating":
		stiffness()
		b.set("dilation", quantity{d.between(2, 10), none})
		b.set("dilation_until", d.q(d.edge*d.power(-3, -1), length))
	case "strong":
		strong()
	case "strong by rate":
		strong()
		b.set("opening_rate", table{{"speed", d.q(d.fast, speed)}})
	case "stiff and strong":
		stiff = max(stiff, 8*d.strength*d.strength/d.toughness)
		b.set("normal_stiffness", d.q(stiff, foundation))
		b.set("shear_stiffness", d.q(stiff, foundation))
		strong()
	case "open":
		b.set("aperture", d.q(d.edge*d.power(-4, -2.5), length))
	}
}

// wellIsDug tells whether the wall of the well is partly in the body that is excavated.
func (d *drawer) wellIsDug() bool {
	return slices.ContainsFunc(d.m.Shapes, func(b Block) bool { return b.key("name") == `"dug"` && b.mentions(`"well"`) })
}

// drawFluid draws a fluid in the well.
func (d *drawer) drawFluid() {
	if d.static || !d.curve("well") || d.wellIsDug() || d.chance(0.15) {
		return
	}
	b := d.add("fluid", Key{"name", quoted("water")}, Key{"well", quoted("well")}, Key{"density", d.q(1000, density)})
	volume := d.cell * d.cell
	p := d.strength * d.power(-0.5, 0.8)
	kind := pick(d, "rate", "viscous", "pressure", "gas", "jwl")
	switch kind {
	case "rate", "viscous":
		b.set("rate", d.q(volume*d.power(-4, -2)/d.duration/8, flow))
		b.set("bulk", d.q(d.young*d.power(-2, 0), pressure))
		if kind == "viscous" {
			b.set("viscosity", d.q(d.young*d.duration*d.power(-9, -6), viscosity))
		}
	case "pressure":
		b.Keys = b.Keys[:2] // a reservoir has no density
		b.set("pressure", d.q(p, pressure))
	case "gas":
		d.m.Odd = true // powers of volumes
		b.set("gas", table{{"pressure", d.q(p, pressure)}, {"gamma", quantity{d.between(1.1, 1.6), none}}})
	case "jwl":
		d.m.Odd = true
		b.set("jwl", table{{"a", d.q(20*p, pressure)}, {"b", d.q(p, pressure)}, {"c", d.q(0.1*p, pressure)}, {"r1", quantity{4.5, none}}, {"r2", quantity{1.2, none}}, {"omega", quantity{0.3, none}}})
	}
	if kind != "pressure" && kind != "jwl" && d.curve("joint1") && d.chance(0.5) {
		b.set("residual", d.q(d.edge*d.power(-5, -3.5), length))
	}
	if kind != "gas" && kind != "jwl" && d.chance(0.3) {
		last := d.between(-1, 1)
		if kind == "pressure" {
			last = d.between(0, 1)
		}
		b.set("schedule", list{list{quantity{0, seconds}, quantity{0, none}}, list{d.q(0.4*d.duration, seconds), quantity{1, none}}, list{d.q(0.7*d.duration, seconds), quantity{last, none}}, list{d.q(d.duration, seconds), quantity{1, none}}})
	}
}

// others draws what is left: stress at the start, and probes.
func (d *drawer) others() {
	if d.held && d.chance(0.2) {
		s := d.strength
		d.add("initial_stress", Key{"stress", tensor{-rounded(s * d.between(0, 1)), -rounded(s * d.between(0, 1)), rounded(s * d.between(-0.2, 0.2))}})
	}
	if d.chance(0.3) {
		of := pick(d, "displacement", "velocity", "position")
		if d.static {
			of = "displacement"
		}
		d.add("probe", Key{"name", quoted("near")}, Key{"node_near", d.at(rounded(0.3*d.cell), rounded(0.4*d.cell))}, Key{"quantity", quoted(of)})
	}
	if d.chance(0.2) {
		d.add("probe", Key{"name", quoted("inside")}, Key{"element_near", d.at(rounded(0.3*d.cell), rounded(0.4*d.cell))}, Key{"quantity", quoted(pick(d, "stress", "strain", "von_mises"))})
	}
}
