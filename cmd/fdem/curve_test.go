package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fdem/materials/contact"
)

var table1 = []string{
	"m_p=0.653", "m_e=0.462", "m_ep=0.462", "e_p=0.534 um/MPa^0.653", "e_e=1.148 um/MPa^0.462",
	"e_l=0.302 um/MPa^0.462", "e_u=0.523 um/MPa^0.462",
}

// fdem runs a command line that must succeed and returns its CSV output by
// column.
func fdem(t *testing.T, args ...string) map[string][]float64 {
	t.Helper()
	var out, errs bytes.Buffer
	if status := execute(args, &out, &errs); status != exitDone {
		t.Fatalf("exit status %d: %s", status, errs.String())
	}
	return byColumn(t, out.Bytes())
}

func byColumn(t *testing.T, data []byte) map[string][]float64 {
	t.Helper()
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns := make(map[string][]float64)
	for _, row := range rows[1:] {
		for j, field := range row {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			columns[rows[0][j]] = append(columns[rows[0][j]], v)
		}
	}
	return columns
}

// The reference history through the command: pressures to 1e-9, and the
// energies against the closed integrals of the law's parts.
func TestLawCurveKostek(t *testing.T) {
	const file = "../../materials/contact/testdata/kostek_table1.csv"
	args := []string{"law", "curve", "kostek", "--path-csv", file}
	for _, s := range table1 {
		args = append(args, "--set", s)
	}
	got := fdem(t, args...)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := byColumn(t, data)
	if !slices.Equal(got["deflection"], want["deflection"]) {
		t.Fatal("the deflections differ from those of the file")
	}
	const m, mp = 0.462, 0.653
	si := func(v, m float64) float64 { return v * 1e-6 / math.Pow(1e6, m) }
	el, eu, ee, ep := si(0.302, m), si(0.523, m), si(1.148, m), si(0.534, mp)
	area := func(e, m, from, to float64) float64 { // integral of p d(e p^m)
		return e * m / (m + 1) * (math.Pow(to, m+1) - math.Pow(from, m+1))
	}
	spring := math.Pow(0.5*(math.Pow(el, -1/m)+math.Pow(eu, -1/m)), -m)
	work, p, peak, slip := 0.0, 0.0, 0.0, 0.0
	for i, next := range want["pressure"] {
		nextPeak, nextSlip := want["peak_pressure"][i], want["elastoplastic_deflection"][i]
		work += area(ee, m, p, next) + area(ep, mp, peak, nextPeak)
		if nextSlip > slip*(1+1e-11) {
			work += area(el, m, math.Pow(slip/el, 1/m), next)
		} else if nextSlip < slip*(1-1e-11) {
			work += area(eu, m, math.Pow(slip/eu, 1/m), next)
		}
		p, peak, slip = next, nextPeak, nextSlip
		stored := area(ee, m, 0, p) + area(spring, m, 0, math.Pow(slip/spring, 1/m))
		for what, v := range map[string][2]float64{
			"pressure":   {got["pressure"][i], p},
			"stored":     {got["stored"][i], stored},
			"dissipated": {got["dissipated"][i], work - stored},
		} {
			if math.Abs(v[0]-v[1]) > 1e-9*math.Abs(v[1]) {
				t.Errorf("row %d: %s %.12g, want %.12g", i+1, what, v[0], v[1])
			}
		}
		if i > 0 && got["dissipated"][i] < got["dissipated"][i-1]-1e-12*work {
			t.Errorf("row %d: dissipation fell by %g", i+1, got["dissipated"][i-1]-got["dissipated"][i])
		}
	}
}

// One long step or many short ones: the same energies, to rounding.
func TestLawCurveStepsDoNotMatter(t *testing.T) {
	path := func(steps string) map[string][]float64 {
		args := []string{"law", "curve", "kostek", "--path", "-1um,8um:" + steps + ",3.2um,6um,-1um,9um"}
		for _, s := range table1 {
			args = append(args, "--set", s)
		}
		return fdem(t, args...)
	}
	coarse, fine := path("1"), path("400")
	for i := range coarse["deflection"] {
		for _, what := range []string{"deflection", "pressure", "stored", "dissipated"} {
			a, b := coarse[what][i], fine[what][400*i]
			if math.Abs(a-b) > 1e-11*math.Abs(b) {
				t.Errorf("%s at turning point %d: %.15g in one step, %.15g in 400", what, i, a, b)
			}
		}
	}
}

// ratcheting is a law with a jump in its pressure, which no quadrature integrates exactly.
type ratcheting struct{}

func (ratcheting) Memory() []string { return nil }
func (ratcheting) Eval(in contact.Input, out contact.Output) {
	for i, d := range in.D {
		out.P[i], out.W[i] = 0, 0
		if d > 1.0/3 {
			out.P[i] = 1 + in.Rate[i]
		}
	}
}

func TestTraceMeetsJumpsAndRates(t *testing.T) {
	tr := newTrace(contact.Surface, ratcheting{})
	if _, _, _, err := tr.to(point{0, 1}); err != nil {
		t.Fatal(err)
	}
	_, _, got, err := tr.to(point{1, 3}) // p = 1 + 1 + 2d from d = 1/3
	if err != nil {
		t.Fatal(err)
	}
	if want := 2*2.0/3 + 1 - 1.0/9; math.Abs(got-want) > 1e-12 {
		t.Errorf("work %.15g, want %.15g", got, want)
	}
}

// The computation of every path ends: for parts that begin and end without force and without work,
// at rates of any sign, and for values that overflow.
func TestCurvesEnd(t *testing.T) {
	dir := t.TempDir()
	file := func(rows string) string {
		path := filepath.Join(dir, "path.csv")
		if err := os.WriteFile(path, []byte("deflection [um],rate\n"+rows), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const ball = "radius=5 mm,modulus=100 GPa,restitution=0.5"
	laws := []struct{ name, set string }{
		{"linear", "k=1e12,c=1e9"}, {"hunt-crossley", ball}, {"tsuji", ball + ",mass=1 g"}, {"jankowski", ball + ",mass=1 g"}, {"jankowski", ball + ",mass=1 g,rebound=1"},
	}
	for _, l := range laws {
		for _, rows := range []string{
			"0,0\n1,-1.1e-3\n0,1e-3\n", "0,0\n1,-1\n0,1\n", "0,1\n1,0\n0,-1\n", "0,1\n1,-1\n-1,1\n1,-1\n0,1\n", "0,0\n0,0\n1,0\n1,0\n0,0\n", "0,1e-3\n20,-1e-2\n0,-1e-3\n0,1e-3\n20,1\n0,0\n",
		} {
			began := time.Now()
			status, _, stderr := command("law", "curve", l.name, "--set", l.set, "--path-csv", file(rows))
			if status != 0 {
				t.Errorf("%s: exit status %d: %s", l.name, status, stderr)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("%s along %q took %v", l.name, rows, took)
			}
		}
		for _, spec := range []string{"0:1e200:2,0", "0:1e300,0"} {
			status, _, stderr := command("law", "curve", l.name, "--set", l.set, "--path", spec)
			if status != 2 || !strings.Contains(stderr, l.name+": at a deflection of ") || !strings.Contains(stderr, "the law has no finite value") {
				t.Errorf("%s along %s: exit status %d: %s", l.name, spec, status, stderr)
			}
		}
	}
}

func TestParsePath(t *testing.T) {
	for _, tt := range []struct {
		spec string
		want []float64
	}{
		{"0:2um:2,0", []float64{0, 1e-6, 2e-6, 1e-6, 0}},
		{"0,2um:2,0", []float64{0, 1e-6, 2e-6, 1e-6, 0}},
		{"1", []float64{1}},
		{" -1 : 1 : 4 , 3 : 1 ", []float64{-1, -0.5, 0, 0.5, 1, 3}},
		{"0:3:1,0:3", []float64{0, 3, 2, 1, 0}},
	} {
		path, err := parsePath(tt.spec)
		if err != nil {
			t.Errorf("%q: %v", tt.spec, err)
			continue
		}
		var got []float64
		for _, at := range path {
			got = append(got, at.deflection)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %g, want %g", tt.spec, got, tt.want)
		}
	}
	if path, err := parsePath("0,1um"); err != nil || len(path) != 101 {
		t.Errorf("without a number: %d points, %v", len(path), err)
	}
	for _, spec := range []string{"", "0:", "0,", "0:1:x", "0:1:-1", "0:1:1.5", "0:1:2:3", "a", "0:1:20000000"} {
		if path, err := parsePath(spec); err == nil {
			t.Errorf("%q gave %d points", spec, len(path))
		} else if !strings.Contains(err.Error(), spec) {
			t.Errorf("%q: message %q does not quote it", spec, err)
		}
	}
}

// full is a writer of a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestLawCurveTellsOfAFullDisk(t *testing.T) {
	var errs strings.Builder
	status := execute([]string{"law", "curve", "linear", "--set", "k=1", "--path", "0:1um:1000"}, full{}, &errs)
	if status != exitFailed || errs.String() != "fdem: no space left\n" {
		t.Errorf("exit status %d, %q", status, errs.String())
	}
}

// Whatever the file, the reader returns finite points or an error.
func FuzzScanPath(f *testing.F) {
	for _, s := range []string{
		"deflection\n0\n1e-6\n", "# c\ndeflection [um],rate [mm/s]\n1,2\n", "\ufeffdeflection\n1 um\n",
		"deflection,deflection\n1,1\n", "rate\n1\n", "deflection [\n1\n", "deflection []\n\"1\n2\"\n", "deflection\n1e999\n", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		path, err := scanPath("f.csv", strings.NewReader(s))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.csv:") {
				t.Errorf("message %q does not name the file", err)
			}
			return
		}
		if len(path) == 0 {
			t.Error("no points and no error")
		}
		for _, at := range path {
			if sum := at.deflection + at.rate; math.IsNaN(at.deflection) || math.IsNaN(at.rate) || math.IsInf(sum, 0) {
				t.Fatalf("point %v", at)
			}
		}
	})
}
