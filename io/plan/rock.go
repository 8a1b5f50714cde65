package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fdem/io/gmsh"
	"fdem/io/tables"
	"fdem/io/traces"
	"fdem/materials/elementary"
	"fdem/mesh/network"

	"gonum.org/v1/gonum/spatial/r2"
)

// Blocks of a shapes file that put joints, grains and layers into a rectangle or a convex
// polygon, which Gmsh then meshes.
var (
	rockIn    = tables.Key{Name: "in", Kind: tables.Text, Example: `"rock"`, Doc: "name of the rectangle or polygon"}
	rockName  = tables.Key{Name: "name", Kind: tables.Text, Example: `"bedding"`, Doc: "name of their curve in the mesh, for [[joint]] or [[fracture]]"}
	oneTurn   = tables.Bounds{Rule: `must be within one turn; plain numbers are radians, degrees are written "30 deg"`, Keep: func(v float64) bool { return math.Abs(v) <= 2*math.Pi*(1+1e-12) }}
	rockAngle = tables.Key{Name: "angle", Kind: tables.Quantity, Angle: true, Bounds: oneTurn, Default: "0", Doc: "angle of the lines against x, anticlockwise, \"30 deg\"; plain numbers are radians"}
	noMean    = tables.Unless("exponent", "a power law has shortest and longest")

	jointsBlock = &tables.Block{Name: "joints", Many: true, Keys: []tables.Key{rockName, rockIn,
		{Name: "angle", Kind: tables.Quantity, Angle: true, Bounds: oneTurn, Example: `"30 deg"`, Doc: "mean orientation against x, anticlockwise; plain numbers are radians"},
		{Name: "kappa", Kind: tables.Quantity, Bounds: tables.NotNegative, Else: "all have the same angle", Doc: "concentration of von Mises' distribution of the doubled angle; 0 is uniform over all directions"},
		{Name: "length", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"0.5 m"`, With: []tables.With{noMean}, Doc: "length of each joint, or the mean length with a deviation"},
		{Name: "deviation", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "-", With: []tables.With{noMean}, Doc: "standard deviation of lognormal lengths"},
		{Name: "exponent", Kind: tables.Quantity, Bounds: tables.Positive, Default: "-", Doc: "exponent a of lengths by a power law, with the density L^-a"},
		{Name: "shortest", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "-", Doc: "least length by a power law or a lognormal distribution"},
		{Name: "longest", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "-", Doc: "greatest length by a power law or a lognormal distribution"},
		{Name: "p21", Kind: tables.Quantity, Dim: tables.Dimension{Length: -1}, Bounds: tables.Positive, Example: `"3 1/m", or p20 = ...`, With: []tables.With{tables.Unless("p20", "one of them gives the number of joints")}, Doc: "total length per area"},
		{Name: "p20", Kind: tables.Quantity, Dim: tables.Dimension{Length: -2}, Bounds: tables.Positive, Default: "-", Doc: "number per area"},
		{Name: "termination", Kind: tables.Quantity, Bounds: tables.Within(0, 1), Default: "0", Doc: "fraction of the crossings with joints of blocks above at which a joint of this block ends"},
		{Name: "seed", Kind: tables.Whole, Bounds: tables.Within(0, math.MaxInt32), Default: "1"},
	}}
	tracesBlock = &tables.Block{Name: "traces", Many: true, Keys: []tables.Key{rockName, rockIn,
		{Name: "file", Kind: tables.Text, Example: `"traces.csv"`, Doc: "DXF, GeoJSON, WKT or CSV. A table has both ends of a trace in each row (columns x1, y1, x2 and y2, or names like START_X), a geometry (LINESTRING), or a vertex with the id of its line, in the unit, or with units of their own. Of a DXF all that is visible in model space is read; arcs and splines become chords"},
		{Name: "unit", Kind: tables.Text, Default: `"m"`, Doc: "unit of the coordinates"},
		{Name: "layers", Kind: tables.List, Example: `["joints", "faults"]`, Default: "-", Doc: "the layers that are read; those that are off, too, where they are named here"},
		{Name: "columns", Kind: tables.List, Example: `["xs", "ys", "xe", "ye"]`, Default: "-", Doc: "columns of a CSV table for x and y of both ends, where they have other names"},
	}}
	grainsBlock = &tables.Block{Name: "grains", Many: true, Keys: []tables.Key{rockName, rockIn,
		{Name: "size", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"5 mm"`, Doc: "mean size of a grain: the root of its area"},
		{Name: "even", Kind: tables.Whole, Bounds: tables.Within(0, 1000), Default: "10", Doc: "number of times that seeds are moved to the centroids of their grains; 0 gives grains of very different sizes"},
		{Name: "seed", Kind: tables.Whole, Bounds: tables.Within(0, math.MaxInt32), Default: "1"},
	}}
	layersBlock = &tables.Block{Name: "layers", Many: true, Keys: []tables.Key{
		{Name: "name", Kind: tables.Text, Example: `"bedding"`, Doc: "name of the curve between layers"}, rockIn, rockAngle,
		{Name: "thickness", Kind: tables.List, Dim: tables.Length, Example: `["2 m", "1 m"]`, Doc: "thicknesses of the layers from below, repeated until the region is full"},
		{Name: "bodies", Kind: tables.List, Default: "-", Doc: "names of the layers' bodies, one for each thickness; without them all layers belong to the body"},
	}}
	holeBlock = &tables.Block{Name: "hole", Many: true, Keys: []tables.Key{
		{Name: "name", Kind: tables.Text, Example: `"wall"`, Doc: "name of the curve around the hole"}, rockIn,
		{Name: "radius", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"1 m"`, With: []tables.With{tables.Unless("corners", "a round hole has no corners")}, Doc: "centre of a round hole"},
		{Name: "centre", Kind: tables.Pair, Dim: tables.Length, Example: `["5 m", "3 m"]`, With: []tables.With{tables.Unless("corners", "a round hole has no corners")}},
		{Name: "corners", Kind: tables.List, Dim: tables.Length, Default: "-", Doc: "corners of any other hole, in order"},
		{Name: "body", Kind: tables.Text, Default: "-", Doc: "name of the body that fills the hole, for [[excavate]]; without it the hole is empty"},
	}}
	rockSchema = []*tables.Block{holeBlock, layersBlock, grainsBlock, tracesBlock, jointsBlock}
)

// Rock is a region of a shapes file with its joints, grains and layers.
type Rock struct {
	gmsh.Rock
	Name   string
	Region network.Region
	Area   float64     // area without holes [m2]
	Asked  []Intensity // by set
	layers []patch
	holes  []patch
}

// patch is a body of the rock with its region. A hole without a name is empty.
type patch struct {
	name string
	network.Region
}

// Intensity is the required intensity of a set: P21 [1/m] or P20 [1/m2], 0 for
// none.
type Intensity struct {
	P21, P20 float64
	Angle    float64 // mean orientation [rad]
	Drawn    int     // traces in the region
	Middles  int     // traces whose middles are in the region
	From     string  // text about the part of a file's traces in the region
}

// rocks reads the layers, grains, traces and joints of the regions of some bodies, in
// this order. known has the names of every rectangle and polygon.
func rocks(top *tables.Reader, regions []region, known []string) (out []Rock) {
	blocks := map[string][]*tables.Reader{} // by body
	for _, b := range rockSchema {
		for _, t := range top.Blocks(b) {
			t.Check(nil)
			in := t.Text("in")
			if !slices.ContainsFunc(regions, func(r region) bool { return r.name == in }) {
				t.Bad("in", "there is no [[rectangle]] or [[polygon]] %q%s", in, tables.Nearest(in, known))
			}
			blocks[in] = append(blocks[in], t)
		}
	}
	for _, r := range regions {
		if len(blocks[r.name]) > 0 {
			out = append(out, r.filled(blocks[r.name]))
		}
	}
	return out
}

// region is a rectangle or a polygon of a shapes file.
type region struct {
	name  string
	edge  float64
	sides []string
	network.Region
	at *tables.Reader
}

// grains divides the region into grains and returns their sides.
func (r region) grains(t *tables.Reader, set int32) []network.Trace {
	if size := t.Number("size"); size < r.edge {
		t.Bad("size", "grains of %g m are smaller than the elements of %g m: take larger grains or a smaller edge", size, r.edge)
	}
	grains, err := network.Grains(r.Region, t.Number("size"), t.Whole("even"), uint64(t.Whole("seed")), set)
	if err != nil {
		t.Bad("size", "%v", err)
	}
	return grains
}

// count counts a trace if it lies in the rock, and its middle if that does.
func (i *Intensity) count(k network.Trace, rock *Rock) {
	if !(rock.empty(k.A) && rock.empty(k.B)) {
		i.Drawn++
	}
	if rock.Region.Holds(k.Middle) && !rock.empty(k.Middle) {
		i.Middles++
	}
}

// filled puts the blocks into the region.
func (r region) filled(blocks []*tables.Reader) Rock {
	out := Rock{Rock: gmsh.Rock{Sides: r.sides, Edge: r.edge}, Name: r.name, Region: r.Region}
	var all []network.Trace
	straight := 0 // number of sets that stay straight
	layered := false
	for _, t := range blocks {
		set := int32(len(out.Sets))
		out.Sets = append(out.Sets, t.Text("name"))
		asked := Intensity{Angle: 0.5 * math.Pi} // from 0 to 180 degrees
		before := len(all)
		switch t.Block {
		case holeBlock:
			straight++
			all = append(all, r.hole(t, &out, set)...)
		case layersBlock:
			if layered {
				t.Bad("in", "%q has layers already", r.name)
			}
			straight, layered = straight+1, true
			all = append(all, r.layers(t, &out, set)...)
		case grainsBlock:
			all = append(all, r.grains(t, set)...)
		case tracesBlock:
			read, from := r.traces(t, set)
			all, asked.From = append(all, read...), from
		case jointsBlock:
			s := readJoints(t)
			asked.P21, asked.P20, asked.Angle = s.P21, s.P20, s.Mean
			var err error
			if all, err = r.drawn(&out, s, all, set, straight); err != nil {
				t.Bad(cmp.Or(map[bool]string{true: "p21"}[s.P21 > 0], "p20"), "%v", err)
			}
		}
		if t.Block == layersBlock {
			asked.Angle = t.Number("angle")
		}
		for _, k := range all[before:] {
			if t.Block != jointsBlock && t.Block != tracesBlock {
				k.Middle = elementary.Between(k.A, k.B, 0.5)
			}
			asked.count(k, &out)
		}
		t.Done()
		out.Asked = append(out.Asked, asked)
	}
	out.Graph = network.Build(r.Region, all, len(out.Sets), straight, 0.5*r.edge)
	out.Faces, out.Area = out.Graph.Excavate(int32(straight), out.empty)
	for i := range out.Faces {
		out.Bodies = append(out.Bodies, out.body(out.Faces[i].Inside))
	}
	if len(out.Faces) == 0 {
		r.at.Bad("name", "nothing of %q is left between its holes", r.name)
	}
	return out
}

// empty tells whether a point lies in a hole with nothing in it.
func (r *Rock) empty(x r2.Vec) bool {
	return slices.ContainsFunc(r.holes, func(h patch) bool { return h.name == "" && h.Encloses(x) })
}

// body returns the body at a point.
func (r *Rock) body(x r2.Vec) string {
	for _, p := range append(slices.Clone(r.holes), r.layers...) {
		if p.Encloses(x) {
			return p.name
		}
	}
	return r.Name
}

// drawn adds the joints of a set. Joints are omitted if they meet too sharply or are too
// near. With an intensity by length further joints are drawn until the remaining ones
// reach it.
func (r region) drawn(out *Rock, s network.Set, there []network.Trace, set int32, straight int) ([]network.Trace, error) {
	const rounds, near = 6, 0.01
	asked := s.P21
	if most := 0.5 / r.edge; asked > most {
		return nil, fmt.Errorf("joints of %g m per m2 are %.3g m apart, too close for elements of %g m: take at most %.3g 1/m or a smaller edge", asked, 1/asked, r.edge, most)
	}
	for round := 0; ; round++ {
		all, err := s.Draw(r.Region, there[:len(there):len(there)], set)
		if err != nil || asked == 0 || round == rounds {
			return all, err
		}
		g := network.Build(r.Region, all, int(set)+1, straight, 0.5*r.edge)
		_, area := g.Excavate(int32(straight), out.empty)
		got := g.Length(set) / max(area, 1e-300)
		if math.Abs(got-asked) <= near*asked {
			return all, nil
		}
		s.P21 *= min(2, asked/max(got, 1e-3*asked))
	}
}

func readJoints(t *tables.Reader) network.Set {
	s := network.Set{Mean: t.Number("angle"), Kappa: math.Inf(1), P21: t.Number("p21"), P20: t.Number("p20"), Termination: t.Number("termination"), Seed: uint64(t.Whole("seed"))}
	if t.Has("kappa") {
		s.Kappa = t.Number("kappa")
	}
	l := network.Lengths{Kind: "constant", Mean: t.Number("length"), Deviation: t.Number("deviation"), Exponent: t.Number("exponent"), Min: t.Number("shortest"), Max: t.Number("longest")}
	switch {
	case l.Exponent > 0:
		l.Kind = "power"
		t.Need("shortest", `"0.1 m"`)
		t.Need("longest", `"10 m"`)
	case l.Deviation > 0:
		l.Kind = "lognormal"
		if l.Min > l.Mean || l.Max > 0 && l.Max < l.Mean {
			t.Bad("length", "the mean length must lie between shortest and longest")
		}
	case t.Has("shortest") || t.Has("longest"):
		t.Bad("length", "shortest and longest go with an exponent or a deviation: joints of a single length have neither")
	}
	if l.Max > 0 && l.Min >= l.Max {
		t.Bad("longest", "longest must be above shortest")
	}
	s.Lengths = l
	return s
}

// hole reads a hole and returns its outline in the region.
func (r region) hole(t *tables.Reader, out *Rock, set int32) []network.Trace {
	p := network.Region(PolygonOf(t))
	if p == nil {
		radius := t.Number("radius")
		if radius < r.edge {
			t.Bad("radius", "a hole of radius %g m in elements of %g m is not round: take a larger hole or a smaller edge", radius, r.edge)
		}
		p = network.Round(t.Vector("centre"), radius, r.edge)
	} else {
		if len(p) < 3 {
			t.Bad("corners", "a hole needs at least three corners, got %d", len(p))
		}
		if err := p.Simple(r.edge); err != nil {
			t.Bad("corners", "%v", err)
		}
		if p.Area() < 0 {
			slices.Reverse(p)
		}
	}
	outline := p.Outline(r.Region, set)
	if outline == nil {
		t.Bad("in", "the hole lies outside of %q or contains all of it", r.name)
	}
	out.holes = append(out.holes, patch{t.Text("body"), p})
	return outline
}

// readLayers reads the thicknesses of layers and the names of their bodies,
// which must be as many if given.
func readLayers(t *tables.Reader) (thickness []float64, names []string) {
	for _, v := range t.List("thickness", 0) {
		h := t.Value("thickness", v, tables.Length)
		if !(h > 0) {
			t.Bad("thickness", "a thickness must be positive, got %g m", h)
		}
		thickness = append(thickness, h)
	}
	if len(thickness) == 0 {
		t.Bad("thickness", "thickness must list the thickness of the layers, [\"2 m\", \"1 m\"]")
	}
	for _, v := range t.List("bodies", 0) {
		name, ok := v.(string)
		if !ok || name == "" {
			t.Bad("bodies", "bodies must be names, got %s", tables.Describe(v))
		}
		names = append(names, name)
	}
	if names != nil && len(names) != len(thickness) {
		t.Bad("bodies", "there are %d thicknesses and %d names of bodies", len(thickness), len(names))
	}
	return thickness, names
}

// layers divides the region into layers and returns the lines between them.
func (r region) layers(t *tables.Reader, out *Rock, set int32) (lines []network.Trace) {
	thickness, names := readLayers(t)
	angle := t.Number("angle")
	along := r2.Vec{X: elementary.Cos(angle), Y: elementary.Sin(angle)}
	up := r2.Vec{X: -along.Y, Y: along.X}
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range r.Region {
		low, high = min(low, elementary.Dot(up, x)), max(high, elementary.Dot(up, x))
	}
	long := 0.0
	for _, x := range r.Region {
		long = max(long, elementary.Norm(r2.Sub(x, r.Region[0])))
	}
	reach := float64(2*long) + math.Abs(elementary.Dot(along, r.Region[0]))
	for k, at := 0, low; at < high; k++ {
		h := thickness[k%len(thickness)]
		if k > 10_000 {
			t.Bad("thickness", "more than 10,000 layers: take a greater thickness")
		}
		above, below := r2.Vec{X: float64(at * up.X), Y: float64(at * up.Y)}, r2.Vec{X: float64((at + h) * up.X), Y: float64((at + h) * up.Y)}
		layer := r.Region
		if k > 0 {
			layer = layer.Beyond(above, along)
		}
		if at+h < high {
			layer = layer.Beyond(below, r2.Scale(-1, along))
			line, ok := r.Region.Cut(network.Trace{A: elementary.Along(below, along, -reach), B: elementary.Along(below, along, reach), Set: set})
			if ok {
				lines = append(lines, line)
			}
		}
		if name := r.name; layer != nil {
			if names != nil {
				name = names[k%len(names)]
			}
			out.layers = append(out.layers, patch{name, layer})
		}
		at += h
	}
	return lines
}

// traces reads a file of traces and cuts them to the region. It returns a text about the
// part that lies in the region.
func (r region) traces(t *tables.Reader, set int32) (out []network.Trace, from string) {
	scale, err := tables.ParseScale(t.Text("unit"), tables.Length, nil)
	if err != nil {
		t.Bad("unit", "%v", err)
	}
	path := tables.Beside(t.File, t.Text("file"))
	file, err := traces.Read(path, traces.Options{Scale: scale, Layers: words(t, "layers", 0), Columns: words(t, "columns", 4), Chord: 0.05 * r.edge,
		Length: func(text string) (float64, error) {
			if v, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
				return v * scale, nil
			}
			return tables.ParseQuantity(text, tables.Length)
		}})
	if err != nil {
		t.Bad("file", "%v", err)
	}
	read := file.Traces
	notes := append(file.Notes, r.shifted(read)...)
	seen := false
	for _, k := range read {
		if k, ok := r.Cut(network.Trace{A: k[0], B: k[1], Set: set, Middle: elementary.Between(k[0], k[1], 0.5)}); ok {
			out, seen = append(out, k), seen || k.Length() >= 0.5*r.edge
		}
	}
	share, meant := r.share(read, 1), r.unitSuggestion(read, scale)
	switch {
	case len(out) == 0:
		t.Bad("file", "none of the %d traces of %s lies in %q%s", len(read), path, r.name, meant)
	case !seen:
		t.Bad("file", "none of the %d traces of %s has a length in %q of at least half of the edge of %g m%s", len(read), path, r.name, r.edge, meant)
	}
	const doubtful = 0.1
	from = fmt.Sprintf(" of %d in the file", len(read))
	if share < doubtful && meant != "" {
		from += fmt.Sprintf(" with %.2g %% of their length%s", 100*share, meant)
	}
	if len(notes) > 0 {
		from += fmt.Sprintf(" (%s)", strings.Join(notes, "; "))
	}
	return out, from
}

// words returns a list of n names, any number for 0.
func words(t *tables.Reader, key string, n int) (out []string) {
	if !t.Has(key) {
		return nil
	}
	for _, v := range t.List(key, n) {
		name, ok := v.(string)
		if !ok || name == "" {
			t.Bad(key, "%s must be names, got %s", key, tables.Describe(v))
		}
		out = append(out, name)
	}
	return out
}

// shifted moves traces whose coordinates are far from the origin, as those of maps are, to
// the region, if all of them lie outside of it: by the roundest number by which they come to
// lie within, or else corner to corner. It returns what was done.
func (r region) shifted(read [][2]r2.Vec) []string {
	low, high := corners(read)
	here, end := r.Region[0], r.Region[0]
	for _, x := range r.Region {
		here, end = r2.Vec{X: min(here.X, x.X), Y: min(here.Y, x.Y)}, r2.Vec{X: max(end.X, x.X), Y: max(end.Y, x.Y)}
	}
	const far = 10 // distances from the origin over sizes
	size := max(high.X-low.X, high.Y-low.Y, end.X-here.X, end.Y-here.Y)
	outside := low.X > end.X || high.X < here.X || low.Y > end.Y || high.Y < here.Y
	if !outside || max(math.Abs(low.X), math.Abs(low.Y)) < far*size || high.X-low.X > far*(end.X-here.X) && high.Y-low.Y > far*(end.Y-here.Y) {
		return nil
	}
	by := r2.Vec{X: shift(low.X, high.X, here.X, end.X), Y: shift(low.Y, high.Y, here.Y, end.Y)}
	for i := range read {
		for k := range read[i] {
			read[i][k] = r2.Sub(read[i][k], by)
		}
	}
	return []string{fmt.Sprintf("its coordinates lie far from the origin: (%.10g, %.10g) m were subtracted", by.X, by.Y)}
}

// corners returns the least and the greatest coordinates of traces.
func corners(read [][2]r2.Vec) (low, high r2.Vec) {
	low, high = r2.Vec{X: math.Inf(1), Y: math.Inf(1)}, r2.Vec{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, k := range read {
		for _, x := range k {
			low, high = r2.Vec{X: min(low.X, x.X), Y: min(low.Y, x.Y)}, r2.Vec{X: max(high.X, x.X), Y: max(high.Y, x.Y)}
		}
	}
	return low, high
}

// shift returns what is subtracted from coordinates from low to high to lie from here to end.
func shift(low, high, here, end float64) float64 {
	if low >= here && high <= end {
		return 0
	}
	for unit := 1e9; unit >= 1; unit /= 10 {
		by := float64(math.Floor(low/unit) * unit)
		if low-by >= here && high-by <= end {
			return by
		}
	}
	return low - here
}

// unitSuggestion returns a text with the probable unit of the coordinates of traces, which
// were read in a unit of scale [m]. It is the longest unit in which most of their length
// lies in the region and can be meshed. The text is empty if the given unit is such a unit.
func (r region) unitSuggestion(read [][2]r2.Vec, scale float64) string {
	if r.share(read, 1) > 0.5 {
		return ""
	}
	for _, unit := range []string{"km", "m", "cm", "mm", "um"} {
		if to, err := tables.ParseScale(unit, tables.Length, nil); err == nil && r.share(read, to/scale) > 0.5 {
			return fmt.Sprintf(": its coordinates are probably in %s", unit)
		}
	}
	return ""
}

// share returns the fraction of the length of traces, scaled by a factor, that lies in
// the region in parts of at least half an edge.
func (r region) share(read [][2]r2.Vec, times float64) float64 {
	within, all := 0.0, 0.0
	for _, k := range read {
		whole := network.Trace{A: r2.Scale(times, k[0]), B: r2.Scale(times, k[1])}
		all += whole.Length()
		if k, ok := r.Cut(whole); ok && k.Length() >= 0.5*r.edge {
			within += k.Length()
		}
	}
	return within / all
}

// like returns the angle of an orientation that is nearest to another angle [rad].
func like(angle, other float64) float64 {
	return angle + float64(math.Pi*math.Round((other-angle)/math.Pi))
}

// Line returns a text about a set: the number of traces, the required and actual P20 and
// P21, and the mean orientation.
func (r *Rock) Line(set int) string {
	area := r.Area
	length := r.Graph.Length(int32(set))
	asked := r.Asked[set]
	text := fmt.Sprintf("%s: %d traces%s, P20 %.4g 1/m2 by middles", r.Sets[set], asked.Drawn, asked.From, float64(asked.Middles)/area)
	if asked.P20 > 0 {
		text += fmt.Sprintf(" (required %.4g)", asked.P20)
	}
	text += fmt.Sprintf(", P21 %.4g 1/m", length/area)
	if asked.P21 > 0 {
		text += fmt.Sprintf(" (required %.4g)", asked.P21)
	}
	angle, agreement := r.Graph.Mean(int32(set))
	angle = like(angle, asked.Angle)
	return text + fmt.Sprintf(", mean orientation %.1f degrees, resultant %.3f; %.3g %% of the length was left out, since it met others at too small an angle or lay too near", angle*180/math.Pi, agreement, 100*r.Graph.Lost[set]/(length+r.Graph.Lost[set]+1e-300))
}
