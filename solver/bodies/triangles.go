package bodies

import (
	"fmt"
	"slices"

	"fdem/fem"
	"fdem/materials/bulk"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/nodes"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// Continuum are the finite elements of meshed bodies: constant-strain triangles
// (CST) in total Lagrangian form.
type Continuum struct {
	system.Idle
	*fem.Triangles
	system.View
	shared       sharedForces
	Stale        bool    // the bodies' nodes are not up to date
	omega2       float64 // bound of the highest squared frequency of St. Venant-Kirchhoff triangles [1/s2]
	MeshedBodies []Body
	Led          float64  // length of the step that led to Time, while Last is 0 [s]
	From         []r2.Vec // positions of triangles with laws at the start of a static increment [m]
	lawState
	compressed compression                             // the greatest in the frames of this run
	doEnergy   func(leaf int32, sum *elementary.Terms) // addEnergy, made once
}

// sharedForces computes the forces of triangles on several threads and processes.
type sharedForces interface {
	AddTriangleForces() error
	GreatestStiffness() float64 // greatest squared frequency of triangles with laws [1/s2]
}

// lawState is the state of triangles with constitutive laws apart from their memory.
type lawState struct {
	Follows float64 // bound of their highest squared frequency at the last measurement [1/s2]
	Gone    float64 // plastic work of excavated bodies [J]
	Flowed  float64 // viscous work of excavated bodies [J]
}

// MeasureEvery is the number of steps after which the frequencies of triangles with laws are
// measured again. A body that is flattened or sheared has higher frequencies.
const MeasureEvery = 8

// NewElements makes the triangles of a model, and the nodal field with their masses.
func NewElements(a *system.Analysis) (*fem.Triangles, system.View, error) {
	m := a.Model
	material := make([]int32, len(m.Mesh.Triangles))
	materials := slices.Clone(m.Materials)
	for i, b := range m.Mesh.Bodies[:len(m.Bodies)] {
		of := m.Bodies[i].Material
		if m.InPairs(i) { // the body has a material of its own; its pairs are consecutive from its first triangle on
			own := m.Materials[of]
			if own.Law == nil {
				own.Law = &bulk.SaintVenant{Elastic: own.Elastic}
			}
			of, materials = int32(len(materials)), append(materials, own)
		}
		for t := b.First; t < b.End; t++ {
			material[t] = of
		}
	}
	if own := m.Spread; own != nil {
		for t, k := range own.Of {
			if k >= 0 {
				material[t] = int32(len(materials)) + k
			}
		}
		materials = append(materials, own.Materials...)
	}
	moduli := make([]bulk.Moduli, len(materials))
	density := make([]float64, len(materials))
	laws := make([]bulk.Law, len(materials))
	for i, mat := range materials {
		moduli[i], density[i], laws[i] = mat.Stiffest(m.Plane), mat.Density, mat.Law
	}
	made, err := fem.NewTriangles(m.Mesh.X, m.Mesh.Triangles, m.Mesh.TriID, material, moduli, density, m.Thickness)
	if err != nil {
		return nil, system.View{}, err
	}
	made.Follow(laws, m.Plane)
	if m.Mesh.Pairs != nil {
		made.Pair(m.Mesh.Pairs)
	}
	if err := prestress(m, made); err != nil {
		return nil, system.View{}, err
	}
	a.BodyMass, a.Generic = make([]float64, len(m.Bodies)), made.Kernel() == "generic"
	return made, system.View{Field: nodes.New(m.Mesh, made), Analysis: a}, nil
}

// NewContinuum makes the system of triangles, whose forces shared computes, and gives the nodes of their bodies
// the initial velocities.
func NewContinuum(of system.View, elements *fem.Triangles, shared sharedForces) *Continuum {
	k := &Continuum{Triangles: elements, View: of, shared: shared, omega2: elements.MaxFrequencySquared(of.Mesh.X)}
	k.doEnergy = k.addEnergy
	if k.Lawful() && k.Static != nil {
		k.From = k.ComeFrom(k.Mesh.X)
	}
	k.Follows = k.LawFrequencySquared(k.Mesh.X)
	for i := range k.Model.Bodies {
		of := &k.Mesh.Bodies[i]
		if of.Kind != mesh.OfTriangles {
			continue
		}
		b := newBody(k.Model, i, false)
		k.setBodyMass(&b, of)
		b.start(k.Field, k.Analysis)
		k.MeshedBodies = append(k.MeshedBodies, b)
	}
	leaveMasses(k.Mesh, k.MeshedBodies)
	return k
}

func (k *Continuum) Name() string { return "triangles" }

func (k *Continuum) NodesRead(func(n int32)) bool { return true }

// setBodyMass gives a body the masses of its triangles.
func (k *Continuum) setBodyMass(b *Body, of *mesh.Body) {
	for _, t := range k.Mesh.Triangles[of.First:of.End] {
		a, p, q := k.Mesh.X[t[0]], k.Mesh.X[t[1]], k.Mesh.X[t[2]]
		area := 0.5 * (float64((p.X-a.X)*(q.Y-a.Y)) - float64((p.Y-a.Y)*(q.X-a.X)))
		third := k.Materials[b.Material].Density * k.Thickness * area / 3
		for _, n := range t {
			b.add(n, third, 0)
		}
	}
}

func (k *Continuum) ApplyForces(commit bool) error {
	if !k.Lawful() {
		return k.shared.AddTriangleForces()
	}
	measure := commit && k.Static == nil && k.N%MeasureEvery == 0
	k.Advance(k.N, max(k.Last, k.Led), commit, measure)
	if err := k.shared.AddTriangleForces(); err != nil {
		return err
	}
	if measure {
		k.Follows = k.shared.GreatestStiffness()
	}
	return nil
}

// OfTriangles is the cause of a step that triangles limit.
const OfTriangles = "triangles"

func (k *Continuum) Bound(b *system.Bounds) {
	b.Elements.Raise(max(k.omega2, k.Follows), system.Cause{What: OfTriangles})
}

func (k *Continuum) Dissipates() bool { return k.Loses(bulk.PlasticWork) }

func (k *Continuum) AddEnergies(e *system.Energies) {
	sum := k.Field.Leaves(k.Triangles.Leaves(), k.doEnergy)
	e.Strain += sum[0]
	e.PlasticWork += k.Gone + sum[1]
	e.ViscousWork += k.Flowed + sum[2]
}

// addEnergy adds the energies of a leaf of the summation tree.
func (k *Continuum) addEnergy(leaf int32, sum *elementary.Terms) { k.AddLeaf(leaf, k.X, sum) }

func (k *Continuum) StateParts() []system.Part {
	if !k.Lawful() {
		return nil
	}
	parts := []system.Part{{Name: "laws.memory", Values: k.Memory(k.N)}, {Name: "laws.frequency", Values: &k.Follows}, {Name: "laws.gone", Values: &k.Gone}, {Name: "laws.flowed", Values: &k.Flowed}, {Name: "laws.parted", Values: &k.Separated.Pairs}, {Name: "laws.factors", Values: &k.Separated.Factors}}
	if k.From != nil {
		parts = append(parts, system.Part{Name: "laws.from", Values: k.From})
	}
	return parts
}

func (k *Continuum) Recompute() error {
	if !k.Lawful() {
		return nil
	}
	k.Recall()
	return k.RestoreSeparated()
}

func (k *Continuum) Motions(out []system.BodyMotion) []system.BodyMotion {
	k.recount()
	return meshedMotions(k.Field, k.MeshedBodies, out)
}

// Where names the triangle with the shortest step.
func (k *Continuum) Where(by system.Cause) string {
	if by.What != OfTriangles {
		return ""
	}
	t := k.Fastest(k.Mesh.X, k.X)
	if t < 0 { // no position is a number any more
		return ""
	}
	return k.Element("triangle", t, k.Mesh.TriID, func(b *mesh.Body) (first, end int32) { return b.First, b.End })
}

// Advice returns how steps can get longer.
func (k *Continuum) Advice(by system.Cause) string {
	if by.What != OfTriangles {
		return ""
	}
	law, i := "", int32(k.Fastest(k.Mesh.X, k.X))
	for b := range k.MeshedBodies {
		if of := &k.Mesh.Bodies[k.MeshedBodies[b].Number]; i >= of.First && i < of.End && k.Materials[k.MeshedBodies[b].Material].Law == nil && k.Follows > k.omega2 {
			law = ", or a law for more than some 10 % of strain (law = \"neo-hooke\" for rubber, \"j2\" for metal; without one it is of St. Venant and Kirchhoff and softens as it is squeezed)"
		}
	}
	return "it has become small or stiff: load or drive it less or more slowly, give its material a smaller Young's modulus or the body larger elements" + law
}

func (k *Continuum) Set() (of fem.Ends, elements int) { return k.Triangles, len(k.Mesh.Triangles) }

func (k *Continuum) EachCount(each func(n int, of string)) { each(len(k.Mesh.Triangles), "triangles") }

func (k *Continuum) Bytes() int {
	n := 440 * len(k.Mesh.Triangles)
	if k.Lawful() {
		n += 8 * (3*len(k.Memory(k.N)) + 6*len(k.Mesh.Triangles))
	}
	return n
}

// Materials that are softer than this modulus or nearly incompressible, such as rubber, gel
// and foam, are likely to have larger strains than the default material model is made for.
const (
	softModulus = 50e6 // [Pa]
	softPoisson = 0.45
)

func (k *Continuum) Describe(out []system.Description) []system.Description {
	m := k.Mesh
	for i := range k.MeshedBodies {
		b := &k.MeshedBodies[i]
		of := &m.Bodies[b.Number]
		lo, hi := of.Extent(m)
		pairs := ""
		if n := k.pairs(of); n > 0 {
			pairs = fmt.Sprintf(" (%d pairs of them share their volume, against locking)", n)
		}
		material := &k.Materials[b.Material]
		law := ""
		if material.Law == nil && (material.Young < softModulus || material.Poisson > softPoisson) {
			law = " (no law: right at some percent of strain; beyond, law = \"neo-hooke\" and others)"
		}
		out = append(out, system.Description{Kind: "body", Name: b.Name, Made: fmt.Sprintf("%d triangles%s, %d nodes, %d boundary edges, %.6g kg of %s%s, %.4g mm by %.4g mm",
			of.End-of.First, pairs, len(of.Nodes), of.EndEdge-of.FirstEdge, b.Total, material.Name, law, 1e3*(hi.X-lo.X), 1e3*(hi.Y-lo.Y)), Velocity: "velocity"})
	}
	return out
}

// pairs counts the pairs of a body's triangles.
func (k *Continuum) pairs(of *mesh.Body) (n int) {
	for t := of.First; t < of.End; t++ {
		if k.Paired(int(t)) > int(t) {
			n++
		}
	}
	return n
}

func (k *Continuum) AddStiffness(p *fem.Pattern, value []float64) {
	p.AddTriangles(value, k.Triangles, k.X)
}

// StressesAt fills out, one value per triangle, with the stress at positions x [Pa], by
// what bodies are excavated now and by the memory of their laws.
func (k *Continuum) StressesAt(x []r2.Vec, out []fem.Stress) { k.Stresses(x, k.Plane, out) }
