package deck

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"fdem/contactnodes/spheres"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/solver"
)

// interaction is an [[interaction]] block: how two names meet.
type interaction struct {
	*table
	name    string
	between [2]string
	law     *lawBlock
	rule    spheres.Rule
	memory  string
}

// pairParameters are the parameters of a point law that a [[law]] may leave
// out: an interaction takes them from the two that meet.
var pairParameters = []string{"radius", "modulus", "mass"}

func (d *Deck) readInteractions(blocks []*table) {
	for _, t := range blocks {
		t.need("law", `"steel on steel"`)
		i := interaction{table: t, between: [2]string{"all", "all"}}
		for k, v := range t.list("between", 2) {
			s, ok := v.(string)
			if !ok {
				t.bad("between", "between must be two names in quotes, got %s in it", describe(v))
			}
			i.between[k] = s
		}
		i.name = t.text("name", i.between[0]+"-"+i.between[1])
		t.title = "interaction \"" + i.name + "\""
		i.law = d.pointLaw(t, t.text("law", ""))
		i.rule.Friction = readPointFriction(t)
		i.rule.Overlap = t.word("overlap", "refuse", "refuse", "allow") == "allow"
		i.memory = t.word("memory", "law", "law", "none", "basic", "curve", "enhanced")
		i.rule.Forgets = i.memory == "none"
		if k := memoryValue(i.memory); k >= 0 {
			if _, takes := i.law.model.Parameter("memory"); !takes {
				t.bad("memory", "memory = %q is for an elastoplastic law, and %s is none", i.memory, i.law.model.Name)
			}
		}
		t.done()
		for _, other := range d.interactions {
			if other.name == i.name {
				t.bad("name", "there is an interaction of this name already: give each a name")
			}
		}
		d.interactions = append(d.interactions, i)
	}
}

// memoryValue is the law's parameter for a word, -1 to leave it as it is.
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
func (d *Deck) pointLaw(t *table, name string) *lawBlock {
	var names []string
	for i := range d.laws {
		l := &d.laws[i]
		if l.name == name {
			if _, byVolume := l.law.(contact.Volumetric); l.kind != contact.Point && !byVolume {
				t.bad("law", "law %q is a %s law, which gives a pressure [Pa]; an [[interaction]] needs a point law, which gives a force [N]", l.name, l.kind)
			}
			return l
		}
		names = append(names, l.name)
	}
	t.bad("law", "there is no [[law]] named %q%s", name, nearest(name, names))
	return nil
}

// readPointFriction reads Coulomb friction at a point.
func readPointFriction(t *table) spheres.Friction {
	f := spheres.Friction{
		Kinetic: t.notNegative("friction", None, 0, ""),
		Speed:   t.positive("friction_speed", Velocity, 1e-3, "m/s"),
	}
	f.Static = t.notNegative("static_friction", None, f.Kinetic, "")
	f.Ratio = t.positive("stick_ratio", None, 0, "")
	if sticks(t, "regularised", "stick_ratio") && f.Ratio == 0 {
		f.Ratio = -1 // of the materials
	}
	checkCoefficients(t, f)
	return f
}

// kind is what particles share that meet others alike; rigid bodies are one
// each.
type kind struct {
	name         string
	material     int32
	radius, mass float64 // radius 0 for a straight wall, negative for a hollow; mass 0 for what is held
}

// particled resolves particles and interactions.
func (r *resolver) particled() solver.Particles {
	var out solver.Particles
	if len(r.particles) == 0 {
		if len(r.interactions) > 0 {
			r.interactions[0].bad("law", "an interaction needs a [[particle]]")
		}
		return out
	}
	var kinds []kind
	place := map[kind]int32{}
	of := func(k kind) int32 {
		i, ok := place[k]
		if !ok {
			i = int32(len(kinds))
			place[k] = i
			kinds = append(kinds, k)
		}
		return i
	}
	total := 0
	for _, p := range r.particles {
		total += len(p.balls)
	}
	if total > mostParticles {
		r.particles[0].bad("name", "at most %d particles, got %d", mostParticles, total)
	}
	for _, p := range r.particles {
		g := solver.ParticleGroup{Name: p.name, First: int32(len(out.X))}
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
		out.RigidKind = append(out.RigidKind, of(kind{b.Name, b.Material, radius, b.Mass}))
	}
	out.Kinds = len(kinds)
	for i := range r.interactions {
		out.Interactions = append(out.Interactions, r.interactions[i].name)
	}
	out.Foresee = r.foreseen(kinds)
	all := slices.Clone(r.interactions)
	materials := r.model.Materials
	out.Meet = func(a, b int32) (*spheres.Rule, error) {
		for i := range all {
			if all[i].joins(kinds[a].name, kinds[b].name) {
				rule, err := all[i].of(int32(i), kinds[a], kinds[b], materials)
				if err != nil {
					return nil, fmt.Errorf("interaction %q: %q meets %q: %w", all[i].name, kinds[a].name, kinds[b].name, err)
				}
				return rule, nil
			}
		}
		return nil, nil
	}
	return out
}

// few is the number of kinds of one name up to which each is tried.
const few = 30

// group is the kinds of one name: for few all of them, else the extremes of
// radius and mass.
type group struct {
	name  string
	kinds []int32
	step  []int32 // of which the step is made: the smallest, the largest and, lighter than both, the lightest
}

// groups sorts kinds by their names.
func groups(kinds []kind) []group {
	var out []group
	place := map[string]int{} // looked up only
	for i, k := range kinds {
		at, known := place[k.name]
		if !known {
			at = len(out)
			place[k.name] = at
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
		if len(all) > few {
			out[g].kinds = []int32{small, large, light, heavy}
		}
	}
	return out
}

// foreseen tries every pair of particles and what they may meet, and returns
// the pairs of kinds of which the step is made.
func (r *resolver) foreseen(kinds []kind) [][2]int32 {
	all := groups(kinds)
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].name
	}
	for i := range r.interactions {
		for _, name := range r.interactions[i].between {
			if name != "all" && !slices.Contains(names, name) {
				if slices.Contains(r.BodyNames(), name) {
					r.interactions[i].bad("between", "%q is a meshed body, and particles meet particles and rigid bodies only", name)
				}
				r.interactions[i].bad("between", "there is no particle or rigid body %q%s", name, nearest(name, append(names, "all")))
			}
		}
		if !slices.ContainsFunc(r.particles, func(p particles) bool { return slices.Contains(r.interactions[i].between[:], p.name) }) &&
			!slices.Contains(r.interactions[i].between[:], "all") {
			r.interactions[i].bad("between", "an interaction needs a particle, and %q and %q are rigid bodies", r.interactions[i].between[0], r.interactions[i].between[1])
		}
	}
	var out [][2]int32
	for p := range r.particles {
		for q, other := range names {
			if q < p { // met as the pair before
				continue
			}
			for i := range r.interactions {
				t := &r.interactions[i]
				if !t.joins(names[p], other) {
					continue
				}
				pairs := func(as, bs []int32, visit func(a, b int32)) {
					for _, a := range as {
						for _, b := range bs {
							if together(kinds[a].mass, kinds[b].mass) > 0 { // not held, both
								visit(a, b)
							}
						}
					}
				}
				pairs(all[p].kinds, all[q].kinds, func(a, b int32) {
					if _, err := t.of(int32(i), kinds[a], kinds[b], r.model.Materials); err != nil {
						t.bad("law", "%q meets %q: %v", names[p], other, err)
					}
				})
				pairs(all[p].step, all[q].step, func(a, b int32) {
					if pair := [2]int32{a, b}; !slices.Contains(out, pair) {
						out = append(out, pair)
					}
				})
				break
			}
		}
	}
	return out
}

// joins tells whether the interaction is between two names.
func (i *interaction) joins(a, b string) bool {
	is := func(word, name string) bool { return word == "all" || word == name }
	return is(i.between[0], a) && is(i.between[1], b) || is(i.between[0], b) && is(i.between[1], a)
}

// of makes the rule of two kinds, the first that of a sphere.
func (i *interaction) of(number int32, a, b kind, materials []bulk.Elastic) (*spheres.Rule, error) {
	rule := i.rule
	rule.Interaction = number
	rule.Mass = together(a.mass, b.mass)
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
	give("radius", 1/curvature)
	give("mass", rule.Mass)
	if m := modulus(a, b, materials); m > 0 {
		give("modulus", m)
	}
	if k := memoryValue(i.memory); k >= 0 {
		values["memory"] = k
	}
	if rule.Friction.Ratio < 0 {
		if rule.Friction.Ratio = mindlin(a, b, materials); rule.Friction.Ratio == 0 {
			return nil, errors.New(`friction_model = "stick" needs a stick_ratio, or a material of the particles`)
		}
	}
	var err error
	rule.Law, err = i.law.model.Build(values)
	if l, ok := rule.Law.(contact.Volumetric); ok {
		rule.Law = spheres.NewVolumetric(l, a.radius, b.radius)
	}
	return &rule, err
}

// together is the effective mass; 0 stands for what is held.
func together(a, b float64) float64 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return a * (b / (a + b))
}

// modulus is the effective modulus E* of two materials [Pa], 0 where one has
// none; where only a rigid body has none it is taken as rigid.
func modulus(a, b kind, materials []bulk.Elastic) float64 {
	soft := 0.0
	for _, k := range [2]kind{a, b} {
		if k.material >= 0 {
			m := materials[k.material]
			soft += (1 - float64(m.Poisson*m.Poisson)) / m.Young
		}
	}
	if soft == 0 {
		return 0
	}
	return 1 / soft
}

// mindlin is the ratio of tangential to normal stiffness, 4 G*/E*, of two
// materials; 0 where neither has one. R. D. Mindlin, 1949.
func mindlin(a, b kind, materials []bulk.Elastic) float64 {
	soft := 0.0
	for _, k := range [2]kind{a, b} {
		if k.material >= 0 {
			m := materials[k.material]
			soft += 2 * (2 - m.Poisson) * (1 + m.Poisson) / m.Young // (2-nu)/G
		}
	}
	if soft == 0 {
		return 0
	}
	return math.Min(4/(soft*modulus(a, b, materials)), 1e6)
}
