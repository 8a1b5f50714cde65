// Package model: What a run is given: mesh, materials, bodies and everything that acts on them, in SI units.
package model
