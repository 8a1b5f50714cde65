package deck

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fdem/contactnodes/spheres"
	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// interaction is an [[interaction]] block: the contact of two names.
type interaction struct {
	*tables.Reader
	name    string
	between [2]string
	law     *namedLaw
	rule    spheres.Rule
	rolling float64 // coefficient of rolling resistance
	memory  string
}

// usualStickRatio is Mindlin's for a Poisson's ratio of 1/4.
const usualStickRatio = 6. / 7

// pairParameters are the parameters of a point law that a [[law]] may omit. An
// interaction takes them from the two bodies in contact.
var pairParameters = []string{"radius", "modulus", "mass"}

// Conditions of the keys of an [[interaction]].
var (
	ofStick       = tables.If("friction_model", "stick")
	ofRegularised = tables.If("friction_model", "regularised")
	ofFriction    = tables.If("friction or static_friction")
	noVolume      = tables.Unless("a volumetric law", "it has a rolling torque of its own", "given")
	ofPlastic     = tables.With{Of: "an elastoplastic law", Is: []string{"elastoplastic"}, Say: "is for an elastoplastic law, and %s is not elastoplastic"}
)

var interactionBlock = tables.Block{Name: "interaction", Many: true, Doc: "Contact of particles with each other and with bodies, rigid, meshed or beams: a point law and friction. If several blocks name a pair, the one with fewer \"all\" counts, and among equals the first.", Facts: ofDeck((*Deck).interactionFacts), Read: ofDeck((*Deck).readInteraction), Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Else: "the two names", Doc: "in results"},
	{Name: "between", Kind: tables.List, Default: `["all", "all"]`, Doc: "names of two [[particle]], [[rigid]], [[body]] or [[beam]] blocks, at least one a particle; \"all\" stands for every one of them"},
	{Name: "law", Kind: tables.Text, Example: `"steel on steel"`, Doc: "name of a [[law]] that gives a force. Radius, modulus and mass may be left out there; they are then those of each pair"},
	{Name: "memory", Kind: tables.Word, Words: []string{"law", "none", "basic", "curve", "enhanced"}, Default: `"law"`, With: []tables.With{ofPlastic}, Doc: `memory of a pair over repeated impacts: as the "law" says; "none" ends with an impact; or "curve", "basic" or "enhanced"`},
	{Name: "memory", Kind: tables.Word, Words: []string{"law", "none"}, Default: `"law"`, Doc: `memory of a pair over repeated impacts, for any other law: as the "law" says, or "none"`},
	{Name: "friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Default: "0", Doc: "coefficient of kinetic friction (Coulomb)"},
	{Name: "friction_model", Kind: tables.Word, Words: []string{"regularised", "stick"}, Default: `"regularised"`, With: []tables.With{ofFriction, tables.If("friction_speed")}, Doc: `"regularised", or "stick": Mindlin's tangential spring holds a contact until it slides`},
	{Name: "friction_model", Kind: tables.Word, Words: []string{"regularised", "stick"}, Default: `"regularised"`, With: []tables.With{ofFriction, tables.If("a volumetric law")}, Doc: `"regularised", or "stick"`},
	{Name: "friction_model", Kind: tables.Word, Words: []string{"regularised", "stick"}, Default: `"stick"`, With: []tables.With{ofFriction}, Doc: `"stick": Mindlin's tangential spring holds a contact until it slides; or "regularised"`},
	{Name: "friction_speed", Kind: tables.Quantity, Dim: tables.Velocity, Bounds: tables.Positive, Default: "1 mm/s", With: []tables.With{ofFriction, ofRegularised}, Doc: "slip speed below which regularised friction is proportional to the slip speed"},
	{Name: "static_friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Default: "friction", With: []tables.With{ofStick}, Doc: "coefficient of static friction"},
	{Name: "stick_ratio", Kind: tables.Quantity, Bounds: tables.Positive, Else: "4 G*/E* of the materials, 6/7 without", With: []tables.With{ofFriction, ofStick}, Doc: "stiffness of the tangential spring over that of the law"},
	{Name: "rolling_friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Default: "0", With: []tables.With{noVolume}, Doc: "coefficient of rolling resistance: the greatest moment that resists rolling, over the normal force and the radius (of two particles: R1 R2/(R1 + R2)). It is elastic before that, with the stiffness of Ai and others (2011)"},
	{Name: "overlap", Kind: tables.Word, Words: []string{"refuse", "allow"}, Default: `"refuse"`, Doc: `what happens if pairs overlap at the start: "refuse" is an error, "allow" lets them press`},
}}

// interactionFacts returns facts about the law.
func (d *Deck) interactionFacts(t *tables.Reader) {
	if name, ok := t.Values["law"].(string); ok {
		l := d.pointLaw(t, name)
		t.Facts["an elastoplastic law"] = l.model.Name
		if _, ok := l.law.(contact.Volumetric); ok {
			t.Facts["a volumetric law"] = "given"
		}
		if _, takes := l.model.Parameter("memory"); takes {
			t.Facts["an elastoplastic law"] = ofPlastic.Is[0]
		}
	}
}

func (d *Deck) readInteraction(t *tables.Reader) {
	i := interaction{Reader: t, between: [2]string{"all", "all"}, law: d.pointLaw(t, t.Text("law"))}
	for k, v := range t.List("between", 2) {
		s, ok := v.(string)
		if !ok {
			t.Bad("between", "between must be two names in quotes, got %s in it", tables.Describe(v))
		}
		i.between[k] = s
	}
	i.name = cmp.Or(t.Text("name"), i.between[0]+"-"+i.between[1])
	d.unique(t, "an interaction", i.name)
	f := &i.rule.Friction
	f.Kinetic, f.Static, f.Speed = t.Number("friction"), t.Number("static_friction"), t.Number("friction_speed")
	if f.Ratio = t.Number("stick_ratio"); t.Word("friction_model") == "stick" && f.Ratio == 0 && max(f.Kinetic, f.Static) > 0 {
		f.Ratio = -1 // from the materials
	}
	checkCoefficients(t, *f)
	i.rolling = t.Number("rolling_friction")
	i.rule.Overlap = t.Word("overlap") == "allow"
	i.memory = t.Word("memory")
	i.rule.ResetsAfterImpact = i.memory == "none"
	d.interactions = append(d.interactions, i)
}

// memoryValue returns the law's parameter for a word, -1 for no change.
func memoryValue(word string) float64 {
	switch word {
	case "basic":
		return 0
	case "curve":
		return 1
	case "enhanced":
		return 2
	}
	return -1
}

// pointLaw finds a point law by name.
func (d *Deck) pointLaw(t *tables.Reader, name string) *namedLaw {
	var names []string
	for i := range d.laws {
		l := &d.laws[i]
		if l.name == name {
			if _, byVolume := l.law.(contact.Volumetric); l.kind != contact.Point && !byVolume {
				t.Bad("law", "law %q is a %s law, which gives a pressure [Pa]; an [[interaction]] needs a point law, which gives a force [N]", l.name, l.kind)
			}
			return l
		}
		names = append(names, l.name)
	}
	t.Bad("law", "there is no [[law]] named %q%s", name, tables.Nearest(name, names))
	return nil
}

// kind is the data that particles with the same contact have in common. Each
// body is a kind of its own.
type kind struct {
	name         string
	material     int32
	radius, mass float64 // radius 0 for straight edges, negative for a hollow; mass 0 for a held body
}

// elastic returns the elastic constants of the kind's material.
func (k kind) elastic(materials []bulk.Material) contact.Elastic {
	if k.material < 0 {
		return contact.Elastic{}
	}
	return contact.Elastic{Young: materials[k.material].Young, Poisson: materials[k.material].Poisson}
}

// particled resolves particles and interactions.
func (r *resolver) particled() model.Particles {
	var out model.Particles
	if len(r.particles) == 0 {
		if len(r.interactions) > 0 {
			r.interactions[0].Bad("law", "an interaction needs a [[particle]]")
		}
		return out
	}
	total := 0
	for _, p := range r.particles {
		total += len(p.balls)
	}
	if total > maxParticles {
		r.particles[0].Bad("name", "at most %d particles, got %d", maxParticles, total)
	}
	kinds := r.kinds(&out)
	out.Kinds = len(kinds)
	for i := range r.interactions {
		out.Interactions = append(out.Interactions, r.interactions[i].name)
	}
	out.Predicted = r.predicted(kinds)
	all := slices.Clone(r.interactions)
	materials := r.model.Materials
	out.RuleOf = func(a, b int32) (*spheres.Rule, error) {
		i := joiner(all, kinds[a].name, kinds[b].name)
		if i < 0 {
			return nil, nil
		}
		rule, err := all[i].of(int32(i), kinds[a], kinds[b], materials)
		if err != nil {
			return nil, fmt.Errorf("interaction %q: %q meets %q: %w", all[i].name, kinds[a].name, kinds[b].name, err)
		}
		return rule, nil
	}
	out.Outcomes = r.restitutions(&out)
	return out
}

// kinds adds the particles to out. It finds the kind of each particle, rigid body and
// meshed body, and returns the kinds.
func (r *resolver) kinds(out *model.Particles) (kinds []kind) {
	number := map[kind]int32{}
	of := func(k kind) int32 {
		i, ok := number[k]
		if !ok {
			i = int32(len(kinds))
			number[k] = i
			kinds = append(kinds, k)
		}
		return i
	}
	for _, p := range r.particles {
		g := model.ParticleGroup{Name: p.name, First: int32(len(out.X))}
		for _, b := range p.balls {
			if p.fixed {
				b.mass = 0
			}
			out.X, out.V, out.Spin = append(out.X, b.x), append(out.V, b.v), append(out.Spin, b.spin)
			out.Radius, out.Mass = append(out.Radius, b.radius), append(out.Mass, b.mass)
			out.Kind = append(out.Kind, of(kind{p.name, p.material, b.radius, b.mass}))
		}
		g.End = int32(len(out.X))
		out.Groups = append(out.Groups, g)
	}
	for _, b := range r.rigids {
		radius := b.outline.Radius
		out.RigidKind = append(out.RigidKind, of(kind{b.block, b.Material, radius, b.Mass}))
	}
	for i, b := range r.bodies {
		meets := slices.ContainsFunc(r.particles, func(p particles) bool { return joiner(r.interactions, p.name, b.Name) >= 0 })
		kind := of(kind{b.Name, b.Material, 0, r.mass(i)})
		if !meets {
			kind = -1
		}
		out.BodyKind = append(out.BodyKind, kind)
	}
	return kinds
}

// maxTriedKinds is the number of kinds of one name up to which each is tried.
const maxTriedKinds = 30

// group is the kinds of one name: all of them if they are few, else the
// extremes of radius and mass.
type group struct {
	name  string
	kinds []int32
	step  []int32 // kinds that bound the step: the smallest, the largest and, if lighter than both, the lightest
}

// groups sorts kinds by their names.
func groups(kinds []kind) []group {
	var out []group
	index := map[string]int{} // looked up only
	for i, k := range kinds {
		at, known := index[k.name]
		if !known {
			at = len(out)
			index[k.name] = at
			out = append(out, group{name: k.name})
		}
		out[at].kinds = append(out[at].kinds, int32(i))
	}
	for g := range out {
		all := out[g].kinds
		least := func(value func(k kind) float64) int32 {
			return slices.MinFunc(all, func(a, b int32) int { return cmp.Compare(value(kinds[a]), value(kinds[b])) })
		}
		small, large := least(func(k kind) float64 { return k.radius }), least(func(k kind) float64 { return -k.radius })
		light, heavy := least(func(k kind) float64 { return k.mass }), least(func(k kind) float64 { return -k.mass })
		out[g].step = []int32{small, large}
		if kinds[light].mass < min(kinds[small].mass, kinds[large].mass) {
			out[g].step = append(out[g].step, light)
		}
		if len(all) > maxTriedKinds {
			out[g].kinds = []int32{small, large, light, heavy}
		}
	}
	return out
}

// predicted makes in advance the rule of every pair of kinds that may meet, and returns
// the pairs of kinds that bound the step.
func (r *resolver) predicted(kinds []kind) [][2]int32 {
	all := groups(kinds)
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].name
	}
	for i := range r.interactions {
		r.meets(&r.interactions[i], names)
	}
	var out [][2]int32
	acts, seen := make([]bool, len(r.interactions)), map[[2]int32]bool{}
	for p := range r.particles {
		for q, other := range names {
			if q < p { // same as an earlier pair
				continue
			}
			i := joiner(r.interactions, names[p], other)
			if i < 0 {
				continue
			}
			t := &r.interactions[i]
			acts[i] = true
			free(kinds, all[p].kinds, all[q].kinds, func(a, b int32) {
				if _, err := t.of(int32(i), kinds[a], kinds[b], r.model.Materials); err != nil {
					t.Bad("law", "%q meets %q: %v", names[p], other, err)
				}
			})
			free(kinds, all[p].step, all[q].step, func(a, b int32) {
				if pair := [2]int32{a, b}; !seen[pair] {
					seen[pair] = true
					out = append(out, pair)
				}
			})
		}
	}
	for i, acts := range acts {
		if !acts {
			r.warn("interaction %q acts on nothing: other blocks have all of its pairs", r.interactions[i].name)
		}
	}
	return out
}

// meets checks the two names of an interaction.
func (r *resolver) meets(t *interaction, names []string) {
	for _, name := range t.between {
		if name != "all" && !slices.Contains(names, name) {
			if slices.ContainsFunc(r.mesh.Groups, func(g mesh.Group) bool { return g.Name == name }) {
				t.Bad("between", "%q is a group of the mesh but not a body: particles are in contact with whole bodies, so name the body", name)
			}
			t.Bad("between", "there is no particle or body %q%s", name, tables.Nearest(name, append(names, "all")))
		}
	}
	if !slices.ContainsFunc(r.particles, func(p particles) bool { return slices.Contains(t.between[:], p.name) }) &&
		!slices.Contains(t.between[:], "all") {
		t.Bad("between", "an interaction needs a particle, and neither %q nor %q is one", t.between[0], t.between[1])
	}
}

// free calls a function with the pairs of two lists of kinds that are not both
// held.
func free(kinds []kind, as, bs []int32, visit func(a, b int32)) {
	for _, a := range as {
		for _, b := range bs {
			if contact.EffectiveMass(kinds[a].mass, kinds[b].mass) > 0 {
				visit(a, b)
			}
		}
	}
}

// joiner returns the number of the interaction of two names, -1 for none. If
// several interactions join them, it is the one with fewer "all", and of these
// the first.
func joiner(all []interaction, a, b string) int {
	at, most := -1, -1
	for i := range all {
		if n := namesIn(all[i].between); n > most && all[i].joins(a, b) {
			at, most = i, n
		}
	}
	return at
}

// namesIn returns how many of two names are not "all".
func namesIn(between [2]string) (n int) {
	for _, name := range between {
		if name != "all" {
			n++
		}
	}
	return n
}

// mass returns the mass of a body with elements [kg].
func (r *resolver) mass(i int) float64 {
	b, of, m := &r.bodies[i].Body, &r.mesh.Bodies[i], r.mesh
	size := 0.0 // volume [m3]
	for _, t := range m.Triangles[of.First:of.End] {
		p, q := r2.Sub(m.X[t[1]], m.X[t[0]]), r2.Sub(m.X[t[2]], m.X[t[0]])
		size += float64(0.5 * elementary.Cross(p, q) * r.model.Thickness)
	}
	for _, e := range m.Beams[of.FirstBeam:of.EndBeam] {
		size += float64(elementary.Norm(r2.Sub(m.X[e[1]], m.X[e[0]])) * b.Width * b.Height)
	}
	return size * r.model.Materials[b.Material].Density
}

// joins tells whether the interaction is between these two names.
func (i *interaction) joins(a, b string) bool {
	is := func(word, name string) bool { return word == "all" || word == name }
	return is(i.between[0], a) && is(i.between[1], b) || is(i.between[0], b) && is(i.between[1], a)
}

// deepestShare is the penetration, relative to the smaller radius, beyond which a point law
// does not hold. No step moves a sphere by more than the rest of its radius, so that none
// passes through undetected.
const deepestShare = 0.9

// of returns the rule of two kinds, the first that of a sphere.
func (i *interaction) of(number int32, a, b kind, materials []bulk.Material) (*spheres.Rule, error) {
	rule := i.rule
	rule.Interaction = number
	rule.Mass = contact.EffectiveMass(a.mass, b.mass)
	curvature := 1 / a.radius
	if b.radius != 0 {
		curvature += 1 / b.radius
	}
	if !(curvature > 0) {
		return nil, fmt.Errorf("a sphere of radius %g m does not fit into a hollow of radius %g m", a.radius, -b.radius)
	}
	values := map[string]float64{}
	for k, v := range i.law.values {
		values[k] = v
	}
	give := func(name string, value float64) {
		if _, given := values[name]; given {
			return
		}
		if _, takes := i.law.model.Parameter(name); takes {
			values[name] = value
		}
	}
	first, second := a.elastic(materials), b.elastic(materials)
	give("radius", 1/curvature)
	give("mass", rule.Mass)
	if m := contact.EffectiveModulus(first, second); m > 0 {
		give("modulus", m)
	}
	if k := memoryValue(i.memory); k >= 0 {
		values["memory"] = k
	}
	if rule.Friction.Ratio < 0 {
		rule.Friction.Ratio = cmp.Or(contact.MindlinRatio(first, second), usualStickRatio)
	}
	rule.Rolling = spheres.RollingOf(i.rolling, 1/curvature)
	rule.Deepest = deepestShare * a.radius
	if b.radius > 0 {
		rule.Deepest = min(rule.Deepest, float64(deepestShare*b.radius))
	}
	if rule.Overlap {
		rule.Deepest = 0 // they may overlap from the start
	}
	var err error
	rule.Law, err = i.law.model.Build(values)
	if l, ok := rule.Law.(contact.Volumetric); ok {
		rule.Law, rule.Deepest = spheres.NewVolumetric(l, a.radius, b.radius), 0
	}
	return &rule, err
}

// The restitution that a damper is given is that of its own theory. What comes out also depends on
// the end of contact, where a damper is kept from pulling, and on the mass of the pair.

const (
	otherRestitution = 0.01 // difference of the given and the resulting restitution above which there is a warning
	mostImpacts      = 8    // pairs of kinds of an interaction that are tried
)

// restitutions returns a line for each interaction whose pairs come out with another restitution than that of
// its law. They are tried by one impact each, of laws whose restitution does not depend on the
// speed.
func (r *resolver) restitutions(of *model.Particles) (says []string) {
	tried := make([]int, len(r.interactions))
	for _, pair := range of.Predicted {
		rule, err := of.RuleOf(pair[0], pair[1])
		if err != nil || rule == nil || tried[rule.Interaction] >= mostImpacts {
			continue
		}
		i := &r.interactions[rule.Interaction]
		given, is := i.law.values["restitution"]
		if _, damped := i.law.model.Parameter("mass"); !is || !damped {
			continue
		}
		tried[rule.Interaction]++
		if out, ok := restitution(rule.Law, rule.Mass); ok && math.Abs(out-given) > otherRestitution {
			says = append(says, otherwise(i, given, out, rule.Mass))
			tried[rule.Interaction] = mostImpacts
		}
	}
	return says
}

// otherwise returns the line about an interaction whose restitution comes out as another one, in an impact
// of an effective mass [kg].
func otherwise(i *interaction, given, out, mass float64) string {
	why := "its damper is kept from pulling where the contact ends, and the theory lets it pull; raw = 1 in the [[law]] does as well"
	if own, is := i.law.values["mass"]; is && math.Abs(own-mass) > otherRestitution*mass {
		why = fmt.Sprintf("its damper is that of an effective mass of %.4g kg, and the pair has %.4g kg: leave mass out of the [[law]]", own, mass)
	}
	return fmt.Sprintf("interaction %q: the restitution of %s, given as %.4g, comes out as %.3f: %s", i.name, i.law.model.Name, given, out, why)
}

// restitution returns that of an impact at 1 m/s.
func restitution(law contact.Law, mass float64) (e float64, ok bool) {
	const speed = 1
	c, err := contact.Impact(law, mass, speed)
	return c.Restitution, err == nil
}
