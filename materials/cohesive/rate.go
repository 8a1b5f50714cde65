package cohesive

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// Rate is the factor of strength and fracture energy by the speed of opening. The opening
// at which a point is broken stays the same.
//
//	1 + (v/v_0)^n
//
// or a table, linear between its speeds and constant after the last (rate-dependent cohesive
// law: F. Zhou, J.-F. Molinari, T. Shioya, Engineering Fracture Mechanics 72 (2005) 1383). v
// is the rate of kappa, which is the speed of opening on a straight path.
type Rate struct {
	Speed    float64      // v_0 [m/s]; 0 if there is a table
	Exponent float64      // n
	Table    [][2]float64 // speed [m/s] and factor
}

// NewRate returns a rate, or an error that names the violated rule.
func NewRate(r Rate) (*Rate, error) {
	for i, row := range r.Table {
		switch {
		case i == 0 && row[0] != 0:
			return nil, fmt.Errorf("the first speed must be 0, got %g m/s", row[0])
		case i == 0 && row[1] != 1:
			return nil, fmt.Errorf("the factor at rest must be 1: strengths and energies are those at rest; got %g", row[1])
		case i > 0 && !(row[0] > r.Table[i-1][0]):
			return nil, fmt.Errorf("speeds must grow from row to row, got %g m/s after %g m/s", row[0], r.Table[i-1][0])
		case !(row[1] > 0) || math.IsInf(row[1], 1):
			return nil, fmt.Errorf("factors must be greater than 0, got %g at %g m/s", row[1], row[0])
		case i > 0 && row[1] < r.Table[i-1][1]:
			return nil, fmt.Errorf("factors must not fall with speed, since a crack that becomes weaker with speed never opens slowly; got %g after %g", row[1], r.Table[i-1][1])
		}
	}
	switch {
	case len(r.Table) == 1:
		return nil, fmt.Errorf("a table must have at least two rows")
	case len(r.Table) == 0 && !(r.Speed > 0 && r.Exponent > 0):
		return nil, fmt.Errorf("speed and exponent must be greater than 0, got %g m/s and %g", r.Speed, r.Exponent)
	}
	return &r, nil
}

// At returns the factor at a speed [m/s].
func (r *Rate) At(speed float64) float64 {
	if r.Table == nil {
		return 1 + elementary.Pow(max(0, speed)/r.Speed, r.Exponent)
	}
	for i := 1; i < len(r.Table); i++ {
		if a, b := r.Table[i-1], r.Table[i]; speed < b[0] {
			return a[1] + float64((b[1]-a[1])*(max(0, speed)-a[0])/(b[0]-a[0]))
		}
	}
	return r.Table[len(r.Table)-1][1]
}

// rateDamage updates the damage of a point for a kappa [m] and a time [s], and returns its
// integrity. With q the point whose strength and energy are multiplied by the factor of the
// speed,
//
//	g = min(g, T_q(kappa)/(|t| + K kappa))
//
// The integrity never rises, so that no speed creates energy. A point that opens faster than
// before is elastic until it reaches the curve of its speed. A point that comes to rest falls
// to the curve of rest. The dissipation is Y dd, by the mean Y of both ends of the step.
func (l *Law) rateDamage(p *Point, mem *[Memories]float64, kappa, time float64) (g float64) {
	g = mem[Integrity]
	if !(time > 0) || g == 0 {
		return g
	}
	r := l.Rate.At((kappa - mem[Kappa]) / time)
	k, _ := p.springs()
	q := *p
	q.Energy = float64(r * p.Energy)
	q.Onset = max(p.Size, min(float64(r*p.Onset), math.Sqrt(float64(p.Size*p.Size)+float64(k*q.Energy))))
	elastic, energy := q.elastic()
	if kappa <= elastic {
		return g
	}
	var curve, lost [1]float64
	soft, _, _ := l.soften(&q, kappa, elastic, energy, curve[:], lost[:], nil)
	if soft < g {
		mem[Lost] += float64(0.5 * (float64(p.Drive(kappa)) + float64(p.Drive(mem[Kappa]))) * (g - soft))
		g = soft
	}
	return g
}
