package benchmarks

import (
	"math"
	"math/rand/v2"

	"fdem/contactnodes"
	"fdem/examples/scenes"
	"fdem/fem/fracture"
	"fdem/io/throw"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/materials/contact"
	"fdem/mesh"
	"fdem/solver"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Bodies that can break: their cost while they are whole, and while they break
// everywhere.

// breakable is the number of triangles of the figures of this file.
const breakable = 100_000

// rock is brittle: its cohesive zone is some edges of the blocks long.
var rock = bulk.Elastic{Name: "rock", Young: 40e9, Poisson: 0.2, Density: 2500}

// rocks is blocks of rock that can break at a strength [Pa], or cannot where it is
// 0.
func rocks(triangles int, strength float64) *model.Model {
	m := blocks(triangles)
	m.Materials[0].Elastic = rock
	if strength == 0 {
		return m
	}
	return canBreak(m, strength)
}

// canBreak returns a model that can break at a strength [Pa], otherwise the same.
func canBreak(m *model.Model, strength float64) *model.Model {
	law := throw.Must(cohesive.New(cohesive.Parameters{
		TensileStrength: strength, Cohesion: 3 * strength, Friction: 0.6, EnergyTension: 0.2, EnergyShear: 0.8, Mixed: 2, Softening: "linear",
	}))
	f := &model.Fracture{Regions: []fracture.Region{{Law: law, Stiffness: 2}}, Edges: fracture.Interior(m.Mesh.Triangles)}
	for i := range f.Edges {
		f.Edges[i].Region = 0
	}
	f.Pages = fracture.NewPages(fracture.Capacity(len(m.Mesh.X), m.Mesh.Triangles, f.Edges, nil))
	for i := range f.Edges {
		e := &f.Edges[i]
		e.From, e.To = f.Pages.Numbers[e.From], f.Pages.Numbers[e.To]
	}
	m.Mesh = m.Mesh.WithRoom(f.Pages.Numbers, f.Pages.Nodes)
	m.Fracture = f
	return m
}

// Names of the figures of this file.
const (
	unbreakable = "that cannot break"
	unbroken    = "that can break"
	strained    = "that can break, near their strength"
	everywhere  = "that break everywhere"
	opened      = "whose cracks are open"
	inFragments = "in fragments that meet"
)

// nearStrength returns blocks of rock that are held along their outlines in a stress of 0.85
// of their strength, which grows by 1e-5 of it in a step: as in a test in a press, or faster.
func nearStrength(triangles int) *solver.Solver {
	const strength, used, growth = 1e7, 0.85, 1e-5
	m := rocks(triangles, strength)
	m.Contacts = nil
	hold := model.Fix{On: "outlines", X: true, Y: true}
	for _, e := range m.Mesh.Edges {
		hold.Nodes = append(hold.Nodes, e.A)
	}
	m.Fixes = []model.Fix{hold}
	m.ResidualLimit = math.Inf(1) // no ledger has the work of a moving fix
	s := throw.Must(solver.New(m))
	s.SetWorkers(1)
	stretch := strength * (1 - rock.Poisson*rock.Poisson) / rock.Young // of the whole strength, plane stress
	for i, x := range s.X {
		s.X[i].X += used * stretch * x.X
		s.V[i] = r2.Vec{X: growth * stretch / s.Limit * x.X}
	}
	return s
}

// shatterTime is the time for which breaking bodies are stepped after the first crack, in
// travel times of a wave through a triangle. Half of all edges have opened then, nearly
// all of them at once.
const shatterTime = 150

// shattering is the cost of a body that breaks everywhere.
type shattering struct {
	mean    float64 // of a step of a triangle while it breaks [s]
	open    float64 // the same in the last third of the time, when almost nothing opens [s]
	opening float64 // of a vertex that opens, beside that [s]
}

// shatter returns the cost of both blocks while they fly apart and break over their whole
// length, by one worker.
func shatter(triangles int) (b shattering) {
	m := rocks(triangles, 5e6)
	s := throw.Must(solver.New(m))
	s.SetWorkers(1)
	speed := math.Sqrt(rock.Young / rock.Density)
	edge := 0.01 / math.Sqrt(float64(triangles)/4)
	rate := 5e6 / rock.Young * speed / (8 * edge) // strength after a wave has passed 8 triangles
	for i := range s.V {
		x := s.X[i]
		if x.X > 0.015 {
			x.X -= 0.02
		}
		s.V[i] = r2.Scale(rate, r2.Sub(x, r2.Vec{X: 0.005, Y: 0.005}))
	}
	began, last := math.Inf(1), shatterTime*edge/speed // times of the first crack, and from it to the end
	now, release := clock(1)
	defer release()
	var steps, steady int // in total, and in the last third
	var from, steadyFrom float64
	for on := true; on; {
		throw.If(s.Step(0, func(float64) (bool, error) {
			if s.Cracks().Cracks() == 0 {
				return true, nil
			}
			if steps == 0 {
				began, from = s.Time, now()
			}
			if s.Time > began+2.0/3*last {
				if steady == 0 {
					steadyFrom = now()
				}
				steady++
			}
			steps++
			on = s.Time < began+last
			return on, nil
		}))
	}
	end, n := now(), float64(len(m.Mesh.Triangles))
	all := float64(steps - 1)
	b.mean, b.open = (end-from)/(all*n), (end-steadyFrom)/(float64(steady-1)*n)
	b.opening = (b.mean - b.open) * all * n / float64(s.Cracks().Openings())
	return b
}

// rubbleSteps is the number of steps in which the fragments of rubble come into contact.
// As many are measured then.
const rubbleSteps = 100

// rubble is fragments of two triangles that have moved into each other: about one contact
// node for each triangle is in contact. It has one worker.
func rubble(triangles int) *solver.Solver {
	n := max(1, int(math.Sqrt(float64(triangles)/2)+0.5))
	const h, gap, speed = 1e-3, 1e-3, 1.0 // [m], over h, [m/s]
	draw := rand.New(rand.NewPCG(1, 2))
	some := func(size float64) r2.Vec {
		return r2.Vec{X: size * (2*draw.Float64() - 1), Y: size * (2*draw.Float64() - 1)}
	}
	corner := make([]r2.Vec, (n+1)*(n+1))
	for i := range corner {
		corner[i] = r2.Add(r2.Vec{X: h * float64(i%(n+1)), Y: h * float64(i/(n+1))}, some(0.25*h))
	}
	src := &mesh.Source{Name: "rubble"}
	velocity := map[int64]r2.Vec{} // by the source's number of a node
	for i := range n * n {
		at := i/n*(n+1) + i%n
		of := [4]r2.Vec{corner[at], corner[at+1], corner[at+n+2], corner[at+n+1]}
		centre := r2.Scale(0.25, r2.Add(r2.Add(of[0], of[1]), r2.Add(of[2], of[3])))
		base, v := int32(len(src.X)), some(speed)
		for _, x := range of {
			src.AddNode(r2.Add(centre, r2.Scale(1-gap, r2.Sub(x, centre))))
		}
		for _, id := range src.NodeID[base:] {
			velocity[id] = v
		}
		src.AddTriangle(base, base+1, base+2)
		src.AddTriangle(base, base+2, base+3)
	}
	scenes.Group(src, "rubble", 0)
	m := throw.Must(mesh.Build(src, nil))
	all := m.Bodies[0].Edges()
	s := throw.Must(solver.New(canBreak(&model.Model{
		Mesh: m, Materials: []bulk.Material{{Elastic: rock}}, Thickness: 0.01, Safety: 0.8, ResidualLimit: 0.05, Duration: 1, HistoryEvery: 1,
		Bodies: []model.Body{{Name: "rubble"}},
		Contacts: []model.SurfaceContact{{
			Name: "rubble", Contactor: all, Opposite: all, Law: contact.Linear{K: rock.Young / h}, NodesPerElement: contactNodes,
			Friction: contactnodes.Friction{Kinetic: 0.5, Static: 0.5, Ratio: contactnodes.MindlinRatio},
		}},
	}, 1e9)))
	s.SetWorkers(1)
	for i, id := range s.Mesh.NodeID {
		s.V[i] = velocity[int64(id)]
	}
	for range rubbleSteps {
		throw.If(s.Step(0, nil))
	}
	return s
}

// rubbleTime returns the time of a step of a triangle of rubble [s].
func rubbleTime(triangles int) float64 {
	s := rubble(triangles)
	now, release := clock(1)
	defer release()
	began := now()
	for range rubbleSteps {
		throw.If(s.Step(0, nil))
	}
	return (now() - began) / float64(rubbleSteps*len(s.Mesh.Triangles))
}

// measureFracture measures blocks that cannot break, that can, that can and are near
// their strength, and that break. The first three alternate, since their differences are
// smaller than the variation of a machine from one second to the next.
func (f *Figures) measureFracture() {
	f.FractureNs = map[string]float64{}
	whole := []struct {
		name     string
		strength float64
		s        *solver.Solver
	}{{unbreakable, 0, nil}, {unbroken, 1e9, nil}, {strained, 0, nearStrength(breakable)}}
	const turns = 4
	for turn := range turns {
		for i := range whole {
			v := &whole[i]
			if turn == 0 {
				if v.s == nil {
					v.s = throw.Must(solver.New(rocks(breakable, v.strength)))
					v.s.SetWorkers(1)
				}
				f.FractureNs[v.name] = math.Inf(1)
			}
			f.FractureNs[v.name] = min(f.FractureNs[v.name], 1e9*stepTime(v.s)/float64(len(v.s.Mesh.Triangles)))
		}
	}
	b := shatter(breakable)
	f.FractureNs[everywhere], f.FractureNs[opened], f.VertexOpensNs = 1e9*b.mean, 1e9*b.open, 1e9*b.opening
	f.FractureNs[inFragments] = 1e9 * rubbleTime(breakable)
}
