package solver_test

import (
	"math"
	"strings"
	"testing"

	"fdem/solver"
	"fdem/solver/forces"
)

const granite = "[[material]]\nname = \"granite\"\nyoung = \"50 GPa\"\npoisson = 0.25\ndensity = 2600\n"

// pulled is a bolt of 3 m in rock that is held, with its head in a block that is drawn off.
const pulled = `
[analysis]
duration = "20 ms"
[output]
history_every = "1 ms"
` + granite + `
[[body]]
name = "rock"
material = "granite"
[[body]]
name = "jack"
material = "granite"
[[fix]]
on = "rock"
[[drive]]
on = "jack"
displacement = ["0 m", "0.018 * t / 0.02"]
[[bolt]]
name = "bolt"
from = [0, "3.2 m"]
to = [0, 0]
free_length = "0.2 m"
diameter = "25 mm"
bond_stiffness = "1 GN/m2"
plate = true
`

const jackOnRock = `
[[rectangle]]
name = "rock"
from = ["-0.5 m", 0]
to = ["0.5 m", "3 m"]
edge = "0.1 m"
[[rectangle]]
name = "jack"
from = ["-0.5 m", "3 m"]
to = ["0.5 m", "3.2 m"]
edge = "0.1 m"
`

// Farmer's pull-out: the force along the bar falls as P sinh(a (L - x))/sinh(a L), within 2 %; with a
// bond that slips the pull follows the closed form of a slipped length before an elastic one.
func TestPullOut(t *testing.T) {
	const l, k, ea = 3.0, 1e9, 2e11 * math.Pi / 4 * 0.025 * 0.025
	a := math.Sqrt(k / ea)
	s := built(t, pulled, jackOnRock)
	through(t, s, nil)
	pull, worst := 0.0, 0.0
	s.Kinds.Bolts.EachSegment(func(b *forces.BoltSegment) {
		if b.Along[0] == 0 {
			pull = b.Force
			return
		}
		x := 0.5*(b.Along[0]+b.Along[1]) - 0.2
		worst = max(worst, math.Abs(b.Force-pull*math.Sinh(a*(l-x))/math.Sinh(a*l))/pull)
	})
	e := s.Energies()
	t.Logf("%d steps, pull %.6g N, greatest error of the force along it %.2g of it; residual %.2g", s.N, pull, worst, s.Relative(e))
	if worst > 0.008 || s.Relative(e) > 1e-3 {
		t.Errorf("force along the bar off by %g of the pull, residual %g", worst, s.Relative(e))
	}

	slipping := pulled + "bond_strength = \"400 kN/m\"\n"
	inBalance := strings.NewReplacer(`duration = "20 ms"`, `type = "static"`, "[output]\nhistory_every = \"1 ms\"\n", "", "* t / 0.02", "* t").Replace(slipping)
	for name, text := range map[string]string{"in motion": slipping, "in balance": inBalance} {
		t.Run(name, func(t *testing.T) { pullsOut(t, built(t, text, jackOnRock)) })
	}
}

// pullsOut compares the pull of a bolt that slips with the closed form.
func pullsOut(t *testing.T, s *solver.Solver) {
	const strength, l, k, ea = 400e3, 3.0, 1e9, 2e11 * math.Pi / 4 * 0.025 * 0.025
	a, worst := math.Sqrt(k/ea), 0.0
	through(t, s, func() {
		n, head := 0.0, 0.0
		s.Kinds.Bolts.EachSegment(func(b *forces.BoltSegment) {
			if b.Along[0] == 0 {
				n, head = b.Force, -b.Slip[1]
			}
		})
		if head < strength/k {
			return
		}
		slipped := 0.0 // length at which the closed form has this slip of the head
		for high := l; high-slipped > 1e-9; {
			lp := 0.5 * (slipped + high)
			p := strength * (lp + math.Tanh(a*(l-lp))/a)
			if strength/k+(p*lp-strength*lp*lp/2)/ea < head {
				slipped = lp
			} else {
				high = lp
			}
		}
		want := strength * (slipped + math.Tanh(a*(l-slipped))/a)
		worst = max(worst, math.Abs(n/want-1))
	})
	e := s.Energies()
	t.Logf("with slip: greatest error of the pull %.2g; dissipated %.4g J; residual %.2g", worst, e.BoltDissipated, s.Relative(e))
	if worst > 0.01 || s.Relative(e) > 1e-3 {
		t.Errorf("pull off by %g, residual %g", worst, s.Relative(e))
	}
}

// stitched is two blocks that fly and turn, held together by a bolt that yields and slips.
const stitched = `
[analysis]
duration = "20 ms"
thickness = "20 mm"
[output]
history_every = "0.5 ms"
` + soft + `
[[body]]
name = "left"
material = "gel"
velocity = ["0.5 m/s", "2 m/s"]
angular_velocity = 20
[[body]]
name = "other"
material = "gel"
velocity = ["1.5 m/s", "1.5 m/s"]
[[bolt]]
name = "stitch"
from = ["10 mm", "83 mm"]
to = ["0.38 m", "81 mm"]
free_length = "0.31 m"
area = "1 mm2"
young = "1 GPa"
yield_force = "15 N"
hardening = "10 MPa"
bond_stiffness = "100 kN/m2"
bond_strength = "300 N/m"
plate = true
pretension = "5 N"
time = "4 ms"
until = "16 ms"
ramp = "2 ms"
`

// Bolts keep momentum, angular momentum and the ledger.
func TestBoltsKeepMomentum(t *testing.T) {
	s := built(t, stitched, twoBlocks)
	var kept drift
	most := 0.0
	through(t, s, func() {
		kept.follow(s)
		s.Kinds.Bolts.EachSegment(func(b *forces.BoltSegment) { most = max(most, b.Force) })
	})
	e := s.Energies()
	t.Logf("%d steps; momentum to %.2g, angular momentum to %.2g, residual %.2g; at most %.3g N, dissipated %.3g J", s.N, kept.momentum, kept.angular, s.Relative(e), most, e.BoltDissipated)
	if kept.momentum > 1e-12 || kept.angular > 1e-9 || s.Relative(e) > 1e-3 || !(e.BoltDissipated > 0) {
		t.Errorf("momentum to %g, angular momentum to %g, residual %g", kept.momentum, kept.angular, s.Relative(e))
	}
	if most < 14.5 {
		t.Errorf("the bolt carries %g N at most: the test is idle", most)
	}
}

// doweled is a bolt across two blocks that touch, of which the upper one is driven along the joint.
const doweled = `
[analysis]
duration = "20 ms"
[output]
history_every = "1 ms"
` + granite + `
[[body]]
name = "rock"
material = "granite"
[[body]]
name = "jack"
material = "granite"
[[fix]]
on = "rock"
[[drive]]
on = "jack"
displacement = ["1e-3 * t / 0.02", "0 m"]
[[bolt]]
name = "bolt"
from = ["0.013 m", "4 m"]
to = ["0.013 m", "2 m"]
diameter = "25 mm"
young = "1 GPa"
bond_stiffness = "1 MN/m2"
shear_stiffness = "200 MN/m"
shear_strength = "120 kN"
`

const jackBesideRock = `
[[rectangle]]
name = "rock"
from = ["-0.5 m", 0]
to = ["0.5 m", "3 m"]
edge = "0.1 m"
[[rectangle]]
name = "jack"
from = ["-0.5 m", "3 m"]
to = ["0.5 m", "4 m"]
edge = "0.09 m"
`

// A bolt across a joint resists its shear by its stiffness up to its strength, and dissipates what is
// beyond, in motion and in balance: 120 kN times what 1 mm is more than 0.6 mm, 48 J.
func TestBoltDowels(t *testing.T) {
	inBalance := strings.NewReplacer(`duration = "20 ms"`, "type = \"static\"\nincrements = 10", "[output]\nhistory_every = \"1 ms\"\n", "", "* t / 0.02", "* t").Replace(doweled)
	for name, text := range map[string]string{"in motion": doweled, "in balance": inBalance} {
		t.Run(name, func(t *testing.T) {
			s := built(t, text, jackBesideRock)
			share := 1.0 // of the displacement in the time
			if s.Static == nil {
				share = 50
			}
			worst, most := 0.0, 0.0
			through(t, s, func() {
				shear := 0.0
				s.Kinds.Bolts.EachSegment(func(b *forces.BoltSegment) { shear += math.Abs(b.Shear) })
				want := min(200e6*1e-3*share*s.Time, 120e3)
				worst, most = max(worst, math.Abs(shear-want)), max(most, shear)
			})
			e := s.Energies()
			t.Logf("most %.6g N, off by %.3g N; stored %.6g J, dissipated %.6g J; residual %.2g", most, worst, e.BoltStored, e.BoltDissipated, s.Relative(e))
			if worst > 150 || math.Abs(e.BoltStored-36) > 0.1 || math.Abs(e.BoltDissipated-48) > 0.1 || s.Relative(e) > 1e-3 {
				t.Errorf("off by %g N; stored %g J, dissipated %g J, residual %g", worst, e.BoltStored, e.BoltDissipated, s.Relative(e))
			}
		})
	}
}

// flyingDowel is two blocks that fly, turn and slide along one another, with a dowel between them.
const flyingDowel = `
[analysis]
duration = "20 ms"
thickness = "20 mm"
[output]
history_every = "0.5 ms"
` + soft + `
[[body]]
name = "left"
material = "gel"
velocity = ["0.4 m/s", "2 m/s"]
angular_velocity = 10
[[body]]
name = "other"
material = "gel"
velocity = ["0.9 m/s", "3 m/s"]
angular_velocity = 10
[[bolt]]
name = "dowel"
from = ["10 mm", "43 mm"]
to = ["0.19 m", "61 mm"]
area = "4 mm2"
young = "100 MPa"
bond_stiffness = "100 kN/m2"
shear_stiffness = "10 kN/m"
shear_strength = "1.2 N"
time = "1 ms"
until = "16 ms"
ramp = "2 ms"
`

const twoThatTouch = `
[[rectangle]]
name = "left"
from = [0, 0]
to = ["0.1 m", "0.1 m"]
edge = "20 mm"
[[rectangle]]
name = "other"
from = ["0.1 m", 0]
to = ["0.2 m", "0.1 m"]
edge = "23 mm"
`

// Dowels keep momentum, angular momentum and the ledger, with an opening as wide as the shear, too.
func TestDowelsKeepMomentum(t *testing.T) {
	s := built(t, flyingDowel, twoThatTouch)
	var kept drift
	most := 0.0
	through(t, s, func() {
		kept.follow(s)
		s.Kinds.Bolts.EachSegment(func(b *forces.BoltSegment) { most = max(most, math.Abs(b.Shear)) })
	})
	e := s.Energies()
	t.Logf("%d steps; momentum to %.2g, angular momentum to %.2g, residual %.2g; at most %.3g N, dissipated %.3g J", s.N, kept.momentum, kept.angular, s.Relative(e), most, e.BoltDissipated)
	if kept.momentum > 1e-12 || kept.angular > 1e-9 || s.Relative(e) > 1e-3 || !(e.BoltDissipated > 1e-5) {
		t.Errorf("momentum to %g, angular momentum to %g, residual %g, dissipated %g J", kept.momentum, kept.angular, s.Relative(e), e.BoltDissipated)
	}
	if most < 1.19 {
		t.Errorf("the dowel carries %g N at most: the test is idle", most)
	}
}
