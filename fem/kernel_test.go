package fem

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// only returns triangle i alone.
func (t *Triangles) only(i int) *Triangles {
	one := *t
	one.blocks, one.runs, one.count, one.id = nil, nil, 0, t.id[i:i+1]
	e := t.element(i)
	one.append(&e)
	return &one
}

// addPlainly adds the forces of the triangles one by one, as the formulas of
// the package stand: the oracle of every kernel.
func addPlainly(t *Triangles, f, x []r2.Vec) {
	for _, e := range t.elements {
		m := &t.moduli[e.material]
		g := t.gradient(&e, x)
		exx, eyy, exy := strain(g)
		sxx := e.volume * (float64(m.C11*exx) + float64(m.C12*eyy))
		syy := e.volume * (float64(m.C12*exx) + float64(m.C11*eyy))
		sxy := e.volume * (m.G * exy)
		pxx, pxy := float64(g.xx*sxx)+float64(g.xy*sxy), float64(g.xx*sxy)+float64(g.xy*syy)
		pyx, pyy := float64(g.yx*sxx)+float64(g.yy*sxy), float64(g.yx*sxy)+float64(g.yy*syy)
		b := r2.Vec{X: float64(pxx*e.bx) + float64(pxy*e.by), Y: float64(pyx*e.bx) + float64(pyy*e.by)}
		c := r2.Vec{X: float64(pxx*e.cx) + float64(pxy*e.cy), Y: float64(pyx*e.cx) + float64(pyy*e.cy)}
		f[e.a] = r2.Add(f[e.a], r2.Add(b, c))
		f[e.b] = r2.Sub(f[e.b], b)
		f[e.c] = r2.Sub(f[e.c], c)
	}
}

// patches draws a patch of up to three materials, its triangles in any order.
func patches(t *rapid.T, steel bulk.Elastic) (s *Triangles, x []r2.Vec) {
	nx, ny := rapid.IntRange(1, 24).Draw(t, "nx"), rapid.IntRange(1, 7).Draw(t, "ny") // up to four groups of nodes
	p := newPatch(nx, ny, 0.5, 0.3, 0.4)
	if rapid.Bool().Draw(t, "shuffled") {
		rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0)).Shuffle(len(p.tri), func(i, j int) { p.tri[i], p.tri[j] = p.tri[j], p.tri[i] })
	}
	moduli, density := make([]bulk.Moduli, 3), []float64{1, 2, 3}
	for i := range moduli {
		m := steel
		m.Young *= float64(i + 1)
		moduli[i] = m.Moduli(bulk.PlaneStress)
	}
	id, material := make([]int32, len(p.tri)), make([]int32, len(p.tri))
	kinds := rapid.Int32Range(1, 3).Draw(t, "materials")
	each := rapid.IntRange(1, 9).Draw(t, "triangles of a material")
	for i := range material {
		id[i], material[i] = int32(i+1), int32(i/each)%kinds
	}
	s, err := NewTriangles(p.x, p.tri, id, material, moduli, density, 0.02)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range s.elements {
		if [3]int32{e.a, e.b, e.c} != p.tri[i] || e.material != material[i] || e != s.element(i) {
			t.Fatalf("triangle %d is %+v, put in as %v of material %d", i, e, p.tri[i], material[i])
		}
	}
	return s, p.shaken(0.09 * min(0.5/float64(nx), 0.3/float64(ny)))
}

// differ returns the first node whose force differs in a bit, -1 for none.
func differ(f, want []r2.Vec) int {
	for i := range want {
		if math.Float64bits(f[i].X) != math.Float64bits(want[i].X) || math.Float64bits(f[i].Y) != math.Float64bits(want[i].Y) {
			return i
		}
	}
	return -1
}

// dampPlainly adds the damping forces of the triangles one by one, S_v = beta C :
// dE/dt with dE/dt from F and dF/dt.
func dampPlainly(t *Triangles, d, x, v []r2.Vec, beta float64) {
	for _, e := range t.elements {
		m := &t.moduli[e.material]
		g, l := t.gradient(&e, x), t.gradient(&e, v)
		exx := float64(g.xx*l.xx) + float64(g.yx*l.yx)
		eyy := float64(g.xy*l.xy) + float64(g.yy*l.yy)
		exy := (float64(g.xx*l.xy) + float64(g.yx*l.yy)) + (float64(l.xx*g.xy) + float64(l.yx*g.yy))
		w := beta * e.volume
		sxx := w * (float64(m.C11*exx) + float64(m.C12*eyy))
		syy := w * (float64(m.C12*exx) + float64(m.C11*eyy))
		sxy := w * (m.G * exy)
		pxx, pxy := float64(g.xx*sxx)+float64(g.xy*sxy), float64(g.xx*sxy)+float64(g.xy*syy)
		pyx, pyy := float64(g.yx*sxx)+float64(g.yy*sxy), float64(g.yx*sxy)+float64(g.yy*syy)
		b := r2.Vec{X: float64(pxx*e.bx) + float64(pxy*e.by), Y: float64(pyx*e.bx) + float64(pyy*e.by)}
		c := r2.Vec{X: float64(pxx*e.cx) + float64(pxy*e.cy), Y: float64(pyx*e.cx) + float64(pyy*e.cy)}
		d[e.a] = r2.Add(d[e.a], r2.Add(b, c))
		d[e.b] = r2.Sub(d[e.b], b)
		d[e.c] = r2.Sub(d[e.c], c)
	}
}

// motions draws what moves, with damping and weight or without.
func motions(t *rapid.T, s *Triangles, x []r2.Vec) (m Leapfrog, beta float64) {
	draw := func(what string) []r2.Vec {
		seed := rapid.Float64Range(-1e3, 1e3).Draw(t, what)
		out := make([]r2.Vec, len(x))
		for i := range out {
			out[i] = r2.Vec{X: seed + math.Sin(seed*float64(i)), Y: seed * math.Cos(seed+float64(i))}
		}
		return out
	}
	m = Leapfrog{X: slices.Clone(x), V: draw("velocities"), F: make([]r2.Vec, len(x)), Mass: s.Masses(), Held: rapid.SliceOfN(rapid.Uint8Range(0, 3), len(x), len(x)).Draw(t, "held")}
	m.End = int32(rapid.IntRange(0, len(x)).Draw(t, "end"))
	if rapid.Bool().Draw(t, "heavy") {
		m.Gravity = r2.Vec{X: 0.3, Y: -9.81}
	}
	if rapid.Bool().Draw(t, "damped") {
		m.Damping, m.Powers = make([]r2.Vec, len(x)), make([]Power, Groups(len(x)))
		m.Alpha = rapid.SampledFrom([]float64{0, 3.7}).Draw(t, "alpha")
		beta = rapid.SampledFrom([]float64{0, 1.3e-7}).Draw(t, "beta")
	}
	s.Damp(beta)
	return m, beta
}

// clone returns a copy whose forces are no numbers.
func (m Leapfrog) clone() Leapfrog {
	none := slices.Repeat([]r2.Vec{{X: math.NaN(), Y: math.NaN()}}, len(m.X))
	m.X, m.V, m.F, m.Powers = slices.Clone(m.X), slices.Clone(m.V), slices.Clone(none), slices.Clone(m.Powers)
	if m.Damping != nil {
		m.Damping = none
	}
	return m
}

// Every kernel gives the oracle's bits, for the whole and for any parts: forces,
// those of damping and their power, and where the nodes go.
func TestKernelsGiveTheSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, x := patches(t, steel)
		m, beta := motions(t, s, x)
		want := m.clone()
		clear(want.F)
		addPlainly(s, want.F, x)
		if m.Damping != nil {
			for i, v := range m.V {
				w := m.Alpha * m.Mass[i]
				want.Damping[i] = r2.Vec{X: 0 - float64(w*v.X), Y: 0 - float64(w*v.Y)}
			}
			dampPlainly(s, want.Damping, x, m.V, beta)
		}
		moved := m.clone() // as the formulas of Move stand
		const kick, dt = 1.3e-7, 1.7e-7
		given, taken := 0.0, 0.0
		next := make([]r2.Vec, len(x)) // damping to begin the next step with
		for i := range moved.End {
			f, v := want.Force(int(i)), &moved.V[i]
			if m.Damping != nil {
				given += r2.Dot(want.Damping[i], *v)
			}
			w := [2]float64{kick * (1 / m.Mass[i]), kick * (1 / m.Mass[i])}
			for d := range w {
				if m.Held[i]&(1<<d) != 0 {
					w[d] = 0
				}
			}
			v.X += float64(w[0] * f.X)
			v.Y += float64(w[1] * f.Y)
			moved.X[i].X += float64(dt * v.X)
			moved.X[i].Y += float64(dt * v.Y)
			if m.Damping != nil {
				taken += r2.Dot(want.Damping[i], *v)
				next[i] = moved.drag(i)
			}
		}
		n := rapid.IntRange(1, 8).Draw(t, "parts")
		var booked [2]float64
		for k, kernel := range kernels() {
			s.kernel = kernel
			f := make([]r2.Vec, len(x))
			if err := s.AddForces(f, x); err != nil {
				t.Fatal(err)
			}
			if i := differ(f, want.F); i >= 0 {
				t.Fatalf("%s: node %d: %v, want %v", s.Kernel(), i, f[i], want.F[i])
			}
			got := m.clone()
			for _, p := range s.Subdomains(n) {
				if !p.SetForces(&got) {
					t.Fatalf("%s: a part finds a triangle turned inside out", s.Kernel())
				}
			}
			check := func(what string, got, want []r2.Vec) {
				if i := differ(got, want); i >= 0 {
					t.Fatalf("%s in %d parts: node %d of %d: %s is %v, want %v", s.Kernel(), n, i, len(x), what, got[i], want[i])
				}
			}
			check("the force", got.F, want.F)
			if m.Damping != nil {
				check("damping", got.Damping, want.Damping)
			}
			ahead := 0.0
			if m.Damping != nil {
				for from := int32(0); from < int32(len(x)); from += nodesPerGroup {
					ahead += got.Power(from, min(from+nodesPerGroup, int32(len(x))))
				}
			}
			for _, p := range s.Subdomains(rapid.IntRange(1, 8).Draw(t, "moving parts")) {
				p.Move(&got, kick, dt)
			}
			check("the place", got.X, moved.X)
			check("the velocity", got.V, moved.V)
			check("the force left", got.F, make([]r2.Vec, len(x)))
			if m.Damping != nil {
				check("the damping left", got.Damping[:m.End], next[:m.End])
				a, b, scale := 0.0, 0.0, 0.0
				for _, p := range got.Powers {
					a, b = a+p.Given, b+p.Taken
				}
				for i, d := range want.Damping {
					scale += r2.Norm(d) * (r2.Norm(m.V[i]) + r2.Norm(moved.V[i]))
				}
				if math.Abs(a-given) > 1e-14*scale || math.Abs(b-taken) > 1e-14*scale || a != ahead {
					t.Fatalf("%s in %d parts: power %g and %g, want %g and %g; %g beforehand", s.Kernel(), n, a, b, given, taken, ahead)
				}
				if k == 0 {
					booked = [2]float64{a, b}
				}
				if booked != [2]float64{a, b} {
					t.Fatalf("%s in %d parts: power %v, %s finds %v", s.Kernel(), n, [2]float64{a, b}, kernels()[0].name, booked)
				}
			}
		}
	})
}

// Every kernel stops at a triangle with an error and returns the same error, and some part finds
// it.
func TestKernelsFindTheSameInversion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, x := patches(t, steel)
		bad := rapid.IntRange(0, len(x)-1).Draw(t, "node")
		x[bad] = rapid.SampledFrom([]r2.Vec{{X: 7, Y: 9}, {X: -7, Y: 9}, {X: math.NaN(), Y: 0.2}, {Y: math.Inf(1)}}).Draw(t, "place")
		first := -1
		for i, e := range s.elements {
			g := s.gradient(&e, x)
			if det := float64(g.xx*g.yy) - float64(g.xy*g.yx); !(det > 0) {
				first = i
				break
			}
		}
		for _, s.kernel = range kernels() {
			err, _ := s.AddForces(make([]r2.Vec, len(x)), x).(*InversionError)
			if (err == nil) != (first < 0) || err != nil && int(err.Index) != first {
				t.Fatalf("%s: %v, want triangle %d", s.Kernel(), err, first)
			}
			ok := true
			f := make([]r2.Vec, len(x))
			for _, p := range s.Subdomains(3) {
				ok = p.SetForces(&Leapfrog{X: x, F: f}) && ok
			}
			if ok != (first < 0) {
				t.Fatalf("%s: parts say %v, want %v", s.Kernel(), ok, first < 0)
			}
		}
	})
}

// The environment variable chooses only among the kernels of this machine.
func TestKernelOfTheEnvironment(t *testing.T) {
	p := newPatch(1, 1, 1, 1, 0)
	for _, name := range append(Kernels(), "") {
		t.Setenv(KernelVariable, name)
		want := name
		if name == "" {
			want = Kernels()[0]
		}
		if got := p.triangles(t, steel, bulk.PlaneStress, 1).Kernel(); got != want {
			t.Errorf("%q: kernel %q, want %q", name, got, want)
		}
	}
	if !slices.Contains(Kernels(), "generic") {
		t.Errorf("kernels %v: the generic one runs everywhere", Kernels())
	}
	t.Setenv(KernelVariable, "fastest")
	_, err := NewTriangles(p.x, p.tri, make([]int32, 2), make([]int32, 2), []bulk.Moduli{{}}, []float64{1}, 1)
	if want := fmt.Sprintf("%s must be one of", KernelVariable); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

func BenchmarkKernels(b *testing.B) {
	for _, k := range kernels() {
		b.Run(k.name, func(b *testing.B) {
			b.Setenv(KernelVariable, k.name)
			scenes(b, []int{10, 32, 100, 316}, func(s *Triangles, f, x []r2.Vec) {
				if err := s.AddForces(f, x); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
