package benchmarks

import (
	"math"
	"os"
	"strconv"

	"fdem/io/results"
	"fdem/io/throw"

	"gonum.org/v1/gonum/spatial/r2"
)

// fields_slowdown is for a frame every fieldsEvery steps of this number of triangles.
const (
	fieldsEvery     = 200
	fieldsTriangles = 200_000
	fieldsPairs     = 5 // alternating measurements with and without frames
)

// laps is the times of the same steps without and with frames of fields [s].
type laps [2]float64

// slowdown returns the additional time of the steps with frames, relative to the time
// without.
func (l laps) slowdown() float64 { return l[1]/l[0] - 1 }

// best returns the lesser time of each.
func (l laps) best(o laps) laps { return laps{min(l[0], o[0]), min(l[1], o[1])} }

// fieldsLaps returns the best laps by number of workers, for about n triangles with many
// waves, and the disk of the folder for temporary files. The time is wall-clock time,
// since another core packs and writes the frames, in single or double precision.
func fieldsLaps(n int, workers []int, single bool) (best map[string]laps) {
	dir := throw.Must(os.MkdirTemp("", "fdem-bench-"))
	defer os.RemoveAll(dir)
	s := begun(n)
	for i, x := range s.X {
		s.V[i] = r2.Vec{X: 0.1 * math.Sin(700*x.X+300*x.Y), Y: 0.1 * math.Cos(500*x.X-900*x.Y)}
	}
	out := throw.Must(results.Open(dir, "", s, nil))
	out.Shape(results.Form{Single: single})
	defer func() { throw.Must(out.Close("done", nil)) }()
	throw.If(out.Row()) // as every run begins
	lap := func(frame func() error) float64 {
		began := wallTime()
		for range 2 {
			throw.If(frame())
			for range fieldsEvery {
				throw.If(s.Step(s.Limit, nil))
			}
		}
		throw.If(out.Wait())
		return wallTime() - began
	}
	writes := [2]func() error{func() error { return nil }, out.Frame}
	best = map[string]laps{}
	for _, w := range workers {
		s.SetWorkers(w)
		l := laps{math.Inf(1), math.Inf(1)}
		for k := range 1 + fieldsPairs {
			for i, write := range writes {
				took := lap(write)
				if k > 0 { // the first frame packs the mesh
					l[i] = min(l[i], took)
				}
			}
		}
		best[strconv.Itoa(w)] = l
	}
	return best
}
