package fit

import (
	"fmt"
	"math"

	"fdem/materials/contact"
)

// Parameter is a parameter to find, in multiples of a scale.
type Parameter struct {
	Name string
	// Scale returns the scale in SI from the law's dimensionless parameters:
	// the unit of a flexibility [m/Pa^m] depends on its exponent. nil is 1.
	Scale func(values map[string]float64) float64
	// The box that the search samples: evenly in the logarithm where Low is
	// above zero.
	Low, High float64
	// Where the refinement may go: Least to Most, Most may be infinite.
	Min, Max float64
}

// Noise says how the size of the noise goes with the reading.
type Noise int

const (
	Either       Noise = iota // whichever of the two makes the data likelier
	Constant                  // the same everywhere: residuals count in Pa or N
	Proportional              // in proportion to the reading: residuals count as parts of it
)

// String names the noise as flags do.
func (n Noise) String() string {
	return [...]string{"auto", "constant", "proportional"}[n]
}

// leastReading is the part of the greatest answer below which proportional noise
// counts as constant.
const leastReading = 0.01

// Problem is a law to fit.
type Problem struct {
	Model     contact.Model
	Data      Data
	Free      []Parameter
	Fixed     map[string]float64 // SI
	Noise     Noise
	Samples   int // of the Monte Carlo search
	Starts    int // best samples that are refined
	Bootstrap int // replicas, 0 for no confidence intervals
	Seed      uint64
	Threads   int                           // workers; they never change the result
	Progress  func(stage string, of, n int) // may be nil; called from one goroutine at a time
}

// Check returns an error for data that cannot be fitted.
func (p *Problem) Check() error {
	n := len(p.Data.D)
	if n <= len(p.Free) {
		return fmt.Errorf("%d rows cannot determine %d parameters", n, len(p.Free))
	}
	if d, a := p.Data.Largest(); !(d > 0 && a > 0) {
		return fmt.Errorf("the data show no contact: the greatest deflection is %g m and the greatest answer %g", d, a)
	}
	if len(p.Free) == 0 {
		return fmt.Errorf("every parameter is fixed: there is nothing to fit")
	}
	return nil
}

// values turns multiples of the scales into SI values of all parameters.
func (p *Problem) values(u []float64) map[string]float64 {
	v := make(map[string]float64, len(u)+len(p.Fixed))
	for name, x := range p.Fixed {
		v[name] = x
	}
	for i, f := range p.Free {
		if f.Scale == nil {
			v[f.Name] = u[i]
		}
	}
	for i, f := range p.Free {
		if f.Scale != nil {
			v[f.Name] = float64(u[i] * f.Scale(v))
		}
	}
	return v
}

// inner maps a multiple of the scale to the unbounded variable z of the
// refinement: its logarithm, or where Most is finite the logit of its place
// between Least and Most.
func (f *Parameter) inner(u float64) float64 {
	if math.IsInf(f.Max, 1) {
		return math.Log(max(u-f.Min, 1e-12*math.Abs(u), 1e-300))
	}
	s := min(max((u-f.Min)/(f.Max-f.Min), 1e-6), 1-1e-6)
	return math.Log(s / (1 - s))
}

// outer is the inverse of inner.
func (f *Parameter) outer(z float64) float64 {
	if math.IsInf(f.Max, 1) {
		return f.Min + math.Exp(min(z, 600))
	}
	return f.Min + float64((f.Max-f.Min)/(1+math.Exp(-z)))
}

// outerAll maps all variables.
func (p *Problem) outerAll(z []float64) []float64 {
	u := make([]float64, len(z))
	for i := range z {
		u[i] = p.Free[i].outer(z[i])
	}
	return u
}

// evaluator computes residuals of one problem on one data set. Each worker has
// its own.
type evaluator struct {
	*Problem
	data    Data
	weights []float64
	run     *runner
	answer  []float64
}

func (p *Problem) evaluator(data Data) *evaluator {
	e := &evaluator{Problem: p, data: data, answer: make([]float64, len(data.D)), weights: make([]float64, len(data.D))}
	_, most := data.Largest()
	for i, a := range data.Answer {
		e.weights[i] = 1 / most
		if p.Noise == Proportional {
			e.weights[i] = 1 / max(math.Abs(a), leastReading*most)
		}
	}
	return e
}

// residuals fills r with weighted residuals at u and reports whether the law
// can be made of it.
func (e *evaluator) residuals(u, r []float64) bool {
	law, err := e.Model.Build(e.values(u))
	if err != nil {
		return false
	}
	if e.run == nil {
		e.run = newRunner(len(law.Memory()))
	}
	e.run.run(law, e.data, e.answer)
	for i, a := range e.answer {
		if math.IsNaN(a) || math.IsInf(a, 0) {
			return false
		}
		r[i] = (a - e.data.Answer[i]) * e.weights[i]
	}
	return true
}

// inContact returns the rows at which data or law, as last evaluated, are in
// contact: where both are apart they agree exactly and say nothing about noise.
func (e *evaluator) inContact() []int {
	var rows []int
	for i, a := range e.answer {
		if a != 0 || e.data.Answer[i] != 0 {
			rows = append(rows, i)
		}
	}
	return rows
}

// meanSquare returns the mean of the squares.
func meanSquare(r []float64) float64 {
	sum := 0.0
	for _, x := range r {
		sum += float64(x * x)
	}
	return sum / float64(len(r))
}
