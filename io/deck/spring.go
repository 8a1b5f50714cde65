package deck

import (
	"fmt"
	"math"
	"slices"

	"fdem/fem/bolt"
	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/forces"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// Conditions of the keys of a [[spring]].
var (
	alongLine     = tables.With{Of: "a spring along its line", Is: []string{"yes"}, Say: `is for a spring along the line between its ends: give "to" or "to_at", and no components`}
	endsSomewhere = tables.With{Of: "a position of its end", Is: []string{"yes"}, Say: `goes with "to", or with a spring along its line: with components to the ground it would have no effect`}
	noCurve       = tables.Unless("curve", "the curve gives the force")
)

var springBlock = tables.Block{Name: "spring", Many: true, Doc: "A spring, a dashpot or both, between two points or between a point and the ground.", Facts: ofDeck((*Deck).springFacts), Read: ofDeck((*Deck).readSpring), Keys: slices.Concat([]tables.Key{
	{Name: "name", Kind: tables.Text, Else: `"ON-TO", or "ON"`, Doc: "in results"},
	{Name: "on", Kind: tables.Text, Example: `"tip"`, Doc: "one end: the middle of a physical point, curve or surface, or of a body or a beam; or the centre of a rigid body. A spring with components to the ground is distributed to all nodes of a group, by length or area"},
	{Name: "at", Kind: tables.Pair, Dim: tables.Length, Default: "-", Doc: "instead of the middle, the position of this end in that body, beam or rigid body"},
	{Name: "to", Kind: tables.Text, Default: "-", Doc: "other end, as on; without it, the ground"},
	{Name: "to_at", Kind: tables.Pair, Dim: tables.Length, Default: "-", With: []tables.With{endsSomewhere}, Doc: "position of the other end in that body; for a spring to the ground, the position in the ground"},
	{Name: "components", Kind: tables.List, Also: []tables.Kind{tables.Text}, Else: `along the line between its ends; to the ground without to_at, ["x", "y"]`, Doc: `"x" and "y": the spring acts in these directions, and its stretch is the relative displacement of its ends along them`},
	{Name: "stiffness", Kind: tables.Quantity, Dim: tables.SurfaceEnergy, Bounds: tables.Positive, Default: "-", With: []tables.With{noCurve}, Branch: true, Doc: "stiffness: force over stretch, the same in each component"},
	{Name: "damping", Kind: tables.Quantity, Dim: tables.Dimension{Mass: 1, Time: -1}, Bounds: tables.Positive, Default: "-", With: []tables.With{dashpotInTime}, Branch: true, Doc: "coefficient of the dashpot: force over the rate of stretch"},
	{Name: "free_length", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.NotNegative, Else: "the distance of its ends at the start", With: []tables.With{alongLine, tables.Unless("after", ofThen)}, Branch: true, Doc: "length without load"},
	{Name: "preload", Kind: tables.Quantity, Dim: tables.Force, Default: "0", With: []tables.With{alongLine, noCurve, tables.Unless("free_length", "each of them gives the load at the start")}, Branch: true, Doc: "force at the start; tension is positive. Without a stiffness it is constant"},
	{Name: "curve", Kind: tables.List, Default: "-", Doc: "instead of a stiffness, a list of [stretch, force], linear between the points and beyond them"},
	{Name: "only", Kind: tables.Word, Words: []string{"tension", "compression"}, Default: "-", With: []tables.With{alongLine, noCurve}, Doc: `"tension" for a cable, "compression" for a bumper: the spring has a force, and the dashpot acts, only in that sense`},
	{Name: "rotation_stiffness", Kind: tables.Quantity, Dim: tables.Moment, Bounds: tables.Positive, Default: "-", Doc: "rotational stiffness: moment over the relative rotation of its ends, which are rigid bodies or nodes of beams"},
	{Name: "rotation_damping", Kind: tables.Quantity, Dim: tables.Dimension{Length: 2, Mass: 1, Time: -1}, Bounds: tables.Positive, Default: "-", With: []tables.With{dashpotInTime}, Doc: "rotational damping: moment over the rate of the relative rotation"},
}, comingKeys, goingKeys)}

const ofThen = "a spring that is installed during the run has its length of then without load: give a preload"

var dashpotInTime = tables.With{Of: "type", Is: tables.InTime.Is, Why: "a dashpot does nothing in a static analysis"}

func (d *Deck) springFacts(t *tables.Reader) {
	yes := func(is bool) string {
		if is {
			return "yes"
		}
		return "no"
	}
	pulls := t.Has("stiffness") || t.Has("damping") || t.Has("curve") || t.Has("preload")
	pulls = pulls || !t.Has("rotation_stiffness") && !t.Has("rotation_damping") // the stiffness was forgotten
	t.Facts["a spring along its line"] = yes(pulls && !t.Has("components") && (t.Has("to") || t.Has("to_at")))
	t.Facts["a position of its end"] = yes(t.Has("to") || pulls && !t.Has("components"))
}

// attachment is an end of a spring, as in the deck.
type attachment struct {
	key, atKey string
	name       string // "" for the ground
	at         r2.Vec
	given      bool // at is given
}

func (d *Deck) readSpring(t *tables.Reader) {
	on := attachment{"on", "at", t.Text("on"), t.Vector("at"), t.Has("at")}
	to := attachment{"to", "to_at", t.Text("to"), t.Vector("to_at"), t.Has("to_at")}
	p := model.Spring{
		Name: t.Text("name"), Stiffness: t.Number("stiffness"), Damping: t.Number("damping"), Preload: t.Number("preload"), Free: math.NaN(),
		RotationStiffness: t.Number("rotation_stiffness"), RotationDamping: t.Number("rotation_damping"),
	}
	if !t.Has("name") {
		if p.Name = on.name; to.name != "" {
			p.Name += "-" + to.name
		}
	}
	if at := [2]string{"a spring", p.Name}; d.taken[at] && !t.Has("name") {
		t.Bad("on", "there is a spring %q already: give this one a name", p.Name)
	}
	d.unique(t, "a spring", p.Name)
	p.Axial = t.Facts["a spring along its line"] == "yes"
	d.springComponents(t, &p)
	p.Curve = d.springCurve(t)
	if p.Curve != nil && p.X && p.Y {
		t.Bad("curve", "a curve has one direction: name one component, or give \"to\" or \"to_at\"")
	}
	if t.Has("free_length") {
		p.Free = t.Number("free_length")
	}
	if t.Has("only") {
		p.Only = model.Sense(map[string]int8{"tension": 1, "compression": -1}[t.Word("only")])
	}
	acts := p.Stiffness > 0 || p.Damping > 0 || p.Preload != 0 || p.Curve != nil
	switch {
	case !acts && p.RotationStiffness == 0 && p.RotationDamping == 0:
		t.Bad("on", `a spring needs a stiffness, a damping or a curve, for instance stiffness = "1 kN/m"`)
	case !acts && t.Has("components"):
		t.Bad("components", "components go with a stiffness, a damping or a curve, and none is given")
	case p.Only != forces.Both && p.Stiffness == 0:
		t.Bad("only", "only goes with a stiffness")
	case float64(p.Only)*p.Preload < 0:
		t.Bad("preload", "the spring acts in %s only, so the preload must have that sense, got %g N", t.Word("only"), p.Preload)
	}
	if !acts {
		p.Axial, p.X, p.Y = false, false, false
	}
	stage := d.readStage(t, p.Name, on.name)
	if stage.From > 0 && t.Has("free_length") {
		t.Bad("free_length", "free_length does not go with time: %s", ofThen)
	}
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		p.When = stage.at(r)
		r.attach(t, &p, on, to)
		m.Springs = append(m.Springs, p)
	})
}

// springComponents reads the directions of a spring that does not act along its
// line.
func (d *Deck) springComponents(t *tables.Reader, p *model.Spring) {
	if !t.Has("components") {
		p.X, p.Y = !p.Axial, !p.Axial
	}
	for _, c := range t.Several("components") {
		switch c {
		case "x":
			p.X = true
		case "y":
			p.Y = true
		default:
			t.Bad("components", `components must be "x" and "y", got %s`, tables.Describe(c))
		}
	}
	if !p.Axial && !p.X && !p.Y {
		t.Bad("components", `components must name at least one of "x" and "y"`)
	}
}

// springCurve reads the points of a curve, nil if there is none.
func (d *Deck) springCurve(t *tables.Reader) *model.ForceCurve {
	list := t.List("curve", 0)
	if !t.Has("curve") {
		return nil
	}
	var stretch, force []float64
	for _, e := range list {
		pair, ok := e.([]any)
		if !ok || len(pair) != 2 {
			t.Bad("curve", "curve must be a list of [stretch, force], got %s in it", tables.Describe(e))
		}
		s, f := t.Value("curve", pair[0], tables.Length), t.Value("curve", pair[1], tables.Force)
		if n := len(stretch); n > 0 && s <= stretch[n-1] {
			t.Bad("curve", "the stretches of a curve must increase, got %g m after %g m", s, stretch[n-1])
		}
		stretch, force = append(stretch, s), append(force, f)
	}
	if len(stretch) < 2 {
		t.Bad("curve", "a curve needs at least two points, got %d", len(stretch))
	}
	return forces.NewForceCurve(stretch, force)
}

// attach finds the ends of a spring.
func (r *resolver) attach(t *tables.Reader, p *model.Spring, on, to attachment) {
	begin := r.settled(r.end(t, on))
	switch {
	case to.name != "":
		finish := r.settled(r.end(t, to))
		p.Links = []model.Link{{Ends: [2]model.End{begin, finish}, Share: 1}}
		if slices.Equal(begin.Nodes, finish.Nodes) && slices.Equal(begin.Weights, finish.Weights) {
			t.Bad("to", "both ends of the spring are the same point")
		}
		if begin.Rigid >= 0 && begin.Rigid == finish.Rigid {
			t.Bad("to", "both ends of the spring are on the rigid body %q, so that it has no effect", to.name)
		}
	case p.Axial:
		ground := model.End{Rigid: -1, At: to.at}
		p.Links = []model.Link{{Ends: [2]model.End{begin, ground}, Share: 1}}
	case len(begin.Nodes) > 1 && begin.Rigid < 0 && !on.given: // every node has a spring to its first position
		for i, n := range begin.Nodes {
			at := r.mesh.X[n]
			node := model.End{Nodes: []int32{n}, Corners: begin.Corners.Of(i), Weights: []float64{1}, Rigid: -1, At: at}
			p.Links = append(p.Links, model.Link{Ends: [2]model.End{{Rigid: -1, At: at}, node}, Share: begin.Weights[i]})
		}
	default:
		p.Links = []model.Link{{Ends: [2]model.End{{Rigid: -1, At: begin.At}, begin}, Share: 1}}
	}
	if p.Axial {
		a, b := p.Links[0].Ends[0].At, p.Links[0].Ends[1].At
		if length := elementary.Norm(r2.Sub(b, a)); length <= positionSlack*(elementary.Norm(a)+elementary.Norm(b)) && !(p.Free == 0 && p.Preload == 0) {
			t.Bad("on", "both ends of the spring are at (%.6g, %.6g) m, so that it has no direction: give components, or free_length = 0", begin.At.X, begin.At.Y)
		}
	}
	if p.RotationStiffness > 0 || p.RotationDamping > 0 {
		r.turns(t, p, on, to)
	}
	for _, e := range p.Links[0].Ends {
		if len(e.Nodes) > 0 && (e.Rigid < 0 || r.rigids[e.Rigid].Mass > 0 || r.rigids[e.Rigid].Rigid.Motion != nil) {
			return
		}
	}
	t.Bad("on", "the spring has no effect: neither of its ends moves")
}

// turns stops if an end of a rotational spring has no rotation of its own.
func (r *resolver) turns(t *tables.Reader, p *model.Spring, on, to attachment) {
	for i := range p.Links {
		for j, e := range p.Links[i].Ends {
			if len(e.Nodes) == 0 || e.Rigid >= 0 {
				continue
			}
			if len(p.Links) > 1 || len(e.Nodes) > 1 || len(r.ofBeams(e.Nodes)) == 0 {
				at := on
				if j == 1 && to.name != "" {
					at = to
				}
				t.Bad(at.key, "a rotational spring acts on a rigid body or on one node of a beam, and %q is neither", at.name)
			}
		}
	}
}

// end finds the attachment of a spring from a name, and from a point if given.
func (r *resolver) end(t *tables.Reader, a attachment) model.End {
	if slices.ContainsFunc(r.Deck.particles, func(p particles) bool { return p.name == a.name }) {
		t.Bad(a.key, "%q is a [[particle]]: springs act on meshed bodies, beams and rigid bodies", a.name)
	}
	if i := slices.IndexFunc(r.rigids, func(b rigid) bool { return b.Name == a.name }); i >= 0 {
		return r.onRigid(t, a, i)
	}
	g := r.group(t, a.key, a.name)
	if a.given {
		return r.inGroupAt(t, a, g)
	}
	of := r.loaded(t, model.Load{On: a.name})
	return model.End{Nodes: of.Nodes, Corners: of.Corners, Weights: of.Weights, Rigid: -1}
}

// settled sets the position of an end from its nodes, to the last bit.
func (r *resolver) settled(e model.End) model.End {
	e.At = r2.Vec{}
	for i, n := range e.Nodes {
		x := r.mesh.X[n]
		e.At.X += float64(e.Weights[i] * x.X)
		e.At.Y += float64(e.Weights[i] * x.Y)
	}
	return e
}

// positionSlack is the distance, relative to its size, by which a point may lie
// outside of a body.
const positionSlack = 1e-9

// onRigid expresses a point of a rigid body as a mean of nodes of its outline.
func (r *resolver) onRigid(t *tables.Reader, a attachment, number int) model.End {
	b, at, key := &r.rigids[number], a.at, a.atKey
	if !a.given {
		at = b.Centre
	}
	nodes := r.mesh.Bodies[r.bodyNamed(b.Name)].Nodes
	x := func(i int) r2.Vec { return r.mesh.X[nodes[i]] }
	n := len(nodes)
	e := model.End{Rigid: int32(number), At: at}
	shape, _ := b.Values["shape"].(string)
	if shape == "line" {
		from, along := x(0), r2.Sub(x(n-1), x(0))
		length := elementary.Norm(along)
		s := elementary.Dot(r2.Sub(at, from), along) / (length * length)
		if off := math.Abs(elementary.Cross(along, r2.Sub(at, from))) / length; off > positionSlack*length || s < -positionSlack || s > 1+positionSlack {
			t.Bad(key, "(%.6g, %.6g) m is not on %q, a line from (%.6g, %.6g) to (%.6g, %.6g) m", at.X, at.Y, b.Name, from.X, from.Y, x(n-1).X, x(n-1).Y)
		}
		e.Nodes, e.Weights = []int32{nodes[0], nodes[n-1]}, []float64{1 - s, s}
		return e
	}
	if a.given && shape != "hollow" && !b.holds(at) {
		t.Bad(key, "(%.6g, %.6g) m is not in %q", at.X, at.Y, b.Name)
	}
	i, j := n/3, 2*n/3
	if shape == "polygon" { // any shape: three corners that span it
		i, j = 0, 0
		for k := range nodes {
			if elementary.Norm(r2.Sub(x(k), x(0))) > elementary.Norm(r2.Sub(x(i), x(0))) {
				i = k
			}
		}
		off := func(k int) float64 { return math.Abs(elementary.Cross(r2.Sub(x(i), x(0)), r2.Sub(x(k), x(0)))) }
		for k := range nodes {
			if off(k) > off(j) {
				j = k
			}
		}
	}
	e.Nodes, e.Weights = []int32{nodes[0], nodes[i], nodes[j]}, barycentric(x(0), x(i), x(j), at)
	return e
}

// barycentric returns the weights with which a point is the mean of three
// corners.
func barycentric(a, b, c, at r2.Vec) []float64 {
	whole := elementary.Cross(r2.Sub(b, a), r2.Sub(c, a))
	v := elementary.Cross(r2.Sub(at, a), r2.Sub(c, a)) / whole
	w := elementary.Cross(r2.Sub(b, a), r2.Sub(at, a)) / whole
	return []float64{1 - v - w, v, w}
}

// inTriangle returns a position as a mean of the corners of a triangle, by its weights.
func (r *resolver) inTriangle(t int32, w []float64, at r2.Vec) model.End {
	e := model.End{Rigid: -1, At: at}
	for k, n := range r.mesh.Triangles[t] {
		if math.Abs(w[k]) > positionSlack {
			e.Nodes, e.Weights = append(e.Nodes, n), append(e.Weights, w[k])
			if len(r.fractures) > 0 {
				e.Corners.Add(model.Corner{Triangle: t, Fraction: 1})
			}
		}
	}
	return normal(e)
}

// weightsIn returns the weights of a position in a triangle, see barycentric.
func (r *resolver) weightsIn(t int32, at r2.Vec) []float64 {
	of := r.mesh.Triangles[t]
	return barycentric(r.mesh.X[of[0]], r.mesh.X[of[1]], r.mesh.X[of[2]], at)
}

// inGroupAt finds the triangle or beam of a group that contains a point.
func (r *resolver) inGroupAt(t *tables.Reader, a attachment, g *mesh.Group) model.End {
	at, key := a.at, a.atKey
	if g.Dim == 2 {
		for i, of := range r.mesh.Triangles {
			if !inGroup(g, of[:]) {
				continue
			}
			w := r.weightsIn(int32(i), at)
			if min(w[0], w[1], w[2]) < -positionSlack {
				continue
			}
			return r.inTriangle(int32(i), w, at)
		}
		t.Bad(key, "(%.6g, %.6g) m is not in %q%s", at.X, at.Y, g.Name, r.nearestOf(g, at))
	}
	for _, b := range r.mesh.Bodies {
		if b.Kind != mesh.OfBeams || g.Dim != 1 {
			continue
		}
		for _, of := range r.mesh.Beams[b.FirstBeam:b.EndBeam] {
			if !inGroup(g, r.hinged(of)) {
				continue
			}
			from, along := r.mesh.X[of[0]], r2.Sub(r.mesh.X[of[1]], r.mesh.X[of[0]])
			length := elementary.Norm(along)
			s := elementary.Dot(r2.Sub(at, from), along) / (length * length)
			off := math.Abs(elementary.Cross(along, r2.Sub(at, from))) / length
			switch {
			case off > b.Depth || s < -positionSlack || s > 1+positionSlack:
				continue
			case s < positionSlack:
				return model.End{Nodes: []int32{of[0]}, Weights: []float64{1}, Rigid: -1, At: from}
			case s > 1-positionSlack:
				return model.End{Nodes: []int32{of[1]}, Weights: []float64{1}, Rigid: -1, At: r.mesh.X[of[1]]}
			}
			return model.End{Nodes: of[:], Weights: []float64{1 - s, s}, Rigid: -1, At: elementary.Between(from, r.mesh.X[of[1]], s)}
		}
		if _, known := slices.BinarySearch(b.Nodes, g.Nodes[0]); known {
			t.Bad(key, "(%.6g, %.6g) m is not on %q%s", at.X, at.Y, g.Name, r.nearestOf(g, at))
		}
	}
	t.Bad(key, "%s goes with a body, a beam or a rigid body, and %q is a %s, whose middle is taken: leave %[1]s out", key, g.Name, groupKinds[g.Dim])
	return model.End{}
}

// normal scales weights to a sum of one.
func normal(e model.End) model.End {
	sum := 0.0
	for _, w := range e.Weights {
		sum += w
	}
	for i := range e.Weights {
		e.Weights[i] /= sum
	}
	return e
}

// nearestOf returns the name of the group's node that is nearest to a point.
func (r *resolver) nearestOf(g *mesh.Group, at r2.Vec) string {
	var x []r2.Vec
	for _, n := range g.Nodes {
		x = append(x, r.mesh.X[n])
	}
	n := g.Nodes[nearestTo(at, x)]
	return fmt.Sprintf(": the nearest node of it, %d, is at (%.6g, %.6g) m", r.mesh.NodeID[n], r.mesh.X[n].X, r.mesh.X[n].Y)
}

// Conditions of the keys of a [[bolt]].
var (
	withPlate   = []tables.With{tables.If("plate", "true")}
	forSoft     = []tables.With{tables.If("bond_strength")}
	perLength   = tables.Dimension{Mass: 1, Time: -2}
	yieldingBar = []tables.With{tables.If("yield_force")}
)

var boltBlock = tables.Block{Name: "bolt", Many: true, Doc: "A rock bolt, an anchor or a cable: a bar along a line through bodies of triangles, bonded to them along its length. It crosses joints, cracks and touching bodies. Force, stiffness and strength are those of one bolt.", Read: ofDeck((*Deck).readBolt), Keys: slices.Concat([]tables.Key{
	{Name: "name", Kind: tables.Text, Example: `"roof"`, Doc: "in results"},
	{Name: "from", Kind: tables.Pair, Dim: tables.Length, Example: `["0 m", "3 m"]`, Doc: "the head, on the wall"},
	{Name: "to", Kind: tables.Pair, Dim: tables.Length, Example: `["0 m", "6 m"]`, Doc: "the far end, in the rock"},
	{Name: "repeat", Kind: tables.Table, Default: "-", Sub: &repeatBlock, Doc: "further bolts beside it, see below"},
	{Name: "spacing", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Else: "the thickness in plane stress; in plane strain it must be given", Doc: "distance of such bolts across the plane"},
	{Name: "diameter", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"25 mm"`, With: []tables.With{tables.Unless("area", "each of them gives the section")}, Doc: "of the bar"},
	{Name: "area", Kind: tables.Quantity, Dim: tables.Dimension{Length: 2}, Bounds: tables.Positive, Default: "-", Doc: "instead of a diameter, the area of its section"},
	{Name: "young", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Default: "2e11", Doc: "Young's modulus of the bar"},
	{Name: "yield_force", Kind: tables.Quantity, Dim: tables.Force, Bounds: tables.Positive, Default: "-", Doc: "force at which the bar yields; without it the bar is elastic"},
	{Name: "hardening", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.NotNegative, Default: "0", With: yieldingBar, Doc: "growth of the stress with plastic strain"},
	{Name: "rupture_strain", Kind: tables.Quantity, Bounds: tables.Positive, Default: "-", With: yieldingBar, Doc: `plastic strain at which the bar breaks, such as "10 %"`},
	{Name: "bond_stiffness", Kind: tables.Quantity, Dim: tables.Pressure, Unit: "N/m2", Bounds: tables.Positive, Example: `"1 GN/m2"`, Doc: "stiffness of the grout: force per length of bolt over slip"},
	{Name: "bond_strength", Kind: tables.Quantity, Dim: perLength, Unit: "N/m", Bounds: tables.Positive, Default: "-", Doc: "strength of the grout: force per length of bolt at which it slips; without it it holds"},
	{Name: "bond_friction", Kind: tables.Quantity, Angle: true, Unit: "degrees", Bounds: tables.Bounds{Rule: "must be at least 0 and below 90 degrees", Keep: func(v float64) bool { return v >= 0 && v < 90 }}, Default: "0", With: forSoft, Doc: "friction angle of the bond: the pressure of the rock across the bolt, times its tangent and the circumference of the bar, adds to the strength; plain numbers are degrees"},
	{Name: "bond_residual", Kind: tables.Quantity, Dim: perLength, Unit: "N/m", Bounds: tables.NotNegative, Default: "-", With: forSoft, Doc: "strength that is left after slip"},
	{Name: "bond_softening", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"10 mm"`, With: []tables.With{tables.If("bond_residual")}, Doc: "slip within which the strength falls to that, linearly"},
	{Name: "shear_stiffness", Kind: tables.Quantity, Dim: tables.SurfaceEnergy, Unit: "N/m", Bounds: tables.Positive, Default: "-", Doc: "force across the bar over the shear of a joint or crack that it crosses where it is bonded; without it the bar resists along itself alone"},
	{Name: "shear_strength", Kind: tables.Quantity, Dim: tables.Force, Bounds: tables.Positive, Default: "-", With: []tables.With{tables.If("shear_stiffness")}, Doc: "force across the bar at which it shears, at each joint or crack"},
	{Name: "free_length", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.NotNegative, Default: "0", Doc: "length from the head without bond: nearly all of it for an anchor at the far end. It may run outside of bodies"},
	{Name: "plate", Kind: tables.Flag, Default: "false", Doc: "the head has a plate, which holds it on the wall"},
	{Name: "plate_stiffness", Kind: tables.Quantity, Dim: tables.SurfaceEnergy, Unit: "N/m", Bounds: tables.Positive, Else: "ten times sqrt(young area bond_stiffness), the stiffness of a long bolt's head", With: withPlate, Doc: "stiffness of the plate"},
	{Name: "pretension", Kind: tables.Quantity, Dim: tables.Force, Bounds: tables.NotNegative, Default: "0", With: withPlate, Doc: "force with which the head is tightened as it is installed"},
}, comingKeys, goingKeys)}

var repeatBlock = tables.Block{Name: "bolt.repeat", Doc: "Bolts at equal distances, called NAME 1, NAME 2 and so on.", Keys: []tables.Key{
	{Name: "count", Kind: tables.Whole, Bounds: tables.Within(1, 1000), Example: "5", Doc: "number of bolts"},
	{Name: "step", Kind: tables.Pair, Dim: tables.Length, Example: `["1.2 m", "0 m"]`, Doc: "from one to the next"},
}}

func (d *Deck) readBolt(t *tables.Reader) {
	if t.Has("area") == t.Has("diameter") {
		t.Bad("name", `a bolt needs a section: diameter = "25 mm", or area`)
	}
	name, spacing := t.Text("name"), t.Number("spacing")
	if !t.Has("spacing") {
		if spacing = d.model.Thickness; d.model.Plane == bulk.PlaneStrain {
			t.Bad("name", `in plane strain a bolt stands for a row of bolts across the plane: give the spacing, such as spacing = "1.5 m"`)
		}
	}
	area, diameter := t.Number("area"), t.Number("diameter")
	if t.Has("area") {
		diameter = math.Sqrt(4 / math.Pi * area)
	} else {
		area = math.Pi / 4 * diameter * diameter
	}
	p := model.Bolt{Each: d.model.Thickness / spacing, Free: t.Number("free_length"), Law: boltLaw(t, area)}
	p.Confined = math.Pi * diameter * elementary.Tan(t.Degrees("bond_friction"))
	from, to, count, step := t.Vector("from"), t.Vector("to"), 1, r2.Vec{}
	if s := t.Sub("repeat"); t.Has("repeat") {
		s.Check(nil)
		count, step = s.Whole("count"), s.Vector("step")
	}
	d.checkBolt(t, &p, elementary.Norm(r2.Sub(to, from)), diameter)
	stage := d.readStage(t, name)
	scale(&p.Law, p.Each)
	p.Confined *= p.Each
	for k := range count {
		q := p
		if q.Name = name; count > 1 {
			q.Name = fmt.Sprintf("%s %d", name, k+1)
		}
		d.unique(t, "a bolt", q.Name)
		a, b := elementary.Along(from, step, float64(k)), elementary.Along(to, step, float64(k))
		d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
			r.checks = append(r.checks, func() {
				q.When = stage.at(r)
				r.lay(t, &q, a, b)
				m.Bolts = append(m.Bolts, q)
			})
		})
	}
}

// boltLaw reads the law of one bolt with an area [m2].
func boltLaw(t *tables.Reader, area float64) (l bolt.Law) {
	l.Bar = bolt.Bar{Stiffness: t.Number("young") * area, Yield: math.Inf(1), Hardening: t.Number("hardening") * area, Rupture: math.Inf(1)}
	l.Bond = bolt.Bond{Stiffness: t.Number("bond_stiffness"), Strength: math.Inf(1)}
	if t.Has("yield_force") {
		l.Yield = t.Number("yield_force")
	}
	if t.Has("rupture_strain") {
		l.Rupture = t.Number("rupture_strain")
	}
	if t.Has("bond_strength") {
		l.Strength = t.Number("bond_strength")
	}
	if t.Has("bond_residual") {
		if l.Residual, l.Softening = t.Number("bond_residual"), t.Number("bond_softening"); l.Residual > l.Strength {
			t.Bad("bond_residual", "the strength that is left must not exceed bond_strength, %g N/m, got %g N/m", l.Strength, l.Residual)
		}
	}
	if l.Dowel = (bolt.Dowel{Shear: t.Number("shear_stiffness"), Shearing: math.Inf(1)}); t.Has("shear_strength") {
		l.Shearing = t.Number("shear_strength")
	}
	if t.Flag("plate") {
		l.Plate = bolt.Plate{Stiffness: 10 * math.Sqrt(l.Bar.Stiffness*l.Bond.Stiffness), Tension: t.Number("pretension")}
		if t.Has("plate_stiffness") {
			l.Plate.Stiffness = t.Number("plate_stiffness")
		}
	}
	return l
}

// scale makes the law of one bolt that of a number of them.
func scale(l *bolt.Law, by float64) {
	for _, v := range []*float64{&l.Bar.Stiffness, &l.Yield, &l.Hardening, &l.Bond.Stiffness, &l.Strength, &l.Residual, &l.Plate.Stiffness, &l.Tension, &l.Shear, &l.Shearing} {
		*v *= by
	}
}

// checkBolt stops at bolts that cannot be, and warns of those that are hardly meant. The law is that
// of one bolt.
func (d *Deck) checkBolt(t *tables.Reader, p *model.Bolt, length, diameter float64) {
	l := &p.Law
	bonded := length - p.Free
	switch {
	case length == 0:
		t.Bad("to", "both ends of the bolt are at the same place")
	case diameter >= length && t.Has("diameter"):
		t.Bad("diameter", "a bolt of %.6g m must be thinner than it is long, got %g m", length, diameter)
	case diameter >= length:
		t.Bad("area", "a bolt of %.6g m must be thinner than it is long, got an area of %g m2", length, t.Number("area"))
	case !(bonded > 0):
		t.Bad("free_length", "a bolt of %.6g m must be bonded somewhere: free_length must be below that, got %g m", length, p.Free)
	case l.Tension > l.Yield:
		t.Bad("pretension", "the bar yields at %g N: pretension must not exceed that, got %g N", l.Yield, l.Tension)
	case l.Tension > l.Strength*bonded:
		t.Bad("pretension", "the bond holds %g N/m over %.6g m: pretension must not exceed %g N, got %g N", l.Strength, bonded, l.Strength*bonded, l.Tension)
	}
	warn := func(format string, args ...any) { d.warnLater("%s: %s", t.Title, fmt.Sprintf(format, args...)) }
	if k := l.Bond.Stiffness; k < 1e6 || k > 1e11 {
		warn("a bond_stiffness of %.3g N/m2 is unusual: it is the force per metre of bolt over slip, between 1e7 and 2e10 N/m2 for grout", k)
	}
	if s := l.Strength; s < 1e3 || !math.IsInf(s, 1) && s > 0.5*math.Pi*diameter*1e8 {
		warn("a bond_strength of %.3g N/m is unusual: it is the force per metre of bolt, pi times diameter times shear strength, and %.3g N/m would be 1 MPa on this bar", s, math.Pi*diameter*1e6)
	}
	if l.Strength*bonded < l.Yield && l.Yield < math.Inf(1) && l.Softening == 0 {
		warn("its bond holds %.3g N in all and its bar %.3g N: it will be pulled out before it yields", l.Strength*bonded, l.Yield)
	}
}

// lay lays a bolt into the mesh.
func (r *resolver) lay(t *tables.Reader, p *model.Bolt, a, b r2.Vec) {
	l := newBoltLine(r.mesh, r.excavated(), a, b)
	r.covered(t, p, l)
	p.EdgeAlong = l.medianSize()
	alpha := p.Law.Alpha()
	if p.EdgeAlong > 1/alpha {
		r.warn("%s: its force changes within %.3g m (1/alpha), and the triangles along it have %.3g m: there it is that of their mean. Edges of %.2g m would show it", t.Title, 1/alpha, p.EdgeAlong, 0.5/alpha)
	}
	p.Along, p.Bonded = l.boltPoints(p.Free, alpha)
	for k, s := range p.Along {
		host := l.hostOf(s, k == len(p.Along)-1)
		x := l.boltPosition(s)
		p.Points, p.Hosts = append(p.Points, r.settled(r.inTriangle(host, r.weightsIn(host, x), x))), append(p.Hosts, host)
	}
	if p.Law.Shear > 0 {
		r.crossEdges(p, l)
	}
	if p.Law.Tension > 0 && p.Free == 0 {
		r.warn("%s: it is tightened against a bond that holds it at the head: a pretension needs a free_length", t.Title)
	}
}

// crossEdges adds the crossings of edges between triangles where a bolt is bonded.
func (r *resolver) crossEdges(p *model.Bolt, l *boltLine) {
	for _, c := range l.edgesCrossed(max(p.Along[0], p.Free)) {
		segment := 0
		for segment+2 < len(p.Along) && p.Along[segment+1] < c.at-float64(1e-6*l.length) {
			segment++
		}
		x := l.boltPosition(c.at)
		p.Crossings = append(p.Crossings, model.Crossing{Segment: segment, Faces: [2]model.End{r.inTriangle(c.near, r.weightsIn(c.near, x), x), r.inTriangle(c.far, r.weightsIn(c.far, x), x)}})
	}
}

// covered stops at a bolt that is outside of bodies, or leaves them where it is bonded.
func (r *resolver) covered(t *tables.Reader, p *model.Bolt, l *boltLine) {
	a, b := l.a, l.b
	if len(l.crossed) == 0 {
		t.Bad("from", "bolt %q from (%.6g, %.6g) to (%.6g, %.6g) m is in no body of triangles%s", p.Name, a.X, a.Y, b.X, b.Y, r.whyOutside(l.boltPosition(0.5*l.length)))
	}
	if c := l.crossed[0]; c.from > 0.5*l.triangleSize(c.triangle) {
		x := l.boltPosition(c.from)
		t.Bad("from", "bolt %q begins outside of the rock%s: it comes into a body after %.4g m, at (%.6g, %.6g) m", p.Name, r.whyOutside(a), c.from, x.X, x.Y)
	}
	if from, to, is := l.firstGap(p.Free); is {
		x, y := l.boltPosition(from), l.boltPosition(to)
		t.Bad("from", "bolt %q leaves the rock where it is bonded, from (%.6g, %.6g) to (%.6g, %.6g) m%s: let it end there, or give it a free_length of at least %.4g m", p.Name, x.X, x.Y, y.X, y.Y, r.whyOutside(l.boltPosition(0.5*(from+to))), to)
	}
	if end, last := l.leavesAt(); l.length-end > 0.5*l.triangleSize(last) {
		x := l.boltPosition(end)
		t.Bad("to", "bolt %q ends outside of the rock%s: it leaves the last body at (%.6g, %.6g) m, %.4g m before its end", p.Name, r.whyOutside(b), x.X, x.Y, l.length-end)
	} else if end <= p.Free {
		t.Bad("free_length", "bolt %q is not bonded: it leaves the rock within its free_length", p.Name)
	}
}

// whyOutside names the excavated body at a position, as text.
func (r *resolver) whyOutside(x r2.Vec) string {
	names := r.excavatedBodies()
	for i := range r.mesh.Bodies {
		of := &r.mesh.Bodies[i]
		if of.Kind != mesh.OfTriangles || !slices.Contains(names, of.Name) {
			continue
		}
		for t := of.First; t < of.End; t++ {
			if w := r.weightsIn(t, x); min(w[0], w[1], w[2]) >= 0 {
				return fmt.Sprintf(" (body %q is excavated)", of.Name)
			}
		}
	}
	return ""
}
