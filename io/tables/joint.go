package tables

import (
	"math"
)

// Degrees reads an angle [rad]. Plain numbers are degrees.
func (t *Reader) Degrees(key string) float64 {
	v := t.Number(key)
	if _, text := t.Values[key].(string); text {
		return v
	}
	return v * math.Pi / 180
}
