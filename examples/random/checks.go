package random

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"fdem/solver"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fault is a check that a model does not pass.
type Fault struct {
	Check string // its name
	Of    string // the quantity or the file, "" for the check's only one
	Told  string // what is wrong
}

func (f *Fault) Error() string { return f.Check + ": " + f.Told }

func faultf(of, format string, args ...any) *Fault {
	return &Fault{Of: of, Told: fmt.Sprintf(format, args...)}
}

// Result is what came out of a model.
type Result struct {
	Refused error // the reader's, or that of a run which says clearly why it ends
	Run     *Run
	Faults  []*Fault
}

// Bounds of the checks.
const (
	residualBound = 0.01 // of what steps add to the ledger, relative to the greatest energy: more must fall with the step
	fallen        = 0.7  // of the residual, at most, is left with a quarter of the step: a sixteenth of what is smooth, a quarter of what begins in steps, not all of what is never counted
	snaps         = 0.9  // of a static residual comes in one increment, if bodies snap to another equilibrium there
	openingBound  = 0.2  // of what cracks add as they open
	momentumBound = 1e-9 // relative to the greatest that the greatest energy can give
	turningBound  = 1e-3 // of angular momentum by impulses, which act where bodies meet at the start of a step
	fallBound     = 1e-9 // of what must not fall, relative to the greatest energy
	workBound     = 1e-4 // the same of what is work less what is stored, which the step's order limits
	frameBound    = 1e-6 // of the energies in another frame, relative to the greatest energy
	touchBound    = 0.03 // the same with contact: what just touches does so in one frame a step earlier
)

// Checker runs models in folders below Dir, which it empties.
type Checker struct {
	Dir   string
	Only  string    // the name of the one check to be made, "" for all
	Until time.Time // when Shrink ends at the latest
	count int
}

// folder returns the path of a new folder.
func (c *Checker) folder() string {
	c.count++
	return filepath.Join(c.Dir, fmt.Sprint(c.count))
}

// clean removes the folders of a model.
func (c *Checker) clean() error { return os.RemoveAll(c.Dir) }

// Check runs a model in all ways.
func (c *Checker) Check(m *Model) (out Result) {
	defer func() {
		if err := c.clean(); err != nil {
			out.Faults = append(out.Faults, &Fault{"files", "", err.Error()})
		}
	}()
	run := Start(m, c.folder(), Way{Keep: true})
	out.Run = run
	out.Refused = excuse(run)
	for _, check := range []struct {
		name string
		make func(*Checker, *Model, *Run) *Fault
	}{
		{"error", noError}, {"finite", finite}, {"ledger", balanced}, {"momentum", momentum}, {"pull", noPull}, {"fall", noFall},
		{"threads", sameByThreads}, {"resume", sameAfterResume}, {"units", sameInUnits}, {"turned", turned}, {"mirrored", mirrored}, {"moved", moved}, {"step", halved},
	} {
		if c.Only != "" && c.Only != check.name {
			continue
		}
		if out.Refused != nil && check.name != "error" {
			continue
		}
		if f := check.make(c, m, run); f != nil {
			f.Check = check.name
			out.Faults = append(out.Faults, f)
			if check.name == "error" {
				break
			}
		}
	}
	return out
}

var placed = regexp.MustCompile(`^model(\.shapes)?\.toml:\d+:\d+: `)

// excuse returns the error of a model that is refused, or of a run that says clearly why it ends.
func excuse(run *Run) error {
	var unsettled *solver.NotConvergedError
	switch {
	case run.Panic != "":
		return nil
	case run.Refused != nil:
		return run.Refused
	case errors.As(run.Failed, &unsettled):
		return run.Failed
	}
	return nil
}

// noError fails for a panic, and for an error that no user understands.
func noError(_ *Checker, _ *Model, run *Run) *Fault {
	switch {
	case run.Panic != "":
		return faultf("panic", "panic: %s", run.Panic)
	case run.Refused != nil && !placed.MatchString(run.Refused.Error()):
		return faultf("place", "an error without a place: %v", run.Refused)
	case run.Failed != nil && excuse(run) == nil:
		return faultf(fmt.Sprintf("%T", run.Failed), "%v", run.Failed)
	}
	return nil
}

// finite fails for a number in the history that is none.
func finite(_ *Checker, _ *Model, run *Run) *Fault {
	text, err := os.ReadFile(filepath.Join(run.Dir, "history.csv"))
	if err != nil {
		return faultf("", "%v", err)
	}
	lines := bytes.SplitN(text, []byte("\n"), 2)
	for _, word := range []string{"NaN", "Inf"} {
		if len(lines) == 2 && bytes.Contains(lines[1], []byte(word)) {
			return faultf("", "%s in history.csv", word)
		}
	}
	return nil
}

// balanced fails for a residual of the ledger that does not fall with the step. The central
// difference method and increments are exact to the square of the step, impacts to the step.
func balanced(c *Checker, m *Model, run *Run) *Fault {
	if run.still() {
		return nil
	}
	steps, _ := run.residuals()
	if run.Jump > snaps*steps*run.Entered { // a static analysis does not contain the energy, as the run tells
		return nil
	}
	if steps > residualBound {
		finer := m.finer(run, 0.25)
		if m.static() {
			finer = m.With("increments", word("24"))
		}
		fine := Start(finer, c.folder(), Way{Bare: true})
		if got, _ := fine.residuals(); got > fallen*steps && got > residualBound/4 && excuse(fine) == nil {
			return faultf("", "the residual is %.3g of the greatest energy, and %.3g with a quarter of the step", steps, got)
		}
	}
	for i := range run.Rows {
		e := &run.Rows[i].Energies
		of := run.Rows[i].Relative / math.Abs(e.Residual)
		if s := math.Abs(e.InsertionWork); s*of > openingBound && s > openingBound*run.Entered {
			return faultf("insertion_work", "insertion_work of %.3g of the greatest energy at t = %.4g s: %+v", s*of, run.Rows[i].Time, *e)
		}
	}
	return nil
}

// finer returns the model with a share of the step, of which safety is 0.8 by default, and by impulses with as many
// sweeps as they need.
func (m *Model) finer(run *Run, share float64) *Model {
	if m.byImpulses() {
		out := m.With("step", quantity{rounded(share * run.Rows[len(run.Rows)-1].Time / float64(run.Steps)), seconds})
		if m.block("analysis").mentions("sweeps") {
			out = out.With("impulses", table{{"sweeps", word("3000")}})
		}
		return out
	}
	return m.With("safety", quantity{rounded(0.8 * share), none})
}

// byImpulses tells whether the bodies meet by impulses.
func (m *Model) byImpulses() bool { return m.block("analysis").key("integrator") == `"impulses"` }

// residuals returns the greatest residual of the steps, and of all, relative to the greatest
// energy of the whole run.
func (run *Run) residuals() (steps, all float64) {
	for i := range run.Rows {
		e := &run.Rows[i].Energies
		steps, all = max(steps, math.Abs(e.OfSteps())), max(all, math.Abs(e.Residual))
	}
	return steps / run.Entered, all / run.Entered
}

// still tells whether nothing but rounding has moved the model.
func (run *Run) still() bool { return run.Entered <= 1e3*run.Noise }

// free tells whether no force from outside acts on the model.
func (m *Model) free() bool {
	if m.has("fix", "drive", "load", "absorb", "spring", "excavate", "initial_stress") || m.static() {
		return false
	}
	for i := range m.Deck {
		b := &m.Deck[i]
		if b.Name == "rigid" && b.key("density") == "" {
			return false
		}
		if b.key("gravity") != "" || b.key("damping") != "" {
			return false
		}
	}
	return true
}

// momentum fails where the momentum or the angular momentum of a free model changes.
func momentum(_ *Checker, m *Model, run *Run) *Fault {
	if !m.free() || run.still() {
		return nil
	}
	start, scale := run.momentum(0)
	for i := range run.Rows {
		if now, _ := run.momentum(i); r2.Norm(r2.Sub(now, start)) > momentumBound*scale {
			return faultf("", "momentum of %.6g kg m/s at the start and %.6g at t = %.4g s, of %.4g at most", start, now, run.Rows[i].Time, scale)
		}
	}
	turn, scale := run.angular(0)
	bound := momentumBound
	if m.byImpulses() {
		bound = turningBound
	}
	for i := range run.Rows {
		if now, _ := run.angular(i); math.Abs(now-turn) > bound*scale {
			return faultf("angular", "angular momentum of %.6g kg m2/s at the start and %.6g at t = %.4g s, of %.4g at most", turn, now, run.Rows[i].Time, scale)
		}
	}
	return nil
}

// noPull fails for a contact that pulls.
func noPull(_ *Checker, _ *Model, run *Run) *Fault {
	if run.Least < -1e-12*run.Most {
		return faultf("", "%s has a pressure of %.4g Pa; the greatest is %.4g Pa", run.Pulled, run.Least, run.Most)
	}
	for i := range run.Rows {
		if e := &run.Rows[i].Energies; e.ContactStored < -workBound*run.Entered {
			return faultf("", "contact_stored is %.4g J at t = %.4g s; the greatest energy is %.4g J", e.ContactStored, run.Rows[i].Time, run.Entered)
		}
	}
	return nil
}

// lasting are the energies that are lost for good, with the bound of how far each may fall.
var lasting = []struct {
	name  string
	of    func(*system.Energies) float64
	bound float64
}{
	{"contact_dissipated", func(e *system.Energies) float64 { return e.ContactDissipated }, workBound},
	{"friction_dissipated", func(e *system.Energies) float64 { return e.FrictionDissipated }, workBound},
	{"damping_dissipated", func(e *system.Energies) float64 { return e.DampingDissipated }, workBound},
	{"plastic_work", func(e *system.Energies) float64 { return e.PlasticWork }, fallBound},
	{"viscous_work", func(e *system.Energies) float64 { return e.ViscousWork }, fallBound},
	{"fracture_dissipated", func(e *system.Energies) float64 { return e.FractureDissipated }, fallBound},
	{"spring_dissipated", func(e *system.Energies) float64 { return e.SpringDissipated }, fallBound},
	{"fluid_viscous", func(e *system.Energies) float64 { return e.FluidViscous }, fallBound},
	{"absorbed", func(e *system.Energies) float64 { return e.Absorbed }, fallBound},
}

// fall returns the greatest fall of an energy from one row to the next [J], and the row.
func (run *Run) fall(of func(*system.Energies) float64) (most float64, row int) {
	for i := 1; i < len(run.Rows); i++ {
		if d := of(&run.Rows[i-1].Energies) - of(&run.Rows[i].Energies); d > most {
			most, row = d, i
		}
	}
	return most, row
}

// noFall fails for an energy that is lost and comes back. Work by the mean force of a step less what
// is stored is exact to the order of the step: there, a quarter of it must leave less.
func noFall(c *Checker, m *Model, run *Run) *Fault {
	var fine *Run
	for _, k := range lasting {
		d, i := run.fall(k.of)
		if d <= k.bound*run.Entered+run.Noise {
			continue
		}
		if k.bound == workBound && !m.static() {
			if fine == nil {
				fine = Start(m.finer(run, 0.25), c.folder(), Way{Bare: true})
			}
			if got, _ := fine.fall(k.of); got < fallen*d && ended(fine) == "done" {
				continue
			}
		}
		return faultf(k.name, "%s falls by %.4g J until t = %.4g s; the greatest energy is %.4g J", k.name, d, run.Rows[i].Time, run.Entered)
	}
	return nil
}

// differ names a file that differs, "" for none. Only files that from has count after it.
func differ(want, got *Run) string {
	if a, b := told(want), told(got); a != b {
		return fmt.Sprintf("%q for %q", b, a)
	}
	paths := slices.Sorted(maps.Keys(want.Files))
	slices.SortStableFunc(paths, func(a, b string) int { return rank(a) - rank(b) })
	for _, path := range paths {
		if sum, has := got.Files[path]; !has {
			return path + " is missing"
		} else if sum != want.Files[path] {
			return path + " differs: " + line(filepath.Join(want.Dir, path), filepath.Join(got.Dir, path))
		}
	}
	for path := range got.Files {
		if _, has := want.Files[path]; !has {
			return path + " is new"
		}
	}
	for step, sum := range got.States {
		if was, has := want.States[step]; !has {
			return fmt.Sprintf("a checkpoint at step %d is new", step)
		} else if was != sum {
			return fmt.Sprintf("state at step %d differs", step)
		}
	}
	return ""
}

// rank orders files: the history tells most, the summary least.
func rank(path string) int {
	switch path {
	case "history.csv":
		return 0
	case "summary.json":
		return 2
	}
	return 1
}

// told is how a run ended.
func told(run *Run) string {
	switch {
	case run.Panic != "":
		return "panic: " + run.Panic
	case run.Refused != nil:
		return "refused: " + run.Refused.Error()
	case run.Failed != nil:
		return run.Failed.Error()
	}
	return "done"
}

// line returns the first line in which two files of text differ.
func line(a, b string) string {
	x, errX := os.ReadFile(a)
	y, errY := os.ReadFile(b)
	if errX != nil || errY != nil || bytes.IndexByte(x, 0) >= 0 || filepath.Ext(a) == ".vtu" || filepath.Ext(a) == ".vtp" {
		return ""
	}
	p, q := bytes.Split(x, []byte("\n")), bytes.Split(y, []byte("\n"))
	for i := range min(len(p), len(q)) {
		if !bytes.Equal(p[i], q[i]) {
			return fmt.Sprintf("line %d\n  %s\n  %s", i+1, p[i], q[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(p), len(q))
}

// same fails if a run has other results.
func same(want, got *Run) *Fault {
	if d := differ(want, got); d != "" {
		of, _, _ := strings.Cut(d, " ")
		return faultf(of, "%s", d)
	}
	return nil
}

// sameByThreads fails if three threads have other results than one.
func sameByThreads(c *Checker, m *Model, run *Run) *Fault {
	return same(run, Start(m, c.folder(), Way{Threads: 3}))
}

// mostResumed is the greatest number of checkpoints from which a run is resumed: a static analysis may have
// thousands.
const mostResumed = 32

// sameAfterResume fails if a resume from any of the checkpoints has other results; of many, from some of
// them, others in each model.
func sameAfterResume(c *Checker, m *Model, run *Run) *Fault {
	every := 1 + len(run.Saved)/mostResumed
	for i, at := range run.Saved {
		if every > 1 && uint64(i)%uint64(every) != m.Seed%uint64(every) {
			continue
		}
		if f := same(run, Start(m, c.folder(), Way{Threads: 2, From: run, At: at})); f != nil {
			f.Told = "from " + filepath.Base(at) + ": " + f.Told
			return f
		}
	}
	return nil
}
