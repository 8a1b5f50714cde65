// Package atrest ends a run when nothing moves any more (until = "rest"): when nothing has moved by
// more than restMoves of the greatest root mean square displacement of all nodes so far, within restSpan
// of the time so far. What goes on like this for as long again changes its path by 2e-4. What turns
// round is slow, too, but goes further: a body at its highest point by 2.5e-3 of its path within a tenth
// of the time to there. Vibrations smaller than restMoves do not count as motion.
package atrest

import (
	"math"

	"fdem/materials/elementary"
	"fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/particles"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

const (
	restMoves = 2e-5
	restFloor = 1e-9 // or relative to the size of the model, whichever is more
	restSpan  = 0.1
	restAgain = 0.01 // part of the time so far after which what has moved is looked at anew
	restLook  = 20   // steps from look to look
	restSteps = 100  // least number of steps at rest
)

// Watch is the watch for rest. Its numbers are State.
type Watch struct {
	system.Idle
	system.View
	until     *model.UntilRest // nil to run until Duration
	spheres   *particles.Balls
	updateAll func()

	since   float64   // when the present span began [s]
	step    float64   // the step at that time
	path    float64   // greatest root mean square displacement so far [m]
	moving  float64   // nodes and particles that have moved in the span
	was     []float64 // at its begin: x and y of each node [m], then x, y and angle of each particle
	size    float64   // of the model [m]
	doPath  func(from, to int32, sum *elementary.Terms)
	doMoved func(from, to int32, sum *elementary.Terms)
}

// New prepares the watch. updateAll makes the positions of all nodes known to all processes.
func New(of system.View, until *model.UntilRest, spheres *particles.Balls, updateAll func()) *Watch {
	k := &Watch{View: of, until: until, spheres: spheres, updateAll: updateAll}
	if k.Empty() {
		return k
	}
	k.doPath, k.doMoved = k.addPath, k.addMoved
	lo, hi := r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, x := range append(k.Mesh.X[:len(k.Mesh.X):len(k.Mesh.X)], k.Model.Particles.X...) {
		lo, hi = r2.Vec{X: min(lo.X, x.X), Y: min(lo.Y, x.Y)}, r2.Vec{X: max(hi.X, x.X), Y: max(hi.Y, x.Y)}
	}
	k.size = max(hi.X-lo.X, hi.Y-lo.Y)
	return k
}

// Name is its name in the profile of a run.
func (k *Watch) Name() string { return "rest" }

// Empty tells whether the run goes on until Duration.
func (k *Watch) Empty() bool { return k.until == nil }

// NodesRead lists no node: each is looked at by the process that moves it.
func (k *Watch) NodesRead(func(n int32)) bool { return true }

// StateParts lists the span and the positions at its begin.
func (k *Watch) StateParts() []system.Part {
	return []system.Part{
		{Name: "rest.since", Values: &k.since}, {Name: "rest.step", Values: &k.step}, {Name: "rest.path", Values: &k.path}, {Name: "rest.moving", Values: &k.moving},
		{Name: "rest.positions", Values: &k.was},
	}
}

// Look looks from time to time whether everything is at rest, and ends the run if it has been.
func (k *Watch) Look() {
	if k.Empty() || k.N%restLook != 0 || k.AtRest > 0 || k.Time < k.until.From {
		return
	}
	moved := k.moved()
	if k.moving = max(k.moving, moved); k.moving > 0 {
		if k.Time-k.since >= restAgain*k.Time {
			k.begin()
		}
		return
	}
	if k.Time-k.since >= restSpan*k.Time && float64(k.N)-k.step >= restSteps {
		k.AtRest = k.Time
		k.Note("at rest at t = %.6g s: nothing has moved by more than %.3g m since %.6g s", k.Time, k.limit(), k.since)
	}
}

// begin begins a span.
func (k *Watch) begin() {
	k.updateAll()
	k.since, k.step, k.moving = k.Time, float64(k.N), 0
	k.was = k.was[:0]
	for _, x := range k.X {
		k.was = append(k.was, x.X, x.Y)
	}
	for i := range k.Model.Particles.X {
		p := k.spheres
		k.was = append(k.was, p.X[i].X, p.X[i].Y, p.Angle[i])
	}
}

// limit returns the motion that counts as none [m].
func (k *Watch) limit() float64 { return max(restMoves*k.path, restFloor*k.size) }

// moved returns the number of nodes and particles that have moved in this span.
func (k *Watch) moved() float64 {
	p, particles := k.spheres, k.Model.Particles.X
	sum := k.Sum(k.doPath)
	for i, start := range particles {
		d := r2.Sub(p.X[i], start)
		sum[0] += elementary.Dot(d, d)
		sum[1]++
	}
	k.path = max(k.path, math.Sqrt(sum[0]/sum[1])) // also at the first look, which a resumed run repeats
	if len(k.was) != 2*len(k.X)+3*len(particles) { // the first look, and after cracks
		return float64(len(k.X))
	}
	moved, limit := k.Sum(k.doMoved)[0], k.limit()
	for i := range particles {
		was := k.was[2*len(k.X)+3*i:]
		if elementary.Norm(r2.Sub(p.X[i], r2.Vec{X: was[0], Y: was[1]}))+math.Abs(float64(p.Radius[i]*(p.Angle[i]-was[2]))) > limit {
			moved++
		}
	}
	return moved
}

// addPath adds the squares of the displacements of the nodes [from, to), and their number.
func (k *Watch) addPath(from, to int32, sum *elementary.Terms) {
	for n := from; n < to; n++ {
		d := r2.Sub(k.X[n], k.Mesh.X[k.VertexOf(nodes.Node(n))])
		sum[0] += elementary.Dot(d, d)
		sum[1]++
	}
}

// addMoved counts those that have moved in this span.
func (k *Watch) addMoved(from, to int32, sum *elementary.Terms) {
	limit := k.limit()
	limit *= limit
	for n := from; n < to; n++ {
		d := r2.Sub(k.X[n], r2.Vec{X: k.was[2*n], Y: k.was[2*n+1]})
		if elementary.Dot(d, d) > limit {
			sum[0]++
		}
	}
}

// Wake lets a run go on that has come to rest, since its model or its end has changed.
func (k *Watch) Wake() { k.AtRest, k.since, k.step = 0, k.Time, float64(k.N) }

// End warns at the end of a run that has not come to rest.
func (k *Watch) End() {
	if !k.Empty() && k.AtRest == 0 && !math.IsInf(k.until.From, 1) {
		k.Note("warning: not at rest after %.6g s: %.0f nodes and particles have moved by more than %.3g m since %.6g s", k.Time, k.moved(), k.limit(), k.since)
	}
}
