package impulses

import (
	"math"
	"slices"

	"fdem/solver/cholesky"

	"gonum.org/v1/gonum/spatial/r2"
)

// Sweeps carry an impulse by one contact each, so that they are slow where forces travel far: in tall
// walls, arches and stacks. There the impulses are found by the method of multipliers (augmented
// Lagrangian, P. Alart and A. Curnier, Comput. Methods Appl. Mech. Engrg. 92, 1991) in its convex form (G.
// De Saxcé and Z.-Q. Feng, Math. Comput. Modelling 28, 1998). With the impulses p of the last iteration,
// its slip s, and penalties r, much greater than the masses that resist at a point,
//
//	P(v) = the impulse in the cone of friction nearest to p - r (u_n - b + mu |s|, u_t),
//
// and the velocities obey M (v - v*) = G P(v), which is the minimum of a convex function. Where rolling is
// resisted the cone has a third dimension, with mu_r |u_r| beside mu |s|. Newton's method
// with line search finds it. Its matrix, M + sum r g g^T over the directions g in which points press or
// stick, has one block per free body and is factorised by nested dissection. P and the slip are the next p
// and s, until each point is content with v. Penalties begin low, as points then change their state one
// after the other, and grow.

const (
	softest, stiffest, stiffer = 30, 3e4, 10 // first and greatest r over the mass that resists at a point, and its growth
	mostSolved                 = 60          // iterations of p in a step
	leastFactors, mostFactors  = 30, 200     // factorisations in a phase: as many as four times the greatest number of sweeps would cost, between these
	directShare                = 0.1         // of the tolerance: so well contacts are solved where that is possible
	newtonShare                = 1e-4        // of the tolerance: residual of the velocities at the end of Newton's method
	workPerPoint               = 3000        // greatest number of multiplications of a factorisation, per contact point
)

// directState is what the order of elimination depends on.
type directState struct {
	pattern int64     // hash of the pairs of bodies
	ordered []float64 // where their centres were when it was new, two per body [m]
}

// direct is the linear system of a step.
type direct struct {
	factor      *cholesky.Factor
	found       [][2]int32
	pairs       [][2]int32  // pairs of free bodies with contact points, and each such body with itself, ascending
	blocks      [][2][3]int // per pair: where the rows of the block of the first with the second begin in data, and of the mirrored one
	pairOf      [][3]int32  // per range of points: the pairs of its first body with itself, of its second, and of both; -1 for none
	unknown     []int32     // per body: its first unknown; -1 without contact points
	row, column []int
	data        []float64
	rest, step  []float64  // per unknown: what is not in equilibrium, and the step of Newton's method
	freed       []velocity // velocities without impulses
	from, trial []velocity // velocities in Newton's method, before a step and now
	active, was []state    // per point; now and in the matrix
	factors     int        // factorisations that this solution may still make
	made        bool       // the matrix is of this solution
	stiff       float64    // r over the mass that resists at a point
}

// prepare makes the order of elimination, unless it is that of the last step. It tells whether a direct
// solution is worth its work.
func (k *Contacts) prepare() bool {
	d := &k.direct
	k.listPairs()
	hash := int64(len(k.bodies.List))
	for _, p := range d.found {
		hash = (hash*31+int64(p[0]))*31 + int64(p[1])
	}
	if d.factor == nil || !slices.Equal(d.found, d.pairs) {
		if hash != k.pattern || len(k.ordered) != 2*len(k.bodies.List) {
			k.pattern, k.ordered = hash, k.ordered[:0]
			for _, c := range k.centres {
				k.ordered = append(k.ordered, c.X, c.Y)
			}
		}
		d.pairs = append(d.pairs[:0], d.found...)
		k.order()
	}
	if d.factor == nil || d.factor.Work() > workPerPoint*float64(len(k.points)) {
		return false
	}
	at := func(a, b int32) int32 {
		if i, found := slices.BinarySearchFunc(d.pairs, [2]int32{a, b}, comparePairs); found {
			return int32(i)
		}
		return -1
	}
	d.pairOf = d.pairOf[:0]
	for _, r := range k.ranges {
		a, b := k.points[r[0]].a, k.points[r[0]].b
		d.pairOf = append(d.pairOf, [3]int32{at(a, a), at(b, b), at(a, b)})
	}
	return true
}

// listPairs finds the pairs of free bodies that have contact points in common, ascending, and each of
// these bodies with itself.
func (k *Contacts) listPairs() {
	d := &k.direct
	d.found = d.found[:0]
	for _, r := range k.ranges {
		a, b := k.points[r[0]].a, k.points[r[0]].b
		freeA, freeB := k.moving[a].inverse > 0, k.moving[b].inverse > 0
		if freeA {
			d.found = append(d.found, [2]int32{a, a})
		}
		if freeB {
			d.found = append(d.found, [2]int32{b, b})
		}
		if freeA && freeB {
			d.found = append(d.found, [2]int32{a, b})
		}
	}
	slices.SortFunc(d.found, comparePairs)
	d.found = slices.Compact(d.found)
}

// order makes the pattern of the matrix and the order of elimination for the pairs.
func (k *Contacts) order() {
	d := &k.direct
	count := len(k.bodies.List)
	near, base := make([]int, count), make([]int, count)
	d.unknown = slices.Repeat([]int32{-1}, count)
	for _, p := range d.pairs {
		near[p[0]]++
		if p[0] != p[1] {
			near[p[1]]++
		}
	}
	d.row, d.column = append(d.row[:0], 0), d.column[:0]
	var positions []r2.Vec
	for i, n := range near {
		if n == 0 {
			continue
		}
		d.unknown[i] = int32(len(positions))
		base[i] = d.row[len(d.row)-1]
		for range 3 {
			d.row = append(d.row, d.row[len(d.row)-1]+3*n)
			positions = append(positions, r2.Vec{X: k.ordered[2*i], Y: k.ordered[2*i+1]})
		}
	}
	d.column = make([]int, d.row[len(d.row)-1])
	d.blocks = d.blocks[:0]
	rank := make([]int, count)
	place := func(of, with int32) (rows [3]int) {
		for c := range rows {
			at := base[of] + 3*(c*near[of]+rank[of])
			rows[c] = at
			for j := range 3 {
				d.column[at+j] = int(d.unknown[with]) + j
			}
		}
		rank[of]++
		return rows
	}
	for _, p := range d.pairs { // a body meets those before it, then itself, then those behind it
		b := [2][3]int{place(p[0], p[1])}
		if p[0] != p[1] {
			b[1] = place(p[1], p[0])
		}
		d.blocks = append(d.blocks, b)
	}
	d.factor = cholesky.NewFactor(d.row, d.column, positions)
	d.data = make([]float64, len(d.column))
	d.rest, d.step = make([]float64, len(positions)), make([]float64, len(positions))
}

// sweepsPerFactor returns the number of sweeps that take as long as a factorisation.
func (k *Contacts) sweepsPerFactor() float64 {
	return k.direct.factor.Work() / (workPerSweep * float64(len(k.points)))
}

// solveDirect finds the impulses by the method of multipliers, by as many factorisations as four times that number of
// sweeps would cost: heavy bodies on light ones need them, and sweeps help them least. It tells whether they are right
// within [m/s]; if not, they are a good start for sweeps.
func (k *Contacts) solveDirect(within float64, most int) bool {
	d := &k.direct
	d.factors = max(leastFactors, int(min(mostFactors, float64(4*most)/k.sweepsPerFactor())))
	d.made = false
	d.active, d.was = slices.Grow(d.active[:0], len(k.points))[:len(k.points)], slices.Grow(d.was[:0], len(k.points))[:len(k.points)]
	d.trial, d.from = append(d.trial[:0], k.moving...), append(d.from[:0], k.moving...)
	d.stiff = softest
	last := k.discontent()
	for range mostSolved {
		for i := range k.points {
			p := &k.points[i]
			a, b := &k.moving[p.a], &k.moving[p.b]
			p.wasn, p.wast, p.wasr = p.pn, p.pt, p.pr
			p.shift = float64(p.friction*math.Abs(p.slip(a, b))) + float64(p.rolling*math.Abs(p.rolls(a, b)))
		}
		able := k.newton(max(newtonShare*within, 0.01*last))
		if able {
			k.press()
			copy(k.moving, d.freed)
			k.applyAll()
		}
		left := k.discontent()
		if left <= directShare*within || left <= within && left > 0.5*last {
			return true
		}
		if !able {
			return left <= within
		}
		last = left
		if d.stiff < stiffest {
			d.stiff *= stiffer
			d.made = false
		}
	}
	return last <= within
}

// state is the part of its cone on which a point's impulse lies: whether it presses by more than the least
// impulse, and how it slides and rolls.
type state struct {
	presses       bool
	slides, rolls side
}

// side is where friction is at its limit.
type side int8

const (
	sticks   side = iota // below the limit
	forward              // at the limit, positive
	backward             // at the limit, negative
	loose                // nothing presses
)

// trials returns the impulses of a point at given velocities of its bodies: the point of the cone that
// is nearest to what the penalties ask for.
func (p *point) trials(stiff float64, a, b *velocity) (n, t, r float64, at state) {
	stiff *= p.resists()
	n = p.wasn - float64(stiff*(p.normalVelocity(a, b)-p.bound+p.shift))
	t = p.wast - float64(stiff*p.slip(a, b))
	if p.rolling > 0 {
		r = p.wasr - float64(stiff*p.rolls(a, b))
	}
	slides, rolls := math.Abs(t) > p.friction*n, p.rolling > 0 && math.Abs(r) > p.rolling*n
	for nearest := n; slides || rolls; {
		sum, squares := nearest, 1.0
		if slides {
			sum += float64(p.friction * math.Abs(t))
			squares += float64(p.friction * p.friction)
		}
		if rolls {
			sum += float64(p.rolling * math.Abs(r))
			squares += float64(p.rolling * p.rolling)
		}
		n = sum / squares
		// nearer to the limit of both, one may be below its own
		stillSlides, stillRolls := slides && math.Abs(t) > p.friction*n, rolls && math.Abs(r) > p.rolling*n
		if !slides || !rolls || stillSlides && stillRolls {
			break
		}
		slides, rolls = stillSlides, stillRolls
		n = nearest
	}
	if at.presses = n > p.least; !at.presses {
		n = p.least
		slides, rolls = math.Abs(t) > p.friction*n, math.Abs(r) > p.rolling*n
	}
	t, at.slides = limited(t, p.friction*n, slides, n > 0)
	r, at.rolls = limited(r, p.rolling*n, rolls, n > 0)
	return n, t, r, at
}

// limited returns an impulse of friction, at its limit if it is beyond, and its side.
func limited(t, limit float64, beyond, presses bool) (float64, side) {
	switch {
	case !presses:
		return 0, loose
	case !beyond:
		return t, sticks
	case t < 0:
		return -limit, backward
	}
	return limit, forward
}

// resists returns the least mass that resists an impulse at the point [kg].
func (p *point) resists() float64 {
	if p.rolling > 0 {
		return min(p.kn, p.kt, p.kr)
	}
	return min(p.kn, p.kt)
}

// press sets the impulses to those at the velocities of Newton's method.
func (k *Contacts) press() {
	for i := range k.points {
		p := &k.points[i]
		p.pn, p.pt, p.pr, _ = p.trials(k.direct.stiff, &k.direct.trial[p.a], &k.direct.trial[p.b])
	}
}

// discontent returns the greatest change of a velocity that a contact point would make by itself [m/s].
func (k *Contacts) discontent() (most float64) {
	for i := range k.points {
		p := &k.points[i]
		a, b := &k.moving[p.a], &k.moving[p.b]
		n := max(p.pn-float64(p.kn*(p.normalVelocity(a, b)-p.bound)), p.least)
		most = max(most, math.Abs(n-p.pn)/p.kn)
		limit := p.friction * p.pn
		t := min(max(p.pt-float64(p.kt*p.slip(a, b)), -limit), limit)
		most = max(most, math.Abs(t-p.pt)/p.kt)
		if p.rolling > 0 {
			limit = p.rolling * p.pn
			r := min(max(p.pr-float64(p.kr*p.rolls(a, b)), -limit), limit)
			most = max(most, math.Abs(r-p.pr)/p.kr)
		}
	}
	return most
}

// newton finds the velocities of equilibrium for the impulses and limits of friction of the last
// iteration, to a residual [m/s]. It tells whether the work that it may do was enough.
func (k *Contacts) newton(within float64) bool {
	d := &k.direct
	for left := k.imbalance(); left > within; {
		fresh := d.made && slices.Equal(d.active, d.was)
		if !fresh && !k.factorise() {
			return false
		}
		k.Swept++
		copy(d.from, d.trial)
		copy(d.step, d.rest)
		d.factor.Solve(d.step)
		next := k.search(cholesky.Inner(d.step, d.rest))
		if fresh && next > 0.5*left && slices.Equal(d.active, d.was) {
			return true // rounding
		}
		left = next
	}
	return true
}

// search takes the step of Newton's method, or the part of it that leads to the minimum along it. downhill
// is the product of the step and the rest at its start. It returns the residual [m/s].
func (k *Contacts) search(downhill float64) (left float64) {
	d := &k.direct
	low, high, share := 0.0, 1.0, 1.0
	for range 20 {
		for i, u := range d.unknown {
			if u >= 0 {
				v := &d.from[i]
				d.trial[i].x, d.trial[i].y, d.trial[i].spin = v.x+float64(share*d.step[u]), v.y+float64(share*d.step[u+1]), v.spin+float64(share*d.step[u+2])
			}
		}
		left = k.imbalance()
		switch slope := cholesky.Inner(d.step, d.rest); {
		case slope > 0.5*downhill:
			low = share
		case slope < -0.5*downhill:
			high = share
		default:
			return left
		}
		if share == 1 && low == 1 {
			return left
		}
		share = 0.5 * (low + high)
	}
	return left
}

// imbalance sets rest to G P(v) - M (v - v*) at the velocities of Newton's method, and which points press
// and stick. It returns the greatest velocity that this makes [m/s].
func (k *Contacts) imbalance() (most float64) {
	d := &k.direct
	for i, u := range d.unknown {
		if u < 0 {
			continue
		}
		v, f := &d.trial[i], &d.freed[i]
		d.rest[u], d.rest[u+1], d.rest[u+2] = (f.x-v.x)/v.inverse, (f.y-v.y)/v.inverse, (f.spin-v.spin)/v.inverseTurn
	}
	for i := range k.points {
		p := &k.points[i]
		var n, t, r float64
		n, t, r, d.active[i] = p.trials(k.direct.stiff, &d.trial[p.a], &d.trial[p.b])
		if n == 0 {
			continue
		}
		x, y := float64(n*p.n.X)+float64(t*p.n.Y), float64(n*p.n.Y)-float64(t*p.n.X)
		if u := d.unknown[p.a]; u >= 0 {
			d.rest[u] -= x
			d.rest[u+1] -= y
			d.rest[u+2] -= float64(n*p.na) + float64(t*p.ta) + float64(r*p.arm)
		}
		if u := d.unknown[p.b]; u >= 0 {
			d.rest[u] += x
			d.rest[u+1] += y
			d.rest[u+2] += float64(n*p.nb) + float64(t*p.tb) + float64(r*p.arm)
		}
	}
	for i, u := range d.unknown {
		if u >= 0 {
			v := &d.trial[i]
			most = max(most, v.inverse*math.Abs(d.rest[u]), v.inverse*math.Abs(d.rest[u+1]), k.far[i]*v.inverseTurn*math.Abs(d.rest[u+2]))
		}
	}
	return most
}

// factorise makes and factorises the matrix for the points that press and stick now.
func (k *Contacts) factorise() bool {
	d := &k.direct
	if d.factors == 0 {
		return false
	}
	d.factors--
	d.made = true
	copy(d.was, d.active)
	clear(d.data)
	for i, p := range d.pairs {
		if p[0] == p[1] {
			v, rows := &k.moving[p[0]], &d.blocks[i][0]
			d.data[rows[0]], d.data[rows[1]+1], d.data[rows[2]+2] = 1/v.inverse, 1/v.inverse, 1/v.inverseTurn
		}
	}
	for j := range k.ranges {
		r, of := k.ranges[j], d.pairOf[j]
		for i := r[0]; i < r[1]; i++ {
			p := &k.points[i]
			d.addPoint(of, p, d.active[i], d.stiff*p.resists())
		}
	}
	return d.factor.Factorise(d.data)
}

// addPoint adds the springs of a point: along the limits of friction that it is at, and for what sticks.
func (d *direct) addPoint(of [3]int32, p *point, at state, stiff float64) {
	a, b := [3]float64{p.n.X, p.n.Y, p.na}, [3]float64{p.n.X, p.n.Y, p.nb}
	squares := 1.0
	for i, to := range [2]side{at.slides, at.rolls} {
		f, x, y, turnA, turnB := p.friction, p.n.Y, -p.n.X, p.ta, p.tb
		if i == 1 {
			f, x, y, turnA, turnB = p.rolling, 0, 0, p.arm, p.arm
		}
		switch {
		case i == 1 && p.rolling == 0:
		case to == sticks:
			d.add(of, [3]float64{x, y, turnA}, [3]float64{x, y, turnB}, stiff)
		case to == loose:
		default:
			squares += float64(f * f)
			if to == backward {
				f = -f
			}
			a = [3]float64{a[0] + float64(f*x), a[1] + float64(f*y), a[2] + float64(f*turnA)}
			b = [3]float64{b[0] + float64(f*x), b[1] + float64(f*y), b[2] + float64(f*turnB)}
		}
	}
	if at.presses {
		d.add(of, a, b, stiff/squares)
	}
}

// add adds a spring between two bodies with its directions on both.
func (d *direct) add(of [3]int32, a, b [3]float64, stiff float64) {
	outer := func(rows *[3]int, a, b *[3]float64, stiff float64) {
		for i, at := range rows {
			f := stiff * a[i]
			for j := range 3 {
				d.data[at+j] += float64(f * b[j])
			}
		}
	}
	if of[0] >= 0 {
		outer(&d.blocks[of[0]][0], &a, &a, stiff)
	}
	if of[1] >= 0 {
		outer(&d.blocks[of[1]][0], &b, &b, stiff)
	}
	if of[2] >= 0 {
		outer(&d.blocks[of[2]][0], &a, &b, -stiff)
		outer(&d.blocks[of[2]][1], &b, &a, -stiff)
	}
}
