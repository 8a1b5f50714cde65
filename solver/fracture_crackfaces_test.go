package solver

import (
	"flag"
	"fmt"
	"math"
	"math/rand"
	"runtime"
	"slices"
	"testing"

	"fdem/contactnodes"
	"fdem/fem/fracture"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/mesh"
	bodiess "fdem/solver/bodies"
	"fdem/solver/cracks"
	models "fdem/solver/model"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

var (
	long       = flag.Int64("long", 0, "crush and hold, and throw, for 1e5 steps with this seed")
	rest       = flag.Int64("rest", 0, "hold fragments at rest for so many steps")
	everything = flag.Bool("whole", false, "run every case where a few stand for the others")
	trace      = flag.Bool("trace", false, "print the ledger as it goes")
)

// brittleRock is a block of n by n squares of so many metres, each two triangles, with nodes moved
// about inside by a seed, that can break. With too small an n nothing breaks.
func brittleRock(t testing.TB, n int, h float64, seed int64) *models.Model {
	return brittleRocks(t, h, seed, [4]float64{0, 0, float64(n), float64(n)})
}

// brittleRocks are such blocks, from a corner on and of so many squares across and up, in
// squares, each a body that breaks.
func brittleRocks(t testing.TB, h float64, seed int64, blocks ...[4]float64) *models.Model {
	t.Helper()
	src := &mesh.Source{Name: "rocks"}
	draw := rand.New(rand.NewSource(seed))
	may := make([]int, len(blocks))
	for i, b := range blocks {
		may[i] = i
		low, size, first := r2.Vec{X: b[0] * h, Y: b[1] * h}, r2.Vec{X: b[2] * h, Y: b[3] * h}, len(src.X)
		rectangle(src, []string{"rock", "second", "third", "fourth"}[i], low.X, low.Y, size.X, size.Y, int(b[2]), int(b[3]))
		for k, x := range src.X[first:] {
			if at := r2.Sub(x, low); at.X > 0.1*h && at.X < size.X-0.1*h && at.Y > 0.1*h && at.Y < size.Y-0.1*h {
				src.X[first+k] = r2.Vec{X: x.X + 0.25*h*(2*draw.Float64()-1), Y: x.Y + 0.25*h*(2*draw.Float64()-1)}
			}
		}
	}
	m := model(t, src, bulk.Elastic{Name: "rock", Young: 40e9, Poisson: 0.2, Density: 2500})
	c, err := cohesive.New(cohesive.Parameters{TensileStrength: 5e6, Cohesion: 15e6, Friction: 0.6, EnergyTension: 10, EnergyShear: 40, Mixed: 2, Softening: "linear"})
	noError(t, err)
	brittle(t, m, 5e6, may...)
	m.Fracture.Regions = []fracture.Region{{Law: c, Stiffness: 2}}
	return m
}

// inBox puts blocks that fill a square of size l into a box of four rigid walls, that many metres
// away at the sides, below and above, of which the lower and the upper one move towards each other
// at a speed until a time.
func inBox(t testing.TB, m *models.Model, l, side, below, above, speed, until float64) {
	t.Helper()
	wall := func(name string, a, b r2.Vec) mesh.Outline {
		return mesh.Outline{Name: name, Points: []r2.Vec{a, b}, Depth: 0.02}
	}
	low, high, left, right := -below, l+above, -side, l+side
	bodies := len(m.Mesh.Bodies)
	var outlines []int32
	for i := range bodies {
		outlines = append(outlines, edges(m.Mesh, i)...)
	}
	m.Mesh = m.Mesh.With([]mesh.Outline{
		wall("floor", r2.Vec{X: 2 * l, Y: low}, r2.Vec{X: -l, Y: low}), wall("ceiling", r2.Vec{X: -l, Y: high}, r2.Vec{X: 2 * l, Y: high}),
		wall("left", r2.Vec{X: left, Y: -l}, r2.Vec{X: left, Y: 2 * l}), wall("right", r2.Vec{X: right, Y: 2 * l}, r2.Vec{X: right, Y: -l}),
	})
	ramp := max(min(100e-6, 0.25*until), 1e-9)
	displacement := func(t float64) float64 { // speed rises and falls in straight lines
		rise := func(t float64) float64 {
			t = max(t, 0)
			if t < ramp {
				return 0.5 * t * t / ramp
			}
			return t - 0.5*ramp
		}
		return speed * (rise(t) - rise(t-until))
	}
	for i, w := range []struct {
		name string
		up   float64
	}{{"floor", 1}, {"ceiling", -1}, {"left", 0}, {"right", 0}} {
		w := w
		m.Rigids = append(m.Rigids, models.Rigid{Name: w.name, Material: -1, Motion: func(t float64) (r2.Vec, float64) { return r2.Vec{Y: w.up * displacement(t)}, 0 }})
		m.Contacts = append(m.Contacts, models.SurfaceContact{
			Name: w.name, Contactor: outlines, Opposite: edges(m.Mesh, bodies+i), NodesPerElement: 5,
			Law: law(t, "linear", map[string]float64{"k": 8e12}), Friction: contactnodes.Friction{Kinetic: 0.3, Static: 0.3, Ratio: contactnodes.MindlinRatio},
		})
	}
}

// Mechanisms by which the ledger's residual may come about.
const (
	byTriangles = iota
	byWalls     // contact of outlines
	byCracks    // and contact of fragments, which share their energy
	mechanisms
)

// split is a run's residual by mechanism: what the ledger says that each has taken, and
// the work that its forces have done on the nodes, by the trapezoidal rule, which is
// that of leapfrog. What is left is of openings and of steps that change.
type split struct {
	s           *Solver
	force, last [mechanisms][]r2.Vec
	faces       []r2.Vec // contact of fragments alone
	x           []r2.Vec
	mass        []float64
	born        []bool // nodes whose forces of the last step are of others, too
	Work        [mechanisms]float64
}

// The systems whose forces a split asks for.
type (
	splitTriangles struct {
		*bodiess.Continuum
		of *split
	}
	splitCracks struct {
		*cracks.Cracks
		of *split
	}
	splitFaces struct {
		*cracks.Faces
		of *split
	}
)

func (k splitTriangles) ApplyForces(commit bool) error {
	err := k.Continuum.ApplyForces(commit)
	copy(k.of.force[byTriangles], k.of.s.F)
	return err
}

func (k splitFaces) AddForces(commit bool) error {
	before := k.of.faces
	for i := range before {
		before[i] = k.of.s.Contact.At(int32(i)).F
	}
	err := k.Faces.AddForces(commit)
	for i := range before {
		f := k.of.s.Contact.At(int32(i)).F
		k.of.force[byWalls][i] = before[i]
		before[i] = r2.Sub(f, before[i])
	}
	return err
}

func (k splitCracks) ApplyForces(commit bool) error {
	before := slices.Clone(k.of.s.F)
	err := k.Cracks.ApplyForces(commit)
	for i, f := range k.of.s.F {
		k.of.force[byCracks][i] = r2.Add(k.of.faces[i], r2.Sub(f, before[i]))
	}
	return err
}

// newSplit begins to split the residual of a run.
func newSplit(s *Solver) *split {
	k := &split{s: s, faces: make([]r2.Vec, len(s.X)), x: slices.Clone(s.X), mass: slices.Clone(s.Mass), born: make([]bool, len(s.X))}
	for m := range k.force {
		k.force[m], k.last[m] = make([]r2.Vec, len(s.X)), make([]r2.Vec, len(s.X))
	}
	for i, of := range s.systems {
		switch of := of.(type) {
		case *bodiess.Continuum:
			s.systems[i] = splitTriangles{of, k}
		case *cracks.Cracks:
			s.systems[i] = splitCracks{of, k}
		}
	}
	for i, e := range s.contacts.Engines {
		if of, ok := e.(*cracks.Faces); ok {
			s.contacts.Engines[i] = splitFaces{of, k}
		}
	}
	return k
}

// step adds the work of the step that has led here.
func (k *split) step() {
	for i, x := range k.s.X {
		displacement := r2.Sub(x, k.x[i])
		for m := range k.force {
			last := k.last[m][i]
			if k.born[i] {
				last = k.force[m][i]
			}
			k.Work[m] += 0.5 * r2.Dot(r2.Add(last, k.force[m][i]), displacement)
		}
		k.born[i], k.mass[i], k.x[i] = k.s.Mass[i] != k.mass[i], k.s.Mass[i], x
	}
	k.force, k.last = k.last, k.force
}

// residuals returns what each mechanism has made since the start, and what is left of
// the residual [J].
func (k *split) residuals() (of [mechanisms]float64, rest float64) {
	e, z := k.s.Energies(), k.s.Zone().Energies()
	of[byTriangles] = e.Strain
	crackFaces := 0.0
	for _, a := range k.s.Faces.Accounts(nil) {
		crackFaces += a.OfBodies()
	}
	of[byCracks] = z.Stored + z.Fracture + z.Friction - z.Insertion + crackFaces
	of[byWalls] = k.s.contacts.Work() - crackFaces
	rest = e.OfSteps()
	for m := range of {
		of[m] += k.Work[m]
		rest -= of[m]
	}
	return of, rest
}

// recordedWork runs a model to its end and tells of the ledger at its end, of the step and
// the ledger at a time before, and of the residual by mechanism.
func recordedWork(t testing.TB, s *Solver, at float64) (then, end system.Energies, n int64, by string) {
	t.Helper()
	k := newSplit(s)
	row := int64(0)
	for going := true; going; {
		err := s.Step(0, func(dt float64) (bool, error) {
			k.step()
			if s.Time >= at && n == 0 {
				n, then = s.N, s.Energies()
			}
			if now := int64(s.Time / s.HistoryEvery); *trace && (now > row || dt == 0) {
				row = now
				e, totals := s.Energies(), s.Cracks().Totals()
				_, fragments := s.CrackTotals()
				of, rest := k.residuals()
				fmt.Printf("%.4f ms, step %d: %d fragments, %d edges open, %d broken, %d contact nodes touch; residual by %v, rest %g; %+v\n", 1e3*s.Time, s.N, fragments, totals.InsertedEdges, totals.BrokenEdges, s.Faces.Potential.Active, of, rest, e)
			}
			going = dt > 0
			return going, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	of, rest := k.residuals()
	by = fmt.Sprintf("%.2g J by triangles, %.2g by walls, %.2g by cracks and contact of fragments, %.2g by the rest", of[byTriangles], of[byWalls], of[byCracks], rest)
	return then, s.Energies(), n, by
}

// crush is a block of n by n squares between platens that close in on it until it
// is rubble, and then stand still for some steps of so many seconds.
func crush(t testing.TB, n int, h float64, seed int64, speed, until, rest float64) *models.Model {
	m := brittleRock(t, n, h, seed)
	l := float64(n) * h
	inBox(t, m, l, 0.1*l, 0, 0, speed, until)
	m.Duration, m.ResidualLimit = until+rest, math.Inf(1)
	m.HistoryEvery = m.Duration / 100
	return m
}

// The energy balance of rubble closes: a block is crushed between platens until it fills its box
// and is then held under pressure, undamped.
func TestCrushAndHold(t *testing.T) {
	t.Parallel()
	n, seed, speed, until, rest := 8, int64(1), 4.0, 0.95e-3, 0.1e-3
	if *long > 0 {
		n, seed, speed, until, rest = 20, *long, 4, 2.25e-3, 10e-3
	}
	s := start(t, crush(t, n, 5e-3, seed, speed, until, rest))
	then, end, from, by := recordedWork(t, s, until+0.25*rest)
	_, fragments := s.CrackTotals()
	kept := end.Kinetic + end.Strain + end.ContactStored + end.CohesiveStored
	residual, drift := end.Residual/end.ExternalWork, (end.Residual-then.Residual)/kept/float64(s.N-from)*1e5
	t.Logf("seed %d: %d of %d triangles are fragments, %d contact nodes touch; %.5g J of work, %.5g J kept, %.3g J of motion; residual %.2e of the work, drift %.2e of what is kept per 1e5 steps, in %d of %d; %s", seed, fragments, len(s.Mesh.Triangles), s.Faces.Potential.Active, end.ExternalWork, kept, end.Kinetic, residual, drift, s.N-from, s.N, by)
	if 10*fragments < 6*len(s.Mesh.Triangles) || kept < 0.1*end.ExternalWork {
		t.Errorf("seed %d: %d fragments hold %g of %g J: that is no rubble under pressure", seed, fragments, kept, end.ExternalWork)
	}
	if !(math.Abs(residual) < 5e-4) { // of a control more than 1e-2
		t.Errorf("seed %d: the ledger is off by %g of the work", seed, residual)
	}
	if *long > 0 && !(math.Abs(drift) < 1e-4) {
		t.Errorf("seed %d: %g of what is kept goes in 1e5 steps", seed, drift)
	}
}

// Fragments at rest under pressure for a million steps take no more memory, and make no
// energy:
//
//	go test ./solver -run AtRest -v -args -rest 1000000
func TestFragmentsAtRest(t *testing.T) {
	const n, until = 8, 0.95e-3
	s := start(t, crush(t, n, 5e-3, 1, 4, until, 1))
	step := func() {
		noError(t, s.Step(0, nil))
	}
	for s.Time < until+0.1e-3 {
		step()
	}
	steps := max(*rest, 4000)
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	holds := func(e system.Energies) float64 { return e.Kinetic + e.Strain + e.ContactStored + e.CohesiveStored }
	before, begin := heap(), s.Energies()
	first := s.N
	for part := int64(1); part <= 4; part++ {
		for s.N < first+steps*part/4 {
			step()
		}
		now, e := heap(), s.Energies()
		_, fragments := s.CrackTotals()
		t.Logf("%d steps: heap %.4g MB, at first %.4g; %d fragments, %d contact nodes touch; %.5g J held, %.5g at first, %.3g of them move; residual %.2e of the work, %.2e at first", s.N-first,
			now/1e6, before/1e6, fragments, s.Faces.Potential.Active, holds(e), holds(begin), e.Kinetic, e.Residual/e.ExternalWork, begin.Residual/e.ExternalWork)
		if now > before+64e3 {
			t.Errorf("the heap has grown from %g to %g bytes", before, now)
		}
		if holds(e) > holds(begin)*(1+1e-4) {
			t.Errorf("the fragments hold %g J, at first %g", holds(e), holds(begin))
		}
	}
}

// The same model without the force that the transfer derives from the energies on both sides
// creates energy.
func TestCrushControl(t *testing.T) {
	t.Parallel()
	s := start(t, crush(t, 8, 5e-3, 1, 4, 0.95e-3, 0.1e-3))
	s.Zone().BlendOnly()
	_, end, _, by := recordedWork(t, s, 0)
	r := end.Residual / end.ExternalWork
	t.Logf("residual %.2e of the work: %s", r, by)
	if math.Abs(r) < 1e-2 {
		t.Errorf("the ledger is off by only %g of the work: TestCrushAndHold shows nothing", r)
	}
}

// Fragments that meet cost no memory once nothing breaks, and the workers do not
// change a bit.
func TestFragmentsAllocateNothing(t *testing.T) {
	var first []r2.Vec
	for _, workers := range []int{1, 2, 3} {
		s := start(t, crush(t, 16, 5e-3, 1, 20, 0.3e-3, 1e-3))
		s.SetWorkers(workers)
		for s.Time < 0.3e-3 {
			noError(t, s.Step(0, nil))
		}
		if s.Faces.Potential.Active < 50 {
			t.Fatalf("%d contact nodes touch", s.Faces.Potential.Active)
		}
		if first == nil {
			first = slices.Clone(s.X)
		} else if !slices.Equal(first, s.X) {
			t.Errorf("%d workers: other bits", workers)
		}
		n := testing.AllocsPerRun(50, func() {
			s.Contact.Clear()
			noError(t, s.Faces.AddForces(true))
		})
		if n > 0 {
			t.Errorf("%d workers: %g allocations a step", workers, n)
		}
	}
}

// A step of fragments in which nothing breaks allocates nothing, whatever has broken before, except
// in checks of the ledger. Lists that have to grow do so rarely.
func TestStepOfFragmentsAllocatesNothing(t *testing.T) {
	s := start(t, crush(t, 16, 5e-3, 1, 20, 0.3e-3, 1e-3))
	s.SetWorkers(1)
	step := func() {
		noError(t, s.Step(0, nil))
	}
	for s.Time < 0.2e-3 {
		step()
	}
	const ofLedger = 5
	quiet, allocated, opened := 0, 0, 0
	var before, after runtime.MemStats
	for range 1500 {
		openings, broken := s.Zone().Openings(), s.Zone().Totals().BrokenEdges
		runtime.ReadMemStats(&before)
		step()
		runtime.ReadMemStats(&after)
		if s.Zone().Openings() != openings || s.Zone().Totals().BrokenEdges != broken {
			opened++
			continue
		}
		quiet++
		if after.Mallocs-before.Mallocs > ofLedger {
			allocated++
		}
	}
	t.Logf("%d steps in which something broke; %d in which nothing did, %d of which have allocated", opened, quiet, allocated)
	if opened < 20 || quiet < 200 || allocated > quiet/20 {
		t.Errorf("%d steps in which something broke; %d in which nothing did, %d of which have allocated", opened, quiet, allocated)
	}
}

// A block that is thrown into a closed box breaks and keeps its energy.
func TestThrow(t *testing.T) {
	t.Parallel()
	n, seed, duration := 8, int64(1), 1e-3
	if *long > 0 {
		n, seed, duration = 16, *long, 12e-3 // over 1e5 steps
	}
	m := brittleRock(t, n, 5e-3, seed)
	l := float64(n) * 5e-3
	inBox(t, m, l, 0.15*l, 0.2e-3, 0.3*l, 0, 0)
	m.Bodies[0].Velocity = r2.Vec{X: 6, Y: -20}
	m.Duration, m.ResidualLimit = duration, math.Inf(1)
	m.HistoryEvery = m.Duration / 100
	s := start(t, m)
	_, end, _, by := recordedWork(t, s, 0)
	_, fragments := s.CrackTotals()
	whole, steps := end.Residual/s.Ledger.Start.Kinetic, end.OfSteps()/s.Ledger.Start.Kinetic
	t.Logf("seed %d: %d of %d triangles are fragments; residual %.2e of the energy at first, of steps %.2e, %s, in %d steps", seed, fragments, len(s.Mesh.Triangles), whole, steps, by, s.N)
	if 2*fragments < len(s.Mesh.Triangles) || !(math.Abs(steps) < 2e-3 && math.Abs(whole) < 5e-3) {
		t.Errorf("seed %d: %d fragments, and the ledger is off by %g, of which steps make %g", seed, fragments, whole, steps)
	}
}

// seam lets the bodies of a model break along a line only, at a strength [Pa] and
// with a coefficient of friction, and next to no energy.
func seam(t testing.TB, m *models.Model, strength, friction float64, on func(p r2.Vec) bool) {
	t.Helper()
	c, err := cohesive.New(cohesive.Parameters{TensileStrength: strength, Cohesion: strength, Friction: friction, EnergyTension: 1e-3, EnergyShear: 1e-3, Mixed: 2, Softening: "linear"})
	noError(t, err)
	brittle(t, m, strength, 0)
	m.Fracture.Regions = []fracture.Region{{Law: c, Stiffness: 2}}
	for i := range m.Fracture.Edges {
		if e := &m.Fracture.Edges[i]; !on(m.Mesh.X[e.From]) || !on(m.Mesh.X[e.To]) {
			e.Region = -1
		}
	}
}

// A block breaks off another and slides down on it with the acceleration that
// Coulomb leaves it, (a - mu g), over some edges of a seam that are transferred
// one by one.
func TestSlidesOff(t *testing.T) {
	const h, friction, g, pull = 5e-3, 0.5, 2000.0, 1600.0
	src := &mesh.Source{Name: "slide"}
	rectangle(src, "rock", 0, 0, 24*h, 4*h, 24, 4)
	above := func(p r2.Vec) bool { return p.Y > 2.1*h }
	kept := src.Triangles[:0]
	for _, q := range src.Triangles { // above only a third
		if x := r2.Add(src.X[q[0]], r2.Add(src.X[q[1]], src.X[q[2]])); x.Y < 6*h || x.X < 24*h {
			kept = append(kept, q)
		}
	}
	src.Triangles, src.TriID, src.Groups[0].Elements = kept, src.TriID[:len(kept)], src.Groups[0].Elements[:len(kept)]
	m := model(t, src, bulk.Elastic{Name: "rock", Young: 4e9, Poisson: 0.2, Density: 2500})
	m.Fixes = []models.Fix{{Nodes: sideAt(m.Mesh, 0), X: true, Y: true}}
	m.Gravity, m.Damping.Stiffness = r2.Vec{X: pull, Y: -g}, 1e-6
	seam(t, m, 1e3, friction, func(p r2.Vec) bool { return math.Abs(p.Y-2*h) < 1e-9 })
	m.Duration, m.HistoryEvery = 8e-3, 0.2e-3
	s := start(t, m)
	top := func() (displacement, speed float64) {
		mass := 0.0
		for i, x := range s.Mesh.X {
			if above(x) {
				mass += s.Mass[i]
				displacement += s.Mass[i] * (s.X[i].X - x.X)
				speed += s.Mass[i] * s.V[i].X
			}
		}
		return displacement / mass, speed / mass
	}
	var time, speed, began float64
	worst, touching := 0.0, 0
	run(t, s, func() {
		_, v := top()
		if time == 0 && s.Time > 2e-3 {
			began, time = v, s.Time
		}
		speed = v
		worst, touching = max(worst, s.Relative(s.Energies())), max(touching, s.Faces.Potential.Active)
	})
	displacement, _ := top()
	want := pull - friction*g
	got := (speed - began) / (s.Time - time)
	left := 0
	for edge := range s.Fracture.Edges {
		if part, _ := s.Zone().ContactShare(int32(edge)); part == 1 {
			left++
		}
	}
	t.Logf("%d steps: slides by %.3g edges at %.4g m/s2, want %g; up to %d contact nodes touch, %d of %d edges have left; residual %.2e", s.N, displacement/h, got, want, touching, left, s.Zone().Cracks(), worst)
	if math.Abs(got-want) > 0.01*want {
		t.Errorf("it slides with %g m/s2, want %g", got, want)
	}
	if left < 8 || touching < 30 {
		t.Errorf("%d edges have left, %d contact nodes touched", left, touching)
	}
	if worst > 1e-3 {
		t.Errorf("the ledger is off by %g", worst)
	}
}

// The separated halves of a bar meet again at their crack faces. One half, when the other has gone,
// meets another body and a rigid one. All move on as equal bars do, which exchange their
// velocities, or as the ledger says.
func TestCrackFacesMeet(t *testing.T) {
	t.Parallel()
	const h, v = 5e-3, 5.0
	half := func(x r2.Vec) float64 { // -1 for left, 1 for right, 0 for between
		return math.Copysign(min(1, math.Floor(math.Abs(x.X-8*h)/(0.5*h))), x.X-8*h)
	}
	for _, with := range []string{"each other", "a body", "a rigid body"} {
		src := &mesh.Source{Name: "halves"}
		rectangle(src, "bar", 0, 0, 16*h, 4*h, 16, 4)
		if with == "a body" {
			rectangle(src, "other", 22*h, 0, 8*h, 4*h, 8, 4)
		}
		m := model(t, src, bulk.Elastic{Name: "rock", Young: 4e9, Poisson: 0, Density: 2500})
		if with != "each other" { // the right half leaves upwards
			up := models.Load{Force: r2.Vec{Y: 2e3}, Schedule: func(t float64) float64 { return min(max(t-1e-3, 0)/1e-4, 1) }}
			for i, x := range m.Mesh.X {
				if x.X > 8.1*h && x.X < 16.1*h {
					up.Nodes = append(up.Nodes, int32(i))
				}
			}
			up.Weights = shares(len(up.Nodes))
			m.Loads = []models.Load{up}
		}
		seam(t, m, 1e3, 0.3, func(p r2.Vec) bool { return math.Abs(p.X-8*h) < 1e-9 })
		mass := 2500 * m.Thickness * 32 * h * h
		other := mesh.Outline{Name: "other", Points: []r2.Vec{{X: -h, Y: -8 * h}, {X: -h, Y: 12 * h}}, Depth: h}
		switch with {
		case "each other":
			m.Rigids = []models.Rigid{{Name: "other", Material: -1}}
		case "a body":
			m.Bodies[1].Velocity.X = -2 * v
		case "a rigid body":
			other = mesh.Outline{Name: "other", Closed: true, Depth: h, Points: []r2.Vec{{X: 22 * h}, {X: 30 * h}, {X: 30 * h, Y: 4 * h}, {X: 22 * h, Y: 4 * h}}}
			m.Rigids = []models.Rigid{{Name: "other", Material: -1, Centre: r2.Vec{X: 26 * h, Y: 2 * h}, Mass: mass, Inertia: mass * 80 * h * h / 12, Velocity: r2.Vec{X: -2 * v}}}
		}
		if with != "a body" {
			m.Mesh = m.Mesh.With([]mesh.Outline{other})
		}
		m.Contacts = []models.SurfaceContact{{Name: "other", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 5, Law: law(t, "linear", map[string]float64{"k": 1e12})}}
		m.Duration, m.HistoryEvery, m.Safety = 9e-3, 5e-6, 0.4
		s := start(t, m)
		for i, x := range s.Mesh.X {
			switch {
			case s.Mass[i] == 0 || x.X > 16.1*h:
			case with == "each other" && half(x) < 0:
				s.V[i].X = -v
			case with != "each other" && half(x) > 0:
				s.V[i].X = 1
			}
		}
		halves := func() (left, right, rest r2.Vec) {
			for i, x := range s.Mesh.X {
				p := r2.Scale(s.Mass[i], s.NodeVelocity(nodes.Node(i)))
				switch {
				case s.Mass[i] == 0:
				case x.X > 16.1*h:
					rest = r2.Add(rest, p)
				case half(x) < 0 || half(x) == 0 && slices.ContainsFunc(s.Mesh.Triangles, func(q [3]int32) bool {
					return slices.Contains(q[:], int32(i)) && min(s.Mesh.X[q[0]].X, s.Mesh.X[q[1]].X, s.Mesh.X[q[2]].X) < 7.9*h
				}):
					left = r2.Add(left, p)
				default:
					right = r2.Add(right, p)
				}
			}
			if len(s.RigidMotions) > 0 {
				rest = r2.Scale(mass, s.RigidMotions[0].Velocity)
			}
			return left, right, rest
		}
		touching, touched := 0, false
		var before [3]r2.Vec
		var torn system.Energies
		run(t, s, func() {
			touching = max(touching, s.Faces.Potential.Active)
			if touched = touched || s.Faces.Potential.Active > 0 && (with == "each other" || s.Time > 3e-3); !touched {
				before[0], before[1], before[2] = halves()
				torn = s.Energies()
			}
		})
		l, r, o := halves()
		e := s.Energies()
		p := max(r2.Norm(before[0]), r2.Norm(before[2]))
		drift := math.Abs(e.Residual-torn.Residual) / (0.5 * p * p / mass)
		t.Logf("%s: %d steps; left %.4g, right %.4g, other %.4g before, %.4g, %.4g, %.4g after, in %g kg m/s; up to %d contact nodes touch, residual %.2e, by the break %.2e", with, s.N,
			before[0], before[1], before[2], l, r, o, mass*v, touching, drift, s.Relative(torn))
		gives, gains := [2]r2.Vec{before[2], o}, [2]r2.Vec{before[0], l}
		if with == "each other" {
			gives, gains = [2]r2.Vec{before[0], l}, [2]r2.Vec{before[1], r}
		}
		want := 1.0
		if with == "a rigid body" { // until the wave is back from the far end
			want = 1 - math.Exp(-2)
		}
		if transferred := (gains[1].X - gains[0].X) / (gives[0].X - gains[0].X); math.Abs(transferred-want) > 0.03 {
			t.Errorf("%s: %g of the momentum has been handed on, want %g", with, transferred, want)
		}
		if d := r2.Norm(r2.Sub(r2.Add(gives[1], gains[1]), r2.Add(gives[0], gains[0]))); d > 1e-9*mass*v {
			t.Errorf("%s: momentum changed by %g of %g", with, d, mass*v)
		}
		if touching < 10 || drift > 1e-3 {
			t.Errorf("%s: %d contact nodes touched, and the ledger is off by %g", with, touching, drift)
		}
	}
}

// sideAt returns the nodes of a height.
func sideAt(m *mesh.Mesh, y float64) (nodes []int32) {
	for i, x := range m.X {
		if math.Abs(x.Y-y) < 1e-9 {
			nodes = append(nodes, int32(i))
		}
	}
	return nodes
}

// A cut without width in a body that can break carries pressure before anything breaks, by
// the law of a contact or by its own: the block is compressed as a whole one is, and by what
// its contact does.
func TestSlitCarriesLoad(t *testing.T) {
	const h, pressure = 5e-3, 1e6
	lower := func(slit float64, self bool) float64 { // by how much the top goes down
		src := &mesh.Source{Name: "slit"}
		rectangle(src, "rock", 0, 0, 16*h, 8*h, 16, 8)
		other := make(map[int32]int32) // nodes of the upper side
		for i, q := range src.Triangles {
			if y := src.X[q[0]].Y + src.X[q[1]].Y + src.X[q[2]].Y; y < 12*h {
				continue
			}
			for j, n := range q {
				if p := src.X[n]; math.Abs(p.Y-4*h) < 1e-9 && p.X < slit {
					if other[n] == 0 {
						other[n] = int32(len(src.X))
						src.X, src.NodeID = append(src.X, p), append(src.NodeID, int64(len(src.X)+1))
					}
					src.Triangles[i][j] = other[n]
				}
			}
		}
		m := model(t, src, bulk.Elastic{Name: "rock", Young: 4e9, Poisson: 0, Density: 2500})
		m.Fixes = []models.Fix{{Nodes: sideAt(m.Mesh, 0), X: true, Y: true}}
		m.Damping.Mass = 3e4
		down := models.Load{Force: r2.Vec{Y: -pressure * 16 * h * m.Thickness}, Schedule: func(t float64) float64 { return min(t/1e-4, 1) }}
		for i, x := range m.Mesh.X {
			if x.Y > 7.9*h {
				down.Nodes = append(down.Nodes, int32(i))
			}
		}
		down.Weights = shares(len(down.Nodes))
		m.Loads = []models.Load{down}
		if self {
			m.Contacts = []models.SurfaceContact{{Name: "sides", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 0), Self: true, Law: law(t, "linear", map[string]float64{"k": 4e9 / h}), LawName: "linear", NodesPerElement: 5}}
		}
		brittle(t, m, 1e9, 0)
		m.Duration = 1e-3
		s := start(t, m)
		run(t, s, func() {})
		displacement := 0.0
		for _, i := range down.Nodes {
			displacement -= (s.X[i].Y - s.Mesh.X[i].Y) / float64(len(down.Nodes))
		}
		if r := s.Relative(s.Energies()); r > 1e-3 {
			t.Errorf("the ledger is off by %g", r)
		}
		return displacement
	}
	for _, self := range []bool{true, false} {
		whole, cut := lower(-1, self), lower(11*h, self)
		t.Logf("the top goes down by %.4g um, of a whole block by %.4g", 1e6*cut, 1e6*whole)
		if contact := pressure * h / 4e9; cut < whole || cut > whole+contact { // the deflection of a law of E over the edge
			t.Errorf("the top goes down by %g m, of a whole block by %g m", cut, whole)
		}
	}
}

// Sides of a cut that move apart do not shorten the step: it is that of a body without contact.
func TestSlitThatOpensKeepsTheStep(t *testing.T) {
	const h = 5e-3
	src := &mesh.Source{Name: "slit"}
	rectangle(src, "rock", 0, 0, 8*h, 2*h, 8, 2)
	rectangle(src, "upper", 0, 2*h, 8*h, 2*h, 8, 2)
	for i, q := range src.Triangles[32:] {
		for k, n := range q {
			if x := src.X[n]; x.Y == 2*h && x.X > 3.9*h { // joined on the right
				src.Triangles[32+i][k] = n - 9
			}
		}
	}
	src.Groups[0].Elements = slices.Concat(src.Groups[0].Elements, src.Groups[1].Elements)
	src.Groups = src.Groups[:1]
	steps := func(breaks bool) int64 {
		m := model(t, src, bulk.Elastic{Name: "rock", Young: 4e9, Poisson: 0.2, Density: 2500})
		for i, x := range m.Mesh.X {
			if x.X < 0.1*h && (x.Y < 0.1*h || x.Y > 3.9*h) {
				m.Loads = append(m.Loads, models.Load{Nodes: []int32{int32(i)}, Weights: []float64{1}, Force: r2.Vec{Y: math.Copysign(100, x.Y-2*h)}, Schedule: system.SmoothStep(1e-4)})
			}
		}
		if breaks {
			brittle(t, m, 1e9, 0)
		}
		m.Duration = 2e-4
		s := start(t, m)
		run(t, s, nil)
		if breaks && s.Faces.Potential.Sleeps() {
			t.Error("the sides of the cut do not look for one another")
		}
		return s.N
	}
	if got, want := steps(true), steps(false); got != want {
		t.Errorf("%d steps, without contact %d", got, want)
	}
}
