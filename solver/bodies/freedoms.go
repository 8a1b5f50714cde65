package bodies

import (
	"math"
	"slices"
	"strconv"

	"fdem/contactnodes"
)

// Shallowest returns the depth of the shallowest edge [m].
func (k *Outlines) Shallowest() float64 { return k.Shallow }

// Outline returns the nodes that may be in contact.
func (k *Outlines) Outline() []int32 { return k.Lines.Nodes }

// Separated returns the names of the contacts that carry no load.
func (s *ContactState) Separated() (out []string) {
	for _, c := range s.Surfaces {
		if c.Normal == 0 {
			out = append(out, c.Name)
		}
	}
	return out
}

// Sticks tells whether a contact has Coulomb friction with an elastic stick.
func (s *ContactState) Sticks() bool {
	return slices.ContainsFunc(s.Surfaces, func(c *contactnodes.Contact) bool { return c.Friction.Sticks() })
}

// ScaleFriction multiplies all friction coefficients.
func (s *ContactState) ScaleFriction(factor float64) {
	for _, c := range s.Surfaces {
		c.Friction.Kinetic *= factor
		c.Friction.Static *= factor
	}
}

// Sliding names the contacts whose contact nodes all slide in one direction.
func (s *ContactState) Sliding() []string {
	const nearly = 0.99
	var out []string
	for _, c := range s.Surfaces {
		if mu := c.Friction.Kinetic; mu*c.Normal > 0 && math.Abs(c.Tangential) > nearly*mu*c.Normal {
			out = append(out, strconv.Quote(c.Name))
		}
	}
	return out
}
