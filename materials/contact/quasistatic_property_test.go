package contact

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Bodies from dust to boulders, soft to hard, on any path: forces are finite
// and not negative, no more is stored than first loading takes, the slopes are
// under the stiffest tangent and evaluating again changes nothing.
func TestQuasiStaticProperties(t *testing.T) {
	for _, l := range quasiStaticLaws {
		t.Run(l.name, rapid.MakeCheck(func(t *rapid.T) {
			decades := func(from, to float64, label string) float64 {
				return math.Pow(10, rapid.Float64Range(from, to).Draw(t, label))
			}
			m, _ := lookup(l.name)
			all := map[string]float64{
				"radius": decades(-6, 2, "radius"), "modulus": decades(4, 13, "modulus"),
				"poisson": rapid.Float64Range(0, 0.5).Draw(t, "poisson"),
				"k1":      decades(0, 12, "k1"), "s": decades(-6, 3, "s"),
				"psi": rapid.Float64Range(0.81, 5).Draw(t, "psi"), "xi": rapid.Float64Range(1.5, 50).Draw(t, "xi"),
				"theta": rapid.Float64Range(0.5, 2.7).Draw(t, "theta"),
				"k":     rapid.Float64Range(0.1, 1).Draw(t, "k"), "d_2": rapid.Float64Range(2, 1000).Draw(t, "d_2"),
				"d_p": rapid.Float64Range(2, 500).Draw(t, "d_p"),
			}
			all["k2"] = all["k1"] * decades(0, 3, "k2/k1")
			all["yield"] = all["modulus"] * decades(-6, -1.5, "yield/modulus")
			all["hardness"] = all["yield"] * rapid.Float64Range(1.2, 4).Draw(t, "hardness/yield")
			py := 1.61 * all["yield"]
			fy := math.Pow(math.Pi*py, 3) / 6 * math.Pow(all["radius"]/all["modulus"], 2)
			ay := math.Cbrt(0.75 * fy * all["radius"] / all["modulus"])
			all["c_a"], all["k_c"] = ay/fy*decades(-3, 1, "c_a"), 1/fy*decades(-4, 1, "k_c")
			values := map[string]float64{}
			for name, v := range all {
				if _, ok := m.Parameter(name); ok {
					values[name] = v
				}
			}
			if unloading, ok := quasiStaticSample(l.name)["unloading"]; ok {
				values["unloading"] = unloading
			}
			values["memory"] = float64(rapid.IntRange(0, 2).Draw(t, "memory"))
			values["raw_unloading"] = float64(rapid.IntRange(0, 1).Draw(t, "raw"))
			law, err := m.Build(values)
			if err != nil {
				t.Skip(err) // contradicting parameters
			}
			var q *quasiStatic
			switch law := law.(type) {
			case *quasiStatic:
				q = law
			case *repeated:
				q = &law.quasiStatic
			}
			b := l.bounds(q.curve)[0]
			n := newNode(law)
			greatest := 0.0
			for range 40 {
				d := b * decades(-6, 3, "d/d_y")
				if rapid.IntRange(0, 4).Draw(t, "apart") == 0 {
					d = -d
				}
				n.rate[0] = d - n.d[0]
				greatest = max(greatest, d)
				f := n.move(d)
				for _, v := range []float64{f, n.dp[0], n.k[0], n.w[0]} {
					if !(v >= 0) || math.IsInf(v, 0) {
						t.Fatalf("at %g: force %g, tangent %g, stiffest %g, stored %g", d, f, n.dp[0], n.k[0], n.w[0])
					}
				}
				if n.k[0] < n.dp[0] {
					t.Fatalf("at %g: stiffest tangent %g under %g", d, n.k[0], n.dp[0])
				}
				if !q.raw && values["memory"] == 1 && greatest > 0 && n.w[0] > q.work(greatest)*(1+1e-9) {
					t.Fatalf("at %g: %g J stored, %g taken", d, n.w[0], q.work(greatest))
				}
				if again := n.move(d); math.Abs(again-f) > 1e-10*f+1e-12*n.k[0]*math.Abs(d) {
					t.Fatalf("at %g: %g N, once more %g", d, f, again)
				}
				if d > 0 {
					v, slope := q.load(d, d)
					if l.name == "vu-quoc-zhang" && d > b {
						if back, _ := q.curve.(*vuQuocZhang).deflection(math.Cbrt(v)); math.Abs(back-d) > 1e-12*d {
							t.Fatalf("the force at %g belongs to %g", d, back)
						}
					}
					if !(v > 0 && slope > 0) {
						t.Fatalf("first loading at %g: %g N, %g N/m", d, v, slope)
					}
				}
			}
		}))
	}
}
