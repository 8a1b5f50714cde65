package contacts

import (
	"fdem/materials/contact"
)

// Expectation is the predicted state of a contact under a pressure.
type Expectation struct {
	Deflection float64 // at the pressure, in a first loading without damping [m]
	Stiffness  float64 // tangent of the law there [Pa/m]
	Step       float64 // while the surfaces are in contact everywhere; of elastic bodies only [s]
	Free       float64 // without contact [s]
}

// DeflectionAt returns the deflection [m] at which a law first carries a pressure
// [Pa], and its tangent there [Pa/m].
func DeflectionAt(law contact.Law, pressure float64) (d, stiffness float64) {
	node := contact.NewNode(law)
	low, high := 0.0, 1e-12
	for node.Try(high, 0).P < pressure && high < 1 {
		low, high = high, 2*high
	}
	for high-low > 1e-9*high {
		middle := 0.5 * (low + high)
		if node.Try(middle, 0).P < pressure {
			low = middle
		} else {
			high = middle
		}
	}
	a := node.Try(high, 0)
	return high, max(a.DP, a.K)
}
