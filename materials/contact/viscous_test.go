package contact

import (
	"math"
	"slices"
	"testing"
)

// Forces and dampings of an independent implementation, 12 digits, at random
// deflections, rates and restitutions; no clamp, and Jankowski's damper in both
// directions.
//
// Lee and Wang's row cannot be met by a law with dimensions: the reference
// takes the printed D, with Hertz's K where a stiffness belongs. Ours is the
// printed one times (d_ref)^(1/4) in SI numbers, at the speed of 8 m/s, and is
// held to that.
func TestViscousReferencePoints(t *testing.T) {
	const rel = 1e-9
	count := map[string]int{}
	for _, row := range rows(t, "viscous_points.csv") {
		d, rate, put := number(t, row[1]), number(t, row[2]), number(t, row[3])
		m, chi, force := number(t, row[4]), number(t, row[5]), number(t, row[6])
		count[row[0]]++
		switch row[0] {
		case "lee_wang":
			law := steel(t, "lee-wang-viscous", map[string]float64{"restitution": put, "raw": 1}).(LeeWang)
			ref := math.Pow(1.25*steelMass*steelSpeed*steelSpeed/law.K, 0.4)
			damping := chi * math.Pow(ref, 0.25)
			near(t, "lee-wang D", law.Damping(steelSpeed), damping, rel)
			n := newNode(law)
			n.rate[0] = steelSpeed
			n.move(1e-9)
			n.rate[0] = rate
			elastic := law.K * math.Pow(d, 1.5)
			entering := (force - elastic) / (chi * rate) // T
			want := elastic + damping*entering*rate
			if got := n.move(d); math.Abs(got-want) > rel*(elastic+math.Abs(damping*rate)) {
				t.Errorf("lee-wang at %g: %g, want %g", d, got, want)
			}
			if want := math.Exp(d/1e-6 - 1 - math.Abs(d/1e-6-1)); math.Abs(entering-want) > 1e-6 {
				t.Errorf("lee-wang at %g: T is %g, want %g", d, entering, want)
			}
		case "tsuji", "jankowski", "kuwabara_kono":
			name := row[0]
			values := map[string]float64{"raw": 1}
			switch name {
			case "kuwabara_kono":
				name = "kuwabara-kono"
			case "jankowski":
				values["rebound"] = 1
				fallthrough
			default:
				values["restitution"] = put
			}
			law := steel(t, name, values).(Viscous)
			near(t, name+" chi", law.Chi, chi, rel)
			near(t, name+" exponent", law.M, m, 0)
			n := newNode(law)
			n.rate[0] = rate
			got := n.move(d)
			if scale := law.K * math.Pow(d, 1.5); math.Abs(got-force) > rel*(scale+math.Abs(force)) {
				t.Errorf("%s at %g, %g m/s: %g, want %g", name, d, rate, got, force)
			}
		default:
			t.Errorf("no law for the reference %q", row[0])
		}
	}
	for name, n := range count {
		if n != 40 {
			t.Errorf("%d rows of %s", n, name)
		}
	}
}

// The restitution that comes out, from an independent implementation: contact
// taken to end at d = 0 is raw, at F = 0 the default.
func TestViscousRestitution(t *testing.T) {
	const rel = 1e-7
	for _, row := range rows(t, "viscous_cor.csv") {
		put := map[string]float64{"restitution": number(t, row[0])}
		raw := map[string]float64{"restitution": put["restitution"], "raw": 1}
		for _, tt := range []struct {
			name   string
			values map[string]float64
			column int
		}{
			{"tsuji", raw, 1}, {"tsuji", put, 2}, {"jankowski", put, 3}, {"jankowski", raw, 3},
			{"linear-dashpot", raw, 4}, {"linear-dashpot", put, 5},
			{"elastoplastic-viscous", raw, 4}, {"elastoplastic-viscous", put, 5},
		} {
			got := collide(t, steel(t, tt.name, tt.values), steelMass, steelSpeed)
			near(t, tt.name+" for "+row[0], got.Restitution, number(t, row[tt.column]), rel)
		}
	}
}

// Published: Tsuji's 0.5 becomes 0.550 where nothing pulls, Jankowski's 0.7
// returns 0.698, and 0.419 where it damps the rebound too.
func TestViscousPublished(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values map[string]float64
		want   float64
	}{
		{"tsuji", map[string]float64{"restitution": 0.5, "raw": 1}, 0.5},
		{"tsuji", map[string]float64{"restitution": 0.5}, 0.550},
		{"jankowski", map[string]float64{"restitution": 0.7}, 0.698},
		{"jankowski", map[string]float64{"restitution": 0.7, "rebound": 1, "raw": 1}, 0.419},
	} {
		got := collide(t, steel(t, tt.name, tt.values), steelMass, 2).Restitution
		if math.Abs(got-tt.want) > 5e-4 {
			t.Errorf("%s %v: %g, want %g", tt.name, tt.values, got, tt.want)
		}
	}
}

// With 1 put in, or no damping, the spheres are Hertz's.
func TestViscousElasticLimit(t *testing.T) {
	for name, values := range map[string]map[string]float64{
		"tsuji": {"restitution": 1}, "jankowski": {"restitution": 1}, "lee-wang-viscous": {"restitution": 1},
		"kuwabara-kono": {"poisson": 0.5}, "schwager-poschel": {"chi": 0}, "lee-herrmann": {"chi": 0}, "ristow": {"chi": 0},
	} {
		a, b := newNode(steel(t, name, values)), newNode(build(t, "hertz"))
		for _, d := range []float64{1e-7, 1e-5} {
			a.rate[0] = 3
			if f := a.move(d); f != b.move(d) || a.w[0] != b.w[0] || a.dp[0] != b.dp[0] {
				t.Errorf("%s at %g: %g N, Hertz %g", name, d, f, b.p[0])
			}
		}
	}
}

// Kuwabara and Kono's loss, 1 - e, goes with the fifth root of the speed where
// it is small: twice of it takes 32 times the speed. Dampers with the exponent
// 1/4 do not know the speed.
func TestViscousSpeed(t *testing.T) {
	lost := func(name string, speed float64) float64 {
		return 1 - collide(t, steel(t, name, map[string]float64{"raw": 1}), steelMass, speed).Restitution
	}
	near(t, "kuwabara-kono", lost("kuwabara-kono", 1e-4*32)/lost("kuwabara-kono", 1e-4), 2, 1e-2)
	near(t, "tsuji", lost("tsuji", 1e-3), lost("tsuji", 10), 1e-7)
}

// Table 5's benchmark: Kp of eq. (45) for psi = 3 and xi = 13, and eq. (53) with
// the restitution 0.69091 of Ma and Liu's law put in. The review claims the same
// energy within 0.25 %; 0.78 % more loss comes out. The restitution is 0.68796 by
// the exact relation; an earlier integration gave 0.68794, which is met to 3e-5
// only.
func TestEquivalentLaws(t *testing.T) {
	const radius, yield, mass, put = 0.82, 30e6, 0.2613805087786708, 0.690914240674
	law := steel(t, "elastoplastic-hysteretic", map[string]float64{"radius": radius, "yield": yield, "restitution": put}).(Hysteretic)
	near(t, "Kp", law.K, 391293406.6727574, 1e-12)
	got := collide(t, law, mass, 4)
	near(t, "restitution", got.Restitution, 0.68794, 3e-5)
	near(t, "restitution, exact", got.Restitution, law.Restitution(), 1e-8)
	near(t, "loss over that of Ma and Liu's law", (1-got.Restitution*got.Restitution)/(1-put*put), 1.0078, 1e-4)
	viscous := steel(t, "elastoplastic-viscous", map[string]float64{"radius": radius, "yield": yield, "mass": mass, "restitution": put, "raw": 1})
	near(t, "restitution of eq. (55)", collide(t, viscous, mass, 4).Restitution, put, 1e-8)
	for _, psi := range []float64{1e-3, 1, 3, 100} { // the chord never falls
		for _, xi := range []float64{1.415, 2, 13, 1000} {
			if k := elastoplasticStiffness(1, 1, psi, xi); !(k > 0) {
				t.Errorf("psi = %g, xi = %g: stiffness %g", psi, xi, k)
			}
		}
	}
}

// EvalSprung gives the bits of Eval, but for the stiffness: that is the spring's,
// which Eval gives at rest.
func TestEvalSprung(t *testing.T) {
	sprung := 0
	for _, name := range Names() {
		law, ok := build(t, name).(Sprung)
		if !ok {
			continue
		}
		sprung++
		for _, d := range []float64{-1e-6, 0, 1e-150, 1e-9, 1e-6, 1e-4} {
			at := func(rate float64, eval func(Input, Output)) (n *node) {
				n = newNode(law)
				n.d[0], n.rate[0] = d, rate
				eval(Input{n.d, n.rate, n.mem}, Output{n.p[:], n.dp[:], n.k[:], n.w[:], n.mem})
				return n
			}
			spring := at(0, law.Eval).k[0]
			for _, rate := range []float64{2, 0.1, 0, -0.5, -30} {
				all, own := at(rate, law.Eval), at(rate, law.EvalSprung)
				if own.p != all.p || own.w != all.w || !slices.Equal(own.mem, all.mem) || math.Abs(own.k[0]-spring) > 1e-15*spring {
					t.Errorf("%s at %g m, %g m/s: %v, with the spring's stiffness %v; at rest it is %g", name, d, rate, all, own, spring)
				}
			}
		}
	}
	if sprung < 8 {
		t.Errorf("%d laws tell of their spring", sprung)
	}
}
