package deck

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"fdem/io/tables"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// allWarnings returns the warnings of a deck, one text each, of values that are allowed
// but probably not intended.
func (r *resolver) allWarnings(m *model.Model) []string {
	q := r.mesh.Quality()
	return slices.Concat(r.scaled(), r.far(&q), r.thick(), r.unconstrained(m), r.unfinished(m), r.held(m), r.ambiguous(), r.values(), r.unlikelyValues(m), r.poorMesh(m, &q), r.overstressed(m))
}

// minQuality is the quality of a triangle below which there is a warning. An
// equilateral triangle has 1.
const minQuality = 0.01

// repeated returns pairs of nodes at the same position x, each with an earlier node. It
// uses a hash table with open addressing.
func repeated(x []r2.Vec, nodes []int32) (twice [][2]int32) {
	table := make([]int32, 1<<bits.Len(uint(2*len(nodes)))) // nodes, counted from 1
	for _, n := range nodes {
		p := x[n]
		hash := (math.Float64bits(p.X+0)*0x9e3779b97f4a7c15 ^ math.Float64bits(p.Y+0)) * 0xbf58476d1ce4e5b9 // + 0 as -0 is 0
		i := int(hash>>32) & (len(table) - 1)
		for table[i] > 0 && x[table[i]-1] != p {
			i = (i + 1) & (len(table) - 1)
		}
		if table[i] > 0 {
			twice = append(twice, [2]int32{n, table[i] - 1})
			continue
		}
		table[i] = n + 1
	}
	return twice
}

// poorMesh warns of defects of a usable mesh: needles, separate nodes at the
// same position, and bodies in contact that share nodes.
func (r *resolver) poorMesh(m *model.Model, q *mesh.Quality) (out []string) {
	if q.Worst < minQuality { // infinite without triangles
		out = append(out, fmt.Sprintf("triangle %d is nearly flat, with a quality of %.2g (1 is equilateral), and shortens the time step: improve the mesh there", q.WorstTriangle, q.Worst))
	}
	for i, b := range r.mesh.Bodies[:len(r.bodies)] {
		if r.bodies[i].Height > 0 {
			break
		}
		if twice := r.coincidences(&b, repeated(r.mesh.X, b.Nodes)); len(twice) > 0 {
			x := slices.MinFunc(twice, func(p, q r2.Vec) int { return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y)) })
			out = append(out, fmt.Sprintf("body %q: %d nodes are at the position of another node, the first at (%.6g, %.6g) m, and are not connected to it: if the body should be one component, merge them in Gmsh (Coherence Mesh)", b.Name, len(twice), x.X, x.Y))
		}
	}
	out = append(out, r.hanging()...)
	for _, c := range r.contacts {
		a, b := r.bodyNamed(c.contactor), r.bodyNamed(c.opposite)
		if a < 0 || b < 0 || a == b {
			continue
		}
		shared := common(r.mesh.PositionNodes(&r.mesh.Bodies[a]), r.mesh.PositionNodes(&r.mesh.Bodies[b]))
		if n := len(shared) - r.splitPairs(m.Fracture, shared, int32(a), int32(b)); n > 0 {
			out = append(out, fmt.Sprintf("%s: bodies %q and %q share %d nodes of the mesh, so that they cannot separate there", c.Title, c.contactor, c.opposite, n))
		}
	}
	return out
}

// splitPairs returns how many shared nodes of two bodies lie on a joint or a possible crack
// between them, which can separate them there.
func (r *resolver) splitPairs(f *model.Fracture, shared []int32, a, b int32) (n int) {
	if f == nil {
		return 0
	}
	of, on := r.mesh.BodyOf(), make([]bool, len(r.mesh.X))
	for i := range f.Edges {
		if e := &f.Edges[i]; e.Region >= 0 && (of[e.A] == a && of[e.B] == b || of[e.A] == b && of[e.B] == a) {
			on[e.From], on[e.To] = true, true
		}
	}
	for _, k := range shared {
		if on[k] {
			n++
		}
	}
	return n
}

// coincidences returns the positions at which nodes of different parts of a body coincide. A part
// is triangles joined by edges. Coincident nodes of one part are the sides of a notch
// without width.
func (r *resolver) coincidences(b *mesh.Body, twice [][2]int32) (positions []r2.Vec) {
	if twice == nil {
		return nil
	}
	parts := mesh.NewConnected(int(b.End - b.First)) // of triangles
	of := make(map[int32]int32, len(b.Nodes))        // a triangle of a node; looked up only
	beside := make(map[[2]int32]int32)               // a triangle of an edge; looked up only
	for i, n := range r.mesh.Triangles[b.First:b.End] {
		for k := range 3 {
			p, q := n[k], n[(k+1)%3]
			of[p] = int32(i)
			edge := [2]int32{min(p, q), max(p, q)}
			if other, met := beside[edge]; met {
				parts.Join(int32(i), other)
			}
			beside[edge] = int32(i)
		}
	}
	for _, p := range twice {
		if parts.First(of[p[0]]) != parts.First(of[p[1]]) {
			positions = append(positions, r.mesh.X[p[0]])
		}
	}
	return positions
}

// bodyNamed returns a body of the mesh, -1 for none.
func (r *resolver) bodyNamed(name string) int {
	return slices.IndexFunc(r.mesh.Bodies, func(b mesh.Body) bool { return b.Name == name })
}

// box is the bounding box of some points, empty without points.
type box struct {
	low, high r2.Vec
	any       bool
}

func (b *box) add(x r2.Vec) {
	if !b.any {
		b.low, b.high, b.any = x, x, true
	}
	b.low = r2.Vec{X: min(b.low.X, x.X), Y: min(b.low.Y, x.Y)}
	b.high = r2.Vec{X: max(b.high.X, x.X), Y: max(b.high.Y, x.Y)}
}

// size returns the longer side [m].
func (b *box) size() float64 { return max(b.high.X-b.low.X, b.high.Y-b.low.Y) }

// meshed returns the bounding box of the meshed bodies and beams.
func (r *resolver) meshed() box {
	var b box
	for i := range r.mesh.Bodies[:len(r.bodies)] {
		for _, n := range r.mesh.Bodies[i].Nodes {
			b.add(r.mesh.X[n])
		}
	}
	return b
}

// A mesh in millimetres that is read as metres makes a model too large for the
// rest of its deck. A mesh in metres read as millimetres makes a model too
// small for any deck.
const (
	largeMesh   = 0.5  // [m]
	thinMesh    = 500  // times the thickness
	hugeMesh    = 50   // [m]; in a static analysis, which has no duration for comparison
	slowWave    = 4    // times the duration for a wave to run through
	smallRigids = 50   // times the size of all rigid bodies
	tinyMesh    = 5e-6 // [m]
)

// scaled warns of a mesh whose unit is doubtful.
func (r *resolver) scaled() []string {
	b := r.meshed()
	size := b.size()
	if !b.any || r.unit != 0 && r.unit >= 1 || r.unit == 0 && r.mesh.InMetres {
		return nil
	}
	said := func(why string) []string {
		return []string{fmt.Sprintf("the mesh is %.4g m by %.4g m, %s: if it is in millimetres write mesh_unit = \"mm\" at the top of the deck, otherwise \"m\"",
			b.high.X-b.low.X, b.high.Y-b.low.Y, why)}
	}
	if r.unit != 0 {
		if size < tinyMesh {
			return []string{fmt.Sprintf("the mesh is %.4g m by %.4g m with this mesh_unit, very small: is the mesh file in metres?", b.high.X-b.low.X, b.high.Y-b.low.Y)}
		}
		return nil
	}
	if size < largeMesh {
		return nil
	}
	fastest := 0.0
	for _, body := range r.bodies {
		if m := r.model.Materials[body.Material]; body.Height == 0 {
			fastest = max(fastest, math.Sqrt(m.Young/m.Density))
		}
	}
	var rigids box
	for _, b := range r.rigids {
		for _, x := range b.outline.Points {
			rigids.add(x)
		}
	}
	switch static := r.model.Static != nil; {
	case size > thinMesh*r.model.Thickness:
		return said(fmt.Sprintf("%.3g times its thickness of %.3g m", size/r.model.Thickness, r.model.Thickness))
	case !static && fastest > 0 && size > slowWave*r.model.Duration*fastest:
		return said(fmt.Sprintf("which no wave crosses in the %.3g s of the run", r.model.Duration))
	case rigids.any && size > smallRigids*rigids.size():
		return said(fmt.Sprintf("beside rigid bodies of %.3g m", rigids.size()))
	case static && size > hugeMesh:
		return said("large")
	}
	return nil
}

// farMesh is the greatest distance of a mesh from the origin, in shortest edges. Farther out
// the rounding of positions changes fracture, and exceeds the motion in a step, so that
// bodies at rest gain energy from it.
const farMesh = 1e6

// far warns of a mesh in coordinates of a map.
func (r *resolver) far(q *mesh.Quality) []string {
	b, edge := r.meshed(), q.ShortestEdge
	away := max(-b.low.X, -b.low.Y, b.high.X, b.high.Y)
	if !b.any || r.model.Static != nil || edge == 0 || away < farMesh*edge {
		return nil
	}
	return []string{fmt.Sprintf("the mesh is up to %.4g m from the origin, %.2g times its shortest edge, so that positions are rounded to %.2g m and slow motion is lost: move mesh and deck by about (%.4g, %.4g) m",
		away, away/edge, math.Nextafter(away, 2*away)-away, -0.5*(b.low.X+b.high.X), -0.5*(b.low.Y+b.high.Y))}
}

// thickMesh is the ratio of thickness to size of the mesh above which a thickness is
// improbable.
const thickMesh = 100

// thick warns of a thickness that was probably intended in millimetres. A thickness of 1 m is
// intended: forces are then per metre.
func (r *resolver) thick() []string {
	b, t := r.meshed(), r.model.Thickness
	if size := b.size(); b.any && t != 1 && t > thickMesh*size {
		return []string{fmt.Sprintf("thickness is %.4g m, %.3g times the size of the mesh, %.4g m, and masses and forces are as large: plain numbers are in SI; for millimetres write \"%.4g mm\"", t, t/size, size, t)}
	}
	return nil
}

// inContact tells for each body whether a contact or a tie includes it.
func (r *resolver) inContact(m *model.Model) []bool {
	met := make([]bool, len(r.mesh.Bodies))
	mark := func(edges []int32) {
		for _, e := range edges {
			met[r.mesh.Edges[e].Body] = true
		}
	}
	for _, c := range m.Contacts {
		mark(c.Contactor)
		mark(c.Opposite)
	}
	for _, k := range m.Ties {
		mark(k.On)
		mark(k.To)
	}
	if m.Impulses != nil {
		for i, b := range r.mesh.Bodies {
			met[i] = slices.ContainsFunc(m.Impulses.Contacts, func(c model.ImpulseContact) bool {
				return slices.Contains(c.Contactor, int32(b.Number)) || slices.Contains(c.Opposite, int32(b.Number))
			})
		}
	}
	for _, v := range m.ByVolume {
		for _, e := range r.mesh.Edges {
			met[e.Body] = met[e.Body] || slices.Contains(v.First, e.Component) || slices.Contains(v.Second, e.Component)
		}
	}
	return met
}

// unconstrained warns of bodies that are not connected to others by contacts or
// ties.
func (r *resolver) unconstrained(m *model.Model) (out []string) {
	met := r.inContact(m)
	joins := func(a, b string) bool {
		return joiner(r.interactions, a, b) >= 0
	}
	first := len(r.bodies)
	of := make([]int32, len(r.mesh.X)) // bodies of a node: bodies that share a node are connected by the mesh
	for _, b := range r.mesh.Bodies[:first] {
		for _, n := range r.mesh.PositionNodes(&b) {
			of[n]++
		}
	}
	joined := func(b *mesh.Body) bool {
		return slices.ContainsFunc(r.linings, func(l *lining) bool { return l.Text("name") == b.Name }) ||
			slices.ContainsFunc(r.mesh.PositionNodes(b), func(n int32) bool { return of[n] > 1 })
	}
	var unrestrained, walls, spheres []string
	for i := range r.mesh.Bodies {
		b := &r.mesh.Bodies[i]
		switch {
		case met[i] || len(r.mesh.Bodies) == 1:
		case i < first:
			if b.FirstEdge < b.EndEdge && !joined(b) && !slices.ContainsFunc(r.particles, func(p particles) bool { return joins(p.name, b.Name) }) {
				unrestrained = append(unrestrained, b.Name)
			}
		case !slices.ContainsFunc(r.particles, func(p particles) bool { return joins(p.name, b.Name) }):
			walls = append(walls, b.Name)
		}
	}
	for _, p := range r.particles {
		meets := slices.ContainsFunc(r.particles, func(q particles) bool { return joins(p.name, q.name) }) ||
			slices.ContainsFunc(r.mesh.Bodies, func(b mesh.Body) bool { return joins(p.name, b.Name) })
		if !meets {
			spheres = append(spheres, p.name)
		}
	}
	for _, kind := range []struct {
		names      []string
		what, then string
	}{
		{unrestrained, "body", "no contact names it, so it passes through the others"},
		{walls, "rigid body", "no contact and no interaction names it, so it passes through the others"},
		{spheres, "particle", "no interaction names it, so it passes through the others"},
	} {
		out = append(out, firstFew(kind.names, kind.what, kind.then)...)
	}
	return out
}

// firstFew returns the message of each of the first names, and the number of
// further ones.
func firstFew(names []string, what, then string) (out []string) {
	const few = 5
	for i, name := range names {
		if i == few {
			return append(out, fmt.Sprintf("%d more of this kind: %s, ...", len(names)-few, tables.Quoted(names[few:min(2*few, len(names))])))
		}
		out = append(out, fmt.Sprintf("%s %q: %s", what, name, then))
	}
	return out
}

// held warns of velocities and forces of bodies that cannot move.
func (r *resolver) held(m *model.Model) (out []string) {
	var x, y = make([]bool, len(r.mesh.X)), make([]bool, len(r.mesh.X))
	hold := func(nodes []int32, inX, inY bool) {
		for _, n := range nodes {
			x[n], y[n] = x[n] || inX, y[n] || inY
		}
	}
	for _, f := range m.Fixes {
		if !f.Staged() {
			hold(f.Nodes, f.X, f.Y)
		}
	}
	all := func(nodes []int32, fixed []bool) bool {
		return len(nodes) > 0 && !slices.ContainsFunc(nodes, func(n int32) bool { return !fixed[n] })
	}
	for i, b := range m.Bodies {
		nodes := r.mesh.PositionNodes(&r.mesh.Bodies[i])
		if b.Velocity.X != 0 && all(nodes, x) || b.Velocity.Y != 0 && all(nodes, y) || (b.AngularVelocity != 0 || b.Expansion != 0) && all(nodes, x) && all(nodes, y) {
			out = append(out, fmt.Sprintf("body %q has a velocity, but a fix holds all of its nodes, so it does not move", b.Name))
		}
	}
	for _, d := range m.Drives {
		hold(d.Nodes, d.X, d.Y)
	}
	for _, a := range m.Absorbs {
		var nodes []int32
		for _, e := range a.Edges {
			nodes = append(nodes, r.mesh.Edges[e].A, r.mesh.Edges[e].B)
		}
		if all(nodes, x) && all(nodes, y) {
			out = append(out, fmt.Sprintf("absorb %q absorbs nothing: all of its nodes are fixed or driven, and reflect waves", a.On))
		}
	}
	for _, l := range m.Loads {
		if len(l.Nodes) > 0 && l.Moment == 0 && l.Field == nil && (l.Force.X == 0 || all(l.Nodes, x)) && (l.Force.Y == 0 || all(l.Nodes, y)) {
			out = append(out, fmt.Sprintf("the load on %q has no effect: a fix holds all of its nodes", l.On))
		}
	}
	return out
}

// unfinished warns of events that come after the end of the run, or are not
// complete by then.
func (r *resolver) unfinished(m *model.Model) (out []string) {
	for _, x := range m.Excavations {
		if x.At >= m.Duration {
			out = append(out, fmt.Sprintf("body %q is excavated at %g s, but the run ends at %g s, so it stays", x.Name, x.At, m.Duration))
		} else if left := x.Fade(m.Duration - x.At); left > unfinishedShare {
			out = append(out, fmt.Sprintf("body %q is excavated slowly: %.2g %% of its forces on its neighbours are left when the run ends at %g s", x.Name, 100*left, m.Duration))
		}
	}
	if m.Relief != nil && m.Static == nil {
		if left := m.Relief(m.Duration); left > unfinishedShare {
			out = append(out, fmt.Sprintf("initial stress: %.2g %% of the unbalanced forces are still held when the run ends at %g s: the release takes longer than the run", 100*left, m.Duration))
		}
	}
	return out
}

// unfinishedShare is the part of a force that may be left at the end of the run
// while it is ramped out.
const unfinishedShare = 1e-3

// ambiguous warns of groups of the mesh with the name of a rigid body.
func (r *resolver) ambiguous() (out []string) {
	for _, g := range r.mesh.Groups {
		for _, b := range r.rigids {
			if b.block == g.Name && !slices.Contains(b.cutFrom(), g.Name) {
				out = append(out, fmt.Sprintf("%q is the name of a rigid body and of a %s of the mesh: contacts take the rigid body", g.Name, groupKinds[g.Dim]))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Limits for values that are probably plain numbers in the wrong unit.
const (
	softest      = 1e6 // Young's modulus in plain numbers [Pa]
	leastDensity = 20  // density in plain numbers [kg/m3]
	roughest     = 3   // friction

	stiffest       = 2000 // Young's modulus of any material [GPa]
	heaviestTonnes = 3e-8 // density of any material [t/mm3]
	heaviestKilos  = 3e-5 // and [kg/mm3]
	leastStress    = 1e3  // stress, strength, pressure or modulus in plain numbers [Pa]
	heaviest       = 1e3  // gravity in plain numbers [m/s2]
)

// values warns of them.
func (r *resolver) values() (out []string) {
	out = r.repeatedLoads()
	out = append(out, r.units()...)
	rough := func(t *tables.Reader) {
		for _, key := range []string{"friction", "static_friction"} {
			if v, ok := bareNumber(t.Values[key]); ok && v > roughest {
				out = append(out, fmt.Sprintf("%s: %s is %g, an unusually large coefficient of friction: for 50 %% write 0.5 or \"50 %%\", for a friction angle its tangent", t.Title, key, v))
			}
		}
	}
	for _, c := range r.contacts {
		rough(c.Reader)
	}
	for _, i := range r.interactions {
		rough(i.Reader)
	}
	for _, f := range r.fractures {
		rough(f.Reader)
	}
	for _, s := range r.stresses {
		if most := plainStress(s.table); 0 < most && most < leastStress {
			out = append(out, fmt.Sprintf("%s: stress is at most %g Pa, very little: plain numbers are in SI; for another unit write \"%g MPa\"", s.table.Title, most, most))
		}
	}
	if g := elementary.Norm(r.model.Gravity); g > heaviest && r.plainGravity() {
		out = append(out, fmt.Sprintf("gravity is %g m/s2, %.0f times that of the earth: plain numbers are in m/s2", g, g/9.81))
	}
	turned := func(title string, angle any) {
		if v, ok := bareNumber(angle); ok && math.Abs(v) > 2*math.Pi {
			out = append(out, fmt.Sprintf("%s: angle is %g rad, more than a turn: for degrees write \"%g deg\"", title, v, v))
		}
	}
	for _, b := range r.rigids {
		turned(b.Title, b.Values["angle"])
	}
	for _, d := range list(r.doc.Values["drive"]) {
		if d, ok := d.(map[string]any); ok {
			turned(fmt.Sprintf("drive of %q", d["on"]), d["angle"])
		}
	}
	return out
}

// units warns of moduli and densities that are plain numbers in another unit.
func (r *resolver) units() (out []string) {
	for _, t := range r.materials {
		if v, ok := bareNumber(t.Values["young"]); ok && v < softest {
			advice := fmt.Sprintf("\"%g MPa\"", v)
			if v < stiffest {
				advice += fmt.Sprintf(" or \"%g GPa\"", v)
			}
			out = append(out, fmt.Sprintf("%s: young is %g Pa, softer than rubber: plain numbers are in SI; for another unit write %s", t.Title, v, advice))
		}
		if v, ok := bareNumber(t.Values["density"]); ok && v < leastDensity {
			advice := fmt.Sprintf("\"%g g/cm3\"", v)
			switch {
			case v < heaviestTonnes: // t/mm3, beside N, mm, s and MPa; or kg/mm3
				advice = fmt.Sprintf("in tonnes, millimetres, newtons and seconds it is %g t/mm3, %.4g kg/m3: write \"%.4g kg/m3\"", v, 1e12*v, 1e12*v)
			case v < heaviestKilos:
				advice = fmt.Sprintf("in kg/mm3 it is %.4g kg/m3: write \"%.4g kg/m3\"", 1e9*v, 1e9*v)
			default:
				advice = "for another unit write " + advice
			}
			out = append(out, fmt.Sprintf("%s: density is %g kg/m3: plain numbers are in SI; %s", t.Title, v, advice))
		}
	}
	return out
}

// plainStress returns the greatest component of a stress in plain numbers, 0 if it has a
// unit [Pa].
func plainStress(t *tables.Reader) (most float64) {
	for _, v := range list(t.Values["stress"]) {
		v, ok := bareNumber(v)
		if !ok {
			return 0
		}
		most = max(most, math.Abs(v))
	}
	return most
}

// plainGravity tells whether a gravity in plain numbers is too large.
func (r *resolver) plainGravity() bool {
	a, _ := r.doc.Values["analysis"].(map[string]any)
	return slices.ContainsFunc(list(a["gravity"]), func(v any) bool {
		g, ok := bareNumber(v)
		return ok && math.Abs(g) > heaviest
	})
}

func list(v any) []any { l, _ := v.([]any); return l }
