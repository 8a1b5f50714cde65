package solver_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"fdem/solver"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/spatial/r2"
)

// A ball that rolls on a soft foundation loses its speed to the rolling torque
// of Gonthier and others, eq. (4): as exp(-k a J t/(I + m b^2)), b its height.
func TestBallRollsByVolume(t *testing.T) {
	const r, k, a, mass = 0.01, 1e8, 2.0, 7800 * 4 * math.Pi / 3 * 1e-6
	depth := 1e-4 // where it rests
	for range 50 {
		depth -= (k*math.Pi*depth*depth*(r-depth/3) - mass*9.81) / (k * math.Pi * depth * (2*r - depth))
	}
	text := `
[analysis]
duration = "0.5 s"
gravity = [0, -9.81]
safety = 0.4
` + steelBalls + `
[[rigid]]
name = "floor"
shape = "line"
from = ["-1 m", 0]
to = ["1 m", 0]
[[particle]]
name = "ball"
radius = "10 mm"
position = [0, HEIGHT]
velocity = ["0.1 m/s", 0]
angular_velocity = SPIN
material = "steel"
[[law]]
name = "felt"
model = "volumetric"
k_f = "1 MPa"
h_f = "10 mm"
a = "2 s/m"
[[interaction]]
law = "felt"
friction = 0.5
friction_speed = "0.1 mm/s"
overlap = "allow"
`
	height := r - depth
	text = strings.NewReplacer("HEIGHT", number(height), "SPIN", number(-0.1/height)).Replace(text)
	s := built(t, text, "")
	worst := finish(t, s)
	m := s.Motions()[1]
	cap := depth * depth * depth * (4*r*r/3 - r*depth + depth*depth/5)
	rate := k * a * math.Pi / 4 * cap / (mass * (0.4*r*r + height*height))
	want := 0.1 * math.Exp(-rate*0.5)
	t.Logf("%.6g m/s, closed form %.6g m/s; residual %.2g", m.Velocity.X, want, worst)
	if math.Abs(m.Velocity.X-want) > 1e-3*(0.1-want) || math.Abs(m.AngularVelocity*height/m.Velocity.X+1) > 1e-3 || worst > 1e-4 {
		t.Errorf("%g m/s and %g rad/s, want %g m/s; residual %g", m.Velocity.X, m.AngularVelocity, want, worst)
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// A cloud of spheres with volumetric contact keeps momentum and angular momentum, and its ledger
// closes. It continues to the bit with spheres that are made anew.
func TestCloudByVolume(t *testing.T) {
	text := strings.Replace(cloud(8, "friction = 0.3"), "model = \"thornton\"\nyield = \"500 MPa\"", "model = \"volumetric\"\nk_f = \"1 TPa\"\nh_f = \"1 mm\"\na = \"20 ms/m\"", 1)
	s := built(t, text, "")
	p0, l0 := momenta(s)
	worst := finish(t, s)
	p, l := momenta(s)
	e := s.Energies()
	t.Logf("residual %.2g, momentum %.1e, angular momentum %.1e; damping %.3g J, friction %.3g J of %.3g J", worst, r2.Norm(r2.Sub(p, p0)), l/l0-1, e.ContactDissipated, e.FrictionDissipated, s.Ledger.Start.Kinetic)
	if r2.Norm(r2.Sub(p, p0)) > 1e-12 || math.Abs(l-l0) > 1e-9*math.Abs(l0) || worst > 1e-3 || !(e.ContactDissipated > 0) {
		t.Errorf("residual %g, momentum changed by %g, angular momentum from %g to %g", worst, r2.Sub(p, p0), l0, l)
	}
	one, two := built(t, text, ""), built(t, text, "")
	for i := range 400 {
		if i%101 == 100 {
			fresh := built(t, text, "")
			fresh.Spheres().Resume(two.Spheres().State, two.Spheres().Memories())
			fresh.State, fresh.Clock = two.State, two.Clock
			two = fresh
		}
		for _, s := range []*solver.Solver{one, two} {
			noError(t, s.Step(2e-7, nil))
		}
	}
	if d := cmp.Diff(one.Spheres().State, two.Spheres().State); d != "" {
		t.Errorf("it goes on otherwise: %.500s", d)
	}
}
