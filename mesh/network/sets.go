// Package network makes discrete fracture networks in the plane: sets of joints by
// orientation, length and intensity, Voronoi grains and layers. They are cut to a convex
// region and to one another. The result is a planar graph of straight edges for a mesh
// generator.
package network

import (
	"fmt"
	"math"
	"math/rand/v2"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// Trace is a straight joint from A to B [m] of a set.
type Trace struct {
	A, B   r2.Vec
	Set    int32
	Middle r2.Vec // middle of the joint before it was cut [m]
}

// Length returns the length of a trace [m].
func (t Trace) Length() float64 { return elementary.Norm(r2.Sub(t.B, t.A)) }

// Lengths is a distribution of the lengths of joints before they are cut to the region.
type Lengths struct {
	Kind      string  // "constant", "lognormal" or "power"
	Mean      float64 // [m], of the constant and the lognormal
	Deviation float64 // standard deviation of the lognormal [m]
	Exponent  float64 // a of the density of the power law, proportional to L^-a
	Min, Max  float64 // of the power law, and of the lognormal if given [m]
}

// draw draws a length [m].
func (l *Lengths) draw(r *source) float64 {
	switch l.Kind {
	case "lognormal":
		s2 := elementary.Log(1 + float64(l.Deviation*l.Deviation)/float64(l.Mean*l.Mean))
		for {
			v := l.Mean * elementary.Exp(float64(math.Sqrt(s2)*r.normal())-float64(0.5*s2))
			if (l.Min == 0 || v >= l.Min) && (l.Max == 0 || v <= l.Max) {
				return v
			}
		}
	case "power":
		u, a := r.Float64(), 1-l.Exponent
		if math.Abs(a) < 1e-9 {
			return l.Min * elementary.Pow(l.Max/l.Min, u)
		}
		low, high := elementary.Pow(l.Min, a), elementary.Pow(l.Max, a)
		return elementary.Pow(low+float64(u*(high-low)), 1/a)
	}
	return l.Mean
}

// longest returns a length [m] that at most one in a million exceeds.
func (l *Lengths) longest() float64 {
	switch {
	case l.Max > 0:
		return l.Max
	case l.Kind == "lognormal":
		s2 := elementary.Log(1 + float64(l.Deviation*l.Deviation)/float64(l.Mean*l.Mean))
		return l.Mean * elementary.Exp(float64(4.75*math.Sqrt(s2))-float64(0.5*s2))
	}
	return l.Mean
}

// Set is a set of joints. Orientations are those of lines, so that an angle and the
// opposite angle are the same. Their density is proportional to exp(Kappa cos 2(angle -
// Mean)), which is von Mises' distribution of the doubled angle (Mardia and Jupp 2000,
// section 3.6).
type Set struct {
	Mean        float64 // anticlockwise from x [rad]
	Kappa       float64 // 0 for uniform directions, infinite for a single one
	Lengths     Lengths
	P20         float64 // joints per area, by their middles [1/m2]; 0 if P21 is given
	P21         float64 // length per area [1/m]
	Termination float64 // fraction of the crossings with earlier joints at which a joint ends
	Seed        uint64
}

// source is a generator of random numbers, with the same bits on every machine.
type source struct{ *rand.Rand }

// newSource returns the generator of a seed and a set. Sets of one seed have
// different numbers.
func newSource(seed uint64, number int32) *source {
	return &source{rand.New(rand.NewPCG(seed, 0x6a6f696e7473+uint64(number)))}
}

// normal draws from the standard normal distribution (Box and Muller 1958).
func (r *source) normal() float64 {
	u := 1 - float64(r.Float64())
	return float64(math.Sqrt(-2*elementary.Log(u)) * elementary.Cos(2*math.Pi*r.Float64()))
}

// vonMises draws an angle about 0 (Best and Fisher 1979).
func (r *source) vonMises(kappa float64) float64 {
	switch {
	case math.IsInf(kappa, 1):
		return 0
	case kappa < 1e-8:
		return float64(2 * math.Pi * (float64(r.Float64()) - 0.5))
	case kappa > 1e6:
		return r.normal() / math.Sqrt(kappa)
	}
	t := 1 + math.Sqrt(1+float64(4*kappa*kappa))
	rho := (t - math.Sqrt(2*t)) / (2 * kappa)
	s := (1 + float64(rho*rho)) / (2 * rho)
	for {
		z := elementary.Cos(float64(math.Pi * r.Float64()))
		f := (1 + float64(s*z)) / (s + z)
		c := float64(kappa * (s - f))
		u := r.Float64()
		if float64(c*(2-c)) <= u && (u <= 0 || elementary.Log(c/u)+1-c < 0) {
			continue
		}
		angle := elementary.Acos(max(-1, min(1, f)))
		if r.Float64() < 0.5 {
			return -angle
		}
		return angle
	}
}

// maxTraces is the greatest number of traces, so that a wrong intensity does
// not fill the memory.
const maxTraces = 200_000

// Draw adds the joints of a set to the earlier traces, cut to the region. Middles are
// also drawn around the region, so that joints are not missing near its boundary that
// reach into it from outside. With P21, joints are added as long as that brings the
// total length in the region nearer to the goal. Draw fails if that takes more than
// 200,000 joints.
func (s *Set) Draw(region Region, there []Trace, number int32) ([]Trace, error) {
	r := newSource(s.Seed, number)
	area := region.Area()
	low, high := region.box()
	margin := float64(0.5 * s.Lengths.longest())
	low, high = r2.Sub(low, r2.Vec{X: margin, Y: margin}), r2.Add(high, r2.Vec{X: margin, Y: margin})
	wide := float64((high.X - low.X) * (high.Y - low.Y))
	count := int(math.Round(s.P20 * wide))
	if s.P21 > 0 {
		count = maxTraces
	}
	if count > maxTraces {
		return nil, fmt.Errorf("%.3g joints are too many, at most %d: a smaller intensity, or longer joints", s.P20*wide, maxTraces)
	}
	total, idle := 0.0, 0
	for range count {
		middle := r2.Vec{X: low.X + float64(r.Float64()*(high.X-low.X)), Y: low.Y + float64(r.Float64()*(high.Y-low.Y))}
		angle := s.Mean + float64(0.5*r.vonMises(s.Kappa))
		half := 0.5 * s.Lengths.draw(r)
		along := r2.Vec{X: elementary.Cos(angle), Y: elementary.Sin(angle)}
		t := Trace{elementary.Along(middle, along, -half), elementary.Along(middle, along, half), number, middle}
		if s.Termination > 0 {
			s.end(r, &t, middle, there)
		}
		t, ok := region.Cut(t)
		if !ok {
			if idle++; idle > maxTraces {
				break
			}
			continue
		}
		if s.P21 > 0 {
			long := total + t.Length()
			if goal := float64(s.P21 * area); long-goal > goal-total { // the length is nearer without it
				return there, nil
			}
			total = long
		}
		there = append(there, t)
		if s.P21 > 0 && total >= s.P21*area {
			return there, nil
		}
	}
	if s.P21 > 0 {
		return nil, fmt.Errorf("%d joints make %.3g of the %.3g m of length that are asked for: a smaller intensity, or longer joints", maxTraces, total, s.P21*area)
	}
	return there, nil
}

// end cuts a joint, in both directions from its middle, at earlier joints: at each
// crossing with the probability Termination.
func (s *Set) end(r *source, t *Trace, middle r2.Vec, there []Trace) {
	for _, side := range []*r2.Vec{&t.A, &t.B} {
		type crossing struct{ at float64 }
		var met []crossing
		for _, o := range there {
			if at, _, ok := cross(middle, *side, o.A, o.B); ok && at > 1e-9 {
				met = append(met, crossing{at})
			}
		}
		for len(met) > 0 {
			first := 0
			for i := range met {
				if met[i].at < met[first].at {
					first = i
				}
			}
			if r.Float64() < s.Termination {
				*side = elementary.Between(middle, *side, met[first].at)
				break
			}
			met[first] = met[len(met)-1]
			met = met[:len(met)-1]
		}
	}
}

// cross returns where two lines cross, as fractions of their lengths. ok is false if
// they are parallel or do not cross.
func cross(a, b, c, d r2.Vec) (s, t float64, ok bool) {
	ab, cd, ac := r2.Sub(b, a), r2.Sub(d, c), r2.Sub(c, a)
	area := elementary.Cross(ab, cd)
	if math.Abs(area) <= 1e-14*float64(elementary.Norm(ab)*elementary.Norm(cd)) {
		return 0, 0, false
	}
	s, t = elementary.Cross(ac, cd)/area, elementary.Cross(ac, ab)/area
	return s, t, s >= 0 && s <= 1 && t >= 0 && t <= 1
}
