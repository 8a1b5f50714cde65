package bulk

import (
	"math"
	"math/rand/v2"
	"testing"
)

// biaxial squeezes a point in plane strain by a strain along y, in steps, under a constant
// pressure along x, and returns the pressure along y (Kirchhoff).
func biaxial(p *point, pressure, strain float64, steps int) float64 {
	ex := 0.0
	for k := range steps {
		ey := -strain * float64(k+1) / float64(steps)
		low, high := ex-0.01, ex+0.01
		for high-low > 1e-17 {
			ex = 0.5 * (low + high)
			if ex == low || ex == high {
				break
			}
			p.try([4]float64{math.Exp(ex), 0, 0, math.Exp(ey)})
			if p.out.TXX[0] > -pressure {
				high = ex
			} else {
				low = ex
			}
		}
		p.to([4]float64{math.Exp(ex), 0, 0, math.Exp(ey)})
	}
	return -p.out.TYY[0]
}

func TestMohrCoulombBiaxial(t *testing.T) {
	var of struct {
		Cohesion, Confining, Axial float64
		Phi, Psi                   float64
	}
	reference(t, "mc_biaxial", &of)
	law := build(t, "mohr-coulomb", sample{soil, Constants{Value: map[string]float64{"cohesion": of.Cohesion, "friction_angle": of.Phi, "dilation_angle": of.Psi}}})
	near(t, "strength", biaxial(newPoint(law, PlaneStrain), of.Confining, 0.08, 400), of.Axial, 1e-9)
	for _, dilation := range []float64{0, 10, 20} { // on which strength does not depend
		law = build(t, "mohr-coulomb", sample{soil, Constants{Value: map[string]float64{"cohesion": 5e3, "friction_angle": 20, "dilation_angle": dilation}}})
		near(t, "strength", biaxial(newPoint(law, PlaneStrain), 100e3, 0.08, 400), 218242.152984, 1e-9)
	}
}

func TestDruckerPragerBiaxial(t *testing.T) {
	var of struct{ Axial float64 }
	reference(t, "dp_biaxial", &of)
	law := build(t, "drucker-prager", sample{soil, Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 30, "dilation_angle": 30}}})
	near(t, "strength", biaxial(newPoint(law, PlaneStrain), 50e3, 0.08, 4000), of.Axial, 1e-9)
}

// closest returns to the surface without a cut-off as E. A. de Souza Neto, D. Peric and
// D. R. J. Owen do, boxes 8.5 and 8.6: by one plane, one of two edges, or the apex.
func closest(l *MohrCoulomb, sf, sp, cf, c float64, t [3]float64) [3]float64 {
	k, g := l.Bulk, l.Shear
	f := t[0] - t[2] + (t[0]+t[2])*sf - 2*c*cf
	if f <= 0 {
		return t
	}
	A, B, C := 2*g*(1+sp/3)+2*k*sp, (4*g/3-2*k)*sp, 2*g*(1-sp/3)-2*k*sp
	a := 4*g*(1+sf*sp/3) + 4*k*sf*sp
	d := f / a
	r := [3]float64{t[0] - A*d, t[1] + B*d, t[2] + C*d}
	if r[0] >= r[1] && r[1] >= r[2] {
		return r
	}
	if (1-sp)*t[0]-2*t[1]+(1+sp)*t[2] > 0 {
		b, fb := 2*g*(1+sf+sp-sf*sp/3)+4*k*sf*sp, t[0]-t[1]+(t[0]+t[1])*sf-2*c*cf
		da, db := (a*f-b*fb)/(a*a-b*b), (a*fb-b*f)/(a*a-b*b)
		r = [3]float64{t[0] - A*(da+db), t[1] + B*da + C*db, t[2] + C*da + B*db}
		r[1] = 0.5 * (r[1] + r[2])
		r[2] = r[1]
	} else {
		b, fb := 2*g*(1-sf-sp-sf*sp/3)+4*k*sf*sp, t[1]-t[2]+(t[1]+t[2])*sf-2*c*cf
		da, db := (a*f-b*fb)/(a*a-b*b), (a*fb-b*f)/(a*a-b*b)
		r = [3]float64{t[0] - A*da + B*db, t[1] + B*da - A*db, t[2] + C*(da+db)}
		r[0] = 0.5 * (r[0] + r[1])
		r[1] = r[0]
	}
	if r[0] < r[2] {
		r = [3]float64{c * cf / sf, c * cf / sf, c * cf / sf}
	}
	return r
}

// Without a cut-off the active sets end where the closed form does; with one, and flow that
// is not associated, there is always a set.
func TestActiveSets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	none := Softening{}
	h := newHooke(soil)
	for range 20000 {
		const c = 1e4
		phi := (5 + 40*r.Float64()) * math.Pi / 180
		sf, cf := math.Sincos(phi)
		trial := [3]float64{5e4*r.NormFloat64() - 4e4, 5e4*r.NormFloat64() - 4e4, 5e4*r.NormFloat64() - 4e4}
		for i := range 2 {
			for k := range 2 - i {
				if trial[k] < trial[k+1] {
					trial[k], trial[k+1] = trial[k+1], trial[k]
				}
			}
		}
		s := newSurface(h.matrix(PlaneStrain), PlaneStrain, sf, cf, sf, c, c*cf/sf)
		got, want := s.back(trial, &none, 0, 0), closest(&MohrCoulomb{hooke: h}, sf, sf, cf, c, trial)
		for k := range 3 {
			if math.Abs(got.t[k]-want[k]) > 1e-10*c {
				t.Fatalf("from %v to %v by active sets, %v by the closed form", trial, got.t, want)
			}
		}
		sp, tension := math.Sin(phi*r.Float64()), c*cf/sf*r.Float64()
		for _, plane := range []Plane{PlaneStrain, PlaneStress} {
			from := trial
			if plane == PlaneStress {
				from[2] = 0
			}
			s = newSurface(h.matrix(plane), plane, sf, cf, sp, c, tension)
			got = s.back(from, &none, 0, 0)
			if got.set == &apexSet {
				t.Fatalf("plane %v: no set from %v: phi %g, psi %g, tension %g", plane, from, phi, math.Asin(sp), tension)
			}
			if plane == PlaneStress && got.t[2] != 0 {
				t.Fatalf("%g Pa out of the plane", got.t[2])
			}
		}
	}
}

// A triangle that is pulled apart dissipates the energy of a crack, for any size.
func TestSofteningTakesItsEnergy(t *testing.T) {
	const energy = 0.5
	law := build(t, "mohr-coulomb", sample{soil, Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 20, "tensile_strength": 5e3, "softening.energy": energy}}})
	for _, size := range []float64{0.01, 0.1} {
		if err := law.(Sized).Fits(size); err != nil {
			t.Fatal(err)
		}
		p := newPoint(law, PlaneStress)
		p.in.Size[0] = size
		strain := 0.0
		// stress t = T exp(-k h T/G_f) leaves the plastic strain k = -ln(t/T) G_f/(h T)
		for k := range 2000 {
			strain = 12 * energy / (bandWidth * size * 5e3) * float64(k+1) / 2000
			low, high := -strain, strain // across, free
			for range 60 {
				e := 0.5 * (low + high)
				p.try([4]float64{math.Exp(strain), 0, 0, math.Exp(e)})
				if p.out.TYY[0] > 0 {
					high = e
				} else {
					low = e
				}
			}
			p.to(([4]float64{math.Exp(strain), 0, 0, math.Exp(0.5 * (low + high))}))
		}
		near(t, "energy of a crack", bandWidth*size*p.in.Mem[workAt][0], energy, 1e-4)
	}
	if err := law.(Sized).Fits(0.5); err == nil {
		t.Error("triangles whose stress would fall at once are taken")
	}
}

func TestRefusedSoil(t *testing.T) {
	m, _ := Lookup("mohr-coulomb")
	for _, c := range []Constants{
		{Value: map[string]float64{"friction_angle": 30}},
		{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 90}},
		{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 20, "dilation_angle": 21}},
		{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 45, "tensile_strength": 1.1e4}},
		{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 45, "tensile_strength": 0, "softening.energy": 1}},
		{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 0, "softening.energy": 1}},
		{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 30, "softening.size": 1}},
		{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 30}, Curve: map[string][][2]float64{"softening.curve": {{0, 1}, {1, 0}}}},
		{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 30, "softening.size": 1}, Curve: map[string][][2]float64{"softening.curve": {{0, 1}, {1, 2}}}},
		{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 30, "softening.size": 1}, Curve: map[string][][2]float64{"softening.curve": {{0, 0.5}, {1, 0.1}}}},
	} {
		if _, err := m.Build(soil, c); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
}

// In plane stress a cone finds the strain that leaves no stress across the plane, from
// anywhere.
func TestConeInPlaneStress(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		friction := 40 * r.Float64()
		values := map[string]float64{"cohesion": 1e4, "friction_angle": friction, "dilation_angle": friction * r.Float64(), "tensile_strength": 1e4 * r.Float64()}
		if r.IntN(2) == 0 {
			values["softening.energy"], values["tensile_strength"] = 2, 5e3+5e3*r.Float64()
		}
		l := build(t, "drucker-prager", sample{soil, Constants{Value: values}}).(*DruckerPrager)
		e, rate := [3]float64{0.02 * r.NormFloat64(), 0.02 * r.NormFloat64()}, 0.0
		if l.Softens() {
			rate = 0.01 * l.Tensile / l.Energy
		}
		l.flat(&e, 0.01, rate)
		got := l.back(&e, 0.01, rate)
		if math.Abs(got.t[2]) > 1e-9*(math.Abs(got.t[0])+math.Abs(got.t[1]))+1e-6 {
			t.Fatalf("%v: %g Pa across the plane, %v in it, at strains %v", values, got.t[2], got.t[:2], e)
		}
	}
}
