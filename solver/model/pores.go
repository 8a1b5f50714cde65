package model

import (
	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// Pores is the pressure and the flow of the fluid in the pores of bodies of triangles (Biot, 1941).
type Pores struct {
	Viscosity  float64                // of the fluid [Pa s]
	Bulk       float64                // its bulk modulus [Pa]
	Density    float64                // [kg/m3]
	Initial    float64                // pressure at the start [Pa]
	InitialAt  func(x r2.Vec) float64 // added to it, nil for none [Pa]
	TimeFactor float64                // ratio of the time of flow to that of motion
	Paced      bool                   // the pressures say how long the increments of a static analysis are
	Materials  []Conduction           // per material: mobility [m2/(Pa s)] and storage at constant strain 1/M [1/Pa]
	Biot       []float64              // per material: coefficient, 0 without pores
	Held       []HeldTemperature      // pressures [Pa]
	Inflows    []HeatFlux             // [m/s], in triangles [1/s]
	Seepage    []Seepage
}

// Seepage is edges through which fluid flows out, at a pressure of zero, and none in.
type Seepage struct {
	Name  string
	Edges []int32 // boundary edges
}

// Pressure returns the pressure at the start at a position [Pa].
func (p *Pores) Pressure(x r2.Vec) float64 {
	if p.InitialAt == nil {
		return p.Initial
	}
	return p.Initial + p.InitialAt(x)
}

// Diffusivity returns that of the pressure in a material with pores and its elastic constants, if it
// strains along the flow alone [m2/s].
func (p *Pores) Diffusivity(of int32, e *bulk.Elastic) float64 {
	c, b := &p.Materials[of], p.Biot[of]
	along := e.Young * (1 - e.Poisson) / float64((1+e.Poisson)*(1-float64(2*e.Poisson)))
	return max(c.XX, c.YY) / (c.Capacity + float64(b*b)/along)
}
