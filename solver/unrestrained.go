package solver

import (
	"fdem/solver/constraints"
	"fdem/solver/system"
)

// Unrestrained names the bodies of a static analysis that supports leave free to move as a whole
// and that contact with friction does not connect with anything held. Contacts in separated are
// taken to carry no load. Contact without friction prevents only approach; along it there may be no
// equilibrium. Each name comes with the body's free motions.
func (s *Solver) Unrestrained(separated ...string) []string {
	p, fixes := constraints.NewRestraints(s.View, s.systems, separated...)
	out := append(p.UnrestrainedMeshed(), p.UnrestrainedRigid()...)
	if len(out) > 0 {
		return out
	}
	for k := range system.All[system.Hinged](s.kinds.systems) {
		out = append(out, k.Mechanisms(fixes, func(n int32) bool { return p.At(n).Restrained })...)
	}
	return out
}
