package fracture

import (
	"math"

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
// Of cracks that Separate finds to part it takes what they have not handed over.
// Where nobody calls that, faces that are broken, bear nothing, and are farther
// from each other than their edge is long have left each other for good.
func (z *Zone) AddForces(f, x []r2.Vec, time float64) {
	n := len(z.order)
	if n == 0 {
		return
	}
	z.x, z.time = x, time
	z.split(n >= fewCracks, z.doForces)
	z.lever, z.broken = 0, z.broken[:0]
	for i := range z.pullers {
		z.lever = max(z.lever, z.pullers[i].lever)
		z.broken = append(z.broken, z.pullers[i].broken...)
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
	z.phase, z.pullers, z.scan.lookers = run, make([]puller, n), make([]looker, n)
	z.doForces, z.doSeparate, z.doLook = z.takeForces, z.takeApart, z.takeLook
	z.doStress, z.doStrain, z.doCorners = z.takeStress, z.takeStrain, z.takeCorners
}

// batch is the number of cracks whose points a law is asked for at a time, few
// enough to stay in the nearest cache.
const batch = 64

// puller is what a worker takes forces with, and finds.
type puller struct {
	lever                float64 // see Zone.lever
	broken               []int32 // see Zone.broken
	frames               [batch]frame
	damage, lost, rubbed [2 * batch]float64 // what laws tell besides
	_                    [64]byte
}

// split lets the workers do something; one does it all where there is not much.
func (z *Zone) split(much bool, do func(worker int)) {
	if much && len(z.pullers) > 1 {
		z.phase(do)
		return
	}
	for w := range z.pullers {
		do(w)
	}
}

// portion returns the part [first, end) of n things that a worker takes.
func (z *Zone) portion(worker, n int) (first, end int) {
	of := len(z.pullers)
	return worker * n / of, (worker + 1) * n / of
}

// takeForces takes the forces of a worker's cracks, as they stand in memory: in
// batches whose points stand side by side.
func (z *Zone) takeForces(worker int) {
	p := &z.pullers[worker]
	p.lever, p.broken = 0, p.broken[:0]
	first, end := z.portion(worker, len(z.cracks))
	for first < end {
		r := &z.regions[z.cracks[first].region]
		from, to := int32(-1), int32(-1) // points
		k := first
		for ; k < end && k < first+batch; k++ {
			c := &z.cracks[k]
			if !math.IsNaN(c.left) {
				continue
			}
			a, b := c.point[0], c.point[1]
			if a < 0 {
				a, b = b, a
			}
			if from < 0 {
				from, to = a, a
			}
			if a != to || &z.regions[c.region] != r {
				break
			}
			z.apart(c, r, &p.frames[k-first])
			to++
			if b == to {
				to++
			} else if b >= 0 { // new, and stands apart
				r.eval(p, b, b+1)
			}
		}
		if from >= 0 {
			r.eval(p, from, to)
		}
		for i := range z.cracks[first:k] {
			if c := &z.cracks[first+i]; math.IsNaN(c.left) {
				z.pull(c, r, &p.frames[i], &p.lever)
				if !math.IsNaN(c.broken) {
					p.broken = append(p.broken, c.edge)
				}
			}
		}
		first = k
	}
}

// apart takes the frame of a crack and the openings and slips of its points.
func (z *Zone) apart(c *crack, r *region, now *frame) {
	n, t, l := c.frame(z.x)
	*now = frame{n, t, l}
	for end, i := range c.point {
		if i < 0 {
			continue
		}
		a, b := z.x[c.node[end]], z.x[c.node[2+end]]
		dx, dy := b.X-a.X, b.Y-a.Y
		r.opening[i] = float64(dx*n.X) + float64(dy*n.Y)
		r.slip[i] = float64(dx*t.X) + float64(dy*t.Y)
		r.kept[i] = 1 - c.part
	}
}

// eval asks the law for the tractions of the points [first, end).
func (r *region) eval(p *puller, first, end int32) {
	mem, n := r.mem[cohesive.Memories*first:cohesive.Memories*end], end-first
	r.Law.Eval(cohesive.Input{Points: r.points[first:end], Opening: r.opening[first:end], Slip: r.slip[first:end], Mem: mem}, cohesive.Output{
		Normal: r.normal[first:end], Shear: r.shear[first:end], Stored: r.stored[first:end], Dissipated: p.lost[:n],
		Rubbed: p.rubbed[:n], Damage: p.damage[:n], Mem: mem,
	})
	for i, rubbed := range p.rubbed[:n] {
		r.heat[int(first)+i] += float64(r.kept[int(first)+i] * rubbed)
	}
}

// pull makes forces of the tractions of a crack, and raises the lever.
func (z *Zone) pull(c *crack, r *region, now *frame, lever *float64) {
	n, t, l := now.n, now.t, now.length
	var force [2]r2.Vec
	moment, far := 0.0, 0.0
	broken, torn, bears := true, false, false
	for end, i := range c.point {
		if i < 0 {
			broken = false
			continue
		}
		far = max(far, float64(r.opening[i]*r.opening[i])+float64(r.slip[i]*r.slip[i]))
		bears = bears || r.normal[i] != 0 || r.shear[i] != 0
		tn, ts := r.kept[i]*c.weight*r.normal[i], r.kept[i]*c.weight*r.shear[i]
		force[end] = r2.Vec{X: float64(tn*n.X) + float64(ts*t.X), Y: float64(tn*n.Y) + float64(ts*t.Y)}
		moment += float64(tn*r.slip[i]) - float64(ts*r.opening[i])
		whole := r.kappa(i) < r.breaks[i]
		broken, torn = broken && !whole, torn || !whole
	}
	g := 0.5 * moment / l
	turn := r2.Vec{X: float64(g * n.X), Y: float64(g * n.Y)}
	h := z.handing(c)
	c.force = [4]r2.Vec{
		{X: force[0].X - turn.X - h.X, Y: force[0].Y - turn.Y - h.Y}, {X: force[1].X + turn.X - h.X, Y: force[1].Y + turn.Y - h.Y},
		{X: h.X - (force[0].X + turn.X), Y: h.Y - (force[0].Y + turn.Y)}, {X: turn.X - force[1].X + h.X, Y: turn.Y - force[1].Y + h.Y},
	}
	// Faces that swing about an end where they hold, as about a hinge, break where they
	// are as far apart as long: folded they would not know which way they look.
	if math.IsNaN(c.broken) && (broken || torn && far > z.reach2(c.edge)) {
		c.broken = z.time
	}
	switch {
	case bears:
		*lever = max(*lever, far/float64(l*l))
	case !math.IsNaN(c.broken) && math.IsNaN(c.parting) && far > z.reach2(c.edge):
		c.left, c.part, c.force = z.time, 1, [4]r2.Vec{}
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
			e.Stored += float64((1 - c.part) * c.weight * r.stored[i])
			e.Fracture += float64(c.weight * r.lost(i))
			e.Friction += float64(c.weight * r.heat[i])
			e.Insertion += float64(c.weight * r.points[i].Insertion())
		}
	}
	return e
}
