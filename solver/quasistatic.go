package solver

import (
	"fmt"
	"math"
)

// QuasiStatic measures how quasi-static a run is, by its kinetic energy relative to its
// strain energy.
type QuasiStatic struct {
	Kinetic   float64 // the greatest kinetic energy so far [J]
	KineticAt float64 // its time [s]
	First     float64 // strain energy at the start, by an initial stress [J]
	Strain    float64 // greatest strain energy so far, or greatest change from that at the start [J]
	StrainAt  float64 // its time [s]
	Before    float64 // greatest kinetic energy until that time [J]
}

// quasiStaticRatio is the ratio of kinetic to strain energy above which loading is too fast.
const quasiStaticRatio = 0.05

// quasiStaticRounding is the relative change of the initial strain energy that rounding may
// cause.
const quasiStaticRounding = 1e-6

// addRow takes a row of the ledger into account.
func (c *QuasiStatic) addRow(t float64, e *Energies) {
	if e.Kinetic > c.Kinetic {
		c.Kinetic, c.KineticAt = e.Kinetic, t
	}
	if t == 0 {
		c.First = e.Strain
	}
	if moved := max(math.Abs(e.Strain-c.First), quasiStaticRounding*c.First); moved > c.Strain {
		c.Strain, c.StrainAt, c.Before = moved, t, c.Kinetic
	}
}

// Ratio returns the greatest kinetic energy divided by the greatest strain energy, 0 without
// strain.
func (c *QuasiStatic) Ratio() float64 {
	if c.Strain == 0 {
		return 0
	}
	return c.Kinetic / c.Strain
}

// tooFast tells whether the kinetic energy before the greatest strain energy was too large
// for a quasi-static run. Later motion does not count, because a body that breaks or is
// released moves by itself.
func (c *QuasiStatic) tooFast() bool {
	return c.Ratio() > quasiStaticRatio && (c.KineticAt <= c.StrainAt || c.Before > quasiStaticRatio*c.Strain)
}

// Balance returns a message about the ratio of energies of a quasi-static run that was slow
// enough, else "".
func (k *results) Balance() string {
	c := &k.Ledger.QuasiStatic
	if !k.QuasiStatic || c.Strain == 0 || c.tooFast() {
		return ""
	}
	if c.Ratio() <= quasiStaticRatio {
		return fmt.Sprintf("quasi-static: the kinetic energy was at most %.2g %% of the greatest strain energy", 100*c.Ratio())
	}
	return fmt.Sprintf("quasi-static until the strain energy was greatest, at t = %.4g s: the kinetic energy was at most %.2g %% of it. What breaks or is released then moves by itself, with up to %.2g %%: what follows is no balance", c.StrainAt, 100*c.Before/c.Strain, 100*c.Ratio())
}

// TooFast returns a warning for a quasi-static run that was too fast, with advice; "" if
// it was slow until the greatest strain energy.
func (k *results) TooFast() string {
	c := &k.Ledger.QuasiStatic
	if !k.QuasiStatic || !c.tooFast() {
		return ""
	}
	of := "its greatest strain energy"
	if c.First > 0 {
		of = "the greatest change of its strain energy"
	}
	return fmt.Sprintf("the run calls itself quasi-static, and its kinetic energy reached %.2g %% of %s (%.3g J of %.3g J) at t = %.4g s: let the load grow more slowly and smoothly, or give the bodies damping, local = 0.7 or mass", 100*c.Ratio(), of, c.Kinetic, c.Strain, c.KineticAt)
}
