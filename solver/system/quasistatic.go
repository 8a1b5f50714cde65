package system

import (
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

// QuasiStaticRatio is the ratio of kinetic to strain energy above which loading is too fast.
const QuasiStaticRatio = 0.05

// quasiStaticRounding is the relative change of the initial strain energy that rounding may
// cause.
const quasiStaticRounding = 1e-6

// AddRow takes a row of the ledger into account.
func (c *QuasiStatic) AddRow(t float64, e *Energies) {
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

// TooFast tells whether the kinetic energy before the greatest strain energy was too large
// for a quasi-static run. Later motion does not count, because a body that breaks or is
// released moves by itself.
func (c *QuasiStatic) TooFast() bool {
	return c.Ratio() > QuasiStaticRatio && (c.KineticAt <= c.StrainAt || c.Before > QuasiStaticRatio*c.Strain)
}
