package solver

import (
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
	"fdem/solver/atrest"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// slidingBox is a rigid box that slides on a floor at a speed [m/s], until it rests.
func slidingBox(t testing.TB, speed float64) *models.Model {
	const half = 0.01
	o := mesh.Outline{Name: "box", Closed: true, Depth: half, Points: []r2.Vec{{X: -half, Y: 0}, {X: half, Y: 0}, {X: half, Y: 2 * half}, {X: -half, Y: 2 * half}}}
	m := rigidModel(t, 1e11, 0.2, []models.Rigid{{Name: "floor", Material: -1}, {Name: "box", Material: -1, Centre: r2.Vec{Y: half}, Mass: 1, Inertia: 1e-4 * 4 / 6, Velocity: r2.Vec{X: speed}}}, floor(0), o)
	c := &m.Contacts[0]
	c.Factor, c.Friction = 1, contactnodes.Friction{Kinetic: 0.2, Static: 0.2, Ratio: contactnodes.MindlinRatio, Brake: contactnodes.Braking}
	m.Gravity, m.Duration, m.UntilRest = r2.Vec{Y: -gravity}, 1, &models.UntilRest{}
	return m
}

// A box that slides stops after v/(mu g), swings on the springs of its contact for some time, and the run ends soon after that.
func TestRunEndsAtRest(t *testing.T) {
	const speed = 0.2
	stops := speed / (0.2 * gravity)
	for _, x := range []struct {
		name        string
		change      func(m *models.Model)
		least, most float64
	}{
		{"it slides", func(*models.Model) {}, stops, 1.5 * stops},
		{"a load comes later", func(m *models.Model) {
			m.Loads = []models.Load{{On: "box", Nodes: m.Mesh.Bodies[1].Nodes, Weights: []float64{0.25, 0.25, 0.25, 0.25}, Force: r2.Vec{Y: -1}, Schedule: func(t float64) float64 {
				if t < 0.5 {
					return 0
				}
				return 1
			}}}
			m.UntilRest.From = atrest.LastChange(m, nil)
		}, 0.5, 0.57},
	} {
		m := slidingBox(t, speed)
		x.change(m)
		s := start(t, m)
		run(t, s, nil)
		if !(s.AtRest > x.least && s.AtRest < x.most) || s.Time != s.AtRest {
			t.Errorf("%s: at rest at %g s, of %g to %g; the run ended at %g s", x.name, s.AtRest, x.least, x.most, s.Time)
		}
	}
}

// What turns round is slow, too, but does not rest: a body at its highest point, and a mass on a spring.
func TestWhatTurnsRoundDoesNotRest(t *testing.T) {
	m := slidingBox(t, 0)
	m.Rigids[1].Velocity, m.Duration = r2.Vec{Y: 1}, 0.19
	s := start(t, m)
	run(t, s, nil)
	if s.AtRest > 0 || s.Time < 0.19 {
		t.Errorf("a body that was thrown up rests at %g s", s.AtRest)
	}
	m = slidingBox(t, 0)
	nodes, quarters := m.Mesh.Bodies[1].Nodes, []float64{0.25, 0.25, 0.25, 0.25}
	m.Gravity, m.Duration, m.Rigids[1].Velocity = r2.Vec{}, 3, r2.Vec{X: 0.2}
	m.Springs = []models.Spring{{Name: "spring", Stiffness: 100, X: true, Y: true, Links: []models.Link{{Ends: [2]models.End{{Nodes: nodes, Weights: quarters, Rigid: 1, At: r2.Vec{Y: 0.01}}, {Rigid: -1, At: r2.Vec{Y: 0.05}}}, Share: 1}}}}
	s = start(t, m)
	run(t, s, nil)
	if s.AtRest > 0 || s.Time < 3 {
		t.Errorf("a mass that swings rests at %g s", s.AtRest)
	}
}

// The last change of a model is that of whatever changes last.
func TestLastChange(t *testing.T) {
	step := func(at float64) models.Schedule {
		return func(t float64) float64 {
			if t < at {
				return 0
			}
			return 2
		}
	}
	for name, x := range map[string]struct {
		change func(m *models.Model)
		want   float64
	}{
		"nothing": {func(*models.Model) {}, 0},
		"a load":  {func(m *models.Model) { m.Loads = []models.Load{{Schedule: step(0.3)}} }, 0.3},
		"a wave": {func(m *models.Model) {
			m.Loads = []models.Load{{Schedule: func(t float64) float64 { return math.Sin(40 * t) }}}
		}, math.Inf(1)},
		"a drive": {func(m *models.Model) {
			m.Drives = []models.Drive{{Motion: [3]models.PrescribedMotion{{At: step(0.7)}}}}
		}, 0.7},
		"gravity": {func(m *models.Model) { m.GravitySchedule = step(0.2) }, 0.2},
		"a driven body": {func(m *models.Model) {
			m.Rigids[0].Motion = func(t float64) (r2.Vec, float64) { return r2.Vec{}, min(t, 0.6) }
		}, 0.6},
		"an excavation": {func(m *models.Model) {
			m.Excavations = []models.Excavation{{At: 0.4, Fade: func(t float64) float64 { return max(0, 1-10*t) }}}
		}, 0.5},
		"an excavation at the start": {func(m *models.Model) {
			m.Excavations = []models.Excavation{{Fade: func(t float64) float64 { return max(0, 1-10*t) }}}
		}, 0.1},
		"a spring": {func(m *models.Model) { m.Springs = []models.Spring{{When: models.When{From: 0.25}}} }, 0.25},
		"a spring taken": {func(m *models.Model) {
			m.Springs = []models.Spring{{When: models.When{Until: 0.8, Fade: func(t float64) float64 { return max(0, 1-10*t) }}}}
		}, 0.9},
		"a beam": {func(m *models.Model) { m.Bodies = []models.Body{{When: models.When{From: 0.45}}} }, 0.45},
	} {
		m := &models.Model{Mesh: &mesh.Mesh{}, Duration: 1, Rigids: make([]models.Rigid, 1)}
		x.change(m)
		if got := atrest.LastChange(m, nil); !(got >= x.want && got <= x.want+1e-3) {
			t.Errorf("%s: the last change is at %g s, want %g", name, got, x.want)
		}
		if got := atrest.LastChange(m, []float64{0.95, 2}); got < 0.95 || got > 1 && !math.IsInf(x.want, 1) {
			t.Errorf("%s, with a table until 0.95 s: the last change is at %g s", name, got)
		}
	}
}
