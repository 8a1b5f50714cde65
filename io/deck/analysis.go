package deck

import (
	"math"
	"slices"

	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/solver/atrest"
	"fdem/solver/model"
)

var topBlock = tables.Block{Doc: "The title of the model and its mesh.", Keys: []tables.Key{
	{Name: "title", Kind: tables.Text, Default: "-", Doc: "title in results and pictures"},
	{Name: "mesh", Kind: tables.Text, Default: "-", Doc: "path of the mesh file, relative to the deck's folder. The default is the deck's own name with .msh. A deck of rigid bodies alone needs no mesh"},
	{Name: "mesh_unit", Kind: tables.Text, Default: `"m"`, Doc: "unit of the mesh's coordinates, \"mm\" or another unit of length"},
}}

// readTop reads the keys above all tables.
func (d *Deck) readTop(t *tables.Reader) {
	d.Title, d.Mesh = t.Text("title"), t.Text("mesh")
	d.model.Title = d.Title
	name := t.Text("mesh_unit")
	scale, err := tables.ParseScale(name, tables.Length, nil)
	if err != nil || name == "" || !(scale > 0) {
		t.Bad("mesh_unit", `mesh_unit must be a unit of length such as "mm", got %q`, name)
	}
	if t.Has("mesh_unit") {
		d.unit = scale
	}
}

var analysisBlock = tables.Block{Name: "analysis", Doc: "The kind of analysis, its time and its steps.", Read: ofDeck((*Deck).readAnalysis), Keys: []tables.Key{
	{Name: "type", Kind: tables.Word, Words: []string{"dynamic", "static"}, Default: `"dynamic"`, Doc: `"dynamic" is explicit in time. "static" applies loads and motions in increments, each in equilibrium`},
	{Name: "integrator", Kind: tables.Word, Words: []string{"explicit", "impulses"}, Default: `"explicit"`, With: []tables.With{tables.InTime}, Doc: `"explicit" takes short steps and lets bodies press on each other by contact laws. "impulses" is for rigid bodies alone: it takes steps that follow their motion, and impulses keep them apart (Moreau and Jean)`},
	{Name: "impulses", Kind: tables.Table, Default: "-", With: []tables.With{byImpulses}, Branch: true, Sub: &impulsesBlock, Doc: "accuracy of contact by impulses, see below"},
	{Name: "duration", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Example: `"385 us"`, With: []tables.With{tables.InTime}, Branch: true, Doc: "duration of the simulation"},
	{Name: "duration", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Default: "1 s", With: []tables.With{tables.InStatics}, Branch: true, Doc: "pseudo-time of the analysis. With the default, times in schedules are fractions of the analysis"},
	{Name: "until", Kind: tables.Word, Words: []string{"duration", "rest"}, Default: `"duration"`, With: []tables.With{tables.InTime}, Branch: true, Doc: `"duration", or "rest", which ends the run when nothing moves any more, and after the duration at the latest: for a tenth of the time so far nothing has moved by more than 2e-5 of the greatest root mean square displacement, and no load or motion of the deck changes any more`},
	{Name: "increments", Kind: tables.Whole, Bounds: tables.Within(1, 10000000), Default: "20", With: []tables.With{tables.InStatics}, Doc: "number of increments at the start. It grows if increments are cut. With [pores] and without this key the pressures say how long increments are"},
	{Name: "largest_increment", Kind: tables.Quantity, Also: []tables.Kind{tables.Share}, Dim: tables.Time, Bounds: tables.Positive, Else: "that of the start", With: []tables.With{tables.InStatics}, Doc: `greatest increment, to which increments grow if Newton's method converges easily; or "10 %" of the duration`},
	{Name: "smallest_increment", Kind: tables.Quantity, Also: []tables.Kind{tables.Share}, Dim: tables.Time, Bounds: tables.Positive, Else: "1/1024 of that of the start", With: []tables.With{tables.InStatics}, Doc: `smallest increment. Below it the analysis fails instead of cutting further; or "0.01 %" of the duration`},
	{Name: "iterations", Kind: tables.Whole, Bounds: tables.Within(1, 10000), Default: "30", With: []tables.With{tables.InStatics}, Doc: "greatest number of iterations of Newton's method in an increment. After it the increment is cut"},
	{Name: "tolerance", Kind: tables.Quantity, Bounds: tables.Positive, Default: "1e-8", With: []tables.With{tables.InStatics}, Doc: "tolerance of the unbalanced forces, relative to the greatest forces so far. Relative to the forces that an increment adds, its square root is the tolerance"},
	{Name: "step", Kind: tables.Quantity, Dim: tables.Time, Auto: true, Bounds: tables.Positive, Default: `"auto"`, With: []tables.With{tables.InTime}, Branch: true, Doc: "time step. \"auto\" takes the stable step times safety. A step above the stable one is an error. With integrator = \"impulses\" the automatic step follows the motion: a two-hundredth of the root of size over gravity, with the root of area of the smallest body as its size"},
	{Name: "safety", Kind: tables.Quantity, Bounds: tables.AtMostOne, Default: "0.8", With: []tables.With{tables.InTime, noImpulses("its step has no limit of stability")}, Branch: true, Doc: "time step over the stable step, at most 1"},
	{Name: "plane", Kind: tables.Word, Words: []string{"stress", "strain"}, Default: `"stress"`, Doc: `plane stress, "stress", for thin bodies; plane strain, "strain", for bodies that are long across the plane`},
	{Name: "thickness", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "1 m", Doc: "thickness of all meshed bodies"},
	{Name: "gravity", Kind: tables.Pair, Dim: tables.Acceleration, Default: "[0, 0]", Branch: true, Doc: "acceleration of gravity on all bodies. In a static analysis it grows linearly from zero"},
	{Name: "gravity_schedule", Kind: tables.Schedule, Default: "-", With: []tables.With{tables.If("gravity")}, Doc: "factor of gravity over time, as the schedule of a load. With it, the start is sudden"},
	{Name: "start", Kind: tables.Word, Words: []string{"equilibrium", "sudden"}, Default: `"equilibrium"`, With: []tables.With{tables.InTime}, Doc: `"equilibrium" brings bodies that rest on something at the start into balance with gravity and the loads of the start before the first step, and gives bodies that slide or tip there the stress that goes with their acceleration. "sudden" lets weight and loads act suddenly on the bodies as they are in the mesh`},
	{Name: "damping", Kind: tables.Table, Default: "-", With: []tables.With{tables.InTime}, Branch: true, Sub: &dampingBlock, Doc: "damping of the material, or for slow loads, see below. Without this key, meshes that slide on each other get light damping proportional to the stiffness; { stiffness = 0 } switches it off"},
	{Name: "quasi_static", Kind: tables.Flag, Default: "false", With: []tables.With{tables.InTime, noImpulses("rigid bodies have no strain energy")}, Branch: true, Doc: "loads are meant to be slow. The run warns at its end if the kinetic energy has exceeded 5 % of the greatest strain energy"},
	{Name: "residual_limit", Kind: tables.Quantity, Bounds: tables.Positive, Default: "0.05", With: []tables.With{tables.InTime}, Branch: true, Doc: "greatest energy residual, relative to the greatest energy that the run has held or moved so far. If the residual stays above it, the run stops as unstable"},
}}

var dampingBlock = tables.Block{Name: "analysis.damping", Doc: "Rayleigh damping of the material, and Cundall's local damping. Local damping brings a model to rest and is no property of the material. The work of both is in the energy ledger.", Keys: []tables.Key{
	{Name: "mass", Kind: tables.Quantity, Dim: tables.Frequency, Bounds: tables.NotNegative, Default: "0", Doc: "damping proportional to the mass. The force is mass times this number times the velocity"},
	{Name: "stiffness", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.NotNegative, Default: "0", With: []tables.With{noImpulses("rigid bodies do not deform")}, Doc: "damping proportional to the stiffness (Kelvin-Voigt). It shortens the stable step"},
	{Name: "local", Kind: tables.Quantity, Bounds: tables.BelowOne, Default: "0", With: []tables.With{noImpulses("take mass")}, Doc: "local damping: a force against the motion of each node, this share of its unbalanced force. 0.7 to 0.8 bring a model to rest within a few oscillations of any frequency. For slow loads only, since it slows bodies in free fall, too"},
}}

func (d *Deck) readAnalysis(t *tables.Reader) {
	m := &d.model
	d.doc.Facts["type"], d.doc.Facts["integrator"] = t.Word("type"), t.Word("integrator")
	m.Duration = t.Number("duration")
	if d.doc.Facts["type"] == "static" {
		d.readStatic(t)
	} else {
		m.FixedStep, m.Safety, m.ResidualLimit = t.Number("step"), t.Number("safety"), t.Number("residual_limit")
		damping := t.Sub("damping")
		damping.Check(nil)
		m.Damping = model.Damping{Mass: damping.Number("mass"), Stiffness: damping.Number("stiffness"), Local: damping.Number("local"), Light: !t.Has("damping")}
		m.QuasiStatic = t.Flag("quasi_static")
		if t.Word("start") == "sudden" {
			m.Start = model.StartSudden
		}
		d.readImpulses(t)
		d.readUntil(t)
	}
	if t.Word("plane") == "strain" {
		m.Plane = bulk.PlaneStrain
	}
	m.Thickness = t.Number("thickness")
	m.Gravity = t.Vector("gravity")
	if t.Has("gravity_schedule") {
		m.GravitySchedule = d.scheduleOf(t, "gravity_schedule")
	}
	d.doc.Numbers["duration"], d.doc.Numbers["thickness"] = m.Duration, m.Thickness
}

// readUntil reads whether the run ends at rest.
func (d *Deck) readUntil(t *tables.Reader) {
	if t.Word("until") != "rest" {
		return
	}
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		m.UntilRest = &model.UntilRest{}
		r.checks = append(r.checks, func() {
			switch {
			case len(m.Fluids) > 0:
				t.Bad("until", "until = \"rest\" does not go with [[fluid]]: a fluid may flow on while nothing moves; give the duration")
			case m.Pores != nil:
				t.Bad("until", "until = \"rest\" does not go with [pores]: their fluid may flow on while nothing moves; give the duration")
			case m.Heat != nil:
				t.Bad("until", "until = \"rest\" does not go with temperatures: heat may flow on while nothing moves; give the duration")
			}
			if m.UntilRest.From = atrest.LastChange(m, d.changes); math.IsInf(m.UntilRest.From, 1) {
				r.warn("[analysis]: until = \"rest\" ends nothing before the duration, since a load or a motion of the deck changes until then")
			}
		})
	})
}

// readStatic reads the increments of a static analysis.
func (d *Deck) readStatic(t *tables.Reader) {
	m := &d.model
	m.Safety = 1
	s := &model.Static{Iterations: t.Whole("iterations"), Tolerance: t.Number("tolerance"), Breaks: []float64{m.Duration}, Whole: m.Duration}
	m.Static = s
	s.Increment = m.Duration / float64(t.Whole("increments"))
	s.Largest, s.Smallest = d.span(t, "largest_increment", s.Increment), d.span(t, "smallest_increment", s.Increment/1024)
	if s.Largest < s.Increment {
		t.Bad("largest_increment", "largest_increment must not be below the first increment, %g s, got %g s", s.Increment, s.Largest)
	}
	if s.Smallest > s.Increment {
		t.Bad("smallest_increment", "smallest_increment must not be above the first increment, %g s, got %g s", s.Increment, s.Smallest)
	}
}

// span reads an interval of pseudo-time, or a fraction of the duration, in seconds.
func (d *Deck) span(t *tables.Reader, key string, otherwise float64) float64 {
	k := t.EntryOf(key, tables.Quantity)
	if v, ok := t.Raw(key); ok {
		return t.Bounded(k, d.instant(t, key, v))
	}
	return otherwise
}

// breaks adds times at which a schedule is not smooth. Increments of a static
// analysis end there.
func (d *Deck) breaks(times []float64) {
	d.kinks, d.changes = append(d.kinks, times...), append(d.changes, times...)
	d.endIncrements(times)
}

// endIncrements lets increments of a static analysis end at some times.
func (d *Deck) endIncrements(times []float64) {
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
// from zero, from its time on to the end or within the stage that installs it.
func (d *Deck) ramped(s model.Schedule, when stage) model.Schedule {
	if s != nil || d.model.Static == nil {
		return s
	}
	from, end := when.From, d.model.Duration
	if when.grown > 0 {
		end = when.grown
	}
	return func(t float64) float64 { return min(1, max(0, t-from)/(end-from)) }
}
