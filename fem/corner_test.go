package fem

import (
	"math"
	"slices"
	"testing"

	"fdem/materials/bulk"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

// The forces and stresses of single triangles are those of the whole mesh.
func TestCornerForces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, x := patches(t, steel)
		want, got := make([]r2.Vec, len(x)), make([]r2.Vec, len(x))
		if err := s.AddForces(want, x); err != nil {
			t.Fatal(err)
		}
		stress := make([]Stress, s.count)
		s.Stresses(x, bulk.PlaneStress, stress)
		var list []int32
		taken := make([]BlockStress, s.Blocks())
		for i := range s.count {
			if rapid.Bool().Draw(t, "back") { // in any order
				list = append(list, s.LaneIndex(rapid.IntRange(0, i).Draw(t, "of"))/lanes)
			}
			list = append(list, s.LaneIndex(i)/lanes)
		}
		corners := make([]BlockForces, s.Blocks())
		forces := make([][][3]r2.Vec, len(kernels()))
		for k := range forces {
			s.kernel = kernels()[k]
			forces[k] = make([][3]r2.Vec, s.count)
			clear(taken)
			clear(corners)
			s.ComputeCornerForces(append(list, make([]int32, Ahead)...), x, corners)
			s.ComputeStresses(append(list, make([]int32, Ahead)...), x, taken)
			for i := range s.count {
				b, l := s.LaneIndex(i)/lanes, s.LaneIndex(i)%lanes
				if got := (Stress{XX: taken[b].XX[l], YY: taken[b].YY[l], XY: taken[b].XY[l]}); got != stress[i] {
					t.Fatalf("%s: triangle %d: stress %v, want %v", s.Kernel(), i, got, stress[i])
				}
				for c, f := range corners[b] {
					forces[k][i][c] = r2.Vec{X: f[0][l], Y: f[1][l]}
				}
			}
		}
		mass := make([]float64, len(x))
		for i := range s.count {
			f := s.CornerForces(i, x)
			for k := range forces {
				if forces[k][i] != f {
					t.Fatalf("%s: triangle %d: forces %v, want %v", kernels()[k].name, i, forces[k][i], f)
				}
			}
			for k, n := range s.Corners(i) {
				got[n] = r2.Add(got[n], f[k])
				mass[n] += s.CornerMass(i)
			}
		}
		scale := largest(want)
		for i := range want {
			if d := r2.Norm(r2.Sub(got[i], want[i])); d > 1e-13*scale {
				t.Fatalf("node %d: %v, want %v", i, got[i], want[i])
			}
		}
		for i, m := range s.Masses() {
			if m != mass[i] {
				t.Fatalf("node %d: mass %g, want %g kg", i, mass[i], m)
			}
		}
	})
}

// With corners given to other nodes of their pages every kernel and any parts,
// made before, give the bits of triangles that were made so; nodes behind those in
// use, in whole fours, are not touched.
func TestCornersOfOtherNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, x := patches(t, steel)
		// every node in a page of seven, one in use
		const slots = 7
		paged := make([]r2.Vec, slots*len(x))
		for i, p := range x {
			for k := range slots {
				paged[slots*i+k] = p
			}
		}
		all := *s
		all.blocks, all.runs, all.count, all.nodes = nil, nil, 0, len(paged)
		for _, e := range s.elements {
			e.a, e.b, e.c = slots*e.a, slots*e.b, slots*e.c
			all.append(&e)
		}
		used := make([]int32, len(x))
		for i := range used {
			used[i] = 1
		}
		all.Paged(slots, used)
		parts := all.Subdomains(rapid.IntRange(1, 7).Draw(t, "parts"))
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			i, k := rapid.IntRange(0, all.count-1).Draw(t, "triangle"), rapid.IntRange(0, 2).Draw(t, "corner")
			page := all.Corners(i)[k] / slots
			used[page] = min(used[page]+1, slots)
			all.SetCorner(i, k, page*slots+used[page]-1)
		}
		want := make([]r2.Vec, len(paged))
		addPlainly(&all, want, paged)
		for _, all.kernel = range kernels() {
			f := make([]r2.Vec, len(paged))
			for i := range f {
				f[i].X = math.NaN()
			}
			for _, p := range parts {
				if !p.SetForces(&Leapfrog{X: paged, F: f}) {
					t.Fatal("a triangle is turned inside out")
				}
			}
			for i := range f {
				if int32(i%slots) >= (used[i/slots]+3)&^3 {
					if !math.IsNaN(f[i].X) {
						t.Fatalf("node %d is not in use and has the force %v", i, f[i])
					}
					f[i] = r2.Vec{}
				}
			}
			if i := differ(f, want); i >= 0 {
				t.Fatalf("%s: node %d: %v, want %v", all.Kernel(), i, f[i], want[i])
			}
		}
		// the filling triangles were changed, too: a node that no triangle has any more may be
		// anywhere
		free := make([]bool, len(paged))
		for i := range free {
			free[i] = true
		}
		for i := range all.count {
			for _, n := range all.Corners(i) {
				free[n] = false
			}
		}
		for i := range paged {
			if free[i] {
				paged[i] = r2.Vec{X: math.NaN()}
			}
		}
		if err := all.AddForces(make([]r2.Vec, len(paged)), paged); err != nil {
			t.Fatal(err)
		}
	})
}

// lastOfRun returns the end of the run of triangle i.
func lastOfRun(s *Triangles, i int) int {
	for k := range s.runs {
		if i < s.end(k) {
			return s.end(k)
		}
	}
	panic("no such triangle")
}

// AboveThreshold names the triangles beyond the threshold, with those beside them in their blocks where
// these are asked for, and no others; what the parts of any kernel pass on is the same,
// with damping and without, and leaves the forces as they are.
func TestAboveThreshold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, x := patches(t, steel)
		var thresholds []StressThreshold
		for first := 0; first < s.count; {
			end := rapid.IntRange(first+1, first+9).Draw(t, "end")
			end = min(end, lastOfRun(s, first))
			if rapid.Bool().Draw(t, "watched") {
				thresholds = append(thresholds, StressThreshold{int32(first), int32(end), rapid.Float64Range(1e7, 2e10).Draw(t, "tension"), rapid.Float64Range(1e7, 2e10).Draw(t, "shear"), rapid.Float64Range(0, 0.9).Draw(t, "slope"), rapid.Bool().Draw(t, "beside")})
			}
			first = end
		}
		above := make([]bool, s.count)
		last := int32(0)
		found := s.AboveThreshold(x, thresholds, nil)
		free := make([]r2.Vec, len(x))
		addPlainly(s, free, x)
		s.Watch(thresholds)
		for _, s.kernel = range kernels() {
			parts := s.Subdomains(rapid.IntRange(1, 5).Draw(t, "parts"))
			for _, m := range []Leapfrog{{X: x, F: make([]r2.Vec, len(x))}, {X: x, V: x, F: make([]r2.Vec, len(x)), Damping: make([]r2.Vec, len(x)), Mass: make([]float64, len(x))}} {
				for range 2 {
					for _, p := range parts {
						if !p.SetForces(&m) {
							t.Fatal("a triangle is turned inside out")
						}
					}
				}
				if passed := s.Passed(parts, nil, nil); !slices.Equal(passed, found) {
					t.Fatalf("%s in %d parts passes %v, want %v", s.Kernel(), len(parts), passed, found)
				}
				if i := differ(m.F, free); i >= 0 {
					t.Fatalf("%s in %d parts: node %d: %v, want %v", s.Kernel(), len(parts), i, m.F[i], free[i])
				}
			}
		}
		for _, h := range found {
			if h.First < last || h.End <= h.First {
				t.Fatalf("span %v after %d", h, last)
			}
			last = h.End
			for i := h.First; i < h.End; i++ {
				above[i] = true
			}
		}
		beyond := func(a StressThreshold, i int32) bool {
			e := s.element(int(i))
			m := s.moduli[e.material]
			exx, eyy, g := strain(s.gradient(&e, x))
			sxx, syy, sxy := m.C11*exx+m.C12*eyy, m.C12*exx+m.C11*eyy, m.G*g
			p, r := 0.5*(sxx+syy), math.Hypot(0.5*(sxx-syy), sxy)
			return p+r > a.Tension || r+a.Slope*p > a.Shear
		}
		want := make([]bool, s.count)
		for _, a := range thresholds {
			r := s.runOf(int(a.First))
			for b := (a.First - r.first) / lanes; b <= (a.End-1-r.first)/lanes; b++ {
				first, end := r.first+b*lanes, int32(s.number(r, r.block+b, lanes-1))+1
				any := false
				for i := first; i < end; i++ {
					any = any || beyond(a, i)
				}
				for i := first; i < end; i++ {
					want[i] = want[i] || beyond(a, i) || a.Beside && any
				}
			}
		}
		for i := range want {
			if above[i] != want[i] {
				t.Fatalf("triangle %d: hot %v, want %v", i, above[i], want[i])
			}
		}
	})
}

// Corners returns the nodes of triangle i.
func (t *Triangles) Corners(i int) [3]int32 {
	e := t.element(i)
	return [3]int32{e.a, e.b, e.c}
}
