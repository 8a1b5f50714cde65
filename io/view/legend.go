package view

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// placeLegend puts the legend of a plot of a given size at a position without curves, as
// high as possible, at the right or at the left. If there is no such position it extends
// the axis above the curves, as long as they keep most of the plot.
func placeLegend(p *plot.Plot, curves []plotter.XYs, w, h vg.Length) {
	const most = 1.5 // in lengths of the axis
	area := p.DataCanvas(draw.NewCanvas(new(recorder.Canvas), w, h)).Size()
	box := p.Legend.Rectangle(draw.Canvas{}).Size()
	wide, high := float64(box.X/area.X)+0.02, float64(box.Y/area.Y)+0.02
	if wide > 1 || high > 1 {
		return
	}
	highest := 0.0        // height that is free
	lowest := math.Inf(1) // of both sides, the greatest height of the curves
	for _, left := range []bool{false, true} {
		from, to := p.X.Max-float64(wide*(p.X.Max-p.X.Min)), p.X.Max
		if left {
			from, to = p.X.Min, p.X.Min+float64(wide*(p.X.Max-p.X.Min))
		}
		taken := passes(p, curves, from, to)
		top := 1.0
		for _, t := range taken {
			if top-t[1] >= high {
				break
			}
			top = min(top, t[0])
		}
		switch {
		case top >= high && top > highest:
			highest, p.Legend.Left, p.Legend.YOffs = top, left, -vg.Length(1-top)*area.Y
		case highest == 0 && taken[0][1] < lowest:
			lowest, p.Legend.Left = taken[0][1], left
		}
	}
	if highest > 0 {
		return
	}
	p.Y.Max = p.Y.Min + float64(min(most, lowest/(1-high))*(p.Y.Max-p.Y.Min))
}

// passes returns the ranges of height of the curves from one x to another, as fractions
// of the axis, from the top down. Overlapping ranges are joined.
func passes(p *plot.Plot, curves []plotter.XYs, from, to float64) (taken [][2]float64) {
	for _, xy := range curves {
		low, high := math.Inf(1), math.Inf(-1)
		for k := range xy {
			a, b := xy[max(0, k-1)], xy[k] // a part of the curve
			if max(a.X, b.X) < from || min(a.X, b.X) > to {
				continue
			}
			for _, x := range [2]float64{max(from, min(a.X, b.X)), min(to, max(a.X, b.X))} {
				ys := []float64{a.Y, b.Y}
				if a.X != b.X {
					ys = []float64{a.Y + float64((x-a.X)/(b.X-a.X)*(b.Y-a.Y))}
				}
				for _, y := range ys {
					part := (y - p.Y.Min) / (p.Y.Max - p.Y.Min)
					low, high = min(low, part), max(high, part)
				}
			}
		}
		if low <= high {
			taken = append(taken, [2]float64{low, high})
		}
	}
	slices.SortFunc(taken, func(a, b [2]float64) int { return cmp.Compare(b[1], a[1]) })
	out := taken[:0]
	for _, t := range taken {
		if n := len(out) - 1; n >= 0 && out[n][0] <= t[1] {
			out[n][0] = min(out[n][0], t[0])
			continue
		}
		out = append(out, t)
	}
	return out
}
