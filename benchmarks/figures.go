package benchmarks

import (
	"fmt"
	"runtime"
	"strconv"

	"fdem/fem"
	"fdem/io/throw"
	"fdem/materials/contact"
	"fdem/solver"
)

// Figures are the measured figures of a machine. An element-step is one triangle in one
// step. Maps are by number of triangles, then by number of workers.
type Figures struct {
	Processor string `json:"processor"`
	System    string `json:"system"`
	Cores     int    `json:"cores"` // that the program may use
	Kernel    string `json:"kernel"`
	Version   string `json:"version"`
	Commit    string `json:"commit"`
	Date      string `json:"date"`
	Remark    string `json:"remark,omitempty"`
	// Stolen is the fraction of the required processor time that the host of a virtual
	// machine gave to others. If it is not small, figures of several workers and of memory
	// are unreliable.
	Stolen float64 `json:"stolen"`

	ElementStepNs        map[string]map[string]float64 `json:"element_step_ns"`
	ElementStepGenericNs map[string]map[string]float64 `json:"element_step_generic_ns"` // with the kernel in Go
	PlainNs              float64                       `json:"plain_ns"`                // of a triangle's forces in a plain loop in Go, for comparison
	DampedStepNs         float64                       `json:"damped_step_ns"`          // as ElementStepNs of 20,000 triangles and one worker, with Rayleigh damping and weight
	LawStepNs            map[string]float64            `json:"law_step_ns"`             // as ElementStepNs of 20,000 triangles and one worker in plane strain, by material and what it does
	LawBytes             map[string]float64            `json:"law_bytes"`               // that these take for each triangle, everything included
	BesideBusyNs         map[string]float64            `json:"beside_busy_ns"`          // by workers: the mean step of a triangle of 20,000 while another program keeps one core busy
	StepOverheadUs       map[string]float64            `json:"step_overhead_us"`        // by workers: of a step of four triangles
	BytesPerElement      float64                       `json:"bytes_per_element"`       // of the largest model, everything included
	BandwidthGBs         map[string]float64            `json:"bandwidth_gbs"`           // by workers: of memory
	BandwidthFraction    map[string]map[string]float64 `json:"bandwidth_fraction"`      // that a step moves
	ContactSearchNs      float64                       `json:"contact_search_ns"`       // per boundary edge and step, rebuilds included
	ContactNarrowNs      float64                       `json:"contact_narrow_ns"`       // of the pile at rest, per contact node in contact or about to be
	LawKostekNs          float64                       `json:"law_kostek_ns"`           // per loaded contact node
	LawLinearNs          float64                       `json:"law_linear_ns"`
	SphereFallingNs      float64                       `json:"sphere_falling_ns"`   // per sphere and step of 10,000 that fall, lists of neighbours included
	SphereSettledNs      float64                       `json:"sphere_settled_ns"`   // per sphere and step of 10,000 at rest
	SphereContacts       float64                       `json:"sphere_contacts"`     // of a sphere at rest
	SphereOnMeshNs       float64                       `json:"sphere_on_mesh_ns"`   // as SphereSettledNs with a floor of 10,000 triangles, theirs included
	PileNs               map[string]float64            `json:"pile_ns"`             // per triangle and step of 200 rocks by what they do: at rest, without and with damping, and falling
	PileTwoNs            float64                       `json:"pile_two_ns"`         // as PileNs at rest, by two workers and the clock on the wall; 0 where there is one core
	ManyRocksNs          float64                       `json:"many_rocks_ns"`       // as PileNs of 20,000 rocks that fall
	DominoesS            float64                       `json:"dominoes_s"`          // processor time of twelve dominoes by impulses
	DominoesExplicitS    float64                       `json:"dominoes_explicit_s"` // the same with contact laws
	BlockWallMs          float64                       `json:"block_wall_ms"`       // step of a wall of 1,020 blocks at rest, by impulses
	PolygonSettlingMs    float64                       `json:"polygon_settling_ms"` // step of 10,000 polygons that fall and settle, by impulses
	PointSweepNs         float64                       `json:"point_sweep_ns"`      // all of that per contact point and sweep
	PolygonFallingNs     float64                       `json:"polygon_falling_ns"`  // per body and step of 10,000 rigid polygons that fall
	PolygonLyingNs       float64                       `json:"polygon_lying_ns"`    // the same of a wall of 10,000 bricks
	PolygonTouches       float64                       `json:"polygon_touches"`     // contact nodes of a brick that touch or are about to
	MeetingNs            map[string]float64            `json:"meeting_ns"`          // by triangles: per triangle and step of two blocks that meet along one side, one worker
	FractureNs           map[string]float64            `json:"fracture_ns"`         // per triangle and step of 100,000, one worker, by what they do: that cannot break, that can, that can and are near their strength, that break everywhere, whose cracks are open then, and that are fragments which meet
	VertexOpensNs        float64                       `json:"vertex_opens_ns"`     // of a vertex that opens, beside the step
	FieldsSlowdown       map[string]float64            `json:"fields_slowdown"`     // by workers: of 200,000 triangles by a frame every 200 steps, relative to without
	SinglesSlowdown      map[string]float64            `json:"singles_slowdown"`    // the same in single precision, by all workers
	laps, singles        map[string]laps               // that these follow from
	StaticS              float64                       `json:"static_s"`            // processor time of a static analysis with contact, 100,000 unknowns, 20 increments
	StaticMB             float64                       `json:"static_mb"`           // memory that it takes
	MotionStepMs         float64                       `json:"motion_step_ms"`      // of a block of 100,000 nodes, one worker
	DiffusionStepMs      float64                       `json:"diffusion_step_ms"`   // of heat in it, implicit, of two stages, once factorised
	DiffusionFactorMs    float64                       `json:"diffusion_factor_ms"` // the factorisation
}

// BytesPerElementStep is the number of bytes that a step moves between memory and
// processor for each triangle if no cache holds the arrays: a quarter of a block, and for
// half a node: positions read, forces read and written; then forces, mass, constraints,
// velocities and positions read, forces cleared, velocities and positions written.
const BytesPerElementStep = 208.0/4 + 0.5*(16+32+(16+9+16+16)+(16+32))

// Sizes are the numbers of triangles of element_step_ns.
var Sizes = []int{2_000, 20_000, 200_000, 2_000_000}

// fewTriangles is the number of triangles of the model for the fixed cost of a step.
const fewTriangles = 4

// Measure measures everything in a number of rounds and keeps the best of each figure; It
// calls say with the name of each measurement. quick leaves out the largest size.
func Measure(quick bool, rounds int, say func(string)) (best *Figures, err error) {
	defer throw.Catch(&err)
	used, stolen := ticks()
	for i := range rounds {
		if rounds > 1 {
			say(fmt.Sprintf("round %d of %d", i+1, rounds))
		}
		f := measure(quick, say)
		if best == nil {
			best = f
		}
		best.improve(f)
	}
	best.derive()
	u, s := ticks()
	if used, stolen = u-used, s-stolen; used > 0 {
		best.Stolen = stolen / (used + stolen)
	}
	return best, nil
}

// derive sets the figures that follow from others.
func (f *Figures) derive() {
	f.BandwidthFraction, f.FieldsSlowdown, f.SinglesSlowdown = map[string]map[string]float64{}, map[string]float64{}, map[string]float64{}
	for n, times := range f.ElementStepNs {
		f.BandwidthFraction[n] = map[string]float64{}
		for w, ns := range times {
			f.BandwidthFraction[n][w] = BytesPerElementStep / ns / f.BandwidthGBs[w]
		}
	}
	for w, l := range f.laps {
		f.FieldsSlowdown[w] = l.slowdown()
	}
	for w, l := range f.singles {
		f.SinglesSlowdown[w] = l.slowdown()
	}
}

// improve takes every better figure from g.
func (f *Figures) improve(g *Figures) {
	for w, v := range g.BandwidthGBs {
		f.BandwidthGBs[w] = max(f.BandwidthGBs[w], v)
	}
	lower := func(of, than map[string]float64) {
		for k, v := range than {
			of[k] = min(of[k], v)
		}
	}
	for n := range g.ElementStepNs {
		lower(f.ElementStepNs[n], g.ElementStepNs[n])
		lower(f.ElementStepGenericNs[n], g.ElementStepGenericNs[n])
	}
	lower(f.StepOverheadUs, g.StepOverheadUs)
	lower(f.BesideBusyNs, g.BesideBusyNs)
	lower(f.PileNs, g.PileNs)
	lower(f.LawStepNs, g.LawStepNs)
	lower(f.LawBytes, g.LawBytes)
	lower(f.MeetingNs, g.MeetingNs)
	lower(f.FractureNs, g.FractureNs)
	for w, l := range g.laps {
		f.laps[w] = f.laps[w].best(l)
	}
	for w, l := range g.singles {
		f.singles[w] = f.singles[w].best(l)
	}
	than := g.single()
	for i, v := range f.single() {
		*v.value = min(*v.value, *than[i].value)
	}
}

// figure is one number of the figures.
type figure struct {
	name  string // of its row
	value *float64
}

// single lists the figures that are one number.
func (f *Figures) single() []figure {
	return []figure{
		{"plain_ns", &f.PlainNs}, {"damped_step_ns", &f.DampedStepNs}, {"pile_two_ns", &f.PileTwoNs}, {"many_rocks_ns", &f.ManyRocksNs},
		{"bytes_per_element", &f.BytesPerElement}, {"contact_search_ns", &f.ContactSearchNs}, {"contact_narrow_ns", &f.ContactNarrowNs},
		{"law_kostek_ns", &f.LawKostekNs}, {"law_linear_ns", &f.LawLinearNs},
		{"sphere_falling_ns", &f.SphereFallingNs}, {"sphere_settled_ns", &f.SphereSettledNs}, {"sphere_contacts", &f.SphereContacts},
		{"sphere_on_mesh_ns", &f.SphereOnMeshNs}, {"vertex_opens_ns", &f.VertexOpensNs},
		{"dominoes_s", &f.DominoesS}, {"dominoes_explicit_s", &f.DominoesExplicitS}, {"block_wall_ms", &f.BlockWallMs}, {"polygon_settling_ms", &f.PolygonSettlingMs}, {"point_sweep_ns", &f.PointSweepNs},
		{"polygon_falling_ns", &f.PolygonFallingNs}, {"polygon_lying_ns", &f.PolygonLyingNs}, {"polygon_touches", &f.PolygonTouches}, {"static_s", &f.StaticS}, {"static_mb", &f.StaticMB},
		{"motion_step_ms", &f.MotionStepMs}, {"diffusion_step_ms", &f.DiffusionStepMs}, {"diffusion_factor_ms", &f.DiffusionFactorMs},
	}
}

// measure measures everything once, except the figures that follow from others.
func measure(quick bool, say func(string)) *Figures {
	f := &Figures{
		Processor: processor(), System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.GOMAXPROCS(0),
		Kernel:        fem.Kernels()[0],
		ElementStepNs: map[string]map[string]float64{}, ElementStepGenericNs: map[string]map[string]float64{},
		StepOverheadUs: map[string]float64{}, BandwidthGBs: map[string]float64{},
	}
	workers := teams(f.Cores)
	for _, w := range workers {
		say(fmt.Sprintf("memory bandwidth, %d workers", w))
		f.BandwidthGBs[strconv.Itoa(w)] = 1e-9 * bandwidth(w)
		runtime.GC()
	}
	sizes := Sizes
	if quick {
		sizes = sizes[:len(sizes)-1]
	}
	for _, n := range sizes {
		say(fmt.Sprintf("steps of %d triangles", n))
		f.measureSteps(n, workers)
	}
	say("the plain loop, damping, two workers beside a busy core")
	f.measureElements()
	say("materials that yield and flow")
	f.measureLaws()
	say("fixed cost of a step")
	_, byWorkers, _ := elementSteps(fewTriangles, workers)
	for w, t := range byWorkers {
		f.StepOverheadUs[w] = 1e6 * t
	}
	say("contact search, 10,000 bodies")
	f.ContactSearchNs = newPacking(100).searchTime()
	say("blocks that meet along one side")
	f.measureMeeting(Sizes[:3])
	say("a pile of rocks, and many rocks")
	f.measurePile()
	say("10,000 rigid polygons that fall and that lie")
	f.measurePolygons()
	say("rigid blocks by impulses")
	f.measureBlocks()
	say("100,000 triangles that can break, and that do")
	f.measureFracture()
	say("contact laws")
	f.LawKostekNs = 1e9 * lawTime(kostek(), 2e-5)
	model, _ := contact.Lookup("linear")
	linear := throw.Must(model.Build(map[string]float64{"k": 1e14}))
	f.LawLinearNs = 1e9 * lawTime(linear, 2e-5)
	say("spheres that fall and settle")
	f.SphereFallingNs, f.SphereSettledNs, f.SphereContacts = sphereTimes(sphereColumns, sphereRows)
	say("spheres on a meshed floor")
	_, f.SphereOnMeshNs = runToRest(sphereColumns, sphereRows, true)
	say("steps with frames of fields")
	f.laps = fieldsLaps(fieldsTriangles, workers, false)
	f.singles = fieldsLaps(fieldsTriangles, workers[len(workers)-1:], true)
	say("static analysis, and diffusion in 100,000 nodes")
	f.measureStatics()
	return f
}

// measureStatics measures the figures of static.go and diffusion.go.
func (f *Figures) measureStatics() {
	f.StaticS, f.StaticMB = staticTime(unknowns)
	f.StaticMB /= 1e6
	motion, step, factor := diffusionTimes()
	f.MotionStepMs, f.DiffusionStepMs, f.DiffusionFactorMs = 1e3*motion, 1e3*step, 1e3*factor
}

// measureElements measures the figures of elements.go.
func (f *Figures) measureElements() {
	f.PlainNs, f.DampedStepNs, f.BesideBusyNs = 1e9*plainTime(), 1e9*dampedTime(), map[string]float64{}
	for w, t := range besideBusy() {
		f.BesideBusyNs[w] = 1e9 * t
	}
}

// measureSteps measures one size.
func (f *Figures) measureSteps(n int, workers []int) {
	key := strconv.Itoa(n)
	triangles, times, bytes := elementSteps(n, workers)
	f.BytesPerElement = bytes / float64(triangles)
	f.ElementStepNs[key] = map[string]float64{}
	for w, t := range times {
		f.ElementStepNs[key][w] = 1e9 * t / float64(triangles)
	}
	if f.Kernel == "generic" {
		f.ElementStepGenericNs[key] = f.ElementStepNs[key]
		return
	}
	generic := withKernel("generic", func() float64 {
		triangles, times, _ := elementSteps(n, []int{1})
		return 1e9 * times["1"] / float64(triangles)
	})
	f.ElementStepGenericNs[key] = map[string]float64{"1": generic}
}

// teams lists the numbers of workers that are measured: one, two, four, ... and
// the number of cores.
func teams(cores int) []int {
	out := []int{1}
	for n := 2; n < cores; n *= 2 {
		out = append(out, n)
	}
	if cores > 1 {
		out = append(out, cores)
	}
	return out
}

// elementSteps returns the time of a step of about n triangles by number of
// workers [s], how many there are, and the bytes that model and solver take.
func elementSteps(n int, workers []int) (triangles int, times map[string]float64, bytes float64) {
	s, bytes := bytesHeld(func() *solver.Solver {
		s := begun(n)
		s.SetWorkers(workers[len(workers)-1])
		return s
	})
	times = map[string]float64{}
	for _, w := range workers {
		s.SetWorkers(w)
		times[strconv.Itoa(w)] = stepTime(s)
	}
	return len(s.Mesh.Triangles), times, bytes
}
