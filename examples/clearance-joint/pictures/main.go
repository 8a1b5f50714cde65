// Command pictures draws the picture of the example into a folder.
//
//	go run ./examples/clearance-joint/pictures examples/clearance-joint
package main

import (
	"fmt"
	"os"
	"path/filepath"

	clearancejoint "fdem/examples/clearance-joint"
	"fdem/io/view"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: pictures FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string) error {
	var curves []view.Curve
	for _, d := range []struct{ name, deck string }{{"Ma and Liu's law", clearancejoint.Law}, {"eq. (53)", clearancejoint.Eq53}} {
		i, err := clearancejoint.Run(d.deck)
		if err != nil {
			return err
		}
		c := view.Curve{Name: d.name}
		for _, p := range i.Curve {
			if p[0] >= 0 {
				c.X, c.Y = append(c.X, 1e6*p[0]), append(c.Y, 1e-3*p[1])
			}
		}
		curves = append(curves, c)
	}
	return (&view.Diagram{Title: "Ball in a socket at 4 m/s", X: "deflection, um", Y: "force, kN", LegendLeft: true, Curves: curves}).Save(filepath.Join(dir, "force.png"), "png")
}
