package benchmarks

import (
	"math"
	"runtime"

	"fdem/examples/scenes"
	"fdem/io/throw"
	"fdem/materials/bulk"
	"fdem/mesh"
	"fdem/solver"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// diffusionNodes is the number of nodes of the block of diffusion, about.
const diffusionNodes = 100_000

// heatedBlock is a square block of a side of 1 m whose left side is kept warm, in a static analysis or in
// motion, with heat or without. The heat of motion runs so fast that each step of motion has one of heat.
func heatedBlock(static, heat bool) *models.Model {
	n := int(math.Sqrt(diffusionNodes)) - 1
	src := &mesh.Source{Name: "heated"}
	scenes.Block(src, "block", r2.Vec{}, 0, 1, 1, n, n)
	m := throw.Must(mesh.Build(src, nil))
	var left []int32
	for i, x := range m.X {
		if x.X < 1e-9 {
			left = append(left, int32(i))
		}
	}
	const conductivity, capacity = 50, 3.6e6 // of steel
	out := &models.Model{
		Mesh: m, Materials: []bulk.Material{{Elastic: steel}}, Thickness: 1, Safety: 0.8, ResidualLimit: 0.05, Duration: 1,
		Bodies: []models.Body{{Name: "block"}},
	}
	if heat {
		out.Heat = &models.Heat{
			Initial: 300, TimeFactor: 1, Materials: []models.Conduction{{XX: conductivity, YY: conductivity, Capacity: capacity, StressFree: 300}},
			Held: []models.HeldTemperature{{Name: "left", Nodes: models.Group{Of: left}, Value: func(float64, r2.Vec) float64 { return 400 }}},
		}
	}
	if static {
		out.Duration = 1e9
		out.Static = &models.Static{Increment: 0.1, Largest: 0.1, Smallest: 1e-6, Iterations: 30, Tolerance: 1e-8, Breaks: []float64{1e9}, Whole: 1e9}
	}
	return out
}

// diffusionTimes returns the processor time of a step of motion of a block without heat [s], that of an
// implicit step of heat in the same block, of two stages, once its matrix is factorised, and of the factorisation:
// the least of several turns.
func diffusionTimes() (motion, step, factor float64) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	moves := throw.Must(solver.New(heatedBlock(false, false)))
	moves.SetWorkers(1)
	still := throw.Must(solver.New(heatedBlock(true, true)))
	advance := func(by float64) float64 {
		still.Time += by
		began := threadTime()
		throw.If(still.Kinds.Heat.ApplyForces(false))
		took := threadTime() - began
		throw.If(still.Kinds.Heat.ApplyForces(true))
		still.N++
		return took
	}
	advance(1e7) // from now on steps may be long
	motion, step, factor = math.Inf(1), math.Inf(1), math.Inf(1)
	const turns, few = 5, 4
	for k := range turns {
		motion = min(motion, stepTime(moves))
		first := advance(1e4 * float64(2+k%2)) // another length: another factor
		least := math.Inf(1)
		for range few {
			least = min(least, advance(1e4*float64(2+k%2)))
		}
		step, factor = min(step, least), min(factor, first-least)
	}
	return motion, step, factor
}
