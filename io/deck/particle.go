package deck

import (
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"slices"

	"fdem/io/tables"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// particles is a [[particle]] block: one sphere, a grid of spheres, or the
// spheres of a file.
type particles struct {
	*tables.Reader
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

// maxDiscs is the greatest number of particles as discs.
const maxDiscs = 100_000

// maxParticles is the greatest number of particles in a deck.
const maxParticles = 10_000_000

// Conditions of the keys of a [[particle]] block.
var (
	withoutFile = tables.With{Of: "file", Not: true, Say: "does not go with file, which gives the positions of the particles"}
	ofMoving    = tables.Unless("fixed", "fixed particles do not move", "true")
	ofChance    = tables.If("jitter or velocity_spread or a range of radii")
)

var particleBlock = tables.Block{Name: "particle", Many: true, Doc: "Spheres that move in the plane and rotate about its normal: one, a grid, or those of a CSV file. An [[interaction]] gives their contact with each other and with bodies, rigid, meshed or beams.", Facts: ofDeck((*Deck).particleFacts), Read: ofDeck((*Deck).readParticles), Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"ball"`, Doc: "name in results, to which interactions refer"},
	{Name: "radius", Kind: tables.Quantity, Also: []tables.Kind{tables.List}, Dim: tables.Length, Bounds: tables.Positive, Example: `"10 mm"`, With: []tables.With{withoutFile}, Doc: "radius of the spheres; or [from, to], from which \"sizes\" equally spaced radii are chosen at random"},
	{Name: "radius", Kind: tables.Quantity, Also: []tables.Kind{tables.List}, Dim: tables.Length, Bounds: tables.Positive, Default: "-", With: []tables.With{tables.If("file")}, Doc: "radius of all spheres, if the file has no column for it"},
	{Name: "sizes", Kind: tables.Whole, Bounds: tables.Within(2, 1000), Default: "8", With: []tables.With{withoutFile, tables.If("a range of radii")}, Doc: "number of different radii"},
	{Name: "position", Kind: tables.Pair, Dim: tables.Length, Example: `["0 mm", "0 mm"]`, With: []tables.With{withoutFile}, Doc: "position of the centre; for a grid, that of its first sphere"},
	{Name: "velocity", Kind: tables.Pair, Dim: tables.Velocity, Default: "[0, 0]", With: []tables.With{ofMoving}, Doc: "velocity at the start"},
	{Name: "angular_velocity", Kind: tables.Quantity, Dim: tables.AngularVelocity, Default: "0", With: []tables.With{ofMoving}, Doc: "angular velocity at the start, anticlockwise"},
	{Name: "material", Kind: tables.Text, Default: "-", Doc: "name of a [[material]], for the mass, and for parameters of laws and friction that follow from the pair"},
	{Name: "density", Kind: tables.Quantity, Dim: tables.Density, Bounds: tables.Positive, Default: "-", With: []tables.With{massOrDensity}, Doc: "density, instead of the material's"},
	{Name: "mass", Kind: tables.Quantity, Dim: tables.Mass, Bounds: tables.Positive, Default: "-", Doc: "mass of each sphere, instead of a density"},
	{Name: "fixed", Kind: tables.Flag, Default: "false", Doc: "true for spheres that do not move"},
	{Name: "grid", Kind: tables.List, Default: "[1, 1]", With: []tables.With{withoutFile}, Doc: "numbers of columns and rows of a grid of spheres"},
	{Name: "spacing", Kind: tables.Quantity, Also: []tables.Kind{tables.Pair}, Dim: tables.Length, Bounds: tables.Positive, Else: "none: it must be given for more than one sphere", With: []tables.With{withoutFile, tables.If("grid")}, Doc: "distance between centres in a grid; or [x, y]"},
	{Name: "packing", Kind: tables.Word, Words: []string{"square", "hexagonal"}, Default: `"square"`, With: []tables.With{withoutFile, tables.If("grid")}, Doc: `arrangement of the grid: "square", or "hexagonal", where every other row is shifted by half the spacing`},
	{Name: "jitter", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.NotNegative, Default: "0", With: []tables.With{withoutFile}, Doc: "greatest random displacement along x and along y"},
	{Name: "velocity_spread", Kind: tables.Quantity, Dim: tables.Velocity, Bounds: tables.NotNegative, Default: "0", With: []tables.With{withoutFile, ofMoving}, Doc: "greatest random velocity along x and along y"},
	{Name: "seed", Kind: tables.Whole, Bounds: tables.Within(0, math.MaxInt32), Default: "1", With: []tables.With{withoutFile, ofChance}, Doc: "seed of the random numbers; the same seed gives the same spheres"},
	{Name: "file", Kind: tables.Text, Default: "-", Doc: "a CSV file beside the deck, with the columns x and y and, if they vary, radius, vx, vy, omega and mass. Units are in the header, \"x [mm]\""},
}}

// particleFacts tells whether the radius is a range.
func (d *Deck) particleFacts(t *tables.Reader) {
	if d.model.Static != nil {
		t.Bad("name", `particles go with type = "dynamic": a static analysis has no particles`)
	}
	if _, isList := t.Values["radius"].([]any); isList {
		t.Facts["a range of radii"] = "given"
	}
}

func (d *Deck) readParticles(t *tables.Reader) {
	p := particles{Reader: t, name: t.Text("name"), material: d.material(t), fixed: t.Flag("fixed")}
	d.unique(t, "a body", p.name)
	if p.name == "all" {
		t.Bad("name", `"all" stands for every particle: take another name`)
	}
	density, mass := t.Number("density"), t.Number("mass")
	switch {
	case mass == 0 && density == 0 && p.material < 0:
		t.Bad("name", "a particle needs a material, a density or a mass")
	case density == 0 && p.material >= 0:
		density = d.model.Materials[p.material].Density
	}
	radii, all := t.Radii(), ball{v: t.Vector("velocity"), spin: t.Number("angular_velocity")}
	if t.Has("file") {
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
	if d.model.Impulses != nil {
		d.addDiscs(&p)
		return
	}
	d.particles = append(d.particles, p)
}

// discEdges is the number of edges with which a particle is drawn as a disc. In contact it is round.
const discEdges = 16

// addDiscs adds particles as rigid discs with the masses and moments of inertia of spheres.
func (d *Deck) addDiscs(p *particles) {
	if len(p.balls) > maxDiscs {
		p.Bad("name", "at most %d particles with integrator = \"impulses\", got %d", maxDiscs, len(p.balls))
	}
	for i, b := range p.balls {
		r := rigid{Reader: p.Reader, block: p.name, ball: true, size: b.radius / 2, area: math.Pi * b.radius * b.radius}
		r.Name, r.Centre, r.Material = p.name, b.x, p.material
		if len(p.balls) > 1 {
			r.Name, r.Group = fmt.Sprintf("%s %d", p.name, i+1), p.name
		}
		if !p.fixed {
			r.Mass, r.Inertia, r.Velocity, r.AngularVelocity = b.mass, 0.4*b.mass*b.radius*b.radius, b.v, b.spin
		}
		r.outline = mesh.Outline{Name: r.Name}
		r.round(b.radius, discEdges)
		d.rigids = append(d.rigids, r)
	}
}

// grid makes one sphere at position, or grid = [columns, rows] of them at
// spacing, square or hexagonal, shifted at random by up to jitter.
func grid(t *tables.Reader, radii []float64, all ball) []ball {
	at, spacing := t.Vector("position"), r2.Vec{}
	n := [2]int{1, 1}
	for i, e := range t.List("grid", 2) {
		k, ok := e.(int64)
		if !ok || k < 1 || k > maxParticles {
			t.Bad("grid", "grid must be two whole numbers from 1, columns and rows, got %s in it", tables.Describe(e))
		}
		n[i] = int(k)
	}
	if n[0]*n[1] > maxParticles {
		t.Bad("grid", "at most %d particles, got %d", maxParticles, n[0]*n[1])
	}
	hexagonal := t.Word("packing") == "hexagonal"
	if n != [2]int{1, 1} {
		t.Need("spacing", `"21 mm"`)
	}
	if v, _ := t.Raw("spacing"); v != nil {
		if _, isList := v.([]any); isList {
			spacing = t.Vector("spacing")
		} else {
			spacing.X = t.Number("spacing")
			spacing.Y = spacing.X
			if hexagonal {
				spacing.Y *= math.Sqrt(3) / 2
			}
		}
	}
	jitter, scatter := t.Number("jitter"), t.Number("velocity_spread")
	rng := rand.New(rand.NewSource(int64(t.Whole("seed"))))
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
func (d *Deck) readBalls(t *tables.Reader, radii []float64, all ball) []ball {
	name := t.Text("file")
	path := tables.Beside(d.doc.File, name)
	if d.doc.FilesIn != "" {
		path = filepath.Join(d.doc.FilesIn, CopyName(len(d.Files)))
	}
	d.Files = append(d.Files, path)
	f, err := os.Open(path)
	if err != nil {
		t.Bad("file", "%v", err)
	}
	defer f.Close()
	if radii != nil {
		all.radius = radii[0]
	}
	balls, columns, err := scanBalls(path, f, all)
	if err != nil {
		t.Bad("file", "%v", err)
	}
	for _, own := range [][]string{{"radius", "radius"}, {"velocity", "vx", "vy"}, {"angular_velocity", "omega"}} {
		if t.Has(own[0]) && !slices.ContainsFunc(own[1:], func(name string) bool { return !slices.Contains(columns, name) }) {
			t.Bad(own[0], "the file has columns for %s: leave this key out", own[0])
		}
	}
	return balls
}
