package bulk

import (
	"math"

	"fdem/materials/elementary"
)

// Strength is what a law bears before it flows for the first time, without hardening and softening.
// Of its groups of constants one is not 0.
type Strength struct {
	Yield      float64 `json:"yield,omitempty"` // von Mises [Pa]
	Sin, Limit float64 // Mohr and Coulomb: sin phi, 2 c cos phi [Pa]
	Eta, Cone  float64 // Drucker and Prager: eta, xi c [Pa]
	Tension    float64 `json:"tension,omitempty"` // greatest tension [Pa]; 0 for none
	Intact     float64 // Hoek and Brown: S [Pa]
	RockMass           // of it
}

// Strength returns the strength of a material, nil for one that bears any stress.
func (m Material) Strength() *Strength {
	finite := func(t float64) float64 {
		if math.IsInf(t, 1) {
			return 0
		}
		return t
	}
	switch l := m.Law.(type) {
	case *J2:
		sy, _ := l.at(0)
		return &Strength{Yield: sy}
	case *JohnsonCook:
		return &Strength{Yield: l.A}
	case *MohrCoulomb:
		f := l.strain.faces[0]
		return &Strength{Sin: f.n[0] - 1, Limit: f.limit, Tension: finite(l.Tensile)}
	case *DruckerPrager:
		return &Strength{Eta: l.Eta, Cone: l.Limit, Tension: finite(l.Tensile)}
	case *HoekBrown:
		return &Strength{Intact: l.Intact, RockMass: l.Peak, Tension: l.cut * l.Peak.S * l.Intact / l.Peak.M}
	}
	return nil
}

// Used returns the part of the strength that a stress uses: how large the difference of principal
// stresses is (for von Mises and Drucker and Prager the root of J_2) beside the greatest one at
// its pressure, or its tension beside the greatest. The law flows from 1 on.
func (s *Strength) Used(xx, yy, zz, xy float64) float64 {
	p, r := float64(0.5*(xx+yy)), elementary.Hypot(0.5*(xx-yy), xy)
	high, low := max(p+r, zz), min(p-r, zz)
	mean := (xx + yy + zz) / 3
	root := math.Sqrt(float64(0.5*(float64((xx-mean)*(xx-mean))+float64((yy-mean)*(yy-mean))+float64((zz-mean)*(zz-mean)))) + float64(xy*xy))
	used := 0.0
	share := func(of, limit float64) {
		if limit <= 0 && of > 0 {
			of, limit = 1, 1 // beyond the apex
		}
		if of > 0 {
			used = max(used, of/limit)
		}
	}
	switch {
	case s.Yield > 0:
		share(math.Sqrt(3)*root, s.Yield)
	case s.Intact > 0:
		share(high-low, s.Intact*elementary.Pow(max(0, s.S-s.M*high/s.Intact), s.A))
	case s.Eta > 0 || s.Cone > 0:
		share(root, s.Cone-float64(s.Eta*mean))
	default:
		share(high-low, s.Limit-float64(s.Sin*(high+low)))
	}
	if s.Tension > 0 {
		of := high
		if s.Cone > 0 || s.Eta > 0 {
			of = mean
		}
		share(of, s.Tension)
	}
	return used
}
