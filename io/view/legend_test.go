package view

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// No curve passes through the legend. It stands where there is room, or the axis is extended.
func TestLegendIsFree(t *testing.T) {
	for name, c := range map[string]struct {
		of   []func(x float64) float64
		left bool
		top  bool // as high as it goes
	}{
		"growing":         {[]func(x float64) float64{math.Sqrt, func(x float64) float64 { return x * x }}, true, true},
		"late":            {[]func(x float64) float64{func(x float64) float64 { return math.Pow(x, 5) }, func(x float64) float64 { return math.Pow(x, 9) }}, true, true},
		"falling":         {[]func(x float64) float64{func(x float64) float64 { return math.Exp(-9 * x) }}, false, true},
		"swinging":        {[]func(x float64) float64{func(x float64) float64 { return math.Sin(60 * x) }, func(x float64) float64 { return math.Cos(60 * x) }}, false, true},
		"on both sides":   {[]func(x float64) float64{func(x float64) float64 { return 1 }, func(x float64) float64 { return 0.2 * x }}, false, false},
		"in three stairs": {[]func(x float64) float64{func(x float64) float64 { return math.Floor(3.5 * x) }, func(x float64) float64 { return -1 }}, true, true},
	} {
		var lines []line
		for i, f := range c.of {
			l := line{name: fmt.Sprintf("energy %d", i)}
			for k := range 200 {
				x := float64(k) / 199
				l.x, l.y = append(l.x, x), append(l.y, f(x))
			}
			lines = append(lines, l)
		}
		p := curves(name, "time", "", "", lines, math.NaN())
		area := p.DataCanvas(draw.NewCanvas(new(recorder.Canvas), curvesWidth, curvesHeight)).Size()
		box := p.Legend.Rectangle(draw.Canvas{}).Size()
		wide, high, down := float64(box.X/area.X), float64(box.Y/area.Y), -float64(p.Legend.YOffs/area.Y)
		for _, l := range lines {
			for k := range l.x {
				across, up := (l.x[k]-p.X.Min)/(p.X.Max-p.X.Min), (l.y[k]-p.Y.Min)/(p.Y.Max-p.Y.Min)
				if p.Legend.Left {
					across = 1 - across
				}
				if across > 1-wide && up < 1-down && up > 1-down-high {
					t.Fatalf("%s: the legend lies over (%g, %g)", name, l.x[k], l.y[k])
				}
			}
		}
		if p.Legend.Left != c.left || (down < 0.02) != c.top || down+high > 1 {
			t.Errorf("%s: left %v, %g down", name, p.Legend.Left, down)
		}
	}
}
