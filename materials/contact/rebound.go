package contact

import "math"

// Rebound is a linear penalty that gives back a fixed share of its energy, for any mass, area and speed:
// pressure grows with r^2 k while the deflection is the greatest so far and falls with k from there, as in
// Walton and Braun's law for forces. The energy given back is r^2 of that taken, so that bodies bounce with
// the coefficient of restitution r. A contact node forgets its greatest deflection when it separates.
type Rebound struct {
	K           float64 // stiffness while unloading [Pa/m]
	Restitution float64 // r
}

func init() {
	Register(Model{
		Name:    "rebound",
		Title:   "linear penalty with a coefficient of restitution: unloading is stiffer than loading",
		Source:  "O. R. Walton and R. L. Braun, J. Rheol. 30, 1986, for a pressure",
		Formula: "p = r^2 k d on first loading, k (d - (1 - r^2) d_max) below the greatest deflection d_max, not below 0; r the restitution",
		Parameters: []Parameter{
			{Name: "k", Doc: "stiffness while unloading; a deck may leave it to the bodies in contact, k = \"auto\"", Unit: "Pa/m", OpenMin: true, Max: math.Inf(1), Auto: true},
			{Name: "restitution", Doc: "coefficient of restitution", Unit: "1", Min: leastRebound, Max: 1},
		},
		New: func(v map[string]float64) (Law, error) { return Rebound{v["k"], v["restitution"]}, nil },
	})
}

// leastRebound is the least restitution: loading is softer by its square.
const leastRebound = 0.04

// Memory names the greatest deflection [m].
func (Rebound) Memory() []string { return []string{"greatest_deflection"} }

// Eval implements Law.
func (l Rebound) Eval(in Input, out Output) {
	for i, d := range in.D {
		out.P[i], out.DP[i], out.K[i], out.W[i], out.Mem[i] = l.at(d, in.Mem[i])
	}
}

// at is Eval at one contact node.
func (l Rebound) at(d, most float64) (p, dp, k, w, peak float64) {
	if !(d > 0) {
		return 0, 0, l.K, 0, 0
	}
	soft := float64(l.Restitution * l.Restitution)
	if d >= most {
		p = soft * l.K * d
		return p, soft * l.K, l.K, 0.5 * soft * p * d, d
	}
	e := d - float64((1-soft)*most)
	if e <= 0 {
		return 0, 0, l.K, 0, most
	}
	p = l.K * e
	return p, l.K, l.K, 0.5 * p * e, most
}
