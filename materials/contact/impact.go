package contact

import (
	"fmt"
	"math"

	"fdem/materials/elementary"
)

// Collision is the result of one central impact, from first contact to
// separation.
type Collision struct {
	Restitution   float64 // speed of separation over speed of approach [1]
	Duration      float64 // [s] from first contact until the force is zero for good
	MaxForce      float64 // [N]
	MaxDeflection float64 // [m]
	Dissipated    float64 // [J] work done on the contact, less Recoverable
	Recoverable   float64 // [J] energy that the contact still stores at separation
}

// Impact integrates M d" = -F(d, d'), the impact of an effective mass M [kg]
// with the given speed [m/s] on a virgin contact, until the deflection is back
// at zero. law must be a point law.
//
// The steps are those of Dormand and Prince's pair of orders 5 and 4 (J. Comput.
// Appl. Math. 6, 1980), each held to 1e-10 of the speed, the deflection and the
// energy. Steps end exactly where the motion reverses, where the force becomes
// zero and at separation, so that a law's memory is updated at these points.
//
// It fails for a mass or speed that is not positive, and for a law without
// separation: one without force, or a damper that creeps back to zero.
func Impact(law Law, mass, speed float64) (Collision, error) {
	if !(mass > 0) || !(speed > 0) || math.IsInf(mass, 0) || math.IsInf(speed, 0) {
		return Collision{}, fmt.Errorf("an impact needs a positive mass and speed, got %g kg and %g m/s", mass, speed)
	}
	s := &impact{law: law, mass: mass, speed: speed, energy: 0.5 * mass * speed * speed}
	size := len(law.Memory())
	before, a, b, scratch := &moment{}, &moment{v: speed}, &moment{}, &moment{}
	for _, m := range []*moment{before, a, b, scratch} {
		m.memory = make([]float64, size)
	}
	a.force = s.force(0, speed, a.memory, a.memory)
	out := Collision{MaxForce: a.force}
	gone := 0.0           // time at which the force last became zero
	h, last := 1e-12, 0.0 // this step and the one before [s]
	const most = 20000    // steps; an ordinary impact takes about 100
	for range most {
		off := s.step(a, h, b)
		if !(off <= 1) {
			h *= max(0.1, 0.9*elementary.Pow(off, -0.2)) // 0.1 for off = NaN
			continue
		}
		grown := h * min(4, 0.9*elementary.Pow(max(off, 1e-10), -0.2))
		turned, ceased := a.v > 0 && b.v <= 0, a.force != 0 && b.force == 0
		switch {
		case turned:
			h = s.until(a, h, b, func() (float64, float64) { return b.v, -b.force / mass })
			b.v = 0
			out.MaxDeflection = max(out.MaxDeflection, b.d)
		case ceased && b.v < 0:
			h = s.until(a, h, b, func() (float64, float64) {
				if b.force == 0 {
					return 0, 0
				}
				return 1, 0
			})
			gone = b.t
		}
		separated := b.d <= 0
		if separated && !ceased {
			h = s.until(a, h, b, func() (float64, float64) { return b.d, b.v })
		}
		out.MaxForce = max(out.MaxForce, b.force)
		s.deepest = max(s.deepest, b.d)
		if a.force >= before.force && a.force > b.force && a.force == out.MaxForce && last > 0 {
			out.MaxForce = max(out.MaxForce, s.peak(before, last+h, scratch))
		}
		if separated && -b.v <= 1e-9*speed {
			a = b
			break // it creeps back: the force is below the allowed error
		}
		if separated {
			s.force(b.d, b.v, b.memory, scratch.memory)
			out.Recoverable = s.stored
			out.Dissipated = b.work - s.stored
			out.Restitution = -b.v / speed
			out.Duration = b.t
			if b.force == 0 {
				out.Duration = gone
			}
			return out, nil
		}
		before, a, b = a, b, before
		h, last = grown, h
	}
	return Collision{}, fmt.Errorf("the impact at %g m/s does not end: after %.4g s the deflection is %.4g m and changes by %.4g m/s", speed, a.t, a.d, a.v)
}

// moment is a state of the impact.
type moment struct {
	t, d, v float64 // [s], [m], [m/s]
	work    float64 // done on the contact so far [J]
	force   float64 // [N]
	memory  []float64
}

// impact is a law in an impact, with the scales of the errors.
type impact struct {
	law                   Law
	mass, speed, energy   float64
	deepest               float64 // so far [m]
	stored                float64 // at the last evaluation [J]
	at, rate, p, dp, k, w [1]float64
}

// force evaluates the law with the memory, and sets next to the next memory. A
// deflection that is not positive counts as a very small one, so that no force
// jumps inside a step.
func (s *impact) force(d, v float64, memory, next []float64) float64 {
	const tiny = 1e-150 // [m]; its power 3/2 is not yet zero in floating point
	s.at[0], s.rate[0] = max(d, tiny), v
	s.law.Eval(Input{s.at[:], s.rate[:], memory}, Output{s.p[:], s.dp[:], s.k[:], s.w[:], next})
	s.stored = s.w[0]
	return s.p[0]
}

// The pair of Dormand and Prince: for each stage the weights of the stages
// before, of which the last is the solution of order 5, and the weights of the
// error against order 4.
var (
	stageWeights = [7][6]float64{
		{},
		{1.0 / 5},
		{3.0 / 40, 9.0 / 40},
		{44.0 / 45, -56.0 / 15, 32.0 / 9},
		{19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
		{9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
		{35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
	}
	errorWeights = [7]float64{71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40}
)

// step goes from a to b in the time h and returns the error over the allowed
// one. Every stage evaluates the law with the memory at a, since a law goes
// directly from its committed memory to the new deflection.
func (s *impact) step(a *moment, h float64, b *moment) (off float64) {
	var slopes [7][3]float64 // of deflection, speed and work
	d, v, f := a.d, a.v, a.force
	for i := range 7 {
		if i > 0 {
			var sum [3]float64
			for j := range i {
				w := stageWeights[i][j]
				for c := range sum {
					sum[c] += float64(w * slopes[j][c])
				}
			}
			d, v = a.d+float64(h*sum[0]), a.v+float64(h*sum[1])
			b.work = a.work + float64(h*sum[2])
			f = s.force(d, v, a.memory, b.memory)
		}
		slopes[i] = [3]float64{v, -f / s.mass, f * v}
	}
	b.t, b.d, b.v, b.force = a.t+h, d, v, f
	var err [3]float64
	for i, w := range errorWeights {
		for c := range err {
			err[c] += float64(w * slopes[i][c])
		}
	}
	const allowed = 1e-10
	depth := max(s.deepest, math.Abs(d))
	return h / allowed * max(math.Abs(err[0])/depth, math.Abs(err[1])/s.speed, math.Abs(err[2])/s.energy)
}

// until shortens the step from a so that it ends at b where left, which is
// positive at a, has just become zero, and returns the step's length. left also
// returns its slope in time. With a slope of 0 the step is halved instead.
func (s *impact) until(a *moment, h float64, b *moment, left func() (value, slope float64)) float64 {
	low, high := 0.0, h
	for x := h; ; s.step(a, x, b) {
		value, slope := left()
		if value > 0 {
			low = x
		} else {
			high = x
		}
		next := x - value/slope
		if slope != 0 && math.Abs(next-x) <= 1e-15*h {
			return x
		}
		if !(next > low && next < high) { // not a number without a slope
			next = 0.5 * (low + high)
		}
		if next <= low || next >= high || high-low < 1e-15*h {
			s.step(a, high, b)
			return high
		}
		x = next
	}
}

// peak returns the greatest force in a step of length h from a, by golden
// section.
func (s *impact) peak(a *moment, h float64, scratch *moment) float64 {
	const golden = 0.6180339887498949
	force := func(x float64) float64 {
		s.step(a, x, scratch)
		return scratch.force
	}
	low, high := 0.0, h
	x := high - float64(golden*(high-low))
	y := low + float64(golden*(high-low))
	fx, fy := force(x), force(y)
	for range 32 {
		if fx > fy {
			high, y, fy = y, x, fx
			x = high - float64(golden*(high-low))
			fx = force(x)
		} else {
			low, x, fx = x, y, fy
			y = low + float64(golden*(high-low))
			fy = force(y)
		}
	}
	return max(fx, fy)
}
