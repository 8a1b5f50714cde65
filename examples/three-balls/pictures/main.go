// Command pictures draws the pictures of the example into a folder.
//
//	go run ./examples/three-balls/pictures examples/three-balls
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"fdem/examples/scenes/chart"
	threeballs "fdem/examples/three-balls"
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
	for _, c := range []struct{ name, title, deck string }{
		{"resumed", "Second and third ball: compression resumes", threeballs.Resumed},
		{"second", "Second and third ball: a second impact", threeballs.Second},
	} {
		var curves []chart.Curve
		for _, memory := range []string{"basic", "enhanced"} {
			path, err := threeballs.Path(c.deck, memory)
			if err != nil {
				return err
			}
			curves = append(curves, chart.Curve{Name: memory, X: path[0], Y: path[1], Dashed: memory == "basic"})
		}
		if err := chart.Draw(filepath.Join(dir, c.name+".png"), c.title, "overlap of the balls, um", "force between them, N", true, curves...); err != nil {
			return err
		}
	}
	return nil
}
