package bulk

import (
	"errors"
	"fmt"

	"fdem/materials/elementary"
)

// Hardening is the yield stress as a function of the plastic strain a: linear with Voce's
// saturation,
//
//	sy(a) = Yield + Slope a + Q (1 - exp(-B a))
//
// or a table, which is linear between its points and continues with its last
// slope.
type Hardening struct {
	Yield, Slope, Q, B float64 // [Pa], [Pa], [Pa], [-]
	Table              [][2]float64
}

// check returns an error that names the rule violated by a table.
func (h *Hardening) check() error {
	t := h.Table
	switch {
	case t == nil:
		return nil
	case len(t) < 2:
		return errors.New("hardening_curve needs at least two points")
	case t[0][0] != 0:
		return fmt.Errorf("hardening_curve must begin at a plastic strain of 0, got %g", t[0][0])
	case !(t[0][1] > 0):
		return fmt.Errorf("hardening_curve must begin at a stress above 0, got %g Pa", t[0][1])
	}
	for i := 1; i < len(t); i++ {
		if !(t[i][0] > t[i-1][0]) {
			return fmt.Errorf("hardening_curve: plastic strains must grow, got %g after %g", t[i][0], t[i-1][0])
		}
		if !(t[i][1] >= t[i-1][1]) {
			return fmt.Errorf("hardening_curve: stresses must not fall, got %g Pa after %g: strain would localise in one row of triangles, for any size", t[i][1], t[i-1][1])
		}
	}
	return nil
}

// segment returns the segment of the table that holds a.
func (h *Hardening) segment(a float64) int {
	k := 0
	for k+2 < len(h.Table) && a >= h.Table[k+1][0] {
		k++
	}
	return k
}

// at returns the yield stress and its slope [Pa].
func (h *Hardening) at(a float64) (stress, slope float64) {
	if h.Table != nil {
		k := h.segment(a)
		p, q := h.Table[k], h.Table[k+1]
		slope = (q[1] - p[1]) / (q[0] - p[0])
		return p[1] + float64(slope*(a-p[0])), slope
	}
	stress, slope = h.Yield+float64(h.Slope*a), h.Slope
	if h.Q > 0 {
		e := elementary.Expm1(-h.B * a)
		stress -= float64(h.Q * e)
		slope += float64(h.Q * h.B * (1 + e))
	}
	return stress, slope
}

// work returns the integral of the yield stress from a to a + g [J/m3].
func (h *Hardening) work(a, g float64) float64 {
	if h.Table != nil {
		sum := 0.0
		for k := h.segment(a); ; k++ {
			end := a + g
			if k+2 < len(h.Table) {
				end = min(end, h.Table[k+1][0])
			}
			p, q := h.Table[k], h.Table[k+1]
			slope := (q[1] - p[1]) / (q[0] - p[0])
			sum += float64((end - a) * (p[1] + float64(slope*(float64(0.5*(a+end))-p[0]))))
			if k+2 >= len(h.Table) || end == a+g {
				return sum
			}
			a, g = end, a+g-end
		}
	}
	w := float64(g * (h.Yield + float64(h.Slope*(a+float64(0.5*g)))))
	if h.Q > 0 {
		// Q (g + exp(-B a) (exp(-B g) - 1)/B)
		w += float64(h.Q * (g + elementary.Exp(-h.B*a)*elementary.Expm1(-h.B*g)/h.B))
	}
	return w
}

// linear tells whether the yield stress is linear in the plastic strain.
func (h *Hardening) linear() bool { return h.Table == nil && !(h.Q > 0) }
