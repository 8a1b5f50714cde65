package solver

import "gonum.org/v1/gonum/spatial/r2"

// Weight (gravity, a body force) acts on the nodes in their update, see
// fem.Motion; rigid bodies and spheres take their own along. A static analysis
// has it among its loads.

// weightWork calls the function with the work that the weight of everything has
// done so far, one by one [J].
func (s *Solver) weightWork(each func(work float64)) {
	g := s.gravity
	if g == (r2.Vec{}) {
		return
	}
	for _, k := range s.systems {
		k.weigh(func(mass float64, way r2.Vec) {
			each(float64(mass * (float64(g.X*way.X) + float64(g.Y*way.Y))))
		})
	}
}
