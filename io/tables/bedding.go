package tables

import (
	"fdem/materials/cohesive"
)

// OpeningRate reads the growth of strength with the speed of opening, nil for none.
func (t *Reader) OpeningRate() *cohesive.Rate {
	if !t.Has("opening_rate") {
		return nil
	}
	from := t.Sub("opening_rate")
	from.Check(nil)
	r := cohesive.Rate{Speed: from.Number("speed")}
	if from.Has("speed") {
		r.Exponent = from.Number("exponent")
	}
	for i, row := range from.List("table", 0) {
		pair, ok := row.([]any)
		if !ok || len(pair) != 2 {
			from.Bad("table", "table: entry %d must be a pair, [speed [m/s], factor]", i+1)
		}
		r.Table = append(r.Table, [2]float64{from.Value("table", pair[0], Velocity), from.Value("table", pair[1], None)})
	}
	if !from.Has("speed") && !from.Has("table") {
		t.Bad("opening_rate", `opening_rate has neither a speed nor a table: for example opening_rate = { speed = "1 m/s", exponent = 0.5 }`)
	}
	made, err := cohesive.NewRate(r)
	if err != nil {
		from.Bad("table", "table: %v", err)
	}
	return made
}
