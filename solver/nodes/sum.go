package nodes

import (
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// sums adds up leaves of nodes on several workers, see elementary.Tree.
type sums struct {
	leaf    []elementary.Terms
	of      func(leaf int32, sum *elementary.Terms)
	ofNodes func(from, to int32, sum *elementary.Terms)
	workers int
	run     func(do func(worker int))
	fold    func(leaf []elementary.Terms) elementary.Terms // with the sums of other processes; nil for one process
	own     func(count int) (from, to int)
	from    int // range of the present leaves
	to      int
	doShare func(worker int) // sumLeaves and others, made once
	doNodes func(leaf int32, sum *elementary.Terms)

	doKinetic, doStepMotion, doWeight, doPower func(from, to int32, sum *elementary.Terms)
	doPowers                                   func(leaf int32, sum *elementary.Terms)
}

// fewLeaves is the number of leaves up to which one worker adds them.
const fewLeaves = 64

// Share sets n workers for sums. run calls its argument with 0...n-1 and returns when all
// calls have returned.
func (f *Field) Share(n int, run func(do func(worker int))) { f.sums.workers, f.sums.run = n, run }

// ShareLeaves divides sums among processes. own returns which of a number of leaves this
// process adds, and fold returns the sums over all leaves. Leaves are those of nodes, or of
// values that belong to nodes.
func (f *Field) ShareLeaves(own func(count int) (from, to int), fold func(leaf []elementary.Terms) elementary.Terms) {
	f.sums.own, f.sums.fold = own, fold
}

// Leaves returns sums over a number of leaves. The function adds the terms of one
// leaf.
func (f *Field) Leaves(count int, of func(leaf int32, sum *elementary.Terms)) elementary.Terms {
	w := &f.sums
	if cap(w.leaf) < count {
		w.leaf = make([]elementary.Terms, count)
	}
	w.leaf, w.of, w.from, w.to = w.leaf[:count], of, 0, count
	if w.own != nil {
		w.from, w.to = w.own(count)
	}
	clear(w.leaf)
	if w.workers > 1 && w.to-w.from >= fewLeaves {
		w.run(w.doShare)
	} else {
		for i := w.from; i < w.to; i++ {
			of(int32(i), &w.leaf[i])
		}
	}
	w.of = nil // it may keep much memory alive
	if w.fold != nil {
		return w.fold(w.leaf)
	}
	return elementary.Fold(w.leaf)
}

// sumLeaves is one worker's part of Leaves.
func (f *Field) sumLeaves(worker int) {
	w := &f.sums
	n := w.to - w.from
	for i := w.from + worker*n/w.workers; i < w.from+(worker+1)*n/w.workers; i++ {
		w.of(int32(i), &w.leaf[i])
	}
}

// Sum returns sums over all nodes that can have mass. The function adds the terms of the
// nodes [from, to), which are in one leaf.
func (f *Field) Sum(of func(from, to int32, sum *elementary.Terms)) elementary.Terms {
	w := &f.sums
	w.ofNodes = of
	sum := f.Leaves((len(f.X)+elementary.Leaf-1)/elementary.Leaf, w.doNodes)
	w.ofNodes = nil
	return sum
}

// addNodes adds the nodes of a leaf.
func (f *Field) addNodes(leaf int32, sum *elementary.Terms) {
	first := leaf * elementary.Leaf
	f.elements.InUseOf(first, min(first+elementary.Leaf, int32(len(f.X))), func(from, to int32) bool {
		f.sums.ofNodes(from, to, sum)
		return true
	})
}

// Kinetic returns the kinetic energy of the nodes' motion along x and y at Time [J], and the
// sum of the squares of their forces over eight times the masses [J/s2].
func (f *Field) Kinetic() (energy, kick float64) {
	if f.ready != nil {
		f.ready()
	}
	sum := f.Sum(f.sums.doKinetic)
	return sum[0], sum[1]
}

func (f *Field) addKinetic(from, to int32, sum *elementary.Terms) {
	for i := from; i < to; i++ {
		if m := f.Mass[i]; m != 0 {
			v, g, w := f.NodeVelocity(Node(i)), f.Motion.Force(int(i)), f.Inverse(i)
			sum[0] += float64(0.5 * m * (float64(v.X*v.X) + float64(v.Y*v.Y)))
			sum[1] += float64(0.125 * (float64(w.X*g.X*g.X) + float64(w.Y*g.Y*g.Y)))
		}
	}
}

// StepMotion returns the kinetic energy [J] and the sum of mass times speed [kg m/s]
// with the velocities of the last step, and the mass of all nodes [kg].
func (f *Field) StepMotion() (kinetic, momentum, mass float64) {
	sum := f.Sum(f.sums.doStepMotion)
	return sum[0], sum[1], sum[2]
}

func (f *Field) addStepMotion(from, to int32, sum *elementary.Terms) {
	for i := from; i < to; i++ {
		if m := f.Mass[i]; m != 0 {
			v := f.V[i]
			sum[0] += float64(0.5 * m * (float64(v.X*v.X) + float64(v.Y*v.Y)))
			sum[1] += float64(m * elementary.Norm(v))
			sum[2] += m
		}
	}
}

// Power returns the power of the damping forces on the velocities of the nodes before they
// are moved [W].
func (f *Field) Power() float64 { return f.Sum(f.sums.doPower)[0] }

func (f *Field) addPower(from, to int32, sum *elementary.Terms) { sum[0] += f.Motion.Power(from, to) }

// Powers returns the power of the damping forces on the velocities of the nodes before their
// last move, and on those after it [W].
func (f *Field) Powers() (given, taken float64) {
	sum := f.Leaves(len(f.Motion.Powers), f.sums.doPowers)
	return sum[0], sum[1]
}

func (f *Field) addPowers(leaf int32, sum *elementary.Terms) {
	p := &f.Motion.Powers[leaf]
	sum[0], sum[1] = p.Given, p.Taken
}

// Weight is the mass of nodes or bodies, and the work of a constant gravity.
type Weight struct {
	Mass    float64 // [kg]
	Moved   r2.Vec  // sum of mass times displacement since the start [kg m]
	In, Out float64 // positive and negative work [J]
}

// Add adds a mass [kg] with a displacement [m] in a gravity [m/s2].
func (w *Weight) Add(mass float64, displacement, gravity r2.Vec) {
	x, y := float64(mass*displacement.X), float64(mass*displacement.Y)
	w.Mass += mass
	w.Moved.X += x
	w.Moved.Y += y
	work := float64(gravity.X*x) + float64(gravity.Y*y)
	w.In += max(work, 0)
	w.Out += max(-work, 0)
}

// Weight returns the mass of the nodes and the work of gravity on them.
func (f *Field) Weight() Weight {
	sum := f.Sum(f.sums.doWeight)
	return Weight{Mass: sum[0], Moved: r2.Vec{X: sum[1], Y: sum[2]}, In: sum[3], Out: sum[4]}
}

func (f *Field) addWeight(from, to int32, sum *elementary.Terms) {
	var w Weight
	for i := from; i < to; i++ {
		if m := f.Mass[i]; m != 0 {
			x, x0 := f.X[i], f.mesh.X[i]
			w.Add(m, r2.Vec{X: x.X - x0.X, Y: x.Y - x0.Y}, f.Motion.Gravity)
		}
	}
	for i, v := range [...]float64{w.Mass, w.Moved.X, w.Moved.Y, w.In, w.Out} {
		sum[i] += v
	}
}
