package deck

import (
	"math"
	"slices"
	"strings"

	"fdem/io/tables"
	"fdem/materials/fluid"
	"fdem/mesh"
	"fdem/solver/flow"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// The kind of fluid determines its keys.
var (
	aLiquid       = tables.Unless("gas", "a gas is released, not pumped")
	noProduct     = tables.Unless("jwl", "the products of an explosive are released, not pumped")
	noGasBulk     = tables.Unless("gas", "gamma gives its stiffness")
	noProductBulk = tables.Unless("jwl", "the isentrope gives the stiffness of the products")
	noGasFlow     = tables.Unless("gas", "a gas has one pressure in all connected space; its flow along cracks is not computed")
	noProductFlow = tables.Unless("jwl", "the products of an explosive have one pressure in all connected space; their flow along cracks is not computed")
	notGiven      = tables.Unless("pressure", "either give the pressure, or the rate from which it follows")
)

var fluidBlock = tables.Block{Name: "fluid", Many: true, Doc: "A fluid in a well and in the cracks that it opens. It has one pressure in all connected space or, with a viscosity, laminar flow along the cracks.", Read: ofDeck((*Deck).readFluid), Keys: []tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"water"`, Doc: "in results"},
	{Name: "well", Kind: tables.List, Also: []tables.Kind{tables.Text}, Example: `"hole"`, With: []tables.With{{Of: "type", Is: tables.InTime.Is, Why: "a static analysis has no fluid in cracks"}}, Doc: "the wall of the well: one or several physical curves on the boundary of meshed bodies. Together they are the wall of a hole, or of a notch from one side of its mouth to the other"},
	{Name: "rate", Kind: tables.Quantity, Dim: tables.Dimension{Length: 3, Time: -1}, Bounds: tables.NotNegative, Default: "-", With: []tables.With{notGiven, aLiquid, noProduct}, Branch: true, Doc: "rate of injection: volume per time, over the whole thickness"},
	{Name: "pressure", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.NotNegative, Default: "-", With: []tables.With{aLiquid, noProduct}, Branch: true, Doc: "instead of a rate, the pressure of an infinite reservoir"},
	{Name: "gas", Kind: tables.Table, Default: "-", With: []tables.With{noProduct}, Sub: &gasBlock, Doc: "instead of a rate, a gas that fills the well at the start and expands adiabatically"},
	{Name: "jwl", Kind: tables.Table, Default: "-", Sub: &jwlBlock, Doc: "instead of a rate, the products of an explosive that filled the well, by Jones, Wilkins and Lee"},
	{Name: "bulk", Kind: tables.Quantity, Words: []string{"inf"}, Dim: tables.Pressure, Bounds: tables.Positive, Default: "2.2e9", With: []tables.With{tables.If("viscosity"), noGasBulk, noProductBulk}, Doc: `bulk modulus of a liquid; "inf" for an incompressible one`},
	{Name: "bulk", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Default: "2.2e9", With: []tables.With{notGiven, noGasBulk, noProductBulk}, Doc: "bulk modulus of a liquid"},
	{Name: "viscosity", Kind: tables.Quantity, Dim: tables.Viscosity, Bounds: tables.Positive, Default: "-", With: []tables.With{noGasFlow, noProductFlow}, Doc: "viscosity of a liquid that flows along cracks, in which the pressure varies. Without it there is one pressure in all connected space"},
	{Name: "volume", Kind: tables.Quantity, Dim: tables.Dimension{Length: 3}, Auto: true, Bounds: tables.Positive, Else: "what the wall encloses; for a notch, up to the line between its ends", With: []tables.With{notGiven}, Doc: "volume of the well, with pipes and pumps behind it, which are full at the start"},
	{Name: "density", Kind: tables.Quantity, Dim: tables.Density, Bounds: tables.Positive, Default: "1000", With: []tables.With{tables.If("viscosity"), aLiquid, noProduct}, Doc: "density of the liquid, for the Reynolds number that fdem check prints. The fluid has no inertia"},
	{Name: "density", Kind: tables.Quantity, Dim: tables.Density, Bounds: tables.Positive, Else: "the pressure over 0.5 MJ/kg, as for a hot gas", With: []tables.With{tables.If("gas"), noProduct}, Doc: "density of the gas at the start, for the speed of its flow into the open air"},
	{Name: "density", Kind: tables.Quantity, Dim: tables.Density, Bounds: tables.Positive, Default: "1000", With: []tables.With{notGiven}, Doc: "density of the liquid or the explosive, for the speed of its flow into the open air"},
	{Name: "residual", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.NotNegative, Default: "0", Doc: "hydraulic aperture of a closed [[joint]], through which the fluid flows from the start. Closed cracks have none"},
	{Name: "at_start", Kind: tables.Quantity, Words: []string{"dry", "full"}, Dim: tables.Pressure, Bounds: tables.NotNegative, Default: `"dry"`, With: []tables.With{tables.If("residual")}, Doc: `state at the start of joints with a residual aperture: "dry", "full" of the gas or of a liquid without pressure, or a pressure of the liquid that fills them and the well`},
	{Name: "entry", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.NotNegative, Default: "0", Doc: "smallest opening of a crack that the fluid enters"},
	{Name: "cracks", Kind: tables.List, Also: []tables.Kind{tables.Text}, Else: "all cracks and joints", Doc: "bodies that break, or curves of [[joint]] and [[fracture]], whose cracks the fluid may enter"},
	{Name: "drain", Kind: tables.List, Also: []tables.Kind{tables.Text}, Default: "-", Doc: "curves, also inside bodies, at which the fluid leaves cracks and joints and has no pressure. It also leaves cracks that reach another outline; the log says so"},
	{Name: "leak_off", Kind: tables.Table, Default: "-", With: []tables.With{tables.If("viscosity")}, Sub: &leakOffBlock, Doc: "leak-off of a viscous liquid through the faces of cracks into the rock, see below"},
	{Name: "schedule", Kind: tables.Schedule, Default: "-", With: []tables.With{aLiquid, noProduct}, Branch: true, Doc: "factor of the rate or the pressure over time, as for a load. Without it they are constant"},
}}

var leakOffBlock = tables.Block{Name: "fluid.leak_off", Doc: "Leak-off into the rock: by Carter's law, each face takes up spurt and 2 carter sqrt(t - t0) per area after fluid has reached it at t0, whatever the pressure; or into the pores of [pores].", Keys: []tables.Key{
	{Name: "carter", Kind: tables.Quantity, Dim: tables.Dimension{Length: 1, Time: -0.5}, Unit: "m/s^0.5", Bounds: tables.NotNegative, Default: "0", Doc: "Carter's coefficient of one face: k dp/(mu sqrt(pi c)) for a permeability k, a pressure dp above that of the pores, a viscosity mu and a diffusivity c"},
	{Name: "spurt", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.NotNegative, Default: "0", Doc: "volume per area that one face takes up at once"},
	{Name: "pores", Kind: tables.Flag, Default: "false", Doc: "instead, fluid flows between the cracks and the pores of the rock"},
}}

var gasBlock = tables.Block{Name: "fluid.gas", Doc: "An adiabatic gas: p V^gamma is constant.", Keys: []tables.Key{
	{Name: "pressure", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Default: "-", Doc: "pressure at the start; must be given"},
	{Name: "gamma", Kind: tables.Quantity, Bounds: tables.Bounds{Rule: "must be greater than 1", Keep: func(v float64) bool { return v > 1 }}, Default: "1.4", Doc: "ratio of its specific heats"},
}}

var jwlBlock = tables.Block{Name: "fluid.jwl", Doc: "The isentrope p = a e^(-r1 v) + b e^(-r2 v) + c v^-(1+omega), where v is the volume over the volume at the start. All parameters must be given.", Keys: []tables.Key{
	{Name: "a", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Default: "-", Doc: "factor a of the first term"},
	{Name: "b", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Default: "-", Doc: "factor b of the second term"},
	{Name: "c", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Default: "-", Doc: "factor c of the third term"},
	{Name: "r1", Kind: tables.Quantity, Bounds: tables.Positive, Default: "-", Doc: "exponent r1 of the first term"},
	{Name: "r2", Kind: tables.Quantity, Bounds: tables.Positive, Default: "-", Doc: "exponent r2 of the second term"},
	{Name: "omega", Kind: tables.Quantity, Bounds: tables.Positive, Default: "-", Doc: "exponent omega of the third term"},
}}

func (d *Deck) readFluid(t *tables.Reader) {
	wells := t.Names("well", 0)
	f := model.Fluid{Name: t.Text("name"), On: strings.Join(wells, ", "), Volume: t.Number("volume"), Residual: t.Number("residual"), Entry: t.Number("entry")}
	d.unique(t, "a fluid", f.Name)
	factor := d.schedule(t)
	scaled := func(v float64) model.Schedule {
		if factor == nil {
			return func(float64) float64 { return v }
		}
		return func(at float64) float64 { return v * factor(at) }
	}
	gas, jwl, leak, bulk := t.Sub("gas"), t.Sub("jwl"), t.Sub("leak_off"), bulkOf(t)
	f.Carter, f.Spurt, f.Soaks = leak.Number("carter"), leak.Number("spurt"), leak.Flag("pores")
	switch {
	case f.Soaks && d.doc.Facts[hasPores] == "":
		leak.Bad("pores", "fluid leaks into the pores of [pores], and the deck has none")
	case f.Soaks && (f.Carter > 0 || f.Spurt > 0):
		leak.Bad("pores", "fluid leaks by Carter's law or into pores: leave one of them out")
	}
	f.Viscosity, f.Bulk, f.Density = t.Number("viscosity"), bulk, t.Number("density")
	rate, pressure := t.Number("rate"), t.Number("pressure")
	switch {
	case t.Has("gas"):
		needs(gas, "gas", "pressure")
		f.Equation = fluid.Gas{Pressure: gas.Number("pressure"), Gamma: gas.Number("gamma")}
		if !t.Has("density") {
			f.Density = gas.Number("pressure") / energyOfGas
		}
	case t.Has("jwl"):
		needs(jwl, "jwl", "a", "b", "c", "r1", "r2", "omega")
		f.Equation = fluid.JWL{A: jwl.Number("a"), B: jwl.Number("b"), C: jwl.Number("c"), R1: jwl.Number("r1"), R2: jwl.Number("r2"), Omega: jwl.Number("omega")}
	case t.Has("pressure"):
		f.Pressure = scaled(pressure)
	case t.Has("rate"):
		f.Equation, f.Rate = fluid.Liquid{Bulk: bulk}, scaled(rate)
	default:
		t.Bad("well", `a fluid needs a rate, a pressure, a gas or jwl: for instance rate = "5e-3 m3/s"`)
	}
	f.Full, f.Start = startOf(t)
	cracks, drains := t.Names("cracks", 0), t.Names("drain", 0)
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) { r.fill(t, m, f, wells, cracks, drains) })
}

// checkSoaking stops at a fluid that cannot leak into pores as it should, and warns of one that does not.
func (r *resolver) checkSoaking(t *tables.Reader, m *model.Model, f *model.Fluid) {
	switch {
	case !f.Soaks && f.Carter == 0 && f.Spurt == 0:
		r.warn("the fluid %q does not flow into the pores of the rock: with a viscosity, leak_off = { pores = true } lets it; or hold the pressure at the wall of the well by a [[pore_pressure]]", f.Name)
	case !f.Soaks:
	case m.Fracture == nil:
		t.Bad("leak_off", "fluid leaks into pores in bodies that can break, and no [[fracture]] or [[joint]] names one: hold the pressure at the wall of the well by a [[pore_pressure]] instead")
	case m.Pores.TimeFactor != 1:
		t.Bad("leak_off", "fluid leaks into pores in the time of motion, in which it is pumped, and time_factor in [pores] is %g: leave it out", m.Pores.TimeFactor)
	}
}

// energyOfGas is the pressure over density of a hot gas: R T of air at 1700 K
// [J/kg].
const energyOfGas = 0.5e6

// startOf reads whether joints are full at the start, and their pressure [Pa].
func startOf(t *tables.Reader) (full bool, pressure float64) {
	switch v, _ := t.Raw("at_start"); v {
	case "full", "dry", nil:
		return v == "full", 0
	}
	if pressure = t.Number("at_start"); t.Has("gas") || t.Has("jwl") || t.Has("pressure") && !t.Has("viscosity") {
		t.Bad("at_start", `only a liquid that is pumped or has a viscosity can have a pressure at the start: say "full" or "dry"`)
	}
	return true, pressure
}

// bulkOf reads the bulk modulus of a liquid. It may be infinite for a viscous liquid,
// since the walls are deformable.
func bulkOf(t *tables.Reader) float64 {
	if v, _ := t.Raw("bulk"); v != "inf" {
		return t.Number("bulk")
	}
	if !t.Has("viscosity") {
		t.Bad("bulk", `bulk = "inf" goes with viscosity: without it the pressure of an incompressible liquid in a full well is not determined`)
	}
	return math.Inf(1)
}

// needs stops if a table lacks a key.
func needs(t *tables.Reader, of string, keys ...string) {
	for _, k := range keys {
		if !t.Has(k) {
			t.Bad(keys[0], "%s has no key %q: it must be given", of, k)
		}
	}
}

// fill finds the well of a fluid, and the cracks and joints that the fluid may
// enter.
func (r *resolver) fill(t *tables.Reader, m *model.Model, f model.Fluid, wells, cracks, drains []string) {
	for _, name := range wells {
		g := r.group(t, "well", name)
		if len(g.Edges) == 0 {
			t.Bad("well", "the wall of a well is a curve on the boundary of triangles, and %q has no boundary edge", name)
		}
		for _, e := range g.Edges {
			if slices.Contains(f.Well, e) {
				t.Bad("well", "%q has edges of another curve of the well: name each edge once", name)
			}
		}
		f.Well = append(f.Well, g.Edges...)
	}
	for _, i := range f.Well {
		if r.mesh.Bodies[r.mesh.Edges[i].Body].Kind != mesh.OfTriangles {
			t.Bad("well", "the wall of a well is on bodies of triangles, and %q is on %q", f.On, r.mesh.Bodies[r.mesh.Edges[i].Body].Name)
		}
		for j := range m.Fluids {
			if slices.Contains(m.Fluids[j].Well, i) {
				t.Bad("well", "edges of %q are already the well of fluid %q", f.On, m.Fluids[j].Name)
			}
		}
	}
	area, whole := flow.WellVolume(r.mesh, f.Well)
	switch {
	case !whole:
		t.Bad("well", "%q has several open curves: a well has one wall, around a hole or from one side of the mouth of a notch to the other", f.On)
	case f.Equation != nil && f.Volume == 0:
		size := 0.0
		for _, i := range f.Well {
			d := r.mesh.Along(i)
			size += float64(d.X*d.X) + float64(d.Y*d.Y)
		}
		if area < -1e-9*size {
			t.Bad("well", "%q is the outer boundary of its body: a well is the wall of a hole or of a notch. If the fluid is meant to be outside, give its volume", f.On)
		}
		if f.Volume = area * m.Thickness; !(area > 1e-9*size) {
			t.Bad("well", "%q encloses no volume: give the volume [m3] of the well, with pipes and pumps behind it", f.On)
		}
	}
	if r.doc.Facts[hasPores] != "" {
		r.checks = append(r.checks, func() { r.checkSoaking(t, m, &f) })
	}
	f.Enters = r.entered(t, cracks)
	var outlets []*mesh.Group
	for _, name := range drains {
		of := r.group(t, "drain", name)
		outlets = append(outlets, of)
		if of.Dim != 1 {
			t.Bad("drain", "a drain is a curve, %q is a %s", name, groupKinds[of.Dim])
		}
		for _, v := range of.Nodes {
			for _, e := range f.Well {
				if w := &r.mesh.Edges[e]; v == w.A || v == w.B {
					t.Bad("drain", "%q touches the well %q: fluid would leave at once; take a drain away from the well", name, f.On)
				}
			}
		}
		f.Drain = append(f.Drain, of.Nodes...)
	}
	m.Fluids = append(m.Fluids, f)
	r.checks = append(r.checks, func() {
		r.besideWell(t, m, &f)
		r.warnUnits(t, &f)
		r.warnFluid(m, &f, area*m.Thickness, outlets)
	})
}

// entered tells for each block of cracks or joints whether it is named; nil for all.
func (r *resolver) entered(t *tables.Reader, names []string) []bool {
	if names == nil {
		return nil
	}
	enters := make([]bool, len(r.fractures))
	for _, name := range names {
		found := false
		for i := range r.fractures {
			f := &r.fractures[i]
			if f.on == name || slices.Contains(f.in, name) {
				enters[i], found = true, true
			}
		}
		if !found {
			t.Bad("cracks", "no [[fracture]] or [[joint]] is in or on %q", name)
		}
	}
	return enters
}

// besideWell stops at other blocks that act on the well of a fluid.
func (r *resolver) besideWell(t *tables.Reader, m *model.Model, f *model.Fluid) {
	shares := func(edges []int32) bool {
		return slices.ContainsFunc(edges, func(i int32) bool { return slices.Contains(f.Well, i) })
	}
	for i := range m.Loads {
		if l := &m.Loads[i]; shares(l.Edges) {
			t.Bad("well", "the wall of the well has a load on %q: the fluid loads the wall already, leave the load out", l.On)
		}
	}
	for i := range m.Absorbs {
		if a := &m.Absorbs[i]; shares(a.Edges) {
			t.Bad("well", "the wall of the well has the absorbing edge %q: an absorbing edge is a far end of a body, leave it out", a.On)
		}
	}
	for i := range m.Drives {
		d := &m.Drives[i]
		for _, w := range f.Well {
			if e := &r.mesh.Edges[w]; slices.Contains(d.Nodes, e.A) && slices.Contains(d.Nodes, e.B) {
				t.Bad("well", "the wall of the well is driven on %q: the fluid and the rock move the wall, leave the drive out", d.On)
			}
		}
	}
	for _, i := range f.Well {
		for _, x := range m.Excavations {
			if r.mesh.Edges[i].Body == x.Body {
				t.Bad("well", "the well is in body %q, which is excavated", x.Name)
			}
		}
	}
}

// warnFluid warns of keys of a fluid that have no effect, or another effect than
// expected. encloses is the volume of its well [m3].
func (r *resolver) warnFluid(m *model.Model, f *model.Fluid, encloses float64, drains []*mesh.Group) {
	meets, joints := make([]bool, len(m.Mesh.X)), false // vertices at which a crack or joint can open for the fluid
	anything := false
	if of := m.Fracture; of != nil {
		for i := range of.Edges {
			if e := &of.Edges[i]; e.Region >= 0 && (f.Enters == nil || f.Enters[e.Region]) {
				meets[e.From], meets[e.To], anything = true, true, true
				joints = joints || of.Joints != nil && of.Joints[e.Region]
			}
		}
	}
	if !anything {
		r.warn("fluid %q: there is no [[fracture]] and no [[joint]] that it may enter, so it stays in its well", f.Name)
	}
	r.warnWeight(m, f, meets)
	if f.Residual > 0 && !joints {
		r.warn("fluid %q: residual is an aperture of closed joints, and there is no [[joint]] that the fluid may enter: it has no effect", f.Name)
	}
	if f.Equation != nil && f.Volume < 0.99*encloses {
		r.warn("fluid %q: volume is %.4g m3, but the wall of the well encloses %.4g m3", f.Name, f.Volume, encloses)
	}
	if f.Start > 0.1*f.Bulk {
		r.warn("fluid %q: a pressure of %.4g Pa at the start compresses a liquid of bulk modulus %.4g Pa to %.3g of its volume", f.Name, f.Start, f.Bulk, 1/(1+f.Start/f.Bulk))
	}
	for _, of := range drains {
		if anything && !slices.ContainsFunc(of.Nodes, func(v int32) bool { return meets[v] }) {
			r.warn("fluid %q: no joint and no possible crack reaches the drain %q, so no fluid leaves there", f.Name, of.Name)
		}
	}
	const looks = 100
	for i := range looks + 1 {
		if at := m.Duration * float64(i) / looks; f.Pressure != nil && f.Pressure(at) < 0 {
			r.warn("fluid %q: its pressure is %.4g Pa at t = %.4g s: a fluid has no tension, so 0 is taken", f.Name, f.Pressure(at), at)
			break
		}
	}
}

// warnWeight warns that a fluid has no weight although gravity acts on the rock. meets tells
// which vertices the fluid can reach.
func (r *resolver) warnWeight(m *model.Model, f *model.Fluid, meets []bool) {
	if m.Gravity == (r2.Vec{}) {
		return
	}
	least, most := math.Inf(1), math.Inf(-1)
	reach := func(v int32) {
		x := m.Mesh.X[v]
		down := float64(x.X*m.Gravity.X) + float64(x.Y*m.Gravity.Y)
		least, most = min(least, down), max(most, down)
	}
	for v, is := range meets {
		if is {
			reach(int32(v))
		}
	}
	for _, e := range f.Well {
		reach(m.Mesh.Edges[e].A)
		reach(m.Mesh.Edges[e].B)
	}
	density, of := f.Density, ""
	if density == 0 {
		density, of = 1000, " of 1000 kg/m3"
	}
	r.warn("fluid %q: gravity acts on the bodies only, and the fluid has no weight. From the top to the bottom of its well and of all that can open, the weight would be %.3g Pa%s", f.Name, density*(most-least), of)
}

// thickest is the viscosity above which a plain number probably has another unit [Pa s]. Gels
// of hydraulic fracture have up to 1 Pa s, and honey about 10.
const thickest = 2

// warnUnits warns of pressures, moduli and viscosities in the wrong unit.
func (r *resolver) warnUnits(t *tables.Reader, f *model.Fluid) {
	for _, of := range []struct {
		t   *tables.Reader
		key string
	}{{t, "bulk"}, {t, "pressure"}, {t, "at_start"}, {t.Sub("gas"), "pressure"}, {t.Sub("jwl"), "a"}} {
		if v, is := withoutUnit(of.t, of.key); is {
			r.warn("fluid %q: %s is %g Pa, very little: plain numbers are in SI; for another unit write \"%g MPa\" or \"%g GPa\"", f.Name, of.key, v, v, v)
		}
	}
	if v, is := bareNumber(t.Values["viscosity"]); is && v > thickest {
		r.warn("fluid %q: viscosity is %g Pa s, %.3g times that of water: plain numbers are in SI; for another unit write \"%g mPa s\"", f.Name, v, 1e3*v, v)
	}
}
