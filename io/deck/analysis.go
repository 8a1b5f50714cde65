package deck

import (
	"slices"

	"fdem/materials/bulk"
	"fdem/solver"
)

var topBlock = Block{Doc: "What the model is called and where its mesh is.", Keys: []Key{
	{Name: "title", Kind: Text, Default: "-", Doc: "shown in results and pictures"},
	{Name: "mesh", Kind: Text, Default: "-", Doc: "the mesh file, as seen from the deck's folder; without it, the deck's own name with .msh. A deck of rigid bodies alone needs none"},
	{Name: "mesh_unit", Kind: Text, Default: `"m"`, Doc: "what the mesh is drawn in, \"mm\" or another unit of length"},
}}

// readTop reads the keys above all tables.
func (d *Deck) readTop(t *table) {
	d.Title, d.Mesh = t.text("title"), t.text("mesh")
	d.model.Title = d.Title
	name := t.text("mesh_unit")
	scale, err := ParseScale(name, Length, nil)
	if err != nil || name == "" || !(scale > 0) {
		t.bad("mesh_unit", `mesh_unit must be a unit of length such as "mm", got %q`, name)
	}
	if t.has("mesh_unit") {
		d.unit = scale
	}
}

var analysisBlock = Block{Name: "analysis", Doc: "What is computed.", read: (*Deck).readAnalysis, Keys: []Key{
	{Name: "type", Kind: Word, Words: []string{"dynamic", "static"}, Default: `"dynamic"`, Doc: `"dynamic", explicit in time, or "static": loads and motions are followed through increments in balance`},
	{Name: "duration", Kind: Quantity, Dim: Time, Bounds: positive, Example: `"385 us"`, With: []With{inTime}, Branch: true, Doc: "how long to simulate"},
	{Name: "duration", Kind: Quantity, Dim: Time, Bounds: positive, Default: "1 s", With: []With{inStatics}, Branch: true, Doc: "a pseudo-time: where it is not given, times in schedules are fractions"},
	{Name: "increments", Kind: Whole, Bounds: within(1, 10000000), Default: "20", With: []With{inStatics}, Doc: "number of increments, as long as none is cut"},
	{Name: "largest_increment", Kind: Quantity, Dim: Time, Bounds: positive, Else: "that of the start", With: []With{inStatics}, Doc: `that an increment may grow to after easy ones; or "10 %" of the duration`},
	{Name: "smallest_increment", Kind: Quantity, Dim: Time, Bounds: positive, Else: "1/1024 of that of the start", With: []With{inStatics}, Doc: `below which an increment is not cut; or "0.01 %" of the duration`},
	{Name: "iterations", Kind: Whole, Bounds: within(1, 10000), Default: "30", With: []With{inStatics}, Doc: "of Newton's method before an increment is cut"},
	{Name: "tolerance", Kind: Quantity, Bounds: positive, Default: "1e-8", With: []With{inStatics}, Doc: "of the forces out of balance, relative to the greatest so far; its root, relative to those that an increment brings"},
	{Name: "step", Kind: Quantity, Dim: Time, Auto: true, Bounds: positive, Default: `"auto"`, With: []With{inTime}, Branch: true, Doc: "the time step; found where it is not given, refused above the stable one"},
	{Name: "safety", Kind: Quantity, Bounds: atMostOne, Default: "0.8", With: []With{inTime}, Branch: true, Doc: "share of the stable step that is taken, at most 1"},
	{Name: "plane", Kind: Word, Words: []string{"stress", "strain"}, Default: `"stress"`, Doc: `"stress" for thin bodies, "strain" for long ones`},
	{Name: "thickness", Kind: Quantity, Dim: Length, Bounds: positive, Default: "1 m", Doc: "of all meshed bodies"},
	{Name: "gravity", Kind: Pair, Dim: Acceleration, Default: "[0, 0]", Branch: true, Doc: "pulls at every node; in a static analysis it grows evenly from nothing"},
	{Name: "gravity_schedule", Kind: Schedule, Default: "-", With: []With{with("gravity")}, Doc: "factor of gravity over time, as of a load; without one what rests on something at the start of a run in time gets its weight smoothly, all else at once"},
	{Name: "damping", Kind: Table, Default: "-", With: []With{inTime}, Branch: true, sub: &dampingBlock, Doc: "of the material, or for loads that are slow, see below; without it meshes that slide on each other under gravity get a little of stiffness, { stiffness = 0 } goes without"},
	{Name: "quasi_static", Kind: Flag, Default: "false", With: []With{inTime}, Branch: true, Doc: "loads are meant to be slow: the run warns at its end where the kinetic energy has passed 5 % of the greatest strain energy"},
	{Name: "residual_limit", Kind: Quantity, Bounds: positive, Default: "0.05", With: []With{inTime}, Branch: true, Doc: "the run stops as unstable where the energy residual stays above this share of the greatest energy that the run has held or moved so far"},
}}

var dampingBlock = Block{Name: "analysis.damping", Doc: "Damping of the material (Rayleigh), and local damping (Cundall), which leads to rest and is none of the material's; its work is in the energy ledger.", Keys: []Key{
	{Name: "mass", Kind: Quantity, Dim: Frequency, Bounds: notNegative, Default: "0", Doc: "proportional to the mass: a force of mass times this times the velocity"},
	{Name: "stiffness", Kind: Quantity, Dim: Time, Bounds: notNegative, Default: "0", Doc: "proportional to the stiffness (Kelvin-Voigt); shortens the stable step"},
	{Name: "local", Kind: Quantity, Bounds: belowOne, Default: "0", Doc: "share of the force out of balance on a node that holds back its motion; 0.7 to 0.8 lead to rest within a few swings, whatever their frequency. For slow loads only: what falls freely or flies is held back, too"},
}}

func (d *Deck) readAnalysis(t *table) {
	m := &d.model
	d.doc.facts["type"] = t.word("type")
	m.Duration = t.number("duration")
	if d.doc.facts["type"] == "static" {
		d.readStatic(t)
	} else {
		m.FixedStep, m.Safety, m.ResidualLimit = t.number("step"), t.number("safety"), t.number("residual_limit")
		damping := t.sub("damping")
		m.Damping = solver.Damping{Mass: damping.number("mass"), Stiffness: damping.number("stiffness"), Local: damping.number("local"), Light: !t.has("damping")}
		m.QuasiStatic = t.flag("quasi_static")
	}
	if t.word("plane") == "strain" {
		m.Plane = bulk.PlaneStrain
	}
	m.Thickness = t.number("thickness")
	m.Gravity = t.vector("gravity")
	if t.has("gravity_schedule") {
		m.GravitySchedule = d.scheduleOf(t, "gravity_schedule")
	}
	d.doc.numbers["duration"], d.doc.numbers["thickness"] = m.Duration, m.Thickness
}

// readStatic reads the increments of a static analysis.
func (d *Deck) readStatic(t *table) {
	m := &d.model
	m.Safety = 1
	s := &solver.Static{Iterations: t.whole("iterations"), Tolerance: t.number("tolerance"), Breaks: []float64{m.Duration}, Whole: m.Duration}
	m.Static = s
	s.Increment = m.Duration / float64(t.whole("increments"))
	s.Largest, s.Smallest = d.span(t, "largest_increment", s.Increment), d.span(t, "smallest_increment", s.Increment/1024)
	if s.Largest < s.Increment {
		t.bad("largest_increment", "largest_increment must not be below the first increment, %g s, got %g s", s.Increment, s.Largest)
	}
	if s.Smallest > s.Increment {
		t.bad("smallest_increment", "smallest_increment must not be above the first increment, %g s, got %g s", s.Increment, s.Smallest)
	}
}

// span reads a length of pseudo-time, or a part of the duration.
func (d *Deck) span(t *table, key string, otherwise float64) float64 {
	k := t.entryOf(key, Quantity)
	if v, ok := t.raw(key); ok {
		return t.bounded(k, d.instant(t, key, v))
	}
	return otherwise
}

// breaks adds times at which a schedule is not smooth. Increments of a static
// analysis end there.
func (d *Deck) breaks(times []float64) {
	d.kinks = append(d.kinks, times...)
	s := d.model.Static
	if s == nil {
		return
	}
	for _, at := range times {
		if at > 0 && at < d.model.Duration {
			s.Breaks = append(s.Breaks, at)
		}
	}
	slices.Sort(s.Breaks)
	s.Breaks = slices.Compact(s.Breaks)
}

// ramped gives a load of a static analysis without a schedule a linear ramp
// from zero.
func (d *Deck) ramped(s solver.Schedule) solver.Schedule {
	if s != nil || d.model.Static == nil {
		return s
	}
	end := d.model.Duration
	return func(t float64) float64 { return t / end }
}
