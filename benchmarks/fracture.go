package benchmarks

import (
	"math"

	"fdem/fem/fracture"
	"fdem/io/throw"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
)

// Bodies that can break: what they cost while they are whole, and while they break
// everywhere.

// breakable is the number of triangles of the figures of this file.
const breakable = 100_000

// rock is brittle: its cohesive zone is some edges of the blocks long.
var rock = bulk.Elastic{Name: "rock", Young: 40e9, Poisson: 0.2, Density: 2500}

// rocks is blocks of rock that can break at a strength [Pa], or cannot where it is
// 0.
func rocks(triangles int, strength float64) *solver.Model {
	m := blocks(triangles)
	m.Materials[0] = rock
	if strength == 0 {
		return m
	}
	return canBreak(m, strength)
}

// canBreak returns a model that can break at a strength [Pa], otherwise the same.
func canBreak(m *solver.Model, strength float64) *solver.Model {
	law := throw.Must(cohesive.New(cohesive.Parameters{
		TensileStrength: strength, Cohesion: 3 * strength, Friction: 0.6, EnergyTension: 0.2, EnergyShear: 0.8, Mixed: 2, Softening: "linear",
	}))
	f := &solver.Fracture{Regions: []fracture.Region{{Law: law, Stiffness: 2}}, Edges: fracture.Interior(m.Mesh.Triangles)}
	for i := range f.Edges {
		f.Edges[i].Region = 0
	}
	f.Pages = fracture.NewPages(fracture.Room(len(m.Mesh.X), m.Mesh.Triangles, f.Edges))
	for i := range f.Edges {
		e := &f.Edges[i]
		e.From, e.To = f.Pages.Place[e.From], f.Pages.Place[e.To]
	}
	m.Mesh = m.Mesh.WithRoom(f.Pages.Place, f.Pages.Nodes)
	m.Fracture = f
	return m
}

// How the figures of this file are called.
const (
	unbreakable = "that cannot break"
	unbroken    = "that can break"
	everywhere  = "that break everywhere"
)

// burstTime is how long bodies that break are stepped, after the first crack, in
// times that a wave takes through a triangle: a third of all edges have opened
// then.
const burstTime = 150

// burst returns the mean time of a step of a triangle while both blocks fly apart
// and break in all their length [s], by one worker.
func burst(triangles int) float64 {
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
	end := math.Inf(1)
	steps := 0
	var began float64
	now, release := clock(1)
	defer release()
	for on := true; on; {
		throw.If(s.Step(0, func(float64) (bool, error) {
			if s.Cracks().Cracks() > 0 && math.IsInf(end, 1) {
				end, began = s.Time+burstTime*edge/speed, now()
			}
			on = s.Time < end
			if on && !math.IsInf(end, 1) {
				steps++
			}
			return on, nil
		}))
	}
	return (now() - began) / float64(steps*len(m.Mesh.Triangles))
}

// measureFracture measures blocks that cannot break, that can, and that do; the
// first two turn about, for they differ by less than a machine does from one
// second to the next.
func (f *Figures) measureFracture() {
	f.FractureNs = map[string]float64{}
	whole := []struct {
		name     string
		strength float64
		s        *solver.Solver
	}{{unbreakable, 0, nil}, {unbroken, 1e9, nil}}
	const turns = 4
	for turn := range turns {
		for i := range whole {
			v := &whole[i]
			if turn == 0 {
				v.s = throw.Must(solver.New(rocks(breakable, v.strength)))
				v.s.SetWorkers(1)
				f.FractureNs[v.name] = math.Inf(1)
			}
			f.FractureNs[v.name] = min(f.FractureNs[v.name], 1e9*stepTime(v.s)/float64(len(v.s.Mesh.Triangles)))
		}
	}
	f.FractureNs[everywhere] = 1e9 * burst(breakable)
}
