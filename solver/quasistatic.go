package solver

import (
	"fmt"
	"math"
)

// QuasiStatic keeps how near a run has been to a balance: what moved, beside what was held.
type QuasiStatic struct {
	Kinetic   float64 // the greatest kinetic energy so far [J]
	KineticAt float64 // when [s]
	First     float64 // strain energy at the start, of an initial stress [J]
	Strain    float64 // the greatest strain energy so far, or change of that at the start [J]
	StrainAt  float64 // when [s]
	Before    float64 // the greatest kinetic energy until then [J]
}

// quasiStaticRatio is the kinetic energy over the strain energy above which a load is not
// slow.
const quasiStaticRatio = 0.05

// quasiStaticRounding is the part of the strain energy at the start that counts as a change of
// it where nothing changes.
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

// Ratio returns the greatest kinetic energy over the greatest strain energy, 0 where
// nothing was strained.
func (c *QuasiStatic) Ratio() float64 {
	if c.Strain == 0 {
		return 0
	}
	return c.Kinetic / c.Strain
}

// tooFast tells whether what moved before the strain energy was greatest was too much for a
// balance: afterwards a body that breaks, or is released, moves by itself.
func (c *QuasiStatic) tooFast() bool {
	return c.Ratio() > quasiStaticRatio && (c.KineticAt <= c.StrainAt || c.Before > quasiStaticRatio*c.Strain)
}

// Balance says, of a run that calls itself quasi-static and was, how near it came to a
// balance; nothing of another.
func (k *results) Balance() string {
	c := &k.Ledger.Calm
	if !k.QuasiStatic || c.Strain == 0 || c.tooFast() {
		return ""
	}
	if c.Ratio() <= quasiStaticRatio {
		return fmt.Sprintf("quasi-static: the kinetic energy was at most %.2g %% of the greatest strain energy", 100*c.Ratio())
	}
	return fmt.Sprintf("quasi-static until the strain energy was greatest, at t = %.4g s: the kinetic energy was at most %.2g %% of it. What breaks or is released then moves by itself, with up to %.2g %%: what follows is no balance", c.StrainAt, 100*c.Before/c.Strain, 100*c.Ratio())
}

// TooFast says, of a run that calls itself quasi-static, how much it was not so and what
// to do; nothing where it was until the strain energy was greatest.
func (k *results) TooFast() string {
	c := &k.Ledger.Calm
	if !k.QuasiStatic || !c.tooFast() {
		return ""
	}
	of := "its greatest strain energy"
	if c.First > 0 {
		of = "the greatest change of its strain energy"
	}
	return fmt.Sprintf("the run calls itself quasi-static, and its kinetic energy reached %.2g %% of %s (%.3g J of %.3g J) at t = %.4g s: let the load grow more slowly and smoothly, or give the bodies damping, local = 0.7 or mass", 100*c.Ratio(), of, c.Kinetic, c.Strain, c.KineticAt)
}
