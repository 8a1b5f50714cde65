// Package volume is volumetric contact, in which whole bodies interact by the
// volume of their overlap: Y. Gonthier, J. McPhee, C. Lange, J.-C. Piedboeuf, A
// novel contact model based on volumetric information, 2004. Each connected
// overlap of two components has one force at its centroid, across its contact
// line, with damping, friction and a rolling torque.
//
// On a rigid body force and torque act directly. On a meshed component they are
// distributed to the nodes of its edges in the overlap, so that force and moment are the
// same. Its velocity and angular velocity are the means over the nodes with the same
// weights. So the work of the force equals the sum of the work at the nodes.
package volume

import (
	"fmt"
	"math"
	"slices"

	"fdem/boundingbox"
	"fdem/contactnodes/coulomb"
	"fdem/contactnodes/motion"
	"fdem/contactnodes/onnodes"
	"fdem/contactnodes/overlap"
	"fdem/contactnodes/work"
	"fdem/materials/contact"
	"fdem/materials/elementary"

	"gonum.org/v1/gonum/spatial/r2"
)

// skin is the distance beyond its reach at which a shape is still paired with others,
// relative to its size.
const skin = 0.05

// Config describes one volumetric contact.
type Config struct {
	Name          string
	First, Second []int32 // components that may be in contact, ascending
	Law           contact.Volumetric
	Friction      coulomb.Friction // regularised
	Thickness     float64          // [m]
}

// State is the memory of a contact from step to step: the forces of the last evaluation.
// Half of their work in the next step is theirs in the ledger.
type State struct {
	work.Done
	NormalForce, FrictionForce   []r2.Vec       // normal and friction forces, per slot [N]
	NormalMoment, FrictionMoment []float64      // their moments about a rigid body's centre [N m]
	Speeds                       coulomb.Speeds // of friction, the greatest so far
	PeakPressure                 float64        // greatest mean pressure over a contact line so far [Pa]
}

// Scene is the positions and velocities of all nodes and rigid bodies.
type Scene struct {
	X, V   []r2.Vec       // per mesh node [m], [m/s]
	Masses *motion.Masses // of mesh nodes
	Rigids []motion.Body
}

// ContactPatch is one overlap with its forces.
type ContactPatch struct {
	overlap.Patch
	A, B     int32   // components
	Normal   float64 // force [N]
	Friction float64 // force on the first along the contact line [N]
	Torque   float64 // rolling torque on the first [N m]
	Pressure float64 // mean pressure over the contact line [Pa]
}

// Contact is one volumetric contact. Only AddForces changes State.
type Contact struct {
	Config
	State

	Normal     float64        // sum of the normal forces of the last evaluation [N]
	Tangential float64        // sum of the friction forces of the last evaluation, along the contact lines [N]
	Stored     float64        // recoverable energy of the last evaluation [J]
	Patches    []ContactPatch // of the last evaluation
	ImpactLoss float64        // relative energy that leapfrog loses at the predicted contact points, over dt^2/12 [1/s2]

	shapes        []shape           // the components in use, by number
	componentOf   []int32           // component of each shape
	first, second []bool            // per shape
	boxes         []boundingbox.Box // boxes within which the neighbour list is valid for each shape
	grid          boundingbox.HashGrid
	pairs         [][2]int32 // the list, ascending
	slot          []int32    // per mesh node: position in NormalForce and the like, -1 for none
	nodes         []int32    // of the slots; those of the rigid bodies follow
	clipper       overlap.Clipper
	patches       []overlap.Patch
	a, b          coupling

	load, asCorner, asEdgeEnd []predictedLoad // per slot of a mesh node: its present load; its predicted load as a corner, and as an end of an edge
}

// New returns a contact of the components of a mesh with the given numbers of
// nodes and rigid bodies.
func New(c Config, components []Component, nodes, rigids int) *Contact {
	s := &Contact{Config: c, slot: make([]int32, nodes)}
	for i := range s.slot {
		s.slot[i] = -1
	}
	used := slices.Concat(c.First, c.Second)
	slices.Sort(used)
	for _, p := range slices.Compact(used) {
		_, first := slices.BinarySearch(c.First, p)
		_, second := slices.BinarySearch(c.Second, p)
		s.shapes = append(s.shapes, shape{Component: &components[p]})
		s.componentOf = append(s.componentOf, p)
		s.first, s.second = append(s.first, first), append(s.second, second)
		if components[p].Rigid >= 0 {
			continue
		}
		for _, n := range components[p].Nodes {
			if s.slot[n] < 0 {
				s.slot[n] = int32(len(s.nodes))
				s.nodes = append(s.nodes, n)
			}
		}
	}
	s.boxes = make([]boundingbox.Box, len(s.shapes))
	s.load, s.asCorner, s.asEdgeEnd = make([]predictedLoad, len(s.nodes)), make([]predictedLoad, len(s.nodes)), make([]predictedLoad, len(s.nodes))
	n := len(s.nodes) + rigids
	s.State = State{NormalForce: make([]r2.Vec, n), FrictionForce: make([]r2.Vec, n), NormalMoment: make([]float64, n), FrictionMoment: make([]float64, n)}
	return s
}

// InsideError reports a body that lies completely inside another. Then there is no contact
// line, which would give the direction of the force.
type InsideError struct {
	Contact, First, Second string
	Position               r2.Vec // [m]
}

func (e *InsideError) Error() string {
	return fmt.Sprintf("contact %q: at (%.6g, %.6g) m one of %q and %q lies wholly in the other: stiffen the law or refine the step",
		e.Contact, e.Position.X, e.Position.Y, e.First, e.Second)
}

// Work returns the account of work at the last evaluation.
func (c *Contact) Work() work.Account { return work.Account{Done: c.Done, Stored: c.Stored} }

// AddForces measures the overlaps in the scene and adds the forces to out. dt
// is the length of the step that led there, 0 at the start.
func (c *Contact) AddForces(out onnodes.Forces, at Scene, dt float64, next StepPrediction) error {
	c.recordWork(at, dt)
	clear(c.NormalForce)
	clear(c.FrictionForce)
	clear(c.NormalMoment)
	clear(c.FrictionMoment)
	clear(c.load)
	c.search(at, next.Farthest)
	if err := c.find(); err != nil {
		return err
	}
	c.Normal, c.Tangential, c.Stored = 0, 0, 0
	for i := range c.Patches {
		c.addPatchForces(out, &c.Patches[i], at, dt)
	}
	c.predict(out, at, next)
	c.recordWork(at, dt)
	if dt == 0 {
		c.NormalWork = c.Stored // bodies may overlap at the start
	}
	return nil
}

// find fills Patches with the overlaps, in the order of the components.
func (c *Contact) find() error {
	c.Patches = c.Patches[:0]
	for _, pair := range c.pairs {
		a, b := &c.shapes[pair[0]], &c.shapes[pair[1]]
		if !a.box.Overlaps(b.box) {
			continue
		}
		c.patches = overlaps(c.patches[:0], &c.clipper, a, b)
		for _, p := range c.patches {
			if p.Length == 0 {
				return &InsideError{c.Name, a.Name, b.Name, p.Centroid}
			}
			c.Patches = append(c.Patches, ContactPatch{Patch: p, A: pair[0], B: pair[1]})
		}
	}
	return nil
}

// search sets the shapes' positions. If a box has left its box of the neighbour list,
// search makes new pairs of shapes that may be in contact and whose boxes are within a
// reach [m], or soon will be.
func (c *Contact) search(at Scene, reach float64) {
	left := false
	for i := range c.shapes {
		c.shapes[i].setPosition(at.X, at.Rigids)
		left = left || !c.boxes[i].Contains(c.shapes[i].box.Grow(float64(0.5*reach)))
	}
	if !left {
		return
	}
	for i := range c.shapes {
		b := c.shapes[i].box
		c.boxes[i] = b.Grow(float64(0.5*reach) + float64(skin*max(b.Max.X-b.Min.X, b.Max.Y-b.Min.Y)))
	}
	c.pairs = c.pairs[:0]
	c.grid.Fill(c.boxes)
	c.grid.Pairs(func(i, j int32) {
		if r := c.shapes[i].Rigid; r >= 0 && r == c.shapes[j].Rigid {
			return
		}
		if c.first[i] && c.second[j] || c.first[j] && c.second[i] {
			c.pairs = append(c.pairs, [2]int32{min(i, j), max(i, j)})
		}
	})
	slices.SortFunc(c.pairs, func(a, b [2]int32) int {
		if a[0] != b[0] {
			return int(a[0] - b[0])
		}
		return int(a[1] - b[1])
	})
}

// recordWork adds half the work of the present forces over the last step.
func (c *Contact) recordWork(at Scene, dt float64) {
	press, drag := 0.0, 0.0
	for i, n := range c.nodes {
		v := at.V[n]
		press += elementary.Dot(c.NormalForce[i], v)
		drag += elementary.Dot(c.FrictionForce[i], v)
	}
	for r := range at.Rigids {
		m, i := &at.Rigids[r], len(c.nodes)+r
		press += elementary.Dot(c.NormalForce[i], m.Velocity) + float64(c.NormalMoment[i]*m.Spin)
		drag += elementary.Dot(c.FrictionForce[i], m.Velocity) + float64(c.FrictionMoment[i]*m.Spin)
	}
	c.NormalWork -= float64(0.5 * dt * press)
	c.FrictionWork -= float64(0.5 * dt * drag)
}

// Overlapping returns the greatest mean thickness of an overlap at the last
// evaluation [m].
func (c *Contact) Overlapping() (deepest float64) {
	for i := range c.Patches {
		deepest = max(deepest, c.Patches[i].Area/c.Patches[i].Length)
	}
	return deepest
}

// FirstStiffness returns a stiffness [N/m] that the contact of component p will
// hardly exceed at first. For a disc it is that of an overlap of a hundredth of
// its radius.
func (c *Contact) FirstStiffness(p int32) float64 {
	i, used := slices.BinarySearch(c.componentOf, p)
	if !used {
		return 0
	}
	s := &c.shapes[i]
	length := 0.28 * math.Abs(s.Radius)
	if s.Radius == 0 {
		length = max(s.box.Max.X-s.box.Min.X, s.box.Max.Y-s.box.Min.Y)
	}
	return c.Law.K * length * c.Thickness
}

// ComponentNumber returns the number of the component that A or B of a ContactPatch refers
// to.
func (c *Contact) ComponentNumber(i int32) int32 { return c.componentOf[i] }

func sub(a, b r2.Vec) r2.Vec { return r2.Vec{X: a.X - b.X, Y: a.Y - b.Y} }
