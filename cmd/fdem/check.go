package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fdem/benchmarks"
	"fdem/io/curves"
	"fdem/materials/fluid"
	"fdem/solver"
	"fdem/solver/contacts"
	flows "fdem/solver/flow"
	"fdem/solver/forces"
	models "fdem/solver/model"
	"fdem/solver/rest"
	"fdem/solver/system"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/spatial/r2"
)

func newCheckCommand() *cobra.Command {
	var deckPath string
	var set []string
	var asJSON bool
	var several int
	c := &cobra.Command{
		Use:   "check MODEL",
		Short: "Read and check a model, and predict the time and size of a run",
		Long: `Read and check a model. Print its contents, the stiffness of its contacts, and what
a run would take: steps, time, memory, output. Time and steps are predicted from
the beginning of the run, which is computed without output: all of a run of half a
second, of a longer run a third of its time, at most two seconds. Later fracture
is predicted from the growth of stress so far. If more contacts close later, the run
takes longer. No file is written.`,
		Example:           "  fdem check examples/elastic-collision/elastic-collision.msh",
		Args:              exactly("MODEL"),
		ValidArgsFunction: completeFiles("msh", "inp", "toml"),
		RunE:              func(c *cobra.Command, args []string) error { return check(c, args[0], deckPath, set, asJSON, several) },
	}
	c.Flags().StringVar(&deckPath, "deck", "", "the deck, if it is not beside the mesh")
	c.Flags().StringArrayVar(&set, "set", nil, "change a key of the deck, key=value; may be repeated")
	c.Flags().IntVar(&several, "ranks", 1, "predict the exchange and the gain of this number of ranks under mpirun")
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON on standard output")
	return c
}

func check(c *cobra.Command, path, deckPath string, set []string, asJSON bool, several int) error {
	if several < 1 || several > maxRanks {
		return fmt.Errorf("--ranks must lie between 1 and %d, got %d", maxRanks, several)
	}
	began := benchmarks.ProcessorTime()
	in, err := readChanged(path, deckPath, set)
	if err != nil {
		return err
	}
	s, err := solver.New(in.model)
	var overlap *contacts.OverlapError
	if err != nil && !errors.As(err, &overlap) {
		return in.locate(err)
	}
	computed, err := in.curves(s)
	if err != nil {
		return err
	}
	out := c.OutOrStdout()
	if asJSON {
		if overlap != nil {
			return in.locate(overlap)
		}
		if err := in.held(s); err != nil {
			return err
		}
		return writeCheckJSON(out, in, s, computed, began)
	}
	fmt.Fprintf(out, "%s\n%s with %s\n", orStem(in.model.Title, in.stem), in.deckPath, cmp.Or(in.meshPath, "no mesh"))
	writeModel(out, in, s, computed, overlap == nil)
	if overlap != nil {
		return in.locate(overlap)
	}
	return writePrediction(out, in, s, computed, several, began)
}

// writeModel writes what a model holds, its warnings first. known tells that bodies do not overlap,
// so that the stiffness of contacts is known.
func writeModel(out io.Writer, in *input, s *solver.Solver, computed *curves.Set, known bool) {
	m := in.model
	for _, w := range in.warned(s) {
		fmt.Fprintf(out, "warning: %s\n", w)
	}
	if idle := in.deck.Idle; len(idle) > 0 {
		fmt.Fprintf(out, "not used in the mesh: %s\n", quoted(idle))
	}
	writeBodies(out, s)
	for _, line := range begins(s) {
		fmt.Fprintln(out, line)
	}
	writeContacts(out, s, known)
	writeLinks(out, m)
	for _, line := range append(s.Kinds.Heat.Describe(), s.Kinds.Pores.Describe()...) {
		fmt.Fprintln(out, line)
	}
	writeComputed(out, computed)
	if m.Fracture != nil {
		writeFracture(out, s)
	}
	if len(m.Mesh.Triangles) > 0 {
		writeQuality(out, m)
	}
}

// suitsImpulses tells whether a model with contact laws could do without.
func suitsImpulses(m *models.Model) bool {
	if m.Impulses != nil || m.Static != nil || len(m.Bodies) > 0 || len(m.Particles.X) > 0 || len(m.Springs) > 0 || len(m.ByVolume) > 0 || len(m.Contacts) == 0 {
		return false
	}
	for i := range m.Contacts {
		if k := &m.Contacts[i]; k.LawName != "auto" || k.Penetration.Share > 0 {
			return false
		}
	}
	return slices.ContainsFunc(m.Rigids, func(b models.Rigid) bool { return b.Mass > 0 })
}

// elasticRow is the restitution above which an impact through touching bodies has no unique answer.
const elasticRow = 0.5

// impulsesCannotTell returns warnings of what contact by impulses cannot tell in a model.
func impulsesCannotTell(s *solver.Solver) (out []string) {
	if s.Model.Impulses == nil {
		return nil
	}
	isOfForces := func(p models.Probe) bool { return p.Quantity == "contact_force" && !p.Particle }
	ofPoints := slices.ContainsFunc(s.Probes, func(p models.Probe) bool { return isOfForces(p) && (p.Region == nil || p.Region.Take != "sum") })
	row, redundant := s.ImpulsesAtStart(elasticRow, !ofPoints)
	if row != "" {
		out = append(out, fmt.Sprintf("%q touches two other bodies at the start, with a restitution above %g: an impact that passes through touching rigid bodies has no unique answer; leave small gaps, or take the explicit integrator", row, elasticRow))
	}
	if redundant > 0 && slices.ContainsFunc(s.Probes, isOfForces) {
		out = append(out, fmt.Sprintf("a probe asks for a contact_force, and touching bodies have %d forces more than statics determines: rigid bodies have one of many possible sets, whose sums alone are certain", redundant))
	}
	return out
}

// writePrediction writes the predicted time and output of a run, and the exchange among a
// number of ranks.
func writePrediction(out io.Writer, in *input, s *solver.Solver, computed *curves.Set, several int, began float64) error {
	step := s.Limit
	if s.Static != nil {
		fmt.Fprintf(out, "static: %d unknowns, increments of %.4g of %.4g, not below %.3g\n", s.Freedoms.N, s.Static.Increment, s.Duration, s.Static.Smallest)
		if unrestrained := s.Unrestrained(); len(unrestrained) > 0 {
			fmt.Fprintln(out, solver.Advice(unrestrained))
		}
	}
	if err := in.held(s); err != nil {
		return err
	}
	f, err := predict(in, s, computed, began)
	if err != nil {
		return fmt.Errorf("%s: %w", in.deckPath, err)
	}
	if says := s.Softened(); says != "" {
		fmt.Fprintf(out, "%s, in what check has computed of the run\n", says)
	}
	if s.Static == nil {
		writeStep(out, s, step, &f)
	} else if f.Seconds > 0 {
		fmt.Fprintf(out, "about %.0f increments, about %s with contact and output%s\n", f.Steps, howLong(max(f.Seconds, 0.1), 100*time.Millisecond), unseen(&f))
	}
	if several > 1 && s.Static == nil {
		writeRanks(out, s, several, &f)
	}
	return writeSizes(out, in, s, &f.Sizes)
}

// unseen returns a text about the part of a run from which its time is
// predicted.
func unseen(f *estimate) string {
	if f.Complete {
		return ""
	}
	return fmt.Sprintf(" if it goes on as in its first %.2g %%", 100*f.Seen)
}

// writeBodies writes the bodies, and the blocks that hold or drive them.
func writeBodies(out io.Writer, s *solver.Solver) {
	size := s.Size()
	motions := s.Motions()
	for i, d := range s.Describe() {
		fmt.Fprintf(out, "%s %q: %s", d.Kind, d.Name, d.Made)
		if d.Velocity != "" {
			fmt.Fprintf(out, ", %s %s m/s", d.Velocity, average(&motions[i], size))
		}
		fmt.Fprintln(out)
	}
	for _, f := range s.Model.Fixes {
		fmt.Fprintf(out, "fix %q: %d nodes, x %v, y %v", f.On, len(f.Nodes), f.X, f.Y)
		if s.Theta != nil { // some nodes rotate
			fmt.Fprintf(out, ", rotation %v", f.Rotation)
		}
		if f.From > 0 {
			fmt.Fprintf(out, ", from %.6g s on", f.From)
		}
		if f.Until > 0 {
			fmt.Fprintf(out, ", until %.6g s", f.Until)
		}
		fmt.Fprintln(out)
	}
	for _, d := range s.Model.Drives {
		fmt.Fprintf(out, "drive %q: %d nodes, x %v, y %v", d.On, len(d.Nodes), d.X, d.Y)
		if s.Theta != nil {
			fmt.Fprintf(out, ", rotation %v", d.Rotation)
		}
		fmt.Fprintln(out)
	}
}

// writeContacts writes the contacts, with their stiffness if it is known.
func writeContacts(out io.Writer, s *solver.Solver, known bool) {
	m := s.Model
	for i, k := range m.Contacts {
		sides := "one-sided"
		if k.TwoSided || slices.Equal(k.Contactor, k.Opposite) { // "all" on "all"
			sides = "two-sided"
		}
		fmt.Fprintf(out, "contact %q: %d contactor edges with %d contact nodes each, %d opposite edges, law %q, friction %g, %s\n",
			k.Name, len(k.Contactor), k.NodesPerElement, len(k.Opposite), k.LawName, k.Friction.Kinetic, sides)
		if to := contactRemainder(m.Contacts, i); to != "" {
			fmt.Fprintf(out, "  %s\n", to)
		}
		if known {
			writeStiffness(out, s, i)
		}
	}
	for _, v := range m.ByVolume {
		fmt.Fprintf(out, "contact %q: by volume, %d components on %d, law %q, friction %g\n", v.Name, len(v.First), len(v.Second), v.LawName, v.Friction)
	}
	if m.Impulses != nil {
		for _, k := range m.Impulses.Contacts {
			fmt.Fprintf(out, "contact %q: by impulses, %d bodies on %d, friction %g, restitution %g", k.Name, len(k.Contactor), len(k.Opposite), k.Friction, k.Restitution)
			if k.Rolling > 0 {
				fmt.Fprintf(out, ", rolling friction %g", k.Rolling)
			}
			fmt.Fprintln(out)
		}
	}
	for _, f := range s.ContactForces() {
		if f.Points {
			fmt.Fprintf(out, "interaction %q\n", f.Name)
		}
	}
}

// writeComputed writes the curves and results computed from the history.
func writeComputed(out io.Writer, c *curves.Set) {
	for _, k := range c.Curves {
		fmt.Fprintf(out, "curve %q%s: %s\n", k.Name, bracketed(k.Unit), k.Of)
	}
	for _, k := range c.Results {
		fmt.Fprintf(out, "result %q%s: %s\n", k.Name, bracketed(k.Unit), k.Words())
	}
}

func bracketed(unit string) string {
	if unit == "" {
		return ""
	}
	return " [" + unit + "]"
}

// writeLinks writes the springs, bolts, linings and ties, and the excavated bodies.
func writeLinks(out io.Writer, m *models.Model) {
	for i := range m.Springs {
		fmt.Fprintf(out, "spring %q: %s\n", m.Springs[i].Name, springWords(&m.Springs[i]))
	}
	for i := range m.Bolts {
		p := &m.Bolts[i]
		when := ""
		if p.From > 0 {
			when = fmt.Sprintf(", installed at t = %.4g s", p.From)
		}
		fmt.Fprintf(out, "bolt %q: %.4g m, bonded over %.4g m, at %d points; its force changes within 1/alpha = %.3g m, edges along it are %.3g m%s\n", p.Name, p.Along[len(p.Along)-1], p.Along[len(p.Along)-1]-p.Free, len(p.Points), 1/p.Law.Alpha(), p.EdgeAlong, when)
	}
	for i := range m.Linings {
		p := &m.Linings[i]
		fmt.Fprintf(out, "lining %q: joined to the wall at %d nodes by an interface of %.3g GPa/m, and %.3g GPa/m along it\n", p.Name, len(p.Bonds), 1e-9*p.Normal, 1e-9*p.Shear)
	}
	for _, k := range m.Ties {
		if k.From > 0 {
			fmt.Fprintf(out, "tie %q: %d edges, which it joins at t = %.4g s to those that face them\n", k.Name, len(k.On), k.From)
			continue
		}
		fmt.Fprintf(out, "tie %q: %d nodes on %d edges, each opposite an edge; greatest gap %.4g mm", k.Name, len(k.Rows), len(k.To), 1e3*k.Gap)
		if k.Unshared > 1e-6 {
			fmt.Fprintf(out, ", %.3g %% of its length not opposite the other curve", 100*k.Unshared)
		}
		fmt.Fprintln(out)
	}
	for _, x := range m.Excavations {
		fmt.Fprintf(out, "body %q is excavated from t = %.4g s on\n", x.Name, x.At)
	}
	for i := range m.Fluids {
		writeFluid(out, m, &m.Fluids[i])
	}
}

// writeFluid writes the fluid of a well, and whether it can leave the well.
func writeFluid(out io.Writer, m *models.Model, f *models.Fluid) {
	what := "a given pressure"
	switch e := f.Equation.(type) {
	case fluid.Liquid:
		what = fmt.Sprintf("pumped, bulk modulus %.4g Pa, volume %.4g m3: %.4g Pa for each injected mm3 as long as the walls are rigid", e.Bulk, f.Volume, e.Bulk*1e-9/f.Volume)
	case fluid.Gas:
		what = fmt.Sprintf("gas at %.4g Pa in %.4g m3, stores %.4g J", e.Pressure, f.Volume, f.Volume*e.At(1).Energy)
	case fluid.JWL:
		what = fmt.Sprintf("products of an explosive at %.4g Pa in %.4g m3, store %.4g J", e.At(1).Pressure, f.Volume, f.Volume*e.At(1).Energy)
	}
	flow := "one pressure in all connected space"
	if f.Viscosity > 0 {
		flow = fmt.Sprintf("flow along cracks with a viscosity of %.4g Pa s", f.Viscosity)
	}
	fmt.Fprintf(out, "fluid %q: well %q of %d edges, %s; %s\n", f.Name, f.On, len(f.Well), what, flow)
	if m.Fracture == nil {
		fmt.Fprintf(out, "  nothing can open, so the fluid stays in its well\n")
		return
	}
	if f.Rate == nil {
		return
	}
	if rise, strength := f.Strike(m); rise > strength && !math.IsInf(rise, 1) {
		fmt.Fprintf(out, "  at this rate the pressure in a rigid well rises by %.3g Pa while a wave goes round its wall, and the strength of the rock is %.3g Pa: the pump acts like an impact; take a lower rate or a smooth schedule\n", rise, strength)
	}
	if f.Viscosity > 0 {
		writeRegime(out, m, f)
	}
}

// writeRegime writes the regime of a hydraulic fracture in plane strain, at the
// greatest rate of its schedule, if half of the fluid goes to each side.
func writeRegime(out io.Writer, m *models.Model, f *models.Fluid) {
	r := f.Regime(m)
	if !(r.Rate > 0) {
		return
	}
	fmt.Fprintf(out, "  at %.4g m2/s into two wings the Reynolds number is %.3g", r.Rate, r.Reynolds)
	if r.Reynolds > flows.Laminar {
		fmt.Fprintf(out, ": the flow is turbulent, and the cubic law gives too much flow")
	}
	fmt.Fprintln(out)
	if !(r.Toughness > 0) {
		return
	}
	what := "toughness and viscosity both matter"
	switch {
	case r.Number < 0.7:
		what = "dominated by viscosity"
	case r.Number > 4:
		what = "dominated by toughness"
	}
	fmt.Fprintf(out, "  toughness %.4g Pa m^(1/2), K_m = %.3g: %s; after %.4g s a fracture would be %.4g m long to each side, which is %.3g edges\n",
		r.Toughness, r.Number, what, m.Duration, r.Length, r.Length/r.Edge)
	if r.Stress > 0 {
		fmt.Fprintf(out, "  a dry zone at the tip (lag) ends about t = %.3g s under %.4g Pa\n", r.Lag, r.Stress)
	}
}

// writeFracture writes which edges can break or separate, their brittleness, and how much
// shorter steps become.
func writeFracture(out io.Writer, s *solver.Solver) {
	k := s.Fracture
	for i, f := range k.Sizes {
		if k.Joints[i] {
			fmt.Fprintf(out, "joint %q: %d edges, friction %.4g\n", f.Where, f.Breakable, k.Regions[i].Law.ResidualFriction)
			continue
		}
		fmt.Fprintf(out, "fracture of %q: %d edges; characteristic length %.4g mm, cohesive zone %.4g mm, edges of up to %.2g of it; opens in some %.3g us\n",
			f.Where, f.Breakable, 1e3*f.Length, 1e3*f.Zone, f.Edge/f.Zone, 1e6*f.Time)
		if left := s.CrackStep(i); left > 0 {
			fmt.Fprintf(out, "  cracks reduce the time step at most to %.2g of that of the whole bodies; contact of fragments may reduce it further\n", left)
		}
	}
	if rattle := s.RattleShare(); rattle < 1 {
		fmt.Fprintf(out, "  from the first crack on the time step is reduced to %.2g of its length: crack faces have no friction, and there is no damping\n", rattle)
	}
}

// writeQuality writes the quality of the mesh.
func writeQuality(out io.Writer, m *models.Model) {
	q := m.Mesh.Quality()
	fmt.Fprintf(out, "mesh quality: worst %.3f (triangle %d), mean %.3f; smallest angle %.1f degrees; edges from %.4g to %.4g mm", q.Worst, q.WorstTriangle, q.Mean, q.SmallestAngle*180/math.Pi, 1e3*q.ShortestEdge, 1e3*q.LongestEdge)
	if m.Mesh.Turned > 0 {
		fmt.Fprintf(out, "; the nodes of %d clockwise triangles were reordered", m.Mesh.Turned)
	}
	fmt.Fprintln(out)
	for i, across := range m.Mesh.Thin()[:len(m.Bodies)] {
		if across > 0 {
			fmt.Fprintf(out, "body %q has about %.0f triangles across: it is too stiff in bending, by 8 to 12 %% with 5 triangles across, 2 to 4 %% with 10, 1 %% with 20\n", m.Bodies[i].Name, across)
		}
	}
}

// writeStep writes the length of the step, its limit, and the time of a run.
func writeStep(out io.Writer, s *solver.Solver, step float64, f *estimate) {
	fmt.Fprintf(out, "step %.4g s, about %.0f steps to %.4g s, about %s with contact, cracks and output%s\n", step, f.Steps, s.Duration,
		howLong(max(f.Seconds, 0.1), 100*time.Millisecond), unseen(f))
	if more := s.Unpredicted(); more != "" && !f.Complete {
		fmt.Fprintln(out, more)
	}
	if limits := s.Profile().Limits; len(limits) > 0 && limits[0].Name == "springs" {
		fmt.Fprintf(out, "the time step is short because of the spring %q\n", limits[0].Where)
	}
	if cost := s.DampingCost(); cost != "" {
		fmt.Fprintln(out, cost)
	}
	if suitsImpulses(s.Model) {
		fmt.Fprintln(out, `all bodies are rigid and no contact has a law: integrator = "impulses" in [analysis] takes steps that follow the motion, mostly a hundred times as long`)
	}
	fmt.Fprintf(out, "memory about %.0f MB\n", 1e-6*float64(s.Bytes()))
}

// writeStiffness writes the stiffness of a contact, and its penetration at a
// pressure that strains the softer side by a thousandth.
func writeStiffness(out io.Writer, s *solver.Solver, i int) {
	k := &s.Model.Contacts[i]
	if k.Young == 0 { // rigid bodies
		if k.Factor > 0 {
			fmt.Fprintf(out, "  %s\n", found(k))
		}
		return
	}
	const strain = 1e-3
	e := s.Expect(i, strain*k.Young)
	if k.Factor > 0 {
		fmt.Fprintf(out, "  %s\n", found(k))
	} else {
		fmt.Fprintf(out, "  k = %.3g Pa/m at %.3g Pa, %.3g times that of k = \"auto\", which follows from the softer side's modulus, %.3g Pa, and the finer edges, %.3g mm\n",
			e.Stiffness, strain*k.Young, e.Stiffness/k.Suitable, k.Young, 1e3*k.Edge)
	}
	fmt.Fprintf(out, "  deflection %.3g m at %.3g Pa, a thousandth of the softer side's modulus: %.2g of the finer edge", e.Deflection, strain*k.Young, e.Deflection/k.Edge)
	if s.Static == nil {
		fmt.Fprintf(out, "; step %.3g s with contact at that pressure, %.3g s without contact", e.Step, e.Free)
	}
	fmt.Fprintln(out)
	for _, f := range contacts.FacetsOf(s.Model, i) {
		few, fair := f.Width(0.1), f.Width(0.03)
		fmt.Fprintf(out, "  %q is round there, a polygon of radius %.3g mm and edges of %.3g mm: forces are about 3 %% low where it is pressed %.2g mm wide (flats nearer by %.2g mm a side), 10 %% at %.2g mm (%.2g mm), less where wider\n",
			f.Body, 1e3*f.Radius, 1e3*f.Edge, 1e3*fair, 1e3*f.Approach(fair), 1e3*few, 1e3*f.Approach(few))
	}
	if pairs := s.FastPairs(i); len(pairs) > 0 {
		more := ""
		if len(pairs) > 1 {
			more = fmt.Sprintf("; so do %d more pairs", len(pairs)-1)
		}
		fmt.Fprintf(out, "  %q and %q meet so fast that they shatter: their contact is between triangles from the start, without contact nodes%s\n", pairs[0][0], pairs[0][1], more)
	}
}

// begins returns the solver's measures for the start of the model, a line each.
func begins(s *solver.Solver) (lines []string) {
	if u, ok := s.Unbalanced(); ok {
		lines = append(lines, unbalanced(u))
	}
	for _, o := range s.Kinds.Contacts.Rounded {
		lines = append(lines, rounded(o))
	}
	lines = append(lines, s.Model.Particles.Outcomes...)
	if l := s.Resting(); l.Things+l.Sliding > 0 {
		lines = append(lines, resting(l))
	}
	if damp := s.LightDamping(); damp != "" {
		lines = append(lines, damp)
	}
	return lines
}

// unbalanced returns a text about the forces that an initial stress leaves out
// of balance at the start.
func unbalanced(u forces.Unbalance) string {
	if u.Force <= 1e-9*u.Of {
		return "initial stress: in equilibrium with supports, loads and weight"
	}
	return fmt.Sprintf("initial stress: unbalanced force of %.4g N on node %d at (%.6g, %.6g) m, %.2g times the force of a triangle on a node",
		u.Force, u.Node, u.Position.X, u.Position.Y, u.Force/u.Of)
}

// rounded returns a text about an overlap at the start that does not count as
// deflection.
func rounded(o contacts.Rounded) string {
	return fmt.Sprintf("contact %q: the bodies overlap at the start by at most %.2g m, as rounded coordinates do; this is not counted as deflection", o.Contact, o.Deflection)
}

// resting returns a text about bodies that start in equilibrium.
func resting(l rest.Resting) string {
	var of []string
	if l.Things > 0 {
		of = append(of, fmt.Sprintf("%d that rest on something", l.Things))
	}
	if l.Sliding > 0 {
		of = append(of, fmt.Sprintf("%d that will slide or tip on something", l.Sliding))
	}
	return fmt.Sprintf("bodies or components of them that start in equilibrium with their weight and the loads of the start: %s; start = \"sudden\" in [analysis] lets these act suddenly", strings.Join(of, ", "))
}

// found returns a text about the origin of a contact's stiffness.
func found(k *models.SurfaceContact) string {
	from, gives := "masses and sizes of the rigid bodies", ""
	if a := &k.Penetration; a.Share > 0 {
		factor := math.Sqrt(k.Factor)
		from = fmt.Sprintf("a penetration of %.3g %% of %.4g mm", 100*a.Share, 1e3*a.Size)
		gives = fmt.Sprintf("\n  bodies sink in by up to %.3g mm where they fall from their own height", 1e3*a.Depth/factor)
		if a.Speed*a.Speed > 2*a.Gravity*a.Size {
			gives = fmt.Sprintf("\n  bodies sink in by up to %.3g mm where they meet at %.3g m/s", 1e3*a.Depth/factor, a.Speed)
		}
		if a.Sink > 0 {
			gives += fmt.Sprintf(", and by %.3g mm under the weight of one; a body that rocks by less than about %.2g rad rocks on the springs of its base, not about its corners, a square one with a period of about %.2g ms",
				1e3*a.Sink/k.Factor, 10*a.Tilt/k.Factor, 1e3*a.Rocking/factor)
		}
	}
	if k.Young > 0 {
		layer := ""
		if k.Layer > k.Young {
			layer = fmt.Sprintf(", %.3g Pa in a layer of constant volume,", k.Layer)
		}
		from = fmt.Sprintf("the softer side's %.3g Pa%s and the finer edges' %.3g mm", k.Young, layer, 1e3*k.Edge)
	}
	if k.Young > 0 && k.Bounces() {
		from = fmt.Sprintf("the softer side's %.3g Pa over seven times its length, so that the contact stores what an impact loses", k.Young)
	}
	times := ""
	if k.Factor != 1 {
		times = fmt.Sprintf(", k_factor %g", k.Factor)
	}
	return fmt.Sprintf("k = %.6g Pa/m (auto, from %s%s)%s", k.Factor*k.Suitable, from, times, gives)
}

// contactRemainder returns a text about the contacts to which contact i leaves pairs, ""
// if there are none or if an earlier part of the contact has the text.
func contactRemainder(all []models.SurfaceContact, i int) string {
	k := &all[i]
	if len(k.Elsewhere) == 0 || i > 0 && k.Of != "" && k.Of == all[i-1].Of {
		return ""
	}
	var names []string
	for _, e := range k.Elsewhere {
		names = append(names, strconv.Quote(e.Name))
	}
	return cmp.Or(k.Of, k.Name) + " leaves its pairs that other contacts name to " + strings.Join(names, ", ")
}

// quoted returns a list of names in quotes.
func quoted(names []string) string {
	var q []string
	for _, n := range names {
		q = append(q, strconv.Quote(n))
	}
	return strings.Join(q, ", ")
}

// average returns the velocity of a body or of particles as a text, without the
// rounding of the average, in a model of a size [m].
func average(b *system.BodyMotion, size float64) string {
	fastest := r2.Norm(b.Velocity) + math.Abs(b.AngularVelocity)*size
	v := b.Velocity
	for _, c := range []*float64{&v.X, &v.Y} {
		if math.Abs(*c) <= 1e-12*fastest {
			*c = 0
		}
	}
	return fmt.Sprintf("(%.6g, %.6g)", v.X, v.Y)
}

// springWords describes a spring.
func springWords(p *models.Spring) string {
	var words []string
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	switch ends := p.Links[0].Ends; {
	case p.Axial:
		add("along a line of %.6g m", r2.Norm(r2.Sub(ends[1].At, ends[0].At)))
	case p.X && p.Y:
		add("along x and y")
	case p.X:
		add("along x")
	case p.Y:
		add("along y")
	}
	if n := len(p.Links); n > 1 {
		add("shared by %d nodes", n)
	}
	for _, of := range []struct {
		value      float64
		what, unit string
	}{
		{p.Stiffness, "stiffness", "N/m"}, {p.Damping, "damping", "N s/m"},
		{p.RotationStiffness, "rotation stiffness", "N m"}, {p.RotationDamping, "rotation damping", "N m s"},
	} {
		if of.value > 0 {
			add("%s %.6g %s", of.what, of.value, of.unit)
		}
	}
	if p.Curve != nil {
		add("a curve of %d points", len(p.Curve.Stretch))
	}
	switch p.Only {
	case forces.Tension:
		add("only in tension")
	case forces.Compression:
		add("only in compression")
	}
	return strings.Join(words, ", ")
}
