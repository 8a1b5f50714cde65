package solver

import (
	"math"
	"slices"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// excavatedModel is two blocks that meet; of one the upper part, which moves by itself, leaves.
func excavatedModel(t testing.TB) *models.Model { return excavatedTo(t, 1) }

// excavatedTo is two such blocks, with the upper part excavated in stages from left to right.
func excavatedTo(t testing.TB, stages int) *models.Model {
	src := &mesh.Source{Name: "blocks"}
	rectangle(src, "a", 0, 0, 0.02, 0.01, 20, 10)
	rectangle(src, "b", 0.0201, 0.003, 0.015, 0.02, 15, 20)
	low := &src.Groups[1] // the upper part of it is another body
	high := make([]mesh.SourceGroup, stages)
	for i := range high {
		high[i] = mesh.SourceGroup{Name: string(rune('c' + i)), Dim: 2, Number: 3 + i}
	}
	var stays []int32
	for _, k := range low.Elements {
		if n := src.Triangles[k]; src.X[n[0]].Y+src.X[n[1]].Y+src.X[n[2]].Y > 3*0.017 {
			i := int((src.X[n[0]].X + src.X[n[1]].X + src.X[n[2]].X - 3*0.0201) / (3 * 0.015) * float64(stages))
			high[i].Elements = append(high[i].Elements, k)
		} else {
			stays = append(stays, k)
		}
	}
	low.Elements = stays
	src.Groups = append(src.Groups, high...)
	m := model(t, src, steel)
	m.Bodies[0].Velocity = r2.Vec{X: 3, Y: 0.5}
	m.Contacts = []models.SurfaceContact{{
		Name: "blocks", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), Law: law(t, "linear", map[string]float64{"k": 1e14}), NodesPerElement: 20, TwoSided: true,
	}}
	m.Damping, m.Gravity = models.Damping{Mass: 1e3, Stiffness: 1e-9}, r2.Vec{Y: -1e4}
	for i := range high {
		m.Bodies[2+i].Velocity = r2.Vec{X: 0.1, Y: 0.4}
		m.Excavations = append(m.Excavations, models.Excavation{Name: high[i].Name, Body: int32(2 + i), At: 15e-6 * float64(1+i), Fade: func(t float64) float64 { return max(0, 1-t/30e-6) }})
	}
	return m
}

// excavatedFromBroken is the two blocks with a stress that breaks the lower part at once, while
// the upper one leaves.
func excavatedFromBroken(t testing.TB) *models.Model {
	m := excavatedModel(t)
	m.Excavations[0].At = 0
	m = brittle(t, m, 20e6, 1)
	m.InitialStresses = []models.InitialStress{{Body: 1}}
	m.InitialStresses[0].At.XX, m.InitialStresses[0].At.XY = 25e6, 5e6
	return m
}

// Vertices that open at once, and bodies that are excavated at once, do so in the first step and
// not before, for a state is restored into whole bodies.
func TestNothingSeparatesBeforeTheFirstStep(t *testing.T) {
	m := excavatedFromBroken(t)
	m.Duration = 1e-6
	s := start(t, m)
	if s.Zone().Cracks() > 0 || slices.Contains(s.Excavated(), true) {
		t.Fatal("parted before the first step")
	}
	for range 2 { // one that takes the body away, and one in which the other knows its stress
		noError(t, s.Step(0, nil))
	}
	if s.Zone().Cracks() == 0 || !slices.Contains(s.Excavated(), true) {
		t.Errorf("%d edges open and triangles have left: %t, in two steps", s.Zone().Cracks(), slices.Contains(s.Excavated(), true))
	}
	if n := s.Faces.Exposed(0); n != 15 {
		t.Errorf("%d faces are exposed, want the 15 that the bodies share", n)
	}
}

// An excavated body takes its mass and its energy with it. At that instant nothing else jumps, and
// the ledger closes for a body that moves, has weight and is damped.
func TestExcavationKeepsTheBalance(t *testing.T) {
	m := excavatedModel(t)
	m.Duration, m.HistoryEvery = 60e-6, 1e-6
	m.Safety /= 2 // walls exposed meet as fragments do, without a step made for the impact
	s := start(t, m)
	before, worst := 0.0, 0.0
	run(t, s, func() {
		mass, nodes := 0.0, 0.0
		for _, b := range s.Motions() {
			mass += b.Mass
		}
		for _, w := range s.Mass {
			nodes += w
		}
		if math.Abs(mass-nodes) > 1e-12*nodes {
			t.Errorf("t = %g: bodies weigh %g kg, nodes %g", s.Time, mass, nodes)
		}
		if before > 0 && mass < 0.99*before && (s.Time < 14.5e-6 || s.Time > 16.5e-6) {
			t.Errorf("mass goes from %g to %g kg at t = %g", before, mass, s.Time)
		}
		before, worst = mass, max(worst, s.Relative(s.Energies()))
	})
	if e := s.Energies(); e.Excavated == 0 || worst > 2e-4 {
		t.Errorf("%g J have left, residual %g", e.Excavated, worst)
	}
}

// A body may be excavated in stages, each while the forces of the previous one are still being
// released. Nodes that belong only to excavated triangles are removed with the last stage. In rock
// that can break these nodes carry no force any more.
func TestExcavationInStages(t *testing.T) {
	for _, breaks := range []bool{false, true} {
		m := excavatedTo(t, 3)
		if m.Safety /= 2; breaks { // as in TestExcavationKeepsTheBalance
			m = brittle(t, m, 1e12, 1)
		}
		m.Duration, m.HistoryEvery = 60e-6, 1e-6
		s, worst := start(t, m), 0.0
		run(t, s, func() {
			worst = max(worst, s.Relative(s.Energies()))
		})
		if e := s.Energies(); e.Excavated == 0 || worst > 2e-4 {
			t.Errorf("breaks %v: %g J have left, residual %g", breaks, e.Excavated, worst)
		}
	}
}

// onTheFloor is a trough of rock that cannot break, out of which a body is excavated at once, or
// that never had it; a block falls on its floor, which the body has exposed, and a rigid
// disc is pushed into a wall of it.
func onTheFloor(t testing.TB, excavated bool) *models.Model {
	src := &mesh.Source{Name: "trough"}
	rectangle(src, "rock", 0, 0, 0.02, 0.015, 20, 15)
	low, inside := &src.Groups[0], mesh.SourceGroup{Name: "inside", Dim: 2, Number: 2}
	var stays []int32
	for _, k := range low.Elements {
		n := src.Triangles[k]
		if x, y := (src.X[n[0]].X+src.X[n[1]].X+src.X[n[2]].X)/3, (src.X[n[0]].Y+src.X[n[1]].Y+src.X[n[2]].Y)/3; x > 4e-3 && x < 16e-3 && y > 7e-3 {
			inside.Elements = append(inside.Elements, k)
		} else {
			stays = append(stays, k)
		}
	}
	low.Elements = stays
	if !excavated {
		gone := map[int32]bool{}
		for _, k := range inside.Elements {
			gone[k] = true
		}
		index, kept := make([]int32, len(src.Triangles)), src.Triangles[:0]
		for k, n := range src.Triangles {
			if index[k] = int32(len(kept)); !gone[int32(k)] {
				kept = append(kept, n)
			}
		}
		src.Triangles = kept
		for i, k := range low.Elements {
			low.Elements[i] = index[k]
		}
	}
	rectangle(src, "block", 5.2e-3, 7.02e-3, 4e-3, 4e-3, 4, 4)
	if excavated {
		src.Groups = append(src.Groups, inside)
	}
	m := model(t, src, steel)
	m.Bodies[1].Velocity = r2.Vec{X: 2, Y: -10}
	const r = 2e-3
	m.Mesh = m.Mesh.With([]mesh.Outline{disc("disc", r2.Vec{X: 13.95e-3, Y: 11e-3}, r)})
	m.Rigids = []models.Rigid{{Name: "disc", Material: -1, Centre: r2.Vec{X: 13.95e-3, Y: 11e-3}, Motion: func(t float64) (r2.Vec, float64) {
		return r2.Vec{X: 13.95e-3 + 10*t, Y: 11e-3 - 2*t}, 0
	}}}
	outline := edges(m.Mesh, len(m.Mesh.Bodies)-1)
	m.Contacts = []models.SurfaceContact{
		{Name: "falls", Contactor: edges(m.Mesh, 1), Opposite: edges(m.Mesh, 0), Law: law(t, "linear", map[string]float64{"k": 4e14}), NodesPerElement: 10, TwoSided: true, Friction: contactnodes.Friction{Kinetic: 0.3, Static: 0.3, Ratio: contactnodes.MindlinRatio}},
		{Name: "pushed", Contactor: edges(m.Mesh, 0), Opposite: outline, Law: law(t, "linear", map[string]float64{"k": 4e14}), NodesPerElement: 10},
	}
	if excavated {
		m.Excavations = []models.Excavation{{Name: "c", Body: 2, Fade: func(float64) float64 { return 0 }}}
	}
	m.Duration, m.HistoryEvery, m.Safety = 30e-6, 1e-6, m.Safety/4 // as in TestExcavationKeepsTheBalance
	return m
}

// A wall that excavation has exposed is an edge like any other: a block that falls on it and a disc
// that is pushed into it find the same contact as in a body that had this wall from the start.
func TestExposedWallsMeet(t *testing.T) {
	var rebound [2]r2.Vec
	var push [2]float64
	for i, excavated := range []bool{false, true} {
		s := start(t, onTheFloor(t, excavated))
		worst := 0.0
		run(t, s, func() {
			worst, push[i] = max(worst, s.Relative(s.Energies())), max(push[i], s.ContactForces()[1].Normal)
		})
		if worst > 1e-3 {
			t.Errorf("excavated %v: residual %g", excavated, worst)
		}
		rebound[i] = s.Motions()[1].Velocity
	}
	if d := r2.Norm(r2.Sub(rebound[0], rebound[1])); d > 0.05*r2.Norm(rebound[0]) || rebound[1].Y < 1 {
		t.Errorf("the block leaves the floor with %v m/s, without excavation %v", rebound[1], rebound[0])
	}
	if d := math.Abs(push[1] - push[0]); d > 0.05*push[0] {
		t.Errorf("the disc presses with %g N, without excavation %g", push[1], push[0])
	}
	t.Logf("block %v and %v m/s, disc %g and %g N", rebound[0], rebound[1], push[0], push[1])
}

// onWhatLeaves is a block and a rigid disc that have sunk into what is excavated in two
// stages, the first from left to right of what they lie on: the block lies on the second.
func onWhatLeaves(t testing.TB, walls bool) *models.Model {
	src := &mesh.Source{Name: "bench"}
	rectangle(src, "rock", 0, 0, 0.02, 0.012, 20, 12)
	low := &src.Groups[0]
	stages := []mesh.SourceGroup{{Name: "first", Dim: 2, Number: 3}, {Name: "second", Dim: 2, Number: 4}}
	var stays []int32
	for _, k := range low.Elements {
		n := src.Triangles[k]
		y := (src.X[n[0]].Y + src.X[n[1]].Y + src.X[n[2]].Y) / 3
		switch {
		case y > 9e-3:
			stages[0].Elements = append(stages[0].Elements, k)
		case y > 5e-3:
			stages[1].Elements = append(stages[1].Elements, k)
		default:
			stays = append(stays, k)
		}
	}
	low.Elements = stays
	top := 12e-3
	if walls {
		top = 9e-3
	}
	rectangle(src, "block", 5.2e-3, top+0.02e-3, 4e-3, 4e-3, 4, 4)
	src.Groups = append(src.Groups, stages...)
	m := model(t, src, steel)
	m.Mesh = m.Mesh.With([]mesh.Outline{disc("disc", r2.Vec{X: 13.95e-3, Y: top + 2.02e-3}, 2e-3)})
	m.Rigids = []models.Rigid{{Name: "disc", Material: -1, Centre: r2.Vec{X: 13.95e-3, Y: top + 2.02e-3}, Mass: 2e-4, Inertia: 4e-10, Velocity: r2.Vec{Y: -10}}}
	m.Bodies[1].Velocity = r2.Vec{X: 2, Y: -10}
	k := law(t, "linear", map[string]float64{"k": 4e14})
	var rock []int32
	bodies := []int{0, 3, 2}
	if walls {
		bodies = bodies[:2]
	}
	for _, b := range bodies {
		rock = append(rock, edges(m.Mesh, b)...)
	}
	m.Contacts = []models.SurfaceContact{
		{Name: "block", Contactor: edges(m.Mesh, 1), Opposite: rock, Law: k, NodesPerElement: 10, TwoSided: true, Friction: contactnodes.Friction{Kinetic: 0.3, Static: 0.3, Ratio: contactnodes.MindlinRatio}},
		{Name: "disc", Contactor: rock, Opposite: edges(m.Mesh, 4), Law: k, NodesPerElement: 10},
	}
	m.Duration, m.HistoryEvery, m.Safety = 30e-6, 0.25e-6, m.Safety/4
	m.Excavations = []models.Excavation{{Name: "first", Body: 2, Fade: released(4e-6)}, {Name: "second", Body: 3, Fade: released(4e-6)}}
	if walls {
		m.Excavations[1].At = 1 // stays for now
	} else {
		m.Excavations[0].At, m.Excavations[1].At = 3e-6, 4e-6 // while they press
	}
	return m
}

// A block rests partly on a body that is excavated and partly on one that stays. It keeps its share
// of the contact with the second one, even within the strip of one contact node, with its friction.
func TestContactOnWhatLeavesInPart(t *testing.T) {
	for _, left := range []bool{true, false} { // 0.8 of the strip lie on what leaves, or 0.2
		src := &mesh.Source{Name: "bench"}
		rectangle(src, "rock", 0, 0, 0.02, 0.012, 20, 12)
		low, stage := &src.Groups[0], mesh.SourceGroup{Name: "stage", Dim: 2, Number: 3}
		var stays []int32
		for _, k := range low.Elements {
			n := src.Triangles[k]
			x, y := (src.X[n[0]].X+src.X[n[1]].X+src.X[n[2]].X)/3, (src.X[n[0]].Y+src.X[n[1]].Y+src.X[n[2]].Y)/3
			if y > 9e-3 && (x < 7e-3) == left {
				stage.Elements = append(stage.Elements, k)
			} else {
				stays = append(stays, k)
			}
		}
		low.Elements = stays
		rectangle(src, "block", 6.2e-3, 12.02e-3, 1e-3, 4e-3, 1, 4)
		src.Groups = append(src.Groups, stage)
		m := model(t, src, steel)
		m.Bodies[1].Velocity = r2.Vec{X: 2, Y: -10}
		m.Contacts = []models.SurfaceContact{{
			Name: "block", Contactor: edges(m.Mesh, 1), Opposite: append(edges(m.Mesh, 0), edges(m.Mesh, 2)...), Law: law(t, "linear", map[string]float64{"k": 4e14}),
			NodesPerElement: 1, Friction: contactnodes.Friction{Kinetic: 0.3, Static: 0.3, Ratio: contactnodes.MindlinRatio},
		}}
		m.Duration, m.HistoryEvery, m.Safety = 6e-6, 0.25e-6, m.Safety/4
		m.Excavations = []models.Excavation{{Name: "stage", Body: 2, At: 3e-6, Fade: released(2e-6)}}
		s := start(t, m)
		worst, stored, after, residual := 0.0, 0.0, 0.0, 0.0
		run(t, s, func() {
			e := s.Energies()
			worst = max(worst, ofSteps(s, e))
			if s.Time < 3e-6 {
				stored = e.ContactStored
			} else if after == 0 {
				after, residual = e.ContactStored, ofSteps(s, e)
			}
		})
		t.Logf("left %v: stored %g J, then %g J, residual %g, worst %g", left, stored, after, residual, worst)
		if stored < 1e-3 || after < 0.1*stored || after > 0.9*stored || residual > 5e-5 || worst > 1e-3 {
			t.Errorf("left %v: stored %g J, then %g J, residual %g, worst %g", left, stored, after, residual, worst)
		}
	}
}

// released falls from 1 to 0 within a time [s].
func released(within float64) models.Schedule {
	grows := system.SmoothStep(within)
	return func(t float64) float64 { return 1 - grows(t) }
}

// A body that is excavated in a later stage has contact until then. The contact force at that time
// is released, and the ledger closes.
func TestContactOnWhatLeaves(t *testing.T) {
	for _, breaks := range []bool{false, true} {
		m := onWhatLeaves(t, false)
		if breaks {
			m = brittle(t, m, 1e12, 0)
		}
		s := start(t, m)
		worst, pressed, stored, after := 0.0, 0.0, 0.0, 0.0
		run(t, s, func() {
			e, f := s.Energies(), s.ContactForces()
			worst = max(worst, s.Relative(e))
			if s.Time < 3e-6 {
				pressed, stored = max(pressed, f[0].Normal), e.ContactStored
			} else if s.Time > 5e-6 {
				after = max(after, f[0].Normal+f[1].Normal)
			}
		})
		e, v := s.Energies(), s.Motions()[1].Velocity
		t.Logf("breaks %v: pressed by %g N, %g J stored, %g N afterwards, block %v m/s, residual %g", breaks, pressed, stored, after, v, worst)
		if pressed < 1e4 || after > 0 || v.Y > -1 || worst > 2e-4 || e.ContactStored > 1e-6*stored || math.Abs(e.ContactDissipated) > 1e-6*stored {
			t.Errorf("breaks %v: pressed by %g N, %g N afterwards, block %v m/s, %g J dissipated, residual %g", breaks, pressed, after, v, e.ContactDissipated, worst)
		}
	}
}

// A wall that excavation exposes has contact like any other, even if its body is excavated in a
// later stage.
func TestWallsOfALaterStageMeet(t *testing.T) {
	var rebound [3]r2.Vec
	for i := range rebound {
		later := i > 0
		m := onWhatLeaves(t, true)
		if i == 2 { // found as the body that it is, not by edges that it has from the start
			m.Contacts[0].Opposite, m.Contacts[0].Inner = edges(m.Mesh, 0), [2][]int32{nil, {3}}
		}
		if !later {
			m.Excavations = m.Excavations[:1]
		}
		s, worst := start(t, m), 0.0
		run(t, s, func() {
			worst = max(worst, s.Relative(s.Energies()))
		})
		rebound[i] = s.Motions()[1].Velocity
		t.Logf("later stage %v: block %v m/s, residual %g", later, rebound[i], worst)
		if worst > 1e-3 || rebound[i].Y < 1 {
			t.Errorf("later stage %v: the block leaves with %v m/s, residual %g", later, rebound[i], worst)
		}
	}
	if rebound[0] != rebound[1] || rebound[0] != rebound[2] {
		t.Errorf("the block leaves a wall that stays with %v m/s, one of a later stage with %v", rebound[0], rebound[1:])
	}
}
