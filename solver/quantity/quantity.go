// Package quantity is the table of the quantities in results: name, unit, label and file.
// History, frames, probes, page, plots, deck and manual use it.
package quantity

import (
	"slices"
	"strings"
)

// Where is the object that a quantity belongs to, which determines its file.
type Where uint8

// The objects and their files.
const (
	Run           Where = iota // history.csv, a column of the run
	Body                       // history.csv, <body>.<name>
	Contact                    // history.csv, <contact>.<name>
	Spring                     // history.csv, <spring>.<name>
	Bolt                       // history.csv, <bolt>.<name>
	Fluid                      // history.csv, <fluid>.<name>
	Heated                     // history.csv, <block>.<name>, of what gives heat or fluid to pores
	Support                    // history.csv, <support>.<name>
	Probe                      // history.csv, <probe>.x and <probe>.y, or .angle and .omega
	Node                       // fields/*.vtu, points
	Cell                       // fields/*.vtu, cells
	ContactNode                // contact/*.vtp
	Overlap                    // overlaps/*.vtp
	TouchingPoint              // contact_points/*.vtp
	Thrust                     // thrust/*.vtp
	Particle                   // particles/*.vtp
	Crack                      // cracks/*.vtp
	SpringLine                 // springs/*.vtp
	BoltLine                   // bolts/*.vtp
	Event                      // events.csv, clusters.csv, insertions.csv
	Fragment                   // fragments.csv
	Summary                    // summary.json
)

// String returns the name of the file and the place in it.
func (w Where) String() string {
	return [...]string{
		"`history.csv`", "`history.csv`, `<body>.`", "`history.csv`, `<contact>.`", "`history.csv`, `<spring>.`", "`history.csv`, `<bolt>.`", "`history.csv`, `<fluid>.`", "`history.csv`, `<block>.`", "`history.csv`, `<support>.`", "`history.csv`, `<probe>.`",
		"`fields`, points", "`fields`, cells", "`contact`, contact nodes", "`overlaps`, contact lines", "`contact_points`", "`thrust`", "`particles`", "`cracks`", "`springs`", "`bolts`", "`events.csv`, `clusters.csv`, `insertions.csv`", "`fragments.csv`", "`summary.json`",
	}[w]
}

// Quantity is a quantity in results.
type Quantity struct {
	On     Where
	Name   string // in files
	Unit   string // SI; "" for a number
	Label  string // for plots and texts
	Plot   string // title of the plot of the history in which it is shown
	Signed bool   // of one component, which may be negative
	Basic  bool   // it is in the smallest report
}

// The plots of the history, in their order.
const (
	Energies     = "Energies"
	Velocities   = "Velocities of the bodies"
	Forces       = "Contact forces"
	Resultants   = "Resultants of the contacts"
	Couples      = "Moments of the contacts"
	Springs      = "Forces of springs"
	Stretches    = "Stretches of springs"
	Torques      = "Moments of springs"
	Axials       = "Forces of bolts and beams"
	Convergences = "Convergence"
	Bonds        = "Bond of bolts"
	Slips        = "Slip of bolts and linings"
	Utilisations = "Stress of beams over strength"
	Walls        = "Pressure of linings on walls"
	Yieldings    = "Bolts and linings that slip, yield and break"
	Relaxations  = "Excavated bodies"
	Bendings     = "Moments of beams"
	Heats        = "Heat"
	Powers       = "Heat per time"
	Masses       = "Fluid in pores"
	Flows        = "Fluid per time into pores"
	Fluids       = "Fluid pressures"
	Volumes      = "Volumes of the fluids"
	Rates        = "Rates of the fluids"
	Reaches      = "Length of the cracks with fluid"
	Reactions    = "Reactions"
	Moments      = "Moments of the reactions"
	Turning      = "Turning of the bodies"
	Probes       = "Probes"
	Cracks       = "Length of the cracks"
	Tips         = "Speed of the cracks"
	Breakages    = "Edges that have broken"
	Emission     = "Kinetic energy released by cracks"
	Fragments    = "Fragments"
	Residuals    = "Residual of the energy"
	Curves       = "Curves of the deck"
	Others       = "Other"
)

// Plots has the plots in their order.
var Plots = []string{Energies, Velocities, Forces, Resultants, Couples, Springs, Stretches, Torques, Convergences, Axials, Bonds, Bendings, Slips, Yieldings, Relaxations, Heats, Powers, Masses, Flows, Fluids, Rates, Volumes, Reaches, Reactions, Moments, Turning, Probes, Cracks, Tips, Breakages, Emission, Fragments, Curves, Residuals, Others}

// StrainEnergy is the name of the column of the strain energy if a curve of the deck has
// the name strain.
const StrainEnergy = "strain_energy"

// All is the table. Of finds entries by Where and name.
var All = []Quantity{
	{On: Run, Name: "time", Unit: "s", Label: "time"},
	{On: Run, Name: "kinetic", Unit: "J", Label: "kinetic energy", Plot: Energies},
	{On: Run, Name: "strain", Unit: "J", Label: "strain energy", Plot: Energies},
	{On: Run, Name: "contact_stored", Unit: "J", Label: "stored in contact", Plot: Energies},
	{On: Run, Name: "contact_dissipated", Unit: "J", Label: "dissipated by contact laws", Plot: Energies},
	{On: Run, Name: "friction_dissipated", Unit: "J", Label: "dissipated by friction", Plot: Energies},
	{On: Run, Name: "damping_dissipated", Unit: "J", Label: "dissipated by damping", Plot: Energies},
	{On: Run, Name: "plastic_work", Unit: "J", Label: "plastic work of bodies that yield", Plot: Energies},
	{On: Run, Name: "viscous_work", Unit: "J", Label: "viscous work of bodies that relax", Plot: Energies},
	{On: Run, Name: "cohesive_stored", Unit: "J", Label: "recoverable energy of cracks, without that which is still unbalanced", Plot: Energies},
	{On: Run, Name: "fracture_dissipated", Unit: "J", Label: "dissipated by fracture", Plot: Energies},
	{On: Run, Name: "handover_work", Unit: "J", Label: "increase of stored contact energy as contact of broken bodies was transferred to triangles; part of the residual", Plot: Energies},
	{On: Run, Name: "insertion_work", Unit: "J", Label: "released by cracks beyond the work done on them; part of the residual", Plot: Energies},
	{On: Run, Name: "impact_loss", Unit: "J", Label: "lost in impacts, with contact by impulses; part of contact_dissipated", Plot: Energies},
	{On: Run, Name: "solver_error", Unit: "J", Label: "taken by impulses of resting contact, which should do no work; part of the residual", Plot: Residuals},
	{On: Run, Name: "position_error", Unit: "J", Label: "work on ways by which bodies are pushed out of one another; part of the residual", Plot: Residuals},
	{On: Run, Name: "unconverged_steps", Label: "steps of contact by impulses that ended before their impulses were right to the tolerance", Plot: Others},
	{On: Run, Name: "spring_stored", Unit: "J", Label: "stored in springs", Plot: Energies},
	{On: Run, Name: "spring_dissipated", Unit: "J", Label: "dissipated by dashpots", Plot: Energies},
	{On: Run, Name: "bolt_stored", Unit: "J", Label: "stored in bolts and their bond", Plot: Energies},
	{On: Run, Name: "bolt_dissipated", Unit: "J", Label: "dissipated by bonds of bolts that slip, and bars that yield", Plot: Energies},
	{On: Run, Name: "lining_stored", Unit: "J", Label: "stored in interfaces of linings", Plot: Energies},
	{On: Run, Name: "lining_dissipated", Unit: "J", Label: "dissipated by linings that slip, and by bonds that break", Plot: Energies},
	{On: Run, Name: "fluid_stored", Unit: "J", Label: "stored in fluids under pressure", Plot: Energies},
	{On: Run, Name: "fluid_dissipated", Unit: "J", Label: "lost by fluids: flow, steps, free expansion, spilled fluid", Plot: Energies},
	{On: Run, Name: "fluid_pumped", Unit: "J", Label: "put into fluids by pumps and reservoirs; part of the external work", Plot: Energies},
	{On: Run, Name: "fluid_work", Unit: "J", Label: "work of fluids on the walls of wells and cracks", Plot: Energies},
	{On: Run, Name: "fluid_viscous", Unit: "J", Label: "lost by the flow of fluids; part of fluid_dissipated", Plot: Energies},
	{On: Run, Name: "fluid_steps", Unit: "J", Label: "lost by fluids through the length of steps and free expansion; part of fluid_dissipated", Plot: Energies},
	{On: Run, Name: "fluid_escaped", Unit: "J", Label: "energy of spilled fluid; part of fluid_dissipated", Plot: Energies},
	{On: Run, Name: "absorbed", Unit: "J", Label: "taken by absorbing edges", Plot: Energies},
	{On: Run, Name: "excavated", Unit: "J", Label: "energy of excavated bodies, less the work of the forces that fade in their place", Plot: Energies},
	{On: Run, Name: "step_energy", Unit: "J", Label: "difference from the energy that leapfrog keeps, dt^2/8 sum (f^2 - f_0^2)/m with the shortest step dt so far (Krenk, 2006); not in the residual", Plot: Energies},
	{On: Run, Name: "external_work", Unit: "J", Label: "work from outside", Plot: Energies},
	{On: Run, Name: "residual", Unit: "J", Label: "residual of the energy", Plot: Residuals},

	{On: Run, Name: "cracks.inserted", Unit: "m", Label: "length of all cracks", Plot: Cracks},
	{On: Run, Name: "cracks.broken", Unit: "m", Label: "length of broken cracks", Plot: Cracks},
	{On: Run, Name: "cracks.inserted_tension", Unit: "m", Label: "length inserted in tension", Plot: Cracks},
	{On: Run, Name: "cracks.inserted_shear", Unit: "m", Label: "length inserted in shear", Plot: Cracks},
	{On: Run, Name: "cracks.tension", Unit: "m", Label: "length broken in tension", Plot: Cracks},
	{On: Run, Name: "cracks.shear", Unit: "m", Label: "length broken in shear", Plot: Cracks},
	{On: Run, Name: "cracks.speed", Unit: "m/s", Label: "speed of the fastest tip of a crack", Plot: Tips},
	{On: Run, Name: "events.tension", Label: "edges broken in tension", Plot: Breakages},
	{On: Run, Name: "events.shear", Label: "edges broken in shear", Plot: Breakages},
	{On: Run, Name: "events.kinetic", Unit: "J", Label: "kinetic energy released by cracks", Plot: Emission},
	{On: Run, Name: "heat_stored", Unit: "J", Label: "heat that bodies have taken up since the start", Plot: Heats},
	{On: Run, Name: "heat_in", Unit: "J", Label: "heat from outside since the start: held temperatures, fluxes, sources and convection", Plot: Heats},
	{On: Run, Name: "heat_friction", Unit: "J", Label: "heat of friction that bodies have taken up", Plot: Heats},
	{On: Run, Name: "heat_cracks", Unit: "J", Label: "heat of cracks that bodies have taken up", Plot: Heats},
	{On: Run, Name: "heat_plastic", Unit: "J", Label: "heat of plastic work that bodies have taken up", Plot: Heats},
	{On: Run, Name: "heat_excavated", Unit: "J", Label: "heat that bodies have taken along when they were excavated, above the temperature at the start", Plot: Heats},
	{On: Run, Name: "heat_residual", Unit: "J", Label: "residual of the heat: what is stored and excavated less what has come in and that of friction and plastic work", Plot: Residuals},
	{On: Run, Name: "heat_time", Unit: "s", Label: "time of heat, the time of motion times time_factor", Plot: Others},
	{On: Run, Name: "pore_mass", Unit: "kg", Label: "fluid that pores have taken up since the start, by their pressures and volumes", Plot: Masses},
	{On: Run, Name: "pore_mass_in", Unit: "kg", Label: "fluid that has come into pores from outside since the start: held pressures, inflows and seepage", Plot: Masses},
	{On: Run, Name: "pore_mass_spilled", Unit: "kg", Label: "fluid of pores that has left cracks whose faces came apart", Plot: Masses},
	{On: Run, Name: "pore_mass_excavated", Unit: "kg", Label: "fluid that bodies have taken along when they were excavated, beyond that at the start", Plot: Masses},
	{On: Run, Name: "pore_mass_residual", Unit: "kg", Label: "residual of the fluid: what pores have taken up and cracks have spilled less what has come in", Plot: Residuals},
	{On: Run, Name: "pore_time", Unit: "s", Label: "time of flow in pores, the time of motion times time_factor", Plot: Others},
	{On: Run, Name: "fragments", Label: "fragments that the triangles have broken into", Plot: Fragments},

	{On: Body, Name: "vx", Unit: "m/s", Label: "velocity along x, mean over the mass", Plot: Velocities},
	{On: Body, Name: "vy", Unit: "m/s", Label: "velocity along y, mean over the mass", Plot: Velocities},
	{On: Body, Name: "omega", Unit: "rad/s", Label: "angular velocity", Plot: Turning},
	{On: Body, Name: "axial_force_min", Unit: "N", Label: "least axial force in a body of beams, tension is positive", Plot: Axials},
	{On: Body, Name: "axial_force_max", Unit: "N", Label: "greatest axial force in a body of beams", Plot: Axials},
	{On: Body, Name: "bending_moment_max", Unit: "Nm", Label: "greatest size of the moment at the ends of a body's beams", Plot: Bendings},
	{On: Body, Name: "utilisation", Label: "greatest stress of a fibre of a body of beams over its strength", Plot: Utilisations},
	{On: Body, Name: "wall_pressure_max", Unit: "Pa", Label: "greatest pressure between a lining and the wall, negative in tension", Plot: Walls},
	{On: Body, Name: "wall_slip_max", Unit: "m", Label: "greatest slip of a lining along the wall", Plot: Slips},
	{On: Body, Name: "bond_broken", Label: "share of the interface of a lining whose bond has broken", Plot: Yieldings},
	{On: Body, Name: "relaxation", Label: "share of the forces of an excavated body that has faded", Plot: Relaxations},

	{On: Contact, Name: "normal", Unit: "N", Label: "sum of normal forces, mean since the last row", Plot: Forces},
	{On: Contact, Name: "tangential", Unit: "N", Label: "sum of friction forces, mean since the last row", Plot: Forces},
	{On: Contact, Name: "fx", Unit: "N", Label: "resultant on the contactor along x", Plot: Resultants},
	{On: Contact, Name: "fy", Unit: "N", Label: "resultant on the contactor along y", Plot: Resultants},
	{On: Contact, Name: "moment", Unit: "Nm", Label: "and its moment about the origin, anticlockwise", Plot: Couples},

	{On: Spring, Name: "force", Unit: "N", Label: "force of a spring, positive where it pulls its ends together", Plot: Springs},
	{On: Spring, Name: "stretch", Unit: "m", Label: "stretch of a spring, beyond its length without force", Plot: Stretches},
	{On: Spring, Name: "force_x", Unit: "N", Label: "force of a spring along x, on what it is on", Plot: Springs},
	{On: Spring, Name: "force_y", Unit: "N", Label: "force of a spring along y, on what it is on", Plot: Springs},
	{On: Spring, Name: "torque", Unit: "Nm", Label: "moment of a spring on what it is on", Plot: Torques},

	{On: Bolt, Name: "axial_force", Unit: "N", Label: "greatest axial force along a bolt, tension is positive", Plot: Axials},
	{On: Bolt, Name: "head_force", Unit: "N", Label: "axial force at the head of a bolt", Plot: Axials},
	{On: Bolt, Name: "shear_force", Unit: "N", Label: "greatest force across a bolt where it crosses joints and cracks", Plot: Axials},
	{On: Bolt, Name: "bond_force", Unit: "N/m", Label: "greatest force per length between a bolt and the rock", Plot: Bonds},
	{On: Bolt, Name: "bond_slip", Unit: "m", Label: "greatest slip of a bolt in the rock, towards its far end", Plot: Slips},
	{On: Bolt, Name: "bond_yielded", Label: "share of the bonded length of a bolt that has slipped", Plot: Yieldings},
	{On: Bolt, Name: "bar_strain", Label: "greatest plastic strain of the bar of a bolt", Plot: Yieldings},
	{On: Bolt, Name: "ruptured", Label: "number of places at which a bolt has broken", Plot: Yieldings},

	{On: Fluid, Name: "pressure", Unit: "Pa", Label: "pressure of the fluid in the well", Plot: Fluids},
	{On: Fluid, Name: "rate", Unit: "m3/s", Label: "rate at which it is pumped in", Plot: Rates},
	{On: Fluid, Name: "injected", Unit: "m3", Label: "volume pumped in so far", Plot: Volumes},
	{On: Fluid, Name: "in_cracks", Unit: "m3", Label: "volume of the cracks with fluid", Plot: Volumes},
	{On: Fluid, Name: "length", Unit: "m", Label: "length of the cracks with fluid", Plot: Reaches},
	{On: Fluid, Name: "spilled", Unit: "m3", Label: "volume lost to the open air and between detached faces", Plot: Volumes},
	{On: Fluid, Name: "leaked", Unit: "m3", Label: "volume that has leaked into the faces of cracks, with leak_off; less what has come back from pores", Plot: Volumes},
	{On: Fluid, Name: "reynolds", Label: "greatest Reynolds number of the fluid's flow along cracks, 0 without a viscosity", Plot: Others},

	{On: Heated, Name: "heat", Unit: "W", Label: "heat per time that a block gives, mean over the last step of heat", Plot: Powers},

	{On: Heated, Name: "flow", Unit: "m3/s", Label: "fluid per time that a block gives to pores, mean over the last step of flow", Plot: Flows},

	{On: Support, Name: "fx", Unit: "N", Label: "force of a fix, a drive or a rigid body on what it holds, along x, mean since the last row", Plot: Reactions},
	{On: Support, Name: "fy", Unit: "N", Label: "along y", Plot: Reactions},
	{On: Support, Name: "moment", Unit: "Nm", Label: "and its moment, anticlockwise", Plot: Moments},

	{On: Probe, Name: "displacement", Unit: "m", Label: "displacement", Plot: Probes},
	{On: Probe, Name: "convergence", Unit: "m", Label: "by how much two nodes have come nearer to one another", Plot: Convergences},
	{On: Probe, Name: "velocity", Unit: "m/s", Label: "velocity", Plot: Probes},
	{On: Probe, Name: "position", Unit: "m", Label: "position", Plot: Probes},
	{On: Probe, Name: "contact_force", Unit: "N", Label: "contact force", Plot: Probes},
	{On: Probe, Name: "reaction", Unit: "N", Label: "force of fixes and drives on a node", Plot: Probes},
	{On: Probe, Name: "stress", Unit: "Pa", Label: "Cauchy stress of triangles", Plot: Probes},
	{On: Probe, Name: "strain", Label: "Green-Lagrange strain of triangles, xy half of the shear angle", Plot: Probes},
	{On: Probe, Name: "von_mises", Unit: "Pa", Label: "von Mises stress of triangles", Plot: Probes},
	{On: Probe, Name: "plastic_strain", Label: "plastic strain of triangles, equivalent", Plot: Probes},
	{On: Probe, Name: "temperature", Unit: "K", Label: "temperature: of a node with [heat], of triangles with a law that has one", Plot: Probes},
	{On: Probe, Name: "pore_pressure", Unit: "Pa", Label: "pressure of the fluid in pores, of a node", Plot: Probes},
	{On: Probe, Name: "pressure", Unit: "Pa", Label: "contact pressure", Plot: Probes},
	{On: Probe, Name: "rotation", Unit: "rad", Label: "rotation of a node that turns, with its angular velocity in rad/s", Plot: Probes},

	{On: Cell, Name: "von_mises", Unit: "Pa", Label: "von Mises stress", Basic: true},
	{On: Node, Name: "velocity", Unit: "m/s", Label: "velocity", Basic: true},
	{On: Node, Name: "displacement", Unit: "m", Label: "displacement", Basic: true},
	{On: ContactNode, Name: "pressure", Unit: "Pa", Label: "contact pressure", Basic: true},
	{On: ContactNode, Name: "friction", Unit: "Pa", Label: "friction", Signed: true},
	{On: ContactNode, Name: "deflection", Unit: "m", Label: "contact deflection", Signed: true},
	{On: ContactNode, Name: "peak_pressure", Unit: "Pa", Label: "peak contact pressure"},
	{On: ContactNode, Name: "plastic_deflection", Unit: "m", Label: "plastic deflection"},
	{On: Cell, Name: "stress", Unit: "Pa", Label: "stress"},
	{On: Cell, Name: "plastic_strain", Label: "plastic strain, equivalent", Basic: true},
	{On: Cell, Name: "temperature", Unit: "K", Label: "temperature", Basic: true},
	{On: Node, Name: "temperature", Unit: "K", Label: "temperature", Basic: true},
	{On: Node, Name: "pore_pressure", Unit: "Pa", Label: "pressure of the fluid in pores"},
	{On: Cell, Name: "heat_flux", Unit: "W/m2", Label: "heat flux"},
	{On: Cell, Name: "effective_stress", Unit: "Pa", Label: "Biot's effective stress: stress and biot times the pore pressure"},
	{On: Cell, Name: "darcy", Unit: "m/s", Label: "flow of fluid in pores, per area of the body"},
	{On: Cell, Name: "fragment", Label: "number of the fragment"},
	{On: Cell, Name: "excavated", Label: "1 where the body has been excavated", Basic: true},
	{On: Cell, Name: "installed", Label: "0 where beams wait for their time, where some do", Basic: true},
	{On: Node, Name: "contact_force", Unit: "N", Label: "contact force"},
	{On: Node, Name: "rotation", Unit: "rad", Label: "rotation", Signed: true},
	{On: Cell, Name: "axial_force", Unit: "N", Label: "axial force", Signed: true},
	{On: Cell, Name: "shear_force", Unit: "N", Label: "shear force", Signed: true},
	{On: Cell, Name: "bending_moment", Unit: "Nm", Label: "bending moment", Signed: true},
	{On: Cell, Name: "end_moment", Unit: "Nm", Label: "greater size of the moments at the ends of a beam element"},

	{On: ContactNode, Name: "normal", Label: "outward normal"},
	{On: ContactNode, Name: "displacement", Unit: "m", Label: "displacement"},

	{On: Overlap, Name: "pressure", Unit: "Pa", Label: "mean pressure over the contact line"},
	{On: Overlap, Name: "deflection", Unit: "m", Label: "area over length"},
	{On: Overlap, Name: "length", Unit: "m", Label: "length of the contact line"},
	{On: Overlap, Name: "area", Unit: "m2", Label: "area of the overlap"},
	{On: Overlap, Name: "force", Unit: "N", Label: "normal force"},
	{On: Overlap, Name: "friction", Unit: "N", Label: "friction force"},
	{On: Overlap, Name: "rolling_torque", Unit: "Nm", Label: "rolling torque"},
	{On: Overlap, Name: "normal", Label: "direction of the normal force"},

	{On: TouchingPoint, Name: "contact_force", Unit: "N", Label: "force at a contact point on the second body, mean of a step by impulses"},
	{On: TouchingPoint, Name: "normal", Label: "normal at a contact point, towards the second body"},
	{On: TouchingPoint, Name: "gap", Unit: "m", Label: "gap at a contact point, negative where bodies penetrate"},
	{On: Thrust, Name: "force", Unit: "N", Label: "force along a line of thrust through a body, by impulses"},

	{On: Particle, Name: "velocity", Unit: "m/s", Label: "velocity"},
	{On: Particle, Name: "angular_velocity", Unit: "rad/s", Label: "angular velocity"},
	{On: Particle, Name: "angle", Unit: "rad", Label: "angle turned"},
	{On: Particle, Name: "contact_force", Unit: "N", Label: "contact force"},
	{On: Particle, Name: "radius", Unit: "m", Label: "radius"},
	{On: Particle, Name: "diameter", Unit: "m", Label: "diameter, for glyphs"},

	{On: Crack, Name: "opening", Unit: "m", Label: "opening of a crack, mean of its open ends", Signed: true},
	{On: Crack, Name: "slip", Unit: "m", Label: "slip of a crack's faces", Signed: true},
	{On: Crack, Name: "damage", Label: "damage of cohesion, 0 to 1"},
	{On: Crack, Name: "traction", Unit: "Pa", Label: "traction between a crack's faces"},
	{On: Crack, Name: "mode", Label: "share of shear in the fracture energy"},
	{On: Crack, Name: "inserted_at", Unit: "s", Label: "time at which a crack opened"},
	{On: Crack, Name: "broken_at", Unit: "s", Label: "time at which a crack broke"},
	{On: Crack, Name: "energy", Unit: "J", Label: "dissipated by fracture"},
	{On: Crack, Name: "friction", Label: "coefficient of friction that a joint with a law of its own has mobilised"},
	{On: Crack, Name: "slip_rate", Unit: "m/s", Label: "speed at which the faces of such a joint slide"},
	{On: Crack, Name: "slip_path", Unit: "m", Label: "path along which the faces of such a joint have slid"},
	{On: Crack, Name: "fluid_pressure", Unit: "Pa", Label: "pressure of the fluid in a crack, mean of its ends; 0 where it is dry", Basic: true},
	{On: Crack, Name: "aperture", Unit: "m", Label: "aperture for a fluid: distance of the faces across the plane that the crack represents, at least 0, plus the residual aperture of a joint"},
	{On: Crack, Name: "flow", Unit: "m3/s", Label: "flow of a viscous fluid along the edge, from its first point to its second"},
	{On: Crack, Name: "saturation", Label: "fraction of its volume that fluid fills, mean of its ends"},
	{On: Crack, Name: "displacement", Unit: "m", Label: "displacement, mean of both faces"},

	{On: SpringLine, Name: "force", Unit: "N", Label: "force of a spring, positive where it pulls", Signed: true},
	{On: SpringLine, Name: "stretch", Unit: "m", Label: "stretch of a spring", Signed: true},
	{On: SpringLine, Name: "displacement", Unit: "m", Label: "displacement of an end"},
	{On: SpringLine, Name: "installed", Label: "0 before a spring is installed and once it is taken out, where some are"},

	{On: BoltLine, Name: "axial_force", Unit: "N", Label: "axial force of a bolt, tension is positive", Signed: true},
	{On: BoltLine, Name: "shear_force", Unit: "N", Label: "force across a bolt at joints and cracks", Signed: true},
	{On: BoltLine, Name: "bond_force", Unit: "N/m", Label: "force per length between a bolt and the rock", Signed: true},
	{On: BoltLine, Name: "slip", Unit: "m", Label: "slip of a bolt in the rock, towards its far end", Signed: true},
	{On: BoltLine, Name: "along", Unit: "m", Label: "distance from the head of a bolt"},
	{On: BoltLine, Name: "plastic_strain", Label: "plastic strain of the bar of a bolt"},
	{On: BoltLine, Name: "broken", Label: "1 where a bolt has broken"},
	{On: BoltLine, Name: "installed", Label: "0 before a bolt is installed and once it is taken out, where some are"},
	{On: BoltLine, Name: "displacement", Unit: "m", Label: "displacement of a point of a bolt"},

	{On: Event, Name: "time", Unit: "s", Label: "time at which an edge broke, in `insertions.csv` opened; of an event of several edges when the first broke"},
	{On: Event, Name: "x", Unit: "m", Label: "its middle in the reference positions; of several edges the mean by their lengths", Signed: true},
	{On: Event, Name: "y", Unit: "m", Label: "its middle in the reference positions; of several edges the mean by their lengths", Signed: true},
	{On: Event, Name: "energy", Unit: "J", Label: "dissipated by fracture: G times the length on the plane of the crack, up to a third shorter than the edges"},
	{On: Event, Name: "mode", Label: "share of shear in that energy"},
	{On: Event, Name: "length", Unit: "m", Label: "reference length of the edges"},
	{On: Event, Name: "inserted_at", Unit: "s", Label: "time at which the edge opened"},
	{On: Event, Name: "broken_at", Unit: "s", Label: "time at which the edge broke, NaN before"},
	{On: Event, Name: "kinetic", Unit: "J", Label: "kinetic energy released from when edges opened until they broke"},
	{On: Event, Name: "cluster", Label: "number of the event in `clusters.csv` that the breakage belongs to, from 0"},
	{On: Event, Name: "duration", Unit: "s", Label: "time from the first breakage of an event to its last"},
	{On: Event, Name: "edges", Label: "edges that broke in an event"},
	{On: Event, Name: "mxx", Unit: "Nm", Label: "moment tensor", Signed: true},
	{On: Event, Name: "myy", Unit: "Nm", Label: "moment tensor", Signed: true},
	{On: Event, Name: "mxy", Unit: "Nm", Label: "moment tensor", Signed: true},
	{On: Event, Name: "mzz", Unit: "Nm", Label: "moment tensor, out of the plane", Signed: true},
	{On: Event, Name: "moment", Unit: "Nm", Label: "scalar moment"},
	{On: Event, Name: "magnitude", Label: "moment magnitude, NaN without motion", Signed: true},

	{On: Fragment, Name: "mass", Unit: "kg", Label: "mass of a fragment"},
	{On: Fragment, Name: "area", Unit: "m2", Label: "its area in the reference positions"},
	{On: Fragment, Name: "perimeter", Unit: "m", Label: "length of its outline and of its holes in the reference positions; cracks that end inside do not count"},
	{On: Fragment, Name: "x", Unit: "m", Label: "its centre of mass"},
	{On: Fragment, Name: "y", Unit: "m", Label: "its centre of mass"},
	{On: Fragment, Name: "vx", Unit: "m/s", Label: "its velocity along x, mean over the mass"},
	{On: Fragment, Name: "vy", Unit: "m/s", Label: "its velocity along y, mean over the mass"},
	{On: Fragment, Name: "spin", Unit: "rad/s", Label: "its angular velocity: angular momentum over moment of inertia"},

	{On: Summary, Name: "kinetic_released", Unit: "J", Label: "kinetic energy released by all edges that broke"},
	{On: Summary, Name: "step", Unit: "s", Label: "last step"},
	{On: Summary, Name: "time", Unit: "s", Label: "time reached"},
	{On: Summary, Name: "wall_seconds", Unit: "s", Label: "time on the clock since the run began or was resumed"},
	{On: Summary, Name: "mass", Unit: "kg", Label: "mass of a body"},
	{On: Summary, Name: "velocity", Unit: "m/s", Label: "velocity of a body, mean over the mass"},
	{On: Summary, Name: "angular_velocity", Unit: "rad/s", Label: "angular velocity of a body"},
	{On: Summary, Name: "momentum", Unit: "kg m/s", Label: "momentum of a body"},
	{On: Summary, Name: "peak_pressure", Unit: "Pa", Label: "greatest pressure of a contact so far, of a single contact node"},
	{On: Summary, Name: "peak_force", Unit: "N", Label: "greatest normal force of a contact, or force of a support, so far"},
	{On: Summary, Name: "peak_impulse", Unit: "N s", Label: "greatest normal impulse of a contact point in a step so far, with contact by impulses"},
	{On: Summary, Name: "penetration", Unit: "m", Label: "greatest penetration so far, with contact by impulses"},
	{On: Summary, Name: "peak_deflection", Unit: "m", Label: "greatest deflection of a pair of particles so far"},
	{On: Summary, Name: "dissipated", Unit: "J", Label: "dissipated by a contact, law and friction"},
	{On: Summary, Name: "force", Unit: "N", Label: "force of a support, or on the contactor of a contact, at the end"},
	{On: Summary, Name: "moment", Unit: "Nm", Label: "and its moment"},
	{On: Summary, Name: "about", Unit: "m", Label: "about which point; that of a contact about the origin"},
	{On: Summary, Name: "peak_moment", Unit: "Nm", Label: "greatest moment of a support so far"},
	{On: Summary, Name: "stiffness", Unit: "Pa/m", Label: "stiffness of a law that was found from the bodies"},
	{On: Summary, Name: "friction_speed", Unit: "m/s", Label: "slip speed below which regularised friction is linear"},
	{On: Summary, Name: "friction_speed_widest", Unit: "m/s", Label: "and at its greatest"},
	{On: Summary, Name: "residual", Unit: "J", Label: "residual of the energy"},
	{On: Summary, Name: "element_steps_per_second", Unit: "1/s", Label: "elements times steps over time on the clock"},
	{On: Summary, Name: "particle_steps_per_second", Unit: "1/s", Label: "particles times steps over time on the clock"},
}

// Parts returns the names of the columns of a probe.
func (q *Quantity) Parts() []string {
	switch q.Name {
	case "rotation":
		return []string{"angle", "omega"}
	case "stress":
		return []string{"xx", "yy", "zz", "xy"}
	case "strain":
		return []string{"xx", "yy", "xy"}
	case "von_mises", "pressure", "plastic_strain", "temperature", "convergence":
		return []string{q.Name}
	}
	return []string{"x", "y"}
}

// Of returns the quantity with a name at an object, nil if there is none.
func Of(on Where, name string) *Quantity {
	for i := range All {
		if q := &All[i]; q.On == on && q.Name == name {
			return q
		}
	}
	return nil
}

// Must is Of for names in the code. It panics if there is none.
func Must(on Where, name string) *Quantity {
	q := Of(on, name)
	if q == nil {
		panic("there is no quantity " + name)
	}
	return q
}

// Names returns the names of the quantities of some kinds of Where, in the order of the
// table.
func Names(on ...Where) []string {
	var out []string
	for _, q := range All {
		for _, w := range on {
			if q.On == w {
				out = append(out, q.Name)
			}
		}
	}
	return out
}

// Column is a column of the history.
type Column struct {
	*Quantity
	Owner string // a body, contact or probe; "" for the run
	Part  string // of a probe: "x", "y", "angle" and so on
}

// Name returns the column's name in the header.
func (c Column) Name() string {
	switch {
	case c.Owner == "":
		return c.Quantity.Name
	case c.On == Probe:
		return c.Owner + "." + c.Part
	}
	return c.Owner + "." + c.Quantity.Name
}

// unknown is a column that is not in the table: a column of a probe, whose header does not
// name the quantity, or of another program.
var (
	probed  = Quantity{On: Probe, Plot: Probes}
	unknown = Quantity{On: Run, Plot: Others}
)

// convergence is the one quantity of probes that its column names.
const convergence = "convergence"

// Read returns the columns of a history file from their names in the header.
func Read(header []string) []Column {
	contacts := map[string]bool{} // looked up only
	for _, name := range header {
		if owner, ok := strings.CutSuffix(name, ".normal"); ok {
			contacts[owner] = true
		}
	}
	out := make([]Column, len(header))
	separate := slices.Contains(header, StrainEnergy)
	for i, name := range header {
		switch {
		case separate && name == "strain":
			out[i] = Column{Quantity: &unknown, Part: name}
		case name == StrainEnergy:
			out[i] = Column{Quantity: Must(Run, "strain")}
		default:
			out[i] = read(name, contacts)
		}
	}
	return out
}

// read is Read for one column. contacts are the owners that are known to be contacts.
func read(name string, contacts map[string]bool) Column {
	if q := Of(Run, name); q != nil {
		return Column{Quantity: q}
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		owner, last := name[:i], name[i+1:]
		for _, on := range []Where{Body, Contact, Spring, Bolt, Support} {
			if q := Of(on, last); q != nil && (on != Contact || contacts[owner]) {
				return Column{Quantity: q, Owner: owner}
			}
		}
		if last == convergence {
			return Column{Quantity: Must(Probe, last), Owner: owner, Part: last}
		}
		switch last {
		case "x", "y", "angle", "xx", "yy", "zz", "xy", "von_mises", "pressure", "plastic_strain", "temperature":
			return Column{Quantity: &probed, Owner: owner, Part: last}
		}
	}
	return Column{Quantity: &unknown, Owner: "", Part: name}
}

// Line returns the label of the column among other columns of its plot.
func (c Column) Line() string {
	words := func(s string) string { return strings.ReplaceAll(s, "_", " ") }
	switch {
	case c.Quantity == &unknown:
		return words(c.Part)
	case c.Owner == "" && c.Quantity.Name == "strain" && c.Unit == "J":
		return "strain energy"
	case c.Owner == "" && strings.Contains(c.Quantity.Name, ".") && c.Plot != Curves:
		return c.Label // cracks.tension says less
	case c.Owner == "":
		return words(c.Quantity.Name)
	case c.On == Probe:
		return c.Owner + " " + c.Part
	case c.Quantity.Name == "omega" || c.Quantity.Name == "moment":
		return c.Owner
	}
	return c.Owner + " " + strings.TrimPrefix(c.Quantity.Name, "v")
}
