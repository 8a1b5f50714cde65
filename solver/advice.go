package solver

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"fdem/fem"
	"fdem/mesh"
	"fdem/solver/bodies"
	"fdem/solver/forces"
	"fdem/solver/impulses"
	"fdem/solver/system"
)

// Errors that stop a run name the part of the deck that causes them, and what a user
// can change.

// shortest returns what limits the step now, and what in the deck would allow a
// longer step.
func (k *stepLimits) shortest() (what, advice string) {
	b, damping := &k.limits, &k.Model.Damping
	by := b.Strictest(1)
	const why = 2                                                                                 // how many times the limit may exceed the present step, with its safety factor
	if now := min(b.Step.Of, k.Safety*b.Stable(k.Model)); k.FixedStep == 0 && now > why*k.Limit { // the limit is a predicted contact point
		return fmt.Sprintf("contact at %v", k.stiffestContact()), softer
	}
	if b.Step.Of < b.Stable(k.Model) {
		by = b.Step.By
	} else if rate, omega2 := 2*(b.Damping.Of+b.Dashpots.Of), b.Elements.Of+b.Cracks.Of+b.Stiffness.Of+b.Springs.Of; true {
		stiff := float64(b.Viscous * b.Elements.Of)
		switch all := damping.Mass + stiff + rate; {
		case all*all < 4*omega2: // vibrations limit the step, not damping
		case stiff >= max(damping.Mass, rate) && damping.Light:
			return fmt.Sprintf("the light damping of %.4g s on triangles that have been flattened or sheared", damping.Stiffness),
				"squeeze them less or more slowly, or go without it by damping = { stiffness = 0 } in [analysis]"
		case stiff >= max(damping.Mass, rate):
			return fmt.Sprintf("the stiffness damping of %.4g s", damping.Stiffness), "lower damping.stiffness of [analysis], or make the smallest elements larger"
		case damping.Mass >= rate:
			return fmt.Sprintf("the mass damping of %.4g 1/s", damping.Mass), "lower damping.mass of [analysis]"
		case b.Dashpots.Of >= b.Damping.Of:
			return fmt.Sprintf("the damping of spring %q", k.Where(b.Dashpots.By)), "lower its damping, or let it act on more mass"
		default:
			by = b.Damping.By
		}
	}
	where := k.Where(by)
	for k := range system.All[advising](k.kinds.systems) {
		if advice := k.Advice(by); advice != "" {
			return cmp.Or(where, by.What), advice
		}
	}
	switch by.What {
	case forces.OfSpring:
		return fmt.Sprintf("spring %q", where), "lower its stiffness or damping, or let it act on more mass"
	case "cracks":
		if where == "" {
			where = "cracks that have opened"
		}
		return where, "lower stiffness in [[fracture]], or make the smallest elements there larger"
	case "speed of approach":
		at, speed := k.FastestNode()
		return fmt.Sprintf("the %s: the fastest is %v with %.4g m/s", by.What, at, speed), "slow down what moves it: a drive, a load, an initial velocity"
	case impulses.OfSpeed:
		at, speed := k.FastestNode()
		if speed == 0 {
			return "gravity", ""
		}
		return fmt.Sprintf("the speed of %.4g m/s %v", speed, at), "slow down what moves it: a drive, a load, an initial velocity" + k.impulses.Advice()
	case bodies.AtNode, bodies.AtBody:
		return fmt.Sprintf("contact at %v", k.stiffestContact()), softer
	}
	return by.What, "see [analysis]"
}

// softer is the advice where a contact limits the step.
const softer = "soften the law of that contact, lower its damping, or slow down what meets"

// advising is a kind of system that can advise how steps get longer. It returns ""
// if another kind limits the step.
type advising interface{ Advice(by system.Cause) string }

// stepAdvice returns what a user can change if steps were too long.
func (k *stepLimits) stepAdvice() string {
	if k.Model.Impulses != nil {
		return fmt.Sprintf("take a step of half of %.4g s in [analysis]%s", k.Limit, k.impulses.Advice())
	}
	what, advice := k.shortest()
	if k.FixedStep > 0 {
		return fmt.Sprintf("take a shorter step than the %.4g s that [analysis] gives, or leave it out; the shortest is asked for by %s: %s", k.FixedStep, what, advice)
	}
	return fmt.Sprintf("take a smaller safety in [analysis], which is %g; the shortest step is asked for by %s: %s", k.Safety, what, advice)
}

// advise adds advice to an error of the forces.
func (k *stepLimits) advise(err error) error {
	var inverted *fem.InversionError
	var folded *fem.FoldError
	step := "a smaller safety in [analysis]"
	if k.FixedStep > 0 {
		step = fmt.Sprintf("a shorter step than the %.4g s that [analysis] gives", k.FixedStep)
	}
	advice := func(index int32, elements func(*mesh.Body) (first, end int32)) error {
		for i, b := range k.Mesh.Bodies {
			if first, end := elements(&b); index < first || index >= end || i >= len(k.Model.Bodies) {
				continue
			}
			m := &k.Materials[k.Model.Bodies[i].Material]
			soft := ""
			if damping := k.Model.Damping.Stiffness; damping > 0 && !k.Model.Damping.Light {
				soft = fmt.Sprintf(", less than the stiffness damping of %.4g s", damping)
			}
			if m.Law == nil {
				soft += ", a law for more than some 10 % of strain (law = \"neo-hooke\" for rubber, \"j2\" for metal; without one a body is of St. Venant and Kirchhoff and softens as it is squeezed)"
			}
			return fmt.Errorf("%w; body %q is loaded or driven further or faster than it can follow: smaller or slower loads, drives and velocities, a larger Young's modulus than %.4g Pa, a mesh without slender elements there%s, or %s",
				err, k.Model.Bodies[i].Name, m.Young, soft, step)
		}
		return err
	}
	switch {
	case errors.As(err, &inverted):
		if math.IsNaN(inverted.Det) {
			return fmt.Errorf("%w; %s", err, k.stepAdvice())
		}
		return advice(inverted.Index, func(b *mesh.Body) (first, end int32) { return b.First, b.End })
	case errors.As(err, &folded):
		return fmt.Errorf("%w; smaller or slower loads, drives and velocities, a larger Young's modulus or section, shorter elements there, or %s", err, step)
	}
	return err
}
