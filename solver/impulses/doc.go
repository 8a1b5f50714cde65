// Package impulses is nonsmooth contact dynamics of rigid bodies: time stepping by Moreau and Jean,
// without springs. In every step bodies get impulses at their contact points by which they do not
// approach beyond contact, rub by Coulomb's law and rebound by Poisson's law. Projected Gauss-Seidel
// sweeps over the contact points find these impulses.
//
// J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, CISM Courses and
// Lectures 302, 1988. M. Jean, The non-smooth contact dynamics method, Comput. Methods Appl. Mech.
// Engrg. 177, 1999. Positions follow the mean of the velocities at the two ends of a step.
//
// shapes.go has the outlines as convex parts, pairs.go which of them are near (neighbour list),
// manifolds.go their contact points, sweeps.go the solution, direct.go that of
// tall walls and arches, colours.go what workers share, ledger.go the energy balance,
// impulses.go the step.
package impulses
