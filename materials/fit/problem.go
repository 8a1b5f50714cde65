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
	// The box that the search samples, uniformly in the logarithm if Low is
	// above zero.
	Low, High float64
	// The range of the refinement, Min to Max; Max may be infinite.
	Min, Max float64
}

// Noise is the dependence of the noise's size on the reading.
type Noise int

const (
	Either       Noise = iota // the one of the two that makes the data more likely
	Constant                  // the same everywhere: residuals are in Pa or N
	Proportional              // in proportion to the reading: residuals are parts of it
)

// String returns the name of the noise, as in flags.
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
	Samples   int // samples of the Monte Carlo search
	Starts    int // number of best samples that are refined
	Bootstrap int // number of replicas, 0 for no confidence intervals
	Seed      uint64
	Threads   int                           // number of workers; it does not change the result
	Progress  func(stage string, of, n int) // called from one goroutine at a time; may be nil
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

// values returns the SI values of all parameters from multiples of the scales.
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
// refinement: its logarithm, or if Max is finite the logit of its position
// between Min and Max.
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

// outerAll maps all variables by outer.
func (p *Problem) outerAll(z []float64) []float64 {
	u := make([]float64, len(z))
	for i := range z {
		u[i] = p.Free[i].outer(z[i])
	}
	return u
}

// evaluator computes the residuals of one problem on one data set. Each worker
// has its own.
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

// residuals fills r with weighted residuals at u. It returns false if u gives
// no valid law.
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

// inContact returns the rows at which the data or the law, as last evaluated,
// are in contact. At the other rows both are exactly zero and give no
// information about noise.
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
