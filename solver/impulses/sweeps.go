package impulses

import (
	"math"
	"slices"
)

// Projected Gauss-Seidel sweeps find the impulses P of a step:
//
//	v = v* + M^-1 G P,  0 <= (u_n - b) perpendicular to (P_n - P_min) >= 0,  |P_t| <= mu P_n,
//
// and P_t = mu P_n against u_t where that is not 0. The resistance to rolling of a disc of radius R is
// friction, too: of the relative spin times R, by an angular impulse over R, |P_r| <= mu_r P_n. They begin with the impulses of the last step
// (warm start). A nonlinear conjugate gradient method speeds up the first ones (M. Silcowitz-Hansen, S.
// Niebel and K. Erleben, A nonsmooth nonlinear conjugate gradient method for interactive contact force
// problems, Visual Computer 26, 2010). As its directions cycle under friction now and then, plain
// sweeps follow, and at last relaxed ones.
//
// In the first step there are no last impulses, and under Coulomb's law a slope of columns may both rest and topple.
// Plain sweeps from zero are as if weight came gradually on springs: friction forms against the slip on that way,
// as limit equilibrium has it. What is sped up finds one of the two by chance, so that it only follows.

// velocity is the motion of a body while a step is solved, with what resists it.
type velocity struct {
	x, y, spin           float64 // [m/s], [rad/s]
	inverse, inverseTurn float64 // 1/mass [1/kg], 1/moment of inertia [1/(kg m2)]; 0 unless free
}

const (
	directSweeps    = 200 // limit of sweeps below which there is no direct solution: flows
	firstSweeps     = 10  // before a direct solution is tried
	workPerSweep    = 16  // a direct solution takes as long as so many sweeps: multiplications of a factorisation per contact point, over this
	conjugateSweeps = 100 // so many are sped up
	relaxedAfter    = 1000
	slowAfter       = 4000
	relaxed, slow   = 0.6, 0.3 // parts of an impulse that are taken then
	startSweeps     = 20_000   // greatest number in the first step
	gradualSweeps   = 500      // plain ones with which the first step begins
)

// normalVelocity returns the velocity of b relative to a along the normal, which is positive where
// they part [m/s].
func (p *point) normalVelocity(a, b *velocity) float64 {
	return float64(p.n.X*(b.x-a.x)) + float64(p.n.Y*(b.y-a.y)) + (float64(b.spin*p.nb) - float64(a.spin*p.na))
}

// slip returns the velocity of b relative to a along the tangent [m/s].
func (p *point) slip(a, b *velocity) float64 {
	return float64(p.n.Y*(b.x-a.x)) - float64(p.n.X*(b.y-a.y)) + (float64(b.spin*p.tb) - float64(a.spin*p.ta))
}

// push gives both bodies an impulse along the normal [N s].
func (p *point) push(a, b *velocity, j float64) {
	x, y := float64(j*p.n.X), float64(j*p.n.Y)
	if a.inverse > 0 { // others belong to all workers
		a.x -= float64(x * a.inverse)
		a.y -= float64(y * a.inverse)
		a.spin -= float64(j * p.na * a.inverseTurn)
	}
	if b.inverse > 0 {
		b.x += float64(x * b.inverse)
		b.y += float64(y * b.inverse)
		b.spin += float64(j * p.nb * b.inverseTurn)
	}
}

// rub gives both bodies an impulse along the tangent [N s].
func (p *point) rub(a, b *velocity, j float64) {
	x, y := float64(j*p.n.Y), float64(j*p.n.X)
	if a.inverse > 0 {
		a.x -= float64(x * a.inverse)
		a.y += float64(y * a.inverse)
		a.spin -= float64(j * p.ta * a.inverseTurn)
	}
	if b.inverse > 0 {
		b.x += float64(x * b.inverse)
		b.y -= float64(y * b.inverse)
		b.spin += float64(j * p.tb * b.inverseTurn)
	}
}

// rolls returns the spin of b relative to a, times the radius of rolling [m/s].
func (p *point) rolls(a, b *velocity) float64 { return float64(p.arm * (b.spin - a.spin)) }

// turn gives both bodies an angular impulse, over the radius of rolling [N s].
func (p *point) turn(a, b *velocity, j float64) {
	if a.inverse > 0 {
		a.spin -= float64(j * p.arm * a.inverseTurn)
	}
	if b.inverse > 0 {
		b.spin += float64(j * p.arm * b.inverseTurn)
	}
}

// applyAll gives all impulses of the points.
func (k *Contacts) applyAll() {
	for i := range k.points {
		p := &k.points[i]
		a, b := &k.moving[p.a], &k.moving[p.b]
		p.push(a, b, p.pn)
		p.rub(a, b, p.pt)
		p.turn(a, b, p.pr)
	}
}

// solve finds the impulses to a tolerance [m/s] for velocities, with at most a number of sweeps. It
// tells whether that was reached.
func (k *Contacts) solve(within float64, most int) (converged bool) {
	converged = k.phase(within, most)
	if k.bounces {
		k.restore()
		converged = k.phase(within, most) && converged
	}
	return converged
}

// phase finds the impulses for the present least ones: by sweeps as long as they have cost less than a
// direct solution would, then by that, and by sweeps again where it fails.
func (k *Contacts) phase(within float64, most int) (converged bool) {
	done, first := min(firstSweeps, most), within
	if k.N == 0 {
		done, first = min(gradualSweeps, most), directShare*within
	}
	if k.sweeps(first, 0, done) {
		return true
	}
	if most >= directSweeps && k.prepare() {
		first := done
		done = min(max(done, int(k.sweepsPerFactor())), most)
		if k.sweeps(within, first, done) || k.solveDirect(within, most) {
			return true
		}
	}
	return k.sweeps(within, done, most)
}

// sweeps sweeps until no impulse changes a velocity by more than within [m/s], up to a number of sweeps
// of which so many are done. It tells whether that was reached.
func (k *Contacts) sweeps(within float64, done, most int) (converged bool) {
	last := -1.0
	spedUp := conjugateSweeps
	if k.N == 0 {
		spedUp = 0
	}
	for sweep := done; sweep < most; sweep++ {
		if sweep < spedUp {
			k.remember()
		}
		share := 1.0
		switch {
		case sweep >= slowAfter:
			share = slow
		case sweep >= relaxedAfter:
			share = relaxed
		}
		k.Swept++
		k.Solved += int64(len(k.points))
		if k.sweep(share) <= within {
			return true
		}
		if sweep < spedUp {
			last = k.conjugate(last)
		}
	}
	return false
}

// sweep goes once over all contact points, in order, or colour by colour. It returns the greatest change
// of a velocity [m/s].
func (k *Contacts) sweep(share float64) (most float64) {
	if len(k.colours.ends) > 0 {
		k.colours.share = share
		return k.eachColour(k.colours.doSweep)
	}
	return k.sweepRanges(0, len(k.ranges), share)
}

// sweepRanges sweeps the ranges [first, end).
func (k *Contacts) sweepRanges(first, end int, share float64) (most float64) {
	for _, r := range k.ranges[first:end] {
		points := k.points[r[0]:r[1]]
		for j := range points {
			p := &points[j]
			a, b := &k.moving[p.a], &k.moving[p.b]
			change := float64(share * (p.normalVelocity(a, b) - p.bound))
			now := max(p.pn-float64(p.kn*change), p.least)
			if change = now - p.pn; change == 0 {
				continue
			}
			p.pn = now
			p.push(a, b, change)
			most = max(most, math.Abs(change)/(share*p.kn))
		}
		for j := range points {
			p := &points[j]
			if p.friction == 0 || p.pn == 0 && p.pt == 0 {
				continue
			}
			a, b := &k.moving[p.a], &k.moving[p.b]
			limit := p.friction * p.pn
			now := min(max(p.pt-float64(share*p.kt*p.slip(a, b)), -limit), limit)
			change := now - p.pt
			p.pt = now
			p.rub(a, b, change)
			most = max(most, math.Abs(change)/(share*p.kt))
		}
		if p := &points[0]; p.rolling > 0 { // a disc has one contact point
			a, b := &k.moving[p.a], &k.moving[p.b]
			limit := p.rolling * p.pn
			now := min(max(p.pr-float64(share*p.kr*p.rolls(a, b)), -limit), limit)
			change := now - p.pr
			p.pr = now
			p.turn(a, b, change)
			most = max(most, math.Abs(change)/(share*p.kr))
		}
	}
	return most
}

// remember keeps the impulses before a sweep.
func (k *Contacts) remember() {
	for i := range k.points {
		p := &k.points[i]
		p.wasn, p.wast, p.wasr = p.pn, p.pt, p.pr
	}
}

// conjugate adds a part of the last direction to the impulses. last is the square of the change in the
// last sweep, in the norm of the masses, negative for none; it returns that of this sweep. Sums are those of
// blocks of points.
func (k *Contacts) conjugate(last float64) float64 {
	c := &k.colours
	blocks, shared := k.blocks()
	c.sums = slices.Grow(c.sums[:0], blocks)[:blocks]
	c.shared.Do(blocks, shared, c.doSum)
	now := 0.0
	for _, s := range c.sums {
		now += s
	}
	c.beta = 0
	if last > 0 && now <= last {
		c.beta = now / last
	}
	if len(c.ends) > 0 {
		k.eachColour(c.doAdd)
	} else {
		k.addDirections(k.ranges)
	}
	return now
}

// sumBlock sums the squares of the change in the last sweep over a block of points.
func (k *Contacts) sumBlock(block int) {
	sum, first := 0.0, sumBlock*block
	for i := range k.points[first:min(first+sumBlock, len(k.points))] {
		p := &k.points[first+i]
		n, t := p.pn-p.wasn, p.pt-p.wast
		sum += float64(n*n)/p.kn + float64(t*t)/p.kt
		if r := p.pr - p.wasr; p.rolling > 0 {
			sum += float64(r*r) / p.kr
		}
	}
	k.colours.sums[block] = sum
}

// addDirections adds a part of the last direction to the impulses of ranges.
func (k *Contacts) addDirections(ranges [][2]int) {
	if len(ranges) == 0 {
		return
	}
	beta := k.colours.beta
	points := k.points[ranges[0][0]:ranges[len(ranges)-1][1]]
	for i := range points {
		p := &points[i]
		n, t, r := float64(beta*p.dirn), float64(beta*p.dirt), float64(beta*p.dirr)
		p.dirn, p.dirt, p.dirr = n+(p.pn-p.wasn), t+(p.pt-p.wast), r+(p.pr-p.wasr)
		if beta > 0 {
			p.pn += n
			p.pt += t
			a, b := &k.moving[p.a], &k.moving[p.b]
			p.push(a, b, n)
			p.rub(a, b, t)
			if p.rolling > 0 {
				p.pr += r
				p.turn(a, b, r)
			}
		}
	}
}

// restore begins the second phase of impacts with restitution, by Poisson's law: their impulse is to
// be at least that of the first phase and e times its part that is not of the forces of the step.
func (k *Contacts) restore() {
	for i := range k.points {
		if p := &k.points[i]; p.hits {
			p.least = (1 + float64(k.of[p.contact].Restitution*p.ratio)) * p.pn
		}
	}
}
