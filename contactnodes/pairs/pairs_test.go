package pairs

import (
	"math"
	"math/rand/v2"
	"testing"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// scene is outlines whose nodes can all move.
type scene struct {
	Outline
	body    []int     // per edge
	length  []float64 // per edge, in the reference position
	circles []Circle
	ends    bool // with the forces by moving ends
	half    Half
	deepest float64
	pressed float64 // sum of the normal forces
}

// add adds a closed outline, anticlockwise.
func (s *scene) add(x []r2.Vec, with Edge) (first int) {
	n0, e0, n := int32(len(s.X)), int32(len(s.Edges)), int32(len(x))
	body := 0
	if e0 > 0 {
		body = s.body[e0-1] + 1
	}
	s.X = append(s.X, x...)
	for i := range n {
		e := with
		e.A, e.B, e.Prev, e.Next = n0+i, n0+(i+1)%n, e0+(i+n-1)%n, e0+(i+1)%n
		if e.Across = -1; with.Across > 0 {
			e.Across = e0 + (i+with.Across)%n
		}
		s.Edges, s.body = append(s.Edges, e), append(s.body, body)
		s.length = append(s.length, elementary.Norm(r2.Sub(x[(i+1)%n], x[i])))
	}
	return int(e0)
}

// energy returns the energy for a stiffness of 1, and sets the forces.
func (s *scene) energy(force []r2.Vec) (energy float64) {
	s.UpdateAll()
	clear(force)
	s.deepest, s.pressed = 0, 0
	h := &s.half
	press := func(stiffness float64) {
		energy += h.Energy(stiffness, force)
		for i := range h.Points {
			s.deepest = max(s.deepest, h.Points[i].Depth)
			s.pressed += stiffness * h.Points[i].Weight * h.Points[i].Depth
		}
	}
	for i := range s.Edges {
		for j := range s.Edges {
			if s.body[i] == s.body[j] && (s.body[i] != 0 || !s.selfContact() || i == j) {
				continue
			}
			k := 0.5 * s.length[i]
			if h.Find(&s.Outline, int32(i), int32(j), 0) {
				press(k)
				if s.ends {
					h.Ends(&s.Outline, k, force)
				}
			}
			if h.FindSector(&s.Outline, int32(i), int32(j), 0) {
				press(k)
			}
		}
		for _, c := range s.circles {
			if h.FindCircle(&s.Outline, int32(i), c, s.length[i]) {
				press(s.length[i])
			}
		}
	}
	return energy
}

func (s *scene) selfContact() bool {
	for i := range s.Edges {
		if s.Edges[i].Start == Tip {
			return true
		}
	}
	return false
}

// outline makes one of the outlines of the random tests.
func outline(kind string, rng *rand.Rand) ([]r2.Vec, Edge) {
	var x []r2.Vec
	at := func(r, angle float64) {
		x = append(x, r2.Vec{X: r * math.Cos(angle), Y: r * math.Sin(angle)})
	}
	box := func(h float64) { x = []r2.Vec{{X: -1, Y: -h}, {X: 1, Y: -h}, {X: 1, Y: h}, {X: -1, Y: h}} }
	switch kind {
	case "convex":
		n := 3 + rng.IntN(5)
		for i := range n {
			at(1, 2*math.Pi*(float64(i)+0.8*rng.Float64())/float64(n))
		}
		return x, Edge{Roof: 0.04}
	case "wedge":
		h := math.Pi / 12
		return []r2.Vec{{X: -1.3}, {X: 2*math.Cos(h) - 1.3, Y: -2 * math.Sin(h)}, {X: 2*math.Cos(h) - 1.3, Y: 2 * math.Sin(h)}}, Edge{Roof: 0.02}
	case "angle":
		for _, q := range [][2]float64{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}} {
			x = append(x, r2.Vec{X: q[0] - 0.8, Y: q[1] - 0.8})
		}
		return x, Edge{Roof: 0.3}
	case "star":
		for i := range 10 {
			at([2]float64{1.2, 0.5}[i%2], math.Pi*float64(i)/5)
		}
		return x, Edge{Roof: 0.1}
	case "round":
		for i := range 12 {
			at(1, math.Pi*float64(i)/6)
		}
		return x, Edge{Start: Arc, Bulge: BulgeOf(math.Pi / 6), Roof: 0.3}
	case "triangle":
		for {
			x = []r2.Vec{{X: 2*rng.Float64() - 1, Y: 2*rng.Float64() - 1}, {X: 2*rng.Float64() - 1, Y: 2*rng.Float64() - 1}, {X: 2*rng.Float64() - 1, Y: 2*rng.Float64() - 1}}
			if elementary.Cross(r2.Sub(x[1], x[0]), r2.Sub(x[2], x[0])) > 0.15 {
				return x, Edge{}
			}
		}
	case "bar":
		box(0.4)
		return x, Edge{Across: 2}
	}
	box(1)
	return x, Edge{Roof: 0.04}
}

// place rotates positions about the origin and moves them.
func place(x []r2.Vec, angle float64, by r2.Vec) {
	for i := range x {
		x[i] = r2.Add(elementary.Rotate(x[i], angle), by)
	}
}

// deform returns the greatest error of the forces against differences of the energy, relative to the
// greatest force, for nodes moved by h [m].
func (s *scene) gradientError(force, work []r2.Vec, h float64) (worst float64) {
	most := 0.0
	for _, f := range force {
		most = max(most, elementary.Norm(f))
	}
	for i := range s.X {
		for k, at := range [2]*float64{&s.X[i].X, &s.X[i].Y} {
			was := *at
			*at = was - h
			low := s.energy(work)
			*at = was + h
			high := s.energy(work)
			*at = was
			got := [2]float64{force[i].X, force[i].Y}[k]
			worst = max(worst, math.Abs(-(high-low)/(2*h)-got)/most)
		}
	}
	return worst
}

// In random configurations of outlines of many kinds, with corners of all sorts, arcs, and depths up
// to through the body, forces are the gradient of the energy, change by no more than a motion times a
// stiffness, and have no resultant and no moment.
func TestForcesAreTheGradientOfTheEnergy(t *testing.T) {
	for _, kinds := range [][2]string{
		{"convex", "convex"}, {"box", "box"}, {"wedge", "box"}, {"wedge", "wedge"}, {"angle", "box"}, {"angle", "angle"}, {"angle", "wedge"},
		{"star", "convex"}, {"star", "star"}, {"round", "box"}, {"round", "round"}, {"triangle", "triangle"}, {"triangle", "bar"}, {"bar", "bar"},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		sum, count := 0.0, 0
		for count < 40 {
			s := meeting(kinds, rng)
			force, work := make([]r2.Vec, len(s.X)), make([]r2.Vec, len(s.X))
			s.energy(force)
			if s.pressed < 1e-9 {
				continue
			}
			count++
			checkMomenta(t, kinds, s, force)
			off := s.gradientError(force, work, 1e-6*max(s.deepest, 1e-4))
			if sum += off; off > 2e-5 {
				t.Errorf("%v: force differs from the gradient by %.2g of the greatest force, deepest %g", kinds, off, s.deepest)
			}
			for i := range s.X {
				s.X[i] = r2.Add(s.X[i], r2.Vec{X: 1e-9 * (2*rng.Float64() - 1), Y: 1e-9 * (2*rng.Float64() - 1)})
			}
			s.energy(work)
			for i := range work {
				if jump := elementary.Norm(r2.Sub(work[i], force[i])) / 1e-9; jump > 50 {
					t.Errorf("%v: the force on a node jumps by %.3g times the motion", kinds, jump)
				}
			}
		}
		if mean := sum / float64(count); mean > 1e-6 {
			t.Errorf("%v: the mean error of the gradient is %.2g", kinds, mean)
		}
	}
}

// meeting returns two outlines of some kinds that overlap.
func meeting(kinds [2]string, rng *rand.Rand) *scene {
	s := &scene{ends: true}
	a, with := outline(kinds[0], rng)
	place(a, 2*math.Pi*rng.Float64(), r2.Vec{})
	s.add(a, with)
	b, with := outline(kinds[1], rng)
	angle := 2 * math.Pi * rng.Float64()
	towards := r2.Vec{X: math.Cos(angle), Y: math.Sin(angle)}
	place(b, 2*math.Pi*rng.Float64(), r2.Vec{})
	n := len(s.X)
	s.add(b, with)
	if kinds[0] == "triangle" || kinds[0] == "bar" {
		place(s.X[n:], 0, times(1.6*rng.Float64(), towards))
		return s
	}
	want := math.Pow(10, -3+2*rng.Float64())
	place(s.X[n:], 0, times(4, towards))
	work := make([]r2.Vec, len(s.X))
	for step := 0.07; step > 1e-7; step /= 2 {
		for range 60 {
			place(s.X[n:], 0, times(-step, towards))
			if s.energy(work); s.deepest > want {
				place(s.X[n:], 0, times(step, towards))
				break
			}
		}
	}
	return s
}

func checkMomenta(t *testing.T, kinds [2]string, s *scene, force []r2.Vec) {
	t.Helper()
	var sum r2.Vec
	moment, all := 0.0, 0.0
	for i, f := range force {
		sum, moment, all = r2.Add(sum, f), moment+elementary.Cross(s.X[i], f), all+elementary.Norm(f)
	}
	if off := max(elementary.Norm(sum), math.Abs(moment)) / all; off > 1e-13 {
		t.Errorf("%v: forces have a resultant or moment of %.2g of their sum", kinds, off)
	}
}

// A rigid disc that lies on a flat with edges of unlike length is pressed by a force that does not
// depend on where it lies: 4/3 k d sqrt(2 R d) to first order of d/R, and 1 - 7/4 d/R of it to second
// order, from the depth (R² - r²)/2R.
func TestDiscOnUnevenFlat(t *testing.T) {
	const radius, depth = 0.03, 2e-7
	a := math.Sqrt(2 * radius * depth)
	want := 4.0 / 3 * depth * a
	for i := range 200 {
		s := &scene{}
		x := []r2.Vec{{X: -0.02}, {X: -0.011}, {X: -0.0083}, {X: -0.001}, {X: 0.00017}, {X: 0.0031}, {X: 0.014}, {X: 0.02}}
		for k := range x { // the body is to the left: the flat runs from right to left over it
			x[k] = r2.Vec{X: -x[k].X, Y: 0}
		}
		x = append(x, r2.Vec{X: -0.02, Y: -0.02}, r2.Vec{X: 0.02, Y: -0.02})
		s.add(x, Edge{})
		s.X = append(s.X, r2.Vec{X: -0.009 + 0.018*float64(i)/199, Y: radius - depth})
		s.circles = []Circle{{int32(len(s.X) - 1), radius}}
		force := make([]r2.Vec, len(s.X))
		s.energy(force)
		got := force[len(s.X)-1]
		if math.Abs(got.Y/(want*(1-1.75*depth/radius))-1) > 1e-8 || math.Abs(got.X) > 1e-9*want {
			t.Errorf("at %g m: force %v, want %g", s.X[len(s.X)-1].X, got, want)
		}
	}
}

// A corner in a hollow is pressed from the first nanometre, as on a line: k d²/2 per side of 45
// degrees.
func TestCornerInHollow(t *testing.T) {
	const radius = 0.11
	for _, depth := range []float64{1e-9, 1e-6, 1e-4} {
		s := &scene{}
		x := []r2.Vec{{X: -0.01, Y: -0.01}, {X: 0.01, Y: -0.01}, {X: 0.01, Y: 0.01}, {X: -0.01, Y: 0.01}}
		place(x, math.Pi/4, r2.Vec{Y: -radius - depth + 0.01*math.Sqrt2})
		s.add(x, Edge{})
		s.X = append(s.X, r2.Vec{})
		s.circles = []Circle{{4, -radius}}
		force := make([]r2.Vec, len(s.X))
		s.energy(force)
		// both sides: depth²/2 over a length of depth sqrt 2, against the direction downwards
		if want := depth * depth * math.Sqrt2; math.Abs(-force[4].Y/want-1) > 1e-5+2*depth/radius {
			t.Errorf("depth %g: force %g, want %g", depth, -force[4].Y, want)
		}
	}
}

// A meshed shaft in a rigid hollow and a meshed ring on a rigid disc turn without a torque, and press
// with 2 pi k d for an interference d.
func TestRoundFits(t *testing.T) {
	const fit = 1e-3
	for _, side := range []float64{-1, 1} { // hollow, disc
		for _, n := range []int{32, 64} {
			least, most, torque := math.Inf(1), 0.0, 0.0
			for turn := range 20 {
				s := &scene{}
				var x []r2.Vec
				for k := range n {
					angle := -side * 2 * math.Pi * (float64(k) + float64(turn)/20) / float64(n)
					x = append(x, times(1-0.5*side*fit, r2.Vec{X: math.Cos(angle), Y: math.Sin(angle)}))
				}
				s.add(x, Edge{Start: Arc, Bulge: -side * BulgeOf(2*math.Pi/float64(n))})
				s.X = append(s.X, r2.Vec{})
				s.circles = []Circle{{int32(n), side * (1 + 0.5*side*fit)}}
				force := make([]r2.Vec, len(s.X))
				energy := s.energy(force)
				least, most = min(least, energy), max(most, energy)
				moment, press := 0.0, 0.0
				for i := range n {
					moment += elementary.Cross(s.X[i], force[i])
					press += math.Abs(elementary.Dot(s.X[i], force[i]))
				}
				torque = max(torque, math.Abs(moment))
				if want := 2 * math.Pi * fit; math.Abs(press/want-1) > 3e-3 {
					t.Errorf("side %g, %d edges: pressed by %g, want %g", side, n, press, want)
				}
			}
			if most/least-1 > 1e-11 || torque > 1e-15 {
				t.Errorf("side %g, %d edges: energy varies by %.2g, torque %.2g", side, n, most/least-1, torque)
			}
		}
	}
}

// Two round meshed bodies with an interference turn in each other without a torque: the pressure does
// not depend on how their edges lie.
func TestRoundMeshedFits(t *testing.T) {
	const fit = 1e-3
	for _, n := range [][2]int{{64, 64}, {64, 48}} {
		least, most, torque := math.Inf(1), 0.0, 0.0
		for turn := range 8 {
			s := &scene{ends: true}
			for b, count := range n {
				var x []r2.Vec
				sign := float64(1 - 2*b)
				for k := range count {
					angle := sign * 2 * math.Pi * (float64(k) + 0.03 + float64(1-b)*float64(turn)/8) / float64(count)
					x = append(x, times(1+0.5*sign*fit, r2.Vec{X: math.Cos(angle), Y: math.Sin(angle)}))
				}
				s.add(x, Edge{Start: Arc, Bulge: sign * BulgeOf(2*math.Pi/float64(count)), Roof: 0.05})
			}
			force := make([]r2.Vec, len(s.X))
			energy := s.energy(force)
			least, most = min(least, energy), max(most, energy)
			moment := 0.0
			for i := range n[0] {
				moment += elementary.Cross(s.X[i], force[i])
			}
			torque = max(torque, math.Abs(moment)/(2*math.Pi*fit))
			if want := 2 * math.Pi * fit; math.Abs(s.pressed/want-1) > 2e-3 {
				t.Errorf("%v edges: pressed by %g, want %g", n, s.pressed, want)
			}
		}
		if most/least-1 > 1e-5 || torque > 1e-7 {
			t.Errorf("%v edges: energy varies by %.2g, torque is %.2g of the normal force times the radius", n, most/least-1, torque)
		}
	}
}

// The faces of a new crack meet with the energy that the joint between them had: k/2 of the overlap
// squared, over the length of the crack. So nothing jumps as a joint breaks.
func TestFacesOfACrack(t *testing.T) {
	const edges = 6
	for _, overlap := range []float64{1e-9, 1e-6, 1e-4, 1e-3} {
		rng := rand.New(rand.NewPCG(2, 3))
		x := make([]r2.Vec, 2*edges)
		overlaps := make([]float64, edges+1)
		for i := range edges + 1 {
			s, y := float64(i)/edges, 0.02*math.Sin(5*float64(i)/edges)
			if i > 0 && i < edges {
				overlaps[i] = overlap * (0.6 + 0.4*rng.Float64())
				x[2*edges-i] = r2.Vec{X: s, Y: y + 0.5*overlaps[i]}
			}
			x[i] = r2.Vec{X: s, Y: y - 0.5*overlaps[i]}
		}
		s := &scene{}
		s.add(x, Edge{Roof: 0.05})
		s.Edges[0].Start, s.Edges[edges].Start = Tip, Tip
		force, work := make([]r2.Vec, len(s.X)), make([]r2.Vec, len(s.X))
		got, want := s.energy(force), 0.0
		for i := range edges {
			up := r2.Sub(times(0.5, r2.Add(x[i+1], x[(2*edges-i-1)%len(x)])), times(0.5, r2.Add(x[i], x[(2*edges-i)%len(x)])))
			if i == edges-1 {
				up = r2.Sub(x[edges], times(0.5, r2.Add(x[i], x[2*edges-i])))
			}
			length := elementary.Norm(up)
			a, b := overlaps[i]*up.X/length, overlaps[i+1]*up.X/length
			want += 0.5 * length * (a*a + a*b + b*b) / 3
		}
		if math.Abs(got/want-1) > 1e-5+0.2*overlap/0.02 {
			t.Errorf("overlap %g: energy %g, the joint had %g", overlap, got, want)
		}
		if off := s.gradientError(force, work, 1e-6*max(overlap, 1e-5)); off > 1e-5 {
			t.Errorf("overlap %g: force differs from the gradient by %.2g", overlap, off)
		}
	}
}

// The term of a corner in a convex outline is smooth, also where the corner is on a bisector: its
// force is the gradient of half its depth squared, and changes by no more than a motion times a
// stiffness.
func TestCornerInConvexIsSmooth(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		s := &scene{}
		x, _ := outline("convex", rng)
		s.add(x, Edge{})
		at := r2.Vec{X: 1.6 * (rng.Float64() - 0.5), Y: 1.6 * (rng.Float64() - 0.5)}
		s.X = append(s.X, at)
		n := int32(len(x))
		depth := func() float64 {
			s.UpdateAll()
			d, _ := s.InConvex(nil, n, 0, n)
			return max(0, d)
		}
		d, parts := 0.0, []CornerPart(nil)
		s.UpdateAll()
		if d, parts = s.InConvex(parts, n, 0, n); !(d > 1e-3) {
			continue
		}
		force := make([]r2.Vec, len(s.X))
		for _, p := range parts {
			_, inward := s.Along(p.Edge)
			e := &s.Edges[p.Edge]
			for _, of := range []struct {
				node int32
				by   float64
			}{{n, -d}, {e.A, d * (1 - p.Foot)}, {e.B, d * p.Foot}} {
				force[of.node] = r2.Add(force[of.node], times(of.by*p.Weight, inward))
			}
		}
		for i := range s.X {
			for k, v := range [2]*float64{&s.X[i].X, &s.X[i].Y} {
				const h = 1e-6
				was := *v
				*v = was + h
				high := depth()
				*v = was - h
				low := depth()
				*v = was
				if got, want := [2]float64{force[i].X, force[i].Y}[k], -0.5*(high*high-low*low)/(2*h); math.Abs(got-want) > 1e-6*max(d, 0.1) {
					t.Fatalf("%g deep: force %g on node %d, the gradient is %g", d, got, i, want)
				}
			}
		}
	}
}

// What comes into contact counts in the step, what is in front of an edge on the other side of its
// body does not.
func TestAheadIsInFront(t *testing.T) {
	s := &scene{}
	bar := func(x float64) (first int32) {
		return int32(s.add([]r2.Vec{{X: x, Y: 0}, {X: x + 0.3, Y: 0}, {X: x + 0.3, Y: 4}, {X: x, Y: 4}}, Edge{Roof: 0.15}))
	}
	left, right := bar(0), bar(0.4)
	s.UpdateAll()
	const near, far = 0.05, 0.2 // of the gap, 0.1
	ahead := func(own, other int32) (a Ahead) {
		if s.half.Begin(&s.Outline, own, other, 0) {
			a = s.half.FindAhead(&s.Outline, near, far)
		}
		return a
	}
	facing := ahead(left+1, right+3)
	if w := 2.0 / 3; math.Abs(facing.Sum-w*w) > 1e-12 || math.Abs(facing.First/facing.Sum-0.5) > 1e-12 {
		t.Errorf("a face in front of another one counts %g about %g", facing.Sum, facing.First/facing.Sum)
	}
	if through := ahead(left+1, right+1); through.Sum != 0 {
		t.Errorf("a face counts %g against the far side of the other body", through.Sum)
	}
}

// Straight edges are found in fewer operations; Find is the plain version.
func TestStraightHalvesAreFoundAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	touching, ahead := 0, 0
	for range 300 {
		s := meeting([2]string{"convex", [...]string{"convex", "star", "angle"}[rng.IntN(3)]}, rng)
		for i := range s.Edges {
			for j := range s.Edges {
				if s.body[i] == s.body[j] {
					continue
				}
				offset := 1e-3 * float64(rng.IntN(2))
				var plain, quick Half
				found := plain.Find(&s.Outline, int32(i), int32(j), offset)
				begun := quick.Begin(&s.Outline, int32(i), int32(j), offset)
				if got := begun && quick.FindBegun(&s.Outline); got != found {
					t.Fatalf("edges %d and %d touch: %v, plainly %v", i, j, got, found)
				}
				touching += len(quick.Points)
				for k, p := range quick.Points {
					q := plain.Points[k]
					if math.Abs(p.U-q.U)+math.Abs(p.Depth-q.Depth)+math.Abs(p.Weight-q.Weight) > 1e-12 || r2.Norm(r2.Sub(p.Gradient[2], q.Gradient[2])) > 1e-12 {
						t.Errorf("a point is %+v, plainly %+v", p, q)
					}
				}
				ahead += s.checkAhead(t, &quick, begun, offset)
			}
		}
	}
	if touching < 300 || ahead < 300 {
		t.Errorf("only %d points and %d parts ahead", touching, ahead)
	}
}

// checkAhead compares what is ahead of a half with a sum over many points. It returns 1 if there is
// anything.
func (s *scene) checkAhead(t *testing.T, h *Half, begun bool, offset float64) (any int) {
	t.Helper()
	const near, far, points = 0.02, 0.2, 4000
	var got, want Ahead
	if begun {
		got = h.FindAhead(&s.Outline, near, far)
	}
	a, b, f, other := s.X[s.Edges[h.Own].A], s.X[s.Edges[h.Own].B], &s.frames[h.Other], &s.Edges[h.Other]
	for i := range points {
		u := (float64(i) + 0.5) / points
		x := r2.Add(times(1-u, a), times(u, b))
		depth := r2.Dot(f.inward, r2.Sub(x, s.X[other.A])) - offset
		if r2.Dot(f.start, r2.Sub(x, s.X[other.A])) < 0 || r2.Dot(f.end, r2.Sub(x, s.X[other.B])) < 0 || depth >= other.Through() {
			continue
		}
		w := WeightAhead(depth, near, far)
		want.Sum, want.First, want.Second = want.Sum+w*w/points, want.First+w*w*u/points, want.Second+w*w*u*u/points
	}
	if math.Abs(got.Sum-want.Sum)+math.Abs(got.First-want.First)+math.Abs(got.Second-want.Second) > 2e-3 {
		t.Errorf("ahead of a half are %+v, by points %+v", got, want)
	}
	if want.Sum > 0 {
		return 1
	}
	return 0
}
