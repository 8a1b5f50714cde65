package deck

import (
	"slices"

	"fdem/io/tables"
	"fdem/mesh"
	"fdem/solver/model"
	"fdem/solver/system"

	"gonum.org/v1/gonum/spatial/r2"
)

// The form of an initial stress determines its keys.
var (
	inDepth      = tables.Unless("stress", "stress gives all components")
	underDepth   = []tables.With{tables.If("surface"), inDepth}
	inMotionOnly = tables.With{Of: "type", Is: tables.InTime.Is, Why: "a static analysis releases it linearly until its end"}
)

var initialStressBlock = tables.Block{Name: "initial_stress", Many: true, Doc: "The stress in bodies at the start, as of rock in the ground: uniform, a function of the position, or growing with depth. Supports, loads and weight must balance it; fdem check prints the unbalanced rest.", Read: ofDeck((*Deck).readInitialStress), Keys: []tables.Key{
	{Name: "in", Kind: tables.List, Also: []tables.Kind{tables.Text}, Else: "all bodies of triangles", Doc: "bodies"},
	{Name: "stress", Kind: tables.List, Dim: tables.Pressure, Default: "-", Doc: "[xx, yy, xy], each uniform, or an expression of the position x and y in metres with its value in Pa: [\"-9810*(10 - y)\", ...]; compression is negative"},
	{Name: "surface", Kind: tables.Quantity, Dim: tables.Length, Default: "-", With: []tables.With{inDepth}, Doc: "instead of stress, the height y of the ground's surface, below which the vertical pressure grows"},
	{Name: "gradient", Kind: tables.Quantity, Dim: tables.Dimension{Mass: 1, Length: -2, Time: -2}, Bounds: tables.NotNegative, Else: "the body's density times gravity", With: underDepth, Doc: "growth of the vertical pressure with depth"},
	{Name: "overburden", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.NotNegative, Default: "0", With: underDepth, Doc: "vertical pressure at the surface"},
	{Name: "release", Kind: tables.Quantity, Dim: tables.Time, Bounds: tables.Positive, Default: "-", With: []tables.With{inMotionOnly}, Doc: "time within which unbalanced forces are released, smoothly, so that a hole that exists at the start is excavated slowly. Without it they are released at once; in a static analysis linearly until the end"},
	{Name: "k0", Kind: tables.Quantity, Bounds: tables.NotNegative, Default: "1", With: underDepth, Doc: "ratio of horizontal to vertical stress"},
}}

func (d *Deck) readInitialStress(t *tables.Reader) {
	in := t.Names("in", 0)
	constant := d.componentsOf(t, "stress", t.List("stress", 3), tables.Pressure)
	if constant == nil && !t.Has("surface") {
		t.Bad("in", `an initial stress has either stress = [xx, yy, xy], or surface, the height below which it grows with depth`)
	}
	var p model.InitialStress
	k0, grows, own := 0.0, 0.0, false
	if constant != nil {
		p.At.XX, p.At.YY, p.At.XY = constant[0].value, constant[1].value, constant[2].value
		p.Field = stressField(constant)
	} else {
		p.Level, p.At.YY, k0 = t.Number("surface"), -t.Number("overburden"), t.Number("k0")
		p.At.XX = k0 * p.At.YY
		if own = !t.Has("gradient"); !own {
			grows = t.Number("gradient")
		}
	}
	release := t.Number("release")
	d.stresses = append(d.stresses, stressing{t, in})
	d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
		switch {
		case m.Static != nil:
			m.Relief = func(at float64) float64 { return 1 - at/m.Static.Whole }
		case len(m.InitialStresses) > 0 && release != r.release:
			t.Bad("release", "all initial stresses are released together: say the same release in each of them")
		case release > 0:
			m.Relief = system.SmoothFade(release)
		}
		r.release = release
		if own && m.Gravity.Y >= 0 {
			t.Bad("surface", "without gradient the stress grows with depth by density times gravity, and gravity does not act downwards: say gravity = [0, \"-9.81 m/s2\"] in [analysis], or give gradient")
		}
		for _, k := range r.stressedBodies(t, in) {
			p := p
			p.Body = int32(k)
			of := &r.mesh.Bodies[k]
			if constant == nil {
				more := grows
				if own {
					more = -m.Materials[m.Bodies[k].Material].Density * m.Gravity.Y
				}
				p.More.XX, p.More.YY = -k0*more, -more
				if lo, hi := of.Extent(r.mesh); hi.Y > p.Level+float64(1e-9*(hi.Y-lo.Y)) {
					t.Bad("surface", "body %q reaches up to y = %g m, above the surface at %g m", of.Name, hi.Y, p.Level)
				}
			}
			for _, n := range r.mesh.Triangles[of.First:of.End] {
				for i := range constant {
					constant[i].check(t, "stress", centroid(r.mesh.X, n), tables.Pressure)
				}
			}
			m.InitialStresses = append(m.InitialStresses, p)
		}
	})
}

// stressField returns the part of a stress that is expressions of the position, nil
// for none.
func stressField(parts []component) func(x r2.Vec) (xx, yy, xy float64) {
	if !slices.ContainsFunc(parts, func(p component) bool { return p.at != nil }) {
		return nil
	}
	return func(x r2.Vec) (xx, yy, xy float64) {
		var v [3]float64
		for i := range parts {
			if f := parts[i].at; f != nil {
				v[i] = f(x)
			}
		}
		return v[0], v[1], v[2]
	}
}

// stressing is a block and its stressed bodies, nil for all.
type stressing struct {
	table *tables.Reader
	in    []string
}

// stressedBodies returns the numbers of the bodies of triangles with these names,
// or of all bodies for no names. A body can have one initial stress.
func (r *resolver) stressedBodies(t *tables.Reader, names []string) (out []int) {
	for i := range r.mesh.Bodies {
		if names == nil && r.mesh.Bodies[i].Kind == mesh.OfTriangles {
			out = append(out, i)
		}
	}
	for _, name := range names {
		k := slices.Index(r.BodyNames(), name)
		if k < 0 {
			t.Bad("in", "there is no body %q of triangles%s", name, tables.Nearest(name, r.BodyNames()))
		}
		out = append(out, k)
	}
	for _, k := range out {
		if r.stressed[k] {
			t.Bad("in", "body %q already has an initial stress from another block: name it in one of them", r.mesh.Bodies[k].Name)
		}
		r.stressed[k] = true
	}
	return out
}
