// Package particles: Spheres: their contact with each other and with bodies, their distances and outlines.
package particles
