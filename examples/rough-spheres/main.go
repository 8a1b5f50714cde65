// Two rough spheres: figures 3 to 8 of T. Zhao and Y. T. Feng, J. Appl. Mech.
// 85(10), 2018, redrawn from computed values.
//
//	go run ./examples/rough-spheres FOLDER
//
// writes each panel as a picture and its values as CSV.
package main

import (
	"encoding/csv"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: rough-spheres FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes every panel's values, and figure by figure a picture.
func run(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	panels, err := figures()
	if err != nil {
		return err
	}
	for i := 0; i < len(panels); {
		number := panels[i].name[:len("figure-3")]
		end := i
		for end < len(panels) && panels[end].name[:len(number)] == number {
			if err := writeValues(filepath.Join(folder, panels[end].name+".csv"), panels[end]); err != nil {
				return err
			}
			end++
		}
		if err := picture(filepath.Join(folder, number+".png"), panels[i:end]); err != nil {
			return err
		}
		i = end
	}
	return nil
}

// writeValues writes a panel's lines one below the other.
func writeValues(path string, f figure) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	rows := [][]string{{"line", f.x, f.y}}
	for _, l := range f.lines {
		for _, p := range l.xy {
			rows = append(rows, []string{l.name, strconv.FormatFloat(p[0], 'g', 9, 64), strconv.FormatFloat(p[1], 'g', 9, 64)})
		}
	}
	if err := w.WriteAll(rows); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

var colours = []color.Color{
	color.RGBA{R: 0x1f, G: 0x77, B: 0xb4, A: 0xff}, color.RGBA{R: 0xd6, G: 0x27, B: 0x28, A: 0xff},
	color.RGBA{R: 0x2c, G: 0xa0, B: 0x2c, A: 0xff}, color.RGBA{R: 0xff, G: 0x7f, B: 0x0e, A: 0xff},
	color.RGBA{R: 0x94, G: 0x67, B: 0xbd, A: 0xff}, color.RGBA{R: 0x8c, G: 0x56, B: 0x4b, A: 0xff},
	color.RGBA{R: 0x7f, G: 0x7f, B: 0x7f, A: 0xff},
}

// picture draws panels side by side.
func picture(path string, panels []figure) error {
	row := make([]*plot.Plot, len(panels))
	for i, f := range panels {
		p := plot.New()
		p.Title.Text, p.X.Label.Text, p.Y.Label.Text = f.title, f.x, f.y
		p.Add(plotter.NewGrid())
		p.Legend.Top = f.name != "figure-4b" && f.name != "figure-5b"
		p.Legend.Left = f.y[0] == 'P' || f.y == "force (N)"
		xMax := 0.0
		for k, l := range f.lines {
			xy := make(plotter.XYs, len(l.xy))
			for j, v := range l.xy {
				xy[j] = plotter.XY{X: v[0], Y: v[1]}
			}
			drawn, err := plotter.NewLine(xy)
			if err != nil {
				return err
			}
			drawn.Color, drawn.Width = colours[k%len(colours)], vg.Points(1.3)
			if l.dashed {
				drawn.Dashes = []vg.Length{vg.Points(4), vg.Points(2)}
			}
			p.Add(drawn)
			p.Legend.Add(l.name, drawn)
			xMax = max(xMax, xy[len(xy)-1].X)
		}
		if f.x == "r / a_H" {
			xMax = min(xMax, 1.8)
		}
		p.X.Max = xMax
		row[i] = p
	}
	img := vgimg.New(vg.Length(len(panels))*14*vg.Centimeter, 10*vg.Centimeter)
	tiles := draw.Tiles{Rows: 1, Cols: len(panels), PadX: vg.Points(8)}
	for i, canvas := range plot.Align([][]*plot.Plot{row}, tiles, draw.New(img))[0] {
		row[i].Draw(canvas)
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	if _, err := (vgimg.PngCanvas{Canvas: img}).WriteTo(out); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
