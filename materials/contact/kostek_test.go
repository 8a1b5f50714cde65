package contact

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"testing"

	"fdem/materials/elementary"

	"pgregory.net/rapid"
)

// table1 is the paper's Table 1, in SI.
func table1(t testing.TB) *Kostek {
	t.Helper()
	const me, mp = 0.462, 0.653
	k, err := NewKostek(Kostek{
		Ep: flexibility(0.534, mp), Mp: mp, Ee: flexibility(1.148, me), Me: me,
		El: flexibility(0.302, me), Eu: flexibility(0.523, me), Mep: me,
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// flexibility turns um/MPa^m into m/Pa^m.
func flexibility(v, m float64) float64 { return v * 1e-6 / elementary.Pow(1e6, m) }

// node is one contact node driven through a law.
type node struct {
	law          Law
	d, rate, mem []float64
	p, dp, k, w  [1]float64
}

func newNode(law Law) *node {
	return &node{law: law, d: make([]float64, 1), rate: make([]float64, 1), mem: make([]float64, len(law.Memory()))}
}

// try evaluates without moving the memory on; next receives the memory.
func (n *node) try(d float64, next []float64) float64 {
	n.d[0] = d
	n.law.Eval(Input{n.d, n.rate, n.mem}, Output{n.p[:], n.dp[:], n.k[:], n.w[:], next})
	return n.p[0]
}

// move evaluates and commits.
func (n *node) move(d float64) float64 { return n.try(d, n.mem) }

// records reads a reference table, the header first. Lines opening with '#' are
// comments.
func records(t testing.TB, file string) [][]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// columns reads the numbers of a reference table; the index of a column is its
// place in the file.
func columns(t *testing.T, file string) [][]float64 {
	t.Helper()
	all := records(t, "testdata/"+file)
	cols := make([][]float64, len(all[0]))
	for _, row := range all[1:] {
		for j, field := range row {
			cols[j] = append(cols[j], number(t, field))
		}
	}
	if len(cols[0]) < 100 {
		t.Fatalf("%s has only %d rows", file, len(cols[0]))
	}
	return cols
}

// near asserts relative agreement; zero must be met exactly.
func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*math.Abs(want)) {
		t.Errorf("%s: got %.15g, want %.15g, off by %.2g", what, got, want, (got-want)/want)
	}
}

// The histories in testdata come from independent implementations (bisection
// to machine precision) and carry 12 digits.
func TestKostekReferenceHistories(t *testing.T) {
	const rel = 1e-9
	for _, tt := range []struct {
		file                  string
		d, p, peak, slip      int // columns
		length, pressure      float64
		drivenByTheDeflection bool
	}{
		{"kostek_table1.csv", 0, 1, 2, 3, 1, 1, true},
		{"kostek_deflection_driven.csv", 1, 3, 4, 5, 1e-6, 1e6, true},
		{"kostek_pressure_driven.csv", 2, 1, 3, 4, 1e-6, 1e6, false},
	} {
		t.Run(tt.file, func(t *testing.T) {
			c := columns(t, tt.file)
			k := table1(t)
			n := newNode(k)
			for i := range c[0] {
				row := fmt.Sprintf("row %d ", i+1)
				d, p := c[tt.d][i]*tt.length, c[tt.p][i]*tt.pressure
				if tt.drivenByTheDeflection {
					near(t, row+"pressure", n.move(d), p, rel)
				} else {
					near(t, row+"deflection", k.Deflection(p, n.mem), d, rel)
				}
				near(t, row+"peak pressure", n.mem[kostekPeak], c[tt.peak][i]*tt.pressure, rel)
				near(t, row+"elasto-plastic deflection", n.mem[kostekSlip], c[tt.slip][i]*tt.length, rel)
			}
		})
	}
}

// Section 3.1 under the axis: the pressure and the deflection it leaves.
func TestKostekPublishedPoint(t *testing.T) {
	n := newNode(table1(t))
	p := n.move(6.061e-6)
	near(t, "peak pressure", p, 8.509e6, 2e-4)
	near(t, "residual deflection", n.mem[kostekPlastic], 2.162e-6, 2e-4)
	near(t, "virgin tangent", n.dp[0], 2.65e12, 2e-3)
	near(t, "stick tangent", n.k[0], 5.96e12, 2e-3)
	if p := n.move(2.162e-6); p > 1e3 {
		t.Errorf("%g Pa left at the residual deflection", p)
	}
	if p := n.move(2.16e-6); p != 0 {
		t.Errorf("%g Pa below the residual deflection", p)
	}
}

// p(d) and d(p) are inverse over 1e-6 to 1e4 MPa, virgin and after unloading.
// Where a small pressure rides on a large residual deflection, one unit in
// the last place of d is all that a deflection can say about p.
func TestKostekInverse(t *testing.T) {
	const rel = 1e-12
	for name, k := range map[string]*Kostek{"table 1": table1(t), "unequal exponents": unequal(t)} {
		t.Run(name, func(t *testing.T) {
			check := func(start []float64, p float64) {
				t.Helper()
				n, back := newNode(k), append([]float64(nil), start...)
				copy(n.mem, start)
				d := k.Deflection(p, back)
				got := n.move(d)
				ulp := math.Nextafter(d, math.Inf(1)) - d
				if off := math.Abs(got - p); !(off <= rel*p+4*ulp*n.k[0]) {
					t.Errorf("p(d(%g)) off by %.2g of it, after %g", p, off/p, start)
				}
				near(t, "peak pressure", n.mem[kostekPeak], back[kostekPeak], rel)
				copy(back, start)
				near(t, fmt.Sprintf("d(p(%g)) after %g", d, start), k.Deflection(got, back), d, rel)
			}
			for e := 0.0; e <= 10; e += 0.125 { // pressure in Pa, 8 to the decade
				p := math.Pow(10, e)
				check(make([]float64, kostekMemorySize), p)
				for _, peak := range []float64{1e2, 1e6, 8.5e6, 1e10} {
					for _, low := range []float64{0.9, 0.3, 1e-3, 0} { // part of the peak unloaded to
						start := make([]float64, kostekMemorySize)
						k.Deflection(peak, start)
						k.Deflection(low*peak, start)
						check(start, p)
					}
				}
			}
		})
	}
}

// unequal has three different exponents, one above one, so that no segment
// but stick is in closed form.
func unequal(t testing.TB) *Kostek {
	t.Helper()
	k, err := NewKostek(Kostek{
		Ep: flexibility(0.534, 0.8), Mp: 0.8, Ee: flexibility(1.148, 0.4), Me: 0.4,
		El: flexibility(0.302, 1.1), Eu: flexibility(0.523, 1.1), Mep: 1.1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// drawKostek draws laws around Table 1.
func drawKostek(t *rapid.T) *Kostek {
	m := rapid.Float64Range(0.2, 1.5)
	e := rapid.Float64Range(0.05, 2)
	v := Kostek{Mp: m.Draw(t, "m_p"), Me: min(m.Draw(t, "m_e"), 1), Mep: m.Draw(t, "m_ep")}
	if rapid.Bool().Draw(t, "equal exponents") {
		v.Mep = v.Me
	}
	v.Ep, v.Ee = flexibility(e.Draw(t, "e_p"), v.Mp), flexibility(e.Draw(t, "e_e"), v.Me)
	v.El = flexibility(e.Draw(t, "e_l"), v.Mep)
	v.Eu = v.El * rapid.Float64Range(1, 4).Draw(t, "e_u/e_l")
	k, err := NewKostek(v)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// kostekWork returns the exact work of one monotone move from memory a at
// pressure pa to memory b at pressure pb: each part's pressure is a power of
// its deflection, so each integral is closed.
func kostekWork(k *Kostek, a, b []float64, pa, pb float64) float64 {
	area := func(e, m, from, to float64) float64 { // integral of p d(e p^m)
		return e * m / (m + 1) * (math.Pow(to, m+1) - math.Pow(from, m+1))
	}
	w := area(k.Ee, k.Me, pa, pb) + area(k.Ep, k.Mp, a[kostekPeak], b[kostekPeak])
	const round = 1e-12 // a smaller change is rounding, not slip
	switch {            // the elasto-plastic part sticks, then moves on one branch
	case math.Abs(b[kostekSlip]-a[kostekSlip]) <= round*a[kostekSlip]:
	case b[kostekSlip] > a[kostekSlip]:
		w += area(k.El, k.Mep, math.Pow(a[kostekSlip]/k.El, 1/k.Mep), pb)
	case b[kostekSlip] < a[kostekSlip]:
		w += area(k.Eu, k.Mep, math.Pow(a[kostekSlip]/k.Eu, 1/k.Mep), pb)
	}
	return w
}

// Any history: pressure and dissipation are never negative, the plastic
// memory never shrinks, a step taken whole equals the same step in parts, and
// evaluating again changes nothing.
func TestKostekAnyHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := drawKostek(t)
		turns := rapid.SliceOfN(rapid.Int64Range(-2e9, 12e9), 1, 12).Draw(t, "turning points [fm]")
		parts := rapid.IntRange(2, 7).Draw(t, "parts")
		whole, split := newNode(k), newNode(k)
		before := make([]float64, kostekMemorySize)
		from, p0, w0, dissipated, work := 0.0, 0.0, 0.0, 0.0, 0.0
		for _, turn := range turns {
			d := float64(turn) * 1e-15
			copy(before, whole.mem)
			p := whole.move(d)
			if !(p >= 0) || math.IsInf(p, 0) {
				t.Fatalf("pressure %g at %g", p, d)
			}
			if !(whole.k[0] >= whole.dp[0]) || math.IsInf(whole.k[0], 0) || whole.dp[0] < 0 {
				t.Fatalf("tangents %g, %g at %g", whole.dp[0], whole.k[0], d)
			}
			if whole.mem[kostekPeak] < before[kostekPeak] || whole.mem[kostekPlastic] < before[kostekPlastic] {
				t.Fatalf("plastic memory shrank from %g to %g", before, whole.mem)
			}
			done := kostekWork(k, before, whole.mem, p0, p)
			work += math.Abs(done)
			dissipated += done - (whole.w[0] - w0)
			if done-(whole.w[0]-w0) < -1e-10*(work+w0) {
				t.Fatalf("step to %g gave energy: work %g, stored %g to %g", d, done, w0, whole.w[0])
			}
			if dissipated < -1e-10*work {
				t.Fatalf("dissipated %g", dissipated)
			}
			for i := 1; i < parts; i++ {
				split.move(from + (d-from)*float64(i)/float64(parts))
			}
			split.move(d)
			agree(t, "in parts", split, whole, k, d)
			again := newNode(k)
			copy(again.mem, whole.mem)
			again.move(d)
			agree(t, "again", again, whole, k, d)
			from, p0, w0 = d, p, whole.w[0]
		}
	})
}

// agree asserts equal answers and memories, up to what rounding of the
// deflection can do.
func agree(t *rapid.T, what string, a, b *node, k *Kostek, d float64) {
	t.Helper()
	const rel = 1e-10
	round := 1e-14 * 12e-6
	if math.Abs(a.p[0]-b.p[0]) > rel*b.p[0]+round*b.k[0] {
		t.Fatalf("%s: pressure %g, want %g at %g", what, a.p[0], b.p[0], d)
	}
	if math.Abs(a.w[0]-b.w[0]) > rel*b.w[0]+round*b.p[0] {
		t.Fatalf("%s: stored %g, want %g at %g", what, a.w[0], b.w[0], d)
	}
	if math.Abs(a.mem[kostekPeak]-b.mem[kostekPeak]) > rel*b.mem[kostekPeak] {
		t.Fatalf("%s: memory %g, want %g", what, a.mem, b.mem)
	}
	for _, i := range []int{kostekPlastic, kostekSlip} {
		if math.Abs(a.mem[i]-b.mem[i]) > rel*b.mem[i]+round {
			t.Fatalf("%s: memory %g, want %g", what, a.mem, b.mem)
		}
	}
}

func TestKostekRefusesUnloadingUnderLoading(t *testing.T) {
	if _, err := NewKostek(Kostek{Ep: 1, Mp: 1, Ee: 1, Me: 1, El: 2, Eu: 1, Mep: 1}); err == nil {
		t.Error("e_u below e_l was taken")
	}
}

// BenchmarkKostek reports the cost of a loaded contact node on each segment.
func BenchmarkKostek(b *testing.B) {
	k := table1(b)
	k.Tabulate()
	loaded := make([]float64, kostekMemorySize)
	k.Deflection(8.5e6, loaded)
	half := append([]float64(nil), loaded...)
	k.Deflection(2e6, half)
	for _, bb := range []struct {
		name string
		mem  []float64
		d    float64
	}{
		{"virgin", make([]float64, kostekMemorySize), 6e-6},
		{"loading on", loaded, 6.06e-6},
		{"stick", loaded, 5.8e-6},
		{"unloading", loaded, 3.5e-6},
		{"reloading", half, 5.5e-6},
		{"apart", loaded, 1e-6},
	} {
		b.Run(bb.name, func(b *testing.B) {
			const n = 100
			in := Input{make([]float64, n), make([]float64, n), make([]float64, n*kostekMemorySize)}
			out := Output{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n*kostekMemorySize)}
			for i := range n {
				in.D[i] = bb.d * (1 + 1e-4*float64(i))
				copy(in.Mem[i*kostekMemorySize:], bb.mem)
			}
			for b.Loop() {
				k.Eval(in, out)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/contact-node")
		})
	}
}

// Loaded by table, not by solving: the last bits differ, mostly.
func TestKostekUsesTables(t *testing.T) {
	k := table1(t)
	solved := *k
	k.Tabulate()
	byTable, bySolving := newNode(k), newNode(&solved)
	for _, path := range []struct {
		name     string
		from, to float64
	}{{"loading", 1e-6, 6e-6}, {"stick", 6e-6, 5.8e-6}, {"unloading", 5e-6, 3e-6}, {"reloading", 4e-6, 5.9e-6}} {
		differ := 0
		for i := range 100 {
			d := path.from + (path.to-path.from)*float64(i)/100
			copy(byTable.mem, bySolving.mem)
			if byTable.move(d) != bySolving.move(d) {
				differ++
			}
		}
		if differ < 50 {
			t.Errorf("%s: only %d of 100 pressures have other bits than the solved ones", path.name, differ)
		}
	}
}

// The tables agree with the solution to 1e-12 along any history, and the same
// history by either ends with the same memory.
func TestKostekTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := func(name string) float64 { return rapid.Float64Range(0.35, 1).Draw(t, name) }
		me, mep, mp := one("m_e"), one("m_ep"), one("m_p")
		if rapid.Bool().Draw(t, "equal") {
			mep = me
		}
		flexible := func(name string, m float64) float64 {
			return flexibility(rapid.Float64Range(0.1, 2).Draw(t, name), m)
		}
		el := flexible("e_l", mep)
		k, err := NewKostek(Kostek{
			Ep: flexible("e_p", mp), Mp: mp, Ee: flexible("e_e", me), Me: me,
			El: el, Eu: el * rapid.Float64Range(1, 3).Draw(t, "e_u/e_l"), Mep: mep,
		})
		if err != nil {
			t.Fatal(err)
		}
		solved := *k
		k.Tabulate()
		byTable, bySolving := newNode(k), newNode(&solved)
		least := k.Deflection(10*kostekMin, make([]float64, kostekMemorySize))
		for range 60 {
			d := least * math.Exp(rapid.Float64Range(0, 6).Draw(t, "d"))
			copy(byTable.mem, bySolving.mem)
			p, want := byTable.move(d), bySolving.move(d)
			peak := bySolving.mem[kostekPeak]
			scale := want + 1e-3*peak // under a thousandth of the peak d loses digits to the plastic deflection
			elastic := func(n *node) float64 { return n.p[0] / max(k.Me*n.k[0], 1e-300) }
			for i, c := range [][3]float64{
				{p, want, scale}, {elastic(byTable), elastic(bySolving), d}, {byTable.w[0], bySolving.w[0], scale * d},
				{byTable.mem[kostekPeak], peak, peak},
				{byTable.mem[kostekPlastic], bySolving.mem[kostekPlastic], d}, {byTable.mem[kostekSlip], bySolving.mem[kostekSlip], d},
			} {
				if math.Abs(c[0]-c[1]) > 1e-12*c[2] {
					t.Fatalf("at %g: by table pressure %g, memory %v; solved %g, %v; number %d differs", d, p, byTable.mem, want, bySolving.mem, i)
				}
			}
		}
	})
}
