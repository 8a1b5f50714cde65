// Command pictures draws the picture of the README: where the disc goes, and
// its speed beside that of rolling.
//
//	go run ./examples/disc-in-hollow/pictures examples/disc-in-hollow
package main

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"

	"fdem/examples/scenes"
	"fdem/solver"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pictures FOLDER, which holds hollow.toml")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string) error {
	m, err := scenes.Load(filepath.Join(dir, "hollow.toml"))
	if err != nil {
		return err
	}
	s, err := solver.New(m)
	if err != nil {
		return err
	}
	var way, speed, rolling plotter.XYs
	err = s.Run(context.Background(), solver.Output{
		Row: func() error {
			d := s.Motions()[1]
			way = append(way, plotter.XY{X: 1e3 * d.Centre.X, Y: 1e3 * d.Centre.Y})
			speed = append(speed, plotter.XY{X: s.Time, Y: r2.Norm(d.Velocity)})
			rolling = append(rolling, plotter.XY{X: s.Time, Y: 0.05 * math.Abs(d.AngularVelocity)})
			return nil
		},
		Frame: func() error { return nil },
	})
	if err != nil {
		return err
	}
	circle := func(x, y, r float64) plotter.XYs {
		out := make(plotter.XYs, 201)
		for i := range out {
			sin, cos := math.Sincos(math.Pi * float64(i) / 100)
			out[i] = plotter.XY{X: x + r*cos, Y: y + r*sin}
		}
		return out
	}
	left := plot.New()
	left.Title.Text, left.X.Label.Text, left.Y.Label.Text = "Centre of the disc", "x (mm)", "y (mm)"
	left.X.Min, left.X.Max, left.Y.Min, left.Y.Max = -205, 205, -205, 205
	right := plot.New()
	right.Title.Text, right.X.Label.Text, right.Y.Label.Text = "Speed of the disc", "time (s)", "m/s"
	right.Legend.Top = true
	right.Add(plotter.NewGrid())
	blue, red, grey := color.RGBA{R: 0x1f, G: 0x77, B: 0xb4, A: 0xff}, color.RGBA{R: 0xd6, G: 0x27, B: 0x28, A: 0xff}, color.RGBA{R: 0x80, G: 0x80, B: 0x80, A: 0xff}
	for _, l := range []struct {
		to   *plot.Plot
		name string
		xy   plotter.XYs
		c    color.Color
	}{
		{left, "", circle(0, 0, 200), grey}, {left, "", circle(way[0].X, way[0].Y, 50), grey}, {left, "", way, blue},
		{right, "|v|", speed, blue}, {right, "R |omega|", rolling, red},
	} {
		drawn, err := plotter.NewLine(l.xy)
		if err != nil {
			return err
		}
		drawn.Color, drawn.Width = l.c, vg.Points(1.2)
		l.to.Add(drawn)
		if l.name != "" {
			l.to.Legend.Add(l.name, drawn)
		}
	}
	img := vgimg.New(24.3*vg.Centimeter, 12*vg.Centimeter) // so that circles are round
	tiles := draw.Tiles{Rows: 1, Cols: 2, PadX: vg.Points(10)}
	for i, c := range plot.Align([][]*plot.Plot{{left, right}}, tiles, draw.New(img))[0] {
		[]*plot.Plot{left, right}[i].Draw(c)
	}
	out, err := os.Create(filepath.Join(dir, "disc-in-hollow.png"))
	if err != nil {
		return err
	}
	if _, err := (vgimg.PngCanvas{Canvas: img}).WriteTo(out); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
