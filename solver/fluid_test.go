package solver_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// graded returns places from 0 on: steps of h up to fine, then growing by a factor to end.
func graded(h, fine, end, factor float64) (at []float64) {
	for i := range int(math.Round(fine/h)) + 1 {
		at = append(at, h*float64(i))
	}
	for step := h * factor; at[len(at)-1] < end-1e-9; step *= factor {
		next := at[len(at)-1] + step
		if end-next < step {
			next = end
		}
		at = append(at, next)
	}
	return at
}

// halfPlane is the right half of a plane with a straight seam from (0, 0) along x: "notch"
// up to a length, "seam" beyond; "mouth" is the edges beside (0, 0) on the axis, "axis" all
// of it, "far" the other sides [m].
func halfPlane(h, notch, fine, size float64) *mesh.Source {
	src := &mesh.Source{Name: "rock"}
	xs, ys := graded(h, fine, size, 1.25), graded(h, 4*h, size, 1.25)
	n := len(ys)
	ids := map[[2]int]int32{}
	node := func(i, j int) int32 { // j from 1-n to n-1
		id, ok := ids[[2]int{i, j}]
		if !ok {
			y := ys[max(j, -j)]
			if j < 0 {
				y = -y
			}
			id = src.AddNode(r2.Vec{X: xs[i], Y: y})
			ids[[2]int{i, j}] = id
		}
		return id
	}
	rock := mesh.SourceGroup{Name: "rock", Dim: 2, Number: 1}
	for j := 1 - n; j < n-1; j++ {
		for i := range len(xs) - 1 {
			a, b, c, d := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
			up := j >= 0
			if (i+max(j, -j-1))%2 == 0 == up {
				rock.Elements = append(rock.Elements, src.AddTriangle(a, b, c), src.AddTriangle(a, c, d))
			} else {
				rock.Elements = append(rock.Elements, src.AddTriangle(a, b, d), src.AddTriangle(b, c, d))
			}
		}
	}
	src.Groups = append(src.Groups, rock)
	line := func(name string, nodes ...int32) {
		g := mesh.SourceGroup{Name: name, Dim: 1, Number: 1 + len(src.Groups)}
		for i := range len(nodes) - 1 {
			g.Elements = append(g.Elements, src.AddLine(nodes[i], nodes[i+1]))
		}
		src.Groups = append(src.Groups, g)
	}
	var along, axis, far []int32
	for i := range xs {
		along = append(along, node(i, 0))
		far = append(far, node(i, 1-n))
	}
	for j := 1 - n; j < n; j++ {
		axis = append(axis, node(0, j))
		far = append(far, node(len(xs)-1, j))
	}
	for i := len(xs) - 1; i >= 0; i-- {
		far = append(far, node(i, n-1))
	}
	at := int(math.Round(notch / h))
	line("notch", along[:at+1]...)
	line("seam", along[at:]...)
	line("mouth", axis[n-2:n+1]...)
	line("axis", axis...)
	line("far", far...)
	return src
}

// rockBody is the rock of the decks with a fluid.
const rockBody = `[[material]]
name = "rock"
young = "30 GPa"
poisson = 0.25
density = "2600 kg/m3"
[[body]]
name = "rock"
material = "rock"
`

// rock is a deck of the half plane under a stress [Pa], with a fluid.
func rock(duration string, stress float64, more string) string {
	return fmt.Sprintf(`
[analysis]
duration = "%s"
plane = "strain"
%s
`+rockBody+`[[initial_stress]]
stress = [%g, %g, 0.0]
[[fix]]
on = "axis"
components = ["x"]
[[fix]]
on = "far"
[[joint]]
on = "notch"
friction = 0.6
`, duration, more, -stress, -stress)
}

// seamOf is a seam of toughness 1 MPa sqrt m that breaks.
const seamOf = `
[[fracture]]
on = "seam"
tensile_strength = "5 MPa"
cohesion = "50 MPa"
friction = 0.6
energy_tension = "31.25 J/m2"
energy_shear = "31.25 J/m2"
`

// ran runs a solver to its end.
func ran(s *solver.Solver) error {
	do := func() error { return nil }
	return s.Run(context.Background(), solver.Observer{Row: do, Frame: do, Contact: do})
}

// A crack under one pressure comes to the volume and the mouth of theory as edges get short,
// V = 2 pi p a^2/E', w = 4 p a/E', and the rock stores half of what the fluid does.
func TestCrackUnderPressure(t *testing.T) {
	const a, p, ep = 0.1, 2e6, 32e9
	var volumes, mouths []float64
	for _, edges := range []float64{10, 20} {
		v, w := pressedOpen(t, a, p, a/edges)
		volumes, mouths = append(volumes, v/(math.Pi*p*a*a/ep)), append(mouths, w/(4*p*a/ep))
	}
	t.Logf("volumes %.4f, mouths %.4f of theory", volumes, mouths)
	for _, of := range [][]float64{volumes, mouths} {
		coarse, fine := math.Abs(of[0]-1), math.Abs(of[1]-1)
		if fine > 0.06 || coarse/fine < 1.5 || math.Abs(2*of[1]-of[0]-1) > 0.02 { // of first order, as the edge at the tip is
			t.Errorf("%v of theory with 10 and 20 edges", of)
		}
	}
}

// pressedOpen returns the volume of one wing of a crack of length a under a pressure, and how
// far it is open at its mouth.
func pressedOpen(t *testing.T, a, p, h float64) (volume, mouth float64) {
	s := meshed(t, rock("3 ms", 0, "damping = { local = 0.3 }")+`
[[fluid]]
name = "oil"
well = "mouth"
pressure = "2 MPa"
schedule = [[0, 0], ["1.5 ms", 1]]
`, halfPlane(h, a, a, 3))
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	f, e := s.FluidStates()[0], s.Energies()
	for i := range s.Cracks().Cracks() {
		ch, _ := s.Cracks().Channel(s.Cracks().Crack(i).Edge, s.X)
		mouth = max(mouth, ch.Opening[0], ch.Opening[1])
	}
	if f.Pressure != p || math.Abs(f.Length-(a-h/2)) > 1e-9 { // its tip has not parted
		t.Errorf("%g Pa in %g m", f.Pressure, f.Length)
	}
	if u := p * f.InCracks / 2; math.Abs(e.Strain/u-1) > 2e-3 || math.Abs(e.Residual) > 1e-4*u {
		t.Errorf("the rock stores %g J, want %g; residual %g J", e.Strain, u, e.Residual)
	}
	return f.InCracks, mouth
}

// A fracture driven by a fluid without viscosity (toughness, Khristianovic, Geertsma and de
// Klerk) has the length and pressure of theory, whatever stress closes it, and every joule
// and litre is accounted for.
func TestToughnessFracture(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const rate, ep, tough, notch, time = 1e-3, 32e9, 1e6, 0.03, 8e-3 // of both wings
	length := math.Pow(ep*rate*time/(2*math.Sqrt(math.Pi)*tough), 2./3)
	pressure := tough / math.Sqrt(math.Pi*length)
	var lengths []float64
	for _, stress := range []float64{0, 10e6, 20e6} {
		s := meshed(t, rock("8 ms", stress, "")+seamOf+`
[[fluid]]
name = "water"
well = "mouth"
rate = "5e-4 m3/s"
volume = "1e-6 m3"
`, halfPlane(5e-3, notch, 0.25, 2))
		pumped := 0.0
		if err := ran(s); err != nil {
			t.Fatal(err)
		}
		e, f := s.Energies(), s.FluidStates()[0]
		pumped = e.ExternalWork
		a := notch + e.FractureDissipated/31.25
		lengths = append(lengths, a)
		t.Logf("stress %g MPa: length %.4f of theory, net pressure %.4f; %+v; %+v", stress/1e6, a/length, (f.Pressure-stress)/pressure, f, e)
		if math.Abs(a/length-1) > 0.04 || math.Abs((f.Pressure-stress)/pressure-1) > 0.07 {
			t.Errorf("stress %g Pa: %g m and %g Pa over it, want %g and %g", stress, a, f.Pressure-stress, length, pressure)
		}
		if math.Abs(e.Residual) > 2e-4*pumped { // most of it as cohesion is paid for
			t.Errorf("residual %g J of %g J", e.Residual, pumped)
		}
		if e.FluidDissipated < 0 || e.FluidDissipated > 1e-3*pumped {
			t.Errorf("steps lose %g J of %g J", e.FluidDissipated, pumped)
		}
		if in := 1e-6 + f.Injected; math.Abs(f.InCracks+1e-6-in/(1+f.Pressure/2.2e9)) > 1e-4*in {
			t.Errorf("%g m3 in cracks, pumped in %g m3", f.InCracks, f.Injected)
		}
	}
	if slices.Max(lengths)/slices.Min(lengths) > 1.02 {
		t.Errorf("lengths %v depend on the stress", lengths)
	}
}

// ring is rock round a hole [m].
func ring(hole, size float64, round, rows int) *mesh.Source {
	src := &mesh.Source{Name: "ring"}
	grow := math.Pow(size/hole, 1/float64(rows))
	node := func(i, j int) int32 { return int32(j*round + i%round) }
	for j := range rows + 1 {
		r := hole * math.Pow(grow, float64(j))
		for i := range round {
			sin, cos := elementary.Sincos(2 * math.Pi * (float64(i) + 0.5*float64(j%2)) / float64(round))
			src.AddNode(r2.Vec{X: r * cos, Y: r * sin})
		}
	}
	rock := mesh.SourceGroup{Name: "rock", Dim: 2, Number: 1}
	wall, far := mesh.SourceGroup{Name: "hole", Dim: 1, Number: 2}, mesh.SourceGroup{Name: "far", Dim: 1, Number: 3}
	for j := range rows {
		for i := range round {
			a, b, c, d := node(i, j), node(i+1, j), node(i+1, j+1), node(i, j+1)
			if j%2 == 0 {
				rock.Elements = append(rock.Elements, src.AddTriangle(b, a, d), src.AddTriangle(b, d, c))
			} else {
				rock.Elements = append(rock.Elements, src.AddTriangle(b, a, c), src.AddTriangle(a, d, c))
			}
		}
	}
	for i := range round {
		wall.Elements = append(wall.Elements, src.AddLine(node(i, 0), node(i+1, 0)))
		far.Elements = append(far.Elements, src.AddLine(node(i, rows), node(i+1, rows)))
	}
	src.Groups = append(src.Groups, rock, wall, far)
	return src
}

// Gas in a hole comes to rest at the pressure and with the work of theory: u = p R (1+nu)/E.
func TestGasInHole(t *testing.T) {
	const p0, gamma, r, e, nu = 200e6, 1.3, 0.05, 30e9, 0.25
	s := meshed(t, `
[analysis]
duration = "4 ms"
plane = "strain"
damping = { local = 0.3 }
`+rockBody+`[[fix]]
on = "far"
[[fluid]]
name = "gas"
well = "hole"
gas = { pressure = "200 MPa", gamma = 1.3 }
`, ring(r, 1.5, 72, 40))
	if err := ran(s); err != nil {
		t.Fatal(err)
	}
	f, en := s.FluidStates()[0], s.Energies()
	p := p0 // p = p0 (1+u/R)^(-2 gamma) with u = p R (1+nu)/E
	for range 50 {
		p = p0 * math.Pow(1+p*(1+nu)/e, -2*gamma)
	}
	work := p0 * math.Pi * r * r / (gamma - 1) * (1 - math.Pow(p/p0, (gamma-1)/gamma))
	given := s.Ledger.Start.FluidStored - en.FluidStored
	t.Logf("pressure %.6g Pa, theory %.6g; work %.5g J, theory %.5g; %+v", f.Pressure, p, given, work, en)
	if math.Abs(f.Pressure/p-1) > 5e-3 || math.Abs(given/work-1) > 0.02 { // the wall is a polygon, the plane ends
		t.Errorf("pressure %g Pa and work %g J, want %g and %g", f.Pressure, given, p, work)
	}
	if math.Abs(en.Residual) > 5e-3*given { // the gas is let go at once
		t.Errorf("residual %g J of %g J", en.Residual, given)
	}
}

// A free body that its fluid breaks keeps momentum and angular momentum and its energy, by
// any number of workers.
func TestFluidBreaksFreeBody(t *testing.T) {
	var first []r2.Vec
	for _, workers := range []int{1, 3} {
		s := meshed(t, `
[analysis]
duration = "100 us"
safety = 0.4
plane = "strain"
`+rockBody+`velocity = ["3 m/s", "-2 m/s"]
[[fracture]]
in = ["rock"]
tensile_strength = "5 MPa"
cohesion = "15 MPa"
friction = 0.5
energy_tension = "20 J/m2"
energy_shear = "80 J/m2"
[[fluid]]
name = "oil"
well = "hole"
pressure = "20 MPa"
schedule = [[0, 0], ["50 us", 1]]
`, ring(0.02, 0.1, 24, 10))
		s.SetWorkers(workers)
		conserved := func() (p r2.Vec, l float64) {
			v := make([]r2.Vec, len(s.X))
			s.Velocities(v)
			for i, m := range s.Mass {
				p = r2.Add(p, r2.Scale(m, v[i]))
				l += m * r2.Cross(s.X[i], v[i])
			}
			return p, l
		}
		p0, l0 := conserved()
		if err := ran(s); err != nil {
			t.Fatal(err)
		}
		p, l := conserved()
		e, f := s.Energies(), s.FluidStates()[0]
		given := e.ExternalWork
		t.Logf("%d cracks with %g m of fluid, %g J given; %+v", s.Cracks().Cracks(), f.Length, given, e)
		if f.Length < 0.05 || given < 100 {
			t.Errorf("the oil is in %g m of cracks and has given %g J", f.Length, given)
		}
		if r2.Norm(r2.Sub(p, p0)) > 1e-10*r2.Norm(p0) || math.Abs(l-l0) > 1e-10*r2.Norm(p0) {
			t.Errorf("momentum from %v to %v, angular momentum from %g to %g", p0, p, l0, l)
		}
		if math.Abs(e.OfSteps()) > 1e-4*given || e.InsertionWork > 1e-4*given {
			t.Errorf("residual of steps %g J, of cracks %g J, of %g J", e.OfSteps(), e.InsertionWork, given)
		}
		if first == nil {
			first = slices.Clone(s.X)
		} else if !slices.Equal(first, s.X) {
			t.Error("another number of workers moves other bits")
		}
	}
}
