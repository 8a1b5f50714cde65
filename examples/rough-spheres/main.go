// Two rough spheres: figures 3 to 8 of T. Zhao and Y. T. Feng, J. Appl. Mech.
// 85(10), 2018, redrawn from computed values.
//
//	go run ./examples/rough-spheres FOLDER
//
// writes each panel as a picture and its values as CSV.
package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"fdem/io/view"

	"gonum.org/v1/plot/vg"
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

// writeValues writes the lines of a panel, one after the other.
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
	return errors.Join(w.WriteAll(rows), out.Close())
}

// picture draws panels side by side.
func picture(path string, panels []figure) error {
	var row view.Row
	for _, f := range panels {
		d := &view.Diagram{Title: f.title, X: f.x, Y: f.y, Width: 14 * vg.Centimeter}
		d.LegendBelow = f.name == "figure-4b" || f.name == "figure-5b"
		d.LegendLeft = f.y[0] == 'P' || f.y == "force (N)"
		for _, l := range f.lines {
			c := view.Curve{Name: l.name, Dashed: l.dashed}
			for _, v := range l.xy {
				c.X, c.Y = append(c.X, v[0]), append(c.Y, v[1])
			}
			d.Curves = append(d.Curves, c)
			d.XMax = max(d.XMax, c.X[len(c.X)-1])
		}
		if f.x == "r / a_H" {
			d.XMax = min(d.XMax, 1.8)
		}
		row = append(row, d)
	}
	return row.Save(path, "png")
}
