// Package deck reads the TOML deck that says what to simulate, and makes a
// solver's model of it and a mesh.
package deck

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"fdem/contactnodes"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// Deck is a deck in SI units, its names not yet looked up in a mesh.
type Deck struct {
	Title    string
	Mesh     string   // file name as in the deck; "" for the deck's stem
	Compress bool     // checkpoints
	Pack     bool     // fields
	Fields   []string // names of the fields that are written beside displacements; nil for all
	Single   bool     // fields in single precision
	Large    bool     // results may be larger than a run writes unasked
	unit     float64  // of the mesh's coordinates [m]; 0 where the deck does not say
	Files    []string // paths of the other files it names, as they were read

	usual        intervals
	doc          *document
	model        solver.Model // what needs no mesh
	bodies       []body
	beams        []beam
	rigids       []rigid
	particles    []particles
	interactions []interaction
	fixes        []fix
	loads        []load
	contacts     []contactBlock
	probes       []probe
	laws         []lawBlock
	materials    []*table
}

// Blocks keep their table so that a name missing from the mesh can be shown
// where it stands.
type (
	body struct {
		*table
		solver.Body
	}
	fix struct {
		*table
		on             string
		x, y, rotation bool
		by             r2.Vec // displacement of a static analysis [m]
		when           solver.Schedule
	}
	load struct {
		*table
		solver.Load
	}
	contactBlock struct {
		*table
		solver.Contact
		contactor, opposite string
		law                 *lawBlock // nil with laws by pair
		pairs               []pairLaw // laws by pair of materials, instead of one
	}
	pairLaw struct {
		materials [2]int32
		*lawBlock
	}
	probe struct {
		*table
		solver.Probe
		near r2.Vec
	}
	lawBlock struct {
		*table
		name   string
		kind   contact.Kind
		law    contact.Law // nil where the pair is to give what is missing
		model  contact.Model
		values map[string]float64
		auto   string  // the parameter that the bodies in contact are to give, "" for none; law has any value
		factor float64 // of that parameter
	}
)

// BodyNames returns the bodies' names in the deck's order, for mesh.Build.
func (d *Deck) BodyNames() []string {
	names := make([]string, len(d.bodies))
	for i, b := range d.bodies {
		names[i] = b.Name
	}
	return names
}

// KeptName is what results call the kth file that a deck names.
func KeptName(k int) string { return fmt.Sprintf("file-%d.csv", k) }

// ReadKept reads the deck of results, which keep the files it names in a
// folder under their KeptName.
func ReadKept(path, folder string) (*Deck, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return ParseKept(path, data, folder)
}

// ParseKept is ReadKept for a text of the given name.
func ParseKept(name string, data []byte, folder string) (*Deck, error) {
	doc, values, err := open(name, data)
	if err != nil {
		return nil, err
	}
	doc.kept = folder
	return parse(doc, values)
}

// Parse reads a deck's text. name is its file name, for messages.
func Parse(name string, data []byte) (*Deck, error) {
	doc, values, err := open(name, data)
	if err != nil {
		return nil, err
	}
	return parse(doc, values)
}

func parse(doc *document, values map[string]any) (d *Deck, err error) {
	defer catch(&err)
	d = &Deck{doc: doc}
	root := &table{document: doc, values: values}
	root.foreign()
	d.Title = root.text("title", "")
	d.Mesh = root.text("mesh", "")
	d.readUnit(root)
	d.readAnalysis(root.sub("analysis"))
	d.readOutput(root.sub("output"))
	d.readMaterials(root.blocks("material"))
	d.readBodies(root.blocks("body"))
	d.readBeams(root.blocks("beam"))
	d.readRigids(root.blocks("rigid"))
	d.readFixes(root.blocks("fix"))
	d.readLoads(root.blocks("load"))
	d.readParticles(root.blocks("particle"))
	d.readLaws(root.blocks("law"))
	d.readContacts(root.blocks("contact"))
	d.readInteractions(root.blocks("interaction"))
	d.readProbes(root.blocks("probe"))
	root.done()
	if len(d.bodies)+len(d.beams)+len(d.rigids)+len(d.particles) == 0 {
		doc.fail(len(doc.data), "the deck has no [[body]]: name a 2-D physical group of the mesh and its material")
	}
	return d, nil
}

// readUnit reads the unit of the mesh's coordinates.
func (d *Deck) readUnit(t *table) {
	if !t.has("mesh_unit") {
		t.known = append(t.known, "mesh_unit")
		return
	}
	name := t.text("mesh_unit", "")
	scale, err := ParseScale(name, Length, nil)
	if err != nil || name == "" || !(scale > 0) {
		t.bad("mesh_unit", `mesh_unit must be a unit of length such as "mm", got %q`, name)
	}
	d.unit = scale
}

// ScaleMesh brings what a mesh file gives in the deck's mesh_unit to metres. A
// length of the mesh and the same in the deck become the same number.
func (d *Deck) ScaleMesh(src *mesh.Source) {
	if d.unit == 0 || d.unit == 1 {
		return
	}
	for i, x := range src.X {
		src.X[i] = r2.Vec{X: inUnit(x.X, d.unit), Y: inUnit(x.Y, d.unit)}
	}
}

func (d *Deck) readAnalysis(t *table) {
	m := &d.model
	m.Title = d.Title
	if t.word("type", "dynamic", "dynamic", "static") == "static" {
		d.readStatic(t)
	} else {
		d.readDynamic(t)
	}
	if t.word("plane", "stress", "stress", "strain") == "strain" {
		m.Plane = bulk.PlaneStrain
	}
	m.Thickness = t.positive("thickness", Length, 1, "m")
	m.Gravity.X, m.Gravity.Y = t.vector("gravity", Acceleration)
	t.done()
}

func (d *Deck) readDynamic(t *table) {
	m := &d.model
	t.need("duration", `"385 us"`)
	m.Duration = t.positive("duration", Time, 0, "s")
	if v, ok := t.get("step"); ok && v != "auto" {
		if m.FixedStep = t.number("step", v, Time); !(m.FixedStep > 0) {
			t.bad("step", `step must be "auto" or a positive time, got %g s`, m.FixedStep)
		}
	}
	if m.Safety = t.quantity("safety", None, 0.8); !(m.Safety > 0 && m.Safety <= 1) {
		t.bad("safety", "safety must be above 0 and at most 1, got %g", m.Safety)
	}
	damping := t.sub("damping")
	m.Damping.Mass = damping.notNegative("mass", Frequency, 0, "1/s")
	m.Damping.Stiffness = damping.notNegative("stiffness", Time, 0, "s")
	damping.done()
	m.ResidualLimit = t.positive("residual_limit", None, 0.05, "")
	for _, key := range staticKeys {
		if t.has(key) {
			t.bad(key, `%s goes with type = "static"`, key)
		}
	}
}

func (d *Deck) readMaterials(blocks []*table) {
	for _, t := range blocks {
		t.need("name", `"steel"`)
		t.need("young", `"210 GPa"`)
		t.need("poisson", "0.3")
		t.need("density", `"7860 kg/m3"`)
		m := bulk.Elastic{
			Name:    t.text("name", ""),
			Young:   t.positive("young", Pressure, 0, "Pa"),
			Poisson: t.quantity("poisson", None, 0),
			Density: t.positive("density", Density, 0, "kg/m3"),
		}
		if err := m.Validate(); err != nil {
			t.bad("poisson", "%v, got %g", err, m.Poisson)
		}
		t.done()
		for _, other := range d.model.Materials {
			if other.Name == m.Name {
				t.bad("name", "there is a material of this name already")
			}
		}
		d.model.Materials = append(d.model.Materials, m)
		d.materials = append(d.materials, t)
	}
}

func (d *Deck) readBodies(blocks []*table) {
	for _, t := range blocks {
		t.need("name", `"striker"`)
		t.need("material", `"steel"`)
		b := body{table: t}
		b.Name = t.text("name", "")
		b.Material = d.material(t, "material")
		b.Velocity.X, b.Velocity.Y = t.vector("velocity", Velocity)
		b.AngularVelocity = t.quantity("angular_velocity", AngularVelocity, 0)
		d.inert(t, "velocity", "angular_velocity")
		t.done()
		if slices.Contains(d.BodyNames(), b.Name) {
			t.bad("name", "there is a body of this name already")
		}
		d.bodies = append(d.bodies, b)
	}
}

// material reads the name of a material and returns its place.
func (d *Deck) material(t *table, key string) int32 {
	return d.materialNamed(t, key, t.text(key, ""))
}

func (d *Deck) materialNamed(t *table, key, name string) int32 {
	var known []string
	for i, m := range d.model.Materials {
		if m.Name == name {
			return int32(i)
		}
		known = append(known, m.Name)
	}
	t.bad(key, "there is no material %q%s", name, nearest(name, known))
	return -1
}

func (d *Deck) readFixes(blocks []*table) {
	for _, t := range blocks {
		t.need("on", `"clamp"`)
		f := fix{table: t, on: t.text("on", "")}
		if !t.has("components") {
			f.x, f.y = true, true
		}
		for _, c := range t.list("components", 0) {
			switch c {
			case "x":
				f.x = true
			case "y":
				f.y = true
			case "rotation":
				f.rotation = true
			default:
				t.bad("components", `components must be "x" and "y", and "rotation" for beams, got %s`, describe(c))
			}
		}
		if !f.x && !f.y && !f.rotation {
			t.bad("components", "components must name at least one of \"x\", \"y\" and \"rotation\"")
		}
		d.readDisplacement(t, &f)
		t.done()
		d.fixes = append(d.fixes, f)
	}
}

func (d *Deck) readLaws(blocks []*table) {
	for _, t := range blocks {
		t.need("name", `"blasted steel"`)
		t.need("model", `"kostek"`)
		l := lawBlock{table: t, name: t.text("name", "")}
		name := t.text("model", "")
		model, ok := contact.Lookup(name)
		if !ok {
			t.bad("model", "there is no contact law %q%s", name, nearest(name, contact.Names()))
		}
		l.kind, l.model = model.Kind, model
		l.readAuto()
		values := d.lawValues(t, model)
		l.values = values
		t.done()
		if fromPair(model, values) {
			d.checkValues(t, model, values)
			d.addLaw(l)
			continue
		}
		var err error
		if l.law, err = l.with(1); err != nil {
			at := "model"
			for _, p := range model.Parameters { // point at the culprit
				if v, ok := values[p.Name]; ok && p.Check(v) != nil {
					at = p.Name
					break
				}
			}
			t.bad(at, "%v", err)
		}
		d.addLaw(l)
	}
}

// readAuto finds the parameter that is left to the bodies in contact: not
// given, or "auto".
func (l *lawBlock) readAuto() {
	l.factor = 1
	for _, p := range l.model.Parameters {
		if !p.Auto {
			continue
		}
		key := p.Name + "_factor"
		l.known = append(l.known, key)
		if v, given := l.table.values[p.Name]; !given || v == "auto" {
			l.auto = p.Name
			l.factor = l.positive(key, None, 1, "")
		} else if l.has(key) {
			l.bad(key, `%s goes with %s = "auto", and here %s is given`, key, p.Name, p.Name)
		}
	}
}

// with makes the law with a value of what the bodies in contact are to give.
func (l *lawBlock) with(found float64) (contact.Law, error) {
	if l.auto == "" {
		return l.model.Build(l.values)
	}
	values := maps.Clone(l.values)
	values[l.auto] = l.factor * found
	return l.model.Build(values)
}

// addLaw adds a law with a new name.
func (d *Deck) addLaw(l lawBlock) {
	for _, other := range d.laws {
		if other.name == l.name {
			l.bad("name", "there is a law of this name already")
		}
	}
	d.laws = append(d.laws, l)
}

// checkValues checks the parameters that are given.
func (d *Deck) checkValues(t *table, model contact.Model, values map[string]float64) {
	for _, p := range model.Parameters {
		if v, given := values[p.Name]; given {
			if err := p.Check(v); err != nil {
				t.bad(p.Name, "law %s: %v", model.Name, err)
			}
		}
	}
}

// fromPair tells whether a point law leaves out what a pair of particles
// gives it.
func fromPair(model contact.Model, values map[string]float64) bool {
	for _, name := range pairParameters {
		if _, takes := model.Parameter(name); !takes || model.Kind != contact.Point {
			continue
		}
		if _, given := values[name]; !given {
			return true
		}
	}
	return false
}

// lawValues reads a law's parameters; units may have other parameters as
// exponents, so plain numbers come first.
func (d *Deck) lawValues(t *table, model contact.Model) map[string]float64 {
	values := map[string]float64{}
	read := func(p contact.Parameter) {
		dim, err := ParseDimension(p.Unit, func(name string) (float64, bool) {
			v, ok := values[name]
			if other, known := model.Parameter(name); !ok && known && other.Default != nil {
				return *other.Default, true
			}
			return v, ok
		})
		if err != nil {
			t.bad(p.Name, "%s needs the other parameters of the law: %v", p.Name, err)
		}
		if text, ok := t.values[p.Name].(string); ok && p.Auto {
			if _, err := ParseQuantity(text, dim); err != nil {
				t.bad(p.Name, "%s: %v, or \"auto\"", p.Name, err)
			}
		}
		values[p.Name] = t.quantity(p.Name, dim, 0)
	}
	for _, p := range model.Parameters {
		t.known = append(t.known, p.Name)
		if !t.has(p.Name) && p.Default == nil && !p.Auto && !(model.Kind == contact.Point && slices.Contains(pairParameters, p.Name)) {
			t.bad("model", "law %s needs the parameter %q, %s", model.Name, p.Name, p.Doc)
		}
	}
	for _, exponents := range []bool{true, false} {
		for _, p := range model.Parameters {
			if t.has(p.Name) && !(p.Auto && t.values[p.Name] == "auto") && (p.Unit == "1") == exponents {
				read(p)
			}
		}
	}
	return values
}

func (d *Deck) readContacts(blocks []*table) {
	for _, t := range blocks {
		t.need("contactor", `"target"`)
		t.need("opposite", `"striker"`)
		c := contactBlock{table: t, contactor: t.text("contactor", ""), opposite: t.text("opposite", "")}
		c.Name = t.text("name", c.contactor+"-"+c.opposite)
		t.title = "contact \"" + c.Name + "\""
		d.readContactLaw(&c)
		c.Ends = t.word("contact_nodes", "middles", "middles", "ends") == "ends"
		if c.Ends {
			c.NodesPerElement = t.whole("nodes_per_element", 2, 2, 1000)
		} else {
			c.NodesPerElement = t.whole("nodes_per_element", 20, 1, 1000)
		}
		_, byVolume := c.Law.(contact.Volumetric)
		if byVolume {
			d.checkVolumetric(t)
		}
		c.Friction = readFriction(t, byVolume, d.model.Static != nil)
		c.TwoSided = t.flag("two_sided", false)
		c.Self = t.flag("self", false)
		c.Overlap = d.readOverlap(t)
		d.checkStatic(&c)
		t.done()
		for _, other := range d.contacts {
			if other.Name == c.Name {
				t.bad("name", "there is a contact of this name already: give each a name")
			}
		}
		d.contacts = append(d.contacts, c)
	}
}

// readContactLaw reads the law of a contact: a name, or a list of [material,
// material, name].
func (d *Deck) readContactLaw(c *contactBlock) {
	t := c.table
	v, given := t.get("law")
	list, ok := v.([]any)
	if !ok {
		c.law = automatic
		if given {
			c.law = d.law(t, t.text("law", ""))
		}
		c.LawName, c.Law = c.law.name, c.law.law
		return
	}
	for _, e := range list {
		triple, ok := e.([]any)
		var words [3]string
		for i := 0; ok && i < len(words); i++ {
			if ok = len(triple) == 3; ok {
				words[i], ok = triple[i].(string)
			}
		}
		if !ok {
			t.bad("law", "law must be the name of a [[law]] or a list of [material, material, law], got %s in it", describe(e))
		}
		p := pairLaw{lawBlock: d.law(t, words[2])}
		if _, ok := p.law.(contact.Volumetric); ok {
			t.bad("law", "a volumetric law cannot stand in a list by pair of materials: give it a [[contact]] of its own")
		}
		for i := range p.materials {
			p.materials[i] = d.materialNamed(t, "law", words[i])
		}
		for _, other := range c.pairs {
			if other.materials == p.materials || other.materials == [2]int32{p.materials[1], p.materials[0]} {
				t.bad("law", "there are two laws for %s on %s", words[0], words[1])
			}
		}
		c.pairs = append(c.pairs, p)
	}
	if len(c.pairs) == 0 {
		t.bad("law", "the list of laws is empty")
	}
}

// law finds a law by name.
func (d *Deck) law(t *table, name string) *lawBlock {
	var names []string
	for i := range d.laws {
		l := &d.laws[i]
		if l.name == name {
			if l.kind != contact.Surface {
				t.bad("law", "law %q is a %s law, which gives a force [N] between two bodies that meet at a point; a [[contact]] needs a surface law, which gives a pressure [Pa]", l.name, l.kind)
			}
			return l
		}
		names = append(names, l.name)
	}
	t.bad("law", "there is no [[law]] named %q%s", name, nearest(name, names))
	return nil
}

// readOverlap reads what becomes of bodies that overlap at the start.
func (d *Deck) readOverlap(t *table) contactnodes.Overlap {
	var o contactnodes.Overlap
	o.Ramp = t.positive("overlap_ramp", Time, 0.01*d.model.Duration, "s")
	switch t.word("overlap", "refuse", "refuse", "allow", "subtract") {
	case "allow":
		o.Mode = contactnodes.OverlapAllow
		return o
	case "subtract":
		o.Mode = contactnodes.OverlapSubtract
	}
	if t.has("overlap_ramp") {
		t.bad("overlap_ramp", `overlap_ramp goes with overlap = "allow"`)
	}
	return o
}

// readFriction reads Coulomb friction: with an elastic stick, or regularised
// where the deck says so, gives the speed of that, or can have no other.
func readFriction(t *table, byVolume, static bool) contactnodes.Friction {
	f := contactnodes.Friction{
		Kinetic: t.notNegative("friction", None, 0, ""),
		Speed:   t.positive("friction_speed", Velocity, 1e-3, "m/s"),
	}
	f.Static = t.notNegative("static_friction", None, f.Kinetic, "")
	stiffness := Dimension{Length: -2, Mass: 1, Time: -2}
	t.note("stick_stiffness", stiffness)
	if v, _ := t.get("stick_stiffness"); v != "auto" {
		f.Stiffness = t.positive("stick_stiffness", stiffness, 0, "Pa/m")
	}
	usual := "stick"
	if byVolume || t.has("friction_speed") {
		usual = "regularised"
	}
	if sticks(t, usual, "stick_stiffness") && f.Stiffness == 0 {
		f.Ratio, f.Brake = mindlinRatio, braking
		if static { // nothing moves
			f.Brake = 0
		}
	}
	checkCoefficients(t, f)
	return f
}

// mindlinRatio is the stiffness of an automatic stick spring over that of the
// law: the lower end of R. D. Mindlin's 2 (1 - nu)/(2 - nu).
const mindlinRatio = 2.0 / 3

// braking is the part of a slip that the brake of an elastic stick stops within
// one step: leapfrog stays stable with it at any step that it is stable at.
const braking = 0.5

// sticks reads which form of friction a block asks for, else the usual one:
// true for an elastic stick. The key stick goes with that.
func sticks(t *table, usual, stick string) bool {
	if t.word("friction_model", usual, "regularised", "stick") == "stick" {
		if t.has("friction_speed") {
			t.bad("friction_speed", `friction_speed goes with friction_model = "regularised"`)
		}
		return true
	}
	for _, key := range []string{stick, "static_friction"} {
		if t.has(key) {
			t.bad(key, `%s goes with friction_model = "stick"`, key)
		}
	}
	return false
}

// checkCoefficients stops a coefficient that holds less than what slides.
func checkCoefficients(t *table, f contactnodes.Friction) {
	if f.Static < f.Kinetic {
		t.bad("static_friction", "static_friction must not be below friction, %g, got %g", f.Kinetic, f.Static)
	}
}

func (d *Deck) readProbes(blocks []*table) {
	for _, t := range blocks {
		t.need("name", `"tip"`)
		p := probe{table: t}
		p.Name = t.text("name", "")
		if p.Particle = t.has("particle_near"); p.Particle {
			if t.has("node_near") {
				t.bad("particle_near", "a probe is of a node or of a particle, not of both")
			}
			p.near.X, p.near.Y = t.vector("particle_near", Length)
		} else {
			t.need("node_near", `["0 mm", "50 mm"]`)
			p.near.X, p.near.Y = t.vector("node_near", Length)
		}
		p.Quantity = t.word("quantity", "displacement", "displacement", "velocity", "position", "contact_force", "rotation")
		t.done()
		for _, other := range d.probes {
			if other.Name == p.Name {
				t.bad("name", "there is a probe of this name already")
			}
		}
		d.probes = append(d.probes, p)
	}
}
