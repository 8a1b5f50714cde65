package model

import "gonum.org/v1/gonum/spatial/r2"

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
}

// ContactHeat is what a contact exchanges, and what becomes of the heat of its friction.
type ContactHeat struct {
	Resistance float64 // [m2 K/W]; 0 if no heat passes
	Pressure   float64 // at which it has this resistance, which falls as the power 0.95 of the pressure; 0 at any [Pa]
	Friction   float64 // share of the heat of friction that bodies take up
}

// Conduction is how a material conducts heat and expands.
type Conduction struct {
	XX, YY, XY float64 // conductivity [W/(m K)]
	Capacity   float64 // per volume [J/(m3 K)]; 0 if not given
	Expansion  float64 // linear coefficient of thermal expansion [1/K]
	StressFree float64 // temperature without thermal strain [K]
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
