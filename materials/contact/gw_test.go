package contact

import (
	"flag"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"fdem/materials/contact/rough"
)

func newGW(t testing.TB, s rough.Spheres) *GreenwoodWilliamson {
	t.Helper()
	g, err := NewGreenwoodWilliamson(s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// roughSamples are spheres at the ends of the range and within.
func roughSamples() []rough.Spheres {
	var all []rough.Spheres
	for _, v := range [][2]float64{{1e-6, 1}, {1e-3, 4}, {1e-2, 10}} {
		s := rough.Spheres{Radius: 1, Modulus: 1, Sigma: v[0], Mu: v[1]}
		all = append(all, s)
		s.Extended = true
		all = append(all, s)
		s.Psi, s.K = 4, 0.6
		all = append(all, s)
		s.Psi, s.K = 100, 0.1
		all = append(all, s)
	}
	return all
}

var roughPoints = flag.Int("rough-points", 2, "pairs of points that TestRoughTable compares for each surface")

// The table is within 1e-6 of the force, not only of the greatest one, from
// the end of its foot to 0.05 R, between its knots too; the foot departs from
// the paper by less than 1.25 of the force at first touch.
func TestRoughTable(t *testing.T) {
	worst, worstFoot, worstSlope, sample, knots := 0.0, 0.0, 0.0, 0.0, 0
	for _, s := range roughSamples() {
		g := newGW(t, s)
		n := newNode(g)
		knots = max(knots, len(g.table.knots))
		foot := g.table.knots[1].d
		check := func(delta float64) {
			c, err := s.Solve(delta)
			if err != nil {
				t.Fatal(err)
			}
			off := math.Abs(n.move(delta+3*s.Sigma)/c.Force - 1)
			worst = max(worst, off)
			if off > 1e-6 {
				t.Errorf("%+v at %g: force off by %.2g of it", s, delta, off)
			}
			off = math.Abs(n.dp[0]/c.Stiffness - 1)
			worstSlope = max(worstSlope, off)
			if off > 1e-3 {
				t.Errorf("%+v at %g: tangent %g, solved %g", s, delta, n.dp[0], c.Stiffness)
			}
		}
		for range *roughPoints {
			sample++
			u := math.Mod(sample*0.6180339887498949, 1)
			if delta := foot + (6*u-3)*s.Sigma; delta < 0.05 {
				check(delta)
			}
			check(0.05 * math.Pow(1e-6, u))
		}
		first, err := s.Solve(-3 * s.Sigma)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 8 {
			d := foot * float64(i) / 8
			c, err := s.Solve(d - 3*s.Sigma)
			if err != nil {
				t.Fatal(err)
			}
			worstFoot = max(worstFoot, math.Abs(n.move(d)-c.Force)/first.Force)
		}
	}
	if worstFoot > 1.25 {
		t.Errorf("the foot departs by %g of the force at first touch", worstFoot)
	}
	t.Logf("%d knots at most, off by %.2g, slope by %.2g; the foot by %.3g of the force at first touch", knots, worst, worstSlope, worstFoot)
}

// Figure 8 of Zhao and Feng, recomputed independently, in SI units: the law at
// the deflection delta + 3 sigma.
func TestRoughForceDisplacement(t *testing.T) {
	rows := records(t, "rough/testdata/gw_force_displacement.csv")
	const radius, modulus = 2e-3, 70e9
	for k, name := range []string{"gw", "e-gw", "ep-gw"} {
		values := map[string]float64{"radius": radius, "modulus": modulus, "sigma": 1e-3 * radius, "mu": 4}
		if name == "ep-gw" {
			values["psi"], values["hardness_ratio"] = 4, 0.6
		}
		m, _ := Lookup(name)
		if m.Kind != Point {
			t.Errorf("%s is not a point law", name)
		}
		law, err := m.Build(values)
		if err != nil {
			t.Fatal(err)
		}
		n := newNode(law)
		for _, row := range rows[2:] { // above first touch
			delta, want := number(t, row[0]), number(t, row[4+k])
			near(t, fmt.Sprintf("%s at %g", name, delta), n.move((delta+3e-3)*radius), want*modulus*radius*radius, 1e-4)
		}
		if n.move(0) != 0 || n.dp[0] != 0 || n.w[0] != 0 || n.move(-1e-6) != 0 {
			t.Errorf("%s: force before touch", name)
		}
	}
}

// Force, tangent and work go on smoothly at the end of the foot and beyond the
// table, and the tangent stays positive.
func TestRoughTableIsSmooth(t *testing.T) {
	for _, s := range roughSamples() {
		g := newGW(t, s)
		last := g.table.knots[len(g.table.knots)-1].d
		for _, d := range []float64{g.table.knots[1].d, last} {
			below, dBelow, wBelow := g.table.at(math.Nextafter(d, 0))
			above, dAbove, wAbove := g.table.at(d)
			near(t, "force", above, below, 1e-12)
			near(t, "tangent", dAbove, dBelow, 1e-9)
			near(t, "work", wAbove, wBelow, 1e-12)
		}
		f0, _, w0 := g.table.at(last)
		f1, _, w1 := g.table.at(1.001 * last)
		near(t, "work beyond the table", w1-w0, 0.5*(f0+f1)*0.001*last, 1e-6)
		for i := range 2000 {
			d := last * math.Pow(1e-8, 1-float64(i)/1500)
			if f, df, w := g.table.at(d); !(f > 0 && df > 0 && w > 0) {
				t.Errorf("%+v at %g: force %g, tangent %g, work %g", s, d, f, df, w)
			}
		}
	}
}

// The table does not depend on how many processors build it.
func TestRoughTableIsReproducible(t *testing.T) {
	s := rough.Spheres{Radius: 1, Modulus: 1, Sigma: 2e-3, Mu: 5, Extended: true, Psi: 3, K: 0.5}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	alone, err1 := newRoughTable(s)
	runtime.GOMAXPROCS(4)
	together, err2 := newRoughTable(s)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if !slices.Equal(alone.knots, together.knots) || alone.start != together.start || alone.stiff != together.stiff {
		t.Error("one processor builds another table than four")
	}
}

// Spheres of the same proportions share a table, made once, even if many request it at the same
// time.
func TestRoughTablesAreShared(t *testing.T) {
	var all sync.WaitGroup
	laws := make([]*GreenwoodWilliamson, 8)
	for i := range laws {
		all.Add(1)
		go func() {
			defer all.Done()
			r := math.Ldexp(1, i)
			laws[i], _ = NewGreenwoodWilliamson(rough.Spheres{Radius: r, Modulus: 1e9, Sigma: 3e-3 * r, Mu: 2})
		}()
	}
	all.Wait()
	for _, g := range laws {
		if g == nil || g.table != laws[0].table {
			t.Fatal("a table of its own")
		}
	}
}

func TestRoughRefuses(t *testing.T) {
	for _, tt := range []struct {
		parameter string
		value     float64
		want      string
	}{
		{"sigma", 1e-10, "sigma/radius"}, {"sigma", 1e-4, "sigma/radius"}, {"mu", 0.5, "mu"},
		{"psi", 0, "psi"}, {"hardness_ratio", 1.1, "hardness_ratio"}, {"radius", -1, "radius"},
	} {
		m, _ := Lookup("ep-gw")
		values := map[string]float64{}
		for name, v := range samples["ep-gw"] {
			values[name] = v
		}
		values[tt.parameter] = tt.value
		if _, err := m.Build(values); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s = %g: error %v", tt.parameter, tt.value, err)
		}
	}
}

func BenchmarkRoughTable(b *testing.B) {
	for b.Loop() {
		if _, err := newRoughTable(rough.Spheres{Radius: 1, Modulus: 1, Sigma: 1e-3, Mu: 4, Extended: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGreenwoodWilliamson(b *testing.B) {
	g := build(b, "e-gw")
	const n = 1000
	in := Input{D: make([]float64, n), Rate: make([]float64, n)}
	out := Output{P: make([]float64, n), DP: make([]float64, n), K: make([]float64, n), W: make([]float64, n)}
	for i := range n {
		in.D[i] = 1e-8 * float64(i)
	}
	for b.Loop() {
		g.Eval(in, out)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*b.N), "ns/contact")
}
