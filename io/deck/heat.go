package deck

import (
	"cmp"
	"math"
	"slices"

	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// heats is the fact that a deck has [heat].
const heats = "[heat]"

var (
	ifHeated  = tables.If(heats)
	ofHeat    = tables.With{Of: heats, Why: "it says the temperature at the start"}
	notBefore = tables.Unless("initial", "a block holds a temperature, or says that at the start")
	absolute  = tables.Bounds{Rule: "must not be below absolute zero, -273.15 degC", Keep: func(v float64) bool { return v >= 0 }}
)

var heatBlock = tables.Block{Name: "heat", Doc: "Conduction of heat in bodies of triangles, and their thermal expansion. In a dynamic analysis heat has explicit steps of its own; in a static one every increment has steps of real time, as short as their error demands.", Facts: factsOfHeat, Read: ofDeck((*Deck).readHeat), Keys: []tables.Key{
	{Name: "initial", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression}, Dim: tables.Temperature, Bounds: absolute, Example: `"20 degC"`, With: []tables.With{ifHeated}, Doc: "temperature at the start, without thermal strain unless a material says another one. It may be an expression of the position x and y, in kelvins: \"293 - 0.03*y\""},
	{Name: "time_factor", Kind: tables.Quantity, Bounds: tables.Positive, Default: "1", With: []tables.With{ifHeated, {Of: "type", Is: tables.InTime.Is, Why: "a static analysis has the time of heat"}}, Doc: "ratio of the time of heat to that of motion: slow heat in a short run, if the thermal stress grows slowly compared with the vibrations of the bodies. Tables and expressions of temperatures and fluxes have the time of heat"},
	{Name: "crack_heat", Kind: tables.Quantity, Bounds: tables.Within(0, 1), Else: "1; 0 with a time_factor", With: []tables.With{ifHeated, tables.InTime}, Doc: "share of what fracture and the friction of crack faces and of fragments of one body dissipate that becomes heat, half on each side or, of fragments, by effusivity"},
	{Name: "steady", Kind: tables.Flag, Default: "false", With: []tables.With{ifHeated, tables.InStatics}, Doc: "every increment has the temperatures that no longer change, by the values of its end"},
}}

// factsOfHeat tells whether the deck has [heat].
func factsOfHeat(d any, t *tables.Reader) {
	if _, given := t.Document.Values["heat"]; given {
		t.Document.Facts[heats] = "given"
	}
}

// heatKeys are the keys of materials with heat.
func heatKeys() []tables.Key {
	return []tables.Key{
		{Name: "conductivity", Kind: tables.Quantity, Also: []tables.Kind{tables.List}, Dim: tables.Conductivity, Bounds: tables.Positive, Default: "-", With: []tables.With{ifHeated}, Doc: "thermal conductivity; [along, across] if it depends on the direction, or a list of [temperature, conductivity]. Without it the body does not conduct"},
		{Name: "conductivity_angle", Kind: tables.Quantity, Angle: true, Default: "0", With: []tables.With{ifHeated, tables.If("conductivity")}, Doc: "angle of the first of two conductivities against the x axis, anticlockwise"},
		{Name: "heat_capacity", Kind: tables.Quantity, Also: []tables.Kind{tables.List}, Dim: tables.HeatCapacity, Bounds: tables.Positive, Default: "-", With: []tables.With{ifHeated}, Doc: "specific heat capacity, per mass; or a list of [temperature, capacity]. Only steady temperatures do without"},
		{Name: "plastic_heat", Kind: tables.Quantity, Bounds: tables.Within(0, 1), Else: "0.9; 0 with a time_factor", With: []tables.With{ifHeated, tables.If("heat_capacity"), tables.If("law", "j2", "drucker-prager", "mohr-coulomb", "hoek-brown")}, Doc: "share of the plastic work of a law that becomes heat (Taylor and Quinney)"},
		{Name: "expansion", Kind: tables.Quantity, Also: []tables.Kind{tables.List}, Dim: tables.Expansion, Default: "0", With: []tables.With{ifHeated}, Doc: "linear coefficient of thermal expansion, a third of the volumetric one; or a list of [temperature, coefficient] of a small warming there, whose integral is the strain"},
		{Name: "stress_free", Kind: tables.Quantity, Dim: tables.Temperature, Bounds: absolute, Else: "initial of [heat]", With: []tables.With{ifHeated, tables.If("expansion")}, Doc: "temperature without thermal strain"},
	}
}

var temperatureBlock = tables.Block{Name: "temperature", Many: true, Doc: "A held temperature, or that of a body at the start.", Read: ofDeck((*Deck).readTemperature), Keys: append([]tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"wall"`, With: []tables.With{ofHeat}, Doc: "a physical curve, point or surface of the mesh"},
	heatName,
	{Name: "value", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression, tables.List}, Dim: tables.Temperature, Bounds: absolute, Example: `"100 degC"`, With: []tables.With{notBefore}, Doc: "temperature at which the nodes are held: constant, a list of [time, temperature], linear between the rows, or an expression of t, and of the position x and y at the start, in kelvins"},
	{Name: "initial", Kind: tables.Quantity, Dim: tables.Temperature, Bounds: absolute, Default: "-", Doc: "instead, the temperature of a body at the start"},
}, whileHeld(coming("when it begins"))...)}

// whileHeld are keys of a held temperature, not of one at the start.
func whileHeld(keys []tables.Key) []tables.Key {
	for i := range keys {
		keys[i].With = append(keys[i].With, tables.Unless("initial", "the temperature at the start is there from the start"))
	}
	return keys
}

var heatFluxBlock = tables.Block{Name: "heat_flux", Many: true, Doc: "Heat that flows into a curve, or a source of heat in a body.", Read: ofDeck((*Deck).readHeatFlux), Keys: []tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"wall"`, With: []tables.With{ofHeat}, Doc: "a physical curve on the boundary of a body; for a source a body"},
	heatName,
	{Name: "flux", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression}, Dim: tables.HeatFlux, Example: `"500 W/m2"`, With: []tables.With{tables.Unless("source", "heat flows into a curve, or has its source in a body")}, Doc: "heat per time and area, positive into the body; or an expression of t"},
	{Name: "source", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression}, Dim: tables.HeatSource, Default: "-", Doc: "heat per time and volume of a body; or an expression of t"},
	{Name: "schedule", Kind: tables.Schedule, Default: "-", Doc: "factor over time, as for a load. Without it the heat is constant"},
}}

var convectionBlock = tables.Block{Name: "convection", Many: true, Doc: "Exchange of heat with surroundings, in proportion to the difference of temperatures.", Read: ofDeck((*Deck).readConvection), Keys: []tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"wall"`, With: []tables.With{ofHeat}, Doc: "a physical curve on the boundary of a body"},
	heatName,
	{Name: "coefficient", Kind: tables.Quantity, Dim: tables.HeatTransmission, Bounds: tables.NotNegative, Example: `"15 W/(m2 K)"`, Doc: "coefficient of heat transfer"},
	{Name: "ambient", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression, tables.List}, Dim: tables.Temperature, Bounds: absolute, Else: "initial of [heat]", Doc: "temperature of the surroundings: constant, a list of [time, temperature], or an expression of t in kelvins"},
}}

var heatName = tables.Key{Name: "name", Kind: tables.Text, Else: "the group's name", Doc: "name of the column of its heat in the history"}

// heatOfContact are the keys of contacts with heat.
var heatOfContact = []tables.Key{
	{Name: "thermal_resistance", Kind: tables.Quantity, Dim: tables.Dimension{Mass: -1, Time: 3, Temperature: 1}, Unit: "m2 K/W", Bounds: tables.Positive, Default: "-", With: []tables.With{ifHeated, byVolume("it has no contact nodes")}, Doc: "resistance of the faces to heat, per area where they touch. Without it no heat passes"},
	{Name: "resistance_at", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Default: "-", With: []tables.With{tables.If("thermal_resistance")}, Doc: "pressure at which the faces have this resistance, which falls as the power 0.95 of the pressure (rough faces, Yovanovich). Without it the resistance is that at any pressure"},
	{Name: "friction_heat", Kind: tables.Quantity, Bounds: tables.Within(0, 1), Default: "1", With: []tables.With{ifHeated, byVolume("it has no contact nodes")}, Doc: "share of the heat of friction that the bodies take up, each by its effusivity"},
}

// contactHeat reads what a contact exchanges.
func (d *Deck) contactHeat(t *tables.Reader) (h model.ContactHeat) {
	if d.model.Heat == nil {
		return h
	}
	h = model.ContactHeat{Resistance: t.Number("thermal_resistance"), Pressure: t.Number("resistance_at"), Friction: t.Number("friction_heat")}
	if d.model.Heat.TimeFactor != 1 && t.Has("friction") && h.Friction > 0 {
		t.Bad("friction_heat", "friction has the time of motion and heat another, by time_factor: say friction_heat = 0, or leave out time_factor")
	}
	return h
}

// flowOfContact is the key of contacts with pores.
var flowOfContact = tables.Key{Name: "flow_resistance", Kind: tables.Quantity, Dim: tables.Dimension{Length: -2, Mass: 1, Time: -1}, Unit: "Pa s/m", Bounds: tables.Positive, Default: "-", With: []tables.With{ifPores, byVolume("it has no contact nodes")}, Doc: "resistance of the faces to the fluid of the pores: difference of pressures over the flow per area where they touch. Without it no fluid passes"}

// joinHeat finds what the contacts of the model exchange.
func (r *resolver) joinHeat(m *model.Model) {
	for i := range m.Contacts {
		c, h := &m.Contacts[i], model.ContactHeat{}
		for k := range r.contacts {
			if r.contacts[k].Name == cmp.Or(c.Of, c.Name) {
				if h = r.contacts[k].heat; r.contacts[k].StiffnessKey != "" {
					h.Resistance = r.resistanceOfJoint(c, m)
				}
			}
		}
		m.Heat.Contacts = append(m.Heat.Contacts, h)
	}
}

// resistanceOfJoint is that of the closed faces of a joint that is a contact: a small part of that of the rock
// along an edge, less small in motion, whose steps of heat become shorter by it.
func (r *resolver) resistanceOfJoint(c *model.SurfaceContact, m *model.Model) float64 {
	part, edge, most := 1e-4, math.Inf(1), 0.0
	if m.Static == nil {
		part = 0.1
	}
	for _, i := range c.Contactor {
		e := &r.mesh.Edges[i]
		edge = min(edge, elementary.Norm(r2.Sub(r.mesh.X[e.B], r.mesh.X[e.A])))
	}
	for i := range m.Heat.Materials {
		k := &m.Heat.Materials[i]
		most = max(most, k.XX, k.YY)
		if k.Conductivity != nil {
			_, greatest := k.Conductivity.Extremes()
			most = max(most, greatest)
		}
	}
	if len(c.Contactor) == 0 || most == 0 {
		return 0
	}
	return part * edge / most
}

func (d *Deck) readHeat(t *tables.Reader) {
	if d.doc.Facts[heats] == "" {
		return
	}
	h := &model.Heat{Steady: t.Flag("steady"), TimeFactor: t.Number("time_factor")}
	h.Initial, h.InitialAt = d.initialTemperature(t)
	switch h.Cracks = t.Number("crack_heat"); {
	case h.TimeFactor != 1 && h.Cracks > 0:
		t.Bad("crack_heat", "cracks have the time of motion and heat another, by time_factor: say crack_heat = 0, or leave out time_factor")
	case !t.Has("crack_heat") && h.TimeFactor == 1 && d.model.Static == nil:
		h.Cracks = 1
	}
	analysis, _ := d.doc.Values["analysis"].(map[string]any)
	if _, given := analysis["duration"]; !given && d.model.Static != nil && !h.Steady {
		t.Bad("initial", "heat needs time: say the duration in [analysis], or steady = true")
	}
	d.model.Heat = h
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		own := *h
		m.Heat = &own
		r.joinHeat(m)
		r.checks = append(r.checks, func() { r.checkHeat(t, m) })
	})
}

// initialTemperature reads the temperature at the start, and what an expression of the position
// adds to it.
func (d *Deck) initialTemperature(t *tables.Reader) (value float64, at func(x r2.Vec) float64) {
	v, _ := t.Raw("initial")
	if s, ok := v.(string); ok && ofPosition(s) {
		p := d.componentsOf(t, "initial", []any{s}, tables.Temperature)
		if f := p[0].at; f != nil {
			d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
				for _, x := range r.mesh.X {
					p[0].check(t, "initial", x, tables.Temperature)
					if f(x) < 0 {
						t.Bad("initial", "initial: %q is %g K at x = %.6g m, y = %.6g m, below absolute zero", s, f(x), x.X, x.Y)
					}
				}
			})
			return 0, f
		}
	}
	value = t.Number("initial")
	switch _, unit := v.(string); {
	case value >= plainCold || !t.Has("initial"):
	case unit:
		d.warnPlace(t, "initial", "initial is %g K, %.6g degC: is it \"%g degC\"?", value, value-273.15, value)
	default:
		d.warnPlace(t, "initial", "initial is %g K, %.6g degC: with a unit, \"%g degC\", it is no longer in kelvins", value, value-273.15, value)
	}
	return value, nil
}

// courseOf reads a value that may change with time and, if that is allowed, with the position.
func (d *Deck) courseOf(t *tables.Reader, key string, position bool) func(at float64, x r2.Vec) float64 {
	v, _ := t.Raw(key)
	entry := t.EntryOf(key, tables.Quantity)
	switch v := v.(type) {
	case []any:
		var times, values []float64
		for _, e := range v {
			pair, ok := e.([]any)
			if !ok || len(pair) != 2 {
				t.Bad(key, "%s must be a list of [time, value], got %s in it", key, tables.Describe(e))
			}
			times = append(times, d.instant(t, key, pair[0]))
			values = append(values, t.Bounded(entry, t.Value(key, pair[1], entry.Dim)))
		}
		if len(times) == 0 || !slices.IsSorted(times) {
			t.Bad(key, "the times of %s must not decrease, and it needs at least one", key)
		}
		d.breaks(times)
		return func(at float64, _ r2.Vec) float64 { return (&model.Curve{X: times, Value: values}).At(at) }
	case string:
		if _, err := tables.ParseQuantity(v, entry.Dim); err == nil || !ofPosition(v) && !ofTime(v) {
			break
		}
		f, err := compiled(v, position)
		if err != nil {
			t.Bad(key, "%s: %v", key, err)
		}
		return f
	}
	value := t.Number(key)
	return func(float64, r2.Vec) float64 { return value }
}

// warnPlain warns of a temperature without a unit beside others in degC, or one that is far too cold beside that
// at the start: it is hardly meant in kelvins.
func (d *Deck) warnPlain(t *tables.Reader, key string, value func(at float64, x r2.Vec) float64) {
	v, _ := t.Raw(key)
	number, plain, texts := plainOf(v)
	if plain && (texts || d.inCelsius()) {
		d.warnPlace(t, key, "%s has %g K, %.6g degC, beside temperatures in degC: a number without a unit is in kelvins: write \"%[2]g K\" or \"%[2]g degC\"", key, number, number-273.15)
		return
	}
	if s, text := v.(string); text && !ofPosition(s) && !ofTime(s) || texts {
		return
	}
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		if m.Heat.InitialAt != nil || m.Heat.Initial < plainCold {
			return
		}
		for _, part := range []float64{0, 0.5, 1} {
			if v := value(part*m.Duration*m.Heat.TimeFactor, r.mesh.X[0]); v >= 0 && v < plainCold {
				r.warnAt(t, key, "%s is %g K, %.6g degC, beside %.6g degC at the start: numbers without a unit and expressions are in kelvins", key, v, v-273.15, m.Heat.Initial-273.15)
				return
			}
		}
	})
}

// plainOf returns the first number without a unit of a value or of a list of [time, value], and whether a value
// of the list has one.
func plainOf(v any) (number float64, plain, texts bool) {
	if number, plain = bareNumber(v); plain {
		return number, true, false
	}
	list, _ := v.([]any)
	for _, e := range list {
		pair, ok := e.([]any)
		if !ok || len(pair) != 2 {
			continue
		}
		if n, is := bareNumber(pair[1]); !is {
			texts = true
		} else if !plain {
			number, plain = n, true
		}
	}
	return number, plain, texts
}

// inCelsius tells whether [heat] gives the temperature at the start in degC.
func (d *Deck) inCelsius() bool {
	heat, _ := d.doc.Values["heat"].(map[string]any)
	s, _ := heat["initial"].(string)
	_, unit := tables.SplitQuantity(s)
	return tables.IsCelsius(unit)
}

// heatedName reads the name of a block of heat or, as of says, of another field.
func (d *Deck) heatedName(t *tables.Reader, of string) string {
	name := t.Text("name")
	if !t.Has("name") {
		name = t.Text("on")
	}
	at := [2]string{of, name}
	if d.taken[at] {
		t.Bad("on", "another block of %s has the name %q already: give one of them a name", of, name)
	}
	d.taken[at] = true
	return name
}

func (d *Deck) readTemperature(t *tables.Reader) {
	on := t.Text("on")
	if t.Has("initial") {
		value := t.Number("initial")
		d.warnPlain(t, "initial", func(float64, r2.Vec) float64 { return value })
		if t.Has("name") {
			t.Bad("name", "a temperature at the start gives no heat, so it needs no name")
		}
		d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
			k := r.bodyNamed(on)
			if k < 0 || r.mesh.Bodies[k].Kind != mesh.OfTriangles {
				t.Bad("on", "the temperature at the start is that of a body of triangles, and there is none %q%s", on, tables.Nearest(on, r.BodyNames()))
			}
			r.used[on] = true
			m.Heat.InBodies = append(m.Heat.InBodies, model.InitialTemperature{Body: int32(k), Value: value})
		})
		return
	}
	h := model.HeldTemperature{Name: d.heatedName(t, "heat"), Value: d.courseOf(t, "value", true)}
	stage := d.readStage(t)
	d.warnPlain(t, "value", h.Value)
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		g := r.group(t, "on", on)
		h.Nodes = model.Group{Of: g.Nodes, Corners: r.sidesOf(g, g.Nodes)}
		if len(r.ofBeams(g.Nodes)) == len(g.Nodes) {
			t.Bad("on", "%q has no node of a triangle: beams have no temperature", on)
		}
		end := m.Duration * m.Heat.TimeFactor
		for _, n := range g.Nodes {
			for _, part := range []float64{0, 0.5, 1} {
				if v := h.Value(part*end, r.mesh.X[n]); !(v >= 0 && v < 1e6) {
					t.Bad("value", "value is %g K at t = %.6g s, x = %.6g m, y = %.6g m: a temperature must be a number, not below absolute zero", v, part*end, r.mesh.X[n].X, r.mesh.X[n].Y)
				}
			}
		}
		h.From = stage.at(r).From
		m.Heat.Held = append(m.Heat.Held, h)
	})
}

func (d *Deck) readHeatFlux(t *tables.Reader) {
	d.readFlux(t, "heat", func(m *model.Model, f model.HeatFlux) { m.Heat.Fluxes = append(m.Heat.Fluxes, f) })
}

// readFlux reads what flows into a curve, or has its source in a body.
func (d *Deck) readFlux(t *tables.Reader, of string, put func(m *model.Model, f model.HeatFlux)) {
	on, key := t.Text("on"), "flux"
	if t.Has("source") {
		key = "source"
	}
	dim := t.EntryOf(key, tables.Quantity).Dim
	v, _ := t.Raw(key)
	value, s := d.amount(t, key, v, dim, nil)
	factor := product(s, d.schedule(t))
	f := model.HeatFlux{Name: d.heatedName(t, of), Value: func(at float64) float64 {
		if factor == nil {
			return value
		}
		return value * factor(at)
	}}
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		g := r.group(t, "on", on)
		if key == "source" {
			for i, n := range r.mesh.Triangles {
				if g.Dim == 2 && inGroup(g, n[:]) {
					f.Triangles = append(f.Triangles, int32(i))
				}
			}
			if f.Triangles == nil {
				t.Bad("on", "a source is in a body of triangles, and %q has none", on)
			}
		} else {
			f.Edges = r.heatedEdges(t, on)
		}
		put(m, f)
	})
}

func (d *Deck) readConvection(t *tables.Reader) {
	on := t.Text("on")
	c := model.Convection{Name: d.heatedName(t, "heat"), Coefficient: t.Number("coefficient")}
	var ambient func(at float64, x r2.Vec) float64
	if t.Has("ambient") {
		ambient = d.courseOf(t, "ambient", false)
		d.warnPlain(t, "ambient", ambient)
	}
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		c.Edges = r.heatedEdges(t, on)
		switch initial := m.Heat.Initial; {
		case ambient != nil:
			c.Ambient = func(at float64) float64 { return ambient(at, r2.Vec{}) }
		case m.Heat.InitialAt != nil:
			t.Bad("on", "ambient is missing, as the temperature at the start depends on the position")
		default:
			c.Ambient = func(float64) float64 { return initial }
		}
		m.Heat.Convection = append(m.Heat.Convection, c)
	})
}

// heatedEdges returns the boundary edges of triangles on a curve.
func (r *resolver) heatedEdges(t *tables.Reader, on string) []int32 {
	g := r.group(t, "on", on)
	var out []int32
	for _, i := range g.Edges {
		if r.mesh.Edges[i].Tri >= 0 {
			out = append(out, i)
		}
	}
	if out == nil {
		t.Bad("on", "the flow is into a curve on the boundary of a body of triangles, and %q has no boundary edge", on)
	}
	return out
}

// conducting reads how a material of the deck's heat conducts and expands.
func (d *Deck) conducting(of *tables.Reader, m *bulk.Material) (c model.Conduction) {
	h := d.model.Heat
	if h == nil {
		return c
	}
	if c.Conductivity = d.byTemperature(of, "conductivity"); c.Conductivity != nil {
		c.XX, _ = c.Conductivity.Extremes()
		c.YY = c.XX
		if of.Number("conductivity_angle") != 0 {
			of.Bad("conductivity_angle", "conductivity_angle goes with two values of conductivity, [along, across]: one that depends on the temperature is the same in all directions")
		}
	} else {
		along, across := pairOf(of, "conductivity")
		c = turned(of, "conductivity_angle", "conductivity", along, across)
	}
	if m.Remembers(bulk.Temperature) && (of.Has("conductivity") || of.Has("expansion")) {
		of.Bad("law", "law = \"johnson-cook\" has a temperature of its own, by plastic work: leave out conductivity and expansion")
	}
	if c.Capacities = d.byTemperature(of, "heat_capacity"); c.Capacities != nil {
		for i := range c.Capacities.Value {
			c.Capacities.Value[i] *= m.Density
		}
		c.Capacity, _ = c.Capacities.Extremes()
	} else if of.Has("heat_capacity") {
		c.Capacity = m.Density * of.Number("heat_capacity")
	}
	c.Plastic = plasticHeat(of, h, m)
	if c.Expansions = d.byTemperature(of, "expansion"); c.Expansions != nil {
		least, greatest := c.Expansions.Extremes()
		if c.Expansion = greatest; -least > greatest {
			c.Expansion = least
		}
	} else {
		c.Expansion = of.Number("expansion")
	}
	const ofNothing = 0.1 // thirty times that of a gas [1/K]
	if a := math.Abs(c.Expansion); a > ofNothing {
		of.Bad("expansion", "an expansion of %g 1/K is that of no solid, most have 1e-6 to 3e-5 1/K: numbers without a unit are in 1/K; of parts in a million write \"%[1]g um/(m K)\"", c.Expansion)
	}
	c.StressFree = h.Initial
	if of.Has("stress_free") {
		c.StressFree = of.Number("stress_free")
		d.warnPlain(of, "stress_free", func(float64, r2.Vec) float64 { return c.StressFree })
	}
	if of.Has("conductivity") && c.Capacity == 0 && !h.Steady {
		of.Bad("conductivity", "conductivity without heat_capacity: temperatures that change with time need both")
	}
	if c.Expansion != 0 && h.InitialAt != nil && !of.Has("stress_free") {
		of.Bad("expansion", "the temperature at the start depends on the position, so that none is free of thermal strain by default: say stress_free")
	}
	return c
}

// plasticHeat reads the share of plastic work that becomes heat.
func plasticHeat(of *tables.Reader, h *model.Heat, m *bulk.Material) float64 {
	const usual = 0.9
	switch has := of.Has("plastic_heat"); {
	case !m.Remembers(bulk.PlasticWork) || m.Remembers(bulk.Temperature): // its own
		return 0
	case h.Steady:
		if has {
			of.Bad("plastic_heat", "steady temperatures have no heat of plastic work: leave out plastic_heat")
		}
		return 0
	case h.TimeFactor != 1 && has && of.Number("plastic_heat") > 0:
		of.Bad("plastic_heat", "plastic work has the time of motion and heat another, by time_factor: say plastic_heat = 0, or leave out time_factor")
	case has:
		return of.Number("plastic_heat")
	case h.TimeFactor == 1 && of.Has("heat_capacity"):
		return usual
	}
	return 0
}

// byTemperature reads a list of [temperature, value]; nil if the key has none.
func (d *Deck) byTemperature(of *tables.Reader, key string) *model.Curve {
	if !isTable(of, key) {
		return nil
	}
	k, c, plain := of.EntryOf(key, tables.Quantity), &model.Curve{}, true
	for _, row := range of.List(key, 0) {
		pair, ok := row.([]any)
		if !ok || len(pair) != 2 {
			of.Bad(key, "%s by temperature is a list of [temperature, value], such as [[\"20 degC\", 3], [\"500 degC\", 2]], got %s in it", key, tables.Describe(row))
		}
		at := of.Value(key, pair[0], tables.Temperature)
		if !absolute.Keep(at) {
			of.Bad(key, "a temperature of %s %s, got %g K", key, absolute.Rule, at)
		}
		if n := len(c.X); n > 0 && at <= c.X[n-1] {
			of.Bad(key, "the temperatures of %s must increase, got %g K after %g K", key, at, c.X[n-1])
		}
		_, text := pair[0].(string)
		plain = plain && !text
		c.X, c.Value = append(c.X, at), append(c.Value, of.Bounded(k, of.Value(key, pair[1], k.Dim)))
	}
	if from := c.X[0]; plain && (d.inCelsius() || from < plainCold && d.model.Heat.Initial >= plainCold) {
		d.warnPlace(of, key, "the temperatures of %s begin at %g K, %.6g degC: numbers without a unit are in kelvins: write \"%[2]g K\" or \"%[2]g degC\"", key, from, from-273.15)
	}
	return c
}

// isTable tells whether a key has a list of lists.
func isTable(of *tables.Reader, key string) bool {
	v, _ := of.Raw(key)
	list, _ := v.([]any)
	if len(list) == 0 {
		return false
	}
	_, rows := list[0].([]any)
	return rows || key != "conductivity"
}

// pairOf reads a value along and across a direction, whose angle is another key; 0 without it.
func pairOf(of *tables.Reader, key string) (along, across float64) {
	v, _ := of.Raw(key)
	switch v.(type) {
	case nil:
		return 0, 0
	case []any:
		k, list := of.EntryOf(key, tables.Quantity), of.List(key, 2)
		along = of.Bounded(k, of.Value(key, list[0], k.Dim))
		return along, of.Bounded(k, of.Value(key, list[1], k.Dim))
	}
	return of.Number(key), of.Number(key)
}

// turned returns the tensor of two values along and across an angle.
func turned(of *tables.Reader, key, with string, along, across float64) (c model.Conduction) {
	angle := of.Number(key)
	if _, several := first(of.Raw(with)).([]any); angle != 0 && !several {
		of.Bad(key, "%s goes with two values of %s, [along, across]", key, with)
	}
	s, q := elementary.Sin(angle), elementary.Cos(angle)
	c.XX, c.YY = float64(along*q*q)+float64(across*s*s), float64(along*s*s)+float64(across*q*q)
	c.XY = float64((along - across) * s * q)
	return c
}

// first returns the first of two values.
func first[A, B any](a A, _ B) A { return a }

// checkHeat stops at blocks that heat does not go with, and warns of values that are probably not
// intended.
func (r *resolver) checkHeat(t *tables.Reader, m *model.Model) {
	if m.Impulses != nil {
		t.Bad("initial", "[heat] does not go with integrator = \"impulses\", which has no deformable bodies")
	}
	inert := func(triangle int32) bool {
		c := &m.Heat.Materials[r.heatedMaterial(m, triangle)]
		return c.Capacity == 0 && c.XX == 0
	}
	for _, f := range m.Heat.Fluxes {
		for _, e := range f.Edges {
			if inert(r.mesh.Edges[e].Tri) {
				t.Bad("initial", "heat flows into %q of a body without conductivity and heat_capacity", f.Name)
			}
		}
		for _, i := range f.Triangles {
			if inert(i) {
				t.Bad("initial", "the source of heat %q is in a body without conductivity and heat_capacity", f.Name)
			}
		}
	}
	for _, c := range m.Heat.Convection {
		for _, e := range c.Edges {
			if inert(r.mesh.Edges[e].Tri) {
				t.Bad("initial", "heat flows into %q of a body without conductivity and heat_capacity", c.Name)
			}
		}
	}
	r.warnHeat(t, m)
}

// heatedMaterial returns the material of the body of a triangle.
func (r *resolver) heatedMaterial(m *model.Model, triangle int32) int32 {
	for i := range m.Bodies {
		if b := &r.mesh.Bodies[i]; triangle >= b.First && triangle < b.End {
			return m.Bodies[i].Material
		}
	}
	return 0
}

// Values of rock, metal and ceramics beyond these are rare.
const (
	leastExpansion, mostExpansion     = 1e-7, 1e-4 // [1/K]
	leastDiffusivity, mostDiffusivity = 1e-8, 1e-3 // [m2/s]
	plainCold                         = 150        // [K]; a number below it without a unit is hardly meant in kelvins
	hardlyConducts, soonSteady        = 100, 0.01  // time across the body over the duration
)

// warms tells whether friction, cracks or plastic work give heat.
func warms(m *model.Model) bool {
	if m.Fracture != nil && m.Heat.Cracks > 0 {
		return true
	}
	for i := range m.Contacts {
		if i < len(m.Heat.Contacts) && m.Contacts[i].Friction.Kinetic > 0 && m.Heat.Contacts[i].Friction > 0 {
			return true
		}
	}
	return slices.ContainsFunc(m.Heat.Materials, func(c model.Conduction) bool { return c.Plastic > 0 })
}

// warnHeat warns of values that are probably not intended.
func (r *resolver) warnHeat(t *tables.Reader, m *model.Model) {
	h := m.Heat
	for i, of := range r.materials {
		a, c := math.Abs(h.Materials[i].Expansion), h.Materials[i].At(h.Initial)
		if v, plain := bareNumber(of.Values["expansion"]); a > mostExpansion || a > 0 && a < leastExpansion {
			r.warnAt(of, "expansion", "expansion is %g 1/K; of most solids it is between 1e-6 and 3e-5 1/K (it is the linear one, a third of the volumetric)", c.Expansion)
		} else if plain && v != 0 {
			r.warnAt(of, "expansion", "expansion = %g has no unit: it is linear and in 1/K, as \"%[1]g 1/K\" (if it is volumetric, take a third; if per degree Fahrenheit, 1.8 times)", v)
		}
		if kappa := c.XX / c.Capacity; c.Capacity > 0 && c.XX > 0 && (kappa < leastDiffusivity || kappa > mostDiffusivity) {
			r.warnAt(of, "conductivity", "conductivity over density and heat_capacity is a diffusivity of %.3g m2/s; of rock it is about 1e-6, of metals up to 1e-4 m2/s: look at the units", kappa)
		}
	}
	driven := len(h.Held) + len(h.Fluxes) + len(h.Convection)
	if driven == 0 && len(h.InBodies) == 0 && h.InitialAt == nil && !warms(m) {
		r.warnAt(t, "", "changes no temperature: there is no [[temperature]], [[heat_flux]] or [[convection]], and no friction or plastic work that gives heat")
	}
	if h.Steady || driven == 0 {
		return
	}
	for i := range m.Bodies {
		b := &r.mesh.Bodies[i]
		c := h.Materials[m.Bodies[i].Material].At(h.Initial)
		if b.Kind != mesh.OfTriangles || c.Capacity == 0 || c.XX == 0 || r.allHeld(m, b) {
			continue
		}
		lo, hi := b.Extent(r.mesh)
		across, along := min(hi.X-lo.X, hi.Y-lo.Y), max(hi.X-lo.X, hi.Y-lo.Y)
		longest := float64(along*along) * c.Capacity / float64(4*max(c.XX, c.YY))
		time, end := float64(across*across)*c.Capacity/float64(4*max(c.XX, c.YY)), m.Duration*h.TimeFactor
		switch advice := "time_factor in [heat] or type = \"static\""; {
		case time > hardlyConducts*end:
			if m.Static != nil {
				advice = "a longer duration"
			}
			r.warnAt(t, "", "body %q: heat needs about %.3g s across its %.3g m, and the run has %.3g s: hardly any will flow; take %s", m.Bodies[i].Name, time, across, end, advice)
		case longest < soonSteady*end && m.Static != nil:
			r.warnAt(t, "", "body %q: heat needs about %.3g s along its %.3g m, and the run has %.3g s: its temperatures follow what drives them, as with steady = true", m.Bodies[i].Name, longest, along, end)
		}
		if time < end && len(h.Held)+len(h.Convection) == 0 {
			if rise := r.meanRise(h.Fluxes, b, end) / c.Capacity; rise != 0 {
				r.warnAt(t, "", "body %q: nothing takes heat away from it, so that its mean temperature changes by %.3g K in the run: hold a [[temperature]], or let it out by [[convection]]", m.Bodies[i].Name, rise)
			}
		}
	}
}

// meanRise returns what blocks give a body until a time, divided by its volume.
func (r *resolver) meanRise(of []model.HeatFlux, b *mesh.Body, end float64) (rise float64) {
	const parts = 200
	volume, x := 0.0, r.mesh.X
	size := func(t int32) float64 {
		n := r.mesh.Triangles[t]
		u, v := r2.Sub(x[n[1]], x[n[0]]), r2.Sub(x[n[2]], x[n[0]])
		return float64(0.5 * (float64(u.X*v.Y) - float64(u.Y*v.X)))
	}
	for t := b.First; t < b.End; t++ {
		volume += size(t)
	}
	for i := range of {
		into, mean := 0.0, 0.0
		for _, e := range of[i].Edges {
			if edge := &r.mesh.Edges[e]; edge.Tri >= b.First && edge.Tri < b.End {
				into += elementary.Norm(r2.Sub(x[edge.B], x[edge.A]))
			}
		}
		for _, t := range of[i].Triangles {
			if t >= b.First && t < b.End {
				into += size(t)
			}
		}
		for k := range parts {
			mean += of[i].Value(end * (float64(k) + 0.5) / parts)
		}
		rise += float64(mean*end*into) / (parts * volume)
	}
	return rise
}

// allHeld tells whether the temperature of all of a body is held.
func (r *resolver) allHeld(m *model.Model, b *mesh.Body) bool {
	for i := range m.Heat.Held {
		if of := m.Heat.Held[i].Nodes.Of; len(of) >= len(b.Nodes) && !slices.ContainsFunc(b.Nodes, func(n int32) bool { _, in := slices.BinarySearch(of, n); return !in }) {
			return true
		}
	}
	return false
}
