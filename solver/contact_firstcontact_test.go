package solver

import (
	"fmt"
	"math"
	"testing"

	"fdem/contactnodes"
	"fdem/materials/bulk"
	"fdem/materials/contact"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// dropped is a block of 20 mm by 15 mm, tilted by so many degrees, that comes
// down with the speed of a fall from 1 mm, and with another along the ground: a
// rigid line, or a meshed slab.
func dropped(t testing.TB, material bulk.Elastic, degrees, along float64, slab bool, l contact.Law, friction contactnodes.Friction, soft float64) *models.Model {
	const cell = 2.5e-3
	down := math.Sqrt(2 * gravity * 1e-3)
	c := math.Sqrt(material.Young / material.Density)
	src := &mesh.Source{Name: "drop"}
	rectangle(src, "block", 0, 0, 0.02, 0.015, 8, 6)
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	low := 0.0
	for i, x := range src.X {
		src.X[i] = r2.Vec{X: cos*x.X - sin*x.Y, Y: sin*x.X + cos*x.Y}
		low = min(low, src.X[i].Y)
	}
	gap := 100 * down * cell / c
	for i := range src.X {
		src.X[i].Y += gap - low
	}
	if slab {
		rectangle(src, "slab", -0.0213, -0.01, 0.06, 0.01, 20, 4)
	}
	m := model(t, src, material)
	if slab {
		var held []int32
		for i, x := range m.Mesh.X {
			if x.Y < -0.01+1e-9 {
				held = append(held, int32(i))
			}
		}
		m.Fixes = []models.Fix{{Nodes: held, X: true, Y: true}}
	} else {
		m.Mesh = m.Mesh.With([]mesh.Outline{floor(0)})
		m.Rigids = []models.Rigid{{Name: "floor", Material: -1}}
	}
	m.Bodies[0].Velocity = r2.Vec{X: along, Y: -down}
	m.Contacts = []models.SurfaceContact{{Name: "touch", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 1), TwoSided: slab, NodesPerElement: 20, Law: l, Friction: friction}}
	m.Duration = gap/down + (2+degrees/5)*(math.Pi*math.Sqrt(material.Density*0.015/soft)+4*0.015/c) + 0.5*degrees/30*cell/20/down
	m.HistoryEvery = m.Duration / 200
	return m
}

// A long run of bodies without dissipation has shorter steps from its start. A run with damping has
// not.
func TestLongElasticRunsTakeCare(t *testing.T) {
	step := func(duration, damping float64) float64 {
		m := dropped(t, bulk.Elastic{Young: 5e6, Poisson: 0.3, Density: 1100}, 0, 0, false, law(t, "linear", map[string]float64{"k": 1e9}), contactnodes.Friction{}, 1e6)
		m.Duration, m.Damping.Mass = duration, damping
		return start(t, m).Limit
	}
	if short, long := step(0.1, 0), step(1e3, 0); long != carefulShare*short {
		t.Errorf("steps of %g s in a long run, of %g s in a short one", long, short)
	}
	if short, long := step(0.1, 1), step(1e3, 1); long != short {
		t.Errorf("with damping, steps of %g s in a long run, of %g s in a short one", long, short)
	}
}

// landings are how a block of the drops meets what it falls on: turned by degrees, on a
// rigid line or on an elastic slab.
var landings = []struct {
	degrees float64
	slab    bool
}{{0, false}, {5, false}, {30, false}, {0, true}, {5, true}, {30, true}}

// First contact creates no energy, for any stiffness, law and friction:
// flat, nearly flat and on a corner.
//
// A third of the drops, each law with two landings, runs without -whole.
func TestNoEnergyAtContact(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes hundreds of drops")
	}
	const mu = 0.3
	for _, material := range []bulk.Elastic{steel, rubber} {
		suited := material.Young / 2.5e-3
		rough := kostek(t)
		if material == rubber {
			rough = law(t, "kostek", map[string]float64{ // 0.01 mm deep at 100 Pa, 0.1 mm at 10 kPa
				"e_p": 1e-7, "m_p": 0.5, "e_e": 5e-7, "m_e": 0.5, "e_l": 1e-7, "e_u": 2e-7, "m_ep": 0.5,
			})
		}
		type variant struct {
			name     string
			law      contact.Law
			friction contactnodes.Friction
			along    float64 // speed [m/s]
			k        float64 // a stiffness like that of the law [Pa/m]
		}
		variants := []variant{
			{name: "kostek", law: rough, k: 0.1 * suited},
			{name: "kostek, sticks", law: rough, k: 0.1 * suited, friction: sticky(mu), along: 0.1},
		}
		for _, f := range []float64{0.01, 0.1, 1, 10, 100} {
			k, name := f*suited, fmt.Sprintf("%g E/h", f)
			damped := func(ratio float64) contact.Law {
				return law(t, "linear", map[string]float64{"k": k, "c": 2 * ratio * math.Sqrt(k*material.Density*0.015)})
			}
			variants = append(variants,
				variant{name: name, law: damped(0), k: k},
				variant{name: name + ", sticks", law: damped(0), k: k, friction: sticky(mu), along: 0.1},
				variant{name: name + ", damped 0.1", law: damped(0.1), k: k},
				variant{name: name + ", damped 1", law: damped(1), k: k},
				variant{name: name + ", damped 0.5, sticks", law: damped(0.5), k: k, friction: sticky(mu), along: 0.1},
			)
		}
		for i, w := range variants {
			for j, on := range landings {
				if (i+j)%3 > 0 && !*everything {
					continue
				}
				m := dropped(t, material, on.degrees, w.along, on.slab, w.law, w.friction, w.k)
				s := start(t, m)
				worst, touched := 0.0, false
				run(t, s, func() {
					worst = max(worst, s.Relative(s.Energies()))
					touched = touched || s.Surfaces[0].Active > 0
				})
				name := fmt.Sprintf("%s, %s, at %g degrees, slab %v", material.Name, w.name, on.degrees, on.slab)
				t.Logf("%s: residual %.2g at worst, %.2g in the end; %d steps", name, worst, s.Relative(s.Energies()), s.N)
				if worst > 1e-3 || !touched {
					t.Errorf("%s: residual %g, touched: %v", name, worst, touched)
				}
			}
		}
	}
}
