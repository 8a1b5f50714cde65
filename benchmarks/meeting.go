package benchmarks

import (
	"math"
	"strconv"

	"fdem/io/throw"
	"fdem/solver"
	"fdem/solver/model"
)

// Two blocks in contact along one side: the cost of contact along a line in addition to
// the triangles.

const (
	meetingPressure = 20e6 // pressure on the blocks [Pa]
	meetingRamp     = 8e-6 // time of its ramp: two passes of sound through both [s]
)

// meeting returns the solver of two blocks of about the given number of triangles
// that are pressed together, the first held at its far side.
func meeting(triangles int) *solver.Solver {
	m := twoBlocks(triangles, 0)
	push := model.Load{On: "b", Pressure: meetingPressure, Schedule: func(t float64) float64 { return min(t/meetingRamp, 1) }}
	held := model.Fix{Name: "a", X: true, Y: true}
	for i, e := range m.Mesh.Edges {
		switch x := 0.5 * (m.Mesh.X[e.A].X + m.Mesh.X[e.B].X); {
		case x == 0:
			held.Nodes = append(held.Nodes, e.A)
		case math.Abs(x-2*blockSize) < 1e-9*blockSize:
			push.Edges = append(push.Edges, int32(i))
		}
	}
	m.Loads, m.Fixes = []model.Load{push}, []model.Fix{held}
	s := throw.Must(solver.New(m))
	for s.Time < meetingRamp {
		throw.If(s.Step(0, nil))
	}
	return s
}

// measureMeeting measures the steps of blocks in contact.
func (f *Figures) measureMeeting(sizes []int) {
	f.MeetingNs = map[string]float64{}
	for _, n := range sizes {
		s := meeting(n)
		f.MeetingNs[strconv.Itoa(n)] = 1e9 * stepTime(s) / float64(len(s.Mesh.Triangles))
	}
}
