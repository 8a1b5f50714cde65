// Package heat is the conduction of heat (diffusion) in triangles, with thermal expansion. The
// temperature is linear in each triangle (P1 elements); heat capacity is lumped at nodes, as mass
// is, so that no temperature leaves the range of its causes where triangles are not obtuse.
//
// A network is the nodes with their capacities and the links between them. Every step moves heat
// along the links from node to node. What one node loses another gains, so the balance of heat
// closes to rounding, whatever the accuracy of the temperatures by which the heat was found.
package diffusion
