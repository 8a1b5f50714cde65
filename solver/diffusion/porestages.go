package diffusion

import (
	"errors"
	"fmt"
	"math"

	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// staged is what pores have in a static analysis: real time passes in its increments, and each ends in
// balance (staged solution). An increment of length dt after one of length dt/w is a step of the
// backward difference formula
//
//	m1 - m0 = w^2/(1 + 2w) (m0 - m-1) + (1 + w)/(1 + 2w) dt flow(p1),
//
// the first one of backward Euler, w = 0. Pressures and positions are found in turn with the mean
// stress held (fixed-stress split: Kim, Tchelepi and Juanes, 2011): the pressures at the volumes of the last balance, with
// b^2/(lambda + G) more storage for what the volumes will do; then balance by Newton's method at these.
// Anderson's acceleration of these turns makes them few where the fluid is stiff.
type staged struct {
	trial   state
	yields  []float64 // per node: the additional storage [m3/Pa]
	moved   []float64 // per node: fluid that flowed in the last increment [m3]
	sent    []float64 // per block: what it gave in it [m3]
	flows   []float64 // per node: flow at the last commit over its storage [Pa/s]
	begunAt float64   // end of the increment that trial is for
	turns   int       // in it
	span    float64   // the time dt(1 + w)/(1 + 2w) of it [s]
	share   float64   // w^2/(1 + 2w)
	flow0   []float64 // per node: flows of the trial
	mix     anderson

	rounding float64 // of pressures, by that of positions: smaller changes may not settle [Pa]
}

const (
	// settled is the greatest change of a pressure in the last turn, relative to their range so far.
	settled = 1e-8
	// maxTurns is the number of turns after which an increment is cut.
	maxTurns = 60
	// widest is the greatest ratio of an increment to the last one for the formula of second order. It
	// is stable up to 1 + sqrt 2.
	widest = 2.4
	// epsilon is the rounding of a number near 1.
	epsilon = 0x1p-52
	// seeping is the conductance of a seepage face relative to those of its nodes.
	seeping = 1e3
)

// openSeepage gives seepage faces their conductance. They are open at first.
func (k *Pores) openSeepage() {
	sum := make([]float64, len(k.net.capacity))
	for _, l := range k.net.links {
		sum[l.a] += math.Abs(l.g)
		sum[l.b] += math.Abs(l.g)
	}
	for i := range k.net.outside {
		k.net.outside[i].g = seeping * sum[k.net.outside[i].node]
	}
}

// beginStages makes the state of a static analysis.
func (k *Pores) beginStages() {
	n := len(k.net.capacity)
	k.yields, k.moved, k.flows, k.flow0 = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	k.sent = make([]float64, len(k.blocks))
	k.addYields()
	k.contain(k.now.theta, k.amount)
	k.begunAt = math.NaN()
	k.work.lacks = make([]float64, n)
}

// addYields adds the additional storage of nodes to their capacities.
func (k *Pores) addYields() {
	clear(k.yields)
	far := 0.0
	for _, x := range k.Mesh.X {
		far = max(far, math.Abs(x.X), math.Abs(x.Y))
	}
	k.rounding = 0
	for t := range k.volume {
		b := k.of.Biot[k.material[t]]
		if b == 0 {
			continue
		}
		h := math.Sqrt(k.volume[t] / k.Thickness)
		k.rounding = max(k.rounding, float64(4*epsilon*far*b)/float64(h*k.materials[k.material[t]].Capacity))
		for _, c := range k.Mesh.Triangles[t] {
			k.yields[c] += float64(b*b*k.volume[t]) / float64(3*k.planar(int32(t)))
		}
	}
	for i := range k.net.capacity {
		k.net.capacity[i] += k.yields[i]
	}
	k.fastest = k.net.fastest()
}

// contain sets m to the fluid of nodes at the pressures theta and the strains last measured.
func (k *Pores) contain(theta, m []float64) {
	for i := range m {
		m[i] = float64(k.storage[i]*theta[i]) + k.strain[i]
	}
	for _, l := range k.net.links {
		q := float64(l.s * (theta[l.a] - theta[l.b]))
		m[l.a] += q
		m[l.b] -= q
	}
}

// balance is ApplyForces in a static analysis.
func (k *Pores) balance(at float64, commit bool) error {
	if k.begunAt != at {
		k.begins(k.now.at)
		k.start(at)
	}
	switch {
	case commit && at > k.now.at:
		k.finish(at)
	case commit:
		k.measure()
	}
	k.press(k.trial.theta, commit)
	if commit {
		k.keepWarmth()
		return k.finite("pore pressure")
	}
	return nil
}

// start begins an increment that ends at a time, with pressures that grow as they did in the last one.
func (k *Pores) start(at float64) {
	s := &k.trial
	s.copyFrom(&k.now)
	k.begunAt, k.turns = at, 0
	k.rejoin()
	k.mix.reset()
	k.listWet()
	dt := at - k.now.at
	if dt <= 0 {
		return
	}
	k.span, k.share = dt, 0
	if w := dt / k.now.step; k.now.step > 0 && w <= widest {
		k.span, k.share = float64(dt*(1+w))/(1+float64(2*w)), float64(w*w)/(1+float64(2*w))
		for _, n := range k.net.used {
			s.theta[n] += float64(dt * k.now.rate[n])
		}
	}
	for _, n := range k.net.used {
		if b := k.net.heldBy[n]; b >= 0 {
			s.theta[n] = k.held(b, n, at)
		}
	}
}

// Repeat finds the pressures anew at the positions in balance, and tells whether they have changed, so
// that balance must be found again.
func (k *Pores) Repeat() (again bool, err error) {
	s, w := &k.trial, &k.work
	at := k.Time
	if at <= k.now.at {
		return false, nil
	}
	if w.matrix == nil {
		w.pattern(&k.net, k.Mesh.X, false)
	}
	next := w.next[:len(s.theta)]
	w.start(&k.net, next)
	changed := k.turnSeepage(s.theta)
	if changed {
		w.factored = -1
	}
	k.measure()
	k.contain(s.theta, w.lacks)
	for i := range w.lacks {
		w.lacks[i] = (k.amount[i] + float64(k.share*k.moved[i]) - w.lacks[i]) / k.span
	}
	if !w.factorise(&k.net, rounded(1/k.span), nil) {
		return false, errors.New("pores: the matrix of flow has no factor: permeabilities and storages are too far apart, or the mesh is too distorted")
	}
	w.solve(&k.net, k, s.theta, next, at)
	s.widen(&k.net, k, at)
	most := 0.0
	for _, n := range k.net.used {
		s.low, s.high = min(s.low, next[n]), max(s.high, next[n])
		most = max(most, math.Abs(next[n]-s.theta[n]))
	}
	if math.IsNaN(most) {
		return false, errors.New("pore pressures are no longer finite numbers")
	}
	if !changed && (most <= settled*(s.high-s.low) || k.turns > maxTurns/4 && most <= k.rounding) {
		for _, n := range w.unknowns {
			s.theta[n] = next[n]
		}
		return false, nil
	}
	if k.turns++; k.turns > maxTurns {
		return false, fmt.Errorf("pore pressures and positions do not agree after %d turns", maxTurns)
	}
	if changed {
		k.mix.reset()
	}
	k.mix.next(w.unknowns, s.theta, next)
	return true, nil
}

// turnSeepage shuts the nodes of seepage faces at pressures theta at which fluid would flow in, and
// opens others. It tells whether any has changed.
func (k *Pores) turnSeepage(theta []float64) (changed bool) {
	for i := range k.net.outside {
		e := &k.net.outside[i]
		if shut := theta[e.node]+k.gravity[e.node] < 0; shut != e.shut && k.turns < maxTurns/2 {
			e.shut, changed = shut, true
		}
	}
	return changed
}

// finish makes the trial the state: the fluid has flowed.
func (k *Pores) finish(at float64) {
	s, w := &k.trial, &k.work
	dt := at - k.now.at
	w.start(&k.net, w.next[:len(s.theta)])
	clear(w.heat)
	s.flow(&k.net, k, s.theta, w.heat, k.span, at)
	for b := range k.sent {
		k.sent[b] = float64(k.share*k.sent[b]) + (s.given[b] - k.now.given[b])
		s.given[b] = k.now.given[b] + k.sent[b]
	}
	k.measure()
	k.contain(s.theta, w.after)
	for _, n := range k.net.used {
		k.moved[n] = float64(k.share*k.moved[n]) + w.heat[n]
		if b := k.net.heldBy[n]; b >= 0 {
			s.given[b] += (w.after[n] - k.amount[n]) - k.moved[n]
			k.amount[n] = w.after[n]
		} else {
			k.amount[n] += k.moved[n]
		}
		s.rate[n] = (s.theta[n] - k.now.theta[n]) / dt
		k.flows[n] = w.heat[n] / (k.span * k.net.capacity[n])
	}
	s.at, s.step = at, dt
	s.powers(k.now.given, dt)
	k.now.copyFrom(s)
}

// Pace returns the greatest length of the next increment, by the error of the one that is in balance,
// and whether that was small enough. It is about half of the change of the flow in it, relative to the
// range of pressures so far.
func (k *Pores) Pace() (next float64, fits bool) {
	if k.of == nil || !k.of.Paced {
		return math.Inf(1), true
	}
	s, w := &k.trial, &k.work
	dt := k.Time - k.now.at
	clear(w.heat)
	before := append(w.before[:0], s.given...)
	s.flow(&k.net, k, s.theta, w.heat, 1, k.Time)
	copy(s.given, before)
	w.before = before
	wrong := 0.0
	for _, n := range w.unknowns {
		wrong = max(wrong, math.Abs(0.5*dt*(w.heat[n]/k.net.capacity[n]-k.flows[n])))
	}
	allowed := accuracy * (s.high - s.low)
	switch {
	case k.now.step == 0 && dt > k.First(): // something has begun, or was excavated
		return k.First(), false
	case k.now.step == 0 || dt <= k.First():
		return 2 * dt, true
	case wrong > allowed:
		return 0.5 * dt, false
	case wrong > 0.25*allowed:
		return dt, true
	}
	return 2 * dt, true
}

// First returns the length of the first increment: a tenth of the time in which neighbours approach one
// another, without a pace the greatest.
func (k *Pores) First() float64 {
	if k.of == nil || !k.of.Paced || !(k.fastest > 0) {
		return math.Inf(1)
	}
	return 0.1 / k.fastest
}

// SquaredPush returns the sum of the squares of the forces of pressures on nodes [N2].
func (k *Pores) SquaredPush() (sum float64) {
	if k.of == nil {
		return 0
	}
	force := make([]r2.Vec, len(k.X))
	for t, n := range k.Mesh.Triangles {
		k.addPush(force, &n, k.tried[t])
	}
	for _, f := range force {
		sum += float64(f.X*f.X) + float64(f.Y*f.Y)
	}
	return sum
}

// stageParts are the state of a static analysis.
func (k *Pores) stageParts() []system.Part {
	return []system.Part{
		{Name: "pores.rate", Values: k.now.rate}, {Name: "pores.step", Values: &k.now.step},
		{Name: "pores.moved", Values: k.moved}, {Name: "pores.sent", Values: k.sent}, {Name: "pores.flows", Values: k.flows},
	}
}
