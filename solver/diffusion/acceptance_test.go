package diffusion_test

import (
	"math"
	"strings"
	"testing"

	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

const heldAll = "[[fix]]\non = \"rock\"\n"

// A half space whose surface is raised, and one under a constant flux (Carslaw and Jaeger, Conduction
// of Heat in Solids, 1959, 2.5 and 2.9).
func TestHalfSpace(t *testing.T) {
	s := ran(t, bar(1, 0.01, 200, 2), inStatics("1 h", 10, "")+granite+heldAll+"[[temperature]]\non = \"left\"\nvalue = \"120 degC\"\n")
	for _, p := range [][2]float64{{0.02, 84.4406}, {0.05, 62.3672}, {0.1, 32.6441}} {
		within(t, "raised", above(s, p[0], 0.005), p[1], 0.2)
	}
	within(t, "heat taken up", column(s, "heat_stored")/0.01, 16912100, 0.002*16912100)
	closes(t, s)
	s = ran(t, bar(1, 0.01, 200, 2), inStatics("1 h", 10, "")+granite+heldAll+"[[heat_flux]]\non = \"left\"\nflux = \"2 kW/m2\"\n")
	for _, p := range [][2]float64{{0, 54.2056}, {0.02, 41.9129}, {0.05, 27.2692}, {0.1, 11.7291}} {
		within(t, "flux", above(s, p[0], 0.005), p[1], 0.2)
	}
	within(t, "heat of the flux", column(s, "heat_in"), 2000*0.01*3600, 1e-6)
	closes(t, s)
}

// A slab cooled on one side (Carslaw and Jaeger, 3.11), a thin plate cooled on both, and a fin.
func TestConvection(t *testing.T) {
	s := ran(t, bar(0.1, 0.01, 20, 2), inStatics("1 h", 10, "")+granite+heldAll+"[[convection]]\non = \"right\"\ncoefficient = \"80 W/(m2 K)\"\nambient = \"-80 degC\"\n")
	for _, p := range [][2]float64{{0, 59.7036}, {0.05, 49.9541}, {0.1, 23.8434}} {
		within(t, "slab", above(s, p[0], 0.005)+100, p[1], 0.25)
	}
	closes(t, s)
	plate := strings.NewReplacer(`"3 W/(m K)"`, `"50 W/(m K)"`, "density = 2600", "density = 7800", "800 J", "480 J").Replace(granite)
	s = ran(t, bar(0.02, 0.01, 4, 2), inStatics("1200 s", 10, "")+plate+heldAll+"[[convection]]\non = \"top\"\ncoefficient = 15\nambient = \"-80 degC\"\n[[convection]]\non = \"bottom\"\ncoefficient = 15\nambient = \"-80 degC\"\n")
	within(t, "plate", above(s, 0.01, 0.005)+100, 38.2304, 0.1)
	closes(t, s)
	s = ran(t, bar(0.1, 0.004, 50, 2), inStatics("1 s", 1, "")+"steady = true\n"+plate+heldAll+"[[temperature]]\non = \"left\"\nvalue = \"120 degC\"\n[[convection]]\non = \"top\"\ncoefficient = 40\n[[convection]]\non = \"bottom\"\ncoefficient = 40\n")
	within(t, "fin, middle", above(s, 0.05, 0.002), 41.0154, 0.2)
	within(t, "fin, tip", above(s, 0.1, 0.002), 26.5802, 0.13)
	within(t, "fin, heat at the base", column(s, "left.heat"), 385.611, 1.9)
	within(t, "fin, what flows in flows out", column(s, "heat_in"), 0, 1e-8*385)
}

// Blocks that are held while they are warmed by 0.1 K, and one that is free (Hooke's law with free
// strains). Green's strain of the last is exact at 100 K, too.
func TestRestrained(t *testing.T) {
	const e, warming = 30e9 * 1e-5 * 0.1, "[[temperature]]\non = \"rock\"\nvalue = \"20.1 degC\"\n"
	x, y := "[[fix]]\non = \"left\"\ncomponents = [\"x\"]\n[[fix]]\non = \"right\"\ncomponents = [\"x\"]\n", "[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n"
	top, left := "[[fix]]\non = \"top\"\ncomponents = [\"y\"]\n", "[[fix]]\non = \"left\"\ncomponents = [\"x\"]\n"
	for _, c := range []struct {
		name, plane, fix string
		xx, yy, zz       float64
	}{
		{"bar held in x, plane stress", "stress", x + y, -e, 0, 0},
		{"held in x, plane strain", "strain", x + y, -e / 0.75, 0, -e / 0.75},
		{"held in x and y, plane stress", "stress", x + y + top, -e / 0.75, -e / 0.75, 0},
		{"held in x and y, plane strain", "strain", x + y + top, -2 * e, -2 * e, -2 * e},
		{"free, plane strain", "strain", left + y, 0, 0, -e},
	} {
		s := ran(t, bar(1, 1, 3, 3), inStatics("1 s", 1, "plane = \""+c.plane+"\"\n")+granite+warming+c.fix)
		got := s.Kinds.Triangles.Stress(7, s.X, s.Plane)
		for _, v := range [][2]float64{{got.XX, c.xx}, {got.YY, c.yy}, {got.ZZ, c.zz}} {
			within(t, c.name, v[0], v[1], 3e-6*e)
		}
		closes(t, s)
	}
	s := ran(t, bar(1, 1, 3, 3), inStatics("1 s", 1, "plane = \"strain\"\n")+granite+strings.Replace(warming, "20.1", "120", 1)+left+y)
	stretch := 0.0
	for _, x := range s.X {
		stretch = max(stretch, x.X)
	}
	within(t, "free by 100 K, strain", 0.5*(stretch*stretch-1), 0.00125, 1e-10)
	closes(t, s)
}

// A thick cylinder with a steady temperature (Timoshenko and Goodier, art. 135, with the axial strain
// zero).
func TestThickCylinder(t *testing.T) {
	checkCylinder(t, granite, 1e-4)
	checkCylinder(t, strings.Replace(granite, "[[body]]", "law = \"j2\"\nyield_stress = \"1e12 Pa\"\n[[body]]", 1), 1e-3) // whose strain is logarithmic, in one increment
}

func checkCylinder(t *testing.T, granite string, residual float64) {
	t.Helper()
	ring := grid{nx: 40, ny: 24, at: func(u, v float64) r2.Vec {
		r, sin, cos := math.Pow(3, u), math.Sin(v*math.Pi/2), math.Cos(v*math.Pi/2)
		return r2.Vec{X: r * cos, Y: r * sin}
	}}
	s := ran(t, ring, inStatics("1 s", 1, "plane = \"strain\"\n")+"steady = true\n"+granite+
		"[[temperature]]\non = \"left\"\nvalue = \"120 degC\"\n[[temperature]]\non = \"right\"\nvalue = \"20 degC\"\n[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[fix]]\non = \"top\"\ncomponents = [\"x\"]\n")
	worst := 0.0
	for i, x := range s.Mesh.X {
		worst = max(worst, math.Abs(s.Kinds.Heat.Temperature(int32(i))-s.Heat.Initial-100*math.Log(3/math.Hypot(x.X, x.Y))/math.Log(3)))
	}
	within(t, "temperature, greatest difference", worst, 0, 0.05)
	ua := s.X[0].X - s.Mesh.X[0].X
	for i, x := range s.Mesh.X {
		switch {
		case math.Hypot(x.X-1, x.Y) < 1e-9:
			ua = s.X[i].X - x.X
		case math.Hypot(x.X-3, x.Y) < 1e-9:
			within(t, "displacement outside", s.X[i].X-x.X, 0.00123795, 0.01*0.00123795)
		}
	}
	within(t, "displacement inside", ua, 0.00041265, 0.01*0.00041265)
	const b, a = 3.0, 1.0
	hoop := func(r float64) float64 { // for 100 K inside
		c := 30e9 * 1e-5 * 100 / (2 * 0.75 * math.Log(b/a))
		return c * (1 - math.Log(b/r) - a*a/(b*b-a*a)*(1+b*b/(r*r))*math.Log(b/a))
	}
	worst = 0
	for i, n := range s.Mesh.Triangles {
		p, q, o := s.Mesh.X[n[0]], s.Mesh.X[n[1]], s.Mesh.X[n[2]]
		x, y := (p.X+q.X+o.X)/3, (p.Y+q.Y+o.Y)/3
		r := math.Hypot(x, y)
		c, sn := x/r, y/r
		f := s.Kinds.Triangles.Stress(i, s.X, s.Plane)
		worst = max(worst, math.Abs(f.XX*sn*sn+f.YY*c*c-2*f.XY*sn*c-hoop(r)))
	}
	within(t, "hoop stress, greatest difference over that inside", worst/26795200, 0, 0.02)
	closesTo(t, s, residual)
}

var bimaterial = inStatics("1 s", 1, "") + `
[[material]]
name = "steel"
young = "200 GPa"
poisson = 0.3
density = 7800
expansion = "1.2e-5 1/K"
[[material]]
name = "aluminium"
young = "70 GPa"
poisson = 0.3
density = 2700
expansion = "2.3e-5 1/K"
[[body]]
name = "steel"
material = "steel"
[[body]]
name = "aluminium"
material = "aluminium"
[[temperature]]
on = "steel"
value = "120 degC"
[[temperature]]
on = "aluminium"
value = "120 degC"
[[fix]]
on = "bottom"
components = ["y"]
[[fix]]
node_near = [0, 0]
components = ["x"]
`

// strip is two layers along y.
func strip(nx, ny int) grid {
	return grid{nx: nx, ny: ny, at: func(u, v float64) r2.Vec { return r2.Vec{X: 0.02 * u, Y: 0.4 * v} }, bodies: func(u float64) string {
		if u < 0.5 {
			return "steel"
		}
		return "aluminium"
	}}
}

// A strip of two metals bends as it is warmed, with five triangles across each (Timoshenko, J. Opt. Soc. Am. 11, 233, 1925).
func TestBimaterialStrip(t *testing.T) {
	s := ran(t, strip(10, 200), bimaterial)
	within(t, "deflection", deflection(s), 0.00613699, 0.04*0.00613699)
	closesTo(t, s, 1e-3) // one increment of a strip that turns
}

// deflection returns how far the end of the strip moves along x against its middle, at the interface. Both move with
// the thickness of the steel.
func deflection(s *solver.Solver) float64 {
	end, _ := displacementAt(s, 0.01, 0.4)
	middle, _ := displacementAt(s, 0.01, 0)
	return math.Abs(end - middle)
}

// A borehole that is warmed: temperature by Laplace's transform, the hoop stress at the wall is
// -E alpha T/(1-nu) at all times, and the wall does not move.
func TestHeatedBorehole(t *testing.T) {
	const far = 40
	ring := grid{nx: 48, ny: 16, at: func(u, v float64) r2.Vec {
		r := 0.1 * math.Pow(far, u)
		return r2.Vec{X: r * math.Cos(v*math.Pi/2), Y: r * math.Sin(v*math.Pi/2)}
	}}
	s := ran(t, ring, inStatics("24 h", 8, "plane = \"strain\"\n")+granite+
		"[[temperature]]\non = \"left\"\nvalue = \"120 degC\"\n[[fix]]\non = \"bottom\"\ncomponents = [\"y\"]\n[[fix]]\non = \"top\"\ncomponents = [\"x\"]\n")
	for _, p := range [][2]float64{{0.2, 64.8342}, {0.4, 31.2574}, {0.8, 6.51571}} {
		best, got := math.Inf(1), 0.0 // linear in the logarithm of r between the nodes on x
		_ = best
		var r0, t0 float64
		for i, x := range s.Mesh.X {
			if x.Y > 1e-12 || x.X > p[0] || x.X < r0 {
				continue
			}
			r0, t0 = x.X, above(s, s.Mesh.X[i].X, 0)
		}
		r1 := r0 * math.Pow(far, 1.0/48)
		t1 := above(s, r1, 0)
		got = t0 + (t1-t0)*math.Log(p[0]/r0)/math.Log(r1/r0)
		within(t, "temperature", got, p[1], 0.02*p[1])
	}
	hoop, want, n := 0.0, 0.0, 0.0 // mean of the first ring
	for i, tri := range s.Mesh.Triangles {
		p, q, o := s.Mesh.X[tri[0]], s.Mesh.X[tri[1]], s.Mesh.X[tri[2]]
		x, y := (p.X+q.X+o.X)/3, (p.Y+q.Y+o.Y)/3
		if r := math.Hypot(x, y); r < 0.1*math.Pow(far, 1.0/48) {
			f := s.Kinds.Triangles.Stress(i, s.X, s.Plane)
			c, sn := x/r, y/r
			hoop += f.XX*sn*sn + f.YY*c*c - 2*f.XY*sn*c
			theta := 0.0
			for _, k := range tri {
				theta += (s.Kinds.Heat.Temperature(k) - s.Heat.Initial) / 3
			}
			within := 0.5 * (100 + theta) * 0.5 * (r*r - 0.01) // integral of T r from the wall
			want -= 30e9 * 1e-5 / 0.75 * (theta - within/(r*r))
			n++
		}
	}
	t.Logf("mean hoop stress of the first ring %.4g Pa, at the wall -40e6 Pa", hoop/n)
	within(t, "hoop stress at the middles of the first ring", hoop/n, want/n, 0.04*40e6)
	for i, x := range s.Mesh.X {
		if math.Abs(x.X-0.1) < 1e-9 {
			within(t, "displacement of the wall over 1 m of free expansion", (s.X[i].X-x.X)/1e-3, 0, 0.005)
		}
	}
	closes(t, s)
}
