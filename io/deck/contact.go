package deck

import (
	"cmp"
	"slices"

	"fdem/contactnodes"
	"fdem/io/tables"
	"fdem/materials/contact"
	"fdem/solver/model"
)

// contactDef is a [[contact]] block.
type contactDef struct {
	*tables.Reader
	model.SurfaceContact
	contactor, opposite string
	law                 *namedLaw // nil with laws by pair
	pairs               []pairLaw // laws by pair of materials, instead of one
	restitution         float64   // of contact by impulses, as the next one
	restitutionSpeed    float64   // [m/s]
	heat                model.ContactHeat
	flow                float64 // resistance [Pa s/m]
}

// pairLaw is the law of two materials.
type pairLaw struct {
	materials [2]int32
	*namedLaw
}

// The default number of contact nodes on an edge. The integral of the linear law along
// straight edges is exact for any number. On arcs, and on bodies in contact with them,
// the penetration is taken at the contact nodes.
const (
	usualNodes    = 20
	straightNodes = 4
)

// maxPenetration is the greatest penetration of rigid bodies, relative to their size.
// Contact works only up to a few times that.
const maxPenetration = 0.05

// byVolume is the condition of keys of contact nodes, which a volumetric law
// does not take, with the reason.
func byVolume(why string) tables.With { return tables.Unless("a volumetric law", why) }

var contactBlock = tables.Block{Name: "contact", Many: true, Doc: "A contact between two sides, with its law and friction.", Facts: ofDeck((*Deck).contactFacts), Read: ofDeck((*Deck).readContact), Keys: append([]tables.Key{
	{Name: "name", Kind: tables.Text, Else: "contactor-opposite", Doc: "in results"},
	{Name: "contactor", Kind: tables.Text, Example: `"target"`, Doc: `the side whose edges have the contact nodes: a body, a boundary curve, a rigid body, or "all"`},
	{Name: "opposite", Kind: tables.Text, Example: `"striker"`, Doc: `the other side: a body, a boundary curve, a rigid body, or "all" for every other body`},
	{Name: "law", Kind: tables.Text, Also: []tables.Kind{tables.List}, Else: `linear, k = "auto"`, With: []tables.With{noImpulses(stiffWhy)}, Doc: "name of a [[law]], or a list of [material, material, law] with a law for each pair of materials"},
	{Name: "restitution", Kind: tables.Quantity, Bounds: tables.Bounds{Rule: "must lie between 0.05 and 1", Keep: func(v float64) bool { return v >= 0.05 && v <= 1 }}, Default: "-", With: []tables.With{byContactLaws, tables.Unless("law", "the law decides what an impact loses")}, Doc: `coefficient of restitution: the contact takes law "rebound", which gives back its square of the energy, with k = "auto": of meshed bodies their modulus over seven times their length, and a loss that makes up for what they store and give back themselves`},
	{Name: "contact_nodes", Kind: tables.Word, Words: []string{"middles", "ends"}, Default: `"middles"`, With: []tables.With{noImpulses("it has no contact nodes"), byVolume("it has no contact nodes")}, Doc: `positions of the contact nodes: the "middles" of equal parts of an edge, or the "ends" of these parts. A contact node at an end stands for half of each part beside it; on beams the pressure is linear between the contact nodes, and the flat ends of beams have none`},
	{Name: "nodes_per_element", Kind: tables.Whole, Auto: true, Bounds: tables.Within(1, 1000), Default: `"auto"`, With: []tables.With{noImpulses("it has no contact nodes"), byVolume("it has no contact nodes"), tables.If("contact_nodes", "middles")}, Doc: `number of contact nodes on an edge. "auto" takes 4 in a dynamic analysis if all edges are straight ones of rigid bodies and the law is linear, since their number then hardly matters; otherwise 20`},
	{Name: "nodes_per_element", Kind: tables.Whole, Bounds: tables.Within(2, 1000), Default: "2", With: []tables.With{noImpulses("it has no contact nodes"), byVolume("it has no contact nodes"), tables.If("contact_nodes", "ends")}, Doc: "number of contact nodes on an edge, including those at both ends"},
	{Name: "penetration", Kind: tables.Quantity, Bounds: tables.Positive, Default: "-", With: []tables.With{noImpulses(stiffWhy), byVolume("it has no k"), tables.InTime}, Doc: `for contact of rigid bodies: greatest penetration over the size of the body, such as "0.1 %", from which k = "auto" follows. It is reached in a fall from a height of that size, or at the greatest speed of a body at the start`},
	{Name: "two_sided", Kind: tables.Flag, Default: "false", With: []tables.With{noImpulses("both bodies take part alike"), byVolume("both bodies take part alike")}, Doc: "true if the opposite edges have contact nodes, too. Where both sides meet, the finer side takes the greater part of the pressure"},
	{Name: "self", Kind: tables.Flag, Default: "false", With: []tables.With{noImpulses("a rigid body cannot meet itself"), byVolume("a body cannot meet itself")}, Doc: "true if a body may be in contact with itself"},
	{Name: "friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Default: "0", Branch: true, Doc: "coefficient of kinetic friction (Coulomb)"},
	{Name: "friction_model", Kind: tables.Word, Words: []string{"regularised"}, Default: `"regularised"`, With: []tables.With{noImpulses("friction holds exactly"), tables.If("a volumetric law"), ofFriction}, Doc: `"regularised" only`},
	{Name: "friction_model", Kind: tables.Word, Words: []string{"regularised", "stick"}, Default: `"regularised"`, With: []tables.With{noImpulses("friction holds exactly"), byVolume("friction is regularised"), ofFriction, tables.If("friction_speed")}, Doc: `"regularised", or "stick": a tangential spring holds the contact node until it slides`},
	{Name: "friction_model", Kind: tables.Word, Words: []string{"regularised", "stick"}, Default: `"stick"`, With: []tables.With{noImpulses("friction holds exactly"), byVolume("friction is regularised"), ofFriction}, Doc: `"stick": a tangential spring holds the contact node until it slides; or "regularised"`},
	{Name: "friction_speed", Kind: tables.Quantity, Dim: tables.Velocity, Bounds: tables.Positive, Default: "1 mm/s", With: []tables.With{noImpulses("friction holds exactly"), ofFriction, ofRegularised}, Branch: true, Doc: "slip speed below which the friction traction is proportional to the slip speed"},
	{Name: "stick_stiffness", Kind: tables.Quantity, Dim: tables.Dimension{Length: -2, Mass: 1, Time: -2}, Auto: true, Bounds: tables.Positive, Default: `"auto"`, With: []tables.With{noImpulses(stiffWhy), byVolume("friction is regularised"), ofFriction, ofStick}, Doc: `stiffness of the tangential spring. "auto" takes two thirds of the law's stiffness, with a brake beside the spring that stops half of the remaining slip in a step`},
	{Name: "static_friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Default: "friction", With: []tables.With{noImpulses("friction has one coefficient"), byVolume("friction is regularised"), ofStick}, Branch: true, Doc: "coefficient of static friction, not below friction"},
	{Name: "overlap", Kind: tables.Word, Words: []string{"refuse", "allow"}, Default: `"refuse"`, With: []tables.With{noImpulses("bodies must not overlap"), tables.If("a volumetric law")}, Doc: `what happens if bodies overlap at the start: "refuse" is an error, "allow" presses them apart`},
	{Name: "overlap", Kind: tables.Word, Words: []string{"refuse", "allow"}, Default: `"refuse"`, With: []tables.With{noImpulses("bodies must not overlap"), tables.InStatics}, Doc: `what happens if bodies overlap at the start: "refuse" is an error, "allow" presses them apart`},
	{Name: "overlap", Kind: tables.Word, Words: []string{"refuse", "allow", "subtract"}, Default: `"refuse"`, With: []tables.With{noImpulses("bodies must not overlap"), byVolume(`"refuse" or "allow"`), tables.InTime}, Doc: `what happens if bodies overlap at the start: "refuse" is an error, "allow" presses them apart, "subtract" takes the overlap off the penetration`},
	{Name: "overlap_ramp", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Default: "0.01 duration", With: []tables.With{noImpulses("bodies must not overlap"), byVolume(`overlap = "allow" presses at once`), tables.If("overlap", "allow")}, Doc: "time over which an overlap is ramped in"},
}, slices.Concat(impulseKeys, heatOfContact, []tables.Key{flowOfContact})...)}

// contactFacts tells whether the law is volumetric.
func (d *Deck) contactFacts(t *tables.Reader) {
	if name, ok := t.Values["law"].(string); ok && d.model.Impulses == nil {
		if _, is := d.law(t, name).law.(contact.Volumetric); is {
			t.Facts["a volumetric law"] = "given"
		}
	}
}

func (d *Deck) readContact(t *tables.Reader) {
	if d.model.Impulses != nil {
		d.readImpulseContact(t)
		return
	}
	c := contactDef{Reader: t, contactor: t.Text("contactor"), opposite: t.Text("opposite")}
	c.Name = cmp.Or(t.Text("name"), c.contactor+"-"+c.opposite)
	d.readContactLaw(&c)
	if t.Facts["a volumetric law"] != "" && d.model.Static != nil {
		t.Bad("law", "a volumetric law goes with type = \"dynamic\"")
	}
	c.Ends, c.NodesPerElement = t.Word("contact_nodes") == "ends", t.Whole("nodes_per_element")
	c.Penetration.Share = t.Number("penetration")
	if c.Penetration.Share > maxPenetration {
		t.Bad("penetration", "penetration must not exceed %g %% of the size, got %g %%", 100*maxPenetration, 100*c.Penetration.Share)
	}
	c.Friction, c.Rolling = readFriction(t, d.model.Static != nil), t.Number("rolling_friction")
	c.TwoSided, c.Self = t.Flag("two_sided"), t.Flag("self")
	c.Overlap.Mode = map[string]contactnodes.OverlapMode{"refuse": contactnodes.OverlapRefuse, "allow": contactnodes.OverlapAllow, "subtract": contactnodes.OverlapSubtract}[t.Word("overlap")]
	c.Overlap.Ramp = t.Number("overlap_ramp")
	c.heat, c.flow = d.contactHeat(t), t.Number("flow_resistance")
	d.checkStatic(&c)
	d.keepContact(c)
}

// keepContact keeps a contact whose name no other has.
func (d *Deck) keepContact(c contactDef) {
	if d.taken[[2]string{"a contact", c.Name}] {
		c.Bad("name", "there is a contact of this name already: give each a name")
	}
	d.unique(c.Reader, "a contact", c.Name)
	d.contacts = append(d.contacts, c)
}

// readContactLaw reads the law of a contact: a name, or a list of [material,
// material, name].
func (d *Deck) readContactLaw(c *contactDef) {
	t := c.Reader
	v, given := t.Raw("law")
	list, ok := v.([]any)
	if !ok {
		c.law = automatic
		if e := t.Number("restitution"); e > 0 {
			c.law = bouncing(e)
		}
		if given {
			c.law = d.law(t, t.Text("law"))
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
			t.Bad("law", "law must be the name of a [[law]] or a list of [material, material, law], got %s in it", tables.Describe(e))
		}
		p := pairLaw{namedLaw: d.law(t, words[2])}
		if _, ok := p.law.(contact.Volumetric); ok {
			t.Bad("law", "a volumetric law cannot stand in a list by pair of materials: give it a [[contact]] of its own")
		}
		for i := range p.materials {
			p.materials[i] = d.materialNamed(t, "law", words[i])
		}
		for _, other := range c.pairs {
			if other.materials == p.materials || other.materials == [2]int32{p.materials[1], p.materials[0]} {
				t.Bad("law", "law lists the materials %s and %s twice: a pair has one law", words[0], words[1])
			}
		}
		c.pairs = append(c.pairs, p)
	}
	if len(c.pairs) == 0 {
		t.Bad("law", "the list of laws is empty: give it an entry [material, material, law]")
	}
}

// law finds a law by name.
func (d *Deck) law(t *tables.Reader, name string) *namedLaw {
	var names []string
	for i := range d.laws {
		l := &d.laws[i]
		if l.name == name {
			if l.kind != contact.Surface {
				t.Bad("law", "law %q is a %s law, which gives a force [N] between two bodies that meet at a point; a [[contact]] needs a surface law, which gives a pressure [Pa]", l.name, l.kind)
			}
			return l
		}
		names = append(names, l.name)
	}
	hint := tables.Nearest(name, names)
	if len(names) == 0 || name == autoLaw {
		hint = "; without the key law the contact is linear, with a stiffness found from the bodies"
	}
	t.Bad("law", "there is no [[law]] named %q%s", name, hint)
	return nil
}

// readFriction reads Coulomb friction. It has an elastic stick, or is
// regularised if the deck says so, gives a regularisation speed or allows no
// other.
func readFriction(t *tables.Reader, static bool) contactnodes.Friction {
	f := contactnodes.Friction{Kinetic: t.Number("friction"), Static: t.Number("static_friction"), Speed: t.Number("friction_speed"), Stiffness: t.Number("stick_stiffness")}
	if t.Word("friction_model") == "stick" && f.Stiffness == 0 {
		stick(&f, static)
	}
	checkCoefficients(t, f)
	return f
}

// stick gives friction an elastic stick with the law's stiffness.
func stick(f *contactnodes.Friction, static bool) {
	f.Ratio, f.Brake = contactnodes.MindlinRatio, contactnodes.Braking
	if static { // there is no speed
		f.Brake = 0
	}
}

// checkCoefficients stops if the static coefficient is below the kinetic one.
func checkCoefficients(t *tables.Reader, f contactnodes.Friction) {
	if f.Static < f.Kinetic {
		t.Bad("static_friction", "static_friction must not be below friction, %g, got %g", f.Kinetic, f.Static)
	}
}

// checkStatic stops at contact that a static analysis does not support.
func (d *Deck) checkStatic(c *contactDef) {
	if d.model.Static == nil {
		return
	}
	laws := []contact.Law{c.Law}
	if c.pairs != nil {
		laws = laws[:0]
		for _, p := range c.pairs {
			laws = append(laws, p.law)
		}
	}
	for _, l := range laws {
		if damped, ok := l.(contact.Damped); ok && damped.Damping() > 0 {
			c.Bad("law", "the law depends on the deflection rate, and a static analysis has no rates: leave its damping out")
		}
	}
	if c.Friction.Kinetic > 0 && !c.Friction.Sticks() {
		c.Bad("friction", `friction in a static analysis needs friction_model = "stick": regularised friction follows the slip speed`)
	}
}

// Contact of rigid bodies by impulses: integrator = "impulses" in [analysis].

// The conditions of keys that go with contact by impulses, and of those that do not.
var (
	byImpulses    = tables.If("integrator", "impulses")
	byContactLaws = tables.If("integrator", "explicit")
	stiffWhy      = "bodies do not penetrate, and no stiffness acts between them"
)

// noImpulses is the condition of keys that do not go with contact by impulses, with the reason.
func noImpulses(why string) tables.With { return tables.Unless("integrator", why, "impulses") }

var impulsesBlock = tables.Block{Name: "analysis.impulses", Doc: "The accuracy of contact by impulses.", Keys: []tables.Key{
	{Name: "tolerance", Kind: tables.Quantity, Bounds: tables.AtMostOne, Default: "1e-3", Doc: "a solution ends when no contact point changes accelerations by more than this share of gravity. 1e-4 for limits of stability"},
	{Name: "sweeps", Kind: tables.Whole, Bounds: tables.Within(1, 1000000), Default: "1000", Doc: "greatest number of sweeps in a step, and as many for its rebounds. The run counts the steps that needed more. 30 for hoppers and flows"},
}}

// impulseKeys are the keys of a [[contact]] by impulses.
var impulseKeys = []tables.Key{
	{Name: "restitution", Kind: tables.Quantity, Bounds: tables.Within(0, 1), Default: "0", With: []tables.With{byImpulses}, Branch: true, Doc: "coefficient of restitution, Poisson's: the impulse while bodies part over the impulse while they approach"},
	{Name: "restitution_speed", Kind: tables.Quantity, Dim: tables.Velocity, Auto: true, Bounds: tables.NotNegative, Default: `"auto"`, With: []tables.With{byImpulses}, Branch: true, Doc: `slower impacts are plastic. "auto" is four times gravity, or without gravity the greatest acceleration by loads, times the step`},
	{Name: "rolling_friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Default: "0", With: []tables.With{byVolume("it has a rolling torque of its own"), tables.InTime}, Branch: true, Doc: "coefficient of rolling resistance of discs and particles: the greatest moment that resists rolling, over the normal force and the radius, of two discs R1 R2/(R1 + R2). Under a contact law it is elastic before that, with 2.25 times the law's stiffness times (coefficient times radius)²"},
}

// withoutImpulses are the blocks that do not go with contact by impulses, each with the reason and what
// to do instead.
var withoutImpulses = map[string]string{
	"body":           `a meshed body deforms: make it a [[rigid]] with shape = "polygon" and on = its surface`,
	"beam":           "a beam deforms: make it a [[rigid]] box",
	"fix":            "only rigid bodies move: a [[rigid]] without mass is fixed",
	"drive":          "only rigid bodies move: give a [[rigid]] a motion",
	"tie":            "a tie joins meshes",
	"absorb":         "rigid bodies carry no waves",
	"initial_stress": "rigid bodies have no stress",
	"interaction":    "particles are discs with it, which meet by a [[contact]]: give their name there",
	"fracture":       "rigid bodies do not break",
	"joint":          `rigid bodies do not open: cut the surface into [[rigid]] polygons with on and parted_by`,
	"excavate":       "rigid bodies are not excavated",
	"fluid":          "fluids press on meshes",
	"hinge":          "a hinge joins beams",
	"clamp":          "a clamp joins beams and meshes",
}

// refuseWithImpulses stops at a block that does not go with contact by impulses.
func (d *Deck) refuseWithImpulses(top *tables.Reader, b *tables.Block) {
	why, refused := withoutImpulses[b.Name]
	if d.model.Impulses == nil || !refused || !top.Has(b.Name) {
		return
	}
	for _, t := range top.Blocks(b) {
		t.Bad("name", `%s does not go with integrator = "impulses": %s, or leave integrator out`, b.Header(), why)
	}
}

// readImpulses reads the settings of contact by impulses.
func (d *Deck) readImpulses(t *tables.Reader) {
	if t.Word("integrator") != "impulses" {
		return
	}
	sub := t.Sub("impulses")
	d.model.Impulses = &model.Impulses{Tolerance: sub.Number("tolerance"), Sweeps: sub.Whole("sweeps")}
	sub.Done()
}

// readImpulseContact reads a [[contact]] by impulses.
func (d *Deck) readImpulseContact(t *tables.Reader) {
	c := contactDef{Reader: t, contactor: t.Text("contactor"), opposite: t.Text("opposite"), law: automatic}
	c.Name = cmp.Or(t.Text("name"), c.contactor+"-"+c.opposite)
	c.Friction.Kinetic, c.Rolling = t.Number("friction"), t.Number("rolling_friction")
	c.restitution, c.restitutionSpeed = t.Number("restitution"), t.Number("restitution_speed")
	if v, given := t.Raw("restitution_speed"); !given || v == "auto" {
		c.restitutionSpeed = -1
	}
	d.keepContact(c)
}

// impulsive resolves the contacts by impulses.
func (r *resolver) impulsive() *model.Impulses {
	if r.model.Impulses == nil {
		return nil
	}
	out := *r.model.Impulses
	var all []sides
	for i := range r.contacts {
		all = append(all, r.surfaces(&r.contacts[i]))
	}
	r.once(all)
	for i, c := range r.contacts {
		k := model.ImpulseContact{
			Name: c.Name, Contactor: r.rigidNumbers(all[i].contactor), Opposite: r.rigidNumbers(all[i].opposite),
			Friction: c.Friction.Kinetic, Rolling: c.Rolling, Restitution: c.restitution, RestitutionSpeed: c.restitutionSpeed,
		}
		for _, e := range all[i].elsewhere {
			k.Elsewhere = append(k.Elsewhere, [2][]int32{r.rigidNumbers(e.First), r.rigidNumbers(e.Second)})
		}
		out.Contacts = append(out.Contacts, k)
		r.checkRolling(&all[i])
	}
	if !slices.ContainsFunc(r.rigids, func(b rigid) bool { return b.Mass > 0 }) {
		r.warn(`integrator = "impulses" moves nothing: no [[rigid]] has a mass or a density`)
	}
	return &out
}

// checkRolling warns of rolling resistance without anything that rolls.
func (r *resolver) checkRolling(c *sides) {
	if isRound := func(e int32) bool { return r.mesh.Edges[e].Radius > 0 }; c.Rolling > 0 && !slices.ContainsFunc(c.contactor, isRound) && !slices.ContainsFunc(c.opposite, isRound) {
		r.warn("%s: rolling_friction resists nothing: neither side has a rigid disc or a particle", c.Title)
	}
}

// rigidNumbers returns the rigid bodies that have edges, ascending.
func (r *resolver) rigidNumbers(edges []int32) (out []int32) {
	for _, e := range edges {
		out = append(out, int32(r.mesh.Bodies[r.mesh.Edges[e].Body].Number))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
