package spheres

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"fdem/contactnodes/coulomb"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// along is a sphere of radius 10 mm that the tests move along an outline.
type along struct {
	*Spheres
	step int64
}

const ballRadius = 10e-3 // [m]

// polygon returns a closed outline, with its body on the left.
func polygon(corners []r2.Vec) Outline {
	n := int32(len(corners))
	o := Outline{X: corners, Mobility: make([]float64, n)}
	for i := range n {
		o.Edges = append(o.Edges, OutlineEdge{A: i, B: (i + 1) % n, Prev: (i + n - 1) % n, Next: (i + 1) % n, Kind: 1})
	}
	return o
}

// floor returns the outline of a block whose top is the polyline, from left to
// right.
func floor(top ...r2.Vec) Outline {
	corners := []r2.Vec{{X: top[0].X, Y: -1}, {X: top[len(top)-1].X, Y: -1}}
	for i := range top {
		corners = append(corners, top[len(top)-1-i])
	}
	return polygon(corners)
}

func onOutline(o Outline, rule Rule, at r2.Vec) *along {
	rule.Mass = 1
	c := Config{
		Radius: []float64{ballRadius}, InverseMass: []float64{1e-12}, InverseInertia: []float64{1e-12}, Kind: []int32{0}, Kinds: 2,
		Outline: o, RuleOf: func(a, b int32) (*Rule, error) { return &rule, nil }, Interactions: 1,
	}
	s := New(c, []r2.Vec{at}, []r2.Vec{{}}, []float64{0}, nil, 0)
	a := &along{s, 0}
	a.Evaluate(nil, r2.Vec{}, 0, 0)
	return a
}

// fataler is a testing.T or a rapid.T.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// to moves the sphere to a position within one step and returns the force on it.
func (a *along) to(t fataler, p r2.Vec) r2.Vec {
	t.Helper()
	const dt = 1e-6
	a.V[0] = r2.Scale(1/dt, r2.Sub(p, a.X[0]))
	a.X[0] = p
	a.step++
	if err := a.Evaluate(nil, r2.Vec{}, dt, a.step); err != nil {
		t.Fatal(err)
	}
	return a.F[0]
}

var stiff = contact.Hertz{K: 1e9}

// brute returns the force of an outline on a sphere at x: the sum of the forces
// of all edges with the sphere in front, less the force of each corner, times
// one less than the number of its strips that contain the centre.
func (o *Outline) brute(x r2.Vec) (f r2.Vec, energy float64) {
	push := func(sign float64, from r2.Vec) {
		if d := ballRadius - r2.Norm(r2.Sub(x, from)); d > 0 {
			f = r2.Add(f, r2.Scale(sign*1e9*math.Pow(d, 1.5), r2.Unit(r2.Sub(x, from))))
			energy += sign * 0.4 * 1e9 * math.Pow(d, 2.5)
		}
	}
	type strip struct{ along, out float64 }
	strips := make([]strip, len(o.Edges))
	for i, e := range o.Edges {
		u, p := r2.Sub(o.X[e.B], o.X[e.A]), r2.Sub(x, o.X[e.A])
		strips[i] = strip{r2.Dot(p, u) / r2.Norm2(u), r2.Cross(p, u)}
		if s := strips[i]; s.along > 0 && s.along < 1 && s.out > 0 {
			push(1, r2.Add(o.X[e.A], r2.Scale(s.along, u)))
		}
	}
	for i, e := range o.Edges {
		in, out := strips[e.Prev], strips[i]
		switch { // the strips of a corner's edges are taken as infinite beyond their other ends
		case in.along >= 1 && out.along <= 0 && (in.out > 0 || out.out > 0):
			push(1, o.X[e.A])
		case in.along < 1 && out.along > 0 && in.out > 0 && out.out > 0:
			push(-1, o.X[e.A])
		}
	}
	return f, energy
}

// The force is the gradient of the stored energy and changes without a jump,
// and its energy balance closes: for random outlines, convex and concave, with
// edges shorter and longer than the sphere.
func TestForceIsTheGradientOfTheEnergy(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		bend := math.Pow(10, rapid.Float64Range(-5, -0.5).Draw(rt, "bend")) // typical turn [rad]
		top := []r2.Vec{{}}
		for x, angle := 0.0, 0.0; x < 0.1; {
			l := ballRadius * math.Pow(10, 1.5*random.Float64()-1)
			angle = min(max(angle+bend*random.NormFloat64(), -0.5), 0.5)
			last := top[len(top)-1]
			x = last.X + l*math.Cos(angle)
			top = append(top, r2.Vec{X: x, Y: last.Y + l*math.Sin(angle)})
		}
		o := floor(top...)
		depth := ballRadius * math.Pow(10, rapid.Float64Range(-4, -2).Draw(rt, "depth"))
		height := func(x float64) float64 { // height at which the sphere is so deep in the lowest point around
			y := -1.0
			for i := range top[1:] {
				a, u := top[i], r2.Sub(top[i+1], top[i])
				if s := (x - a.X) / u.X; s >= 0 && s <= 1 {
					y = a.Y + s*u.Y
				}
			}
			return y + ballRadius - depth
		}
		x := 0.03
		a := onOutline(o, Rule{Law: stiff}, r2.Vec{X: x, Y: height(x)})
		e := &a.Interaction[0]
		corners, most := 0, 0.0
		for ; x < 0.05; x += 5e-6 {
			p := r2.Vec{X: x, Y: height(x)}
			f := a.to(rt, p)
			want, energy := o.brute(p)
			most = max(most, r2.Norm(want))
			if r2.Norm(r2.Sub(f, want)) > 1e-9*most || math.Abs(e.Stored-energy) > 1e-9*most*ballRadius {
				rt.Fatalf("at %v: force %v and energy %g, corner by corner %v and %g", p, f, e.Stored, want, energy)
			}
			corners += len(a.block[0].outlinePoints.corners)
			const h = 1e-9
			_, right := o.brute(r2.Add(p, r2.Vec{X: h}))
			_, left := o.brute(r2.Add(p, r2.Vec{X: -h}))
			_, up := o.brute(r2.Add(p, r2.Vec{Y: h}))
			_, down := o.brute(r2.Add(p, r2.Vec{Y: -h}))
			gradient := r2.Vec{X: (left - right) / (2 * h), Y: (down - up) / (2 * h)}
			if r2.Norm(r2.Sub(f, gradient)) > 1e-3*most {
				rt.Fatalf("at %v: force %v, the energy falls by %v", p, f, gradient)
			}
		}
	})
}

// A flat outline acts as a plane, wherever its corners are and however they are
// rounded: one contact point, one force, and a friction that the corners do not
// change. The same holds for an outline that rotates in place.
func TestFlatJointsAreNotFelt(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 2))
	for _, angle := range []float64{0, 0.3, 2.9} {
		turn := func(p r2.Vec) r2.Vec { return r2.Rotate(p, angle, r2.Vec{}) }
		var top []r2.Vec
		for x := 0.0; x < 0.1; x += ballRadius * math.Pow(10, 2*random.Float64()-2) {
			top = append(top, turn(r2.Vec{X: x}))
		}
		o := polygon(append([]r2.Vec{turn(r2.Vec{X: 0, Y: -1}), turn(r2.Vec{X: top[len(top)-1].X/math.Cos(angle) + 1, Y: -1})}, reversed(top)...))
		for name, friction := range map[string]Friction{"stick": {Kinetic: 0.2, Static: 0.2, Ratio: 0.8}, "regularised": {Kinetic: 0.2, Speed: 1e-3}} {
			const depth = 1e-5
			normal, spring := 1e9*math.Pow(depth, 1.5), 0.8*1.5*1e9*math.Sqrt(depth)
			start := r2.Vec{X: 0.02, Y: ballRadius - depth}
			a := onOutline(o, Rule{Law: stiff, Friction: friction}, turn(start))
			a.InverseMass[0], a.InverseInertia[0] = 0, 0
			for k := 1; k < 3000; k++ {
				displacement := 2e-5 * float64(k)
				f := turnBack(a.to(t, turn(r2.Add(start, r2.Vec{X: displacement}))), angle)
				want := -min(0.2*normal, spring*displacement)
				if friction.Speed > 0 {
					want = -0.2 * normal
				}
				if math.Abs(f.Y-normal) > 1e-6*normal || math.Abs(f.X-want) > 1e-6*normal {
					t.Fatalf("%s, turned by %g: force %v after %g m, want (%g, %g)", name, angle, f, displacement, want, normal)
				}
				if n := a.Interaction[0].Active; n != 1 {
					t.Fatalf("%d contact points", n)
				}
			}
			if w := a.Interaction[0].FrictionWork; math.Abs(w-0.2*normal*0.05998) > 0.002*w {
				t.Errorf("%s: friction has done %g J, want %g J", name, w, 0.2*normal*0.05998)
			}
		}
	}
}

func turnBack(f r2.Vec, angle float64) r2.Vec { return r2.Rotate(f, -angle, r2.Vec{}) }

func reversed(p []r2.Vec) []r2.Vec {
	p = slices.Clone(p)
	slices.Reverse(p)
	return p
}

// Around a square a sphere feels one force of constant size, which turns with
// it at the corners. In the corner of a room it has two contact points.
func TestCornersAreMetOnce(t *testing.T) {
	const half, depth = 0.05, 1e-5
	square := polygon([]r2.Vec{{X: -half, Y: -half}, {X: half, Y: -half}, {X: half, Y: half}, {X: -half, Y: half}})
	a := onOutline(square, Rule{Law: stiff}, r2.Vec{Y: half + ballRadius - depth})
	for k := range 4000 {
		angle := math.Pi/2 - 2*math.Pi*float64(k)/4000
		u := r2.Vec{X: math.Cos(angle), Y: math.Sin(angle)}
		x := r2.Scale(0.2, u)
		near := r2.Vec{X: min(max(x.X, -half), half), Y: min(max(x.Y, -half), half)} // nearest point of the square
		n := r2.Unit(r2.Sub(x, near))
		f := a.to(t, r2.Add(near, r2.Scale(ballRadius-depth, n)))
		if want := r2.Scale(1e9*math.Pow(depth, 1.5), n); r2.Norm(r2.Sub(f, want)) > 1e-6*r2.Norm(want) || a.Interaction[0].Active != 1 {
			t.Fatalf("at %g deg: force %v by %d contact points, want %v", angle*180/math.Pi, f, a.Interaction[0].Active, want)
		}
	}
	room := polygon([]r2.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1}, {}, {Y: 1}, {X: -1, Y: 1}})
	const deep, less = 2e-5, 1e-5
	b := onOutline(room, Rule{Law: stiff}, r2.Vec{X: ballRadius - deep, Y: ballRadius - less})
	closeTo(t, "wall", b.F[0].X, 1e9*math.Pow(deep, 1.5), 1e-9)
	closeTo(t, "ground", b.F[0].Y, 1e9*math.Pow(less, 1.5), 1e-9)
	if n := b.Interaction[0].Active; n != 2 {
		t.Errorf("%d contact points in a corner", n)
	}
}

// A law keeps its memory from one edge to the next, and to a second impact
// anywhere on the same component, also to one that begins after a resume. On
// another component it begins anew.
func TestMemoryGoesAlong(t *testing.T) {
	model, ok := contact.Lookup("thornton")
	if !ok {
		t.Fatal("no such law")
	}
	law, err := model.Build(map[string]float64{"radius": 1e-2, "modulus": 1e11, "yield": 5e8})
	if err != nil {
		t.Fatal(err)
	}
	var top []r2.Vec
	for x := 0.0; x < 0.2; x += 0.013 {
		top = append(top, r2.Vec{X: x})
	}
	o := floor(top...)
	at := func(x, depth float64) r2.Vec { return r2.Vec{X: x, Y: ballRadius - depth} }
	a := onOutline(o, Rule{Law: law}, at(0.02, -1e-4))
	const deep, less = 5e-5, 4.5e-5
	for k := range 100 {
		a.to(t, at(0.02, deep*float64(k+1)/100))
	}
	first := a.to(t, at(0.02, less)).Y
	for x := 0.02; x < 0.1; x += 1e-4 {
		if f := a.to(t, at(x, less)).Y; math.Abs(f-first) > 1e-9*first {
			t.Fatalf("at %g m: %g N, %g N at the start", x, f, first)
		}
	}
	again := func(a *along) float64 {
		a.to(t, at(0.1, -1e-3))
		for k := range 100 {
			a.to(t, at(0.15, -1e-4+1e-6*float64(k)))
		}
		for k := range 100 {
			a.to(t, at(0.15, less*float64(k+1)/100))
		}
		return a.F[0].Y
	}
	b := onOutline(o, Rule{Law: law}, at(0.1, less))
	b.Resume(clone(a.State), a.Memories())
	b.step = a.step
	one, other := again(a), again(b)
	if math.Abs(one-first) > 1e-6*first || one != other {
		t.Errorf("the second impact: %g N, after a resume %g N, want %g N", one, other, first)
	}
	if n := a.Memories(); n.pairs() != 1 {
		t.Errorf("%d memories of one pair", n.pairs())
	}
}

func clone(s State) State {
	s.X, s.V, s.F = slices.Clone(s.X), slices.Clone(s.V), slices.Clone(s.F)
	s.Angle, s.Spin, s.Moment = slices.Clone(s.Angle), slices.Clone(s.Spin), slices.Clone(s.Moment)
	return s
}

// Forces and moments on spheres and on nodes are equal and opposite, with
// friction and rolling torques, on edges, at corners and in dents.
func TestOutlineActionIsReaction(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		top := []r2.Vec{{}}
		for len(top) < 12 {
			last := top[len(top)-1]
			top = append(top, r2.Vec{X: last.X + 5e-3 + 5e-3*random.Float64(), Y: last.Y + 1e-3*random.NormFloat64()})
		}
		o := floor(top...)
		law := contact.Law(stiff)
		if rapid.Bool().Draw(rt, "volumetric") {
			law = NewVolumetric(contact.Volumetric{K: 1e10, A: 0.1}, ballRadius, 0)
		}
		c := Config{Kinds: 2, Outline: o, Interactions: 1}
		rule := &Rule{Law: law, Mass: 1, Friction: Friction{Kinetic: 0.3, Static: 0.3, Ratio: 0.5}}
		c.RuleOf = func(a, b int32) (*Rule, error) { return rule, nil }
		var x, v []r2.Vec
		for range 6 {
			c.Radius, c.InverseMass = append(c.Radius, ballRadius*(0.5+random.Float64())), append(c.InverseMass, 1)
			c.InverseInertia, c.Kind = append(c.InverseInertia, 1), append(c.Kind, 0)
			on := top[random.IntN(len(top))]
			x = append(x, r2.Vec{X: on.X + 2e-3*random.NormFloat64(), Y: on.Y + c.Radius[len(c.Radius)-1]*(1-0.1*random.Float64())})
			v = append(v, r2.Vec{X: random.NormFloat64(), Y: random.NormFloat64()})
		}
		s := New(c, x, v, []float64{1, -2, 3, 0, 5, 100}, nil, 0)
		for i := range s.NodeV {
			s.NodeV[i] = r2.Vec{X: random.NormFloat64(), Y: random.NormFloat64()}
		}
		for step := range int64(3) {
			if err := s.Evaluate(nil, r2.Vec{}, 1e-6, step); err != nil {
				rt.Fatal(err)
			}
			var sum r2.Vec
			moment, size := 0.0, 0.0
			for i, f := range s.F {
				sum = r2.Add(sum, f)
				moment += r2.Cross(s.X[i], f) + s.Moment[i]
				size += r2.Norm(f)
			}
			for i, f := range s.NodeF {
				sum = r2.Add(sum, f)
				moment += r2.Cross(s.OutlineNodes()[i], f)
			}
			if r2.Norm(sum) > 1e-12*size || math.Abs(moment) > 1e-12*size {
				rt.Fatalf("forces sum to %v, moments to %g, of %g N", sum, moment, size)
			}
			for i := range s.n {
				s.X[i] = r2.Add(s.X[i], r2.Scale(1e-6, s.V[i]))
			}
		}
	})
}

// Any number of workers gives the same bits, and so do lists made at other
// times.
func TestOutlineBits(t *testing.T) {
	var top []r2.Vec
	random := rand.New(rand.NewPCG(3, 3))
	for x := 0.0; x < 32; x += 0.004 + 0.02*random.Float64() {
		top = append(top, r2.Vec{X: x, Y: 1e-4 * random.NormFloat64()})
	}
	rule := &Rule{Law: stiff, Mass: 1, Friction: Friction{Kinetic: 0.3, Static: 0.4, Ratio: 0.5}}
	run := func(workers int, renew bool) ([]r2.Vec, []r2.Vec, PairMemories) {
		random := rand.New(rand.NewPCG(4, 4))
		c := Config{Kinds: 2, Outline: floor(top...), Interactions: 1, RuleOf: func(a, b int32) (*Rule, error) { return rule, nil }}
		var x, v []r2.Vec
		for i := range 1500 {
			r := 5e-3 * (1 + random.Float64())
			c.Radius, c.InverseMass, c.InverseInertia, c.Kind = append(c.Radius, r), append(c.InverseMass, 1e3), append(c.InverseInertia, 1e7), append(c.Kind, 0)
			x = append(x, r2.Vec{X: 0.1 + 0.0205*float64(i), Y: r + 2e-4*(1+random.Float64())})
			v = append(v, r2.Vec{X: random.NormFloat64(), Y: -random.Float64()})
		}
		s := New(c, x, v, make([]float64, len(x)), nil, 0)
		if workers > 1 {
			s.Workers(workers, func(do func(int)) {
				var all sync.WaitGroup
				for w := range workers {
					all.Go(func() { do(w) })
				}
				all.Wait()
			})
		}
		const dt = 1e-6
		for step := range int64(400) {
			if renew && step%37 == 5 {
				s.RestoreMemories(s.Memories())
			}
			if err := s.Evaluate(nil, r2.Vec{Y: -9.81}, dt, step); err != nil {
				t.Fatal(err)
			}
			s.Move(dt, dt, r2.Vec{Y: -9.81})
		}
		return s.V, s.NodeF, s.Memories()
	}
	v, f, m := run(1, false)
	if m.pairs() < 100 {
		t.Fatalf("%d pairs touch: too few to tell", m.pairs())
	}
	for _, c := range []struct {
		workers int
		renew   bool
	}{{2, false}, {3, true}, {1, true}} {
		w, g, o := run(c.workers, c.renew)
		if !slices.Equal(v, w) || !slices.Equal(f, g) || !slices.Equal(m.Key, o.Key) || !slices.Equal(m.Values, o.Values) {
			t.Errorf("%d workers, lists anew %v: other bits", c.workers, c.renew)
		}
	}
}

// A sphere whose centre passes behind the edge that it touches stops the run.
func TestSunkSphere(t *testing.T) {
	a := onOutline(floor(r2.Vec{}, r2.Vec{X: 1}), Rule{Law: contact.Hertz{K: 1}, Friction: coulomb.Friction{}}, r2.Vec{X: 0.5, Y: 0.5 * ballRadius})
	a.X[0].Y = -1e-4
	var penetrated *PenetrationError
	if err := a.Evaluate(nil, r2.Vec{}, 1e-6, 1); !errors.As(err, &penetrated) || penetrated.Sphere != 0 {
		t.Errorf("got %v", err)
	}
}

// A sphere in a body at the start is found, wherever it is; one in a hole of the
// outline, or beside it, is not in the body.
func TestSphereInsideAtTheStart(t *testing.T) {
	room := polygon([]r2.Vec{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1}, {}, {Y: 1}, {X: -1, Y: 1}})
	for _, c := range []struct {
		at     r2.Vec
		inside bool
	}{
		{r2.Vec{X: -0.5, Y: -0.5}, true}, {r2.Vec{X: -0.5, Y: 0.9}, true}, {r2.Vec{X: 0.5, Y: -1e-4}, true},
		{r2.Vec{X: 0.5, Y: 0.5}, false}, {r2.Vec{X: 0.5, Y: 1e-4}, false}, {r2.Vec{X: -1.1, Y: 0}, false}, {r2.Vec{X: 2, Y: -1}, false},
	} {
		var penetrated *PenetrationError
		err := onOutline(room, Rule{Law: stiff}, c.at).Inside()
		if errors.As(err, &penetrated) != c.inside {
			t.Errorf("at %v: %v", c.at, err)
		}
	}
}
