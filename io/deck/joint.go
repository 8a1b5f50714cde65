package deck

import (
	"strings"

	"fdem/fem/fracture"
	"fdem/io/tables"
	"fdem/materials/cohesive"
	"fdem/materials/elementary"
	"fdem/mesh"

	"gonum.org/v1/gonum/spatial/r2"
)

var (
	cohesiveJoint = []tables.With{tables.If("tensile_strength")}
	closedJoint   = tables.Unless("aperture", "a joint that is open at the start has no strength, and its contact has the usual stiffness")
	breakingJoint = tables.With{Of: "type", Is: tables.InTime.Is, Why: "a static analysis has no fracture: there a joint only carries pressure and friction"}
)

var jointBlock = tables.Block{Name: "joint", Many: true, Doc: "Joints, faults or a fracture network, along curves of the mesh inside bodies. They carry pressure and friction. With strengths of their own they hold until these are reached. With an aperture they are open at the start.", Read: ofDeck((*Deck).readJoint), Keys: []tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"joints"`, Doc: "a physical group of curves inside bodies. They may cross, and may end inside bodies"},
	{Name: "friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Example: "0.6", Doc: "coefficient of friction of the faces"},
	{Name: "aperture", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "-", Doc: "aperture of a joint that is open at the start. Each side is moved by half of it, and the joint carries no load until the sides meet"},
	{Name: "normal_stiffness", Kind: tables.Quantity, Dim: perArea, Unit: "Pa/m", Bounds: tables.Positive, Default: "-", Doc: "normal stiffness of the joint: pressure over closure from the start on, and tension up to its strength. Without it the joint is as stiff as closed cracks, and rock whose joints neither slide nor open is as stiff as intact rock"},
	{Name: "shear_stiffness", Kind: tables.Quantity, Dim: perArea, Unit: "Pa/m", Bounds: tables.Positive, Default: "-", Doc: "shear stiffness of the joint: shear traction over slip until it slides; without it, that of closed cracks"},
	{Name: "dilation", Kind: tables.Quantity, Angle: true, Unit: "degrees", Bounds: tables.Bounds{Rule: "must be above 0 and below 90 degrees", Keep: func(v float64) bool { return v > 0 && v < 90 }}, Default: "-", With: []tables.With{breakingJoint, closedJoint}, Doc: "dilation angle of faces that slide, at most the friction angle; plain numbers are degrees"},
	{Name: "dilation_until", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"5 mm"`, With: []tables.With{tables.If("dilation")}, Doc: "slip at which dilation ends"},
	{Name: "tensile_strength", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Default: "-", With: []tables.With{breakingJoint, closedJoint}, Doc: "tensile strength of the joint; without it, only pressure and friction hold the joint together"},
	{Name: "cohesion", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, With: cohesiveJoint, Example: `"0.5 MPa"`, Doc: "shear strength without pressure"},
	{Name: "energy_tension", Kind: tables.Quantity, Dim: tables.SurfaceEnergy, Unit: "J/m2", Bounds: tables.Positive, With: cohesiveJoint, Example: `"5 J/m2"`, Doc: "fracture energy in tension, mode I"},
	{Name: "energy_shear", Kind: tables.Quantity, Dim: tables.SurfaceEnergy, Unit: "J/m2", Bounds: tables.Positive, With: cohesiveJoint, Example: `"20 J/m2"`, Doc: "fracture energy in shear, mode II"},
	{Name: "mixed", Kind: tables.Quantity, Bounds: tables.Positive, Default: "2", With: cohesiveJoint, Doc: "exponent of Benzeggagh and Kenane for fracture in a mixed mode"},
	{Name: "softening", Kind: tables.Word, Words: cohesive.Curves(), Default: `"linear"`, With: cohesiveJoint, Doc: "how the traction falls as the joint opens: " + tables.Quoted(cohesive.Curves()) + ", as in [[fracture]]"},
	{Name: "opening_rate", Kind: tables.Table, Default: "-", Sub: &rateBlock, With: []tables.With{tables.If("tensile_strength"), tables.Unless("normal_stiffness", springsAtRest), tables.Unless("shear_stiffness", springsAtRest), tables.Unless("dilation", springsAtRest)}, Doc: "growth of strength and energy with the speed of opening, as in [[fracture]]"},
	{Name: "stiffness", Kind: tables.Quantity, Bounds: tables.Positive, Default: "2", With: []tables.With{breakingJoint, closedJoint}, Doc: "stiffness of closed joints, relative to that of the elements, as in [[fracture]]"},
}}

// springsAtRest is the reason why springs of a joint have no rate.
const springsAtRest = "the springs of a joint have its strength at rest"

// perArea is stiffness per area.
var perArea = tables.Dimension{Mass: 1, Length: -2, Time: -2}

func (d *Deck) readJoint(t *tables.Reader) {
	if t.Has("aperture") || d.model.Static != nil {
		d.readOpenJoint(t)
		return
	}
	f := fracturing{Reader: t, on: t.Text("on"), strengthless: !t.Has("tensile_strength"), stiffness: t.Number("stiffness")}
	f.friction = t.Number("friction")
	if !f.strengthless {
		var err error
		f.law, err = cohesive.New(cohesive.Parameters{
			TensileStrength: t.Number("tensile_strength"), Cohesion: t.Number("cohesion"), Friction: f.friction,
			EnergyTension: t.Number("energy_tension"), EnergyShear: t.Number("energy_shear"), Mixed: t.Number("mixed"), Softening: t.Word("softening"),
		})
		if err != nil {
			t.Bad("tensile_strength", "%v", err)
		}
		f.law.Rate = t.OpeningRate()
	}
	f.readSprings()
	d.fractures = append(d.fractures, f)
}

// readSprings reads the stiffness and dilation of a joint.
func (f *fracturing) readSprings() {
	t := f.Reader
	s := cohesive.Springs{
		Normal: t.Number("normal_stiffness"), Shear: t.Number("shear_stiffness"),
		Friction: f.friction, Dilation: t.Degrees("dilation"), Until: t.Number("dilation_until"), Bond: f.law,
	}
	s.Dilation = elementary.Sin(s.Dilation) / elementary.Cos(s.Dilation)
	if s.Normal == 0 && s.Shear == 0 && s.Dilation == 0 {
		return
	}
	var err error
	if f.springs, err = cohesive.NewSprings(s); err != nil {
		key, _, _ := strings.Cut(err.Error(), " ") // the error begins with its key
		t.Bad(key, "%v", err)
	}
}

// A joint without strength has a very small strength. It opens under the least
// traction in tension or shear, and takes negligible energy.
const (
	jointStrength = 1e-10 // over Young's modulus
	jointOpening  = 1e-8  // opening at which no cohesion is left, over the length of an edge
)

// frictionLaw returns the law of a joint without strength in a material of the given
// Young's modulus [Pa], on edges of a length [m].
func frictionLaw(friction, young, edge float64) (*cohesive.Law, error) {
	strength := jointStrength * young
	energy := 0.5 * strength * jointOpening * edge
	return cohesive.New(cohesive.Parameters{
		TensileStrength: strength, Cohesion: strength, Friction: friction, EnergyTension: energy, EnergyShear: energy, Mixed: 2, Softening: "linear",
	})
}

// giveFrictionLaw gives a joint without strength its law, from the softest material beside it
// and its shortest edge.
func (r *resolver) giveFrictionLaw(b *fracturing, edges []fracture.Edge, i int32, of []int32) {
	young, edge := 0.0, 0.0
	for k := range edges {
		e := &edges[k]
		if e.Region != i {
			continue
		}
		l := elementary.Norm(r2.Sub(r.mesh.X[e.To], r.mesh.X[e.From]))
		for _, t := range [2]int32{e.A, e.B} {
			y := r.model.Materials[r.bodies[of[t]].Material].Young
			if young == 0 {
				young, edge = y, l
			}
			young, edge = min(young, y), min(edge, l)
		}
	}
	var err error
	if b.law, err = frictionLaw(b.friction, young, edge); err != nil {
		b.Bad("friction", "%v", err)
	}
}

// linesOf returns a function that tells whether two nodes are the ends of an element
// of a curve. Edges from one curve of a group to another are not on the curve.
func linesOf(g *mesh.Group) map[[2]int32]bool {
	out := make(map[[2]int32]bool, len(g.Lines)) // looked up only
	for _, l := range g.Lines {
		out[[2]int32{min(l[0], l[1]), max(l[0], l[1])}] = true
	}
	return out
}
