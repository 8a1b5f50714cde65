package solver

import (
	"math"
	"testing"

	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// A plate pulled by its end has the stress and the strain that Hooke's law says,
// in one triangle, in all, at most and at least; the reactions of its nodes add
// up to the drive's.
func TestProbesOfAPulledPlate(t *testing.T) {
	const displacement = 1e-5
	m := statically(pulled(t, models.PrescribedMotion{At: func(t float64) float64 { return displacement * t }}), 1)
	corner := r2.Vec{}
	for i, x := range m.Mesh.X {
		if x == corner {
			m.Fixes = append(m.Fixes, models.Fix{Name: "corner", Nodes: []int32{int32(i)}, Y: true})
		}
	}
	s := start(t, m)
	run(t, s, nil)
	all := &models.ProbeRegion{}
	for i := range m.Mesh.Triangles {
		all.Triangles = append(all.Triangles, int32(i))
	}
	e := displacement / 0.02
	sigma := steel.Young * e
	for _, take := range []string{"mean", "max", "min"} {
		all.Take = take
		for _, region := range []*models.ProbeRegion{all, {Triangles: []int32{7}, Take: take}} {
			for _, c := range []struct {
				quantity string
				want     []float64
				unit     float64
			}{
				{"stress", []float64{sigma, 0, 0, 0}, sigma}, {"von_mises", []float64{sigma}, sigma},
				{"strain", []float64{e, -steel.Poisson * e, 0}, e},
			} {
				got := s.ProbeValues(&models.Probe{Quantity: c.quantity, Region: region}, len(c.want))
				if len(got) != len(c.want) {
					t.Fatalf("%s has %d components", c.quantity, len(got))
				}
				for i := range got {
					if math.Abs(got[i]-c.want[i]) > 2e-3*c.unit {
						t.Errorf("%s of %s: %v, want %v", take, c.quantity, got, c.want)
						break
					}
				}
			}
		}
	}
	nodes := m.Drives[0].Nodes
	pull := s.ProbeValues(&models.Probe{Quantity: "reaction", Region: &models.ProbeRegion{Nodes: nodes, Take: "sum"}}, 2)
	if want := s.Reactions()[1]; want.Kind != "fix" || math.Abs(pull[0]-sigma*0.01*m.Thickness) > 2e-3*pull[0] {
		t.Errorf("the nodes' reactions add up to %v N, want %g N", pull, sigma*0.01*m.Thickness)
	}
	way2 := s.ProbeValues(&models.Probe{Quantity: "displacement", Region: &models.ProbeRegion{Nodes: nodes, Take: "max"}}, 2)
	if math.Abs(way2[0]-displacement) > 1e-15 {
		t.Errorf("the end has gone %g m", way2[0])
	}
	if none := s.ProbeValues(&models.Probe{Quantity: "pressure", Region: &models.ProbeRegion{Contact: &corner, Take: "mean"}}, 1); none[0] != 0 {
		t.Errorf("a contact node that there is not: %v", none)
	}
}

// The mean pressure under a plate times its area is what presses it.
func TestProbeOfPressure(t *testing.T) {
	m := pressed(t, 20, 10, law(t, "linear", map[string]float64{"k": 1e13}))
	s := start(t, m)
	run(t, s, nil)
	c := s.Surfaces[0]
	length := 0.0
	var edges []int32
	for _, e := range m.Contacts[0].Contactor {
		edges = append(edges, e)
		edge := m.Mesh.Edges[e]
		length += r2.Norm(r2.Sub(m.Mesh.X[edge.B], m.Mesh.X[edge.A]))
	}
	mean := s.ProbeValues(&models.Probe{Quantity: "pressure", Region: &models.ProbeRegion{Edges: edges, Take: "mean"}}, 1)[0]
	most := s.ProbeValues(&models.Probe{Quantity: "pressure", Region: &models.ProbeRegion{Edges: edges, Take: "max"}}, 1)[0]
	if force := mean * length * m.Thickness; math.Abs(force-c.Normal) > 0.01*c.Normal || !(most >= mean) {
		t.Errorf("the mean pressure stands for %g N, the contact carries %g N; at most %g Pa of %g on the mean", force, c.Normal, most, mean)
	}
	at := m.Mesh.X[m.Mesh.Edges[edges[len(edges)/2]].A]
	if one := s.ProbeValues(&models.Probe{Quantity: "pressure", Region: &models.ProbeRegion{Contact: &at, Take: "mean"}}, 1)[0]; !(one > 0) || one > most {
		t.Errorf("a contact node under %g Pa, at most %g", one, most)
	}
}

// The contact force on bodies is that of spheres, too: what they take from one another is zero in the sum.
func TestProbeOfForcesBySpheres(t *testing.T) {
	m := spheresOnBodies(t)
	m.Duration, m.HistoryEvery = 5e-5, 2e-6
	s := start(t, m)
	var all []int32
	for n := range m.Mesh.X {
		all = append(all, int32(n))
	}
	most := 0.0
	run(t, s, func() {
		f := s.ProbeValues(&models.Probe{Quantity: "contact_force", Region: &models.ProbeRegion{Nodes: all, Take: "sum"}}, 2)
		one := r2.Vec{}
		for _, n := range all {
			v := s.ProbeValues(&models.Probe{Quantity: "contact_force", Node: n}, 2)
			one.X, one.Y = one.X+v[0], one.Y+v[1]
		}
		back := r2.Vec{}
		for _, v := range s.Spheres().F {
			back = r2.Add(back, v)
		}
		size := math.Hypot(f[0], f[1])
		most = max(most, size)
		if math.Hypot(f[0]+back.X, f[1]+back.Y) > 1e-9*(1+most) || math.Hypot(f[0]-one.X, f[1]-one.Y) > 1e-9*(1+most) {
			t.Fatalf("at %g s probes have (%g, %g) N and %v N, spheres %v N", s.Time, f[0], f[1], one, back)
		}
	})
	if !(most > 1) {
		t.Errorf("probes have at most %g N", most)
	}
}
