package impulses_test

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"fdem/examples/cases"
	"fdem/io/checkpoint"
	"fdem/io/deck"

	"gonum.org/v1/gonum/spatial/r2"
)

// rubble is a heap of polygons, one of them not convex, boxes and discs that falls into a hollow with a
// driven wall beside it, with restitution and rolling resistance.
func rubble() *scene {
	s := begin(0.6, under(0), "").floor(-2, 2)
	r := rand.New(rand.NewSource(3))
	for i := range 12 {
		x, y := 0.16*float64(i%4)+0.02*r.Float64(), 0.1+0.17*float64(i/4)
		switch i % 3 {
		case 0:
			s.box(x, y, 0.12, 0.08, r.Float64(), 2000)
		case 1:
			s.disc(x, y, 0.05, 2000)
		default:
			s.polygon([]r2.Vec{{X: x - 0.05, Y: y - 0.05}, {X: x + 0.06, Y: y - 0.05}, {X: x + 0.06, Y: y - 0.02}, {X: x - 0.02, Y: y - 0.02}, {X: x - 0.02, Y: y + 0.06}, {X: x - 0.05, Y: y + 0.06}}, 2000)
		}
	}
	s.WriteString("[[rigid]]\nname = \"gate\"\nshape = \"line\"\nfrom = [-0.2, 1]\nto = [-0.2, -0.1]\nsolid = \"right\"\nmotion = { velocity = [0.2, 0] }\n")
	return s.rolling(0.4, 0.5, 0.05)
}

// sprung adds springs to rubble.
func sprung(s *scene) *scene {
	s.spring("name = \"strut\"\non = \"b0\"\nat = [0.03, 0.11]\nto = \"b6\"\nstiffness = 2e3\ndamping = 20")
	s.spring("name = \"turn\"\non = \"b1\"\nrotation_stiffness = 5\nrotation_damping = 0.1")
	s.spring("name = \"late\"\non = \"b2\"\nto_at = [0.3, 1]\nstiffness = 1e3\ntime = 0.1\nuntil = 0.3")
	return s
}

// A run that is continued from a checkpoint, by another number of workers, has the same bits.
func TestResumeHasTheSameBits(t *testing.T) {
	whole := start(t, sprung(rubble()))
	dir := t.TempDir()
	files := checkpoint.NewWriter(dir, "")
	var held []string
	for whole.Time < 0.6-1e-9 {
		if whole.N == 0 || whole.N == 7 || whole.N%180 == 100 {
			whole.UpdateState()
			if err := files.Write(checkpoint.Header{Step: whole.N, Time: whole.Time, Duration: whole.Duration}, whole.Parts(), func() error { return nil }); err != nil {
				t.Fatal(err)
			}
			if err := files.Wait(); err != nil {
				t.Fatal(err)
			}
			f, err := checkpoint.Open(files.Last())
			if err != nil {
				t.Fatal(err)
			}
			again := built(t, sprung(rubble()).String())
			again.SetWorkers(2)
			if err := f.Fill(again.Parts()); err != nil {
				t.Fatal(err)
			}
			if err := again.Restore(); err != nil {
				t.Fatal(err)
			}
			r := &run{Solver: again, t: t}
			r.to(0.6, nil)
			held = append(held, fmt.Sprint(again.N, checkpoint.Sum(again.Parts())))
		}
		ended := false
		if err := whole.Step(0, func(dt float64) (bool, error) { ended = dt == 0; return true, nil }); err != nil {
			t.Fatal(err)
		}
		if ended {
			break
		}
	}
	want := fmt.Sprint(whole.N, checkpoint.Sum(whole.Parts()))
	if len(held) < 3 {
		t.Fatalf("only %d checkpoints", len(held))
	}
	for i, got := range held {
		if got != want {
			t.Errorf("checkpoint %d ends with the sum %s, the whole run with %s", i, got, want)
		}
	}
}

// The heap loses energy only to friction and impacts, and nothing passes through anything.
func TestHeapKeepsItsLedger(t *testing.T) {
	r := start(t, rubble())
	r.to(0.6, nil)
	closes(t, r.Solver, 10)
	e := r.Energies()
	if !(e.FrictionDissipated > 0) || !(e.ImpactLoss > 0) {
		t.Errorf("friction takes %g J, impacts %g J", e.FrictionDissipated, e.ImpactLoss)
	}
	for _, f := range r.ContactForces() {
		t.Logf("deepest %.2g m, %d points", f.PeakDeflection, f.Active)
		if !(f.PeakDeflection < 0.005) {
			t.Errorf("bodies penetrate by %g m", f.PeakDeflection)
		}
	}
	for i := range 12 {
		if y := r.body(i).Centre.Y; y < 0.02 {
			t.Errorf("body %d is at a height of %g m", i, y)
		}
	}
}

// No impact of a box on a floor gains energy, whatever friction and restitution (T. R. Kane and D. A.
// Levinson, Dynamics, 1985, have one that does under Newton's law).
func TestImpactsGainNoEnergy(t *testing.T) {
	count := 10
	if cases.All() {
		count = 300
	}
	r := rand.New(rand.NewSource(5))
	for _, friction := range []float64{0, 0.3, 1} {
		for _, e := range []float64{0, 0.5, 1} {
			worst := 0.0
			for range count {
				angle, speed, spin := 3*r.Float64(), 4*(r.Float64()-0.5), 4*(r.Float64()-0.5)
				s := begin(1, r2.Vec{}, "[analysis.impulses]\ntolerance = 1e-6\n").floor(-20, 20)
				s.box(0, 1, 0.4, 1, angle, 1000, fmt.Sprintf("velocity = [%v, -1]\nangular_velocity = %v", speed, spin))
				k := start(t, s.contact(friction, e))
				before := kinetic(k)
				k.to(1, nil)
				worst = max(worst, kinetic(k)/before)
			}
			t.Logf("friction %g, restitution %g: at most %.6f of the energy", friction, e, worst)
			if worst > 1+1e-6 {
				t.Errorf("friction %g, restitution %g: an impact leaves %g of the energy", friction, e, worst)
			}
		}
	}
}

func kinetic(r *run) float64 {
	m := r.body(0)
	return 0.5 * (m.Mass*(m.Velocity.X*m.Velocity.X+m.Velocity.Y*m.Velocity.Y) + r.Rigids[1].Inertia*m.AngularVelocity*m.AngularVelocity)
}

// A disc rolls in a hollow as theory says, and a box rests in it on two corners.
func TestHollow(t *testing.T) {
	s := begin(3, under(0), "")
	s.WriteString("[[rigid]]\nname = \"bowl\"\nshape = \"hollow\"\ncentre = [0, 0]\nradius = 1\n")
	const r, angle = 0.1, 0.1 // small oscillations of a rolling disc: omega^2 = 2 g / (3 (R - r))
	s.disc(0.9*math.Sin(angle), -0.9*math.Cos(angle), r, 1000)
	k := start(t, s.contact(1, 0))
	at := -1.0
	last := 1.0
	k.to(3, func() bool {
		x := k.body(0).Centre.X
		if at < 0 && x <= 0 {
			at = k.Time - k.Last*x/(x-last)
		}
		last = x
		return at > 0
	})
	period := 2 * math.Pi / math.Sqrt(2*g/(3*0.9)) * (1 + angle*angle/16)
	within(t, "quarter period", at, period/4, 0.002)

	s = begin(1, under(0), "")
	s.WriteString("[[rigid]]\nname = \"bowl\"\nshape = \"hollow\"\ncentre = [0, 0]\nradius = 1\n")
	s.box(0, -math.Sqrt(1-0.25*0.25)+0.1, 0.5, 0.2, 0, 1000)
	k = start(t, s.contact(0.5, 0))
	k.to(1, nil)
	if !(k.moved() < 1e-5) {
		t.Errorf("the box in the bowl moves %g m", k.moved())
	}
	within(t, "weight", k.Reactions()[0].Force.Y, 1000*0.1*g, 1e-3)
}

// What contact by impulses cannot do is an error with a position and what to do instead.
func TestRefusals(t *testing.T) {
	good := begin(1, under(0), "").floor(-1, 1).box(0, 0.5, 1, 1, 0, 1000).contact(0.5, 0).String()
	for _, c := range []struct{ more, want string }{
		{"[[interaction]]\nlaw = \"l\"\n", "particles are discs with it, which meet by a [[contact]]"},
		{"[[body]]\nname = \"p\"\nmaterial = \"m\"\n", `make it a [[rigid]] with shape = "polygon" and on`},
		{"[[contact]]\ncontactor = \"b0\"\nopposite = \"floor\"\nlaw = \"l\"\n", "law does not go with integrator"},
		{"[[contact]]\ncontactor = \"b0\"\nopposite = \"floor\"\nrestitution = 1.5\n", "restitution must lie between 0 and 1"},
		{"[[contact]]\ncontactor = \"b0\"\nopposite = \"floor\"\nstick_stiffness = 1e9\n", "stick_stiffness does not go with integrator"},
	} {
		_, err := deck.Parse("m.toml", []byte(good+c.more))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "m.toml:") {
			t.Errorf("%s\ngives %v, want %s", c.more, err, c.want)
		}
	}
	for key, want := range map[string]string{"damping = { local = 0.5 }": "local does not go with integrator", "damping = { stiffness = 1e-3 }": "stiffness does not go with integrator"} {
		if _, err := deck.Parse("m.toml", []byte(strings.Replace(good, "[output]", key+"\n[output]", 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, want %s", key, err, want)
		}
	}
	explicit := strings.Replace(good, "integrator = \"impulses\"\n", "", 1)
	for key, want := range map[string]string{"restitution_speed = 1": "goes with integrator", "restitution = 0": "restitution must lie between 0.05 and 1"} {
		if _, err := deck.Parse("m.toml", []byte(strings.Replace(explicit, "restitution = 0", key, 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s without impulses gives %v", key, err)
		}
	}
}
