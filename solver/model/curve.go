package model

import "slices"

// Curve is a function, such as a property by temperature or a schedule: linear between its points, constant beyond
// them.
type Curve struct {
	X     []float64 // ascending
	Value []float64
}

// At returns the value at x, before the jump where points have equal X.
func (c *Curve) At(x float64) float64 {
	i, _ := slices.BinarySearch(c.X, x)
	switch {
	case i == 0:
		return c.Value[0]
	case i == len(c.X):
		return c.Value[i-1]
	}
	part := (x - c.X[i-1]) / (c.X[i] - c.X[i-1])
	return c.Value[i-1] + float64(part*(c.Value[i]-c.Value[i-1]))
}

// Integral returns the integral from one x to another.
func (c *Curve) Integral(from, to float64) (sum float64) {
	if from > to {
		return -c.Integral(to, from)
	}
	for i, _ := slices.BinarySearch(c.X, from); i < len(c.X) && c.X[i] < to; i++ {
		next := c.X[i]
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
