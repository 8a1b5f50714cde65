package contact

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"testing"
)

// Samples of the point laws, all of the steel spheres.
func init() {
	with := func(values map[string]float64) map[string]float64 {
		all := map[string]float64{"radius": steelRadius, "modulus": steelModulus}
		maps.Copy(all, values)
		return all
	}
	type values = map[string]float64
	for _, m := range hystereticDampers {
		samples[m.name] = with(values{"restitution": 0.7})
	}
	maps.Copy(samples, map[string]values{
		"hertz":                    with(nil),
		"tsuji":                    with(values{"mass": steelMass, "restitution": 0.7}),
		"jankowski":                with(values{"mass": steelMass, "restitution": 0.7}),
		"lee-wang-viscous":         with(values{"mass": steelMass, "restitution": 0.7}),
		"kuwabara-kono":            with(values{"young": 207e9, "poisson": 0.3, "eta1": 1e5, "eta2": 2e5}),
		"schwager-poschel":         with(values{"chi": 1e5}),
		"lee-herrmann":             with(values{"chi": 3e6}),
		"ristow":                   with(values{"chi": 3e6}),
		"kelvin-voigt":             {"stiffness": 3e8, "chi": 1e3},
		"linear-dashpot":           {"stiffness": 3e8, "mass": steelMass, "restitution": 0.7},
		"elastoplastic-hysteretic": {"radius": steelRadius, "yield": 500e6, "restitution": 0.7},
		"elastoplastic-viscous":    {"radius": steelRadius, "yield": 500e6, "mass": steelMass, "restitution": 0.7},
	})
}

// What holds for every point law without plastic memory at rates other than
// zero, along the path of TestEveryLaw: the tangent at a fixed rate, no energy
// out of nothing, no pull, and memory that begins anew after separation.
func TestEveryPointLaw(t *testing.T) {
	for _, name := range points() {
		if slices.Contains(build(t, name).Memory(), "max_deflection") {
			continue // tested as a whole with the other quasi-static laws
		}
		t.Run(name, func(t *testing.T) {
			n := newNode(build(t, name))
			next := make([]float64, len(n.mem))
			from := 0.0
			for i, d := range path() {
				n.rate[0] = 1 // the approach speed
				if i > 0 {
					n.rate[0] = 1.3 * math.Cos(float64(i)) * math.Copysign(1, d-from)
				}
				from = d
				f := n.try(d, next)
				dp, k, w := n.dp[0], n.k[0], n.w[0]
				if !(f >= 0) || !(w >= 0) || math.IsInf(f, 0) || math.IsNaN(dp) || !(k >= dp) {
					t.Fatalf("at %g, %g m/s: force %g, tangent %g, stiffest %g, stored %g", d, n.rate[0], f, dp, k, w)
				}
				if d > 0 {
					h := 1e-6 * d
					above, wAbove, dpAbove := n.try(d+h, next), n.w[0], n.dp[0]
					below, wBelow, dpBelow := n.try(d-h, next), n.w[0], n.dp[0]
					slope, elastic := (above-below)/(2*h), (wAbove-wBelow)/(2*h)
					if scale := k + math.Abs(dp); math.Abs(dpAbove-dpBelow) < 1e-3*scale && math.Abs(slope-dp) > 1e-6*scale {
						t.Errorf("at %g, %g m/s: tangent %g, slope %g", d, n.rate[0], dp, slope)
					}
					if lost := (f - elastic) * n.rate[0]; lost < -1e-8*math.Abs(elastic*n.rate[0]) {
						t.Errorf("at %g, %g m/s: damping gives %g W, force %g, elastic %g", d, n.rate[0], -lost, f, elastic)
					}
				}
				if got := n.move(d); got != f {
					t.Errorf("at %g: %g, committed %g", d, f, got)
				}
				memory := slices.Clone(n.mem)
				if got := n.move(d); math.Abs(got-f) > 1e-13*f || math.Abs(n.w[0]-w) > 1e-13*w {
					t.Errorf("at %g: %g N, %g J; once more %g, %g", d, f, w, got, n.w[0])
				}
				for j := range memory {
					if math.Abs(n.mem[j]-memory[j]) > 1e-13*math.Abs(memory[j]) {
						t.Errorf("at %g: memory %g, once more %g", d, memory, n.mem)
					}
				}
			}
		})
	}
}

// A contact that begins at rest or separating has no damping until it ends;
// the next one does.
func TestRestingStart(t *testing.T) {
	for _, name := range points() {
		law := build(t, name)
		if !slices.Contains(law.Memory(), approachSpeed) {
			continue
		}
		for _, start := range []float64{0, -1, 1e-200} {
			n := newNode(law)
			n.rate[0] = start
			n.move(1e-6)
			for _, rate := range []float64{5, -5, 0} {
				n.rate[0] = rate
				f := n.move(2e-6)
				n.rate[0] = 0
				if elastic := n.move(2e-6); f != elastic || !(f > 0) || n.mem[0] != noApproach {
					t.Errorf("%s begun at %g m/s: %g N at %g m/s, %g N at rest, memory %g", name, start, f, rate, elastic, n.mem[0])
				}
			}
			if n.move(0); n.mem[0] != 0 {
				t.Errorf("%s: memory %g after separation", name, n.mem[0])
			}
			n.rate[0] = 2
			if n.move(1e-6); n.mem[0] != 2 {
				t.Errorf("%s: memory %g in the next contact", name, n.mem[0])
			}
			n.rate[0] = -0.5
			if n.move(1e-6); n.mem[0] != 2 {
				t.Errorf("%s: memory %g later in the next contact", name, n.mem[0])
			}
		}
	}
}

// rows reads a reference table with text in its first columns.
func rows(t *testing.T, file string) [][]string {
	t.Helper()
	all := records(t, "testdata/"+file)
	if len(all) < 7 {
		t.Fatalf("%s has only %d rows", file, len(all))
	}
	return all[1:]
}

func number(t *testing.T, field string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(field, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
