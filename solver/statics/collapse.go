package statics

import (
	"fdem/solver/cholesky"
	"fdem/solver/system"
)

// Plastic collapse (limit load): a body flows so far through it that its tangent stiffness in one
// direction vanishes. Loads cannot grow beyond; Newton's method goes far in that direction and finds
// no equilibrium.

const (
	collapseSteps     = 4    // number of iterations within which the direction is looked for
	collapseStiffness = 0.05 // stiffness in the direction relative to that without flow, below which a body collapses
	flowing           = 1e-2 // increment of plastic strain relative to the greatest, above which a triangle takes part
)

// collapsing names the bodies that flow freely in an increment of length dt, which has no
// equilibrium. The state is as before afterwards.
func (a *Analysis) collapsing(from, dt float64) (bodies []string) {
	s := a.solver
	if !s.Yields() {
		return nil
	}
	var begin system.Positions
	begin.Copy(s.Freedoms)
	elastic := func() float64 { // stiffness in the direction of the step, without flow: the forces are those of the last equilibrium
		a.assemble()
		return a.along()
	}
	before, after := make([]float64, len(s.Mesh.Triangles)), make([]float64, len(s.Mesh.Triangles))
	s.PlasticStrains(before)
	a.hold, a.grip = 0, false
	for n := 1; n <= collapseSteps && bodies == nil; n++ {
		s.Time = from + dt
		_, err := a.solve(dt, n)
		soft := 0.0
		if err == errIterations {
			a.assemble()
			soft = a.along()
			s.PlasticStrains(after)
		}
		begin.Restore(s.Freedoms)
		s.Time = from
		if back := a.evaluate(dt); back != nil || err != errIterations {
			return nil
		}
		if soft < collapseStiffness*elastic() {
			bodies = a.flowing(before, after)
		}
	}
	return bodies
}

// along returns the stiffness in the direction of the step.
func (a *newton) along() float64 {
	pull := make([]float64, len(a.step))
	a.stiffness.Times(pull, a.step)
	return cholesky.Inner(a.step, pull)
}

// flowing names the bodies whose plastic strain grows.
func (a *Analysis) flowing(before, after []float64) (bodies []string) {
	most := 0.0
	for i, v := range after {
		most = max(most, v-before[i])
	}
	for i := range a.solver.Mesh.Bodies {
		b := &a.solver.Mesh.Bodies[i]
		for t := b.First; t < b.End && most > 0; t++ {
			if after[t]-before[t] > flowing*most {
				bodies = append(bodies, b.Name)
				break
			}
		}
	}
	return bodies
}
