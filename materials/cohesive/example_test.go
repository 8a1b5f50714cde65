package cohesive_test

import (
	"fmt"

	"fdem/materials/cohesive"
)

// When a plane breaks, and how brittle a body of such a rock is.
func ExampleStrength_Used() {
	rock := cohesive.Strength{Tension: 4e6, Cohesion: 12e6, Friction: 0.7}
	fmt.Printf("pulled: %.2f, sheared under pressure: %.2f\n", rock.Used(2e6, 0), rock.Used(-10e6, 13e6))
	fmt.Printf("characteristic length %.1f mm\n", 1e3*cohesive.Length(30e9, 20, 4e6))
	// Output:
	// pulled: 0.50, sheared under pressure: 0.50
	// characteristic length 37.5 mm
}
