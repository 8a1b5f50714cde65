package diffusion

import (
	"math"

	"fdem/mesh"
	"fdem/solver/cholesky"

	"gonum.org/v1/gonum/spatial/r2"
)

// state is temperatures and heat at a time.
type state struct {
	at    float64   // time of heat [s]
	theta []float64 // per node: temperature above the initial one of the model [K]
	rate  []float64 // per node: its growth in the last step [K/s]; not in motion
	given []float64 // per block: heat that it has given so far [J]
	power []float64 // per block: its mean heat per time since the last time [W]
	step  float64   // length of the next step of a static analysis [s]; 0 before the first
	low   float64   // least temperature so far of anything above the initial one of the model [K]
	high  float64   // and the greatest
}

// copyFrom makes s a copy.
func (s *state) copyFrom(o *state) {
	theta, rate, given, power := s.theta, s.rate, s.given, s.power
	*s = *o
	s.theta, s.rate = append(theta[:0], o.theta...), append(rate[:0], o.rate...)
	s.given, s.power = append(given[:0], o.given...), append(power[:0], o.power...)
}

// values are the values of the blocks at an instant: what their surroundings have, and what they
// give per area or volume.
type values interface {
	ambient(block, node int32, at float64) float64 // above the initial temperature of the model [K]
	gives(block int32, at float64) float64         // [W/m2], [W/m3]
	held(block, node int32, at float64) float64
}

// move moves heat along the links and from outside for a time dt, at the temperatures next, which
// end at time to. It sets next to the temperatures that follow from the heat, except on held nodes,
// whose change of heat comes from their blocks.
func (s *state) move(k *network, v values, next, heat []float64, dt, to float64) {
	clear(heat)
	s.flow(k, v, next, heat, dt, to)
	s.settle(k, s.theta, next, heat)
}

// settle sets next to the temperatures that follow from those at the start of a step and its heat. On held
// nodes it is given; what they need for it comes from their blocks.
func (s *state) settle(k *network, start, next, heat []float64) {
	for _, n := range k.used {
		if b := k.heldBy[n]; b >= 0 {
			s.given[b] += k.gain(n, start[n], next[n]) - heat[n]
			continue
		}
		if k.capacity[n] > 0 {
			next[n] = k.warmed(n, start[n], heat[n])
		}
	}
}

// take gives heat to a node [J]. That of a held one goes to its block.
func (s *state) take(k *network, n int32, heat float64) {
	if b := k.heldBy[n]; b >= 0 {
		s.given[b] -= heat
	} else {
		s.theta[n] = k.warmed(n, s.theta[n], heat)
	}
}

// widen widens the range of temperatures.
func (s *state) widen(k *network, v values, at float64) {
	for _, n := range k.used {
		t := s.theta[n]
		if b := k.heldBy[n]; b >= 0 {
			t = v.held(b, n, at)
		}
		s.low, s.high = min(s.low, t), max(s.high, t)
	}
	for _, e := range k.outside {
		t := v.ambient(e.block, e.node, at)
		s.low, s.high = min(s.low, t), max(s.high, t)
	}
}

// explicit advances by forward Euler, in equal steps of at most longest.
func (s *state) explicit(k *network, v values, to, longest float64, w *work) {
	n := max(1, math.Ceil((to-s.at)/longest))
	from := s.at
	for i := range int(n) {
		dt := (to - from) / n
		s.at = from + float64(float64(i+1)*dt)
		next := w.next[:len(s.theta)]
		copy(next, s.theta)
		w.start(k, next)
		for _, n := range k.used {
			if b := k.heldBy[n]; b >= 0 {
				w.after[n] = v.held(b, n, s.at)
			}
		}
		s.move(k, v, next, w.heat, dt, s.at)
		s.keep(k, w, next)
		if w.joins != nil {
			w.joins(s)
		}
	}
	s.at = to
}

// keep makes the temperatures those after a step. Held nodes get the value that they have after it.
func (s *state) keep(k *network, w *work, next []float64) {
	for _, n := range k.used {
		if b := k.heldBy[n]; b >= 0 {
			s.given[b] += k.gain(n, next[n], w.after[n])
			next[n] = w.after[n]
		}
	}
	copy(s.theta, next)
}

// cheaper is the number of explicit steps up to which they cost less than an implicit one, whose two solutions
// cost as much as 6 of them in 1,300 nodes, 9 in 19,000 and 15 in 75,000, its factor not counted.
const cheaper = 8

// substeps sets next to the temperatures after a time dt in a number of equal steps by Heun's method: explicit
// and of second order. Steps up to 2/fastest keep temperatures within the range of their causes.
func (s *state) substeps(k *network, v values, w *work, next []float64, number int, dt float64) {
	copy(next, s.theta)
	w.start(k, next)
	start, half := w.after, 0.5*dt/float64(number)
	for i := range number {
		from, to := s.at+dt*float64(i)/float64(number), s.at+dt*float64(i+1)/float64(number)
		copy(start, next)
		copy(w.predicted, next)
		clear(w.heat)
		k.setHeld(v, w.predicted, from)
		s.flow(k, v, w.predicted, w.heat, half, from)
		for _, n := range k.used {
			if k.heldBy[n] < 0 && k.capacity[n] > 0 {
				w.predicted[n] = k.warmed(n, start[n], 2*w.heat[n])
			}
		}
		k.setHeld(v, w.predicted, to)
		s.flow(k, v, w.predicted, w.heat, half, to)
		k.setHeld(v, next, to)
		s.settle(k, start, next, w.heat)
	}
}

// setHeld sets the temperatures of held nodes to those at a time.
func (k *network) setHeld(v values, theta []float64, at float64) {
	for _, n := range k.used {
		if b := k.heldBy[n]; b >= 0 {
			theta[n] = v.held(b, n, at)
		}
	}
}

// work has the arrays of a step and the linear solver.
type work struct {
	joins func(s *state) // after each explicit step; nil for none

	next, heat, after []float64
	predicted         []float64 // see substeps
	before            []float64
	lacks             []float64 // per node: power besides that of links and blocks; nil for none
	x0                []r2.Vec
	number            []int32 // per node: its unknown, -1 for held nodes and those without triangles
	unknowns          []int32 // the node of each
	matrix            *cholesky.Matrix
	diagonal          []int // per unknown: its place in the matrix
	entries           []int // per link: its place above and below the diagonal, -1 for none
	linear            *cholesky.Solver
	b, x, size        []float64
	made              int     // number of patterns made
	most              float64 // greatest correction of temperatures so far in the advance [K]
	factored          float64 // 1/dt of the factor; -1 for none
}

// start makes room for the nodes.
func (w *work) start(k *network, next []float64) {
	if len(w.heat) != len(next) {
		w.heat, w.after, w.predicted = make([]float64, len(next)), make([]float64, len(next)), make([]float64, len(next))
	}
}

// pattern makes the pattern of the matrix of a network.
func (w *work) pattern(k *network, x []r2.Vec, steady bool) {
	w.number, w.unknowns = make([]int32, len(k.capacity)), w.unknowns[:0]
	for i := range w.number {
		w.number[i] = -1
	}
	var alone []bool // bodies that are not in contact yet keep their temperatures
	if steady {
		alone = k.isolated(nil)
	}
	for _, n := range k.used {
		if k.unknown(n, steady) && !(steady && alone[n]) {
			w.number[n] = int32(len(w.unknowns))
			w.unknowns = append(w.unknowns, n)
		}
	}
	count := len(w.unknowns)
	row := make([]int, count+1)
	for i := range count {
		row[i+1] = 1
	}
	each := func(do func(at int, a, b int32)) {
		for i, l := range k.links {
			if a, b := w.number[l.a], w.number[l.b]; a >= 0 && b >= 0 {
				do(i, a, b)
			}
		}
	}
	each(func(_ int, a, b int32) { row[a+1]++; row[b+1]++ })
	for i := range count {
		row[i+1] += row[i]
	}
	column := make([]int, row[count])
	fill := append([]int(nil), row...)
	put := func(i, j int32) { column[fill[i]] = int(j); fill[i]++ }
	each(func(_ int, a, b int32) { put(b, a) }) // lower triangle: a < b, as unknowns and links ascend
	for i := range count {
		put(int32(i), int32(i))
	}
	each(func(_ int, a, b int32) { put(a, b) })
	w.made++
	w.matrix = cholesky.NewMatrix(row, column, w.made, int64(w.made))
	w.diagonal, w.entries = make([]int, count), make([]int, 2*len(k.links))
	for i := range w.diagonal {
		w.diagonal[i] = w.matrix.At(int32(i), int32(i))
	}
	for i := range w.entries {
		w.entries[i] = -1
	}
	each(func(at int, a, b int32) { w.entries[2*at], w.entries[2*at+1] = w.matrix.At(a, b), w.matrix.At(b, a) })
	positions := make([]r2.Vec, count)
	for i, n := range w.unknowns {
		positions[i] = x[n]
	}
	w.linear = cholesky.New(positions, mesh.NarrowRows, &cholesky.Kept{})
	w.linear.Cheap, w.linear.Accuracy = math.Inf(1), 1e-11
	w.b, w.x, w.size = make([]float64, count), make([]float64, count), make([]float64, count)
	for i := range w.size {
		w.size[i] = 1
	}
	w.factored = -1
}

// factorise makes the factor of C/dt and the conductances, of what depends on the temperature at theta; over
// is 1/dt, 0 for a steady state. It returns false if that has none.
func (w *work) factorise(k *network, over float64, theta []float64) bool {
	if w.factored == over && k.varies == nil {
		return true
	}
	data := w.matrix.Data
	clear(data)
	for i, n := range w.unknowns {
		data[w.diagonal[i]] += float64(over * k.capacity[n])
	}
	for i, l := range k.links {
		g := l.g + float64(over*l.s)
		for _, n := range [2]int32{l.a, l.b} {
			if u := w.number[n]; u >= 0 {
				data[w.diagonal[u]] += g
			}
		}
		if at := w.entries[2*i]; at >= 0 {
			data[at] -= g
			data[w.entries[2*i+1]] -= g
		}
	}
	for _, e := range k.outside {
		if u := w.number[e.node]; u >= 0 && !e.shut {
			data[w.diagonal[u]] += e.g
		}
	}
	w.addVarying(k.varies, over, theta)
	w.factored = over
	return w.linear.Prepare(w.matrix, w.size)
}

// addVarying adds the leads and stores at temperatures theta to a matrix: the mean conductivity between two
// nodes, with which it is symmetric.
func (w *work) addVarying(k *varying, over float64, theta []float64) {
	if k == nil {
		return
	}
	data := w.matrix.Data
	for i := range k.stores {
		s := &k.stores[i]
		if u := w.number[s.node]; u >= 0 {
			data[w.diagonal[u]] += float64(over * s.volume * (s.of.Capacities.At(k.reference+theta[s.node]) - s.of.Capacity))
		}
	}
	for i := range k.leads {
		l := &k.leads[i]
		g, from, to := 0.0, theta[l.a], theta[l.b]
		if from == to {
			g = float64(l.unit * (l.of.Conductivity.At(k.reference+from) - l.of.XX))
		} else {
			g = k.push(l, theta) / (to - from)
		}
		a, b := w.number[l.a], w.number[l.b]
		for _, u := range [2]int32{a, b} {
			if u >= 0 {
				data[w.diagonal[u]] += g
			}
		}
		if a >= 0 && b >= 0 {
			data[w.matrix.At(a, b)] -= g
			data[w.matrix.At(b, a)] -= g
		}
	}
}

// addResidual adds to the right side what flows along the leads at the temperatures next, and takes away what nodes
// have taken up since the start of a step.
func (w *work) addResidual(k *network, start, next []float64) {
	for i := range k.varies.leads {
		l := &k.varies.leads[i]
		q := k.varies.push(l, next)
		if u := w.number[l.a]; u >= 0 {
			w.b[u] += q
		}
		if u := w.number[l.b]; u >= 0 {
			w.b[u] -= q
		}
	}
	if w.factored == 0 { // steady
		return
	}
	for i, node := range w.unknowns {
		if next[node] != start[node] {
			w.b[i] -= float64(w.factored * k.gain(node, start[node], next[node]))
		}
	}
}

// solve sets next to the temperatures at time to by backward Euler from others at its start; the
// factor says the length of the step. What depends on the temperature makes it a modified Newton method with this
// factor, which returns false if that does not converge.
func (w *work) solve(k *network, v values, start, next []float64, to float64) bool {
	copy(next, start)
	for _, n := range k.used {
		if b := k.heldBy[n]; b >= 0 {
			next[n] = v.held(b, n, to)
		}
	}
	if k.varies == nil {
		clear(w.b)
		w.correct(k, v, next, to)
		return true
	}
	for range maxCorrections {
		clear(w.b)
		w.addResidual(k, start, next)
		change := w.correct(k, v, next, to)
		if w.most = max(w.most, change); change <= float64(corrected*w.most)+float64(8*epsilon*largest(next)) {
			return true
		}
		if w.factored == 0 { // with a factor at each of them
			return false
		}
	}
	return false
}

const (
	// corrected is the last correction of temperatures relative to the greatest so far. What is left of it moves
	// no heat that the balance does not have.
	corrected = 1e-9
	// maxCorrections is the number of them after which a step is cut, or given up where they are steady.
	maxCorrections = 40
)

// correct moves the temperatures next by the solution for what flows at them at time to, and for what w.b
// has in addition. It returns the greatest correction.
func (w *work) correct(k *network, v values, next []float64, to float64) float64 {
	// for the change from the present temperatures, whose rounding is smaller
	for _, l := range k.links {
		q := float64(l.g * (next[l.b] - next[l.a]))
		if u := w.number[l.a]; u >= 0 {
			w.b[u] += q
		}
		if u := w.number[l.b]; u >= 0 {
			w.b[u] -= q
		}
	}
	for _, e := range k.outside {
		if u := w.number[e.node]; u >= 0 && !e.shut {
			w.b[u] += float64(e.g * (v.ambient(e.block, e.node, to) - next[e.node]))
		}
	}
	for _, e := range k.inputs {
		if u := w.number[e.node]; u >= 0 {
			w.b[u] += float64(e.size * v.gives(e.block, to))
		}
	}
	for i, n := range w.unknowns {
		if w.lacks != nil {
			w.b[i] += w.lacks[n]
		}
	}
	if largest(w.b) == 0 {
		return 0
	}
	w.linear.Solve(w.matrix, w.x, w.b)
	for i, n := range w.unknowns {
		next[n] += w.x[i]
	}
	return largest(w.x)
}

// largest returns the greatest size of some values.
func largest(of []float64) (most float64) {
	for _, v := range of {
		most = max(most, math.Abs(v))
	}
	return most
}

const (
	// accuracy is the greatest difference, relative to the range of temperatures, between the change
	// of a temperature in an implicit step and that which its last rate would give, halved. It is about
	// the error that backward Euler would have.
	accuracy = 1e-3
	// shortest is the least implicit step relative to the time in which neighbours approach one another.
	shortest = 1e-4
)

// gamma is the part of a step that each of its two stages takes.
const gamma = 1 - 0.5*math.Sqrt2

// advance advances to a time by the method of two stages of Alexander (SIAM J. Numer. Anal. 14, 1977), which is
// L-stable and of second order, with one matrix for both, or explicitly where that is cheaper. Steps become shorter
// where temperatures change other than evenly. So temperatures leave the range of their causes by less than a fifth
// of the accuracy: what a step damps beyond zero is small in it. It returns false if the matrix has no factor.
func (s *state) advance(k *network, v values, to float64, w *work, x []r2.Vec) bool {
	fastest := k.fastest()
	least := shortest / fastest
	if !(fastest > 0) {
		least = to - s.at
	}
	if s.step == 0 {
		s.step = 100 * least
	}
	w.most = s.high - s.low
	next := w.next[:len(s.theta)]
	w.start(k, next)
	given := append([]float64(nil), s.given...)
	for s.at < to {
		dt, end := s.length(to)
		s.widen(k, v, end)
		copy(given, s.given)
		converged := true
		if parts := math.Ceil(dt * fastest); parts <= cheaper {
			s.substeps(k, v, w, next, int(max(1, parts)), dt)
		} else {
			if !w.prepare(k, x, dt, s.theta) {
				return false
			}
			converged = s.stages(k, v, w, next, dt, end)
		}
		if !converged && dt > least {
			s.step = 0.5 * dt
			copy(s.given, given)
			continue
		}
		wrong := 0.0
		for _, n := range k.used {
			if k.unknown(n, false) {
				wrong = max(wrong, math.Abs(0.5*(next[n]-s.theta[n]-float64(dt*s.rate[n]))))
			}
		}
		allowed := accuracy * (s.high - s.low)
		if wrong > allowed && dt > least {
			s.step = 0.5 * dt
			copy(s.given, given)
			continue
		}
		for _, n := range k.used {
			s.rate[n] = (next[n] - s.theta[n]) / dt
		}
		copy(s.theta, next)
		s.at = end
		if wrong < 0.25*allowed && dt >= s.step {
			s.step *= 2
		}
	}
	return true
}

// prepare makes the factor for a step of two stages. It returns false if that has none.
func (w *work) prepare(k *network, x []r2.Vec, dt float64, theta []float64) bool {
	if w.matrix == nil {
		w.pattern(k, x, false)
	}
	return w.factorise(k, rounded(1/float64(gamma*dt)), theta)
}

// rounded rounds to 30 bits. Steps of the same length but for rounding share a factor by it; what it changes of a
// temperature moves no heat that the balance does not have.
func rounded(v float64) float64 {
	const dropped = 52 - 30
	return math.Float64frombits((math.Float64bits(v) + 1<<(dropped-1)) &^ (1<<dropped - 1))
}

// length returns the length of the next step towards a time, and its end. The last one or two steps
// divide what is left.
func (s *state) length(to float64) (dt, end float64) {
	switch left := to - s.at; {
	case left < 1.5*s.step:
		return left, to
	case left < 2.5*s.step:
		dt = 0.5 * left
	default:
		dt = s.step
	}
	return dt, s.at + dt
}

// stages sets next to the temperatures after a step. It returns false if a stage does not converge.
func (s *state) stages(k *network, v values, w *work, next []float64, dt, end float64) bool {
	first := s.at + float64(gamma*dt)
	converged := w.solve(k, v, s.theta, next, first)
	clear(w.heat)
	s.flow(k, v, next, w.heat, float64((1-gamma)*dt), first)
	for _, n := range k.used {
		w.after[n] = k.further(n, s.theta[n], next[n], (1-gamma)/gamma)
	}
	converged = w.solve(k, v, w.after, next, end) && converged
	s.flow(k, v, next, w.heat, float64(gamma*dt), end)
	s.settle(k, s.theta, next, w.heat)
	return converged
}

// steady sets the temperatures to those that do not change any more. It returns false if the matrix
// has no factor.
func (s *state) steady(k *network, v values, to float64, w *work, x []r2.Vec) bool {
	if w.matrix == nil {
		w.pattern(k, x, true)
	}
	next := w.next[:len(s.theta)]
	w.start(k, next)
	s.widen(k, v, to)
	w.most = s.high - s.low
	for turn, done := 0, false; !done; turn++ {
		if turn == maxCorrections || !w.factorise(k, 0, s.theta) {
			return false
		}
		done = w.solve(k, v, s.theta, next, to)
		copy(s.theta, next)
	}
	clear(w.heat)
	s.flow(k, v, next, w.heat, to-s.at, to)
	for _, n := range k.used {
		if b := k.heldBy[n]; b >= 0 {
			s.given[b] -= w.heat[n]
		}
	}
	s.at = to
	return true
}

// flow adds to heat what each node gets in a time dt at the temperatures next, from its neighbours
// and from outside at time to, and what blocks give.
func (s *state) flow(k *network, v values, next, heat []float64, dt, to float64) {
	for i := range k.links {
		l := &k.links[i]
		q := float64(dt * l.g * (next[l.b] - next[l.a]))
		heat[l.a] += q
		heat[l.b] -= q
	}
	k.varies.flow(next, heat, dt)
	for _, e := range k.outside {
		if e.shut {
			continue
		}
		q := float64(dt * e.g * (v.ambient(e.block, e.node, to) - next[e.node]))
		heat[e.node] += q
		s.given[e.block] += q
	}
	for _, e := range k.inputs {
		q := float64(dt * e.size * v.gives(e.block, to))
		heat[e.node] += q
		s.given[e.block] += q
	}
}
