package solver

import (
	"math"

	"fdem/solver/forces"

	"gonum.org/v1/gonum/spatial/r2"
)

// SpringForces returns the forces of all springs.
func (k *results) SpringForces() []forces.SpringForce { return k.springs.UnitForces() }

// EachSpring calls the function with every spring between two positions.
func (s *results) EachSpring(each func(l *forces.SpringLine)) {
	k := s.springs
	for i := 0; i < len(k.Units); {
		u := &k.Units[i]
		a, b := &u.Ends[0], &u.Ends[1]
		l := forces.SpringLine{Of: int(u.Of), Start: [2]r2.Vec{a.At, b.At}, Now: [2]r2.Vec{k.EndPosition(a), k.EndPosition(b)}}
		for ; i < len(k.Units) && k.Units[i].Link == u.Link; i++ {
			if v := &k.Units[i]; math.Abs(v.Force) >= math.Abs(l.Force) {
				l.Force, l.Stretch = v.Force, v.Extent
			}
		}
		if a.At != b.At {
			each(&l)
		}
	}
}

// SpringLines returns the number of springs between two positions.
func (k *results) SpringLines() int {
	n := 0
	k.EachSpring(func(*forces.SpringLine) { n++ })
	return n
}
