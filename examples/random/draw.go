package random

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// drawer draws one model.
type drawer struct {
	rng    *rand.Rand
	m      *Model
	static bool

	cell, edge     float64 // side of a cell and of its triangles [m]
	nx, ny         int
	bodyOf         [][]string // by column and row; "" for a hole
	young, density float64
	wave           float64 // speed of sound, about [m/s]
	fast           float64 // speed of the bodies [m/s]
	duration       float64
	strength       float64 // [Pa]
	toughness      float64 // fracture energy [J/m2]
	bodies         []string
	held           bool
	on             string // what is on top
}

// rounded rounds to four digits, so that a deck is short to read.
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	if err != nil {
		panic(err)
	}
	return r
}

// between draws a number, uniformly.
func (d *drawer) between(a, b float64) float64 { return rounded(a + (b-a)*d.rng.Float64()) }

// power draws a power of ten with an exponent between two.
func (d *drawer) power(a, b float64) float64 { return rounded(math.Pow(10, a+(b-a)*d.rng.Float64())) }

// chance is true with a probability.
func (d *drawer) chance(p float64) bool { return d.rng.Float64() < p }

// whole draws a whole number of a range, both ends included.
func (d *drawer) whole(a, b int) int { return a + d.rng.IntN(b-a+1) }

// pick draws one of several.
func pick[T any](d *drawer, of ...T) T { return of[d.rng.IntN(len(of))] }

func (d *drawer) q(v float64, of dim) quantity { return quantity{rounded(v), of} }

// add appends a block to the deck.
func (d *drawer) add(name string, keys ...Key) *Block {
	d.m.Deck = append(d.m.Deck, Block{Name: name, Keys: keys})
	return &d.m.Deck[len(d.m.Deck)-1]
}

// shape appends a shape.
func (d *drawer) shape(name string, keys ...Key) {
	d.m.Shapes = append(d.m.Shapes, Block{Name: name, Keys: keys})
}

// Draw returns the model of a seed, the same on every machine.
func Draw(seed uint64) *Model {
	d := &drawer{rng: rand.New(rand.NewPCG(seed, 0x6664656d)), m: &Model{Seed: seed}}
	d.static = d.chance(0.2)
	d.m.Deck = []Block{{Keys: []Key{{"title", quoted("model " + strconv.FormatUint(seed, 10))}, {"mesh", quoted("model.msh")}}},
		{Name: "analysis", Single: true}, {Name: "output", Single: true}}
	d.scales()
	d.body()
	d.top()
	d.supports()
	d.drawCracks()
	d.drawFluid()
	d.others()
	d.analysis()
	d.heat()
	d.stages()
	d.ground()
	d.pores()
	d.rest()
	d.lining()
	return d.m
}

// rest lets a run end when nothing moves any more, in some models strongly damped and given the time
// for it.
func (d *drawer) rest() {
	if d.static || !d.chance(0.12) || d.m.has("fluid", "pores", "heat") {
		return
	}
	b := d.m.block("analysis")
	b.set("until", quoted("rest"))
	if d.chance(0.7) && b.key("damping") == "" {
		b.set("damping", table{{"local", quantity{0.7, none}}})
		b.set("duration", d.q(4*d.duration, seconds))
	}
}

// scales draws size, stiffness, speed and duration.
func (d *drawer) scales() {
	d.cell = pick(d, 0.03125, 0.25, 0.25, 2)
	d.nx, d.ny = d.whole(2, 4), d.whole(2, 4)
	d.edge = d.cell / float64(d.whole(1, 2))
	d.young, d.density = d.power(6.5, 10.7), pick(d, 1200.0, 2600, 7800)
	d.wave = math.Sqrt(d.young / d.density)
	d.fast = d.wave * d.power(-4, -1.8)
	d.duration = rounded(d.cell * float64(d.ny) / d.wave * d.between(2, 8))
	if d.static {
		d.duration = 1
	}
	d.strength = rounded(d.young * d.power(-4.5, -2.8))
	d.toughness = rounded(d.strength * d.strength / d.young * d.cell * d.power(-1, 1))
}

// analysis writes the head of the deck.
func (d *drawer) analysis() {
	b := d.m.block("analysis")
	b.set("plane", quoted(pick(d, "stress", "strain")))
	b.set("thickness", d.q(pick(d, 1, 0.125), length))
	if d.chance(0.35) && (d.held || !d.static) {
		g := min(d.fast*d.fast/d.cell*d.power(-1, 1.5), 1e-3*d.young/(d.density*d.cell*float64(d.ny)))
		b.set("gravity", vector{x: rounded(pick(d, 0, 0, 0.3) * g), y: -rounded(g), dim: acceleration})
	}
	out := d.m.block("output")
	if d.static {
		b.set("type", quoted("static"))
		b.set("duration", d.q(d.duration, seconds))
		b.set("increments", word(strconv.Itoa(d.whole(3, 6))))
		out.set("fields_every", quantity{0.5, seconds})
		return
	}
	b.set("duration", d.q(d.duration, seconds))
	out.set("history_every", d.q(d.duration/24, seconds))
	out.set("fields_every", d.q(d.duration/3, seconds))
	out.set("checkpoint_every", d.q(d.duration/6, seconds))
	switch {
	case d.chance(0.12):
		b.set("damping", table{{"local", quantity{d.between(0.1, 0.8), none}}})
	case d.chance(0.12):
		b.set("damping", table{{"mass", d.q(d.wave/d.cell*d.between(0.1, 2), rate)}})
	case d.chance(0.15):
		b.set("damping", table{{"stiffness", d.q(d.edge/d.wave*d.between(0.01, 0.3), seconds)}})
	}
}

// body draws the body of cells, with holes, veins of another material and joints between cells.
func (d *drawer) body() {
	d.bodyOf = make([][]string, d.nx)
	for i := range d.bodyOf {
		d.bodyOf[i] = slices.Repeat([]string{"rock"}, d.ny)
	}
	d.bodies = []string{"rock"}
	mark := func(name string, i, j int) {
		if d.bodyOf[i][j] == "rock" {
			d.bodyOf[i][j] = name
			if name != "" && !slices.Contains(d.bodies, name) {
				d.bodies = append(d.bodies, name)
			}
		}
	}
	inside := d.nx > 2 && d.ny > 2
	if inside && d.chance(0.35) {
		mark("", d.whole(1, d.nx-2), d.whole(1, d.ny-2)) // a well
	}
	if inside && d.chance(0.35) {
		mark("dug", d.whole(1, d.nx-2), d.whole(1, d.ny-2))
	}
	if d.chance(0.3) {
		i := d.whole(0, d.nx-1)
		for j := range d.ny {
			mark("vein", i, j)
		}
	}
	head := Block{Keys: []Key{{"edge", d.q(d.edge, length)}, {"join", word("")}}}
	if d.chance(0.5) {
		head.set("seed", word(strconv.Itoa(d.whole(1, 99))))
	}
	d.m.Shapes = []Block{head}
	joints := d.jointSides()
	for i := range d.nx {
		for j := range d.ny {
			d.addCell(i, j, joints)
		}
	}
	names := list{}
	d.bodies = slices.DeleteFunc(d.bodies, func(b string) bool { return !d.hasCell(b) })
	for _, b := range d.bodies {
		names = append(names, quoted(b))
	}
	d.m.Shapes[0].set("join", names)
	d.materials()
}

// hasCell tells whether a body has a cell.
func (d *drawer) hasCell(body string) bool {
	return slices.ContainsFunc(d.bodyOf, func(column []string) bool { return slices.Contains(column, body) })
}

// side is a side between two cells: above or to the right of a cell.
type side struct {
	i, j  int
	above bool
}

// jointSides draws curves along rows and columns of cells, with their names.
func (d *drawer) jointSides() map[side]string {
	out := map[side]string{}
	if !d.chance(0.55) {
		return out
	}
	for k := range d.whole(1, 2) {
		name := "joint" + strconv.Itoa(k+1)
		above := d.chance(0.5)
		across, along := d.nx, d.ny
		if above {
			across, along = d.ny, d.nx
		}
		at := d.whole(0, across-2)
		from, to := d.whole(0, along-1), d.whole(0, along-1)
		if d.chance(0.5) {
			from, to = 0, along-1
		}
		for s := min(from, to); s <= max(from, to); s++ {
			i, j := at, s
			if above {
				i, j = s, at
			}
			other := [2]int{i + 1, j}
			if above {
				other = [2]int{i, j + 1}
			}
			key := side{i, j, above}
			if d.lasting(i, j) && d.lasting(other[0], other[1]) && out[key] == "" {
				out[key] = name
			}
		}
	}
	return out
}

// lasting tells whether a cell is neither a hole nor excavated.
func (d *drawer) lasting(i, j int) bool { return d.bodyOf[i][j] != "" && d.bodyOf[i][j] != "dug" }

// addCell adds the rectangle of a cell with the names of its sides.
func (d *drawer) addCell(i, j int, joints map[side]string) {
	if d.bodyOf[i][j] == "" {
		return
	}
	at := func(i, j int) vector {
		return vector{x: d.cell * float64(i), y: d.cell * float64(j), dim: length, place: true}
	}
	keys := []Key{{"name", quoted(d.bodyOf[i][j])}, {"from", at(i, j)}, {"to", at(i+1, j+1)}}
	for _, s := range []struct {
		name, outside string
		i, j          int
		between       side
	}{
		{"bottom", "south", i, j - 1, side{i, j - 1, true}}, {"right", "east", i + 1, j, side{i, j, false}},
		{"top", "north", i, j + 1, side{i, j, true}}, {"left", "west", i - 1, j, side{i - 1, j, false}},
	} {
		name := joints[s.between]
		switch {
		case s.i < 0 || s.j < 0 || s.i == d.nx || s.j == d.ny:
			name = s.outside
		case d.bodyOf[s.i][s.j] == "":
			name = "well"
		}
		if name != "" {
			keys = append(keys, Key{s.name, quoted(name)})
		}
	}
	d.shape("rectangle", keys...)
}

// curve tells whether the shapes have a side of that name.
func (d *drawer) curve(name string) bool {
	return slices.ContainsFunc(d.m.Shapes, func(b Block) bool {
		return slices.ContainsFunc(b.Keys, func(k Key) bool { return k.Value.String() == strconv.Quote(name) })
	})
}
