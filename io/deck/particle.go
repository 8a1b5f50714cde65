package deck

import (
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// particles is a [[particle]] block: one sphere, a grid of spheres, or the
// spheres of a file.
type particles struct {
	*table
	name     string
	material int32 // -1 for none
	fixed    bool
	balls    []ball
}

// ball is a sphere at the start.
type ball struct {
	x, v               r2.Vec
	spin, radius, mass float64
}

// maxParticles is the greatest number of particles in a deck.
const maxParticles = 10_000_000

// Conditions of the keys of a [[particle]] block.
var (
	withoutFile = With{Of: "file", Not: true, Say: "does not go with file, which gives the positions of the particles"}
	ofMoving    = without("fixed", "fixed particles do not move", "true")
	ofChance    = with("jitter or velocity_spread or a range of radii")
)

var particleBlock = Block{Name: "particle", Many: true, Doc: "Spheres that move in the plane and rotate about its normal: one, a grid, or those of a CSV file. An [[interaction]] gives their contact with each other and with bodies, rigid, meshed or beams.", facts: ofDeck((*Deck).particleFacts), read: ofDeck((*Deck).readParticles), Keys: []Key{
	{Name: "name", Kind: Text, Example: `"ball"`, Doc: "name in results, to which interactions refer"},
	{Name: "radius", Kind: Quantity, Dim: Length, Bounds: positive, Example: `"10 mm"`, With: []With{withoutFile}, Doc: "radius of the spheres; or [from, to], from which \"sizes\" equally spaced radii are chosen at random"},
	{Name: "radius", Kind: Quantity, Dim: Length, Bounds: positive, Default: "-", With: []With{with("file")}, Doc: "radius of all spheres, if the file has no column for it"},
	{Name: "sizes", Kind: Whole, Bounds: within(2, 1000), Default: "8", With: []With{withoutFile, with("a range of radii")}, Doc: "number of different radii"},
	{Name: "position", Kind: Pair, Dim: Length, Example: `["0 mm", "0 mm"]`, With: []With{withoutFile}, Doc: "position of the centre; for a grid, that of its first sphere"},
	{Name: "velocity", Kind: Pair, Dim: Velocity, Default: "[0, 0]", With: []With{ofMoving}, Doc: "velocity at the start"},
	{Name: "angular_velocity", Kind: Quantity, Dim: AngularVelocity, Default: "0", With: []With{ofMoving}, Doc: "angular velocity at the start, anticlockwise"},
	{Name: "material", Kind: Text, Default: "-", Doc: "name of a [[material]], for the mass, and for parameters of laws and friction that follow from the pair"},
	{Name: "density", Kind: Quantity, Dim: Density, Bounds: positive, Default: "-", With: []With{massOrDensity}, Doc: "density, instead of the material's"},
	{Name: "mass", Kind: Quantity, Dim: Mass, Bounds: positive, Default: "-", Doc: "mass of each sphere, instead of a density"},
	{Name: "fixed", Kind: Flag, Default: "false", Doc: "true for spheres that do not move"},
	{Name: "grid", Kind: List, Default: "[1, 1]", With: []With{withoutFile}, Doc: "numbers of columns and rows of a grid of spheres"},
	{Name: "spacing", Kind: Quantity, Dim: Length, Bounds: positive, Else: "none: it must be given for more than one sphere", With: []With{withoutFile, with("grid")}, Doc: "distance between centres in a grid; or [x, y]"},
	{Name: "packing", Kind: Word, Words: []string{"square", "hexagonal"}, Default: `"square"`, With: []With{withoutFile, with("grid")}, Doc: `arrangement of the grid: "square", or "hexagonal", where every other row is shifted by half the spacing`},
	{Name: "jitter", Kind: Quantity, Dim: Length, Bounds: notNegative, Default: "0", With: []With{withoutFile}, Doc: "greatest random displacement along x and along y"},
	{Name: "velocity_spread", Kind: Quantity, Dim: Velocity, Bounds: notNegative, Default: "0", With: []With{withoutFile, ofMoving}, Doc: "greatest random velocity along x and along y"},
	{Name: "seed", Kind: Whole, Bounds: within(0, math.MaxInt32), Default: "1", With: []With{withoutFile, ofChance}, Doc: "seed of the random numbers; the same seed gives the same spheres"},
	{Name: "file", Kind: Text, Default: "-", Doc: "a CSV file beside the deck, with the columns x and y and, if they vary, radius, vx, vy, omega and mass. Units are in the header, \"x [mm]\""},
}}

// particleFacts tells whether the radius is a range.
func (d *Deck) particleFacts(t *table) {
	if d.model.Static != nil {
		t.bad("name", `particles go with type = "dynamic": a static analysis has no particles`)
	}
	if _, isList := t.values["radius"].([]any); isList {
		t.facts["a range of radii"] = "given"
	}
}

func (d *Deck) readParticles(t *table) {
	p := particles{table: t, name: t.text("name"), material: d.material(t), fixed: t.flag("fixed")}
	d.unique(t, "a body", p.name)
	if p.name == "all" {
		t.bad("name", `"all" stands for every particle: take another name`)
	}
	density, mass := t.number("density"), t.number("mass")
	switch {
	case mass == 0 && density == 0 && p.material < 0:
		t.bad("name", "a particle needs a material, a density or a mass")
	case density == 0 && p.material >= 0:
		density = d.model.Materials[p.material].Density
	}
	radii, all := t.radii(), ball{v: t.vector("velocity"), spin: t.number("angular_velocity")}
	if t.has("file") {
		p.balls = d.readBalls(t, radii, all)
	} else {
		p.balls = grid(t, radii, all)
	}
	for i := range p.balls {
		b := &p.balls[i]
		if b.mass == 0 {
			b.mass = mass
		}
		if b.mass == 0 {
			b.mass = density * 4 / 3 * math.Pi * b.radius * b.radius * b.radius
		}
	}
	d.particles = append(d.particles, p)
}

// radii reads the radius, or the radii to choose from: [from, to] in "sizes"
// equal steps; nil if there is none.
func (t *table) radii() []float64 {
	v, ok := t.raw("radius")
	if !ok {
		return nil
	}
	l, isList := v.([]any)
	if !isList {
		return []float64{t.number("radius")}
	}
	if t.has("file") {
		t.bad("radius", "particles of a file have one radius for all, or a column \"radius\" in the file")
	}
	if len(l) != 2 {
		t.bad("radius", "radius must be a length or [from, to], got %d entries", len(l))
	}
	low, high := t.value("radius", l[0], Length), t.value("radius", l[1], Length)
	if !(low > 0 && high > low) {
		t.bad("radius", "radius = [from, to] needs from above 0 and to above from, got %g and %g m", low, high)
	}
	n := t.whole("sizes")
	var out []float64
	for i := range n {
		out = append(out, low+float64((high-low)*float64(i)/float64(n-1)))
	}
	return out
}

// grid makes one sphere at position, or grid = [columns, rows] of them at
// spacing, square or hexagonal, shifted at random by up to jitter.
func grid(t *table, radii []float64, all ball) []ball {
	at, spacing := t.vector("position"), r2.Vec{}
	n := [2]int{1, 1}
	for i, e := range t.list("grid", 2) {
		k, ok := e.(int64)
		if !ok || k < 1 || k > maxParticles {
			t.bad("grid", "grid must be two whole numbers from 1, columns and rows, got %s in it", describe(e))
		}
		n[i] = int(k)
	}
	if n[0]*n[1] > maxParticles {
		t.bad("grid", "at most %d particles, got %d", maxParticles, n[0]*n[1])
	}
	hexagonal := t.word("packing") == "hexagonal"
	if n != [2]int{1, 1} {
		t.need("spacing", `"21 mm"`)
	}
	if v, _ := t.raw("spacing"); v != nil {
		if _, isList := v.([]any); isList {
			spacing = t.vector("spacing")
		} else {
			spacing.X = t.number("spacing")
			spacing.Y = spacing.X
			if hexagonal {
				spacing.Y *= math.Sqrt(3) / 2
			}
		}
	}
	jitter, scatter := t.number("jitter"), t.number("velocity_spread")
	rng := rand.New(rand.NewSource(int64(t.whole("seed"))))
	spread := func() float64 { return float64(2*float64(rng.Float64())) - 1 } // -1 to 1
	out := make([]ball, 0, n[0]*n[1])
	for row := range n[1] {
		for column := range n[0] {
			b := all
			b.radius = radii[0]
			b.x = r2.Vec{X: at.X + float64(float64(column)*spacing.X), Y: at.Y + float64(float64(row)*spacing.Y)}
			if hexagonal && row%2 == 1 {
				b.x.X += float64(0.5 * spacing.X)
			}
			if len(radii) > 1 {
				b.radius = radii[rng.Intn(len(radii))]
			}
			if jitter > 0 {
				b.x.X += float64(jitter * spread())
				b.x.Y += float64(jitter * spread())
			}
			if scatter > 0 {
				b.v.X += float64(scatter * spread())
				b.v.Y += float64(scatter * spread())
			}
			out = append(out, b)
		}
	}
	return out
}

// readBalls reads a CSV file of particles beside the deck: columns x, y and
// radius, which the block may also give for all; optional columns are vx, vy,
// omega and mass. A unit may be in the header, "x [mm]".
func (d *Deck) readBalls(t *table, radii []float64, all ball) []ball {
	name := t.text("file")
	path := Beside(d.doc.file, name)
	if d.doc.filesIn != "" {
		path = filepath.Join(d.doc.filesIn, CopyName(len(d.Files)))
	}
	d.Files = append(d.Files, path)
	f, err := os.Open(path)
	if err != nil {
		t.bad("file", "%v", err)
	}
	defer f.Close()
	if radii != nil {
		all.radius = radii[0]
	}
	balls, columns, err := scanBalls(path, f, all)
	if err != nil {
		t.bad("file", "%v", err)
	}
	for _, own := range [][]string{{"radius", "radius"}, {"velocity", "vx", "vy"}, {"angular_velocity", "omega"}} {
		if t.has(own[0]) && !slices.ContainsFunc(own[1:], func(name string) bool { return !slices.Contains(columns, name) }) {
			t.bad(own[0], "the file has columns for %s: leave this key out", own[0])
		}
	}
	return balls
}
