package diffusion_test

import (
	"context"
	"fdem/io/deck"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/statics"

	"fmt"
	"gonum.org/v1/gonum/spatial/r2"
	"math"
	"strings"
	"testing"
)

// A block all of whose sides are open to the air loses as much fluid as its pores lose by volume: at its
// corners there are triangles whose pressure is zero at all nodes.
func TestOpenCorners(t *testing.T) {
	text := "[analysis]\nduration = 2e-4\nplane = \"strain\"\n[pores]\n" + sandstone + rollers
	for _, of := range strings.Fields("left right top bottom") {
		text += "[[pore_pressure]]\non = \"" + of + "\"\nvalue = 0\n"
	}
	s := ran(t, bar(0.1, 0.1, 7, 7), text+"[[load]]\non = \"top\"\npressure = \"10 MPa\"\n")
	if lost, moved := column(s, "pore_mass_residual"), column(s, "pore_mass"); math.Abs(lost) > 1e-12*math.Abs(moved) {
		t.Errorf("of %g kg of fluid %g kg are missing", moved, lost)
	}
}

// strong breaks at 5 MPa.
const strong = `[[fracture]]
in = ["rock"]
tensile_strength = "5 MPa"
cohesion = "20 MPa"
friction = 0.6
energy_tension = "50 J/m2"
energy_shear = "200 J/m2"
`

// A bar breaks where the total tension and the pressure of its pores together reach its strength
// (Terzaghi), whatever Biot's coefficient is. It has so much storage that its pressure stays.
func TestBreaksByEffectiveStress(t *testing.T) {
	for _, of := range []struct{ biot, p float64 }{{1, 0}, {1, 2e6}, {0.6, 2e6}, {0.6, 0}} {
		const rise = 1e10 // of the tension [Pa/s]
		text := "[analysis]\nduration = 7e-4\nplane = \"strain\"\ndamping = { local = 0.3 }\n[pores]\ninitial = " + fmt.Sprint(of.p) + "\n" + `[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.2
density = 2600
permeability = 0
storage = 1e-6
biot = ` + fmt.Sprint(of.biot) + `
[[body]]
name = "rock"
material = "rock"
` + strong + `[[fix]]
on = "left"
components = ["x"]
[[load]]
on = "right"
pressure = -1e7
schedule = "t/1e-3"
`
		s := built(t, bar(0.1, 0.02, 30, 6), text)
		broke := math.NaN()
		row := func() error {
			if math.IsNaN(broke) && column(s, "cracks.inserted") > 0 {
				broke = s.Time
			}
			return nil
		}
		s.HistoryEvery = 1e-6
		if err := s.Run(context.Background(), solver.Observer{Row: row, Frame: func() error { return nil }, Contact: func() error { return nil }}); err != nil {
			t.Fatal(err)
		}
		within(t, fmt.Sprintf("tension at which it breaks, biot %g, p = %g MPa", of.biot, of.p/1e6), rise*broke, 5e6-of.p, 0.04*5e6)
		e := s.Energies()
		t.Logf("N %d, residual %g J of %g J, external %g; spilled %g, residual %g kg of %g", s.N, e.Residual, e.Strain, e.ExternalWork, column(s, "pore_mass_spilled"), column(s, "pore_mass_residual"), column(s, "pore_mass"))
	}
}

// seamed is a grid with a curve "seam" through its middle, upright.
type seamed struct{ grid }

func (g seamed) source() *mesh.Source {
	src := g.grid.source()
	seam := mesh.SourceGroup{Name: "seam", Dim: 1, Number: len(src.Groups) + 1}
	for j := range g.ny {
		at := int32(j*(g.nx+1) + g.nx/2)
		seam.Elements = append(seam.Elements, src.AddLine(at, at+int32(g.nx+1)))
	}
	src.Groups = append(src.Groups, seam)
	return src
}

// inMotion runs a deck to its end, and closes its books.
func inMotion(t testing.TB, g meshed, text string) *solver.Solver {
	t.Helper()
	s := built(t, g, text)
	nothing := func() error { return nil }
	if err := s.Run(context.Background(), solver.Observer{Row: nothing, Frame: nothing, Contact: nothing}); err != nil {
		t.Fatal(err)
	}
	moved := math.Abs(column(s, "pore_mass_in")) + math.Abs(column(s, "pore_mass"))
	for i := range s.Mesh.Triangles { // what a pressure of 1 MPa holds
		moved += s.Pores.Density * s.Pores.Materials[0].Capacity * s.Kinds.Triangles.Volume(i) * 1e6
	}
	e := s.Energies()
	t.Logf("%d steps, energy residual %.2g J of %.4g J, mass residual %.1e kg of %.3g kg", s.N, e.Residual, e.Strain+e.Kinetic+math.Abs(e.ExternalWork), column(s, "pore_mass_residual"), moved)
	if lost := column(s, "pore_mass_residual"); math.Abs(lost) > 1e-11*moved {
		t.Errorf("of %g kg of fluid %g kg are missing", moved, lost)
	}
	if math.Abs(e.Residual) > 2e-3*(e.Strain+e.Kinetic+math.Abs(e.ExternalWork)+e.FrictionDissipated) {
		t.Errorf("energy residual %g J: %+v", e.Residual, e)
	}
	return s
}

// Fluid flows through a joint as through whole rock: pressure is continuous across it.
func TestFlowAcrossJoint(t *testing.T) {
	for _, joint := range []string{"", "[[joint]]\non = \"seam\"\nfriction = 0.6\nnormal_stiffness = \"1e13 Pa/m\"\n"} {
		s := inMotion(t, seamed{bar(0.1, 0.04, 10, 4)}, `[analysis]
duration = 6e-3
plane = "strain"
damping = { local = 0.5 }
[pores]
initial = 1e6
[[initial_stress]]
stress = [-10e6, -10e6, 0]
`+sandstone+joint+`[[load]]
on = "top"
pressure = 10e6
[[load]]
on = "bottom"
pressure = 10e6
[[load]]
on = "left"
pressure = 10e6
[[load]]
on = "right"
pressure = 10e6
[[pore_pressure]]
on = "left"
value = [[0, 1e6], [1e-3, 3e6]]
[[pore_pressure]]
on = "right"
value = 1e6
`)
		for _, x := range []float64{0.02, 0.05, 0.08} {
			within(t, "pressure", pressureAt(s, x, 0.02), 3e6-2e6*x/0.1, 2e4)
		}
		within(t, "flow", column(s, "left.flow"), 1.9e-13/1e-3*2e6/0.1*0.04, 0.03*1.9e-13/1e-3*2e6/0.1*0.04)
		within(t, "flow out", column(s, "left.flow")+column(s, "right.flow"), 0, 0.03*1.9e-13/1e-3*2e6/0.1*0.04)
	}
}

// The friction of a joint is that of the effective stress: a block under 8 MPa across it and a shear of
// 3 MPa holds by a friction of 0.6 until the pressure reaches 3 MPa.
func TestFrictionOfJointFalls(t *testing.T) {
	for _, biot := range []float64{1, 0.7} {
		for _, p := range []float64{2.85e6, 3.15e6} {
			s := inMotion(t, seamed{bar(0.1, 0.1, 8, 8)}, fmt.Sprintf(`[analysis]
duration = 2e-3
plane = "strain"
damping = { local = 0.3 }
[pores]
[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.2
density = 2600
permeability = 0
storage = 1e-7
biot = %g
[[body]]
name = "rock"
material = "rock"
[[joint]]
on = "seam"
friction = 0.6
normal_stiffness = "1e12 Pa/m"
[[initial_stress]]
stress = [-8e6, -8e6, 3e6]
[[load]]
on = "right"
force = [-8e5, 3e5]
[[load]]
on = "left"
force = [8e5, -3e5]
[[load]]
on = "top"
force = [3e5, -8e5]
[[load]]
on = "bottom"
force = [-3e5, 8e5]
[[pore_pressure]]
on = "rock"
value = [[0, 0], [1e-3, %g]]
`, biot, p))
			slip := 0.0
			for i := range s.Cracks().Cracks() {
				slip = max(slip, math.Abs(s.Cracks().Crack(i).Slip))
			}
			t.Logf("biot %g, %g MPa: slips by %g m", biot, p/1e6, slip)
			if holds := slip < 5e-6; holds != (p < 3e6) {
				t.Errorf("biot %g, %g MPa: slips by %g m", biot, p/1e6, slip)
			}
		}
	}
}

// leaking is rock without strain into which water leaks from its left side, with a storage [1/Pa].
var leaking = strings.NewReplacer("biot = 0.79\ngrain_bulk = \"38 GPa\"", "biot = 0.19").Replace(sandstone) + strong + heldAll +
	"[[fluid]]\nname = \"water\"\nwell = \"left\"\npressure = 5e6\nviscosity = 1e-3\nleak_off = { pores = true }\n"

const leakingStorage = 0.19 / 2.2e9

// Fluid leaks from a plane at constant pressure into pores (Carter's law by diffusion), for times at which
// the pressure has gone less than an edge into the rock and many edges.
func TestLeakOffFromPlane(t *testing.T) {
	const p, storage = 5e6, leakingStorage
	c := 1.9e-13 / 1e-3 / storage
	for _, cells := range []int{8, 20, 40} {
		s := built(t, bar(0.4, 0.4/float64(cells), cells, 1), "[analysis]\nduration = 3e-3\nplane = \"strain\"\n[pores]\n"+leaking)
		s.HistoryEvery = 1e-6
		nothing := func() error { return nil }
		h, next := 0.4/float64(cells), 0
		at := []float64{0.1, 0.3, 0.5, 1, 2, 4, 8}
		row := func() error {
			if next == len(at) || s.Time < at[next]*at[next]*h*h/c {
				return nil
			}
			want, allowed := 2*p*storage*math.Sqrt(c*s.Time/math.Pi)*h, 0.06
			if at[next] >= 4 {
				allowed = 0.015
			}
			within(t, fmt.Sprintf("edges of %g mm, sqrt(c t) = %.2f of them: leaked over theory", 1e3*h, math.Sqrt(c*s.Time)/h), column(s, "water.leaked")/want, 1, allowed)
			next++
			return nil
		}
		if err := s.Run(context.Background(), solver.Observer{Row: row, Frame: nothing, Contact: nothing}); err != nil {
			t.Fatal(err)
		}
		if next < 4 {
			t.Errorf("%d times", next)
		}
		leaked := s.Pores.Density * column(s, "water.leaked")
		within(t, "what leaks is in the pores", column(s, "pore_mass_in"), leaked, 1e-13*leaked)
		within(t, "residual", column(s, "pore_mass_residual"), 0, 1e-13*leaked)
	}
}

// The same in a static analysis, where the pressure is held (Carter's coefficient of leak-off by
// diffusion). Edges at the face are a tenth of sqrt(c t).
func TestDiffusionFromPlane(t *testing.T) {
	g := grid{nx: 60, ny: 1, at: func(u, v float64) r2.Vec { return r2.Vec{X: 30 * u * (0.4 + 0.6*u), Y: 0.5 * v} }}
	for _, c := range []struct {
		g         grid
		tolerance float64
	}{{g, 0.002}, {grid{nx: 120, ny: 1, at: g.at}, 0.001}} {
		text := consolidating("10 s", "") + sandstone + rollers + "[[fix]]\non = \"top\"\ncomponents = [\"y\"]\n[[pore_pressure]]\non = \"left\"\nvalue = 5e6\n"
		text = strings.Replace(text, "on = \"left\"\ncomponents", "on = \"right\"\ncomponents", 1)
		s := followed(t, c.g, text, nil, nil)
		within(t, "volume", column(s, "pore_mass_in")/0.5/1000, 0.00292184, c.tolerance*0.00292184)
		best, x := math.Inf(1), 0.0
		for _, p := range s.Mesh.X {
			if d := math.Abs(p.X - 3.66878); d < best {
				best, x = d, p.X
			}
		}
		within(t, "pressure", pressureAt(s, x, 0), 5e6*math.Erfc(0.5*x/3.66878), c.tolerance*5e6)
	}
}

// A seam that is pulled open faster than fluid flows to it takes the pressure away around it, and no more:
// it is partly filled. What it held is spilled once its faces are apart.
func TestCrackTakesPressureAway(t *testing.T) {
	for _, far := range []float64{30e-6, 5e-3} {
		s := inMotion(t, seamed{bar(0.1, 0.02, 20, 4)}, fmt.Sprintf(`[analysis]
duration = 5e-4
plane = "strain"
damping = { local = 0.3 }
[pores]
initial = 3e6
[[initial_stress]]
stress = [-3e6, -3e6, 0]
%s[[fracture]]
on = "seam"
tensile_strength = "1 MPa"
cohesion = "4 MPa"
friction = 0.6
energy_tension = 1
energy_shear = 4
[[fix]]
on = "left"
components = ["x"]
[[load]]
on = "top"
pressure = 3e6
[[load]]
on = "bottom"
pressure = 3e6
[[drive]]
on = "right"
displacement = ["min(t/4e-4, 1)*%g", "free"]
`, sandstone, far))
		p := pressureAt(s, 0.05, 0.01)
		t.Logf("opened by %g m: %g Pa at the seam, %g kg spilled, %g kg held", far, p, column(s, "pore_mass_spilled"), column(s, "pore_mass"))
		if spilled := column(s, "pore_mass_spilled"); far < 1e-3 {
			within(t, "pressure at the seam", p, 0, 1)
			if spilled != 0 {
				t.Errorf("%g kg spilled", spilled)
			}
		} else if !(spilled > 1e-6) {
			t.Errorf("%g kg spilled", spilled)
		}
		if s.Cracks().Cracks() != 4 {
			t.Errorf("%d edges have opened", s.Cracks().Cracks())
		}
	}
}

// A part of the ground is excavated, and water flows out at the new wall: in the end as steadily as towards
// any side at no pressure, and the books close.
func TestExcavatedPores(t *testing.T) {
	const k = 1.9e-13 / 1e-3
	g := grid{nx: 24, ny: 4, at: func(u, v float64) r2.Vec { return r2.Vec{X: 1.2 * u, Y: 0.2 * v} }, bodies: func(u float64) string {
		if u < 1./3 {
			return "dug"
		}
		return "rock"
	}}
	for _, motion := range []bool{false, true} {
		head, duration, at, factor := "type = \"static\"\n", 2.0, 0.2, ""
		if motion {
			head, duration, at, factor = "damping = { local = 0.5 }\n", 20e-3, 2e-3, "time_factor = 100\n"
		}
		s := built(t, wall{g}, fmt.Sprintf("[analysis]\n%splane = \"strain\"\nduration = %g\n[pores]\n%sinitial = 1e6\n[[initial_stress]]\nstress = [-5e6, -5e6, 0]\n%s[[body]]\nname = \"dug\"\nmaterial = \"rock\"\n", head, duration, factor, sandstone)+fmt.Sprintf(`[[fix]]
on = "bottom"
components = ["y"]
[[fix]]
on = "top"
components = ["y"]
[[fix]]
on = "right"
components = ["x"]
[[fix]]
on = "left"
components = ["x"]
[[excavate]]
in = ["dug"]
time = %g
ramp = %g
[[pore_pressure]]
on = "right"
value = 1e6
[[pore_pressure]]
on = "wall"
value = 0
after = "dug"
`, at, at))
		nothing := func() error { return nil }
		out := solver.Observer{Row: nothing, Frame: nothing, Contact: nothing}
		var err error
		if motion {
			err = s.Run(context.Background(), out)
		} else {
			err = statics.Run(context.Background(), s, out)
		}
		if err != nil {
			t.Fatal(err)
		}
		flow := k * 1e6 / 0.8 * 0.2
		within(t, "inflow", column(s, "right.flow"), flow, 0.02*flow)
		within(t, "outflow", column(s, "wall.flow"), -flow, 0.02*flow)
		within(t, "pressure", pressureAt(s, 0.8, 0.1), 5e5, 1e4)
		dx, _ := displacementAt(s, 0.4, 0.1)
		lambda := 14.4e9 * 0.8 / (1.2 * 0.6)
		// the total stress falls by 5 MPa, and the pressure by half as much in the mean
		within(t, "wall", dx, -0.8*(5e6-0.79*5e5)/lambda, 0.02*0.8*5e6/lambda)
		dug := column(s, "pore_mass_excavated")
		moved := math.Abs(column(s, "pore_mass_in")) + math.Abs(column(s, "pore_mass"))
		t.Logf("%d steps, %g kg dug, %g in, residual %g of %g", s.N, dug, column(s, "pore_mass_in"), column(s, "pore_mass_residual"), moved)
		if lost := column(s, "pore_mass_residual"); math.Abs(lost) > 1e-7*moved {
			t.Errorf("of %g kg of fluid %g kg are missing", moved, lost)
		}
		e := s.Energies()
		within(t, "energy residual", e.Residual, 0, 2e-3*(e.Strain+math.Abs(e.ExternalWork)+math.Abs(e.Excavated)))
	}
}

// wall is a grid with the curve "wall" at a third of its length.
type wall struct{ grid }

func (g wall) source() *mesh.Source {
	src := g.grid.source()
	of := mesh.SourceGroup{Name: "wall", Dim: 1, Number: len(src.Groups) + 1}
	for j := range g.ny {
		at := int32(j*(g.nx+1) + g.nx/3)
		of.Elements = append(of.Elements, src.AddLine(at, at+int32(g.nx+1)))
	}
	src.Groups = append(src.Groups, of)
	return src
}

// A body that yields by the pressure of its pores at the start, since nothing presses on it, is an error at
// that pressure.
func TestPressureAtStartThatYields(t *testing.T) {
	const soft = "law = \"j2\"\nyield_stress = 1e4\n[[body]]"
	d, err := deck.Parse("clay.toml", []byte("[analysis]\nduration = 1e-3\nplane = \"strain\"\n[pores]\ninitial = 1e5\n"+strings.Replace(soil, "[[body]]", soft, 1)))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := d.Build(bar(1, 1, 2, 2).source())
	if err == nil {
		_, err = solver.New(m)
	}
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"clay.toml:5:", "carries no load at the start against the pressure of its pores", "without yielding"} {
		if got := d.Locate(err).Error(); !strings.Contains(got, want) {
			t.Errorf("error %q, want %q in it", got, want)
		}
	}
}

// A hole under 6 MPa from all sides breaks as its pressure grows, in motion: with an impervious wall as
// Hubbert and Willis (1957) say, and with fluid that has flowed into the rock for long as Haimson and
// Fairhurst (1967) do, both with what the outer edge at ten radii does (Lame; the pore pressure is 3 MPa
// there): the effective hoop stress at the wall is the strength.
func TestHoleBreaks(t *testing.T) {
	const ground, p0, strength, eta, ratio = 6e6, 3e6, 5e6, 0.79 * 0.6 / 1.6, 10.0
	far := ratio * ratio / (ratio*ratio - 1)
	mean := 1/(2*math.Log(ratio)) - far/(ratio*ratio) // of the steady pressure, over that at the wall
	steady := 2 * eta * (1 - mean)
	for _, of := range []struct {
		name, permeability, hold string
		known                    float64
		tolerance                float64
	}{
		{"Hubbert and Willis", "0 m2", "", (strength + 2*ground*far - p0) / (2*far - 1), 0.03},
		{"Haimson and Fairhurst", "1.9e-13 m2", "[[pore_pressure]]\non = \"left\"\nvalue = [[0, 3e6], FROM]\n[[pore_pressure]]\non = \"right\"\nvalue = 3e6\n", (strength + 2*ground*far - steady*p0) / (2*far - steady), 0.03},
	} {
		from := fmt.Sprintf("[0.003, %g], [0.008, %[1]g], [0.028, %[2]g]", 0.85*of.known, 1.15*of.known)
		rows := strings.Replace(of.hold, "FROM", fmt.Sprintf("[0.6, %g], [1.6, %[1]g], [5.6, %[2]g]", 0.85*of.known, 1.15*of.known), 1) // by the time of the flow
		text := "[analysis]\nduration = 0.028\nplane = \"strain\"\ndamping = { local = 0.5 }\n[pores]\ntime_factor = 200\ninitial = \"3 MPa\"\n" +
			strings.Replace(sandstone, "1.9e-13 m2", of.permeability, 1) + strong + rows + "[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[fix]]\non = \"top\"\ncomponents = [\"x\"]\n" +
			"[[initial_stress]]\nstress = [-6e6, -6e6, 0]\n[[load]]\non = \"right\"\npressure = 6e6\n[[load]]\non = \"left\"\npressure = 1\nschedule = [[0, 6e6], " + from + "]\n"
		s := built(t, ring(30, 16, ratio), text)
		broke := math.NaN()
		s.HistoryEvery = 1e-5
		ctx, stop := context.WithCancel(context.Background())
		row := func() error {
			if column(s, "cracks.inserted") > 0 {
				broke = of.known * (0.85 + 0.3*(s.Time-0.008)/0.02)
				stop()
			}
			return nil
		}
		if err := s.Run(ctx, solver.Observer{Row: row, Frame: func() error { return nil }, Contact: func() error { return nil }}); err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		within(t, fmt.Sprintf("%s, pressure at which it breaks, at %.3g s", of.name, s.Time), broke, of.known, of.tolerance*of.known)
	}
}
