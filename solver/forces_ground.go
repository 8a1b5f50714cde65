package solver

import (
	"math"

	"fdem/contactnodes/motion"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// The slowest vibration of held ground with the bodies on it, by Rayleigh's quotient with the
// deflection under their weight. Weight that is ramped in over a few of its periods does not
// shake the bodies on it.

const (
	groundPeriods = 3 // ramp time of the weight of held ground, and of bodies on it
	// slidingPeriods is the same if a body slides. Ground that deflects faster than the body
	// slides would take it along, and the body would keep that speed.
	slidingPeriods = 6
	groundShare    = 0.25 // greatest part of the run's duration for this
	groundWork     = 4e8  // greatest number of stiffness products
	groundAccuracy = 1e-4 // relative residual of the forces
)

// findGround finds the elastic bodies that are held and carry resting bodies, and returns the
// longest of their periods [s].
func (s *restFinder) findGround(p *components, at *restingComponents, holds []supportContact) (period float64) {
	at.ground = make([]bool, len(p.node))
	any := false
	for i := range holds {
		for k, component := range holds[i].components {
			on := holds[i].components[1-k]
			if holds[i].push > 0 && at.rests[on] && p.holds[component] && !p.moving[component] && !at.rests[component] && !at.rigid[component] {
				at.ground[component], any = true, true
			}
		}
	}
	if !any {
		return 0
	}
	return s.groundPeriod(p, at, holds)
}

// sagging is the deflection of held ground under its weight, and the linear system for it.
type sagging struct {
	of       *components
	first    []int32   // per node: the first of its unknowns
	row, col []int32   // sparsity pattern of the stiffness
	k        []float64 // values of the stiffness [N/m]
	free     []bool    // per unknown: it is free
	force    []float64 // weight [N]
	shape    []float64 // deflection [m]
}

// groundPeriod returns the longest period of ground with the bodies on it [s].
func (s *restFinder) groundPeriod(p *components, at *restingComponents, holds []supportContact) (longest float64) {
	pattern := s.Pattern(len(s.X))
	b := &sagging{of: p, first: pattern.First, row: pattern.RowPtr, col: pattern.Col, k: make([]float64, len(pattern.Col))}
	s.AddStiffness(pattern, b.k)
	b.free, b.force = make([]bool, len(b.row)-1), make([]float64, len(b.row)-1)
	gravity, g := s.Motion.Gravity, elementary.Norm(s.Motion.Gravity)
	for n, mass := range p.mass[:len(s.X)] {
		if c := b.first[n]; mass > 0 && at.ground[p.components[n]] {
			b.free[c], b.free[c+1] = p.held[n]&motion.HeldX == 0, p.held[n]&motion.HeldY == 0
			if c+2 < b.first[n+1] {
				b.free[c+2] = s.InverseInertias[n] > 0
			}
			b.add(int32(n), r2.Scale(mass, gravity))
		}
	}
	type load struct {
		node  int32
		force float64
	}
	var loads []load
	for i := range holds {
		h := &holds[i]
		for k, component := range h.components {
			if at.ground[component] && h.push > 0 {
				n := p.nearest(s, component, h.at)
				loads = append(loads, load{n, h.push})
				b.add(n, r2.Scale(float64(2*k-1)*h.push, h.into))
			}
		}
	}
	b.bend()
	work, mass := make([]float64, len(p.node)), make([]float64, len(p.node))
	for n, m := range p.mass[:len(s.X)] {
		if component := p.components[n]; at.ground[component] {
			u := b.at(int32(n))
			work[component] += elementary.Dot(b.forceAt(int32(n)), u)
			mass[component] += float64(m * elementary.Dot(u, u))
		}
	}
	for _, l := range loads {
		u := b.at(l.node)
		mass[p.components[l.node]] += float64(l.force / g * elementary.Dot(u, u))
	}
	for component, w := range work {
		if w > 0 && mass[component] > 0 {
			longest = max(longest, 2*math.Pi*math.Sqrt(mass[component]/w))
		}
	}
	return longest
}

// nearest returns the node of a component that is nearest to a position.
func (p *components) nearest(s *restFinder, component int32, to r2.Vec) (node int32) {
	least := math.Inf(1)
	for n, mass := range p.mass[:len(s.X)] {
		if mass > 0 && p.components[n] == component {
			if d := elementary.Norm(r2.Sub(s.X[n], to)); d < least {
				node, least = int32(n), d
			}
		}
	}
	return node
}

func (b *sagging) add(node int32, f r2.Vec) {
	c := b.first[node]
	b.force[c] += float64(f.X)
	b.force[c+1] += float64(f.Y)
}

func (b *sagging) at(node int32) r2.Vec {
	c := b.first[node]
	return r2.Vec{X: b.shape[c], Y: b.shape[c+1]}
}

func (b *sagging) forceAt(node int32) r2.Vec {
	c := b.first[node]
	return r2.Vec{X: b.force[c], Y: b.force[c+1]}
}

// bend finds the deflection by conjugate gradients with a diagonal preconditioner.
func (b *sagging) bend() {
	n := len(b.force)
	b.shape = make([]float64, n)
	r, z, d, q, inverse := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range b.force {
		if !b.free[i] {
			continue
		}
		r[i] = b.force[i]
		for j := b.row[i]; j < b.row[i+1]; j++ {
			if b.col[j] == int32(i) && b.k[j] > 0 {
				inverse[i] = 1 / b.k[j]
			}
		}
	}
	rz, first := 0.0, 0.0
	for range int(groundWork)/(len(b.k)+1) + 1 {
		was := rz
		rz = 0
		for i := range r {
			z[i] = float64(inverse[i] * r[i])
			rz += float64(r[i] * z[i])
		}
		if first == 0 {
			first = rz
		}
		if !(rz > groundAccuracy*groundAccuracy*first) {
			return
		}
		beta := 0.0
		if was > 0 {
			beta = rz / was
		}
		for i := range d {
			d[i] = z[i] + float64(beta*d[i])
		}
		b.times(q, d)
		dq := 0.0
		for i := range d {
			dq += float64(d[i] * q[i])
		}
		if !(dq > 0) {
			return
		}
		step := rz / dq
		for i := range d {
			b.shape[i] += float64(step * d[i])
			r[i] -= float64(step * q[i])
		}
	}
}

// times sets q to the product of the stiffness and d, for the free unknowns.
func (b *sagging) times(q, d []float64) {
	for i := range q {
		q[i] = 0
		if !b.free[i] {
			continue
		}
		sum := 0.0
		for j := b.row[i]; j < b.row[i+1]; j++ {
			sum += float64(b.k[j] * d[b.col[j]])
		}
		q[i] = sum
	}
}
