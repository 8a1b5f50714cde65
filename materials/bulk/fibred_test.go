package bulk

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"
)

var wood = Constants{Value: map[string]float64{"young_along": 50e9, "poisson_along": 0.25, "shear_along": 4e9, "direction": 20}}

// Young's modulus by the angle between load and fibres, in plane stress.
func TestFibredByAngle(t *testing.T) {
	var of struct {
		E1, E2, Nu12, G12 float64
		Along             map[string]float64 `json:"-"`
		Raw               json.RawMessage    `json:"young_along"`
	}
	reference(t, "transversely_isotropic", &of)
	if err := json.Unmarshal(of.Raw, &of.Along); err != nil || len(of.Along) != 5 {
		t.Fatal(err, of.Along)
	}
	for text, want := range of.Along {
		angle, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		law := build(t, "fibred", sample{Elastic{Young: of.E2, Poisson: 0.3}, Constants{Value: map[string]float64{"young_along": of.E1, "poisson_along": of.Nu12, "shear_along": of.G12, "direction": angle}}})
		p := newPoint(law, PlaneStress)
		f := [4]float64{1 + 1e-7, 0, 0, 1}
		for range 60 { // free across, and of shear
			p.try(f)
			f[3] -= 0.3 * p.out.TYY[0] / of.E1
			f[1] -= 0.3 * p.out.TXY[0] / of.E1
			f[2] = f[1]
		}
		for range 3000 {
			p.try(f)
			f[3] -= p.out.TYY[0] / of.E1
			f[1] -= p.out.TXY[0] / of.E1
			f[2] = f[1]
		}
		near(t, text+" degrees", p.out.TXX[0]/1e-7, want, 1e-6)
	}
}

// With constants that are the same in all directions it is Hooke's law at small strains, in
// any direction; with others, turning body and fibres turns the stress.
func TestFibredDirection(t *testing.T) {
	_, g := metal.BulkShear()
	for _, plane := range []Plane{PlaneStress, PlaneStrain} {
		p, m := newPoint(build(t, "fibred", sample{metal, Constants{Value: map[string]float64{"young_along": metal.Young, "poisson_along": metal.Poisson, "shear_along": g, "direction": 33}}}), plane), metal.Moduli(plane)
		const e = 1e-7
		p.to([4]float64{1 + 2*e, e, e, 1 - 0.5*e})
		near(t, "xx", p.out.TXX[0], e*(2*m.C11-0.5*m.C12), 1e-5)
		near(t, "yy", p.out.TYY[0], e*(2*m.C12-0.5*m.C11), 1e-5)
		near(t, "xy", p.out.TXY[0], 2*e*m.G, 1e-5)
		if plane == PlaneStrain {
			near(t, "zz", p.out.TZZ[0], 1.5*e*m.C12, 1e-5)
		}
		along, across := wood, wood
		along.Value = map[string]float64{"young_along": 50e9, "poisson_along": 0.25, "shear_along": 4e9, "direction": 0}
		across.Value = map[string]float64{"young_along": 50e9, "poisson_along": 0.25, "shear_along": 4e9, "direction": 90}
		soft := Elastic{Young: 10e9, Poisson: 0.3, Density: 700}
		a, b := newPoint(build(t, "fibred", sample{soft, along}), plane), newPoint(build(t, "fibred", sample{soft, across}), plane)
		a.to([4]float64{1.1, 0.05, 0.02, 0.95})
		b.to([4]float64{0.95, -0.02, -0.05, 1.1})
		near(t, "turned xx", b.out.TYY[0], a.out.TXX[0], 1e-12)
		near(t, "turned yy", b.out.TXX[0], a.out.TYY[0], 1e-12)
		near(t, "turned xy", b.out.TXY[0], -a.out.TXY[0], 1e-12)
	}
}

// No strain has more energy than with the moduli that bound the step.
func TestFibredMostModuli(t *testing.T) {
	law := build(t, "fibred", sample{Elastic{Young: 10e9, Poisson: 0.3, Density: 700}, wood}).(*Fibred)
	for _, plane := range []Plane{PlaneStress, PlaneStrain} {
		m, d := law.Moduli(plane), law.in(plane).d
		for k := range 1000 {
			s, c := math.Sincos(float64(k))
			s2, c2 := math.Sincos(float64(k) * 0.37)
			h := [3]float64{c * c2, c * s2, s}
			u := stresses(&d, &h)
			if got, most := u[0]*h[0]+u[1]*h[1]+2*u[2]*h[2], m.C11*(h[0]*h[0]+h[1]*h[1])+4*m.G*h[2]*h[2]; got > most {
				t.Fatalf("strain %v: %g beyond %g", h, got, most)
			}
		}
	}
}

func TestRefusedFibres(t *testing.T) {
	m, _ := Lookup("fibred")
	for _, v := range []map[string]float64{{}, {"young_along": 1e9, "poisson_along": 0.3}, {"young_along": 1e9, "poisson_along": 0.3, "shear_along": 0}, {"young_along": 1e9, "poisson_along": 0.3, "shear_along": 1e9}, {"young_along": 210e9, "poisson_along": 0.7, "shear_along": 1e9}} {
		if _, err := m.Build(metal, Constants{Value: v}); err == nil {
			t.Errorf("%v is taken", v)
		}
	}
}
