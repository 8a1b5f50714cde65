// Package spall solves exactly, by characteristics, how a plane across an
// elastic bar breaks under a wave that comes back from the bar's free end
// (spallation): the answer that a computed bar is held against, for any
// material and pulse.
//
//	pressure      plane that may break   free end
//	  p(t) ->|------------------------:--------|
//	         0                      L - d      L
package spall

import (
	"fmt"
	"math"

	"fdem/materials/cohesive"
)

// Bar is an elastic bar of the impedance Z = rho c in uniaxial stress, pressed
// at its left end by a pulse, that may break on one plane only.
type Bar struct {
	Young, Density float64 // [Pa], [kg/m3]
	Length         float64 // L [m]
	Distance       float64 // d of the plane from the free end [m]
	Strength       float64 // f [Pa]
	Energy         float64 // G [J/m2]
	Softening      string  // as decks spell it
	Pressure       func(t float64) float64
}

// Sine returns the pulse peak sin^2(pi t/duration).
func Sine(peak, duration float64) func(t float64) float64 {
	return func(t float64) float64 {
		if t <= 0 || t >= duration {
			return 0
		}
		s := math.Sin(math.Pi * t / duration)
		return peak * s * s
	}
}

// Solution is what happens at the plane and at the free end; the slices have a
// value for each time.
type Solution struct {
	Begins, Breaks float64   // [s]; NaN: does not
	Dissipated     float64   // until the end [J/m2]
	Times          []float64 // [s]
	Traction       []float64 // on the plane [Pa]
	Opening        []float64 // [m]
	Velocity       []float64 // of the free end [m/s]
}

// At returns the value of one of the slices at time t, between two times in a
// straight line.
func (s *Solution) At(values []float64, t float64) float64 {
	x := t / s.Times[1]
	i := min(max(int(x), 0), len(values)-2)
	return values[i] + (x-float64(i))*(values[i+1]-values[i])
}

// Solve solves up to the given time in equal steps, steps of them in the time
// that a wave needs from the plane to the free end and back; the error falls
// with their square, but for a jump of the pulse with the step. It fails for a softening
// that there is not, and where a value is not positive.
//
// Waves of stress run to the right, A, and to the left, B, from the plane: with
// a and b those that arrive, the plane carries T = a + b - (Z/2) w, w the speed of
// opening, and A = T - b, B = T - a. They come back from the ends with the other
// sign, b(t) = -A(t - 2 d/c) and a(t) = -p(t - s/c) - B(t - 2 s/c), s = L - d.
// So w = (2/Z) (a + b - T(opening)) is an ordinary differential equation with
// delays; it is solved by the method of Heun. A crack that closes before it is
// broken unloads to the origin.
func (b Bar) Solve(until float64, steps int) (*Solution, error) {
	curve, err := cohesive.Lookup(b.Softening)
	if err != nil {
		return nil, err
	}
	for _, v := range []float64{b.Young, b.Density, b.Length - b.Distance, b.Distance, b.Strength, b.Energy, until, float64(steps)} {
		if !(v > 0) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("spall: the values of a bar must be positive and its plane inside, got %+v", b)
		}
	}
	c := math.Sqrt(b.Young / b.Density)
	z := b.Density * c
	distance := b.Length - b.Distance
	dt := 2 * b.Distance / c / float64(steps)
	n := int(math.Ceil(until/dt)) + 2
	end := curve.End() * b.Energy / b.Strength
	traction := func(opening, widest float64) float64 { // by the softening curve
		at := max(opening, widest)
		if at >= end {
			return 0
		}
		var s, lost [1]float64
		curve.Eval([]float64{at * b.Strength / b.Energy}, s[:], nil, lost[:])
		if opening < widest {
			return b.Strength * s[0] * opening / widest
		}
		return b.Strength * s[0]
	}

	sol := &Solution{
		Begins: math.NaN(), Breaks: math.NaN(),
		Times: make([]float64, n), Traction: make([]float64, n), Opening: make([]float64, n), Velocity: make([]float64, n),
	}
	right, left := make([]float64, n), make([]float64, n)      // A and B
	before := func(wave []float64, i int, x float64) float64 { // x steps ago, x >= 1
		at := float64(i) - x
		k := int(math.Floor(at))
		if k < 0 {
			return 0
		}
		return wave[k] + (at-float64(k))*(wave[k+1]-wave[k])
	}
	arriving := func(i int) (fromLeft, fromRight float64) {
		return -b.Pressure(float64(i)*dt-distance/c) - before(left, i, 2*distance/c/dt), -before(right, i, float64(steps))
	}
	opened, widest, last := false, 0.0, 0.0
	for i := range n {
		sol.Times[i] = float64(i) * dt
		fromLeft, fromRight := arriving(i)
		bonded := fromLeft + fromRight
		t, opening := bonded, 0.0
		switch {
		case i > 0 && opened:
			opening = sol.Opening[i-1]
			w0 := 2 / z * (last - traction(opening, widest))
			try := max(0, opening+dt*w0)
			w1 := 2 / z * (bonded - traction(try, max(widest, try)))
			before := opening
			opening = max(0, opening+0.5*dt*(w0+w1))
			if math.IsNaN(sol.Breaks) && opening >= end {
				sol.Breaks = dt * (float64(i-1) + (end-before)/(opening-before))
			}
			widest = max(widest, opening)
			t = traction(opening, widest)
			if opening == 0 && bonded < t { // shut
				t = bonded
			}
		case i > 0 && bonded >= b.Strength:
			opened = true
			part := (bonded - b.Strength) / (bonded - last) // of the step, since the strength was reached
			if bonded-last > 0.1*b.Strength {               // a jump: it came at the end of the step
				part = 0
			}
			sol.Begins = dt * (float64(i) - part)
			opening = part * dt * (bonded - b.Strength) / z // half of the displacement at the speed reached
			widest = opening
			t = traction(opening, widest)
		}
		sol.Traction[i], sol.Opening[i] = t, opening
		right[i], left[i] = t-fromRight, t-fromLeft
		sol.Velocity[i] = -2 / z * before(right, i, float64(steps)/2)
		last = bonded
	}
	var s, lost [1]float64
	curve.Eval([]float64{widest * b.Strength / b.Energy}, s[:], nil, lost[:])
	sol.Dissipated = b.Energy * lost[0]
	return sol, nil
}
