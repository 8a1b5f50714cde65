package deck

import (
	"math"

	"fdem/fem/fracture"
	"fdem/materials/bulk"
	"fdem/materials/cohesive"
	"fdem/materials/elementary"
)

// Strength that depends on direction and on the speed of opening.

const (
	asAcross   = "that across the bedding"
	beddingDoc = "strength that depends on the direction of a plane, as in bedded or foliated rock: the block has that of planes across the bedding, this what planes along it have, see below"
)

var beddingBlock = Block{Name: "fracture.bedding", Doc: "What planes along the bedding have. A plane at an angle g to it has along + (across - along) (1 - cos(g)^(2 sharpness)) of each.", Keys: []Key{
	{Name: "direction", Kind: Quantity, Angle: true, Unit: "degrees", Bounds: within(-360, 360), Default: "-", Doc: "of the bedding against x at the start, anticlockwise; plain numbers are degrees. Without, it is across the fibres of law = \"fibred\", which are the normal of bedded rock"},
	{Name: "tensile_strength", Kind: Quantity, Dim: Pressure, Bounds: positive, Else: asAcross, Doc: "traction at which the bedding opens"},
	{Name: "cohesion", Kind: Quantity, Dim: Pressure, Bounds: positive, Else: asAcross, Doc: "its shear strength without pressure"},
	{Name: "friction", Kind: Quantity, Bounds: notNegative, Else: asAcross, Doc: "its coefficient of internal friction, and of faces"},
	{Name: "energy_tension", Kind: Quantity, Dim: surfaceEnergy, Unit: "J/m2", Bounds: positive, Else: asAcross, Doc: "its fracture energy in tension"},
	{Name: "energy_shear", Kind: Quantity, Dim: surfaceEnergy, Unit: "J/m2", Bounds: positive, Else: asAcross, Doc: "its fracture energy in shear"},
	{Name: "sharpness", Kind: Quantity, Bounds: Bounds{"must be at least 0.5 and at most 100", func(v float64) bool { return v >= 0.5 && v <= 100 }}, Default: "1", Doc: "1 is Jaeger's A - B cos(2 g); a greater one is a weakness of a narrower range of angles"},
}}

var rateBlock = Block{Name: "fracture.opening_rate", Doc: "The factor of strength and energy by the speed at which a crack opens: 1 + (v/speed)^exponent, or a table.", Keys: []Key{
	{Name: "speed", Kind: Quantity, Dim: Velocity, Bounds: positive, Default: "-", With: []With{without("table", "a table has its own speeds")}, Doc: "at which both are twice those at rest"},
	{Name: "exponent", Kind: Quantity, Bounds: Bounds{"must be above 0 and at most 4", func(v float64) bool { return v > 0 && v <= 4 }}, Default: "1", With: []With{with("speed")}, Doc: "of the power law"},
	{Name: "table", Kind: List, Default: "-", Doc: "instead: [[speed, factor], ...] from [0, 1] on, linear between, constant beyond"},
}}

// addBedding reads the strength of planes along the bedding, if there is a
// bedding.
func (f *fracturing) addBedding(across cohesive.Parameters) {
	t := f.table
	if !t.has("bedding") {
		return
	}
	b := t.sub("bedding")
	b.check(nil)
	along := across
	for _, of := range []struct {
		key string
		to  *float64
	}{
		{"tensile_strength", &along.TensileStrength}, {"cohesion", &along.Cohesion}, {"friction", &along.Friction},
		{"energy_tension", &along.EnergyTension}, {"energy_shear", &along.EnergyShear},
	} {
		if v := b.number(of.key); b.has(of.key) {
			*of.to = v
		}
	}
	law, err := cohesive.New(along)
	if err != nil {
		t.bad("bedding", "bedding: %v", err)
	}
	law.Rate = f.law.Rate
	direction := b.degrees("direction")
	f.directional = b.has("direction")
	if f.bedding, err = cohesive.NewBedding(f.law, law, b.number("sharpness"), direction); err != nil {
		t.bad("bedding", "bedding: %v", err)
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
		r.warn("%s: planes along the bedding have all that planes across it have: strength depends on no direction; give bedding what is less along it, a tensile_strength or a cohesion", b.title)
	}
	for _, of := range []struct {
		key           string
		across, along float64
	}{
		{"tensile_strength", across.Strength.Tension, along.Strength.Tension},
		{"cohesion", across.Strength.Cohesion, along.Strength.Cohesion},
	} {
		if of.along > of.across {
			r.warn("%s: the bedding has a %s of %.4g MPa, more than planes across it, %.4g MPa: beds are the weaker planes", b.title, of.key, 1e-6*of.along, 1e-6*of.across)
		}
	}
}

// openingRate reads the growth of strength with the speed of opening, nil for none.
func (t *table) openingRate() *cohesive.Rate {
	if !t.has("opening_rate") {
		return nil
	}
	from := t.sub("opening_rate")
	from.check(nil)
	r := cohesive.Rate{Speed: from.number("speed")}
	if from.has("speed") {
		r.Exponent = from.number("exponent")
	}
	for i, row := range from.list("table", 0) {
		pair, ok := row.([]any)
		if !ok || len(pair) != 2 {
			from.bad("table", "table: entry %d must be a pair, [speed, factor]", i+1)
		}
		r.Table = append(r.Table, [2]float64{from.value("table", pair[0], Velocity), from.value("table", pair[1], None)})
	}
	if !from.has("speed") && !from.has("table") {
		t.bad("opening_rate", `opening_rate says neither a speed nor a table: for example opening_rate = { speed = "1 m/s", exponent = 0.5 }`)
	}
	made, err := cohesive.NewRate(r)
	if err != nil {
		from.bad("table", "table: %v", err)
	}
	return made
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
				b.sub("bedding").bad("direction", `bedding needs a direction, for example direction = "30 deg": material %q has no law = "fibred" that would say it`, m.Name)
			case !is:
				continue
			case !b.directional:
				b.bedding.X, b.bedding.Y, b.directional = fibred.X, fibred.Y, true
				if fibred.Ratio > 1 {
					r.warn("%s: the bedding has no direction and lies across the fibres of %q, which is stiffer along them: wood and composites split along their fibres, with direction = %.4g in the bedding", b.title, m.Name, angleOf(fibred.X, fibred.Y))
				}
			}
			if cos2 := b.bedding.CosineSquared(fibred.X, fibred.Y); min(cos2, 1-cos2) > 1e-4 {
				r.warn("%s: the bedding lies at %.4g degrees and the fibres of %q at %.4g degrees, neither along it nor across", b.title, angleOf(b.bedding.Y, -b.bedding.X), m.Name, angleOf(fibred.X, fibred.Y))
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
