package deck

import (
	"fmt"
	"math"

	"fdem/materials/contact"
	"fdem/solver/model"
)

// The restitution that a damper is given is that of its own theory. What comes out also depends on
// the end of contact, where a damper is kept from pulling, and on the mass of the pair.

const (
	otherRestitution = 0.01 // difference of the given and the resulting restitution above which there is a warning
	mostImpacts      = 8    // pairs of kinds of an interaction that are tried
)

// restitutions warns of interactions whose pairs come out with another restitution than that of
// their law. They are tried by one impact each, of laws whose restitution does not depend on the
// speed.
func (r *resolver) restitutions(m *model.Model) (says []string) {
	of := &m.Particles
	tried := make([]int, len(r.interactions))
	for _, pair := range of.Predicted {
		rule, err := of.RuleOf(pair[0], pair[1])
		if err != nil || rule == nil || tried[rule.Interaction] >= mostImpacts {
			continue
		}
		i := &r.interactions[rule.Interaction]
		given, is := i.law.values["restitution"]
		if _, damped := i.law.model.Parameter("mass"); !is || !damped {
			continue
		}
		tried[rule.Interaction]++
		if out, ok := restitution(rule.Law, rule.Mass); ok && math.Abs(out-given) > otherRestitution {
			says = append(says, otherwise(i, given, out, rule.Mass))
			tried[rule.Interaction] = mostImpacts
		}
	}
	return says
}

// otherwise returns the warning of an interaction whose restitution comes out as another one, in an impact
// of an effective mass [kg].
func otherwise(i *interaction, given, out, mass float64) string {
	why := "its damper is kept from pulling where the contact ends, and the theory lets it pull; raw = 1 in the [[law]] does as well"
	if own, is := i.law.values["mass"]; is && math.Abs(own-mass) > otherRestitution*mass {
		why = fmt.Sprintf("its damper is that of an effective mass of %.4g kg, and the pair has %.4g kg: leave mass out of the [[law]]", own, mass)
	}
	return fmt.Sprintf("interaction %q: the restitution of %s, given as %.4g, comes out as %.3f: %s", i.name, i.law.model.Name, given, out, why)
}

// restitution returns that of an impact at 1 m/s.
func restitution(law contact.Law, mass float64) (e float64, ok bool) {
	const speed = 1
	c, err := contact.Impact(law, mass, speed)
	return c.Restitution, err == nil
}
