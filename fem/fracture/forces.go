package fracture

import (
	"math"
	"slices"

	"fdem/materials/cohesive"

	"gonum.org/v1/gonum/spatial/r2"
)

// frame is a crack's directions and length, see crack.frame.
type frame struct {
	n, t   r2.Vec
	length float64
}

// frame returns the crack's directions now, n out of A and t from From to To, by
// the middles of its nodes, and the distance of these [m].
func (c *crack) frame(x []r2.Vec) (n, t r2.Vec, l float64) {
	a0, a1, b0, b1 := x[c.node[0]], x[c.node[1]], x[c.node[2]], x[c.node[3]]
	d := r2.Vec{X: 0.5 * ((a1.X - a0.X) + (b1.X - b0.X)), Y: 0.5 * ((a1.Y - a0.Y) + (b1.Y - b0.Y))}
	l = length(d)
	t = r2.Vec{X: d.X / l, Y: d.Y / l}
	return r2.Vec{X: t.Y, Y: -t.X}, t, l
}

// AddForces adds the forces of all cracks at positions x to f and keeps their
// memory up to the given time. It may be called twice at the same x. Forces are
// the exact gradient of the points' potentials, the turning of the frame
// included, so that a free body keeps its angular momentum, and turning costs no
// work:
//
//	M = sum w (T_n D_s - T_s D_n),  -+ M n/(2 l) at the two ends
//
// Faces that are broken, bear nothing, and are farther from each other than
// their edge is long are not opposite any more: they have left each other for
// good, wherever they go.
func (z *Zone) AddForces(f, x []r2.Vec, time float64) {
	n := len(z.order)
	if n == 0 {
		return
	}
	z.x, z.time = x, time
	z.frames = slices.Grow(z.frames[:0], n)[:n]
	many := n >= fewCracks
	z.share(many, z.doOpenings)
	z.share(many, z.doTractions)
	z.share(many, z.doForces)
	z.lever = 0
	for _, w := range z.levers {
		z.lever = max(z.lever, w.of)
	}
	for _, q := range z.order {
		c := &z.cracks[q]
		for k, node := range c.node {
			f[node] = sum(f[node], c.force[k])
		}
	}
}

// fewCracks is the number of cracks that are not worth sharing.
const fewCracks = 500

// Workers lets n workers take cracks' forces and look at vertices, whom run calls
// with their numbers; their number does not change a bit.
func (z *Zone) Workers(n int, run func(do func(worker int))) {
	z.phase, z.levers, z.scan.lookers = run, make([]lever, n), make([]looker, n)
	z.doOpenings, z.doTractions, z.doForces = z.takeOpenings, z.takeTractions, z.takeForces
	z.doStress, z.doLook = z.takeStress, z.takeLook
}

// lever is what a worker has found.
type lever struct {
	of float64 // see Zone.lever
	_  [56]byte
}

// share lets the workers do something; one does it all where there is not much.
func (z *Zone) share(much bool, do func(worker int)) {
	if much && len(z.levers) > 1 {
		z.phase(do)
		return
	}
	for w := range z.levers {
		do(w)
	}
}

// portion returns the part [first, end) of n things that a worker takes.
func (z *Zone) portion(worker, n int) (first, end int) {
	of := len(z.levers)
	return worker * n / of, (worker + 1) * n / of
}

// takeOpenings takes the frames of a worker's cracks and the openings and slips
// of their points.
func (z *Zone) takeOpenings(worker int) {
	first, end := z.portion(worker, len(z.order))
	for k := first; k < end; k++ {
		c := &z.cracks[z.order[k]]
		if !math.IsNaN(c.left) {
			continue
		}
		r := &z.regions[c.region]
		n, t, l := c.frame(z.x)
		z.frames[k] = frame{n, t, l}
		for end, i := range c.point {
			if i < 0 {
				continue
			}
			a, b := z.x[c.node[end]], z.x[c.node[2+end]]
			dx, dy := b.X-a.X, b.Y-a.Y
			r.opening[i] = float64(dx*n.X) + float64(dy*n.Y)
			r.slip[i] = float64(dx*t.X) + float64(dy*t.Y)
		}
	}
}

// takeTractions asks the laws for the tractions of a worker's points.
func (z *Zone) takeTractions(worker int) {
	for i := range z.regions {
		r := &z.regions[i]
		r.eval(z.portion(worker, len(r.points)))
	}
}

// takeForces makes forces of the tractions of a worker's cracks.
func (z *Zone) takeForces(worker int) {
	greatest := 0.0
	first, end := z.portion(worker, len(z.order))
	for k := first; k < end; k++ {
		c := &z.cracks[z.order[k]]
		if !math.IsNaN(c.left) {
			continue
		}
		r := &z.regions[c.region]
		n, t, l := z.frames[k].n, z.frames[k].t, z.frames[k].length
		var force [2]r2.Vec
		moment, far := 0.0, 0.0
		broken, bears := true, false
		for end, i := range c.point {
			if i < 0 {
				continue
			}
			far = max(far, float64(r.opening[i]*r.opening[i])+float64(r.slip[i]*r.slip[i]))
			bears = bears || r.normal[i] != 0 || r.shear[i] != 0
			tn, ts := c.weight*r.normal[i], c.weight*r.shear[i]
			force[end] = r2.Vec{X: float64(tn*n.X) + float64(ts*t.X), Y: float64(tn*n.Y) + float64(ts*t.Y)}
			moment += float64(tn*r.slip[i]) - float64(ts*r.opening[i])
			broken = broken && r.mem[cohesive.Memories*i] >= r.breaks[i]
		}
		g := 0.5 * moment / l
		turn := r2.Vec{X: float64(g * n.X), Y: float64(g * n.Y)}
		c.force = [4]r2.Vec{
			{X: force[0].X - turn.X, Y: force[0].Y - turn.Y}, {X: force[1].X + turn.X, Y: force[1].Y + turn.Y},
			{X: -(force[0].X + turn.X), Y: -(force[0].Y + turn.Y)}, {X: turn.X - force[1].X, Y: turn.Y - force[1].Y},
		}
		if broken && math.IsNaN(c.broken) && c.point[0] >= 0 && c.point[1] >= 0 {
			c.broken = z.time
		}
		switch {
		case bears:
			greatest = max(greatest, far/float64(l*l))
		case !math.IsNaN(c.broken) && far > z.reach2(c.edge):
			c.left = z.time
			c.force = [4]r2.Vec{}
		}
	}
	z.levers[worker].of = greatest
}

// eval asks the law for the tractions of the points [first, end).
func (r *region) eval(first, end int) {
	if first == end {
		return
	}
	mem := r.mem[cohesive.Memories*first : cohesive.Memories*end]
	r.Law.Eval(cohesive.Input{Points: r.points[first:end], Opening: r.opening[first:end], Slip: r.slip[first:end], Mem: mem}, cohesive.Output{
		Normal: r.normal[first:end], Shear: r.shear[first:end], Stored: r.stored[first:end], Dissipated: r.lost[first:end],
		Rubbed: r.rubbed[first:end], Damage: r.damage[first:end], Mem: mem,
	})
	for i := first; i < end; i++ {
		r.heat[i] += r.rubbed[i]
	}
}

// Energies are those of all cracks [J].
type Energies struct {
	Stored    float64 // recoverable: of cohesion, of faces that press and of friction's springs
	Fracture  float64 // dissipated by fracture
	Friction  float64 // dissipated by faces that rub
	Insertion float64 // stored by points that began under pressure: work of insertion
}

// Energies adds up the cracks in the order of their edges.
func (z *Zone) Energies() (e Energies) {
	for _, q := range z.order {
		c := &z.cracks[q]
		r := &z.regions[c.region]
		for _, i := range c.point {
			if i < 0 {
				continue
			}
			e.Stored += float64(c.weight * r.stored[i])
			e.Fracture += float64(c.weight * r.lost[i])
			e.Friction += float64(c.weight * r.heat[i])
			e.Insertion += float64(c.weight * r.points[i].Insertion())
		}
	}
	return e
}
