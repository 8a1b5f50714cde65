package solver

import (
	"errors"
	"math"
	"math/rand"
	"testing"

	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// A load given by position that is the same everywhere acts as an even load.
func TestVaryingLineLoadOfOneIsTheEvenOne(t *testing.T) {
	even, placed := flail(t), flail(t)
	even.Loads, placed.Loads = lineLoads(even), lineLoads(placed)
	for i := range placed.Loads {
		placed.Loads[i].ByPosition = func(float64, r2.Vec) float64 { return 1 }
	}
	a, b := start(t, even), start(t, placed)
	rng := rand.New(rand.NewSource(3))
	for _, n := range a.beams.BeamNodes {
		a.X[n] = r2.Add(a.X[n], r2.Vec{X: 1e-3 * rng.NormFloat64(), Y: 1e-3 * rng.NormFloat64()})
		a.Theta[n] = 0.2 * rng.NormFloat64()
		b.X[n], b.Theta[n] = a.X[n], a.Theta[n]
	}
	a.Time, b.Time = 1e-5, 1e-5
	for i, l := range a.loads.List {
		o := b.loads.List[i]
		noError(t, errors.Join(l.Evaluate(a.loads, a.Time, l.LoadForce, l.LoadMoment), o.Evaluate(b.loads, b.Time, o.LoadForce, o.LoadMoment)))
		for k := range l.LoadForce {
			if d := r2.Norm(r2.Sub(l.LoadForce[k], o.LoadForce[k])); d > 1e-9*r2.Norm(l.LoadForce[k]) || math.Abs(l.LoadMoment[k]-o.LoadMoment[k]) > 1e-9*r2.Norm(l.LoadForce[k]) {
				t.Errorf("load %d: node %d has %v N, %g N m, and %v, %g", i, k, l.LoadForce[k], l.LoadMoment[k], o.LoadForce[k], o.LoadMoment[k])
			}
		}
	}
}

// A force per length that grows along the beams has a potential, of which nodes get the
// gradient, however far they have turned; a pressure that grows pushes with its resultant.
func TestVaryingLineLoadsAreConsistent(t *testing.T) {
	m := flail(t)
	m.Loads = lineLoads(m)
	grows := func(_ float64, x r2.Vec) float64 { return 1 + 20*x.X - 11*x.Y }
	for i := range m.Loads {
		m.Loads[i].Schedule, m.Loads[i].ByPosition = nil, grows
	}
	s := start(t, m)
	rng := rand.New(rand.NewSource(2))
	turn := 2.5 // [rad], of all
	for _, n := range s.beams.BeamNodes {
		x := r2.Rotate(s.X[n], turn, r2.Vec{})
		s.X[n] = r2.Add(x, r2.Vec{X: 1e-3 * rng.NormFloat64(), Y: 1e-3 * rng.NormFloat64()})
		s.Theta[n] = turn + 0.2*rng.NormFloat64()
	}
	removed, follower := s.loads.List[0], s.loads.List[1]
	potential := func() (sum float64) {
		for i, e := range removed.Line.Elements {
			n := m.Mesh.Beams[e]
			a, b, p, q := s.X[n[0]], s.X[n[1]], m.Mesh.X[n[0]], m.Mesh.X[n[1]]
			d, chord := r2.Sub(b, a), r2.Sub(q, p)
			beta := math.Atan2(r2.Cross(chord, d), r2.Dot(chord, d))
			beta += 2 * math.Pi * math.Round((turn-beta)/(2*math.Pi))
			at := func(u float64) float64 {
				w := u*(1-u)*(1-u)*(s.Theta[n[0]]-beta) - u*u*(1-u)*(s.Theta[n[1]]-beta)
				return grows(0, r2.Add(p, r2.Scale(u, chord))) * r2.Dot(removed.Line.Force, r2.Add(r2.Add(a, r2.Scale(u, d)), r2.Scale(w, r2.Vec{X: -d.Y, Y: d.X})))
			}
			sum += removed.Length[i] * (7*at(0) + 32*at(0.25) + 12*at(0.5) + 32*at(0.75) + 7*at(1)) / 90 // Boole
		}
		return sum
	}
	noError(t, errors.Join(removed.Evaluate(s.loads, s.Time, removed.LoadForce, removed.LoadMoment), follower.Evaluate(s.loads, s.Time, follower.LoadForce, follower.LoadMoment)))
	slope := func(v *float64) float64 {
		at, h := *v, 1e-6
		*v = at + h
		up := potential()
		*v = at - h
		down := potential()
		*v = at
		return (up - down) / (2 * h)
	}
	worst := 0.0
	for i, n := range removed.LoadNodes {
		worst = max(worst, math.Abs(slope(&s.X[n].X)-removed.LoadForce[i].X), math.Abs(slope(&s.X[n].Y)-removed.LoadForce[i].Y), 1e3*math.Abs(slope(&s.Theta[n])-removed.LoadMoment[i]))
	}
	t.Logf("a force per length is off its potential by %.2g N", worst)
	if worst > 1e-4 {
		t.Errorf("a force per length is off its potential by %g N", worst)
	}
	var force, want r2.Vec
	around, wantAround := 0.0, 0.0
	for i, n := range follower.LoadNodes {
		force = r2.Add(force, follower.LoadForce[i])
		around += r2.Cross(s.X[n], follower.LoadForce[i]) + follower.LoadMoment[i]
	}
	for _, e := range follower.Line.Elements { // the pressure of Simpson's points along the chord
		n := m.Mesh.Beams[e]
		a, b, p, q := s.X[n[0]], s.X[n[1]], m.Mesh.X[n[0]], m.Mesh.X[n[1]]
		g := r2.Scale(0.01*follower.Pressure/6, r2.Vec{X: b.Y - a.Y, Y: a.X - b.X})
		for k, w := range []float64{1, 4, 1} {
			u := 0.5 * float64(k)
			f := r2.Scale(w*grows(0, r2.Add(p, r2.Scale(u, r2.Sub(q, p)))), g)
			want = r2.Add(want, f)
			wantAround += r2.Cross(r2.Add(a, r2.Scale(u, r2.Sub(b, a))), f)
		}
	}
	if r2.Norm(r2.Sub(force, want)) > 1e-9*r2.Norm(want) || math.Abs(around-wantAround) > 1e-9*math.Abs(wantAround) {
		t.Errorf("a pressure pushes with %v N and %g N m, want %v and %g", force, around, want, wantAround)
	}
}

// A cantilever under a triangle of load sinks by w L^4/(30 E I) at its tip, however few
// its elements: the loads of Hermite's cubics are exact at nodes.
func TestTriangleOfLoadIsExact(t *testing.T) {
	const length, height, load = 0.1, 2e-3, 1e-3 // N/m at the clamp
	stiffness := steel.Young * 0.01 * height * height * height / 12
	for _, n := range []int{1, 3} {
		for _, pressure := range []bool{false, true} {
			s := loadedCantilever(t, n, length, height, load, pressure, func(_ float64, x r2.Vec) float64 { return 1 - x.X/length })
			tip := end(s.Mesh, r2.Vec{X: length})[0]
			if want := load * math.Pow(length, 4) / (30 * stiffness); math.Abs(-s.X[tip].Y-want) > 1e-6*want {
				t.Errorf("%d elements, pressure %v: the tip is at %g m, want %g", n, pressure, s.X[tip].Y, -want)
			}
		}
	}
}

// The pressure of water on a wall pushes with rho g h^2/2 at a third of the height, and
// stays across the wall as it turns. What has no value is an error with its position.
func TestPressureByPosition(t *testing.T) {
	src := &mesh.Source{Name: "wall"}
	rectangle(src, "wall", 0, 0, 0.5, 2, 2, 7)
	m := model(t, src, steel)
	var face []int32
	for i, e := range m.Mesh.Edges {
		if m.Mesh.X[e.A].X == 0 && m.Mesh.X[e.B].X == 0 {
			face = append(face, int32(i))
		}
	}
	const gamma = 9810.0
	m.Loads = []models.Load{{On: "face", Edges: face, Pressure: 1, ByPosition: func(t float64, x r2.Vec) float64 {
		if t > 1 && x.Y > 1.5 {
			return math.NaN()
		}
		return gamma * (2 - x.Y)
	}}}
	s := start(t, m)
	l := s.loads.List[0]
	for _, turn := range []float64{0, 0.3} {
		for i, x := range m.Mesh.X {
			s.X[i] = r2.Rotate(x, turn, r2.Vec{})
		}
		noError(t, l.Evaluate(s.loads, s.Time, l.LoadForce, l.LoadMoment))
		var force r2.Vec
		around := 0.0
		for i, n := range l.LoadNodes {
			force = r2.Add(force, l.LoadForce[i])
			around += r2.Cross(s.X[n], l.LoadForce[i])
		}
		whole := m.Thickness * gamma * 2 * 2 / 2
		want := r2.Rotate(r2.Vec{X: whole}, turn, r2.Vec{})
		if r2.Norm(r2.Sub(force, want)) > 1e-9*whole || math.Abs(around+whole*2/3) > 1e-9*whole {
			t.Errorf("turned by %g: %v N, %g N m, want %v and %g", turn, force, around, want, -whole*2/3)
		}
	}
	s.Time = 2
	var lost *system.ScheduleError
	if err := l.Evaluate(s.loads, s.Time, l.LoadForce, l.LoadMoment); !errors.As(err, &lost) || lost.Position == nil || !(lost.Position.Y > 1.5) {
		t.Errorf("no value above 1.5 m: %v", err)
	}
}

// Whatever a deck gives as an expression must have a value at every step, also where it
// moves something.
func TestExpressionWithoutAValueEndsTheRun(t *testing.T) {
	m := cantilever(t)
	m.Expressions = []models.Expression{{Of: `drive "tip": velocity = "1/(t - 1e-5)"`, At: func(t float64) float64 {
		if t > 1e-5 {
			return math.Inf(1)
		}
		return 0
	}}}
	s := start(t, m)
	var err error
	for err == nil && s.Time < m.Duration {
		err = s.Step(0, nil)
	}
	var lost *system.ScheduleError
	if !errors.As(err, &lost) || lost.Of != m.Expressions[0].Of || lost.Time <= 1e-5 {
		t.Errorf("the run ends with %v", err)
	}
}

// A pole between two steps also ends the run, soon after it, and is named.
func TestPoleEndsTheRun(t *testing.T) {
	m := cantilever(t)
	m.Expressions = []models.Expression{{Of: "the load", At: func(t float64) float64 { return 1e-12 / (t - 1.000001e-5) }}}
	s := start(t, m)
	var err error
	for err == nil && s.Time < m.Duration {
		err = s.Step(0, nil)
	}
	var lost *system.ScheduleError
	if !errors.As(err, &lost) || !lost.Pole || math.Abs(lost.Time-1.000001e-5) > 1e-10 || s.Time > 1.2e-5 {
		t.Errorf("the run ends with %v at %g s", err, s.Time)
	}
}
