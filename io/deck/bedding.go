package deck

import (
	"math"

	"fdem/fem/fracture"
	"fdem/io/tables"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/materials/elementary"
)

// Keys of a strength that depends on direction, and on the speed of opening.

const (
	asAcross   = "the strength across the bedding"
	beddingDoc = "strength that depends on the direction of a plane, as in bedded or foliated rock. The block gives the strength of planes across the bedding, and this table that of planes along it, see below"
)

var beddingBlock = tables.Block{Name: "fracture.bedding", Doc: "The strength of planes along the bedding. A plane at an angle g to the bedding has the strength along + (across - along) (1 - cos(g)^(2 sharpness)), and so for each energy.", Keys: []tables.Key{
	{Name: "direction", Kind: tables.Quantity, Angle: true, Unit: "degrees", Bounds: tables.Within(-360, 360), Default: "-", Doc: "angle of the bedding against x at the start, anticlockwise; plain numbers are degrees. The default is across the fibres of law = \"fibred\", which in bedded rock are the normal"},
	{Name: "tensile_strength", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Else: asAcross, Doc: "tensile strength of the bedding"},
	{Name: "cohesion", Kind: tables.Quantity, Dim: tables.Pressure, Bounds: tables.Positive, Else: asAcross, Doc: "shear strength of the bedding without pressure"},
	{Name: "friction", Kind: tables.Quantity, Bounds: tables.NotNegative, Else: asAcross, Doc: "coefficient of internal friction of the bedding, and of friction of its faces"},
	{Name: "energy_tension", Kind: tables.Quantity, Dim: tables.SurfaceEnergy, Unit: "J/m2", Bounds: tables.Positive, Else: asAcross, Doc: "fracture energy of the bedding in tension"},
	{Name: "energy_shear", Kind: tables.Quantity, Dim: tables.SurfaceEnergy, Unit: "J/m2", Bounds: tables.Positive, Else: asAcross, Doc: "fracture energy of the bedding in shear"},
	{Name: "sharpness", Kind: tables.Quantity, Bounds: tables.Bounds{Rule: "must be at least 0.5 and at most 100", Keep: func(v float64) bool { return v >= 0.5 && v <= 100 }}, Default: "1", Doc: "exponent of the dependence on the angle g. 1 is Jaeger's A - B cos(2 g); with a greater one a narrower range of angles is weak"},
}}

var rateBlock = tables.Block{Name: "fracture.opening_rate", Doc: "The factor of strength and fracture energy by the speed v at which a crack opens: 1 + (v/speed)^exponent, or a table.", Keys: []tables.Key{
	{Name: "speed", Kind: tables.Quantity, Dim: tables.Velocity, Bounds: tables.Positive, Default: "-", With: []tables.With{tables.Unless("table", "a table has its own speeds")}, Doc: "speed of opening at which strength and energy are twice those at rest"},
	{Name: "exponent", Kind: tables.Quantity, Bounds: tables.Bounds{Rule: "must be above 0 and at most 4", Keep: func(v float64) bool { return v > 0 && v <= 4 }}, Default: "1", With: []tables.With{tables.If("speed")}, Doc: "exponent of the power law"},
	{Name: "table", Kind: tables.List, Default: "-", Doc: "a table instead of the power law: [[speed, factor], ...] from [0, 1] on, linear between the rows and constant after the last"},
}}

// addBedding reads the strength of planes along the bedding, if there is a
// bedding.
func (f *fracturing) addBedding(across cohesive.Parameters) {
	t := f.Reader
	if !t.Has("bedding") {
		return
	}
	b := t.Sub("bedding")
	b.Check(nil)
	along := across
	for _, of := range []struct {
		key string
		to  *float64
	}{
		{"tensile_strength", &along.TensileStrength}, {"cohesion", &along.Cohesion}, {"friction", &along.Friction},
		{"energy_tension", &along.EnergyTension}, {"energy_shear", &along.EnergyShear},
	} {
		if v := b.Number(of.key); b.Has(of.key) {
			*of.to = v
		}
	}
	law, err := cohesive.New(along)
	if err != nil {
		t.Bad("bedding", "bedding: %v", err)
	}
	law.Rate = f.law.Rate
	direction := b.Degrees("direction")
	f.directional = b.Has("direction")
	if f.bedding, err = cohesive.NewBedding(f.law, law, b.Number("sharpness"), direction); err != nil {
		t.Bad("bedding", "bedding: %v", err)
	}
	f.law = f.bedding.Bound()
}

// warnBedding warns of a bedding that has no effect, or that is stronger than planes across
// it.
func (r *resolver) warnBedding(b *fracturing) {
	if b.bedding == nil {
		return
	}
	across, along := b.bedding.Across, b.bedding.Along
	if across.Strength == along.Strength && across.Energy == along.Energy {
		r.warn("%s: planes along the bedding are as strong as planes across it, so that strength depends on no direction: give bedding a lower tensile_strength or cohesion", b.Title)
	}
	for _, of := range []struct {
		key           string
		across, along float64
	}{
		{"tensile_strength", across.Strength.Tension, along.Strength.Tension},
		{"cohesion", across.Strength.Cohesion, along.Strength.Cohesion},
	} {
		if of.along > of.across {
			r.warn("%s: the bedding has a %s of %.4g MPa, more than that of planes across it, %.4g MPa: planes along the bedding should be the weaker ones", b.Title, of.key, 1e-6*of.along, 1e-6*of.across)
		}
	}
}

// giveDirection gives a bedding without a direction the direction of its bodies' material. It
// warns of a material whose fibres have another direction than the bedding.
func (r *resolver) giveDirection(b *fracturing, edges []fracture.Edge, i int32, of []int32) {
	if b.bedding == nil {
		return
	}
	seen := map[int32]bool{}
	for k := range edges {
		if edges[k].Region != i {
			continue
		}
		for _, t := range [2]int32{edges[k].A, edges[k].B} {
			material := r.bodies[of[t]].Material
			if seen[material] {
				continue
			}
			seen[material] = true
			m := &r.model.Materials[material]
			fibred, is := m.Law.(*bulk.Fibred)
			switch {
			case !is && !b.directional:
				b.Sub("bedding").Bad("direction", `bedding needs a direction, for example direction = "30 deg": material %q has no law = "fibred" from which it would follow`, m.Name)
			case !is:
				continue
			case !b.directional:
				b.bedding.X, b.bedding.Y, b.directional = fibred.X, fibred.Y, true
				if fibred.Ratio > 1 {
					r.warn("%s: the bedding has no direction, so it lies across the fibres of %q, but the material is stiffer along them. Wood and composites split along their fibres: for these write direction = %.4g in the bedding", b.Title, m.Name, angleOf(fibred.X, fibred.Y))
				}
			}
			if cos2 := b.bedding.CosineSquared(fibred.X, fibred.Y); min(cos2, 1-cos2) > 1e-4 {
				r.warn("%s: the bedding lies at %.4g degrees and the fibres of %q at %.4g degrees, which is neither along nor across it", b.Title, angleOf(b.bedding.Y, -b.bedding.X), m.Name, angleOf(fibred.X, fibred.Y))
			}
		}
	}
}

// angleOf returns the angle of a direction against x, from -90 to 90 degrees.
func angleOf(x, y float64) float64 {
	if x < 0 {
		x, y = -x, -y
	}
	return elementary.Atan2(y, x) * 180 / math.Pi
}
