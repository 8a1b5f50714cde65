package deck

import (
	"math"
	"strings"

	"fdem/fem/fracture"
	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/materials/elementary"
	"fdem/mesh"
	"fdem/solver/model"

	"gonum.org/v1/gonum/spatial/r2"
)

var (
	cohesiveJoint = []tables.With{tables.If("tensile_strength")}
	closedJoint   = tables.Unless("aperture", "a joint that is open at the start has no strength, and its contact has the usual stiffness")
	ofRough       = []tables.With{tables.If("law", "barton-bandis")}
	withoutBond   = tables.Unless("tensile_strength", "a joint with a strength has the friction of Coulomb and springs that are linear")
	breakingJoint = tables.With{Of: "type", Is: tables.InTime.Is, Why: "a static analysis has no fracture: there a joint only carries pressure and friction"}
)

// jointRateBlock are the constants of law = "rate-and-state".
var jointRateBlock = tables.Block{Name: "joint.rate", Doc: "Constants of the friction of Dieterich and Ruina.", Keys: []tables.Key{
	{Name: "a", Kind: tables.Quantity, Bounds: tables.Positive, Example: "0.01", Doc: "direct effect of the speed of slip"},
	{Name: "b", Kind: tables.Quantity, Bounds: tables.NotNegative, Example: "0.015", Doc: "effect of the state; above a the joint weakens with the speed of slip"},
	{Name: "slip", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"10 um"`, Doc: "slip over which the state changes"},
	{Name: "friction", Kind: tables.Quantity, Bounds: tables.Positive, Example: "0.6", Doc: "coefficient of friction in steady slip at the speed"},
	{Name: "speed", Kind: tables.Quantity, Dim: tables.Velocity, Bounds: tables.Positive, Example: `"1 um/s"`, Doc: "reference speed"},
	{Name: "state", Kind: tables.Word, Words: []string{"ageing", "slip"}, Default: `"ageing"`, Doc: `law of the state: with "ageing" it grows at rest, with "slip" it changes with slip alone`},
}}

var jointBlock = tables.Block{Name: "joint", Many: true, Doc: "Joints, faults or a fracture network, along curves of the mesh inside bodies. They carry pressure and friction. With strengths of their own they hold until these are reached. With an aperture they are open at the start.", Read: ofDeck((*Deck).readJoint), Keys: []tables.Key{
	{Name: "on", Kind: tables.Text, Example: `"joints"`, Doc: "a physical group of curves inside bodies. They may cross, and may end inside bodies"},
	{Name: "law", Kind: tables.Word, Words: []string{"coulomb", "barton-bandis", "slip-weakening", "rate-and-state"}, Default: `"coulomb"`, With: []tables.With{breakingJoint, closedJoint, withoutBond}, Doc: `law of friction: "coulomb" is constant; "barton-bandis" is of rough faces, mobilised by slip; "slip-weakening" falls with slip, as on a fault that ruptures; "rate-and-state" depends on the speed of slip and the age of contacts`},
	{Name: "friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Example: "0.677", With: []tables.With{tables.If("law", "slip-weakening")}, Doc: "coefficient of static friction"},
	{Name: "friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Example: "0.6", With: []tables.With{tables.Unless("law", "the law gives it", "barton-bandis", "rate-and-state")}, Doc: "coefficient of friction of the faces"},
	{Name: "dynamic_friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Example: "0.525", With: []tables.With{tables.If("law", "slip-weakening")}, Doc: "coefficient of friction after weakening_slip"},
	{Name: "weakening_slip", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"0.4 m"`, With: []tables.With{tables.If("law", "slip-weakening")}, Doc: "slip within which friction falls to that, linearly"},
	{Name: "jrc", Kind: tables.Quantity, Bounds: tables.Bounds{Rule: "must be from 0 to 20", Keep: func(v float64) bool { return v >= 0 && v <= 20 }}, Example: "9", With: ofRough, Doc: "joint roughness coefficient"},
	{Name: "jcs", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Example: `"100 MPa"`, With: ofRough, Doc: "joint wall compressive strength"},
	{Name: "residual_friction_angle", Kind: tables.Quantity, Angle: true, Unit: "degrees", Bounds: tables.Bounds{Rule: "must be above 0 and below 70 degrees", Keep: func(v float64) bool { return v > 0 && v < 70 }}, Example: "28", With: ofRough, Doc: "friction angle of smooth weathered faces; plain numbers are degrees"},
	{Name: "block_length", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Example: `"1 m"`, With: ofRough, Doc: "length of the sides of blocks between crossing joints, not of edges: scale of the slip at the peak, and with sample_length of jrc and jcs"},
	{Name: "sample_length", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "-", With: ofRough, Doc: "length of the samples that gave jrc and jcs, which are less for longer blocks; without it they are those of the blocks"},
	{Name: "rate", Kind: tables.Table, Example: `{ a = 0.010, b = 0.015, slip = "10 um", friction = 0.6, speed = "1 um/s" }`, Sub: &jointRateBlock, With: []tables.With{tables.If("law", "rate-and-state")}, Doc: "its constants, see below"},
	{Name: "start_speed", Kind: tables.Quantity, Dim: tables.Velocity, Bounds: tables.Positive, Example: `"1 nm/s"`, With: []tables.With{tables.If("law", "rate-and-state")}, Doc: "speed of slip at the start, which gives the first state with the initial stress"},
	{Name: "closure", Kind: tables.Quantity, Dim: tables.Length, Bounds: tables.Positive, Default: "-", With: []tables.With{breakingJoint, closedJoint, withoutBond, tables.If("normal_stiffness")}, Doc: "greatest closure of the joint under pressure: normal_stiffness is that at no pressure, and the joint gets stiffer as it closes, by a hyperbola"},
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
		if t.Has("aperture") && d.doc.Facts[hasPores] != "" {
			t.Bad("aperture", "a joint with an aperture is a contact, on whose faces the fluid of [pores] does not press: leave out aperture or [pores]")
		}
		d.readOpenJoint(t)
		return
	}
	f := fracturing{Reader: t, on: t.Text("on"), strengthless: !t.Has("tensile_strength"), stiffness: t.Number("stiffness")}
	f.friction = t.Number("friction")
	f.readFaces()
	if f.faces != nil {
		region := int32(len(d.fractures))
		d.onMesh = append(d.onMesh, func(r *resolver, m *model.Model) {
			r.checks = append(r.checks, func() { r.checkFaces(&r.fractures[region], region, m) })
		})
	}
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
	if err := f.readSprings(); err != nil {
		key, _, _ := strings.Cut(err.Error(), " ") // the error begins with its key
		t.Bad(key, "%v", err)
	}
	if f.faces != nil && f.faces.Weakening != nil {
		f.friction = f.faces.Weakening.Dynamic // of faces that have slid away from each other
	}
	d.fractures = append(d.fractures, f)
}

// readSprings reads the stiffness and dilation of a joint.
func (f *fracturing) readSprings() (err error) {
	t := f.Reader
	s := cohesive.Springs{
		Normal: t.Number("normal_stiffness"), Shear: t.Number("shear_stiffness"),
		Friction: f.friction, Dilation: t.Degrees("dilation"), Until: t.Number("dilation_until"), Bond: f.law, Faces: f.faces,
	}
	s.Dilation = elementary.Sin(s.Dilation) / elementary.Cos(s.Dilation)
	if s.Normal == 0 && s.Shear == 0 && s.Dilation == 0 && s.Faces == nil {
		return nil
	}
	f.springs, err = cohesive.NewSprings(s)
	return err
}

// readFaces reads the laws of the faces of a joint, other than a linear closure and Coulomb's friction.
func (f *fracturing) readFaces() {
	t := f.Reader
	var faces cohesive.Faces
	var err error
	if t.Has("closure") {
		faces.Closure, err = cohesive.NewClosure(cohesive.Closure{Stiffness: t.Number("normal_stiffness"), Greatest: t.Number("closure")})
	}
	switch law := t.Word("law"); law {
	case "barton-bandis":
		residual := t.Degrees("residual_friction_angle")
		f.friction = elementary.Tan(residual)
		faces.Barton, err = cohesive.NewBartonBandis(cohesive.BartonBandis{Roughness: t.Number("jrc"), Strength: t.Number("jcs"), Residual: residual, Length: t.Number("block_length")}, t.Number("sample_length"))
	case "slip-weakening":
		faces.Weakening, err = cohesive.NewSlipWeakening(cohesive.SlipWeakening{Static: f.friction, Dynamic: t.Number("dynamic_friction"), Distance: t.Number("weakening_slip")})
	case "rate-and-state":
		r := t.Sub("rate")
		r.Check(nil)
		f.friction = r.Number("friction")
		faces.RateState, err = cohesive.NewRateState(cohesive.RateState{Direct: r.Number("a"), Evolution: r.Number("b"), Distance: r.Number("slip"), Friction: f.friction, Speed: r.Number("speed"), Slip: r.Word("state") == "slip", Start: t.Number("start_speed")})
	}
	if err != nil {
		key, _, _ := strings.Cut(err.Error(), " ")
		t.Bad(key, "%v", err)
	}
	if faces != (cohesive.Faces{}) {
		f.faces = &faces
	}
}

// jointSides are the edges of a joint and what is beside them.
type jointSides struct {
	shortest, longest float64 // edges [m]
	stiff             float64 // least plane-strain shear stiffness beside it, G/(1 - nu) [Pa]
	intact            float64 // least strength of intact rock beside it [Pa]; +Inf where it is not known
	pressed, over     float64 // greatest pressure of the initial stress, and greatest shear beyond the strength [Pa]
	overs, all        int     // edges with such a shear, and all edges
	at                r2.Vec  // the edge with the greatest
}

// besideJoint collects them for a joint with a law of its faces.
func (r *resolver) besideJoint(b *fracturing, region int32, m *model.Model) jointSides {
	s := jointSides{shortest: math.Inf(1), stiff: math.Inf(1), intact: math.Inf(1)}
	body := r.mesh.BodyOf()
	for i := range m.Fracture.Edges {
		e := &m.Fracture.Edges[i]
		if e.Region != region {
			continue
		}
		l := elementary.Norm(r2.Sub(r.mesh.X[e.To], r.mesh.X[e.From]))
		s.shortest, s.longest, s.all = min(s.shortest, l), max(s.longest, l), s.all+1
		for _, t := range [2]int32{e.A, e.B} {
			of := &r.model.Materials[r.bodies[body[t]].Material]
			s.stiff = min(s.stiff, 0.5*of.Young/((1+of.Poisson)*(1-of.Poisson)))
			if rock, is := of.Law.(*bulk.HoekBrown); is {
				s.intact = min(s.intact, rock.Intact)
			}
		}
	}
	m.EachJointTraction(func(i int, pressure, shear float64) {
		e := &m.Fracture.Edges[i]
		if e.Region != region || pressure <= 0 {
			return
		}
		s.pressed = max(s.pressed, pressure)
		most := float64(b.springs.Friction * pressure)
		switch {
		case b.faces.Barton != nil:
			most, _ = b.faces.Barton.Limit(b.faces.Barton.Peak(), pressure)
		case b.faces.RateState != nil:
			return
		}
		if over := math.Abs(shear) - most; over > 1e-9*most {
			if s.overs++; over > s.over {
				s.over, s.at = over, elementary.Between(r.mesh.X[e.From], r.mesh.X[e.To], 0.5)
			}
		}
	})
	return s
}

// Edges within the zone in which a fault weakens. With two of them ruptures are faster than shear waves
// where theory has them slower.
const (
	leastInZone = 3
	someInZone  = 4
)

// checkFaces stops at laws of the faces of a joint that cannot be or that the mesh does not resolve, and
// warns of those that are hardly meant.
func (r *resolver) checkFaces(b *fracturing, region int32, m *model.Model) {
	s := r.besideJoint(b, region, m)
	if s.over > 0 {
		r.warn("%s: the initial shear is above its strength on %d of its %d edges, by at most %.4g Pa at (%.6g, %.6g) m: they slide at the start", b.Title, s.overs, s.all, s.over, s.at.X, s.at.Y)
	}
	if w := b.faces.Weakening; w != nil && s.pressed > 0 && w.Static > w.Dynamic {
		drop := (w.Static - w.Dynamic) * s.pressed
		if rate := drop / w.Distance; b.springs.Shear > 0 && b.springs.Shear <= rate {
			b.Bad("shear_stiffness", "under %.4g Pa it weakens by %.4g Pa/m, and shear_stiffness must be above that, or it jumps; got %.4g Pa/m", s.pressed, rate, b.springs.Shear)
		}
		zone := s.stiff * w.Distance / drop
		switch edges := zone / s.longest; {
		case edges < leastInZone:
			b.Bad("weakening_slip", "under %.4g Pa it weakens within %.4g m along it, and its edges of up to %.4g m do not resolve that: a rupture would be too fast. Take edges of at most %.3g m", s.pressed, zone, s.longest, zone/someInZone)
		case edges < someInZone:
			r.warn("%s: it weakens within %.4g m along it, %.2g of its edges: for right speeds take edges of at most %.3g m", b.Title, zone, edges, zone/someInZone)
		}
	}
	if f := b.faces.Barton; f != nil {
		r.checkRough(b, f, &s)
	}
}

// checkRough is checkFaces of rough faces.
func (r *resolver) checkRough(b *fracturing, f *cohesive.BartonBandis, s *jointSides) {
	jcs, angle := b.Number("jcs"), 180/math.Pi*f.Residual
	switch {
	case jcs > s.intact:
		b.Bad("jcs", "the walls of a joint are at most as strong as the intact rock beside it, %.4g Pa, got %.4g Pa", s.intact, jcs)
	case jcs < 1e6:
		r.warn("%s: a jcs of %.4g Pa is unusual: walls of rock have 10 to 300 MPa", b.Title, jcs)
	case s.pressed > f.Strength:
		r.warn("%s: the initial stress presses on it by %.4g Pa, more than its jcs, %.4g Pa: it has no more than its residual friction there", b.Title, s.pressed, f.Strength)
	}
	if angle < 15 || angle > 45 {
		r.warn("%s: a residual_friction_angle of %.4g degrees is unusual: rocks have 20 to 35 degrees", b.Title, angle)
	}
	if f.Peak() > fracture.Opposite*s.shortest {
		r.warn("%s: its strength is at the peak after a slip of %.3g mm, and faces are opposite up to a quarter of their edge, %.3g mm on the shortest: take edges of at least %.3g mm on the joint", b.Title, 1e3*f.Peak(), 250*s.shortest, 4e3*f.Peak())
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
