package solver

import "gonum.org/v1/gonum/spatial/r2"

// weight is the weight of the nodes; what has none takes its own
// along. A static analysis has it among its loads.
type weight struct {
	idle
	s *Solver
}

func (k *weight) name() string { return "weight" }

// addForces adds the weight; free fall of fixed nodes is held by their fix.
func (k *weight) addForces(bool) error {
	s := k.s
	if s.gravity.X == 0 && s.gravity.Y == 0 {
		return nil
	}
	for i, m := range s.mass {
		s.f[i].X += float64(m * s.gravity.X)
		s.f[i].Y += float64(m * s.gravity.Y)
	}
	return nil
}

// fallen calls the function with the work that the weight of everything has
// done so far, one by one [J].
func (s *Solver) fallen(each func(work float64)) {
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
