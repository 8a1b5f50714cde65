package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fdem/io/columns"
)

// The curve of a metal has its yield stress, and one of a viscous solid depends on speed.
func TestCurveOfMaterial(t *testing.T) {
	last := func(args ...string) (strain, stress float64) {
		t.Helper()
		var out bytes.Buffer
		c := newLawCommand()
		c.SetOut(&out)
		c.SetArgs(append([]string{"curve"}, args...))
		if err := c.Execute(); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "curve.csv")
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := columns.Read(file); err != nil {
			t.Fatal(err)
		}
		rows := strings.Split(strings.TrimSpace(out.String()), "\n")
		for i, word := range strings.Split(rows[len(rows)-1], ",")[:3] {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			switch i {
			case 0:
				strain = v
			case 2:
				stress = v
			}
		}
		return strain, stress
	}
	if e, s := last("j2", "--set", "young=210 GPa,poisson=0.3,yield_stress=400 MPa,hardening=1 GPa", "--path", "0:0.1:20"); e != 0.1 || math.Abs(s-497630331.754) > 1 {
		t.Errorf("at a strain of %g a stress of %.12g Pa", e, s)
	}
	solid := []string{"linear-solid", "--set", "young=1e9,poisson=0.3", "--set", "branches=0.5:1e-3", "--path", "0:1e-5:10", "--speed"}
	_, fast := last(append(solid, "1e4")...)
	_, slow := last(append(solid, "1e-6")...)
	if math.Abs(fast-1e4) > 2 || !(slow < 0.65*fast) {
		t.Errorf("%g Pa pulled fast, %g Pa slowly", fast, slow)
	}
}
