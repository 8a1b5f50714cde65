package model

import (
	"math"

	"fdem/materials/bulk"
	"fdem/materials/elementary"
	"fdem/materials/fluid"

	"gonum.org/v1/gonum/spatial/r2"
)

// Fluid is a fluid in a well and in the cracks that reach the well. It has one pressure everywhere
// or, with a viscosity, a pressure that varies as it flows along the cracks.
type Fluid struct {
	Name      string
	On        string         // name of the well
	Well      []int32        // boundary edges of triangles
	Equation  fluid.Equation // of state; nil if Pressure is given
	Pressure  Schedule       // prescribed pressure [Pa]; nil for none
	Rate      Schedule       // rate of injection, by volume without pressure [m3/s]; nil for none
	Bulk      float64        // modulus of a viscous liquid [Pa]
	Viscosity float64        // of a liquid that flows along the cracks [Pa s]; 0 for one pressure everywhere
	Density   float64        // at the start [kg/m3]: of a viscous liquid for its Reynolds number, of others for their outflow
	Volume    float64        // of the well at the start [m3]; not used if Pressure is given
	Residual  float64        // aperture of closed joints [m]
	Full      bool           // joints with a residual aperture are full at the start; otherwise they are dry
	Start     float64        // pressure of the liquid in them and in the well at the start [Pa]
	Drain     []int32        // vertices where the fluid leaves at zero pressure
	Entry     float64        // least opening of a crack that it enters [m]
	Carter    float64        // coefficient of leak-off into each face [m/s^0.5]; 0 for none
	Spurt     float64        // volume per area that leaks into each face at once [m]
	Soaks     bool           // it leaks into the pores of the rock
	Enters    []bool         // per region of Fracture: the fluid enters it; nil for all
}

// Regime is the propagation regime of a plane-strain fracture that a viscous fluid drives.
type Regime struct {
	Rate      float64 // greatest rate of injection, into two wings, per thickness [m2/s]
	Reynolds  float64 // Reynolds number of one wing
	Toughness float64 // sqrt(E' G), the least of everything that can break [Pa m^(1/2)]; 0 for none
	Number    float64 // K_m = K'/(E'^3 mu' Q)^(1/4); below 0.7 viscosity dominates, above 4 toughness
	Length    float64 // length of a wing at the end, by the solution of the regime [m]
	Edge      float64 // the longest edge that can break [m]
	Stress    float64 // least initial compression of the cracks at the well [Pa]
	Lag       float64 // E'^2 mu'/stress^3: the time after which the dry zone at the tip is small [s]
}

// greatestRate returns the greatest rate of a fluid [m3/s].
func (f *Fluid) greatestRate(m *Model) (rate float64) {
	const looks = 100
	for i := range looks + 1 {
		rate = max(rate, f.Rate(m.Duration*float64(i)/looks))
	}
	return rate
}

// Strike returns the rise of the pressure of an injected liquid in a rigid well, while a
// pressure wave goes around the wall, and the least tensile strength of everything that can
// break [Pa]; infinite if nothing can.
func (f *Fluid) Strike(m *Model) (rise, strength float64) {
	round := 0.0
	for _, i := range f.Well {
		round += elementary.Norm(m.Mesh.Along(i))
	}
	strength = math.Inf(1)
	for i := range m.Fracture.Sizes {
		if m.Fracture.Joints == nil || !m.Fracture.Joints[i] {
			strength = min(strength, 1/m.Fracture.Regions[i].Law.Used(1, 0))
		}
	}
	of := &m.Materials[m.Bodies[m.Mesh.Edges[f.Well[0]].Body].Material]
	speed := math.Sqrt(of.Moduli(m.Plane).C11 / of.Density)
	return f.Bulk * f.greatestRate(m) / f.Volume * round / speed, strength
}

// Regime estimates the propagation regime of the fracture that a fluid drives (Detournay 2004).
func (f *Fluid) Regime(m *Model) (r Regime) {
	r.Rate = f.greatestRate(m) / m.Thickness
	r.Reynolds = 0.5 * f.Density * r.Rate / f.Viscosity
	wall := &m.Mesh.Edges[f.Well[0]]
	of := &m.Materials[m.Bodies[wall.Body].Material]
	young := of.Young / (1 - float64(of.Poisson*of.Poisson))
	energy := math.Inf(1)
	for i, s := range m.Fracture.Sizes {
		if m.Fracture.Joints == nil || !m.Fracture.Joints[i] {
			energy, r.Edge = min(energy, m.Fracture.Regions[i].Law.Energy.Tension), max(r.Edge, s.Edge)
		}
	}
	if math.IsInf(energy, 1) || !(young > 0) {
		return r
	}
	r.Toughness = math.Sqrt(young * energy)
	mu := 12 * f.Viscosity
	r.Number = 4 * math.Sqrt(2/math.Pi) * r.Toughness / math.Sqrt(math.Sqrt(young*young*young*mu*r.Rate))
	r.Length = elementary.Pow(young*r.Rate*m.Duration/(2*math.Sqrt(math.Pi)*r.Toughness), 2./3)
	if viscous := 0.6154 * elementary.Pow(young*r.Rate*r.Rate*r.Rate/mu, 1./6) * elementary.Pow(m.Duration, 2./3); viscous < r.Length {
		r.Length = viscous
	}
	for i := range m.InitialStresses {
		if s := &m.InitialStresses[i]; s.Body == wall.Body {
			t := s.Stress(m.Mesh.X[wall.A])
			r.Stress = max(0, float64(-0.5*(t.XX+t.YY))-elementary.Hypot(0.5*(t.XX-t.YY), t.XY))
		}
	}
	if r.Stress > 0 {
		r.Lag = young * young * mu / (r.Stress * r.Stress * r.Stress)
	}
	return r
}

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
	Joints         [][2]int32 // boundary edges that face each other across joints, of a static analysis
	Contacts       []float64  // per contact of the model: resistance of its faces to flow, 0 if none passes [Pa s/m]; nil if none has any
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
