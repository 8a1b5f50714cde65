package bulk

import (
	"math"
	"testing"
)

// Tension at a constant rate in plane stress that heats itself.
func TestJohnsonCookAdiabatic(t *testing.T) {
	var of struct {
		Young, A, B, N, C, M, Rate, Density, Heat, Room, Melt float64
		Reference                                             float64 `json:"reference_rate"`
		Chi                                                   float64 `json:"taylor_quinney"`
		Rows                                                  []struct {
			Strain      float64 `json:"log_strain"`
			Stress      float64 `json:"kirchhoff_Pa"`
			Alpha       float64
			Temperature float64 `json:"temperature_K"`
			Work        float64 `json:"plastic_work_J_m3"`
		}
	}
	reference(t, "johnson_cook_adiabatic", &of)
	e := Elastic{Young: of.Young, Poisson: 0.35, Density: of.Density}
	p := newPoint(build(t, "johnson-cook", sample{e, Constants{Value: map[string]float64{
		"a": of.A, "b": of.B, "n": of.N, "c": of.C, "m": of.M, "rate": of.Reference, "room": of.Room, "melting": of.Melt, "heat_capacity": of.Heat, "taylor_quinney": of.Chi,
	}}}), PlaneStress)
	const steps = 20000
	at, lateral := 0, 0.0
	for _, r := range of.Rows {
		for ; at < int(math.Round(r.Strain*steps)); at++ {
			strain := float64(at+1) / steps
			p.in.Step = 1 / (steps * of.Rate)
			for low, high := lateral-1e-4, lateral+1e-4; high-low > 1e-16; { // free across
				lateral = 0.5 * (low + high)
				p.try([4]float64{math.Exp(strain), 0, 0, math.Exp(lateral)})
				if p.out.TYY[0] > 0 {
					high = lateral
				} else {
					low = lateral
				}
			}
			p.to([4]float64{math.Exp(strain), 0, 0, math.Exp(lateral)})
		}
		near(t, "stress", p.out.TXX[0], r.Stress, 2e-4)
		near(t, "plastic strain", p.in.Mem[strainAt][0], r.Alpha, 2e-4)
		near(t, "temperature", p.in.Mem[temperatureAt][0], r.Temperature, 2e-4)
		near(t, "plastic work", p.in.Mem[workAt][0], r.Work, 2e-4)
	}
}

// Without rate and temperature it is a j2 that hardens by a power.
func TestJohnsonCookAtRest(t *testing.T) {
	for _, plane := range []Plane{PlaneStress, PlaneStrain} {
		cook := newPoint(build(t, "johnson-cook", sample{metal, Constants{Value: map[string]float64{"a": 4e8, "b": 1e9, "n": 1}}}), plane)
		line := newPoint(build(t, "j2", sample{metal, Constants{Value: map[string]float64{"yield_stress": 4e8, "hardening": 1e9}}}), plane)
		for k := range 400 {
			cook.to(path(k))
			line.to(path(k))
			a, b := cook.stress(), line.stress()
			for i := range a {
				if math.Abs(a[i]-b[i]) > 1e-11*metal.Young {
					t.Fatalf("step %d: %v, j2 has %v", k, a, b)
				}
			}
		}
	}
}

// Metal that melts has nearly no strength, and keeps its volume.
func TestJohnsonCookMelts(t *testing.T) {
	for _, plane := range []Plane{PlaneStress, PlaneStrain} {
		p := newPoint(build(t, "johnson-cook", sample{metal, Constants{Value: map[string]float64{"a": 4e8, "melting": 300, "heat_capacity": 1}}}), plane)
		for k := range 400 {
			p.to(path(k))
		}
		q := math.Sqrt(math.Abs(p.out.TXX[0]*p.out.TXX[0] + p.out.TYY[0]*p.out.TYY[0] + p.out.TZZ[0]*p.out.TZZ[0] - p.out.TXX[0]*p.out.TYY[0] - p.out.TYY[0]*p.out.TZZ[0] - p.out.TZZ[0]*p.out.TXX[0] + 3*p.out.TXY[0]*p.out.TXY[0]))
		if q > 1e-5*4e8 {
			t.Errorf("plane %v: melted metal carries %g Pa", plane, q)
		}
	}
}

func TestRefusedJohnsonCook(t *testing.T) {
	m, _ := Lookup("johnson-cook")
	for _, v := range []map[string]float64{{}, {"a": 1e8, "melting": 1000}, {"a": 1e8, "heat_capacity": 400}, {"a": 1e8, "heat_capacity": 400, "melting": 200}, {"a": 1e8, "n": 0}, {"a": 1e8, "taylor_quinney": 2}} {
		if _, err := m.Build(metal, Constants{Value: v}); err == nil {
			t.Errorf("%v is taken", v)
		}
	}
}
