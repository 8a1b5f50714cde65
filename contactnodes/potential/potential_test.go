package potential

import (
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"slices"
	"sync"
	"testing"

	"fdem/contactnodes"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/motion"
	"fdem/contactnodes/onnodes"
	"fdem/materials/contact"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// weightless returns the masses of nodes that are all held.
func weightless(nodes int) *motion.Masses {
	return &motion.Masses{Held: slices.Repeat([]uint8{motion.HeldX | motion.HeldY}, nodes)}
}

// scene is so many triangles of about a unit's size, each a body, in a space in
// which they overlap, and below them the edges of a square without triangles.
func scene(t *testing.T, n int, friction coulomb.Friction) (c *Contact, x []r2.Vec) {
	return sceneOf(t, n, 1, []Rule{{contact.Linear{K: 1e6}, friction}})
}

// sceneOf is a scene in which bodies meet under several rules in turn, with corners that
// are off those of an equal triangle by so much [rad]: beyond 1 some are obtuse.
func sceneOf(t *testing.T, n int, askew float64, rules []Rule) (c *Contact, x []r2.Vec) {
	t.Helper()
	draw := rand.New(rand.NewSource(3))
	src := &mesh.Source{Name: "triangles"}
	for i := range n {
		at := r2.Vec{X: 1.2 * float64(i%4), Y: 0.8 * float64(i/4)}
		g := mesh.SourceGroup{Name: string(rune('a' + i)), Dim: 2, Number: i + 1}
		var q [3]int32
		for k := range q {
			sin, cos := math.Sincos(2*math.Pi*float64(k)/3 + askew*draw.Float64())
			q[k] = src.AddNode(r2.Add(at, r2.Vec{X: 0.7 * cos, Y: 0.7 * sin}))
		}
		g.Elements = []int32{src.AddTriangle(q[0], q[1], q[2])}
		src.Groups = append(src.Groups, g)
	}
	m, err := mesh.Build(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	m = m.With([]mesh.Outline{{Name: "box", Closed: true, Depth: 1, Points: []r2.Vec{{X: -3, Y: -3}, {X: 6, Y: -3}, {X: 6, Y: -0.4}, {X: -3, Y: -0.2}}}})
	config := Config{Triangles: m.Triangles, Outline: contactnodes.NewOutline(m), X: m.X, Thickness: 0.1, Rules: rules}
	for i := range n {
		config.Body = append(config.Body, int32(i))
		for k := range uint8(3) {
			config.Faces = append(config.Faces, Face{Triangle: int32(i), Corner: k, CrackFace: true})
		}
	}
	for i := range n + 1 {
		config.Meets = append(config.Meets, make([]int32, n+1))
		for j := range config.Meets[i] {
			config.Meets[i][j] = int32((i + j) % len(rules))
		}
		config.Meets[i][i] = -1
	}
	c = New(config)
	for f := range config.Faces {
		c.Wake(int32(f), 0.25+0.25*float64(f%4))
	}
	return c, m.X
}

// A face is ramped in over many steps while something lies in it. In the end it stores no more
// energy than is recorded as transferred to it.
func TestFaceThatComes(t *testing.T) {
	c, x := scene(t, 8, coulomb.Friction{})
	v := make([]r2.Vec, len(x))
	for f := range c.Faces {
		c.Wake(int32(f), 0)
	}
	const steps = 50
	part := func(i int) float64 { y := float64(i) / steps; return y * y * (3 - 2*y) }
	transferred, came := 0.0, 0
	for f := range int32(len(c.Faces)) {
		before := c.TransferWork[0]
		for i := range steps + 1 {
			c.RampIn(f, part(i+1), part(i))
			if i == steps {
				c.RampIn(f, 1, 1)
			}
			c.AddForces(onnodes.New(len(x), false), Scene{X: x, V: v, Masses: weightless(len(x)), Step: 1, Next: 1}, true)
			if gained := c.TransferWork[0] - before; i == 0 && gained > 1.0001*part(1)*c.Energy(f) {
				t.Errorf("face %d: %g J come in the first step, of %g J", f, gained, c.Energy(f))
			}
		}
		if c.TransferWork[0] > before {
			came++
		}
		transferred = c.TransferWork[0]
	}
	if stored := c.Sums[0].Stored; came < 5 || math.Abs(transferred-stored) > 1e-12*stored {
		t.Errorf("%d faces have come; %g J are booked, %g J stored", came, transferred, stored)
	}
}

// Forces are the gradient of the energy. Their sum and their moment are zero.
func TestForcesAreTheGradient(t *testing.T) {
	c, x := scene(t, 8, coulomb.Friction{})
	v := make([]r2.Vec, len(x))
	evaluate := func() onnodes.Forces {
		f := onnodes.New(len(x), false)
		c.AddForces(f, Scene{X: x, V: v, Masses: weightless(len(x)), Next: 1}, false)
		return f
	}
	f := evaluate()
	var sum r2.Vec
	moment, scale, edges := 0.0, 0.0, 0.0
	const small = 1e-6
	for i := range x {
		sum = r2.Add(sum, f.At(int32(i)).F)
		moment += r2.Cross(x[i], f.At(int32(i)).F)
		scale = max(scale, r2.Norm(f.At(int32(i)).F))
		if i >= 24 {
			edges = max(edges, r2.Norm(f.At(int32(i)).F))
		}
		for _, d := range []*float64{&x[i].X, &x[i].Y} {
			was := *d
			*d = was + small
			evaluate()
			up := c.Sums[0].Stored
			*d = was - small
			evaluate()
			down := c.Sums[0].Stored
			*d = was
			got := f.At(int32(i)).F.X
			if d == &x[i].Y {
				got = f.At(int32(i)).F.Y
			}
			if want := -(up - down) / (2 * small); math.Abs(got-want) > 1e-4*scale {
				t.Errorf("node %d: force %g, want %g", i, got, want)
			}
		}
	}
	evaluate()
	if c.Active < 20 || edges == 0 {
		t.Errorf("%d contact nodes touch, edges carry %g of %g", c.Active, edges, scale)
	}
	if r2.Norm(sum) > 1e-12*scale || math.Abs(moment) > 1e-11*scale {
		t.Errorf("forces of %g have the sum %g and the moment %g", scale, sum, moment)
	}
}

// The ledger holds the energy of a stick spring, also where contacts end: the work done against the
// forces equals the stored and the dissipated energy.
func TestFrictionIsInTheLedger(t *testing.T) {
	c, x := scene(t, 8, coulomb.Friction{Kinetic: 0.5, Static: 0.5, Ratio: 0.7})
	n := len(x)
	v, before := make([]r2.Vec, n), make([]r2.Vec, n)
	for f := range c.Faces {
		c.Wake(int32(f), 1)
	}
	done, dt := 0.0, 1e-5
	start := 0.0
	ended := 0
	inContact := [][3]int32{}
	for step := range 6000 {
		f := onnodes.New(n, false)
		at := Scene{X: x, V: v, Masses: weightless(len(x)), Step: dt, Next: dt}
		if step == 0 {
			at.Step = 0
		}
		c.AddForces(f, at, true)
		now := contactPointsOf(c)
		for _, t := range inContact {
			if !slices.Contains(now, t) {
				ended++
			}
		}
		inContact = now
		if step == 0 {
			start = c.Sums[0].Stored
		} else {
			for i := range v {
				done -= 0.5 * dt * (r2.Dot(before[i], v[i]) + r2.Dot(f.At(int32(i)).F, v[i]))
			}
		}
		for i := range before {
			before[i] = f.At(int32(i)).F
		}
		for i := range v { // bodies fly apart, and turn
			b := i / 3
			if i >= 24 {
				continue
			}
			sin, cos := math.Sincos(float64(b))
			v[i] = r2.Vec{X: 8 * cos, Y: 8 * sin}
		}
		for i := range x {
			x[i] = r2.Add(x[i], r2.Scale(dt, v[i]))
		}
	}
	w := c.Work(0)
	gained := w.Recoverable() - start + w.FrictionLoss()
	t.Logf("work %g, in the ledger %g; friction %g, %d contacts have ended", done, gained, w.FrictionLoss(), ended)
	if ended < 30 || w.FrictionLoss() <= 0 || math.Abs(done-gained) > 1e-4*w.FrictionLoss() {
		t.Errorf("work %g, in the ledger %g; friction %g, %d contacts have ended", done, gained, w.FrictionLoss(), ended)
	}
}

// contactPointsOf returns face, target and contact node of each contact point.
func contactPointsOf(c *Contact) (all [][3]int32) {
	for i := range c.pairs() {
		p := c.pairAt(i)
		for point := range int32(perFace) {
			if p.points>>point&1 != 0 {
				all = append(all, [3]int32{p.face, p.target, point})
			}
		}
	}
	return all
}

// Candidates that are too far away to be checked do not touch: a contact that checks all of them
// finds the same to the last bit, for any motion and any number of workers.
func TestFarCandidatesDoNotTouch(t *testing.T) {
	friction := coulomb.Friction{Kinetic: 0.5, Static: 0.5, Ratio: 0.7}
	one, x := scene(t, 40, friction)
	all, _ := scene(t, 40, friction)
	shared, _ := scene(t, 40, friction)
	shared.Workers(3, func(do func(int)) {
		for i := range 3 {
			do(i)
		}
	})
	for _, c := range []*Contact{one, all, shared} {
		for f := range c.Faces {
			c.Wake(int32(f), 1)
		}
	}
	draw := rand.New(rand.NewSource(5))
	v := make([]r2.Vec, len(x))
	const dt = 1e-4
	listed, looked, lists := 0, 0, 0
	for step := range 3000 {
		at := Scene{X: x, V: v, Masses: weightless(len(x)), Step: dt, Next: dt, Speed: 40}
		var force [3]onnodes.Forces
		all.at = nil
		for i, c := range []*Contact{one, all, shared} {
			force[i] = onnodes.New(len(x), false)
			was := c.until
			c.AddForces(force[i], at, true)
			if i == 0 && c.until != was {
				lists++
			}
			if !slices.Equal(c.InContact, one.InContact) || !slices.Equal(c.Values, one.Values) || !reflect.DeepEqual(force[i], force[0]) || !slices.Equal(c.Sums, one.Sums) || !slices.Equal(c.FrictionWork, one.FrictionWork) {
				t.Fatalf("step %d: %d contact points, of all candidates or with workers %d, or other bits", step, one.Active, c.Active)
			}
		}
		listed, looked = listed+len(one.candidate), looked+one.looked()
		for i := range 40 { // bodies fly about, and vibrate at times
			if step%50 == 0 {
				speed := 20 * float64(step/500%2)
				w := r2.Vec{X: speed * draw.NormFloat64() * 0.3, Y: speed * draw.NormFloat64() * 0.3}
				for k := range 3 {
					v[3*i+k] = w
				}
			}
			for k := range 3 {
				x[3*i+k] = r2.Add(x[3*i+k], r2.Scale(dt, v[3*i+k]))
			}
		}
	}
	t.Logf("%d candidates, %d were checked; %d changes of reach, %d contact points at the end", listed, looked, lists, one.Active)
	if 5*looked > 3*listed || lists < 10 || one.Active < 20 {
		t.Errorf("%d candidates, %d were checked; %d changes of reach, %d contact points at the end", listed, looked, lists, one.Active)
	}
}

// looked returns how many candidates were checked.
func (c *Contact) looked() (n int) {
	for _, all := range [2][]sleeper{c.among, c.edges} {
		for i := range all {
			if all[i].wakes <= c.due {
				n++
			}
		}
	}
	return n
}

// Triangles that separate can meet at once, and so can faces that wake. A contact that lists all
// pairs in every step finds the same to the last bit.
func TestSeparatedTrianglesMeet(t *testing.T) {
	const n = 6
	friction := coulomb.Friction{Kinetic: 0.5, Static: 0.5, Ratio: 0.7}
	var all [2]*Contact
	x := make([]r2.Vec, 3*2*n*n) // room for three nodes of each triangle
	for i := range all {
		config := Config{Outline: &contactnodes.Outline{}, Thickness: 0.1, Meets: [][]int32{{0}}, Rules: []Rule{{contact.Linear{K: 1e6}, friction}}}
		for at := range int32(n * n) {
			a := at/n*(n+1) + at%n
			for _, q := range [2][3]int32{{a, a + 1, a + n + 2}, {a, a + n + 2, a + n + 1}} {
				for k := range uint8(3) {
					config.Faces = append(config.Faces, Face{Triangle: int32(len(config.Triangles)), Corner: k, CrackFace: true})
				}
				config.Triangles, config.Body = append(config.Triangles, q), append(config.Body, 0)
			}
		}
		for j := range (n + 1) * (n + 1) {
			x[j] = r2.Vec{X: float64(j % (n + 1)), Y: float64(j / (n + 1))}
		}
		config.X = x
		all[i] = New(config)
		for f := range config.Faces {
			if f%3 == 0 {
				all[i].Wake(int32(f), 1)
			}
		}
	}
	draw := rand.New(rand.NewSource(9))
	v := make([]r2.Vec, len(x))
	next, chosen, met := int32((n+1)*(n+1)), 0, 0
	const dt = 1e-4
	for step := range 1500 {
		if step%5 == 4 { // a triangle gets a node of its own, and a face wakes
			if i, k := draw.Intn(len(all[0].Triangles)), draw.Intn(3); int(next) < len(x) {
				of := all[0].Triangles[i][k]
				var round []int32
				for t, nodes := range all[0].Triangles {
					if slices.Contains(nodes[:], of) {
						round = append(round, int32(t))
					}
				}
				if len(round) > 1 {
					x[next], v[next] = x[of], r2.Vec{X: 3 * draw.NormFloat64(), Y: 3 * draw.NormFloat64()}
					for _, c := range all {
						c.Triangles[i][k] = next
						c.Split(of, next, round)
					}
					next++
				}
			}
			face := int32(draw.Intn(len(all[0].Faces)))
			for _, c := range all {
				c.Wake(face, 1)
			}
		}
		at := Scene{X: x, V: v, Masses: weightless(len(x)), Step: dt, Next: dt, Speed: 20}
		all[1].at = nil
		var force [2]onnodes.Forces
		was := all[0].until
		for i, c := range all {
			force[i] = onnodes.New(len(x), false)
			c.AddForces(force[i], at, true)
		}
		if all[0].until != was {
			chosen++
		}
		met = max(met, all[0].Active)
		if !slices.Equal(all[0].InContact, all[1].InContact) || !slices.Equal(all[0].Values, all[1].Values) || !reflect.DeepEqual(force[0], force[1]) {
			t.Fatalf("step %d: %d contact points, of all candidates %d, or other bits", step, all[0].Active, all[1].Active)
		}
		for i := range x {
			x[i] = r2.Add(x[i], r2.Scale(dt, v[i]))
			v[i] = r2.Scale(0.999, v[i])
		}
	}
	t.Logf("%d nodes were split off, all were chosen anew %d times, at most %d touched", int(next)-(n+1)*(n+1), chosen, met)
	if met < 50 || int(next) < len(x)/2 || chosen > 500 {
		t.Errorf("%d nodes were split off, all were chosen anew %d times, at most %d touched", int(next)-(n+1)*(n+1), chosen, met)
	}
}

// The cost of fragment contact for each contact node that touches, in a plane of triangles that are
// not joined and are all pressed together.
func BenchmarkFragments(b *testing.B) {
	for _, n := range []int{16, 224} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%d triangles, %d workers", 2*n*n, workers), func(b *testing.B) {
				c, x := plane(b, n)
				c.Workers(workers, func(do func(int)) {
					var all sync.WaitGroup
					for i := range workers {
						all.Add(1)
						go func() {
							do(i)
							all.Done()
						}()
					}
					all.Wait()
				})
				f := onnodes.New(len(x), false)
				at := Scene{X: x, V: make([]r2.Vec, len(x)), Masses: weightless(len(x)), Step: 1e-7, Next: 1e-7}
				c.AddForces(f, at, true)
				for b.Loop() {
					f.Clear()
					c.AddForces(f, at, true)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.Active), "ns/touch")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(c.Triangles)), "ns/triangle")
			})
		}
	}
}

// plane is n by n squares of two triangles each, that share no nodes and lie a little
// in one another, of one body.
func plane(b testing.TB, n int) (c *Contact, x []r2.Vec) {
	draw := rand.New(rand.NewSource(7))
	shift := make([]r2.Vec, (n+1)*(n+1))
	for i := range shift {
		shift[i] = r2.Vec{X: 0.25 * (2*draw.Float64() - 1), Y: 0.25 * (2*draw.Float64() - 1)}
	}
	config := Config{Outline: &contactnodes.Outline{}, Thickness: 0.1, Meets: [][]int32{{0}},
		Rules: []Rule{{contact.Linear{K: 1e6}, coulomb.Friction{Kinetic: 0.5, Static: 0.5, Ratio: 0.7}}}}
	for j := range n {
		for i := range n {
			corner := func(di, dj int) r2.Vec {
				return r2.Add(r2.Vec{X: float64(i + di), Y: float64(j + dj)}, shift[(j+dj)*(n+1)+i+di])
			}
			for _, q := range [2][3]r2.Vec{{corner(0, 0), corner(1, 0), corner(1, 1)}, {corner(0, 0), corner(1, 1), corner(0, 1)}} {
				centre := r2.Scale(1.0/3, r2.Add(q[0], r2.Add(q[1], q[2])))
				t := int32(len(config.Triangles))
				for k := range 3 {
					x = append(x, r2.Add(centre, r2.Scale(1.02, r2.Sub(q[k], centre))))
					config.Faces = append(config.Faces, Face{Triangle: t, Corner: uint8(k), CrackFace: true})
				}
				config.Triangles = append(config.Triangles, [3]int32{3 * t, 3*t + 1, 3*t + 2})
				config.Body = append(config.Body, 0)
			}
		}
	}
	config.X = x
	c = New(config)
	for f := range c.Faces {
		c.Wake(int32(f), 1)
	}
	return c, x
}
