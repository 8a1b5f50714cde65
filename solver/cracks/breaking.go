package cracks

import (
	"slices"

	"fdem/boundingbox"
	"fdem/contactnodes/potential"
	"fdem/fem/fracture"
	"fdem/solver/bodies"
	"fdem/solver/constraints"
	"fdem/solver/contacts"
	models "fdem/solver/model"
	"fdem/solver/system"
)

// Breaking is what breaks in a run: cohesive cracks, the contact of crack faces, and bodies that are
// excavated. Contacts and spheres ask it through contacts.Broken.
type Breaking struct {
	system.View
	Faces       *Faces
	cracks      *Cracks
	excavations *excavations
	exchange    Exchange
	adapting    Adapting // is in contact with breaking bodies, as contacts are
}

// Exchange is what cracks ask of the processes that share a model.
type Exchange interface {
	Follow(name func(each func(n int32)))     // makes the nodes that name yields known from now on
	GetNodes() func(nodes, triangles []int32) // gets the present data of nodes and of triangles' laws; nil if all are known
	GetAllNodes()                             // gets the data of all nodes
	Join() func(found []int32) []int32        // combines what processes have found; nil for one process
	Meet() *potential.Others                  // for the contact of fragments; nil for one process
}

// Asking kinds ask what is broken.
type Asking interface{ Break(contacts.Broken) }

// Adapting kinds follow bodies that separate.
type Adapting interface {
	Asking
	Adapt(triangles []int32)                        // triangles around a vertex that has opened
	Excavate(body int32)                            // a body was excavated
	Closed(edge int32) float64                      // the energy that they would store in an open edge if it were closed [J]
	Velocities(box boundingbox.Box) boundingbox.Box // with the velocities of these kinds at the start [m/s]
}

// New makes cracks, excavations and the contact of crack faces, and tells contacts, the adapting and the asking
// kinds of them. left tells the run that a body has been excavated. It fails if the model cannot break as it
// says.
func New(of system.View, exchange Exchange, t *bodies.Continuum, d *constraints.Drives, c *contacts.Contacts, left func(), adapting Adapting, asking Asking) (*Breaking, error) {
	k := &Breaking{View: of, exchange: exchange, adapting: adapting}
	c.Break(k)
	adapting.Break(k)
	asking.Break(k)
	k.excavations = newExcavations(of, t, c, d, k, left)
	var err error
	if k.cracks, err = newCracks(of, t, d, c.Outlines, k); err != nil {
		return nil, err
	}
	k.Faces = newCrackFaces(of, c, k)
	return k, nil
}

// Systems returns the kinds of a run: excavations act before cracks.
func (k *Breaking) Systems() (excavations, cracks system.System) { return k.excavations, k.cracks }

// Breaks tells whether something in the model can break.
func (k *Breaking) Breaks() bool { return !k.cracks.Empty() }

// Excavates tells whether a body is excavated.
func (k *Breaking) Excavates() bool { return !k.excavations.Empty() }

// Prepare activates the faces that have separated, before the forces of all contacts.
func (k *Breaking) Prepare() { k.Faces.prepare() }

// Also returns the forces of crack faces that belong to a contact of the model.
func (k *Breaking) Also(contact int) []system.ContactForce { return k.Faces.also(contact) }

// IsOpen tells whether an edge has opened.
func (k *Breaking) IsOpen(edge int32) bool { return k.cracks.IsOpen(edge) }

// IsExcavated tells whether a body has been excavated.
func (k *Breaking) IsExcavated(body int32) bool { return k.excavations.isExcavated(body) }

// Cracks returns the cracks, nil if nothing can break.
func (k *Breaking) Cracks() *fracture.Zone {
	if !k.Breaks() {
		return nil
	}
	return k.Zone()
}

// Zone returns the cohesive zone, an empty one if nothing can break.
func (k *Breaking) Zone() *fracture.Zone { return k.cracks.Zone }

// Nodes returns the number of nodes: those of the mesh and of outlines, and those
// that cracks have added.
func (k *Breaking) Nodes() int {
	return len(k.Mesh.X) - len(k.Mesh.Faces) - len(k.Mesh.Hinges) - k.cracks.Free()
}

// Own returns a model with breaking bodies that has its own copy of the mesh: cracks change the
// nodes of triangles and of boundary edges.
func Own(m *models.Model) *models.Model {
	if m.Fracture == nil {
		return m
	}
	model, mesh, f := *m, *m.Mesh, *m.Fracture
	mesh.X, mesh.NodeID = slices.Clone(mesh.X), slices.Clone(mesh.NodeID)
	mesh.Triangles, mesh.Edges, mesh.Bodies = slices.Clone(mesh.Triangles), slices.Clone(mesh.Edges), slices.Clone(mesh.Bodies)
	f.Pages = &fracture.Pages{Numbers: f.Pages.Numbers, Used: slices.Clone(f.Pages.Used), Slots: f.Pages.Slots, Nodes: f.Pages.Nodes}
	model.Mesh, model.Fracture = &mesh, &f
	return &model
}
