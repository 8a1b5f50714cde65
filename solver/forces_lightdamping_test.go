package solver

import (
	"math"
	"slices"
	"testing"

	"fdem/contactnodes"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/rayleigh"

	"gonum.org/v1/gonum/spatial/r2"
)

// Light damping, which is on by default, dissipates at most a hundredth of the energy of a thrown
// body, for any speed and friction.
func TestLightDampingIsLight(t *testing.T) {
	t.Parallel()
	for _, speed := range []float64{0.5, 5, 20} {
		for _, friction := range []float64{0.05, 0.6} {
			m := thrown(t, speed, friction)
			s := start(t, m)
			most := 0.0
			run(t, s, func() {
				if e := s.Energies(); s.Time > 0 {
					most = max(most, e.DampingDissipated/s.Ledger.Entered)
				}
			})
			if s.damping.Empty() || !s.damping.Light {
				t.Fatal("no light damping")
			}
			t.Logf("%g m/s, friction %g: light damping took %.2g of the energy", speed, friction, most)
			if most > 0.01 || s.LightDampingTook() == "" && most > 2*rayleigh.LightReportedFrom {
				t.Errorf("%g m/s, friction %g: light damping took %g of the energy", speed, friction, most)
			}
		}
	}
}

// thrown is two blocks with weight that collide at a corner. The model does not name damping.
func thrown(t *testing.T, speed, friction float64) *models.Model {
	m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), friction)
	for i := range m.Bodies {
		v := &m.Bodies[i].Velocity
		*v = r2.Scale(speed/2, *v)
	}
	m.Bodies[1].AngularVelocity = 0
	m.Gravity, m.Damping = r2.Vec{Y: -9.81}, models.Damping{Light: true}
	m.Duration = 1e-4 / speed * 4
	m.HistoryEvery = m.Duration / 50
	return m
}

// flung is a rectangle of soft rubber or of stone with a position, an angle and a velocity.
type flung struct {
	centre   r2.Vec
	size     r2.Vec  // [m]
	elements [2]int  // along each
	tilt     float64 // [degrees]
	velocity r2.Vec  // [m/s]
	spin     float64 // [rad/s]
}

// thrownBlocks is blocks above a floor, with weight and friction, in a model that does not name
// damping.
func thrownBlocks(t testing.TB, friction float64, duration float64, blocks ...flung) *models.Model {
	src := &mesh.Source{Name: "blocks"}
	for i, b := range blocks {
		first := len(src.X)
		rectangle(src, string(rune('a'+i)), -b.size.X/2, -b.size.Y/2, b.size.X, b.size.Y, b.elements[0], b.elements[1])
		sin, cos := math.Sincos(b.tilt * math.Pi / 180)
		for j := first; j < len(src.X); j++ {
			x := src.X[j]
			src.X[j] = r2.Vec{X: b.centre.X + cos*x.X - sin*x.Y, Y: b.centre.Y + sin*x.X + cos*x.Y}
		}
	}
	m := model(t, src, rubber)
	m.Mesh = m.Mesh.With([]mesh.Outline{floor(0)})
	m.Rigids = []models.Rigid{{Name: "floor", Material: -1}}
	var all []int32
	for i := range m.Mesh.Bodies {
		all = append(all, edges(m.Mesh, i)...)
	}
	slices.Sort(all)
	for i, b := range blocks {
		m.Bodies[i].Velocity, m.Bodies[i].AngularVelocity = b.velocity, b.spin
	}
	m.Gravity, m.Damping = r2.Vec{Y: -gravity}, models.Damping{Light: true}
	m.Contacts = []models.SurfaceContact{{
		Name: "touch", Contactor: all, Opposite: all, NodesPerElement: 8,
		Law:      law(t, "linear", map[string]float64{"k": 4 * rubber.Young / 0.01}),
		Friction: contactnodes.Friction{Kinetic: friction, Static: friction, Ratio: contactnodes.MindlinRatio, Brake: contactnodes.Braking},
	}}
	m.Duration, m.HistoryEvery = duration, duration/20
	return m
}

// lies returns the height at which the lowest corner of a tilted block is on the floor.
func lies(size r2.Vec, tilt float64) float64 {
	sin, cos := math.Sincos(math.Abs(tilt) * math.Pi / 180)
	return (size.Y*cos + size.X*sin) / 2
}

// Bodies that collide, fall, roll, rock, wobble or collide while they slide keep their energy.
func TestLightDampingOfWhatMoves(t *testing.T) {
	t.Parallel()
	square, slim := r2.Vec{X: 0.04, Y: 0.04}, r2.Vec{X: 0.02, Y: 0.08}
	four, two := [2]int{4, 4}, [2]int{2, 8}
	flat := func(x, above float64, v r2.Vec) flung {
		return flung{r2.Vec{X: x, Y: 0.02 + above}, square, four, 0, v, 0}
	}
	tilted := func(x, tilt float64) flung {
		return flung{r2.Vec{X: x, Y: lies(slim, tilt)}, slim, two, tilt, r2.Vec{}, 0}
	}
	ground := thrownBlocks(t, 0.5, 0.2, flung{r2.Vec{Y: 0.05}, r2.Vec{X: 0.2, Y: 0.1}, [2]int{10, 5}, 0, r2.Vec{}, 0}, flung{r2.Vec{Y: 0.15}, r2.Vec{X: 0.02, Y: 0.02}, [2]int{2, 2}, 0, r2.Vec{}, 0})
	ground.Fixes = []models.Fix{{Nodes: ground.Mesh.Bodies[0].Nodes[:1], X: true, Y: true}}
	for _, n := range ground.Mesh.Bodies[0].Nodes {
		if f := &ground.Fixes[0]; ground.Mesh.X[n].Y == 0 {
			f.Nodes = append(f.Nodes, n)
		}
	}
	for name, m := range map[string]*models.Model{
		"on ground":      ground,
		"drop":           thrownBlocks(t, 0.5, 0.2, flat(0, 0.005, r2.Vec{})),
		"low drop":       thrownBlocks(t, 0.5, 0.2, flat(0, 0.002, r2.Vec{})),
		"oblique":        thrownBlocks(t, 0.5, 0.2, flung{r2.Vec{Y: 0.035}, square, four, 20, r2.Vec{X: 1, Y: -1}, 0}),
		"oblique, slick": thrownBlocks(t, 0.05, 0.2, flung{r2.Vec{Y: 0.035}, square, four, 20, r2.Vec{X: 1, Y: -1}, 0}),
		"thrown":         thrownBlocks(t, 0.3, 0.3, flat(0, 0, r2.Vec{X: 1, Y: 0.5})),
		"tumbles":        thrownBlocks(t, 0.6, 0.4, flung{r2.Vec{Y: 0.03}, square, four, 0, r2.Vec{X: 1}, -30}),
		"rocks":          thrownBlocks(t, 0.6, 0.4, flung{r2.Vec{Y: lies(square, 5)}, square, four, 5, r2.Vec{}, 0}),
		"rocks, slick":   thrownBlocks(t, 0.2, 0.4, flung{r2.Vec{Y: lies(square, 10)}, square, four, 10, r2.Vec{}, 0}),
		"wobbles":        thrownBlocks(t, 0.6, 0.6, tilted(0, 4)), // 7e-7 J at any tilt: the corner takes the weight at once, and vibrates
		"dominoes":       thrownBlocks(t, 0.4, 0.5, tilted(0, -16), tilted(0.04, 0), tilted(0.08, 0)),
		"collide":        thrownBlocks(t, 0.2, 0.1, flat(0, 0, r2.Vec{X: 2}), flat(0.06, 0, r2.Vec{X: -1})),
		"collide slowly": thrownBlocks(t, 0.4, 0.1, flat(0, 0, r2.Vec{X: 0.4}), flat(0.045, 0, r2.Vec{})),
		"struck stack":   thrownBlocks(t, 0.5, 0.2, flat(0, 0, r2.Vec{}), flat(0, 0.04, r2.Vec{}), flat(-0.045, 0.035, r2.Vec{X: 1})),
		"coarse":         thrownBlocks(t, 0.2, 0.1, flung{r2.Vec{Y: 0.02}, square, [2]int{2, 2}, 0, r2.Vec{X: 2}, 0}, flung{r2.Vec{X: 0.06, Y: 0.02}, square, [2]int{2, 2}, 0, r2.Vec{X: -1}, 0}),
	} {
		s := start(t, m)
		run(t, s, nil)
		e := s.Energies()
		took := e.DampingDissipated / s.Moving
		t.Logf("%s: light damping took %.2g %% of the greatest kinetic energy, %.2g J, friction %.2g J; %d steps", name, 100*took, s.Moving, e.FrictionDissipated, s.N)
		if s.damping.Empty() || took > 0.01 {
			t.Errorf("%s: light damping took %.3g %%", name, 100*took)
		}
	}
}
