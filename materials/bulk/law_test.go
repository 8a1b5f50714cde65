package bulk

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

// samples has a material for every registered law; TestEveryLaw fails for one that is
// missing here.
var samples = map[string][]sample{
	"neo-hooke": {{of: Elastic{Young: 3e6, Poisson: 0.45, Density: 1100}}},
	"j2": {
		{of: metal, c: Constants{Value: map[string]float64{"yield_stress": 400e6, "hardening": 1e9}}},
		{of: metal, c: Constants{Value: map[string]float64{"yield_stress": 150e6, "voce.q": 120e6, "voce.b": 12}}},
		{of: metal, c: Constants{Curve: map[string][][2]float64{"hardening_curve": {{0, 200e6}, {0.02, 300e6}, {0.3, 350e6}}}}},
	},
	"drucker-prager": {
		{of: soil, c: Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 30, "dilation_angle": 10}}},
		{of: soil, c: Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 30, "dilation_angle": 30, "tensile_strength": 3e3}}},
		{of: soil, c: Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 0}}},
		{of: soil, c: Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 20, "dilation_angle": 5, "tensile_strength": 5e3, "softening.energy": 0.5}}},
		{of: soil, c: Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 20, "softening.size": 0.02},
			Curve: map[string][][2]float64{"softening.curve": {{0, 1}, {0.05, 0.6}, {0.2, 0.5}}}}},
	},
	"fibred": {{of: Elastic{Young: 10e9, Poisson: 0.3, Density: 700}, c: wood}},
	"hoek-brown": {
		{of: rock, c: Constants{Value: map[string]float64{"intact_strength": 50e6, "mi": 10, "gsi": 45}}},
		{of: rock, c: Constants{Value: map[string]float64{"intact_strength": 50e6, "mi": 25, "gsi": 75, "disturbance": 0.5, "dilation_angle": 12, "tensile_strength": 5e4}}},
		{of: rock, c: Constants{Value: map[string]float64{"intact_strength": 50e6, "mi": 10, "gsi": 60, "dilation_angle": 5, "residual_gsi": 30, "softening.size": 0.02},
			Curve: map[string][][2]float64{"softening.curve": {{0, 1}, {0.05, 0.4}, {0.2, 0}}}}},
	},
	"johnson-cook": {
		{of: metal, c: Constants{Value: map[string]float64{"a": 3e8, "b": 5e8, "n": 0.3}}},
		{of: metal, c: Constants{Value: map[string]float64{"a": 3e8, "b": 5e8, "n": 0.3, "c": 0.05, "rate": 0.1, "melting": 1800, "heat_capacity": 450, "m": 1.1}}},
	},
	"linear-solid": {
		{of: metal, c: Constants{Curve: map[string][][2]float64{"branches": {{0.75, 0.2}}}}},
		{of: Elastic{Young: 3e6, Poisson: 0.45, Density: 1100}, c: Constants{Curve: map[string][][2]float64{"branches": {{0.3, 0.02}, {0.3, 0.3}, {0.2, 30}}}}},
	},
	"mohr-coulomb": {
		{of: soil, c: Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 30, "dilation_angle": 10}}},
		{of: soil, c: Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 30, "dilation_angle": 30, "tensile_strength": 3e3}}},
		{of: soil, c: Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 0}}},
		{of: soil, c: Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 20, "dilation_angle": 5, "tensile_strength": 5e3, "softening.energy": 0.5}}},
		{of: soil, c: Constants{Value: map[string]float64{"cohesion": 1e4, "friction_angle": 20, "softening.size": 0.02},
			Curve: map[string][][2]float64{"softening.curve": {{0, 1}, {0.05, 0.6}, {0.2, 0.5}}}}},
	},
}

// soil has the strength of 1/1000 of its modulus.
var soil = Elastic{Young: 1e7, Poisson: 0.3, Density: 1900}

// rock is as stiff over its strength as rock masses are.
var rock = Elastic{Young: 5e9, Poisson: 0.25, Density: 2600}

var metal = Elastic{Young: 210e9, Poisson: 0.3, Density: 7800}

type sample struct {
	of Elastic
	c  Constants
}

// point is one triangle with its law.
type point struct {
	law Law
	in  Input
	out Output
}

func newPoint(law Law, plane Plane) *point { return newPoints(law, plane, 1) }

func newPoints(law Law, plane Plane, n int) *point {
	p := &point{law: law}
	row := func() []float64 { return make([]float64, n) }
	p.in = Input{Plane: plane, FXX: row(), FXY: row(), FYX: row(), FYY: row(), Size: row(), BXX: row(), BXY: row(), BYX: row(), BYY: row()}
	for i := range n {
		p.in.Size[i], p.in.BXX[i], p.in.BYY[i] = 0.01, 1, 1
	}
	p.out = Output{TXX: row(), TYY: row(), TXY: row(), TZZ: row(), Thickness: row(), Energy: row()}
	for _, v := range law.Memory() {
		first := row()
		for i := range first {
			first[i] = v.First
		}
		p.in.Mem, p.out.Mem = append(p.in.Mem, first), append(p.out.Mem, row())
	}
	return p
}

// try evaluates a deformation gradient.
func (p *point) try(f [4]float64) {
	p.in.FXX[0], p.in.FXY[0], p.in.FYX[0], p.in.FYY[0] = f[0], f[1], f[2], f[3]
	p.law.Eval(&p.in, &p.out)
}

// to goes on to a deformation gradient.
func (p *point) to(f [4]float64) {
	p.try(f)
	p.step()
}

// step makes what has been evaluated the state from which the next step goes.
func (p *point) step() {
	p.in.Mem, p.out.Mem = p.out.Mem, p.in.Mem
	for k, to := range [4][]float64{p.in.BXX, p.in.BXY, p.in.BYX, p.in.BYY} {
		copy(to, [4][]float64{p.in.FXX, p.in.FXY, p.in.FYX, p.in.FYY}[k])
	}
}

func build(t testing.TB, name string, s sample) Law {
	t.Helper()
	m, ok := Lookup(name)
	if !ok {
		t.Fatalf("there is no law %s", name)
	}
	law, err := m.Build(s.of, s.c)
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// each calls the function for every law, sample and plane state.
func each(t *testing.T, f func(t *testing.T, law Law, plane Plane, scale float64)) {
	for _, name := range Names() {
		if len(samples[name]) == 0 {
			t.Fatalf("law %s has no sample in this test", name)
		}
		for _, s := range samples[name] {
			law := build(t, name, s)
			for plane, word := range map[Plane]string{PlaneStress: "stress", PlaneStrain: "strain"} {
				t.Run(name+" in plane "+word, func(t *testing.T) { f(t, law, plane, s.of.Young) })
			}
		}
	}
}

// path is a path of stretch, shear and rotation that returns near its beginning.
func path(k int) [4]float64 {
	s := float64(k) / 400
	return [4]float64{1 + 0.12*math.Sin(9*s), 0.3 * s, 0.1 * math.Sin(5*s), 1 - 0.1*math.Sin(7*s)}
}

// A law's stress turns with the body, whatever its memory; it is that of Hooke at small strains; it
// creates no energy.
func TestEveryLaw(t *testing.T) {
	each(t, func(t *testing.T, law Law, plane Plane, young float64) {
		still, turned := newPoint(law, plane), newPoint(law, plane)
		still.in.Step, turned.in.Step = 1./400, 1./400
		still.try([4]float64{1, 0, 0, 1})
		if s := still.stress(); math.Abs(s[0])+math.Abs(s[1])+math.Abs(s[2]) > 1e-14*young || still.out.Energy[0] > 1e-28*young {
			t.Errorf("stress without strain: %v", s)
		}
		for k := range 400 {
			f := path(k)
			sin, cos := math.Sincos(0.05 * float64(k))
			still.to(f)
			turned.to([4]float64{cos*f[0] - sin*f[2], cos*f[1] - sin*f[3], sin*f[0] + cos*f[2], sin*f[1] + cos*f[3]})
			a, b := still.stress(), turned.stress()
			xx, yy, xy := cos*cos*a[0]+sin*sin*a[1]-2*sin*cos*a[2], sin*sin*a[0]+cos*cos*a[1]+2*sin*cos*a[2], sin*cos*(a[0]-a[1])+(cos*cos-sin*sin)*a[2]
			const yield = 1e-3 // of Young's modulus
			if off := math.Max(math.Abs(xx-b[0]), math.Max(math.Abs(yy-b[1]), math.Abs(xy-b[2]))); off > 1e-11*yield*young {
				t.Fatalf("step %d: turned by %g rad the stress is off by %g Pa", k, 0.05*float64(k), off)
			}
			if a, b := still.lost(), turned.lost(); math.Abs(a-b) > 1e-11*math.Abs(a)+1e-20*young {
				t.Fatalf("step %d: turned, the dissipated work is %g J/m3 not %g", k, b, a)
			}
			if plane == PlaneStress && still.out.TZZ[0] != 0 {
				t.Fatalf("stress out of the plane: %g Pa", still.out.TZZ[0])
			}
			if !(still.out.Energy[0] >= 0) || !(still.out.Thickness[0] > 0) {
				t.Fatalf("energy %g J/m3, thickness %g", still.out.Energy[0], still.out.Thickness[0])
			}
		}
	})
}

// lost returns the dissipated work [J/m3].
func (p *point) lost() (sum float64) {
	for i, v := range p.law.Memory() {
		if v.Name == PlasticWork || v.Name == ViscousWork {
			sum += p.in.Mem[i][0]
		}
	}
	return sum
}

func (p *point) stress() [3]float64 { return [3]float64{p.out.TXX[0], p.out.TYY[0], p.out.TXY[0]} }

// The work done on a law along a path is what it stores and what it has lost to plastic
// strain, closer with the square of the step.
func TestWorkIsStoredOrLost(t *testing.T) {
	each(t, func(t *testing.T, law Law, plane Plane, young float64) {
		off := func(steps int) float64 {
			p := newPoint(law, plane)
			p.in.Step = 1 / float64(steps)
			var before [4]float64 // first Piola-Kirchhoff stress
			last, work, gross := [4]float64{1, 0, 0, 1}, 0.0, 0.0
			spent := 0.0
			for k := range steps {
				s := float64(k+1) / float64(steps)
				f := [4]float64{1 + 0.12*math.Sin(9*s), 0.3 * s, 0.1 * math.Sin(5*s), 1 - 0.1*math.Sin(7*s)}
				p.to(f)
				now := nominal(f, p.stress())
				for i := range now {
					w := 0.5 * (now[i] + before[i]) * (f[i] - last[i])
					work += w
					gross += math.Abs(w)
				}
				jump, strain, rounds := 0.0, 0.0, 1e-12*gross
				for i := range now {
					jump, strain = max(jump, math.Abs(now[i]-before[i])), max(strain, math.Abs(f[i]-last[i]))
					rounds += math.Abs(now[i]-before[i]) * math.Abs(f[i]-last[i]) // as the trapezoid does
				}
				if most := 20*young*strain + 1e-9*young; jump > most { // stress does not jump
					t.Fatalf("step %d of %d: the stress jumps by %g Pa", k, steps, jump)
				}
				if lost := p.lost(); lost < spent-rounds {
					t.Fatalf("step %d of %d: plastic strain gives %g J/m3", k, steps, spent-lost)
				} else {
					spent = lost
				}
				before, last = now, f
			}
			return math.Abs(work-p.out.Energy[0]-spent) / gross
		}
		coarse, fine := off(2000), off(8000)
		if fine > 4e-6 || fine > coarse/3 && fine > 1e-9 { // not a sixteenth: steps cross the yield surface anywhere
			t.Errorf("of the work %.3g is neither stored nor lost in 2000 steps, %.3g in 8000", coarse, fine)
		}
	})
}

// nominal returns P = tau F^-T.
func nominal(f [4]float64, t [3]float64) [4]float64 {
	j := f[0]*f[3] - f[1]*f[2]
	return [4]float64{(t[0]*f[3] - t[2]*f[1]) / j, (-t[0]*f[2] + t[2]*f[0]) / j, (t[2]*f[3] - t[1]*f[1]) / j, (-t[2]*f[2] + t[1]*f[0]) / j}
}

// The tangent is the derivative of the stress: of P, by F, against differences.
func TestTangentIsConsistent(t *testing.T) {
	each(t, func(t *testing.T, law Law, plane Plane, young float64) {
		p := newPoint(law, plane)
		p.in.Step = 7. / 400
		for k := 0; k < 400; k += 7 {
			f := path(k)
			var c Tangent
			p.in.FXX[0], p.in.FXY[0], p.in.FYX[0], p.in.FYY[0] = f[0], f[1], f[2], f[3]
			law.Tangent(&p.in, 0, &c)
			j := f[0]*f[3] - f[1]*f[2]
			inv := [4]float64{f[3] / j, -f[1] / j, -f[2] / j, f[0] / j}
			for dof := range 4 {
				const h = 1e-6
				up, down := f, f
				up[dof] += h
				down[dof] -= h
				p.try(up)
				above := nominal(up, p.stress())
				p.try(down)
				below := nominal(down, p.stress())
				// l = dF F^-1, d tau = c:d + l tau + tau l^T, dP = (d tau - tau l^T) F^-T = (c:d + l tau) F^-T
				var df [4]float64
				df[dof] = 1
				l := [4]float64{df[0]*inv[0] + df[1]*inv[2], df[0]*inv[1] + df[1]*inv[3], df[2]*inv[0] + df[3]*inv[2], df[2]*inv[1] + df[3]*inv[3]}
				d := [3]float64{l[0], l[3], l[1] + l[2]}
				var s [3]float64
				for a := range 3 {
					s[a] = c.C[a][0]*d[0] + c.C[a][1]*d[1] + c.C[a][2]*d[2]
				}
				m := [4]float64{s[0] + l[0]*c.TXX + l[1]*c.TXY, s[2] + l[0]*c.TXY + l[1]*c.TYY, s[2] + l[2]*c.TXX + l[3]*c.TXY, s[1] + l[2]*c.TXY + l[3]*c.TYY}
				want := [4]float64{m[0]*inv[0] + m[1]*inv[1], m[0]*inv[2] + m[1]*inv[3], m[2]*inv[0] + m[3]*inv[1], m[2]*inv[2] + m[3]*inv[3]}
				for i := range 4 {
					got := (above[i] - below[i]) / (2 * h)
					if math.Abs(got-want[i]) > 1e-5*young { // across a kink of a table or of the yield surface the difference is of both sides
						t.Errorf("step %d: dP%d/dF%d = %g, %g by differences", k, i, dof, want[i], got)
					}
				}
			}
			p.to(f)
		}
	})
}

// A triangle's bits do not depend on the slice that it is evaluated in, its memory is left
// alone, evaluating again gives the same, and nothing is allocated.
func TestCutsAndAllocations(t *testing.T) {
	each(t, func(t *testing.T, law Law, plane Plane, young float64) {
		const n = 37
		r := rand.New(rand.NewPCG(1, 2))
		all, ones := newPoints(law, plane, n), make([]*point, n)
		for i := range ones {
			ones[i] = newPoint(law, plane)
		}
		for range 20 {
			for i := range n {
				f := [4]float64{1 + 0.1*r.NormFloat64()/3, 0.05 * r.NormFloat64(), 0.05 * r.NormFloat64(), 1 + 0.1*r.NormFloat64()/3}
				all.in.FXX[i], all.in.FXY[i], all.in.FYX[i], all.in.FYY[i] = f[0], f[1], f[2], f[3]
				ones[i].to(f)
			}
			if a := testing.AllocsPerRun(1, func() { law.Eval(&all.in, &all.out) }); a > 0 {
				t.Errorf("%g allocations", a)
			}
			all.step()
			for i := range n {
				if all.out.TXX[i] != ones[i].out.TXX[0] || all.out.TXY[i] != ones[i].out.TXY[0] || all.out.Energy[i] != ones[i].out.Energy[0] {
					t.Fatalf("triangle %d has other bits among others", i)
				}
				for v := range all.in.Mem {
					if all.in.Mem[v][i] != ones[i].in.Mem[v][0] {
						t.Fatalf("triangle %d remembers otherwise among others", i)
					}
				}
			}
		}
		p := ones[0]
		if slices.ContainsFunc(law.Memory(), func(v Value) bool { return v.Name == Temperature }) {
			return // which is that of the work before
		}
		p.to(path(100))
		s := p.stress()
		p.to(path(100))
		for i, v := range p.stress() {
			if math.Abs(v-s[i]) > 1e-13*young {
				t.Errorf("evaluated again in the same state the stress goes from %g to %g", s[i], v)
			}
		}
	})
}

// reference reads a case of testdata/plasticity.json.
func reference(t *testing.T, name string, of any) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/plasticity.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Open map[string]json.RawMessage }
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all.Open[name], of); err != nil {
		t.Fatal(err)
	}
}

type row struct {
	LogStrain float64 `json:"log_strain"`
	Alpha     float64
	Kirchhoff float64
	Pa        float64 `json:"kirchhoff_Pa"`
	Cauchy    float64 `json:"cauchy_Pa"`
	Nominal   float64 `json:"nominal_Pa"`
	Lateral   float64 `json:"lateral_stretch"`
	CauchyX   float64 `json:"cauchy_x_Pa"`
	CauchyZ   float64 `json:"cauchy_z_Pa"`
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s: %.12g, want %.12g (%.2g)", what, got, want, got/want-1)
	}
}

// Tension in plane stress and pure shear in plane strain, with linear hardening and that of
// Voce: closed forms.
func TestJ2AgainstClosedForms(t *testing.T) {
	tension := func(name string, e Elastic, c Constants, steps int) {
		var of struct{ Rows []row }
		reference(t, name, &of)
		p := newPoint(build(t, "j2", sample{e, c}), PlaneStress)
		at := 0.0
		for _, r := range of.Rows {
			from := at
			l := p.law.(*J2)
			for k := range steps {
				at = from + (r.LogStrain-from)*float64(k+1)/float64(steps)
				// the plastic strain a of this strain: at = sy(a)/E + a
				a := 0.0
				if sy, _ := l.at(0); at > sy/l.Young {
					for range 50 {
						sy, h := l.at(a)
						a -= (sy/l.Young + a - at) / (h/l.Young + 1)
					}
				}
				lateral := -e.Poisson*(at-a) - 0.5*a
				p.to([4]float64{math.Exp(at), 0, 0, math.Exp(lateral)})
			}
			near(t, name+": Kirchhoff", p.out.TXX[0], r.Pa, 1e-9)
			if r.Alpha > 0 {
				near(t, name+": plastic strain", p.in.Mem[strainAt][0], r.Alpha, 1e-9)
			}
			f := p.in.FYY[0] * p.in.FXX[0] * p.out.Thickness[0]
			near(t, name+": Cauchy", p.out.TXX[0]/f, r.Cauchy, 1e-9)
			near(t, name+": nominal", p.out.TXX[0]/p.in.FXX[0], r.Nominal, 1e-9)
			if math.Abs(p.out.TYY[0]) > 1e-9*r.Pa {
				t.Errorf("%s: %g Pa across", name, p.out.TYY[0])
			}
		}
	}
	linear := Constants{Value: map[string]float64{"yield_stress": 400e6, "hardening": 1e9}}
	tension("j2_plane_stress_tension", metal, linear, 500)
	tension("voce_tension", Elastic{Young: 70e9, Poisson: 0.33}, Constants{Value: map[string]float64{"yield_stress": 150e6, "voce.q": 120e6, "voce.b": 12}}, 500)

	var of struct{ Rows []row }
	reference(t, "j2_plane_strain_shear", &of)
	p, at := newPoint(build(t, "j2", sample{metal, linear}), PlaneStrain), 0.0
	for _, r := range of.Rows {
		from := at
		for k := range 500 {
			at = from + (r.LogStrain-from)*float64(k+1)/500
			p.to([4]float64{math.Exp(at), 0, 0, math.Exp(-at)})
		}
		near(t, "shear", p.out.TXX[0], r.Kirchhoff, 1e-9)
		if r.Alpha > 0 {
			near(t, "shear: plastic strain", p.in.Mem[strainAt][0], r.Alpha, 1e-9)
		}
	}
}

// Tension of nearly incompressible rubber in plane strain.
func TestNeoHookeAgainstClosedForms(t *testing.T) {
	var of struct {
		G, K float64
		Rows []row
	}
	reference(t, "neo_hooke_tension_plane_strain", &of)
	p := newPoint(&NeoHooke{Bulk: of.K, Shear: of.G}, PlaneStrain)
	for _, r := range of.Rows {
		p.to([4]float64{math.Exp(r.LogStrain), 0, 0, r.Lateral})
		j := math.Exp(r.LogStrain) * r.Lateral
		near(t, "Cauchy x", p.out.TXX[0]/j, r.CauchyX, 1e-6)
		near(t, "Cauchy z", p.out.TZZ[0]/j, r.CauchyZ, 1e-6)
		near(t, "nominal", p.out.TXX[0]/math.Exp(r.LogStrain), r.Nominal, 1e-6)
		if math.Abs(p.out.TYY[0]) > 1e-6*r.CauchyX {
			t.Errorf("%g Pa across", p.out.TYY[0])
		}
	}
}

// At small strains every law is Hooke's.
func TestSmallStrains(t *testing.T) {
	for _, name := range Names() {
		for _, s := range samples[name] {
			if _, other := build(t, name, s).(Stiff); other {
				continue
			}
			for _, plane := range []Plane{PlaneStress, PlaneStrain} {
				p, m := newPoint(build(t, name, s), plane), s.of.Moduli(plane)
				const e = 1e-7
				p.to([4]float64{1 + 2*e, e, e, 1 - 0.3*e})
				near(t, name+" xx", p.out.TXX[0], e*(2*m.C11-0.3*m.C12), 1e-5)
				near(t, name+" yy", p.out.TYY[0], e*(2*m.C12-0.3*m.C11), 1e-5)
				near(t, name+" xy", p.out.TXY[0], 2*e*m.G, 1e-5)
				near(t, name+" energy", p.out.Energy[0], 0.5*e*e*(4*m.C11+0.09*m.C11-1.2*m.C12)+2*e*e*m.G, 1e-5)
			}
		}
	}
}

// Constants that a law cannot have are refused.
func TestRefusedConstants(t *testing.T) {
	for _, c := range []Constants{
		{},
		{Value: map[string]float64{"yield_stress": -1}},
		{Value: map[string]float64{"yield_stress": 1e6, "voce.q": 1e6}},
		{Value: map[string]float64{"yield_stress": 1e6}, Curve: map[string][][2]float64{"hardening_curve": {{0, 1e6}, {1, 2e6}}}},
		{Curve: map[string][][2]float64{"hardening_curve": {{0, 1e6}}}},
		{Curve: map[string][][2]float64{"hardening_curve": {{0, 1e6}, {1, 1e5}}}},
		{Curve: map[string][][2]float64{"hardening_curve": {{0, 1e6}, {0, 2e6}}}},
		{Curve: map[string][][2]float64{"curve": {{0, 1e6}, {0, 2e6}}}},
		{Value: map[string]float64{"yield_stress": 1e6, "slope": 1}},
	} {
		m, _ := Lookup("j2")
		if _, err := m.Build(metal, c); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
}

// Four triangles at a time have the bits of one after another, at strains for the kernel, for
// Go, and for either beside each other.
func TestVectorBits(t *testing.T) {
	if runtime.GOARCH == "amd64" && !cpu.X86.HasAVX2 {
		t.Skip("this processor has no AVX2")
	}
	const n = 4 * 50
	for name, values := range map[string]map[string]float64{
		"neo-hooke": nil, "j2": {"yield_stress": 400e6, "hardening": 1e9}, "j2 voce": {"yield_stress": 150e6, "voce.q": 120e6, "voce.b": 12},
		"mohr-coulomb": {"cohesion": 100e6, "friction_angle": 30, "softening.energy": 1e5}, "drucker-prager": {"cohesion": 100e6, "friction_angle": 30}, "johnson-cook": {"a": 90e6, "b": 292e6, "n": 0.31, "c": 0.025, "rate": 1},
	} {
		law := build(t, strings.Fields(name)[0], sample{of: metal, c: Constants{Value: values}})
		for _, size := range []float64{0, 1e-9, 1e-4, 3e-3, 0.02, 0.3} {
			plain, quick := newPoints(law, PlaneStrain, n), newPoints(law, PlaneStrain, n)
			quick.in.Vector = true
			rng := rand.New(rand.NewPCG(1, 2))
			f := make([][4]float64, n)
			for i := range f {
				f[i] = [4]float64{1, 0, 0, 1}
			}
			for range 20 {
				for i := range f {
					for k := range f[i] {
						f[i][k] += 0.2 * size * rng.NormFloat64() * rng.Float64()
					}
					sin, cos := math.Sincos(0.1 * rng.Float64())
					f[i] = [4]float64{cos*f[i][0] - sin*f[i][2], cos*f[i][1] - sin*f[i][3], sin*f[i][0] + cos*f[i][2], sin*f[i][1] + cos*f[i][3]}
					if f[i][0]*f[i][3]-f[i][1]*f[i][2] < 0.2 {
						f[i] = [4]float64{1, 0, 0, 1}
					}
					for _, p := range []*point{plain, quick} {
						p.in.FXX[i], p.in.FXY[i], p.in.FYX[i], p.in.FYY[i] = f[i][0], f[i][1], f[i][2], f[i][3]
					}
				}
				for _, p := range []*point{plain, quick} {
					law.Eval(&p.in, &p.out)
					p.step()
				}
				all := func(p *point) []float64 {
					o := &p.out
					return slices.Concat(o.TXX, o.TYY, o.TXY, o.TZZ, o.Thickness, o.Energy, slices.Concat(p.in.Mem...))
				}
				answers := all(quick)
				for i, want := range all(plain) {
					if got := answers[i]; math.Float64bits(got) != math.Float64bits(want) {
						t.Fatalf("%s, strains of %g: number %d of triangle %d is %g, want %g", name, size, i/n, i%n, got, want)
					}
				}
			}
		}
	}
}
