package potential

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"fdem/contactnodes"
	"fdem/contactnodes/coulomb"
	"fdem/materials/contact"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// scene is so many triangles of about a unit's size, each a body, in a space in
// which they overlap, and below them the edges of a square without triangles.
func scene(t *testing.T, n int, friction coulomb.Friction) (c *Contact, x []r2.Vec) {
	t.Helper()
	draw := rand.New(rand.NewSource(3))
	src := &mesh.Source{Name: "triangles"}
	for i := range n {
		at := r2.Vec{X: 1.2 * float64(i%4), Y: 0.8 * float64(i/4)}
		g := mesh.SourceGroup{Name: string(rune('a' + i)), Dim: 2, Number: i + 1}
		var q [3]int32
		for k := range q {
			sin, cos := math.Sincos(2*math.Pi*float64(k)/3 + draw.Float64())
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
	config := Config{Triangles: m.Triangles, Outline: contactnodes.NewOutline(m), X: m.X, Thickness: 0.1, Rules: []Rule{{contact.Linear{K: 1e6}, friction}}}
	for i := range n {
		config.Body = append(config.Body, int32(i))
		for k := range uint8(3) {
			config.Faces = append(config.Faces, Face{Triangle: int32(i), Corner: k, Fresh: true})
		}
	}
	for i := range n + 1 {
		config.Meets = append(config.Meets, make([]int32, n+1))
		config.Meets[i][i] = -1
	}
	c = New(config)
	for f := range config.Faces {
		c.Wake(int32(f), 0.25+0.25*float64(f%4))
	}
	return c, m.X
}

// Forces are the gradient of the energy, and of sum and moment zero.
func TestForcesAreTheGradient(t *testing.T) {
	c, x := scene(t, 8, coulomb.Friction{})
	v := make([]r2.Vec, len(x))
	evaluate := func() contactnodes.Forces {
		f := contactnodes.NewForces(len(x), false)
		c.AddForces(f, Scene{X: x, V: v, Inverse: v, Next: 1}, false)
		return f
	}
	f := evaluate()
	var sum r2.Vec
	moment, scale, edges := 0.0, 0.0, 0.0
	const small = 1e-6
	for i := range x {
		sum = r2.Add(sum, f.F[i])
		moment += r2.Cross(x[i], f.F[i])
		scale = max(scale, r2.Norm(f.F[i]))
		if i >= 24 {
			edges = max(edges, r2.Norm(f.F[i]))
		}
		for _, d := range []*float64{&x[i].X, &x[i].Y} {
			was := *d
			*d = was + small
			evaluate()
			up := c.Stored
			*d = was - small
			evaluate()
			down := c.Stored
			*d = was
			got := f.F[i].X
			if d == &x[i].Y {
				got = f.F[i].Y
			}
			if want := -(up - down) / (2 * small); math.Abs(got-want) > 1e-4*scale {
				t.Errorf("node %d: force %g, want %g", i, got, want)
			}
		}
	}
	evaluate()
	if c.Active < 20 || edges == 0 {
		t.Errorf("%d contact nodes touch, edges bear %g of %g", c.Active, edges, scale)
	}
	if r2.Norm(sum) > 1e-12*scale || math.Abs(moment) > 1e-11*scale {
		t.Errorf("forces of %g have the sum %g and the moment %g", scale, sum, moment)
	}
}

// What a stick spring takes is in the books, also where contacts end: work done
// against the forces is what is stored and dissipated.
func TestFrictionIsBooked(t *testing.T) {
	c, x := scene(t, 8, coulomb.Friction{Kinetic: 0.5, Static: 0.5, Ratio: 0.7})
	n := len(x)
	v, before := make([]r2.Vec, n), make([]r2.Vec, n)
	for f := range c.Faces {
		c.Wake(int32(f), 1)
	}
	done, dt := 0.0, 1e-5
	start := 0.0
	ended := 0
	touching := []int32{}
	for step := range 6000 {
		f := contactnodes.NewForces(n, false)
		at := Scene{X: x, V: v, Inverse: v, Step: dt, Next: dt}
		if step == 0 {
			at.Step = 0
		}
		c.AddForces(f, at, true)
		for i := 0; i < len(touching); i += 3 {
			if !has(c.Touching, touching[i:i+3]) {
				ended++
			}
		}
		touching = append(touching[:0], c.Touching...)
		if step == 0 {
			start = c.Stored
		} else {
			for i := range v {
				done -= 0.5 * dt * (r2.Dot(before[i], v[i]) + r2.Dot(f.F[i], v[i]))
			}
		}
		copy(before, f.F)
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
	w := c.Work()
	gained := w.Recoverable() - start + w.FrictionLoss()
	t.Logf("work %g, in the books %g; friction %g, %d contacts have ended", done, gained, w.FrictionLoss(), ended)
	if ended < 30 || w.FrictionLoss() <= 0 || math.Abs(done-gained) > 1e-4*w.FrictionLoss() {
		t.Errorf("work %g, in the books %g; friction %g, %d contacts have ended", done, gained, w.FrictionLoss(), ended)
	}
}

// has tells whether a list of touches has one.
func has(all, one []int32) bool {
	for i := 0; i < len(all); i += 3 {
		if slices.Equal(all[i:i+3], one) {
			return true
		}
	}
	return false
}
