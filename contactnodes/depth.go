package contactnodes

import (
	"fmt"

	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// The depth of contact nodes has a limit, which the elements under an edge set.

// DepthError reports a contact node that is too deep inside a body for contact.
type DepthError struct {
	Contact    string
	Position   r2.Vec
	Deflection float64 // [m]
	Limit      float64 // [m]
	Advice     string  // stiffness that would have prevented it, or its cause
}

func (e *DepthError) Error() string {
	return fmt.Sprintf("contact %q: a contact node at (%.6g, %.6g) m is %.3g m deep, more than the %.3g m that the elements under it allow: %s",
		e.Contact, e.Position.X, e.Position.Y, e.Deflection, e.Limit, e.Advice)
}

const cameFromBehind = "it has not touched before, so it came from behind or from the side; a line's solid lies to the right of the direction from \"from\" to \"to\""

// adviceDepth is the deflection with a law of the right stiffness, relative to the greatest
// possible depth.
const adviceDepth = 0.1

// advice returns the stiffness at which the pressure of a deflection [m] would stay well below a
// limit of deflection [m], and at least the suitable stiffness of the bodies.
func (c *Contact) advice(deflection, limit float64) string {
	times := deflection / (adviceDepth * limit)
	law, linear := c.Law.(contact.Linear)
	factor := max(1, c.StiffnessFactor*times)
	switch {
	case c.Penetration > 0: // impacts reach that depth; half the limit leaves a margin
		return fmt.Sprintf("bodies meet faster, or sharper, than a penetration of %.2g %% is for; take penetration = \"%.1g %%\"", 100*c.Penetration, 100*c.Penetration*0.5*limit/deflection)
	case linear && c.StiffnessKey != "":
		return fmt.Sprintf("its stiffness of %.3g Pa/m is too small for this pressure; take %s = %.2g Pa/m", law.K, c.StiffnessKey, max(law.K*times, c.SuitableStiffness))
	case linear && c.StiffnessFactor > 0 && c.LawName == "auto":
		return fmt.Sprintf("the stiffness found for it is too small for this pressure; give it a linear law with k_factor = %.2g", factor)
	case linear && c.StiffnessFactor > 0:
		return fmt.Sprintf("law %q is too soft for this pressure; take k_factor = %.2g instead of %g", c.LawName, factor, c.StiffnessFactor)
	case linear && c.SuitableStiffness > law.K*times:
		return fmt.Sprintf("law %q is too soft for this pressure; take k = \"auto\", which is %.2g Pa/m, instead of %g", c.LawName, c.SuitableStiffness, law.K)
	case linear:
		return fmt.Sprintf("law %q is too soft for this pressure; take k = %.2g Pa/m instead of %g", c.LawName, law.K*times, law.K)
	}
	return fmt.Sprintf("law %q is too soft for this pressure; take parameters that make it some %.2g times as stiff", c.LawName, times)
}

// MaxDepth is the greatest deflection relative to an edge's Depth. Contact nodes with a negligible
// fraction may be deeper, because the other side carries the load.
const (
	MaxDepth           = 0.8
	negligibleFraction = 0.01
)

// checkDepth reports a loaded contact node whose depth [m] is too great, or whose strip reaches the
// end of the edge's region, below which there would be no pressure. If areas are shared later, its
// area fraction is that of the hit first.
func (c *Contact) checkDepth(f *finder, h, first *hit, depth, fraction float64) {
	seen := c.outline.Depth[f.opposites[h.opposite].edge]
	if limit := MaxDepth * seen; depth > limit || !h.shallow(limit) {
		if deep := h.deepest(); deep > (1-depthRounding)*seen {
			depth = max(depth, deep)
		}
		if f.opposites[first.opposite].shared {
			fraction, _ = c.areaFraction(f, first)
		}
		c.reportDepth(f, h, depth, limit, fraction)
	}
}

// reportDepth reports a depth above a limit [m].
func (c *Contact) reportDepth(f *finder, h *hit, depth, limit, fraction float64) {
	if depth > limit && fraction > negligibleFraction && f.err == nil {
		position, _ := f.nodes.point(f.a, f.b, int(h.node))
		advice := c.advice(depth, limit) + "; or coarsen the surface"
		if id := f.element*int32(c.Nodes) + h.node; c.v != nil && (c.firstSlot[f.element] == noSlot || *c.slot(id) == noSlot) {
			advice = cameFromBehind
		}
		f.err = &DepthError{c.Name, position, depth, limit, advice}
	}
}
