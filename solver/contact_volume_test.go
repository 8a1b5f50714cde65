package solver

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/contactnodes/volume"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/solver/contacts"
	models "fdem/solver/model"
	"fdem/solver/nodes"

	"gonum.org/v1/gonum/spatial/r2"
)

// byVolume is the volumetric contact of all bodies with one another.
func byVolume(m *mesh.Mesh, k, a, friction float64) []models.VolumeContact {
	var all []int32
	for i := range m.Components {
		all = append(all, int32(i))
	}
	return []models.VolumeContact{{Name: "all", First: all, Second: all, Law: contact.Volumetric{K: k, A: a}, Friction: friction, Speed: 1e-4}}
}

// Without damping and friction a disc bounces back to where it came from, off
// a line, a disc and the inside of a hollow, and nothing is lost: the energy
// of the overlap is what its force can give back. The residual falls fourfold
// with half the step.
func TestVolumetricBounce(t *testing.T) {
	const r = 0.05
	for _, tt := range []struct {
		name    string
		outline mesh.Outline
		at      r2.Vec
	}{
		{"line", floor(0), r2.Vec{Y: 0.06}},
		{"disc", disc("fixed", r2.Vec{Y: -0.2}, 0.2), r2.Vec{Y: 0.06}},
		{"hollow", disc("fixed", r2.Vec{Y: 0.2}, -0.2), r2.Vec{Y: 0.06}},
		{"box", mesh.Outline{Name: "box", Closed: true, Depth: 0.01, Points: []r2.Vec{{X: -0.1, Y: -0.1}, {X: 0.1, Y: -0.1}, {X: 0.1}, {X: -0.1}}}, r2.Vec{Y: 0.06}},
	} {
		worst := func(safety float64) float64 {
			m := rigidModel(t, 1, 0, []models.Rigid{{Name: "fixed", Material: -1, Centre: r2.Vec{Y: map[string]float64{"disc": -0.2, "hollow": 0.2}[tt.name]}}, freeDisc("disc", tt.at, r2.Vec{}, r, 0)},
				tt.outline, disc("disc", tt.at, r))
			m.Contacts, m.ByVolume = nil, byVolume(m.Mesh, 1e11, 0, 0)
			m.Gravity.Y = -gravity
			fall := math.Sqrt(2 * (tt.at.Y - r) / gravity)
			m.Duration, m.HistoryEvery, m.Safety = 2.2*fall, fall/500, safety
			s := start(t, m)
			w, top, lost := 0.0, 0.0, 0.0
			run(t, s, func() {
				e := s.Energies()
				w = max(w, s.Relative(e))
				lost = max(lost, math.Abs(e.ContactDissipated)/e.Total())
				if s.Time > 1.2*fall {
					top = max(top, s.RigidMotions[1].Centre.Y)
				}
			})
			if s.PeakForce[0] < 10 || math.Abs(top-tt.at.Y) > 1e-5 || math.Abs(s.RigidMotions[1].Spin) > 1e-9 || math.Abs(s.RigidMotions[1].Centre.X) > 1e-9 {
				t.Errorf("%s: pressed by %g N, bounces to %g m, ends with %+v", tt.name, s.PeakForce[0], top, s.RigidMotions[1])
			}
			if lost > 2e-4 || safety == 0.4 && lost > 5e-5 && tt.name != "box" {
				t.Errorf("%s: contact took %g of the energy", tt.name, lost)
			}
			return w
		}
		whole, half := worst(0.8), worst(0.4)
		t.Logf("%s: worst residual %.3g, with half the step %.3g", tt.name, whole, half)
		const rounding = 1e-9
		if whole > 1e-3 || whole > rounding && half > 0.27*whole {
			t.Errorf("%s: residual %g, with half the step %g", tt.name, whole, half)
		}
	}
}

// Damping of a slow approach follows eq. (3); the force of a disc pressed into a line at a given
// speed is the reference's.
func TestVolumetricForce(t *testing.T) {
	const r, depth, k, a = 0.1, 0.004, 2e9, 0.15 // volumetric_disc_line_2d.csv
	for _, tt := range []struct{ v, spin, force, torque float64 }{
		{0, 0, 299882.184167, 0}, {0.3, 5, 313376.882454, 35.4310953123}, {-0.2, 2, 290885.718642, 14.1724381249},
	} {
		m := rigidModel(t, 1, 0, []models.Rigid{{Name: "floor", Material: -1}, freeDisc("disc", r2.Vec{Y: r - depth}, r2.Vec{Y: -tt.v}, r, tt.spin)},
			floor(0), disc("disc", r2.Vec{Y: r - depth}, r))
		m.Contacts, m.ByVolume = nil, byVolume(m.Mesh, k, a, 0)
		m.ByVolume[0].Allow = true
		m.Thickness, m.Duration = 1, 1
		s := start(t, m)
		patch := s.Volumes[0].Patches[0]
		moment := s.RigidMotions[1].Moment
		for what, v := range map[string][2]float64{
			"force": {s.RigidMotions[1].Force.Y, tt.force}, "rolling torque": {-moment, tt.torque}, "touch": {math.Abs(patch.Torque), tt.torque},
		} {
			if math.Abs(v[0]-v[1]) > 1e-9*tt.force {
				t.Errorf("at %g m/s, %g rad/s: %s %.12g, want %.12g", tt.v, tt.spin, what, v[0], v[1])
			}
		}
	}
}

// Discs, a box and meshed blocks that collide with damping and friction keep
// momentum and angular momentum, and the ledger closes.
func TestVolumetricMomentum(t *testing.T) {
	t.Parallel()
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "low", -0.03, -0.06, 0.06, 0.02, 12, 4)
	rectangle(src, "high", 0.005, -0.0395, 0.02, 0.02, 4, 4)
	m := model(t, src, steel)
	box := mesh.Outline{Name: "box", Closed: true, Depth: 0.005, Points: []r2.Vec{{X: 0.06, Y: -0.02}, {X: 0.1, Y: -0.01}, {X: 0.09, Y: 0.03}, {X: 0.05, Y: 0.02}}}
	m.Mesh = m.Mesh.With([]mesh.Outline{disc("a", r2.Vec{X: -0.025, Y: -0.015}, 0.02), disc("b", r2.Vec{X: 0.02, Y: 0.03}, 0.02), box})
	m.Rigids = []models.Rigid{
		freeDisc("a", r2.Vec{X: -0.025, Y: -0.015}, r2.Vec{X: 2, Y: -10}, 0.02, 300),
		freeDisc("b", r2.Vec{X: 0.02, Y: 0.03}, r2.Vec{X: 2, Y: -8}, 0.02, -100),
		{Name: "box", Material: -1, Centre: r2.Vec{X: 0.075, Y: 0.005}, Mass: 0.7, Inertia: 0.7 * 0.0006, Velocity: r2.Vec{X: -15}, AngularVelocity: 30},
	}
	m.Bodies[0].Velocity.Y, m.Bodies[1].Velocity = 2, r2.Vec{X: 3, Y: -2}
	m.ByVolume = byVolume(m.Mesh, 1e12, 1e-3, 0.3)
	m.Duration, m.HistoryEvery = 8e-3, 2e-5
	s := start(t, m)
	sum := func() (p r2.Vec, l float64) {
		for i, mass := range s.Mass {
			v := s.NodeVelocity(nodes.Node(i))
			p = r2.Add(p, r2.Scale(mass, v))
			l += mass * r2.Cross(s.X[i], v)
		}
		for i := range s.rigids.List {
			r, pose := &s.rigids.List[i], &s.RigidMotions[i]
			v, spin := r.VelocityOf(s.Last)
			p = r2.Add(p, r2.Scale(r.Mass, v))
			l += r.Mass*r2.Cross(pose.Centre, v) + r.Inertia*spin
		}
		return p, l
	}
	p0, l0 := sum()
	met := map[[2]int32]bool{}
	run(t, s, func() {
		for _, patch := range s.Volumes[0].Patches {
			met[[2]int32{patch.A, patch.B}] = true
		}
	})
	p, l := sum()
	e := s.Energies()
	t.Logf("%d pairs met; momentum changed by %.2g of %.3g kg m/s, angular momentum by %.2g of %.3g; residual %.2g; damping %.3g J, friction %.3g J of %.4g J",
		len(met), r2.Norm(r2.Sub(p, p0)), r2.Norm(p0), l-l0, l0, s.Relative(e), e.ContactDissipated, e.FrictionDissipated, s.Ledger.Start.Kinetic)
	if len(met) < 3 || !(e.FrictionDissipated > 0 && e.ContactDissipated > 0) {
		t.Fatalf("only %d pairs met", len(met))
	}
	if r2.Norm(r2.Sub(p, p0)) > 1e-12*r2.Norm(p0) || math.Abs(l-l0) > 1e-6*math.Abs(l0) {
		t.Errorf("momentum changed by %g, angular momentum by %g of %g", r2.Norm(r2.Sub(p, p0)), l-l0, l0)
	}
	if s.Relative(e) > 1e-3 {
		t.Errorf("residual %g", s.Relative(e))
	}
}

// At shallow overlap the force is that of contact nodes on the same
// foundation, within 1 %: a disc in a hollow, on a line, and meshed blocks.
func TestVolumetricAgainstContactNodes(t *testing.T) {
	const r, k = 0.05, 1e9
	for _, tt := range []struct {
		name    string
		outline mesh.Outline
		at      float64
	}{
		{"line", floor(0), 0}, {"hollow", disc("fixed", r2.Vec{Y: 0.2}, -0.2), 0.2}, {"disc", disc("fixed", r2.Vec{Y: -0.2}, 0.2), -0.2},
	} {
		for _, depth := range []float64{1e-5, 1e-4, 5e-4} {
			force := func(byVol bool) float64 {
				at := r2.Vec{Y: r - depth}
				m := rigidModel(t, k, 0, []models.Rigid{{Name: "fixed", Material: -1, Centre: r2.Vec{Y: tt.at}}, freeDisc("disc", at, r2.Vec{}, r, 0)}, tt.outline, disc("disc", at, r))
				m.Contacts[0].NodesPerElement = 200
				m.Contacts[0].Overlap = contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 1e-12}
				m.Duration = 1
				if byVol {
					m.Contacts, m.ByVolume = nil, byVolume(m.Mesh, k, 0, 0)
					m.ByVolume[0].Allow = true
				}
				s := start(t, m)
				if !byVol { // the ramp ends after a first step
					for range 2 {
						noError(t, s.Step(1e-11, nil))
					}
				}
				return s.ContactForces()[0].Normal
			}
			nodes, volumes := force(false), force(true)
			t.Logf("%s, %g m deep: contact nodes %.6g N, volume %.6g N, %+.2g", tt.name, depth, nodes, volumes, volumes/nodes-1)
			if !(math.Abs(volumes/nodes-1) < 0.01) {
				t.Errorf("%s, %g m deep: contact nodes %g N, volume %g N", tt.name, depth, nodes, volumes)
			}
		}
	}
}

// A step of volumetric contact allocates nothing: discs, a hollow, meshed
// blocks.
func TestVolumetricAllocatesNothing(t *testing.T) {
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "low", -0.03, -0.06, 0.06, 0.02, 12, 4)
	rectangle(src, "high", 0.005, -0.04001, 0.02, 0.02, 4, 4)
	m := model(t, src, steel)
	m.Mesh = m.Mesh.With([]mesh.Outline{disc("a", r2.Vec{X: -0.02, Y: -0.02001}, 0.02), disc("b", r2.Vec{X: -0.02, Y: 0.01998}, 0.02), disc("hollow", r2.Vec{Y: 0.04}, -0.0482)})
	m.Rigids = []models.Rigid{freeDisc("a", r2.Vec{X: -0.02, Y: -0.02001}, r2.Vec{}, 0.02, 3), freeDisc("b", r2.Vec{X: -0.02, Y: 0.01998}, r2.Vec{}, 0.02, 0), {Name: "hollow", Material: -1, Centre: r2.Vec{Y: 0.04}}}
	m.ByVolume = byVolume(m.Mesh, 1e10, 0.1, 0.3)
	hollow := m.ByVolume[0]
	m.ByVolume[0].First, m.ByVolume[0].Second = []int32{0, 1, 2, 3}, []int32{0, 1, 2, 3}
	hollow.Name, hollow.First, hollow.Second = "hollow", []int32{3}, []int32{4}
	m.ByVolume = append(m.ByVolume, hollow)
	m.ByVolume[0].Allow, m.ByVolume[1].Allow = true, true
	m.Duration = 1
	s := start(t, m)
	step := func() {
		noError(t, s.Step(1e-9, nil))
	}
	step()
	if n := len(s.Volumes[0].Patches) + len(s.Volumes[1].Patches); n < 4 {
		t.Fatalf("only %d overlaps", n)
	}
	if n := testing.AllocsPerRun(20, step); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

func TestVolumetricOverlapAtStart(t *testing.T) {
	m := rigidModel(t, 1, 0, []models.Rigid{{Name: "floor", Material: -1}, freeDisc("disc", r2.Vec{Y: 0.049}, r2.Vec{}, 0.05, 0)}, floor(0), disc("disc", r2.Vec{Y: 0.049}, 0.05))
	m.Contacts, m.ByVolume, m.Duration = nil, byVolume(m.Mesh, 1e9, 0, 0), 1
	var overlap *contacts.OverlapError
	if _, err := New(m); !errors.As(err, &overlap) {
		t.Errorf("error %v", err)
	}
	var inside *volume.InsideError
	m.Rigids[1].Centre.Y, m.ByVolume[0].Allow = -1, true
	if _, err := New(m); !errors.As(err, &inside) || inside.Error() == "" {
		t.Errorf("error %v", err)
	}
}

// First contact of meshed bodies by volume creates no energy, for any stiffness and damping: flat,
// nearly flat and on a corner, on a line and on a slab with longer edges.
func TestNoEnergyAtContactByVolume(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes a hundred drops")
	}
	down := math.Sqrt(2 * gravity * 1e-3)
	for _, material := range []bulk.Elastic{steel, rubber} {
		for i, f := range []float64{0.01, 0.1, 1, 10, 100} {
			for n, damping := range []float64{0, 0.3, 3} { // at touch, of the elastic pressure
				for j, on := range landings {
					if (i+j+n)%3 > 0 && !*everything {
						continue
					}
					k := f * material.Young / 2.5e-3
					m := dropped(t, material, on.degrees, 0.1, on.slab, nil, contactnodes.Friction{}, k)
					m.Contacts, m.ByVolume = nil, byVolume(m.Mesh, k, damping/down, 0.3)
					s := start(t, m)
					worst, touched := 0.0, 0
					run(t, s, func() {
						worst = max(worst, s.Relative(s.Energies()))
						touched = max(touched, len(s.Volumes[0].Patches))
					})
					name := fmt.Sprintf("%s, %g E/h, damping %g, at %g degrees, slab %v", material.Name, f, damping, on.degrees, on.slab)
					t.Logf("%s: residual %.2g at worst, %.2g in the end; %d steps", name, worst, s.Relative(s.Energies()), s.N)
					if worst > 1e-3 || touched == 0 {
						t.Errorf("%s: residual %g, touches %d", name, worst, touched)
					}
				}
			}
		}
	}
}
