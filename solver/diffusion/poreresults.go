package diffusion

import (
	"fmt"
	"math"

	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
)

var (
	ofFluid       = quantity.Must(quantity.Run, "pore_mass")
	ofFluidIn     = quantity.Must(quantity.Run, "pore_mass_in")
	ofFluidLost   = quantity.Must(quantity.Run, "pore_mass_residual")
	ofFluidDug    = quantity.Must(quantity.Run, "pore_mass_excavated")
	ofFlowTime    = quantity.Must(quantity.Run, "pore_time")
	ofBlockOfPore = quantity.Must(quantity.Heated, "flow")
)

// Columns calls the function with the columns of pores in the history.
func (k *Pores) Columns(each func(c quantity.Column, v float64)) {
	if k.of == nil {
		return
	}
	stored, in := k.stored(), k.openings.taken
	for _, q := range k.now.given {
		in += q
	}
	each(quantity.Column{Quantity: ofFluid}, k.of.Density*stored)
	each(quantity.Column{Quantity: ofFluidIn}, k.of.Density*in)
	if k.openings.zone != nil {
		each(quantity.Column{Quantity: ofFluidSpilled}, k.of.Density*k.openings.spilled)
	}
	if len(k.Excavations) > 0 {
		each(quantity.Column{Quantity: ofFluidDug}, k.of.Density*k.excavated)
	}
	each(quantity.Column{Quantity: ofFluidLost}, k.of.Density*(stored+k.openings.spilled+k.excavated-in))
	if k.of.TimeFactor != 1 {
		each(quantity.Column{Quantity: ofFlowTime}, k.now.at)
	}
	for i := range k.blocks {
		each(quantity.Column{Quantity: ofBlockOfPore, Owner: k.blocks[i].name}, k.now.power[i])
	}
}

// stored returns the volume of fluid that pores have taken up since the start, by their pressures, the
// volumes of triangles and what cracks hold [m3].
func (k *Pores) stored() float64 {
	sum := -k.begun
	for _, n := range k.net.used {
		sum += float64(k.storage[n] * k.now.theta[n])
	}
	for t, v := range k.was {
		sum += float64(k.of.Biot[k.material[t]] * (v - k.volume[t]))
	}
	for _, w := range k.openings.water {
		sum += w
	}
	return sum + k.warmVolume()
}

// Pressure returns the pore pressure of a node at Time [Pa]; 0 without pores.
func (k *Pores) Pressure(n int32) float64 {
	if !k.net.capacityAt(n) || k.storage[n] == 0 {
		return 0
	}
	return k.now.theta[n] + k.gravity[n]
}

// Flow returns the volume of fluid that flows per time and area in a triangle at Time, by Darcy's law
// [m/s].
func (k *Pores) Flow(t int) r2.Vec { return k.flux(t, k.now.theta) }

// Describe returns what a model's pores amount to, a line for each body with pores, and one for the
// steps.
func (k *Pores) Describe() (out []string) {
	if k.of == nil {
		return nil
	}
	k.eachExtent(func(name string, of int32, across float64) {
		e, b, m := &k.Materials[of].Elastic, k.of.Biot[of], 1/k.materials[of].Capacity
		bulk, shear := e.Young/(3*(1-float64(2*e.Poisson))), e.Young/(2*(1+e.Poisson))
		undrained := bulk + float64(b*b*m)
		skempton := b * m / undrained
		poisson := (float64(3*undrained) - float64(2*shear)) / (2 * (float64(3*undrained) + shear))
		c := k.of.Diffusivity(of, e)
		out = append(out, fmt.Sprintf("pores in %q: permeability %.3g m2, biot %.3g, Skempton's B %.3g, undrained Poisson's ratio %.3g, diffusivity %.3g m2/s, %.3g s across its %.3g m", name, max(k.materials[of].XX, k.materials[of].YY)*k.of.Viscosity, b, skempton, poisson, c, float64(across*across)/float64(4*c), across))
		if poisson > 0.45 {
			out = append(out, fmt.Sprintf("pores in %q: before fluid flows away the body is nearly incompressible, and triangles are too stiff for bending then", name))
		}
	})
	if len(k.blocks) == 0 {
		out = append(out, "pores: no fluid flows in or out of the bodies, which stay undrained as a whole")
	}
	switch {
	case k.of.Paced:
		out = append(out, fmt.Sprintf("pores: increments from %.3g s on, as their error demands", k.First()))
	case k.Static != nil:
		out = append(out, "pores: a step in every increment, whose number the deck says")
	default:
		every := min(1/k.fastest, k.Duration*k.of.TimeFactor/every)
		out = append(out, fmt.Sprintf("pores: explicit steps of %.3g s of flow (limit %.3g s), %.3g of them in the run", every, 2/k.fastest, math.Ceil(k.Duration*k.of.TimeFactor/every)))
	}
	return out
}
