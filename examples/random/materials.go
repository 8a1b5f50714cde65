package random

import (
	"math"
	"strconv"
)

// materials draws two materials and gives them to the bodies of cells.
func (d *drawer) materials() {
	d.material("one", d.young, d.density)
	d.material("two", rounded(d.young*d.power(-0.7, 0.7)), rounded(d.density*d.between(0.5, 2)))
	for _, b := range d.bodies {
		of := "one"
		if b != "rock" && d.chance(0.6) {
			of = "two"
		}
		d.add("body", Key{"name", quoted(b)}, Key{"material", quoted(of)})
	}
}

// material draws a material of a stiffness, elastic or with a law.
func (d *drawer) material(name string, young, density_ float64) {
	b := d.add("material", Key{"name", quoted(name)}, Key{"young", d.q(young, pressure)},
		Key{"poisson", quantity{pick(d, 0, 0.2, 0.25, 0.3, 0.45), none}}, Key{"density", d.q(density_, density)})
	law := pick(d, "", "", "", "neo-hooke", "j2", "johnson-cook", "mohr-coulomb", "drucker-prager", "linear-solid", "fibred")
	if law == "" {
		if d.chance(0.15) {
			b.set("scatter", table{{"weibull", quantity{d.between(3, 20), none}}, {"seed", word(strconv.Itoa(d.whole(1, 99)))}})
		}
		return
	}
	b.set("law", quoted(law))
	yield := rounded(young * d.power(-3.5, -2))
	switch law {
	case "j2":
		d.j2(b, yield, young)
	case "johnson-cook":
		d.johnsonCook(b, yield)
	case "mohr-coulomb", "drucker-prager":
		d.soil(b, yield)
	case "linear-solid":
		share, t := 0.0, d.cell/d.wave
		var branches list
		for range d.whole(1, 3) {
			s := d.between(0.05, 0.3)
			share += s
			branches = append(branches, list{quantity{s, none}, d.q(t*d.power(-1, 2), seconds)})
		}
		b.set("branches", branches)
	case "fibred":
		b.set("young_along", d.q(young*d.between(0.5, 6), pressure))
		b.set("poisson_along", quantity{d.between(0, 0.3), none})
		b.set("shear_along", d.q(young*d.between(0.2, 0.5), pressure))
		b.set("direction", direction(rounded(d.between(-89, 89))))
	}
}

func (d *drawer) j2(b *Block, yield, young float64) {
	b.set("yield_stress", d.q(yield, pressure))
	switch d.whole(0, 2) {
	case 0:
		b.set("hardening", d.q(young*d.between(0, 0.05), pressure))
	case 1:
		b.set("voce", table{{"q", d.q(yield*d.between(0.1, 1), pressure)}, {"b", quantity{d.between(1, 50), none}}})
	}
}

func (d *drawer) johnsonCook(b *Block, yield float64) {
	d.m.Odd = true // heat per kelvin
	b.set("a", d.q(yield, pressure))
	b.set("b", d.q(yield*d.between(0, 2), pressure))
	b.set("n", quantity{pick(d, 1, 0.31, 0.5), none})
	b.set("c", quantity{pick(d, 0, 0.02, 0.1), none})
	b.set("rate", d.q(pick(d, 1.0, 100), rate))
	if d.chance(0.5) {
		b.set("m", quantity{1.09, none})
		b.set("melting", quantity{1356, none})
		b.set("heat_capacity", quantity{385, none})
	}
}

func (d *drawer) soil(b *Block, cohesion float64) {
	phi := d.between(10, 45)
	b.set("cohesion", d.q(cohesion, pressure))
	b.set("friction_angle", quantity{phi, none})
	b.set("dilation_angle", quantity{pick(d, 0, phi, d.between(0, phi)), none})
	if d.static { // which takes associated flow alone
		b.set("dilation_angle", quantity{phi, none})
	}
	if d.chance(0.3) {
		b.set("tensile_strength", d.q(cohesion/math.Tan(phi*math.Pi/180)*d.between(0.1, 0.9), pressure))
	}
	if d.chance(0.3) && !d.static {
		b.set("softening", table{{"curve", list{list{quantity{0, none}, quantity{1, none}}, list{quantity{d.between(0.05, 0.5), none}, quantity{d.between(0.2, 0.9), none}}}}, {"size", d.q(d.edge, length)}})
	}
}

// contactLaw draws a law of surfaces and returns its name, "" for the one of the solver.
func (d *drawer) contactLaw() string {
	switch k := d.rng.Float64(); {
	case k < 0.6:
		return ""
	case k < 0.8 || d.static:
		stiff := d.q(d.young/d.edge*d.power(-0.5, 0.7), foundation)
		b := d.add("law", Key{"name", quoted("surfaces")}, Key{"model", quoted("linear")}, Key{"k", stiff})
		if d.chance(0.4) && !d.static {
			b.set("c", d.q(math.Sqrt(d.young*d.density)*d.between(0.01, 0.3), impedance))
		}
	default:
		d.m.Odd = true                                        // powers of pressures
		e := rounded(1e-3 * d.edge / math.Sqrt(1e-3*d.young)) // a thousandth of an edge at a thousandth of the modulus
		law := func(share float64) quantity { return quantity{rounded(share * e), none} }
		d.add("law", Key{"name", quoted("surfaces")}, Key{"model", quoted("kostek")}, Key{"e_p", law(0.5)}, Key{"m_p", quantity{0.5, none}},
			Key{"e_e", law(1)}, Key{"m_e", quantity{0.5, none}}, Key{"e_l", law(0.3)}, Key{"e_u", law(0.5)}, Key{"m_ep", quantity{0.5, none}})
	}
	return "surfaces"
}

// contact adds a contact of two sides.
func (d *drawer) contact(contactor, opposite string) *Block {
	law := d.contactLaw()
	b := d.add("contact", Key{"contactor", quoted(contactor)}, Key{"opposite", quoted(opposite)})
	if law != "" {
		b.set("law", quoted(law))
	}
	if friction := pick(d, 0, 0.3, 0.6, 1); friction > 0 || d.static { // at rest something must hold
		friction = max(friction, 0.3)
		b.set("friction", quantity{friction, none})
		if d.chance(0.3) && !d.static {
			b.set("friction_model", quoted("regularised"))
			b.set("friction_speed", d.q(d.fast*0.1, speed))
		}
	}
	if d.on == "rigid disc" && !d.static && d.chance(0.5) {
		b.set("rolling_friction", quantity{d.between(0.02, 0.4), none})
	}
	if d.chance(0.4) {
		b.set("two_sided", word("true"))
	}
	if d.chance(0.3) {
		b.set("contact_nodes", quoted("ends"))
	}
	return b
}
