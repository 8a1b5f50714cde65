package fem

import (
	"fmt"
	"math"
	"os"
	"regexp"
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
	p := newPatch(rapid.IntRange(1, 9).Draw(t, "nx"), rapid.IntRange(1, 5).Draw(t, "ny"), 0.5, 0.3, 0.4)
	p.tri = rapid.Permutation(p.tri).Draw(t, "order")
	moduli, density := make([]bulk.Moduli, 3), []float64{1, 2, 3}
	for i := range moduli {
		m := steel
		m.Young *= float64(i + 1)
		moduli[i] = m.Moduli(bulk.PlaneStress)
	}
	id, material := make([]int64, len(p.tri)), make([]int32, len(p.tri))
	kinds := rapid.Int32Range(1, 3).Draw(t, "materials")
	each := rapid.IntRange(1, 9).Draw(t, "triangles of a material")
	for i := range material {
		id[i], material[i] = int64(i+1), int32(i/each)%kinds
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
	return s, p.shaken(0.005)
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

// Every kernel gives the oracle's bits, for the whole and for any parts.
func TestKernelsGiveTheSameBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, x := patches(t, steel)
		want := make([]r2.Vec, len(x))
		addPlainly(s, want, x)
		n := rapid.IntRange(1, 12).Draw(t, "parts")
		for _, s.kernel = range kernels() {
			f := make([]r2.Vec, len(x))
			if err := s.AddForces(f, x); err != nil {
				t.Fatal(err)
			}
			if i := differ(f, want); i >= 0 {
				t.Fatalf("%s: node %d: %v, want %v", s.Kernel(), i, f[i], want[i])
			}
			for i := range f {
				f[i] = r2.Vec{X: math.NaN()}
			}
			for _, p := range s.Parts(n) {
				if !p.SetForces(f, x) {
					t.Fatalf("%s: a part finds a triangle turned inside out", s.Kernel())
				}
			}
			if i := differ(f, want); i >= 0 {
				t.Fatalf("%s in %d parts: node %d: %v, want %v", s.Kernel(), n, i, f[i], want[i])
			}
		}
	})
}

// Whatever is wrong with a triangle, every kernel stops there and says the
// same, and some part notices.
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
			for _, p := range s.Parts(3) {
				ok = p.SetForces(f, x) && ok
			}
			if ok != (first < 0) {
				t.Fatalf("%s: parts say %v, want %v", s.Kernel(), ok, first < 0)
			}
		}
	})
}

// The environment chooses among the kernels of this machine and nothing else.
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
	_, err := NewTriangles(p.x, p.tri, make([]int64, 2), make([]int32, 2), []bulk.Moduli{{}}, []float64{1}, 1)
	if want := fmt.Sprintf("%s must be one of", KernelVariable); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// Every kernel moves the nodes of any parts to the same bits, and none from the
// end on.
func TestKernelsMoveAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, x := patches(t, steel)
		draw := func(what string) []r2.Vec {
			seed := rapid.Float64Range(-1e3, 1e3).Draw(t, what)
			out := make([]r2.Vec, len(x))
			for i := range out {
				out[i] = r2.Vec{X: seed + math.Sin(seed*float64(i)), Y: seed * math.Cos(seed+float64(i))}
			}
			return out
		}
		v, f, inverse := draw("velocities"), draw("forces"), draw("inverse masses")
		inverse[len(x)/2].X = 0
		end := rapid.IntRange(0, len(x)).Draw(t, "end")
		kick, dt := rapid.Float64Range(1e-9, 1).Draw(t, "kick"), rapid.Float64Range(1e-9, 1).Draw(t, "dt")
		wantX, wantV := slices.Clone(x), slices.Clone(v)
		for i := range end {
			for _, d := range []struct{ x, v, f, w *float64 }{
				{&wantX[i].X, &wantV[i].X, &f[i].X, &inverse[i].X}, {&wantX[i].Y, &wantV[i].Y, &f[i].Y, &inverse[i].Y},
			} {
				*d.v += float64(float64(kick**d.w) * *d.f)
				*d.x += float64(dt * *d.v)
			}
		}
		n := rapid.IntRange(1, 12).Draw(t, "parts")
		for _, s.kernel = range kernels() {
			gotX, gotV, gotF := slices.Clone(x), slices.Clone(v), slices.Clone(f)
			for _, p := range s.Parts(n) {
				p.Move(gotX, gotV, gotF, inverse, int32(end), kick, dt)
			}
			if i := differ(gotF, make([]r2.Vec, len(f))); i >= 0 {
				t.Fatalf("%s in %d parts: node %d of %d: the force is left at %v", s.Kernel(), n, i, len(x), gotF[i])
			}
			if i := max(differ(gotX, wantX), differ(gotV, wantV)); i >= 0 {
				t.Fatalf("%s in %d parts: node %d of %d: at %v with %v, want %v with %v", s.Kernel(), n, i, len(x), gotX[i], gotV[i], wantX[i], wantV[i])
			}
		}
	})
}

// A processor with AVX2 alone has sixteen vector registers: the assembler would
// quietly take instructions of AVX-512 for any more, which it does not know.
func TestAssemblyNeedsNoMoreThanAVX2(t *testing.T) {
	text, err := os.ReadFile("vector_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	if more := regexp.MustCompile(`.*\b([XY](1[6-9]|[23]\d)|Z\d+|K\d)\b.*`).Find(text); more != nil {
		t.Errorf("%s", more)
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
