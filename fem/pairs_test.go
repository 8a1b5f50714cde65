package fem

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fdem/materials/bulk"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// paired is a square of triangles that share their volumes by twos, with a law of a nearly
// incompressible material, and its positions.
func paired(t testing.TB, name string, values map[string]float64, n int) (*Triangles, []r2.Vec) {
	t.Helper()
	e := bulk.Elastic{Name: "soft", Young: 1e6, Poisson: 0.49, Density: 1000}
	src := &mesh.Source{Name: "square"}
	for j := range n + 1 {
		for i := range n + 1 {
			src.AddNode(r2.Vec{X: float64(i) / float64(n), Y: float64(j)/float64(n) + 0.02*float64(i*j%3)})
		}
	}
	var all []int32
	for j := range n {
		for i := range n {
			a := int32(j*(n+1) + i)
			all = append(all, src.AddTriangle(a, a+1, a+int32(n)+2), src.AddTriangle(a, a+int32(n)+2, a+int32(n)+1))
		}
	}
	src.Groups = []mesh.SourceGroup{{Name: "square", Dim: 2, Number: 1, Elements: all}}
	m, err := mesh.Build(src, []string{"square"})
	if err != nil {
		t.Fatal(err)
	}
	m = m.WithPairs([]bool{true})
	var law bulk.Law = &bulk.SaintVenant{Elastic: e}
	if name != "" {
		of, _ := bulk.Lookup(name)
		if law, err = of.Build(e, bulk.Constants{Value: values}); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := NewTriangles(m.X, m.Triangles, m.TriID, make([]int32, len(m.Triangles)), []bulk.Moduli{e.Moduli(bulk.PlaneStrain)}, []float64{e.Density}, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	tr.Follow([]bulk.Law{law}, bulk.PlaneStrain)
	tr.Pair(m.Pairs)
	return tr, m.X
}

// shaken returns positions with some of size added.
func shaken(x []r2.Vec, size float64, seed uint64) []r2.Vec {
	r := rand.New(rand.NewPCG(seed, 1))
	out := slices.Clone(x)
	for i := range out {
		out[i].X += size * (r.Float64() - 0.5)
		out[i].Y += size * (r.Float64() - 0.5)
	}
	return out
}

// evaluated returns forces at x, of a step that is committed.
func evaluated(t testing.TB, tr *Triangles, x []r2.Vec, step int64) []r2.Vec {
	t.Helper()
	f := make([]r2.Vec, len(x))
	tr.Advance(step, 0, true, false)
	for _, p := range tr.Subdomains(1) {
		if !p.SetForces(&Leapfrog{X: x, F: f}) {
			t.Fatal("inverted")
		}
	}
	return f
}

var pairLaws = []struct {
	name   string
	values map[string]float64
}{{"", nil}, {"neo-hooke", nil}, {"j2", map[string]float64{"yield_stress": 1e12}}}

// Forces of pairs are the gradient of their energy.
func TestForcesOfPairs(t *testing.T) {
	for _, law := range pairLaws {
		tr, x0 := paired(t, law.name, law.values, 4)
		if n := len(x0); n != 25 {
			t.Fatal(n)
		}
		x := shaken(x0, 0.04, 7)
		f := evaluated(t, tr, x, 1)
		greatest := 0.0
		for _, v := range f {
			greatest = max(greatest, math.Abs(v.X), math.Abs(v.Y))
		}
		const h = 1e-6
		energy := func(x []r2.Vec) float64 {
			evaluated(t, tr, x, 1)
			return tr.StrainEnergy(x)
		}
		for n := range x {
			for c := range 2 {
				move := func(by float64) float64 {
					y := slices.Clone(x)
					if c == 0 {
						y[n].X += by
					} else {
						y[n].Y += by
					}
					return energy(y)
				}
				want := -(8*(move(h)-move(-h)) - (move(2*h) - move(-2*h))) / (12 * h)
				if got := [2]float64{f[n].X, f[n].Y}[c]; math.Abs(got-want) > 1e-8*greatest {
					t.Fatalf("law %q: force %d of node %d is %.12g, the energy's gradient %.12g", law.name, c, n, got, want)
				}
			}
		}
	}
}

// The tangent of pairs is the gradient of their forces, and symmetric.
func TestTangentOfPairs(t *testing.T) {
	for _, law := range append(slices.Clone(pairLaws), struct {
		name   string
		values map[string]float64
	}{"j2", map[string]float64{"yield_stress": 2e3, "hardening": 1e4}}) {
		tr, x0 := paired(t, law.name, law.values, 3)
		x := shaken(x0, 0.02, 3)
		p := NewPattern(len(x), tr)
		val := make([]float64, len(p.Col))
		p.AddTriangles(val, tr, x)
		at := func(row, col int32) float64 {
			for k := p.RowPtr[row]; k < p.RowPtr[row+1]; k++ {
				if p.Col[k] == col {
					return val[k]
				}
			}
			return 0
		}
		greatest := 0.0
		for _, v := range val {
			greatest = max(greatest, math.Abs(v))
		}
		const h = 1e-7
		for n := range x {
			for c := range 2 {
				forces := func(by float64) []r2.Vec {
					y := slices.Clone(x)
					if c == 0 {
						y[n].X += by
					} else {
						y[n].Y += by
					}
					f := make([]r2.Vec, len(x))
					if err := tr.AddForces(f, y); err != nil {
						t.Fatal(err)
					}
					return f
				}
				a, b := forces(h), forces(-h)
				col := p.First[n] + int32(c)
				for m := range x {
					for q, want := range [2]float64{-(a[m].X - b[m].X) / (2 * h), -(a[m].Y - b[m].Y) / (2 * h)} {
						row := p.First[m] + int32(q)
						if got := at(row, col); math.Abs(got-want) > 1e-6*greatest || got != at(col, row) {
							t.Fatalf("law %q: stiffness (%d, %d) is %.9g, want %.9g, across %.9g", law.name, row, col, got, want, at(col, row))
						}
					}
				}
			}
		}
	}
}

// A pair that is separated keeps its energy to rounding, and the single triangles' forces are then
// the gradient of theirs. Separating the pair again gives the same bits.
func TestSeparatedPairKeepsItsEnergy(t *testing.T) {
	tr, x0 := paired(t, "j2", map[string]float64{"yield_stress": 2e4}, 4)
	x := shaken(x0, 0.02, 5)
	evaluated(t, tr, x, 1)
	x = shaken(x, 0.01, 6)
	evaluated(t, tr, x, 2)
	before := tr.Energies(x)
	stored, lost := before[0], before[1]
	if lost == 0 {
		t.Fatal("nothing yields")
	}
	for i := range tr.count - 1 {
		tr.Unpair(int32(i), int32(i+1), x)
	}
	if len(tr.Separated.Pairs) < 12 || tr.Paired(0) >= 0 {
		t.Fatalf("parted: %v", tr.Separated.Pairs)
	}
	separated := evaluated(t, tr, x, 2)
	if e := tr.Energies(x); math.Abs(e[0]-stored) > 1e-12*stored || math.Abs(e[1]-lost) > 1e-12*lost {
		t.Errorf("stored %.15g and lost %.15g J, were %.15g and %.15g", e[0], e[1], stored, lost)
	}
	again, _ := paired(t, "j2", map[string]float64{"yield_stress": 2e4}, 4)
	again.Separated = tr.Separated
	if err := again.RestoreSeparated(); err != nil {
		t.Fatal(err)
	}
	copy(again.Memory(0), tr.lawful.now)
	if f := evaluated(t, again, x, 2); !slices.Equal(f, separated) {
		t.Error("parted again, it has other forces")
	}
	if err := again.RestoreSeparated(); err != nil || !slices.Equal(evaluated(t, again, x, 2), separated) {
		t.Errorf("separated already, and again: %v", err)
	}
	again.Separated.Pairs, again.Separated.Factors = append(again.Separated.Pairs, again.Separated.Pairs[0]), append(again.Separated.Factors, 1, 1)
	if err := again.RestoreSeparated(); err == nil {
		t.Error("pairs are parted twice")
	}
}

// Both triangles of a pair have the same mean stress in the plane, and any number of parts gives
// the same bits.
func TestPairsBesideOneAnother(t *testing.T) {
	tr, x0 := paired(t, "neo-hooke", nil, 12)
	x := shaken(x0, 0.01, 2)
	want := evaluated(t, tr, x, 1)
	for i := range tr.count {
		k := tr.Paired(i)
		if k < i {
			continue
		}
		a, b := tr.Stress(i, x, bulk.PlaneStrain), tr.Stress(k, x, bulk.PlaneStrain)
		if p, q := a.XX+a.YY, b.XX+b.YY; math.Abs(p-q) > 1e-10*math.Abs(p) {
			t.Errorf("pair of %d and %d: %g and %g Pa", i, k, p, q)
		}
	}
	for _, n := range []int{2, 3, 8} {
		f := make([]r2.Vec, len(x))
		tr.Advance(1, 0, true, false)
		for _, p := range tr.Subdomains(n) {
			if !p.SetForces(&Leapfrog{X: x, F: f}) {
				t.Fatal("inverted")
			}
		}
		if !slices.Equal(f, want) {
			t.Errorf("%d parts give other bits", n)
		}
	}
}

// All kernels give the same bits for pairs, for single triangles beside them and for the bound of
// the step.
func TestKernelsOfLaws(t *testing.T) {
	for _, law := range []struct {
		name   string
		values map[string]float64
	}{{"neo-hooke", nil}, {"j2", map[string]float64{"yield_stress": 2e3, "hardening": 1e5}}, {"mohr-coulomb", map[string]float64{"cohesion": 2e3, "friction_angle": 20}}} {
		flowed := 0.0
		run := func(kernel string) (out []float64) {
			t.Setenv(KernelVariable, kernel)
			tr, x := paired(t, law.name, law.values, 11) // 242 triangles: the last block is not full
			tr.Unpair(40, 41, x)
			parts := tr.Subdomains(3)
			for step := range 16 {
				f := make([]r2.Vec, len(x))
				at := shaken(x, 2e-4*float64(step*step%7), uint64(step))
				if step > 11 { // all triangles alike, which vibrate as fast
					for i := range at {
						at[i] = r2.Vec{X: x[i].X * (1 + 1e-4*float64(step)), Y: x[i].Y}
					}
				}
				tr.Advance(int64(step), 1e-3, true, step%2 == 0)
				for _, p := range parts {
					if !p.SetForces(&Leapfrog{X: at, F: f}) {
						t.Fatal("inverted")
					}
				}
				for _, v := range f {
					out = append(out, v.X, v.Y)
				}
				flowed = 0
				for i := range tr.count {
					flowed += tr.Value(bulk.PlasticStrain, i)
				}
				out = append(out, tr.Stiffest(parts), flowed)
				out = slices.Concat(out, tr.lawful.xx, tr.lawful.zz, tr.lawful.energy, tr.lawful.next)
			}
			return out
		}
		want := run("generic")
		if got := run(""); !slices.Equal(got, want) {
			t.Errorf("%s: the fastest kernel gives other bits than Go", law.name)
		}
		if law.values != nil && !(flowed > 0) {
			t.Errorf("%s: nothing yields", law.name)
		}
	}
}

// Pairs are found in a run that begins with an odd number too: partners name each other, the
// tangent is that of both, and a pair that is separated is separated again.
func TestPairsBehindAnOddNumber(t *testing.T) {
	tr := make([]*Triangles, 2)
	for k := range tr {
		x := []r2.Vec{{}, {X: 1}, {Y: 1}, {X: 2}, {X: 3}, {X: 2, Y: 1}, {X: 3, Y: 1}}
		e := bulk.Elastic{Name: "soft", Young: 1e6, Poisson: 0.49, Density: 1000}
		made, err := NewTriangles(x, [][3]int32{{0, 1, 2}, {3, 4, 5}, {4, 6, 5}}, nil, []int32{0, 1, 1}, []bulk.Moduli{e.Moduli(bulk.PlaneStrain), e.Moduli(bulk.PlaneStrain)}, []float64{1000, 1000}, 1)
		if err != nil {
			t.Fatal(err)
		}
		made.Follow([]bulk.Law{nil, &bulk.SaintVenant{Elastic: e}}, bulk.PlaneStrain)
		made.Pair([]bool{false, true, false})
		for i, want := range []int{-1, 2, 1} {
			if got := made.Paired(i); got != want {
				t.Errorf("triangle %d is a partner of %d, want %d", i, got, want)
			}
		}
		if tr[k] = made; k == 0 {
			made.Unpair(1, 2, x)
			continue
		}
		made.Separated = tr[0].Separated
		if err := made.RestoreSeparated(); err != nil || made.Paired(1) >= 0 {
			t.Errorf("not parted again: %v", err)
		}
	}
}
