package deck

import (
	"math"
	"slices"
	"strings"

	"fdem/fem/fracture"
	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/materials/elementary"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

// fracturing is a [[fracture]] or a [[joint]] block: where bodies break, and
// their strength there.
type fracturing struct {
	*tables.Reader
	in           []string // bodies, inside and between each other
	on           string   // a curve
	pair         []string // two bodies: the edges between them
	law          *cohesive.Law
	bedding      *cohesive.Bedding // nil for none; then law is its bound
	directional  bool              // the block gives a direction
	stiffness    float64
	scatter      cohesive.Scatter
	strengthless bool              // a joint without strength: its law is made when the mesh is known
	friction     float64           // of a joint
	springs      *cohesive.Springs // of a joint with stiffness or dilation of its own, else nil
	faces        *cohesive.Faces   // of a joint with other laws than linear springs and Coulomb's friction, else nil
}

var fractureBlock = tables.Block{Name: "fracture", Many: true, Doc: "Bodies that break. Cracks open between triangles, along their edges, and cost no computing time until they open.", Read: ofDeck((*Deck).readFracture), Keys: []tables.Key{
	{Name: "in", Kind: tables.List, Also: []tables.Kind{tables.Text}, Default: "-", With: []tables.With{inMotion, tables.Unless("on", "a block has one position"), tables.Unless("pair", "a block has one position")}, Doc: "bodies that break, also along edges between two of them"},
	{Name: "on", Kind: tables.Text, Default: "-", With: []tables.With{inMotion, tables.Unless("pair", "a block has one position")}, Doc: "instead of bodies, a curve of the mesh inside bodies, along which alone they break"},
	{Name: "pair", Kind: tables.List, Default: "-", With: []tables.With{inMotion}, Doc: "instead of bodies, two bodies, which break only along the edges between them"},
	{Name: "tensile_strength", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Example: `"5 MPa"`, Doc: "tensile strength"},
	{Name: "cohesion", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Example: `"15 MPa"`, Doc: "shear strength without pressure"},
	{Name: "friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Default: "0", Doc: "coefficient of internal friction, and of friction of the faces of a crack as long as they are opposite"},
	{Name: "energy_tension", Kind: tables.Quantity, Dim: tables.SurfaceEnergy, Unit: "J/m2", Bounds: tables.Positive, Example: `"20 J/m2"`, Doc: "fracture energy in tension, mode I"},
	{Name: "energy_shear", Kind: tables.Quantity, Dim: tables.SurfaceEnergy, Unit: "J/m2", Bounds: tables.Positive, Example: `"80 J/m2"`, Doc: "fracture energy in shear, mode II"},
	{Name: "mixed", Kind: tables.Quantity, Bounds: tables.Positive, Default: "2", Doc: "exponent of Benzeggagh and Kenane for fracture in a mixed mode"},
	{Name: "softening", Kind: tables.Word, Words: cohesive.Curves(), Default: `"linear"`, Doc: "how the traction falls as a crack opens: " + tables.Quoted(cohesive.Curves()) + "; all dissipate the given energy"},
	{Name: "bedding", Kind: tables.Table, Default: "-", Sub: &beddingBlock, Doc: beddingDoc},
	{Name: "opening_rate", Kind: tables.Table, Default: "-", Sub: &rateBlock, Doc: "growth of strength and energy with the speed of opening, see below"},
	{Name: "scatter", Kind: tables.Table, Default: "-", Sub: &scatterBlock, Doc: "random distribution of strength and energies from point to point, see below"},
	{Name: "stiffness", Kind: tables.Quantity, Bounds: tables.Bounds{Rule: "must be above 0 and at most 10000", Keep: func(v float64) bool { return v > 0 && v <= 1e4 }}, Default: "2", Doc: "stiffness of closed cracks, relative to that of the elements. It reduces the time step to 1/sqrt(1 + stiffness) of that of the whole bodies, where faces slide to 1/sqrt(1 + 1.25 stiffness)"},
}}

var atLeastOne = tables.Bounds{Rule: "must be at least 1", Keep: func(v float64) bool { return v >= 1 }}

var scatterBlock = tables.Block{Name: "fracture.scatter", Doc: "Factors on strength and energies that differ from point to point, by Weibull's distribution with the mean 1.", Keys: []tables.Key{
	{Name: "weibull", Kind: tables.Quantity, Bounds: atLeastOne, Default: "-", Doc: "Weibull's modulus of the strength, with one factor for tension and cohesion; this or energy_weibull must be given"},
	{Name: "energy_weibull", Kind: tables.Quantity, Bounds: atLeastOne, Default: "-", Doc: "Weibull's modulus of the fracture energies, with one factor for tension and shear; without it they do not scatter"},
	{Name: "correlation", Kind: tables.Quantity, Bounds: fromMinusOne, Default: "0", With: []tables.With{tables.If("energy_weibull")}, Doc: "correlation of energies with strengths: with 1 weak edges are brittle, with -1 tough"},
	{Name: "length", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "-", Doc: "correlation length, over which the factors are similar; without it the edges are independent"},
	{Name: "seed", Kind: tables.Whole, Bounds: tables.Within(0, 1<<31-1), Default: "1", Doc: "seed of the random numbers; another seed gives another body"},
}}

// inMotion is the condition of all keys of fracture.
var inMotion = tables.With{Of: "type", Is: tables.InTime.Is, Why: "a static analysis has no cracks"}

func (d *Deck) readFracture(t *tables.Reader) {
	f := fracturing{Reader: t, on: t.Text("on"), in: t.Names("in", 0), pair: t.Names("pair", 2)}
	if !t.Has("in") && !t.Has("on") && !t.Has("pair") {
		t.Bad("in", `in is missing: say where bodies break, for instance in = ["plate"], or on = "a curve", or pair = ["plate", "skin"]`)
	}
	p := cohesive.Parameters{
		TensileStrength: t.Number("tensile_strength"), Cohesion: t.Number("cohesion"), Friction: t.Number("friction"),
		EnergyTension: t.Number("energy_tension"), EnergyShear: t.Number("energy_shear"), Mixed: t.Number("mixed"),
		Softening: t.Word("softening"),
	}
	f.stiffness = t.Number("stiffness")
	s := t.Sub("scatter")
	s.Check(nil)
	f.scatter = cohesive.Scatter{Modulus: s.Number("weibull"), Length: s.Number("length"), Seed: uint64(s.Whole("seed")), Energy: s.Number("energy_weibull")}
	if s.Has("energy_weibull") {
		f.scatter.Correlation = s.Number("correlation")
	}
	if t.Has("scatter") && !s.Has("weibull") && !s.Has("energy_weibull") {
		t.Bad("scatter", `scatter needs "weibull", Weibull's modulus of the strength: for example weibull = 8`)
	}
	var err error
	if f.law, err = cohesive.New(p); err != nil {
		t.Bad("tensile_strength", "%v", err)
	}
	f.law.Rate = t.OpeningRate()
	f.addBedding(p)
	d.fractures = append(d.fractures, f)
}

// excavated tells which triangles are excavated, nil for none.
func (r *resolver) excavated() []bool {
	if len(r.excavating) == 0 {
		return nil
	}
	names := r.excavatedBodies()
	out := make([]bool, len(r.mesh.Triangles))
	for i := range r.mesh.Bodies {
		if b := &r.mesh.Bodies[i]; slices.Contains(names, b.Name) {
			for t := b.First; t < b.End; t++ {
				out[t] = true
			}
		}
	}
	return out
}

// withNodes finds which edges of triangles can break and by which block, and
// makes room in the mesh for the nodes that cracks will add. A block on a curve
// or of a pair comes before blocks in bodies. Nodes of beams do not split.
func (r *resolver) withNodes() *model.Fracture {
	if len(r.fractures) == 0 {
		return nil
	}
	f := &model.Fracture{Edges: fracture.Interior(r.mesh.Triangles), Leaves: r.excavated()}
	m := r.mesh
	of := make([]int32, len(m.Triangles)) // the body of each triangle
	for i, b := range m.Bodies {
		for t := b.First; t < b.End; t++ {
			of[t] = int32(i)
		}
	}
	beam := make([]bool, len(m.X))
	for _, b := range m.Beams {
		beam[b[0]], beam[b[1]] = true, true
	}
	for i := range r.fractures {
		r.claim(f.Edges, int32(i), of, beam, f.Leaves)
	}
	for i := range r.fractures {
		b := &r.fractures[i]
		if b.strengthless {
			r.giveFrictionLaw(b, f.Edges, int32(i), of)
		}
		r.giveDirection(b, f.Edges, int32(i), of)
		f.Regions, f.Joints = append(f.Regions, fracture.Region{Law: b.law, Bedding: b.bedding, Stiffness: b.stiffness, Prescribed: b.in == nil, Springs: b.springs}), append(f.Joints, b.strengthless)
		f.Sizes = append(f.Sizes, r.brittleness(b, f.Edges, int32(i), of))
	}
	r.breaks = map[int32]bool{}
	for i := range f.Edges {
		if e := &f.Edges[i]; e.Region >= 0 {
			r.breaks[of[e.A]], r.breaks[of[e.B]] = true, true
		}
	}
	f.Pages = fracture.NewPages(fracture.Capacity(len(m.X), m.Triangles, f.Edges, f.Leaves))
	for i := range f.Edges {
		e := &f.Edges[i]
		e.From, e.To = f.Pages.Numbers[e.From], f.Pages.Numbers[e.To]
	}
	r.mesh = m.WithRoom(f.Pages.Numbers, f.Pages.Nodes)
	r.nodes = r.mesh.X
	lined := map[int32]int32{}
	for wall, own := range r.lined {
		lined[f.Pages.Numbers[wall]] = f.Pages.Numbers[own]
	}
	r.lined = lined
	return f
}

// claim gives region i the edges named by its block. of is the body of each triangle,
// beam tells which nodes are of beams, leaves which triangles are excavated.
func (r *resolver) claim(edges []fracture.Edge, i int32, of []int32, beam, leaves []bool) {
	b := &r.fractures[i]
	on, bodies := r.breaksOn(b)
	found, excavated := 0, false
	held, at := 0, r2.Vec{}
	for k := range edges {
		e := &edges[k]
		p, q := of[e.A], of[e.B]
		here := on[[2]int32{min(e.From, e.To), max(e.From, e.To)}]
		if b.on == "" {
			here = slices.Contains(bodies, p) && slices.Contains(bodies, q) && (b.in != nil || p != q)
		}
		if !here {
			continue
		}
		if beam[e.From] || beam[e.To] {
			if held++; held == 1 && beam[e.From] {
				at = r.mesh.X[e.From]
			} else if held == 1 {
				at = r.mesh.X[e.To]
			}
			continue
		}
		if leaves != nil && (leaves[e.A] || leaves[e.B]) {
			excavated = true
			continue
		}
		found++
		if e.Region >= 0 {
			other := &r.fractures[e.Region]
			if (other.in == nil) == (b.in == nil) {
				x := r.mesh.X[e.From]
				b.Bad(b.where(), "the edge from (%.6g, %.6g) m belongs to another [[fracture]] or [[joint]] already: name each edge in one block", x.X, x.Y)
			}
			if b.in != nil {
				continue
			}
		}
		e.Region = i
		a, c := r.mesh.X[e.From], r.mesh.X[e.To]
		from, to, x, y := int64(r.mesh.NodeID[e.From]), int64(r.mesh.NodeID[e.To]), 0.5*(a.X+c.X), 0.5*(a.Y+c.Y)
		e.Strength, e.Energy = b.scatter.At(from, to, x, y), b.scatter.EnergyAt(from, to, x, y)
	}
	if held > 0 && found > 0 {
		r.warn("%s: %d of its %d edges end at nodes of beams, the first at (%.6g, %.6g) m, and never open: the body cannot break there, whatever the force and however thin the beam. Let a beam end before a joint, with a [[spring]] across it for a bolt", b.Title, held, held+found, at.X, at.Y)
	}
	if found == 0 {
		reason := ""
		if held > 0 {
			reason = ", except at nodes of beams, where a body cannot break"
		} else if excavated {
			reason = ", since a body that will be excavated does not break"
		} else if on != nil {
			reason = "; for sides that the mesh already separates, or a gap, use a [[contact]] with self = true"
		}
		b.Bad(b.where(), "no edge between two triangles lies there, so nothing can break%s", reason)
	}
}

// breaksOn returns the lines of the curve that a block names, or its bodies.
func (r *resolver) breaksOn(b *fracturing) (on map[[2]int32]bool, bodies []int32) {
	if b.on != "" {
		g := r.group(b.Reader, "on", b.on)
		if g.Dim != 1 {
			b.Bad("on", "%q is a %s of the mesh, not a curve: for a body that can break everywhere use a [[fracture]] with in = [\"plate\"]", b.on, groupKinds[g.Dim])
		}
		on = linesOf(g)
	}
	for _, name := range slices.Concat(b.in, b.pair) {
		k := slices.Index(r.BodyNames(), name)
		if k < 0 {
			key := "in"
			if b.pair != nil {
				key = "pair"
			}
			b.Bad(key, "there is no body %q of triangles%s", name, tables.Nearest(name, r.BodyNames()))
		}
		bodies = append(bodies, int32(k))
	}
	return on, bodies
}

// maxEdgeOverZone is the greatest ratio of edge to cohesive zone at which the zone is
// resolved.
const maxEdgeOverZone = 1.0 / 3

// brittleness checks region i, whose edges are between triangles of the given
// bodies. It warns of a mesh that does not resolve the cohesive zone.
func (r *resolver) brittleness(b *fracturing, edges []fracture.Edge, i int32, of []int32) model.FractureSize {
	size := model.FractureSize{Where: strings.Join(slices.Concat(b.in, b.pair), ", ") + b.on, Length: math.Inf(1), Time: math.Inf(1)}
	shortest := math.Inf(1)
	for k := range edges {
		e := &edges[k]
		if e.Region != i {
			continue
		}
		size.Breakable++
		shortest = min(shortest, elementary.Norm(r2.Sub(r.mesh.X[e.To], r.mesh.X[e.From])))
		size.Edge = max(size.Edge, elementary.Norm(r2.Sub(r.mesh.X[e.To], r.mesh.X[e.From])))
		m := &r.model.Materials[r.bodies[of[e.A]].Material]
		young := m.Young
		if r.model.Plane == bulk.PlaneStrain {
			young /= 1 - float64(m.Poisson*m.Poisson)
		}
		for _, law := range b.laws() {
			strength, energy := law.Strength.Tension, law.Energy.Tension
			size.Length = min(size.Length, cohesive.Length(young, energy, strength))
			size.Time = min(size.Time, cohesive.Time(m.Density, math.Sqrt(young/m.Density), energy, strength))
		}
	}
	size.Zone = cohesive.Zone(size.Length)
	r.warnBedding(b)
	r.warnScatter(b, edges, i, shortest)
	if s := b.springs; s != nil && s.Dilation > 0 && s.Until > fracture.Opposite*shortest {
		r.warn("%s: faces dilate only up to a slip of a quarter of their edge, which is %.3g mm on the shortest edge, less than dilation_until, %.3g mm: for the whole dilation take edges of at least %.3g mm on the joint", b.Title, 250*shortest, 1e3*s.Until, 4e3*s.Until)
	}
	if !b.strengthless && size.Breakable > 0 && size.Edge > maxEdgeOverZone*size.Zone {
		r.warn("fracture of %q: edges of up to %.3g mm do not resolve the cohesive zone, which is %.3g mm long, so that peak loads are too high: take edges of at most a third of it", size.Where, 1e3*size.Edge, 1e3*size.Zone)
	}
	return size
}

// warnScatter warns of a correlation length of scatter that the edges of region i cannot
// resolve, or that is so long that its bodies differ only by one factor.
func (r *resolver) warnScatter(b *fracturing, edges []fracture.Edge, i int32, shortest float64) {
	length := b.scatter.Length
	if length == 0 || math.IsInf(shortest, 1) {
		return
	}
	low, high := r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for k := range edges {
		if e := &edges[k]; e.Region == i {
			for _, n := range [2]int32{e.From, e.To} {
				x := r.mesh.X[n]
				low, high = r2.Vec{X: min(low.X, x.X), Y: min(low.Y, x.Y)}, r2.Vec{X: max(high.X, x.X), Y: max(high.Y, x.Y)}
			}
		}
	}
	switch size := elementary.Norm(r2.Sub(high, low)); {
	case length < shortest:
		r.warn("%s: scatter: length is %.3g mm, shorter than the shortest edge, %.3g mm, so that it has no effect: edges are independent", b.Title, 1e3*length, 1e3*shortest)
	case length > size:
		r.warn("%s: scatter: length is %.4g mm, and all that can break is %.4g mm across, so that its strength is nearly uniform: the seed makes it weaker or stronger as a whole", b.Title, 1e3*length, 1e3*size)
	}
}

// laws returns the laws of planes across the bedding and along it, or the single
// law without bedding.
func (f *fracturing) laws() []*cohesive.Law {
	if f.bedding == nil {
		return []*cohesive.Law{f.law}
	}
	return []*cohesive.Law{f.bedding.Across, f.bedding.Along}
}

// where returns the key that gives the block's location, with its value.
func (f *fracturing) where() string {
	switch {
	case f.in != nil:
		return "in"
	case f.pair != nil:
		return "pair"
	}
	return "on"
}
