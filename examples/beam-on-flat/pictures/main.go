// Command pictures runs the beam on a flat and draws figures 8 to 11 of the
// paper into a folder.
//
//	go run ./examples/beam-on-flat/pictures examples/beam-on-flat
package main

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"

	"fdem/examples/scenes"
	"fdem/solver"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pictures FOLDER, which holds beam-on-flat.msh and .toml")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// phase is one way of the force, up or down.
type phase struct {
	file, title string
	from, to    float64 // [s] of pseudo-time
	force       []float64
	pressure    []plotter.XYs
	deflection  []plotter.XYs
}

func run(dir string) error {
	m, err := scenes.Load(filepath.Join(dir, "beam-on-flat.toml"))
	if err != nil {
		return err
	}
	s, err := solver.New(m)
	if err != nil {
		return err
	}
	phases := []phase{
		{file: "loading.png", title: "First loading", from: 0, to: 0.3125},
		{file: "unloading.png", title: "Unloading", from: 0.3125, to: 0.625},
		{file: "reloading.png", title: "Reloading", from: 0.625, to: 1},
	}
	var cycle plotter.XYs
	err = s.Run(context.Background(), solver.Output{Frame: func() error { return nil }, Row: func() error {
		kN := 10 * m.Loads[0].Schedule(s.Time)
		p, d := along(s)
		for _, at := range d {
			if at.X == 0 {
				cycle = append(cycle, plotter.XY{X: at.Y, Y: kN})
				break
			}
		}
		for i := range phases {
			h := &phases[i]
			whole := math.Abs(kN-2*math.Round(kN/2)) < 1e-6
			if whole && kN > 1e-6 && s.Time > h.from-1e-9 && s.Time < h.to+1e-9 || i == 1 && math.Abs(kN-0.2) < 1e-6 && s.Time > h.from && s.Time < h.to {
				h.force = append(h.force, kN)
				h.pressure, h.deflection = append(h.pressure, p), append(h.deflection, d)
			}
		}
		return nil
	}})
	if err != nil {
		return err
	}
	if err := hysteresis(filepath.Join(dir, "hysteresis.png"), cycle); err != nil {
		return err
	}
	for i := range phases {
		if err := phases[i].draw(dir); err != nil {
			return err
		}
	}
	return nil
}

// along returns the pressure [MPa] and the deflection [um], negative where the
// beam is off the flat, over the length of the beam [mm].
func along(s *solver.Solver) (pressure, deflection plotter.XYs) {
	c := s.Surfaces[0]
	start, now := c.Positions(nil, s.Mesh.X), c.Positions(nil, s.X)
	for i, x := range start {
		if x.Y < 1e-3 {
			mm := math.Round(1e6*x.X) / 1e3
			pressure = append(pressure, plotter.XY{X: mm, Y: 1e-6 * c.Pressure[i]})
			deflection = append(deflection, plotter.XY{X: mm, Y: -1e6 * now[i].Y})
		}
	}
	byPlace := func(a, b plotter.XY) int {
		switch {
		case a.X < b.X:
			return -1
		case a.X > b.X:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(pressure, byPlace)
	slices.SortStableFunc(deflection, byPlace)
	return pressure, deflection
}

func hysteresis(path string, cycle plotter.XYs) error {
	p := plot.New()
	p.Title.Text = "Force and deflection of the middle (figure 8)"
	p.X.Label.Text, p.Y.Label.Text = "deflection [um]", "force [kN]"
	l, err := plotter.NewLine(cycle)
	if err != nil {
		return err
	}
	l.Width, l.Color = vg.Points(1.5), color.RGBA{0x1f, 0x5f, 0xa8, 0xff}
	p.Add(plotter.NewGrid(), l)
	return p.Save(16*vg.Centimeter, 11*vg.Centimeter, path)
}

// draw puts pressure and deflection side by side.
func (h *phase) draw(dir string) (err error) {
	left, right := plot.New(), plot.New()
	left.Title.Text, right.Title.Text = h.title+": pressure", h.title+": deflection"
	left.Y.Label.Text, right.Y.Label.Text = "pressure [MPa]", "deflection [um]"
	for _, p := range []*plot.Plot{left, right} {
		p.X.Label.Text = "along the beam [mm]"
		p.Add(plotter.NewGrid())
	}
	for i, kN := range h.force {
		share := kN / 12
		shade := color.RGBA{uint8(40 + 190*share), uint8(70 + 20*(1-share)), uint8(200 - 170*share), 0xff}
		for k, xy := range []plotter.XYs{h.pressure[i], h.deflection[i]} {
			l, err := plotter.NewLine(xy)
			if err != nil {
				return err
			}
			l.Color, l.Width = shade, vg.Points(1.2)
			if k == 0 {
				left.Add(l)
			} else {
				right.Add(l)
				right.Legend.Add(fmt.Sprintf("%.3g kN", kN), l)
			}
		}
	}
	right.Y.Max += 0.45 * (right.Y.Max - right.Y.Min)
	right.Legend.Top, right.Legend.Left = true, true
	right.Legend.TextStyle.Font.Size = vg.Points(8)
	img := vgimg.New(26*vg.Centimeter, 11*vg.Centimeter)
	canvas := draw.New(img)
	tiles := draw.Tiles{Rows: 1, Cols: 2, PadX: vg.Centimeter / 2, PadTop: 6, PadBottom: 6, PadLeft: 6, PadRight: 6}
	plots := [][]*plot.Plot{{left, right}}
	for j, c := range plot.Align(plots, tiles, canvas)[0] {
		plots[0][j].Draw(c)
	}
	f, err := os.Create(filepath.Join(dir, h.file))
	if err != nil {
		return err
	}
	_, err = vgimg.PngCanvas{Canvas: img}.WriteTo(f)
	return errors.Join(err, f.Close())
}
