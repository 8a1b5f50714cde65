package fem

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// flight is a free set of beams in leapfrog: positions at t, velocities at
// t - dt/2.
type flight struct {
	b             *Beams
	x, v, f       []r2.Vec
	theta, w, m   []float64
	mass, inertia []float64
}

func newFlight(b *Beams, x []r2.Vec, theta []float64, v []r2.Vec, w []float64) *flight {
	s := &flight{b: b, x: slices.Clone(x), v: slices.Clone(v), f: make([]r2.Vec, len(x)),
		theta: slices.Clone(theta), w: slices.Clone(w), m: make([]float64, len(x)),
		mass: make([]float64, len(x)), inertia: make([]float64, len(x))}
	b.AddMasses(s.mass, s.inertia)
	return s
}

// step advances by dt and returns the energy at the step's beginning, its
// velocities the means of the half steps around it.
func (s *flight) step(t testing.TB, dt float64) (energy float64) {
	clear(s.f)
	clear(s.m)
	if err := s.b.AddForces(s.f, s.m, s.x, s.theta); err != nil {
		t.Fatal(err)
	}
	energy = s.b.StrainEnergy(s.x, s.theta)
	for i := range s.x {
		dv, dw := r2.Scale(dt/s.mass[i], s.f[i]), dt/s.inertia[i]*s.m[i]
		energy += 0.5*s.mass[i]*r2.Norm2(r2.Add(s.v[i], r2.Scale(0.5, dv))) + 0.5*s.inertia[i]*math.Pow(s.w[i]+0.5*dw, 2)
		s.v[i], s.w[i] = r2.Add(s.v[i], dv), s.w[i]+dw
		s.x[i], s.theta[i] = r2.Add(s.x[i], r2.Scale(dt, s.v[i])), s.theta[i]+dt*s.w[i]
	}
	return energy
}

// momentum returns the linear and the angular momentum.
func (s *flight) momentum() (p r2.Vec, l float64) {
	for i := range s.x {
		p = r2.Add(p, r2.Scale(s.mass[i], s.v[i]))
		l += s.mass[i]*r2.Cross(s.x[i], s.v[i]) + s.inertia[i]*s.w[i]
	}
	return p, l
}

// spinning returns a rod that flies, spins and is bent.
func spinning(t testing.TB) (*Beams, []r2.Vec, []float64, []r2.Vec, []float64) {
	r := newRod(10, 1, 0.4, 0.3)
	b := r.beams(t, thin)
	const spin = 12 // [rad/s], 0.035 of the wave speed over the length
	x, theta := slices.Clone(r.x), make([]float64, len(r.x))
	v, w := make([]r2.Vec, len(x)), make([]float64, len(x))
	for i, q := range r.x {
		theta[i] = 0.4 * math.Cos(math.Pi*r2.Norm(q))
		if i > 0 { // unstretched
			along := r2.Vec{X: b.element[i-1].length}
			x[i] = r2.Add(x[i-1], r2.Rotate(along, 0.4+0.5*(theta[i-1]+theta[i]), r2.Vec{}))
		}
		w[i] = spin
	}
	middle := r2.Scale(0.5, x[len(x)-1])
	for i := range x {
		arm := r2.Sub(x[i], middle)
		v[i] = r2.Vec{X: 0.6 - spin*arm.Y, Y: -0.2 + spin*arm.X}
	}
	return b, x, theta, v, w
}

// A free rod that flies, spins through many turns and vibrates keeps its
// linear and angular momentum to rounding, and its energy to an error that
// falls fourfold with half a step.
func TestBeamFlight(t *testing.T) {
	const duration = 10.5 // [s], some twenty turns
	var errs []float64
	for _, part := range []float64{0.5, 0.25, 0.125} {
		b, x, theta, v, w := spinning(t)
		dt := part * 2 / math.Sqrt(b.MaxFrequencySquared(x, theta))
		s := newFlight(b, x, theta, v, w)
		p0, l0 := s.momentum()
		steps := int(duration / dt)
		first, drift, offset := 0.0, 0.0, 0.0
		least, most := math.Inf(1), 0.0 // strain energy
		early, late := 0.0, 0.0         // mean errors of the first and last tenth
		for n := range steps {
			u := b.StrainEnergy(s.x, s.theta)
			energy := s.step(t, dt)
			if n == 0 {
				first = energy
			}
			least, most = min(least, u), max(most, u)
			drift = max(drift, math.Abs(energy/first-1))
			if 10*n < steps {
				early += 10 * (energy/first - 1) / float64(steps)
			} else if 10*n >= 9*steps {
				late += 10 * (energy/first - 1) / float64(steps)
			}
			p, l := s.momentum()
			offset = max(offset, r2.Norm(r2.Sub(p, p0))/r2.Norm(p0), math.Abs(l/l0-1))
		}
		turns := (s.theta[5] - theta[5]) / (2 * math.Pi)
		t.Logf("%d steps of %.3f of the limit, %.1f turns: energy off by at most %.2e (mean of the first tenth %.1e, of the last %.1e), strain energy %.2e to %.2e of the whole, momenta off by %.1e",
			steps, part, turns, drift, early, late, least/first, most/first, offset)
		if turns < 15 {
			t.Errorf("%g turns", turns)
		}
		if offset > 1e-12 {
			t.Errorf("momenta off by %g", offset)
		}
		if most < 2*least || most < 0.03*first {
			t.Errorf("strain energy %g to %g J of %g J: no vibration to speak of", least, most, first)
		}
		errs = append(errs, drift)
	}
	if errs[0] > 1e-3 {
		t.Errorf("energy off by %g", errs[0])
	}
	for i := range 2 {
		if ratio := errs[i] / errs[i+1]; math.Abs(ratio-4) > 0.4 {
			t.Errorf("the energy's error falls %g times with half a step, want 4", ratio)
		}
	}
}

// At 0.99 of the step that MaxFrequencySquared allows a free rod is stable; at
// 1.01 of the step of its true highest frequency it is not.
func TestBeamStepBound(t *testing.T) {
	for _, section := range []Section{thin, {EA: 300, EI: 1, RhoA: 1}, {EA: 1e5, EI: 1, RhoA: 1, RhoI: 1e-5}} {
		for _, uneven := range []float64{0, 0.5} {
			r := newRod(10, 1, 0.4, uneven)
			b := r.beams(t, section)
			theta := make([]float64, len(r.x))
			v, w := random(len(r.x), 1), make([]float64, len(r.x))
			for i, q := range random(len(r.x), 2) {
				v[i], w[i] = r2.Scale(1e-6, v[i]), 1e-5*q.X
			}
			growth := func(dt float64, steps int) float64 {
				s := newFlight(b, r.x, theta, v, w)
				first, most := 0.0, 0.0
				for n := range steps {
					e := s.step(t, dt)
					if n == 0 {
						first = e
					}
					if most = max(most, e/first); most > 1e6 {
						break
					}
				}
				return most
			}
			bound, exact := b.MaxFrequencySquared(r.x, theta), highestBeam(t, b, r.x, theta)
			stable, unstable := growth(0.99*2/math.Sqrt(bound), 50000), growth(1.01*2/math.Sqrt(exact), 2000)
			t.Logf("EA %g, rotary %g, uneven %g: bound over exact frequency %.4f; energy grows %.3g times at 0.99 of the bound, %.1g at 1.01 of the exact step", section.EA, section.RhoI, uneven, math.Sqrt(bound/exact), stable, unstable)
			if stable > 60 { // a mode near the limit holds up to 1/(1 - 0.99^2) times its energy
				t.Errorf("EA %g, uneven %g: energy grows %g times", section.EA, uneven, stable)
			}
			if unstable < 1e6 {
				t.Errorf("EA %g, uneven %g: energy grows only %g times above the true limit", section.EA, uneven, unstable)
			}
		}
	}
}
