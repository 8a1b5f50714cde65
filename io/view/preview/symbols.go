package preview

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"fdem/io/view"
	"fdem/materials/elementary"
	"fdem/mesh"
	models "fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Symbols have at most so many points and lines: more are thinned.
const (
	mostPoints = 240
	mostLines  = 4000
)

// maker makes the symbols of a model.
type maker struct {
	*models.Model
	centre r2.Vec // of the picture [m]
	out    []view.Symbol
}

// symbols returns the symbols of a model, with positions from a centre [m].
func symbols(m *models.Model, centre r2.Vec) []view.Symbol {
	k := &maker{Model: m, centre: centre, out: []view.Symbol{}}
	k.supports()
	k.loads()
	k.motions()
	k.links()
	k.contacts()
	k.grounds()
	k.heat()
	k.pores()
	return k.out
}

func (k *maker) add(kind, name, format string, args ...any) *view.Symbol {
	k.out = append(k.out, view.Symbol{Kind: kind, Name: name, Text: fmt.Sprintf(format, args...)})
	return &k.out[len(k.out)-1]
}

// point adds a point to a symbol, with a direction if there is one.
func (k *maker) point(s *view.Symbol, x r2.Vec, toward ...float64) {
	s.At = append(s.At, x.X-k.centre.X, x.Y-k.centre.Y)
	s.Toward = append(s.Toward, toward...)
}

func (k *maker) line(s *view.Symbol, a, b r2.Vec) {
	s.Lines = append(s.Lines, a.X-k.centre.X, a.Y-k.centre.Y, b.X-k.centre.X, b.Y-k.centre.Y)
}

// thinned returns every nth of a list, at most some of them, with the last.
func thinned[T any](list []T, most int) []T {
	if len(list) <= most {
		return list
	}
	out := make([]T, 0, most)
	for i := range most {
		out = append(out, list[i*(len(list)-1)/(most-1)])
	}
	return out
}

// edges adds boundary edges to a symbol as lines.
func (k *maker) edges(s *view.Symbol, edges []int32) {
	for _, e := range thinned(edges, mostLines) {
		k.line(s, k.Mesh.X[k.Mesh.Edges[e].A], k.Mesh.X[k.Mesh.Edges[e].B])
	}
}

// inward adds arrows of a length at the middles of boundary edges to a symbol, into the body.
func (k *maker) inward(s *view.Symbol, edges []int32, length float64) {
	for _, i := range thinned(edges, mostPoints) {
		e := k.Mesh.Edges[i]
		a, b := k.Mesh.X[e.A], k.Mesh.X[e.B]
		in := length / elementary.Norm(r2.Sub(b, a))
		k.point(s, r2.Scale(0.5, r2.Add(a, b)), -in*(b.Y-a.Y), in*(b.X-a.X))
	}
}

// supports makes the symbols of what is held or driven.
func (k *maker) supports() {
	for _, f := range k.Fixes {
		s := k.add("fix", f.On, "fixed: %s, %s%s", components(f.X, f.Y, f.Rotation), nodes(len(f.Nodes)), k.staged(&f.When))
		for _, n := range thinned(f.Nodes, mostPoints) {
			k.point(s, k.Mesh.X[n], flag(f.X), flag(f.Y))
		}
	}
	for _, d := range k.Drives {
		var parts []string
		u := [3]float64{}
		for c, name := range []string{"x", "y", "rotation"} {
			p := d.Motion[c]
			if p.At == nil {
				if c == 0 && d.X || c == 1 && d.Y {
					parts = append(parts, name+" held")
				}
				continue
			}
			u[c] = k.most(p.At)
			unit := [...]string{"m", "m", "rad"}[c]
			if p.Rate {
				unit += "/s"
			}
			parts = append(parts, fmt.Sprintf("%s %s", name, number(u[c], unit)))
		}
		s := k.add("drive", d.On, "driven: %s at most, %s", strings.Join(parts, ", "), nodes(len(d.Nodes)))
		for _, n := range thinned(d.Nodes, mostPoints) {
			if x := k.Mesh.X[n]; d.Rotates && u[0] == 0 && u[1] == 0 {
				arm := r2.Sub(x, d.Centre)
				k.point(s, x, -arm.Y*sign(u[2]), arm.X*sign(u[2]))
			} else {
				k.point(s, x, u[0], u[1])
			}
		}
	}
	for _, c := range k.Clamps {
		k.point(k.add("hinge", c.On, "clamped: rotates with the triangles%s", k.staged(&c.When)), k.Mesh.X[c.Node])
	}
	for _, h := range k.Mesh.Hinges {
		k.point(k.add("hinge", "hinge", "beams hinged to one another"), k.Mesh.X[h.Of])
	}
}

func nodes(n int) string {
	if n == 1 {
		return "1 node"
	}
	return fmt.Sprintf("%d nodes", n)
}

func flag(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func sign(v float64) float64 { return math.Copysign(1, v) }

func components(x, y, rotation bool) string {
	var parts []string
	for i, yes := range []bool{x, y, rotation} {
		if yes {
			parts = append(parts, [...]string{"x", "y", "rotation"}[i])
		}
	}
	return strings.Join(parts, ", ")
}

// most returns the value of a schedule that is greatest by size in the run.
func (k *maker) most(f models.Schedule) float64 {
	if f == nil {
		return 1
	}
	const samples = 200
	best := 0.0
	for i := range samples + 1 {
		if v := f(k.Duration * float64(i) / samples); math.Abs(v) > math.Abs(best) {
			best = v
		}
	}
	return best
}

// number writes a number with its unit.
func number(v float64, unit string) string {
	for _, p := range []struct {
		size   float64
		prefix string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}} {
		if math.Abs(v) >= 0.9995*p.size && (p.size <= 1 || !strings.HasPrefix(unit, "s")) && !strings.HasPrefix(unit, "rad") {
			return fmt.Sprintf("%.4g %s%s", v/p.size, p.prefix, unit)
		}
	}
	return fmt.Sprintf("%.4g %s", v, unit)
}

// loads makes the symbols of loads and gravity.
func (k *maker) loads() {
	if k.Gravity != (r2.Vec{}) {
		s := k.add("gravity", "gravity", "gravity of %s", number(elementary.Norm(k.Gravity), "m/s2"))
		s.Toward = []float64{k.Gravity.X, k.Gravity.Y}
	}
	for i := range k.Loads {
		k.load(&k.Loads[i])
	}
}

func (k *maker) load(l *models.Load) {
	f := k.most(l.Schedule)
	switch {
	case l.Pressure != 0 || l.Edges != nil:
		s := k.add("load", l.On, "pressure of %s at most%s", number(f*l.Pressure, "Pa"), k.staged(&l.When))
		k.inward(s, l.Edges, f*l.Pressure)
	case l.Line != nil:
		s := k.add("load", l.On, "along beams%s", k.staged(&l.When))
		for _, i := range thinned(l.Line.Elements, mostPoints) {
			e := k.Mesh.Beams[i]
			a, b := k.Mesh.X[e[0]], k.Mesh.X[e[1]]
			d := r2.Scale(f, l.Line.Force)
			if l.Line.Side != nil {
				t := elementary.Unit(r2.Sub(b, a))
				d = r2.Scale(f*l.Pressure, r2.Vec{X: t.Y, Y: -t.X})
			}
			k.point(s, r2.Scale(0.5, r2.Add(a, b)), d.X, d.Y)
		}
	case l.Field != nil:
		s := k.add("load", l.On, "body force%s", k.staged(&l.When))
		for _, n := range thinned(l.Nodes, mostPoints) {
			g := l.Field(0.5*k.Duration, k.Mesh.X[n])
			k.point(s, k.Mesh.X[n], f*g.X, f*g.Y)
		}
	default:
		k.force(l, f)
	}
}

// force makes the symbol of forces and moments on nodes.
func (k *maker) force(l *models.Load, f float64) {
	text := "forces of " + number(f*elementary.Norm(l.Force), "N") + " in all at most"
	if l.Moment != 0 {
		text = "moment of " + number(f*l.Moment, "N m") + " at most"
	}
	s := k.add("load", l.On, "%s%s", text, k.staged(&l.When))
	if l.OnRigid {
		k.point(s, k.Rigids[l.Rigid].Centre, f*l.Force.X, f*l.Force.Y)
	}
	step := max(1, (len(l.Nodes)+mostPoints-1)/mostPoints)
	for i := 0; i < len(l.Nodes); i += step {
		d := l.Force
		if l.Forces != nil {
			d = l.Forces[i]
		}
		k.point(s, k.Mesh.X[l.Nodes[i]], f*d.X, f*d.Y)
	}
}

// motions makes the symbols of velocities at the start, and of probes.
func (k *maker) motions() {
	for i := range k.Bodies {
		b := &k.Bodies[i]
		if b.Velocity == (r2.Vec{}) && b.AngularVelocity == 0 {
			continue
		}
		var at r2.Vec
		nodes := k.Mesh.Bodies[i].Nodes
		for _, n := range nodes {
			at = r2.Add(at, r2.Scale(1/float64(len(nodes)), k.Mesh.X[n]))
		}
		k.point(k.add("velocity", b.Name, "%s", moves(b.Velocity, b.AngularVelocity)), at, b.Velocity.X, b.Velocity.Y)
	}
	for i := range k.Rigids {
		b := &k.Rigids[i]
		v := b.Velocity
		if b.Motion != nil {
			dt := 1e-3 * k.Duration
			to, _ := b.Motion(dt)
			v = r2.Scale(1/dt, r2.Sub(to, b.Centre))
		}
		if v != (r2.Vec{}) || b.AngularVelocity != 0 {
			k.point(k.add("velocity", b.Name, "%s", moves(v, b.AngularVelocity)), b.Centre, v.X, v.Y)
		}
	}
	for _, g := range k.Particles.Groups {
		var moving []int32
		for i := g.First; i < g.End; i++ {
			if k.Particles.V[i] != (r2.Vec{}) {
				moving = append(moving, i)
			}
		}
		if len(moving) == 0 {
			continue
		}
		s := k.add("velocity", g.Name, "%d of %d particles move at the start", len(moving), g.End-g.First)
		for _, i := range thinned(moving, mostPoints) {
			k.point(s, k.Particles.X[i], k.Particles.V[i].X, k.Particles.V[i].Y)
		}
	}
	for _, p := range k.Probes {
		switch {
		case p.Region != nil:
		case p.Particle:
			k.point(k.add("probe", p.Name, "probe: %s", p.Quantity), k.Particles.X[p.Node])
		default:
			k.point(k.add("probe", p.Name, "probe: %s", p.Quantity), k.Mesh.X[p.Node])
		}
	}
}

func moves(v r2.Vec, spin float64) string {
	text := "starts with " + number(elementary.Norm(v), "m/s")
	if spin != 0 {
		text += fmt.Sprintf(" and %.4g rad/s", spin)
	}
	return text
}

// links makes the symbols of springs, bolts, ties and joints.
func (k *maker) links() {
	for i := range k.Springs {
		p := &k.Springs[i]
		text := fmt.Sprintf("%s, %d links", number(p.Stiffness, "N/m"), len(p.Links))
		s := k.add("spring", p.Name, "%s%s", text, k.staged(&p.When))
		for _, l := range thinned(p.Links, mostPoints) {
			k.line(s, l.Ends[0].At, l.Ends[1].At)
		}
	}
	for i := range k.Bolts {
		p := &k.Bolts[i]
		text := fmt.Sprintf("bond %s along %s", number(p.Law.Bond.Stiffness/p.Each, "N/m2"), number(p.Along[len(p.Along)-1]-p.Free, "m"))
		s := k.add("bolt", p.Name, "%s%s", text, k.staged(&p.When))
		for j := range p.Along[1:] {
			k.line(s, p.Points[j].At, p.Points[j+1].At)
		}
	}
	for i := range k.Ties {
		t := &k.Ties[i]
		s := k.add("tie", t.Name, "tied: %d edges to %d%s", len(t.On), len(t.To), k.staged(&t.When))
		k.edges(s, t.On)
		k.edges(s, t.To)
	}
	if k.Fracture == nil {
		return
	}
	for i, z := range k.Fracture.Sizes {
		if k.Fracture.Joints == nil || !k.Fracture.Joints[i] {
			continue
		}
		var of [][2]int32
		for _, e := range k.Fracture.Edges {
			if e.Region == int32(i) {
				of = append(of, [2]int32{e.From, e.To})
			}
		}
		s := k.add("joint", z.Where, "joint of %d edges", len(of))
		for _, e := range thinned(of, mostLines) {
			k.line(s, k.Mesh.X[e[0]], k.Mesh.X[e[1]])
		}
	}
}

// contacts makes the symbols of contacts: the edges on both sides.
func (k *maker) contacts() {
	for i := range k.Contacts {
		c := &k.Contacts[i]
		s := k.add("contact", c.Name, "law %q, friction %g", c.LawName, c.Friction.Kinetic)
		k.edges(s, c.Contactor)
		k.edges(s, c.Opposite)
	}
	for i := range k.ByVolume {
		c := &k.ByVolume[i]
		s := k.add("contact", c.Name, "by volume, law %q, friction %g", c.LawName, c.Friction)
		var of []int32
		for e := range k.Mesh.Edges {
			if p := k.Mesh.Edges[e].Component; slices.Contains(c.First, p) || slices.Contains(c.Second, p) {
				of = append(of, int32(e))
			}
		}
		k.edges(s, of)
	}
	if k.Impulses == nil {
		return
	}
	for _, c := range k.Impulses.Contacts {
		s := k.add("contact", c.Name, "by impulses, friction %g, restitution %g", c.Friction, c.Restitution)
		var of []int32
		for _, side := range [2][]int32{c.Contactor, c.Opposite} {
			for _, r := range side {
				of = append(of, k.Mesh.Bodies[len(k.Bodies)+int(r)].Edges()...)
			}
		}
		k.edges(s, of)
	}
}

// grounds makes the symbols of what the ground has: absorbing boundaries, wells, initial stress,
// holes and excavations.
func (k *maker) grounds() {
	for _, a := range k.Absorbs {
		k.edges(k.add("absorb", a.On, "absorbs waves"), a.Edges)
	}
	for i := range k.Fluids {
		f := &k.Fluids[i]
		k.edges(k.add("fluid", f.Name, "well %q of a fluid", f.On), f.Well)
	}
	for i := range k.InitialStresses {
		p := &k.InitialStresses[i]
		b := &k.Mesh.Bodies[p.Body]
		s := k.add("stress", b.Name, "initial stress")
		most := 0.0
		var of []int32
		for t := b.First; t < b.End; t++ {
			of = append(of, t)
		}
		for _, t := range thinned(of, mostPoints) {
			n := k.Mesh.Triangles[t]
			x := r2.Scale(1./3, r2.Add(k.Mesh.X[n[0]], r2.Add(k.Mesh.X[n[1]], k.Mesh.X[n[2]])))
			one, two := principal(p.Stress(x).XX, p.Stress(x).YY, p.Stress(x).XY)
			k.point(s, x, one.X, one.Y, two.X, two.Y)
			most = max(most, elementary.Norm(one), elementary.Norm(two))
		}
		s.Text = "initial stress of up to " + number(most, "Pa")
	}
	for _, x := range k.Excavations {
		b := &k.Mesh.Bodies[x.Body]
		lo, hi := b.Extent(k.Mesh)
		k.point(k.add("excavate", x.Name, "excavated at %s", k.when(x.At)), r2.Scale(0.5, r2.Add(lo, hi)))
	}
	for i := range k.Bodies {
		if from := k.Bodies[i].From; from > 0 {
			b := &k.Mesh.Bodies[i]
			lo, hi := b.Extent(k.Mesh)
			s := k.add("install", b.Name, "installed at %s", k.when(from))
			k.point(s, r2.Vec{X: 0.5 * (lo.X + hi.X), Y: hi.Y})
		}
	}
	k.holes()
}

// when writes a time of a model, or a pseudo-time.
func when(m *models.Model, t float64) string {
	if m.Static != nil && m.Duration == 1 {
		return fmt.Sprintf("pseudo-time %.4g", t)
	}
	return number(t, "s")
}

// staged says when something comes and goes, "" if it is there all the time.
func (k *maker) staged(w *models.When) (text string) {
	if w.From > 0 {
		text += ", installed at " + k.when(w.From)
	}
	if w.Until > 0 {
		text += ", taken out from " + k.when(w.Until) + " on"
	}
	return text
}

func (k *maker) when(t float64) string { return when(k.Model, t) }

// heat makes the symbols of held temperatures, heat that flows in, and convection.
func (k *maker) heat() {
	h := k.Heat
	if h == nil {
		return
	}
	k.held("temperature", "K", h.Held, k.Duration*h.TimeFactor)
	k.fluxes("heat_flux", "heat", [2]string{"W/m2", "W/m3"}, h.Fluxes)
	for i := range h.Convection {
		p := &h.Convection[i]
		k.edges(k.add("convection", p.Name, "%s, to %s at the start", number(p.Coefficient, "W/(m2 K)"), number(p.Ambient(0), "K")), p.Edges)
	}
}

// pores makes the symbols of held pore pressures, seepage faces and inflows.
func (k *maker) pores() {
	p := k.Pores
	if p == nil {
		return
	}
	k.held("pore_pressure", "Pa", p.Held, k.Duration*p.TimeFactor)
	for i := range p.Seepage {
		k.edges(k.add("pore_pressure", p.Seepage[i].Name, "fluid seeps out"), p.Seepage[i].Edges)
	}
	k.fluxes("inflow", "inflow", [2]string{"m/s", "1/s"}, p.Inflows)
}

// held makes the symbols of held temperatures or pressures.
func (k *maker) held(kind, unit string, of []models.HeldTemperature, end float64) {
	for i := range of {
		p := &of[i]
		if len(p.Nodes.Of) == 0 {
			continue
		}
		x := k.Mesh.X[p.Nodes.Of[0]]
		first, last := p.Value(0, x), p.Value(end, x)
		text := "held at " + number(first, unit)
		if first != last {
			text += ", at the end " + number(last, unit)
		}
		s := k.add(kind, p.Name, "%s, %s", text, nodes(len(p.Nodes.Of)))
		for _, n := range thinned(p.Nodes.Of, mostPoints) {
			k.point(s, k.Mesh.X[n])
		}
	}
}

// fluxes makes the symbols of what flows into edges, or has its source in triangles.
func (k *maker) fluxes(kind, what string, unit [2]string, of []models.HeatFlux) {
	for i := range of {
		p := &of[i]
		most := k.most(p.Value)
		if len(p.Triangles) > 0 {
			s := k.add(kind, p.Name, "source of %s at most", number(most, unit[1]))
			k.boxed(s, p.Triangles)
			continue
		}
		s := k.add(kind, p.Name, "%s of %s at most", what, number(most, unit[0]))
		k.inward(s, p.Edges, sign(most))
	}
}

// boxed adds the box around triangles to a symbol, as lines.
func (k *maker) boxed(s *view.Symbol, triangles []int32) {
	lo, hi := k.Mesh.X[k.Mesh.Triangles[triangles[0]][0]], k.Mesh.X[k.Mesh.Triangles[triangles[0]][0]]
	for _, t := range triangles {
		for _, n := range k.Mesh.Triangles[t] {
			x := k.Mesh.X[n]
			lo, hi = r2.Vec{X: min(lo.X, x.X), Y: min(lo.Y, x.Y)}, r2.Vec{X: max(hi.X, x.X), Y: max(hi.Y, x.Y)}
		}
	}
	corner := [...]r2.Vec{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}}
	for i, x := range corner {
		k.line(s, x, corner[(i+1)%4])
	}
}

// principal returns the principal stresses as vectors along their axes; their sign is that of the
// vector's scalar product with the axis (cos a, sin a), |a| <= 45 degrees for the first.
func principal(xx, yy, xy float64) (one, two r2.Vec) {
	a := 0.5 * elementary.Atan2(2*xy, xx-yy)
	s, c := elementary.Sincos(a)
	mean, radius := 0.5*(xx+yy), elementary.Hypot(0.5*(xx-yy), xy)
	return r2.Scale(mean+radius, r2.Vec{X: c, Y: s}), r2.Scale(mean-radius, r2.Vec{X: -s, Y: c})
}

// holes makes the symbols of the boundaries that go round inside a body.
func (k *maker) holes() {
	seen := make([]bool, len(k.Mesh.Edges))
	var loops [][]int32
	for first := range k.Mesh.Edges {
		if k.Mesh.Edges[first].Tri < 0 { // of rigid bodies and beams
			continue
		}
		var loop []int32
		double := 0.0
		for e := int32(first); e >= 0 && !seen[e]; e = k.Mesh.Edges[e].Next {
			seen[e] = true
			loop = append(loop, e)
			a, b := k.Mesh.X[k.Mesh.Edges[e].A], k.Mesh.X[k.Mesh.Edges[e].B]
			double += (a.X-k.centre.X)*(b.Y-k.centre.Y) - (b.X-k.centre.X)*(a.Y-k.centre.Y)
		}
		if double < 0 && len(loop) > 2 {
			loops = append(loops, loop)
		}
	}
	for _, loop := range thinned(loops, mostPoints) {
		lo, hi := k.Mesh.X[k.Mesh.Edges[loop[0]].A], k.Mesh.X[k.Mesh.Edges[loop[0]].A]
		for _, e := range loop {
			x := k.Mesh.X[k.Mesh.Edges[e].A]
			lo, hi = r2.Vec{X: min(lo.X, x.X), Y: min(lo.Y, x.Y)}, r2.Vec{X: max(hi.X, x.X), Y: max(hi.Y, x.Y)}
		}
		s := k.add("hole", k.Mesh.Bodies[k.Mesh.Edges[loop[0]].Body].Name, "hole, %s by %s", number(hi.X-lo.X, "m"), number(hi.Y-lo.Y, "m"))
		k.edges(s, loop)
	}
}

// groups returns the groups of a mesh; index is that of a node in the picture, -1 for none.
func groups(m *mesh.Mesh, index []int32) []view.Group {
	out := []view.Group{}
	for _, g := range m.Groups {
		if g.Dim == 2 { // bodies are named by themselves
			continue
		}
		v := view.Group{Name: g.Name, Dim: g.Dim, Nodes: []int32{}}
		for _, n := range g.Nodes {
			if index[n] >= 0 {
				v.Nodes = append(v.Nodes, index[n])
			}
		}
		out = append(out, v)
	}
	return out
}
