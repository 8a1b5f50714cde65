package deck

import (
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// particles is a [[particle]] block: one sphere, a grid of them, or those of a
// file.
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

// mostParticles bounds what a deck may ask for.
const mostParticles = 10_000_000

func (d *Deck) readParticles(blocks []*table) {
	for _, t := range blocks {
		t.need("name", `"ball"`)
		if d.model.Static != nil {
			t.bad("name", `particles go with type = "dynamic": a static analysis has none`)
		}
		p := particles{table: t, name: t.text("name", ""), material: -1, fixed: t.flag("fixed", false)}
		d.newName(t, p.name)
		if t.has("material") {
			p.material = d.material(t, "material")
		}
		density := t.positive("density", Density, 0, "kg/m3")
		mass := t.positive("mass", Mass, 0, "kg")
		switch {
		case t.has("mass") && t.has("density"):
			t.bad("density", "give either the mass or the density")
		case !t.has("mass") && !t.has("density") && p.material < 0:
			t.bad("name", "a particle needs a material, a density or a mass")
		case density == 0 && p.material >= 0:
			density = d.model.Materials[p.material].Density
		}
		radii := d.radii(t)
		var v r2.Vec
		v.X, v.Y = t.vector("velocity", Velocity)
		spin := t.quantity("angular_velocity", AngularVelocity, 0)
		if t.has("file") {
			for _, key := range []string{"position", "grid"} {
				if t.has(key) {
					t.bad(key, "the file says where the particles are: leave %s out", key)
				}
			}
			p.balls = d.readBalls(t, radii, v, spin)
		} else {
			if radii == nil {
				t.need("radius", `"10 mm"`)
			}
			p.balls = grid(t, radii, v, spin)
		}
		t.done()
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
}

// newName refuses a name that a body, a rigid body or a particle block has.
func (d *Deck) newName(t *table, name string) {
	taken := d.BodyNames()
	for _, r := range d.rigids {
		taken = append(taken, r.Name)
	}
	for _, p := range d.particles {
		taken = append(taken, p.name)
	}
	if slices.Contains(taken, name) {
		t.bad("name", "there is a body or a particle of this name already")
	}
	if name == "all" {
		t.bad("name", `"all" stands for every particle: take another name`)
	}
}

// radii reads the radius, or the radii to choose from: [from, to] in "sizes"
// even steps. nil where there is none.
func (d *Deck) radii(t *table) []float64 {
	v, ok := t.get("radius")
	if !ok {
		return nil
	}
	l, isList := v.([]any)
	if !isList {
		return []float64{t.positive("radius", Length, 0, "m")}
	}
	if len(l) != 2 {
		t.bad("radius", "radius must be a length or [from, to], got %d entries", len(l))
	}
	low, high := t.number("radius", l[0], Length), t.number("radius", l[1], Length)
	if !(low > 0 && high > low) {
		t.bad("radius", "radii must be positive and the second greater, got %g and %g m", low, high)
	}
	n := t.whole("sizes", 8, 2, 1000)
	var out []float64
	for i := range n {
		out = append(out, low+float64((high-low)*float64(i)/float64(n-1)))
	}
	return out
}

// grid makes one sphere at position, or grid = [columns, rows] of them at
// spacing, square or hexagonal, shifted at random by up to jitter.
func grid(t *table, radii []float64, v r2.Vec, spin float64) []ball {
	t.need("position", `["0 mm", "0 mm"]`)
	var at, spacing r2.Vec
	at.X, at.Y = t.vector("position", Length)
	n := [2]int{1, 1}
	for i, e := range t.list("grid", 2) {
		k, ok := e.(int64)
		if !ok || k < 1 || k > mostParticles {
			t.bad("grid", "grid must be two whole numbers from 1, columns and rows, got %s in it", describe(e))
		}
		n[i] = int(k)
	}
	if n[0]*n[1] > mostParticles {
		t.bad("grid", "at most %d particles, got %d", mostParticles, n[0]*n[1])
	}
	hexagonal := t.word("packing", "square", "square", "hexagonal") == "hexagonal"
	if t.has("spacing") {
		if _, isList := t.values["spacing"].([]any); isList {
			spacing.X, spacing.Y = t.vector("spacing", Length)
		} else {
			spacing.X = t.positive("spacing", Length, 0, "m")
			spacing.Y = spacing.X
			if hexagonal {
				spacing.Y *= math.Sqrt(3) / 2
			}
		}
	} else if n != [2]int{1, 1} {
		t.need("spacing", `"21 mm"`)
	}
	jitter := t.notNegative("jitter", Length, 0, "m")
	rng := rand.New(rand.NewSource(int64(t.whole("seed", 1, 0, math.MaxInt32))))
	spread := func() float64 { return float64(2*float64(rng.Float64())) - 1 } // -1 to 1
	scatter := t.notNegative("velocity_spread", Velocity, 0, "m/s")
	out := make([]ball, 0, n[0]*n[1])
	for row := range n[1] {
		for column := range n[0] {
			b := ball{v: v, spin: spin, radius: radii[0]}
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

// readBalls reads a CSV file of particles beside the deck: columns x, y and,
// where the block does not say them for all, radius; if wanted vx, vy, omega and
// mass. A unit may stand in the header, "x [mm]".
func (d *Deck) readBalls(t *table, radii []float64, v r2.Vec, spin float64) []ball {
	name := t.text("file", "")
	path := Beside(d.doc.file, name)
	if d.doc.kept != "" {
		path = filepath.Join(d.doc.kept, KeptName(len(d.Files)))
	}
	d.Files = append(d.Files, path)
	f, err := os.Open(path)
	if err != nil {
		t.bad("file", "%v", err)
	}
	defer f.Close()
	if len(radii) > 1 {
		t.bad("radius", "particles of a file have one radius for all, or a column \"radius\"")
	}
	all := ball{v: v, spin: spin}
	if radii != nil {
		all.radius = radii[0]
	}
	balls, err := scanBalls(path, f, all)
	if err != nil {
		t.bad("file", "%v", err)
	}
	return balls
}

// nearestParticle returns the sphere that a probe means.
func nearestParticle(p *probe, x []r2.Vec) int32 {
	if len(x) == 0 {
		p.bad("particle_near", "there is no particle that a probe could be of")
	}
	near := 0
	for i := range x {
		if far(x[i], p.near) < far(x[near], p.near) {
			near = i
		}
	}
	return int32(near)
}
