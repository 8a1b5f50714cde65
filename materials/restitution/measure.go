package restitution

import (
	"errors"
	"math"
)

// Measures are the four coefficients of restitution of one impact. They agree
// for a central impact without friction of two bodies that nothing else acts
// on.
type Measures struct {
	Newton  float64 // speed of separation over that of approach, eq. (41) of the review
	Poisson float64 // impulse of restitution over that of compression, eq. (42)
	Stronge float64 // root of the work given back over the work taken, eq. (43), where the root is lost
	Energy  float64 // root of the kinetic energy left over that at first, the loss being the net work
}

// Measure reads the four from the history of an impact: times [s], the normal
// force [N] and the speed of approach [m/s] (negative while separating), from
// before contact or its beginning to its end. Compression ends where the speed
// last changes from approach to separation; before that, what is given back
// counts against what is taken. Integrals go by the trapezium rule. The energy
// measure takes the mass that the impulse and the change of speed tell.
//
// It fails for slices of different lengths, times that do not increase, and a
// history without approach, compression or separation.
func Measure(time, force, speed []float64) (Measures, error) {
	n := len(time)
	if len(force) != n || len(speed) != n {
		return Measures{}, errors.New("times, forces and speeds must be equally many")
	}
	turn := -1
	for i := 1; i < n; i++ {
		if !(time[i] > time[i-1]) {
			return Measures{}, errors.New("times must increase")
		}
		if speed[i-1] > 0 && speed[i] <= 0 {
			turn = i
		}
	}
	if turn < 0 || !(speed[0] > 0) || !(speed[n-1] < 0) {
		return Measures{}, errors.New("the history must lead from approach to separation")
	}
	var taken, back, compression, restitution float64
	for i := 1; i < n; i++ {
		dt := time[i] - time[i-1]
		f0, f1, v0, v1 := force[i-1], force[i], speed[i-1], speed[i]
		if i == turn { // the speed is zero in between
			x := v0 / (v0 - v1)
			f := f0 + float64(x*(f1-f0))
			compression += float64(0.5 * x * dt * (f0 + f))
			restitution += float64(0.5 * (1 - x) * dt * (f + f1))
			taken += float64(0.5 * x * dt * f0 * v0)
			back -= float64(0.5 * (1 - x) * dt * f1 * v1)
			continue
		}
		impulse, work := float64(0.5*dt*(f0+f1)), float64(0.5*dt*(float64(f0*v0)+float64(f1*v1)))
		if i < turn {
			compression, taken = compression+impulse, taken+work
		} else {
			restitution, back = restitution+impulse, back-work
		}
	}
	if !(compression > 0 && taken > 0) {
		return Measures{}, errors.New("the history must have a force that compresses")
	}
	in, out := speed[0], -speed[n-1]
	mass := (compression + restitution) / (in + out)
	kept := 1 - float64(2*(taken-back)/(mass*in*in))
	return Measures{
		Newton:  out / in,
		Poisson: restitution / compression,
		Stronge: math.Sqrt(max(back/taken, 0)),
		Energy:  math.Sqrt(max(kept, 0)),
	}, nil
}
