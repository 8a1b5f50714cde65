package rough

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"
	"pgregory.net/rapid"
)

// table reads a file of numbers; an empty field is 0.
func table(t *testing.T, file string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	if s == "" {
		return 0
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*math.Abs(want)) {
		t.Errorf("%s: %.12g, want %.12g: off by %.2g of it", what, got, want, math.Abs(got/want-1))
	}
}

func solve(t testing.TB, s Spheres, d float64) *Solution {
	t.Helper()
	c, err := s.Solve(d)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	return c
}

func hertzForce(d float64) float64 { return 4. / 3 * max(d, 0) * math.Sqrt(max(d, 0)) }

// The mean force of the asperities against closed forms and against plain
// sums over the heights.
func TestMeanOfAsperities(t *testing.T) {
	g, slope := newAsperities(0, 0).mean(0)
	near(t, "elastic at h = 0", g, math.Pow(2, -0.25)*math.Gamma(1.25)/math.Sqrt(math.Pi), 1e-12)
	near(t, "its slope", slope, -1.5*math.Pow(2, -0.75)*math.Gamma(0.75)/math.Sqrt(math.Pi), 1e-12)
	g, slope = newAsperities(0, 0).mean(-1000) // moments of the normal distribution
	near(t, "elastic at h = -1000", g, math.Pow(1000, 1.5)*(1+3./8*1e-6+9./128*1e-12), 1e-12)
	near(t, "its slope", slope, -1.5*math.Sqrt(1000)*(1-1./8*1e-6), 1e-11)
	g, slope = newAsperities(5, 0.5).mean(-60) // all plastic: 2 e^(1/2)/K x
	near(t, "plastic at h = -60", g, 2*0.2/0.5*60, 1e-12)
	near(t, "its slope", slope, -2*0.2/0.5, 1e-12)

	for _, psi := range []float64{0, 0.3, 1, 4, 10, 100} {
		for _, k := range []float64{0.1, 0.6, 1} {
			a := newAsperities(psi, k)
			for _, h := range []float64{-30, -7, -1, 0, 0.5, 2, 4} {
				g, slope := a.mean(h)
				// Simpson's rule in y, x = y^2, from branch to branch.
				want, wantSlope := 0.0, 0.0
				high := math.Sqrt(max(0, -h) + 10)
				ends := []float64{0, min(high, math.Sqrt(a.elastic)), min(high, math.Sqrt(a.plastic)), high}
				for branch := range 3 {
					const parts = 2000
					step := (ends[branch+1] - ends[branch]) / parts
					for i := range parts + 1 {
						weight := float64(2+2*(i%2)) / 3
						if i == 0 || i == parts {
							weight = 1. / 3
						}
						y := ends[branch] + float64(i)*step
						if y == 0 || step == 0 {
							continue
						}
						f, df := a.force(branch, y*y, y)
						density := math.Exp(-0.5*(y*y+h)*(y*y+h)) / math.Sqrt(2*math.Pi) * 2 * y * step * weight
						want += f * density
						wantSlope -= df * density
					}
				}
				what := fmt.Sprintf("psi %g, K %g, h %g", psi, k, h)
				near(t, what, g, want, 1e-8)
				near(t, what+", slope", slope, wantSlope, 1e-8)
			}
		}
	}
}

// The asperity of Zhao, Maietta and Chang: continuous, mean pressure KH where
// it yields and H where it is plastic, twice Hertz's area.
func TestAsperity(t *testing.T) {
	const k = 0.4
	a := newAsperities(2, k)
	e := a.elastic
	near(t, "e", e, 0.25, 1e-15)
	for branch, x := range []float64{e, 54 * e} {
		below, _ := a.force(branch, x, math.Sqrt(x))
		above, _ := a.force(branch+1, x, math.Sqrt(x))
		near(t, fmt.Sprintf("end of branch %d", branch), above, below, 1e-14)
	}
	for branch, x := range []float64{0.7 * e, 9 * e, 60 * e} {
		const step = 1e-6
		up, _ := a.force(branch, x+step, math.Sqrt(x+step))
		down, _ := a.force(branch, x-step, math.Sqrt(x-step))
		_, slope := a.force(branch, x, math.Sqrt(x))
		near(t, fmt.Sprintf("slope on branch %d", branch), slope, (up-down)/(2*step), 1e-8)
	}
}

// Hertz's pressure deforms a half space as Hertz says, and a pressure growing
// from the axis as a power series says.
func TestDeformationUnderHertz(t *testing.T) {
	const a = 0.1
	edges := (&problem{d: a * a, sigma: 1e-6}).edges(1)
	g := newDisc(edges)
	p := make([]float64, len(g.r))
	for i, r := range g.r {
		p[i], _, _, _ = hertz(a, r)
	}
	near(t, "force", g.integral(p), hertzForce(a*a), 1e-8)
	near(t, "at the axis", g.center(p), a*a, 1e-8)
	worst := 0.0
	for i, r := range g.r {
		w := 0.0
		for j, v := range p {
			w += g.influence[i][j] * v
		}
		_, _, want, _ := hertz(a, r)
		worst = max(worst, math.Abs(w-want)/(a*a))
	}
	if worst > 1e-7 {
		t.Errorf("deformation off by %g of its greatest", worst)
	}
	t.Logf("worst deformation under Hertz's pressure: %.1e", worst)

	// A smooth pressure, (1 - r^2)^2, and the reciprocal theorem: p1 does on w2
	// the work of p2 on w1.
	g = newDisc([]float64{0, 0.2, 0.5, 1})
	p1, p2 := make([]float64, len(g.r)), make([]float64, len(g.r))
	for i, r := range g.r {
		p1[i] = (1 - r*r) * (1 - r*r)
		p2[i] = r * r * (1 - r*r) * (1 - r*r)
	}
	near(t, "smooth pressure, at the axis", g.center(p1), 16./15, 1e-13)
	energy := func(p, q []float64) float64 {
		f := make([]float64, len(p))
		for i, row := range g.influence {
			for j, v := range row {
				f[i] += v * q[j]
			}
			f[i] *= p[i]
		}
		return g.integral(f)
	}
	near(t, "reciprocity", energy(p1, p2), energy(p2, p1), 1e-9)
}

// Figures 3 and 7 of the paper, recomputed independently.
func TestFigures(t *testing.T) {
	var force, fields float64
	for _, row := range table(t, "gw.csv") {
		s := Spheres{1, 1, number(t, row[2]), number(t, row[3]), row[0] != "GW", number(t, row[4]), number(t, row[5])}
		d := number(t, row[1])
		c := solve(t, s, d)
		p, w := c.Pressure[0]/(2/math.Pi*math.Sqrt(d)), c.Bulk[0]/d
		if s.Extended { // the asperities' part is listed
			p, w = p-1, w-1
			near(t, fmt.Sprint(row, " asperities' part"), c.Force/hertzForce(d)-1, number(t, row[7]), 1e-4)
		}
		near(t, fmt.Sprint(row, " force"), c.Force/hertzForce(d), number(t, row[6]), 1e-5)
		near(t, fmt.Sprint(row, " pressure"), p, number(t, row[8]), 1e-4)
		near(t, fmt.Sprint(row, " deformation"), w, number(t, row[9]), 1e-4)
		force = max(force, math.Abs(c.Force/hertzForce(d)/number(t, row[6])-1))
		fields = max(fields, math.Abs(p/number(t, row[8])-1), math.Abs(w/number(t, row[9])-1))
	}
	t.Logf("worst force %.1e, worst field %.1e", force, fields)
}

// Figure 8, recomputed independently.
func TestForceDisplacement(t *testing.T) {
	worst := 0.0
	for _, row := range table(t, "gw_force_displacement.csv") {
		d, sigma, mu := number(t, row[0]), number(t, row[1]), number(t, row[2])
		near(t, "Hertz", hertzForce(d), number(t, row[3]), 1e-5)
		for k, s := range []Spheres{
			{1, 1, sigma, mu, false, 0, 0}, {1, 1, sigma, mu, true, 0, 0}, {1, 1, sigma, mu, true, 4, 0.6},
		} {
			got, want := solve(t, s, d).Force, number(t, row[4+k])
			near(t, fmt.Sprintf("model %d at %g", k, d), got, want, 1e-4)
			worst = max(worst, math.Abs(got/want-1))
		}
	}
	t.Logf("worst %.1e", worst)
}

// sweep visits the corners of the range.
func sweep(visit func(s Spheres, d float64)) {
	for _, sigma := range []float64{1e-6, 1e-4, 1e-2} {
		for _, mu := range []float64{1, 10} {
			for _, s := range []Spheres{
				{1, 1, sigma, mu, false, 0, 0}, {1, 1, sigma, mu, true, 0, 0}, {1, 1, sigma, mu, true, 100, 0.1},
			} {
				for _, d := range []float64{-3 * sigma, 0, 1e-9 * sigma, 1e-3 * sigma, 0.1 * sigma, sigma, 10 * sigma, 0.05} {
					if d <= MaxApproach {
						visit(s, d)
					}
				}
			}
		}
	}
}

// Every corner converges, on a grid that is fine enough, and the stiffness is
// the slope of the force.
func TestCorners(t *testing.T) {
	var grid, slope float64
	iterations := 0
	sweep(func(s Spheres, d float64) {
		c := solve(t, s, d)
		iterations = max(iterations, c.Iterations)
		p := s.problem(d)
		fine, err := p.solve(p.edges(2))
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("%+v at %g: force on half the panels", s, d), c.Force, fine.Force, 1e-7)
		grid = max(grid, math.Abs(c.Force/fine.Force-1))

		// Differences on the same grid.
		h := 1e-5 * max(s.Sigma, math.Abs(d))
		edges := p.edges(1)
		up, down := s.problem(d+h), s.problem(d-h)
		above, err1 := up.solve(edges)
		below, err2 := down.solve(edges)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if math.Abs(d) < h { // Hertz's force starts here, with a root in its slope
			return
		}
		got := (above.Force - below.Force) / (2 * h)
		near(t, fmt.Sprintf("%+v at %g: stiffness", s, d), c.Stiffness, got, 1e-5)
		slope = max(slope, math.Abs(c.Stiffness/got-1))
	})
	t.Logf("at most %d iterations; half the panels: %.1e; stiffness against differences: %.1e", iterations, grid, slope)
}

// As sigma goes to 0 both models become Hertz's: GW from below, E-GW from
// above.
func TestSmoothLimit(t *testing.T) {
	const d = 0.01
	for _, mu := range []float64{1, 4, 10} {
		gwBefore, eBefore := 1.0, 1.0
		for _, sigma := range []float64{1e-4, 3e-5, 1e-5, 3e-6, 1e-6} {
			gw := 1 - solve(t, Spheres{1, 1, sigma, mu, false, 0, 0}, d).Force/hertzForce(d)
			e := solve(t, Spheres{1, 1, sigma, mu, true, 0, 0}, d).Force/hertzForce(d) - 1
			if !(gw > 0 && gw < gwBefore && e > 0 && e < eBefore) {
				t.Errorf("mu %g, sigma %g: GW %g below Hertz, E-GW %g above, after %g and %g", mu, sigma, gw, e, gwBefore, eBefore)
			}
			gwBefore, eBefore = gw, e
		}
		if gwBefore > 5e-3 || eBefore > 1e-3 {
			t.Errorf("mu %g: at sigma 1e-6 GW is off Hertz by %g, E-GW by %g", mu, gwBefore, eBefore)
		}
	}
}

// GW dips under the force of smooth spheres where these overlap; E-GW never
// does, nor EP-GW, which lies between and falls with K. The force grows with
// the approach. K is taken from 0.4, the least of the paper: below 0.334, where
// (1-K)/K exceeds ln(54)/2, the asperity of eq. (42) is stiffer just after
// yield than an elastic one, and EP-GW may exceed E-GW by some 1e-4.
func TestOrderings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sigma := math.Pow(10, rapid.Float64Range(-6, -2).Draw(t, "log sigma"))
		mu := rapid.Float64Range(1, 10).Draw(t, "mu")
		d := rapid.Float64Range(-3*sigma, MaxApproach).Draw(t, "d")
		psi := rapid.Float64Range(0.3, 10).Draw(t, "psi")
		k := rapid.Float64Range(0.4, 0.9).Draw(t, "K")
		force := func(extended bool, psi, k float64) float64 {
			s := Spheres{1, 1, sigma, mu, extended, psi, k}
			c, err := s.Solve(d)
			if err != nil {
				t.Fatal(err)
			}
			if !(c.Stiffness > 0) {
				t.Fatalf("%+v: stiffness %g", s, c.Stiffness)
			}
			if !slices.IsSorted(c.R) {
				t.Fatalf("%+v: the fields are not in their order", s)
			}
			for i, p := range c.Pressure {
				if !(p >= 0 && c.Bulk[i] >= 0) {
					t.Fatalf("%+v at r = %g: pressure %g, deformation %g", s, c.R[i], p, c.Bulk[i])
				}
			}
			return c.Force
		}
		hertz := hertzForce(d)
		gw, e := force(false, 0, 0), force(true, 0, 0)
		const round = 1 + 1e-8
		ep, moreK := force(true, psi, k), force(true, psi, k+0.1)
		if d <= 0 && math.Abs(gw-e) > 1e-8*gw {
			t.Errorf("apart: GW %g, E-GW %g", gw, e)
		}
		if !(hertz < ep && ep <= e*round && moreK <= ep*round) {
			t.Errorf("Hertz %g, EP-GW %g, with more K %g, E-GW %g", hertz, ep, moreK, e)
		}
		if gw > e*round {
			t.Errorf("GW %g above E-GW %g", gw, e)
		}
	})
	gw, err := (Spheres{Radius: 1, Modulus: 1, Sigma: 1e-4, Mu: 4}).Solve(5e-3)
	if err != nil {
		t.Fatal(err)
	}
	if dip := 1 - gw.Force/hertzForce(5e-3); dip < 0.02 { // only the classic theory falls under Hertz
		t.Errorf("GW is %g below Hertz", dip)
	}
}

// In the range of the paper's figure 7 the force of EP-GW falls with psi too,
// starting from E-GW. It need not everywhere: between yield and plastic flow
// the asperity of eq. (42) doubles its area, and one that yields earlier may be
// the stiffer one. With sigma = 0.01 R, mu = 1, K = 0.4 at d = 0.05 R the force
// grows by 1e-3 from psi = 3.5 to 5.25.
func TestPlasticityIndex(t *testing.T) {
	for _, k := range []float64{0.4, 0.6, 0.8} {
		before := solve(t, Spheres{1, 1, 1e-3, 4, true, 0, 0}, 0.01).Force * (1 + 1e-9)
		for _, psi := range []float64{0.3, 1, 2, 4, 10} {
			now := solve(t, Spheres{1, 1, 1e-3, 4, true, psi, k}, 0.01).Force
			if !(now <= before) {
				t.Errorf("K %g, psi %g: force %g after %g", k, psi, now, before)
			}
			before = now
		}
	}
	low, high := solve(t, Spheres{1, 1, 1e-2, 1, true, 3.5, 0.4}, 0.05), solve(t, Spheres{1, 1, 1e-2, 1, true, 5.25, 0.4}, 0.05)
	near(t, "the exception", high.Force/low.Force, 1.00096, 1e-5)
	none, tiny := solve(t, Spheres{1, 1, 1e-3, 4, true, 0, 0}, 0.01), solve(t, Spheres{1, 1, 1e-3, 4, true, 1e-3, 0.5}, 0.01)
	near(t, "psi to 0", tiny.Force, none.Force, 1e-12)
}

// Units: a contact scales with radius and modulus.
func TestUnits(t *testing.T) {
	one := solve(t, Spheres{1, 1, 1e-3, 4, true, 4, 0.6}, 0.01)
	c := solve(t, Spheres{2e-3, 7e10, 2e-6, 4, true, 4, 0.6}, 2e-5)
	near(t, "force", c.Force, one.Force*7e10*4e-6, 1e-9)
	near(t, "stiffness", c.Stiffness, one.Stiffness*7e10*2e-3, 1e-9)
	for i := range c.R {
		near(t, "radius", c.R[i], one.R[i]*2e-3, 1e-9)
		near(t, "pressure", c.Pressure[i], one.Pressure[i]*7e10, 1e-6)
		near(t, "deformation", c.Bulk[i], one.Bulk[i]*2e-3, 1e-9)
	}
}

func TestRefuses(t *testing.T) {
	good := Spheres{1, 1, 1e-3, 4, true, 4, 0.6}
	for name, change := range map[string]func(*Spheres){
		"radius":  func(s *Spheres) { s.Radius = 0 },
		"modulus": func(s *Spheres) { s.Modulus = math.Inf(1) },
		"smooth":  func(s *Spheres) { s.Sigma = 1e-7 },
		"rough":   func(s *Spheres) { s.Sigma = 0.02 },
		"nan":     func(s *Spheres) { s.Sigma = math.NaN() },
		"mu":      func(s *Spheres) { s.Mu = 0.5 },
		"psi":     func(s *Spheres) { s.Psi = -1 },
		"K":       func(s *Spheres) { s.K = 0 },
	} {
		s := good
		change(&s)
		if c, err := s.Solve(0.01); err == nil {
			t.Errorf("%s: solved, force %g", name, c.Force)
		}
	}
	for _, d := range []float64{0.051, math.NaN(), math.Inf(1)} {
		if _, err := good.Solve(d); err == nil {
			t.Errorf("solved at approach %g", d)
		}
	}
	if c := solve(t, good, -3.01e-3); c.Force != 0 || c.Stiffness != 0 || c.R != nil {
		t.Errorf("apart: %+v", c)
	}
	if c := solve(t, good, -3e-3); !(c.Force > 0) {
		t.Error("no force at first touch")
	}
}

// No convergence is an error, not a number.
func TestNoConvergence(t *testing.T) {
	p := Spheres{1, 1, 1e-3, 4, false, 0, 0}.problem(0.01)
	p.scale = math.NaN()
	if c, err := p.solve(p.edges(1)); err == nil {
		t.Errorf("force %g", c.Force)
	}
	var failure *ConvergenceError
	if !errors.As(error(&ConvergenceError{0.01, 2}), &failure) || failure.Error() == "" {
		t.Error("the error does not tell")
	}
}

func BenchmarkSolve(b *testing.B) {
	for _, sigma := range []float64{1e-6, 1e-3} {
		b.Run(fmt.Sprint(sigma), func(b *testing.B) {
			for b.Loop() {
				solve(b, Spheres{1, 1, sigma, 4, true, 0, 0}, 0.01)
			}
		})
	}
}

// The arithmetic-geometric mean against gonum's elliptic integral.
func TestCompleteK(t *testing.T) {
	for i := range 1000 {
		for _, m := range []float64{float64(i) / 1000, 1 - math.Exp2(-float64(i)/19)} {
			if got, want := completeK(m), mathext.CompleteK(m); math.Abs(got-want) > 1e-15*want {
				t.Errorf("K(%v) is %v, not %v", m, got, want)
			}
		}
	}
}

// The factors against gonum's, of matrices that ask for pivots.
func TestFactors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 40; n++ {
		a, b := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		rows := make([][]float64, n)
		for i := range rows {
			b.SetVec(i, r.NormFloat64())
			for j := range n {
				a.Set(i, j, r.NormFloat64()*float64(1-r.IntN(2)*(j%2)))
			}
			a.Set(i, (i+1)%n, a.At(i, (i+1)%n)+10)
			rows[i] = append(rows[i], a.RawRowView(i)...)
		}
		f, ok := factorise(rows)
		if !ok {
			t.Fatal("a matrix with an inverse is taken for singular")
		}
		var want mat.VecDense
		if err := want.SolveVec(a, b); err != nil {
			t.Fatal(err)
		}
		for i, x := range f.solve(b.RawVector().Data) {
			if math.Abs(x-want.AtVec(i)) > 1e-12 {
				t.Errorf("%d unknowns: x[%d] is %v, not %v", n, i, x, want.AtVec(i))
			}
		}
	}
	if _, ok := factorise([][]float64{{1, 2}, {2, 4}}); ok {
		t.Error("a singular matrix passed")
	}
	if _, ok := factorise([][]float64{{math.NaN()}}); ok {
		t.Error("no number passed")
	}
}
