package fem

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// A beam of length 1 m, EI = 1 Nm2 and 1 kg/m, a hundred times longer than a
// square section of its stiffness is high.
var thin = Section{EA: 12e4, EI: 1, RhoA: 1}

// rod is a row of beams along a line, its nodes numbered from one end.
type rod struct {
	x     []r2.Vec
	pairs [][2]int32
}

// newRod returns a rod of n elements and the given length from the origin in
// the direction angle. Inner nodes are moved along it by up to uneven times
// half an element, always alike.
func newRod(n int, length, angle, uneven float64) rod {
	var r rod
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range n + 1 {
		at := float64(i)
		if i > 0 && i < n {
			at += uneven * (rng.Float64() - 0.5)
		}
		at *= length / float64(n)
		r.x = append(r.x, r2.Vec{X: at * math.Cos(angle), Y: at * math.Sin(angle)})
		if i > 0 {
			r.pairs = append(r.pairs, [2]int32{int32(i - 1), int32(i)})
		}
	}
	return r
}

// beams makes the rod of one section; file numbers start at 501.
func (r rod) beams(t testing.TB, s Section) *Beams {
	t.Helper()
	id := make([]int32, len(r.pairs))
	for i := range id {
		id[i] = int32(501 + i)
	}
	b, err := NewBeams(r.x, r.pairs, id, make([]int32, len(r.pairs)), []Section{s})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// shaken returns the rod's nodes moved by up to d in each direction and turned
// by up to turn.
func (r rod) shaken(d, turn float64, seed uint64) (x []r2.Vec, theta []float64) {
	x, theta = random(len(r.x), seed), make([]float64, len(r.x))
	for i, v := range random(len(r.x), seed+1000) {
		x[i], theta[i] = r2.Add(r.x[i], r2.Scale(d, x[i])), turn*v.X
	}
	return x, theta
}

// turnBeams turns the nodes about c by angle.
func turnBeams(x []r2.Vec, theta []float64, angle float64, c r2.Vec) ([]r2.Vec, []float64) {
	x, theta = slices.Clone(x), slices.Clone(theta)
	for i := range x {
		x[i] = r2.Rotate(x[i], angle, c)
		theta[i] += angle
	}
	return x, theta
}

// beamForces returns AddForces on zero.
func beamForces(t testing.TB, b *Beams, x []r2.Vec, theta []float64) ([]r2.Vec, []float64) {
	t.Helper()
	f, moment := make([]r2.Vec, len(x)), make([]float64, len(x))
	if err := b.AddForces(f, moment, x, theta); err != nil {
		t.Fatal(err)
	}
	return f, moment
}

// A rod that is moved and rotated as a whole, however often, has no forces. The remainder is the
// rounding of the angles themselves.
func TestBeamRigidMotionMakesNoForce(t *testing.T) {
	for _, direction := range []float64{0, 1, math.Pi / 2, 2.5, math.Pi, -2} {
		r := newRod(7, 1, direction, 0.5)
		b := r.beams(t, thin)
		for _, angle := range []float64{0, 0.5, 1.6, -3, math.Pi, 100, -2000 * math.Pi, 1e5} {
			x, theta := turnBeams(r.x, make([]float64, len(r.x)), angle, r2.Vec{X: 0.2, Y: -0.1})
			for i := range x {
				x[i] = r2.Add(x[i], r2.Vec{X: 0.5, Y: -0.25})
			}
			f, m := beamForces(t, b, x, theta)
			const eps = 2.3e-16
			// rounded positions of size 1 strain an element of length 1/7, or
			// turn its chord
			moment := 6 * thin.EI * 7 * eps * (20 + math.Abs(angle))
			if got, limit := largest(f), 20*thin.EA*eps*7+15*moment; got > limit {
				t.Errorf("direction %g, turned by %g: force %g N, limit %g N", direction, angle, got, limit)
			}
			for i := range m {
				if math.Abs(m[i]) > 2*moment {
					t.Errorf("direction %g, turned by %g, node %d: moment %g Nm, limit %g Nm", direction, angle, i, m[i], 2*moment)
				}
			}
			if u := b.StrainEnergy(x, theta); !(u >= 0 && u < 1e-9*moment) {
				t.Errorf("direction %g, turned by %g: strain energy %g J", direction, angle, u)
			}
		}
	}
}

// The forces of a bent rod turn with it through twenty turns in small steps
// and never jump.
func TestBeamForcesTurnWithTheBeam(t *testing.T) {
	r := newRod(6, 1, 3, 0.5)
	b := r.beams(t, thin)
	x0, theta0 := r.shaken(0.01, 0.2, 1)
	f0, m0 := beamForces(t, b, x0, theta0)
	scale := largest(f0)
	for i := range 4001 {
		angle := float64(i-2000) * 20 * 2 * math.Pi / 4000
		x, theta := turnBeams(x0, theta0, angle, r2.Vec{X: 0.4})
		f, m := beamForces(t, b, x, theta)
		for n := range f {
			if d := r2.Norm(r2.Sub(f[n], r2.Rotate(f0[n], angle, r2.Vec{}))); d > 1e-11*scale || math.Abs(m[n]-m0[n]) > 1e-11*scale {
				t.Fatalf("turned by %g, node %d: force off by %g N of %g N, moment by %g Nm", angle, n, d, scale, m[n]-m0[n])
			}
		}
	}
}

// Forces and moments are the gradient of the strain energy at any shape.
func TestBeamForcesAreEnergyGradient(t *testing.T) {
	for seed := range uint64(20) {
		r := newRod(5, 1, float64(seed), 0.5)
		b := r.beams(t, Section{EA: 50, EI: 1, RhoA: 1})
		x, theta := r.shaken(0.03, 0.4, seed)
		x, theta = turnBeams(x, theta, 3*float64(seed), r2.Vec{})
		f, m := beamForces(t, b, x, theta)
		scale, h := largest(f), 1e-5
		slope := func(v *float64) float64 {
			old := *v
			at := func(d float64) float64 {
				*v = old + d
				u := b.StrainEnergy(x, theta)
				*v = old
				return u
			}
			return (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
		}
		for i := range x {
			d := math.Abs(f[i].X+slope(&x[i].X)) + math.Abs(f[i].Y+slope(&x[i].Y)) + math.Abs(m[i]+slope(&theta[i]))
			if d > 1e-9*scale {
				t.Errorf("seed %d, node %d: gradient missed by %g of %g N", seed, i, d, scale)
			}
		}
	}
}

// Beams that are installed in a bent shape have no force before, none in that shape, turned as a
// whole or not, and from there on the gradient of their energy.
func TestBeamsInstalled(t *testing.T) {
	r := newRod(5, 1, 0.3, 0.5)
	b := r.beams(t, Section{EA: 50, EI: 1, RhoA: 1})
	b.Stage()
	b.SetShares(0, 5, 0)
	b.SetShares(3, 4, 1)
	x, theta := r.shaken(0.03, 0.4, 7)
	if f, m := beamForces(t, b, x, theta); f[0] != (r2.Vec{}) || m[1] != 0 || f[5] != (r2.Vec{}) || largest(f) == 0 {
		t.Errorf("before: forces %v, moments %v", f, m)
	}
	for i := range 5 {
		b.Install(i, x, theta)
	}
	b.SetShares(0, 5, 1)
	turnedX, turned := turnBeams(x, theta, 2, r2.Vec{X: 1})
	for _, at := range []struct {
		x     []r2.Vec
		theta []float64
	}{{x, theta}, {turnedX, turned}} {
		if f, _ := beamForces(t, b, at.x, at.theta); largest(f) > 1e-12 || b.StrainEnergy(at.x, at.theta) > 1e-24 {
			t.Errorf("as installed: forces %v, %g J", f, b.StrainEnergy(at.x, at.theta))
		}
	}
	x, theta = r.shaken(0.05, 0.5, 8)
	f, m := beamForces(t, b, x, theta)
	for i := range x {
		slope := func(v *float64) float64 {
			const h = 1e-5
			old := *v
			defer func() { *v = old }()
			*v = old + h
			up := b.StrainEnergy(x, theta)
			*v = old - h
			return (up - b.StrainEnergy(x, theta)) / (2 * h)
		}
		if d := math.Abs(f[i].X+slope(&x[i].X)) + math.Abs(f[i].Y+slope(&x[i].Y)) + math.Abs(m[i]+slope(&theta[i])); d > 1e-6*largest(f) {
			t.Errorf("node %d: gradient missed by %g of %g N", i, d, largest(f))
		}
	}
}

// Internal forces have no resultant and no moment.
func TestBeamForcesBalance(t *testing.T) {
	r := newRod(9, 1, 0.7, 0.5)
	b := r.beams(t, thin)
	x, theta := r.shaken(0.01, 0.3, 3)
	f, m := beamForces(t, b, x, theta)
	var sum r2.Vec
	turn := 0.0
	for i := range f {
		sum = r2.Add(sum, f[i])
		turn += r2.Cross(x[i], f[i]) + m[i]
	}
	if scale := largest(f); r2.Norm(sum) > 1e-14*scale || math.Abs(turn) > 1e-14*scale {
		t.Errorf("net force %v N, moment %g Nm of forces up to %g N", sum, turn, scale)
	}
}

// Patch test: uneven elements stretched alike carry N = EA e and load no inner
// node.
func TestBeamStretchPatch(t *testing.T) {
	r := newRod(8, 1, 0.4, 0.6)
	b := r.beams(t, thin)
	for _, strain := range []float64{1e-6, -1e-3, 0.1} {
		x, theta := slices.Clone(r.x), make([]float64, len(r.x))
		for i := range x {
			x[i] = r2.Scale(1+strain, x[i])
		}
		x, theta = turnBeams(x, theta, 40, r2.Vec{})
		f, m := beamForces(t, b, x, theta)
		out := make([]BeamForces, len(r.pairs))
		b.Forces(x, theta, out)
		want := thin.EA * strain
		for i, v := range out {
			if math.Abs(v.N-want) > 2e-14*thin.EA || math.Abs(v.Shear)+math.Abs(v.MA)+math.Abs(v.MB) > 1e-11 {
				t.Errorf("strain %g, beam %d: %+v, want N = %g N", strain, i, v, want)
			}
		}
		for i := range f {
			end := i == 0 || i == len(f)-1
			if got := r2.Norm(f[i]); end && math.Abs(got-math.Abs(want)) > 2e-14*thin.EA || !end && got > 2e-14*thin.EA || math.Abs(m[i]) > 1e-11 {
				t.Errorf("strain %g, node %d: force %g N, moment %g Nm", strain, i, got, m[i])
			}
		}
	}
}

// Patch test: uneven elements bent to one curvature, by any amount, carry
// M = EI kappa and load no inner node.
func TestBeamBendingPatch(t *testing.T) {
	r := newRod(8, 1, 0.4, 0.6)
	b := r.beams(t, thin)
	for _, kappa := range []float64{1e-6, -1e-2, 1, 2 * math.Pi, -20} {
		x, theta := slices.Clone(r.x), make([]float64, len(r.x))
		for i := 1; i < len(x); i++ { // chords keep their lengths
			l := b.element[i-1].length
			theta[i] = theta[i-1] + kappa*l
			s, c := math.Sincos(0.4 + theta[i-1] + 0.5*kappa*l)
			x[i] = r2.Add(x[i-1], r2.Vec{X: l * c, Y: l * s})
		}
		f, m := beamForces(t, b, x, theta)
		out := make([]BeamForces, len(r.pairs))
		b.Forces(x, theta, out)
		want := thin.EI * kappa
		for i, v := range out {
			if math.Abs(v.MB-want) > 1e-13*(1+math.Abs(want)) || math.Abs(v.MA+want) > 1e-13*(1+math.Abs(want)) {
				t.Errorf("curvature %g, beam %d: %+v, want moment %g Nm", kappa, i, v, want)
			}
		}
		for i := range f {
			moment := map[int]float64{0: want, len(f) - 1: -want}[i]
			if r2.Norm(f[i]) > 2e-14*thin.EA || math.Abs(m[i]-moment) > 1e-13*(1+math.Abs(want)) {
				t.Errorf("curvature %g, node %d: force %v N, moment %g Nm, want %g Nm", kappa, i, f[i], m[i], moment)
			}
		}
		if u, want := b.StrainEnergy(x, theta), 0.5*thin.EI*kappa*kappa; math.Abs(u-want) > 1e-13*(1+want) {
			t.Errorf("curvature %g: strain energy %g J, want %g J", kappa, u, want)
		}
	}
}

// The signs of forces: a beam with a uniform moment has -MA = MB, and a cantilever with a force at
// its tip has this force as shear force.
func TestBeamForces(t *testing.T) {
	r := newRod(4, 2, 0, 0)
	b := r.beams(t, thin)
	x, theta := slices.Clone(r.x), make([]float64, len(r.x))
	const p = 1e-6 // [N], upwards
	for i := range x {
		z := r.x[i].X
		x[i].Y = p / (6 * thin.EI) * z * z * (6 - z)
		theta[i] = p / (2 * thin.EI) * z * (4 - z)
	}
	out := make([]BeamForces, 4)
	b.Forces(x, theta, out)
	for i, v := range out {
		left, right := p*(2-r.x[i].X), p*(2-r.x[i+1].X)
		if math.Abs(v.Shear-p) > 1e-8*p || math.Abs(v.MA+left) > 1e-8*p || math.Abs(v.MB-right) > 1e-8*p {
			t.Errorf("beam %d: %+v, want shear %g N, moments %g and %g Nm", i, v, p, -left, right)
		}
	}
}

func TestBadBeamsAreRefused(t *testing.T) {
	x := []r2.Vec{{}, {X: 1}, {X: 1}, {X: math.NaN()}}
	for name, c := range map[string]struct {
		pair    [2]int32
		section Section
		want    string
	}{
		"no length":     {[2]int32{1, 2}, thin, "beam 9: length must be positive, got 0 m"},
		"one node":      {[2]int32{1, 1}, thin, "beam 9: length must be positive, got 0 m"},
		"NaN":           {[2]int32{0, 3}, thin, "beam 9: length must be positive, got NaN m"},
		"axial":         {[2]int32{0, 1}, Section{EI: 1, RhoA: 1}, "section 0: axial stiffness must be positive, got 0 N"},
		"bending":       {[2]int32{0, 1}, Section{EA: 1, EI: math.NaN(), RhoA: 1}, "section 0: bending stiffness must be positive, got NaN Nm2"},
		"mass":          {[2]int32{0, 1}, Section{EA: 1, EI: 1, RhoA: math.Inf(1)}, "section 0: mass per length must be positive, got +Inf kg/m"},
		"rotary":        {[2]int32{0, 1}, Section{EA: 1, EI: 1, RhoA: 1, RhoI: -1}, "section 0: rotary inertia per length must not be negative, got -1 kg m"},
		"nothing wrong": {[2]int32{0, 1}, thin, ""},
	} {
		_, err := NewBeams(x, [][2]int32{{0, 1}, c.pair}, []int32{8, 9}, []int32{0, 0}, []Section{c.section})
		if got := ""; err != nil {
			if got = err.Error(); got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		} else if c.want != "" {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestFold(t *testing.T) {
	r := newRod(3, 3, 0, 0)
	b := r.beams(t, thin)
	for name, change := range map[string]func(x []r2.Vec, theta []float64){
		"over":      func(x []r2.Vec, _ []float64) { x[2] = r2.Vec{X: 0.5} },
		"no length": func(x []r2.Vec, _ []float64) { x[2] = x[1] },
		"turned":    func(_ []r2.Vec, theta []float64) { theta[1], theta[2] = 1.6, 1.6 },
		"NaN place": func(x []r2.Vec, _ []float64) { x[2].Y = math.NaN() },
		"NaN angle": func(_ []r2.Vec, theta []float64) { theta[2] = math.NaN() },
	} {
		x, theta := slices.Clone(r.x), make([]float64, len(r.x))
		change(x, theta)
		err := b.AddForces(make([]r2.Vec, 4), make([]float64, 4), x, theta)
		var fold *FoldError
		if !errors.As(err, &fold) {
			t.Errorf("%s: error %v, want a FoldError", name, err)
			continue
		}
		if fold.Element != int32(501+fold.Index) || !strings.Contains(err.Error(), "is folded") {
			t.Errorf("%s: %+v, %v", name, fold, err)
		}
		if name == "over" && (fold.Index != 1 || fold.Position != (r2.Vec{X: 0.75})) {
			t.Errorf("%s: %+v", name, fold)
		}
	}
}

// Stiffness damping spares rigid motion, takes energy from any other, and is
// beta K v in the reference state.
func TestBeamDamping(t *testing.T) {
	r := newRod(7, 1, 0.3, 0.5)
	b := r.beams(t, thin)
	x, _ := r.shaken(0.01, 0.3, 1)
	viscous := func(x, v []r2.Vec, omega []float64) ([]r2.Vec, []float64) {
		f, m := make([]r2.Vec, len(x)), make([]float64, len(x))
		b.AddDamping(f, m, x, v, omega, 1e-3)
		return f, m
	}
	v, omega := make([]r2.Vec, len(x)), make([]float64, len(x))
	for i := range v {
		v[i], omega[i] = r2.Vec{X: 3 - 50*x[i].Y, Y: -2 + 50*x[i].X}, 50
	}
	f, m := viscous(x, v, omega)
	// rounded velocities of size 50 m/s
	if limit := 1e-3 * 7 * thin.EA * 50 * 1e-15; largest(f) > limit || slices.Max(m) > limit || slices.Min(m) < -limit {
		t.Errorf("rigid motion: force %g N, moments %g", largest(f), m)
	}
	for seed := range uint64(20) {
		v, omega = random(len(x), seed), make([]float64, len(x))
		for i, w := range random(len(x), seed+100) {
			omega[i] = 10 * w.X
		}
		f, m = viscous(x, v, omega)
		power, turn := 0.0, 0.0
		var sum r2.Vec
		for i := range f {
			power += r2.Dot(f[i], v[i]) + m[i]*omega[i]
			sum = r2.Add(sum, f[i])
			turn += r2.Cross(x[i], f[i]) + m[i]
		}
		if !(power < 0) || r2.Norm(sum) > 1e-13*largest(f) || math.Abs(turn) > 1e-13*largest(f) {
			t.Errorf("seed %d: power %g W, net force %v N, moment %g Nm", seed, power, sum, turn)
		}
	}
	f, m = viscous(r.x, v, omega)
	var k [6][6]float64
	want := make([]float64, 3*len(x))
	for i, n := range r.pairs {
		b.Tangent(i, r.x, make([]float64, len(x)), &k)
		for p := range 6 {
			for q := range 6 {
				rate := [3]float64{v[n[q/3]].X, v[n[q/3]].Y, omega[n[q/3]]}[q%3]
				want[3*int(n[p/3])+p%3] -= 1e-3 * k[p][q] * rate
			}
		}
	}
	for i := range f {
		for c, got := range [3]float64{f[i].X, f[i].Y, m[i]} {
			if math.Abs(got-want[3*i+c]) > 1e-13*largest(f) {
				t.Errorf("node %d, component %d: %g, want beta K v = %g", i, c, got, want[3*i+c])
			}
		}
	}
}

// Lumped and consistent masses add up to the whole mass. The consistent ones have the exact kinetic
// energy of rigid motion.
func TestBeamMasses(t *testing.T) {
	s := thin
	s.RhoI = 0.01
	r := newRod(7, 2, 0.8, 0.5)
	b := r.beams(t, s)
	mass, inertia := make([]float64, len(r.x)), make([]float64, len(r.x))
	b.AddMasses(mass, inertia)
	sum, rotary, want := 0.0, 0.0, 0.0
	for i := range mass {
		sum += mass[i]
		rotary += inertia[i]
	}
	for _, e := range b.element {
		want += s.RhoI*e.length + s.RhoA*math.Pow(e.length, 3)/12
	}
	if math.Abs(sum-2) > 1e-14 || math.Abs(rotary-want) > 1e-14 {
		t.Errorf("mass %g kg, want 2 kg; rotary inertia %g kg m2, want %g kg m2", sum, rotary, want)
	}
	for i, e := range b.element { // the shares hold all of it, no more
		for k, n := range [2]int32{e.a, e.b} {
			mass[n] -= b.endMasses[i].mass[k]
			inertia[n] -= b.endMasses[i].inertia[k]
		}
	}
	for i := range mass {
		if math.Abs(mass[i]) > 1e-15 || math.Abs(inertia[i]) > 1e-15 {
			t.Errorf("node %d: %g kg and %g kg m2 are nobody's", i, mass[i], inertia[i])
		}
	}
	p := NewPattern(len(r.x), b)
	val := make([]float64, len(p.Col))
	p.AddConsistentMasses(val, b, r.x)
	m := dense(p, val)
	quadratic := func(v func(x r2.Vec) [3]float64) float64 {
		u := mat.NewVecDense(3*len(r.x), nil)
		for i, x := range r.x {
			for c, w := range v(x) {
				u.SetVec(3*i+c, w)
			}
		}
		return mat.Inner(u, m, u)
	}
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"x", quadratic(func(r2.Vec) [3]float64 { return [3]float64{1, 0, 0} }), 2},
		{"y", quadratic(func(r2.Vec) [3]float64 { return [3]float64{0, 1, 0} }), 2},
		{"turn", quadratic(func(x r2.Vec) [3]float64 { return [3]float64{-x.Y, x.X, 1} }), 8./3 + 0.02},
	} {
		if math.Abs(c.got-c.want) > 1e-13 {
			t.Errorf("%s: %g, want %g", c.name, c.got, c.want)
		}
	}
}

func TestRectangle(t *testing.T) {
	s := Rectangle(steel, 0.01, 0.06)
	for i, c := range [][2]float64{{s.EA, 126e6}, {s.EI, 210e9 * 0.01 * 0.06 * 0.06 * 0.06 / 12}, {s.RhoA, 4.716}, {s.RhoI, 7860 * 1.8e-7}} {
		if math.Abs(c[0]-c[1]) > 1e-14*c[1] {
			t.Errorf("value %d: %g, want %g", i, c[0], c[1])
		}
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

// highestBeam returns the highest squared frequency of small vibrations with
// the lumped masses, free [1/s2].
func highestBeam(t interface{ Fatal(...any) }, b *Beams, x []r2.Vec, theta []float64) float64 {
	mass, inertia := make([]float64, len(x)), make([]float64, len(x))
	b.AddMasses(mass, inertia)
	p := NewPattern(len(x), b)
	val := make([]float64, len(p.Col))
	p.AddBeams(val, b, x, theta)
	k := dense(p, val)
	size, _ := k.Dims()
	at := func(i int) float64 { return [3]float64{mass[i/3], mass[i/3], inertia[i/3]}[i%3] }
	sym := mat.NewSymDense(size, nil)
	for i := range size {
		for j := i; j < size; j++ {
			sym.SetSym(i, j, k.At(i, j)/math.Sqrt(at(i)*at(j)))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(sym, false) {
		t.Fatal("no eigenvalues")
	}
	return slices.Max(eigen.Values(nil))
}

// A single beam's own frequency is exact in the reference state and a bound in
// any other, and bounds an assembly.
func TestBeamFrequencyBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, low, high float64) float64 { return rapid.Float64Range(low, high).Draw(t, name) }
		s := Section{EA: math.Pow(10, draw("power of EA", 0, 5)), EI: 1, RhoA: 1, RhoI: draw("rotary", 0, 0.01)}
		x := []r2.Vec{{X: draw("x", -1, 0), Y: draw("y", -1, 0)}, {X: draw("X", 0.1, 1), Y: draw("Y", 0.1, 1)}}
		b, err := NewBeams(x, [][2]int32{{0, 1}}, []int32{1}, []int32{0}, []Section{s})
		if err != nil {
			t.Fatal(err)
		}
		theta := []float64{0, 0}
		bound, exact := b.MaxFrequencySquared(x, theta), highestBeam(t, b, x, theta)
		if math.Abs(bound-exact) > 1e-10*exact {
			t.Errorf("reference: bound %.12g, exact %.12g", bound, exact)
		}
		theta[0], theta[1] = draw("a", -0.5, 0.5), draw("b", -0.5, 0.5)
		x[1] = r2.Add(x[0], r2.Scale(draw("stretch", 0.8, 1.2), r2.Sub(x[1], x[0])))
		bound, exact = b.MaxFrequencySquared(x, theta), highestBeam(t, b, x, theta)
		if bound < exact*(1-1e-10) {
			t.Errorf("deformed: bound %.12g, exact %.12g", bound, exact)
		}
	})
	for _, s := range []Section{thin, {EA: 1200, EI: 1, RhoA: 1}, {EA: 1e5, EI: 1, RhoA: 1, RhoI: 1e-3}, {EA: 30, EI: 1, RhoA: 1}} {
		for _, n := range []int{3, 20} {
			for _, uneven := range []float64{0, 0.5} {
				r := newRod(n, 1, 0.3, uneven)
				b := r.beams(t, s)
				for _, size := range []float64{0, 0.3} {
					x, theta := r.shaken(0.1*size/float64(n), size, 1)
					bound, exact := b.MaxFrequencySquared(x, theta), highestBeam(t, b, x, theta)
					t.Logf("EA %g, rotary %g, %d elements, uneven %g, shaken %g: bound over exact %.4f", s.EA, s.RhoI, n, uneven, size, bound/exact)
					if !(exact <= bound*(1+1e-12) && bound < 1.5*exact) {
						t.Errorf("EA %g, %d elements, uneven %g, shaken %g: bound %g, assembled %g 1/s2", s.EA, n, uneven, size, bound, exact)
					}
				}
			}
		}
	}
}

func TestBeamNoAllocation(t *testing.T) {
	r := newRod(20, 1, 0.3, 0.5)
	b := r.beams(t, thin)
	x, theta := r.shaken(1e-3, 0.1, 1)
	f, m, out := make([]r2.Vec, len(x)), make([]float64, len(x)), make([]BeamForces, len(r.pairs))
	p := NewPattern(len(x), b)
	val := make([]float64, len(p.Col))
	n := testing.AllocsPerRun(10, func() {
		if err := b.AddForces(f, m, x, theta); err != nil {
			t.Fatal(err)
		}
		b.AddDamping(f, m, x, x, theta, 1e-9)
		b.Forces(x, theta, out)
		b.StrainEnergy(x, theta)
		b.MaxFrequencySquared(x, theta)
		p.AddBeams(val, b, x, theta)
		p.AddConsistentMasses(val, b, x)
	})
	if n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// A section is used up where a fibre reaches its strength: by thrust alone, by a moment alone, and where both add up.
func TestUtilisation(t *testing.T) {
	strength := [2]float64{30e6, 3e6} // of a section of 1 by 0.2 m: area 0.2 m2, modulus 1/150 m3
	for _, c := range []struct {
		f    BeamForces
		want float64
	}{
		{BeamForces{N: -6e6}, 1},
		{BeamForces{N: 0.3e6}, 0.5},
		{BeamForces{MA: 10e3, MB: -20e3}, 1},
		{BeamForces{N: -3e6, MB: 100e3}, 1},
		{BeamForces{N: -0.3e6, MA: 30e3}, 1},
		{BeamForces{}, 0},
	} {
		if got := c.f.Utilisation(1, 0.2, strength); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %g, want %g", c.f, got, c.want)
		}
	}
	if got := (&BeamForces{N: 1}).Utilisation(1, 0.2, [2]float64{}); got != 0 {
		t.Errorf("without a strength: %g", got)
	}
}
