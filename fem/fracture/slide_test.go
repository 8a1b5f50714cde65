package fracture

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r2"
)

// inclined makes a block with a straight plane of the given slope through its
// middle: cells that are sheared, most in the middle, none at both ends.
func inclined(w, hgt float64, nx, ny int, slope float64) (n net) {
	for j := range ny + 1 {
		for i := range nx + 1 {
			x, y := w*float64(i)/float64(nx), hgt*float64(j)/float64(ny)
			n.x = append(n.x, r2.Vec{X: x, Y: y + slope*(x-w/2)*(1-math.Abs(2*y/hgt-1))})
		}
	}
	for j := range ny {
		for i := range nx {
			a := int32(j*(nx+1) + i)
			b, c, d := a+1, a+int32(nx)+2, a+int32(nx)+1
			n.tri = append(n.tri, [3]int32{a, b, c}, [3]int32{a, c, d})
		}
	}
	return n
}

// squeezed loads the lower and the upper side of a block by a pressure p(t) [Pa].
func squeezed(b *body, n net, w, hgt float64, p func(t float64) float64) {
	share := make([]float64, len(b.x)) // of the vertices [m]
	for _, q := range n.tri {
		for k := range 3 {
			i, j := q[k], q[(k+1)%3]
			if y := n.x[i].Y; math.Abs(y-n.x[j].Y) < 1e-9 && (y < 1e-9 || y > hgt-1e-9) {
				l := math.Copysign(0.5*math.Abs(n.x[i].X-n.x[j].X), 0.5*hgt-y)
				share[b.vertices[i]] += l
				share[b.vertices[j]] += l
			}
		}
	}
	b.load = func(b *body) {
		now := p(b.time)
		for i := range b.x {
			if s := share[b.vertexOf[i]]; s != 0 && b.mass[i] > 0 {
				b.f[i].Y += now * s
			}
		}
	}
}

// A block under axial stress slips along its plane when Mohr and Coulomb say so
// (shared reference D3, 2 c/((1 - mu/tan beta) sin 2 beta) with the plane's
// normal at beta to the load), and goes on sliding, farther than its edges are
// long, with the ledger closed.
func TestInclinedPlane(t *testing.T) {
	const w, cohesion = 20e-3, 1e6
	for _, friction := range []float64{math.Tan(math.Pi / 6), 0.3} {
		for _, beta := range []float64{35, 45, 52, 60, 75} {
			tangent := math.Tan(beta * math.Pi / 180)
			hgt := 60e-3 + 1.5*w*tangent
			n := inclined(w, hgt, 6, 2*int(hgt/6e-3), tangent)
			s := bar()
			s.young, s.poisson = 30e9, 0.2
			s.law.TensileStrength, s.law.Cohesion, s.law.Friction = cohesion, cohesion, friction
			s.law.EnergyTension, s.law.EnergyShear = 2, 2
			s.led = true
			plane := func(p r2.Vec) bool { return math.Abs(p.Y-hgt/2-tangent*(p.X-w/2)) < 1e-9 }
			b := newBody(t, n, s, func(p, q r2.Vec) bool { return plane(p) && plane(q) })
			slip := 2 * cohesion / ((1 - friction/tangent) * math.Sin(2*beta*math.Pi/180))
			const rise = 1e-3 // of the stress to 0.9 of that
			pressure := func(t float64) float64 {
				return slip * math.Min(0.5*t/rise*(1-math.Cos(math.Pi*math.Min(t/rise, 1)))*0.9, 1.2)
			}
			squeezed(b, n, w, hgt, pressure)
			b.run(t, 2*rise, nil)
			inserted, broken := b.crossing()
			far := 0.0
			for i := range b.Cracks() {
				far = math.Max(far, math.Abs(b.Crack(i).Slip)/b.Crack(i).Length)
			}
			t.Logf("friction %.3f, %g degrees: opens at %.4f, broken at %.4f of %.4f MPa; slides by %.1f edges, residual %.1e", friction, beta, pressure(inserted)/slip, pressure(broken)/slip, slip/1e6, far, b.worst/b.peak)
			if b.Cracks() != 6 || !(math.Abs(pressure(inserted)/slip-1) < 0.01) {
				t.Errorf("%g degrees: %d edges open, from %g of the stress on", beta, b.Cracks(), pressure(inserted)/slip)
			}
			if b.worst > 1e-3*b.peak {
				t.Errorf("%g degrees: the ledger is off by %g of %g J", beta, b.worst, b.peak)
			}
		}
	}
}

// The first cracks that open under pressure begin with the potential 0. Else the ledger of a run
// that begins with them would have an error to the end.
func TestFirstCracksBeginWithNothing(t *testing.T) {
	const h = 10e-3
	s := bar()
	s.law.Friction = 0.5
	b := newBody(t, inclined(8*h, 3*h, 8, 3, 0), s, func(a, b r2.Vec) bool { return true })
	e := -2.2 * s.law.Cohesion / s.young
	for i := range b.x {
		b.x[i].Y = b.x0[i].Y * (1 + 1.5*e)
	}
	b.AddForces(b.f, b.x, 0)
	if b.Open(b.x, b.v, b.mass, 0) == 0 {
		t.Fatal("nothing opens")
	}
	unbalanced, _ := b.unbalanced()
	if of := b.Energies(); !(unbalanced > 0) || math.Abs(of.Stored) > 1e-12*unbalanced || of.Insertion > 1e-12*unbalanced {
		t.Errorf("%g J are stored, %g J given out, of %g J that are unbalanced", of.Stored, of.Insertion, unbalanced)
	}
}
