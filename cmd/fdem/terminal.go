package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fdem/io/results"
	"fdem/io/tables"
	"fdem/ranks"
	"fdem/solver"
	"fdem/solver/contacts"
	outputs "fdem/solver/output"
	"fdem/solver/system"
)

// terminal shows messages and progress, and keeps log.txt with times.
type terminal struct {
	mu    sync.Mutex // the signal handler prints too
	out   io.Writer
	log   *os.File
	quiet bool // shows warnings only
	live  bool // progress is one line that is redrawn
	wide  func() int
	paint func(colour, text string) string
	drawn bool
	began time.Time
	step  int64   // time of the run then [s]
	time  float64 // [s]
	last  time.Time
}

// newTerminal opens the log with os.O_TRUNC or os.O_APPEND.
func newTerminal(out io.Writer, quiet bool, dir string, how int) (*terminal, error) {
	log, err := os.OpenFile(filepath.Join(dir, "log.txt"), os.O_CREATE|os.O_WRONLY|how, 0o644)
	if err != nil {
		return nil, err
	}
	return &terminal{
		out: out, log: log, quiet: quiet, live: isTerminal(out) && !quiet, wide: func() int { return width(out) }, paint: painter(out),
		began: time.Now(), last: time.Now(),
	}, nil
}

// silent returns a terminal that shows and keeps nothing.
func silent() *terminal {
	return &terminal{out: io.Discard, quiet: true, paint: func(_, text string) string { return text }}
}

func (t *terminal) close() { t.log.Close() }

// printf shows and logs a line.
func (t *terminal) printf(format string, args ...any) {
	t.clear()
	t.mu.Lock()
	defer t.mu.Unlock()
	line := printable(fmt.Sprintf(format, args...))
	shown := line
	for kind, colour := range map[string]string{"warning:": yellow, "failed:": red} {
		if rest, ok := strings.CutPrefix(line, kind); ok {
			shown = t.paint(colour, kind) + rest
		}
	}
	if !t.quiet || strings.HasPrefix(line, "warning:") {
		fmt.Fprintln(t.out, shown)
	}
	if t.log == nil {
		return
	}
	fmt.Fprintf(t.log, "%s %s\n", time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), line)
}

// clear removes the progress line.
func (t *terminal) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.drawn {
		fmt.Fprint(t.out, "\r\x1b[K")
		t.drawn = false
	}
}

// progress shows the progress of the run: five times a second on a terminal, every ten
// seconds elsewhere.
func (t *terminal) progress(s *solver.Solver) {
	now := time.Now()
	every := 10 * time.Second
	if t.live {
		every = 200 * time.Millisecond
	}
	if now.Sub(t.last) < every || s.N == t.step {
		return
	}
	t.last = now
	spent := now.Sub(t.began)
	left := spent.Seconds() * (s.Duration - s.Time) / (s.Time - t.time)
	line := fmt.Sprintf("%5.1f %%  t = %.4g s  %.3g steps/s  residual %.1e  %s left",
		100*s.Time/s.Duration, s.Time, float64(s.N-t.step)/spent.Seconds(), s.Relative(s.Energies()), howLong(left, time.Second))
	if ranks.Size > 1 {
		line += waits(s.Profile())
	}
	if !t.live {
		t.printf("%s", line)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if w := t.wide(); w > 1 && len(line) >= w {
		line = line[:w-1] // a line that wraps cannot be removed
	}
	fmt.Fprintf(t.out, "\r%s\x1b[K", line)
	t.drawn = true
}

// waits returns, as text, the parts of the time in which this rank has waited for others
// and exchanged data with them.
func waits(p outputs.Profile) string {
	all, waiting, exchange := 0.0, 0.0, 0.0
	for _, f := range p.Phases {
		all += f.Seconds
		switch f.Name {
		case "waiting":
			waiting = f.Seconds
		case "exchange":
			exchange = f.Seconds
		}
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("  waiting %.0f %%, exchange %.0f %%", 100*waiting/all, 100*exchange/all)
}

// filled reports the final state of a fluid.
func filled(f *results.FluidSummary) string {
	return fmt.Sprintf("fluid %q: %.4g Pa, %.4g m3 pumped in, in %.4g mm of cracks, %.4g m3 leaked", f.Name, f.Pressure, f.Injected, 1e3*f.Length, f.Spilled)
}

// cracked reports the cracks and fragments.
func cracked(k *results.CrackSummary) string {
	if k.InsertedEdges == 0 {
		return "cracks: none, no edge has reached its strength"
	}
	return fmt.Sprintf("cracks: %d edges opened, %d of them are broken, %.4g mm long, %.4g mm of it in shear; fragments: %d", k.InsertedEdges, k.BrokenEdges, 1e3*k.Broken, 1e3*k.Shear, k.Fragments)
}

// contacts reports the peaks and the dissipation of each contact.
func (t *terminal) contacts(sum results.Summary, s *solver.Solver) {
	for i, f := range s.ContactForces() {
		c := sum.Contacts[i]
		t.printf("contact %s: %s, dissipated %.4g J%s", c.Name, peaks(&f), c.Dissipated, creeps(c))
		if warning := s.BelowItsLimit(&f); warning != "" {
			t.printf("warning: %s", warning)
		}
	}
	for i := range s.Model.Contacts {
		if line := coarse(s, i); line != "" {
			t.printf("%s", line)
		}
	}
	for _, warning := range s.Unsteady() {
		t.printf("warning: %s", warning)
	}
}

// coarse returns a line, a warning in a static analysis, about a contact of a round body whose edges are longer than half the
// width of contact at its peak force.
func coarse(s *solver.Solver, i int) string {
	m := &s.Model.Contacts[i]
	for _, f := range s.ContactForces() {
		if f.Name != m.Name || m.Of != "" {
			continue
		}
		if of, half := contacts.Coarse(s.Model, i, f.PeakForce); half > 0 {
			warning := ""
			if s.Static != nil {
				warning = "warning: "
			}
			return fmt.Sprintf("%scontact %s: %q is round there, and its edges of %.3g mm are longer than half the width of contact at the peak force, %.2g mm by Hertz's theory: the pressure is that of a few corners, and the contact is too soft; give edges of about %.2g mm there",
				warning, m.Name, of.Body, 1e3*of.Edge, 1e3*half, 1e3*edgesInHalf*half)
		}
	}
	return ""
}

// edgesInHalf is the length of edges over half the width of contact with which the force of a given
// approach is right to some percent.
const edgesInHalf = 0.25

// peaks returns the greatest values of a contact as text.
func peaks(f *system.ContactForce) string {
	switch {
	case f.Impulses:
		return fmt.Sprintf("peak impulse %.4g N s, penetration up to %.3g m", f.PeakImpulse, f.PeakDeflection)
	case f.Points:
		return fmt.Sprintf("peak deflection %.4g m, peak force %.4g N", f.PeakDeflection, f.PeakForce)
	}
	return fmt.Sprintf("peak pressure %.4g Pa, peak force %.4g N", f.PeakPressure, f.PeakForce)
}

// residual reports the cause of the energy residual if it is known, and warns if the
// residual is large.
func (t *terminal) residual(s *solver.Solver) {
	if noise := s.StressNoise(s.Energies()); noise > roundingWarning { // and of the ledger
		t.printf("warning: about %.1g of the stress is rounding of the nodes' positions, which have 16 digits. The loads are very small compared with the stiffness of the bodies, or the bodies are far from the origin. Displacements by strain are right to the last of these digits, but those on much softer springs may be wrong: move the model to the origin, or give stiffer springs", min(noise, 1))
		return
	}
	if closed := s.Ledger.Closed; math.Abs(closed) > residualWarning*s.Ledger.Entered {
		t.printf("%.3g J of the residual is energy of bodies that fell through gaps too small to matter", closed)
	}
	if warning := energyWarning(s); warning != "" {
		t.printf("warning: %s", warning)
	}
}

// summary writes the last messages of a run. A body that has come to rest has no velocity
// there.
func (t *terminal) summary(sum results.Summary, s *solver.Solver, dir string) {
	about := s.Describe()
	for i, b := range sum.Bodies {
		if s.Static == nil && (about[i].Velocity != "" || b.Velocity != [2]float64{} || b.AngularVelocity != 0) {
			t.printf("%s: %s (%.5g, %.5g) m/s, angular velocity %.5g rad/s", b.Name, cmp.Or(about[i].Velocity, "velocity"), b.Velocity[0], b.Velocity[1], b.AngularVelocity)
		}
	}
	t.contacts(sum, s)
	if k := sum.Cracks; k != nil {
		t.printf("%s", cracked(k))
	}
	for i := range sum.Fluids {
		t.printf("%s", filled(&sum.Fluids[i]))
	}
	for _, r := range sum.Results {
		if r.Err != nil {
			t.printf("warning: result %s: %v", r.Name, r.Err)
			continue
		}
		late := ""
		if r.Late {
			late = ", at the end of the run: a longer run may exceed it"
		}
		t.printf("result %s: %.5g%s%s", r.Name, r.Value, strings.TrimRight(" "+r.Unit, " "), late)
	}
	t.printf("%s; energy residual %.2g of the greatest energy held or moved", rate(sum, s.Static != nil), sum.Energy.ResidualRelative)
	t.residual(s)
	if took := s.LightDampingTook(); took != "" {
		t.printf("%s", took)
	}
	if s.Cracked > 0 {
		if least := s.CracksStep(); least > 0 {
			t.printf("cracks reduced the time step at most to %.2g of that of the whole bodies; %.2g was predicted", s.RattleShare()*s.CracksLeft(), least)
		}
	}
	if line := s.Softened(); line != "" {
		t.printf("%s", line)
	}
	if warning := s.Overloaded(); warning != "" {
		t.printf("warning: %s", warning)
	}
	if warning := s.TooFast(); warning != "" {
		t.printf("warning: %s", warning)
	}
	if balance := s.Balance(); balance != "" {
		t.printf("%s", balance)
	}
	t.printf("results in %s", dir)
}

// profile reports how the time of a run was spent, and what limited its time steps.
func (t *terminal) profile(s *solver.Solver) {
	p := s.Profile()
	whole := 0.0
	for _, f := range p.Phases {
		whole += f.Seconds
	}
	for _, f := range p.Phases {
		if f.Seconds < 5e-4*whole {
			continue
		}
		t.printf("time: %-20s %9.4g s, %4.1f %%", f.Name, f.Seconds, 100*f.Seconds/whole)
	}
	for _, c := range p.Counts {
		t.printf("count: %.4g %s on average", c.Mean, c.Name)
	}
	for _, l := range p.Limits {
		where := ""
		if l.Where != "" {
			where = ", most often " + l.Where
		}
		t.printf("step: %d set by %s%s", l.Steps, l.Name, where)
	}
}

// creeps returns, as text, the slip speed below which regularised friction was linear.
func creeps(c results.ContactSummary) string {
	switch {
	case c.FrictionSpeed == 0:
		return ""
	case c.FrictionSpeedWidest > c.FrictionSpeed:
		return fmt.Sprintf("; friction is regularised below %.3g m/s, and below up to %.3g m/s where it would reverse the motion of light nodes", c.FrictionSpeed, c.FrictionSpeedWidest)
	}
	return fmt.Sprintf("; friction is regularised below %.3g m/s", c.FrictionSpeed)
}

// residualWarning is the energy residual above which a run that has ended warns.
const residualWarning = 0.01

// roundingWarning is the part of the stress that may be rounding without a warning.
const roundingWarning = 0.05

// energyWarning reports the energy residual of a run that has ended and what to do about
// it; nothing if it is small.
func energyWarning(s *solver.Solver) string {
	e := s.Energies()
	e.Residual -= s.Ledger.Closed
	says := "is"
	if s.Static == nil && e.Residual-s.Ledger.Lowest > math.Abs(e.Residual) {
		says = "has grown by"
		e.Residual -= s.Ledger.Lowest
	}
	r := s.RelativeResidual(e)
	if !(r > residualWarning) {
		return ""
	}
	text := fmt.Sprintf("the energy residual %s %.2g %% of the greatest energy held or moved (%.3g J of %.3g J): ", says, 100*r, e.Residual, math.Abs(e.Residual)/r)
	switch l := &s.Ledger; {
	case e.InsertionWork > 0.5*math.Abs(e.Residual):
		return text + fmt.Sprintf("%.3g J of it is energy that opening cracks released in addition to the work done on them (insertion_work); twice the stiffness in [[fracture]] or [[joint]] halves it, about", e.InsertionWork)
	case math.Abs(e.TransferWork) > 0.5*math.Abs(e.Residual):
		return text + fmt.Sprintf("%.3g J of it came in when contact of bodies that broke was transferred to their fragments (handover_work), since bodies or components of them overlap there: draw them farther apart, or soften the law of the contact", e.TransferWork)
	case s.Static != nil && l.Jump > 0.5*math.Abs(e.Residual):
		return text + fmt.Sprintf("%.3g J of it came in the increment to t = %.6g s, where bodies fell, slid or snapped to another equilibrium; a static analysis does not contain that energy. If this is not intended and shorter increments do not reduce it, support the bodies, or drive a displacement instead of a force", l.Jump, l.JumpAt)
	case s.Static != nil:
		return text + "take more increments; halving them leaves a quarter of it"
	case s.Model.Impulses != nil:
		what := "a smaller tolerance in [analysis.impulses]"
		if n := s.UnconvergedSteps(); n > 0 {
			what = fmt.Sprintf("more sweeps than %d in [analysis.impulses], which %d steps needed", s.Model.Impulses.Sweeps, n)
		}
		return text + fmt.Sprintf("%.3g J of it by impulses of resting contact (solver_error), %.3g J by pushing bodies apart (position_error); take a step of half of %.3g s, which halves both, or %s", -e.SolverError, -e.PositionError, s.Limit, what)
	case s.FixedStep > 0:
		return text + "take a smaller step; half of it leaves a quarter of the residual, except the part from contact: soften the law or refine the edges there"
	}
	return text + fmt.Sprintf("take a smaller safety than %.3g; half of it leaves a quarter of the residual, except the part from contact: soften the law or refine the edges there", s.Safety)
}

// rate returns, as text, the number of steps or increments of a run and its speed.
func rate(sum results.Summary, static bool) string {
	if static {
		return fmt.Sprintf("%d increments in %.3g s", sum.Steps, sum.WallSeconds)
	}
	text := fmt.Sprintf("%d steps in %.3g s", sum.Steps, sum.WallSeconds)
	if sum.ElementStepsPerSecond > 0 {
		text += fmt.Sprintf(", %.3g element-steps/s", sum.ElementStepsPerSecond)
	}
	return text + sum.Speed()
}

// howLong returns a number of seconds as text: rounded to a multiple of to, in days or
// years if it is long, and "an unknown time" if it is not a number.
func howLong(seconds float64, to time.Duration) string {
	const day, year = 24 * 3600, 365.25 * 24 * 3600
	switch {
	case !(seconds >= 0) || math.IsInf(seconds, 1):
		return "an unknown time"
	case seconds >= 1000*year:
		return "more than 1000 years"
	case seconds >= 2*year:
		return fmt.Sprintf("%.0f years", seconds/year)
	case seconds >= 10*day:
		return fmt.Sprintf("%.0f days", seconds/day)
	}
	return time.Duration(seconds * float64(time.Second)).Round(to).String()
}

// positiveTime reads a time given to a flag.
func positiveTime(flag, text string) (float64, error) {
	v, err := tables.ParseQuantity(text, tables.Time)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", flag, err)
	}
	if !(v > 0) {
		return 0, fmt.Errorf("%s must be positive, got %g s", flag, v)
	}
	return v, nil
}
