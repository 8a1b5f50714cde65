package contact

import (
	"fmt"
	"math"
)

// waltonBraun is O. Walton and R. Braun's latching spring, J. Rheol. 30, 1986:
// linear loading, steeper linear unloading,
//
//	F = k_1 d                      loading
//	F = k_u (d - d_res)            below the peak, k_u = k_2 + s F_max
//
// With s = 0 the restitution is sqrt(k_1/k_2) at any speed; with s > 0 it falls
// with the speed. Force in N, deflection in m, stiffness in N/m, s in 1/m.
type waltonBraun struct{ k1, k2, s float64 }

func init() {
	s := Parameter{Name: "s", Doc: "growth of the unloading stiffness with the peak force", Unit: "1/m", Max: math.Inf(1)}
	Register(Model{
		Name:   "walton-braun",
		Kind:   Point,
		Title:  "latching spring: two stiffnesses",
		Source: "O. Walton, R. Braun, J. Rheol. 30, 1986",
		Formula: "F = k1 d while loading\n" +
			"F = k_u (d - d_res) below the peak, k_u = k2 + s F_max",
		Parameters: quasiStaticParameters(
			positive("k1", "stiffness of loading", "N/m"),
			positive("k2", "stiffness of unloading, not below k1", "N/m"),
			withDefault(s, 0)),
		New: func(v map[string]float64) (Law, error) {
			l := waltonBraun{v["k1"], v["k2"], v["s"]}
			if l.k2 < l.k1 {
				return nil, fmt.Errorf("k2 must not be below k1 (unloading would return more than loading took), got %g below %g", l.k2, l.k1)
			}
			return newQuasiStatic(l, v), nil
		},
	})
}

func (l waltonBraun) load(d, _ float64) (force, slope float64) { return l.k1 * d, l.k1 }
func (l waltonBraun) work(d float64) float64                   { return 0.5 * l.k1 * d * d }
func (l waltonBraun) recovered(_, f float64) float64           { return f / (l.k2 + float64(l.s*f)) }
func (waltonBraun) exponent(float64) float64                   { return 1 }
