package diffusion_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/statics"

	"gonum.org/v1/gonum/spatial/r2"
)

// consolidating begins a static deck with pores.
func consolidating(duration, more string) string {
	return fmt.Sprintf("[analysis]\ntype = \"static\"\nplane = \"strain\"\nduration = %q\n%s[pores]\n", duration, more)
}

// sandstone is the material of the references (Detournay and Cheng, 1993).
const sandstone = `[[material]]
name = "rock"
young = "14.4 GPa"
poisson = 0.2
density = 2600
permeability = "1.9e-13 m2"
porosity = 0.19
biot = 0.79
grain_bulk = "38 GPa"
[[body]]
name = "rock"
material = "rock"
`

const soil = `[[material]]
name = "rock"
young = "10 MPa"
poisson = 0.3
density = 2000
permeability = "1e-12 m2"
storage = "1e-12 1/Pa"
[[body]]
name = "rock"
material = "rock"
`

// pressureAt returns the pore pressure of the node nearest to a position.
func pressureAt(s *solver.Solver, x, y float64) float64 {
	best, n := math.Inf(1), 0
	for i, p := range s.Mesh.X {
		if d := math.Hypot(p.X-x, p.Y-y); d < best {
			best, n = d, i
		}
	}
	return s.Kinds.Pores.Pressure(int32(n))
}

// followed runs a deck to its end, with increments that end at some times, and calls a function there.
func followed(t testing.TB, g meshed, text string, times []float64, at func(i int, s *solver.Solver)) *solver.Solver {
	t.Helper()
	s := built(t, g, text)
	s.Static.Breaks = slices.Concat(times, s.Static.Breaks)
	slices.Sort(s.Static.Breaks)
	nothing := func() error { return nil }
	next := 0
	row := func() error {
		if next < len(times) && s.Time >= times[next]*(1-1e-12) {
			at(next, s)
			next++
		}
		return nil
	}
	if err := statics.Run(context.Background(), s, solver.Observer{Row: row, Frame: nothing, Contact: nothing}); err != nil {
		t.Fatal(err)
	}
	if next < len(times) {
		t.Fatalf("reached %d of %d times", next, len(times))
	}
	held := 0.0 // fluid that pressure alone holds [kg]
	for i, n := range s.Mesh.Triangles {
		held += s.Pores.Density * s.Pores.Materials[s.Model.Bodies[0].Material].Capacity * s.Kinds.Triangles.Volume(i) * math.Abs(s.Kinds.Pores.Pressure(n[0]))
	}
	if lost, moved := column(s, "pore_mass_residual"), math.Abs(column(s, "pore_mass_in"))+held; math.Abs(lost) > 1e-7*moved {
		t.Errorf("of %g kg of fluid %g kg are missing", moved, lost)
	}
	t.Logf("%d increments, mass residual %.1e of %.3g kg", s.N, column(s, "pore_mass_residual"), column(s, "pore_mass"))
	return s
}

const rollers = "[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[fix]]\non = \"left\"\ncomponents = [\"x\"]\n"

// lastDisplacement returns the displacement of the node nearest to a position at the start.
func displacementAt(s *solver.Solver, x, y float64) (dx, dy float64) {
	best, n := math.Inf(1), 0
	for i, p := range s.Mesh.X {
		if d := math.Hypot(p.X-x, p.Y-y); d < best {
			best, n = d, i
		}
	}
	return s.X[n].X - s.Mesh.X[n].X, s.X[n].Y - s.Mesh.X[n].Y
}

// A layer under a sudden load, drained at its top (Terzaghi, 1923).
func TestTerzaghi(t *testing.T) {
	times := []float64{3.71434, 14.8573, 37.1434, 74.2867}
	for _, rows := range []int{20, 40} {
		text := consolidating("80 s", "") + soil + rollers + "[[pore_pressure]]\non = \"top\"\nvalue = 0\n[[load]]\non = \"top\"\npressure = \"1 kPa\"\nschedule = [[0, 1], [100, 1]]\n[[fix]]\non = \"right\"\ncomponents = [\"x\"]\n"
		followed(t, bar(0.05, 1, 2, rows), text, times, func(i int, s *solver.Solver) {
			within(t, "bottom", 100*pressureAt(s, 0, 0), []float64{99685.6, 77230.1, 37077.2, 10797.6}[i], 1000)
			within(t, "middle", 100*pressureAt(s, 0, 0.5), []float64{88614.0, 55316.8, 26218.5, 7635.03}[i], 1000)
			_, y := displacementAt(s, 0, 1)
			want := []float64{0.0018744, 0.0037447, 0.00567508, 0.00691794}[i]
			within(t, "settlement", -100*y, want, 0.01*want)
		})
	}
}

// under is a grid under a stiff plate, with nodes of its own and the names plate, plate-left, plate-bottom
// and plate-top.
type under struct {
	grid
	plate grid
}

func (g under) source() *mesh.Source {
	src, on := g.grid.source(), g.plate.source()
	for i := range on.Groups {
		if on.Groups[i].Name = "plate-" + on.Groups[i].Name; on.Groups[i].Dim == 2 {
			on.Groups[i].Name = "plate"
		}
	}
	src.Append(on)
	return src
}

var mandel = consolidating("0.75 s", "") + sandstone + rollers + `
[[pore_pressure]]
on = "right"
value = 0
[[material]]
name = "rigid"
young = 1e16
poisson = 0
density = 1
[[body]]
name = "plate"
material = "rigid"
[[fix]]
on = "plate-left"
components = ["x"]
[[load]]
on = "plate-top"
force = [0, -1e6]
schedule = [[0, 1], [100, 1]]
[[law]]
name = "hard"
model = "linear"
k = 1e16
[[contact]]
contactor = "top"
opposite = "plate"
law = "hard"
`

// plate is the upper one of Mandel's block.
var plate = grid{nx: 1, ny: 1, at: func(u, v float64) r2.Vec { return r2.Vec{X: 1.001 * u, Y: 0.5 + 0.5*v} }}

// A block between rigid plates, drained at its sides: the pressure inside rises before it falls
// (Mandel, 1953; Cheng and Detournay, 1988).
func TestMandel(t *testing.T) {
	times := []float64{0.00742944, 0.0371472, 0.0742944, 0.148589, 0.371472, 0.742944}
	most := 0.0
	followed(t, under{bar(1, 0.5, 20, 10), plate}, mandel, times, func(i int, s *solver.Solver) {
		within(t, "centre", pressureAt(s, 0, 0), []float64{243930.0, 248130.0, 240270.0, 201432.0, 105595.0, 35599.4}[i], 2400)
		within(t, "half way", pressureAt(s, 0.5, 0), []float64{243832.0, 221031.0, 187179.0, 145359.0, 75258.8, 25371.3}[i], 2400)
		x, _ := displacementAt(s, 1, 0.25)
		_, y := displacementAt(s, 0.5, 0.5)
		wantX := []float64{2.52185e-05, 2.40366e-05, 2.31262e-05, 2.18055e-05, 1.93382e-05, 1.75673e-05}[i]
		wantY := []float64{-2.90574e-05, -2.96484e-05, -3.01036e-05, -3.07639e-05, -3.19976e-05, -3.2883e-05}[i]
		within(t, "side", x, wantX, 0.01*wantX)
		within(t, "plate", y, wantY, -0.01*wantY)
		most = max(most, pressureAt(s, 0, 0))
	})
	within(t, "greatest pressure over the first one", most/240029, 1.03377, 0.002)
}

// A block that nothing can leave, under a load from all sides (Rice and Cleary, 1976): the pressure is
// B (1 + nu_u)/3 times the sum of the stresses in the plane.
func TestUndrained(t *testing.T) {
	text := consolidating("1 s", "increments = 1\n") + sandstone + rollers + "[[load]]\non = \"top\"\npressure = \"10 Pa\"\n[[load]]\non = \"right\"\npressure = \"10 Pa\"\n"
	s := followed(t, bar(1, 1, 3, 3), text, nil, nil)
	within(t, "pressure", pressureAt(s, 0.3, 0.3), 4.80059, 5e-6)
	got := s.Kinds.Triangles.Stress(7, s.X, s.Plane)
	within(t, "total stress along x", got.XX, -10, 1e-5)
	within(t, "total stress out of the plane", got.ZZ, 0.2*-20-0.79*(1-0.4)*4.80059, 1e-4)
}

// A wall in the water that it stands in, and flow between two heads (Darcy).
func TestHeads(t *testing.T) {
	const ground = "gravity = [0, \"-10 m/s2\"]\ngravity_schedule = \"1 + 0*t\"\n"
	text := consolidating("1 h", ground) + "water_table = \"2 m\"\n" + sandstone + rollers + `[[fix]]
on = "right"
components = ["x"]
[[initial_stress]]
stress = [0, "-26000*(2 - y)", 0]
[[pore_pressure]]
on = "left"
head = "2 m"
[[pore_pressure]]
on = "right"
head = "RIGHT"
`
	s := followed(t, bar(1, 2, 4, 8), strings.Replace(text, "RIGHT", "2 m", 1), nil, nil)
	within(t, "at rest, pressure", pressureAt(s, 0.5, 0.5), 15000, 1e-6)
	within(t, "at rest, flow", column(s, "left.flow"), 0, 1e-18)
	_, y := displacementAt(s, 0.5, 2)
	within(t, "at rest, settlement", y, 0, 1e-9)
	s = followed(t, bar(1, 2, 4, 8), strings.Replace(text, "RIGHT", "1.5 m", 1), nil, nil)
	within(t, "flow", column(s, "left.flow"), 1.9e-13/1e-3*1000*10*0.5*2, 1e-9)
	within(t, "what flows in flows out", column(s, "left.flow")+column(s, "right.flow"), 0, 1e-11)
}

// A dam with its foot in water on one side lets it seep out of the other, and takes in none there.
func TestSeepage(t *testing.T) {
	text := consolidating("10 h", "gravity = [0, \"-10 m/s2\"]\ngravity_schedule = \"1 + 0*t\"\n") + "water_table = \"0 m\"\n" + sandstone + rollers + `[[pore_pressure]]
on = "left"
head = "2 m"
[[pore_pressure]]
on = "right"
seepage = true
`
	s := followed(t, bar(1, 2, 8, 16), text, nil, nil)
	out := column(s, "right.flow")
	within(t, "steady", column(s, "left.flow")+out, 0, 1e-3*math.Abs(out))
	if !(out < 0) {
		t.Errorf("%g m3/s come in through the seepage face", out)
	}
	wet, dry := 0, 0
	for i, x := range s.Mesh.X {
		if x.X != 1 {
			continue
		}
		switch p := s.Kinds.Pores.Pressure(int32(i)); {
		case math.Abs(p) < 50:
			wet++
		case p < 0:
			dry++
		default:
			t.Errorf("%g Pa in the open air at %g m", p, x.Y)
		}
	}
	if wet < 2 || dry < 2 {
		t.Errorf("of the face %d nodes are wet and %d dry", wet, dry)
	}
	t.Logf("%g m3/s, %d wet, %d dry", out, wet, dry)
}

// ring is a quarter of a ring with a hole of 0.1 m.
func ring(rings, sectors int, ratio float64) grid {
	return grid{nx: rings, ny: sectors, at: func(u, v float64) r2.Vec {
		r, sin, cos := 0.1*math.Pow(ratio, u), math.Sin(v*math.Pi/2), math.Cos(v*math.Pi/2)
		return r2.Vec{X: r * cos, Y: r * sin}
	}}
}

// The pressure at which a hole breaks down, sh = 8, sH = 12, strength 5 and p0 = 3 MPa: of an impervious
// wall (Hubbert and Willis, 1957), and of one into which the fluid has flowed for long (Haimson and
// Fairhurst, 1967), here with p0 at 20 radii. At it the effective hoop stress, with 3 sh - sH of the
// ground, is the strength.
func TestBreakdown(t *testing.T) {
	for _, rings := range []int{30, 60} {
		for _, c := range []breakdown{impervious, pervious} {
			within(t, c.name+", effective hoop stress", atBreakdown(t, rings, 24, 4, c), 5e6, 0.03*5e6)
		}
	}
}

// breakdown is a wall at the pressure of the well at which it breaks down.
type breakdown struct {
	name, hold, permeability string
	well, pore               float64 // [Pa], that in the pores at the wall
}

var (
	impervious = breakdown{"Hubbert and Willis", "", "0 m2", 14e6, 3e6}
	pervious   = breakdown{"Haimson and Fairhurst", "[[pore_pressure]]\non = \"left\"\nvalue = 10.3094e6\n[[pore_pressure]]\non = \"right\"\nvalue = 3e6\n", "1.9e-13 m2", 10.3094e6, 10.3094e6}
)

// atBreakdown returns the effective hoop stress at a wall with 3 sh - sH of the ground.
func atBreakdown(t *testing.T, rings, sectors, increments int, c breakdown) float64 {
	t.Helper()
	text := consolidating("1 h", fmt.Sprintf("increments = %d\n", increments)) + "initial = \"3 MPa\"\n" + strings.Replace(sandstone, "1.9e-13 m2", c.permeability, 1) +
		"[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[fix]]\non = \"top\"\ncomponents = [\"x\"]\n" + c.hold + fmt.Sprintf("[[load]]\non = \"left\"\npressure = %g\n", c.well)
	at, _ := wallStress(followed(t, ring(rings, sectors, 20), text, nil, nil), 0.1, math.Pow(20, 1/float64(rings)))
	return at + c.pore - 12e6
}

// A layer under a load that grows quickly, in motion with damping, against the series of Terzaghi: the
// flow lasts milliseconds or, with a factor, minutes.
func TestConsolidationInMotion(t *testing.T) {
	const column10, c, duration = 0.1, 1.346, 3.2e-3
	m := 9789227166.276346
	p0 := 1e6 * 0.79 * m / (8e9 + 0.79*0.79*m + 8e9)
	for _, factor := range []float64{1, 1e4} {
		text := fmt.Sprintf("[analysis]\nduration = %g\nplane = \"strain\"\ndamping = { local = 0.7 }\n[pores]\ntime_factor = %g\n", duration, factor) +
			strings.Replace(sandstone, "1.9e-13 m2", fmt.Sprintf("%g m2", 1.9e-13/factor), 1) + rollers +
			"[[fix]]\non = \"right\"\ncomponents = [\"x\"]\n[[pore_pressure]]\non = \"top\"\nvalue = 0\n[[load]]\non = \"top\"\npressure = \"1 MPa\"\nschedule = [[0, 0], [0.0002, 1], [100, 1]]\n"
		s := ran(t, bar(0.02, column10, 2, 10), text)
		want := 0.0
		for k := 1.0; k < 60; k += 2 {
			want += p0 * 4 / math.Pi / k * math.Sin(k*math.Pi/2) * math.Exp(-k*k*math.Pi*math.Pi/4*c*(duration-1e-4)/column10/column10)
		}
		within(t, "bottom", pressureAt(s, 0, 0), want, 0.02*p0)
		_, y := displacementAt(s, 0, column10)
		t.Log(s.N, y, s.Energies().Residual, s.Energies().ExternalWork, column(s, "pore_mass_residual"), column(s, "pore_mass"))
		if e := s.Energies(); math.Abs(e.Residual) > 1e-3*math.Abs(e.ExternalWork) {
			t.Errorf("residual %g J of %g J", e.Residual, e.ExternalWork)
		}
		if lost := column(s, "pore_mass_residual"); math.Abs(lost) > 1e-12*math.Abs(column(s, "pore_mass")) {
			t.Errorf("%g kg of fluid are missing", lost)
		}
	}
}

// The pressure at the wall of a borehole is raised, and the total stress there stays (mode 2 of Detournay
// and Cheng, 1988): pressures, the hoop stress at the wall, which is the same at all times, and the flow into
// the rock, by Laplace's transform. The wall does not move.
func TestPressurisedBorehole(t *testing.T) {
	const far, raised = 120, 10e6
	times := []float64{0.000742944, 0.00742944, 0.0742944, 0.742944}
	for _, rings := range []int{30, 60} { // the second with half the edges
		text := consolidating("0.8 s", "") + sandstone + "[[pore_pressure]]\non = \"left\"\nvalue = 10e6\n[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[fix]]\non = \"top\"\ncomponents = [\"x\"]\n"
		at := func(s *solver.Solver, r float64) float64 { // linear in the logarithm of r between nodes on x
			k := math.Floor(math.Log(r/0.1) / math.Log(far) * float64(rings))
			r0, r1 := 0.1*math.Pow(far, k/float64(rings)), 0.1*math.Pow(far, (k+1)/float64(rings))
			p, q := pressureAt(s, r0, 0), pressureAt(s, r1, 0)
			return p + (q-p)*math.Log(r/r0)/math.Log(r1/r0)
		}
		followed(t, ring(rings, rings/4, far), text, times, func(i int, s *solver.Solver) {
			within(t, fmt.Sprintf("%d rings: pressure at 1.5 a", rings), at(s, 0.15), []float64{2169450, 6062190, 7837170, 8598970}[i], 0.02*raised)
			within(t, "pressure at 3 a", at(s, 0.3), []float64{62.0896, 945160, 4220630, 6207750}[i], 0.02*raised)
			less, _ := firstRing(s, 0.1, math.Pow(far, 1/float64(rings)), func(r float64) (float64, float64) { return raised * ofSandstone().raisedHoop(0.1, r, times[i]), 0 })
			within(t, "hoop stress in the first ring less theory", less, 0, 0.015*5925000) // at the wall by a line through two rings 5.7 %, with half the edges 1.5 %
			x, _ := displacementAt(s, 0.1, 0)
			within(t, "displacement of the wall, over that of a load", x/8.33333e-05, 0, 0.02)
		})
	}
}
