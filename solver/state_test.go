package solver

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"fdem/contactnodes"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/spheres"
	"fdem/fem/bolt"
	"fdem/fem/mortar"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/materials/fluid"
	"fdem/mesh"
	models "fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// resumed lists the scenes that must go on to the bit: whatever keeps
// something from step to step has one.
type scene struct {
	name    string
	law     string // a surface law with memory that the scene has, to see that none is missing
	lasting bool   // no factor is cheap
	make    func(testing.TB) *models.Model
}

var resumed = []scene{
	{"kostek, friction", "kostek", false, func(t testing.TB) *models.Model { return oblique(t, kostek(t), 0.2) }},
	{"kostek, stick springs", "kostek", false, func(t testing.TB) *models.Model {
		m := oblique(t, kostek(t), 0.3)
		m.Contacts[0].Friction = contactnodes.Friction{Kinetic: 0.3, Static: 0.4, Stiffness: 1e13}
		return m
	}},
	{"dashpot, damped bodies", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14, "c": 1e6}), 0.2)
		m.Damping = models.Damping{Mass: 1e3, Stiffness: 1e-9}
		return m
	}},
	{"light damping that fades", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), 0.2)
		m.Gravity, m.Damping = r2.Vec{Y: -1e4}, models.Damping{Light: true}
		return m
	}},
	{"light damping of what breaks and leaves", "", false, func(t testing.TB) *models.Model {
		m := excavatedFromBroken(t)
		m.Excavations[0].At = 20e-6
		return lightly(m)
	}},
	{"light damping of what a blow parts", "", false, func(t testing.TB) *models.Model { return lightly(shattered(t)) }},
	{"local damping", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), 0.2)
		m.Damping = models.Damping{Mass: 1e3, Local: 0.5}
		_, e := side(m.Mesh, 0.0351)
		m.Absorbs = []models.Absorb{{Edges: e}}
		return m
	}},
	{"loads and gravity", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, kostek(t), 0)
		n, _ := side(m.Mesh, 0)
		_, e := side(m.Mesh, 0.0351)
		m.Loads = []models.Load{
			{Nodes: n, Weights: shares(len(n)), Force: r2.Vec{X: 3e3, Y: 1e3}, Schedule: func(t float64) float64 { return math.Sin(t / 3e-6) }},
			{Edges: e, Pressure: 20e6},
		}
		m.Gravity.Y = -1e4
		m.Absorbs = []models.Absorb{{Edges: e}}
		return m
	}},
	{"initial stress let go", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, kostek(t), 0)
		p := models.InitialStress{Body: 1}
		p.At.YY = -1e6
		m.InitialStresses = []models.InitialStress{p}
		m.Relief = func(at float64) float64 { return max(0, 1-at/40e-6) }
		return m
	}},
	{"rigid boxes that rest, and slide on one another", "", false, boxes},
	{"a rigid box that slides until it rests", "", true, func(t testing.TB) *models.Model {
		m := slidingBox(t, 0.01)
		m.Duration = 0.02
		return m
	}},
	{"a rigid box that is thrown at a wall", "", false, func(t testing.TB) *models.Model { return thrownBox(t, 1e-7, r2.Vec{X: 0.01, Y: -0.2}) }},
	{"a rigid box whose overlap is subtracted", "", false, func(t testing.TB) *models.Model {
		m := thrownBox(t, -1e-5, r2.Vec{X: -1e-3}) // opens a little, and is pulled back
		m.Contacts[0].Overlap, m.Gravity.X = contactnodes.Overlap{Mode: contactnodes.OverlapSubtract}, 100
		return m
	}},
	{"a rigid disc that rolls against resistance", "", false, func(t testing.TB) *models.Model {
		round := models.Rigid{Name: "round", Material: -1, Centre: r2.Vec{Y: 0.02}, Mass: 1, Inertia: 2e-4, Velocity: r2.Vec{X: 0.1, Y: -1e-3}, AngularVelocity: -5}
		of := disc("round", r2.Vec{Y: 0.02}, 0.02)
		m := rigidModel(t, 1e11, 0.2, []models.Rigid{{Name: "floor", Material: -1}, round}, floor(0), of)
		m.Contacts[0].Friction, m.Contacts[0].Rolling = contactnodes.Friction{Kinetic: 0.2, Static: 0.3, Ratio: contactnodes.MindlinRatio, Brake: contactnodes.Braking}, 0.1
		m.Gravity, m.Duration = r2.Vec{X: 1, Y: -gravity}, 4e-3
		return m
	}},
	{"a block that rides up a joint", "", false, ridingUp},
	{"a driven and loaded block on a joint", "", false, drivenOnJoint},
	{"a block on a joint, damped as a whole", "", false, func(t testing.TB) *models.Model {
		m := ridingUp(t)
		m.Fracture.Regions[0].Springs, m.Fracture.Regions[0].Prescribed, m.Damping = nil, true, models.Damping{Light: true}
		return m
	}},
	{"a block on a joint, damped as a whole, of which a part is excavated", "", false, func(t testing.TB) *models.Model {
		m := riding(t, true)
		m.Fracture.Regions[0].Springs, m.Fracture.Regions[0].Prescribed, m.Damping = nil, true, models.Damping{Light: true}
		return m
	}},
	{"excavated", "", false, excavatedModel},
	{"bodies that yield, damped", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), 0.2)
		m.Damping = models.Damping{Mass: 1e3, Stiffness: 1e-9}
		m.Materials[0].Law = bulkLaw(t, m.Materials[0].Elastic, "j2", map[string]float64{"yield_stress": 5e6, "hardening": 1e9})
		return m
	}},
	{"bodies that yield, in plane strain, on rubber", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), 0.2)
		m.Plane = bulk.PlaneStrain
		rubber := bulk.Material{Elastic: bulk.Elastic{Name: "rubber", Young: 2e11, Poisson: 0.4, Density: 7800}}
		rubber.Law = bulkLaw(t, rubber.Elastic, "neo-hooke", nil)
		m.Materials = append(m.Materials, rubber)
		m.Bodies[0].Material = 1
		m.Materials[0].Law = bulkLaw(t, m.Materials[0].Elastic, "j2", map[string]float64{"yield_stress": 5e6, "voce.q": 1e7, "voce.b": 100})
		return m
	}},
	{"what softens on what relaxes", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), 0.2)
		m.Plane = bulk.PlaneStrain
		of := m.Materials[0].Elastic
		m.Materials = append(m.Materials, bulk.Material{Elastic: of, Law: relaxing(t, of, 0.5, 1e-6)})
		m.Bodies[0].Material = 1
		m.Materials[0].Law = bulkLaw(t, of, "mohr-coulomb", map[string]float64{"cohesion": 5e6, "friction_angle": 30, "dilation_angle": 10, "tensile_strength": 2e6, "softening.energy": 10})
		return m
	}},
	{"bodies that yield and break", "", false, func(t testing.TB) *models.Model {
		m := shattered(t)
		m.Materials[0].Law = bulkLaw(t, m.Materials[0].Elastic, "j2", map[string]float64{"yield_stress": 3e7, "hardening": 1e9})
		return m
	}},
	{"pairs of triangles that yield and break", "", false, func(t testing.TB) *models.Model {
		m := struckBlocks(t)
		m.Plane = bulk.PlaneStrain
		m.Materials[0].Law = bulkLaw(t, m.Materials[0].Elastic, "j2", map[string]float64{"yield_stress": 3e7, "hardening": 1e9})
		return brittle(t, inPairs(m), 20e6, 0, 1)
	}},
	{"excavated from what yields", "", false, func(t testing.TB) *models.Model {
		m := excavatedModel(t)
		for i := range m.Materials {
			m.Materials[i].Law = bulkLaw(t, m.Materials[i].Elastic, "j2", map[string]float64{"yield_stress": 1e3, "hardening": 1e9})
		}
		return m
	}},
	{"what is excavated meets", "", false, func(t testing.TB) *models.Model { return onWhatLeaves(t, false) }},
	{"what is excavated meets, and leaves a step before a checkpoint", "", false, func(t testing.TB) *models.Model {
		m := onWhatLeaves(t, false)
		m.Contacts[0].Law = law(t, "linear", map[string]float64{"k": 4e12}) // touches for long
		m.Bodies[1].Velocity.Y, m.Excavations[0].At, m.Excavations[1].At = -1, 30.892e-6, 40e-6
		return m
	}},
	{"what is excavated meets, on what may break", "", false, func(t testing.TB) *models.Model { return brittle(t, onWhatLeaves(t, false), 1e12, 0) }},
	{"walls of a later stage meet", "", false, func(t testing.TB) *models.Model {
		m := onWhatLeaves(t, true)
		m.Excavations[1].At = 4e-6
		return m
	}},
	{"walls laid bare that meet", "", false, func(t testing.TB) *models.Model { return onTheFloor(t, true) }},
	{"excavated from what breaks at once", "", false, excavatedFromBroken},
	{"laid down", "", false, func(t testing.TB) *models.Model {
		src := &mesh.Source{Name: "blocks"}
		rectangle(src, "low", 0, 0, 0.02, 0.01, 10, 5)
		rectangle(src, "high", 0.003, 0.0100005, 0.01, 0.01, 5, 5)
		m := model(t, src, steel)
		n, _ := side(m.Mesh, 0)
		m.Fixes, m.Gravity.Y = []models.Fix{{Nodes: n, X: true, Y: true}}, -1e4
		m.Contacts = []models.SurfaceContact{{Name: "blocks", Contactor: edges(m.Mesh, 1), Opposite: edges(m.Mesh, 0), Law: law(t, "linear", map[string]float64{"k": 1e14}), NodesPerElement: 10}}
		return m
	}},
	{"overlap allowed", "", false, func(t testing.TB) *models.Model {
		return overlapped(t, contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: 30e-6})
	}},
	{"overlap subtracted", "", false, func(t testing.TB) *models.Model {
		m := overlapped(t, contactnodes.Overlap{Mode: contactnodes.OverlapSubtract})
		n, _ := side(m.Mesh, 0)
		m.Bodies[0].Velocity.X = -0.3 // opens a little, and is pushed back
		m.Loads = []models.Load{{Nodes: n, Weights: shares(len(n)), Force: r2.Vec{X: 314}}}
		return m
	}},
	{"a shaft pressed in a ring of unlike edges turns in it", "", false, func(t testing.TB) *models.Model {
		m := unlikeFit(t)
		m.Duration, m.HistoryEvery = 50e-6, 1e-6
		m.Contacts[0].Overlap.Ramp = 30e-6
		m.Contacts[0].Friction = contactnodes.Friction{Kinetic: 0.1, Static: 0.2, Stiffness: 1e13}
		m.Bodies[0].AngularVelocity = 2e3
		return m
	}},
	{"static ring of unlike edges pressed on a shaft", "", false, func(t testing.TB) *models.Model {
		m := unlikeFit(t)
		holdRound(m, inner, outer)
		m.Contacts[0].Overlap.Ramp = 60e-6
		return within60us(statically(m, 8))
	}},
	{"static ring of unlike edges on a shaft, both free to turn", "", false, func(t testing.TB) *models.Model {
		m := unlikeFit(t)
		m.Contacts[0].Overlap.Ramp = 60e-6
		return within60us(statically(m, 8))
	}},
	{"free and driven discs on a block", "", false, func(t testing.TB) *models.Model {
		src := &mesh.Source{Name: "block"}
		rectangle(src, "block", -0.01, -0.01, 0.02, 0.01, 20, 10)
		m := model(t, src, steel)
		const r = 5e-3
		m.Mesh = m.Mesh.With([]mesh.Outline{disc("free", r2.Vec{X: -6e-3, Y: r + 1e-6}, r), disc("driven", r2.Vec{X: 6e-3, Y: r + 1e-6}, r)})
		free := freeDisc("free", r2.Vec{X: -6e-3, Y: r + 1e-6}, r2.Vec{X: 1, Y: -1}, r, 50)
		driven := models.Rigid{Name: "driven", Material: -1, Centre: r2.Vec{X: 6e-3, Y: r + 1e-6}, Motion: func(t float64) (r2.Vec, float64) {
			return r2.Vec{X: 6e-3 + 0.5*t, Y: r + 1e-6 - 0.5*t}, -100 * t
		}}
		m.Rigids = []models.Rigid{free, driven}
		var low []int32
		for i, x := range m.Mesh.X {
			if x.Y < -0.01+1e-9 {
				low = append(low, int32(i))
			}
		}
		m.Fixes = []models.Fix{{Nodes: low, X: true, Y: true}}
		m.Contacts = []models.SurfaceContact{{
			Name: "discs", Contactor: edges(m.Mesh, 0), Opposite: append(edges(m.Mesh, 1), edges(m.Mesh, 2)...), Law: kostek(t),
			NodesPerElement: 20, Friction: contactnodes.Friction{Kinetic: 0.2, Ratio: 1, Brake: 0.5, Static: 0.3},
		}}
		return m
	}},
	{"discs and a block by volume", "volumetric", false, func(t testing.TB) *models.Model {
		src := &mesh.Source{Name: "block"}
		rectangle(src, "block", -0.01, -0.01, 0.02, 0.01, 20, 10)
		m := model(t, src, steel)
		const r = 5e-3
		m.Mesh = m.Mesh.With([]mesh.Outline{disc("one", r2.Vec{X: -4e-3, Y: r + 1e-6}, r), disc("other", r2.Vec{X: 6.1e-3, Y: r + 1e-6}, r)})
		m.Rigids = []models.Rigid{
			freeDisc("one", r2.Vec{X: -4e-3, Y: r + 1e-6}, r2.Vec{X: 3, Y: -1}, r, 50),
			freeDisc("other", r2.Vec{X: 6.1e-3, Y: r + 1e-6}, r2.Vec{X: -3, Y: -1}, r, -20),
		}
		m.ByVolume = byVolume(m.Mesh, 1e14, 0.1, 0.2) // the greatest pressure is over before the end
		return m
	}},
	{"beams, damped, with a moment", "", false, func(t testing.TB) *models.Model {
		m := melee(t, 0.2)
		m.Damping = models.Damping{Mass: 1e2, Stiffness: 1e-9}
		m.Bodies[0].Velocity.Y = 150
		for i := range m.Contacts {
			m.Contacts[i].Law = law(t, "linear", map[string]float64{"k": 1e14})
		}
		m.Contacts[0].Friction = contactnodes.Friction{Kinetic: 0.3, Static: 0.4, Stiffness: 1e12}
		m.Loads = []models.Load{{Nodes: end(m.Mesh, r2.Vec{X: 0.03, Y: 0.02}), Weights: []float64{1}, Moment: 0.2, Schedule: func(t float64) float64 { return math.Sin(t / 3e-5) }}}
		return m
	}},
	{"driven block rubs on another, damped", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, kostek(t), 0.3)
		m.Damping = models.Damping{Mass: 1e3, Stiffness: 1e-9}
		n, _ := side(m.Mesh, 0)
		m.Drives = []models.Drive{
			{Nodes: n, X: true, Motion: [3]models.PrescribedMotion{{At: func(t float64) float64 { return 30 * math.Sin(t/2e-5) }, Rate: true}}},
			{Nodes: n, Y: true, Motion: [3]models.PrescribedMotion{1: {At: func(t float64) float64 { return 10 * t }}}},
		}
		m.Fixes = nil
		return m
	}},
	{"beams whose ends turn", "", false, func(t testing.TB) *models.Model {
		m := melee(t, 0.2)
		m.Bodies[0].Velocity.Y = 150
		m.Bodies[0].From = 0.3 * m.Duration
		for i := range m.Contacts {
			m.Contacts[i].Law = law(t, "linear", map[string]float64{"k": 1e14})
		}
		m.Drives = []models.Drive{
			{Nodes: end(m.Mesh, r2.Vec{X: 0.03, Y: 0.02}), X: true, Y: true, Rotation: true, Motion: [3]models.PrescribedMotion{2: {At: func(t float64) float64 { return 1e3 * math.Sin(t/3e-5) }, Rate: true}}},
			{Nodes: end(m.Mesh, r2.Vec{X: -0.03}), X: true, Y: true, Rotation: true, Rotates: true, Motion: [3]models.PrescribedMotion{1: {At: func(t float64) float64 { return 5 * t }}, 2: {At: func(t float64) float64 { return 1e3 * t }}}},
		}
		return m
	}},
	{"beams with a hinge and a clamp, under line loads", "", false, struckFlail},
	{"a clamp that comes and goes", "", false, func(t testing.TB) *models.Model {
		m := struckFlail(t)
		m.Bodies[0].AngularVelocity += 300
		m.Clamps[0].When = fadingAfter(15e-6, 30e-6, 20e-6)
		return m
	}},
	{"particles", "", false, ballCloud},
	{"particles far from one another", "", false, farBalls},
	{"particles on walls laid bare", "", false, func(t testing.TB) *models.Model {
		m := ballInTrough(t, true)
		m.Particles.V[0].Y *= 2 // there within 60 us
		return m
	}},
	{"particles on what leaves", "", false, ballOnWhatLeaves},
	{"particles that break a rock", "", false, func(t testing.TB) *models.Model { return spheresOnRock(t, 40, "thornton") }},
	{"bodies that break", "", false, shattered},
	{"fragments that meet", "", false, crushed},
	{"fragments of a body that may meet itself from the start", "", false, func(t testing.TB) *models.Model {
		m := crushed(t)
		x := m.Mesh.X
		for _, e := range m.Mesh.Edges[m.Mesh.Bodies[0].FirstEdge:m.Mesh.Bodies[0].EndEdge] {
			if after := x[m.Mesh.Edges[e.Next].B]; math.Abs(elementary.Cross(r2.Sub(x[e.B], x[e.A]), r2.Sub(after, x[e.B]))) < 1e-12 {
				inwards := r2.Sub(x[e.B], x[e.A])
				x[e.B] = r2.Add(x[e.B], r2.Scale(0.1, r2.Vec{X: -inwards.Y, Y: inwards.X}))
				return m
			}
		}
		t.Fatal("no side is straight")
		return m
	}},
	{"rocks that shatter on one another and fly apart", "", false, func(t testing.TB) *models.Model {
		const h = 0.5e-3
		m := brittleRocks(t, h, 1, [4]float64{0, 0, 4, 4}, [4]float64{4.1, 0.5, 4, 4})
		meet(t, m, 2, h)
		m.Bodies[0].Velocity, m.Bodies[1].Velocity = r2.Vec{X: 15}, r2.Vec{X: -15}
		m.Bodies[0].Expansion, m.Bodies[1].Expansion = 2e4, 2e4
		m.ResidualLimit = math.Inf(1)
		return m
	}},
	{"a disc on springs that turn, of which one comes and goes, in gravity that grows", "", false, func(t testing.TB) *models.Model {
		centre := r2.Vec{X: 0.3, Y: 0.050001}
		m := rigidModel(t, 1e9, 0.3, []models.Rigid{{Name: "floor", Material: -1}, freeDisc("disc", centre, r2.Vec{X: 1, Y: -0.5}, 0.05, 5)}, floor(0), disc("disc", centre, 0.05))
		m.Gravity, m.Duration, m.HistoryEvery = r2.Vec{X: 3, Y: -10}, 20e-3, 1e-3
		m.GravitySchedule = func(t float64) float64 { return 50 * t }
		n := m.Mesh.Bodies[1].Nodes
		m.Springs = []models.Spring{{
			Name: "hub", Axial: true, Stiffness: 1e4, Damping: 20, Free: math.NaN(), RotationStiffness: 20, RotationDamping: 0.05,
			Links: []models.Link{{Share: 1, Ends: [2]models.End{{Nodes: []int32{n[0], n[20]}, Weights: []float64{0.5, 0.5}, Rigid: 1, At: centre}, {Rigid: -1, At: r2.Vec{X: 0.5, Y: 0.2}}}}},
		}, { // comes, and is being taken out
			Name: "stay", Axial: true, Stiffness: 3e4, Damping: 10, Preload: 5, Free: math.NaN(), RotationStiffness: 10, When: models.When{From: 4e-3, Until: 8e-3, Fade: func(t float64) float64 { return max(0, 1-t/8e-3) }},
			Links: []models.Link{{Share: 1, Ends: [2]models.End{{Nodes: []int32{n[0], n[20]}, Weights: []float64{0.5, 0.5}, Rigid: 1, At: centre}, {Rigid: -1, At: r2.Vec{X: 0.1, Y: 0.2}}}}},
		}}
		return m
	}},
	{"ties that come and go", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), 0)
		c := &m.Contacts[0]
		ends := func(of []int32) (out [][2]int32) {
			for _, e := range of {
				out = append(out, [2]int32{m.Mesh.Edges[e].A, m.Mesh.Edges[e].B})
			}
			return out
		}
		for _, e := range c.Contactor {
			tie := models.Tie{Name: "glue", On: []int32{e}, To: c.Opposite, Young: 1e9, Within: 1e-3, When: fadingAfter(51e-6, 55e-6, 3e-6)}
			if len(mortar.Tie(m.Mesh.X, ends(tie.On), ends(tie.To), 1e-3).Alone) == 0 && len(m.Ties) < 2 {
				tie.Name += fmt.Sprint(e)
				m.Ties = append(m.Ties, tie)
				m.Ties[0].From = 52e-6
			}
		}
		_, e := side(m.Mesh, 0.0351)
		m.Absorbs = []models.Absorb{{Edges: e}}
		return m
	}},
	{"fixes that come and go on blocks that break", "", false, func(t testing.TB) *models.Model {
		m := shattered(t)
		n, _ := side(m.Mesh, 0)
		m.Fixes = append(m.Fixes, models.Fix{Name: "jaw", Nodes: n, X: true, When: fadingAfter(25e-6, 38e-6, 8e-6)},
			models.Fix{Name: "grip", Nodes: n, X: true, Y: true, When: models.When{From: 48e-6}})
		return m
	}},
	{"fixes that come and go on beams", "", false, func(t testing.TB) *models.Model {
		m := melee(t, 0.2)
		m.Bodies[0].Velocity.Y = 150
		for i := range m.Contacts {
			m.Contacts[i].Law = law(t, "linear", map[string]float64{"k": 1e14})
		}
		m.Fixes = append(m.Fixes, models.Fix{Name: "end", Nodes: end(m.Mesh, r2.Vec{X: 0.03, Y: 0.02}), X: true, Y: true, Rotation: true, When: fadingAfter(10e-6, 30e-6, 20e-6)})
		return m
	}},
	{"bodies that break by direction and speed", "", false, func(t testing.TB) *models.Model {
		m := shattered(t)
		r := &m.Fracture.Regions[0]
		across, along := *r.Law, *r.Law
		along.Strength = cohesive.Strength{Tension: 0.5 * across.Tension, Cohesion: 0.6 * across.Cohesion, Friction: 0.3}
		var err error
		if across.Rate, err = cohesive.NewRate(cohesive.Rate{Speed: 1, Exponent: 0.5}); err != nil {
			t.Fatal(err)
		}
		along.Rate = across.Rate
		if r.Bedding, err = cohesive.NewBedding(&across, &along, 2, 0.4); err != nil {
			t.Fatal(err)
		}
		r.Law = r.Bedding.Bound()
		stiff := m.Materials[0]
		stiff.Young *= 1.3
		m.Spread = &models.Spread{Materials: []bulk.Material{stiff}, Of: make([]int32, len(m.Mesh.Triangles))}
		for i := range m.Spread.Of {
			m.Spread.Of[i] = -int32(i / 3 % 2)
		}
		return m
	}},
	{"fluids in bodies that break", "", false, func(t testing.TB) *models.Model {
		m := shattered(t)
		m.Loads, m.Absorbs = nil, nil
		_, left := side(m.Mesh, 0)
		_, right := side(m.Mesh, 0.0351)
		factor := func(at float64) float64 { return min(1, at/20e-6) }
		m.Fluids = []models.Fluid{
			{Name: "gas", Well: left, Equation: fluid.Gas{Pressure: 800e6, Gamma: 1.3}, Density: 1000, Volume: 1e-6},
			{Name: "oil", Well: right, Equation: fluid.Liquid{Bulk: 2e9}, Rate: func(at float64) float64 { return 5e-3 * factor(at) }, Density: 1000, Volume: 2e-6},
		}
		return m
	}},
	{"viscous fluids in bodies that break", "", false, func(t testing.TB) *models.Model {
		m := shattered(t)
		m.Loads, m.Absorbs = nil, nil
		_, left := side(m.Mesh, 0)
		_, right := side(m.Mesh, 0.0351)
		factor := func(at float64) float64 { return min(1, at/20e-6) }
		m.Fluids = []models.Fluid{
			{Name: "water", Well: left, Pressure: func(at float64) float64 { return 800e6 * factor(at) }, Bulk: 2e9, Viscosity: 1e-3, Carter: 1e-3, Spurt: 1e-8},
			{Name: "oil", Well: right, Equation: fluid.Liquid{Bulk: 2e9}, Bulk: 2e9, Viscosity: 0.01, Rate: func(at float64) float64 { return 5e-3 * factor(at) }, Density: 1000, Volume: 2e-6},
		}
		return m
	}},
	{"viscous fluids that soak into bodies that break", "", false, func(t testing.TB) *models.Model {
		m := shattered(t)
		m.Loads, m.Absorbs = nil, nil
		_, left := side(m.Mesh, 0)
		_, right := side(m.Mesh, 0.0351)
		factor := func(at float64) float64 { return min(1, at/20e-6) }
		m.Fluids = []models.Fluid{
			{Name: "water", Well: left, Pressure: func(at float64) float64 { return 800e6 * factor(at) }, Bulk: 2e9, Viscosity: 1e-3, Soaks: true},
			{Name: "oil", Well: right, Equation: fluid.Liquid{Bulk: 2e9}, Bulk: 2e9, Viscosity: 0.01, Rate: func(at float64) float64 { return 5e-3 * factor(at) }, Density: 1000, Volume: 2e-6, Soaks: true},
		}
		m = porous(m, 1)
		m.Pores.Held = nil
		return m
	}},
	{"springs on bodies that break", "", false, func(t testing.TB) *models.Model {
		m := shattered(t)
		end := func(n int32) models.End {
			return models.End{Nodes: []int32{n}, Weights: []float64{1}, Rigid: -1, At: m.Mesh.X[n]}
		}
		first, last := end(m.Mesh.Bodies[0].Nodes[0]), end(m.Mesh.Bodies[0].Nodes[len(m.Mesh.Bodies[0].Nodes)-1])
		m.Springs = []models.Spring{
			{Name: "across", Axial: true, Stiffness: 1e5, Damping: 10, Free: math.NaN(), Preload: 10, Links: []models.Link{{Ends: [2]models.End{first, last}, Share: 1}}},
			{Name: "to ground", X: true, Y: true, Stiffness: 1e5, Damping: 10, Links: []models.Link{{Ends: [2]models.End{{Rigid: -1, At: first.At}, first}, Share: 1}}},
		}
		return m
	}},
	{"bolts that come and go, slip and break in bodies that break", "", false, func(t testing.TB) *models.Model {
		m := shattered(t)
		of := m.Mesh.Bodies[0]
		p := models.Bolt{Name: "bolt", Each: 1, When: models.When{From: 0.1 * m.Duration, Until: 0.8 * m.Duration, Fade: func(at float64) float64 { return max(0, 1-at/m.Duration) }}, Confined: 0.01}
		for k, tri := range []int32{of.First, (of.First + of.End) / 2, of.End - 1} {
			c := m.Mesh.Triangles[tri]
			e := models.End{Nodes: c[:], Weights: []float64{0.25, 0.25, 0.5}, Rigid: -1}
			for range c {
				e.Corners.Add(models.Corner{Triangle: tri, Fraction: 1})
			}
			p.Points, p.Hosts, p.Along, p.Bonded = append(p.Points, e), append(p.Hosts, tri), append(p.Along, 0.01*float64(k)), append(p.Bonded, 0.01)
		}
		p.Law = bolt.Law{Bar: bolt.Bar{Stiffness: 1e5, Yield: 200, Hardening: 1e3, Rupture: 0.05}, Bond: bolt.Bond{Stiffness: 1e8, Strength: 2e4, Residual: 1e4, Softening: 1e-4}, Plate: bolt.Plate{Stiffness: 1e6, Tension: 10}, Dowel: bolt.Dowel{Shear: 1e5, Shearing: 20}}
		p.Crossings = []models.Crossing{{Faces: [2]models.End{p.Points[0], p.Points[1]}, Segment: 0}, {Faces: [2]models.End{p.Points[1], p.Points[2]}, Segment: 1}}
		m.Bolts = []models.Bolt{p}
		return m
	}},
	{"joints with springs in bodies that break", "", false, func(t testing.TB) *models.Model { return springJoints(t, nil) }},
	{"joints with springs and strengths in bodies that break", "", false, func(t testing.TB) *models.Model {
		law, err := cohesive.New(cohesive.Parameters{TensileStrength: 2e6, Cohesion: 3e6, Friction: 0.6, EnergyTension: 2, EnergyShear: 5, Mixed: 2, Softening: "exponential"})
		noError(t, err)
		return springJoints(t, law)
	}},
	{"rough joints that close in bodies that break", "", false, func(t testing.TB) *models.Model {
		rough, err := cohesive.NewBartonBandis(cohesive.BartonBandis{Roughness: 9, Strength: 1e8, Residual: 0.5, Length: 1e-3}, 0)
		noError(t, err)
		m := springJoints(t, nil)
		s := m.Fracture.Regions[len(m.Fracture.Regions)-1].Springs
		s.Dilation, s.Until, s.Faces = 0, 0, &cohesive.Faces{Closure: &cohesive.Closure{Stiffness: 5e11, Greatest: 1e-5}, Barton: rough}
		return m
	}},
	{"joints whose friction falls with slip", "", false, func(t testing.TB) *models.Model {
		m := springJoints(t, nil)
		s := m.Fracture.Regions[len(m.Fracture.Regions)-1].Springs
		s.Dilation, s.Until, s.Faces = 0, 0, &cohesive.Faces{Weakening: &cohesive.SlipWeakening{Static: 0.6, Dynamic: 0.3, Distance: 1e-5}}
		return m
	}},
	{"joints whose friction depends on the speed of slip", "", false, func(t testing.TB) *models.Model {
		m := springJoints(t, nil)
		s := m.Fracture.Regions[len(m.Fracture.Regions)-1].Springs
		s.Dilation, s.Until, s.Faces = 0, 0, &cohesive.Faces{RateState: &cohesive.RateState{Direct: 0.01, Evolution: 0.015, Distance: 1e-6, Friction: 0.6, Speed: 1e-6, Start: 1e-9}}
		return m
	}},
	{"rebound", "rebound", false, func(t testing.TB) *models.Model {
		return oblique(t, law(t, "rebound", map[string]float64{"k": 1e13, "restitution": 0.6}), 0.2)
	}},
	{"heat in motion", "kostek", false, func(t testing.TB) *models.Model { return heated(oblique(t, kostek(t), 0.2), 1e4) }},
	{"heat in motion in plane strain", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, law(t, "linear", map[string]float64{"k": 1e14}), 0.2)
		m.Plane = bulk.PlaneStrain
		return heated(m, 1e4)
	}},
	{"heat in bodies that yield and break", "", false, func(t testing.TB) *models.Model {
		m := shattered(t)
		m.Materials[0].Law = bulkLaw(t, m.Materials[0].Elastic, "j2", map[string]float64{"yield_stress": 5e6, "hardening": 1e9})
		return heated(m, 1e4)
	}},
	{"heat in bodies that break", "", false, func(t testing.TB) *models.Model { return heated(shattered(t), 1e4) }},
	{"heat by temperature in bodies that break", "", false, func(t testing.TB) *models.Model { return byTemperature(heated(shattered(t), 1e4)) }},
	{"heat by temperature in static ground that is excavated", "", false, func(t testing.TB) *models.Model { return byTemperature(heated(stagedGround(t), 1)) }},
	{"pores in motion", "kostek", false, func(t testing.TB) *models.Model { return porous(oblique(t, kostek(t), 0.2), 1e4) }},
	{"pores in bodies that yield", "", false, func(t testing.TB) *models.Model {
		m := oblique(t, kostek(t), 0.2)
		m.Materials[0].Law = bulkLaw(t, m.Materials[0].Elastic, "j2", map[string]float64{"yield_stress": 5e6, "hardening": 1e9})
		return porous(m, 1e4)
	}},
	{"heat of what is excavated", "", false, func(t testing.TB) *models.Model { return heated(excavatedModel(t), 1e4) }},
	{"heat of what is excavated from broken rock", "", false, func(t testing.TB) *models.Model {
		m := excavatedFromBroken(t)
		m.Excavations[0].At = 20e-6
		return heated(m, 1e4)
	}},
	{"pores of what is excavated", "", false, func(t testing.TB) *models.Model { return porous(excavatedModel(t), 1e3) }},
	{"pores of what is excavated from broken rock", "", false, func(t testing.TB) *models.Model {
		m := excavatedFromBroken(t)
		m.Excavations[0].At = 20e-6
		m = porous(m, 1e3)
		m.Pores.Held[0].From = 25e-6
		return m
	}},
	{"pores in bodies that break", "", false, func(t testing.TB) *models.Model { return porous(shattered(t), 1e4) }},
	{"pores in a static plate", "kostek", false, func(t testing.TB) *models.Model {
		m := pressed(t, 20, 10, kostek(t))
		m.Gravity.Y = -1e4
		return within60us(porous(m, 1))
	}},
	{"heat in a static plate", "kostek", false, func(t testing.TB) *models.Model {
		m := pressed(t, 20, 10, kostek(t))
		m.Gravity.Y = -1e4
		m = heated(m, 1)
		for i := range m.Heat.Materials {
			m.Heat.Materials[i].Capacity *= 1e-4
		}
		return within60us(m)
	}},
	{"static plate on a rough floor", "kostek", false, func(t testing.TB) *models.Model {
		m := pressed(t, 20, 10, kostek(t))
		m.Gravity.Y = -1e4
		return within60us(m)
	}},
	{"static plate, one factor for many increments", "kostek", true, func(t testing.TB) *models.Model {
		m := pressed(t, 20, 10, kostek(t))
		m.Gravity.Y = -1e4
		return within60us(m)
	}},
	{"static plate that yields, on a rough floor", "", false, func(t testing.TB) *models.Model {
		m := pressed(t, 20, 10, law(t, "linear", map[string]float64{"k": 1e13}))
		m.Materials[0].Law = bulkLaw(t, m.Materials[0].Elastic, "j2", map[string]float64{"yield_stress": 5e6, "hardening": 1e9})
		m.Gravity.Y = -1e4
		return within60us(m)
	}},
	{"spheres on a block and a beam", "", false, func(t testing.TB) *models.Model { return spheresOnBodies(t) }},
	{"static ground that is excavated, with fixes, a tie and a bolt that come and go", "", false, stagedGround},
	{"heat of static ground that is excavated", "", false, func(t testing.TB) *models.Model { return heated(stagedGround(t), 1) }},
	{"pores of heated rock that is excavated and breaks", "", false, func(t testing.TB) *models.Model {
		m := excavatedFromBroken(t)
		m.Excavations[0].At = 20e-6
		return expanding(porous(heated(m, 1e3), 1e3))
	}},
	{"pores of heated static ground that is excavated", "", false, func(t testing.TB) *models.Model {
		return expanding(porous(heated(stagedGround(t), 1), 1))
	}},
	{"pores of static ground that is excavated", "", false, func(t testing.TB) *models.Model { return porous(stagedGround(t), 1) }},
	{"static beams that come and go", "", false, func(t testing.TB) *models.Model { return within60us(statically(twoStrips(t), 8)) }},
	{"beams that come and go", "", false, func(t testing.TB) *models.Model { return twoStrips(t) }},
	{"static block on stick springs", "kostek", false, func(t testing.TB) *models.Model {
		return within60us(block(t, kostek(t), r2.Vec{X: 200, Y: -1000}, through(0, 1, 0.2, 1.2), contactnodes.Friction{Kinetic: 0.5, Static: 0.5, Stiffness: 1e12}))
	}},
}

// heated gives a model's materials the heat of steel. A side of it is warmed, another is in a wind.
func heated(m *models.Model, factor float64) *models.Model {
	h := &models.Heat{Initial: 300, TimeFactor: factor, Cracks: 1}
	for range m.Materials {
		h.Materials = append(h.Materials, models.Conduction{XX: 50, YY: 40, XY: 5, Capacity: 7800 * 460, Expansion: 1.2e-5, StressFree: 300})
	}
	n, _ := side(m.Mesh, 0)
	h.Held = []models.HeldTemperature{{Name: "warm", Nodes: models.Group{Of: n}, Value: func(t float64, _ r2.Vec) float64 { return 300 + 20*min(1, t/(20e-6*factor)) }}}
	of := m.Mesh.Edges[:20]
	var edges []int32
	for i := range of {
		edges = append(edges, int32(i))
	}
	h.Convection = []models.Convection{{Name: "wind", Edges: edges, Coefficient: 1e4, Ambient: func(float64) float64 { return 280 }}}
	for range m.Contacts {
		h.Contacts = append(h.Contacts, models.ContactHeat{Resistance: 1e-5, Pressure: 1e6, Friction: 1})
	}
	m.Heat = h
	return m
}

// expanding makes the fluid in pores expand.
func expanding(m *models.Model) *models.Model {
	for range m.Materials {
		m.Pores.Expansion = append(m.Pores.Expansion, 5e-5)
	}
	return m
}

// porous gives a model's materials pores. The pressure of one side is raised.
func porous(m *models.Model, factor float64) *models.Model {
	p := &models.Pores{Viscosity: 1e-3, Bulk: 2.2e9, Density: 1000, Initial: 1e5, TimeFactor: factor, Paced: m.Static != nil}
	for range m.Materials {
		p.Materials, p.Biot = append(p.Materials, models.Conduction{XX: 1e-14, YY: 2e-14, Capacity: 2e-11}), append(p.Biot, 0.7)
	}
	n, _ := side(m.Mesh, 0)
	p.Held = []models.HeldTemperature{{Name: "wet", Nodes: models.Group{Of: n}, Value: func(t float64, _ r2.Vec) float64 { return 1e5 + 1e6*min(1, t/(20e-6*factor)) }}}
	for range m.Contacts {
		p.Contacts = append(p.Contacts, 1e8)
	}
	m.Plane, m.Pores = bulk.PlaneStrain, p
	return m
}

// byTemperature makes properties of heat depend on the temperature.
func byTemperature(m *models.Model) *models.Model {
	curve := func(a, b float64) *models.Curve {
		return &models.Curve{X: []float64{300, 320}, Value: []float64{a, b}}
	}
	for i := range m.Heat.Materials {
		c := &m.Heat.Materials[i]
		c.Conductivity, c.Capacities, c.Expansions = curve(60, 30), curve(c.Capacity, 2*c.Capacity), curve(1e-5, 2e-5)
		c.XX, c.YY, c.XY, c.Expansion = 30, 30, 0, 2e-5
	}
	return m
}

// stagedGround is two blocks in balance, of which one loses its upper part.
func stagedGround(t testing.TB) *models.Model {
	m := excavatedModel(t)
	m.Damping, m.Contacts, m.Gravity = models.Damping{}, nil, r2.Vec{Y: -1e6}
	m.Excavations[0].At, m.Excavations[0].Fade = 0.25, func(t float64) float64 { return max(0, 1-2*t) }
	stress := models.InitialStress{Body: 1}
	stress.At.XX, stress.At.YY = -1e7, -2e7
	m.InitialStresses, m.Relief = []models.InitialStress{stress}, func(t float64) float64 { return 1 - t/60e-6 }
	left, _ := side(m.Mesh, 0)
	right, _ := side(m.Mesh, 0.0351)
	m.Fixes = []models.Fix{{Name: "left", Nodes: left, X: true, Y: true}, {Name: "right", Nodes: right, X: true, Y: true},
		{Name: "floor", Nodes: sideAt(m.Mesh, 0.003), Y: true, When: fadingAfter(0, 0.5, 0.2)}, {Name: "again", Nodes: sideAt(m.Mesh, 0.003), X: true, When: models.When{From: 0.75}}}
	for _, e := range edges(m.Mesh, 0) {
		if a, b := m.Mesh.X[m.Mesh.Edges[e].A], m.Mesh.X[m.Mesh.Edges[e].B]; a.X == b.X && a.X > 0.01 && min(a.Y, b.Y) > 0.003 {
			m.Ties = append(m.Ties, models.Tie{Name: fmt.Sprint("glue ", e), On: []int32{e}, To: edges(m.Mesh, 1), Young: 1e9, Within: 1e-3, When: fadingAfter(0.125, 0.875, 0.1)})
			break
		}
	}
	p := models.Bolt{Name: "bolt", Each: 1, When: fadingAfter(0.25, 0.625, 0.25)}
	for k, tri := range []int32{m.Mesh.Bodies[1].First, (m.Mesh.Bodies[1].First + m.Mesh.Bodies[1].End) / 2, m.Mesh.Bodies[1].End - 1} {
		c := m.Mesh.Triangles[tri]
		p.Points, p.Hosts = append(p.Points, models.End{Nodes: c[:], Weights: []float64{0.25, 0.25, 0.5}, Rigid: -1}), append(p.Hosts, tri)
		p.Along, p.Bonded = append(p.Along, 0.01*float64(k)), append(p.Bonded, 0.01)
	}
	p.Law = bolt.Law{Bar: bolt.Bar{Stiffness: 1e7, Yield: 2e3, Hardening: 1e5, Rupture: 0.05}, Bond: bolt.Bond{Stiffness: 1e10, Strength: 2e5, Residual: 2e5}, Plate: bolt.Plate{Stiffness: 1e8, Tension: 1e3}, Dowel: bolt.Dowel{Shear: 1e6, Shearing: 1e3}}
	p.Crossings = []models.Crossing{{Faces: [2]models.End{p.Points[0], p.Points[1]}, Segment: 0}}
	m.Bolts = []models.Bolt{p}
	for _, w := range []*models.When{&m.Fixes[2].When, &m.Fixes[3].When, &m.Ties[0].When, &m.Bolts[0].When} {
		in60us(w)
	}
	at := &m.Excavations[0]
	at.At *= 60e-6
	fade := at.Fade
	at.Fade = func(t float64) float64 { return fade(t / 60e-6) }
	m = within60us(statically(m, 8))
	m.Static.Breaks = []float64{7.5e-6, 15e-6, 30e-6, 37.5e-6, 45e-6, 52.5e-6, 60e-6}
	return m
}

// in60us makes the times of something that comes and goes within a second those within 60 us.
func in60us(w *models.When) {
	fade := w.Fade
	w.From, w.Until, w.Fade = 60e-6*w.From, 60e-6*w.Until, func(t float64) float64 { return fade(t / 60e-6) }
}

// twoStrips is two cantilevers that share their nodes, under a force at the tip. One comes, the other
// goes.
func twoStrips(t testing.TB) *models.Model {
	src := &mesh.Source{Name: "strips"}
	strip(src, "first", r2.Vec{}, r2.Vec{X: 0.1}, 20)
	first := src.Groups[0]
	second := mesh.SourceGroup{Name: "second", Dim: 1, Number: 2}
	for _, e := range first.Elements {
		second.Elements = append(second.Elements, src.AddLine(src.Lines[e][0], src.Lines[e][1]))
	}
	src.Groups = append(src.Groups, second)
	m := beamModel(t, src, 2e-3)
	m.Fixes = []models.Fix{{Nodes: end(m.Mesh, r2.Vec{}), X: true, Y: true, Rotation: true}}
	m.Duration = 60e-6
	m.Loads = []models.Load{{Nodes: end(m.Mesh, r2.Vec{X: 0.1}), Weights: []float64{1}, Force: r2.Vec{X: 5, Y: 2}, Schedule: func(t float64) float64 { return t }}}
	m.Bodies[0].When, m.Bodies[1].When = fadingAfter(0, 0.5, 0.25), models.When{From: 0.25}
	in60us(&m.Bodies[0].When)
	m.Bodies[1].From *= 60e-6
	return m
}

// within60us makes a static model of one second one of 60 us.
func within60us(m *models.Model) *models.Model {
	const whole = 60e-6
	s := m.Static
	for _, v := range []*float64{&s.Increment, &s.Largest, &s.Smallest, &s.Whole} {
		*v *= whole
	}
	s.Breaks = []float64{whole}
	for i := range m.Loads {
		of := m.Loads[i].Schedule
		m.Loads[i].Schedule = func(t float64) float64 { return of(t / whole) }
	}
	return m
}

// balls is a cloud of spheres that fly into one another, a hollow around them
// and a disc that is free to move: laws with memory, stick springs.
func ballCloud(t testing.TB) *models.Model {
	const n, r, pitch, mass = 6, 1e-3, 2.05e-3, 3e-5
	m := &models.Model{Mesh: (&mesh.Mesh{}).With([]mesh.Outline{disc("hollow", r2.Vec{}, -0.010), disc("free", r2.Vec{X: -7.2e-3}, 1e-3)}), Thickness: 1, Safety: 0.8, ResidualLimit: 0.05}
	m.Rigids = []models.Rigid{{Name: "hollow", Material: -1}, freeDisc("free", r2.Vec{X: -7.2e-3}, r2.Vec{X: 15}, 1e-3, 10)}
	m.Gravity.Y = -1e4
	p := &m.Particles
	rng := rand.New(rand.NewSource(7))
	for i := range n * n {
		p.X = append(p.X, r2.Vec{X: pitch * (float64(i%n) - 2.5), Y: pitch * (float64(i/n) - 2.5)})
		p.V = append(p.V, r2.Vec{X: 20 * rng.NormFloat64(), Y: 20 * rng.NormFloat64()})
		p.Spin = append(p.Spin, 1e3*rng.NormFloat64())
		p.Radius, p.Mass, p.Kind = append(p.Radius, r), append(p.Mass, mass), append(p.Kind, int32(i%2))
	}
	p.Groups = []models.ParticleGroup{{Name: "balls", First: 0, End: n * n}}
	p.Kinds, p.RigidKind = 4, []int32{2, 3}
	p.Interactions = []string{"even", "rest"}
	p.Predicted = [][2]int32{{0, 0}, {0, 1}, {1, 2}, {0, 3}}
	p.RuleOf = func(a, b int32) (*spheres.Rule, error) {
		rule := &spheres.Rule{Mass: mass, Friction: spheres.Friction{Kinetic: 0.2, Static: 0.3, Ratio: 0.8}}
		model, _ := contact.Lookup("thornton")
		rule.Law, _ = model.Build(map[string]float64{"radius": r / 2, "modulus": 1e11, "yield": 5e8, "memory": 2})
		if a != 0 || b != 0 {
			model, _ := contact.Lookup("hunt-crossley")
			rule.Law, _ = model.Build(map[string]float64{"radius": r / 2, "modulus": 1e11, "restitution": 0.7})
			rule.Interaction = 1
			rule.Friction = spheres.Friction{Kinetic: 0.2, Speed: 1} // of the spin at the moment
		}
		return rule, nil
	}
	return m
}

// farBalls is two spheres in a hollow so wide that steps follow how far they are.
func farBalls(t testing.TB) *models.Model {
	const r, mass = 1e-4, 3e-8
	m := &models.Model{Mesh: (&mesh.Mesh{}).With([]mesh.Outline{disc("hollow", r2.Vec{}, -3e-3)}), Thickness: 1, Safety: 0.8, ResidualLimit: 0.05}
	m.Rigids = []models.Rigid{{Name: "hollow", Material: -1}}
	p := &m.Particles
	p.X, p.V, p.Spin = []r2.Vec{{Y: 1e-3}, {Y: -1e-3}}, []r2.Vec{{X: 1900}, {X: -1500, Y: 50}}, []float64{0, 0}
	p.Radius, p.Mass, p.Kind = []float64{r, r}, []float64{mass, mass}, []int32{0, 0}
	p.Groups, p.Kinds, p.RigidKind = []models.ParticleGroup{{Name: "balls", First: 0, End: 2}}, 2, []int32{1}
	p.Interactions, p.Predicted = []string{"elastic"}, [][2]int32{{0, 0}, {0, 1}}
	of, _ := contact.Lookup("hertz")
	law, err := of.Build(map[string]float64{"radius": r, "modulus": 1e11})
	p.RuleOf = func(a, b int32) (*spheres.Rule, error) { return &spheres.Rule{Law: law, Mass: mass}, err }
	return m
}

// hold copies the values of parts.
func hold(parts []system.Part) []any {
	out := make([]any, len(parts))
	for i, p := range parts {
		v := reflect.ValueOf(p.Values)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() == reflect.Slice {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(c, v)
			v = c
		}
		out[i] = v.Interface()
	}
	return out
}

// fill puts copies of held values into parts.
func fill(parts []system.Part, held []any) {
	for i, p := range parts {
		v, h := reflect.ValueOf(p.Values), reflect.ValueOf(held[i])
		switch {
		case v.Kind() == reflect.Pointer && h.Kind() == reflect.Slice:
			c := reflect.MakeSlice(h.Type(), h.Len(), h.Len())
			reflect.Copy(c, h)
			v.Elem().Set(c)
		case v.Kind() == reflect.Pointer:
			v.Elem().Set(h)
		default:
			reflect.Copy(v, h)
		}
	}
}

// bits returns a value as a checkpoint has it, where minus nothing is not nothing.
func bits(t *testing.T, v any) []byte {
	t.Helper()
	out, err := binary.Append(nil, binary.LittleEndian, v)
	noError(t, err)
	return out
}

// moment is what a checkpoint of a run holds, and how many rows were written.
type moment struct {
	parts []any
	rows  int
}

// crushed is a block that is crushed into fragments that rub on one another.
func crushed(t testing.TB) *models.Model {
	m := crush(t, 5, 0.5e-3, 1, 10, 40e-6, 20e-6)
	m.Contacts = append(m.Contacts, models.SurfaceContact{
		Name: "self", Contactor: edges(m.Mesh, 0), Opposite: edges(m.Mesh, 0), NodesPerElement: 5, Self: true,
		Law: law(t, "linear", map[string]float64{"k": 8e12, "c": 1e5}), Friction: contactnodes.Friction{Kinetic: 0.3, Static: 0.4, Ratio: contactnodes.MindlinRatio},
	})
	return m
}

// lightly gives a model weight, friction and light damping.
func lightly(m *models.Model) *models.Model {
	m.Gravity, m.Damping = r2.Vec{Y: -1e4}, models.Damping{Light: true}
	m.Contacts[0].Friction = contactnodes.Friction{Kinetic: 0.2, Static: 0.2, Ratio: contactnodes.MindlinRatio}
	return m
}

// short makes the model of a scene, of 60 us.
func short(t *testing.T, c scene) *Solver {
	m := c.make(t)
	m.Duration, m.HistoryEvery, m.FieldsEvery, m.CheckpointEvery = 60e-6, 1e-6, 13e-6, 10.3e-6
	m.OwnContactInterval, m.ContactEvery = true, 7e-6
	if len(m.Fluids) > 0 { // cracks and flow are there by then, and the second half takes longer than the first
		m.Duration, m.CheckpointEvery = 30e-6, 5.3e-6
	}
	s := start(t, m)
	if c.lasting {
		patience.Store(s, 1)
	}
	return s
}

// frame is the mark of a frame, with what it shows of cracks.
func frame(s *Solver) []byte {
	text := "frame"
	if z := s.Cracks(); z != nil {
		for i := range z.Cracks() {
			text += fmt.Sprint(z.Crack(i))
		}
	}
	return []byte(text)
}

// throughout runs to the end. It returns the rows, with marks where frames and
// checkpoints were, and what the checkpoints held.
func throughout(t *testing.T, s *Solver) (rows [][]byte, held []moment) {
	t.Helper()
	err := advance(s, Observer{
		Row: func() error {
			rows = append(rows, append(bits(t, s.Energies()), fmt.Sprint(s.MeanForces(), s.MeanReactions())...))
			return nil
		},
		Frame: func() error { rows = append(rows, frame(s)); return nil }, Contact: func() error {
			text := "contact"
			for _, c := range s.Surfaces {
				text += fmt.Sprint(c.NodePeaks(nil))
			}
			rows = append(rows, []byte(text))
			return nil
		},
		Checkpoint: func(needed bool) error {
			if !needed { // a run that goes on begins with one that is
				rows = append(rows, []byte("checkpoint"))
			}
			held = append(held, moment{hold(s.Parts()), len(rows)})
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, held
}

// played is what the run of a scene from its start to its end has left.
type played struct {
	once sync.Once
	s    *Solver // at the end
	rows [][]byte
	held []moment
	end  []any // of the parts
}

// scenesPlayed are those of the scenes that have run: two tests need them.
var (
	scenesPlayed = map[string]*played{}
	scenesHeld   sync.Mutex
)

// play runs a scene, unless a test has.
func play(t *testing.T, c scene) *played {
	t.Helper()
	scenesHeld.Lock()
	p := scenesPlayed[c.name]
	if p == nil {
		p = &played{}
		scenesPlayed[c.name] = p
	}
	scenesHeld.Unlock()
	p.once.Do(func() {
		p.s = short(t, c)
		p.rows, p.held = throughout(t, p.s)
		p.end = hold(p.s.Parts())
	})
	return p
}

// A run that goes on from what Parts held at some moment takes the same steps
// to the bit, with any number of workers: every row of the ledger from there
// on and every part at the end are the same.
func TestResumeBitForBit(t *testing.T) {
	t.Parallel()
	laws := map[string]bool{}
	for _, c := range resumed {
		laws[c.law] = true
		t.Run(c.name, func(t *testing.T) {
			p := play(t, c)
			s, rows, held, end := p.s, p.rows, p.held, p.end
			touched := slices.Max(append([]float64{0}, s.PeakForce...))
			if !s.spheres.Empty() {
				touched = s.spheres.Interaction[0].PeakForce
			}
			for _, f := range s.Faces.ContactForces(nil) {
				touched = max(touched, f.PeakForce)
			}
			if s.Transfers() && strings.Contains(c.name, "fragments") && s.Faces.Potential.Active == 0 {
				t.Fatal("no fragments touch")
			}
			if touched == 0 && (len(s.Model.Contacts)+len(s.ByVolume) > 0 || !s.spheres.Empty()) {
				t.Fatal("nothing touched")
			}
			if k := s.damping.Whole; strings.HasPrefix(c.name, "light damping of") && (k.Formed <= 0 || len(k.Groups) < 3) {
				t.Fatalf("%d bodies are damped, formed at %g s", len(k.Groups), k.Formed)
			}
			if len(held) < 6 {
				t.Fatalf("only %d checkpoints", len(held))
			}
			switch {
			case testing.Short():
				held = held[len(held)-2:]
			case !*everything:
				held = []moment{held[len(held)/2], held[len(held)-1]}
			}
			for i, h := range held {
				s := short(t, c)
				s.SetWorkers(2 - i%2)
				fill(s.Parts(), h.parts)
				noError(t, s.Restore())
				if again, _ := throughout(t, s); !reflect.DeepEqual(again, rows[h.rows:]) {
					t.Errorf("from checkpoint %d at step %v: %d rows are not the %d of the whole run", i, h.parts[0], len(again), len(rows)-h.rows)
				}
				for k, p := range s.Parts() {
					if !bytes.Equal(bits(t, hold([]system.Part{p})[0]), bits(t, end[k])) {
						t.Errorf("from checkpoint %d at step %v: %s differs at the end", i, h.parts[0], p.Name)
					}
				}
			}
		})
	}
	for _, name := range contact.Names() {
		if l, _ := contact.Lookup(name); l.Kind == contact.Surface && !laws[name] && name != "linear" {
			t.Errorf("no scene has the surface law %s", name)
		}
	}
}

// thrownBox is a rigid box beside a wall that leans a little, a gap [m] away, with a velocity [m/s].
func thrownBox(t testing.TB, gap float64, v r2.Vec) *models.Model {
	const half, mass = 0.01, 1e-4
	wall := mesh.Outline{Name: "wall", Points: []r2.Vec{{X: -0.1, Y: 10}, {X: 0.1, Y: -10}}, Depth: half}
	x := -half - 0.01*half - gap
	o := mesh.Outline{Name: "box", Closed: true, Depth: half, Points: []r2.Vec{{X: x - half, Y: -half}, {X: x + half, Y: -half}, {X: x + half, Y: half}, {X: x - half, Y: half}}}
	m := rigidModel(t, 1e11, 0.2, []models.Rigid{{Name: "wall", Material: -1}, {Name: "box", Material: -1, Centre: r2.Vec{X: x}, Mass: mass, Inertia: mass * 4 * half * half / 6, Velocity: v}}, wall, o)
	m.Contacts[0].Factor, m.Contacts[0].Friction = 1, contactnodes.Friction{Kinetic: 0.2, Static: 0.3, Ratio: contactnodes.MindlinRatio, Brake: contactnodes.Braking}
	m.Gravity, m.Duration = r2.Vec{Y: -gravity}, 4e-3
	return m
}

// boxes is a rigid box on a line and one on that which is pushed off.
func boxes(t testing.TB) *models.Model {
	box := func(name string, y float64) (models.Rigid, mesh.Outline) {
		const half = 0.01
		o := mesh.Outline{Name: name, Closed: true, Depth: half, Points: []r2.Vec{{X: -half, Y: y - half}, {X: half, Y: y - half}, {X: half, Y: y + half}, {X: -half, Y: y + half}}}
		return models.Rigid{Name: name, Material: -1, Centre: r2.Vec{Y: y}, Mass: 1, Inertia: 1e-4 * 4 / 6, Velocity: r2.Vec{Y: -1e-3}}, o
	}
	low, of := box("low", 0.01)
	high, over := box("high", 0.03)
	high.Velocity.X = 0.1
	m := rigidModel(t, 1e11, 0.2, []models.Rigid{{Name: "floor", Material: -1}, low, high}, floor(0), of, over)
	c := &m.Contacts[0]
	c.Opposite = slices.Concat(c.Opposite, c.Contactor)
	slices.Sort(c.Opposite)
	c.Factor, c.Friction = 1, contactnodes.Friction{Kinetic: 0.2, Static: 0.3, Ratio: contactnodes.MindlinRatio, Brake: contactnodes.Braking}
	m.Gravity, m.Duration = r2.Vec{X: 1, Y: -gravity}, 4e-3
	m.GravitySchedule = func(t float64) float64 { return 1 + float64(t/m.Duration) } // else no step pulls as another
	return m
}

// ridingUp is a block that slides on a joint by more than half an edge, and rises on it.
func ridingUp(t testing.TB) *models.Model { return riding(t, false) }

// riding is such a block, whose last quarter is a body of its own if parted.
func riding(t testing.TB, parted bool) *models.Model {
	const h = 5e-4
	src := &mesh.Source{Name: "slide"}
	rectangle(src, "rock", 0, 0, 12*h, 3*h, 12, 3)
	if parted {
		rock, part := &src.Groups[0], mesh.SourceGroup{Name: "part", Dim: 2, Number: 2}
		rock.Elements = slices.DeleteFunc(rock.Elements, func(k int32) bool {
			n := src.Triangles[k]
			middle := r2.Add(src.X[n[0]], r2.Add(src.X[n[1]], src.X[n[2]]))
			leaves := middle.X > 3*9*h && middle.Y > 3*h
			if leaves {
				part.Elements = append(part.Elements, k)
			}
			return leaves
		})
		src.Groups = append(src.Groups, part)
	}
	m := model(t, src, steel)
	foot := models.Fix{Name: "foot", X: true, Y: true}
	for i, p := range m.Mesh.X {
		if p.Y < 0.5*h {
			foot.Nodes = append(foot.Nodes, int32(i))
		}
	}
	m.Fixes = []models.Fix{foot}
	if parted {
		m.Excavations = []models.Excavation{{Name: "part", Body: 1, At: 21e-6, Fade: func(t float64) float64 { return max(0, 1-t/20e-6) }}}
	}
	seam(t, m, 1e6, 0.3, func(p r2.Vec) bool { return math.Abs(p.Y-h) < 0.1*h })
	m.Fracture.Regions[0].Springs, m.Fracture.Joints = &cohesive.Springs{Friction: 0.3, Dilation: 0.2, Until: 1e-3}, []bool{true}
	m.Gravity = r2.Vec{X: 5e5, Y: -5e5}
	return m
}

// drivenOnJoint is riding with a drive of the block's left end, a pressure on its right end and a
// spring at it. All of them meet the joint, and act on one side of it.
func drivenOnJoint(t testing.TB) *models.Model {
	const h = 5e-4
	m := riding(t, false)
	m.Gravity = r2.Vec{}
	above := func(n int32) (at []models.Corner) {
		if math.Abs(m.Mesh.X[n].Y-h) > 0.1*h {
			return nil
		}
		for i, of := range m.Mesh.Triangles {
			x := m.Mesh.X
			if slices.Contains(of[:], n) && x[of[0]].Y+x[of[1]].Y+x[of[2]].Y > 3*h {
				at = append(at, models.Corner{Triangle: int32(i)})
			}
		}
		for i := range at {
			at[i].Fraction = 1 / float64(len(at))
		}
		return at
	}
	d := models.Drive{On: "left", Name: "left", X: true, Y: true}
	ramp := system.SmoothStep(10e-6)
	d.Motion[0] = models.PrescribedMotion{At: func(t float64) float64 { return 20 * ramp(t) }, Rate: true}
	e := models.End{Rigid: -1}
	for _, n := range m.Mesh.Bodies[0].Nodes {
		switch p := m.Mesh.X[n]; {
		case p.Y < 0.9*h:
		case p.X < 0.1*h:
			d.Nodes = append(d.Nodes, n)
			d.Corners.Add(above(n)...)
		case p.X > 11.9*h && len(e.Nodes) < 2:
			e.Nodes, e.Weights = append(e.Nodes, n), []float64{0.5, 0.5}
			e.Corners.Add(above(n)...)
		}
	}
	var right []int32
	for i, of := range m.Mesh.Edges {
		if x := m.Mesh.X; x[of.A].X > 11.9*h && x[of.B].X > 11.9*h && x[of.A].Y+x[of.B].Y > 2*h {
			right = append(right, int32(i))
		}
	}
	e.At = elementary.Between(m.Mesh.X[e.Nodes[0]], m.Mesh.X[e.Nodes[1]], 0.5)
	m.Drives = []models.Drive{d}
	m.Loads = []models.Load{{On: "right", Edges: right, Pressure: 1e6, Schedule: ramp}}
	m.Springs = []models.Spring{{Name: "right", Links: []models.Link{{Ends: [2]models.End{e, {Rigid: -1, At: r2.Add(e.At, r2.Vec{X: h})}}, Share: 1}}, Axial: true, Stiffness: 1e6, Free: math.NaN()}}
	return m
}

// errOther ends a run that differs from the one it should repeat.
var errOther = errors.New("another run")

// repeats tells whether a run from parts at a moment is that of rows and end.
func repeats(t *testing.T, s *Solver, held []any, rows [][]byte, end []any) bool {
	defer func() { _ = recover() }() // a state that cannot be may do anything but pass
	fill(s.Parts(), held)
	if s.Restore() != nil {
		return false
	}
	next := func(row []byte) error {
		if len(rows) == 0 || !bytes.Equal(row, rows[0]) {
			return errOther
		}
		rows = rows[1:]
		return nil
	}
	err := advance(s, Observer{
		Row: func() error {
			return next(append(bits(t, s.Energies()), fmt.Sprint(s.MeanForces(), s.MeanReactions())...))
		},
		Frame: func() error { return next(frame(s)) }, Contact: func() error { return next([]byte("contact")) },
		Checkpoint: func(needed bool) error {
			if needed {
				return nil
			}
			return next([]byte("checkpoint"))
		},
	})
	if err != nil || len(rows) > 0 {
		return false
	}
	for k, p := range s.Parts() {
		if !bytes.Equal(bits(t, hold([]system.Part{p})[0]), bits(t, end[k])) {
			return false
		}
	}
	return true
}

// as returns fresh, or where held has another length, zeros of that.
func as(held, fresh any) any {
	h := reflect.ValueOf(held)
	if h.Kind() != reflect.Slice || h.Len() == reflect.ValueOf(fresh).Len() {
		return fresh
	}
	return reflect.MakeSlice(h.Type(), h.Len(), h.Len()).Interface()
}

// off returns a value a bit off: its last bit, of the middle one of many.
func off(t *testing.T, v any) any {
	out := reflect.New(reflect.TypeOf(v)).Elem()
	out.Set(reflect.ValueOf(hold([]system.Part{{Values: v}})[0]))
	of := out
	if of.Kind() == reflect.Slice {
		if of.Len() == 0 {
			return v
		}
		of = of.Index(of.Len() / 2)
	}
	for of.Kind() == reflect.Struct { // a vector, a pose
		of = of.Field(0)
	}
	switch of.Kind() {
	case reflect.Float64:
		of.SetFloat(math.Float64frombits(math.Float64bits(of.Float()) ^ 1))
	case reflect.Int64, reflect.Int32:
		of.SetInt(of.Int() ^ 1)
	case reflect.Bool:
		of.SetBool(!of.Bool())
	default:
		t.Fatalf("a part is of %v", of.Kind())
	}
	return out.Interface()
}

// TestResumeBitForBit would notice each part that is not restored. The part is left as a fresh
// solver has it or, if that is always the same, changed by one bit: then the run differs in at
// least one scene.
func TestResumeNeedsEveryPart(t *testing.T) {
	t.Parallel()
	WithAll(t)
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	digits := regexp.MustCompile(`\d+`)
	const same, unnoticed, noticed = 0, 1, 2 // as a fresh solver has it; another
	found := map[string]int{}
	open := func(left bool) func(system.Part) bool { // whether a scene may tell more of a part
		return func(p system.Part) bool {
			was, known := found[digits.ReplaceAllString(p.Name, "N")]
			return !known || was != noticed && (left || was != unnoticed)
		}
	}
	for _, left := range []bool{true, false} {
		for _, c := range resumed {
			s := short(t, c)
			if !slices.ContainsFunc(s.Parts(), open(left)) {
				continue
			}
			of := play(t, c)
			rows, end := of.rows, of.end
			for _, h := range of.held[2:] {
				fresh := hold(short(t, c).Parts())
				for k, p := range s.Parts() {
					name := digits.ReplaceAllString(p.Name, "N")
					was, known := found[name]
					if !known {
						found[name] = same
					}
					wrong := slices.Clone(h.parts)
					if left {
						wrong[k] = as(h.parts[k], fresh[k])
					} else {
						wrong[k] = off(t, h.parts[k])
					}
					if was == noticed || !left && was == unnoticed || bytes.Equal(bits(t, wrong[k]), bits(t, h.parts[k])) {
						continue
					}
					found[name] = unnoticed
					if !repeats(t, short(t, c), wrong, rows[h.rows:], end) {
						found[name] = noticed
					} else if !left {
						found[name] = same
					}
				}
			}
		}
	}
	for name, what := range found {
		if what != noticed {
			t.Errorf("no scene notices that %s is not restored", name)
		}
	}
}

// Parts has all that State, the nodal field and the ledger hold, and what contacts, volumes and spheres do.
func TestPartsHoldTheState(t *testing.T) {
	for _, c := range resumed {
		s := short(t, c)
		held := map[uintptr]bool{} // where the parts live
		for _, p := range s.Parts() {
			if v := reflect.ValueOf(p.Values); v.Kind() != reflect.Slice || v.Len() > 0 {
				held[v.Pointer()] = true
			}
		}
		var look func(name string, v reflect.Value)
		look = func(name string, v reflect.Value) {
			switch v.Kind() {
			case reflect.Struct:
				for i := range v.NumField() {
					look(name+"."+v.Type().Field(i).Name, v.Field(i))
				}
			case reflect.Slice:
				of := v.Type().Elem()
				switch {
				case of.Kind() == reflect.Pointer: // contacts and volumes, of which State alone changes
					for i := range v.Len() {
						look(name, v.Index(i).Elem().FieldByName("State"))
					}
				case of == reflect.TypeFor[contactnodes.NodeState](), of == reflect.TypeFor[coulomb.Stick](), of == reflect.TypeFor[contactnodes.PatchState](), of == reflect.TypeFor[contactnodes.PairOffset](): // in columns, see contactnodes.TestColumns
				case of.Kind() == reflect.String: // names of the ledger's sources, which New gives
				case of == reflect.TypeFor[spheres.Balance]():
					for i := range v.Len() {
						look(name, v.Index(i))
					}
				case v.Len() > 0 && !held[v.Pointer()] && !held[v.Addr().Pointer()]:
					t.Errorf("%s: no part holds State%s", c.name, name)
				}
			default:
				if !held[v.Addr().Pointer()] {
					t.Errorf("%s: no part holds State%s", c.name, name)
				}
			}
		}
		look("", reflect.ValueOf(&s.State).Elem())
		look(".nodes", reflect.ValueOf(&s.Field.State).Elem())
		look(".clock", reflect.ValueOf(&s.Clock).Elem())
		look(".ledger", reflect.ValueOf(&s.Ledger).Elem())
		if !s.spheres.Empty() {
			look(".spheres", reflect.ValueOf(&s.spheres.State).Elem())
		}
	}
}

// No two parts have one name.
func TestPartsHaveNames(t *testing.T) {
	for _, c := range resumed {
		seen := map[string]bool{}
		for _, p := range start(t, c.make(t)).Parts() {
			if seen[p.Name] {
				t.Errorf("%s: two parts are named %s", c.name, p.Name)
			}
			seen[p.Name] = true
		}
	}
}

// A step allocates nothing, whatever the model has: where nothing grows any more.
func TestStepAllocatesNothing(t *testing.T) {
	for _, c := range resumed {
		t.Run(c.name, func(t *testing.T) {
			s := short(t, c)
			if s.Static != nil {
				t.Skip("takes increments")
			}
			least := math.Inf(1)
			for s.Duration-s.Time > 30*s.Limit && least > 0 {
				least = min(least, testing.AllocsPerRun(10, func() {
					noError(t, s.Step(0, nil))
				}))
			}
			if least > 0 {
				t.Errorf("%g allocations a step", least)
			}
		})
	}
}

// springJoints are bodies that shatter of which every third edge is of a joint with springs,
// which a bond holds together, nil for none.
func springJoints(t testing.TB, bond *cohesive.Law) *models.Model {
	m := shattered(t)
	f := m.Fracture
	joint := f.Regions[0]
	joint.Springs = &cohesive.Springs{Normal: 2e12, Shear: 1e12, Friction: 0.6, Dilation: 0.1, Until: 1e-5, Bond: bond}
	f.Joints = append(make([]bool, len(f.Regions)), bond == nil)
	f.Regions = append(slices.Clone(f.Regions), joint)
	for i := range f.Edges {
		if e := &f.Edges[i]; e.Region >= 0 && i%3 == 0 {
			e.Region = int32(len(f.Regions) - 1)
		}
	}
	return m
}

// struckFlail is a flail under line loads that a ball hits.
func struckFlail(t testing.TB) *models.Model {
	m := flail(t, disc("ball", r2.Vec{X: 0.03, Y: 7.02e-3}, 5e-3))
	ball := freeDisc("ball", r2.Vec{X: 0.03, Y: 7.02e-3}, r2.Vec{Y: -10}, 5e-3, 100)
	ball.Mass, ball.Inertia = 0.01, 0.01*5e-3*5e-3/2
	m.Rigids = []models.Rigid{ball}
	m.Contacts = []models.SurfaceContact{{
		Name: "hit", Contactor: append(edges(m.Mesh, 1), edges(m.Mesh, 2)...), Opposite: edges(m.Mesh, 3), NodesPerElement: 10,
		Law: law(t, "linear", map[string]float64{"k": 1e13}), Friction: contactnodes.Friction{Kinetic: 0.2, Speed: 1e-2},
	}}
	m.Damping = models.Damping{Mass: 1e2, Stiffness: 1e-9}
	m.Loads = lineLoads(m)
	return m
}
