package tables

var Viscosity = Dimension{Length: -1, Mass: 1, Time: -1}
