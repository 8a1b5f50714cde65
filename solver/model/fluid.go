package model

import (
	"fdem/materials/fluid"
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
