package random

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// Rigid bodies by impulses: pieces of all kinds that fall on a floor, into a bowl or on one another,
// without a mesh.

// DrawBlocks returns the model of rigid bodies by impulses of a seed, the same on every machine.
func DrawBlocks(seed uint64) *Model {
	d := &drawer{rng: rand.New(rand.NewPCG(seed, 0x626c6f63)), m: &Model{Seed: seed}}
	d.m.Deck = []Block{{Keys: []Key{{"title", quoted("blocks " + strconv.FormatUint(seed, 10))}}},
		{Name: "analysis", Single: true}, {Name: "output", Single: true}}
	d.cell, d.nx, d.ny = pick(d, 0.0625, 0.25, 1), d.whole(2, 4), d.whole(1, 3)
	d.density = pick(d, 700.0, 2600)
	const g = 9.81
	d.fast = math.Sqrt(g * d.cell)
	d.duration = rounded(d.cell / d.fast * d.between(1.5, 4))
	grounded := d.chance(0.85)
	d.blockAnalysis(grounded, g)
	if grounded {
		d.blockGround()
	}
	for i := range d.nx {
		for j := range d.ny {
			n := d.ny*i + j
			d.piece("piece"+strconv.Itoa(n), d.cell*(float64(i)+0.5), d.cell*(float64(j)+0.5), grounded && n > 1)
		}
	}
	d.blockForces(grounded, g)
	d.blockContacts()
	return d.m
}

// blockAnalysis writes the head of the deck.
func (d *drawer) blockAnalysis(grounded bool, g float64) {
	b := d.m.block("analysis")
	b.set("integrator", quoted("impulses"))
	b.set("thickness", d.q(pick(d, 1, 0.125), length))
	b.set("duration", d.q(d.duration, seconds))
	if grounded {
		b.set("gravity", vector{x: rounded(pick(d, 0, 0, 0.3) * g), y: -g, dim: acceleration})
	}
	if d.chance(0.3) {
		b.set("step", d.q(d.cell/d.fast/400*d.between(0.5, 2), seconds))
	}
	if d.chance(0.2) {
		b.set("impulses", table{{"tolerance", quantity{d.power(-5, -2), none}}, {"sweeps", word(strconv.Itoa(pick(d, 20, 300, 3000)))}})
	}
	if grounded && d.chance(0.15) {
		b.set("damping", table{{"mass", d.q(d.fast/d.cell*d.between(0.1, 2), rate)}})
	}
	out := d.m.block("output")
	out.set("history_every", d.q(d.duration/24, seconds))
	out.set("fields_every", d.q(d.duration/3, seconds))
	out.set("checkpoint_every", d.q(d.duration/6, seconds))
}

// blockGround adds a floor or a bowl, fixed or driven.
func (d *drawer) blockGround() {
	wide, high := d.cell*float64(d.nx), d.cell*float64(d.ny)
	middle := vector{x: wide / 2, y: high / 2, dim: length, place: true}
	switch {
	case d.chance(0.3):
		keys := []Key{{"name", quoted("ground")}, {"shape", quoted("hollow")}, {"centre", middle}, {"radius", d.q(math.Hypot(wide, high)/2+d.cell/8, length)}}
		if d.chance(0.5) {
			keys = append(keys, Key{"motion", table{{"velocity", vector{x: rounded(0.2 * d.fast), dim: speed}}, {"angular_velocity", turning{d.q(d.between(-2, 2)*d.fast/d.cell, rate)}}, {"ramp", d.q(d.duration/8, seconds)}}})
		}
		d.add("rigid", keys...)
	case d.chance(0.5):
		d.add("rigid", Key{"name", quoted("ground")}, Key{"shape", quoted("line")}, Key{"from", vector{x: -wide, dim: length, place: true}},
			Key{"to", vector{x: 2 * wide, dim: length, place: true}}, Key{"solid", handed("right")})
	default:
		d.add("rigid", Key{"name", quoted("ground")}, Key{"shape", quoted("polygon")}, Key{"corners", d.cornersOf([][2]float64{{-wide, -d.cell}, {2 * wide, -d.cell}, {2 * wide, 0}, {-wide, 0}})})
	}
}

func (d *drawer) cornersOf(points [][2]float64) (c corners) {
	for _, p := range points {
		c = append(c, vector{x: rounded(p[0]), y: rounded(p[1]), dim: length, place: true})
	}
	return c
}

// piece adds a body in a cell about a position [m]. A disc may be driven.
func (d *drawer) piece(name string, x, y float64, mayTurn bool) {
	most := 0.47 * d.cell
	at := vector{x: rounded(x), y: rounded(y), dim: length, place: true}
	keys := []Key{{"name", quoted(name)}, {"shape", quoted("polygon")}}
	kind := pick(d, "disc", "square", "brick", "convex", "star", "angle", "line", "particle")
	round := func(n int, radius func(i int) float64) Key {
		var points [][2]float64
		turn := d.between(0, 1)
		for i := range n {
			sin, cos := math.Sincos(2 * math.Pi * (float64(i) + turn + d.between(0, 0.5)) / float64(n))
			points = append(points, [2]float64{x + radius(i)*cos, y + radius(i)*sin})
		}
		return Key{"corners", d.cornersOf(points)}
	}
	mass := Key{"density", d.q(d.density, density)}
	switch w, h := most*d.between(0.3, 1), most*d.between(0.3, 1); kind {
	case "particle":
		d.add("particle", Key{"name", quoted(name)}, Key{"position", at}, Key{"radius", d.q(most*d.between(0.2, 1), length)}, mass)
		return
	case "disc":
		keys = []Key{{"name", quoted(name)}, {"shape", quoted("disc")}, {"centre", at}, {"radius", d.q(most*d.between(0.2, 1), length)}}
	case "square":
		keys = []Key{{"name", quoted(name)}, {"shape", quoted("box")}, {"centre", at}, {"width", d.q(2*w, length)}, {"height", d.q(2*w, length)}}
	case "line":
		keys = []Key{{"name", quoted(name)}, {"shape", quoted("line")}, {"from", vector{x: rounded(x - w), y: rounded(y), dim: length, place: true}},
			{"to", vector{x: rounded(x + w), y: rounded(y + h/4), dim: length, place: true}}, {"solid", handed("right")}}
		mass = Key{"mass", d.q(d.density*w*w/16, dim{0, 0, 1})}
	case "brick":
		keys = append(keys, Key{"corners", d.cornersOf([][2]float64{{x - w, y - h}, {x + w, y - h}, {x + w, y + h}, {x - w, y + h}})})
	case "angle":
		keys = append(keys, Key{"corners", d.cornersOf([][2]float64{{x - w, y - h}, {x + w, y - h}, {x + w, y - h/2}, {x - w/2, y - h/2}, {x - w/2, y + h}, {x - w, y + h}})})
	case "convex":
		keys = append(keys, round(d.whole(3, 8), func(int) float64 { return w }))
	case "star":
		keys = append(keys, round(2*d.whole(3, 5), func(i int) float64 { return most * (0.35 + 0.55*float64(i%2)) }))
	}
	if mayTurn && kind == "disc" && d.chance(0.3) { // what turns on the spot presses nothing against anything
		keys = append(keys, Key{"motion", table{{"angular_velocity", turning{d.q(d.between(-3, 3)*d.fast/d.cell, rate)}}}})
		d.add("rigid", keys...)
		return
	}
	keys = append(keys, mass)
	if d.m.block("analysis").key("gravity") == "" || d.chance(0.4) {
		keys = append(keys, Key{"velocity", vector{x: rounded(d.between(-1, 1) * d.fast), y: rounded(d.between(-1, 1) * d.fast), dim: speed}},
			Key{"angular_velocity", turning{d.q(d.between(-3, 3)*d.fast/d.cell, rate)}})
	}
	d.add("rigid", keys...)
	d.bodies = append(d.bodies, name)
}

// blockForces adds loads and soft springs.
func (d *drawer) blockForces(grounded bool, g float64) {
	if !grounded || len(d.bodies) == 0 {
		return
	}
	mass := d.density * d.cell * d.cell / 16
	schedule := list{list{quantity{0, seconds}, word("0")}, list{d.q(d.duration/3, seconds), word("1")}, list{d.q(d.duration, seconds), word("-1")}}
	if d.chance(0.4) {
		d.add("load", Key{"on", quoted(pick(d, d.bodies...))}, Key{"force", vector{x: rounded(mass * g * d.between(-1, 1)), y: rounded(mass * g), dim: force}}, Key{"schedule", schedule})
	}
	if d.chance(0.3) {
		d.add("load", Key{"on", quoted(pick(d, d.bodies...))}, Key{"moment", turning{d.q(mass*g*d.cell*d.between(-0.5, 0.5), dim{2, -2, 1})}}, Key{"schedule", schedule})
	}
	if d.chance(0.2) {
		d.add("load", Key{"on", quoted(pick(d, d.bodies...))}, Key{"acceleration", vector{x: rounded(g * d.between(-1, 1)), dim: acceleration}})
	}
	if d.chance(0.3) {
		d.add("spring", Key{"name", quoted("spring")}, Key{"on", quoted(pick(d, d.bodies...))}, Key{"to_at", vector{x: rounded(d.cell * d.between(0, 3)), y: rounded(d.cell * 4), dim: length, place: true}},
			Key{"stiffness", d.q(mass*g/d.cell*d.between(1, 20), surface)}, Key{"damping", d.q(mass*d.fast/d.cell*d.between(0.1, 1), dashpot)})
	}
}

// blockContacts adds contact of all, and of one body its own.
func (d *drawer) blockContacts() {
	keys := func() (k []Key) {
		k = append(k, Key{"friction", quantity{pick(d, 0, 0.3, 0.6, 1), none}})
		if d.chance(0.6) {
			k = append(k, Key{"restitution", quantity{d.between(0, 1), none}})
		}
		if d.chance(0.3) {
			k = append(k, Key{"rolling_friction", quantity{d.power(-2, -0.5), none}})
		}
		return k
	}
	d.add("contact", append([]Key{{"contactor", quoted("all")}, {"opposite", quoted("all")}}, keys()...)...)
	if len(d.bodies) > 1 && d.chance(0.4) {
		d.add("contact", append([]Key{{"name", quoted("own")}, {"contactor", quoted(pick(d, d.bodies...))}, {"opposite", quoted("all")}}, keys()...)...)
	}
}
