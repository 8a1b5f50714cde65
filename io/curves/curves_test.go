package curves_test

import (
	"math"
	"strings"
	"testing"

	"fdem/io/curves"

	"pgregory.net/rapid"
)

// A stress-strain curve that is straight to its peak and falls after it.
func straight() (strain, stress []float64) {
	for i := range 101 {
		e := float64(i) * 1e-4
		s := 30e9 * e
		if i > 70 {
			s = 30e9*70e-4 - 60e9*(e-70e-4)
		}
		strain, stress = append(strain, e), append(stress, s)
	}
	return strain, stress
}

func given(v float64) curves.Limit { return curves.Limit{Value: v, Given: true} }
func share(v float64) curves.Limit { return curves.Limit{Value: v, Share: true, Given: true} }

func TestReadings(t *testing.T) {
	strain, stress := straight()
	for _, c := range []struct {
		name string
		r    curves.Reading
		x, y []float64
		want float64
	}{
		{"strength", curves.Reading{Take: "max"}, strain, stress, 210e6},
		{"least", curves.Reading{Take: "min"}, strain, stress, 0},
		{"end", curves.Reading{Take: "end"}, strain, stress, 30e6},
		{"end before", curves.Reading{Take: "end", To: given(75e-4)}, strain, stress, 180e6},
		{"modulus", curves.Reading{Take: "slope", From: share(0.4), To: share(0.6)}, strain, stress, 30e9},
		{"modulus by strain", curves.Reading{Take: "slope", From: given(1.05e-3), To: given(1.15e-3)}, strain, stress, 30e9},
		{"softening", curves.Reading{Take: "slope", From: given(75e-4)}, strain, stress, -60e9},
		{"energy to the peak", curves.Reading{Take: "area", To: share(1)}, strain, stress, 0.5 * 210e6 * 70e-4},
		{"mean to the peak", curves.Reading{Take: "mean", To: share(1)}, strain, stress, 105e6},
		{"strain at half", curves.Reading{Take: "at", From: share(0.5)}, stress, strain, 35e-4},
		{"strain at 100 MPa", curves.Reading{Take: "at", From: given(100e6)}, stress, strain, 100e6 / 30e9},
		{"rises", curves.Reading{Take: "count", From: given(100e6)}, strain, stress, 1},
	} {
		if got, err := c.r.Number(c.x, c.y, nil); err != nil || math.Abs(got-c.want) > 1e-9*math.Abs(c.want) {
			t.Errorf("%s is %g, %v, want %g", c.name, got, err, c.want)
		}
	}
	for want, r := range map[string]curves.Reading{
		"does not reach": {Take: "slope", From: given(1)},
		"before that":    {Take: "area", From: given(5e-3), To: given(1e-3)},
	} {
		if v, err := r.Number(strain, stress, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v is %g, %v, want %q", r, v, err, want)
		}
	}
	if v, err := (&curves.Reading{Take: "max"}).Number(nil, nil, nil); err == nil {
		t.Errorf("the greatest of nothing is %g", v)
	}
}

// Results change sign with the curve and do not depend on rows that are inserted.
func TestReadingsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 30).Draw(t, "rows")
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = float64(i) + 0.5*rapid.Float64Range(0, 1).Draw(t, "x")
			y[i] = rapid.Float64Range(-1, 1).Draw(t, "y")
		}
		from := rapid.Float64Range(x[0], x[n-1]).Draw(t, "from")
		to := rapid.Float64Range(from, x[n-1]).Draw(t, "to")
		r := curves.Reading{Take: "area", From: given(from), To: given(to)}
		got, err := r.Number(x, y, nil)
		if err != nil {
			return // one row
		}
		var fx, fy, minus []float64
		for i := range x {
			if i > 0 {
				fx, fy = append(fx, 0.5*(x[i-1]+x[i])), append(fy, 0.5*(y[i-1]+y[i]))
			}
			fx, fy, minus = append(fx, x[i]), append(fy, y[i]), append(minus, -y[i])
		}
		if fine, err := r.Number(fx, fy, nil); err != nil || math.Abs(fine-got) > 1e-9 {
			t.Fatalf("area %g, with rows between %g, %v", got, fine, err)
		}
		if turned, err := r.Number(x, minus, nil); err != nil || turned != -got {
			t.Fatalf("area %g, turned %g, %v", got, turned, err)
		}
	})
}

// Names of columns have dots, hyphens and spaces in them; the longest that fits counts.
func TestNames(t *testing.T) {
	columns := []string{"time", "top", "top.fy", "target-striker.normal", "upper block.vx", "2nd.vx"}
	s := curves.Begin(columns, map[string]float64{"thickness": 0.1, "time": 7})
	for _, c := range []struct{ name, of string }{
		{"a", "-top.fy/(2*thickness)"}, {"b", "target-striker.normal-top"}, {"c", "upper block.vx+2nd.vx*2"}, {"d", "a + b + time"}, {"e", "max(top, 0.5)*pi"},
	} {
		if err := s.Curve(curves.Text{Name: c.name, Of: c.of}); err != nil {
			t.Fatalf("%s: %v", c.of, err)
		}
	}
	row := s.Append([]float64{1, 2, 3, 5, 7, 11})
	want := []float64{1, 2, 3, 5, 7, 11, -15, 3, 29, -11, 2 * math.Pi}
	for i := range want {
		if math.Abs(row[i]-want[i]) > 1e-12 {
			t.Errorf("%v: column %d is %g, want %g", s.Header(), i, row[i], want[i])
		}
	}
	for of, want := range map[string]string{"": "no expression", "1/(thickness - 0.1)": "is +Inf in every row", "bottom.fy": "there is no bottom.fy", "f + 1": "there is no f;", "top.fy +": `"top.fy +": it ends too early`} {
		if err := s.Curve(curves.Text{Name: "f", Of: of}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", of, err, want)
		}
	}
}

// A result may be computed of results above it, and says why it has no value.
func TestResults(t *testing.T) {
	strain, stress := straight()
	s := curves.Begin([]string{"strain", "force"}, map[string]float64{"area": 2})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Curve(curves.Text{Name: "stress", Of: "force/area"}))
	for _, r := range []curves.Text{
		{Name: "strength", Of: "stress", Over: "strain", Reading: curves.Reading{Take: "max"}},
		{Name: "half", Of: "strain", Over: "stress", Reading: curves.Reading{Take: "at", From: share(0.5)}},
		{Name: "secant", Of: "0.5*strength/half", Over: "strain", Reading: curves.Reading{Take: "end"}},
		{Name: "by stress", Of: "3*strain", Over: "strain", ShareOf: "stress", Reading: curves.Reading{Take: "end", To: share(0.5)}},
		{Name: "never", Of: "strain", Over: "stress", Reading: curves.Reading{Take: "at", From: given(1e12)}},
		{Name: "of never", Of: "2*never", Over: "strain", Reading: curves.Reading{Take: "end"}},
	} {
		_, err := s.Result(r)
		must(err)
	}
	force := make([]float64, len(stress))
	for i := range force {
		force[i] = 2 * stress[i]
	}
	got := s.Read(map[string][]float64{"strain": strain, "force": force, "stress": stress})
	for i, want := range []float64{210e6, 35e-4, 30e9, 3 * 35e-4} {
		if math.Abs(got[i].Value-want) > 1e-9*want || got[i].Err != nil {
			t.Errorf("%s is %g, %v, want %g", got[i].Name, got[i].Value, got[i].Err, want)
		}
	}
	for _, n := range got[4:] {
		if n.Err == nil {
			t.Errorf("%s is %g", n.Name, n.Value)
		}
	}
}

// A result says that its peak is at the end of the run, where it need not be a peak.
func TestLatePeaks(t *testing.T) {
	rise := make([]float64, 200)
	for i := range rise {
		rise[i] = float64(i)
	}
	fall := append(append([]float64(nil), rise...), 50, 40, 30, 20, 10, 0, -1)
	columns := func(v []float64) map[string][]float64 { return map[string][]float64{"time": v, "f": v} }
	for _, c := range []struct {
		take string
		v    []float64
		late bool
	}{{"max", rise, true}, {"max", fall, false}, {"min", rise, false}, {"min", fall, true}, {"end", rise, false}} {
		s := curves.Begin([]string{"time", "f"}, nil)
		if key, err := s.Result(curves.Text{Name: "r", Of: "f", Over: "time", Reading: curves.Reading{Take: c.take}}); err != nil {
			t.Fatal(key, err)
		}
		if n := s.Read(columns(c.v))[0]; n.Late != c.late || n.Err != nil {
			t.Errorf("%s of %d rows: %+v, want late %v", c.take, len(c.v), n, c.late)
		}
	}
}
