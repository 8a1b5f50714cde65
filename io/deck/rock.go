package deck

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"fdem/io/gmsh"
	"fdem/io/traces"
	"fdem/materials/elementary"
	"fdem/mesh/network"

	"gonum.org/v1/gonum/spatial/r2"
)

// Blocks of a shapes file that put joints, grains and layers into a rectangle or a convex
// polygon, which is meshed by Gmsh then.
var (
	rockIn    = Key{Name: "in", Kind: Text, Example: `"rock"`, Doc: "the rectangle or polygon"}
	rockName  = Key{Name: "name", Kind: Text, Example: `"bedding"`, Doc: "of the curve that they are in the mesh, for [[joint]] or [[fracture]]"}
	rockAngle = Key{Name: "angle", Kind: Quantity, Angle: true, Default: "0", Doc: "of the lines against x, anticlockwise, \"30 deg\""}
	noMean    = without("exponent", "a power law has shortest and longest")

	jointsBlock = &Block{Name: "joints", Many: true, Keys: []Key{rockName, rockIn,
		{Name: "angle", Kind: Quantity, Angle: true, Example: `"30 deg"`, Doc: "mean orientation against x, anticlockwise"},
		{Name: "kappa", Kind: Quantity, Bounds: notNegative, Else: "all have the angle", Doc: "concentration of von Mises' distribution of the doubled angle; 0 for every direction alike"},
		{Name: "length", Kind: Quantity, Dim: Length, Bounds: positive, Example: `"0.5 m"`, With: []With{noMean}, Doc: "of each, or the mean where there is a deviation"},
		{Name: "deviation", Kind: Quantity, Dim: Length, Bounds: positive, Default: "-", With: []With{noMean}, Doc: "standard deviation of lognormal lengths"},
		{Name: "exponent", Kind: Quantity, Bounds: positive, Default: "-", Doc: "a of lengths by a power law, of the density L^-a"},
		{Name: "shortest", Kind: Quantity, Dim: Length, Bounds: positive, Default: "-", Doc: "of lengths by a power law or lognormal"},
		{Name: "longest", Kind: Quantity, Dim: Length, Bounds: positive, Default: "-", Doc: "of lengths by a power law or lognormal"},
		{Name: "p21", Kind: Quantity, Dim: Dimension{Length: -1}, Bounds: positive, Example: `"3 1/m", or p20 = ...`, With: []With{without("p20", "one of them says how many")}, Doc: "length per area"},
		{Name: "p20", Kind: Quantity, Dim: Dimension{Length: -2}, Bounds: positive, Default: "-", Doc: "number per area"},
		{Name: "termination", Kind: Quantity, Bounds: Bounds{"must lie between 0 and 1", func(v float64) bool { return v >= 0 && v <= 1 }}, Default: "0", Doc: "share of the crossings with joints above at which one of these ends"},
		{Name: "seed", Kind: Whole, Bounds: within(0, math.MaxInt32), Default: "1"},
	}}
	tracesBlock = &Block{Name: "traces", Many: true, Keys: []Key{rockName, rockIn,
		{Name: "file", Kind: Text, Example: `"traces.csv"`, Doc: "a table with the columns x1, y1, x2 and y2, in metres or with units, or a .dxf with lines and polylines"},
		{Name: "unit", Kind: Text, Default: `"m"`, Doc: "of a DXF's coordinates"},
	}}
	grainsBlock = &Block{Name: "grains", Many: true, Keys: []Key{rockName, rockIn,
		{Name: "size", Kind: Quantity, Dim: Length, Bounds: positive, Example: `"5 mm"`, Doc: "of a grain: the root of its area, on the mean"},
		{Name: "even", Kind: Whole, Bounds: within(0, 1000), Default: "10", Doc: "how often seeds are moved to the middles of their grains: 0 for grains of very different sizes"},
		{Name: "seed", Kind: Whole, Bounds: within(0, math.MaxInt32), Default: "1"},
	}}
	layersBlock = &Block{Name: "layers", Many: true, Keys: []Key{
		{Name: "name", Kind: Text, Example: `"bedding"`, Doc: "of the curve between layers"}, rockIn, rockAngle,
		{Name: "thickness", Kind: List, Dim: Length, Example: `["2 m", "1 m"]`, Doc: "of the layers from below, again and again where there are fewer than fit"},
		{Name: "bodies", Kind: List, Default: "-", Doc: "names of the layers' bodies, as many as thicknesses; all belong to the body where there are none"},
	}}
	rockSchema = []*Block{layersBlock, grainsBlock, tracesBlock, jointsBlock}
)

// Rock is a region of a shapes file with what was put into it.
type Rock struct {
	gmsh.Rock
	Region network.Region
	Asked  []Intensity // by set
}

// Intensity is what a set was asked to have: P21 [1/m] or P20 [1/m2]; none where 0.
type Intensity struct {
	P21, P20 float64
	Drawn    int // traces in the region
}

// rocks reads what is put into the regions of some bodies, in the order of the file's
// kinds: layers, grains, traces, joints. known names every rectangle and polygon.
func rocks(top *table, regions []region, known []string) (out []Rock) {
	blocks := map[string][]*table{} // by body
	for _, b := range rockSchema {
		for _, t := range top.blocks(b) {
			t.check(nil)
			in := t.text("in")
			if !slices.ContainsFunc(regions, func(r region) bool { return r.name == in }) {
				t.bad("in", "there is no [[rectangle]] or [[polygon]] %q%s", in, nearest(in, known))
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
	at *table
}

// filled puts the blocks into the region.
func (r region) filled(blocks []*table) Rock {
	out := Rock{Rock: gmsh.Rock{Sides: r.sides, Edge: r.edge}, Region: r.Region}
	var all []network.Trace
	straight := 0
	for _, t := range blocks {
		set := int32(len(out.Sets))
		out.Sets = append(out.Sets, t.text("name"))
		var asked Intensity
		before := len(all)
		switch t.Block {
		case layersBlock:
			if straight > 0 {
				t.bad("in", "%q has layers already", r.name)
			}
			straight = 1
			all = append(all, r.layers(t, &out, set)...)
		case grainsBlock:
			if size := t.number("size"); size < r.edge {
				t.bad("size", "grains of %g m are smaller than the elements of %g m: larger grains, or a smaller edge", size, r.edge)
			}
			grains, err := network.Grains(r.Region, t.number("size"), t.whole("even"), uint64(t.whole("seed")), set)
			if err != nil {
				t.bad("size", "%v", err)
			}
			all = append(all, grains...)
		case tracesBlock:
			all = append(all, r.traces(t, set)...)
		case jointsBlock:
			s := readJoints(t)
			asked.P21, asked.P20 = s.P21, s.P20
			var err error
			if all, err = r.drawn(s, all, set, straight); err != nil {
				t.bad(cmp.Or(map[bool]string{true: "p21"}[s.P21 > 0], "p20"), "%v", err)
			}
		}
		asked.Drawn = len(all) - before
		t.done()
		out.Asked = append(out.Asked, asked)
	}
	if out.Layers == nil {
		out.Layers = []gmsh.Layer{{Name: r.name, Region: r.Region}}
	}
	out.Graph = network.Build(r.Region, all, len(out.Sets), straight, 0.5*r.edge)
	return out
}

// drawn adds the joints of a set. Some of their length falls away where joints meet too
// sharply or too near; with an intensity by length more are drawn until what stays has it.
func (r region) drawn(s network.Set, there []network.Trace, set int32, straight int) ([]network.Trace, error) {
	const rounds, near = 6, 0.01
	asked := s.P21
	if most := 0.5 / r.edge; asked > most {
		return nil, fmt.Errorf("joints of %g m on a square metre are %.3g m apart, and elements of %g m cannot follow them: at most %.3g 1/m, or a smaller edge", asked, 1/asked, r.edge, most)
	}
	for round := 0; ; round++ {
		all, err := s.Draw(r.Region, there[:len(there):len(there)], set)
		if err != nil || asked == 0 || round == rounds {
			return all, err
		}
		got := network.Build(r.Region, all, int(set)+1, straight, 0.5*r.edge).Length(set) / r.Area()
		if math.Abs(got-asked) <= near*asked {
			return all, nil
		}
		s.P21 *= min(2, asked/max(got, 1e-3*asked))
	}
}

func readJoints(t *table) network.Set {
	s := network.Set{Mean: t.number("angle"), Kappa: math.Inf(1), P21: t.number("p21"), P20: t.number("p20"), Termination: t.number("termination"), Seed: uint64(t.whole("seed"))}
	if t.has("kappa") {
		s.Kappa = t.number("kappa")
	}
	l := network.Lengths{Kind: "constant", Mean: t.number("length"), Deviation: t.number("deviation"), Exponent: t.number("exponent"), Min: t.number("shortest"), Max: t.number("longest")}
	switch {
	case l.Exponent > 0:
		l.Kind = "power"
		t.need("shortest", `"0.1 m"`)
		t.need("longest", `"10 m"`)
	case l.Deviation > 0:
		l.Kind = "lognormal"
		if l.Min > l.Mean || l.Max > 0 && l.Max < l.Mean {
			t.bad("length", "the mean length must lie between shortest and longest")
		}
	case t.has("shortest") || t.has("longest"):
		t.bad("length", "shortest and longest go with an exponent or a deviation: joints of one length have neither")
	}
	if l.Max > 0 && l.Min >= l.Max {
		t.bad("longest", "longest must be above shortest")
	}
	s.Lengths = l
	return s
}

// layers cuts the region into layers and returns the lines between them.
func (r region) layers(t *table, out *Rock, set int32) (lines []network.Trace) {
	var thickness []float64
	for _, v := range t.list("thickness", 0) {
		h := t.value("thickness", v, Length)
		if !(h > 0) {
			t.bad("thickness", "a thickness must be positive, got %g m", h)
		}
		thickness = append(thickness, h)
	}
	if len(thickness) == 0 {
		t.bad("thickness", "thickness must list the thickness of the layers, [\"2 m\", \"1 m\"]")
	}
	var names []string
	for _, v := range t.list("bodies", 0) {
		name, ok := v.(string)
		if !ok || name == "" {
			t.bad("bodies", "bodies must be names, got %s", describe(v))
		}
		names = append(names, name)
	}
	if names != nil && len(names) != len(thickness) {
		t.bad("bodies", "there are %d thicknesses and %d names of bodies", len(thickness), len(names))
	}
	angle := t.number("angle")
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
			t.bad("thickness", "more than 10,000 layers")
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
			out.Layers = append(out.Layers, gmsh.Layer{Name: name, Region: layer})
		}
		at += h
	}
	return lines
}

// traces reads a file of traces and cuts them to the region.
func (r region) traces(t *table, set int32) (out []network.Trace) {
	scale, err := ParseScale(t.text("unit"), Length, nil)
	if err != nil {
		t.bad("unit", "%v", err)
	}
	path := Beside(t.file, t.text("file"))
	read, err := traces.Read(path, scale, func(text string) (float64, error) { return ParseQuantity(text, Length) })
	if err != nil {
		t.bad("file", "%v", err)
	}
	for _, k := range read {
		if k, ok := r.Cut(network.Trace{A: k[0], B: k[1], Set: set}); ok {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		t.bad("file", "none of the %d traces of %s lies in %q", len(read), path, r.name)
	}
	return out
}

// Line says what a set has become: how many traces, P20 and P21 as asked for and as they
// are, the mean orientation.
func (r *Rock) Line(set int) string {
	area := r.Region.Area()
	length := r.Graph.Length(int32(set))
	asked := r.Asked[set]
	text := fmt.Sprintf("%s: %d traces, P20 %.4g 1/m2", r.Sets[set], asked.Drawn, float64(asked.Drawn)/area)
	if asked.P20 > 0 {
		text += fmt.Sprintf(" (asked %.4g)", asked.P20)
	}
	text += fmt.Sprintf(", P21 %.4g 1/m", length/area)
	if asked.P21 > 0 {
		text += fmt.Sprintf(" (asked %.4g)", asked.P21)
	}
	angle, agreement := r.Graph.Mean(int32(set))
	return text + fmt.Sprintf(", mean orientation %.1f degrees, resultant %.3f; %.3g %% of the length met too sharply or too near and fell away", angle*180/math.Pi, agreement, 100*r.Graph.Lost[set]/(length+r.Graph.Lost[set]+1e-300))
}
