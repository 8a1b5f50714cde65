// Package published has problems with known solutions, from papers or in closed form, and
// computes them. The tests and the command fdem verify read the same tables.
package published

import (
	"math"

	"fdem/io/tables"
	"fdem/io/throw"
)

// Problem is a problem with known answers. A file of this package defines one;
// Problems lists it.
type Problem struct {
	Name   string // as the command spells it
	Title  string // one line
	Source string // paper, table and equation
	Solve  func() []Row

	// A problem that can be solved at other sizes has these instead of Solve.
	Sizes   []Size
	SolveAt func(size map[string]float64) Outcome
}

// Size is a size of a problem that may be set.
type Size struct {
	Name, Doc string
	Dim       tables.Dimension
	Default   float64 // of the publication, SI
}

// Outcome is the result of a problem.
type Outcome struct {
	Rows   []Row
	Values map[string]float64 // the problem's results under the names that programs look for, SI
}

// At solves the problem at the given sizes. Sizes that are not given are those of the
// publication.
func (p Problem) At(sizes map[string]float64) (out Outcome, err error) {
	defer throw.Catch(&err)
	if p.SolveAt == nil {
		return Outcome{Rows: p.Solve()}, nil
	}
	all := map[string]float64{}
	for _, s := range p.Sizes {
		all[s.Name] = s.Default
	}
	for name, v := range sizes {
		all[name] = v
	}
	return p.SolveAt(all), nil
}

// isDefault tells whether the sizes are those of the publication.
func isDefault(sizes []Size, at map[string]float64) bool {
	for _, s := range sizes {
		if at[s.Name] != s.Default {
			return false
		}
	}
	return true
}

// Row is one quantity of a problem.
type Row struct {
	Case      string  `json:"case"`                // law or set of initial values
	Quantity  string  `json:"quantity"`            // what is compared
	Unit      string  `json:"unit"`                // SI
	Given     float64 `json:"given,omitempty"`     // given value, if it is one number
	Known     float64 `json:"known"`               // in closed form, or published
	Computed  float64 `json:"computed"`            // here
	Tolerance float64 `json:"tolerance,omitempty"` // allowed difference; 0 for a row shown for comparison only
	Note      string  `json:"note,omitempty"`      // where the known value comes from, or why it is missed
}

// Met tells whether the row is within its tolerance.
func (r Row) Met() bool {
	return r.Tolerance == 0 || math.Abs(r.Computed-r.Known) <= r.Tolerance
}

// Problems lists the problems in the order of the manual.
var Problems = []Problem{
	dampers,
	rolling,
	beamOnFlat,
	beams,
	threeBalls,
	clearanceJoint,
	sphereChain,
	roughSpheres,
	rollingByVolume,
	cohesiveLaws,
	cracks,
	notchedBeam,
	branchingPlate,
	fragments,
	fluids,
	rockTunnel,
}

// Lookup returns the problem of that name.
func Lookup(name string) (Problem, bool) {
	for _, p := range Problems {
		if p.Name == name {
			return p, true
		}
	}
	return Problem{}, false
}

// Names returns the names of all problems.
func Names() []string {
	names := make([]string, len(Problems))
	for i, p := range Problems {
		names[i] = p.Name
	}
	return names
}
