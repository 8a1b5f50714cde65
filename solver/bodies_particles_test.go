package solver_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"fdem/io/deck"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/solver"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r2"
)

// finish runs to the end and returns the greatest relative residual.
func finish(t testing.TB, s *solver.Solver) float64 {
	t.Helper()
	worst := 0.0
	err := s.Run(context.Background(), solver.Observer{
		Row:   func() error { worst = max(worst, s.Relative(s.Energies())); return nil },
		Frame: func() error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return worst
}

const steelBalls = `
[[material]]
name = "steel"
young = "207 GPa"
poisson = 0.3
density = 7800
`

// Two balls meet at the speed v. The law gets the data of the pair.
func pairOf(law string, v, duration float64, step string) string {
	return fmt.Sprintf(`
[analysis]
duration = %g
%s
%s
[[particle]]
name = "a"
radius = "10 mm"
position = ["-10.001 mm", 0]
velocity = [%g, 0]
material = "steel"
[[particle]]
name = "b"
radius = "10 mm"
position = ["10.001 mm", 0]
velocity = [%g, 0]
material = "steel"
[[law]]
name = "law"
%s
[[interaction]]
law = "law"
`, duration, step, steelBalls, v/2, -v/2, law)
}

// Central impacts of spheres have the restitution of the integrated law, and the error falls
// fourfold with half the step. The approach speed is that at first contact.
func TestImpactOfTwoSpheres(t *testing.T) {
	for name, law := range map[string]struct {
		text   string
		values map[string]float64
	}{
		"hertz":                    {`model = "hertz"`, nil},
		"hunt-crossley":            {"model = \"hunt-crossley\"\nrestitution = 0.7", map[string]float64{"restitution": 0.7}},
		"tsuji":                    {"model = \"tsuji\"\nrestitution = 0.6", map[string]float64{"restitution": 0.6}},
		"thornton":                 {"model = \"thornton\"\nyield = \"500 MPa\"", map[string]float64{"yield": 500e6}},
		"ma-liu":                   {"model = \"ma-liu\"\nyield = \"500 MPa\"", map[string]float64{"yield": 500e6}},
		"elastoplastic-hysteretic": {"model = \"elastoplastic-hysteretic\"\nyield = \"500 MPa\"\nrestitution = 0.8", map[string]float64{"yield": 500e6, "restitution": 0.8}},
	} {
		t.Run(name, func(t *testing.T) {
			const v, duration = 2.0, 1e-3
			model, _ := contact.Lookup(name)
			mass := 7800 * 4.0 / 3 * math.Pi * 1e-6 / 2
			values := map[string]float64{}
			for _, p := range model.Parameters {
				for k, x := range map[string]float64{"radius": 5e-3, "modulus": 207e9 / (1 - 0.09) / 2, "mass": mass} {
					if p.Name == k {
						values[k] = x
					}
				}
			}
			for k, x := range law.values {
				values[k] = x
			}
			own, err := model.Build(values)
			noError(t, err)
			want, err := contact.Impact(own, mass, v)
			noError(t, err)
			var off [2]float64
			for i, safety := range []string{"safety = 0.8", "safety = 0.1"} {
				s := built(t, pairOf(law.text, v, duration, safety), "")
				worst := finish(t, s)
				m := s.Motions()
				got := (m[1].Velocity.X - m[0].Velocity.X) / v
				off[i] = math.Abs(got - want.Restitution)
				if worst > 1e-3 {
					t.Errorf("%s: residual %g", safety, worst)
				}
				if p := m[0].Momentum.X + m[1].Momentum.X; math.Abs(p) > 1e-14 {
					t.Errorf("momentum %g", p)
				}
			}
			t.Logf("restitution %.8f, off by %.2g and %.2g", want.Restitution, off[0], off[1])
			if off[0] > 2e-3 || off[1] > 1e-4 {
				t.Errorf("restitution is off by %g, and by %g with an eighth of the step", off[0], off[1])
			}
		})
	}
}

// A cloud of balls of eight sizes that fly into one another, with friction and
// a law that remembers.
func cloud(n int, friction string) string {
	return fmt.Sprintf(`
[analysis]
duration = "0.1 ms"
%s
[[particle]]
name = "cloud"
radius = ["4 mm", "5 mm"]
sizes = 4
position = [0, 0]
grid = [%d, %d]
spacing = "10.2 mm"
velocity_spread = "20 m/s"
angular_velocity = 50
material = "steel"
[[law]]
name = "law"
model = "thornton"
yield = "500 MPa"
[[interaction]]
law = "law"
%s
`, steelBalls, n, n, friction)
}

// momenta returns momentum and angular momentum at Time.
func momenta(s *solver.Solver) (p r2.Vec, l float64) {
	b := s.Spheres()
	v, spin := make([]r2.Vec, len(b.V)), make([]float64, len(b.V))
	s.Kinds.Spheres.VelocitiesNow(v, spin)
	for i, m := range s.Particles.Mass {
		p = r2.Add(p, r2.Scale(m, v[i]))
		l += m*r2.Cross(b.X[i], v[i]) + 0.4*m*b.Radius[i]*b.Radius[i]*spin[i]
	}
	return p, l
}

// A free cloud keeps momentum and angular momentum, its ledger closes, friction never creates
// energy, and any number of workers computes the same bits.
func TestCloud(t *testing.T) {
	t.Parallel()
	for _, friction := range []string{"friction = 0.3", "friction = 0.3\nfriction_model = \"stick\""} {
		var first *solver.Solver
		for _, workers := range []int{1, 2, 5} {
			s := built(t, cloud(32, friction), "")
			s.SetWorkers(workers)
			p0, l0 := momenta(s)
			worst := finish(t, s)
			p, l := momenta(s)
			if d := r2.Norm(r2.Sub(p, p0)); d > 1e-12 {
				t.Errorf("momentum changed by %g of %g", d, p0)
			}
			if math.Abs(l-l0) > 1e-9*math.Abs(l0) {
				t.Errorf("angular momentum changed from %g to %g", l0, l)
			}
			e := s.Energies()
			if worst > 1e-3 || !(e.FrictionDissipated > 0) || !(e.ContactDissipated > 0) {
				t.Errorf("residual %g, %+v", worst, e)
			}
			if first == nil {
				first = s
				t.Logf("%s: %d steps, %d rebuilds, residual %.2g, momentum %.1e, angular momentum %.1e", friction, s.N, s.Rebuilds(), worst, r2.Norm(r2.Sub(p, p0)), l/l0-1)
				continue
			}
			if d := cmp.Diff(first.Spheres().State, s.Spheres().State); d != "" {
				t.Fatalf("%d workers compute something else: %.300s", workers, d)
			}
			if d := cmp.Diff(first.Spheres().Memories(), s.Spheres().Memories()); d != "" {
				t.Fatalf("%d workers remember something else: %.300s", workers, d)
			}
		}
	}
}

// The memory of pairs does not depend on when the search makes its list: a run whose spheres are
// made anew half way continues with the same bits.
func TestSpheresResume(t *testing.T) {
	text := cloud(8, "friction = 0.3\nfriction_model = \"stick\"")
	one, two := built(t, text, ""), built(t, text, "")
	for i := range 2000 {
		if i%301 == 300 { // into a fresh one
			fresh := built(t, text, "")
			fresh.Spheres().Resume(two.Spheres().State, two.Spheres().Memories())
			fresh.State, fresh.Clock = two.State, two.Clock
			two = fresh
		}
		for _, s := range []*solver.Solver{one, two} {
			noError(t, s.Step(2e-7, nil))
		}
	}
	if one.Spheres().Rebuilds() < 2 {
		t.Errorf("only %d lists", one.Spheres().Rebuilds())
	}
	if d := cmp.Diff(one.Spheres().State, two.Spheres().State); d != "" {
		t.Errorf("it goes on otherwise: %.500s", d)
	}
}

// A ball that slides on a floor rolls in the end, with 5/7 of its speed; on a
// slope it rolls with 5/7 of the acceleration; in a hollow too it comes to roll.
func TestBallRolls(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"friction_speed = \"0.1 mm/s\"", "friction_model = \"stick\""} {
		s := built(t, `
[analysis]
duration = "0.12 s"
gravity = [0, -9.81]
`+steelBalls+`
[[rigid]]
name = "floor"
shape = "line"
from = ["-1 m", 0]
to = ["1 m", 0]
[[particle]]
name = "ball"
radius = "10 mm"
position = [0, "10 mm"]
velocity = ["0.5 m/s", 0]
material = "steel"
[[law]]
name = "law"
model = "tsuji"
restitution = 0.3
[[interaction]]
law = "law"
friction = 0.3
`+model, "")
		worst := finish(t, s)
		m := s.Motions()[1]
		t.Logf("%+v, residual %g", m, worst)
		if math.Abs(m.Velocity.X/(0.5*5/7)-1) > 1e-3 || math.Abs(m.AngularVelocity*0.01/m.Velocity.X+1) > 1e-3 {
			t.Errorf("the ball moves at %g m/s and turns at %g rad/s", m.Velocity.X, m.AngularVelocity)
		}
	}
}

// Spheres that overlap at the start are refused, unless their interaction allows it. A step above
// the limit is refused.
func TestSpheresRefused(t *testing.T) {
	text := strings.Replace(pairOf(`model = "hertz"`, 1, 1e-4, ""), "10.001", "9.99", 1)
	load := func(text string) error {
		d, err := deck.Parse("test.toml", []byte(text))
		noError(t, err)
		m, _, err := deck.Model(d, &mesh.Mesh{})
		noError(t, err)
		_, err = solver.New(m)
		return err
	}
	if err := load(text); err == nil || !strings.Contains(err.Error(), "overlap at the start: 1 pairs") {
		t.Errorf("got %v", err)
	}
	if err := load(text + "overlap = \"allow\"\n"); err != nil {
		t.Errorf("got %v", err)
	}
	if err := load(pairOf(`model = "hertz"`, 1, 1e-4, `step = "1 ms"`)); err == nil || !strings.Contains(err.Error(), "stability limit") {
		t.Errorf("got %v", err)
	}
}

// After warm-up a step allocates nothing, the search's rebuilds aside.
func TestSphereStepAllocatesNothing(t *testing.T) {
	s := built(t, cloud(20, "friction = 0.3"), "")
	for range 100 {
		noError(t, s.Step(1e-7, nil))
	}
	before := s.Rebuilds()
	n := testing.AllocsPerRun(50, func() {
		noError(t, s.Step(1e-9, nil))
	})
	if s.Rebuilds() == before && n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// A hexagonal pack of n by n spheres, each pressed against its six neighbours and vibrating, with
// friction: ns per sphere and step, the search's rebuilds included.
func BenchmarkSpheres(b *testing.B) {
	for _, n := range []int{32, 100, 316, 1000} {
		for _, stick := range []string{"", "friction_model = \"stick\""} {
			name := fmt.Sprintf("%d", n*n)
			if stick != "" {
				name += "-stick"
			}
			b.Run(name, func(b *testing.B) {
				if n > 316 && testing.Short() {
					b.Skip("a gigabyte")
				}
				s := built(b, fmt.Sprintf(`
[analysis]
duration = 1
%s
[[particle]]
name = "pack"
radius = "5 mm"
position = [0, 0]
grid = [%d, %d]
spacing = "9.999 mm"
packing = "hexagonal"
velocity_spread = "1 m/s"
material = "steel"
[[law]]
name = "law"
model = "tsuji"
restitution = 0.7
[[interaction]]
law = "law"
overlap = "allow"
friction = 0.3
%s
`, steelBalls, n, n, stick), "")
				for b.Loop() {
					noError(b, s.Step(2e-7, nil))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*n), "ns/sphere-step")
				b.ReportMetric(float64(s.Spheres().Interaction[0].Active)/float64(n*n), "touching/sphere")
				b.ReportMetric(float64(s.Rebuilds())/float64(b.N), "builds/step")
			})
		}
	}
}

// A run of particles reports how many pairs are near, are checked and touch, and how long a
// neighbour list lasts.
func TestProfileOfParticles(t *testing.T) {
	s := built(t, cloud(20, "friction = 0.3"), "")
	finish(t, s)
	counts := map[string]float64{}
	for _, c := range s.Profile().Counts {
		counts[c.Name] = c.Mean
	}
	near, looked := counts["pairs of particles near one another"], counts["pairs of particles looked at"]
	touch, steps := counts["pairs of particles that touch"], counts["steps to a neighbour list of particles"]
	if !(near >= looked && looked >= touch && touch > 0 && steps > 1) {
		t.Errorf("%g pairs near, %g looked at, %g touch, %g steps to a list", near, looked, touch, steps)
	}
}
