package contact

import "math"

// Linear is the linear penalty law, p = k d, without memory.
type Linear struct {
	K float64 // stiffness [Pa/m]
}

func init() {
	Register(Model{
		Name:    "linear",
		Title:   "linear penalty",
		Source:  "A. Munjiza, The Combined Finite-Discrete Element Method, 2004, chapter 2",
		Formula: "p = k d",
		Parameters: []Parameter{
			{Name: "k", Doc: "stiffness", Unit: "Pa/m", OpenMin: true, Max: math.Inf(1)},
		},
		New: func(v map[string]float64) (Law, error) { return Linear{v["k"]}, nil },
	})
}

// Memory returns nil.
func (Linear) Memory() []string { return nil }

// Eval implements Law.
func (l Linear) Eval(in Input, out Output) {
	for i, d := range in.D {
		d = max(d, 0)
		p := l.K * d
		out.P[i], out.W[i] = p, 0.5*p*d
		out.DP[i], out.K[i] = 0, l.K
		if d > 0 {
			out.DP[i] = l.K
		}
	}
}
