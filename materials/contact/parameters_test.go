package contact

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"
)

// parameters reads a JSON file of testdata.
func parameters(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The reference tables were made with the parameters of these tests, and their
// makers found yield and the ends of the regimes where the laws here have them.
func TestReferenceParameters(t *testing.T) {
	var qs struct {
		Parameters struct {
			E1, Nu1 float64
			R1      float64
			Sy, H   float64
			Mred    float64
			VQ      struct{ E, Nu, R, Sy, Ca, Kc, Mred float64 }
		}
		EStar  float64 `json:"E_star"`
		REff   float64 `json:"R_eff"`
		Models map[string]struct {
			Dy, Fy float64
			Breaks []float64 `json:"breaks_over_dy"`
		}
	}
	parameters(t, "qs_params.json", &qs)
	p, vq := qs.Parameters, qs.Parameters.VQ
	near(t, "E*", steelPair["modulus"], qs.EStar, 1e-14)
	near(t, "R", steelPair["radius"], qs.REff, 1e-14)
	near(t, "Y", steelPair["yield"], p.Sy, 0)
	near(t, "H", steelPair["hardness"], p.H, 0)
	near(t, "Vu-Quoc and Zhang's E*", aluminium["modulus"], vq.E/(2*(1-vq.Nu*vq.Nu)), 1e-14)
	near(t, "their R", aluminium["radius"], vq.R/2, 1e-14)
	near(t, "their Y", aluminium["yield"], vq.Sy, 0)
	near(t, "their C_a", aluminium["c_a"], vq.Ca, 0)
	near(t, "their K_c", aluminium["k_c"], vq.Kc, 0)
	for _, l := range quasiStaticLaws {
		if l.file == "" {
			continue
		}
		m, ok := qs.Models[l.file]
		if !ok {
			t.Errorf("no parameters of %s", l.file)
			continue
		}
		c := quasiStaticOf(t, l.name, nil).curve
		below := m.Dy * (1 - 1e-13)
		f, _ := c.load(below, below)
		near(t, l.name+": force at yield", f, m.Fy, 1e-9)
		for i, b := range l.bounds(c) {
			if l.bounds(c)[0] > 1.1*m.Dy { // elastic beyond yield
				i++
			}
			near(t, fmt.Sprintf("%s: bound %d", l.name, i), b, m.Breaks[i]*m.Dy, 1e-12)
		}
	}

	var visc struct {
		Parameters struct{ Mred, V0 float64 }
		K          float64
		EStar      float64 `json:"E_star"`
		REff       float64 `json:"R_eff"`
	}
	parameters(t, "visc_params.json", &visc)
	near(t, "dampers' E*", steelModulus, visc.EStar, 1e-14)
	near(t, "dampers' R", steelRadius, visc.REff, 1e-14)
	near(t, "dampers' mass", steelMass, visc.Parameters.Mred, 1e-14)
	near(t, "dampers' speed", steelSpeed, visc.Parameters.V0, 0)
	near(t, "dampers' K", HertzStiffness(steelModulus, steelRadius), visc.K, 1e-14)

	var table5 struct {
		EStar          float64 `json:"E_star"`
		REff           float64 `json:"R_eff"`
		Psi, Xi, M, Kp float64
		Py             float64
	}
	parameters(t, "cor_ma_liu_table5.json", &table5)
	m, _ := Lookup("ma-liu")
	law, err := m.Build(joint)
	if err != nil {
		t.Fatal(err)
	}
	l := law.(*quasiStatic).curve.(*maLiu)
	near(t, "joint's E*", joint["modulus"], table5.EStar, 1e-14)
	near(t, "joint's R", joint["radius"], table5.REff, 1e-12)
	near(t, "joint's psi", joint["psi"], table5.Psi, 0)
	near(t, "joint's xi", joint["xi"], table5.Xi, 0)
	near(t, "joint's mass", jointMass, table5.M, 1e-12)
	near(t, "joint's p_y", l.py, table5.Py, 1e-12)
	near(t, "joint's K_p", (l.fp-l.fy)/(l.dp-l.dy), table5.Kp, 1e-9)

	var kostek struct {
		Parameters map[string]float64 // um, MPa
		Springs    map[string]float64
	}
	parameters(t, "kostek_params.json", &kostek)
	sample := samples["kostek"]
	for _, name := range []string{"p", "e", "l", "u"} {
		exponent := kostek.Parameters["m"+map[string]string{"p": "p", "e": "e", "l": "ep", "u": "ep"}[name]]
		near(t, "Kostek's e_"+name, sample["e_"+name], flexibility(kostek.Parameters["e"+name], exponent), 1e-14)
	}
	// The two springs between slider and friction that the bounds stand for.
	exponent := sample["m_ep"]
	a, b := math.Pow(sample["e_l"], -1/exponent), math.Pow(sample["e_u"], -1/exponent)
	near(t, "Kostek's e_ep-e", math.Pow((a+b)/2, -exponent), flexibility(kostek.Springs["e_ep_e"], exponent), 1e-12)
	near(t, "Kostek's e_ep-p", math.Pow((a-b)/2, -exponent), flexibility(kostek.Springs["e_ep_p"], exponent), 1e-12)
}
