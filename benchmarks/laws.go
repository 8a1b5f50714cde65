package benchmarks

import (
	"fmt"

	"fdem/io/throw"
	"fdem/materials/bulk"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// The cost of a material with a law compared with one of St. Venant and Kirchhoff: steps
// of the same blocks in plane strain, which stretch along x and shrink along y.

// stretchRate is the strain rate of the blocks [1/s]: a percent or two during the
// measurement.
const stretchRate = 1e3

// lawScenes are the materials of law_step_ns. The one that yields does so in every
// triangle and every step.
var lawScenes = []struct {
	name, law string
	values    map[string]float64
	pairs     bool
}{
	{"elastic", "", nil, false},
	{"neo-hooke", "neo-hooke", nil, false},
	{"j2 elastic", "j2", map[string]float64{"yield_stress": 1e12}, true},
	{"j2 yielding", "j2", map[string]float64{"yield_stress": 1e5, "hardening": 1e5}, true},
	{"mohr-coulomb elastic", "mohr-coulomb", map[string]float64{"cohesion": 1e12, "friction_angle": 30}, true},
	{"mohr-coulomb yielding", "mohr-coulomb", map[string]float64{"cohesion": 1e5, "friction_angle": 30}, true},
}

// stretched returns the solver of stretching blocks of a material. With pairs the
// triangles share their change of volume, as a deck has it for laws that flow.
func stretched(triangles int, law string, values map[string]float64, pairs bool) *solver.Solver {
	m := blocks(triangles)
	m.Plane = bulk.PlaneStrain
	if law != "" {
		of, ok := bulk.Lookup(law)
		if !ok {
			panic(fmt.Sprintf("no law %s", law))
		}
		m.Materials[0].Law = throw.Must(of.Build(m.Materials[0].Elastic, bulk.Constants{Value: values}))
	}
	if pairs {
		m.Mesh = m.Mesh.WithPairs([]bool{true, true})
	}
	s := throw.Must(solver.New(m))
	s.SetWorkers(1)
	for i := range s.V {
		x := s.X[i]
		if x.X > 1.5*blockSize {
			x.X -= 2 * blockSize
		}
		s.V[i] = r2.Vec{X: stretchRate * (x.X - 0.5*blockSize), Y: -stretchRate * (x.Y - 0.5*blockSize)}
	}
	return s
}

// measureLaws measures the steps of materials with laws, and their additional memory.
func (f *Figures) measureLaws() {
	f.LawStepNs, f.LawBytes = map[string]float64{}, map[string]float64{}
	for _, c := range lawScenes {
		s, bytes := bytesHeld(func() *solver.Solver { return stretched(elements, c.law, c.values, c.pairs) })
		n := float64(len(s.Mesh.Triangles))
		f.LawStepNs[c.name] = 1e9 * stepTime(s) / n
		f.LawBytes[c.name] = bytes / n
	}
}
