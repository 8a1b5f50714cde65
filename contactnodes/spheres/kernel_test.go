package spheres

import (
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/motion"
	"fdem/materials/contact"

	"gonum.org/v1/gonum/spatial/r2"
)

// crowd returns spheres of three kinds in a wide grid. Random motion brings them
// together and separates them. Their rules have the given law, and frictions by
// pairs of kinds.
func crowd(law contact.Law, frictions []Friction, seed uint64, generic bool) *Spheres {
	random := rand.New(rand.NewPCG(seed, 4))
	c := Config{Kinds: 3, Interactions: 2, Generic: generic}
	var x, v []r2.Vec
	var spin []float64
	for i := range 1500 {
		radius := 0.9e-2 + 0.1e-2*random.Float64()
		x = append(x, r2.Vec{X: 0.0195 * (float64(i%60) + 0.2*random.Float64()), Y: 0.0195 * (float64(i/60) + 0.2*random.Float64())})
		v = append(v, r2.Vec{X: random.NormFloat64(), Y: random.NormFloat64()})
		spin = append(spin, 30*random.NormFloat64())
		c.Radius = append(c.Radius, radius)
		inverse := 1 / (4e3 * radius * radius * radius)
		if random.IntN(20) == 0 {
			inverse = 0
		}
		c.InverseMass = append(c.InverseMass, inverse)
		c.InverseInertia = append(c.InverseInertia, 2.5*inverse/(radius*radius))
		c.Kind = append(c.Kind, random.Int32N(3))
	}
	c.RuleOf = func(a, b int32) (*Rule, error) {
		if a == 2 && b == 2 { // few pairs
			return nil, nil
		}
		return &Rule{Law: law, Interaction: (a + b) % 2, Mass: 1e-3, Friction: frictions[int(3*a+b)%len(frictions)], ResetsAfterImpact: a == 0}, nil
	}
	return New(c, x, v, spin, nil, 0)
}

// Every kernel gives the bits of the kernel in Go: with laws with and without a
// memory, in every regime of friction, for pairs that begin, stay and end, on one
// worker, two and three.
func TestKernelsGiveTheSameBits(t *testing.T) {
	laws := []contact.Law{
		contact.Hertz{K: 1e6}, contact.LeeWang{K: 1e6, Mass: 1e-3, Q: 2, Epsilon: 1e-5, Loss: 0.1},
		NewVolumetric(contact.Volumetric{K: 1e7, A: 0.1}, 1e-2, 1e-2),
	}
	for _, m := range []float64{0, 0.25, 0.5, 0.65, 1} {
		laws = append(laws, contact.Viscous{K: 1e6, N: 1.5, Chi: 30, M: m}, contact.Viscous{K: 1e4, N: 1, Chi: 2, M: m, ApproachOnly: true},
			contact.Viscous{K: 1e5, N: 1.5, Chi: 50, M: m, Raw: true})
	}
	frictions := []Friction{
		{Kinetic: 0.2, Static: 0.3, Ratio: 0.7}, {Kinetic: 0.01, Static: 0.4, Ratio: 0.7}, {Static: 0.3, Ratio: 0.5}, {Ratio: 0.8},
		{Kinetic: 0.3, Speed: 0.01}, {}, {Kinetic: 0.4, Static: 0.4, Stiffness: 1e4},
	}
	var held, slid, separated, turned int
	for n, law := range laws {
		seed := uint64(n)
		fast, plain := crowd(law, frictions, seed, false), crowd(law, frictions, seed, true)
		fast.Workers(1+n%3, func(do func(worker int)) {
			var wait sync.WaitGroup
			for w := range 1 + n%3 {
				wait.Go(func() { do(w) })
			}
			wait.Wait()
		})
		random := rand.New(rand.NewPCG(seed, 5))
		gravity := r2.Vec{Y: -9.81}
		for step := range int64(40) {
			const dt = 2e-5
			before := append([]pairMemory(nil), plain.slots.pairMemory...)
			built := plain.built
			for _, s := range []*Spheres{fast, plain} {
				if err := s.Evaluate([]motion.Body{}, gravity, dt, step); err != nil {
					t.Fatal(err)
				}
			}
			sameSpheres(t, law, step, fast, plain)
			if plain.built == built {
				for c, h := range plain.slots.pairMemory {
					switch {
					case before[c].d > 0 && h.d <= 0:
						separated++
					case h.stiffness > 0:
						held++
					case h.stiffness < 0:
						slid++
					}
				}
			}
			turned += int(plain.Interaction[0].Active)
			fast.Move(dt, dt, gravity)
			plain.Move(dt, dt, gravity)
			for i := range plain.X {
				if plain.InverseMass[i] > 0 && random.IntN(10) == 0 { // some reverse
					v := r2.Vec{X: random.NormFloat64(), Y: random.NormFloat64()}
					fast.V[i], plain.V[i] = v, v
				}
			}
		}
	}
	for what, n := range map[string]int{"held": held, "slid": slid, "parted": separated, "touched": turned} {
		if n < 5000 {
			t.Errorf("%d pairs %s", n, what)
		}
	}
}

// sameSpheres fails if two states differ.
func sameSpheres(t *testing.T, law contact.Law, step int64, got, want *Spheres) {
	t.Helper()
	for name, of := range map[string]func(s *Spheres) any{
		"forces": func(s *Spheres) any { return s.F }, "moments": func(s *Spheres) any { return s.Moment }, "books": func(s *Spheres) any { return s.Balances },
		"present":        func(s *Spheres) any { return s.Interaction[len(s.Interaction)-1].Present },
		"present, first": func(s *Spheres) any { return s.Interaction[0].Present },
		"bound":          func(s *Spheres) any { return s.Omega2 }, "memories": func(s *Spheres) any { return s.slots.pairMemory }, "laws' memories": func(s *Spheres) any { return s.slots.memory },
		"rolling": func(s *Spheres) any { return s.slots.roll },
	} {
		if a, b := of(got), of(want); !reflect.DeepEqual(a, b) { // no number is NaN
			t.Fatalf("%T, step %d: %s differ", law, step, name)
		}
	}
}

// Pairs that touch only by round-off are distinguished from those that do not touch. The work of a
// few pairs that move at random is not lost among that of others.
func TestKernelsAtFirstContact(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 7))
	pairwise := func(generic bool, x []r2.Vec) *Spheres {
		c := Config{Kinds: 1, Interactions: 1, Generic: generic, RuleOf: func(a, b int32) (*Rule, error) {
			return &Rule{Law: contact.Hertz{K: 1e6}, Mass: 1, Friction: coulomb.Friction{Kinetic: 0.3, Static: 0.3, Ratio: 0.7}}, nil
		}}
		for range x {
			c.Radius, c.InverseMass, c.InverseInertia = append(c.Radius, 0.01), append(c.InverseMass, 1), append(c.InverseInertia, 1)
			c.Kind = append(c.Kind, 0)
		}
		v := append([]r2.Vec(nil), x...)
		return New(c, x, v, append([]float64(nil), c.Radius...), nil, 0)
	}
	missed := 0
	for pairs := 1; pairs < 140; pairs++ {
		var x []r2.Vec
		for i := range pairs {
			at, angle := r2.Vec{X: 0.1 * float64(i)}, 2*math.Pi*random.Float64()
			far := 0.02 * (1 + 2e-16*float64(random.IntN(5)-3))
			if random.IntN(40) == 0 {
				far = 0 // one in the other
			}
			x = append(x, at, r2.Vec{X: at.X + far*math.Cos(angle), Y: far * math.Sin(angle)})
		}
		fast, plain := pairwise(false, x), pairwise(true, x)
		for step := range int64(4) {
			for _, s := range []*Spheres{fast, plain} {
				if err := s.Evaluate(nil, r2.Vec{}, 1e-6*float64(step), 1+step); err != nil {
					t.Fatal(err)
				}
			}
			sameSpheres(t, nil, step, fast, plain)
			for c, p := range plain.slots.pair {
				d := r2.Sub(plain.X[p.J], plain.X[p.I])
				if square := float64(d.X*d.X) + float64(d.Y*d.Y); square < 0.02*0.02 && plain.slots.pairMemory[c].d == 0 {
					missed++
				}
			}
			for _, p := range plain.slots.pair {
				far, angle := 0.02*(1+1e-3*random.NormFloat64()), 2*math.Pi*random.Float64()
				v, spin := r2.Vec{X: random.NormFloat64(), Y: random.NormFloat64()}, random.NormFloat64()
				for _, s := range []*Spheres{fast, plain} {
					s.X[p.J] = r2.Vec{X: s.X[p.I].X + far*math.Cos(angle), Y: s.X[p.I].Y + far*math.Sin(angle)}
					s.V[p.J], s.Spin[p.J] = v, spin
				}
			}
		}
	}
	if missed < 100 {
		t.Errorf("%d pairs missed by round-off", missed)
	}
}
