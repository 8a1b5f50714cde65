package random

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// energies are those that are compared in other frames.
func (row *Row) energies() [6]float64 {
	e := &row.Energies
	return [6]float64{e.Kinetic, e.Strain, e.ContactStored, e.ExternalWork, e.FrictionDissipated, e.FractureDissipated}
}

// sameInUnits fails if a run in units that are powers of two of the first ones has not the same
// numbers to the bit.
func sameInUnits(c *Checker, m *Model, run *Run) *Fault {
	if m.Odd || m.has("fluid") { // whose least aperture in cracks is a length of its own
		return nil
	}
	f := Frame{Length: 4, Time: 2, Mass: 6}
	got := Start(m.In(f), c.folder(), Way{Bare: true})
	if a, b := ended(run), ended(got); a != b {
		return faultf("", "%s for %s", told(got), told(run))
	}
	for i := range run.Rows {
		if i >= len(got.Rows) {
			return faultf("", "%d rows for %d", len(got.Rows), len(run.Rows))
		}
		was, is := run.Rows[i].energies(), got.Rows[i].energies()
		for k := range was {
			if want := f.scale(was[k], dim{2, -2, 1}); want != is[k] {
				return faultf("", "energies %v J at t = %.6g s become %v", was, run.Rows[i].Time, f.back(is))
			}
		}
	}
	return nil
}

// back returns energies in the first units.
func (f Frame) back(e [6]float64) [6]float64 {
	for i := range e {
		e[i] = math.Ldexp(e[i], -(2*f.Length - 2*f.Time + f.Mass))
	}
	return e
}

// ended tells how a run ended without its numbers.
func ended(run *Run) string {
	switch {
	case run.Panic != "":
		return "panic"
	case run.Refused != nil:
		return "refused"
	case run.Failed != nil:
		return "failed"
	}
	return "done"
}

// turned fails if a model that is turned by a quarter has other results beyond rounding.
func turned(c *Checker, m *Model, run *Run) *Fault {
	return unlessChaotic(c, m, run, Frame{Quarters: 1})
}

// mirrored fails if the mirror image has other results beyond rounding.
func mirrored(c *Checker, m *Model, run *Run) *Fault {
	return unlessChaotic(c, m, run, Frame{Mirror: true})
}

// moved fails if a model that is moved by whole edges has other results beyond rounding.
func moved(c *Checker, m *Model, run *Run) *Fault {
	return unlessChaotic(c, m, run, Frame{X: 8, Y: -4})
}

// unlessChaotic compares with another frame. Impacts of rigid bodies multiply small errors: a model that twice the
// tolerance and a ten-millionth of a metre change as much says nothing.
func unlessChaotic(c *Checker, m *Model, run *Run, f Frame) *Fault {
	fault := framed(c, m, run, f)
	if fault == nil || !m.byImpulses() {
		return fault
	}
	if nudged := m.With("impulses", table{{"tolerance", quantity{2e-3, none}}}); framed(c, nudged, run, Frame{X: 1e-7, Y: -1e-7}) != nil {
		return nil
	}
	return fault
}

// paired tells whether triangles share their volume in pairs, which are others in a mirror.
func (m *Model) paired() bool {
	return m.block("analysis").key("plane") == `"strain"` && slices.ContainsFunc(m.Deck, func(b Block) bool {
		return b.Name == "material" && slices.Contains([]string{`"j2"`, `"johnson-cook"`, `"mohr-coulomb"`, `"drucker-prager"`}, b.key("law"))
	})
}

// framed compares energies and velocities in another frame.
func framed(c *Checker, m *Model, run *Run, f Frame) *Fault {
	if (f.Quarters != 0 || f.Mirror) && m.paired() {
		return nil
	}
	got := Start(m.In(f), c.folder(), Way{Bare: true})
	if a, b := ended(run), ended(got); a != b && !m.static() { // else other increments
		return faultf("", "%s for %s", told(got), told(run))
	}
	if run.still() || m.block("analysis").mentions("local") {
		return nil // or a force by the sign of each velocity, which rounding decides at rest
	}
	bound := frameBound
	if m.has("contact", "interaction", "joint") {
		bound = touchBound
	}
	if m.static() && math.Abs(float64(len(run.Rows)-len(got.Rows))) > 0 {
		return nil // other increments
	}
	for i := range run.Rows {
		if i >= len(got.Rows) {
			return faultf("", "%d rows for %d", len(got.Rows), len(run.Rows))
		}
		a, b := &run.Rows[i], &got.Rows[i]
		if a.Time != b.Time && math.Abs(a.Time-b.Time) > 1e-6*a.Time {
			return nil // other increments
		}
		if m.byImpulses() && 3*i > len(run.Rows) {
			break // impacts have multiplied what the tolerance leaves
		}
		if e := &a.Energies; e.FractureDissipated != 0 || e.CohesiveStored != 0 {
			break // which of equal edges breaks first is decided by rounding
		}
		was, is := a.energies(), b.energies()
		for k := range was {
			if math.Abs(was[k]-is[k]) > bound*run.Entered+run.Noise {
				return faultf("", "energies %v J at t = %.6g s become %v, of %.4g J", was, a.Time, is, run.Entered)
			}
		}
		pa, greatest := run.momentum(i)
		x, y := f.turn(pa.X, pa.Y)
		pb, _ := got.momentum(i)
		if r2.Norm(r2.Sub(r2.Vec{X: x, Y: y}, pb)) > math.Sqrt(bound)*greatest {
			return faultf("", "momentum %v kg m/s at t = %.6g s becomes %v", pa, a.Time, pb)
		}
	}
	return nil
}

// halved fails if half the step, and a quarter, do not make what the step causes smaller.
func halved(c *Checker, m *Model, run *Run) *Fault {
	if m.static() || run.Cracks > 0 || run.still() {
		return nil
	}
	half := Start(m.finer(run, 0.5), c.folder(), Way{Bare: true})
	a, _ := run.residuals()
	if b, _ := half.residuals(); b > residualBound && b > 0.7*a {
		return faultf("", "the greatest residual is %.3g of the energy, and %.3g with half the step", a, b)
	}
	return nil
}
