package deck

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"

	"fdem/contactnodes"
	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Warnings of values with a unit and a sign that are probably not intended. Each tells
// what the run will do.

// smallStrain is the ratio of tension to the greatest initial stress above which tension
// is more than rounding.
const smallStrain = 1e-3

// unlikelyValues returns these warnings.
func (r *resolver) unlikelyValues(m *model.Model) []string {
	return slices.Concat(r.strengths(), r.tensionWarnings(m), r.weightless(m), r.bridged(m), r.tiedContacts(m), r.creeping(m), r.insideRigids(m), r.swallowed(m), r.faceted(m), r.racing(m), r.scheduleWarnings)
}

// strengths warns of strengths in the wrong unit, of cracks and of laws that yield, and
// of energies that are swapped.
func (r *resolver) strengths() (out []string) {
	faint := func(t *tables.Reader, fails string, keys ...string) {
		for _, key := range keys {
			if v, is := withoutUnit(t, key); is {
				out = append(out, fmt.Sprintf("%s: %s is %g Pa, very little, so that it %s under its own weight: plain numbers are in SI; for another unit write \"%g MPa\"", t.Title, key, v, fails, v))
			}
		}
	}
	for _, f := range r.fractures {
		faint(f.Reader, "breaks", "tensile_strength", "cohesion")
		if f.strengthless || f.law == nil {
			continue
		}
		if one, two := f.law.Energy.Tension, f.law.Energy.Shear; two < one {
			out = append(out, fmt.Sprintf("%s: energy_shear, %g J/m2, is less than energy_tension, %g J/m2, so that cracks open more easily in shear. In most materials shear needs more energy: are the two swapped?", f.Title, two, one))
		}
	}
	for _, t := range r.materials {
		faint(t, "flows", "yield_stress", "cohesion", "a", "intact_strength")
	}
	return out
}

// bareNumber returns a number without a unit.
func bareNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// withoutUnit returns a pressure, a strength or a modulus that has no unit and is very small.
func withoutUnit(t *tables.Reader, key string) (v float64, is bool) {
	v, is = bareNumber(t.Values[key])
	return v, is && v > 0 && v < leastStress
}

// tensionWarnings warns of initial stresses that are in tension somewhere, and of plane stress.
func (r *resolver) tensionWarnings(m *model.Model) (out []string) {
	if len(m.InitialStresses) == 0 {
		return nil
	}
	analysis, _ := r.doc.Values["analysis"].(map[string]any)
	// A plate under stress may be intended if the deck gives plane stress and has no sign of
	// ground.
	ground := len(m.Excavations) > 0 || m.Gravity != (r2.Vec{}) || slices.ContainsFunc(r.stresses, func(s stressing) bool { return s.table.Has("surface") })
	if m.Plane == bulk.PlaneStress && (analysis["plane"] == nil || ground) {
		out = append(out, "initial stress in plane stress: the bodies are plates without stress across the plane; for ground and rock, which extend across it, say plane = \"strain\" in [analysis]")
	}
	for _, s := range r.stresses {
		most, greatest, at := 0.0, 0.0, r2.Vec{}
		for i := range m.InitialStresses {
			p := &m.InitialStresses[i]
			of := &r.mesh.Bodies[p.Body]
			if s.in != nil && !slices.Contains(s.in, of.Name) {
				continue
			}
			for _, n := range r.mesh.Triangles[of.First:of.End] {
				x := centroid(r.mesh.X, n)
				t := p.Stress(x)
				middle, half := float64(0.5*(t.XX+t.YY)), elementary.Hypot(float64(0.5*(t.XX-t.YY)), t.XY)
				if greatest = max(greatest, math.Abs(middle)+half); middle+half > most {
					most, at = middle+half, x
				}
			}
		}
		if most > float64(smallStrain*greatest) {
			out = append(out, fmt.Sprintf("%s: it has tension of up to %.3g MPa, at (%.4g, %.4g) m: compression is negative, \"-10 MPa\"", s.table.Title, 1e-6*most, at.X, at.Y))
		}
	}
	return out
}

// centroid returns that of a triangle.
func centroid(x []r2.Vec, n [3]int32) r2.Vec {
	a, b, c := x[n[0]], x[n[1]], x[n[2]]
	return r2.Vec{X: (a.X + b.X + c.X) / 3, Y: (a.Y + b.Y + c.Y) / 3}
}

// weightless warns of a schedule of gravity without gravity.
func (r *resolver) weightless(m *model.Model) []string {
	if m.GravitySchedule == nil || m.Gravity != (r2.Vec{}) {
		return nil
	}
	return []string{"gravity_schedule has no effect, since gravity is [0, 0]"}
}

// bridged warns of ties over gaps that are longer than the edges there.
func (r *resolver) bridged(m *model.Model) (out []string) {
	for _, k := range m.Ties {
		longest := 0.0
		for _, i := range slices.Concat(k.On, k.To) {
			longest = max(longest, elementary.Norm(r.mesh.Along(i)))
		}
		if k.Gap > longest {
			out = append(out, fmt.Sprintf("tie %q: it bridges a gap of up to %.3g mm, more than the longest edge there, %.3g mm: are these the right curves?", k.Name, 1e3*k.Gap, 1e3*longest))
		}
	}
	return out
}

// tiedContacts warns of contacts that could act only between sides held by a tie.
func (r *resolver) tiedContacts(m *model.Model) (out []string) {
	for _, k := range m.Ties {
		if k.Staged() {
			continue
		}
		tied := make(map[int32]int, len(k.On)+len(k.To)) // side of an edge, looked up only
		reach := 0.0
		for side, edges := range [][]int32{k.On, k.To} {
			for _, i := range edges {
				tied[i], reach = 1+side, max(reach, elementary.Norm(r.mesh.Along(i)))
			}
		}
		reach = float64(0.5*reach) + k.Gap
		for i := range m.Contacts {
			c := &m.Contacts[i]
			if c.Of != "" && i > 0 && m.Contacts[i-1].Of == c.Of || !r.ofTied(c, tied) {
				continue
			}
			if r.onlyTied(c, tied, reach) {
				out = append(out, fmt.Sprintf("contact %q acts only where tie %q holds both sides together: tied sides neither separate nor slide, so that its law and friction have no effect; leave one of the two out", c.Name, k.Name))
			}
		}
	}
	return out
}

// ofTied tells whether a contact names curves or bodies, or is of "all" in a model where all
// bodies are tied.
func (r *resolver) ofTied(c *model.SurfaceContact, tied map[int32]int) bool {
	if on := r.contacts[r.contactOf(c)]; on.contactor != "all" && on.opposite != "all" {
		return true
	}
	bodies := make([]bool, len(r.mesh.Bodies))
	for i := range tied {
		bodies[r.mesh.Edges[i].Body] = true
	}
	return !c.Self && !slices.ContainsFunc(slices.Concat(c.Contactor, c.Opposite), func(i int32) bool { return !bodies[r.mesh.Edges[i].Body] })
}

// contactOf returns the block of a contact.
func (r *resolver) contactOf(c *model.SurfaceContact) int {
	return slices.IndexFunc(r.contacts, func(b contactDef) bool {
		return b.Name == c.Name || b.Name == c.Of || b.pairs != nil && len(c.Name) > len(b.Name) && c.Name[:len(b.Name)] == b.Name
	})
}

// onlyTied tells whether the edges of a contact within reach [m] of its other side at the
// start are all tied, and there are some on both sides.
func (r *resolver) onlyTied(c *model.SurfaceContact, tied map[int32]int, reach float64) bool {
	sides := [2]bool{}
	for _, i := range slices.Concat(c.Contactor, c.Opposite) {
		if k := tied[i]; k > 0 {
			sides[k-1] = true
		}
	}
	if !sides[0] || !sides[1] {
		return false
	}
	middle := func(i int32) r2.Vec {
		return elementary.Between(r.mesh.X[r.mesh.Edges[i].A], r.mesh.X[r.mesh.Edges[i].B], 0.5)
	}
	for _, i := range c.Contactor {
		if tied[i] > 0 {
			continue
		}
		x := middle(i)
		for _, j := range c.Opposite {
			a, b := r.mesh.X[r.mesh.Edges[j].A], r.mesh.X[r.mesh.Edges[j].B]
			if r.mesh.Edges[i].Body != r.mesh.Edges[j].Body && toLine(x, a, b) < reach && r.mesh.Opposed(i, j) {
				return false
			}
		}
	}
	return true
}

// toLine returns the distance from x to the line from a to b [m].
func toLine(x, a, b r2.Vec) float64 {
	along := r2.Sub(b, a)
	at := 0.0
	if l2 := elementary.Dot(along, along); l2 > 0 {
		at = min(max(elementary.Dot(r2.Sub(x, a), along)/l2, 0), 1)
	}
	return elementary.Norm(r2.Sub(x, elementary.Between(a, b, at)))
}

// creeping warns of regularised friction with a speed above all speeds at the start of
// the run. A body at rest on it creeps, and slides at a part of its friction.
func (r *resolver) creeping(m *model.Model) (out []string) {
	if m.Static != nil {
		return nil
	}
	fastest := r.fastest(m)
	check := func(t *tables.Reader, friction, speed float64, sticks bool) {
		if friction > 0 && !sticks && fastest > 0 && speed > fastest {
			out = append(out, fmt.Sprintf("%s: friction_speed is %.3g m/s, more than the greatest speed in the model, %.3g m/s: friction stays below its coefficient, proportional to the slip speed, and bodies creep; leave it out, and a spring holds contact nodes that stick", t.Title, speed, fastest))
		}
	}
	for _, c := range r.contacts {
		check(c.Reader, c.Friction.Kinetic, c.Friction.Speed, c.Friction.Sticks())
	}
	for _, i := range r.interactions {
		check(i.Reader, i.rule.Friction.Kinetic, i.rule.Friction.Speed, i.rule.Friction.Sticks())
	}
	return out
}

// fastest returns the greatest speed that is given, or that weight and loads can
// give within the run [m/s].
func (r *resolver) fastest(m *model.Model) float64 {
	most, b := 0.0, r.meshed()
	for i := range m.Rigids {
		for _, n := range r.mesh.Bodies[len(r.bodies)+i].Nodes {
			b.add(r.mesh.X[n])
		}
	}
	for _, x := range m.Particles.X {
		b.add(x)
	}
	size := b.size()
	for i, p := range m.Bodies {
		if p.VelocityAt != nil {
			for _, n := range r.mesh.Bodies[i].Nodes {
				most = max(most, elementary.Norm(p.VelocityAt(r.mesh.X[n])))
			}
		}
		most = max(most, elementary.Norm(p.Velocity)+float64(size*(math.Abs(p.AngularVelocity)+math.Abs(p.Expansion))))
	}
	for i := range m.Rigids {
		p := &m.Rigids[i]
		most = max(most, elementary.Norm(p.Velocity)+float64(size*math.Abs(p.AngularVelocity)))
		if p.Motion != nil {
			most = max(most, pathSpeed(p.Motion, m.Duration, size))
		}
	}
	for i, v := range m.Particles.V {
		most = max(most, elementary.Norm(v)+float64(m.Particles.Radius[i]*math.Abs(m.Particles.Spin[i])))
	}
	for i := range m.Drives {
		for k, c := range m.Drives[i].Motion {
			arm := 1.0
			if k == 2 {
				arm = size
			}
			if c.At != nil {
				most = max(most, float64(arm*motionSpeed(c, m.Duration)))
			}
		}
	}
	if len(m.Loads)+len(m.InitialStresses)+len(m.Springs) > 0 || slices.ContainsFunc(m.Contacts, func(c model.SurfaceContact) bool { return c.Overlap.Mode == contactnodes.OverlapAllow }) {
		return math.Inf(1) // their speed is unknown
	}
	return most + float64(elementary.Norm(m.Gravity)*m.Duration)
}

// motionSpeed returns the greatest speed of a schedule at samples.
func motionSpeed(c model.PrescribedMotion, duration float64) (most float64) {
	dt := duration / samples
	for i := range samples {
		at := float64(float64(i) * dt)
		v := c.At(at + dt)
		if !c.Rate {
			v = (v - c.At(at)) / dt
		}
		most = max(most, math.Abs(v))
	}
	return most
}

// pathSpeed returns the greatest speed of a body's motion in a model of a size
// [m].
func pathSpeed(path model.Path, duration, size float64) (most float64) {
	dt := duration / samples
	x, turn := path(0)
	for i := range samples {
		y, now := path(float64(i+1) * dt)
		most = max(most, (elementary.Norm(r2.Sub(y, x))+float64(size*math.Abs(now-turn)))/dt)
		x, turn = y, now
	}
	return most
}

// racing warns of bodies with a speed above that of their own waves.
func (r *resolver) racing(m *model.Model) (out []string) {
	if m.Static != nil {
		return nil
	}
	warn := func(what string, speed, sound float64) {
		if speed > sound {
			out = append(out, fmt.Sprintf("%s moves at up to %.4g m/s, faster than its own waves, %.4g m/s, so that triangles there are crushed flat: is the speed, or the time, in another unit?", what, speed, sound))
		}
	}
	speeds := make([]float64, len(r.mesh.X)) // speeds of waves at nodes of bodies; 0 elsewhere
	for i := range m.Bodies {
		b, of := &m.Bodies[i], &m.Materials[m.Bodies[i].Material]
		modulus := of.Layer(m.Plane)
		if b.Height > 0 {
			modulus = of.Young
		}
		sound := math.Sqrt(modulus / of.Density)
		for _, n := range r.mesh.Bodies[i].Nodes {
			speeds[n] = sound
		}
		warn(fmt.Sprintf("body %q", b.Name), elementary.Norm(b.Velocity), sound)
	}
	for i := range m.Drives {
		d := &m.Drives[i]
		sound := 0.0
		for _, n := range d.Nodes {
			sound = max(sound, speeds[n])
		}
		for _, c := range d.Motion[:2] {
			if c.At != nil && sound > 0 {
				warn(fmt.Sprintf("drive %q", d.Name), max(motionSpeed(c, m.Duration), rowSpeed(c, d.Breaks, m.Duration)), sound)
			}
		}
	}
	return out
}

// rowSpeed returns the greatest speed of a schedule between times at which it is not
// smooth, such as the rows of a table, even if they are close together.
func rowSpeed(c model.PrescribedMotion, rows []float64, duration float64) (most float64) {
	for i := 1; i < len(rows) && rows[i] <= duration && !c.Rate; i++ {
		most = max(most, math.Abs(c.At(rows[i])-c.At(rows[i-1]))/(rows[i]-rows[i-1]))
	}
	return most
}

// insideRigids warns of particles that start in the solid of a rigid body with which they
// interact.
func (r *resolver) insideRigids(m *model.Model) (out []string) {
	for i := range r.rigids {
		b := &r.rigids[i]
		for _, g := range m.Particles.Groups {
			if joiner(r.interactions, g.Name, b.block) < 0 {
				continue
			}
			n, at := b.encloses(m.Particles.X[g.First:g.End], cmp.Or(b.outline.Depth, float64(0.1*b.size)))
			if all, x := b.encloses(m.Particles.X[g.First:g.End], math.Inf(1)); all == int(g.End-g.First) {
				n, at = all, x
			}
			if n > 0 {
				out = append(out, fmt.Sprintf("particle %q: %d of %d start inside the solid of rigid body %q, the first at (%.4g, %.4g) m, and are pushed out or fall through: the solid of a line is on its \"solid\" side, by default to the right of the direction from \"from\" to \"to\", and that of a hollow is outside of its circle", g.Name, n, g.End-g.First, b.Name, at.X, at.Y))
			}
		}
	}
	return out
}

// encloses returns the number of points in the solid of a rigid body, and the
// first of them.
func (b *rigid) encloses(positions []r2.Vec, depth float64) (n int, first r2.Vec) {
	for _, x := range positions {
		if b.solidAt(x, depth) {
			if n++; n == 1 {
				first = x
			}
		}
	}
	return n, first
}

// solidAt tells whether a point lies in the solid of a rigid body, which under a line
// reaches to a depth [m].
func (b *rigid) solidAt(x r2.Vec, depth float64) bool {
	p := b.outline.Points
	switch d := elementary.Norm(r2.Sub(x, b.Centre)); {
	case b.outline.Radius > 0:
		return d < b.outline.Radius
	case b.outline.Radius < 0:
		return d > -b.outline.Radius
	case !b.outline.Closed:
		a, c := p[0], p[len(p)-1]
		along := r2.Sub(c, a)
		at, off := elementary.Dot(r2.Sub(x, a), along)/elementary.Dot(along, along), elementary.Cross(along, r2.Sub(x, a))/elementary.Norm(along)
		return at > 0 && at < 1 && off > 0 && off < depth
	}
	return mesh.Polygon(p).Holds(x)
}

// Warnings of what hangs together otherwise than it looks: nodes on edges that do not have
// them, parts of a body that meet at a corner only, bodies inside rigid ones, loads that are
// given twice.

// hanging warns of nodes that lie on an edge of their body's outline without being its ends,
// and of parts of a body that only a node joins.
func (r *resolver) hanging() (out []string) {
	for i, b := range r.mesh.Bodies[:len(r.bodies)] {
		if r.bodies[i].Height > 0 {
			break
		}
		if x := r.onEdges(&b); len(x) > 0 {
			out = append(out, fmt.Sprintf("body %q: %d nodes lie on an edge of its outline that does not have them, the first at (%.6g, %.6g) m, and are not connected to it: the mesh does not match there, and the two sides separate; if the body should be one component, mesh both sides with the same nodes, or join them by a [[tie]]", b.Name, len(x), x[0].X, x[0].Y))
		} else if x := r.atCorners(&b); len(x) > 0 {
			out = append(out, fmt.Sprintf("body %q: parts of it are joined by single nodes only, %d in all, the first at (%.6g, %.6g) m, and turn about them as about a hinge", b.Name, len(x), x[0].X, x[0].Y))
		}
	}
	return out
}

// inOrder orders positions from left to right and from below.
func inOrder(x []r2.Vec) []r2.Vec {
	slices.SortFunc(x, func(p, q r2.Vec) int { return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y)) })
	return slices.Compact(x)
}

// onEdges returns the positions of nodes of a body's outline within its edges. It looks
// them up in a grid.
func (r *resolver) onEdges(b *mesh.Body) (out []r2.Vec) {
	const near = 1e-6 // of the edge's length
	edges := r.mesh.Edges[b.FirstEdge:b.EndEdge]
	size := 0.0
	for i := range edges {
		size += elementary.Norm(r2.Sub(r.mesh.X[edges[i].B], r.mesh.X[edges[i].A])) / float64(len(edges))
	}
	if size == 0 {
		return nil
	}
	cell := func(x r2.Vec) [2]int64 { return [2]int64{int64(math.Floor(x.X / size)), int64(math.Floor(x.Y / size))} }
	nodes := map[[2]int64][]int32{} // looked up only
	for i := range edges {
		at := cell(r.mesh.X[edges[i].A])
		nodes[at] = append(nodes[at], edges[i].A)
	}
	for i := range edges {
		a, c := r.mesh.X[edges[i].A], r.mesh.X[edges[i].B]
		d := r2.Sub(c, a)
		length := elementary.Norm(d)
		steps := int(length/size) + 1
		seen := [2]int64{math.MaxInt64, 0}
		for k := range steps + 1 {
			at := cell(elementary.Between(a, c, float64(k)/float64(steps)))
			if at == seen {
				continue
			}
			seen = at
			for dx := int64(-1); dx <= 1; dx++ {
				for dy := int64(-1); dy <= 1; dy++ {
					for _, n := range nodes[[2]int64{at[0] + dx, at[1] + dy}] {
						v := r2.Sub(r.mesh.X[n], a)
						s := elementary.Dot(v, d) / float64(length*length)
						if s > near && s < 1-near && math.Abs(elementary.Cross(d, v)) < near*length*length {
							out = append(out, r.mesh.X[n])
						}
					}
				}
			}
		}
	}
	return inOrder(out)
}

// atCorners returns the positions of nodes that triangles of a body share which no chain of
// triangles with common edges joins at the node.
func (r *resolver) atCorners(b *mesh.Body) (out []r2.Vec) {
	parts := mesh.NewConnected(int(b.End - b.First)) // of triangles
	beside := make(map[[2]int32]int32)               // a triangle of an edge; looked up only
	for i, n := range r.mesh.Triangles[b.First:b.End] {
		for k := range 3 {
			edge := [2]int32{min(n[k], n[(k+1)%3]), max(n[k], n[(k+1)%3])}
			if other, met := beside[edge]; met {
				parts.Join(int32(i), other)
			}
			beside[edge] = int32(i)
		}
	}
	of := make(map[int32]int32, len(b.Nodes)) // part of a node; looked up only
	for i, n := range r.mesh.Triangles[b.First:b.End] {
		part := parts.First(int32(i))
		for _, k := range n {
			if other, met := of[k]; met && other != part {
				out = append(out, r.mesh.X[k])
			} else {
				of[k] = part
			}
		}
	}
	return inOrder(out)
}

// swallowed stops at contacts of a rigid body with a meshed or a rigid one that lies inside of it, or
// with a meshed one around it: no edge crosses another, so that the contact would find nothing.
func (r *resolver) swallowed(m *model.Model) (out []string) {
	for i := range m.Contacts {
		c := &m.Contacts[i]
		for _, sides := range bothWays(c.Contactor, c.Opposite) {
			of, inner := r.rigidsOf(sides[1]), r.rigidsOf(sides[0])
			for k := range r.rigids {
				b := &r.rigids[k]
				if !of[b.Name] && !of[b.block] {
					continue
				}
				what := cmp.Or(r.swallows(b, sides[0]), r.swallowsRigid(b, inner))
				if what == "" {
					continue
				}
				what = "the bodies overlap at the start: " + what
				if c.Overlap.Mode == contactnodes.OverlapAllow {
					out = append(out, fmt.Sprintf("contact %q: %s, where the contact finds nothing", c.Name, what))
					continue
				}
				if on := r.contactOf(c); on >= 0 {
					r.contacts[on].Bad("contactor", "%s", what)
				}
			}
		}
	}
	r.swallowedByImpulses(m)
	return slices.Compact(out)
}

// swallowedByImpulses stops at contacts by impulses of a body inside another one.
func (r *resolver) swallowedByImpulses(m *model.Model) {
	if m.Impulses == nil {
		return
	}
	for _, c := range m.Impulses.Contacts {
		for _, sides := range bothWays(c.Contactor, c.Opposite) {
			inner := map[string]bool{} // looked up only
			for _, i := range sides[0] {
				inner[r.rigids[i].Name] = true
			}
			for _, i := range sides[1] {
				what := r.swallowsRigid(&r.rigids[i], inner)
				if what == "" {
					continue
				}
				if on := slices.IndexFunc(r.contacts, func(k contactDef) bool { return k.Name == c.Name }); on >= 0 {
					r.contacts[on].Bad("contactor", "the bodies overlap at the start: %s", what)
				}
			}
		}
	}
}

// bothWays returns the sides of a contact and the same turned round, once for the contact of all with all.
func bothWays(first, second []int32) [][2][]int32 {
	if slices.Equal(first, second) {
		return [][2][]int32{{first, second}}
	}
	return [][2][]int32{{first, second}, {second, first}}
}

// rigidsOf returns the names of the bodies of edges.
func (r *resolver) rigidsOf(edges []int32) map[string]bool {
	of := map[string]bool{} // looked up only
	last := int32(-1)
	for _, i := range edges {
		if b := r.mesh.Edges[i].Body; b != last && int(b) >= len(r.bodies) {
			of[r.mesh.Bodies[b].Name], last = true, b
		}
	}
	return of
}

// swallows says that a component of edges lies wholly in the solid of a rigid body, or that
// the rigid body lies wholly in the body of the edges; "" for neither.
func (r *resolver) swallows(b *rigid, edges []int32) string {
	type component struct {
		inside, all int
		body        int32
	}
	of := map[int32]*component{} // looked up only
	var order []int32
	for _, i := range edges {
		e := &r.mesh.Edges[i]
		if int(e.Body) >= len(r.bodies) || r.bodies[e.Body].Height > 0 {
			continue
		}
		k := of[e.Component]
		if k == nil {
			k = &component{body: e.Body}
			of[e.Component], order = k, append(order, e.Component)
		}
		k.all++
		if b.outline.Closed || b.outline.Radius != 0 {
			if b.solidAt(r.mesh.X[e.A], math.Inf(1)) {
				k.inside++
			}
		}
	}
	for _, key := range order {
		k := of[key]
		name := r.mesh.Bodies[k.body].Name
		if k.inside == k.all {
			return fmt.Sprintf("body %q lies inside the solid of rigid body %q", name, b.Name)
		}
		if k.inside == 0 && b.outline.Radius >= 0 && (b.outline.Closed || b.outline.Radius > 0) && r.holds(k.body, b) {
			return fmt.Sprintf("rigid body %q lies inside body %q", b.Name, name)
		}
	}
	return ""
}

// swallowsRigid says which of some rigid bodies, by name, lies wholly in the solid of another one; "" for
// none. Two bodies that contact does not move may lie as they like.
func (r *resolver) swallowsRigid(b *rigid, names map[string]bool) string {
	if !b.outline.Closed && b.outline.Radius == 0 {
		return ""
	}
	reach := math.Inf(1)
	if b.outline.Radius >= 0 {
		reach = 0
		for _, p := range b.outline.Points {
			reach = max(reach, elementary.Norm(r2.Sub(p, b.Centre)))
		}
	}
	for k := range r.rigids {
		a := &r.rigids[k]
		if len(a.outline.Points) == 0 || !(math.Abs(a.outline.Points[0].X-b.Centre.X) <= reach) || !(math.Abs(a.outline.Points[0].Y-b.Centre.Y) <= reach) {
			continue
		}
		if a == b || !names[a.Name] && !names[a.block] || a.isHeld() && b.isHeld() {
			continue
		}
		if !slices.ContainsFunc(a.outline.Points, func(p r2.Vec) bool { return !b.solidAt(p, math.Inf(1)) }) {
			return fmt.Sprintf("rigid body %q lies inside the solid of rigid body %q", a.Name, b.Name)
		}
	}
	return ""
}

// holds tells whether all points of a rigid body's outline lie in the triangles of a body.
func (r *resolver) holds(body int32, b *rigid) bool {
	of := &r.mesh.Bodies[body]
	var middle r2.Vec
	for _, p := range b.outline.Points {
		middle = elementary.Along(middle, p, 1/float64(len(b.outline.Points)))
	}
	for _, p := range b.outline.Points {
		p = elementary.Between(middle, p, 0.999) // not on the rim of a hole that the rigid body fills
		in := false
		for _, e := range r.mesh.Edges[of.FirstEdge:of.EndEdge] {
			a, c := r.mesh.X[e.A], r.mesh.X[e.B]
			if (a.Y > p.Y) != (c.Y > p.Y) && p.X < a.X+float64((c.X-a.X)*((p.Y-a.Y)/(c.Y-a.Y))) {
				in = !in
			}
		}
		if !in {
			return false
		}
	}
	return len(b.outline.Points) > 0
}

// repeatedLoads warns of loads that are given twice.
func (r *resolver) repeatedLoads() (out []string) {
	blocks := list(r.doc.Values["load"])
	for i := range blocks {
		for k := range i {
			if reflect.DeepEqual(blocks[i], blocks[k]) {
				at, _ := blocks[i].(map[string]any)
				out = append(out, fmt.Sprintf("load %q: two [[load]] blocks are equal, and both act: is one of them left over?", fmt.Sprint(at["on"])))
				break
			}
		}
	}
	return out
}
