package solver

import (
	"fmt"

	"fdem/solver/system"
)

// Balance returns a message about the ratio of energies of a quasi-static run that was slow
// enough, else "".
func (k *energyBalance) Balance() string {
	c := &k.Ledger.QuasiStatic
	if !k.QuasiStatic || c.Strain == 0 || c.TooFast() {
		return ""
	}
	if c.Ratio() <= system.QuasiStaticRatio {
		return fmt.Sprintf("quasi-static: the kinetic energy was at most %.2g %% of the greatest strain energy", 100*c.Ratio())
	}
	return fmt.Sprintf("quasi-static until the strain energy was greatest, at t = %.4g s: the kinetic energy was at most %.2g %% of it. What breaks or is released then moves by itself, with up to %.2g %%: what follows is no balance", c.StrainAt, 100*c.Before/c.Strain, 100*c.Ratio())
}

// TooFast returns a warning for a quasi-static run that was too fast, with advice; "" if
// it was slow until the greatest strain energy.
func (k *energyBalance) TooFast() string {
	c := &k.Ledger.QuasiStatic
	if !k.QuasiStatic || !c.TooFast() {
		return ""
	}
	of := "its greatest strain energy"
	if c.First > 0 {
		of = "the greatest change of its strain energy"
	}
	return fmt.Sprintf("the run calls itself quasi-static, and its kinetic energy reached %.2g %% of %s (%.3g J of %.3g J) at t = %.4g s: let the load grow more slowly and smoothly, or give the bodies damping, local = 0.7 or mass", 100*c.Ratio(), of, c.Kinetic, c.Strain, c.KineticAt)
}
