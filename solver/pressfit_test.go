package solver

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// ring adds a body between two radii [m] around the origin, of layers and sectors.
func ring(src *mesh.Source, name string, from, to float64, layers, sectors int) {
	base := int32(len(src.X))
	for j := range layers + 1 {
		r := from + (to-from)*float64(j)/float64(layers)
		for i := range sectors {
			a := 2 * math.Pi * float64(i) / float64(sectors)
			src.X = append(src.X, r2.Vec{X: r * math.Cos(a), Y: r * math.Sin(a)})
			src.NodeID = append(src.NodeID, int64(len(src.X)))
		}
	}
	g := mesh.SourceGroup{Name: name, Dim: 2, Number: len(src.Groups) + 1}
	for j := range layers {
		for i := range sectors {
			at := func(j, i int) int32 { return base + int32(j*sectors+i%sectors) }
			a, b, c, d := at(j, i), at(j+1, i), at(j+1, i+1), at(j, i+1)
			for _, t := range [][3]int32{{a, b, c}, {a, c, d}} {
				g.Elements = append(g.Elements, int32(len(src.Triangles)))
				src.Triangles = append(src.Triangles, t)
				src.TriID = append(src.TriID, int64(len(src.Triangles)))
			}
		}
	}
	src.Groups = append(src.Groups, g)
}

// A ring shrunk on a hollow shaft presses as Lame says, whichever of the two carries the
// contact nodes, however small or great the interference; and the work that letting it press
// does is all of the energy that is stored.
func TestPressFit(t *testing.T) {
	const inner, middle, outer, stiffness = 0.01, 0.02, 0.04, 1e15
	for _, interference := range []float64{1e-9, 1e-7, 1e-5, 1e-4} {
		for name, on := range map[string][2]int{"shaft": {0, 1}, "ring": {1, 0}, "both": {0, 1}} {
			t.Run(fmt.Sprintf("%g m, contact nodes on %s", interference, name), func(t *testing.T) {
				src := &mesh.Source{Name: "fit"}
				ring(src, "shaft", inner, middle, 8, 48)
				ring(src, "ring", middle-interference, outer, 12, 48)
				m := model(t, src, steel)
				for i, x := range m.Mesh.X { // neither is held but against motion as a whole
					switch {
					case math.Abs(x.Y) < 1e-12 && x.X > 0 && (math.Abs(x.X-inner) < 1e-12 || math.Abs(x.X-outer) < 1e-12):
						m.Fixes = append(m.Fixes, Fix{Nodes: []int32{int32(i)}, Y: true})
					case math.Abs(x.X) < 1e-12 && x.Y > 0 && (math.Abs(x.Y-inner) < 1e-12 || math.Abs(x.Y-outer) < 1e-12):
						m.Fixes = append(m.Fixes, Fix{Nodes: []int32{int32(i)}, X: true})
					}
				}
				m.Contacts = []SurfaceContact{{
					Name: "fit", Contactor: edges(m.Mesh, on[0]), Opposite: edges(m.Mesh, on[1]), NodesPerElement: 20, TwoSided: name == "both",
					Law: law(t, "linear", map[string]float64{"k": stiffness}), Overlap: contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 0.01},
				}}
				s := start(t, statically(m, 4))
				run(t, s, nil)
				yields := func(from, to, at, sign float64) float64 { // of radius over pressure, over radius
					return ((to*to+from*from)/(to*to-from*from) + sign*steel.Poisson) / steel.Young
				}
				want := interference / (middle*(yields(inner, middle, middle, -1)+yields(middle, outer, middle, 1)) + 1/stiffness)
				got := s.Surfaces[0].Normal / (2 * math.Pi * middle * m.Thickness)
				if math.Abs(got-want) > 0.01*want {
					t.Errorf("pressure %g Pa, want %g Pa", got, want)
				}
				for side := range 2 { // probed on either side
					var on []int32
					for _, i := range edges(m.Mesh, side) {
						if e := &m.Mesh.Edges[i]; math.Abs(r2.Norm(m.Mesh.X[e.A])-middle) < 1e-3 {
							on = append(on, i)
						}
					}
					if p := s.ProbeValues(&Probe{Quantity: "pressure", Region: &ProbeRegion{Edges: on, Take: "mean"}}, 1)[0]; math.Abs(p-want) > 0.02*want {
						t.Errorf("side %d is probed with %g Pa, want %g Pa", side, p, want)
					}
				}
				if e := s.Energies(); math.Abs(e.Residual) > 0.002*e.Strain || math.Abs(s.Ledger.Closed) > 0 {
					t.Errorf("residual %g J of %g J", e.Residual, e.Strain)
				}
			})
		}
	}
}

// Bodies that begin deeper in one another than the edges of either see are an error, not
// bodies that do not touch.
func TestDeepOverlapIsSeen(t *testing.T) {
	for _, c := range []struct {
		interference float64
		deep         bool
	}{{-1e-3, false}, {0, false}, {1e-4, false}, {3e-3, true}, {8e-3, true}} {
		src := &mesh.Source{Name: "fit"}
		ring(src, "shaft", 0.01, 0.02, 8, 48)
		ring(src, "ring", 0.02-c.interference, 0.04, 12, 48)
		m := model(t, src, steel)
		m.Contacts = []SurfaceContact{{
			Name: "fit", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), NodesPerElement: 20,
			Law: law(t, "linear", map[string]float64{"k": 1e13}), Overlap: contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 0.01},
		}}
		m.Duration = 1
		_, err := New(m)
		var deep *contactnodes.DepthError
		if got := errors.As(err, &deep); got != c.deep || !got && err != nil {
			t.Errorf("%g m: %v", c.interference, err)
		} else if got && math.Abs(deep.Deflection-c.interference) > 0.1*c.interference {
			t.Errorf("%g m: %g m deep", c.interference, deep.Deflection)
		}
	}
}

// A static analysis that goes on under another model has increments as at its start.
func TestStaticReplanned(t *testing.T) {
	s := start(t, statically(plate(t), 4))
	s.Planned = 1e-3
	if s.Replan(0); s.Planned != 0.25 || s.Limit != 0.25 {
		t.Errorf("planned %g s, limit %g s", s.Planned, s.Limit)
	}
}
