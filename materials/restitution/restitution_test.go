package restitution

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"fdem/materials/contact"
)

func near(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if !(math.Abs(got-want) <= rel*math.Abs(want)) {
		t.Errorf("%s: got %.12g, want %.12g, off by %.2g", what, got, want, (got-want)/want)
	}
}

// The steel spheres of the reference tables.
const (
	modulus = 207e9 / (2 * (1 - 0.3*0.3))
	radius  = 5e-3
	yield   = 500e6
)

// Independent numbers, 12 digits, Y/E* of the steel spheres.
func TestFormulas(t *testing.T) {
	f, err := os.Open("../contact/testdata/cor_formulae_vs_VoverVy.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		var v [4]float64
		for i, field := range record {
			if v[i], err = strconv.ParseFloat(field, 64); err != nil {
				t.Fatal(err)
			}
		}
		near(t, "Thornton", Thornton(v[0], 1), v[1], 1e-10)
		near(t, "Wu", Wu(v[0], 1, yield, modulus), v[2], 1e-10)
		near(t, "Jackson", Jackson(v[0], 1, yield, modulus), v[3], 1e-10)
	}
}

// Continuous where branches meet, 1 at yield.
func TestBounds(t *testing.T) {
	const e = 1e-12
	near(t, "Thornton at yield", Thornton(1+e, 1), 1, 1e-9)
	near(t, "Jackson at yield", Jackson(1+e, 1, yield, modulus), 1, 1e-9)
	near(t, "Jackson at 60", Jackson(60*(1+e), 1, yield, modulus), Jackson(60*(1-e), 1, yield, modulus), 1e-9)
	meet := math.Pow(0.62/2.08, 4) * math.Pow(modulus/yield, 2)
	near(t, "Wu's bound", math.Pow(0.62/2.08, 4), 0.0079, 1e-2)
	near(t, "Wu there", Wu(meet*(1+e), 1, yield, modulus), Wu(meet*(1-e), 1, yield, modulus), 1e-9)
	k := (1.282 + 1.158*0.3) * yield
	wc := radius * math.Pow(math.Pi*k/(2*modulus), 2)
	near(t, "Chang and Ling at yield", ChangLing(modulus, radius, yield, 0.3, wc*(1+e)), 1, 1e-9)
	near(t, "Chang and Ling below", ChangLing(modulus, radius, yield, 0.3, 0.5*wc), 1, 0)
	near(t, "Ma and Liu's factor", MaLiu(1, 1, 1, 1, 1), 0.8126, 1e-4)
	near(t, "Weir and Tallon", WeirTallon(1, 1, 1, 1, 1, 1, 1), 3.1, 1e-15)
	near(t, "Weir and Tallon, scaling", WeirTallon(16, yield, modulus, radius, radius, 207e9, 7800), 0.5*WeirTallon(1, yield, modulus, radius, radius, 207e9, 7800), 1e-12)
}

// history integrates an impact under a law by leapfrog.
func history(t *testing.T, name string, values map[string]float64, mass, v float64, steps float64) (time, force, speed []float64, peak float64) {
	t.Helper()
	m, ok := contact.Lookup(name)
	if !ok {
		t.Fatalf("no law %q", name)
	}
	law, err := m.Build(values)
	if err != nil {
		t.Fatal(err)
	}
	var d, rate, p, dp, k, w [1]float64
	mem := make([]float64, len(law.Memory()))
	dt := math.Pow(mass/(modulus*math.Sqrt(radius)), 0.4) * math.Pow(v, -0.2) / steps
	time, force, speed = []float64{0}, []float64{0}, []float64{v}
	for i := 1; v > 0 || d[0] > 0 && p[0] > 0; i++ {
		v -= 0.5 * p[0] / mass * dt
		d[0] += v * dt
		peak = max(peak, d[0])
		rate[0] = v
		law.Eval(contact.Input{D: d[:], Rate: rate[:], Mem: mem}, contact.Output{P: p[:], DP: dp[:], K: k[:], W: w[:], Mem: mem})
		v -= 0.5 * p[0] / mass * dt
		time, force, speed = append(time, float64(i)*dt), append(force, p[0]), append(speed, v)
	}
	return time, force, speed, peak
}

// The four measures of a central impact without friction agree, and with the
// closed formulas of the laws that have one.
func TestMeasures(t *testing.T) {
	const mass = 0.0163
	spheres := func(more map[string]float64) map[string]float64 {
		values := map[string]float64{"radius": radius, "modulus": modulus}
		for k, v := range more {
			values[k] = v
		}
		return values
	}
	ceb := spheres(map[string]float64{"hardness": yield * (1.282 + 1.158*0.3) / (0.454 + 0.41*0.3), "poisson": 0.3})
	thornton := spheres(map[string]float64{"yield": yield})
	maLiu := spheres(map[string]float64{"yield": yield})

	py := 1.6 * yield
	dy := radius * math.Pow(math.Pi*py/(2*modulus), 2)
	vy := math.Sqrt(16.0 / 15 * modulus * math.Sqrt(radius) * math.Pow(dy, 2.5) / mass)
	for _, v := range []float64{0.5 * vy, 2 * vy, 20 * vy, 200 * vy} {
		time, force, speed, _ := history(t, "thornton", thornton, mass, v, 2000)
		m, err := Measure(time, force, speed)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "Newton's against Thornton's formula", m.Newton, Thornton(v, vy), 1e-6)
		near(t, "Poisson's", m.Poisson, m.Newton, 1e-6)
		near(t, "Stronge's", m.Stronge, m.Newton, 1e-6)
		near(t, "the energy's", m.Energy, m.Newton, 1e-6)

		time, force, speed, peak := history(t, "ceb", ceb, mass, v, 20000)
		if m, err = Measure(time, force, speed); err != nil {
			t.Fatal(err)
		}
		// The force jumps: integrated to first order only.
		near(t, "CEB's law against Chang and Ling's formula", m.Newton, ChangLing(modulus, radius, yield, 0.3, peak), 1e-4)
	}

	// Ma and Liu's formula is their law's limit: nearer with the speed.
	py = 1.61 * yield
	dy = radius * math.Pow(math.Pi*py/(2*modulus), 2)
	dp, l := dy*84.5, math.Log(84.5)
	flow := 6 * yield
	c2 := math.Pi * radius * (flow - py) / l
	c1 := math.Pi*radius*py - c2
	hertz := func(d float64) float64 { return 4.0 / 3 * modulus * math.Sqrt(radius) * math.Pow(d, 1.5) }
	fp := dp*(c1+c2*l) + hertz(dy) - c1*dy
	last := 1.0
	for _, v := range []float64{10, 100, 1000} {
		time, force, speed, _ := history(t, "ma-liu", maLiu, mass, v, 2000)
		m, err := Measure(time, force, speed)
		if err != nil {
			t.Fatal(err)
		}
		off := math.Abs(MaLiu(v, modulus, radius*hertz(dp)/fp, math.Pi*radius*flow, mass)/m.Newton - 1)
		t.Logf("Ma and Liu at %g m/s: off by %.2g", v, off)
		if !(off < last) {
			t.Errorf("at %g m/s the formula is off by %g, by %g before", v, off, last)
		}
		last = off
	}
	if !(last < 1e-3) {
		t.Errorf("at the greatest speed the formula is off by %g", last)
	}
}

func TestMeasureRefuses(t *testing.T) {
	for name, h := range map[string][3][]float64{
		"lengths":       {{0, 1}, {0}, {1, -1}},
		"time":          {{0, 0}, {0, 1}, {1, -1}},
		"no separation": {{0, 1}, {0, 1}, {2, 1}},
		"no approach":   {{0, 1}, {0, 1}, {-2, -1}},
		"no force":      {{0, 1, 2}, {0, 0, 0}, {2, 1, -1}},
		"empty":         {},
	} {
		if m, err := Measure(h[0], h[1], h[2]); err == nil {
			t.Errorf("%s: got %+v", name, m)
		}
	}
}
