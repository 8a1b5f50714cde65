package contact

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// samples has parameters for every registered law; TestEveryLaw fails for a
// law that is missing here.
var samples = map[string]map[string]float64{
	"linear":     {"k": 5e12},
	"rebound":    {"k": 5e12, "restitution": 0.6},
	"volumetric": {"k_f": 1e9, "h_f": 1e-3},
	"gw":         {"radius": 1e-3, "modulus": 1e11, "sigma": 1.1e-6, "mu": 4},
	"e-gw":       {"radius": 1e-3, "modulus": 1e11, "sigma": 1.1e-6, "mu": 4},
	"ep-gw":      {"radius": 1e-3, "modulus": 1e11, "sigma": 1.1e-6, "mu": 4, "psi": 4, "hardness_ratio": 0.6},
	"kostek": {
		"e_p": flexibility(0.534, 0.653), "m_p": 0.653,
		"e_e": flexibility(1.148, 0.462), "m_e": 0.462,
		"e_l": flexibility(0.302, 0.462), "e_u": flexibility(0.523, 0.462), "m_ep": 0.462,
	},
}

// gaps has the deflections, from and to, where a sample law's published curve
// jumps or creates energy; TestEveryLaw leaves a step that meets one alone.
var gaps = map[string][][2]float64{}

// build makes the sample of a registered law.
func build(t testing.TB, name string) Law {
	t.Helper()
	m, ok := lookup(name)
	if !ok {
		t.Fatalf("law %q is not registered", name)
	}
	values, ok := samples[name]
	if !ok {
		t.Fatalf("law %q has no sample parameters in this test", name)
	}
	law, err := m.Build(values)
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// path visits loading, partial and full unloading, reloading inside and
// beyond the loop, loss of contact and touch again, in steps of 1/64 um.
func path() []float64 {
	var d []float64
	from := 0.0
	for _, to := range []float64{6, 4.5, 5.5, 3, 7, 2, -1, 6.5, 5, 9, 0} {
		for at := from; at != to; {
			at += math.Copysign(1.0/64, to-from)
			d = append(d, at*1e-6)
		}
		from = to
	}
	return d
}

// What holds for every law along a path of loading, unloading and reloading.
func TestEveryLaw(t *testing.T) {
	for _, name := range forms() {
		t.Run(name, func(t *testing.T) {
			n := newNode(build(t, name))
			start, next := make([]float64, len(n.mem)), make([]float64, len(n.mem))
			d0, p0, w0, k0 := 0.0, 0.0, 0.0, 0.0
			for _, d := range path() {
				copy(start, n.mem)
				p := n.try(d, next)
				dp, k, w := n.dp[0], n.k[0], n.w[0]
				if !slices.Equal(n.mem, start) {
					t.Fatalf("evaluating at %g changed its input memory", d)
				}
				for _, v := range []float64{p, dp, k, w} {
					if !(v >= 0) || math.IsInf(v, 0) {
						t.Fatalf("at %g: pressure or force %g, tangent %g, stiffest %g, stored %g", d, p, dp, k, w)
					}
				}
				if k < dp {
					t.Errorf("at %g: stiffest tangent %g under the tangent %g", d, k, dp)
				}
				if p > 0 && dp == 0 {
					t.Errorf("at %g: no tangent under %g", d, p)
				}

				if slices.ContainsFunc(gaps[name], func(g [2]float64) bool { return max(d0, d) >= g[0] && min(d0, d) <= g[1] }) {
					n.move(d)
					d0, p0, w0, k0 = d, p, w, k
					continue
				}

				// Continuous: no faster than the stiffest tangent at either end.
				if step := math.Abs(p - p0); step > max(k, k0)*math.Abs(d-d0)*(1+1e-9) {
					t.Errorf("from %g to %g the pressure jumps by %g", d0, d, step)
				}

				// The tangent is the slope, where both neighbours are on the
				// same segment.
				const h = 1e-11
				above, dpAbove := n.try(d+h, next), n.dp[0]
				below, dpBelow := n.try(d-h, next), n.dp[0]
				if slope := (above - below) / (2 * h); math.Abs(dpAbove-dpBelow) < 1e-2*dp && math.Abs(slope-dp) > 1e-5*dp {
					t.Errorf("at %g: tangent %g, slope %g", d, dp, slope)
				}

				// The stored energy is at most the work, and equal to it on an elastic segment.
				for _, parts := range []int{16, 4096} { // the second for a kink
					work, elastic := simpson(n, d0, d, next, parts)
					tol := 1e-7*math.Abs(work) + 1e-15
					if w-w0 <= work+tol && !(elastic && math.Abs(w-w0-work) > tol) {
						break
					}
					if parts == 4096 {
						t.Errorf("from %g to %g: stored %g out of %g (elastic: %t)", d0, d, w-w0, work, elastic)
					}
				}

				// Moving on and evaluating again gives the same.
				if got := n.move(d); got != p {
					t.Errorf("at %g: %g, committed %g", d, p, got)
				}
				copy(start, n.mem)
				if got := n.move(d); math.Abs(got-p) > 1e-13*p+1e-21*k || math.Abs(n.w[0]-w) > 1e-13*w+1e-21*p {
					t.Errorf("at %g: pressure or force %g, stored %g; once more %g, %g", d, p, w, got, n.w[0])
				}
				for i := range start {
					if math.Abs(n.mem[i]-start[i]) > 1e-13*math.Abs(start[i])+1e-21 {
						t.Errorf("at %g: memory %g, once more %g", d, start, n.mem)
					}
				}
				d0, p0, w0, k0 = d, p, w, k
			}
			if p0 != 0 || w0 != 0 {
				t.Errorf("apart: pressure or force %g, stored %g", p0, w0)
			}
		})
	}
}

// Every law has the bits of testdata/bits.csv on every machine; run this test
// there to see. A change of a law that is meant, or a new law, changes its line.
func TestBits(t *testing.T) {
	text, err := os.ReadFile("testdata/bits.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(text))
	for _, name := range forms() {
		n, sum, before := newNode(build(t, name)), fnv.New64a(), 0.0
		for _, d := range path() {
			n.rate[0] = (d - before) * 1e6
			before = d
			n.move(d)
			for _, v := range append([]float64{n.p[0], n.dp[0], n.w[0], n.k[0]}, n.mem...) {
				if err := binary.Write(sum, binary.LittleEndian, v); err != nil {
					t.Fatal(err)
				}
			}
		}
		if line := fmt.Sprintf("%s,%016x", name, sum.Sum64()); !slices.Contains(lines, line) {
			t.Errorf("testdata/bits.csv has another line or none for %s", line)
		}
	}
}

// simpson integrates the pressure from a to b out of the committed memory;
// elastic tells that the tangent was the stiffest one everywhere. The parts
// are even in number.
func simpson(n *node, a, b float64, scratch []float64, parts int) (work float64, elastic bool) {
	elastic = true
	for i := range parts + 1 {
		weight := float64(2 + 2*(i%2))
		if i == 0 || i == parts {
			weight = 1
		}
		work += weight * n.try(a+(b-a)*float64(i)/float64(parts), scratch)
		elastic = elastic && n.p[0] > 0 && n.dp[0] == n.k[0]
	}
	return work * (b - a) / float64(3*parts), elastic
}

func TestEvalDoesNotAllocate(t *testing.T) {
	for _, name := range forms() {
		law := build(t, name)
		const n = 8
		size := len(law.Memory())
		in := Input{make([]float64, n), make([]float64, n), make([]float64, n*size)}
		out := Output{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), in.Mem}
		for i := range n {
			in.D[i] = float64(i) * 1e-6
		}
		step := 0
		if got := testing.AllocsPerRun(20, func() {
			for i := range n { // loading and unloading
				in.D[i] += 1e-7 * math.Sin(float64(step+i))
			}
			step++
			law.Eval(in, out)
		}); got != 0 {
			t.Errorf("%s: %g allocations an evaluation", name, got)
		}
	}
}

// A slice of nodes gives what its nodes give alone: memories do not mix.
func TestNodesAreIndependent(t *testing.T) {
	for _, name := range forms() {
		law := build(t, name)
		const n = 5
		size := len(law.Memory())
		in := Input{make([]float64, n), make([]float64, n), make([]float64, n*size)}
		out := Output{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), in.Mem}
		alone := make([]*node, n)
		for i := range alone {
			alone[i] = newNode(law)
		}
		for j, d := range path() {
			for i := range n {
				in.D[i] = d * float64(i+1) / n * (1 - 0.1*math.Cos(float64(i*j)))
			}
			law.Eval(in, out)
			for i, a := range alone {
				if p := a.move(in.D[i]); p != out.P[i] || a.w[0] != out.W[i] || a.dp[0] != out.DP[i] || a.k[0] != out.K[i] {
					t.Fatalf("%s: node %d of %d gives %g, alone %g", name, i, n, out.P[i], p)
				}
			}
		}
	}
}

func TestLinear(t *testing.T) {
	n := newNode(build(t, "linear"))
	near(t, "pressure", n.move(2e-6), 1e7, 1e-15)
	near(t, "stored", n.w[0], 10, 1e-15)
	if p := n.move(-2e-6); p != 0 || n.dp[0] != 0 || n.w[0] != 0 {
		t.Errorf("apart: %g Pa, tangent %g, stored %g", p, n.dp[0], n.w[0])
	}
}

// Every law says what a user needs to know, and keeps memory under names fit
// for files.
func TestModelsAreDescribed(t *testing.T) {
	if !slices.IsSorted(Names()) {
		t.Errorf("names %q are not sorted", Names())
	}
	for _, name := range Names() {
		m, _ := Lookup(name)
		if m.Name != name || m.Title == "" || m.Source == "" || m.Formula == "" || len(m.Parameters) == 0 {
			t.Errorf("%s: a name, title, source, formula or parameters are missing: %+v", name, m)
		}
		for _, p := range m.Parameters {
			if p.Name == "" || p.Doc == "" || p.Unit == "" || !(p.Min < p.Max) {
				t.Errorf("%s: parameter %+v is not described", name, p)
			}
		}
		for _, kept := range build(t, name).Memory() {
			if strings.Trim(kept, "abcdefghijklmnopqrstuvwxyz_") != "" {
				t.Errorf("%s: memory is named %q", name, kept)
			}
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, law, parameter string
		value                float64
		want                 []string // parts of the message
	}{
		{"unknown", "linear", "stiffness", 1, []string{"linear", `"stiffness"`, "k"}},
		{"zero", "linear", "k", 0, []string{"linear", "k must be greater than 0", "got 0 Pa/m"}},
		{"negative", "kostek", "e_p", -1, []string{"kostek", "e_p must be greater than 0", "got -1"}},
		{"too large", "kostek", "m_p", 11, []string{"m_p", "at most 10", "got 11"}},
		{"elastic exponent", "kostek", "m_e", 1.5, []string{"m_e", "at most 1", "got 1.5"}},
		{"not a number", "kostek", "e_e", math.NaN(), []string{"e_e", "NaN"}},
		{"infinite", "kostek", "e_e", math.Inf(1), []string{"e_e", "Inf"}},
		{"contradiction", "kostek", "e_u", flexibility(0.2, 0.462), []string{"kostek", "e_u must not be below e_l"}},
		{"no form", "jackson-green", "unloading", 2007, []string{"unloading must be 2005 or 2010", "got 2007"}},
		{"neither 0 nor 1", "tsuji", "raw", 0.5, []string{"tsuji", "raw must be 0 or 1", "got 0.5"}},
		{"at the pole", "hu-et-al", "restitution", 0.0212, []string{"restitution must be greater than 0.0212"}},
		{"factor of no number", "gharib-hurmuzlu", "restitution", 1e-320, []string{"restitution is out of the range of the law"}},
		{"out of reach", "kostek", "m_ep", 1e-4, []string{"m_ep", "finite"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, _ := Lookup(tt.law)
			values := make(map[string]float64)
			for name, v := range samples[tt.law] {
				values[name] = v
			}
			values[tt.parameter] = tt.value
			law, err := m.Build(values)
			if err == nil {
				t.Fatalf("built %+v", law)
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("message %q lacks %q", err, part)
				}
			}
		})
	}
	for _, name := range Names() { // every parameter is needed, one by one
		m, _ := Lookup(name)
		for _, p := range m.Parameters {
			values := make(map[string]float64)
			for other, v := range samples[name] {
				if other != p.Name {
					values[other] = v
				}
			}
			if _, err := m.Build(values); (err == nil) != (p.Default != nil) {
				t.Errorf("%s without %s: error %v", name, p.Name, err)
			} else if err != nil && !strings.Contains(err.Error(), p.Name) {
				t.Errorf("%s without %s: message %q does not name it", name, p.Name, err)
			}
		}
	}
	if _, ok := Lookup("kostec"); ok {
		t.Error("found a law that is not there")
	}
}

func TestDefaults(t *testing.T) {
	half := 0.5
	m := Model{
		Name:       "test",
		Parameters: []Parameter{{Name: "a", Min: 0, Max: 1, Default: &half}},
		New:        func(v map[string]float64) (Law, error) { return Linear{K: v["a"]}, nil },
	}
	for _, tt := range []struct {
		values map[string]float64
		want   float64
	}{{nil, 0.5}, {map[string]float64{"a": 0}, 0}, {map[string]float64{"a": 1}, 1}} {
		if law, err := m.Build(tt.values); err != nil || law != (Linear{K: tt.want}) {
			t.Errorf("%v: got %v, %v", tt.values, law, err)
		}
	}
}

// A dashpot resists approach, never pulls, and has no effect in unloading.
func TestDashpot(t *testing.T) {
	l := Linear{K: 1e9, C: 1e3}
	for _, c := range []struct{ d, rate, want float64 }{
		{1e-6, 0, 1e3}, {1e-6, 0.1, 1100}, {1e-6, -0.1, 900}, {1e-6, -2, 0}, {0, 1, 0}, {-1, 1, 0},
	} {
		p, dp, k, w := []float64{0}, []float64{0}, []float64{0}, []float64{0}
		l.Eval(Input{D: []float64{c.d}, Rate: []float64{c.rate}}, Output{P: p, DP: dp, K: k, W: w})
		if math.Abs(p[0]-c.want) > 1e-9 || math.Abs(w[0]-0.5e9*max(c.d, 0)*max(c.d, 0)) > 1e-18 {
			t.Errorf("at %g m and %g m/s: %g Pa, %g J/m2", c.d, c.rate, p[0], w[0])
		}
	}
}
