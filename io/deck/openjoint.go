package deck

import (
	"math"
	"slices"

	"fdem/contactnodes"
	"fdem/io/tables"
	"fdem/io/throw"
	"fdem/materials/contact"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

// openJoint is a [[joint]] with an aperture, or any joint in a static analysis, which
// cannot open vertices during the run. The mesh is cut along it first of all, and its sides
// are outlines in a contact of their own.
type openJoint struct {
	*tables.Reader
	on       string
	aperture float64 // [m]; 0 if closed at the start
}

// closedAperture is the aperture of a closed joint in a static analysis, over its shortest
// edge. Sides at exactly the same position would overlap by rounding.
const closedAperture = 1e-9

func (d *Deck) readOpenJoint(t *tables.Reader) {
	j := openJoint{Reader: t, on: t.Text("on"), aperture: t.Number("aperture")}
	d.opens = append(d.opens, j)
	c := contactDef{Reader: t, contactor: j.on, opposite: j.on, law: automatic}
	c.Name, c.LawName, c.Law, c.Self, c.StiffnessKey = j.on, automatic.name, automatic.law, true, "normal_stiffness"
	if k := t.Number("normal_stiffness"); k > 0 {
		c.law = &namedLaw{Reader: t, name: "normal_stiffness", law: contact.Linear{K: k}}
		c.LawName, c.Law = c.law.name, c.law.law
	}
	c.NodesPerElement = usualNodes
	mu := t.Number("friction")
	c.Friction = contactnodes.Friction{Kinetic: mu, Static: mu}
	if c.Friction.Stiffness = t.Number("shear_stiffness"); c.Friction.Stiffness == 0 {
		stick(&c.Friction, d.model.Static != nil)
	}
	if d.taken[[2]string{"a contact", j.on}] {
		t.Bad("on", "there is a joint or a contact %q already: name each curve in one block", j.on)
	}
	d.unique(t, "a contact", c.Name)
	d.contacts = append(d.contacts, c)
}

// openJoints cuts a mesh along the joints that are open.
func (d *Deck) openJoints(src *mesh.Source) (err error) {
	defer throw.Catch(&err)
	for _, j := range d.opens {
		var known []string
		for _, g := range src.Groups {
			if g.Dim == 1 {
				known = append(known, g.Name)
			}
		}
		at := slices.IndexFunc(src.Groups, func(g mesh.SourceGroup) bool { return g.Dim == 1 && g.Name == j.on })
		if at < 0 {
			if slices.ContainsFunc(src.Groups, func(g mesh.SourceGroup) bool { return g.Name == j.on }) {
				j.Bad("on", "%q is not a curve of the mesh; its curves are %s", j.on, quotedOr(known, "none"))
			}
			j.Bad("on", "there is no curve %q in the mesh%s", j.on, tables.Nearest(j.on, known))
		}
		of := &src.Groups[at]
		d.noBeams(&j, src, of)
		aperture := j.aperture
		if aperture == 0 {
			aperture = closedAperture * shortest(src, of.Elements)
		}
		switch n, err := src.Open(of.Elements, aperture); {
		case err != nil:
			j.Bad(j.cause(), "%v", err)
		case n == 0:
			j.Bad("on", "no line of %q lies between two triangles: for a joint that the mesh already has as a gap use a [[contact]] with self = true", j.on)
		}
	}
	return nil
}

// cause returns the key for which the mesh is cut.
func (j *openJoint) cause() string {
	if j.aperture > 0 {
		return "aperture"
	}
	return "on"
}

// shortest returns the length of the shortest of some lines [m].
func shortest(src *mesh.Source, lines []int32) float64 {
	least := math.Inf(1)
	for _, l := range lines {
		least = min(least, elementary.Norm(r2.Sub(src.X[src.Lines[l][1]], src.X[src.Lines[l][0]])))
	}
	return least
}

// noBeams stops if a beam has a node on an open joint, since the side is not defined.
func (d *Deck) noBeams(j *openJoint, src *mesh.Source, of *mesh.SourceGroup) {
	on := map[int32]bool{} // looked up only
	for _, l := range of.Elements {
		on[src.Lines[l][0]], on[src.Lines[l][1]] = true, true
	}
	instead := "leave aperture out"
	if j.aperture == 0 {
		instead = "load it slowly in time (quasi_static = true)"
	}
	for _, g := range src.Groups {
		if g.Dim != 1 || !slices.Contains(d.BeamNames(), g.Name) {
			continue
		}
		for _, l := range g.Elements {
			for _, n := range src.Lines[l] {
				if on[n] {
					j.Bad("on", "beam %q has a node on %q, at (%.6g, %.6g) m, so that its side of the joint is not defined: end the beam before the joint, or %s", g.Name, j.on, src.X[n].X, src.X[n].Y, instead)
				}
			}
		}
	}
}
