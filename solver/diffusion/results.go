package diffusion

import (
	"fmt"
	"math"

	"fdem/solver/quantity"

	"gonum.org/v1/gonum/spatial/r2"
)

// Columns calls the function with the columns of heat in the history.
func (k *Heat) Columns(each func(c quantity.Column, v float64)) {
	if k.of == nil {
		return
	}
	stored, in := k.stored(), 0.0
	for _, q := range k.now.given {
		in += q
	}
	each(quantity.Column{Quantity: ofStored}, stored)
	each(quantity.Column{Quantity: ofIn}, in)
	if len(k.rubbed) > 0 {
		each(quantity.Column{Quantity: ofFriction}, k.friction)
	}
	if k.worked != nil {
		each(quantity.Column{Quantity: ofPlastic}, k.plastic)
	}
	if k.cracked != nil {
		each(quantity.Column{Quantity: ofCracks}, k.cracks)
	}
	if len(k.Excavations) > 0 {
		each(quantity.Column{Quantity: ofHeatDug}, k.excavated)
	}
	each(quantity.Column{Quantity: ofResidual}, stored+k.excavated-in-k.friction-k.plastic-k.cracks)
	if k.factor() != 1 {
		each(quantity.Column{Quantity: ofTime}, k.now.at)
	}
	for i := range k.blocks {
		each(quantity.Column{Quantity: ofBlock, Owner: k.blocks[i].name}, k.now.power[i])
	}
}

var (
	ofStored   = quantity.Must(quantity.Run, "heat_stored")
	ofIn       = quantity.Must(quantity.Run, "heat_in")
	ofFriction = quantity.Must(quantity.Run, "heat_friction")
	ofPlastic  = quantity.Must(quantity.Run, "heat_plastic")
	ofCracks   = quantity.Must(quantity.Run, "heat_cracks")
	ofHeatDug  = quantity.Must(quantity.Run, "heat_excavated")
	ofResidual = quantity.Must(quantity.Run, "heat_residual")
	ofTime     = quantity.Must(quantity.Run, "heat_time")
	ofBlock    = quantity.Must(quantity.Heated, "heat")
)

// stored returns the heat that bodies have taken up since the start [J]; 0 with steady temperatures.
func (k *Heat) stored() float64 {
	if k.of.Steady {
		return 0
	}
	sum := -k.start
	for _, n := range k.net.used {
		sum += k.net.gain(n, 0, k.now.theta[n])
	}
	return sum
}

// Flux returns the heat flux in a triangle at Time, in the directions of its position at the start
// [W/m2].
func (k *Heat) Flux(t int) r2.Vec { return k.flux(t, k.now.theta) }

// Describe returns what a model's heat amounts to, a line for each body that conducts, and one for
// the steps.
func (k *Heat) Describe() (out []string) {
	if k.of == nil {
		return nil
	}
	k.eachExtent(func(name string, of int32, across float64) {
		c := k.of.Materials[of].At(k.reference)
		kappa := max(c.XX, c.YY) / c.Capacity
		out = append(out, fmt.Sprintf("heat in %q: diffusivity %.3g m2/s, %.3g s across its %.3g m", name, kappa, float64(across*across)/float64(4*kappa), across))
	})
	switch {
	case k.of.Steady:
		out = append(out, "heat: steady temperatures in every increment")
	case k.Static != nil:
		out = append(out, fmt.Sprintf("heat: steps within the increments as their error demands, up to %.3g s explicitly and longer ones implicitly (limit of explicit steps %.3g s)", cheaper/k.fastest, 2/k.fastest))
	default:
		every := min(1/k.fastest, k.Duration*k.factor()/every)
		out = append(out, fmt.Sprintf("heat: explicit steps of %.3g s (limit %.3g s), %.3g of them in the run", every, 2/k.fastest, math.Ceil(k.Duration*k.factor()/every)))
	}
	if k.net.obtuse > 0 {
		out = append(out, fmt.Sprintf("heat: %d of %d edges between nodes lie opposite to obtuse angles: temperatures near sudden changes may leave the range of their causes by about 0.1 %%", k.net.obtuse, len(k.net.links)))
	}
	return out
}
