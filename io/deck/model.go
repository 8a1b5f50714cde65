package deck

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fdem/io/abaqus"
	"fdem/io/gmsh"
	"fdem/io/guard"
	"fdem/io/tables"
	"fdem/io/throw"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// MeshPath returns the path of the deck's mesh, "" where it has no meshed body.
func (d *Deck) MeshPath() string {
	switch {
	case len(d.bodies) == 0 && !d.cutsOut():
		return ""
	case d.Mesh != "":
		return tables.Beside(d.doc.File, d.Mesh)
	}
	stem := strings.TrimSuffix(d.doc.File, filepath.Ext(d.doc.File))
	if _, err := os.Stat(stem + ".msh"); err != nil {
		if _, err := os.Stat(stem + ".inp"); err == nil {
			return stem + ".inp"
		}
	}
	return stem + ".msh"
}

// ReadMesh reads a mesh of Gmsh, or of Abaqus and CalculiX, depending on its
// contents.
func ReadMesh(path string) (*mesh.Source, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, fmt.Errorf("%s: the file is empty", path)
	}
	if is := guard.Foreign(data); is != "" {
		return nil, fmt.Errorf("%s: the file is %s; a mesh is a .msh of Gmsh or an .inp of Abaqus or CalculiX", path, is)
	}
	if abaqus.IsInput(data) {
		return abaqus.Parse(path, data, abaqus.Beside(path))
	}
	return gmsh.Parse(path, data)
}

// Load makes the solver's model of a deck and the mesh at a path, "" for none,
// with the warnings of both. Mistakes of the deck are *Error.
func (d *Deck) Load(path string) (*models.Model, []string, error) {
	if path == "" {
		return d.Build(nil)
	}
	src, err := ReadMesh(path)
	if err != nil {
		return nil, nil, err
	}
	return d.Build(src)
}

// Build is Load for the contents of a mesh file, nil for none.
func (d *Deck) Build(src *mesh.Source) (*models.Model, []string, error) {
	built := &mesh.Mesh{}
	if src != nil {
		src.Use(d.hasText)
		d.ambiguous = src.Ambiguous
		d.ScaleMesh(src)
		if err := d.openJoints(src); err != nil {
			return nil, nil, err
		}
		if err := d.cutOut(src); err != nil {
			return nil, nil, err
		}
		if len(d.bodies) > 0 {
			var err error
			if built, err = mesh.Build(src, d.BodyNames(), d.BeamNames()...); err != nil {
				return nil, nil, d.Locate(err)
			}
		}
	}
	m, warnings, err := Model(d, built)
	return m, slices.Concat(built.Warnings, warnings), err
}

// withPairs pairs the triangles of bodies whose material needs it.
func (d *Deck) withPairs(m *mesh.Mesh) *mesh.Mesh {
	in := make([]bool, len(m.Bodies))
	for i := range d.bodies {
		b := &d.bodies[i]
		in[i] = b.Height == 0 && b.Material >= 0 && d.model.Materials[b.Material].SharesVolume(d.model.Plane)
	}
	return m.WithPairs(in)
}

// Model returns the solver's model. It looks up the deck's names in the mesh, which must have
// been built with BodyNames and BeamNames. It also returns warnings of materials and laws
// that nothing uses, and of bodies that particles pass through. Mistakes are *Error.
func Model(d *Deck, m *mesh.Mesh) (model *models.Model, warnings []string, err error) {
	defer throw.Catch(&err)
	m = d.withModuli(d.withPairs(m))
	r := resolver{Deck: d, mesh: m, nodes: m.X, used: map[string]bool{}, fixed: map[[2]int32]holder{}, fixedThen: map[[2]int32][]stagedHolder{}, absorbing: map[int32]string{}, stressed: map[int]bool{}, clamped: map[int32]string{}, twice: map[int32]bool{}, supports: map[string]r2.Vec{}}
	out := d.model
	r.withLinings()
	out.Fracture = r.withNodes()
	r.divide(out.Fracture)
	out.Clamps = r.withHinges()
	r.withBeams()
	r.withRigids()
	out.Mesh = r.mesh
	for _, b := range d.rigids {
		out.Rigids = append(out.Rigids, b.Rigid)
		for _, group := range append(b.cutFrom(), b.block) {
			r.used[group] = true
		}
	}
	for _, b := range d.bodies {
		out.Bodies = append(out.Bodies, b.Body)
		r.used[b.Name] = true
	}
	if len(d.bodies) == 0 && !d.cutsOut() && (d.Mesh != "" || d.unit != 0) {
		r.warn("mesh and mesh_unit are not used, since the deck has no [[body]] and no [[beam]]")
	}
	if out.Impulses = r.impulsive(); out.Impulses == nil {
		out.Contacts, out.ByVolume = r.contacting()
	}
	out.Particles = r.particled()
	for _, add := range d.onMesh {
		add(&r, &out)
	}
	for _, check := range r.checks {
		check()
	}
	r.holdAlways(&out)
	return &out, slices.Concat(r.unused(), r.allWarnings(&out), r.warnings), nil
}

// resolver looks names up in the mesh.
type resolver struct {
	*Deck
	mesh      *mesh.Mesh
	nodes     []r2.Vec                    // nodes of the mesh as read, without faces of beams and outlines
	used      map[string]bool             // names of groups
	fixed     map[[2]int32]holder         // by node and direction, the block that holds it
	fixedThen map[[2]int32][]stagedHolder // the fixes that hold it for a part of the run
	twice     map[int32]bool              // nodes that two blocks hold in a direction
	divided   dividedVertices
	weights   []float64         // see newWeights
	absorbing map[int32]string  // by edge, the absorbing block
	release   float64           // of initial stresses [s]
	stressed  map[int]bool      // by body, whether it has an initial stress
	supports  map[string]r2.Vec // by the name of a reaction, the point of its moment [m]
	lined     map[int32]int32   // nodes of walls, and those of the linings on them
	clamped   map[int32]string  // nodes of beams that rotate with a body, and their group
	breaks    map[int32]bool    // by body, whether it can break
	checks    []func()          // run when all blocks have been read
	warnings  []string
}

// warn adds a warning, once.
func (r *resolver) warn(format string, args ...any) {
	if w := fmt.Sprintf(format, args...); !slices.Contains(r.warnings, w) {
		r.warnings = append(r.warnings, w)
	}
}

// warnAt adds a warning about a key of a block, once, with its place.
func (r *resolver) warnAt(t *tables.Reader, key, format string, args ...any) {
	r.warn("%s", withPlace(t, key, format, args...))
}

// withPlace returns a warning about a key of a block with its place, as errors have it.
func withPlace(t *tables.Reader, key, format string, args ...any) string {
	e := t.ErrorAt(t.At(key), fmt.Sprintf(format, args...))
	if t.Title != "" {
		e.Msg = t.Title + ": " + e.Msg
	}
	return e.Error()
}

// group finds a named group, the first of its name.
func (r *resolver) group(t *tables.Reader, key, name string) *mesh.Group {
	r.used[name] = true
	var found *mesh.Group
	var known []string
	for i := range r.mesh.Groups {
		g := &r.mesh.Groups[i]
		if known = append(known, g.Name); g.Name != name {
			continue
		}
		if found == nil {
			found = g
		} else {
			r.warn("the mesh has a %[2]s and a %[3]s named %[1]q: %[4]s %[5]q takes the %[6]s", name, groupKinds[found.Dim], groupKinds[g.Dim], t.Name, name, groupKinds[found.Dim])
		}
	}
	if found == nil {
		r.noGroup(t, key, name)
		how := ""
		if several := r.mayBe(name); several != "" {
			t.Bad(key, "the mesh has no group %q, but %s", name, several)
		}
		if tables.Suggestion(name, known) == "" { // not a spelling mistake
			how = "; a side gets a name in the shapes file, as in bottom = \"feet\", or as a physical curve in Gmsh, or by *SURFACE in an .inp"
		}
		t.Bad(key, "there is no group %q in the mesh%s%s", name, tables.Nearest(name, known), how)
	}
	return found
}

// noGroup stops at a name that is not that of a mesh group but of another
// block.
func (r *resolver) noGroup(t *tables.Reader, key, name string) {
	advice := func(of, fix string) string {
		if t.Name == "fix" {
			return fix
		}
		return of
	}
	for _, b := range r.rigids {
		if b.Name == name {
			t.Bad(key, "%q is a [[rigid]], and %s needs a group of the mesh: %s", name, t.Header(), advice("give a curve, a point or a body of the mesh", "a rigid body without a mass does not move"))
		}
	}
	for _, p := range r.particles {
		if p.name == name {
			t.Bad(key, "%q is a [[particle]], and %s needs a group of the mesh: %s", name, t.Header(), advice("give a curve, a point or a body of the mesh", "fixed = true in its own block fixes it"))
		}
	}
}

// groupKinds are the names for groups of the mesh, by dimension.
var groupKinds = [3]string{"point", "curve", "surface"}

func inGroup(g *mesh.Group, nodes []int32) bool {
	for _, n := range nodes {
		if _, ok := slices.BinarySearch(g.Nodes, n); !ok {
			return false
		}
	}
	return true
}

// unused warns of materials and laws that nothing uses, and returns unused
// groups.
func (r *resolver) unused() []string {
	var out []string
	for i, m := range r.model.Materials {
		if !slices.ContainsFunc(r.bodies, func(b body) bool { return b.Material == int32(i) }) &&
			!slices.ContainsFunc(r.rigids, func(b rigid) bool { return b.Material == int32(i) }) &&
			!slices.ContainsFunc(r.particles, func(p particles) bool { return p.material == int32(i) }) {
			out = append(out, fmt.Sprintf("material %q is not used", m.Name))
		}
	}
	for _, l := range r.laws {
		if !slices.ContainsFunc(r.contacts, func(c contactDef) bool {
			return c.LawName == l.name || slices.ContainsFunc(c.pairs, func(p pairLaw) bool { return p.name == l.name })
		}) && !slices.ContainsFunc(r.interactions, func(i interaction) bool { return i.law.name == l.name }) {
			out = append(out, fmt.Sprintf("law %q is not used", l.name))
		}
	}
	r.Idle = nil
	for _, g := range r.mesh.Groups {
		if !r.used[g.Name] {
			r.Idle = append(r.Idle, g.Name)
		}
	}
	for _, b := range r.bodies {
		if len(r.particles) > 0 && !slices.ContainsFunc(r.particles, func(p particles) bool { return joiner(r.interactions, p.name, b.Name) >= 0 }) {
			out = append(out, fmt.Sprintf("particles pass through %q: no [[interaction]] joins them", b.Name))
		}
	}
	return out
}

// hasText tells whether a value of the deck is a text.
func (d *Deck) hasText(text string) bool { return hasText(d.doc.Values, text) }

func hasText(value any, text string) bool {
	switch v := value.(type) {
	case string:
		return v == text
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return hasText(e, text) })
	case map[string]any:
		for _, e := range v {
			if hasText(e, text) {
				return true
			}
		}
	}
	return false
}

// mayBe names the groups that a name may mean, "" where there are none.
func (d *Deck) mayBe(name string) string {
	if d.ambiguous == nil {
		return ""
	}
	switch of := d.ambiguous(name); len(of) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%q, of an instance", of[0])
	default:
		return fmt.Sprintf("several instances have a set of this name: %s", tables.Quoted(of))
	}
}
