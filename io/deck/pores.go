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

// hasPores is the fact that a deck has [pores].
const hasPores = "[pores]"

var (
	ifPores  = tables.If(hasPores)
	ofPores  = tables.With{Of: hasPores, Why: "it says the fluid and its pressure at the start"}
	oneHold  = "a block holds a pressure, a head, or lets fluid seep out"
	notTable = tables.Unless("water_table", "either say the pressure at the start, or the height at which it is zero")
)

var poresBlock = tables.Block{Name: "pores", Doc: "Fluid in the pores of bodies of triangles: its pressure, flow by Darcy's law, and Biot's effective stress, in plane strain. In a static analysis real time passes between balances; in motion the flow has explicit steps of its own.", Facts: factsOfPores, Read: ofDeck((*Deck).readPores), Keys: []tables.Key{
	{Name: "initial", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression}, Dim: tables.Pressure, Default: "0", With: []tables.With{ifPores, notTable}, Doc: "pressure at the start, without strain. It may be an expression of the position x and y, in Pa: \"9810*(10 - y)\""},
	{Name: "water_table", Kind: tables.Quantity, Dim: tables.Length, Default: "-", With: []tables.With{ifPores, tables.If("gravity_acts")}, Doc: "instead of initial, the height y at which pores have no pressure at the start. The pressure is that of fluid at rest, negative above"},
	{Name: "viscosity", Kind: tables.Quantity, Dim: tables.Viscosity, Bounds: tables.Positive, Default: "1e-3", With: []tables.With{ifPores}, Doc: "viscosity of the fluid"},
	{Name: "bulk", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Default: "2.2e9", With: []tables.With{ifPores}, Doc: "bulk modulus of the fluid, for materials with a porosity"},
	{Name: "density", Kind: tables.Quantity, Dim: tables.Density, Bounds: tables.Positive, Default: "1000", With: []tables.With{ifPores}, Doc: "density of the fluid, for its weight and the balance of its mass"},
	{Name: "expansion", Kind: tables.Quantity, Dim: tables.Expansion, Bounds: tables.NotNegative, Default: "2.1e-4", With: []tables.With{ifPores, ifHeated}, Doc: "volumetric coefficient of thermal expansion of the fluid, for materials with a porosity: heated fluid that cannot flow away raises its pressure"},
	{Name: "time_factor", Kind: tables.Quantity, Bounds: tables.Positive, Default: "1", With: []tables.With{ifPores, {Of: "type", Is: tables.InTime.Is, Why: "a static analysis has the time of flow"}}, Doc: "ratio of the time of flow to that of motion: slow flow in a short run, if pressures change slowly compared with the vibrations of the bodies. Tables and expressions of pressures and inflows have the time of flow"},
}}

// factsOfPores tells whether the deck has [pores], and gravity.
func factsOfPores(d any, t *tables.Reader) {
	if _, given := t.Document.Values["pores"]; given {
		t.Document.Facts[hasPores] = "given"
	}
	if d.(*Deck).model.Gravity != (r2.Vec{}) {
		t.Document.Facts["gravity_acts"] = "given"
	}
}

// poreKeys are the keys of materials with pores.
func poreKeys() []tables.Key {
	return []tables.Key{
		{Name: "permeability", Kind: tables.Quantity, Also: []tables.Kind{tables.List}, Dim: tables.Permeability, Unit: "m2", Bounds: tables.NotNegative, Default: "-", With: []tables.With{ifPores, tables.Unless("hydraulic_conductivity", "either say the permeability of the material, or its conductivity for the fluid")}, Doc: "intrinsic permeability, \"1e-15 m2\" or \"1 mD\"; [along, across] if it depends on the direction; 0 if nothing flows. Without it the body has no pores"},
		{Name: "hydraulic_conductivity", Kind: tables.Quantity, Also: []tables.Kind{tables.List}, Dim: tables.Velocity, Bounds: tables.NotNegative, Default: "-", With: []tables.With{ifPores}, Doc: "instead, the speed of flow under a gradient of the head of 1: permeability times density of the fluid and gravity (9.81 m/s2 without gravity) over its viscosity"},
		{Name: "permeability_angle", Kind: tables.Quantity, Angle: true, Default: "0", With: []tables.With{ifPores}, Doc: "angle of the first of two permeabilities against the x axis, anticlockwise"},
		{Name: "porosity", Kind: tables.Quantity, Bounds: tables.Bounds{Rule: "must be a share above 0 and below 1", Keep: func(v float64) bool { return v > 0 && v < 1 }}, Default: "-", With: []tables.With{ifPores, tables.Unless("storage", "porosity and bulk moduli give the storage")}, Doc: "volume of the pores over that of the body. It must be given, or storage"},
		{Name: "biot", Kind: tables.Quantity, Bounds: tables.Bounds{Rule: "is a share, above 0 and at most 1", Keep: func(v float64) bool { return v > 0 && v <= 1 }}, Else: "1 - K/grain_bulk with the bulk modulus K of the body, 1 without grain_bulk", With: []tables.With{ifPores}, Doc: "Biot's coefficient b of the pressure in the effective stress of elasticity, stress + b p"},
		{Name: "grain_bulk", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Else: "K/(1 - biot)", With: []tables.With{ifPores, tables.Unless("storage", "storage says what the grains take")}, Doc: "bulk modulus of the grains"},
		{Name: "storage", Kind: tables.Quantity, Dim: tables.Dimension{Length: 1, Mass: -1, Time: 2}, Unit: "1/Pa", Bounds: tables.Positive, Default: "-", With: []tables.With{ifPores}, Doc: "instead of porosity, the volume of fluid that a volume takes up per pressure without strain: 1/M, the inverse of Biot's modulus"},
	}
}

var porePressureBlock = tables.Block{Name: "pore_pressure", Many: true, Doc: "A held pressure or head of the fluid in pores, or a face at which it seeps out. Edges without any are impervious.", Read: ofDeck((*Deck).readPorePressure), Keys: append([]tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"wall"`, With: []tables.With{ofPores}, Doc: "a physical curve, point or surface of the mesh"},
	{Name: "name", Kind: tables.Text, Else: "the group's name", Doc: "name of the column of its flow in the history"},
	{Name: "value", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression, tables.List}, Dim: tables.Pressure, Example: `"3 MPa"`, With: []tables.With{tables.Unless("head", oneHold), tables.Unless("seepage", oneHold, "true")}, Doc: "pressure: constant, a list of [time, pressure], linear between the rows, or an expression of t, and of the position x and y at the start, in Pa"},
	{Name: "head", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression, tables.List}, Dim: tables.Length, Default: "-", With: []tables.With{tables.If("gravity_acts"), tables.Unless("seepage", oneHold, "true")}, Doc: "instead, the height y of the free surface of water at rest with this pressure, as value"},
	{Name: "seepage", Kind: tables.Flag, Default: "false", With: []tables.With{tables.InStatics}, Doc: "a face in the air: fluid flows out at no pressure, and none flows in"},
}, coming("when it begins")...)}

var inflowBlock = tables.Block{Name: "inflow", Many: true, Doc: "Fluid that flows into pores through a curve, or has its source in a body.", Read: ofDeck((*Deck).readInflow), Keys: []tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"wall"`, With: []tables.With{ofPores}, Doc: "a physical curve on the boundary of a body; for a source a body"},
	{Name: "name", Kind: tables.Text, Else: "the group's name", Doc: "name of the column of its flow in the history"},
	{Name: "flux", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression}, Dim: tables.Velocity, Example: `"1e-6 m/s"`, With: []tables.With{tables.Unless("source", "fluid flows into a curve, or has its source in a body")}, Doc: "volume per time and area, positive into the body; or an expression of t"},
	{Name: "source", Kind: tables.Quantity, Also: []tables.Kind{tables.Expression}, Dim: tables.Frequency, Default: "-", Doc: "volume of fluid per time and volume of a body; or an expression of t"},
	{Name: "schedule", Kind: tables.Schedule, Default: "-", Doc: "factor over time, as for a load. Without it the inflow is constant"},
}}

func (d *Deck) readPores(t *tables.Reader) {
	if d.doc.Facts[hasPores] == "" {
		return
	}
	p := &model.Pores{Viscosity: t.Number("viscosity"), Bulk: t.Number("bulk"), Density: t.Number("density"), TimeFactor: t.Number("time_factor")}
	if h := d.model.Heat; h != nil {
		if p.FluidExpansion = t.Number("expansion"); p.FluidExpansion != 0 && h.TimeFactor != p.TimeFactor {
			t.Bad("time_factor", "heat runs %g times as fast as motion and the flow %g times: let both be the same, or say expansion = 0, so that the fluid does not expand", h.TimeFactor, p.TimeFactor)
		}
	}
	if t.Has("water_table") {
		level := t.Number("water_table")
		p.InitialAt = func(x r2.Vec) float64 { return d.headPressure(level, x) }
	} else if v, _ := t.Raw("initial"); v != nil {
		part := d.componentsOf(t, "initial", []any{v}, tables.Pressure)[0]
		p.Initial, p.InitialAt = part.value, part.at
		d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
			for _, x := range r.mesh.X {
				part.check(t, "initial", x, tables.Pressure)
			}
		})
	}
	analysis, _ := d.doc.Values["analysis"].(map[string]any)
	if s := d.model.Static; s != nil {
		if _, given := analysis["duration"]; !given {
			t.Bad("initial", "flow needs time: say the duration in [analysis]")
		}
		if _, given := analysis["increments"]; !given {
			p.Paced = true
			if _, given := analysis["largest_increment"]; !given {
				s.Largest = d.model.Duration / 10
			}
		}
	}
	if d.model.Plane != bulk.PlaneStrain {
		t.Bad("initial", "[pores] needs plane = \"strain\" in [analysis]: fluid cannot flow out of the faces of a plate")
	}
	d.model.Pores = p
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		own := *p
		m.Pores = &own
		r.joinPores(m)
		r.checks = append(r.checks, func() { r.checkPores(t, m) })
	})
}

// joinPores finds what fluid the contacts of the model let pass.
func (r *resolver) joinPores(m *model.Model) {
	out, any := make([]float64, len(m.Contacts)), false
	for i := range m.Contacts {
		for k := range r.contacts {
			if r.contacts[k].Name == cmp.Or(m.Contacts[i].Of, m.Contacts[i].Name) {
				out[i] = r.contacts[k].flow
				any = any || out[i] > 0
				if r.contacts[k].StiffnessKey != "" {
					m.Pores.Joints = r.facing(m.Pores.Joints, &m.Contacts[i])
				}
			}
		}
	}
	if any {
		m.Pores.Contacts = out
	}
}

// facing appends the pairs of edges that face each other across a closed joint that is a contact.
func (r *resolver) facing(to [][2]int32, c *model.SurfaceContact) [][2]int32 {
	x := r.mesh.X
	twice := func(i int32) float64 { return x[r.mesh.Edges[i].A].X + x[r.mesh.Edges[i].B].X } // of its middle
	edges := slices.Concat(c.Contactor, c.Opposite)
	slices.Sort(edges)
	edges = slices.Compact(edges)
	slices.SortStableFunc(edges, func(a, b int32) int { return cmp.Compare(twice(a), twice(b)) })
	for i, a := range edges {
		e := &r.mesh.Edges[a]
		near := float64(1e-3 * elementary.Norm(r2.Sub(x[e.B], x[e.A]))) // they are 1e-9 of an edge apart
		for _, b := range edges[i+1:] {
			if twice(b)-twice(a) > float64(2*near) {
				break
			}
			f := &r.mesh.Edges[b]
			if elementary.Norm(r2.Sub(x[e.A], x[f.B])) < near && elementary.Norm(r2.Sub(x[e.B], x[f.A])) < near && e.Tri >= 0 && f.Tri >= 0 {
				to = append(to, [2]int32{a, b})
				break
			}
		}
	}
	return to
}

// headPressure is the pressure at a position of fluid at rest whose free surface, where that is
// level, has a height [Pa].
func (d *Deck) headPressure(level float64, x r2.Vec) float64 {
	g := d.model.Gravity
	return d.model.Pores.Density * (float64(g.X*x.X) + float64(g.Y*(x.Y-level)))
}

// porous reads how a material of the deck's pores takes up and conducts fluid.
func (d *Deck) porous(of *tables.Reader, m *bulk.Material) {
	p, expands := d.model.Pores, 0.0
	if p == nil {
		return
	}
	defer func() { p.Expansion = append(p.Expansion, expands) }()
	key, scale := keyOfFlow(of), 1/p.Viscosity
	if key != "permeability" {
		g := elementary.Norm(d.model.Gravity)
		if g == 0 {
			g = 9.81
		}
		scale = 1 / float64(p.Density*g)
	} else {
		d.refuseSpeed(of)
	}
	along, across := pairOf(of, key)
	c, b := turned(of, "permeability_angle", key, float64(along*scale), float64(across*scale)), of.Number("biot")
	porosity, grains, storage := of.Number("porosity"), of.Number("grain_bulk"), of.Number("storage")
	if !of.Has(key) {
		refuseOfPores(of)
		p.Materials, p.Biot = append(p.Materials, model.Conduction{}), append(p.Biot, 0)
		return
	}
	const gravel = 1e-8
	if key == "permeability" && max(along, across) > gravel {
		of.Bad(key, "permeability is %g m2, and 1e-8 m2 is clean gravel: is this hydraulic_conductivity, in m/s? Then it is %.3g m2 for this fluid", along, along*p.Viscosity/(p.Density*9.81))
	}
	bulkModulus := m.Young / (3 * (1 - float64(2*m.Poisson)))
	switch {
	case of.Has("biot") && !of.Has("grain_bulk"):
		grains = bulkModulus / (1 - b) // infinite for 1
	case of.Has("grain_bulk"):
		if grains <= bulkModulus {
			of.Bad("grain_bulk", "grains are stiffer than the body that they make, whose bulk modulus by young and poisson is %.4g Pa, got %.4g Pa", bulkModulus, grains)
		}
		if !of.Has("biot") {
			b = 1 - bulkModulus/grains
		}
	default:
		b, grains = 1, math.Inf(1)
	}
	switch {
	case of.Has("storage"):
	case !of.Has("porosity"):
		of.Bad(key, "a material with pores needs porosity, or storage")
	case b < porosity:
		of.Bad("biot", "biot must not be below porosity, %g, got %.4g: it is porosity for the stiffest grains", porosity, b)
	case p.Bulk > grains:
		of.Bad("grain_bulk", "the fluid, with a bulk modulus of %.4g Pa, is stiffer than the grains, with %.4g Pa: a load would raise the pressure by more than itself (Skempton's coefficient above 1)", p.Bulk, grains)
	default:
		storage = porosity/p.Bulk + (b-porosity)/grains
	}
	c.Capacity = storage
	if d.model.Heat != nil && of.Has("porosity") {
		expands = float64(porosity*p.FluidExpansion) + float64((b-porosity)*3*expansionOfGrains(of))
	}
	p.Materials, p.Biot = append(p.Materials, c), append(p.Biot, b)
}

// expansionOfGrains reads the linear expansion of the grains of a material.
func expansionOfGrains(of *tables.Reader) float64 {
	if isTable(of, "expansion") {
		of.Bad("expansion", "the grains of a material with pores expand by one coefficient, not by a list of temperatures")
	}
	return of.Number("expansion")
}

// refuseOfPores stops at keys of pores in a material without.
func refuseOfPores(of *tables.Reader) {
	for _, k := range []string{"permeability_angle", "porosity", "biot", "grain_bulk", "storage"} {
		if of.Has(k) {
			of.Bad(k, "a material with pores needs permeability, 0 if nothing flows in it")
		}
	}
}

// refuseSpeed stops at a permeability that is given as a speed.
func (d *Deck) refuseSpeed(of *tables.Reader) {
	v, _ := of.Raw("permeability")
	s, _ := v.(string)
	if k, err := tables.ParseQuantity(s, tables.Velocity); err == nil && s != "" {
		if _, err := tables.ParseQuantity(s, tables.Permeability); err != nil {
			of.Bad("permeability", "permeability is an area such as \"1e-15 m2\" or \"1 mD\", and %q is a speed: say hydraulic_conductivity, or for this fluid permeability = \"%.3g m2\"", s, k*d.model.Pores.Viscosity/(d.model.Pores.Density*9.81))
		}
	}
}

func (d *Deck) readPorePressure(t *tables.Reader) {
	on, name, stage := t.Text("on"), d.heatedName(t, "pores"), d.readStage(t)
	if t.Flag("seepage") {
		d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
			m.Pores.Seepage = append(m.Pores.Seepage, model.Seepage{Name: name, Edges: r.heatedEdges(t, on), From: stage.at(r).From})
		})
		return
	}
	h, key := model.HeldTemperature{Name: name}, "value"
	if t.Has("head") {
		key = "head"
		level := d.courseOf(t, "head", true)
		h.Value = func(at float64, x r2.Vec) float64 { return d.headPressure(level(at, x), x) }
	} else {
		h.Value = d.courseOf(t, "value", true)
	}
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		g := r.group(t, "on", on)
		h.Nodes = model.Group{Of: g.Nodes, Corners: r.sidesOf(g, g.Nodes)}
		if len(r.ofBeams(g.Nodes)) == len(g.Nodes) {
			t.Bad("on", "%q has no node of a triangle: beams have no pores", on)
		}
		end := float64(m.Duration * m.Pores.TimeFactor)
		for _, n := range g.Nodes {
			for _, part := range []float64{0, 0.5, 1} {
				if v := h.Value(part*end, r.mesh.X[n]); !(math.Abs(v) < 1e15) {
					t.Bad(key, "the pressure is %g Pa at t = %.6g s, x = %.6g m, y = %.6g m: it must be a number", v, part*end, r.mesh.X[n].X, r.mesh.X[n].Y)
				}
			}
		}
		h.From = stage.at(r).From
		m.Pores.Held = append(m.Pores.Held, h)
	})
}

func (d *Deck) readInflow(t *tables.Reader) {
	d.readFlux(t, "pores", func(m *model.Model, f model.HeatFlux) { m.Pores.Inflows = append(m.Pores.Inflows, f) })
}

// checkPores stops at what pores do not go with, and warns of values that are probably not intended.
func (r *resolver) checkPores(t *tables.Reader, m *model.Model) {
	p := m.Pores
	switch {
	case m.Impulses != nil:
		t.Bad("initial", "[pores] does not go with integrator = \"impulses\", which has no deformable bodies")
	}
	dry := func(triangle int32) bool { return p.Materials[r.heatedMaterial(m, triangle)].Capacity == 0 }
	for _, f := range p.Inflows {
		for _, e := range f.Edges {
			if dry(r.mesh.Edges[e].Tri) {
				t.Bad("initial", "fluid flows into %q of a body without pores: its material has no permeability", f.Name)
			}
		}
		for _, i := range f.Triangles {
			if dry(i) {
				t.Bad("initial", "the source %q is in a body without pores: its material has no permeability", f.Name)
			}
		}
	}
	r.warnPores(t, m)
}

// Permeabilities of rock and soil beyond these are rare [m2]. A number above sandy without a unit may well be a
// hydraulic conductivity.
const leastPermeability, mostPermeability, sandy = 1e-22, 1e-9, 1e-11

// isPlain tells whether a value is a number without a unit, or a list of some.
func isPlain(v any) bool {
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	_, text := v.(string)
	return v != nil && !text
}

// keyOfFlow returns the key by which a material says how well fluid flows in it.
func keyOfFlow(of *tables.Reader) string {
	if of.Has("hydraulic_conductivity") {
		return "hydraulic_conductivity"
	}
	return "permeability"
}

// warnPores warns of values that are probably not intended.
func (r *resolver) warnPores(t *tables.Reader, m *model.Model) {
	p, any := m.Pores, false
	for i, of := range r.materials {
		c, b := &p.Materials[i], p.Biot[i]
		if c.Capacity == 0 {
			continue
		}
		any = true
		k := max(c.XX, c.YY) * p.Viscosity
		if v, _ := of.Raw("permeability"); k > sandy && isPlain(v) {
			r.warnAt(of, "permeability", "permeability = %.3g is in m2, that of sand or gravel; as a speed it is hydraulic_conductivity = \"%.3[1]g m/s\", and a permeability of %.3[2]g m2 for this fluid: give it a unit", k, k*p.Viscosity/(p.Density*9.81))
		} else if k > 0 && (k < leastPermeability || k > mostPermeability) {
			r.warnAt(of, keyOfFlow(of), "the permeability is %.3g m2; of rock and soil it is between 1e-21 (granite, clay) and 1e-9 m2 (gravel): look at the units", k)
		}
		if of.Number("porosity") > 0.5 {
			r.warnAt(of, "porosity", "porosity is %g, of rock and soil it is seldom above 0.5", of.Number("porosity"))
		}
		if law := m.Materials[i].Law; law != nil && b < 1 && m.Materials[i].Yields() {
			r.warnAt(of, "biot", "law = %q yields by Biot's effective stress, stress + %.3g p; strength depends on stress + p (Terzaghi): take biot = 1 for that", of.Text("law"), b)
		}
	}
	if !any {
		r.warnAt(t, "", "changes nothing: no material has a permeability")
		return
	}
	r.warnFlowTime(t, m)
}

// warnFlowTime warns of fluids that are unlikely, and of bodies in which hardly any fluid flows during the run.
func (r *resolver) warnFlowTime(t *tables.Reader, m *model.Model) {
	p := m.Pores
	const thickest = 0.05 // 50 times as viscous as water [Pa s]
	if v, _ := t.Raw("viscosity"); p.Viscosity > thickest && isPlain(v) {
		r.warnAt(t, "viscosity", "viscosity = %g is in Pa s, that of water is 1e-3 Pa s: give it a unit, \"%[1]g mPa s\" or \"%[1]g Pa s\"", p.Viscosity)
	}
	const softest = 1e4 // of fluids, gas near vacuum [Pa]
	if p.Bulk < softest {
		r.warnAt(t, "bulk", "the bulk modulus of the fluid is %g Pa, that of water 2.2e9 Pa: look at the units", p.Bulk)
	}
	if len(p.Held)+len(p.Inflows)+len(p.Seepage) == 0 {
		return
	}
	for i := range m.Bodies {
		b, of := &r.mesh.Bodies[i], m.Bodies[i].Material
		c := &p.Materials[of]
		if b.Kind != mesh.OfTriangles || c.Capacity == 0 || max(c.XX, c.YY) == 0 {
			continue
		}
		lo, hi := b.Extent(r.mesh)
		across, end := min(hi.X-lo.X, hi.Y-lo.Y), float64(m.Duration*p.TimeFactor)
		time := float64(across*across) / float64(4*p.Diffusivity(of, &m.Materials[of].Elastic))
		if time < end && len(p.Held)+len(p.Seepage) == 0 {
			if rise := r.meanRise(p.Inflows, b, end); rise != 0 {
				r.warnAt(t, "", "body %q: no fluid can flow out of it, and in the run %.3g of its volume flows in: hold a [[pore_pressure]]", m.Bodies[i].Name, rise)
			}
		}
		if time > hardlyConducts*end {
			advice := "a longer duration"
			if m.Static == nil {
				advice = "time_factor in [pores] or type = \"static\""
			}
			r.warnAt(t, "", "body %q: a pressure needs about %.3g s across its %.3g m, and the run has %.3g s: hardly any fluid will flow; take %s", m.Bodies[i].Name, time, across, end, advice)
		}
	}
}
