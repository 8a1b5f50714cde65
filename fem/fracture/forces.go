package fracture

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
)

// frame is a crack's directions and length, see crack.frame, and its opening.
type frame struct {
	n, t          r2.Vec
	length        float64
	opening, slip [2]float64 // at the ends [m]
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
	z.lever = 0
	if slices.ContainsFunc(z.parted, func(edge int32) bool { return z.cracks[z.crackOf[edge]].left }) {
		z.broken = slices.DeleteFunc(z.broken, func(k int32) bool { return z.cracks[k].left })
	}
	for i := range z.pullers {
		z.lever = max(z.lever, z.pullers[i].lever)
		z.broken = append(z.broken, z.pullers[i].broken...)
	}
	for _, q := range z.order {
		c, force := &z.cracks[q], &z.force[q]
		for k, node := range c.node {
			f[node] = sum(f[node], force[k])
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

// batch is the number of cracks whose openings are taken before their laws are asked:
// nodes are anywhere in memory, and many of them are waited for at once.
const batch = 64

// puller is what a worker takes forces with, and finds.
type puller struct {
	lever  float64 // see Zone.lever
	broken []int32 // cracks that break
	parted []int32 // see Zone.parted
	frames [batch]frame
	_      [64]byte
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

// takeForces takes the forces of a worker's cracks, as they stand in memory.
func (z *Zone) takeForces(worker int) {
	p := &z.pullers[worker]
	p.lever, p.broken = 0, p.broken[:0]
	first, end := z.portion(worker, len(z.cracks))
	for ; first < end; first += batch {
		n := min(end-first, batch)
		for i := range z.cracks[first : first+n] {
			if c := &z.cracks[first+i]; !c.left {
				c.take(z.x, &p.frames[i])
			}
		}
		for i := range z.cracks[first : first+n] {
			c := &z.cracks[first+i]
			if c.left {
				continue
			}
			whole := !c.broken
			z.pull(int32(first+i), &p.frames[i], &p.lever)
			if whole && c.broken {
				p.broken = append(p.broken, int32(first+i))
			}
		}
	}
}

// take takes the frame of a crack, and the openings and slips at its ends.
func (c *crack) take(x []r2.Vec, f *frame) {
	f.n, f.t, f.length = c.frame(x)
	for end := range 2 {
		a, b := x[c.node[end]], x[c.node[2+end]]
		dx, dy := b.X-a.X, b.Y-a.Y
		f.opening[end] = float64(dx*f.n.X) + float64(dy*f.n.Y)
		f.slip[end] = float64(dx*f.t.X) + float64(dy*f.t.Y)
	}
}

// pull asks the law for the tractions of crack k, makes forces of them, and raises the
// lever.
func (z *Zone) pull(k int32, now *frame, lever *float64) {
	c := &z.cracks[k]
	n, t, l := now.n, now.t, now.length
	law := z.regions[c.region].Law
	var force [2]r2.Vec
	moment, far := 0.0, 0.0
	broken, torn, bears := true, false, false
	kept := 1 - c.part
	for end, open := range c.open {
		if !open {
			broken = false
			continue
		}
		p, opening, slip := &z.points[2*int(k)+end], now.opening[end], now.slip[end]
		normal, shear, stored, rubbed := law.Advance(&z.begun[2*int(k)+end], &p.mem, opening, slip, nil)
		p.opening, p.slip, p.normal, p.shear, p.stored = opening, slip, normal, shear, stored
		p.heat += float64(kept * rubbed)
		far = max(far, float64(opening*opening)+float64(slip*slip))
		bears = bears || normal != 0 || shear != 0
		tn, ts := kept*c.weight*normal, kept*c.weight*shear
		force[end] = r2.Vec{X: float64(tn*n.X) + float64(ts*t.X), Y: float64(tn*n.Y) + float64(ts*t.Y)}
		moment += float64(tn*slip) - float64(ts*opening)
		whole := p.kappa() < p.breaks
		broken, torn = broken && !whole, torn || !whole
	}
	g := 0.5 * moment / l
	turn := r2.Vec{X: float64(g * n.X), Y: float64(g * n.Y)}
	h := z.handing(k)
	z.force[k] = [4]r2.Vec{
		{X: force[0].X - turn.X - h.X, Y: force[0].Y - turn.Y - h.Y}, {X: force[1].X + turn.X - h.X, Y: force[1].Y + turn.Y - h.Y},
		{X: h.X - (force[0].X + turn.X), Y: h.Y - (force[0].Y + turn.Y)}, {X: turn.X - force[1].X + h.X, Y: turn.Y - force[1].Y + h.Y},
	}
	// Faces that swing about an end where they hold, as about a hinge, break where they
	// are as far apart as long: folded they would not know which way they look.
	if !c.broken && (broken || torn && far > c.length2) {
		c.broken, z.fates[k].broken = true, z.time
	}
	switch {
	case bears:
		*lever = max(*lever, far/float64(l*l))
	case c.broken && far > c.length2 && math.IsNaN(z.fates[k].parting):
		z.leave(k)
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
		for end, open := range c.open {
			if !open {
				continue
			}
			p := &z.points[2*int(q)+end]
			e.Stored += float64((1 - c.part) * c.weight * p.stored)
			e.Fracture += float64(c.weight * p.lost())
			e.Friction += float64(c.weight * p.heat)
			e.Insertion += float64(c.weight * z.begun[2*int(q)+end].Insertion())
		}
	}
	return e
}
