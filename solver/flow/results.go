package flow

import (
	"cmp"
	"math"
	"slices"

	"fdem/solver/quantity"
)

// In returns the state of the fluid in an edge of Fracture.
func (k *Fluids) In(edge int32) (of CrackFluid) {
	for _, c := range k.List {
		i, there := slices.BinarySearchFunc(c.Filled, edge, func(f filled, e int32) int { return cmp.Compare(f.edge, e) })
		if !there {
			continue
		}
		of.Aperture = k.residual(c, edge)
		for end, v := range c.Filled[i].Volume {
			if !math.IsNaN(v) {
				of.Saturation += float64(0.5 * k.saturation(c, edge, end))
			}
		}
		if n := c.Flow; n != nil {
			if j, there := slices.BinarySearchFunc(n.channels, int32(i), func(ch channel, f int32) int { return cmp.Compare(ch.Filled, f) }); there {
				of.Flow = n.channels[j].flux
			}
		}
	}
	if ch, ok := k.zone.Channel(edge, k.X); ok {
		of.Aperture += float64(0.5 * (max(0, ch.Aperture[0]) + max(0, ch.Aperture[1])))
	}
	return of
}

// States returns the states of all fluids.
func (k *Fluids) States() (out []FluidState) {
	for _, c := range k.List {
		f := FluidState{Name: c.Name, Pressure: c.last, Injected: c.injected, Spilled: c.spilled, Leaked: c.leaked, Leaks: c.leaks() || c.Soaks, Held: c.amount}
		if c.Rate != nil {
			f.Rate = c.Rate(k.Time)
		}
		if c.Flow != nil {
			f.Rate, f.Held = c.Flow.Rate, 0
			f.Reynolds, _ = c.Flow.reynolds(c, k.Thickness)
			for i, of := range c.Flow.amount {
				if i > 0 || c.Pressure == nil {
					f.Held += of
				}
			}
		}
		for i := range c.Filled {
			for end, v := range c.Filled[i].Volume {
				if !math.IsNaN(v) {
					sat := k.saturation(c, c.Filled[i].edge, end)
					f.Length += float64(sat * c.Filled[i].Area / k.Thickness)
					f.InCracks += float64(sat * max(0, v))
				}
			}
		}
		out = append(out, f)
	}
	return out
}

// Columns calls the function with the columns of all fluids in the history.
func (k *Fluids) Columns(each func(c quantity.Column, v float64)) {
	for _, f := range k.States() {
		for _, b := range ofFluid {
			if b.of.Name == "leaked" && !f.Leaks {
				continue
			}
			each(quantity.Column{Quantity: b.of, Owner: f.Name}, b.value(&f))
		}
	}
}
