package deck

import (
	"math"
	"slices"
	"strings"

	"fdem/materials/fluid"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// The kind of fluid determines its keys.
var (
	aLiquid       = without("gas", "a gas is released, not pumped")
	noProduct     = without("jwl", "the products of an explosive are released, not pumped")
	noGasBulk     = without("gas", "a gas gives as its gamma has it")
	noProductBulk = without("jwl", "the products of an explosive give as their isentrope has it")
	noGasFlow     = without("gas", "gas has one pressure in all that is connected, its flow along cracks is not computed")
	noProductFlow = without("jwl", "the products of an explosive have one pressure in all that is connected, their flow along cracks is not computed")
	notGiven      = without("pressure", "either the pressure is given, or it follows from what is pumped")
)

var viscosity = Dimension{Length: -1, Mass: 1, Time: -1}

var fluidBlock = Block{Name: "fluid", Many: true, Doc: "A fluid in a well and in the cracks that it drives: one pressure in all that is connected or, with a viscosity, laminar flow along the cracks.", read: (*Deck).readFluid, Keys: []Key{
	{Name: "name", Kind: Text, Example: `"water"`, Doc: "in results"},
	{Name: "well", Kind: List, Example: `"hole"`, With: []With{{Of: "type", Is: inTime.Is, Why: "a static analysis cannot follow what it fills"}}, Doc: "a physical curve on the boundary of meshed bodies, or several that make one wall: of a hole, or of a notch from one side of its mouth to the other"},
	{Name: "rate", Kind: Quantity, Dim: Dimension{Length: 3, Time: -1}, Bounds: notNegative, Default: "-", With: []With{notGiven, aLiquid, noProduct}, Branch: true, Doc: "volume pumped in per time, into the whole thickness"},
	{Name: "pressure", Kind: Quantity, Dim: Pressure, Bounds: notNegative, Default: "-", With: []With{aLiquid, noProduct}, Branch: true, Doc: "instead: the pressure itself, of a reservoir without end"},
	{Name: "gas", Kind: Table, Default: "-", With: []With{noProduct}, sub: &gasBlock, Doc: "instead: gas that fills the well at the start and expands without heat"},
	{Name: "jwl", Kind: Table, Default: "-", sub: &jwlBlock, Doc: "instead: the products of an explosive that has filled the well, by Jones, Wilkins and Lee"},
	{Name: "bulk", Kind: Quantity, Dim: Pressure, Bounds: positive, Default: "2.2e9", With: []With{with("viscosity"), noGasBulk, noProductBulk}, Doc: `bulk modulus of a liquid; "inf" for one that does not give`},
	{Name: "bulk", Kind: Quantity, Dim: Pressure, Bounds: positive, Default: "2.2e9", With: []With{notGiven, noGasBulk, noProductBulk}, Doc: "bulk modulus of a liquid"},
	{Name: "viscosity", Kind: Quantity, Dim: viscosity, Bounds: positive, Default: "-", With: []With{noGasFlow, noProductFlow}, Doc: "of a liquid that flows along cracks, each part of them at a pressure of its own; without it there is one pressure in all that is connected"},
	{Name: "volume", Kind: Quantity, Dim: Dimension{Length: 3}, Auto: true, Bounds: positive, Else: "what the well encloses, of a notch up to the line between its ends", With: []With{notGiven}, Doc: "of the well and of pipes and pumps behind it, full at the start"},
	{Name: "density", Kind: Quantity, Dim: Density, Bounds: positive, Default: "1000", With: []With{with("viscosity"), aLiquid, noProduct}, Doc: "of the liquid, for the Reynolds number that check tells; nothing of the fluid is inert"},
	{Name: "density", Kind: Quantity, Dim: Density, Bounds: positive, Else: "the pressure over 0.5 MJ/kg, that of a hot gas", With: []With{with("gas"), noProduct}, Doc: "of the gas at the start, for how fast it flows out into the open air"},
	{Name: "density", Kind: Quantity, Dim: Density, Bounds: positive, Default: "1000", With: []With{notGiven}, Doc: "of a liquid, or of an explosive, for how fast it flows out into the open air"},
	{Name: "residual", Kind: Quantity, Dim: Length, Bounds: notNegative, Default: "0", Doc: "aperture of a [[joint]] that is shut, through which the fluid goes from the start on; cracks have none"},
	{Name: "at_start", Kind: Quantity, Dim: Pressure, Bounds: notNegative, Default: `"dry"`, With: []With{with("residual")}, Doc: `joints with a residual aperture: "dry", "full" of a liquid without pressure or of the gas, or full of a liquid at this pressure, which the well has, too`},
	{Name: "entry", Kind: Quantity, Dim: Length, Bounds: notNegative, Default: "0", Doc: "opening below which the fluid does not enter a crack"},
	{Name: "cracks", Kind: List, Else: "all that can open", Doc: "bodies that break, or curves of [[joint]] and [[fracture]], whose cracks it may enter"},
	{Name: "drain", Kind: List, Default: "-", Doc: "curves, also inside bodies, where cracks and joints let the fluid out without pressure; what reaches another outline is in the open air, too, and said to be"},
	{Name: "schedule", Kind: Schedule, Default: "-", With: []With{aLiquid, noProduct}, Branch: true, Doc: "factor of the rate or the pressure over time, as of a load; without one it is constant"},
}}

var gasBlock = Block{Name: "fluid.gas", Doc: "Gas, p V^gamma constant.", Keys: []Key{
	{Name: "pressure", Kind: Quantity, Dim: Pressure, Bounds: positive, Default: "-", Doc: "at the start; must be given"},
	{Name: "gamma", Kind: Quantity, Bounds: Bounds{"must be greater than 1", func(v float64) bool { return v > 1 }}, Default: "1.4", Doc: "ratio of its specific heats"},
}}

var jwlBlock = Block{Name: "fluid.jwl", Doc: "The isentrope p = a e^(-r1 v) + b e^(-r2 v) + c v^-(1+omega), v the volume over that at the start. All must be given.", Keys: []Key{
	{Name: "a", Kind: Quantity, Dim: Pressure, Bounds: positive, Default: "-", Doc: "of the first term"},
	{Name: "b", Kind: Quantity, Dim: Pressure, Bounds: positive, Default: "-", Doc: "of the second"},
	{Name: "c", Kind: Quantity, Dim: Pressure, Bounds: positive, Default: "-", Doc: "of the third"},
	{Name: "r1", Kind: Quantity, Bounds: positive, Default: "-", Doc: "of the first"},
	{Name: "r2", Kind: Quantity, Bounds: positive, Default: "-", Doc: "of the second"},
	{Name: "omega", Kind: Quantity, Bounds: positive, Default: "-", Doc: "of the third"},
}}

func (d *Deck) readFluid(t *table) {
	wells := t.names("well", 0)
	f := solver.Fluid{Name: t.text("name"), On: strings.Join(wells, ", "), Volume: t.number("volume"), Residual: t.number("residual"), Entry: t.number("entry")}
	d.unique(t, "a fluid", f.Name)
	factor := d.schedule(t)
	scaled := func(v float64) solver.Schedule {
		if factor == nil {
			return func(float64) float64 { return v }
		}
		return func(at float64) float64 { return v * factor(at) }
	}
	gas, jwl, bulk := t.sub("gas"), t.sub("jwl"), bulkOf(t)
	f.Viscosity, f.Bulk, f.Density = t.number("viscosity"), bulk, t.number("density")
	rate, pressure := t.number("rate"), t.number("pressure")
	switch {
	case t.has("gas"):
		needs(gas, "gas", "pressure")
		f.Equation = fluid.Gas{Pressure: gas.number("pressure"), Gamma: gas.number("gamma")}
		if !t.has("density") {
			f.Density = gas.number("pressure") / energyOfGas
		}
	case t.has("jwl"):
		needs(jwl, "jwl", "a", "b", "c", "r1", "r2", "omega")
		f.Equation = fluid.JWL{A: jwl.number("a"), B: jwl.number("b"), C: jwl.number("c"), R1: jwl.number("r1"), R2: jwl.number("r2"), Omega: jwl.number("omega")}
	case t.has("pressure"):
		f.Pressure = scaled(pressure)
	case t.has("rate"):
		f.Equation, f.Rate = fluid.Liquid{Bulk: bulk}, scaled(rate)
	default:
		t.bad("well", `a fluid needs a rate, a pressure, a gas or jwl: for instance rate = "5e-3 m3/s"`)
	}
	f.Full, f.Start = startOf(t)
	cracks, drains := t.names("cracks", 0), t.names("drain", 0)
	d.onMesh = append(d.onMesh, func(r *resolver, m *solver.Model) { r.fill(t, m, f, wells, cracks, drains) })
}

// energyOfGas is the pressure over density of a hot gas: R T of air at 1700 K
// [J/kg].
const energyOfGas = 0.5e6

// startOf reads whether joints are full at the start, and their pressure [Pa].
func startOf(t *table) (full bool, pressure float64) {
	switch v, _ := t.raw("at_start"); v {
	case "full", "dry", nil:
		return v == "full", 0
	}
	if pressure = t.number("at_start"); t.has("gas") || t.has("jwl") || t.has("pressure") && !t.has("viscosity") {
		t.bad("at_start", `a pressure at the start is that of a liquid that is pumped or flows: "full" or "dry" here`)
	}
	return true, pressure
}

// bulkOf reads the bulk modulus of a liquid. It may be infinite for a viscous liquid,
// since the walls are deformable.
func bulkOf(t *table) float64 {
	if v, _ := t.raw("bulk"); v != "inf" {
		return t.number("bulk")
	}
	if !t.has("viscosity") {
		t.bad("bulk", `bulk = "inf" goes with viscosity: without, a full well that does not give has no pressure of its own`)
	}
	return math.Inf(1)
}

// needs stops if a table lacks a key.
func needs(t *table, of string, keys ...string) {
	for _, k := range keys {
		if !t.has(k) {
			t.bad(keys[0], "%s has no key %q: it must be given", of, k)
		}
	}
}

// fill finds the well of a fluid, and the cracks and joints that the fluid may
// enter.
func (r *resolver) fill(t *table, m *solver.Model, f solver.Fluid, wells, cracks, drains []string) {
	for _, name := range wells {
		g := r.group(t, "well", name)
		if len(g.Edges) == 0 {
			t.bad("well", "a well is a curve on the boundary of triangles, and %q has no boundary edge", name)
		}
		for _, e := range g.Edges {
			if slices.Contains(f.Well, e) {
				t.bad("well", "%q has edges of another curve of the well", name)
			}
		}
		f.Well = append(f.Well, g.Edges...)
	}
	for _, i := range f.Well {
		if r.mesh.Bodies[r.mesh.Edges[i].Body].Kind != mesh.OfTriangles {
			t.bad("well", "a well is in bodies of triangles, and %q is on %q", f.On, r.mesh.Bodies[r.mesh.Edges[i].Body].Name)
		}
		for j := range m.Fluids {
			if slices.Contains(m.Fluids[j].Well, i) {
				t.bad("well", "edges of %q are the well of fluid %q already", f.On, m.Fluids[j].Name)
			}
		}
	}
	area, whole := solver.WellVolume(r.mesh, f.Well)
	switch {
	case !whole:
		t.bad("well", "%q has several components with ends: a well is one wall, of a hole or from one side of the mouth of a notch to the other", f.On)
	case f.Equation != nil && f.Volume == 0:
		size := 0.0
		for _, i := range f.Well {
			d := r.mesh.Along(i)
			size += float64(d.X*d.X) + float64(d.Y*d.Y)
		}
		if area < -1e-9*size {
			t.bad("well", "%q goes round its body from outside: a well is the wall of a hole or of a notch; give the volume of what is outside, if it is meant", f.On)
		}
		if f.Volume = area * m.Thickness; !(area > 1e-9*size) {
			t.bad("well", "%q encloses no volume: give the volume of the well, and of what is behind it", f.On)
		}
	}
	f.Enters = r.entered(t, cracks)
	var outlets []*mesh.Group
	for _, name := range drains {
		of := r.group(t, "drain", name)
		outlets = append(outlets, of)
		if of.Dim != 1 {
			t.bad("drain", "a drain is a curve, %q is a %s", name, groupKinds[of.Dim])
		}
		for _, v := range of.Nodes {
			for _, e := range f.Well {
				if w := &r.mesh.Edges[e]; v == w.A || v == w.B {
					t.bad("drain", "%q touches the well %q", name, f.On)
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
func (r *resolver) entered(t *table, names []string) []bool {
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
			t.bad("cracks", "no [[fracture]] or [[joint]] is in or on %q", name)
		}
	}
	return enters
}

// besideWell stops at other blocks that act on the well of a fluid.
func (r *resolver) besideWell(t *table, m *solver.Model, f *solver.Fluid) {
	shares := func(edges []int32) bool {
		return slices.ContainsFunc(edges, func(i int32) bool { return slices.Contains(f.Well, i) })
	}
	for i := range m.Loads {
		if l := &m.Loads[i]; shares(l.Edges) {
			t.bad("well", "the wall of the well carries a load on %q: the fluid is its load", l.On)
		}
	}
	for i := range m.Absorbs {
		if a := &m.Absorbs[i]; shares(a.Edges) {
			t.bad("well", "the wall of the well lets waves out through %q: a well is in a body, not at its far end", a.On)
		}
	}
	for i := range m.Drives {
		d := &m.Drives[i]
		for _, w := range f.Well {
			if e := &r.mesh.Edges[w]; slices.Contains(d.Nodes, e.A) && slices.Contains(d.Nodes, e.B) {
				t.bad("well", "the wall of the well is driven on %q: it moves as the fluid and the rock have it", d.On)
			}
		}
	}
	for _, i := range f.Well {
		for _, x := range m.Excavations {
			if r.mesh.Edges[i].Body == x.Body {
				t.bad("well", "the well is in body %q, which is excavated", x.Name)
			}
		}
	}
}

// warnFluid warns of keys of a fluid that have no effect, or another effect than
// expected. encloses is the volume of its well [m3].
func (r *resolver) warnFluid(m *solver.Model, f *solver.Fluid, encloses float64, drains []*mesh.Group) {
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
		r.warn("fluid %q: there is no [[fracture]] and no [[joint]] that it may enter: it stays in its well", f.Name)
	}
	r.warnWeight(m, f, meets)
	if f.Residual > 0 && !joints {
		r.warn("fluid %q: residual is an aperture of joints that are shut, and there is no [[joint]] that the fluid may enter: nothing comes of it", f.Name)
	}
	if f.Equation != nil && f.Volume < 0.99*encloses {
		r.warn("fluid %q: volume is %.4g m3, and the well alone encloses %.4g m3", f.Name, f.Volume, encloses)
	}
	if f.Start > 0.1*f.Bulk {
		r.warn("fluid %q: %.4g Pa at the start press a liquid of bulk modulus %.4g Pa to %.3g of its volume", f.Name, f.Start, f.Bulk, 1/(1+f.Start/f.Bulk))
	}
	for _, of := range drains {
		if anything && !slices.ContainsFunc(of.Nodes, func(v int32) bool { return meets[v] }) {
			r.warn("fluid %q: nothing that can open comes to the drain %q: no fluid leaves there", f.Name, of.Name)
		}
	}
	const looks = 100
	for i := range looks + 1 {
		if at := m.Duration * float64(i) / looks; f.Pressure != nil && f.Pressure(at) < 0 {
			r.warn("fluid %q: its pressure is %.4g Pa at t = %.4g s: fluids do not pull, it is taken as 0", f.Name, f.Pressure(at), at)
			break
		}
	}
}

// warnWeight warns that a fluid has no weight although gravity acts on the rock. meets tells
// which vertices the fluid can reach.
func (r *resolver) warnWeight(m *solver.Model, f *solver.Fluid, meets []bool) {
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
	r.warn("fluid %q: gravity pulls at the bodies alone, the weight of the fluid is left out: from the top to the bottom of its well and all that can open it would make %.3g Pa%s", f.Name, density*(most-least), of)
}

// thickest is the viscosity above which a plain number probably has another unit [Pa s]. Gels
// of hydraulic fracture have up to 1 Pa s, and honey about 10.
const thickest = 2

// warnUnits warns of pressures, moduli and viscosities in the wrong unit.
func (r *resolver) warnUnits(t *table, f *solver.Fluid) {
	for _, of := range []struct {
		t   *table
		key string
	}{{t, "bulk"}, {t, "pressure"}, {t, "at_start"}, {t.sub("gas"), "pressure"}, {t.sub("jwl"), "a"}} {
		if v, is := of.t.withoutUnit(of.key); is {
			r.warn("fluid %q: %s is %g Pa, next to none: plain numbers are in SI; for another unit write \"%g MPa\" or \"%g GPa\"", f.Name, of.key, v, v, v)
		}
	}
	if v, is := bareNumber(t.values["viscosity"]); is && v > thickest {
		r.warn("fluid %q: viscosity is %g Pa s, %.3g times that of water: plain numbers are in SI; for another unit write \"%g mPa s\"", f.Name, v, 1e3*v, v)
	}
}
