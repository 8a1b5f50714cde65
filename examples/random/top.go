package random

import (
	"math"
	"slices"
	"strconv"
)

// top draws what is on top of the cells.
func (d *drawer) top() {
	d.held = d.static || d.chance(0.5)
	kinds := []string{"none", "block", "disc", "polygon", "tied", "press", "beam", "rigid disc", "rigid polygon", "rigid wall", "particles", "frame"}
	if d.static {
		kinds = []string{"none", "block", "tied", "press", "driven polygon", "driven block"}
	}
	d.on = pick(d, kinds...)
	switch d.on {
	case "block", "disc", "polygon", "press", "driven block":
		d.block()
	case "tied":
		d.block()
		d.add("tie", Key{"on", quoted("foot")}, Key{"to", quoted("north")})
	case "beam":
		d.beam()
	case "frame":
		d.frame()
	case "rigid disc", "rigid polygon", "driven polygon":
		d.rigid()
	case "rigid wall":
		d.wall()
	case "particles":
		d.particles()
	}
	if d.on != "none" && d.on != "tied" && d.on != "particles" && d.on != "frame" {
		d.meet()
	}
	d.start()
}

// width and height of the cells [m].
func (d *drawer) width() float64  { return d.cell * float64(d.nx) }
func (d *drawer) height() float64 { return d.cell * float64(d.ny) }

func (d *drawer) at(x, y float64) vector { return vector{x: x, y: y, dim: length, place: true} }

// block adds a meshed body on top, which may be pressed into the cells a little.
func (d *drawer) block() {
	gap := pick(d, 0, 0, 1e-3*d.edge)
	if d.static {
		gap = 0
	}
	switch d.on {
	case "press":
		gap = -d.edge * d.power(-3.5, -2.2)
	case "tied":
		gap = 0
	case "driven block":
		gap = 0
	}
	y := d.height() + gap
	edge := d.q(d.edge*pick(d, 0.75, 1, 1), length)
	name := Key{"name", quoted("cap")}
	switch d.on {
	case "disc":
		r := rounded(d.cell * d.between(0.4, 0.8))
		d.shape("disc", name, Key{"centre", d.at(rounded(d.width()*d.between(0.2, 0.8)), y+r)}, Key{"radius", quantity{r, length}},
			Key{"edge", d.q(r/pick(d, 2.0, 3), length)}, Key{"rim", quoted("foot")})
	case "polygon":
		x, s := rounded(d.width()*d.between(0.3, 0.7)), rounded(d.cell*d.between(0.6, 1.2))
		d.shape("polygon", name, Key{"corners", corners{d.at(x, y), d.at(x+s, y+0.5*s), d.at(x+0.75*s, y+1.25*s), d.at(x-0.5*s, y+s)}}, Key{"edge", edge}, Key{"sides", word(`["foot", "", "head", ""]`)})
	default:
		x := rounded(d.width() * d.between(0, 0.4))
		w := rounded(min(d.width()-x, d.cell*d.between(0.7, 2)))
		d.shape("rectangle", name, Key{"from", d.at(x, y)}, Key{"to", d.at(x+w, y+rounded(d.cell*d.between(0.5, 1.2)))}, Key{"edge", edge}, Key{"bottom", quoted("foot")}, Key{"top", quoted("head")})
	}
	d.add("body", name, Key{"material", quoted("two")})
	d.bodies = append(d.bodies, "cap")
}

// beam adds a beam that falls, or stands on both ends.
func (d *drawer) beam() {
	h := rounded(0.1 * d.cell)
	y := d.height() + 0.5*h*(1+d.between(0.001, 0.1))
	x := rounded(d.width() * d.between(0, 0.3))
	d.shape("line", Key{"name", quoted("arch")}, Key{"edge", d.q(d.cell*pick(d, 0.5, 0.25), length)}, Key{"from", d.at(x, y)},
		Key{"to", d.at(rounded(x+d.cell*d.between(1, 1.6)), y)}, Key{"start", quoted("begin")}, Key{"end", quoted("end")})
	d.add("material", Key{"name", quoted("of beams")}, Key{"young", d.q(d.young, pressure)}, Key{"poisson", quantity{0.3, none}}, Key{"density", d.q(d.density, density)})
	d.add("beam", Key{"name", quoted("arch")}, Key{"material", quoted("of beams")}, Key{"height", quantity{h, length}})
}

// frame adds two beams above the cells, joined at a corner that may be a hinge, one of which
// is on a spring.
func (d *drawer) frame() {
	d.beam()
	foot := d.m.Shapes[len(d.m.Shapes)-1]
	end := foot.Keys[3].Value.(vector)
	d.shape("line", Key{"name", quoted("post")}, Key{"edge", d.q(0.25*d.cell, length)}, Key{"from", end},
		Key{"to", d.at(end.x, end.y+d.cell)}, Key{"start", quoted("end")}, Key{"end", quoted("tip")})
	d.add("beam", Key{"name", quoted("post")}, Key{"material", quoted("of beams")}, Key{"height", quantity{rounded(0.1 * d.cell), length}})
	if d.chance(0.4) {
		d.add("hinge", Key{"on", quoted("end")})
	}
	d.add("spring", Key{"on", quoted("tip")}, Key{"to", quoted(d.solid("north"))}, Key{"stiffness", d.q(d.young*d.cell*d.power(-4, -2), surface)})
}

// rigid adds a rigid disc or polygon that falls, or is driven.
func (d *drawer) rigid() {
	x, y := rounded(d.width()*d.between(0.3, 0.7)), d.height()+pick(d, 0, 1e-3*d.edge)
	s := rounded(d.cell * d.between(0.3, 0.6))
	b := d.add("rigid", Key{"name", quoted("punch")})
	if d.on == "rigid disc" {
		b.set("shape", quoted("disc"))
		b.set("centre", d.at(x, y+s))
		b.set("radius", quantity{s, length})
		b.set("edges", word(strconv.Itoa(8*d.whole(2, 6))))
	} else {
		outline := pick(d, [][2]float64{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, [][2]float64{{0, 0}, {1.5, 1}, {-1.5, 1}},
			[][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, [][2]float64{{0, 0}, {0.5, 1}, {1.5, 1.25}, {0.5, 1.5}, {0, 2.5}, {-0.5, 1.5}, {-1.5, 1.25}, {-0.5, 1}})
		var of corners
		for _, c := range outline {
			of = append(of, d.at(x+0.5*s*c[0], y+0.5*s*c[1]))
		}
		b.set("shape", quoted("polygon"))
		b.set("corners", of)
		b.set("edges", word(strconv.Itoa(d.whole(1, 4))))
	}
	switch {
	case d.static:
		b.set("motion", table{{"velocity", vector{y: -rounded(d.cell * d.power(-4, -2.5)), dim: speed}}})
	case d.chance(0.4):
		b.set("motion", table{{"velocity", vector{x: rounded(0.1 * d.fast), y: -rounded(0.2 * d.fast), dim: speed}}, {"ramp", d.q(d.duration/4, seconds)}})
	default:
		b.set("density", d.q(d.density, density))
		b.set("velocity", vector{y: -d.fast, dim: speed})
		b.set("angular_velocity", turning{d.q(d.fast/d.cell*d.between(-2, 2), rate)})
	}
}

// wall adds a rigid line under the cells, on which they stand or fall.
func (d *drawer) wall() {
	d.held = false
	tilt := pick(d, 0, 0, 0.1) * d.cell
	d.add("rigid", Key{"name", quoted("punch")}, Key{"shape", quoted("polygon")},
		Key{"corners", corners{d.at(-d.cell, -d.cell-tilt), d.at(d.width()+d.cell, -d.cell-tilt), d.at(d.width()+d.cell, -tilt), d.at(-d.cell, 0)}}, Key{"edges", word("3")})
}

// particles adds spheres that fall on the cells.
func (d *drawer) particles() {
	d.m.Odd = true // powers of overlaps
	r := rounded(d.cell * d.between(0.1, 0.25))
	for k := range d.whole(1, 4) {
		b := d.add("particle", Key{"name", quoted("grain" + strconv.Itoa(k+1))}, Key{"radius", quantity{r, length}},
			Key{"position", d.at(rounded(0.2*d.cell+2.2*r*float64(k%2)), rounded(d.height()+1.1*r+2.1*r*float64(k/2)))},
			Key{"material", quoted("two")}, Key{"velocity", vector{x: rounded(0.1 * d.fast), y: -d.fast, dim: speed}})
		if d.chance(0.3) {
			b.set("angular_velocity", turning{d.q(d.fast/r, rate)})
		}
	}
	law := d.add("law", Key{"name", quoted("grains")}, Key{"model", quoted(pick(d, "hertz", "tsuji", "thornton"))})
	switch law.key("model") {
	case `"tsuji"`:
		law.set("restitution", quantity{d.between(0.3, 0.9), none})
	case `"thornton"`:
		law.set("yield", d.q(d.young*d.power(-3, -2), pressure))
	}
	i := d.add("interaction", Key{"law", quoted("grains")})
	if d.chance(0.6) {
		i.set("friction", quantity{d.between(0.1, 0.7), none})
		if d.chance(0.4) {
			i.set("rolling_friction", quantity{d.between(0.02, 0.4), none})
		}
	}
}

// meet adds the contact of what is on top.
func (d *drawer) meet() {
	other := "cap"
	switch d.on {
	case "beam":
		other = "arch"
	case "rigid disc", "rigid polygon", "rigid wall", "driven polygon":
		other = "punch"
	}
	sides := [][2]string{{"all", other}, {other, "all"}}
	if len(d.bodies) <= 2 && other == "cap" || len(d.bodies) == 1 {
		sides = append(sides, [2]string{"rock", other}, [2]string{other, "rock"})
	}
	if other == "cap" {
		sides = append(sides, [2]string{"foot", "north"})
	}
	of := pick(d, sides...)
	b := d.contact(of[0], of[1])
	if d.on == "press" {
		b.set("overlap", quoted("allow"))
		if !d.static && d.chance(0.5) {
			b.set("overlap", quoted("subtract"))
		}
	}
}

// start draws the motion of the bodies at the start.
func (d *drawer) start() {
	if d.static {
		return
	}
	for i := range d.m.Deck {
		b := &d.m.Deck[i]
		name := b.key("name")
		switch {
		case b.Name == "body" && name == `"cap"` && d.on != "tied" && d.on != "press", b.Name == "beam":
			b.set("velocity", vector{x: rounded(d.fast * d.between(-0.3, 0.3)), y: -rounded(d.fast * d.between(0.2, 1)), dim: speed})
		case b.Name == "body" && !d.held:
			if d.on == "rigid wall" {
				b.set("velocity", vector{y: -d.fast, dim: speed})
			} else if d.chance(0.5) {
				b.set("velocity", vector{x: rounded(d.fast * d.between(-1, 1)), y: rounded(d.fast * d.between(-1, 1)), dim: speed})
			}
			if d.chance(0.3) {
				b.set("angular_velocity", turning{d.q(d.fast/d.cell*d.between(-1, 1), rate)})
			}
			if d.chance(0.2) {
				b.set("expansion_rate", d.q(d.fast/d.cell*d.between(-0.3, 1), rate))
			}
		}
	}
}

// supports draws supports, drives, loads, springs and absorbing edges.
func (d *drawer) supports() {
	if d.held {
		d.add("fix", Key{"on", quoted("south")}, Key{"components", components{x: d.static || d.chance(0.7), y: true}})
	}
	stress := d.young * d.power(-5, -3.3)
	switch {
	case d.on == "driven block":
		d.add("drive", Key{"on", quoted("head")}, Key{"displacement", vector{y: -rounded(d.cell * d.power(-4, -2.7)), dim: length}})
	case d.static || d.held && d.chance(0.4):
		d.load(stress)
	}
	if d.held && !d.static && (d.on == "none" || d.on == "frame") && d.chance(0.5) {
		d.add("drive", Key{"on", quoted("north")}, Key{"displacement", vector{y: pick(d, 1.0, -1, -1) * rounded(d.height()*d.power(-3.5, -2.2)), freeX: d.chance(0.5), dim: length}}, Key{"ramp", d.q(d.duration*d.between(0.3, 0.9), seconds)})
	}
	if d.held && !d.static && d.chance(0.15) {
		d.add("absorb", Key{"on", quoted(pick(d, "west", "east"))})
	}
	if d.chance(0.15) {
		b := d.add("spring", Key{"on", quoted(d.solid("west", "east"))}, Key{"stiffness", d.q(d.young*d.cell*d.power(-3, -1), surface)}, Key{"components", components{true, true}})
		if !d.static {
			b.set("damping", d.q(math.Sqrt(d.young*d.density)*d.cell*d.cell*d.power(-3, -1), dashpot))
		}
	}
}

// solid draws one of the sides of the cells of which nothing is excavated, or a body.
func (d *drawer) solid(sides ...string) string {
	whole := []string{"rock"}
	for _, s := range sides {
		dug := false
		for i := range d.nx {
			for j := range d.ny {
				on := s == "west" && i == 0 || s == "east" && i == d.nx-1 || s == "north" && j == d.ny-1
				dug = dug || on && d.bodyOf[i][j] == "dug"
			}
		}
		if !dug {
			whole = append(whole, s)
		}
	}
	return pick(d, whole...)
}

// load adds a load on a side.
func (d *drawer) load(stress float64) {
	on := pick(d, "east", "west", "north")
	if d.on == "block" || d.on == "tied" || d.on == "press" {
		on = pick(d, "head", "head", "east")
	}
	b := d.add("load", Key{"on", quoted(on)})
	if d.chance(0.5) {
		b.set("pressure", d.q(stress, pressure))
	} else {
		b.set("force", vector{x: rounded(stress * d.cell * d.between(-0.2, 0.2) / 8), y: -rounded(stress * d.cell / 8), dim: force})
	}
	if !d.static {
		b.set("schedule", list{list{quantity{0, seconds}, quantity{0, none}}, list{d.q(d.duration*0.3, seconds), quantity{1, none}}, list{d.q(d.duration*0.6, seconds), quantity{d.between(-0.5, 0.5), none}}, list{d.q(d.duration, seconds), quantity{1, none}}})
	}
}

// stages lets supports, loads and springs come and go in some models. Ties stay: the forces that one leaves
// keep their directions as its sides move apart, so that they have a small moment.
func (d *drawer) stages() {
	if d.static || !d.chance(0.35) {
		return
	}
	for i := range d.m.Deck {
		b := &d.m.Deck[i]
		if !slices.Contains([]string{"fix", "load", "spring", "clamp", "beam"}, b.Name) || !d.chance(0.7) {
			continue
		}
		if d.chance(0.5) {
			b.set("time", d.q(d.duration*d.between(0.05, 0.4), seconds))
		}
		if d.chance(0.7) {
			b.set("until", d.q(d.duration*d.between(0.5, 0.9), seconds))
			b.set("ramp", d.q(d.duration*d.between(0.02, 0.3), seconds))
		}
	}
}
