// Package flow: Fluid in wells and cracks: pressures, laminar flow, free expansion, and their energies.
package flow
