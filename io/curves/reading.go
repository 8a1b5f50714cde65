// Package curves computes engineering results from the columns of a history: curves,
// which are expressions of columns for each row, and readings, which are one number
// of a curve, such as a strength or a modulus.
package curves

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Limit bounds the part of a curve that a reading takes. The zero value is no limit.
type Limit struct {
	Value float64 // value of over, or a fraction of the peak
	Share bool
	Given bool
}

// String returns the limit as in a deck.
func (l Limit) String() string {
	if l.Share {
		return fmt.Sprintf("%.6g %% of the peak", 100*l.Value)
	}
	return fmt.Sprintf("%.6g", l.Value)
}

// Reading defines one number of a curve y(x), with x the column over and y the column
// of. The peak of a curve is its value of the greatest magnitude. Limits are values of
// x. A limit can also be a fraction of the peak of y, at the x where the curve first
// reaches it.
type Reading struct {
	Take     string // one of Takes
	From, To Limit
}

// Takes are the ways to take a number of a curve.
var Takes = []string{"max", "min", "end", "mean", "slope", "area", "at", "count"}

// Number returns the number of a curve given by its points in the order of time, with x in
// the unit of over and y in the unit of of. Fractions refer to the peak of a third column,
// nil for y; with "at" to that of x, with "count" to that of y. It fails if there is no
// point between the limits, or fewer than two for a slope or an area, and if the curve does
// not reach the required value.
func (r *Reading) Number(x, y, of []float64) (float64, error) {
	for i := range y {
		if !finite(x[i]) || !finite(y[i]) || of != nil && !finite(of[i]) {
			return 0, fmt.Errorf("row %d has a value that is not finite", i+1)
		}
	}
	switch {
	case r.Take == "at":
		return at(x, y, r.From)
	case r.Take == "count":
		return count(y, r.From), nil
	case of == nil:
		of = y
	}
	x, y, err := r.between(x, y, of)
	if err != nil {
		return 0, err
	}
	switch r.Take {
	case "max", "min":
		return extreme(y, r.Take == "max"), nil
	case "end":
		return y[len(y)-1], nil
	case "mean":
		if span := x[len(x)-1] - x[0]; span != 0 {
			return area(x, y) / span, nil
		}
		return y[0], nil
	}
	if len(y) < 2 {
		return 0, errors.New("one row lies between from and to, and at least two are needed: write rows more often, history_every")
	}
	if r.Take == "area" {
		return area(x, y), nil
	}
	return slope(x, y)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// extreme returns the greatest or the least value.
func extreme(y []float64, greatest bool) float64 {
	best := y[0]
	for _, v := range y {
		if v > best == greatest && v != best {
			best = v
		}
	}
	return best
}

// late tells whether a greatest or least value is in the last rows. Then a longer run
// might exceed it.
func (r *Reading) late(y []float64) bool {
	if r.Take != "max" && r.Take != "min" || r.To.Given {
		return false
	}
	const end = 0.02
	most, last := extreme(y, r.Take == "max"), y[int((1-end)*float64(len(y))):]
	return most != y[0] && slices.Contains(last, most)
}

// peak returns the index of the value of the greatest magnitude, the first of several.
func peak(y []float64) int {
	best := 0
	for i, v := range y {
		if math.Abs(v) > math.Abs(y[best]) {
			best = i
		}
	}
	return best
}

// reach returns the position at which values first reach a level, from either side, as i + s
// with the row i and the fraction s of the distance to the next row; -1 if they never do.
func reach(v []float64, level float64) (i int, s float64) {
	for k := range v {
		switch {
		case v[k] == level:
			return k, 0
		case k > 0 && (v[k-1] < level) != (v[k] < level):
			return k - 1, (level - v[k-1]) / (v[k] - v[k-1])
		}
	}
	return -1, 0
}

// at returns y where x first reaches a limit.
func at(x, y []float64, l Limit) (float64, error) {
	if len(x) == 0 {
		return 0, errNoRows
	}
	level := l.Value
	if l.Share {
		level *= x[peak(x)]
	}
	i, s := reach(x, level)
	switch {
	case i < 0:
		return 0, fmt.Errorf("the curve goes from %.6g to %.6g and does not reach %.6g", extreme(x, false), extreme(x, true), level)
	case s == 0:
		return y[i], nil
	}
	return y[i] + float64(s*(y[i+1]-y[i])), nil
}

var errNoRows = errors.New("the history has no rows")

// count returns the number of times that values rise through a level.
func count(y []float64, l Limit) float64 {
	level := l.Value
	if l.Share && len(y) > 0 {
		level *= y[peak(y)]
	}
	n := 0
	for i := 1; i < len(y); i++ {
		if y[i-1] < level && y[i] >= level {
			n++
		}
	}
	return float64(n)
}

// between returns the part of a curve between the limits, with fractions of the peak of
// a column. If a limit is between two rows, the part ends at an interpolated point.
func (r *Reading) between(x, y, column []float64) ([]float64, []float64, error) {
	if len(x) == 0 {
		return nil, nil, errNoRows
	}
	top := peak(column)
	position := func(l Limit, usual float64) (float64, error) {
		v, level, name := x, l.Value, "over"
		switch {
		case !l.Given:
			return usual, nil
		case l.Share:
			v, level, name = column[:top+1], l.Value*column[top], "of"
		}
		i, s := reach(v, level)
		if i < 0 {
			return 0, fmt.Errorf("the column %q goes from %.6g to %.6g and does not reach %.6g", name, extreme(v, false), extreme(v, true), level)
		}
		return float64(i) + s, nil
	}
	first, err := position(r.From, 0)
	if err != nil {
		return nil, nil, err
	}
	last, err := position(r.To, float64(len(x)-1))
	if err != nil {
		return nil, nil, err
	}
	if last < first {
		return nil, nil, errors.New("the curve reaches the value of to before that of from")
	}
	var px, py []float64
	add := func(at float64) {
		i := int(at)
		s := at - float64(i)
		if s == 0 {
			px, py = append(px, x[i]), append(py, y[i])
			return
		}
		px, py = append(px, x[i]+float64(s*(x[i+1]-x[i]))), append(py, y[i]+float64(s*(y[i+1]-y[i])))
	}
	add(first)
	for i := int(first) + 1; float64(i) < last; i++ {
		add(float64(i))
	}
	if last > first {
		add(last)
	}
	return px, py, nil
}

// area integrates y over x by the trapezoidal rule.
func area(x, y []float64) float64 {
	sum := 0.0
	for i := 1; i < len(x); i++ {
		sum += float64(0.5 * (y[i] + y[i-1]) * (x[i] - x[i-1]))
	}
	return sum
}

// slope returns the slope of the straight line fitted to a curve.
func slope(x, y []float64) (float64, error) {
	k, at0, ok := Line(x, y)
	if !ok {
		return 0, fmt.Errorf("over is constant between from and to, at %.6g, so that there is no slope", at0)
	}
	return k, nil
}

// Line fits a straight line to points by least squares. It returns the slope, and y at x =
// 0. ok is false if all x are the same; then at0 is that x.
func Line(x, y []float64) (slope, at0 float64, ok bool) {
	mx, my := 0.0, 0.0
	for i := range x {
		mx += x[i] / float64(len(x))
		my += y[i] / float64(len(x))
	}
	xx, xy := 0.0, 0.0
	for i := range x {
		xx += float64((x[i] - mx) * (x[i] - mx))
		xy += float64((x[i] - mx) * (y[i] - my))
	}
	if xx == 0 {
		return 0, mx, false
	}
	slope = xy / xx
	return slope, my - float64(slope*mx), true
}
