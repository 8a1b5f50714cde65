package model

import (
	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
)

// Heat is the conduction of heat in bodies of triangles, and their thermal expansion. Temperatures
// are in kelvins.
type Heat struct {
	Initial    float64                // temperature at the start [K]
	InitialAt  func(x r2.Vec) float64 // added to it, nil for none [K]
	InBodies   []InitialTemperature   // of bodies that start with another one
	TimeFactor float64                // ratio of the time of heat to that of motion
	Steady     bool                   // every increment of a static analysis has the steady temperatures
	Materials  []Conduction           // per material of the model
	Held       []HeldTemperature
	Fluxes     []HeatFlux
	Convection []Convection
	Contacts   []ContactHeat // per contact of the model
	Cracks     float64       // share of what cracks and the friction of their faces dissipate that becomes heat
}

// ContactHeat is what a contact exchanges, and what becomes of the heat of its friction.
type ContactHeat struct {
	Resistance float64 // [m2 K/W]; 0 if no heat passes
	Pressure   float64 // at which it has this resistance, which falls as the power 0.95 of the pressure; 0 at any [Pa]
	Friction   float64 // share of the heat of friction that bodies take up
}

// Conduction is how a material conducts heat and expands. Of a property that depends on the temperature
// the number is the least, of expansion the one of the greatest size.
type Conduction struct {
	XX, YY, XY   float64 // conductivity [W/(m K)]
	Capacity     float64 // per volume [J/(m3 K)]; 0 if not given
	Expansion    float64 // linear coefficient of thermal expansion [1/K]
	StressFree   float64 // temperature without thermal strain [K]
	Plastic      float64 // share of plastic work that becomes heat
	Conductivity *Curve  // if it depends on the temperature, in all directions the same; otherwise nil
	Capacities   *Curve  // the same
	Expansions   *Curve  // the same, of the expansion by a small warming
}

// At returns the properties at a temperature as constants.
func (c Conduction) At(temperature float64) Conduction {
	if c.Conductivity != nil {
		c.XX = c.Conductivity.At(temperature)
		c.YY = c.XX
	}
	if c.Capacities != nil {
		c.Capacity = c.Capacities.At(temperature)
	}
	if c.Expansions != nil {
		c.Expansion = c.Expansions.At(temperature)
	}
	c.Conductivity, c.Capacities, c.Expansions = nil, nil, nil
	return c
}

// InitialTemperature is the temperature of a body at the start.
type InitialTemperature struct {
	Body  int32
	Value float64 // [K]
}

// HeldTemperature holds the temperature of nodes.
type HeldTemperature struct {
	Name  string
	Nodes Group
	Value func(t float64, x r2.Vec) float64 // x is the position at the start [K]
	From  float64                           // when it begins, by the time of motion [s]
}

// HeatFlux is heat that flows into edges, or into the triangles of a body.
type HeatFlux struct {
	Name      string
	Edges     []int32 // boundary edges
	Triangles []int32
	Value     Schedule // [W/m2], in triangles [W/m3]
}

// Convection is heat that flows into edges in proportion to how much colder they are than their
// surroundings.
type Convection struct {
	Name        string
	Edges       []int32
	Coefficient float64  // [W/(m2 K)]
	Ambient     Schedule // [K]
}

// Pores is the pressure and the flow of the fluid in the pores of bodies of triangles (Biot, 1941).
type Pores struct {
	Viscosity      float64                // of the fluid [Pa s]
	Bulk           float64                // its bulk modulus [Pa]
	Density        float64                // [kg/m3]
	FluidExpansion float64                // volumetric [1/K]; 0 without heat
	Initial        float64                // pressure at the start [Pa]
	InitialAt      func(x r2.Vec) float64 // added to it, nil for none [Pa]
	TimeFactor     float64                // ratio of the time of flow to that of motion
	Paced          bool                   // the pressures say how long the increments of a static analysis are
	Materials      []Conduction           // per material: mobility [m2/(Pa s)] and storage at constant strain 1/M [1/Pa]
	Biot           []float64              // per material: coefficient, 0 without pores
	Expansion      []float64              // per material: of fluid and grains, at constant strain and pressure [1/K]; nil without heat
	Held           []HeldTemperature      // pressures [Pa]
	Inflows        []HeatFlux             // [m/s], in triangles [1/s]
	Seepage        []Seepage
	Contacts       []float64 // per contact of the model: resistance of its faces to flow, 0 if none passes [Pa s/m]; nil if none has any
}

// Seepage is edges through which fluid flows out, at a pressure of zero, and none in.
type Seepage struct {
	Name  string
	Edges []int32 // boundary edges
	From  float64 // when it begins [s]
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
