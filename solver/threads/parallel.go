package threads

import (
	"time"

	"fdem/boundingbox"
	"fdem/fem"
)

// Several workers share a step. Each owns a range of nodes: it computes every triangle
// that has one of them, and it moves them. So triangles at borders of ranges are computed
// twice. Contacts are divided by contact element (contactnodes/parallel.go). The forces
// of a node are added in the same order by any worker, so the number of workers does not
// change the bits, and it may change at any time.

// Team is a number of workers.
type Team struct {
	*Pool
	Workers  int
	Parts    []*fem.Subdomain       // of this process; fewer than workers if the model is small
	Whole    []*fem.Subdomain       // of all nodes
	Moving   []*fem.Subdomain       // of the nodes that this process moves, except followed ones
	Found    []Finding              // per part
	Trackers []*boundingbox.Tracker // of the same parts
	Spent    time.Duration          // time of its trial steps
	Steps    int                    // number of trial steps
}

// Finding is the results of a worker's check of its nodes and triangles during
// the computation of their forces. A worker reads only nodes that it has moved
// itself, since data written by another core arrive late.
type Finding struct {
	Inverted bool                 // a triangle is inverted
	Tracker  *boundingbox.Tracker // displacement and speed of its nodes of outlines
	_        [64]byte
}
