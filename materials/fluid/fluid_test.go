package fluid_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"fdem/materials/fluid"
)

// equations are some of each kind.
func equations(t *testing.T) map[string]fluid.Equation {
	t.Helper()
	return map[string]fluid.Equation{
		"water": fluid.Liquid{Bulk: 2.2e9},
		"air":   fluid.Gas{Pressure: 200e6, Gamma: 1.3},
		"anfo":  fluid.JWL{A: 49.46e9, B: 1.891e9, C: 0.558e9, R1: 3.907, R2: 1.118, Omega: 0.333},
	}
}

// The slope is the derivative of the pressure, and the pressure that of the energy: a
// fluid gives as much work as it loses energy.
func TestDerivatives(t *testing.T) {
	for name, of := range equations(t) {
		if err := of.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, v := range []float64{0.5, 0.9, 0.999, 1.2, 2, 10, 50} {
			h := 1e-5 * v
			s, a, b := of.At(v), of.At(v-h), of.At(v+h)
			scale := max(s.Pressure, of.At(0.9).Pressure*1e-9)
			if d := (b.Pressure - a.Pressure) / (2 * h); math.Abs(d-s.Slope) > 1e-7*(math.Abs(s.Slope)+scale/v) {
				t.Errorf("%s at %g: slope %g Pa, by differences %g", name, v, s.Slope, d)
			}
			if d := -(b.Energy - a.Energy) / (2 * h); math.Abs(d-s.Pressure) > 1e-7*scale*(1+1e3*h) {
				t.Errorf("%s at %g: pressure %g Pa, by differences of energy %g", name, v, s.Pressure, d)
			}
			if s.Pressure < 0 || s.Slope > 0 || s.Energy < 0 {
				t.Errorf("%s at %g: %+v", name, v, s)
			}
		}
	}
}

// A liquid's chemical potential is K ln(1 + p/K), that of its compression.
func TestPotential(t *testing.T) {
	l := fluid.Liquid{Bulk: 2.2e9}
	for _, p := range []float64{1e5, 1e7, 1e9} {
		v := 1 / (1 + p/l.Bulk)
		s := l.At(v)
		if math.Abs(s.Pressure/p-1) > 1e-9 {
			t.Errorf("p = %g Pa, want %g", s.Pressure, p)
		}
		if want := l.Bulk * math.Log1p(p/l.Bulk); math.Abs(s.Potential(v)/want-1) > 1e-9 {
			t.Errorf("mu = %g J/m3, want %g", s.Potential(v), want)
		}
	}
	if (l.At(1) != fluid.State{}) || (l.At(3) != fluid.State{}) {
		t.Error("a liquid that does not fill its room has a pressure")
	}
}

// Pressure and energy of explosives and of a gas as published values have them.
func TestReference(t *testing.T) {
	data, err := os.ReadFile("../../testdata/fluid.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref struct {
		Open struct {
			Gas struct {
				P0, Gamma float64
				Table     struct {
					V    []float64 `json:"V_over_V0"`
					P    []float64
					Work []float64
				} `json:"expansion_table"`
				R float64
			} `json:"gas_hole"`
			JWL struct {
				A, B, C, R1, R2, Omega float64
				V, P                   []float64
				Left                   []float64 `json:"energy_left"`
				Work                   float64   `json:"work_1_to_7"`
			} `json:"jwl_isentrope"`
		}
	}
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	j := ref.Open.JWL
	of := fluid.JWL{A: j.A, B: j.B, C: j.C, R1: j.R1, R2: j.R2, Omega: j.Omega}
	near := func(what string, got, want, to float64) {
		t.Helper()
		if !(math.Abs(got/want-1) <= to) {
			t.Errorf("%s: %.15g, want %.15g", what, got, want)
		}
	}
	for i, v := range j.V {
		near("JWL pressure", of.At(v).Pressure, j.P[i], 1e-12)
		near("JWL energy", of.At(v).Energy, j.Left[i], 1e-12)
	}
	near("JWL work", of.At(1).Energy-of.At(7).Energy, j.Work, 1e-12)
	g := ref.Open.Gas
	gas := fluid.Gas{Pressure: g.P0, Gamma: g.Gamma}
	for i, v := range g.Table.V {
		near("gas pressure", gas.At(v).Pressure, g.Table.P[i], 1e-12)
		near("gas work", (gas.At(1).Energy-gas.At(v).Energy)*math.Pi*g.R*g.R, g.Table.Work[i], 1e-12)
	}
}

// Constants out of range are refused by name.
func TestCheck(t *testing.T) {
	for _, of := range []fluid.Equation{
		fluid.Liquid{}, fluid.Liquid{Bulk: math.Inf(1)}, fluid.Gas{Pressure: 1e6, Gamma: 1}, fluid.Gas{Gamma: 1.4},
		fluid.JWL{A: 1, B: 1, C: 1, R1: 1, R2: 1},
	} {
		if of.Check() == nil {
			t.Errorf("%+v is taken", of)
		}
	}
}
