package diffusion

import "math"

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
