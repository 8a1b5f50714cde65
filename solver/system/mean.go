package system

import (
	"gonum.org/v1/gonum/spatial/r2"
)

// ContactLoad is the forces of one contact at one time.
type ContactLoad struct {
	Name               string
	Surfaces           bool // the contact has a push
	Part               bool // it belongs to the contact before
	Normal, Tangential float64
	Push               r2.Vec
	Moment             float64 // of push
}
