package network

import (
	"math"
	"testing"

	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
	"pgregory.net/rapid"
)

func box(w, h float64) Region { return Region{{}, {X: w}, {X: w, Y: h}, {Y: h}} }

func total(t []Trace) (sum float64) {
	for _, t := range t {
		sum += t.Length()
	}
	return sum
}

// Intensities, lengths and orientations of a network come out as asked.
func TestSets(t *testing.T) {
	region := box(20, 10)
	s := Set{Mean: 0.5, Kappa: 20, Lengths: Lengths{Kind: "constant", Mean: 1}, P21: 2, Seed: 7}
	traces, err := s.Draw(region, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := total(traces) / 200; math.Abs(got-2) > 0.5/200 {
		t.Errorf("P21 is %g, want 2 to half a joint", got)
	}
	s = Set{Mean: 2.8, Kappa: 5, Lengths: Lengths{Kind: "constant", Mean: 0.05}, P20: 100, Seed: 3}
	if traces, err = s.Draw(region, nil, 0); err != nil {
		t.Fatal(err)
	}
	if n := float64(len(traces)); math.Abs(n-20000) > 300 {
		t.Errorf("%g joints, want 20000", n)
	}
	var sum r2.Vec
	for _, k := range traces {
		d := r2.Sub(k.B, k.A)
		a := 2 * elementary.Atan2(d.Y, d.X)
		sum = r2.Add(sum, r2.Vec{X: elementary.Cos(a), Y: elementary.Sin(a)})
	}
	n := float64(len(traces))
	// I1(5)/I0(5) = 0.8934
	if r := elementary.Norm(sum) / n; math.Abs(r-0.8934) > 4/math.Sqrt(n)*0.3 {
		t.Errorf("the resultant is %g, want 0.8934", r)
	}
	if a := math.Mod(0.5*elementary.Atan2(sum.Y, sum.X)+math.Pi, math.Pi); math.Abs(a-2.8) > 0.02 {
		t.Errorf("the mean orientation is %g, want 2.8", a)
	}
}

// Distributions of lengths have their means and shares.
func TestLengths(t *testing.T) {
	mean := func(l Lengths) (m, low float64) {
		r := newSource(11, 0)
		const n = 200_000
		for range n {
			v := l.draw(r)
			m += v / n
			if v < 2 {
				low += 1.0 / n
			}
		}
		return m, low
	}
	if m, _ := mean(Lengths{Kind: "lognormal", Mean: 3, Deviation: 2}); math.Abs(m-3) > 0.02 {
		t.Errorf("the lognormal has the mean %g, want 3", m)
	}
	// a = 2.5 from 1 to 10: mean (1.5/0.5)(1 - 10^-0.5)/(1 - 10^-1.5), below 2: (1 - 2^-1.5)/(1 - 10^-1.5)
	m, low := mean(Lengths{Kind: "power", Exponent: 2.5, Min: 1, Max: 10})
	if want := 3 * (1 - math.Pow(10, -0.5)) / (1 - math.Pow(10, -1.5)); math.Abs(m-want) > 0.02 {
		t.Errorf("the power law has the mean %g, want %g", m, want)
	}
	if want := (1 - math.Pow(2, -1.5)) / (1 - math.Pow(10, -1.5)); math.Abs(low-want) > 0.005 {
		t.Errorf("%g of the power law below 2, want %g", low, want)
	}
}

// Grains fill the region: every grain has about the given size, and their boundaries are as long as
// those of even grains.
func TestGrains(t *testing.T) {
	region := box(10, 10)
	traces, err := Grains(region, 0.5, 20, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	// Hexagons of the area A have 1.861/sqrt(A) of boundary an area.
	if got := (total(traces) + 20) / 100; math.Abs(got-1.861/0.5-0.1) > 0.15 {
		t.Errorf("%g m of boundaries a square metre", got)
	}
	var seeds []r2.Vec
	r := newSource(5, 0)
	for range 60 {
		seeds = append(seeds, r2.Vec{X: 10 * r.Float64(), Y: 10 * r.Float64()})
	}
	area := 0.0
	for i, c := range cells(region, seeds, 1.3) {
		area += c.Area()
		if !c.Holds(seeds[i]) {
			t.Errorf("grain %d does not hold its seed", i)
		}
	}
	if math.Abs(area-100) > 1e-9 {
		t.Errorf("the grains have %g of 100 m2", area)
	}
}

// For any set of lines, edges meet only at their ends and keep a distance. The kept length and the
// length reported as lost add up to all of it.
func TestGraphIsPlanar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		region := box(10, 6)
		const spacing = 0.1
		var traces []Trace
		sets := rapid.IntRange(1, 3).Draw(t, "sets")
		for k := range sets {
			s := Set{
				Mean: rapid.Float64Range(0, math.Pi).Draw(t, "mean"), Kappa: rapid.SampledFrom([]float64{0, 5, 100}).Draw(t, "kappa"),
				Lengths: Lengths{Kind: "lognormal", Mean: 2, Deviation: 1}, P21: rapid.Float64Range(0.05, 1).Draw(t, "P21"), Seed: rapid.Uint64().Draw(t, "seed"),
				Termination: rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "termination"),
			}
			var err error
			if traces, err = s.Draw(region, traces, int32(k)); err != nil {
				t.Fatal(err)
			}
		}
		g := Build(region, traces, sets, 0, spacing)
		for i, e := range g.Edges {
			for _, f := range g.Edges[:i] {
				if e.A == f.A || e.A == f.B || e.B == f.A || e.B == f.B {
					continue
				}
				if s, u, ok := cross(g.X[e.A], g.X[e.B], g.X[f.A], g.X[f.B]); ok {
					t.Fatalf("edges %v and %v cross at %g, %g", e, f, s, u)
				}
			}
		}
		for i := range g.X {
			for j := range i {
				if d := elementary.Norm(r2.Sub(g.X[i], g.X[j])); d < 0.5*spacing {
					t.Fatalf("vertices %v and %v are %g apart", g.X[i], g.X[j], d)
				}
			}
		}
		// a joint along the outline or along another joint is left out, and this is reported
		kept, lost, asked := 0.0, 0.0, total(traces)
		for k := range sets {
			lost += g.Lost[k]
		}
		for _, e := range g.Edges {
			kept += e.Of
			if e.Set >= 0 == (e.Of == 0) {
				t.Fatalf("edge %v stands for %g m", e, e.Of)
			}
		}
		if math.Abs(kept+lost-asked) > 1e-9*asked {
			t.Fatalf("%g m kept and %g m lost of %g m", kept, lost, asked)
		}
		length := 0.0
		for k := range sets {
			length += g.Length(int32(k))
		}
		if math.Abs(length-kept) > 0.1*asked+2*spacing {
			t.Fatalf("edges of %g m stand for %g m", length, kept)
		}
		faces := g.Faces(0)
		if len(faces) != 1 || math.Abs(g.Area(&faces[0])-60) > 1e-9 {
			t.Fatalf("the region is %v, want one face of 60 m2", faces)
		}
	})
}

// For any excavation, the remaining area is that of the region less that of the hole, and no edge
// lies in the hole.
func TestExcavatedCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		region := box(10, 6)
		const spacing = 0.1
		centre := r2.Vec{X: rapid.Float64Range(-1, 11).Draw(t, "x"), Y: rapid.Float64Range(-1, 7).Draw(t, "y")}
		hole := Round(centre, rapid.Float64Range(0.3, 2).Draw(t, "radius"), 2*spacing)
		outlines := int32(1)
		traces := hole.Outline(region, 0)
		if rapid.Bool().Draw(t, "layers") {
			y := rapid.Float64Range(1, 5).Draw(t, "bed")
			traces = append(traces, Trace{A: r2.Vec{X: 0, Y: y}, B: r2.Vec{X: 10, Y: y}, Set: 1})
			outlines++
		}
		s := Set{Mean: 1, Kappa: 5, Lengths: Lengths{Kind: "lognormal", Mean: 2, Deviation: 1}, P21: rapid.Float64Range(0.05, 1).Draw(t, "P21"), Seed: rapid.Uint64().Draw(t, "seed")}
		traces, err := s.Draw(region, traces, outlines)
		if err != nil {
			t.Fatal(err)
		}
		g := Build(region, traces, int(outlines)+1, int(outlines), spacing)
		_, area := g.Excavate(outlines, hole.Encloses)
		left := 60 - hole.Within(region)
		// ends on the outline are moved by up to half an edge
		if math.Abs(area-left) > 0.1*hole.Area()+0.1 {
			t.Fatalf("%g m2 stay, want %g", area, left)
		}
		small := make(Region, len(hole)) // whose sides are farther in than ends are moved
		for i, x := range hole {
			small[i] = elementary.Between(x, centre, 0.5)
		}
		for _, e := range g.Edges {
			if small.Encloses(elementary.Between(g.X[e.A], g.X[e.B], 0.5)) {
				t.Fatalf("edge from %v to %v lies in the hole", g.X[e.A], g.X[e.B])
			}
		}
	})
}
