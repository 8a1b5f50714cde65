package benchmarks

import (
	"math"
	"runtime"
	"time"

	"fdem/contactnodes"
	"fdem/io/throw"
	"fdem/ranks"
	"fdem/solver"
	"fdem/solver/model"
)

// The speed of several processes (ranks) on one model, and their exchange: two blocks of
// steel far apart, and the same two pressed together along a side.

const (
	ranksWarm         = 50      // steps before the measurement, twice: the ledger is checked often at first
	ranksLeast        = 100     // least number of measured steps: the ledger is checked every 100
	maxRanksTriangles = 100_000 // greatest number
	ranksWindows      = 20      // number of windows, of which the fastest counts
	ranksOverlap      = 1e-6    // of the blocks at the start [m]
	ranksRamp         = 1e-8    // time of the ramp of the overlap [s]
)

// RankScenes are the scenes of bench --ranks.
var RankScenes = []string{"nothing near", "pressed along a side"}

// RankFigures is the measured figures of a scene on a number of ranks.
type RankFigures struct {
	Scene     string  `json:"scene"`
	Triangles int     `json:"triangles"`
	Ranks     int     `json:"ranks"`
	Workers   int     `json:"workers"`       // of each rank
	Touching  float64 `json:"contact_nodes"` // that touch or are about to
	Steps     int     `json:"steps"`         // measured
	Fastest   float64 `json:"fastest_s"`     // mean step of the fastest of ranksWindows windows [s]
	Mean      float64 `json:"mean_s"`        // step [s]
	Contact   float64 `json:"contact"`       // share of the time of rank 0 that contact takes
	Waiting   float64 `json:"waiting"`       // and that it waits for others
	Exchange  float64 `json:"exchange"`      // and exchanges with them
	Exchanged int     `json:"bytes_told"`    // that ranks give one another in a step, all together, as check --ranks tells
	Counted   float64 `json:"bytes_counted"` // in fact, with what comes now and then
	EachGives float64 `json:"bytes_a_rank"`  // of these each gives, on the mean
}

// OnRanks measures the scenes with about a number of triangles on every number of ranks
// that divides the number of ranks present, each for a time. With weak the number of
// triangles is for each rank. It calls got with each result. All ranks call it.
func OnRanks(triangles, workers int, weak bool, each time.Duration, got func(RankFigures)) (err error) {
	defer throw.Catch(&err)
	for _, scene := range RankScenes {
		for n := 1; n <= ranks.Size; n++ {
			if ranks.Size%n != 0 {
				continue
			}
			all := triangles
			if weak {
				all *= n
			}
			var f RankFigures
			ranks.Among(n, func() { f = onRanks(scene, all, workers, each) })
			got(f)
		}
	}
	return nil
}

// onRanks measures a scene on all ranks, for a time.
func onRanks(scene string, triangles, workers int, each time.Duration) RankFigures {
	s := ranksScene(scene, triangles)
	s.SetWorkers(workers)
	steps := func(n int) time.Duration {
		began := time.Now()
		for range n {
			throw.If(s.Step(0, nil))
		}
		return time.Since(began)
	}
	steps(ranksWarm)
	took := time.Duration(ranks.Each(int64(steps(ranksWarm)))[0]) // ranks take the same number of steps
	window := min(max(int(each*ranksWarm/took)/100*100, ranksLeast), maxRanksTriangles) / ranksWindows
	s.TimeSteps()
	before, began, fastest := ranks.Exchanged(), time.Now(), time.Duration(math.MaxInt64)
	for range ranksWindows {
		fastest = min(fastest, steps(window))
	}
	n := window * ranksWindows
	all := time.Since(began).Seconds()
	f := RankFigures{
		Scene: scene, Triangles: len(s.Mesh.Triangles), Ranks: ranks.Size, Workers: workers, Touching: nodesNear(s), Steps: n,
		Fastest: fastest.Seconds() / float64(window), Mean: all / float64(n),
	}
	for _, p := range s.Profile().Phases {
		switch share := p.Seconds / all; p.Name {
		case "waiting":
			f.Waiting = share
		case "exchange":
			f.Exchange = share
		case "search", "narrow phase", "contact law", "friction", "contact forces":
			f.Contact += share
		}
	}
	f.Counted = float64(ranks.Exchanged()-before) / float64(n)
	f.EachGives = f.Counted / float64(ranks.Size)
	if ranks.Size > 1 {
		received := s.PredictShare(ranks.Size)
		f.Exchanged = received.Bytes()
	}
	runtime.GC() // of the memory of the next solver
	return f
}

// ranksScene returns the solver of a scene with about a number of triangles. The pressed
// blocks overlap a little and are held at their far sides.
func ranksScene(scene string, triangles int) *solver.Solver {
	m := blocks(triangles)
	if scene != RankScenes[0] {
		m = twoBlocks(triangles, -ranksOverlap)
		held := model.Fix{Name: "far sides", X: true, Y: true}
		for _, e := range m.Mesh.Edges {
			if x := m.Mesh.X[e.A].X; x == m.Mesh.X[e.B].X && (x == 0 || x > 1.5*blockSize) {
				held.Nodes = append(held.Nodes, e.A)
			}
		}
		m.Fixes = []model.Fix{held}
		m.Contacts[0].Overlap = contactnodes.Overlap{Mode: contactnodes.OverlapAllow, Ramp: ranksRamp}
	}
	s := throw.Must(solver.New(m))
	s.Duration = 1e12 * s.Limit
	return s
}
