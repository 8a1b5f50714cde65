package model

import (
	"fdem/materials/contact"
)

// VolumeContact is a contact of whole bodies by the volume of their overlap, see
// package volume.
type VolumeContact struct {
	Name          string  // unique among all contacts
	First, Second []int32 // components of the mesh, ascending
	Law           contact.Volumetric
	LawName       string
	Friction      float64 // Coulomb's coefficient [1]
	Speed         float64 // slip speed below which friction is linear [m/s]
	Allow         bool    // bodies may overlap at the start, and the overlap acts at once
}
