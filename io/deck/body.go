package deck

import (
	"math"
	"slices"

	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

var materialBlock = tables.Block{Name: "material", Many: true, Doc: "A material. It is elastic by St. Venant and Kirchhoff, or has a law of its own.", Read: ofDeck((*Deck).readMaterial), Keys: materialKeys()}

func (d *Deck) readMaterial(t *tables.Reader) {
	m := bulk.Elastic{Name: t.Text("name"), Young: t.Number("young"), Poisson: t.Number("poisson"), Density: t.Number("density")}
	if err := m.Validate(); err != nil {
		t.Bad("poisson", "%v, got %g", err, m.Poisson)
	}
	d.unique(t, "a material", m.Name)
	law := bulkLaw(t, m, 1)
	if sized, ok := law.(bulk.Sized); ok {
		d.fitting(t, sized, int32(len(d.model.Materials)))
	}
	d.spread(t, m)
	if of, ok := law.(bulk.Unsymmetric); ok && d.model.Static != nil {
		if err := of.Symmetric(); err != nil {
			t.Bad(t.KeyOf(err), "%v", err)
		}
	}
	made := bulk.Material{Elastic: m, Law: law}
	if c := d.conducting(t, &made); d.model.Heat != nil {
		d.model.Heat.Materials = append(d.model.Heat.Materials, c)
	}
	d.porous(t, &made)
	d.model.Materials = append(d.model.Materials, made)
	d.materials = append(d.materials, t)
}

// material reads the name of a material and returns its index, -1 where there
// is none.
func (d *Deck) material(t *tables.Reader) int32 {
	name := t.Text("material")
	if !t.Has("material") {
		return -1
	}
	return d.materialNamed(t, "material", name)
}

func (d *Deck) materialNamed(t *tables.Reader, key, name string) int32 {
	var known []string
	for i, m := range d.model.Materials {
		if m.Name == name {
			return int32(i)
		}
		known = append(known, m.Name)
	}
	t.Bad(key, "there is no material %q%s", name, tables.Nearest(name, known))
	return -1
}

// unique stops at a name that another block of the same kind already has. kind
// is for messages, such as "a law".
func (d *Deck) unique(t *tables.Reader, sort, name string) {
	at := [2]string{sort, name}
	if d.taken[at] {
		t.Bad("name", "there is %s of this name already", sort)
	}
	d.taken[at] = true
}

// Keys of the motion of bodies and beams at the start.
var (
	startVelocity  = tables.Key{Name: "velocity", Kind: tables.Pair, Also: []tables.Kind{tables.Expression}, Dim: tables.Velocity, Default: "[0, 0]", With: []tables.With{massless}, Doc: "velocity at the start. For a [[body]] each component may be an expression of the position x and y in metres, with its value in m/s: [\"3*y\", 0]"}
	startSpin      = tables.Key{Name: "angular_velocity", Kind: tables.Quantity, Dim: tables.AngularVelocity, Default: "0", With: []tables.With{massless}, Doc: "angular velocity at the start about the centre of mass, anticlockwise"}
	startExpansion = tables.Key{Name: "expansion_rate", Kind: tables.Quantity, Dim: tables.Frequency, Default: "0", With: []tables.With{massless}, Doc: "rate of expansion at the start: the velocity away from the centre of mass divided by the distance from it, \"20 1/s\""}
	massless       = tables.With{Of: "type", Is: tables.InTime.Is, Why: "a static analysis has no inertia"}
)

var bodyBlock = tables.Block{Name: "body", Many: true, Doc: "A deformable body: a 2-D physical group of triangles in the mesh. Components of one group that are not connected come into contact with each other.", Read: ofDeck((*Deck).readBody), Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"striker"`, Doc: "name of the physical group in the mesh"},
	{Name: "material", Kind: tables.Text, Example: `"steel"`, Doc: "name of a [[material]]"},
	startVelocity, startSpin, startExpansion,
}}

// body is a [[body]] or a [[beam]] block. A beam has a height.
type body struct {
	*tables.Reader // position for an error that the mesh lacks the name
	model.Body
}

func (d *Deck) readBody(t *tables.Reader) {
	b := model.Body{Name: t.Text("name"), Material: d.material(t), AngularVelocity: t.Number("angular_velocity"), Expansion: t.Number("expansion_rate")}
	d.readVelocity(t, &b)
	d.unique(t, "a body", b.Name)
	d.bodies = append(d.bodies, body{Reader: t, Body: b})
}

// readVelocity reads the velocity of a body at the start. Each component is a
// quantity or an expression of the position.
func (d *Deck) readVelocity(t *tables.Reader, b *model.Body) {
	parts := d.componentsOf(t, "velocity", t.List("velocity", 2), tables.Velocity)
	if parts == nil {
		return
	}
	b.Velocity = r2.Vec{X: parts[0].value, Y: parts[1].value}
	x, y := parts[0].at, parts[1].at
	if x == nil && y == nil {
		return
	}
	b.VelocityAt = func(at r2.Vec) (v r2.Vec) {
		if x != nil {
			v.X = x(at)
		}
		if y != nil {
			v.Y = y(at)
		}
		return v
	}
	name := b.Name
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		for _, n := range r.mesh.Bodies[r.bodyNamed(name)].Nodes {
			for _, p := range parts {
				p.check(t, "velocity", r.mesh.X[n], tables.Velocity)
			}
		}
	})
}

// component is a component of a vector or tensor at the start: a value, or the value of an
// expression at a position.
type component struct {
	value float64
	text  string
	at    func(x r2.Vec) float64 // nil for a value
}

// componentsOf reads the components of a vector or a tensor. Each is a quantity, or an
// expression of x and y in SI.
func (d *Deck) componentsOf(t *tables.Reader, key string, list []any, dim tables.Dimension) (out []component) {
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			out = append(out, component{value: t.Component(key, v, dim)})
			continue
		}
		if _, err := tables.ParseQuantity(s, dim); err == nil || !ofPosition(s) && !ofTime(s) {
			out = append(out, component{value: t.Component(key, v, dim)})
			continue
		}
		f, err := compiled(s, true)
		if err != nil {
			t.Bad(key, "%s: %v", key, err)
		}
		if slices.Contains(names.FindAllString(s, -1), "t") {
			t.Bad(key, "%s: %q depends on t, but this is a value at the start: it may depend on x and y", key, s)
		}
		out = append(out, component{text: s, at: func(x r2.Vec) float64 { return f(0, x) }})
	}
	return out
}

// check stops if an expression has no value at a position, or one that is not
// plausible.
func (p *component) check(t *tables.Reader, key string, x r2.Vec, dim tables.Dimension) {
	if p.at == nil {
		return
	}
	v := p.at(x)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		t.Bad(key, "%s: %q has no finite value at x = %.6g m, y = %.6g m", key, p.text, x.X, x.Y)
	}
	if err := tables.PlausibleComponent(v, dim); err != nil {
		t.Bad(key, "%s: %q %v, at x = %.6g m, y = %.6g m", key, p.text, err, x.X, x.Y)
	}
}

// BodyNames returns the bodies' names in the deck's order, for mesh.Build.
func (d *Deck) BodyNames() []string { return d.names(false) }

// BeamNames returns the names of the beams in the deck's order, for
// mesh.Build.
func (d *Deck) BeamNames() []string { return d.names(true) }

func (d *Deck) names(beams bool) []string {
	names := []string{} // nil would mean all of the mesh
	for _, b := range d.bodies {
		if (b.Height > 0) == beams {
			names = append(names, b.Name)
		}
	}
	return names
}
