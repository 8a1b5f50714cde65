package model

import "sort"

// Curve is a property by temperature: linear between its points, constant beyond them.
type Curve struct {
	Temperature []float64 // ascending [K]
	Value       []float64
}

// At returns the value at a temperature.
func (c *Curve) At(temperature float64) float64 {
	t, n := c.Temperature, len(c.Temperature)
	i := sort.SearchFloat64s(t, temperature)
	switch i {
	case 0:
		return c.Value[0]
	case n:
		return c.Value[n-1]
	}
	part := (temperature - t[i-1]) / (t[i] - t[i-1])
	return c.Value[i-1] + float64(part*(c.Value[i]-c.Value[i-1]))
}

// Integral returns the integral from one temperature to another.
func (c *Curve) Integral(from, to float64) (sum float64) {
	if from > to {
		return -c.Integral(to, from)
	}
	for i := sort.SearchFloat64s(c.Temperature, from); i < len(c.Temperature) && c.Temperature[i] < to; i++ {
		next := c.Temperature[i]
		sum += float64(0.5 * (next - from) * (c.At(from) + c.Value[i]))
		from = next
	}
	return sum + float64(0.5*(to-from)*(c.At(from)+c.At(to)))
}

// Extremes returns the least and the greatest value.
func (c *Curve) Extremes() (least, greatest float64) {
	least, greatest = c.Value[0], c.Value[0]
	for _, v := range c.Value {
		least, greatest = min(least, v), max(greatest, v)
	}
	return least, greatest
}
