// Package forces: What pushes: loads, springs, absorbing edges, weight, initial stress, local damping.
package forces
