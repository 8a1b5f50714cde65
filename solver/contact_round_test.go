package solver

import (
	"fmt"
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/materials/elementary"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Round outlines whose edges stand for arcs, in motion and statics.

// holdRadius holds the nodes at a radius [m].
func holdRadius(m *models.Model, r float64) {
	for i, x := range m.Mesh.X {
		if math.Abs(r2.Norm(x)-r) < 1e-9 {
			m.Fixes = append(m.Fixes, models.Fix{Nodes: []int32{int32(i)}, X: true, Y: true})
		}
	}
}

// A shaft with a clearance that spins in a hole without friction keeps its spin, whichever edges the
// two have; where polygons interlock it loses half of it here. Nor do they overlap at the start.
func TestShaftSpinsInHole(t *testing.T) {
	t.Parallel()
	for i, sectors := range [][2]int{{32, 32}, {32, 40}, {24, 18}} {
		if LeftOut(t, i, 2) {
			continue
		}
		t.Run(fmt.Sprint(sectors), func(t *testing.T) {
			soft := steel
			soft.Young, soft.Density = 2e9, 1200
			src := &mesh.Source{Name: "journal"}
			ring(src, "shaft", inner, middle*(1-5e-4), 4, sectors[0])
			ring(src, "hub", middle, outer, 4, sectors[1])
			m := model(t, src, soft)
			m.Duration, m.Gravity = 2e-3, r2.Vec{Y: -9810}
			m.Bodies[0].AngularVelocity = 400
			holdRadius(m, outer)
			m.Contacts = []models.SurfaceContact{{
				Name: "fit", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 10, TwoSided: true,
				Law: law(t, "linear", map[string]float64{"k": 5e11}),
			}}
			s := start(t, m)
			spin := func() (l float64) {
				for _, n := range m.Mesh.Bodies[0].Nodes {
					l += s.Mass[n] * elementary.Cross(s.X[n], s.V[n])
				}
				return l
			}
			before, pressed := spin(), 0.0
			run(t, s, func() { pressed = max(pressed, s.Surfaces[0].Normal) })
			if drift := math.Abs(spin() - before); drift > 2e-3*before || !(pressed > 0) {
				t.Errorf("angular momentum changed by %g of %g, pressed by up to %g N", drift, before, pressed)
			}
		})
	}
}

// A ring pressed on a shaft slips at the moment friction times normal force times radius, and the normal
// force stays what it is as the edges pass one another; also where both have as many.
func TestFitSlips(t *testing.T) {
	t.Parallel()
	const friction, part = 0.15, 1e-3
	for i, sectors := range [][2]int{{32, 32}, {32, 40}, {48, 36}} {
		if LeftOut(t, i, 2) {
			continue
		}
		t.Run(fmt.Sprint(sectors), func(t *testing.T) {
			src := &mesh.Source{Name: "fit"}
			ring(src, "shaft", inner, middle, 6, sectors[0])
			ring(src, "ring", middle*(1-part), outer, 6, sectors[1])
			m := model(t, src, steel)
			holdRadius(m, outer)
			var bore []int32
			for i, x := range m.Mesh.X {
				if math.Abs(r2.Norm(x)-inner) < 1e-9 {
					bore = append(bore, int32(i))
				}
			}
			turn := func(at float64) float64 { return 0.3 * max(0, at-0.1) }
			m.Drives = []models.Drive{{Nodes: bore, X: true, Y: true, Rotates: true, Motion: [3]models.PrescribedMotion{2: {At: turn}}}}
			m.Contacts = []models.SurfaceContact{{
				Name: "fit", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 10,
				Friction: contactnodes.Friction{Kinetic: friction, Static: friction, Ratio: contactnodes.MindlinRatio},
				Law:      law(t, "linear", map[string]float64{"k": 1e14}), Overlap: contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 0.01},
			}}
			s := start(t, statically(m, 20))
			least, most := math.Inf(1), 0.0
			run(t, s, func() {
				if c := s.Surfaces[0]; s.Time > 0.5 {
					least, most = min(least, c.Normal), max(most, c.Normal)
					if want := friction * c.Normal * middle; math.Abs(math.Abs(c.Moment)-want) > 0.005*want {
						t.Errorf("turned by %.3g rad: moment %g Nm, want %g Nm", turn(s.Time), c.Moment, want)
					}
				}
			})
			if most > 1.01*least || !(least > 0) {
				t.Errorf("the normal force changes from %g to %g N", least, most)
			}
		})
	}
}
