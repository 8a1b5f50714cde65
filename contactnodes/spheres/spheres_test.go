package spheres

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"fdem/contactnodes/motion"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// held is a sphere of radius 10 mm that the tests move along x, from the middle
// of a floor.
type held struct {
	*Spheres
	pose []motion.Body
	step int64
}

const floorHalf = 1.0 // length of the floor to either side [m]

func onFloor(law contact.Law, f Friction, depth float64) *held {
	rule := &Rule{Law: law, Mass: 1, Friction: f}
	c := Config{
		Radius: []float64{10e-3}, InverseMass: []float64{1e-12}, InverseInertia: []float64{1e-12}, Kind: []int32{0}, Kinds: 2,
		Walls: []Wall{{Edges: [][2]int32{{0, 1}}, Nodes: 2, Kind: 1}}, RuleOf: func(a, b int32) (*Rule, error) { return rule, nil }, Interactions: 1,
	}
	s := New(c, []r2.Vec{{Y: 10e-3 - depth}}, []r2.Vec{{}}, []float64{0}, [][]r2.Vec{{{X: -floorHalf}, {X: floorHalf}}}, 0)
	h := &held{s, []motion.Body{{}}, 0}
	h.Evaluate(h.pose, r2.Vec{}, 0, 0)
	return h
}

// slide moves the sphere by x in steps and returns the friction on it along x.
func (h *held) slide(x float64, steps int) float64 {
	const dt = 1e-6
	h.V[0] = r2.Vec{X: x / float64(steps) / dt}
	for range steps {
		h.X[0].X += x / float64(steps)
		h.step++
		h.Evaluate(h.pose, r2.Vec{}, dt, h.step)
	}
	return h.F[0].X
}

func closeTo(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*math.Abs(want)) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}

// Mindlin's spring holds with its stiffness, slides at Coulomb's limit, and
// unloads with the same stiffness. Its energy balance has the work of sliding.
func TestStickSpring(t *testing.T) {
	law := contact.Hertz{K: 1e9}
	const depth, ratio, kinetic, static = 1e-6, 0.8, 0.2, 0.3
	h := onFloor(law, Friction{Kinetic: kinetic, Static: static, Ratio: ratio}, depth)
	normal := 1e9 * math.Pow(depth, 1.5)
	spring := ratio * 1.5 * 1e9 * math.Sqrt(depth)
	closeTo(t, "normal force", h.F[0].Y, normal, 1e-9)

	hold := 0.9 * static * normal / spring // greatest slip of the sticking spring
	closeTo(t, "holding", h.slide(hold, 50), -spring*hold, 1e-9)
	closeTo(t, "let go half", h.slide(-hold/2, 50), -spring*hold/2, 1e-9)
	e := &h.Interaction[0]
	closeTo(t, "stored", e.Spring, 0.5*spring*hold*hold/4, 1e-9)
	if w := e.Work(); math.Abs(w.FrictionLoss()) > 1e-9*e.Spring {
		t.Errorf("holding loses %g J of %g J", w.FrictionLoss(), e.Spring)
	}
	closeTo(t, "back", h.slide(hold/2, 50), -spring*hold, 1e-9)

	const far = 2e-6
	closeTo(t, "sliding", h.slide(far, 4000), -kinetic*normal, 1e-9)
	// It sticks up to static*normal, then slides at kinetic*normal.
	slid := far - (static*normal/spring - hold)
	loss := (static*static-kinetic*kinetic)*normal*normal/(2*spring) + kinetic*normal*slid
	closeTo(t, "lost by sliding", e.Work().FrictionLoss(), loss, 2e-3)
	closeTo(t, "turned back", h.slide(-0.1*hold, 50), -kinetic*normal+0.1*spring*hold, 1e-9)
	closeTo(t, "sliding the other way", h.slide(-far, 4000), kinetic*normal, 1e-9)
}

// Regularised friction is proportional to the slip speed, and then Coulomb's.
func TestRegularisedFriction(t *testing.T) {
	const depth = 1e-6
	normal := 1e9 * math.Pow(depth, 1.5)
	for _, c := range []struct{ speed, want float64 }{{1e-4, -0.1}, {5e-4, -0.5}, {-5e-4, 0.5}, {2e-3, -1}, {-1, 1}} {
		h := onFloor(contact.Hertz{K: 1e9}, Friction{Kinetic: 0.25, Static: 0.25, Speed: 1e-3}, depth)
		closeTo(t, "friction", h.slide(c.speed*1e-6, 1), c.want*0.25*normal, 1e-9)
		// The force on the floor is opposite to that on the sphere.
		if h.WallForce[0] != r2.Scale(-1, h.F[0]) {
			t.Errorf("%v on the floor, %v on the sphere", h.WallForce[0], h.F[0])
		}
	}
}

// Friction has a defined limit as the speed or a coefficient goes to zero.
func TestFrictionLimits(t *testing.T) {
	const depth = 1e-6
	normal := 1e9 * math.Pow(depth, 1.5)
	for _, c := range []struct {
		f           Friction
		speed, want float64
	}{
		{Friction{Kinetic: 0.25}, 0, 0}, // nothing slides
		{Friction{Kinetic: 0.25}, 1, -0.25 * normal},
		{Friction{Kinetic: 0.25}, -1e-300, 0.25 * normal},
		{Friction{}, 1, 0},
		{Friction{Ratio: 0.8}, 1, 0},
	} {
		h := onFloor(contact.Hertz{K: 1e9}, c.f, depth)
		h.InverseMass[0], h.InverseInertia[0] = 0, 0 // with no mass that a step could brake it is the limit itself
		h.V[0].X = c.speed
		h.Evaluate(h.pose, r2.Vec{}, 1e-6, 1)
		if !(math.Abs(h.F[0].X-c.want) <= 1e-9*normal) {
			t.Errorf("%+v at %g m/s: %g N, want %g N", c.f, c.speed, h.F[0].X, c.want)
		}
	}
}

// scene is spheres of many sizes, a box and a disc, with a hollow around them
// all.
type scene struct {
	c     Config
	x, v  []r2.Vec
	nodes [][]r2.Vec
}

func newScene(n int, seed uint64) *scene {
	random := rand.New(rand.NewPCG(seed, 1))
	rule := &Rule{Law: contact.Hertz{K: 1e9}, Mass: 1}
	s := &scene{c: Config{
		Kinds: 2, RuleOf: func(a, b int32) (*Rule, error) { return rule, nil }, Interactions: 1,
		Walls: []Wall{
			{Edges: [][2]int32{{0, 1}, {1, 2}, {2, 3}, {3, 0}}, Nodes: 4, Kind: 1},
			{Radius: 0.05, Nodes: 1, Kind: 1}, {Radius: -1, Nodes: 1, Kind: 1},
		},
	}}
	s.nodes = [][]r2.Vec{{{X: 0.1, Y: 0.1}, {X: 0.3, Y: 0.1}, {X: 0.3, Y: 0.2}, {X: 0.1, Y: 0.2}}, {{X: -0.3, Y: -0.3}}, {{}}}
	for range n {
		s.c.Radius = append(s.c.Radius, 0.01*math.Pow(10, random.Float64()))
		s.c.InverseMass, s.c.InverseInertia, s.c.Kind = append(s.c.InverseMass, 1), append(s.c.InverseInertia, 1), append(s.c.Kind, 0)
		s.x = append(s.x, r2.Vec{X: 1.4*random.Float64() - 0.7, Y: 1.4*random.Float64() - 0.7})
		s.v = append(s.v, r2.Vec{X: random.NormFloat64(), Y: random.NormFloat64()})
	}
	return s
}

func (s *scene) spheres() *Spheres {
	return New(s.c, s.x, s.v, make([]float64, len(s.x)), s.nodes, 0)
}

// brute returns the force on sphere i by all other spheres and all walls, one
// by one.
func (s *scene) brute(x []r2.Vec, i int) (f r2.Vec, touching int) {
	push := func(from r2.Vec, deflection float64) { // towards x from a point
		if deflection > 0 {
			touching++
			f = r2.Add(f, r2.Scale(1e9*math.Pow(deflection, 1.5), r2.Unit(r2.Sub(x[i], from))))
		}
	}
	r := s.c.Radius[i]
	for j := range s.x {
		if j != i {
			push(x[j], r+s.c.Radius[j]-r2.Norm(r2.Sub(x[i], x[j])))
		}
	}
	// The box: the nearest point of its outline.
	nearest, least := r2.Vec{}, math.Inf(1)
	box := s.nodes[0]
	for k := range box {
		a, u := box[k], r2.Sub(box[(k+1)%4], box[k])
		p := r2.Add(a, r2.Scale(min(max(r2.Dot(r2.Sub(x[i], a), u)/r2.Norm2(u), 0), 1), u))
		if d := r2.Norm(r2.Sub(x[i], p)); d < least {
			nearest, least = p, d
		}
	}
	push(nearest, r-least)
	push(s.nodes[1][0], r+0.05-r2.Norm(r2.Sub(x[i], s.nodes[1][0])))
	out := r2.Norm(x[i])
	push(r2.Scale(2/out, x[i]), r+out-1)
	return f, touching
}

// Forces are those of a comparison of all with all. Spheres that differ in size
// by ten times fly through several lists of candidates, in one block and in
// two.
func TestSpheresAgainstBruteForce(t *testing.T) {
	checkBruteForce(t, 300, 200)
	checkBruteForce(t, spheresPerBlock+300, 20)
}

func checkBruteForce(t *testing.T, n int, steps int64) {
	s := newScene(n, 7)
	b := s.spheres()
	pose := []motion.Body{{}, {Motion: motion.Motion{Centre: s.nodes[1][0]}}, {}}
	const dt = 2e-4
	met := 0
	for step := range steps {
		b.Evaluate(pose, r2.Vec{}, dt, step)
		for i := range b.F {
			want, touching := s.brute(b.X[:len(s.x)], i)
			met += touching
			if d := r2.Norm(r2.Sub(b.F[i], want)); d > 1e-9*(r2.Norm(want)+1) {
				t.Fatalf("step %d, sphere %d: %v, all with all %v", step, i, b.F[i], want)
			}
		}
		for i := range s.x { // they fly through one another
			b.X[i] = r2.Add(b.X[i], r2.Scale(dt, b.V[i]))
		}
	}
	if b.Rebuilds() < 3 || met < 10000 || n > spheresPerBlock && len(b.slots.remote) < 100 {
		t.Errorf("%d lists, %d contact points, %d loads on another block: too few to tell", b.Rebuilds(), met, len(b.slots.remote))
	}
}

// Forces do not depend on the order of the spheres. Sums over several partners
// are in another order then, and agree to rounding. With one partner the bits
// are the same.
func TestOrderOfSpheres(t *testing.T) {
	s := newScene(300, 11)
	pose := []motion.Body{{}, {Motion: motion.Motion{Centre: s.nodes[1][0]}}, {}}
	first := s.spheres()
	first.Evaluate(pose, r2.Vec{}, 0, 0)
	order := rand.New(rand.NewPCG(3, 3)).Perm(len(s.x))
	shuffled := *s
	shuffled.x, shuffled.v, shuffled.c.Radius = nil, nil, nil
	for _, k := range order {
		shuffled.x = append(shuffled.x, s.x[k])
		shuffled.v = append(shuffled.v, s.v[k])
		shuffled.c.Radius = append(shuffled.c.Radius, s.c.Radius[k])
	}
	second := shuffled.spheres()
	second.Evaluate(pose, r2.Vec{}, 0, 0)
	single := 0
	for i, k := range order {
		a, b := first.F[k], second.F[i]
		_, touching := s.brute(s.x, k)
		if d := r2.Norm(r2.Sub(a, b)); d > 1e-12*(r2.Norm(a)+1) || touching == 1 && math.Abs(r2.Norm(a)-r2.Norm(b)) > 0 {
			t.Errorf("sphere %d with %d partners: %v, in another order %v", k, touching, a, b)
		}
		if touching == 1 {
			single++
		}
	}
	if single < 20 {
		t.Errorf("%d spheres with one partner", single)
	}
}

// A pair that sleeps, or has no slot, never touches, and no pair is computed
// long before it can touch. For some sleeper the bound is nearly reached, so a
// smaller bound would miss contact points.
func TestSleepersNeverTouch(t *testing.T) {
	const n, dt = 150, 1e-5
	s := newScene(n, 5)
	random := rand.New(rand.NewPCG(17, 1))
	for i := range s.x { // smaller, nearer, and half of them towards the others
		s.c.Radius[i] *= 0.2
		s.x[i] = r2.Scale(0.4, s.x[i])
		s.v[i] = r2.Vec{X: float64(1 - i%2*2)}
	}
	b := s.spheres()
	bodies := []motion.Body{{}, {Motion: motion.Motion{Centre: s.nodes[1][0]}}, {}}
	asleep, awake, met := 0, 0, 0
	tightest := math.Inf(1) // gap of a sleeper over its gap when the list was made
	for step := range int64(2000) {
		if err := b.Evaluate(bodies, r2.Vec{}, dt, step); err != nil {
			t.Fatal(err)
		}
		looked := map[pair]bool{}
		gaps := map[pair]float64{}
		slots := &b.slots
		for c, p := range slots.pair {
			if slots.awake[c/64]>>(c%64)&1 == 1 {
				looked[p] = true
			}
			gaps[p] = b.pending.of[c]
		}
		awake += len(looked)
		for i := range int32(n) {
			for j := i + 1; j < n+3; j++ {
				p := pair{i, j}
				gap := 0.0
				if j < n {
					gap = r2.Norm(r2.Sub(b.X[i], b.X[j])) - b.Radius[i] - b.Radius[j]
				} else {
					_, distance := b.toWall(j-n, []int32{0, 1, 2, 3}, b.X[i])
					gap = distance - b.Radius[i]
				}
				switch {
				case gap > 0.01:
				case looked[p]:
					if gap < 0 {
						met++
					}
				case gap < 0:
					t.Fatalf("step %d: %v touch by %g m and are not checked", step, p, -gap)
				default:
					if was := gaps[p]; was > 0 {
						asleep++
						tightest = min(tightest, gap/was)
					}
				}
			}
		}
		turn := 0.0 // all in other directions
		if step%200 == 199 {
			turn = 2 * math.Pi * random.Float64()
		}
		for i := range b.V {
			b.V[i] = r2.Rotate(b.V[i], turn, r2.Vec{})
			b.X[i] = r2.Add(b.X[i], r2.Scale(dt, b.V[i]))
		}
	}
	t.Logf("%d sleepers, %d checked, %d contact points, %d lists, tightest %.3f", asleep, awake, met, b.Rebuilds(), tightest)
	if asleep < 5000 || met < 10000 || b.Rebuilds() < 10 || tightest > 0.01 {
		t.Errorf("%d sleepers, %d contact points, %d lists, the tightest at %g of its gap: too few to tell", asleep, met, b.Rebuilds(), tightest)
	}
}

// Any number of workers gives the same bits.
func TestWorkers(t *testing.T) {
	s := newScene(3000, 13)
	pose := []motion.Body{{}, {Motion: motion.Motion{Centre: s.nodes[1][0]}}, {}}
	var first *Spheres
	for _, workers := range []int{1, 2, 3, 8} {
		b := s.spheres()
		b.Workers(workers, func(do func(worker int)) {
			var wait sync.WaitGroup
			for w := range workers {
				wait.Go(func() { do(w) })
			}
			wait.Wait()
		})
		for step := range int64(3) {
			b.Evaluate(pose, r2.Vec{Y: -9.81}, 1e-5, step)
			for i := range s.x {
				b.X[i] = r2.Add(b.X[i], r2.Scale(1e-5, b.V[i]))
			}
		}
		if first == nil {
			first = b
			continue
		}
		if !slices.Equal(b.F, first.F) || !slices.Equal(b.WallForce, first.WallForce) || b.Balances[0] != first.Balances[0] || b.Interaction[0].Present != first.Interaction[0].Present {
			t.Errorf("%d workers compute something else", workers)
		}
	}
}

// A contact point that is deeper than its rule allows ends the run, between spheres and at a
// wall. The error names the sphere.
func TestTooDeep(t *testing.T) {
	for _, x := range []float64{1.2, 1.05} {
		for _, deepest := range []float64{0, 0.9} {
			rule := &Rule{Law: stiff, Mass: 0.5, Deepest: deepest}
			c := Config{
				Radius: []float64{1, 1}, InverseMass: []float64{1, 1}, InverseInertia: []float64{1, 1}, Kind: []int32{0, 0}, Kinds: 1,
				RuleOf: func(a, b int32) (*Rule, error) { return rule, nil }, Interactions: 1,
			}
			s := New(c, []r2.Vec{{}, {X: x}}, make([]r2.Vec, 2), make([]float64, 2), nil, 0)
			err := s.Evaluate(nil, r2.Vec{}, 0, 0)
			var penetrated *PenetrationError
			if deep := deepest > 0 && 2-x > deepest; errors.As(err, &penetrated) != deep || deep && (penetrated.Depth != 2-x || penetrated.Radius != 1) {
				t.Errorf("%g apart, at most %g deep: %v", x, deepest, err)
			}
		}
	}
}

// The run ends if two kinds meet that can have no rule: they do not pass
// through one another.
func TestRuleThatCannotBe(t *testing.T) {
	none := errors.New("no such law")
	c := Config{
		Radius: []float64{1, 1}, InverseMass: []float64{1, 1}, InverseInertia: []float64{1, 1}, Kind: []int32{0, 0}, Kinds: 1,
		RuleOf: func(a, b int32) (*Rule, error) { return nil, none }, Interactions: 1,
	}
	s := New(c, []r2.Vec{{}, {X: 1.9}}, make([]r2.Vec, 2), make([]float64, 2), nil, 0)
	if err := s.Evaluate(nil, r2.Vec{}, 0, 0); !errors.Is(err, none) {
		t.Errorf("%v, want %v", err, none)
	}
}
