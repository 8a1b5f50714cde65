package tables

// Viscosity is the dimension of a dynamic viscosity [Pa s].
var Viscosity = Dimension{Length: -1, Mass: 1, Time: -1}
