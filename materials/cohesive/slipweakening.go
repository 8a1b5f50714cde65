package cohesive

import "fmt"

// SlipWeakening is friction that falls linearly with the path of slip, as on a fault that ruptures
// (Y. Ida, J. Geophys. Res. 77 (1972) 3796; D. J. Andrews, J. Geophys. Res. 81 (1976) 5679):
//
//	mu = mu_s - (mu_s - mu_d) min(s/D, 1)
//
// It takes the fracture energy (mu_s - mu_d) p D/2 beyond dynamic friction.
type SlipWeakening struct {
	Static, Dynamic float64 // mu_s, mu_d
	Distance        float64 // D [m]
}

// NewSlipWeakening returns the law, or an error that names the violated rule.
func NewSlipWeakening(w SlipWeakening) (*SlipWeakening, error) {
	switch {
	case w.Dynamic < 0 || w.Dynamic > w.Static:
		return nil, fmt.Errorf("dynamic_friction must be at least 0 and at most friction, %g, got %g", w.Static, w.Dynamic)
	case !(w.Distance > 0):
		return nil, fmt.Errorf("weakening_slip must be positive, got %g m", w.Distance)
	}
	return &w, nil
}

// Coefficient returns the coefficient of friction after a path of slip [m].
func (w *SlipWeakening) Coefficient(path float64) float64 {
	return w.Static - float64((w.Static-w.Dynamic)*min(path/w.Distance, 1))
}

// slide returns how far faces slide under a pressure [Pa] if a spring of a stiffness [Pa/m] pulls them
// by some traction [Pa], after a path of slip [m]: until friction carries the rest.
func (w *SlipWeakening) slide(traction, pressure, stiffness, path float64) float64 {
	over := traction - float64(pressure*w.Coefficient(path))
	if over <= 0 {
		return 0
	}
	if path < w.Distance {
		if soft := stiffness - pressure*(w.Static-w.Dynamic)/w.Distance; soft > 0 && path+over/soft <= w.Distance {
			return over / soft
		}
	}
	return max(0, traction-float64(pressure*w.Dynamic)) / stiffness
}
